"""Need against regret: what a player loses who may not take an item, and what one loses who must."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.report.canvas import LINE, NARROW, WIDE, Box, Canvas, bars, dots, key_rows, scale, wrapped
from simkit.report.style import BAND, INK, MUTED, SERIES, Mark
from simkit.report.words import Document

MORE = (("s", "■"), ("p", "⬟"), ("P", "✚"), ("X", "✖"))
"""Further shapes, where there are more items than lines of a plot have marks."""
TITLE = "Need and regret in every case"


def mark_of(place: int) -> Mark:
    """Return the mark of an item by its place."""
    if place < len(SERIES):
        return SERIES[place]
    shape, glyph = MORE[place % len(MORE)]
    return Mark(shape, glyph, SERIES[place % len(SERIES)].colour, filled=place < 2 * len(SERIES))


def rows(document: Document) -> list[Mapping[str, Any]]:
    """List what the cases of the question say of every item."""
    return [row for one in document["cases"] if one["price"] is None for row in one["items"]]


def alt(document: Document) -> str:
    """Say the plot in words."""
    return f"Scatter plot of need against regret, a mark for every item in every case. {document['verdict']['answer']}"


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG."""
    width = NARROW if narrow else WIDE
    names = [one["item"] for one in document["items"]]
    delta = float(document["delta"])
    says = (
        f"Up: what a player loses who alone may not take it. Across: what one loses who must. "
        f"Shaded: neither matters (within {100 * delta:g} points)."
    )
    notes = wrapped(says, width)
    first = 52.0 + LINE * len(notes)
    points: Sequence[Mapping[str, Any]] = rows(document)
    across = scale(0.0, max([row["regret"]["high"] for row in points] + [2 * delta]), "points", 4 if narrow else 7)
    up = scale(0.0, max([row["need"]["high"] for row in points] + [2 * delta]), "points", 6)
    high = 300.0
    sheet = Canvas(width, first + high + 62 + LINE * key_rows(width, names))
    sheet.heading(TITLE, notes)
    frame = sheet.frame(Box(44.0, first, width - 58.0, high), (across.low, across.high), (up.low, up.high))
    frame.axes.fill_betweenx((up.low, delta), across.low, delta, color=BAND, linewidth=0, zorder=0)
    frame.upright_grid(across.ticks)
    frame.level_grid(up.ticks)
    frame.below(across.ticks, across.labels)
    frame.beside(up.ticks, up.labels)
    for place, name in enumerate(names):
        own = [row for row in points if row["item"] == name]
        mark = mark_of(place)
        lines = [((row["regret"]["low"], _at(row, "need")), (row["regret"]["high"], _at(row, "need"))) for row in own]
        lines += [((_at(row, "regret"), row["need"]["low"]), (_at(row, "regret"), row["need"]["high"])) for row in own]
        bars(frame.axes, lines, colors=mark.colour, linewidths=1.0)
        xs, ys = [_at(row, "regret") for row in own], [_at(row, "need") for row in own]
        frame.axes.plot(xs, ys, **dots(mark, 7), zorder=3, clip_on=False)
    bars(frame.axes, [((0.0, up.low), (0.0, up.high)), ((across.low, 0.0), (across.high, 0.0))], colors=INK)
    sheet.text(44.0, first + high + 32, "regret, percentage points of score", color=MUTED)
    sheet.text(0, first - 12, "need, percentage points of score", color=MUTED)
    sheet.key(first + high + 54, [(mark_of(place), name) for place, name in enumerate(names)])
    return sheet.svg()


def _at(row: Mapping[str, Any], name: str) -> float:
    return float(row[name]["estimate"])
