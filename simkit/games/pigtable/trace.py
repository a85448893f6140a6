"""Writing events into the trace of a match."""

from simkit.core.jit import kernel
from simkit.games.pigtable.records import EVENTS, State


@kernel
def note(state: State, what: int, seat: int, other: int, piece: int, roll: int, value: int, extra: int) -> None:
    """Write one event; a full trace is no error, a longer match is played again for the rows that follow."""
    row = state.noted - state.since
    if 0 <= row < EVENTS:
        event = state.events[row]
        event.what = what
        event.turn = state.turn
        event.seat = seat
        event.other = other
        event.piece = piece
        event.roll = roll
        event.value = value
        event.extra = extra
    state.noted += 1
