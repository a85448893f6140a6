"""Win rates: the score of side A, or how often it wins, for every pair of values of two axes, as tables of colours.

Designs come first, then who decides, then what varies most; what varies besides makes further tables.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.balance.edges import EVEN
from simkit.balance.skill import is_skill
from simkit.report import fields, heatmap
from simkit.report.canvas import LINE, NARROW, TITLE, WIDE, Box, Canvas, text_width, wrapped
from simkit.report.facets import Axis, is_grid, key, several, values
from simkit.report.heatmap import MOST_COLUMNS, MOST_ROWS
from simkit.report.style import MUTED
from simkit.report.told import Table, ends_of, of_metrics
from simkit.report.words import (
    Document,
    compared,
    counted,
    heading,
    metric_unit,
    percent,
    short,
    unit,
    value_and_interval,
)

MOST_TABLES = 6

ENDS = (-0.01, 2 * EVEN + 0.01)
"""Ends of the scale of colours: no field has the very colour that becomes another one in the dark."""

Cell = Mapping[str, Any]


def fits(document: Document) -> bool:
    """Tell whether two axes make a table, not too large for its numbers, that no other plot shows already."""
    if "fight" not in document or _pair(document) is None:
        return False
    shown = not compared(document) and document["metric"] == _metric(document)
    return not (shown and heatmap.fits(document))


def _metric(document: Document) -> str:
    """Return the column that is shown: the score of side A, or its wins where no end counts half."""
    return str(document["fight"]["score"] or document["fight"]["wins"][0])


def _called(document: Document) -> str:
    return "score of A" if document["fight"]["score"] else "wins of A"


def _pair(document: Document) -> tuple[Axis, Axis] | None:
    """Return the axes that run across and down; the one with fewer values runs across."""
    axes = several(document)
    if not is_grid(document, axes):
        return None
    for pair in itertools.combinations(sorted(axes, key=lambda axis: _rank(document, axis)), 2):
        few, many = sorted(pair, key=lambda axis: len(values(document, axis["path"])))
        if len(values(document, few["path"])) <= MOST_COLUMNS and len(values(document, many["path"])) <= MOST_ROWS:
            return few, many
    return None


def _rank(document: Document, axis: Axis) -> tuple[int, int]:
    """Order axes: designs, who decides, then by how many values they have."""
    path = str(axis["path"])
    parts = path.split(".")
    sides = parts[0] == "sides" and parts[-1] not in ("policy", "count")
    return (0 if sides else 1 if is_skill(path) else 2), -len(values(document, path))


def section(document: Document) -> str:
    """Return the heading above the plot."""
    return "Who wins against whom"


def title(document: Document) -> str:
    """Return the title of the plot."""
    pair = _pair(document)
    name = _called(document)[0].upper() + _called(document)[1:]
    return f"{name}, by {' and '.join(str(axis['title']) for axis in pair)}" if pair else name


def says(document: Document) -> list[str]:
    """Say from where to where it runs."""
    found = ends_of(document, _metric(document))
    if document["fight"]["score"]:
        return [f"Side A scores {found}; a draw is half a point to either side."]
    return [f"Side A wins {found}; what nobody wins is no part of it."]


def table(document: Document) -> Table:
    """Return the score, or the wins, of every cell."""
    names = {_metric(document): _called(document)}
    return of_metrics(document, names, f"intervals of {percent(document['level'])} each, not together")


def alt(document: Document) -> str:
    """Say the plot in words."""
    return f"Tables of colours. {title(document)}. {' '.join(says(document))}"


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG.

    Raises
    ------
    ValueError
        The cells are no grid of two axes, or another plot shows them.
    """
    pair = _pair(document) if fits(document) else None
    if pair is None:
        raise ValueError("win rates need battles on a full grid of two axes, at most 8 by 24; this document has none")
    across, down = pair
    tables = _tables(document, [axis["path"] for axis in several(document) if axis not in pair])
    width = NARROW if narrow else WIDE
    notes = _notes(document, across, down, len(tables), width)
    columns, rows = _labels(document, across), _labels(document, down)
    left = min(max(text_width(label) for label in rows) + 14, width * 0.27)
    each = (width - left) / len(columns)
    tight = each < 150
    high = 58.0 if tight else 44.0
    first = 30 + 19 * (len(wrapped(title(document), width - 8, TITLE * 1.06)) - 1) + LINE * len(notes)
    head = 22.0 if len(tables) > 1 else 0.0
    step = head + 24 + high * len(rows) + 14
    shown = tables[:MOST_TABLES]
    sheet = Canvas(width, first + step * len(shown) + 4)
    sheet.heading(title(document), notes)
    for i, (name, cells) in enumerate(shown):
        top = first + step * i + head
        if name:
            sheet.text(0, top - 8, short(name, int(width / 7)), fontweight="bold")
        _table(sheet, document, cells, pair, Box(left, top + 24, each, high), (columns, rows), tight=tight)
    return sheet.svg()


def _notes(document: Document, across: Axis, down: Axis, tables: int, width: float) -> list[str]:
    texts = [
        f"{across['title']} across, {down['title']} down",
        f"% {metric_unit(document, _metric(document))}, intervals of {percent(document['level'])} each; "
        "hatched: the interval reaches over 50 %",
    ]
    if tables > MOST_TABLES:
        texts.append(f"{counted(tables - MOST_TABLES, 'further table')} not shown")
    return [line for text in texts for line in wrapped(text, width)]


def _tables(document: Document, rest: Sequence[str]) -> list[tuple[str, list[Cell]]]:
    """Return the cells of every table with its name: one for every combination of the other axes."""
    found: dict[tuple[Any, ...], list[Cell]] = {}
    for cell in document["cells"]:
        found.setdefault(tuple(key(cell["factors"][path]) for path in rest), []).append(cell)
    return [(heading(document, cells[0], rest), cells) for cells in found.values()]


def _labels(document: Document, axis: Axis) -> list[str]:
    path = axis["path"]
    return list({key(cell["factors"][path]): str(cell["labels"][path]) for cell in document["cells"]}.values())


def _table(
    sheet: Canvas,
    document: Document,
    cells: Sequence[Cell],
    pair: tuple[Axis, Axis],
    field: Box,
    labels: tuple[Sequence[str], Sequence[str]],
    *,
    tight: bool,
) -> None:
    """Draw one table whose first field lies in a box."""
    columns, rows = labels
    for k, label in enumerate(columns):
        room = max(3, int(field.width / 6.4))
        sheet.text(field.left + field.width * (k + 0.5), field.top - 14, short(label, room), ha="center", color=MUTED)
    for k, label in enumerate(rows):
        room = max(6, int(field.left / 6.4))
        sheet.text(0, field.top + field.height * (k + 0.5), short(label, room), color=MUTED)
    box = Box(field.left, field.top, field.width * len(columns), field.height * len(rows))
    axes = sheet.frame(box, (0, len(columns)), (len(rows), 0)).axes
    order = [{key(value): i for i, value in enumerate(values(document, axis["path"]))} for axis in pair]
    name = _metric(document)
    for cell in cells:
        entry = cell["metrics"][name]
        x, y = (places[key(cell["factors"][axis["path"]])] for places, axis in zip(order, pair, strict=True))
        shade = fields.colour(entry["estimate"], ENDS, diverging=True)
        fields.paint(axes, x, y, shade, hatched=entry["low"] <= EVEN <= entry["high"])
        value, interval = value_and_interval(entry, unit(document, name))
        at = Box(field.left + field.width * x, field.top + field.height * y, field.width, field.height)
        fields.write(sheet, at, shade, value, interval, tight=tight)
