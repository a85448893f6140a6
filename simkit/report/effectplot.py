"""Effects and interactions of rulings, and shares of the variance of numbers: the widest on top."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.collections import PolyCollection

from simkit.balance.drives.words import percent
from simkit.report.canvas import Frame, bars, dots
from simkit.report.lanes import Lane, Lanes, line_at_zero
from simkit.report.style import BLUE, MUTED, PURPLE, Mark
from simkit.report.words import Document, judged_unit, value_and_interval
from simkit.report.words import percent as level
from simkit.stats.estimate import Unit

MOST = 16
"""Effects that are drawn; the table has all."""

ALONE = Mark("s", "■", BLUE)
TOGETHER = Mark("D", "◆", PURPLE)
UNSURE = Mark("o", "○", MUTED, filled=False)

Row = Mapping[str, Any]


def unit(document: Document) -> Unit:
    """Return the unit of an effect."""
    return "count" if judged_unit(document) == "count" else "points"


def effects(document: Document) -> list[Row]:
    """Return the effects, the widest first."""
    return sorted(document["factorial"]["effects"], key=lambda row: -abs(float(row["estimate"])))


def resolved(row: Row) -> bool:
    """Tell whether an effect is shown to be there."""
    return bool(row["low"] > 0 or row["high"] < 0)


def named(document: Document, row: Row) -> str:
    """Name an effect by its factors."""
    titles = {one["name"]: one["title"] for one in document["factorial"]["factors"]}
    return " × ".join(titles[name] for name in row["factors"])


def title(document: Document) -> str:
    """Return the title of the plot of effects."""
    chosen = "the readings that weigh most" if document["factorial"]["chosen"] else "these factors"
    return f"What {chosen} do to '{document['metric']}', alone and together"


def alt(document: Document) -> str:
    """Say the plot of effects in words."""
    told = []
    for row in effects(document)[:3]:
        value, interval = value_and_interval(row, unit(document), difference=True)
        told.append(f"{named(document, row)} {value} ({interval})")
    return f"Bars with intervals. {title(document)}; the widest: {'; '.join(told)}."


def draw(document: Document, narrow: bool) -> str:
    """Return the plot of effects as SVG: bars from 0 with simultaneous intervals, interactions in another colour."""
    rows = effects(document)
    shown = rows[:MOST]
    kind = unit(document)
    combined = document["factorial"]
    notes = [
        f"{level(combined['level'])} for all {len(rows):,} together, {combined['family']}, n = {combined['n']:,}",
        f"the {MOST} widest of {len(rows):,}; the table has all" if len(rows) > MOST else "",
    ]
    lanes = [
        Lane(named(document, row), *value_and_interval(row, kind, difference=True), faint=not resolved(row))
        for row in shown
    ]
    ends = (min(0.0, *(row["low"] for row in shown)), max(0.0, *(row["high"] for row in shown)))
    marks = [_mark(row) for row in shown]
    words = {ALONE: "alone, on average over the others", TOGETHER: "together, beyond their sum", UNSURE: "not resolved"}
    legend = [(mark, word) for mark, word in words.items() if mark in marks]
    axis = f"change of '{document['metric']}'{', percentage points' if kind == 'points' else ''}"
    plot = Lanes(title(document), notes, lanes, ends, kind, axis, narrow=narrow, legend=legend)

    def put(frame: Frame, tops: Sequence[float]) -> None:
        wide = 5.0 if narrow else 7.0
        for mark in (ALONE, TOGETHER, UNSURE):
            some = [(row, top) for row, top, one in zip(shown, tops, marks, strict=True) if one is mark]
            boxes = [_box(0.0, row["estimate"], top, wide) for row, top in some]
            faded = 0.3 if mark.filled else 0.15
            filled = PolyCollection(boxes, facecolors=mark.colour, alpha=faded, linewidths=0, zorder=1)
            frame.axes.add_collection(filled)
            bars(frame.axes, [((row["low"], top), (row["high"], top)) for row, top in some], colors=mark.colour)
            frame.axes.plot([row["estimate"] for row, _ in some], [top for _, top in some], **dots(mark, 6), zorder=3)
        line_at_zero(frame, tops, narrow=narrow)

    return plot.svg(put)


def _mark(row: Row) -> Mark:
    if not resolved(row):
        return UNSURE
    return ALONE if len(row["factors"]) == 1 else TOGETHER


def _box(low: float, high: float, top: float, half: float) -> list[tuple[float, float]]:
    return [(low, top - half), (high, top - half), (high, top + half), (low, top + half)]


def share_title(document: Document) -> str:
    """Return the title of the plot of shares."""
    return f"Share of the variance of '{document['metric']}' over the ranges"


def share_alt(document: Document) -> str:
    """Say the plot of shares in words."""
    spread = document["sobol"]
    told = [
        f"{one['title']}: {percent(first)} alone, {percent(total)} in all"
        for one, first, total in zip(spread["ranges"], spread["first"], spread["total"], strict=True)
    ]
    return f"Bars with intervals. {share_title(document)}; {'; '.join(told)}."


def draw_shares(document: Document, narrow: bool) -> str:
    """Return the plot of Sobol indices as SVG: first-order and total share of every number, with intervals."""
    spread = document["sobol"]
    order = sorted(range(len(spread["ranges"])), key=lambda i: -float(spread["total"][i]["estimate"]))
    lanes, rows, marks = [], [], []
    for i in order:
        one = spread["ranges"][i]
        group = f"{one['title']}: {one['low']:g} to {one['high']:g}"
        for kind, mark, word in (("first", ALONE, "alone"), ("total", TOGETHER, "with what it takes part in")):
            row = spread[kind][i]
            value, _, interval = percent(row).partition(" (")
            lanes.append(Lane(word, value, interval.rstrip(")"), group, faint=row["low"] <= 0))
            rows.append({name: 100 * float(row[name]) for name in ("estimate", "low", "high")})
            marks.append(mark)
    lows, highs = [float(row["low"]) for row in rows], [float(row["high"]) for row in rows]
    ends = (min(0.0, *lows), max(100.0, *highs))
    how = "every combination of the ranges" if spread["design"] == "grid" else f"{spread['points']:,} base points"
    notes = [
        f"{level(spread['level'])} for all {2 * len(order):,} together, {how}, n = {spread['n']:,} in each",
    ]
    axis = "share of the variance, per cent"
    legend = [(ALONE, "alone"), (TOGETHER, "with what it takes part in")]
    plot = Lanes(share_title(document), notes, lanes, ends, "count", axis, narrow=narrow, legend=legend)

    def put(frame: Frame, tops: Sequence[float]) -> None:
        for mark in (ALONE, TOGETHER):
            some = [(row, top) for row, top, one in zip(rows, tops, marks, strict=True) if one is mark]
            boxes = [_box(0.0, row["estimate"], top, 5.0 if narrow else 7.0) for row, top in some]
            frame.axes.add_collection(PolyCollection(boxes, facecolors=mark.colour, alpha=0.3, linewidths=0, zorder=1))
            bars(frame.axes, [((row["low"], top), (row["high"], top)) for row, top in some], colors=mark.colour)
            frame.axes.plot([row["estimate"] for row, _ in some], [top for _, top in some], **dots(mark, 6), zorder=3)
        line_at_zero(frame, tops, narrow=narrow)

    return plot.svg(put)
