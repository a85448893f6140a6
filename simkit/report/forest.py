"""Forest plot: one row a cell, its value a mark on its interval, against the line that is in question."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simkit.lab.estimates import SUFFIX
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
    key_rows,
    scale,
    text_width,
    wrapped,
)
from simkit.report.facets import several
from simkit.report.rows import named
from simkit.report.style import BAND, FAINT, INK, MARKS, MUTED
from simkit.report.verdicts import band, said, shade, shades
from simkit.report.words import (
    Document,
    axis_label,
    baseline,
    compared,
    counted,
    judged_unit,
    number,
    short,
    spelt,
    target,
    value_and_interval,
)

MOST_ROWS = 60
SHOWN = 40
"""Rows that are shown of more than ``MOST_ROWS``: the most extreme."""

MOST_NAME = 300.0
"""Widest column of names."""

Row = Mapping[str, Any]


def fits(document: Document) -> bool:
    """Tell whether there is something to see: a single value with nothing to hold it against has a better plot."""
    from simkit.report.profile import fits as profiled

    return len(document["verdict"]["rows"]) > 1 or target(document) is not None or not profiled(document)


def title(document: Document) -> str:
    """Return the title of the plot."""
    metric = document["metric"]
    if compared(document):
        return f"'{metric}': difference from {baseline(document)}"
    if document["target"] is not None:
        return f"'{metric}' against the target of {number(document['target'], judged_unit(document))}"
    return f"'{metric}' in every cell"


def alt(document: Document) -> str:
    """Say the plot in words."""
    counts = "; ".join(f"{count:,} {said(document, word)}" for word, count in shades(document).items())
    judged = counted(len(document["verdict"]["rows"]), "comparison" if compared(document) else "cell")
    return f"Forest plot. {title(document)}; of {judged}: {counts}. {document['verdict']['answer']}"


def chosen(document: Document) -> tuple[list[Row], str]:
    """Return the rows to draw, and a note where they are not all."""
    rows: list[Row] = list(document["verdict"]["rows"])
    if len(rows) <= MOST_ROWS:
        return rows, ""
    line = target(document)
    if line is None:
        ordered = sorted(rows, key=lambda row: float(row["estimate"]), reverse=True)
        rows = ordered[: SHOWN // 2] + ordered[-SHOWN // 2 :]
        note = f"the {SHOWN // 2} highest and the {SHOWN // 2} lowest of {len(ordered):,} cells"
    else:
        ordered = sorted(rows, key=lambda row: abs(float(row["estimate"]) - line), reverse=True)
        rows = sorted(ordered[:SHOWN], key=lambda row: float(row["estimate"]), reverse=True)
        note = f"the {SHOWN} most extreme of {len(ordered):,} cells"
    return rows, note


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG."""
    return _Forest(document, narrow).svg()


