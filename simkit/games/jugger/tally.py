"""From a battle that is over to the numbers that are counted."""

from simkit.core.jit import kernel
from simkit.games.jugger.happenings import Cause, Source
from simkit.games.jugger.records import COLUMNS, Outcome, Setup, State

SCORE_OF_WIN = 2
(WIN_A, WIN_B, DRAW, DRAW_BOTH, DRAW_CAP, WIN_FIRST, WIN_SEAT_0, CAUSES, SCORE_A, TURNS, HITS_A, LOST_A) = (
    Outcome._fields.index(name)
    for name in (
        "win_a",
        "win_b",
        "draw",
        "draw_both",
        "draw_cap",
        "win_first",
        "win_seat_0",
        "cause_destroyed",
        "score_a",
        "turns",
        "hits_a",
        "lost_a",
    )
)
"""Columns; causes and sources of damage follow in the order of their numbers."""

SOURCES = len(Source)


@kernel
def hits_left(state: State, side: int) -> int:
    """Return the hits of all jugs that a side controls."""
    total = 0
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.fate == 0 and fighter.side == side:
            total += fighter.hits
    return total


@kernel
def count(setup: Setup, state: State) -> None:
    """Count one battle into ``state.outcome``; side a is the scenario's, whichever seat it has."""
    a = int(state.swapped)
    b = 1 - a
    out = state.outcome
    cause = state.cause
    for column in range(COLUMNS):
        out[column] = 0
    win_a, win_b = int(state.winner == a), int(state.winner == b)
    draw = 1 - win_a - win_b
    capped = int(cause == Cause.CAP)
    out[WIN_A] = win_a
    out[WIN_B] = win_b
    out[DRAW] = draw
    out[DRAW_BOTH] = draw * (1 - capped)
    out[DRAW_CAP] = draw * capped
    out[WIN_FIRST] = int(state.winner >= 0 and state.winner == state.first)
    out[WIN_SEAT_0] = int(state.winner == 0)
    if cause > 0:
        out[CAUSES + cause - 1] = 1
    out[SCORE_A] = SCORE_OF_WIN * win_a + draw
    out[TURNS] = state.turn
    out[HITS_A] = hits_left(state, a)
    out[HITS_A + 1] = hits_left(state, b)
    for seat, first in ((a, LOST_A), (b, LOST_A + 1)):
        out[first] = state.tally[seat, 2]
        out[first + 2] = state.tally[seat, 0]
        out[first + 4] = state.tally[seat, 1]
        for source in range(SOURCES):
            out[first + 6 + 2 * source] = state.damage[seat, source]
