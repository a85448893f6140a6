"""How battles end: one stacked bar a cell, a part for every cause."""

from simkit.report import stacks
from simkit.report.canvas import scale
from simkit.report.rows import Rows, chosen
from simkit.report.stacks import Part
from simkit.report.told import Table, ends_of, of_metrics, seen
from simkit.report.words import Document, metric_unit, percent


def fits(document: Document) -> bool:
    """Tell whether the game has causes for the end of a battle, and some were seen."""
    return "fight" in document and bool(_causes(document))


def section(document: Document) -> str:
    """Return the heading above the plot."""
    return f"How {_noun(document)} end"


def title(document: Document) -> str:
    """Return the title of the plot."""
    noun = _noun(document).capitalize()
    return f"{noun} by the cause of their end" if document["fight"]["draw"] else f"{noun} by their end"


def _noun(document: Document) -> str:
    """Return what the game calls its battles: what their ends are shares of, as in ``"of the matches"``."""
    return metric_unit(document, next(iter(document["fight"]["ends"]))).split()[-1]


def _causes(document: Document) -> dict[str, str]:
    """Return the causes that were seen and what they are called, in the order of the game."""
    ends = document["fight"]["ends"]
    return {name: ends[name] for name in seen(document, list(ends))}


def says(document: Document) -> list[str]:
    """Say which cause ends most battles, and how many nobody wins."""
    causes, fight = _causes(document), document["fight"]
    often = max(causes, key=lambda name: sum(cell["metrics"][name]["estimate"] for cell in document["cells"]))
    commonest = f"The commonest end is '{causes[often]}': {ends_of(document, often)}."
    if fight["draw"]:
        return [commonest, f"Draws: {ends_of(document, fight['draw'])}."]
    nobody = [name for name in causes if name not in (*fight["wins"], often)]
    return [commonest, *(f"{_capital(causes[name])}: {ends_of(document, name)}." for name in nobody)]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def table(document: Document) -> Table:
    """Return who wins, who scores what where the game keeps a score, and every cause."""
    fight = document["fight"]
    a, b = fight["wins"]
    names = {a: "A wins", fight["draw"]: "draws", b: "B wins", fight["score"]: "score of A"} | _causes(document)
    names.pop("", None)
    return of_metrics(document, names, f"intervals of {percent(document['level'])} each, not together")


def alt(document: Document) -> str:
    """Say the plot in words."""
    causes = _causes(document)
    said = "; ".join(f"{word}: {ends_of(document, name)}" for name, word in causes.items())
    return f"Stacked bars, one a cell. {title(document)}. {said}."


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG.

    Raises
    ------
    ValueError
        The game has no causes, or none was seen.
    """
    if not fits(document):
        raise ValueError("how battles end needs a game that tells causes, and battles; this document has none")
    causes = _causes(document)
    looks = stacks.fills(list(document["fight"]["ends"]))
    cells, note = chosen(document)
    rows = Rows(document, cells, title(document), [note, "intervals stand in the table below"], narrow=narrow)
    foot = stacks.key_height(rows.width, list(causes.values()))
    sheet, frame = rows.open(
        scale(0.0, 1.0, "share", 5, pad=0.0), f"% {metric_unit(document, next(iter(causes)))}", foot
    )
    for cell, tops in zip(cells, rows.tops, strict=True):
        parts = [Part(word, cell["metrics"][name]["estimate"], looks[name]) for name, word in causes.items()]
        stacks.draw(frame, tops[0], parts)
    stacks.key(sheet, rows.bottom + 56, [(looks[name], word) for name, word in causes.items()])
    return sheet.svg()
