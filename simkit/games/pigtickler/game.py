"""Pig Tickler as a game of simkit: the light rooms gathered, the compiled ones loaded on first use."""

from collections.abc import Callable
from typing import Any

from simkit.games.pigtickler.course import AHEAD, Course, Scenario, Step
from simkit.games.pigtickler.course import complaints as complaints
from simkit.games.pigtickler.rules import EDITION as EDITION
from simkit.games.pigtickler.rules import Rules as Rules
from simkit.games.protocol import Line, Metric, Solution, Version

NAME = "pigtickler"
TITLE = "Pig Tickler"
SUMMARY = "unicycle lancers over hills, bogs, walls and fences, one attempt at a course"
HEADLINE = "finished"
BLOCK = 2**18
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


def assumed(scenario: Scenario, rules: Rules) -> list[str]:
    """Return the rulings (Q) and base-game assumptions (B) that a course rests on, by path."""
    from simkit.games.pigtickler.assumptions import relevant

    return relevant(scenario, rules)


def ready(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile the kernels, or load them from the cache."""
    from simkit.core import jit

    jit.ready("simkit.games.pigtickler", progress)


def new_state() -> Any:
    """Return scratch memory for one worker."""
    from simkit.games.pigtickler.records import State

    return State.new()


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


def play_one(setup: Any, state: Any, key: Any, trial: int) -> Any:
    """Play one trial and return its outcome."""
    from simkit.games.pigtickler.play import play as kernel

    return kernel(setup, state, key.stream, key.tweak, trial)


def trace(setup: Any, key: Any, trial: int) -> Any:
    """Return the events of one trial."""
    from simkit.games.pigtickler.records import EVENTS

    state = new_state()
    state.room = EVENTS
    play_one(setup, state, key, trial)
    return state.events[: min(state.noted, EVENTS)], int(state.noted)


def exact(scenario: Scenario, rules: Rules) -> Solution:
    """Return every metric of a course exactly."""
    from simkit.games.pigtickler.exact import solve

    return solve(scenario, rules)


def narrate(scenario: Scenario, rules: Rules, events: Any) -> list[Line]:
    """Retell one trial roll by roll."""
    from simkit.games.pigtickler.narrate import tell

    return tell(scenario, rules, events)
