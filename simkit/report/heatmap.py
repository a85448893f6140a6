"""Heatmap: two axes of words as a table of colours, each field with its number and interval."""

from typing import Any

from simkit.report import fields
from simkit.report.canvas import LINE, NARROW, WIDE, Box, Canvas, text_width, wrapped
from simkit.report.facets import Axis, is_grid, key, several, values
from simkit.report.forest import title as judged
from simkit.report.style import MUTED
from simkit.report.verdicts import LEANS_HIGHER, LEANS_LOWER, said, shades
from simkit.report.words import Document, compared, judged_unit, short, target, value_and_interval

MOST_COLUMNS = 8
MOST_ROWS = 24


def _axes(document: Document) -> list[Axis]:
    """Return the axes a heatmap would have; that of the baseline counts where it has several variants."""
    rows = {row["cell"] for row in document["verdict"]["rows"]}
    cells = [cell for cell in document["cells"] if cell["cell"] in rows]
    return [axis for axis in several(document) if len({key(cell["factors"][axis["path"]]) for cell in cells}) > 1]


def fits(document: Document) -> bool:
    """Tell whether the judged cells are a full grid of two axes of words, not too large for its numbers."""
    if len(document["cells"]) > MOST_COLUMNS * MOST_ROWS * 4:
        return False
    axes = _axes(document)
    if len(axes) != 2 or any(axis["numbers"] is not None for axis in axes) or not is_grid(document, several(document)):
        return False
    few, many = sorted(len(values(document, axis["path"])) for axis in axes)
    rows = len(document["verdict"]["rows"])
    return few <= MOST_COLUMNS and many <= MOST_ROWS and rows == _filled(document, axes)


def _filled(document: Document, axes: list[Axis]) -> int:
    """Count the fields: different pairs of values among the judged cells."""
    return len({_mark(document, row["cell"], axes) for row in document["verdict"]["rows"]})


def _mark(document: Document, number: int, axes: list[Axis]) -> tuple[Any, ...]:
    cell = document["cells"][number - 1]
    return tuple(key(cell["factors"][axis["path"]]) for axis in axes)


def title(document: Document) -> str:
    """Return the title of the plot."""
    names = " and ".join(str(axis["title"]) for axis in _axes(document))
    return f"{judged(document)}, by {names}"


def alt(document: Document) -> str:
    """Say the plot in words."""
    return f"Heatmap. {title(document)}. {document['verdict']['answer']}"


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG.

    Raises
    ------
    ValueError
        The judged cells are no grid of two axes of words.
    """
    if not fits(document):
        raise ValueError(
            "a heatmap needs a full grid of two axes of words, at most 8 by 24; this document has another shape"
        )
    width = NARROW if narrow else WIDE
    kind = judged_unit(document)
    across, down = sorted(_axes(document), key=lambda axis: len(values(document, axis["path"])))
    columns, rows = _labels(document, across), _labels(document, down)
    notes = wrapped(document["verdict"]["family"] + _hatched(document), width)
    first = 34 + LINE * len(notes) + 19 * (len(wrapped(title(document), width - 8, 14 * 1.06)) - 1)
    left = min(max(text_width(label) for label in rows) + 14, width * 0.27)
    each = (width - left) / len(columns)
    tight = each < 150
    high = 58.0 if tight else 44.0
    sheet = Canvas(width, first + 24 + high * len(rows) + 26)
    sheet.heading(title(document), notes)
    for k, label in enumerate(columns):
        room = max(3, int(each / 6.4))
        sheet.text(left + each * (k + 0.5), first + 10, short(label, room), ha="center", color=MUTED)
    for i, label in enumerate(rows):
        sheet.text(0, first + 24 + high * (i + 0.5), short(label, max(6, int(left / 6.4))), color=MUTED)
    box = Box(left, first + 24, each * len(columns), high * len(rows))
    axes = sheet.frame(box, (0, len(columns)), (len(rows), 0)).axes
    order = [{key(value): i for i, value in enumerate(_used(document, axis))} for axis in (across, down)]
    far = _farthest(document)
    for row in document["verdict"]["rows"]:
        mark = _mark(document, row["cell"], [across, down])
        x, y = order[0][mark[0]], order[1][mark[1]]
        shade = fields.colour(row["estimate"], far, diverging=target(document) is not None)
        fields.paint(axes, x, y, shade, hatched=row["word"] == "undecided")
        value, interval = value_and_interval(row, kind, difference=compared(document))
        place = Box(left + each * x, first + 24 + high * y, each, high)
        fields.write(sheet, place, shade, value, interval, tight=tight)
    sheet.text(
        left,
        first + 24 + high * len(rows) + 16,
        short(f"{across['title']} across, {down['title']} down", int((width - left) / 6)),
        color=MUTED,
    )
    return sheet.svg()


def _hatched(document: Document) -> str:
    """Say what is hatched, if anything is."""
    found = [word for word in shades(document) if word in ("undecided", LEANS_HIGHER, LEANS_LOWER)]
    words = "; ".join(said(document, word) for word in reversed(found))
    return f"; hatched: {words}" if found else ""


def _used(document: Document, axis: Axis) -> list[Any]:
    """List the values of an axis that judged cells have."""
    cells = [document["cells"][row["cell"] - 1] for row in document["verdict"]["rows"]]
    return list({key(cell["factors"][axis["path"]]): cell["factors"][axis["path"]] for cell in cells}.values())


def _labels(document: Document, axis: Axis) -> list[str]:
    cells = [document["cells"][row["cell"] - 1] for row in document["verdict"]["rows"]]
    return list({key(cell["factors"][axis["path"]]): str(cell["labels"][axis["path"]]) for cell in cells}.values())


def _farthest(document: Document) -> tuple[float, float]:
    """Return the ends of the scale of colours."""
    found = [row["estimate"] for row in document["verdict"]["rows"]]
    line = target(document)
    if line is None:
        return min(found), max(found)
    reach = max(abs(value - line) for value in found) or 1.0
    return line - reach, line + reach
