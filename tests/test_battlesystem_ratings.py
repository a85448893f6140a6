"""Ratings of foot, cavalry and chariots, and what one blow kills: worked examples and right values as data."""

import doctest
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from simkit.core.dice import mean, parse
from simkit.games.battlesystem import crt, ratings
from simkit.games.battlesystem.crt import blow, blow_pmf, killed
from simkit.games.battlesystem.ratings import Part, Rating, rate
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.units import Design, UnknownUnitError, find, load

CASES = json.loads((Path(__file__).parent / "cases" / "battlesystem_ratings.json").read_text(encoding="utf-8"))["cases"]
RULES = Rules()
HORSE = {"ac": 7, "hd": 2, "mv": 18, "damage": ["1d6"], "ar": 16}
CREW = {"ac": 5, "hd": 1, "ar": 20, "damage": ["1d6"]}


def cases(*kinds: str) -> Any:
    found = [case for case in CASES if case["kind"] in kinds]
    assert found
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


def rated(**fields: Any) -> Rating:
    return rate(Design.model_validate(fields), RULES)


def chariot(team: int = 2, crew: int = 2, rules: Rules = RULES, **more: Any) -> Rating:
    return rate(Design.model_validate({"crew": [CREW] * crew, "team": [HORSE] * team, **more}), rules)


def part(dice: str, doubles: bool = False) -> Part:
    return Part(dice, doubles, mean(parse(dice)))


# Right values


@cases("rate_cavalry", "rate_chariot")
def test_ratings_of_the_public_cases(case: dict[str, Any]) -> None:
    found = rated(**case["given"])
    assert {
        "ar": found.ar,
        "hd": found.hd,
        "ac": found.ac,
        "mv": found.move,
        "damage": [one.dice for one in found.parts],
        "ratio": found.ratio,
        "defences": list(found.defences),
        "attacks": list(found.attacks),
    } == case["want"]


@cases("hd_killed")
def test_hit_dice_killed_of_the_public_cases(case: dict[str, Any]) -> None:
    found = [killed(one["N"], part(one["damage"]), one["ratio"], RULES) for one in case["given"]]
    assert found == case["want"]


@cases("blow_pmf")
def test_blows_of_the_public_cases(case: dict[str, Any]) -> None:
    given, want = case["given"], case["want"]
    doubles = given.get("doubles_on_charge", [False] * len(given["damage"]))
    parts = [part(*one) for one in zip(given["damage"], doubles, strict=True)]
    several = isinstance(given["index"], list)
    indices, wants = (given["index"], want) if several else ([given["index"]], [want])
    for index, wanted in zip(indices, wants, strict=True):
        found = blow_pmf(index, parts, given["ratio"], RULES, charging=given.get("charging", False))
        assert {str(hd): str(chance) for hd, chance in found.items()} == wanted["pmf"]
        assert sum(hd * chance for hd, chance in found.items()) == Fraction(wanted["mean"])
        if "hd_at_rolls" in wanted:
            assert [blow(index + roll, parts, given["ratio"], RULES) for roll in given["rolls"]] == wanted[
                "hd_at_rolls"
            ]


def test_worked_example_1() -> None:
    """B-CAV-1: a rider on a heavy warhorse."""
    found = rated(rider={"ar": 20, "ac": 4, "hd": 1, "damage": ["2d4+1"]}, mount="heavy-warhorse")
    assert (found.ar, found.ac, found.hd, found.move) == (20, 7, 2, 15)


def test_worked_example_2() -> None:
    """B-CAV-1, B-LAN-2: a worg's 4+4 counts 5."""
    found = rated(rider={"ar": 20, "ac": 4, "hd": 1, "damage": ["1d6"]}, mount="worg")
    assert (found.hd, found.ratio, found.pool) == (3, 10, 30)
    assert rate(find("worg-riders"), Rules(hd_plus="drop")).hd == 3  # (1 + 4) / 2, rounded up


@pytest.mark.parametrize(("team", "wanted"), [(2, (18, 4, 3, 12)), (3, (17, 4, 3, 18)), (4, (17, 4, 3, 18))])
def test_worked_example_3(team: int, wanted: tuple[int, ...]) -> None:
    """B-CHA-1: two, three and four medium horses before two passengers."""
    found = chariot(team)
    assert (found.ar, found.ac, found.hd, found.move) == wanted
    preset = rate([*load().values()][17 + team], RULES)
    assert (preset.ar, preset.ac, preset.hd, preset.move) == wanted


def test_worked_example_4() -> None:
    """B-MEL-1, B-CHG-1: AR 20 against AC 5 with a d8, at rest and charging on horseback."""
    means = []
    for index in (20 - 5, 20 - RULES.charge_bonus - 5):
        means.append(sum(hd * chance for hd, chance in blow_pmf(index, [part("1d8")], 10, RULES).items()))
    assert means == [Fraction(11, 4), Fraction(15, 4)]


