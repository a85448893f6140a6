"""Ratings of items from won, drawn and lost games, with draws and the advantage of the first seat.

Item ``i`` moves first against item ``j``. With ratings ``r``, a seat advantage ``g`` and a draw parameter ``ln nu`` the
chances of the first to win, draw and lose are in proportion to::

    exp(g + r_i)  :  nu exp((g + r_i + r_j) / 2)  :  exp(r_j)

That is Davidson's model of ties (J. Am. Stat. Assoc. 65, 1970) with the order effect of Davidson and Beaver (Biometrics
33, 1977). Ratings are on the natural log scale and add up to 0. They rest on games alone, not on the order in which the
games were played. One number an item cannot show that items beat each other in a circle: ``simkit.stats.cycles``
measures how much of that there is.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.checks import FloatArray, IntArray, alpha_of, finite, whole
from simkit.stats.davidson import check_points, climb, directions, game_counts, gradient, log_chances, log_likelihood
from simkit.stats.multiple import Bands, Critical, max_t
from simkit.stats.tails import GTest

ELO = 400.0 / np.log(10.0)  # Elo points of one unit of rating
PRIOR_LEAST = 0.01  # so that the weakest prior still gives far more information than ``LOST``


@dataclass(frozen=True, slots=True)
class RatingFit:
    """Fitted ratings; ``rating_interval``, ``rating_bands``, ``seat_interval`` and others read it.

    Attributes
    ----------
    rating
        float64 of shape ``(items,)``, natural log units, sum 0.
    seat
        Advantage of the first seat ``g``, in the same unit; 0 if it was not fitted.
    draw
        ``ln nu``; minus infinity if no game was drawn.
    factor
        Shape ``(items + 2, columns)``: ``factor @ factor.T`` is the covariance of ratings, ``seat`` and ``draw``.
    batches
        Batches that held games, each a column of ``factor``; 0 if all games were taken as independent.
    games
        Games counted, without the prior's.
    log_likelihood
        Of the games, without multinomial constants and without the prior.
    deviance, df
        Twice the log-likelihood that a free chance for every outcome of every cell would add, and its degrees of
        freedom.
    """

    rating: FloatArray
    seat: float
    draw: float
    factor: FloatArray
    batches: int
    games: int
    log_likelihood: float
    deviance: float
    df: int


def davidson_beaver(
    wins: ArrayLike, draws: ArrayLike, losses: ArrayLike, *, seat: bool = True, prior: float = 0.0
) -> RatingFit:
    """Fit ratings, seat advantage and draw parameter by maximum likelihood.

    The model is a multinomial logit that is linear in its parameters, so its likelihood has no second peak; Newton
    steps, halved until they gain, cannot run past it. Without drawn games ``nu`` is 0 and the model is that of
    Bradley and Terry (Biometrika 39, 1952) with a seat advantage. Games of an item against itself count towards
    ``seat`` and ``draw``.

    The errors come from the fitted information if the games are independent. Where cells or games share dice, give
    the counts in batches: then they come from how the batches' scores vary (the sandwich of White, Econometrica 50,
    1982, batch by batch; a bootstrap of whole batches to first order).

    Parameters
    ----------
    wins, draws, losses
        Whole numbers of shape ``(items, items)``, all games independent, or ``(items, items, batches)``, the batches
        independent. Row ``i``, column ``j``: games in which ``i`` had the first seat against ``j``, as ``i`` fared.
    seat
        Whether the first seat may have an advantage. False for games without a first mover.
    prior
        Pseudo-games added to each ordered pair of different items: 0, or at least 0.01. Each is won by either side
        equally often and drawn as often as the games counted (at most half), so ratings and seat advantage shrink to
        0. With a prior ratings are finite even for an item that never lost (as in Caron and Doucet, J. Comput. Graph.
        Stat. 21, 2012), but they are no longer free of bias.

    Returns
    -------
    RatingFit

    Raises
    ------
    ValueError
        On other shapes or numbers, and where the counts leave something open without a prior, or with one that is too
        small beside many millions of games: some items never met the others, never took or never lost a point, or
        nothing speaks against an endless seat advantage or draw parameter (Ford, Am. Math. Mon. 64, 1957).

    Examples
    --------
    >>> wins, draws = [[0, 60, 70], [40, 0, 55], [35, 45, 0]], [[0, 10, 10], [12, 0, 8], [9, 11, 0]]
    >>> fit = davidson_beaver(wins, draws, [[0, 30, 20], [48, 0, 37], [56, 44, 0]])
    >>> [round(float(r), 4) for r in fit.rating], round(fit.seat, 4)
    ([0.4247, -0.0819, -0.3428], 0.2784)
    """
    counts, batches = game_counts(wins, draws, losses)
    added = float(prior)
    if not (added == 0.0 or PRIOR_LEAST <= added < np.inf):
        raise ValueError(f"prior is {prior!r}; allowed are 0, or pseudo-games a cell from {PRIOR_LEAST}")
    played = counts.sum(axis=3)
    items, games, drawn = played.shape[1], int(played.sum()), int(played[1].sum())
    if added == 0.0:
        check_points(played)
    share = min(drawn / games, 0.5)  # so that a prior speaks against an endless draw parameter too
    each = np.array([(1.0 - share) / 2.0, share, (1.0 - share) / 2.0]) * added
    weights = played + each[:, np.newaxis, np.newaxis] * (1.0 - np.eye(items))
    basis = directions(items, seat, drawn > 0)
    place = np.zeros(items + 2)
    place[-1] = np.log(2.0 * drawn / max(1, games - drawn)) if drawn else -np.inf
    place, known = climb(weights, basis, place)
    n = played.sum(axis=0)
    # each term is at least 0, so that nothing cancels however many games there are
    deviance = 2.0 * float(special.kl_div(played, n * np.exp(log_chances(place))).sum())
    df = (2 if drawn else 1) * int(np.count_nonzero(n)) - basis.shape[1]
    return RatingFit(
        rating=place[:items] - place[:items].mean(),
        seat=float(place[-2]),
        draw=float(place[-1]),
        factor=_factor(counts, batches, place, basis, known),
        batches=batches,
        games=games,
        log_likelihood=log_likelihood(played, place),
        deviance=deviance,
        df=max(0, df),
    )


def fitted_chances(fit: RatingFit) -> FloatArray:
    """Return the chances that the model gives to win, draw and loss of the first seat.

    Parameters
    ----------
    fit
        Of ``davidson_beaver``.

    Returns
    -------
    float64 array of shape ``(items, items, 3)``
        The row's item in the first seat; the last axis adds up to 1.

    Examples
    --------
    >>> fit = davidson_beaver([[0, 5], [5, 0]], [[0, 2], [2, 0]], [[0, 3], [3, 0]])
    >>> fitted_chances(fit)[0, 1].round(3).tolist()
    [0.5, 0.2, 0.3]
    """
    return np.moveaxis(np.exp(log_chances(np.r_[fit.rating, fit.seat, fit.draw])), 0, -1)


def fitted_scores(fit: RatingFit) -> FloatArray:
    """Return the scores (win 1, draw 1/2) that the model gives to the row's item over both seats.

    Parameters
    ----------
    fit
        Of ``davidson_beaver``.

    Returns
    -------
    float64 array of shape ``(items, items)``
        With its transpose it adds up to 1; 1/2 on the diagonal.

    Examples
    --------
    >>> fit = davidson_beaver([[0, 5], [5, 0]], [[0, 2], [2, 0]], [[0, 3], [3, 0]])
    >>> fitted_scores(fit).round(3).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    chances = fitted_chances(fit)
    first = chances[..., 0] + 0.5 * chances[..., 1]
    return np.asarray(0.5 * (first + 1.0 - first.T))


