"""How a lancer rides his course: what a throw of dice leads to.

The procedures here change the rider in place and read like the step table of the rules. They take
the draw as an argument: the kernel hands them the one that fell, the exact solver one for everything
that can fall, and both therefore play by one and the same text.
"""

import numpy as np

from simkit.core.jit import kernel, rule, step
from simkit.core.roll import read, shows
from simkit.games.pigtickler.bogs import downhill_bog_modifier, downhill_counts, edge_counts_as_passed
from simkit.games.pigtickler.collision import collision, damages, fumbles, goes_on, hit_modifier, hits, wounds, wrecked
from simkit.games.pigtickler.hills import (
    after_descent,
    downhill_modifier,
    failed_stop_counts_as_success,
    level_counts_as_reached,
    rides_to_contact,
    runs_on,
)
from simkit.games.pigtickler.manoeuvre import (
    damage_modifier,
    ends_straight_leg,
    excuses,
    needed,
    stops_freely,
    unmodified,
)
from simkit.games.pigtickler.obstacles import (
    failed_chasm_turn_kills,
    failed_cross_collides,
    far_side,
    may_try_to_cross,
    ramp_takes_downhill,
)
from simkit.games.pigtickler.records import (
    EVENTS,
    Ahead,
    Fate,
    Hit,
    Kind,
    Purpose,
    Rider,
    Setup,
    State,
    Task,
    What,
)


@kernel
def note(state: State, what: int, purpose: int, roll: int, modifier: int, result: int) -> None:
    """Write one event into the trace; a full trace is no error (the teller says so)."""
    if state.noted < EVENTS:
        event = state.events[state.noted]
        rider = state.rider
        event.what = what
        event.turn = rider.turn
        event.task = rider.task
        event.purpose = purpose
        event.roll = roll
        event.modifier = modifier
        event.result = result
        event.descended = rider.descended
        event.leg = rider.leg
        event.steered = rider.steered
        event.damage = rider.damage
        event.fate = rider.fate
    state.noted += 1


@rule
def task_done(rider: Rider) -> None:
    """The task is behind him, and with it the count of its throws (P-CRS-1)."""
    rider.task += 1
    rider.thrown = 0


@rule
def end_turn(rider: Rider) -> None:
    """The turn is over."""
    rider.riding = False


@rule
def end_course(rider: Rider, fate: int) -> None:
    """The course is over; who was steered ran away even if that kills or wrecks him (P-CRS-6, P-CRS-11)."""
    rider.riding = False
    rider.fate = fate


@step
def begin_course(state: State) -> None:
    """A course begins with its first task and nothing behind him (P-CRS-2)."""
    state.rider = state.fresh


@step
def begin_turn(setup: Setup, state: State) -> None:
    """A turn begins: the descent of the last one is forgotten, and he rides until dice are called for.

    A turn lost to a wound is used up (P-CRS-9). A change of direction that failed is done for nothing
    (P-CRS-5), and who has everything behind him has finished (P-CRS-4).
    """
    rider = state.rider
    rider.turn += 1
    rider.descended = 0
    rider.leg = 0
    rider.spent = False
    if rider.lost:
        rider.lost = False
        if state.room > 0:
            note(state, What.LOST_TURN + 0, 0, 0, 0, 0)
        return
    rider.riding = True
    if state.room > 0:
        note(state, What.TURN_BEGINS + 0, 0, 0, 0, 0)
    if rider.excused:
        rider.excused = False
        if excuses(setup.rules):
            if state.room > 0:
                note(state, What.EXCUSED + 0, 0, 0, 0, 0)
            task_done(rider)
    ride_on(setup, state)


@step
def ride_on(setup: Setup, state: State) -> None:
    """Ride until dice must be thrown, the turn ends or the course is over.

    Going down needs no roll (P-DN-1); without a descent he stops as he wishes (P-DN-7); a fence after a
    descent may be a contact without a try (P-LIN-4). A course is finished when every task is done (P-CRS-4).
    """
    rider = state.rider
    while rider.task < setup.length:
        task = setup.tasks[rider.task]
        if task.asks_manoeuvre:
            rider.throws_next = Purpose.MANOEUVRE + 0
            return
        if task.kind == Kind.DOWN:
            rider.descended += task.levels
            rider.leg += task.levels
            if state.room > 0:
                note(state, What.DESCENDS + 0, 0, task.levels, 0, 0)
            task_done(rider)
        elif task.kind == Kind.PIG:
            rider.throws_next = Purpose.HIT + 0
            return
        elif task.kind == Kind.STOP and stops_freely(rider.descended):
            stopped_as_wished(setup, state)
            return
        elif task.kind == Kind.CROSS and not may_try_to_cross(setup.rules, rider.descended):
            rider.throws_next = Purpose.COLLISION + 0
            return
        else:
            rider.throws_next = Purpose.MANOEUVRE + 0
            return
    end_course(rider, Fate.FINISHED + 0)


