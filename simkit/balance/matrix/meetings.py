"""Who has met whom, how it went, and when a pair need not meet again: numbers alone, from the sums of batches.

Two sides meet from both seats on the same dice; all these games together are one unit, which scores from 0 to 1. A pair
is looked at after numbers of units that are fixed beforehand, and is done when its confidence sequence lies on one side
of one half or inside the fair band. The sequences of all pairs hold together, each at its part of the error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

from simkit import stats
from simkit.core.trials import BATCHES
from simkit.lab.store import units_per_batch
from simkit.stats.checks import BoolArray, FloatArray, IntArray, alpha_of
from simkit.stats.moments import batch_residuals
from simkit.stats.sequential import UNUSUAL_NEEDED

EVEN = 0.5
TIGHTEST = 10_000
"""Units at which the asymptotic sequence is tightest: about where pairs are decided that differ by some points."""

FIRST, GROWTH = BATCHES, 1.25
"""The first look, and how much farther each of the others is."""

FIRST_WINS, SECOND_WINS, FAIR, OPEN = "first", "second", "fair", "undecided"
"""What is known of a pair: who of the two is better, that they are even within the fair band, or nothing yet."""


@dataclass(frozen=True)
class Meetings:
    """What all meetings of some pairs add up to.

    Attributes
    ----------
    pairs
        int64, shape ``(pairs, 2)``: numbers of the two sides; the smaller first.
    units
        int64, shape ``(pairs,)``: units that each pair has met, multiples of 256.
    games
        Games of a unit, the same number from either seat.
    won, lost
        int64, shape ``(pairs, 256)``: games that the first of the two has won and lost, by batch (unit modulo 256).
    capped
        Games that nobody has won because the turns were used up.
    edges
        int64, shape ``(pairs, 256, edges)``: games won by whoever had what no side has earned; the first is the seat.
    """

    pairs: IntArray
    units: IntArray
    games: int
    won: IntArray
    lost: IntArray
    capped: IntArray
    edges: IntArray

    @classmethod
    def none(cls, pairs: Sequence[tuple[int, int]], games: int, edges: int) -> "Meetings":
        """Return pairs that have not met yet."""
        empty = np.zeros((len(pairs), BATCHES), np.int64)
        of_edges = np.zeros((len(pairs), BATCHES, edges), np.int64)
        units = np.zeros(len(pairs), np.int64)
        return cls(np.array(pairs, np.int64).reshape(-1, 2), units, games, empty, empty, empty, of_edges)

    def and_then(self, rows: IntArray, units: int, sums: IntArray) -> "Meetings":
        """Return the meetings with further ones of some pairs.

        Parameters
        ----------
        rows
            Which pairs have met again.
        units
            How often, each of them.
        sums
            Shape ``(rows, 256, 3 + edges)``: won, lost, capped, and what goes to the edges.
        """

        def more(before: IntArray, part: IntArray) -> IntArray:
            after = before.copy()
            after[rows] += part
            return after

        return Meetings(
            self.pairs,
            more(self.units, np.full(len(rows), units, np.int64)),
            self.games,
            more(self.won, sums[:, :, 0]),
            more(self.lost, sums[:, :, 1]),
            more(self.capped, sums[:, :, 2]),
            more(self.edges, sums[:, :, 3:]),
        )

    def only(self, rows: IntArray) -> "Meetings":
        """Return the meetings of some pairs."""
        parts = (self.won, self.lost, self.capped, self.edges)
        won, lost, capped, edges = (part[rows] for part in parts)
        return Meetings(self.pairs[rows], self.units[rows], self.games, won, lost, capped, edges)

    @property
    def batch_units(self) -> IntArray:
        """Units of each batch, shape ``(pairs, 256)``."""
        return np.array([units_per_batch(int(n)) for n in self.units], np.int64).reshape(-1, BATCHES)

    @property
    def points(self) -> IntArray:
        """Half points of the first of the two by batch, two for a win and one for a game that nobody has won."""
        return self.won - self.lost + self.games * self.batch_units

    @property
    def score(self) -> FloatArray:
        """Score of the first of the two, a win 1 and a draw half, shape ``(pairs,)``."""
        return np.asarray(self.points.sum(axis=1) / (2.0 * self.games * self.units))

    def shares(self, part: IntArray) -> FloatArray:
        """Return what share of the games a part of them is, shape ``(pairs,)``."""
        return np.asarray(part.sum(axis=1) / (self.games * self.units.astype(np.float64)))


class Known(NamedTuple):
    """What is known of the score of each pair, by intervals that hold for all pairs and at every look."""

    score: FloatArray
    low: FloatArray
    high: FloatArray
    exact: BoolArray
    """Whether the exact sequence, not the asymptotic one, set the width."""

    @property
    def half(self) -> FloatArray:
        """The larger of the distances to both ends."""
        return np.asarray(np.maximum(self.score - self.low, self.high - self.score))

    def words(self, within: float) -> list[str]:
        """Return what is known of each pair: ``first``, ``second``, ``fair`` or ``undecided``."""
        found = np.full(len(self.score), OPEN, dtype="<U9")
        found[stats.inside_band(self.low, self.high, EVEN, within)] = FAIR
        found[self.low > EVEN] = FIRST_WINS
        found[self.high < EVEN] = SECOND_WINS
        return [str(word) for word in found]


def known(met: Meetings, level: float) -> Known:
    """Bound the score of every pair by confidence sequences that hold together.

    Each pair gets its part of the error, half for exact sequences and half for an asymptotic one, and the interval is
    what all of them share. The exact ones are beta-binomial mixtures (:func:`simkit.stats.beta_binomial`), which hold
    for all values from 0 to 1: a chord lies above the exponential function, so that a unit of half a point speaks no
    louder than half a unit of one. One bounds the score; two bound the shares of games won and lost, which tells more
    where next to nobody wins. They do not know how little units vary. The asymptotic one does, from 256 batches; its
    multiplier is carried over to Student's t with 255 degrees of freedom. It waits until the variance shows that 100
    units must differ from the commonest score.

    Parameters
    ----------
    met
        Each pair must have met at least 256 times.
    level
        Confidence level of all pairs together, at least 0.5.

    Returns
    -------
    Known

    Examples
    --------
    >>> met = Meetings.none([(0, 1)], 2, 1)
    >>> sums = np.zeros((1, 256, 4), np.int64)
    >>> sums[0, :, 0] = 8
    >>> bounds = known(met.and_then(np.array([0]), 1024, sums), 0.99)  # won all 2,048
    >>> f"{bounds.low[0]:.3f} {bounds.score[0]:.0f} {bounds.high[0]:.0f}", bounds.words(0.01)
    ('0.990 1 1', ['first'])
    """
    alpha = alpha_of(level) / max(1, len(met.pairs))
    n, points, most = met.units, met.points, 2 * met.games
    low, high = _exactly(points.sum(axis=1), n, most, 1.0 - alpha / 4.0)
    won, lost = (_exactly(part.sum(axis=1), n, met.games, 1.0 - alpha / 8.0) for part in (met.won, met.lost))
    low = np.maximum(low, EVEN + (won[0] - lost[1]) / 2.0)
    high = np.minimum(high, EVEN + (won[1] - lost[0]) / 2.0)
    each = 1.0 - alpha / 2.0
    ratio, residuals, batches = batch_residuals(points, most * met.batch_units)
    error = np.sqrt((residuals**2).sum(axis=1) * batches / (batches - 1.0))
    multiplier = stats.asymptotic_half_width(1.0, n, each, TIGHTEST) * np.sqrt(n)
    half = -special.stdtrit(batches - 1.0, special.ndtr(-multiplier)) * error
    ready = n * (n * error**2) >= UNUSUAL_NEEDED
    low_asymptotic = np.where(ready, ratio - half, 0.0)
    high_asymptotic = np.where(ready, ratio + half, 1.0)
    exact = ~ready | (high - low < high_asymptotic - low_asymptotic)
    return Known(ratio, np.maximum(low, low_asymptotic), np.minimum(high, high_asymptotic), exact)


def _exactly(total: IntArray, n: IntArray, most: int, level: float) -> tuple[FloatArray, FloatArray]:
    """Bound a mean of units that give a whole number up to `most`, as a share of it."""
    low = stats.beta_binomial(total // most, n, level)[0]
    high = stats.beta_binomial(-(-total // most), n, level)[1]
    return low, high


def is_done(found: Known, within: float, precision: float | None) -> BoolArray:
    """Tell which pairs need not meet again: decided or fair, and known well enough.

    Parameters
    ----------
    found
        Of :func:`known`.
    within
        Half-width of the fair band.
    precision
        Largest half-width of an interval; None where any will do.
    """
    sure = np.array([word != OPEN for word in found.words(within)], np.bool_)
    return sure if precision is None else np.asarray(sure & (found.half <= precision))


def further(met: Meetings, found: Known, within: float) -> FloatArray:
    """Estimate how many more games each pair would take until it is decided or fair, if its score stays.

    The half-width shrinks with the root of the units. A pair is done when it is less than the distance to one half, or
    than that to the nearer edge of the band. Midway between them it takes longest, never for ever.

    Parameters
    ----------
    met, found, within
        As above.

    Returns
    -------
    float64 array, shape ``(pairs,)``
        Whole numbers; 0 for pairs that are done.
    """
    away = np.abs(found.score - EVEN)
    enough = np.maximum(away, within - away)
    factor = np.maximum(1.0, (found.half / enough) ** 2)
    more = np.ceil(np.round(met.units * factor, 6)) - met.units
    done = is_done(found, within, None)
    return np.asarray(np.where(done, 0.0, np.maximum(more, 1.0) * met.games))


def seats(won: IntArray, lost: IntArray, first: IntArray, games: IntArray) -> IntArray:
    """Part the games of a pair by seats so that all sums are right.

    How often each of the two has won and how often the first seat has do not tell who has won from where, if games
    were drawn. The model of Davidson and Beaver does not ask: it sees points, wins of the seat and draws alone, so that
    every table with these sums has the same likelihood. This is the one in the middle of all that there are.

    Parameters
    ----------
    won, lost
        Games that the first of the two has won and lost.
    first
        Games that the first seat has won.
    games
        Games from either seat, half of all.

    Returns
    -------
    int64, shape ``(2, 3, ...)``
        Wins, draws and losses of the first of the two in the first seat, then of the second of the two in it.

    Raises
    ------
    ValueError
        If there is no such table.

    Examples
    --------
    >>> seats(np.array(5), np.array(3), np.array(6), np.array(5)).tolist()
    [[3, 2, 0], [3, 0, 2]]
    """
    least = np.maximum.reduce([np.zeros_like(won), first - lost, -((games - won - first) // 2)])
    most = np.minimum.reduce([won, first, (games - lost + first) // 2])
    if (least > most).any():
        raise ValueError("won, lost and first fit no games; allowed are counts of the same games")
    here = (least + most) // 2  # wins of the first of the two in the first seat
    there = first - here
    mine = np.stack([here, games - here - (lost - there), lost - there])
    theirs = np.stack([there, games - there - (won - here), won - here])
    return np.stack([mine, theirs])


def looks(most: int) -> tuple[int, ...]:
    """List the numbers of units after which pairs are looked at: multiples of 256, the last at least `most`.

    Examples
    --------
    >>> looks(1_000)
    (256, 512, 768, 1024)
    """
    last = -(-most // BATCHES) * BATCHES
    return stats.looks(first=FIRST, growth=GROWTH, whole=BATCHES, last=last)