def rating_interval(fit: RatingFit, level: float) -> tuple[FloatArray, FloatArray]:
    """Interval of each rating by itself.

    Normal if the games were taken as independent, Student's t with ``batches - 1`` degrees of freedom otherwise.

    Parameters
    ----------
    fit
        Of ``davidson_beaver``.
    level
        Confidence level of each interval.

    Returns
    -------
    low, high
        Shape ``(items,)``, natural log units against the mean of the items.

    Raises
    ------
    ValueError
        Unless ``0 < level < 1``.

    Examples
    --------
    >>> fit = davidson_beaver([[0, 60], [40, 0]], [[0, 10], [12, 0]], [[0, 30], [48, 0]])
    >>> low, high = rating_interval(fit, 0.95)
    >>> f"{low[0]:.3f} {fit.rating[0]:.3f} {high[0]:.3f}"
    '0.068 0.220 0.372'
    """
    return _around(fit, fit.rating, np.eye(fit.rating.size, fit.rating.size + 2), level)


def rating_difference(
    fit: RatingFit, first: ArrayLike, second: ArrayLike, level: float
) -> tuple[FloatArray, FloatArray]:
    """Interval of the difference of two ratings, each by itself; ratings share their errors, so intervals don't add.

    Parameters
    ----------
    fit
        Of ``davidson_beaver``.
    first, second
        Numbers of the items, from 0.
    level
        Confidence level of each interval.

    Returns
    -------
    low, high
        Bounds of the first rating minus the second, of the broadcast shape.

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> fit = davidson_beaver([[0, 60], [40, 0]], [[0, 10], [12, 0]], [[0, 30], [48, 0]])
    >>> low, high = rating_difference(fit, 0, 1, 0.95)
    >>> f"{low:.3f} {high:.3f}"
    '0.137 0.743'
    """
    one, other = np.broadcast_arrays(whole("first", first), whole("second", second))
    size = fit.rating.size
    if max(one.max(initial=0), other.max(initial=0)) >= size:
        raise ValueError(f"first, second hold {max(one.max(), other.max())}; allowed are items from 0 to {size - 1}")
    unit = np.eye(size, size + 2)
    return _around(fit, fit.rating[one] - fit.rating[other], unit[one] - unit[other], level)


