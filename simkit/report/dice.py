"""The curve of ``simkit odds --plot``: how likely at least so much is, and how likely each value."""

import textwrap
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simkit.core.written import written
from simkit.report.export import form_of, save
from simkit.report.style import BLUE, FAINT, INK, MUTED, VERMILLION, settings

if TYPE_CHECKING:
    from simkit.core.odds import Odds

SEEN = Fraction(1, 2000)
"""Values beyond which less than this share of throws lies are too flat to see and are left off."""

WIDE, PANEL, LINE = 720, 170, 19
"""Width of the plot, height of each half and of a line of the title, in CSS pixels."""

MOST_BARS = 250
"""With more values than this each is a line: its bar would be thinner than one."""


def draw(odds: "Odds", path: str | Path) -> None:
    """Draw the odds of dice into a file: steps for at least, bars for exactly.

    Parameters
    ----------
    odds
        The answer of :func:`simkit.core.odds.odds`.
    path
        Where to; ``.svg`` or ``.png``. The same odds give the same bytes.

    Raises
    ------
    ValueError
        For any other ending.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from simkit.core.odds import odds
    >>> draw(odds("2d6 >= 8"), "curve.svg")  # doctest: +SKIP
    """
    path = Path(path)
    form_of(path)  # before anything is drawn
    with settings():
        save(_figure(odds), path)


def _figure(odds: "Odds") -> Figure:
    title = textwrap.wrap(odds.expr if len(odds.expr) <= 300 else f"{odds.expr[:300]} ...", 80)
    notes = [_answer(odds)] if odds.decimal is not None else []
    height = LINE * (len(title) + len(notes)) + 2 * PANEL + 20
    figure = Figure(figsize=(WIDE / 72, height / 72))
    for i, line in enumerate([*title, *notes]):
        look = {"fontsize": 14, "fontweight": "bold"} if i < len(title) else {"color": MUTED}
        figure.text(0.01, 1 - (i + 0.7) * LINE / height, line, va="center", **look)
    values = _seen(odds)
    at_least, exactly = dict(odds.at_least), dict(odds.exactly)
    steps, bars = ([_percent(curve[value]) for value in values] for curve in (at_least, exactly))
    edges = [values[0] - 0.5, *(value + 0.5 for value in values)]
    upper, lower = (_axes(figure, height, bottom, edges) for bottom in (PANEL + 28, 44))
    upper.stairs(steps, edges, color=BLUE, linewidth=2, baseline=None)
    upper.set(ylabel="at least, % of throws", ylim=(0, 103))
    upper.tick_params(labelbottom=False)
    if len(values) <= MOST_BARS:
        lower.bar(values, bars, color=VERMILLION, width=0.8)
    else:
        lower.vlines(values, 0, bars, color=VERMILLION, linewidth=1)
        lower.set_ylim(0)
    lower.set(ylabel="exactly, % of throws", xlabel=_subject(odds))
    return figure


def _axes(figure: Figure, height: float, bottom: float, edges: list[float]) -> Axes:
    axes = figure.add_axes((56 / WIDE, bottom / height, (WIDE - 64) / WIDE, (PANEL - 24) / height))
    axes.set_xlim(edges[0], edges[-1])
    axes.grid(axis="y", color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0, labelcolor=INK)
    axes.xaxis.set_major_locator(MaxNLocator(16, steps=[1, 2, 5, 10], integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    return axes


def _seen(odds: "Odds") -> list[int]:
    """Return the values from the first to the last that a reader can see, all of them if there is none."""
    exactly = dict(odds.exactly)
    seen = [value for value, chance in odds.at_least if chance >= SEEN and 1 - chance + exactly[value] >= SEEN]
    return seen or [value for value, _ in odds.at_least]


def _subject(odds: "Odds") -> str:
    text = str(odds.subject)
    text = text if len(text) <= 60 else f"{text[:60]} ..."
    return (
        f"margin in points: the left side minus the right, {text}" if odds.is_opposed else f"total of {text}, in points"
    )


def _percent(chance: Fraction) -> float:
    return 100 * float(chance)


def _answer(odds: "Odds") -> str:
    decimal = f"{100 * (odds.decimal or 0):.6g} %"
    text = "" if odds.fraction is None else written(odds.fraction)
    return f"{text} = {decimal}" if 0 < len(text) <= 40 else decimal
