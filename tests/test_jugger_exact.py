"""Jugger solved instead of played: published values, worked examples, the kernel's counts, and what is refused."""

import json
import re
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from simkit.core.rng import make_key
from simkit.games.jugger import standoff
from simkit.games.jugger.battle import ROUNDS
from simkit.games.jugger.chances import Chances
from simkit.games.jugger.compile import compile as compile_battle
from simkit.games.jugger.designs import captains, find
from simkit.games.jugger.events import attack
from simkit.games.jugger.exact import solve, solve_within
from simkit.games.jugger.kinds import Ability, Special
from simkit.games.jugger.outcomes import OUTCOMES
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario
from simkit.games.jugger.standing import Arms, Stage, Standing
from simkit.games.jugger.standoff import Standoff
from tests.commandline import ODDS, ran, said
from tests.jugger_standoffs import PAIRS, duel, hold_equal, jug, solved, standing, values

FILE = json.loads((Path(__file__).parent / "cases" / "jugger.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in FILE["cases"]}
DUELS = [name for name, case in CASES.items() if case["kind"] == "hold-duel"]
SHARES = ("win_a", "win_b", "draw_both", "draw_cap")


@pytest.fixture(scope="module", autouse=True)
def jugger() -> Any:
    """Return the game of Jugger with its kernels compiled or loaded."""
    from simkit.games.jugger import game

    game.ready()
    return game


# Published values


@pytest.mark.parametrize("name", DUELS)
def test_public_duels(name: str) -> None:
    """Every value of the file within a millionth of a millionth, and within the bound that the solution states."""
    battle, right = _case(name)
    found = solve(battle, Rules())
    assert found.error < 2e-11
    for metric in SHARES:
        assert float(found.metrics[metric]) == pytest.approx(right[metric], rel=0, abs=1e-12), metric  # type: ignore[arg-type]
        assert abs(float(found.metrics[metric]) - right[metric]) <= found.error, metric  # type: ignore[arg-type]
    assert float(found.metrics["turns"]) == pytest.approx(right["turns"], rel=1e-12)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", DUELS)
def test_public_duels_as_battles_show_them(jugger: Any, name: str) -> None:
    """The kernel against the file itself, whatever the solution says."""
    battle, right = _case(name)
    hold_equal(jugger, battle, Rules(), right, 200_000, make_key(20_261_130))


@pytest.mark.slow
@pytest.mark.parametrize("name", DUELS)
def test_public_duels_as_ten_million_fresh_battles_show_them(jugger: Any, name: str) -> None:
    battle, right = _case(name)
    hold_equal(jugger, battle, Rules(), right, 10_000_000, make_key(date.today().toordinal()))


def _case(name: str) -> tuple[Scenario, dict[str, float]]:
    """Return a duel of the file and the right values of its metrics."""
    inputs, right = CASES[name]["inputs"], CASES[name]["values"]
    designs = map(_design, (inputs["a"], inputs["b"]))
    battle = duel(*designs, distance=inputs["distance"], max_turns=inputs["cap"])
    return battle, {metric: right[f"p_{metric}"] for metric in SHARES} | {"turns": right["mean_turns"]}


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


def test_damage_control_divides_by_what_the_rules_say() -> None:
    """J-CAP-2, J-CAP-4: a mace arm hits with 1/2 for 7; half of the hits are divided: by 3 they leave a mean of 2."""
    a, b = jug(1, "mace arm"), jug(1, "gears", captain=("damage control",))
    for divides, left in ((1, 7), (2, Fraction(13, 4)), (3, 2), (13, 0)):
        found = values(a, b, {"control_divides": divides, "hits_per_size": 40}, max_turns=1)
        assert found["weapons_a"] == pytest.approx(float((7 + left) / Fraction(4)), rel=1e-12), divides
        assert found["hits_b"] == pytest.approx(40 - found["weapons_a"], rel=1e-12)


def test_who_wins_by_a_rope_burns_on() -> None:
    """J-END-1: a rope topples in part 1, fires burn in part 3, and only then the battle may be over.

    Two turns; b has two hits. Its rope is thrown in turn 1 and holds (2/3 x 1/3), and topples in turn 2 (1/6): 1/27.
    A fire burns it in both turns where it is lit in turn 1 and lasts or is lit again: 1/2 x (5/6 + 1/6 x 1/2) = 11/24.
    """
    house = {"hits_per_size": 1, "armor_hits": 100}
    found = values(jug(2, "fire pump", "armor"), jug(2, "ballista", "winch"), house, max_turns=2)
    assert found["draw_both"] == pytest.approx(1 / 27 * 11 / 24, rel=1e-12)
    assert found["cause_toppled"] == pytest.approx(2 / 3 / 6 + 1 / 3 * 2 / 3 / 6 + 1 / 27 * 13 / 24, rel=1e-12)
    assert found["cause_destroyed"] == pytest.approx(found["win_a"] + found["draw_both"], rel=1e-12)


def _tie(rules: Rules, bonus: int) -> float:
    """Return the chance of a tie for initiative where one side has a bonus."""
    rolls = Chances(rules).rolls("initiative_dice")
    return float(sum(p * q for a, p in rolls for b, q in rolls if a + bonus == b))


@pytest.mark.parametrize(("dice", "bonus"), [("1d10", 0), ("1d10", 1), ("1d2", 0), ("1d2", 1)])
def test_ties_for_initiative_beyond_the_ninth_make_little_difference(
    monkeypatch: pytest.MonkeyPatch, dice: str, bonus: int
) -> None:
    """J-INI-1: the kernel lets seat 0 move first after nine ties; over n turns a share differs by n t^9 at most.

    For D10 that is 6e-8 over the 60 turns of the public duels, 2,600 times less than a standard error at 10^7 battles.
    """
    rules = {"initiative_dice": dice, "tactics_bonus": bonus}
    a, b = jug(1, "claw arm", captain=("tactics",)), jug(1, "saw arm")
    rare = _tie(Rules(**rules), bonus) ** ROUNDS  # type: ignore[arg-type]
    endless = values(a, b, rules, max_turns=6)
    plain = Standoff.ahead
    monkeypatch.setattr(Standoff, "ahead", lambda self, turn: plain(self, turn) * (1 - Fraction(rare)) + Fraction(rare))
    nine = values(a, b, rules, max_turns=6)
    assert 60 * _tie(Rules(), 0) ** ROUNDS == pytest.approx(6e-8)
    assert abs(nine["win_first"] - endless["win_first"]) <= 7 * rare
    for name in (*SHARES, "cause_destroyed"):
        assert 0 <= abs(nine[name] - endless[name]) <= 6 * rare, name
    assert (abs(nine["win_a"] - endless["win_a"]) > 1e-6) == (dice == "1d2" and bonus == 0)


def test_work_is_counted_in_steps_that_are_always_the_same() -> None:
    a, b, scenario, house = PAIRS["grabs"]
    battle, rules = duel(a, b, **scenario), Rules(**house)
    found, steps = solve_within(battle, rules)
    assert (found, steps) == solve_within(battle, rules)
    assert found == solve(battle, rules) == solve_within(battle, rules, steps)[0]
    short, spent = solve_within(battle, rules, steps - 1)
    assert short.why == f"its solution takes more than {steps - 1:,} steps"
    assert (short.metrics, spent >= steps) == ({}, True)
    assert (
        solve_within(Scenario.model_validate({**battle.model_dump(exclude_unset=True), "policy": "greedy"}), rules)[1]
        == 0
    )


# The kernel's counts

FIRST = 3
"""Pairings that the fast tests play; ``make thorough`` plays the others."""


def test_the_pairs_use_everything_that_a_standing_jug_can_have() -> None:
    jugs = [one for name in PAIRS for one in standing(name)]
    assert {gun.special for one in jugs for gun in one.guns} == set(Special)
    assert any(one.ropes for one in jugs)
    assert any(not gun.is_weapon for one in jugs for gun in one.guns)
    aboard = {ability for one in jugs for ability in Ability if one.has(ability)}
    assert set(Ability) - aboard == {Ability.SPEED, Ability.CORNERING, Ability.LUCK}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] if k >= FIRST else []) for k, name in enumerate(PAIRS)]
)
def test_a_million_battles_show_a_bias_of_three_tenths_of_a_point(jugger: Any, name: str) -> None:
    """Kernel against exact, every column of the outcome, at a false alarm rate of one in a million.

    At a share of 0.5 a bias of 0.31 percentage points is found with a power of 90 % where both battles of a unit fall
    independently (4.89 + 1.28 standard errors of 0.05 points).
    """
    _agree(jugger, name, 1_000_000, 20_240_229)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_ten_million_fresh_battles_show_a_bias_of_a_tenth_of_a_point(jugger: Any, name: str) -> None:
    """The same on dice of today, where 0.1 percentage points at a share of 0.5 are found with a power of 90 %."""
    _agree(jugger, name, 10_000_000, date.today().toordinal())


