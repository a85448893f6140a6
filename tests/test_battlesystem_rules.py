"""The rule set of Battlesystem as values: what its fields say, what they take, and that the rulebook agrees."""

import doctest
import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from simkit.games import protocol
from simkit.games.battlesystem import hitdice, rule_types, rules, tables
from simkit.games.battlesystem.hitdice import HitDice
from simkit.games.battlesystem.rules import Rules
from simkit.games.protocol import RuleField, rule_fields
from simkit.lab import rulebook, toml
from simkit.lab.house import Change, HouseRule, Loaded
from simkit.lab.problems import ProblemError

GAME: Any = SimpleNamespace(NAME="battlesystem", Rules=Rules)
"""As much of a game as house rules need."""
FIELDS = {row.path: row for row in rule_fields(Rules())}
BOOK = protocol.rulebook("battlesystem")
NAMED = re.findall(r"`([a-z_]+) = ([^`]+)`", BOOK)
FOLDER = Path(rules.__file__).parent


def changed(body: str) -> Change:
    """Lay a house rule over the rules."""
    text = f'for = "battlesystem"\ntitle = "A rule"\nwhy = "To see."\n{body}'
    document = toml.parse(text, "rule.toml")
    change = Change.of(GAME)
    change.apply(Loaded("rule", HouseRule.model_validate(document.data), document))
    return change


def refused(**values: Any) -> tuple[str, str]:
    """Return of what kind and why a change of the rules is refused."""
    with pytest.raises(ValidationError) as caught:
        Rules.model_validate(Rules().model_dump() | values)
    (error,) = caught.value.errors(include_url=False)
    return error["type"], error["msg"]


# What the fields say


@pytest.mark.parametrize("row", FIELDS.values(), ids=FIELDS)
def test_every_field_has_a_sentence_an_id_and_a_source(row: RuleField) -> None:
    assert re.fullmatch(r"[A-Z][^{}]{20,}\.", row.says)
    assert row.allowed != "a value"
    assert row.value == row.default
    passage = rulebook.passages("battlesystem", row.id)[0]
    assert row.source in re.findall(r"\b[RQB]\b", passage.split("  ")[0].removeprefix(row.id)), passage


def test_sentences_tell_fields_apart() -> None:
    assert len({row.says for row in FIELDS.values()}) == len(FIELDS) == len(Rules.model_fields) - 1


@pytest.mark.parametrize("row", FIELDS.values(), ids=FIELDS)
def test_what_is_assumed_comes_from_the_base_game_and_says_so(row: RuleField) -> None:
    assumed = {
        "chariot_width", "cavalry_depth", "chariot_depth", "spacing_open", "spacing_skirmish", "crt", "crt_zero_at",
        "crt_clamp_top", "flank_bonus", "rear_bonus", "carry_wounds", "charge_move", "charge_least", "short_bow",
        "long_bow", "crossbow", "cover_woods", "cover_obstacle", "turn_move", "reform_move", "ford_cost",
        "initiative_dice", "morale_dice",
    }  # fmt: skip
    assert ("(assumed)" in row.says) == (row.path in assumed)
    assert row.source == "B" or row.path not in assumed


def test_rules_are_plain_data_and_back() -> None:
    assert Rules.model_validate(Rules().model_dump()) == Rules()
    assert {type(row.value) for row in FIELDS.values()} == {int, bool, str, list}
    assert tomllib.loads("\n".join(f"{row.path} = {toml_value(row.value)}" for row in FIELDS.values()))


def toml_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


# What the rulebook says


@pytest.mark.parametrize(("name", "default"), dict(reversed(NAMED)).items())
def test_what_the_rulebook_names_first_is_a_field_with_that_default(name: str, default: str) -> None:
    found = tomllib.loads(f"x = {default}")["x"]
    assert (FIELDS[name].default, type(FIELDS[name].default)) == (found, type(found))


def test_every_field_is_named_in_the_rulebook() -> None:
    assert {name for name, _ in NAMED} == set(FIELDS)


