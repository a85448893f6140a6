"""What drives an answer: what is varied, what is found on known questions, what is refused, and what is written."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit.balance.documents.sensitivity import SensitivityDocument
from simkit.lab import plan as planning
from simkit.lab.drivers import Span, drivers, grid, points
from simkit.lab.problems import ProblemError
from simkit.lab.variants import CannotBeError, Changed, Variants, distinct
from simkit.report import effectplot
from simkit.stats.sobol import sobol_design
from tests.commandline import ODDS, QUESTIONS, ran, said, settle

pytestmark = pytest.mark.usefixtures("pigtickler")

COURSE = {"steps": [{"bog": "swamp"}, {"turn": 1}, {"bog": "grass"}], "turns": 2}
FACTORS = {"bog_edge_reroll": [False, True], "uphill_reroll": [False, True]}


def asked(sensitivity: Any = None, **tables: Any) -> dict[str, Any]:
    """Return the tables of a question with a target, and of what drives its answer."""
    data = {
        "schema": 1,
        "name": "driven",
        "game": "pigtickler",
        "course": COURSE,
        "report": {"metric": "finished", "target": 0.5, "fair_within": 0.02},
    } | tables
    return data | ({} if sensitivity is None else {"sensitivity": sensitivity})


def found(tmp_path: Path, sensitivity: Any = None, trials: int = 4000, **more: Any) -> Any:
    tables = more.pop("tables", {})
    return simkit.sensitivity(asked(sensitivity, **tables), trials=trials, out=tmp_path, **more)


def solved(turns: int = 2, **rules: Any) -> float:
    """Return the exact share of riders that finish under some rules."""
    made = simkit.exact(asked(course=COURSE | {"turns": turns}, set=rules))
    return float(made["cells"][0]["metrics"]["finished"]["estimate"])


def refused(sensitivity: Any, **tables: Any) -> list[str]:
    """Return what is wrong with a table."""
    with pytest.raises(ProblemError) as error:
        drivers(planning.make(asked(sensitivity, **tables)))
    return [problem.message for problem in error.value.problems]


def test_every_reading_is_tried_and_the_widest_are_combined(tmp_path):
    document = found(tmp_path).document
    model = SensitivityDocument.model_validate(json.loads(json.dumps(document)))
    assert model.factorial.chosen
    assert len(model.factorial.combinations) == 2 ** len(model.factorial.factors)
    moved = {row.path for row in model.swings.rows if row.low > 0 or row.high < 0}
    assert {one.name for one in model.factorial.factors} <= moved
    assert document["sobol"] is None
    assert document["verdict"]["answer"].startswith("'finished' (every task done while he may still move) is ")


def test_a_house_rule_that_flips_the_verdict_is_named(tmp_path):
    table = {"house_rules": ["steady-nerves"], "readings": False}
    easier = found(tmp_path, table, tables={"course": {"steps": [{"bog": "swamp"}, {"turn": 1}], "turns": 2}})
    combined = easier.document["factorial"]
    assert [row["word"] for row in combined["combinations"]] == ["lower", "higher"]
    assert combined["flips"] == [["steady-nerves"]]
    assert easier.verdict["word"] == "flips"
    assert "would flip with the house rule 'Steady nerves'" in easier.answer


def test_an_effect_is_what_two_runs_differ_by(tmp_path):
    table = {"factors": {"altered_odds": [False, True]}, "readings": False}
    document = found(tmp_path, table, trials=20_000).document
    (effect,) = document["factorial"]["effects"]
    off, on = (solved(altered_odds=odds) for odds in (False, True))
    assert effect["low"] <= on - off <= effect["high"]
    corners = document["factorial"]["combinations"]
    assert [row["low"] <= value <= row["high"] for row, value in zip(corners, (off, on), strict=True)] == [True, True]


def test_an_interaction_is_the_one_of_the_exact_solutions(tmp_path):
    table = {"factors": {"altered_odds": [False, True], "bogs.swamp": [-3, 0]}, "readings": False}
    document = found(tmp_path, table, trials=40_000).document
    by = {tuple(row["factors"]): row for row in document["factorial"]["effects"]}
    corners = {
        (odds, swamp): solved(altered_odds=odds, **{"bogs.swamp": swamp}) for odds in (False, True) for swamp in (-3, 0)
    }
    known = (corners[True, 0] - corners[True, -3] - corners[False, 0] + corners[False, -3]) / 2
    row = by[("altered_odds", "bogs.swamp")]
    assert row["low"] <= known <= row["high"]
    assert abs(known) > 0.01


def test_a_factor_that_changes_nothing_is_left_out(tmp_path):
    table = {"factors": {"altered_odds": [False, True], "bogs.ford": [0, -1]}, "readings": False}
    combined = found(tmp_path, table).document["factorial"]
    assert [one["name"] for one in combined["factors"]] == ["altered_odds"]
    assert [one["name"] for one in combined["inert"]] == ["bogs.ford"]
    only = found(tmp_path, {"factors": {"bogs.ford": [0, -1]}, "readings": False}).document["factorial"]
    assert only["why_not"] == "none of the factors changes anything here"


def test_ranges_of_whole_numbers_are_played_in_every_combination(tmp_path):
    table = {"ranges": {"bogs.swamp": {"min": -4, "max": 0}, "course.turns": {"min": 1, "max": 3}}, "readings": False}
    spread = found(tmp_path, table, trials=20_000).document["sobol"]
    assert (spread["design"], spread["settings"]) == ("grid", 15)
    values = np.array([[solved(turns, **{"bogs.swamp": swamp}) for turns in (1, 2, 3)] for swamp in range(-4, 1)])
    for axis in (0, 1):
        first = values.mean(axis=1 - axis).var() / values.var()
        total = values.var(axis=axis).mean() / values.var()
        assert spread["first"][axis]["low"] <= first <= spread["first"][axis]["high"]
        assert spread["total"][axis]["low"] <= total <= spread["total"][axis]["high"]


def test_ranges_with_many_values_are_sampled(tmp_path):
    table = {
        "ranges": {"bogs.swamp": {"min": -5, "max": 0}, "hit_target": {"min": 4, "max": 10}},
        "points": 8,
        "readings": False,
    }
    spread = found(tmp_path, table, trials=512).document["sobol"]
    assert spread["design"] == "sample"
    assert spread["points"] == 8
    assert spread["settings"] <= 32


def test_a_comparison_is_varied_as_a_whole(tmp_path):
    tables = {"sweep": {"axes": {"altered_odds": [False, True]}}, "compare": {"baseline": {"altered_odds": False}}}
    tables["report"] = {"metric": "finished", "fair_within": 0.02}
    document = found(tmp_path, {"factors": FACTORS, "readings": False}, tables=tables).document
    assert document["cell"]["number"] == 2
    assert document["cell"]["title"] == "with altered odds instead of standard odds"
    start = document["factorial"]["combinations"][0]
    held = document["swings"]["held"]
    assert start["low"] <= held["high"]
    assert held["low"] <= start["high"]


def test_the_same_bytes_for_any_jobs_and_again_from_what_it_wrote(tmp_path):
    table = {"factors": FACTORS, "ranges": {"bogs.swamp": {"min": -4, "max": 0}}}
    one, two = (found(tmp_path / str(jobs), table, jobs=jobs) for jobs in (1, 2))
    files = [
        {
            path.relative_to(each.folder).as_posix(): path.read_bytes()
            for path in each.folder.rglob("*")
            if path.is_file() and path.name not in ("runs.jsonl", ".lock")
        }
        for each in (one, two)
    ]
    assert files[0] == files[1]
    assert {"report.html", "report.md", "report.json", "plots/effects.svg", "plots/sobol.svg"} <= set(files[0])
    again = simkit.sensitivity(one.folder / "experiment.resolved.toml", out=tmp_path / "1")
    assert again.folder == one.folder
    log = [json.loads(line) for line in (again.folder / "runs.jsonl").read_text().splitlines()]
    assert log[-1]["played"] == 0


def test_wrong_tables_are_refused_all_at_once():
    found = refused(
        {
            "metric": "finishd",
            "cell": 7,
            "factors": {"bog_edge_rerol": [False, True], "dice": ["2d6", "no dice"]},
            "house_rules": ["soft-bogs", "sof-bogs", "soft-bogs"],
            "ranges": {"bogs.swamp": {"min": -400, "max": 0}},
        }
    )
    assert found == [
        "no outcome is called 'finishd'",
        "no cell is called '7'",
        "no house rule is called 'sof-bogs'",
        "house_rules has 'soft-bogs' twice",
        "rules 'pigtickler' have no parameter 'bog_edge_rerol'",
        *[text for text in found if text.startswith(("'dice' cannot be", "'bogs.swamp' cannot be"))],
    ]
    assert len(found) == 7


def test_what_the_question_compares_cannot_vary_besides():
    tables = {"sweep": {"axes": {"altered_odds": [False, True]}}, "compare": {"baseline": {"altered_odds": False}}}
    assert refused({"factors": {"altered_odds": [False, True]}}, **tables) == [
        "'altered_odds' is what the question compares: it cannot vary besides"
    ]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"factors": {"dice": ["2d6"]}}, "at least 2"),
        ({"factors": {"hit_target": [7, 7]}}, "off and on are the same"),
        ({"points": 100}, "points is a power of 2"),
        ({"ranges": {"hit_target": {"min": 8, "max": 7}}}, "an interval goes up"),
        ({"ranges": {"hit_target": {"min": 0, "max": 7, "dist": "log"}}}, "min above 0"),
        ({"factors": {f"a{k}": [0, 1] for k in range(11)}}, "at most 10 factors"),
        ({"trials": 1}, "2"),
        ({"orders": 2}, "unknown setting 'orders'"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_tables_of_a_wrong_shape_are_refused(table, said):
    with pytest.raises(ProblemError) as error:
        planning.make(asked(table))
    assert any(said in problem.message or said in (problem.help or "") for problem in error.value.problems), [
        problem.message for problem in error.value.problems
    ]


def test_combinations_that_cannot_be_are_refused(tmp_path):
    table = {"factors": {"altered_odds": [False, True], "course.turns": [2, 0]}, "readings": False}
    with pytest.raises(ProblemError, match=r"course\.turns"):
        found(tmp_path, table)


def test_variants_change_rules_and_scenarios():
    plan = planning.make(asked())
    made, (cell,) = Variants(plan), plan.cells
    same = made.make(cell, Changed())
    assert same.setup.tobytes() == cell.setup.tobytes()
    other = made.make(cell, Changed({"bogs.swamp": -1, "course.turns": 5}))
    assert other.rules.bogs["swamp"] == -1
    assert other.scenario.course.turns == 5
    assert other.fingerprint != same.fingerprint
    assert [len(part) for part in distinct([same, other, same])] == [2, 3]
    for values in ({"bogs.swamp": "deep"}, {"no.such": 1}, {"course.turns": -1}, {"course.steps.9.down": 1}):
        with pytest.raises(CannotBeError):
            made.make(cell, Changed(values))


def test_places_in_ranges():
    whole, plain = Span("a", "a", -2, 1, "int"), Span("b", "b", 0.5, 1.5, "uniform")
    assert [whole.at(x) for x in (0.0, 0.25, 0.999999, 1.0)] == [-2, -1, 1, 1]
    assert (plain.at(0.0), plain.at(0.5), whole.size, plain.size) == (0.5, 1.0, 4, 0)
    assert Span("c", "c", 1, 100, "log").at(0.5) == pytest.approx(10)
    assert [one.values for one in grid([whole._replace(high=-1)])] == [{"a": -2}, {"a": -1}]
    assert all(0.5 <= one.values["b"] <= 1.5 for one in points([plain], sobol_design(1, 8, seed=1)))


def test_the_command_answers_and_exits_with_the_word(tmp_path, monkeypatch, capsys):
    settle(tmp_path, monkeypatch)
    out = ran(capsys, "sensitivity", ODDS, "--trials", "2000", "-q").out
    assert "Standard or altered odds" in out
    assert "what moves it" in out
    word = json.loads(ran(capsys, "sensitivity", ODDS, "--trials", "2000", "--json").out)["verdict"]["word"]
    assert "this is the verdict" in ran(capsys, "sensitivity", ODDS, "--trials", "2000", "--fail-if", word, code=3).err
    assert "Did you mean 'flips'?" in said(capsys, "sensitivity", ODDS, "--fail-if", "flip")
    assert "is what the others are compared with" in said(capsys, "sensitivity", ODDS, "--cell", "1")
    assert "no cell is called" in said(capsys, "sensitivity", ODDS, "--cell", "99")


def test_a_report_says_what_its_document_says(tmp_path):
    study = found(tmp_path, {"factors": FACTORS})
    text = (study.folder / "report.md").read_text(encoding="utf-8")
    assert study.answer.split(";")[0].replace("_", "\\_") in text
    for row in study.document["factorial"]["effects"]:
        assert effectplot.named(study.document, row).replace("_", "\\_") in text
    page = (study.folder / "report.html").read_text(encoding="utf-8")
    for title in ("One ruling at a time", "In all combinations", "Rules in force"):
        assert title in page


@pytest.mark.parametrize("name", ["altered_odds", "pikes_vs_cavalry", "ram_or_shoot"])
def test_shipped_tables_name_what_there_is(name):
    made = drivers(planning.make(QUESTIONS / f"{name}.toml"))
    assert made.named is not None
    assert made.table.factors
    assert made.house
    assert made.spans


def test_rulings_that_other_cells_rest_on_are_tried_there(tmp_path):
    steps = [[{"bog": "swamp"}], [{"down": 1}, {"cross": "fence"}]]
    tables = {"course": {"steps": steps[0], "turns": 2}, "sweep": {"axes": {"course.steps": steps}}}
    swings = found(tmp_path, tables=tables).document["swings"]
    here = {row["path"] for row in swings["rows"]}
    there = {row["path"] for one in swings["elsewhere"] for row in one["rows"]}
    assert there
    assert not here & there
    assert {one["cell"] for one in swings["elsewhere"]} == {3 - swings["cell"]}
