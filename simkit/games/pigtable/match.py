"""A match: rounds, turns, the pig that moves after each, and how it ends (P-GAM-15 to P-GAM-18)."""

import numpy as np

from simkit.core.jit import kernel, rule
from simkit.core.rng import draw
from simkit.core.roll import read
from simkit.games.pigtable.geometry import nearest
from simkit.games.pigtable.judge import count_odds
from simkit.games.pigtable.kinds import Aim, Cause, Crossing, Initiative, Policy, Purpose, Then, Thing, What
from simkit.games.pigtable.legs import lay, x_at, y_at
from simkit.games.pigtable.policy import plan_straight
from simkit.games.pigtable.records import PURPOSES, Setup, State
from simkit.games.pigtable.router import plan_cautious, plan_router
from simkit.games.pigtable.trace import note
from simkit.games.pigtable.turn import begin_plan, hurt, put_at_start, resume, substitute
from simkit.games.pigtickler.collision import collision, damages, wounds
from simkit.games.pigtickler.records import Purpose as CoursePurpose

UNITS = 64
"""Units of an inch (P-TAB-1)."""

DIAGONAL = 46341
WHOLE = 65536
"""A diagonal way is so many parts of a straight one in each direction (P-GAM-16)."""

NORTH = (0, 1, 1, 1, 0, -1, -1, -1)
EAST = (1, 1, 0, -1, -1, -1, 0, 1)
"""The pig's directions, anticlockwise from the east (P-GAM-16)."""

ALONE = 1
S32 = np.uint64(32)


@rule
def throw(state: State, stream: np.uint64, tweak: np.uint64, purpose: int) -> np.uint64:
    """Draw for dice by address: the turn, whose it is, what for, and how many before (P-GAM-18)."""
    bits = draw(stream, tweak, state.turn, state.seat, purpose, state.thrown[purpose])
    state.thrown[purpose] += 1
    return bits


@kernel
def set_up(setup: Setup, state: State, first_start: int) -> None:
    """Put everybody at his start; seat 0 has that of number `first_start` (P-GAM-18)."""
    state.course = setup.course
    count_odds(setup, state)
    state.noted = 0
    state.first_start = first_start
    state.turn = 0
    state.round = 0
    state.over = False
    state.winner = 0
    state.cause = 0
    state.first_seat = 0
    state.fixed = False
    state.ride.room = 0
    state.pig_x = setup.pig_x
    state.pig_y = setup.pig_y
    if state.room > 0:
        note(state, What.START + 0, -1, -1, -1, 0, state.pig_x, state.pig_y)
    for seat in range(setup.seats):
        state.figures[seat] = state.blank
        put_at_start(setup, state, seat)
        state.order[seat] = seat
        if state.room > 0:
            note(state, What.START + 0, seat, -1, -1, 0, state.figures[seat].x, state.figures[seat].y)


@kernel
def set_order(setup: Setup, state: State, stream: np.uint64, tweak: np.uint64) -> None:
    """Begin a round: who moves when (P-GAM-15)."""
    seats = setup.seats
    for k in range(seats):
        rotated = setup.rulings.initiative == Initiative.ROTATE
        state.order[k] = (state.round - 1 + k) % seats if rotated else k
    if setup.rulings.initiative == Initiative.CARDS:
        for k in range(seats - 1, 0, -1):
            bits = draw(stream, tweak, state.turn + 1, 0, Purpose.ORDER + 0, seats - 1 - k)
            j = int(((bits >> S32) * np.uint64(k + 1)) >> S32)
            other = state.order[j]
            state.order[j] = state.order[k]
            state.order[k] = other
    if state.round == 1:
        state.first_seat = state.order[0]
    if state.room > 0:
        digits = 0
        for k in range(seats):
            digits = 10 * digits + state.order[k] + 1
        state.turn += 1
        note(state, What.ROUND + 0, -1, -1, -1, 0, state.round, digits)
        state.turn -= 1


