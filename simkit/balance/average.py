"""What a change is worth on average: over every combination of the other axes that it was judged in, each as often.

A field of opponents, maps or distances is averaged out, so that one number with its interval answers what many single
comparisons only count. Cells share their dice batch by batch, so the interval of an average knows how its cells move
together. All averages of a verdict hold together at the stated level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit import stats
from simkit.balance.family import all_of, outcome, spoken_methods
from simkit.balance.skill import ladder
from simkit.balance.wording import Row, instead, listed, metric_name, number, span, spelt, unit_of, variant, word_of
from simkit.lab.estimates import FEW_BATCHES, CellResult, Value, differing_batches
from simkit.lab.plan import Plan
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate
from simkit.stats.estimate import Unit

SIDES = ("sides.a", "sides.b")
"""Axes that make a table of everybody against everybody where their values are the same."""

MOST = 24
"""Averages up to which the answer speaks of every one."""


@dataclass(frozen=True)
class Average:
    """The mean of the judged values of one variant at one rung of skill."""

    variant: str
    """What is judged: values of the baseline's axes, or a side."""
    rung: str
    """Of the ladder of skill; empty where that does not vary."""
    cells: tuple[int, ...]
    """Numbers of the cells it is the mean of, from 1."""
    word: str
    """As of a :class:`Row`."""
    value: Estimate


@dataclass(frozen=True)
class Averages:
    """All averages of a verdict."""

    rows: list[Average]
    """By rung from the simplest, and by variant in the order of the sweep."""
    count: int
    """Values that each is the mean of."""
    over: str
    """What they are averaged over, such as ``these 16 combinations of battle and distance``."""
    how: str
    """At which level they hold together, and by which method."""

    def to_json(self) -> dict[str, Any]:
        """Return them for the report."""
        rows = [
            {"variant": one.variant, "rung": one.rung, "cells": list(one.cells), "word": one.word} | one.value.to_json()
            for one in self.rows
        ]
        return {"over": self.over, "how": self.how, "rows": rows}


def averages(plan: Plan, results: Sequence[CellResult], rows: Sequence[Row]) -> Averages | None:
    """Average the rows of a verdict; None where there is nothing to average, or no fair way to do it.

    Parameters
    ----------
    plan, results
        What was asked, and what every cell has shown.
    rows
        The verdict on single cells.

    Notes
    -----
    There must be several averages, each over the same combinations, so that none is judged by an easier field than
    another, and cells of one length that did not stop at a look. An army is not averaged over battles with itself. The
    field is what was asked about: an interval knows the luck of the dice, not how other opponents might do.
    """
    matrix = plan.experiment.compare is None
    if matrix and not _everybody(plan):
        return None
    groups = _groups(plan, rows, matrix=matrix)
    fields = {tuple(field for field, _ in members) for members in groups.values()}
    ns = {results[row.cell - 1].n for row in rows}
    if matrix:  # everybody has one opponent that nobody else has: all the others
        fields = {("",) * len(one) for one in fields}
    if len(groups) < 2 or len(fields) != 1 or len(ns) != 1 or ns == {1}:
        return None
    count = len(next(iter(fields)))
    if count < 2 or any(results[row.cell - 1].sequential for row in rows):
        return None
    members = [[row for _, row in some] for some in groups.values()]
    values = _values(plan, results, members, difference=not matrix)
    target = (plan.experiment.report.target or 0.0) if matrix else 0.0
    within = plan.experiment.report.fair_within or 0.0
    found = [
        Average(name, rung, tuple(row.cell for row in some), word_of(value, target, within), value)
        for (rung, name), some, value in zip(groups, members, values, strict=True)
    ]
    how = f"{100 * plan.level:g} % for {all_of(len(found))} averages together, {spoken_methods(values)}"
    return Averages(found, count, _over(plan, rows, count, matrix=matrix), how)


def _everybody(plan: Plan) -> bool:
    """Tell whether the sweep is a table of everybody against everybody, held against a target."""
    if plan.experiment.report.target is None or not set(SIDES) <= set(plan.cells[0].labels):
        return False
    mine, theirs = ({cell.labels[side] for cell in plan.cells} for side in SIDES)
    return mine == theirs and len(mine) > 2


def _groups(plan: Plan, rows: Sequence[Row], *, matrix: bool) -> dict[tuple[str, str], list[tuple[object, Row]]]:
    """Sort rows by rung and variant, each with the combination of the other axes that it was judged in."""
    found = ladder(plan, rows)
    climbs = found is not None and found.axis not in plan.baseline
    rungs = found.rungs if found is not None and climbs else [("", list(rows))]
    own = {SIDES[0]} if matrix else set(plan.baseline)
    own |= {found.axis} if found is not None and climbs else set()
    groups: dict[tuple[str, str], list[tuple[object, Row]]] = {}
    for rung, members in rungs:
        for row in members:
            labels = plan.cells[row.cell - 1].labels
            if matrix and labels[SIDES[0]] == labels[SIDES[1]]:
                continue
            name = labels[SIDES[0]] if matrix else variant(plan, row.cell)
            rest = tuple(label for path, label in labels.items() if path not in own)
            groups.setdefault((rung, name), []).append((rest, row))
    return groups


