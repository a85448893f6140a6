"""Successive halving and the race of the last: what is planned, whether the best comes through, how often it errs."""

import numpy as np
import pytest

from simkit.stats.halving import Round, contenders, rounds, survivors


def test_rounds_cost_about_the_same() -> None:
    plan = rounds(5128, 16, first=2, keep=0.25)
    assert plan == (
        Round(5128, 2, 1282),
        Round(1282, 8, 321),
        Round(321, 32, 81),
        Round(81, 127, 21),
        Round(21, 488, 16),
    )
    assert all(abs(one.entrants * one.units / (5128 * 2) - 1) < 0.01 for one in plan)


@pytest.mark.parametrize(("entrants", "stay"), [(1, 1), (5, 5), (3, 8)])
def test_nothing_to_choose_needs_no_round(entrants: int, stay: int) -> None:
    assert rounds(entrants, stay, first=4) == ()


@pytest.mark.parametrize("keep", [0.01, 0.5, 0.999])
def test_every_round_drops_somebody_and_the_last_leaves_as_many_as_wanted(keep: float) -> None:
    plan = rounds(100, 16, first=1, keep=keep)
    assert plan[0].entrants == 100
    assert plan[-1].stay == 16
    assert all(one.stay < one.entrants for one in plan)
    assert [one.entrants for one in plan[1:]] == [one.stay for one in plan[:-1]]


def test_the_best_of_a_thousand_comes_through() -> None:
    """Of 1,000 with true scores around one half, sd 5 points, the best is among the last 16 in nine of ten searches."""
    luck, came = np.random.default_rng(2), 0
    for _ in range(100):
        truth = luck.normal(0.5, 0.05, 1000)
        left, plan = np.arange(1000), rounds(1000, 16, first=16, keep=0.5)
        total, units = np.zeros(1000), 0
        for one in plan:
            more = one.units - units
            total[left] += luck.normal(truth[left] * more, 0.35 * np.sqrt(more))
            units = one.units
            left = left[survivors(total[left] / units, one.stay)]
        came += int(truth.argmax() in left)
    assert came >= 85
    games = sum(one.entrants * one.units for one in plan)
    assert games < 0.2 * 1000 * plan[-1].units  # as many for all as the last ones have would cost five times that


def test_of_equals_the_first_stay() -> None:
    assert survivors([1, 1, 1, 1], 2).tolist() == [0, 1]
    with pytest.raises(ValueError, match="allowed are 1 to"):
        survivors([1.0], 2)


# The race


def race(luck: np.random.Generator, truth: np.ndarray, within: float) -> tuple[np.ndarray, bool]:
    """Race contenders on common dice up to 2^17 units; return who is left, and whether it was decided."""
    units, alive = 1024, np.ones(truth.size, bool)
    batches, total, played = 256, np.zeros((truth.size, 256)), 0
    while True:
        more = (units - played) // batches
        common = luck.normal(0, 0.25, batches) * np.sqrt(more)
        total += truth[:, None] * more + common + luck.normal(0, 0.25, total.shape) * np.sqrt(more)
        played = units
        found = contenders(total / (units // batches), units, 0.95, within=within, alive=alive)
        alive = found.alive
        if found.decided or units >= 2**17:
            return alive, found.decided
        units *= 2


def test_the_best_is_dropped_no_more_often_than_stated() -> None:
    """200 races of 16 with eight looks at 95 %: the best is lost in at most 20 (10 if the bound were tight)."""
    luck, lost, decided = np.random.default_rng(3), 0, 0
    for _ in range(200):
        truth = luck.normal(0.5, 0.01, 16)
        alive, done = race(luck, truth, 0.005)
        lost += int(not alive[truth.argmax()])
        decided += done
    assert lost <= 20
    assert decided > 100


def test_equals_are_never_told_apart_and_the_race_ends_all_the_same() -> None:
    alive, decided = race(np.random.default_rng(4), np.full(8, 0.5), 0.01)
    assert alive.sum() >= 7
    assert decided


def test_nobody_comes_back() -> None:
    means = np.array([[0.5], [0.6]]) + np.random.default_rng(1).normal(0, 0.01, (2, 64))
    found = contenders(means, 64_000, 0.99, within=0.01, alive=[True, False])
    assert found.leader == 0
    assert found.alive.tolist() == [True, False]


@pytest.mark.parametrize(
    ("means", "more", "message"),
    [
        (np.zeros((1, 5)), {}, "at least 2"),
        (np.zeros((2, 5)), {"within": 0.0}, "within"),
        (np.zeros((2, 5)), {"alive": [False, False]}, "somebody in"),
    ],
)
def test_what_a_race_refuses(means: np.ndarray, more: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        contenders(means, 1000, 0.99, **{"within": 0.01, **more})
