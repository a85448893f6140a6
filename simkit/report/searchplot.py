"""The plots of a search: who raced last, on fresh dice, and what the best answer of every round gained."""

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.report.canvas import Frame, bars, dots
from simkit.report.lanes import Lane, Lanes
from simkit.report.style import BAND, BLUE, INK, MUTED, VERMILLION, Mark
from simkit.report.words import Document, percent, value_and_interval

Row = Mapping[str, Any]

ABOVE = Mark("^", "▲", BLUE)
BELOW = Mark("v", "▼", VERMILLION)
EVEN = Mark("o", "○", MUTED, filled=False)
LOOKED = Mark("x", "×", MUTED)
WORDS = {ABOVE: "surely above one half", EVEN: "not resolved", BELOW: "surely below one half"}
JOINED = {ABOVE: "joined the pool", EVEN: "gained too little, or not surely"}

MOST = 16


def last(document: Document) -> Row:
    """Return the last round that looked at anything."""
    return next(row for row in reversed(document["rounds"]) if row["finalists"])


def against(document: Document) -> str:
    """Name whom the finalists of the last round met."""
    if document["counter"]:
        return str(document["counter"])
    row = last(document)
    picked = [name for name, share in zip(row["pool"], row["shares"], strict=True) if share >= 0.005]
    return picked[0] if len(picked) == 1 else "the equilibrium"


def race_title(document: Document) -> str:
    """Return the title of the plot of finalists."""
    return f"What the finalists score against {against(document)}, on fresh dice"


def race_alt(document: Document) -> str:
    """Say the plot of finalists in words."""
    told = [f"{row['name']} {' '.join(_score(row))}" for row in last(document)["finalists"][:3]]
    return f"Marks with intervals. {race_title(document)}; the first: {'; '.join(told)}."


def _score(row: Row) -> tuple[str, str]:
    return value_and_interval(row["fresh"], "share", units="games")


def _sign(low: float, high: float, line: float) -> Mark:
    return ABOVE if low > line else BELOW if high < line else EVEN


def race(document: Document, narrow: bool) -> str:
    """Return the plot of finalists as SVG: on fresh dice with intervals, and as they looked when they were chosen."""
    shown = last(document)["finalists"][:MOST]
    signs = [_sign(row["fresh"]["low"], row["fresh"]["high"], 0.5) for row in shown]
    lanes = [Lane(row["name"], *_score(row), faint=sign is EVEN) for row, sign in zip(shown, signs, strict=True)]
    note = f"{percent(document['level'])} for all {len(shown)} together"
    values = [0.5, *(row["looked"] for row in shown), *(row["fresh"][end] for row in shown for end in ("low", "high"))]
    legend = [(one, word) for one, word in WORDS.items() if one in signs] + [(LOOKED, "on the dice that chose them")]
    ends = (min(values), max(values))
    title = race_title(document)
    plot = Lanes(title, [note], lanes, ends, "share", "score, per cent", narrow=narrow, legend=legend)

    def put(frame: Frame, tops: Sequence[float]) -> None:
        bars(frame.axes, [((0.5, frame.down[0]), (0.5, frame.down[1]))], colors=INK, linewidths=1.2, zorder=1)
        frame.axes.plot([row["looked"] for row in shown], list(tops), **dots(LOOKED, 5), zorder=2)
        for one in WORDS:
            some = [(row["fresh"], top) for row, top, sign in zip(shown, tops, signs, strict=True) if sign is one]
            bars(frame.axes, [((value["low"], top), (value["high"], top)) for value, top in some], colors=one.colour)
            frame.axes.plot(
                [value["estimate"] for value, _ in some], [top for _, top in some], **dots(one, 6), zorder=3
            )

    return plot.svg(put)


def rounds_title(document: Document) -> str:
    """Return the title of the plot of rounds."""
    return "What the best answer of every round gains on the pool so far"


def answered(document: Document) -> list[Row]:
    """Return the rounds that found an answer."""
    return [row for row in document["rounds"] if row["gain"] is not None]


def rounds_alt(document: Document) -> str:
    """Say the plot of rounds in words."""
    told = [f"round {row['number']}: {row['answer']} {' '.join(_gain(row))}" for row in answered(document)]
    return f"Marks with intervals. {rounds_title(document)}; {'; '.join(told)}."


def _gain(row: Row) -> tuple[str, str]:
    return value_and_interval(row["gain"], "points", difference=True, units="games")


def rounds(document: Document, narrow: bool) -> str:
    """Return the plot of rounds as SVG: gains on fresh dice, with the band of those that do not matter."""
    shown = answered(document)
    delta = float(document["delta"])
    signs = [ABOVE if row["joined"] else EVEN for row in shown]
    lanes = [
        Lane(f"{row['number']}. {row['answer']}", *_gain(row), faint=sign is EVEN)
        for row, sign in zip(shown, signs, strict=True)
    ]
    together = "the rounds together" if len(document["rounds"]) > 1 else "it"
    note = (
        f"{percent(document['level'])} for {together}; the band is {100 * delta:g} points, what matters from there on"
    )
    ends = (
        min(-delta, *(row["gain"]["low"] for row in shown)),
        max(delta, *(row["gain"]["high"] for row in shown)),
    )
    legend = [(one, word) for one, word in JOINED.items() if one in signs]
    axis = "gain of score, percentage points"
    plot = Lanes(rounds_title(document), [note], lanes, ends, "points", axis, narrow=narrow, legend=legend)

    def put(frame: Frame, tops: Sequence[float]) -> None:
        frame.axes.axvspan(-delta, delta, color=BAND, linewidth=0, zorder=0)
        for one in JOINED:
            some = [(row["gain"], top) for row, top, sign in zip(shown, tops, signs, strict=True) if sign is one]
            bars(frame.axes, [((value["low"], top), (value["high"], top)) for value, top in some], colors=one.colour)
            frame.axes.plot(
                [value["estimate"] for value, _ in some], [top for _, top in some], **dots(one, 6), zorder=3
            )
        bars(frame.axes, [((0.0, frame.down[0]), (0.0, frame.down[1]))], colors=INK, linewidths=1.2, zorder=1)

    return plot.svg(put)
