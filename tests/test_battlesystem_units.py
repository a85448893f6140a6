"""The door for Battlesystem figures: designs, presets, names that are spelled wrong, hostile tables."""

import doctest
import tomllib
from typing import Any

import pytest
from pydantic import ValidationError

from simkit.core.dice import parse
from simkit.games.battlesystem import units
from simkit.games.battlesystem.units import Design, Mount, Rider, UnknownUnitError, find, find_mount, load, load_mounts

GUARD = {"ar": 20, "ac": 4, "hd": 1, "mv": 9, "damage": "1d8"}
RIDER = {"ar": 20, "ac": 4, "hd": 1, "damage": ["2d4+1"]}
HORSE = {"ac": 7, "hd": "2+2", "mv": 18, "damage": ["1d6", "1d6", "1d3"]}
FOOT = (
    "men-at-arms militia spearmen pikemen archers orcs goblins kobolds hobgoblins gnolls ogres dwarves elves halflings"
)


def errors(**fields: Any) -> list[tuple[tuple[Any, ...], str, str]]:
    """Return where, of what kind and why a design is not read."""
    with pytest.raises(ValidationError) as caught:
        Design.model_validate(fields)
    return [(error["loc"], error["type"], error["msg"]) for error in caught.value.errors(include_url=False)]


def row(design: Design) -> str:
    """Write a preset as the rulebook does."""
    damage = "+".join(str(parse(dice)).removeprefix("1") for dice in design.damage or [])
    return f"{design.ar}/{design.ac}/{design.hd}/{design.mv}/{damage}/{design.ml}"


# Presets


@pytest.mark.parametrize(
    ("name", "ratings"),
    [
        ("men-at-arms", "20/4/1/9/d8/12"),
        ("militia", "20/8/1/12/d6/10"),
        ("spearmen", "20/6/1/9/d6/11"),
        ("pikemen", "20/6/1/9/d6/12"),
        ("archers", "20/8/1/12/d6/11"),
        ("orcs", "19/6/1/9/d8/11"),
        ("goblins", "20/6/1-1/6/d6/10"),
        ("kobolds", "20/7/1/2/6/d4/9"),
        ("hobgoblins", "18/5/1+1/9/d8/12"),
        ("gnolls", "16/5/2/9/2d4/11"),
        ("ogres", "15/5/4+1/9/d10/12"),
        ("dwarves", "19/4/1/6/d8/14"),
        ("elves", "18/5/1+1/12/d8/14"),
        ("halflings", "20/7/1-1/9/d6/11"),
        ("lizard-men", "16/5/2+1/6/d8/12"),
    ],
)
def test_presets_on_foot_are_those_of_the_rulebook(name: str, ratings: str) -> None:
    assert row(load()[name]) == ratings


@pytest.mark.parametrize(
    ("name", "ratings"),
    [
        ("heavy-warhorse", (7, "3+3", 15, ["1d8", "1d8", "1d3"])),
        ("medium-warhorse", (7, "2+2", 18, ["1d6", "1d6", "1d3"])),
        ("light-warhorse", (7, "2", 24, ["1d4", "1d4"])),
        ("worg", (6, "4+4", 18, ["2d4"])),
    ],
)
def test_preset_mounts_are_those_of_the_rulebook(name: str, ratings: tuple[Any, ...]) -> None:
    mount = load_mounts()[name]
    assert (mount.ac, mount.hd, mount.mv, mount.damage) == ratings


def test_what_presets_can_do_beside() -> None:
    assert [*load()][:14] == FOOT.split() and len(load()) == 22 and len(load_mounts()) == 4
    assert [name for name, one in load().items() if one.large_shields] == ["men-at-arms"]
    assert {name: one.arm for name, one in load().items() if one.arm != "other"} == {
        "spearmen": "spear",
        "pikemen": "pike",
    }
    assert {name: one.exempt for name, one in load().items() if one.exempt} == {
        "dwarves": ["rough"],
        "elves": ["woods"],
        "halflings": ["woods"],
        "lizard-men": ["swamp", "water"],
    }
    assert {name: one.bow for name, one in load().items() if one.bow != "none"} == {"archers": "long", "elves": "long"}
    bases = {name: one.base_of_figure for name, one in load().items() if one.base_of_figure != "man"}
    assert bases == {
        **dict.fromkeys(("goblins", "kobolds", "halflings"), "small"),
        "ogres": "large",
        **dict.fromkeys(("heavy-cavalry", "medium-cavalry", "light-cavalry", "worg-riders"), "cavalry"),
        **dict.fromkeys(("two-horse-chariots", "three-horse-chariots", "four-horse-chariots"), "chariot"),
    }
    assert {name: one.ml for name, one in load().items() if one.kind_of_figure == "cavalry"} == {
        "heavy-cavalry": 13,
        "medium-cavalry": 12,
        "light-cavalry": 11,
        "worg-riders": 11,
    }
    doubling = [name for name, one in load().items() if any(rider.doubles for rider in units.riders(one))]
    assert doubling == ["heavy-cavalry"]


