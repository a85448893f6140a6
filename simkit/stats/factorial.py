"""On/off rulings in all combinations: what each does, and what pairs of them do together.

The cells of a full factorial are in standard order: cell ``i`` has factor ``j`` on if bit ``j`` of ``i`` is set. All
cells are played with the same dice, so that effects are paired differences.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.checks import BoolArray, FloatArray, finite, whole
from simkit.stats.multiple import Critical, simultaneous_bands

FACTORS_LIMIT = 10
"""Most factors: 1,024 cells."""


@dataclass(frozen=True, slots=True)
class Effects:
    """Effects of on/off factors with simultaneous intervals.

    A main effect is the mean of the metric over all cells with the factor on, less that over all with it off. The
    interaction of two factors is half of what the one's effect gains when the other is turned on; and so on: half of
    what the interaction of the others gains. So an interaction of the size of a main effect can cancel or double it.

    Attributes
    ----------
    factors
        For each effect the names of its factors, one for a main effect.
    estimate, low, high
        float64, one an effect, in the unit of the metric.
    varied
        bool: False where no batch differed. Such an effect has no width and bounds nothing beyond these units.
    critical
        The critical value common to all.
    """

    factors: tuple[tuple[str, ...], ...]
    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    varied: BoolArray
    critical: Critical


def full_factorial(factors: int) -> BoolArray:
    """List all combinations of on/off factors in standard order.

    Parameters
    ----------
    factors
        How many, 1 to 10.

    Returns
    -------
    bool array of shape ``(2**factors, factors)``
        True for on; the first row has all off.

    Raises
    ------
    ValueError
        On another count.

    Examples
    --------
    >>> full_factorial(2).astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    count = int(whole("factors", factors, 1))
    if count > FACTORS_LIMIT:
        raise ValueError(f"factors is {count}; allowed are 1 to {FACTORS_LIMIT}")
    return np.asarray((np.arange(2**count)[:, np.newaxis] >> np.arange(count)) & 1, dtype=np.bool_)


def walsh(values: ArrayLike) -> FloatArray:
    """Coefficients of a function of on/off factors in products of -1 (off) and 1 (on).

    ``value = sum over sets S of c_S prod over j in S of x_j``. The fast Walsh-Hadamard transform, by Yates' sums and
    differences of neighbours (Yates, The Design and Analysis of Factorial Experiments, 1937).

    Parameters
    ----------
    values
        Shape ``(2**k, ...)``: the value of each cell in standard order.

    Returns
    -------
    float64 array of the same shape
        Entry ``i`` belongs to the set of the bits of ``i``; entry 0 is the mean. An effect as in ``Effects`` is twice
        its coefficient.

    Raises
    ------
    ValueError
        If the first axis is not a power of 2.

    Examples
    --------
    >>> walsh([1.0, 3.0, 2.0, 8.0]).tolist()
    [3.5, 2.0, 1.5, 1.0]
    """
    cells = finite("values", values)
    return np.asarray(_contrasts(cells) / cells.shape[0], dtype=np.float64)


def factorial_effects(
    sums: ArrayLike, counts: ArrayLike, names: Sequence[str], level: float, order: int = 2
) -> Effects:
    """Effects and interactions of on/off factors from batch sums, all intervals together at one level.

    The batch sums of an effect are sums and differences of those of the cells, so common dice cancel and nothing is
    assumed about how cells move together. The critical value is that of ``simultaneous_bands``.

    Parameters
    ----------
    sums
        Shape ``(2**k, batches)``: sum of the metric over the units of each batch, cells in standard order.
    counts
        Shape ``(batches,)``: units of each batch, the same in all cells.
    names
        Of the k factors, k from 1 to 10.
    level
        Confidence level of all effects together.
    order
        Most factors in an interaction; 1 for main effects only.

    Returns
    -------
    Effects
        Main effects first, in the order of the names, then pairs and so on.

    Raises
    ------
    ValueError
        On other shapes or numbers, names that repeat, or fewer than two batches with units.

    Examples
    --------
    >>> sums = [[10, 12, 11, 13], [14, 15, 15, 18], [10, 12, 11, 13], [14, 15, 15, 18]]
    >>> found = factorial_effects(sums, [10, 10, 10, 10], ["legs", "sails"], 0.95)
    >>> found.factors
    (('legs',), ('sails',), ('legs', 'sails'))
    >>> found.estimate.tolist(), found.varied.tolist()
    ([0.4, 0.0, 0.0], [True, False, False])
    """
    factors = list(names)
    if len(set(factors)) != len(factors):
        raise ValueError(f"names are {', '.join(factors)}; allowed are names that differ")
    cells = full_factorial(len(factors)).shape[0]
    seen, units = finite("sums", sums), whole("counts", counts)
    if seen.ndim != 2 or seen.shape[0] != cells or units.shape != seen.shape[1:]:
        found = f"sums has shape {seen.shape}, counts {units.shape}"
        raise ValueError(f"{found}; allowed for {len(factors)} factors are ({cells}, batches) and (batches,)")
    if not 1 <= order <= len(factors):
        raise ValueError(f"order is {order}; allowed are 1 to {len(factors)}")
    sets = [some for size in range(1, order + 1) for some in combinations(range(len(factors)), size)]
    chosen = [sum(1 << factor for factor in some) for some in sets]
    contrasts = _contrasts(seen)[chosen]
    bands = simultaneous_bands(contrasts, units, level)
    # A sum of 2^k cells: half of it, over 2^(k - 1) cells each side, is the difference of two means.
    pairs = cells / 2
    estimate = contrasts.sum(axis=1) / units.sum() / pairs
    labels = tuple(tuple(factors[factor] for factor in some) for some in sets)
    return Effects(labels, np.asarray(estimate), bands.low / pairs, bands.high / pairs, bands.varied, bands.critical)


def _contrasts(values: np.ndarray) -> np.ndarray:
    """Sum the cells with the signs of each set of factors; whole numbers stay whole."""
    cells = values.shape[0] if values.ndim else 0
    if cells < 1 or cells & (cells - 1):
        raise ValueError(f"values has {cells} cells; allowed are powers of 2")
    result = values
    width = 1
    while width < cells:
        pairs = result.reshape(cells // (2 * width), 2, width, *values.shape[1:])
        result = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 1] - pairs[:, 0]], axis=1).reshape(values.shape)
        width *= 2
    return result
