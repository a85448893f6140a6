"""Reading dice from random bits inside kernels.

A dice expression becomes a table of cumulative probabilities scaled to 2**64. One 64-bit draw is
read by inverse CDF: the value is the lowest one plus the number of table entries not above the
draw. The lookup is monotone, so that at one address a better die never rolls lower; that is what
keeps dice common between rule variants that change the dice. A guide over the top eight bits starts
the search next to its end. A probability is off by less than 2**-64.
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
    table = DiceTable.new()
    table.lowest = lowest
    column = np.full(ROWS, 2**64 - 1, np.uint64)
    column[: len(bounds)] = [min(bound, 2**64 - 1) for bound in bounds]
    table.bounds[:] = column  # type: ignore[index]
    table.guide[:] = np.searchsorted(column, np.arange(GUIDE, dtype=np.uint64) << S56, side="right")  # type: ignore[index]
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
    k = table.guide[np.int64(bits >> S56)]
    k += bits >= table.bounds[k]  # at most one bound in nearly every cell of the guide: no branch to mispredict
    while bits >= table.bounds[k]:
        k += 1
    return table.lowest + k
