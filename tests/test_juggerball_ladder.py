"""The players form a ladder, as in battles: each beats the one below it, random teams on both sides (J-BALL-25).

From the bottom: ``random`` (who moves blindly runs into walls and loses even to those who stand still), ``hold``,
``chase``, ``greedy``.
"""

import math

import numpy as np
import pytest

from simkit.core.rng import make_key
from simkit.games.juggerball import game

LADDER = ("random", "hold", "chase", "greedy")
KEY = make_key(5)
NAMES = [metric.name for metric in game.OUTCOMES]
SURE = 5.0
"""Standard errors above one half: a false alarm in 3 * 10**6."""


def met(upper: str, lower: str, pairs: int, field: str = "pitch") -> dict[str, tuple[float, float]]:
    """Return mean and standard error of every column, pairs of matches with seats swapped."""
    sides = {"a": {"policy": upper}, "b": {"policy": lower}}
    setup = game.compile(game.Scenario.model_validate({"sides": sides, "scenario": {"field": field}}), game.Rules())
    rows = np.zeros((2 * pairs, len(NAMES)), np.int64)
    game.ready()
    game.play_rows(setup, game.new_state(), KEY, 0, pairs, rows)
    each = rows.reshape(pairs, 2, -1).mean(axis=1)
    errors = each.std(axis=0) / math.sqrt(pairs)
    return {name: (float(each[:, k].mean()), float(errors[k])) for k, name in enumerate(NAMES)}


@pytest.mark.parametrize("field", ["pitch", "gates"])
@pytest.mark.parametrize("rung", range(1, len(LADDER)))
def test_each_rung_beats_the_one_below(rung: int, field: str) -> None:
    mean, error = met(LADDER[rung], LADDER[rung - 1], 60, field)["score_a"]
    assert mean / 2 - SURE * error / 2 > 0.5, (mean, error)


def test_play_looks_like_a_game() -> None:
    """Somebody chases, guards and scores: most matches of chasers are won by goals, and greedy ones see some too."""
    found = met("chase", "random", 40)
    assert found["cause_goals"][0] > 0.9 and found["goals_a"][0] > 2.5
    greedy = met("greedy", "greedy", 60)
    assert greedy["goals_a"][0] > 0.3 and greedy["goals_b"][0] > 0.3
    assert greedy["holds_turns_a"][0] > 0.5 and greedy["catches_a"][0] > 0.3 and greedy["kicks_a"][0] > 1
