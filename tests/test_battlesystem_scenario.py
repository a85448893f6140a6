"""The door for Battlesystem fights: what is read, what is refused, and what is said to be illegal, with a help."""

import doctest
from typing import Any

import pytest
from pydantic import ValidationError

from simkit.games.battlesystem import lane, legality, roster, scenario, tables
from simkit.games.battlesystem.lane import LaneTable, survey
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import POLICIES, Scenario, Side
from simkit.games.battlesystem.tables import thirtysixths
from simkit.games.protocol import Complaint

ORCS = {"design": "orcs"}
TOY = {"ar": 20, "ac": 8, "hd": 1, "mv": 12, "damage": "1d6"}
RULES = Rules()
WOODS = {"ground": [{"from": 0, "to": 6, "kind": "woods"}]}


def read(a: Any = "orcs", b: Any = "orcs", **more: Any) -> Scenario:
    """Read a fight; `more` are tables, and fields of [scenario] where no table is called so."""
    named = {name: more.pop(name) for name in ("designs", "policy") if name in more}
    sides = {name: side if isinstance(side, dict) else {"design": side} for name, side in (("a", a), ("b", b))}
    return Scenario.model_validate({"sides": sides, "scenario": more, **named})


def refused(**data: Any) -> list[tuple[tuple[Any, ...], str, str]]:
    """Return where, of what kind and why a fight is not read."""
    with pytest.raises(ValidationError) as caught:
        Scenario.model_validate({"sides": {"a": ORCS, "b": ORCS}, **data})
    return [(error["loc"], error["type"], error["msg"]) for error in caught.value.errors(include_url=False)]


def complaints(*sides: Any, rules: Rules = RULES, **more: Any) -> list[Complaint]:
    return legality.complaints(read(*sides, **more), rules)


def only(*sides: Any, rules: Rules = RULES, **more: Any) -> Complaint:
    (found,) = complaints(*sides, rules=rules, **more)
    assert found.help and found.id.startswith("B-")
    return found


# What is read


def test_defaults() -> None:
    fight = read()
    (unit,) = fight.sides.a.every_unit
    assert (unit.figures, unit.abreast, unit.formation, unit.reserve) == (12, 6, "closed", False)
    assert fight.policy_of("a", unit) == POLICIES[0] == "advance"
    assert (fight.scenario.length, fight.scenario.fronts) == (24 * 36, (0, 24 * 36))
    assert [segment.kind for segment in fight.scenario.ground.segments] == ["clear"]
    assert complaints() == []


def test_whose_policy_counts() -> None:
    units = [{**ORCS, "policy": "hold"}, ORCS]
    fight = read({"units": units, "policy": "charge"}, "orcs", policy="advance")
    assert [fight.policy_of("a", unit) for unit in fight.sides.a.every_unit] == ["hold", "charge"]
    assert fight.policy_of("b", fight.sides.b.every_unit[0]) == "advance"


def test_a_side_with_a_design_is_a_unit() -> None:
    (unit,) = read({"design": TOY, "figures": 7, "files": 7, "formation": "mob"}).sides.a.every_unit
    assert (unit.figures, unit.abreast, unit.formation) == (7, 7, "mob")


def test_a_distance_is_the_length_of_the_lane() -> None:
    fight = read(distance="10/3", lane={"points": [{"at": 3, "kind": "ditch"}]})
    assert fight.scenario.length == 120 and fight.scenario.ground.length == 120
    assert read(in_contact=True).scenario.fronts == (432, 432)


def test_fights_are_plain_data_and_back() -> None:
    fight = read({"units": [ORCS, {**ORCS, "reserve": True}]}, {"design": TOY}, lane=WOODS, designs={"mine": TOY})
    assert Scenario.model_validate(fight.model_dump(by_alias=True)) == fight
    assert Scenario.model_json_schema()["properties"].keys() == {"sides", "designs", "scenario", "policy"}


def test_who_stands_where() -> None:
    """B-LAN-27."""
    units = [ORCS, {**ORCS, "slot": 0}, {**ORCS, "reserve": True}, {**ORCS, "slot": 4}, {**ORCS, "design": "ogres"}]
    posts = roster.roster(read({"units": units, "policy": "hold"}), "a")
    assert [(post.slot, post.reserve) for post in posts] == [(1, False), (0, False), (0, True), (4, False), (2, False)]
    assert (posts[-1].design.base, posts[-1].policy) == ("large", "hold")
    assert roster.slots(Side.model_validate({"units": [{**ORCS, "reserve": True}]})) == [-1]


