"""The kernel of a match on a table against its plain twin: the same events and counts on the same dice (P-GAM-18).

The twin was written from the rules of record alone, with its own geometry (every lattice point of a leg is asked), and
plans for itself; nothing is taken from the kernel's trace.
"""

import secrets
from collections.abc import Iterable
from typing import Any

import pytest

from simkit.games.pigtable import game
from simkit.games.pigtable.kinds import What
from tests.naive.pigtable.matches import ALTERNATIVES
from tests.naive.pigtable.notes import NAMES
from tests.pigtable_matches import KEY, RARE, USUAL, Meeting, features, fresh

ALONE = ("straight",)
MIXED = ("straight", "router", "cautious")
FEW = {ALONE: [*range(100), 360, 832, 1013, 1227, 1262, 1381], MIXED: range(10)}
"""Matches that show every event: the rarest are in the last of them."""


COMMON = {*(f"PLAN {k}" for k in range(3)), "turn 0", "turn 1", "enter 1", "level 1", "STEERED", "COLLISION", "HIT 1 1"}
"""What even a few hundred matches show."""


def drawn(rules: dict[str, Any]) -> set[str]:
    """Return house rules as something that is seen."""
    return {f"{name} = {value}" for name, value in rules.items()}


def compare(seeds: Iterable[int], policies: tuple[str, ...], state: Any) -> set[str]:
    """Play matches by both and return what was seen in them."""
    seen: set[str] = set()
    for seed in seeds:
        meeting = Meeting(seed, policies)
        counts, events = meeting.kernel(state)
        match = meeting.twin()
        assert match.book.notes == events, (seed, policies, meeting.told["rules"])
        own = match.outcome()
        assert {name: counts[name] for name in own} == own, (seed, policies)
        seen |= features(events) | drawn(meeting.told["rules"])
    return seen


def test_events_have_the_same_names() -> None:
    assert tuple(what.name for what in What) == NAMES


def test_few_matches_show_everything() -> None:
    """Straight ones by the hundred, router and cautious a few: all events, rolls, ends, plans and house rules."""
    state = fresh()
    seen = compare(FEW[ALONE], ALONE, state) | compare(FEW[MIXED], MIXED, state)
    assert (USUAL | RARE) - seen == set()
    for name, values in ALTERNATIVES.items():
        assert set().union(*(drawn({name: value}) for value in values)) <= seen


@pytest.mark.parametrize("many", [12, pytest.param(200, marks=pytest.mark.slow)])
def test_a_unit_is_its_games_round_the_starts(many: int) -> None:
    """Every column of a unit: the mean of its games, with the seats turned round the starts on the same dice."""
    state, seen = game.new_state(), set()
    for seed in range(many):
        meeting = Meeting(seed)
        row = game.play_one(meeting.setup, state, KEY, seed)
        columns = dict(zip((metric.name for metric in game.OUTCOMES), row, strict=True))
        own = meeting.unit()
        assert {name: own.get(name, 0) for name in columns} == columns, seed
        seen |= {name for name, value in own.items() if value}
    assert seen >= {"draw", "first_edge", "win_start_1", "win_start_2", "distance", "pig_contacts", "lost_turns"}


def test_the_edge_in_the_way_of_a_wide_base() -> None:
    """P-GAM-19: after a descent he stops before it with a roll, as before anything that has no corner."""
    box = [[6, -4], [10, -4], [10, 0], [6, 0]]
    hill = {"kind": "hill", "name": "hill", "polygon": box, "levels": [{"polygon": box}]}
    told = {
        "table": {"schema": 1, "name": "edge", "shape": "square", "size": 24, "pig": [11.6875, 7.296875],
                  "starts": [[8, -2], [-9, 0]], "piece": [hill]},
        "rules": {"base_lancer": 48, "base_pig": 20, "max_rounds": 3},
        "policies": ["straight", "straight"],
        "teams": None,
        "game": 0,
    }  # fmt: skip
    state, stops = fresh(), 0
    for unit in range(5):
        meeting = Meeting(unit, told=told)
        _, events = meeting.kernel(state)
        assert meeting.twin().book.notes == events
        stops += any(NAMES[note.what] == "PLAN" and note.extra == 2 for note in events)
    assert stops == 5


@pytest.mark.slow
@pytest.mark.parametrize(("policies", "many"), [(ALONE, 2000), (MIXED, 250)], ids=["straight", "mixed"])
def test_many_matches(policies: tuple[str, ...], many: int) -> None:
    assert compare(range(many), policies, fresh()) >= (USUAL if policies == ALONE else COMMON)


@pytest.mark.slow
@pytest.mark.parametrize(("policies", "many"), [(ALONE, 5000), (MIXED, 1000)], ids=["straight", "mixed"])
def test_thousands_of_fresh_matches(policies: tuple[str, ...], many: int) -> None:
    first = secrets.randbelow(2**31)
    assert compare(range(first, first + many), policies, fresh()) >= (USUAL if policies == ALONE else COMMON)
