"""Which axis of a sweep goes where in a plot: along the bottom, as separate lines, or as small panels."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simkit.report.words import Document, compared, heading, place, values_only

MOST_LINES = 5
"""More lines than this in one panel cannot be told apart."""

MOST_PANELS = 12
MOST_SCATTERED = 6
"""Panels of a sweep that is no grid: one for each axis."""

Cell = Mapping[str, Any]
Axis = Mapping[str, Any]


@dataclass(frozen=True)
class Series:
    """One line: its name (empty where there is only one) and whether it is the baseline."""

    label: str
    baseline: bool


@dataclass(frozen=True)
class Panel:
    """One small plot: its title, its axis along the bottom, and the points of every line."""

    title: str
    x: Axis
    points: list[list[tuple[float, Cell]]]
    """For every series, where its cells stand along the axis."""


@dataclass(frozen=True)
class Facets:
    """How the cells of a sweep are laid out."""

    series: list[Series]
    panels: list[Panel]
    joined: bool
    """True where a line through the points means something."""
    grid: bool
    """False for a sweep that is no grid: many cells stand at one place of an axis."""
    by: list[str]
    """Titles of the axes that the panels stand for."""
    left_out: int
    """Panels there was no room for."""


def several(document: Document) -> list[Axis]:
    """Return the axes that take more than one value."""
    return [axis for axis in document["axes"] if _varies(document["cells"], axis["path"])]


def _varies(cells: Sequence[Cell], path: str) -> bool:
    first = key(cells[0]["factors"][path])
    return any(key(cell["factors"][path]) != first for cell in cells)


def key(value: Any) -> tuple[str, Any]:
    """Tell values apart that Python holds equal, such as true and 1."""
    return type(value).__name__, value


def values(document: Document, path: str) -> list[Any]:
    """List the values of an axis in the order of their first use."""
    return list({key(cell["factors"][path]): cell["factors"][path] for cell in document["cells"]}.values())


def is_grid(document: Document, axes: Sequence[Axis]) -> bool:
    """Tell whether the cells are every combination of the axes, each once."""
    seen = {tuple(key(cell["factors"][axis["path"]]) for axis in axes) for cell in document["cells"]}
    size = math.prod(len(values(document, axis["path"])) for axis in axes)
    return len(seen) == len(document["cells"]) == size


def arrange(document: Document) -> Facets | None:
    """Lay out the cells of a sweep; None where nothing varies."""
    axes = several(document)
    if not axes:
        return None
    if not is_grid(document, axes):
        return _scattered(document, axes)
    own = [axis for axis in axes if axis["path"] in (document["baseline"] or {})]
    lines = own if len(own) < len(axes) and _combinations(document, own) <= MOST_LINES else []
    rest = [axis for axis in axes if axis not in lines]
    bottom = max(rest, key=lambda axis: (axis["numbers"] is not None, len(values(document, axis["path"]))))
    rest = [axis for axis in rest if axis is not bottom]
    if not lines and len(rest) > 1:
        fewest = min(rest, key=lambda axis: len(values(document, axis["path"])))
        if len(values(document, fewest["path"])) <= MOST_LINES - 2:
            lines = [fewest]
            rest = [axis for axis in rest if axis is not fewest]
    series = _grouped(document, document["cells"], lines)
    order = {mark: i for i, mark in enumerate(series)}
    panels = []
    grouped = _grouped(document, document["cells"], rest)
    for cells in list(grouped.values())[:MOST_PANELS]:
        points: list[list[tuple[float, Cell]]] = [[] for _ in series]
        for point in _placed(document, bottom, cells):
            points[order[_mark(point[1], lines)]].append(point)
        title = heading(document, cells[0], [axis["path"] for axis in rest])
        if len(rest) > 1:
            title = values_only(cells[0], [axis["path"] for axis in rest])
        panels.append(Panel(title, bottom, points))
    named = [
        Series(
            place(document, cells[0], [axis["path"] for axis in lines]) if lines else "",
            bool(lines) and compared(document) and all(cell["baseline"] is None for cell in cells),
        )
        for cells in series.values()
    ]
    by = [str(axis["title"]) for axis in rest]
    return Facets(named, panels, bottom["numbers"] is not None, True, by, max(0, len(grouped) - MOST_PANELS))


def _scattered(document: Document, axes: Sequence[Axis]) -> Facets:
    panels = [Panel("", axis, [_placed(document, axis, document["cells"])]) for axis in axes[:MOST_SCATTERED]]
    return Facets([Series("", False)], panels, False, False, [], max(0, len(axes) - MOST_SCATTERED))


def _combinations(document: Document, axes: Sequence[Axis]) -> int:
    return math.prod(len(values(document, axis["path"])) for axis in axes)


def _mark(cell: Cell, axes: Sequence[Axis]) -> tuple[Any, ...]:
    return tuple(key(cell["factors"][axis["path"]]) for axis in axes)


def _grouped(document: Document, cells: Sequence[Cell], axes: Sequence[Axis]) -> dict[tuple[Any, ...], list[Cell]]:
    found: dict[tuple[Any, ...], list[Cell]] = {}
    for cell in cells:
        found.setdefault(_mark(cell, axes), []).append(cell)
    return found


def _placed(document: Document, axis: Axis, cells: Sequence[Cell]) -> list[tuple[float, Cell]]:
    """Return where cells stand along an axis, from left to right: by their number, or by the place of their value."""
    path = axis["path"]
    if axis["numbers"] is not None:
        found = [(float(cell["factors"][path]), cell) for cell in cells]
    else:
        order = {key(value): float(i) for i, value in enumerate(values(document, path))}
        found = [(order[key(cell["factors"][path])], cell) for cell in cells]
    return sorted(found, key=lambda point: point[0])
