"""Reading dice from random bits inside kernels.

A dice expression becomes a table of cumulative probabilities scaled to 2**64. One 64-bit draw is
read by inverse CDF: every entry is the greatest draw that shows its value or less, and the value is
the lowest one plus the number of entries below the draw. The lookup is monotone, so that at one
address a better die never rolls lower; that is what keeps dice common between rule variants that
change the dice. A guide over the top eight bits starts the search next to its end. A probability is
off by less than 2**-64; a value that is rarer than that at the low end never shows.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

import numpy as np

from simkit.core.dice import Dice, cut, thresholds
from simkit.core.jit import rule
from simkit.core.layout import Record

ROWS = 128
"""Most values that a die in a kernel can show; an exploding die is cut at the last one."""

GUIDE = 256
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


@rule
def read(table: DiceTable, bits: np.uint64) -> int:
    """Return what the dice show for one 64-bit draw."""
    k = int(table.guide[np.int64(bits >> S56)])  # type: ignore[call-overload]
    k += int(bits > table.bounds[k])  # one bound at most in nearly every cell of the guide: no branch to mispredict
    while bits > table.bounds[k]:
        k += 1
    return table.lowest + k
