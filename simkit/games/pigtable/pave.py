"""From a leg to the tasks of a course: what P-GAM-6 to P-GAM-9 and P-GAM-13 ask for, in order."""

from simkit.core.jit import kernel, rule
from simkit.games.pigtable.geometry import same_way, squared, steps_off
from simkit.games.pigtable.kinds import Aim, Crossing, Mark, Then, Thing
from simkit.games.pigtable.legs import bog_at, lay, lay_near, line_of, x_at, y_at
from simkit.games.pigtable.records import Leg, Setup, State
from simkit.games.pigtickler.hills import after_descent
from simkit.games.pigtickler.manoeuvre import stops_freely
from simkit.games.pigtickler.records import Kind, NeighbourPolicy


@kernel
def add_task(setup: Setup, state: State, kind: int, piece: int, other: int) -> int:
    """Put one task behind those of the leg and return its place; its stage says where on the table it is."""
    t = state.course.length
    state.course.tasks[t] = setup.course.tasks[kind]  # type: ignore[index]
    state.course.length = t + 1
    stage = state.stages[t]
    stage.index = 0
    stage.clear = 0
    stage.piece = piece
    stage.other = other
    stage.sure = False
    stage.lancer_rolls = False
    stage.at_end = False
    stage.x = 0
    stage.y = 0
    return t


@rule
def kind_of(mark: int) -> int:
    """Return the task that an event of a leg asks for (P-GAM-6)."""
    if mark == Mark.DOWN:
        return Kind.DOWN + 0
    if mark == Mark.LEAVE:
        return Kind.LEAVE + 0
    if mark == Mark.UP:
        return Kind.LEVEL + 0
    if mark == Mark.ENTER:
        return Kind.ENTER + 0
    if mark == Mark.CROSS:
        return Kind.CROSS + 0
    return Kind.RAMP + 0


@kernel
def add_marks(setup: Setup, state: State, leg: Leg, count: int) -> int:
    """Turn the first `count` events of a leg into tasks and return the levels descended when they are done."""
    levels = state.ride.rider.descended
    for k in range(count):
        mark = leg.marks[k]
        kind = kind_of(mark.kind)
        shape = setup.shapes[mark.shape]
        t = add_task(setup, state, kind, shape.piece, -1)
        state.stages[t].index = mark.index
        state.stages[t].clear = mark.clear
        if kind == Kind.DOWN:
            levels += 1
        elif kind == Kind.ENTER or kind == Kind.LEAVE:
            state.course.tasks[t].modifier = shape.modifier
    return levels


@kernel
def add_contact(setup: Setup, state: State, thing: int, ref: int, descended: int, steered: bool) -> None:
    """Ride into something without a change of direction (P-GAM-8, P-GAM-13)."""
    state.then = Then.TURN_OVER + 0
    if thing == Thing.PIG:
        state.stages[add_task(setup, state, Kind.PIG + 0, -3, -1)].at_end = True
        return
    if stops_freely(descended) or (thing == Thing.EDGE and not setup.rulings.edge_collides):
        return
    if thing == Thing.CHASM or thing == Thing.RAMP:
        state.then = Then.DEATH + 0
        return
    lancer = thing == Thing.LANCER
    piece = -2 if thing == Thing.EDGE else -1 if lancer else setup.shapes[ref].piece
    t = add_task(setup, state, Kind.LANCER + 0 if lancer else Kind.OBSTACLE + 0, piece, ref if lancer else -1)
    stage = state.stages[t]
    stage.at_end = True
    stage.sure = True
    stage.lancer_rolls = lancer and (not steered or setup.course.rules.steered_lancer_rolls)
    state.then = Then.PLAN + 0


@kernel
def begin_ray(setup: Setup, leg: Leg, ax: int, ay: int, bx: int, by: int) -> None:
    """Begin the ray from B along the leg A -> B: on until it is off the table (P-TAB-2)."""
    dx, dy = bx - ax, by - ay
    steps = steps_off(setup.round_table, setup.half - setup.rulings.base_lancer, bx, by, dx, dy)
    line_of(leg, bx, by, bx + steps * dx, by + steps * dy)


