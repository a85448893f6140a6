"""Who decides: ``straight``, and what the players share (P-GAM-19)."""

from simkit.core.jit import kernel, rule
from simkit.games.pigtable.geometry import isqrt, squared
from simkit.games.pigtable.kinds import Aim, Crossing, Mark, Thing
from simkit.games.pigtable.legs import blocked, lay, x_at, y_at
from simkit.games.pigtable.records import Leg, Plan, Setup, State

CORNERS = 4


@rule
def stay(plan: Plan) -> None:
    """Plan to stay."""
    plan.aim = Aim.STAY + 0
    plan.count = 0


@kernel
def add_point(plan: Plan, fx: int, fy: int, x: int, y: int) -> None:
    """Add a point to a route that begins at (fx, fy); a leg without length is left out (P-GAM-7)."""
    k = plan.count
    lx = fx if k == 0 else plan.x[k - 1]
    ly = fy if k == 0 else plan.y[k - 1]
    if x != lx or y != ly:
        plan.x[k] = x
        plan.y[k] = y
        plan.count = k + 1


@kernel
def aim_at_pig(state: State, plan: Plan) -> None:
    """Plan the straight way to the pig."""
    figure = state.figures[state.seat]
    plan.aim = Aim.PIG + 0
    plan.count = 0
    add_point(plan, figure.x, figure.y, state.pig_x, state.pig_y)


@kernel
def stop_at(state: State, plan: Plan, x: int, y: int) -> None:
    """Plan to ride straight to a point and stop there; to stay where that is where he stands."""
    figure = state.figures[state.seat]
    stay(plan)
    add_point(plan, figure.x, figure.y, x, y)
    if plan.count > 0:
        plan.aim = Aim.STOP + 0


@kernel
def look(setup: Setup, state: State) -> None:
    """Look along the line to the pig."""
    figure = state.figures[state.seat]
    pig_x, pig_y = state.pig_x, state.pig_y
    lay(setup, state, state.leg, state.seat, figure.x, figure.y, pig_x, pig_y, True, Crossing.ALL + 0)


@kernel
def levels_down(state: State, leg: Leg) -> int:
    """Return how many levels he will have descended this turn at the end of a leg."""
    levels = state.ride.rider.descended
    for k in range(leg.count):
        levels += leg.marks[k].kind == Mark.DOWN
    return levels


@kernel
def turning_point(setup: Setup, state: State, leg: Leg) -> int:
    """Return the first free point of a leg that is near enough to the contact that ends it (P-GAM-19)."""
    within = setup.rulings.avoid_within
    x, y = x_at(leg, leg.stop), y_at(leg, leg.stop)
    first = leg.stop
    while first > 0 and squared(x_at(leg, first - 1) - x, y_at(leg, first - 1) - y) <= within * within:
        first -= 1
    while first < leg.stop and blocked(setup, state, state.seat, x_at(leg, first), y_at(leg, first)):
        first += 1
    return first


@kernel
def corner(setup: Setup, state: State, leg: Leg, k: int) -> int:
    """Put corner `k` of the box around what ends a leg, grown by a base and 1, into ``option_x`` and ``option_y``."""
    grown = setup.rulings.base_lancer + 1
    if leg.end == Thing.LANCER:
        figure = state.figures[leg.end_ref]
        grown += setup.rulings.base_lancer
        west = east = figure.x
        south = north = figure.y
    else:
        shape = setup.shapes[leg.end_ref]
        west, east, south, north = shape.west, shape.east, shape.south, shape.north
    state.option_x[k] = west - grown if k == 0 or k == 3 else east + grown
    state.option_y[k] = south - grown if k < 2 else north + grown
    return k


@kernel
def plan_straight(setup: Setup, state: State) -> None:
    """Plan to ride at the pig, round the first thing that is in the way (P-GAM-19)."""
    leg, plan, ray = state.leg, state.plan, state.ray
    figure = state.figures[state.seat]
    look(setup, state)
    aim_at_pig(state, plan)
    if leg.end == Thing.PIG:
        return
    first = turning_point(setup, state, leg)
    tx, ty = x_at(leg, first), y_at(leg, first)
    best, best_way = -1, 0
    for k in range(0 if leg.end == Thing.EDGE else CORNERS):
        corner(setup, state, leg, k)
        x, y = state.option_x[k], state.option_y[k]
        if (x == tx and y == ty) or blocked(setup, state, state.seat, x, y):
            continue
        lay(setup, state, ray, state.seat, tx, ty, x, y, False, Crossing.NONE + 0)
        way = isqrt(squared(x - tx, y - ty)) + isqrt(squared(state.pig_x - x, state.pig_y - y))
        if ray.end == Thing.NOTHING and (best < 0 or way < best_way):
            best, best_way = k, way
    if best >= 0:
        plan.count = 0
        add_point(plan, figure.x, figure.y, tx, ty)
        add_point(plan, figure.x, figure.y, state.option_x[best], state.option_y[best])
        add_point(plan, figure.x, figure.y, state.pig_x, state.pig_y)
    elif levels_down(state, leg) > 0:
        stop_at(state, plan, tx, ty)
