"""What jugs do to the ball: hold it and lose it, push it ahead, swing it, hit and kick it (J-BALL-9, 13 to 15)."""

from simkit.core.hexgrid import step_q, step_r, turned
from simkit.core.jit import kernel, rule
from simkit.games.jugger.board import occupant, place
from simkit.games.jugger.contact import BALL, collide
from simkit.games.jugger.move import stop
from simkit.games.jugger.records import PieceKind
from simkit.games.jugger.throw import choose, note
from simkit.games.juggerball.ball import can_catch, carries, goal, hold, lies_ahead, put, run, thing_at, throw
from simkit.games.juggerball.happenings import DiceRow, Hold, Means, Thing, What
from simkit.games.juggerball.headings import flank, heading_of
from simkit.games.juggerball.kinds import Policy, Way
from simkit.games.juggerball.records import WAYS, Setup, State
from simkit.games.juggerball.tally import HITS, KICKS
from simkit.games.juggerball.worth import best_way, is_kick

ROUNDS = 1000
"""Dice for the side of a head-on before the first flank is taken: none gets there but loaded ones."""


@kernel
def look(setup: Setup, state: State, chosen: bool) -> None:
    """Look at the holder when an event is over: whether the ball rolls away, is lost, or held on (J-BALL-13)."""
    slot = state.holder
    if slot < 0 or state.battle.over:
        return
    own = state.battle.jugs[slot]
    if own.fate == 0 and own.velocity < state.pace and rolls(setup, state, slot, chosen):
        by = state.battle.mover if state.battle.mover >= 0 else slot
        die = throw(setup, state, by, DiceRow.ROLL + 0)
        heading = heading_of(own.facing, 0)
        note(state.battle, What.ROLL + 0, slot, -1, -1, die, heading, die)
        run(setup, state, slot, heading, die, Means.ROLL + 0)
    elif own.fate != 0 or not lies_ahead(state, slot):
        part_from(state)
    else:
        state.pace = own.velocity


@kernel
def rolls(setup: Setup, state: State, slot: int, chosen: bool) -> bool:
    """Tell whether the ball rolls away from a holder whose velocity has fallen (J-BALL-13)."""
    if not chosen:
        return not setup.ball.roll_chosen_only
    return not (setup.ball.catcher_brakes and carries(setup, state, slot, PieceKind.CATCHER + 0))


@kernel
def part_from(state: State) -> None:
    """Let the holder lose the ball, which stays where it is."""
    note(state.battle, What.PART + 0, state.holder, -1, -1, 0, place(state.q, state.r), 0)
    state.holder = -1


@kernel
def swing(setup: Setup, state: State, slot: int, way: int) -> None:
    """Take the held ball along in a turn (J-BALL-13); it goes through the side between its old and new hex."""
    own = state.battle.jugs[slot]
    q, r = own.q + step_q(own.facing), own.r + step_r(own.facing)
    thing = thing_at(setup, state, q, r, turned(own.facing, way))
    if thing < Thing.NOTHING:
        part_from(state)
        return
    put(state, q, r)
    note(state.battle, What.SWING + 0, slot, -1, -1, 0, place(q, r), 0)
    score_by_push(setup, state, thing)


@kernel
def score_by_push(setup: Setup, state: State, thing: int) -> None:
    """Count a goal where the held ball was taken into one."""
    if thing >= Thing.GOAL_0:
        state.means = Means.PUSH + 0
        state.bounced = 0
        goal(setup, state, thing - Thing.GOAL_0)


@kernel
def push_ahead(setup: Setup, state: State, slot: int) -> None:
    """Move the held ball a hex ahead of a jug that goes forward (J-BALL-13); against an object it bounces."""
    own = state.battle.jugs[slot]
    q, r = state.q + step_q(own.facing), state.r + step_r(own.facing)
    thing = thing_at(setup, state, q, r, own.facing)
    if thing >= Thing.NOTHING:
        put(state, q, r)
        note(state.battle, What.BALL_AHEAD + 0, slot, -1, -1, 0, place(q, r), 0)
        score_by_push(setup, state, thing)
        return
    foe = occupant(state.battle, q, r) if thing == Thing.JUG else -1
    if foe >= 0 and faces_off(state, slot, foe):
        head_on(setup, state, slot, foe, slot)
        return
    run(setup, state, slot, heading_of(own.facing, 0), own.velocity - own.moved, Means.PUSH + 0)


@rule
def faces_off(state: State, slot: int, foe: int) -> bool:
    """Tell whether a jug is an enemy in play who faces the opposite way (J-BALL-15)."""
    own, other = state.battle.jugs[slot], state.battle.jugs[foe]
    return other.fate == 0 and other.side != own.side and other.facing == turned(own.facing, 3)


@kernel
def head_on(setup: Setup, state: State, slot: int, foe: int, pusher: int) -> None:
    """Let the ball between two jugs leave by a side of the pusher (J-BALL-6, J-BALL-15)."""
    own, other = state.battle.jugs[slot], state.battle.jugs[foe]
    facing = state.battle.jugs[pusher].facing
    hexes = own.velocity + (other.velocity if setup.ball.head_on_sum else 0)
    side = turned(facing, 1)
    for _ in range(ROUNDS):
        die = throw(setup, state, slot, DiceRow.HEAD_ON + 0)
        found = flank(facing, die)
        note(state.battle, What.HEAD_ON + 0, slot, foe, -1, die, found, hexes)
        if found >= 0:
            side = found
            break
    run(setup, state, slot, heading_of(side, 0), hexes, Means.HEAD_ON + 0)