def _agree(jugger: Any, name: str, games: int, seed: int) -> None:
    a, b, scenario, house = PAIRS[name]
    right = values(a, b, house, **scenario)
    assert set(right) == {metric.name for metric in OUTCOMES}
    hold_equal(jugger, duel(a, b, **scenario), Rules(**house), right, games, make_key(seed))


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
    (cell,) = json.loads(ran(capsys, "exact", file, "--json").out)["cells"]
    assert cell["metrics"]["win_a"]["estimate"] == pytest.approx(CASES["H18"]["values"]["p_win_a"])
    assert cell["solved"] == {"error": pytest.approx(6e-12, rel=0.9), "why": ""}
    shown = ran(capsys, "exact", file).out
    assert "50.3762" in shown
    bound = re.search(r"instead of fractions: no share is off by more than (\S+)\.\n", shown)
    assert bound and cell["solved"]["error"] <= float(bound[1]) < 1.2 * cell["solved"]["error"]
    assert re.search(r"win_a +rounded +50.3762 %", shown)
    file.write_text(QUESTION.replace("POLICY", "greedy"))
    why = "has no exact solution: side a is played by greedy; solved are duels in which both sides hold"
    assert why in " ".join(said(capsys, "exact", file).split())


def test_an_overview_tells_the_greatest_error(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    file = tmp_path / "sniper.toml"
    axes = '[sweep.axes]\n"scenario.distance" = [9, 10]\n[compare.baseline]\n"scenario.distance" = 10\n'
    file.write_text(QUESTION.replace("POLICY", "hold") + axes)
    cells = json.loads(ran(capsys, "exact", file, "--json").out)["cells"]
    greatest = max(cell["solved"]["error"] for cell in cells)
    shown = ran(capsys, "exact", file).out
    bound = re.search(r"no share is off by more than (\S+)\.\n", shown)
    assert bound and greatest <= float(bound[1]) < 1.2 * greatest
    assert len(re.findall("rounded  ", shown)) == 2


def test_what_is_solved_in_fractions_has_no_error(capsys: Any) -> None:
    shown = ran(capsys, "exact", ODDS).out
    assert "rounded" not in shown and "off by" not in shown
