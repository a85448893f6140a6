"""The moves of ``chase`` and ``greedy``: every legal velocity and path of this turn is judged, and the best one made.

A path is judged by what becomes of the ball on it (see :mod:`simkit.games.juggerball.worth`), by how near it ends to
where the jug wants to be (:mod:`simkit.games.juggerball.roles`), and by the hits that it is expected to deal and take
(J-BALL-25). Scores are whole numbers: hundredths of the players' values, times ``HIT``. Of equal paths the first is
taken: velocities ascending; forward before right before left; the shorter path first.
"""

from simkit.core.hexgrid import arc_of, step_q, step_r, turned
from simkit.core.jit import kernel, rule
from simkit.games.jugger.board import apart, cell, loss
from simkit.games.jugger.damage import PER_DIE, TWELFTHS
from simkit.games.jugger.limits import ACROSS, EDGE, REACH, STEPS
from simkit.games.jugger.motion import may_turn, slowest
from simkit.games.jugger.ramming import HEAD_ON, approach, ram_velocity
from simkit.games.jugger.records import Frame
from simkit.games.jugger.scan import arm, fire, menace, nearest, ram_worth, risk
from simkit.games.jugger.thinking import FORWARD, HIT, LAST_RESORT, LEFT, NOTHING, RIGHT, bearings, dead_end, faces
from simkit.games.juggerball.happenings import DiceRow
from simkit.games.juggerball.headings import heading_of
from simkit.games.juggerball.imagining import brought, meet_ball, turn_ball
from simkit.games.juggerball.kinds import Policy, Way
from simkit.games.juggerball.records import Setup, State, Values
from simkit.games.juggerball.roles import is_near_ball, off_target, onward, take_role
from simkit.games.juggerball.touch import capable, rolls
from simkit.games.juggerball.worth import (
    FACES,
    SHARES,
    stand_down,
    stand_up,
    survey,
    worth_of_run,
    worth_of_way,
)
from simkit.games.juggerball.zone import (
    AHEAD,
    ALL,
    ASIDE_LEFT,
    ASIDE_RIGHT,
    STANDING,
    fitting_actions,
    fitting_velocities,
)

TURNS = 3
"""Most turns of one move that are thought of: every facing can be reached, and the paths stay few."""

OPTIONS = 3
"""Actions at every point of a path: forward, right, left."""

KICKS = 3
"""Actions from here on are kicks of the held ball: straight, left, right."""

PER_SHARE = HIT // SHARES
"""The unit of scores in that of the worths of the ball."""


@kernel
def think(setup: Setup, state: State, slot: int, least: int, most: int, dragging: bool) -> None:
    """Decide on a move and leave it in ``state.battle.plan``."""
    own = state.battle.jugs[slot]
    values = setup.values[1 - own.side if state.battle.swapped else own.side]
    if state.alive:
        survey(setup, state)
        state.can = capable(setup, state, slot)
    stand_up(state, slot)
    take_role(setup, state, slot, values)
    fights = state.minds[own.side] == Policy.GREEDY and watch(setup, state, slot, most)
    state.battle.plan.length = 0
    best = NOTHING
    fit = fitting_velocities(setup, state, slot, least, most)
    for velocity in range(least, most + 1):
        if fit >> (velocity - least) & 1 == 0:
            continue
        if best == NOTHING:
            state.battle.plan.velocity = velocity
        begin(setup, state, slot, velocity)
        best = walk(setup, state, slot, velocity, dragging, fights, best, values)
    stand_down(state)


@kernel
def watch(setup: Setup, state: State, slot: int, most: int) -> bool:
    """Fill the tables of hits for the nearest enemies that may come within reach in a move of so many hexes.

    Tell whether there are any: else hits need no thought.
    """
    now, war = state.battle, setup.battle
    scan = now.scans[0]
    nearest(now, slot, 0)
    e = 0
    for k in range(scan.count):
        foe = scan.slots[k]
        reach = max(war.jugs[now.jugs[slot].row].longest, war.jugs[now.jugs[foe].row].longest)
        if apart(now, slot, foe) > most + reach:
            continue
        scan.slots[e] = foe
        scan.farthest[e] = 0
        scan.dealt_beside[e] = 0
        scan.taken_beside[e] = 0
        for d in range(min(reach + 1, REACH)):
            scan.dealt[e, d] = 0
            scan.dealt_ahead[e, d] = 0
            scan.taken[e, d] = 0
            scan.taken_ahead[e, d] = 0
        arm(war, now, scan, e, slot, foe)
        menace(war, now, scan, e, foe, slot)
        e += 1
    scan.count = e
    return e > 0


