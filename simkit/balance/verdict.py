"""From estimates to a verdict: one sentence, one word, the rule that gave it, and what is not resolved.

All intervals of a verdict hold together at the stated level: the cells of the report metric are one family.
Cells on common dice get a max-T band, others Sidak's; a share of which few units differ gets Tango's
interval at Sidak's level; sequential cells get their confidence sequences at Bonferroni's. "Not resolved" means
that the interval reaches over the line, never that there is no difference.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit import stats
from simkit.games.protocol import Metric
from simkit.lab.estimates import SUFFIX, CellResult
from simkit.lab.plan import Plan
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate, format_estimate, format_interval

FEW = 100
"""With fewer differing units than this the bands of a share are exact, not normal."""

WORDS = {
    "raises": "higher in every cell",
    "lowers": "lower in every cell",
    "fair": "inside the fair band in every cell",
    "depends": "it depends on the cell",
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


def judge(plan: Plan, results: Sequence[CellResult]) -> Verdict:
    """Answer the question of a plan.

    Parameters
    ----------
    plan
        What was asked.
    results
        One for every cell of the plan.
    """
    if plan.experiment.compare is not None:
        return _compared(plan, results)
    if plan.experiment.report.target is not None:
        return _against_target(plan, results, plan.experiment.report.target)
    return _measured(plan, results)


def outcome(plan: Plan) -> Metric:
    """Return the report metric of a plan."""
    return next(metric for metric in plan.game.OUTCOMES if metric.name == plan.metric)


def _compared(plan: Plan, results: Sequence[CellResult]) -> Verdict:
    compared = [i for i, cell in enumerate(plan.cells) if cell.baseline is not None]
    values, family = together(plan, results, compared, difference=True)
    within = plan.experiment.report.fair_within or 0.0
    rows = [
        Row(plan.cells[i].number, _word(value, 0.0, within), value) for i, value in zip(compared, values, strict=True)
    ]
    word = _overall(rows)
    subject, other = _sides(plan, compared)
    unit = "points" if outcome(plan).kind == "share" else "count"
    count = _count(len(rows), "comparison")
    decided = [row for row in rows if row.word != "undecided"]
    scope = f"in all {count}" if len(decided) == len(rows) else f"in {len(decided)} of {count}"
    if len(rows) == 1:
        scope = ""
    said = {
        "raises": f"is higher {scope}",
        "lowers": f"is lower {scope}",
        "fair": f"stays within {_number(within, unit)} {scope}",
        "depends": f"depends on the cell: of {count}, {_split(rows)}",
        "undecided": "may differ or not: nothing is resolved",
    }[word].rstrip()
    unresolved = [row.cell for row in rows if row.word == "undecided"]
    open_ = f"; {_count(len(unresolved), 'comparison')} not resolved" if unresolved and word != "undecided" else ""
    opening = f"With {subject} instead of {other}, '{plan.metric}' ({outcome(plan).says}) {said}"
    answer = f"{opening}: by {_range(plan, rows, unit)}{open_} ({family})."
    return Verdict(answer, word, _rule(within, "the difference"), plan.metric, unresolved, rows, family)


def _split(rows: Sequence[Row]) -> str:
    """Count the words of the rows."""
    said = (("higher", "higher"), ("lower", "lower"), ("fair", "inside the fair band"))
    counted = [(sum(row.word == word for row in rows), phrase) for word, phrase in said]
    return ", ".join(f"{number} {phrase}" for number, phrase in counted if number)


def _range(plan: Plan, rows: Sequence[Row], unit: Any) -> str:
    """Give the smallest and the greatest difference, and where they are."""
    least = min(rows, key=lambda row: row.value.estimate)
    most = max(rows, key=lambda row: row.value.estimate)
    if len(rows) == 1:
        return _signed(least.value, unit)
    return f"{_signed(least.value, unit)}{_at(plan, least)} to {_signed(most.value, unit)}{_at(plan, most)}"


def _against_target(plan: Plan, results: Sequence[CellResult], target: float) -> Verdict:
    everyone = list(range(len(plan.cells)))
    values, family = together(plan, results, everyone, difference=False)
    within = plan.experiment.report.fair_within or 0.0
    rows = [
        Row(plan.cells[i].number, _word(value, target, within), value)
        for i, value in zip(everyone, values, strict=True)
    ]
    word = _overall(rows)
    unit = "share" if outcome(plan).kind == "share" else "count"
    goal = _number(target, unit)
    count = _count(len(rows), "cell")
    unresolved = [row.cell for row in rows if row.word == "undecided"]
    counted = {one: sum(row.word == one for row in rows) for one in ("higher", "lower", "fair")}
    said = [
        f"{number} {phrase}"
        for number, phrase in (
            (counted["higher"], f"above {goal}"),
            (counted["lower"], f"below {goal}"),
            (counted["fair"], f"fair within {_number(within, 'points' if unit == 'share' else 'count')} of {goal}"),
            (len(unresolved), "not resolved"),
        )
        if number
    ]
    if len(rows) == 1:
        phrase = said[0].removeprefix("1 ")
        answer = f"'{plan.metric}' ({outcome(plan).says}) is {phrase}: {_plain(rows[0].value, unit)} ({family})."
    else:
        most = max(rows, key=lambda row: row.value.estimate)
        least = min(rows, key=lambda row: row.value.estimate)
        answer = (
            f"Of {count}, '{plan.metric}' ({outcome(plan).says}) is {', '.join(said)}: from "
            f"{_plain(least.value, unit)}{_at(plan, least)} to {_plain(most.value, unit)}{_at(plan, most)} ({family})."
        )
    return Verdict(answer, word, _rule(within, f"the distance to {goal}"), plan.metric, unresolved, rows, family)


def _measured(plan: Plan, results: Sequence[CellResult]) -> Verdict:
    everyone = list(range(len(plan.cells)))
    values, family = together(plan, results, everyone, difference=False)
    rows = [Row(plan.cells[i].number, "measured", value) for i, value in zip(everyone, values, strict=True)]
    unit = "share" if outcome(plan).kind == "share" else "count"
    most = max(rows, key=lambda row: row.value.estimate)
    least = min(rows, key=lambda row: row.value.estimate)
    says = f"'{plan.metric}' ({outcome(plan).says})"
    if len(rows) == 1:
        answer = f"{_capital(says)}: {_plain(rows[0].value, unit)} ({family})."
    else:
        answer = (
            f"{_capital(says)} runs from {_plain(least.value, unit)}{_at(plan, least)} to "
            f"{_plain(most.value, unit)}{_at(plan, most)} ({family})."
        )
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
    units = f"n = {min(ns):,} each" if len(ns) == 1 else f"n = {min(ns):,} to {max(ns):,}"
    if any(results[i].sequential for i in chosen) or len(ns) > 1:
        made = [_sequence(plan, results[i], name, difference, count) for i in chosen]
        return made, f"{_percent(level)} {'together' if count > 1 else 'confidence'}, confidence sequences, {units}"
    if count == 1 and single[0] is not None:
        return [single[0]], f"{_percent(level)} confidence, {single[0].method}, {units}"
    sums = np.array([results[i].gains if difference else results[i].sums for i in chosen])
    n = ns.pop()
    bands = stats.simultaneous_bands(sums, units_per_batch(n), level)
    each = stats.sidak_level(count, level)
    share = outcome(plan).kind == "share"
    made = []
    for k, i in enumerate(chosen):
        total = int(sums[k].sum())
        low, high, method = float(bands.low[k]), float(bands.high[k]), bands.critical.method
        if share and difference:
            more, fewer = results[i].differing or (0, 0)
            if more + fewer < FEW:
                low, high = (float(x) for x in stats.tango(more, fewer, n, each))
                method = "tango"
            low, high = max(low, -1.0), min(high, 1.0)
        elif share:
            if min(total, n - total) < FEW:
                low, high = (float(x) for x in stats.clopper_pearson(total, n, each))
                method = "clopper-pearson"
            low, high = max(low, 0.0), min(high, 1.0)
        made.append(Estimate(total / n, low, high, level, n, method))
    said = {"max-t": "max-T", "sidak": "Sidak"}[bands.critical.method]
    return made, f"{_percent(level)} for all {count} together, {said}, {units}"


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
    if single is None:  # nothing differed yet: all that is known is the range
        bound = 1.0 if share else float(plan.trials)
        return Estimate(total / result.n, -bound, bound, plan.level, result.n, "asymptotic")
    scale = float(stats.asymptotic_half_width(1.0, result.n, each) / stats.asymptotic_half_width(1.0, result.n, plan.level))
    half = (single.high - single.low) / 2 * scale
    return Estimate(single.estimate, single.estimate - half, single.estimate + half, plan.level, result.n, "asymptotic")


def _word(value: Estimate, target: float, within: float) -> str:
    if value.low > target + within:
        return "higher"
    if value.high < target - within:
        return "lower"
    if within and target - within <= value.low and value.high <= target + within:
        return "fair"
    return "undecided"


def _overall(rows: Sequence[Row]) -> str:
    found = {row.word for row in rows} - {"undecided"}
    if not found:
        return "undecided"
    if len(found) > 1:
        return "depends"
    return {"higher": "raises", "lower": "lowers", "fair": "fair"}[found.pop()]


def _rule(within: float, what: str) -> str:
    if within:
        return f"an interval of {what} wholly beyond {within:g} decides; wholly inside it is fair; else undecided"
    return f"an interval of {what} wholly on one side of 0 decides; else undecided"


def _sides(plan: Plan, compared: Sequence[int]) -> tuple[str, str]:
    """Name what is compared and with what: the words of the baseline's axes."""
    compare = plan.experiment.compare
    names = list(compare.baseline) if compare is not None else []
    base = plan.cells[plan.cells[compared[0]].baseline or 0]
    ours = {" and ".join(plan.cells[i].labels[name] for name in names) for i in compared}
    theirs = " and ".join(base.labels[name] for name in names)
    titles = " and ".join(plan.game.axis_title(name) for name in names)
    if len(ours) == 1:
        return _spoken(titles, names, ours.pop()), _spoken(titles, names, theirs)
    return f"another {titles}", _spoken(titles, names, theirs)


