"""What stands beside a plot: a sentence, and a table of its numbers."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from simkit.report.facets import several
from simkit.report.rows import MOST
from simkit.report.style import Mark
from simkit.report.tables import shown_cells
from simkit.report.words import Document, metric_unit, place, unit, units_of, value_and_interval


class Field(NamedTuple):
    """One field of a table."""

    text: str
    interval: str = ""
    mark: Mark | None = None
    word: str = ""
    """A verdict and how it looks."""


class Table(NamedTuple):
    """The numbers of a plot."""

    columns: list[str]
    """Titles, behind that of the cell and that of what it is."""
    rows: list[tuple[str, str, list[Field]]]
    """Number of the cell (may be empty), what it is, and its fields."""
    note: str
    """What kind of interval it is, and which cells are shown."""


def of_metrics(document: Document, names: Mapping[str, str], note: str) -> Table:
    """Return a table of some metrics, a row a cell.

    Parameters
    ----------
    document
        What ``report.json`` holds.
    names
        Metric to the title of its column.
    note
        What kind of interval it is.
    """
    cells = shown_cells(document, MOST)
    left_out = len(document["cells"]) - len(cells)
    shown = f"; shown are the {len(cells)} most extreme of {len(document['cells']):,} cells" if left_out else ""
    rows = [
        (str(cell["cell"]), where(document, cell), [field(document, cell, name) for name in names]) for cell in cells
    ]
    return Table(list(names.values()), rows, note + shown)


def field(document: Document, cell: Mapping[str, Any], name: str) -> Field:
    """Return the value of a metric in a cell, with its interval."""
    return Field(*value_and_interval(cell["metrics"][name], unit(document, name), units=units_of(cell)))


def where(document: Document, cell: Mapping[str, Any]) -> str:
    """Name a cell by everything that varies."""
    return place(document, cell, [axis["path"] for axis in several(document)])


def seen(document: Document, names: Sequence[str]) -> list[str]:
    """Return the metrics that some cell has shown."""
    return [name for name in names if any(cell["metrics"][name]["estimate"] for cell in document["cells"])]


def ends_of(document: Document, name: str) -> str:
    """Say from where to where a metric runs over the cells: ``from 4.1 (4.0 to 4.2) turns for X to 5.3 ...``."""
    cells, measure = document["cells"], metric_unit(document, name)
    low, high = (pick(cells, key=lambda cell: cell["metrics"][name]["estimate"]) for pick in (min, max))
    least, most = (spelt_of(document, cell, name) for cell in (low, high))
    if len(cells) == 1:
        return f"{least} {measure}"
    if low is high:
        return f"{least} {measure} in every cell"
    return f"from {least} {measure} for {where(document, low)} to {most} for {where(document, high)}"


def spelt_of(document: Document, cell: Mapping[str, Any], name: str) -> str:
    """Write the value of a metric in a cell with its interval in one line."""
    found = field(document, cell, name)
    return f"{found.text} ({found.interval})" if found.interval else found.text
