"""The rules of Jugger by scenes, second part: what bears, the moment of attack, and what weapons do."""

import re
from typing import Any

import pytest

from simkit.core.dice import parse
from simkit.core.dicetable import dice_table
from simkit.games.jugger.aliases import WEAPONS
from simkit.games.jugger.records import DiceRow
from simkit.games.jugger.rules import Rules
from tests.jugger_scenes import Scene, cases, check, titled

SCENES = cases("attacks")

TABLE: dict[str, tuple[int, int, str, str]] = {
    "catapult": (10, 2, "2d6", "all"),
    "ballista": (5, 4, "1d6", "all"),
    "jaws": (1, 3, "2d6", "forward"),
    "wheel_spikes": (1, 4, "1d6", "side"),
    "battering_ram": (1, 4, "2d6", "forward"),
    "claw_arm": (1, 3, "1d6", "all"),
    "saw_arm": (1, 4, "1d6", "all"),
    "flail": (1, 2, "3d6", "all"),
    "mace_arm": (1, 3, "2d6", "all"),
    "shield_arm": (1, 3, "1d6", "all"),
    "trebuchet": (15, 1, "3d6", "all"),
    "boarders": (1, 1, "", "all"),
    "fire_pump": (1, 3, "1", "all"),
    "cauldron": (1, 4, "1d6", "all"),
    "scythe": (1, 3, "1d6", "forward"),
    "lever": (1, 1, "", "forward"),
    "mirror": (10, 4, "1", "all"),
    "demon_eye": (5, 1, "", "forward"),
    "acid_spitter": (10, 3, "1", "forward"),
    "tongue": (2, 3, "1d6", "forward"),
    "slingshot": (10, 3, "1d6", "all"),
    "fang": (1, 1, "", "forward"),
}
"""The weapon tables: range, To Hit, damage and arc."""

ARCS = {"all": {0, 1, 2, 3, 4, 5}, "forward": {0}, "side": {1, 2, 4, 5}}
"""Arcs of the attacker in which a target may stand."""


@pytest.mark.parametrize("scene", SCENES, ids=titled(SCENES))
def test_scene(scene: dict[str, Any]) -> None:
    """What the rule says is what happens."""
    check(scene)


# The weapon tables


def bears(weapon: str, distance: int, arc: int, **more: Any) -> bool:
    """Tell whether a weapon is used on a jug so far away in an arc of its own."""
    case = {"a": [f"3 {weapon} @ 0 0 {-arc % 6}"], "b": [f"9 @ {distance} 0 0"], "map": {"half_length": 16}, **more}
    return bool(Scene(case).shown().of("DECLARE"))


@pytest.mark.parametrize("weapon", WEAPONS)
def test_a_weapon_reaches_its_range_without_a_minimum_and_its_arc(weapon: str) -> None:
    """J-WPN-1, J-ATK-3 (adjacent is range 1), J-SC-3 (no size reaches farther)."""
    reach, _, _, arc = TABLE[weapon]
    ahead = min(ARCS[arc])
    assert bears(weapon, 1, ahead) and (reach == 1 or bears(weapon, reach, ahead))
    assert not bears(weapon, reach + 1, ahead) and not bears(f"{weapon}:3", reach + 1, ahead)
    assert {side for side in range(6) if bears(weapon, 1, side)} == ARCS[arc]


@pytest.mark.parametrize("weapon", WEAPONS)
def test_a_weapon_hits_on_its_to_hit_at_any_range_and_size(weapon: str) -> None:
    """J-WPN-1, J-ATK-2, J-ATK-3, J-SC-3."""
    reach, to_hit, _, arc = TABLE[weapon]
    for size, distance in ((1, 1), (1, reach), (3, 1)):
        facing = -min(ARCS[arc]) % 6
        case = {"a": [f"3 {weapon}:{size} @ 0 0 {facing}"], "b": [f"9 @ {distance} 0 0"], "map": {"half_length": 16}}
        for die in (to_hit, to_hit + 1):
            rows = Scene({**case, "dice": {"to_hit": die}}).shown().of("TO_HIT")
            assert [(row.value, row.extra) for row in rows] == [(to_hit, int(die == to_hit))]


@pytest.mark.parametrize("weapon", WEAPONS)
def test_a_weapon_throws_its_own_damage_dice_and_its_size_multiplies_them(weapon: str) -> None:
    """J-WPN-1, J-SC-2, J-WPN-17; boarders, levers, fangs and demon eyes do none (J-SC-3)."""
    _, to_hit, dice, arc = TABLE[weapon]
    for size in (1, 2):
        case = {"a": [f"3 {weapon}:{size} @ 0 0 {-min(ARCS[arc]) % 6}"], "b": ["9 @ 1 0 0"], "dice": {"to_hit": to_hit}}
        scene = Scene(case)
        numbers = scene.setup.jugs[0].weapons[0]
        assert scene.setup.dice[numbers.dice].tobytes() == dice_table(parse(dice or "0")).tobytes()
        fixed = {} if dice == "1" else {weapon: 5}
        shown = Scene({**case, "dice": {"to_hit": to_hit, **fixed}}).shown()
        values = [row.value for row in shown.of("DAMAGE", "FIRE")]
        assert values == ([] if not dice else [(5 if fixed else 1) * size])


