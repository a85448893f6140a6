"""What must hold of the compiled Pig Tickler kernels whatever the rules say: types, bounds, blocks, pairs, traces."""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.core import jit
from simkit.core.rng import make_key
from simkit.games.pigtickler.records import EVENTS, TASKS
from tests.pigtickler_courses import HIGH_KEY, rules_of, scenario_of, setup_of

ROOM = "simkit.games.pigtickler"
ROOT = Path(__file__).resolve().parents[1]
TRIALS = [*range(10), *range(10**12, 10**12 + 10)]

DAMAGE = {"unicycle_damage": True}
PLAYED: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (  # moves every metric
        {
            "steps": [{"down": 1}, {"avoid": "lancer"}, {"pig": True}, {"down": 1}, {"turn": 1}, {"ramp": True}],
            "ahead": "swamp",
            "turns": 3,
        },
        {**DAMAGE, "wreck_at": 1},
    ),
    ({"steps": [{"down": 2}, {"turn": 1}, {"bog": "swamp"}], "ahead": "obstacle", "turns": 2}, {}),
    ({"steps": [{"down": 1}, {"avoid": "lancer"}, {"cross": "fence"}, {"up": 2}], "turns": 5}, DAMAGE),
    ({"steps": [{"down": 1}, {"cross": "hedge"}, {"down": 1}, {"pig": True}], "turns": 4}, {"dice": "3d6kh2"}),
    ({"steps": [{"down": 1}, {"stop": True}, {"ramp": True}, {"chasm": True}], "ahead": "lancer", "turns": 3}, DAMAGE),
    (
        {"steps": [{"down": 1}, {"bog": "ford", "bends": 2}, {"pig": True}, {"beside": "wall"}], "turns": 6},
        {"free_facing": False, "bog_edge_reroll": True, "hit_fumble": 6, "dice": "1d10"},
    ),
    (  # as many tasks as there is room for, and more events than a trace has room for
        {"steps": [{"turn": 99}, {"up": TASKS - 99}], "turns": 1000},
        {"standard_target": 9, "free_facing": False, "uphill_reroll": True},
    ),
]
DIFFERENCES = slice(2, 4)


def traced(game: Any, setup: Any, trial: int) -> tuple[list[int], list[Any], int]:
    """Play one trial with its trace: the outcome, the events kept, and how many there were."""
    state = game.new_state()
    state.room = EVENTS
    outcome = game.play_one(setup, state, HIGH_KEY, trial)
    noted = int(state.noted)
    return [int(value) for value in outcome], state.events[: min(noted, EVENTS)].tolist(), noted


def replay(game: Any, courses: list[Any] = PLAYED) -> list[Any]:
    """Play 20 trials of each course, traced."""
    return [traced(game, setup_of(*pair), trial) for pair in courses for trial in TRIALS]


def counted(game: Any, pairs: list[Any], spans: list[tuple[int, int]]) -> Any:
    """Play blocks of trials of some courses in one call each."""
    setups = game.pack([setup_of(*pair) for pair in pairs])
    out = np.zeros((len(pairs), 256, len(game.OUTCOMES), 4), np.int64)
    for first, end in spans:
        game.play_block(setups, game.new_state(), HIGH_KEY, first, end, out)
    return out


def everything(game: Any) -> None:
    """Use the kernels in every way that the package does."""
    counted(game, PLAYED, [(0, 600)])
    counted(game, PLAYED[:1], [(0, 600)])
    for drawn, house in PLAYED[:3]:
        game.exact(scenario_of(drawn), rules_of(house))
        game.trace(setup_of(drawn, house), HIGH_KEY, 0)


