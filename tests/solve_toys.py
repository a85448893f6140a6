"""Toy games for the search of fair values: binomial batches whose dice are named by the number of the first unit."""

import numpy as np

from simkit.stats import Estimate
from simkit.stats.intervals import batch_mean, clopper_pearson

BATCHES = 256


class Toy:
    """Games that are won with a chance that hangs on the place; it notes what was played."""

    def __init__(self, chance, seed=1):
        self.chance, self.seed = chance, seed
        self.played = []

    def __call__(self, place, first, units, *, fresh=False):
        assert units % BATCHES == 0
        self.played.append((place, first, units, fresh))
        rng = np.random.default_rng([self.seed, first % 2**31, first // 2**31, int(fresh), int(1000 * place) + 10**6])
        return rng.binomial(units // BATCHES, self.chance(place), BATCHES).astype(float)

    @property
    def units(self):
        return sum(units for _, _, units, _ in self.played)


def judge(sums, units, level):
    """Estimate a share: exactly where it never or always happened."""
    wins = round(float(sums.sum()))
    if wins in (0, units):
        low, high = clopper_pearson(wins, units, level)
        return Estimate(wins / units, low, high, level, units, "clopper-pearson")
    low, high = batch_mean(sums, np.full(BATCHES, units // BATCHES), level)
    return Estimate(wins / units, low, high, level, units, "batch-t")
