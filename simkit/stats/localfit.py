"""Local fits for fair values: a few means near the target, brought to a scale on which they lie on a line."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.checks import FloatArray, positive, t_quantile
from simkit.stats.moments import batch_residuals

Scale: TypeAlias = Literal["probit", "logit", "plain"]

REACH = 0.2  # how far the outer two points of the second stage lie, in steps of the scale, for REACH_UNITS units
REACH_UNITS = 10_000
CURVED = 0.99  # level at which the second stage counts as curved
STEP = {"probit": 1.0, "logit": 1.7, "plain": 1.0}  # a standard step of each scale; 1.7: logit against probit


class Batches(NamedTuple):
    """What one evaluation gives back: shape ``(batches,)`` each."""

    sums: ArrayLike
    """Sum of the metric over the units of each batch."""
    counts: ArrayLike
    """Units of each batch, integers."""


class Line(NamedTuple):
    """A local fit: where it meets the target, its standard error and interval there."""

    method: str
    root: float
    error: float
    low: float
    high: float


def fieller(top: float, bottom: float, covariance: ArrayLike, quantile: float) -> tuple[float, float] | None:
    """Interval of the ratio of two means that are jointly normal (Fieller, J. R. Stat. Soc. B 16, 1954).

    The ratios r for which ``top - r bottom`` lies within ``quantile`` standard errors of 0.

    Parameters
    ----------
    top, bottom
        Estimates of the two means.
    covariance
        Shape ``(2, 2)``: of the two estimates.
    quantile
        Two-sided critical value, above 0, such as 1.96.

    Returns
    -------
    low, high
        None if ``bottom`` does not surely differ from 0: then no interval bounds the ratio.

    Raises
    ------
    ValueError
        If ``quantile`` is not above 0.

    Examples
    --------
    >>> low, high = fieller(4.0, 2.0, [[0.01, 0.0], [0.0, 0.01]], 1.96)
    >>> f"{low:.4f} {high:.4f}"
    '1.7983 2.2404'
    """
    spread = np.asarray(covariance, dtype=np.float64)
    (v11, v12), (_, v22) = spread * positive("quantile", quantile) ** 2
    leading = bottom * bottom - v22
    if not leading > 0.0:
        return None
    middle = top * bottom - v12
    half = np.sqrt(max(0.0, float(middle**2 - leading * (top * top - v11))))
    return float((middle - half) / leading), float((middle + half) / leading)


def _on_scale(made: Sequence[Batches], target: float, scale: Scale) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Means less the target on the scale, their covariance, and the slopes of the scale there."""
    sums, counts = np.stack([one.sums for one in made]), np.stack([one.counts for one in made])
    mean, residuals, batches = batch_residuals(sums, counts)
    spread = residuals @ residuals.T * float(batches[0] / (batches[0] - 1.0))
    if scale == "plain":
        return mean - target, spread, np.ones_like(mean)
    n = counts.sum(axis=1)
    share = (mean * n + 0.5) / (n + 1.0)  # keeps 0 and 1 on the scale
    if scale == "logit":
        moved, slope = special.logit(share) - special.logit(target), 1.0 / (share * (1.0 - share))
    else:
        moved = special.ndtri(share)
        slope = np.sqrt(2.0 * np.pi) * np.exp(moved**2 / 2.0)
        moved = moved - special.ndtri(target)
    return moved, spread * np.outer(slope, slope), slope


def _isotonic(rising: FloatArray) -> FloatArray:
    """Least-squares rising sequence, by pooling neighbours that fall (Ayer and others, Ann. Math. Stat. 26, 1955)."""
    pools: list[tuple[float, int]] = []
    for value in rising:
        mean, size = float(value), 1
        while pools and pools[-1][0] >= mean:
            before, count = pools.pop()
            mean, size = (mean * size + before * count) / (size + count), size + count
        pools.append((mean, size))
    return np.repeat([mean for mean, _ in pools], [size for _, size in pools])


