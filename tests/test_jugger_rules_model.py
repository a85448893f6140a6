"""The rule set of Jugger as values: what its fields say, what they take, and that they are those of the rulebook."""

import doctest
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from simkit.core.dice import mean
from simkit.games import protocol
from simkit.games.jugger import rules, weapons_table
from simkit.games.jugger.rules import WEAPONS, Rules
from simkit.games.jugger.weapons_table import ROWS, Weapon, rollable
from simkit.games.protocol import RuleField, RuleSet, number, rule_fields
from simkit.lab import rulebook, toml
from simkit.lab.house import Change, HouseRule, Loaded
from simkit.lab.problems import ProblemError
from simkit.lab.shipped import shipped_folder

GAME: Any = SimpleNamespace(NAME="jugger", Rules=Rules)
"""As much of a game as house rules need."""
FIELDS = {row.path: row for row in rule_fields(Rules())}
BOOK = protocol.rulebook("jugger")
BATTLES = BOOK[: BOOK.index("## Juggerball\n")]
"""The part of the rulebook whose names are fields of this rule set."""
NAMED = re.findall(r"`([a-z_.]+) = ([^`]+)`", BATTLES)


def changed(body: str) -> Change:
    """Lay a house rule over the rules."""
    text = f'for = "jugger"\ntitle = "A rule"\nwhy = "To see."\n{body}'
    document = toml.parse(text, "rule.toml")
    change = Change.of(GAME)
    change.apply(Loaded("rule", HouseRule.model_validate(document.data), document))
    return change


def with_value(path: str, value: Any) -> Rules:
    """Return the rules with one value changed, by path."""
    return Rules.model_validate(protocol.put_at(Rules().model_dump(), path.split("."), value))


# What the fields say


@pytest.mark.parametrize("row", FIELDS.values(), ids=FIELDS)
def test_every_field_has_a_sentence_an_id_and_a_source(row: RuleField) -> None:
    assert re.fullmatch(r"[A-Z][^{}]{20,}\.", row.says)
    assert row.allowed != "a value"
    assert row.value == row.default
    assert row.default is not None
    passage = rulebook.passages("jugger", row.id)[0]
    assert passage.startswith(row.id)
    said = set(re.findall(r"\b[RQ]\b", passage.split("  ")[0])) | set(re.findall(r"\b(Q)[: ]", passage))
    assert row.source in said, passage


def test_sentences_tell_fields_apart() -> None:
    assert len({row.says for row in FIELDS.values()}) == len(FIELDS) == len(Rules.model_fields) - 1 + 5 * len(WEAPONS)


def test_rules_are_plain_data_and_back() -> None:
    assert Rules.model_validate(Rules().model_dump()) == Rules()
    for row in FIELDS.values():
        assert type(row.value) in (int, bool, str), row.path


# What the rulebook says


@pytest.mark.parametrize(("name", "default"), dict(reversed(NAMED)).items())
def test_what_the_rulebook_names_first_is_a_field_with_that_default(name: str, default: str) -> None:
    found = tomllib.loads(f"x = {default}")["x"]
    assert (FIELDS[name].default, type(FIELDS[name].default)) == (found, type(found))


@pytest.mark.parametrize(("name", "text"), NAMED)
def test_what_the_rulebook_names_can_be_chosen(name: str, text: str) -> None:
    value = tomllib.loads(f"x = {text}")["x"]
    assert {row.path: row.value for row in rule_fields(with_value(name, value))}[name] == value


def test_every_field_is_named_in_the_rulebook() -> None:
    spaces = {path for path in FIELDS if path.endswith("_spaces")}  # "and so on, one name for each"
    named = {name for name, _ in NAMED} | set(re.findall(r"`([a-z_]+) = ", BATTLES))
    assert {path for path in FIELDS if not path.startswith("weapons.")} - spaces <= named


def alternatives() -> Iterator[tuple[str, Any]]:
    """List what the rulebook offers in place of a default."""
    for name, others in re.findall(r"`([a-z_.]+) = [^`]+`; alternatives? ((?:`[^`=]+`[^`();]*)+)", BATTLES):
        for other in re.findall(r"`([^`]+)`", others):
            yield name, tomllib.loads(f"x = {other}")["x"]


ALTERNATIVES = list(alternatives())


@pytest.mark.parametrize(("name", "value"), ALTERNATIVES)
def test_every_alternative_of_the_rulebook_can_be_chosen(name: str, value: Any) -> None:
    chosen = with_value(name, value)
    assert chosen != Rules()
    assert {row.path: row.value for row in rule_fields(chosen) if row.value != row.default} == {name: value}


def test_every_choice_is_an_alternative_of_the_rulebook() -> None:
    offered = {(name, value) for name, value in ALTERNATIVES} | {(name, FIELDS[name].default) for name in FIELDS}
    spelled_out = {("to_hit", "at_least"), ("initiative", "jug")}
    for path, row in FIELDS.items():
        if " | " in row.allowed and not path.startswith("weapons."):
            choices = {tomllib.loads(f"x = {text}")["x"] for text in row.allowed.split(" | ")}
            missing = {(path, choice) for choice in choices} - offered - spelled_out
            assert {choice for _, choice in missing} <= {True, False}, missing


