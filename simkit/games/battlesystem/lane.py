"""The lane on which two units meet: ground, heights and obstacles, in thirty-sixths of an inch (B-LAN-8).

A file says of it only what is not clear and level::

    lane = { length = 24, ground = [{ from = 10, to = 18, kind = "woods" }], points = [{ at = 4, kind = "barrier" }] }
"""

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from simkit.games.battlesystem.tables import GRID, Inches, KeyPath, Table, thirtysixths
from simkit.games.protocol import Complaint

GroundKind = Literal["clear", "road", "woods", "rough", "swamp", "water", "ford"]
GROUNDS: tuple[GroundKind, ...] = ("clear", "road", "woods", "rough", "swamp", "water", "ford")
PointKind = Literal["barrier", "ditch"]
POINTS: tuple[PointKind, ...] = ("barrier", "ditch")
"""Walls and fences; streams, ditches, gullies and trenches (B-LAN-8)."""

RISE = "rise"
"""What the front passes where the ground becomes higher: one for each 10 feet."""

FEET_A_RISE = 10
HIGHEST = 500
"""Greatest height of a ground in feet."""

MOST_PIECES = 32
"""Most segments of ground, and most obstacles, of a lane."""

DEFAULT_LENGTH = 24


class Ground(Table):
    """A stretch of ground that is not clear, or not level."""

    from_: Inches = Field(alias="from", description="where it begins, in inches from the start of side a")
    to: Inches = Field(description="where it ends, in inches from the start of side a")
    kind: GroundKind = Field("clear", description="clear, road, woods, rough, swamp, water or ford")
    height: Annotated[int, Field(ge=0, le=HIGHEST)] = Field(0, description="feet above the lane")


class Obstacle(Table):
    """An obstacle across the lane."""

    at: Inches = Field(description="where it lies, in inches from the start of side a")
    kind: PointKind = Field(description="barrier (wall, fence) or ditch (stream, ditch, gully, trench)")


class LaneTable(Table):
    """The lane as a file has it."""

    length: Inches | None = Field(None, description="inches between the starts of both sides; default 24")
    ground: Annotated[list[Ground], Field(max_length=MOST_PIECES)] = Field(
        [], description="what is not clear and level: {from = 10, to = 18, kind = ..., height = ...}"
    )
    points: Annotated[list[Obstacle], Field(max_length=MOST_PIECES)] = Field(
        [], description='obstacles: {at = 4, kind = "barrier"}'
    )


class Segment(NamedTuple):
    """A stretch of one kind of ground."""

    start: int
    end: int
    kind: GroundKind
    height: int


class Point(NamedTuple):
    """An obstacle."""

    at: int
    kind: PointKind