def test_titles() -> None:
    fight = read({"units": [{"design": "Lizard_men"}, {"design": "mine"}, {"design": TOY}]}, designs={"mine": TOY})
    assert [roster.title(fight, unit) for unit in fight.sides.a.every_unit] == ["Lizard men", "Mine", "Foot"]


# Inches


@pytest.mark.parametrize(
    ("inches", "places"), [(0, 0), (24, 864), (0.25, 9), (3.3333333, 120), ("10/3", 120), ("2.5", 90), (240, 8640)]
)
def test_inches_are_thirtysixths(inches: Any, places: int) -> None:
    assert thirtysixths(inches) == places


@pytest.mark.parametrize(
    ("inches", "says"),
    [
        (3.333, "3.333 inches is no multiple of 1/36; the nearest is 10/3"),
        (0.01, "0.01 inches is no multiple of 1/36; the nearest is 0"),
        (-1, "-1 is not from 0 to 240 inches"),
        (240.5, "240.5 is not from 0 to 240 inches"),
        (1e300, "1e+300 is no number of inches from 0 to 240"),
        (float("nan"), "nan is no number of inches from 0 to 240"),
        (float("inf"), "inf is no number of inches from 0 to 240"),
        ("1/0", "'1/0' is no number of inches"),
        ("-1", "'-1' is no number of inches"),
        ("six", "'six' is no number of inches"),
        ("9" * 5000, f"'{'9' * 64}' is no number of inches"),
        ("1/7", "1/7 inches is no multiple of 1/36; the nearest is 5/36"),
    ],
)
def test_what_are_no_inches(inches: Any, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        thirtysixths(inches)
    assert str(caught.value) == says
    (error,) = refused(scenario={"distance": inches})
    assert error == (("scenario", "distance"), "value", says)


@pytest.mark.parametrize("inches", [True, [3], {"inches": 3}])
def test_inches_of_a_wrong_type(inches: Any) -> None:
    assert {error[0][:2] for error in refused(scenario={"distance": inches})} == {("scenario", "distance")}


# What is refused at the door


@pytest.mark.parametrize(
    ("side", "message"),
    [
        ({}, "a side has a design, or units; this one has neither"),
        ({"figures": 3}, "a side has a design, or units; this one has neither"),
        ({**ORCS, "units": [ORCS]}, "design and units exclude each other"),
        ({"units": [ORCS], "files": 3, "figures": 2}, "figures goes with design; files goes with design"),
    ],
)
def test_a_side_has_one_form(side: dict[str, Any], message: str) -> None:
    assert refused(sides={"a": side, "b": ORCS}) == [(("sides", "a"), "meaning", message)]


@pytest.mark.parametrize(
    ("side", "where", "kind"),
    [
        ({**ORCS, "figures": 0}, ("figures",), "greater_than_equal"),
        ({**ORCS, "figures": 49}, ("figures",), "less_than_equal"),
        ({**ORCS, "figures": True}, ("figures",), "int_type"),
        ({**ORCS, "files": 12.0}, ("files",), "int_type"),
        ({**ORCS, "formation": "phalanx"}, ("formation",), "literal_error"),
        ({**ORCS, "policy": "greedy"}, ("policy",), "literal_error"),
        ({**ORCS, "slot": 1}, ("slot",), "extra_forbidden"),
        ({"units": []}, ("units",), "too_short"),
        ({"units": [ORCS] * 13}, ("units",), "too_long"),
        ({"units": [{**ORCS, "slot": 6}]}, ("units", 0, "slot"), "less_than_equal"),
        ({"units": [{**ORCS, "slot": -1}]}, ("units", 0, "slot"), "greater_than_equal"),
        ({"units": [{"figures": 3}]}, ("units", 0, "design"), "missing"),
    ],
)
def test_values_of_a_side(side: dict[str, Any], where: tuple[Any, ...], kind: str) -> None:
    assert [error[:2] for error in refused(sides={"a": side, "b": ORCS})] == [(("sides", "a", *where), kind)]


@pytest.mark.parametrize(
    ("table", "where", "kind"),
    [
        ({"max_rounds": 0}, ("max_rounds",), "greater_than_equal"),
        ({"max_rounds": 1001}, ("max_rounds",), "less_than_equal"),
        ({"contact": "above"}, ("contact",), "literal_error"),
        ({"in_contact": 1}, ("in_contact",), "bool_type"),
        ({"start": {"a": "hold"}}, ("start", "a"), "literal_error"),
        ({"start": {"c": "set"}}, ("start", "c"), "extra_forbidden"),
        ({"map": "woods"}, ("map",), "extra_forbidden"),
        ({"distance": 3, "lane": {"length": 3}}, (), "meaning"),
        ({"distance": 3, "in_contact": True}, (), "meaning"),
        ({"lane": {"length": -1}}, ("lane", "length"), "value"),
        ({"lane": {"ground": [{"to": 3}]}}, ("lane", "ground", 0, "from"), "missing"),
        ({"lane": {"ground": [{"from": 1, "to": 3, "kind": "lava"}]}}, ("lane", "ground", 0, "kind"), "literal_error"),
        (
            {"lane": {"ground": [{"from": 1, "to": 3, "height": 501}]}},
            ("lane", "ground", 0, "height"),
            "less_than_equal",
        ),
        ({"lane": {"ground": [{"from": 1, "to": 3, "height": 0.5}]}}, ("lane", "ground", 0, "height"), "int_type"),
        ({"lane": {"ground": [{"from": 1, "to": 3}] * 33}}, ("lane", "ground"), "too_long"),
        ({"lane": {"points": [{"at": 3}]}}, ("lane", "points", 0, "kind"), "missing"),
        ({"lane": {"points": [{"at": 3, "kind": "stream"}]}}, ("lane", "points", 0, "kind"), "literal_error"),
    ],
)
def test_values_of_a_scenario(table: dict[str, Any], where: tuple[Any, ...], kind: str) -> None:
    assert [error[:2] for error in refused(scenario=table)] == [(("scenario", *where), kind)]


@pytest.mark.parametrize("name", ["Mine", "my design", "", "x" * 65, "../x"])
def test_names_of_designs(name: str) -> None:
    assert refused(designs={name: TOY})[0][:2] == (("designs", name, "[key]"), "string_pattern_mismatch")


# The lane


def test_gaps_are_clear_and_level() -> None:
    """B-LAN-8."""
    table = {"length": 10, "ground": [{"from": 6, "to": 8, "height": 10}, {"from": 2, "to": 4, "kind": "road"}]}
    found = survey(LaneTable.model_validate(table))
    assert [(one.start, one.end, one.kind, one.height) for one in found.segments] == [
        (0, 72, "clear", 0),
        (72, 144, "road", 0),
        (144, 216, "clear", 0),
        (216, 288, "clear", 10),
        (288, 360, "clear", 0),
    ]
    assert (found.ahead(72).kind, found.behind(72).kind) == ("road", "clear")
    assert found.ahead(360) == found.segments[-1] and found.behind(0) == found.segments[0]
    assert (found.next_edge(0), found.next_edge(72), found.next_edge(359)) == (72, 144, 360)


@pytest.mark.parametrize(("height", "rises"), [(0, 0), (1, 1), (10, 1), (11, 2), (30, 3), (500, 50)])
def test_a_rise_for_each_ten_feet_or_part(height: int, rises: int) -> None:
    """B-LAN-8, B-TER-5: up only, and only where ground is left behind."""
    table = {"length": 10, "ground": [{"from": 4, "to": 8, "height": height}]}
    there = survey(LaneTable.model_validate(table))
    assert there.features(4 * 36) == ("rise",) * rises
    assert there.features(8 * 36) == there.features(0) == there.features(360) == ()
    assert there.mirrored().features(2 * 36) == ("rise",) * rises


def test_the_other_side_sees_the_lane_from_its_end() -> None:
    table = {"length": 10, "ground": [{"from": 1, "to": 4, "kind": "woods"}], "points": [{"at": 9, "kind": "ditch"}]}
    there = survey(LaneTable.model_validate(table))
    back = there.mirrored()
    assert [(one.start // 36, one.end // 36, one.kind) for one in back.segments] == [
        (0, 6, "clear"),
        (6, 9, "woods"),
        (9, 10, "clear"),
    ]
    assert back.features(36) == ("ditch",)
    assert back.mirrored() == there


@pytest.mark.parametrize(
    ("table", "path", "message"),
    [
        ({"ground": [{"from": 4, "to": 4}]}, ("ground", 0, "to"), "ground from 4 inches to 4 inches has no extent"),
        ({"ground": [{"from": 4, "to": 25}]}, ("ground", 0, "to"), "ground to 25 inches"),
        (
            {"ground": [{"from": 4, "to": 8}, {"from": 7.5, "to": 9}]},
            ("ground", 1, "from"),
            "ground from 7.5 inches lies on ground 1 of the list",
        ),
        ({"points": [{"at": 25, "kind": "ditch"}]}, ("points", 0, "at"), "an obstacle at 25 inches"),
        (
            {"points": [{"at": 2, "kind": "ditch"}, {"at": "2", "kind": "barrier"}]},
            ("points", 1, "at"),
            "two obstacles at 2 inches",
        ),
    ],
)
def test_lanes_that_cannot_be(table: dict[str, Any], path: tuple[Any, ...], message: str) -> None:
    found = only(lane=table)
    assert (found.path, found.message, found.id) == (("scenario", "lane", *path), message, "B-LAN-8")


# What is illegal


def test_every_reason_at_once() -> None:
    units = [{"design": "orcz", "files": 13}, {"design": "pikemen", "formation": "open", "slot": 0, "policy": "set"}]
    found = complaints(
        {"units": units},
        {"design": "orcs", "policy": "skirmish"},
        lane={"ground": [{"from": 3, "to": 2}]},
        start={"a": "charge", "b": "wall_round"},
        contact="flank",
        designs={"bad": {"rider": "nobody", "mount": "nothing"}},
    )
    assert [(one.path, one.id) for one in found] == [
        (("designs", "bad", "rider"), "B-UNI-4"),
        (("designs", "bad", "mount"), "B-UNI-4"),
        (("sides", "a", "units", 0, "files"), "B-LAN-4"),
        (("sides", "a", "units", 0, "design"), "B-LAN-26"),
        (("sides", "a", "units", 1, "policy"), "B-SET-1"),
        (("scenario", "start", "b"), "B-SHW-1"),
        (("sides", "b", "policy"), "B-LAN-26"),
        (("scenario", "contact"), "B-SHW-3"),
        (("scenario", "lane", "ground", 0, "to"), "B-LAN-8"),
        (("scenario", "start", "a"), "B-LAN-15"),
    ]


def test_a_name_spelled_wrong() -> None:
    found = only("pikeman", designs={"pikers": TOY})
    assert (found.path, found.message) == (("sides", "a", "design"), "no design is called 'pikeman'")
    assert found.help.startswith("did you mean 'pikemen'? there are: pikers, men-at-arms")
    assert only("piker", designs={"pikers": TOY}).help.startswith("did you mean 'pikers'?")


@pytest.mark.parametrize(
    ("design", "path", "says"),
    [
        ({"rider": "worg", "mount": "worg"}, ("rider",), "nobody who could ride is called 'worg'"),
        ({"rider": "orcs", "mount": "orcs"}, ("mount",), "no mount is called 'orcs'"),
        (
            {"crew": ["orcs", "heavy-cavalry"], "team": ["worg"]},
            ("crew", 1),
            "nobody who could ride is called 'heavy-c",
        ),
        ({"crew": ["orcs"], "team": ["worg", "wrog"]}, ("team", 1), "no mount is called 'wrog'"),
    ],
)
def test_riders_and_mounts_that_are_not_there(design: dict[str, Any], path: tuple[Any, ...], says: str) -> None:
    own = {"design": design}
    for side, designs, at in ((own, {}, ("sides", "a", "design")), ("mine", {"mine": design}, ("designs", "mine"))):
        found = only(side, designs=designs)
        assert found.path == (*at, *path) and found.message.startswith(says)
        assert "there are: " in found.help


def test_more_damage_than_there_is_room_for() -> None:
    horse = {"ac": 7, "hd": 2, "mv": 18, "damage": ["1d3"] * 8}
    assert only({"design": {"crew": ["orcs"], "team": [horse] * 3}}).message.startswith("25 damage dice")
    assert complaints({"design": {"crew": ["orcs"] * 3, "team": [horse] * 2}}) == []


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ([ORCS, {**ORCS, "slot": 3}, {**ORCS, "slot": 3}], "two units in slot 3"),
        ([ORCS, {**ORCS, "reserve": True}, {**ORCS, "reserve": True}], "two reserves in slot 0"),
        ([{**ORCS, "reserve": True}, ORCS], "a reserve stands behind a unit"),
        ([ORCS, {**ORCS, "reserve": True, "slot": 2}], "a reserve in slot 2, and no unit before it"),
        ([ORCS] * 7, "a side has 6 slots"),
    ],
)
def test_places_abreast(units: list[dict[str, Any]], message: str) -> None:
    """B-LAN-27."""
    found = only({"units": units})
    assert (found.message, found.id, found.path[-1]) == (message, "B-LAN-27", "slot")


