"""Words and numbers of a report: what a cell, an axis, a method or a command is called.

All numbers with an interval go through ``simkit.stats``, so that none ever stands bare.
"""

import math
import re
import shlex
import unicodedata
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from simkit import stats
from simkit.balance import solved
from simkit.balance.document import estimate_of, metric_of
from simkit.lab.estimates import SUFFIX
from simkit.lab.house import toml_text
from simkit.stats import Estimate
from simkit.stats.estimate import Unit

Document = Mapping[str, Any]

WORDS = {
    "higher": "higher",
    "lower": "lower",
    "fair": "fair",
    "undecided": "not resolved",
    "measured": "measured",
    "raises": "raises",
    "lowers": "lowers",
    "depends": "it depends",
}
"""The words of a verdict as a reader sees them."""

METHODS = {
    "clopper-pearson": "For a share of independent trials, read off the binomial distribution itself. It never "
    "promises more than it keeps, rare outcomes included (Clopper and Pearson 1934).",
    "wilson": "For a share of independent trials, by the score test: a little narrower, and right on average "
    "(Wilson 1927).",
    "t": "For a mean of independent trials, by Student's t distribution.",
    "batch-t": "For a mean: the trials are dealt into 256 batches, and how far the means of the batches lie apart "
    "gives the interval, by Student's t distribution. The trials themselves need not look normal.",
    "tango": "For a difference of two shares on the same dice. Only trials in which the two sides differ count, and it "
    "holds when they are few (Tango 1998).",
    "paired-t": "For a difference of two means on the same dice: Student's t distribution on the differences of 256 "
    "batches.",
    "beta-binomial": "A confidence sequence for a share: it holds at every look together, so that stopping as soon as "
    "it was narrow enough did no harm (Robbins 1970).",
    "asymptotic": "A confidence sequence for a mean or a difference: it holds at every look together, for long runs "
    "(Waudby-Smith and others 2024).",
    "rare-bound": "For a mean of which nothing, or next to nothing, varied: no more trials than the binomial "
    "distribution leaves may differ from the commonest value, by no more than the mean itself or 1.",
    "dirichlet-multinomial": "A confidence sequence for a mean of a few possible scores: it holds at every look "
    "together.",
    "max-t": "Several intervals that hold together. How the cells move with each other on shared dice was measured by "
    "a multiplier bootstrap of the batches, and the widest deviation sets the width of all "
    "(Chernozhukov, Chetverikov and Kato 2013).",
    "sidak": "Several intervals that hold together, each at a level that suits their number (Sidak 1967).",
    "exact": "Solved, not played: no dice, and no error but that of rounded numbers, where one is stated.",
}
"""Every kind of interval in plain words."""

MOST_FURTHER = 10**12
"""Further trials up to which their number is named."""

_PLAIN = frozenset((int, float, bool, type(None)))
_WEIRD = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def printable(text: str) -> str:
    """Make a text harmless to look at: what steers rather than shows is spelt out, such as ``[U+202E]``.

    Line ends and tabs become spaces.
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return "".join(" " if char in "\n\t" else _spelt(char) for char in text)


def printable_lines(text: str) -> str:
    """Do the same with a text of several lines, which keeps its lines."""
    return "\n".join(printable(line) for line in text.replace("\r\n", "\n").split("\n"))


def _spelt(char: str) -> str:
    return f"[U+{ord(char):04X}]" if unicodedata.category(char) in _WEIRD else char


class Cleaned(dict[Any, Any]):
    """A document that :func:`cleaned` has been through, so that nobody need do it again."""


def cleaned(value: Any) -> Any:
    """Return a document with every text in it, names included, made :func:`printable`."""
    if isinstance(value, Cleaned):
        return value
    return Cleaned(_cleaned(value)) if isinstance(value, Mapping) else _cleaned(value)


def _cleaned(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {
            _cleaned(key): printable_lines(item)
            if key in ("experiment", "text") and isinstance(item, str)
            else _cleaned(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return value


def compared(document: Document) -> bool:
    """Tell whether the cells are compared with a baseline."""
    return document["baseline"] is not None


def baseline(document: Document) -> str:
    """Name what the cells are compared with; empty where they are compared with nothing."""
    known = axes(document)
    return " and ".join(_part(known[path]["title"], label) for path, label in (document["baseline"] or {}).items())


def axes(document: Document) -> dict[str, Mapping[str, Any]]:
    """Return the axes of the sweep by path."""
    return {axis["path"]: axis for axis in document["axes"]}


def target(document: Document) -> float | None:
    """Return the value that the cells are held against: 0 for differences, None where nothing is."""
    if compared(document):
        return 0.0
    found: float | None = document["target"]
    return found


def unit(document: Document, name: str) -> Unit:
    """Return the unit in which a metric is printed; a difference goes by ``<metric>_minus_baseline``."""
    if metric_of(document, name).kind != "share":
        return "count"
    return "points" if name.endswith(SUFFIX) else "share"


def judged_unit(document: Document) -> Unit:
    """Return the unit of the verdict's rows."""
    return unit(document, document["metric"] + (SUFFIX if compared(document) else ""))


