"""Drawing maps: as text for a terminal, and as SVG on which others may draw tracks.

Every kind of terrain has a sign of its own beside its colour, and the sides differ in shape, so that nothing hangs on
colour alone. The colours of the sides, and those the tints come from, are of Okabe and Ito's palette.

References
----------
.. [1] M. Okabe, K. Ito, "Color Universal Design", 2008, https://jfly.uni-koeln.de/color/.
"""

import math
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from typing import NamedTuple

from simkit.games.jugger.maps import HexMap, Start, room, starts

WIDE = 720
"""Width of a drawing in CSS pixels."""

TALL = 960
"""Most height of the field of hexes."""

LARGEST = 30.0
"""Distance from the centre of a hex to a corner, at most."""

MARGIN = 12.0
LINE = 18.0
TITLE_SIZE, TEXT_SIZE = 16, 12
TITLE_LETTERS, TEXT_LETTERS = 72, 104
"""Letters that fit into a line."""

PAPER, INK, MUTED, GRID = "#ffffff", "#1b1f24", "#59636e", "#c9d0d6"
SIDES = ("#0072b2", "#d55e00")
"""Colours of side A and side B."""

BALL_COLOUR = "#b58900"
"""Of the ball and its way."""

BALL_SIGN, BALL_LETTER = "★", "*"

WESTWARD, EASTWARD = "◄", "►"


class Look(NamedTuple):
    """How a kind of terrain is drawn."""

    title: str
    glyph: str
    letter: str
    """For terminals that show nothing but ASCII."""
    fill: str
    mark: str
    """Path in a hex whose corners are 1 away from the centre."""
    ink: str


LOOKS: Mapping[str, Look] = {
    "plain": Look("plain", "·", ".", "#f5f7f9", "", INK),
    "forest": Look("forest", "♣", "f", "#a9ddca", "M0-.62L.44.22H.1V.52H-.1V.22H-.44Z", "#00593f"),
    "rubble": Look(
        "rubble",
        "∴",
        ":",
        "#f6e0b3",
        "M-.5.38L-.29.02-.06.38ZM.06.38L.29.02.5.38ZM-.22-.08L.02-.46.26-.08Z",
        "#7a5200",
    ),
    "house": Look("house", "⌂", "h", "#ecc9de", "M-.55-.04L0-.54.55-.04H.38V.46H-.38V-.04Z", "#7d3c61"),
    "obstacle": Look("obstacle", "●", "o", "#aeb6be", "M-.52.34L-.58-.08-.24-.5.24-.46.58-.04.46.36Z", "#1b1f24"),
    "wall": Look(
        "stone wall",
        "▒",
        "#",
        "#59636e",
        "M-.56-.42H-.04V-.16H-.56ZM.04-.42H.56V-.16H.04ZM-.3-.12H.3V.14H-.3ZM-.7-.12H-.38V.14H-.7Z"
        "M.38-.12H.7V.14H.38ZM-.56.18H-.04V.44H-.56ZM.04.18H.56V.44H.04Z",
        "#dde2e7",
    ),
    "goal": Look("goal", "◎", "G", "#fdf3c4", "M-.6-.6H-.4V.6H-.6ZM.4-.6H.6V.6H.4ZM-.4-.6H.4V-.42H-.4Z", "#7a5200"),
}
"""By kind; what is no kind is plain."""

JUG = "M.62 0L-.46.48-.22 0-.46-.48Z"
"""Path of a jug that faces east, in a hex whose corners are 1 away from the centre."""


def draw_text(map: HexMap, jugs: int = 1, *, ascii: bool = False) -> str:
    """Draw a map as text, two columns a hex.

    Every line begins with its row r and the q of its first hex, and ends with the q of its last one.

    Parameters
    ----------
    map
        A legal map.
    jugs
        So many of each side are shown where they start; they point to where they face.
    ascii
        Keep to ASCII.

    Returns
    -------
    str
        Lines without an end of line after the last.

    Examples
    --------
    >>> print(draw_text(HexMap(half_length=3, half_rows=1, forests=[[1, 0]], symmetric=True), ascii=True))
     r   q                 q
    -1  -2   . . . . . .   3
     0  -3  . A f . f B .  3
     1  -3   . . . . . .   2
    """
    kinds = map.kinds()
    signs = {place: LOOKS[kind].letter if ascii else LOOKS[kind].glyph for place, kind in kinds.items()}
    for side, sign in enumerate("AB" if ascii else EASTWARD + WESTWARD):
        signs |= {(start.q, start.r): sign for start in _starts(map, side, jugs)}
    if (ball := map.ball_start()) is not None:
        signs[ball] = BALL_LETTER if ascii else BALL_SIGN
    plain = LOOKS["plain"].letter if ascii else LOOKS["plain"].glyph
    wide = 4 * map.half_length + 1
    lines = [f"{'r':>2}{'q':>4}  {'':{wide}}{'q':>3}"]
    for row in range(-map.half_rows, map.half_rows + 1):
        places = [place for place in map.hexes() if place[1] == row]
        indent = " " * (2 * places[0][0] + row + 2 * map.half_length)
        text = indent + " ".join(signs.get(place, plain) for place in places)
        lines.append(f"{row:>2}{places[0][0]:>4}  {text:{wide}}{places[-1][0]:>3}")
    return "\n".join(lines)


