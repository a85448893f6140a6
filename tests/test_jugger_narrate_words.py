"""What a retold battle calls things: weapons by their designs' own names, acid and fire, dice, and who is meant."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from simkit.games.jugger import game
from simkit.games.jugger.cast import Cast, Piece
from simkit.games.jugger.happenings import Cause, What
from simkit.games.jugger.narrate import retell, tell
from simkit.games.jugger.player import battle
from simkit.games.jugger.records import PieceKind, Special
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario
from simkit.games.jugger.staging import cast
from simkit.games.jugger.track import Burning, track
from tests.jugger_told import DUEL, GORGER, LANDSHIP, rows

W = What
Events = Sequence[tuple[What, dict[str, Any]]]


def lines(events: Events, people: Cast = DUEL, skip: int = 3) -> list[str]:
    """Retell some events and return the lines after those of the set-up."""
    told = rows(events)
    return [line.text for line in tell(people, (told, len(told)))[skip:]]


def armed(*pieces: Piece) -> Cast:
    """Return the duel with other equipment on the second jug."""
    return replace(DUEL, jugs=(GORGER, replace(LANDSHIP, pieces=pieces)))


def staged(design: str | dict[str, Any], rules: Rules | None = None) -> Cast:
    """Return the cast of a battle of a design against an Archer."""
    rules = rules or Rules()
    scenario = Scenario.model_validate({"sides": {"a": {"design": design}, "b": {"design": "archer"}}})
    return cast(scenario, rules, game.compile(scenario, rules), 0)


# Names of weapons


@pytest.mark.parametrize(
    ("design", "titles"),
    [
        ("walker", ["legs", "gears", "wrecking ball", "first dropper", "second dropper", "first catcher"]),
        ("swordsman", ["legs", "sword arm", "shield arm"]),
        ("boarder", ["first boarders", "second boarders"]),
        ("hydra", ["first jaw arm", "second jaw arm"]),
        ("warbuggy-flail", ["flail"]),
        ({"size": 4, "equipment": ["2 ballistae", "boarder", "Main Ram"]}, ["first ballista", "second ballista"]),
        ({"size": 3, "equipment": [{"weapon": "Axe_Arms", "size": 2}, {"item": "tentacle"}]}, ["axe arm", "tentacle"]),
        (
            {"size": 4, "equipment": ["armor", "boarding party", "armor", "size 1 pincers"]},
            ["boarding party", "pincer"],
        ),
    ],
)
def test_weapons_have_the_names_of_their_design(design: str | dict[str, Any], titles: list[str]) -> None:
    assert list(staged(design).jugs[0].titles[: len(titles)]) == titles


def test_a_weapon_with_a_name_of_its_own_is_found_in_the_tables() -> None:
    walker = staged("walker").jugs[0]
    assert [walker.pieces[i].weapon for i in walker.weapons] == ["flail"] * 3 + ["claw_arm"] * 2
    assert [walker.pieces[i].table for i in walker.weapons[:2]] == ["flail", "flail"]
    assert staged("thrasher").jugs[0].pieces[0].table == ""
    assert staged({"size": 1, "equipment": ["wizard"]}, Rules(wizard_is_piece=False)).jugs[0].pieces == ()


def test_the_set_up_says_what_own_names_mean() -> None:
    assert lines([], staged("walker")) == [
        "In the weapon tables: wrecking ball and dropper as flail, catcher as claw arm"
    ]
    assert lines([], staged("thrasher")) == []
    claws = staged({"size": 2, "equipment": ["2 claws"]})
    assert claws.jugs[0].titles == ("first claw", "second claw")
    assert lines([], claws) == []


def test_a_bonus_is_seen_under_a_name_of_its_own() -> None:
    arm = Piece("axe arm", dice="2d6", table="mace arm")
    people = replace(DUEL, jugs=(GORGER, replace(LANDSHIP, pieces=(arm,), abilities=("meleer",))))
    events = [
        (W.TURN, {"value": 1}),
        (W.DECLARE, {"jug": 1, "foe": 0, "item": 0}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 0, "roll": 4, "value": 4, "extra": 1}),
    ]
    assert lines(events, people)[2:] == [
        "Landship's axe arm at Gorger: needed 4 or less (meleer +1), rolled 4, a hit",
    ]


# Fires and acid


SPITTER = Piece("spitting toad", special=Special.FIRE, size=2, table="acid spitter")


def test_acid_is_no_fire() -> None:
    lit = {"jug": 1, "foe": 0, "item": 0, "value": 2}
    burns = {"jug": 0, "foe": 1, "item": 0, "value": 2}
    events = [
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 0, "roll": 1, "value": 3, "extra": 1}),
        (W.FIRE, {**lit, "roll": 5, "extra": 1}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 0, "roll": 1, "value": 3, "extra": 1}),
        (W.FIRE, {**lit, "roll": 1}),
        (W.BURN, {**burns, "extra": 4}),
        (W.BURN, {**burns, "extra": 0}),
        (W.PUT_OUT, {**burns, "roll": 4, "value": 0}),
        (W.PUT_OUT, {**burns, "roll": 2, "value": 1}),
    ]
    told = lines(events, armed(SPITTER), skip=4)
    assert told[0].endswith("a hit; acid of 2 points for 5 turns (D6)")
    assert told[1].endswith("a hit; acid for 1 turn (D6), but the old acid lasts longer")
    assert told[2:] == [
        "Acid of Landship's spitting toad on Gorger: 2 damage, 4 turns left",
        "Acid of Landship's spitting toad on Gorger: 2 damage, the last turn",
        "Gorger fails to wash off the acid of Landship's spitting toad on 4",
        "Gorger washes off the acid of Landship's spitting toad on 2",
    ]


@pytest.mark.parametrize(
    ("size", "dice", "rules", "lit", "points", "burnt", "damage"),
    [
        (1, "1d6", {}, "D6 5 = 5 points", 5, "5 damage", 5),
        (3, "1d6", {}, "D6 1 x 3 (size) = 3 points", 3, "3 damage", 3),
        (2, "1d6+1d6", {"multiplies": False}, "D6+D6 7 = 7 points", 7, "7 damage", 7),
        (1, "1d6", {"cauldron_reroll": True}, "D6 a turn", 1, "D6 4 = 4 damage", 4),
        (2, "1d6", {"cauldron_reroll": True}, "D6 x 2 (size) a turn", 2, "D6 4 x 2 (size) = 8 damage", 8),
        (2, "1d6+1d6", {"cauldron_reroll": True, "multiplies": False}, "D6+D6 a turn", 1, "D6+D6 9 = 9 damage", 9),
    ],
)
def test_a_cauldron_tells_its_dice_and_size(
    size: int, dice: str, rules: dict[str, Any], lit: str, points: int, burnt: str, damage: int
) -> None:
    people = replace(armed(Piece("cauldron", special=Special.CAULDRON, size=size, dice=dice)), **rules)
    events = [
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 0, "roll": 1, "value": 4, "extra": 1}),
        (W.FIRE, {"jug": 1, "foe": 0, "item": 0, "roll": 3, "value": points, "extra": 1}),
        (W.BURN, {"jug": 0, "foe": 1, "item": 0, "value": damage, "extra": 2}),
    ]
    told = lines(events, people)
    assert told[0].endswith(f"a hit; a fire of {lit} for 3 turns (D6)")
    assert told[1] == f"Fire of Landship's cauldron on Gorger: {burnt}, 2 turns left"


def test_of_two_fires_of_a_weapon_the_one_with_most_damage_left_is_put_out() -> None:
    lit = {"jug": 1, "foe": 0, "item": 2, "value": 2, "extra": 1}
    out = (W.PUT_OUT, {"jug": 0, "foe": 1, "item": 2, "roll": 1, "value": 1})
    stacks = replace(DUEL, fires_stack=True)
    for first, second in ((2, 4), (4, 2)):
        scene = track(stacks, rows([(W.FIRE, {**lit, "roll": first}), (W.FIRE, {**lit, "roll": second}), out]))[-1]
        assert scene.jugs[0].fires == (Burning(1, 2, 2, 2),)


# Who and what is meant


def test_boarders_are_killed_once_and_lost_as_a_piece_once() -> None:
    people = armed(Piece("boarders", special=Special.BOARDERS), Piece("boarders", special=Special.BOARDERS))
    events = [
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 1, "roll": 6, "value": 1}),
        (W.BOARDERS_LOST, {"jug": 1, "item": 1}),
        (W.CRITICAL, {"jug": 1, "roll": 2, "extra": 1}),
        (W.LOSE, {"jug": 1, "item": 1, "value": 0, "extra": 1}),
        (W.CRITICAL, {"jug": 1, "roll": 1, "extra": 0}),
        (W.LOSE, {"jug": 1, "item": 0, "value": 0, "extra": 0}),
    ]
    assert lines(events, people) == [
        "Landship's second boarders at Gorger: needed 1 or less, rolled 6, a miss; these boarders are killed",
        "Critical rolls of Landship: 2, chosen by B: second boarders (killed before) lost; "
        "1, chosen by A: first boarders lost",
    ]


def test_a_rope_that_ends_names_its_ballista() -> None:
    ballistas = (Piece("ballista", dice="1d6", winch=2), Piece("ballista", dice="1d6"), Piece("winch", PieceKind.WINCH))
    events = [
        (W.ROPE, {"jug": 1, "foe": 0, "item": 0, "roll": 3, "value": 1}),
        (W.ROPE_ENDS, {"jug": 1, "foe": 0, "item": 0}),
    ]
    assert lines(events, armed(*ballistas))[1] == "the rope of Landship's first ballista is off Gorger"


def test_damage_control_of_a_ram_names_whose_it_is() -> None:
    events = [
        (W.RAM, {"jug": 0, "foe": 1, "roll": 4, "value": 24, "extra": 1}),
        (W.CONTROL, {"jug": 1, "foe": 0, "roll": 2, "value": 12}),
        (W.HURT, {"jug": 1, "value": 12, "extra": 148}),
    ]
    assert "; Landship's damage control on 2: 12 damage left; Landship 160 -> 148 hits" in lines(events)[0]


@pytest.mark.parametrize(
    ("dice", "told"),
    [
        ([(0, 4, 0), (1, 9, 0)], "A D10 4, B D10 9; first to set up: A"),
        ([(0, 4, 0), (1, 4, 0), (0, 7, 1), (1, 2, 1)], "A D10 4, B D10 4; again A D10 7, B D10 2; first to set up: B"),
        ([(0, 4, 0)], "A D10 4"),
        ([(0, 4, 0), (1, 4, 0)], "A D10 4, B D10 4"),
    ],
)
def test_the_lower_of_the_last_dice_of_deployment_sets_up_first(dice: list[tuple[int, int, int]], told: str) -> None:
    events = [(W.DEPLOY, {"foe": side, "roll": roll, "extra": again}) for side, roll, again in dice]
    assert lines(events) == [f"Deployment: {told}"]


def test_a_strategic_roll_lets_the_higher_move_first() -> None:
    events = rows([(W.DEPLOY, {"foe": 0, "roll": 4}), (W.DEPLOY, {"foe": 1, "roll": 9})])
    line = tell(replace(DUEL, strategic_roll=True), (events, 2))[3]
    assert line.text.endswith("first to set up: A; first to move in turn 1: B")
    assert line.ids == ("J-DEP-1", "J-DEP-3")


def test_the_end_of_a_haste_is_told_before_the_next_turn_and_is_a_step_of_the_page() -> None:
    told = rows(
        [
            (W.TURN, {"value": 1}),
            (W.CAST_HASTE, {"jug": 0, "roll": 1}),
            (W.CAST_HASTE, {"jug": 1, "roll": 2}),
            (W.TURN, {"value": 2}),
            (W.TURN, {"value": 3}),
            (W.CAST_HASTE, {"jug": 1, "roll": 1}),
            (W.OUT, {"jug": 1, "foe": 0, "value": int(Cause.DESTROYED), "extra": (0, 0)}),
            (W.TURN, {"value": 4}),
        ]
    )
    story = retell(DUEL, (told, len(told)))
    assert [line.text for line in story[3:]] == [
        "Turn 1",
        "Gorger casts haste for 1 turn (D3)",
        "Landship casts haste for 2 turns (D3)",
        "Haste of Gorger is over",
        "Turn 2",
        "Haste of Landship is over",
        "Turn 3",
        "Landship casts haste for 1 turn (D3)",
        "Landship is destroyed at [0, 0]",
        "Turn 4",
    ]
    over = story[6]
    assert (over.kind, over.ids, over.first, over.end) == ("ride", ("J-WIZ-4",), 3, 3)
    steps = battle(DUEL, told, story)["steps"]
    assert [step["line"] for step in steps] == list(range(3, len(story)))
    assert (steps[3]["turn"], steps[3]["jugs"]) == (1, {})


def test_two_hastes_that_end_together_are_told_together() -> None:
    events = [
        (W.TURN, {"value": 1}),
        (W.CAST_HASTE, {"jug": 0, "roll": 1}),
        (W.CAST_HASTE, {"jug": 1, "roll": 1}),
        (W.TURN, {"value": 2}),
    ]
    assert lines(events)[3] == "Haste of Gorger and Landship is over"
