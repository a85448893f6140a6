"""Weights fitted to who is played and against whom: the cross-entropy method over their logarithms.

Within a generation everybody plays the same sides on the same dice, the weights it began with among them; every
generation has dice of its own, so that nobody learns dice by heart. What comes out is the mean of the last
distribution: what it scored on the dice of the search flatters it (:mod:`simkit.stats.crossentropy`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from simkit.games.protocol import Weight
from simkit.lab.bouts import Bout, Bouts
from simkit.stats.checks import FloatArray
from simkit.stats.crossentropy import cloud, draws, moved

SHIFT = 5.0
"""Added to a weight before its logarithm is taken: below it weights are about as good as none."""

SPREAD = 0.8
"""Standard deviation of the logarithm to begin with: from less than half to more than twice the plain weight."""

Values = Mapping[str, int]


class Meeting(NamedTuple):
    """Two sides that meet, and how much that counts."""

    a: Mapping[str, Any]
    b: Mapping[str, Any]
    share: float


class Step(NamedTuple):
    """A generation, on its own dice."""

    gain: float
    """How much the weights it began with scored above the plain ones."""
    best: float
    """The same of the best of those drawn: overstated, as it was chosen for it."""
    spread: float
    """Mean standard deviation of the logarithms of the weights."""


class Fitter:
    """Fits the weights of side A.

    Parameters
    ----------
    bouts
        Plays, and remembers.
    weights
        What there is; the first is what the others are measured by, and stays.
    generations, population, games
        How often the search moves on, how many weights it tries each time, and games for each of them.
    seed
        Of the draws.
    """

    def __init__(
        self, bouts: Bouts, weights: Sequence[Weight], *, generations: int, population: int, games: int, seed: int
    ) -> None:
        self.bouts, self.weights = bouts, tuple(weights)
        self.generations, self.population, self.games, self.seed = generations, population, games, seed
        self.plain = {weight.name: weight.default for weight in weights}

    def fit(self, meetings: Callable[[int], Sequence[Meeting]]) -> tuple[dict[str, int], list[Step]]:
        """Search for the weights that score most.

        Parameters
        ----------
        meetings
            Who meets whom in a generation, with shares that add to 1.

        Returns
        -------
        values, steps
            The weights, and how the search went.
        """
        now = cloud([float(np.log(weight.default + SHIFT)) for weight in self.weights[1:]], SPREAD)
        steps = []
        for generation in range(self.generations):
            drawn = draws(now, self.population, self.seed)
            tried = [self.plain, self.values(now.mean), *(self.values(one) for one in drawn)]
            gains = self._gains(tried, meetings(generation), generation)
            steps.append(Step(float(gains[1]), float(gains[2:].max()), float(now.spread.mean())))
            now = moved(now, drawn, gains[2:])
        return self.values(now.mean), steps

    def _gains(self, tried: Sequence[Values], pairs: Sequence[Meeting], generation: int) -> FloatArray:
        """Return how much weights score above the first of them."""
        units = [max(1, round(self.games * pair.share / self.bouts.games)) for pair in pairs]
        asked = [
            Bout(pair.a, pair.b, generation * each, (generation + 1) * each, values)
            for values in tried
            for pair, each in zip(pairs, units, strict=True)
        ]
        scores = self.bouts.scores(asked).reshape(len(tried), len(pairs)) @ np.array([pair.share for pair in pairs])
        return np.asarray(scores - scores[0])

    def values(self, place: FloatArray) -> dict[str, int]:
        """Return the weights at a place of the search."""
        first, *free = self.weights
        found = {first.name: first.default}
        for weight, height in zip(free, place, strict=True):
            found[weight.name] = int(min(max(round(float(np.exp(height)) - SHIFT), weight.low), weight.high))
        return found
