"""Is a simulation in line with an exact value? p values for tests of the simulator itself.

The threshold for such tests is small (1e-6), so only tails that are right far out are of use.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.checks import FloatArray, finite, successes, whole

EXPECTED_LEAST = 20.0  # below this the tail of the chi-square approximation is too heavy


@dataclass(frozen=True, slots=True)
class GTest:
    """Result of a G test.

    Attributes
    ----------
    statistic
        ``2 sum O ln(O / E)``; inf if something impossible was seen.
    df
        Degrees of freedom: classes after pooling, less 1.
    p_value
        Upper tail of the chi-square distribution.
    """

    statistic: float
    df: int
    p_value: float


def binomial_tail(k: ArrayLike, n: ArrayLike, p: ArrayLike) -> FloatArray:
    """Exact two-sided p value of ``k`` in ``n`` units when the probability is ``p``.

    ``2 min(P(X <= k), P(X >= k))``, at most 1. A z test would not do: at 1e-6, n = 10,000 and p = 0.001 its true
    rate of false alarms is 18 times as high.

    Parameters
    ----------
    k, n
        Integers, ``0 <= k <= n``, ``n >= 1``.
    p
        Probability, from 0 to 1.

    Returns
    -------
    float64 array

    Raises
    ------
    ValueError
        On numbers outside these ranges.

    Examples
    --------
    >>> f"{binomial_tail(520, 1000, 0.5):.4f}"
    '0.2174'
    """
    some, all_ = successes(k, n)
    share = finite("p", p).astype(np.float64)
    if (share < 0.0).any() or (share > 1.0).any():
        raise ValueError("p holds a value outside 0 .. 1; allowed are probabilities")
    every, none = some == all_, some == 0
    below = np.where(every, 1.0, special.betaincc(some + 1, np.where(every, 1, all_ - some), share))
    above = np.where(none, 1.0, special.betainc(np.where(none, 1, some), all_ - some + 1, share))
    return np.asarray(np.minimum(1.0, 2.0 * np.minimum(below, above)))


def mean_tail(total: ArrayLike, n: ArrayLike, mean: ArrayLike, variance: ArrayLike) -> FloatArray:
    """Two-sided p value of a sum over ``n`` units when mean and variance of a unit are known exactly.

    A z test with the exact variance, for turns, levels or hits, whose sums are near normal. Not for rare events and
    small n: its tails are then too light (use ``binomial_tail``).

    Parameters
    ----------
    total
        Sum of the unit values.
    n
        Units, integers of at least 1.
    mean, variance
        Exact mean and variance of a unit's value; ``variance`` from 0.

    Returns
    -------
    float64 array
        At variance 0: 1 if the mean is met exactly, else 0.

    Raises
    ------
    ValueError
        On numbers outside these ranges.

    Examples
    --------
    >>> f"{mean_tail(70_500, 10_000, 7.0, 35 / 6):.4f}"
    '0.0384'
    """
    count, spread = whole("n", n, 1), finite("variance", variance).astype(np.float64)
    if (spread < 0.0).any():
        raise ValueError(f"variance holds {spread.min()}; allowed are numbers from 0")
    off = np.abs(np.asarray(finite("total", total) - count * finite("mean", mean), dtype=np.float64))
    off, scale = np.broadcast_arrays(off, np.sqrt(count * spread))
    z = np.where(off > 0.0, np.inf, 0.0)
    np.divide(off, scale, out=z, where=scale > 0.0)
    return np.asarray(2.0 * special.ndtr(-z))


def g_test(counts: ArrayLike, probabilities: ArrayLike) -> GTest:
    """Likelihood ratio test that counts come from known probabilities.

    Neighbouring classes are pooled, from the first on, until each expects at least 20 units; the rest goes to the
    last one. Give the classes in their natural order, so that it is the tails that get pooled.

    Parameters
    ----------
    counts
        Integers, one a class, together at least 1.
    probabilities
        One a class, from 0, with sum 1.

    Returns
    -------
    GTest

    Raises
    ------
    ValueError
        On other numbers, or if fewer than two classes expect 20 units.

    Examples
    --------
    >>> found = g_test([168, 175, 160, 190, 140, 167], [1 / 6] * 6)
    >>> f"{found.statistic:.6f} {found.df} {found.p_value:.6f}"
    '8.329948 5 0.138965'
    """
    seen, chance = whole("counts", counts), finite("probabilities", probabilities).astype(np.float64)
    if seen.ndim != 1 or seen.shape != chance.shape:
        raise ValueError(f"counts has shape {seen.shape}, probabilities {chance.shape}; allowed are two equal rows")
    if (chance < 0.0).any() or abs(float(chance.sum()) - 1.0) > 1e-9:
        raise ValueError(f"probabilities add up to {chance.sum()!r}; allowed are numbers from 0 with sum 1")
    expected = chance * seen.sum()
    starts = _pool(expected)
    if len(starts) < 2:
        raise ValueError(f"n is {seen.sum()}; allowed is enough for two classes that expect {EXPECTED_LEAST:g} units")
    df = len(starts) - 1
    if seen[chance == 0.0].any():
        return GTest(float("inf"), df, 0.0)
    pooled, wanted = np.add.reduceat(seen, starts), np.add.reduceat(expected, starts)
    statistic = max(0.0, 2.0 * float(special.rel_entr(pooled, wanted).sum()))
    return GTest(statistic, df, float(special.chdtrc(df, statistic)))


def _pool(expected: FloatArray) -> list[int]:
    """First class of each pool."""
    starts, filled = [0], 0.0
    for index, value in enumerate(expected):
        if filled >= EXPECTED_LEAST and expected[index:].sum() >= EXPECTED_LEAST:
            starts.append(index)
            filled = 0.0
        filled += float(value)
    return starts
