"""How many units a question needs, asked before the run (or when it was not enough)."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.checks import FloatArray, IntArray, bounds, finite, normal_quantile, share_between, whole


def half_width_for(n: ArrayLike, p: ArrayLike, level: float) -> FloatArray:
    """Half-width of a fixed-n interval that ``n`` units are going to give for a probability near ``p``.

    Parameters
    ----------
    n
        Units, integers of at least 1.
    p
        Probability expected, strictly between 0 and 1; 0.5 is the widest.
    level
        Confidence level.

    Returns
    -------
    float64 array
        A probability, by the normal approximation.

    Raises
    ------
    ValueError
        On numbers outside these ranges.

    Examples
    --------
    >>> f"{half_width_for(100_000, 0.5, 0.99):.5f}"
    '0.00407'
    """
    share = _shares(p)
    return np.asarray(normal_quantile(level) * np.sqrt(share * (1.0 - share) / whole("n", n, 1)))


def units_for_half_width(p: ArrayLike, half_width: ArrayLike, level: float) -> IntArray:
    """Units that a fixed-n interval of a given half-width needs, for a probability near ``p``.

    Parameters
    ----------
    p
        Probability expected, strictly between 0 and 1; 0.5 needs most.
    half_width
        Half-width wanted, a probability above 0 (1e-8 at least).
    level
        Confidence level.

    Returns
    -------
    int64 array
        At least 1, by the normal approximation.

    Raises
    ------
    ValueError
        On numbers outside these ranges.

    Examples
    --------
    >>> int(units_for_half_width(0.5, 0.001, 0.999))
    2706892
    """
    share, half = _shares(p), _steps("half_width", half_width)
    return _units(share * (1.0 - share) * (normal_quantile(level) / half) ** 2)


def detectable_bias(n: ArrayLike, p: ArrayLike, false_alarm: float, power: float) -> FloatArray:
    """Smallest shift of a probability that a test with ``n`` units finds.

    For naming what a "simulation against exact" test can see.

    Parameters
    ----------
    n
        Units, integers of at least 1.
    p
        True probability, strictly between 0 and 1.
    false_alarm
        Two-sided error probability of the test, such as 1e-6.
    power
        Chance to find the shift, such as 0.9.

    Returns
    -------
    float64 array
        A probability, by the normal approximation.

    Raises
    ------
    ValueError
        On numbers outside these ranges.

    Examples
    --------
    >>> f"{detectable_bias(95_271, 0.5, 1e-6, 0.9):.5f}"
    '0.01000'
    """
    share = _shares(p)
    return np.asarray(_distance(false_alarm, power) * np.sqrt(share * (1.0 - share) / whole("n", n, 1)))


def units_to_detect(bias: ArrayLike, p: ArrayLike, false_alarm: float, power: float) -> IntArray:
    """Units with which a test finds a shift of a probability: the inverse of ``detectable_bias``.

    Parameters
    ----------
    bias
        Shift to be found, a probability above 0 (1e-8 at least).
    p, false_alarm, power
        As in ``detectable_bias``.

    Returns
    -------
    int64 array
        At least 1.

    Raises
    ------
    ValueError
        On numbers outside these ranges.

    Examples
    --------
    >>> int(units_to_detect(0.01, 0.5, 1e-6, 0.9))
    95271
    """
    share, shift = _shares(p), _steps("bias", bias)
    return _units(share * (1.0 - share) * (_distance(false_alarm, power) / shift) ** 2)


def units_to_decide(
    estimate: ArrayLike, low: ArrayLike, high: ArrayLike, n: ArrayLike, target: ArrayLike
) -> FloatArray:
    """Roughly how many further units until an interval excludes the target, if the estimate stays.

    The bound on the target's side moves towards the estimate as ``1 / sqrt(n)``.

    Parameters
    ----------
    estimate, low, high
        A result so far, ``low <= estimate <= high``.
    n
        Its units, integers of at least 1.
    target
        Value in question: 0.5 for a win share, 0 for a difference.

    Returns
    -------
    float64 array
        Whole numbers; 0 where the target is excluded already, inf where the estimate is the target.

    Raises
    ------
    ValueError
        If the bounds are not around the estimate.

    Examples
    --------
    >>> int(units_to_decide(0.51, 0.49, 0.53, 10_000, 0.5))
    30000
    """
    below, above = bounds(low, high)
    middle, aim, count = finite("estimate", estimate), finite("target", target), whole("n", n, 1)
    if ((middle < below) | (middle > above)).any():
        raise ValueError("estimate lies outside low .. high; allowed is low <= estimate <= high")
    distance = np.abs(middle - aim)
    reach = np.where(middle > aim, middle - below, above - middle)
    need = np.full(np.broadcast_shapes(distance.shape, reach.shape, count.shape), np.inf)
    np.divide(reach, distance, out=need, where=np.broadcast_to(distance > 0.0, need.shape))
    return np.asarray(np.maximum(0.0, np.ceil(np.round(count * need**2, 6)) - count))


def _shares(p: ArrayLike) -> FloatArray:
    values = finite("p", p).astype(np.float64)
    if (values <= 0.0).any() or (values >= 1.0).any():
        raise ValueError("p holds a value that is not strictly between 0 and 1; allowed are probabilities")
    return values


def _steps(name: str, value: ArrayLike) -> FloatArray:
    values = finite(name, value).astype(np.float64)
    if (values < 1e-8).any():
        raise ValueError(f"{name} holds {values.min()}; allowed are numbers from 1e-8")
    return values


def _distance(false_alarm: float, power: float) -> float:
    alarm, chance = share_between("false_alarm", false_alarm), share_between("power", power)
    return float(-special.ndtri(alarm / 2.0) + special.ndtri(chance))


def _units(value: FloatArray) -> IntArray:
    return np.asarray(np.maximum(1.0, np.ceil(value)), dtype=np.float64).astype(np.int64)
