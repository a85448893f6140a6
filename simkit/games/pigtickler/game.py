"""Pig Tickler as a game of simkit: the light rooms gathered, the compiled ones loaded on first use."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simkit.games.pigtickler.course import Scenario, Step
from simkit.games.pigtickler.course import complaints as complaints
from simkit.games.pigtickler.rules import EDITION as EDITION
from simkit.games.pigtickler.rules import Rules as Rules
from simkit.games.pigtickler.story import MODEL as MODEL
from simkit.games.pigtickler.story import story as story
from simkit.games.protocol import Line, Metric, Solution, Version, put_at
from simkit.games.readings import Swing

NAME = "pigtickler"
TITLE = "Pig Tickler"
SUMMARY = "unicycle lancers over hills, bogs, walls and fences, one attempt at a course"
HEADLINE = "finished"
GAMES_A_UNIT = 1
POLICIES = ("greedy",)
UNLIMITED = {"course.turns": "unlimited"}
PRESETS_ARE = "a rider brings no design; this is what an experiment can write down"
VERSION = Version(1, {1: "Courses: every terrain rule, ruling and alternative; one lancer's attempt."})

OUTCOMES = (
    Metric("finished", "share", "of attempts", "every task done while he may still move"),
    Metric("reached", "share", "of attempts", "finished, or stopped with the last terrain behind him"),
    Metric("stopped", "share", "of attempts", "turns used up on the way"),
    Metric("runaway", "share", "of attempts", "steered off the course by another player after a descent"),
    Metric("killed", "share", "of attempts", "dead in a chasm"),
    Metric("wrecked", "share", "of attempts", "unicycle wrecked"),
    Metric("wounded", "share", "of attempts", "wounded at least once"),
    Metric("damaged", "share", "of attempts", "unicycle damaged at least once"),
    Metric("rump", "share", "of attempts", "at least one rump"),
    Metric("other_wounded", "share", "of attempts", "another lancer wounded at least once"),
    Metric("other_damaged", "share", "of attempts", "another lancer's unicycle damaged at least once"),
    Metric("turns_used", "count", "turns", "turns used, lost turns included; the limit when it ran out"),
    Metric("wounds", "count", "wounds", "wounds taken"),
    Metric("damage", "count", "points", "points of unicycle damage"),
    Metric("rumps", "count", "rumps", "rumps scored"),
    Metric("other_wounds", "count", "wounds", "wounds of other lancers"),
    Metric("other_damages", "count", "points", "points of damage to other lancers' unicycles"),
    Metric("rolls", "count", "throws", "throws of dice the lancer made"),
)


def presets() -> list[dict[str, Any]]:
    """List what an experiment can write down: steps, what may lie ahead, bogs, sets of rules, metrics."""
    from simkit.games.pigtickler.vocabulary import vocabulary

    return vocabulary(Rules(), OUTCOMES)


def unplayable(scenario: Scenario) -> str:
    """A course without a limit of turns may never end, so it is solved and not played."""
    return 'a course with turns = "unlimited" cannot be played out' if scenario.course.turns == "unlimited" else ""


def compile(scenario: Scenario, rules: Rules) -> Any:
    """Return the Setup record of a legal course."""
    from simkit.games.pigtickler import compile as room

    return room.compile(scenario, rules)


def describe(scenario: Scenario) -> str:
    """Say a course in a few words."""
    course = scenario.course
    text = ", ".join(step.words() for step in course.steps)
    if course.ahead != "edge":
        text += f"; {course.ahead.replace('_', ' ')} ahead"
    return text if course.turns == 1 else f"{text}; {course.turns} turns"


def label(path: str, value: Any) -> str | None:
    """Return the word a player would use for a value of an axis."""
    if path == "altered_odds":
        return "altered odds" if value else "standard odds"
    if path == "unicycle_damage":
        return "unicycle damage" if value else "no unicycle damage"
    if path == "course.steps":
        return ", ".join(Step.model_validate(step).words() for step in value)
    if path.startswith("course.steps.") and isinstance(value, str):
        return value.replace("_", " ")
    return None


AXIS_TITLES = {
    "down": "levels down",
    "up": "levels up",
    "turn": "turns in a row",
    "bog": "bog",
    "altered_odds": "odds",
    "dice": "dice",
    "turns": "turn limit",
    "ahead": "ahead",
    "steps": "course",
    "house_rules": "house rules",
}


def axis_title(path: str) -> str:
    """Return what a player would call an axis."""
    last = path.rpartition(".")[2]
    return AXIS_TITLES.get(last, last.replace("_", " "))


def vary(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Replace values of a course; a swept count of 0, or "none", leaves the step out.

    In a file a step has at least one level; on an axis ``"course.steps.1.down" = [0, 1, 2]`` begins with the course
    on the flat.
    """
    varied = dict(data)
    left_out = set()
    for path, value in changes.items():
        parts = path.split(".")
        varied = put_at(varied, parts, value)
        if parts[:2] == ["course", "steps"] and len(parts) == 4 and value in (0, "none") and value is not False:
            left_out.add(int(parts[2]) - 1)
    if left_out:
        steps = [step for i, step in enumerate(varied["course"]["steps"]) if i not in left_out]
        varied["course"] = {**varied["course"], "steps": steps}
    return varied


