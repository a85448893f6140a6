"""Which assumptions a course rests on: exact lists, and that what is not listed changes nothing."""

import random
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import numpy as np
import pytest

from simkit.core.rng import make_key
from simkit.core.trials import BATCHES
from simkit.games.pigtickler import game
from simkit.games.pigtickler.assumptions import REASONS, relevant
from simkit.games.pigtickler.course import Scenario
from simkit.games.pigtickler.records import Outcome
from simkit.games.pigtickler.rules import Rules
from simkit.games.protocol import rule_fields
from tests.pigtickler_luck import some_course, some_rules

ASSUMED = [field.path for field in rule_fields(Rules()) if field.source != "R"]

VALUES = {
    "dice": ["1d10", "1d12"],
    "hit_dice": ["1d12", "3d6"],
    "hit_target": [2, 9, 1000],
    "hit_fumble": [-1000, 2, 7],
    "damage_modifier": [-3, 0, 1],
    "wreck_at": [1, 2, 1000],
    "bogs.grass": [-4, 0, 2],
    "bogs.rocks": [-4, 0, 2],
    "bogs.dunes": [-4, 0, 2],
}
"""Some values of the fields that have too many to try all."""

DAMAGE = {"unicycle_damage": True}


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


def scenario(*steps: dict[str, Any], **more: Any) -> Scenario:
    """Write a course shortly."""
    return Scenario.model_validate({"course": {"steps": list(steps), **more}})


def changed(rules: Rules, path: str, value: Any) -> Rules:
    """Change one field of a rule set."""
    name, _, entry = path.partition(".")
    data = rules.model_dump()
    data[name] = {**data[name], entry: value} if entry else value
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


def unlisted(course: Scenario, rules: Rules) -> Iterator[tuple[str, Any, Rules]]:
    """Give every change of an assumption that a course is said not to rest on."""
    for path in ASSUMED:
        if path not in relevant(course, rules):
            for value in other_values(rules, path):
                yield path, value, changed(rules, path, value)


# Exact lists

TURN = {"turn": 1}
ROUND = {"avoid": "obstacle"}
PIG = {"pig": True}
STOP = {"stop": True}
FENCE = {"cross": "fence"}
RAMP = {"ramp": True}
CHASM = {"chasm": True}
HIT = ["hit_dice", "hit_target", "hit_fumble"]


def down(levels: int = 1) -> dict[str, int]:
    return {"down": levels}


def bog(kind: str, bends: int = 0) -> dict[str, Any]:
    return {"bog": kind, "bends": bends}


