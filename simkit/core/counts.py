"""Exact arithmetic for sums of dice, on whole numbers only.

A distribution over consecutive values is kept as counts out of a total. Sums of independent parts
are convolutions, and those are done by packing: the counts are written side by side into one long
whole number, wide enough that no sum of them can run over, and one multiplication of two such
numbers is the convolution (Kronecker substitution: J. von zur Gathen and J. Gerhard, *Modern
Computer Algebra*, section 8.4). Nothing is ever rounded.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb, prod
from typing import Self


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of consecutive values: ``weights[i]`` out of `total` show ``lowest + i``.

    Parameters
    ----------
    lowest : int
        The value of the first count.
    weights : tuple of int
        One count for each value.
    total : int
        What all counts are out of. It is more than their sum when values beyond the last one were
        left out: `tail` is the count of those.
    """

    lowest: int
    weights: tuple[int, ...]
    total: int

    @property
    def tail(self) -> int:
        """The count of all values left out."""
        return self.total - sum(self.weights)

    def times(self, factor: int) -> Self:
        """Multiply every value by a whole number other than 0."""
        step = abs(factor)
        spread = [0] * (step * (len(self.weights) - 1) + 1)
        spread[::step] = self.weights
        if factor > 0:
            return type(self)(factor * self.lowest, tuple(spread), self.total)
        return type(self)(factor * (self.lowest + len(self.weights) - 1), tuple(spread[::-1]), self.total)


def faces(sides: int, reroll: int = 0, depth: int | None = None) -> Counts:
    """Count the results of one die.

    Parameters
    ----------
    sides : int
        Faces 1 to `sides`.
    reroll : int, default 0
        A first throw of this or less is thrown once more.
    depth : int, optional
        The die explodes on its top face, and results with more than `depth` explosions are the tail.

    Examples
    --------
    >>> faces(3, reroll=1)
    Counts(lowest=1, weights=(1, 4, 4), total=9)
    >>> faces(3, depth=1)
    Counts(lowest=1, weights=(3, 3, 0, 1, 1), total=9)
    """
    if reroll:
        # A low face stands only after a reroll (reroll ways), a high one may also have come at once.
        first = [reroll] * reroll + [sides + reroll] * (sides - reroll)
        total = sides**2
    else:
        first, total = [1] * sides, sides
    if depth is None:
        return Counts(1, tuple(first), total)
    top = first.pop()
    weights = [face * sides**depth for face in first]
    for left in reversed(range(depth)):
        weights += [0] + [top * sides**left] * (sides - 1)
    return Counts(1, tuple(weights), total * sides**depth)


def explosions(sides: int, count: int, depth: int) -> Counts:
    """Count what explosions add to the sum of some dice, up to `depth` of them in all.

    An exploding die of s sides is a plain one of s - 1 sides, plus s for each time it explodes; how
    often all dice together do has a negative binomial distribution (probability of a further
    explosion 1 / s), whatever the faces they end on.

    Examples
    --------
    >>> explosions(sides=2, count=1, depth=2)
    Counts(lowest=0, weights=(4, 0, 2, 0, 1), total=8)
    """
    weights = [comb(count + j - 1, j) * (sides - 1) ** count * sides ** (depth - j) for j in range(depth + 1)]
    return Counts(0, tuple(weights), sides ** (count + depth)).times(sides)


class _Packing:
    """Counts written into one whole number, `rows` of them, each wide enough for `total`."""

    def __init__(self, total: int, rows: int) -> None:
        self.rows = rows
        self.octets = total.bit_length() // 8 + 1
        self.width = 8 * self.octets
        self.mask = (1 << self.width * rows) - 1

    def pack(self, weights: tuple[int, ...]) -> int:
        return int.from_bytes(b"".join(w.to_bytes(self.octets, "little") for w in weights[: self.rows]), "little")

    def unpack(self, packed: int) -> tuple[int, ...]:
        raw = packed.to_bytes(self.octets * self.rows, "little")
        return tuple(int.from_bytes(raw[i : i + self.octets], "little") for i in range(0, len(raw), self.octets))

    def power(self, packed: int, exponent: int) -> int:
        result = 1
        while exponent:
            if exponent & 1:
                result = result * packed & self.mask
            exponent >>= 1
            if exponent:
                packed = packed * packed & self.mask
        return result


