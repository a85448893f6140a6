"""Sentences of a report for those who know the game and no statistics."""

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from simkit import stats
from simkit.report.facets import Axis, several
from simkit.report.words import Document, compared, counted, percent, place, value_and_interval
from simkit.stats import Estimate

MOST_VALUES = 10
"""Values of an axis that are listed; of more, the ends or the first few."""

FITS = 0.001
"""Below this corrected tail probability the page says that simulation and exact solution do not fit."""

USUAL = 0.05
"""From this corrected tail probability on the largest disagreement is nothing unusual."""

SAVES = 1.2
"""Below this ratio of variances shared dice are not worth a word at the top."""

_FAMILY = re.compile(r"\([^()]*\)\.$")
_COUNTED = re.compile(r"^(?P<what>[^:]*): (?P<count>[\d,]+) of (?P<all>[\d,]+) trials$")


def answer(document: Document) -> tuple[str, str]:
    """Part the answer into what a player reads and the parenthesis at its end, which says how sure it is."""
    text = str(document["verdict"]["answer"])
    found = _FAMILY.search(text)
    return (text[: found.start()], found.group()) if found else (text, "")


def parts(document: Document, text: str) -> tuple[str, list[str]]:
    """Part an answer that speaks of every rung of skill into how it begins, and a line for each rung.

    Without such averages the answer is all that it begins with.
    """
    found = document["verdict"].get("averages")
    rungs = list(dict.fromkeys(row["rung"] for row in found["rows"])) if found else []
    places = [0]
    for begins in [f"at {rung}, " for rung in rungs if rung] + ["single comparisons run "]:
        places.append(text.find(begins, places[-1]))
    if len(places) < 3 or min(places) < 0:
        return text, []
    pieces = [text[a:b].strip("; ") for a, b in itertools.pairwise([*places, len(text)])]
    return pieces[0], pieces[1:]


def varies(document: Document) -> list[tuple[str, str]]:
    """List what varies: the title of an axis and its values, such as ``("bog", "ford, shallow or swamp")``."""
    return [(axis["title"], _values(axis)) for axis in several(document)]


def _values(axis: Axis) -> str:
    labels, title = list(axis["values"]), axis["title"]
    numbers = axis["numbers"]
    if numbers is not None and len(labels) > MOST_VALUES:
        return f"{len(labels):,} values from {min(numbers):.6g} to {max(numbers):.6g}"
    if set(labels) == {title, f"no {title}"}:
        labels = ["on" if label == title else "off" for label in labels]
    if all(label.endswith(f" {title}") for label in labels):
        labels = [label.removesuffix(f" {title}") for label in labels]
    if any("," in label for label in labels):
        labels = [f"'{label}'" for label in labels]
    if len(labels) > MOST_VALUES:
        rest = len(labels) - MOST_VALUES + 2
        return f"{', '.join(labels[: MOST_VALUES - 2])} or {rest:,} others"
    return either(labels)


def either(words: Sequence[str]) -> str:
    """Join words as a choice."""
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)


def fits_exact(document: Document) -> bool:
    """Tell whether the simulation fits the exact solution, as far as luck reaches."""
    return float(document["check"]["corrected"]) >= FITS


def check(document: Document) -> str:
    """Say how the simulation stands to the exact solution, and which cells have none."""
    return f"{_compared(document)} {_unsolved(document)}".strip() or "No exact solution is known."


def _compared(document: Document) -> str:
    found = document["check"]
    if found is None:
        return ""
    said = f"All {found['compared']:,} simulated shares were compared with their exact values, solved and not played."
    error = max(cell.get("solved", {}).get("error", 0.0) for cell in document["cells"])
    said += f" Solved with rounded numbers, none of these is off by more than {error:g}." if error else ""
    if not found["where"]:
        return f"{said} None disagrees."
    worst = f"The largest disagreement ({found['where']})"
    if found["corrected"] >= USUAL:
        return f"{said} {worst} is nothing unusual."
    luck = f"{worst} is one that pure luck produces {_once_in(found['corrected'])}"
    if fits_exact(document):
        return f"{said} {luck}: nothing to worry about."
    return f"{said} {luck}. That does not fit: do not trust this run before somebody has found out why."


def _unsolved(document: Document) -> str:
    """Say why cells go without an exact solution: each reason once."""
    said = []
    for group in document["unsolved"]:
        cells = group["cells"]
        whose = f" of cell{'s' if len(cells) > 1 else ''} {_numbers(cells)}"
        said.append(f"No exact solution{whose if len(cells) < len(document['cells']) else ''}: {group['why']}.")
    return " ".join(said)


def _numbers(cells: Sequence[int]) -> str:
    """Print the numbers of cells, runs of them by their ends."""
    runs: list[list[int]] = []
    for cell in cells:
        if runs and cell == runs[-1][-1] + 1:
            runs[-1].append(cell)
        else:
            runs.append([cell])
    told = [f"{run[0]}" if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    return ", ".join(told[:-1]) + f" and {told[-1]}" if len(told) > 1 else told[0]


def _once_in(probability: float) -> str:
    """Print a small probability as how many reports it takes to see it once."""
    if probability < 1e-12:
        return "practically never"
    return f"about once in {int(float(f'{1 / probability:.2g}')):,} such reports"


def shared_dice(document: Document) -> str:
    """Say what playing both sides of a comparison on the same dice was worth; empty where nothing was compared."""
    pairing = document["pairing"]
    if pairing is None:
        return ""
    count, ratio = pairing["comparisons"], pairing["variance_ratio"]
    every = f"each of the {count:,} comparisons" if count > 1 else "the comparison"
    sides = f"Both sides of {every} were played on the same dice, throw by throw."
    if ratio < SAVES:
        return f"{sides} Here that makes next to no difference: it is as good as {ratio:.2f} times the trials."
    return (
        f"{sides} That is as good as {ratio:.2g} times the trials: with dice of their own the two sides would need so "
        "many more for intervals as narrow."
    )


def together(document: Document) -> str:
    """Say what it means that intervals hold together."""
    count = len(document["verdict"]["rows"])
    level, missed = percent(document["level"]), percent(1 - document["level"])
    if count == 1:
        return f"There is only one judged interval. In {level} of such reports it contains its true value."
    return (
        f"In {level} of such reports every one of the {count:,} judged intervals contains its true value; in {missed} "
        "at least one of them misses."
    )


def commonness(document: Document, why: str) -> str:
    """Say why a trial is told again; a count among the trials looked at gets its interval."""
    found = _COUNTED.match(why)
    if found is None:
        return why
    shown, n = (int(found[name].replace(",", "")) for name in ("count", "all"))
    low, high = stats.clopper_pearson(shown, n, document["level"])
    value = Estimate(shown / n, float(low), float(high), document["level"], n, "clopper-pearson")
    share, interval = value_and_interval(value.to_json(), "share")
    return f"{found['what']}: {share} ({interval}) of all trials, going by the first {n:,}"


def chosen_cell(document: Document, cell: Mapping[str, Any]) -> str:
    """Say in which cell the trials told again were played, and why there; empty where there is only one cell."""
    cells = document["cells"]
    if len(cells) == 1:
        return ""
    name = place(document, cell, [axis["path"] for axis in several(document)])
    what = "difference" if compared(document) else f"'{document['metric']}'"
    return f"All three were played in cell {cell['cell']} ({name}), the combination with the greatest {what}."


def combinations(document: Document) -> str:
    """Count the cells, and say what a cell is."""
    return f"{counted(len(document['cells']), 'cell')} (combinations of what varies)"
