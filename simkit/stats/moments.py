"""Means and squared deviations from the sums that the counters keep."""

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.checks import FloatArray, finite, whole

EXACT = 2.0**62  # products below this stay exact in int64


def deviations(n: ArrayLike, total: ArrayLike, squares: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Mean and sum of squared deviations from it.

    Integer sums are first moved to the nearest whole number to the mean, in integer arithmetic; so a
    thousand million equal values have a deviation of exactly 0, which ``squares - total**2 / n`` in floats has not.

    Parameters
    ----------
    n
        Count of values, int64, at least 1.
    total, squares
        Sum of the values and sum of their squares, integers or floats.

    Returns
    -------
    mean, deviation
        float64 arrays of the broadcast shape; ``deviation / (n - 1)`` is the sample variance.

    Raises
    ------
    ValueError
        If the sums cannot belong together (``squares < total**2 / n``).

    Examples
    --------
    >>> mean, deviation = deviations(4, 10, 30)
    >>> float(mean), float(deviation)
    (2.5, 5.0)
    """
    count, sums, power = np.broadcast_arrays(whole("n", n, 1), finite("total", total), finite("squares", squares))
    shift = np.rint(sums / count)
    largest = np.max(np.maximum(shift * shift * count, 2 * np.abs(shift * sums)), initial=0.0)
    if sums.dtype == power.dtype == np.int64 and largest < EXACT:
        shift = shift.astype(np.int64)
    rest = sums - shift * count
    about = power - 2 * shift * sums + shift * shift * count
    deviation = about - rest.astype(np.float64) ** 2 / count
    if (deviation < -1e-9 * (1.0 + np.abs(power))).any():
        raise ValueError("squares is smaller than total**2 / n; allowed are sums of the same values")
    return np.asarray(sums / count, dtype=np.float64), np.asarray(np.maximum(deviation, 0.0), dtype=np.float64)


def batch_residuals(sums: ArrayLike, counts: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Ratio of two batch sums, and how far each batch lies from it.

    Parameters
    ----------
    sums
        Shape ``(..., batches)``: sum of the values of each batch.
    counts
        Units of each batch, integers from 0, of the same shape or ``(batches,)``.

    Returns
    -------
    ratio : shape ``(...)``
        ``sum(sums) / sum(counts)``.
    residuals : shape ``(..., batches)``
        ``(sums - ratio * counts) / sum(counts)``; the sum of their squares times ``B / (B - 1)`` is the variance of
        the ratio (Cochran, Sampling Techniques, 3rd ed. 1977, section 6.3). Exactly 0 where no batch differs.
    batches : shape ``(...)``
        Count of batches ``B`` that hold at least one unit.

    Raises
    ------
    ValueError
        If fewer than two batches of a cell hold units.
    """
    values, units = np.broadcast_arrays(finite("sums", sums), whole("counts", counts))
    if values.ndim == 0:
        raise ValueError("sums is a single number; allowed are arrays with the batches along the last axis")
    used = np.count_nonzero(units, axis=-1)
    if (used < 2).any():
        raise ValueError(f"counts has {used.min()} batches with units; allowed are at least 2")
    n = units.sum(axis=-1, keepdims=True)
    total = values.sum(axis=-1, keepdims=True)
    largest = max(float(np.abs(values).max()) * float(n.max()), float(np.abs(total).max()) * float(units.max()))
    if values.dtype == np.int64 and largest < EXACT:
        # s - (S / N) c = (s N - S c) / N: the bracket is exact in integers
        residuals = (values * n - total * units) / (n.astype(np.float64) ** 2)
    else:
        residuals = (values - total / n * units) / n
    ratio = np.asarray(total / n, dtype=np.float64)[..., 0]
    return ratio, np.asarray(residuals, dtype=np.float64), np.asarray(used, dtype=np.float64)
