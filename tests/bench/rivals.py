"""What the kernel is measured against: the plain-Python twin, and plain vectorised numpy."""

from typing import Any

import numpy as np

from simkit.core.rng import Key, draw, stream
from simkit.games.pigtickler.records import Purpose
from tests.naive import pigtickler as twin

BRANCHING: dict[str, Any] = {
    "steps": [
        {"turn": 1},
        {"bog": "shallow"},
        {"cross": "fence"},
        {"turn": 1},
        {"bog": "ford", "bends": 1},
        {"cross": "hedge"},
    ],
    "ahead": "edge",
    "turns": 3,
}
"""Turns, bogs and crossings, in up to three turns: about eight throws a trial."""

STRAIGHT: dict[str, Any] = {"steps": [{"turn": 6}], "ahead": "edge", "turns": 1}
"""Six checks in a row, the first miss ends it."""


def play_twin(trials: int) -> int:
    """Play the branching course with the twin; its dice come from Python's own generator."""
    import random

    rng = random.Random(1)

    def throw(purpose: str, task: int, attempt: int) -> int:
        return rng.randint(1, 6) if purpose == "fence" else rng.randint(1, 6) + rng.randint(1, 6)

    return sum(twin.play(BRANCHING, {}, throw)["finished"] for _ in range(trials))


def play_plain(trials: int) -> int:
    """Play the branching course as a person would write it in plain Python: nothing but ifs and a loop."""
    import random

    dice = random.Random(1).random
    finished = 0
    for _ in range(trials):
        task = turns = 0
        facing_free = done = False
        while turns < 3 and not done:
            turns += 1
            if facing_free:
                task += 1
                facing_free = False
            riding = True
            while riding and task < 9:
                roll = int(dice() * 6) + int(dice() * 6) + 2
                modifier = -1 if task in (1, 2) else 0
                if roll + modifier >= 6:
                    task += 1
                    continue
                riding = False
                if task in (1, 2, 5, 7):
                    task += 1
                elif task in (3, 8):
                    task += int(dice() * 6) % 2
                else:
                    facing_free = True
            done = riding
        finished += done
    return finished


def play_numpy(trials: int, rng: "np.random.Generator") -> tuple[int, int, int]:
    """Play six checks as vectorised numpy is usually written: all dice of all trials at once."""
    passed = rng.integers(1, 7, (trials, 6, 2)).sum(axis=2) >= 6
    finished = passed.all(axis=1)
    rolls = np.where(finished, 6, (~passed).argmax(axis=1) + 1)
    return int(finished.sum()), int(rolls.sum()), int((rolls**2).sum())


def same_dice(key: Key, trial: int) -> Any:
    """Return a thrower that reads the twin's dice from the kernel's addresses."""
    bits = stream(key.stream, trial)
    thrown: dict[int, int] = {}

    def throw(purpose: str, task: int, attempt: int) -> int:
        i = thrown.get(task, 0)
        thrown[task] = i + 1
        word = int(draw(bits, key.tweak, task, 0, int(Purpose[purpose.upper()]), i))
        sides = range(1, 7) if purpose == "fence" else sorted(a + b for a in range(1, 7) for b in range(1, 7))
        return int(sides[word * len(sides) >> 64])

    return throw
