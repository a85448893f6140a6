"""The document of a run: everything a report says, as plain data that depends on the plan and its counts alone."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from simkit import stats
from simkit.balance.document import build, estimate_of, exact_document, header, metric_of
from simkit.balance.retelling import SEARCHED, lines
from simkit.balance.solved import solve_some
from simkit.balance.verdict import judge
from simkit.games.protocol import rule_fields
from simkit.lab import frame, resolve, toml
from simkit.lab import plan as planning
from simkit.lab.plan import Plan
from simkit.lab.trial import Trial
from tests.laboratory import COMPARED, COURSE, OFF, made, play, question

pytestmark = pytest.mark.usefixtures("pigtickler")

GRID = {"sweep": {"axes": {"altered_odds": [False, True], "course.turns": [1, 2]}}, "compare": {"baseline": OFF}}


def told(plan: Plan, out: Path) -> dict[str, Any]:
    """Play a plan and return its document."""
    played = play(plan, out)
    return build(plan, played.results, judge(plan, played.results))


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory, pigtickler: Any) -> tuple[Plan, dict[str, Any]]:
    report = {"target": 0.5, "fair_within": 0.01}
    plan = made(question="Is it so?", run={"trials": 20_000}, set={"dice": "1d12"}, report=report, **GRID)
    return plan, told(plan, tmp_path_factory.mktemp("out"))


def test_it_survives_json_unchanged(grid: tuple[Plan, dict[str, Any]]) -> None:
    text = json.dumps(grid[1], ensure_ascii=False, allow_nan=False)
    assert json.loads(text) == grid[1]


def test_equal_plans_have_equal_documents_whatever_their_form(tmp_path: Path) -> None:
    course = COURSE | {"steps": [{"down": 3}, *COURSE["steps"][1:]], "turns": 9}
    data = question(
        question="Is it so?", run={"trials": 2000}, set={"dice": "1d12", "wreck_at": 4}, course=course, **GRID
    )
    first = told(planning.make(data), tmp_path / "one")
    (tmp_path / "deep").mkdir()
    import tomli_w

    (tmp_path / "deep" / "other.toml").write_text("# why\n" + tomli_w.dumps(dict(reversed(data.items()))))
    second = told(planning.make(tmp_path / "deep" / "other.toml"), tmp_path / "two")
    outside = {key: value for key, value in data.items() if key not in ("set", "run")} | {
        "course": COURSE | {"turns": 9}
    }
    given = {"wreck_at": 4, "course.steps.1.down": 3, "dice": "1d12"}
    third = told(planning.make(outside, trials=2000, overrides=given), tmp_path / "three")
    assert json.dumps(first) == json.dumps(second) == json.dumps(third)


def test_the_head_says_what_was_asked(grid: tuple[Plan, dict[str, Any]]) -> None:
    plan, document = grid
    wanted = {
        "schema": 1, "name": "small", "run": plan.fingerprint, "question": "Is it so?", "game": "pigtickler",
        "title": "Pig Tickler", "version": {"game": plan.game.VERSION.number, "dice": 1}, "seed": 1, "replication": 0,
        "level": 0.99, "precision": None, "trials": 20_000, "metric": "finished", "target": 0.5, "fair_within": 0.01,
        "baseline": {"altered_odds": "standard odds"}, "house_rules": [],
    }  # fmt: skip
    assert {key: document[key] for key in wanted} == wanted
    assert [metric["name"] for metric in document["metrics"]] == [metric.name for metric in plan.game.OUTCOMES]
    assert document["axes"] == [
        {"path": "altered_odds", "title": "odds", "values": ["standard odds", "altered odds"], "numbers": None},
        {"path": "course.turns", "title": "turn limit", "values": ["1", "2"], "numbers": [1, 2]},
    ]
    (change,) = document["changes"]
    assert (change["path"], change["value"], change["default"], change["id"]) == ("dice", "1d12", "2d6", "P-MAN-2")
    assert document | header(plan) == document


def test_cells_carry_numbers_labels_and_where_they_come_from(grid: tuple[Plan, dict[str, Any]]) -> None:
    plan, document = grid
    assert [cell["cell"] for cell in document["cells"]] == [1, 2, 3, 4]
    assert [cell["baseline"] for cell in document["cells"]] == [None, None, 1, 2]
    assert document["cells"][3]["factors"] == {"altered_odds": True, "course.turns": 2}
    assert document["cells"][3]["labels"] == {"altered_odds": "altered odds", "course.turns": "2"}
    for cell, planned in zip(document["cells"], plan.cells, strict=True):
        assert (cell["hash"], cell["n"], cell["trials"], cell["stopped"]) == (
            planned.fingerprint,
            20_000,
            20_000,
            "as planned",
        )
        assert set(cell["metrics"]) >= {metric.name for metric in plan.game.OUTCOMES}
        assert ("finished_minus_baseline" in cell["metrics"]) == (cell["baseline"] is not None)
        assert cell["assumed"] == plan.game.assumed(planned.scenario, planned.rules)
        for value in cell["metrics"].values():
            assert set(value) == {"estimate", "low", "high", "level", "n", "method"}
            assert value["low"] <= value["estimate"] <= value["high"]


def test_a_list_on_an_axis_becomes_its_words(tmp_path: Path) -> None:
    steps = {"axes": {"course.steps": [[{"turn": 1}], [{"down": 1}, {"turn": 1}]], "house_rules": [[], ["soft-bogs"]]}}
    document = told(made(run={"trials": 500}, sweep=steps), tmp_path)
    assert [cell["factors"] for cell in document["cells"]] == [
        {"course.steps": course, "house_rules": rules}
        for course in ("turn 1", "down 1, turn 1")
        for rules in ("none", "soft-bogs")
    ]
    (rule,) = document["house_rules"]
    assert (rule["id"], rule["title"], rule["changes"]["bogs.swamp"]) == ("soft-bogs", "Soft bogs", -2)
    assert toml.parse(rule["text"]).data["set"]["bogs.swamp"] == {"was": -3, "now": -2}


def test_a_house_rule_shows_what_it_sets_adds_and_removes(tmp_path: Path) -> None:
    import tomli_w

    (tmp_path / "house").mkdir()
    rule = {
        "for": "pigtickler",
        "title": "Fens",
        "why": "Wet.",
        "set": {"dice": "1d12"},
        "add": {"bogs": {"fen": -2}},
        "remove": {"bogs": ["rocks"]},
    }
    (tmp_path / "house" / "fens.toml").write_text(tomli_w.dumps(rule))
    (tmp_path / "q.toml").write_text(tomli_w.dumps(question(house_rules=["fens"])))
    document = header(planning.make(tmp_path / "q.toml"))
    assert document["house_rules"][0]["changes"] == {"dice": "1d12", "bogs.fen": -2, "bogs.rocks": None}
    assert {change["path"]: change["value"] for change in document["changes"]} == {
        "dice": "1d12",
        "bogs.rocks": None,
        "bogs.fen": -2,
    }


def test_rules_list_every_value_that_some_cell_has(grid: tuple[Plan, dict[str, Any]]) -> None:
    plan, document = grid
    rows = {row["path"]: row for row in document["rules"]}
    assert list(rows) == [field.path for field in rule_fields(plan.game.Rules())]
    assert rows["altered_odds"]["values"] == [False, True] and rows["dice"]["values"] == ["1d12"]
    assert rows["wreck_at"]["values"] == [3]


def test_assumptions_are_those_of_all_cells_together(tmp_path: Path) -> None:
    axes = {"course.steps": [[{"turn": 1}], [{"up": 1}]], "uphill_reroll": [False, True]}
    document = told(
        made(run={"trials": 500}, course={"steps": [{"up": 1}], "turns": 3}, sweep={"axes": axes}), tmp_path
    )
    rows = {row["path"]: row for row in document["assumptions"]}
    assert rows["uphill_reroll"]["value"] == "varies" and rows["uphill_reroll"]["source"] == "Q"
    assert {row["source"] for row in rows.values()} <= {"Q", "B"}
    assert set(rows) == {path for cell in document["cells"] for path in cell["assumed"]}


def test_the_experiment_is_spelt_out(grid: tuple[Plan, dict[str, Any]]) -> None:
    plan, document = grid
    assert toml.parse(document["experiment"]).data == resolve.resolved(plan)
    assert planning.make(toml.parse(document["experiment"])).fingerprint == plan.fingerprint


# The exact check


def test_every_share_of_every_cell_is_held_against_its_exact_value(grid: tuple[Plan, dict[str, Any]]) -> None:
    plan, document = grid
    tails = []
    for cell, planned in zip(document["cells"], plan.cells, strict=True):
        solution = plan.game.exact(planned.scenario, planned.rules)
        assert {name: value["fraction"] for name, value in cell["exact"].items()} == {
            name: str(value) for name, value in solution.metrics.items()
        }
        for metric in plan.game.OUTCOMES:
            exact = solution.metrics[metric.name]
            assert exact is not None and cell["exact"][metric.name]["value"] == float(exact)
            if metric.kind == "share":
                seen = round(cell["metrics"][metric.name]["estimate"] * 20_000)
                tails.append(
                    (float(stats.binomial_tail(seen, 20_000, float(exact))), f"{metric.name} of cell {cell['cell']}")
                )
    check = document["check"]
    assert (check["compared"], check["smallest"], check["where"]) == (len(tails), *min(tails, key=lambda one: one[0]))
    assert check["corrected"] == min(1.0, check["smallest"] * len(tails)) > 1e-6


def test_the_check_finds_a_simulation_that_is_wrong(grid: tuple[Plan, dict[str, Any]], tmp_path: Path) -> None:
    plan = grid[0]
    wrong = play(made(run={"trials": 20_000}, **GRID), tmp_path)  # with other dice than it says
    document = build(plan, wrong.results, judge(plan, wrong.results))
    assert document["check"]["corrected"] < 1e-6


def test_a_mean_that_is_infinite_has_no_value() -> None:
    course = COURSE | {"steps": [{"up": 1}], "turns": "unlimited"}
    plan = made(course=course, set={"uphill_reroll": True, "standard_target": 13})
    (one,) = solve_some(plan)
    assert one.values["turns_used"] == {"fraction": "infinite", "value": None}
    (cell,) = exact_document(plan)["cells"]
    assert cell["metrics"]["turns_used"]["estimate"] is None and cell["metrics"]["turns_used"]["fraction"] == "infinite"


def test_too_many_cells_go_without_exact_solutions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plan = made(run={"trials": 500}, **GRID)
    monkeypatch.setattr("simkit.balance.solved.MOST_EXACT", 3)
    document = told(plan, tmp_path)
    assert document["check"] is None and all(cell["exact"] == {} for cell in document["cells"])
    why = "a report of more than 3 cells goes without exact solutions"
    assert document["unsolved"] == [{"why": why, "cells": [1, 2, 3, 4]}]
    assert [cell["solved"] for cell in document["cells"]] == [{"error": 0.0, "why": why}] * 4
    assert len(exact_document(plan)["cells"]) == 4  # whoever asks for them gets them


def test_the_exact_document_is_a_runs_document_without_a_run(grid: tuple[Plan, dict[str, Any]]) -> None:
    plan, document = grid
    solved = exact_document(plan)
    assert {key: solved[key] for key in header(plan)} == header(plan)
    assert json.loads(json.dumps(solved, allow_nan=False)) == solved
    for cell, played in zip(solved["cells"], document["cells"], strict=True):
        assert {key: cell[key] for key in ("cell", "factors", "labels", "scenario", "assumed")} == {
            key: played[key] for key in ("cell", "factors", "labels", "scenario", "assumed")
        }
        assert (cell["trials"], cell["n"]) == (0, 0)
        assert cell["solved"] == played["solved"] == {"error": 0.0, "why": ""}
        for name, value in cell["metrics"].items():
            assert value["low"] == value["high"] == value["estimate"] == float(Fraction(value["fraction"]))
            assert (value["level"], value["n"], value["method"]) == (1.0, 0, "exact")
            assert value["fraction"] == played["exact"][name]["fraction"]
    assert solved["assumptions"] == document["assumptions"]


# Replays


def test_replays_show_trials_that_end_as_they_say(grid: tuple[Plan, dict[str, Any]]) -> None:
    plan, document = grid
    widest = max(document["verdict"]["rows"], key=lambda row: abs(row["estimate"]))["cell"]
    cell = plan.cells[widest - 1]
    state = plan.game.new_state()
    seen = [tuple(plan.game.play_one(cell.setup, state, plan.key, trial)) for trial in range(SEARCHED)]
    fortunes = [plan.game.fortune(outcome) for outcome in seen]
    assert [replay["kind"] for replay in document["replays"]] == ["typical", "worst", "luckiest"]
    for replay in document["replays"]:
        assert replay["cell"] == widest
        assert replay["lines"] == lines(plan, cell, Trial(replay["trial"]))
        assert replay["lines"][-1]["kind"] == "end"
    typical, worst, luckiest = (seen[replay["trial"]] for replay in document["replays"])
    assert seen.count(typical) == max(seen.count(outcome) for outcome in set(seen))
    assert document["replays"][0]["why"] == f"the commonest outcome: {seen.count(typical):,} of 2,000 trials"
    assert plan.game.fortune(worst) == min(fortunes) and plan.game.fortune(luckiest) == max(fortunes)


def test_a_short_run_replays_only_what_it_played(tmp_path: Path) -> None:
    document = told(made(run={"trials": 3}), tmp_path)
    assert all(replay["trial"] < 3 for replay in document["replays"])
    assert "of the first 3 trials" in document["replays"][1]["why"]


# Pairing and small parts


def test_pairing_says_what_common_dice_were_worth(tmp_path: Path) -> None:
    document = told(made(run={"trials": 5000}, **COMPARED), tmp_path)
    result = play(made(run={"trials": 5000}, **COMPARED), tmp_path).results[1]
    assert result.variances is not None
    apart, together = result.variances
    assert document["pairing"] == {"comparisons": 1, "variance_ratio": pytest.approx(apart / together)}
    assert document["pairing"]["variance_ratio"] > 1.5
    axes = {"axes": {"level_every": [2, 3]}}
    nothing = made(run={"trials": 500}, sweep=axes, compare={"baseline": {"level_every": 2}})
    assert told(nothing, tmp_path)["pairing"] is None
    assert told(made(run={"trials": 500}), tmp_path)["pairing"] is None


def test_estimates_and_metrics_are_read_back(grid: tuple[Plan, dict[str, Any]]) -> None:
    plan, document = grid
    entry = document["cells"][2]["metrics"]["finished_minus_baseline"]
    assert estimate_of(entry).to_json() == entry
    assert metric_of(document, "finished_minus_baseline") == metric_of(document, "finished") == plan.game.OUTCOMES[0]


def test_a_precise_cell_says_that_it_stopped_at_a_look(tmp_path: Path) -> None:
    document = told(made(run={"precision": 0.03, "max_trials": 40_000}, **COMPARED), tmp_path)
    assert (document["precision"], document["trials"]) == (0.03, 40_000)
    assert {cell["stopped"] for cell in document["cells"]} == {"at a look"}
    assert all(cell["n"] < 40_000 for cell in document["cells"])
    few = told(made(run={"precision": 0.5, "max_trials": 400}), tmp_path / "few")
    wounds = few["cells"][0]["metrics"]["wounds"]  # none of 400 was wounded: little to say of the mean yet
    assert wounds["method"] == "rare-bound" and wounds["high"] > 0.01
    assert list(frame.frame(few)["wounds"]) == [0.0]
