"""The board during a battle: terrain, wrecks, who stands where."""

from simkit.core.hexgrid import distance, line_q, line_r
from simkit.core.jit import kernel, rule
from simkit.games.jugger.records import ACROSS, EDGE, FIRST_WALL, OPAQUE, OUTSIDE, WRECKS, Setup, State

PLACE_EDGE = 64
PLACE_ACROSS = 128
"""Packing of places in the trace; a test holds them to :func:`simkit.games.jugger.happenings.place`."""


@rule
def place(q: int, r: int) -> int:
    """Pack a hex into one number for the trace, as :func:`simkit.games.jugger.happenings.place` does."""
    return (q + PLACE_EDGE) * PLACE_ACROSS + (r + PLACE_EDGE)


@rule
def index(q: int, r: int) -> int:
    """Return the place of a hex on the grid."""
    return (q + EDGE) * ACROSS + (r + EDGE)


@rule
def cell(setup: Setup, state: State, q: int, r: int) -> int:
    """Return what a hex is: the velocity lost there, or a code below 0; a fallen wall is rubble (J-COL-4)."""
    if abs(q) > EDGE or abs(r) > EDGE:
        return OUTSIDE
    code = setup.grid[index(q, r)]
    if code <= FIRST_WALL and state.wall_hits[FIRST_WALL - code] <= 0:
        return setup.rules.rubble_loss
    return code


@kernel
def loss(setup: Setup, state: State, q: int, r: int) -> int:
    """Return the velocity lost on entering a hex (J-TER-1, J-DMG-5); wreckage adds its share once."""
    lost = max(0, cell(setup, state, q, r)) % OPAQUE
    here = index(q, r)
    for k in range(state.wreck_count):
        if state.wrecks[k] == here:
            return lost + setup.rules.wreckage_loss
    return lost


@kernel
def occupant(state: State, q: int, r: int) -> int:
    """Return the slot of the jug in play on a hex, or -1."""
    for slot in range(state.count):
        jug = state.jugs[slot]
        if jug.fate == 0 and jug.q == q and jug.r == r:
            return slot
    return -1


@rule
def is_free(setup: Setup, state: State, q: int, r: int) -> bool:
    """Tell whether a jug can be put on a hex: on the map, no obstacle or wall, nobody there, no ball (J-BALL-8)."""
    return cell(setup, state, q, r) >= 0 and occupant(state, q, r) < 0 and index(q, r) != state.ball


@rule
def apart(state: State, a: int, b: int) -> int:
    """Return the distance of two jugs in hexes."""
    return distance(state.jugs[b].q - state.jugs[a].q, state.jugs[b].r - state.jugs[a].r)


@kernel
def leave_wreck(setup: Setup, state: State, q: int, r: int) -> None:
    """Leave a wreck (J-DMG-5)."""
    if setup.rules.wreckage and state.wreck_count < WRECKS:
        state.wrecks[state.wreck_count] = index(q, r)
        state.wreck_count += 1


@kernel
def sees(setup: Setup, state: State, a: int, b: int) -> bool:
    """Tell whether nothing stands between two jugs (J-MAP-4): forests, houses and standing walls block.

    Where the line runs along the border of two hexes, both must block.
    """
    own = state.jugs[a]
    q, r = state.jugs[b].q - own.q, state.jugs[b].r - own.r
    for k in range(1, distance(q, r)):
        left = cell(setup, state, own.q + line_q(q, r, k, 1), own.r + line_r(q, r, k, 1))
        right = cell(setup, state, own.q + line_q(q, r, k, -1), own.r + line_r(q, r, k, -1))
        if (left >= OPAQUE or left <= FIRST_WALL) and (right >= OPAQUE or right <= FIRST_WALL):
            return False
    return True
