"""The rules of Jugger by scenes, fourth part: initiative, captains, wizards, armies; and that no rule is left out."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest

from simkit.games import protocol
from simkit.games.jugger import game
from simkit.games.jugger.designs import Design, captains, complaints, load
from simkit.games.jugger.happenings import BOLT, FIREBALL, What
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario
from tests.jugger_scenes import Scene, Shown, cases, check, titled
from tests.rule_index import wanted

SCENES = cases("captains")
ALL = [scene for name in ("moves", "attacks", "harm", "captains") for scene in cases(name)]
HERE = Path(__file__).parent
TRIALS = 200


@pytest.mark.parametrize("scene", SCENES, ids=titled(SCENES))
def test_scene(scene: dict[str, Any]) -> None:
    """What the rule says is what happens."""
    check(scene)


# Initiative

PLAIN: dict[str, Any] = {"a": ["1 @ -9 0 0", "1 @ -9 1 0"], "b": ["1 @ 9 0 0", "1 @ 9 -1 0"]}


def rounds(shown: Shown) -> list[list[tuple[int, int, int]]]:
    """Return the rolls for initiative of turn 1 by round: who, die, total."""
    found: list[list[tuple[int, int, int]]] = []
    for row in shown.of("INITIATIVE"):
        if row.extra == len(found):
            found.append([])
        found[row.extra].append((max(row.jug, row.foe), row.roll, row.value))
    return found


def segments(shown: Shown) -> list[int]:
    """Return whose segments follow one another: sides, or jugs."""
    return [row.foe if row.jug < 0 else row.jug for row in shown.of("SEGMENT")]


@pytest.mark.parametrize("tacticians", [(), ("a",), ("b",), ("a", "a"), ("a", "b")])
def test_the_highest_roll_moves_first_ties_again_and_tactics_count_before(tacticians: tuple[str, ...]) -> None:
    """J-INI-1, J-INI-2, J-INI-3: D10 and 1 for tactics, once a side; only a tie is rolled again."""
    case = {side: list(PLAIN[side]) for side in "ab"}
    for k, side in enumerate(tacticians):
        case[side][k] = case[side][k].replace("1 @", "1 +tactics @")
    scene, rerolled = Scene(case), 0
    for trial in range(TRIALS):
        shown = scene.play(trial)
        rolls = rounds(shown)
        bonus = [int(side in tacticians) for side in "ab"]
        for a, b in rolls:
            assert (a[0], b[0]) == (0, 1)
            assert (a[2] - a[1], b[2] - b[1]) == (bonus[0], bonus[1])
            assert a[1] in range(1, 11) and b[1] in range(1, 11)
        assert [a[2] == b[2] for a, b in rolls] == [True] * (len(rolls) - 1) + [False]
        first = int(rolls[-1][1][2] > rolls[-1][0][2])
        assert segments(shown) == [first, 1 - first]
        assert shown.state.first == first
        rerolled += len(rolls) > 1
    assert rerolled > 0


def test_tactics_goes_first_in_55_of_91() -> None:
    """J-INI-3: over all pairs of dice, ties again."""
    pairs = [(a + 1, b) for a in range(1, 11) for b in range(1, 11)]
    assert Fraction(sum(a > b for a, b in pairs), sum(a != b for a, b in pairs)) == Fraction(55, 91)
    scene, trials = Scene({"a": ["1 +tactics @ -9 0 0"], "b": ["1 @ 9 0 0"]}), 1000
    first = sum(int(scene.play(trial).state.first == 0) for trial in range(trials))
    assert abs(first - trials * 55 / 91) < 5 * (trials * 55 * 36 / 91**2) ** 0.5


def test_a_tactician_must_be_alive() -> None:
    """J-INI-3, J-CAP-7: no bonus in the turn after his crew was killed."""
    case = {"a": ["1 fang @ 0 0 0"], "b": ["3 +tactics @ 1 0 0", "3 @ 9 0 0"], "dice": {"to_hit": 1}, "turns": 2}
    bonuses = {
        (row.turn, row.value - row.roll) for row in Scene({**case, "order": "**"}).shown().of("INITIATIVE") if row.foe
    }
    assert bonuses == {(1, 1), (2, 0)}


def test_a_side_moves_all_its_jugs_in_its_segment_in_order_of_initiative() -> None:
    """J-SEG-1: as many segments as sides."""
    for order in "ab":
        shown = Scene({**PLAIN, "order": order}).shown()
        told = [(row.what == What.SEGMENT, row.foe if row.what == What.SEGMENT else row.jug)
                for row in shown.of("SEGMENT", "MOVE")]  # fmt: skip
        a, b = [(True, 0), (False, 0), (False, 1)], [(True, 1), (False, 2), (False, 3)]
        assert told == (a + b if order == "a" else b + a)


def test_with_initiative_by_jug_each_jug_has_a_segment_of_its_own() -> None:
    """J-INI-1, J-INI-3: initiative = jug; tactics helps its jug only, and only those who are level roll again."""
    case = {**PLAIN, "a": ["1 +tactics @ -9 0 0", "1 @ -9 1 0"], "rules": {"initiative": "jug"}}
    scene, rerolled = Scene(case), 0
    for trial in range(TRIALS):
        shown = scene.play(trial)
        rolls = rounds(shown)
        assert [who for who, _, _ in rolls[0]] == [0, 1, 2, 3]
        assert {(who, total - die) for rows in rolls for who, die, total in rows} <= {(0, 1), (1, 0), (2, 0), (3, 0)}
        rank: dict[int, tuple[int, ...]] = dict.fromkeys(range(4), ())
        for rows in rolls:
            level = [who for who in rank if [*rank.values()].count(rank[who]) > 1]
            assert [who for who, _, _ in rows] == level
            for who in rank:
                rank[who] += (next((total for one, _, total in rows if one == who), 0),)
        rerolled += len(rolls) > 1
        assert len(set(rank.values())) == 4
        assert segments(shown) == sorted(rank, key=rank.__getitem__, reverse=True)
        assert [row.jug for row in shown.of("MOVE")] == segments(shown)
        assert shown.state.first == int(segments(shown)[0] >= 2)
    assert rerolled > 0


def test_strategic_roll_and_initiative_by_jug_put_a_sides_jugs_first() -> None:
    """J-DEP-3: all jugs of the side that rolled higher for deployment, then the others; each side in its order."""
    scene = Scene({**PLAIN, "rules": {"initiative": "jug", "strategic_roll": True}})
    plain = Scene({**PLAIN, "rules": {"initiative": "jug"}})
    for trial in range(40):
        shown, before = scene.play(trial), segments(plain.play(trial))
        dice = [row.roll for row in shown.of("DEPLOY")][-2:]
        own = (0, 1) if dice[0] > dice[1] else (2, 3)
        assert segments(shown) == [who for who in before if who in own] + [who for who in before if who not in own]


# Captains and wizards


@pytest.mark.parametrize(
    ("captain", "abilities"),
    [
        ("Morg Orgus", "speed meleer damage_control tactics evasion"),
        ("Ballard Trevon", "balance luck artillerist tactics"),
        ("Gavis Greybeard", "cornering mechanic evasion"),
    ],
)
def test_a_legendary_captain_has_several_abilities(captain: str, abilities: str) -> None:
    """J-CAP-1: at most one captain a jug."""
    design = Design(size=3, equipment=["gears"], captain=captain)
    assert set(design.abilities) == set(abilities.split())
    setup = game.compile(
        Scenario.model_validate({"sides": {"a": {"design": design}, "b": {"design": "archer"}}}), Rules()
    )
    bits = {ability: 1 << k for k, ability in enumerate(captains()["abilities"])}
    assert setup.jugs[0].captain == sum(bits[ability] for ability in abilities.split())
    two = Design(size=3, captain=[captain, "luck"])
    assert {one.id for one in complaints(two, Rules())} == {"J-CAP-1"}


def test_the_table_of_captains_is_in_the_order_of_its_d10() -> None:
    """J-CAP-1."""
    assert list(captains()["abilities"]) == [
        "speed", "cornering", "balance", "tactics", "artillerist", "meleer", "evasion", "damage_control", "mechanic",
        "luck",
    ]  # fmt: skip


def test_captains_and_spells_that_are_drawn_are_each_as_likely() -> None:
    """J-CAP-1 (D10), J-WIZ-1 (2D6 spells, each by D6)."""
    scene = Scene(
        {"a": ["2 wizard @ -9 0 0"], "b": ["1 @ 9 0 0"], "rules": {"captains": "random"}, "policies": "hold hold"}
    )
    trials = [scene.play(trial) for trial in range(120)]
    for kind, faces in (("CAPTAIN", range(1, 11)), ("SPELL", range(1, 7)), ("SPELLS", range(2, 13))):
        rolls = [row.roll for shown in trials for row in shown.of(kind)]
        assert set(rolls) == set(faces)
        if kind != "SPELLS":
            likely = len(rolls) / len(faces)
            assert all(abs(rolls.count(face) - likely) < 5 * likely**0.5 for face in faces)
    assert all(row.roll == len(shown.of("SPELL")) for shown in trials for row in shown.of("SPELLS"))


def test_a_wizard_who_leaves_it_to_chance_casts_any_attack_spell_at_any_target_or_none() -> None:
    """J-WIZ-1, J-WIZ-2, J-WIZ-3: at the first moment; a fireball reaches the near one alone."""
    scene = Scene({"a": ["9 @ 0 0 0"], "b": ["9 @ 5 0 0", "9 @ -6 0 0"], "policies": "random hold", "until": "a",
                   "given": {"a1": {"spells": {"fireball": 1, "bolt": 1}}}})  # fmt: skip
    shown = [shown for shown in map(scene.play, range(120)) if shown.state.first == 0]
    casts = {tuple((row.item, row.foe) for row in one.of("DECLARE")) for one in shown}
    assert casts == {(), ((FIREBALL, 1),), ((BOLT, 1),), ((BOLT, 2),)}


# Armies and deployment


def test_the_published_military_designs_and_the_warbuggies() -> None:
    """J-ARM-1: 32 designs, of which Warbuggy is a template of 22, a ballista by itself; a side may mix them."""
    buggies = {name for name in load() if name.startswith("warbuggy-")}
    assert (len(load()) - len(buggies), len(buggies)) == (32, 22)
    assert load()["warbuggy"].items == load()["warbuggy-ballista"].items
    mixed = {"units": [{"design": "archer", "count": 2}, {"design": "hydra"}, {"design": "warbuggy-fang"}]}
    battle = Scenario.model_validate({"sides": {"a": mixed, "b": {"design": "thrasher"}}})
    assert game.complaints(battle, Rules()) == []
    assert int(game.compile(battle, Rules()).count_a) == 4


def test_sides_are_deployed_at_opposite_ends() -> None:
    """J-DEP-1: seat 0 in the west facing east, seat 1 in the east facing west, by default."""
    sides = {"a": {"design": "archer", "count": 3}, "b": {"design": "thrasher", "count": 2}}
    setup = game.compile(Scenario.model_validate({"sides": sides}), Rules())
    for swapped in (0, 1):
        a, b = setup.places[swapped, :3].tolist(), setup.places[swapped, 3:5].tolist()
        west, east = (b, a) if swapped else (a, b)
        assert max(2 * q + r for q, r, *_ in west) < 0 < min(2 * q + r for q, r, *_ in east)
        assert {facing for _, _, facing, _ in west} == {0} and {facing for _, _, facing, _ in east} == {3}


# Every rule


def ids_with_tests() -> set[str]:
    """Return the ids that scenes have, and that tests beside them cite."""
    found = {scene["id"] for scene in ALL}
    for path in HERE.glob("test_jugger_rules_*.py"):
        if path.name != "test_jugger_rules_model.py":
            text = path.read_text(encoding="utf-8")
            for first, last in re.findall(r"(J-[A-Z]+-\d+)(?: to (\d+))?", text):
                letters, number = first.rsplit("-", 1)
                found |= {f"{letters}-{n}" for n in range(int(number), int(last or number) + 1)}
    return found


def test_every_rule_that_is_built_has_a_test() -> None:
    """No id of battles is left out, and none is made up; the ball and leagues have tests of their own."""
    beside = {id for id in wanted("jugger") if id.startswith(("J-BALL-", "J-LEA-")) or id == "J-ARM-3"}
    assert ids_with_tests() - beside == set(wanted("jugger")) - beside


ELSEWHERE = {
    ("declare", "rounds"), ("initiative", "jug"), ("turn_in_place", False), ("printed_hits", True),
    ("walls_targetable", True), ("legs_top_velocity", 7), ("spaces_per_size", 2),
}  # fmt: skip
"""What the tests beside the scenes change."""


def changes() -> set[tuple[str, Any]]:
    """Return which fields are changed, and to what."""
    found = {change for scene in ALL for change in scene.get("rules", {}).items()}
    return {(name.split(".")[0], value) for name, value in found | ELSEWHERE}


def test_every_ruling_is_shown_with_all_its_alternatives() -> None:
    """Every switch and choice of the rule set is set to each of its other values."""
    assert ALTERNATIVES - changes() == set()
    assert len(ALTERNATIVES) == 27


ALTERNATIVES = {
    (name, value)
    for name, info in Rules.model_fields.items()
    for value in ((True, False) if info.annotation is bool else get_args(info.annotation))
    if (info.annotation is bool or get_origin(info.annotation) is Literal) and value != info.default
}


def test_every_number_is_changed() -> None:
    """Every number of the rule set is another one in some scene; dice and spaces have tests of their own."""
    changed = {name for name, _ in changes()}
    dice = {row.path for row in protocol.rule_fields(Rules()) if row.allowed.startswith("dice")}
    dice |= {name for name, value in Rules() if re.fullmatch(r"\d+d\d+", str(value))}
    spaces = {name for name in Rules.model_fields if name.endswith("_spaces")}
    assert set(Rules.model_fields) - changed - dice - spaces == set()
