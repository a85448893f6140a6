"""The hexes near the own goal, where no jug may stop (J-BALL-5, J-BALL-19)."""

from simkit.core.hexgrid import distance, step_q, step_r, turned
from simkit.core.jit import kernel, rule
from simkit.games.jugger.board import cell, occupant
from simkit.games.jugger.motion import may_turn
from simkit.games.jugger.move import LEFT, RIGHT
from simkit.games.juggerball.records import Setup, State

ACTIONS = 3
"""Forward, left, right."""

AHEAD, ASIDE_LEFT, ASIDE_RIGHT, STANDING = 1, 2, 4, 8
"""Bits of what leaves a way out: forward, left, right, stop."""

ALL = 0b1111
EVERY_VELOCITY = 2**62 - 1


@rule
def is_near_goal(setup: Setup, state: State, side: int, q: int, r: int) -> bool:
    """Tell whether a hex is so near to the own goal that no jug may stop there (J-BALL-5, J-BALL-19)."""
    own = setup.goal if side == 1 else -setup.goal
    return distance(q - own, r) <= setup.ball.no_stop_within


@kernel
def fitting_velocities(setup: Setup, state: State, slot: int, least: int, most: int) -> int:
    """Return which velocities leave a way out of the hexes near the own goal, a bit each from the least on.

    Where none does, or the rules do not ask for it, all are legal.
    """
    if not setup.ball.no_stop_end:
        return EVERY_VELOCITY
    own = state.battle.jugs[slot]
    fit = 0
    for velocity in range(least, most + 1):
        fit |= int(leads_out(setup, state, slot, own.q, own.r, own.facing, 0, 0, velocity)) << (velocity - least)
    return fit if fit > 0 else EVERY_VELOCITY


@kernel
def fitting_actions(
    setup: Setup, state: State, slot: int, q: int, r: int, facing: int, turns: int, moved: int, velocity: int
) -> int:
    """Return which actions leave a way out of the hexes near the own goal: forward, left, right, stop as bits.

    Where none does, or the rules do not ask for it, all are legal.
    """
    if not setup.ball.no_stop_end:
        return ALL
    own = state.battle.jugs[slot]
    goes, outside = moved < velocity, not is_near_goal(setup, state, own.side, q, r)
    fit = 0
    if goes:
        ahead_q, ahead_r = q + step_q(facing), r + step_r(facing)
        free = is_open(setup, state, slot, ahead_q, ahead_r)
        out = outside
        if free:
            out = leads_out(setup, state, slot, ahead_q, ahead_r, facing, turns, moved + 1, velocity)
        fit |= AHEAD * int(out)
    elif outside:
        fit |= STANDING
    if own.attached == 0 and may_turn(turns, own.turns, velocity, setup.battle.rules.turn_in_place):
        for k in range(2):
            way = turned(facing, LEFT if k == 0 else RIGHT)
            out = leads_out(setup, state, slot, q, r, way, turns + 1, moved, velocity)
            fit |= (ASIDE_LEFT if k == 0 else ASIDE_RIGHT) * int(out)
    return fit if fit > 0 else ALL


@kernel
def is_open(setup: Setup, state: State, slot: int, q: int, r: int) -> bool:
    """Tell whether a way of a jug may lead through a hex: nothing solid, nobody else there; the ball does not count."""
    if cell(setup.battle, state.battle, q, r) < 0:
        return False
    there = occupant(state.battle, q, r)
    return there < 0 or there == slot


@kernel
def leads_out(
    setup: Setup, state: State, slot: int, q: int, r: int, facing: int, turns: int, moved: int, velocity: int
) -> bool:
    """Tell whether a way from here ends outside the hexes near the own goal (J-BALL-19).

    It ends where all hexes of the velocity are moved, or before a hex that is not free.
    """
    own, frames = state.battle.jugs[slot], state.ways_out
    start = frames[0]
    start.option = 0
    start.q = q
    start.r = r
    start.facing = facing
    start.moved = moved
    start.turned = turns
    at = 0
    while at >= 0:
        frame = frames[at]
        option = frame.option
        frame.option += 1
        if option == 0:
            if frame.moved >= velocity and not is_near_goal(setup, state, own.side, frame.q, frame.r):
                return True
            continue
        if option > ACTIONS or at >= len(frames) - 1:
            at -= 1
            continue
        following = frames[at + 1]
        following.option = 0
        following.q = frame.q
        following.r = frame.r
        following.facing = frame.facing
        following.moved = frame.moved
        following.turned = frame.turned
        if option == 1:
            if frame.moved >= velocity:
                continue
            following.q += step_q(frame.facing)
            following.r += step_r(frame.facing)
            following.moved += 1
            if not is_open(setup, state, slot, following.q, following.r):
                if not is_near_goal(setup, state, own.side, frame.q, frame.r):
                    return True
                continue
        else:
            in_place = setup.battle.rules.turn_in_place
            if own.attached > 0 or not may_turn(frame.turned, own.turns, velocity, in_place):
                continue
            following.facing = turned(frame.facing, LEFT if option == 2 else RIGHT)
            following.turned += 1
        at += 1
    return False
