"""Designs of jugs: the published lists, their names, what is illegal, and what the ratings say (J-DES-1, J-WPN-1)."""

import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from simkit.games.jugger import aliases, records
from simkit.games.jugger.designs import (
    EXOTIC,
    Design,
    Item,
    UnknownDesignError,
    captains,
    complaints,
    find,
    hits,
    load,
    spaces,
    words,
)
from simkit.games.jugger.items import MOST_ITEMS, MOST_SIZE, MOST_WEAPONS
from simkit.games.jugger.ratings import ARCS, RANGES, presets, ratings
from simkit.games.jugger.rules import Rules

RULES = Rules()

PUBLISHED = {
    "warbuggy": (1, 20, None, "1 ballista"),
    "boarder": (4, 80, "meddian", "1 boarders*4"),
    "swordsman": (5, 120, "meddian", "1 legs, 2 mace_arm, 2 shield_arm"),
    "archer": (3, 60, "meddian", "2 ballista, 1 winch"),
    "axer": (8, 160, "meddian", "1 legs, 2 mace_arm, 2 mace_arm, 1 lever, 1 ballista*2"),
    "lobber": (2, 40, "dwarf", "2 trebuchet"),
    "warmachine": (5, 120, "dwarf", "1 armor, 1 lever*2, 1 claw_arm*2"),
    "landship": (6, 160, "dwarf", "1 armor*2, 2 battering_ram, 1 catapult*2"),
    "battlemaster": (8, 220, "dwarf", "1 armor*2, 1 reinforced_ram*2, 1 catapult*2, 1 boarders*2"),
    "warbah": (4, 80, "orc", "1 claw_arm*2, 1 boarders*2"),
    "gorger": (6, 160, "orc", "1 gears*2, 1 armor*2, 1 reinforced_ram*2"),
    "cutter": (3, 60, "orc", "1 legs, 1 mace_arm*2"),
    "crusher": (10, 200, "orc", "1 mace_arm*2, 1 flail*2, 1 boarders*2, 1 fire_pump*2, 1 saw_arm*2"),
    "backbiter": (3, 60, "goblin", "1 fang*3"),
    "sniper": (2, 40, "goblin", "2 slingshot"),
    "thrasher": (5, 120, "goblin", "2 flail*2, 1 armor"),
    "hydra": (8, 160, "goblin", "1 claw_arm*8"),
    "lumberjack": (3, 60, "gnome", "1 saw_arm*2, 1 lever"),
    "tug": (5, 100, "gnome", "1 ballista*2, 1 claw_arm*2, 1 winch"),
    "miner": (2, 40, "gnome", "2 battering_ram"),
    "walker": (7, 140, "gnome", "1 legs, 1 gears, 1 flail, 1 flail*2, 1 claw_arm*2"),
    "windrammer": (5, 100, "elf", "1 sails*2, 1 reinforced_ram*2, 1 wizard"),
    "mirror-ship": (2, 40, "elf", "2 mirror"),
    "fire-avatar": (5, 100, "elf", "1 legs, 1 fire_pump*2, 1 cauldron, 1 wizard"),
    "tower-of-death": (7, 140, "elf", "1 flail*2, 1 scythe*4, 1 wizard"),
    "horny-toad": (4, 80, "voorlock", "1 legs, 2 tongue, 1 wizard"),
    "demon-eye": (5, 100, "voorlock", "1 claw_arm*4, 1 demon_eye"),
    "dragon-face": (8, 160, "voorlock", "3 jaws, 2 fire_pump, 1 fang*2, 1 wizard"),
    "gekko-spitter": (2, 40, "voorlock", "2 acid_spitter"),
    "desert-rat": (3, 60, "kurdashi", "1 legs, 1 catapult*2"),
    "wild-ass": (5, 100, "kurdashi", "1 legs, 1 catapult*2, 1 flail*2"),
    "yahoot": (7, 140, "kurdashi", "1 legs, 1 trebuchet*2, 1 flail*2, 1 battering_ram*2"),
}
"""The 32 published designs, written a second time: size class, printed hits, race, and size and name of every item."""


def items_of(text: str) -> tuple[Item, ...]:
    """Read the shorthand of the table above."""
    found: list[Item] = []
    for part in text.split(", "):
        size, name = part.split()
        kind, _, count = name.partition("*")
        found += [Item(kind, int(size))] * int(count or 1)
    return tuple(found)


