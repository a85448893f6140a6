"""What drives a metric, where its parameters have few values: Sobol indices from the whole grid of them.

The indices are those of :mod:`simkit.stats.sobol`, with every value of a parameter equally likely. Nothing is sampled:
means over the grid are means over all there is, so that only the noise of the games is left, and that is taken out.
"""

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.checks import FloatArray, finite, normal_quantile
from simkit.stats.multiple import sidak_z
from simkit.stats.sobol import PARAMETERS_LIMIT, SobolIndices


def grid_indices(values: ArrayLike, level: float) -> SobolIndices:
    """First-order and total Sobol indices from a metric on a whole grid.

    First order: the variance of the mean over all other parameters; total: the mean of the variance over the parameter
    alone; both over the variance on the grid. Every square is taken between *different* batches only, whose noise is
    independent and so averages out. Intervals are normal, from leaving out each batch in turn (the jackknife of the
    ratio); Sidak's value for all of them together.

    Parameters
    ----------
    values
        Shape ``(n_1, ..., n_k, batches)``: the metric's mean over each batch at every point of the grid, k from 1 to
        20, at least 3 batches of equal size. Batch ``b`` must have dice of its own, the same at all points or not.
    level
        Confidence level of all intervals together.

    Returns
    -------
    SobolIndices
        ``points`` is the size of the grid.

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> x, y = np.meshgrid([0.0, 1.0], [0.0, 2.0], indexing="ij")
    >>> found = grid_indices(np.repeat((x + y)[..., np.newaxis], 3, axis=2), 0.95)
    >>> found.first.round(2).tolist(), found.total.round(2).tolist()
    ([0.2, 0.8], [0.2, 0.8])
    """
    seen = finite("values", values).astype(np.float64)
    parameters = seen.ndim - 1
    if not 1 <= parameters <= PARAMETERS_LIMIT or seen.shape[-1] < 3 or min(seen.shape) < 1:
        allowed = f"1 to {PARAMETERS_LIMIT} parameters and at least 3 batches, which come last"
        raise ValueError(f"values has shape {seen.shape}; allowed are {allowed}")
    axes = tuple(range(parameters))
    f = seen - seen.mean(axis=axes)
    spread = _square(f)
    plain = float((f**2).mean())
    firsts = [_square(f.mean(axis=tuple(a for a in axes if a != own))) for own in axes]
    totals = [_square(f - f.mean(axis=own, keepdims=True)) for own in axes]
    z = sidak_z(2 * parameters, level)
    first, first_low, first_high = _ratios(firsts, spread, z)
    total, total_low, total_high = _ratios(totals, spread, z)
    resolved = bool(spread[0] > normal_quantile(level) * _error(spread[1:]))
    share = 1.0 - float(spread[0]) / plain if plain > 0.0 else 0.0
    size = int(np.prod(seen.shape[:-1]))
    return SobolIndices(
        first,
        first_low,
        first_high,
        total,
        total_low,
        total_high,
        float(spread[0]),
        share,
        resolved,
        float(level),
        size,
    )


def _square(x: FloatArray) -> FloatArray:
    """Mean product of different batches over all points; behind it the same without each batch in turn."""
    rows = x.reshape(-1, x.shape[-1])
    batches = rows.shape[1]
    whole, own = rows.sum(axis=1), rows**2
    every = float((whole**2 - own.sum(axis=1)).mean())
    each = ((whole[:, np.newaxis] - rows) * rows).mean(axis=0)  # products with the batch, counted once
    without = (every - 2.0 * each) / ((batches - 1) * (batches - 2))
    return np.concatenate([[every / (batches * (batches - 1))], without])


def _error(without: FloatArray) -> float:
    """Jackknife error of a value from its values without each batch."""
    return float(np.sqrt(without.var() * (without.size - 1)))


def _ratios(tops: list[FloatArray], bottom: FloatArray, z: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    if not bottom[0] > 0.0:
        nothing = np.full(len(tops), np.nan)
        return nothing, nothing.copy(), nothing.copy()
    middle = np.array([top[0] for top in tops]) / bottom[0]
    # by the linear part of the ratio, which stays finite where the variance without a batch is near 0
    halves = np.array(
        [z * _error(top[1:] - one * bottom[1:]) / bottom[0] for top, one in zip(tops, middle, strict=True)]
    )
    return middle, middle - halves, middle + halves
