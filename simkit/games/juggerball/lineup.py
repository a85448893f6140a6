"""Kick-offs: the set-up, and what follows a goal that is not the last (J-BALL-21, J-BALL-23, J-DEP-1)."""

from simkit.core.jit import kernel
from simkit.games.jugger.aboard import bit, refresh
from simkit.games.jugger.board import occupant, place
from simkit.games.jugger.ending import sweep
from simkit.games.jugger.mustering import assemble, clear, deploy, enlist, muster
from simkit.games.jugger.throw import note
from simkit.games.juggerball.ball import put
from simkit.games.juggerball.happenings import What
from simkit.games.juggerball.kinds import Policy, Replace
from simkit.games.juggerball.records import PURPOSES, SEATS, TALLIES, Setup, State
from simkit.games.juggerball.tally import LOST, REPLACED
from simkit.games.juggerball.teams import legs_among, roll_jug, roll_teams

MORE_THAN_PIECES = 64
"""Weight of a missing hit against lost pieces, which decide only between equals (J-BALL-21)."""


@kernel
def set_up(setup: Setup, state: State, swapped: bool) -> None:
    """Roll the teams, put the jugs and the ball in their places (J-BALL-7, J-BALL-22, J-BALL-23)."""
    war, now = setup.battle, state.battle
    clear(war, now, swapped)
    now.play_on = setup.ball.play_on
    state.holder = -1
    state.scored = -1
    state.conceder = -1
    state.first_goal = -1
    state.by_first = 0
    state.bounces = 0
    state.stuck = 0
    state.altered = 0
    for side in range(2):
        seat = 1 - side if swapped else side
        state.minds[seat] = setup.minds[side]
        now.peaceful[seat] = int(setup.minds[side] == Policy.CHASE)
        state.goals[side] = 0
        for k in range(TALLIES):
            state.tally[side, k] = 0
    state.known_walls = -1
    forget_dice(state)
    roll_teams(setup, state)
    assemble(war, now)
    for slot in range(now.count):
        state.rested[slot] = int(now.jugs[slot].velocity == 0)
        state.kicked[slot] = 0
    if setup.ball.line_up_policy:
        deploy(war, now)
    place_ball(setup, state, 0)


@kernel
def forget_dice(state: State) -> None:
    """Begin to count the dice of a turn."""
    for seat in range(SEATS):
        for purpose in range(PURPOSES):
            state.thrown[seat, purpose] = 0


@kernel
def place_ball(setup: Setup, state: State, why: int) -> None:
    """Put the ball on its start hex, where nobody has touched it."""
    state.alive = True
    state.holder = -1
    state.toucher = -1
    put(state, setup.start_q, setup.start_r)
    state.still = 0
    note(state.battle, What.BALL + 0, -1, -1, -1, 0, place(state.q, state.r), why)


@kernel
def free_stuck(setup: Setup, state: State) -> None:
    """Bring a ball that has lain in one hex for long to the start, as soon as nobody stands there (J-BALL-18)."""
    at_start = state.q == setup.start_q and state.r == setup.start_r
    if state.stirred or state.holder >= 0 or at_start:
        state.still = 0
        return
    state.still += 1
    if state.still >= setup.ball.stuck_turns and occupant(state.battle, setup.start_q, setup.start_r) < 0:
        state.stuck += 1
        place_ball(setup, state, 2)


@kernel
def after_goal(setup: Setup, state: State) -> None:
    """Replace jugs, line up again and put the ball on its start hex (J-BALL-21)."""
    war, now = setup.battle, state.battle
    now.wreck_count = 0
    now.hold_count = 0
    now.rope_count = 0
    for slot in range(now.count):
        fighter = now.jugs[slot]
        fighter.holding = 0
        fighter.roped = 0
        fighter.attached = 0
    for side in range(2):
        if setup.ball.replace == Replace.BOTH or (setup.ball.replace == Replace.CONCEDER and side != state.scored):
            replace(setup, state, side)
    if setup.ball.line_up_policy:
        deploy(war, now)
    arrangement = int(now.swapped)
    for slot in range(now.count):
        fighter = now.jugs[slot]
        if fighter.fate == 0:
            fighter.q = war.places[arrangement, fighter.row, 0]
            fighter.r = war.places[arrangement, fighter.row, 1]
            fighter.facing = war.places[arrangement, fighter.row, 2]
            fighter.velocity = 0
            state.rested[slot] = 1
            note(now, What.LINE_UP + 0, slot, -1, -1, 0, place(fighter.q, fighter.r), 0)
    place_ball(setup, state, 1)
    state.conceder = 1 - state.scored


@kernel
def replace(setup: Setup, state: State, side: int) -> None:
    """Replace a jug of a side by a fresh one: the first destroyed one, else the most damaged one (J-BALL-21)."""
    war, now = setup.battle, state.battle
    chosen, worst = -1, 0
    first = side * now.counts[0]
    for slot in range(first, first + now.counts[side]):
        fighter = now.jugs[slot]
        jug = war.jugs[fighter.row]
        if fighter.fate != 0:
            chosen = slot
            break
        lost = 0
        for k in range(jug.piece_count):
            lost += int(bit(fighter.lost, k))
        damage = (jug.hits - fighter.hits) * MORE_THAN_PIECES + lost
        if fighter.side == side and damage > worst:
            chosen, worst = slot, damage
    if chosen < 0:
        return
    fighter = now.jugs[chosen]
    state.tally[side, LOST] += int(fighter.fate != 0)
    state.tally[side, REPLACED] += 1
    note(now, What.REPLACE + 0, chosen, -1, -1, 0, 0, 0)
    row, seat = fighter.row, fighter.seat
    for k in range(now.fire_count):
        if now.fires[k].victim == chosen:
            now.fires[k].left = 0
    sweep(now)
    if setup.ball.fresh_rolled:
        if not bit(state.altered, row):
            state.altered |= 1 << row
            state.spare[row] = war.jugs[row]
        team = 0 if row < war.count_a else war.count_a
        others = legs_among(setup, team, team + war.count_a) - int(war.jugs[row].legged)
        roll_jug(setup, state, row, chosen, seat, others)
    captain = fighter.captain
    enlist(war, now, chosen, row, side, seat)
    fighter.captain |= captain  # a copy of the jug with its captain, whoever was drawn
    refresh(war, now, chosen)
    if war.jugs[row].wizard > 0:
        muster(war, now, chosen)


@kernel
def restore(setup: Setup, state: State) -> None:
    """Give back the jugs that were rolled anew during a match."""
    if state.altered:
        for row in range(setup.battle.count_a + setup.battle.count_b):
            if bit(state.altered, row):
                setup.battle.jugs[row] = state.spare[row]  # type: ignore[index]
        state.altered = 0
