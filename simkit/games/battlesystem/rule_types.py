"""Kinds of values that the rules hold: fractions in twelfths, dice, ranges of bows, pasted tables of results."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from simkit.core.dice import DiceError, mean, parse, thresholds

TWELFTHS = 12
"""Fractions of the rules are whole numbers of twelfths, so that a move of whole inches ends on the grid of 1/36."""

FARTHEST = 100
"""Greatest range of a bow in inches."""

MOST_DAMAGE = 1000
"""Greatest mean of damage dice, and most hit dice that an attack kills by a pasted table."""

MOST_STEPS = 40
"""Most steps of the combat results table."""

LONGEST = 64
"""Characters of a value that an error repeats."""

_FRACTION = re.compile(r"([0-9]{1,3})(?:/([1-9][0-9]?))?")


def _cut(values: list[int]) -> str:
    """Write a list down, and show where it was cut."""
    text = str(values)
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(',')[0]}, ...]"


def twelfths(text: str) -> int:
    """Return how many twelfths a fraction such as ``"3/4"`` is.

    Raises
    ------
    ValueError
        It is no fraction whose denominator divides 12.

    Examples
    --------
    >>> twelfths("3/4"), twelfths("2"), twelfths("1/3")
    (9, 24, 4)
    """
    found = _FRACTION.fullmatch(text.strip())
    denominator = int(found[2] or 1) if found else 0
    if not found or not denominator or TWELFTHS % denominator:
        raise ValueError(f"'{text[:64]}' is no fraction of twelfths")
    return int(found[1]) * (TWELFTHS // denominator)


@dataclass(frozen=True)
class Twelfths:
    """Limits of a fraction of the rules; the value is text in lowest terms."""

    least: str
    most: str

    @property
    def ge(self) -> str:
        """The least value, for lists of what is allowed."""
        return f'"{self.least}"'

    @property
    def le(self) -> str:
        """The greatest value, for lists of what is allowed."""
        return f'"{self.most}", in twelfths such as "3/4"'

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.checked, handler(source))

    def checked(self, text: str) -> str:
        """Return a fraction in lowest terms, or raise what is wrong with it."""
        context = {"found": repr(text[:64]), "least": self.least, "most": self.most}
        try:
            value = twelfths(text)
        except ValueError as error:
            help = 'text such as "1/2", "2/3" or "1"; the denominator is 1, 2, 3, 4, 6 or 12'
            context["help"] = help
            raise PydanticCustomError("value", "expected a fraction in twelfths, found {found}", context) from error
        if not twelfths(self.least) <= value <= twelfths(self.most):
            raise PydanticCustomError("value", "must be from {least} to {most}, found {found}", context)
        return str(Fraction(value, TWELFTHS))


Gain = Annotated[str, Twelfths("0", "2")]
"""Part of a normal move that is added to it, or that remains of it."""

Cost = Annotated[str, Twelfths("0", "1")]
"""Part of a normal move that is taken from it."""

Width = Annotated[str, Twelfths("1/12", "12")]
"""Side of a base in inches."""

Gap = Annotated[str, Twelfths("0", "12")]
"""Room between files in inches."""


@lru_cache(maxsize=1024)
def _shown(text: str) -> tuple[str, int]:
    """Return dice in their canonical form, and how many values they show; rule sets by the thousand name the same."""
    dice = parse(text)
    return str(dice), len(thresholds(dice)[1]) + 1


def canonical(text: str) -> str:
    """Return dice as all spellings of them are written.

    Examples
    --------
    >>> canonical("1D6 +1"), canonical("d6+1")
    ('1d6+1', '1d6+1')
    """
    return _shown(text)[0]


def _rollable(text: str) -> str:
    try:
        return _shown(text)[0]
    except DiceError as error:
        context = {"reason": error.message, "column": error.column + 1, "help": error.help}
        raise PydanticCustomError("dice", "{reason}", context) from error


def _can_differ(text: str) -> str:
    if _shown(text)[1] == 1:
        raise PydanticCustomError("dice", "{dice} never differ: a tie would be rolled again for ever", {"dice": text})
    return text


DiceText = Annotated[str, AfterValidator(_rollable)]
"""Dice that are read against a number."""

TieText = Annotated[DiceText, AfterValidator(_can_differ)]
"""Dice whose ties are rolled again."""


@dataclass(frozen=True)
class Ranges:
    """Short, medium and long range of a bow: three whole numbers of inches that never fall."""

    ge: str = "[0, 0, 0]"
    le: str = f"[{FARTHEST}, {FARTHEST}, {FARTHEST}]"

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.checked, handler(source))

    def checked(self, ranges: list[int]) -> list[int]:
        """Return the ranges, or raise what is wrong with them."""
        if len(ranges) != 3 or sorted(ranges) != ranges or not 0 <= ranges[0] <= ranges[2] <= FARTHEST:
            message = "expected short, medium and long range, rising from 0 to {most} inches, found {found}"
            context = {"most": FARTHEST, "found": _cut(ranges), "help": "such as [5, 10, 15]"}
            raise PydanticCustomError("value", message, context)
        return ranges


BowRanges = Annotated[list[int], Ranges()]


def damage_dice(text: str) -> str:
    """Accept damage dice whose mean is a whole number of halves above 0; return them as they were written.

    Raises
    ------
    PydanticCustomError
        They cannot be read, or have another mean.

    Examples
    --------
    >>> damage_dice(" 2d4+1")
    '2d4+1'
    """
    average = mean(parse(_rollable(text)))
    if not 0 < average <= MOST_DAMAGE:
        allowed = f"more than 0 and at most {MOST_DAMAGE:,} are allowed"
    elif (average * 2).denominator != 1:
        allowed = "no whole number of halves"
    else:
        return text.strip()
    shown = f"{float(average):,.0f}" if average.denominator == 1 else f"{float(average):.4g}"
    context = {"dice": text[:64], "mean": shown, "allowed": allowed, "help": "plain dice such as 1d8 or 2d4+1"}
    raise PydanticCustomError("dice", "'{dice}': {mean} damage on average, {allowed}", context)


DamageText = Annotated[str, Field(max_length=64), AfterValidator(damage_dice)]
"""Dice of damage."""


def _column(row: list[int]) -> list[int]:
    if sorted(row, reverse=True) != row or not all(0 <= one <= MOST_DAMAGE for one in row):
        message = "a column of results falls from the best to the worst, each from 0 to {most}, found {found}"
        raise PydanticCustomError("value", message, {"found": _cut(row), "most": f"{MOST_DAMAGE:,}"})
    return row


Column = Annotated[list[int], Field(min_length=2, max_length=MOST_STEPS + 1), AfterValidator(_column)]
ResultTable = Annotated[dict[DamageText, Column], Field(max_length=64)]
"""Damage dice to the hit dice that a figure of ten kills, from the best index to the worst."""
