"""What the functions of this room accept, checked in one place.

Every public function here takes scalars or arrays and returns float64 arrays of the broadcast shape; scalars give
0-d arrays, which behave like floats in arithmetic, comparison and formatting (``float(x)`` makes a plain one).
"""

from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]


COUNT_LIMIT = 2**53  # floats count exactly up to here, and the inverses of scipy lose their way above


def alpha_of(level: float) -> float:
    """Error probability ``1 - level`` of a confidence level.

    The subtraction is done on the decimal that the reader wrote: 0.9999999 gives exactly 1e-7, where floats would
    give 1.0000000005838672e-07.

    Raises
    ------
    ValueError
        Unless ``0 < level < 1``.
    """
    value = float(level)
    if not 0.0 < value < 1.0:
        raise ValueError(f"level is {level!r}; allowed is a confidence level between 0 and 1, such as 0.99")
    return float(1 - Decimal(repr(value)))


def share_between(name: str, value: float) -> float:
    """Return ``value`` as a float strictly between 0 and 1, or raise ValueError."""
    number = float(value)
    if not 0.0 < number < 1.0:
        raise ValueError(f"{name} is {value!r}; allowed are numbers strictly between 0 and 1")
    return number


def positive(name: str, value: float) -> float:
    """Return ``value`` as a finite float above 0, or raise ValueError."""
    number = float(value)
    if not 0.0 < number < np.inf:
        raise ValueError(f"{name} is {value!r}; allowed are finite numbers above 0")
    return number


def whole(name: str, value: ArrayLike, least: int = 0) -> IntArray:
    """Return ``value`` as int64, refusing everything that is not an integer of at least ``least``."""
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} has type {array.dtype}; allowed are whole numbers of an integer type")
    if array.size and int(array.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"{name} holds {array.max()}; allowed are whole numbers up to {np.iinfo(np.int64).max}")
    if array.size and int(array.min()) < least:
        raise ValueError(f"{name} holds {array.min()}; allowed are whole numbers from {least}")
    return array.astype(np.int64)


def finite(name: str, value: ArrayLike) -> NDArray[Any]:
    """Return ``value`` as an int64 array if it is of an integer type, else as float64, refusing inf and nan."""
    array = np.asarray(value)
    if array.dtype.kind in "iu":
        return whole(name, array, np.iinfo(np.int64).min)
    if array.dtype.kind != "f":
        raise ValueError(f"{name} has type {array.dtype}; allowed are numbers")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds a value that is not finite; allowed are finite numbers")
    return array.astype(np.float64)


def successes(k: ArrayLike, n: ArrayLike) -> tuple[IntArray, IntArray]:
    """Return ``k`` of ``n`` as int64 of one shape with ``1 <= n <= 2**53``, ``0 <= k <= n``, or raise ValueError."""
    some, all_ = np.broadcast_arrays(whole("k", k), whole("n", n, 1))
    if (all_ > COUNT_LIMIT).any():
        raise ValueError(f"n holds {all_.max()}; allowed are whole numbers up to 2**53")
    if (some > all_).any():
        where = np.argmax((some > all_).ravel())
        raise ValueError(f"k is {some.ravel()[where]} of n = {all_.ravel()[where]}; allowed is k from 0 to n")
    return some, all_


def bounds(low: ArrayLike, high: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return broadcast float64 bounds with ``low <= high``, or raise ValueError."""
    below, above = np.broadcast_arrays(np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64))
    if not (below <= above).all():
        raise ValueError("an interval has low above high, or nan; allowed is low <= high")
    return below, above


def normal_quantile(level: float) -> float:
    """Two-sided standard normal critical value: ``P(|Z| <= z) = level``."""
    return float(-special.ndtri(alpha_of(level) / 2))


def t_quantile(level: float, df: NDArray[np.floating[Any]]) -> FloatArray:
    """Two-sided critical value of Student's t with ``df`` degrees of freedom, of the shape of ``df``."""
    return np.asarray(-special.stdtrit(df, alpha_of(level) / 2), dtype=np.float64)