@kernel
def begin_turn(setup: Setup, state: State, seat: int) -> None:
    """Forget what lives for one turn (P-CRS-2)."""
    state.seat = seat
    state.legs = 0
    state.runaway = False
    state.runs_on = False
    state.riding = False
    state.then = Then.TURN_OVER + 0
    state.ended = False
    state.left = False
    for purpose in range(PURPOSES):
        state.thrown[purpose] = 0
    rider = state.ride.rider
    rider.descended = 0
    rider.leg = 0
    rider.spent = False
    rider.excused = False
    rider.lost = False
    rider.steered = False
    rider.throws_next = 0
    rider.damage = state.figures[seat].broken
    rider.wounds = 0
    rider.rumps = 0
    rider.other_wounds = 0
    rider.other_damages = 0
    rider.rolls = 0


@kernel
def think(setup: Setup, state: State) -> None:
    """Plan a route (P-GAM-19 to P-GAM-21)."""
    mind = setup.minds[state.seat]
    if mind == Policy.STRAIGHT:
        plan_straight(setup, state)
    elif mind == Policy.ROUTER:
        plan_router(setup, state)
    else:
        plan_cautious(setup, state)
    plan = state.plan
    if plan.count == 0:
        plan.aim = Aim.STAY + 0
    if state.room > 0:
        note_plan(state)


@kernel
def note_plan(state: State) -> None:
    """Tell of the route that is planned."""
    plan = state.plan
    note(state, What.PLAN + 0, state.seat, -1, -1, 0, plan.count, plan.aim)
    for k in range(plan.count):
        note(state, What.VIA + 0, state.seat, -1, -1, k + 1, plan.x[k], plan.y[k])


@kernel
def ride(setup: Setup, state: State, stream: np.uint64, tweak: np.uint64) -> None:
    """Plan, ride, and plan anew where a lucky escape lets him (P-GAM-11)."""
    state.then = Then.PLAN + 0
    while state.then == Then.PLAN:
        think(setup, state)
        state.runaway = False
        begin_plan(setup, state)
        while state.riding:
            resume(setup, state, throw(state, stream, tweak, state.ride.rider.throws_next))
    rider, figure = state.ride.rider, state.figures[state.seat]
    if not state.left:
        hurt(setup, state, state.seat, rider.wounds, rider.damage - figure.broken)


@kernel
def take_turn(setup: Setup, state: State, stream: np.uint64, tweak: np.uint64, seat: int) -> None:
    """One seat's turn: lost, or ridden; a fresh man comes to the table if his start is free (P-GAM-14)."""
    begin_turn(setup, state, seat)
    figure = state.figures[seat]
    if figure.waiting:
        substitute(setup, state, seat)
        if figure.waiting:
            if state.room > 0:
                note(state, What.WAITS + 0, seat, -1, -1, 0, 0, 0)
            return
    if figure.lost > 0:
        figure.lost -= 1
        figure.lost_turns += 1
        if state.room > 0:
            note(state, What.LOST + 0, seat, -1, -1, 0, figure.lost, 0)
        return
    if state.room > 0:
        note(state, What.TURN + 0, seat, -1, -1, 0, figure.x, figure.y)
    ride(setup, state, stream, tweak)


@kernel
def rumps_of(setup: Setup, state: State, side: int) -> int:
    """Return the rumps of a side (P-GAM-17)."""
    rumps = 0
    for seat in range(setup.seats):
        if setup.side[seat] == side:
            rumps += state.figures[seat].rumps
    return rumps


@rule
def finish(state: State, winner: int, cause: int) -> None:
    """The match is over."""
    state.over = True
    state.winner = winner
    state.cause = cause


@kernel
def most_rumps(setup: Setup, state: State) -> int:
    """Return the side with the most rumps, from 1; 0 where two have as many (P-GAM-17)."""
    best, winner = -1, 0
    for side in range(setup.sides):
        rumps = rumps_of(setup, state, side)
        if rumps > best:
            best, winner = rumps, side + 1
        elif rumps == best:
            winner = 0
    return winner