def test_worked_example_9() -> None:
    """B-MEL-3: one roll for all damage, at index 15 with a 7."""
    parts = [part("1d8"), part("1d8"), part("1d8"), part("1d3")]
    assert [killed(22, one, 10, RULES) for one in parts] == [3, 3, 3, 1]
    assert blow(22, parts, 10, RULES) == 10


# Foot


@pytest.mark.parametrize(
    ("name", "hd", "ratio", "pool", "width"),
    [
        ("pikemen", "1", 10, 10, "3/4"),
        ("kobolds", "1/2", 10, 5, "1/2"),
        ("goblins", "1", 10, 10, "1/2"),
        ("gnolls", "2", 10, 20, "3/4"),
        ("ogres", "4", 5, 20, "1"),
    ],
)
def test_foot(name: str, hd: str, ratio: int, pool: int, width: str) -> None:
    """B-UNI-1, B-LAN-2, B-LAN-3."""
    found = rate(find(name), RULES)
    assert (found.hd, found.ratio, found.pool) == (Fraction(hd), ratio, pool)
    assert found.width == found.depth == Fraction(width)


def test_a_pool_is_rounded_up() -> None:
    """B-LAN-2."""
    kobold = {"ar": 20, "ac": 7, "hd": "1/2", "mv": 6, "damage": "1d4"}
    assert (rated(**kobold, single=True).ratio, rated(**kobold, single=True).pool) == (1, 1)
    assert rated(**kobold, ratio=5).pool == 3
    assert rated(**kobold, ratio=5).steps[-3:-1] == (
        "A figure is 5 creatures: as given.",
        "A figure takes 3 hit dice: 1/2 x 5, rounded up (B-LAN-2).",
    )


# Mounted


def test_half_a_hit_die_is_rounded_up() -> None:
    """B-CAV-1: (1 + 2) / 2."""
    assert rate(find("light-cavalry"), RULES).hd == 2
    assert rate(find("light-cavalry"), RULES).steps[1] == (
        "HD 2: the mean of 1 for the rider and 2 for the mount is 1.5, rounded up (B-CAV-1)."
    )


@pytest.mark.parametrize(("hd", "ratio", "pool"), [(7, 10, 40), (8, 5, 25), (15, 5, 40), (16, 2, 18)])
def test_the_ratio_of_cavalry_follows_from_its_own_hit_dice(hd: int, ratio: int, pool: int) -> None:
    """B-LAN-2: (1 + 7) / 2 = 4, (1 + 8) / 2 = 5, 8 and 9."""
    found = rated(rider="orcs", mount={"ac": 4, "hd": hd, "mv": 12, "damage": ["2d8"]})
    assert (found.ratio, found.pool) == (ratio, pool)


def test_bases_of_the_mounted() -> None:
    """B-LAN-3: the depth is that of the kind."""
    elephant = rated(rider="men-at-arms", mount="worg", base="large")
    assert (elephant.width, elephant.depth) == (1, Fraction(3, 2))
    assert (chariot().width, chariot().depth) == (1, 2)
    assert chariot(rules=Rules(chariot_width="3/2", chariot_depth="5/2"))[7:9] == (Fraction(3, 2), Fraction(5, 2))


def test_special_attacks_of_any_and_defences_of_all() -> None:
    """B-CAV-2."""
    rider = {**CREW, "attacks": ["poison"], "defences": ["magic", "fire"]}
    found = rated(rider=rider, mount={**HORSE, "attacks": ["breath", "poison"], "defences": ["fire", "cold"]})
    assert (found.attacks, found.defences) == (("poison", "breath"), ("fire",))
    assert "Special defences that not all share do not count: magic, cold (B-CAV-2)." in found.steps
    alone = rated(**{**CREW, "mv": 9}, attacks="gaze", defences="stone")
    assert (alone.attacks, alone.defences) == (("gaze",), ("stone",))


def test_ar_of_pullers_without_one_is_that_of_monsters() -> None:
    """B-UNI-2."""
    bare = {key: value for key, value in HORSE.items() if key != "ar"}
    assert rated(crew=[CREW], team=[bare]).ar == rated(crew=[CREW], team=[HORSE]).ar == 18


def test_a_chariot_is_rounded_in_its_favour_also_below_0() -> None:
    """B-CHA-1: AC (-1 + -2) / 2 - 2 = -3.5, down."""
    found = rated(crew=[{**CREW, "ac": -2}], team=[{**HORSE, "ac": -1}])
    assert (found.ac, found.ar) == (-4, 18)


def test_mixed_teams_and_the_rules_of_chariots() -> None:
    """B-CHA-1, B-CHA-2."""
    mixed = rated(crew=[CREW], team=[HORSE, {**HORSE, "mv": 12, "hd": 1}])
    assert (mixed.move, mixed.hd, mixed.pool) == (12, 3, 30)  # 3 >= 3 x 1: the whole 12
    assert chariot(2, rules=Rules(chariot_move="3/4")).move == Fraction(27, 2)
    assert chariot(2, rules=Rules(chariot_full_from=2)).move == 18
    assert chariot(2, rules=Rules(chariot_ac=0)).ac == 6
    assert rated(crew=[CREW] * 2, team=[{**HORSE, "mv": 20}] * 2).move == Fraction(40, 3)


