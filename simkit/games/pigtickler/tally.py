"""Adding outcomes up, column by column.

Outcomes are tuples of whole numbers, so that sums stay in registers while a batch is played. The
columns are spelt out because that is what makes them fast: a loop over them takes four times as long.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.core.jit import rule
from simkit.games.pigtickler.records import Outcome

COLUMNS = len(Outcome._fields)

SHARES = 11
"""The first columns are shares, 0 or 1 in every trial: their sum of squares is their sum."""


class Squares(NamedTuple):
    """Sums of squares of the columns that are counts."""

    turns_used: int
    wounds: int
    damage: int
    rumps: int
    other_wounds: int
    other_damages: int
    rolls: int


NOTHING = Outcome(*(0 for _ in Outcome._fields))
NO_SQUARES = Squares(*(0 for _ in Squares._fields))


@rule
def plus(a: Outcome, b: Outcome) -> Outcome:
    """Add two outcomes."""
    return Outcome(
        a.finished + b.finished,
        a.reached + b.reached,
        a.stopped + b.stopped,
        a.runaway + b.runaway,
        a.killed + b.killed,
        a.wrecked + b.wrecked,
        a.wounded + b.wounded,
        a.damaged + b.damaged,
        a.rump + b.rump,
        a.other_wounded + b.other_wounded,
        a.other_damaged + b.other_damaged,
        a.turns_used + b.turns_used,
        a.wounds + b.wounds,
        a.damage + b.damage,
        a.rumps + b.rumps,
        a.other_wounds + b.other_wounds,
        a.other_damages + b.other_damages,
        a.rolls + b.rolls,
    )


@rule
def minus(a: Outcome, b: Outcome) -> Outcome:
    """Subtract one outcome from another."""
    return Outcome(
        a.finished - b.finished,
        a.reached - b.reached,
        a.stopped - b.stopped,
        a.runaway - b.runaway,
        a.killed - b.killed,
        a.wrecked - b.wrecked,
        a.wounded - b.wounded,
        a.damaged - b.damaged,
        a.rump - b.rump,
        a.other_wounded - b.other_wounded,
        a.other_damaged - b.other_damaged,
        a.turns_used - b.turns_used,
        a.wounds - b.wounds,
        a.damage - b.damage,
        a.rumps - b.rumps,
        a.other_wounds - b.other_wounds,
        a.other_damages - b.other_damages,
        a.rolls - b.rolls,
    )


@rule
def squared(a: Outcome) -> Outcome:
    """Square every column."""
    return Outcome(
        a.finished * a.finished,
        a.reached * a.reached,
        a.stopped * a.stopped,
        a.runaway * a.runaway,
        a.killed * a.killed,
        a.wrecked * a.wrecked,
        a.wounded * a.wounded,
        a.damaged * a.damaged,
        a.rump * a.rump,
        a.other_wounded * a.other_wounded,
        a.other_damaged * a.other_damaged,
        a.turns_used * a.turns_used,
        a.wounds * a.wounds,
        a.damage * a.damage,
        a.rumps * a.rumps,
        a.other_wounds * a.other_wounds,
        a.other_damages * a.other_damages,
        a.rolls * a.rolls,
    )


@rule
def plus_squares(sums: Squares, a: Outcome) -> Squares:
    """Add the squares of the counts of an outcome."""
    return Squares(
        sums.turns_used + a.turns_used * a.turns_used,
        sums.wounds + a.wounds * a.wounds,
        sums.damage + a.damage * a.damage,
        sums.rumps + a.rumps * a.rumps,
        sums.other_wounds + a.other_wounds * a.other_wounds,
        sums.other_damages + a.other_damages * a.other_damages,
        sums.rolls + a.rolls * a.rolls,
    )


@rule
def store(out: Annotated[NDArray[np.int64], 4], s: int, batch: int, totals: Outcome, squares: Squares) -> None:
    """Add the sums and sums of squares of one batch to the counts of a block."""
    for column in range(COLUMNS):
        out[s, batch, column, 0] += totals[column]
    for column in range(SHARES):
        out[s, batch, column, 1] += totals[column]
    for column in range(SHARES, COLUMNS):
        out[s, batch, column, 1] += squares[column - SHARES]
