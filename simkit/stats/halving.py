"""The best of very many, found in rounds: the worse half goes, those that stay are played longer, and so on.

Successive halving (Karnin, Koren and Somekh, ICML 2013; Jamieson and Talwalkar, AISTATS 2016) gives every round about
the same number of games, so that most games go to those among which the choice is hard. It says which are best with no
statement of error: the last few are therefore raced (:func:`contenders`), in which nobody is dropped before it is sure
that another is better.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.checks import BoolArray, FloatArray, IntArray, bounds, finite, positive, whole
from simkit.stats.multiple import bonferroni_level
from simkit.stats.sequential import asymptotic_half_width


class Round(NamedTuple):
    """A round: how many are in it, up to how many units each is played, and how many stay."""

    entrants: int
    units: int
    stay: int


def rounds(entrants: int, stay: int, *, first: int, keep: float = 0.5) -> tuple[Round, ...]:
    """Plan the rounds.

    Parameters
    ----------
    entrants
        How many there are, at least 1.
    stay
        How many are to be left in the end.
    first
        Units for each in the first round, at least 1; with every round they become more as those in it become fewer,
        so that all rounds cost about the same.
    keep
        Share that stays after a round, above 0 and below 1.

    Returns
    -------
    tuple of Round
        Empty if there is nothing to choose.

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> [tuple(one) for one in rounds(1000, 16, first=4, keep=0.25)]
    [(1000, 4, 250), (250, 16, 63), (63, 63, 16)]
    """
    if entrants < 1 or stay < 1 or first < 1 or not 0.0 < keep < 1.0:
        given = f"entrants is {entrants}, stay {stay}, first {first}, keep {keep}"
        raise ValueError(f"{given}; allowed are whole numbers from 1, and a share above 0 and below 1")
    found, left = list[Round](), entrants
    while left > stay:
        after = max(stay, min(left - 1, int(np.ceil(left * keep))))
        found.append(Round(left, max(1, round(first * entrants / left)), after))
        left = after
    return tuple(found)


def survivors(scores: ArrayLike, stay: int) -> IntArray:
    """Return who stays: the places of the best scores, in rising order; of equals the first.

    Examples
    --------
    >>> survivors([0.2, 0.7, 0.5, 0.7], 2).tolist()
    [1, 3]
    """
    heights = finite("scores", scores).astype(np.float64)
    if heights.ndim != 1 or not 1 <= stay <= heights.size:
        raise ValueError(f"stay is {stay} of shape {heights.shape}; allowed are 1 to as many as there are scores")
    return np.sort(np.argsort(-heights, kind="stable")[:stay]).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Contest:
    """What is known of contenders after a look.

    Attributes
    ----------
    alive
        bool: not surely worse than another. The best is among these, with the confidence of the race.
    leader
        Place of the one with the highest mean among those alive.
    low, high
        Bounds of how much each scores above the leader, 0 for himself; confidence sequences that hold together.
    decided
        Whether the race is over: one is left, or none that is left can be more than the band above the leader.
    """

    alive: BoolArray
    leader: int
    low: FloatArray
    high: FloatArray
    decided: bool


def contenders(means: ArrayLike, units: int, level: float, *, within: float, alive: ArrayLike | None = None) -> Contest:
    """Judge contenders who have all been played on the same dice.

    For every pair there is an asymptotic confidence sequence of the difference, all of them together at ``level``
    (Bonferroni), so that one may look as often as one likes: with that confidence the best is never dropped.

    Parameters
    ----------
    means
        Shape ``(contenders, batches)``, at least 2 of each: mean score of each in each batch of units.
    units
        Units behind each row, the same number in every batch or nearly so.
    level
        Confidence level of the whole race.
    within
        Difference that no longer matters, above 0.
    alive
        bool, shape ``(contenders,)``: who was still in; everybody if left out. Nobody comes back.

    Returns
    -------
    Contest

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> luck = np.random.default_rng(1)
    >>> means = np.array([[0.6], [0.5], [0.3]]) + luck.normal(0, 0.02, (3, 256))
    >>> found = contenders(means, 100_000, 0.99, within=0.01)
    >>> found.leader, found.alive.tolist(), found.decided
    (0, [True, False, False], True)
    """
    table = finite("means", means).astype(np.float64)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 2:
        raise ValueError(f"means has shape {table.shape}; allowed is (contenders, batches) with at least 2 of each")
    count, batches = table.shape
    band, all_ = positive("within", within), int(whole("units", units, batches))
    before = np.ones(count, bool) if alive is None else np.asarray(alive, dtype=np.bool_)
    if before.shape != (count,) or not before.any():
        raise ValueError(f"alive has shape {before.shape}; allowed is ({count},) with somebody in")
    one = bonferroni_level(count * (count - 1) // 2, level)
    scores = table.mean(axis=1)
    spread = np.cov(table)
    variance = np.maximum(np.diag(spread)[:, None] + np.diag(spread)[None] - 2.0 * spread, 0.0) * (all_ / batches)
    half = asymptotic_half_width(np.sqrt(variance), np.full((count, count), all_), one)
    ahead = scores[None] - scores[:, None]  # how much the column scores above the row
    worse = (ahead - half > 0.0) & before[None]
    np.fill_diagonal(worse, False)
    left = before & ~worse.any(axis=1)
    if not left.any():  # rounding alone: the highest of those that were in stays
        left = before & (scores == scores[before].max())
    leader = int(np.flatnonzero(left)[np.argmax(scores[left])])
    low, high = bounds(ahead[leader] - half[leader], ahead[leader] + half[leader])
    low, high = low.copy(), high.copy()
    low[leader] = high[leader] = 0.0
    return Contest(left, leader, low, high, bool((high[left] <= band).all()))