def test_averaged_chariots() -> None:
    """B-CHA-1: the mean of the team and the mean of the crew, looked up once."""
    average = Rules(chariot_damage="average")
    for team in (2, 3, 4):
        assert chariot(team, rules=average).parts == (Part("average", False, Fraction(7)),)
    mixed = {"crew": [CREW], "team": [HORSE, HORSE, {**HORSE, "damage": []}]}
    assert rate(Design.model_validate(mixed), average).parts[0].mean == Fraction(35, 6)
    unarmed = {"crew": [{**CREW, "damage": []}], "team": [{**HORSE, "damage": []}]}
    assert rate(Design.model_validate(unarmed), average).parts == ()
    assert rate(find("heavy-cavalry"), average) == rate(find("heavy-cavalry"), RULES)


def test_what_costs_nothing_is_that_of_mount_or_team() -> None:
    """B-LAN-10."""
    goat, newt = {**HORSE, "exempt": ["rough"]}, {**HORSE, "exempt": ["rough", "water"], "swim": 9}
    assert rated(rider="elves", mount=goat).exempt == {"rough"}
    assert rated(crew=["elves"], team=[goat, newt]).exempt == {"rough"}
    assert rated(crew=["elves"], team=[goat, newt]).swim is None
    assert rated(crew=["elves"], team=[newt, {**newt, "swim": 6}]).swim == 6
    assert rated(rider="elves", mount=newt, exempt=["woods"]).exempt == {"woods"}
    assert rated(rider="elves", mount={**HORSE, "exempt": ["water"]}).swim == 18
    assert rated(**{**CREW, "mv": 9}, swim=12).exempt == {"water"}
    assert rate(find("lizard men"), RULES).swim == 12


def test_a_mount_that_is_not_there() -> None:
    with pytest.raises(UnknownUnitError, match="did you mean 'worg'"):
        rated(rider="orcs", mount="wrog")


# Sentences


@pytest.mark.parametrize("name", load())
def test_every_number_is_accounted_for(name: str) -> None:
    found = rate(find(name), RULES)
    assert all(step[0].isupper() and step.endswith(".") and "{" not in step for step in found.steps)
    hd = str(found.hd)
    for start in (f"AR {found.ar}:", f"HD {hd}:", f"AC {found.ac}:", f"MV {found.move}:", "Damage ", "A figure is "):
        assert sum(step.startswith(start) for step in found.steps) == 1, start
    assert sum(step.startswith(f"A figure takes {found.pool} hit dice: {hd} x {found.ratio}") for step in found.steps)


def test_a_chariot_told() -> None:
    assert chariot(3).steps == (
        "AR 17: the mean of 20, 20, 16, 16, 16 is 17.6, rounded down (B-CHA-1).",
        "HD 3: the mean 2 of the team and the mean 1 of the crew are 3 (B-CHA-1).",
        "AC 4: the mean of 5, 5, 7, 7, 7 less 2 is 4.2, rounded down (B-CHA-1).",
        "MV 18: all of the 18 of the team; its 6 hit dice are at least 3 x 2 of the crew (B-CHA-1).",
        "Damage 1d6, 1d6, 1d6, 1d6, 1d6: of all, on one attack roll (B-MEL-3).",
        "A figure is 10 creatures: hit dice of 3 (B-CHA-2).",
        "A figure takes 30 hit dice: 3 x 10 (B-LAN-2).",
        "Base 1 wide and 2 deep, in inches: chariot (B-LAN-3).",
    )


# The pasted table


def test_a_pasted_table_takes_the_place_of_the_line() -> None:
    """B-MEL-1: 21 results from index 8 to 28, for a figure of ten."""
    column = [*range(20, -1, -1)]
    rules = Rules(crt="table", crt_table={"d8": column})
    assert [killed(n, part("1d8"), 10, rules) for n in (-5, 8, 9, 27, 28, 40)] == [20, 20, 19, 1, 0, 0]
    assert killed(9, part("1d8"), 5, rules) == 9
    assert crt.missing([part("1d8"), part("2d4"), part("2d4")], rules) == ["2d4"]
    assert crt.missing([part("2d4")], RULES) == []
    with pytest.raises(KeyError):
        killed(9, part("2d4"), 10, rules)


def test_steps_beyond_the_top_add_nothing() -> None:
    assert [killed(n, part("1d8"), 10, RULES) for n in (8, 7, -40)] == [10, 10, 10]
    assert killed(7, part("1d8"), 10, Rules(crt_clamp_top=21)) == 10  # 10 x 21 x 4.5 / 90 = 10.5
    assert killed(7, part("1d8"), 20, Rules(crt_clamp_top=21)) == 21


@pytest.mark.parametrize("module", [crt, ratings])
def test_examples(module: Any) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0 and found.failed == 0
