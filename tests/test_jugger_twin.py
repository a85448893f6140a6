"""The kernel against the twin that was written from the rules of record alone: the same events on the same dice.

``hold`` and ``random`` are decided by the twin too; of the cleverer policies it takes every decision from the
kernel's trace, checks that it was legal, and derives everything else.
"""

import secrets
from collections import Counter

import pytest

from simkit.games.jugger import game
from tests.jugger_battles import KEY, Case, fresh
from tests.naive.jugger import play
from tests.naive.jugger.tables import EVENTS, rules_of

FEW = {False: [*range(92), 326], True: [*range(92), 123, 253]}
"""Battles that show every event, by whether the twin follows: the rarest are in the last of them."""

MANY = range(360)
CLEVER = ("greedy", "lookahead", "greedy", "random")
SAME = ("win_a", "win_b", "draw", "turns", "hits_a", "hits_b", "rams_a", "rams_b")
SOURCES = {"ram": "ram", "kick": "kick", "weapons": "weapons", "spell": "spells", "burning": "fire", "squeeze": "hold"}
NEVER = {"LET_GO"}
"""No policy lets go of its own will."""

ONLY_CLEVER = {"REROLL", "SHIELD"}


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


def compare(seed: int, *, follow: bool, seen: Counter[str], state: object) -> None:
    case = Case(seed, CLEVER) if follow else Case(seed)
    outcome, events = case.kernel(state)
    told = case.as_twin(events)
    own, derived = play(
        case.designs,
        case.board,
        case.seats(),
        KEY,
        seed,
        rules=rules_of(**case.changes),
        policies=case.policies,
        max_turns=case.max_turns,
        swap=case.swap,
        trace=told if follow else None,
    )
    assert derived == told, f"battle {seed}: {case.changes}"
    assert {name: own[name] for name in SAME} == {name: outcome[name] for name in SAME}, seed
    for mine, theirs in SOURCES.items():
        for side in "ab":
            assert own[f"{mine}_{side}"] == outcome[f"{theirs}_{side}"], (seed, mine, side)
    seen.update(EVENTS[event[0]] for event in events)


def missing(seen: Counter[str], follow: bool) -> set[str]:
    """Return the events that were not seen, and could have been."""
    return set(EVENTS) - set(seen) - NEVER - (set() if follow else ONLY_CLEVER)


@pytest.mark.parametrize("many", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["few", "many"])
@pytest.mark.parametrize("follow", [False, True], ids=["decides", "follows"])
def test_kernel_and_twin_play_the_same_battles(follow: bool, many: bool) -> None:
    state = fresh()
    seen: Counter[str] = Counter()
    seeds = MANY if many else FEW[follow]
    for seed in seeds:
        compare(seed, follow=follow, seen=seen, state=state)
    assert seen["OVER"] == len(seeds)
    assert missing(seen, follow) == set()


@pytest.mark.slow
@pytest.mark.parametrize("follow", [False, True], ids=["decides", "follows"])
def test_thousands_of_fresh_battles(follow: bool) -> None:
    first = secrets.randbelow(2**31)
    state = fresh()
    seen: Counter[str] = Counter()
    for seed in range(first, first + 3000):
        compare(seed, follow=follow, seen=seen, state=state)
    assert missing(seen, follow) == set()
