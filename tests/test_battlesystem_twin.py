"""The kernel against the twin that was written from the rules of record alone: the same events on the same dice.

Units that think for themselves are followed: the twin takes each choice from the kernel's trace, checks that it was
legal, and derives everything else.
"""

import secrets
from collections import Counter
from typing import Any

import pytest

from simkit.core import jit
from tests.battlesystem_battles import KEY, Case, Played, fresh
from tests.naive.battlesystem import play
from tests.naive.battlesystem import tables as t

FEW = {"decides": range(60), "follows": range(45)}
MANY = {"decides": range(1_000, 3_500), "follows": range(3_500, 5_500)}
THINK = {"decides": 0.0, "follows": 0.5}
"""Share of the units that think for themselves."""

CLOSE = (112, 504, 655)
"""Battles that once told the two apart: units out of play have nothing that lapses."""


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    jit.ready("simkit.games.battlesystem")


def compare(case: Case, state: Any) -> Played:
    """Play a battle with both and hold them against each other; that somebody listens changes nothing."""
    played = case.kernel(state)
    assert case.kernel(state, told=False).outcome == played.outcome
    own, derived = play(case.sides, case.twin_lane(), KEY, case.seed, rules=case.rules, trace=played.events)
    assert derived == played.events
    assert own == played.outcome, f"battle {case.seed}: {case.changes}"
    return played


def keeps_the_books(case: Case, played: Played) -> None:
    """Hold the columns and events of a battle against what must be true of any (B-LAN-7, B-LAN-25)."""
    start = {12 * side + i: one for side in (0, 1) for i, one in enumerate(case.sides[side])}
    left = {seat: one.figures for seat, one in start.items()}
    wound = dict.fromkeys(start, 0)
    counts: Counter[str] = Counter()
    gone = {t.ROUT: "rout", t.DESTROYED: "dead"}
    routed = set()
    for what, _, seat, _, _, value, extra in played.events:
        letter = "ab"[seat // 12]
        if what == t.DAMAGE:
            assert 0 <= extra < start[seat].design.pool
            if case.rules.carry_wounds:
                assert (wound[seat] + value - extra) % start[seat].design.pool == 0
            wound[seat] = extra
            counts[f"killed_{'ba'[seat // 12]}"] += value
        elif what == t.LOSE:
            left[seat] -= value
            assert left[seat] == extra >= 0
        elif what in gone:
            counts[f"{gone[what]}_{letter}"] += 1
            routed |= {seat} if what == t.ROUT else set()
        elif what == t.CHECK:
            counts[f"checks_{letter}"] += 1
            counts[f"failed_{letter}"] += 1 - extra
        elif what == t.SHOOT:
            counts[f"missiles_{letter}"] += 1
        elif what == t.DECLARE:
            counts[f"charges_{letter}"] += value == t.CHARGE
    for side, name in enumerate("ab"):
        stays = [seat for seat in start if seat // 12 == side and seat not in routed]
        assert played.outcome[f"figures_{name}"] == sum(left[seat] for seat in stays)
        for column in ("killed", "rout", "dead", "checks", "failed", "missiles", "charges"):
            assert played.outcome[f"{column}_{name}"] == counts[f"{column}_{name}"], column
    assert played.events[-1][0] == t.OVER
    assert sum(played.outcome[name] for name in ("win_a", "win_b", "mutual", "cap")) == 1


@pytest.mark.parametrize("many", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["few", "many"])
@pytest.mark.parametrize("how", ["decides", "follows"])
def test_kernel_and_twin_play_the_same_battles(how: str, many: bool) -> None:
    """Events and columns are the same; every kind of event is seen, and figures, wounds and columns add up."""
    state = fresh()
    seen: Counter[int] = Counter()
    seeds = [*MANY[how], *CLOSE] if many else FEW[how]
    for seed in seeds:
        case = Case(seed, best=THINK[how], most=6 if many else 3)
        played = compare(case, state)
        keeps_the_books(case, played)
        seen.update(event[0] for event in played.events)
    assert seen[t.OVER] == len(seeds)
    assert set(range(22)) - set(seen) - {t.FIRE} == ({t.CHOOSE} if how == "decides" else set())


@pytest.mark.slow
@pytest.mark.parametrize("how", ["decides", "follows"])
def test_thousands_of_fresh_battles(how: str) -> None:
    """Other battles at every run; a failure names its seed."""
    first = secrets.randbelow(2**31)
    state = fresh()
    for seed in range(first, first + 1_500):
        keeps_the_books(case := Case(seed, best=THINK[how]), compare(case, state))
