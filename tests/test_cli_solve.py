"""``simkit solve``: what it prints, its options, its exit codes, and how it says what is wrong."""

import json
from pathlib import Path

import pytest

from simkit.balance.documents.schemas import document_schema
from simkit.balance.solve.words import WORDS
from simkit.report.solvesheet import BADGES, MEANINGS
from tests.commandline import DAMAGE, FENCES, QUESTIONS, fits, ran, said

pytestmark = [pytest.mark.usefixtures("pigtickler"), pytest.mark.thorough]

BOGS = QUESTIONS / "solve_bogs.toml"
LITTLE = ("--trials", "40000", "-q")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)


def test_the_answer_comes_first(capsys):
    lines = ran(capsys, "solve", BOGS, *LITTLE).out.splitlines()
    assert lines[0] == "Which modifier makes a swamp as hard to cross as a fence, for a rider who comes down a hill?"
    assert lines[1].startswith(
        "To bring 'finished' to what it is with course.steps.2 = cross fence, bogs.swamp must be "
        "0.78 at levels down 0; -2.27 at levels down 1; -3.61 at levels down 2; -4.92 at levels down 3."
    )
    assert fits("\n".join(lines[2:]), 110)
    assert [line.split("  ")[0] for line in lines if line.startswith("levels down")] == [
        f"levels down {k}" for k in range(4)
    ]
    assert lines[-1].startswith("next: simkit report results/solve-bogs/solve-")


@pytest.mark.thorough
def test_everything_may_stand_on_the_command_line(capsys):
    given = ("--vary", "hit_target", "--min", "-2", "--max", "12", "--metric", "rump", "--target", "50%")
    document = json.loads(ran(capsys, "solve", DAMAGE, *given, *LITTLE, "--json").out)
    assert document["settings"]["min"] == -2
    assert document["settings"]["target"] == 0.5
    assert {case["answers"][0]["below"] for case in document["cases"]} == {"7"}
    assert set(document) == set(document_schema("solve")["properties"])


def test_the_target_may_be_a_setting(capsys):
    given = ("--vary", "standard_target", "--values", "4, 5, 6", "--like", "altered_odds=true")
    document = json.loads(ran(capsys, "solve", FENCES, *given, *LITTLE, "--json").out)
    assert document["like"] == "altered_odds = altered odds"
    assert {answer["place"] for case in document["cases"] for answer in case["answers"]} == {5.0}


def test_a_value_is_one_of_the_file_where_it_is_not_given(capsys):
    document = json.loads(ran(capsys, "solve", BOGS, *LITTLE, "--json", "--max", "-4", "--within", "1%").out)
    assert (document["settings"]["min"], document["settings"]["max"], document["within"]) == (-8, -4, 0.01)
    assert document["verdict"]["word"] == "depends"


def test_a_word_of_the_verdict_fails_on_demand(capsys):
    err = ran(capsys, "solve", BOGS, *LITTLE, "--fail-if", "found", code=3).err
    assert "--fail-if found: this is the verdict" in err
    ran(capsys, "solve", BOGS, *LITTLE, "--fail-if", "none")
    assert "not resolved" in said(capsys, "solve", BOGS, "--fail-if", "fund")


def test_every_word_has_a_badge_and_a_meaning():
    assert set(WORDS) == set(BADGES) == set(MEANINGS)


@pytest.mark.parametrize(
    ("given", "complaint", "place"),
    [
        (("--vary", "bogs.swmp"), "did you mean 'bogs.swamp'?", 'vary = "bogs.swmp"'),
        (("--max", "-9"), "the range from -8 to -9 is empty", "max = -9"),
        (("--min", "x"), "'x' is no number", 'min = "x"'),
        (("--metric", "finshed"), "did you mean 'finished'?", 'metric = "finshed"'),
        (("--target", "2"), "the target 2 is out of reach", "target = 2.0"),
        (("--values", "1d6,hold"), '"hold" is neither a number', '"hold"'),
        (("--trials", "100"), "must be from 16,384 to 4,000,000,000, found 100", "max_trials = 100"),
    ],
)
def test_what_is_wrong_on_the_command_line_is_shown_as_it_was_asked(given, complaint, place, capsys):
    err = said(capsys, "solve", BOGS, *given, *LITTLE[: 0 if "--trials" in given else 3])
    assert complaint in err
    assert place in err
    assert "as it was asked" in err
    assert not Path("results").exists()


@pytest.mark.thorough
def test_every_combination_may_be_asked_by_itself(capsys):
    def cases(*given):
        return json.loads(ran(capsys, "solve", BOGS, *LITTLE, "--json", "--target", "50%", *given).out)["cases"]

    averaged = cases("--over", "course.steps.1.down", "--trials", "70000")
    assert [case["where"] for case in averaged] == [""]
    written = next(Path("results/solve-bogs").glob("*/experiment.resolved.toml"))
    again = json.loads(ran(capsys, "solve", written, *LITTLE, "--json", "--each").out)
    assert [case["where"] for case in again["cases"]] == [f"levels down {k}" for k in range(4)]
    assert again["settings"]["over"] == []


def test_options_that_exclude_each_other(capsys):
    assert "--each and --over exclude each other" in said(capsys, "solve", BOGS, "--each", "--over", "course.turns")
    assert "exclude each other" in said(capsys, "solve", BOGS, "--target", "1", "--like", "x=1")
    assert "'1,5' is not a number, such as 0.5 or 50%" in said(capsys, "solve", BOGS, "--target", "1,5")


def test_what_takes_long_asks_first(capsys):
    err = said(capsys, "solve", QUESTIONS / "solve_legs.toml", "--trials", "4000000000")
    assert "Go on with --yes, or play fewer with --trials N; nothing was run." in err


def test_a_file_without_a_table_says_what_is_missing(capsys):
    err = said(capsys, "solve", DAMAGE)
    assert "nothing says which number is sought" in err
    assert "nothing says what the metric is to be" in err
