"""Legs: what a straight ride meets, in which order (P-TAB-2, P-TAB-6)."""

from typing import NamedTuple

from simkit.core.jit import kernel, rule
from simkit.games.pigtable.geometry import at, beyond_edge, blocks, holds, isqrt, squared
from simkit.games.pigtable.kinds import Crossing, Form, Mark, Thing
from simkit.games.pigtable.records import Leg, Setup, Shape, State


class Span(NamedTuple):
    """The least and the greatest index of a leg whose point is in a shape; none where first > last."""

    first: int
    last: int


@rule
def line_of(leg: Leg, ax: int, ay: int, bx: int, by: int) -> None:
    """Begin a leg from one point to another."""
    leg.ax = ax
    leg.ay = ay
    leg.dx = bx - ax
    leg.dy = by - ay
    leg.n = max(abs(leg.dx), abs(leg.dy))


@rule
def x_at(leg: Leg, i: int) -> int:
    """Return how far east lattice point `i` is."""
    return at(leg.ax, leg.dx, i, leg.n)


@rule
def y_at(leg: Leg, i: int) -> int:
    """Return how far north lattice point `i` is."""
    return at(leg.ay, leg.dy, i, leg.n)


@rule
def clip_disc(leg: Leg, x: int, y: int, radius: int, limit: int) -> Span:
    """Return the indices at which the true line may be in a disc grown by one unit."""
    reach = radius + 1
    px, py = x - leg.ax, y - leg.ay
    dd = squared(leg.dx, leg.dy)
    across = leg.dx * py - leg.dy * px
    inner = reach * reach * dd - across * across
    if inner < 0:
        return Span(1, 0)
    half = isqrt(inner) + 1
    along = leg.dx * px + leg.dy * py
    return Span(max(0, leg.n * (along - half) // dd), min(limit, leg.n * (along + half) // dd + 1))


@kernel
def clip_sides(leg: Leg, shape: Shape, base: int, limit: int) -> Span:
    """Return the indices at which the true line may be in a polygon or near a line, grown by one unit more."""
    first, last = 0, limit
    sides = shape.corners
    rows = 4 if shape.form == Form.LINE else sides
    for k in range(rows):
        if shape.form == Form.LINE:  # a box around the line: along it both ways, and both ends
            cx, cy = shape.x[k // 2], shape.y[k // 2]
            ex, ey = shape.x[1] - shape.x[0], shape.y[1] - shape.y[0]
            if k == 1:
                cx, cy, ex, ey = shape.x[1], shape.y[1], -ex, -ey
            elif k == 2:
                ex, ey = -ey, ex
            elif k == 3:
                cx, cy, ex, ey = shape.x[0], shape.y[0], ey, -ex
            length = shape.lengths[0]
        else:
            m = k + 1 if k + 1 < sides else 0
            cx, cy = shape.x[k], shape.y[k]
            ex, ey = shape.x[m] - cx, shape.y[m] - cy
            length = shape.lengths[k]
        here = (ex * (leg.ay - cy) - ey * (leg.ax - cx) + (base + 1) * length) * leg.n
        change = ex * leg.dy - ey * leg.dx
        if change > 0:
            first = max(first, -here // change)
        elif change < 0:
            last = min(last, here // -change + 1)
        elif here < 0:
            return Span(1, 0)
        if first > last:
            return Span(1, 0)
    return Span(first, last)


@kernel
def span_of(leg: Leg, shape: Shape, solid: bool, base: int, limit: int) -> Span:
    """Return the span of a shape on a leg, up to an index: clipped first, then walked inwards (P-TAB-2)."""
    reach = base + 1 if solid else 1
    ex = at(leg.ax, leg.dx, limit, leg.n)
    ey = at(leg.ay, leg.dy, limit, leg.n)
    if (
        max(leg.ax, ex) < shape.west - reach
        or min(leg.ax, ex) > shape.east + reach
        or max(leg.ay, ey) < shape.south - reach
        or min(leg.ay, ey) > shape.north + reach
    ):
        return Span(1, 0)
    if shape.form == Form.DISC:
        found = clip_disc(leg, shape.x[0], shape.y[0], shape.radius + (base if solid else 0), limit)
    else:
        found = clip_sides(leg, shape, base if solid else 0, limit)
    first, last = found.first, found.last
    border = shape.thing == Thing.LEVEL
    while first <= last:
        x, y = x_at(leg, first), y_at(leg, first)
        if blocks(shape, x, y, base) if solid else holds(shape, x, y, border):
            break
        first += 1
    while first <= last:
        x, y = x_at(leg, last), y_at(leg, last)
        if blocks(shape, x, y, base) if solid else holds(shape, x, y, border):
            break
        last -= 1
    return Span(first, last)


@kernel
def span_of_figure(leg: Leg, x: int, y: int, reach: int, limit: int) -> Span:
    """Return the span of another figure: middles nearer than both bases together (P-TAB-3)."""
    found = clip_disc(leg, x, y, reach, limit)
    first, last = found.first, found.last
    while first <= last and squared(x_at(leg, first) - x, y_at(leg, first) - y) >= reach * reach:
        first += 1
    while first <= last and squared(x_at(leg, last) - x, y_at(leg, last) - y) >= reach * reach:
        last -= 1
    return Span(first, last)


@kernel
def first_off(leg: Leg, round_table: bool, half: int, base: int, limit: int) -> int:
    """Return the first index beyond the edge, or `limit` + 1."""
    if round_table:
        inner = half - base - 1
        i = 0
        while i <= limit and squared(x_at(leg, i), y_at(leg, i)) > inner * inner:
            if beyond_edge(round_table, half, base, x_at(leg, i), y_at(leg, i)):
                return i
            i += 1
        dd = squared(leg.dx, leg.dy)
        b = leg.ax * leg.dx + leg.ay * leg.dy
        room = b * b - dd * (squared(leg.ax, leg.ay) - inner * inner)
        if dd > 0 and room > 0:
            i = max(i, leg.n * (isqrt(room) - b) // dd - 1)
    else:
        i = 0
        margin = half - base
        if leg.dx != 0:
            i = leg.n * max(0, margin - (leg.ax if leg.dx > 0 else -leg.ax)) // abs(leg.dx)
        if leg.dy != 0:
            up = leg.n * max(0, margin - (leg.ay if leg.dy > 0 else -leg.ay)) // abs(leg.dy)
            i = up if leg.dx == 0 else min(i, up)
        i = max(0, i - 1)
    while i <= limit and not beyond_edge(round_table, half, base, x_at(leg, i), y_at(leg, i)):
        i += 1
    return min(i, limit + 1)


@rule
def add_mark(leg: Leg, index: int, kind: int, shape: int, clear: int) -> None:
    """Add an event; it is put in its place later."""
    mark = leg.marks[leg.count]
    mark.index = index
    mark.kind = kind
    mark.shape = shape
    mark.clear = clear
    leg.count += 1


@rule
def add_solid(leg: Leg, span: Span, thing: int, ref: int) -> None:
    """Note where a leg is blocked."""
    if span.first <= span.last:
        solid = leg.blocks[leg.solids]
        solid.first = span.first
        solid.last = span.last
        solid.thing = thing
        solid.ref = ref
        solid.met = False
        leg.solids += 1


@kernel
def gather(setup: Setup, state: State, leg: Leg, mover: int, areas: bool, limit: int) -> None:
    """Collect what lies on a leg, up to an index. `mover` is a seat, or -1 for the pig."""
    rulings = setup.rulings
    base = rulings.base_pig if mover < 0 else rulings.base_lancer
    leg.count = 0
    leg.solids = 0
    for k in range(setup.count):
        shape = setup.shapes[k]
        if shape.thing == Thing.LEVEL or shape.thing == Thing.BOG:
            if areas:
                span = span_of(leg, shape, False, 0, limit)
                if span.first <= span.last:
                    level = shape.thing == Thing.LEVEL
                    if span.first > 0:
                        add_mark(leg, span.first, Mark.UP + 0 if level else Mark.ENTER + 0, k, 0)
                    if span.last < leg.n:
                        add_mark(leg, span.last + 1, Mark.DOWN + 0 if level else Mark.LEAVE + 0, k, 0)
        else:
            add_solid(leg, span_of(leg, shape, True, base, limit), shape.thing, k)
    if mover >= 0:
        reach = base + rulings.base_pig
        add_solid(leg, span_of_figure(leg, state.pig_x, state.pig_y, reach, limit), Thing.PIG + 0, 0)
    for seat in range(setup.seats):
        figure = state.figures[seat]
        if seat != mover and figure.gone == 0 and not figure.waiting:
            reach = base + rulings.base_lancer
            add_solid(leg, span_of_figure(leg, figure.x, figure.y, reach, limit), Thing.LANCER + 0, seat)
    off = first_off(leg, setup.round_table, setup.half, base, limit)
    add_solid(leg, Span(off, limit), Thing.EDGE + 0, 0)


@rule
def passable(thing: int, crossing: int) -> bool:
    """Fences and hedges can be crossed, and ramps (P-LIN-1, P-SPC-2); who is steered tries no fence (P-GAM-13)."""
    if thing == Thing.RAMP:
        return crossing == Crossing.RAMPS or crossing == Crossing.ALL
    return (thing == Thing.FENCE or thing == Thing.HEDGE) and crossing == Crossing.ALL


@kernel
def has_room(leg: Leg, s: int) -> bool:
    """Tell whether a line can be crossed: he must come clear on this leg, with nothing else in the way (P-TAB-6)."""
    first, clear = leg.blocks[s].first, leg.blocks[s].last + 1
    if clear > leg.n:
        return False
    free = True
    for t in range(leg.solids):
        free = free and (t == s or leg.blocks[t].first > clear or leg.blocks[t].last < first)
    return bool(free)


@kernel
def cut(leg: Leg, crossing: int) -> None:
    """Find what ends the leg: the first contact that is not crossed; lines before it are crossed (P-TAB-6)."""
    leg.end = Thing.NOTHING + 0
    leg.end_ref = -1
    leg.stop = leg.n
    areas = leg.count
    for s in range(leg.solids):
        solid = leg.blocks[s]
        if crossing != Crossing.NONE and not has_room(leg, s):
            if solid.thing == Thing.RAMP:
                solid.thing = Thing.CHASM + 0
            elif crossing != Crossing.RAMPS and (solid.thing == Thing.FENCE or solid.thing == Thing.HEDGE):
                solid.thing = Thing.WALL + 0
    for _ in range(leg.solids):
        best = -1
        for s in range(leg.solids):
            if not leg.blocks[s].met and (
                best < 0
                or leg.blocks[s].first < leg.blocks[best].first
                or (leg.blocks[s].first == leg.blocks[best].first and leg.blocks[s].thing < leg.blocks[best].thing)
            ):
                best = s
        solid = leg.blocks[best]
        solid.met = True
        touch = max(solid.first - 1, 0)
        if not passable(solid.thing, crossing):
            leg.end = solid.thing
            leg.end_ref = solid.ref
            leg.stop = touch
            break
        clear = solid.last + 1
        add_mark(leg, touch, Mark.RAMP + 0 if solid.thing == Thing.RAMP else Mark.CROSS + 0, solid.ref, clear)
        for k in range(areas):
            if touch < leg.marks[k].index <= clear:
                leg.marks[k].index = clear
                leg.marks[k].clear = clear
    kept = 0
    for k in range(leg.count):
        if leg.marks[k].index <= leg.stop:
            put_in_order(leg, k, kept)
            kept += 1
    leg.count = kept


@kernel
def put_in_order(leg: Leg, k: int, kept: int) -> None:
    """Put event `k` in its place among the first `kept` ones: by index, then by kind, then by file order."""
    index, kind = leg.marks[k].index, leg.marks[k].kind
    shape, clear = leg.marks[k].shape, leg.marks[k].clear
    place = kept
    while place > 0:
        before = leg.marks[place - 1]
        if before.index < index or (before.index == index and before.kind <= kind):
            break
        mark = leg.marks[place]
        mark.index = before.index
        mark.kind = before.kind
        mark.shape = before.shape
        mark.clear = before.clear
        place -= 1
    mark = leg.marks[place]
    mark.index = index
    mark.kind = kind
    mark.shape = shape
    mark.clear = clear


@kernel
def lay(
    setup: Setup, state: State, leg: Leg, mover: int, ax: int, ay: int, bx: int, by: int, areas: bool, crossing: int
) -> None:
    """Work out a leg: its events in order, and what ends it."""
    line_of(leg, ax, ay, bx, by)
    gather(setup, state, leg, mover, areas, leg.n)
    cut(leg, crossing)


@kernel
def lay_near(setup: Setup, state: State, leg: Leg, mover: int, reach: int) -> None:
    """Find the first contact on a leg that was begun, as far as it may lie within a reach (P-GAM-7)."""
    gather(setup, state, leg, mover, False, min(leg.n, reach + 1))
    cut(leg, Crossing.NONE + 0)


@kernel
def figure_at(setup: Setup, state: State, mover: int, x: int, y: int) -> bool:
    """Tell whether the pig or another lancer stands so near that a lancer does not fit at a point (P-TAB-3)."""
    base = setup.rulings.base_lancer
    reach = base + setup.rulings.base_pig
    near = squared(x - state.pig_x, y - state.pig_y) < reach * reach
    for seat in range(setup.seats):
        figure = state.figures[seat]
        there = seat != mover and figure.gone == 0 and not figure.waiting
        near = near or (there and squared(x - figure.x, y - figure.y) < 4 * base * base)
    return bool(near)


@kernel
def blocked(setup: Setup, state: State, mover: int, x: int, y: int) -> bool:
    """Tell whether a lancer does not fit at a point (P-TAB-3)."""
    base = setup.rulings.base_lancer
    if beyond_edge(setup.round_table, setup.half, base, x, y) or figure_at(setup, state, mover, x, y):
        return True
    for k in range(setup.count):
        shape = setup.shapes[k]
        if shape.thing < Thing.LEVEL and blocks(shape, x, y, base):
            return True
    return False


@kernel
def bog_at(setup: Setup, x: int, y: int) -> int:
    """Return the row of the bog that holds a point, or -1."""
    for k in range(setup.count):
        shape = setup.shapes[k]
        if shape.thing == Thing.BOG and holds(shape, x, y, False):
            return k
    return -1


@kernel
def height_at(setup: Setup, x: int, y: int) -> int:
    """Return on which level a point is: the number of level shapes that hold it (P-TAB-4)."""
    levels = 0
    for k in range(setup.count):
        shape = setup.shapes[k]
        levels += shape.thing == Thing.LEVEL and holds(shape, x, y, True)
    return levels
