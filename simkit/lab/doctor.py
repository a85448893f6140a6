"""A short examination of an installation: it compiles, plays, solves, stores, and agrees with itself."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from simkit import stats
from simkit.core import jit
from simkit.core.rng import draw, make_key, stream
from simkit.core.trials import BATCHES

KNOWN_ANSWER = 1776759915132406679
"""The first draw of seed 1; tests hold it equal to the generator's known answers."""


class Check(NamedTuple):
    """One thing that was looked at."""

    fine: bool
    says: str


def examine() -> Iterator[Check]:
    """Look at the dice, the kernels, the exact solver and the disk, one after another."""
    yield _dice()
    yield _agreement()
    yield _disk()


def _dice() -> Check:
    key = make_key(1)
    found = int(draw(stream(key.stream, 0), key.tweak, 0, 0, 0, 0))
    return Check(found == KNOWN_ANSWER, "the dice give their known answer")


def _agreement() -> Check:
    from simkit.games import protocol

    game = protocol.load("pigtickler")
    game.ready()
    scenario = game.Scenario.model_validate({"course": {"steps": [{"down": 2}, {"bog": "swamp"}], "turns": 2}})
    rules = game.Rules()
    trials = 100_000
    out = np.zeros((1, BATCHES, len(game.OUTCOMES), 4), np.int64)
    setups = game.pack([game.compile(scenario, rules)])
    game.play_block(setups, game.new_state(), make_key(1), 0, trials, out)
    exact = game.exact(scenario, rules).metrics["finished"]
    column = [metric.name for metric in game.OUTCOMES].index("finished")
    seen = int(out[0, :, column, 0].sum())
    tail = float(stats.binomial_tail(seen, trials, float(exact or 0)))
    compiled = "compiled" if jit.COMPILED else "uncompiled"
    return Check(tail > 1e-6, f"{trials:,} {compiled} trials agree with the exact solution")


def _disk() -> Check:
    try:
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
            (Path(folder) / "try").write_bytes(b"simkit")
    except OSError as error:
        return Check(False, f"results cannot be written here: {error.strerror}")
    return Check(True, "results can be written here")
