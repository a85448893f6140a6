"""What does the damage: one stacked bar a cell and side, a part for every source."""

from simkit.report import stacks
from simkit.report.canvas import scale
from simkit.report.rows import Cell, Rows, chosen
from simkit.report.stacks import Part
from simkit.report.style import APART, FILLS
from simkit.report.told import Table, ends_of, of_metrics, seen
from simkit.report.words import Document, metric_unit, percent

GAP = 4.0
"""Pixels between what a side did to the enemy and what it did to itself."""

REST = "all others"
SIDES = ("A", "B")


def fits(document: Document) -> bool:
    """Tell whether the game tells where damage comes from, and some was done."""
    return "fight" in document and bool(_sources(document))


def section(document: Document) -> str:
    """Return the heading above the plot."""
    return "What does the damage"


def title(document: Document) -> str:
    """Return the title of the plot."""
    return "Mean damage a battle, by source and side"


def _sources(document: Document, *, mishaps: bool = True) -> dict[str, list[str]]:
    """Return the columns of both sides by source, of the sources that were seen."""
    fight = document["fight"]
    every = fight["damage"] | (fight["mishaps"] if mishaps else {})
    return {source: columns for source, columns in every.items() if seen(document, columns)}


def _shown(document: Document) -> dict[str, list[list[str]]]:
    """Return the parts of a bar and, for both sides, the columns that each is the sum of."""
    found = _sources(document, mishaps=False)
    order = sorted(found, key=lambda source: -_total(document, found[source]))
    rest = order[len(FILLS) - 1 :] if len(order) > len(FILLS) else []
    shown = {source: [[name] for name in columns] for source, columns in found.items() if source not in rest}
    return shown | ({REST: [[found[source][k] for source in rest] for k in range(2)]} if rest else {})


def _total(document: Document, columns: list[str]) -> float:
    return sum(float(cell["metrics"][name]["estimate"]) for cell in document["cells"] for name in columns)


def says(document: Document) -> list[str]:
    """Say what does most of the damage, side by side."""
    said = []
    for k, side in enumerate(SIDES):
        columns = {source: names[k] for source, names in _sources(document, mishaps=False).items()}
        found = {source: name for source, name in columns.items() if seen(document, [name])}
        if not found:
            said.append(f"{side} does no damage")
            continue
        most = max(found, key=lambda source: _total(document, [found[source]]))
        does = f"{side} does most by {most}" if len(columns) > 1 else f"What {side} does by {most}"
        said.append(f"{does}: {ends_of(document, found[most])}")
    return [f"{text}." for text in said]


def table(document: Document) -> Table:
    """Return every source of both sides."""
    names = {name: f"{source}, {side}" for source, columns in _sources(document).items()
             for side, name in zip(SIDES, columns, strict=True)}  # fmt: skip
    return of_metrics(document, names, f"intervals of {percent(document['level'])} each, not together")


def alt(document: Document) -> str:
    """Say the plot in words."""
    return f"Stacked bars, two a cell, for side A and side B. {title(document)}. {' '.join(says(document))}"


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG.

    Raises
    ------
    ValueError
        The game does not tell where damage comes from, or none was done.
    """
    if not fits(document):
        raise ValueError("damage by source needs a game that tells sources, and damage; this document has none")
    shown = _shown(document)
    apart = {
        source: columns for source, columns in _sources(document).items() if source in document["fight"]["mishaps"]
    }
    known = list(document["fight"]["damage"])
    looks = stacks.fills(known if len(known) <= len(FILLS) else list(shown))
    cells, note = chosen(document)
    notes = [note, "a bar is what that side does to the enemy", "intervals stand in the table below"]
    if apart:
        notes[1] += f"; set apart: what it does to itself ({', '.join(apart)})"
    rows = Rows(document, cells, title(document), notes, narrow=narrow, tracks=SIDES)
    words = [*shown, *apart]
    foot = stacks.key_height(rows.width, words)
    longest = max(_length(cell, [*shown.values(), *([[name] for name in pair] for pair in apart.values())], k)
                  for cell in cells for k in range(2))  # fmt: skip
    found = scale(0.0, longest, "count", 4 if narrow else 6, pad=0.03)
    found = found._replace(low=0.0)
    unit = metric_unit(document, next(iter(_sources(document).values()))[0])
    sheet, frame = rows.open(found, f"{unit} a battle", foot)
    for cell, tops in zip(cells, rows.tops, strict=True):
        for k, y in enumerate(tops):
            parts = [Part(word, _length(cell, [columns], k), looks[word]) for word, columns in shown.items()]
            end = stacks.draw(frame, y, parts)
            own = [Part(word, cell["metrics"][pair[k]]["estimate"], APART) for word, pair in apart.items()]
            gap = GAP * (found.high - found.low) / frame.box.width
            stacks.draw(frame, y, own, end + gap if end else 0.0)
    key = [(looks[word], word) for word in shown] + [(APART, word) for word in apart]
    stacks.key(sheet, rows.bottom + 56, key)
    return sheet.svg()


def _length(cell: Cell, columns: list[list[list[str]]], side: int) -> float:
    """Add up the means of some parts of the bar of a side."""
    return sum(float(cell["metrics"][name]["estimate"]) for part in columns for name in part[side])
