"""What pictures of a battle are made of: colours, ground, blocks of figures, arrows and lines of text, all as SVG.

Sides differ in shape as well as in colour: figures of side a are full, those of side b hollow. The colours of the
sides, and those the tints come from, are of Okabe and Ito's palette.

References
----------
.. [1] M. Okabe, K. Ito, "Color Universal Design", 2008, https://jfly.uni-koeln.de/color/.
"""

import textwrap
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from simkit.games.battlesystem.kinds import Formation

WIDE = 720
"""Width of a drawing in CSS pixels."""

MARGIN = 12.0
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 16, 12, 10
LINE = 17.0
TEXT_LETTERS = 122
"""Letters that fit into a line."""

PAPER, INK, MUTED, GRID = "#ffffff", "#1b1f24", "#59636e", "#c9d0d6"
SIDES = ("#0072b2", "#d55e00")
"""Colours of side a and side b."""


class Look(NamedTuple):
    """How a kind of ground is drawn."""

    fill: str
    tint: str
    """Behind the units."""


GROUND: Mapping[str, Look] = {
    "clear": Look("#e9edf0", ""),
    "road": Look("#d9c7a0", "#faf6ec"),
    "woods": Look("#7fc4a8", "#e6f4ee"),
    "rough": Look("#e0c27a", "#fbf3e0"),
    "swamp": Look("#b9b98a", "#f2f2e4"),
    "ford": Look("#a9d3ee", "#eef7fc"),
    "water": Look("#56b4e9", "#dff0fa"),
}

SPACING = {Formation.CLOSED: 1.0, Formation.OPEN: 1.6, Formation.SKIRMISH: 2.2, Formation.MOB: 1.1}
"""Sizes of a figure from one to the next."""

Point = tuple[float, float]


class Sheet:
    """A drawing that grows downwards."""

    def __init__(self, title: str, says: str) -> None:
        self.title, self.says = title, says
        self.height = MARGIN
        self.parts: list[str] = []

    def add(self, element: str, says: str = "") -> None:
        """Draw an element; one that says something tells it when it is pointed at."""
        self.parts.append(f"<g><title>{escape(says)}</title>{element}</g>" if says else element)

    def write(
        self, text: str, size: int = TEXT_SIZE, colour: str = INK, weight: str = "normal", lead: str = ""
    ) -> None:  # fmt: skip
        """Write text below what is drawn, in as many lines as it needs, a bold lead before it."""
        letters = TEXT_LETTERS * TEXT_SIZE // size
        for line in textwrap.wrap(f"{lead}{text}", letters, break_on_hyphens=False):
            step = LINE * size / TEXT_SIZE
            written = text_at(MARGIN, self.height + step * 0.72, line, size, colour, weight=weight)
            if lead and line.startswith(lead.strip()):
                bold = escape(lead.strip())
                written = written.replace(f">{bold}", f'><tspan font-weight="bold">{bold}</tspan>', 1)
                lead = ""
            self.add(written)
            self.height += step

    def svg(self) -> str:
        """Return the drawing as one element, without ids, scripts or links."""
        self.height += MARGIN
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{self.height:.0f}"'
            f' viewBox="0 0 {WIDE} {self.height:.0f}" role="img" font-family="sans-serif">'
        )
        paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
        about = [f"<title>{escape(self.title)}</title>", f"<desc>{escape(self.says)}</desc>"]
        return "\n".join([head, *about, paper, *self.parts, "</svg>"]) + "\n"


def text_at(
    x: float,
    y: float,
    text: str,
    size: int,
    colour: str,
    anchor: str = "start",
    weight: str = "normal",
    *,
    halo: bool = False,
) -> str:
    """Return a line of text; one with a halo can be read on anything."""
    bold = ' font-weight="bold"' if weight == "bold" else ""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    edge = f' stroke="{PAPER}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"' if halo else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}"{bold}{where} fill="{colour}"{edge}>{escape(text)}</text>'


