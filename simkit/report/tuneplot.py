"""The plots of a tuning: what everybody gains on fresh dice, and how the search went."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.report.canvas import LINE, NARROW, WIDE, Box, Canvas, Frame, bars, dots, scale, wrapped
from simkit.report.lanes import Lane, Lanes
from simkit.report.style import BAND, BLUE, GREEN, INK, MUTED, VERMILLION, Mark
from simkit.report.words import Document, percent, short, value_and_interval

Row = Mapping[str, Any]

SURE = Mark("^", "▲", BLUE)
UNSURE = Mark("o", "○", MUTED, filled=False)
LOSES = Mark("v", "▼", VERMILLION)
WORDS = {SURE: "surely gains", UNSURE: "not resolved", LOSES: "surely loses, so that the plain weights stay"}

MEAN = Mark("s", "■", GREEN)
BEST = Mark("o", "○", MUTED, filled=False)

MOST_PANELS = 12
"""Searches that are drawn; of more those that gain most."""


def rows(document: Document) -> list[Row]:
    """Return who was tuned, designs before families, those who gain most first."""
    return sorted(document["tuned"], key=lambda row: (row["kind"] == "family", -float(row["gain"]["estimate"])))


def mark(row: Row) -> Mark:
    """Return the mark of a gain."""
    gain = row["gain"]
    return SURE if gain["low"] > 0 else LOSES if gain["high"] < 0 else UNSURE


def gain_title(document: Document) -> str:
    """Return the title of the plot of gains."""
    return "What tuned weights score above plain ones, on fresh dice"


def gain_alt(document: Document) -> str:
    """Say the plot of gains in words."""
    told = [f"{row['title']} {' '.join(_numbers(row))}" for row in rows(document)[:3]]
    return f"Marks with intervals. {gain_title(document)}; the first: {'; '.join(told)}."


def _numbers(row: Row) -> tuple[str, str]:
    return value_and_interval(row["gain"], "points", difference=True, units="games")


def gains(document: Document, narrow: bool) -> str:
    """Return the plot of gains as SVG, with the band of those that do not matter."""
    shown = rows(document)
    heads = {"design": "Weights of a design's own", "family": "Weights of a family, on strange builds of it"}
    both = len({row["kind"] for row in shown}) > 1
    lanes = [
        Lane(row["title"], *_numbers(row), group=heads[row["kind"]] if both else "", faint=mark(row) is UNSURE)
        for row in shown
    ]
    delta, level = float(document["delta"]), percent(document["level"])
    note = f"{level} for all {len(shown)} together; the band is {100 * delta:g} points, what matters from there on"
    ends = (min(0.0, *(row["gain"]["low"] for row in shown)), max(delta, *(row["gain"]["high"] for row in shown)))
    marks = [mark(row) for row in shown]
    legend = [(one, word) for one, word in WORDS.items() if one in marks]
    axis = "gain of score, percentage points"
    plot = Lanes(gain_title(document), [note], lanes, ends, "points", axis, narrow=narrow, legend=legend)

    def put(frame: Frame, tops: Sequence[float]) -> None:
        frame.axes.axvspan(-delta, delta, color=BAND, linewidth=0, zorder=0)
        for one in WORDS:
            some = [(row["gain"], top) for row, top, sign in zip(shown, tops, marks, strict=True) if sign is one]
            bars(frame.axes, [((gain["low"], top), (gain["high"], top)) for gain, top in some], colors=one.colour)
            frame.axes.plot([gain["estimate"] for gain, _ in some], [top for _, top in some], **dots(one, 6), zorder=3)
        bars(frame.axes, [((0.0, frame.down[0]), (0.0, frame.down[1]))], colors=INK, linewidths=1.2, zorder=1)

    return plot.svg(put)


def search_title(document: Document) -> str:
    """Return the title of the plot of the searches."""
    return "How the searches went: gain by generation"


def searched(document: Document) -> list[Row]:
    """Return whose searches are drawn."""
    return sorted(document["tuned"], key=lambda row: -float(row["gain"]["estimate"]))[:MOST_PANELS]


def search_alt(document: Document) -> str:
    """Say the plot of the searches in words."""
    first = searched(document)[0]
    last = first["generations"][-1]["gain"]
    return (
        f"Lines in {len(searched(document))} panels. {search_title(document)}; {first['title']} stands "
        f"{100 * last:.1f} points above the plain weights in its last generation."
    )


def searches(document: Document, narrow: bool) -> str:
    """Return the plot of the searches as SVG: a panel each, the gain of the mean and of the best draw."""
    shown = searched(document)
    width = NARROW if narrow else WIDE
    across = 1 if narrow else min(3, len(shown))
    gap, left = 16.0, 36.0
    wide, high = (width - left - gap * (across - 1)) / across, 96.0
    left_out = len(document["tuned"]) - len(shown)
    notes = wrapped(
        "Each generation has dice of its own, so that the lines shake; the best draw is chosen by them and overstated, "
        "which is why it is never the answer." + (f" The {left_out} who gain least are left out." if left_out else ""),
        width,
    )
    steps = [step for row in shown for step in row["generations"]]
    low, top = min(0.0, *(s["gain"] for s in steps)), max(s["best"] for s in steps)
    y = scale(low, top, "points", 4)
    lines = -(-len(shown) // across)
    head = 20.0 + 19 * len(wrapped(search_title(document), width - 8, 15)) + LINE * len(notes)
    sheet = Canvas(width, head + lines * (high + 42) + 34)
    sheet.heading(search_title(document), notes)
    for k, row in enumerate(shown):
        column, line = k % across, k // across
        box = Box(left + column * (wide + gap), head + line * (high + 42) + 12, wide, high)
        count = len(row["generations"])
        frame = sheet.frame(box, (0.5, count + 0.5), (y.low, y.high))
        frame.level_grid(y.ticks)
        if column == 0:
            frame.beside(y.ticks, y.labels)
        ticks = sorted({1, count, (count + 1) // 2})
        frame.below([float(t) for t in ticks], [str(t) for t in ticks])
        at = [float(k + 1) for k in range(count)]
        frame.axes.plot(at, [s["best"] for s in row["generations"]], color=MUTED, linewidth=1.2, linestyle=(0, (3, 2)))
        frame.axes.plot(at, [s["gain"] for s in row["generations"]], color=GREEN, linewidth=2.0)
        bars(frame.axes, [((0.5, 0.0), (count + 0.5, 0.0))], colors=INK, linewidths=1.0, zorder=1)
        sheet.text(box.left, box.top - 10, short(row["title"], int(wide / 6.4)), fontweight="bold")
    foot = sheet.height - 12
    sheet.key(
        foot, [(Mark("s", "■", GREEN), "mean of the weights"), (Mark("o", "○", MUTED, filled=False), "best draw")]
    )
    return sheet.svg()
