"""Tallies: how many comparisons have which verdict at every rung of skill, where there are too many for panels."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.report import stacks
from simkit.report.canvas import scale
from simkit.report.rows import Rows
from simkit.report.stacks import Part
from simkit.report.style import BLUE, GREEN, MUTED, VERMILLION, Fill
from simkit.report.verdicts import LEANS_HIGHER, LEANS_LOWER, said, shade
from simkit.report.words import Document, compared, label, place

LOOKS: Mapping[str, Fill] = {
    "higher": Fill(BLUE, ""),
    LEANS_HIGHER: Fill(BLUE, "////"),
    "fair": Fill(GREEN, "...."),
    "undecided": Fill(MUTED, "oo"),
    LEANS_LOWER: Fill(VERMILLION, "////"),
    "lower": Fill(VERMILLION, "||||"),
}
"""By the word of a comparison, from one end of a bar to the other."""

Rungs = Sequence[tuple[str, Sequence[int]]]
"""Name of a rung and the numbers of the cells judged at it."""


def draw(document: Document, narrow: bool, title: str, rungs: Rungs) -> str:
    """Return the plot as SVG: a bar for every rung of every variant that is compared.

    Parameters
    ----------
    document, narrow
        As everywhere.
    title
        Above the plot.
    rungs
        From the simplest player to the cleverest.
    """
    words = {row["cell"]: shade(document, row) for row in document["verdict"]["rows"]}
    groups = _groups(document, [number for _, numbers in rungs for number in numbers])
    noun = "comparisons" if compared(document) else "cells"
    notes = [f"how many {noun} have which verdict; {document['verdict']['family']}"]
    tracks = [rung for rung, _ in rungs]
    rows = Rows(document, [], title, notes, narrow=narrow, tracks=tracks, above=list(groups))
    used = [word for word in LOOKS if word in words.values()]
    names = {word: said(document, word) for word in used}
    most = max(len(set(numbers) & members) for members in groups.values() for _, numbers in rungs)
    found = scale(0.0, float(most), "count", 4 if narrow else 6, pad=0.0)
    sheet, frame = rows.open(found, noun, stacks.key_height(rows.width, list(names.values())))
    for members, tops in zip(groups.values(), rows.tops, strict=True):
        for (_, numbers), y in zip(rungs, tops, strict=True):
            here = [words[number] for number in numbers if number in members]
            stacks.draw(frame, y, [Part(names[word], float(here.count(word)), LOOKS[word]) for word in used])
    stacks.key(sheet, rows.bottom + 56, [(LOOKS[word], names[word]) for word in used])
    return sheet.svg()


def _groups(document: Document, numbers: Sequence[int]) -> dict[str, set[int]]:
    """Return the cells of every variant that is compared, by its name; without variants all are one group."""
    cells: dict[int, Mapping[str, Any]] = {cell["cell"]: cell for cell in document["cells"]}
    axis = document["verdict"]["skill"]["axis"]
    own = [path for path in document["baseline"] or {} if path != axis]
    own = [path for path in own if len({label(cells[number], path) for number in numbers}) > 1]
    found: dict[str, set[int]] = {}
    for number in numbers:
        name = place(document, cells[number], own) if own else f"all {len(set(numbers)):,} together"
        found.setdefault(name, set()).add(number)
    return found
