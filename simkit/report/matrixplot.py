"""Plots of everybody against everybody: who beats whom as a table of colours, ratings, and what players would pick."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from matplotlib.patches import Rectangle

from simkit.balance.matrix.said import titles_of
from simkit.balance.wording import at_most
from simkit.report import fields
from simkit.report.canvas import (
    BODY,
    LINE,
    NARROW,
    WIDE,
    Box,
    Canvas,
    Frame,
    Scale,
    bars,
    dots,
    scale,
    text_width,
    wrapped,
)
from simkit.report.plots import Plot
from simkit.report.style import BLUE, FAINT, GREEN, INK, MUTED, PAPER, Mark, settings
from simkit.report.words import Document, number, short

SCORES = (0.0, 1.0)
"""Ends of the scale of colours, which is pale at one half."""

SEATS = (-0.05, 0.05)
"""Ends of the scale of the seat's strip."""

LARGEST, SMALLEST = 44.0, 11.0
"""Sides of a field in pixels, at most and where it can be helped."""

WORDS_FROM = 15.0
"""Side of a field from which its number finds room."""

HATCH, PALE = "#7d8791", "#cdd3d8"
HATCHES = ((0.0, 0.4, 0.4, 0.0), (0.0, 0.9, 0.9, 0.0), (0.3, 1.0, 1.0, 0.3), (0.8, 1.0, 1.0, 0.8))
"""Slanting lines over a field with sides of 1."""

FILLED, HOLLOW = Mark("o", "●", BLUE), Mark("o", "○", BLUE, filled=False)


class Bar(NamedTuple):
    """One row of a plot of intervals."""

    name: str
    estimate: float
    low: float
    high: float
    text: str
    hollow: bool = False


def heat(document: Document, groups: Sequence[Mapping[str, Any]], *, narrow: bool = False) -> Plot:
    """Draw who beats whom: rows and columns by rating, orange below one half, blue above, hatched what is open.

    Parameters
    ----------
    document
        What ``report.json`` holds, cleaned.
    groups
        Those to be shown; several stand one below the other, with nothing where sides have not met.
    narrow
        The form for a phone.
    """
    counts = document["counts"]
    title = "Scores in %, row against column"
    alt = (
        f"Heat map. {title}. Of {sum(counts.values())} pairs {counts['first'] + counts['second']} have a better side, "
        f"{counts['fair']} are even, {counts['undecided']} are not resolved."
    )
    with settings():
        return Plot("matrix", title, _Heat(document, groups, title, narrow).svg(), alt)