def legend(map: HexMap, jugs: int = 1, *, ascii: bool = False) -> str:
    """Return what the signs of `draw_text` mean, in one line."""
    words = [f"{look.letter if ascii else look.glyph} {look.title} ({count})" for look, count in _counted(map)]
    if jugs:
        words += [f"{'A' if ascii else EASTWARD} side A", f"{'B' if ascii else WESTWARD} side B"]
    if map.ball_start() is not None:
        words.append(f"{BALL_LETTER if ascii else BALL_SIGN} ball")
    return "  ".join(words)


def _counted(map: HexMap) -> list[tuple[Look, int]]:
    """List the kinds of hexes that a map has, and how many of each."""
    counts = Counter[str](map.kinds().values())
    counts["plain"] = len(map.hexes()) - counts.total()
    return [(look, counts[kind]) for kind, look in LOOKS.items() if counts[kind]]


def _starts(map: HexMap, side: int, jugs: int) -> Sequence[Start]:
    own = map.lines(side)
    if own is not None:
        return own[:jugs]
    count = min(jugs, room(map, side))
    return starts(map, side, count) if count else ()


class Canvas:
    """A map as an SVG drawing to which more can be added.

    Parameters
    ----------
    map
        A legal map.
    title, says
        Its heading and the sentence below; any text.

    Attributes
    ----------
    size : float
        Distance from the centre of a hex to a corner, in CSS pixels.
    width, height : float
        Of the drawing, in CSS pixels.
    style : str
        Style sheet of the drawing as a whole, empty for none.

    Examples
    --------
    >>> sheet = Canvas(HexMap(half_length=3, half_rows=1), "A small map")
    >>> sheet.track([(-2, 0), (-1, 0), (-1, 1)], side=0)
    >>> sheet.svg().startswith("<svg")
    True
    """

    def __init__(self, map: HexMap, title: str, says: str = "") -> None:
        self.map, self.title = map, title
        self.style = ""
        self.width = float(WIDE)
        across, down = (2 * map.half_length + 1) * math.sqrt(3), 3 * map.half_rows + 2
        self.size = min((WIDE - 2 * MARGIN) / across, TALL / down, LARGEST)
        self._parts: list[str] = []
        y = self._write(MARGIN, textwrap.wrap(title, TITLE_LETTERS), TITLE_SIZE, "bold")
        self._top = self._write(y, textwrap.wrap(says, TEXT_LETTERS), TEXT_SIZE) + LINE / 2
        self.height = self._key(self._top + self.size * down + LINE) + MARGIN
        kinds = map.kinds()
        for place in map.hexes():
            self.hex(*place, kinds.get(place, "plain"))

    def xy(self, q: int, r: int) -> tuple[float, float]:
        """Return where the centre of a hex lies, in CSS pixels from the upper left corner."""
        x = self.width / 2 + self.size * math.sqrt(3) * (q + r / 2)
        return x, self._top + self.size * (1.5 * (r + self.map.half_rows) + 1)

    def add(self, element: str) -> None:
        """Draw an SVG element on top of all that is there. It must be well formed, text in it escaped."""
        self._parts.append(element)

    def hex(self, q: int, r: int, kind: str) -> None:
        """Draw one hex of a kind of terrain, a key of `LOOKS`; pointing at it shows what and where it is."""
        look = LOOKS[kind]
        self.add(f"<g><title>{look.title} [{q}, {r}]</title>{_hexagon(self.xy(q, r), self.size, look)}</g>")

    def jug(self, q: int, r: int, facing: int, side: int, says: str = "") -> None:
        """Draw a jug that points to where it faces: side 0 filled, side 1 hollow; pointing at it shows `says`."""
        words = says or f"side {'AB'[side]} [{q}, {r}]"
        x, y = self.xy(q, r)
        halo = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{self.size * 0.78:.1f}" fill="{PAPER}"/>'
        self.add(f"<g><title>{escape(words)}</title>{halo}{_arrow(self.xy(q, r), self.size, facing, side)}</g>")

    def ball(self, q: int, r: int, says: str) -> None:
        """Draw a ball; pointing at it shows `says`."""
        self.add(f"<g><title>{escape(says)}</title>{_ball(self.xy(q, r), self.size)}</g>")

    def track(self, places: Sequence[tuple[int, int]], side: int) -> None:
        """Draw a way from hex to hex: side 0 unbroken, side 1 dashed."""
        points = " ".join(_point(self.xy(q, r)) for q, r in places)
        dashes = f' stroke-dasharray="{self.size * 0.4:.2f} {self.size * 0.25:.2f}"' if side else ""
        self.add(
            f'<polyline points="{points}" fill="none" stroke="{SIDES[side]}" stroke-width="{self.size * 0.16:.2f}"'
            f' stroke-linejoin="round"{dashes}/>'
        )

    def svg(self) -> str:
        """Return the drawing, the same text every time."""
        style = f' style="{escape(self.style)}"' if self.style else ""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:g}" height="{self.height:.0f}"{style}'
            f' viewBox="0 0 {self.width:g} {self.height:.0f}" role="img" font-family="sans-serif">'
        )
        paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
        return "\n".join([head, f"<title>{escape(self.title)}</title>", paper, *self._parts, "</svg>"]) + "\n"

    def _write(self, y: float, lines: Sequence[str], size: int, weight: str = "normal") -> float:
        """Write lines of text from a height on, and return the height below them."""
        for line in lines:
            ink = INK if weight == "bold" else MUTED
            self.add(
                f'<text x="{MARGIN:g}" y="{y + LINE * 0.7:.1f}" font-size="{size}" font-weight="{weight}"'
                f' fill="{ink}">{escape(line)}</text>'
            )
            y += LINE * size / TEXT_SIZE
        return y

    def _key(self, y: float) -> float:
        """Draw what the signs mean from a height on, and return the height below."""
        x, radius = MARGIN, LINE / 2
        entries = [(f"{look.title} ({count})", partial(_hexagon, look=look)) for look, count in _counted(self.map)]
        for side, name in enumerate("AB"):
            entries.append((f"side {name}", partial(_arrow, facing=3 * side, side=side)))
        if self.map.ball_start() is not None:
            entries.append(("ball", partial(_ball)))
        for words, sign in entries:
            wide = 2 * radius + 6 + len(words) * TEXT_SIZE * 0.53 + 10
            if x > MARGIN and x + wide > self.width:
                x, y = MARGIN, y + LINE * 1.4
            self.add(sign((x + radius, y), radius))
            self.add(
                f'<text x="{x + 2 * radius + 5:.1f}" y="{y + TEXT_SIZE * 0.36:.1f}" font-size="{TEXT_SIZE}"'
                f' fill="{INK}">{escape(words)}</text>'
            )
            x += wide
        return y + radius


