"""Fields of a table of colours: how a value becomes a colour, and how its number stands on it."""

import textwrap
from collections.abc import Sequence
from typing import Any

from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.patches import Rectangle

from simkit.report.canvas import BODY, Box, Canvas
from simkit.report.pane import Pane
from simkit.report.style import PAPER

_DIVERGING = LinearSegmentedColormap.from_list("simkit", ["#d55e00", "#f3c7a6", "#f4f4f2", "#a9cfe6", "#0072b2"])
_RISING = LinearSegmentedColormap.from_list("simkit-rising", ["#f4f4f2", "#a9cfe6", "#0072b2"])
_DARK_TEXT, _LIGHT_TEXT = "#111417", "#fdfdfd"


def colour(value: float, ends: tuple[float, float], *, diverging: bool) -> str:
    """Return the colour of a value on a scale between two ends; a diverging one is pale in its middle."""
    share = (value - ends[0]) / (ends[1] - ends[0]) if ends[1] > ends[0] else 0.5
    return to_hex((_DIVERGING if diverging else _RISING)(share))


def paint(axes: Pane, x: float, y: float, shade: str, *, hatched: bool) -> None:
    """Paint one field of a grid with sides of 1, as an artist: the axes have their limits and need no new ones."""
    axes.add_artist(Rectangle((x, y), 1, 1, facecolor=shade, edgecolor=PAPER, linewidth=2))
    if hatched:
        axes.add_artist(Rectangle((x, y), 1, 1, facecolor="none", edgecolor="#c3c9cf", hatch="///", linewidth=0))


def write(sheet: Canvas, box: Box, shade: str, value: str, interval: str, *, tight: bool) -> None:
    """Write a value and its interval into a field of that colour; a tight one breaks its lines."""
    letters = ink(shade)
    large, small = min(BODY, box.width / 5.8), min(10.0, box.width / 6.2)
    lines: list[tuple[str, float, Any]] = [
        (text, large, "bold") for text in textwrap.wrap(value, max(8, int(box.width / large / 0.6)))
    ]
    parts: Sequence[str] = interval.replace(" to ", " to\n").split("\n") if tight else [interval]
    lines += [(text, small, "normal") for text in parts if text]
    step = 14.0 if tight else 16.0
    for k, (text, size, weight) in enumerate(lines):
        at = box.top + box.height / 2 + (k - (len(lines) - 1) / 2) * step
        sheet.text(box.left + box.width / 2, at, text, ha="center", color=letters, fontweight=weight, fontsize=size)


def ink(shade: str) -> str:
    """Return the colour of letters that can be read on a field of that colour."""
    return _DARK_TEXT if _bright(shade) else _LIGHT_TEXT


def _bright(shade: str) -> bool:
    red, green, blue = (int(shade[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140
