"""Whether an answer depends on who decides: the same question at every rung of the ladder of skill.

Rungs are the values of ``policy`` or of a side's ``policy``, from the simplest to the cleverest as the game lists them.
The changes from each rung to the highest are judged on the dice that both were played with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit import stats
from simkit.balance.family import all_of, outcome
from simkit.balance.wording import Row, at, at_most, number, spelt, unit_of, word_of
from simkit.games.protocol import is_ladder
from simkit.lab.estimates import FEW_BATCHES, CellResult, Value, differing_batches, rare_bound, reach_of
from simkit.lab.plan import Plan
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate

RESOLVED = ("higher", "lower", "fair")


@dataclass(frozen=True)
class Ladder:
    """The rows of a verdict by rung."""

    axis: str
    """Path of the axis of skill; the first one where both sides have one."""
    title: str
    """What to call it behind the word skill; empty for the policy of both sides."""
    rungs: list[tuple[str, list[Row]]]
    """From the simplest to the cleverest, by the name of the rung."""


@dataclass(frozen=True)
class Change:
    """How a value changes from one rung to the highest."""

    cell: int
    """Number of the cell at the lower rung, from 1."""
    top: int
    """Number of the cell at the highest rung."""
    word: str
    """As of a :class:`Row`, against no change."""
    value: Estimate


@dataclass(frozen=True)
class Skill:
    """Whether the answer depends on skill."""

    ladder: Ladder
    changes: list[Change]
    word: str
    """``turns`` (to another answer), ``size`` (how much of it), ``steady`` or ``undecided``."""
    answer: str

    def to_json(self) -> dict[str, Any]:
        """Return it for the report."""
        changes = [{"cell": one.cell, "top": one.top, "word": one.word, **one.value.to_json()} for one in self.changes]
        return {
            "axis": self.ladder.axis,
            "rungs": [{"rung": rung, "cells": [row.cell for row in rows]} for rung, rows in self.ladder.rungs],
            "changes": changes,
            "word": self.word,
            "answer": self.answer,
        }


def is_skill(path: str) -> bool:
    """Tell whether an axis says who decides.

    Examples
    --------
    >>> [is_skill(path) for path in ("policy", "sides.a.policy", "sides.a.design")]
    [True, True, False]
    """
    return path == "policy" or (path.startswith("sides.") and path.endswith(".policy"))


def ladder(plan: Plan, rows: Sequence[Row]) -> Ladder | None:
    """Sort the rows of a verdict into the rungs of the ladder of skill; None where skill does not vary, or is none."""
    if not is_ladder(plan.game):
        return None
    cells = [plan.cells[row.cell - 1] for row in rows]
    varied = (name for name in cells[0].factors if is_skill(name) and len({cell.labels[name] for cell in cells}) > 1)
    axis = next(varied, None)
    if axis is None:
        return None
    found: dict[str, list[Row]] = {}
    for row, cell in zip(rows, cells, strict=True):
        found.setdefault(str(cell.factors[axis]), []).append(row)
    rungs = [
        (_rung(plan, axis, found[policy][0].cell), found[policy]) for policy in plan.game.POLICIES if policy in found
    ]
    return Ladder(axis, "" if axis == "policy" else f" ({plan.title(axis)})", rungs)


def _rung(plan: Plan, axis: str, number: int) -> str:
    return plan.cells[number - 1].labels[axis]


def by_skill(plan: Plan, results: Sequence[CellResult], rows: Sequence[Row], family: str) -> Skill | None:
    """Say whether what was found depends on skill; None where skill does not vary.

    Parameters
    ----------
    plan, results
        What was asked, and what every cell has shown.
    rows, family
        The verdict, and how its intervals hold together.
    """
    found = ladder(plan, rows)
    if found is None:
        return None
    if found.axis in plan.baseline:
        word, said = _against_a_rung(plan, found, rows)
        return Skill(found, [], word, f"{said} ({family}).")
    pairs = _pairs(plan, found)
    if not pairs:
        return Skill(found, [], "undecided", "No combination was played at the highest rung and at a lower one.")
    changes, how = _changes(plan, results, pairs, family)
    word = _word(pairs, changes)
    by = family if word == "turns" else how
    return Skill(found, changes, word, f"{_said(plan, found, pairs, changes, word)} ({by}).")


Pairs = Sequence[tuple[Row, Row]]
"""A row at a lower rung, and that of the same combination at the highest."""


def _pairs(plan: Plan, found: Ladder) -> Pairs:
    highest = {_combination(plan, found, row): row for row in found.rungs[-1][1]}
    lower = [(_combination(plan, found, row), row) for _, rows in found.rungs[:-1] for row in rows]
    return [(row, highest[mark]) for mark, row in lower if mark in highest]


def _combination(plan: Plan, found: Ladder, row: Row) -> tuple[str, ...]:
    """Return the values of all axes but that of skill."""
    labels = plan.cells[row.cell - 1].labels
    return tuple(label for name, label in labels.items() if name != found.axis)


def _changes(plan: Plan, results: Sequence[CellResult], pairs: Pairs, family: str) -> tuple[list[Change], str]:
    """Return the changes with intervals that hold together, and how these were made.

    Where cells were not played equally long, or stopped at a look, the intervals are what those of the verdict leave.
    """
    cells = [(results[low.cell - 1], results[top.cell - 1]) for low, top in pairs]
    ns = {cell.n for pair in cells for cell in pair}
    if len(ns) > 1 or ns == {1} or any(cell.sequential for pair in cells for cell in pair):
        values, how = [_left_open(low.value, top.value) for low, top in pairs], family
    else:
        values = _paired(plan, cells)
        spoken = {"max-t": "max-T", "sidak": "Sidak"}
        methods = " and ".join(dict.fromkeys(spoken.get(value.method, value.method) for value in values))
        scope = f" for {all_of(len(values))} changes together" if len(values) > 1 else " confidence"
        how = f"{100 * plan.level:g} %{scope}, {methods}, on the same dice"
    within = plan.experiment.report.fair_within or 0.0
    return [
        Change(low.cell, top.cell, word_of(value, 0.0, within), value)
        for (low, top), value in zip(pairs, values, strict=True)
    ], how


def _left_open(low: Estimate, top: Estimate) -> Estimate:
    """Return a difference with the interval that holds wherever those of both its parts do."""
    change, n = top.estimate - low.estimate, min(low.n, top.n)
    return Estimate(change, top.low - low.high, top.high - low.low, low.level, n, top.method)


def _paired(plan: Plan, pairs: Sequence[tuple[CellResult, CellResult]]) -> list[Estimate]:
    metric, games, n = outcome(plan), plan.game.GAMES_A_UNIT, pairs[0][0].n
    difference = plan.experiment.compare is not None
    sums = np.array([_sums(top) - _sums(low) for low, top in pairs])
    most = (2.0 if difference else 1.0) if metric.kind == "share" else np.inf
    value = Value(games * metric.scale, -most, most)
    bands = stats.simultaneous_bands(sums, units_per_batch(n), plan.level)
    each, found = stats.sidak_level(len(pairs), plan.level), []
    for k, pair in enumerate(pairs):
        if differing_batches(sums[k], n)[0] < FEW_BATCHES:
            reach = sum(reach_of(metric, games, int(one.sums.sum()) / n) for one in pair)
            bound = rare_bound(sums[k], n, each, reach, value, sequential=False)
            found.append(Estimate(bound.estimate, bound.low, bound.high, plan.level, n, bound.method))
        else:
            low, high, method = float(bands.low[k]), float(bands.high[k]), bands.critical.method
            found.append(value.estimate(int(sums[k].sum()) / n, low, high, plan.level, n, method))
    return found


def _sums(result: CellResult) -> NDArray[np.int64]:
    return result.sums if result.gains is None else result.gains


def _word(pairs: Pairs, changes: Sequence[Change]) -> str:
    if any(_turns(pair) for pair in pairs):
        return "turns"
    if any(change.word in ("higher", "lower") for change in changes):
        return "size"
    return "steady" if all(change.word == "fair" for change in changes) else "undecided"


def _turns(pair: tuple[Row, Row]) -> bool:
    """Tell whether two rungs have different answers, both of them resolved."""
    low, top = (row.word for row in pair)
    return low in RESOLVED and top in RESOLVED and low != top


def _said(plan: Plan, found: Ladder, pairs: Pairs, changes: Sequence[Change], word: str) -> str:
    """Say in a sentence whether the answer depends on skill."""
    unit, axis, skill = unit_of(plan, difference=True), found.axis, f"skill{found.title}"
    top = found.rungs[-1][0]
    if word == "turns":
        return f"The answer depends on {skill}{_turned(plan, found, pairs)}"
    if word == "steady":
        band = number(plan.experiment.report.fair_within or 0.0, unit)
        return f"The answer does not hang on {skill}: no change up to {top} is larger than {band}"
    if word == "undecided":
        return (
            f"Whether the answer depends on {skill} is not resolved: a change of up to {_limit(changes, unit)} is open"
        )
    resolved = [change for change in changes if change.word in ("higher", "lower")]
    widest = max(resolved, key=lambda change: abs(change.value.estimate))
    words = {row.word for pair in pairs for row in pair}
    what = "the difference" if plan.experiment.compare is not None else "it"
    if words == {"measured"}:
        head = f"'{plan.metric}' depends on {skill}"
    elif len(words) == 1 and words <= set(RESOLVED):
        head = f"The answer is the same at every rung, but how much of it depends on {skill}"
    else:
        head = f"How much depends on {skill}; whether the answer does is not resolved"
    change = spelt(widest.value, unit, difference=True)
    step = f"from {_rung(plan, axis, widest.cell)} to {_rung(plan, axis, widest.top)}"
    counted = f"; {len(resolved):,} of {len(changes):,} changes are resolved" if len(changes) > 1 else ""
    return f"{head}: {step}{at(plan, widest.cell, [axis])} {what} changes by {change}{counted}"


def _turned(plan: Plan, found: Ladder, pairs: Pairs) -> str:
    """Say where two rungs have different answers, and how far apart they are at most."""
    turned = [pair for pair in pairs if _turns(pair)]
    low, top = max(turned, key=lambda pair: abs(pair[0].value.estimate - pair[1].value.estimate))
    some, every = ({_combination(plan, found, pair[0]) for pair in several} for several in (turned, pairs))
    counted = f", in {len(some):,} of {len(every):,} combinations" if len(every) > 1 else ""
    most = "most of all " if len(some) > 1 else ""
    ends = " and ".join(f"{_answer(plan, row)} at {_rung(plan, found.axis, row.cell)}" for row in (low, top))
    return f"{counted}: {most}'{plan.metric}'{at(plan, low.cell, [found.axis])} is {ends}"


def _answer(plan: Plan, row: Row) -> str:
    """Return the answer at one rung in words."""
    target = plan.experiment.report.target
    band = number(plan.experiment.report.fair_within or 0.0, unit_of(plan, difference=True))
    if plan.experiment.compare is not None or target is None:
        return f"within {band}" if row.word == "fair" else row.word
    goal = number(target, unit_of(plan, difference=False))
    return {"higher": f"above {goal}", "lower": f"below {goal}"}.get(row.word, f"within {band} of {goal}")


def _limit(ones: Sequence[Row | Change], unit: Any) -> str:
    """Print the largest change that the intervals leave open."""
    return at_most(max(max(abs(one.value.low), abs(one.value.high)) for one in ones), unit)


def _against_a_rung(plan: Plan, found: Ladder, rows: Sequence[Row]) -> tuple[str, str]:
    """Return the word and the sentence where one rung is the baseline of the others."""
    unit, words = unit_of(plan, difference=True), {row.word for row in rows}
    base = plan.baseline[found.axis]
    if words & {"higher", "lower"}:
        resolved = [row for row in rows if row.word in ("higher", "lower")]
        widest = max(resolved, key=lambda row: abs(row.value.estimate))
        change = spelt(widest.value, unit, difference=True)
        where = at(plan, widest.cell)
        return "turns", f"Skill{found.title} matters: '{plan.metric}'{where} differs from that at {base} by {change}"
    if words == {"fair"}:
        band = number(plan.experiment.report.fair_within or 0.0, unit)
        return (
            "steady",
            f"Skill{found.title} hardly matters: '{plan.metric}' is within {band} of that at {base} on every rung",
        )
    return (
        "undecided",
        f"Whether skill{found.title} matters is not resolved: a difference of up to {_limit(rows, unit)} is open",
    )
