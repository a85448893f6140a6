"""Fitting weights against a game whose best weights are known: found under noise, on a scale of factors."""

import numpy as np

from simkit.balance.search.fitting import Fitter, Meeting
from simkit.games.protocol import Weight

WEIGHTS = (
    Weight("dealt", 100, 0, 1000, "What the others are measured by."),
    Weight("ram", 100, 0, 1000, "Best at 300."),
    Weight("exposed", 30, 0, 1000, "Best at 0."),
    Weight("aim", 10, 0, 20, "Best beyond its limit."),
)


class Planted:
    """Bouts whose scores fall with the distance from the best weights, in factors; the dice of a unit are its own."""

    games = 2

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def scores(self, bouts, *, replication=0):
        found = []
        for bout in bouts:
            self.asked.append((bout.first, bout.end))
            off = np.log((bout.weights["ram"] + 5) / 305) ** 2 + (bout.weights["exposed"] / 100) ** 2
            off += ((bout.weights["aim"] - 20) / 20) ** 2
            luck = np.random.default_rng([bout.first, bout.end, *bout.weights.values()])
            found.append(0.6 - 0.05 * off + luck.normal(0, 0.3 / np.sqrt(bout.end - bout.first)))
        return np.array(found)


def fitted(seed: int):
    planted = Planted()
    fitter = Fitter(planted, WEIGHTS, generations=16, population=40, games=512, seed=seed)
    values, steps = fitter.fit(lambda generation: [Meeting({}, {}, 0.75), Meeting({}, {}, 0.25)])
    return planted, values, steps


def test_planted_weights_are_found():
    for seed in range(5):
        _, values, steps = fitted(seed)
        assert values["dealt"] == 100
        assert 180 <= values["ram"] <= 480
        assert values["exposed"] <= 25
        assert 12 <= values["aim"] <= 20
        assert np.mean([step.gain for step in steps[-4:]]) > 0.03
        assert all(step.best >= step.gain - 0.1 for step in steps)


def test_every_generation_has_dice_of_its_own_and_games_by_share():
    planted, _, steps = fitted(1)
    ranges = set(planted.asked)
    assert len(steps) == 16
    assert ranges == {(k * each, (k + 1) * each) for k in range(16) for each in (192, 64)}


def test_the_same_seed_fits_the_same():
    assert fitted(3)[1] == fitted(3)[1] != fitted(4)[1]
