"""Which rulings a battle rests on: exact lists, and that what is not listed changes no battle."""

import random
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import numpy as np
import pytest

from simkit.core.key import make_key
from simkit.core.trials import BATCHES
from simkit.games.jugger import game
from simkit.games.jugger.assumptions import REASONS, relevant
from simkit.games.jugger.designs import load as designs
from simkit.games.jugger.maps import load as maps
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import POLICIES, Scenario
from simkit.games.protocol import rule_fields

ASSUMED = [field.path for field in rule_fields(Rules()) if field.source != "R"]

VALUES: dict[str, list[Any]] = {
    "wizard_spaces": [1],
    "kick_to_hit": [0, 3],
    "shield_arm_hits": [0, 25],
    "to_hit_dice": ["1d8", "2d6"],
    "to_hit_max": [4, 100],
    "walls_targetable": [False],
    "forest_loss": [0, 3],
    "rubble_loss": [0, 3],
    "house_loss": [0, 3],
    "wreckage_loss": [0, 3],
    "damage_velocity_cap": [0, 2],
    "weapons.trebuchet.damage": ["1d6"],
    "missile_from": [1, 6, 16],
    "spells_per_turn": [0, 3],
    "shield_from": [0, 30],
    "restoration_from": [1, 60],
    "rout_below": [40, 100],
}
"""Some values of the fields that have too many to try all."""


OTHER_DICE = ("break_roll",)
"""Fields that take the same throw from another address: trials differ where chances do not."""

UNCOMPARED = {"captains", "walls_targetable", "wizard_spaces", *OTHER_DICE}
"""Fields whose battles are never compared: published designs have no captains, and of two no other value is tried."""


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


def read(a: Any, b: Any, policy: str = "hold", **battle: Any) -> Scenario:
    """Read a battle."""
    sides = {name: side if isinstance(side, dict) and "size" not in side else {"design": side} for name, side in
             (("a", a), ("b", b))}  # fmt: skip
    return Scenario.model_validate({"sides": sides, "scenario": battle, "policy": policy})


def changed(rules: Rules, path: str, value: Any) -> Rules:
    """Change one field of a rule set."""
    data = rules.model_dump()
    *tables, name = path.split(".")
    table = data
    for key in tables:
        table = table[key]
    table[name] = value
    return Rules.model_validate(data)


def other_values(rules: Rules, path: str) -> list[Any]:
    """List other legal values of a field: all of a switch or choice, some of a number."""
    hint = Rules.model_fields[path.partition(".")[0]].annotation
    if hint is bool:
        values: list[Any] = [True, False]
    elif get_origin(hint) is Literal:
        values = list(get_args(hint))
    else:
        values = VALUES[path]
    present = {field.path: field.value for field in rule_fields(rules)}[path]
    return [value for value in values if value != present]


def unlisted(battle: Scenario, rules: Rules) -> Iterator[tuple[str, Any, Rules]]:
    """Give every change of a ruling that a battle is said not to rest on."""
    listed = relevant(battle, rules)
    for path in ASSUMED:
        if path not in (*listed, *OTHER_DICE):
            for value in other_values(rules, path):
                yield path, value, changed(rules, path, value)


def differences(battle: Scenario, variants: list[Rules], units: int) -> list[int]:
    """Play a battle under several rule sets on the same dice; count the squared differences to the first."""
    setups = game.pack([game.compile(battle, rules) for rules in variants])
    counts = np.zeros((len(variants), BATCHES, len(game.OUTCOMES), 4), np.int64)
    game.play_block(setups, game.new_state(), make_key(5), 0, units, counts)
    return [int(one) for one in counts[1:, ..., 3].sum(axis=(1, 2))]


# Exact lists

ATTACKED = ["to_hit", "to_hit_dice"]
BALLISTA = {"size": 1, "equipment": ["ballista"]}
CAPTAIN = {"captain": ["tactics"]}
NAMED = {**BALLISTA, **CAPTAIN}


def jug(*equipment: str, size: int = 6, captain: Any = "tactics") -> dict[str, Any]:
    """Write a design with a captain, which leaves no doubt about that."""
    return {"size": size, "equipment": list(equipment), "captain": captain}


