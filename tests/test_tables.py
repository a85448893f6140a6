"""simkit check reads every table of a file as the command would that answers it."""

import json

import pytest

from simkit.api.tables import READERS, check_tables
from simkit.lab import plan as planning
from simkit.lab.experiment import Experiment
from simkit.lab.problems import ProblemError
from tests.commandline import ran

DUEL = """
schema = 1
name = "two-tables"
question = "Who wins?"
game = "jugger"
[sides]
a = { design = "archer" }
b = { design = "gorger" }
[scenario]
distance = 5
"""
FINE = """
[balance]
items = ["legs"]
budgets = [3]
[matrix]
designs = ["archer", "gorger", "tug"]
"""
WRONG = FINE.replace("[3]", "[3, 99]").replace('"tug"', '"tugg"')


def test_what_is_fine_is_named(tmp_path, capsys):
    file = tmp_path / "two.toml"
    file.write_text(DUEL + FINE, encoding="utf-8")
    assert ran(capsys, "check", str(file)).out.endswith("; fine as well: [balance], [matrix]\n")
    assert check_tables(planning.make(file)) == ["balance", "matrix"]


def test_the_mistakes_of_all_tables_are_told_at_once(tmp_path, capsys):
    file = tmp_path / "two.toml"
    file.write_text(DUEL + WRONG, encoding="utf-8")
    found = json.loads(ran(capsys, "check", str(file), "--json", code=2).out)["files"][0]
    assert [one["line"] for one in found["problems"]] == [14, 16]
    assert "99" in found["problems"][0]["message"] and "tugg" in found["problems"][1]["message"]
    with pytest.raises(ProblemError) as caught:
        check_tables(planning.make(file))
    assert len(caught.value.problems) == 2


def test_every_table_of_a_command_is_read():
    commands = {"matrix", "league", "balance", "solve", "sensitivity", "search", "tune"}
    asked = commands & Experiment.model_fields.keys()
    assert asked <= set(READERS)
