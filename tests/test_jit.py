"""Compiled functions: signatures from annotations, and a cache that is private, exact and can be done without.

Most tests run a toy game in a copy of the core, in fresh interpreters with a cache folder of their own.
"""

import inspect
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import MutableSequence, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from numba import from_dtype, types
from numpy.typing import NDArray

from simkit.core import jit
from simkit.core.jit import numba_type, signature
from simkit.core.layout import Record

CORE = Path(jit.__file__).parent


# Signatures


class Gun(Record):
    reach: int
    loaded: bool


class Shot(NamedTuple):
    reach: int
    hit: bool


class Pair(NamedTuple):
    a: int
    b: int


GUN = from_dtype(Gun.dtype())


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (int, types.int64),
        (bool, types.boolean),
        (np.uint64, types.uint64),
        (type(None), types.none),
        (Gun, GUN),
        (Annotated[Sequence[Gun], 1], types.Array(GUN, 1, "C")),
        (Annotated[MutableSequence[Gun], 2], types.Array(GUN, 2, "C")),
        (Annotated[NDArray[np.int64], 4], types.Array(types.int64, 4, "C")),
        (Annotated[NDArray[np.uint64], 1], types.Array(types.uint64, 1, "C")),
        (Shot, types.NamedTuple([types.int64, types.boolean], Shot)),
        (Pair, types.NamedUniTuple(types.int64, 2, Pair)),
    ],
)
def test_numba_type(hint, expected):
    assert numba_type(hint) == expected


@pytest.mark.parametrize(
    "hint",
    [
        float,
        str,
        object,
        tuple,
        tuple[int, int],
        np.int32,
        list[int],
        Sequence[Gun],
        NDArray[np.int64],
        Annotated[int, 3],
        Annotated[Sequence[int], 3],
        Annotated[Sequence[Gun], 1, 2],
        int | None,
    ],
    ids=str,
)
def test_other_types_are_refused(hint):
    with pytest.raises(TypeError, match="cannot enter a kernel; use int, bool"):
        numba_type(hint)


def test_signature():
    def shoot(gun: Gun, guns: Annotated[Sequence[Gun], 1], bits: np.uint64, wild: bool) -> Shot:
        raise AssertionError

    def reload(gun: Gun) -> None:
        raise AssertionError

    assert signature(shoot) == numba_type(Shot)(GUN, types.Array(GUN, 1, "C"), types.uint64, types.boolean)
    assert signature(reload) == types.none(GUN)


def test_signature_needs_every_annotation():
    def no_result(a: int):
        raise AssertionError

    def no_parameter(a: int, b) -> int:
        raise AssertionError

    def wrong(a: int, b: float) -> int:
        raise AssertionError

    with pytest.raises(TypeError, match="no_result has no annotation for 'return'"):
        signature(no_result)
    with pytest.raises(TypeError, match="no_parameter has no annotation for 'b'"):
        signature(no_parameter)
    with pytest.raises(TypeError, match="<class 'float'> cannot enter a kernel"):
        signature(wrong)


# A toy game in a copy of the core

RULES = """
from simkit.core.jit import rule

@rule
def succeeds(roll: int, target: int) -> bool:
    return roll >= target
"""
PLAY = """
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simkit.core.jit import entry, kernel
from simkit.core.rng import draw, stream
from simkit.games.toy.rules import succeeds

@kernel
def throw(key: np.uint64, tweak: np.uint64, trial: int) -> int:
    return 1 + np.int64(draw(stream(key, trial), tweak, 0, 0, 0, 0) >> np.uint64(32)) % 6

@entry
def wins(key: np.uint64, tweak: np.uint64, target: int, trials: int) -> int:
    found = 0
    for trial in range(trials):
        found += succeeds(throw(key, tweak, trial), target)
    return found

@entry
def peek(values: Annotated[NDArray[np.int64], 1], k: int) -> int:
    return values[k]
"""
RUN = """
import json, sys
from simkit.core import jit
from simkit.core.rng import make_key

exec(sys.argv[1])
calls, again = [], []
jit.ready("simkit.games.toy", lambda done, total: calls.append([done, total]))
jit.ready("simkit.games.toy", lambda done, total: again.append([done, total]))
from simkit.games.toy.play import peek, wins
from simkit.games.toy.rules import succeeds

found = {"wins": int(wins(*make_key(1), 5, 1000)), "calls": calls, "again": again}
if jit.COMPILED:
    import numba
    room = jit._rooms["simkit.games.toy"]
    found |= {
        "folder": room.folder and str(room.folder),
        "functions": [f.py_func.__name__ for f in jit.dispatchers("simkit.games.toy")],
        "core": len(jit.dispatchers("simkit.core")),
        "hits": sum(wins.stats.cache_hits.values()),
        "signatures": [str(s) for s in succeeds.signatures],
        "elsewhere": numba.config.CACHE_DIR,
    }
exec(sys.argv[2])
print(json.dumps(found))
"""


