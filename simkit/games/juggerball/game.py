"""Juggerball as a game of simkit: the light rooms gathered, the compiled ones loaded on first use."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from simkit.games.juggerball.legality import complaints as complaints
from simkit.games.juggerball.outcomes import FIGHT as FIGHT
from simkit.games.juggerball.outcomes import HEADLINE as HEADLINE
from simkit.games.juggerball.outcomes import OUTCOMES as OUTCOMES
from simkit.games.juggerball.outcomes import fortune as fortune
from simkit.games.juggerball.rules import EDITION as EDITION
from simkit.games.juggerball.rules import Rules as Rules
from simkit.games.juggerball.scenario import POLICIES as POLICIES
from simkit.games.juggerball.scenario import Scenario as Scenario
from simkit.games.juggerball.story import MODEL as MODEL
from simkit.games.juggerball.story import describe as describe
from simkit.games.juggerball.story import story as story
from simkit.games.juggerball.vocabulary import axis_title as axis_title
from simkit.games.juggerball.vocabulary import label as label
from simkit.games.juggerball.vocabulary import vary as vary
from simkit.games.protocol import Line, Solution, Version
from simkit.games.readings import Swing

NAME = "juggerball"
TITLE = "Juggerball"
SUMMARY = "seven jugs a side, a very large ball and two goals: the battles of Jugger as a sport"
GAMES_A_UNIT = 2
UNLIMITED: Mapping[str, Any] = {}
PRESETS_ARE = "improvements of the random table, by the D10; 9 and 10 are a standard weapon by another D10"
VERSION = Version(1, {1: "Matches: the ball, goals, random teams, and four players of rising skill."})


class Row(NamedTuple):
    """One event in plain numbers; see :class:`~simkit.games.juggerball.happenings.What`."""

    what: int
    turn: int
    jug: int
    foe: int
    item: int
    roll: int
    value: int
    extra: int


class Trace(NamedTuple):
    """The events of one match."""

    rows: list[Row]
    noted: int
    """How many events there were; all of them are kept."""
    seat: int
    """Seat of side A: 1 when the seats were swapped."""


def presets() -> list[dict[str, Any]]:
    """List the improvements that a random jug may roll."""
    from simkit.games.juggerball.presets import presets as rows

    return rows()


def unplayable(scenario: Scenario) -> str:
    """Every match can be played: there is always a limit of turns."""
    return ""


def compile(scenario: Scenario, rules: Rules) -> Any:
    """Return the Setup record of a legal match."""
    from simkit.games.juggerball import compile as room

    return room.compile(scenario, rules)


PACE = (400_000, 600_000, 4_000_000, 1_600_000)
"""By policy: nanoseconds of a match."""


def nanoseconds(setup: Any) -> float:
    """Return about how long one match takes on one processor, measured with random teams on the pitch."""
    return float(sum(PACE[int(mind)] for mind in setup.minds)) / len(setup.minds)


def assumed(scenario: Scenario, rules: Rules) -> list[str]:
    """Return the rulings (Q) that a match rests on, by path."""
    from simkit.games.juggerball.assumptions import relevant

    return relevant(scenario, rules)


def swings(scenario: Scenario, rules: Rules) -> list[Swing]:
    """Return alternatives to the rulings that a match rests on."""
    from simkit.games.juggerball.swings import swings as found

    return found(scenario, rules)


def ready(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile the kernels, or load them from the cache."""
    from simkit.core import jit

    jit.ready("simkit.games.juggerball", progress)


def new_state() -> Any:
    """Return scratch memory for one worker."""
    from simkit.games.juggerball.records import State

    return State.scratch()


def pack(setups: list[Any]) -> Any:
    """Return several setups as the one array that a block plays."""
    from simkit.games.juggerball.records import Setup

    rows = Setup.array(len(setups))
    for i, setup in enumerate(setups):
        rows[i] = setup
    return rows


