"""What a move of the ball is worth to a side: goals, and steps nearer to the enemy's goal (J-BALL-25).

The ball is taken to run straight and to stop at the first object; its die and the first side of a spine are averaged.
Worths are whole numbers: hundredths of the players' values, times ``SHARES``.
"""

from simkit.core.hexgrid import step_q, step_r
from simkit.core.jit import kernel, rule
from simkit.games.jugger.board import cell, index
from simkit.games.jugger.limits import EDGE
from simkit.games.juggerball.happenings import DiceRow, Thing
from simkit.games.juggerball.headings import (
    first_side,
    heading_of,
    is_spine,
    next_side,
    opens,
    side_of_heading,
    to_one_side,
)
from simkit.games.juggerball.kinds import Way
from simkit.games.juggerball.records import HEXES, Setup, State

SHARES = 12
"""Equal shares of an average: six faces and two sides."""

FACES = 6
FAR = 99
"""Steps from where the ball never comes to a goal."""

ALL_HEADINGS = 12


@kernel
def survey(setup: Setup, state: State) -> None:
    """Work out how many steps the ball has from each hex to either goal, jugs ignored, if a wall fell since."""
    standing = 0
    for wall in range(setup.battle.wall_count):
        standing += int(state.battle.wall_hits[wall] > 0)
    if standing == state.known_walls:
        return
    if state.known_walls < 0:
        for k in range(HEXES):
            state.stand[k] = 0
    state.known_walls = standing
    for seat in range(2):
        for k in range(HEXES):
            state.far[seat, k] = FAR
        goal_q = setup.goal if seat == 1 else -setup.goal
        count, at = 0, 0
        for side in range(6):
            q, r = goal_q - step_q(side), -step_r(side)
            if opens(seat, side) and is_way(setup, state, q, r):
                state.far[seat, index(q, r)] = 1
                state.queue[count] = (q + EDGE) * (2 * EDGE + 1) + (r + EDGE)
                count += 1
        while at < count:
            here = state.queue[at]
            at += 1
            q, r = here // (2 * EDGE + 1) - EDGE, here % (2 * EDGE + 1) - EDGE
            for side in range(6):
                there_q, there_r = q + step_q(side), r + step_r(side)
                if is_way(setup, state, there_q, there_r) and state.far[seat, index(there_q, there_r)] == FAR:
                    state.far[seat, index(there_q, there_r)] = state.far[seat, here] + 1
                    state.queue[count] = index(there_q, there_r)
                    count += 1


@rule
def is_way(setup: Setup, state: State, q: int, r: int) -> bool:
    """Tell whether the ball can lie on a hex, whoever stands there."""
    return cell(setup.battle, state.battle, q, r) >= 0 and not (r == 0 and abs(q) == setup.goal)


@rule
def steps_to(setup: Setup, state: State, seat: int, q: int, r: int) -> int:
    """Return the steps of the ball from a hex of the field to the goal of a seat."""
    return state.far[seat, index(q, r)]


@kernel
def stand_up(state: State, slot: int) -> None:
    """Note who stands where, but for the jug that thinks."""
    for other in range(state.battle.count):
        there = state.battle.jugs[other]
        if there.fate == 0 and other != slot:
            state.stand[index(there.q, there.r)] = other + 1


@kernel
def stand_down(state: State) -> None:
    """Forget who stands where."""
    for other in range(state.battle.count):
        there = state.battle.jugs[other]
        state.stand[index(there.q, there.r)] = 0


@kernel
def ahead(setup: Setup, state: State, q: int, r: int, side: int) -> int:
    """Return what a ball meets that steps through a side onto a hex: an object (a jug), nothing or a goal."""
    if r == 0 and abs(q) == setup.goal:
        seat = int(q > 0)
        return (Thing.GOAL_0 + seat) if opens(seat, side) else Thing.CLOSED + 0
    if cell(setup.battle, state.battle, q, r) < 0:
        return Thing.OBSTACLE + 0
    return (Thing.JUG if state.stand[index(q, r)] > 0 else Thing.NOTHING) + 0


