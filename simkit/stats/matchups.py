"""Scores of all pairs of items with the covariance of their errors, from games or from batches of units."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.checks import BoolArray, FloatArray, IntArray, finite, whole
from simkit.stats.davidson import game_counts
from simkit.stats.moments import batch_residuals, deviations


@dataclass(frozen=True, slots=True)
class PairScores:
    """Scores of all pairs of items and how far they can be trusted.

    Pairs stand in the order of ``numpy.triu_indices(items, 1)``.

    Attributes
    ----------
    score
        float64 of shape ``(items, items)``: score of the row's item; 1/2 on the diagonal.
    factor
        Shape ``(pairs, batches)``: ``factor @ factor.T`` is the covariance of the pairs' scores. Without columns if all
        games were taken as independent: then pairs share no errors.
    error
        float64 of shape ``(pairs,)``: standard errors.
    units
        int64 of shape ``(pairs,)``: independent units behind each score.
    varied
        bool of shape ``(pairs,)``: False where no unit or batch differed from another.
    df
        float64 of shape ``(pairs,)``: degrees of freedom of each standard error.
    batches
        Batches that held games; 0 if all games were taken as independent.
    """

    score: FloatArray
    factor: FloatArray
    error: FloatArray
    units: IntArray
    varied: BoolArray
    df: FloatArray
    batches: int


def scores_from_batches(sums: ArrayLike, counts: ArrayLike) -> PairScores:
    """Scores of pairs from the batch sums of their units, right where pairs share dice.

    Parameters
    ----------
    sums
        Shape ``(items, items, batches)``: sum over the units of each batch of the score of the row's item, each from 0
        to 1 (a seat pair may be a unit). Only the part above the diagonal is read.
    counts
        Units of each batch, whole numbers, of the same shape or ``(batches,)``.

    Returns
    -------
    PairScores

    Raises
    ------
    ValueError
        On other shapes or numbers, or if fewer than two batches of a pair hold units.

    Examples
    --------
    >>> sums = np.zeros((3, 3, 4))
    >>> sums[0, 1], sums[0, 2], sums[1, 2] = [6, 5, 6, 7], [4, 4, 5, 3], [6, 7, 5, 6]
    >>> scores_from_batches(sums, [10, 10, 10, 10]).score.round(2).tolist()
    [[0.5, 0.6, 0.4], [0.4, 0.5, 0.6], [0.6, 0.4, 0.5]]
    """
    values = finite("sums", sums)
    if values.ndim != 3 or values.shape[0] != values.shape[1] or values.shape[0] < 3:
        raise ValueError(f"sums has shape {values.shape}; allowed is (items, items, batches) with at least 3 items")
    upper = np.triu_indices(values.shape[0], 1)
    units = np.broadcast_to(whole("counts", counts), values.shape)[upper]
    total = values[upper]
    if (total < 0).any() or (total > units).any():
        raise ValueError("sums holds a value below 0 or above its count; allowed are sums of scores from 0 to 1")
    ratio, residuals, used = batch_residuals(total, units)
    apart = residuals * np.sqrt(used / (used - 1.0))[:, np.newaxis]
    return _pair_scores(ratio, apart, _lengths(apart), units.sum(axis=1), used - 1.0, int(used.max()))


def scores_from_games(wins: ArrayLike, draws: ArrayLike, losses: ArrayLike, *, seat: bool = True) -> PairScores:
    """Scores of pairs from the counts that ``davidson_beaver`` takes.

    Parameters
    ----------
    wins, draws, losses
        Whole numbers of shape ``(items, items)``, all games independent, or ``(items, items, batches)``, the batches
        independent: row ``i``, column ``j`` holds games in which ``i`` had the first seat. The diagonal is not read.
    seat
        True: the score is the mean of both seats, however many games each had, so that the seat's advantage cancels.
        False: games without a first mover, taken together.

    Returns
    -------
    PairScores

    Raises
    ------
    ValueError
        On other shapes or numbers, or if a pair has too few games: 2 for independent ones (in each seat), else two
        batches.

    Examples
    --------
    >>> wins, losses = [[0, 7, 5], [6, 0, 7], [7, 6, 0]], [[0, 3, 5], [4, 0, 3], [3, 4, 0]]
    >>> scores_from_games(wins, np.zeros((3, 3), int), losses).score.round(2).tolist()
    [[0.5, 0.55, 0.4], [0.45, 0.5, 0.55], [0.6, 0.45, 0.5]]
    """
    counts, batches = game_counts(wins, draws, losses)
    items = counts.shape[1]
    if items < 3:
        raise ValueError(f"there are {items} items; allowed are at least 3")
    upper = np.triu_indices(items, 1)
    # both rows from the side of the pair's first item: where it had the first seat, where it had the second
    views = np.stack([counts[:, *upper], counts[::-1, upper[1], upper[0]]])
    if not seat:
        views = views.sum(axis=0, keepdims=True)
    won, drawn, _ = np.moveaxis(views, 1, 0)
    n, points, seats = views.sum(axis=1), 2 * won + drawn, len(views)
    few = n.sum(axis=-1).min(axis=0)
    if few.min() < 2:
        where = int(few.argmin())
        raise ValueError(
            f"items {upper[0][where]} and {upper[1][where]} have {few.min()} games{' in a seat' if seat else ''}; "
            "allowed are at least 2"
        )
    if batches:
        ratio, residuals, used = batch_residuals(points, n)
        apart = (residuals * np.sqrt(used / (used - 1.0))[..., np.newaxis]).sum(axis=0) / (2.0 * seats)
        return _pair_scores(ratio.mean(axis=0) / 2.0, apart, _lengths(apart), few, used.min(axis=0) - 1.0, batches)
    games = n.sum(axis=-1)
    mean, deviation = deviations(games, points.sum(axis=-1), (points + 2 * won).sum(axis=-1))
    variance = (deviation / (games - 1.0) / games).sum(axis=0) / (2.0 * seats) ** 2
    none = np.zeros((len(few), 0))
    return _pair_scores(mean.mean(axis=0) / 2.0, none, np.sqrt(variance), few, few - 1.0, 0)


def _lengths(apart: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt((apart**2).sum(axis=1)))


def _pair_scores(
    score: FloatArray, factor: FloatArray, error: FloatArray, units: IntArray, df: FloatArray, batches: int
) -> PairScores:
    items = (1 + int(np.sqrt(1 + 8 * len(score)))) // 2
    upper = np.triu_indices(items, 1)
    table = np.full((items, items), 0.5)
    table[upper] = score
    table.T[upper] = 1.0 - score
    return PairScores(table, factor, error, units, error > 0.0, df, batches)
