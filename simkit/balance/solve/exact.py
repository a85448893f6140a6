"""Where a metric that is known exactly meets its target: between which values, and at which mixture of the two."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple

from simkit.balance.solve.ladder import Ladder
from simkit.balance.solve.search import Found, Look, Root, Status
from simkit.stats import Estimate


class Known(NamedTuple):
    """The metric at a value, solved."""

    value: Fraction
    error: float
    """Most that it is off; 0 for fractions."""


def exact_search(known: Sequence[Known], ladder: Ladder, target: Fraction, within: float | None) -> Found:
    """Find every place at which an exact metric meets its target.

    Between two values the metric of a mixture is on the straight line between theirs, so that the share of the games at
    either is known as well. Values at which the metric is the target itself are a place of their own, from the first
    to the last of those in a row.

    Parameters
    ----------
    known
        The metric at every value of the ladder.
    ladder
        The values.
    target
        Of the metric.
    within
        Half-width of the band around the target that still counts as met, or None.

    Returns
    -------
    Found
        Without checks; every estimate is exact.

    Examples
    --------
    >>> ladder = Ladder((-3, -2), (-3.0, -2.0), 1.0)
    >>> values = [Known(Fraction(1, 4), 0.0), Known(Fraction(3, 4), 0.0)]
    >>> exact_search(values, ladder, Fraction(1, 2), None).roots[0].place
    -2.5
    """
    off = [one.value - target for one in known]
    sides = [0 if abs(d) <= one.error else 1 if d > 0 else -1 for d, one in zip(off, known, strict=True)]
    looks = tuple(
        Look(place, Estimate.exact(float(one.value)), side, None if within is None else abs(d) <= within)
        for place, one, side, d in zip(ladder.places, known, sides, off, strict=True)
    )
    roots = [_between(ladder, off, k) for k, (a, b) in enumerate(pairwise(sides)) if a * b < 0]
    runs = [list(run) for met, run in groupby(range(len(sides)), lambda k: sides[k] == 0) if met]
    roots += [_at(ladder, known, run[0], run[-1]) for run in runs]
    roots.sort(key=lambda root: root.below)
    return Found(_status(looks, roots), tuple(roots), looks, 0)


def _status(looks: Sequence[Look], roots: Sequence[Root]) -> Status:
    if roots:
        return "several" if len(roots) > 1 else "found"
    return "fair" if any(look.fair for look in looks) else "beyond"


def _between(ladder: Ladder, off: Sequence[Fraction], k: int) -> Root:
    share = off[k] / (off[k] - off[k + 1])
    below, above = ladder.places[k : k + 2]
    place = below + (above - below) * float(share)
    return Root(place, place, place, below, above, off[k + 1] > 0, "exact")


def _at(ladder: Ladder, known: Sequence[Known], first: int, last: int) -> Root:
    """Return values that meet the target themselves, one or several in a row."""
    low, high = ladder.places[first], ladder.places[last]
    around = known[max(0, first - 1) : last + 2]
    return Root(low, low, high, low, high, around[-1].value > around[0].value, "exact")
