"""What each jug of a team is there for: to chase the ball, to guard the own goal, to hunt enemies (J-BALL-25).

Ties between directions are decided as the side sees them, which plays to one end: no end is better than the other.
"""

from simkit.core.hexgrid import DIRECTIONS, distance, facings_in_front, step_q, step_r, turned
from simkit.core.jit import kernel, rule
from simkit.games.jugger.board import cell
from simkit.games.juggerball.happenings import Thing
from simkit.games.juggerball.records import Setup, State, Values
from simkit.games.juggerball.worth import FAR, ahead, is_way, steps_to

FORWARD_OF_SEAT = 3
"""Facing of seat 1; that of seat 0 is 0 (J-BALL-7)."""

BEYOND = 1000
"""Farther than any field is long."""


@kernel
def take_role(setup: Setup, state: State, slot: int, values: Values) -> None:
    """Decide what a jug is there for, and where it would like to be."""
    now = state.battle
    own = now.jugs[slot]
    state.aim_weight = 0
    state.aim_facing = -1
    if not state.alive:
        return
    if nearer_friends(state, slot) < values.chasers or state.holder == slot:
        chase(setup, state, slot, values)
    elif is_guard(setup, state, slot, values):
        if steps_to(setup, state, own.side, state.q, state.r) <= values.cover:
            chase(setup, state, slot, values)
        else:
            guard(setup, state, own.side, values)
    else:
        hunt(state, slot, values)


@rule
def from_ball(state: State, slot: int) -> int:
    """Return how far a jug is from the ball."""
    own = state.battle.jugs[slot]
    return distance(own.q - state.q, own.r - state.r)


@kernel
def nearer_friends(state: State, slot: int) -> int:
    """Count the jugs of the same side that are nearer to the ball; of equals the lower slot is."""
    now = state.battle
    away, count = from_ball(state, slot), 0
    for other in range(now.count):
        there = now.jugs[other]
        if there.fate == 0 and there.side == now.jugs[slot].side and other != slot:
            far = from_ball(state, other)
            count += int(far < away or (far == away and other < slot))
    return count


@kernel
def is_guard(setup: Setup, state: State, slot: int, values: Values) -> bool:
    """Tell whether a jug is one of those who do not chase that are nearest to the own goal."""
    now = state.battle
    own = now.jugs[slot]
    goal = setup.goal if own.side == 1 else -setup.goal
    away, nearer = distance(own.q - goal, own.r), 0
    for other in range(now.count):
        there = now.jugs[other]
        if there.fate or there.side != own.side or other == slot or nearer_friends(state, other) < values.chasers:
            continue
        far = distance(there.q - goal, there.r)
        nearer += int(far < away or (far == away and other < slot))
    return nearer < values.guards


@kernel
def chase(setup: Setup, state: State, slot: int, values: Values) -> None:
    """Send a jug behind the ball."""
    state.aim_facing = onward(setup, state, state.battle.jugs[slot].side, state.q, state.r)
    state.aim_q = state.q - step_q(state.aim_facing)
    state.aim_r = state.r - step_r(state.aim_facing)
    state.aim_weight = values.chase


@kernel
def onward(setup: Setup, state: State, side: int, q: int, r: int) -> int:
    """Return the direction in which a step takes the ball nearest to the enemy's goal, from behind where a jug can be.

    Of equal ones, the first clockwise from the side's own.
    """
    best, least = FORWARD_OF_SEAT * side, BEYOND
    for k in range(DIRECTIONS):
        direction = turned(FORWARD_OF_SEAT * side, k)
        if cell(setup.battle, state.battle, q - step_q(direction), r - step_r(direction)) < 0:
            continue
        there_q, there_r = q + step_q(direction), r + step_r(direction)
        thing = ahead(setup, state, there_q, there_r, direction)
        steps = BEYOND
        if thing == Thing.GOAL_0 + 1 - side:
            steps = 0
        elif is_way(setup, state, there_q, there_r):
            steps = steps_to(setup, state, 1 - side, there_q, there_r)
        if steps < least:
            best, least = direction, steps
    return best


@kernel
def guard(setup: Setup, state: State, side: int, values: Values) -> None:
    """Send a jug to the hex on the ball's shortest way to the own goal that is some steps before it."""
    q, r = state.q, state.r
    left = steps_to(setup, state, side, q, r)
    while values.cover < left < FAR:
        for k in range(DIRECTIONS):
            direction = turned(FORWARD_OF_SEAT * (1 - side), k)
            there_q, there_r = q + step_q(direction), r + step_r(direction)
            if is_way(setup, state, there_q, there_r) and steps_to(setup, state, side, there_q, there_r) < left:
                q, r = there_q, there_r
                break
        left -= 1
    state.aim_q = q
    state.aim_r = r
    state.aim_weight = values.guard


@kernel
def hunt(state: State, slot: int, values: Values) -> None:
    """Send a jug after the enemy that holds the ball, or else after the one nearest to it."""
    now = state.battle
    side, prey, least = now.jugs[slot].side, -1, BEYOND
    for other in range(now.count):
        there = now.jugs[other]
        if there.fate or there.side == side:
            continue
        away = -1 if state.holder == other else from_ball(state, other)
        if away < least:
            prey, least = other, away
    if prey >= 0:
        state.aim_q = now.jugs[prey].q
        state.aim_r = now.jugs[prey].r
        state.aim_weight = values.hunt


@rule
def apart(a: int, b: int) -> int:
    """Return how many turns lie between two directions."""
    turns = (a - b) % DIRECTIONS
    return min(turns, DIRECTIONS - turns)


@rule
def off_target(q: int, r: int, facing: int, aim_q: int, aim_r: int, onward: int) -> int:
    """Return the hexes between a place and the one aimed at, and the turns where it matters how to go on from there."""
    away_q, away_r = aim_q - q, aim_r - r
    away = distance(away_q, away_r)
    if onward < 0:
        return away
    if away == 0:
        return apart(facing, onward)
    ways, least = facings_in_front(away_q, away_r), DIRECTIONS
    for direction in range(DIRECTIONS):
        if ways >> direction & 1 > 0:
            least = min(least, apart(facing, direction) + apart(direction, onward))
    blocked = away >= 2 and away_q == -away * step_q(onward) and away_r == -away * step_r(onward)
    return away + least + int(blocked)


@rule
def is_near_ball(state: State, values: Values, slot: int) -> bool:
    """Tell whether hits on a jug count more: it holds the ball, or is near it (J-BALL-25)."""
    return state.holder == slot or (state.alive and from_ball(state, slot) <= values.near)
