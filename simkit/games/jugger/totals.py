"""What a duel comes to on average: the columns of a battle's outcome, added up from weighted ends."""

import math

from simkit.games.jugger.happenings import Cause
from simkit.games.jugger.records import Outcome
from simkit.games.jugger.tally import CAUSES, LOST_A

KEPT = 4096
"""Numbers kept apart before they are added up."""

SIDES = (0, 1)
FIRST_SOURCE = LOST_A + 6
"""Column of the first source of damage, as :func:`simkit.games.jugger.tally.count` fills them."""


class Sum:
    """A sum whose rounding error does not grow with the number of its parts."""

    def __init__(self) -> None:
        self.parts: list[float] = []

    def add(self, part: float) -> None:
        """Add a part."""
        self.parts.append(part)
        if len(self.parts) > KEPT:
            self.parts = [self.total]

    @property
    def total(self) -> float:
        """The sum, rounded once."""
        return math.fsum(self.parts)


class Totals:
    """Expected values of all columns of :class:`~simkit.games.jugger.records.Outcome`."""

    def __init__(self, sizes: tuple[int, int]) -> None:
        self.sizes = sizes
        self.sums = {name: Sum() for name in Outcome._fields}

    def add(self, name: str, amount: float) -> None:
        """Add to a column."""
        self.sums[name].add(amount)

    def damage(self, side: int, source: int, amount: float) -> None:
        """Add damage that a side does."""
        self.add(Outcome._fields[FIRST_SOURCE + len(SIDES) * source + side], amount)

    def criticals(self, side: int, rolls: float) -> None:
        """Add critical rolls of a side's jug."""
        self.add(f"criticals_{'ab'[side]}", rolls)

    def end(self, causes: tuple[int, int], chance: float, turn: int, hits: tuple[float, float], last: int = 0) -> None:
        """Add an end of the duel (J-ARM-4, J-WPN-11).

        Parameters
        ----------
        causes
            How each jug went out, a :class:`~simkit.games.jugger.happenings.Cause`; 0 for one that is left.
        chance
            How likely it is.
        turn
            Its turn.
        hits
            Expected hits of each jug, times the chance, if it is left or captured.
        last
            How the second went out, where both did one after the other; 0: at one moment.
        """
        controls = [causes[side] == 0 or causes[1 - side] == Cause.CAPTURED for side in SIDES]
        for side, name in enumerate("ab"):
            if controls[side] and not controls[1 - side]:
                self.add(f"win_{name}", chance)
            if causes[side] == 0:
                self.add(f"hits_{name}", hits[side])
            if causes[1 - side] == Cause.CAPTURED:
                self.add(f"hits_{name}", hits[1 - side])
            if causes[side]:
                self.add(f"lost_{name}", chance * self.sizes[side])
        if controls[0] == controls[1]:
            self.add("draw_both", chance)
        self.add("turns", chance * turn)
        both = [last] if last else list(causes)
        told = [causes[1 - side] for side in SIDES if controls[side] > controls[1 - side]] or both
        for cause in told:  # a battle that one side has won ends as the other has lost; of two the kernel tells one
            self.add(Outcome._fields[CAUSES + cause - 1], chance / len(told))

    def undecided(self, chance: float, turn: int, hits: tuple[float, float], defender: int) -> None:
        """Add a duel that is undecided after the last turn: a draw, or won by its defender (J-ARM-2); -1: none."""
        for side, name in enumerate("ab"):
            self.add(f"hits_{name}", hits[side])
        self.add("turns", chance * turn)
        self.add("draw_cap" if defender < 0 else f"win_{'ab'[defender]}", chance)
        self.add("cause_cap" if defender < 0 else "cause_objective", chance)

    def columns(self) -> dict[str, float]:
        """Return the expected value of every column."""
        return {name: sum.total for name, sum in self.sums.items()}
