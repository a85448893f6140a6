"""Curves: the report metric along an axis of the sweep, in small panels."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from simkit.report.canvas import (
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
from simkit.report.facets import Cell, Facets, Panel, arrange
from simkit.report.style import BAND, BASELINE, INK, MUTED, SERIES, Mark
from simkit.report.verdicts import band
from simkit.report.words import Document, axis_label, baseline, compared, counted, number, percent, short, unit

MOST_CELLS = 2000
"""A sweep of more cells than this goes without curves."""

CROWDED = 40
"""With more points than this on a line they stand without marks."""


def fits(document: Document) -> bool:
    """Tell whether there is an axis to draw along; two axes of words make a heatmap instead.

    A field too large for the panels there is room for is seen better in its averages.
    """
    from simkit.report.heatmap import fits as coloured

    if not 1 < len(document["cells"]) <= MOST_CELLS or coloured(document):
        return False
    facets = arrange(document)
    return facets is not None and not ("averages" in document["verdict"] and facets.left_out)


def title(document: Document) -> str:
    """Return the title of the plot."""
    facets = arrange(document)
    if facets is None:
        return f"'{document['metric']}'"
    names = dict.fromkeys(str(panel.x["title"]) for panel in facets.panels)
    return f"'{document['metric']}' by {', '.join(names)}"


def alt(document: Document) -> str:
    """Say the plot in words."""
    facets = arrange(document)
    panels = counted(len(facets.panels), "panel") if facets else ""
    lines = " and ".join(series.label for series in facets.series if series.label) if facets else ""
    about = f"{title(document)}, for {lines}" if lines else title(document)
    return f"Curves in {panels}. {about}. The table of cells has every number."


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG.

    Raises
    ------
    ValueError
        Nothing varies.
    """
    facets = arrange(document)
    if facets is None:
        raise ValueError("nothing varies in this document; curves need an axis with at least two values")
    return _Curves(document, facets, narrow).svg()


Spot: TypeAlias = tuple[float, float]
"""A place on the sheet, from the left and from the top."""

Reach: TypeAlias = tuple[float, float, float]
"""A point of a line on the sheet: its place from the left, and the ends of its interval from the top."""


@dataclass(frozen=True)
class _Point:
    """One cell on a line."""

    x: float
    entry: Mapping[str, Any]
    exact: float | None
    cell: Cell


