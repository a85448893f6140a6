"""What a command may import before it is of use, seen in fresh interpreters."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = {"numba", "llvmlite", "pandas", "pyarrow", "matplotlib", "rich", "jinja2"}
QUESTION = "experiments/altered_odds.toml"

WATCH = """
import sys
from simkit.cli import call
code = call(sys.argv[1:])
print("\\nloaded", code, *sorted({name.partition(".")[0] for name in sys.modules} | set(sys.modules)))
"""


def loaded(*arguments):
    """Call a command in a fresh interpreter and return the modules that are there in the end."""
    done = subprocess.run(
        [sys.executable, "-c", WATCH, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    word, code, *modules = done.stdout.splitlines()[-1].split()
    assert (word, code) == ("loaded", "0"), done.stderr
    return set(modules)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["plan", "--help"],
        ["run", "--help"],
        ["odds", "2d6>=8"],
        ["odds", "2d6>=8", "--json"],
    ],
    ids=" ".join,
)
def test_help_and_odds_load_nothing_they_do_not_need(arguments):
    assert loaded(*arguments) & (HEAVY | {"numpy", "scipy", "pydantic", "tomllib", "simkit.lab"}) == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ["rules", "pigtickler"],
        ["rules", "pigtickler", "P-DN-4"],
        ["designs"],
        ["designs", "pigtickler"],
        ["designs", "battlesystem"],
        ["rules", "battlesystem", "B-SET-2"],
        ["games"],
    ],
    ids=" ".join,
)
def test_rules_and_designs_load_neither_numpy_nor_kernels(arguments):
    modules = loaded(*arguments)
    assert modules & (HEAVY | {"numpy", "scipy", "simkit.core.jit"}) == set()
    assert "pydantic" in modules


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", QUESTION, "experiments/house/soft-bogs.toml"],
        ["rules", "pigtickler", "--diff", "experiments/house/soft-bogs.toml"],
        ["plan", QUESTION],
        ["schema"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_checking_and_planning_load_no_kernels(arguments):
    assert loaded(*arguments) & (HEAVY | {"simkit.core.jit", "simkit.games.pigtickler.play"}) == set()


def test_a_command_that_needs_kernels_is_seen_to_load_them():
    assert {"numba", "simkit.core.jit"} <= loaded("replay", QUESTION)
