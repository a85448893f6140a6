"""The game of choosing: who picks what when all know the score of every build against every other.

Two players each pick a build, or draw one by a mixture, and the score matrix says what comes of it. The game is
symmetric and zero-sum, so that an equilibrium scores exactly one half against itself and at least that against all
others. Scores, gaps and margins are shares from 0 to 1; 0.01 is a percentage point.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog, minimize
from scipy.special import entr

from simkit.stats.checks import BoolArray, FloatArray, finite, positive

EVEN = 0.5
"""What equals score against each other."""
MARGIN = 1e-7
"""How much an opponent may gain on an equilibrium that is computed, not estimated."""
SYMMETRY = 1e-9
"""How far two scores of a pair may be from one in sum, by rounding."""
PICKED = 1e-3
"""Share from which a build counts as picked, where layers of builds are peeled off."""


class Solution(NamedTuple):
    """The best that both players can do when one of them may use some builds only."""

    value: float
    """Score that the restricted player can be sure of: 0.5 at most."""
    mixture: FloatArray
    """Shares of the builds with which the restricted player is sure of it; 0 where not allowed."""
    answer: FloatArray
    """Shares with which the free player keeps it down to that."""


def score_matrix(scores: ArrayLike) -> FloatArray:
    """Return scores of builds against each other as float64, or say what is wrong with them.

    Parameters
    ----------
    scores
        Shape ``(builds, builds)``: score of the row against the column, both seats averaged, from 0 to 1. What one
        of a pair scores the other lacks; the diagonal is 0.5.

    Returns
    -------
    float64 array
        Of the same shape.

    Raises
    ------
    ValueError
        On other shapes or numbers, naming the first pair that is wrong.

    Examples
    --------
    >>> score_matrix([[0.5, 0.6], [0.4, 0.5]]).shape
    (2, 2)
    """
    found = finite("scores", scores).astype(np.float64)
    if found.ndim != 2 or found.shape[0] != found.shape[1] or not found.size:
        raise ValueError(f"scores has shape {found.shape}; allowed is (builds, builds) with at least 1 build")
    if (found < 0.0).any() or (found > 1.0).any():
        wrong = found[(found < 0.0) | (found > 1.0)][0]
        raise ValueError(f"scores holds {wrong}; allowed are shares from 0 to 1")
    odd = np.argwhere(np.abs(found + found.T - 1.0) > SYMMETRY)
    if odd.size:
        i, j = map(int, odd[0])
        both = f"{found[i, j]} and {found[j, i]}"
        raise ValueError(
            f"scores of builds {i} and {j} against each other are {both}; allowed are shares that add to 1"
        )
    return found


def solve(scores: ArrayLike, allowed: ArrayLike | None = None) -> Solution:
    """Solve the game in which one player may use some builds only, the other all.

    A linear program and its dual (von Neumann 1928; Dantzig 1951): the mixture over the allowed rows whose worst
    column is best, and the mixture over the columns whose best allowed row is worst.

    Parameters
    ----------
    scores
        As for :func:`score_matrix`.
    allowed
        bool, shape ``(builds,)``: what the restricted player may use; everything if left out.

    Returns
    -------
    Solution

    Raises
    ------
    ValueError
        On other shapes, or if nothing is allowed.

    Examples
    --------
    >>> beats = [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]
    >>> round(solve(beats).value, 9), round(solve(beats, [False, True, True]).value, 9)
    (0.5, 0.333333333)
    """
    matrix = score_matrix(scores)
    builds = len(matrix)
    rows = np.arange(builds) if allowed is None else np.flatnonzero(chosen("allowed", allowed, builds))
    if not rows.size:
        raise ValueError("allowed holds no build; allowed is at least 1")
    found, answer = _program(
        np.r_[np.zeros(rows.size), -1.0],
        np.c_[-matrix[rows].T, np.ones(builds)],
        np.zeros(builds),
        np.r_[np.ones(rows.size), 0.0],
        [(0.0, None)] * rows.size + [(None, None)],
    )
    mixture = np.zeros(builds)
    mixture[rows] = np.maximum(found[:-1], 0.0)
    return Solution(float(found[-1]), mixture / mixture.sum(), answer / answer.sum())


def game_value(scores: ArrayLike, allowed: ArrayLike | None = None) -> float:
    """Score that a player can be sure of who may use some builds only.

    Parameters
    ----------
    scores, allowed
        As for :func:`solve`.

    Returns
    -------
    float
        From 0 to 0.5; 0.5 if everything is allowed, by symmetry.

    Raises
    ------
    ValueError
        As :func:`solve`.

    Examples
    --------
    >>> round(game_value([[0.5, 0.6], [0.4, 0.5]], [False, True]), 9)
    0.4
    """
    return solve(scores, allowed).value


def maximum_entropy(scores: ArrayLike, epsilon: float = MARGIN) -> FloatArray:
    """Equilibrium that favours no build without need: of all near-equilibria the one with the largest entropy.

    It is unique, moves continuously with the scores, and copies of a build share what one would get (Balduzzi and
    others, Re-evaluating evaluation, NeurIPS 2018). Of the mixtures ``p`` with ``p @ scores >= 0.5 - epsilon`` for
    every opponent, ``p`` is proportional to ``exp(M u)`` with ``M = scores - scores.T``, where ``u >= 0`` minimises
    ``log(sum(exp(M u))) + 2 epsilon sum(u)``: the convex dual (Boyd and Vandenberghe, Convex Optimization 2004,
    section 5.2.4), solved by L-BFGS-B.

    Parameters
    ----------
    scores
        As for :func:`score_matrix`.
    epsilon
        How much an opponent may gain on it, a share above 0. For estimated scores their error: what differs by less
        is then mixed rather than picked by luck.

    Returns
    -------
    float64 array, shape ``(builds,)``
        Shares that add to 1.

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> maximum_entropy([[0.5, 0.5, 0.6], [0.5, 0.5, 0.6], [0.4, 0.4, 0.5]]).round(3).tolist()
    [0.5, 0.5, 0.0]
    """
    matrix = score_matrix(scores)
    margin = 2.0 * positive("epsilon", epsilon)
    gain = matrix - matrix.T
    scale = float(np.abs(gain).max())
    if scale <= margin:  # nobody can gain more than that on any mixture, so the even one is a near-equilibrium
        return np.full(len(matrix), 1.0 / len(matrix))
    gain, margin = gain / scale, margin / scale

    def dual(weights: FloatArray) -> tuple[float, FloatArray]:
        shares, height = _softmax(gain @ weights)
        return height + margin * float(weights.sum()), gain.T @ shares + margin

    made = minimize(
        dual,
        np.zeros(len(matrix)),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, None)] * len(matrix),
        options={"maxiter": 20_000, "maxfun": 40_000, "ftol": 1e-15, "gtol": 1e-10, "maxcor": 30},
    )
    return _softmax(gain @ made.x)[0]


def regrets(scores: ArrayLike, field: ArrayLike) -> FloatArray:
    """How much less than one half each build scores against a field.

    Parameters
    ----------
    scores
        As for :func:`score_matrix`.
    field
        Shape ``(builds,)``: shares of the opponents, which add to 1.

    Returns
    -------
    float64 array, shape ``(builds,)``
        Shares: 0 for what an equilibrium picks, above 0 for what is worse, below 0 for what beats the field.

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> regrets([[0.5, 0.6], [0.4, 0.5]], [1.0, 0.0]).round(9).tolist()
    [0.0, 0.1]
    """
    matrix = score_matrix(scores)
    return np.asarray(EVEN - matrix @ shares_of("field", field, len(matrix)))


def exploitability(scores: ArrayLike, field: ArrayLike) -> float:
    """How much the best answer to a field gains on it.

    Parameters
    ----------
    scores, field
        As for :func:`regrets`.

    Returns
    -------
    float
        A share, 0 for an equilibrium.

    Raises
    ------
    ValueError
        As :func:`regrets`.

    Examples
    --------
    >>> round(exploitability([[0.5, 0.6], [0.4, 0.5]], [0.5, 0.5]), 9)
    0.05
    """
    return max(0.0, -float(regrets(scores, field).min()))


def effective_number(field: ArrayLike) -> float:
    """How many builds a field has, where rare ones count for little.

    ``exp`` of the entropy, the number of equally frequent kinds that are as diverse (Hill, Ecology 54, 1973, order 1).

    Parameters
    ----------
    field
        Shape ``(builds,)``: shares that add to 1.

    Returns
    -------
    float
        From 1 to the number of builds.

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> round(effective_number([0.5, 0.5, 0.0]), 9)
    2.0
    """
    return float(np.exp(entr(shares_of("field", field, np.size(field))).sum()))


def usage_range(scores: ArrayLike, holders: ArrayLike, epsilon: ArrayLike = MARGIN) -> tuple[float, float]:
    """Least and largest share of the builds with an item over all near-equilibria.

    Who is *in* an equilibrium hangs on differences far below the error of the scores; how often an item can be in
    one, at least and at most, does not. Two linear programs over the mixtures ``p`` with
    ``p @ (scores + epsilon) >= 0.5`` for every opponent.

    Parameters
    ----------
    scores
        Shape ``(builds, opponents)``, from 0 to 1: score of a build against an opponent, who may be a mixture. The
        builds themselves must be among the opponents for the mixtures to be near-equilibria.
    holders
        bool, shape ``(builds,)``: who has the item.
    epsilon
        How much higher a score may be in truth, from 0: one number, or one a cell. If it bounds the errors of all
        cells together, the equilibria of the true scores are among those looked at.

    Returns
    -------
    low, high : float
        Shares from 0 to 1.

    Raises
    ------
    ValueError
        On other shapes or numbers, or if no mixture is that good.

    Examples
    --------
    >>> even = [[0.5, 0.5, 0.6], [0.5, 0.5, 0.6], [0.4, 0.4, 0.5]]
    >>> [round(end, 4) for end in usage_range(even, [True, False, False])]
    [0.0, 1.0]
    """
    table, extra = finite("scores", scores).astype(np.float64), finite("epsilon", epsilon)
    if table.ndim != 2 or not table.size:
        raise ValueError(f"scores has shape {table.shape}; allowed is (builds, opponents) with at least 1 of each")
    if (extra < 0.0).any():
        raise ValueError(f"epsilon holds {extra.min()}; allowed are shares from 0")
    builds, opponents = table.shape
    held = chosen("holders", holders, builds).astype(np.float64)
    best = table + extra
    if best.shape != table.shape:
        raise ValueError(f"epsilon has shape {extra.shape}; allowed is one number, or one for each cell of scores")
    bounds, ones = np.full(opponents, SYMMETRY - EVEN), np.ones(builds)
    least, most = (_program(sign * held, -best.T, bounds, ones, [(0.0, None)] * builds)[0] @ held for sign in (1, -1))
    return min(max(float(least), 0.0), 1.0), min(max(float(most), 0.0), 1.0)


def tiers(scores: ArrayLike, epsilon: float = MARGIN, picked: float = PICKED) -> list[list[int]]:
    """Layers of builds: what the equilibrium picks, then what it would pick without those, and so on.

    Peeling off the support of the maximum-entropy equilibrium (Nash clustering: Czarnecki and others, Real World
    Games Look Like Spinning Tops, NeurIPS 2020). A view of computed scores; with estimated ones the layers of builds
    that are near each other are luck unless ``epsilon`` is their error.

    Parameters
    ----------
    scores, epsilon
        As for :func:`maximum_entropy`.
    picked
        Share of the most frequent build from which another counts as picked, above 0, up to 1. A wide margin lets
        everybody in with a little.

    Returns
    -------
    list of lists of int
        Positions of the builds, strongest layer first, each in rising order.

    Raises
    ------
    ValueError
        As :func:`maximum_entropy`, and on other values of `picked`.

    Examples
    --------
    >>> tiers([[0.5, 0.5, 0.6], [0.5, 0.5, 0.6], [0.4, 0.4, 0.5]])
    [[0, 1], [2]]
    """
    matrix = score_matrix(scores)
    if not 0.0 < picked <= 1.0:
        raise ValueError(f"picked is {picked}; allowed are shares above 0, up to 1")
    left, layers = np.arange(len(matrix)), []
    while left.size:
        shares = maximum_entropy(matrix[np.ix_(left, left)], epsilon)
        often = shares >= picked * shares.max()
        layers.append([int(build) for build in left[often]])
        left = left[~often]
    return layers


def chosen(name: str, value: ArrayLike, builds: int) -> BoolArray:
    """Return which of ``builds`` builds are meant, a bool array of shape ``(builds,)``, or raise ValueError."""
    found = np.asarray(value)
    if found.dtype != np.bool_ or found.shape != (builds,):
        raise ValueError(f"{name} has type {found.dtype}, shape {found.shape}; allowed is bool, shape ({builds},)")
    return found


def shares_of(name: str, value: ArrayLike, builds: int) -> FloatArray:
    """Return shares of ``builds`` builds that add to 1, a float64 array of shape ``(builds,)``, or raise ValueError."""
    found = finite(name, value).astype(np.float64)
    if found.shape != (builds,):
        raise ValueError(f"{name} has shape {found.shape}; allowed is ({builds},)")
    if (found < 0.0).any() or abs(float(found.sum()) - 1.0) > 1e-6:
        raise ValueError(f"{name} holds {found.min()} and adds to {found.sum()}; allowed are shares that add to 1")
    return found


def _softmax(heights: FloatArray) -> tuple[FloatArray, float]:
    """Return shares in proportion to ``exp(heights)``, and the logarithm of what they are divided by."""
    top = float(heights.max())
    raised = np.exp(heights - top)
    total = float(raised.sum())
    return np.asarray(raised / total), top + float(np.log(total))


def _program(
    goal: FloatArray,
    rows: FloatArray,
    most: FloatArray,
    total: FloatArray,
    bounds: list[tuple[float | None, float | None]],
) -> tuple[FloatArray, FloatArray]:
    """Return ``x`` that minimises ``goal @ x`` under ``rows @ x <= most``, ``total @ x == 1``, and what rows cost."""
    made = linprog(goal, A_ub=rows, b_ub=most, A_eq=total[np.newaxis], b_eq=[1.0], bounds=bounds, method="highs")
    if made.status == 2:
        raise ValueError("no mixture scores one half against every opponent; allowed are scores for which one does")
    if made.x is None:
        raise ArithmeticError(f"the linear program was not solved: {made.message}")
    return np.asarray(made.x), np.maximum(-np.asarray(made.ineqlin.marginals, dtype=np.float64), 0.0)
