"""From estimates to a verdict: one sentence, one word, the rule that gave it, and what is not resolved.

All intervals of a verdict hold together at the stated level (see :mod:`simkit.balance.family`). "Not resolved" means
that the interval reaches over the line, never that there is no difference.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from simkit.balance.along import along
from simkit.balance.average import MOST, Averages, averages, sentence
from simkit.balance.family import all_of, together
from simkit.balance.skill import Ladder, Skill, by_skill, ladder
from simkit.balance.wording import Row as Row
from simkit.balance.wording import instead, listed, metric_name, number, span, unit_of, variant, word_of
from simkit.lab.estimates import CellResult
from simkit.lab.plan import Plan
from simkit.stats import Estimate
from simkit.stats.estimate import Unit

MOST_PHRASES = 24
"""Variants times rungs of skill up to which the answer speaks of every one."""

WORDS = {
    "raises": "higher wherever it is resolved",
    "lowers": "lower wherever it is resolved",
    "fair": "inside the fair band in every cell",
    "depends": "it depends on the combination",
    "undecided": "not resolved with these trials",
    "measured": "no target and no baseline: the numbers speak for themselves",
}


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
    skill: Skill | None = None
    """Whether the answer depends on who decides; None where that does not vary."""
    averages: Averages | None = None
    """What is judged, averaged over the field; None where that says nothing more, or would not be fair."""

    def to_json(self) -> dict[str, Any]:
        """Return the verdict for the report."""
        found: dict[str, Any] = {
            "answer": self.answer,
            "word": self.word,
            "meaning": WORDS[self.word],
            "rule": self.rule,
            "metric": self.metric,
            "not_resolved": self.not_resolved,
            "family": self.family,
            "rows": [{"cell": row.cell, "word": row.word, **row.value.to_json()} for row in self.rows],
        }
        found |= {} if self.averages is None else {"averages": self.averages.to_json()}
        return found if self.skill is None else found | {"skill": self.skill.to_json()}


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

    found = _judge(plan, measured)
    mean = averages(plan, results, found.rows)
    if mean is not None and len(mean.rows) <= MOST:
        found = replace(found, answer=sentence(plan, mean, found.rows, found.family))
    return replace(found, skill=by_skill(plan, results, found.rows, found.family), averages=mean)


def judge_exact(plan: Plan, values: Sequence[Fraction], error: float = 0.0) -> Verdict:
    """Answer the question of a plan from its exact solution.

    Parameters
    ----------
    plan
        What was asked.
    values
        The report metric of every cell.
    error
        Most that a share of them is off by; 0 for fractions.
    """
    how = f"solved, off by no more than {error:g}" if error else "exact"

    def solved(chosen: Sequence[int], difference: bool) -> tuple[list[Estimate], str]:
        base = [plan.cells[i].baseline if difference else None for i in chosen]
        found = [values[i] - (0 if b is None else values[b]) for i, b in zip(chosen, base, strict=True)]
        return [Estimate.exact(float(value)) for value in found], how

    return _judge(plan, solved)


def _judge(plan: Plan, source: Source) -> Verdict:
    if plan.experiment.compare is not None:
        return _compared(plan, source)
    if plan.experiment.report.target is not None:
        return _against_target(plan, source, plan.experiment.report.target)
    return _measured(plan, source)


def _compared(plan: Plan, source: Source) -> Verdict:
    compared = [i for i, cell in enumerate(plan.cells) if cell.baseline is not None]
    values, family = source(compared, True)
    within = plan.experiment.report.fair_within or 0.0
    rows = [
        Row(plan.cells[i].number, word_of(value, 0.0, within), value) for i, value in zip(compared, values, strict=True)
    ]
    word = _overall(rows)
    unit = unit_of(plan, difference=True)
    band = number(within, unit)
    phrases = {
        "higher": f"higher by more than {band}" if within else "higher",
        "lower": f"lower by more than {band}" if within else "lower",
        "fair": f"within {band} of the baseline" if within else "the same",
        "undecided": "not resolved",
    }
    unresolved = [row.cell for row in rows if row.word == "undecided"]
    skill = ladder(plan, rows)
    if skill is not None:
        said = f"is, for each rung of skill{skill.title}: {_by_rung(plan, skill, phrases, unit)}"
    else:
        said = ("depends on the combination: " if word == "depends" else "is ") + _found(rows, phrases)
        said += ("; the differences run " if word == "depends" else ": ") + span(plan, rows, unit)
    answer = f"{instead(plan, compared)}, {metric_name(plan)} {said} ({family})."
    return Verdict(answer, word, _rule(within, "a difference", band), plan.metric, unresolved, rows, family)


def _by_rung(plan: Plan, skill: Ladder, phrases: Mapping[str, str], unit: Unit) -> str:
    """Say what the comparisons have shown at every rung; of several variants, if they are few, what of each."""
    every = [row for _, rows in skill.rungs for row in rows]
    variants = list(dict.fromkeys(variant(plan, row.cell) for row in every))
    alone = len(variants) == 1 or skill.axis in plan.baseline
    if alone or len(variants) * len(skill.rungs) > MOST_PHRASES:
        return "; ".join(
            f"at {rung}, {_found(rows, phrases)}, {span(plan, rows, unit, [skill.axis])}" for rung, rows in skill.rungs
        )
    brief = {**phrases, "higher": "higher", "lower": "lower"}  # how much counts stands in the rule
    parts = []
    for rung, rows in skill.rungs:
        found = {one: [row for row in rows if variant(plan, row.cell) == one] for one in variants}
        said = [f"with {one} {_briefly(some, brief)}" for one, some in found.items() if _resolved(some)]
        unsure = [one for one, some in found.items() if some and not _resolved(some)]
        said += [f"with {listed(unsure)} {brief['undecided']}"] if unsure else []
        parts.append(f"at {rung}, {', '.join(said)}")
    return f"{'; '.join(parts)}; the differences run {span(plan, every, unit)}"


def _resolved(rows: Sequence[Row]) -> bool:
    return any(row.word != "undecided" for row in rows)


def _briefly(rows: Sequence[Row], phrases: Mapping[str, str]) -> str:
    """Say how many rows have which word, all but those that are not resolved: ``higher in 2 and lower in 3 of 16``."""
    counted = {word: sum(row.word == word for row in rows) for word in phrases if word != "undecided"}
    said = [f"{phrases[word]} in {number:,}" for word, number in counted.items() if number]
    return f"{listed(said)} of {len(rows):,}" if len(rows) > 1 else phrases[rows[0].word]


def _found(rows: Sequence[Row], phrases: Mapping[str, str]) -> str:
    """Say what the comparisons have shown."""
    if any(row.word != "undecided" for row in rows):
        return _tally(rows, "comparison", phrases)
    scope = {1: "", 2: " in either comparison"}.get(len(rows), f" in any of {len(rows):,} comparisons")
    return f"not shown to differ{scope}"


def _tally(rows: Sequence[Row], noun: str, phrases: Mapping[str, str]) -> str:
    """Say how many rows have which word: ``higher in 5 of 12 comparisons, lower in 3 and not resolved in 4``."""
    counted = [(sum(row.word == word for row in rows), phrase) for word, phrase in phrases.items()]
    parts = [(number, phrase) for number, phrase in counted if number]
    if len(rows) == 1:
        return parts[0][1]
    if len(parts) == 1:
        return f"{parts[0][1]} in {all_of(len(rows))} {noun}s"
    said = [f"{phrase} in {number:,}" for number, phrase in parts]
    said[0] += f" of {len(rows):,} {noun}s"
    return f"{', '.join(said[:-1])} and {said[-1]}"


def _against_target(plan: Plan, source: Source, target: float) -> Verdict:
    everyone = list(range(len(plan.cells)))
    values, family = source(everyone, False)
    within = plan.experiment.report.fair_within or 0.0
    rows = [
        Row(plan.cells[i].number, word_of(value, target, within), value)
        for i, value in zip(everyone, values, strict=True)
    ]
    unit = unit_of(plan, difference=False)
    goal, band = number(target, unit), number(within, "points" if unit == "share" else "count")
    beyond = f"more than {band} " if within else ""
    phrases = {
        "higher": f"{beyond}above {goal}",
        "lower": f"{beyond}below {goal}",
        "fair": f"within {band} of {goal}" if within else f"just {goal}",
        "undecided": f"not resolved against {goal}",
    }
    course = along(plan, rows, phrases | {"higher": f"above {goal}", "lower": f"below {goal}"})
    answer = f"{metric_name(plan)} {course or 'is ' + _tally(rows, 'cell', phrases)}"
    answer += f"{'; it runs ' if course else ': '}{span(plan, rows, unit)} ({family})."
    unresolved = [row.cell for row in rows if row.word == "undecided"]
    rule = _rule(within, f"a distance to {goal}", band)
    return Verdict(answer, _overall(rows), rule, plan.metric, unresolved, rows, family)


def _measured(plan: Plan, source: Source) -> Verdict:
    everyone = list(range(len(plan.cells)))
    values, family = source(everyone, False)
    rows = [Row(plan.cells[i].number, "measured", value) for i, value in zip(everyone, values, strict=True)]
    unit = unit_of(plan, difference=False)
    verb = "is" if len(rows) == 1 else "runs"
    answer = f"{metric_name(plan)} {verb} {span(plan, rows, unit)} ({family})."
    rule = "no baseline and no target were given: the values are reported with intervals that hold together"
    return Verdict(answer, "measured", rule, plan.metric, [], rows, family)


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
