"""The rules of Jugger by scenes, third part: damage, criticals, lost pieces, the end phase, and a jug's record."""

from fractions import Fraction
from typing import Any

import pytest

from simkit.core.dice import parse
from simkit.core.dicetable import faces
from simkit.games.jugger.damage import chooser, critical_rolls
from simkit.games.jugger.picture import picture
from simkit.games.jugger.record import notes
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.staging import cast
from simkit.games.jugger.track import track
from tests.jugger_scenes import Scene, Shown, cases, check, titled

SCENES = cases("harm")


@pytest.mark.parametrize("scene", SCENES, ids=titled(SCENES))
def test_scene(scene: dict[str, Any]) -> None:
    """What the rule says is what happens."""
    check(scene)


# Criticals


@pytest.mark.parametrize(
    ("before", "damage", "rolls"),
    [(0, 19, 0), (0, 20, 1), (19, 1, 1), (15, 4, 0), (15, 5, 1), (15, 25, 2), (20, 19, 0), (20, 20, 1), (39, 1, 1),
     (39, 41, 3), (0, 0, 0), (0, 400, 20)],
)  # fmt: skip
def test_a_critical_roll_for_every_20_points_crossed(before: int, damage: int, rolls: int) -> None:
    """J-DMG-2: floor(after / 20) - floor(before / 20)."""
    assert critical_rolls(before, before + damage, 20) == rolls == (before + damage) // 20 - before // 20


def test_on_a_1_the_attacker_chooses_on_a_2_the_defender_else_nobody() -> None:
    """J-DMG-2."""
    assert [chooser(die, 1, 2) for die in range(1, 7)] == [1, 2, 0, 0, 0, 0]


def test_another_player_may_choose_another_piece() -> None:
    """J-DMG-9: the defaults are those of the clever players and of hold; who leaves it to chance may take any."""
    case = {"a": ["1 saw_arm @ -1 0 0 1"], "b": ["5 gears saw_arm flail @ 1 0 0"], "order": "a", "until": "a",
            "dice": {"to_hit": 1, "saw_arm": 19, "critical": 1}, "given": {"b1": {"taken": 1}}}  # fmt: skip
    found = {}
    for policy in ("greedy", "random", "lookahead"):
        scene = Scene({**case, "policies": f"{policy} hold"})
        found[policy] = {row.item for trial in range(60) for row in scene.play(trial).of("LOSE")}
    assert found == {"greedy": {2}, "random": {0, 1, 2}, "lookahead": {2}}


def test_one_damage_roll_of_45_costs_a_fresh_jug_up_to_two_pieces() -> None:
    """J-DMG-2: 1 and 2 of 6 cost one each, so that none, one and two fall at 4/9, 4/9 and 1/9."""
    case = {"a": ["1 saw_arm @ 0 0 0"], "b": ["5 gears brakes @ 1 0 0"], "dice": {"to_hit": 1, "saw_arm": 45}}
    scene, trials = Scene(case), 300
    lost = [len(scene.play(trial).of("LOSE")) for trial in range(trials)]
    for pieces, chance in enumerate((4 / 9, 4 / 9, 1 / 9)):
        assert abs(lost.count(pieces) - trials * chance) < 5 * (trials * chance * (1 - chance)) ** 0.5


# Dice


def test_1d3_is_a_d6_halved_and_rounded_up() -> None:
    """J-DIC-1: for bounces, repairs and haste."""
    halved = [(-(-die // 2), Fraction(1, 6)) for die in range(1, 7)]
    wanted = [(face, sum(chance for shown, chance in halved if shown == face)) for face in (1, 2, 3)]
    for dice in (Rules().bounce_dice, Rules().repair_dice, Rules().haste_turns_dice):
        assert faces(parse(dice)) == wanted


# The record


def shown_scene(case: dict[str, Any]) -> tuple[Any, Shown]:
    """Return who fights in a scene, and what came of it."""
    scene = Scene(case)
    return cast(scene.scenario, scene.rules, scene.setup, 0), scene.shown()


RECORDED: dict[str, Any] = {
    "a": ["6 cauldron boarders wizard gears boarders @ 0 0 0 2"], "b": ["9 fire_pump:2 claw_arm @ 1 0 1 3"],
    "policies": "hold greedy", "dice": {"to_hit": 3, "fire_turns": 4, "cauldron": 5, "spell_count": 2, "spell": 4,
    "claw_arm": 1}, "turns": 2, "order": "aa",
}  # fmt: skip


def test_a_jugs_record() -> None:
    """J-REC-1: velocity, hits, fires, boarders left, turns to the next cauldron, spells left; place, facing, pieces."""
    people, shown = shown_scene(RECORDED)
    scene = track(people, shown.events)[-1]
    for slot, name in enumerate(shown.names):
        there, told = shown.jug(name), scene.jugs[slot]
        assert (told.q, told.r, told.facing, told.velocity) == (there.q, there.r, there.facing, there.velocity)
        assert (told.hits, told.side) == (there.hits, there.side)
    assert notes(people, scene, 0) == [
        "on fire: 2 a turn for 3 turns (size 2 fire pump, claw arm)", "held by size 2 fire pump, claw arm (claw arm)",
        "cauldron ready in turn 4", "boarders left: 2 of 2", "spells: haste x2",
    ]  # fmt: skip


@pytest.mark.parametrize(("to_hit", "left", "lost"), [(4, "0 of 2", ()), (3, "2 of 2", ()), (2, "1 of 2", (0,))])
def test_boarders_that_are_lost_leave_the_record(to_hit: int, left: str, lost: tuple[int, ...]) -> None:
    """J-REC-1: lost by their own roll of 4, or as a piece."""
    case = {"a": ["2 boarders boarders @ 0 0 0"], "b": ["9 flail @ 1 0 0"],
            "dice": {"to_hit": to_hit, "flail": 20, "critical": 1}}  # fmt: skip
    people, shown = shown_scene(case)
    scene = track(people, shown.events)[-1]
    assert notes(people, scene, 0) == [f"boarders left: {left}"]
    assert scene.jugs[0].lost == lost


@pytest.mark.parametrize("facing", range(6))
def test_a_picture_of_a_jug_shows_its_facing_and_name(facing: int) -> None:
    """J-REC-2."""
    people, shown = shown_scene({"a": [f"2 gears @ 0 0 {facing}"], "b": ["9 flail @ 5 0 0"], "policies": "hold hold"})
    drawn = picture(people, (shown.events, len(shown.events)))
    assert people.jugs[0].name == "gears" and ">gears</text>" in drawn and ">flail</text>" in drawn
    at_it = drawn[drawn.index("<title>gears, 40 of 40 hits") :]
    assert f"rotate({60 * facing})" in at_it[: at_it.index("</g>")]
