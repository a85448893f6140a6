"""Dice as tables of cumulative probabilities: what a kernel reads a throw from.

A dice expression becomes a table of cumulative probabilities scaled to 2**64. One 64-bit draw is
read by inverse CDF: every entry is the greatest draw that shows its value or less, and the value is
the lowest one plus the number of entries below the draw. A guide over the top eight bits starts the
search next to its end. A probability is off by less than 2**-64; a value that is rarer than that at
the low end never shows. The reading itself is :func:`simkit.core.roll.read`; nothing here is compiled,
so that an experiment can be checked and planned without numba.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

import numpy as np

from simkit.core.dice import Dice, cut, thresholds
from simkit.core.layout import Record

ROWS = 128
"""Most values that a die in a kernel can show; an exploding die is cut at the last one."""

GUIDE = 256
"""Entries of the guide: one for every value of the top eight bits."""

S56 = np.uint64(56)


class DiceTable(Record):
    """One dice expression, ready to be rolled."""

    lowest: int
    guide: Annotated[Sequence[int], GUIDE]
    bounds: Annotated[Sequence[np.uint64], ROWS]


def dice_table(dice: Dice) -> DiceTable:
    """Build the table of a dice expression.

    Raises
    ------
    simkit.core.dice.DiceError
        The expression has more than ``ROWS`` different values.
    """
    return _table(dice).copy()


@lru_cache(1024)
def _table(dice: Dice) -> DiceTable:
    lowest, bounds = thresholds(dice, ROWS)
    shown = [bound - 1 for bound in bounds if bound]
    table = DiceTable.new()
    table.lowest = lowest + len(bounds) - len(shown)
    column = np.full(ROWS, 2**64 - 1, np.uint64)  # no draw is above the entries that are not used
    column[: len(shown)] = shown
    table.bounds[:] = column  # type: ignore[index]
    table.guide[:] = np.searchsorted(column, np.arange(GUIDE, dtype=np.uint64) << S56)  # type: ignore[index]
    return table


def faces(dice: Dice) -> list[tuple[int, Fraction]]:
    """Return what a table of these dice shows, with exact chances (an exploding die is cut as in kernels)."""
    shown = []
    below = Fraction(0)
    for value, up_to in cut(dice, ROWS):
        if up_to > below:
            shown.append((value, up_to - below))
        below = up_to
    return shown


def draw_of(table: DiceTable, value: int) -> np.uint64:
    """Return a draw that shows a value of the table.

    Raises
    ------
    ValueError
        The dice cannot show it.
    """
    k = value - int(table.lowest)
    if not 0 <= k < ROWS or (k and int(table.bounds[k - 1]) == 2**64 - 1):
        raise ValueError(f"these dice cannot show {value}")
    return np.uint64(int(table.bounds[k - 1]) + 1 if k else 0)
