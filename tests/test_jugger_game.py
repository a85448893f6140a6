"""Jugger as a game: pairs that favour nobody, blocks, rows and traces of the same battles."""

from typing import Any

import numpy as np
import pytest

from simkit.core.key import make_key
from simkit.core.trials import BATCHES
from simkit.games.jugger import game
from simkit.games.jugger.maps import load as maps
from simkit.games.jugger.scenario import POLICIES, Scenario

KEY = make_key(7)
RULES = game.Rules()
NAMES = [metric.name for metric in game.OUTCOMES]
OPPOSITE = {
    "a": [{"q": -3, "r": 1, "facing": 1, "velocity": 2}, {"q": -5, "r": 2}],
    "b": [{"q": 3, "r": -1, "facing": 4, "velocity": 2}, {"q": 5, "r": -2}],
}


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


def read(a: Any, b: Any, policy: str = "greedy", **battle: Any) -> Scenario:
    """Read a legal battle."""
    made = Scenario.model_validate({"sides": {"a": a, "b": b}, "scenario": battle, "policy": policy})
    assert game.complaints(made, RULES) == []
    return made


def rows(battle: Scenario, units: int) -> Any:
    """Play units; return both battles of each as rows of one array of shape (units, 2, columns)."""
    found = np.zeros((2 * units, len(NAMES)), np.int64)
    game.play_rows(game.compile(battle, RULES), game.new_state(), KEY, 0, units, found)
    return found.reshape(units, 2, len(NAMES))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "battle",
    [*({"map": name} for name in maps()), {"distance": 5, "a_arc": 1, "b_arc": 1}, {"deployment": OPPOSITE}],
    ids=lambda battle: next(iter(battle.values())) if "map" in battle else next(iter(battle)),
)
def test_equal_sides_are_even_in_every_pair(policy: str, battle: dict[str, Any]) -> None:
    """With the seats swapped side A meets with what side B met before: whatever one has, the other has too."""
    units = [{"design": "axer"}, {"design": "windrammer"}]
    found = rows(read({"units": units}, {"units": units}, policy, **battle), 12)
    for name in NAMES:
        column = found[:, :, NAMES.index(name)]
        if name.endswith("_a") and name != "score_a":
            other = found[:, ::-1, NAMES.index(f"{name[:-1]}b")]
            assert (column == other).all(), name
        elif name == "score_a":
            assert (column.sum(axis=1) == 2).all()


def test_blocks_and_single_battles_count_the_same() -> None:
    battle, units = read({"design": "gorger"}, {"design": "fire-avatar", "count": 2}, map="arena"), 10
    setup, state = game.compile(battle, RULES), game.new_state()
    counts = np.zeros((2, BATCHES, len(NAMES), 4), np.int64)
    game.play_block(game.pack([setup, setup]), state, KEY, 0, units, counts)
    found = rows(battle, units)
    assert (counts[0, :units, :, 0] == found.sum(axis=1)).all() and (counts[1, :units, :, 2:] == 0).all()
    for unit in range(units):
        for seat in (0, 1):
            assert list(game.play_one(setup, state, KEY, unit, seat)) == found[unit, seat].tolist()


@pytest.mark.parametrize("seat", [0, 1])
def test_a_trace_tells_the_battle_that_was_counted(seat: int) -> None:
    battle = read({"design": "gorger", "title": "Rams"}, {"design": "fire-avatar", "count": 2}, map="woods")
    setup = game.compile(battle, RULES)
    for unit in range(20):
        events = game.trace(setup, KEY, unit, seat)
        outcome = game.play_one(setup, game.new_state(), KEY, unit, seat)
        lines = game.narrate(battle, RULES, events)
        assert lines[-1].kind == "end" and f"in turn {outcome.turns}:" in lines[-1].text
        winner = "Rams" if outcome.win_a else "B" if outcome.win_b else None
        assert lines[-1].text.startswith(f"victory for {winner}" if winner else "a draw")
        assert events.noted == len(events.rows) > 10


def test_no_battle_is_solved() -> None:
    battle = read({"design": "archer"}, {"design": "archer"})
    assert game.exact(battle, RULES).metrics == {} and game.unplayable(battle) == ""
