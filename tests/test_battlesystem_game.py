"""Battlesystem as a game: its words, its axes, what a fight rests on, and what its reports say."""

import doctest
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit.core.rng import make_key
from simkit.games import protocol
from simkit.games.battlesystem import assumptions, game, outcomes, presets, story, vocabulary
from simkit.games.battlesystem.assumptions import REASONS, relevant, rulings
from simkit.games.battlesystem.legality import complaints
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario
from simkit.lab import plan as planning
from simkit.lab.problems import ProblemError
from simkit.lab.schema import experiment_schema
from simkit.report.page import html, markdown

Fields = dict[str, Any]
ORCS: Fields = {"design": "orcs"}
PIKES: Fields = {"design": "pikemen", "figures": 18, "ranks": 3, "policy": "set"}
ARCHERS: Fields = {"design": "archers", "policy": "hold"}
KNIGHTS: Fields = {"design": "heavy-cavalry", "policy": "charge"}
CHARIOTS: Fields = {"design": "two-horse-chariots", "policy": "charge"}
WOODS: Fields = {"lane": {"ground": [{"from": 8, "to": 12, "kind": "woods"}]}}


def fight(a: Fields, b: Fields, **battle: Any) -> Scenario:
    """Return a fight of one unit a side."""
    return Scenario.model_validate({"sides": {"a": a, "b": b}, "scenario": battle})


def question(**tables: Any) -> Fields:
    """Return the tables of a small experiment."""
    return {
        "schema": 1,
        "name": "fight",
        "question": "Who wins?",
        "game": "battlesystem",
        "run": {"trials": 2000},
        "sides": {"a": ORCS, "b": ORCS},
        "scenario": {"in_contact": True},
        "report": {"metric": "win_a", "target": 0.5},
    } | tables


@pytest.mark.parametrize("module", [assumptions, presets, story, vocabulary], ids=lambda module: module.__name__)
def test_examples(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


# Outcomes


def test_outcomes_are_those_of_the_engine() -> None:
    from simkit.games.battlesystem.records import Outcome

    assert tuple(metric.name for metric in game.OUTCOMES) == Outcome._fields
    assert set(game.FIGHT.ends) == {"win_a", "win_b", "mutual", "cap"}
    assert game.FIGHT.contested == ()  # no seats are swapped, so there is no edge to judge


def test_every_fight_has_one_end_and_rounds_have_a_limit() -> None:
    game.ready()
    setup = game.compile(fight(ORCS, ORCS, in_contact=True, max_rounds=4), Rules())
    rows = np.zeros((400, len(game.OUTCOMES)), np.int64)
    game.play_rows(setup, game.new_state(), make_key(3), 0, 400, rows)
    found = {metric.name: column for metric, column in zip(game.OUTCOMES, rows.T, strict=True)}
    assert (sum(found[name] for name in game.FIGHT.ends) == 1).all()
    assert found["rounds"].max() <= 4 and found["mutual"].sum() > 0 and found["cap"].sum() > 0
    gone = (found["figures_a"] == 0) & (found["figures_b"] == 0)
    assert (gone == (found["mutual"] == 1)).all()


def test_the_luckiest_fight_is_won_with_most_left() -> None:
    names = [metric.name for metric in game.OUTCOMES]

    def outcome(**values: int) -> list[int]:
        return [values.get(name, 0) for name in names]

    ranked = [
        outcome(win_b=1, figures_b=9, rounds=2),
        outcome(win_b=1, figures_b=9, rounds=5),
        outcome(mutual=1, rounds=5),
        outcome(win_a=1, figures_a=3, rounds=5),
        outcome(win_a=1, figures_a=3, rounds=2),
        outcome(win_a=1, figures_a=9, rounds=5),
    ]
    assert sorted(ranked, key=outcomes.fortune) == ranked


# Words


def test_a_fight_told() -> None:
    one = fight(PIKES, KNIGHTS, **WOODS, start={"a": "set"}, contact_b="flank", max_rounds=12)
    assert story.describe(one) == "18 Pikemen against 12 Heavy cavalry, 24 inches apart, woods from 8 to 12"
    assert story.story(one) == (
        "18 Pikemen (3 ranks of 6, closed) fight 12 Heavy cavalry (2 ranks of 6, closed) on a lane of 24 inches with "
        "woods from 8 to 12. B strikes A on the flank. At the start A has set its spears. A stands and sets its spears "
        "or pikes whenever it may; B charges as soon as a charge is legal."
    )
    several = {"units": [{"design": "ogres", "formation": "mob", "figures": 1}, {"design": "elves", "reserve": True}]}
    told = story.story(fight(several, ORCS, in_contact=True))
    assert told.startswith("1 Ogres (1 rank of 1, a mob) and 12 Elves (2 ranks of 6, closed, in reserve) fight 12 Orcs")
    assert "where their fronts touch" in told and told.endswith("Each side moves ahead, into contact.")


def test_a_side_may_have_a_title() -> None:
    one = fight(ORCS | {"title": "The horde"}, ORCS, lane={"points": [{"at": 6, "kind": "ditch"}]})
    assert story.describe(one) == "The horde against 12 Orcs, 24 inches apart, a stream or ditch at 6"


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("sides", {"a": ORCS, "b": ARCHERS | {"title": "Bows"}}, "12 Orcs against Bows"),
        ("sides.a", PIKES, "18 Pikemen"),
        ("sides.b.units", [{"design": "orcs", "figures": 4}, {"design": "mine"}], "4 Orcs, 12 mine"),
        ("sides.a.design", {"rider": "orcs", "mount": "worg"}, "cavalry"),
        ("sides.b.policy", "wall_advance", "advance in a wall"),
        ("sides.b.policy", "charge", None),
        ("scenario.lane", {"length": 12}, "clear"),
        ("scenario.lane.ground", [{"from": 0, "to": 6, "kind": "rough", "height": 20}], "rough 20 feet up from 0 to 6"),
        ("scenario.lane.points", [{"at": "7/2", "kind": "barrier"}], "a wall or fence at 3.5"),
        ("scenario.lane.length", 12, None),
        ("set_first_strike", "always", "set spears always strike first"),
        ("carry_wounds", False, "wounds close after each phase"),
        ("designs.mine.mount", "heavy-warhorse", "heavy warhorse"),
        ("sides.a.figures", 12, None),
    ],
)
def test_values_have_words(path: str, value: Any, said: str | None) -> None:
    assert vocabulary.label(path, value) == said


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"sides.a.units": [ORCS]}, {"units": [ORCS]}),
        ({"sides.a.files": 4}, {"design": "pikemen", "figures": 18, "files": 4, "policy": "set"}),
        ({"sides.a.ranks": 2}, PIKES | {"ranks": 2}),
    ],
)
def test_a_value_replaces_what_says_the_same(change: Fields, wanted: Fields) -> None:
    varied = vocabulary.vary({"sides": {"a": PIKES, "b": ORCS}}, change)
    kept = {} if "units" not in wanted else {"policy": "set"}
    assert varied["sides"]["a"] == wanted | kept