BEGUN = "strategic_roll"
LISTS: list[tuple[Scenario, dict[str, Any], list[str]]] = [
    (read(NAMED, NAMED, distance=6), {}, []),
    (read(NAMED, NAMED, distance=5), {}, [*ATTACKED, BEGUN]),
    (read(BALLISTA, NAMED, distance=5), {}, [*ATTACKED, "captains", BEGUN]),
    (read(jug("jaws"), NAMED, distance=1), {}, [*ATTACKED, "grab_damage", BEGUN]),
    (read(jug("jaws"), NAMED, distance=1, a_arc=1), {}, ["forward_cone_deg", *ATTACKED, BEGUN]),
    (read(jug("jaws"), jug("saw arm"), distance=2), {}, []),
    (read(jug("jaws"), jug("saw arm"), distance=1, a_arc=2), {}, [*ATTACKED, BEGUN]),
    (read(jug("2 claw arms"), NAMED, distance=1), {}, [*ATTACKED, "break_roll", "grab_damage", BEGUN]),
    (read(jug("legs"), NAMED, distance=1), {}, ["kick_to_hit", *ATTACKED, BEGUN]),
    (read(jug("legs"), jug(), distance=1, a_arc=3), {}, []),
    (read(jug("size 2 catapult"), jug(), distance=10), {}, ["oversize", *ATTACKED, BEGUN]),
    (read(jug("size 2 mirror", "size 2 scythe"), jug(), distance=10), {}, [*ATTACKED, "fire_stacks", BEGUN]),
    (read(jug("cauldron"), jug(), distance=1), {}, [*ATTACKED, "fire_stacks", "cauldron_reroll", BEGUN]),
    (read(jug("trebuchet"), jug(), distance=15), {}, [*ATTACKED, "weapons.trebuchet.damage", BEGUN]),
    (read(jug("shield arm"), jug(), distance=9), {}, ["shield_arm_hits"]),
    (read(jug("boarders"), jug(), distance=1), {}, [*ATTACKED, BEGUN]),
    (read(jug("wizard"), jug("saw arm"), distance=1), {}, ["wizard_spaces", *ATTACKED, "wizard_is_piece", BEGUN]),
    (read(jug("wheel spikes"), jug(), distance=1, a_arc=1), {}, [*ATTACKED, BEGUN]),
    (read(jug("wheel spikes"), jug(), distance=1), {}, []),
    (
        read(jug("saw arm", captain=["mechanic", "meleer"]), jug("saw arm", captain="evasion"), distance=1), {},
        [*ATTACKED, "to_hit_max", "critical_counts", "missile_from", "evasion", BEGUN],
    ),
    (read("battlemaster", jug(), distance=11), {}, ["printed_hits", "captains"]),
    (read({"units": [{"design": NAMED, "count": 2}]}, jug(), distance=9), {}, ["rout_below"]),
    (read({"units": [{"design": NAMED, "count": 2}]}, jug(), distance=9, victory={"rout_below": 10}), {}, []),
    (
        read({"units": [{"design": NAMED, "count": 2}]}, jug("boarders"), distance=9, victory={"rout_below": 10}), {},
        [*ATTACKED, BEGUN],
    ),
    (read(NAMED, NAMED, map="woods", distance=5), {}, ["line_of_sight", *ATTACKED, BEGUN]),
    (
        read(NAMED, NAMED, map="woods", distance=5), {"line_of_sight": True},
        ["line_of_sight", *ATTACKED, "forest_loss", BEGUN],
    ),
    (
        read(jug("legs"), jug("legs"), policy="greedy"), {},
        ["map_edge", "forward_cone_deg", "turn_in_place", "kick_to_hit", "declare", *ATTACKED, "collision_sc",
         "damage_velocity_cap", BEGUN],
    ),
    (
        read(jug(), jug(), policy="random"), {},
        ["map_edge", "turn_in_place", "collision_sc", "ram_owner", "damage_velocity_cap", "push_collides", BEGUN],
    ),
    (
        read(jug("wizard"), jug(), policy="greedy", map="arena"), {},
        ["map_edge", "forward_cone_deg", "line_of_sight", "wizard_spaces", "turn_in_place", "declare", *ATTACKED,
         "critical_counts", "wizard_is_piece", "rubble_loss", "collision_sc", "walls_targetable", "ram_owner",
         "damage_velocity_cap", "push_collides", "spells_per_turn", "haste_stacks", "shield_from", "restoration_from",
         BEGUN],
    ),
    (
        read({"units": [{"design": jug("jaws"), "count": 2}]}, jug(), policy="lookahead", map="ruins"), {},
        ["map_edge", "forward_cone_deg", "turn_in_place", "declare", *ATTACKED, "wreckage", "rubble_loss",
         "house_loss", "wreckage_loss", "collision_sc", "walls_targetable", "ram_owner", "damage_velocity_cap",
         "push_collides", "side_kill_drives_through", "grab_damage", "grab_stops", BEGUN, "rout_below"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("battle", "rules", "listed"), LISTS, ids=lambda value: None)
def test_list(battle: Scenario, rules: dict[str, Any], listed: list[str]) -> None:
    made = Rules.model_validate({**Rules().model_dump(), **rules})
    assert game.complaints(battle, made) == []
    assert relevant(battle, made) == listed


def test_every_ruling_has_a_reason() -> None:
    assert list(REASONS) == ASSUMED
    assert all(reason.words for reason in REASONS.values())


# What is listed matters

CORNERED: dict[str, Any] = {
    "deployment": {"a": [{"q": 9, "r": 0, "facing": 0, "velocity": 4}], "b": [{"q": 12, "r": 0, "facing": 0}]}
}
WIZARDS = jug("2 wizards", "2 saw arms")
MATTERS: list[tuple[str, Any, Scenario]] = [
    ("map_edge", "exit", read("gorger", "gorger", policy="random")),
    ("map_edge", "wrap", read("gorger", "gorger", policy="random")),
    ("forward_cone_deg", 180, read("miner", "miner", distance=1, a_arc=1, b_arc=5)),
    ("line_of_sight", True, read("lobber", "lobber", policy="greedy", map="woods", density=0.6)),
    ("oversize", "more_dice", read("lobber", "lobber", distance=9)),
    ("printed_hits", True, read("battlemaster", "landship", policy="greedy")),
    ("turn_in_place", False, read("archer", "archer", policy="greedy")),
    ("kick_to_hit", 2, read("cutter", "cutter", distance=1)),
    ("shield_arm_hits", 0, read("swordsman", "swordsman", distance=1)),
    ("declare", "rounds", read("thrasher", "thrasher", policy="random", deployment="close")),
    ("to_hit", "at_least", read("archer", "archer", distance=3)),
    ("to_hit_dice", "1d8", read("archer", "archer", distance=3)),
    ("to_hit_max", 4, read(jug("saw arm", captain="meleer"), jug("saw arm"), distance=1)),
    ("critical_counts", "missing", read(jug("2 saw arms", "gears", captain="mechanic"), "thrasher", distance=1)),
    ("wizard_is_piece", False, read(jug("wizard", "2 saw arms"), jug("3 saw arms"), distance=1)),
    ("wreckage", False, read({"design": "gorger", "count": 4}, {"design": "archer", "count": 4}, policy="greedy")),
    ("forest_loss", 3, read("gorger", "gorger", policy="greedy", map="woods")),
    ("rubble_loss", 3, read("gorger", "gorger", policy="greedy", map="ruins")),
    ("house_loss", 3, read("gorger", "gorger", policy="random", map="ruins")),
    ("wreckage_loss", 3, read({"design": "gorger", "count": 4}, {"design": "archer", "count": 4}, policy="greedy")),
    ("collision_sc", "none", read("gorger", "gorger", policy="random")),
    ("ram_owner", "reinforced_only", read("archer", "gorger", policy="greedy")),
    ("damage_velocity_cap", 2, read("gorger", "gorger", policy="greedy")),
    ("push_collides", True, read("gorger", {"design": "landship", "policy": "hold"}, policy="random", **CORNERED)),
    (
        "side_kill_drives_through", True,
        read({"design": "gorger", "count": 4}, {"design": "archer", "count": 4}, policy="greedy"),
    ),
    ("break_roll", "weapon", read("hydra", "hydra", distance=1)),
    ("grab_damage", "attack", read("warbah", "warbah", distance=1)),
    ("grab_stops", False, read("hydra", "archer", policy="greedy")),
    ("weapons.trebuchet.damage", "1d6", read("lobber", "lobber", distance=9)),
    ("fire_stacks", True, read("mirror-ship", "mirror-ship", distance=9)),
    ("cauldron_reroll", True, read("fire-avatar", "fire-avatar", distance=1)),
    ("captains", "random", read("archer", "archer", distance=3)),
    ("missile_from", 1, read(jug("saw arm", captain="meleer"), jug("saw arm"), distance=1)),
    ("evasion", "declared", read(jug("saw arm", captain="evasion"), jug("2 saw arms"), distance=1)),
    ("spells_per_turn", 3, read(WIZARDS, WIZARDS, policy="greedy")),
    ("haste_stacks", True, read(WIZARDS, WIZARDS, policy="random")),
    ("shield_from", 2, read(WIZARDS, WIZARDS, policy="greedy")),
    ("restoration_from", 1, read(WIZARDS, WIZARDS, policy="greedy")),
    ("strategic_roll", True, read("archer", "archer", distance=3)),
    ("rout_below", 60, read({"design": "archer", "count": 3}, {"design": "archer", "count": 3}, distance=3)),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "battle"), MATTERS, ids=[f"{path}-{value}" for path, value, _ in MATTERS])
def test_listed_field_matters(path: str, value: Any, battle: Scenario) -> None:
    rules = Rules()
    assert path in relevant(battle, rules)
    assert differences(battle, [rules, changed(rules, path, value)], 150) != [0]


def test_a_wizards_space_decides_whether_his_jug_is_legal() -> None:
    battle = read("windrammer", "windrammer")
    assert "wizard_spaces" in relevant(battle, Rules())
    assert game.complaints(battle, Rules()) == [] != game.complaints(battle, Rules(wizard_spaces=2))


# What is not listed does not matter


@pytest.mark.parametrize(("battle", "rules", "listed"), LISTS, ids=lambda value: None)
@pytest.mark.thorough
def test_unlisted_fields_leave_every_battle_alone(battle: Scenario, rules: dict[str, Any], listed: list[str]) -> None:
    base = Rules.model_validate({**Rules().model_dump(), **rules})
    changes = list(unlisted(battle, base))
    found = differences(battle, [base, *(variant for *_, variant in changes)], 20)
    assert [changes[i][:2] for i, one in enumerate(found) if one] == []


def some_battle(luck: random.Random) -> Scenario:
    """Make up a battle of few jugs, at any place, by any players."""
    sides = {}
    for side in "ab":
        units = [{"design": luck.choice(list(designs()))} for _ in range(luck.choice([1, 1, 1, 2]))]
        sides[side] = {"units": units, "policy": luck.choices(POLICIES, [6, 2, 2, 0, 0])[0]}
    battle: dict[str, Any] = {"max_turns": 12}
    if luck.random() < 0.6:
        battle |= {"distance": luck.choice([1, 1, 2, 5, 10]), "a_arc": luck.randrange(6), "b_arc": luck.randrange(6)}
    else:
        battle |= {"map": luck.choice(list(maps())), "deployment": luck.choice(["ends", "close"])}
    return Scenario.model_validate({"sides": sides, "scenario": battle})


@pytest.mark.parametrize("battles", [10, pytest.param(50, marks=pytest.mark.slow)])
def test_unlisted_fields_leave_battles_of_all_kinds_alone(battles: int) -> None:
    luck = random.Random(11)
    compared: list[str] = []
    for _ in range(battles):
        rules = Rules()
        for path in luck.sample(ASSUMED, 3):
            rules = changed(rules, path, luck.choice([*other_values(rules, path)] or [VALUES[path][0]]))
        battle = some_battle(luck)
        changes = list(unlisted(battle, rules))
        found = differences(battle, [rules, *(variant for *_, variant in changes)], 12)
        assert [changes[i][:2] for i, one in enumerate(found) if one] == [], (battle, rules)
        compared += [path for path, *_ in changes]
    assert len(compared) > 20 * battles
    assert set(compared) == set(ASSUMED) - UNCOMPARED