@kernel
def add_change(setup: Setup, state: State, ax: int, ay: int, bx: int, by: int) -> None:
    """Change direction at B, come from A: what for is told by the nearest thing ahead (P-GAM-7)."""
    bog = bog_at(setup, bx, by)
    if bog >= 0:
        t = add_task(setup, state, Kind.BEND + 0, setup.shapes[bog].piece, -1)
        state.course.tasks[t].modifier = setup.shapes[bog].modifier
        state.stages[t].at_end = True
        return
    within = setup.rulings.avoid_within
    begin_ray(setup, state.ray, ax, ay, bx, by)
    lay_near(setup, state, state.ray, state.seat, within)
    ray = state.ray
    x, y = x_at(ray, ray.stop), y_at(ray, ray.stop)
    thing = ray.end
    kind = Kind.TURN + 0
    piece = other = -1
    if thing < Thing.EDGE and thing != Thing.PIG and squared(x - bx, y - by) <= within * within:
        if thing == Thing.LANCER:
            kind = Kind.LANCER + 0
            other = ray.end_ref
        else:
            piece = setup.shapes[ray.end_ref].piece
            if thing == Thing.OBSTACLE:
                kind = Kind.OBSTACLE + 0
            elif thing == Thing.CHASM or thing == Thing.RAMP:
                kind = Kind.CHASM + 0
            else:
                kind = Kind.BESIDE + 0
    t = add_task(setup, state, kind, piece, other)
    stage = state.stages[t]
    stage.at_end = True
    stage.lancer_rolls = kind == Kind.LANCER
    stage.x = x
    stage.y = y


@kernel
def begin_leg(state: State) -> None:
    """Forget the tasks of the leg before."""
    state.course.length = 0
    state.ride.rider.task = 0
    state.ride.rider.fate = 0
    state.ride.rider.riding = True
    state.ride.rider.steered = False
    state.arrived = False


@kernel
def pave(setup: Setup, state: State, ax: int, ay: int, number: int) -> None:
    """Lay leg `number` of the plan, from a point to its next one, and make tasks of it."""
    plan = state.plan
    bx, by = plan.x[number], plan.y[number]
    begin_leg(state)
    lay(setup, state, state.leg, state.seat, ax, ay, bx, by, True, Crossing.ALL + 0)
    leg = state.leg
    state.ray_x = leg.dx
    state.ray_y = leg.dy
    state.end_x = x_at(leg, leg.stop)
    state.end_y = y_at(leg, leg.stop)
    descended = add_marks(setup, state, leg, leg.count)
    if leg.end != Thing.NOTHING:
        add_contact(setup, state, leg.end, leg.end_ref, descended, False)
    elif number + 1 < plan.count:
        state.then = Then.NEXT_LEG + 0
        more = state.judging or state.legs < setup.rulings.max_legs
        if more and not same_way(leg.dx, leg.dy, plan.x[number + 1] - bx, plan.y[number + 1] - by):
            add_change(setup, state, ax, ay, bx, by)
    else:
        state.then = Then.TURN_OVER + 0
        if after_descent(descended) and plan.aim == Aim.STOP and bog_at(setup, bx, by) < 0:
            state.stages[add_task(setup, state, Kind.STOP + 0, -1, -1)].at_end = True


@rule
def ends_badly(thing: int) -> bool:
    """A neighbour at his worst rides him into a chasm, wall, fence, obstacle or lancer (P-DN-4, P-GAM-13)."""
    return thing != Thing.EDGE and thing != Thing.PIG


@kernel
def pave_runaway(setup: Setup, state: State, x: int, y: int) -> bool:
    """Lay the ray of a lancer who is steered, and make tasks of it (P-GAM-13); False: he is not moved at all."""
    begin_leg(state)
    leg = state.leg
    begin_ray(setup, leg, x - state.ray_x, y - state.ray_y, x, y)
    gather_ray(setup, state)
    state.end_x = x_at(leg, leg.stop)
    state.end_y = y_at(leg, leg.stop)
    to_contact = state.runs_on or setup.course.rules.neighbour_policy == NeighbourPolicy.STRAIGHT_ON
    if not to_contact and not ends_badly(leg.end):
        for k in range(leg.count):
            mark = leg.marks[k]
            if mark.kind == Mark.ENTER or mark.kind == Mark.RAMP:
                add_marks(setup, state, leg, k + 1)
                state.then = Then.TURN_OVER + 0
                goal = mark.clear if mark.kind == Mark.RAMP else mark.index
                state.end_x = x_at(leg, goal)
                state.end_y = y_at(leg, goal)
                return True
        if leg.end == Thing.PIG:
            return False
    descended = add_marks(setup, state, leg, leg.count)
    add_contact(setup, state, leg.end, leg.end_ref, descended, True)
    return True


@kernel
def gather_ray(setup: Setup, state: State) -> None:
    """Find what lies on a ray that was begun: ramps are ridden over, no other line is (P-GAM-13)."""
    leg = state.leg
    lay(setup, state, leg, state.seat, leg.ax, leg.ay, leg.ax + leg.dx, leg.ay + leg.dy, True, Crossing.RAMPS + 0)