LISTS: list[tuple[Scenario, dict[str, Any], list[str]]] = [
    (scenario(down()), {}, []),
    (scenario(TURN), {}, []),
    (scenario(TURN, turns=2), {}, ["free_facing"]),
    (scenario(TURN, turns="unlimited"), {}, ["free_facing"]),
    (scenario(down(), TURN, turns=9), {}, []),
    (scenario(down(), {"up": 1}, TURN, turns=9), {}, ["free_facing", "uphill_reroll", "downhill_lasts"]),
    (scenario(down(), STOP, TURN, turns=2), {}, ["free_facing", "failed_stop"]),
    (scenario(down(), TURN, ahead="lancer"), {}, ["steered_lancer_rolls"]),
    (scenario(down(), TURN, ahead="lancer"), DAMAGE, ["steered_lancer_rolls", "wreck_at"]),
    (scenario(down(), TURN, ahead="grass"), {}, []),
    (scenario(down(), TURN, ahead="pig"), {}, ["neighbour_policy"]),
    (
        scenario(down(), TURN, ahead="pig"),
        {"neighbour_policy": "straight_on"},
        ["neighbour_policy", "steered_hit_bonus", *HIT],
    ),
    (
        scenario(down(), TURN, TURN, ahead="pig"),
        {"neighbour_policy": "straight_on"},
        ["downhill_lasts", "neighbour_policy", "pig_bonus", "steered_hit_bonus", *HIT],
    ),
    (scenario(down(), STOP, ahead="pig"), {"failed_stop": "stops"}, ["failed_stop"]),
    (scenario(down(), STOP, ahead="pig"), {"failed_stop": "runs_on"}, ["steered_hit_bonus", "failed_stop", *HIT]),
    (scenario({"up": 2}), {}, ["uphill_reroll"]),
    (scenario({"up": 2}, down()), {}, []),
    (scenario(bog("rocks")), {}, ["bogs.rocks", "bog_edge_reroll"]),
    (scenario(bog("swamp"), down()), {}, []),
    (scenario(down(), bog("dunes", 1), turns=2), {}, ["free_facing", "bogs.dunes", "bog_edge_reroll"]),
    (scenario(down(), TURN, bog("ford")), {}, ["bog_edge_reroll", "crooked_bog_entry"]),
    (scenario(down(), TURN, down(), bog("ford")), {}, ["bog_edge_reroll"]),
    (scenario(down(), bog("ford"), TURN, bog("ford"), down()), {}, []),
    (scenario(down(), TURN, FENCE), {}, ["downhill_lasts", "downhill_cross"]),
    (scenario(down(), TURN, RAMP), {}, ["downhill_lasts", "ramp_downhill"]),
    (scenario(down(), TURN, RAMP), {"ramp_downhill": False}, ["ramp_downhill"]),
    (scenario(down(), TURN, RAMP), {"downhill_lasts": "straight_leg"}, ["downhill_lasts"]),
    (scenario(down(), CHASM, turns=2), {}, ["failed_chasm_turn"]),
    (scenario(CHASM, RAMP, FENCE), {}, []),
    (scenario(down(), ROUND), {}, []),
    (scenario(down(), ROUND), DAMAGE, ["damage_ends_turn", "wreck_at"]),
    (scenario(down(), ROUND, turns=3), DAMAGE, ["free_facing", "damage_ends_turn", "wound_effect", "wreck_at"]),
    (
        scenario(down(), ROUND, TURN, turns=3),
        DAMAGE,
        ["free_facing", "downhill_lasts", "damage_ends_turn", "wound_effect", "damage_modifier", "wreck_at"],
    ),
    (
        scenario(down(), ROUND, turns=3),
        {**DAMAGE, "free_facing": False},
        ["free_facing", "damage_ends_turn", "wound_effect", "damage_modifier", "wreck_at"],
    ),
    (scenario(PIG, turns=3), {}, HIT),
    (scenario(PIG, down(), turns=3), {}, [*HIT, "wound_effect"]),
    (scenario(down(), TURN, PIG), {}, ["pig_bonus", *HIT]),
    (scenario(down(), TURN, PIG), {"downhill_hit_bonus": 0}, HIT),
]


@pytest.mark.parametrize(("course", "rules", "listed"), LISTS, ids=lambda value: None)
def test_list(course: Scenario, rules: dict[str, Any], listed: list[str]) -> None:
    assert relevant(course, Rules.model_validate(rules)) == ["dice", *listed]


def test_every_assumption_has_a_reason() -> None:
    assert list(REASONS) == ASSUMED
    assert all(reason.words for reason in REASONS.values())


def test_house_bogs_are_no_assumptions() -> None:
    rules = Rules(bogs={"mud": -2})
    assert relevant(scenario(bog("mud"), down()), rules) == ["dice"]


# What is listed matters

