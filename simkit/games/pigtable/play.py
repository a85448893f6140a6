"""The trial: a unit of matches with the seats turned round the starts, counted as one (P-GAM-18)."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simkit.core.jit import entry, kernel
from simkit.core.rng import stream
from simkit.core.trials import BATCHES
from simkit.games.pigtable.kinds import Aim, What
from simkit.games.pigtable.match import note_plan, play_game, throw
from simkit.games.pigtable.policy import add_point
from simkit.games.pigtable.records import COLUMNS, Setup, State
from simkit.games.pigtable.routes import place
from simkit.games.pigtable.tally import clear, count, count_route
from simkit.games.pigtable.trace import note
from simkit.games.pigtable.turn import begin_plan, resume


@kernel
def play_route(setup: Setup, state: State, dice: np.uint64, tweak: np.uint64) -> None:
    """Play one turn along a route (P-TAB-7)."""
    place(setup, state, setup.damage)
    figure, plan = state.figures[0], state.plan
    plan.aim = setup.aim
    plan.count = 0
    for k in range(setup.turns):
        add_point(plan, figure.x, figure.y, setup.via[k, 0], setup.via[k, 1])
    if setup.aim == Aim.PIG:
        add_point(plan, figure.x, figure.y, state.pig_x, state.pig_y)
    if state.room > 0:
        note(state, What.TURN + 0, 0, -1, -1, 0, figure.x, figure.y)
        note_plan(state)
    begin_plan(setup, state)
    while state.riding:
        resume(setup, state, throw(state, dice, tweak, state.ride.rider.throws_next))
    count_route(setup, state)


@entry
def play_match(setup: Setup, state: State, key: np.uint64, tweak: np.uint64, unit: int, game: int) -> None:
    """Play one match of a unit."""
    clear(setup, state)
    if setup.aim != Aim.STAY:
        play_route(setup, state, stream(key, unit), tweak)
    else:
        play_game(setup, state, stream(key, unit), tweak, game)
        count(setup, state)


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
    setups
        One setup, or a baseline followed by the variants that are compared with it.
    out
        ``out[s, batch, column]`` gains sum, sum of squares, and those of the differences to the first setup; nothing
        where it has no setups.
    rows
        Every unit as a row, one after another, as far as there is room.
    """
    row = 0
    columns = max(out.shape[2], rows.shape[1])
    for unit in range(first, end):
        dice = stream(key, unit)
        for s in range(len(setups)):
            setup = setups[s]
            clear(setup, state)
            if setup.aim != Aim.STAY:
                play_route(setup, state, dice, tweak)
            else:
                for game in range(setup.seats):
                    play_game(setup, state, dice, tweak, game)
                    count(setup, state)
            if row < len(rows):
                for column in range(columns):
                    rows[row, column] = state.outcome[column]
            row += 1
            if s < len(out):
                add(state, s, unit % BATCHES, columns, out)


@kernel
def add(state: State, s: int, batch: int, columns: int, out: Annotated[NDArray[np.int64], 4]) -> None:
    """Add a unit to the counts of a setup, and its difference to the first setup's."""
    for column in range(min(columns, COLUMNS)):
        total = state.outcome[column]
        out[s, batch, column, 0] += total
        out[s, batch, column, 1] += total * total
        if s == 0:
            state.first_unit[column] = total
        else:
            gain = total - state.first_unit[column]
            out[s, batch, column, 2] += gain
            out[s, batch, column, 3] += gain * gain
