"""Pig Tickler on a table as a game of simkit: the light rooms gathered, the compiled ones loaded on first use."""

from collections.abc import Callable, Mapping
from typing import Any

from simkit.games.pigtable.outcomes import HEADLINE as HEADLINE
from simkit.games.pigtable.outcomes import OUTCOMES as OUTCOMES
from simkit.games.pigtable.outcomes import fortune as fortune
from simkit.games.pigtable.rules import EDITION as EDITION
from simkit.games.pigtable.rules import Rules as Rules
from simkit.games.pigtable.scenario import POLICIES as POLICIES
from simkit.games.pigtable.scenario import Scenario as Scenario
from simkit.games.pigtable.scenario import complaints as complaints
from simkit.games.pigtable.story import MODEL as MODEL
from simkit.games.pigtable.story import describe as describe
from simkit.games.pigtable.story import story as story
from simkit.games.pigtable.vocabulary import axis_title as axis_title
from simkit.games.pigtable.vocabulary import label as label
from simkit.games.pigtable.vocabulary import presets as presets
from simkit.games.pigtable.vocabulary import vary as vary
from simkit.games.protocol import Line, Solution, Version
from simkit.games.readings import Swing

NAME = "pigtable"
TITLE = "Pig Tickler on a table"
SUMMARY = "several unicycle lancers, a mechanical pig and terrain on a table: whole matches, and single routes"
GAMES_A_UNIT = 1
UNLIMITED: Mapping[str, Any] = {}
PRESETS_ARE = "tables that ship; a file may have a table of its own in their place"
VERSION = Version(1, {1: "Matches on tables: routes, runaways, the pig that moves, three players of rising skill."})


def unplayable(scenario: Scenario) -> str:
    """Every match and every route can be played: there is always a limit."""
    return ""


def compile(scenario: Scenario, rules: Rules) -> Any:
    """Return the Setup record of a legal scenario."""
    from simkit.games.pigtable import compile as room

    return room.compile(scenario, rules)


TURN = (3_000, 20_000, 20_000)
"""By policy: nanoseconds of a turn."""

USUAL_TURNS = 10
"""Turns of one lancer in a match, more or less."""


def nanoseconds(setup: Any) -> float:
    """Return about how long one unit takes on one processor: as many matches as there are lancers."""
    if int(setup.aim):
        return float(TURN[0])
    seats = int(setup.seats)
    return float(seats * USUAL_TURNS * sum(TURN[int(mind)] for mind in setup.minds[:seats]))


def assumed(scenario: Scenario, rules: Rules) -> list[str]:
    """Return the rulings (Q) and base-game assumptions (B) that a scenario rests on, by path."""
    from simkit.games.pigtable.assumptions import relevant

    return relevant(scenario, rules)


def swings(scenario: Scenario, rules: Rules) -> list[Swing]:
    """Return alternatives to the rulings and assumed values that a scenario rests on."""
    from simkit.games.pigtable.swings import swings as found

    return found(scenario, rules)


def ready(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile the kernels, or load them from the cache."""
    from simkit.core import jit

    jit.ready("simkit.games.pigtable", progress)


def new_state() -> Any:
    """Return scratch memory for one worker."""
    from simkit.games.pigtable.records import State

    return State.scratch()


def pack(setups: list[Any]) -> Any:
    """Return several setups as the one array that a block plays."""
    from simkit.games.pigtable.records import Setup

    rows = Setup.array(len(setups))
    for i, setup in enumerate(setups):
        rows[i] = setup
    return rows


def play_block(setups: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    """Play the units ``first <= unit < end`` of every setup and add them to `out`."""
    from simkit.games.pigtable.play import play_units

    play_units(setups, state, key.stream, key.tweak, first, end, out, _rows(0))


def play_rows(setup: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    """Play the units ``first <= unit < end`` and keep each, the mean of its matches, as a row of `out`."""
    from simkit.games.pigtable.play import play_units

    play_units(pack([setup]), state, key.stream, key.tweak, first, end, _counts(0), out)


def play_one(setup: Any, state: Any, key: Any, trial: int, seat: int = 0) -> Any:
    """Play one unit and return what it counts: as one match, in sixtieths."""
    row = _rows(1)
    play_rows(setup, state, key, trial, trial + 1, row)
    return tuple(int(value) for value in row[0])


def _rows(count: int) -> Any:
    import numpy as np

    return np.zeros((count, len(OUTCOMES)), np.int64)


def _counts(setups: int) -> Any:
    import numpy as np

    from simkit.core.trials import BATCHES

    return np.zeros((setups, BATCHES, len(OUTCOMES), 4), np.int64)


def trace(setup: Any, key: Any, trial: int, seat: int = 0) -> Any:
    """Return the events of match `seat` of a unit: 0 is the one in which every seat has its own start."""
    from simkit.games.pigtable.retrace import retrace

    return retrace(setup, key, trial, seat)


def exact(scenario: Scenario, rules: Rules) -> Solution:
    """Return what is told of a route exactly, or why a match has no solution."""
    from simkit.games.pigtable.exact import solve

    return solve(scenario, rules)


def narrate(scenario: Scenario, rules: Rules, events: Any) -> list[Line]:
    """Retell one match roll by roll."""
    from simkit.games.pigtable.narrate import tell

    return tell(scenario, rules, events)


def picture(scenario: Scenario, rules: Rules, events: Any) -> str:
    """Draw one match: the table, and the track of every lancer and of the pig, as an SVG file."""
    from simkit.games.pigtable.picture import picture as draw

    return draw(scenario, rules, events)


def player(scenario: Scenario, rules: Rules, events: Any, says: str = "") -> str:
    """Return one match as an HTML page to step through."""
    from simkit.games.pigtable.player import player as page

    return page(scenario, rules, events, says)