def wrong(size: int, *equipment: Any, rules: Rules = RULES, **more: Any) -> list[tuple[tuple[Any, ...], str, str, str]]:
    """Return the complaints about a design."""
    return [tuple(one) for one in complaints(Design(size=size, equipment=list(equipment), **more), rules)]  # type: ignore[misc]


# The published designs


@pytest.mark.parametrize("id", PUBLISHED)
def test_a_published_design_is_what_its_list_says_legal_and_full(id: str) -> None:
    size, printed, race, text = PUBLISHED[id]
    design = load()[id]
    assert (design.size, design.printed_hits, design.race, design.items) == (size, printed, race, items_of(text))
    assert complaints(design, RULES) == []
    assert sum(spaces(item, RULES) for item in design.items) == size
    assert design.title is not None and find(design.title) == find(id) == design


def test_only_the_battlemaster_is_printed_with_other_hits_than_its_list_gives() -> None:
    given = {id: hits(load()[id], RULES) for id in PUBLISHED}
    assert {id: had for id, had in given.items() if had != PUBLISHED[id][1]} == {"battlemaster": 200}
    as_printed = Rules(printed_hits=True)
    assert all(hits(load()[id], as_printed) == PUBLISHED[id][1] for id in PUBLISHED)
    flagged = {row["design"]: row["hits"] for row in presets() if "printed" in row["hits"]}
    assert flagged == {"battlemaster": "200 (printed 220)"}


def test_there_are_32_designs_and_a_warbuggy_for_every_weapon() -> None:
    ids = list(load())
    assert ids[:32] == list(PUBLISHED)
    assert ids[32:] == [f"warbuggy-{weapon.replace('_', '-')}" for weapon in aliases.WEAPONS]
    for weapon, id in zip(aliases.WEAPONS, ids[32:], strict=True):
        assert load()[id].items == (Item(weapon),)
        assert complaints(load()[id], RULES) == []
    assert find("warbuggy").items == find("Warbuggy Ballista").items
    assert hits(find("warbuggy-shield-arm"), RULES) == 30


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("Tower of Death", "tower-of-death"),
        ("TOWER_OF-DEATH", "tower-of-death"),
        ("  horny   toad ", "horny-toad"),
        ("warbuggy sword arm", "warbuggy-mace-arm"),
        ("Warbuggy-Droppers", "warbuggy-flail"),
    ],
)
def test_a_design_is_found_by_its_name_however_it_is_written(name: str, id: str) -> None:
    assert find(name) is load()[id]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("wind-rammer", "no design is called 'wind-rammer'; did you mean 'windrammer'? there are: warbuggy, boarder,"),
        ("warbuggy-gears", "no design is called 'warbuggy-gears'; did you mean 'warbuggy'?"),
        ("x" * 500, f"no design is called '{'x' * 64}'; there are: warbuggy,"),
    ],
)
def test_an_unknown_design_is_told_what_there_is(name: str, says: str) -> None:
    with pytest.raises(UnknownDesignError) as caught:
        find(name)
    assert str(caught.value).startswith(says)
    assert str(caught.value).endswith("yahoot, and warbuggy-catapult to warbuggy-fang")


# Names

NAMES = {
    "jaws": "jaw, jaws, pincers, mandibles",
    "wheel_spikes": "wheel spikes, Wheel-Spike",
    "battering_ram": "battering rams, screw ram, Screw Rams",
    "claw_arm": "claw, claws, claw arm, jaw arms, pincer arm, tentacle, tentacles, catcher, catchers",
    "saw_arm": "saw arms, screw arm, scissor arms",
    "flail": "flails, dropper, droppers, wrecking ball, wrecking_balls",
    "mace_arm": "mace arms, hammer, hammer arms, sword, sword arm, axe arm, axe arms",
    "shield_arm": "shield arm, Shield Arms",
    "boarders": "boarder, boarders",
    "scythe": "scythe, scythes",
    "lever": "lever, jack, jacks, push pole, push-poles",
    "mirror": "mirror, mirrors",
    "slingshot": "slingshot, sling shot, slingshots, sling shots",
    "fire_pump": "fire pumps, FIRE-PUMP, fire_pump",
    "reinforced_ram": "reinforced ram, main ram, Main Rams",
    "gears": "gear, gears",
    "winch": "winch, winches",
    "armor": "armor, armour",
    "catcher": "ball catcher, ball catchers",
}


