"""Exact numbers as text, however long they are.

Python refuses to write or read whole numbers of more than 4,300 digits, because strangers could choose slow ones. Exact
chances of many dice or many turns are longer, and nobody else chooses their digits; ``decimal`` converts them fast.
"""

import re
from decimal import Decimal
from fractions import Fraction

_LONG = 4000  # digits that Python converts by itself without a question


def written(fraction: Fraction) -> str:
    """Write a fraction in lowest terms as ``n/d``, or as ``n`` where it is whole.

    Parameters
    ----------
    fraction : Fraction
        Any number.

    Returns
    -------
    str

    Examples
    --------
    >>> written(Fraction(2, 6)), written(Fraction(4)), len(written(Fraction(1, 7**9000)))
    ('1/3', '4', 7608)
    """
    parts = [fraction.numerator] if fraction.denominator == 1 else [fraction.numerator, fraction.denominator]
    return "/".join(str(part) if part.bit_length() < 3 * _LONG else f"{Decimal(part):f}" for part in parts)


def read(text: str) -> Fraction:
    """Read what :func:`written` wrote.

    Parameters
    ----------
    text : str
        ``n/d`` or ``n``.

    Returns
    -------
    Fraction

    Raises
    ------
    ValueError
        The text is no such number.

    Examples
    --------
    >>> read("-1/3")
    Fraction(-1, 3)
    """
    if not re.fullmatch(r"-?[0-9]+(/[0-9]+)?", text):
        raise ValueError(f"{text[:80]!r} is not a fraction such as 1/3")
    return Fraction(*(int(part) if len(part) < _LONG else int(Decimal(part)) for part in text.split("/")))
