"""A jug's move in a match: as in a battle, with the ball ahead of everything else (J-BALL-8, J-BALL-19)."""

from simkit.core.hexgrid import step_q, step_r, turned
from simkit.core.jit import kernel, rule
from simkit.games.jugger.aboard import part
from simkit.games.jugger.board import index
from simkit.games.jugger.contact import begin_ram, end_ram, land, press
from simkit.games.jugger.happenings import What
from simkit.games.jugger.moment import moment
from simkit.games.jugger.motion import fastest, may_turn, slowest
from simkit.games.jugger.move import FORWARD, LEFT, RIGHT, STOP, advance, drags
from simkit.games.jugger.throw import choose, note
from simkit.games.juggerball.ball import run
from simkit.games.juggerball.happenings import Means
from simkit.games.juggerball.happenings import What as BallWhat
from simkit.games.juggerball.headings import heading_of
from simkit.games.juggerball.kinds import Policy
from simkit.games.juggerball.records import Setup, State
from simkit.games.juggerball.tally import HITS
from simkit.games.juggerball.thinking import KICKS, think
from simkit.games.juggerball.touch import ball_first, kick, look, may_kick, swing
from simkit.games.juggerball.zone import (
    AHEAD,
    ASIDE_LEFT,
    ASIDE_RIGHT,
    STANDING,
    fitting_actions,
    fitting_velocities,
    is_near_goal,
)

ANGLES = 3
"""Ways to kick the held ball."""


@kernel
def move(setup: Setup, state: State, slot: int) -> None:
    """Make the whole move of one jug."""
    now, war = state.battle, setup.battle
    fighter, rules = now.jugs[slot], war.rules
    policy = state.minds[fighter.side]
    dragged = drags(war, now, slot)
    if dragged == -2:
        return
    now.mover = slot
    fighter.moved = 0
    fighter.turned = 0
    plan = now.plan
    velocity = 0
    plan.length = 0
    if policy != Policy.HOLD:
        least = slowest(fighter.velocity, fighter.deceleration)
        jug = war.jugs[fighter.row]
        most = fastest(fighter.velocity, fighter.acceleration, jug.legged, rules.legs_top_velocity, least)
        if dragged >= 0:
            most = max(least, min(most, rules.drag_top_velocity))
        if not setup.ball.no_stop_end and most > 0 and is_near_goal(setup, state, fighter.side, fighter.q, fighter.r):
            least = max(1, least)
        if policy == Policy.RANDOM:
            velocity = random_velocity(setup, state, slot, least, most)
        else:
            think(setup, state, slot, least, most, dragged >= 0)
            velocity = plan.velocity
    had_ball = state.alive
    note(now, What.MOVE + 0, slot, -1, -1, 0, velocity, fighter.velocity)
    fighter.velocity = velocity
    fighter.moving = policy != Policy.HOLD
    look(setup, state, True)
    step = 0
    while fighter.moving and not now.over and state.alive == had_ball:
        action = STOP
        if policy == Policy.RANDOM:
            action = random_action(setup, state, slot)
        elif step < plan.length:
            action = plan.actions[step]
        elif fighter.moved < fighter.velocity:
            action = FORWARD
        step += 1
        if setup.ball.no_stop_end and policy != Policy.RANDOM and action < KICKS:
            action = as_allowed(setup, state, slot, action)
        if action == STOP or (action == FORWARD and fighter.moved >= fighter.velocity):
            break
        if action >= KICKS:
            if state.holder == slot and may_kick(setup, state, slot):
                kick(setup, state, slot, angle_of(action))
            continue
        if action == FORWARD:
            go_forward(setup, state, slot)
        elif may_turn(fighter.turned, fighter.turns, fighter.velocity, rules.turn_in_place) and fighter.attached == 0:
            fighter.facing = turned(fighter.facing, action)
            fighter.turned += 1
            note(now, What.TURN_TO + 0, slot, -1, -1, action, fighter.facing, 0)
            if state.holder == slot:
                swing(setup, state, slot, action)
        else:
            continue
        look(setup, state, False)
        if not now.over and state.alive == had_ball:
            moment(war, now, fighter.side, False)
            look(setup, state, False)
    fighter.moving = False
    now.mover = -1


@kernel
def go_forward(setup: Setup, state: State, slot: int) -> None:
    """Go a hex forward: the ball first, then whatever else is there (J-BALL-8)."""
    if not ball_first(setup, state, slot):
        return
    foe = advance(setup.battle, state.battle, slot)
    if foe >= 0:
        ram(setup, state, slot, foe)
    part(setup.battle, state.battle)