def seat_interval(fit: RatingFit, level: float) -> tuple[FloatArray, FloatArray]:
    """Interval of the advantage of the first seat; without width if it was not fitted.

    Parameters
    ----------
    fit
        Of ``davidson_beaver``.
    level
        Confidence level.

    Returns
    -------
    low, high
        0-d arrays, natural log units.

    Raises
    ------
    ValueError
        Unless ``0 < level < 1``.

    Examples
    --------
    >>> fit = davidson_beaver([[0, 60], [40, 0]], [[0, 10], [12, 0]], [[0, 30], [48, 0]])
    >>> low, high = seat_interval(fit, 0.95)
    >>> f"{low:.3f} {fit.seat:.3f} {high:.3f}"
    '-0.044 0.259 0.562'
    """
    return _around(fit, np.asarray(fit.seat), np.eye(fit.rating.size + 2)[-2], level)


def rating_bands(fit: RatingFit, level: float, draws: int = 20_000, seed: int = 1) -> Bands:
    """Intervals of all ratings that hold together, by max-T over their joint covariance.

    Parameters
    ----------
    fit
        Of ``davidson_beaver``.
    level
        Confidence level of all ratings together.
    draws, seed
        As in ``simkit.stats.max_t``.

    Returns
    -------
    Bands
        One cell an item. With batches the critical value is carried over to Student's t as in
        ``simkit.stats.simultaneous_bands``.

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> fit = davidson_beaver([[0, 60], [40, 0]], [[0, 10], [12, 0]], [[0, 30], [48, 0]])
    >>> bands = rating_bands(fit, 0.95)
    >>> bands.critical.method, f"{bands.low[0]:.2f} {bands.high[0]:.2f}"
    ('max-t', '0.07 0.37')
    """
    factor = fit.factor[:-2]
    joint = np.pad(factor, ((0, 0), (0, max(0, 2 - factor.shape[1]))))
    critical: Critical = max_t(joint, level, draws, seed)
    value = critical.value
    if fit.batches:
        value = -float(special.stdtrit(fit.batches - 1.0, float(special.ndtr(-value))))
    error = np.sqrt((factor**2).sum(axis=1))
    return Bands(fit.rating - value * error, fit.rating + value * error, np.asarray(error > 0.0), critical)


