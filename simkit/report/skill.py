"""Skill: what is judged, along the rungs of who decides, in a panel for every other combination."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.lab.estimates import SUFFIX
from simkit.report import forest, tallies
from simkit.report.canvas import (
    LINE,
    NARROW,
    TITLE,
    WIDE,
    Box,
    Canvas,
    Scale,
    bars,
    dots,
    key_rows,
    scale,
    text_width,
    wrapped,
)
from simkit.report.facets import several
from simkit.report.style import BAND, INK, MARKS, MUTED
from simkit.report.told import Field, Table, where
from simkit.report.verdicts import band, said, shade
from simkit.report.words import (
    Document,
    axes,
    axis_label,
    baseline,
    compared,
    counted,
    judged_unit,
    place,
    short,
    target,
    units_of,
    value_and_interval,
    values_only,
)
from simkit.stats.estimate import Unit

MOST_PANELS = 12

LONGEST = 22
"""Where the name of a panel is longer than this, panels are named by the values of their axes alone."""

Row = Mapping[str, Any]


def fits(document: Document) -> bool:
    """Tell whether who decides varies among what is judged."""
    return "skill" in document["verdict"]


def section(document: Document) -> str:
    """Return the heading above the plot."""
    return "Does the answer depend on skill?"


def title(document: Document) -> str:
    """Return the title of the plot."""
    axis = document["verdict"]["skill"]["axis"]
    by = "" if axis == "policy" else f" ({axes(document)[axis]['title']})"
    return f"{forest.title(document)}, by rung of skill{by}"


def says(document: Document) -> list[str]:
    """Return the verdict on skill."""
    return [document["verdict"]["skill"]["answer"]]


def _rungs(document: Document) -> list[tuple[str, list[int]]]:
    return [(rung["rung"], rung["cells"]) for rung in document["verdict"]["skill"]["rungs"]]


def _panels(document: Document) -> list[tuple[str, list[Row | None]]]:
    """Return for every other combination its name and its rows by rung, None where a rung was not played."""
    cells = {cell["cell"]: cell for cell in document["cells"]}
    rows = {row["cell"]: row for row in document["verdict"]["rows"]}
    skill = document["verdict"]["skill"]["axis"]
    rungs = _rungs(document)
    judged = [cells[number] for _, numbers in rungs for number in numbers]
    rest = [axis["path"] for axis in several(document) if axis["path"] != skill]
    rest = [path for path in rest if len({cell["labels"][path] for cell in judged}) > 1]
    found: dict[tuple[str, ...], list[Row | None]] = {}
    names: dict[tuple[str, ...], str] = {}
    bare: dict[tuple[str, ...], str] = {}
    for i, (_, numbers) in enumerate(rungs):
        for number in numbers:
            mark = tuple(cells[number]["labels"][path] for path in rest)
            names[mark] = place(document, cells[number], rest) if rest else ""
            bare[mark] = values_only(cells[number], rest)
            found.setdefault(mark, [None] * len(rungs))[i] = rows[number]
    if max(map(len, names.values())) > LONGEST:
        names = bare
    return [(names[mark], members) for mark, members in found.items()]


def table(document: Document) -> Table:
    """Return what is judged at every rung, and how it changes up to the highest."""
    cells = {cell["cell"]: cell for cell in document["cells"]}
    changes = {change["cell"]: change for change in document["verdict"]["skill"]["changes"]}
    rungs = _rungs(document)
    rows = []
    for _, members in _panels(document):
        for row in filter(None, members):
            cell = cells[row["cell"]]
            word = shade(document, row)
            mark, text = (None, "") if word == "measured" else (MARKS[word], said(document, word))
            value = value_and_interval(row, judged_unit(document), difference=compared(document), units=units_of(cell))
            fields = [Field(*value, mark, text)]
            if changes:
                fields.append(_change(document, changes.get(row["cell"]), cell))
            rows.append((str(row["cell"]), where(document, cell), fields))
    columns = ["difference" if compared(document) else str(document["metric"])]
    columns += [f"change up to {rungs[-1][0]}"] if changes else []
    return Table(columns, rows, document["verdict"]["family"])


def _change(document: Document, change: Row | None, cell: Mapping[str, Any]) -> Field:
    if change is None:
        return Field("")
    kind: Unit = "count" if judged_unit(document) == "count" else "points"
    words = {"higher": "rises", "lower": "falls", "fair": f"within {band(document)}", "undecided": "not resolved"}
    value = value_and_interval(change, kind, difference=True, units=units_of(cell))
    return Field(*value, MARKS[change["word"]], words[change["word"]])


def alt(document: Document) -> str:
    """Say the plot in words."""
    rungs = ", ".join(rung for rung, _ in _rungs(document))
    form = "Bars of counts" if _crowded(document) else counted(len(_panels(document)), "panel")
    return f"{form}. {title(document)}: {rungs}. {' '.join(says(document))}"


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG.

    Raises
    ------
    ValueError
        Who decides does not vary.
    """
    if not fits(document):
        raise ValueError("a plot by skill needs an axis of policies with at least two values; this document has none")
    if _crowded(document):
        return tallies.draw(document, narrow, title(document), _rungs(document))
    return _Skill(document, narrow).svg()


