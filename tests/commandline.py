"""Calling the command line from tests: in this process, where that is enough, or in one of its own."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

from simkit.cli import call

ROOT = Path(__file__).parents[1]
QUESTIONS = ROOT / "experiments"
ODDS = QUESTIONS / "altered_odds.toml"
DAMAGE = QUESTIONS / "unicycle_damage.toml"
FENCES = QUESTIONS / "fences_or_bogs.toml"
SOFT = QUESTIONS / "house" / "soft-bogs.toml"
BAD = Path(__file__).parent / "hostile" / "report_typo.toml"

ONE = """
schema = 1
name = "one"
question = "How often does he finish?"
game = "pigtickler"
[course]
steps = [{ down = 2 }, { bog = "swamp" }, { pig = true }]
turns = 3
"""


def settle(folder, monkeypatch):
    """Work in a folder, without a window whose width would matter and without drawing the plots of every run."""
    monkeypatch.chdir(folder)
    for name in ("COLUMNS", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("simkit.report.files.write_report", document_alone)


def document_alone(document, store):
    """Write the document of a report and draw nothing."""
    store.write("report.json", json.dumps(document))


def question(file):
    """Return the question that an experiment asks."""
    return tomllib.loads(file.read_text(encoding="utf-8"))["question"]


def ran(capsys, *arguments, code=0):
    """Call a command, hold its exit code against the expected one, and return what it printed."""
    assert call([str(argument) for argument in arguments]) == code
    return capsys.readouterr()


def said(capsys, *arguments, code=2):
    """Return what a command that fails says on stderr; on stdout it says nothing."""
    out, err = ran(capsys, *arguments, code=code)
    assert out == ""
    assert "Traceback" not in err
    return err


def fits(text, columns):
    return [line for line in text.splitlines() if len(line) > columns] == []


def process(*arguments, **more):
    """Run simkit in a process of its own."""
    return subprocess.run([sys.executable, "-m", "simkit", *map(str, arguments)], capture_output=True, **more)
