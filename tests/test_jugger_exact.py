"""Jugger solved instead of played: published values, worked examples, the kernel's counts, and what is refused."""

import json
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from simkit.core.rng import Key, make_key
from simkit.games.jugger import standoff
from simkit.games.jugger.chances import Chances
from simkit.games.jugger.compile import compile as compile_battle
from simkit.games.jugger.designs import captains, find
from simkit.games.jugger.events import attack
from simkit.games.jugger.exact import solve
from simkit.games.jugger.kinds import Ability, Special
from simkit.games.jugger.legality import complaints
from simkit.games.jugger.outcomes import OUTCOMES
from simkit.games.jugger.records import COLUMNS, Setup
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario
from simkit.games.jugger.standing import Arms, Stage, Standing
from simkit.games.protocol import Solution
from tests.commandline import ran, said

FILE = json.loads((Path(__file__).parent / "cases" / "jugger.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in FILE["cases"]}
DUELS = [name for name, case in CASES.items() if case["kind"] == "hold-duel"]
FALSE_ALARM = 1e-6
FEW = 100
"""With fewer events expected than this a share is held against its binomial tail."""


@pytest.fixture(scope="module", autouse=True)
def jugger() -> Any:
    """Return the game of Jugger with its kernels compiled or loaded."""
    from simkit.games.jugger import game

    game.ready()
    return game


def jug(size: int, *equipment: str, captain: tuple[str, ...] = ()) -> dict[str, Any]:
    """Write a design shortly."""
    return {"size": size, "equipment": list(equipment), "captain": list(captain)}


def duel(a: Any, b: Any, **scenario: Any) -> Scenario:
    """Write a duel of two jugs that hold; side by side unless the scenario says otherwise."""
    sides = {"a": {"design": a}, "b": {"design": b}}
    return Scenario.model_validate({"sides": sides, "policy": "hold", "scenario": {"distance": 1, **scenario}})


def solved(a: Any, b: Any, house: dict[str, Any] | None = None, **scenario: Any) -> Solution:
    """Return the solution of a duel."""
    found = solve(duel(a, b, **scenario), Rules(**(house or {})))
    assert found.why == ""
    assert set(found.metrics) == {metric.name for metric in OUTCOMES}
    return found


def values(*args: Any, **more: Any) -> dict[str, float]:
    """Return every metric of a duel."""
    return {name: float(value) for name, value in solved(*args, **more).metrics.items()}  # type: ignore[arg-type]


# Published values


@pytest.mark.parametrize("name", DUELS)
def test_public_duels(name: str) -> None:
    """Every value of the file within a millionth of a millionth, and within the bound that the solution states."""
    inputs, right = CASES[name]["inputs"], CASES[name]["values"]
    found = solved(*map(_design, (inputs["a"], inputs["b"])), distance=inputs["distance"], max_turns=inputs["cap"])
    assert found.error < 2e-11
    for metric in ("win_a", "win_b", "draw_both", "draw_cap"):
        assert float(found.metrics[metric]) == pytest.approx(right[f"p_{metric}"], rel=0, abs=1e-12), metric
        assert abs(float(found.metrics[metric]) - right[f"p_{metric}"]) <= found.error, metric
    assert float(found.metrics["turns"]) == pytest.approx(right["mean_turns"], rel=1e-12)


def _design(side: dict[str, Any]) -> Any:
    design = side["design"]
    if isinstance(design, str):
        return design.replace(" ", "-")
    return {"size": design["sc"], "equipment": [{"weapon": name, "size": size} for name, size in design["equipment"]]}


# Worked examples of the rules


def test_worked_example_6_and_8_jugs() -> None:
    """Windrammer: acceleration 3, deceleration 3, 100 hits; Cutter: no ram, at most 5, a kick of 1D10 + 3."""
    setup = compile_battle(duel("windrammer", "cutter"), Rules())
    windrammer, cutter = Stage(setup, False).state.jugs[:2]
    assert (windrammer.acceleration, windrammer.deceleration, windrammer.hits, windrammer.ram) == (3, 3, 100, 2)
    assert setup.jugs[1].legged
    assert not setup.jugs[1].rams
    assert (Rules().legs_top_velocity, cutter.kicks) == (5, True)
    assert attack("kick", find("cutter").size) == {damage: Fraction(1, 10) for damage in range(4, 14)}


def test_tactics_goes_first() -> None:
    """P(Tactics first) = 55/91 (J-INI-3)."""
    assert Chances(Rules()).first(1, 0) == Fraction(55, 91)
    assert Chances(Rules()).first(1, 1) == Fraction(1, 2)


# The kernel's counts

PAIRS: dict[str, tuple[Any, Any, dict[str, Any], dict[str, Any]]] = {
    "grabs": (
        jug(2, "claw arm", "jaws", captain=("tactics",)), jug(1, "claw arm", captain=("evasion",)),
        {"max_turns": 4}, {},
    ),
    "ropes": (
        jug(3, "ballista", "ballista", "winch", captain=("artillerist",)), jug(1, "ballista", captain=("balance",)),
        {"distance": 4, "max_turns": 6}, {},
    ),
    "fires": (jug(1, "fire pump"), jug(2, "mirror", "flail", captain=("damage control",)), {"max_turns": 5}, {}),
    "cauldrons": (jug(1, "cauldron"), jug(1, "trebuchet"), {"max_turns": 6}, {}),
    "boarders": (
        jug(3, "boarders", "boarders", "boarders", captain=("meleer",)), jug(2, "boarders", "fang"), {}, {},
    ),
    "topple and cut": (
        jug(3, "size 2 scythe", "lever"), jug(3, "battering ram", "gears", "scythe", captain=("balance",)), {}, {},
    ),
    "crews": (jug(2, "demon eye", "wizard"), jug(2, "size 2 tongue"), {"distance": 2}, {}),
    "sides": (
        jug(2, "wheel spikes", "wheel spikes", captain=("meleer",)), jug(2, "shield arm", "wheel spikes"),
        {"a_arc": 1, "b_arc": 4, "max_turns": 5}, {},
    ),
    "legs": (
        jug(3, "legs", "saw arm", "gears"), jug(2, "mace arm", "legs", captain=("evasion", "damage control")), {}, {},
    ),
    "repairs": (
        jug(1, "slingshot", captain=("mechanic",)), jug(2, "catapult", "acid spitter"),
        {"distance": 9, "max_turns": 5}, {},
    ),
    "house rules of grabs": (
        jug(2, "claw arm", "jaws"), jug(1, "jaws", captain=("evasion",)), {"max_turns": 3},
        {"grab_damage": "attack", "evasion": "declared", "break_roll": "weapon", "strategic_roll": True},
    ),
    "house rules of dice": (
        jug(2, "flail", "cauldron"), jug(2, "saw arm", "mace arm", captain=("damage control",)), {"max_turns": 4},
        {"to_hit": "at_least", "critical_every": 7, "cauldron_reroll": True, "control_divides": 3,
         "oversize": "more_dice", "critical_attacker": 2, "critical_defender": 5},
    ),
}  # fmt: skip


def standing(name: str) -> Iterator[Standing]:
    """Yield both jugs of a pair."""
    a, b, scenario, house = PAIRS[name]
    battle, rules = duel(a, b, **scenario), Rules(**house)
    assert complaints(battle, rules) == []
    setup = compile_battle(battle, rules)
    stage = Stage(setup, False)
    for side, design in enumerate((battle.sides.a.design, battle.sides.b.design)):
        yield Standing(stage, side, design, Chances(rules), int(setup.jugs[side].captain))  # type: ignore[arg-type]


def test_the_pairs_use_everything_that_a_standing_jug_can_have() -> None:
    jugs = [one for name in PAIRS for one in standing(name)]
    assert {gun.special for one in jugs for gun in one.guns} == set(Special)
    assert any(one.ropes for one in jugs)
    assert any(not gun.is_weapon for one in jugs for gun in one.guns)
    aboard = {ability for one in jugs for ability in Ability if one.has(ability)}
    assert set(Ability) - aboard == {Ability.SPEED, Ability.CORNERING, Ability.LUCK}


def hold_equal(jugger: Any, name: str, games: int, key: Key) -> None:
    """Compare every column of a duel over pairs of games; rare events by their binomial tail."""
    a, b, scenario, house = PAIRS[name]
    exact, units = values(a, b, house, **scenario), games // 2
    setups = Setup.array(1)
    setups[0] = compile_battle(duel(a, b, **scenario), Rules(**house))
    out = np.zeros((1, 256, COLUMNS, 4), np.int64)
    jugger.play_block(setups, jugger.new_state(), key, 0, units, out)
    sums, squares = out[0, :, :, 0].sum(axis=0).tolist(), out[0, :, :, 1].sum(axis=0).tolist()
    for metric, total, square in zip(OUTCOMES, sums, squares, strict=True):
        expected = exact[metric.name] * metric.scale * jugger.GAMES_A_UNIT
        variance = square / units - (total / units) ** 2
        if variance == 0 or (metric.kind == "share" and expected * units < FEW):
            rare = min(1.0, abs(expected - round(total / units)) / jugger.GAMES_A_UNIT)
            seen = abs(total - round(total / units) * units)
            tail = stats.binom.sf(seen - 1, games, rare) if seen else stats.binom.cdf(0, games, rare)
            assert tail > FALSE_ALARM, metric.name
        else:
            z = (total - units * expected) / (units * variance) ** 0.5
            assert 2 * stats.norm.sf(abs(z)) > FALSE_ALARM, (metric.name, z)


@pytest.mark.parametrize("name", PAIRS)
def test_a_million_battles_show_a_bias_of_three_tenths_of_a_point(jugger: Any, name: str) -> None:
    """Kernel against exact, every column of the outcome, at a false alarm rate of one in a million.

    At a share of 0.5 a bias of 0.31 percentage points is found with a power of 90 % where both battles of a unit fall
    independently (4.89 + 1.28 standard errors of 0.05 points).
    """
    hold_equal(jugger, name, 1_000_000, make_key(20_240_229))


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_ten_million_fresh_battles_show_a_bias_of_a_tenth_of_a_point(jugger: Any, name: str) -> None:
    """The same on dice of today, where 0.1 percentage points at a share of 0.5 are found with a power of 90 %."""
    hold_equal(jugger, name, 10_000_000, make_key(date.today().toordinal()))


# What must be so


def test_shares_add_up_and_equal_sides_are_equal() -> None:
    found = solved(jug(2, "claw arm", "saw arm"), jug(2, "claw arm", "saw arm"), max_turns=6)
    share = {name: float(value) for name, value in found.metrics.items()}  # type: ignore[arg-type]
    assert share["win_a"] + share["win_b"] + share["draw"] == pytest.approx(1, abs=found.error)
    assert sum(value for name, value in share.items() if name.startswith("cause_")) == pytest.approx(1, abs=found.error)
    for name in ("win", "hits", "lost", "criticals", "weapons", "hold"):
        assert share[f"{name}_a"] == pytest.approx(share[f"{name}_b"], rel=1e-12), name
    assert share["score_a"] == pytest.approx(0.5, rel=1e-12)
    assert share["draw"] == pytest.approx(share["draw_both"] + share["draw_cap"], rel=1e-12)
    assert share["win_first"] < share["win_seat_0"]  # who moves second may break free of a hold of this turn


def test_sides_can_change_places() -> None:
    a, b = jug(2, "flail", "boarders"), jug(3, "lever", "gears", "mace arm", captain=("meleer",))
    one, other = values(a, b, a_arc=5, max_turns=6), values(b, a, b_arc=5, max_turns=6)
    for name, value in one.items():
        twin = name[:-1] + {"a": "b", "b": "a"}[name[-1]] if name[-2:] in ("_a", "_b") and name != "score_a" else name
        right = 1 - other["score_a"] if name == "score_a" else other[twin]
        assert value == pytest.approx(right, rel=1e-12), name


def test_initiative_by_jug_is_initiative_by_side_in_a_duel() -> None:
    a, b = jug(1, "claw arm"), jug(1, "jaws", captain=("tactics",))
    assert values(a, b, {"initiative": "jug"}, max_turns=6) == values(a, b, {"initiative": "side"}, max_turns=6)


def test_captains_by_lot_are_the_mean_of_all() -> None:
    """Ten abilities, of which three do not count for who stands still (J-CAP-1)."""
    a, b = jug(1, "saw arm", captain=("speed",)), jug(1, "fang")
    drawn = values(a, b, {"captains": "random"})["win_a"]
    each = [values(a, b | {"captain": [ability]})["win_a"] for ability in captains()["abilities"]]
    assert drawn == pytest.approx(sum(each) / 10, rel=1e-12)
    assert len({round(value, 12) for value in each}) == 5  # four of them help it, each in its way


def test_the_defender_wins_when_time_is_up() -> None:
    a, b = jug(1, "saw arm"), jug(1, "gears")
    capped = values(a, b, max_turns=6)
    held = values(a, b, victory={"delay": 6, "defender": "b"})
    assert held["win_b"] == held["cause_objective"] == capped["draw_cap"] == capped["cause_cap"] > 0
    assert held["win_a"] == capped["win_a"] > 0


def test_a_hundred_turns_of_nothing() -> None:
    found = values(jug(1, "gears"), jug(2, "armor", "lever"), max_turns=100, b_arc=3)
    assert (found["draw_cap"], found["turns"], found["hits_a"], found["hits_b"]) == (1, 100, 20, 60)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (jug(4, "mace arm", "gears", "mace arm", "brakes"), jug(3, "saw arm", "saw arm", "saw arm")),
        (jug(4, "boarders", "gears", "boarders", "boarders"), jug(3, "flail", "armor", "saw arm")),
        (jug(4, "ballista", "gears", "winch", "ballista"), jug(3, "legs", "ballista", "gears")),
    ],
)
def test_what_no_rule_can_tell_apart_makes_no_difference(monkeypatch: pytest.MonkeyPatch, a: Any, b: Any) -> None:
    """The same values without putting equal situations together."""
    short = solved(a, b, {"critical_every": 8}, max_turns=5)
    monkeypatch.setattr(Standing, "tidied", lambda self, arms: arms)
    whole = solved(a, b, {"critical_every": 8}, max_turns=5)
    assert whole.states > short.states
    for name, value in short.metrics.items():
        assert float(whole.metrics[name]) == pytest.approx(float(value), rel=1e-12, abs=1e-15), name  # type: ignore[arg-type]


