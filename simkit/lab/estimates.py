"""From counts to estimates with their intervals.

A share of independent units gets Clopper-Pearson, a mean the t interval of its batches, a difference on the same
dice Tango's interval (shares) or the t interval of the batch differences (means). A cell that stopped at a look,
or went on after it had been looked at, gets a confidence sequence instead: an interval that holds at every
look together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit import stats
from simkit.games.protocol import Metric
from simkit.lab.store import Counts, units_per_batch
from simkit.stats import Estimate

SUFFIX = "_minus_baseline"
"""Ends the name of a metric's difference to the baseline."""

ENOUGH_BATCHES = 100
"""An asymptotic sequence waits until so many batches differ from the commonest one: then at least so many units do."""

FEW_BATCHES = 30
"""With fewer differing batches than this a mean has seen too little for a t interval."""


@dataclass(frozen=True)
class CellResult:
    """What one cell has shown."""

    n: int
    sequential: bool
    """True when its intervals are confidence sequences."""
    metrics: dict[str, Estimate | None]
    """By name, differences to the baseline included; None where nothing can be said yet."""
    sums: NDArray[np.int64]
    """Shape (256,): batch sums of the report metric."""
    gains: NDArray[np.int64] | None
    """Shape (256,): batch sums of its difference to the baseline."""
    differing: tuple[int, int] | None
    """Units in which only this cell, and only the baseline, showed the report metric (shares)."""
    variances: tuple[float, float] | None
    """Variance of the report metric's difference a unit: on independent dice, and as played on common dice."""


