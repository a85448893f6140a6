"""Who decides: ``router`` and ``cautious``, who weigh routes (P-GAM-20, P-GAM-21)."""

from simkit.core.jit import kernel, rule
from simkit.games.pigtable.geometry import nearest, squared
from simkit.games.pigtable.judge import CERTAIN, judge, ways
from simkit.games.pigtable.kinds import Aim
from simkit.games.pigtable.legs import blocked, figure_at, height_at, x_at, y_at
from simkit.games.pigtable.policy import add_point, aim_at_pig, look, stay, stop_at
from simkit.games.pigtable.records import CANDIDATES, Plan, Setup, State
from simkit.games.pigtickler.manoeuvre import damage_modifier, needed, stops_freely

COSINES = (65536, 60547, 46341, 25080, 0)
"""Of 0 to 4 sixteenths of a turn, in 1/65536."""

WHOLE = 65536
RINGS = (192, 448)
"""Around the pig, 3 and 7 inches."""

AROUND = 16
DEATH_COUNTS = 4
"""So many wounds is a death worth (P-GAM-20)."""

HUNDRED = 100
EXACT = 36
"""Ways of dice for which the scale of chances has no rounding within six rolls."""

QUARTER = 4
"""Below one part of so many the cautious do not ride (P-GAM-21)."""


@rule
def cosine(k: int) -> int:
    """Return the cosine of `k` sixteenths of a turn, in 1/65536."""
    k = k % AROUND
    if k > AROUND // 2:
        k = AROUND - k
    return COSINES[k] if k <= AROUND // 4 else -COSINES[AROUND // 2 - k]


@kernel
def add_option(setup: Setup, state: State, x: int, y: int, known: bool) -> None:
    """Add a point that a route may turn at, unless he stands there or cannot."""
    figure = state.figures[state.seat]
    if (x == figure.x and y == figure.y) or state.candidates >= CANDIDATES:
        return
    if figure_at(setup, state, state.seat, x, y) if known else blocked(setup, state, state.seat, x, y):
        return
    state.option_x[state.candidates] = x
    state.option_y[state.candidates] = y
    state.candidates += 1