def in_child(task: str, *options: str, **environment: str) -> Any:
    """Run a function of this file in a fresh interpreter and return what it prints."""
    code = f"import json; from {__name__} import {task}; print(json.dumps({task}()))"
    run = subprocess.run(
        [sys.executable, *options, "-c", code],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def as_json(value: Any) -> Any:
    """Write tuples as lists, as a child prints them."""
    return json.loads(json.dumps(value))


# One signature, whole numbers, bounds


def test_one_signature_for_all_setups(pigtickler: Any) -> None:
    """Whatever is played, no kernel is compiled a second time for other types."""
    everything(pigtickler)
    signatures = {made.py_func.__name__: len(made.signatures) for made in jit.dispatchers(ROOM)}
    assert signatures["play"] == signatures["play_block"] == 1
    assert max(signatures.values()) == 1


def fresh() -> dict[str, Any]:
    """Compile everything with index checks, use it, and report (in a child process)."""
    from numba import types

    from simkit.games.pigtickler import game

    shown: list[tuple[int, int]] = []
    game.ready(lambda done, total: shown.append((done, total)))
    made = jit.dispatchers(ROOM)
    after_ready = {kernel.py_func.__name__: len(kernel.signatures) for kernel in made}
    floats = {
        f"{kernel.py_func.__name__}: {name}"
        for kernel in made
        for overload in kernel.overloads.values()
        for name, kind in overload.type_annotation.typemap.items()
        if isinstance(kind, types.Float | types.Complex)
    }
    typed = sum(len(overload.type_annotation.typemap) for kernel in made for overload in kernel.overloads.values())
    everything(game)
    try:
        out = np.zeros((1, 100, len(game.OUTCOMES), 4), np.int64)
        game.play_block(game.pack([setup_of(*PLAYED[0])]), game.new_state(), HIGH_KEY, 0, 256, out)
        caught = ""
    except IndexError as error:
        caught = str(error)
    return {
        "checked": jit.CHECKED,
        "caught": caught,
        "shown": shown,
        "after_ready": after_ready,
        "after_use": {kernel.py_func.__name__: len(kernel.signatures) for kernel in made},
        "typed": typed,
        "floats": sorted(floats),
        "replay": replay(game),
    }


@pytest.fixture(scope="module")
def compiled_afresh(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Compile once more, with index checks and into a cache of its own."""
    folder = tmp_path_factory.mktemp("cache")
    return dict(in_child("fresh", SIMKIT_BOUNDSCHECK="1", SIMKIT_CACHE_DIR=str(folder)))


def test_one_signature_after_a_fresh_compile(compiled_afresh: dict[str, Any]) -> None:
    """Every function is compiled by ``ready``, once, and progress is told from none to all."""
    assert set(compiled_afresh["after_ready"].values()) == {1}
    assert compiled_afresh["after_use"] == compiled_afresh["after_ready"]
    shown = compiled_afresh["shown"]
    assert shown[0][0] == 0
    assert shown[-1][0] == shown[-1][1] >= len(compiled_afresh["after_ready"])
    assert all(after[0] == before[0] + 1 for before, after in pairwise(shown))


def test_no_floats_in_kernels(compiled_afresh: dict[str, Any]) -> None:
    """No variable of any kernel is a floating-point number."""
    assert compiled_afresh["typed"] > 500
    assert compiled_afresh["floats"] == []


def test_index_checks_find_nothing(pigtickler: Any, compiled_afresh: dict[str, Any]) -> None:
    """With index checks on (a block's counts that are too short show that they are) the same comes out."""
    assert compiled_afresh["checked"]
    assert "out of bounds" in compiled_afresh["caught"]
    assert compiled_afresh["replay"] == as_json(replay(pigtickler))


def plain() -> dict[str, Any]:
    """Replay without compiling (in a child process)."""
    from simkit.games.pigtickler import game

    game.ready()
    blocks = [counted(game, PLAYED[:2], [(250, 270)]), counted(game, PLAYED[1:2], [(250, 270)])]
    return {"compiled": jit.COMPILED, "replay": replay(game), "blocks": [block.tolist() for block in blocks]}


def test_plain_python_gives_the_same_bits(pigtickler: Any) -> None:
    """Without the compiler, warnings as errors, keys above 2**63: outcomes, events and counts are the same."""
    without = in_child("plain", "-W", "error", NUMBA_DISABLE_JIT="1")
    assert not without.pop("compiled")
    compiled = plain()
    assert compiled.pop("compiled")
    assert without == as_json(compiled)


# Memory beyond what a course uses


def test_unused_rows_and_old_riders_change_nothing(pigtickler: Any) -> None:
    """Rows beyond the last task, and whatever a state was left with, are never read."""
    for pair in PLAYED:
        clean, poisoned = setup_of(*pair), setup_of(*pair)
        for row in range(int(poisoned.length), TASKS):
            task = poisoned.tasks[row]
            for name in task.dtype.names:
                setattr(task, name, True if task.dtype[name] == np.bool_ else -(10**9))
        state = pigtickler.new_state()
        for trial in TRIALS:
            for name in state.rider.dtype.names:
                setattr(state.rider, name, True if state.rider.dtype[name] == np.bool_ else -(10**9))
            state.noted = 10**9
            played = pigtickler.play_one(poisoned, state, HIGH_KEY, trial)
            assert played == pigtickler.play_one(clean, pigtickler.new_state(), HIGH_KEY, trial)


def test_equal_courses_are_equal_bytes() -> None:
    """A setup is a fingerprint: written in another way, the same course gives the same bytes; another gives others."""
    one = setup_of({"steps": [{"up": 2}, {"cross": "hedge"}, {"bog": "grass"}]})
    same = setup_of({"steps": [{"up": 1}, {"up": 1}, {"cross": "fence"}, {"bog": "rocks", "bends": 0}], "turns": 1})
    assert one.tobytes() == same.tobytes()
    assert one.tobytes() != setup_of({"steps": [{"up": 2}, {"cross": "hedge"}, {"bog": "snow"}]}).tobytes()


# Blocks


def test_blocks_of_any_size_in_any_order(pigtickler: Any) -> None:
    """How trials are cut into blocks, and when each is played, changes no count."""
    whole = counted(pigtickler, PLAYED, [(0, 1500)])
    cuts = [0, 1, 2, 19, 256, 257, 1000, 1500]
    pieces = list(pairwise(cuts))
    assert np.array_equal(counted(pigtickler, PLAYED, pieces), whole)
    assert np.array_equal(counted(pigtickler, PLAYED, pieces[::-1]), whole)
    assert np.array_equal(counted(pigtickler, PLAYED, [(first, first + 1) for first in range(1500)]), whole)
    assert not np.array_equal(counted(pigtickler, PLAYED, [(0, 1499)]), whole)


def test_an_empty_block_counts_nothing(pigtickler: Any) -> None:
    """No trials, no counts."""
    assert not counted(pigtickler, PLAYED[:2], [(7, 7)]).any()


def test_number_of_setups_in_a_call(pigtickler: Any) -> None:
    """Played alone, in pairs or all together, a course gives the same sums."""
    span = [(0, 777)]
    together = counted(pigtickler, PLAYED, span)
    for i, pair in enumerate(PLAYED):
        alone = counted(pigtickler, [pair], span)
        assert np.array_equal(alone[0, ..., :2], together[i, ..., :2])
        assert not alone[..., 2:].any()
        assert np.array_equal(counted(pigtickler, [PLAYED[0], pair], span)[1], together[i])


def test_sums_are_those_of_single_trials(pigtickler: Any) -> None:
    """Sums, squares and differences of a block, batch by batch, from trials played one by one."""
    first, end = 130, 900
    block = counted(pigtickler, PLAYED, [(first, end)])
    expected = np.zeros_like(block)
    state = pigtickler.new_state()
    setups = [setup_of(*pair) for pair in PLAYED]
    for trial in range(first, end):
        base = np.array(pigtickler.play_one(setups[0], state, HIGH_KEY, trial))
        for s, setup in enumerate(setups):
            outcome = np.array(pigtickler.play_one(setup, state, HIGH_KEY, trial))
            gain = outcome - base
            expected[s, trial % 256] += np.stack([outcome, outcome**2, gain, gain**2], axis=1)
    assert np.array_equal(block, expected)
    assert block[0, ..., 0].any(axis=0).all(), "a metric that the baseline never moves is not subtracted"
    assert block[1:, ..., DIFFERENCES].any(axis=(0, 1)).all()


def test_a_variant_equal_to_its_baseline(pigtickler: Any) -> None:
    """All differences are zero, in every trial: the dice are common."""
    block = counted(pigtickler, [PLAYED[1], PLAYED[1], PLAYED[2]], [(0, 1000)])
    assert not block[1, ..., 2:].any()
    assert np.array_equal(block[0, ..., :2], block[1, ..., :2])
    assert block[2, ..., 2:].any()


def test_keys_and_trials_are_distinct_dice(pigtickler: Any) -> None:
    """Another seed, replication or trial number gives other outcomes."""
    setup, state = setup_of(*PLAYED[-1]), pigtickler.new_state()
    keys = [make_key(1), make_key(2), make_key(1, 1), HIGH_KEY]
    rows = {tuple(pigtickler.play_one(setup, state, key, trial).rolls for trial in range(30)) for key in keys}
    assert len(rows) == len(keys)
    assert len({pigtickler.play_one(setup, state, keys[0], trial).turns_used for trial in range(100)}) > 20


# Traces


def test_tracing_changes_no_outcome(pigtickler: Any) -> None:
    """A trace is kept beside the trial, not in its way; one that is full goes on counting."""
    full = 0
    for pair in PLAYED:
        setup = setup_of(*pair)
        for trial in TRIALS:
            outcome, events, noted = traced(pigtickler, setup, trial)
            silent = pigtickler.new_state()
            assert outcome == list(pigtickler.play_one(setup, silent, HIGH_KEY, trial))
            assert silent.noted == 0
            assert not silent.events.view(np.uint8).any()
            assert len(events) == min(noted, EVENTS) > 0
            full += noted > EVENTS
    assert full > 0
