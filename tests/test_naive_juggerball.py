"""The plain twin of juggerball by itself: worked cases exactly, the same by its dice, random jugs, the fields."""

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.naive.jugger.board import Hex, step
from tests.naive.juggerball import FIELDS, Flights, exact
from tests.naive.juggerball import tables as b
from tests.naive.juggerball.pushes import ANGLES, clear_way, look
from tests.naive.juggerball.scenes import A, B, Plan, Script, chances, holds, move, scene
from tests.naive.juggerball.teams import (
    IMPROVEMENTS,
    STANDARD,
    chance_that,
    chances_of_jugs,
    design_of,
    random_items,
)

FILE = json.loads((Path(__file__).parent / "cases" / "juggerball.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in FILE["cases"]}
BALL = [case for case in FILE["cases"] if case["kind"] == "ball"]


def place(words: str) -> Hex:
    """Read a hex."""
    q, r = words.split(",")
    return int(q), int(r)


def values_of(spread: exact.Spread, goals: tuple[Hex, Hex]) -> dict[str, Any]:
    """Write what becomes of a ball as the cases do."""
    values: dict[str, Any] = {"end": {}, "score_a": Fraction(0), "score_b": Fraction(0)}
    for (what, where), chance in spread.items():
        if what == "goal":
            values["score_a" if where == goals[1] else "score_b"] += chance
        elif chance:
            values.setdefault(what, {})[where] = chance
    return values


def right_values(told: dict[str, Any]) -> dict[str, Any]:
    """Read the values of a case."""
    return {
        name: {place(where): Fraction(chance) for where, chance in value.items()}
        if isinstance(value, dict)
        else Fraction(value)
        for name, value in told.items()
    }


def flown(case: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return what the enumeration gives for a case."""
    inputs = case["inputs"]
    field, ball, facing = FIELDS[inputs["field"]], tuple(inputs["ball"]), inputs["facing"]
    jugs = {tuple(other) for other in inputs["other_jugs"]} | {step(ball, facing + 3)}
    if inputs["occasion"] == "head_on":
        jugs.add(step(ball, facing))
    catch_hexes = frozenset(tuple(one) for one in inputs.get("catch_hexes", ()))
    flights = Flights(field, frozenset(jugs), catch_hexes=catch_hexes, **changes)
    angle = ANGLES[f" {inputs['angle']}" if "angle" in inputs else ""]
    if inputs["occasion"] == "hit":
        kick = inputs.get("kick", False)
        spread = exact.hit(flights, ball, facing, inputs["velocity"], angle, kick=kick)
    elif inputs["occasion"] == "roll":
        spread = exact.roll(flights, ball, facing)
    else:
        spread = exact.head_on(flights, ball, facing, inputs["velocity"])
    assert sum(spread.values()) == 1
    return values_of(spread, field.goals)


@pytest.mark.parametrize("case", BALL, ids=[case["id"] for case in BALL])
def test_cases_of_the_ball(case: dict[str, Any]) -> None:
    """K01 to K08: the enumeration gives the right values, to the last digit.

    J-BALL-2, J-BALL-3, J-BALL-4, J-BALL-5, J-BALL-6, J-BALL-9, J-BALL-10, J-BALL-11, J-BALL-12.
    """
    assert flown(case, {}) == right_values(case["values"])
    for name, told in case.get("alternatives", {}).items():
        assert name == "ball_headings = 6"
        assert flown(case, {"headings": 6}) == right_values(told)


def dice_of(case: dict[str, Any], most: int, **changes: Any) -> dict[Any, Fraction]:
    """Play a case in the twin with all dice that can fall; return the chances of where the ball ends."""
    inputs = case["inputs"]
    ball, facing, velocity = tuple(inputs["ball"]), inputs["facing"], inputs.get("velocity", 0)
    kick, angle = inputs.get("kick", False), ANGLES[f" {inputs['angle']}" if "angle" in inputs else ""]
    behind = step(ball, facing + 3)
    kinds = ["legs"] if kick else ["deflector"] if angle else []
    others = [(B, tuple(other), 0, 0) for other in inputs["other_jugs"]]
    if inputs["occasion"] == "head_on":
        others.append((B, step(ball, facing), (facing + 3) % 6, 0))
    contact = ("kick" if kick else "hit") + next(words for words, more in ANGLES.items() if more == angle)

    def play(dice: Script) -> Any:
        match = scene((A, behind, facing, velocity, *kinds), *others, ball=ball, dice=dice, **changes)
        jug = match.mover = match.jugs[0]
        match.policies[A] = Plan(match, velocity, contact=contact)
        match.still.clear()
        if inputs["occasion"] != "hit":
            holds(match)
        if inputs["occasion"] == "roll":
            match.held_velocity = 1
            look(match)
        else:
            clear_way(match, jug)
        return "score_a" if match.goals[A] else "score_b" if match.goals[B] else match.ball

    return chances(play, most)


@pytest.mark.parametrize("name", ["K01", "K02", "K03", "K04", "K06", "K07", "K08"])
@pytest.mark.parametrize("headings", [12, 6])
def test_the_match_throws_the_ball_as_the_enumeration_says(name: str, headings: int) -> None:
    """J-BALL-9 to J-BALL-16: every die of the twin's own match; chains of bounces are cut off."""
    case = CASES[name]
    found = dice_of(case, 4, ball_headings=headings)
    right = flown(case, {"headings": headings})
    ends = {**right["end"], "score_a": right["score_a"], "score_b": right["score_b"]}
    cut = found.pop("open", Fraction(0))
    assert all(chance <= ends[end] for end, chance in found.items())
    assert sum(ends.values()) - sum(found.values()) == cut < Fraction(1, 8)
    if not cut:
        assert found == {end: chance for end, chance in ends.items() if chance}


def test_the_flight_is_the_same_from_the_other_end() -> None:
    """J-BALL-7: everything turned by 180 degrees; and in a field that is its own mirror image, mirrored."""
    jugs = frozenset({(3, -4), (1, -1), (-2, 2), (4, -7)})
    for ball, heading, hexes in (((1, -3), 10, 6), ((2, -6), 9, 5), ((12, -1), 3, 4)):
        straight = Flights(FIELDS["pillars"], jugs).run(ball, heading, hexes)
        turned = Flights(FIELDS["pillars"], frozenset((-q, -r) for q, r in jugs)).run(
            (-ball[0], -ball[1]), heading + 6, hexes
        )
        assert turned == {(what, (-q, -r)): chance for (what, (q, r)), chance in straight.items()}
        over = Flights(FIELDS["pillars"], frozenset((q + r, -r) for q, r in jugs)).run(
            (ball[0] + ball[1], -ball[1]), -heading, hexes
        )
        assert over == {(what, (q + r, -r)): chance for (what, (q, r)), chance in straight.items()}


def test_a_catcher_on_the_way() -> None:
    """J-BALL-17: what enters the facing hex is caught there."""
    found = exact.roll(
        Flights(FIELDS["pitch"], frozenset({(-1, 0), (4, 0)}), catch_hexes=frozenset({(3, 0)})), (0, 0), 0
    )
    assert found == {
        ("end", (1, 0)): Fraction(1, 6),
        ("end", (2, 0)): Fraction(1, 6),
        ("caught", (3, 0)): Fraction(2, 3),
    }


def test_a_push() -> None:
    """K11: the ball stays in the facing hex, also in turns (J-BALL-3, J-BALL-13)."""
    case = CASES["K11"]
    inputs = case["inputs"]
    kinds = ["gears", "gears"]
    match = scene((A, tuple(inputs["jug"]), inputs["facing"], 0, *kinds), ball=(1, 0))
    letters = "".join(action[0].upper() for action in inputs["actions"])
    move(match, 0, inputs["velocity"], letters)
    assert match.holder is match.jugs[0]
    assert {match.ball: Fraction(1)} == right_values(case["values"])["held"]


# The field


def test_fields() -> None:
    """J-BALL-7, J-BALL-16: three fields, point-symmetric, with their goals, arcs and X's."""
    for name, told in FILE["fields"].items():
        field = FIELDS[name]
        assert (field.half_length, field.half_rows, list(field.ball_start)) == (
            told["half_length"], told["half_rows"], told["ball"],
        )  # fmt: skip
        assert [list(goal) for goal in field.goals] == [told["goal_a"], told["goal_b"]]
        for side, letter in enumerate("ab"):
            assert set(field.open_arcs(side)) == set(told[f"open_arcs_{letter}"])
            starts = field.starts_of(side)
            assert [list(start[:2]) for start in starts] == told[f"starts_{letter}"]
            assert {start[2:] for start in starts} == {(told[f"facing_{letter}"], 0)}
            assert not any(field.near_goal(start[:2], side, 3) for start in starts)
            assert all(step(field.goals[side], arc) in field.inside for arc in range(6))
        assert sorted(field.all_of("obstacle")) == sorted(tuple(one) for one in told["obstacles"])
        assert sorted(field.walls) == sorted(tuple(one) for one in told["walls"])
        assert field.inside == {(-q, -r) for q, r in field.inside}
        assert set(field.terrain) == {(-q, -r) for q, r in field.terrain}
    assert len(FIELDS["pitch"].inside) == 7 * 31 + 8 * 30


# Random jugs


@pytest.mark.parametrize("illegal", ["reroll_one", "reroll_jug", "nothing"])
def test_random_jugs(illegal: str) -> None:
    """K09: the chances of everything that a random jug can have (J-BALL-1, J-BALL-22)."""
    case = CASES["K09"]
    right = case["values"] if illegal == "reroll_one" else case["alternatives"][f'illegal = "{illegal}"']
    jugs = chances_of_jugs(b.rules_of(illegal=illegal))
    assert sum(jugs.values()) == 1
    for name in ("legs", "deflector", "catcher", "gears"):
        if f"has_{name}" in right:
            assert chance_that(jugs, lambda has, name=name: has[name] > 0) == Fraction(right[f"has_{name}"])
    if illegal == "reroll_one":
        assert len(jugs) == right["different_jugs"] == 1055
        assert chance_that(jugs, lambda has: has["legs"] + has["catcher"] > 0) == Fraction(right["has_legs_or_catcher"])
        for count, chance in right["weapons"].items():
            armed = chance_that(jugs, lambda has, n=int(count): sum(has[kind] for kind in STANDARD) == n)
            assert armed == Fraction(chance)


def test_one_of_three_specials() -> None:
    """J-BALL-22: with `special_limit = "one_of_three"` deflector and catcher never go together."""
    jugs = chances_of_jugs(b.rules_of(special_limit="one_of_three"))
    assert max(sum(items.count(kind) for kind in ("legs", "deflector", "catcher")) for items in jugs) == 1
    assert chance_that(jugs, lambda has: has["legs"] > 0) == Fraction(219, 1000)
    assert sum(jugs.values()) == 1


@pytest.mark.parametrize("illegal", ["reroll_one", "reroll_jug", "nothing"])
def test_rolled_jugs_are_those_that_are_counted(illegal: str) -> None:
    """J-BALL-22: all throws of the roller that need no more than three D10 of items, without weapons' dice."""
    rules = b.rules_of(illegal=illegal)
    jugs = chances_of_jugs(rules)
    found: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    for first in range(1, 11):
        for second in range(1, 11):
            for third in range(1, 11):
                left = [first, second, third]
                try:
                    items, told = random_items(
                        lambda what, left=left: 4 if what == "item_weapon" else left.pop(0), rules
                    )
                except IndexError:
                    continue
                assert [one.roll for one in told] == [first, second, third]
                assert [one.extra >= 100 for one in told].count(True) == 3 - len(items)
                found[tuple(sorted(items))] += Fraction(1, 1000)
    spikes = {items: chance for items, chance in found.items() if "wheel_spikes" not in items}
    assert all(chance <= jugs[items] for items, chance in spikes.items())
    if illegal == "nothing":
        assert all(chance == jugs[items] for items, chance in spikes.items())
        assert sum(found.values()) == 1


def test_what_an_illegal_result_does() -> None:
    """J-BALL-22: second legs, deflector after legs: again, all again, or nothing."""
    for illegal, falls, right in (
        ("reroll_one", [6, 6, 7, 9, 10, 1], ["legs", "shield_arm", "gears"]),
        ("reroll_jug", [6, 6, 7, 8, 1], ["deflector", "catcher", "gears"]),
        ("nothing", [6, 8, 2], ["legs", "brakes"]),
    ):
        left = list(falls)
        items, told = random_items(lambda what, left=left: left.pop(0), b.rules_of(illegal=illegal))
        assert (items, left) == (right, [])
        assert [(one.value, one.extra) for one in told if one.extra >= 100]
        assert design_of(items).items == tuple((kind, 1) for kind in right)
    assert len({*IMPROVEMENTS, *STANDARD}) == 18