@pytest.mark.parametrize(("kind", "names"), NAMES.items())
def test_every_name_of_a_thing_means_it(kind: str, names: str) -> None:
    for name in names.split(", "):
        assert Design(size=1, equipment=[name]).items == (Item(kind),), name


def test_every_canonical_name_means_itself_alone_and_in_the_plural() -> None:
    for kind in (*aliases.WEAPONS, *(kind for kind in aliases.EQUIPMENT if kind != "catcher")):
        for name in (kind, kind.replace("_", " "), kind.replace("_", "-").upper(), f"{kind}s"):
            assert Design(size=1, equipment=[name]).items == (Item(kind),), name


def test_no_two_things_share_a_name_but_the_catcher() -> None:
    spelled = [(name, kind) for kind in aliases.KINDS for name in (kind, *aliases.ALSO.get(kind, "").split())]
    shared = {name for name, _ in spelled if len({kind for other, kind in spelled if other == name}) > 1}
    assert shared == {"catcher"}


def test_the_tables_know_every_weapon_and_every_space() -> None:
    assert tuple(RULES.weapons) == aliases.WEAPONS
    assert all(spaces(Item(kind), RULES) == 1 for kind in aliases.KINDS)
    assert spaces(Item("flail", 3), Rules(weapon_spaces=2)) == 6
    assert spaces(Item("legs"), Rules(legs_spaces=3)) == 3


def test_a_catcher_catches_the_ball_in_a_regulation_jug_and_is_an_arm_elsewhere() -> None:
    assert Design(size=3, equipment=["catcher"]).items == (Item("claw_arm"),)
    assert Design(size=3, equipment=["catcher"], regulation=True).items == (Item("catcher"),)
    assert Design(size=3, equipment=[{"item": "catcher"}]).items == (Item("catcher"),)  # type: ignore[list-item]
    assert Design(size=3, equipment=[{"weapon": "catcher"}], regulation=True).items == (Item("claw_arm"),)  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("entry", "items"),
    [
        ("main ram +2", [Item("reinforced_ram")] * 2),
        ("Main Ram+2", [Item("reinforced_ram")] * 2),
        ("+2 Gears", [Item("gears")] * 2),
        ("gears +1", [Item("gears")]),
        ("1x Armor", [Item("armor")]),
        ("2 x armor", [Item("armor")] * 2),
        ("Armor x1", [Item("armor")]),
        ("armor x 3", [Item("armor")] * 3),
        ("Two Size 2 Flails", [Item("flail", 2)] * 2),
        ("size 2 Axe arm", [Item("mace_arm", 2)]),
        ("Size-3 jaw", [Item("jaws", 3)]),
        ("  4   boarders ", [Item("boarders")] * 4),
        ({"weapon": "sword arm", "size": 2}, [Item("mace_arm", 2)]),
        ({"item": "gears", "count": 2}, [Item("gears")] * 2),
        ({"item": "flail", "size": 2, "count": 2}, [Item("flail", 2)] * 2),
    ],
)
def test_an_entry_is_read_as_lists_print_it(entry: Any, items: list[Item]) -> None:
    assert Design(size=1, equipment=[entry]).items == tuple(items)


ITEMS = st.one_of(
    st.builds(Item, st.sampled_from(aliases.WEAPONS), st.integers(1, MOST_SIZE)),
    st.builds(Item, st.sampled_from(aliases.EQUIPMENT), st.just(1)),
)


@given(st.lists(ITEMS, max_size=MOST_ITEMS), st.booleans())
def test_items_are_written_so_that_they_read_the_same(items: list[Item], regulation: bool) -> None:
    assert Design.of(5, items, regulation=regulation).items == tuple(items)


def test_a_design_is_said_in_a_line() -> None:
    design = find("walker").model_copy(update={"captain": ["speed", "damage control"]})
    assert words(design) == "7 SC: legs, gears, 3 flails, 2 claw arms; captain: speed demon, damage control"
    assert words(Design(size=2)) == "2 SC: no equipment"
    assert words(find("gorger")) == "6 SC: gears +2, armor x2, reinforced ram +2"


# What is illegal


