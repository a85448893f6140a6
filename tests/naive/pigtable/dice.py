"""The dice of a match by address (P-GAM-18)."""

from bisect import bisect_right
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import ceil

import numpy as np

from simkit.core.rng import Key, draw, stream
from tests.naive.pigtickler import chances

PURPOSES = ("manoeuvre", "fence", "collision", "other", "hit", "pig direction", "pig distance", "order")
WORD = 2**64


@lru_cache(maxsize=64)
def _bounds(dice: str) -> tuple[list[int], list[int]]:
    shown, bounds, below = [], [], Fraction(0)
    for total, chance in sorted(chances(dice).items()):
        below += chance
        shown.append(total)
        bounds.append(ceil(below * WORD))
    return shown, bounds


def read(dice: str, bits: int) -> int:
    """Return what dice show for 64 bits: the total in whose share of the unit interval they lie."""
    shown, bounds = _bounds(dice)
    return shown[bisect_right(bounds, bits)]


class Dice:
    """The dice of one game."""

    def __init__(self, key: Key, unit: int) -> None:
        self.stream = np.uint64(stream(key.stream, unit))
        self.tweak = key.tweak
        self.thrown: Counter[str] = Counter()
        self.time = self.seat = 0

    def begin(self, time: int, seat: int) -> None:
        """Begin a turn."""
        self.time, self.seat = time, seat
        self.thrown.clear()

    def bits(self, purpose: str) -> int:
        """Return the next 64 bits of a purpose in this turn."""
        i = self.thrown[purpose]
        self.thrown[purpose] += 1
        return int(draw(self.stream, self.tweak, self.time, self.seat, PURPOSES.index(purpose), i))

    def roll(self, dice: str, purpose: str) -> int:
        """Return what the next dice of a purpose show in this turn."""
        return read(dice, self.bits(purpose))

    def shuffled(self, count: int) -> list[int]:
        """Return a shuffled order of seats."""
        order = list(range(count))
        for k in range(count - 1, 0, -1):
            j = (self.bits("order") >> 32) * (k + 1) >> 32
            order[k], order[j] = order[j], order[k]
        return order
