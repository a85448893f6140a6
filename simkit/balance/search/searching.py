"""The strongest builds of a budget, or the best counter to somebody: found by halving, raced, and played afresh.

All builds, or a uniform draw of them, are first looked at for a few games against everybody in the pool. Who looks best
against the equilibrium of the pool is played longer and longer (successive halving), the last ones race until it is
clear who is best among them, and the best is played on fresh dice: how well it did on the dice that chose it is
overstated. What gains surely more than delta joins the pool, and the search begins again (:mod:`.bestresponse`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from simkit import stats
from simkit.balance.search.bestresponse import Answer, Rounds, Turn, best_responses
from simkit.balance.search.fitting import Fitter, Meeting
from simkit.balance.search.stock import Stock
from simkit.core.trials import BATCHES
from simkit.games import protocol
from simkit.games.protocol import Build, weighing_of
from simkit.lab.bouts import Arena, Bout, Bouts
from simkit.lab.searching import Asked, Entrant
from simkit.lab.study import Study
from simkit.lab.variants import Variant
from simkit.stats import Estimate
from simkit.stats.checks import BoolArray, FloatArray
from simkit.stats.halving import contenders, rounds, survivors

KEEP = 0.25
"""Share of the builds that stay after a look."""

LEAST_SHARE = 0.02
"""Builds that the equilibrium picks more seldom are nobody's opponents: answers are sought to the others."""

FRESH = 1
"""Replication of the dice on which nothing was chosen."""

FIRST_RACE = 1024
"""Games of a finalist when the race is looked at first."""

EXCHANGES = 3
"""How often in a row exchanges of the best are tried."""

FITTED, POPULATION, FIT_GAMES = 8, 24, 512
"""How many finalists get weights of their own; how many weights are tried in a generation, and games for each."""

OWN = " (own weights)"
"""Ends the name of a build that is played so."""

STARTERS = 4
"""Builds to begin with where there are no presets."""


class Candidate(NamedTuple):
    """A build that came to the race."""

    entrant: Entrant
    looked: float
    """Its score on the dice that chose it."""
    fresh: Estimate
    """Its score on fresh dice; those of all finalists hold together."""
    alive: bool
    """Whether it was still in at the end of the race."""
    batches: FloatArray
    """Its mean scores on fresh dice by batch."""


@dataclass(frozen=True)
class Hunted:
    """One search for the best answer.

    Attributes
    ----------
    looked_at
        How many builds it looked at, exchanges included.
    best
        Who won the race.
    looked
        His score when the looks were over, on the dice that chose him.
    finalists
        All who raced, best first on fresh dice.
    decided
        Whether the race was decided; otherwise it used up its games.
    """

    looked_at: int
    best: Entrant
    looked: float
    finalists: tuple[Candidate, ...]
    decided: bool


@dataclass(frozen=True)
class Found:
    """Everything that a search has found.

    Attributes
    ----------
    rounds
        The rounds of best answers; one for a counter.
    hunts
        The search of every round.
    matrix
        Scores of the pool against each other, on fresh dice.
    starters
        How many the pool began with.
    frame
        Sentences: which builds were looked at.
    """

    rounds: Rounds[Entrant]
    hunts: tuple[Hunted, ...]
    matrix: FloatArray
    starters: int
    frame: tuple[str, ...]


def trials(asked: Asked) -> int:
    """Count about how many games a search plays at most."""
    table = asked.table
    looked, turns = min(asked.count, table.tried), 1 if asked.is_counter else table.rounds
    halved = len(rounds(looked, table.finalists, first=1, keep=KEEP))
    pool = max(STARTERS, len(asked.field))
    first = looked * table.first * (pool + turns - 1)
    fitted = FITTED * (table.tune * (POPULATION + 2) * FIT_GAMES + 2 * table.last)
    race = 2 * table.finalists * table.last + (fitted if table.tune else 0)
    return first + turns * (looked * table.first * halved + race + pool * table.last)


