"""Plots of a league: where each entrant ends as a table of colours, and the points of a season."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.patches import Rectangle

from simkit.balance.document import estimate_of
from simkit.balance.league.said import titles_of
from simkit.report import fields
from simkit.report.canvas import BODY, LINE, NARROW, WIDE, Box, Canvas, Frame, bars, dots, scale, text_width, wrapped
from simkit.report.plots import Plot
from simkit.report.style import BLUE, MUTED, PAPER, Mark, settings
from simkit.report.words import Document, short
from simkit.stats import format_interval

TALLEST, WIDEST = 30.0, 64.0
"""Sides of a field in pixels, at most."""

WORDS_FROM = 17.0
"""Width of a field from which its number finds room."""

DEEP = 0.6
"""Share of seasons from which a field has the full colour: of many places few take half of the seasons."""

DOT, SPREAD = Mark("o", "●", BLUE), "#a9cfe6"


def places(document: Document, *, narrow: bool = False) -> Plot:
    """Draw how often each entrant ends on each place, the favourite on top, with its title odds beside it.

    Parameters
    ----------
    document
        What ``report.json`` holds, cleaned.
    narrow
        The form for a phone.
    """
    titles, rows = titles_of(document), document["rows"]
    said = "; ".join(f"{titles[row['entrant']]} wins {_odds(row)}" for row in rows[:8])
    title = "Places: % of seasons"
    with settings():
        svg = _Places(document, title, narrow).svg()
    return Plot("places", title, svg, f"Heat map of places. {said}{' and so on' if len(rows) > 8 else ''}.")


class _Places:
    """The measures of the heat map, and how it is drawn."""

    def __init__(self, document: Document, title: str, narrow: bool) -> None:
        self.document, self.title, self.narrow = document, title, narrow
        self.width = NARROW if narrow else WIDE
        self.rows: Sequence[Mapping[str, Any]] = document["rows"]
        titles = titles_of(document)
        self.names = [titles[row["entrant"]] for row in self.rows]
        count = len(self.rows)
        self.size = 8.5 if narrow else BODY if count <= 24 else 9.0
        longest = max(text_width(name, self.size) for name in self.names) * 0.94 + 12
        self.left = min(longest, self.width * (0.30 if narrow else 0.26))
        self.right = 64.0 if narrow else 134.0
        self.each = min(WIDEST, (self.width - self.left - self.right) / count)
        self.high = min(TALLEST, max(18.0, self.each))
        self.lines = wrapped(self._notes(), self.width)
        self.top = 30 + LINE * len(self.lines) + 26

    def _notes(self) -> str:
        document = self.document
        level = f"{100 * document['level']:g} %"
        if document["how"] == "exact":
            return "Solved: exact shares. On the right: title odds."
        words = "drawn" if document["how"] == "matrix" else "played"
        text = f"{document['seasons']:,} seasons {words}; every row and every column adds up to 100. "
        if document["divisions"]:
            text = f"{document['seasons']:,} seasons {words}; places count through all divisions. "
        return text + f"On the right: title odds with their intervals, {level} for all together."

    def svg(self) -> str:
        """Return the plot."""
        count = len(self.rows)
        wide, tall = self.each * count, self.high * count
        sheet = Canvas(self.width, self.top + tall + 50)
        sheet.heading(self.title, self.lines)
        frame = sheet.frame(Box(self.left, self.top, wide, tall), (0, count), (count, 0))
        step = 1 if self.each >= 13 else 2 if self.each >= 7 else 5
        for k in range(0, count, step):
            at = self.left + self.each * (k + 0.5)
            sheet.text(at, self.top - 9, str(k + 1), ha="center", color=MUTED, fontsize=9)
        room = max(4, int((self.left - 6) / (self.size * 0.55)))
        for y, row in enumerate(self.rows):
            middle = self.top + self.high * (y + 0.5)
            sheet.text(0, middle, short(self.names[y], room), fontsize=self.size)
            for x, value in enumerate(row["places"]):
                self._field(sheet, frame, x, y, value["estimate"])
            self._title(sheet, row, middle)
        for end in self._ends():
            bars(frame.axes, [((0, end), (count, end))], colors=MUTED, linewidths=1.2, zorder=3)
        sheet.text(self.left + wide + 10, self.top - 9, "title, %", color=MUTED, fontsize=9)
        self._key(sheet, self.top + tall + 20)
        return sheet.svg()

    def _ends(self) -> list[int]:
        """List the places after which a division ends."""
        sizes = [len(division["start"]) for division in self.document["divisions"]]
        return [sum(sizes[: k + 1]) for k in range(len(sizes) - 1)]

    def _field(self, sheet: Canvas, frame: Frame, x: int, y: int, share: float) -> None:
        shade = fields.colour(min(share, DEEP), (0.0, DEEP), diverging=False)
        frame.axes.add_artist(Rectangle((x, y), 1, 1, facecolor=shade, edgecolor=PAPER, linewidth=1.0))
        if self.each >= WORDS_FROM:
            at = self.left + self.each * (x + 0.5), self.top + self.high * (y + 0.5)
            size = min(BODY, self.each * 0.42)
            sheet.text(*at, _whole(share), ha="center", color=fields.ink(shade), fontsize=size)

    def _title(self, sheet: Canvas, row: Mapping[str, Any], middle: float) -> None:
        """Write the title odds of a row."""
        x = self.left + self.each * len(self.rows) + 10
        size = min(9.5, self.high * 0.5)
        value = row["title"]
        number = f"{100 * value['estimate']:.1f}"
        sheet.text(x, middle, number, fontsize=size, fontweight="bold")
        if not self.narrow:
            interval = row["fraction"] or format_interval(estimate_of(value), "share").removesuffix(" %")
            sheet.text(x + 36, middle, short(interval, 18), fontsize=size, color=MUTED)

    def _key(self, sheet: Canvas, y: float) -> None:
        """Draw the scale of colours."""
        wide, steps = min(180.0, self.width - self.left - 60), 30
        frame = sheet.frame(Box(self.left, y - 5, wide, 10), (0, steps), (1, 0))
        for k in range(steps):
            shade = fields.colour((k + 0.5) / steps * DEEP, (0.0, DEEP), diverging=False)
            frame.axes.add_artist(Rectangle((k, 0), 1, 1, facecolor=shade, edgecolor=shade, linewidth=0.6))
        for part in (0.0, 1 / 3, 2 / 3, 1.0):
            text = f"{100 * DEEP * part:.0f}" + (" and more" if part == 1 else "")
            sheet.text(self.left + wide * part, y + 15, text, ha="center", color=MUTED, fontsize=9)
        if not self.narrow:
            sheet.text(self.left + wide + 14, y, "% of seasons on this place", color=MUTED, fontsize=9.5)


def _odds(row: Mapping[str, Any]) -> str:
    value = row["title"]
    return f"{100 * value['estimate']:.1f} % ({format_interval(estimate_of(value), 'share')})"


def _whole(share: float) -> str:
    """Write a share in whole per cent; 0 and 100 for sure alone."""
    value = round(100 * share)
    if value == 100 and share < 1:
        return ">99"
    return "<1" if value == 0 and share > 0 else f"{value}"


def points(document: Document, *, narrow: bool = False) -> Plot:
    """Draw the mean points of every entrant with the interval of the mean, over how far single seasons lie apart."""
    titles, rows = titles_of(document), sorted(document["rows"], key=lambda row: -row["points"]["estimate"])
    width = NARROW if narrow else WIDE
    names = [titles[row["entrant"]] for row in rows]
    texts = [f"{row['points']['estimate']:.1f}, sd {row['spread']['estimate']:.1f}" for row in rows]
    lows = [row["points"]["estimate"] - row["spread"]["estimate"] for row in rows]
    highs = [row["points"]["estimate"] + row["spread"]["estimate"] for row in rows]
    level = f"{100 * document['level']:g} %"
    note = "dot: mean points of a season; pale bar: one standard deviation of single seasons to either side"
    if document["how"] != "exact":
        note += f"; dark bar: interval of the mean, {level} for all together"
    title = "Points of a season"
    lines = wrapped(note, width)
    step = 34.0 if narrow else 22.0
    left = 8.0 if narrow else min(max(text_width(name) for name in names) * 0.94 + 12, 240.0)
    right = 12.0 if narrow else max(text_width(text, 10) for text in texts) + 14
    top = 34 + LINE * len(lines)
    axis = scale(min(lows), max(highs), "count", 4 if narrow else 7)
    with settings():
        sheet = Canvas(width, top + step * len(rows) + 52)
        sheet.heading(title, lines)
        sheet.text(left + (width - left - right) / 2, top + step * len(rows) + 40, "points", ha="center", color=MUTED)
        box = Box(left, top, width - left - right, step * len(rows))
        frame = sheet.frame(box, (axis.low, axis.high), (len(rows), 0))
        frame.upright_grid(axis.ticks)
        frame.below(axis.ticks, axis.labels)
        middle = [k + (0.72 if narrow else 0.5) for k in range(len(rows))]
        wide = [((low, y), (high, y)) for low, high, y in zip(lows, highs, middle, strict=True)]
        bars(frame.axes, wide, colors=SPREAD, linewidths=7.0, zorder=1)
        sure = [((row["points"]["low"], y), (row["points"]["high"], y)) for row, y in zip(rows, middle, strict=True)]
        bars(frame.axes, sure, colors=BLUE)
        frame.axes.plot([row["points"]["estimate"] for row in rows], middle, **dots(DOT, 6), zorder=3)
        for k, name in enumerate(names):
            y = top + step * (k + (0.28 if narrow else 0.5))
            room = int((width - text_width(texts[k], 10) if narrow else left - 6) / (BODY * 0.55))
            sheet.text(0, y, short(name, room))
            sheet.text(width, y, texts[k], ha="right", color=MUTED, fontsize=10)
        svg = sheet.svg()
    said = "; ".join(f"{name} {text}" for name, text in zip(names[:6], texts, strict=False))
    return Plot("points", title, svg, f"Plot of intervals. {title}: {said}{' and so on' if len(rows) > 6 else ''}.")
