"""A turn on the table: legs become tasks, the kernels of courses ride them, and the table says where he then stands.

As in :mod:`simkit.games.pigtickler.ride` the procedures take the draw as an argument: the match hands them the one that
fell, the exact solver one for everything that can fall.
"""

import numpy as np

from simkit.core.jit import kernel, rule
from simkit.core.roll import read
from simkit.games.pigtable.geometry import isqrt, squared
from simkit.games.pigtable.kinds import Gone, Then, Thing, What
from simkit.games.pigtable.legs import blocked, x_at, y_at
from simkit.games.pigtable.pave import pave, pave_runaway
from simkit.games.pigtable.records import Setup, Stage, State
from simkit.games.pigtable.trace import note
from simkit.games.pigtickler.bogs import edge_counts_as_passed
from simkit.games.pigtickler.collision import collision, fumbles, hit_modifier, hits
from simkit.games.pigtickler.hills import level_counts_as_reached, runs_on
from simkit.games.pigtickler.manoeuvre import needed
from simkit.games.pigtickler.obstacles import far_side, may_try_to_cross
from simkit.games.pigtickler.records import Fate, Hit, Kind, Purpose
from simkit.games.pigtickler.ride import advance, manoeuvre_modifier, ride_on


@kernel
def stand(state: State, x: int, y: int) -> None:
    """Ride to a point of the leg and count the way."""
    figure = state.figures[state.seat]
    way = isqrt(squared(x - figure.x, y - figure.y))
    figure.x = x
    figure.y = y
    figure.distance += way
    if state.room > 0:
        note(state, What.RIDES + 0, state.seat, -1, -1, way, x, y)


@kernel
def arrive(state: State) -> None:
    """The end of the leg is reached; what is asked for there comes next."""
    if not state.arrived:
        state.arrived = True
        stand(state, state.end_x, state.end_y)


@rule
def end_turn(state: State) -> None:
    """The turn is over."""
    state.riding = False
    state.ride.rider.riding = False


@kernel
def note_descents(state: State, first: int, levels: int) -> None:
    """Tell of the levels he rode down since a task; `levels` is what he had descended there."""
    rider = state.ride.rider
    for t in range(first, min(rider.task, state.course.length)):
        if state.course.tasks[t].kind == Kind.DOWN:
            levels += 1
            note(state, What.DOWN + 0, state.seat, -1, state.stages[t].piece, 0, levels, 0)


@rule
def contact_collides(state: State) -> bool:
    """After a descent contact with a line that could be crossed may be a collision without a try (P-LIN-4)."""
    rider = state.ride.rider
    line = state.course.tasks[rider.task].kind == Kind.CROSS
    return bool(line and not may_try_to_cross(state.course.rules, rider.descended))


@kernel
def call_for_dice(state: State) -> None:
    """Dice are called for at the present task: at the end of the leg he is there first (P-GAM-8)."""
    rider = state.ride.rider
    stage = state.stages[rider.task]
    if stage.at_end:
        arrive(state)
    if rider.throws_next == Purpose.COLLISION and not stage.sure and contact_collides(state):
        stage.sure = True
        stand(state, x_at(state.leg, stage.index), y_at(state.leg, stage.index))
    if stage.sure and rider.throws_next == Purpose.MANOEUVRE:
        rider.throws_next = Purpose.OTHER + 0 if stage.lancer_rolls else Purpose.COLLISION + 0
    if state.runaway and state.course.tasks[rider.task].kind == Kind.PIG:
        rider.steered = True


@kernel
def go(setup: Setup, state: State) -> None:
    """Ride on until dice are called for or the turn is over."""
    rider = state.ride.rider
    while True:
        first, levels = rider.task, rider.descended
        ride_on(state.course, state.ride)
        if state.room > 0:
            note_descents(state, first, levels)
        if rider.fate == Fate.RIDING:
            call_for_dice(state)
            return
        if not leg_done(setup, state):
            return


@kernel
def leg_done(setup: Setup, state: State) -> bool:
    """Everything on the leg is done: turn over, a new plan, or the next leg; True when he rides on."""
    arrive(state)
    if state.then == Then.DEATH:
        leave(setup, state, state.seat, Gone.KILLED + 0, ended_by(setup, state))
        end_turn(state)
        return False
    if state.then == Then.TURN_OVER or (state.then == Then.PLAN and state.fixed):
        state.ended = state.then == Then.TURN_OVER and state.leg.end == Thing.NOTHING and not state.runaway
        end_turn(state)
        return False
    if state.then == Then.PLAN:
        state.runaway = False
        state.ride.rider.leg = 0
        end_turn(state)  # whoever plays plans and rides on: state.then says so
        return False
    return next_leg(setup, state)


@rule
def ended_by(setup: Setup, state: State) -> int:
    """Return the piece that ended the leg."""
    return setup.shapes[state.leg.end_ref].piece


