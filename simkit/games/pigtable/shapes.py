"""Shapes of a table in whole units, and how two of them lie to each other (P-TAB-3, P-TAB-5).

Whoever reads a table asks these questions once; what a ride asks is in :mod:`simkit.games.pigtable.geometry`.
"""

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

from simkit.games.pigtable.kinds import Form

Point = tuple[int, int]


class Outline(NamedTuple):
    """A disc (its middle and radius), a polygon (corners anticlockwise) or a line (two ends)."""

    form: Form
    points: tuple[Point, ...]
    radius: int = 0

    @property
    def box(self) -> tuple[int, int, int, int]:
        """West, south, east and north end."""
        xs, ys = zip(*self.points, strict=True)
        r = self.radius
        return min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r

    @property
    def sides(self) -> list[tuple[Point, Point]]:
        """The straight sides; a line has one."""
        if self.form == Form.DISC:
            return []
        if self.form == Form.LINE:
            return [(self.points[0], self.points[1])]
        return list(zip(self.points, (*self.points[1:], self.points[0]), strict=True))


def cross(o: Point, a: Point, b: Point) -> int:
    """Return twice the area of a triangle, positive where its corners run anticlockwise."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def square(a: Point, b: Point) -> int:
    """Return the square of the way between two points."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def rounded_up(square: int) -> int:
    """Return the least whole number whose square is not below a value."""
    root = isqrt(square)
    return root if root * root == square else root + 1


def anticlockwise(points: Sequence[Point]) -> tuple[Point, ...] | None:
    """Return the corners of a convex polygon anticlockwise, or None where they are not those of one."""
    n = len(points)
    if n < 3 or len(set(points)) < n:
        return None
    turns = [cross(points[k], points[(k + 1) % n], points[(k + 2) % n]) for k in range(n)]
    ordered = tuple(points) if turns[0] > 0 else tuple(reversed(points))
    # Every turn one way, and every other corner on the inner side of every side: a star turns one way too.
    inner = all(cross(ordered[k], ordered[(k + 1) % n], other) >= 0 for k in range(n) for other in ordered)
    return ordered if inner and (min(turns) > 0 or max(turns) < 0) else None


def near_side(side: tuple[Point, Point], point: Point, reach: int) -> bool:
    """Tell whether a point is nearer than `reach` to a side."""
    a, b = side
    long = square(a, b)
    along = (b[0] - a[0]) * (point[0] - a[0]) + (b[1] - a[1]) * (point[1] - a[1])
    if along <= 0:
        return square(a, point) < reach * reach
    if along >= long:
        return square(b, point) < reach * reach
    return cross(a, b, point) ** 2 < reach * reach * long


def near(shape: Outline, point: Point, reach: int) -> bool:
    """Tell whether a point is nearer than `reach` to a shape, or in it."""
    if shape.form == Form.DISC:
        return square(shape.points[0], point) < (shape.radius + reach) ** 2
    if shape.form == Form.POLYGON and all(cross(a, b, point) > 0 for a, b in shape.sides):
        return True
    return any(near_side(side, point, reach) for side in shape.sides)


def within(inner: Outline, outer: Outline) -> bool:
    """Tell whether a shape lies in another one; they may touch."""
    if outer.form == Form.DISC:
        room = outer.radius - inner.radius
        return room >= 0 and all(square(outer.points[0], point) <= room * room for point in inner.points)
    return all(
        cross(a, b, point) >= 0 and cross(a, b, point) ** 2 >= inner.radius**2 * square(a, b)
        for a, b in outer.sides
        for point in inner.points
    )


def overlap(one: Outline, other: Outline) -> bool:
    """Tell whether two shapes have more than their borders in common; lines, whether they cross (P-TAB-5)."""
    if one.form == Form.DISC:
        return near(other, one.points[0], one.radius)
    if other.form == Form.DISC:
        return overlap(other, one)
    if one.form == other.form == Form.LINE:
        return _lines_cross(one.points, other.points)
    ways = [*one.sides, *other.sides]
    return not any(_apart(a, b, one.points, other.points) for a, b in ways)


def _apart(a: Point, b: Point, one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Tell whether the straight line through two points parts two shapes."""
    first = [cross(a, b, point) for point in one]
    second = [cross(a, b, point) for point in other]
    return max(first) <= min(second) or max(second) <= min(first)


def _lines_cross(one: Sequence[Point], other: Sequence[Point]) -> bool:
    a, b = one
    c, d = other
    sides = (cross(a, b, c), cross(a, b, d)), (cross(c, d, a), cross(c, d, b))
    if sides[0] == (0, 0):  # on one straight line: do they share more than an end?
        axis = 0 if a[0] != b[0] else 1
        first, second = sorted((a[axis], b[axis])), sorted((c[axis], d[axis]))
        return max(first[0], second[0]) < min(first[1], second[1])
    return all(p * q < 0 for p, q in sides)
