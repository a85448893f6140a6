"""Differences of two variants that were played with the same dice.

The unit is one pair of games with common random numbers. Of ``n`` units with outcomes 0 or 1, ``b`` were won by the
first variant alone and ``c`` by the second alone; the difference of the two probabilities is ``(b - c) / n``.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.bisection import bisect
from simkit.stats.checks import BoolArray, FloatArray, IntArray, normal_quantile, whole
from simkit.stats.intervals import batch_mean
from simkit.stats.moments import deviations


def tango(b: ArrayLike, c: ArrayLike, n: ArrayLike, level: float) -> tuple[FloatArray, FloatArray]:
    """Score interval for the difference of two paired proportions.

    Keeps its coverage where only a few units differ, which the usual normal interval does not (Tango, Statistics in
    Medicine 17, 1998). Solved by bisection, as the score falls steadily in the difference.

    Parameters
    ----------
    b, c
        Units won by the first variant alone, and by the second alone; integers.
    n
        All units, ``n >= 1`` and ``n >= b + c``.
    level
        Confidence level.

    Returns
    -------
    low, high
        Bounds of ``(b - c) / n``, from -1 to 1. At ``b = c = 0`` exactly ``-+ z^2 / (n + z^2)``: nothing seen is not
        "no difference". Exchanging ``b`` and ``c`` mirrors the interval exactly.

    Raises
    ------
    ValueError
        If the counts are not whole, negative, or ``b + c > n``.

    Examples
    --------
    >>> low, high = tango(12, 5, 100, 0.95)
    >>> f"{low:.6f} {high:.6f}"
    '-0.011863 0.157416'
    """
    z = normal_quantile(level)
    first, second, all_ = np.broadcast_arrays(whole("b", b), whole("c", c), whole("n", n, 1))
    if (first > all_ - second).any():
        where = np.argmax((first > all_ - second).ravel())
        found = f"b + c is {first.ravel()[where]} + {second.ravel()[where]} of n = {all_.ravel()[where]}"
        raise ValueError(f"{found}; allowed is b + c from 0 to n")
    return np.asarray(-_tango_upper(second, first, all_, z)), _tango_upper(first, second, all_, z)


def paired_mean(diff_sums: ArrayLike, counts: ArrayLike, level: float) -> tuple[FloatArray, FloatArray]:
    """Interval for a mean difference from batch sums of the differences, by t with ``B - 1`` degrees of freedom.

    For outcomes with draws, turns, losses: everything that is not 0 or 1. The differences are taken unit by unit, so
    that the common dice cancel.

    Parameters
    ----------
    diff_sums
        Shape ``(..., B)``: sum over the units of each batch of first minus second.
    counts, level
        As in ``simkit.stats.batch_mean``.

    Returns
    -------
    low, high
        Shape ``(...)``. Without width where no batch differs: then nothing varied.

    Raises
    ------
    ValueError
        If fewer than two batches hold units, or on bad types.

    Examples
    --------
    >>> low, high = paired_mean([1, 2, 0, 1], [10, 10, 10, 10], 0.95)
    >>> f"{low:.4f} {high:.4f}"
    '-0.0299 0.2299'
    """
    return batch_mean(diff_sums, counts, level)


def mcnemar(b: ArrayLike, c: ArrayLike) -> FloatArray:
    """Exact two-sided p value of McNemar's test that both variants win equally often.

    Given ``b + c`` units that differ, ``b`` is binomial with probability 1/2 if there is no difference.

    Parameters
    ----------
    b, c
        Units won by the first variant alone, and by the second alone; integers.

    Returns
    -------
    float64 array
        Twice the smaller tail, at most 1; exactly 1 if no unit differs.

    Raises
    ------
    ValueError
        If the counts are not whole or negative.

    Examples
    --------
    >>> f"{mcnemar(1200, 1000):.4e}"
    '2.1817e-05'
    """
    first, second = np.broadcast_arrays(whole("b", b), whole("c", c))
    few, many = np.minimum(first, second), np.maximum(first, second)
    # P(X <= few) of Binomial(few + many, 1/2)
    tail = special.betainc(np.maximum(many, 1), few + 1, 0.5)
    return np.where(many == 0, 1.0, np.minimum(1.0, 2.0 * tail))


def variance_ratio(
    n: ArrayLike,
    total_a: ArrayLike,
    squares_a: ArrayLike,
    total_b: ArrayLike,
    squares_b: ArrayLike,
    total_diff: ArrayLike,
    squares_diff: ArrayLike,
) -> FloatArray:
    """How many times smaller the variance of the paired difference is than that of two independent runs.

    ``(var a + var b) / var (a - b)``. The same precision would have cost that many times the games without common
    dice. Below 1 the pairing did harm.

    Parameters
    ----------
    n
        Units, integers of at least 2.
    total_a, squares_a, total_b, squares_b
        Sum and sum of squares of the unit values of each variant.
    total_diff, squares_diff
        The same of the differences unit by unit.

    Returns
    -------
    float64 array
        inf where no difference varied but the variants did; nan where nothing varied at all.

    Raises
    ------
    ValueError
        If ``n < 2`` or sums cannot belong together.

    Examples
    --------
    >>> f"{variance_ratio(100, 50, 50, 52, 52, -2, 4):.2f}"
    '12.62'
    """
    count = whole("n", n, 2)
    apart = deviations(count, total_a, squares_a)[1] + deviations(count, total_b, squares_b)[1]
    together = deviations(count, total_diff, squares_diff)[1]
    ratio = np.where(apart > 0.0, np.inf, np.nan)
    np.divide(apart, together, out=ratio, where=together > 0.0)
    return ratio


def _tango_upper(b: IntArray, c: IntArray, n: IntArray, z: float) -> FloatArray:
    """Largest difference whose score is at most ``z``."""
    first, second, estimate = b / n, c / n, (b - c) / n

    def inside(d: FloatArray) -> BoolArray:
        # q: maximum likelihood share of the units won by the second alone, given the difference d. It solves
        # 2 q^2 + linear q + constant = 0; of the two forms of the root the one without cancellation is taken.
        linear = (2.0 - estimate) * d - first - second
        constant = -second * d * (1.0 - d)
        root = np.sqrt(np.maximum(linear**2 - 8.0 * constant, 0.0))
        below = linear + root
        other = np.divide(-2.0 * constant, below, out=np.zeros_like(d), where=below > 0.0)
        q = np.where(linear < 0.0, (root - linear) / 4.0, other)
        variance = 2.0 * np.maximum(q, np.maximum(0.0, -d)) + d * (1.0 - d)
        return np.asarray((d - estimate) ** 2 * n <= z * z * variance)

    upper = bisect(inside, estimate, np.ones_like(estimate))
    silent = (b == 0) & (c == 0)
    return np.where(silent, z * z / (n + z * z), upper)
