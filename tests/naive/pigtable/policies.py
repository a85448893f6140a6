"""The policies straight, router and cautious: what plan a lancer makes where he is (P-GAM-19 to P-GAM-21)."""

from collections.abc import Callable, Iterable
from math import isqrt
from typing import Any

from tests.naive.pigtable.lines import Ground, row
from tests.naive.pigtable.ride import Plan, Ride
from tests.naive.pigtable.shapes import Disc, Line, Point, Shape, squared
from tests.naive.pigtable.worth import SCALE, Rider, Step, Walk, whole

Box = tuple[int, int, int, int]
COSINES = (65536, 60547, 46341, 25080, 0)
"""Of 0, 22.5, 45, 67.5 and 90 degrees, times 65536."""
ROUND_THE_PIG = (192, 448)
"""Radii of the points round the pig: 3 and 7 inches (P-GAM-20)."""


def rounded(a: int, b: int) -> int:
    """Return a / b, halves away from zero; b > 0."""
    away = (2 * abs(a) + b) // (2 * b)
    return away if a >= 0 else -away


def corners(box: Box, grown: int) -> list[Point]:
    """Return the corners of a box that has grown: SW, SE, NE, NW."""
    west, south, east, north = box[0] - grown, box[1] - grown, box[2] + grown, box[3] + grown
    return [(west, south), (east, south), (east, north), (west, north)]


def beside(line: Line, way: int) -> list[Point]:
    """Return the two points off the middle of a line, the left one first."""
    (x1, y1), (x2, y2) = line.a, line.b
    dx, dy = x2 - x1, y2 - y1
    x, y = rounded(x1 + x2, 2), rounded(y1 + y2, 2)
    length = isqrt(dx * dx + dy * dy)
    ox, oy = rounded(-dy * way, length), rounded(dx * way, length)
    return [(x + ox, y + oy), (x - ox, y - oy)]


def round_about(pig: Point, radius: int) -> list[Point]:
    """Return 16 points round the pig, east first, anticlockwise."""
    cosines = [*COSINES, *(-c for c in COSINES[-2::-1])]  # 0 to 180 degrees
    cosines += cosines[-2:0:-1]  # and on to 337.5
    offsets = [rounded(radius * c, 65536) for c in cosines]
    return [(pig[0] + offsets[k], pig[1] + offsets[(k - 4) % 16]) for k in range(16)]


def candidates(ride: Ride, ground: Ground) -> list[Point]:
    """Return the turning points that a router thinks of, in their order (P-GAM-20)."""
    rules, r = ride.rules, ride.rules["base_lancer"]
    found: list[Point] = []
    for piece in ride.table.pieces:
        shapes: Iterable[Shape] = piece.levels if piece.kind == "hill" else [piece.shape]
        for shape in shapes:
            found += corners(shape.box(), r + 1)
        if piece.kind in ("fence", "hedge", "ramp"):
            assert isinstance(piece.shape, Line)
            found += beside(piece.shape, r + 64)
    for _, other in sorted(ride.others.items()):
        found += corners(Disc(*other.place, rules["base_lancer"]).box(), r + 1)
    for radius in ROUND_THE_PIG:
        found += round_about(ride.pig, radius)
    return [point for point in found if point != ride.man.place and ground.free(point)]


def walk(ride: Ride, ground: Ground, plan: Plan) -> Walk:
    """Ride a plan in thought."""
    man = ride.man
    return Walk(ground, ride.rules, Rider(man.levels, man.leg, man.spent, man.damage), man.place, plan)


STAY = Plan((), "stop")


