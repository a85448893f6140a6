"""Whether pieces overlap, lie within another or on the table, in whole numbers and fractions (P-TAB-5)."""

from fractions import Fraction
from typing import Any

from tests.naive.pigtable.shapes import Disc, Line, Point, Polygon, Shape, cross, minus, squared


def overlap(one: Shape, other: Shape) -> bool:
    """Tell whether interiors overlap; a line is its own interior, without its ends where it meets a line."""
    if isinstance(other, Disc) or (isinstance(other, Polygon) and isinstance(one, Line)):
        one, other = other, one
    if isinstance(one, Disc):
        return disc_overlaps(one, other)
    if isinstance(one, Line):
        assert isinstance(other, Line)
        return lines_cross(one, other)
    if isinstance(other, Line):
        return line_through(other, one)
    assert isinstance(other, Polygon)
    return area(clipped(one, other)) > 0


def disc_overlaps(disc: Disc, other: Shape) -> bool:
    """Tell whether something comes nearer to the middle of a disc than its radius."""
    middle = Disc(disc.x, disc.y, 0)
    return bool(other.nearer(disc.r, middle.x, middle.y))


def clipped(one: Polygon, other: Polygon) -> list[tuple[Fraction, Fraction]]:
    """Cut a polygon down to what lies within another, side by side (Sutherland and Hodgman)."""
    left: list[tuple[Fraction, Fraction]] = [(Fraction(x), Fraction(y)) for x, y in one.corners]
    for a, b in other.sides:
        kept: list[tuple[Fraction, Fraction]] = []
        for k, corner in enumerate(left):
            before = left[k - 1]
            now, then = side_of(a, b, corner), side_of(a, b, before)
            if now * then < 0:
                t = Fraction(then) / (then - now)
                kept.append((before[0] + t * (corner[0] - before[0]), before[1] + t * (corner[1] - before[1])))
            if now >= 0:
                kept.append(corner)
        left = kept
    return left


def side_of(a: Any, b: Any, p: Any) -> Any:
    """Return a positive number if p lies to the left of the way from a to b."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def area(corners: list[tuple[Fraction, Fraction]]) -> Fraction:
    """Return the area of a polygon."""
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return abs(sum((a[0] * b[1] - a[1] * b[0] for a, b in pairs), Fraction())) / 2


def line_through(line: Line, polygon: Polygon) -> bool:
    """Tell whether any point of a line lies strictly within a polygon."""
    low, high = Fraction(0), Fraction(1)  # the part of the line that is left, as shares of its length
    for a, b in polygon.sides:
        start, end = side_of(a, b, line.a), side_of(a, b, line.b)
        if start <= 0 and end <= 0:
            return False
        if start * end < 0:
            t = Fraction(start, start - end)
            low, high = (max(low, t), high) if start < 0 else (low, min(high, t))
    return low < high


def lines_cross(one: Line, other: Line) -> bool:
    """Tell whether two lines cross, or lie upon each other for some length; an end that touches does not cross."""
    d, e = minus(one.b, one.a), minus(other.b, other.a)
    if cross(d, e) == 0:
        if cross(d, minus(other.a, one.a)) != 0:
            return False
        along = sorted((dot(d, minus(p, one.a)), k) for k, pair in enumerate((one, other)) for p in (pair.a, pair.b))
        spans = [[value for value, k in along if k == which] for which in (0, 1)]
        return max(span[0] for span in spans) < min(span[1] for span in spans)
    apart = cross(d, minus(other.a, one.a)) * cross(d, minus(other.b, one.a)) < 0
    across = cross(e, minus(one.a, other.a)) * cross(e, minus(one.b, other.a)) < 0
    return apart and across


def dot(a: Point, b: Point) -> int:
    """Return the dot product."""
    return a[0] * b[0] + a[1] * b[1]


def within(inner: Shape, outer: Shape) -> bool:
    """Tell whether a disc or polygon lies within another, borders may touch."""
    if isinstance(inner, Polygon):
        assert isinstance(outer, Disc | Polygon)
        return all(outer.holds(x, y, border=True) for x, y in inner.corners)
    assert isinstance(inner, Disc)
    if isinstance(outer, Disc):
        return outer.r >= inner.r and squared((inner.x, inner.y), (outer.x, outer.y)) <= (outer.r - inner.r) ** 2
    assert isinstance(outer, Polygon)
    for a, b in outer.sides:
        depth = side_of(a, b, (inner.x, inner.y))
        if depth < 0 or depth**2 < inner.r**2 * squared(a, b):
            return False
    return True


def on_table(shape: Shape, half: int, *, round_table: bool) -> bool:
    """Tell whether a shape lies on the table, which it may touch the edge of."""
    if round_table:
        if isinstance(shape, Disc):
            return within(shape, Disc(0, 0, half))
        corners = shape.corners if isinstance(shape, Polygon) else (shape.a, shape.b)
        return all(x * x + y * y <= half * half for x, y in corners)
    return all(abs(value) <= half for value in shape.box())
