"""From counts to estimates with their intervals.

A share of independent units gets Clopper-Pearson, a mean the t interval of its batches, a difference on the same
dice Tango's interval (shares) or the t interval of the batch differences (means). A cell that stopped at a look,
or went on after it had been looked at, gets a confidence sequence instead: an interval that holds at every
look together.

Values are those of a game, intervals those of units. Two games on the same dice are one unit: a share then is 0, 1/2
or 1 in a unit, and its intervals are those of a mean.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit import stats
from simkit.core.trials import BATCHES
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
    """Units: what has its own dice."""
    sequential: bool
    """True when its intervals are confidence sequences."""
    metrics: dict[str, Estimate]
    """By name, differences to the baseline included."""
    sums: NDArray[np.int64]
    """Shape (256,): batch sums of the report metric."""
    gains: NDArray[np.int64] | None
    """Shape (256,): batch sums of its difference to the baseline."""
    differing: tuple[int, int] | None
    """Units in which only this cell, and only the baseline, showed the report metric (where a unit is 0 or 1)."""
    variances: tuple[float, float] | None
    """Variance of the report metric's difference a unit: on independent dice, and as played on common dice."""
    games: int
    """Games that make a unit."""
    kept: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    """By column, shape (256,): batch sums of what is asked for besides the report metric."""

    @property
    def trials(self) -> int:
        """Games that were played."""
        return self.n * self.games


class Value(NamedTuple):
    """How the counts of a column become the value of a game, and between which bounds it lies."""

    parts: int
    """What the sum of a unit is divided by."""
    least: float
    most: float

    @classmethod
    def of(cls, metric: Metric, games: int, *, difference: bool) -> "Value":
        """Return what is known of a metric, or of its difference to the baseline, when so many games make a unit."""
        if metric.kind == "share":
            return cls(games * metric.scale, -1.0 if difference else 0.0, 1.0)
        bounded = metric.lowest is not None and not difference
        return cls(games * metric.scale, (metric.lowest or 0) / metric.scale if bounded else -math.inf, math.inf)

    def estimate(self, mean: float, low: float, high: float, level: float, n: int, method: str) -> Estimate:
        """Return an estimate from the mean a unit and the bounds of its interval."""
        below, above = max(low / self.parts, self.least), min(high / self.parts, self.most)
        return Estimate(mean / self.parts, below, above, level, n, method)


