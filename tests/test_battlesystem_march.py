"""How far units march: worked examples, right values as data, and a second reading of B-LAN-9 in plain inches."""

import doctest
import json
import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.games.battlesystem import march as marching
from simkit.games.battlesystem.lane import Lane, LaneTable, complaints, survey
from simkit.games.battlesystem.march import March, allowance, march, table
from simkit.games.battlesystem.ratings import Rating, rate
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.units import Design, load

CASES = json.loads((Path(__file__).parent / "cases" / "battlesystem_ratings.json").read_text(encoding="utf-8"))["cases"]
MARCHES = [
    (case["id"], *pair)
    for case in CASES
    if case["kind"] == "march"
    for pair in zip(case["given"], case["want"], strict=True)
]
RULES = Rules()
MULTIPLY = Rules(terrain_stack="multiply")


def lane(length: Any = 24, *ground: dict[str, Any], **points: Any) -> Lane:
    """Return a lane; `points` are kinds of obstacle with the places where they lie."""
    obstacles = [{"at": at, "kind": kind} for kind, places in points.items() for at in places]
    read = LaneTable.model_validate({"length": length, "ground": list(ground), "points": obstacles})
    assert complaints(read) == []
    return survey(read)


def some(kind: str, start: Any, end: Any, height: int = 0) -> dict[str, Any]:
    return {"from": start, "to": end, "kind": kind, "height": height}


def walker(mv: int = 12, **more: Any) -> Rating:
    return rate(Design.model_validate({"ar": 20, "ac": 8, "hd": 1, "mv": mv, "damage": "1d6", **more}), RULES)


def fronts(where: Lane, mv: int = 12, rules: Rules = RULES, **more: Any) -> list[str]:
    return [str(place) for place in march(where, walker(mv, **more), rules).fronts]


# Right values


@pytest.mark.parametrize(("id", "given", "want"), MARCHES, ids=[f"{one[0]}-{i}" for i, one in enumerate(MARCHES)])
def test_marches_of_the_public_cases(id: str, given: dict[str, Any], want: dict[str, Any]) -> None:
    found = march(survey(LaneTable.model_validate(given["lane"])), walker(given["mv"]), RULES)
    assert list(found.fronts) == want["front_after_each_round"]
    assert found.rounds == want["rounds"]


@pytest.mark.parametrize(
    ("ground", "more", "inches"),
    [
        ([some("road", 0, 40)], {}, "16"),
        ([some("woods", 0, 40)], {}, "8"),
        ([some("woods", 0, 40)], {"exempt": ["woods"]}, "12"),
        ([some("clear", 0, 1), some("clear", 1, 40, 20)], {}, "4"),
        ([some("rough", 0, 1), some("rough", 1, 40, 10)], {}, "2"),
    ],
)
def test_worked_example_7(ground: list[dict[str, Any]], more: dict[str, Any], inches: str) -> None:
    """B-TER-2 to B-TER-6, B-LAN-9: the first round of MV 12."""
    assert fronts(lane(40, *ground), **more)[0] == inches


def test_worked_example_7_of_rises_and_of_multiplying() -> None:
    third, half = -RULES.fraction("rise_cost"), -RULES.fraction("rough_cost")
    assert allowance(Fraction(12), [third] * 2, RULES) == 4
    assert allowance(Fraction(12), [third] * 3, RULES) == allowance(Fraction(12), [third] * 4, RULES) == 0
    assert allowance(Fraction(12), [half, third], RULES) == 2
    assert allowance(Fraction(12), [half, third], MULTIPLY) == 4
    steep = lane(40, some("rough", 0, 1), some("rough", 1, 40, 10))
    assert fronts(steep, rules=MULTIPLY)[0] == "4"


# One thing at a time


def test_where_nothing_lies() -> None:
    assert fronts(lane(24)) == ["12", "24"]
    assert march(lane(0), walker(), RULES).rounds == 0


def test_a_kind_of_ground_is_paid_once_a_round() -> None:
    """B-LAN-9."""
    stripes = lane(24, some("woods", 1, 2), some("woods", 3, 4), some("rough", 5, 6))
    first = march(stripes, walker(), RULES).legs[0]
    assert [(one.kind, one.place) for one in first.paid] == [("woods", 1)]  # 12 - 4 - 6 = 2 is less than the 5 walked
    assert (first.place, first.moved) == (5, 5)
    assert fronts(stripes) == ["5", "11", "23", "24"]


