"""What a route is worth: chances as whole numbers of one scale, factor by factor (P-GAM-20, P-GAM-22).

The tasks of the route are ridden by the kernels of courses with dice that always show their best, so that what modifies
a roll is told by the same text as in play.
"""

import numpy as np

from simkit.core.jit import kernel, rule
from simkit.games.pigtable.kinds import Then, Thing
from simkit.games.pigtable.pave import pave, pave_runaway
from simkit.games.pigtable.records import Chances, Setup, State
from simkit.games.pigtickler.collision import collision, fumbles, goes_on, hit_modifier, hits, wounds
from simkit.games.pigtickler.hills import after_descent, failed_stop_counts_as_success, runs_on
from simkit.games.pigtickler.manoeuvre import needed
from simkit.games.pigtickler.obstacles import failed_chasm_turn_kills, failed_cross_collides
from simkit.games.pigtickler.records import Fate, Kind, Purpose
from simkit.games.pigtickler.ride import advance, manoeuvre_modifier, ride_on

CERTAIN = 36**6
"""Scale of a route's chance: certainty (P-GAM-20)."""

BEST = np.uint64(2**64 - 1)
"""A draw for which every die shows its highest face."""

FACTORS = 128
"""Most factors that are kept for exact fractions."""


@kernel
def count_odds(setup: Setup, state: State) -> None:
    """Count the ways in which collisions and rolls at the pig come out, by the rules themselves."""
    rules, odds = setup.course.rules, state.odds
    odds.goes_on = 0
    odds.wounded = 0
    for k in range(setup.collision.count):
        injury = collision(rules, setup.collision.lowest + k)
        odds.goes_on += setup.collision.exactly[k] * goes_on(rules, injury)
        odds.wounded += setup.collision.exactly[k] * wounds(injury)
    for bonus in range(2):
        odds.hit[bonus] = 0
        odds.fumble[bonus] = 0
        for k in range(setup.hit.count):
            total = setup.hit.lowest + k + bonus * rules.downhill_hit_bonus
            odds.hit[bonus] += setup.hit.exactly[k] * hits(rules, total)
            odds.fumble[bonus] += setup.hit.exactly[k] * fumbles(rules, total)


@rule
def ways(chances: Chances, least: int) -> int:
    """Return in how many ways dice show so much or more."""
    k = least - chances.lowest
    if k <= 0:
        return chances.scale
    return chances.at_least[k] if k < chances.count else 0


@rule
def factor(state: State, numerator: int, denominator: int) -> None:
    """Go on with a chance (P-GAM-22)."""
    state.chance = state.chance * numerator // denominator
    if state.factors < FACTORS:
        state.numerators[state.factors] = numerator
        state.denominators[state.factors] = denominator
    state.factors += 1


@kernel
def pass_task(state: State) -> None:
    """Ride past the present task as if all went well."""
    rider = state.ride.rider
    t = rider.task
    advance(state.course, state.ride, BEST)
    while rider.task == t and rider.riding and rider.throws_next != Purpose.MANOEUVRE:
        advance(state.course, state.ride, BEST)


@kernel
def judge_hit(setup: Setup, state: State, steered: bool) -> None:
    """Judge contact with the pig; what a neighbour does there is no merit of the route."""
    rider, odds = state.ride.rider, state.odds
    bonus = int(hit_modifier(setup.course.rules, rider.descended, rider.leg, steered) != 0)
    state.wounded += state.chance * odds.fumble[bonus] // setup.hit.scale
    if steered:
        state.stray += state.chance * odds.hit[bonus] // setup.hit.scale
        state.chance = 0
    else:
        factor(state, odds.hit[bonus], setup.hit.scale)
        state.rump = state.chance


@kernel
def judge_ray(setup: Setup, state: State, x: int, y: int, harm: bool) -> None:
    """Judge what comes of a lancer who is steered, from a point (P-GAM-13)."""
    rider, odds = state.ride.rider, state.odds
    if not harm or state.chance == 0 or not pave_runaway(setup, state, x, y):
        return
    scale = setup.manoeuvre.scale
    ride_on(state.course, state.ride)
    while rider.fate == Fate.RIDING and state.chance > 0:
        task = state.course.tasks[rider.task]
        if state.stages[rider.task].sure:
            state.wounded += state.chance * odds.wounded // setup.collision.scale
            return
        if task.kind == Kind.PIG:
            judge_hit(setup, state, True)
            return
        good = ways(setup.manoeuvre, needed(setup.course.rules, manoeuvre_modifier(state.course, rider, task)))
        if task.kind == Kind.RAMP:
            state.dead += state.chance * (scale - good) // scale
        state.chance = state.chance * good // scale
        if good == 0:
            return
        pass_task(state)
    if state.then == Then.DEATH:
        state.dead += state.chance