def printed() -> Iterator[tuple[str, str, str, str, str]]:
    """Read name, range, to hit, damage and arc from the tables of the rulebook."""
    for cells in re.findall(r"^\| \d+ \| (.+) \|$", BOOK, re.MULTILINE):
        name, reach, to_hit, damage, arc, *_ = (cell.strip() for cell in cells.split("|"))
        if name != "winch":
            yield name, reach, to_hit, damage, arc
    exotic = re.search(r"^Exotic: (.+)$", BOOK, re.MULTILINE)
    assert exotic
    for entry in exotic[1].split(" · "):
        found = re.match(r"([a-z ]+) (\d+)/(\d)/(\w+) (all|forward)", entry)
        if found:
            yield found[1], found[2], found[3], found[4], found[5]


PRINTED = list(printed())


def test_the_tables_of_the_rulebook_are_the_weapon_table() -> None:
    spelled = {"mirrors": "mirror", "sling shot": "slingshot", "lever (jack, push pole)": "lever"}
    assert [spelled.get(row[0], row[0]).replace(" ", "_") for row in PRINTED] == list(WEAPONS) == list(ROWS)
    for (_, reach, to_hit, damage, arc), weapon in zip(PRINTED, Rules().weapons.values(), strict=True):
        assert (str(weapon.range), str(weapon.to_hit)) == (reach, to_hit)
        assert weapon.damage == {"-": "0", "Death": "0"}.get(damage, damage.lower())
        assert weapon.arc == arc.split()[0]


def test_what_weapons_do_beside_damage() -> None:
    special = {name: weapon.special for name, weapon in Rules().weapons.items() if weapon.special != "none"}
    assert special == {
        "jaws": "grab", "claw_arm": "grab", "wheel_spikes": "spikes", "boarders": "boarders", "fire_pump": "fire",
        "mirror": "fire", "acid_spitter": "fire", "cauldron": "cauldron", "scythe": "scythe", "lever": "topple",
        "demon_eye": "crew", "fang": "crew",
    }  # fmt: skip


def test_a_ruling_on_one_cell_is_told_from_its_table() -> None:
    assert (FIELDS["weapons.trebuchet.damage"].id, FIELDS["weapons.trebuchet.damage"].source) == ("J-SC-2", "Q")
    assert (FIELDS["weapons.trebuchet.range"].id, FIELDS["weapons.trebuchet.range"].source) == ("J-WPN-1", "R")
    assert FIELDS["weapons.claw_arm.to_hit"].says == "Number to roll for a hit with the claw arm."
    assert FIELDS["forward_cone_deg"].allowed == "60 | 180"


# What the fields take


@pytest.mark.parametrize(
    ("body", "says", "place"),
    [
        ("[set]\nlegs_space = 2\n", "the rules of jugger have no value called 'legs_space'", 5),
        ("[set]\nlegs_spaces = -1\n", "'legs_spaces' must be from 0 to 20, found -1", 5),
        ("[set]\nmap_edge = true\n", "'map_edge' must be one of \"wall\", \"exit\", \"wrap\", found true", 5),
        ("[set]\nforward_cone_deg = 120\n", "'forward_cone_deg' must be one of 60, 180, found 120", 5),
        ('[set]\nram_dice = "d6-2"\n', "1d6-2 can show -1, but an amount is never below 0", 5),
        ('[set]\ninitiative_dice = "3"\n', "3 always shows 3: a tie would be rolled again for ever", 5),
        ('[set]\nwall_hits = "30d10"\n', "these dice need a table of 271 rows, at most 128 are allowed", 5),
        ('[set]\n"weapons.flail.damage" = "3d"\n', "expected the sides of the die, a number or %, found the end", 5),
        ("[set]\nweapons.flail.range = 16\n", "must be from 1 to 15, found 16", 5),
        ("[set]\nweapons.flail.rnge = 2\n", "the rules of jugger have no value called 'weapons.flail.rnge'", 5),
        ("[set]\nweapons.claw_arm.range = 2\n", "a weapon that grabs needs range 1, not 2", 5),
        ("[set]\nweapons.wheel_spikes.range = 3\n", "a weapon for the side hexes needs range 1, not 3", 5),
        ('[set]\nweapons.wheel_spikes.arc = "all"\n', 'special "spikes" and arc "side" go together', 5),
        ('[set]\nweapons.mirror.damage = "1d6"\n', "a fire burns for a fixed number of points a turn, not 1d6", 5),
        ("[set]\nweapons.mirror = 3\n", "the rules of jugger have no value called 'weapons.mirror'", 5),
        ('[set]\nlegs_spaces = 2\n[add.weapons]\nharpoon = {range = 3, to_hit = 3, damage = "1d6", arc = "all", '
         'special = "none"}\n', "the weapon table has no place for 'harpoon'", 7),
        ('[set]\nlegs_spaces = 2\n[add.weapons]\nharpoon = {range = 3}\n',
         "the weapon table has no place for 'harpoon'", 7),
        ('[remove]\nweapons = ["catapult"]\n', "the weapon table needs 'catapult': published designs carry it", 5),
    ],
)  # fmt: skip
def test_a_bad_value_is_shown_in_the_house_rule(body: str, says: str, place: int) -> None:
    with pytest.raises(ProblemError) as error:
        changed(body).rules()
    assert says in error.value.problems[0].message
    assert {problem.span and problem.span.line for problem in error.value.problems} == {place}
    assert {problem.path for problem in error.value.problems} == {"rule.toml"}


