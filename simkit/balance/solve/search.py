"""Looking for the value of a parameter that brings a metric to its target, on any function that plays units of games.

Of a few values all are tried, each until it is surely on one side of the target or the units are spent; every change of
side is listed, and the line through the means around it says where the target is met. Of many, a fit in three
stages says it (see :func:`simkit.stats.fairvalue.fair_value`). Every value has dice of its own, and each stage other
ones, so that an answer does not rest on the luck that led to it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simkit.balance.solve.ladder import Ladder
from simkit.stats import Estimate
from simkit.stats.bracketing import side_of, within_band
from simkit.stats.checks import t_quantile
from simkit.stats.fairvalue import fair_value
from simkit.stats.localfit import Batches, Scale
from simkit.stats.moments import batch_residuals
from simkit.stats.multiple import bonferroni_level
from simkit.stats.polyline import meeting

BATCHES = 256
FIRST_LOOK = 1_024
"""Units of each value at the first look; every look has four times as many."""

CLOSE = 2**31
"""Number of the first unit of the second stage of a value, and half of the units that a value may have."""

REGION = 64
"""Times `CLOSE`: units set aside for the values of a part of a range, at most 25 with two stages each."""

FIT = 2**42
"""Number of the first unit of a fit."""

GRID = 9
"""Values that are tried along the whole range where there are many."""

LEAST = 40 * GRID * BATCHES
"""Least units with which a part of a range is looked at."""

STEEP = 1.2
"""Change of a metric between two values, in standard deviations of a unit, from which no line is fitted."""

Sums: TypeAlias = NDArray[np.float64]
"""Shape (256,): by batch what the metric adds up to over its units."""

Status: TypeAlias = Literal["found", "several", "fair", "beyond", "unresolved"]


class Play(Protocol):
    """Plays units at a place of the ladder: every batch has as many of them, `units` is a multiple of 256."""

    def __call__(self, place: float, first: int, units: int, *, fresh: bool = False) -> Sums:
        """Return the batch sums; `fresh` dice have not been seen by any search."""


Judge: TypeAlias = Callable[[Sums, int, float], Estimate]
"""``(sums, units, level)``: the metric with its interval."""


class Aim(NamedTuple):
    """What is sought, and how surely."""

    target: float
    within: float | None
    """Half-width of the band around the target that still counts as met."""
    level: float
    scale: Scale = "plain"
    """On which the metric is a line where a fit is made."""


@dataclass(frozen=True)
class Look:
    """What was seen at one value."""

    place: float
    estimate: Estimate
    side: int
    """-1 below the target, 1 above it, 0 not resolved."""
    fair: bool | None
    """Whether the metric surely lies within the band, or surely not; None where neither is sure."""


@dataclass(frozen=True)
class Check:
    """The metric at one value, or in a mixture of two, at the level by itself."""

    place: float
    estimate: Estimate
    fair: bool | None


@dataclass(frozen=True)
class Root:
    """A place at which the metric meets the target.

    Attributes
    ----------
    place, low, high
        The place and its interval; None where only `below` and `above` are known.
    below, above
        The nearest values on either side of it that are surely on different sides of the target.
    rising
        Whether the metric rises there.
    method
        ``"mixing"`` or ``"curve"``; ``"exact"``; ``"bracket"`` where no place is known; ``"fair"`` for the
        best of the values, from `low` to `high`, that are fair although the metric is not seen to cross the target.
    behind
        The games that the place was worked out from, each value at the level by itself: of a mixture all values from
        `below` to `above`, of a curve the three that it goes through.
    checks
        On fresh dice: the two neighbours of the place, or one where it is a value itself; then the mixture of the two.
    """

    place: float | None
    low: float | None
    high: float | None
    below: float
    above: float
    rising: bool
    method: str
    behind: tuple[Check, ...] = ()
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True)
class Found:
    """What a search came to.

    Attributes
    ----------
    status
        ``"found"``: the metric meets the target once; ``"several"``: more than once; ``"fair"``: it comes so near that
        some value is fair, and is not seen to cross; ``"beyond"``: it is surely on one side everywhere that was looked;
        ``"unresolved"``: more units are needed.
    roots
        Where it meets the target, or comes so near that it is fair.
    looks
        What was seen along the range, in order; all of it together is at the level of the search.
    units
        Spent on looking, and on confirming.
    """

    status: Status
    roots: tuple[Root, ...]
    looks: tuple[Look, ...]
    units: int


def search(play: Play, judge: Judge, ladder: Ladder, aim: Aim, *, units: int, confirm: int, region: int = 0) -> Found:
    """Look for the places at which a metric meets its target.

    Parameters
    ----------
    play, judge
        What plays and what estimates.
    ladder
        The values there are.
    aim
        What is sought.
    units
        Most units for looking and for the answer together.
    confirm
        Units on fresh dice at the answer; 0 for none.
    region
        Number of a part of a range that is looked at in its own right, for dice of its own.

    Returns
    -------
    Found
    """
    found = _scanned(play, judge, ladder, aim, units, region) if ladder.short else _fitted(
        play, judge, ladder, aim, units, region
    )  # fmt: skip
    found = with_fair(found, aim.target)
    return confirmed(play, judge, ladder, aim, found, confirm) if confirm else found


def _whole(units: float) -> int:
    return max(1, int(units) // BATCHES) * BATCHES


def _scanned(play: Play, judge: Judge, ladder: Ladder, aim: Aim, units: int, region: int) -> Found:
    """Try all values, then play those around every change of side on other dice."""
    looks, spent = _looked(play, judge, ladder, aim, units // 2, region, more=units - units // 2)
    ranges = [ladder.between(a.place, b.place) for a, b in _crossed(looks)]
    members = sum(map(len, ranges))
    roots, each = [], _whole((units - spent) / max(1, members))
    for places in ranges:
        some = [look for look in looks if look.place in places]
        roots.append(_met(play, judge, ladder, aim, some, each, region))
    spent += each * members
    return Found(_status(looks, roots), tuple(roots), tuple(looks), spent)


def _status(looks: Sequence[Look], roots: Sequence[Root]) -> Status:
    if len(roots) > 1:
        return "several"
    if roots:
        return "found" if roots[0].place is not None else "unresolved"
    if any(look.fair for look in looks):
        return "fair"
    return "beyond" if {look.side for look in looks} in ({1}, {-1}) else "unresolved"


def _looked(
    play: Play, judge: Judge, ladder: Ladder, aim: Aim, units: int, region: int, *, more: int = 0
) -> tuple[list[Look], int]:
    """Look at all values again and again, until each is decided or the units are spent.

    Every look at every value has its share of the error, so that all of them hold together whenever one stops. Where
    the metric is not seen to cross its target by then, the values that are open get `more` units.
    """
    count = len(ladder.places)
    first = min(FIRST_LOOK, _whole(units / count))
    steps = 1
    while first * 4**steps <= units:
        steps += 1
    each_level = bonferroni_level(count * (steps + 2), aim.level)
    sums = {i: np.zeros(BATCHES) for i in range(count)}
    looks: dict[int, Look] = {}
    waiting, have, spent = list(range(count)), 0, 0

    def look(upto: int) -> None:
        nonlocal waiting, have, spent
        for i in waiting:
            place = ladder.places[i]
            sums[i] += play(place, (2 * i + REGION * region) * CLOSE + have, upto - have)
            looks[i] = _judged(judge, place, sums[i], upto, each_level, aim)
        spent, have = spent + (upto - have) * len(waiting), upto
        waiting = [i for i in waiting if not _decided(looks[i], aim)]

    look(first)
    while waiting and spent + 3 * have * len(waiting) <= units:
        look(4 * have)
    for budget in (units, units + more):
        crossed = _crossed([looks[i] for i in range(count)])
        left = (budget - spent) // (BATCHES * max(1, len(waiting))) * BATCHES
        if waiting and left > 0 and not (budget > units and crossed):
            look(have + left)
    return [looks[i] for i in range(count)], spent


def _judged(judge: Judge, place: float, sums: Sums, units: int, level: float, aim: Aim) -> Look:
    found = judge(sums, units, level)
    fair = None if aim.within is None else within_band(found, aim.target, aim.within)
    return Look(place, found, side_of(found, aim.target), fair)


def _decided(look: Look, aim: Aim) -> bool:
    """Tell whether nothing more is asked of a value: it is fair, or on one side and not fair."""
    return look.fair is True or (look.side != 0 and (aim.within is None or look.fair is False))


def _met(play: Play, judge: Judge, ladder: Ladder, aim: Aim, looks: Sequence[Look], each: int, region: int) -> Root:
    """Find where the line through the means of some values meets the target, the first and last on different sides."""
    places = [look.place for look in looks]
    numbers = [2 * ladder.places.index(place) + 1 + REGION * region for place in places]
    sums = [play(place, number * CLOSE, each) for place, number in zip(places, numbers, strict=True)]
    behind = tuple(_check(judge, place, some, each, aim) for place, some in zip(places, sums, strict=True))
    mean, residuals, _ = batch_residuals(np.stack(sums), np.full(BATCHES, each // BATCHES))
    variances = (residuals**2).sum(axis=-1) * BATCHES / (BATCHES - 1.0)
    rising = looks[-1].side > 0
    quantile = float(t_quantile(aim.level, np.asarray(BATCHES - 1.0)))
    place = meeting(places, mean, variances, level=aim.target, quantile=quantile)
    if place is None or (mean[-1] > mean[0]) != rising:
        return Root(None, None, None, places[0], places[-1], rising, "bracket", behind)
    return Root(place.value, place.low, place.high, places[0], places[-1], rising, "mixing", behind)


def _fitted(play: Play, judge: Judge, ladder: Ladder, aim: Aim, units: int, region: int) -> Found:
    """Look at a few values along the range, then fit a curve to one change of side; several are looked at in parts."""
    grid = _grid(ladder)
    looks, spent = _looked(play, judge, grid, aim, units // 10, region)
    crossed = _crossed(looks)
    if len(crossed) == 1 and not _steep(*crossed[0]):
        return _one_fit(play, judge, ladder, aim, units - spent, spent, looks, region)
    if not crossed:
        found = Found(_status(looks, ()), (), tuple(looks), spent)
        if found.status == "beyond":
            return found
        return _one_fit(play, judge, ladder, aim, units - spent, spent, looks, region)
    left = (units - spent) // len(crossed)
    if left < LEAST:
        roots = [Root(None, None, None, a.place, b.place, b.side > 0, "bracket") for a, b in crossed]
        return Found(_status(looks, roots), tuple(roots), tuple(looks), spent)
    parts = [
        search(play, judge, ladder.part(a.place, b.place), aim, units=left, confirm=0, region=region * GRID + k + 1)
        for k, (a, b) in enumerate(crossed)
    ]
    known = _together(looks, *(part.looks for part in parts))
    roots = [root for part in parts for root in part.roots]
    return Found(_status(known, roots), tuple(roots), known, spent + sum(part.units for part in parts))


def _grid(ladder: Ladder) -> Ladder:
    """Return a few values along a range."""
    if ladder.continuous:
        places = np.linspace(ladder.places[0], ladder.places[-1], GRID).tolist()
        return Ladder(tuple(places), tuple(places), None)
    at = np.round(np.linspace(0, len(ladder.places) - 1, GRID)).astype(int).tolist()
    return Ladder(tuple(ladder.values[i] for i in at), tuple(ladder.places[i] for i in at), None)


def _crossed(looks: Sequence[Look]) -> list[tuple[Look, Look]]:
    decided = [look for look in looks if look.side]
    return [(a, b) for a, b in pairwise(decided) if a.side != b.side]


def _steep(before: Look, after: Look) -> bool:
    """Tell whether a metric changes between two values by more than a line on any scale can follow."""
    widths = [
        (look.estimate.high - look.estimate.low) / 7.0 * float(np.sqrt(look.estimate.n)) for look in (before, after)
    ]
    return abs(after.estimate.estimate - before.estimate.estimate) > STEEP * max(widths)


def _together(*looks: Sequence[Look]) -> tuple[Look, ...]:
    """Join looks in the order of their places; of one place the one with more units stays."""
    best: dict[float, Look] = {}
    for look in (look for some in looks for look in some):
        if look.place not in best or best[look.place].estimate.n < look.estimate.n:
            best[look.place] = look
    return tuple(best[place] for place in sorted(best))


def _one_fit(
    play: Play, judge: Judge, ladder: Ladder, aim: Aim, units: int, spent: int, looks: Sequence[Look], region: int
) -> Found:
    """Fit a curve where the metric meets its target once, as far as was seen."""
    low, high = ladder.places[0], ladder.places[-1]
    each_level = bonferroni_level(GRID + 6, aim.level)
    seen: list[Look] = []
    alone: list[Check] = []

    def evaluate(value: float, first: int, count: int) -> Batches:
        place = value if ladder.continuous else ladder.places[round((value - low) / (ladder.step or 1.0))]
        sums = play(place, FIT * (1 + region) + first, count)
        seen.append(_judged(judge, place, sums, count, each_level, aim))
        alone.append(_check(judge, place, sums, count, aim))
        return Batches(sums, np.full(BATCHES, count // BATCHES))

    made = fair_value(
        evaluate, low, high, target=aim.target, level=aim.level, units=units,
        scale=aim.scale, grid=GRID, whole=BATCHES, step=ladder.step,
    )  # fmt: skip
    known = _together(looks, seen)
    spent += made.units
    crossed = _crossed(known)
    if made.status == "found":
        close = [step.estimate.estimate for step in made.path if step.stage == "close"]
        ends = (crossed[0][0].place, crossed[0][1].place) if len(crossed) == 1 else (low, high)
        root = Root(made.value, made.low, made.high, *ends, close[-1] > close[0], made.method, tuple(alone[-3:]))
        return Found("found", (root,), known, spent)
    roots = [Root(None, None, None, a.place, b.place, b.side > 0, "bracket") for a, b in crossed]
    return Found(_status(known, roots), tuple(roots), known, spent)


def with_fair(found: Found, target: float) -> Found:
    """Make an answer of the best of the values that are fair without a crossing, and of those in a row with it."""
    looks = found.looks
    fair = [i for i, look in enumerate(looks) if look.fair]
    if found.status != "fair" or not fair:
        return found
    low = high = best = min(fair, key=lambda i: abs(looks[i].estimate.estimate - target))
    while low - 1 in fair:
        low -= 1
    while high + 1 in fair:
        high += 1
    first, last = looks[low].place, looks[high].place
    return replace(found, roots=(Root(looks[best].place, first, last, first, last, False, "fair"),))


def confirmed(play: Play, judge: Judge, ladder: Ladder, aim: Aim, found: Found, units: int) -> Found:
    """Play every answer on fresh dice: the values on either side of it, and the mixture of them that it stands for.

    Parameters
    ----------
    play, judge, ladder, aim
        As in :func:`search`.
    found
        What is to be confirmed.
    units
        For all checks together.
    """
    each = units // max(1, len(found.roots))
    roots = tuple(replace(root, checks=_checks(play, judge, ladder, aim, root, each)) for root in found.roots)
    spent = sum(check.estimate.n for root in roots for check in root.checks[:2])
    return replace(found, roots=roots, units=found.units + spent)


def _checks(play: Play, judge: Judge, ladder: Ladder, aim: Aim, root: Root, units: int) -> tuple[Check, ...]:
    if root.place is None:
        return ()
    ends = tuple(dict.fromkeys(ladder.around(root.place)))
    each = _whole(units / len(ends))
    sums = [play(place, 0, each, fresh=True) for place in ends]

    checks = [_check(judge, place, some, each, aim) for place, some in zip(ends, sums, strict=True)]
    if len(ends) > 1:
        share = (root.place - ends[0]) / (ends[1] - ends[0])
        checks.append(_check(judge, root.place, (1.0 - share) * sums[0] + share * sums[1], each, aim))
    return tuple(checks)


def _check(judge: Judge, place: float, sums: Sums, units: int, aim: Aim) -> Check:
    found = judge(sums, units, aim.level)
    return Check(place, found, None if aim.within is None else within_band(found, aim.target, aim.within))
