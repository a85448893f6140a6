"""Dice by address, and the trace: what every other procedure of the battle uses."""

import numpy as np

from simkit.core.jit import kernel, rule
from simkit.core.rng import draw
from simkit.core.roll import read
from simkit.games.jugger.happenings import Purpose
from simkit.games.jugger.records import EVENTS, Setup, State

S32 = np.uint64(32)

REROLL = 32768
"""Added to the last part of the address of a roll that is thrown again."""


@kernel
def throw(setup: Setup, state: State, row: int, seat: int, purpose: int, i: int) -> int:
    """Throw dice: their row of the setup, and the address (this turn, seat, purpose, i)."""
    return read(setup.dice[row], draw(state.stream, state.tweak, state.turn, seat, purpose, i))


@rule
def chance(bits: np.uint64, options: int) -> int:
    """Return one of so many options, 0 to ``options - 1``, each as likely as the others."""
    return int(np.int64((np.uint64(bits) >> S32) * np.uint64(options) >> S32))


@kernel
def choose(state: State, slot: int, options: int) -> int:
    """Return a choice of a jug that leaves it to chance; with one option nothing is drawn."""
    if options <= 1:
        return 0
    fighter = state.jugs[slot]
    bits = draw(state.stream, state.tweak, state.turn, fighter.seat, Purpose.CHOICE + 0, fighter.choices)
    fighter.choices += 1
    return chance(bits, options)


@kernel
def write(state: State, what: int, jug: int, foe: int, item: int, roll: int, value: int, extra: int) -> None:
    """Write one event into the trace; a full trace is no error (the teller says so)."""
    k = state.noted - max(0, state.since)
    if 0 <= k < min(state.room, EVENTS):
        event = state.events[k]
        event.what = what
        event.turn = state.turn
        event.jug = jug
        event.foe = foe
        event.item = item
        event.roll = roll
        event.value = value
        event.extra = extra
    state.noted += 1


@rule
def note(state: State, what: int, jug: int, foe: int, item: int, roll: int, value: int, extra: int) -> None:
    """Write one event if anybody listens."""
    if state.room > 0:
        write(state, what, jug, foe, item, roll, value, extra)
