"""simkit from Python: runs, their tables, answers and replays, exact solutions, and what is refused."""

import json
import subprocess
import sys
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import tomli_w

import simkit
from simkit.api import refuse_unlimited
from simkit.balance.document import build, exact_document
from simkit.balance.verdict import judge
from simkit.games import protocol
from simkit.lab import frame
from simkit.lab.cells import find_cell
from simkit.lab.problems import ProblemError
from simkit.lab.shipped import shipped_folder
from tests.laboratory import COURSE, OFF, files, made, play, question

pytestmark = pytest.mark.usefixtures("pigtickler")

STEPS = [[{"turn": 1}], [{"down": 1}, {"cross": "fence"}]]
TABLES = question(
    question="Is it so?",
    run={"trials": 4000},
    sweep={"axes": {"course.steps": STEPS, "altered_odds": [False, True], "course.turns": [1, 2]}},
    compare={"baseline": OFF},
    report={"fair_within": 0.01},
)
SOLVED = sorted(
    path.name
    for path in shipped_folder().glob("*.toml")
    if protocol.load(tomllib.loads(path.read_text(encoding="utf-8"))["game"]).UNLIMITED
)
"""The shipped experiments of games that have exact solutions."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, pigtickler: Any) -> simkit.Run:
    return simkit.run(TABLES, out=tmp_path_factory.mktemp("out"))


# Runs


def test_tables_a_file_and_a_model_are_the_same_run(run: simkit.Run, tmp_path: Path) -> None:
    file = tmp_path / "anything.toml"
    file.write_text(f"# {'a comment'}\n{tomli_w.dumps(TABLES)}")
    from_file = simkit.run(str(file), out=tmp_path / "out", jobs=1)
    assert from_file.folder.name == run.folder.name
    assert from_file.document == run.document
    assert files(from_file.folder) == files(run.folder)
    assert simkit.check(simkit.Experiment(**TABLES)).fingerprint == run.document["run"]


def test_cells_are_the_table_of_the_files(run: simkit.Run) -> None:
    cells = run.cells
    assert list(cells.columns)[:7] == ["cell", "course.steps", "altered_odds", "course.turns", "trials", "n", "level"]
    assert list(cells["cell"]) == list(range(1, 9)) and list(cells["altered_odds"]) == [False, False, True, True] * 2
    assert list(cells["course.steps"].unique()) == ["turn 1", "down 1, cross fence"]
    for column, key in (
        ("finished", "estimate"),
        ("finished_low", "low"),
        ("finished_high", "high"),
        ("finished_method", "method"),
    ):
        assert list(cells[column]) == [cell["metrics"]["finished"][key] for cell in run.document["cells"]]
    assert list(cells["finished_exact"]) == [cell["exact"]["finished"]["value"] for cell in run.document["cells"]]
    assert list(cells["finished_minus_baseline"].isna()) == [True, True, False, False] * 2
    parquet = pd.read_parquet(run.folder / "cells.parquet")
    pd.testing.assert_frame_equal(parquet, cells, check_dtype=False)
    csv = pd.read_csv(run.folder / "cells.csv")
    pd.testing.assert_frame_equal(csv, cells, check_dtype=False, check_exact=True)


def test_no_text_in_the_csv_acts_as_a_formula() -> None:
    document = {"level": 0.99, "cells": []}
    for text in ("=1+1", "+1", "-1", "@x", "\tx", "plain"):
        document["cells"].append(
            {"cell": 1, "factors": {"=axis": text}, "trials": 1, "n": 1, "metrics": {}, "exact": {}}
        )
    lines = frame.to_csv(frame.rows(document)).splitlines()
    assert lines[0].split(",")[1] == "'=axis"
    assert [line.split(",")[1][0] for line in lines[1:]] == ["'"] * 5 + ["p"]


def test_a_run_answers_and_shows_itself(run: simkit.Run) -> None:
    assert run.answer == run.document["verdict"]["answer"] and run.verdict == run.document["verdict"]
    assert repr(run) == f"<simkit.Run small {run.folder.name}: {run.answer}>"
    assert run.plan.fingerprint == run.folder.name


def test_a_run_retells_its_trials(run: simkit.Run) -> None:
    told = run.replay(3, 17)
    assert told == "\n".join(line["text"] for line in simkit.replay(TABLES, 3, 17))
    assert told == run.replay("course.steps=turn 1,altered_odds=true,course.turns=1", 17)
    assert told == "\n".join(line["text"] for line in simkit.replay(run.folder, run.document["cells"][2]["hash"], 17))
    assert simkit.replay(TABLES)[-1]["kind"] == "end"


def test_what_is_given_wins_over_the_file(tmp_path: Path) -> None:
    result = simkit.run(TABLES, set={"wreck_at": 4}, trials=500, seed=5, replication=2, out=tmp_path)
    document = result.document
    assert (document["trials"], document["seed"], document["replication"]) == (500, 5, 2)
    assert [change["path"] for change in document["changes"]] == ["wreck_at"]
    assert result.plan.replication == 2 and result.plan.fingerprint == document["run"]
    fresh = simkit.run(TABLES, trials=500, seed=5, set={"wreck_at": 4}, out=tmp_path)
    assert fresh.document["run"] != document["run"]
    assert fresh.document["cells"][0]["metrics"]["finished"] != document["cells"][0]["metrics"]["finished"]


def test_a_plan_is_run_as_it_is(tmp_path: Path) -> None:
    plan = simkit.check(TABLES, trials=300)
    assert simkit.run(plan, out=tmp_path).document["trials"] == 300
    with pytest.raises(ValueError, match="trials, set cannot be changed in a plan; give it to"):
        simkit.run(plan, trials=400, set={"wreck_at": 4}, out=tmp_path)
    with pytest.raises(ValueError, match="set cannot be changed in a plan"):
        simkit.exact(plan, unlimited=True)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"jobs": 0}, "jobs is 0; allowed are 1 to 1024"),
        ({"jobs": 1025}, "jobs is 1025"),
        ({"block": 0}, "block is 0"),
        ({"block": -3}, "block is -3"),
    ],
)
def test_absurd_settings_are_refused(tmp_path: Path, wrong: dict[str, int], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        simkit.run(TABLES, out=tmp_path, **wrong)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_an_unlimited_course_is_solved_and_not_played(tmp_path: Path) -> None:
    unlimited = question(course=COURSE | {"turns": "unlimited"})
    for attempt in (lambda: simkit.run(unlimited, out=tmp_path), lambda: simkit.replay(unlimited)):
        with pytest.raises(ProblemError, match='a course with turns = "unlimited" cannot be played out') as refusal:
            attempt()
        assert refusal.value.problems[0].help == "simkit exact solves it without a limit"
    refuse_unlimited(made())
    assert simkit.exact(unlimited)["cells"][0]["metrics"]["stopped"]["fraction"] == "0"


# Loading


def test_a_run_is_loaded_from_its_folder_or_its_name(run: simkit.Run, tmp_path: Path) -> None:
    assert simkit.load(run.folder).document == run.document
    first = simkit.run(TABLES, trials=200, out=tmp_path)
    second = simkit.run(TABLES, trials=300, out=tmp_path)
    assert simkit.load(tmp_path / "small").folder == second.folder
    assert simkit.load(str(first.folder)).cells.equals(first.cells)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "report.json is missing or damaged"),
        ("{", "report.json is missing or damaged"),
        ("[]", "report.json is missing or damaged"),
        ('{"schema": 1}', "report.json is missing or damaged"),
        ('{"schema": 2}', "this run was written with schema 2; this simkit reads 1"),
    ],
)
def test_a_folder_that_is_no_run_is_explained(tmp_path: Path, content: str | None, says: str) -> None:
    with pytest.raises(ProblemError, match="there is no finished run in this folder"):
        simkit.load(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    if content is not None:
        (tmp_path / "report.json").write_text(content)
    with pytest.raises(ProblemError, match=says):
        simkit.load(tmp_path)


# Exact solutions, checks and rules


def test_exact_solves_every_cell(run: simkit.Run) -> None:
    document = simkit.exact(TABLES)
    assert document == exact_document(simkit.check(TABLES))
    assert [cell["metrics"]["finished"]["estimate"] for cell in document["cells"]] == [
        cell["exact"]["finished"]["value"] for cell in run.document["cells"]
    ]
    turn = simkit.exact(question(course={"steps": [{"turn": 1}]}))["cells"][0]["metrics"]["finished"]
    assert Fraction(turn["fraction"]) == Fraction(26, 36)
    altered = simkit.exact(question(course={"steps": [{"turn": 1}]}), set={"altered_odds": True})
    assert altered["cells"][0]["metrics"]["finished"]["fraction"] == "5/6"


def test_exact_without_a_limit_of_turns() -> None:
    one = question(course={"steps": [{"up": 1}, {"turn": 1}], "turns": 1})
    limited, unlimited = simkit.exact(one), simkit.exact(one, unlimited=True, set={"wreck_at": 4})
    assert limited["cells"][0]["metrics"]["finished"]["estimate"] < 1
    assert unlimited["cells"][0]["metrics"]["finished"]["fraction"] == "1"
    assert unlimited["cells"][0]["metrics"]["turns_used"]["estimate"] > 1
    assert [change["path"] for change in unlimited["changes"]] == ["wreck_at"]


def test_check_plans_and_plays_nothing() -> None:
    plan = simkit.check(TABLES, overrides={"wreck_at": 4}, trials=10)
    assert (len(plan.cells), plan.trials, plan.cells[0].rules.wreck_at) == (8, 10, 4)
    with pytest.raises(ProblemError, match="unknown setting 'sede'"):
        simkit.check(TABLES | {"sede": 3})
    with pytest.raises(TypeError):
        simkit.check(question(question=None) | {"question": None})


def test_rules_are_listed_with_their_sources() -> None:
    rows = simkit.rules("pigtickler")
    assert rows == protocol.rule_fields(protocol.load("pigtickler").Rules())
    assert next(row for row in rows if row.path == "bogs.swamp")[1:5] == (-3, -3, "P-BOG-1", "R")
    with pytest.raises(protocol.UnknownGameError, match="no game is called 'chess'; there are: "):
        simkit.rules("chess")


@pytest.mark.parametrize(
    ("wanted", "number"),
    [
        (1, 1), ("8", 8), ("course.steps=turn 1,altered_odds=false,course.turns=2", 2),
        ("course.steps=down 1, cross fence, altered_odds = altered odds , course.turns = 1", 7),
        ("odds=standard odds,turn limit=2,course=turn 1", 2),
    ],
)  # fmt: skip
def test_a_cell_is_found(wanted: int | str, number: int) -> None:
    assert find_cell(simkit.check(TABLES), wanted).number == number


def test_a_cell_is_found_by_the_beginning_of_its_hash() -> None:
    plan = simkit.check(TABLES)
    for cell in plan.cells:
        assert find_cell(plan, cell.fingerprint) is cell
        if not cell.fingerprint[:6].isdigit():
            assert find_cell(plan, cell.fingerprint[:6]) is cell


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (0, "no cell is called '0'"), (9, "no cell is called '9'"), (-1, "no cell is called '-1'"),
        ("", "no cell is called ''"), ("¹", "no cell is called"), ("9" * 100, "no cell is called"),
        ("zzz", "no cell is called 'zzz'"), ("altered_odds=true", "4 cells are called 'altered_odds=true'"),
        ("nothing=nothing", "no cell is called 'nothing=nothing'"), ("=", "no cell is called '='"),
        ("altered_odds=maybe,course.turns=1", "no cell is called"),
    ],
)  # fmt: skip
def test_a_cell_that_is_not_there_is_explained(wanted: int | str, says: str) -> None:
    with pytest.raises(ProblemError, match=says) as refusal:
        find_cell(simkit.check(TABLES), wanted)
    assert refusal.value.problems[0].help == "a row from 1 to 8, the beginning of a hash, or axis=value,axis=value"


@pytest.mark.parametrize("trial", [-1, 2**63])
def test_a_trial_that_is_not_there_is_explained(trial: int) -> None:
    with pytest.raises(ProblemError, match=f"trials are counted from 0; there is no trial {trial}"):
        simkit.replay(TABLES, 1, trial)
    assert simkit.replay(TABLES, 1, 2**63 - 1)


# The package


def test_the_public_names_are_there_and_cost_nothing() -> None:
    assert dir(simkit) == sorted(simkit.__all__)
    with pytest.raises(AttributeError, match="module 'simkit' has no attribute 'nothing'"):
        simkit.nothing  # noqa: B018
    code = (
        "import sys, simkit; print([name for name in ('numba', 'pandas', 'pydantic', 'numpy') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


# The shipped experiments, simulated and solved


def agreement(name: str, out: Path, **changes: Any) -> dict[str, Any]:
    """Play a shipped experiment and return what the comparison with its exact solution says."""
    plan = simkit.check(shipped_folder() / name, **changes)
    played = play(plan, out)
    check = build(plan, played.results, judge(plan, played.results))["check"]
    shares = sum(metric.kind == "share" for metric in plan.game.OUTCOMES)
    assert check["compared"] == shares * len(plan.cells)
    return check  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", SOLVED)
def test_simulation_and_exact_solution_agree(name: str, tmp_path: Path) -> None:
    check = agreement(name, tmp_path, trials=50_000)
    assert check["corrected"] > 1e-6, check["where"]


@pytest.mark.slow
@pytest.mark.parametrize("replication", [0, 1, 2])
@pytest.mark.parametrize("name", SOLVED)
def test_simulation_and_exact_solution_agree_at_length(name: str, replication: int, tmp_path: Path) -> None:
    check = agreement(name, tmp_path, trials=3_000_000, replication=replication)
    assert check["corrected"] > 1e-6, check["where"]


def test_report_json_is_the_document(run: simkit.Run) -> None:
    assert json.loads((run.folder / "report.json").read_text(encoding="utf-8")) == run.document


def test_an_axis_and_an_outcome_of_one_name_have_a_column_each():
    value = {"estimate": 0.4, "low": 0.3, "high": 0.5, "method": "sidak"}
    cell = {
        "cell": 1,
        "factors": {"first": "b", "size": 3},
        "trials": 2,
        "n": 1,
        "metrics": {"first": value},
        "exact": {},
    }
    (row,) = frame.rows({"level": 0.99, "cells": [cell]})
    assert (row["axis:first"], row["first"], row["size"]) == ("b", 0.4, 3)