def lack_of_fit(fit: RatingFit) -> GTest:
    """Test whether one rating an item, one seat advantage and one draw parameter explain the counts.

    The deviance is near chi-squared if every cell expects some five games of each outcome.

    Parameters
    ----------
    fit
        Of ``davidson_beaver``, from independent games; a prior makes the deviance larger than chi-squared.

    Returns
    -------
    GTest
        With p value 1 if there are no degrees of freedom.

    Raises
    ------
    ValueError
        If the fit is from batches: games that share dice do not give a chi-squared deviance.

    Examples
    --------
    >>> fit = davidson_beaver([[0, 60], [40, 0]], [[0, 10], [12, 0]], [[0, 30], [48, 0]])
    >>> found = lack_of_fit(fit)
    >>> f"{found.statistic:.3f} {found.df} {found.p_value:.3f}"
    '0.109 1 0.741'
    """
    if fit.batches:
        raise ValueError(f"fit is from {fit.batches} batches; allowed are fits from independent games")
    p = float(special.chdtrc(fit.df, fit.deviance)) if fit.df else 1.0
    return GTest(fit.deviance, fit.df, p)


def elo_of_rating(rating: ArrayLike) -> FloatArray:
    """Return ratings in Elo points: ``400 / ln 10`` of them to the natural log unit (Elo 1978, chapter 8).

    Parameters
    ----------
    rating
        Natural log units.

    Returns
    -------
    float64 array

    Raises
    ------
    ValueError
        On numbers that are not finite.

    Examples
    --------
    >>> f"{elo_of_rating(0.4247):.2f}"
    '73.78'
    """
    return np.asarray(finite("rating", rating) * ELO)


def elo_of_score(score: ArrayLike) -> FloatArray:
    """Return the Elo difference that gives a score, the inverse of ``simkit.stats.score_of_elo``.

    Parameters
    ----------
    score
        Win 1, draw 1/2, loss 0, on average; strictly between 0 and 1.

    Returns
    -------
    float64 array

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> f"{elo_of_score(0.55):.3f}"
    '34.860'
    """
    share = finite("score", score).astype(np.float64)
    if share.size and not (share.min() > 0.0 and share.max() < 1.0):
        raise ValueError("score holds a value outside 0 .. 1, or an end of it; allowed is strictly between 0 and 1")
    return np.asarray(special.logit(share) * ELO)


def _factor(counts: IntArray, batches: int, place: FloatArray, basis: FloatArray, known: FloatArray) -> FloatArray:
    """Factor of the covariance of all parameters."""
    if not batches:
        values, vectors = np.linalg.eigh(known)
        return np.asarray(basis @ (vectors / np.sqrt(values)))
    slopes = basis.T @ gradient(counts, place)[:, counts.sum(axis=(0, 1, 2)) > 0]
    slopes -= slopes.mean(axis=1, keepdims=True)
    return np.asarray(basis @ np.linalg.solve(known, slopes) * np.sqrt(batches / (batches - 1.0)))


def _around(fit: RatingFit, value: FloatArray, weights: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Interval of sums of the parameters with some weights, each by itself."""
    tail = alpha_of(level) / 2.0
    z = float(-special.stdtrit(fit.batches - 1.0, tail) if fit.batches else -special.ndtri(tail))
    half = z * np.sqrt(((weights @ fit.factor) ** 2).sum(axis=-1))
    return np.asarray(value - half), np.asarray(value + half)
