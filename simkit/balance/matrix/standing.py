"""How sides stand that have all met each other: ratings, circles, what players would pick, and layers of strength.

Two sorts of numbers come in. What a pair is known to be (who is better, and how much at most) rests on everything that
was played, by confidence sequences. Ratings, mean scores, the seat and the cyclic share rest on the first units of
every pair, as many as were fixed beforehand: no rule that stops a pair early has touched them, and all pairs have had
the same dice.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from simkit import stats
from simkit.balance.equilibrium import effective_number, maximum_entropy, regrets, tiers, usage_range
from simkit.balance.matrix.meetings import EVEN, Known, Meetings, seats
from simkit.core.trials import BATCHES
from simkit.stats import Estimate
from simkit.stats.checks import BoolArray, FloatArray, IntArray
from simkit.stats.cycles import CyclicShare, circles, cyclic_share
from simkit.stats.matchups import PairScores, scores_from_batches
from simkit.stats.moments import batch_residuals
from simkit.stats.ratings import ELO, RatingFit, davidson_beaver, fitted_scores, rating_bands

PRIOR = 1.0
"""Pseudo-games from either seat of a pair, where without them a rating would have no end."""

RESAMPLED, OF_MANY, MANY = 40, 20, 40
"""Times that the layers are found anew from scores that differ as their batches do; of more sides than 40 fewer."""

SEED = 1
"""Of the resampling."""

PICKED = 0.1
"""Share of the most frequent side from which another belongs to its layer."""

ENDS = 0.01
"""Score from either end of the scale on where a logit says little."""

RARE = 0.05
"""Layers in which a side was found less often than this are left out of its range."""


@dataclass(frozen=True)
class Table:
    """Who beats whom, as a table of all sides against all.

    Attributes
    ----------
    score, low, high
        float64, shape ``(sides, sides)``: score of the row's side and its simultaneous interval; 1/2 on the diagonal.
    beats
        bool: whether the row's side is known to beat the column's.
    """

    score: FloatArray
    low: FloatArray
    high: FloatArray
    beats: BoolArray


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo points, the mean of all sides 0.

    Attributes
    ----------
    rating, low, high
        float64, shape ``(sides,)``; the intervals hold together.
    method
        ``max-t`` or ``sidak``.
    seat
        What the first seat is worth in Elo points, by itself.
    prior
        Pseudo-games from either seat of each pair: 0 where ratings have ends without.
    fitted
        float64, shape ``(sides, sides)``: the score of the row's side that the ratings make expect.
    """

    rating: FloatArray
    low: FloatArray
    high: FloatArray
    method: str
    seat: Estimate
    prior: float
    fitted: FloatArray


@dataclass(frozen=True)
class Choice:
    """What players would pick who know all scores.

    Attributes
    ----------
    share
        float64, shape ``(sides,)``: of the maximum-entropy equilibrium on which nobody gains more than the fair band.
    least, most
        Share over all near-equilibria that the intervals of the scores allow.
    regret, regret_low, regret_high
        How much less than one half a side scores against that equilibrium, with bounds that hold together.
    effective
        Number of equally frequent sides that are as diverse.
    """

    share: FloatArray
    least: FloatArray
    most: FloatArray
    regret: FloatArray
    regret_low: FloatArray
    regret_high: FloatArray
    effective: float


@dataclass(frozen=True)
class Layers:
    """Layers of strength, 1 for the strongest.

    Attributes
    ----------
    layer, first, last
        int64, shape ``(sides,)``: the layer of a side, and between which it lay when resampled.
    often
        float64: share of the resamplings in which it lay in its layer.
    effective
        Between which the effective number of sides lay when resampled.
    """

    layer: IntArray
    first: IntArray
    last: IntArray
    often: FloatArray
    effective: tuple[float, float]


@dataclass(frozen=True)
class Circles:
    """Sides that beat each other in a circle.

    Attributes
    ----------
    found
        Threes of which each is known to beat the next, those with the clearest weakest link first.
    undecided
        Threes that may be circles.
    share
        How much of all scores on the logit scale goes round in circles; None where there are too few sides, nothing
        varied, or a score lies so near its end that its logit says little.
    """

    found: tuple[tuple[int, int, int], ...]
    undecided: int
    share: CyclicShare | None


def square(pairs: IntArray, values: FloatArray, sides: int, other: float) -> FloatArray:
    """Return values of pairs as a table whose other half holds `other` less the value, one half of that in between."""
    table = np.full((sides, sides), other / 2.0)
    table[pairs[:, 0], pairs[:, 1]] = values
    table[pairs[:, 1], pairs[:, 0]] = other - values
    return table