def copy_core(root, **games):
    """Make a package of the core and of games, each a mapping of file names to sources."""
    package = root / "simkit"
    shutil.copytree(CORE, package / "core", ignore=shutil.ignore_patterns("__pycache__"))
    for name, files in games.items():
        folder = package / "games" / name
        folder.mkdir(parents=True)
        for file, source in ({"__init__": ""} | files).items():
            folder.joinpath(f"{file}.py").write_text(source, encoding="utf-8")
    for folder in (package, package / "games"):
        folder.joinpath("__init__.py").touch()
    return package


def start(root, before="", after="", **settings):
    """Run the toy game at `root` in a fresh interpreter; its home and cache are there too."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "SIMKIT_", "XDG_", "PYTHON"))}
    env = clean | {"HOME": str(root / "home"), "SIMKIT_CACHE_DIR": str(root / "cache")} | settings
    command = [sys.executable, "-c", RUN, before, after]
    return subprocess.Popen(command, cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process):
    out, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    return json.loads(out)


def run(root, before="", after="", **settings):
    return finish(start(root, before, after, **settings))


@pytest.fixture
def root(tmp_path):
    copy_core(tmp_path, toy={"rules": RULES, "play": PLAY})
    return tmp_path


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """Return a root whose toy game was compiled once, and what that run found."""
    root = tmp_path_factory.mktemp("warm")
    copy_core(root, toy={"rules": RULES, "play": PLAY})
    return root, run(root)


def rolls_of(trials):
    """Return the toy's rolls by plain arithmetic on the bits."""
    from simkit.core.rng import draw, make_key, stream

    key = make_key(1)
    words = [np.uint64(stream(key.stream, trial)) for trial in range(trials)]
    return [1 + (int(draw(word, key.tweak, 0, 0, 0, 0)) >> 32) % 6 for word in words]


@pytest.mark.thorough
def test_first_run_compiles_in_order_and_tells_how_far_it_is(warm):
    _, first = warm
    total = first["core"] + len(first["functions"])
    assert first["functions"] == ["succeeds", "throw", "wins", "peek"]
    assert first["calls"] == [[done, total] for done in range(total + 1)]
    assert first["again"] == []
    assert first["hits"] == 0
    assert first["signatures"] == ["(int64, int64)"]
    assert first["wins"] == sum(roll >= 5 for roll in rolls_of(1000))


def test_second_run_loads(warm):
    root, first = warm
    second = run(root)
    assert second["calls"] == []
    assert second["hits"] == 1
    assert (second["wins"], second["folder"]) == (first["wins"], first["folder"])


@pytest.mark.thorough
def test_an_edited_rule_is_compiled_and_the_old_one_comes_back_from_its_cache(warm):
    """The rule is in another file than its caller: numba's own cache would not see the edit."""
    root, first = warm
    rules = root / "simkit/games/toy/rules.py"
    rules.write_text(RULES.replace(">=", ">"), encoding="utf-8")
    edited = run(root)
    assert edited["wins"] == sum(roll > 5 for roll in rolls_of(1000)) != first["wins"]
    assert edited["calls"] != []
    assert edited["folder"] != first["folder"]
    rules.write_text(RULES, encoding="utf-8")
    back = run(root)
    assert (back["wins"], back["folder"]) == (first["wins"], first["folder"])
    assert back["calls"] == []
    assert back["hits"] == 1