@kernel
def list_options(setup: Setup, state: State) -> None:
    """List the points that a router looks at (P-GAM-20)."""
    state.candidates = 0
    for k in range(setup.options):
        add_option(setup, state, setup.option_x[k], setup.option_y[k], True)
    grown = 2 * setup.rulings.base_lancer + 1
    for seat in range(setup.seats):
        figure = state.figures[seat]
        if seat != state.seat and figure.gone == 0 and not figure.waiting:
            add_option(setup, state, figure.x - grown, figure.y - grown, False)
            add_option(setup, state, figure.x + grown, figure.y - grown, False)
            add_option(setup, state, figure.x + grown, figure.y + grown, False)
            add_option(setup, state, figure.x - grown, figure.y + grown, False)
    for ring in range(len(RINGS)):
        for k in range(AROUND):
            x = state.pig_x + nearest(RINGS[ring] * cosine(k), WHOLE)
            y = state.pig_y + nearest(RINGS[ring] * cosine(k + 3 * AROUND // 4), WHOLE)
            add_option(setup, state, x, y, False)


@kernel
def copy_plan(source: Plan, target: Plan) -> None:
    """Copy a route."""
    target.aim = source.aim
    target.count = source.count
    for k in range(source.count):
        target.x[k] = source.x[k]
        target.y[k] = source.y[k]


@rule
def score(state: State, harm: int) -> int:
    """Weigh a route that was judged (P-GAM-20)."""
    return HUNDRED * state.rump - harm * (state.wounded + DEATH_COUNTS * state.dead)


@kernel
def nothing_beats(setup: Setup, state: State, direct: int, harm: int) -> bool:
    """Tell whether no route can be worth more than the direct one, so that none need be looked at (P-GAM-20).

    Whatever the route, it ends in one roll at the pig, without the bonus of a descent or with it; the bonus is had on a
    level, or after a climb. A turn costs more; but the pig may be brushed on the way to a turning point, without one.
    """
    scale, tries = setup.manoeuvre.scale, setup.hit.scale
    if scale != EXACT or tries != EXACT:  # rounding might matter
        return False
    figure, odds = state.figures[state.seat], state.odds
    good = ways(setup.manoeuvre, needed(setup.course.rules, damage_modifier(setup.course.rules, figure.broken)))
    climb = scale if height_at(setup, figure.x, figure.y) > 0 else good
    plain = CERTAIN // tries * (HUNDRED * odds.hit[0] - harm * odds.fumble[0])
    bonus = CERTAIN // (scale * tries) * climb * (HUNDRED * odds.hit[1] - harm * odds.fumble[1])
    return direct >= max(plain, bonus, 0)


@kernel
def choose(setup: Setup, state: State, harm: int, careful: bool) -> int:
    """Leave the best route in ``state.best`` and return its chance of a rump."""
    figure, plan = state.figures[state.seat], state.plan
    aim_at_pig(state, plan)
    judge(setup, state, harm > 0, 0)
    stay(state.best)
    found, best, chance = False, 0, 0
    if not careful or not (state.ramps or state.asks_downhill):
        found, best, chance = True, score(state, harm), state.rump
        copy_plan(plan, state.best)
    if found and chance > 0 and state.ride.rider.descended == 0 and nothing_beats(setup, state, best, harm):
        return chance
    list_options(setup, state)
    if setup.rulings.router_legs < 2:
        return chance
    top = max(state.odds.hit[0], state.odds.hit[1])
    for k in range(state.candidates):
        plan.aim = Aim.PIG + 0
        plan.count = 0
        add_point(plan, figure.x, figure.y, state.option_x[k], state.option_y[k])
        add_point(plan, figure.x, figure.y, state.pig_x, state.pig_y)
        enough = best * setup.hit.scale // (HUNDRED * max(top, 1)) - 1 if found else 0
        judge(setup, state, harm > 0, max(enough, 0))
        if careful and (state.ramps or state.asks_downhill):
            continue
        worth = score(state, harm)
        if not found or worth > best:
            found, best, chance = True, worth, state.rump
            copy_plan(plan, state.best)
    return chance


@kernel
def come_nearer(setup: Setup, state: State) -> None:
    """Without any chance this turn: ride to where he may stop freely and is nearest to the pig (P-GAM-20)."""
    figure, plan, best = state.figures[state.seat], state.plan, state.best
    stay(best)
    least = -1
    if stops_freely(state.ride.rider.descended):
        least = squared(state.pig_x - figure.x, state.pig_y - figure.y)
    look(setup, state)
    x, y = x_at(state.leg, state.leg.stop), y_at(state.leg, state.leg.stop)
    for k in range(-1, state.candidates):
        if k >= 0:
            x, y = state.option_x[k], state.option_y[k]
        way = squared(state.pig_x - x, state.pig_y - y)
        if least < 0 or way < least:
            stop_at(state, plan, x, y)
            if plan.count > 0:
                judge(setup, state, False, 0)
                if state.reached and stops_freely(state.downhill):
                    least = way
                    copy_plan(plan, best)


@kernel
def plan_router(setup: Setup, state: State) -> None:
    """Plan the route that weighs most (P-GAM-20)."""
    if choose(setup, state, setup.rulings.harm, False) == 0:
        come_nearer(setup, state)
    copy_plan(state.best, state.plan)


@kernel
def plan_cautious(setup: Setup, state: State) -> None:
    """Plan as a router who fears harm, and ride up to the first risk where there is little hope (P-GAM-21)."""
    if choose(setup, state, setup.rulings.cautious_harm, True) * QUARTER >= CERTAIN:
        copy_plan(state.best, state.plan)
        return
    stay(state.plan)
    if not stops_freely(state.ride.rider.descended):
        return
    look(setup, state)
    leg = state.leg
    if leg.count == 0:  # on the flat a contact asks for no roll
        aim_at_pig(state, state.plan)
    elif leg.marks[0].index > 1:
        stop_at(state, state.plan, x_at(leg, leg.marks[0].index - 1), y_at(leg, leg.marks[0].index - 1))