def table_of(pairs: IntArray, found: Known, sides: int) -> Table:
    """Set what is known of the pairs into a table of all sides; `pairs` numbers them from 0."""
    score = square(pairs, found.score, sides, 1.0)
    low, high = square(pairs, found.low, sides, 1.0), square(pairs, found.high, sides, 1.0)
    low[pairs[:, 1], pairs[:, 0]], high[pairs[:, 1], pairs[:, 0]] = 1.0 - found.high, 1.0 - found.low
    return Table(score, low, high, low > EVEN)


def ratings_of(met: Meetings, sides: int, level: float) -> Ratings:
    """Rate the sides by the model of Davidson and Beaver, with the errors of whole batches.

    Parameters
    ----------
    met
        The first units of every pair, the same number of each.
    sides
        How many there are.
    level
        Confidence level of all ratings together, and of the seat.
    """
    games = met.games // 2 * met.batch_units
    by_seat = seats(met.won, met.lost, met.edges[:, :, 0], games)
    counts = np.zeros((3, sides, sides, BATCHES), np.int64)
    one, other = met.pairs.T
    counts[:, one, other], counts[:, other, one] = by_seat
    fit, prior = _fitted(counts)
    bands = rating_bands(fit, level)
    error = float(np.sqrt((fit.factor[-2] ** 2).sum()))
    reach = -float(special.stdtrit(fit.batches - 1.0, (1.0 - level) / 2.0)) * error
    worth = Estimate(
        ELO * fit.seat, ELO * (fit.seat - reach), ELO * (fit.seat + reach), level, int(met.units[0]), "batch-t"
    )
    return Ratings(
        ELO * fit.rating, ELO * bands.low, ELO * bands.high, bands.critical.method, worth, prior, fitted_scores(fit)
    )


def _fitted(counts: IntArray) -> tuple[RatingFit, float]:
    """Fit the ratings, with pseudo-games only where the counts alone leave something open."""
    try:
        return davidson_beaver(*counts), 0.0
    except ValueError:
        return davidson_beaver(*counts, prior=PRIOR), PRIOR


def means_of(pairs: IntArray, values: IntArray, units: IntArray, sides: int, level: float) -> list[Estimate]:
    """Return the mean of each side over all it has met, with intervals that hold together.

    Parameters
    ----------
    pairs
        Shape ``(pairs, 2)``.
    values
        Shape ``(2, pairs, 256)``: batch sums of a value of the first and of the second of each pair, 1 a unit at most.
    units
        Units of each batch, the same for all pairs.
    sides, level
        How many sides there are, and the level of all means together.
    """
    sums, met = np.zeros((sides, BATCHES)), np.zeros(sides)
    for column, part in zip(pairs.T, values, strict=True):
        np.add.at(sums, column, part)
        np.add.at(met, column, 1.0)
    bands = stats.simultaneous_bands(sums / met[:, np.newaxis], units, level)
    n = int(units.sum())
    return [
        Estimate(float(own.sum()) / (n * count), low, high, level, n, bands.critical.method)
        for own, count, low, high in zip(sums, met, bands.low, bands.high, strict=True)
    ]


def choice_of(table: Table, within: float) -> Choice:
    """Find what players would pick, how often each side could be picked at all, and what each falls short by.

    Equilibria on which nobody gains more than the fair band are near ones. Those of the true scores are among those of
    scores raised to the upper ends of their intervals, so that the range of a share covers them all. Regrets against
    the equilibrium found lie between those of the lower and upper ends of all scores, whatever chose it.
    """
    sides = len(table.score)
    share = maximum_entropy(table.score, within)
    slack = within + np.maximum(table.high - table.score, 0.0)
    ranges = [usage_range(table.score, np.arange(sides) == i, slack) for i in range(sides)]
    least, most = np.array(ranges).T
    low, high = (EVEN - end @ share for end in (table.high, table.low))
    regret = np.maximum(regrets(table.score, share), 0.0)  # who gains on a near equilibrium loses nothing
    return Choice(
        share,
        np.minimum(least, share),  # the two are solved apart, each to its own rounding
        np.maximum(most, share),
        regret,
        np.clip(low, 0.0, regret),
        np.maximum(high, regret),
        effective_number(share),
    )


