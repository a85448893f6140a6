"""From estimates to a verdict: one sentence, one word, the rule that gave it, and what is not resolved.

All intervals of a verdict hold together at the stated level: the cells of the report metric are one family.
Cells on common dice get a max-T band, others Sidak's; a share of which few units differ gets Tango's
interval at Sidak's level; sequential cells get their confidence sequences at Bonferroni's. "Not resolved" means
that the interval reaches over the line, never that there is no difference.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from simkit import stats
from simkit.games.protocol import Metric
from simkit.lab.axes import HOUSE_RULES
from simkit.lab.estimates import FEW_BATCHES, SUFFIX, CellResult, differing_batches, rare_bound
from simkit.lab.plan import Plan
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate, format_estimate, format_interval
from simkit.stats.estimate import Unit

FEW = 100
"""With fewer differing units than this the bands of a share are exact, not normal."""

WORDS = {
    "raises": "higher wherever it is resolved",
    "lowers": "lower wherever it is resolved",
    "fair": "inside the fair band in every cell",
    "depends": "it depends on the combination",
    "undecided": "not resolved with these trials",
    "measured": "no target and no baseline: the numbers speak for themselves",
}


@dataclass(frozen=True)
class Row:
    """The verdict on one cell."""

    cell: int
    """Number of the cell, from 1."""
    word: str
    """``higher``, ``lower``, ``fair`` or ``undecided``."""
    value: Estimate
    """The difference to the baseline, or the value itself, with its simultaneous interval."""


@dataclass(frozen=True)
class Verdict:
    """The answer to an experiment's question."""

    answer: str
    word: str
    rule: str
    metric: str
    not_resolved: list[int]
    rows: list[Row]
    family: str
    """Which intervals hold together, and how that was done."""

    def to_json(self) -> dict[str, Any]:
        """Return the verdict for the report."""
        return {
            "answer": self.answer,
            "word": self.word,
            "meaning": WORDS[self.word],
            "rule": self.rule,
            "metric": self.metric,
            "not_resolved": self.not_resolved,
            "family": self.family,
            "rows": [{"cell": row.cell, "word": row.word, **row.value.to_json()} for row in self.rows],
        }


Source = Callable[[Sequence[int], bool], tuple[list[Estimate], str]]
"""Gives the report metric of several cells, or its differences to the baseline, and says how they were made."""


def judge(plan: Plan, results: Sequence[CellResult]) -> Verdict:
    """Answer the question of a plan.

    Parameters
    ----------
    plan
        What was asked.
    results
        One for every cell of the plan.
    """

    def measured(chosen: Sequence[int], difference: bool) -> tuple[list[Estimate], str]:
        return together(plan, results, chosen, difference=difference)

    return _judge(plan, measured)


def judge_exact(plan: Plan, values: Sequence[Fraction]) -> Verdict:
    """Answer the question of a plan from its exact solution.

    Parameters
    ----------
    plan
        What was asked.
    values
        The report metric of every cell.
    """

    def solved(chosen: Sequence[int], difference: bool) -> tuple[list[Estimate], str]:
        base = [plan.cells[i].baseline if difference else None for i in chosen]
        found = [values[i] - (0 if b is None else values[b]) for i, b in zip(chosen, base, strict=True)]
        return [Estimate.exact(float(value)) for value in found], "exact"

    return _judge(plan, solved)


def _judge(plan: Plan, source: Source) -> Verdict:
    if plan.experiment.compare is not None:
        return _compared(plan, source)
    if plan.experiment.report.target is not None:
        return _against_target(plan, source, plan.experiment.report.target)
    return _measured(plan, source)


def outcome(plan: Plan) -> Metric:
    """Return the report metric of a plan."""
    return next(metric for metric in plan.game.OUTCOMES if metric.name == plan.metric)


