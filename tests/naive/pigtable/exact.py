"""The exact values of a route in one turn, by trying every total of every throw (P-TAB-7), and of a map (P-GAM-24)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.naive.pigtable.fields import rules_of
from tests.naive.pigtable.lines import Ground, lancer_solid, pig_solid
from tests.naive.pigtable.policies import candidates
from tests.naive.pigtable.ride import Man, Plan, Ride
from tests.naive.pigtable.shapes import Point
from tests.naive.pigtable.table import Table
from tests.naive.pigtable.worth import Rider, Walk, exact
from tests.naive.pigtickler import Throws, enumerate_exact

METRICS = ("attempt", "rump", "arrived", "wounded", "damaged", "runaway", "killed", "other_wounds")


class OneRoute(Ride):
    """A turn on a given route, in which nothing is planned anew."""

    plan: Plan
    damage: int

    def ride(self) -> Throws:
        """Ride the route."""
        yield from self.follow(self.plan)

    def outcome(self) -> dict[str, int]:
        """Return the metrics of a route."""
        man = self.man
        values = {
            "attempt": man.attempts > 0,
            "rump": man.rumps > 0,
            "arrived": man.arrived,
            "wounded": man.wounds > 0,
            "damaged": man.damage > self.damage,
            "runaway": man.runaway,
            "killed": man.killed,
            "other_wounds": man.other_wounds,
            "rolls": self.rolls,
            "turns_used": 1,
        }
        return {name: int(value) for name, value in values.items()}


def plan_of(route: Sequence[Point], target: str, pig: Point) -> Plan:
    """Return the plan that a route says, without the point where it begins."""
    return Plan((*route[1:], pig) if target == "pig" else tuple(route[1:]), target)


def begin_route(
    table: Table,
    rules: Mapping[str, Any],
    pig: Point,
    lancers: Sequence[Point],
    route: Sequence[Point],
    target: str,
    damage: int = 0,
) -> OneRoute:
    """Return a turn on a route; the other lancers have seats from 1."""
    others = {seat: Man(seat=seat, place=place) for seat, place in enumerate(lancers, 1)}
    ride = OneRoute(table, rules_of(rules), Man(place=route[0], damage=damage), pig, others)
    ride.plan = plan_of(route, target, pig)
    ride.damage = damage
    return ride


def values_of_route(*route: Any, **more: Any) -> dict[str, Fraction]:
    """Return the exact values of a route; arguments as for `begin_route`."""
    means = enumerate_exact({}, {}, lambda: begin_route(*route, **more))
    return {name: Fraction(means[name]) for name in METRICS}


def ground_of(table: Table, rules: Mapping[str, Any], pig: Point, lancers: Sequence[Point] = ()) -> Ground:
    """Return what a lancer meets on a table."""
    figures = [pig_solid(pig, rules), *(lancer_solid(k, place, rules) for k, place in enumerate(lancers, 1))]
    return Ground(table, rules["base_lancer"], figures)


def direct_chance(table: Table, rules: Mapping[str, Any], place: Point) -> Fraction:
    """Return the chance of a rump by the straight line to the pig where it starts."""
    walk = Walk(ground_of(table, rules, table.pig), dict(rules), Rider(), place, Plan((table.pig,), "pig"))
    return Fraction(exact(walk.steps).rump)


def cells(table: Table, rules: Mapping[str, Any], grid: int = 64) -> list[Point]:
    """Return the centres of the squares where a lancer may stand, the pig being where it starts (P-GAM-24)."""
    ground = ground_of(table, rules, table.pig)
    steps = range(-table.half + grid // 2, table.half, grid)
    return [(x, y) for y in steps for x in steps if ground.free((x, y))]


def mean_chance(table: Table, rules: Mapping[str, Any]) -> tuple[Fraction, int]:
    """Return the mean chance of a rump with one leg over the cells, and their number."""
    places = cells(table, rules)
    return sum((direct_chance(table, rules, place) for place in places), Fraction(0)) / len(places), len(places)


def best_chance(table: Table, rules: Mapping[str, Any], place: Point) -> Fraction:
    """Return the greatest chance of a rump with up to two legs, harm not counted (P-GAM-24)."""
    ground = ground_of(table, rules, table.pig)
    ride = OneRoute(table, dict(rules), Man(place=place), table.pig)
    best = direct_chance(table, rules, place)
    for point in candidates(ride, ground) if rules["max_legs"] > 1 else ():  # P-GAM-11: he would stop before the second
        walk = Walk(ground, dict(rules), Rider(), place, Plan((point, table.pig), "pig"))
        best = max(best, Fraction(exact(walk.steps).rump))
    return best
