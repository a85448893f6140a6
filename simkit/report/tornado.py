"""Tornado: how far every ruling moves the answer when it is read another way, the widest on top."""

import itertools
from collections.abc import Sequence

from matplotlib.collections import PolyCollection

from simkit.report import swings
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
    dots,
    key_rows,
    scale,
    text_width,
    wrapped,
)
from simkit.report.style import BLUE, FAINT, INK, MUTED
from simkit.report.swings import MARKS, Row, moved
from simkit.report.words import Document, metric_unit, short, spelt, value_and_interval

MOST_RULES = 12
"""Rules that are drawn, and besides them those that every report shows; the table has all."""

SMALL = 9.5
"""Size of a rule's sentence."""

MOST_LINES = 3
"""Lines of a rule's sentence."""

MOST_NAME = 140.0
"""Widest column of names of readings."""

STEP = 22.0
"""Height of a reading."""

ABOVE = (40.0, 54.0)
"""The same on a phone, where its name and numbers stand above it: in one line, or in two where one has no room."""

KEYS = {
    "flips": "verdict would flip",
    "decides": "verdict would be decided",
    "undecided": "not resolved",
    "holds": "verdict holds",
}


def fits(document: Document) -> bool:
    """Tell whether there is something to see: a reading that changes something."""
    return bool(chosen(document))


def chosen(document: Document) -> list[list[Row]]:
    """Return the readings to draw by rule: the widest rules, and those that every report shows."""
    groups = [list(rows) for _, rows in itertools.groupby(swings.rows(document), key=lambda row: row["path"])]
    moving = [rows for rows in groups if any(row["method"] != "exact" for row in rows)]
    if not moving:
        return []
    shown = {rows[0]["path"] for rows in moving[:MOST_RULES]}
    return [rows for rows in groups if rows[0]["path"] in shown or rows[0]["pinned"]]


def title(document: Document) -> str:
    """Return the title of the plot."""
    return f"How far other readings of the rules move {swings.what(document)}"


