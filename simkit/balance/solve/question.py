"""What a table ``[solve]`` asks, made of cells of a plan: one question for every combination of the sweep's axes."""

import itertools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from simkit.balance.solve.cells import cells_of
from simkit.balance.solve.door import Door, changes_of
from simkit.balance.solve.ladder import Ladder
from simkit.games.protocol import Metric
from simkit.lab import axes
from simkit.lab.asked.solve import LEAST_UNITS, Like, Solve
from simkit.lab.plan import Cell, Plan
from simkit.lab.toml import Document

DEFAULT_TRIALS = 400_000
MOST_CELLS = 20_000
WITHIN = 0.02
"""How far from its target a share may lie and still be fair, where nobody says it."""


@dataclass(frozen=True)
class Question:
    """One combination of the sweep's axes, and the values among which its answer is sought.

    Attributes
    ----------
    labels
        Axis to value in words.
    cells
        By place on the ladder, of a range of which every number can be played its two ends: the settings whose mean is
        the metric there, one unless it is averaged.
    likes
        The settings whose metric is the target, in the same order; empty where it is a number.
    points
        Axis to value, as the file has it: one, or those that are averaged.
    """

    labels: Mapping[str, str]
    cells: Mapping[float, Sequence[Cell]]
    likes: Mapping[float, Sequence[Cell]]
    points: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Asked:
    """Everything that a table ``[solve]`` asks of an experiment, checked.

    Attributes
    ----------
    plan
        The experiment.
    table
        The table with everything spelt out.
    ladder
        The values of the parameter.
    metric
        The outcome that is to meet the target.
    targets
        One or several; differences to a setting where the target is one.
    like
        The setting whose metric is the target, or None.
    questions
        One for every combination.
    units
        Most for one answer.
    """

    plan: Plan
    table: Solve
    ladder: Ladder
    metric: Metric
    targets: tuple[float, ...]
    like: Like | None
    questions: Sequence[Question]
    units: int

    @property
    def vary(self) -> str:
        """Path of the parameter."""
        return str(self.table.vary)

    @property
    def within(self) -> float | None:
        """Half-width of the band around the target."""
        return self.table.within

    @property
    def kind(self) -> Literal["share", "points", "count"]:
        """Unit of what is held against the target."""
        if self.metric.kind != "share":
            return "count"
        return "share" if self.like is None else "points"

    @property
    def confirm(self) -> int:
        """Units of the confirmation of one answer."""
        return self.units // 4

    @property
    def trials(self) -> int:
        """Most games for all answers and their confirmations."""
        return (self.units + self.confirm) * self.games * len(self.questions) * len(self.targets)

    @property
    def games(self) -> int:
        """Games that a unit of the metric takes: of all settings that it is averaged over, and of its target."""
        each = self.plan.game.GAMES_A_UNIT * (1 if self.like is None else 2)
        return each * len(self.questions[0].points)

    def more_cells(self, question: Question, place: float) -> tuple[Sequence[Cell], Sequence[Cell]]:
        """Return the settings of a number that is on no list, and those that are its target."""
        rows = [{**point, self.vary: place} for point in question.points]
        changes = changes_of(self.plan, self.like)
        likes = cells_of(self.plan, self.table, [row | changes for row in rows]) if self.like else []
        return cells_of(self.plan, self.table, rows), likes


def asked_of(made: Plan, table: Solve, written: Document | None = None) -> Asked:
    """Read what is asked of an experiment, and build every cell that may be played.

    Parameters
    ----------
    made
        The experiment.
    table
        What is asked.
    written
        Where the table stands, if it is not the file of the experiment.

    Raises
    ------
    ProblemError
        With what is wrong: no such path or metric, no numbers, an empty range, a target out of reach, a parameter that
        changes nothing.
    """
    door = Door(made, written or made.document)
    vary = door.path(table)
    metric = door.metric(table)
    names = door.axes(table, vary)
    ladder = door.ladder(table, vary, names)
    targets, like = door.targets(table, metric)
    door.stop()
    assert ladder is not None and metric is not None and vary is not None
    full = _spelt_out(made, table, metric, like, vary, names, ladder)
    groups = _grouped(axes.points(made.experiment.sweep.model_copy(update={"axes": names}), made.experiment.seed), full)
    count = sum(map(len, groups)) * len(ladder.places)
    if count > MOST_CELLS:
        text = f"{count:,} settings are too many; at most {MOST_CELLS:,}"
        door.complain("limit", text, ("for",), "fewer axes in for = [...], or fewer values")
    factors = {
        "both seats": made.game.GAMES_A_UNIT,
        "settings averaged over": max(map(len, groups)),
        "the target is measured as well": 1 if like is None else 2,
    }
    games = math.prod(factors.values())
    units = (full.max_trials or DEFAULT_TRIALS) // games
    if units < LEAST_UNITS:
        _refuse_few(door, full.max_trials or 0, games, factors)
    door.stop()
    questions = _questions(made, full, ladder, like, groups)
    _refuse_idle(door, questions, vary)
    return Asked(made, full, ladder, metric, targets, like, questions, units)


