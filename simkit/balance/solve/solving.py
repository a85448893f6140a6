"""Working out which value of a parameter brings a metric to its target: exactly where the game can, else by playing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from simkit import stats
from simkit.balance.solve.exact import Known, exact_search
from simkit.balance.solve.question import Asked, Question
from simkit.balance.solve.search import BATCHES, Aim, Found, Sums, confirmed, search, with_fair
from simkit.balance.solved import CELL_STEPS
from simkit.games.protocol import solver_of
from simkit.lab.estimates import FEW_BATCHES, Value, differing_batches, rare_bound, reach_of
from simkit.lab.ledger import Ledger
from simkit.lab.plan import Cell
from simkit.lab.study import Study
from simkit.stats import Estimate
from simkit.stats.localfit import Scale

STEPS = 4_000_000_000
"""Most work on exact solutions of all questions together: some sixteen seconds."""

MOST_SOLVED = 1_000
"""With more cells than this nothing is solved exactly."""

Kind = Literal["share", "points", "count"]


@dataclass(frozen=True)
class Case:
    """One question and one target, answered.

    Attributes
    ----------
    question
        Which combination of the sweep's axes.
    target
        What the metric is held against.
    kind
        Unit of what is held against it.
    like
        The metric where the target is measured, if it is known exactly and the same at every value; else None.
    exact
        Exact values by place, where the question was solved; else empty.
    why
        Why it was not solved exactly; empty where it was.
    found
        Where the metric meets its target.
    """

    question: Question
    target: float
    kind: Kind
    like: Fraction | None
    exact: Mapping[float, Known]
    why: str
    found: Found


class Curve:
    """The metric at every place of a question, as a search asks for it.

    Parameters
    ----------
    ledger
        Plays; its one column is the metric.
    asked, question
        What is asked.
    difference
        True to give the difference to the setting that is the target, on the same dice.
    """

    def __init__(self, ledger: Ledger, asked: Asked, question: Question, *, difference: bool) -> None:
        self.ledger, self.asked, self.question, self.difference = ledger, asked, question, difference
        value = Value.of(asked.metric, ledger.games, difference=difference)
        self.value = value._replace(parts=value.parts * len(question.points))
        self.more: dict[float, tuple[Sequence[Cell], Sequence[Cell]]] = {}

    def __call__(self, place: float, first: int, units: int, *, fresh: bool = False) -> Sums:
        """Return the batch sums of some units, in the unit of the metric."""
        cells, likes = self._cells(place)
        both = [*cells, *likes] if self.difference else cells
        sums = self.ledger.play(both, first, first + units, replication=1 if fresh else 0)[:, :, 0]
        made = sums[: len(cells)].sum(axis=0) - sums[len(cells) :].sum(axis=0)
        return np.asarray(made / self.value.parts, dtype=np.float64)

    def _cells(self, place: float) -> tuple[Sequence[Cell], Sequence[Cell]]:
        if place in self.question.cells:
            return self.question.cells[place], self.question.likes.get(place, ())
        if place not in self.more:
            self.more[place] = self.asked.more_cells(self.question, place)
        return self.more[place]

    def judge(self, sums: Sums, units: int, level: float) -> Estimate:
        """Estimate the metric from batch sums, of one value or of a mixture of two."""
        metric, games, parts = self.asked.metric, self.ledger.games, self.value.parts
        counts = np.full(BATCHES, units // BATCHES)
        whole = np.rint(sums * parts).astype(np.int64)
        if np.abs(whole - sums * parts).max() < 1e-6:
            total = int(whole.sum())
            if metric.is_binary(games) and len(self.question.points) == 1 and not self.difference:
                low, high = stats.clopper_pearson(total, units, level)
                return Estimate(total / units, float(low), float(high), level, units, "clopper-pearson")
            if differing_batches(whole, units)[0] < FEW_BATCHES:
                reach = reach_of(metric, games * len(self.question.points), total / units)
                return rare_bound(whole, units, level, reach, self.value, sequential=False)
        low, high = stats.batch_mean(sums * parts, counts, level)
        method = "paired-t" if self.difference else "batch-t"
        return self.value.estimate(float(sums.sum()) * parts / units, float(low), float(high), level, units, method)


def answered(study: Study, asked: Asked) -> list[Case]:
    """Answer every question for every target.

    Parameters
    ----------
    study
        Whose folder keeps what is played.
    asked
        What is asked.
    """
    asked.plan.game.ready(study.progress.compiling)
    ledger = study.ledger([asked.metric.name])
    solver = _Solver(asked)
    cases = []
    for question in asked.questions:
        known, likes, why = solver.of(question)
        for target in asked.targets:
            cases.append(_exactly(ledger, asked, question, target, known, likes) if known else _played(
                ledger, asked, question, target, why
            ))  # fmt: skip
    return cases


def _exactly(
    ledger: Ledger, asked: Asked, question: Question, target: float, known: Sequence[Known], likes: Sequence[Known]
) -> Case:
    """Answer a question whose exact values are known, and play the answer."""
    held, kind, like = Fraction(repr(target)), asked.kind, None
    values = list(known)
    if likes and len({one.value for one in likes}) == 1:
        like = likes[0].value
        held, kind = like + held, "share" if asked.metric.kind == "share" else "count"
        values = [Known(one.value, one.error + likes[0].error) for one in known]
    elif likes:
        values = [Known(a.value - b.value, a.error + b.error) for a, b in zip(known, likes, strict=True)]
    found = with_fair(exact_search(values, asked.ladder, held, asked.within), float(held))
    curve = Curve(ledger, asked, question, difference=bool(likes) and like is None)
    aim = Aim(float(held), asked.within, asked.plan.level)
    found = confirmed(curve, curve.judge, asked.ladder, aim, found, asked.confirm)
    return Case(question, float(held), kind, like, dict(zip(asked.ladder.places, values, strict=True)), "", found)


def _played(ledger: Ledger, asked: Asked, question: Question, target: float, why: str) -> Case:
    """Answer a question by playing."""
    curve = Curve(ledger, asked, question, difference=asked.like is not None)
    scale: Scale = "probit" if asked.kind == "share" and 0.0 < target < 1.0 else "plain"
    aim = Aim(target, asked.within, asked.plan.level, scale)
    found = search(curve, curve.judge, asked.ladder, aim, units=asked.units, confirm=asked.confirm)
    return Case(question, target, asked.kind, None, {}, why, found)


class _Solver:
    """Solves cells exactly, as long as the work for it lasts."""

    def __init__(self, asked: Asked) -> None:
        self.asked, self.game, self.left = asked, asked.plan.game, STEPS
        self.known: dict[str, Known | str] = {}

    def of(self, question: Question) -> tuple[list[Known], list[Known], str]:
        """Return the metric at every place, that of the settings that are the target, and else why it is not known."""
        if self.asked.ladder.continuous:
            return [], [], "every number of a range cannot be solved one by one"
        groups = [*question.cells.values(), *question.likes.values()]
        if sum(map(len, groups)) * len(self.asked.questions) > MOST_SOLVED:
            return [], [], f"more than {MOST_SOLVED:,} settings are not solved one by one"
        found: list[Known] = []
        for cells in groups:
            each: list[Known] = []
            for cell in cells:
                if cell.fingerprint not in self.known:
                    self.known[cell.fingerprint] = self._solved(cell)
                one = self.known[cell.fingerprint]
                if isinstance(one, str):
                    return [], [], one
                each.append(one)
            mean = sum((one.value for one in each), Fraction()) / len(each)
            found.append(Known(mean, max(one.error for one in each)))
        count = len(question.cells)
        return found[:count], found[count:], ""

    def _solved(self, cell: Cell) -> Known | str:
        solver = solver_of(self.game)
        if solver is None:
            solution, steps = self.game.exact(cell.scenario, cell.rules), 0
        elif self.left <= 0:
            return f"the solutions before took the {STEPS:,} steps that there are"
        else:
            solution, steps = solver(cell.scenario, cell.rules, min(CELL_STEPS, self.left))
        self.left -= steps
        value = solution.metrics.get(self.asked.metric.name)
        if value is None:
            return solution.why or f"the exact solution does not have '{self.asked.metric.name}'"
        return Known(value, solution.error * max(1.0, abs(float(value))) if solution.error else 0.0)