def test_two_grounds_that_cost_the_whole_move_are_not_entered_together() -> None:
    """B-LAN-9: rough and swamp are half of the move each; for ground the lower allowance must be more."""
    assert fronts(lane(12, some("rough", 0, 3), some("swamp", 3, 12))) == ["3", "9", "12"]
    assert fronts(lane(12, some("rough", 0, 3), some("swamp", 3, 12)), rules=MULTIPLY) == ["3", "9", "12"]
    # at 2 inches of 12 x 1/2 x 1/2 = 3 there is an inch left
    assert fronts(lane(12, some("rough", 0, 2), some("swamp", 2, 12)), rules=MULTIPLY) == ["3", "9", "12"]


def test_a_hill_is_climbed_in_steps() -> None:
    """B-LAN-9: payments made stay made."""
    hill = lane(24, some("clear", 4, 24, 60))
    legs = march(hill, walker(), RULES).legs
    assert [len(leg.paid) for leg in legs] == [2, 3, 1, 0]
    assert fronts(hill) == ["4", "4", "12", "24"]
    assert fronts(lane(24, some("clear", 4, 24, 60)).mirrored()) == ["12", "24"]  # down is free


def test_an_obstacle_comes_before_the_rise_behind_it() -> None:
    """B-LAN-8."""
    bank = lane(24, some("clear", 4, 24, 10), ditch=[4])
    first = march(bank, walker(), RULES).legs[0]
    assert [one.kind for one in first.paid] == ["ditch", "rise"] and first.place == 4


def test_an_obstacle_at_the_end_is_not_passed() -> None:
    assert march(lane(12, barrier=[12]), walker(), RULES).legs[0].paid == ()


def test_an_obstacle_at_the_start_is_passed() -> None:
    assert fronts(lane(12, barrier=[0])) == ["8", "12"]


def test_exempt_kinds_pay_nothing_for_their_ground_alone() -> None:
    """B-LAN-10."""
    mixed = lane(24, some("rough", 0, 6), some("swamp", 6, 24))
    assert fronts(mixed, exempt=["rough", "swamp"]) == ["12", "24"]
    assert fronts(mixed, exempt=["rough"])[0] == "6"  # 6 of 12 - 6 inches are walked


def test_a_ford_costs_a_third() -> None:
    assert fronts(lane(20, some("ford", 2, 4))) == ["8", "20"]
    assert fronts(lane(20, some("ford", 2, 4)), exempt=["ford"]) == ["12", "20"]
    assert fronts(lane(20, some("ford", 2, 4)), rules=Rules(ford_cost="1/12")) == ["11", "20"]


# Roads


def test_a_road_is_left_at_the_normal_rate() -> None:
    """B-LAN-10: the greater of the normal move and the faster one cut off at the road's end."""
    assert fronts(lane(40, some("road", 0, 10))) == ["12", "24", "36", "40"]
    legs = march(lane(40, some("road", 0, 14)), walker(), RULES).legs
    assert [(leg.place, leg.road) for leg in legs] == [(14, True), (26, False), (38, False), (40, False)]


def test_a_road_needs_road_behind_the_front_too() -> None:
    """B-LAN-10: but not at the beginning of the lane."""
    assert fronts(lane(40, some("road", 12, 40))) == ["12", "24", "40"]
    assert fronts(lane(40, some("road", 11, 40))) == ["12", "28", "40"]


def test_of_two_moves_to_one_place_it_is_the_normal_one() -> None:
    """B-LAN-10: 15 - 5 inches pay for the barrier at the road's end; of a hill two steps are climbed, not three."""
    legs = march(lane(40, some("road", 0, 10), barrier=[10]), walker(15), RULES).legs
    assert [(leg.place, leg.road, len(leg.paid)) for leg in legs] == [(10, False, 1), (25, False, 0), (40, False, 0)]
    legs = march(lane(40, some("road", 0, 4), some("road", 4, 40, 60)), walker(), RULES).legs
    assert [(leg.place, leg.road, len(leg.paid)) for leg in legs] == [
        (4, False, 2),
        (4, False, 3),
        (16, True, 1),
        (32, True, 0),
        (40, False, 0),
    ]


