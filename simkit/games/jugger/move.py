"""A jug's move: velocity, hexes and turns one by one, terrain, contact, and the moment of attack after each (J-ACC)."""

from simkit.core.hexgrid import step_q, step_r, turned
from simkit.core.jit import kernel
from simkit.games.jugger.aboard import part
from simkit.games.jugger.board import cell, is_free, loss, occupant, place
from simkit.games.jugger.contact import collide, dodges_ram, leave, ram
from simkit.games.jugger.happenings import What
from simkit.games.jugger.moment import moment
from simkit.games.jugger.motion import after_loss, fastest, may_drag, may_turn, slowest
from simkit.games.jugger.policy import policy_of
from simkit.games.jugger.records import OUTSIDE, MapEdge, Policy, Setup, State
from simkit.games.jugger.settle import check_over
from simkit.games.jugger.thinking import think
from simkit.games.jugger.throw import choose, note

FORWARD = 0
LEFT = -1
RIGHT = 1
STOP = 2


@kernel
def partner(state: State, slot: int) -> int:
    """Return the one jug that a jug is attached to; -1 for none, -2 for several (J-WPN-13)."""
    found = -1
    for k in range(state.hold_count):
        hold = state.holds[k]
        other = -1
        if hold.holder == slot:
            other = hold.held
        elif hold.held == slot:
            other = hold.holder
        if other >= 0 and found >= 0 and other != found:
            return -2
        if other >= 0:
            found = other
    return found


@kernel
def drags(setup: Setup, state: State, slot: int) -> int:
    """Return the jug that a jug can take along, -1 if it is free, -2 if it is stuck (J-WPN-13)."""
    if state.jugs[slot].attached == 0:
        return -1
    other = partner(state, slot)
    if other < 0:
        return -2
    own_size, other_size = setup.jugs[state.jugs[slot].row].size_class, setup.jugs[state.jugs[other].row].size_class
    return other if may_drag(own_size, other_size, 1) else -2


@kernel
def move(setup: Setup, state: State, slot: int) -> None:
    """Make the whole move of one jug."""
    fighter, rules = state.jugs[slot], setup.rules
    jug = setup.jugs[fighter.row]
    policy = policy_of(state, slot)
    dragged = drags(setup, state, slot)
    if dragged == -2:
        return
    if policy == Policy.HOLD:
        note(state, What.MOVE + 0, slot, -1, -1, 0, 0, fighter.velocity)
        fighter.velocity = 0
        return
    least = slowest(fighter.velocity, fighter.deceleration)
    most = fastest(fighter.velocity, fighter.acceleration, jug.legged, rules.legs_top_velocity, least)
    if dragged >= 0:
        most = max(least, min(most, rules.drag_top_velocity))
    plan = state.plan
    if policy == Policy.RANDOM:
        velocity = least + choose(state, slot, most - least + 1)
    else:
        think(setup, state, slot, least, most, dragged >= 0)
        velocity = plan.velocity
    note(state, What.MOVE + 0, slot, -1, -1, 0, velocity, fighter.velocity)
    fighter.velocity = velocity
    fighter.moved = 0
    fighter.turned = 0
    fighter.moving = True
    state.mover = slot
    step = 0
    while fighter.moving and not state.over:
        action = STOP
        if policy == Policy.RANDOM:
            action = random_action(setup, state, slot)
        elif step < plan.length:
            action = plan.actions[step]
        elif fighter.moved < fighter.velocity:
            action = FORWARD
        step += 1
        if action == STOP or (action == FORWARD and fighter.moved >= fighter.velocity):
            break
        if action == FORWARD:
            foe = advance(setup, state, slot)
            if foe >= 0:
                ram(setup, state, slot, foe)
            part(setup, state)
        elif may_turn(fighter.turned, fighter.turns, fighter.velocity, rules.turn_in_place) and fighter.attached == 0:
            fighter.facing = turned(fighter.facing, action)
            fighter.turned += 1
            note(state, What.TURN_TO + 0, slot, -1, -1, action, fighter.facing, 0)
        else:
            continue
        if not state.over:
            moment(setup, state, fighter.side, False)
    fighter.moving = False
    state.mover = -1


@kernel
def random_action(setup: Setup, state: State, slot: int) -> int:
    """Choose the next action by chance among those that are legal: forward, left, right, stop."""
    fighter = state.jugs[slot]
    goes = fighter.moved < fighter.velocity
    turns = fighter.attached == 0 and may_turn(
        fighter.turned, fighter.turns, fighter.velocity, setup.rules.turn_in_place
    )
    options = 1 + 2 * int(turns)
    chosen = choose(state, slot, options)
    if goes:
        if chosen == 0:
            return FORWARD
        return LEFT if chosen == 1 else RIGHT
    if chosen == options - 1:
        return STOP
    return LEFT if chosen == 0 else RIGHT


