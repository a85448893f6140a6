"""The chance that dice fulfil a comparison: ``2d6 >= 8``, ``2d6+2 > 2d6``.

Both sides are brought to one: what is asked is how their difference falls against 0, each side
having thrown its own dice. The answer is an exact fraction, with one exception: if dice explode on
both sides, throws with very many explosions are left out, and the answer says how likely those are.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from simkit.core.dice import at_least, exactly, tabulate, tabulate_series
from simkit.core.notation import MAX_TEXT, parse, parse_part
from simkit.core.terms import Dice, DiceError
from simkit.core.written import written

_COMPARISON = re.compile(r"<=|>=|==|!=|<|>|=")

_HOLDS: dict[str, Callable[["Comparison"], Fraction]] = {
    ">": lambda c: c.greater,
    ">=": lambda c: c.greater + c.equal,
    "<": lambda c: c.less,
    "<=": lambda c: c.less + c.equal,
    "=": lambda c: c.equal,
    "==": lambda c: c.equal,
    "!=": lambda c: c.less + c.greater,
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """How dice fall against a number.

    Parameters
    ----------
    less, equal, greater : Fraction
        The three chances. If `tail` is not 0 they are lower bounds.
    tail : Fraction
        What the three are short of 1 by together.
    """

    less: Fraction
    equal: Fraction
    greater: Fraction
    tail: Fraction = Fraction(0)


def compare(dice: Dice, target: int = 0) -> Comparison:
    """Return the chances to fall below a number, on it and above it.

    Parameters
    ----------
    dice : Dice
        Any dice; for an opposed roll the difference of the two sides.
    target : int, default 0
        The number.

    Returns
    -------
    Comparison
        Exact (``tail`` 0), unless the dice explode both upwards and downwards.

    Raises
    ------
    DiceError
        If the dice are too many to be worked out.

    Notes
    -----
    If there is a lowest value, only finitely many lie up to the target, and the chance to be above
    is the complement of a finite sum; likewise from above if there is a highest.

    Examples
    --------
    >>> compare(parse("2d6") - parse("2d6")).equal
    Fraction(73, 648)
    """
    if dice.explodes_up and dice.explodes_down:
        return _series(dice, target)
    if dice.explodes_down:
        mirrored = compare(-dice, -target)
        return Comparison(mirrored.greater, mirrored.equal, mirrored.less)
    if target < dice.lowest:
        return Comparison(Fraction(0), Fraction(0), Fraction(1))
    row = target - dice.lowest
    counts = tabulate(dice, row + 1)
    less = Fraction(sum(counts.weights[:row]), counts.total)
    equal = Fraction(sum(counts.weights[row:]), counts.total)
    return Comparison(less, equal, 1 - less - equal)


def _series(dice: Dice, target: int) -> Comparison:
    """Compare by the throws with few explosions only."""
    counts = tabulate_series(dice)
    parts = [0, 0, 0]
    for value, weight in enumerate(counts.weights, start=counts.lowest):
        parts[(value > target) - (value < target) + 1] += weight
    less, equal, greater = (Fraction(part, counts.total) for part in parts)
    return Comparison(less, equal, greater, Fraction(counts.tail, counts.total))


@dataclass(frozen=True, slots=True)
class Odds:
    """The answer to a question about dice.

    Parameters
    ----------
    expr : str
        The question as it was asked.
    subject : Dice
        The dice that `at_least` and `exactly` are about: the left side, or for an opposed roll the
        left side minus the right.
    fraction : Fraction or None
        The exact chance; None for a series, or if nothing is compared.
    decimal : float or None
        The chance as a float; None if nothing is compared.
    exact : bool
        Whether nothing is left out.
    bound : float
        0 if exact. Otherwise the true chance lies between `decimal` and ``decimal + bound`` (but
        for the last digit of a float), and so do those of the two lists.
    at_least, exactly : list of (int, Fraction)
        The chance to reach each possible value, and of just that value, in ascending order. The
        lists of exploding dice end where the chance to go on falls below 1e-9.
    is_opposed : bool
        Whether both sides throw dice, so that `subject` is a margin.
    """

    expr: str
    subject: Dice
    fraction: Fraction | None
    decimal: float | None
    exact: bool
    bound: float
    at_least: list[tuple[int, Fraction]]
    exactly: list[tuple[int, Fraction]]
    is_opposed: bool = False

    def to_json(self) -> dict[str, object]:
        """Return what ``simkit odds --json`` prints.

        Returns
        -------
        dict
            ``schema``, ``expr``, ``fraction`` (in lowest terms, or None), ``decimal``, ``exact``,
            ``at_least`` as pairs of value and fraction, and ``bound`` if not exact.
        """
        document: dict[str, object] = {
            "schema": 1,
            "expr": self.expr,
            "fraction": None if self.fraction is None else written(self.fraction),
            "decimal": self.decimal,
            "exact": self.exact,
            "at_least": [[value, written(chance)] for value, chance in self.at_least],
        }
        return document if self.exact else {**document, "bound": self.bound}


def odds(text: str) -> Odds:
    """Work out the chance that a comparison of dice holds.

    Parameters
    ----------
    text : str
        Two dice expressions with ``>``, ``>=``, ``<``, ``<=``, ``=``, ``==`` or ``!=`` in between
        (``=`` and ``==`` are the same), or a single one for its chances alone. ``!=`` is always
        "not equal": a blank parts the ``!`` of an exploding die from an equals sign.

    Returns
    -------
    Odds
        The chance and the list behind it.

    Raises
    ------
    DiceError
        If the text cannot be read or asks for too much; it says where.

    Examples
    --------
    >>> odds("2d6 > 2d6").fraction
    Fraction(575, 1296)
    >>> odds("1d8! >= 10").fraction
    Fraction(7, 64)
    """
    if len(text) > 2 * MAX_TEXT:
        message = f"a comparison may be {2 * MAX_TEXT:,} characters long, found {len(text):,}"
        raise DiceError(message, text=text, column=2 * MAX_TEXT, length=len(text) - 2 * MAX_TEXT)
    signs = list(_COMPARISON.finditer(text))
    if len(signs) > 1:
        help = "a blank parts the ! of an exploding die from an equals sign: 1d8! = 8" if "!=" in text else ""
        message = f"expected one comparison, found a second: '{signs[1][0]}'"
        raise DiceError(message, text=text, column=signs[1].start(), length=len(signs[1][0]), help=help)
    if not signs:
        dice = parse(text)
        return _answer(text, subject=dice, compared=dice, holds=None)
    sign = signs[0]
    left, right = parse_part(text, 0, sign.start()), parse_part(text, sign.end(), len(text))
    try:
        difference = left - right
        subject = difference if right.terms else left
        return _answer(text, subject, difference, _HOLDS[sign[0]], is_opposed=bool(right.terms))
    except DiceError as error:
        raise error.at(text, 0, len(text)) from None


def _answer(
    text: str,
    subject: Dice,
    compared: Dice,
    holds: Callable[[Comparison], Fraction] | None,
    *,
    is_opposed: bool = False,
) -> Odds:
    comparison = compare(compared)
    chance = holds(comparison) if holds else None
    is_exact = comparison.tail == 0
    return Odds(
        expr=text.strip(),
        subject=subject,
        fraction=chance if is_exact else None,
        decimal=None if chance is None else float(chance),
        exact=is_exact,
        bound=float(comparison.tail),
        at_least=at_least(subject),
        exactly=exactly(subject),
        is_opposed=is_opposed,
    )
