"""What a move that is thought out does to the ball: swings, pushes, hits and kicks not made yet (J-BALL-25)."""

from simkit.core.hexgrid import step_q, step_r, turned
from simkit.core.jit import kernel, rule
from simkit.games.juggerball.happenings import Thing
from simkit.games.juggerball.headings import heading_of
from simkit.games.juggerball.kinds import Way
from simkit.games.juggerball.records import WAYS, Setup, State, Values
from simkit.games.juggerball.worth import SHARES, ahead, is_kick, steps_to, worth_of_run, worth_of_way


@rule
def brought(setup: Setup, state: State, slot: int, q: int, r: int, values: Values) -> int:
    """Return what it is worth that the ball was brought from its hex to another without a run."""
    if not state.alive:
        return 0
    goal = 1 - state.battle.jugs[slot].side
    return SHARES * values.way * (steps_to(setup, state, goal, state.q, state.r) - steps_to(setup, state, goal, q, r))


@kernel
def turn_ball(setup: Setup, state: State, slot: int, at: int, action: int, values: Values) -> bool:
    """Swing the held ball at a point of a path; tell whether the path goes on."""
    frame, trail = state.battle.frames[at], state.trails[at]
    q, r = frame.q + step_q(frame.facing), frame.r + step_r(frame.facing)
    thing = ahead(setup, state, q, r, turned(frame.facing, action))
    if thing == Thing.NOTHING:
        trail.q = q
        trail.r = r
        return True
    trail.held = False
    if thing < Thing.NOTHING:
        return True
    trail.worth = score_worth(setup, state, slot, thing, values)
    trail.touched = True
    return False


@kernel
def score_worth(setup: Setup, state: State, slot: int, thing: int, values: Values) -> int:
    """Return what it is worth to bring the ball into a goal."""
    side = state.battle.jugs[slot].side
    if thing - Thing.GOAL_0 == side:
        return -SHARES * values.own_goal
    return SHARES * (values.goal + values.way * steps_to(setup, state, 1 - side, state.q, state.r))


@kernel
def meet_ball(setup: Setup, state: State, slot: int, at: int, values: Values) -> bool:
    """Step into the ball's hex at a point of a path; tell whether the path goes on.

    It ends in a goal, and where the ball is expected to stay in the way.
    """
    frame, trail = state.battle.frames[at], state.trails[at]
    if not trail.held:
        holder = state.holder
        other = state.battle.jugs[max(holder, 0)]
        side = state.battle.jugs[slot].side
        trail.worth = brought(setup, state, slot, trail.q, trail.r, values)
        if holder >= 0 and holder != slot and other.side != side and other.facing == turned(frame.facing, 3):
            head_on_worth(setup, state, slot, at)
            return True
        way = way_at(setup, state, slot, at)
        if way < Way.TAKE:
            q, r = trail.q, trail.r
            trail.worth += worth_of_way(setup, state, slot, way, q, r, frame.facing, frame.velocity)
            trail.touched = True
            trail.q = state.end_q
            trail.r = state.end_r
            return trail.q != q or trail.r != r
        trail.held = True
        trail.worth = 0
    q, r = trail.q + step_q(frame.facing), trail.r + step_r(frame.facing)
    thing = ahead(setup, state, q, r, frame.facing)
    if thing == Thing.NOTHING:
        trail.q = q
        trail.r = r
        return True
    trail.held = False
    trail.touched = True
    if thing > Thing.NOTHING:
        trail.worth = score_worth(setup, state, slot, thing, values)
    else:
        trail.worth = brought(setup, state, slot, trail.q, trail.r, values)
    return False


@kernel
def head_on_worth(setup: Setup, state: State, slot: int, at: int) -> None:
    """Judge a head-on at a point of a path: the ball leaves by one of four sides (J-BALL-15)."""
    frame, trail = state.battle.frames[at], state.trails[at]
    side = state.battle.jugs[slot].side
    total = 0
    for arc in range(1, 6):
        if arc != 3:
            heading = heading_of(turned(frame.facing, arc), 0)
            total += worth_of_run(setup, state, side, trail.q, trail.r, heading, frame.velocity, 1)
    trail.worth += total // 4
    trail.touched = True


@kernel
def way_at(setup: Setup, state: State, slot: int, at: int) -> int:
    """Return what the jug had best do with the ball at a point of a path; of equals the first."""
    frame, trail = state.battle.frames[at], state.trails[at]
    if frame.moved == 0 and state.can >> Way.PUSH & 1 and not setup.ball.push_choice:
        return Way.PUSH + 0
    best, chosen = 0, -1
    for way in range(WAYS):
        fits = state.can >> way & 1 > 0 and (way != Way.PUSH or frame.moved == 0)
        if fits and is_kick(way):
            fits = frame.velocity >= 1 or setup.ball.standing_kick
        if fits:
            worth = worth_of_way(setup, state, slot, way, trail.q, trail.r, frame.facing, frame.velocity)
            if chosen < 0 or worth > best:
                best, chosen = worth, way
    if chosen < Way.TAKE:  # where a run ends that is not the last one judged
        worth_of_way(setup, state, slot, chosen, trail.q, trail.r, frame.facing, frame.velocity)
    return chosen