@kernel
def look_for_end(setup: Setup, state: State) -> None:
    """Tell whether the match is over (P-GAM-17)."""
    side = setup.side[state.seat]
    if rumps_of(setup, state, side) >= setup.rulings.rumps_to_win:
        finish(state, side + 1, Cause.RUMPS + 0)
        return
    last, sides = 0, 0
    for other in range(setup.sides):
        alive = False
        for seat in range(setup.seats):
            alive = alive or (setup.side[seat] == other and state.figures[seat].gone == 0)
        if alive:
            last = other + 1
            sides += 1
    if sides == 0:
        finish(state, most_rumps(setup, state), Cause.NOBODY + 0)
    elif sides == ALONE and setup.sides > ALONE and setup.rulings.last_side_wins:
        finish(state, last, Cause.LAST_SIDE + 0)


@kernel
def move_pig(setup: Setup, state: State, stream: np.uint64, tweak: np.uint64) -> None:
    """The pig moves after every turn: a direction and a distance by dice (P-GAM-16)."""
    way = read(setup.direction, throw(state, stream, tweak, Purpose.PIG_DIRECTION + 0)) - 1
    inches = read(setup.inches, throw(state, stream, tweak, Purpose.PIG_DISTANCE + 0))
    units = UNITS * max(inches, 0)
    if NORTH[way] != 0 and EAST[way] != 0:
        units = nearest(units * DIAGONAL, WHOLE)
    leg = state.leg
    met, other, piece = False, -1, -1
    if units > 0:
        x, y = state.pig_x, state.pig_y
        crossing = Crossing.ALL + 0 if setup.rulings.pig_crosses else Crossing.SEEN + 0
        lay(setup, state, leg, -1, x, y, x + units * EAST[way], y + units * NORTH[way], False, crossing)
        state.pig_x = x_at(leg, leg.stop)
        state.pig_y = y_at(leg, leg.stop)
        met = leg.end == Thing.LANCER
        if met:
            other = leg.end_ref
            state.figures[other].pig_contacts += 1
        elif leg.end == Thing.EDGE:
            piece = -2
        elif leg.end != Thing.NOTHING:
            piece = setup.shapes[leg.end_ref].piece
    if state.room > 0:
        note(state, What.PIG + 0, state.seat, other, piece, 100 * way + inches, state.pig_x, state.pig_y)
    if met and setup.rulings.pig_tramples:
        roll = read(setup.course.dice[CoursePurpose.OTHER], throw(state, stream, tweak, CoursePurpose.OTHER + 0))
        injury = collision(setup.course.rules, roll)
        if state.room > 0:
            note(state, What.TRAMPLED + 0, other, -1, -1, roll, injury, 0)
        hurt(setup, state, other, int(wounds(injury)), int(damages(injury)))


@kernel
def after_turn(setup: Setup, state: State, stream: np.uint64, tweak: np.uint64) -> None:
    """What follows a turn: the end of the match, or the pig's move (P-GAM-15, P-GAM-17)."""
    look_for_end(setup, state)
    if not state.over:
        move_pig(setup, state, stream, tweak)
        look_for_end(setup, state)


@kernel
def play_game(setup: Setup, state: State, stream: np.uint64, tweak: np.uint64, first_start: int) -> None:
    """Play one match to its end."""
    set_up(setup, state, first_start)
    while not state.over and state.round < setup.rulings.max_rounds:
        state.round += 1
        set_order(setup, state, stream, tweak)
        for k in range(setup.seats):
            seat = state.order[k]
            if not state.over and state.figures[seat].gone == 0:
                state.turn += 1
                take_turn(setup, state, stream, tweak, seat)
                after_turn(setup, state, stream, tweak)
    if not state.over:
        finish(state, most_rumps(setup, state), Cause.ROUNDS + 0)
    if state.room > 0:
        note(state, What.OVER + 0, -1, -1, -1, state.round, state.winner, state.cause)