def _crowded(document: Document) -> bool:
    """Tell whether there are too many combinations for panels, and verdicts that can be counted instead."""
    return len(_panels(document)) > MOST_PANELS and document["verdict"]["word"] != "measured"


class _Skill:
    """The measures of one figure by skill, and how it is drawn."""

    def __init__(self, document: Document, narrow: bool) -> None:
        self.document = document
        self.width = NARROW if narrow else WIDE
        self.rungs = [rung for rung, _ in _rungs(document)]
        every = _panels(document)
        self.panels = every[:MOST_PANELS]
        self.columns = min(len(self.panels), 2 if narrow and len(self.rungs) < 4 else 1 if narrow else 4)
        notes = [document["verdict"]["family"]]
        if self.line is not None:
            notes.append(f"level line: {baseline(document) or 'target'}")
            notes[-1] += f"; shaded: within {band(document)}" if document["fair_within"] else ""
        if len(every) > MOST_PANELS:
            notes.append(f"{counted(len(every) - MOST_PANELS, 'further panel')} not shown")
        self.notes = [line for text in notes for line in wrapped(text, self.width)]
        self.y = self._scale()

    @property
    def line(self) -> float | None:
        return target(self.document)

    def _scale(self) -> Scale:
        rows = [row for _, members in self.panels for row in members if row is not None]
        ends = [end for row in rows for end in (row["low"], row["high"])]
        if self.line is not None:
            within = self.document["fair_within"] or 0.0
            ends += [self.line - within, self.line + within]
        return scale(min(ends), max(ends), judged_unit(self.document), 5, pad=0.07)

    def svg(self) -> str:
        document = self.document
        words = [word for word in MARKS if word in {shade(document, row) for row in document["verdict"]["rows"]}]
        legend = [said(document, word) for word in words] if words != ["measured"] else []
        top = 34 + LINE * len(self.notes) + 19 * (len(wrapped(title(document), self.width - 8, TITLE * 1.06)) - 1)
        keyed = LINE * key_rows(self.width, legend) + 8 if legend else 0
        left, gap = 8 + max(text_width(label) for label in self.y.labels), 16.0
        each = (self.width - left - gap * (self.columns - 1) - 4) / self.columns
        head = 20.0 if any(name for name, _ in self.panels) else 4.0
        slot = each / len(self.rungs)
        tilted = max(text_width(short(rung, 20)) for rung in self.rungs) > slot
        foot = 34 + (max(text_width(short(rung, 20)) for rung in self.rungs) * 0.64 if tilted else 0)
        high = min(190.0, max(130.0, each))
        rows = -(-len(self.panels) // self.columns)
        first = top + keyed + 16
        sheet = Canvas(self.width, first + rows * (head + high + foot))
        sheet.heading(title(document), self.notes)
        if legend:
            sheet.key(top, list(zip([MARKS[word] for word in words], legend, strict=True)))
        label = axis_label(document, document["metric"] + (SUFFIX if compared(document) else ""))
        sheet.text(0, top + keyed + 4, short(label, int(self.width / 6)), color=MUTED)
        for i, (name, members) in enumerate(self.panels):
            row, column = divmod(i, self.columns)
            box = Box(left + column * (each + gap), first + row * (head + high + foot) + head, each, high)
            if name:
                sheet.text(box.left, box.top - 10, short(name, int(each / 6.8)), fontweight="bold")
            self._panel(sheet, members, box, labels=column == 0, tilted=tilted)
        return sheet.svg()

    def _panel(self, sheet: Canvas, members: Sequence[Row | None], box: Box, *, labels: bool, tilted: bool) -> None:
        across = (-0.5, len(self.rungs) - 0.5)
        frame = sheet.frame(box, across, (self.y.low, self.y.high))
        frame.level_grid([*self.y.ticks, self.y.low])
        frame.below([float(i) for i in range(len(self.rungs))], [short(rung, 20) for rung in self.rungs], tilted=tilted)
        if labels:
            frame.beside(self.y.ticks, self.y.labels)
        if self.line is not None:
            within = self.document["fair_within"]
            if within:
                frame.axes.fill_between(
                    across, self.line - within, self.line + within, color=BAND, linewidth=0, zorder=0
                )
            bars(frame.axes, [((across[0], self.line), (across[1], self.line))], colors=INK, linewidths=1.2, zorder=1)
        played = [(i, row) for i, row in enumerate(members) if row is not None]
        frame.axes.plot([i for i, _ in played], [row["estimate"] for _, row in played], color=MUTED, linewidth=1,
                        linestyle=":", zorder=1)  # fmt: skip
        for i, row in played:
            mark = MARKS[shade(self.document, row)]
            bars(frame.axes, [((i, row["low"]), (i, row["high"]))], colors=mark.colour)
            frame.axes.plot([i], [row["estimate"]], **dots(mark, 7), zorder=3)
