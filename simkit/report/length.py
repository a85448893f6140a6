"""How long battles last: the mean of every cell on its interval, and what the limit of turns cut off."""

from simkit.report.canvas import LINE, bars, dots, key_rows, scale
from simkit.report.rows import Cell, Rows, chosen
from simkit.report.style import SERIES, VERMILLION, Mark
from simkit.report.told import Table, ends_of, of_metrics, spelt_of
from simkit.report.words import Document, counted, metric_unit, percent

CUT_OFF = 0.05
"""From this share of battles on that the limit of turns ends, the mean says more of the limit than of the battle."""

MARKS = (SERIES[0], Mark("s", "□", VERMILLION, filled=False))
FREE, CUT = "hardly cut off", f"the limit ends {100 * CUT_OFF:g} % or more"
"""The marks of a mean, and what they say."""


def fits(document: Document) -> bool:
    """Tell whether the game counts how long a battle lasts."""
    return "fight" in document


def section(document: Document) -> str:
    """Return the heading above the plot."""
    return "How long battles last"


def title(document: Document) -> str:
    """Return the title of the plot."""
    return f"Mean {metric_unit(document, document['fight']['length'])} of a battle"


def _cut_off(document: Document) -> list[Cell]:
    """Return the cells in which the limit of turns ends many battles."""
    capped = document["fight"]["capped"]
    return [cell for cell in document["cells"] if cell["metrics"][capped]["estimate"] >= CUT_OFF]


def says(document: Document) -> list[str]:
    """Say how long battles last, and how many end because the turns, or rounds, are used up."""
    fight = document["fight"]
    lasts = f"A battle lasts on average {ends_of(document, fight['length'])}."
    capped = f"{_cut(document)}: {ends_of(document, fight['capped'])}."
    cut = _cut_off(document)
    if cut:
        where = f" in {counted(len(cut), 'cell')}" if len(document["cells"]) > 1 else ""
        whose = "their means are" if len(cut) > 1 else "its mean is"
        capped += f" That is {100 * CUT_OFF:g} % or more{where}: without the limit {whose} longer"
        capped += ", and what the draws are worth is a matter of scoring." if fight["score"] else "."
    return [lasts, capped]


def _cut(document: Document) -> str:
    """Say what a battle is that the limit ends."""
    return str(document["fight"].get("cut", "Drawn because the turns were used up"))  # older documents were all Jugger


def table(document: Document) -> Table:
    """Return the means, and what the limit ends."""
    fight = document["fight"]
    unit = metric_unit(document, fight["length"])
    names = {fight["length"]: unit, fight["capped"]: f"{unit} used up"}
    return of_metrics(document, names, f"intervals of {percent(document['level'])} each, not together")


def alt(document: Document) -> str:
    """Say the plot in words."""
    return f"A mark a cell. {title(document)}. {' '.join(says(document))}"


def draw(document: Document, narrow: bool) -> str:
    """Return the plot as SVG.

    Raises
    ------
    ValueError
        The game does not count how long a battle lasts.
    """
    if not fits(document):
        raise ValueError("the length of battles needs a game that counts it; this document has none")
    fight = document["fight"]
    cells, note = chosen(document)
    right = [[_beside(document, cell, narrow)] for cell in cells]
    notes = [note, f"intervals of {percent(document['level'])} each"]
    if any("limit" in texts[0] for texts in right):
        notes[1] += f"; limit: battles {_small(_cut(document))}"
    rows = Rows(document, cells, title(document), notes, narrow=narrow, right=right)
    entries = [cell["metrics"][fight["length"]] for cell in cells]
    found = scale(0.0, max(entry["high"] for entry in entries), "count", 4 if narrow else 6, pad=0.02)
    cut = {cell["cell"] for cell in _cut_off(document)}
    words = [FREE, CUT] if cut else []
    foot = LINE * key_rows(rows.width, words) + 6 if words else 0
    sheet, frame = rows.open(found, metric_unit(document, fight["length"]), foot)
    for cell, entry, tops in zip(cells, entries, rows.tops, strict=True):
        mark, y = MARKS[cell["cell"] in cut], tops[0]
        bars(frame.axes, [((entry["low"], y), (entry["high"], y))], colors=mark.colour)
        frame.axes.plot([entry["estimate"]], [y], **dots(mark, 7), zorder=3)
    if words:
        sheet.key(rows.bottom + 56, list(zip(MARKS, words, strict=True)))
    return sheet.svg()


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def _beside(document: Document, cell: Cell, narrow: bool) -> str:
    """Write the mean of a cell and, where there is room, what the limit ends, if anything."""
    fight = document["fight"]
    said = spelt_of(document, cell, fight["length"])
    if narrow or not cell["metrics"][fight["capped"]]["estimate"]:
        return said
    return f"{said}; limit {spelt_of(document, cell, fight['capped'])}"