@pytest.mark.parametrize(
    ("equipment", "expected"),
    [
        (
            ["legs", "gears", "flail"],
            (("equipment",), "the equipment fills 3 spaces; size 2 gives 2", "take 1 away, or use size = 3"),
        ),
        (["balista"], (("equipment", 0), "no equipment or weapon is called 'balista'", "did you mean 'ballista'?")),
        (["axe am"], (("equipment", 0), "no equipment or weapon is called 'axe am'", "did you mean 'axe arm'?")),
        (
            ["gears", "cannon of doom"],
            (
                ("equipment", 1),
                "no equipment or weapon is called 'cannon of doom'",
                "simkit designs jugger shows what there is",
            ),
        ),
        (
            ["gears", {"item": "geers"}],
            (("equipment", 1, "item"), "no equipment or weapon is called 'geers'", "did you mean 'gears'?"),
        ),
        ([{"weapon": "gears"}], (("equipment", 0, "weapon"), "'gears' is no weapon", 'write {item = "gears"}')),
        (
            ["size 2 gears"],
            (
                ("equipment", 0),
                "'gears' has size 2; only weapons have sizes above 1",
                '"2 gears" are 2 of them',
            ),
        ),
        (["size 0 flail"], (("equipment", 0), "'flail' has size 0; weapons have sizes 1 to 20", "")),
        (["size 21 flail"], (("equipment", 0), "'flail' has size 21; weapons have sizes 1 to 20", "")),
        (["0 flails"], (("equipment", 0), "'flails' is asked for 0 times; 1 to 32 are possible", "")),
        (
            ["999999999 flails"],
            (("equipment", 0), "'flails' is asked for 999999999 times; 1 to 32 are possible", ""),
        ),
        (
            ["2 gears +2"],
            (("equipment", 0), "'2 gears +2' is no entry of an equipment list", 'such as "size 2 flail"'),
        ),
        (["legs", "legs"], (("equipment",), "a jug has at most one legs, not 2", "")),
        (["2 deflectors"], (("equipment",), "a jug has at most one deflector, not 2", "")),
        (["2 ball catchers"], (("equipment",), "a jug has at most one catcher, not 2", "")),
        (["legs", "sails"], (("equipment",), "legs cannot be combined with sails", "")),
        (["legs", "deflector"], (("equipment",), "legs cannot be combined with deflector", "")),
        (["ball catcher", "legs"], (("equipment",), "legs cannot be combined with catcher", "")),
        (["winch"], (("equipment",), "1 winch and no ballista: each winch needs a ballista of its own", "")),
    ],
)
def test_what_is_wrong_with_equipment_is_said_at_its_place(equipment: list[Any], expected: tuple[Any, ...]) -> None:
    found = wrong(2, *equipment)
    assert [(path, message, help) for path, message, _, help in found] == [expected]
    assert found[0][2].startswith("J-")


def test_winches_are_counted_against_ballistas() -> None:
    assert wrong(4, "2 ballistas", "2 winches") == []
    assert [message for _, message, _, _ in wrong(5, "2 ballistas", "3 winches")] == [
        "3 winches and 2 ballistas: each winch needs a ballista of its own"
    ]


def test_fewer_items_than_spaces_and_a_reinforced_ram_beside_legs_are_legal() -> None:
    assert wrong(5, "legs", "reinforced ram", "gears") == []
    assert wrong(1) == []


@pytest.mark.parametrize("kind", EXOTIC)
def test_exotic_things_belong_to_their_races_when_a_race_is_named(kind: str) -> None:
    assert wrong(1, kind) == []
    for race in aliases.RACES:
        found = wrong(1, kind, race=race.title())
        if race in EXOTIC[kind]:
            assert found == []
        else:
            (path, message, id, _), *rest = found
            assert (path, id, rest) == (("equipment", 0), "J-DES-2", [])
            assert message.startswith(f"'{kind.replace('_', ' ')}' is built by {EXOTIC[kind][0]}")
            assert message.endswith(f"alone, not by {race}")


def test_races_have_their_plurals_and_no_other_names() -> None:
    for name in ("Meddians", "dwarves", "ORCS", "goblins", "gnomes", "elves", "voorlock", "kurdashi"):
        assert wrong(1, "gears", race=name) == []
    assert wrong(1, race="drawf") == [
        (
            ("race",),
            "no race is called 'drawf'",
            "J-ARM-1",
            "did you mean 'dwarf'? there are: meddian, dwarf, orc, goblin, gnome, elf, voorlock, kurdashi",
        )
    ]


