"""The rules of Jugger by scenes, first part: designs, the map, moves, terrain, collisions and rams."""

from collections import Counter
from typing import Any

import pytest
from pydantic import ValidationError

from simkit.games.jugger import game
from simkit.games.jugger.builds import count_builds
from simkit.games.jugger.designs import Design, complaints, load
from simkit.games.jugger.happenings import What
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.weapons import ahead
from tests.jugger_scenes import Scene, Shown, cases, check, house, places, titled

SCENES = cases("moves")
TRIALS = 250
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six hexes around one, clockwise from the east."""

AWAY = "1 @ -9 0 0"
"""A jug that is far from everything."""


@pytest.mark.parametrize("scene", SCENES, ids=titled(SCENES))
def test_scene(scene: dict[str, Any]) -> None:
    """What the rule says is what happens."""
    check(scene)


# Designs


@pytest.mark.parametrize(
    ("size", "equipment", "id"),
    [
        (3, ["gears", "flail", "armor"], ""),
        (3, ["gears", "gears", "flail", "armor"], "J-DES-1"),
        (3, ["size 2 flail", "2 gears"], "J-DES-1"),
        (3, ["size 3 flail"], ""),
        (9, [{"item": "gears", "size": 2}], "J-DES-1"),
        (9, ["legs", "legs"], "J-EQ-3"),
        (9, ["deflector", "deflector"], "J-EQ-3"),
        (9, ["ball catcher", "ball catcher"], "J-EQ-3"),
        (9, ["deflector", "ball catcher"], ""),
        (9, ["legs", "sails"], "J-EQ-2"),
        (9, ["legs", "deflector"], "J-EQ-4"),
        (9, ["legs", "ball catcher"], "J-EQ-4"),
        (9, ["legs", "catcher"], ""),
        (9, ["legs", "main ram +2"], ""),
        (9, ["winch"], "J-WPN-6"),
        (9, ["2 winches", "ballista"], "J-WPN-6"),
        (9, ["2 winches", "2 ballistas"], ""),
        (1, ["wizard"], ""),
    ],
)
def test_a_legal_design_fills_its_spaces_and_combines_what_may_stand_together(
    size: int, equipment: list[Any], id: str
) -> None:
    """J-DES-1, J-SC-1, J-SC-2, J-EQ-2, J-EQ-3, J-EQ-4 ("catcher" of a military list is a claw arm), J-EQ-7, J-WPN-6."""
    found = complaints(Design.model_validate({"size": size, "equipment": equipment}), Rules())
    assert [complaint.id for complaint in found] == ([id] if id else [])


@pytest.mark.parametrize("race", ["elf", "goblin", "voorlock", "dwarf", "orc", "kurdashi"])
def test_a_wizard_is_legal_for_every_race_and_takes_a_space_and_a_captain_none(race: str) -> None:
    """J-EQ-7."""
    design = {"size": 2, "equipment": ["wizard", "gears"], "captain": ["luck"], "race": race}
    assert complaints(Design.model_validate(design), Rules()) == []
    full = Design.model_validate({**design, "equipment": ["wizard", "2 gears"]})
    assert [one.id for one in complaints(full, Rules())] == ["J-DES-1"]


@pytest.mark.parametrize(
    ("item", "races"),
    [("mirror", "elf"), ("sails", "elf"), ("demon eye", "voorlock"), ("acid spitter", "voorlock"),
     ("tongue", "voorlock"), ("slingshot", "goblin"), ("fang", "goblin voorlock"), ("flail", "elf goblin voorlock")],
)  # fmt: skip
def test_exotic_items_belong_to_their_races_when_a_design_names_one(item: str, races: str) -> None:
    """J-DES-2, J-DES-1."""
    for race in ("elf", "goblin", "voorlock"):
        wrong = complaints(Design.model_validate({"size": 1, "equipment": [item], "race": race}), Rules())
        assert [one.id for one in wrong] == ([] if race in races.split() else ["J-DES-2"])
    assert complaints(Design.model_validate({"size": 1, "equipment": [item]}), Rules()) == []


def test_wartime_weapons_are_not_allowed_in_regulation_juggerball() -> None:
    """J-DES-2."""
    for weapon, legal in (("shield arm", True), ("trebuchet", False), ("scythe", False), ("fang", False)):
        design = Design.model_validate({"size": 3, "equipment": [weapon], "regulation": True})
        assert (complaints(design, Rules()) == []) == legal


SPACES = (
    "gears", "brakes", "steering", "armor", "reinforced_ram", "sails", "legs", "winch", "wizard", "deflector",
    "catcher",
)  # fmt: skip


@pytest.mark.parametrize("kind", [*SPACES, "weapon"])
def test_what_each_item_fills_is_a_number_of_its_own(kind: str) -> None:
    """J-SC-1, J-SC-2, J-EQ-7: two spaces of it do not fit into a size class of one."""
    items: list[Any] = ["ballista"] if kind in ("winch", "weapon") else []
    items += [] if kind == "weapon" else [{"item": kind}]
    design = Design.model_validate({"size": len(items), "equipment": items})
    assert complaints(design, Rules()) == []
    assert complaints(design, house({f"{kind}_spaces": 2}))[0].id == "J-DES-1"
    assert complaints(design, house({f"{kind}_spaces": 2, "spaces_per_size": 2})) == []
    others = {f"{name}_spaces": 2 for name in SPACES if name != kind}
    assert kind == "winch" or complaints(design, house(others)) == []


def test_a_published_design_fights_with_the_hits_of_its_list() -> None:
    """J-DES-1: Battlemaster's list gives 200 hits, printed are 220 (printed_hits)."""
    for printed, hits in ((False, 200), (True, 220)):
        battle = {"a": {"design": "battlemaster"}, "b": {"design": "archer"}}
        setup = game.compile(game.Scenario.model_validate({"sides": battle}), house({"printed_hits": printed}))
        assert [int(jug.hits) for jug in setup.jugs[:2]] == [hits, 60]


