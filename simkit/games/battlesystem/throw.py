"""Dice by address, and the trace: what every other procedure of the battle uses."""

from simkit.core.dicetable import DiceTable
from simkit.core.jit import kernel, rule
from simkit.core.rng import draw
from simkit.core.roll import read
from simkit.games.battlesystem.records import EVENTS, Setup, State


@rule
def throw(dice: DiceTable, state: State, seat: int, purpose: int, i: int) -> int:
    """Throw dice at an address: this round, seat, purpose, i."""
    return read(dice, draw(state.stream, state.tweak, state.now, seat, purpose, i))


@kernel
def write(state: State, what: int, unit: int, foe: int, roll: int, value: int, extra: int) -> None:
    """Write one event into the trace; a full trace is no error (the teller says so)."""
    if state.noted < min(state.room, EVENTS):
        event = state.events[state.noted]
        event.what = what
        event.when = state.now
        event.unit = unit
        event.foe = foe
        event.roll = roll
        event.value = value
        event.extra = extra
    state.noted += 1


@rule
def note(state: State, what: int, unit: int, foe: int, roll: int, value: int, extra: int) -> None:
    """Write one event if anybody listens; -1 is what it does not speak of."""
    if state.room > 0:
        write(state, what, unit, foe, roll, value, extra)


@rule
def told(setup: Setup, k: int, place: int) -> int:
    """Return a place of a unit as it is told: from the start of side a."""
    return setup.length - place if setup.units[k].side else place