def _values(
    plan: Plan, results: Sequence[CellResult], members: Sequence[Sequence[Row]], *, difference: bool
) -> list[Estimate]:
    """Return the means with intervals that hold together.

    Where next to nothing varied, the mean of the single intervals is an interval of the mean.
    """
    metric, games, n = outcome(plan), plan.game.GAMES_A_UNIT, results[members[0][0].cell - 1].n
    sums = np.array([sum(_sums(results[row.cell - 1], difference) for row in some) for some in members])
    value = Value.of(metric, games, difference=difference)
    bands = stats.simultaneous_bands(sums, units_per_batch(n), plan.level)
    found = []
    for k, some in enumerate(members):
        of = value._replace(parts=value.parts * len(some))
        if differing_batches(sums[k], n)[0] < FEW_BATCHES:
            low, high = (float(np.mean([getattr(row.value, end) for row in some])) for end in ("low", "high"))
            mean = float(np.mean([row.value.estimate for row in some]))
            found.append(Estimate(mean, low, high, plan.level, n, some[0].value.method))
        else:
            method = bands.critical.method
            mean = int(sums[k].sum()) / n
            found.append(of.estimate(mean, float(bands.low[k]), float(bands.high[k]), plan.level, n, method))
    return found


def _sums(result: CellResult, difference: bool) -> NDArray[np.int64]:
    return result.gains if difference and result.gains is not None else result.sums


def _over(plan: Plan, rows: Sequence[Row], count: int, *, matrix: bool) -> str:
    """Say what the averages are over."""
    found = ladder(plan, rows)
    own = {SIDES[0]} if matrix else set(plan.baseline)
    own |= {found.axis} if found is not None else set()
    cells = [plan.cells[row.cell - 1] for row in rows]
    varied = [path for path in cells[0].labels if path not in own and len({cell.labels[path] for cell in cells}) > 1]
    titles = ["opponent" if matrix and path == SIDES[1] else plan.title(path) for path in varied]
    if matrix and len(varied) == 1:
        return "both opponents" if count == 2 else f"all {count:,} opponents"
    return f"these {count:,} {f'combinations of {listed(titles)}' if len(varied) > 1 else f'values of {titles[0]}'}"


def sentence(plan: Plan, found: Averages, rows: Sequence[Row], family: str) -> str:
    """Say all averages, and how far the single values lie apart.

    Parameters
    ----------
    plan
        What was asked.
    found
        At most ``MOST``.
    rows, family
        The verdict on single cells, and how its intervals hold together.
    """
    compared = plan.experiment.compare is not None
    unit = unit_of(plan, difference=compared)
    metric, single = metric_name(plan), "comparisons" if compared else "cells"
    if compared:
        head = f"{instead(plan, [row.cell - 1 for row in rows])}, averaged over {found.over}, {metric} is"
        rungs = list(dict.fromkeys(one.rung for one in found.rows))
        by_rung = [[one for one in found.rows if one.rung == rung] for rung in rungs]
        said = "; ".join(
            f"{f'at {rung}, ' if rung else ''}{_by_word(plan, some, unit)}"
            for rung, some in zip(rungs, by_rung, strict=True)
        )
        head += f"{', for each rung of skill' if rungs[0] else ''}: {said}"
    else:
        head = f"Averaged over {found.over}, {metric} is {_by_word(plan, found.rows, unit)}{_first(found.rows)}"
    return f"{head}; single {single} run {span(plan, rows, unit)} ({found.how}; single {single}: {family})."


def _by_word(plan: Plan, some: Sequence[Average], unit: Unit) -> str:
    """Say averages by their word: ``higher with legs +8 pp (+7 to +9 pp), lower with sails -3 pp (-4 to -2 pp)``."""
    compared = plan.experiment.compare is not None
    target = 0.0 if compared else plan.experiment.report.target or 0.0
    band = number(plan.experiment.report.fair_within or 0.0, "count" if unit == "count" else "points")
    goal, link = number(target, unit), "with" if compared else "for"
    more, less = ("higher", "lower") if compared else (f"above {goal}", f"below {goal}")
    unsure = f", but not surely by {band},"
    phrases = {
        "higher": more,
        "leans higher": f"{more}{unsure}",
        "fair": f"within {band}{'' if compared else f' of {goal}'}",
        "undecided": "not resolved" if compared else f"not resolved against {goal}",
        "leans lower": f"{less}{unsure}",
        "lower": less,
    }
    if compared:  # what counts comes first; in a ranking, the best
        order = ("higher", "lower", "leans higher", "leans lower", "fair", "undecided")
        phrases = {word: phrases[word] for word in order}
    alone = len({one.variant for one in some}) == 1
    parts = []
    for word, phrase in phrases.items():
        here = [one for one in some if _shade(one, target) == word]
        if not compared:
            here.sort(key=lambda one: -one.value.estimate)
        told = [
            f"{'' if alone else f'{link} {name} '}{spelt(one.value, unit, difference=compared)}"
            for one in here
            for name in [f"{one.variant}{f' at {one.rung}' if one.rung and not compared else ''}"]
        ]
        if told:
            parts.append(f"{phrase}{',' if alone and phrase[-1] != ',' else ''} {listed(told)}")
    return ", ".join(parts)


def _shade(one: Average, target: float) -> str:
    """Return the word of an average; what is not resolved against the fair band may still lean to one side."""
    if one.word != "undecided" or one.value.low <= target <= one.value.high:
        return one.word
    return "leans higher" if one.value.low > target else "leans lower"


def _first(some: Sequence[Average]) -> str:
    """Say whose average is the highest, where no interval of another reaches as far."""
    if len({one.rung for one in some}) > 1:
        return ""
    order = sorted(some, key=lambda one: -one.value.estimate)
    sure = all(order[0].value.low > one.value.high for one in order[1:])
    return f", so that {order[0].variant} come first" if sure else "; which comes first is not resolved"