def test_a_road_changes_its_height() -> None:
    assert fronts(lane(40, some("road", 0, 6), some("road", 6, 40, 10))) == ["12", "28", "40"]
    up = 12 * Fraction(4, 3) * Fraction(2, 3)
    assert fronts(lane(40, some("road", 0, 6), some("road", 6, 40, 10)), rules=MULTIPLY)[0] == str(
        Fraction(math.floor(up * 36), 36)
    )


# Water


def test_water_stops_whoever_cannot_swim() -> None:
    """B-TER-8, B-LAN-10."""
    found = march(lane(24, some("water", 4, 8)), walker(), RULES)
    assert (found.crossed, found.rounds, found.fronts) == (False, None, (Fraction(4),))
    assert march(lane(24, some("water", 0, 8)), walker(), RULES) == March((), crossed=False)


@pytest.mark.parametrize(
    ("mv", "swim", "wanted"),
    [
        (6, 12, ["8", "18", "24"]),  # 4 inches of 6, and a third of 12; 8 of 12 in water, and a third of 6
        (6, 6, ["6", "12", "18", "24"]),
        (12, 3, ["6", "9", "12", "15", "24"]),  # 4 of 12, two thirds of 3; at last 1 of 3, and two thirds of 12
    ],
)
def test_inches_in_water_are_others(mv: int, swim: int, wanted: list[str]) -> None:
    """B-LAN-10: of a move, an inch in water takes 1/swim and an inch on land 1/MV."""
    assert fronts(lane(24, some("water", 4, 16)), mv=mv, swim=swim) == wanted


def test_a_move_ends_on_a_thirtysixth() -> None:
    """B-LAN-9: 3/7 of 12 inches are 185.14 thirty-sixths."""
    assert fronts(lane(24, some("water", 4, 16)), mv=7, swim=12)[0] == str(4 + Fraction(185, 36))
    assert fronts(lane(9, some("woods", 0, 9)), mv=7, rules=Rules(terrain_stack="multiply", woods_cost="5/12"))[0] == (
        "49/12"  # 7 x 7/12
    )


# Closed units


def test_a_closed_unit_is_broken_up_and_closes_again() -> None:
    """B-LAN-11."""
    fence = lane(40, barrier=[4])
    legs = march(fence, walker(), RULES, closed=True).legs
    assert [(leg.place, leg.closed, leg.reformed) for leg in legs] == [
        (8, False, False),
        (14, True, True),
        (26, True, False),
        (38, True, False),
        (40, True, False),
    ]
    assert march(fence, walker(), Rules(reform=False), closed=True).fronts == march(fence, walker(), RULES).fronts


def test_nobody_closes_in_woods_or_with_woods_behind_him() -> None:
    """B-LAN-11: exempt kinds neither."""
    woods = lane(40, some("woods", 6, 24))
    for more in ({}, {"exempt": ["woods"]}):
        legs = march(woods, walker(12, **more), RULES, closed=True).legs
        assert [leg.closed for leg in legs if 6 < leg.place <= 24] == [False] * sum(6 < leg.place <= 24 for leg in legs)
        assert legs[-1].closed and sum(leg.reformed for leg in legs) == 1
    assert [leg.place for leg in march(woods, walker(exempt=["woods"]), RULES, closed=True).legs] == [12, 24, 36, 40]


def test_rises_and_fords_leave_a_unit_closed() -> None:
    there = lane(24, some("ford", 2, 4), some("clear", 6, 24, 10))
    assert all(leg.closed for leg in march(there, walker(), RULES, closed=True).legs)


# Units that never arrive


def test_ground_that_costs_the_whole_move_is_never_entered() -> None:
    rules = Rules(woods_cost="1")
    found = march(lane(24, some("woods", 6, 12)), walker(), rules)
    assert (found.crossed, found.fronts) == (False, (6,))
    assert march(lane(24, barrier=[6]), walker(), Rules(obstacle_cost="1")).fronts == (6, 6, 18, 24)


