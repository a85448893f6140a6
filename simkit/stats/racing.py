"""Racing of many pairs: which of them get more units next, and what dropping the decided ones saved.

Every pair has a confidence sequence at the level of all pairs together (``bonferroni_level``). It may be looked at as
often as one likes, so a pair can be dropped at the first look that decides it, whatever the others do.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.checks import BoolArray, FloatArray, IntArray, bounds, finite, positive, whole
from simkit.stats.sequential import inside_band, sign_decided


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of each pair after a look.

    Attributes
    ----------
    sign
        int64, one a pair: 1 surely above the target, -1 surely below, 0 not decided.
    fair
        bool: surely within the band around the target. A pair can be both: above the target, by less than matters.
    open
        bool: neither; these pairs go on.
    units
        int64: units of each pair so far.
    """

    sign: IntArray
    fair: BoolArray
    open: BoolArray
    units: IntArray

    @property
    def spent(self) -> int:
        """Units of all pairs so far."""
        return int(self.units.sum())

    @property
    def uniform(self) -> int:
        """Units if every pair had been given as many as the longest one.

        What a run that treats all pairs alike needs for the same statements; while pairs are open, the least that it
        needs.
        """
        return int(self.units.max()) * self.units.size

    @property
    def saved(self) -> int:
        """Units that dropping decided pairs has saved against a uniform run."""
        return self.uniform - self.spent

    @property
    def gain(self) -> float:
        """How many times the units a uniform run takes; 1 if nothing was saved."""
        return self.uniform / self.spent


def standing(
    low: ArrayLike, high: ArrayLike, units: ArrayLike, *, target: float = 0.5, within: float, ready: ArrayLike = True
) -> Standing:
    """Judge all pairs by their current intervals.

    A dropped pair gets no more units, so its interval and what was said of it stay as they are.

    Parameters
    ----------
    low, high
        One a pair: bounds of confidence sequences, each at ``bonferroni_level(pairs, level)``; then all statements
        hold together at ``level``, at all looks.
    units
        Units of each pair so far, integers of at least 1.
    target
        Value in question: 0.5 for a score, 0 for a difference.
    within
        Half-width of the band around the target that counts as fair, above 0. Without a band two equal designs would
        race forever.
    ready
        bool, one a pair or one for all: False where the sequence may not speak yet (``asymptotic_ready``); such a
        pair stays open.

    Returns
    -------
    Standing

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> found = standing([0.51, 0.48, 0.495], [0.56, 0.53, 0.505], [1_000, 4_000, 4_000], within=0.01)
    >>> found.sign.tolist(), found.fair.tolist(), found.open.tolist()
    ([1, 0, 0], [False, False, True], [False, True, False])
    >>> found.spent, found.uniform, found.saved
    (9000, 12000, 3000)
    """
    below, above = bounds(low, high)
    if below.ndim != 1 or below.size == 0:
        raise ValueError(f"low and high have shape {below.shape}; allowed is one bound a pair, at least one pair")
    counts = np.broadcast_to(whole("units", units, 1), below.shape).copy()
    speaks = np.broadcast_to(np.asarray(ready, dtype=np.bool_), below.shape)
    decided = sign_decided(below, above, target) & speaks
    fair = inside_band(below, above, target, within) & speaks
    sign = np.where(decided, np.where(below > target, 1, -1), 0).astype(np.int64)
    return Standing(sign, fair, ~(decided | fair), counts)


