"""Measuring: processor time, in turn, as ratios."""

import statistics
import time
from collections.abc import Callable
from typing import Any

Figure = dict[str, Any]


def cpu(work: Callable[[], Any]) -> float:
    """Return the processor seconds that some work takes."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def wall(work: Callable[[], Any]) -> float:
    """Return the seconds on the clock that some work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def interleaved(rounds: int, **works: Callable[[], Any]) -> dict[str, list[float]]:
    """Time several pieces of work in turn, A B B A A B ..., after one round of warming up.

    Every other round runs backwards, so that a machine that grows slower does not count against one of them.
    """
    taken: dict[str, list[float]] = {name: [] for name in works}
    for i in range(rounds + 1):
        for name, work in reversed(works.items()) if i % 2 else works.items():
            seconds = cpu(work)
            if i:
                taken[name].append(seconds)
    return taken


def median_ratio(above: list[float], below: list[float]) -> float:
    """Return the median of the ratios taken pair by pair."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


def figure(what: str, value: float, at_least: float = 0, at_most: float = 0, unit: str = "x") -> Figure:
    """Return one figure with its bound."""
    found: Figure = {"what": what, "value": round(value, 4), "unit": unit}
    if at_least:
        found |= {"bound": f">= {at_least:g} {unit}", "holds": value >= at_least}
    if at_most:
        found |= {"bound": f"<= {at_most:g} {unit}", "holds": value <= at_most}
    return found