def test_published_designs_are_legal_and_fill_their_spaces() -> None:
    """J-DES-1."""
    for design in load().values():
        assert complaints(design, Rules()) == []
        assert sum(item.size for item in design.items) == design.size


def test_builds_of_each_size() -> None:
    """J-DES-3."""
    assert [count_builds(size, Rules()) for size in (1, 2, 3, 4)] == [29, 456, 5128, 46043]


def test_weapons_cannot_be_aimed_at_walls() -> None:
    """J-COL-4: the rules know no other value of walls_targetable than false."""
    assert Rules(walls_targetable=False) == Rules()
    with pytest.raises(ValidationError, match="weapons cannot be aimed at stone walls: no rule says how a wall is hit"):
        Rules.model_validate({"walls_targetable": True})


# The map


@pytest.mark.parametrize("facing", range(6))
def test_a_jug_faces_out_of_its_forward_arc_and_moves_that_way(facing: int) -> None:
    """J-MAP-1: sides are numbered clockwise from the east."""
    shown = Scene({"a": [f"1 @ 0 0 {facing} 1"], "b": [AWAY]}).shown()
    assert [*places(shown.of("ENTER"))] == [STEPS[facing]]


@pytest.mark.parametrize("facing", range(6))
def test_a_ram_is_from_the_front_the_side_or_behind_by_the_targets_arc(facing: int) -> None:
    """J-RAM-1, J-MAP-1: arc 0 head-on, 3 from behind, 1, 2, 4 and 5 from the side."""
    shown = Scene({"a": ["1 @ 0 0 0 1"], "b": [f"9 @ 1 0 {facing}"]}).shown()
    kinds = {3: 0, 0: 2}  # the rammer comes from the west, side 3 of the target
    assert [row.extra for row in shown.of("RAM")] == [kinds.get(facing, 1)]