def located(
    values: FloatArray, made: Sequence[Batches], target: float, scale: Scale, close: int
) -> tuple[float, float, bool] | None:
    """Where the pilot meets the target, how far to go from there, and whether the metric rises."""
    off, spread, slope = _on_scale(made, target, scale)
    centred = values - values.mean()
    trend = float(centred @ off)
    if trend == 0.0:
        return None
    turned = off if trend > 0.0 else -off
    smooth = _isotonic(turned)
    at = int(np.searchsorted(smooth, 0.0))
    first = min(max(at - 2, 0), values.size - 4)
    local = slice(first, first + 4)
    # The nearest four only: the metric need not be a line over the whole range.
    x, y, part = values[local], turned[local], spread[local, local]
    n = int(np.sum(made[0].counts))
    floor = slope[local] ** 2 / (4.0 * n * (n + 1.0))  # where nothing varied a point is not known exactly
    weights = 1.0 / np.maximum(np.diag(part), floor) if scale != "plain" else np.ones(4)
    fit = _line_map(x, float(x.mean()), weights)
    level, tilt = fit @ y
    if not tilt > 0.0:
        level, tilt = float(turned.mean()), abs(trend) / float(centred @ centred)
        root = float(np.interp(0.0, smooth, values))
    else:
        root = float(x.mean() - level / tilt)
    start, end = values[max(at - 2, 0)], values[min(at + 1, values.size - 1)]
    root = min(max(root, float(start)), float(end))
    reader = fit[0] + (root - float(x.mean())) * fit[1]
    error = float(np.sqrt(max(0.0, float(reader @ part @ reader)))) / tilt
    sd = float(np.sqrt(np.diag(spread).mean() * n)) if scale == "plain" else 1.0
    shrunk = min(1.0, (3 * close / REACH_UNITS) ** -0.25)
    reach = max(REACH * shrunk * STEP[scale] * sd / tilt, 2.0 * error)
    return (root, float(reach), trend > 0.0) if reach > 0.0 else None


def _line_map(x: FloatArray, centre: float, weights: FloatArray) -> FloatArray:
    """Matrix that takes the means to the level at ``centre`` and the slope of their weighted line."""
    design = np.stack([np.ones_like(x), x - centre], axis=1)
    moments = design.T @ (weights[:, np.newaxis] * design)
    return np.asarray(np.linalg.solve(moments, design.T * weights), dtype=np.float64)


def solved(
    near: FloatArray, made: Sequence[Batches], target: float, scale: Scale, level: float, rising: bool
) -> Line | None:
    """Solve the three points of the second stage; None where the slope is not resolved or is the wrong way round."""
    off, spread, _ = _on_scale(made, target, scale)
    if (np.diag(spread) <= 0.0).any():
        return None
    df = np.asarray(np.size(made[0].counts) - 1.0)
    quantile = float(t_quantile(level, df))
    centre, reach = float(near[1]), float(near[1] - near[0])
    bend = np.array([1.0, -2.0, 1.0])
    if abs(float(bend @ off)) > float(t_quantile(CURVED, df)) * float(np.sqrt(bend @ spread @ bend)):
        return _curve(off, spread, centre, reach, quantile, rising)
    # Equal weights: the three hardly differ in variance, and weights guessed from few batches would cost coverage.
    fit = _line_map(near, centre, np.ones(3))
    turn = np.array([[-1.0, 0.0], [0.0, 1.0]]) @ fit
    top, bottom = (float(value) for value in turn @ off)
    both = turn @ spread @ turn.T
    found = fieller(top, bottom, both, quantile)
    if found is None or (bottom > 0.0) != rising:
        return None
    error = float(np.sqrt(ratio_variance(top, bottom, both)))
    return Line("line", centre + top / bottom, error, centre + found[0], centre + found[1])


def _curve(
    off: FloatArray, spread: FloatArray, centre: float, reach: float, quantile: float, rising: bool
) -> Line | None:
    """Root of the parabola through three points, in steps of ``reach`` from the middle one."""
    square, linear, constant = (off[0] - 2.0 * off[1] + off[2]) / 2.0, (off[2] - off[0]) / 2.0, off[1]
    inner = float(linear**2 - 4.0 * square * constant)
    if inner <= 0.0 or (linear > 0.0) != rising:
        return None
    # the root on the branch with the slope of the line, in the form without cancellation
    step = float(-2.0 * constant / (linear + np.copysign(np.sqrt(inner), linear)))
    if abs(step) > 1.5:
        return None
    reader = np.array([step * (step - 1.0) / 2.0, 1.0 - step * step, step * (step + 1.0) / 2.0])
    error = reach * float(np.sqrt(reader @ spread @ reader) / np.sqrt(inner))
    root = centre + reach * step
    return Line("curve", root, error, root - quantile * error, root + quantile * error)


def ratio_variance(top: float, bottom: float, covariance: FloatArray) -> float:
    """Variance of a ratio by the delta method."""
    reader = np.array([1.0 / bottom, -top / bottom**2])
    return float(reader @ covariance @ reader)
