"""Dumbbell plots: where every measure lies under each rule set, with a bar between them, on one scale."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.balance.compare.words import change, named, shown, weight
from simkit.report.canvas import Frame, bars, dots
from simkit.report.lanes import Lane, Lanes, line_at_zero
from simkit.report.style import BASELINE, FAINT, SERIES, Mark
from simkit.report.words import Document, percent, value_and_interval
from simkit.stats.estimate import Unit

MOST = 18
"""Rows that are drawn; the table has all."""

MOST_TIMES = 10.0
"""A count that changes by more times of itself runs off its plot, so that the others can be seen."""

ENDS = ("estimate", "low", "high")

Row = Mapping[str, Any]


def shares(document: Document) -> list[Row]:
    """Return the measures that are shares, those first that move most; what is never seen anywhere is left out."""
    return _ordered([row for row in shown(document) if row["kind"] == "share"])


def counts(document: Document) -> list[Row]:
    """Return the measures that are counts, those first that move most for their size."""
    return _ordered([row for row in shown(document) if row["kind"] != "share"])


def _ordered(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: -max(weight(row, k) for k in range(len(row["changes"]))))


def legend(document: Document) -> list[tuple[Mark | None, str]]:
    """Return the marks of the rule sets."""
    sets = document["sets"]
    others = [(SERIES[k % len(SERIES)], str(one["title"])) for k, one in enumerate(sets[1:])]
    return [(BASELINE, str(sets[0]["title"])), *others]


def draw(document: Document, narrow: bool) -> str:
    """Return the plot of the shares as SVG."""
    rows = shares(document)[:MOST]
    lanes = [Lane(_title(row), *_told(row, "points"), faint=_faint(row)) for row in rows]
    notes = [_family(document), f"the {MOST} that move most; the table has all" if len(shares(document)) > MOST else ""]
    ends = _ends([value for row in rows for value in row["values"]])
    plot = Lanes(title(document), notes, lanes, ends, "share", "per cent", narrow=narrow, legend=legend(document))
    return plot.svg(lambda frame, tops: _bells(frame, tops, [row["values"] for row in rows]))


def draw_cells(document: Document, narrow: bool) -> str:
    """Return the plot of the report metric in every cell as SVG."""
    rows = cells(document)
    kind: Unit = "count" if _kind(document) != "share" else "share"
    lanes = [
        Lane(row["title"], *_told(row, "count" if kind == "count" else "points"), faint=_faint(row)) for row in rows
    ]
    every = len(document["cells"])
    notes = [
        f"{percent(document['level'])} for all {every * (len(document['sets']) - 1):,} changes together",
        f"the {len(rows)} of {every:,} cells in which it moves most" if len(rows) < every else "",
    ]
    ends = _ends([value for row in rows for value in row["values"]])
    axis = f"'{document['metric']}'{', per cent' if kind == 'share' else ''}"
    plot = Lanes(cells_title(document), notes, lanes, ends, kind, axis, narrow=narrow, legend=legend(document))
    return plot.svg(lambda frame, tops: _bells(frame, tops, [row["values"] for row in rows]))


def cells(document: Document) -> list[Row]:
    """Return the cells that are drawn: those in which the report metric moves most, in the order of the cells."""
    order = sorted(document["cells"], key=lambda row: -max(abs(float(one["estimate"])) for one in row["changes"]))
    kept = {row["cell"] for row in order[:MOST]}
    return [row for row in document["cells"] if row["cell"] in kept]


def draw_counts(document: Document, narrow: bool) -> str:
    """Return the plot of the counts as SVG: by how much of itself each of them changes."""
    rows = [row for row in counts(document) if row["values"][0]["estimate"] > 0][:MOST]
    lanes, drawn = [], []
    for row in rows:
        base = float(row["values"][0]["estimate"])
        lanes.append(Lane(_title(row), *_told(row, "count"), faint=_faint(row)))
        drawn.append([{name: float(one[name]) / base for name in ENDS} for one in row["changes"]])
    fitting = [one for some in drawn for one in some if abs(one["estimate"]) < MOST_TIMES]
    ends = _ends(fitting or [dict.fromkeys(ENDS, 0.0)])
    notes = [_family(document), f"the {MOST} that move most" if len(counts(document)) > MOST else ""]
    axis = f"change, per cent of what it is under {document['sets'][0]['title']}"
    marks = legend(document)[1:]
    ends = (min(0.0, ends[0]), max(0.0, ends[1]))
    plot = Lanes(counts_title(document), notes, lanes, ends, "points", axis, narrow=narrow, legend=marks)

    def put(frame: Frame, tops: Sequence[float]) -> None:
        line_at_zero(frame, tops, narrow=narrow)
        for k, (mark, _) in enumerate(marks):
            if mark is not None:
                some = [(row[k], top) for row, top in zip(drawn, tops, strict=True)]
                reach = [((0.0, top), (one["estimate"], top)) for one, top in some]
                bars(frame.axes, reach, colors=FAINT, linewidths=6.0, zorder=1)
                bars(frame.axes, [((one["low"], top), (one["high"], top)) for one, top in some], colors=mark.colour)
                xs = [one["estimate"] for one, _ in some]
                frame.axes.plot(xs, [top for _, top in some], **dots(mark, 6.5), zorder=3)

    return plot.svg(put)


def draw_ladder(document: Document, row: Row, narrow: bool) -> str:
    """Return the plot of a number of a house rule at other values as SVG: how far each leaves it from fair."""
    shares_ = _kind(document) == "share"
    factor = 100.0 if shares_ else 1.0
    lanes, drawn = [], []
    for one in row["rows"]:
        far = one["distance"]
        value, interval = value_and_interval(far, "points" if shares_ else "count")
        note = " (of record)" if one["is_was"] else " (house rule)" if one["is_now"] else ""
        name = one["label"] if ":" in one["label"] else f"{one['label']}{note}"
        lanes.append(Lane(name, value.removeprefix("+"), interval.replace("+", ""), faint=not one["near"]))
        drawn.append({name: factor * float(far[name]) for name in ENDS})
    together = f"{percent(row['level'])} for all {len(lanes)} together, n = {row['n']:,} a cell"
    notes = [f"{together}; filled: nearest, or not told apart from it"]
    ends = (min(0.0, *(one["low"] for one in drawn)), max(one["high"] for one in drawn))
    axis = f"how far '{document['metric']}' lies from what would be fair{', percentage points' if shares_ else ''}"
    plot = Lanes(ladder_title(row), notes, lanes, ends, "count", axis, narrow=narrow)

    def put(frame: Frame, tops: Sequence[float]) -> None:
        line_at_zero(frame, tops, narrow=narrow)
        for near in (False, True):
            mark = SERIES[2] if near else SERIES[0]._replace(filled=False)
            rows = zip(row["rows"], drawn, tops, strict=True)
            some = [(one, top) for known, one, top in rows if known["near"] == near]
            bars(frame.axes, [((one["low"], top), (one["high"], top)) for one, top in some], colors=mark.colour)
            xs = [one["estimate"] for one, _ in some]
            frame.axes.plot(xs, [top for _, top in some], **dots(mark, 6.5), zorder=3)

    return plot.svg(put)


def ladder_title(row: Row) -> str:
    """Return the title of the plot of a number at other values."""
    return f"Distance from fair at other values of {row['title']}" if row["path"] else "Distance from fair by strength"


def ladder_alt(row: Row) -> str:
    """Say the plot of a number at other values in words."""
    near = ", ".join(str(one["label"]) for one in row["rows"] if one["near"])
    return f"Points with intervals. {ladder_title(row)}; nearest, or not told apart from it: {near}."


def title(document: Document) -> str:
    """Return the title of the plot of the shares."""
    return f"Shares under {_sets(document)}"


def counts_title(document: Document) -> str:
    """Return the title of the plot of the counts."""
    return "Counts: by how much of itself each of them changes"


def cells_title(document: Document) -> str:
    """Return the title of the plot of the cells."""
    return f"'{document['metric']}' in every cell"


def alt(document: Document) -> str:
    """Say the plot of the shares in words."""
    told = [f"{named(row)} {change(row)}" for row in shares(document)[:3]]
    return f"Dumbbell plot. {title(document)}; what moves most: {'; '.join(told)}."


def cells_alt(document: Document) -> str:
    """Say the plot of the cells in words."""
    rows = document["cells"]
    words = [one["word"] for row in rows for one in row["changes"]]
    told = ", ".join(f"{words.count(word):,} {word}" for word in dict.fromkeys(words))
    return f"Dumbbell plot. {cells_title(document)}; of {len(words):,} changes: {told}."


def counts_alt(document: Document) -> str:
    """Say the plot of the counts in words."""
    told = [f"{named(row)} {change(row)}" for row in counts(document)[:3]]
    return f"Points with intervals. {counts_title(document)}; what moves most: {'; '.join(told)}."


def _sets(document: Document) -> str:
    names = [str(one["title"]) for one in document["sets"]]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _kind(document: Document) -> str:
    return next(str(row["kind"]) for row in document["metrics"] if row["name"] == document["metric"])


def _title(row: Row) -> str:
    if row["group"] == "edge":
        return f"won by {str(row['says']).rpartition(' go to ')[2]}"
    names = {"distance": "distance from fair", "faction_edge": "edge of the better side", "upset": "upsets"}
    return names.get(row["name"], str(row["name"]))


def _told(row: Row, kind: Unit) -> tuple[str, str]:
    """Print the change, where there is one to print; of several rule sets the legend's order."""
    if len(row["changes"]) > 1:
        values = [value_and_interval(one, kind, difference=True)[0] for one in row["changes"]]
        return "; ".join(values), ""
    return value_and_interval(row["changes"][0], kind, difference=True)