@pytest.mark.parametrize(
    ("side", "path", "message", "id"),
    [
        ({"design": "orcs", "policy": "set"}, ("sides", "a", "policy"), "spears or pikes are needed", "B-SET-1"),
        ({"design": "orcs", "policy": "wall"}, ("sides", "a", "policy"), "large shields are needed", "B-SHW-1"),
        ({"units": [{**ORCS, "policy": "wall_advance"}]}, ("sides", "a", "units", 0, "policy"), "large sh", "B-SHW-1"),
        ({"design": "orcs", "policy": "skirmish"}, ("sides", "a", "policy"), "skirmishing needs a bow", "B-LAN-26"),
        (
            {"design": "pikemen", "policy": "set", "formation": "open"},
            ("sides", "a", "policy"),
            "set spears needs a closed unit, not open",
            "B-SET-1",
        ),
        (
            {"design": {**TOY, "large_shields": True, "in_command": False}, "policy": "wall"},
            ("sides", "a", "policy"),
            "a shield wall needs a unit in command",
            "B-SHW-1",
        ),
    ],
)
def test_what_a_unit_can_never_declare(side: dict[str, Any], path: tuple[Any, ...], message: str, id: str) -> None:
    found = only(side)
    assert (found.path, found.id) == (path, id) and found.message.startswith(message)


