"""The ball on its own: where it lies, what is ahead of it, how it runs, bounces and stops (J-BALL-8 to 12, 16, 17)."""

from simkit.core.hexgrid import step_q, step_r, turned
from simkit.core.jit import kernel, rule
from simkit.core.rng import draw
from simkit.core.roll import read
from simkit.games.jugger.aboard import bit
from simkit.games.jugger.board import cell, index, loss, occupant, place
from simkit.games.jugger.limits import FIRST_WALL, OBSTACLE, OUTSIDE
from simkit.games.jugger.records import PieceKind
from simkit.games.jugger.throw import choose, note
from simkit.games.juggerball.happenings import FIRST_PURPOSE, Cause, DiceRow, Hold, Means, Thing, What
from simkit.games.juggerball.headings import (
    RIGHT_ANGLE,
    bounced,
    first_side,
    heading_of,
    is_spine,
    next_side,
    opens,
    right_angle,
    side_of_heading,
    to_one_side,
)
from simkit.games.juggerball.kinds import Policy
from simkit.games.juggerball.records import Setup, State
from simkit.games.juggerball.tally import CATCHES, OWN_GOALS

ALL_HEADINGS = 12


@kernel
def throw(setup: Setup, state: State, slot: int, row: int) -> int:
    """Throw dice for the ball in the move of a jug."""
    return throw_at(setup, state, state.battle.jugs[slot].seat, row)


@kernel
def throw_at(setup: Setup, state: State, seat: int, row: int) -> int:
    """Throw dice of a seat: the address is the turn, the seat, the purpose, and how many there were this turn."""
    i = state.thrown[seat, row]
    state.thrown[seat, row] = i + 1
    bits = draw(state.battle.stream, state.battle.tweak, state.battle.turn, seat, FIRST_PURPOSE + row, i)
    return read(setup.dice[row], bits)


@rule
def thrower(state: State) -> int:
    """Return in whose move the ball moves: the mover's; outside any move the jug's that sets it going."""
    return state.battle.mover if state.battle.mover >= 0 else state.toucher


@rule
def put(state: State, q: int, r: int) -> None:
    """Put the ball on a hex, which is no place for jugs then (J-BALL-8)."""
    state.q = q
    state.r = r
    state.battle.ball = index(q, r)
    state.stirred = True


@rule
def lies_ahead(state: State, slot: int) -> bool:
    """Tell whether the ball is in the hex that a jug faces."""
    own = state.battle.jugs[slot]
    return state.alive and state.q == own.q + step_q(own.facing) and state.r == own.r + step_r(own.facing)


@kernel
def carries(setup: Setup, state: State, slot: int, kind: int) -> bool:
    """Tell whether a piece of a kind is aboard and works."""
    own = state.battle.jugs[slot]
    jug = setup.battle.jugs[own.row]
    found = False
    for k in range(jug.piece_count):
        found = found or (jug.pieces[k].kind == kind and not bit(own.lost, k))
    return found


@kernel
def can_catch(setup: Setup, state: State, slot: int) -> bool:
    """Tell whether a jug can catch the ball or take it up: legs or catcher, never a lost one (J-BALL-17)."""
    if state.battle.jugs[slot].kicks and setup.ball.legs_catch:
        return True
    return setup.ball.catcher_catches and carries(setup, state, slot, PieceKind.CATCHER + 0)


@kernel
def thing_at(setup: Setup, state: State, q: int, r: int, side: int) -> int:
    """Return what a ball that steps through a side meets on a hex: an object, a goal, or nothing (J-BALL-10)."""
    if occupant(state.battle, q, r) >= 0:
        return Thing.JUG + 0
    if r == 0 and abs(q) == setup.goal:
        seat = int(q > 0)
        if opens(seat, side):
            return Thing.GOAL_0 + seat
        return Thing.CLOSED + 0
    code = cell(setup.battle, state.battle, q, r)
    if code == OUTSIDE:
        return Thing.RIM + 0
    if code == OBSTACLE:
        return Thing.OBSTACLE + 0
    return (Thing.WALL if code <= FIRST_WALL else Thing.NOTHING) + 0


