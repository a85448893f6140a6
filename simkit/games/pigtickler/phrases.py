"""The phrases in which a trial is retold: how tasks, injuries and outcomes are spoken of."""

from typing import NamedTuple

from simkit.games.pigtickler.course import Step
from simkit.games.pigtickler.records import Fate, Hit, Injury, Purpose

NUMERALS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Doing(NamedTuple):
    """How one kind of task is spoken of; ``{it}`` is the bog, wall or fence in question."""

    to: str
    done: str
    stuck: str
    """Where he is when a failure only ends his turn."""
    undone: str
    """What he failed, as a thing that may be given to him."""
    id: str
    """The rule that asks for the roll."""
    stuck_id: str


DOING = {
    "level": Doing(
        "climb a level", "up he goes", "he stops at the level line, which counts as reached", "", "P-UP-1", "P-UP-2"
    ),
    "turn": Doing("turn", "he turns", "he stops there", "the turn he failed", "P-MAN-3", "P-MAN-3"),
    "enter": Doing("enter {it}", "in he rides", "he stops just inside", "", "P-BOG-1", "P-BOG-2"),
    "bend": Doing("turn in {it}", "he turns", "he sticks there", "the turn in {it} he failed", "P-BOG-1", "P-BOG-2"),
    "leave": Doing("leave {it}", "out he rides", "he stops just outside", "", "P-BOG-1", "P-BOG-2"),
    "obstacle": Doing(
        "go round {it}", "past it", "he stops in front of it", "the way round {it} he failed", "P-MAN-5", "P-MAN-3"
    ),
    "lancer": Doing(
        "go round {it}", "past him", "he stops in front of him", "the way round {it} he failed", "P-MAN-5", "P-MAN-3"
    ),
    "beside": Doing("turn at {it}", "he turns", "he stops there", "the turn at {it} he failed", "P-LIN-1", "P-LIN-1"),
    "cross": Doing("cross {it}", "over he goes", "he does not get over", "", "P-LIN-2", "P-LIN-2"),
    "ramp": Doing("cross the chasm on its ramp", "across he rides", "he misses it", "", "P-SPC-2", "P-SPC-2"),
    "chasm": Doing(
        "turn away from {it}",
        "he turns",
        "he stops at the brink",
        "the turn at the brink he failed",
        "P-SPC-1",
        "P-SPC-1",
    ),
    "stop": Doing("stop", "he stops", "he does not stop", "", "P-DN-7", "P-DN-7"),
}

CRASHES = {
    "obstacle": ("he rides into it", "P-DN-2"),
    "lancer": ("he rides into him and both roll", "P-DN-3"),
    "beside": ("he rides into it", "P-LIN-1"),
    "cross": ("he rides into it", "P-LIN-4"),
    "chasm": ("he crashes as at a wall", "P-SPC-1"),
}
"""A failure that ends in a collision, and its rule."""

DEATHS = {"ramp": ("he falls to his death", "P-SPC-2"), "chasm": ("over the brink, dead", "P-SPC-1")}

AGAIN = {
    "level": "he stops at the level line and must climb it again",
    "enter": "he stops at its edge and must roll for it again",
    "leave": "he stops at its edge and must roll for it again",
}
"""Where he is when the edge at which he failed is still before him."""

MEETS = {
    Purpose.MANOEUVRE: "in he goes",
    Purpose.HIT: "up to it he goes",
    Purpose.OTHER: "they crash and both roll",
    Purpose.COLLISION: "he crashes",
}
"""How a lancer who is steered meets what lies ahead, by the dice that are thrown next."""

INJURIES = {
    Injury.BOTH: "wounded, and the unicycle damaged",
    Injury.WOUND: "wounded",
    Injury.DAMAGE: "the unicycle damaged",
    Injury.NOTHING: "no harm",
    Injury.GOES_ON: "he regains control",
}

OTHER_INJURIES = {
    Injury.BOTH: "wounded, and his unicycle damaged",
    Injury.WOUND: "wounded",
    Injury.DAMAGE: "his unicycle damaged",
    Injury.NOTHING: "nothing",
    Injury.GOES_ON: "nothing",
}

WOUNDING = (Injury.BOTH, Injury.WOUND)
DAMAGING = (Injury.BOTH, Injury.DAMAGE)

HITS = {
    Hit.MISS + 0: "a miss",
    Hit.RUMP + 0: "a rump",
    Hit.FUMBLE + 0: "too low, he wounds himself",
    Hit.RUMP + Hit.FUMBLE: "a rump, and he wounds himself",
}

FATES: dict[Fate, tuple[str, tuple[str, ...]]] = {
    Fate.RIDING: ("stopped after turn {turn}", ("P-CRS-10",)),
    Fate.FINISHED: ("finished in turn {turn}", ("P-CRS-4",)),
    Fate.RUNAWAY: ("ran away in turn {turn}", ("P-CRS-6",)),
    Fate.KILLED: ("killed in turn {turn}", ("P-CRS-11",)),
    Fate.WRECKED: ("wrecked in turn {turn}", ("P-GAM-3",)),
}


def thing(step: Step, name: str) -> str:
    """Name what a task is about, as a player would."""
    line = step.beside or step.cross
    return f"the {plain(step.bog)}" if step.bog else f"the {line}" if line else lying(name)


def lying(ahead: str) -> str:
    """Name what lies ahead of him, as a player would."""
    return {"lancer": "another lancer", "obstacle": "an obstacle", "edge": "the table's edge"}.get(
        ahead, f"the {plain(ahead)}"
    )


def plain(bog: str) -> str:
    """Write the name of a kind of bog without its underscores."""
    return bog.replace("_", " ")


def numeral(n: int) -> str:
    """Write a small whole number as a word."""
    return NUMERALS[n] if 0 <= n < len(NUMERALS) else str(n)


def levels(n: int) -> str:
    """Write a number of levels."""
    return f"{numeral(n)} level" if n == 1 else f"{numeral(n)} levels"


def points(n: int) -> str:
    """Write a number of points of damage."""
    return f"{numeral(n)} point of damage" if n == 1 else f"{numeral(n)} points of damage"


def changed(modifier: int, why: str) -> str:
    """Say how a modifier changes what must be rolled."""
    return f"less {modifier} for {why}" if modifier > 0 else f"and {-modifier} for {why}"


def counted(n: int, one: str, many: str | None = None) -> str:
    """Write a count with its noun."""
    return f"{n} {one if n == 1 else many or one + 's'}"