@kernel
def stopped_as_wished(setup: Setup, state: State) -> None:
    """Stopping ends the turn and is done; as the last task it finishes the course (P-CRS-4)."""
    rider = state.rider
    if state.room > 0:
        note(state, What.STOPS + 0, 0, 0, 0, 0)
    task_done(rider)
    finish_or_end_turn(setup, rider)


@rule
def finish_or_end_turn(setup: Setup, rider: Rider) -> None:
    """A stop or the pig as the last task finishes the course at once (P-CRS-4)."""
    if rider.task == setup.length:
        end_course(rider, Fate.FINISHED + 0)
    else:
        end_turn(rider)


@rule
def manoeuvre_modifier(setup: Setup, rider: Rider, task: Task) -> int:
    """The modifier of the manoeuvre roll he is about to make (P-CRS-3)."""
    rules = setup.rules
    if unmodified(rider.descended, rider.damage):
        return task.modifier
    if rider.steered:
        bog = task.ahead_modifier + downhill_bog_modifier(rules, rider.descended, rider.leg, rider.spent)
        return bog + damage_modifier(rules, rider.damage)
    if task.in_bog:
        bog = task.modifier + downhill_bog_modifier(rules, rider.descended, rider.leg, rider.spent)
        return bog + damage_modifier(rules, rider.damage)
    if task.kind == Kind.RAMP and not ramp_takes_downhill(rules):
        return damage_modifier(rules, rider.damage)
    return downhill_modifier(rules, rider.descended, rider.leg) + damage_modifier(rules, rider.damage)


@step
def advance(setup: Setup, state: State, bits: np.uint64) -> None:
    """Dice have fallen: go on from there until dice are called for again.

    Which dice they were is ``rider.throws_next``.
    """
    purpose = state.rider.throws_next
    if purpose == Purpose.MANOEUVRE:
        after_manoeuvre(setup, state, bits)
    elif purpose == Purpose.FENCE:
        after_fence_die(setup, state, bits)
    elif purpose == Purpose.OTHER:
        after_other_collision(setup, state, bits)
    elif purpose == Purpose.COLLISION:
        after_collision(setup, state, bits)
    else:
        after_hit_roll(setup, state, bits)


@step
def after_manoeuvre(setup: Setup, state: State, bits: np.uint64) -> None:
    """A manoeuvre roll: passed, he rides on; failed, the step table says what comes of it."""
    rider = state.rider
    task = setup.tasks[rider.task]
    modifier = manoeuvre_modifier(setup, rider, task)
    dice = setup.dice[Purpose.MANOEUVRE]
    passed = shows(dice, bits, needed(setup.rules, modifier))
    rider.rolls += 1
    if state.room > 0:
        note(state, What.THROW + 0, Purpose.MANOEUVRE + 0, read(dice, bits), modifier, int(passed))
    if rider.steered:
        end_course(rider, Fate.RUNAWAY + 0)
        return
    if task.in_bog and downhill_counts(rider.descended, rider.spent):
        rider.spent = True
    if passed:
        if task.kind == Kind.STOP:
            stopped_as_wished(setup, state)
            return
        if ends_straight_leg(task):
            rider.leg = 0
        task_done(rider)
        ride_on(setup, state)
    else:
        manoeuvre_failed(setup, state, task)


@kernel
def manoeuvre_failed(setup: Setup, state: State, task: Task) -> None:
    """What a failed manoeuvre roll leads to, step by step (the step table of the courses)."""
    rider = state.rider
    rules = setup.rules
    kind = task.kind
    if kind == Kind.LEVEL:
        end_turn(rider)
        if level_counts_as_reached(rules):
            task_done(rider)
    elif kind == Kind.ENTER or kind == Kind.LEAVE:
        end_turn(rider)
        if edge_counts_as_passed(rules):
            task_done(rider)
    elif kind == Kind.CROSS:
        if failed_cross_collides(rules, rider.descended):
            rider.throws_next = Purpose.COLLISION + 0
        else:
            rider.throws_next = Purpose.FENCE + 0
    elif kind == Kind.RAMP:
        end_course(rider, Fate.KILLED + 0)
    elif kind == Kind.STOP:
        if failed_stop_counts_as_success(rules):
            stopped_as_wished(setup, state)
        else:
            steered_away(setup, state, task)
    elif kind == Kind.BEND or not after_descent(rider.descended):
        end_turn(rider)
        rider.excused = True
    elif kind == Kind.TURN:
        steered_away(setup, state, task)
    elif kind == Kind.CHASM and failed_chasm_turn_kills(rules, rider.descended):
        end_course(rider, Fate.KILLED + 0)
    elif kind == Kind.LANCER:
        rider.throws_next = Purpose.OTHER + 0
    else:
        rider.throws_next = Purpose.COLLISION + 0


