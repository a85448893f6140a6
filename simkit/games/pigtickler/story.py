"""A course told in a sentence, and what every course takes for granted."""

from simkit.games.pigtickler.course import UNLIMITED, Scenario, Step
from simkit.games.pigtickler.rules import BOGS

MODEL = (
    ("P-CRS-2", "What a descent weighs is forgotten when a new turn begins; damage stays."),
    ("P-CRS-4", "Finished: all tasks are done and he may still move; a failed last roll costs one more turn."),
    ("P-CRS-6", "Once another player steers him the course is over, even if he comes to no harm."),
    ("P-CRS-7", "After a lucky escape (11-12) he goes on with the same turn."),
    ("P-CRS-10", "A turn lost to a wound is used up like any other."),
)
"""Rulings that hold in every course and are no numbers: rule id and sentence."""

AHEAD = {
    "edge": "nothing but the edge of the table",
    "obstacle": "an obstacle",
    "lancer": "another lancer",
    "chasm": "a chasm",
    "pig": "the pig",
}


def story(scenario: Scenario) -> str:
    """Tell a course in a sentence or two.

    Examples
    --------
    >>> from simkit.games.pigtickler.course import Scenario
    >>> story(Scenario.model_validate({"course": {"steps": [{"down": 1}, {"pig": True}]}}))
    'A lancer rides down one level and charges the pig, all in one turn.'
    """
    course = scenario.course
    deeds = [_deed(step) for step in course.steps]
    text = deeds[0] if len(deeds) == 1 else f"{', '.join(deeds[:-1])} and {deeds[-1]}"
    limit = {1: "all in one turn", UNLIMITED: "in as many turns as it takes"}.get(
        course.turns, f"in at most {course.turns} turns"
    )
    told = f"A lancer {text}, {limit}."
    if any(step.kind in ("turn", "stop") for step in course.steps) and any(step.down for step in course.steps):
        told += f" If another player steers him, {_ahead(course.ahead)} lies ahead."
    return told


def _deed(step: Step) -> str:
    """Say what he does at one step."""
    if step.bog is not None:
        bog = _bog(step.bog)
        return f"rides through {bog}" + (f", turning {_times(step.bends)} in it" if step.bends else "")
    return {
        "down": f"rides down {_levels(step.down)}",
        "up": f"climbs {_levels(step.up)}",
        "turn": "turns" if step.turn == 1 else f"turns {_times(step.turn)}",
        "avoid": "goes round another lancer" if step.avoid == "lancer" else "goes round an obstacle",
        "beside": f"turns along a {step.beside}",
        "cross": f"crosses a {step.cross}",
        "ramp": "rides over a chasm on a ramp",
        "chasm": "turns away at the brink of a chasm",
        "stop": "stops",
        "pig": "charges the pig",
    }[step.kind]


def _ahead(name: str) -> str:
    return AHEAD.get(name) or _bog(name)


def _bog(name: str) -> str:
    if name == "ford":
        return "a ford"
    return BOGS[name][2] if name in BOGS else f"the bog '{name.replace('_', ' ')}'"


def _levels(number: int | None) -> str:
    return "one level" if number == 1 else f"{number} levels"


def _times(number: int | None) -> str:
    return {1: "once", 2: "twice"}.get(number or 0, f"{number} times")