def test_the_forward_arc_is_the_cone_of_60_degrees_or_the_front_half() -> None:
    """J-MAP-3 over all offsets up to 15: by the coordinates, and by the angle of the hex's centre."""
    for q in range(-15, 16):
        for r in range(-15, 16):
            if (q, r) == (0, 0):
                continue
            in_cone = (r >= 0 and r <= q) or (r < 0 and -2 * r <= q)
            x, y = 2 * q + r, r  # in units of half a hex, and of half a hex times the root of 3
            assert in_cone == (x > 0 and 3 * abs(y) <= x)
            assert ahead(0, q, r, False) == in_cone
            assert ahead(0, q, r, True) == (x >= 0)
            for sixths in range(6):  # the same turned by sixths of a circle
                turned_q, turned_r = q, r
                for _ in range(sixths):
                    turned_q, turned_r = -turned_r, turned_q + turned_r
                assert ahead(sixths, turned_q, turned_r, False) == in_cone


# Velocity and turns


def ways(case: dict[str, Any], trials: int = TRIALS) -> Counter[tuple[int, str]]:
    """Count the velocities and paths of a jug that moves by chance: F forward, R and L turns."""
    scene = Scene({"b": [AWAY], "policies": "random hold", "march": False, **case})
    found: Counter[tuple[int, str]] = Counter()
    for trial in range(trials):
        found[path(scene.play(trial))] += 1
    return found


def path(shown: Shown) -> tuple[int, str]:
    """Return the velocity and the path of the first jug."""
    velocity, steps = -1, ""
    for row in shown.events:
        if row.jug == 0 and row.what == What.MOVE:
            velocity = row.value
        elif row.jug == 0 and row.what == What.ENTER:
            steps += "F"
        elif row.jug == 0 and row.what == What.TURN_TO:
            steps += "R" if row.roll == 1 else "L"
    return velocity, steps


def velocities(case: dict[str, Any]) -> set[int]:
    """Return the velocities that a jug may choose."""
    return {velocity for velocity, _ in ways(case, 120)}


@pytest.mark.parametrize(
    ("jug", "allowed"),
    [
        ("4", {3, 4, 5}),
        ("0", {0, 1}),
        ("1", {0, 1, 2}),
        ("4 gears gears", {3, 4, 5, 6, 7}),
        ("4 brakes brakes", {1, 2, 3, 4, 5}),
        ("1 brakes brakes", {0, 1, 2}),
        ("4 sails", {2, 3, 4, 5, 6}),
        ("4 +speed +balance", {2, 3, 4, 5, 6}),
        ("4 legs", {2, 3, 4, 5}),
        ("5 legs gears", {3, 4, 5}),
        ("8 legs", {6}),
        ("9 legs gears", {7}),
    ],
)
def test_velocity_changes_by_at_most_the_acceleration_and_the_deceleration(jug: str, allowed: set[int]) -> None:
    """J-ACC-2, J-ACC-3 (never below 0), J-EQ-1 to 3, J-CAP-1, J-ACC-5 (legs cap what is chosen at 5).

    A jug whose legs bear it faster than 5 takes the least that it can.
    """
    velocity, *equipment = jug.split()
    start = f"3 {' '.join(equipment)} @ -12 0 0"
    case = {"a": [start], "given": {"a1": {"velocity": int(velocity)}}}
    assert velocities({**case, "rules": {"base_turn_rate": 0, "legs_turns": 0}}) == allowed


def test_the_velocity_limit_of_legs_is_a_number_and_stays_when_they_are_lost() -> None:
    """J-EQ-3, J-DMG-4."""
    case: dict[str, Any] = {"a": ["3 legs @ -12 0 0 4"]}
    rules = {"base_turn_rate": 0, "legs_turns": 0, "base_acceleration": 4}
    assert velocities({**case, "rules": rules}) == {2, 3, 4, 5}
    assert velocities({**case, "rules": rules | {"legs_top_velocity": 7}}) == {2, 3, 4, 5, 6, 7}
    assert velocities({**case, "rules": rules, "given": {"a1": {"lost": 1}}}) == {3, 4, 5}


