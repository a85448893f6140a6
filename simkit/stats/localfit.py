"""Local fits for fair values: a few means near the target, brought to a scale on which the metric bends little."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.checks import FloatArray, positive, t_quantile
from simkit.stats.moments import batch_residuals
from simkit.stats.polyline import pooled

Scale: TypeAlias = Literal["probit", "logit", "plain"]

REACH = 0.2  # how far the outer two points of the last stage lie, in steps of the scale, for REACH_UNITS units
REACH_UNITS = 10_000
SHARES = (1, 4, 1)  # of the units of the last stage: the curve through three points hangs on the middle one near it
RESOLVED = 3.0  # standard errors from 0 at which the slope of a few points of the pilot is trusted
FARTHER = 1.5  # most that the last three points reach, in reaches of the three before
ROOT_REACH = 1.5  # farthest root from the middle point, in steps of the reach, that three points are trusted with
BOUND_REACH = 3.0  # farthest bound of its interval, likewise
STEP = {"probit": 1.0, "logit": 1.7, "plain": 1.0}  # a standard step of each scale; 1.7: logit against probit


class Batches(NamedTuple):
    """What one evaluation gives back: shape ``(batches,)`` each."""

    sums: ArrayLike
    """Sum of the metric over the units of each batch."""
    counts: ArrayLike
    """Units of each batch, integers."""


class Curve(NamedTuple):
    """The curve through the points of the last stage: where it meets the target, with standard error and interval."""

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


def located(
    values: FloatArray, made: Sequence[Batches], target: float, scale: Scale, units: int
) -> tuple[float, float, bool] | None:
    """Where the pilot meets the target, how far to go from there with so many units, and whether the metric rises."""
    off, spread, slope = _on_scale(made, target, scale)
    centred = values - values.mean()
    trend = float(centred @ off)
    if trend == 0.0:
        return None
    turned = off if trend > 0.0 else -off
    smooth = pooled(turned)
    at = int(np.searchsorted(smooth, 0.0))
    n = int(np.sum(made[0].counts))
    floor = slope**2 / (4.0 * n * (n + 1.0))  # where nothing varied a point is not known exactly
    weights = 1.0 / np.maximum(np.diag(spread), floor) if scale != "plain" else np.ones_like(off)
    # No more of the nearest than it takes to resolve a slope: the metric need not be a line over the whole range.
    for half in range(1, values.size // 2 + 1):
        first = min(max(at - half, 0), values.size - 2 * half)
        local = slice(first, first + 2 * half)
        x, y, part = values[local], turned[local], spread[local, local]
        fit = _line_map(x, float(x.mean()), weights[local])
        level, tilt = fit @ y
        if tilt > RESOLVED * np.sqrt(max(0.0, float(fit[1] @ part @ fit[1]))):
            break
    if not tilt > 0.0:
        level, tilt = float(turned.mean()), abs(trend) / float(centred @ centred)
        root = float(np.interp(0.0, smooth, values))
    else:
        root = float(x.mean() - level / tilt)
    start, end = values[max(at - 2, 0)], values[min(at + 1, values.size - 1)]
    root = min(max(root, float(start)), float(end))
    reader = fit[0] + (root - float(x.mean())) * fit[1]
    error = float(np.sqrt(max(0.0, float(reader @ part @ reader)))) / tilt
    reach = reach_of(made, target, scale, float(tilt), error, units)
    return (root, reach, trend > 0.0) if reach > 0.0 else None


def reach_of(made: Sequence[Batches], target: float, scale: Scale, tilt: float, error: float, units: int) -> float:
    """How far the outer two of three points with so many units should lie from a root known to a standard error."""
    _, spread, _ = _on_scale(made, target, scale)
    n = np.array([np.sum(one.counts) for one in made])
    sd = float(np.sqrt((np.diag(spread) * n).mean())) if scale == "plain" else 1.0
    shrunk = min(1.0, (units / REACH_UNITS) ** -0.25)
    return float(max(REACH * shrunk * STEP[scale] * sd / tilt, 2.0 * error))


def _line_map(x: FloatArray, centre: float, weights: FloatArray) -> FloatArray:
    """Matrix that takes the means to the level at ``centre`` and the slope of their weighted line."""
    design = np.stack([np.ones_like(x), x - centre], axis=1)
    moments = design.T @ (weights[:, np.newaxis] * design)
    return np.asarray(np.linalg.solve(moments, design.T * weights), dtype=np.float64)


class _Parabola:
    """The parabola through three evenly spaced points less the target, in steps of their reach from the middle one."""

    TURN = np.array([[0.5, -1.0, 0.5], [-0.5, 0.0, 0.5], [0.0, 1.0, 0.0]])

    def __init__(self, off: FloatArray, spread: FloatArray) -> None:
        self.terms, both = self.TURN @ off, self.TURN @ spread @ self.TURN.T
        (v22, v21, v20), (_, v11, v10), (_, _, v00) = both
        self.variance = np.array([v22, 2.0 * v21, v11 + 2.0 * v20, 2.0 * v10, v00])
        self.square, self.linear, self.constant = map(float, self.terms)
        self.inner = self.linear**2 - 4.0 * self.square * self.constant

    def root(self) -> float | None:
        """Where it is 0, on the branch with the slope of the chord, unless that is far from the points."""
        if self.inner <= 0.0 or self.linear == 0.0:
            return None
        # in the form without cancellation
        step = -2.0 * self.constant / (self.linear + float(np.copysign(np.sqrt(self.inner), self.linear)))
        return step if abs(step) <= ROOT_REACH else None

    def ends(self, step: float, quantile: float) -> tuple[float, float]:
        """Between which places around its root it is less than some standard errors from 0."""
        ends = np.roots(np.convolve(self.terms, self.terms) - quantile**2 * self.variance)
        real = ends.real[np.abs(ends.imag) <= 1e-9 * np.abs(ends)]
        return float(real[real < step].max(initial=-np.inf)), float(real[real > step].min(initial=np.inf))

    def error(self, step: float, slope: float) -> float:
        """Standard error of a root, by the slope there."""
        return float(np.sqrt(max(0.0, float(np.polyval(self.variance, step))))) / abs(slope)


def nearer(
    near: FloatArray, made: Sequence[Batches], target: float, scale: Scale, rising: bool, units: int
) -> tuple[float, float] | None:
    """Where three first points say that the target is met, and how far to go from there; None if they do not."""
    off, spread, _ = _on_scale(made, target, scale)
    fit, reach = _Parabola(off, spread), float(near[1] - near[0])
    if fit.linear == 0.0 or (fit.linear > 0.0) != rising:
        return None
    step = fit.root()
    if step is None:
        step = min(max(-fit.constant / fit.linear, -BOUND_REACH), BOUND_REACH)
    # The slope of the chord: that of the parabola at its root is not known well enough to say how far to go.
    error = reach * fit.error(min(max(step, -1.0), 1.0), fit.linear)
    # Never much farther than the first three: on the flat side of a bend they would say so of the steep one too.
    farther = reach_of(made, target, scale, abs(fit.linear) / reach, error, units)
    return float(near[1]) + reach * step, min(FARTHER * reach, farther)


def solved(
    near: FloatArray,
    made: Sequence[Batches],
    target: float,
    scale: Scale,
    level: float,
    rising: bool,
    span: tuple[float, float],
) -> Curve | None:
    """Solve the parabola through the three points of the last stage, evenly spaced, in a range of the parameter.

    The interval holds every place at which the parabola is less than so many standard errors from the target, as that
    of Fieller does for a line, cut to the range. Whatever bend the three points have is in it, whether it shows or not.

    Returns
    -------
    Curve or None
        None where the slope is not resolved or is the wrong way round, or the answer lies far from the three points or
        out of the range.
    """
    off, spread, _ = _on_scale(made, target, scale)
    if (np.diag(spread) <= 0.0).any():
        return None
    fit = _Parabola(off, spread)
    step = fit.root()
    if step is None or (fit.linear > 0.0) != rising:
        return None
    centre, reach = float(near[1]), float(near[1] - near[0])
    start, end = ((bound - centre) / reach for bound in span)
    low, high = fit.ends(step, float(t_quantile(level, np.asarray(np.size(made[0].counts) - 1.0))))
    low, high = max(low, start), min(high, end)
    if max(-low, high) > BOUND_REACH or not start <= step <= end:
        return None
    error = reach * fit.error(step, float(np.sqrt(fit.inner)))
    return Curve(centre + reach * step, error, centre + reach * low, centre + reach * high)


def ratio_variance(top: float, bottom: float, covariance: FloatArray) -> float:
    """Variance of a ratio by the delta method."""
    reader = np.array([1.0 / bottom, -top / bottom**2])
    return float(reader @ covariance @ reader)