def test_a_guard_knows_the_cells_of_the_weapon_table() -> None:
    change = changed('[set]\nweapons.trebuchet.damage = { was = "3d6", now = "1d6" }\n')
    assert change.rules().weapons["trebuchet"].damage == "1d6"
    with pytest.raises(ProblemError, match=r"'weapons\.flail\.to_hit' is 2 now, not 3"):
        changed("[set]\nweapons.flail.to_hit = { was = 3, now = 4 }\n").rules()


@pytest.mark.parametrize("path", FIELDS)
def test_a_number_refuses_what_is_no_number(path: str) -> None:
    wrong: Any = 1.5
    with pytest.raises(ValidationError):
        with_value(path, wrong)


@pytest.mark.parametrize(("table", "name"), [(Rules().weapons["flail"], "to_hit"), (Rules(), "ram_bonus")])
def test_rules_cannot_be_changed_in_place(table: RuleSet, name: str) -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(table, name, 6)


def test_the_order_of_the_weapons_is_that_of_their_kinds_whatever_the_file_has() -> None:
    data = Rules().model_dump()
    data["weapons"] = dict(reversed(data["weapons"].items()))
    assert tuple(Rules.model_validate(data).weapons) == WEAPONS


def test_a_table_of_rule_sets_shows_entries_that_were_added_or_removed() -> None:
    class Garden(RuleSet):
        beds: dict[str, Weapon] = number(
            {"one": {"range": 1, "to_hit": 2, "damage": "1d6", "arc": "all", "special": "none"}},
            "Beds of a garden.", id="J-WPN-1", source="R",
        )  # fmt: skip

    bed = Garden().model_dump()["beds"]["one"]
    rows = {row.path: row for row in rule_fields(Garden.model_validate({"beds": {"two": bed | {"to_hit": 5}}}))}
    assert list(rows)[:5] == [f"beds.one.{name}" for name in Weapon.model_fields]
    assert (rows["beds.one.to_hit"].value, rows["beds.one.to_hit"].default) == (None, 2)
    assert (rows["beds.two.to_hit"].value, rows["beds.two.to_hit"].default) == (5, None)
    assert rows["beds.two.range"].says == "Range of two in hexes; adjacent is 1."


# Dice


@pytest.mark.parametrize(
    ("weapon", "size", "oversize", "roll", "times"),
    [
        ("flail", 1, "multiply", "3d6", 1),
        ("flail", 2, "multiply", "3d6", 2),
        ("flail", 2, "more_dice", "3d6+3d6", 1),
        ("fire_pump", 4, "multiply", "1", 4),
        ("fire_pump", 4, "more_dice", "4", 1),
        ("lever", 3, "more_dice", "0", 1),
    ],
)
def test_damage_of_oversize_weapons(weapon: str, size: int, oversize: Any, roll: str, times: int) -> None:
    """Size multiplies the damage, by one roll or by more dice; the mean is the same (J-SC-2)."""
    played = Rules(oversize=oversize)
    dice, factor = played.damage(weapon, size)
    assert (str(dice), factor) == (roll, times)
    assert factor * mean(dice) == size * mean(played.damage(weapon)[0])


def test_examples() -> None:
    assert [doctest.testmod(module).failed for module in (rules, weapons_table)] == [0, 0]
    assert [doctest.testmod(module).attempted for module in (rules, weapons_table)] == [2, 1]


def test_dice_are_kept_in_one_spelling() -> None:
    assert Rules(ram_dice=" 1D6 + 2 ").ram_dice == "1d6+2" == rollable("D6+2")
    assert str(Rules().rolled("kick_dice")) == "1d10"


# House rules that ship


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("heavy-legs", "legs_spaces", 2),
        ("light-sails", "sails_deceleration", 0),
        ("capped-rams", "damage_velocity_cap", 4),
    ],
)
def test_shipped_house_rules(name: str, path: str, value: int) -> None:
    file: Path = shipped_folder() / "house" / f"{name}.toml"
    document = toml.read(file)
    change = Change.of(GAME)
    change.apply(Loaded(name, HouseRule.model_validate(document.data), document))
    rows = rule_fields(change.rules())
    assert {row.path: row.value for row in rows if row.value != row.default} == {path: value}