@kernel
def steer(setup: Setup, state: State, heading: int) -> None:
    """Set the heading of the ball; along a spine a die says which side comes first (J-BALL-11)."""
    state.heading = heading
    state.side = side_of_heading(heading)
    if not is_spine(heading):
        return
    die = throw(setup, state, thrower(state), DiceRow.SPINE + 0)
    low = die <= setup.ball.spine_at_most
    if setup.ball.headings < ALL_HEADINGS:
        state.heading = to_one_side(heading, low)
        state.side = side_of_heading(state.heading)
    else:
        state.side = first_side(heading, low)
    note(state.battle, What.SPINE + 0, thrower(state), -1, -1, die, state.side, 0)


@kernel
def run(setup: Setup, state: State, slot: int, heading: int, hexes: int, means: int) -> None:
    """Let the ball run until it stops, is caught or in a goal; ``slot`` set it going (J-BALL-8 to 12, 16, 17)."""
    state.toucher = slot
    state.holder = -1
    state.stirred = True
    state.means = means
    state.bounced = 0
    left = hexes
    steer(setup, state, heading)
    while True:
        if left <= 0:
            rest(state, 0)
            return
        q, r = state.q + step_q(state.side), state.r + step_r(state.side)
        thing = thing_at(setup, state, q, r, state.side)
        if thing < Thing.NOTHING:
            if not bounce(setup, state, slot, q, r, thing):
                return
            continue
        put(state, q, r)
        left -= 1
        if setup.ball.terrain_slows and thing == Thing.NOTHING:
            left = max(0, left - loss(setup.battle, state.battle, q, r))
        note(state.battle, What.BALL_STEP + 0, thrower(state), -1, -1, 0, place(q, r), left)
        if thing >= Thing.GOAL_0:
            goal(setup, state, thing - Thing.GOAL_0)
            return
        state.side = next_side(state.heading, state.side)
        if not setup.ball.catch_hits and caught(setup, state, slot):
            return


@kernel
def rest(state: State, why: int) -> None:
    """Let the ball lie where it is."""
    note(state.battle, What.BALL_STOP + 0, thrower(state), -1, -1, 0, place(state.q, state.r), why)


@kernel
def bounce(setup: Setup, state: State, slot: int, q: int, r: int, thing: int) -> bool:
    """Let the ball bounce off an object; tell whether it goes on (J-BALL-10, J-BALL-12).

    A jug that it hits in front may catch it where the rules say so, or turn it aside with its deflector (J-BALL-14).
    """
    rules = setup.ball
    foe = occupant(state.battle, q, r) if thing == Thing.JUG else -1
    ahead = foe >= 0 and lies_ahead(state, foe)
    if ahead and rules.catch_hits and foe != slot and can_catch(setup, state, foe) and wants(state, foe):
        hold(state, foe, Hold.CATCH + 0)
        return False
    state.bounced += 1
    state.bounces += 1
    by = thrower(state)
    if ahead and rules.deflector_turns and carries(setup, state, foe, PieceKind.DEFLECTOR + 0):
        aside = heading_of(state.battle.jugs[foe].facing, deflects(setup, state, foe))
        note(state.battle, What.BALL_BOUNCE + 0, by, foe, -1, 0, aside, thing)
        if state.bounced >= rules.bounce_limit:
            rest(state, 2)
            return False
        steer(setup, state, aside)
        return True
    die = throw(setup, state, by, DiceRow.BOUNCE + 0)
    turn = rules.bounces[die - 1]
    if turn == 0:
        note(state.battle, What.BALL_BOUNCE + 0, by, foe, -1, die, -1, thing)
        if ahead and rules.caught_by_jug:
            hold(state, foe, Hold.BOUNCE + 0)
        else:
            rest(state, 1)
        return False
    before = state.heading
    after = bounced(before, turn)
    square = rules.headings < ALL_HEADINGS and abs(turn) == RIGHT_ANGLE
    if square and rules.right_angle > 0:
        after = right_angle(before, turn, rules.right_angle)
    note(state.battle, What.BALL_BOUNCE + 0, by, foe, -1, die, after, thing)
    if state.bounced >= rules.bounce_limit:
        rest(state, 2)
        return False
    if square and rules.right_angle == 0:
        coin = throw(setup, state, by, DiceRow.SPINE + 0)
        state.heading = right_angle(before, turn, 1 if coin <= rules.spine_at_most else 2)
        state.side = side_of_heading(state.heading)
        note(state.battle, What.SPINE + 0, by, -1, -1, coin, state.side, 0)
    else:
        steer(setup, state, after)
    return True


