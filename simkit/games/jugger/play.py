"""The trial: battles fought, alone or in pairs with seats swapped, and counted into batches."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simkit.core.jit import entry, kernel
from simkit.core.rng import stream
from simkit.core.trials import BATCHES
from simkit.games.jugger.battle import fight
from simkit.games.jugger.records import COLUMNS, Setup, State

ALL = 2
"""Both battles of a unit: seats as given, and swapped."""


@entry
def play_units(
    setups: Annotated[Sequence[Setup], 1],
    state: State,
    key: np.uint64,
    tweak: np.uint64,
    first: int,
    end: int,
    seat: int,
    out: Annotated[NDArray[np.int64], 4],
    rows: Annotated[NDArray[np.int64], 2],
) -> None:
    """Play the units ``first <= unit < end`` of a baseline and its variants on the same dice, and count them.

    One procedure for everything, because each one that Python can call is compiled with all that it calls.

    Parameters
    ----------
    seat
        0 the battle with seats as given, 1 with seats swapped, ``ALL`` both: a unit of an experiment.
    out
        ``out[s, batch, column]`` gains sum, sum of squares, and those of the differences to the first setup; nothing
        where it has no setups.
    rows
        Every battle as a row, one after another, as far as there is room.
    """
    row = 0
    state.tweak = tweak
    for unit in range(first, end):
        state.stream = stream(key, unit)
        for s in range(len(setups)):
            for column in range(COLUMNS):
                state.unit[column] = 0
            for side in range(ALL):
                if seat in (side, ALL):
                    fight(setups[s], state, side == 1)
                    for column in range(COLUMNS):
                        state.unit[column] += state.outcome[column]
                        if row < len(rows):
                            rows[row, column] = state.outcome[column]
                    row += 1
            if s < len(out):
                add(state, s, unit % BATCHES, out)


@kernel
def add(state: State, s: int, batch: int, out: Annotated[NDArray[np.int64], 4]) -> None:
    """Add a unit to the counts of a setup, and its difference to the first setup's."""
    for column in range(COLUMNS):
        total = state.unit[column]
        out[s, batch, column, 0] += total
        out[s, batch, column, 1] += total * total
        if s == 0:
            state.baseline[column] = total
        else:
            gain = total - state.baseline[column]
            out[s, batch, column, 2] += gain
            out[s, batch, column, 3] += gain * gain
