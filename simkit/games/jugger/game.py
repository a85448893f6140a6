"""Jugger as a game of simkit: the light rooms gathered, the compiled ones loaded on first use."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from simkit.games.jugger.legality import complaints as complaints
from simkit.games.jugger.outcomes import FIGHT as FIGHT
from simkit.games.jugger.outcomes import HEADLINE as HEADLINE
from simkit.games.jugger.outcomes import OUTCOMES as OUTCOMES
from simkit.games.jugger.outcomes import fortune as fortune
from simkit.games.jugger.roster import budget as budget
from simkit.games.jugger.rules import EDITION as EDITION
from simkit.games.jugger.rules import Rules as Rules
from simkit.games.jugger.scenario import POLICIES as POLICIES
from simkit.games.jugger.scenario import Scenario as Scenario
from simkit.games.jugger.story import MODEL as MODEL
from simkit.games.jugger.story import describe as describe
from simkit.games.jugger.story import story as story
from simkit.games.jugger.tuned import TUNED as TUNED
from simkit.games.jugger.tuned import WEIGHED as WEIGHED
from simkit.games.jugger.tuned import families as families
from simkit.games.jugger.tuned import family_of as family_of
from simkit.games.jugger.tuned import weigh as weigh
from simkit.games.jugger.tuned import weighed_by as weighed_by
from simkit.games.jugger.tuned import weights as weights
from simkit.games.jugger.vocabulary import axis_title as axis_title
from simkit.games.jugger.vocabulary import label as label
from simkit.games.jugger.vocabulary import vary as vary
from simkit.games.protocol import Build, Line, Rated, Solution, Swapped, Version
from simkit.games.readings import Swing

NAME = "jugger"
TITLE = "Jugger"
SUMMARY = "fantasy war machines on a hex map: rams, weapons, captains and wizards, duels and battles"
GAMES_A_UNIT = 2
UNLIMITED: Mapping[str, Any] = {}
PRESETS_ARE = "published designs that a side can name; damage is what may be expected a turn, of a target ahead"
VERSION = Version(1, {1: "Battles: movement, rams, weapons, captains, wizards, and four players of rising skill."})


class Row(NamedTuple):
    """One event in plain numbers; see :class:`~simkit.games.jugger.happenings.What`."""

    what: int
    turn: int
    jug: int
    foe: int
    item: int
    roll: int
    value: int
    extra: int


class Trace(NamedTuple):
    """The events of one battle."""

    rows: list[Row]
    noted: int
    """How many events there were; the trace keeps the first of them."""
    seat: int
    """Seat of side A: 1 when the seats were swapped."""


def presets() -> list[dict[str, Any]]:
    """List the published designs with their ratings."""
    from simkit.games.jugger.ratings import presets as rows

    return rows()


def preset_names() -> list[str]:
    """List the ids of the published designs."""
    from simkit.games.jugger import showing

    return showing.preset_names()


def preset_table(name: str) -> dict[str, Any]:
    """Return a published design as the table of a design in a file."""
    from simkit.games.jugger import showing

    return showing.preset_table(name)


def rate_preset(name: str, rules: Rules) -> Rated:
    """Rate a published design."""
    from simkit.games.jugger import showing

    return showing.rate_preset(name, rules)


def rate_scenario(scenario: Scenario, rules: Rules) -> list[Rated]:
    """Rate every design of a legal battle once."""
    from simkit.games.jugger import showing

    return showing.rate_scenario(scenario, rules)


BUDGETS = (1, 20)
BUDGET_IS = "size class"


def build_items() -> list[str]:
    """List the kinds of items that builds are made of."""
    from simkit.games.jugger import building

    return building.build_items()


def build_item(name: str) -> str | None:
    """Return the kind of item that a name means, or None."""
    from simkit.games.jugger import building

    return building.build_item(name)


def build_count(budget: int, rules: Rules) -> int:
    """Count the legal builds of a size class."""
    from simkit.games.jugger import building

    return building.build_count(budget, rules)


def build_at(budget: int, rules: Rules, number: int) -> Build:
    """Return the legal build of a number."""
    from simkit.games.jugger import building

    return building.build_at(budget, rules, number)


def swap_count(build: Build, item: str, rules: Rules) -> int:
    """Count what else the spaces of an item of a build could hold."""
    from simkit.games.jugger import building

    return building.swap_count(build, item, rules)


def swap_at(build: Build, item: str, rules: Rules, number: int) -> Swapped:
    """Return a build in which an item is exchanged."""
    from simkit.games.jugger import building

    return building.swap_at(build, item, rules, number)


def unplayable(scenario: Scenario) -> str:
    """Every battle can be played: there is always a limit of turns."""
    return ""


def compile(scenario: Scenario, rules: Rules) -> Any:
    """Return the Setup record of a legal battle."""
    from simkit.games.jugger import compile as room

    return room.compile(scenario, rules)


PACE = ((4_500, 1.4), (30_000, 1.9), (24_000, 1.3), (300_000, 0.9))
"""By policy: nanoseconds of a duel, and with which power of the jugs a side they grow."""


def nanoseconds(setup: Any) -> float:
    """Return about how long one battle takes on one processor, measured with published designs."""
    jugs = (int(setup.count_a) + int(setup.count_b)) / 2
    paces = [PACE[int(policy)] for policy in setup.policies]
    return float(sum(base * jugs**power for base, power in paces)) / len(paces)


def assumed(scenario: Scenario, rules: Rules) -> list[str]:
    """Return the rulings (Q) that a battle rests on, by path."""
    from simkit.games.jugger.assumptions import relevant

    return relevant(scenario, rules)


def swings(scenario: Scenario, rules: Rules) -> list[Swing]:
    """Return alternatives to the rulings that a battle rests on."""
    from simkit.games.jugger.swings import swings as found

    return found(scenario, rules)


def ready(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile the kernels, or load them from the cache."""
    from simkit.core import jit

    jit.ready("simkit.games.jugger", progress)