def straight(ride: Ride) -> Plan:
    """Ride at the pig, or round what is in the way by its nearest corner (P-GAM-19)."""
    ground, rules, start, pig = ride.ground(), ride.rules, ride.man.place, ride.pig
    at_pig = Plan((pig,), "pig")
    line = walk(ride, ground, at_pig)
    contact = line.met
    assert contact is not None
    if contact.kind == "pig":
        return at_pig
    xs, ys = row(start, pig)
    points = [(int(x), int(y)) for x, y in zip(xs[: contact.index + 1], ys[: contact.index + 1], strict=True)]
    near = [p for p in points if squared(p, contact.end) <= rules["avoid_within"] ** 2 and ground.free(p)]
    turn = near[0]
    ways: list[tuple[int, int, Point]] = []
    for corner in box_corners(ride, contact.kind, contact.number):
        if corner == turn or not ground.free(corner):
            continue
        if any(event.what in ("cross", "ramp", "contact") for event in ground.events(turn, corner)):
            continue
        ways.append((isqrt(squared(turn, corner)) + isqrt(squared(corner, pig)), len(ways), corner))
    if ways:
        return Plan((turn, min(ways)[2], pig), "pig")
    return at_pig if line.rider.levels == 0 else Plan((turn,), "stop")


def box_corners(ride: Ride, kind: str, number: int) -> list[Point]:
    """Return the corners of what is in the way."""
    r = ride.rules["base_lancer"]
    if kind == "edge":
        return []
    if kind == "lancer":
        return corners(Disc(*ride.others[number].place, r).box(), r + 1)
    return corners(ride.table.pieces[number].shape.box(), r + 1)


def best_route(ride: Ride, ground: Ground, harm: int, allowed: Callable[[list[Step]], bool]) -> tuple[int, Plan] | None:
    """Return the route of the best score with its chance of a rump, of those that are allowed (P-GAM-20)."""
    plans = [Plan((ride.pig,), "pig")]
    if ride.rules["router_legs"] > 1:
        plans += [Plan((point, ride.pig), "pig") for point in candidates(ride, ground)]
    best: tuple[int, int, Plan] | None = None
    for plan in plans:
        steps = walk(ride, ground, plan).steps
        if not allowed(steps):
            continue
        worth = whole(steps)
        score = 100 * worth.rump - harm * (worth.wounded + 4 * worth.killed)
        if best is None or score > best[0]:
            best = (score, worth.rump, plan)
    return best[1:] if best else None


def router(ride: Ride) -> Plan:
    """Ride the route of the best score; without a chance go where the pig is near (P-GAM-20)."""
    ground = ride.ground()
    best = best_route(ride, ground, ride.rules["harm"], lambda steps: True)
    assert best is not None
    return best[1] if best[0] > 0 else nearer(ride, ground)


def nearer(ride: Ride, ground: Ground) -> Plan:
    """Go to the place nearest to the pig that can be reached in one leg without a descent (P-GAM-20)."""
    man, pig = ride.man, ride.pig
    places = [man.place] if man.levels == 0 else []
    line = walk(ride, ground, Plan((pig,), "pig"))
    assert line.met is not None
    if line.met.end != man.place and line.rider.levels == 0:
        places.append(line.met.end)
    for point in candidates(ride, ground):
        way = walk(ride, ground, Plan((point,), "stop"))
        if way.met is None and way.rider.levels == 0:
            places.append(point)
    if not places:
        return STAY
    place = min(places, key=lambda p: squared(p, pig))
    return STAY if place == man.place else Plan((place,), "stop")


def cautious(ride: Ride) -> Plan:
    """Ride a route without what is dangerous, or as far as nothing asks for a roll (P-GAM-21)."""

    def allowed(steps: list[Step]) -> bool:
        return not any(step.kind == "ramp" or (step.turns and step.levels > 0) for step in steps)

    ground = ride.ground()
    best = best_route(ride, ground, ride.rules["cautious_harm"], allowed)
    if best is not None and best[0] >= SCALE // 4:
        return best[1]
    man, pig = ride.man, ride.pig
    if man.levels > 0:
        return STAY
    for event in ground.events(man.place, pig):
        if event.what == "contact":
            continue  # at L = 0
        if event.index <= 1:
            return STAY
        xs, ys = row(man.place, pig)
        return Plan(((int(xs[event.index - 1]), int(ys[event.index - 1])),), "stop")
    return Plan((pig,), "pig")


POLICIES: dict[str, Any] = {"straight": straight, "router": router, "cautious": cautious}
