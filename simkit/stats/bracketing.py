"""Which of a few values of a parameter is too low, which too high, and which is fair."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.checks import FloatArray, finite, positive
from simkit.stats.estimate import Estimate
from simkit.stats.multiple import bonferroni_level

Status: TypeAlias = Literal["found", "bracketed", "several", "beyond", "unresolved"]

Judge: TypeAlias = Callable[[float, int, float], Estimate]
"""``(value, units, level)``: the confidence sequence of the metric after this many units at this value."""


@dataclass(frozen=True, slots=True)
class Step:
    """One evaluation on the way.

    Attributes
    ----------
    stage
        ``"pilot"``, ``"close"`` or ``"confirm"``; ``"look"`` in a bracket.
    value
        Of the parameter.
    first
        Number of the first unit; the dice of units with the same number are the same.
    estimate
        The metric there.
    """

    stage: str
    value: float
    first: int
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Bracket:
    """Which of a few values are too low, too high and fair.

    Attributes
    ----------
    status
        ``"found"``: some value is fair within the band; else as in ``FairValue``.
    below, above
        The values nearest to the target whose metric is surely below it, and surely above it; None if there is none.
    fair
        Values whose metric surely lies within the band.
    undecided
        Values tried that were neither at the last look.
    level
        Confidence level of all these statements together.
    crossings
        As in ``FairValue``.
    units
        All units spent.
    path
        The last look at each value tried, in the order of the values.
    """

    status: Status
    below: float | None
    above: float | None
    fair: tuple[float, ...]
    undecided: tuple[float, ...]
    level: float
    crossings: tuple[tuple[float, float], ...]
    units: int
    path: tuple[Step, ...]


def bracket(
    judge: Judge,
    values: Sequence[float],
    *,
    target: float,
    level: float,
    looks: Sequence[int],
    within: float | None = None,
    monotone: bool = True,
) -> Bracket:
    """Tell for a parameter with a few values which is too low, which too high, and which is fair.

    Each value is looked at until its confidence sequence lies on one side of the target or within the band, or the
    looks are used up. Its level is that of all values together (Bonferroni), so that the order in which values are
    tried, and how many are, does not matter. With a monotone metric bisection finds the two nearest decided values
    on either side; undecided values stay between them.

    Parameters
    ----------
    judge
        Gives the confidence sequence at a value; its units are counted from the first.
    values
        Of the parameter, strictly rising, at least 2.
    target
        Of the metric.
    level
        Confidence level of all statements together.
    looks
        Units at which to look, strictly rising.
    within
        Half-width of the band around the target that counts as fair; without it only signs are decided.
    monotone
        Whether the metric can be taken to rise or fall throughout. If not, all values are tried and every change of
        sign is listed.

    Returns
    -------
    Bracket

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> def exact(value, units, level):
    ...     return Estimate(value / 10, value / 10 - 0.01, value / 10 + 0.01, level, units, "asymptotic")
    >>> found = bracket(exact, range(1, 9), target=0.47, level=0.99, looks=[1_000])
    >>> found.status, found.below, found.above, len(found.path)
    ('bracketed', 4.0, 5.0, 5)
    """
    points = finite("values", list(values)).astype(np.float64)
    counts = [int(count) for count in looks]
    if points.size < 2 or (np.diff(points) <= 0.0).any():
        raise ValueError("values is not strictly rising; allowed are at least 2 rising values")
    if not counts or counts[0] < 1 or any(b <= a for a, b in pairwise(counts)):
        raise ValueError(f"looks is {counts}; allowed are rising whole numbers from 1")
    band = 0.0 if within is None else positive("within", within)
    each = bonferroni_level(points.size, level)
    seen: dict[int, tuple[int, bool, Step]] = {}

    def sign(at: int) -> int:
        if at not in seen:
            value = float(points[at])
            for count in counts:
                found = judge(value, count, each)
                side, fair = side_of(found, target), band > 0.0 and within_band(found, target, band) is True
                if fair or side:
                    break
            seen[at] = (0 if fair else side, fair, Step("look", value, 0, found))
        return seen[at][0]

    def edge(inner: int, outer: int) -> None:
        """Narrow the step between an index with some sign and one without it."""
        kept = sign(inner)
        while abs(outer - inner) > 1:
            middle = (inner + outer) // 2
            inner, outer = (middle, outer) if sign(middle) == kept else (inner, middle)

    last = points.size - 1
    ends = sign(0), sign(last)
    if not monotone:
        for at in range(points.size):
            sign(at)
    elif ends[0] != ends[1]:
        for inner, outer in ((0, last), (last, 0)):
            if sign(inner):
                edge(inner, outer)
    tried = sorted(seen)
    signs = [seen[at][0] for at in tried]
    fair = tuple(float(points[at]) for at in tried if seen[at][1])
    crossed = crossings(points[tried], signs)
    path = tuple(seen[at][2] for at in tried)
    below, above = (_nearest(points[tried], signs, side) for side in (-1, 1))
    if len(crossed) > 1:
        status: Status = "several"
    elif fair:
        status = "found"
    elif crossed:
        status = "bracketed"
    else:
        status = "beyond" if ends[0] == ends[1] != 0 and set(signs) == {ends[0]} else "unresolved"
    undecided = tuple(float(points[at]) for at in tried if not seen[at][0] and not seen[at][1])
    units = sum(step.estimate.n for step in path)
    return Bracket(status, below, above, fair, undecided, float(level), crossed, units, path)


def crossings(values: ArrayLike, signs: Sequence[int]) -> tuple[tuple[float, float], ...]:
    """List where a sign changes between neighbours that are decided; undecided values (0) are passed over.

    Parameters
    ----------
    values
        Of the parameter, rising.
    signs
        -1, 0 or 1 for each: the metric is below the target, undecided or within the band, above it.

    Returns
    -------
    tuple of (value before, value after)

    Examples
    --------
    >>> crossings([1, 2, 3, 4, 5], [-1, 0, 1, 1, -1])
    ((1.0, 3.0), (4.0, 5.0))
    """
    places = np.asarray(values, dtype=np.float64)
    decided = [(float(value), sign) for value, sign in zip(places, signs, strict=True) if sign]
    return tuple((a, b) for (a, one), (b, other) in pairwise(decided) if one != other)


def side_of(found: Estimate, target: float) -> int:
    """Tell on which side of the target an interval lies.

    Parameters
    ----------
    found
        A metric.
    target
        Its target.

    Returns
    -------
    int
        -1 below, 1 above, 0 if neither; 0 also where nothing varied, as an interval without width bounds nothing.

    Examples
    --------
    >>> side_of(Estimate(0.48, 0.47, 0.49, 0.99, 10_000, "asymptotic"), 0.5)
    -1
    """
    if _silent(found):
        return 0
    return int(found.low > target) - int(found.high < target)


def within_band(found: Estimate, target: float, within: float) -> bool | None:
    """Tell whether an interval lies within a band around the target.

    Parameters
    ----------
    found
        A metric.
    target, within
        Middle and half-width of the band.

    Returns
    -------
    bool or None
        True if inside, False if outside, None if neither is sure.

    Examples
    --------
    >>> within_band(Estimate(0.5, 0.49, 0.51, 0.99, 10_000, "asymptotic"), 0.5, 0.02)
    True
    """
    if _silent(found):
        return None
    if target - within <= found.low and found.high <= target + within:
        return True
    return False if found.high < target - within or found.low > target + within else None


def _silent(found: Estimate) -> bool:
    return found.low == found.high and found.method != "exact"


def _nearest(values: FloatArray, signs: Sequence[int], side: int) -> float | None:
    """Value of this sign that is nearest to the other signs."""
    has = [float(value) for value, sign in zip(values, signs, strict=True) if sign == side]
    if not has:
        return None
    return has[0] if signs[0] != side else has[-1]
