"""Intervals that hold together, from sums of common batches alone: of values, of movements and of averages.

A band is a max-T band, or Sidak's (see :func:`simkit.stats.simultaneous_bands`). Where too little varied for one, a
row gets the bound of a rare event at Sidak's level, so that what was never seen is not called impossible.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from simkit import stats
from simkit.lab.estimates import FEW_BATCHES, Value, differing_batches, rare_bound
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate


def held_together(
    sums: ArrayLike, units: int, level: float, values: Sequence[Value], reaches: Sequence[float]
) -> list[Estimate]:
    """Return means with intervals that hold together at one level.

    Parameters
    ----------
    sums
        Shape (rows, 256): what the units of each batch add up to, the same units (the same dice) in every row.
    units
        Units behind every row, at least 2.
    level
        Confidence level of all rows together.
    values
        For each row what its sums are divided by, and between which bounds its mean lies.
    reaches
        For each row how far the sum of a unit may well lie from the commonest, where too few differ to tell.

    Returns
    -------
    list of Estimate
        One a row; its method says which kind of interval it has.

    Examples
    --------
    >>> sums = np.arange(512).reshape(2, 256) % 7
    >>> [f"{one.estimate:.3f} {one.method}" for one in held_together(sums, 2560, 0.99, [Value(1, 0, 1)] * 2, [1, 1])]
    ['0.298 max-t', '0.301 max-t']
    """
    rows: Any = np.asarray(sums)  # whole numbers, or numbers made of them
    if not len(rows):
        return []
    each = stats.sidak_level(len(rows), level)
    bands = stats.simultaneous_bands(rows, units_per_batch(units), level)
    made = []
    for k, own in enumerate(rows):
        value = values[k]
        if differing_batches(own, units)[0] < FEW_BATCHES:
            made.append(rarely(own, units, each, level, reaches[k], value))
        else:
            mean, low, high = float(own.sum()) / units, float(bands.low[k]), float(bands.high[k])
            made.append(value.estimate(mean, low, high, level, units, bands.critical.method))
    return made


def rarely(sums: Any, units: int, each: float, level: float, reach: float, value: Value) -> Estimate:
    """Return a mean of which too little varied, with the bound of a rare event at one level, said to have another.

    Parameters
    ----------
    sums
        Shape (256,): by batch; numbers that are not whole are taken as they are.
    units, reach, value
        As in :func:`held_together`, of one row.
    each, level
        Level of its own bound, and of all intervals together.
    """
    bound = rare_bound(sums, units, each, reach, value, sequential=False)
    mean = float(sums.sum()) / units / value.parts
    return Estimate(mean, min(bound.low, mean), max(bound.high, mean), level, units, bound.method)