@kernel
def begin(setup: Setup, state: State, slot: int, velocity: int) -> None:
    """Put the jug at the beginning of its paths at a velocity; a ball that it holds may roll away (J-BALL-13)."""
    own, start, trail = state.battle.jugs[slot], state.battle.frames[0], state.trails[0]
    start.option = 0
    start.q = own.q
    start.r = own.r
    start.facing = own.facing
    start.velocity = velocity
    start.moved = 0
    start.turned = 0
    start.dealt = 0
    start.taken = 0
    trail.held = state.holder == slot
    trail.touched = not state.alive
    trail.q = state.q
    trail.r = state.r
    trail.worth = 0
    if trail.held and velocity < state.pace and rolls(setup, state, slot, True):
        trail.held = False
        trail.touched = True
        heading = heading_of(own.facing, 0)
        lowest = setup.dice[DiceRow.ROLL].lowest
        trail.worth = worth_of_run(setup, state, own.side, state.q, state.r, heading, lowest, FACES)
        trail.q = state.end_q
        trail.r = state.end_r


@kernel
def walk(
    setup: Setup,
    state: State,
    slot: int,
    velocity: int,
    dragging: bool,
    fights: bool,
    best: int,
    values: Values,
) -> int:
    """Judge every path at a velocity by going through them step by step and back; return the best score so far."""
    now, war = state.battle, setup.battle
    own, in_place = now.jugs[slot], war.rules.turn_in_place
    if fights:
        bearings(war, now, now.frames[0], 0)
        meet(setup, state, now.frames[0], values)
    at = 0
    while at >= 0:
        frame, trail = now.frames[at], state.trails[at]
        option = frame.option
        frame.option += 1
        if option == 0:
            trail.fit = ALL
            if setup.ball.no_stop_end:
                trail.fit = fitting_actions(
                    setup, state, slot, frame.q, frame.r, frame.facing, frame.turned, frame.moved, frame.velocity
                )
            if frame.moved >= frame.velocity and trail.fit & STANDING > 0:
                best = judge(setup, state, slot, velocity, at, frame.velocity, 0, best, fights, values)
            continue
        if option > OPTIONS or at >= STEPS - 1:
            at -= 1
            continue
        following, after = now.frames[at + 1], state.trails[at + 1]
        copy(frame, following)
        after.held = trail.held
        after.touched = trail.touched
        after.q = trail.q
        after.r = trail.r
        after.worth = trail.worth
        now.path[at] = FORWARD
        if option > 1:
            action = RIGHT if option == 2 else LEFT
            if trail.fit & (ASIDE_RIGHT if option == 2 else ASIDE_LEFT) == 0:
                continue
            back = at > 0 and now.path[at - 1] == -action
            if back or dragging or not may_turn(frame.turned, min(own.turns, TURNS), velocity, in_place):
                continue
            now.path[at] = action
            following.facing = turned(frame.facing, action)
            following.turned += 1
            if trail.held and not turn_ball(setup, state, slot, at + 1, action, values):
                best = judge(setup, state, slot, velocity, at + 1, 0, 0, best, fights, values)
                continue
        else:
            if frame.moved >= frame.velocity or trail.fit & AHEAD == 0:
                continue
            q, r = frame.q + step_q(frame.facing), frame.r + step_r(frame.facing)
            if (
                not trail.touched
                and trail.q == q
                and trail.r == r
                and not meet_ball(setup, state, slot, at + 1, values)
            ):
                best = judge(setup, state, slot, velocity, at + 1, 0, 0, best, fights, values)
                continue
            code = cell(war, now, q, r)
            foe = state.stand[(q + EDGE) * ACROSS + (r + EDGE)] - 1 if code >= 0 else -1
            if code < 0 or (foe >= 0 and not dragging):
                harm = contact(setup, state, slot, frame, foe, values)
                best = judge(setup, state, slot, velocity, at + 1, 0, harm, best, fights, values)
                continue
            following.q = q
            following.r = r
            following.moved += 1
            following.velocity = max(0, frame.velocity - loss(war, now, q, r))
        if fights:
            bearings(war, now, following, 0)
            meet(setup, state, following, values)
        following.option = 0
        at += 1
    return best


@rule
def copy(frame: Frame, following: Frame) -> None:
    """Start a point of a path from the one before."""
    following.q = frame.q
    following.r = frame.r
    following.facing = frame.facing
    following.velocity = frame.velocity
    following.moved = frame.moved
    following.turned = frame.turned
    following.dealt = frame.dealt
    following.taken = frame.taken