@kernel
def worth_of_run(setup: Setup, state: State, side: int, q: int, r: int, heading: int, least: int, dice: int) -> int:
    """Return what a run from a hex is worth: of ``least`` hexes, or with a die of so many faces up to as many more.

    Where the ball is expected in the end is left in ``state.end_q`` and ``state.end_r``.
    """
    values = setup.values[1 - side if state.battle.swapped else side]
    before = steps_to(setup, state, 1 - side, q, r)
    total = 0
    spine = is_spine(heading)
    lines = 2 if spine else 1
    for k in range(lines):
        course, through = heading, side_of_heading(heading)
        if spine and setup.ball.headings < ALL_HEADINGS:
            course = to_one_side(heading, k == 0)
            through = side_of_heading(course)
        elif spine:
            through = first_side(heading, k == 0)
        at_q, at_r, ended = q, r, False
        value = 0
        for hexes in range(1, least + dice):
            if not ended:
                next_q, next_r = at_q + step_q(through), at_r + step_r(through)
                thing = ahead(setup, state, next_q, next_r, through)
                if thing == Thing.NOTHING:
                    at_q, at_r = next_q, next_r
                    value = values.way * (before - steps_to(setup, state, 1 - side, at_q, at_r))
                    through = next_side(course, through)
                else:
                    ended = True
                    if thing >= Thing.GOAL_0:
                        scores = thing - Thing.GOAL_0 != side
                        value = values.goal + values.way * before if scores else -values.own_goal
            if hexes >= least:
                total += value
            if hexes == least + dice // 2:
                state.end_q = at_q
                state.end_r = at_r
    return total * SHARES // (lines * dice)


@kernel
def worth_of_push(setup: Setup, state: State, side: int, q: int, r: int, facing: int) -> int:
    """Return what a step of the held ball from a hex is worth."""
    values = setup.values[1 - side if state.battle.swapped else side]
    before = steps_to(setup, state, 1 - side, q, r)
    next_q, next_r = q + step_q(facing), r + step_r(facing)
    thing = ahead(setup, state, next_q, next_r, facing)
    state.end_q = q
    state.end_r = r
    if thing < Thing.NOTHING:
        return 0
    if thing == Thing.NOTHING:
        state.end_q = next_q
        state.end_r = next_r
        return SHARES * values.way * (before - steps_to(setup, state, 1 - side, next_q, next_r))
    scores = thing - Thing.GOAL_0 != side
    return SHARES * (values.goal + values.way * before if scores else -values.own_goal)


@rule
def is_kick(way: int) -> bool:
    """Tell whether something that can be done with the ball is a kick."""
    return Way.KICK <= way <= Way.KICK_RIGHT


@kernel
def worth_of_way(setup: Setup, state: State, slot: int, way: int, q: int, r: int, facing: int, velocity: int) -> int:
    """Return what a jug gains by something that can be done with the ball on a hex."""
    side = state.battle.jugs[slot].side
    if way >= Way.TAKE:
        return worth_of_push(setup, state, side, q, r, facing)
    aside = way % 3
    heading = heading_of(facing, 0 if aside == 0 else 2 * aside - 3)
    if is_kick(way):
        return worth_of_run(setup, state, side, q, r, heading, velocity + setup.dice[DiceRow.KICK].lowest, FACES)
    return worth_of_run(setup, state, side, q, r, heading, velocity, 1)


@kernel
def best_way(setup: Setup, state: State, slot: int) -> int:
    """Return what a jug had best do with the ball in its way; of equals the first."""
    own = state.battle.jugs[slot]
    survey(setup, state)
    stand_up(state, slot)
    best, chosen = 0, state.ways[0]
    for k in range(state.way_count):
        worth = worth_of_way(setup, state, slot, state.ways[k], state.q, state.r, own.facing, own.velocity)
        if k == 0 or worth > best:
            best, chosen = worth, state.ways[k]
    stand_down(state)
    return chosen
