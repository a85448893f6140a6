"""Who may import whom, read from the sources and seen in fresh interpreters."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import simkit.core

PACKAGE = Path(simkit.core.__file__).parents[1]
LADDER = ["core", "games", "lab", "balance", "report", "api", "cli"]
ROOMS = {room: {"stats", *LADDER[: k + 1]} for k, room in enumerate(LADDER)}
ROOMS |= {"core": {"core"}, "games": {"core", "games"}, "stats": {"stats"}, "__init__": {"api"}, "__main__": {"cli"}}
"""Which rooms each room may import: itself and those below it."""
OTHERS = {
    "core": {"numpy"},
    "core/jit.py": {"numpy", "numba", "llvmlite"},
    "core/whole.py": {"numba"},
    "games": {"numpy", "pydantic", "pydantic_core"},
    "stats": {"numpy", "scipy.special"},
}
"""What the lower rooms may import from outside; the rooms above may use all but the modules below."""
NOWHERE = {"numba", "llvmlite"}
SHARED = {"protocol", "hooks", "readings", "rulefields"}
"""What every game may import of the room of games, beside its own folder."""
BUILT_ON = {"juggerball": "jugger", "pigtable": "pigtickler"}
"""Games that are built on another: juggerball is the battles of Jugger with a ball, a table has many pigs."""


def imports(source, module):
    """List the absolute names that a module imports anywhere, inside functions too."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = module[: -node.level] if node.level else []
            base = ".".join([*above, node.module] if node.module else above)
            found += [f"{base}.{name.name}" for name in node.names]
    return [name for name in found if name.split(".")[0] not in sys.stdlib_module_names]


def starts(name, allowed):
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in allowed)


def wrong(path, source):
    """List what a file of the package must not import; `path` is relative to the package."""
    room, found = path.parts[0].removesuffix(".py"), []
    for name in imports(source, ["simkit", *path.with_suffix("").parts]):
        parts = name.split(".")
        if parts[0] == "simkit":
            target = parts[1] if len(parts) > 1 and parts[1] in ROOMS else "api"
            game = parts[2] if target == room == "games" and len(parts) > 2 else "protocol"
            mine = {*path.parts[1:2], *(BUILT_ON[own] for own in path.parts[1:2] if own in BUILT_ON)}
            bad = target not in ROOMS[room] or game not in {*SHARED, *mine}
        else:
            allowed = OTHERS.get(path.as_posix(), OTHERS.get(room))
            bad = starts(name, NOWHERE - (allowed or set())) or (allowed is not None and not starts(name, allowed))
        found += [f"{path}: {name}"] if bad else []
    return found


FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


def test_every_file_keeps_to_its_room():
    assert {path.parts[0].removesuffix(".py") for path in FILES} == set(ROOMS)
    assert [line for path in FILES for line in wrong(path, (PACKAGE / path).read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("core/odds.py", "from simkit.games import protocol"),
        ("core/odds.py", "from simkit import lab"),
        ("core/odds.py", "import numba"),
        ("core/odds.py", "def f():\n    from pandas import DataFrame"),
        ("core/odds.py", "from ..stats import intervals"),
        ("core/odds.py", "import pydantic"),
        ("stats/tails.py", "from simkit.core.dice import parse"),
        ("stats/tails.py", "from scipy import stats"),
        ("stats/tails.py", "import scipy.optimize"),
        ("games/pigtickler/play.py", "import numba"),
        ("games/pigtickler/play.py", "import simkit.lab.toml"),
        ("games/pigtickler/play.py", "from simkit.stats import intervals"),
        ("games/other/play.py", "from simkit.games.pigtickler import rules"),
        ("games/jugger/play.py", "from simkit.games.juggerball import rules"),
        ("games/juggerball/play.py", "from simkit.games.pigtickler import rules"),
        ("games/protocol.py", "from simkit.games.pigtickler.rules import Rules"),
        ("games/pigtickler/narrate.py", "import matplotlib.pyplot as plt"),
        ("lab/toml.py", "from simkit.report import page"),
        ("lab/toml.py", "from numba import njit"),
        ("report/page.py", "from simkit import cli"),
        ("cli/play.py", "import numba"),
        ("lab/toml.py", "from simkit import run"),
        ("lab/toml.py", "import simkit"),
        ("api/runs.py", "from simkit.cli import main"),
        ("__init__.py", "from simkit.lab import runner"),
    ],
)
def test_wrong_ways_are_seen(path, line):
    assert len(wrong(Path(path), line)) == 1


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("core/jit.py", "import numba, llvmlite.binding"),
        ("core/odds.py", "import os.path, numpy as np"),
        ("stats/tails.py", "from scipy import special\nfrom scipy.special import ndtr\nfrom . import moments"),
        ("games/pigtickler/play.py", "from simkit.core import jit\nimport pydantic\nfrom .rules import Rules"),
        ("games/pigtickler/play.py", "from ..pigtickler import rules\nfrom . import rules"),
        ("games/pigtickler/play.py", "from simkit.games.protocol import Line"),
        ("games/juggerball/play.py", "from simkit.games.jugger.rules import Rules"),
        ("lab/runner.py", "import pandas\nfrom simkit.stats import tails\nfrom simkit.games.pigtickler import game"),
        ("report/plots.py", "import matplotlib\nfrom simkit.balance import verdict"),
        ("cli/look.py", "import simkit\nfrom simkit import run\nfrom simkit.report import page"),
        ("__init__.py", "from simkit import api"),
    ],
)
def test_right_ways_are_let_through(path, line):
    assert wrong(Path(path), line) == []


HEAVY = {"numba", "llvmlite", "pandas", "scipy.stats", "matplotlib", "pyarrow"}


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("simkit", HEAVY | {"numpy", "pydantic"}),
        ("simkit.core.dice", HEAVY | {"numpy", "pydantic"}),
        ("simkit.core.trials", HEAVY | {"numpy", "pydantic"}),
        ("simkit.core.layout", HEAVY | {"pydantic"}),
        ("simkit.core.key", HEAVY | {"pydantic"}),
        ("simkit.core.dicetable", HEAVY | {"pydantic"}),
        ("simkit.games.protocol", HEAVY | {"numpy"}),
        ("simkit.games.battlesystem.game", HEAVY),
        ("simkit.games.jugger.game", HEAVY),
        ("simkit.games.pigtickler.game", HEAVY),
        ("simkit.games.pigtickler.rules", HEAVY),
        ("simkit.games.pigtickler.course", HEAVY),
        ("simkit.stats", HEAVY | {"scipy.optimize", "pydantic"}),
    ],
)
def test_light_modules_load_nothing_heavy(module, heavy):
    code = f"import sys, {module}; print(*sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_heavy_module_would_be_seen():
    code = "import sys, simkit.core.jit; print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"
