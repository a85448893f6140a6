"""Stacked bars: parts of a whole, each with a colour and a hatching of its own and, where there is room, its name."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.patches import Rectangle

from simkit.report.canvas import LINE, Box, Canvas, Frame, key_rows, text_width
from simkit.report.style import FILLS, INK, MUTED, PAPER, Fill

THICK = 13.0
"""Height of a bar."""

SMALL = 9.5
"""Size of the names inside."""


class Part(NamedTuple):
    """One part of a bar."""

    name: str
    size: float
    fill: Fill


def fills(names: Sequence[str]) -> dict[str, Fill]:
    """Return how every part looks, the same for the same place in the list; what finds none looks like the last."""
    return {name: FILLS[min(i, len(FILLS) - 1)] for i, name in enumerate(names)}


def draw(frame: Frame, y: float, parts: Sequence[Part], start: float = 0.0) -> float:
    """Draw a bar from left to right and return where it ends.

    Parameters
    ----------
    frame
        Whose scale runs along the bottom.
    y
        Middle of the bar, from the top of the frame.
    parts
        From the left.
    start
        Where the bar begins.
    """
    pixels = frame.box.width / (frame.across[1] - frame.across[0])
    for name, size, fill in parts:
        if size <= 0:
            continue
        frame.axes.add_artist(_patch(start, y - THICK / 2, size, THICK, fill))
        long = text_width(name, SMALL) + 6
        if long + 6 <= size * pixels:
            if fill.hatch:  # a name on a hatching needs a ground of its own
                left, high = start + (size - long / pixels) / 2, THICK - 1.6
                ground = Rectangle((left, y - high / 2), long / pixels, high, facecolor=fill.colour, zorder=3)
                frame.axes.add_artist(ground)
            x, at = frame.x(start + size / 2), frame.box.top + y
            frame.sheet.text(x, at, name, ha="center", color=PAPER, fontsize=SMALL)
        start += size
    return start


def _patch(left: float, top: float, width: float, height: float, fill: Fill) -> Rectangle:
    """Return one part; the lines of its hatching are as the paper."""
    look: dict[str, Any] = {"facecolor": fill.colour, "edgecolor": PAPER, "linewidth": 0.8, "zorder": 2}
    if not fill.hatch:
        return Rectangle((left, top), width, height, **look)
    with mpl.rc_context({"hatch.color": PAPER}):
        return Rectangle((left, top), width, height, hatch=fill.hatch, **look)


def key(sheet: Canvas, y: float, entries: Sequence[tuple[Fill, str]]) -> None:
    """Draw what every part looks like, with its name; it breaks where the width ends."""
    axes = sheet.frame(Box(0, 0, sheet.width, sheet.height), (0, sheet.width), (sheet.height, 0)).axes
    x = 0.0
    for fill, word in entries:
        wide = 18 + text_width(word) + 14
        if x and x + wide > sheet.width + 14:
            x, y = 0.0, y + LINE
        axes.add_artist(_patch(x, y - 5.5, 13, 11, fill))
        sheet.text(x + 18, y, word, color=INK if fill.colour == MUTED else fill.colour)
        x += wide


def key_height(width: float, words: Sequence[str]) -> float:
    """Return the height that a key takes."""
    return LINE * key_rows(width, words) + 6