def play_block(setups: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    """Play the units ``first <= unit < end`` of every setup, two matches each, and add them to `out`.

    Matches write the jugs that they roll into the setups, so that every block has a copy of its own.
    """
    from simkit.games.juggerball.play import ALL, play_units

    play_units(setups.copy(), state, key.stream, key.tweak, first, end, ALL, out, _rows(0))


def play_rows(setup: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    """Play the units ``first <= unit < end`` and keep both matches of each as rows of `out`."""
    from simkit.games.juggerball.play import ALL, play_units

    play_units(pack([setup]), state, key.stream, key.tweak, first, end, ALL, _counts(0), out)


def play_seat(setup: Any, state: Any, key: Any, first: int, end: int, seat: int, out: Any) -> None:
    """Play the units ``first <= unit < end`` in one seat alone and keep each match as a row of `out`."""
    from simkit.games.juggerball.play import play_units

    play_units(pack([setup]), state, key.stream, key.tweak, first, end, seat, _counts(0), out)


def play_one(setup: Any, state: Any, key: Any, trial: int, seat: int = 0) -> Any:
    """Play one match of a unit and return its outcome; seat 1 is the match with the seats swapped."""
    from simkit.games.juggerball.play import play_units
    from simkit.games.juggerball.records import Outcome

    row = _rows(1)
    play_units(pack([setup]), state, key.stream, key.tweak, trial, trial + 1, seat, _counts(0), row)
    return Outcome(*row[0].tolist())


def _rows(count: int) -> Any:
    import numpy as np

    return np.zeros((count, len(OUTCOMES)), np.int64)


def _counts(setups: int) -> Any:
    import numpy as np

    from simkit.core.trials import BATCHES

    return np.zeros((setups, BATCHES, len(OUTCOMES), 4), np.int64)


def trace(setup: Any, key: Any, trial: int, seat: int = 0) -> Trace:
    """Return the events of one match: it is played again until all of them were kept."""
    from simkit.games.jugger.records import EVENTS

    state = new_state()
    state.battle.room = EVENTS
    rows: list[Row] = []
    noted = 1
    while len(rows) < noted:
        state.battle.since = len(rows)
        play_one(setup, state, key, trial, seat)
        noted = int(state.battle.noted)
        rows += [Row(*row) for row in state.battle.events[: min(noted - len(rows), EVENTS)].tolist()]
    return Trace(rows, noted, seat)


def settled(scenario: Scenario, rules: Rules, key: Any, trial: int) -> dict[str, list[dict[str, Any]]]:
    """Return the seven jugs of both sides as one trial rolls them, each as the table of a design in a file."""
    from simkit.games.juggerball.casting import settled as found

    return found(scenario, rules, key, trial)


def exact(scenario: Scenario, rules: Rules) -> Solution:
    """Say why there is no exact solution of a match."""
    from simkit.games.juggerball.exact import solve

    return solve(scenario, rules)


def narrate(scenario: Scenario, rules: Rules, events: Trace) -> list[Line]:
    """Retell one match roll by roll."""
    from simkit.games.jugger.narrate import tell

    return tell(_cast(scenario, rules, events), (events.rows, events.noted))


def picture(scenario: Scenario, rules: Rules, events: Trace) -> str:
    """Draw one match with the way of the ball, its goals and where everybody is in the end, as an SVG file."""
    from simkit.games.juggerball.drawing import picture as draw

    return draw(_cast(scenario, rules, events), (events.rows, events.noted))


def player(scenario: Scenario, rules: Rules, events: Trace, says: str = "") -> str:
    """Return one match as an HTML page to step through."""
    from simkit.games.jugger.player import player as page
    from simkit.games.juggerball.drawing import result

    cast = _cast(scenario, rules, events)
    return page(cast, (events.rows, events.noted), title=result(cast, events.rows), says=says)


def _cast(scenario: Scenario, rules: Rules, events: Trace) -> Any:
    from simkit.games.juggerball.casting import cast

    return cast(scenario, rules, events.seat, events.rows)
