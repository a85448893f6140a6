"""Averages: what each variant is worth over the whole field, at every rung of skill, against the line in question."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.lab.estimates import SUFFIX
from simkit.report import forest
from simkit.report.canvas import LINE, bars, dots, key_rows, scale
from simkit.report.rows import TRACK, Rows
from simkit.report.style import BAND, INK, MARKS
from simkit.report.told import Field, Table
from simkit.report.verdicts import band, said, shade
from simkit.report.words import (
    PAIRS,
    Document,
    axis_label,
    baseline,
    compared,
    judged_unit,
    spelt,
    target,
    value_and_interval,
)

Row = Mapping[str, Any]


def fits(document: Document) -> bool:
    """Tell whether the verdict has averages."""
    return "averages" in document["verdict"]


def section(document: Document) -> str:
    """Return the heading above the plot."""
    return "On average over the whole field"


def title(document: Document) -> str:
    """Return the title of the plot."""
    return f"{forest.title(document)}, averaged over {document['verdict']['averages']['over']}"


def says(document: Document) -> list[str]:
    """Say what an average is, and that single values may differ."""
    found = document["verdict"]["averages"]
    single = "comparisons" if compared(document) else "cells"
    return [
        f"Each value is the mean of {len(found['rows'][0]['cells']):,} {single}, all counted alike; a single one may "
        "well say something else. The intervals know the luck of the dice; another choice of what is averaged over "
        "could give another mean."
    ]


def table(document: Document) -> Table:
    """Return the averages with their intervals and words."""
    rows = []
    for row in _rows(document):
        word = shade(document, row)
        mark, text = (None, "") if word == "measured" else (MARKS[word], said(document, word))
        field = Field(*_printed(document, row), mark, text)
        rows.append(("", " at ".join(filter(None, (row["variant"], row["rung"]))), [field]))
    column = "difference" if compared(document) else str(document["metric"])
    return Table([column], rows, document["verdict"]["averages"]["how"])


def alt(document: Document) -> str:
    """Say the plot in words."""
    values = (
        f"{' at '.join(filter(None, (row['variant'], row['rung'])))} {spelt(*_printed(document, row))}"
        for row in _rows(document)
    )
    return f"Forest plot. {title(document)}: {'; '.join(values)}."


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG: a row a variant, a track a rung.

    Raises
    ------
    ValueError
        The verdict has no averages.
    """
    if not fits(document):
        raise ValueError("a plot of averages needs a verdict with averages; this document has none")
    every, line, within = _rows(document), target(document), document["fair_within"] or 0.0
    variants, rungs = (list(dict.fromkeys(row[key] for row in every)) for key in ("variant", "rung"))
    known = {(row["variant"], row["rung"]): row for row in every}
    against = "" if line is None else f"upright line: {baseline(document) or 'target'}"
    against += f"; shaded: within {band(document)}" if against and within else ""
    right = [[_right(document, known.get((name, rung))) for rung in rungs] for name in variants]
    rows = Rows(
        document,
        [],
        title(document),
        [document["verdict"]["averages"]["how"], against],
        narrow=narrow,
        tracks=rungs if rungs != [""] else ("",),
        right=right if not narrow or rungs == [""] else (),
        above=variants,
    )
    words = [word for word in MARKS if word in {shade(document, row) for row in every}]
    names = [said(document, word) for word in words]
    ends = [end for row in every for end in (row["low"], row["high"])]
    ends += [] if line is None else [line - within, line + within]
    found = scale(min(ends), max(ends), judged_unit(document), 4 if narrow else 6)
    label = axis_label(document, document["metric"] + (SUFFIX if compared(document) else ""))
    sheet, frame = rows.open(found, label, LINE * key_rows(rows.width, names) + 8)
    spans = [(0.0, rows.height)]
    if narrow:  # the names stand above the rows
        spans = [(tops[0] - TRACK / 2, tops[-1] + TRACK / 2) for tops in rows.tops]
    if line is not None:
        for span in spans:
            frame.axes.fill_betweenx(span, line - within, line + within, color=BAND, linewidth=0, zorder=0)
        bars(frame.axes, [((line, a), (line, b)) for a, b in spans], colors=INK, linewidths=1.2, zorder=1)
    for name, tops in zip(variants, rows.tops, strict=True):
        for rung, y in zip(rungs, tops, strict=True):
            row = known.get((name, rung))
            if row is not None:
                mark = MARKS[shade(document, row)]
                bars(frame.axes, [((row["low"], y), (row["high"], y))], colors=mark.colour)
                frame.axes.plot([row["estimate"]], [y], **dots(mark, 7), zorder=3)
    if words != ["measured"]:
        sheet.key(rows.bottom + 56, list(zip([MARKS[word] for word in words], names, strict=True)))
    return sheet.svg()


def _rows(document: Document) -> Sequence[Row]:
    found: Sequence[Row] = document["verdict"]["averages"]["rows"]
    return found


def _printed(document: Document, row: Row) -> tuple[str, str]:
    return value_and_interval(row, judged_unit(document), difference=compared(document), units=PAIRS)


def _right(document: Document, row: Row | None) -> str:
    """Print an average beside its track."""
    return "" if row is None else f"  {spelt(*_printed(document, row))}"
