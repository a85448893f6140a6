"""Likelihood of a mean when the unit takes a few fixed values (win, draw, loss; the five results of a pair)."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.bisection import bisect
from simkit.stats.checks import BoolArray, FloatArray, IntArray, alpha_of, finite, positive, whole

EDGE = -1.0 + 2.0**-53


def class_counts(counts: ArrayLike, values: ArrayLike) -> tuple[IntArray, FloatArray]:
    """Return counts of shape ``(..., classes)`` and the value of each class, or raise ValueError."""
    seen, worth = whole("counts", counts), finite("values", values).astype(np.float64)
    if worth.ndim != 1 or worth.size < 2 or worth.min() == worth.max():
        raise ValueError(f"values is {worth.tolist()}; allowed are at least two different numbers in one row")
    if seen.ndim == 0 or seen.shape[-1] != worth.size:
        raise ValueError(f"counts has shape {seen.shape}; allowed is a last axis of {worth.size} classes")
    if (seen.sum(axis=-1) < 1).any():
        raise ValueError("counts holds a cell without units; allowed is at least 1 unit")
    return seen, worth


def mean_log_ratio(counts: IntArray, values: FloatArray, mean: FloatArray) -> FloatArray:
    """Log-likelihood that is lost when the mean is forced to a value.

    The multinomial likelihood is greatest at the shares seen; the best shares whose mean is ``m`` are
    ``p_i = c_i / (N (1 + x (a_i - m)))`` where x solves ``sum c_i (a_i - m) / (1 + x (a_i - m)) = 0``, or lies at
    the end of its range if the outermost class was never seen (that class then takes the rest). The loss is
    ``sum c_i ln(1 + x (a_i - m))``, the greatest over x (Owen, Empirical Likelihood, 2001, chapter 2; with classes
    not yet seen by the Kuhn-Tucker conditions).

    Parameters
    ----------
    counts
        int64 of shape ``(..., classes)``, not all 0.
    values
        Value of each class, shape ``(classes,)``.
    mean
        Shape ``(...)``, strictly between the smallest and the largest value.

    Returns
    -------
    float64 array of shape ``(...)``
        0 at the sample mean, above 0 elsewhere.
    """
    apart = values - mean[..., np.newaxis]
    low, high = -1.0 / apart.max(axis=-1), -1.0 / apart.min(axis=-1)
    upward = (counts * apart).sum(axis=-1) >= 0.0

    def lean(x: FloatArray) -> FloatArray:
        # at an end of the range the class there has 1 + x (a - m) = 0, which rounding may take to 0 or below
        return np.maximum(x[..., np.newaxis] * apart, EDGE)

    def inside(x: FloatArray) -> BoolArray:
        slope = (counts * (apart / (1.0 + lean(x)))).sum(axis=-1)
        return np.asarray(np.where(upward, slope >= 0.0, slope <= 0.0))

    x = bisect(inside, np.zeros_like(mean), np.where(upward, high, low))
    return np.asarray((counts * np.log1p(lean(x))).sum(axis=-1))


def dirichlet_multinomial(
    counts: ArrayLike, values: ArrayLike, level: float, prior: float = 0.5
) -> tuple[FloatArray, FloatArray]:
    """Exact confidence sequence of the mean of a unit that takes a few fixed values.

    The counterpart of ``beta_binomial`` for win, draw and loss, or for the results of a pair: a mean is inside while
    the likelihood under a Dirichlet mixture is less than ``1 / (1 - level)`` times the greatest one with that mean.
    About 1.4 times as wide as the asymptotic sequence, but right from the first unit on.

    Parameters
    ----------
    counts
        Shape ``(..., classes)``: units of each class, together at least 1.
    values
        Value of each class, shape ``(classes,)``, not all equal.
    level
        Confidence level, for all looks together.
    prior
        Dirichlet weight of each class, above 0; fixed before the run.

    Returns
    -------
    low, high
        Shape ``(...)``, between the smallest and the largest value; exactly there if only that class was seen.

    Raises
    ------
    ValueError
        On numbers outside these ranges.

    Examples
    --------
    >>> low, high = dirichlet_multinomial([40_000, 18_000, 42_000], [0.0, 0.5, 1.0], 0.999)
    >>> f"{low:.6f} {high:.6f}"
    '0.501310 0.518686'
    """
    seen, worth = class_counts(counts, values)
    weight, n = positive("prior", prior), seen.sum(axis=-1)
    greatest = special.xlogy(seen, seen / n[..., np.newaxis]).sum(axis=-1)
    together = weight * worth.size
    mixture = special.gammaln(together) - special.gammaln(n + together)
    mixture = mixture + (special.gammaln(seen + weight) - special.gammaln(weight)).sum(axis=-1)
    room = np.asarray(greatest - mixture - np.log(alpha_of(level)))
    least, most = worth.min(), worth.max()
    place = (worth - least) / (most - least)
    low, high = (_extreme_mean(seen, place, room, end) for end in (0.0, 1.0))
    return np.asarray(least * (1.0 - low) + most * low), np.asarray(least * (1.0 - high) + most * high)


def _extreme_mean(seen: IntArray, place: FloatArray, room: FloatArray, end: float) -> FloatArray:
    """Mean nearest to an end of 0 .. 1 that costs no more than ``room`` of the log-likelihood.

    The best shares for any mean are ``c_i / d_i``, scaled, with a denominator that is linear in the value. A tilt t
    writes it as ``t (1 - a) + (1 - t) a``: flat at 1/2, and 0 at t for the class at the end. If that class was never
    seen, t may reach the end; the rest of the room then buys a share for it.
    """
    n = np.asarray(seen.sum(axis=-1))

    def tilted(t: FloatArray) -> tuple[FloatArray, FloatArray]:
        below = t[..., np.newaxis] * (1.0 - place) + (1.0 - t[..., np.newaxis]) * place
        share = np.divide(seen, below, out=np.zeros_like(below), where=seen > 0)
        total = share.sum(axis=-1)
        cost = special.xlogy(seen, below * (total / n)[..., np.newaxis]).sum(axis=-1)
        return cost, (share * place).sum(axis=-1) / total

    flat = np.full_like(room, 0.5)
    there = seen[..., place == end].sum(axis=-1)
    reached = (there == 0) & (tilted(np.where(there == 0, end, flat))[0] < room)
    # where nothing but the class at the end was seen, no tilt changes anything and the mean lies there
    solved = reached | (there == n)
    tilt = bisect(lambda t: np.asarray(tilted(t)[0] < room), flat, np.where(solved, flat, end))
    cost, mean = tilted(np.where(reached, end, tilt))
    bought = np.where(reached, -np.expm1((cost - room) / n), 0.0)
    return np.asarray(mean + bought * (end - mean))