@kernel
def next_leg(setup: Setup, state: State) -> bool:
    """Begin the next leg of the plan; False when there is none, or none may be ridden any more (P-GAM-11)."""
    figure = state.figures[state.seat]
    state.leg_number += 1
    state.then = Then.TURN_OVER + 0
    if state.leg_number >= state.plan.count:
        end_turn(state)
        return False
    if state.legs >= setup.rulings.max_legs:
        if state.room > 0:
            note(state, What.LIMIT + 0, state.seat, -1, -1, 0, figure.x, figure.y)
        end_turn(state)
        return False
    state.legs += 1
    state.riding = True
    pave(setup, state, figure.x, figure.y, state.leg_number)
    return True


@kernel
def begin_plan(setup: Setup, state: State) -> None:
    """Ride the plan from its first leg."""
    state.leg_number = -1
    if next_leg(setup, state):
        go(setup, state)


@kernel
def steer(setup: Setup, state: State, kind: int) -> None:
    """Somebody else steers him (P-DN-4, P-DN-7, P-GAM-13)."""
    figure = state.figures[state.seat]
    state.runs_on = runs_on(setup.course.rules, kind == Kind.STOP)
    state.runaway = True
    figure.runaways += 1
    if state.room > 0:
        other = -1 if state.runs_on else neighbour(setup, state)
        note(state, What.STEERED + 0, state.seat, other, -1, 0, figure.x, figure.y)
    if pave_runaway(setup, state, figure.x, figure.y):
        go(setup, state)
    else:
        state.then = Then.TURN_OVER + 0
        end_turn(state)


@kernel
def neighbour(setup: Setup, state: State) -> int:
    """Return the next seat still in play, of another side (P-GAM-12), or -1."""
    for k in range(1, setup.seats):
        seat = (state.seat + k) % setup.seats
        figure = state.figures[seat]
        if figure.gone == 0 and not figure.waiting and setup.side[seat] != setup.side[state.seat]:
            return seat
    return -1


@kernel
def leave(setup: Setup, state: State, seat: int, why: int, piece: int) -> None:
    """A lancer leaves the table (P-GAM-14)."""
    figure = state.figures[seat]
    figure.gone = why
    state.left = state.left or seat == state.seat
    if why == Gone.KILLED:
        figure.killed += 1
    elif why == Gone.WRECKED:
        figure.wrecked += 1
    else:
        figure.retired += 1
    if state.room > 0:
        note(state, What.OUT + 0, seat, -1, piece, 0, why, 0)
    if setup.rulings.substitute:
        substitute(setup, state, seat)


@kernel
def put_at_start(setup: Setup, state: State, seat: int) -> None:
    """Put a man at the start of his seat."""
    figure = state.figures[seat]
    start = (seat + state.first_start) % setup.seats
    figure.x = setup.start_x[start]
    figure.y = setup.start_y[start]
    figure.gone = 0
    figure.waiting = False
    figure.lost = 0
    figure.hurt = 0
    figure.broken = 0


@kernel
def substitute(setup: Setup, state: State, seat: int) -> None:
    """Bring a fresh man to his start, if nobody is in the way there; else he waits (P-GAM-14)."""
    figure = state.figures[seat]
    start = (seat + state.first_start) % setup.seats
    figure.waiting = True
    figure.gone = 0
    if not blocked(setup, state, seat, setup.start_x[start], setup.start_y[start]):
        put_at_start(setup, state, seat)
        if state.room > 0:
            note(state, What.FRESH + 0, seat, -1, -1, 0, figure.x, figure.y)


@kernel
def hurt(setup: Setup, state: State, seat: int, wounds: int, damage: int) -> None:
    """A lancer is hurt: a wound costs his next turn, damage stays; enough of either ends his match (P-GAM-14)."""
    figure = state.figures[seat]
    rulings = setup.rulings
    rules = setup.course.rules
    figure.wounds += wounds
    figure.hurt += wounds
    figure.damage += damage
    figure.broken += damage
    if wounds > 0 and rules.wound_costs_turn:
        figure.lost = figure.lost + 1 if rulings.lost_add else 1
    if figure.broken >= rules.wreck_at:
        leave(setup, state, seat, Gone.WRECKED + 0, -1)
    elif 0 < rulings.wounds_to_retire <= figure.hurt:
        leave(setup, state, seat, Gone.RETIRED + 0, -1)