@rule
def meet(setup: Setup, state: State, frame: Frame, values: Values) -> None:
    """Note the hits that could be dealt and taken at a point of a path, where that is more than before."""
    now = state.battle
    scan = now.scans[0]
    dealt, taken = 0, 0
    for e in range(scan.count):
        d = frame.far[e]
        if d <= scan.farthest[e]:
            other = now.jugs[scan.slots[e]]
            dq, dr = other.q - frame.q, other.r - frame.r
            value = fire(scan, e, d, frame.facing, dq, dr, faces(frame.aims[e], frame.facing))
            value = min(value, HIT * other.hits)
            if is_near_ball(state, values, scan.slots[e]):
                value *= values.doubled
            dealt = max(dealt, value)
            taken += risk(scan, e, d, -dq, -dr, other.facing, faces(frame.aims[e], turned(other.facing, 3)))
    frame.dealt = max(frame.dealt, dealt)
    frame.taken = max(frame.taken, taken)


@kernel
def contact(setup: Setup, state: State, slot: int, frame: Frame, foe: int, values: Values) -> int:
    """Score what a contact gives and costs: a ram, a collision (J-RAM, J-COL); friends are never run into on purpose.

    Who only chases runs into nobody.
    """
    now, war = state.battle, setup.battle
    own, rules = now.jugs[slot], war.rules
    mine = war.jugs[own.row]
    if foe < 0:
        size = mine.size_class if rules.collision_size else 0
        counts = min(frame.velocity, rules.damage_velocity_cap)
        return -values.crash * PER_DIE * (rules.collision_mean + TWELFTHS * size) * counts
    other = now.jugs[foe]
    if other.side == own.side or now.peaceful[own.side] != 0:
        return LAST_RESORT
    if mine.legged:
        return 0
    kind = approach(arc_of(other.facing, frame.q - other.q, frame.r - other.r))
    counts = ram_velocity(kind, frame.velocity, other.velocity, rules.damage_velocity_cap)
    given = PER_DIE * (rules.ram_mean + TWELFTHS * (own.ram + mine.size_class)) * counts
    given = min(given, HIT * other.hits)
    if is_near_ball(state, values, foe):
        given *= values.doubled
    got = 0
    if kind == HEAD_ON and war.jugs[other.row].rams:
        got = min(PER_DIE * ram_worth(war, now, foe, other.velocity), HIT * own.hits)
    return values.hits * (given - got)


@kernel
def judge(
    setup: Setup,
    state: State,
    slot: int,
    velocity: int,
    at: int,
    speed: int,
    harm: int,
    best: int,
    fights: bool,
    values: Values,
) -> int:
    """Score a whole path that ends here, and keep it if it is the best; return the best score.

    A jug that holds the ball may kick it as its last action.
    """
    now = state.battle
    own, frame, trail = now.jugs[slot], now.frames[at], state.trails[at]
    score = harm
    if fights:
        score += values.hits * (frame.dealt - frame.taken)
    worth, q, r, last = trail.worth, trail.q, trail.r, -1
    if state.alive and not trail.touched:
        worth = brought(setup, state, slot, q, r, values)
        if trail.held and state.can >> Way.KICK & 1 > 0 and (speed >= 1 or setup.ball.standing_kick):
            so_far, held = worth, worth
            for k in range(3):
                way = Way.KICK + k
                kicked = so_far + worth_of_way(setup, state, slot, way, trail.q, trail.r, frame.facing, speed)
                if kicked > held:
                    held, last = kicked, KICKS + k
                    q, r = state.end_q, state.end_r
            worth = held
    score += PER_SHARE * worth
    if state.aim_weight > 0 and not trail.held:
        aim_q, aim_r, way_on = state.aim_q, state.aim_r, state.aim_facing
        if way_on >= 0 and (q != state.q or r != state.r):
            way_on = onward(setup, state, own.side, q, r)
            aim_q, aim_r = q - step_q(way_on), r - step_r(way_on)
        score -= HIT * state.aim_weight * off_target(frame.q, frame.r, frame.facing, aim_q, aim_r, way_on)
    if score <= best:
        return best
    coming = slowest(speed, own.deceleration)
    if coming > 0 and values.crash > 0:
        score -= values.crash * dead_end(setup.battle, now, slot, frame, coming)
    if score <= best:
        return best
    plan = now.plan
    plan.score = score
    plan.velocity = velocity
    plan.length = at + int(last >= 0)
    for k in range(at):
        plan.actions[k] = now.path[k]
    if last >= 0:
        plan.actions[at] = last
    return score
