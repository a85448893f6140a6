"""A match from its kick-off to its end: turns of a battle with a ball (J-BALL-21 to 24)."""

from simkit.core.hexgrid import distance
from simkit.core.jit import kernel
from simkit.games.jugger.aboard import part
from simkit.games.jugger.battle import acts, begin_turn, open_segment, roll_initiative
from simkit.games.jugger.board import is_free, place
from simkit.games.jugger.ending import end_phase
from simkit.games.jugger.happenings import What
from simkit.games.jugger.move import drags
from simkit.games.jugger.settle import first_side
from simkit.games.jugger.throw import choose, note
from simkit.games.juggerball.happenings import Cause
from simkit.games.juggerball.happenings import What as BallWhat
from simkit.games.juggerball.kinds import JugOrder, Policy
from simkit.games.juggerball.lineup import after_goal, forget_dice, free_stuck, restore, set_up
from simkit.games.juggerball.move import move
from simkit.games.juggerball.records import Setup, State
from simkit.games.juggerball.tally import HOLDS_TURNS, STOPPED_FORCED, count
from simkit.games.juggerball.touch import look
from simkit.games.juggerball.zone import is_near_goal


@kernel
def play_match(setup: Setup, state: State, swapped: bool) -> None:
    """Play one match to its end, or to the turn cap (J-BALL-24)."""
    war, now = setup.battle, state.battle
    set_up(setup, state, swapped)
    while not now.over and now.turn < war.victory.max_turns:
        begin_turn(war, now)
        begin(state)
        decide_order(setup, state)
        for k in range(now.segments):
            if not now.over and goes_on(setup, state):
                segment(setup, state, now.order[k])
        if not now.over:
            end_turn(setup, state)
    finish(setup, state)
    count(setup, state)
    restore(setup, state)


@kernel
def begin(state: State) -> None:
    """Begin a turn with the ball as it is."""
    state.scored = -1
    state.stirred = state.holder >= 0
    for slot in range(state.battle.count):
        state.kicked[slot] = 0
    forget_dice(state)


@kernel
def goes_on(setup: Setup, state: State) -> bool:
    """Tell whether jugs go on moving this turn: after a goal only where the rules let them (J-BALL-21)."""
    return state.scored < 0 or setup.ball.finish


@kernel
def decide_order(setup: Setup, state: State) -> None:
    """Decide who moves first: by dice, or the rules say who kicks off (J-INI-1, J-BALL-23)."""
    war, now = setup.battle, state.battle
    first = -1
    if now.turn == 1 and setup.ball.first_initiative >= 0:
        first = setup.ball.first_initiative
        if now.swapped:
            first = 1 - first
    elif state.conceder >= 0 and setup.ball.kick_off_conceder:
        first = state.conceder
    state.conceder = -1
    if first < 0:
        roll_initiative(war, now)
        return
    now.segments = 2
    now.order[0] = first
    now.order[1] = 1 - first
    if war.rules.initiative_by_jug:
        now.segments = 0
        for k in range(2):
            for slot in range(now.count):
                if now.jugs[slot].fate == 0 and now.jugs[slot].side == (first if k == 0 else 1 - first):
                    now.order[now.segments] = slot
                    now.segments += 1
    if now.turn == 1:
        now.first = first_side(war, now)


@kernel
def segment(setup: Setup, state: State, who: int) -> None:
    """Play the segment of a side, or of one jug: as in a battle, nearest to the ball first (J-BALL-23)."""
    war, now = setup.battle, state.battle
    side, only = who, -1
    if war.rules.initiative_by_jug:
        side, only = now.jugs[who].side, who
        if now.jugs[who].fate:
            return
    open_segment(war, now, side, only)
    look(setup, state, False)
    while not now.over and goes_on(setup, state):
        slot = next_jug(setup, state, side, only)
        if slot < 0:
            return
        now.jugs[slot].ordered = False
        move(setup, state, slot)


@kernel
def next_jug(setup: Setup, state: State, side: int, only: int) -> int:
    """Return who moves next of those who have not moved yet and can, or -1 (J-BALL-23)."""
    now = state.battle
    chosen, least, waiting = -1, 0, 0
    for slot in range(now.count):
        if not is_waiting(setup, state, slot, side, only):
            continue
        waiting += 1
        own = now.jugs[slot]
        away = 0
        if state.alive and setup.ball.jug_order != JugOrder.NUMBER:
            away = distance(own.q - state.q, own.r - state.r)
        if chosen < 0 or away < least:
            chosen, least = slot, away
    if waiting > 1 and setup.ball.jug_order == JugOrder.POLICY and state.minds[side] == Policy.RANDOM:
        left, asked = -1, False
        for slot in range(now.count):
            if is_waiting(setup, state, slot, side, only):
                if not asked:
                    left = choose(now, slot, waiting)
                    asked = True
                if left == 0:
                    return slot
                left -= 1
    return chosen


@kernel
def is_waiting(setup: Setup, state: State, slot: int, side: int, only: int) -> bool:
    """Tell whether a jug is still to move in this segment, and can."""
    now = state.battle
    return now.jugs[slot].ordered and acts(now, slot, side, only) and drags(setup.battle, now, slot) != -2


@kernel
def end_turn(setup: Setup, state: State) -> None:
    """Play the end phase, see to the ball, and line up again after a goal (J-END-1, J-BALL-18, 19, 21)."""
    war, now = setup.battle, state.battle
    end_phase(war, now)
    if now.over:
        return
    look(setup, state, False)
    if state.alive:
        free_stuck(setup, state)
    for slot in range(now.count):
        fighter = now.jugs[slot]
        stopped = fighter.velocity == 0 and is_near_goal(setup, state, fighter.side, fighter.q, fighter.r)
        if fighter.fate == 0 and stopped:
            state.tally[fighter.side, STOPPED_FORCED] += 1
            if setup.ball.removed:
                remove(setup, state, slot)
    look(setup, state, False)
    if state.holder >= 0:
        state.tally[now.jugs[state.holder].side, HOLDS_TURNS] += 1
    for slot in range(now.count):
        state.rested[slot] = int(now.jugs[slot].velocity == 0)
    if state.scored >= 0:
        after_goal(setup, state)


@kernel
def remove(setup: Setup, state: State, slot: int) -> None:
    """Put a jug that was stopped near its own goal back to its place, if nobody is there (J-BALL-19)."""
    war, now = setup.battle, state.battle
    fighter = now.jugs[slot]
    q, r = war.places[int(now.swapped), fighter.row, 0], war.places[int(now.swapped), fighter.row, 1]
    if is_free(war, now, q, r):
        fighter.q = q
        fighter.r = r
        fighter.facing = war.places[int(now.swapped), fighter.row, 2]
        note(now, BallWhat.REMOVED + 0, slot, -1, -1, 0, place(q, r), 0)
        part(war, now)


@kernel
def finish(setup: Setup, state: State) -> None:
    """Say how the match has ended: by goals, without jugs, or at the cap (J-BALL-24)."""
    now = state.battle
    if not now.over:
        now.over = True
        now.winner = -1
        now.cause = Cause.CAP + 0
        if setup.ball.more_goals and state.goals[0] != state.goals[1]:
            now.winner = int(state.goals[1] > state.goals[0])
    elif max(state.goals[0], state.goals[1]) >= setup.ball.goals_to_win:
        now.cause = Cause.GOALS + 0
    else:
        now.cause = Cause.NO_JUGS + 0
    note(now, What.OVER + 0, -1, now.winner, -1, 0, now.cause, 0)
