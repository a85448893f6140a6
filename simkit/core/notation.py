"""Dice notation: text such as ``2d6+1d4-3`` read into plain values and written back.

The grammar, blanks allowed between its parts and capitals as good as small letters::

    dice     = ["-"] item { ("+" | "-") item }
    item     = number | [number "*"] roll
    roll     = [count] "d" (sides | "%") ["r" number] ["!"] [("kh" | "kl") [number]]

====================  ==============================================================================
``2d6``, ``d6``       the sum of so many dice; a missing count is 1
``d%``                ``d100``
``3*1d6``             one roll, multiplied
``1d6r1``             a die that shows 1 or less is thrown once more, and the second throw stands
``1d6!``              a die that shows its top face is thrown again and adds up, without end
``4d6kh3``            the highest three count; ``kl``: the lowest; without a number: one die
====================  ==============================================================================

**The order within a roll is fixed**, and the text must follow it: reroll, then explode, then keep.
Only the first throw of a die can be rerolled, never a throw that it won by exploding; what a die
totals with its explosions is one result, kept or dropped as a whole.
"""

import re
from functools import lru_cache

from simkit.core.terms import MAX_BONUS, MAX_TERMS, Dice, DiceError, Die, Term, check

MAX_TEXT = 600
"""Most characters of a dice expression: the canonical text of any `Dice` read from one is shorter."""

_TOKEN = re.compile(r"[0-9]+|kh|kl|[-+*d%r!]", re.ASCII | re.IGNORECASE)
_BLANKS = re.compile(r"[ \t]*")


class _Reader:
    """Takes one token after the other; blanks in front of a token are skipped."""

    def __init__(self, text: str, begin: int, stop: int) -> None:
        self.text = text
        self.begin = begin  # of the token last taken
        self.end = begin
        self.stop = stop

    def next(self) -> int:
        """Return the column of the next token."""
        blanks = _BLANKS.match(self.text, self.end, self.stop)
        return blanks.end() if blanks else self.end

    def take(self, *wanted: str) -> str:
        """Take the next token if it is one of `wanted` (``"0"`` for a number), else nothing."""
        begin = self.next()
        token = _TOKEN.match(self.text, begin, self.stop)
        if token is None or ("0" if token[0].isdigit() else token[0].lower()) not in wanted:
            return ""
        self.begin, self.end = begin, token.end()
        return token[0].lower()

    def error(self, expected: str, help: str = "") -> DiceError:
        """Complain about what stands next."""
        column = self.next()
        token = _TOKEN.match(self.text, column, self.stop)
        found = token[0] if token else self.text[column : column + 1]
        if not found:
            shown = "the end"
        elif len(found) > 15:
            shown = f"a number of {len(found)} digits"
        else:
            shown = f"'{found}'" if found.isprintable() else f"character {ord(found)}"
        message = f"expected {expected}, found {shown}"
        return DiceError(message, text=self.text, column=column, length=max(1, len(found)), help=help)


def _read_item(reader: _Reader, sign: int) -> Term | int:
    spans: dict[str, tuple[int, int]] = {}
    start = reader.next()

    def number(part: str, otherwise: int) -> int:
        token = reader.take("0")
        if token:
            spans[part] = (reader.begin, len(token))
        return int(token) if token else otherwise

    count = number("count", 1)
    factor = 1
    if spans and reader.take("*"):
        factor, spans["factor"] = count, spans.pop("count")
        count = number("count", 1)
    if not reader.take("d"):
        if "factor" in spans:
            raise reader.error("dice such as 1d6 after '*'")
        if "count" in spans:
            return sign * count
        raise reader.error("a number or dice such as 2d6")
    if reader.take("%"):
        sides = 100
    else:
        sides = number("sides", 0)
        if "sides" not in spans:
            raise reader.error("the sides of the die, a number or %")
    reroll = 0
    if reader.take("r"):
        reroll = number("reroll", 0)
        if "reroll" not in spans:
            raise reader.error("the highest face to reroll", help="r1 rerolls a die that shows 1")
    explodes = bool(reader.take("!"))
    if explodes:
        spans["explodes"] = (reader.begin, 1)
    keep = reader.take("kh", "kl")
    kept = number("keep", 1) if keep else None
    try:
        return Term(
            count,
            Die(sides, reroll, explodes),
            sign * factor,
            keep_highest=kept if keep == "kh" else None,
            keep_lowest=kept if keep == "kl" else None,
        )
    except DiceError as error:
        raise error.at(reader.text, *spans.get(error.part, (start, reader.end - start))) from None


def parse(text: str) -> Dice:
    """Read a dice expression.

    Parameters
    ----------
    text : str
        Dice such as ``2d6+1``; the grammar is at the head of this module.

    Returns
    -------
    Dice
        The value; ``str`` of it is the canonical text.

    Raises
    ------
    DiceError
        If the text is not dice, or they are beyond the limits; it says where and what is allowed.

    Examples
    --------
    >>> parse("2D6 - 1").bonus
    -1
    >>> parse("4d6 kh 3").terms[0].keep_highest
    3
    """
    return _parsed(text) if type(text) is str else parse_part(text, 0, len(text))


@lru_cache(1024)
def _parsed(text: str) -> Dice:
    return parse_part(text, 0, len(text))


def parse_part(text: str, begin: int, stop: int) -> Dice:
    """Read the dice between two columns of a text; errors show the whole of it.

    Parameters
    ----------
    text : str
        Any text.
    begin, stop : int
        The columns that the dice stand between.

    Raises
    ------
    DiceError
        As in `parse`.

    Examples
    --------
    >>> str(parse_part("2d6 > 7", 0, 4))
    '2d6'
    """
    if stop - begin > MAX_TEXT:
        message = f"dice may be {MAX_TEXT} characters long, found {stop - begin:,}"
        raise DiceError(message, text=text, column=begin + MAX_TEXT, length=stop - begin - MAX_TEXT)
    reader = _Reader(text, begin, stop)
    terms: list[Term] = []
    bonus = 0
    sign = reader.take("-") or "+"
    while sign:
        item = _read_item(reader, -1 if sign == "-" else 1)
        if isinstance(item, Term):
            terms.append(item)
        else:
            bonus += item
        sign = reader.take("+", "-")
    if reader.next() < stop:
        misplaced = text[reader.next()].lower() in "r!k"
        order = "each modifier comes once, in this order: 4d6r1!kh3"
        raise reader.error("'+', '-' or the end", help=order if misplaced else "")
    try:
        check("terms", "the number of terms", len(terms), 0, MAX_TERMS)
        check("bonus", "the sum of the whole numbers", bonus, -MAX_BONUS, MAX_BONUS)
        return Dice(tuple(terms), bonus)
    except DiceError as error:
        raise error.at(text, begin, stop - begin) from None