@kernel
def advance(setup: Setup, state: State, slot: int) -> int:
    """Move one hex forward, or into whatever is there (J-COL, J-RAM, J-TER); return the jug to be rammed, or -1."""
    fighter = state.jugs[slot]
    other = -1
    if fighter.attached > 0:
        other = drags(setup, state, slot)
    q, r = fighter.q + step_q(fighter.facing), fighter.r + step_r(fighter.facing)
    if other >= 0 and state.jugs[other].q == q and state.jugs[other].r == r:
        shove_ahead(setup, state, slot, other)
        return -1
    code = cell(setup, state, q, r)
    if code == OUTSIDE and setup.rules.map_edge != MapEdge.WALL:
        if setup.rules.map_edge == MapEdge.EXIT:
            exit_map(setup, state, slot)
            return -1
        q, r = -fighter.q, -fighter.r
        if is_free(setup, state, q, r):
            enter(setup, state, slot, q, r, other)
            return -1
    if code < 0:
        collide(setup, state, slot, code)
        return -1
    foe = occupant(state, q, r)
    if foe >= 0:
        return foe if touches(setup, state, slot, foe) else -1
    enter(setup, state, slot, q, r, other)
    return -1


@kernel
def exit_map(setup: Setup, state: State, slot: int) -> None:
    """Leave the map over an open rim (J-MAP-2)."""
    leave(setup, state, slot, -1)
    check_over(setup, state)


@kernel
def enter(setup: Setup, state: State, slot: int, q: int, r: int, dragged: int) -> None:
    """Enter a free hex; its terrain takes velocity (J-TER-2); a dragged jug comes into the hex that is left."""
    fighter = state.jugs[slot]
    left_q, left_r = fighter.q, fighter.r
    fighter.q = q
    fighter.r = r
    fighter.moved += 1
    fighter.velocity = after_loss(fighter.velocity, loss(setup, state, q, r))
    note(state, What.ENTER + 0, slot, -1, -1, 0, place(q, r), fighter.velocity)
    if dragged >= 0:
        move_to(state, dragged, left_q, left_r)


@kernel
def move_to(state: State, slot: int, q: int, r: int) -> None:
    """Put a jug into another hex without its doing (J-RAM-11)."""
    fighter = state.jugs[slot]
    fighter.q = q
    fighter.r = r
    note(state, What.MOVE_TO + 0, slot, -1, -1, 0, place(q, r), 0)


@kernel
def shove_ahead(setup: Setup, state: State, slot: int, other: int) -> None:
    """Push an attached jug one hex ahead and follow (J-WPN-13); if its way is blocked the move is over."""
    fighter, pushed = state.jugs[slot], state.jugs[other]
    q, r = pushed.q, pushed.r
    ahead_q, ahead_r = q + step_q(fighter.facing), r + step_r(fighter.facing)
    if cell(setup, state, ahead_q, ahead_r) == OUTSIDE and setup.rules.map_edge == MapEdge.EXIT:
        leave(setup, state, other, fighter.side)
        enter(setup, state, slot, q, r, -1)
        check_over(setup, state)
        return
    if not is_free(setup, state, ahead_q, ahead_r):
        stop(state, slot, -1)
        return
    move_to(state, other, ahead_q, ahead_r)
    enter(setup, state, slot, q, r, -1)


@kernel
def stop(state: State, slot: int, foe: int) -> None:
    """Stop without harm (J-RAM-7, J-RAM-8, J-RAM-14)."""
    fighter = state.jugs[slot]
    fighter.velocity = 0
    fighter.moving = False
    note(state, What.STOP + 0, slot, foe, -1, 0, place(fighter.q, fighter.r), 0)


@kernel
def touches(setup: Setup, state: State, slot: int, foe: int) -> bool:
    """Tell whether moving into a jug is a ram: legs and friends stop (J-RAM-7, J-RAM-8), and it may be dodged."""
    fighter, other = state.jugs[slot], state.jugs[foe]
    if setup.jugs[fighter.row].legged or other.side == fighter.side:
        stop(state, slot, foe)
        return False
    q, r = other.q, other.r
    if dodges_ram(setup, state, slot, foe):
        enter(setup, state, slot, q, r, -1)
        return False
    return True
