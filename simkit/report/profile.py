"""Profile: every outcome that is a share, one row each, for a run of one or two cells."""

from collections.abc import Mapping
from typing import Any

from simkit.report.canvas import LINE, NARROW, WIDE, Box, Canvas, bars, dots, key_rows, scale, text_width, wrapped
from simkit.report.facets import several
from simkit.report.style import BASELINE, INK, MUTED, SERIES
from simkit.report.words import Document, percent, place, short, value_and_interval


def _names(document: Document) -> list[str]:
    """List the shares that some cell has shown."""
    return [
        metric["name"]
        for metric in document["metrics"]
        if metric["kind"] == "share"
        and any(cell["metrics"][metric["name"]]["estimate"] > 0 for cell in document["cells"])
    ]


def fits(document: Document) -> bool:
    """Tell whether the run is small enough, and has shown something."""
    return len(document["cells"]) <= 2 and bool(_names(document))


def title(document: Document) -> str:
    """Return the title of the plot."""
    return "Every outcome" if len(document["cells"]) == 1 else "Every outcome, side by side"


def alt(document: Document) -> str:
    """Say the plot in words."""
    said = []
    for cell in document["cells"]:
        numbers = (" ".join((name, *value_and_interval(cell["metrics"][name], "share"))) for name in _names(document))
        said.append(f"{_cell_name(document, cell)}: {'; '.join(numbers)}")
    return f"Shares of outcomes. {'. '.join(said)}."


def _cell_name(document: Document, cell: Mapping[str, Any]) -> str:
    return place(document, cell, [axis["path"] for axis in several(document)])


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG.

    Raises
    ------
    ValueError
        There are more than two cells, or nothing was ever seen.
    """
    if not fits(document):
        raise ValueError(
            "the profile is for one or two cells in which something happened; this document has another shape"
        )
    width = NARROW if narrow else WIDE
    cells = document["cells"]
    names = _names(document)
    marks = (
        [SERIES[0]]
        if len(cells) == 1
        else [
            BASELINE if cell["baseline"] is None and document["baseline"] else SERIES[i] for i, cell in enumerate(cells)
        ]
    )
    words = [_cell_name(document, cell) for cell in cells]
    note = f"intervals of {percent(document['level'])} each; outcomes may go together and need not add up to 100 %"
    notes = wrapped(note, width)
    top = 30 + LINE * len(notes)
    first = top + (LINE * key_rows(width, words) + 8 if len(cells) > 1 else 0)
    each = 22 + 15 * len(cells) if narrow else 14 + 15 * len(cells)
    left = 14.0 if narrow else max(text_width(name) for name in names) + 16
    right = (
        14.0 if narrow else 16 + max(text_width(" ".join(_numbers(cell, name)), 10) for cell in cells for name in names)
    )
    high = each * len(names)
    sheet = Canvas(width, first + high + 50)
    sheet.heading(title(document), notes)
    if len(cells) > 1:
        sheet.key(top, list(zip(marks, words, strict=True)))
    found = scale(0.0, 1.0, "share", 5, pad=0.02)
    frame = sheet.frame(Box(left, first, width - left - right, high), (found.low, found.high), (high, 0))
    frame.below(found.ticks, found.labels)
    if not narrow:
        frame.upright_grid(found.ticks)
    axes = frame.axes
    for i, name in enumerate(names):
        y = each * (i + 0.5) + (8 if narrow else 0)
        if narrow:
            sheet.text(0, first + each * i + 11, short(name, 16))
        else:
            sheet.text(0, first + y, name, fontweight="bold" if name == document["metric"] else "normal")
        for k, (cell, mark) in enumerate(zip(cells, marks, strict=True)):
            entry = cell["metrics"][name]
            at = y + (k - (len(cells) - 1) / 2) * 15
            bars(axes, [((entry["low"], at), (entry["high"], at))], colors=mark.colour)
            axes.plot([0, entry["estimate"]], [at, at], color=mark.colour, linewidth=1, alpha=0.45, zorder=1)
            axes.plot([entry["estimate"]], [at], **dots(mark, 6.5), zorder=3)
            value, interval = _numbers(cell, name)
            if not narrow:
                sheet.text(width, first + at, f"{value} {interval}", ha="right", fontsize=10, color=INK)
            elif k == 0:
                sheet.text(width, first + each * i + 11, f"{value} {interval}", ha="right", fontsize=10, color=INK)
    sheet.text(left, first + high + 34, f"% {document['metrics'][0]['unit']}", color=MUTED)
    return sheet.svg()


def _numbers(cell: Mapping[str, Any], name: str) -> tuple[str, str]:
    value, interval = value_and_interval(cell["metrics"][name], "share")
    return value, f"({interval})" if interval else ""
