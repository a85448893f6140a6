"""Likelihood of the model of Davidson and Beaver: counts, chances, derivatives and the climb to the peak.

The parameters stand in one row: the ratings of the items, the advantage of the first seat, the draw parameter
``ln nu``. The log-likelihood is concave in them (a multinomial logit with linear terms).
"""

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.checks import FloatArray, IntArray, whole

STEPS = 200  # Newton needs about 6; where there is no greatest likelihood each step adds about 1 to the ratings
SETTLED = 1e-12  # log-likelihood still to be gained, below which the search ends
LOST = 1e-5  # information on a direction that the counts leave open; one game that speaks against it gives about 1


def game_counts(wins: ArrayLike, draws: ArrayLike, losses: ArrayLike) -> tuple[IntArray, int]:
    """Return wins, draws and losses of the first seat as one int64 array, and the count of batches.

    Parameters
    ----------
    wins, draws, losses
        Whole numbers of shape ``(items, items)`` or ``(items, items, batches)``, the row's item in the first seat.

    Returns
    -------
    counts : shape ``(3, items, items, batches)``
        With one batch for the first shape.
    batches : int
        Batches that hold at least one game; 0 for the first shape.

    Raises
    ------
    ValueError
        On other shapes or numbers, without games, or with fewer than two batches that hold games.

    Examples
    --------
    >>> counts, batches = game_counts([[0, 6], [4, 0]], [[0, 1], [0, 0]], [[0, 3], [6, 0]])
    >>> counts.shape, batches
    ((3, 2, 2, 1), 0)
    """
    tables = [whole(name, table) for name, table in (("wins", wins), ("draws", draws), ("losses", losses))]
    shapes = [table.shape for table in tables]
    square = len(shapes[0]) in (2, 3) and shapes[0][0] == shapes[0][1] >= 2
    if not (square and shapes[0] == shapes[1] == shapes[2]):
        found = ", ".join(map(str, shapes))
        raise ValueError(f"wins, draws, losses have shapes {found}; allowed is (items, items) or with batches last")
    counts = np.stack(tables)
    if counts.ndim == 3:
        counts, batches = counts[..., np.newaxis], 0
    else:
        batches = int(np.count_nonzero(counts.sum(axis=(0, 1, 2))))
        if batches < 2:
            raise ValueError(f"{batches} batches hold games; allowed are at least 2, or tables without batches")
    if not counts.any():
        raise ValueError("wins, draws and losses hold no games; allowed is at least 1")
    return counts, batches


def check_points(played: IntArray) -> None:
    """Refuse items of which no point connects them to the others: their ratings would be infinite."""
    points = (played[0] + played[1] + played[2].T + played[1].T) > 0
    reach = points | np.eye(len(points), dtype=np.bool_)
    for _ in range(len(points).bit_length()):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0.0
    if reach.all():
        return
    few = int(reach.sum(axis=1).argmin())
    inside = reach[few]  # takes points from nobody else
    taken = bool(points[np.ix_(~inside, inside)].any())
    some = np.flatnonzero(inside if 2 * inside.sum() <= inside.size else ~inside).tolist()
    does = "took no point from" if 2 * inside.sum() <= inside.size else "lost no point to"
    raise ValueError(
        f"items {some} {does if taken else 'never met'} the others, so their ratings have no end; allowed are items "
        "that all take points from each other, directly or through others, or a prior above 0"
    )


def directions(items: int, seat: bool, drawn: bool) -> FloatArray:
    """Orthonormal directions of ratings with sum 0, then of the seat and of the draws, as columns."""
    apart = np.linalg.qr(np.c_[np.ones(items), np.eye(items)[:, 1:]])[0][:, 1:]
    basis = np.zeros((items + 2, items + 1))
    basis[:items, : items - 1] = apart
    basis[items, items - 1] = basis[items + 1, items] = 1.0
    kept = np.r_[np.ones(items - 1, dtype=np.bool_), seat, drawn]
    return basis[:, kept]