class _Heat:
    """The measures of one heat map, and how it is drawn."""

    def __init__(self, document: Document, groups: Sequence[Mapping[str, Any]], title: str, narrow: bool) -> None:
        self.document, self.title, self.narrow = document, title, narrow
        self.width = NARROW if narrow else WIDE
        titles = titles_of(document)
        self.rows = [row for group in groups for row in group["rows"]]
        self.ends = [sum(len(group["rows"]) for group in groups[: k + 1]) for k in range(len(groups) - 1)]
        self.ids = [row["side"] for row in self.rows]
        costs = _costs(document)
        self.names = [f"{titles[id]} ({costs[id]})" if id in costs else titles[id] for id in self.ids]
        count = len(self.rows)
        size = min(self.size, max(4.5, 0.68 * self.width / count * 0.8))
        longest = max(text_width(f"{count}  {name}", size) for name in self.names)
        self.left = min(longest + 8, self.width * (0.34 if narrow else 0.27))
        self.strip = 30.0 if narrow else 58.0
        self.each = min(LARGEST, (self.width - self.left - self.strip - 8) / count)
        self.lines = self._notes()
        self.top = 30 + 19 * (len(wrapped(title, self.width - 8, 14 * 1.06)) - 1) + LINE * len(self.lines) + 24

    @property
    def size(self) -> float:
        """Size of the names."""
        return 8.0 if self.narrow else min(BODY, 10.0 if len(self.rows) > 24 else BODY)

    def _notes(self) -> list[str]:
        document = self.document
        together = f"{100 * document['level']:g} % for all {sum(document['counts'].values()):,} pairs together"
        scores = [pair["score"] for pair in document["pairs"]]
        worst = max(max(one["high"] - one["estimate"], one["estimate"] - one["low"]) for one in scores)
        text = f"Each row against each column, both by rating, from both seats; each to {at_most(worst, 'points')} "
        text += f"or better ({together}). "
        if document["counts"]["undecided"]:
            text += "Hatched: not resolved. "
        if document["counts"]["fair"]:
            text += f"Framed: even within {number(document['fair_within'], 'points')}. "
        if _costs(document):
            text += f"In brackets: {unit_of(document)}. "
        return wrapped(text + "On the right: how many points more each scores with the first seat.", self.width)

    def svg(self) -> str:
        """Return the plot."""
        count = len(self.rows)
        side = self.each * count
        sheet = Canvas(self.width, self.top + side + 58)
        sheet.heading(self.title, self.lines)
        frame = sheet.frame(Box(self.left, self.top, side, side), (0, count), (count, 0))
        self._words(sheet, side)
        known = {(pair["a"], pair["b"]): pair for pair in self.document["pairs"]}
        for y, one in enumerate(self.ids):
            for x, other in enumerate(self.ids):
                if one == other:
                    frame.axes.plot([x + 0.5], [y + 0.5], **dots(Mark("o", "●", FAINT), 2))
                elif (pair := known.get((one, other)) or known.get((other, one))) is not None:
                    self._field(sheet, frame, x, y, pair, turned=pair["a"] != one)
        for end in self.ends:
            bars(frame.axes, [((0, end), (count, end)), ((end, 0), (end, count))], colors=INK, linewidths=0.8)
        self._seats(sheet, side)
        self._key(sheet, self.top + side + 22)
        return sheet.svg()

    def _words(self, sheet: Canvas, side: float) -> None:
        """Write who stands where: names and places on the left, places on top."""
        size = min(self.size, max(4.5, self.each * 0.8))
        room = max(4, int((self.left - 22) / (size * 0.53)))
        step = 1 if self.each >= 11 else 2 if self.each >= 6 else 5
        for k, name in enumerate(self.names):
            y = self.top + self.each * (k + 0.5)
            sheet.text(14, y, str(k + 1), ha="right", color=MUTED, fontsize=size)
            sheet.text(18, y, short(name, room), fontsize=size)
            if k % step == 0:
                at = self.left + self.each * (k + 0.5)
                sheet.text(at, self.top - 8, str(k + 1), ha="center", color=MUTED, fontsize=min(8.5, size + 0.5))

    def _field(self, sheet: Canvas, frame: Frame, x: int, y: int, pair: Mapping[str, Any], *, turned: bool) -> None:
        score = 1.0 - pair["score"]["estimate"] if turned else pair["score"]["estimate"]
        shade = fields.colour(score, SCORES, diverging=True)
        rim = 1.0 if self.each > 12 else 0.4
        frame.axes.add_artist(Rectangle((x, y), 1, 1, facecolor=shade, edgecolor=PAPER, linewidth=rim))
        if pair["word"] == "undecided":
            _hatch(frame, x, y, HATCH)
        elif pair["word"] == "fair":
            inner = Rectangle((x + 0.06, y + 0.06), 0.88, 0.88, facecolor="none", edgecolor=GREEN, linewidth=1.4)
            frame.axes.add_artist(inner)
        if self.each >= WORDS_FROM:
            at = self.left + self.each * (x + 0.5), self.top + self.each * (y + 0.5)
            text = _whole(score)
            size = min(BODY, self.each * (0.46 if len(text) < 3 else 0.38))
            sheet.text(*at, text, ha="center", color=fields.ink(shade), fontsize=size)

    def _seats(self, sheet: Canvas, side: float) -> None:
        """Draw the strip of the seat."""
        count = len(self.rows)
        left = self.left + side + 8
        frame = sheet.frame(Box(left, self.top, self.strip - 8, side), (0, 1), (count, 0))
        sheet.text(left + (self.strip - 8) / 2, self.top - 8, "seat", ha="center", color=MUTED, fontsize=8)
        for y, row in enumerate(self.rows):
            value = row["seat"]
            inside = min(max(value["estimate"], SEATS[0]), SEATS[1])
            shade = fields.colour(inside, SEATS, diverging=True)
            frame.axes.add_artist(Rectangle((0, y), 1, 1, facecolor=shade, edgecolor=PAPER, linewidth=1.0))
            if value["low"] <= 0.0 <= value["high"]:
                _hatch(frame, 0, y, PALE)
            if self.each >= WORDS_FROM and not self.narrow:
                at = left + (self.strip - 8) / 2, self.top + self.each * (y + 0.5)
                size = min(9.5, self.each * 0.5)
                sheet.text(*at, _signed(value["estimate"]), ha="center", color=fields.ink(shade), fontsize=size)

    def _key(self, sheet: Canvas, y: float) -> None:
        """Draw the scale of colours."""
        wide = min(200.0, self.width - self.left - 60)
        steps = 40
        frame = sheet.frame(Box(self.left, y - 5, wide, 10), (0, steps), (1, 0))
        for k in range(steps):
            shade = fields.colour((k + 0.5) / steps, SCORES, diverging=True)
            frame.axes.add_artist(Rectangle((k, 0), 1, 1, facecolor=shade, edgecolor=shade, linewidth=0.6))
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            sheet.text(self.left + wide * share, y + 15, f"{100 * share:.0f}", ha="center", color=MUTED, fontsize=9)
        if not self.narrow:
            sheet.text(self.left + wide + 14, y, "% of the points, a draw half", color=MUTED, fontsize=9.5)


