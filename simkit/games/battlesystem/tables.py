"""What every table of a file has in common: strict models, whole inches and thirty-sixths, mistakes with a help."""

import difflib
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

KeyPath = tuple[str | int, ...]
Checked = TypeVar("Checked", bound=BaseModel)
Label = Annotated[str, Field(min_length=1, max_length=64)]

GRID = 36
"""Places and distances are whole numbers of an inch divided by this (B-LAN-9)."""

NEAR = Fraction(1, 10**6)
"""How far, in inches, a decimal number may lie beside the place it means: 3.3333333 is 10/3."""

MOST_INCHES = 240
"""Greatest length of a lane in inches."""

_FRACTION = re.compile(r"[0-9]{1,6}(?:/[1-9][0-9]{0,5}|\.[0-9]{1,12})?")


class Table(BaseModel):
    """A table of a file: strict, closed and immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def mistake(message: str, help: str, *at: str | int) -> PydanticCustomError:
    """Return an error that lab shows in these words, at a key path below the table that is wrong."""
    return PydanticCustomError("meaning", "{message}", {"message": message, "help": help, "at": at})


def together(table: Checked, found: list[tuple[str, str, str]]) -> Checked:
    """Return a table in which nothing is wrong, or raise one error that says all.

    Parameters
    ----------
    table
        The table.
    found
        What is wrong: message, help, and the setting it is about. The error points at the first of the settings.

    Raises
    ------
    PydanticCustomError
        Something was found.
    """
    if found:
        messages, helps = (dict.fromkeys(one[k] for one in found if one[k]) for k in (0, 1))
        raise mistake("; ".join(messages), "; ".join(helps), found[0][2])
    return table


def thirtysixths(inches: int | float | str) -> int:
    """Return inches, as a file has them, in thirty-sixths of an inch (B-LAN-9).

    Parameters
    ----------
    inches
        A whole or decimal number, or text such as ``"10/3"``.

    Raises
    ------
    ValueError
        It is no number, not from 0 to 240, or lies beside every thirty-sixth.

    Examples
    --------
    >>> thirtysixths(0.25), thirtysixths("10/3"), thirtysixths(3.3333333)
    (9, 120, 120)
    """
    if isinstance(inches, str):
        if not _FRACTION.fullmatch(inches.strip()):
            raise ValueError(f"'{inches[:64]}' is no number of inches")
        value = Fraction(inches.strip())
    else:
        if isinstance(inches, bool) or not abs(inches) <= 10**6:  # also refuses nan
            raise ValueError(f"{inches} is no number of inches from 0 to {MOST_INCHES}")
        value = Fraction(inches)
    nearest = Fraction(round(value * GRID), GRID)
    if not 0 <= nearest <= MOST_INCHES:
        raise ValueError(f"{inches} is not from 0 to {MOST_INCHES} inches")
    if abs(value - nearest) > NEAR:
        raise ValueError(f"{inches} inches is no multiple of 1/36; the nearest is {nearest}")
    return int(nearest * GRID)


def _inches(value: Any) -> Any:
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        try:
            thirtysixths(value)
        except ValueError as error:
            help = 'such as 6, 2.5 or "10/3"'
            raise PydanticCustomError("value", "{reason}", {"reason": str(error), "help": help}) from error
    return value


Inches = Annotated[int | float | str, BeforeValidator(_inches)]
"""Inches from 0 to 240 in steps of 1/36, as a whole or decimal number or as text such as "10/3"."""


def plain(name: str) -> str:
    """Return a name as ids are spelled: small letters, single hyphens.

    Examples
    --------
    >>> plain("Heavy cavalry"), plain("lizard_men")
    ('heavy-cavalry', 'lizard-men')
    """
    return re.sub(r"[\s_-]+", "-", name.strip().lower())


def suggestion(name: str, choices: Iterable[str]) -> str:
    """Say which choice a misspelled name may have meant, and which there are.

    Examples
    --------
    >>> suggestion("pikeman", ["pikemen", "orcs"]), suggestion("dragon", ["orcs"])
    ("did you mean 'pikemen'? there are: pikemen, orcs", 'there are: orcs')
    """
    there = list(choices)
    folded = {plain(choice): choice for choice in there}
    close = difflib.get_close_matches(plain(name), folded, n=1) if len(name) <= 64 else []
    hint = f"did you mean '{folded[close[0]]}'? " if close else ""
    return f"{hint}there are: {', '.join(there)}"