@kernel
def resume(setup: Setup, state: State, bits: np.uint64) -> None:
    """Dice have fallen: ride on until they are called for again or the turn is over."""
    rider = state.ride.rider
    t, levels, purpose = rider.task, rider.descended, rider.throws_next
    wounds, damage = rider.other_wounds, rider.other_damages
    task, stage = state.course.tasks[t], state.stages[t]
    kind = task.kind
    if state.room > 0:
        tell(setup, state, bits)
    if purpose == Purpose.HIT:
        at_the_pig(setup, state, bits)
    advance(state.course, state.ride, bits)
    if state.room > 0:
        note_descents(state, t, levels)
    if purpose == Purpose.OTHER:
        hurt(setup, state, stage.other, rider.other_wounds - wounds, rider.other_damages - damage)
    if rider.fate == Fate.FINISHED:
        if leg_done(setup, state):
            go(setup, state)
    elif rider.fate == Fate.RUNAWAY and not state.runaway:
        steer(setup, state, kind)
    elif rider.fate == Fate.RIDING and rider.riding:
        call_for_dice(state)
    else:
        fail(setup, state, stage, kind, purpose, rider.task > t)


@kernel
def fail(setup: Setup, state: State, stage: Stage, kind: int, purpose: int, past: bool) -> None:
    """The turn has ended at a task: say where he now stands (P-GAM-10). `past`: the task counts as done."""
    rider = state.ride.rider
    rules = setup.course.rules
    index = stage.index
    state.then = Then.TURN_OVER + 0
    if kind == Kind.LEVEL or kind == Kind.ENTER or kind == Kind.LEAVE:
        passed = level_counts_as_reached(rules) if kind == Kind.LEVEL else edge_counts_as_passed(rules)
        if state.runaway and rider.task + 1 - int(past) == state.course.length and kind == Kind.ENTER:
            passed = passed or not ends_in_contact(state)
        index = index if passed or stage.clear > 0 else index - 1
        stand(state, x_at(state.leg, index), y_at(state.leg, index))
    elif kind == Kind.CROSS and not stage.sure:
        index = stage.clear if past else index
        stand(state, x_at(state.leg, index), y_at(state.leg, index))
    elif kind == Kind.RAMP:
        stand(state, x_at(state.leg, index), y_at(state.leg, index))
    elif purpose == Purpose.COLLISION and not stage.sure and changed(state, stage):
        stand(state, stage.x, stage.y)
    if rider.fate == Fate.KILLED:
        leave(setup, state, state.seat, Gone.KILLED + 0, stage.piece)
    end_turn(state)


@rule
def ends_in_contact(state: State) -> bool:
    """Tell whether the leg of a runaway was to go on to the contact."""
    return bool(state.end_x == x_at(state.leg, state.leg.stop) and state.end_y == y_at(state.leg, state.leg.stop))


@rule
def changed(state: State, stage: Stage) -> bool:
    """Tell whether a collision leaves him at another point than where he turned."""
    figure = state.figures[state.seat]
    return bool(figure.x != stage.x or figure.y != stage.y)


@kernel
def at_the_pig(setup: Setup, state: State, bits: np.uint64) -> None:
    """Count an attempt; a hit with the bonus after a descent may be worth more rumps (a house rule, P-GAM-17)."""
    rider = state.ride.rider
    rules = setup.course.rules
    figure = state.figures[state.seat]
    modifier = hit_modifier(rules, rider.descended, rider.leg, rider.steered)
    total = read(setup.course.dice[Purpose.HIT], bits) + modifier
    figure.attempts += 1
    if hits(rules, total):
        figure.rumps += setup.rulings.downhill_rumps if modifier != 0 else 1


@kernel
def tell(setup: Setup, state: State, bits: np.uint64) -> None:
    """Write a throw into the trace."""
    rider = state.ride.rider
    rules = setup.course.rules
    task, stage = state.course.tasks[rider.task], state.stages[rider.task]
    purpose = rider.throws_next
    roll = read(setup.course.dice[purpose], bits)
    if purpose == Purpose.MANOEUVRE:
        modifier = manoeuvre_modifier(state.course, rider, task)
        passed = int(roll >= needed(rules, modifier))
        note(state, What.MANOEUVRE + 0, state.seat, stage.other, stage.piece, roll, modifier, 2 * task.kind + passed)
    elif purpose == Purpose.FENCE:
        note(state, What.FENCE + 0, state.seat, -1, stage.piece, roll, 0, int(far_side(roll)))
    elif purpose == Purpose.OTHER:
        note(state, What.OTHER + 0, state.seat, stage.other, -1, roll, collision(rules, roll), 0)
    elif purpose == Purpose.COLLISION:
        note(state, What.COLLISION + 0, state.seat, stage.other, stage.piece, roll, collision(rules, roll), 0)
    else:
        modifier = hit_modifier(rules, rider.descended, rider.leg, rider.steered)
        total = roll + modifier
        result = Hit.RUMP * int(hits(rules, total)) + Hit.FUMBLE * int(fumbles(rules, total))
        note(state, What.HIT + 0, state.seat, -1, stage.piece, roll, modifier, result)
