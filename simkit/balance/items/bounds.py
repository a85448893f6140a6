"""Bounds of means of scores that hold together, and never nearer than what no unit has shown leaves open."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit import stats
from simkit.balance.equilibrium import EVEN
from simkit.stats.checks import FloatArray, whole

DRAWS = 20_000
SEED = 1
"""Of the resampling of batches, unless said otherwise."""


class Bounds(NamedTuple):
    """Means of rows of batches, and what holds for all of them together."""

    mean: FloatArray
    low: FloatArray
    high: FloatArray
    method: str


def bounds_of(rows: FloatArray, heaviest: FloatArray, level: float, draws: int = DRAWS, seed: int = SEED) -> Bounds:
    """Return the means of rows of batches with bounds for all together.

    No bound is nearer than what units leave open that all came out the same (the rule of three at this level): a
    matchup that one side always won has no spread to judge by. ``heaviest`` is the weight of a unit in a row, the
    largest there is: with weights ``w`` and ``n`` units each, cells that differ by ``d`` from what they showed do so
    unseen with chance ``exp(-sum(n d))``, and ``sum(w d)`` is then at most ``max(w / n)`` times the rest.
    """
    made = stats.simultaneous_bands(rows, np.ones(rows.shape[1], dtype=np.int64), level, draws, seed)
    unseen = -np.log((1.0 - stats.sidak_level(len(rows), level)) / 2.0) * heaviest
    half = np.maximum((made.high - made.low) / 2.0, unseen)
    mean = rows.mean(axis=1)
    return Bounds(mean, mean - half, mean + half, made.critical.method)


def heaviest_of(mixture: FloatArray, behind: FloatArray) -> FloatArray:
    """Return what a unit counts most in the score of each build against a mixture; the diagonal is known."""
    each = mixture / behind
    np.fill_diagonal(each, 0.0)
    return np.asarray(each.max(axis=1))


def heaviest_pair(gaps: FloatArray, mixture: FloatArray, behind: FloatArray) -> float:
    """Return what a unit counts most in the difference of builds against a mixture; a pair is seen from both sides."""
    each = np.outer(gaps, mixture)
    return float((np.abs(each - each.T) / behind).max())


def cells_of(
    values: FloatArray, behind: FloatArray, level: float, draws: int, seed: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean score of every cell with bounds for all together; the diagonal is known."""
    builds = len(values)
    above = np.triu_indices(builds, 1)
    bands = bounds_of(values[above], 1.0 / behind[above], level, draws, seed)
    mean, low, high = (np.full((builds, builds), EVEN) for _ in range(3))
    mean[above], low[above], high[above] = bands[:3]
    back = above[::-1]
    mean[back], low[back], high[back] = 1.0 - bands.mean, 1.0 - bands.high, 1.0 - bands.low
    return mean, low, high


def behind_of(units: ArrayLike, builds: int) -> FloatArray:
    """Return the units behind every cell, 1 on the diagonal, or raise ValueError."""
    found = np.asarray(units)
    if found.shape not in ((), (builds, builds)):
        raise ValueError(f"units has shape {found.shape}; allowed is one number, or ({builds}, {builds})")
    behind = np.array(np.broadcast_to(found, (builds, builds)))
    np.fill_diagonal(behind, 1)
    return np.asarray(whole("units", behind, 1), dtype=np.float64)