class _Curves:
    """The measures of one figure of curves, and how it is drawn."""

    def __init__(self, document: Document, facets: Facets, narrow: bool) -> None:
        self.document, self.facets = document, facets
        self.width = NARROW if narrow else WIDE
        self.metric = document["metric"]
        self.kind = unit(document, self.metric)
        self.together = {} if compared(document) else {row["cell"]: row for row in document["verdict"]["rows"]}
        self.lines = [[self._points(line) for line in panel.points] for panel in facets.panels]
        self.marks = self._marks()
        self.solved = facets.grid and any(p.exact is not None for panel in self.lines for line in panel for p in line)
        self.y = self._scale()
        words = (
            max(len(panel.x["values"]) for panel in facets.panels if panel.x["numbers"] is None) if self._worded else 0
        )
        roomy = words > 4
        most = (1 if roomy else 2) if narrow else (2 if roomy else 4)
        self.columns = min(most, len(facets.panels))
        self.notes = [line for text in self._notes() for line in wrapped(text, self.width)]

    @property
    def _worded(self) -> bool:
        """True where words stand along the bottom."""
        return any(panel.x["numbers"] is None for panel in self.facets.panels)

    def _points(self, line: Sequence[tuple[float, Cell]]) -> list[_Point]:
        found = []
        for x, cell in line:
            entry = self.together.get(cell["cell"], cell["metrics"][self.metric])
            found.append(_Point(x, entry, cell["exact"].get(self.metric, {}).get("value"), cell))
        return found

    def _marks(self) -> list[Mark]:
        others = iter(SERIES)
        return [BASELINE if series.baseline else next(others) for series in self.facets.series]

    def _scale(self) -> Scale:
        numbers = [
            number
            for panel in self.lines
            for line in panel
            for p in line
            for number in (p.entry["low"], p.entry["high"], p.exact)
            if number is not None
        ]
        if self._held is not None:
            within = self.document["fair_within"] or 0.0
            numbers += [self._held - within, self._held + within]
        low, high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
        if self.kind == "share" and high - low > 0.4:
            low, high = 0.0, 1.0
        return scale(low, high, self.kind, 5, pad=0.07)

    @property
    def _held(self) -> float | None:
        """The target, where the cells are held against one."""
        found: float | None = None if compared(self.document) else self.document["target"]
        return found

    def _notes(self) -> list[str]:
        if self.together:
            interval = self.document["verdict"]["family"]
        else:
            interval = f"points: played, with an interval of {percent(self.document['level'])} each"
        if self.facets.by:
            interval = f"one panel for each {' and '.join(self.facets.by)}; {interval}"
        if self._held is not None:
            interval += f"; level line: target {number(self._held, self.kind)}"
            if self.document["fair_within"]:
                interval += f", shaded: within {band(self.document)}"
        left_out = self.facets.left_out
        return [interval] + ([f"{counted(left_out, 'further panel')} not shown"] if left_out else [])

    def _key(self) -> list[tuple[Mark | None, str]]:
        entries: list[tuple[Mark | None, str]] = []
        if len(self.facets.series) > 1:
            entries = [(mark, series.label) for mark, series in zip(self.marks, self.facets.series, strict=True)]
        elif compared(self.document):
            entries = [(BASELINE, baseline(self.document))]
        if self.facets.joined:
            entries.append((None, "line: exact" if self.solved else "line: joins the points"))
        elif self.solved:
            entries.append((None, "bar: exact"))
        return entries

    def svg(self) -> str:
        entries = self._key()
        top = 34 + LINE * len(self.notes) + 19 * (len(wrapped(title(self.document), self.width - 8, 14 * 1.06)) - 1)
        keyed = LINE * key_rows(self.width, [word for _, word in entries]) + 10 if entries else 4
        left, gap = 8 + max(text_width(label) for label in self.y.labels), 16.0
        each = (self.width - left - gap * (self.columns - 1) - 4) / self.columns
        tilt = self._tilt(each)
        head = 22.0 if any(panel.title for panel in self.facets.panels) else 8.0
        high = min(210.0, max(130.0, each))
        foot = 46 + tilt
        rows = -(-len(self.facets.panels) // self.columns)
        first = top + keyed + 18
        sheet = Canvas(self.width, first + rows * (head + high + foot))
        sheet.heading(title(self.document), self.notes)
        if entries:
            sheet.key(top, entries)
        label = axis_label(self.document, self.metric)
        sheet.text(0, top + keyed + 4, short(label, int(self.width / 6)), color=MUTED)
        for i, panel in enumerate(self.facets.panels):
            row, column = divmod(i, self.columns)
            x, y = left + column * (each + gap), first + row * (head + high + foot) + head
            if panel.title:
                sheet.text(x, y - 12, short(panel.title, int(each / 6.8)), fontweight="bold")
            self._panel(sheet, panel, self.lines[i], Box(x, y, each, high), labels=column == 0, tilt=tilt)
            sheet.text(x, y + high + 29 + tilt, short(str(panel.x["title"]), int(each / 6)), color=MUTED)
        return sheet.svg()

    def _tilt(self, each: float) -> float:
        """Return the extra room below that words along the bottom need when they do not fit side by side."""
        widest = 0.0
        for panel in self.facets.panels:
            if panel.x["numbers"] is None:
                slot = each / max(len(panel.x["values"]), 1)
                longest = max(text_width(short(str(value), 20)) for value in panel.x["values"])
                if longest > slot:
                    widest = max(widest, longest)
        return widest * 0.64 + 2 if widest else 0.0

    def _panel(
        self, sheet: Canvas, panel: Panel, lines: list[list[_Point]], box: Box, *, labels: bool, tilt: float
    ) -> None:
        across, ticks, words = self._bottom(panel, box.width)
        frame = sheet.frame(box, across, (self.y.low, self.y.high))
        frame.level_grid([*self.y.ticks, self.y.low])
        frame.below(ticks, words, tilted=tilt > 0 and panel.x["numbers"] is None)
        if labels:
            frame.beside(self.y.ticks, self.y.labels)
        if self._held is not None:
            within = self.document["fair_within"]
            if within:
                edges = (self._held - within, self._held + within)
                frame.axes.fill_between(across, *edges, color=BAND, linewidth=0, zorder=0)
            bars(frame.axes, [((across[0], self._held), (across[1], self._held))], colors=INK, linewidths=1.2, zorder=1)
        count = len(lines)
        for k, (line, mark) in enumerate(zip(lines, self.marks, strict=True)):
            aside = 0.0 if self.facets.joined else (k - (count - 1) / 2) * 0.16
            self._line(frame.axes, line, mark, aside)
        if count == 2 and self.facets.joined and panel is self.facets.panels[0]:
            self._direct(frame, lines)

    def _bottom(self, panel: Panel, width: float) -> tuple[tuple[float, float], list[float], list[str]]:
        """Return the ends of the axis along the bottom, its ticks and their labels."""
        if panel.x["numbers"] is None:
            words = [short(str(value), 20) for value in panel.x["values"]]
            return (-0.5, len(words) - 0.5), [float(i) for i in range(len(words))], words
        numbers = sorted({x for line in panel.points for x, _ in line})
        low, high = numbers[0], numbers[-1]
        room = (high - low) * 0.07
        most = max(2, int(width / 34))
        ticks, labels = numbers, [f"{x:g}" for x in numbers]
        if len(numbers) > most:
            found = scale(low, high, "count", most, pad=0.0)
            ticks, labels = found.ticks, found.labels
        return (low - room, high + room), ticks, labels

    def _line(self, axes: Any, line: list[_Point], mark: Mark, aside: float) -> None:
        xs = [p.x + aside for p in line]
        exact = [float("nan") if p.exact is None else p.exact for p in line]
        played = [p.entry["estimate"] for p in line]
        low, high = [p.entry["low"] for p in line], [p.entry["high"] for p in line]
        if self.facets.joined:
            axes.plot(xs, exact if self.solved else played, color=mark.colour, linewidth=1.5, zorder=2,
                      linestyle="--" if mark is BASELINE else "-")  # fmt: skip
            axes.fill_between(xs, low, high, color=mark.colour, alpha=0.16, linewidth=0, zorder=1)
        elif self.solved:
            ends = [
                ((x - 0.07, value), (x + 0.07, value)) for x, value in zip(xs, exact, strict=True) if value == value
            ]
            bars(axes, ends, colors=INK, linewidths=1.5, zorder=4)
        if len(line) <= CROWDED or not self.facets.joined:
            ends = [((x, a), (x, b)) for x, a, b in zip(xs, low, high, strict=True)]
            bars(axes, ends, colors=mark.colour, linewidths=1.5)
            axes.plot(xs, played, **dots(mark, 6.5), zorder=3)
            if compared(self.document) and mark is not BASELINE:
                bases = [(x, p.entry["estimate"]) for x, p in zip(xs, line, strict=True) if p.cell["baseline"] is None]
                if bases:
                    axes.plot([x for x, _ in bases], [y for _, y in bases], **dots(BASELINE, 6.5), zorder=4)

    def _direct(self, frame: Frame, lines: list[list[_Point]]) -> None:
        """Name two lines where they run, if both names find room: clear of all lines and intervals."""
        routes, taken = [], []
        for line in lines:
            xs = [frame.x(p.x) for p in line]
            ys = [[frame.y(y) for y in (p.entry["high"], self._height(p), p.entry["low"])] for p in line]
            routes.append([(x, min(y), max(y)) for x, y in zip(xs, ys, strict=True)])
            taken += [((x, min(y)), (x, max(y))) for x, y in zip(xs, ys, strict=True)]
            for heights in zip(*ys, strict=True):
                taken += itertools.pairwise(zip(xs, heights, strict=True))
        if self._held is not None:
            y = frame.y(self._held)
            taken.append(((frame.box.left, y), (frame.box.left + frame.box.width, y)))
        names = [short(series.label, 22) for series in self.facets.series]
        found: list[Box] = []
        for own, other, name in zip(routes, reversed(routes), names, strict=True):
            places = _name_places(own, other, text_width(name), frame.box, [*taken, *map(_diagonal, found)])
            if not places:
                return
            found.append(max(places)[1])
        for box, name, mark in zip(found, names, self.marks, strict=True):
            ink = INK if mark is BASELINE else mark.colour
            frame.sheet.text(box.left, box.top + box.height / 2, name, color=ink)

    def _height(self, point: _Point) -> float:
        """Return the value through which the line of a point runs."""
        return point.exact if self.solved and point.exact is not None else float(point.entry["estimate"])


_NAME = 15.0  # height of a name
_APART = 24.0  # lines nearer than this have no names: it would not be clear whose they are


def _name_places(
    own: Sequence[Reach], other: Sequence[Reach], width: float, room: Box, taken: Sequence[tuple[Spot, Spot]]
) -> list[tuple[float, Box]]:
    """Return the places for the name of a line at one of its points, each with its distance from the other line."""
    found = []
    for (x, above, below), (_, *others) in zip(own, other, strict=False):
        away = max(min(others) - below, above - max(others))
        top = above - _NAME - 5 if below < min(others) else below + 5
        for left in (x - width / 2, x + 3, x - width - 3):
            box = Box(left, top, width, _NAME)
            inside = room.left <= left and left + width <= room.left + room.width
            inside = inside and room.top <= top and top + _NAME <= room.top + room.height
            if inside and away >= _APART and not any(_crosses(box, *ends) for ends in taken):
                found.append((away, box))
    return found


def _diagonal(box: Box) -> tuple[Spot, Spot]:
    return (box.left, box.top), (box.left + box.width, box.top + box.height)


def _crosses(box: Box, start: Spot, end: Spot) -> bool:
    """Tell whether a straight line touches a box (Liang and Barsky 1984)."""
    enter, leave = 0.0, 1.0
    low, size = (box.left, box.top), (box.width, box.height)
    for k in range(2):
        step, before, after = end[k] - start[k], low[k] - start[k], low[k] + size[k] - start[k]
        if step == 0:
            if before > 0 or after < 0:
                return False
            continue
        first, last = sorted((before / step, after / step))
        enter, leave = max(enter, first), min(leave, last)
    return enter <= leave