def alternatives() -> Iterator[tuple[str, Any]]:
    """List what the rulebook offers in place of a default."""
    for name, others in re.findall(r"`([a-z_]+) = [^`]+`[^`]{0,12}; alternatives? ((?:`[^`=]+`[^`()]*)+)", BOOK):
        for other in re.findall(r"`([^`=]+)`", others):
            yield name, tomllib.loads(f"x = {other}")["x"]


def test_every_choice_is_an_alternative_of_the_rulebook() -> None:
    offered = {*alternatives(), ("crt", "table")}
    for path, row in FIELDS.items():
        if " | " in row.allowed:
            choices = {tomllib.loads(f"x = {text}")["x"] for text in row.allowed.split(" | ")}
            assert {(path, choice) for choice in choices} - {(path, row.default)} <= offered


def test_every_id_can_be_looked_up_and_what_the_source_cites_is_there() -> None:
    known = rulebook.ids("battlesystem")
    letters = set()
    for id in known:
        letters.add(re.match(rf"{id} ([RQB])\b", rulebook.passages("battlesystem", id)[0])[1])  # type: ignore[index]
    assert letters == {"R", "Q", "B"}
    for path in [*FOLDER.glob("*.py"), *FOLDER.glob("data/*.toml")]:
        assert set(rulebook.ID.findall(path.read_text(encoding="utf-8"))) <= set(known), path.name


# Fractions, dice, ranges


@pytest.mark.parametrize(
    ("text", "kept"), [("1/2", "1/2"), ("2/4", "1/2"), ("6/12", "1/2"), ("1", "1"), ("0", "0"), (" 3/4 ", "3/4")]
)
def test_fractions_are_kept_in_lowest_terms(text: str, kept: str) -> None:
    assert Rules(woods_cost=text).woods_cost == kept
    assert Rules(woods_cost=text).fraction("woods_cost") == Fraction(kept)


@pytest.mark.parametrize("text", ["1/5", "1/7", "0.5", "half", "", "1/0", "-1/2", "1/2/3", "1/24", "½", "1" * 5000])
def test_what_is_no_fraction_of_twelfths_is_refused(text: str) -> None:
    kind, message = refused(rough_cost=text)
    assert kind == "value" and message.startswith("expected a fraction in twelfths, found ") and len(message) < 120


@pytest.mark.parametrize(
    ("field", "text", "says"),
    [
        ("woods_cost", "13/12", "must be from 0 to 1, found '13/12'"),
        ("road_move", "3", "must be from 0 to 2, found '3'"),
        ("man_width", "0", "must be from 1/12 to 12, found '0'"),
        ("spacing_open", "13", "must be from 0 to 12, found '13'"),
    ],
)
def test_fractions_have_limits(field: str, text: str, says: str) -> None:
    assert refused(**{field: text}) == ("value", says)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"woods_cost": 0.5}, "string_type"),
        ({"woods_cost": True}, "string_type"),
        ({"overlap": True}, "int_type"),
        ({"overlap": 21}, "less_than_equal"),
        ({"carry_wounds": 1}, "bool_type"),
        ({"set_first_strike": "sometimes"}, "literal_error"),
        ({"morale_dice": "2d"}, "dice"),
        ({"initiative_dice": "3"}, "dice"),
        ({"short_bow": [5, 10]}, "value"),
        ({"short_bow": [5, 4, 15]}, "value"),
        ({"short_bow": [-1, 4, 15]}, "value"),
        ({"long_bow": [1, 2, 101]}, "value"),
        ({"long_bow": [1, 2, 3.5]}, "int_type"),
        ({"crt_table": {"1d8": [3, 2]}}, "value"),
        ({"crt_table": {"1d8": [1] * 20 + [2]}}, "value"),
        ({"crt_table": {"1d8": [-1] * 21}}, "value"),
        ({"crt_table": {"d": [0] * 21}}, "dice"),
        ({"crt": "table"}, "value"),
        ({"check_first": 60}, "value"),
        ({"no_such_rule": 1}, "extra_forbidden"),
    ],
)
def test_hostile_values(values: dict[str, Any], kind: str) -> None:
    assert refused(**values)[0] == kind