class Lane(NamedTuple):
    """A lane from the start of one side to that of the other, in thirty-sixths of an inch."""

    length: int
    segments: tuple[Segment, ...]
    """Ground without gaps, in order, from 0 to `length`; a lane of no length has one segment of none."""
    points: tuple[Point, ...]

    def ahead(self, place: int) -> Segment:
        """Return the ground before a front at a place; at the end of the lane, that behind it."""
        return next((one for one in self.segments if one.end > place), self.segments[-1])

    def behind(self, place: int) -> Segment:
        """Return the ground on which a unit with its front at a place stands; at its start, the ground ahead."""
        return next((one for one in reversed(self.segments) if one.start < place), self.segments[0])

    def features(self, place: int) -> tuple[str, ...]:
        """Return what a front passes at a place, in order: an obstacle, then the rises (B-LAN-8).

        Examples
        --------
        >>> ditch = [{"at": 4, "kind": "ditch"}]
        >>> hill = {"ground": [{"from": 4, "to": 24, "height": 25}], "points": ditch}
        >>> survey(LaneTable.model_validate(hill)).features(4 * 36)
        ('ditch', 'rise', 'rise', 'rise')
        """
        up = self.ahead(place).height - self.behind(place).height if 0 < place < self.length else 0
        obstacles = [point.kind for point in self.points if point.at == place]
        return (*obstacles, *[RISE] * -(-max(up, 0) // FEET_A_RISE))

    def next_edge(self, place: int) -> int:
        """Return the next place beyond this one at which ground or an obstacle begins, or the lane ends."""
        edges = [*(one.start for one in self.segments), *(point.at for point in self.points), self.length]
        return min((edge for edge in edges if edge > place), default=self.length)

    def mirrored(self) -> "Lane":
        """Return the lane as the other side sees it, from its own start."""
        end = self.length
        segments = tuple(Segment(end - s.end, end - s.start, s.kind, s.height) for s in reversed(self.segments))
        return Lane(end, segments, tuple(Point(end - point.at, point.kind) for point in reversed(self.points)))


def survey(table: LaneTable, length: int | None = None) -> Lane:
    """Return the lane that a file describes, its gaps filled with clear and level ground.

    Parameters
    ----------
    table
        A table about which :func:`complaints` has nothing to say.
    length
        Length in thirty-sixths of an inch, where it is not that of the table.

    Examples
    --------
    >>> lane = survey(LaneTable.model_validate({"ground": [{"from": 10, "to": 18, "kind": "woods"}]}))
    >>> [(one.start // 36, one.end // 36, one.kind) for one in lane.segments]
    [(0, 10, 'clear'), (10, 18, 'woods'), (18, 24, 'clear')]
    """
    end = length_of(table) if length is None else length
    filled: list[Segment] = []
    place = 0
    for one in sorted(_segments(table)):
        if one.start > place:
            filled.append(Segment(place, one.start, "clear", 0))
        filled.append(one)
        place = one.end
    if place < end or not filled:
        filled.append(Segment(place, end, "clear", 0))
    points = sorted(Point(thirtysixths(one.at), one.kind) for one in table.points)
    return Lane(end, tuple(filled), tuple(points))


def length_of(table: LaneTable) -> int:
    """Return the length of a lane in thirty-sixths of an inch."""
    return DEFAULT_LENGTH * GRID if table.length is None else thirtysixths(table.length)


def _segments(table: LaneTable) -> list[Segment]:
    return [Segment(thirtysixths(one.from_), thirtysixths(one.to), one.kind, one.height) for one in table.ground]


def complaints(table: LaneTable, at: KeyPath = (), length: int | None = None) -> list[Complaint]:
    """Return every reason why a lane cannot be: what is empty, beyond its end, or lies on something else (B-LAN-8).

    Parameters
    ----------
    table
        Any table.
    at
        Key path of the table in its file; the paths of the complaints begin with it.
    length
        Length in thirty-sixths of an inch, where it is not that of the table.
    """
    end = length_of(table) if length is None else length
    found = [*_wrong_ground(table, end), *_wrong_points(table, end)]
    return [complaint._replace(path=(*at, *complaint.path)) for complaint in found]


def _wrong_ground(table: LaneTable, end: int) -> Iterator[Complaint]:
    segments = _segments(table)
    for i, one in enumerate(segments):
        path: KeyPath = ("ground", i)
        if one.start >= one.end:
            message = f"ground from {_words(one.start)} to {_words(one.end)} has no extent"
            yield Complaint((*path, "to"), message, "B-LAN-8", "to lies beyond from")
        elif one.end > end:
            yield Complaint((*path, "to"), f"ground to {_words(one.end)}", "B-LAN-8", f"the lane ends at {_words(end)}")
        for j, other in enumerate(segments[:i]):
            if max(one.start, other.start) < min(one.end, other.end):
                message = f"ground from {_words(one.start)} lies on ground {j + 1} of the list"
                yield Complaint((*path, "from"), message, "B-LAN-8", "every place has one ground")


def _wrong_points(table: LaneTable, end: int) -> Iterator[Complaint]:
    places = [thirtysixths(one.at) for one in table.points]
    for i, place in enumerate(places):
        path: KeyPath = ("points", i, "at")
        if place > end:
            yield Complaint(path, f"an obstacle at {_words(place)}", "B-LAN-8", f"the lane ends at {_words(end)}")
        if place in places[:i]:
            message = f"two obstacles at {_words(place)}"
            yield Complaint(path, message, "B-LAN-8", "one obstacle at a place; 1/36 inch beside it there is room")


def _words(place: int) -> str:
    whole, rest = divmod(place, GRID)
    return f"{whole} inches" if not rest else f"{place / GRID:.4g} inches"