def nanoseconds(setup: Any) -> float:
    """Return about how long one trial takes on one processor: 12 ns, and 5 for each throw there may be."""
    throws = min(int(setup.length), 8) * min(1 + 0.3 * (int(setup.turns) - 1), 3)
    return 12 + 5 * throws


def assumed(scenario: Scenario, rules: Rules) -> list[str]:
    """Return the rulings (Q) and base-game assumptions (B) that a course rests on, by path."""
    from simkit.games.pigtickler.assumptions import relevant

    return relevant(scenario, rules)


def swings(scenario: Scenario, rules: Rules) -> list[Swing]:
    """Return alternatives to the rulings and assumed values that a course rests on."""
    from simkit.games.pigtickler.swings import swings as found

    return found(scenario, rules)


def ready(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile the kernels, or load them from the cache."""
    from simkit.core import jit

    jit.ready("simkit.games.pigtickler", progress)


def new_state() -> Any:
    """Return scratch memory for one worker."""
    from simkit.games.pigtickler.records import State

    return State.scratch()


def pack(setups: list[Any]) -> Any:
    """Return several setups as the one array that a block plays."""
    from simkit.games.pigtickler.records import Setup

    rows = Setup.array(len(setups))
    for i, setup in enumerate(setups):
        rows[i] = setup
    return rows


def play_block(setups: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    """Play the trials ``first <= trial < end`` of every setup and add them to `out`."""
    from simkit.games.pigtickler.play import play_block as kernel

    kernel(setups, state, key.stream, key.tweak, first, end, out)


def play_rows(setup: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
    """Play the trials ``first <= trial < end`` and keep every outcome as a row of `out`."""
    from simkit.games.pigtickler.play import play_rows as kernel

    kernel(setup, state, key.stream, key.tweak, first, end, out)


def play_one(setup: Any, state: Any, key: Any, trial: int, seat: int = 0) -> Any:
    """Play one trial and return its outcome; there is one seat."""
    from simkit.games.pigtickler.play import play as kernel

    return kernel(setup, state, key.stream, key.tweak, trial)


def trace(setup: Any, key: Any, trial: int, seat: int = 0) -> Any:
    """Return the events of one trial; there is one seat."""
    from simkit.games.pigtickler.records import EVENTS

    state = new_state()
    state.room = EVENTS
    play_one(setup, state, key, trial, seat)
    return state.events[: min(state.noted, EVENTS)], int(state.noted)


def fortune(outcome: Sequence[int]) -> tuple[int, ...]:
    """Say how well a trial went: alive, finished, rumps, no harm, few turns; of equals the one with more throws."""
    found = dict(zip((metric.name for metric in OUTCOMES), outcome, strict=True))
    return (
        -found["killed"],
        found["finished"],
        found["rumps"],
        -found["wounds"] - found["damage"] - found["wrecked"],
        -found["runaway"],
        found["reached"],
        -found["turns_used"],
        found["rolls"],
    )


def exact(scenario: Scenario, rules: Rules) -> Solution:
    """Return every metric of a course exactly."""
    from simkit.games.pigtickler.exact import solve

    return solve(scenario, rules)


def narrate(scenario: Scenario, rules: Rules, events: Any) -> list[Line]:
    """Retell one trial roll by roll."""
    from simkit.games.pigtickler.narrate import tell

    return tell(scenario, rules, events)