@kernel
def judge_runaway(setup: Setup, state: State, kind: int, good: int, harm: bool) -> None:
    """Judge a turn or stop after a descent: failing it hands him over to another player."""
    rider = state.ride.rider
    scale = setup.manoeuvre.scale
    chance, then, x, y = state.chance, state.then, state.end_x, state.end_y
    state.after = rider
    state.runs_on = runs_on(setup.course.rules, kind == Kind.STOP)
    state.chance = chance * (scale - good) // scale
    judge_ray(setup, state, x, y, harm)
    state.ride.rider = state.after
    state.then = then
    state.end_x = x
    state.end_y = y
    state.chance = chance
    state.course.tasks[0] = setup.course.tasks[kind]  # type: ignore[index]
    state.course.length = 1
    rider.task = 0


@kernel
def judge_manoeuvre(setup: Setup, state: State, harm: bool) -> None:
    """Judge one manoeuvre roll and ride on as if it had been passed."""
    rider, rules, odds = state.ride.rider, setup.course.rules, state.odds
    task = state.course.tasks[rider.task]
    kind = task.kind
    scale, crash = setup.manoeuvre.scale, setup.collision.scale
    good = ways(setup.manoeuvre, needed(rules, manoeuvre_modifier(state.course, rider, task)))
    bad = scale - good
    numerator, denominator = good, scale
    redirects = task.redirects or kind == Kind.STOP  # read now: a runaway that is judged makes other tasks
    downhill = after_descent(rider.descended)
    if kind == Kind.RAMP or (kind == Kind.CHASM and failed_chasm_turn_kills(rules, rider.descended)):
        state.ramps = state.ramps or kind == Kind.RAMP
        state.dead += state.chance * bad // scale
    elif kind == Kind.CROSS:
        if failed_cross_collides(rules, rider.descended):
            numerator, denominator = good * crash, scale * crash - bad * odds.goes_on
            state.wounded += state.chance * (bad * odds.wounded) // denominator
    elif kind == Kind.STOP and failed_stop_counts_as_success(rules):
        numerator = scale
    elif downhill and (kind == Kind.TURN or kind == Kind.STOP):
        judge_runaway(setup, state, kind, good, harm)
    elif downhill and kind >= Kind.OBSTACLE and kind <= Kind.CHASM:
        numerator, denominator = good * crash + bad * odds.goes_on, scale * crash
        state.wounded += state.chance * (bad * odds.wounded) // denominator
    state.asks_downhill = state.asks_downhill or (redirects and downhill)
    factor(state, numerator, denominator)
    if numerator > 0:
        pass_task(state)


@kernel
def judge_leg(setup: Setup, state: State, harm: bool) -> None:
    """Judge everything on a leg that is paved."""
    rider, odds = state.ride.rider, state.odds
    crash = setup.collision.scale
    ride_on(state.course, state.ride)
    while rider.fate == Fate.RIDING and state.chance > 0:
        if state.stages[rider.task].sure:
            state.wounded += state.chance * odds.wounded // crash
            state.chance = 0
        elif rider.throws_next == Purpose.HIT:
            judge_hit(setup, state, False)
            return
        elif rider.throws_next == Purpose.COLLISION:
            state.wounded += state.chance * odds.wounded // max(crash - odds.goes_on, 1)
            state.chance = 0
        else:
            judge_manoeuvre(setup, state, harm)
    if state.then == Then.DEATH:
        state.dead += state.chance
        state.chance = 0


@kernel
def judge(setup: Setup, state: State, harm: bool, enough: int) -> None:
    """Judge ``state.plan`` from where he stands; given up when its chance to ride falls to `enough` or less.

    ``state.rump``, ``wounded`` and ``dead`` are its chances in the scale ``CERTAIN``; ``state.chance`` is the chance
    that he comes to its end, ``state.reached`` that it ends where it was meant to, not at something in the way.
    """
    rider = state.ride.rider
    figure = state.figures[state.seat]
    x, y = figure.x, figure.y
    state.kept = rider
    state.judging = True
    state.chance = CERTAIN
    state.rump = 0
    state.stray = 0
    state.wounded = 0
    state.dead = 0
    state.factors = 0
    state.ramps = False
    state.asks_downhill = False
    state.reached = False
    for number in range(state.plan.count):
        pave(setup, state, x, y, number)
        free = state.leg.end == Thing.NOTHING
        judge_leg(setup, state, harm)
        x, y = state.end_x, state.end_y
        if state.then != Then.NEXT_LEG or state.chance <= enough:
            state.reached = free and state.then == Then.TURN_OVER and state.chance > 0
            break
    state.judging = False
    state.downhill = rider.descended
    state.ride.rider = state.kept
