"""Geometry in whole units of 1/64 inch (P-TAB-1 to P-TAB-3).

Every function takes and returns whole numbers. A square root in floating point is used as a first guess and put right
by whole-number tests, so that no float decides anything.
"""

import math

from simkit.core.jit import kernel, rule
from simkit.games.pigtable.kinds import Form
from simkit.games.pigtable.records import Shape


@rule
def isqrt(value: int) -> int:
    """Return the greatest whole number whose square is not above a value from 0 to 2**52."""
    root = int(math.sqrt(value))
    while root * root > value:
        root -= 1
    while (root + 1) * (root + 1) <= value:
        root += 1
    return root


@rule
def nearest(value: int, parts: int) -> int:
    """Divide by a positive number and round, halves away from zero (P-TAB-2)."""
    if value >= 0:
        return (2 * value + parts) // (2 * parts)
    return -((parts - 2 * value) // (2 * parts))


@rule
def at(start: int, change: int, i: int, n: int) -> int:
    """Return one coordinate of lattice point `i` of a leg of `n` steps (P-TAB-2)."""
    return start + nearest(change * i, n) if n > 0 else start


@rule
def squared(x: int, y: int) -> int:
    """Return the square of a length."""
    return x * x + y * y


@rule
def beyond_edge(round_table: bool, half: int, base: int, x: int, y: int) -> bool:
    """A base must not reach over the edge of the table (P-TAB-3)."""
    limit = half - base
    if round_table:
        return squared(x, y) > limit * limit
    return max(abs(x), abs(y)) > limit


@rule
def near_segment(ax: int, ay: int, bx: int, by: int, x: int, y: int, reach: int) -> bool:
    """Tell whether a point is nearer than `reach` to a straight line between two points; touching is not near."""
    ex, ey = bx - ax, by - ay
    px, py = x - ax, y - ay
    along = ex * px + ey * py
    if along <= 0:
        return squared(px, py) < reach * reach
    if along >= squared(ex, ey):
        return squared(x - bx, y - by) < reach * reach
    across = ex * py - ey * px
    return across * across < reach * reach * squared(ex, ey)


@kernel
def inside_polygon(shape: Shape, x: int, y: int, border: bool) -> bool:
    """Tell whether a point is in a polygon, with its border or without."""
    least = 0 if border else 1
    for k in range(shape.corners):
        m = k + 1 if k + 1 < shape.corners else 0
        ex, ey = shape.x[m] - shape.x[k], shape.y[m] - shape.y[k]
        if ex * (y - shape.y[k]) - ey * (x - shape.x[k]) < least:
            return False
    return True


@kernel
def holds(shape: Shape, x: int, y: int, border: bool) -> bool:
    """Tell whether an area holds the middle of a base: levels with their border, bogs without (P-TAB-3)."""
    if shape.form == Form.DISC:
        far = squared(x - shape.x[0], y - shape.y[0])
        inner = shape.radius * shape.radius
        return far <= inner if border else far < inner
    return inside_polygon(shape, x, y, border)


@kernel
def blocks(shape: Shape, x: int, y: int, base: int) -> bool:
    """Tell whether a base does not fit at a point because of a solid; touching is free (P-TAB-3)."""
    if shape.form == Form.DISC:
        reach = shape.radius + base
        return squared(x - shape.x[0], y - shape.y[0]) < reach * reach
    if shape.form == Form.LINE:
        return near_segment(shape.x[0], shape.y[0], shape.x[1], shape.y[1], x, y, base)
    if inside_polygon(shape, x, y, True):
        return True
    for k in range(shape.corners):
        m = k + 1 if k + 1 < shape.corners else 0
        if near_segment(shape.x[k], shape.y[k], shape.x[m], shape.y[m], x, y, base):
            return True
    return False


@rule
def steps_off(round_table: bool, limit: int, x: int, y: int, dx: int, dy: int) -> int:
    """Return the least whole number >= 1 of steps (dx, dy) that lead off the table (P-TAB-2, the ray).

    `limit` is half the table less the base; the point must be on the table and the step not 0.
    """
    if round_table:
        dd = squared(dx, dy)
        b = x * dx + y * dy
        inner = b * b + dd * (limit * limit - squared(x, y))
        return max(1, (isqrt(max(inner, 0)) - b) // dd + 1)
    least = 1 << 40
    if dx != 0:
        least = min(least, (limit - x if dx > 0 else limit + x) // abs(dx) + 1)
    if dy != 0:
        least = min(least, (limit - y if dy > 0 else limit + y) // abs(dy) + 1)
    return max(1, least)


@rule
def same_way(ax: int, ay: int, bx: int, by: int) -> bool:
    """Going on in the same direction is no turn (P-GAM-7)."""
    return ax * by - ay * bx == 0 and ax * bx + ay * by > 0
