"""The hex map of the twin: directions, arcs, lines and terrain (J-MAP-1 to J-MAP-5, J-TER-1)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

Hex = tuple[int, int]

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Clockwise from east, q east and r south-east."""

KINDS = ("forest", "rubble", "house", "obstacle", "wall")
BLOCKS_SIGHT = ("forest", "house", "wall")
SPIKED_ARCS = (1, 2, 4, 5)


def step(place: Hex, direction: int) -> Hex:
    """Return the next hex in a direction."""
    dq, dr = DIRECTIONS[direction % 6]
    return place[0] + dq, place[1] + dr


def distance(a: Hex, b: Hex) -> int:
    """Return the hexes from a to b."""
    dq, dr = b[0] - a[0], b[1] - a[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def pack(place: Hex) -> int:
    """Write a hex as the number that events carry."""
    return (place[0] + 64) * 128 + place[1] + 64


def unpack(value: int) -> Hex:
    """Read a hex from an event."""
    return value // 128 - 64, value % 128 - 64


def direction_to(a: Hex, b: Hex) -> int:
    """Return the direction in which the adjacent hex b lies from a."""
    return DIRECTIONS.index((b[0] - a[0], b[1] - a[1]))


def arc(place: Hex, facing: int, other: Hex) -> int:
    """Return the relative arc of an adjacent hex: 0 front, clockwise (J-MAP-1)."""
    return (direction_to(place, other) - facing) % 6


def in_front(place: Hex, facing: int, other: Hex, degrees: int) -> bool:
    """Tell whether a hex lies in the forward cone, borders included (J-MAP-3)."""
    q, r = other[0] - place[0], other[1] - place[1]
    for _ in range(facing % 6):
        q, r = q + r, -q  # a sixth of a turn anticlockwise
    if degrees == 180:
        return 2 * q + r >= 0
    if degrees != 60:
        raise ValueError(f"forward_cone_deg = {degrees}; allowed: 60, 180")
    return r <= q if r >= 0 else -2 * r <= q


def line(a: Hex, b: Hex) -> list[list[Hex]]:
    """Return what lies between two hexes: for each step of the straight line the hex it is in, or both at a border."""
    steps = distance(a, b)
    found = []
    for k in range(1, steps):
        q = a[0] + Fraction((b[0] - a[0]) * k, steps)
        r = a[1] + Fraction((b[1] - a[1]) * k, steps)
        low = (q.__floor__(), r.__floor__())
        near = [(low[0] + i, low[1] + j) for i in range(2) for j in range(2)]
        off = {h: (q - h[0]) ** 2 + (q - h[0]) * (r - h[1]) + (r - h[1]) ** 2 for h in near}  # the square of how far
        found.append([h for h in near if off[h] == min(off.values())])
    return found


class Board:
    """The map of one battle, with what changes on it: walls that fall, and wreckage."""

    def __init__(self, inside: Iterable[Hex], terrain: Mapping[Hex, str]) -> None:
        self.inside = frozenset(inside)
        self.terrain = dict(terrain)
        unknown = sorted(set(self.terrain.values()) - set(KINDS))
        if unknown or not set(self.terrain) <= self.inside:
            raise ValueError(f"terrain {unknown or 'outside the map'}; allowed: {KINDS}, inside the map")
        self.walls = [place for place, kind in self.terrain.items() if kind == "wall"]
        self.wall_hits = [0] * len(self.walls)
        self.wrecks: set[Hex] = set()

    def fresh(self) -> "Board":
        """Return the map as it is before a battle."""
        return Board(self.inside, self.terrain)

    def wall_at(self, place: Hex) -> int:
        """Return the number of the wall that stands in a hex, or -1."""
        number = self.walls.index(place) if place in self.walls else -1
        return number if number >= 0 and self.wall_hits[number] > 0 else -1

    def kind(self, place: Hex) -> str:
        """Return the kind of terrain as it is now: a fallen wall is rubble (J-COL-4)."""
        kind = self.terrain.get(place, "open")
        return "rubble" if kind == "wall" and self.wall_at(place) < 0 else kind

    def solid(self, place: Hex) -> bool:
        """Tell whether no jug can be in a hex of the map, whoever is there."""
        return self.kind(place) in ("obstacle", "wall")

    def loss(self, place: Hex, rules: Any, *, wreckage: bool = True) -> int:
        """Return the velocity lost on entering a hex (J-TER-1, J-DMG-5)."""
        kind = self.kind(place)
        lost = getattr(rules, f"{kind}_loss") if kind in ("forest", "rubble", "house") else 0
        return int(lost + (rules.wreckage_loss if wreckage and place in self.wrecks else 0))

    def sees(self, a: Hex, b: Hex) -> bool:
        """Tell whether nothing on the line blocks; a line along a border is blocked if both its hexes block."""
        return not any(all(self.kind(place) in BLOCKS_SIGHT for place in both) for both in line(a, b))