@kernel
def ram(setup: Setup, state: State, slot: int, foe: int) -> None:
    """Ram a foe as in a battle; what is moved by force stops before the ball, or hits it (J-BALL-8, J-RAM-11)."""
    now, war = state.battle, setup.battle
    contact = begin_ram(war, now, slot, foe)
    if now.forced > 0:
        press(war, now, slot, foe)
        facing = now.jugs[slot].facing
        while setup.ball.forced_hits and now.forced_gone < now.forced and is_pressed_on(state, foe, facing):
            side, left = now.jugs[foe].side, now.forced - now.forced_gone
            state.tally[side, HITS] += 1
            heading = heading_of(facing, 0)
            note(now, BallWhat.HIT + 0, foe, -1, -1, 0, heading, left)
            run(setup, state, foe, heading, left, Means.HIT + 0)
            if is_pressed_on(state, foe, facing):
                break
            press(war, now, slot, foe)
        land(war, now, slot, foe, contact)
    end_ram(war, now)


@rule
def is_pressed_on(state: State, slot: int, facing: int) -> bool:
    """Tell whether the ball is in the hex into which a jug is forced."""
    own = state.battle.jugs[slot]
    return state.battle.ball == index(own.q + step_q(facing), own.r + step_r(facing))


@rule
def angle_of(action: int) -> int:
    """Return the angle of a kick: 0 straight, -1 left, 1 right."""
    aside = action - KICKS
    return 0 if aside == 0 else 2 * aside - 3


# Choices by chance


@kernel
def random_velocity(setup: Setup, state: State, slot: int, least: int, most: int) -> int:
    """Choose a velocity by chance among those that are legal."""
    fit = fitting_velocities(setup, state, slot, least, most)
    legal = 0
    for k in range(most - least + 1):
        legal += fit >> k & 1
    left = choose(state.battle, slot, legal)
    for k in range(most - least + 1):
        if fit >> k & 1 > 0:
            if left == 0:
                return least + k
            left -= 1
    return least


@kernel
def fit_now(setup: Setup, state: State, slot: int) -> int:
    """Return which actions a jug may take now for the sake of its own goal (J-BALL-19)."""
    own = state.battle.jugs[slot]
    return fitting_actions(setup, state, slot, own.q, own.r, own.facing, own.turned, own.moved, own.velocity)


@kernel
def as_allowed(setup: Setup, state: State, slot: int, action: int) -> int:
    """Return a planned action, or, where it would end near the own goal, the first that would not (J-BALL-19)."""
    own = state.battle.jugs[slot]
    fit = fit_now(setup, state, slot)
    goes = own.moved < own.velocity
    turns = own.attached == 0 and may_turn(own.turned, own.turns, own.velocity, setup.battle.rules.turn_in_place)
    ahead, right, left = goes and fit & AHEAD > 0, turns and fit & ASIDE_RIGHT > 0, turns and fit & ASIDE_LEFT > 0
    stands = not goes and fit & STANDING > 0
    same = (
        (action == FORWARD and ahead)
        or (action == RIGHT and right)
        or (action == LEFT and left)
        or (action == STOP and stands)
    )
    if same:
        return action
    if ahead:
        return FORWARD
    if right:
        return RIGHT
    return LEFT if left else STOP


@kernel
def random_action(setup: Setup, state: State, slot: int) -> int:
    """Choose the next action by chance among those that are legal: forward, left, right, stop, kicks."""
    fighter = state.battle.jugs[slot]
    goes = fighter.moved < fighter.velocity
    turns = fighter.attached == 0 and may_turn(
        fighter.turned, fighter.turns, fighter.velocity, setup.battle.rules.turn_in_place
    )
    kicks = state.holder == slot and may_kick(setup, state, slot)
    fit = fit_now(setup, state, slot)
    ahead, aside_left = goes and fit & AHEAD > 0, turns and fit & ASIDE_LEFT > 0
    aside_right, stands = turns and fit & ASIDE_RIGHT > 0, not goes and fit & STANDING > 0
    left = choose(
        state.battle, slot, int(ahead) + int(aside_left) + int(aside_right) + int(stands) + ANGLES * int(kicks)
    )
    if ahead:
        if left == 0:
            return FORWARD
        left -= 1
    if aside_left:
        if left == 0:
            return LEFT
        left -= 1
    if aside_right:
        if left == 0:
            return RIGHT
        left -= 1
    if stands:
        if left == 0:
            return STOP
        left -= 1
    return KICKS + left
