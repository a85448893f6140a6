"""Speed of juggerball: matches of random teams, by kernel and by plain-Python twin."""

import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

from simkit.games.juggerball import game
from simkit.games.juggerball.play import play_units
from tests.bench import added
from tests.bench.measure import Figure, figure, interleaved, median_ratio
from tests.juggerball_matches import KEY, Meeting, fresh
from tests.naive.juggerball.matches import random_match

POLICIES = {"random": 1_000, "chase": 150, "greedy": 400}
"""Pairs of matches a measurement."""

MET = 12
"""Matches of random fields and rules that kernel and twin play a measurement."""

AGAIN = 20
"""How often the kernel plays them."""


def question(policy: str, pairs: int) -> dict[str, Any]:
    """Return the experiment: random teams on the pitch."""
    run = {"trials": 2 * pairs, "policy": policy}
    return {"schema": 1, "name": "bench", "game": "juggerball", "run": run}


def against_twin(policy: str) -> list[Figure]:
    """Measure the same matches by both; of clever players the twin takes the decisions from the trace for nothing."""
    meetings = [Meeting(random_match(seed, (policy,))) for seed in range(MET)]
    state = fresh()
    told = [meeting.kernel(state)[1] for meeting in meetings]
    packed = [game.pack([meeting.setup]) for meeting in meetings]
    columns = len(game.OUTCOMES)
    none, rows = np.zeros((0, 256, columns, 4), np.int64), np.zeros((0, columns), np.int64)

    def kernel() -> None:
        for meeting, setups in zip(meetings, packed, strict=True):
            for _ in range(AGAIN):
                trial = meeting.arguments["trial"]
                play_units(setups, state, KEY.stream, KEY.tweak, trial, trial + 1, int(meeting.swap), none, rows)

    def twin() -> None:
        for meeting, events in zip(meetings, told, strict=True):
            meeting.twin(None if policy == "random" else events)

    taken = interleaved(3, twin=twin, kernel=kernel)
    ratio = AGAIN * median_ratio(taken["twin"], taken["kernel"])
    return [figure(f"juggerball, {policy} players: kernel against its plain-Python twin", ratio, 60)]


def speed() -> list[Figure]:
    """Measure whole matches a second on one core, by policy."""
    works: dict[str, Callable[[], Any]] = {
        policy: added.kernel(game, question(policy, pairs)) for policy, pairs in POLICIES.items()
    }
    taken = interleaved(5, **works)
    found = []
    for name, pairs in POLICIES.items():
        pace = 2 * pairs / statistics.median(taken[name])
        found.append(figure(f"juggerball, {name} players: matches a second on one core", pace, unit=""))
    return found


def measure(quick: bool) -> list[Figure]:
    """Measure everything of juggerball."""
    asked = question("greedy", 2_000 if quick else 10_000)
    return [
        *(one for policy in POLICIES for one in against_twin(policy)),
        *speed(),
        *added.overhead(game, "matches of juggerball", asked),
        *added.threads(game, asked, 8 if quick else 24, 100),
    ]
