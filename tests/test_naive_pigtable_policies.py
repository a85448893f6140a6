"""The plain twin's policies on a table, and what routes are worth to them (P-GAM-19 to P-GAM-24)."""

from typing import Any

import pytest

from tests.naive.pigtable.exact import ground_of, values_of_route
from tests.naive.pigtable.fields import CHOICES, rules_of
from tests.naive.pigtable.match import play
from tests.naive.pigtable.policies import POLICIES, candidates, corners, round_about
from tests.naive.pigtable.ride import Man, Plan, Ride
from tests.naive.pigtable.scenes import KEY, table_of
from tests.naive.pigtable.worth import SCALE, Rider, Walk, exact, whole

BOX = [[-8, -3], [-4, -3], [-4, 3], [-8, 3]]
HILL = {"kind": "hill", "polygon": BOX, "levels": [{"polygon": BOX}]}
ON = (-400, 0)
RULES = rules_of({})
WALL = {"kind": "wall", "line": [[0, -3], [0, 3]]}
FENCE = {"kind": "fence", "line": [[0, -3], [0, 3]]}
VARIED = ("failed_stop", "downhill_cross", "neighbour_policy", "pig_bonus")


def planned(policy: str, table: Any, start: tuple[int, int], others: Any = (), pig: Any = None, **rules: Any) -> Plan:
    """Return what a policy plans."""
    men = {seat: Man(seat=seat, place=place) for seat, place in enumerate(others, 1)}
    levels = rules.pop("levels", 0)
    ride = Ride(table, rules_of(rules), Man(place=start, levels=levels), pig or table.pig, men)
    plan: Plan = POLICIES[policy](ride)
    return Plan(tuple(plan.legs(start)), plan.target)


def test_straight() -> None:
    """P-GAM-19: at the pig; round the blocker's nearest corner; else up to it."""
    pig = (576, 0)
    assert planned("straight", table_of(pig=[9, 0]), ON) == ((pig,), "pig")
    assert planned("straight", table_of(FENCE, pig=[9, 0]), ON) == ((pig,), "pig")
    wall = table_of(WALL, pig=[9, 0])
    assert planned("straight", wall, ON) == (((-96, 0), (-33, -225), pig), "pig")
    assert planned("straight", wall, (-400, 1)).points[1] == (-33, 225)
    assert planned("straight", wall, (-90, 0)) == (((-33, -225), pig), "pig")
    assert planned("straight", table_of(pig=[9, 0]), ON, others=[(0, 0)]) == (((-128, 0), (-65, -65), pig), "pig")
    # Without a corner: to the contact on the flat, after a descent a stop where he would have turned.
    shut = [[(-100, y) for y in (-190, 190)], [(-40, y) for y in (-300, 300)]]
    others = shut[0] + shut[1]
    assert planned("straight", wall, ON, others=others) == ((pig,), "pig")
    hill = table_of(HILL, WALL, pig=[9, 0])
    assert planned("straight", hill, ON, others=others) == (((-96, 0),), "stop")
    assert planned("straight", hill, (-90, 0), others=others, levels=1) == ((), "stop")


def test_candidates() -> None:
    """P-GAM-20: corners of pieces and of levels, points beside lines, corners of lancers, rings round the pig."""
    assert corners((0, 0, 10, 20), 33) == [(-33, -33), (43, -33), (43, 53), (-33, 53)]
    ring = round_about((0, 0), 192)
    assert ring[:5] == [(192, 0), (177, 73), (136, 136), (73, 177), (0, 192)]
    assert [(-x, -y) for x, y in ring[8:]] == ring[:8]
    table = table_of({"kind": "obstacle", "disc": [5, 5, 1]}, HILL, FENCE, pig=[10, 10])
    ride = Ride(table, RULES, Man(place=(-600, -600)), table.pig, {2: Man(seat=2, place=(-600, 600))})
    found = candidates(ride, ride.ground())
    assert found[:4] == [(223, 223), (417, 223), (417, 417), (223, 417)]
    assert found[4:8] == [(-545, -225), (-223, -225), (-223, 225), (-545, 225)]
    assert found[8:12] == [(-33, -225), (33, -225), (33, 225), (-33, 225)]
    assert found[12:14] == [(-96, 0), (96, 0)]
    assert found[14:18] == [(-665, 535), (-535, 535), (-535, 665), (-665, 665)]
    assert len(found) < 18 + 32  # those off the table are left out


