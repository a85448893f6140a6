"""Where the mechanical pig goes (P-GAM-16)."""

from typing import Any, NamedTuple

from tests.naive.pigtable.lines import Ground, Solid
from tests.naive.pigtable.policies import rounded
from tests.naive.pigtable.shapes import Point
from tests.naive.pigtable.table import PASSABLE, Table

WAYS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""East first, anticlockwise."""


class Move(NamedTuple):
    """Where the pig stands after its move, and what stopped it."""

    place: Point
    lancer: int = -1
    piece: int = -1


def move_pig(
    table: Table, rules: dict[str, Any], place: Point, lancers: list[Solid], direction: int, inches: int
) -> Move:
    """Return how far the pig comes."""
    dx, dy = WAYS[direction]
    units = rounded(64 * inches * 46341, 65536) if dx and dy else 64 * inches
    if units == 0:
        return Move(place)
    goal = place[0] + dx * units, place[1] + dy * units
    ground = Ground(table, rules["base_pig"], lancers)
    events = ground.events(place, goal, PASSABLE if rules["pig_crosses"] else ())
    if not events or events[-1].what != "contact":
        return Move(goal)
    met = events[-1]
    return Move(met.end, met.number) if met.kind == "lancer" else Move(met.end, -1, met.number)