def convolve(parts: Iterable[tuple[Counts, int]], rows: int | None = None) -> Counts:
    """Add up independent parts.

    Parameters
    ----------
    parts : iterable of (Counts, int)
        What is thrown, and how many times.
    rows : int, optional
        Work out the lowest `rows` values only; the rest goes to the tail.

    Returns
    -------
    Counts
        The sum of all.

    Examples
    --------
    >>> convolve([(Counts(1, (1, 1, 1), 3), 2)])
    Counts(lowest=2, weights=(1, 2, 3, 2, 1), total=9)
    """
    parts = list(parts)
    total = prod(part.total**times for part, times in parts)
    full = 1 + sum(times * (len(part.weights) - 1) for part, times in parts)
    packing = _Packing(total, min(full, rows or full))
    packed = 1
    for part, times in parts:
        packed = packed * packing.power(packing.pack(part.weights), times) & packing.mask
    return Counts(sum(times * part.lowest for part, times in parts), packing.unpack(packed), total)


def keep(die: Counts, count: int, first: int, stop: int, rows: int | None = None) -> Counts:
    """Throw equal dice, sort them in ascending order and add up those in the slots `first` to `stop`.

    The dynamic programme goes through the values in ascending order; its state is how many dice are
    placed, and a packed distribution of the sum so far. A value shown by c of the dice left takes
    the next c slots, in C(dice left, c) ways. Once all kept slots are filled the other dice may show
    anything above. That is of the order of values x count x kept steps, never sides ** count.

    Parameters
    ----------
    die : Counts
        One die. If it has a tail (an exploding die cut off), the tail counts as above all values.
    count : int
        Dice thrown.
    first, stop : int
        Slots that count, ``0 <= first < stop <= count``: the highest k are ``count - k`` to `count`,
        the lowest k are 0 to ``k``.
    rows : int, optional
        Work out the lowest `rows` values only; the rest goes to the tail.

    Returns
    -------
    Counts
        The sum. Its tail holds the throws in which a kept die showed more than its last value.

    Examples
    --------
    >>> keep(Counts(1, (1, 1, 1), 3), count=2, first=1, stop=2)
    Counts(lowest=1, weights=(1, 3, 5), total=9)
    """
    if not die.tail and rows is None and count - first < stop:
        # Fewer slots lie behind the first kept one than before the last: go through from above.
        return keep(die.times(-1), count, count - stop, count - first).times(-1)
    total = die.total**count
    full = (stop - first) * (len(die.weights) - 1) + 1
    packing = _Packing(total, min(full, rows or full))
    placed = [1] + [0] * (stop - 1)  # by dice placed: the packed counts of the sum so far
    finished = 0
    above = die.total
    for i, weight in enumerate(die.weights):
        if weight == 0:
            continue
        above -= weight
        ways = placed.copy()
        for done, packed in enumerate(placed):
            if not packed:
                continue
            left = count - done
            for more in range(1, stop - done):
                kept = max(0, done + more - max(first, done))
                if i * kept >= packing.rows:
                    break
                ways[done + more] += (packed * (comb(left, more) * weight**more)) << (packing.width * i * kept)
            enough = _ways(left, stop - done, weight, above)
            finished += (packed * enough) << (packing.width * i * (stop - max(first, done)))
        placed = [packed & packing.mask for packed in ways]
        finished &= packing.mask
    return Counts((stop - first) * die.lowest, packing.unpack(finished), total)


def _ways(dice: int, least: int, weight: int, above: int) -> int:
    """Ways for at least so many of some dice to show one value, and the others more than it."""
    fewer = 2 * least <= dice
    numbers = range(least) if fewer else range(least, dice + 1)
    ways: int = sum(comb(dice, c) * weight**c * above ** (dice - c) for c in numbers)
    return (weight + above) ** dice - ways if fewer else ways
