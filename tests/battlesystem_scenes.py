"""Fights of Battlesystem set up in a line, and their events: what tests of single rules read."""

from collections.abc import Iterator
from typing import Any

from simkit.core.rng import make_key
from simkit.games.battlesystem import game
from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario

KEY = make_key(7)
INCH = 36
A, B = 0, 12
"""Seats of the first unit of either side."""
Fields = dict[str, Any]


def side(design: str | Fields, figures: int = 12, files: int = 6, **more: Any) -> Fields:
    """Return a side of one unit."""
    return {"design": design, "figures": figures, "files": files, **more}


def setup(a: Fields, b: Fields, rules: Fields | None = None, **battle: Any) -> Any:
    """Return a fight that is ready to be played."""
    scenario = Scenario.model_validate({"sides": {"a": a, "b": b}, "scenario": battle})
    changed = Rules.model_validate(Rules().model_dump() | (rules or {}))
    assert game.complaints(scenario, changed) == []
    return game.compile(scenario, changed)


def told(a: Fields, b: Fields, rules: Fields | None = None, trial: int = 0, **battle: Any) -> list[game.Row]:
    """Return the events of one fight."""
    return game.trace(setup(a, b, rules, **battle), KEY, trial).rows


def several(fight: Any, count: int) -> Iterator[list[game.Row]]:
    """Yield the events of several fights of one set-up."""
    for trial in range(count):
        yield game.trace(fight, KEY, trial).rows


def of(rows: list[game.Row], *what: What, unit: int | None = None) -> list[game.Row]:
    """Return the events of some kinds, of one unit or of all."""
    return [row for row in rows if row.what in what and unit in (None, row.unit)]


def first(rows: list[game.Row], what: What, unit: int | None = None) -> game.Row:
    """Return the first event of a kind."""
    return of(rows, what, unit=unit)[0]


def index(rows: list[game.Row], what: What = What.STRIKE, unit: int = A) -> int:
    """Return AR' - AC' of the first blows, or shots, of a unit."""
    return first(rows, what, unit).extra


def rounds(rows: list[game.Row]) -> list[list[game.Row]]:
    """Part the events by round."""
    return [[row for row in rows if row.round == number] for number in range(1, rows[-1].round + 1)]