def _hatch(frame: Frame, x: int, y: int, colour: str) -> None:
    """Hatch a field: what it shows is not resolved. Lines of our own look alike at every size."""
    ends = [((x + a, y + b), (x + c, y + d)) for a, b, c, d in HATCHES]
    bars(frame.axes, ends, colors=colour, linewidths=0.9, zorder=1.5)


def _whole(score: float) -> str:
    """Write a share in whole per cent; nothing that was played is 0 or 100 for sure."""
    value = round(100 * score)
    return ">99" if value == 100 else "<1" if value == 0 else f"{value}"


def _signed(share: float) -> str:
    """Write a difference of shares in points with one decimal."""
    text = f"{100 * share:+.1f}"
    return "0.0" if text in ("-0.0", "+0.0") else text


def ratings(document: Document, group: Mapping[str, Any], *, narrow: bool = False) -> Plot:
    """Draw the rating of every side of a group with its interval."""
    titles, costs = titles_of(document), _costs(document)
    rows = []
    for row in group["rows"]:
        value = row["rating"]
        text = f"{value['estimate']:+.0f} ({value['low']:+.0f} to {value['high']:+.0f})"
        cost = costs.get(row["side"])
        name = titles[row["side"]] + (f" ({cost})" if cost is not None and group["budget"] is None else "")
        rows.append(Bar(name, value["estimate"], value["low"], value["high"], text))
    notes = [f"{100 * document['level']:g} % for all {len(rows)} ratings together; the mean of all is 0"]
    if costs and group["budget"] is None:
        notes.append(f"in brackets: {unit_of(document)}")
    name = _named("ratings", group)
    return _drawn(name, "Ratings in Elo points", notes, rows, "count", 0.0, narrow)


def bargains(document: Document, group: Mapping[str, Any], *, narrow: bool = False) -> Plot:
    """Draw the points of every side of a group for each unit of its budget, the best bargain on top."""
    titles, costs = titles_of(document), _costs(document)
    rows = []
    for row in sorted(group["rows"], key=lambda row: -row["per_budget"]["estimate"]):
        value = row["per_budget"]
        text = f"{value['estimate']:.1f} ({value['low']:.1f} to {value['high']:.1f})"
        name = f"{titles[row['side']]} ({costs[row['side']]})"
        rows.append(Bar(name, value["estimate"], value["low"], value["high"], text))
    unit = unit_of(document)
    notes = [f"mean score in % against all others, for each of its {unit} (in brackets)"]
    notes.append(f"{100 * document['level']:g} % for all {len(rows)} together")
    return _drawn(
        _named("bargains", group), f"Points for the {unit} that a side costs", notes, rows, "count", None, narrow
    )


def picks(document: Document, group: Mapping[str, Any], *, narrow: bool = False) -> Plot:
    """Draw how often each side would be picked, and how often it could be, by players who know all scores."""
    titles = titles_of(document)
    rows = []
    for row in sorted(group["rows"], key=lambda row: (-row["share"], -row["most"])):
        text = f"{_whole(row['share'])} % ({100 * row['least']:.0f} to {100 * row['most']:.0f})"
        rows.append(Bar(titles[row["side"]], row["share"], row["least"], row["most"], text, row["share"] < 0.01))
    shown = rows[:MOST_PICKS]
    band = number(document["fair_within"], "points")
    notes = [
        f"dot: the most even mixture on which nobody gains more than {band}; bar: its share in all such mixtures that "
        "the intervals of the scores allow"
    ]
    if len(shown) < len(rows):
        notes.append(f"the {len(shown)} most often picked of {len(rows)}")
    return _drawn(
        _named("picks", group), "What players would pick who know all scores", notes, shown, "share", None, narrow
    )


