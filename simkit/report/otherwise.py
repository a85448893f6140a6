"""What would flip a verdict, as a section of a report: a tornado and a table for each item and option."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simkit.report import rangeplot
from simkit.report.plots import Plot
from simkit.report.rangeplot import Row, Rows, Span
from simkit.report.sheet import Figure, Section, Table, Value
from simkit.report.style import settings
from simkit.report.swings import MARKS
from simkit.report.words import Document
from simkit.stats import Estimate, format_estimate, format_interval
from simkit.stats.estimate import Unit

TITLE = "What would flip the verdicts"
MOST_DRAWN = 16
"""Readings of a plot; the table has all."""
FATES = {
    "holds": "holds",
    "flips": "would be: {becomes}",
    "decides": "would be decided: {becomes}",
    "undecided": "not resolved",
}
KEYS = {
    "flips": "verdict would flip",
    "decides": "verdict would be decided",
    "undecided": "not resolved",
    "holds": "verdict holds",
}
NUMBERS = {"lift_uniform": "gain", "need": "need", "regret": "regret", "change": "change"}
"""Estimates of a reading that the table shows, and what they are called there."""


def sections(document: Document, unit: Unit) -> list[Section]:
    """Return the section, or none where a document has no readings.

    Parameters
    ----------
    document
        Of a question about balance.
    unit
        Of changes of the report metric; gains of items are points of score.
    """
    found: Sequence[Mapping[str, Any]] = document["readings"]
    if not found:
        return []
    says = [
        "A verdict rests on rulings and on values that were assumed. Each is read another way here, one at a time, in "
        "the case that stands for the verdict. What a reading moves is paired: the same dice with it and without.",
        *(f"{_capital(one['says'])}." for one in found),
    ]
    figures = [_figure(one, _unit(one, document, unit)) for one in found if _moving(one)]
    tables = [_table(one, _unit(one, document, unit)) for one in found if one["rows"]]
    left_out = [
        f"{one['subject']}: {row['title']} {row['label']}: {row['why_not']}" for one in found for row in one["left_out"]
    ]
    says += [f"Readings that cannot be played here: {'; '.join(left_out)}."] if left_out else []
    return [Section(TITLE, says, figures, tables)]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _unit(one: Mapping[str, Any], document: Document, unit: Unit) -> Unit:
    return "points" if one["subject"] in {item["item"] for item in document["items"]} else unit


def _moving(one: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the readings that change something, those first that move most."""
    return [row for row in one["rows"] if row["moves"]["method"] != "exact"]


def _name(row: Mapping[str, Any]) -> str:
    if row["named"]:
        return f"{row['title']}: {row['label']}"
    return f"{row['title']}: {row['label']} for {row['now_label']}"


def _figure(one: Mapping[str, Any], unit: Unit) -> Figure:
    rows = _moving(one)[:MOST_DRAWN]
    words = [word for word in KEYS if any(row["word"] == word for row in rows)]
    lines = [
        Row(
            "",
            _name(row),
            [Span(row["moves"]["low"], row["moves"]["estimate"], row["moves"]["high"], words.index(row["word"]))],
        )
        for row in rows
    ]
    title = f"{one['subject']}: what other readings of the rules move"
    notes = [f"{_capital(one['title'])}; 0 is the rules as they stand. Intervals hold together."]
    label = "percentage points of score" if unit == "points" else "change of the metric"
    plot = Rows(title, notes, lines, unit, label, [(MARKS[word], KEYS[word]) for word in words])
    return _drawn(
        f"readings-{one['subject'].replace(' ', '-')}", title, one["says"], lambda narrow: rangeplot.draw(plot, narrow)
    )


def _drawn(name: str, title: str, alt: str, draw: Callable[[bool], str]) -> Figure:
    with settings():
        return Figure(Plot(name, title, draw(False), alt), Plot(name, title, draw(True), alt))


def _table(one: Mapping[str, Any], unit: Unit) -> Table:
    shown = [name for name in NUMBERS if any(name in row["numbers"] for row in one["rows"])]
    rows: list[list[Value | str]] = []
    for row in one["rows"]:
        fate = FATES[row["word"]].format(becomes=row["becomes"])
        if row["word"] == "undecided" and row["likely"] != "undecided":
            fate += f"; by the estimates {row['likely']}"
        numbers = [_value(row["numbers"].get(name), unit) for name in shown]
        rows.append([_name(row), row["id"], Value(fate, mark=MARKS[row["word"]]), _moves(row, unit), *numbers])
    columns = ["reading", "rule", "the verdict", "moves it by", *(NUMBERS[name] for name in shown)]
    note = (
        f"{one['held']} as the rules stand; n = {one['n']:,} units a matchup. The verdicts of all readings hold "
        "together."
    )
    title = f"{one['subject']}, {one['title']}"
    return Table(columns, rows, range(3, len(columns)), title, _capital(note), folded=len(rows) > 8)


def _moves(row: Mapping[str, Any], unit: Unit) -> Value:
    if row["moves"]["method"] == "exact":
        return Value("0", "changes nothing here")
    return _value(row["moves"], unit)


def _value(number: Mapping[str, Any] | None, unit: Unit) -> Value:
    if number is None:
        return Value("as it is")
    value = Estimate(**number)
    return Value(format_estimate(value, unit), format_interval(value, unit))
