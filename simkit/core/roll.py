"""Reading dice from random bits inside kernels.

One 64-bit draw is looked up in a :class:`~simkit.core.dicetable.DiceTable` by inverse CDF. The lookup
is monotone, so that at one address a better die never rolls lower; that is what keeps dice common
between rule variants that change the dice.
"""

import numpy as np

from simkit.core.dicetable import ROWS, S56, DiceTable
from simkit.core.jit import rule


@rule
def read(table: DiceTable, bits: np.uint64) -> int:
    """Return what the dice show for one 64-bit draw."""
    k = int(table.guide[np.int64(bits >> S56)])  # type: ignore[call-overload]
    k += int(bits > table.bounds[k])  # one bound at most in nearly every cell of the guide: no branch to mispredict
    while bits > table.bounds[k]:
        k += 1
    return table.lowest + k


@rule
def shows(table: DiceTable, bits: np.uint64, needed: int) -> bool:
    """Tell whether the dice show so much or more: the same as ``read(table, bits) >= needed``, in one look."""
    k = needed - table.lowest
    if k <= 0:
        return True
    return k < ROWS and bool(bits > table.bounds[k - 1])