def test_a_lane_has_one_length() -> None:
    data = {"sides": {"a": ORCS, "b": ORCS}, "scenario": {"lane": {"length": 30}}}
    by_distance = vocabulary.vary(data, {"scenario.distance": 9})
    assert by_distance["scenario"] == {"lane": {}, "distance": 9}
    assert vocabulary.vary(by_distance, {"scenario.lane.length": 12})["scenario"] == {"lane": {"length": 12}}
    assert vocabulary.vary(by_distance, {"scenario.in_contact": True})["scenario"] == {"lane": {}, "in_contact": True}
    made = vocabulary.vary({"sides": {"a": ORCS, "b": ORCS}}, {"scenario.start.a": "set", "scenario.lane.length": 6})
    assert made["scenario"] == {"start": {"a": "set"}, "lane": {"length": 6}}
    with pytest.raises(KeyError, match="'c' is not there; there is: a, b"):
        vocabulary.vary(data, {"sides.c.design": "orcs"})


def test_units_of_a_list_are_counted_from_1() -> None:
    data = {"sides": {"a": {"units": [ORCS, ORCS | {"files": 3}]}, "b": ORCS}}
    units = vocabulary.vary(data, {"sides.a.units.2.ranks": 4})["sides"]["a"]["units"]
    assert units == [ORCS, {"design": "orcs", "ranks": 4}]
    assert vocabulary.axis_title("sides.a.units.2.ranks") == "ranks of A 2"


# Ranks


def test_ranks_take_the_place_of_files() -> None:
    """B-LAN-4: figures and ranks give the files, the last rank is what is left over."""
    assert [fight(ORCS | {"figures": 24, "ranks": n}, ORCS).sides.a.every_unit[0].abreast for n in (1, 2, 5, 24)] == [
        24, 12, 5, 1,
    ]  # fmt: skip
    (deep,) = complaints(fight(ORCS | {"figures": 4, "ranks": 5}, ORCS), Rules())
    assert (deep.path, deep.message, deep.id) == (("sides", "a", "ranks"), "5 ranks of 4 figures", "B-LAN-4")
    both = question(sides={"a": ORCS | {"files": 6, "ranks": 2}, "b": {"units": [ORCS | {"files": 6, "ranks": 2}]}})
    with pytest.raises(ProblemError) as caught:
        simkit.check(both)
    assert [problem.message for problem in caught.value.problems] == ["files and ranks say the same thing"] * 2


# What a fight rests on