def test_the_data_file_names_every_field_of_foot() -> None:
    tables = tomllib.loads((units.DATA / "units.toml").read_text(encoding="utf-8"))["units"]
    for name in FOOT.split():
        assert {"base", "arm", "large_shields", "exempt", "ml", "title"} <= set(tables[name]), name


@pytest.mark.parametrize("name", ["Pikemen", " pikemen ", "PIKEMEN"])
def test_names_are_found_however_they_are_written(name: str) -> None:
    assert find(name) is load()["pikemen"]


def test_names_of_two_words() -> None:
    assert find("Men at arms") is find("men_at-arms") is load()["men-at-arms"]
    assert find_mount("Heavy  warhorse") is load_mounts()["heavy-warhorse"]


@pytest.mark.parametrize(
    ("look_up", "name", "says"),
    [
        (find, "pikeman", "no unit is called 'pikeman'; did you mean 'pikemen'? there are: men-at-arms, militia, "),
        (find, "heavy cavlary", "no unit is called 'heavy cavlary'; did you mean 'heavy-cavalry'? there are: "),
        (find, "worg", "no unit is called 'worg'; "),
        (find, "dragon" * 100, f"no unit is called '{('dragon' * 11)[:64]}'; there are: men-at-arms, "),
        (find_mount, "wrog", "no mount is called 'wrog'; did you mean 'worg'? there are: heavy-warhorse, "),
        (units.rider_of, "heavy-cavalry", "nobody who could ride is called 'heavy-cavalry'; "),
        (units.rider_of, "gobblins", "nobody who could ride is called 'gobblins'; did you mean 'goblins'? there are"),
    ],
)
def test_names_that_are_not_there(look_up: Any, name: str, says: str) -> None:
    with pytest.raises(UnknownUnitError) as caught:
        look_up(name)
    assert str(caught.value).startswith(says) and len(str(caught.value)) < 600


def test_who_rides_and_what_is_ridden_may_be_named() -> None:
    design = Design(rider="elves", mount="light-warhorse")
    assert units.riders(design) == [Rider(ar=18, ac=5, hd="1+1", damage=["1d8"], mv=12)]
    assert units.mounts(design) == [load_mounts()["light-warhorse"]]
    assert units.riders(load()["orcs"]) == units.mounts(load()["orcs"]) == []


# What is read


def test_the_kind_follows_from_the_tables() -> None:
    assert Design.model_validate(GUARD).kind_of_figure == "foot"
    assert Design.model_validate({"rider": RIDER, "mount": HORSE}).kind_of_figure == "cavalry"
    chariot = Design.model_validate({"crew": [RIDER, "orcs"], "team": [HORSE, "worg"]})
    assert (chariot.kind_of_figure, chariot.base_of_figure) == ("chariot", "chariot")
    assert Design.model_validate({**GUARD, "base": "large"}).base_of_figure == "large"


@pytest.mark.parametrize("hd", [1, "1", " 1 "])
def test_hit_dice_are_numbers_or_text(hd: Any) -> None:
    assert Design.model_validate({**GUARD, "hd": hd}).hd == "1"


def test_dice_stay_as_they_were_written() -> None:
    assert Design.model_validate({**GUARD, "damage": ["d8", "1D6"]}).damage == ["d8", "1D6"]


def test_designs_are_plain_data_and_back() -> None:
    for design in load().values():
        assert Design.model_validate(design.model_dump()) == design