def reduce(
    counts: Counts,
    base: Counts | None,
    n: int,
    outcomes: Sequence[Metric],
    metric: str,
    level: float,
    *,
    sequential: bool,
    games: int = 1,
    keep: Sequence[str] = (),
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
    games
        Games that make a unit.
    keep
        Columns whose batch sums the result holds.
    """
    reducer = _Reducer(outcomes, games, n, level, sequential)
    found = reducer.plain(counts)
    columns = {outcome.name: i for i, outcome in enumerate(outcomes)}
    column = columns[metric]
    gains, differing, variances = None, None, None
    if base is not None:
        found |= {name + SUFFIX: estimate for name, estimate in reducer.paired(counts).items()}
        gains = counts[:, column, 2].copy()
        total = counts[:, column].sum(axis=0)
        if outcomes[column].is_binary(games):
            differing = (int(total[3] + total[2]) // 2, int(total[3] - total[2]) // 2)
        other = base[:, column].sum(axis=0)
        variances = (
            _variance(total[0], total[1], n) + _variance(other[0], other[1], n),
            _variance(total[2], total[3], n),
        )
    sums = counts[:, column, 0].copy()  # of the counts themselves nothing stays in memory
    kept = {name: counts[:, columns[name], 0].copy() for name in keep}
    return CellResult(n, sequential, found, sums, gains, differing, variances, games, kept)


def is_precise(result: CellResult, metric: str, wanted: float) -> bool:
    """Tell whether a metric and its difference to the baseline are known to within so much to either side."""
    shown = [result.metrics[name] for name in (metric, metric + SUFFIX) if name in result.metrics]
    return all(bool(stats.precise_enough(one.low, one.high, wanted)) for one in shown)


def reach_of(metric: Metric, games: int, mean: float, gain: float = 0.0) -> float:
    """Return how far the value of a unit may well lie from the commonest, where too few differ to tell.

    Parameters
    ----------
    metric, games
        What is counted, and how many games make a unit.
    mean, gain
        Mean of the sum a unit, and of its difference to the baseline's.
    """
    if metric.kind == "share":
        return float(games * metric.scale)
    return max(abs(mean), abs(mean - gain))


def _variance(total: Any, squares: Any, n: int) -> float:
    return float(int(squares) * n - int(total) ** 2) / n**2


class _Reducer:
    """Makes the estimates of one cell from its counts."""

    def __init__(self, outcomes: Sequence[Metric], games: int, n: int, level: float, sequential: bool) -> None:
        self.outcomes, self.games, self.n, self.level, self.sequential = outcomes, games, n, level, sequential
        self.binary = [i for i, metric in enumerate(outcomes) if metric.is_binary(games)]
        self.means = [i for i in range(len(outcomes)) if i not in self.binary]

    def plain(self, counts: Counts) -> dict[str, Estimate]:
        """Return every metric by name."""
        total = counts.sum(axis=0)
        interval = stats.beta_binomial if self.sequential else stats.clopper_pearson
        method = "beta-binomial" if self.sequential else "clopper-pearson"
        low, high = interval(total[self.binary, 0], self.n, self.level)
        made = {
            i: Estimate(total[i, 0] / self.n, low[k], high[k], self.level, self.n, method)
            for k, i in enumerate(self.binary)
        }
        reaches = [reach_of(self.outcomes[i], self.games, int(total[i, 0]) / self.n) for i in self.means]
        return self._named(made | self._means(counts[:, :, :2], self.means, reaches, difference=False))

    def paired(self, counts: Counts) -> dict[str, Estimate]:
        """Return the difference of every metric to the baseline, by the metric's name."""
        total = counts.sum(axis=0)
        made: dict[int, Estimate] = {}
        means = self.means
        if self.sequential:
            means = list(range(len(self.outcomes)))
        else:
            more = (total[self.binary, 3] + total[self.binary, 2]) // 2
            fewer = (total[self.binary, 3] - total[self.binary, 2]) // 2
            low, high = stats.tango(more, fewer, self.n, self.level)
            for k, i in enumerate(self.binary):
                made[i] = Estimate(total[i, 2] / self.n, low[k], high[k], self.level, self.n, "tango")
        both = [(int(total[i, 0]) / self.n, int(total[i, 2]) / self.n) for i in means]
        reaches = [reach_of(self.outcomes[i], self.games, *pair) for i, pair in zip(means, both, strict=True)]
        return self._named(made | self._means(counts[:, :, 2:], means, reaches, difference=True))

    def _named(self, made: Mapping[int, Estimate]) -> dict[str, Estimate]:
        return {metric.name: made[i] for i, metric in enumerate(self.outcomes)}

    def _means(
        self, moments: Counts, columns: Sequence[int], reaches: Sequence[float], *, difference: bool
    ) -> dict[int, Estimate]:
        """Return the means of some columns from their sums and sums of squares by batch.

        Parameters
        ----------
        moments
            Shape (256, all columns, 2).
        columns
            Which.
        reaches
            How far the sum of a unit of each may lie from the commonest, where too few are seen to tell.
        difference
            True for differences to the baseline.
        """
        n, level, made = self.n, self.level, {}
        enough, method = (ENOUGH_BATCHES if self.sequential else FEW_BATCHES), "paired-t" if difference else "batch-t"
        fixed = not self.sequential and n > 1 and len(columns) > 0
        if fixed:
            low, high = stats.batch_mean(moments[:, columns, 0].T, units_per_batch(n), level)
        totals = moments[:, columns].sum(axis=0).tolist()
        differing, commonest = _differing(moments[:, columns, 0], n)
        shares = _rare_shares(differing, n, level, sequential=self.sequential)
        for k, i in enumerate(columns):
            value = Value.of(self.outcomes[i], self.games, difference=difference)
            total, squares = totals[k]
            if differing[k] < enough:
                rare = float(shares[k]), float(commonest[k])
                made[i] = _rare_bound(moments[:, i, 0], *rare, n, level, reaches[k], value)
            elif fixed:
                made[i] = value.estimate(total / n, float(low[k]), float(high[k]), level, n, method)
            else:
                below, above = stats.asymptotic(n, total, squares, level)
                made[i] = value.estimate(total / n, float(below), float(above), level, n, "asymptotic")
        return made


def differing_batches(sums: NDArray[np.int64], n: int) -> tuple[int, float]:
    """Count the batches whose mean differs from the commonest, and return that commonest mean."""
    differing, commonest = _differing(sums[:, None], n)
    return int(differing[0]), float(commonest[0])


def _differing(sums: NDArray[np.int64], n: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Do the same for every column of batch sums of shape (256, columns); of means as common, the least is taken."""
    filled = min(n, BATCHES)
    means = np.sort(sums[:filled] / units_per_batch(n)[:filled, None], axis=0)
    places, columns = np.arange(filled)[:, None], np.arange(means.shape[1])
    begins = np.ones(means.shape, bool)
    begins[1:] = means[1:] != means[:-1]
    lengths = places - np.maximum.accumulate(np.where(begins, places, 0), axis=0) + 1  # of the equal ones up to here
    last = lengths.argmax(axis=0)
    return filled - lengths[last, columns], means[last, columns]


def rare_bound(
    sums: NDArray[np.int64], n: int, level: float, reach: float, value: Value, *, sequential: bool
) -> Estimate:
    """Return a mean of which nothing, or next to nothing, varied, with an interval that does not pretend to know.

    The share of units that differ from the commonest value is bounded from the batches that do, and each of them is
    given the benefit of `reach` to either side, of the most by which a batch was seen to differ, or of 1 in every game.

    Parameters
    ----------
    sums
        Shape (256,): batch sums.
    n, level
        Units, and the confidence level.
    reach
        How far the sum of a unit may lie from the commonest.
    value
        What becomes of the sums: the interval ends at its bounds.
    sequential
        True for a bound that holds at every look.
    """
    differing, commonest = _differing(sums[:, None], n)
    share = float(_rare_shares(differing, n, level, sequential=sequential)[0])
    return _rare_bound(sums, share, float(commonest[0]), n, level, reach, value)


def _rare_shares(differing: NDArray[np.int64], n: int, level: float, *, sequential: bool) -> NDArray[np.float64]:
    """Bound the shares of units that differ from the commonest value by the batches that do."""
    return (stats.beta_binomial if sequential else stats.clopper_pearson)(differing, n, level)[1]


def _rare_bound(
    sums: NDArray[np.int64], share: float, common: float, n: int, level: float, reach: float, value: Value
) -> Estimate:
    """Do what `rare_bound` does with a share and a commonest value that are known."""
    seen = float(np.abs(sums - common * units_per_batch(n)).max())
    width = share * max(reach, abs(common), seen, value.parts)
    mean = int(sums.sum()) / n
    low, high = min(common - width, mean), max(common + width, mean)
    return value.estimate(mean, low, high, level, n, "rare-bound")