def _compared(plan: Plan, source: Source) -> Verdict:
    compared = [i for i, cell in enumerate(plan.cells) if cell.baseline is not None]
    values, family = source(compared, True)
    within = plan.experiment.report.fair_within or 0.0
    rows = [
        Row(plan.cells[i].number, _word(value, 0.0, within), value) for i, value in zip(compared, values, strict=True)
    ]
    word = _overall(rows)
    unit: Unit = "points" if outcome(plan).kind == "share" else "count"
    band = _number(within, unit)
    phrases = {
        "higher": f"higher by more than {band}" if within else "higher",
        "lower": f"lower by more than {band}" if within else "lower",
        "fair": f"within {band} of the baseline" if within else "the same",
        "undecided": "not resolved",
    }
    unresolved = [row.cell for row in rows if row.word == "undecided"]
    said = ("depends on the combination: " if word == "depends" else "is ") + _tally(rows, "comparison", phrases)
    if len(unresolved) == len(rows):
        scope = {1: "", 2: " in either comparison"}.get(len(rows), f" in any of {len(rows):,} comparisons")
        said = f"is not shown to differ{scope}"
    differences = ("; the differences run " if word == "depends" else ": ") + _range(plan, rows, unit)
    answer = f"{_instead(plan, compared)}, {_name(plan)} {said}{differences} ({family})."
    return Verdict(answer, word, _rule(within, "a difference", band), plan.metric, unresolved, rows, family)


def _tally(rows: Sequence[Row], noun: str, phrases: Mapping[str, str]) -> str:
    """Say how many rows have which word: ``higher in 5 of 12 comparisons, lower in 3 and not resolved in 4``."""
    counted = [(sum(row.word == word for row in rows), phrase) for word, phrase in phrases.items()]
    parts = [(number, phrase) for number, phrase in counted if number]
    if len(rows) == 1:
        return parts[0][1]
    if len(parts) == 1:
        return f"{parts[0][1]} in {_all(len(rows))} {noun}s"
    said = [f"{phrase} in {number:,}" for number, phrase in parts]
    said[0] += f" of {len(rows):,} {noun}s"
    return f"{', '.join(said[:-1])} and {said[-1]}"


def _all(number: int) -> str:
    return "both" if number == 2 else f"all {number:,}"


def _range(plan: Plan, rows: Sequence[Row], unit: Unit) -> str:
    """Give the smallest and the greatest value, and where they are."""
    least = min(rows, key=lambda row: row.value.estimate)
    most = max(rows, key=lambda row: row.value.estimate)
    low, high = (_spelt(row.value, unit, plan.experiment.compare is not None) for row in (least, most))
    if least is most:
        return low if len(rows) == 1 else f"{low} in each"
    return f"from {low}{_at(plan, least)} to {high}{_at(plan, most)}"


def _against_target(plan: Plan, source: Source, target: float) -> Verdict:
    everyone = list(range(len(plan.cells)))
    values, family = source(everyone, False)
    within = plan.experiment.report.fair_within or 0.0
    rows = [
        Row(plan.cells[i].number, _word(value, target, within), value)
        for i, value in zip(everyone, values, strict=True)
    ]
    unit: Unit = "share" if outcome(plan).kind == "share" else "count"
    goal, band = _number(target, unit), _number(within, "points" if unit == "share" else "count")
    beyond = f"more than {band} " if within else ""
    phrases = {
        "higher": f"{beyond}above {goal}",
        "lower": f"{beyond}below {goal}",
        "fair": f"within {band} of {goal}" if within else f"just {goal}",
        "undecided": f"not resolved against {goal}",
    }
    answer = f"{_name(plan)} is {_tally(rows, 'cell', phrases)}: {_range(plan, rows, unit)} ({family})."
    unresolved = [row.cell for row in rows if row.word == "undecided"]
    rule = _rule(within, f"a distance to {goal}", band)
    return Verdict(answer, _overall(rows), rule, plan.metric, unresolved, rows, family)


def _measured(plan: Plan, source: Source) -> Verdict:
    everyone = list(range(len(plan.cells)))
    values, family = source(everyone, False)
    rows = [Row(plan.cells[i].number, "measured", value) for i, value in zip(everyone, values, strict=True)]
    unit: Unit = "share" if outcome(plan).kind == "share" else "count"
    verb = "is" if len(rows) == 1 else "runs"
    answer = f"{_name(plan)} {verb} {_range(plan, rows, unit)} ({family})."
    rule = "no baseline and no target were given: the values are reported with intervals that hold together"
    return Verdict(answer, "measured", rule, plan.metric, [], rows, family)