# What is refused


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "ar is missing; ac is missing; hd is missing; mv is missing; damage is missing"),
        ({**GUARD, "mount": HORSE}, "rider is missing; ar does not go with cavalry; ac does not go with cavalry; "),
        ({"rider": RIDER}, "mount is missing"),
        ({"crew": [RIDER]}, "team is missing"),
        ({**GUARD, "kind": "chariot"}, "crew is missing; team is missing; ar does not go with chariot"),
        ({"rider": RIDER, "mount": HORSE, "crew": [RIDER], "team": [HORSE]}, "rider does not go with chariot; "),
        ({"rider": RIDER, "mount": HORSE, "doubles": True}, "doubles does not go with cavalry"),
        ({"rider": RIDER, "mount": HORSE, "defences": ["magic"]}, "defences does not go with cavalry"),
        ({**GUARD, "single": True, "ratio": 5}, "a single creature is a figure of one, not of 5"),
        ({**GUARD, "bow": "long"}, "bow and bow_damage go together; bow_damage is missing"),
        ({**GUARD, "bow_damage": "1d6"}, "bow and bow_damage go together; bow is missing"),
    ],
)
def test_what_contradicts_itself(fields: dict[str, Any], message: str) -> None:
    ((where, kind, says),) = errors(**fields)
    assert (where, kind) == ((), "meaning") and says.startswith(message)


@pytest.mark.parametrize(
    ("fields", "where", "kind"),
    [
        ({"ar": True}, ("ar",), "int_type"),
        ({"ar": 20.0}, ("ar",), "int_type"),
        ({"ar": 41}, ("ar",), "less_than_equal"),
        ({"ac": -31}, ("ac",), "greater_than_equal"),
        ({"mv": 0}, ("mv",), "greater_than_equal"),
        ({"mv": 10**30}, ("mv",), "less_than_equal"),
        ({"hd": 0}, ("hd",), "value"),
        ({"hd": 41}, ("hd",), "value"),
        ({"hd": True}, ("hd",), "string_type"),
        ({"hd": 1.5}, ("hd",), "value"),
        ({"hd": "4 + "}, ("hd",), "value"),
        ({"hd": "9" * 10_000}, ("hd",), "value"),
        ({"damage": ["1d8", "d"]}, ("damage", 1), "dice"),
        ({"damage": ["0"]}, ("damage", 0), "dice"),
        ({"damage": ["1d4-5"]}, ("damage", 0), "dice"),
        ({"damage": ["3d6kh2"]}, ("damage", 0), "dice"),
        ({"damage": ["1d6!"]}, ("damage", 0), "dice"),
        ({"damage": ["1d8" + " " * 62]}, ("damage", 0), "string_too_long"),
        ({"damage": [8]}, ("damage", 0), "string_type"),
        ({"damage": ["1d8"] * 9}, ("damage",), "too_long"),
        ({"ratio": 0}, ("ratio",), "greater_than_equal"),
        ({"arm": "lance"}, ("arm",), "literal_error"),
        ({"base": "tiny"}, ("base",), "literal_error"),
        ({"exempt": ["road"]}, ("exempt", 0), "literal_error"),
        ({"large_shields": 1}, ("large_shields",), "bool_type"),
        ({"title": ""}, ("title",), "string_too_short"),
        ({"title": "x" * 65}, ("title",), "string_too_long"),
        ({"armour": 3}, ("armour",), "extra_forbidden"),
    ],
)
def test_hostile_values(fields: dict[str, Any], where: tuple[Any, ...], kind: str) -> None:
    assert [error[:2] for error in errors(**{**GUARD, **fields})] == [(where, kind)]


def test_a_chariot_has_room_for_six_and_six() -> None:
    assert errors(crew=[RIDER], team=["worg"] * 7)[0][0] == ("team",)
    assert errors(crew=[], team=["worg"])[0][1] == "too_short"


def test_creatures_are_as_strict_as_designs() -> None:
    for model, fields in ((Rider, RIDER), (Mount, HORSE)):
        for wrong in ({"hd": 0}, {"ac": True}, {"wings": 2}, {"damage": ["x"]}):
            with pytest.raises(ValidationError):
                model.model_validate({**fields, **wrong})


def test_examples() -> None:
    found = doctest.testmod(units)
    assert found.attempted > 0 and found.failed == 0
