"""Products of exact factors, rounded once at the end.

A price of 616 raised twice by a tenth is 745.36. Rounding after each step gives 746, and a binary
float may land on the wrong side of a half; so factors are exact and the rounding comes last.
"""

import re
from fractions import Fraction
from math import ceil, floor
from typing import Literal, get_args

Half = Literal["up", "down", "away", "even"]
"""Where a number halfway between two whole ones goes."""

_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{1,40}|/[0-9]{1,40})?", re.ASCII)


def exact(number: int | str | Fraction) -> Fraction:
    """Read a number that must not have been rounded yet.

    Parameters
    ----------
    number : int, str or Fraction
        A text is a decimal or a quotient such as ``"1.10"`` or ``"13/18"``, without an exponent.

    Returns
    -------
    Fraction
        Just that number.

    Raises
    ------
    TypeError
        For anything else, a float above all: write it as text.
    ValueError
        For a text that is no such number, or a zero below the line.

    Examples
    --------
    >>> exact("1.10")
    Fraction(11, 10)
    """
    if isinstance(number, str):
        text = number.strip()
        if not _NUMBER.fullmatch(text) or ("/" in text and not text.rpartition("/")[2].strip("0")):
            raise ValueError(f"expected a number such as 1.10 or 13/18, found {number[:50]!r}")
        return Fraction(text)
    if isinstance(number, bool) or not isinstance(number, int | Fraction):
        raise TypeError(f"expected an int, a Fraction or a text such as '1.10', found {number!r}")
    return Fraction(number)


def scaled(value: int | str | Fraction, *factors: int | str | Fraction, half: Half = "up") -> int:
    """Multiply a value by all factors and round the product once.

    Parameters
    ----------
    value : int, str or Fraction
        What is scaled; see `exact`.
    *factors : int, str or Fraction
        In any order, which makes no difference.
    half : {"up", "down", "away", "even"}, default "up"
        Where a product halfway between two whole numbers goes: to the greater, to the lesser, to
        the one farther from zero, or to the even one. All others go to the nearest.

    Returns
    -------
    int
        The rounded product.

    Raises
    ------
    TypeError
        If a number is a float.
    ValueError
        If a text is no number, or `half` is none of the four.

    Examples
    --------
    >>> scaled(616, "1.10", "1.10")
    745
    >>> [scaled("-2.5", half=half) for half in ("up", "down", "away", "even")]
    [-2, -3, -3, -2]
    """
    product = exact(value)
    for factor in factors:
        product *= exact(factor)
    shift = Fraction(1, 2)
    match half:
        case "up":
            return floor(product + shift)
        case "down":
            return ceil(product - shift)
        case "away":
            return floor(product + shift) if product >= 0 else ceil(product - shift)
        case "even":
            return round(product)
    raise ValueError(f"half must be one of {', '.join(get_args(Half))}, found {half!r}")