def seconds(asked: Asked) -> float:
    """Guess how long one processor searches: to set up a build takes as long as some games."""
    made = min(asked.count, asked.table.tried) * (max(1, len(asked.field)) + 2)
    return 1e-9 * trials(asked) * asked.plan.game.nanoseconds(asked.plan.cells[0].setup) + 1.2e-3 * made


def search(study: Study, asked: Asked) -> Found:
    """Search for what is asked.

    Parameters
    ----------
    study
        Where it is played and kept.
    asked
        Which builds, and against whom.
    """
    return _Hunt(study, asked).found()


class _Hunt:
    """One search, with everything that was looked at so far."""

    def __init__(self, study: Study, asked: Asked) -> None:
        game = asked.plan.game
        fight = protocol.fight_of(game)
        self.asked, self.table, self.games = asked, asked.table, game.GAMES_A_UNIT
        self.column = asked.plan.metric if fight is None else fight.score
        self.arena = Arena(asked.plan)
        self.bouts = Bouts(study, self.arena, self.column)
        self.ledger = study.ledger((self.column,))
        self.level = asked.plan.level
        self.turns = 1 if asked.is_counter else self.table.rounds
        self.stock = Stock(asked)
        self.builds = self.stock.builds
        self.first = max(1, self.table.first // self.games)
        self.seen: dict[str, FloatArray] = {}
        self.hunts: list[Hunted] = []
        self.pairs: dict[tuple[str, str], float] = {}

    def found(self) -> Found:
        """Search, in rounds of best answers unless somebody is countered."""
        start = self.asked.field or tuple(self.asked.entrant(one) for one in self.builds[:STARTERS])
        if self.asked.is_counter:
            answer = self.answer(start, np.ones(1))
            made = Rounds((Turn(tuple(start), np.ones(1), answer, False),), True)
        else:
            delta, most = self.table.delta, self.table.rounds
            made = best_responses(start, self.scores, self.answer, delta=delta, rounds=most, epsilon=delta / 10)
        return Found(made, tuple(self.hunts), self.scores(made.pool), len(start), (self.stock.says,))

    # The pool

    def scores(self, pool: Sequence[Entrant]) -> FloatArray:
        """Return the scores of a pool against each other, on fresh dice."""
        matrix = np.full((len(pool), len(pool)), 0.5)
        for i, a in enumerate(pool):
            for j in range(i):
                score = self._fresh(a, pool[j])
                matrix[i, j], matrix[j, i] = score, 1.0 - score
        return matrix

    def _fresh(self, a: Entrant, b: Entrant) -> float:
        """Return the score of one against another on fresh dice."""
        mark = a.name, b.name
        if mark not in self.pairs:
            units = self._whole(self.table.last // self.games)
            sums = self.ledger.play([self._subject(a, b)], 0, units, replication=FRESH)
            self.pairs[mark] = float(self.ledger.means(sums, 0, units, self.column).mean())
        return self.pairs[mark]

    def _subject(self, a: Entrant, b: Entrant) -> Variant:
        return self.arena.subject(a.side, b.side)

    @staticmethod
    def _whole(units: int) -> int:
        return -(-max(units, 1) // BATCHES) * BATCHES

    # One search

    def answer(self, pool: Sequence[Entrant], mixture: FloatArray) -> Answer[Entrant] | None:
        """Search for the best answer to a mixture over a pool."""
        picked = [k for k in range(len(pool)) if mixture[k] >= LEAST_SHARE]
        field = [pool[k] for k in picked]
        shares = mixture[picked] / mixture[picked].sum()
        known = {one.name.removesuffix(OWN) for one in pool}
        builds = [build for build in self.builds if build.name not in known]
        if not builds:
            return None
        halved, scores = self._halved(builds, field, shares, self.table.finalists)
        looked_at = len(builds)
        if not self.stock.complete:
            halved, scores, more = self._exchanged(halved, scores, known, field, shares)
            looked_at += more
        entrants = [self.asked.entrant(one) for one in halved]
        if self.table.tune:
            entrants, scores = self._fitted(entrants, scores, field, shares)
        alive, leader, decided = self._raced(entrants, field, shares)
        judged = self._judged(entrants, scores, alive, field, shares)
        finalists = tuple(sorted(judged, key=lambda one: -one.fresh.estimate))
        best = judged[leader]
        self.hunts.append(Hunted(looked_at, best.entrant, best.looked, finalists, decided))
        level = stats.bonferroni_level(self.turns, self.level)
        return Answer(best.entrant, _mean(best.batches - 0.5, level, best.fresh.n, (-0.5, 0.5)))

    def _halved(
        self, builds: Sequence[Build], field: Sequence[Entrant], shares: FloatArray, stay: int
    ) -> tuple[list[Build], FloatArray]:
        """Halve until so many are left; return them with their scores, which are overstated."""
        left = np.arange(len(builds))
        table = np.stack([self._first_look(builds, one) for one in field])
        units = np.full(len(field), self.first)
        plan = rounds(len(builds), stay, first=self.first, keep=KEEP)
        for k, one in enumerate(plan):
            if k:
                wanted = np.maximum(units, np.rint(one.units * shares * len(field))).astype(int)
                table[:, left] = self._longer([builds[int(i)] for i in left], field, table[:, left], units, wanted)
                units = wanted
            left = left[survivors(shares @ table[:, left], one.stay)]
        return [builds[int(i)] for i in left], shares @ table[:, left]

    def _first_look(self, builds: Sequence[Build], other: Entrant) -> FloatArray:
        """Return the scores of builds against somebody after a few games; what was looked at before is known."""
        known = self.seen.setdefault(other.name, np.zeros(0))
        if len(known) < len(self.builds):
            sides = [self.asked.entrant(build).side for build in self.builds]
            known = self.bouts.scores([Bout(side, other.side, 0, self.first) for side in sides])
            self.seen[other.name] = known
        place = {build.name: k for k, build in enumerate(self.builds)}
        found = np.zeros(len(builds))
        new = [k for k, build in enumerate(builds) if build.name not in place]
        old = [k for k, build in enumerate(builds) if build.name in place]
        found[old] = known[[place[builds[k].name] for k in old]]
        if new:
            sides = [self.asked.entrant(builds[k]).side for k in new]
            found[new] = self.bouts.scores([Bout(side, other.side, 0, self.first) for side in sides])
        return found

    def _longer(
        self, builds: Sequence[Build], field: Sequence[Entrant], table: FloatArray, units: Any, wanted: Any
    ) -> FloatArray:
        """Play builds on, from so many units against each of the field to as many as are wanted."""
        further = [j for j in range(len(field)) if wanted[j] > units[j]]
        sides = [self.asked.entrant(build).side for build in builds]
        asked = [Bout(side, field[j].side, int(units[j]), int(wanted[j])) for j in further for side in sides]
        found = table.copy()
        if asked:
            more = self.bouts.scores(asked).reshape(len(further), len(builds))
            for row, j in zip(more, further, strict=True):
                found[j] = (table[j] * units[j] + row * (wanted[j] - units[j])) / wanted[j]
        return found

    def _exchanged(
        self,
        halved: Sequence[Build],
        scores: FloatArray,
        known: set[str],
        field: Sequence[Entrant],
        shares: FloatArray,
    ) -> tuple[list[Build], FloatArray, int]:
        """Improve the best of a draw: exchange items, and keep what is better, some times over."""
        best, tried = list(halved), {build.name for build in (*self.builds, *halved)} | known
        count = 0
        for turn in range(EXCHANGES):
            order = np.argsort(-scores, kind="stable")
            fresh = self.stock.offspring([best[int(k)] for k in order], tried, turn + EXCHANGES * len(self.hunts))
            if not fresh:
                break
            count += len(fresh)
            tried |= {build.name for build in fresh}
            union = [*best, *fresh]
            kept, scores = self._halved(union, field, shares, min(len(best), len(union)))
            changed = {build.name for build in kept} != {build.name for build in best}
            best = kept
            if not changed:
                break
        return best, scores, count

    def _fitted(
        self, entrants: Sequence[Entrant], scores: FloatArray, field: Sequence[Entrant], shares: FloatArray
    ) -> tuple[list[Entrant], FloatArray]:
        """Give the best finalists weights of their own too; who is better by them shows in the race."""
        weighing = weighing_of(self.asked.plan.game)
        if weighing is None:
            raise LookupError("players without weights; the table was to be refused")
        made, seen = list(entrants), list(scores)
        seed = 1_000 * self.asked.plan.experiment.seed + FITTED * len(self.hunts)
        for k in np.argsort(-scores, kind="stable")[:FITTED]:
            one = entrants[int(k)]
            fitter = Fitter(
                self.bouts,
                weighing.weights(),
                generations=self.table.tune,
                population=POPULATION,
                games=FIT_GAMES,
                seed=seed + int(k),
            )
            side = {**one.side, "policy": weighing.WEIGHED}
            meetings = [Meeting(side, other.side, float(share)) for other, share in zip(field, shares, strict=True)]
            values, _ = fitter.fit(lambda generation, all_=meetings: all_)  # type: ignore[misc]
            fitted = Entrant(f"{one.name}{OWN}", {**side, "weights": values})
            units = self._shared(shares, FIT_GAMES)
            looks = [Bout(fitted.side, other.side, 0, each) for other, each in zip(field, units, strict=True)]
            made.append(fitted)
            seen.append(float(shares @ self.bouts.scores(looks)))
        return made, np.array(seen)

    def _shared(self, shares: FloatArray, games: int) -> list[int]:
        """Share games out over opponents by how often they are met, in whole batches."""
        return [self._whole(round(float(share) * games / self.games)) for share in shares]

    def _raced(
        self, entrants: Sequence[Entrant], field: Sequence[Entrant], shares: FloatArray
    ) -> tuple[BoolArray, int, bool]:
        """Race finalists until it is clear who is best, to within half of delta, or the games are used up."""
        alive = np.ones(len(entrants), bool)
        if len(entrants) == 1:
            return alive, 0, True
        total = np.zeros((len(entrants), len(field), BATCHES))
        games, played = min(FIRST_RACE, self.table.last), [0] * len(field)
        while True:
            wanted = self._shared(shares, games)
            for j, other in enumerate(field):
                if wanted[j] > played[j]:
                    subjects = [self._subject(a, other) for a, is_in in zip(entrants, alive, strict=True) if is_in]
                    sums = self.ledger.play(subjects, played[j], wanted[j])
                    rows = self.ledger.means(sums, played[j], wanted[j], self.column)
                    total[alive, j] += rows * (wanted[j] - played[j])
            played = wanted
            means = np.einsum("j,ijb->ib", shares / np.array(played), total)
            found = contenders(means, sum(played), self.level, within=self.table.delta / 2, alive=alive)
            alive = found.alive
            if found.decided or games >= self.table.last:
                return alive, found.leader, found.decided
            games = min(2 * games, self.table.last)

    def _judged(
        self,
        entrants: Sequence[Entrant],
        scores: FloatArray,
        alive: BoolArray,
        field: Sequence[Entrant],
        shares: FloatArray,
    ) -> list[Candidate]:
        """Play all finalists on fresh dice; their intervals hold together. The order is theirs."""
        rows, units = np.zeros((len(entrants), BATCHES)), self._shared(shares, self.table.last)
        for share, other, each in zip(shares, field, units, strict=True):
            sums = self.ledger.play([self._subject(a, other) for a in entrants], 0, each, replication=FRESH)
            rows += share * self.ledger.means(sums, 0, each, self.column)
        level = stats.bonferroni_level(len(entrants), self.level)
        return [
            Candidate(one, float(looked), _mean(row, level, sum(units), (0.0, 1.0)), bool(is_in), row)
            for one, looked, row, is_in in zip(entrants, scores, rows, alive, strict=True)
        ]


def _mean(batches: FloatArray, level: float, units: int, ends: tuple[float, float]) -> Estimate:
    """Return the mean of batches that are all worth the same, by t."""
    low, high = stats.batch_mean(batches, np.ones(len(batches), np.int64), level)
    mean = float(batches.mean())
    return Estimate(mean, max(float(low), ends[0]), min(float(high), ends[1]), level, units, "batch-t")
