"""How strong an item is at equal budget: swap lift, need, regret and usage, with intervals that hold together.

A win rate cannot tell. Where everybody takes an item, all who have it meet each other and score one half; and where
prices are uneven, who has the item differs in all else. So builds are compared that differ in the item alone (lift),
and the game of choosing is solved with and without it (need, regret, usage).

Mixtures are chosen on one half of the dice and judged on the other: the best of many builds on the dice that chose it
looks better than it is. All numbers are shares from 0 to 1; 0.01 is a percentage point of score.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simkit import stats
from simkit.balance.equilibrium import (
    EVEN,
    MARGIN,
    SYMMETRY,
    effective_number,
    exploitability,
    maximum_entropy,
    regrets,
    score_matrix,
    shares_of,
    solve,
    usage_range,
)
from simkit.balance.items.bounds import behind_of, bounds_of, cells_of, heaviest_of, heaviest_pair
from simkit.balance.items.item import Item
from simkit.stats import Estimate
from simkit.stats.checks import FloatArray, finite, whole


@dataclass(frozen=True, slots=True)
class Power:
    """How strong an item is. All estimates of all items of a measurement hold together at its level.

    Attributes
    ----------
    item
        Its name.
    lift_uniform, lift_field
        What having it gains over what else its price buys, against all builds alike and against the field.
    need
        What a player loses who alone may not take it, 0 at least.
    regret
        What a player loses who must take it, with the best build that has it, against the field; 0 at least.
    usage
        Least and largest share of builds with it over all near-equilibria.
    usage_field
        Share of builds with it in the field.
    beaten
        True if a swap for something else is better against every build there is (strict dominance), resolved for all
        together.
    """

    item: str
    lift_uniform: Estimate
    lift_field: Estimate
    need: Estimate
    regret: Estimate
    usage: tuple[float, float]
    usage_field: float
    beaten: bool


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What a matrix of scores says of several items.

    Attributes
    ----------
    field
        float64, shape ``(builds,)``: the maximum-entropy equilibrium that builds are judged against.
    exploitability
        How much the best answer gains on the field, a share; the upper bound where scores are estimated.
    effective_number
        How many builds the field has (see :func:`simkit.balance.equilibrium.effective_number`).
    powers
        One for every item, in their order.
    """

    field: FloatArray
    exploitability: float
    effective_number: float
    powers: tuple[Power, ...]


def measure_exact(
    scores: ArrayLike, items: Sequence[Item], epsilon: float = MARGIN, *, crowd: ArrayLike | None = None
) -> Measured:
    """Measure items on scores that are known, not estimated.

    With ``p`` the field, ``A`` the scores and ``q`` a field (all builds alike, or ``p``): lift is the mean over the
    swaps ``b -> b'`` of ``((A[b] - A[b']) @ q)``, the effect that randomised designs estimate (Hainmueller, Hopkins
    and Yamamoto, Polit. Anal. 22, 2014); need is one half less the value of the game in which one player may not take
    the item (restricted play: Jaffe and others, AIIDE 2012); regret is the least ``0.5 - A[b] @ p`` of the builds
    with it.

    Parameters
    ----------
    scores
        Shape ``(builds, builds)``, as for :func:`simkit.balance.equilibrium.score_matrix`.
    items
        What to measure.
    epsilon
        How much an opponent may gain on a near-equilibrium, a share above 0.
    crowd
        As for :func:`measure`.

    Returns
    -------
    Measured
        All estimates of method ``"exact"``.

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> beats = [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]
    >>> rock = measure_exact(beats, [Item("rock", [True, False, False])]).powers[0]
    >>> round(rock.need.estimate, 6), round(rock.regret.estimate, 6), round(rock.usage[0], 3)
    (0.166667, 0.0, 0.333)
    """
    matrix = score_matrix(scores)
    _fits(items, len(matrix))
    others = _crowd(crowd, len(matrix))
    field = maximum_entropy(matrix, epsilon)
    lost = regrets(matrix, field)
    powers = []
    for item in items:
        gaps = item.weights() @ matrix
        powers.append(
            Power(
                item.name,
                Estimate.exact(float(gaps @ others)),
                Estimate.exact(float(gaps @ field)),
                Estimate.exact(max(0.0, EVEN - solve(matrix, ~item.holders).value)),
                Estimate.exact(max(0.0, float(lost[item.holders].min()))),
                usage_range(matrix, item.holders, epsilon),
                float(field[item.holders].sum()),
                _beaten(item, matrix, matrix),
            )
        )
    return Measured(field, exploitability(matrix, field), effective_number(field), tuple(powers))


