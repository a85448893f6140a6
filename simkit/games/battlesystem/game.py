"""Battlesystem as a game of simkit: the light rooms gathered, the compiled ones loaded on first use."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from simkit.games.battlesystem.legality import complaints as complaints
from simkit.games.battlesystem.marching import MarchTables as MarchTables
from simkit.games.battlesystem.marching import march as march
from simkit.games.battlesystem.marching import march_complaints as march_complaints
from simkit.games.battlesystem.marching import march_ratings as march_ratings
from simkit.games.battlesystem.marching import march_scenario as march_scenario
from simkit.games.battlesystem.outcomes import FIGHT as FIGHT
from simkit.games.battlesystem.outcomes import HEADLINE as HEADLINE
from simkit.games.battlesystem.outcomes import OUTCOMES as OUTCOMES
from simkit.games.battlesystem.outcomes import fortune as fortune
from simkit.games.battlesystem.roster import budget as budget
from simkit.games.battlesystem.roster import force as force
from simkit.games.battlesystem.rules import EDITION as EDITION
from simkit.games.battlesystem.rules import Rules as Rules
from simkit.games.battlesystem.scenario import POLICIES as POLICIES
from simkit.games.battlesystem.scenario import SIDES
from simkit.games.battlesystem.scenario import Scenario as Scenario
from simkit.games.battlesystem.showing import preset_names as preset_names
from simkit.games.battlesystem.showing import preset_table as preset_table
from simkit.games.battlesystem.showing import rate_preset as rate_preset
from simkit.games.battlesystem.showing import rate_scenario as rate_scenario
from simkit.games.battlesystem.story import MODEL as MODEL
from simkit.games.battlesystem.story import describe as describe
from simkit.games.battlesystem.story import story as story
from simkit.games.battlesystem.vocabulary import axis_title as axis_title
from simkit.games.battlesystem.vocabulary import label as label
from simkit.games.battlesystem.vocabulary import vary as vary
from simkit.games.protocol import Line, Solution, Spread, Version
from simkit.games.readings import Swing

NAME = "battlesystem"
TITLE = "Battlesystem"
SUMMARY = "mass combat of 1985, section 11: foot, cavalry and chariots, shield walls, set spears, terrain"
GAMES_A_UNIT = 1
LADDER = False
"""Policies are orders, not players of rising skill."""
UNLIMITED: Mapping[str, Any] = {}
PRESETS_ARE = "units that a side can name, all of them to be edited; morale and some ratings are assumed"
VERSION = Version(1, {1: "Fights on a lane: melee, missiles, charges, shield walls, set spears, terrain and morale."})


class Row(NamedTuple):
    """One event in plain numbers; see :class:`~simkit.games.battlesystem.happenings.What`."""

    what: int
    round: int
    unit: int
    foe: int
    roll: int
    value: int
    extra: int


class Trace(NamedTuple):
    """The events of one fight."""

    rows: list[Row]
    noted: int
    """How many events there were; the trace keeps the first of them."""


def presets() -> list[dict[str, Any]]:
    """List the preset units with their ratings by the rules of record."""
    from simkit.games.battlesystem.presets import presets as rows

    return rows()


def unplayable(scenario: Scenario) -> str:
    """Every fight can be played: there is always a limit of rounds."""
    return ""


def compile(scenario: Scenario, rules: Rules) -> Any:
    """Return the Setup record of a legal fight."""
    from simkit.games.battlesystem import compile as room

    return room.compile(scenario, rules)


A_UNIT, A_FIGURE, A_BOW, A_CHOICE = 600, 6, 700, 3_800
"""Nanoseconds that a unit takes in a fight, each of its figures, its bow, and the choice of what to declare."""

BEST = 7
"""Number of the policy that chooses."""


def nanoseconds(setup: Any) -> float:
    """Return about how long one fight takes on one processor, measured with the preset units."""
    units = setup.units[: int(setup.count)]
    figures = sum(int(unit.figures) for unit in units)
    bows, choices = sum(int(unit.bow) > 0 for unit in units), sum(int(unit.policy) == BEST for unit in units)
    return float(A_UNIT * len(units) + A_FIGURE * figures + A_BOW * bows + A_CHOICE * choices)


def assumed(scenario: Scenario, rules: Rules) -> list[str]:
    """Return the rulings (Q) and assumed values (B) that a fight rests on, by path."""
    from simkit.games.battlesystem.assumptions import relevant

    return relevant(scenario, rules)


def swings(scenario: Scenario, rules: Rules) -> list[Swing]:
    """Return alternatives to the rulings and assumed values that a fight rests on."""
    from simkit.games.battlesystem.swings import swings as found

    return found(scenario, rules)


def ready(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile the kernels, or load them from the cache."""
    from simkit.core import jit

    jit.ready("simkit.games.battlesystem", progress)


def new_state() -> Any:
    """Return scratch memory for one worker."""
    from simkit.games.battlesystem.records import State

    return State.scratch()


