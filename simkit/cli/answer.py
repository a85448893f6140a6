"""The table with which a run ends on the screen."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.cli.layout import READABLE, fits, side_by_side, table, wrapped
from simkit.lab.estimates import SUFFIX
from simkit.report import verdicts, words

SHOWN = 12
"""Most rows on the screen; the rest is counted."""

MOST_AVERAGES = 24
"""More averages than this are left to the report."""

UNITS = {"share": "%", "points": "points", "count": ""}
SIGNS = {"share": " %", "points": " pp", "count": ""}


def cells_table(document: Mapping[str, Any]) -> str:
    """Return the cells of a run with what the verdict says of each, under their averages where there are any.

    The interval of a value holds for its cell; the intervals of what the verdict judges hold together. Where there are
    too many cells, baselines give way first.
    """
    if len(document["cells"]) == 1:
        return _outcomes(document)
    averages = _averages(document)
    return f"{averages}\n\n{_cells(document)}" if averages else _cells(document)


def _cells(document: Mapping[str, Any]) -> str:
    cells = document["cells"]
    metric, paired = document["metric"], words.compared(document)
    if paired and len(cells) > SHOWN:
        cells = [cell for cell in cells if cell["baseline"] is not None]
    shown = cells[:SHOWN]
    judged = {row["cell"]: row for row in document["verdict"]["rows"]}
    together = f"{words.percent(document['level'])} for all {len(judged):,}"
    headers = ["cell", *(axis["title"].replace(" ", "\n") for axis in document["axes"])]
    columns = [[str(cell["cell"]) for cell in shown]]
    columns += [[cell["labels"][axis["path"]] for cell in shown] for axis in document["axes"]]
    right = [0, *(i for i, axis in enumerate(document["axes"], start=1) if axis["numbers"] is not None)]
    unit = words.unit(document, metric)
    if paired:
        headers.append(_titled(metric, unit, f"{words.percent(document['level'])} each"))
        columns.append(_column([cell["metrics"][metric] for cell in shown], unit))
        unit = words.unit(document, metric + SUFFIX)
        headers.append(_titled("minus baseline", unit, together))
        columns.append(_column([judged.get(cell["cell"]) for cell in shown], unit, other="baseline", difference=True))
    else:
        headers.append(_titled(metric, unit, together))
        columns.append(_column([judged.get(cell["cell"]) for cell in shown], unit))
    right += range(len(headers) - (2 if paired else 1), len(headers))
    if document["verdict"]["word"] != "measured":
        headers.append("verdict")
        columns.append([_word(document, judged.get(cell["cell"])) for cell in shown])
    if paired and not fits(headers, list(zip(*columns, strict=True)), most=READABLE):  # what is judged says most
        value = len(document["axes"]) + 1
        del headers[value], columns[value]
        right = right[:-1]
    text = table(headers, list(zip(*columns, strict=True)), right=right)
    rest = len(document["cells"]) - len(shown)
    return text + (f"\n... and {rest:,} more cells in cells.csv" if rest else "")


def _averages(document: Mapping[str, Any]) -> str:
    """Return what is judged, averaged over the field: a row a variant, a column a rung; empty where nothing is.

    Where there is no room for a column a rung, every average has a row of its own.
    """
    found = document["verdict"].get("averages")
    if found is None or len(found["rows"]) > MOST_AVERAGES:
        return ""
    paired, rows = words.compared(document), found["rows"]
    unit = words.unit(document, document["metric"] + (SUFFIX if paired else ""))
    head = "minus baseline" if paired else document["metric"]
    rungs, names = (list(dict.fromkeys(row[key] for row in rows)) for key in ("rung", "variant"))
    known = {(row["variant"], row["rung"]): row for row in rows}
    together = f"{words.percent(document['level'])} for all {len(rows):,}"
    headers, first = ["average", *(_titled(head, unit, rung or together) for rung in rungs)], 1
    columns = [names]
    columns += [_column([known.get((name, rung)) for name in names], unit, difference=paired) for rung in rungs]
    if len(rungs) > 1 and not fits(headers, list(zip(*columns, strict=True)), most=READABLE):
        headers, first = ["average", "rung", _titled(head, unit, together)], 2
        columns = [[row[key] for row in rows] for key in ("variant", "rung")]
        columns.append(_column(rows, unit, difference=paired))
    text = table(headers, list(zip(*columns, strict=True)), right=range(first, len(headers)))
    lead = f"Averages over {found['over']} ({found['how']}):"
    return f"{wrapped(lead, always=True)}\n\n{text}"


def _titled(name: str, unit: str, level: str) -> str:
    return f"{name}{', ' if UNITS[unit] else ''}{UNITS[unit]}\n{level}"


def _column(
    entries: Sequence[Mapping[str, Any] | None], unit: Any, other: str = "", *, difference: bool = False
) -> list[str]:
    """Write values beside their intervals; the unit stands in the header."""
    pairs = [("", other) if entry is None else _said(entry, unit, difference) for entry in entries]
    return side_by_side([value for value, _ in pairs], [interval for _, interval in pairs])


def _said(entry: Mapping[str, Any], unit: Any, difference: bool) -> tuple[str, str]:
    value, interval = words.value_and_interval(entry, unit, difference=difference)
    return value.removesuffix(SIGNS[unit]), interval.removesuffix(SIGNS[unit])


def _word(document: Mapping[str, Any], row: Mapping[str, Any] | None) -> str:
    """Say in a word what the verdict says of a cell; what leans is on one side, but not surely beyond the fair band."""
    if row is None:
        return ""
    shade = verdicts.shade(document, row)
    word = verdicts.said(document, shade.removeprefix("leans "))
    return f"leans {word}" if shade.startswith("leans ") else word


def _outcomes(document: Mapping[str, Any]) -> str:
    """Return everything that was counted in the only cell."""
    counted = document["cells"][0]["metrics"]
    rows = []
    for metric in document["metrics"]:
        name = metric["name"]
        if counted[name]["estimate"] or counted[name]["low"] or name == document["metric"]:
            value, interval = words.value_and_interval(counted[name], words.unit(document, name))
            rows.append([name, value, interval, metric["says"]])
    rows.sort(key=lambda row: row[0] != document["metric"])
    shown = rows[:SHOWN]
    interval = f"{words.percent(document['level'])} interval"
    text = table(["outcome", "value", interval, "what it is"], shown, right=(1, 2))
    rest = len(rows) - len(shown)
    return text + (f"\n... and {rest:,} more outcomes in cells.csv" if rest else "")
