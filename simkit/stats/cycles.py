"""How much of a matrix of scores no rating can explain, and which items beat each other in a circle.

The score of a pair (win 1, draw 1/2, mean of both seats) is put on the logit scale and split into what differences of
ratings give and a rest that goes round in circles (Jiang, Lim, Yao and Ye, Math. Program. 127, 2011, for all pairs
played; Balduzzi, Tuyls, Perolat and Graepel, NeurIPS 2018, for games). Noise looks cyclic too, so its expected part is
taken off.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.checks import FloatArray, alpha_of, finite
from simkit.stats.matchups import PairScores
from simkit.stats.multiple import holm

Scale: TypeAlias = Literal["logit", "score"]

_NORMAL_ABOVE = 1e6  # there the square root of a noncentral chi-squared value is normal to about 1e-4 of its deviation


@dataclass(frozen=True, slots=True)
class Split:
    """A matrix of scores as differences of ratings and the rest.

    Attributes
    ----------
    rating
        float64 of shape ``(items,)``: mean of each row, sum 0, in logits or score.
    cyclic
        Shape ``(items, items)``, antisymmetric: what the differences of ratings leave.
    share
        Squares of ``cyclic`` in those of the whole matrix, 0 to 1; nan if all pairs are even. Not corrected for noise.
    """

    rating: FloatArray
    cyclic: FloatArray
    share: float


@dataclass(frozen=True, slots=True)
class CyclicShare:
    """The cyclic share of a matrix of scores, corrected for noise.

    Attributes
    ----------
    share
        Estimate, 0 to 1; nan where neither part rises above the noise.
    low, high
        Its interval, at least at ``level``.
    level
        Confidence level.
    raw
        The share without correction.
    statistic, df, p_value
        Squares of the cyclic part in units of their noise, near chi-squared with ``df`` if no pair is cyclic.
    """

    share: float
    low: float
    high: float
    level: float
    raw: float
    statistic: float
    df: float
    p_value: float


@dataclass(frozen=True, slots=True)
class ThreeCycle:
    """Three items of which the first beats the second, that one the third, and the third the first.

    Attributes
    ----------
    items
        Their numbers, the smallest first.
    scores, errors
        Score of each against the next, and its standard error.
    p_value
        Of the weakest of the three, adjusted for all pairs of the matrix.
    """

    items: tuple[int, int, int]
    scores: tuple[float, float, float]
    errors: tuple[float, float, float]
    p_value: float


@dataclass(frozen=True, slots=True)
class ThreeCycles:
    """All three-cycles that stand together, and what was not resolved.

    Attributes
    ----------
    cycles
        The strongest evidence first.
    undecided
        Triples that may be cycles: the pairs that are decided do not rule it out.
    ruled_out
        Triples in which one item beats both others, or loses to both.
    level
        Confidence level of all statements together.
    """

    cycles: tuple[ThreeCycle, ...]
    undecided: int
    ruled_out: int
    level: float


def hodge_split(score: ArrayLike, scale: Scale = "logit") -> Split:
    """Split a matrix of scores into differences of ratings and a cyclic rest.

    The rating of an item is the mean of its row, the diagonal included: the least-squares fit of differences.

    Parameters
    ----------
    score
        Shape ``(items, items)``, at least 3 items: score of the row's item, with its transpose adding up to 1.
    scale
        ``"logit"``, on which ratings are usual, or ``"score"`` (less 1/2), which also takes scores of 0 and 1.

    Returns
    -------
    Split

    Raises
    ------
    ValueError
        On another shape, scale or numbers; on the logit scale also if a score is 0 or 1.

    Examples
    --------
    >>> found = hodge_split([[0.5, 0.6, 0.45], [0.4, 0.5, 0.7], [0.55, 0.3, 0.5]])
    >>> round(found.share, 6), found.rating.round(4).tolist()
    (0.763243, [0.0683, 0.1473, -0.2155])
    """
    values = finite("score", score).astype(np.float64)
    if values.ndim != 2 or values.shape[0] != values.shape[1] or values.shape[0] < 3:
        raise ValueError(f"score has shape {values.shape}; allowed is (items, items) with at least 3 items")
    if (values < 0.0).any() or (values > 1.0).any() or np.abs(values + values.T - 1.0).max() > 1e-9:
        raise ValueError("score and its transpose do not add up to 1; allowed are scores from 0 to 1 that do")
    table, _ = _scaled(values, scale)
    rating = table.mean(axis=1)
    cyclic = table - (rating[:, np.newaxis] - rating)
    squares = float((table**2).sum())
    return Split(rating, cyclic, min(1.0, float((cyclic**2).sum()) / squares) if squares > 0.0 else float("nan"))


def cyclic_share(pairs: PairScores, level: float, scale: Scale = "logit") -> CyclicShare:
    """Estimate the cyclic share, with the part that noise alone would give taken off.

    From the squares of both parts of the split their noise is subtracted, each part's own share of the covariance;
    for independent pairs of equal variance that is the variance times ``pairs - (items - 1)`` for the cyclic part. The
    squares of each part are near a scaled noncentral chi-squared value with Satterthwaite's degrees of freedom
    (Biometrics Bull. 2, 1946). Both noncentralities are bounded at half the error, and the share by their extremes,
    so that its interval is on the safe side.

    Parameters
    ----------
    pairs
        Of ``scores_from_games`` or ``scores_from_batches``. Pairs that never varied are given the error of one unit
        in ``units + 1``, about that of Laplace's rule.
    level
        Confidence level of the interval.
    scale
        As in ``hodge_split``.

    Returns
    -------
    CyclicShare

    Raises
    ------
    ValueError
        As ``hodge_split``.

    Examples
    --------
    >>> from simkit.stats.matchups import scores_from_games
    >>> wins = np.array([[0, 60, 40], [40, 0, 60], [60, 40, 0]]) * 10
    >>> found = cyclic_share(scores_from_games(wins, 0 * wins, (1000 - wins) * (wins > 0)), 0.95)
    >>> f"{found.share:.3f} {found.low:.2f} {found.high:.2f}", found.p_value < 1e-9
    ('1.000 0.94 1.00', True)
    """
    tail = alpha_of(level) / 4.0
    split = hodge_split(pairs.score, scale)
    upper = np.triu_indices(len(split.rating), 1)
    slope = _scaled(pairs.score, scale)[1][upper]
    alone = np.where(pairs.varied, 0.0 if pairs.batches else pairs.error, 1.0 / (pairs.units + 1.0))
    turning, straight = _parts(split, slope[:, np.newaxis] * pairs.factor, (slope * alone) ** 2, pairs.batches)
    parts = turning.estimate + straight.estimate
    share = turning.estimate / parts if parts > 0.0 else float("nan")
    (least, most), (least_other, most_other) = turning.bounds(tail), straight.bounds(tail)
    low = least / (least + most_other) if least > 0.0 else 0.0
    high = most / (most + least_other) if least_other > 0.0 else 1.0
    if parts > 0.0:
        low, high = min(low, share), max(high, share)
    statistic = turning.total / turning.unit
    p = float(special.chdtrc(turning.df, statistic))
    return CyclicShare(share, low, high, float(level), split.share, statistic, turning.df, p)


def three_cycles(pairs: PairScores, level: float) -> ThreeCycles:
    """List the triples that beat each other in a circle, all three scores resolved from 1/2.

    Each pair gets a two-sided p value against an even score, by Student's t; Holm's procedure over all pairs keeps the
    chance that any listed edge is even at ``1 - level``, so all cycles hold together. A pair that never varied and
    lies at ``c > 1/2`` gets ``2 (1 / (2 c))^units``: by Markov's inequality the product of independent scores with
    mean 1/2 reaches ``c^units`` no more often than that.

    Parameters
    ----------
    pairs
        Of ``scores_from_games`` or ``scores_from_batches``.
    level
        Confidence level of all statements together.

    Returns
    -------
    ThreeCycles

    Raises
    ------
    ValueError
        Unless ``0 < level < 1``.

    Examples
    --------
    >>> from simkit.stats.matchups import scores_from_games
    >>> wins = np.array([[0, 60, 40], [40, 0, 60], [60, 40, 0]]) * 10
    >>> found = three_cycles(scores_from_games(wins, 0 * wins, (1000 - wins) * (wins > 0)), 0.99)
    >>> found.cycles[0].items, found.cycles[0].scores, found.undecided
    ((0, 1, 2), (0.6, 0.6, 0.6), 0)
    """
    alpha = alpha_of(level)
    items = len(pairs.score)
    upper = np.triu_indices(items, 1)
    lead = pairs.score[upper] - 0.5
    error = pairs.error
    t = np.divide(np.abs(lead), error, out=np.zeros_like(lead), where=error > 0.0)
    steady = np.exp(np.maximum(-745.0, -pairs.units * np.log1p(2.0 * np.abs(lead))))
    p = np.where(pairs.varied, 2.0 * special.stdtr(pairs.df, -t), np.minimum(1.0, 2.0 * steady))
    adjusted = np.ones((items, items))
    adjusted[upper] = adjusted.T[upper] = holm(p)
    errors = np.zeros((items, items))
    errors[upper] = errors.T[upper] = error
    rings, undecided, ruled_out = circles((adjusted <= alpha) & (pairs.score > 0.5))
    found = []
    for trio in rings:
        ring = tuple(zip(trio, (*trio[1:], trio[0]), strict=True))
        scores, spread, weakest = ([table[edge] for edge in ring] for table in (pairs.score, errors, adjusted))
        found.append(ThreeCycle(trio, _three(scores), _three(spread), float(max(weakest))))
    found.sort(key=lambda cycle: (cycle.p_value, cycle.items))
    return ThreeCycles(tuple(found), undecided, ruled_out, float(level))


def circles(beats: ArrayLike) -> tuple[list[tuple[int, int, int]], int, int]:
    """List the triples that beat each other in a circle, where it is known who beats whom.

    Parameters
    ----------
    beats
        bool, shape ``(items, items)``: whether the row's item is known to beat the column's; never both ways.

    Returns
    -------
    found : list of three numbers each
        The first beats the second, that one the third, and the third the first; the smallest number first.
    undecided, ruled_out : int
        Triples that may be circles, and those that are none: one item is known to beat both others, or to lose to
        both.

    Raises
    ------
    ValueError
        On another shape or type, or if two items beat each other.

    Examples
    --------
    >>> circles([[False, True, False], [False, False, True], [True, False, False]])
    ([(0, 1, 2)], 0, 0)
    """
    known = np.asarray(beats)
    if known.dtype != np.bool_ or known.ndim != 2 or known.shape[0] != known.shape[1]:
        raise ValueError(f"beats has type {known.dtype}, shape {known.shape}; allowed is bool, shape (items, items)")
    if (known & known.T).any():
        one, other = np.argwhere(known & known.T)[0].tolist()
        raise ValueError(f"items {one} and {other} beat each other; allowed is one way at most")
    items, ruled_out = len(known), 0
    found: list[tuple[int, int, int]] = []
    for one in range(items):
        rest = slice(one + 1, items)
        wins, losses, inner = known[one, rest], known[rest, one], known[rest, rest]
        found += [(one, int(a), int(b)) for a, b in np.argwhere(wins[:, np.newaxis] & inner & losses) + one + 1]
        # someone beats both others or loses to both: the item itself, or the row's
        ends = (wins[:, np.newaxis] & (wins | inner.T)) | (losses[:, np.newaxis] & (losses | inner))
        ruled_out += int(np.triu(ends | ends.T, 1).sum())
    return found, items * (items - 1) * (items - 2) // 6 - len(found) - ruled_out, ruled_out


@dataclass(frozen=True, slots=True)
class _Squares:
    """Squares of one part of the split, ``total``, against a scaled chi-squared noise ``unit * chi2(df)``."""

    total: float
    unit: float
    df: float

    @property
    def estimate(self) -> float:
        """Squares without noise, at least 0."""
        return max(0.0, self.total - self.unit * self.df)

    def bounds(self, tail: float) -> tuple[float, float]:
        """Bounds of the squares without noise, each missed with probability ``tail``.

        Squares that are smaller than noise alone would make them bound nothing better than squares of that size.
        """
        x = self.total / self.unit
        if x > _NORMAL_ABOVE:
            z = float(special.ndtri(tail))
            low, high = ((np.sqrt(x) + side * z) ** 2 - self.df + 0.5 for side in (1.0, -1.0))
        else:
            below = float(special.chdtr(self.df, x))
            low = float(special.chndtrinc(x, self.df, 1.0 - tail)) if below > 1.0 - tail else 0.0
            high = float(special.chndtrinc(max(x, self.df), self.df, tail))
        return max(0.0, float(low)) * self.unit, max(0.0, float(high)) * self.unit


def _parts(split: Split, shared: FloatArray, alone: FloatArray, batches: int) -> tuple[_Squares, _Squares]:
    """Squares of the cyclic part and of the ratings' part of all pairs, with the noise of each.

    The noise of the pairs has the covariance ``shared @ shared.T + diag(alone)``. The ratings' part is a projection
    with 2 / N on its diagonal, 1 / N or -1 / N between pairs with one item in common and 0 elsewhere; so traces over
    ``alone`` need only its sums by item.
    """
    items = len(split.rating)
    upper = np.triu_indices(items, 1)
    pull, weight = np.zeros((items, shared.shape[1])), np.zeros(items)
    np.add.at(pull, upper[0], shared)
    np.add.at(pull, upper[1], -shared)
    for ends in upper:
        np.add.at(weight, ends, alone)
    rated = (pull[upper[0]] - pull[upper[1]]) / items
    own = float((alone**2).sum())
    met = (2.0 * own + float((weight**2).sum())) / items**2
    along = (split.rating[:, np.newaxis] - split.rating)[upper]
    sides = (
        (split.cyclic[upper], shared - rated, 1.0 - 2.0 / items, own * (1.0 - 4.0 / items) + met),
        (along, rated, 2.0 / items, met),
    )
    found = []
    for (part, noise, kept, power), rank in zip(sides, (len(along) - items + 1, items - 1), strict=True):
        mean, narrow = float((noise**2).sum()), noise if noise.shape[0] <= noise.shape[1] else noise.T
        squares = float(((narrow @ narrow.T) ** 2).sum())
        if batches > 2:
            # the squares of an estimated covariance are too large (Srivastava, J. Japan Stat. Soc. 35, 2005)
            m = batches - 1.0
            squares = (squares - mean**2 / m) * m**2 / ((m - 1.0) * (m + 2.0))
        squares += 2.0 * float(alone @ (noise**2).sum(axis=1)) + power
        mean += kept * float(alone.sum())
        if mean <= 1e-12 * float((shared**2).sum() + alone.sum()):
            raise ValueError("the batches show no noise in a part of the scores; allowed are more batches")
        df = mean**2 / min(max(squares, mean**2 / rank), mean**2)
        found.append(_Squares(float((part**2).sum()), mean / df, df))
    return found[0], found[1]


def _scaled(score: FloatArray, scale: Scale) -> tuple[FloatArray, FloatArray]:
    """Scores on a scale on which an even score is 0, and the slope of the scale."""
    if scale == "score":
        return score - 0.5, np.ones_like(score)
    if scale != "logit":
        raise ValueError(f"scale is {scale!r}; allowed are 'logit' and 'score'")
    if not (score.min() > 0.0 and score.max() < 1.0):
        one, other = np.argwhere((score == 0.0) | (score == 1.0))[0]
        found = f"the score of item {one} against {other} is {score[one, other]}"
        raise ValueError(f"{found}, which has no logit; allowed are scores between 0 and 1, or the scale 'score'")
    return np.asarray(special.logit(score)), 1.0 / (score * (1.0 - score))


def _three(values: list[np.float64]) -> tuple[float, float, float]:
    one, two, three = map(float, values)
    return one, two, three