def together(
    plan: Plan, results: Sequence[CellResult], chosen: Sequence[int], *, difference: bool
) -> tuple[list[Estimate], str]:
    """Return the report metric of several cells with intervals that hold together, and how they were made."""
    name = plan.metric + SUFFIX if difference else plan.metric
    single = [results[i].metrics[name] for i in chosen]
    level, count = plan.level, len(chosen)
    ns = {results[i].n for i in chosen}
    units = f"n = {min(ns):,} to {max(ns):,}" if len(ns) > 1 else f"n = {min(ns):,}{' each' if count > 1 else ''}"
    scope = f" for {_all(count)} together" if count > 1 else " confidence"
    if any(results[i].sequential for i in chosen) or len(ns) > 1:
        made = [_sequence(plan, results[i], name, difference, count) for i in chosen]
        return made, f"{_percent(level)}{scope}, {_methods(made)} confidence sequence{'s'[: count - 1]}, {units}"
    if count == 1 and single[0] is not None:
        return [single[0]], f"{_percent(level)} confidence, {single[0].method}, {units}"
    if ns == {1}:
        made = [_exact_interval(results[i], difference, stats.sidak_level(count, level), level) for i in chosen]
        return made, f"{_percent(level)}{scope}, {_methods(made)}, {units}"
    sums = np.array([results[i].gains if difference else results[i].sums for i in chosen])
    n = ns.pop()
    bands = stats.simultaneous_bands(sums, units_per_batch(n), level)
    each = stats.sidak_level(count, level)
    share = outcome(plan).kind == "share"
    made = []
    for k, i in enumerate(chosen):
        low, high, method = float(bands.low[k]), float(bands.high[k]), bands.critical.method
        if share and _rare(results[i], difference):
            made.append(_exact_interval(results[i], difference, each, level))
            continue
        if not share and differing_batches(sums[k], n)[0] < FEW_BATCHES:
            made.append(_rare_mean(plan, results[i], difference, each))
            continue
        if share:
            low, high = max(low, -1.0 if difference else 0.0), min(high, 1.0)
        made.append(Estimate(int(sums[k].sum()) / n, low, high, level, n, method))
    return made, f"{_percent(level)}{scope}, {_methods(made)}, {units}"


def _rare_mean(plan: Plan, result: CellResult, difference: bool, each: float) -> Estimate:
    """Return a mean, or a difference, of which too little varied, with the bound that is left."""
    sums = result.gains if difference and result.gains is not None else result.sums
    own = int(result.sums.sum()) / result.n
    reach = 1.0 if outcome(plan).kind == "share" else max(own, own - (int(sums.sum()) / result.n if difference else 0))
    bound = rare_bound(sums, result.n, each, reach, sequential=result.sequential, signed=difference)
    return replace(bound, level=plan.level)


def _rare(result: CellResult, difference: bool) -> bool:
    """Tell whether too few units show, or do not show, a share for its batches to be normal."""
    shown = int(result.sums.sum())
    return sum(result.differing or (0, 0)) < FEW if difference else min(shown, result.n - shown) < FEW


def _exact_interval(result: CellResult, difference: bool, each: float, level: float) -> Estimate:
    """Return a share, or a difference of shares, with an interval that needs no normal batches."""
    if difference:
        more, fewer = result.differing or (0, 0)
        low, high = stats.tango(more, fewer, result.n, each)
        return Estimate((more - fewer) / result.n, float(low), float(high), level, result.n, "tango")
    shown = int(result.sums.sum())
    low, high = stats.clopper_pearson(shown, result.n, each)
    return Estimate(shown / result.n, float(low), float(high), level, result.n, "clopper-pearson")


def _methods(made: Sequence[Estimate]) -> str:
    """Name the methods of several intervals, each once."""
    spoken = {"max-t": "max-T", "sidak": "Sidak"}
    return " and ".join(dict.fromkeys(spoken.get(value.method, value.method) for value in made))


