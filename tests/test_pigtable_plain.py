"""Errors of tables, exact values of routes and maps, beside the plain twin's (P-TAB-5, P-TAB-7, P-GAM-22, P-GAM-24)."""

import random
from typing import Any

import pytest

from simkit.games.pigtable.exact import solve_route
from simkit.games.pigtable.maps import work_out
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Scenario, complaints, ground_of
from simkit.games.pigtable.tables import read_table
from tests.naive.pigtable import table as naive
from tests.naive.pigtable.exact import METRICS, best_chance, cells, direct_chance, plan_of, values_of_route
from tests.naive.pigtable.exact import ground_of as naive_ground
from tests.naive.pigtable.fields import rules_of
from tests.naive.pigtable.files import random_file, random_route
from tests.naive.pigtable.matches import random_rules, random_table
from tests.naive.pigtable.worth import Rider, Walk, exact
from tests.pigtable_matches import house_of

BY_ITSELF = {"wrong_shape", "not_convex", "unknown_kind", "unknown_bog", "not_on_grid", "too_many"}
"""What keeps a piece, or more than there may be, off the table: what else is wrong with it may be told or not."""
NOT_ALONE = {"not_on_grid", "unknown_kind", "unknown_bog"}
"""What may hide, or be told beside, another mistake of the same piece."""

GRID = 256
"""Width of a map's squares: 4 inches."""


def naive_errors(told: dict[str, Any]) -> list[str]:
    """Return the codes that the twin finds."""
    try:
        naive.read_table(told, rules_of({}))
    except naive.TableError as error:
        return [wrong.code for wrong in error.errors]
    return []


def comparable(codes: list[str]) -> list[str]:
    """Return codes in an order; levels that do not nest count once, and may be off the table as well."""
    once = {"not_nested"} & {*codes}
    left_out = {"not_nested", "off_table"} if once else {"not_nested"}
    return sorted([code for code in codes if code not in left_out] + [*once])


@pytest.mark.parametrize("many", [300, pytest.param(5000, marks=pytest.mark.slow)])
def test_tables_have_the_same_errors(many: int) -> None:
    """Random files: as many errors of each code, as long as every piece is something by itself."""
    rules, seen = Rules(), set()
    for seed in range(many):
        told = random_file(seed)
        mine, theirs = naive_errors(told), [mistake.code for mistake in read_table(told, rules)[1]]
        by_itself = {*mine} & BY_ITSELF
        if by_itself:
            assert {*theirs} & by_itself, seed
            if len(by_itself) == 1 and not by_itself & NOT_ALONE:
                assert {*theirs} & BY_ITSELF == by_itself, seed
        else:
            assert comparable(theirs) == comparable(mine), seed
        seen |= {*mine}
    assert seen >= BY_ITSELF | {"off_table", "not_nested", "overlap", "bad_start", "ramp_without_chasm"}
    assert "ramp_too_narrow" in seen


@pytest.mark.parametrize(
    "many", [20, pytest.param(120, marks=pytest.mark.thorough), pytest.param(1500, marks=pytest.mark.slow)]
)
def test_routes_have_the_same_values(many: int) -> None:
    """Random routes on random tables under random rules: every fraction (P-TAB-7)."""
    seen = dict.fromkeys(METRICS, 0)
    for seed in range(many):
        told = random_route(seed)
        table = naive.read_table(told["told"], rules_of(told["rules"]))
        inches = [[x / naive.UNITS, y / naive.UNITS] for x, y in told["route"]]
        route = {
            "table": told["told"],
            "from": inches[0],
            "via": inches[1:],
            "target": told["target"],
            "lancers": [[x / naive.UNITS, y / naive.UNITS] for x, y in table.starts[1:]],
            "damage": told["damage"],
        }
        scenario, rules = Scenario.model_validate({"route": route}), house_of(told["rules"])
        assert complaints(scenario, rules) == []
        assert scenario.route is not None
        values, _ = solve_route(scenario.route, ground_of(scenario, rules), rules)
        own = values_of_route(
            table, told["rules"], table.pig, table.starts[1:], told["route"], told["target"], damage=told["damage"]
        )
        assert {name: values[name] for name in METRICS} == own, seed
        for name, value in own.items():
            seen[name] += value not in (0, 1)
        if "max_legs" not in told["rules"]:
            everything = rules_of(told["rules"])
            ground = naive_ground(table, everything, table.pig, table.starts[1:])
            plan = plan_of(told["route"], told["target"], table.pig)
            steps = Walk(ground, everything, Rider(damage=told["damage"]), told["route"][0], plan).steps
            assert exact(steps) == (own["rump"], own["wounded"], own["killed"]), seed
    assert all(seen.values()), seen
    assert sum(seen.values()) > many


@pytest.mark.parametrize(
    "many", [2, pytest.param(12, marks=pytest.mark.thorough), pytest.param(100, marks=pytest.mark.slow)]
)
def test_maps_have_the_same_chances(many: int) -> None:
    """Random tables: the chance of a rump from every place with one leg and with two (P-GAM-24)."""
    helped = 0
    for seed in range(many):
        rng = random.Random(seed)
        house = random_rules(rng, 0.15)
        told, everything, rules = random_table(rng, house, 2), rules_of(house), house_of(house)
        table = naive.read_table(told, everything)
        ground, mistakes = read_table(told, rules, (rules.base_lancer, rules.base_pig))
        assert mistakes == []
        found = [{best.point: best.chance for best in work_out(ground, rules, legs, GRID).cells} for legs in (1, 2)]
        places = cells(table, everything, GRID)
        assert found[0] == {place: direct_chance(table, everything, place) for place in places}, seed
        assert found[1] == {place: best_chance(table, everything, place) for place in places}, seed
        helped += sum(found[1][place] > found[0][place] for place in places)
    assert helped