def programs(folder: Path) -> list[str]:
    """List the functions whose machine code lies in a folder."""
    return sorted(path.name.rpartition("-")[0] for path in folder.rglob("*.nbi"))


def test_cache_folder_is_private_and_nothing_lies_elsewhere(warm):
    root, first = warm
    folder = Path(first["folder"])
    assert folder.is_relative_to(root / "cache" / "toy")
    for place in (root / "cache", root / "cache/toy", root / "cache/core", folder):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert (folder / "ready").exists()
    assert programs(folder) == ["play.peek", "play.wins"]
    assert programs(root / "cache/core") == []
    assert list((root / "simkit").rglob("*.nb?")) == []
    assert not (root / "home").exists()
    assert first["elsewhere"] == ""


@pytest.mark.thorough
def test_calls_before_ready_with_other_types_do_not_matter(warm):
    root, first = warm
    before = "from simkit.games.toy.rules import succeeds; assert succeeds(True, True)"
    found = run(root, before, SIMKIT_CACHE_DIR=str(root / "early"))
    assert found["signatures"] == ["(int64, int64)"]
    assert found["wins"] == first["wins"]


@pytest.mark.thorough
def test_a_part_that_python_calls_is_compiled_for_it_and_kept(warm):
    """Calls of kernels need no machine code of their own; what Python calls once need not be compiled again."""
    root, first = warm
    place = {"SIMKIT_CACHE_DIR": str(root / "called")}
    after = "assert (throw(*make_key(1), 7), succeeds(5, 5), succeeds(4, 5)) == (throw.py_func(*make_key(1), 7), 1, 0)"
    before = "import simkit.games.toy.play as play; from simkit.games.toy.play import throw"
    hits = "; found['hits'] = sum(f.program.stats.cache_hits.total() for f in (throw, succeeds))"
    found = run(root, before, after + hits, **place)
    assert (found["wins"], found["hits"]) == (first["wins"], 0)
    kept = ["play.peek", "play.throw", "play.wins", "rules.succeeds"]
    assert programs(root / "called/toy") == kept
    assert run(root, before, after + hits, **place)["hits"] == 2
    assert programs(root / "called/toy") == kept


@pytest.mark.parametrize("spoil", ["file", "stranger"])
@pytest.mark.thorough
def test_without_a_cache_every_run_compiles_for_itself(root, warm, spoil):
    """The folder cannot be made, or others may write there."""
    cache = root / "cache"
    if spoil == "file":
        cache.write_text("in the way")
    else:
        cache.mkdir()
        (cache / "toy").mkdir()
        (cache / "toy").chmod(0o777)
    found = run(root)
    assert found["folder"] is None
    assert found["calls"] != []
    assert found["wins"] == warm[1]["wins"]
    assert list((root / "simkit").rglob("*.nb?")) == []
    assert list(cache.glob("toy/**/*.nb?")) == []


@pytest.mark.thorough
def test_two_processes_compile_once(root):
    running = [start(root) for _ in range(2)]
    found = [finish(process) for process in running]
    assert sorted(bool(one["calls"]) for one in found) == [False, True]
    assert len({one["wins"] for one in found}) == 1
    assert sorted(one["hits"] for one in found) == [0, 1]