def test_arms_that_are_left() -> None:
    """What a critical roll costs (J-DMG-3, J-DMG-9): the hold of a weapon ends with it, its fire burns on."""
    one, _ = standing("grabs")
    held = one.fresh._replace(holding=0b11)
    costs = {left: chance for chance, left in one.losses(held, 1)}
    assert costs == {
        held: 2 / 3,
        held._replace(lost=0b10, holding=0b01): 1 / 6,  # the attacker takes the jaws
        held._replace(lost=0b01, holding=0b10): 1 / 6,
    }
    assert one.without(held._replace(lost=0b10, holding=0b01), 0) == Arms(0b11)


# What is refused


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"policy": "greedy"}, "side a is played by greedy"),
        ({"sides": {"a": {"design": "archer", "count": 2}, "b": {"design": "axer"}}}, "side a has 2 jugs"),
        ({"scenario": {"victory": {"occupy": [0, 0]}}}, "an aim besides destruction and delay"),
        ({"scenario": {"distance": 1}, "sides": {"a": {"design": "crusher"}, "b": {"design": "hydra"}}}, "more than"),
    ],
)
def test_what_has_no_exact_solution(changes: dict[str, Any], why: str) -> None:
    battle = {"sides": {"a": {"design": "archer"}, "b": {"design": "axer"}}, "policy": "hold", **changes}
    found = solve(Scenario.model_validate(battle), Rules())
    assert why in found.why
    assert (found.metrics, found.states) == ({}, 0)


