"""The trial: matches played in pairs with seats swapped, and counted into batches."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simkit.core.jit import entry, kernel
from simkit.core.rng import stream
from simkit.core.trials import BATCHES
from simkit.games.juggerball.match import play_match
from simkit.games.juggerball.records import COLUMNS, Setup, State

ALL = 2
"""Both matches of a unit: seats as given, and swapped."""


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

    Parameters
    ----------
    setups
        Changed while matches are played, in the rows of jugs that are rolled: no two workers may share them.
    seat
        0 the match with seats as given, 1 with seats swapped, ``ALL`` both: a unit of an experiment.
    out
        ``out[s, batch, column]`` gains sum, sum of squares, and those of the differences to the first setup; nothing
        where it has no setups.
    rows
        Every match as a row, one after another, as far as there is room.
    """
    row = 0
    state.battle.tweak = tweak
    columns = max(out.shape[2], rows.shape[1])
    for unit in range(first, end):
        state.battle.stream = stream(key, unit)
        for s in range(len(setups)):
            for column in range(COLUMNS):
                state.unit[column] = 0
            for side in range(ALL):
                if seat in (side, ALL):
                    play_match(setups[s], state, side == 1)
                    for column in range(columns):
                        state.unit[column] += state.outcome[column]
                        if row < len(rows):
                            rows[row, column] = state.outcome[column]
                    row += 1
            if s < len(out):
                add(state, s, unit % BATCHES, columns, out)


@kernel
def add(state: State, s: int, batch: int, columns: int, out: Annotated[NDArray[np.int64], 4]) -> None:
    """Add a unit to the counts of a setup, and its difference to the first setup's."""
    for column in range(columns):
        total = state.unit[column]
        out[s, batch, column, 0] += total
        out[s, batch, column, 1] += total * total
        if s == 0:
            state.first_unit[column] = total
        else:
            gain = total - state.first_unit[column]
            out[s, batch, column, 2] += gain
            out[s, batch, column, 3] += gain * gain
