"""The lane: its ground, its obstacles and rises as one side meets them, the woods (B-LAN-8, B-TER-9 to B-TER-12)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from tests.naive.battlesystem.tables import INCH

KINDS = ("clear", "road", "woods", "rough", "swamp", "water", "ford")
OBSTACLES = {"barrier": "barrier", "wall": "barrier", "fence": "barrier"} | dict.fromkeys(
    ("ditch", "stream", "gully", "trench"), "ditch"
)
SIDES = ("front", "flank", "rear")


class Ground(NamedTuple):
    """Ground from one place to another, its height in feet."""

    begin: int
    end: int
    kind: str
    height: int = 0


class Feature(NamedTuple):
    """Something to be paid for when a front passes it: an obstacle, or one rise of 10 feet."""

    at: int
    kind: str


CLEAR = Ground(0, 0, "clear")


@dataclass(frozen=True)
class Lane:
    """A lane; side 0 starts at 0 and goes up, side 1 starts at `length` and goes down.

    `contact[s]` is the side of the enemy that side s strikes; `start[s]` its declaration in force at the start.
    """

    length: int = 24 * INCH
    ground: tuple[Ground, ...] = ()
    points: tuple[Feature, ...] = ()
    contact: tuple[str, str] = ("front", "front")
    start: tuple[str, str] = ("none", "none")
    in_contact: bool = False

    def on(self, place: int, step: int) -> Ground:
        """Return the ground just above (step 1) or just below (-1) a place; beyond the lane's ends it goes on."""
        found = self._listed(place, step)
        if found is None and ((step < 0 and place <= 0) or (step > 0 and place >= self.length)):
            found = self._listed(place, -step)
        return found or CLEAR

    def _listed(self, place: int, step: int) -> Ground | None:
        for ground in self.ground:
            if (ground.begin <= place < ground.end) if step > 0 else (ground.begin < place <= ground.end):
                return ground
        return None

    def ahead(self, place: int, side: int) -> Ground:
        """Return the ground before a front of a side."""
        return self.on(place, way(side))

    def stands(self, place: int, side: int) -> Ground:
        """Return the ground behind a front of a side: where it stands."""
        return self.on(place, -way(side))

    def borders(self) -> list[int]:
        """Return all places where anything changes."""
        ends = [end for ground in self.ground for end in (ground.begin, ground.end)]
        return sorted({*ends, *(point.at for point in self.points)})

    def features(self, side: int) -> list[Feature]:
        """Return obstacles and rises in the order in which a side meets them; at one place obstacles come first."""
        found = []
        for at in self.borders()[:: way(side)]:
            found += [point for point in self.points if point.at == at]
            up = self.ahead(at, side).height - self.stands(at, side).height
            found += [Feature(at, "rise")] * -(-max(0, up) // 10)
        return found


def way(side: int) -> int:
    """Return the direction in which a side goes."""
    return -1 if side else 1


def places(inches: int | float | str | Fraction) -> int:
    """Turn inches into 36ths: multiples up to a millionth of an inch."""
    value = Fraction(str(inches)) * INCH
    whole = round(value)
    if abs(value - whole) > Fraction(INCH, 10**6):
        raise ValueError(f"{inches} inches; allowed: multiples of 1/36 inch")
    return whole


def lane_of(
    length: int | float | str | Fraction = 24,
    ground: Sequence[Mapping[str, Any]] = (),
    points: Sequence[Mapping[str, Any]] = (),
    **more: Any,
) -> Lane:
    """Read a lane in inches."""
    grounds = sorted(
        Ground(places(one["from"]), places(one["to"]), one["kind"], one.get("height", 0)) for one in ground
    )
    for one in grounds:
        if one.kind not in KINDS or one.begin >= one.end:
            raise ValueError(f"ground {one}; allowed: kinds {KINDS}, from < to")
    for left, right in pairwise(grounds):
        if left.end > right.begin:
            raise ValueError(f"ground {left} and {right} overlap")
    features = tuple(Feature(places(one["at"]), OBSTACLES[one["kind"]]) for one in points)
    return Lane(places(length), tuple(grounds), features, **more)


def touching(lane: Lane) -> Lane:
    """Return the lane of units whose fronts touch from the start: no length."""
    return replace(lane, length=0)


# Woods


def at_edge(lane: Lane, place: int, side: int) -> bool:
    """Tell whether a unit stands in woods with its front at their border, facing out (B-LAN-18)."""
    return lane.stands(place, side).kind == "woods" and lane.ahead(place, side).kind != "woods"


def inside(lane: Lane, place: int, side: int) -> bool:
    """Tell whether a unit stands deeper inside woods than the edge (B-TER-9)."""
    return lane.stands(place, side).kind == "woods" and not at_edge(lane, place, side)


def sight(woodland: bool) -> int:
    """Inches that a figure sees in woods (B-TER-11)."""
    return 6 if woodland else 1


def forest_fire(turns: int, wind: str = "calm") -> tuple[Fraction, Fraction]:
    """Width and length in inches of a fire so many turns after its start (B-TER-12; its growth is of the radius)."""
    half = Fraction(1, 2)
    if wind == "calm":
        return half + turns, half + turns
    return half + turns, 1 + Fraction({"light": 1, "strong": 2}[wind] * turns)