def test_the_limits_are_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = duel(jug(2, "claw arm", "jaws"), jug(2, "slingshot", "mirror", captain=("mechanic",)))
    for limit, module in (("MOST_SITUATIONS", standoff), ("MOST_STEPS", standoff)):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, 1000)
            patch.setattr("simkit.games.jugger.exact.MOST_STEPS", standoff.MOST_STEPS)
            assert "more than 1,000 situations" in solve(battle, Rules()).why
    monkeypatch.setattr("simkit.games.jugger.volley.MOST_EFFECTS", 2)
    assert "more than 2 effects" in solve(battle, Rules()).why
    monkeypatch.setattr("simkit.games.jugger.wear.MOST_CONDITIONS", 50)
    assert "more than 50 conditions" in solve(battle, Rules()).why


# On the command line

QUESTION = """
schema = 1
name = "sniper"
question = "Does the sniper beat the lobber?"
game = "jugger"
[sides.a]
design = "sniper"
[sides.b]
design = "lobber"
[scenario]
distance = 10
[run]
policy = "POLICY"
"""


def test_exact_on_the_command_line(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A duel in which both hold is solved, any other is refused."""
    monkeypatch.setenv("COLUMNS", "140")
    file = tmp_path / "sniper.toml"
    file.write_text(QUESTION.replace("POLICY", "hold"))
    document = json.loads(ran(capsys, "exact", file, "--json").out)
    assert document["cells"][0]["metrics"]["win_a"]["estimate"] == pytest.approx(CASES["H18"]["values"]["p_win_a"])
    assert "50.3762" in ran(capsys, "exact", file).out
    file.write_text(QUESTION.replace("POLICY", "greedy"))
    assert "has no exact solution" in said(capsys, "exact", file)