@kernel
def steered_away(setup: Setup, state: State, task: Task) -> None:
    """Another player steers him straight on into what lies ahead, and the course is over (P-DN-4, P-CRS-6)."""
    rider = state.rider
    rider.steered = True
    if state.room > 0:
        note(state, What.STEERED + 0, 0, 0, 0, 0)
    ahead = task.ahead
    if not rides_to_contact(setup.rules, ahead, runs_on(setup.rules, task.kind == Kind.STOP)):
        end_course(rider, Fate.RUNAWAY + 0)
    elif ahead == Ahead.CHASM:
        end_course(rider, Fate.KILLED + 0)
    elif ahead == Ahead.BOG:
        rider.throws_next = Purpose.MANOEUVRE + 0
    elif ahead == Ahead.PIG:
        rider.throws_next = Purpose.HIT + 0
    elif ahead == Ahead.LANCER and setup.rules.steered_lancer_rolls:
        rider.throws_next = Purpose.OTHER + 0
    else:
        rider.throws_next = Purpose.COLLISION + 0


@kernel
def after_fence_die(setup: Setup, state: State, bits: np.uint64) -> None:
    """Odd: stopped on the near side, the fence still to cross; even: on the far side (P-LIN-2)."""
    rider = state.rider
    roll = read(setup.dice[Purpose.FENCE], bits)
    over = far_side(roll)
    rider.rolls += 1
    if state.room > 0:
        note(state, What.THROW + 0, Purpose.FENCE + 0, roll, 0, int(over))
    end_turn(rider)
    if over:
        task_done(rider)


@kernel
def after_other_collision(setup: Setup, state: State, bits: np.uint64) -> None:
    """The other lancer rolls too; "Screech" and "Whee" do nothing for him (P-DN-3, P-CRS-7)."""
    rider = state.rider
    roll = read(setup.dice[Purpose.OTHER], bits)
    injury = collision(setup.rules, roll)
    if state.room > 0:
        note(state, What.THROW + 0, Purpose.OTHER + 0, roll, 0, injury)
    rider.other_wounds += wounds(injury)
    rider.other_damages += damages(injury)
    rider.throws_next = Purpose.COLLISION + 0


@kernel
def after_collision(setup: Setup, state: State, bits: np.uint64) -> None:
    """He has hit something: wounds, damage, or a lucky escape (P-COL-1, P-CRS-7)."""
    rider = state.rider
    rules = setup.rules
    roll = read(setup.dice[Purpose.COLLISION], bits)
    injury = collision(rules, roll)
    rider.rolls += 1
    if state.room > 0:
        note(state, What.THROW + 0, Purpose.COLLISION + 0, roll, 0, injury)
    if wounds(injury):
        suffer_wound(setup, rider)
    rider.damage += damages(injury)
    task = setup.tasks[rider.task]
    if wrecked(rules, rider.damage):
        end_course(rider, Fate.WRECKED + 0)
    elif rider.steered:
        end_course(rider, Fate.RUNAWAY + 0)
    elif goes_on(rules, injury):
        if task.kind != Kind.CROSS:
            rider.leg = 0
            task_done(rider)
        ride_on(setup, state)
    else:
        end_turn(rider)
        rider.excused = task.redirects


@rule
def suffer_wound(setup: Setup, rider: Rider) -> None:
    """A wound costs the next turn (P-GAM-3, P-CRS-9)."""
    rider.wounds += 1
    rider.lost = setup.rules.wound_costs_turn


@kernel
def after_hit_roll(setup: Setup, state: State, bits: np.uint64) -> None:
    """At the pig: the bonus is added before the table is read; hit or not, contact ends the turn (P-CRS-8)."""
    rider = state.rider
    modifier = hit_modifier(setup.rules, rider.descended, rider.leg, rider.steered)
    roll = read(setup.dice[Purpose.HIT], bits)
    total = roll + modifier
    hit = hits(setup.rules, total)
    fumble = fumbles(setup.rules, total)
    rider.rolls += 1
    if state.room > 0:
        note(state, What.THROW + 0, Purpose.HIT + 0, roll, modifier, Hit.RUMP * hit + Hit.FUMBLE * fumble)
    rider.rumps += hit
    if fumble:
        suffer_wound(setup, rider)
    if rider.steered:
        end_course(rider, Fate.RUNAWAY + 0)
        return
    task_done(rider)
    finish_or_end_turn(setup, rider)
