"""Hit dice as lists print them, such as 4+1: what they count, and what follows from them (B-UNI-1, B-UNI-2)."""

import re
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

MOST_DICE = 40
"""Most hit dice of a creature."""

MOST_PLUS = 40

_PRINTED = re.compile(r"([0-9]{1,2})(?:\s*([+-])\s*([0-9]{1,2}))?")


class HitDice(NamedTuple):
    """Hit dice: whole dice and what is added to them; half a die is 0 dice."""

    dice: int
    plus: int = 0

    def __str__(self) -> str:
        """Return the hit dice as lists print them."""
        if not self.dice:
            return "1/2"
        return f"{self.dice}{self.plus:+d}" if self.plus else str(self.dice)


def read(text: str) -> HitDice:
    """Read printed hit dice.

    Raises
    ------
    ValueError
        The text is no such thing.

    Examples
    --------
    >>> read("3+3"), read("1-1"), str(read("½"))
    (HitDice(dice=3, plus=3), HitDice(dice=1, plus=-1), '1/2')
    """
    bare = text.strip()
    if bare in ("½", "1/2"):
        return HitDice(0)
    found = _PRINTED.fullmatch(bare)
    if not found or not 1 <= int(found[1]) <= MOST_DICE or int(found[3] or 0) > MOST_PLUS:
        raise ValueError(f"'{text[:64]}' are no hit dice")
    return HitDice(int(found[1]), int(f"{found[2] or ''}{found[3] or 0}"))


def _hit_dice(value: Any) -> Any:
    text = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    if not isinstance(text, str):
        return value
    try:
        return str(read(text))
    except ValueError as error:
        help = f'1 to {MOST_DICE}, or text such as "4+1", "1-1" or "1/2"'
        raise PydanticCustomError("value", "{reason}", {"reason": str(error), "help": help}) from error


HitDiceText = Annotated[str, BeforeValidator(_hit_dice)]
"""Hit dice of a file: a whole number, or text such as "4+1"."""


def counted(printed: HitDice, hd_plus: Literal["plus4_next_die", "drop"]) -> Fraction:
    """Return what hit dice count in averages and pools (B-LAN-2).

    Parameters
    ----------
    printed
        The hit dice.
    hd_plus
        The rule of that name.

    Examples
    --------
    >>> [str(counted(read(text), "plus4_next_die")) for text in ("3+3", "4+4", "1-1", "1/2")]
    ['3', '5', '1', '1/2']
    """
    if not printed.dice:
        return Fraction(1, 2)
    return Fraction(printed.dice + (hd_plus == "plus4_next_die" and printed.plus >= 4))


def ratio_of(printed: HitDice) -> int:
    """Return how many creatures of printed hit dice one figure stands for (B-UNI-1).

    Examples
    --------
    >>> [ratio_of(read(text)) for text in ("1/2", "4", "4+1", "8+7", "9")]
    [10, 10, 5, 5, 2]
    """
    return 10 if printed < (4, 1) else 5 if printed < (9, 0) else 2


MONSTER_AR = ((16, 7), (14, 8), (12, 9), (10, 10), (8, 12), (6, 13), (4, 15), (2, 16))
"""Hit dice from which a monster has an AR, from the best (B-UNI-2)."""


def monster_ar(printed: HitDice) -> int:
    """Return the AR of a monster by its hit dice; a plus above +3 counts as one more die (B-UNI-2).

    Examples
    --------
    >>> [monster_ar(read(text)) for text in ("1/2", "1-1", "1", "1+1", "2", "3+3", "3+4", "16")]
    [20, 20, 19, 18, 16, 16, 15, 7]
    """
    dice = printed.dice + (printed.plus > 3)
    for least, ar in MONSTER_AR:
        if dice >= least:
            return ar
    return 20 if printed < (1, 0) else 19 if printed == (1, 0) else 18