def log_chances(place: FloatArray) -> FloatArray:
    """Log chances of the first seat to win, draw and lose, shape ``(3, items, items)``."""
    rating, seat, draw = place[:-2], place[-2], place[-1]
    lead = seat + rating[:, np.newaxis] - rating
    logits = np.stack([0.5 * lead, np.full_like(lead, draw), -0.5 * lead])
    top = logits.max(axis=0)
    return np.asarray(logits - top - np.log(np.exp(logits - top).sum(axis=0)))


def log_likelihood(weights: FloatArray | IntArray, place: FloatArray) -> float:
    """Log-likelihood without multinomial constants; outcomes that were never seen add nothing."""
    terms = np.zeros(weights.shape)
    np.multiply(weights, log_chances(place), out=terms, where=weights > 0)
    return float(terms.sum())


def gradient(weights: FloatArray | IntArray, place: FloatArray) -> FloatArray:
    """Gradient of the log-likelihood; a last axis of batches in ``weights`` stays one."""
    chances = np.exp(log_chances(place)).reshape(3, *weights.shape[1:3], *[1] * (weights.ndim - 3))
    win, draw, _ = weights - weights.sum(axis=0) * chances
    lead = win + 0.5 * draw
    return np.asarray([*(lead.sum(axis=1) - lead.sum(axis=0)), lead.sum(axis=(0, 1)), draw.sum(axis=(0, 1))])


def information(n: FloatArray, place: FloatArray) -> FloatArray:
    """Fisher information of ratings, seat and draw for ``n`` games a cell."""
    win, draw, _ = np.exp(log_chances(place))
    mean = win + 0.5 * draw
    leads, ties = n * (win + 0.25 * draw - mean**2), n * draw * (1.0 - draw)
    both = n * draw * (0.5 - mean)
    size = len(n)
    matrix = np.zeros((size + 2, size + 2))
    matrix[:size, :size] = np.diag(leads.sum(axis=1) + leads.sum(axis=0)) - leads - leads.T
    matrix[:size, size] = matrix[size, :size] = leads.sum(axis=1) - leads.sum(axis=0)
    matrix[:size, size + 1] = matrix[size + 1, :size] = both.sum(axis=1) - both.sum(axis=0)
    matrix[size, size], matrix[size + 1, size + 1] = leads.sum(), ties.sum()
    matrix[size, size + 1] = matrix[size + 1, size] = both.sum()
    return matrix


def climb(weights: FloatArray, basis: FloatArray, place: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the peak of the likelihood and the information there on the directions, by Newton steps that must gain.

    Raises
    ------
    ValueError
        If there is no peak, or no single one: then the information runs out along some direction on the way.
    """
    n, reached = weights.sum(axis=0), log_likelihood(weights, place)
    known = basis.T @ information(n, place) @ basis
    for _ in range(STEPS):
        if _runs_out(known):
            break
        slope = basis.T @ gradient(weights, place)
        step = np.linalg.solve(known, slope)
        gain, scale = float(slope @ step), 1.0
        while True:
            there = place + basis @ (scale * step)
            likelihood = log_likelihood(weights, there)
            if likelihood >= reached + 0.25 * scale * gain - 1e-13 * abs(reached):
                break
            scale *= 0.5
        place, reached = there, likelihood
        known = basis.T @ information(n, place) @ basis
        if gain < SETTLED:
            break
    if _runs_out(known):
        names = [*(f"the rating of item {item}" for item in range(len(n))), "the seat advantage", "the draw parameter"]
        # the simplest reason is named: one parameter by itself, if that is open, not a mixture with others
        alone = np.flatnonzero(((basis.T**2).sum(axis=0) == 1.0) & (np.diag(information(n, place)) < 100.0 * LOST))
        along = np.abs(basis @ np.linalg.eigh(known)[1][:, 0])
        what = " and ".join(names[k] for k in (alone if alone.size else np.flatnonzero(along > 0.3 * along.max())))
        raise ValueError(
            f"the counts do not bound {what}; allowed are counts in which no outcome follows from seat and items, a "
            "model without seat, or a larger prior"
        )
    return place, known


def _runs_out(known: FloatArray) -> bool:
    values = np.linalg.eigvalsh(known)
    rounding = 8.0 * len(values) * np.finfo(np.float64).eps * values[-1]
    return bool(values[0] < max(LOST, rounding))
