"""Speed of Jugger: duels and battles against the plain-Python twin, and what the laboratory adds."""

import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from simkit.core import trials as pool
from simkit.core.rng import make_key
from simkit.core.trials import BATCHES
from simkit.games.jugger import game
from simkit.games.jugger.designs import find as design
from simkit.games.jugger.maps import find as field
from simkit.games.jugger.records import EVENTS
from simkit.lab.plan import make
from simkit.lab.runner import Runner, Silent
from simkit.lab.store import Store
from tests.bench.measure import Figure, figure, interleaved, median_ratio
from tests.jugger_battles import as_twin
from tests.naive.jugger import Board, Design, play
from tests.naive.jugger.tables import rules_of

KEY = make_key(1)
SIDES = ("gorger", "landship")
POLICIES = {"hold": 20_000, "random": 5_000, "greedy": 2_000, "lookahead": 400}
"""Pairs of duels a measurement."""

TOLD = 12
"""Duels that the twin plays a measurement."""


def question(policy: str, pairs: int, count: int = 1) -> dict[str, Any]:
    """Return the experiment: Gorger against Landship on the open map."""
    sides = {side: {"design": name, "count": count} for side, name in zip("ab", SIDES, strict=True)}
    run = {"trials": 2 * pairs, "policy": policy}
    return {"schema": 1, "name": "bench", "game": "jugger", "run": run, "sides": sides}


def kernel(policy: str, pairs: int, count: int = 1) -> Callable[[], Any]:
    """Return a bare call of the kernel."""
    plan = make(question(policy, pairs, count))
    setups, state = game.pack([plan.cells[0].setup]), game.new_state()
    out = np.zeros((1, BATCHES, len(game.OUTCOMES), 4), np.int64)
    return lambda: game.play_block(setups, state, plan.key, 0, pairs, out)


def twin() -> Callable[[], Any]:
    """Return the same duels by the twin, which takes the players' decisions from the kernel's trace for nothing."""
    plan = make(question("greedy", TOLD))
    setup = plan.cells[0].setup
    designs = [[Design(d.size, tuple((item.kind, item.size) for item in d.items))] for d in map(design, SIDES)]
    told = []
    for unit in range(TOLD):
        rows = game.trace(setup, KEY, unit, 0).rows
        assert len(rows) < EVENTS
        told.append(as_twin([tuple(int(x) for x in row) for row in rows], [one for (one,) in designs]))
    board = Board(field("open").hexes(), {})
    starts = [[tuple(int(x) for x in setup.places[0, row])] for row in range(2)]
    rules = rules_of()

    def work() -> None:
        for unit, events in enumerate(told):
            play(designs, board, starts, KEY, unit, rules=rules, policies=("greedy", "greedy"), trace=events)

    return work


def speed() -> list[Figure]:
    """Measure every rung of skill, a battle of six against six, and the twin, in one interleaved run."""
    works = {policy: kernel(policy, pairs) for policy, pairs in POLICIES.items()}
    taken = interleaved(7, twin=twin(), battle=kernel("greedy", 60, 6), **works)
    found = [
        figure(
            "greedy duel, Gorger against Landship: kernel against its plain-Python twin",
            median_ratio(
                [seconds / TOLD for seconds in taken["twin"]],
                [seconds / (2 * POLICIES["greedy"]) for seconds in taken["greedy"]],
            ),
            60,
        )
    ]
    for policy, pairs in POLICIES.items():
        pace = 2 * pairs / statistics.median(taken[policy])
        found.append(figure(f"{policy}: duels a second on one core", pace, unit=""))
    battles = 120 / statistics.median(taken["battle"])
    found.append(figure("greedy: battles of 6 against 6 a second on one core", battles, unit=""))
    return found


def overhead(pairs: int) -> list[Figure]:
    """Measure what planning, blocks, store and estimates add to the bare kernel."""

    def whole() -> None:
        with tempfile.TemporaryDirectory() as folder:
            plan = make(question("greedy", pairs))
            Runner(plan, Store(Path(folder), "bench", plan.fingerprint), jobs=1, progress=Silent()).run()

    taken = interleaved(6, whole=whole, bare=kernel("greedy", pairs))
    ratio = median_ratio(taken["whole"], taken["bare"])
    what = f"planning, blocks, store and estimates over the bare kernel, {2 * pairs:.0e} greedy duels"
    return [figure(what, ratio, at_most=1.05)]


def threads(blocks: int) -> list[Figure]:
    """Measure what two threads cost in processor time."""
    plan = make(question("greedy", 2))
    setups = game.pack([plan.cells[0].setup])

    def work(job: int) -> Any:
        out = np.zeros((1, BATCHES, len(game.OUTCOMES), 4), np.int64)
        game.play_block(setups, game.new_state(), KEY, 1024 * job, 1024 * (job + 1), out)
        return out

    def with_threads(count: int) -> Callable[[], None]:
        return lambda: pool.run(range(blocks), work, lambda job, out: None, threads=count)

    taken = interleaved(5, two=with_threads(2), one=with_threads(1))
    ratio = median_ratio(taken["two"], taken["one"])
    return [figure("Jugger: processor time of two threads over one", ratio, at_most=1.05)]


def measure(quick: bool) -> list[Figure]:
    """Measure everything of Jugger."""
    return [*speed(), *overhead(5_000 if quick else 200_000), *threads(8 if quick else 24)]