def units_to_resolve(
    estimate: ArrayLike, low: ArrayLike, high: ArrayLike, n: ArrayLike, *, target: float = 0.5, within: float
) -> FloatArray:
    """Roughly how many further units until a pair can be dropped, if its estimate stays.

    Either bound moves towards the estimate as ``1 / sqrt(n)``. The pair is dropped when the bound on the target's
    side passes the target, or both bounds are within the band: whichever takes fewer units. An estimate half-way out
    to the edge of the band takes most.

    Parameters
    ----------
    estimate, low, high
        One a pair, ``low <= estimate <= high``.
    n
        Units of each pair so far, integers of at least 1.
    target, within
        As in ``standing``.

    Returns
    -------
    float64 array
        Whole numbers; 0 where the pair can be dropped already.

    Raises
    ------
    ValueError
        If the bounds are not around the estimate, or on other numbers.

    Examples
    --------
    >>> units_to_resolve([0.5, 0.505, 0.54], [0.48, 0.485, 0.52], [0.52, 0.525, 0.56], 10_000, within=0.01).tolist()
    [30000.0, 150000.0, 0.0]
    """
    below, above = bounds(low, high)
    middle, count, band = finite("estimate", estimate), whole("n", n, 1), positive("within", within)
    if ((middle < below) | (middle > above)).any():
        raise ValueError("estimate lies outside low .. high; allowed is low <= estimate <= high")
    up, down, off = above - middle, middle - below, middle - target
    by_sign = _times(np.where(off > 0.0, down, up), np.abs(off))
    by_band = np.maximum(_times(up, band - off), _times(down, band + off))
    times = np.minimum(by_sign, by_band) ** 2
    return np.asarray(np.maximum(0.0, np.ceil(np.round(count * times, 6)) - count))


def next_units(
    found: Standing, looks: Sequence[int], *, budget: int | None = None, need: ArrayLike | None = None
) -> IntArray:
    """Units to give to each pair before the next look: open pairs go on to their next look, the others get none.

    The looks are fixed beforehand (``simkit.stats.looks``), so where a pair stops depends on its own games alone:
    neither on the other pairs nor on how the work was shared out. Only a budget can end a pair early: when it does
    not reach for all open pairs, those that need fewest units are served first, as they can still be decided.

    Parameters
    ----------
    found
        From ``standing``.
    looks
        Units of a pair at which to look, strictly rising. A pair at the last one is not given more.
    budget
        Units of all pairs together, those spent included; None for no limit.
    need
        From ``units_to_resolve``, one a pair: whom to serve first if the budget is short. Without it: the pairs with
        fewest units.

    Returns
    -------
    int64 array
        One a pair; all 0 when the race is over.

    Raises
    ------
    ValueError
        On other numbers or shapes.

    Examples
    --------
    >>> found = standing([0.51, 0.48, 0.47], [0.56, 0.53, 0.52], [1_000, 1_000, 1_000], within=0.01)
    >>> next_units(found, [1_000, 2_000, 4_000]).tolist()
    [0, 1000, 1000]
    >>> next_units(found, [1_000, 2_000, 4_000], budget=4_500, need=[0, 90_000, 8_000]).tolist()
    [0, 0, 1000]
    """
    times = whole("looks", np.asarray(looks) if len(looks) else np.zeros(1, np.int64))
    if times.ndim != 1 or times[0] < 1 or (np.diff(times) <= 0).any():
        raise ValueError(f"looks is {list(looks)}; allowed are rising whole numbers from 1, at least one")
    at = np.searchsorted(times, found.units, side="right")
    ahead = times[np.minimum(at, times.size - 1)] - found.units
    more = np.where(found.open & (at < times.size), ahead, 0).astype(np.int64)
    if budget is None:
        return more
    order_by = found.units if need is None else np.asarray(need, dtype=np.float64)
    if order_by.shape != more.shape:
        raise ValueError(f"need has shape {order_by.shape}; allowed is one number a pair, {more.shape}")
    left = int(whole("budget", budget)) - found.spent
    for pair in np.argsort(order_by, kind="stable"):
        if more[pair] > left:
            more[pair] = 0
        left -= int(more[pair])
    return more


def _times(reach: FloatArray, room: FloatArray) -> FloatArray:
    """Factor by which a reach must shrink to fit a room; inf where there is none."""
    factor = np.full(np.broadcast_shapes(reach.shape, room.shape), np.inf)
    np.divide(reach, room, out=factor, where=np.broadcast_to(room > 0.0, factor.shape))
    return factor
