"""The command matrix: what it shows, prints and refuses."""

import json
from pathlib import Path

import pytest

from simkit.balance.documents.matrix import MatrixDocument
from simkit.balance.matrix.met import condition
from simkit.cli import call

pytestmark = pytest.mark.thorough

HEAD = 'schema = 1\nname = "standoff"\nquestion = "Who shoots best?"\ngame = "jugger"\n[run]\npolicy = "hold"\n'
TABLE = '[scenario]\ndistance = 3\n[matrix]\ndesigns = ["archer", "axer", "sniper", "lobber"]\nleast_trials = 512\n'
LIMIT = "max_trials = 2000\n"


@pytest.fixture(scope="module", autouse=True)
def few_resamplings():
    """Look at the layers of few resamplings: how many there are changes nothing that is looked at here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simkit.balance.matrix.standing.RESAMPLED", 20)
        yield


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("asked") / "standoff.toml"
    path.write_text(HEAD + TABLE + LIMIT)
    return path


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return tmp_path_factory.mktemp("results")


def ran(capsys, *arguments, code=0):
    capsys.readouterr()
    assert call([str(argument) for argument in arguments]) == code
    return capsys.readouterr()


def test_it_answers_in_the_first_lines(capsys, file, out):
    said = ran(capsys, "matrix", file, "--out", out, "-q")
    lines = said.out.splitlines()
    assert lines[0] == "Who shoots best?"
    assert lines[1].startswith("Of 4 designs Axer is best: it beats all 3 others")
    assert any(line.startswith("Axer") and "+" in line for line in lines)
    assert lines[-1].startswith("next: simkit report ")
    assert said.err == ""
    folder = Path(lines[-2])
    assert {path.name for path in (folder / "plots").iterdir()} >= {"matrix.svg", "ratings.svg", "picks.svg"}
    assert "Who beats whom" in ran(capsys, "report", folder, "--format", "md").out


def test_one_document(capsys, file, out):
    document = json.loads(ran(capsys, "matrix", file, "--out", out, "--json").out)
    MatrixDocument.model_validate(document)
    assert len(document["pairs"]) == 6
    assert document["command"] == "matrix"


def test_conditions_end_with_three(capsys, file, out):
    arguments = ["matrix", file, "--out", out, "-q", "--fail-if"]
    said = ran(capsys, *arguments, "mean.low > 70 %", code=3)
    assert "--fail-if mean.low > 70 %: so it is for Axer" in said.err
    assert ran(capsys, *arguments, "seat.low > 0.4").err == ""
    assert "this is the verdict" in ran(capsys, *arguments, "one-best", code=3).err
    ran(capsys, *arguments, "none-best")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("none-bets", "Did you mean 'none-best'?"),
        ("usage > 1", "nothing is called 'usage'; there are rating, mean, per_budget, seat, regret"),
        ("mean_minus_baseline > 1", "nothing is called 'mean_minus_baseline'"),
        ("mean.hihg > 1", "there are estimate, low, high"),
    ],
)
def test_conditions_that_are_none(capsys, file, out, what, said):
    assert said in ran(capsys, "matrix", file, "--out", out, "--fail-if", what, code=2).err


def test_a_condition_is_asked_of_every_side():
    document = {
        "sides": [{"id": "x", "title": "X"}, {"id": "y", "title": "Y"}],
        "groups": [
            {
                "rows": [
                    {"side": side, "per_budget": None, **dict.fromkeys(("rating", "mean", "seat", "regret"), value)}
                    for side, value in (("x", {"estimate": 0.6, "low": 0.5, "high": 0.7}), ("y", {"estimate": 0.4}))
                ]
            }
        ],
    }
    assert condition("mean > 0.5").sides(document) == ["X"]
    assert condition("per_budget > 0").sides(document) == []


def test_fewer_games(capsys, file, out):
    document = json.loads(ran(capsys, "matrix", file, "--out", out, "--json", "--trials", "512", "--seed", "3").out)
    assert {pair["games"] for pair in document["pairs"]} == {512}
    assert document["seed"] == 3
    assert "512" in ran(capsys, "matrix", file, "--trials", "100", code=2).err


def test_rules_can_be_set(capsys, file, out):
    rule = "weapons.ballista.to_hit=10"
    document = json.loads(ran(capsys, "matrix", file, "--out", out, "--json", "--trials", "512", "--set", rule).out)
    assert [change["path"] for change in document["changes"]] == ["weapons.ballista.to_hit"]
    assert "who fights is said by [matrix]" in ran(capsys, "matrix", file, "--set", "sides.a.policy=hold", code=2).err


def test_what_takes_long_waits_for_a_yes(capsys, tmp_path):
    path = tmp_path / "long.toml"
    path.write_text(HEAD + TABLE.replace("512", "1_000_000_000") + "max_trials = 1_000_000_000\n")
    said = ran(capsys, "matrix", path, "--out", tmp_path, code=2).err
    assert "Go on with --yes" in said and "nothing was run" in said


def test_what_is_wrong_is_told_with_its_place(capsys, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(HEAD + TABLE.replace("sniper", "snipr").replace("least", "lest"))
    said = ran(capsys, "matrix", path, "--out", tmp_path, code=2).err
    assert "did you mean 'least_trials'?" in said and f"{path}:11:1" in said
    path.write_text(HEAD + TABLE.replace("sniper", "snipr"))
    said = ran(capsys, "matrix", path, "--out", tmp_path, code=2).err
    assert "did you mean 'sniper'?" in said and f"{path}:10:" in said
    assert "there is no such file" in ran(capsys, "matrix", tmp_path / "none.toml", code=2).err


def test_a_game_of_one_says_so(capsys):
    said = ran(capsys, "matrix", Path(__file__).parents[1] / "experiments" / "fences_or_bogs.toml", code=2).err
    assert "Pig Tickler has no two sides that could meet" in said


def test_the_help_has_examples(capsys):
    said = ran(capsys, "matrix", "--help").out
    assert "simkit matrix experiments/published_designs.toml" in said
    assert "[matrix]" in said and "--fail-if" in said
