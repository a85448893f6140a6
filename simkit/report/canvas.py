"""A sheet to draw on, measured in CSS pixels from its upper left corner; no pyplot, no global state."""

import io
import textwrap
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from simkit.report.pane import Pane
from simkit.report.style import FAINT, INK, MUTED, PAPER, Mark
from simkit.stats.estimate import Unit

WIDE = 720
"""Width of a plot on a desk or on paper."""

NARROW = 328
"""Width of a plot on a phone."""

TITLE = 14
BODY = 11
LINE = 16
"""Height of a line of body text."""

_GLYPH = 0.6  # mean width of a character of DejaVu Sans, in font sizes


class Scale(NamedTuple):
    """Ends and ticks of an axis, in the metric's own unit, and the ticks as text."""

    low: float
    high: float
    ticks: list[float]
    labels: list[str]


def text_width(text: str, size: float = BODY) -> float:
    """Return about how many pixels a text takes."""
    return len(text) * size * _GLYPH


def wrapped(text: str, width: float, size: float = BODY) -> list[str]:
    """Break a text into lines of a width in pixels."""
    return textwrap.wrap(text, max(8, int(width / (size * 0.53)))) or [""]


def scale(low: float, high: float, kind: Unit, most: int, *, pad: float = 0.04) -> Scale:
    """Return an axis that shows everything from ``low`` to ``high`` with at most ``most`` ticks.

    Parameters
    ----------
    low, high
        In the unit of the metric (shares from 0 to 1).
    kind
        A share is shown in per cent and never beyond 0 and 100; points carry their sign.
    most
        Ticks.
    pad
        Room at either end, as a share of the range.
    """
    factor = 1.0 if kind == "count" else 100.0
    low, high = low * factor, high * factor
    if high - low < 1e-9 * max(abs(low), abs(high), 1.0):
        low, high = low - 1.0, high + 1.0
    room = (high - low) * pad
    bottom, top = low - room, high + room
    shown = (max(low - room, 0.0), min(high + room, 100.0)) if kind == "share" else (bottom, top)
    ticks = [float(x) for x in MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]).tick_values(*shown)]
    ticks = [round(x, 12) + 0.0 for x in ticks if shown[0] - 1e-9 <= x <= shown[1] + 1e-9]
    labels = [f"{x:+g}" if kind == "points" and x else f"{x:g}" for x in ticks]
    return Scale(bottom / factor, top / factor, [x / factor for x in ticks], labels)


class Box(NamedTuple):
    """A place on the sheet."""

    left: float
    top: float
    width: float
    height: float