def axis_label(document: Document, name: str) -> str:
    """Name the axis of a plot with its unit."""
    metric = metric_of(document, name)
    scale = {"share": "% ", "points": "percentage points ", "count": ""}[unit(document, name)]
    change = "change of " if name.endswith(SUFFIX) else ""
    noun = "" if change and scale and metric.unit == "of the points" else metric.unit  # points of points
    return f"{change}'{metric.name}', {scale}{noun}".rstrip()


def metric_unit(document: Document, name: str) -> str:
    """Return what a metric is counted in."""
    return metric_of(document, name).unit


def value_and_interval(
    entry: Mapping[str, Any], kind: Unit, *, difference: bool = False, units: str = "trials"
) -> tuple[str, str]:
    """Print an estimate and its interval.

    A difference carries its sign on all three numbers. Where nothing varied there is no interval: its text is empty,
    and the value says in how many trials, or ``units``, it was the same.
    """
    estimate = estimate_of(entry)
    value = stats.format_estimate(estimate, kind)
    if estimate.low == estimate.high and estimate.method != "exact":
        return _always(estimate, value, difference, units), ""
    interval = stats.format_interval(estimate, kind)
    if difference:
        return _signed(value), " to ".join(_signed(bound) for bound in interval.split(" to "))
    return value, interval


def _always(estimate: Estimate, value: str, difference: bool, units: str) -> str:
    """Say that every trial gave the same."""
    if estimate.estimate == 0:
        return f"never{' different' if difference else ''} in {estimate.n:,} {units}"
    same = value.removesuffix(f" in all {estimate.n:,} units")
    return f"{_signed(same) if difference else same} in all {estimate.n:,} {units}"


def _signed(text: str) -> str:
    """Put a plus before a printed number above 0 that has no sign yet."""
    return f"+{text}" if text[0].isdigit() and re.search("[1-9]", text) else text


def spelt(value: str, interval: str) -> str:
    """Write a printed value with its interval in one line."""
    return f"{value} ({interval})" if interval else value


def units_of(cell: Mapping[str, Any]) -> str:
    """Name what an estimate of a cell counts: trials, unless two of them share their dice."""
    return "trials" if cell["trials"] == cell["n"] else PAIRS


PAIRS = "pairs of games"
"""What an estimate counts where a game is played again on the same dice with the seats swapped."""


def exact_value(entry: Mapping[str, Any] | None, kind: Unit) -> tuple[str, str]:
    """Print an exact value and its fraction; the fraction is empty where it is long."""
    if entry is None:
        return "", ""
    if entry["value"] is None:
        return entry["fraction"], ""
    fraction = entry["fraction"] if "/" in entry["fraction"] and len(entry["fraction"]) <= 17 else ""
    return stats.format_estimate(Estimate.exact(entry["value"]), kind), fraction