def pack(setups: list[Any]) -> Any:
    """Return several setups as the one array that a block plays."""
    from simkit.games.battlesystem.records import Setup

    rows = Setup.array(len(setups))
    for i, setup in enumerate(setups):
        rows[i] = setup
    return rows


def play_block(setups: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    """Play the fights ``first <= unit < end`` of every setup and add them to `out`."""
    from simkit.games.battlesystem.play import play_units

    play_units(setups, state, key.stream, key.tweak, first, end, out, _rows(0))


def play_rows(setup: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    """Play the fights ``first <= unit < end`` and keep each as a row of `out`."""
    from simkit.games.battlesystem.play import play_units

    play_units(pack([setup]), state, key.stream, key.tweak, first, end, _counts(0), out)


def play_one(setup: Any, state: Any, key: Any, trial: int, seat: int = 0) -> Any:
    """Play one fight and return its outcome; there is one seating."""
    from simkit.games.battlesystem.play import play_units
    from simkit.games.battlesystem.records import Outcome

    row = _rows(1)
    play_units(pack([setup]), state, key.stream, key.tweak, trial, trial + 1, _counts(0), row)
    return Outcome(*row[0].tolist())


def _rows(count: int) -> Any:
    import numpy as np

    return np.zeros((count, len(OUTCOMES)), np.int64)


def _counts(setups: int) -> Any:
    import numpy as np

    from simkit.core.trials import BATCHES

    return np.zeros((setups, BATCHES, len(OUTCOMES), 4), np.int64)


def trace(setup: Any, key: Any, trial: int, seat: int = 0) -> Trace:
    """Return the events of one fight; there is one seating."""
    from simkit.games.battlesystem.records import EVENTS

    state = new_state()
    state.room = EVENTS
    play_one(setup, state, key, trial, seat)
    kept = state.events[: min(state.noted, EVENTS)]
    return Trace([Row(*row) for row in kept.tolist()], int(state.noted))


def exact(scenario: Scenario, rules: Rules) -> Solution:
    """Return the exact solution of a fight of two units that begin in contact; of other fights, why there is none."""
    from simkit.games.battlesystem.exact import solve

    return solve(scenario, rules)


def exchange(scenario: Scenario, rules: Rules) -> list[Spread]:
    """Return what the first exchange of blows of two units in contact does to each, in full distribution."""
    from simkit.games.battlesystem.exact import exchange as found

    spreads = []
    for side, lost in zip("ab", found(scenario, rules), strict=True):
        title = f"side {side.upper()}"
        spreads.append(Spread(f"figures_{side}", f"figures that {title} loses", lost.figures))
        spreads.append(Spread(f"hit_dice_{side}", f"hit dice of {title} that are killed", lost.hit_dice))
    return spreads


def solve_within(scenario: Scenario, rules: Rules, steps: int) -> tuple[Solution, int]:
    """Return the exact solution of two units in contact, for so many steps at most, and the steps it took.

    A step is what a duel of Jugger counts as one, some four nanoseconds: see :mod:`simkit.balance.solved`.
    """
    takes = STEPS * _situations(scenario, rules)
    if takes > steps:
        return Solution({}, 0, why=f"its solution takes more than {steps:,} steps"), 0
    return exact(scenario, rules), takes


STEPS = 3_000
"""Steps that the solution of one pair of what two units can be takes, some twelve microseconds."""


def _situations(scenario: Scenario, rules: Rules) -> int:
    """Count what two units in contact can be; 0 where nothing is solved anyway."""
    from simkit.games.battlesystem.ratings import rate
    from simkit.games.battlesystem.roster import roster

    posts = [post for side in SIDES for post in roster(scenario, side)]
    if len(posts) != 2 or not scenario.scenario.in_contact:
        return 0
    pairs = 1
    for post in posts:
        wounds = rate(post.design, rules).pool if rules.carry_wounds else 1
        pairs *= post.unit.figures * wounds * (2 if post.unit.formation == "closed" else 1)
    return pairs


def narrate(scenario: Scenario, rules: Rules, events: Trace) -> list[Line]:
    """Retell one fight roll by roll."""
    from simkit.games.battlesystem.narrate import tell
    from simkit.games.battlesystem.staging import cast

    return tell(cast(scenario, rules), (events.rows, events.noted))


def picture(scenario: Scenario, rules: Rules, events: Trace) -> str:
    """Draw one fight, both lines round by round, as an SVG file."""
    from simkit.games.battlesystem.picture import picture as draw
    from simkit.games.battlesystem.staging import cast

    return draw(cast(scenario, rules), (events.rows, events.noted))


def player(scenario: Scenario, rules: Rules, events: Trace, says: str = "") -> str:
    """Return one fight as an HTML page that leads from round to round."""
    from simkit.games.battlesystem.player import player as page
    from simkit.games.battlesystem.staging import cast

    return page(cast(scenario, rules), (events.rows, events.noted), says=says)