def draw_svg(map: HexMap, title: str = "", jugs: int = 1) -> str:
    """Draw a map as an SVG file.

    Parameters
    ----------
    map
        A legal map.
    title
        Its heading; the map's own title when left out.
    jugs
        So many of each side are shown where they start.

    Returns
    -------
    str
        One ``<svg>`` element, without ids, scripts or links, so that it may stand in a page.
    """
    sheet = Canvas(map, title or map.title or "A map", map.says)
    for side in (0, 1):
        for start in _starts(map, side, jugs):
            sheet.jug(*start, side)
    if (ball := map.ball_start()) is not None:
        sheet.ball(*ball, f"the ball at the start, [{ball[0]}, {ball[1]}]")
    return sheet.svg()


def closed(size: float, west: bool) -> str:
    """Return the path of the three closed sides of a goal, around its middle (J-BALL-7): those towards its end.

    Examples
    --------
    >>> closed(10.0, True)
    'M0.0 -10.0L-8.7 -5.0L-8.7 5.0L0.0 10.0'
    """
    across = -size * math.sqrt(3) / 2 if west else size * math.sqrt(3) / 2
    return f"M0.0 {-size:.1f}L{across:.1f} {-size / 2:.1f}L{across:.1f} {size / 2:.1f}L0.0 {size:.1f}"


def _point(xy: tuple[float, float]) -> str:
    return f"{xy[0]:.1f},{xy[1]:.1f}"


def _hexagon(xy: tuple[float, float], size: float, look: Look) -> str:
    x, y = xy
    angles = [math.pi * (2 * k + 1) / 6 for k in range(6)]
    corners = " ".join(_point((x + size * math.cos(a), y + size * math.sin(a))) for a in angles)
    drawn = f'<polygon points="{corners}" fill="{look.fill}" stroke="{GRID}"/>'
    if look.mark:
        drawn += f'<path d="{look.mark}" transform="translate({_point(xy)}) scale({size:.2f})" fill="{look.ink}"/>'
    return drawn


def _ball(xy: tuple[float, float], size: float) -> str:
    x, y = xy
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size * 0.6:.1f}" fill="{BALL_COLOUR}" stroke="{INK}"/>'


def _arrow(xy: tuple[float, float], size: float, facing: int, side: int) -> str:
    fill = SIDES[side] if side == 0 else PAPER
    place = f"translate({_point(xy)}) rotate({60 * facing}) scale({size:.2f})"
    return (
        f'<path d="{JUG}" transform="{place}" fill="{fill}" stroke="{SIDES[side]}" stroke-width="0.16"'
        ' stroke-linejoin="round"/>'
    )