def test_every_ruling_and_assumed_value_has_its_reason() -> None:
    assert list(REASONS) == list(rulings())
    assert all(reason.words[0].islower() and not reason.words.endswith(".") for reason in REASONS.values())


RESTS = [
    ("chariots", fight(CHARIOTS, ORCS), {"chariot_width"}, {"cavalry_depth", "chariot_depth", "set_first_strike"}),
    ("pikes", fight(PIKES, KNIGHTS), {"set_first_strike", "first_strike_morale", "charge_least"}, {"chariot_width"}),
    (
        "bows",
        fight(ARCHERS, ORCS, **WOODS),
        {"cover_woods", "terrain_stack"},
        {"cover_obstacle", "short_bow", "hd_plus"},
    ),
    ("stuck", fight(ORCS, ORCS, in_contact=True), {"crt", "checks"}, {"walk_in", "initiative_dice", "reform"}),
    ("flank", fight(ORCS, KNIGHTS, contact="flank"), {"flank_bonus", "cavalry_depth"}, {"rear_bonus", "chariot_depth"}),
]


@pytest.mark.parametrize(
    ("scenario", "listed", "not_listed"), [row[1:] for row in RESTS], ids=[row[0] for row in RESTS]
)
def test_what_a_fight_rests_on(scenario: Scenario, listed: set[str], not_listed: set[str]) -> None:
    found = relevant(scenario, Rules())
    assert listed <= set(found) and not not_listed & set(found)
    assert found == [path for path in REASONS if path in found]


OTHER: Fields = {
    "hd_plus": "drop", "chariot_width": "2", "cavalry_depth": "3", "chariot_depth": "3", "spacing_open": "2",
    "spacing_skirmish": "3", "frontage": "figures", "turn_to_face": True, "crt_zero_at": 26, "crt_clamp_top": 9,
    "flank_bonus": 5, "rear_bonus": 6, "carry_wounds": False, "charge_move": "1", "charge_least": 5, "walk_in": False,
    "short_bow": [2, 4, 6], "long_bow": [2, 4, 6], "crossbow": [2, 4, 6], "cover_woods": 6, "cover_obstacle": 8,
    "set_first_strike": "always", "first_strike_morale": "between", "declaration_lasts": "round_end",
    "terrain_stack": "multiply", "turn_move": "1/2", "reform_move": "1/4", "reform": False, "ford_cost": "2/3",
    "initiative_dice": "1d10", "morale_dice": "1d20", "checks": "each", "max_rounds": 3,
}  # fmt: skip
"""Another value of every ruling and assumed value but the pasted table."""


def changes(scenario: Scenario, path: str) -> bool:
    """Tell whether some of forty fights ends otherwise under another value of a rule."""
    rows = []
    for rules in (Rules(), Rules.model_validate(Rules().model_dump() | {path: OTHER[path]})):
        rows.append(np.zeros((40, len(game.OUTCOMES)), np.int64))
        game.play_rows(game.compile(scenario, rules), game.new_state(), make_key(5), 0, 40, rows[-1])
    return bool((rows[0] != rows[1]).any())


@pytest.mark.slow
@pytest.mark.parametrize("scenario", [row[1] for row in RESTS], ids=[row[0] for row in RESTS])
def test_what_is_not_listed_changes_nothing(scenario: Scenario) -> None:
    game.ready()
    assert set(OTHER) == set(REASONS) - {"crt"}
    unlisted = [path for path in OTHER if path not in relevant(scenario, Rules())]
    assert [path for path in unlisted if changes(scenario, path)] == []


def test_presets_say_what_a_figure_is() -> None:
    rows = {row["design"]: row for row in game.presets()}
    assert len(rows) == 22
    assert rows["four-horse-chariots"] | {"AR": 17, "AC": 4, "HD": "3", "MV": "18"} == rows["four-horse-chariots"]
    assert rows["ogres"]["stands for"] == 5 and rows["men-at-arms"]["arms"] == "large shields"


# The protocol


def test_who_decides_where_nobody_is_named() -> None:
    wanted = {"battlesystem": "advance", "jugger": "greedy", "juggerball": "greedy"}
    wanted |= {"pigtable": "straight", "pigtickler": "greedy"}
    assert {name: protocol.default_policy(protocol.load(name)) for name in protocol.find()} == wanted
    plan = simkit.check(question())
    assert plan.cells[0].scenario.policy == "advance"
    assert planning.make(question(run={"trials": 2000, "policy": "hold"})).cells[0].scenario.policy == "hold"


def test_orders_are_no_ladder_of_skill() -> None:
    assert not protocol.is_ladder(protocol.load("battlesystem")) and protocol.is_ladder(protocol.load("jugger"))