STEADY = {"base_acceleration": 0, "base_deceleration": 0}


def paths(start: str, **rules: Any) -> set[str]:
    """Return the paths of a jug that keeps its velocity."""
    return {steps for _, steps in ways({"a": [start], "rules": {**STEADY, **rules}})}


def test_turns_are_spent_before_between_or_after_the_hexes() -> None:
    """J-ACC-3, J-ACC-1 (one turn), J-ACC-4 (all hexes)."""
    assert paths("3 @ 0 0 0 2") == {"FF", "RFF", "FRF", "FFR", "LFF", "FLF", "FFL"}


def test_each_point_of_turn_rate_is_a_turn_more() -> None:
    """J-EQ-1, J-EQ-3, J-CAP-1."""
    assert max(map(len, paths("3 steering @ 0 0 0 1"))) == 3
    assert max(map(len, paths("3 legs steering +cornering @ 0 0 0 1", legs_deceleration=0))) == 5


def test_a_jug_turns_at_velocity_0_unless_turn_in_place_is_false() -> None:
    """J-ACC-3."""
    assert paths("3 @ 0 0 0 0") == {"", "R", "L"}
    assert paths("3 @ 0 0 0 0", turn_in_place=False) == {""}
    assert paths("3 @ 0 0 0 1", turn_in_place=False) == {"F", "RF", "FR", "LF", "FL"}


def test_a_jug_that_turns_faces_the_next_side_clockwise_to_its_right() -> None:
    """J-MAP-1, J-ACC-1: 60 degrees."""
    scene = Scene({"a": ["1 @ 0 0 5"], "b": [AWAY], "policies": "random hold", "march": False, "rules": STEADY})
    turns = {(row.roll, row.value) for trial in range(40) for row in scene.play(trial).of("TURN_TO")}
    assert turns == {(1, 0), (-1, 4)}


def test_turns_that_are_left_after_steering_is_lost_in_mid_move() -> None:
    """J-DMG-10: the new rate less the turns made, never below 0."""
    case = {
        "a": ["5 steering @ 0 0 0 3"], "b": ["1 saw_arm @ 1 1 0", "1 saw_arm @ 2 -1 0"], "policies": "random random",
        "dice": {"to_hit": 1, "saw_arm": 20, "critical": 1}, "march": False, "rules": STEADY, "until": "a",
    }  # fmt: skip
    scene, after_loss, most = Scene(case), set(), 0
    for trial in range(TRIALS):
        turns = 0
        lost = -1
        for row in scene.play(trial).of("TURN_TO", "LOSE"):
            if row.jug != 0:
                continue
            if row.what == What.TURN_TO:
                turns += 1
            elif lost < 0:
                lost = turns
        most = max(most, turns)
        if lost >= 0:
            after_loss.add((lost, turns - lost))
    assert most == 2
    assert after_loss == {(0, 0), (0, 1), (1, 0), (2, 0)}


@pytest.mark.parametrize(
    ("contact", "case"),
    [
        (What.RAM, {"b": ["9 @ 2 0 1"]}),
        (What.COLLIDE, {"map": {"obstacles": [[2, 0]]}}),
        (What.STOP, {"a": ["3 steering steering @ 0 0 0 5", "9 @ 2 0 1"]}),
    ],
)
def test_after_a_contact_the_move_is_over(contact: What, case: dict[str, Any]) -> None:
    """J-ATK-7: no more hexes and no more turns, whatever is left of both."""
    scene = Scene({
        "a": ["3 steering steering @ 0 0 0 5"], "b": [AWAY], "policies": "random hold", "march": False,
        "rules": STEADY, "until": "a", **case,
    })  # fmt: skip
    left = set()
    for trial in range(TRIALS):
        moves = [row.what for row in scene.play(trial).of("ENTER", "TURN_TO", contact.name) if row.jug == 0]
        if contact in moves:
            assert moves.index(contact) == len(moves) - 1
            left.add(3 - moves.count(What.TURN_TO))
    assert {1, 3} <= left
