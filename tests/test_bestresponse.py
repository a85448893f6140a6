"""Best-response rounds on games whose every score is known."""

import numpy as np
import pytest

from simkit.balance.equilibrium import exploitability
from simkit.balance.search.bestresponse import Answer, best_responses, exact
from simkit.stats import Estimate

RPS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])


def test_rock_paper_scissors_from_rock() -> None:
    found = best_responses([0], *exact(RPS), delta=0.02, rounds=10)
    assert len(found.pool) == 3
    assert found.additions == 2
    assert found.settled
    np.testing.assert_allclose(found.mixture, [1 / 3] * 3, atol=1e-6)
    assert [turn.joined for turn in found.turns] == [True, True, False]
    assert found.turns[-1].answer is None


def game(luck: np.random.Generator, builds: int, cyclic: float) -> np.ndarray:
    """A game of skill with cycles mixed in."""
    skill = luck.normal(0, 1, builds)
    knot = luck.normal(0, 1, (builds, builds))
    gap = (1 - cyclic) * (skill[:, None] - skill) + cyclic * (knot - knot.T)
    return 1 / (1 + np.exp(-gap))


@pytest.mark.thorough
@pytest.mark.parametrize("cyclic", [0.1, 0.9])
def test_what_is_left_in_the_end_cannot_be_beaten_by_more_than_delta(cyclic: float) -> None:
    luck = np.random.default_rng(7)
    for _ in range(5):
        scores = game(luck, 60, cyclic)
        found = best_responses([3], *exact(scores), delta=0.01, rounds=80)
        field = np.zeros(60)
        field[list(found.pool)] = found.mixture
        assert found.settled
        assert exploitability(scores, field) <= 0.01 + 1e-9
        assert (found.additions < 15) == (cyclic < 0.5)


def test_the_rounds_may_run_out() -> None:
    found = best_responses([0], *exact(RPS), delta=0.02, rounds=2)
    assert not found.settled
    assert found.pool == (0, 1)
    assert found.turns[-1].answer is not None
    assert found.turns[-1].answer.build == 2


def test_a_gain_that_is_not_sure_adds_nothing() -> None:
    """The lower end of the interval must exceed delta."""

    def unsure(pool, mixture):
        return Answer(9, Estimate(0.05, 0.01, 0.09, 0.99, 500, "batch-t"))

    found = best_responses([0], lambda pool: [[0.5]], unsure, delta=0.02, rounds=5)
    assert found.settled
    assert found.additions == 0


@pytest.mark.parametrize(("start", "delta", "rounds"), [([], 0.1, 1), ([0], 0.0, 1), ([0], 0.1, 0)])
def test_what_is_refused(start: list[int], delta: float, rounds: int) -> None:
    with pytest.raises(ValueError, match="allowed"):
        best_responses(start, *exact(RPS), delta=delta, rounds=rounds)