def test_definitions_of_games_have_names_of_their_own() -> None:
    schema = experiment_schema()
    assert {"battlesystem_Unit", "jugger_Unit", "battlesystem_Side", "jugger_Side"} <= set(schema["$defs"])
    both = schema["properties"]["sides"]["anyOf"]
    assert {one["title"]: one["$ref"] for one in both} == {
        "Battlesystem": "#/$defs/battlesystem_Sides",
        "Jugger": "#/$defs/jugger_Sides",
        "Juggerball": "#/$defs/juggerball_Sides",
    }
    text = repr(schema)
    used = {part.split("'")[0] for part in text.split("'#/$defs/")[1:]}
    assert used <= set(schema["$defs"])


def test_a_report_waits_for_small_solutions_alone() -> None:
    small = fight(ORCS | {"figures": 2}, ORCS | {"figures": 2}, in_contact=True)
    solution, steps = game.solve_within(small, Rules(), 10**9)
    assert solution.metrics["win_a"] == solution.metrics["win_b"] and steps == 3_000 * 40 * 40
    solution, steps = game.solve_within(small, Rules(), steps - 1)
    assert (solution.metrics, steps, solution.why) == ({}, 0, "its solution takes more than 4,799,999 steps")
    assert game.solve_within(fight(ORCS, ORCS), Rules(), 0)[1] == 0


def test_fights_that_move_have_no_exact_solution() -> None:
    found = game.exact(fight(ORCS, ORCS), Rules())
    assert not found.metrics and "in contact" in found.why
    with pytest.raises(ProblemError, match="no exact solution"):
        simkit.exact(question(scenario={"distance": 6}))


# Reports


def test_a_mutual_end_has_its_own_name_and_is_no_half_win(tmp_path: Path) -> None:
    tables = question(
        sides={"a": ORCS | {"formation": "open"}, "b": ORCS | {"formation": "open"}},
        sweep={"axes": {"sides.a.policy": ["advance", "wall_advance"], "sides.a.figures": [4, 5]}},
        designs={"orcs": {"ar": 19, "ac": 6, "hd": 1, "mv": 9, "damage": "1d8", "large_shields": True}},
        run={"trials": 2000, "swings": 0},
    )
    tables["sides"]["a"]["formation"] = "closed"
    tables["sides"]["b"]["figures"] = 5
    run = simkit.run(tables, out=tmp_path, jobs=1)
    cells = run.document["cells"]
    for cell in cells:
        shares = {name: cell["metrics"][name]["estimate"] for name in ("win_a", "win_b", "mutual", "cap")}
        assert sum(shares.values()) == pytest.approx(1)
        assert shares["mutual"] > 0
    page = html(run.document)
    for text in (page, markdown(run.document)):
        for word in ("a draw", "draws", "half a point", "score of A", "Score of A", "turns used up"):
            assert word not in re.sub("<style.*?</style>", "", text, flags=re.S), word
    assert "Both gone at once: " in page and "Wins of A, by" in page
    assert "skill" not in run.document["verdict"]
    assert run.answer.startswith("'win_a' (side A has won: all of side B is destroyed or routed) is ")


def test_the_trial_told_as_typical_is_one_in_the_middle(tmp_path: Path) -> None:
    few = ORCS | {"figures": 4}
    tables = question(sides={"a": few, "b": few}, run={"trials": 500, "swings": 0})
    run = simkit.run(tables, out=tmp_path, jobs=1)
    told = {replay["kind"]: replay for replay in run.document["replays"]}
    assert told["typical"]["why"] == "the middle of the first 500 trials, from the worst to the luckiest"
    assert run.replay(1, 3).splitlines()


# Duels


def test_a_duel_says_every_end_by_its_name() -> None:
    policies = {"policy": "set", "policy_b": "charge"}
    bout = simkit.duel("24xpikemen", "12xheavy-cavalry", trials=600, game="battlesystem", **policies)
    assert bout.answer.startswith("12 Heavy cavalry beat 24 Pikemen in ") and bout.answer.endswith("n = 600 battles).")
    assert "; both gone at once " in bout.answer and "draw" not in bout.answer
    assert set(bout.document["duel"]) == {"ends", "turns", "told"}
    assert sum(one["estimate"] for one in bout.document["duel"]["ends"]) == pytest.approx(1)
    assert bout.replay().startswith("Set-up")
    even = simkit.duel("orcs", "orcs", trials=400, game="battlesystem")
    assert even.answer.startswith("Not resolved: 12 Orcs A win ")


def test_a_side_of_a_duel_is_units_of_figures() -> None:
    from simkit.lab.matchup import as_force

    assert as_force("24xpikemen", "battlesystem").table == {"design": "pikemen", "figures": 24}
    assert as_force("orcs + 6xogres", "battlesystem").is_several
    for text, says in (("60xorcs", "is 60 figures; a unit has 1 to 48"), ("+".join(["orcs"] * 13), "is 13 units")):
        with pytest.raises(ValueError, match=says):
            as_force(text, "battlesystem")