def test_every_reason_is_given_at_once_and_from_where_the_design_stands() -> None:
    design = Design(
        size=2,
        equipment=["leggs", "sails", "legs", "2 winches", {"weapon": "gears"}],  # type: ignore[list-item]
        captain=["tactic", "luck", "luck"],
        race="orc",
    )
    found = complaints(design, RULES, ("designs", "mine"))
    assert [(one.path, one.id) for one in found] == [
        (("designs", "mine", "equipment", 0), "J-WPN-1"),
        (("designs", "mine", "equipment", 1), "J-DES-2"),
        (("designs", "mine", "equipment", 4, "weapon"), "J-WPN-1"),
        (("designs", "mine", "equipment"), "J-DES-1"),
        (("designs", "mine", "equipment"), "J-EQ-2"),
        (("designs", "mine", "equipment"), "J-WPN-6"),
        (("designs", "mine", "captain", 0), "J-CAP-1"),
        (("designs", "mine", "captain", 2), "J-CAP-1"),
    ]
    with pytest.raises(ValueError, match="no equipment or weapon is called 'leggs'"):
        _ = design.items
    with pytest.raises(ValueError, match="no captain and no ability is called 'tactic'"):
        _ = design.abilities


def test_a_jug_has_an_end_and_finds_room_in_the_kernels() -> None:
    assert (MOST_WEAPONS, MOST_ITEMS) == (records.WEAPONS, records.PIECES)
    most = Rules(spaces_per_size=20)
    assert wrong(2, f"{MOST_WEAPONS} flails", f"{MOST_ITEMS - MOST_WEAPONS} gears", rules=most) == []
    assert [message for _, message, _, _ in wrong(2, "21 flails", "12 gears", rules=most)] == [
        "33 items; a jug has room for 32",
        "21 weapons; a jug has room for 20",
    ]


def test_the_spaces_are_those_of_the_rules_in_force() -> None:
    assert [message for _, message, _, _ in wrong(3, "legs", "2 flails", rules=Rules(legs_spaces=2))] == [
        "the equipment fills 4 spaces; size 3 gives 3"
    ]
    assert wrong(1, "legs", "flail", rules=Rules(legs_spaces=0)) == []
    assert wrong(1, "3 gears", rules=Rules(spaces_per_size=3)) == []
    found = wrong(1, "4 gears", rules=Rules(spaces_per_size=3))
    assert [one[1:] for one in found] == [
        ("the equipment fills 4 spaces; size 1 gives 3", "J-DES-1", "take 1 away, or use size = 2")
    ]
    assert wrong(20, "21 gears")[0][3] == "take 1 away"


@pytest.mark.parametrize(
    ("fields", "where", "says"),
    [
        ({"size": 2, "equipment": ["mirror", "gears"]}, ("equipment", 0), "'mirror' is not allowed in regulation"),
        ({"size": 3, "equipment": ["wizard"]}, ("equipment", 0), "'wizard' is not allowed in regulation"),
        ({"size": 3, "equipment": ["size 2 flail"]}, ("equipment", 0), "a weapon of a regulation jug has size 1"),
        ({"size": 3, "captain": ["luck"]}, ("captain",), "a regulation jug has no captain"),
        ({"size": 4}, ("size",), "a regulation jug has size 3, not 4"),
    ],
)
def test_a_regulation_jug_keeps_to_its_table(fields: dict[str, Any], where: tuple[Any, ...], says: str) -> None:
    found = complaints(Design(regulation=True, **fields), RULES)
    assert any(one.path == where and one.message.startswith(says) and one.id == "J-BALL-20" for one in found)
    assert complaints(Design(size=3, equipment=["deflector", "catcher", "jaws"], regulation=True), RULES) == []


