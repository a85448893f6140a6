"""Tuning: which weights a design is played best by, so that none looks weak because it is played badly.

The search is that of :mod:`simkit.balance.search.fitting`. The gain of what it finds is told on fresh dice that no
generation has seen: those on which it was found flatter it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit import stats
from simkit.balance.items.frames import Drawer
from simkit.balance.search.fitting import Fitter, Meeting, Step, Values
from simkit.games import protocol
from simkit.lab.bouts import Arena, Bout, Bouts
from simkit.lab.problems import Problem, ProblemError
from simkit.lab.study import Study
from simkit.lab.tuning import Asked, Whom
from simkit.stats import Estimate
from simkit.stats.checks import FloatArray

PAIRS = 64
"""Most pairs of a side and an opponent in a generation."""

MEMBERS = 32
"""Builds of a family that the search knows."""

STRANGERS = 256
"""Other builds of the family on which its gain is told, each against one opponent."""

BLOCKS = 64
"""Blocks of units in which a design's gain is told, each against all opponents."""

FRESH = 1
"""Replication of the dice on which gains are told."""


@dataclass(frozen=True)
class Tuned:
    """What was found for somebody.

    Attributes
    ----------
    whom
        For whom.
    values
        Weights that were found.
    before, after, gain
        Score by plain weights and by these, and the difference, on fresh dice. The gains of all hold together.
    kept
        Whether they gain surely; otherwise the plain ones stay.
    steps
        The generations.
    games
        Games behind it.
    """

    whom: Whom
    values: Values
    before: Estimate
    after: Estimate
    gain: Estimate
    kept: bool
    steps: tuple[Step, ...]
    games: int


def trials(asked: Asked) -> int:
    """Count the games that a tuning plays."""
    table = asked.table
    each = table.generations * (table.population + 2) * table.games + 2 * table.confirm
    return each * len(asked.whom)


def tuned(study: Study, asked: Asked) -> list[Tuned]:
    """Tune the weights of everybody who is asked for.

    Parameters
    ----------
    study
        Where it is played and kept.
    asked
        Whose weights, and against whom.

    Returns
    -------
    list of Tuned
        In the order of the file.
    """
    fight = protocol.fight_of(asked.plan.game)
    column = asked.plan.metric if fight is None else fight.score
    bouts = Bouts(study, Arena(asked.plan), column)
    level = stats.bonferroni_level(len(asked.whom), asked.plan.level)
    tuners = [_Tuner(bouts, asked, whom, k) for k, whom in enumerate(asked.whom)]
    empty = [one.whom.name for one in tuners if not one.members]
    if empty:
        place, document = ("tune", "budgets"), asked.plan.document
        message = f"no build of these budgets is of the family {' or '.join(empty)}"
        problem = Problem("value", message, document.path, document.where(place), "other budgets, or fewer families")
        raise ProblemError([problem], document.sources)
    return [one.tuned(level) for one in tuners]


class _Tuner:
    """Tunes the weights of one."""

    def __init__(self, bouts: Bouts, asked: Asked, whom: Whom, number: int) -> None:
        self.bouts, self.asked, self.table, self.whom = bouts, asked, asked.table, whom
        self.seed = asked.plan.experiment.seed * 1_000 + number
        self.games = asked.plan.game.GAMES_A_UNIT
        self.plain = {weight.name: weight.default for weight in asked.weights}
        self.members = self._drawn(MEMBERS, 0)

    def tuned(self, level: float) -> Tuned:
        """Search, and tell the gain on fresh dice."""
        before_all = self.bouts.units
        table = self.table
        fitter = Fitter(
            self.bouts,
            self.asked.weights,
            generations=table.generations,
            population=table.population,
            games=table.games,
            seed=self.seed,
        )
        values, steps = fitter.fit(self._meetings)
        before, after, gain = self._confirmed(values, level)
        games = (self.bouts.units - before_all) * self.games
        return Tuned(self.whom, values, before, after, gain, gain.low > 0.0, tuple(steps), games)

    def _drawn(self, wanted: int, draw: int) -> list[Mapping[str, Any]]:
        """Return the sides that are played: the design, or builds of the family drawn uniformly."""
        if self.whom.side is not None:
            return [self.whom.side]
        game, arena = self.asked.plan.game, self.bouts.arena
        building, weighing = protocol.building_of(game), protocol.weighing_of(game)
        assert building is not None and weighing is not None
        opponent, found = self.asked.opponents[0], list[Mapping[str, Any]]()
        policy = {"policy": weighing.WEIGHED}

        def fits(side: Mapping[str, Any]) -> bool:
            return weighing.family_of(arena.scenario({**side, **policy}, opponent), "a") == self.whom.family

        for k, budget in enumerate(self.table.budgets):
            share = (wanted + k) // len(self.table.budgets)
            drawer = Drawer(building, budget, arena.rules, (), self.seed * 2 + draw)
            found += [{**one.side, **policy} for one in drawer.some(share, lambda build: fits(build.side))]
        return found

    def _meetings(self, generation: int) -> list[Meeting]:
        """Return who meets whom in a generation: all pairs, or some drawn anew."""
        every = [(a, b) for a in self.members for b in self.asked.opponents]
        most = min(PAIRS, max(1, self.table.games // self.games))
        if len(every) > most:
            rng = np.random.Generator(np.random.PCG64([self.seed, generation]))
            every = [every[int(k)] for k in np.sort(rng.permutation(len(every))[:most])]
        return [Meeting(a, b, 1.0 / len(every)) for a, b in every]

    def _confirmed(self, values: Values, level: float) -> tuple[Estimate, Estimate, Estimate]:
        """Tell the score before and after on fresh dice."""
        blocks = list(self._blocks())
        scores = []
        for weights in (self.plain, values):
            asked = [Bout(a, b, first, end, weights) for block in blocks for a, b, first, end in block]
            scores.append(self.bouts.scores(asked, replication=FRESH).reshape(len(blocks), -1).mean(axis=1))
        units = sum(end - first for block in blocks for _, _, first, end in block)
        plain = self.asked.plan.level
        return (
            _mean(scores[0], plain, units, (0.0, 1.0)),
            _mean(scores[1], plain, units, (0.0, 1.0)),
            _mean(scores[1] - scores[0], level, units, (-1.0, 1.0)),
        )

    def _blocks(self) -> Iterator[list[tuple[Mapping[str, Any], Mapping[str, Any], int, int]]]:
        """Yield independent blocks of bouts: a design meets everybody in each, a family sends another build to each."""
        opponents, units = self.asked.opponents, self.table.confirm // self.games
        if self.whom.side is not None:
            each = max(1, round(units / (BLOCKS * len(opponents))))
            for k in range(BLOCKS):
                yield [(self.whom.side, b, k * each, (k + 1) * each) for b in opponents]
            return
        rng = np.random.Generator(np.random.PCG64([self.seed, 1]))
        members = self._drawn(STRANGERS, 1)
        each = max(1, round(units / len(members)))
        for k, a in enumerate(members):
            yield [(a, opponents[int(rng.integers(len(opponents)))], k * each, (k + 1) * each)]


def _mean(values: FloatArray, level: float, units: int, ends: tuple[float, float]) -> Estimate:
    """Return the mean over independent blocks, by t."""
    mean = float(values.mean())
    if len(values) < 2:
        return Estimate(mean, ends[0], ends[1], level, units, "t")
    low, high = stats.mean_from_moments(len(values), float(values.sum()), float((values**2).sum()), level)
    return Estimate(mean, max(float(low), ends[0]), min(float(high), ends[1]), level, units, "t")
