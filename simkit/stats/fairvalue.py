"""The value of a parameter that brings a metric to its target, with an interval and the way it was found.

A parameter that takes any number is solved by ``fair_value``, a price in whole points that is paid only in a share of
the games by ``mixed_value``; for one with a few values there is ``simkit.stats.bracketing``. The games are played by a
function that the caller hands in; it numbers its units from 0, so that a range of numbers names the dice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.bracketing import Status, Step, crossings, side_of, within_band
from simkit.stats.checks import FloatArray, IntArray, finite, normal_quantile, positive, share_between
from simkit.stats.estimate import Estimate
from simkit.stats.intervals import batch_mean, clopper_pearson
from simkit.stats.localfit import SHARES, STEP, Batches, Scale, fieller, located, nearer, ratio_variance, solved
from simkit.stats.multiple import sidak_level

ZOOM = 0.25
"""Least reach of the first three values around the answer, in steps of the pilot's grid."""

Evaluate: TypeAlias = Callable[[float, int, int], Batches]
"""``(value, first, units)``: play the units ``first`` to ``first + units - 1`` at this value of the parameter."""


@dataclass(frozen=True, slots=True)
class FairValue:
    """Where the metric meets its target.

    Attributes
    ----------
    status
        ``"found"``; ``"bracketed"``: the target is met between ``low`` and ``high``, no more is known; ``"several"``:
        the metric crosses the target more than once, see ``crossings``; ``"beyond"``: it is on one side of it at
        every value tried; ``"unresolved"``: more units are needed.
    value, low, high
        Of the parameter; None where the status does not give them. The interval is cut to the range asked for.
    error
        Standard error of ``value``, or None.
    level
        Confidence level of the interval.
    method
        ``"curve"``, ``"crossing"`` or ``"mixing"``.
    units
        All units spent, the confirmation included.
    crossings
        Pairs of neighbouring values between which the metric surely crosses the target, all together at ``level``.
    path
        All evaluations in order.
    confirmation
        The metric at ``value`` on fresh dice, or None.
    confirmed
        True if that interval lies within the band around the target, False if outside, None if neither or not asked.
    """

    status: Status
    value: float | None
    low: float | None
    high: float | None
    error: float | None
    level: float
    method: str
    units: int
    crossings: tuple[tuple[float, float], ...] = ()
    path: tuple[Step, ...] = ()
    confirmation: Estimate | None = None
    confirmed: bool | None = None


