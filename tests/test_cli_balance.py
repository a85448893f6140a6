"""The command simkit balance: from a file to its verdicts, again and again the same, and what it refuses."""

import json
import re

import jsonschema
import pytest

import simkit
from simkit.balance.documents.balance import Balance
from simkit.balance.documents.schemas import document_schema
from simkit.cli import call
from simkit.lab.ledger import Ledger
from simkit.lab.runner import Interrupted
from tests.commandline import ran
from tests.laboratory import files

pytestmark = pytest.mark.thorough

DUELS = """
schema = 1
name = "which-weapon"
question = "Is it better to shoot or to strike, <three> hexes apart?"
game = "jugger"
[sides]
a = { design = "archer" }
b = { design = "archer" }
[scenario]
distance = 3
[balance]
items = ["legs", "catapult"]
budgets = [1]
trials = 60_000
without = ["lever", "boarders", "fang", "demon eye", "trebuchet", "sails"]
frame = { sample = 6, holders = 1, swaps = 3, strongest = 4, tried = 8 }
[balance.conditions]
policy = ["hold"]
"""
FIGHTS = """
schema = 1
name = "which-foot"
question = "Are dwarves worth more than other foot?"
game = "battlesystem"
[sides]
a = { design = "orcs" }
b = { design = "orcs" }
[scenario]
distance = 12
[balance]
items = ["dwarves"]
trials = 20_000
[balance.builds]
dwarves = { items = ["dwarves"], design = "dwarves", figures = 12 }
orcs = { design = "orcs", figures = 12 }
kobolds = { design = "kobolds", figures = 12 }
"""
COURSE = """
schema = 1
name = "which-odds"
question = "Do altered odds help?"
game = "pigtickler"
[course]
steps = [{ down = 2 }, { turn = 1 }, { bog = "swamp" }]
turns = 3
[report]
metric = "finished"
fair_within = 0.01
[balance]
trials = 200_000
[balance.conditions]
"course.steps.3.bog" = ["ford", "swamp"]
[balance.options]
altered-odds = { set = { altered_odds = true } }
fourth-turn = { set = { unicycle_damage = true } }
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("duels", DUELS), ("fights", FIGHTS), ("course", COURSE)):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def document(capsys, *arguments):
    return json.loads(ran(capsys, "balance", *arguments, "--json", "-q").out)


def test_builds_of_a_budget_are_judged(here, capsys):
    found = document(capsys, "duels.toml")
    jsonschema.validate(found, document_schema("balance"))
    Balance.model_validate(found)
    assert (found["command"], found["cases"][0]["title"]) == ("balance", "size class 1, hold")
    rows = {row["item"]: row for row in found["cases"][0]["items"]}
    assert set(rows) == {"legs", "catapult"}
    # legs neither shoot nor strike where nobody moves; who has them loses to all who do
    assert rows["legs"]["lift_uniform"]["high"] < -0.05
    assert rows["legs"]["word"] in ("dominated", "underpowered")
    assert rows["legs"]["exchanges"][0]["lift"]["estimate"] >= rows["legs"]["exchanges"][-1]["lift"]["estimate"]
    for row in rows.values():
        for name in ("lift_uniform", "lift_field", "need", "regret"):
            assert row[name]["low"] <= row[name]["estimate"] <= row[name]["high"]
    assert "legal builds of size class 1" in found["cases"][0]["frame"][0]
    assert found["cases"][0]["games"] <= 60_000
    for one in found["cases"][0]["builds"]:
        for number in (one["against_crowd"], one["against_field"]):
            assert 0 <= number["low"] <= number["estimate"] <= number["high"] <= 1 and number["level"] == 0.99
    assert found["verdict"]["answer"].startswith("Legs: ")
    assert re.search(r"99 % for all of it together, .*n = 64 units a matchup at least", found["verdict"]["answer"])


def test_the_first_line_answers_and_a_table_follows(here, capsys):
    said = ran(capsys, "balance", "fights.toml", "-q").out
    lines = said.splitlines()
    assert lines[0] == "Are dwarves worth more than other foot?"
    assert lines[1].startswith("Dwarves: must-pick; who goes without loses ")
    assert "case" in said and "must-pick +" in said
    assert "next: simkit report" in said
    page = next(here.glob("results/which-foot/balance-*/report.html")).read_text(encoding="utf-8")
    assert "What an item gains over what else its price buys" in page
    assert "<script" in page or "<svg" in page


def test_the_same_question_leaves_the_same_bytes_whatever_the_jobs(here, capsys):
    for name, jobs in (("one", 1), ("three", 3)):
        ran(capsys, "balance", "fights.toml", "-q", "--jobs", jobs, "--out", name)
    one, three = (files(here / name) for name in ("one", "three"))
    assert one == three and any("report.json" in name for name in one)


def test_games_that_are_left_decide_what_the_first_look_left_open(here, capsys):
    # going without dwarves costs 41 points; with a gap of 40 that takes more than the first look sees
    (here / "close.toml").write_text(
        FIGHTS.replace("trials = 20_000", "trials = 20_000\ndelta = 0.4\nsevere = 0.45"), encoding="utf-8"
    )
    one, three = (document(capsys, "close.toml", "--jobs", jobs, "--out", f"jobs-{jobs}") for jobs in (1, 3))
    assert one == three and files(here / "jobs-1") == files(here / "jobs-3")
    (case,) = one["cases"]
    assert case["looks"] == 2 and 16_000 < case["games"] <= 20_000
    assert case["items"][0]["word"] == "must-pick" and case["items"][0]["need"]["low"] > 0.4
    page = next(here.glob("jobs-1/**/report.md")).read_text(encoding="utf-8")
    assert "Judged twice" in page


def test_interrupted_it_goes_on_and_ends_the_same(here, capsys, monkeypatch):
    ran(capsys, "balance", "duels.toml", "-q", "--out", "whole")
    play, calls = Ledger.play, []

    def stopped(self, *arguments, **more):
        calls.append(1)
        if len(calls) == 8:
            raise Interrupted(self.played, self.kept, 0)
        return play(self, *arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "play", stopped)
        assert call(["balance", "duels.toml", "-q", "--out", "parts"]) == 130
    kept = len(list(here.glob("parts/**/*.npz")))
    assert kept > 0 and not list(here.glob("parts/**/manifest.json"))
    ran(capsys, "balance", "duels.toml", "-q", "--out", "parts")
    assert files(here / "whole") == files(here / "parts")
    log = json.loads(next(here.glob("parts/**/runs.jsonl")).read_text(encoding="utf-8"))
    assert log["kept"] > 0


def test_rule_options_are_judged_by_what_they_change(here, capsys):
    found = document(capsys, "course.toml")
    jsonschema.validate(found, document_schema("balance"))
    assert not found["cases"] and not found["items"]
    by = {(one["option"], one["title"]): one for one in found["options"]}
    assert len(by) == 4
    odds = [one for (option, _), one in by.items() if option == "altered-odds"]
    assert all(one["word"] in ("raises", "lowers") and one["change"]["method"] == "paired-t" for one in odds)
    # wounds are not what is asked for: nothing changes, and that is no interval of no width
    spared = next(one for (option, _), one in by.items() if option == "fourth-turn")
    assert spared["word"] == "fair"
    assert spared["change"]["estimate"] == 0.0 < spared["change"]["high"]
    assert "altered-odds" in found["verdict"]["answer"].lower()


def test_fail_if(here, capsys):
    arguments = ("balance", "fights.toml", "-q")
    assert "--fail-if overpowered: dwarves" in ran(capsys, *arguments, "--fail-if", "overpowered", code=3).err
    ran(capsys, *arguments, "--fail-if", "dominated")
    assert "dwarves in" in ran(capsys, *arguments, "--fail-if", "need.low > 5 %", code=3).err
    ran(capsys, *arguments, "--fail-if", "need.low > 0.6")
    said = ran(capsys, *arguments, "--fail-if", "overpowerd", code=2).err
    assert "Did you mean 'overpowered'?" in said
    assert "there are lift_uniform" in ran(capsys, *arguments, "--fail-if", "ned.low > 1", code=2).err


def test_the_help_says_what_fail_if_takes(capsys):
    said = " ".join(ran(capsys, "balance", "-h").out.split())
    assert "--fail-if CONDITION" in said and "'need.low > 5 %'" in said and "needs them here too" in said


def test_everything_bad_stops_at_the_door(here, capsys):
    (here / "bad.toml").write_text(FIGHTS.replace('items = ["dwarves"]\ntrials', 'items = ["dwarfs"]\ntrials'))
    said = ran(capsys, "balance", "bad.toml", code=2).err
    assert "bad.toml:12" in said and "no build has an item called 'dwarfs'" in said and "dwarves" in said
    assert not (here / "results").exists()
    assert "at least" in ran(capsys, "balance", "fights.toml", "--trials", 10, code=2).err
    assert "there is no table [balance]" in ran(capsys, "balance", simkit_experiment(here), code=2).err


def simkit_experiment(folder):
    path = folder / "plain.toml"
    path.write_text(FIGHTS.partition("[balance]")[0], encoding="utf-8")
    return path


def test_python_does_the_same(here):
    found = simkit.balance("fights.toml", trials=12_000)
    assert found.verdict["word"] == "must-pick"
    again = simkit.balance(found.folder / "experiment.resolved.toml")
    assert again.folder == found.folder
    other = simkit.balance("fights.toml", trials=12_000, seed=5)
    assert other.folder != found.folder


def test_run_leaves_the_table_alone(here, capsys):
    (here / "plain.toml").write_text(FIGHTS.partition("[balance]")[0], encoding="utf-8")
    plain, asked = (
        ran(capsys, "run", f"{name}.toml", "-q", "--trials", 200, "--json", "--out", name).out
        for name in ("plain", "fights")
    )
    without = ("experiment", "run", "file")
    one, other = (
        {key: value for key, value in json.loads(text).items() if key not in without} for text in (plain, asked)
    )
    assert one == other