def test_the_policy_of_all() -> None:
    assert [one.path for one in complaints("pikemen", "orcs", policy="set")] == [("policy",)]
    assert complaints("pikemen", "spearmen", policy="set") == []


def test_declarations_at_the_start() -> None:
    """B-LAN-13, B-SHW-3."""
    assert complaints("pikemen", "men-at-arms", start={"a": "set", "b": "wall_round"}, contact_b="flank") == []
    assert only("men-at-arms", "orcs", start={"a": "wall_round"}, contact_b="rear").path == ("scenario", "contact_b")
    assert only("orcs", "pikemen", start={"a": "set"}).path == ("scenario", "start", "a")
    assert complaints("orcs", "pikemen", start={"a": "charge", "b": "set"}, in_contact=True) == []
    both = only("orcs", "orcs", start={"a": "charge", "b": "charge"}, in_contact=True)
    assert (both.path, both.id) == (("scenario", "start", "b"), "B-LAN-17")


@pytest.mark.parametrize(
    ("kind", "id"), [("woods", "B-TER-3"), ("rough", "B-TER-6"), ("swamp", "B-TER-7"), ("water", "B-TER-8")]
)
def test_ground_on_which_nobody_begins_closed(kind: str, id: str) -> None:
    """B-LAN-11: also kinds that are exempt."""
    lane = {"ground": [{"from": 0, "to": 6, "kind": kind}]}
    found = only("lizard-men", lane=lane)
    assert (found.path, found.id) == (("sides", "a", "formation"), id)
    assert complaints({"design": "lizard-men", "formation": "open"}, lane=lane) == []
    assert complaints("orcs", "orcs", lane={"ground": [{"from": 3, "to": 6, "kind": kind}]}) == []
    end = {"ground": [{"from": 12, "to": 24, "kind": kind}]}
    assert only("orcs", "lizard-men", lane=end).path == ("sides", "b", "formation")
    assert only("orcs", "lizard-men", lane=end, in_contact=True).path == ("sides", "b", "formation")


