"""Intervals for a number of units that was fixed beforehand.

All functions return ``(low, high)`` as float64 arrays of the broadcast shape (0-d for scalars). A run that stopped
because of what it had seen needs a confidence sequence instead: see ``simkit.stats.sequential``.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.checks import FloatArray, IntArray, alpha_of, normal_quantile, successes, t_quantile, whole
from simkit.stats.moments import batch_residuals, deviations


def clopper_pearson(k: ArrayLike, n: ArrayLike, level: float) -> tuple[FloatArray, FloatArray]:
    """Exact interval of a probability from ``k`` of ``n`` independent units with values 0 or 1.

    Its coverage is at least ``level`` for every probability, rare ones included (Clopper and Pearson, Biometrika 26,
    1934). Two games that share their dice are one unit: they need ``batch_mean``.

    Parameters
    ----------
    k, n
        Integers, ``0 <= k <= n``, ``n >= 1``.
    level
        Confidence level, such as 0.99.

    Returns
    -------
    low, high
        Probabilities. ``low`` is exactly 0 at ``k = 0`` and ``high`` exactly 1 at ``k = n``.

    Raises
    ------
    ValueError
        On counts or levels outside these ranges.

    Examples
    --------
    >>> low, high = clopper_pearson(520, 1000, 0.95)
    >>> f"{low:.6f} {high:.6f}"
    '0.488515 0.551367'
    """
    half = alpha_of(level) / 2
    some, all_ = successes(k, n)
    return _exact_lower(some, all_, half), _exact_upper(some, all_, half)


def one_sided_upper(k: ArrayLike, n: ArrayLike, level: float) -> FloatArray:
    """Exact upper bound of a probability: the whole error probability lies above it.

    Of 0 in ``n`` units at 95 % it is about ``3 / n`` (the rule of three).

    Parameters
    ----------
    k, n, level
        As in ``clopper_pearson``.

    Returns
    -------
    float64 array
        Upper bounds, exactly 1 at ``k = n``.

    Examples
    --------
    >>> f"{one_sided_upper(0, 1000, 0.95):.6f}"
    '0.002991'
    """
    return _exact_upper(*successes(k, n), alpha_of(level))


def one_sided_lower(k: ArrayLike, n: ArrayLike, level: float) -> FloatArray:
    """Exact lower bound of a probability: the whole error probability lies below it.

    Parameters
    ----------
    k, n, level
        As in ``clopper_pearson``.

    Returns
    -------
    float64 array
        Lower bounds, exactly 0 at ``k = 0``.

    Examples
    --------
    >>> f"{one_sided_lower(1000, 1000, 0.95):.6f}"
    '0.997009'
    """
    return _exact_lower(*successes(k, n), alpha_of(level))


def wilson(k: ArrayLike, n: ArrayLike, level: float) -> tuple[FloatArray, FloatArray]:
    """Score interval of a probability, for displays that change while a run goes on.

    Cheaper than ``clopper_pearson`` but not exact: at 99.9 % it errs up to ten times too often on rare outcomes, so
    it does not belong in a report (Wilson, J. Am. Stat. Assoc. 22, 1927).

    Parameters
    ----------
    k, n, level
        As in ``clopper_pearson``.

    Returns
    -------
    low, high
        Probabilities, exactly 0 at ``k = 0`` and exactly 1 at ``k = n``.

    Examples
    --------
    >>> low, high = wilson(906, 1040, 0.95)
    >>> f"{low:.6f} {high:.6f}"
    '0.849418 0.890158'
    """
    z = normal_quantile(level)
    some, all_ = successes(k, n)
    p, bit = some / all_, z * z / all_
    larger = p + bit / 2 + np.sqrt(bit * (p * (1 - p) + bit / 4))
    # The bounds multiply to p^2 / (1 + bit): dividing by the larger one loses no digits at small k.
    return np.asarray(p * p / larger), np.where(some == all_, 1.0, larger / (1 + bit))


def batch_mean(sums: ArrayLike, counts: ArrayLike, level: float) -> tuple[FloatArray, FloatArray]:
    """Interval of a mean from the sums of batches of units, by Student's t with ``B - 1`` degrees of freedom.

    Right for any unit value (turns, a seat pair's score, a difference under the same dice), as nothing is assumed
    about what happens inside a unit. The estimate is ``sums.sum(-1) / counts.sum(-1)``; batches may differ in size,
    for which the variance of the ratio is used. Where no batch differs the interval has no width: it then says that
    nothing varied, not that nothing can.

    Parameters
    ----------
    sums
        Shape ``(..., B)``: sum of the unit values of each batch.
    counts
        Units of each batch, integers, of the same shape or ``(B,)``. Empty batches are left out.
    level
        Confidence level.

    Returns
    -------
    low, high
        Shape ``(...)``, in the unit of the values; not clipped to a range.

    Raises
    ------
    ValueError
        If fewer than two batches of a cell hold units, or on bad types.

    Examples
    --------
    >>> low, high = batch_mean([10, 12, 11, 13], [4, 4, 4, 4], 0.95)
    >>> f"{low:.4f} {high:.4f}"
    '2.3614 3.3886'
    """
    ratio, residuals, batches = batch_residuals(sums, counts)
    error = np.sqrt((residuals**2).sum(axis=-1) * batches / (batches - 1.0))
    half = t_quantile(level, batches - 1.0) * error
    return np.asarray(ratio - half), np.asarray(ratio + half)


def mean_from_moments(
    n: ArrayLike, total: ArrayLike, squares: ArrayLike, level: float
) -> tuple[FloatArray, FloatArray]:
    """Interval of a mean from count, sum and sum of squares, by Student's t with ``n - 1`` degrees of freedom.

    Parameters
    ----------
    n
        Independent units, integers of at least 2.
    total, squares
        Sum of the unit values and of their squares.
    level
        Confidence level.

    Returns
    -------
    low, high
        In the unit of the values; not clipped to a range. Without width where all units were equal.

    Raises
    ------
    ValueError
        If ``n < 2`` or the sums cannot belong together.

    Examples
    --------
    >>> low, high = mean_from_moments(4, 10, 30, 0.95)
    >>> f"{low:.4f} {high:.4f}"
    '0.4457 4.5543'
    """
    count = whole("n", n, 2)
    mean, deviation = deviations(count, total, squares)
    half = t_quantile(level, count - 1.0) * np.sqrt(deviation / (count - 1.0) / count)
    return np.asarray(mean - half), np.asarray(mean + half)


def dkw_half_width(n: ArrayLike, level: float) -> FloatArray:
    """Half-width of a band that holds a whole distribution function.

    The empirical distribution function of ``n`` independent values lies everywhere within this distance of the true
    one, with probability at least ``level`` (Dvoretzky, Kiefer and Wolfowitz 1956; constant by Massart, Ann. Prob.
    18, 1990).

    Parameters
    ----------
    n
        Independent values, integers of at least 1.
    level
        Confidence level.

    Returns
    -------
    float64 array
        A probability.

    Examples
    --------
    >>> f"{dkw_half_width(1_000_000, 0.999):.7f}"
    '0.0019495'
    """
    return np.asarray(np.sqrt(np.log(2.0 / alpha_of(level)) / (2.0 * whole("n", n, 1))))


def _exact_lower(k: IntArray, n: IntArray, alpha: float) -> FloatArray:
    none = k == 0
    found = special.betaincinv(np.where(none, 1, k), n - k + 1, alpha)
    return np.where(none, 0.0, found)


def _exact_upper(k: IntArray, n: IntArray, alpha: float) -> FloatArray:
    every = k == n
    found = special.betainccinv(k + 1, np.where(every, 1, n - k), alpha)
    return np.where(every, 1.0, found)
