"""How a verdict names things: the metric, what is compared, where a cell is, and a value with its interval."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simkit.balance.family import outcome
from simkit.lab.axes import HOUSE_RULES
from simkit.lab.plan import Plan
from simkit.stats import Estimate, format_estimate, format_interval
from simkit.stats.estimate import Unit


@dataclass(frozen=True)
class Row:
    """The verdict on one cell."""

    cell: int
    """Number of the cell, from 1."""
    word: str
    """``higher``, ``lower``, ``fair`` or ``undecided``."""
    value: Estimate
    """The difference to the baseline, or the value itself, with its simultaneous interval."""


def word_of(value: Estimate, target: float, within: float) -> str:
    """Return the word for a value that is held against a target, with a fair band of so much to either side."""
    if value.low > target + within:
        return "higher"
    if value.high < target - within:
        return "lower"
    if (within or value.method == "exact") and target - within <= value.low and value.high <= target + within:
        return "fair"
    return "undecided"


def unit_of(plan: Plan, *, difference: bool) -> Unit:
    """Return the unit of the report metric, or of its difference to the baseline."""
    if outcome(plan).kind != "share":
        return "count"
    return "points" if difference else "share"


def metric_name(plan: Plan) -> str:
    """Name the report metric and say what it is."""
    return f"'{plan.metric}' ({outcome(plan).says})"


def instead(plan: Plan, compared: Sequence[int]) -> str:
    """Name what is compared and with what, in the words of the baseline's axes."""
    theirs = variant(plan, (plan.cells[compared[0]].baseline or 0) + 1)
    ours = {variant(plan, i + 1) for i in compared}
    return f"With {ours.pop()} instead of {theirs}" if len(ours) == 1 else f"Compared with {theirs}"


def variant(plan: Plan, number: int) -> str:
    """Name what a cell is compared by: its values of the baseline's axes."""
    labels = plan.cells[number - 1].labels
    return spoken(plan, {name: labels[name] for name in plan.baseline}, " and ")


def listed(words: Sequence[str]) -> str:
    """Join words: ``a, b and c``."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def spoken(plan: Plan, labels: Mapping[str, str], joint: str) -> str:
    """Say the values of axes: a bare number or switch with its axis, words as they are."""
    return joint.join(_word_of_axis(plan, name, label) for name, label in labels.items())


def _word_of_axis(plan: Plan, name: str, label: str) -> str:
    if name == HOUSE_RULES:
        rules = label.split(" + ")
        return "no house rules" if label == "none" else f"the house rule{'s' * (len(rules) > 1)} {label}"
    elsewhere = plan.axes_of_label.get(label, frozenset()) - {name}
    bare = bool(elsewhere) or label in ("true", "false", "none") or not any(char.isalpha() for char in label)
    return f"{plan.title(name)} {label}" if bare else label


def where(plan: Plan, number: int, but: Sequence[str] = ()) -> str:
    """Say where a cell is, by the axes that vary among the judged cells, all `but` some; empty where none does."""
    cell = plan.cells[number - 1]
    others = [one for one in plan.cells if one.baseline is not None] or plan.cells
    varies = {
        name: label
        for name, label in cell.labels.items()
        if name not in but and len({one.labels[name] for one in others}) > 1
    }
    joint = "; " if any("," in one.labels[name] for one in plan.cells for name in varies) else ", "
    return spoken(plan, varies, joint)


def at(plan: Plan, number: int, but: Sequence[str] = ()) -> str:
    """Say where a cell is, as the end of a sentence."""
    place = where(plan, number, but)
    return f" for {place}" if place else ""


def spelt(value: Estimate, unit: Unit, *, difference: bool) -> str:
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


def number(value: float, unit: Unit) -> str:
    """Print a number that somebody chose, such as a target."""
    return f"{value:g}" if unit == "count" else f"{100 * value:g} {'%' if unit == 'share' else 'pp'}"


def span(plan: Plan, rows: Sequence[Row], unit: Unit, but: Sequence[str] = ()) -> str:
    """Give the smallest and the greatest value, and where they are."""
    least = min(rows, key=lambda row: row.value.estimate)
    most = max(rows, key=lambda row: row.value.estimate)
    low, high = (spelt(row.value, unit, difference=plan.experiment.compare is not None) for row in (least, most))
    if least is most:
        return low if len(rows) == 1 else f"{low} in each"
    return f"from {low}{at(plan, least.cell, but)} to {high}{at(plan, most.cell, but)}"


def at_most(value: float, unit: Unit) -> str:
    """Print a limit, rounded up to two significant digits.

    Examples
    --------
    >>> at_most(0.00412, "points"), at_most(13.2, "count"), at_most(0.5, "share")
    ('0.42 pp', '14', '50 %')
    """
    scaled = value if unit == "count" else 100 * value
    digits = 1 - math.floor(math.log10(scaled)) if scaled > 0 else 0
    rounded = math.ceil(scaled * 10.0**digits - 1e-9) / 10.0**digits
    sign = {"share": " %", "points": " pp", "count": ""}[unit]
    return f"{rounded:.{max(0, digits)}f}{sign}"
