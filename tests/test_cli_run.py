"""``simkit run`` and what goes before it: new, check, plan; and every ``--json``."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from simkit.cli import call
from tests.commandline import BAD, DAMAGE, FENCES, ODDS, ONE, QUESTIONS, SOFT, fits, question, ran, said, settle


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    settle(tmp_path, monkeypatch)


# run


def test_a_run_ends_with_question_answer_table_folder_and_what_is_next(capsys):
    out, err = ran(capsys, "run", ODDS, "--trials", "1000")
    lines = out.splitlines()
    assert lines[0] == question(ODDS)
    assert "99 % for all 16 together" in lines[1]
    assert len(lines) == 3 + 3 + 12 + 6
    assert lines[-6] == "... and 20 more cells in cells.csv"
    assert lines[-4] == "Rulings: other readings were not played: the run has fewer than 2,000 trials a cell."
    (folder,) = Path("results/altered-odds").iterdir()
    assert lines[-2:] == [str(folder), f"next: simkit report {folder} --open"]
    assert fits("\n".join(lines[2:]), 100)
    told = err.splitlines()
    assert 1 <= len(told) <= 11
    assert told[-1].startswith("altered-odds: 100 %, 32,000 of 32,000 trials, widest ±")


def test_a_run_that_is_there_already_plays_nothing(capsys):
    first = ran(capsys, "run", FENCES, "--trials", "500")
    again = ran(capsys, "run", FENCES, "--trials", "500")
    assert again.out == first.out
    assert again.err == "fences-or-bogs: 5,000 of 5,000 trials are there already\n"


def test_quiet_means_quiet(capsys):
    out, err = ran(capsys, "run", FENCES, "--trials", "500", "--quiet")
    assert err == ""
    assert out.startswith(question(FENCES))


SOME = ("altered_odds", "ram_or_shoot", "pikes_vs_cavalry")
"""A question of each game for the fast tests."""


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, marks=[] if file.stem in SOME else [pytest.mark.thorough])
        for file in sorted(QUESTIONS.glob("*.toml"))
    ],
    ids=lambda path: path.stem,
)
def test_shipped_questions_fit_a_readable_width(file, capsys):
    fights = game_of(file) != "pigtickler"
    out = ran(capsys, "run", file, "--trials", "20" if fights else "300", "-q").out
    assert fits("\n".join(out.splitlines()[2:]), 100)
    assert fits(ran(capsys, "plan", file).out, 100)
    if not fights:
        assert fits(ran(capsys, "exact", file).out, 100)


def game_of(file):
    return tomllib.loads(file.read_text(encoding="utf-8"))["game"]


BATTLES = [file for file in sorted(QUESTIONS.glob("*.toml")) if game_of(file) == "jugger"]


@pytest.mark.parametrize("file", BATTLES, ids=lambda path: path.stem)
def test_battles_with_choices_have_no_exact_solution(file, capsys):
    err = said(capsys, "exact", file).splitlines()
    found = r"1 error: 'score_a' of cell 1 \(.*\) has no exact solution: side a (is played by \w+|has 5 jugs); "
    allowed = r"solved are duels (in which both sides hold|of one against one)  \[meaning\]"
    assert re.fullmatch(found + allowed, err[0])
    assert err[1:3] == [f"   --> {file}", "     = help: simkit run plays it"]


STANDOFF = """
schema = 1
name = "standoff"
question = "Who wins if nobody moves?"
game = "jugger"
[run]
policy = "POLICY"
[sides.a]
design = "sniper"
[sides.b]
design = "lobber"
[sweep.axes]
"scenario.distance" = [1, 10, 11]
[report]
metric = "score_a"
target = 0.5
"""


def test_a_duel_in_which_nobody_moves_is_solved(capsys):
    file = Path("standoff.toml")
    file.write_text(STANDOFF.replace("POLICY", "hold"))
    lines = ran(capsys, "exact", file).out.splitlines()
    rows = [re.split(r"\s{2,}", line.strip()) for line in lines[7:10]]
    assert [row[1] for row in rows] == ["1", "10", "11"]
    assert fits("\n".join(lines), 100)
    document = json.loads(ran(capsys, "exact", file, "--json").out)
    for row, cell in zip(rows, document["cells"], strict=True):
        value = cell["metrics"]["score_a"]
        assert (value["method"], value["fraction"], cell["trials"]) == ("rounded", "", 0)
        assert value["low"] < value["estimate"] < value["high"] < value["low"] + 1e-9
        assert (value["estimate"] < 0.01) is (row[1] == "11")  # out of reach of all but side B's trebuchets
        assert float(row[-1].removesuffix(" %")) == pytest.approx(100 * value["estimate"], abs=1e-4)
    file.write_text(STANDOFF.replace("POLICY", "random"))
    assert "side a is played by random; solved are duels in which both sides hold" in said(capsys, "exact", file)


@pytest.mark.thorough
def test_averages_stand_above_the_cells(capsys, monkeypatch):
    file = QUESTIONS / "legs_tamed.toml"
    out = ran(capsys, "run", file, "--trials", "400", "-q").out
    lines = out.splitlines()
    assert lines[1].startswith("Compared with ") and "averaged over these 8 combinations of B and distance" in lines[1]
    assert lines[3] == "Averages over these 8 combinations of B and distance (99 % for all 6 averages together, max-T):"
    assert re.split(r"\s{2,}", lines[6].strip()) == ["average", "random", "greedy", "lookahead"]
    verdict = json.loads(ran(capsys, "run", file, "--trials", "400", "--json").out)["verdict"]
    rows = verdict["averages"]["rows"]
    assert len(rows) == 6
    shown = [re.split(r"\s{2,}", line.strip()) for line in lines[8:10]]
    for k, name in enumerate(row[0] for row in shown):
        mine = [row for row in rows if row["variant"] == name]
        for value, interval, row in zip(shown[k][1::2], shown[k][2::2], mine, strict=True):
            assert float(value) == pytest.approx(100 * row["estimate"], abs=0.06)
            low, high = map(float, interval.split(" to "))
            assert low <= 100 * row["low"] + 1e-9 and 100 * row["high"] <= high + 1e-9
    monkeypatch.setenv("COLUMNS", "60")
    narrow = ran(capsys, "run", file, "--trials", "400", "-q").out.splitlines()
    assert fits("\n".join(narrow[:-2]), 60)
    assert any(re.split(r"\s{2,}", line.strip())[:2] == ["average", "rung"] for line in narrow)


def test_the_table_shows_what_the_verdict_judged(capsys):
    out = ran(capsys, "run", DAMAGE, "--trials", "2000", "-q").out.splitlines()
    rows = [re.split(r"\s{2,}", line.strip()) for line in out[6:12]]
    assert [row[-1] for row in rows] == ["baseline", "lower"] * 3
    document = json.loads(ran(capsys, "run", DAMAGE, "--trials", "2000", "--json").out)
    for row in document["verdict"]["rows"]:
        shown = rows[row["cell"] - 1][-2]
        low, high = map(float, shown.split(" to "))
        assert low <= row["low"] <= row["estimate"] <= row["high"] <= high
        assert (low, high) == pytest.approx((row["low"], row["high"]), abs=0.0011)


def test_one_cell_shows_all_its_outcomes(capsys):
    Path("one.toml").write_text(ONE)
    lines = ran(capsys, "run", "one.toml", "--trials", "2000", "-q").out.splitlines()
    names = [line.split()[0] for line in lines[5 : lines.index("", 5)]]
    assert names[0] == "finished"
    assert {"rump", "wounds", "turns_used"} < set(names)
    assert "killed" not in names


def test_what_is_new_alone_is_played(capsys):
    ran(capsys, "run", FENCES, "--trials", "500")
    err = ran(capsys, "run", FENCES, "--trials", "800").err
    assert err.splitlines()[0] == "fences-or-bogs: 5,000 of 8,000 trials are there already"


@pytest.mark.parametrize(("word", "code"), [("lowers", 3), ("raises", 0), ("undecided", 0)])
def test_fail_if(word, code, capsys):
    out, err = ran(capsys, "run", DAMAGE, "--trials", "2000", "-q", "--fail-if", word, code=code)
    assert out.startswith(question(DAMAGE))
    assert err == ("--fail-if lowers: this is the verdict\n" if code else "")


@pytest.mark.parametrize(
    ("condition", "code", "says"),
    [
        ("wounded.high > 0", 3, "--fail-if wounded.high > 0: so it is in cells 1, 2, 3, 4, 5, 6\n"),
        ("wounded < -1", 0, ""),
        ("wounds_minus_baseline.low > 0", 0, ""),
        ("wounds_minus_baseline.high<0", 3, "--fail-if wounds_minus_baseline.high<0: so it is in cells 2, 4, 6\n"),
    ],
)
def test_fail_if_a_number_is_so(condition, code, says, capsys):
    out, err = ran(capsys, "run", DAMAGE, "--trials", "2000", "-q", "--fail-if", condition, code=code)
    assert out.startswith(question(DAMAGE))
    assert err == says


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("wins.high > 0.5", "nothing is called 'wins'; there are finished, "),
        ("finished.hi > 0.5", "'hi' is no part of an estimate; there are estimate, low, high"),
        ("finished => 0.5", "'finished => 0.5' is no condition; one is METRIC.PART SIGN NUMBER"),
        ("finished > 1.2.3", "'1.2.3' is no number"),
        ("> 3", "'> 3' is no condition"),
    ],
)
def test_fail_if_takes_only_conditions_that_can_be_read(condition, says, capsys):
    err = said(capsys, "run", DAMAGE, "--fail-if", condition)
    assert err.startswith("error: --fail-if: ") and says in " ".join(err.split())
    assert not Path("results").exists()


def test_a_plan_that_takes_long_needs_yes(capsys, monkeypatch):
    monkeypatch.setattr("simkit.lab.plan.TOO_LONG", 1e-6)
    err = said(capsys, "run", FENCES, "--trials", "1000")
    assert re.match(r"error: This plan is 10 cells x 1,000 trials and takes .* Go on with --yes", err)
    assert not Path("results").exists()
    assert ran(capsys, "run", FENCES, "--trials", "1000", "--yes").out.startswith(question(FENCES))


@pytest.mark.parametrize("command", ["run", "plan", "exact", "check", "replay"])
def test_very_many_cells_need_yes(command, capsys, monkeypatch):
    monkeypatch.setattr("simkit.lab.check.PATIENCE", 9)
    assert "this sweep has 10 cells: only to plan them takes" in said(capsys, command, FENCES)
    assert not Path("results").exists()
    more = ["--trials", "100"] if command == "run" else []
    assert ran(capsys, command, FENCES, "--yes", *more).out


def test_results_go_where_they_are_sent(capsys, tmp_path):
    ran(capsys, "run", FENCES, "--trials", "300", "--out", "elsewhere/there", "--raw")
    assert [path.name for path in tmp_path.iterdir()] == ["elsewhere"]
    assert len(list(tmp_path.glob("elsewhere/there/fences-or-bogs/*/raw/*.parquet"))) == 10


def test_trials_seed_precision_and_settings_win_over_the_file(capsys):
    options = ["--seed", "7", "--set", "dice=1d12", "--set", "course.turns=3", "--precision", "0.05"]
    document = json.loads(ran(capsys, "run", FENCES, "--trials", "20,000", *options, "--json").out)
    assert (document["seed"], document["trials"], document["precision"]) == (7, 20_000, 0.05)
    assert {cell["scenario"].partition("; ")[2] for cell in document["cells"]} == {"3 turns"}
    assert {change["path"]: change["value"] for change in document["changes"]} == {"dice": "1d12"}


# JSON


def shaped(value, shape):
    """Hold a value against a shape: types, lists of one shape, dictionaries that have at least these keys."""
    if isinstance(shape, dict):
        assert isinstance(value, dict)
        assert set(shape) <= set(value)
        for key, inner in shape.items():
            shaped(value[key], inner)
    elif isinstance(shape, list):
        assert isinstance(value, list)
        for item in value:
            shaped(item, shape[0])
    elif isinstance(shape, type | tuple):
        assert isinstance(value, shape)
        assert shape is not int or not isinstance(value, bool)
    else:
        assert value == shape


ESTIMATE = {"estimate": float, "low": float, "high": float, "level": float, "n": int, "method": str}
CELL = {"cell": int, "factors": dict, "trials": int, "metrics": {"finished": ESTIMATE}, "assumed": [str]}
DOCUMENT = {"schema": 1, "name": str, "run": str, "cells": [CELL]}
VERDICT = {"answer": str, "word": str, "rule": str, "metric": str, "not_resolved": [int]}
NUMBER = (int, float, type(None))


@pytest.mark.parametrize(
    ("arguments", "shape"),
    [
        (["run", FENCES, "--trials", "300"], DOCUMENT | {"verdict": VERDICT}),
        (["exact", FENCES], DOCUMENT),
        (["exact", FENCES, "--unlimited", "--cell", "2"], DOCUMENT),
        (["plan", FENCES], {"schema": 1, "cells": [{"cell": int, "hash": str}], "seconds": float, "megabytes": float}),
        (["check", FENCES, SOFT], {"schema": 1, "files": [{"file": str, "ok": True, "says": str, "problems": list}]}),
        (["replay", FENCES], {"schema": 1, "cell": 1, "trial": 0, "lines": [{"text": str, "kind": str, "ids": [str]}]}),
        (["results"], {"schema": 1, "runs": list}),
        (
            ["odds", "2d6 > 2d6"],
            {"schema": 1, "expr": "2d6 > 2d6", "fraction": "575/1296", "decimal": float, "exact": True},
        ),
        (["games"], {"schema": 1, "games": [{"name": str, "title": str}]}),
        (["designs"], {"schema": 1, "game": "pigtickler", "designs": [dict]}),
        (["rules", "pigtickler"], {"schema": 1, "rules": [{"path": str, "id": str, "source": str, "sentence": str}]}),
    ],
    ids=lambda value: " ".join(map(str, value))[:24] if isinstance(value, list) else None,
)
def test_json_is_one_document_and_nothing_else(arguments, shape, capsys):
    out, err = ran(capsys, *arguments, "--json")
    assert err == ""
    assert out.count("\n") == 1
    shaped(json.loads(out, parse_constant=lambda word: pytest.fail(word)), shape)


def test_exact_json_has_fractions_without_error(capsys):
    for cell in json.loads(ran(capsys, "exact", FENCES, "--json").out)["cells"]:
        assert cell["trials"] == 0
        for value in cell["metrics"].values():
            assert value["low"] == value["estimate"] == value["high"]
            assert (value["n"], value["method"]) == (0, "exact")
            numerator, _, denominator = value["fraction"].partition("/")
            assert int(numerator) / int(denominator or 1) == pytest.approx(value["estimate"], rel=1e-15)


@pytest.mark.parametrize("command", ["run", "plan", "exact", "replay"])
def test_json_with_an_error_prints_the_error_alone(command, capsys):
    err = said(capsys, command, BAD, "--json")
    assert err.startswith("1 error: pigtickler counts nothing called 'finishd'")


def test_check_tells_every_problem_as_json_too(capsys):
    out, err = ran(capsys, "check", FENCES, BAD, "--json", code=2)
    fine, bad = json.loads(out)["files"]
    assert (fine["ok"], bad["ok"]) == (True, False)
    (problem,) = bad["problems"]
    assert (problem["severity"], problem["kind"], problem["line"], problem["column"]) == ("error", "value", 8, 10)
    assert "did you mean 'finished'?" in problem["help"]
    assert err.startswith("1 error: ")


# Before a run


def test_new_writes_what_runs(capsys):
    out = ran(capsys, "new", "my-first", "--game", "pigtickler").out
    assert out.splitlines() == [
        "wrote experiments/my-first.toml",
        "wrote experiments/house/my-first-rule.toml",
        "next: simkit run experiments/my-first.toml",
    ]
    assert "fine: " in ran(capsys, "check", "experiments/my-first.toml", "experiments/house/my-first-rule.toml").out
    assert ran(capsys, "run", "experiments/my-first.toml", "--trials", "1000", "-q").out
    before = Path("experiments/my-first.toml").read_bytes()
    assert "is there already; nothing was written" in said(capsys, "new", "my-first")
    assert Path("experiments/my-first.toml").read_bytes() == before


@pytest.mark.parametrize("name", ["../x", "/x", "con", "X", "", "$x^", "a" * 60, "a" * 65, "-"])
def test_new_takes_only_names(name, capsys):
    assert call(["new", "--", name]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert not Path("experiments").exists()


def test_new_where_nothing_can_be_written(capsys):
    Path("file").touch()
    assert said(capsys, "new", "x", "--folder", "file/x") == "error: Cannot write file/x/x.toml: Not a directory.\n"


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.thorough)])
def test_check_says_what_each_file_is(step, capsys):
    files = [*sorted(QUESTIONS.glob("*.toml"))[::step], *sorted(QUESTIONS.glob("house/*.toml"))]
    lines = ran(capsys, "check", *files).out.splitlines()
    assert len(lines) == len(files)
    said = "fine: 32 cells of Pig Tickler, 1,000,000 trials each; fine as well: [sensitivity], [balance]"
    assert lines[0] == f"{ODDS}: {said}"
    assert any("fine: the house rule 'Soft bogs' changes 7 values of Pig Tickler" in line for line in lines)


def test_check_goes_on_after_a_bad_file(capsys):
    out, err = ran(capsys, "check", BAD, FENCES, code=2)
    assert out == f"{FENCES}: fine: 10 cells of Pig Tickler, 1,000,000 trials each\n"
    assert err.endswith("nothing was changed\n")


def test_plan_foresees(capsys):
    out = ran(capsys, "plan", ODDS, "--precision", "0.001").out
    assert "32 cells x up to 1,000,000 trials" in out
    assert "... and 20 more cells" in out
    assert out.endswith(f"next: simkit run {ODDS}\n")