def new_state() -> Any:
    """Return scratch memory for one worker."""
    from simkit.games.jugger.records import State

    return State.scratch()


def pack(setups: list[Any]) -> Any:
    """Return several setups as the one array that a block plays."""
    from simkit.games.jugger.records import Setup

    rows = Setup.array(len(setups))
    for i, setup in enumerate(setups):
        rows[i] = setup
    return rows


def play_block(setups: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    """Play the units ``first <= unit < end`` of every setup, two battles each, and add them to `out`."""
    from simkit.games.jugger.play import ALL, play_units

    play_units(setups, state, key.stream, key.tweak, first, end, ALL, out, _rows(0))


def play_rows(setup: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    """Play the units ``first <= unit < end`` and keep both battles of each as rows of `out`."""
    from simkit.games.jugger.play import ALL, play_units

    play_units(pack([setup]), state, key.stream, key.tweak, first, end, ALL, _counts(0), out)


def play_seat(setup: Any, state: Any, key: Any, first: int, end: int, seat: int, out: Any) -> None:
    """Play the units ``first <= unit < end`` in one seat alone and keep each battle as a row of `out`."""
    from simkit.games.jugger.play import play_units

    play_units(pack([setup]), state, key.stream, key.tweak, first, end, seat, _counts(0), out)


def play_one(setup: Any, state: Any, key: Any, trial: int, seat: int = 0) -> Any:
    """Play one battle of a unit and return its outcome; seat 1 is the battle with the seats swapped."""
    from simkit.games.jugger.play import play_units
    from simkit.games.jugger.records import Outcome

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
    """Return the events of one battle."""
    from simkit.games.jugger.records import EVENTS

    state = new_state()
    state.room = EVENTS
    play_one(setup, state, key, trial, seat)
    kept = state.events[: min(state.noted, EVENTS)]
    return Trace([Row(*row) for row in kept.tolist()], int(state.noted), seat)


def exact(scenario: Scenario, rules: Rules) -> Solution:
    """Return the exact solution of a duel in which nobody moves; of other battles, why there is none."""
    from simkit.games.jugger.exact import solve

    return solve(scenario, rules)


def solve_within(scenario: Scenario, rules: Rules, steps: int) -> tuple[Solution, int]:
    """Return the exact solution of a duel in which nobody moves, for so many steps at most, and the steps it took."""
    from simkit.games.jugger.exact import solve_within as solve

    return solve(scenario, rules, steps)


def narrate(scenario: Scenario, rules: Rules, events: Trace) -> list[Line]:
    """Retell one battle roll by roll."""
    from simkit.games.jugger.narrate import tell
    from simkit.games.jugger.staging import cast

    return tell(cast(scenario, rules, compile(scenario, rules), events.seat), (events.rows, events.noted))


def picture(scenario: Scenario, rules: Rules, events: Trace) -> str:
    """Draw one battle with the track of every jug, as an SVG file."""
    from simkit.games.jugger.picture import picture as draw
    from simkit.games.jugger.staging import cast

    return draw(cast(scenario, rules, compile(scenario, rules), events.seat), (events.rows, events.noted))


def player(scenario: Scenario, rules: Rules, events: Trace, says: str = "") -> str:
    """Return one battle as an HTML page to step through."""
    from simkit.games.jugger.player import player as page
    from simkit.games.jugger.staging import cast

    people = cast(scenario, rules, compile(scenario, rules), events.seat)
    return page(people, (events.rows, events.noted), says=says)