def test_a_closed_unit_that_never_arrives() -> None:
    rules = Rules(woods_cost="1")
    assert march(lane(24, some("woods", 6, 12), barrier=[3]), walker(), rules, closed=True).crossed is False


# The table


def test_every_preset_crosses() -> None:
    there = lane(24, some("woods", 6, 18))
    found = table(there, load(), RULES)
    assert [row.name for row in found] == list(load())
    rounds = {row.name: row.march.rounds for row in found}
    assert {name: rounds[name] for name in ("pikemen", "dwarves", "elves", "light-cavalry")} == {
        "pikemen": 4,
        "dwarves": 5,
        "elves": 2,
        "light-cavalry": 2,
    }
    assert {row.title: row.move for row in found}["Heavy cavalry"] == 15


# A second reading


def second_reading(there: Lane, mv: int, rules: Rules) -> list[Fraction]:
    """March in inches, as B-LAN-9 is written; no roads and no water."""
    costs = {"woods": "woods_cost", "rough": "rough_cost", "swamp": "swamp_cost", "ford": "ford_cost"}

    def allowed(f: Fraction) -> Fraction:
        return Fraction(math.floor(mv * f * 36), 36)

    def less(f: Fraction, cost: Fraction) -> Fraction:
        return f - cost if rules.terrain_stack == "add" else f * (1 - cost)

    end = Fraction(there.length, 36)
    x, done, places = Fraction(0), 0, []
    while x < end and len(places) < 60:
        f, walked, kinds = Fraction(1), Fraction(0), set()
        while x < end:
            waiting = there.features(int(x * 36)) if (x * 36).denominator == 1 else ()
            if done < len(waiting):
                lower = less(f, rules.fraction("rise_cost" if waiting[done] == "rise" else "obstacle_cost"))
                if allowed(lower) < walked:
                    break
                f, done = lower, done + 1
                continue
            kind = next(one.kind for one in there.segments if one.start <= x * 36 < one.end)
            if kind in costs and kind not in kinds:
                lower = less(f, rules.fraction(costs[kind]))
                if allowed(lower) <= walked:
                    break
                f = lower
                kinds.add(kind)
            if allowed(f) <= walked:
                break
            step = Fraction(1, 36)
            x, walked, done = x + step, walked + step, 0
        places.append(x)
    return places


SIXTHS = st.integers(0, 10 * 6).map(lambda n: Fraction(n, 6))


@st.composite
def lanes(draw: Any) -> Lane:
    """Draw a lane of ten inches with ground, heights and obstacles on sixths of an inch."""
    cuts = sorted(draw(st.sets(SIXTHS, max_size=6)))
    kinds = st.sampled_from(["clear", "woods", "rough", "swamp", "ford"])
    ground = [
        some(draw(kinds), str(start), str(end), draw(st.sampled_from([0, 0, 5, 10, 25])))
        for start, end in pairwise(cuts)
    ]
    points = draw(st.dictionaries(SIXTHS, st.sampled_from(["barrier", "ditch"]), max_size=4))
    by_kind = {kind: [str(at) for at, one in points.items() if one == kind] for kind in ("barrier", "ditch")}
    return lane(10, *ground, **by_kind)


@given(there=lanes(), mv=st.integers(3, 24), stack=st.sampled_from(["add", "multiply"]))
def test_a_second_reading_of_the_rule_marches_alike(there: Lane, mv: int, stack: Any) -> None:
    rules = Rules(terrain_stack=stack)
    found = march(there, walker(mv), rules)
    assert found.crossed
    assert list(found.fronts) == second_reading(there, mv, rules)


@given(there=lanes(), mv=st.integers(3, 24))
def test_what_was_paid_accounts_for_every_inch(there: Lane, mv: int) -> None:
    legs = march(there, walker(mv), RULES).legs
    before = Fraction(0)
    for leg in legs:
        shares = [-payment.share for payment in leg.paid]
        assert leg.place - before == leg.moved <= allowance(Fraction(mv), shares, RULES)
        assert all(before <= payment.place <= leg.place for payment in leg.paid)
        before = leg.place


def test_examples() -> None:
    found = doctest.testmod(marching)
    assert found.attempted > 0 and found.failed == 0
