"""A plot of named rows: a name and numbers beside each lane on a desk, above it on a phone."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from simkit.report.canvas import (
    BODY,
    LINE,
    NARROW,
    TITLE,
    WIDE,
    Box,
    Canvas,
    Frame,
    bars,
    key_rows,
    scale,
    text_width,
    wrapped,
)
from simkit.report.style import FAINT, INK, MUTED, Mark
from simkit.report.words import short, spelt
from simkit.stats.estimate import Unit

STEP = 25.0
"""Height of a row on a desk."""

STACKED = (38.0, 52.0)
"""The same on a phone: name and numbers in one line above the lane, or in two."""

HEAD = 26.0
"""Height of a heading above a group of rows."""

MOST_NAME = 300.0


class Lane(NamedTuple):
    """One row."""

    name: str
    value: str
    interval: str = ""
    group: str = ""
    """Heading above the first row of a group; empty for none."""
    faint: bool = False
    """Whether it stands back: nothing was resolved."""


class Lanes:
    """Rows of a plot on one scale.

    Parameters
    ----------
    title, notes
        Above the plot.
    lanes
        The rows, from above.
    ends
        Least and greatest number that must show.
    kind
        Unit of the numbers.
    axis
        What is drawn along the bottom.
    narrow
        The form for a phone.
    legend
        Marks and their words.
    """

    def __init__(
        self,
        title: str,
        notes: Sequence[str],
        lanes: Sequence[Lane],
        ends: tuple[float, float],
        kind: Unit,
        axis: str,
        *,
        narrow: bool,
        legend: Sequence[tuple[Mark | None, str]] = (),
    ) -> None:
        self.title, self.lanes, self.ends, self.kind, self.axis = title, lanes, ends, kind, axis
        self.narrow, self.legend = narrow, legend
        self.width = NARROW if narrow else WIDE
        self.notes = [line for text in notes if text for line in wrapped(text, self.width)]
        two = narrow and any(
            text_width(lane.name) + text_width(f"  {spelt(lane.value, lane.interval)}", 10.5) > self.width
            for lane in lanes
        )
        self.step = STACKED[two] if narrow else STEP
        self.drop = self.step - 11.0 if narrow else STEP / 2
        self.left, self.right = (10.0, 10.0) if narrow else self._columns()
        self.first = 32 + 19 * (len(wrapped(title, self.width - 8, TITLE * 1.06)) - 1) + LINE * len(self.notes)

    def _columns(self) -> tuple[float, float]:
        longest = max(text_width(lane.name) for lane in self.lanes)
        self.value = max(text_width(lane.value) for lane in self.lanes)
        interval = max(text_width(lane.interval) for lane in self.lanes) * 0.94
        return min(max(longest + 16, 90.0), MOST_NAME), 14 + self.value + 10 + interval

    def svg(self, draw: Callable[[Frame, Sequence[float]], None]) -> str:
        """Return the plot as SVG.

        Parameters
        ----------
        draw
            Draws what the rows show into a frame, given the height of every row in it.
        """
        tops, height = self._tops()
        bottom = self.first + height
        words = [word for _, word in self.legend]
        tail = 52 + (LINE * key_rows(self.width, words) + 6 if words else 0)
        sheet = Canvas(self.width, bottom + tail)
        sheet.heading(self.title, self.notes)
        found = scale(*self.ends, self.kind, 4 if self.narrow else 6)
        box = Box(self.left, self.first, self.width - self.left - self.right, height)
        frame = sheet.frame(box, (found.low, found.high), (height, 0))
        frame.below(found.ticks, found.labels)
        if self.narrow:
            tracks = [((found.low, top), (found.high, top)) for top in tops]
            bars(frame.axes, tracks, colors=FAINT, linewidths=1, zorder=0)
        else:
            frame.upright_grid(found.ticks)
        draw(frame, tops)
        self._write(sheet, tops)
        sheet.text(self.left, bottom + 32, short(self.axis, int((self.width - self.left) / 6)), color=MUTED)
        if self.legend:
            sheet.key(bottom + 54, list(self.legend))
        return sheet.svg()

    def _tops(self) -> tuple[list[float], float]:
        y, last, tops = 0.0, "", []
        for lane in self.lanes:
            if lane.group and lane.group != last:
                y += HEAD
                last = lane.group
            tops.append(y + self.drop)
            y += self.step
        return tops, y + 4

    def _write(self, sheet: Canvas, tops: Sequence[float]) -> None:
        last = ""
        for lane, top in zip(self.lanes, tops, strict=True):
            y = self.first + top
            if lane.group and lane.group != last:
                last = lane.group
                room = int(self.width / (BODY * 0.62))
                sheet.text(0, y - self.drop - 9, short(last, room), fontweight="bold")
            ink = MUTED if lane.faint else INK
            if self.narrow:
                self._above(sheet, lane, y, ink)
                continue
            sheet.text(0, y, short(lane.name, int((self.left - 8) / (BODY * 0.56))), color=ink)
            edge = self.width - self.right + 14 + self.value
            sheet.text(edge, y, lane.value, ha="right", color=ink)
            sheet.text(edge + 10, y, lane.interval, color=MUTED, fontsize=10)

    def _above(self, sheet: Canvas, lane: Lane, y: float, ink: str) -> None:
        numbers = spelt(lane.value, lane.interval)
        taken = 0.0 if self.step == STACKED[1] else text_width(numbers, 10.5)
        name = short(lane.name, max(6, int((self.width - taken) / (BODY * 0.56))))
        sheet.text(0, y - (29 if self.step == STACKED[1] else 15), name, color=ink)
        sheet.text(self.width, y - 15, numbers, ha="right", color=ink, fontsize=10.5)


def line_at_zero(frame: Frame, tops: Sequence[float], *, narrow: bool) -> None:
    """Draw the line that stands for nothing: through all rows, or on a phone, where words lie between, at each."""
    spans = [(top - 8, top + 8) for top in tops] if narrow else [(frame.down[0], frame.down[1])]
    bars(frame.axes, [((0.0, a), (0.0, b)) for a, b in spans], colors=INK, linewidths=1.2, zorder=1)