@kernel
def deflects(setup: Setup, state: State, slot: int) -> int:
    """Return where a deflector turns the ball that hits it: -1 left or 1 right; away from the own goal (J-BALL-14)."""
    own = state.battle.jugs[slot]
    if state.minds[own.side] == Policy.RANDOM:
        return 2 * choose(state.battle, slot, 2) - 1
    left, right = turned(own.facing, -1), turned(own.facing, 1)
    forward = 1 - 2 * own.side
    return 1 if forward * (2 * step_q(right) + step_r(right)) > forward * (2 * step_q(left) + step_r(left)) else -1


@kernel
def wants(state: State, slot: int) -> bool:
    """Tell whether a jug that can catch the ball does: whatever an enemy touched last (J-BALL-25)."""
    own = state.battle.jugs[slot]
    if state.minds[own.side] == Policy.RANDOM:
        return choose(state.battle, slot, 2) == 0
    return state.battle.jugs[state.toucher].side != own.side


@kernel
def caught(setup: Setup, state: State, slot: int) -> bool:
    """Let who faces the ball's hex catch it: enemies of who set it going first, then by number (J-BALL-17)."""
    side = state.battle.jugs[slot].side
    for friends in range(2):
        for other in range(state.battle.count):
            there = state.battle.jugs[other]
            if there.fate or other == slot or int(there.side == side) != friends or not lies_ahead(state, other):
                continue
            if can_catch(setup, state, other) and wants(state, other):
                hold(state, other, Hold.CATCH + 0)
                return True
    return False


@kernel
def hold(state: State, slot: int, how: int) -> None:
    """Let a jug hold the ball."""
    own = state.battle.jugs[slot]
    state.holder = slot
    state.toucher = slot
    state.pace = own.velocity
    state.stirred = True
    if how == Hold.CATCH or how == Hold.BOUNCE:
        state.tally[own.side, CATCHES] += 1
    note(state.battle, What.HOLD_BALL + 0, slot, -1, -1, 0, place(state.q, state.r), how)


@kernel
def goal(setup: Setup, state: State, seat: int) -> None:
    """Count a goal in the goal of a seat (J-BALL-16); the last one ends the match (J-BALL-24)."""
    scorer = 1 - seat
    means = Means.BOUNCE + 0 if state.bounced > 0 else state.means
    own = state.battle.jugs[state.toucher].side == seat
    note(state.battle, What.GOAL + 0, state.toucher, scorer, -1, 0, means, int(own))
    state.goals[scorer] += 1
    state.tally[scorer, means] += 1
    if own:
        state.tally[seat, OWN_GOALS] += 1
    if state.first_goal < 0:
        state.first_goal = scorer
    first = state.battle.order[0]
    if setup.battle.rules.initiative_by_jug:
        first = state.battle.jugs[first].side
    state.by_first += int(first == scorer)
    state.scored = scorer
    lift(state)
    if state.goals[scorer] >= setup.ball.goals_to_win:
        state.battle.over = True
        state.battle.winner = scorer
        state.battle.cause = Cause.GOALS + 0


@kernel
def lift(state: State) -> None:
    """Take the ball off the field."""
    state.alive = False
    state.holder = -1
    state.battle.ball = -1