def _grouped(points: Iterable[axes.Point], table: Solve) -> list[list[axes.Point]]:
    """Put together the combinations that are averaged, each once."""
    found: dict[str, dict[str, axes.Point]] = {}
    for point in points:
        own = {name: value for name, value in point.items() if name not in (table.over or ())}
        mark, whole = (json.dumps(one, sort_keys=True) for one in (own, point))
        found.setdefault(mark, {}).setdefault(whole, point)
    return [list(group.values()) for group in found.values()]


def _spelt_out(
    made: Plan, table: Solve, metric: Metric, like: Like | None, vary: str, names: Mapping[str, Any], ladder: Ladder
) -> Solve:
    """Return the table with everything that was left out."""
    report = made.experiment.report
    within = table.within if table.within is not None else report.fair_within or None
    if within is None and metric.kind == "share":
        within = WITHIN
    more: dict[str, Any] = {
        "for_": [name for name in names if name not in (table.over or ())],
        "metric": metric.name,
        "target": report.target if table.target is None else table.target,
        "within": within,
        "max_trials": table.max_trials or DEFAULT_TRIALS,
    }
    if table.values is None and table.min is None and not ladder.continuous:
        more["values"] = list(ladder.values)
    return table.model_copy(update=more)


def _questions(
    made: Plan, table: Solve, ladder: Ladder, like: Like | None, groups: Sequence[Sequence[axes.Point]]
) -> list[Question]:
    along = list(zip(*table.along.values(), strict=True)) or [()] * len(ladder.places)
    extra = [dict(zip(table.along, values, strict=True)) for values in along]
    rows = [
        {**point, str(table.vary): ladder.value(place), **extra[k % len(extra)]}
        for group in groups
        for k, place in enumerate(ladder.places)
        for point in group
    ]
    cells, changes, found = iter(cells_of(made, table, rows)), changes_of(made, like), []
    likes = iter(cells_of(made, table, [row | changes for row in rows]) if like else [])
    for group in groups:
        ours = {place: list(itertools.islice(cells, len(group))) for place in ladder.places}
        theirs = {place: list(itertools.islice(likes, len(group))) for place in ladder.places} if like else {}
        first = ours[ladder.places[0]][0]
        labels = {name: first.labels[name] for name in group[0] if name not in (table.over or ())}
        found.append(Question(labels, ours, theirs, group))
    return found


def _refuse_few(door: Door, trials: int, games: int, factors: Mapping[str, int]) -> None:
    """Refuse fewer games than an answer takes, and say what they are made of."""
    least = LEAST_UNITS * games
    product = "".join(f" x {count} ({why})" for why, count in factors.items() if count > 1)
    made_of = f": {LEAST_UNITS:,}{product}" if product else ""
    fewer = ", or average over fewer settings" if factors["settings averaged over"] > 1 else ""
    text = f"max_trials is {trials:,}; an answer takes at least {least:,} games{made_of}"
    door.complain("limit", text, ("max_trials",), f"max_trials = {least:_} or more (--trials {least}){fewer}")


def _refuse_idle(door: Door, questions: Sequence[Question], vary: str) -> None:
    """Refuse a parameter that changes nothing in any question."""
    prints = [{tuple(cell.fingerprint for cell in cells) for cells in one.cells.values()} for one in questions]
    if all(len(one) == 1 for one in prints):
        door.complain(
            "meaning", f"'{vary}' changes nothing in this scenario", ("vary",), "no value of it is the answer"
        )
        door.stop()
