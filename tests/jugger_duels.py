"""Battles for tests of the kernels: duels with everything aboard, a small fray, a crowd that fills the records."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from simkit.core.key import Key
from simkit.core.trials import BATCHES
from simkit.games.jugger import game
from simkit.games.jugger.records import EVENTS
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario

ROOT = Path(__file__).resolve().parents[1]
HIGH_KEY = Key(np.uint64(0xF0E1D2C3B4A59687), np.uint64(0x8899AABBCCDDEEFF))
"""Both words above 2**63, where signed arithmetic would show."""

NAMES = [metric.name for metric in game.OUTCOMES]
TOWN = {
    "half_length": 5, "half_rows": 3, "symmetric": True,
    "forests": [[1, 0]], "houses": [[2, -3]], "rubble": [[0, 1]], "obstacles": [[3, 1]], "walls": [[-1, -2], [0, -2]],
}  # fmt: skip
MAGE = {"size": 4, "equipment": ["wizard", "claw arm", "fire pump", "steering"], "captain": "luck"}
RIDER = {"size": 3, "equipment": ["main ram +1", "ballista", "winch"], "captain": ["evasion", "damage control"]}
HOLDER = {"size": 5, "equipment": ["legs", "jaws", "cauldron", "boarders", "wheel spikes"]}
DUELS: list[tuple[Any, Any, dict[str, Any], dict[str, Any]]] = [
    (MAGE, RIDER, {"distance": 3, "max_turns": 4}, {}),
    (HOLDER, MAGE, {"distance": 1, "a_arc": 1, "max_turns": 5}, {"captains": "random"}),
    ({"units": [{"design": RIDER}, {"design": HOLDER}]}, {"units": [{"design": MAGE}, {"design": "gorger"}]},
     {"map": TOWN, "velocity": 2, "max_turns": 3}, {"initiative": "jug", "push_collides": True}),
]  # fmt: skip


def setup_of(duel: tuple[Any, Any, dict[str, Any], dict[str, Any]], policy: str) -> Any:
    """Compile one of the battles above."""
    a, b, battle, house = duel
    sides = {name: side if "units" in side else {"design": side} for name, side in (("a", a), ("b", b))}
    scenario = Scenario.model_validate({"sides": sides, "scenario": battle, "policy": policy})
    assert game.complaints(scenario, Rules(**house)) == []
    return game.compile(scenario, Rules(**house))


def setups_of(*policies: str) -> list[Any]:
    """Compile all of them for some players."""
    return [setup_of(duel, policy) for duel in DUELS for policy in policies]


def traced(
    setup: Any, trial: int, seat: int, room: int = EVENTS, state: Any = None
) -> tuple[dict[str, int], list[Any], int]:
    """Play one battle with its trace: the outcome, the events kept, and how many there were."""
    state = game.new_state() if state is None else state
    state.room = room
    outcome = game.play_one(setup, state, HIGH_KEY, trial, seat)
    noted = int(state.noted)
    state.room = 0
    return dict(zip(NAMES, map(int, outcome), strict=True)), state.events[: min(noted, room)].tolist(), noted


def counted(setups: list[Any], spans: list[tuple[int, int]]) -> Any:
    """Play blocks of units of some setups in one call each."""
    rows, state = game.pack(setups), game.new_state()
    out = np.zeros((len(setups), BATCHES, len(NAMES), 4), np.int64)
    for first, end in spans:
        game.play_block(rows, state, HIGH_KEY, first, end, out)
    return out


def in_child(module: str, task: str, *options: str, **environment: str) -> Any:
    """Run a function of a test file in a fresh interpreter and return what it prints."""
    code = f"import json; from {module} import {task}; print(json.dumps({task}()))"
    done = subprocess.run(
        [sys.executable, *options, "-c", code],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def crowd(policy: str) -> Any:
    """Return a battle that fills the records: twelve a side, twenty weapons each, fires and holds that add up."""
    weapons = ["4 mirrors", "4 jaws", "4 ballistas", "2 claw arms", "2 cauldrons", "2 wheel spikes", "2 saw arms"]
    design = {"size": 20, "equipment": [*weapons], "captain": ["balance", "damage control", "tactics", "speed"]}
    full = {"map": {"half_length": 28, "half_rows": 8, "walls": [[q, -8] for q in range(-20, 20)]}, "max_turns": 6}
    where = {
        side: [{"q": sign * (k // 6), "r": k % 6, "facing": k % 6, "velocity": 3 * k % 21} for k in range(12)]
        for side, sign in (("a", 1), ("b", -1))
    }
    where["b"] = [{**start, "q": start["q"] - 1} for start in where["b"]]
    sides = {side: {"design": design, "count": 12, "policy": policy} for side in "ab"}
    house = Rules(fire_stacks=True, cauldron_reroll=True, initiative="jug", map_edge="exit", break_roll="weapon")
    scenario = Scenario.model_validate({"sides": sides, "scenario": {**full, "deployment": where}})
    assert game.complaints(scenario, house) == []
    return game.compile(scenario, house)
