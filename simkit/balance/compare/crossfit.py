"""Distances and underdogs without the luck of the choice: half of the batches choose, the other half count.

How far a value lies from its target is ``|value - target|``; whose chance an upset is hangs on who is weaker. Both
begin with a choice of a side by the very numbers that are then read off on it, which makes near cells look unfairer
and upsets rarer than they are. So the even batches choose for the odd ones and the odd ones for the even: what is
counted had no part in the choice. Where the choice is a guess the expected distance is nearly 0, as it should be.
"""

import numpy as np
from numpy.typing import NDArray

Batches = NDArray[np.float64]
"""Shape (..., 256): sums by batch."""


def signs(sums: Batches) -> Batches:
    """Return on which side of 0 the *other* half of the batches lies.

    Parameters
    ----------
    sums
        Shape (..., 256): sums of what is above or below 0.

    Returns
    -------
    float64, shape (..., 256)
        1 or -1 by batch: 1 where the sum of the batches of the other parity is 0 or more.

    Examples
    --------
    >>> signs(np.array([1.0, -5.0, 2.0, -5.0])).tolist()
    [-1.0, 1.0, -1.0, 1.0]
    """
    found = np.empty_like(sums, dtype=np.float64)
    for parity in (0, 1):
        other = sums[..., 1 - parity :: 2].sum(axis=-1, keepdims=True)
        found[..., parity::2] = np.where(other >= 0, 1.0, -1.0)
    return found


def distances(sums: Batches) -> Batches:
    """Return batch sums whose mean is the distance from 0.

    Parameters
    ----------
    sums
        Shape (..., 256): sums of value less target, a unit.

    Returns
    -------
    float64, shape (..., 256)
        The sums with the sign that the other half of the batches chose.

    Examples
    --------
    >>> distances(np.full(4, -3.0)).tolist()
    [3.0, 3.0, 3.0, 3.0]
    """
    return np.asarray(sums * signs(sums), dtype=np.float64)


def underdogs(ours: Batches, theirs: Batches) -> Batches:
    """Return batch sums of the wins of whoever is weaker.

    Parameters
    ----------
    ours, theirs
        Shape (..., 256): wins of the one side and of the other.

    Returns
    -------
    float64, shape (..., 256)
        The wins of the side that has won less often in the other half of the batches.

    Examples
    --------
    >>> underdogs(np.full(4, 7.0), np.full(4, 2.0)).tolist()
    [2.0, 2.0, 2.0, 2.0]
    """
    return np.where(signs(ours - theirs) > 0, theirs, ours)
