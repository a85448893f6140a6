"""Moving on the lane: fractions of the movement, payments, roads, water, charges (B-TER-1 to 8, B-LAN-9 to 16)."""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.lane import Lane, way
from tests.naive.battlesystem.unit import Unit

COSTS = {
    "woods": "woods_cost", "rough": "rough_cost", "swamp": "swamp_cost", "ford": "ford_cost",
    "barrier": "obstacle_cost", "ditch": "obstacle_cost", "rise": "rise_cost",
}  # fmt: skip


@dataclass
class March:
    """A move: where it ends and what happened on the way. `spent` is what was used of the allowance, in 36ths."""

    place: int
    f: Fraction
    passed: int
    spent: Fraction = Fraction(0)
    paid: frozenset[str] = frozenset()
    met: bool = False  # the goal, and everything there that must be passed for contact
    steps: list[tuple[str, int, int]] = field(default_factory=list)  # pay or open, its kind or cause, the place


def change(f: Fraction, by: Fraction, rules: Any) -> Fraction:
    """Change the fraction of movement by a bonus or a penalty (`terrain_stack`)."""
    return f * (1 + by) if rules.terrain_stack == "multiply" else f + by


def allowance(unit: Unit, f: Fraction) -> int:
    """Return the allowance in 36ths, rounded down (B-LAN-9)."""
    return math.floor(unit.design.mv * f * t.INCH)


def rate(unit: Unit, kind: str) -> Fraction:
    """Return what one inch of ground takes of the allowance: less or more than 1 for swimmers in water (B-LAN-10)."""
    if kind == "water" and unit.design.swim is not None:
        return unit.design.mv / unit.design.swim
    return Fraction(1)


def aquatic(unit: Unit) -> bool:
    """Tell whether a unit may enter water (B-TER-8)."""
    return "water" in unit.design.exempt or unit.design.swim is not None


def run(lane: Lane, unit: Unit, march: March, goal: int, contact: bool, rules: Any) -> March:
    """Move as far as the allowance goes, to `goal` at most (B-LAN-9); for contact all that lies there is paid, too."""
    side, step = unit.side, way(unit.side)
    features = lane.features(side)
    borders = lane.borders()
    closed = unit.closed

    def open_ranks(cause: int) -> None:
        nonlocal closed
        if closed:
            march.steps.append(("open", cause, march.place))
        closed = False

    def pay(kind: str, strictly: bool) -> bool:
        lower = change(march.f, -getattr(rules, COSTS[kind]), rules)
        left = allowance(unit, lower)
        if left < march.spent or (strictly and left == march.spent):
            return False
        march.f = lower
        march.steps.append(("pay", t.PAYS[kind], march.place))
        return True

    while True:
        while march.passed < len(features) and features[march.passed].at == march.place:
            if march.place == goal and not contact:
                return march
            kind = features[march.passed].kind
            if not pay(kind, strictly=False):
                return march
            march.passed += 1
            if kind != "rise":
                open_ranks(t.BY_OBSTACLE)
        if step * (goal - march.place) <= 0:
            march.met = True
            return march
        kind = lane.ahead(march.place, side).kind
        if kind == "water" and not aquatic(unit):
            return march
        if kind in ("woods", "rough", "swamp", "ford") and kind not in unit.design.exempt | march.paid:
            if not pay(kind, strictly=True):
                return march
            march.paid |= {kind}
        most = math.floor((allowance(unit, march.f) - march.spent) / rate(unit, kind))
        if most <= 0:
            return march
        if kind in t.LOOSENING:
            open_ranks(t.BY_GROUND)
        ends = [abs(place - march.place) for place in (goal, *borders) if step * (place - march.place) > 0]
        far = min(most, *ends)
        march.place += step * far
        march.spent += far * rate(unit, kind)
        if far < min(ends):
            return march


def on_road(lane: Lane, unit: Unit) -> bool:
    """Tell whether the ground behind and ahead of the front is road (B-LAN-10)."""
    return lane.stands(unit.place, unit.side).kind == lane.ahead(unit.place, unit.side).kind == "road"


def road_end(lane: Lane, unit: Unit, goal: int) -> int:
    """Return how far towards the goal the road goes on."""
    place, step = unit.place, way(unit.side)
    while step * (goal - place) > 0 and lane.ahead(place, unit.side).kind == "road":
        place += step * min(abs(end - place) for end in (goal, *lane.borders()) if step * (end - place) > 0)
    return place


def move(lane: Lane, unit: Unit, f: Fraction, goal: int, contact: bool, rules: Any) -> March:
    """Move with a fraction of the movement; with the bonus of a road where that brings the unit further (B-LAN-10)."""
    plain = run(lane, unit, March(unit.place, f, unit.passed), goal, contact, rules)
    if not on_road(lane, unit):
        return plain
    end = road_end(lane, unit, goal)
    faster = March(unit.place, change(f, rules.road_move, rules), unit.passed)
    faster = run(lane, unit, faster, end, contact and end == goal, rules)
    faster.met = faster.met and end == goal
    return max(plain, faster, key=lambda one: (way(unit.side) * one.place, one.met))


def barred(lane: Lane, unit: Unit, foe: Unit) -> bool:
    """Tell whether anything on the way, both ends included, forbids a charge (B-LAN-16)."""
    step = way(unit.side)
    goal = foe.place if step * (foe.place - unit.place) > 0 else unit.place
    low, high = sorted((unit.place, goal))
    kinds = {lane.stands(unit.place, unit.side).kind, lane.on(goal, step).kind}
    kinds |= {lane.on(place, 1).kind for place in (low, *lane.borders()) if low <= place < high}
    if kinds & {"water", "ford"} or ("woods" in kinds and not unit.design.single):
        return True
    return any(low <= feature.at <= high for feature in lane.features(unit.side)[unit.passed :])


def charge(lane: Lane, unit: Unit, foe: Unit, rules: Any) -> March | None:
    """Return the move of a charge, if it is legal but for what the unit did before (B-LAN-16)."""
    if unit.gap(foe) < rules.charge_least * t.INCH or barred(lane, unit, foe):
        return None
    march = move(lane, unit, change(Fraction(1), rules.charge_move, rules), foe.place, True, rules)
    return march if march.met else None


def break_through(lane: Lane, unit: Unit, foe: Unit, rules: Any) -> March | None:
    """Return the move of a breakthrough: what is left of the charge, without the least distance (B-LAN-28)."""
    if unit.charge is None or barred(lane, unit, foe):
        return None
    f, spent, paid = unit.charge
    goal = unit.place + way(unit.side) * unit.gap(foe)
    march = run(lane, unit, March(unit.place, f, unit.passed, spent, paid), goal, True, rules)
    return march if march.met else None


def turns_all_round(f: Fraction, entering: Fraction, rules: Any) -> bool:
    """Tell whether a wall or spears to all sides can be taken: the cost and half a turn within f (B-LAN-14)."""
    return bool(entering + 2 * rules.turn_move <= f)