def test_router() -> None:
    """P-GAM-20: the best score, ties for fewer legs; no chance: as near as one leg brings him."""
    assert planned("router", table_of(pig=[9, 0]), ON) == (((576, 0),), "pig")
    short = table_of(WALL | {"line": [[0, -1], [0, 1]]}, pig=[9, 0])
    plan = planned("router", short, ON)
    assert (len(plan.points), plan.target) == (2, "pig")
    assert planned("router", short, ON, router_legs=1).target == "stop"
    square = [[-2, -2], [2, -2], [2, 2], [-2, 2]]
    cage = [{"kind": "wall", "line": [square[k - 1], square[k]]} for k in range(4)]
    shut = planned("router", table_of(*cage), ON)
    assert shut == (((-160, 0),), "stop")
    assert planned("router", table_of(*cage), (-160, 0)) == ((), "stop")
    # A ramp kills 10 of 36: worth it at 25 a wound, not at 100.
    chasm = [{"kind": "chasm", "line": [[0, y], [0, 12 * y]]} for y in (-1, 1)]
    bridge = table_of(*chasm, {"kind": "ramp", "line": [[0, -1], [0, 1]]}, pig=[9, 0])
    assert planned("router", bridge, ON) == (((576, 0),), "pig")
    assert planned("router", bridge, ON, harm=100).target == "stop"  # a route into the chasm's edge scores 0: better
    assert planned("cautious", bridge, ON) == (((-33, 0),), "stop")


def test_cautious() -> None:
    """P-GAM-21: no ramp, no change of direction after a descent; below a quarter he stops before the first roll."""
    assert planned("cautious", table_of(pig=[9, 0]), ON) == (((576, 0),), "pig")
    swamp = {"kind": "bog", "bog": "swamp", "polygon": [[0, -11], [2, -11], [2, 11], [0, 11]]}
    assert planned("cautious", table_of(swamp, pig=[9, 0]), ON) == (((0, 0),), "stop")
    assert planned("cautious", table_of(swamp, pig=[9, 0]), (0, 0)) == ((), "stop")
    hill = table_of(HILL, WALL, pig=[9, 0])
    assert planned("cautious", hill, ON).points[0] != (576, 0)
    assert planned("cautious", hill, ON, levels=1) == ((), "stop")


def test_whole_numbers_are_the_fractions() -> None:
    """P-GAM-20, P-GAM-22: with few tasks nothing is lost by rounding down."""
    table = table_of(HILL, FENCE | {"line": [[5, -3], [5, 3]]}, WALL | {"line": [[2, 5], [4, 5]]}, pig=[9, 0])
    for via in ((), ((0, 0),), ((-100, 200),), ((180, 280),)):
        steps = Walk(ground_of(table, RULES, table.pig), RULES, Rider(), ON, Plan((*via, table.pig), "pig")).steps
        fractions, numbers = exact(steps), whole(steps)
        for share, number in zip(fractions, numbers, strict=True):
            assert 0 <= share * SCALE - number < 4


@pytest.mark.thorough
def test_one_product_is_what_trying_all_throws_gives() -> None:
    """P-GAM-22: routes over everything there is, under many rules."""
    ramp = [{"kind": "chasm", "line": [[5, y], [5, 6 * y]]} for y in (-1, 1)]
    ramp.append({"kind": "ramp", "line": [[5, -1], [5, 1]]})
    high = [[0, -3], [2, -3], [2, 3], [0, 3]]
    second = {"kind": "hill", "polygon": high, "levels": [{"polygon": high}]}
    bog = {"kind": "bog", "bog": "shallow", "polygon": [[-4, -3], [-2, -3], [-2, 3], [-4, 3]]}
    table = table_of(HILL, bog, second, *ramp, {"kind": "hedge", "line": [[-1, 4], [3, 4]]}, pig=[9, 0])
    fields = [{name: value} for name, values in CHOICES.items() if name in VARIED for value in values]
    routes = [
        [ON],
        [ON, (-100, 200)],
        [ON, (-200, 50)],
        [ON, (0, 350)],
        [(-100, 200), (0, 200)],
        [(-300, 230), (60, 223)],
    ]
    for house in [*fields, {"altered_odds": True}, {"unicycle_damage": True}, {"dice": "1d10"}]:
        rules = rules_of(house)
        for route in routes:
            for lancers in ([], [(200, 20)], [(-60, 250)]):
                ground = ground_of(table, rules, table.pig, lancers)
                if not all(ground.free(point) for point in route):
                    continue
                values = values_of_route(table, house, table.pig, lancers, route, "pig")
                plan = Plan((*route[1:], table.pig), "pig")
                worth = exact(Walk(ground, rules, Rider(), route[0], plan).steps)
                assert worth == (values["rump"], values["wounded"], values["killed"]), (house, route, lancers)


def test_every_alternative_is_played() -> None:
    """Every choice of a field is a match of its own that comes to an end."""
    table = table_of(HILL, WALL, starts=[[-9, 0], [9, 0]], pig=[3, 0])
    for name, values in CHOICES.items():
        for value in values:
            match = play(table, rules_of({name: value, "max_rounds": 4}), ["straight", "cautious"], KEY, 1)
            assert match.over
    with pytest.raises(ValueError, match="initiative"):
        rules_of({"initiative": "loudest"})
