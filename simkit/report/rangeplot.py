"""Rows of ranges: by group and name one or more intervals each, against a band that does not matter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from simkit.report.canvas import (
    LINE,
    NARROW,
    WIDE,
    Box,
    Canvas,
    bars,
    dots,
    key_rows,
    scale,
    text_width,
    wrapped,
)
from simkit.report.style import BAND, FAINT, INK, MUTED, Mark
from simkit.report.words import short
from simkit.stats.estimate import Unit

MOST_NAME = 300.0
STEP = 20.0
APART = 7.0
"""Pixels between the ranges of a row."""


class Span(NamedTuple):
    """A range and a value in it."""

    low: float
    at: float
    high: float
    look: int
    """Position of its mark in the key."""


class Row(NamedTuple):
    """A row of a plot."""

    group: str
    name: str
    spans: Sequence[Span]


@dataclass(frozen=True)
class Rows:
    """A plot of rows.

    Attributes
    ----------
    title, notes
        Above it.
    rows
        From the top; those of a group stand together.
    unit
        Of the numbers.
    label
        Under the axis.
    key
        Marks and their words.
    band
        What does not matter: from, to; None for none.
    line
        What the numbers are read against; None for nothing.
    thick
        True for ranges that are drawn as bars.
    reach
        What the axis shows at least: from, to; None for as little as there is to see.
    """

    title: str
    notes: Sequence[str]
    rows: Sequence[Row]
    unit: Unit
    label: str
    key: Sequence[tuple[Mark, str]]
    band: tuple[float, float] | None = None
    line: float | None = 0.0
    thick: bool = False
    reach: tuple[float, float] | None = None


def draw(plot: Rows, narrow: bool) -> str:
    """Return the plot as SVG; make it inside :func:`simkit.report.style.settings`."""
    width = NARROW if narrow else WIDE
    notes = [line for text in plot.notes for line in wrapped(text, width)]
    first = 34.0 + 19 * (len(wrapped(plot.title, width - 8, 14 * 1.06)) - 1) + LINE * len(notes)
    spans = max(len(row.spans) for row in plot.rows)
    step = (STEP if spans == 1 else STEP + APART * (spans - 1)) + (15 if narrow else 0)
    tops, y, last = list[float](), 0.0, ""
    for row in plot.rows:
        if row.group and row.group != last:
            y += 26 if last else 18
            last = row.group
        tops.append(y + step / 2 + (7 if narrow else 0))
        y += step
    words = [word for _, word in plot.key]
    sheet = Canvas(width, first + y + 58 + LINE * key_rows(width, words))
    sheet.heading(plot.title, notes)
    left = 10.0 if narrow else min(max(text_width(row.name) for row in plot.rows) + 24, MOST_NAME)
    ends = [end for row in plot.rows for span in row.spans for end in (span.low, span.high)]
    ends += [*(plot.band or ()), *(plot.reach or ()), *([plot.line] if plot.line is not None else [])]
    found = scale(min(ends), max(ends), plot.unit, 5 if narrow else 8)
    frame = sheet.frame(Box(left, first, width - left - 14, y), (found.low, found.high), (y, 0))
    if plot.band is not None:
        frame.axes.axvspan(*plot.band, color=BAND, linewidth=0, zorder=0)
    frame.upright_grid(found.ticks)
    frame.below(found.ticks, found.labels)
    if plot.line is not None:
        bars(frame.axes, [((plot.line, 0.0), (plot.line, y))], colors=INK, linewidths=1.2, zorder=1)
    last = ""
    for row, top in zip(plot.rows, tops, strict=True):
        if row.group and row.group != last:
            sheet.text(0, first + top - step / 2 - (17 if narrow else 9), short(row.group, 60), fontweight="bold")
            last = row.group
        room = int((width if narrow else left - 16) / 6.2)
        sheet.text(8, first + top - (step / 2 if narrow else 0), short(row.name, room), color=INK)
        for k, span in enumerate(row.spans):
            mark, _ = plot.key[span.look]
            at = top + APART * (k - (len(row.spans) - 1) / 2)
            wide = {"colors": FAINT, "linewidths": 9.0, "zorder": 1} if plot.thick else {"colors": mark.colour}
            bars(frame.axes, [((span.low, at), (span.high, at))], **wide)
            frame.axes.plot([span.at], [at], **dots(mark, 6), zorder=3)
    sheet.text(left, first + y + 32, short(plot.label, int((width - left) / 6)), color=MUTED)
    sheet.key(first + y + 52, [*plot.key])
    return sheet.svg()