def _sequence(plan: Plan, result: CellResult, name: str, difference: bool, count: int) -> Estimate:
    """Return a confidence sequence at the level that several cells share (Bonferroni)."""
    each = stats.bonferroni_level(count, plan.level)
    sums = result.gains if difference and result.gains is not None else result.sums
    total = int(sums.sum())
    share = outcome(plan).kind == "share"
    if share and not difference:
        low, high = stats.beta_binomial(total, result.n, each)
        return Estimate(total / result.n, float(low), float(high), plan.level, result.n, "beta-binomial")
    single = result.metrics[name]
    if single is None or single.method == "rare-bound":
        return _rare_mean(plan, result, difference, each)
    scale = float(
        stats.asymptotic_half_width(1.0, result.n, each) / stats.asymptotic_half_width(1.0, result.n, plan.level)
    )
    half = (single.high - single.low) / 2 * scale
    return Estimate(single.estimate, single.estimate - half, single.estimate + half, plan.level, result.n, "asymptotic")


def _word(value: Estimate, target: float, within: float) -> str:
    if value.low > target + within:
        return "higher"
    if value.high < target - within:
        return "lower"
    if (within or value.method == "exact") and target - within <= value.low and value.high <= target + within:
        return "fair"
    return "undecided"


def _overall(rows: Sequence[Row]) -> str:
    found = {row.word for row in rows}
    resolved = found - {"undecided"}
    if len(resolved) > 1:
        return "depends"
    if found == {"fair"}:
        return "fair"
    return {"higher": "raises", "lower": "lowers"}.get("".join(resolved), "undecided")


def _rule(within: float, what: str, band: str) -> str:
    if within:
        return f"{what} counts when its interval lies wholly beyond ±{band}, is fair when wholly inside, else undecided"
    return f"{what} counts when its interval lies wholly on one side of 0, else undecided"


def _name(plan: Plan) -> str:
    return f"'{plan.metric}' ({outcome(plan).says})"


def _instead(plan: Plan, compared: Sequence[int]) -> str:
    """Name what is compared and with what, in the words of the baseline's axes."""
    base = plan.cells[plan.cells[compared[0]].baseline or 0]
    theirs = _spoken(plan, {name: base.labels[name] for name in plan.baseline}, " and ")
    ours = {_spoken(plan, {name: plan.cells[i].labels[name] for name in plan.baseline}, " and ") for i in compared}
    return f"With {ours.pop()} instead of {theirs}" if len(ours) == 1 else f"Compared with {theirs}"


def _spoken(plan: Plan, labels: Mapping[str, str], joint: str) -> str:
    """Say the values of axes: a bare number or switch with its axis, words as they are."""
    return joint.join(_word_of(plan, name, label) for name, label in labels.items())


def _word_of(plan: Plan, name: str, label: str) -> str:
    if name == HOUSE_RULES:
        rules = label.split(" + ")
        return "no house rules" if label == "none" else f"the house rule{'s' * (len(rules) > 1)} {label}"
    elsewhere = any(label == cell.labels[other] for cell in plan.cells for other in cell.labels if other != name)
    bare = elsewhere or label in ("true", "false", "none") or _is_number(label)
    return f"{plan.title(name)} {label}" if bare else label


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _at(plan: Plan, row: Row) -> str:
    """Say where a cell is, by the axes that vary among the rows."""
    cell = plan.cells[row.cell - 1]
    others = [one for one in plan.cells if one.baseline is not None] or plan.cells
    varies = {name: label for name, label in cell.labels.items() if len({one.labels[name] for one in others}) > 1}
    joint = "; " if any("," in one.labels[name] for one in plan.cells for name in varies) else ", "
    return f" for {_spoken(plan, varies, joint)}" if varies else ""


def _spelt(value: Estimate, unit: Unit, difference: bool) -> str:
    """Write a value with its interval; a difference carries its sign."""
    text = _sign(format_estimate(value, unit), difference)
    if value.method == "exact":
        return text
    if value.low == value.high:
        return f"{text} (nothing varied)"
    bounds = [_sign(bound, difference) for bound in format_interval(value, unit).split(" to ")]
    return f"{text} ({' to '.join(bounds)})"


def _sign(text: str, difference: bool) -> str:
    """Put a plus before a printed difference above 0."""
    return f"+{text}" if difference and text[0].isdigit() and text.strip("0., %p") else text


def _number(value: float, unit: Unit) -> str:
    return f"{value:g}" if unit == "count" else f"{100 * value:g} {'%' if unit == 'share' else 'pp'}"


def _percent(level: float) -> str:
    return f"{100 * level:g} %"
