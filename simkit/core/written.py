"""Writing exact numbers down, however long they are."""

from decimal import Decimal
from fractions import Fraction


def written(fraction: Fraction) -> str:
    """Write a fraction in lowest terms as ``n/d``, or as ``n`` where it is whole.

    Unlike ``str`` it knows no limit of 4,300 digits: exact chances of many dice or many turns are longer, and no
    stranger chooses the digits themselves.

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
    return "/".join(_digits(part) for part in parts)


def _digits(number: int) -> str:
    return str(number) if number.bit_length() < 14_000 else f"{Decimal(number):f}"