def alt(document: Document) -> str:
    """Say the plot in words."""
    return f"Tornado plot. {title(document)}. {' '.join(swings.summary(document))}"


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG.

    Raises
    ------
    ValueError
        No reading of this document moves anything.
    """
    if not fits(document):
        raise ValueError("a tornado needs other readings of the rules that were played; this document has none")
    return _Tornado(document, narrow).svg()


def _heading(row: Row, room: int) -> str:
    """Name a rule with the value that it has; without it where there is no room and the sentence tells enough."""
    whole = str(row["now_label"]) if row["named"] else f"{row['title']}: {row['now_label']}"
    return whole if len(whole) <= room else str(row["title"])


class _Tornado:
    """The measures of one tornado, and how it is drawn."""

    def __init__(self, document: Document, narrow: bool) -> None:
        self.document, self.narrow = document, narrow
        self.width = NARROW if narrow else WIDE
        self.groups = chosen(document)
        self.rows = [row for rows in self.groups for row in rows]
        self.kind = swings.unit(document)
        self.left, self.beside, self.right = (10.0, 0.0, 10.0) if narrow else self._columns()
        self.step = ABOVE[any(not self._beside(row) for row in self.rows)] if narrow else STEP
        self.sentences = [self._sentence(rows[0]) for rows in self.groups]
        self.notes = [line for text in self._notes() for line in wrapped(text, self.width)]
        self.words = [word for word in MARKS if any(row["word"] == word for row in self.rows)]
        self.first = 30 + 19 * (len(wrapped(title(document), self.width - 8, TITLE * 1.06)) - 1)
        self.first += LINE * len(self.notes) + 26

    def _notes(self) -> list[str]:
        found = swings.of(self.document) or {}
        rules = len({row["path"] for row in swings.rows(self.document)})
        family = [str(found["family"])] if found["family"] else []
        cut = [f"{len(self.groups)} of {rules} rules, those that move it most; the table has all"]
        return [*family, *(cut if rules > len(self.groups) else [])]

    def _columns(self) -> tuple[float, float, float]:
        """Return the widths of the rules, of the names of readings, and of the numbers."""
        name = max(text_width(str(row["label"])) for row in self.rows)
        self.value = max(text_width(moved(self.document, row)[0]) for row in self.rows)
        interval = max(text_width(moved(self.document, row)[1]) for row in self.rows) * 0.94
        return 200.0, min(name + 8, MOST_NAME), 12 + self.value + 10 + interval

    def _beside(self, row: Row) -> bool:
        """Tell whether the name of a reading has room beside its numbers on a phone."""
        numbers = spelt(*moved(self.document, row))
        return text_width(str(row["label"])) + text_width(f"  {numbers}", 10.5) <= self.width

    def _sentence(self, row: Row) -> list[str]:
        """Return the lines of a rule's sentence, three at most; the table has it in full."""
        lines = wrapped(str(row["says"]), self.width if self.narrow else self.left - 14, SMALL)
        if len(lines) > MOST_LINES:
            lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1].rstrip('.,;:')} …"]
        return lines

    def _heights(self) -> list[float]:
        found = []
        for rows, said in zip(self.groups, self.sentences, strict=True):
            high = 16 + 13.0 * len(said)
            tall = self.step * len(rows)
            found.append(high + 10 + tall if self.narrow else max(tall, high) + 14)
        return found

    def svg(self) -> str:
        heights = self._heights()
        tops = [0.0, *itertools.accumulate(heights)]
        high = tops[-1]
        legend = [KEYS[word] for word in self.words if word in KEYS]
        tail = 56 + (LINE * key_rows(self.width, legend) + 4 if legend else 0)
        sheet = Canvas(self.width, self.first + high + tail)
        sheet.heading(title(self.document), self.notes)
        found = scale(*self._ends(), self.kind, 4 if self.narrow else 5)
        left = self.left + self.beside
        frame = sheet.frame(
            Box(left, self.first, self.width - left - self.right, high), (found.low, found.high), (high, 0)
        )
        frame.below(found.ticks, found.labels)
        if not self.narrow:
            frame.upright_grid(found.ticks)
        places = [
            self._rule(sheet, rows, said, top, height)
            for rows, said, top, height in zip(self.groups, self.sentences, tops, heights, strict=False)
        ]
        self._draw(frame, places, tops)
        self._zero(frame)
        sheet.text(left, self.first + high + 34, short(self._axis(), int((self.width - left) / 6)), color=MUTED)
        if legend:
            sheet.key(self.first + high + 56, list(zip([MARKS[word] for word in self.words], legend, strict=True)))
        return sheet.svg()

    def _ends(self) -> tuple[float, float]:
        return min(0.0, *(row["low"] for row in self.rows)), max(0.0, *(row["high"] for row in self.rows))

    def _axis(self) -> str:
        measure = "percentage points" if self.kind == "points" else metric_unit(self.document, self.document["metric"])
        return f"movement, {measure}"

    def _zero(self, frame: Frame) -> None:
        """Say what 0 stands for."""
        held = (swings.of(self.document) or {})["held"]
        kind = "share" if self.kind == "points" and not self._difference() else self.kind
        text = f"as played: {spelt(*value_and_interval(held, kind, difference=self._difference()))}"
        half = text_width(text) / 2
        x = min(max(frame.x(0.0), half), self.width - half)
        frame.sheet.text(x, self.first - 9, text, ha="center", color=MUTED)

    def _difference(self) -> bool:
        return (swings.of(self.document) or {})["baseline"] is not None

    def _rule(self, sheet: Canvas, rows: Sequence[Row], said: Sequence[str], top: float, height: float) -> list[float]:
        """Write a rule, its sentence, its readings and their numbers; return the heights of the readings."""
        y = self.first + top
        room = int((self.width if self.narrow else self.left - 6) / (BODY * 0.6))
        sheet.text(0, y + 9, short(_heading(rows[0], room), room), fontweight="bold")
        for k, text in enumerate(said):
            sheet.text(0, y + 24 + 13 * k, text, color=MUTED, fontsize=SMALL)
        begin = top + (18 + 13 * len(said) if self.narrow else (height - 14 - STEP * len(rows)) / 2)
        places = [begin + self.step * (k + 1) - (11 if self.narrow else STEP / 2) for k in range(len(rows))]
        for row, place in zip(rows, places, strict=True):
            self._reading(sheet, row, place)
        return places

    def _draw(self, frame: Frame, places: Sequence[Sequence[float]], tops: Sequence[float]) -> None:
        """Draw the bars from the lowest to the highest movement of every rule, and every reading on them."""
        across = frame.across
        boxes, zeros = [], [] if self.narrow else [(0.0, frame.down[0])]
        for rows, spots in zip(self.groups, places, strict=True):
            ends = [0.0, *(float(row["estimate"]) for row in rows)]
            low, high = min(ends), max(ends)
            spans = [(spot - 7, spot + 7) for spot in spots] if self.narrow else [(spots[0] - 8, spots[-1] + 8)]
            boxes += [[(low, above), (high, above), (high, below), (low, below)] for above, below in spans]
            zeros += [(above - 2, below + 2) for above, below in spans] if self.narrow else []
        frame.axes.add_collection(PolyCollection(boxes, facecolors=BLUE, alpha=0.2, linewidths=0, zorder=1), False)
        bars(frame.axes, [((0.0, above), (0.0, below)) for above, below in zeros], colors=INK, linewidths=1.2, zorder=1)
        if not self.narrow:
            edges = [((across[0], top - 5), (across[1], top - 5)) for top in tops[1:]]
            bars(frame.axes, edges, colors=FAINT, linewidths=1, zorder=0)
        flat = list(zip(self.rows, itertools.chain.from_iterable(places), strict=True))
        for word in self.words:
            some = [(row, spot) for row, spot in flat if row["word"] == word]
            mark = MARKS[word]
            lines = [((row["low"], spot), (row["high"], spot)) for row, spot in some if row["method"] != "exact"]
            bars(frame.axes, lines, colors=mark.colour)
            frame.axes.plot(
                [row["estimate"] for row, _ in some], [spot for _, spot in some], **dots(mark, 6.5), zorder=3
            )

    def _name(self, sheet: Canvas, label: str, y: float) -> None:
        """Write the name of a reading left of the plot, in two small lines where one has no room for it."""
        x = self.left + self.beside - 8
        if text_width(label) <= self.beside - 8:
            sheet.text(x, y, label, ha="right", color=INK)
            return
        lines = wrapped(label, self.beside - 8, SMALL)
        lines = lines if len(lines) <= 2 else [lines[0], short(" ".join(lines[1:]), int(self.beside / 5.4))]
        for k, text in enumerate(lines):
            sheet.text(x, y + 10.5 * (k - (len(lines) - 1) / 2), text, ha="right", color=INK, fontsize=SMALL)

    def _reading(self, sheet: Canvas, row: Row, place: float) -> None:
        """Write the name and the numbers of a reading."""
        y = self.first + place
        value, interval = moved(self.document, row)
        label = str(row["label"])
        if self.narrow:
            numbers = spelt(value, interval)
            up = 17 if self.step == ABOVE[0] else 31
            sheet.text(0, y - up, short(label, int(self.width / (BODY * 0.6))), color=INK)
            sheet.text(self.width, y - 17, numbers, ha="right", color=INK, fontsize=10.5)
            return
        self._name(sheet, label, y)
        edge = self.width - self.right + 12 + self.value
        sheet.text(edge, y, value, ha="right", color=INK)
        sheet.text(edge + 10, y, interval, color=MUTED, fontsize=10)
