"""The values of a parameter among which an answer is sought, in their order, and their places on a line."""

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from simkit.core import dice
from simkit.core.notation import parse
from simkit.core.terms import DiceError
from simkit.lab.asked.solve import MOST_VALUES, Solve
from simkit.lab.experiment import LARGEST
from simkit.lab.house import toml_text
from simkit.stats import digits_for

SHORT = 25
"""Up to so many values all are tried; of more, some along the whole range and then those around the answer."""

FRACTION = re.compile(r"\s*[-+]?[0-9]{1,12}(\.[0-9]{1,12}|/[0-9]{1,12})?\s*")
"""How a fraction is written as text; an exponent could stand for more digits than there is room for."""


DEPTH = 12
"""Explosions of one die that count for the order of dice."""


class LadderError(ValueError):
    """The values are none to look among: which setting of ``[solve]`` is wrong, and what would help."""

    def __init__(self, message: str, at: tuple[str | int, ...], help: str = "") -> None:
        super().__init__(message)
        self.at, self.help = at, help


@dataclass(frozen=True)
class Ladder:
    """The values that can be played.

    Attributes
    ----------
    values
        As a file has them, in their order; empty where every number of the range can be played.
    places
        Where each lies: numbers at themselves, dice at 0, 1, 2 and so on; the two ends where every number can be
        played.
    step
        From each place to the next, if they are evenly spaced; else None.
    words
        True where places only count the values: what lies between two has no name of its own.
    """

    values: tuple[Any, ...]
    places: tuple[float, ...]
    step: float | None
    words: bool = False

    @property
    def continuous(self) -> bool:
        """True where every number of the range can be played."""
        return not self.values

    @property
    def short(self) -> bool:
        """True where all values are tried."""
        return 0 < len(self.values) <= SHORT

    def value(self, place: float) -> Any:
        """Return the value at a place that can be played."""
        return place if self.continuous else self.values[self.places.index(place)]

    def name(self, place: float) -> str:
        """Return the value at a place that can be played, in words."""
        value = self.value(place)
        return value if isinstance(value, str) else f"{value:.10g}" if isinstance(value, float) else toml_text(value)

    def around(self, place: float) -> tuple[float, float]:
        """Return the nearest places below and above that can be played; the same twice where this one can."""
        if self.continuous:
            return place, place
        below = max(one for one in self.places if one <= place + 1e-9)
        above = min(one for one in self.places if one >= place - 1e-9)
        return below, above

    def between(self, low: float, high: float) -> tuple[float, ...]:
        """Return the places from one to another, both included."""
        return tuple(place for place in self.places if low <= place <= high)

    def part(self, low: float, high: float) -> "Ladder":
        """Return the values from one place to another."""
        if self.continuous:
            return Ladder((), (low, high), None)
        kept = [i for i, place in enumerate(self.places) if low <= place <= high]
        places = tuple(self.places[i] for i in kept)
        return Ladder(tuple(self.values[i] for i in kept), places, self.step, self.words)

    def spelt(self, place: float, low: float | None = None, high: float | None = None) -> str:
        """Return a place in words, with as many digits as its interval leaves it.

        Examples
        --------
        >>> whole = Ladder((1, 2, 3), (1.0, 2.0, 3.0), 1.0)
        >>> whole.spelt(2.24871, 2.21, 2.28), whole.spelt(2.0), whole.spelt(2.31)
        ('2.249', '2', '2.31')
        """
        on = not self.continuous and place in self.places
        if on and low in (None, place):
            return self.name(place)
        if self.words:
            below, above = self.around(place)
            if below == above:
                return self.name(below)
            share = (place - below) / (above - below)
            return f"{self.name(below)} in {percent(1 - share)} and {self.name(above)} in {percent(share)} of the games"
        if low is None or high is None or low == high:
            return f"{place:.2f}".rstrip("0").rstrip(".")
        return f"{place:.{max(0, digits_for(place, low, high))}f}"


def percent(share: float) -> str:
    """Print a share of games as a plain percentage.

    Examples
    --------
    >>> percent(0.254), percent(0.0004)
    ('25 %', '0.04 %')
    """
    scaled = 100 * share
    if 1 <= scaled <= 99:
        return f"{scaled:.0f} %"
    return f"{scaled:.4g} %" if scaled > 50 else f"{scaled:.2g} %"


def ladder_of(asked: Solve, listed: Sequence[Any] | None) -> Ladder:
    """Return the values that a table ``[solve]`` asks for.

    Parameters
    ----------
    asked
        The table.
    listed
        Values of the axis of the same name, which stand for those that the table leaves out; None if there is none.

    Raises
    ------
    LadderError
        There are no such values, or they are not numbers, fractions or dice in rising order.
    """
    if asked.min is not None and asked.max is not None:
        return _ranged(asked.min, asked.max, asked.step)
    values, at = (listed, ("vary",)) if asked.values is None else (asked.values, ("values",))
    if values is None:
        raise LadderError(
            "there are no values to look among",
            ("vary",),
            "say min and max, or values = [...]; simkit rules tells what is allowed",
        )
    return _listed(values, at)