def wide(text: str, size: int = TEXT_SIZE) -> float:
    """Return about how wide a line of text is."""
    return len(text) * size * 0.54


def box(x: float, y: float, width: float, height: float, fill: str, stroke: str = "") -> str:
    """Return a rectangle."""
    edge = f' stroke="{stroke}"' if stroke else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"{edge}/>'


def frame(x: float, y: float, width: float, height: float) -> str:
    """Return a thick frame."""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="none" stroke="{INK}"'
        ' stroke-width="3"/>'
    )


def line(start: Point, end: Point, colour: str, width: float, dashes: str = "") -> str:
    """Return a straight line."""
    style = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path d="M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}" stroke="{colour}"'
        f' stroke-width="{width:g}" fill="none"{style}/>'
    )


def arrow(start: Point, end: Point, colour: str, width: float) -> str:
    """Return a level arrow."""
    (x1, y), (x2, _) = start, end
    way, head = (1 if x2 > x1 else -1), min(3 + 2 * width, abs(x2 - x1))
    tip = f"M{x2:.1f} {y:.1f}l{-way * head:.1f} {-head / 2:.1f}v{head:.1f}Z"
    return line(start, (x2 - way * head, y), colour, width) + f'<path d="{tip}" fill="{colour}"/>'


def figure(x: float, y: float, size: float, side: int, formation: int, state: str) -> str:
    """Return one figure in a cell: square in closed and open order, round among skirmishers and in a mob.

    Parameters
    ----------
    x, y, size
        Corner and size of the cell.
    side
        0 is drawn full, 1 hollow.
    state
        ``"stands"``, ``"falls"`` (this round) or ``"fell"`` (before).
    """
    room = size * 0.14
    left, top, inner = x + room, y + room, size - 2 * room
    if state == "fell":
        square = f'<rect x="{left:.2f}" y="{top:.2f}" width="{inner:.2f}" height="{inner:.2f}"'
        return f'{square} fill="none" stroke="{GRID}" stroke-width="0.7"/>'
    if state == "falls":
        cross = f"M{left:.2f} {top:.2f}l{inner:.2f} {inner:.2f}m0 {-inner:.2f}l{-inner:.2f} {inner:.2f}"
        return f'<path d="{cross}" stroke="{MUTED}" stroke-width="1" fill="none"/>'
    colour = SIDES[side]
    look = f'fill="{colour}"' if side == 0 else f'fill="{PAPER}" stroke="{colour}" stroke-width="{size * 0.18:.2f}"'
    if side:
        left, top, inner = left + size * 0.09, top + size * 0.09, inner - size * 0.18
    if formation in (Formation.SKIRMISH, Formation.MOB):
        half = inner / 2
        return f'<circle cx="{left + half:.2f}" cy="{top + half:.2f}" r="{half:.2f}" {look}/>'
    return f'<rect x="{left:.2f}" y="{top:.2f}" width="{inner:.2f}" height="{inner:.2f}" {look}/>'


def spikes(x: float, heights: Sequence[float], way: int) -> str:
    """Return set spears before a front, one at each height."""
    marks = "".join(f"M{x:.1f} {y:.1f}h{way * 9:g}" for y in heights)
    drawn = f'<path d="{marks}" stroke="{PAPER}" stroke-width="3" fill="none"/>'
    return f'{drawn}<path d="{marks}" stroke="{INK}" stroke-width="1.4" fill="none"/>'


def arc(start: Point, end: Point) -> str:
    """Return a bow between two places, bulging to the right."""
    middle = (max(start[0], end[0]) + 16, (start[1] + end[1]) / 2)
    return (
        f'<path d="M{start[0]:.1f} {start[1]:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {end[0]:.1f} {end[1]:.1f}"'
        f' stroke="{INK}" stroke-width="1.4" fill="none"/>'
    )