class _Forest:
    """The measures of one forest plot, and how it is drawn."""

    def __init__(self, document: Document, narrow: bool) -> None:
        self.document, self.narrow = document, narrow
        self.width = NARROW if narrow else WIDE
        self.kind = judged_unit(document)
        self.rows, note = chosen(document)
        self.cells = {cell["cell"]: cell for cell in document["cells"]}
        self.groups, made_of = self._named(cut=bool(note))
        texts = (note, document["verdict"]["family"], made_of)
        self.notes = [line for text in texts if text for line in wrapped(text, self.width)]
        self.numbers = [value_and_interval(row, self.kind, difference=compared(document)) for row in self.rows]
        self.shades = [shade(document, row) for row in self.rows]
        self.words = [word for word in MARKS if word in self.shades]
        self.stacked = narrow and any(  # no room for a name beside its numbers
            text_width(name) + text_width(f"  {spelt(*told)}", 10.5) + (8 if group else 0) > self.width
            for (group, name), told in zip(self.groups, self.numbers, strict=True)
        )
        self.step = 25 if not narrow else 54 if self.stacked else 38
        self.drop = 12.5 if not narrow else self.step - 12.0
        self.first = 30 + 19 * (len(wrapped(title(document), self.width - 8, 14 * 1.06)) - 1)
        self.first += LINE * len(self.notes) + (26 if self.target is not None else 8)

    @property
    def target(self) -> float | None:
        return target(self.document)

    def _named(self, *, cut: bool) -> tuple[list[tuple[str, str]], str]:
        """Return the heading and the name of every row, and what the names are made of."""
        own = self.document["baseline"] or {}
        paths = [axis["path"] for axis in several(self.document) if axis["path"] not in own]
        cells = [self.cells[row["cell"]] for row in self.rows]
        if len({tuple(cell["labels"][path] for path in own) for cell in cells}) > 1 or not paths:
            paths += list(own)
        return named(self.document, cells, paths, self.narrow, cut=cut)

    def svg(self) -> str:
        tops, height = self._tops()
        bottom = self.first + height
        legend = [said(self.document, word) for word in self.words] if self.words != ["measured"] else []
        tail = 56 + (LINE * key_rows(self.width, legend) + 4 if legend else 0)
        sheet = Canvas(self.width, bottom + tail)
        sheet.heading(title(self.document), self.notes)
        left, right = self._columns()
        found = scale(*self._ends(), self.kind, 4 if self.narrow else 6)
        box = Box(left, self.first, self.width - left - right, height)
        frame = sheet.frame(box, (found.low, found.high), (height, 0))
        frame.below(found.ticks, found.labels)
        self._lines(frame, found, tops)
        for word in self.words:
            rows = [(row, top) for row, top, one in zip(self.rows, tops, self.shades, strict=True) if one == word]
            mark = MARKS[word]
            bars(frame.axes, [((row["low"], top), (row["high"], top)) for row, top in rows], colors=mark.colour)
            frame.axes.plot([row["estimate"] for row, _ in rows], [top for _, top in rows], **dots(mark, 7), zorder=3)
        self._write(sheet, tops, left, right)
        label = axis_label(self.document, self.document["metric"] + (SUFFIX if compared(self.document) else ""))
        sheet.text(left, bottom + 34, short(label, int((self.width - left) / 6)), color=MUTED)
        if legend:
            sheet.key(bottom + 56, list(zip([MARKS[word] for word in self.words], legend, strict=True)))
        return sheet.svg()

    def _tops(self) -> tuple[list[float], float]:
        """Return the height of every row below the first, and the height of all."""
        y, last, tops = 0.0, "", []
        for group, _ in self.groups:
            if group and group != last:
                y += 26 if last else 20
                last = group
            tops.append(y + self.drop)
            y += self.step
        return tops, y + 4

    def _columns(self) -> tuple[float, float]:
        """Return the widths left and right of the plot."""
        if self.narrow:
            return 14.0, 14.0
        longest = max(text_width(name) for pair in self.groups for name in (pair[1], f"{pair[0]}  "))
        self.value = max(text_width(value) for value, _ in self.numbers)
        interval = max(text_width(text) for _, text in self.numbers) * 0.94
        return min(max(longest + 26, 70.0), MOST_NAME), 14 + self.value + 10 + interval

    def _lines(self, frame: Frame, found: Scale, tops: Sequence[float]) -> None:
        """Draw what the values are read against: the grid, the line in question and the fair band."""
        if self.narrow:  # the names stand above the rows, so every row has a track of its own
            bars(
                frame.axes,
                [((found.low, top), (found.high, top)) for top in tops],
                colors=FAINT,
                linewidths=1,
                zorder=0,
            )
        else:
            frame.upright_grid(found.ticks)
        if self.target is None:
            return
        within = self.document["fair_within"]
        spans = [(top - 8, top + 8) for top in tops] if self.narrow else [(0.0, frame.box.height)]
        for above, below in spans:
            if within:
                edges = [self.target - within, self.target + within]
                frame.axes.fill_betweenx([above, below], *edges, color=BAND, linewidth=0, zorder=0)
        bars(frame.axes, [((self.target, a), (self.target, b)) for a, b in spans], colors=INK, linewidths=1.2, zorder=1)
        text = short(baseline(self.document) or "target", 28)
        if within:
            text += f" (shaded: within {band(self.document)})"
        half = text_width(text) / 2
        x = min(max(frame.x(self.target), half), self.width - half)
        frame.sheet.text(x, self.first - 9, text, ha="center", color=MUTED)

    def _ends(self) -> tuple[float, float]:
        """Return what the axis must show; an interval far wider than the others may run off it."""
        widths = [row["high"] - row["low"] for row in self.rows]
        usual = 10 * float(np.median(widths))
        within = self.document["fair_within"] or 0.0
        ends = [row["estimate"] for row in self.rows]
        for row, width in zip(self.rows, widths, strict=True):
            if width <= usual:
                ends += [row["low"], row["high"]]
        if self.target is not None:
            ends += [self.target - within, self.target + within]
        return min(ends), max(ends)

    def _write(self, sheet: Canvas, tops: Sequence[float], left: float, right: float) -> None:
        """Write the names left and the numbers right of the rows; on a phone above them."""
        last = ""
        rows = zip(self.groups, self.numbers, self.shades, tops, strict=True)
        for (group, name), (value, interval), word, top in rows:
            y = self.first + top
            if group and group != last:
                sheet.text(0, y - self.drop - 8, short(group, 48), fontweight="bold")
                last = group
            ink = MUTED if word == "undecided" else INK
            if self.narrow:
                numbers = spelt(value, interval)
                taken = (0.0 if self.stacked else text_width(numbers, 10.5)) + (8 if group else 0)
                room = int((self.width - taken) / (BODY * 0.56))
                head = y - (31 if self.stacked else 16)
                sheet.text(8 if group else 0, head, short(name, max(room, 6)), color=ink)
                sheet.text(self.width, y - 16, numbers, ha="right", color=ink, fontsize=10.5)
            else:
                sheet.text(12 if group else 0, y, short(name, int((left - 16) / (BODY * 0.56))), color=ink)
                edge = self.width - right + 14 + self.value
                sheet.text(edge, y, value, ha="right", color=ink)
                sheet.text(edge + 10, y, interval, color=MUTED, fontsize=10)
