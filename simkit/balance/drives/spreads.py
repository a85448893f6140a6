"""Numbers over their ranges: which of them accounts for how much of what an answer varies by (Sobol indices)."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from simkit.balance.place import Corner, Place, units_for
from simkit.core.trials import BATCHES
from simkit.lab.drivers import Drivers, Span, grid, points
from simkit.lab.plan import Plan
from simkit.lab.problems import Problem, ProblemError
from simkit.lab.store import units_per_batch
from simkit.lab.variants import CannotBeError, Changed
from simkit.stats.gridindices import grid_indices
from simkit.stats.sobol import SobolIndices, sobol_design, sobol_indices


def spread(asked: Drivers, here: Place) -> dict[str, Any]:
    """Play the numbers over their ranges and return their Sobol indices, as a part of a document.

    Whole numbers of which there are few are played in every combination: nothing is sampled then. Other ranges are
    sampled (see :func:`simkit.stats.sobol.sobol_design`).

    Parameters
    ----------
    asked, here
        What is varied, and where.

    Raises
    ------
    ProblemError
        Some of the ranges cannot be played.
    """
    plan, spans = asked.plan, asked.spans
    sizes = [one.size for one in spans]
    whole = 0 < prod(sizes) <= asked.table.points * (len(spans) + 2)
    if whole:
        changes = grid(spans)
    else:
        changes = points(spans, sobol_design(len(spans), asked.table.points, seed=plan.experiment.seed))
    made: dict[str, Corner] = {}
    for changed in changes:
        mark = repr(changed.values)
        if mark not in made:
            try:
                made[mark] = here.made(changed)
            except CannotBeError as error:
                raise _refusal(
                    plan, f"not everything in these ranges can be played: with {_at(changed)}, {error}"
                ) from error
    units = _even(units_for(asked, len(made), here.cost))
    sums = here.judged([made[repr(changed.values)] for changed in changes], units, 0)
    counts = units_per_batch(units)
    means = sums[:, counts > 0] / (counts[counts > 0] * here.value.parts)
    if whole:
        found = grid_indices(means.reshape(*sizes, -1), plan.level)
    else:
        found = sobol_indices(means, len(spans), plan.level)
    return _indices(plan, spans, found, units, len(made), whole=whole)


def _at(changed: Changed) -> str:
    return ", ".join(f"{path} = {value:g}" for path, value in changed.values.items())


def _refusal(plan: Plan, message: str) -> ProblemError:
    span = plan.document.where(("sensitivity", "ranges"))
    return ProblemError([Problem("meaning", message, plan.document.path, span)], plan.document.sources)


def _even(units: int) -> int:
    """Return about as many units, the same number in every batch."""
    return max(3, units) if units <= BATCHES else units // BATCHES * BATCHES


def _indices(
    plan: Plan, spans: Sequence[Span], found: SobolIndices, units: int, played: int, *, whole: bool
) -> dict[str, Any]:
    def rows(middle: Any, low: Any, high: Any) -> list[dict[str, Any]]:
        known = bool(np.isfinite(middle).all())
        return [
            {
                "estimate": float(m) if known else None,
                "low": float(a) if known else None,
                "high": float(b) if known else None,
                "level": plan.level,
                "n": units,
                "method": "sidak",
            }
            for m, a, b in zip(middle, low, high, strict=True)
        ]

    return {
        "ranges": [
            {"path": one.path, "title": one.title, "low": one.low, "high": one.high, "dist": one.dist} for one in spans
        ],
        "first": rows(found.first, found.first_low, found.first_high),
        "total": rows(found.total, found.total_low, found.total_high),
        "deviation": float(np.sqrt(max(found.variance, 0.0))),
        "noise_share": float(found.noise_share),
        "resolved": bool(found.resolved),
        "points": found.points,
        "settings": played,
        "design": "grid" if whole else "sample",
        "level": plan.level,
        "trials": units * plan.game.GAMES_A_UNIT,
        "n": units,
    }