@kernel
def may_kick(setup: Setup, state: State, slot: int) -> bool:
    """Tell whether a jug may kick the ball now (J-BALL-14): legs, once a turn, at velocity 1 or more."""
    own = state.battle.jugs[slot]
    moving = own.velocity >= 1 or setup.ball.standing_kick
    return own.kicks and setup.ball.legs_kick and state.kicked[slot] == 0 and moving


@kernel
def kick(setup: Setup, state: State, slot: int, angle: int) -> None:
    """Kick the ball: as many hexes as the velocity, and a die more (J-BALL-14)."""
    own = state.battle.jugs[slot]
    state.kicked[slot] = 1
    state.tally[own.side, KICKS] += 1
    die = throw(setup, state, slot, DiceRow.KICK + 0)
    heading = heading_of(own.facing, angle)
    note(state.battle, What.KICK + 0, slot, -1, -1, die, heading, own.velocity + die)
    run(setup, state, slot, heading, own.velocity + die, Means.KICK + 0)


@kernel
def hit(setup: Setup, state: State, slot: int, angle: int) -> None:
    """Hit the ball: it runs as many hexes as the jug's velocity (J-BALL-2, J-BALL-9)."""
    own = state.battle.jugs[slot]
    state.tally[own.side, HITS] += 1
    heading = heading_of(own.facing, angle)
    note(state.battle, What.HIT + 0, slot, -1, -1, 0, heading, own.velocity)
    run(setup, state, slot, heading, own.velocity, Means.HIT + 0)


@kernel
def capable(setup: Setup, state: State, slot: int) -> int:
    """Return what a jug can do with the ball this turn, a bit each; kicks need a velocity, a push the first hex."""
    rules = setup.ball
    can = 1 << Way.HIT
    if rules.deflector_hits and carries(setup, state, slot, PieceKind.DEFLECTOR + 0):
        can |= 1 << Way.HIT_LEFT | 1 << Way.HIT_RIGHT
    if state.battle.jugs[slot].kicks and rules.legs_kick and state.kicked[slot] == 0:
        can |= 1 << Way.KICK | 1 << Way.KICK_LEFT | 1 << Way.KICK_RIGHT
    if state.holder < 0 or rules.steal:
        if can_catch(setup, state, slot):
            can |= 1 << Way.TAKE
        if state.rested[slot] == 1:
            can |= 1 << Way.PUSH
    return can


@kernel
def list_ways(setup: Setup, state: State, slot: int) -> None:
    """List what a jug can do with the ball in its way, in order (J-BALL-9, 13, 14, 17)."""
    own = state.battle.jugs[slot]
    can = capable(setup, state, slot)
    state.way_count = 0
    if own.moved == 0 and can >> Way.PUSH & 1 > 0 and not setup.ball.push_choice:
        add_way(state, Way.PUSH + 0)
        return
    for way in range(WAYS):
        fits = can >> way & 1 > 0 and (way != Way.PUSH or own.moved == 0)
        if is_kick(way):
            fits = fits and may_kick(setup, state, slot)
        if fits:
            add_way(state, way)


@rule
def add_way(state: State, way: int) -> None:
    """Add something that can be done with the ball."""
    state.ways[state.way_count] = way
    state.way_count += 1


@rule
def angle_of(way: int) -> int:
    """Return the angle of a hit or kick: 0 straight, -1 left, 1 right."""
    aside = way % 3
    return 0 if aside == 0 else 2 * aside - 3


@kernel
def meet_ball(setup: Setup, state: State, slot: int) -> None:
    """Step into the ball's hex: head-on, or what the jug's player chooses (J-BALL-9, J-BALL-15)."""
    holder = state.holder
    if holder >= 0 and faces_off(state, slot, holder):
        head_on(setup, state, slot, holder, holder)
        return
    list_ways(setup, state, slot)
    policy = state.minds[state.battle.jugs[slot].side]
    if policy == Policy.RANDOM:
        way = state.ways[choose(state.battle, slot, state.way_count)]
    elif state.way_count == 1:
        way = state.ways[0]
    else:
        way = best_way(setup, state, slot)
    if way == Way.PUSH or way == Way.TAKE:
        hold(state, slot, (Hold.PUSH if way == Way.PUSH else Hold.TAKE) + 0)
        push_ahead(setup, state, slot)
    elif way >= Way.KICK:
        kick(setup, state, slot, angle_of(way))
    else:
        hit(setup, state, slot, angle_of(way))


@kernel
def ball_first(setup: Setup, state: State, slot: int) -> bool:
    """Let a jug that goes forward meet the ball; tell whether it goes on (J-BALL-8, J-BALL-9)."""
    if not lies_ahead(state, slot):
        return True
    if state.holder == slot:
        push_ahead(setup, state, slot)
    else:
        meet_ball(setup, state, slot)
    if state.battle.over or not state.alive:
        return False
    if lies_ahead(state, slot):
        if setup.ball.ball_collides:
            collide(setup.battle, state.battle, slot, BALL)
        else:
            stop(state.battle, slot, -1)
        return False
    return True
