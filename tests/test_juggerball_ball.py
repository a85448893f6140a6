"""The ball's physics in fractions: public problems with right values (J-BALL-2 to 6, 9 to 17)."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from simkit.games.juggerball.exact import Ends, Pitch
from simkit.games.juggerball.fields import STEPS, find, load
from simkit.games.juggerball.rules import Rules

FILE = json.loads((Path(__file__).parent / "cases" / "juggerball.json").read_text(encoding="utf-8"))
CASES = [case for case in FILE["cases"] if case["kind"] in ("ball", "push")]
HALF_TURN = 3


def chances(found: Any) -> dict[str, str]:
    return {f"{q},{r}": str(chance) for (q, r), chance in found.items() if chance}


def played(inputs: dict[str, Any], rules: Rules) -> Ends:
    """Play one occasion of a case."""
    if "actions" in inputs:
        pitch = Pitch(find("pitch"), rules, [tuple(inputs["jug"]), *map(tuple, inputs["other_jugs"])])
        return pitch.push(tuple(inputs["jug"]), inputs["facing"], inputs["velocity"], inputs["actions"])
    ball, facing = tuple(inputs["ball"]), inputs["facing"]
    (dq, dr), others = STEPS[facing], [tuple(place) for place in inputs["other_jugs"]]
    others.append((ball[0] - dq, ball[1] - dr))
    if inputs["occasion"] == "head_on":
        others.append((ball[0] + dq, ball[1] + dr))
    pitch = Pitch(find(inputs["field"]), rules, others, [tuple(hex) for hex in inputs.get("catch_hexes", [])])
    if inputs["occasion"] == "roll":
        return pitch.roll(ball, facing)
    if inputs["occasion"] == "head_on":
        return pitch.head_on(ball, facing, inputs["velocity"])
    kick = inputs.get("kick", False)
    return pitch.hit(ball, facing, inputs["velocity"], inputs.get("angle", "straight"), kick=kick)


def compare(found: Ends, values: dict[str, Any]) -> None:
    shown = {"end": chances(found.end), "score_a": str(found.score_a), "score_b": str(found.score_b)}
    shown |= {key: chances(getattr(found, key)) for key in ("held", "caught") if key in values}
    assert shown == values


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_public_problems_have_their_right_values(case: dict[str, Any]) -> None:
    compare(played(case["inputs"], Rules()), case["values"])
    for change, values in case.get("alternatives", {}).items():
        name, _, value = change.partition(" = ")
        compare(played(case["inputs"], Rules(**{name: json.loads(value)})), values)


def turned(place: tuple[int, int]) -> tuple[int, int]:
    return -place[0], -place[1]


@pytest.mark.parametrize("field", load())
@pytest.mark.parametrize("headings", [12, 6])
def test_a_field_turned_by_half_a_circle_gives_turned_chances(field: str, headings: Any) -> None:
    """J-BALL-7: side B has everything of side A."""
    ground, rules = find(field), Rules(ball_headings=headings)
    jugs = [(3, 1), (-2, 2), (1, 0)]
    for facing in range(6):
        one = Pitch(ground, rules, jugs).hit((0, 0), facing, 5)
        other = Pitch(ground, rules, [turned(jug) for jug in jugs]).hit((0, 0), (facing + HALF_TURN) % 6, 5)
        assert {turned(place): chance for place, chance in one.end.items()} == other.end
        assert (one.score_a, one.score_b) == (other.score_b, other.score_a)
        assert sum(one.end.values()) + one.score_a + one.score_b == 1


def test_a_right_angle_may_be_always_60_or_120_degrees() -> None:
    """J-BALL-11, J-BALL-12: with six headings a coin, or a ruling, says what 90 degrees are."""
    inputs = next(case for case in CASES if case["id"] == "K04")["inputs"]
    ends = {way: played(inputs, Rules(ball_headings=6, right_angle=way)).end for way in ("60", "120", "coin")}
    for place in {*ends["60"], *ends["120"]}:
        pair = [ends[way].get(place, Fraction(0)) for way in ("60", "120")]
        assert min(pair) <= ends["coin"].get(place, Fraction(0)) <= max(pair)
    assert ends["60"] != ends["120"]


def test_a_ball_that_enters_a_facing_hex_is_caught() -> None:
    """J-BALL-17: wherever it would have gone on to."""
    found = Pitch(find("pitch"), Rules(), [(-1, 0), (3, 0)], [(2, 0)]).hit((0, 0), 0, 5)
    assert found.caught == {(2, 0): 1} and not found.end


@pytest.mark.parametrize(("side", "scores"), [(0, True), (1, True), (5, True), (2, False), (3, False), (4, False)])
def test_a_goal_is_entered_through_three_arcs(side: int, scores: bool) -> None:
    """J-BALL-5, J-BALL-16: the others are objects."""
    ball = (13 - STEPS[side][0], -STEPS[side][1])
    found = Pitch(find("pitch"), Rules(), []).hit(ball, side, 1)
    assert (found.score_a == 1) is scores
    assert (found.score_a == 0) is not scores


def test_a_push_ends_in_a_goal_at_an_object_and_in_a_swing() -> None:
    """J-BALL-13: judged by the side it goes through; a swing onto an object leaves the ball where it was."""
    pitch = Pitch(find("pitch"), Rules(), [(11, 0)])
    assert pitch.push((11, 0), 0, 2, ["forward"]).score_a == 1
    blocked = Pitch(find("pitch"), Rules(), [(0, 0), (0, 1)])
    assert blocked.push((0, 0), 0, 2, ["right"]).end == {(1, 0): 1}
    against = Pitch(find("pitch"), Rules(), [(0, 0), (2, 0)]).push((0, 0), 0, 2, ["forward"])
    assert sum(against.end.values()) == 1 and against.end[(1, 0)] >= Fraction(1, 6)