def _ranged(low: Any, high: Any, step: Any) -> Ladder:
    ends = {"min": low, "max": high} | ({} if step is None else {"step": step})
    if any(isinstance(end, str) for end in ends.values()):
        return _fractions(ends)
    if any(abs(end) > LARGEST for end in ends.values()):
        raise LadderError("the numbers of a range end at 2**53", ("min",))
    if high <= low:
        raise LadderError(f"the range from {low:g} to {high:g} is empty", ("max",), "max lies above min")
    if step is None and not (isinstance(low, int) and isinstance(high, int)):
        return Ladder((), (float(low), float(high)), None)
    stride = 1 if step is None else step
    if stride <= 0:
        raise LadderError(f"step is {stride:g}; allowed are steps above 0", ("step",))
    start, width, by = (Decimal(repr(one)) for one in (low, high, stride))
    count = _counted(Fraction(width - start), Fraction(by))
    whole = isinstance(low, int) and isinstance(stride, int)
    values = [low + i * stride for i in range(count)] if whole else [float(start + i * by) for i in range(count)]
    return _evenly(values, [float(one) for one in values], float(stride))


def _fractions(ends: dict[str, Any]) -> Ladder:
    """Return evenly spaced fractions, written as text as the rules have them."""
    read = {}
    for name, end in ends.items():
        try:
            read[name] = _fraction(str(end))
        except (ValueError, ZeroDivisionError):
            help = 'a number, or a fraction as text, such as "3/4"; dice are listed: values = ["1d6", "1d6+1"]'
            raise LadderError(f"'{str(end)[:40]}' is no number", (name,), help) from None
    if "step" not in read:
        raise LadderError("a range of fractions needs a step", ("min",), 'such as step = "1/12"')
    if read["max"] <= read["min"]:
        raise LadderError(f"the range from {read['min']} to {read['max']} is empty", ("max",), "max lies above min")
    if read["step"] <= 0:
        raise LadderError(f"step is {read['step']}; allowed are steps above 0", ("step",))
    found = [read["min"] + i * read["step"] for i in range(_counted(read["max"] - read["min"], read["step"]))]
    return _evenly([str(one) for one in found], [float(one) for one in found], float(read["step"]))


def _fraction(text: str) -> Fraction:
    """Read a fraction; a ValueError where it is none, a ZeroDivisionError where it divides by nothing."""
    if not FRACTION.fullmatch(text):
        raise ValueError(text[:40])
    return Fraction(text)


def _counted(width: Fraction, step: Fraction) -> int:
    if width % step:
        raise LadderError("the steps do not lead from min to max", ("step",))
    count = math.floor(width / step) + 1
    if count > MOST_VALUES:
        raise LadderError(
            f"there are {count:,} values, at most {MOST_VALUES:,} are allowed", ("step",), "a greater step"
        )
    return count


def _evenly(values: list[Any], places: list[float], step: float) -> Ladder:
    return Ladder(tuple(values), tuple(places), step)


def _listed(values: Sequence[Any], at: tuple[str | int, ...]) -> Ladder:
    """Return the values of a list: numbers and fractions at their places, dice by their number."""

    def place_of(i: int) -> tuple[float, bool]:
        value, here = values[i], (*at, i) if at == ("values",) else at
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value), False
        if isinstance(value, str):
            try:
                return float(_fraction(value)), False
            except (ValueError, ZeroDivisionError):
                pass
            try:
                return _mean(value), True
            except DiceError:
                pass
        said = "neither a number, nor a fraction, nor dice"
        raise LadderError(f"{toml_text(value)[:60]} is {said}", here, 'such as -2, "3/4" or "1d6+1"')

    if len(values) < 2:
        raise LadderError("one value leaves nothing to look for", at, "at least 2")
    found = [place_of(i) for i in range(len(values))]
    places, rolled = [place for place, _ in found], any(is_dice for _, is_dice in found)
    if any(b < a or (a == b and not rolled) for a, b in itertools.pairwise(places)):
        said = "the means of the dice fall" if rolled else "the values do not rise"
        raise LadderError(f"{said} from one to the next", at, "list them in rising order")
    if len({str(value) for value in values}) < len(values):
        raise LadderError("a value stands there twice", at, "each once")
    if rolled:
        return Ladder(tuple(values), tuple(float(i) for i in range(len(values))), 1.0, words=True)
    gaps = [b - a for a, b in itertools.pairwise(places)]
    even = max(gaps) - min(gaps) < 1e-9 * max(gaps)
    if len(values) > SHORT and not even:
        raise LadderError(f"more than {SHORT} values are evenly spaced", at, "fewer values, or min, max and step")
    return Ladder(tuple(values), tuple(places), gaps[0] if even else None)


def _mean(text: str) -> float:
    """Return the mean of dice; of exploding ones without the few throws that explode more than `DEPTH` times."""
    read = parse(text)
    chances = dice.truncated_pmf(read, DEPTH)[0] if read.explodes_up or read.explodes_down else dice.pmf(read)
    return float(sum(value * chance for value, chance in chances.items()))