LOADED = {
    "initiative_dice": DiceRow.INITIATIVE, "deploy_dice": DiceRow.DEPLOY, "to_hit_dice": DiceRow.TO_HIT,
    "break_dice": DiceRow.BREAK, "fire_turns_dice": DiceRow.FIRE_TURNS, "rope_dice": DiceRow.ROPE,
    "balance_dice": DiceRow.BALANCE, "evasion_dice": DiceRow.EVADE, "control_dice": DiceRow.CONTROL,
    "critical_dice": DiceRow.CRITICAL, "repair_dice": DiceRow.REPAIR, "wall_hits": DiceRow.WALL,
    "spell_count_dice": DiceRow.SPELL_COUNT, "haste_turns_dice": DiceRow.HASTE_TURNS,
    "restoration_dice": DiceRow.RESTORE, "ram_dice": DiceRow.RAM, "bounce_dice": DiceRow.BOUNCE,
    "collision_dice": DiceRow.COLLISION, "kick_dice": DiceRow.KICK, "fireball_damage": DiceRow.FIREBALL,
    "bolt_damage": DiceRow.BOLT,
}  # fmt: skip
"""Every field of dice, and the dice that the scenes load for it."""


@pytest.mark.parametrize("field", LOADED)
def test_dice_are_numbers_of_the_rules(field: str) -> None:
    """J-RAM-2, J-RAM-3, J-COL-1, J-INI-1 and so on: one field of dice changes what is thrown for one purpose."""
    case = {"a": ["3 saw_arm @ 0 0 0"], "b": ["9 @ 1 0 0"]}
    plain, changed = (Scene({**case, "rules": rules}).setup.dice for rules in ({}, {field: "1d2+6"}))
    assert [row for row in DiceRow if plain[row].tobytes() != changed[row].tobytes()] == [LOADED[field]]
    assert changed[LOADED[field]].tobytes() == dice_table(parse("1d2+6")).tobytes()
    assert plain[LOADED[field]].tobytes() == dice_table(parse(getattr(Rules(), field))).tobytes()


def test_every_field_of_dice_is_loaded_somewhere() -> None:
    """No field of dice is missed above."""
    found = {name for name, value in Rules() if isinstance(value, str) and re.fullmatch(r"\d+d\d+", value)}
    assert found == set(LOADED)


# Declarations


def declared(declare: str, trials: int = 150) -> set[tuple[int, ...]]:
    """Return in which orders two weapons of a jug that leaves all to chance are declared at one moment."""
    scene = Scene({
        "a": ["2 saw_arm saw_arm @ 0 0 0"], "b": ["5 @ 1 0 0"], "policies": "random hold",
        "rules": {"declare": declare}, "until": "a",
    })  # fmt: skip
    orders = set()
    for trial in range(trials):
        shown = scene.play(trial)
        if shown.state.first == 0:
            orders.add(tuple(row.item for row in shown.of("DECLARE")))
    return orders


def test_attacks_are_declared_once_in_list_order_or_in_rounds_until_all_pass() -> None:
    """J-ATK-5: who has passed is asked again only where declarations go round (declare = rounds)."""
    assert declared("once") == {(), (0,), (1,), (0, 1)}
    assert declared("rounds") == {(), (0,), (1,), (0, 1), (1, 0)}


@pytest.mark.parametrize("weapon", ["saw_arm", "wheel_spikes", "legs"])
def test_any_attack_may_be_kept_back(weapon: str) -> None:
    """J-ATK-1: a side may declare attacks; J-WPN-12: wheel spikes, too, may be kept back."""
    facing = 5 if weapon == "wheel_spikes" else 0
    scene = Scene({"a": [f"2 {weapon} @ 0 0 {facing}"], "b": ["5 @ 1 0 0"], "policies": "random hold", "order": "*"})
    assert {len(scene.play(trial).of("DECLARE")) for trial in range(40)} == {0, 1}


def test_sight_ends_at_what_stands_between_and_not_at_what_stands_beside() -> None:
    """J-MAP-4: line_of_sight, hex by hex, for a target in a straight row."""
    for q in range(5):
        for r in (-1, 0, 1):
            case = {
                "a": ["1 ballista @ 0 0 0"], "b": ["1 @ 4 0 0"], "map": {"forests": [[q, r]]},
                "rules": {"line_of_sight": True},
            }  # fmt: skip
            assert bool(Scene(case).shown().of("DECLARE")) == (r != 0 or q in (0, 4))