def test_what_is_allowed_is_said() -> None:
    assert FIELDS["woods_cost"].allowed == '"0" to "1", in twelfths such as "3/4"'
    assert FIELDS["short_bow"].allowed == "[0, 0, 0] to [100, 100, 100]"


def test_ranges_and_dice_by_name() -> None:
    assert [Rules().ranges(bow)[2] for bow in ("short", "long", "crossbow")] == [15, 21, 18]
    assert str(Rules(morale_dice="D20").rolled("morale_dice")) == "1d20"


# House rules


def test_a_house_rule_changes_fractions_ranges_and_the_table_of_results() -> None:
    column = [*range(20, -1, -1)]
    body = '[set]\nwoods_cost = { was = "1/3", now = "1/2" }\nshort_bow = [4, 8, 12]\ncrt = "table"\n'
    found = changed(f'{body}[add.crt_table]\n"1d8" = {column}\n').rules()
    assert (found.woods_cost, found.short_bow, found.crt_table) == ("1/2", [4, 8, 12], {"1d8": column})


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('[set]\nwoods_cost = "1/5"\n', "expected a fraction in twelfths, found '1/5'"),
        ("[set]\nshort_bow = [1]\n", "expected short, medium and long range, rising from 0 to 100 inches, found [1]"),
        ("[set]\nwood_cost = 1\n", "the rules of battlesystem have no value called 'wood_cost'"),
        ('[set]\ncrt = "table"\n', 'crt = "table" needs results in crt_table'),
    ],
)
def test_what_is_wrong_with_a_house_rule_is_said(body: str, says: str) -> None:
    with pytest.raises(ProblemError) as caught:
        changed(body).rules()
    assert says in [problem.message for problem in caught.value.problems]


# Hit dice


@pytest.mark.parametrize(
    ("text", "read", "counted", "dropped", "ratio", "ar"),
    [
        ("½", (0, 0), "1/2", "1/2", 10, 20),
        ("1/2", (0, 0), "1/2", "1/2", 10, 20),
        ("1-1", (1, -1), "1", "1", 10, 20),
        ("1", (1, 0), "1", "1", 10, 19),
        ("1+1", (1, 1), "1", "1", 10, 18),
        ("1+4", (1, 4), "2", "1", 10, 16),
        ("3+3", (3, 3), "3", "3", 10, 16),
        ("4", (4, 0), "4", "4", 10, 15),
        ("4+1", (4, 1), "4", "4", 5, 15),
        ("4+4", (4, 4), "5", "4", 5, 15),
        ("5+4", (5, 4), "6", "5", 5, 13),
        ("8+7", (8, 7), "9", "8", 5, 12),
        ("9", (9, 0), "9", "9", 2, 12),
        ("16+2", (16, 2), "16", "16", 2, 7),
    ],
)
def test_hit_dice(text: str, read: tuple[int, int], counted: str, dropped: str, ratio: int, ar: int) -> None:
    """B-UNI-1, B-UNI-2, B-LAN-2."""
    found = hitdice.read(text)
    assert found == HitDice(*read)
    assert hitdice.counted(found, "plus4_next_die") == Fraction(counted)
    assert hitdice.counted(found, "drop") == Fraction(dropped)
    assert (hitdice.ratio_of(found), hitdice.monster_ar(found)) == (ratio, ar)
    assert hitdice.read(str(found)) == found


@pytest.mark.parametrize("text", ["", "0", "41", "-1", "1+", "1+41", "one", "1/3", "1d8", "1" * 5000, "1 + 1 + 1"])
def test_what_are_no_hit_dice(text: str) -> None:
    with pytest.raises(ValueError, match="are no hit dice"):
        hitdice.read(text)


@pytest.mark.parametrize("module", [hitdice, rule_types, rules, tables])
def test_examples(module: Any) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0 and found.failed == 0
