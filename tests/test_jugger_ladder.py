"""The players form a ladder: each beats the one below it in mirror duels, with the same jug on both sides.

From the bottom: ``random`` (who moves blindly runs into walls and loses even to one that stands still), ``hold``,
``greedy``, ``lookahead``. Between the last two stands ``tuned``, who beats ``greedy`` with every design; ``lookahead``
beats him with most.
"""

import math

import numpy as np
import pytest

from simkit.core.rng import make_key
from simkit.games.jugger import game
from simkit.games.jugger.designs import load
from simkit.games.jugger.records import Outcome
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario

LADDER = ("random", "hold", "greedy", "lookahead")
DESIGNS = ("landship", "archer", "lobber", "miner", "thrasher")
KEY = make_key(5)
SCORE = Outcome._fields.index("score_a")
SURE = 5.0
"""Standard errors above one half: a false alarm in 3 * 10**6."""


def score(design: str, upper: str, lower: str, pairs: int) -> tuple[float, float]:
    """Return the mean score of a player against another and its standard error, pairs of duels with seats swapped."""
    sides = {"a": {"design": design, "policy": upper}, "b": {"design": design, "policy": lower}}
    scenario = Scenario.model_validate({"sides": sides, "designs": {}, "scenario": {}, "policy": "greedy"})
    rows = np.zeros((2 * pairs, len(Outcome._fields)), np.int64)
    game.play_rows(game.compile(scenario, Rules()), game.new_state(), KEY, 0, pairs, rows)
    each = rows[:, SCORE].reshape(-1, 2).sum(axis=1) / 4
    return float(each.mean()), float(each.std() / math.sqrt(pairs))


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    game.ready()


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("rung", range(1, len(LADDER)))
def test_each_rung_beats_the_one_below(design: str, rung: int) -> None:
    mean, error = score(design, LADDER[rung], LADDER[rung - 1], 500)
    assert mean - SURE * error > 0.5, (mean, error)


@pytest.mark.parametrize("design", DESIGNS)
def test_who_knows_his_design_beats_who_plays_them_all_alike(design: str) -> None:
    """Tuned weights were sought against all designs; they are better in mirror duels too."""
    mean, error = score(design, "tuned", "greedy", 500)
    assert mean - SURE * error > 0.5, (mean, error)


@pytest.mark.slow
@pytest.mark.parametrize("design", sorted(name for name in load() if not name.startswith("warbuggy-")))
def test_no_design_is_crippled_by_its_player(design: str) -> None:
    """Greedy beats both who do not think, whatever it has aboard; looking ahead never loses much to it."""
    for lower in ("random", "hold"):
        mean, error = score(design, "greedy", lower, 600)
        assert mean - SURE * error > 0.5, (lower, mean, error)
    for upper in ("lookahead", "tuned"):
        mean, error = score(design, upper, "greedy", 600)
        assert mean + SURE * error >= 0.5, (upper, mean, error)
