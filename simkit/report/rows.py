"""Rows: what a plot with a row a cell has in common, from the names on the left to the unit below."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.report.canvas import BODY, LINE, NARROW, TITLE, WIDE, Box, Canvas, Frame, Scale, bars, text_width, wrapped
from simkit.report.facets import several
from simkit.report.style import FAINT, MUTED
from simkit.report.tables import shown_cells
from simkit.report.words import Document, axes, heading, place, short, values_only

MOST = 40
"""Rows that are drawn; of more cells, those of the most extreme judged values."""

TRACK = 17.0
"""Height of one track of a row."""

Cell = Mapping[str, Any]


def chosen(document: Document) -> tuple[list[Cell], str]:
    """Return the cells to draw, and a note where they are not all."""
    cells = shown_cells(document, MOST)
    left_out = len(document["cells"]) - len(cells)
    return cells, f"the {len(cells)} most extreme of {len(document['cells']):,} cells" if left_out else ""


def named(
    document: Document, cells: Sequence[Cell], paths: Sequence[str], narrow: bool, *, cut: bool
) -> tuple[list[tuple[str, str]], str]:
    """Name rows by some axes, under headings where rows of one heading stand together.

    Parameters
    ----------
    document
        What ``report.json`` holds.
    cells
        The cell of every row.
    paths
        The axes.
    narrow
        The form for a phone.
    cut
        True where rows were chosen from more, so that they do not stand in the order of the sweep.

    Returns
    -------
    names : list of (str, str)
        The heading of every row, empty where there is none, and its name.
    note : str
        What the names are made of, where there was no room for words.
    """
    if not cells:
        return [], ""
    if not cut and len(paths) > 1:
        heads = [heading(document, cell, paths[:1]) for cell in cells]
        runs = 1 + sum(a != b for a, b in itertools.pairwise(heads))
        if runs == len(set(heads)) <= len(heads) / 2:
            names, note = _names(document, cells, paths[1:], narrow)
            return list(zip(heads, names, strict=True)), note
    names, note = _names(document, cells, paths, narrow)
    return [("", name) for name in names], note


def _names(document: Document, cells: Sequence[Cell], paths: Sequence[str], narrow: bool) -> tuple[list[str], str]:
    """Name the rows; where their axes need too much room, by the values alone."""
    names = [place(document, cell, paths) for cell in cells]
    if len(paths) < 2 or max(len(name) for name in names) <= (20 if narrow else 33):
        return names, ""
    known = axes(document)
    titles = ", ".join(known[path]["title"] for path in paths)
    return [values_only(cell, paths) for cell in cells], f"rows are named by {titles}"


class Rows:
    """The measures of one plot with a row a cell, each of one or several tracks.

    Parameters
    ----------
    document
        What ``report.json`` holds.
    cells
        One a row.
    title, notes
        Above the plot.
    narrow
        The form for a phone: names stand above their rows.
    tracks
        The names of the tracks, empty where there is only one.
    right
        For every row the text right of each track; on a phone that of the first stands beside the name.
    above
        Names of rows before those of the cells.
    room
        Height that is left above the first row.
    """

    def __init__(
        self,
        document: Document,
        cells: Sequence[Cell],
        title: str,
        notes: Sequence[str],
        *,
        narrow: bool,
        tracks: Sequence[str] = ("",),
        right: Sequence[Sequence[str]] = (),
        above: Sequence[str] = (),
        room: float = 8,
    ) -> None:
        paths = [axis["path"] for axis in several(document)]
        names, note = named(document, cells, paths, narrow, cut=len(cells) < len(document["cells"]))
        self.names = [("", name) for name in above] + names
        self.narrow, self.tracks, self.right, self.title = narrow, tracks, right, title
        self.width = NARROW if narrow else WIDE
        self.notes = [line for text in (*notes, note) if text for line in wrapped(text, self.width)]
        self.first = 30 + 19 * (len(wrapped(title, self.width - 8, TITLE * 1.06)) - 1) + LINE * len(self.notes) + room
        label = max(text_width(track) for track in tracks) + 8 if tracks != ("",) else 0.0
        self.left = 14.0 if narrow and not label else label + 4
        self.space = 14.0
        if not narrow:
            longest = max(text_width(text) for pair in self.names for text in (pair[1], f"{pair[0]}  "))
            self.left = min(max(longest + 22, 70.0), 300.0) + label
            if right:
                self.space += max(text_width(text, 10) for texts in right for text in texts)
        self.tops, self.height = self._tops()

    @property
    def bottom(self) -> float:
        """Where the rows end."""
        return self.first + self.height

    def _tops(self) -> tuple[list[list[float]], float]:
        """Return the middle of every track of every row below the first, and the height of all."""
        y, last, tops = 0.0, "", []
        for group, _ in self.names:
            if group and group != last:
                y += 26 if last else 20
                last = group
            head = 20.0 if self.narrow else max(4.0, (25 - TRACK * len(self.tracks)) / 2)
            tops.append([y + head + TRACK * (k + 0.5) for k in range(len(self.tracks))])
            y += head + TRACK * len(self.tracks) + (4 if self.narrow else head)
        return tops, y + 4

    def open(self, found: Scale, unit: str, foot: float = 0) -> tuple[Canvas, Frame]:
        """Return the sheet with everything but the values, and the frame they go into.

        Parameters
        ----------
        found
            The scale along the bottom.
        unit
            What it is in.
        foot
            Height that is left below for a legend.
        """
        sheet = Canvas(self.width, self.bottom + 50 + foot)
        sheet.heading(self.title, self.notes)
        box = Box(self.left, self.first, self.width - self.left - self.space, self.height)
        frame = sheet.frame(box, (found.low, found.high), (self.height, 0))
        frame.below(found.ticks, found.labels)
        if self.narrow:  # the names stand above the rows, so every row has a track of its own
            ends = [((found.low, y), (found.high, y)) for row in self.tops for y in row]
            bars(frame.axes, ends, colors=FAINT, linewidths=1, zorder=0)
        else:
            frame.upright_grid(found.ticks)
        self._write(sheet)
        sheet.text(self.left, self.bottom + 34, short(unit, int((self.width - self.left) / 6)), color=MUTED)
        return sheet, frame

    def _write(self, sheet: Canvas) -> None:
        """Write headings, names, the names of tracks and the texts on the right."""
        last = ""
        for i, ((group, name), tops) in enumerate(zip(self.names, self.tops, strict=True)):
            y = self.first + sum(tops) / len(tops)
            if self.narrow:
                y = self.first + tops[0] - TRACK / 2 - 9
            if group and group != last:
                sheet.text(
                    0,
                    self.first + tops[0] - TRACK / 2 - (29 if self.narrow else 16),
                    short(group, 48),
                    fontweight="bold",
                )
                last = group
            aside = self.right[i][0] if self.narrow and self.right else ""
            label = self.left if not self.narrow else self.width - text_width(aside, 10.5)
            indent = (8 if self.narrow else 12) if group else 0
            room = int((label - indent - (16 if not self.narrow else 4)) / (BODY * 0.56))
            sheet.text(indent, y, short(name, max(room, 6)))
            if aside:
                sheet.text(self.width, y, aside, ha="right", fontsize=10.5)
            for k, (track, top) in enumerate(zip(self.tracks, tops, strict=True)):
                if track:
                    sheet.text(self.left - 6, self.first + top, track, ha="right", color=MUTED)
                if self.right and not self.narrow:
                    text = self.right[i][k]
                    sheet.text(self.width, self.first + top, text, ha="right", fontsize=10)