def reduce(
    counts: Counts,
    base: Counts | None,
    n: int,
    outcomes: Sequence[Metric],
    metric: str,
    level: float,
    *,
    sequential: bool,
) -> CellResult:
    """Turn the counts of one cell into estimates.

    Parameters
    ----------
    counts
        Shape (256, columns, 4).
    base
        The baseline's counts, or None for a cell without one.
    n
        Units counted.
    outcomes
        The game's columns.
    metric
        The report metric.
    level
        Confidence level of each interval.
    sequential
        True for confidence sequences.
    """
    per_batch = units_per_batch(n)
    found: dict[str, Estimate | None] = {}
    for name, estimate in _plain(counts, n, per_batch, outcomes, level, sequential=sequential):
        found[name] = estimate
    column = [outcome.name for outcome in outcomes].index(metric)
    gains, differing, variances = None, None, None
    if base is not None:
        for name, estimate in _paired(counts, n, per_batch, outcomes, level, sequential=sequential):
            found[name + SUFFIX] = estimate
        gains = counts[:, column, 2].copy()
        total = counts[:, column].sum(axis=0)
        if outcomes[column].kind == "share":
            differing = (int(total[3] + total[2]) // 2, int(total[3] - total[2]) // 2)
        other = base[:, column].sum(axis=0)
        variances = (
            _variance(total[0], total[1], n) + _variance(other[0], other[1], n),
            _variance(total[2], total[3], n),
        )
    sums = counts[:, column, 0].copy()  # of the counts themselves nothing stays in memory
    return CellResult(n, sequential, found, sums, gains, differing, variances)


def _reach(total: Any, n: int) -> float:
    """Return the greater of the two means of a pair: how far a unit of one may well lie from the other's."""
    own, gain = int(total[0]) / n, int(total[2]) / n
    return max(own, own - gain)


def _variance(total: Any, squares: Any, n: int) -> float:
    return float(int(squares) * n - int(total) ** 2) / n**2


def _columns(outcomes: Sequence[Metric], kind: str) -> tuple[list[int], list[str]]:
    chosen = [(i, outcome.name) for i, outcome in enumerate(outcomes) if outcome.kind == kind]
    return [i for i, _ in chosen], [name for _, name in chosen]


def _plain(
    counts: Counts, n: int, per_batch: Any, outcomes: Sequence[Metric], level: float, *, sequential: bool
) -> list[tuple[str, Estimate | None]]:
    total = counts.sum(axis=0)
    shares, share_names = _columns(outcomes, "share")
    interval = stats.beta_binomial if sequential else stats.clopper_pearson
    low, high = interval(total[shares, 0], n, level)
    method = "beta-binomial" if sequential else "clopper-pearson"
    found: list[tuple[str, Estimate | None]] = [
        (name, Estimate(total[i, 0] / n, low[k], high[k], level, n, method))
        for k, (i, name) in enumerate(zip(shares, share_names, strict=True))
    ]
    means, mean_names = _columns(outcomes, "count")
    reaches = (total[means, 0] / n).tolist()
    made = _means(counts[:, means, :2], per_batch, n, level, sequential, "batch-t", reaches)
    return [*found, *zip(mean_names, made, strict=True)]


def _paired(
    counts: Counts, n: int, per_batch: Any, outcomes: Sequence[Metric], level: float, *, sequential: bool
) -> list[tuple[str, Estimate | None]]:
    total = counts.sum(axis=0)
    found: list[tuple[str, Estimate | None]] = []
    shares, share_names = _columns(outcomes, "share")
    if not sequential:
        more = (total[shares, 3] + total[shares, 2]) // 2
        fewer = (total[shares, 3] - total[shares, 2]) // 2
        low, high = stats.tango(more, fewer, n, level)
        found += [
            (name, Estimate(total[i, 2] / n, low[k], high[k], level, n, "tango"))
            for k, (i, name) in enumerate(zip(shares, share_names, strict=True))
        ]
    means, mean_names = _columns(outcomes, "count")
    if sequential:
        means, mean_names = shares + means, share_names + mean_names
    reaches = [1.0 if outcomes[i].kind == "share" else _reach(total[i], n) for i in means]
    made = _means(counts[:, means, 2:], per_batch, n, level, sequential, "paired-t", reaches)
    return [*found, *zip(mean_names, made, strict=True)]


def _means(
    moments: Counts, per_batch: Any, n: int, level: float, sequential: bool, method: str, reaches: Sequence[float]
) -> list[Estimate | None]:
    """Return the means of columns from their sums and sums of squares by batch.

    Parameters
    ----------
    moments
        Shape (256, columns, 2).
    per_batch, n, level, sequential, method
        Units of each batch and in all, and what is wanted.
    reaches
        How far the unit values of each column may lie from the commonest, where too few are seen to tell.
    """
    made: list[Estimate | None] = []
    signed = method == "paired-t"
    low, high = stats.batch_mean(moments[:, :, 0].T, per_batch, level) if not sequential and n > 1 else (None, None)
    for k, (total, squares) in enumerate(moments.sum(axis=0).tolist()):
        sums = moments[:, k, 0]
        if differing_batches(sums, n)[0] < (ENOUGH_BATCHES if sequential else FEW_BATCHES):
            made.append(rare_bound(sums, n, level, reaches[k], sequential=sequential, signed=signed))
        elif low is not None and high is not None:
            floor = float(low[k]) if signed else max(float(low[k]), 0.0)
            made.append(Estimate(total / n, floor, float(high[k]), level, n, method))
        else:
            below, above = stats.asymptotic(n, total, squares, level)
            floor = float(below) if signed else max(float(below), 0.0)
            made.append(Estimate(total / n, floor, float(above), level, n, "asymptotic"))
    return made


def differing_batches(sums: NDArray[np.int64], n: int) -> tuple[int, float]:
    """Count the batches whose mean differs from the commonest, and return that commonest mean."""
    per_batch = units_per_batch(n)
    filled = per_batch > 0
    means, often = np.unique(sums[filled] / per_batch[filled], return_counts=True)
    return int(filled.sum() - often.max()), float(means[often.argmax()])


def rare_bound(
    sums: NDArray[np.int64], n: int, level: float, reach: float, *, sequential: bool, signed: bool
) -> Estimate:
    """Return a mean of which nothing, or next to nothing, varied, with an interval that does not pretend to know.

    The share of units that differ from the commonest value is bounded from the batches that do, and each of them is
    given the benefit of `reach` to either side. A mean that is no difference is never below 0.

    Parameters
    ----------
    sums
        Shape (256,): batch sums.
    n, level
        Units, and the confidence level.
    reach
        How far the value of a unit may lie from the commonest.
    sequential
        True for a bound that holds at every look.
    signed
        True for a difference.
    """
    differing, common = differing_batches(sums, n)
    share = (stats.beta_binomial if sequential else stats.clopper_pearson)(differing, n, level)[1]
    width = float(share) * max(reach, abs(common), 1.0)
    mean = int(sums.sum()) / n
    low, high = min(common - width, mean), max(common + width, mean)
    return Estimate(mean, low if signed else max(low, 0.0), high, level, n, "rare-bound")