MOST_PICKS = 16


def _named(stem: str, group: Mapping[str, Any]) -> str:
    return stem if group["name"] == "all" else f"{stem}-{group['name'].replace(' ', '-')}"


def _costs(document: Document) -> dict[str, int]:
    """Return what the sides cost, by id; nothing where they all cost the same."""
    found = {side["id"]: side["budget"]["amount"] for side in document["sides"] if side["budget"] is not None}
    return found if len(set(found.values())) > 1 else {}


def unit_of(document: Document) -> str:
    """Return what is counted when it is told what sides cost."""
    return str(next(side["budget"]["unit"] for side in document["sides"] if side["budget"] is not None))


def _drawn(
    name: str, title: str, notes: Sequence[str], rows: Sequence[Bar], kind: Any, line: float | None, narrow: bool
) -> Plot:
    """Draw rows of intervals."""
    said = "; ".join(f"{row.name} {row.text}" for row in rows[:6])
    with settings():
        svg = _Rows(title, notes, rows, kind, line, narrow).svg()
    return Plot(name, title, svg, f"Plot of intervals. {title}: {said}{' and so on' if len(rows) > 6 else ''}.")


class _Rows:
    """The measures of a plot of intervals, and how it is drawn."""

    def __init__(
        self, title: str, notes: Sequence[str], rows: Sequence[Bar], kind: Any, line: float | None, narrow: bool
    ) -> None:
        self.title, self.rows, self.line, self.narrow = title, rows, line, narrow
        self.width = NARROW if narrow else WIDE
        self.step = 34.0 if narrow else 20.0
        self.notes = [piece for note in notes for piece in wrapped(note, self.width)]
        self.top = 34 + 19 * (len(wrapped(title, self.width - 8, 14 * 1.06)) - 1) + LINE * len(self.notes)
        ends = [end for row in rows for end in (row.low, row.high, row.estimate)] + ([] if line is None else [line])
        self.scale: Scale = scale(min(ends), max(ends), kind, 4 if narrow else 7)
        self.left = 8.0 if narrow else min(max(text_width(row.name) for row in rows) * 0.94 + 12, 240.0)
        self.right = 12.0 if narrow else max(text_width(row.text, 10) for row in rows) * 0.94 + 18

    def svg(self) -> str:
        """Return the plot."""
        high = self.step * len(self.rows)
        sheet = Canvas(self.width, self.top + high + 34)
        sheet.heading(self.title, self.notes)
        box = Box(self.left, self.top, self.width - self.left - self.right, high)
        frame = sheet.frame(box, (self.scale.low, self.scale.high), (len(self.rows), 0))
        frame.upright_grid(self.scale.ticks)
        frame.below(self.scale.ticks, self.scale.labels)
        if self.line is not None:
            bars(frame.axes, [((self.line, 0), (self.line, len(self.rows)))], colors=MUTED, linewidths=1.0, zorder=1)
        middle: Callable[[int], float] = lambda k: k + (0.72 if self.narrow else 0.5)  # noqa: E731
        bars(
            frame.axes, [((row.low, middle(k)), (row.high, middle(k))) for k, row in enumerate(self.rows)], colors=BLUE
        )
        for sign, hollow in ((FILLED, False), (HOLLOW, True)):
            some = [(row.estimate, middle(k)) for k, row in enumerate(self.rows) if row.hollow == hollow]
            if some:
                frame.axes.plot([x for x, _ in some], [y for _, y in some], **dots(sign, 6), zorder=3)
        for k, row in enumerate(self.rows):
            y = self.top + self.step * (k + (0.28 if self.narrow else 0.5))
            room = int((self.width - text_width(row.text, 10) if self.narrow else self.left - 6) / (BODY * 0.55))
            sheet.text(0, y, short(row.name, room))
            sheet.text(self.width, y, row.text, ha="right", color=MUTED, fontsize=10)
        return sheet.svg()