def fair_value(
    evaluate: Evaluate,
    low: float,
    high: float,
    *,
    target: float,
    level: float,
    units: int,
    scale: Scale = "probit",
    grid: int = 9,
    pilot: float = 0.15,
    whole: int = 256,
    confirm: int = 0,
    within: float | None = None,
    step: float | None = None,
) -> FairValue:
    """Find the value of a parameter at which a metric meets its target.

    A pilot plays a grid of values and says about where. Three values around that place, with twice the games of the
    pilot, say it better. Three values close to it then get the rest, the middle one two thirds of it. Every value has
    dice of its own: for where a curve meets a level, common dice would only repeat their luck.

    The answer is where the parabola through the last three meets the target on the scale, and its interval holds every
    place at which that parabola is no more standard errors from the target than the level asks (Fieller's method, for
    a curve). So a bend is in the interval whether it shows or not: a line through three values would miss by a third
    of their second difference, and whoever tries first whether that difference is surely not 0 has a line wherever the
    bend is just hidden. With most of the games at the middle value it costs little: the interval is about a fifth wider
    than that of a line through three values with a third each. Where the slope is not resolved the answer is the
    crossing interval of the values played.

    At 95 % the interval covered the root in 93 to 96 % of 800 runs each on nine curves with 16,384 to 400,000 units,
    among them straight and steep ones and ones with a bend as large as its noise; in 92 % on one that bends so much
    that it flattens out beside the target, with the fewest units. What the interval leaves out is a bend that is not
    that of a parabola over the last three values; so confirm the answer on fresh dice.

    Parameters
    ----------
    evaluate
        Plays units; it must return as many as asked, in the same number of batches (at least 4) every time.
    low, high
        Range of the parameter, in its unit. The interval is right if the target is met once in it.
    target
        Of the metric, in its unit.
    level
        Confidence level of the answer.
    units
        To spend on all three stages together.
    scale
        On which the metric bends little: ``"probit"`` or ``"logit"`` for shares, ``"plain"`` for others.
    grid
        Values of the pilot, at least 4.
    pilot
        Share of the units for it and the three values after it together.
    whole
        Units of an evaluation are a multiple of this.
    confirm
        Units of the confirmation at the answer, on fresh dice; 0 for none.
    within
        Half-width of the band around the target that counts as met, for ``confirmed``.
    step
        From one value that can be played to the next, ``low`` and ``high`` among them; None if any value can. The
        answer may still lie between two of them, and is then not confirmed.

    Returns
    -------
    FairValue

    Raises
    ------
    ValueError
        On numbers outside these ranges, or evaluations that are not what was asked for.

    Examples
    --------
    >>> def toss(value, first, units):
    ...     wins = np.random.default_rng(first).binomial(units // 16, value / 10, 16)
    ...     return Batches(wins, np.full(16, units // 16))
    >>> found = fair_value(toss, 2.0, 8.0, target=0.5, level=0.95, units=40_000)
    >>> found.status, found.low < 5.0 < found.high, found.high - found.low < 0.15
    ('found', True, True)
    """
    span = positive("high - low", high - low)
    aim = float(finite("target", float(target))) if scale == "plain" else share_between("target", target)
    if scale not in STEP:
        raise ValueError(f"scale is {scale!r}; allowed are {', '.join(STEP)}")
    each_level, all_level = sidak_level(grid, level), sidak_level(grid + 3, level)
    band = None if within is None else positive("within", within)
    if whole < 1 or grid < 4 or confirm < 0:
        raise ValueError(f"whole is {whole}, grid {grid}, confirm {confirm}; allowed are at least 1, 4 and 0")
    early = units * share_between("pilot", pilot) / 3.0
    each, some = _rounded(early / grid, whole), _rounded(early * 2.0 / 3.0, whole)
    first = grid * each + 3 * some
    parts = sum(SHARES)
    part = (units - first) // (parts * whole) * whole
    steps = float(grid) if step is None else span / positive("step", step)
    if steps < grid - 1 or abs(steps - round(steps)) > 1e-6 * grid:
        raise ValueError(f"step is {step}; allowed are steps that lead from low to high, at least {grid - 1} of them")
    least = -(-3 * some // (parts * whole)) * parts * whole
    if parts * part < least:
        raise ValueError(f"units is {units}; allowed are at least {first + least} for {grid} + 3 + 3 evaluations")
    values = _laid(np.linspace(low, high, grid), low, step)
    starts = each * np.arange(grid)
    made = _played(evaluate, values, starts, np.full(grid, each))
    path = _steps("pilot", values, starts, made, level, scale)
    signs = [side_of(_estimate(one, each_level, scale), aim) for one in made]
    spent, crossed = grid * each, crossings(values, signs)

    def without_value(status: Status, start: float | None = None, end: float | None = None) -> FairValue:
        return FairValue(status, None, start, end, None, float(level), "crossing", spent, crossed, path)

    if len(crossed) > 1:
        return without_value("several")
    if len(set(signs)) == 1 and signs[0] != 0:
        return without_value("beyond")
    place = located(values, made, aim, scale, parts * part)
    if place is None:
        return without_value("unresolved")
    centre, reach, rising = place

    def beside(centre: float, reach: float) -> FloatArray:
        """Three values in the range, evenly spaced."""
        most = span / 2.0
        if step is not None:
            reach, most = step * max(1, round(reach / step)), step * (round(span / step) // 2)
        reach = min(reach, most)
        middle = float(_laid(np.asarray(min(max(centre, low + reach), high - reach)), low, step))
        return _laid(np.array([middle - reach, middle, middle + reach]), low, step)

    near = beside(centre, max(reach, ZOOM * span / (grid - 1)))
    starts = spent + some * np.arange(3)
    around = _played(evaluate, near, starts, np.full(3, some))
    path += _steps("zoom", near, starts, around, level, scale)
    spent += 3 * some
    near = beside(*(nearer(near, around, aim, scale, rising, parts * part) or (centre, reach)))
    counts = part * np.array(SHARES)
    starts = spent + np.cumsum(counts) - counts
    around = _played(evaluate, near, starts, counts)
    path += _steps("close", near, starts, around, level, scale)
    spent += parts * part
    curve = solved(near, around, aim, scale, level, rising, (low, high))
    if curve is None:
        all_values, all_made = np.concatenate([values, near]), made + around
        order = np.argsort(all_values, kind="stable")
        signs = [side_of(_estimate(all_made[at], all_level, scale), aim) for at in order]
        crossed = crossings(all_values[order], signs)
        if len(crossed) == 1:
            return without_value("bracketed", *crossed[0])
        return without_value("several" if crossed else "unresolved")
    confirmation, confirmed = None, None
    if confirm and step is None:
        after, count = spent, _rounded(confirm, whole)
        (last,) = _played(evaluate, np.array([curve.root]), np.array([after]), np.array([count]))
        confirmation = _estimate(last, level, scale)
        path += (Step("confirm", curve.root, after, confirmation),)
        spent += count
        confirmed = None if band is None else within_band(confirmation, aim, band)
    found = (curve.root, curve.low, curve.high, curve.error, float(level), "curve", spent, crossed, path)
    return FairValue("found", *found, confirmation, confirmed)


def mixed_value(
    values: tuple[float, float], means: ArrayLike, covariance: ArrayLike, units: int, *, target: float, level: float
) -> FairValue:
    """Find the fractional value between two whole ones, by mixing games played at either.

    A share f of the games at the second value and the rest at the first has exactly the metric
    ``(1 - f) w1 + f w2``; so ``f = (w1 - target) / (w1 - w2)``, with Fieller's interval. Dice of their own for the
    two values serve it best: common ones move both means together, and the price with them.

    Parameters
    ----------
    values
        The two values of the parameter, strictly rising.
    means
        Shape ``(2,)``: the metric at each.
    covariance
        Shape ``(2, 2)``: of the two means; off the diagonal 0 unless they shared dice.
    units
        Behind the two means together.
    target
        Of the metric.
    level
        Confidence level.

    Returns
    -------
    FairValue
        ``"unresolved"`` if the two means do not surely differ, ``"beyond"`` if the target is not between them.

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> means = np.array([0.58, 0.46])
    >>> found = mixed_value((1, 2), means, np.diag(means * (1 - means) / 1e5), 200_000, target=0.5, level=0.95)
    >>> f"{found.value:.4f} {found.error:.4f} {found.low:.4f} {found.high:.4f}"
    '1.6667 0.0098 1.6477 1.6861'
    """
    start, step = float(values[0]), positive("step between the two values", float(values[1]) - float(values[0]))
    seen, spread = finite("means", means).astype(np.float64), finite("covariance", covariance).astype(np.float64)
    if seen.shape != (2,) or spread.shape != (2, 2):
        raise ValueError(f"means has shape {seen.shape}, covariance {spread.shape}; allowed are (2,) and (2, 2)")
    turn = np.array([[1.0, 0.0], [1.0, -1.0]])
    top, bottom = float(seen[0] - target), float(seen[0] - seen[1])
    found = fieller(top, bottom, turn @ spread @ turn.T, normal_quantile(level))
    if found is None:
        return FairValue("unresolved", None, None, None, None, float(level), "mixing", int(units))
    share, error = top / bottom, float(np.sqrt(ratio_variance(top, bottom, turn @ spread @ turn.T)))
    if not 0.0 <= share <= 1.0:
        return FairValue("beyond", None, None, None, None, float(level), "mixing", int(units))
    low, high = (start + step * min(max(bound, 0.0), 1.0) for bound in found)
    return FairValue("found", start + step * share, low, high, step * error, float(level), "mixing", int(units))


def _laid(values: FloatArray, low: float, step: float | None) -> FloatArray:
    """Move values to the nearest ones that can be played."""
    return values if step is None else np.asarray(low + step * np.round((values - low) / step), dtype=np.float64)


def _rounded(units: float, whole: int) -> int:
    return max(1, int(units) // whole) * whole


def _played(evaluate: Evaluate, values: FloatArray, starts: IntArray, counts: IntArray) -> list[Batches]:
    made: list[Batches] = []
    for value, first, units in zip(values.tolist(), starts.tolist(), counts.tolist(), strict=True):
        one = evaluate(value, first, units)
        got, size = int(np.sum(one.counts)), np.size(one.counts)
        wanted = np.size(made[0].counts) if made else max(4, size)
        if got != units or size != wanted or not np.shape(one.sums) == np.shape(one.counts) == (size,):
            allowed = f"{units} in {wanted if made else 'at least 4'} batches"
            raise ValueError(f"evaluate gave {got} units in {size} batches; allowed are {allowed}")
        made.append(one)
    return made


def _estimate(made: Batches, level: float, scale: Scale) -> Estimate:
    """Estimate a metric; a share that was 0 or 1 throughout gets the exact interval, as nothing varied."""
    total, n = float(np.sum(made.sums)), int(np.sum(made.counts))
    if scale != "plain" and total in (0.0, float(n)):
        low, high = clopper_pearson(int(total), n, level)
        return Estimate(total / n, float(low), float(high), level, n, "clopper-pearson")
    low, high = batch_mean(made.sums, made.counts, level)
    if scale != "plain" and not 0.0 <= total <= n:
        raise ValueError(f"evaluate gave a mean of {total / n}; allowed on the {scale} scale are shares from 0 to 1")
    return Estimate(total / n, float(low), float(high), level, n, "batch-t")


def _steps(
    stage: str, values: FloatArray, starts: IntArray, made: Sequence[Batches], level: float, scale: Scale
) -> tuple[Step, ...]:
    return tuple(
        Step(stage, float(value), first, _estimate(one, level, scale))
        for value, first, one in zip(values, starts.tolist(), made, strict=True)
    )
