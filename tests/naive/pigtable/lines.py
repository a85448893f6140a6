"""Legs as rows of lattice points, spans of shapes on them, and the events of a leg (P-TAB-2, P-TAB-3, P-TAB-6).

Every point of the row is asked whether it lies in a shape; nothing is clipped or solved.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from tests.naive.pigtable.shapes import Disc, Point, Shape
from tests.naive.pigtable.table import PASSABLE, Table, areas

AREA_EVENTS = ("down", "leave", "up", "enter")
CONTACTS = ("pig", "lancer", "obstacle", "wall", "chasm", "ramp", "fence", "hedge", "edge")
"""Orders of events at one index (P-TAB-6)."""

EDGE, PIG = -2, -3
"""What stands for a piece."""

Span = tuple[int, int]


@dataclass(frozen=True)
class Event:
    """Something met on a leg."""

    index: int
    what: str  # down, leave, up, enter, cross, ramp, contact
    kind: str  # the kind of bog, line or contact
    number: int  # the piece; of a lancer his seat
    clear: int = -1  # where a crossed line is clear again
    end: Point = (0, 0)  # the point itself
    moved: bool = False  # put off until a line was crossed


class Solid(NamedTuple):
    """Something that a base cannot ride through."""

    kind: str
    number: int
    shape: Shape


@lru_cache(maxsize=4096)
def _row(dx: int, dy: int) -> tuple[Any, Any]:
    n = max(abs(dx), abs(dy))
    i = np.arange(n + 1, dtype=np.int64)

    def rounded(d: int) -> Any:
        away = (2 * i * abs(d) + n) // (2 * n)  # halves go away from zero
        return away if d >= 0 else -away

    return rounded(dx), rounded(dy)


def row(a: Point, b: Point) -> tuple[Any, Any]:
    """Return the x and the y of the lattice points of a leg (P-TAB-2)."""
    if a == b:
        raise ValueError(f"a leg from {a} to the same point")
    x, y = _row(b[0] - a[0], b[1] - a[1])
    return a[0] + x, a[1] + y


class Ground:
    """A table with the figures on it, as a figure of radius r meets them that is not among them itself."""

    def __init__(self, table: Table, r: int, figures: Iterable[Solid]) -> None:
        self.table = table
        self.r = r
        self.figures = list(figures)
        self.solids = self.figures + [Solid(piece.kind, k, piece.shape) for k, piece in table.solids()]
        self.fields: list[tuple[str, str, int, Shape]] = []
        for k, piece in enumerate(table.pieces):
            self.fields += [("level", "", k, level) for level in piece.levels]
            if piece.kind == "bog":
                self.fields.append(("bog", str(piece.bog), k, piece.shape))

    def free(self, place: Point) -> bool:
        """Tell whether a figure may stand at a point."""
        if bool(self.table.beyond(self.r, *place)):
            return False
        return not any(bool(solid.shape.nearer(self.r, *place)) for solid in self.solids)

    def ray(self, a: Point, b: Point) -> Point:
        """Return the end of the ray from b along the leg from a: the first multiple that is off the table."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        x, y = b[0] + dx, b[1] + dy
        while not bool(self.table.beyond(0, x, y)):
            x, y = x + dx, y + dy
        return x, y

    def spans(self, a: Point, b: Point) -> dict[Solid, Span]:
        """Return the spans of the solids that a leg meets, the edge among them."""
        xs, ys = row(a, b)
        found = {}
        for solid in self.solids:
            span = span_of(xs, ys, solid.shape, self.r, partial(solid.shape.nearer, self.r))
            if span is not None:
                found[solid] = span
        outside = np.flatnonzero(self.table.beyond(self.r, xs, ys))
        if len(outside):
            found[Solid("edge", EDGE, Disc(0, 0, 0))] = int(outside[0]), int(outside[-1])
        return found

    def first_contact(self, a: Point, b: Point) -> Event:
        """Return what the ray of a leg meets first, whether it could be crossed or not (P-GAM-7)."""
        return self.events(b, self.ray(a, b), crosses=(), walls=())[-1]

    def runaway(self, a: Point, b: Point) -> list[Event]:
        """Return the events of the ray of a leg if another steers: ramps alone are crossed (P-GAM-13)."""
        return self.events(b, self.ray(a, b), crosses=("ramp",), walls=("ramp",))

    def events(
        self, a: Point, b: Point, crosses: Collection[str] = PASSABLE, walls: Collection[str] = PASSABLE
    ) -> list[Event]:
        """Return the events of a leg in their order, up to the first contact that is not crossed.

        The kinds of line in `crosses` are crossed where there is room; those in `walls` count as a wall, or a chasm,
        where there is none.
        """
        xs, ys = row(a, b)
        n = len(xs) - 1
        spans = self.spans(a, b)
        met = []
        for solid, (first, last) in spans.items():
            kind, clear = solid.kind, last + 1
            if kind in walls and not has_room(solid, spans, n):
                kind = "chasm" if kind == "ramp" else "wall"
            met.append((first - 1, CONTACTS.index(kind), solid.number, kind, clear))
        crossings: list[tuple[int, int]] = []
        events: list[Event] = []
        stop = n
        for j, _, number, kind, clear in sorted(met):
            assert j >= 0, (a, b, kind, number)
            if kind not in PASSABLE or kind not in crosses:
                events.append(Event(j, "contact", kind, number))
                stop = j
                break
            crossings.append((j, clear))
            events.append(Event(j, "ramp" if kind == "ramp" else "cross", kind, number, clear))
        for field in self.fields:
            for event in area_events(xs, ys, field):
                later = [k for j, k in crossings if j < event.index <= k]
                index = later[0] if later else event.index
                if index <= stop:
                    events.append(replace(event, index=index, moved=bool(later)))
        events.sort(key=place_in_order)
        return [replace(event, end=(int(xs[event.index]), int(ys[event.index]))) for event in events]