def _spoken(titles: str, names: Sequence[str], words: str) -> str:
    """Say a bare number or switch with its axis, and words as they are."""
    if names == ["house_rules"]:
        return "no house rules" if words == "none" else f"the house rules {words}"
    bare = words.replace(".", "").replace("-", "").isdigit() or words in ("true", "false", "none")
    return f"{titles} {words}" if bare else words


def _at(plan: Plan, row: Row) -> str:
    """Say where a cell is, by the axes that vary beside the comparison."""
    compare = plan.experiment.compare
    own = set(compare.baseline) if compare is not None else set()
    cell = plan.cells[row.cell - 1]
    several = {name for name in cell.labels if len({c.labels[name] for c in plan.cells}) > 1}
    alone = len({tuple(c.labels[n] for n in own) for c in plan.cells if c.baseline is not None}) == 1
    shown = [f"{plan.game.axis_title(name)} {label}" for name, label in cell.labels.items() if name in several and not (name in own and alone)]
    return f" at {', '.join(shown)}" if shown else ""


def _plain(value: Estimate, unit: Any) -> str:
    return f"{format_estimate(value, unit)} ({format_interval(value, unit)})"


def _signed(value: Estimate, unit: Any) -> str:
    text = format_estimate(value, unit)
    sign = "+" if value.estimate > 0 and not text.startswith(("+", "<", ">")) else ""
    return f"{sign}{text} ({format_interval(value, unit)})"


def _number(value: float, unit: str) -> str:
    return f"{value:g}" if unit == "count" else f"{100 * value:g} {'%' if unit == 'share' else 'pp'}"


def _percent(level: float) -> str:
    return f"{100 * level:g} %"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