def layers_of(table: Table, factor: FloatArray, pairs: IntArray, within: float) -> Layers:
    """Peel off layers: what players would pick, then what they would pick without those, and so on.

    Parameters
    ----------
    table
        The scores.
    factor
        Of :func:`pair_factor`.
    pairs
        The pairs in that order.
    within
        What differs by less is picked together.
    """
    sides = len(table.score)
    resampled = RESAMPLED if sides <= MANY else OF_MANY
    layer = _numbered(tiers(table.score, within, PICKED), sides)
    normal = np.random.Generator(np.random.PCG64(SEED)).standard_normal((resampled, factor.shape[1]))
    scores = table.score[pairs[:, 0], pairs[:, 1]]
    drawn, numbers = np.zeros((resampled, sides), np.int64), np.zeros(resampled)
    for k, row in enumerate(normal):
        again = square(pairs, np.clip(scores + factor @ row, 0.0, 1.0), sides, 1.0)
        drawn[k] = _numbered(tiers(again, within, PICKED), sides)
        numbers[k] = effective_number(maximum_entropy(again, within))
    cut = int(RARE * resampled)
    rising, ends = np.sort(drawn, axis=0), np.sort(numbers)
    first, last = np.minimum(rising[cut], layer), np.maximum(rising[-1 - cut], layer)
    return Layers(layer, first, last, (drawn == layer).mean(axis=0), (float(ends[cut]), float(ends[-1 - cut])))


def _numbered(found: list[list[int]], sides: int) -> IntArray:
    layer = np.zeros(sides, np.int64)
    for number, members in enumerate(found, start=1):
        layer[members] = number
    return layer


def circles_of(table: Table, first: PairScores | None, level: float) -> Circles:
    """List the circles of three, and measure how much of the scores goes round in circles at all.

    Parameters
    ----------
    table
        Who is known to beat whom.
    first
        Scores of the first units, for the share; None for fewer than three sides.
    level
        Confidence level of the share's interval.
    """
    found, undecided, _ = circles(table.beats)

    def weakest(trio: tuple[int, int, int]) -> float:
        one, two, three = trio
        return float(min(table.low[one, two], table.low[two, three], table.low[three, one]))

    clearest = tuple(sorted(found, key=lambda trio: (-weakest(trio), trio)))
    return Circles(clearest, undecided, None if first is None else _share(first, level))


def unexplained(first: PairScores, fitted: FloatArray, level: float) -> Estimate | None:
    """Measure how much of how far scores lie from one half no rating explains.

    The squares of what the ratings leave, in those of all scores less one half, with the part that noise would give
    taken off both. Unlike the cyclic share it takes scores of 0 and 1: what is next to sure to win against two others
    is not said to go round in circles. Its interval is by the delta method over batches; that ratings are fitted does
    not move the squares to first order.

    Parameters
    ----------
    first
        Scores of the first units.
    fitted
        Scores that the ratings make expect.
    level
        Confidence level.

    Returns
    -------
    Estimate or None
        None where the scores do not rise above their noise.
    """
    upper = np.triu_indices(len(first.score), 1)
    away = first.score[upper] - EVEN
    left = away - (fitted[upper] - EVEN)
    noise = float((first.error**2).sum())
    spared = 1.0 - (len(first.score) - 1.0) / len(away)  # ratings follow a part of the noise
    squares, rest = float((away**2).sum()) - noise, max(0.0, float((left**2).sum()) - spared * noise)
    if squares <= noise:
        return None
    share = min(1.0, rest / squares)
    moves = 2.0 * (left - share * away) @ first.factor / squares
    reach = -float(special.stdtrit(first.batches - 1.0, (1.0 - level) / 2.0)) * float(np.sqrt((moves**2).sum()))
    low, high = max(0.0, share - reach), min(1.0, share + reach)
    return Estimate(share, low, high, level, int(first.units.min()), "batch-t")


def _share(first: PairScores, level: float) -> CyclicShare | None:
    upper = np.triu_indices(len(first.score), 1)
    if first.score[upper].min() < ENDS or first.score[upper].max() > 1.0 - ENDS:
        return None
    try:
        found = cyclic_share(first, level)
    except ValueError:  # no batch differs from another
        return None
    return found if np.isfinite([found.share, found.low, found.high]).all() else None


def pair_factor(met: Meetings) -> FloatArray:
    """Return how the score of each pair moves with its batches: a factor of the covariance, shape ``(pairs, 256)``."""
    _, residuals, batches = batch_residuals(met.points, 2 * met.games * met.batch_units)
    return np.asarray(residuals * np.sqrt(batches / (batches - 1.0))[:, np.newaxis])


def pair_scores(met: Meetings, sides: int) -> PairScores:
    """Return the scores of all pairs, in the order of their numbers, with the spread of their dice."""
    sums, counts = np.zeros((sides, sides, BATCHES)), np.ones((sides, sides, BATCHES), np.int64)
    one, other = met.pairs.T
    sums[one, other] = met.points / (2.0 * met.games)
    counts[one, other] = met.batch_units
    return scores_from_batches(sums, counts)