def test_who_cannot_swim_does_not_begin_in_water() -> None:
    """B-TER-8."""
    found = only({"design": "orcs", "formation": "open"}, lane={"ground": [{"from": 0, "to": 6, "kind": "water"}]})
    assert (found.path, found.message, found.id) == (
        ("sides", "a", "design"),
        "side a would begin in water",
        "B-TER-8",
    )


@pytest.mark.parametrize("table", [{"distance": 0}, {"lane": {"length": 0}}])
def test_fronts_that_touch_at_once(table: dict[str, Any]) -> None:
    assert only(**table).message == "the fronts would touch at once"
    assert complaints(lane={"length": 0}, in_contact=True) == []


def test_damage_that_is_not_in_a_pasted_table() -> None:
    """B-MEL-1."""
    rules = Rules(crt="table", crt_table={"1d8": [0] * 21})
    assert complaints("orcs", "orcs", rules=rules) == []
    assert [(one.path, one.message) for one in complaints("archers", "orcs", rules=rules)] == [
        (("sides", "a", "design"), "crt_table has no results for 1d6"),
        (("sides", "a", "design", "bow_damage"), "crt_table has no results for 1d6"),
    ]
    averaged = Rules(crt="table", crt_table={"1d8": [0] * 21}, chariot_damage="average")
    found = only("two-horse-chariots", "orcs", rules=averaged)
    assert (found.message, found.help) == ("crt_table has no results for averaged damage", 'chariot_damage = "sum"')


@pytest.mark.parametrize("module", [lane, legality, roster, scenario, tables])
def test_examples(module: Any) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0 and found.failed == 0