MATTERS: list[tuple[str, Any, Scenario, dict[str, Any]]] = [
    ("dice", "1d12", scenario(TURN), {}),
    ("free_facing", False, scenario(TURN, turns=2), {}),
    ("free_facing", False, scenario(down(), {"up": 1}, TURN, turns=3), {}),
    ("free_facing", False, scenario(bog("ford", 1), turns=2), {}),
    ("uphill_reroll", True, scenario({"up": 1}), {}),
    ("downhill_lasts", "straight_leg", scenario(down(), TURN, down(), FENCE), {}),
    ("neighbour_policy", "straight_on", scenario(down(), TURN, ahead="pig"), {}),
    ("steered_lancer_rolls", False, scenario(down(), TURN, ahead="lancer"), {}),
    ("pig_bonus", "straight_leg", scenario(down(), TURN, PIG), {}),
    ("steered_hit_bonus", False, scenario(down(), STOP, ahead="pig"), {"failed_stop": "runs_on"}),
    ("failed_stop", "runs_on", scenario(down(), STOP, ahead="pig"), {}),
    ("failed_stop", "stops", scenario(down(), STOP), {}),
    ("bogs.grass", -2, scenario(bog("grass")), {}),
    ("bogs.rocks", -2, scenario(bog("rocks")), {}),
    ("bogs.dunes", -3, scenario(bog("dunes")), {}),
    ("bog_edge_reroll", True, scenario(bog("ford")), {}),
    ("crooked_bog_entry", "nothing", scenario(down(), TURN, bog("ford")), {}),
    ("downhill_cross", "d6", scenario(down(), FENCE), {}),
    ("downhill_cross", "forbidden", scenario(down(), FENCE), {}),
    ("failed_chasm_turn", "collision", scenario(down(), CHASM), {}),
    ("ramp_downhill", False, scenario(down(), RAMP), {}),
    ("damage_ends_turn", False, scenario(down(), ROUND), DAMAGE),
    ("hit_dice", "1d12", scenario(PIG), {}),
    ("hit_target", 8, scenario(PIG), {}),
    ("hit_fumble", 4, scenario(PIG), {}),
    ("wound_effect", "count", scenario(down(), ROUND, turns=2), {}),
    ("wound_effect", "count", scenario(PIG, down(), turns=2), {}),
    ("damage_modifier", -2, scenario(down(), ROUND, TURN, turns=2), DAMAGE),
    ("damage_modifier", -2, scenario(down(), ROUND, turns=2), {**DAMAGE, "free_facing": False}),
    ("damage_modifier", 0, scenario(down(), FENCE), {**DAMAGE, "damage_ends_turn": False}),
    ("wreck_at", 1, scenario(down(), TURN, ahead="obstacle"), DAMAGE),
]


@pytest.mark.parametrize(("path", "value", "course", "rules"), MATTERS, ids=[path for path, *_ in MATTERS])
def test_listed_field_matters(path: str, value: Any, course: Scenario, rules: dict[str, Any]) -> None:
    base = Rules.model_validate(rules)
    assert path in relevant(course, base)
    assert game.exact(course, changed(base, path, value)).metrics != game.exact(course, base).metrics


def test_every_assumption_matters_somewhere() -> None:
    assert {path for path, *_ in MATTERS} == set(ASSUMED)


# What is not listed does not matter


@pytest.mark.parametrize(("course", "rules", "listed"), LISTS, ids=lambda value: None)
@pytest.mark.thorough
def test_unlisted_fields_leave_the_exact_values_alone(
    course: Scenario, rules: dict[str, Any], listed: list[str]
) -> None:
    base = Rules.model_validate(rules)
    metrics = game.exact(course, base).metrics
    for path, value, other in unlisted(course, base):
        assert game.exact(course, other).metrics == metrics, (path, value)


@pytest.mark.parametrize("courses", [25, pytest.param(80, marks=pytest.mark.slow)])
def test_unlisted_fields_leave_every_trial_alone(courses: int) -> None:
    luck = random.Random(11)
    key, state = make_key(3), game.new_state()
    compared: list[str] = []
    for _ in range(courses):
        rules = some_rules(luck)
        course = Scenario.model_validate({"course": some_course(luck)})
        changes = list(unlisted(course, rules))
        setups = [game.compile(course, variant) for variant in [rules, *(other for *_, other in changes)]]
        counts = np.zeros((len(setups), BATCHES, len(Outcome._fields), 4), np.int64)
        game.play_block(game.pack(setups), state, key, 0, 400, counts)
        differences = counts[1:, ..., 3].sum(axis=(1, 2))
        assert differences.tolist() == [0] * len(changes), [changes[i][:2] for i in np.flatnonzero(differences)]
        compared += [path for path, *_ in changes]
    assert len(compared) > 12 * courses
    assert set(compared) == set(ASSUMED) - {"dice"}