@pytest.mark.parametrize(
    ("fields", "where", "type"),
    [
        ({"size": True}, ("size",), "int_type"),
        ({"size": 0}, ("size",), "greater_than_equal"),
        ({"size": 21}, ("size",), "less_than_equal"),
        ({"size": 2.0}, ("size",), "int_type"),
        ({"size": 2, "sise": 2}, ("sise",), "extra_forbidden"),
        ({"equipment": []}, ("size",), "missing"),
        ({"size": 2, "equipment": [{"size": 2}]}, None, "rule"),
        ({"size": 2, "equipment": [{"item": "legs", "weapon": "flail"}]}, None, "rule"),
        ({"size": 2, "equipment": [{"item": "legs", "count": 33}]}, None, "less_than_equal"),
        ({"size": 2, "equipment": ["gears"] * 33}, ("equipment",), "too_long"),
        ({"size": 2, "equipment": ["g" * 65]}, None, "string_too_long"),
    ],
)
def test_a_design_of_another_shape_is_refused(fields: dict[str, Any], where: tuple[str, ...] | None, type: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Design(**fields)
    found = [(error["loc"], error["type"]) for error in caught.value.errors()]
    assert type in [kind for loc, kind in found if where is None or loc == where]


# Captains


def test_captains_have_ten_abilities_and_three_are_legendary() -> None:
    abilities = "speed, cornering, balance, tactics, artillerist, meleer, evasion, damage_control, mechanic, luck"
    assert ", ".join(captains()["abilities"]) == abilities
    legendary = {
        "Morg Orgus": "speed meleer damage_control tactics evasion",
        "Ballard Trevon": "balance luck artillerist tactics",
        "Gavis Greybeard": "cornering mechanic evasion",
    }
    for name, abilities in legendary.items():
        for captain in (name, [name.lower().replace(" ", "-")]):
            design = Design(size=1, captain=captain)
            assert design.abilities == tuple(abilities.split())
            assert complaints(design, RULES) == []


def test_an_ability_has_its_names() -> None:
    assert Design(size=1, captain=["Speed Demon", "damage control", "LUCK"]).abilities == (
        "speed",
        "damage_control",
        "luck",
    )
    assert Design(size=1, captain="tactics").abilities == ("tactics",)
    assert Design(size=1).abilities == ()


def test_a_jug_has_one_captain_and_each_ability_once() -> None:
    assert wrong(1, captain=["Morg Orgus", "luck"]) == [
        (("captain", 0), "'Morg Orgus' is a captain of his own; a jug has at most one", "J-CAP-1", "name him alone")
    ]
    assert wrong(1, captain=["luck", "Luck"]) == [
        (("captain", 1), "the ability 'Luck' stands there twice", "J-CAP-1", "")
    ]
    (path, message, _, help), *rest = wrong(1, captain="meller")
    assert (path, message, rest) == (("captain",), "no captain and no ability is called 'meller'", [])
    assert help.startswith("did you mean 'meleer'? there are: speed, ") and help.endswith("gavis-greybeard")


# Ratings


def rated(size: int, *equipment: str, rules: Rules = RULES, **more: Any) -> Any:
    return ratings(Design(size=size, equipment=list(equipment), **more), rules)


def test_the_worked_examples() -> None:
    windrammer = ratings(find("windrammer"), RULES)
    assert windrammer[:5] == (100, None, 3, 3, 1)
    assert (windrammer.ram, windrammer.kick, windrammer.top_velocity) == ("1d6+7", "", None)
    cutter = ratings(find("cutter"), RULES)
    assert cutter[:5] == (60, None, 1, 2, 2)
    assert (cutter.ram, cutter.kick, cutter.top_velocity) == ("", "1d10+3", 5)
    assert rated(1, "catapult").damage["rear"][10] == Fraction(7, 3)
    assert rated(2, "size 2 flail").damage["front"][1] == 7
    assert rated(1, "lever").kills["front"][1] == Fraction(1, 6)
    scythe = rated(2, "size 2 scythe")
    assert (scythe.damage["front"][1], scythe.kills["front"][1]) == (Fraction(5, 2), Fraction(1, 12))


def test_a_captain_and_the_rules_move_the_ratings() -> None:
    assert rated(1, "steering", captain=["speed", "balance", "cornering"])[2:5] == (2, 2, 3)
    assert rated(2, "gears", "brakes", rules=Rules(gears_acceleration=3, brakes_deceleration=2))[2:5] == (4, 3, 1)
    assert rated(3, "main ram +2", rules=Rules(ram_bonus=4, ram_dice="2d6")).ram == "2d6+11"
    assert rated(1, "legs", rules=Rules(kick_adds_size=False, kick_dice="1d8")).kick == "1d8"


@pytest.mark.parametrize("weapon", aliases.WEAPONS)
def test_a_weapon_counts_where_it_reaches(weapon: str) -> None:
    row = RULES.weapons[weapon]
    found = rated(1, weapon)
    for arc in ARCS:
        for away in RANGES:
            bears = row.arc == "all" or (row.arc, arc) in (("forward", "front"), ("side", "side"))
            reaches = bears and away <= row.range
            assert (found.damage[arc][away] + found.kills[arc][away] > 0) == reaches, (arc, away)


def test_the_captains_bonus_goes_to_the_first_weapon_that_reaches() -> None:
    gunner = rated(3, "saw arm", "ballista", "catapult", captain="artillerist").damage["rear"]
    assert gunner[10] == Fraction(3, 6) * 7
    assert gunner[5] == Fraction(5, 6) * Fraction(7, 2) + Fraction(2, 6) * 7
    fighter = rated(3, "ballista", "mace arm", "flail", captain=["meleer"]).damage["rear"]
    assert fighter[1] == Fraction(4, 6) * Fraction(7, 2) + Fraction(4, 6) * 7 + Fraction(2, 6) * Fraction(21, 2)
    capped = rated(1, "saw arm", captain=["meleer"], rules=Rules(to_hit_max=4)).damage["rear"]
    assert capped[1] == Fraction(4, 6) * Fraction(7, 2)


def test_hitting_on_the_number_or_more() -> None:
    assert rated(1, "catapult", rules=Rules(to_hit="at_least")).damage["rear"][1] == Fraction(5, 6) * 7
    helped = rated(1, "catapult", captain="artillerist", rules=Rules(to_hit="at_least"))
    assert helped.damage["rear"][1] == 7


def burning(hit: Fraction, every: int, turns: int = 2000) -> float:
    """Follow the turns that one fire has left, turn by turn, and return the share in which it burns."""
    left, burnt = {0: 1.0}, 0.0
    for turn in range(turns):
        after: dict[int, float] = {}
        for had, chance in left.items():
            lit = float(hit) if turn % every == 0 else 0.0
            for face in range(1, 7):
                now = max(had, face)
                after[now] = after.get(now, 0.0) + chance * lit / 6
            after[had] = after.get(had, 0.0) + chance * (1 - lit)
        burnt += sum(chance for now, chance in after.items() if now)
        left = {}
        for now, chance in after.items():
            left[max(now - 1, 0)] = left.get(max(now - 1, 0), 0.0) + chance
    return burnt / turns


def test_a_fire_counts_while_it_burns() -> None:
    pump = rated(4, "size 4 fire pump").damage["rear"][1]
    assert float(pump) == pytest.approx(4 * burning(Fraction(3, 6), 1), rel=2e-3)
    cauldron = rated(2, "size 2 cauldron").damage["rear"][1]
    assert float(cauldron) == pytest.approx(7 * burning(Fraction(4, 6), 3), rel=2e-3)
    assert rated(1, "mirror").damage["rear"][10] < 1
    stacked = Rules(fire_stacks=True)
    assert rated(1, "mirror", rules=stacked).damage["rear"][10] == Fraction(4, 6) * Fraction(7, 2)
    assert rated(1, "cauldron", rules=stacked).damage["rear"][1] == Fraction(4, 6) * Fraction(7, 2) ** 2 / 3


def test_chances_to_end_a_foe_join() -> None:
    assert ratings(find("backbiter"), RULES).kills["front"][1] == 1 - Fraction(5, 6) ** 3
    assert ratings(find("backbiter"), RULES).kills["side"][1] == 0
    assert ratings(find("archer"), RULES).kills["rear"][5] == Fraction(4, 6) * Fraction(1, 6)
    assert ratings(find("tug"), RULES).kills["rear"][5] == Fraction(4, 6) * Fraction(1, 6)


def test_the_presets_are_all_designs_with_the_same_columns() -> None:
    rows = presets()
    assert [row["design"] for row in rows] == list(load())
    assert len({tuple(row) for row in rows}) == 1
    walker = next(row for row in rows if row["design"] == "walker")
    assert walker == {
        "design": "walker",
        "race": "gnome",
        "SC": 7,
        "hits": "140",
        "up": 2,
        "down": 2,
        "turns": 2,
        "top speed": 5,
        "ram, times speed": "none",
        "damage at 1": "26.5",
        "damage at 2": "0.0",
        "damage at 5": "0.0",
        "damage at 10": "0.0",
        "damage at 15": "0.0",
        "kills at 1": "0%",
        "equipment": "legs, gears, 3 flails, 2 claw arms",
    }


def test_designs_load_nothing_heavy() -> None:
    heavy = {"numba", "llvmlite", "pandas", "scipy", "matplotlib", "pyarrow"}
    modules = ", ".join(f"simkit.games.jugger.{room}" for room in ("designs", "builds", "ratings"))
    code = f"import sys, {modules}; print(*sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