def measure_split(
    batches: ArrayLike,
    units: ArrayLike,
    items: Sequence[Item],
    level: float = 0.99,
    *,
    draws: int = 20_000,
    seed: int = 1,
) -> Measured:
    """Measure items on estimated scores: even batches choose the mixtures, odd ones judge them.

    The field is the maximum-entropy near-equilibrium within one standard error (the largest of a cell) of the half
    that chooses, so that builds which are not told apart are mixed and not picked by luck.

    Parameters
    ----------
    batches
        Shape ``(builds, builds, batches)``, at least 4 batches: mean score of the row against the column in each. A
        batch holds the same share of the units in every cell.
    units
        Units behind each cell, all batches together: an integer, or shape ``(builds, builds)``; the diagonal is not
        looked at.
    items, level, draws, seed
        As for :func:`measure`.

    Returns
    -------
    Measured
        Its estimates count the units that judge.

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> upper = np.triu(rng.binomial(100, 0.6, (64, 2, 2)) / 100, 1)
    >>> batches = np.moveaxis(upper + np.tril(1 - upper.transpose(0, 2, 1), -1) + np.eye(2) / 2, 0, 2)
    >>> found = measure_split(batches, 6_400, [Item("legs", [True, False])]).powers[0]
    >>> found.need.low < 0.1 < found.need.high, found.need.n
    (True, 3200)
    """
    values = _batches(batches)
    count = values.shape[2]
    if count < 4:
        raise ValueError(f"batches has {count} batches; allowed are at least 4, half to choose and half to judge")
    choosing, judging = values[:, :, ::2], values[:, :, 1::2]
    error = float(choosing.std(axis=2, ddof=1).max()) / np.sqrt(choosing.shape[2])
    behind = whole("units", units, 1) * judging.shape[2] // count
    pilot, epsilon = choosing.mean(axis=2), max(MARGIN, error)
    return measure(pilot, judging, behind, items, level, epsilon=epsilon, draws=draws, seed=seed)


def measure(
    pilot: ArrayLike,
    batches: ArrayLike,
    units: ArrayLike,
    items: Sequence[Item],
    level: float = 0.99,
    *,
    crowd: ArrayLike | None = None,
    epsilon: float = MARGIN,
    draws: int = 20_000,
    seed: int = 1,
    bounded: bool = True,
) -> Measured:
    """Measure items on estimated scores, with mixtures chosen on other dice.

    For a mixture fixed beforehand the score of every build against it is a mean over batches. What holds for all of
    these means together bounds the rest: a player without the item who draws ``x`` is sure of the worst score of
    ``x``, and cannot be sure of more than the best score that anything allowed gets against an answer ``y``. Both
    bounds hold for any ``x`` and ``y`` (weak duality); those that solve the pilot are near the tightest. Lift and
    regret are against the field that the pilot gives.

    Half of the error probability goes to these means, half to the single cells, which bound usage.

    Parameters
    ----------
    pilot
        Shape ``(builds, builds)``: scores from other dice, which choose the mixtures.
    batches
        Shape ``(builds, builds, batches)``, at least 2 batches: mean score of the row against the column in each.
    units
        Units behind each cell in ``batches``: an integer, or shape ``(builds, builds)``. Cells may have been played
        unequally, as long as each batch of a cell holds the same share of its units.
    items
        What to measure.
    level
        Confidence level of all intervals of all items together.
    crowd
        Shape ``(builds,)``: shares of the builds in the field that the first lift is against; all alike if left out.
    epsilon
        How much an opponent may gain on the field by the pilot, a share above 0.
    draws, seed
        Of the resampling of batches (see :func:`simkit.stats.max_t`).
    bounded
        Whether every batch is a mean score. A sum of scores and of changes is one on the whole, but no single batch
        need lie between 0 and 1.

    Returns
    -------
    Measured

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> known = [[0.5, 0.6], [0.4, 0.5]]
    >>> steady = np.repeat(np.array(known)[:, :, np.newaxis], 8, axis=2)
    >>> found = measure(known, steady, 10_000, [Item("legs", [True, False])]).powers[0]
    >>> round(found.need.estimate, 6), found.need.low < 0.1 < found.need.high
    (0.1, True)
    """
    first, values = score_matrix(pilot), _batches(batches, bounded)
    builds = len(first)
    if values.shape[:2] != first.shape:
        raise ValueError(f"batches has shape {values.shape}; allowed is {(*first.shape, 'batches')}, as the pilot has")
    _fits(items, builds)
    behind = behind_of(units, builds)
    n = int(behind[~np.eye(builds, dtype=bool)].min())
    others = _crowd(crowd, builds)
    half_level = stats.bonferroni_level(2, level)
    field = maximum_entropy(first, epsilon)
    mixtures = [field]
    for item in items:
        solved = solve(first, ~item.holders)
        mixtures += [solved.answer, solved.mixture]
    against = np.tensordot(np.stack(mixtures), values, axes=(1, 1))  # mixtures, builds, batches
    faced = [np.tensordot(others, values, axes=(0, 1)), against[0]]
    lifts = [item.weights() @ means for item in items for means in faced]
    rows = np.concatenate([against.reshape(-1, values.shape[2]), np.stack(lifts)])
    heaviest = [heaviest_of(mixture, behind) for mixture in mixtures]
    pairs = [heaviest_pair(item.weights(), q, behind) for item in items for q in (others, field)]
    bands = bounds_of(rows, np.concatenate([*heaviest, np.array(pairs)]), half_level, draws, seed)
    single = [band[: against.shape[0] * builds].reshape(against.shape[:2]) for band in bands[:3]]
    means, lows, highs = single
    lift_bands = np.stack(bands[:3])[:, against.shape[0] * builds :]
    cells, low_cells, high_cells = cells_of(values, behind, half_level, draws, seed)
    scores = np.concatenate([cells, means.T], axis=1)
    errors = np.concatenate([high_cells - cells, (highs - means).T], axis=1)

    def made(found: Iterable[float], least: float = -1.0, most: float = 1.0) -> Estimate:
        estimate, low, high = (min(max(float(bound), least), most) for bound in found)
        return Estimate(estimate, low, high, level, n, bands.method)

    powers = []
    for k, item in enumerate(items):
        without, answer, mixture = ~item.holders, 1 + 2 * k, 2 + 2 * k
        least, most = EVEN - means[answer][without].max(), means[mixture].max() - EVEN
        need = (least + most) / 2, EVEN - highs[answer][without].max(), highs[mixture].max() - EVEN
        regret = [EVEN - float(row[0][item.holders].max()) for row in (means, highs, lows)]
        powers.append(
            Power(
                item.name,
                made(lift_bands[:, 2 * k]),
                made(lift_bands[:, 2 * k + 1]),
                made(need, 0.0, EVEN),
                made(regret, 0.0, EVEN),
                usage_range(scores, item.holders, errors),
                float(field[item.holders].sum()),
                _beaten(item, low_cells, high_cells),
            )
        )
    gained = max(0.0, float(highs[0].max()) - EVEN)
    return Measured(field, gained, effective_number(field), tuple(powers))


