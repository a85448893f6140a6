"""Speed of Jugger: duels and battles against the plain-Python twin, and what the laboratory adds."""

import statistics
from collections.abc import Callable
from typing import Any

from simkit.core.rng import make_key
from simkit.games.jugger import game
from simkit.games.jugger.designs import find as design
from simkit.games.jugger.maps import find as field
from simkit.games.jugger.records import EVENTS
from simkit.lab.plan import make
from tests.bench import added
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
    return added.kernel(game, question(policy, pairs, count))


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


def measure(quick: bool) -> list[Figure]:
    """Measure everything of Jugger."""
    pairs = 5_000 if quick else 200_000
    asked = question("greedy", pairs)
    return [
        *speed(),
        *added.overhead(game, f"{2 * pairs:.0e} greedy duels", asked),
        *added.threads(game, asked, 8 if quick else 24),
    ]
