"""One cell of an experiment as the place where something is varied: set up, played and judged on common dice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.balance.family import outcome
from simkit.balance.swings import reach_of_judged
from simkit.lab.drivers import Drivers
from simkit.lab.estimates import Value
from simkit.lab.ledger import Ledger
from simkit.lab.plan import Cell, Plan
from simkit.lab.variants import Changed, Variant, Variants, distinct, fingerprint

BUDGET = 15e9
"""Nanoseconds of one processor for each of the three questions, unless the table says how many trials."""

FEWEST, MOST = 256, 50_000
"""Units of a combination, unless the table says how many trials."""


class Corner(NamedTuple):
    """A combination set up in the cell and its baseline."""

    subjects: tuple[Variant, ...]


@dataclass
class Place:
    """One cell with its baseline, and what plays it."""

    plan: Plan
    cells: tuple[Cell, ...]
    variants: Variants
    ledger: Ledger

    @property
    def value(self) -> Value:
        """What becomes of the sums of what is judged."""
        return Value.of(outcome(self.plan), self.plan.game.GAMES_A_UNIT, difference=len(self.cells) > 1)

    @property
    def cost(self) -> float:
        """Nanoseconds of a unit."""
        return self.plan.game.GAMES_A_UNIT * sum(self.plan.game.nanoseconds(cell.setup) for cell in self.cells)

    def made(self, changed: Changed) -> Corner:
        """Set the cells up with something changed (CannotBeError: they cannot be)."""
        return Corner(tuple(self.variants.make(cell, changed) for cell in self.cells))

    def judged(self, corners: Sequence[Corner], units: int, replication: int) -> NDArray[np.int64]:
        """Play combinations and return the batch sums of what is judged, shape (corners, 256)."""
        subjects, where = distinct(one for each in corners for one in each.subjects)
        sums = self.ledger.play(subjects, 0, units, replication=replication)[:, :, 0]
        rows = sums[where].reshape(len(corners), len(self.cells), -1)
        return np.asarray(rows[:, 0] - rows[:, 1] if len(self.cells) > 1 else rows[:, 0])

    def reach(self, sums: NDArray[np.int64], units: int) -> float:
        """Return how far the sum of a unit may well lie from the commonest."""
        return reach_of(self.plan, float(np.abs(sums.sum(axis=1)).max()) / units, len(self.cells))


def units_for(asked: Drivers, combinations: int, cost: float, budget: float = BUDGET) -> int:
    """Return how many units of every combination are played: what was asked for, or what the budget allows.

    Parameters
    ----------
    asked
        What is varied; its table may name the trials.
    combinations
        How many are played.
    cost
        Nanoseconds of a unit of one of them.
    budget
        Nanoseconds for all.

    Returns
    -------
    int
        In two significant digits where the budget decides, so that nobody takes it for a choice.
    """
    if asked.table.trials is not None:
        return max(2, -(-asked.table.trials // asked.plan.game.GAMES_A_UNIT))
    units = int(min(MOST, max(FEWEST, budget / (cost * max(1, combinations)))))
    step = 10 ** max(0, len(str(units)) - 2)
    return max(FEWEST, int(units // step * step))


def reach_of(plan: Plan, mean: float, cells: int) -> float:
    """Return how far a value may well lie from the commonest in a unit, where too few differ to tell."""
    return reach_of_judged(plan, [mean] * 2 * cells)


def played(plan: Plan, cell: Cell) -> Variant:
    """Return a cell as it is, to be played."""
    return Variant(cell.rules, cell.scenario, cell.setup, fingerprint(plan, cell.setup))
