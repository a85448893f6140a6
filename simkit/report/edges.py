"""Edges that no side has earned: the share of decided battles that a seat, or the first move, wins in every cell."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.balance.edges import EVEN, EVERYWHERE, MATTERS
from simkit.report.canvas import LINE, bars, dots, key_rows, scale
from simkit.report.rows import Rows, chosen
from simkit.report.style import BAND, INK, MARKS, SERIES
from simkit.report.told import Field, Table, where
from simkit.report.words import Document, number, percent, spelt, units_of, value_and_interval

WORDS = {"higher": "ahead", "lower": "behind", "fair": "within the band", "undecided": "not resolved"}
"""What the words of a row mean here."""

NOBODY = "no battle was decided"
Row = Mapping[str, Any]


def fits(document: Document) -> bool:
    """Tell whether the game tells of edges, and some battle was decided."""
    return any(edge["rows"] for edge in _edges(document))


def _edges(document: Document) -> list[Mapping[str, Any]]:
    return list(document["fight"]["edges"]) if "fight" in document else []


def section(document: Document) -> str:
    """Return the heading above the plot."""
    return "Is a seat, or the first move, an advantage?"


def title(document: Document) -> str:
    """Return the title of the plot."""
    return "Share of decided battles, by seat and first move"


def says(document: Document) -> list[str]:
    """Return the verdict on every edge."""
    return [edge["answer"] for edge in _edges(document)]


def _rows(document: Document) -> list[dict[int, Row]]:
    """Return the rows of every edge by cell."""
    return [{row["cell"]: row for row in edge["rows"]} for edge in _edges(document)]


def _said(document: Document, row: Row | None) -> Field:
    """Print a share with its interval and its word."""
    if row is None:
        return Field(NOBODY)
    units = units_of(document["cells"][0])
    return Field(*value_and_interval(row, "share", units=units), MARKS[row["word"]], WORDS[row["word"]])


def table(document: Document) -> Table:
    """Return the shares of every cell."""
    found = _rows(document)
    cells, note = chosen(document)
    places = [("", "all cells together", EVERYWHERE)] if EVERYWHERE in found[0] else []
    places += [(str(cell["cell"]), where(document, cell), cell["cell"]) for cell in cells]
    rows = [(label, place, [_said(document, one.get(key)) for one in found]) for label, place, key in places]
    count = max(len(edge["rows"]) for edge in _edges(document))
    together = f"intervals of {percent(document['level'])} for all {count:,} of a column together"
    columns = [f"won by {edge['who']}" for edge in _edges(document)]
    return Table(
        columns, rows, f"{together}; band: {number(MATTERS, 'points')} to either side of half{f'; {note}' * bool(note)}"
    )


def alt(document: Document) -> str:
    """Say the plot in words."""
    return f"Marks against one half, a row a cell. {title(document)}. {' '.join(says(document))}"


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG.

    Raises
    ------
    ValueError
        The game tells of no edges, or no battle was decided.
    """
    if not fits(document):
        raise ValueError("edges need a game that tells of them, and decided battles; this document has none")
    found = _rows(document)
    cells, note = chosen(document)
    keys = [EVERYWHERE] * (EVERYWHERE in found[0]) + [cell["cell"] for cell in cells]
    right = [_beside(document, [one.get(key) for one in found], narrow) for key in keys]
    band = f"level line: half; shaded: within {number(MATTERS, 'points')}"
    count = max(len(edge["rows"]) for edge in _edges(document))
    notes = [note, f"{percent(document['level'])} for all {count:,} intervals of a question together; {band}"]
    above = ["all cells together"] * (EVERYWHERE in found[0])
    tracks = [""] * len(found)
    rows = Rows(document, cells, title(document), notes, narrow=narrow, tracks=tracks, right=right, above=above)
    marks = SERIES[: len(found)]
    words = [f"won by {edge['who']}" for edge in _edges(document)]
    entries = [row for one in found for row in one.values() if row["cell"] in keys]
    ends = [end for row in entries for end in (row["low"], row["high"])]
    low, high = min(*ends, EVEN - 2 * MATTERS), max(*ends, EVEN + 2 * MATTERS)
    sheet, frame = rows.open(
        scale(low, high, "share", 4 if narrow else 6), "% of decided battles", LINE * key_rows(rows.width, words) + 6
    )
    frame.axes.axvspan(EVEN - MATTERS, EVEN + MATTERS, color=BAND, linewidth=0, zorder=0)
    bars(frame.axes, [((EVEN, 0), (EVEN, rows.height))], colors=INK, linewidths=1.2, zorder=1)
    for k, (one, mark) in enumerate(zip(found, marks, strict=True)):
        placed = [(one[key], tops[k]) for key, tops in zip(keys, rows.tops, strict=True) if key in one]
        bars(frame.axes, [((row["low"], y), (row["high"], y)) for row, y in placed], colors=mark.colour)
        frame.axes.plot([row["estimate"] for row, _ in placed], [y for _, y in placed], **dots(mark, 6.5), zorder=3)
    sheet.key(rows.bottom + 56, list(zip(marks, words, strict=True)))
    return sheet.svg()


def _beside(document: Document, rows: Sequence[Row | None], narrow: bool) -> list[str]:
    """Write the shares of a cell; where nobody wins that is said once. A phone has room for nothing else."""
    if narrow or not any(rows):
        return ["" if any(rows) else NOBODY] + [""] * (len(rows) - 1)
    return [spelt(said.text, said.interval) for said in (_said(document, row) for row in rows)]
