"""The trial: battles fought and counted into batches."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simkit.core.jit import entry, kernel
from simkit.core.rng import stream
from simkit.core.trials import BATCHES
from simkit.games.battlesystem.battle import fight
from simkit.games.battlesystem.contact import in_play
from simkit.games.battlesystem.happenings import Over
from simkit.games.battlesystem.kinds import Fate, Tally
from simkit.games.battlesystem.records import COLUMNS, SIDES, Setup, State


@entry
def play_units(
    setups: Annotated[Sequence[Setup], 1],
    state: State,
    key: np.uint64,
    tweak: np.uint64,
    first: int,
    end: int,
    out: Annotated[NDArray[np.int64], 4],
    rows: Annotated[NDArray[np.int64], 2],
) -> None:
    """Play the units ``first <= unit < end`` of a baseline and its variants on the same dice, and count them.

    Parameters
    ----------
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
            fight(setups[s], state)
            count(setups[s], state)
            if row < len(rows):
                for column in range(COLUMNS):
                    rows[row, column] = state.outcome[column]
            row += 1
            if s < len(out):
                add(state, s, unit % BATCHES, out)


@kernel
def count(setup: Setup, state: State) -> None:
    """Write down what a battle counts, in the order of :class:`~simkit.games.battlesystem.records.Outcome`."""
    out = state.outcome
    for column in range(COLUMNS):
        out[column] = 0
    for k in range(setup.count):
        side, stand = setup.units[k].side, state.units[k]
        if in_play(state, k):
            out[5 + side] += stand.figures
            if state.over == Over.WON:
                out[side] = 1
        out[7 + side] += int(stand.fate == Fate.DESTROYED)
        out[9 + side] += int(stand.fate == Fate.ROUTED)
    out[2] = int(state.over == Over.MUTUAL)
    out[3] = int(state.over == Over.CAP)
    out[4] = state.now
    for side in range(SIDES):
        out[11 + side] = state.tally[side, Tally.KILLED]
        out[13 + side] = state.tally[side, Tally.VOLLEYS]
        out[15 + side] = state.tally[side, Tally.CHARGES]
        out[17 + side] = state.tally[side, Tally.FIRST_STRIKES]
        out[19 + side] = state.tally[side, Tally.CHECKS]
        out[21 + side] = state.tally[side, Tally.FAILED]


@kernel
def add(state: State, s: int, batch: int, out: Annotated[NDArray[np.int64], 4]) -> None:
    """Add a battle to the counts of a setup, and its difference to the first setup's."""
    for column in range(COLUMNS):
        total = state.outcome[column]
        out[s, batch, column, 0] += total
        out[s, batch, column, 1] += total * total
        if s == 0:
            state.baseline[column] = total
        else:
            gain = total - state.baseline[column]
            out[s, batch, column, 2] += gain
            out[s, batch, column, 3] += gain * gain
