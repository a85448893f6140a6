"""The trial: a lancer attempts his course, and what comes of it is counted."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simkit.core.jit import entry, kernel, rule, step
from simkit.core.rng import draw, stream
from simkit.core.trials import BATCHES
from simkit.games.pigtickler.records import Fate, Outcome, Rider, Setup, State, What
from simkit.games.pigtickler.ride import advance, begin_course, begin_turn, note
from simkit.games.pigtickler.tally import COLUMNS, NO_SQUARES, NOTHING, minus, plus, plus_squares, squared, store


@rule
def throw(rider: Rider, trial_stream: np.uint64, tweak: np.uint64) -> np.uint64:
    """Draw for the dice that are called for, by address: his place on the course, the purpose, which throw there."""
    bits = draw(trial_stream, tweak, rider.task, 0, rider.throws_next, rider.thrown)
    rider.thrown += 1
    return bits


@step
def outcome(setup: Setup, rider: Rider) -> Outcome:
    """Count what the rules count (P-CRS-4, P-CRS-11)."""
    finished = int(rider.fate == Fate.FINISHED)
    stopped = int(rider.fate == Fate.RIDING)
    reached = finished | (stopped & int(rider.task == setup.length))
    return Outcome(
        finished,
        reached,
        stopped,
        int(rider.steered),
        int(rider.fate == Fate.KILLED),
        int(rider.fate == Fate.WRECKED),
        int(rider.wounds > 0),
        int(rider.damage > 0),
        int(rider.rumps > 0),
        int(rider.other_wounds > 0),
        int(rider.other_damages > 0),
        rider.turn,
        rider.wounds,
        rider.damage,
        rider.rumps,
        rider.other_wounds,
        rider.other_damages,
        rider.rolls,
    )


@step
def ride_course(setup: Setup, state: State, trial_stream: np.uint64, tweak: np.uint64) -> Outcome:
    """Ride turn after turn until the course is over or the turns are used up (P-CRS-10)."""
    state.noted = 0
    rider = state.rider
    begin_course(state)
    while rider.fate == Fate.RIDING and rider.turn < setup.turns:
        begin_turn(setup, state)
        while rider.riding:
            advance(setup, state, throw(rider, trial_stream, tweak))
    if state.room > 0:
        note(state, What.OVER + 0, 0, 0, 0, 0)
    return outcome(setup, rider)


@entry
def play(setup: Setup, state: State, key: np.uint64, tweak: np.uint64, trial: int) -> Outcome:
    """Play one trial."""
    return ride_course(setup, state, stream(key, trial), tweak)


@kernel
def play_alone(
    setup: Setup,
    state: State,
    key: np.uint64,
    tweak: np.uint64,
    start: int,
    end: int,
    batch: int,
    out: Annotated[NDArray[np.int64], 4],
) -> None:
    """Play the trials of one batch of one setup; the sums stay in registers until the batch is through.

    The stream of the next trial is hashed while the present one is played: nobody waits for it then.
    """
    totals, squares = NOTHING, NO_SQUARES
    following = stream(key, start)
    for trial in range(start, end, BATCHES):
        present = following
        following = stream(key, trial + BATCHES)
        counted = ride_course(setup, state, present, tweak)
        totals = plus(totals, counted)
        squares = plus_squares(squares, counted)
    store(out, 0, batch, totals, squares)


@kernel
def play_pair(
    baseline: Setup,
    variant: Setup,
    s: int,
    state: State,
    key: np.uint64,
    tweak: np.uint64,
    start: int,
    end: int,
    batch: int,
    out: Annotated[NDArray[np.int64], 4],
) -> None:
    """Play the trials of one batch of a variant and its baseline on the same dice; the first variant stores both."""
    base_totals, base_squares = NOTHING, NO_SQUARES
    totals, squares = NOTHING, NO_SQUARES
    gains, gain_squares = NOTHING, NOTHING
    for trial in range(start, end, BATCHES):
        base = play(baseline, state, key, tweak, trial)
        counted = play(variant, state, key, tweak, trial)
        gain = minus(counted, base)
        base_totals = plus(base_totals, base)
        base_squares = plus_squares(base_squares, base)
        totals = plus(totals, counted)
        squares = plus_squares(squares, counted)
        gains = plus(gains, gain)
        gain_squares = plus(gain_squares, squared(gain))
    store(out, s, batch, totals, squares)
    for column in range(COLUMNS):
        out[s, batch, column, 2] += gains[column]
        out[s, batch, column, 3] += gain_squares[column]
    if s == 1:
        store(out, 0, batch, base_totals, base_squares)


@entry
def play_block(
    setups: Annotated[Sequence[Setup], 1],
    state: State,
    key: np.uint64,
    tweak: np.uint64,
    first: int,
    end: int,
    out: Annotated[NDArray[np.int64], 4],
) -> None:
    """Play a block of trials of every setup on the same dice and add up what they count.

    Parameters
    ----------
    setups
        One setup, or a baseline followed by the variants that are compared with it.
    state
        Scratch memory of this worker, its trace off.
    key, tweak
        The two words of the key.
    first, end
        Trials ``first <= trial < end``.
    out
        Shape (setups, 256, columns, 4), dtype int64: for every batch (trial modulo 256) and column the sum, the sum
        of squares, and the sum and sum of squares of the difference to the first setup. Added to.
    """
    for batch in range(BATCHES):
        start = first + (batch - first) % BATCHES
        if len(setups) == 1:
            play_alone(setups[0], state, key, tweak, start, end, batch, out)
        for s in range(1, len(setups)):
            play_pair(setups[0], setups[s], s, state, key, tweak, start, end, batch, out)


@entry
def play_rows(
    setup: Setup,
    state: State,
    key: np.uint64,
    tweak: np.uint64,
    first: int,
    end: int,
    out: Annotated[NDArray[np.int64], 2],
) -> None:
    """Play a block of trials and keep every outcome: one row a trial, one column an outcome."""
    for trial in range(first, end):
        counted = play(setup, state, key, tweak, trial)
        for column in range(COLUMNS):
            out[trial - first, column] = counted[column]
