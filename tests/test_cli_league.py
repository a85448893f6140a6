"""The command league: what it shows, prints, refuses, and leaves when it is interrupted."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simkit.balance.documents.league import LeagueDocument
from simkit.balance.league.met import condition
from simkit.cli import call

pytestmark = pytest.mark.thorough

HEAD = 'schema = 1\nname = "seasons"\nquestion = "Who wins the league?"\ngame = "jugger"\n[run]\npolicy = "hold"\n'
TABLE = '[scenario]\ndistance = 3\n[league]\ndesigns = ["archer", "sniper", "lobber"]\nseasons = 512\n'


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("asked") / "seasons.toml"
    path.write_text(HEAD + TABLE)
    return path


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return tmp_path_factory.mktemp("results")


def ran(capsys, *arguments, code=0):
    capsys.readouterr()
    assert call([str(argument) for argument in arguments]) == code
    return capsys.readouterr()


def test_it_answers_in_the_first_lines(capsys, file, out):
    said = ran(capsys, "league", file, "--out", out, "-q")
    lines = said.out.splitlines()
    assert lines[0] == "Who wins the league?"
    assert lines[1].startswith("The title goes ")
    assert "n = 512 seasons played" in " ".join(lines)  # on a terminal the answer takes several lines
    assert any(line.startswith("Archer") for line in lines)
    assert lines[-1].startswith("next: simkit report ")
    assert said.err == ""
    folder = Path(lines[-2])
    assert {path.name for path in (folder / "plots").iterdir()} >= {"places.svg", "points.svg"}
    assert "Who wins the title" in ran(capsys, "report", folder, "--format", "md").out


def test_one_document(capsys, file, out):
    document = json.loads(ran(capsys, "league", file, "--out", out, "--json").out)
    LeagueDocument.model_validate(document)
    assert (document["command"], len(document["rows"]), document["matches"]) == ("league", 3, 6)


def test_conditions_end_with_three(capsys, file, out):
    arguments = ["league", file, "--out", out, "-q", "--fail-if"]
    assert "so it is for" in ran(capsys, *arguments, "title.high > 1 %", code=3).err
    assert ran(capsys, *arguments, "points > 18").err == ""
    word = json.loads(ran(capsys, "league", file, "--out", out, "--json").out)["verdict"]["word"]
    assert "this is the verdict" in ran(capsys, *arguments, word, code=3).err
    ran(capsys, *arguments, "moves")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("favorite", "Did you mean 'favourite'?"),
        ("titles > 1", "nothing is called 'titles'; there are title, points, spread, won, drawn, lost"),
        ("title.hihg > 1", "there are estimate, low, high"),
    ],
)
def test_conditions_that_are_none(capsys, file, out, what, said):
    assert said in ran(capsys, "league", file, "--out", out, "--fail-if", what, code=2).err


def test_a_condition_is_asked_of_every_entrant():
    number = {"estimate": 0.6, "low": 0.5, "high": 0.7}
    names = ("title", "points", "spread", "won", "drawn", "lost")
    document = {
        "entrants": [{"id": "x", "title": "X"}, {"id": "y", "title": "Y"}],
        "rows": [
            {"entrant": "x", **dict.fromkeys(names, number)},
            {"entrant": "y", **dict.fromkeys(names, number | {"estimate": 0.4, "low": 0.3, "high": 0.45})},
        ],
    }
    assert condition("title > 0.5").entrants(document) == ["X"]
    assert condition("title.high > 40 %").entrants(document) == ["X", "Y"]


def test_seasons_seed_and_rules_from_outside(capsys, file, out):
    asked = ["league", file, "--out", out, "--json", "--seasons", "600", "--seed", "3"]
    document = json.loads(ran(capsys, *asked, "--set", "weapons.ballista.to_hit=6").out)
    assert (document["seasons"], document["seed"]) == (768, 3)  # whole batches
    assert [change["path"] for change in document["changes"]] == ["weapons.ballista.to_hit"]
    assert "512" in ran(capsys, "league", file, "--seasons", "100", code=2).err
    assert "who fights is said by [league]" in ran(capsys, "league", file, "--set", "sides.a.policy=hold", code=2).err


def test_what_takes_long_waits_for_a_yes(capsys, tmp_path):
    path = tmp_path / "long.toml"
    greedy = HEAD.replace("hold", "lookahead") + TABLE.replace("512", "3_000_000")
    path.write_text(greedy)
    said = ran(capsys, "league", path, "--out", tmp_path, code=2).err
    assert "Go on with --yes" in said and "nothing was run" in said


def test_what_is_wrong_is_told_with_its_place(capsys, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(HEAD + TABLE + "carry_damage = true\n")
    said = ran(capsys, "league", path, "--out", tmp_path, code=2).err
    assert f"{path}:12:16" in said and "help: carry_damage = false" in said
    path.write_text(HEAD + TABLE.replace("sniper", "snipr"))
    said = ran(capsys, "league", path, "--out", tmp_path, code=2).err
    assert "did you mean 'sniper'?" in said and f"{path}:10:" in said
    assert "there is no such file" in ran(capsys, "league", tmp_path / "none.toml", code=2).err


def test_the_help_has_examples(capsys):
    said = ran(capsys, "league", "--help").out
    assert "simkit league experiments/league_of_races.toml" in said
    assert "[league]" in said and "--fail-if" in said


def test_interrupted_it_goes_on(tmp_path):
    """Ctrl-C ends it with 130 and keeps what was played; the same command finishes."""
    path = tmp_path / "seasons.toml"
    path.write_text(HEAD.replace("hold", "greedy") + TABLE.replace("512", "8_192"))
    command = [sys.executable, "-m", "simkit", "league", str(path), "--out", str(tmp_path), "-q", "-j", "1"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    parcels = tmp_path / "seasons"
    until = time.monotonic() + 60
    while time.monotonic() < until and running.poll() is None and not [*parcels.glob("*/blocks/parcels/*.npz")]:
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    kept = len([*parcels.glob("*/blocks/parcels/*.npz")])
    assert kept >= 1 and not [*parcels.glob("*/manifest.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and "8,192 seasons played" in done.stdout
    runs = [json.loads(line) for line in next(parcels.glob("*/runs.jsonl")).read_text().splitlines()]
    assert runs[-1]["kept"] > 0 and runs[-1]["kept"] + runs[-1]["played"] == 6 * 8_192