def test_plain_python_counts_the_same(warm):
    root, first = warm
    plain = run(root, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")
    assert plain == {"wins": first["wins"], "calls": [], "again": []}


def test_index_checks_have_a_cache_of_their_own(warm):
    root, first = warm
    beyond = """
import numpy
try:
    peek(numpy.zeros(3, numpy.int64), 3)
except IndexError:
    found["caught"] = True
"""
    checked = run(root, after=beyond, SIMKIT_BOUNDSCHECK="1")
    assert checked["caught"]
    assert checked["folder"] != first["folder"]
    assert checked["calls"] != []
    assert checked["wins"] == first["wins"]


# What the name of a cache folder depends on


@pytest.fixture
def folder_of(monkeypatch, tmp_path):
    """Return a function that names the cache folder of a room of a package."""
    monkeypatch.setenv("SIMKIT_CACHE_DIR", str(tmp_path / "cache"))

    def folder_of(package, room="simkit.games.toy"):
        monkeypatch.setattr(jit, "__file__", str(package / "core" / "jit.py"))
        return jit._cache_folder(room)

    return folder_of


def test_folder_depends_on_the_core_and_the_own_game_alone(tmp_path, folder_of):
    package = copy_core(tmp_path, toy={"rules": RULES, "play": PLAY}, other={"play": PLAY})
    first = folder_of(package)
    assert folder_of(package) == first
    (package / "games/other/play.py").write_text("")
    (package / "games/protocol.py").write_text("")
    assert folder_of(package) == first
    seen = {first}
    (package / "games/toy/rules.py").write_text(RULES + "\n")
    seen.add(folder_of(package))
    (package / "games/toy/rules.py").rename(package / "games/toy/laws.py")
    seen.add(folder_of(package))
    with (package / "core/rng.py").open("a") as file:
        file.write("\n")
    seen.add(folder_of(package))
    seen.add(folder_of(shutil.copytree(package, tmp_path / "moved" / "simkit")))
    assert len(seen) == 5
    assert {folder.parent for folder in seen} == {tmp_path / "cache" / "toy"}


def test_folder_depends_on_versions_and_checks(tmp_path, folder_of, monkeypatch):
    package = copy_core(tmp_path, toy={})
    seen = {folder_of(package), folder_of(package, "simkit.core")}
    monkeypatch.setattr(jit, "CHECKED", not jit.CHECKED)
    seen.add(folder_of(package))
    for module in (jit.numba, jit.llvmlite, np):
        monkeypatch.setattr(module, "__version__", "0")
        seen.add(folder_of(package))
    monkeypatch.setattr(sys, "version", "3")
    seen.add(folder_of(package))
    assert len(seen) == 7


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"SIMKIT_CACHE_DIR": "/a/b"}, "/a/b"),
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/simkit"),
        ("linux", {"HOME": "/home/me"}, "/home/me/.cache/simkit"),
        ("darwin", {"HOME": "/Users/me"}, "/Users/me/Library/Caches/simkit"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/simkit"),
    ],
)
def test_cache_root(monkeypatch, platform, variables, expected):
    for name in ("SIMKIT_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(jit.sys, "platform", platform)
    assert jit.cache_root() == Path(expected)


def test_prune_keeps_the_last_used(tmp_path):
    folders = [tmp_path / name for name in "abcdef"]
    for age, folder in enumerate(folders):
        folder.mkdir()
        (folder / "code").touch()
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    jit._prune(folders[-1])
    assert jit.KEPT_CACHES == 4
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["a", "b", "c", "f"]


# The real game


@pytest.mark.slow
def test_an_edited_rule_of_pig_tickler(tmp_path):
    """One manoeuvre with 2d6 against 6: 26 of 36 succeed; if the total had to be above 6, 21 would."""
    shutil.copytree(CORE.parent, tmp_path / "simkit", ignore=shutil.ignore_patterns("__pycache__"))
    code = inspect.cleandoc(
        """
        import json, numpy as np
        from simkit.core.rng import make_key
        from simkit.games.pigtickler import game
        calls = []
        game.ready(lambda done, total: calls.append(done))
        setup = game.compile(game.Scenario.model_validate({"course": {"steps": [{"turn": 1}]}}), game.Rules())
        out = np.zeros((1, 256, len(game.OUTCOMES), 4), np.int64)
        game.play_block(game.pack([setup]), game.new_state(), make_key(1), 0, 360_000, out)
        print(json.dumps([len(calls), int(out[0, :, 0, 0].sum())]))
        """
    )

    def play():
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "SIMKIT_", "PYTHON"))}
        env = clean | {"SIMKIT_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    rule = tmp_path / "simkit/games/pigtickler/manoeuvre.py"
    source = rule.read_text(encoding="utf-8")
    edited = source.replace("rules.target - modifier", "rules.target - modifier + 1")
    assert edited != source
    compiled, wins = play()
    assert compiled > 0
    assert abs(wins - 260_000) < 1400
    rule.write_text(edited, encoding="utf-8")
    compiled, fewer = play()
    assert compiled > 0
    assert abs(fewer - 210_000) < 1500
    rule.write_text(source, encoding="utf-8")
    assert play() == [0, wins]