def has_room(line: Solid, spans: Mapping[Solid, Span], n: int) -> bool:
    """Tell whether a passable line can be crossed: nothing else is met until it is clear again on this leg."""
    first, last = spans[line]
    others = [span for other, span in spans.items() if other != line]
    return last + 1 <= n and not any(other[0] <= last + 1 and other[1] >= first for other in others)


def place_in_order(event: Event) -> tuple[int, int]:
    """Return what events are sorted by; those alike keep their order, which is that of the file."""
    return event.index, AREA_EVENTS.index(event.what) if event.what in AREA_EVENTS else len(AREA_EVENTS)


def span_of(xs: Any, ys: Any, shape: Shape, grown: int, holds: Callable[[Any, Any], Any]) -> Span | None:
    """Return the first and the last index at which a shape holds the point (P-TAB-2); gaps do not count."""
    west, south, east, north = shape.box()
    boxed = (xs >= west - grown) & (xs <= east + grown) & (ys >= south - grown) & (ys <= north + grown)
    maybe = np.flatnonzero(boxed)
    if not len(maybe):
        return None
    held = maybe[np.flatnonzero(holds(xs[maybe], ys[maybe]))]
    return (int(held[0]), int(held[-1])) if len(held) else None


def area_events(xs: Any, ys: Any, field: tuple[str, str, int, Shape]) -> list[Event]:
    """Return when a leg comes into a level or a bog and out of it again (P-TAB-6)."""
    what, kind, number, shape = field
    area = areas([shape])[0]
    span = span_of(xs, ys, shape, 0, lambda x, y: area.holds(x, y, border=what == "level"))
    if span is None:
        return []
    into, out = ("up", "down") if what == "level" else ("enter", "leave")
    events = [Event(span[0], into, kind, number)] if span[0] > 0 else []
    if span[1] + 1 < len(xs):
        events.append(Event(span[1] + 1, out, kind, number))
    return events


def pig_solid(place: Point, rules: Mapping[str, Any]) -> Solid:
    """Return the pig as something to be met."""
    return Solid("pig", PIG, Disc(*place, rules["base_pig"]))


def lancer_solid(seat: int, place: Point, rules: Mapping[str, Any]) -> Solid:
    """Return a lancer as something to be met."""
    return Solid("lancer", seat, Disc(*place, rules["base_lancer"]))