def standings(mixtures: ArrayLike, batches: ArrayLike, units: ArrayLike, level: float = 0.99) -> list[list[Estimate]]:
    """Return what every build scores against some mixtures, with intervals that hold together for all of them.

    Parameters
    ----------
    mixtures
        Shape ``(mixtures, builds)``: shares of the builds, fixed before the dice in ``batches`` were rolled.
    batches, units
        As for :func:`measure`.
    level
        Confidence level of all intervals together.

    Returns
    -------
    list of list of Estimate
        By mixture, then by build: mean scores, from 0 to 1.

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> steady = np.repeat(np.array([[0.5, 0.6], [0.4, 0.5]])[:, :, np.newaxis], 8, axis=2)
    >>> first, second = standings([[0.5, 0.5]], steady, 10_000)[0]
    >>> round(first.estimate, 6), first.low < 0.55 < first.high, second.high < first.low
    (0.55, True, True)
    """
    values = _batches(batches)
    builds = len(values)
    met = np.stack([shares_of("mixtures", mixture, builds) for mixture in np.atleast_2d(np.asarray(mixtures))])
    behind = behind_of(units, builds)
    n = int(behind[~np.eye(builds, dtype=bool)].min())
    rows = np.tensordot(met, values, axes=(1, 1)).reshape(-1, values.shape[2])
    heaviest = np.concatenate([heaviest_of(mixture, behind) for mixture in met])
    bands = bounds_of(rows, heaviest, level)
    found = [
        Estimate(float(mean), max(0.0, float(low)), min(1.0, float(high)), level, n, bands.method)
        for mean, low, high in zip(bands.mean, bands.low, bands.high, strict=True)
    ]
    return [found[at : at + builds] for at in range(0, len(found), builds)]


def _beaten(item: Item, low: FloatArray, high: FloatArray) -> bool:
    """Tell whether a swap for something else is better against every build, given bounds of every cell."""
    return any(bool((low[after] > high[before]).all()) for before, after in item.pairs())


def _batches(batches: ArrayLike, bounded: bool = True) -> FloatArray:
    """Return batch means as float64, or raise ValueError."""
    values = finite("batches", batches).astype(np.float64)
    if values.ndim != 3 or values.shape[0] != values.shape[1] or values.shape[0] < 2 or values.shape[2] < 2:
        allowed = "(builds, builds, batches) with at least 2 of each"
        raise ValueError(f"batches has shape {values.shape}; allowed is {allowed}")
    if bounded and ((values < 0.0).any() or (values > 1.0).any()):
        raise ValueError(f"batches holds {values.min()} to {values.max()}; allowed are mean scores from 0 to 1")
    if np.abs(values + values.swapaxes(0, 1) - 1.0).max() > SYMMETRY:
        raise ValueError("batches has scores of a pair that do not add to 1; allowed is one score seen from both sides")
    return values


def _crowd(crowd: ArrayLike | None, builds: int) -> FloatArray:
    return np.full(builds, 1.0 / builds) if crowd is None else shares_of("crowd", crowd, builds)


def _fits(items: Sequence[Item], builds: int) -> None:
    if not items:
        raise ValueError("items is empty; allowed is at least 1")
    for item in items:
        if item.holders.size != builds:
            raise ValueError(f"{item.name} is for {item.holders.size} builds; allowed are {builds}, as scores has")
