"""The events of one match of a unit as rows of plain numbers."""

from typing import Any, NamedTuple

from simkit.games.pigtable.records import EVENTS, State


class Row(NamedTuple):
    """One event in plain numbers; see :class:`~simkit.games.pigtable.kinds.What`."""

    what: int
    turn: int
    seat: int
    other: int
    piece: int
    roll: int
    value: int
    extra: int


class Trace(NamedTuple):
    """The events of one match."""

    rows: list[Row]
    noted: int
    """How many events there were; all of them are kept."""
    game: int
    """Which match of the unit: seat 1 begins at start ``game + 1``."""


def retrace(setup: Any, key: Any, unit: int, game: int = 0) -> Trace:
    """Return the events of one match: it is played again until all of them were kept."""
    from simkit.games.pigtable.play import play_match

    state = State.scratch()
    state.room = EVENTS
    rows: list[Row] = []
    noted = 1
    while len(rows) < noted:
        state.since = len(rows)
        play_match(setup, state, key.stream, key.tweak, unit, game)
        noted = int(state.noted)
        kept: Any = state.events[: min(noted - state.since, EVENTS)]
        rows += [Row(*(int(value) for value in event)) for event in kept.tolist()]
    return Trace(rows, noted, game)
