"""Dice as plain values, the limits on their size and the error that names them.

A `Dice` value is a sum of terms and a whole number, a `Term` is some equal dice thrown together,
a `Die` is what one of them does. `simkit.core.notation` reads and explains the text for them.
"""

from dataclasses import dataclass, replace
from typing import Self

TOO_MUCH = "throw fewer dice, or smaller ones"

MAX_TERMS = 20
"""Most terms in an expression; twice as many in the difference of two."""
MAX_COUNT = 1_000
"""Most dice in a term."""
MAX_SIDES = 10_000
"""Most sides of a die."""
MAX_FACTOR = 10_000
"""Highest multiplier of a term."""
MAX_BONUS = 1_000_000
"""Highest sum of the whole numbers; twice as high in the difference of two."""
MAX_SPAN = 100_000
"""Most values between the lowest and the highest outcome, both included."""
MAX_BITS = 8_000_000
"""Most bits in a table of exact chances: its rows times the length of the common denominator."""
MAX_BITS_EXPLODING = 3_000_000
"""The same if dice explode: all multiplications are then of the full length."""
MAX_WORK = 100_000_000_000
"""Most bits handled while the kept dice are sorted out. All limits together hold the time at some seconds."""

_WINDOW = 72  # characters of a long text that an error shows


class DiceError(ValueError):
    """Dice that cannot be read, or are too large to be worked out exactly.

    Parameters
    ----------
    message : str
        What was found and what is allowed.
    text : str, optional
        The whole text that was read.
    column, length : int, optional
        The faulty part of the text, counted from 0.
    help : str, optional
        What to write instead.
    part : str, optional
        The field of `Die`, `Term` or `Dice` at fault, or empty.

    Examples
    --------
    >>> parse("2d6+")
    Traceback (most recent call last):
    simkit.core.terms.DiceError: expected a number or dice such as 2d6, found the end
      | 2d6+
      |     ^
    """

    def __init__(
        self, message: str, *, text: str = "", column: int = 0, length: int = 1, help: str = "", part: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.column = column
        self.length = length
        self.help = help
        self.part = part

    def at(self, text: str, column: int, length: int) -> Self:
        """Give the same error a place in `text`."""
        return type(self)(self.message, text=text, column=column, length=length, help=self.help, part=self.part)

    def __str__(self) -> str:
        """Show the message, the text with the fault underlined, and the help."""
        lines = [self.message]
        if self.text:
            begin = max(0, self.column - _WINDOW // 2)
            # Text comes from strangers: nothing that could steer a terminal is printed.
            shown = "".join(c if c.isprintable() else "\ufffd" for c in self.text[begin : begin + _WINDOW])
            carets = "^" * max(1, min(self.length, len(shown) - (self.column - begin)))
            lines += [f"  | {shown}", f"  | {' ' * (self.column - begin)}{carets}"]
        if self.help:
            lines.append(f"help: {self.help}")
        return "\n".join(lines)


def check(part: str, what: str, value: int, low: int, high: int, help: str = "") -> None:
    """Refuse a number outside its range; `part` is the field it stands in and `what` its name in words.

    Raises
    ------
    DiceError
        If `value` is not within `low` to `high`.
    """
    if not low <= value <= high:
        found = f"{value:,}" if abs(value) < 10**15 else f"a number of {len(str(abs(value)))} digits"
        allowed = f"may be at most {high:,}" if low == 0 else f"must be {low:,} to {high:,}"
        raise DiceError(f"{what} {allowed}, found {found}", part=part, help=help)


@dataclass(frozen=True, slots=True)
class Die:
    """One die.

    Parameters
    ----------
    sides : int
        Faces 1 to `sides`, all equally likely; 1 to 10,000.
    reroll : int, default 0
        A first throw of this or less is thrown once more; 0 is never, at most ``sides - 1``.
    explodes : bool, default False
        The top face is thrown again and adds up, without end.

    Raises
    ------
    DiceError
        If a number is out of its range, or a one-sided die explodes.

    Examples
    --------
    >>> str(Die(6, reroll=1, explodes=True))
    'd6r1!'
    """

    sides: int
    reroll: int = 0
    explodes: bool = False

    def __post_init__(self) -> None:
        """Check the ranges."""
        check("sides", "the sides of a die", self.sides, 1, MAX_SIDES)
        if self.reroll:
            if self.sides == 1:
                raise DiceError("a die with one side has nothing to reroll", part="reroll")
            help = "r2 rerolls a die that shows 2 or less"
            check("reroll", f"the reroll of a d{self.sides}", self.reroll, 1, self.sides - 1, help)
        if self.explodes and self.sides == 1:
            raise DiceError("a die with one side would explode for ever", part="explodes")

    def __str__(self) -> str:
        """Write the canonical text without a count."""
        return f"d{self.sides}{f'r{self.reroll}' if self.reroll else ''}{'!' if self.explodes else ''}"


@dataclass(frozen=True, slots=True)
class Term:
    """Some equal dice thrown together, kept or dropped, added up and multiplied.

    Parameters
    ----------
    count : int
        Dice thrown, 1 to 1,000.
    die : Die
        What each of them is.
    factor : int, default 1
        The sum counts so many times; negative: it is taken off; -10,000 to 10,000 but not 0.
    keep_highest, keep_lowest : int, optional
        Only so many of the highest (lowest) dice count, 1 to `count`. At most one of the two is given.

    Raises
    ------
    DiceError
        If a number is out of its range or sorting the dice would be too much work.
    """

    count: int
    die: Die
    factor: int = 1
    keep_highest: int | None = None
    keep_lowest: int | None = None

    def __post_init__(self) -> None:
        """Check the ranges."""
        check("count", "the count of dice", self.count, 1, MAX_COUNT)
        check("factor", "the multiplier of dice", abs(self.factor), 1, MAX_FACTOR)
        check("keep", "the dice kept", self.kept, 1, self.count)
        if self.keep_highest is not None and self.keep_lowest is not None:
            raise DiceError("either the highest or the lowest dice are kept, not both", part="keep")
        work = self.work(self.span(0), 0)
        if self.die.explodes and work:
            # Their mean asks for the kept dice of all smaller throws, in fractions of this length.
            length = self.count**2 * self.die.sides.bit_length() // 2
            work = self.count * self.kept * work + self.count * (self.count + self.kept) * length**2 // 10
        check_work(work)

    @property
    def kept(self) -> int:
        """Dice that count."""
        given = self.keep_lowest if self.keep_highest is None else self.keep_highest
        return self.count if given is None else given

    @property
    def slots(self) -> tuple[int, int]:
        """First and stop of the kept dice when all are sorted in ascending order."""
        return (self.count - self.kept, self.count) if self.keep_lowest is None else (0, self.keep_lowest)

    @property
    def pooled(self) -> bool:
        """Whether the explosions of all dice can be counted together."""
        return self.die.explodes and self.die.reroll == 0 and self.kept == self.count

    def span(self, depth: int) -> int:
        """Values from the lowest to the highest sum with up to `depth` explosions (of each die, if not pooled)."""
        if not self.die.explodes:
            return 1 + self.kept * (self.die.sides - 1)
        exploding = 1 if self.pooled else self.kept
        return 1 + self.kept * (self.die.sides - 2) + exploding * self.die.sides * depth

    def bits(self, depth: int) -> int:
        """Length of the common denominator with up to `depth` explosions (of each die, if not pooled)."""
        throws = self.count * (1 + (self.die.reroll > 0))
        if self.die.explodes:
            throws += self.count + depth if self.pooled else self.count * depth
        return throws * self.die.sides.bit_length()

    def work(self, rows: int, depth: int) -> int:
        """Bits handled, roughly, to sort out the kept dice for a table of `rows` and `depth` explosions."""
        if self.kept == self.count:
            return 0
        values = min(rows, self.die.sides * (depth + 1))
        steps = min(values * self.kept, 2 * rows * rows.bit_length())
        numbers = self.count * (steps * rows + values * self.kept)
        return numbers * self.bits(depth) * (depth + 1)  # the weights grow with the depth

    def __str__(self) -> str:
        """Write the canonical text."""
        factor = {1: "", -1: "-"}.get(self.factor, f"{self.factor}*")
        end = "kh" if self.keep_highest is not None else "kl" if self.keep_lowest is not None else ""
        return f"{factor}{self.count}{self.die}{end}{self.kept if end else ''}"


@dataclass(frozen=True, slots=True)
class Dice:
    """A sum of dice and a whole number: what a dice expression stands for.

    Values are immutable, hashable and equal when written alike; ``str`` gives the canonical text,
    which `parse` reads back to an equal value. They can be added, subtracted and negated (each
    side throws its own dice).

    Parameters
    ----------
    terms : tuple of Term
        At most 20 (40 in a difference of two).
    bonus : int, default 0
        The sum of all whole numbers, -1,000,000 to 1,000,000.

    Raises
    ------
    DiceError
        If there are too many terms, values between the lowest and the highest outcome, or bits in
        the exact table.

    Examples
    --------
    >>> str(parse("3 + D6 - 2D4"))
    '1d6-2d4+3'
    """

    terms: tuple[Term, ...] = ()
    bonus: int = 0

    def __post_init__(self) -> None:
        """Check the ranges."""
        check("terms", "the number of terms", len(self.terms), 0, 2 * MAX_TERMS)
        check("bonus", "the sum of the whole numbers", self.bonus, -2 * MAX_BONUS, 2 * MAX_BONUS)
        check_size(self.span, sum(term.bits(0) for term in self.terms))

    @property
    def span(self) -> int:
        """Values from the lowest to the highest, both included, if no die explodes."""
        return 1 + sum(abs(term.factor) * (term.span(0) - 1) for term in self.terms)

    @property
    def lowest(self) -> int:
        """The lowest value; there is none if `explodes_down`."""
        lows = (term.factor * term.kept * (1 if term.factor > 0 else term.die.sides) for term in self.terms)
        return self.bonus + sum(lows)

    @property
    def explodes_up(self) -> bool:
        """Whether there is no highest value."""
        return any(term.die.explodes and term.factor > 0 for term in self.terms)

    @property
    def explodes_down(self) -> bool:
        """Whether there is no lowest value."""
        return any(term.die.explodes and term.factor < 0 for term in self.terms)

    def __neg__(self) -> "Dice":
        """Turn every sign."""
        return Dice(tuple(replace(term, factor=-term.factor) for term in self.terms), -self.bonus)

    def __add__(self, other: "Dice") -> "Dice":
        """Throw both and add them up."""
        return Dice(self.terms + other.terms, self.bonus + other.bonus)

    def __sub__(self, other: "Dice") -> "Dice":
        """Throw both, as in an opposed roll, and take `other` off."""
        return self + -other

    def __str__(self) -> str:
        """Write the canonical text: terms as given, the whole numbers added up behind them."""
        text = "".join(f"{'+' if term.factor > 0 else ''}{term}" for term in self.terms)
        return (text + (f"{self.bonus:+d}" if self.bonus or not text else "")).removeprefix("+")


def check_size(rows: int, bits: int, exploding: bool = False) -> None:
    """Refuse a table of `rows` chances over a denominator of `bits` that would take too long.

    Raises
    ------
    DiceError
        If there are more than 100,000 rows, or more than 8,000,000 bits in all (3,000,000 if dice
        explode).
    """
    check("", "the number of values in an exact table", rows, 0, MAX_SPAN)
    limit = MAX_BITS_EXPLODING if exploding else MAX_BITS
    check("", "the bits in an exact table", rows * bits, 0, limit, TOO_MUCH)


def check_work(work: int) -> None:
    """Refuse to sort out kept dice when it would take too long.

    Raises
    ------
    DiceError
        If more than 10**11 bits had to be handled.
    """
    check("", "the bits handled to sort out the kept dice", work, 0, MAX_WORK, TOO_MUCH)
