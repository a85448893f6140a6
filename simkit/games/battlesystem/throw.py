"""Dice by address, and the trace: what every other procedure of the battle uses."""

from simkit.core.dicetable import DiceTable
from simkit.core.jit import kernel, rule
from simkit.core.rng import draw
from simkit.core.roll import read
from simkit.games.battlesystem.records import EVENTS, Setup, State


@rule
def throw(dice: DiceTable, state: State, seat: int, purpose: int, i: int) -> int:
    """Throw dice at an address: this round, seat, purpose, i."""
    return read(dice, draw(state.stream, state.tweak, state.round, seat, purpose, i))


@kernel
def write(state: State, what: int, unit: int, foe: int, roll: int, value: int, extra: int) -> None:
    """Write one event into the trace; a full trace is no error (the teller says so)."""
    if state.noted < min(state.room, EVENTS):
        event = state.events[state.noted]
        event.what = what
        event.round = state.round
        event.unit = unit
        event.foe = foe
        event.roll = roll
        event.value = value
        event.extra = extra
    state.noted += 1


@rule
def note(state: State, what: int, unit: int, foe: int, roll: int, value: int, extra: int) -> None:
    """Write one event if anybody listens."""
    if state.room > 0:
        write(state, what, unit, foe, roll, value, extra)


@rule
def seat_of(setup: Setup, k: int) -> int:
    """Return the seat of a unit, -1 for nobody."""
    return setup.units[k].seat if k >= 0 else -1