class Canvas:
    """One plot being drawn; make and save it inside :func:`simkit.report.style.settings`."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.figure = Figure(figsize=(width / 72, height / 72))

    def text(self, x: float, y: float, text: str, **more: Any) -> None:
        """Write a line of text whose middle is at height ``y``."""
        settings: dict[str, Any] = {"va": "center_baseline", "fontsize": BODY, **more}
        self.figure.text(x / self.width, 1 - y / self.height, text, **settings)

    def frame(self, box: Box, across: tuple[float, float], down: tuple[float, float]) -> "Frame":
        """Return a box with its own scales, whose lower and upper ends are given for both directions."""
        bottom = self.height - box.top - box.height
        pane = Pane(self.figure, box.left, bottom, box.width, box.height, across, down)
        return Frame(self, pane, box, across, down)

    def heading(self, title: str, notes: Sequence[str]) -> None:
        """Write the title and, smaller, the lines below it."""
        lines = wrapped(title, self.width - 8, TITLE * 1.06)
        y = 12.0
        for line in lines:
            self.text(0, y, line, fontsize=TITLE, fontweight="bold")
            y += 19
        for line in notes:
            self.text(0, y, line, color=MUTED)
            y += LINE

    def key(self, y: float, entries: Sequence[tuple[Mark | None, str]]) -> None:
        """Draw a row of marks with their words; a mark of None is a plain line. It breaks where the width ends."""
        x = 0.0
        for sign, word in entries:
            wide = 18 + text_width(word) + 14
            if x and x + wide > self.width + 14:
                x, y = 0.0, y + LINE
            if sign is None:
                self._line([x, x + 13], [y, y], color=MUTED, linewidth=1.5)
            else:
                self._line([x + 6], [y], **dots(sign, 6.5))
            self.text(x + 18, y, word, color=INK if sign is None or sign.colour == MUTED else sign.colour)
            x += wide

    def _line(self, xs: Sequence[float], ys: Sequence[float], **more: Any) -> None:
        across, up = [x / self.width for x in xs], [1 - y / self.height for y in ys]
        self.figure.add_artist(Line2D(across, up, transform=self.figure.transFigure, **more))

    def svg(self) -> str:
        """Return the finished plot as an SVG file, the same bytes every time."""
        buffer = io.StringIO()
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        with warnings.catch_warnings():
            # the text stays text: the reader's fonts show what the one that measures lacks
            warnings.filterwarnings("ignore", message=r".*missing from font\(s\)")
            self.figure.savefig(buffer, format="svg", metadata=nothing)
        return buffer.getvalue()


@dataclass(frozen=True)
class Frame:
    """A box of a sheet in which numbers have their places."""

    sheet: Canvas
    axes: Pane
    box: Box
    across: tuple[float, float]
    down: tuple[float, float]

    def x(self, value: float) -> float:
        """Return where a number lies on the sheet, from the left."""
        low, high = self.across
        return self.box.left + self.box.width * (value - low) / (high - low)

    def y(self, value: float) -> float:
        """Return where a number lies on the sheet, from the top."""
        low, high = self.down
        return self.box.top + self.box.height * (high - value) / (high - low)

    def upright_grid(self, ticks: Sequence[float]) -> None:
        """Draw a fine line from top to bottom at every tick."""
        bars(self.axes, [((x, self.down[0]), (x, self.down[1])) for x in ticks], colors=FAINT, linewidths=1, zorder=0)

    def level_grid(self, ticks: Sequence[float]) -> None:
        """Draw a fine line from left to right at every tick."""
        bars(
            self.axes, [((self.across[0], y), (self.across[1], y)) for y in ticks], colors=FAINT, linewidths=1, zorder=0
        )

    def below(self, ticks: Sequence[float], labels: Sequence[str], *, tilted: bool = False) -> None:
        """Write the labels of the ticks under the box."""
        y = self.box.top + self.box.height + 12
        more: dict[str, Any] = {"ha": "center"}
        if tilted:
            more = {"ha": "right", "rotation": 40, "rotation_mode": "anchor"}
        for tick, label in zip(ticks, labels, strict=True):
            self.sheet.text(self.x(tick) + (4 if tilted else 0), y, label, color=MUTED, **more)

    def beside(self, ticks: Sequence[float], labels: Sequence[str]) -> None:
        """Write the labels of the ticks left of the box."""
        for tick, label in zip(ticks, labels, strict=True):
            self.sheet.text(self.box.left - 6, self.y(tick), label, ha="right", color=MUTED)


def key_rows(width: float, words: Sequence[str]) -> int:
    """Count the rows that :meth:`Canvas.key` takes."""
    rows, x = 1, 0.0
    for word in words:
        wide = 18 + text_width(word) + 14
        if x and x + wide > width + 14:
            rows, x = rows + 1, 0.0
        x += wide
    return rows


def dots(sign: Mark, size: float) -> dict[str, Any]:
    """Return how a line draws a mark; one that is not filled shows the paper through."""
    return {
        "linestyle": "none",
        "marker": sign.shape,
        "markersize": size,
        "markeredgewidth": 1.5,
        "markeredgecolor": sign.colour,
        "markerfacecolor": sign.colour if sign.filled else PAPER,
    }


def bars(axes: Pane, ends: Sequence[tuple[tuple[float, float], tuple[float, float]]], **more: Any) -> None:
    """Draw intervals as straight lines from one end to the other."""
    axes.add_collection(LineCollection(list(ends), **({"linewidths": 2.0, "zorder": 2} | more)), autolim=False)