def _faint(row: Row) -> bool:
    return all(one["word"] in ("undecided", "keeps") for one in row["changes"])


def _family(document: Document) -> str:
    rows = document["measures"]
    total = len(rows) * (len(document["sets"]) - 1)
    return f"{percent(document['level'])} for all {total:,} changes together, n = {document['n']:,} a cell"


def _ends(values: Sequence[Row]) -> tuple[float, float]:
    """Return what must show; an interval far wider than what moves may run off."""
    middles = [float(one["estimate"]) for one in values]
    room = max(max(middles) - min(middles), 0.02)
    lows = [max(float(one["low"]), float(one["estimate"]) - room) for one in values]
    highs = [min(float(one["high"]), float(one["estimate"]) + room) for one in values]
    return min(lows), max(highs)


def _bells(frame: Frame, tops: Sequence[float], rows: Sequence[Sequence[Row]]) -> None:
    """Draw a bar from the first rule set to each other one, and a mark for each."""
    for k in range(1, len(rows[0])):
        ends = [((row[0]["estimate"], top), (row[k]["estimate"], top)) for row, top in zip(rows, tops, strict=True)]
        bars(frame.axes, ends, colors=FAINT, linewidths=6.0, zorder=1)
    for k in range(len(rows[0])):
        mark = BASELINE if k == 0 else SERIES[(k - 1) % len(SERIES)]
        lines = [((row[k]["low"], top), (row[k]["high"], top)) for row, top in zip(rows, tops, strict=True)]
        bars(frame.axes, lines, colors=mark.colour, linewidths=1.6)
        xs = [row[k]["estimate"] for row in rows]
        frame.axes.plot(xs, list(tops), **dots(mark, 6.5), zorder=3)
