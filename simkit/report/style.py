"""Colours, shapes and matplotlib settings of a report, and how a plot is set into a page.

The colours are those of Okabe and Ito (Color Universal Design, 2008), which people with any kind of colour vision tell
apart; no meaning hangs on colour alone, every one has its shape.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import matplotlib as mpl

PAPER = "#ffffff"
INK = "#1b1f24"
MUTED = "#59636e"
FAINT = "#dde2e7"
BAND = "#dff2ea"
BLUE = "#0072b2"
VERMILLION = "#d55e00"
GREEN = "#009e73"
PURPLE = "#a6508a"

VARIABLES = {
    PAPER: "--paper",
    INK: "--ink",
    MUTED: "--muted",
    FAINT: "--faint",
    BAND: "--band",
    BLUE: "--blue",
    VERMILLION: "--vermillion",
    GREEN: "--green",
    PURPLE: "--purple",
}
"""The page's name for each colour of a plot, so that a plot follows the page from light to dark."""

LIGHT: Mapping[str, str] = {name: colour for colour, name in VARIABLES.items()}
DARK: Mapping[str, str] = {
    "--paper": "#15191e",
    "--ink": "#e8ebee",
    "--muted": "#9da7b1",
    "--faint": "#323a43",
    "--band": "#173a30",
    "--blue": "#56b4e9",
    "--vermillion": "#f58b4c",
    "--green": "#35c795",
    "--purple": "#dc9cc6",
}


class Mark(NamedTuple):
    """How a verdict looks: a shape for plots, the same shape as a character for text, and a colour."""

    shape: str
    glyph: str
    colour: str
    filled: bool = True

    @property
    def css(self) -> str:
        """Name of the colour in the page's style sheet."""
        return VARIABLES[self.colour].removeprefix("--")


MARKS: Mapping[str, Mark] = {
    "higher": Mark("^", "▲", BLUE),
    "leans higher": Mark("^", "△", BLUE, filled=False),
    "lower": Mark("v", "▼", VERMILLION),
    "leans lower": Mark("v", "▽", VERMILLION, filled=False),
    "fair": Mark("D", "◆", GREEN),
    "undecided": Mark("o", "○", MUTED, filled=False),
    "measured": Mark("o", "●", INK),
}
"""By the word of a cell, or how it leans (see ``simkit.report.verdicts``)."""

BADGES: Mapping[str, Mark] = {
    "raises": MARKS["higher"],
    "lowers": MARKS["lower"],
    "fair": MARKS["fair"],
    "undecided": MARKS["undecided"],
    "measured": MARKS["measured"],
    "depends": Mark("d", "◐", PURPLE),
}
"""By the word of the whole answer."""

SERIES = (
    Mark("o", "●", BLUE),
    Mark("^", "▲", VERMILLION),
    Mark("D", "◆", GREEN),
    Mark("v", "▼", PURPLE),
)
"""Lines of a plot, in order."""


class Fill(NamedTuple):
    """How one part of a stacked bar looks: a colour, and a hatching of its own."""

    colour: str
    hatch: str


FILLS = (
    Fill(BLUE, ""),
    Fill(VERMILLION, "////"),
    Fill(GREEN, "...."),
    Fill(PURPLE, "xxxx"),
    Fill(INK, "\\\\\\\\"),
    Fill(BLUE, "----"),
    Fill(VERMILLION, "||||"),
    Fill(GREEN, "++++"),
    Fill(MUTED, "oo"),
    Fill(PURPLE, "**"),
)
"""Parts of a stacked bar, in order."""

APART = Fill(MUTED, "////")
"""The part that stands apart from the others."""

BASELINE = Mark("s", "□", MUTED, filled=False)
"""The line that the others are compared with."""

_OURS: Mapping[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "simkit",
    "text.parse_math": False,
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 11,
    "figure.dpi": 72,
    "figure.facecolor": PAPER,
    "figure.edgecolor": "none",
    "savefig.facecolor": "auto",
    "savefig.dpi": "figure",
    "axes.facecolor": "none",
    "axes.edgecolor": FAINT,
    "axes.linewidth": 1.0,
    "axes.labelcolor": MUTED,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": False,
    "text.color": INK,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "xtick.labelsize": 11,
    "ytick.labelsize": 11,
    "hatch.color": MUTED,
    "hatch.linewidth": 0.8,
}
_NEVER = ("backend", "interactive", "toolbar", "date.epoch", "timezone", "webagg")


@contextmanager
def settings() -> Iterator[None]:
    """Draw with this project's settings, whatever the reader's own matplotlibrc says; undone on leaving."""
    wanted: dict[Any, Any] = {key: value for key, value in mpl.rcParamsDefault.items() if not key.startswith(_NEVER)}
    with mpl.rc_context(wanted | dict(_OURS)):
        yield


_TAG = re.compile(r"<[^<>]*>")
_ID = re.compile(r'(\bid="|\bxlink:href="#|url\(#)')
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")


def inline(svg: str, name: str) -> str:
    """Make a plot fit to stand inside a page.

    Parameters
    ----------
    svg
        The plot as a file.
    name
        Goes before every id, so that two plots of one page never share one.

    Returns
    -------
    str
        The ``<svg>`` element alone. Its size follows its box and its colours are the page's; text stays as it is.
    """

    def mended(match: re.Match[str]) -> str:
        tag = _ID.sub(rf"\g<1>{name}-", match.group())
        return _COLOUR.sub(lambda found: _variable(found.group()), tag)

    body = svg[svg.index("<svg") :].strip()
    body = re.sub(r"<defs>\s*<style[^>]*>[^<]*</style>\s*</defs>", "", body, count=1)
    head, rest = body.split(">", 1)
    head = re.sub(r' (?:width|height)="[^"]*"', "", head)
    return _TAG.sub(mended, f"{head}>{rest}")


def _variable(colour: str) -> str:
    return f"var({VARIABLES[colour]})" if colour in VARIABLES else colour
