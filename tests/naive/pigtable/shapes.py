"""Discs, convex polygons and lines in whole 1/64 inches (P-TAB-1, P-TAB-3).

Everything is asked of lattice points, one at a time or a whole row of them at once (x and y may be arrays).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Point = tuple[int, int]


def cross(a: Point, b: Point) -> int:
    """Return the cross product of two directions."""
    return a[0] * b[1] - a[1] * b[0]


def minus(a: Point, b: Point) -> Point:
    """Return the way from b to a."""
    return a[0] - b[0], a[1] - b[1]


def squared(a: Point, b: Point) -> int:
    """Return the square of the distance."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


@dataclass(frozen=True)
class Disc:
    """A disc; also a figure, which is the disc of its base."""

    x: int
    y: int
    r: int

    def box(self) -> tuple[int, int, int, int]:
        """Return the bounding box: west, south, east, north."""
        return self.x - self.r, self.y - self.r, self.x + self.r, self.y + self.r

    def holds(self, x: Any, y: Any, *, border: bool) -> Any:
        """Tell whether the disc holds a point, its border counted or not."""
        far, limit = (x - self.x) ** 2 + (y - self.y) ** 2, self.r**2
        return far <= limit if border else far < limit

    def nearer(self, r: int, x: Any, y: Any) -> Any:
        """Tell whether a point is nearer than r to the disc."""
        return (x - self.x) ** 2 + (y - self.y) ** 2 < (self.r + r) ** 2


@dataclass(frozen=True)
class Line:
    """A straight line between two points."""

    a: Point
    b: Point

    def box(self) -> tuple[int, int, int, int]:
        """Return the bounding box."""
        (ax, ay), (bx, by) = self.a, self.b
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def nearer(self, r: int, x: Any, y: Any) -> Any:
        """Tell whether a point is nearer than r to the line: beside it by the cross product, else to an end."""
        (ax, ay), (bx, by) = self.a, self.b
        dx, dy = bx - ax, by - ay
        length2 = dx**2 + dy**2
        along = (x - ax) * dx + (y - ay) * dy
        aside = dx * (y - ay) - dy * (x - ax)
        beside = (along >= 0) & (along <= length2) & (aside**2 < r * r * length2)
        near_a = (x - ax) ** 2 + (y - ay) ** 2 < r * r
        near_b = (x - bx) ** 2 + (y - by) ** 2 < r * r
        return beside | near_a | near_b


@dataclass(frozen=True)
class Polygon:
    """A convex polygon, its corners in either sense."""

    corners: tuple[Point, ...]

    @property
    def sides(self) -> list[tuple[Point, Point]]:
        """The sides, anticlockwise."""
        corners = self.corners if self.sense() > 0 else self.corners[::-1]
        return list(zip(corners, corners[1:] + corners[:1], strict=True))

    def sense(self) -> int:
        """Return twice the area, positive if the corners go anticlockwise."""
        return sum(cross(a, b) for a, b in zip(self.corners, self.corners[1:] + self.corners[:1], strict=True))

    def box(self) -> tuple[int, int, int, int]:
        """Return the bounding box."""
        xs, ys = zip(*self.corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def holds(self, x: Any, y: Any, *, border: bool) -> Any:
        """Tell whether the polygon holds a point: to the left of every side."""
        inside: Any = True
        for (ax, ay), (bx, by) in self.sides:
            left = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            inside = inside & (left >= 0 if border else left > 0)
        return inside

    def nearer(self, r: int, x: Any, y: Any) -> Any:
        """Tell whether a point is nearer than r to the polygon: within, or near a side."""
        near = self.holds(x, y, border=True)
        for a, b in self.sides:
            near = near | Line(a, b).nearer(r, x, y)
        return near


Shape = Disc | Polygon | Line


def is_convex(corners: Sequence[Point]) -> bool:
    """Tell whether every corner turns to the same hand and all of them together turn once round.

    A point of the outline that is no true corner, or comes twice, makes it not convex.
    """
    count = len(corners)
    ways = [minus(corners[(k + 1) % count], corners[k]) for k in range(count)]
    hands = [cross(ways[k - 1], ways[k]) for k in range(count)]
    if not (all(hand > 0 for hand in hands) or all(hand < 0 for hand in hands)):
        return False
    # Going round once, all corners lie on the same side of each side; a star has some on the other.
    side = 1 if hands[0] > 0 else -1
    return all(side * cross(ways[k], minus(c, corners[k])) >= 0 for k in range(count) for c in corners)