def exact_difference(cell: Mapping[str, Any], base: Mapping[str, Any] | None, name: str, kind: Unit) -> str:
    """Print the difference of the exact values of a metric in two cells; empty where one of them is not known.

    The fractions are subtracted, so that no digit is lost; points have four decimals.
    """
    ours = cell["exact"].get(name)
    theirs = None if base is None else base["exact"].get(name)
    if ours is None or theirs is None or ours["value"] is None or theirs["value"] is None:
        return ""
    gain = solved.amount(ours) - solved.amount(theirs)
    if abs(gain) <= sum(one.get("solved", {}).get("error", 0.0) for one in (cell, base or {})):
        gain = Fraction(0)  # what rounding has left
    if kind == "count":
        return f"{float(gain):+,.6g}" if gain else "0"
    text = f"{float(100 * gain):+.4f}"
    if gain and not re.search("[1-9]", text):
        text = f"{float(100 * gain):+.2g}"
    return f"{text if gain else '0'} pp"


def number(value: float, kind: Unit) -> str:
    """Print a number that somebody chose, such as a target."""
    if kind == "count":
        return f"{value:g}"
    return f"{100 * value:g} {'%' if kind == 'share' else 'pp'}"


def percent(level: float) -> str:
    """Print a confidence level."""
    return f"{100 * level:g} %"


def counted(count: int, noun: str) -> str:
    """Print a number of things."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def spread(numbers: Sequence[int]) -> str:
    """Print one number, or from where to where several run."""
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def label(cell: Mapping[str, Any], path: str) -> str:
    """Return the value of one axis in words; a number that was drawn has six digits."""
    text = str(cell["labels"][path])
    value = cell["factors"][path]
    return f"{value:.6g}" if len(text) > 8 and isinstance(value, float) else text


def part(document: Document, cell: Mapping[str, Any], path: str) -> str:
    """Name the value of one axis: a word as it is, a bare number or switch with its axis."""
    return _part(axes(document)[path]["title"], label(cell, path))


def _part(title: str, text: str) -> str:
    if text == "none":
        return f"no {title}"
    return f"{title} {text}" if is_bare(text) else text


def is_bare(label: str) -> bool:
    """Tell whether the value of an axis says nothing without the axis: a number, a switch."""
    return not any(char.isalpha() for char in label) or label in ("true", "false", "none")


def place(document: Document, cell: Mapping[str, Any], paths: Sequence[str]) -> str:
    """Name a cell by some of its axes."""
    return ", ".join(part(document, cell, path) for path in paths) or "the only cell"


def heading(document: Document, cell: Mapping[str, Any], paths: Sequence[str]) -> str:
    """Name what a group of cells shares, every axis with its title."""
    known = axes(document)
    return ", ".join(f"{known[path]['title']}: {label(cell, path)}" for path in paths)


def values_only(cell: Mapping[str, Any], paths: Sequence[str]) -> str:
    """Name a cell by the bare values of some axes, where there is no room for more."""
    return ", ".join(label(cell, path) for path in paths)


def short(text: str, most: int) -> str:
    """Cut a text in its middle when it is longer than ``most`` characters."""
    if len(text) <= most:
        return text
    front = (most - 1 + 1) // 2
    return f"{text[:front].rstrip()}…{text[len(text) - (most - 1 - front) :].lstrip()}"


def further_trials(document: Document, row: Mapping[str, Any], cell: Mapping[str, Any]) -> str:
    """Say about how many more trials would resolve a cell, if its estimate stays."""
    line, within = target(document), document["fair_within"] or 0.0
    if line is None:
        return ""
    needed = stats.units_to_decide(
        row["estimate"], row["low"], row["high"], row["n"], np.array([line - within, line + within])
    ).max()
    if not math.isfinite(needed):
        return "no number of trials can be named: the estimate lies on the line"
    trials = max(1.0, float(needed)) * cell["trials"] / row["n"]
    if trials > MOST_FURTHER:
        return "more trials than it is worth"
    step = 10 ** max(0, math.floor(math.log10(trials)) - 1)
    return f"about {math.ceil(trials / step) * step:,} more trials"


def setting(value: Any) -> str:
    """Print the value of a rule."""
    if value is None:
        return "not there"
    return value if isinstance(value, str) else toml_text(value)


def command(document: Document) -> str:
    """Return the command that plays the run again from its resolved experiment."""
    return shlex.join(["simkit", "run", str(document["file"])])
