"""What the laboratory and a second thread add to the bare kernel of a game."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from simkit.core import trials as pool
from simkit.core.rng import make_key
from simkit.core.trials import BATCHES
from simkit.games.protocol import Game
from simkit.lab.plan import make
from simkit.lab.runner import Runner, Silent
from simkit.lab.store import Store
from tests.bench.measure import Figure, figure, interleaved, median_ratio

KEY = make_key(1)
BLOCK = 1024


def kernel(game: Game, question: dict[str, Any]) -> Callable[[], Any]:
    """Return a bare call of the kernel for a question of one cell."""
    plan = make(question)
    setups, state = game.pack([plan.cells[0].setup]), game.new_state()
    out = np.zeros((1, BATCHES, len(game.OUTCOMES), 4), np.int64)
    return lambda: game.play_block(setups, state, plan.key, 0, plan.units, out)


def overhead(game: Game, what: str, question: dict[str, Any]) -> list[Figure]:
    """Measure what planning, blocks, store and estimates add to the bare kernel."""

    def whole() -> None:
        with tempfile.TemporaryDirectory() as folder:
            plan = make(question)
            Runner(plan, Store(Path(folder), "bench", plan.fingerprint), jobs=1, progress=Silent()).run()

    taken = interleaved(6, whole=whole, bare=kernel(game, question))
    ratio = median_ratio(taken["whole"], taken["bare"])
    return [figure(f"planning, blocks, store and estimates over the bare kernel, {what}", ratio, at_most=1.05)]


def threads(game: Game, question: dict[str, Any], blocks: int, block: int = BLOCK) -> list[Figure]:
    """Measure what two threads cost in processor time."""
    setups = game.pack([make(question).cells[0].setup])

    def work(job: int) -> Any:
        out = np.zeros((1, BATCHES, len(game.OUTCOMES), 4), np.int64)
        game.play_block(setups, game.new_state(), KEY, block * job, block * (job + 1), out)
        return out

    def with_threads(count: int) -> Callable[[], None]:
        return lambda: pool.run(range(blocks), work, lambda job, out: None, threads=count)

    taken = interleaved(5, two=with_threads(2), one=with_threads(1))
    ratio = median_ratio(taken["two"], taken["one"])
    return [figure(f"{game.TITLE}: processor time of two threads over one", ratio, at_most=1.05)]
