"""Speed of Battlesystem: fights of twelve figures against twelve, by kernel and by plain-Python twin."""

import statistics
from collections.abc import Callable
from typing import Any

from simkit.games.battlesystem import game
from tests.bench import added
from tests.bench.measure import Figure, figure, interleaved, median_ratio
from tests.naive.battlesystem import lane_of, play, rules_of
from tests.naive.battlesystem.presets import presets
from tests.naive.battlesystem.unit import Troop

MANY = 300_000
"""Fights a measurement of the kernel."""

FEW = 300
"""Fights a measurement of the twin."""

PAIRS = {
    "set pikes v heavy cavalry": ("pikemen", "set", "heavy-cavalry", "charge"),
    "men-at-arms v orcs": ("men-at-arms", "advance", "orcs", "advance"),
    "both at their best, men-at-arms v heavy cavalry": (
        "men-at-arms", "best", "heavy-cavalry", "best",
    ),
}  # fmt: skip


def question(pair: tuple[str, str, str, str], trials: int) -> dict[str, Any]:
    """Return the experiment: twelve figures against twelve in files of six, closed, on the default lane."""
    a, policy_a, b, policy_b = pair
    sides = {
        side: {"design": design, "figures": 12, "files": 6, "policy": policy}
        for side, design, policy in (("a", a, policy_a), ("b", b, policy_b))
    }
    return {"schema": 1, "name": "bench", "game": "battlesystem", "run": {"trials": trials}, "sides": sides}


def twin(pair: tuple[str, str, str, str]) -> Callable[[], Any]:
    """Return the same fights by the twin."""
    designs, rules, lane = presets(rules_of()), rules_of(), lane_of()
    named = {name.replace(" ", "-"): design for name, design in designs.items()}
    a, policy_a, b, policy_b = pair
    sides = [[Troop(named[a], 12, 6, "closed", policy_a, 0)], [Troop(named[b], 12, 6, "closed", policy_b, 0)]]

    def work() -> None:
        for trial in range(FEW):
            play(sides, lane, added.KEY, trial, rules=rules)

    return work


def speed() -> list[Figure]:
    """Measure the pairs and, for the first, the twin, in one interleaved run."""
    first, *_ = PAIRS.values()
    works = {name: added.kernel(game, question(pair, MANY)) for name, pair in PAIRS.items()}
    taken = interleaved(7, twin=twin(first), **works)
    name = next(iter(PAIRS))
    ratio = median_ratio([s / FEW for s in taken["twin"]], [s / MANY for s in taken[name]])
    found = [figure("Battlesystem, 12 figures against 12: kernel against its plain-Python twin", ratio, 60)]
    for name in PAIRS:
        pace = MANY / statistics.median(taken[name])
        found.append(figure(f"{name}: fights a second on one core", pace, unit=""))
    return found


def measure(quick: bool) -> list[Figure]:
    """Measure everything of Battlesystem."""
    trials = 500_000 if quick else 10_000_000
    asked = question(next(iter(PAIRS.values())), trials)
    return [
        *speed(),
        *added.overhead(game, f"{trials:.0e} fights of Battlesystem", asked),
        *added.threads(game, asked, 8 if quick else 24, 2**16),
    ]
