"""A case from the search for strong builds to the verdict: planted toys, coverage, and how often it errs."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from simkit.balance.items import case
from simkit.balance.items.case import TooFewTrialsError, least_trials
from simkit.balance.items.item import Item
from simkit.balance.items.overpowered import OVER, judge_item
from tests.balance_toys import ToyContest, build, frame_of, toy_case, truth

RPS = 0.5 * np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
PLENTY = 2_000_000


def joined(gains, row):
    """Gains with one build more, which gains `row` on the others."""
    return np.block([[np.asarray(gains), -np.array([row]).T], [np.array([row]), np.zeros((1, 1))]])


def chances(gains):
    return (1 + np.asarray(gains, float)) / 2


PLANTED = {
    "must-pick": (joined(RPS, [0.2] * 3), [3], ()),
    "overpowered": ([[0, 0.4, -0.4, 0.2], [-0.4, 0, 0.4, 0.2], [0.4, -0.4, 0, 0.2], [-0.2] * 3 + [0]], [0], [[0, 3]]),
    "pillar of a counter-cycle": (RPS, [0], ()),
    "dominated": (joined(RPS, [-0.2] * 3), [3], ()),
    "fair": (np.zeros((4, 4)), [0, 1], ()),
}


@pytest.mark.parametrize("word", PLANTED)
def test_planted_items_are_found(word):
    gains, held, swaps = PLANTED[word]
    frame = frame_of(np.isin(np.arange(len(gains)), held), swaps)
    made = toy_case(chances(gains), frame, PLENTY, level=0.99)
    assert judge_item(made.measured.powers[0], made.games).word == word
    assert made.games <= PLENTY


def test_no_more_is_played_than_it_takes():
    frame = frame_of([True, False, False, False])
    gains = np.zeros((4, 4))
    few, many = (toy_case(chances(gains), frame, trials).games for trials in (100_000, 10**9))
    assert few <= 100_000
    assert many < 10**7


def test_matchups_that_matter_get_more():
    # builds 0 to 2 are the best, the others are far behind: who meets whom among those need not be known well
    strength = np.array([0.2, 0.2, 0.2] + [-0.2 - 0.01 * i for i in range(17)])
    gains = strength[:, None] - strength[None, :]
    frame = frame_of(np.arange(20) == 0, [[0, 1]])
    made = toy_case(chances(gains), frame, 400_000)
    assert made.units[0, 1] > 8 * made.units[15, 16]
    assert case.JUDGE_BATCHES <= made.units[15, 16] <= case.MOST_ALIKE
    assert (made.units == made.units.T).all() and not made.units.diagonal().any()
    np.testing.assert_allclose(made.scores, made.batches.mean(axis=2))


def test_who_stands_for_everybody_alone_counts_for_the_lift():
    # the item beats build 2 and loses to build 3; the crowd is build 2 alone, and then build 3 alone
    gains = np.array([[0, 0, 0.4, -0.4], [0, 0, 0, 0], [-0.4, 0, 0, 0], [0.4, 0, 0, 0]])
    for crowd, lift in (([0, 0, 1, 0], 0.2), ([0, 0, 0, 1], -0.2)):
        made = toy_case(chances(gains), frame_of([True, False, False, False], [[0, 1]], crowd), PLENTY)
        found = made.measured.powers[0].lift_uniform
        assert found.low < lift < found.high
        assert found.high - found.low < 0.04


def test_the_strongest_of_those_tried_join_with_and_without_the_item():
    # 8 builds of a crowd, 32 tried: of those the last is best without the item, the first of them best with it
    rng = np.random.default_rng(3)
    strength = np.concatenate([np.zeros(8), rng.uniform(-0.1, 0.1, 32)])
    held = np.zeros(40, bool)
    held[:2], held[8:24] = True, True
    strength[8], strength[39] = 0.5, 0.6
    matrix = chances(strength[:, None] - strength[None, :])
    crowd = frame_of(held[:8], [[0, 2], [1, 3]])
    pool = [build(i, ["x"] if held[i] else []) for i in range(8, 40)]
    made = toy_case(matrix, crowd, 400_000, pool=pool, strongest=4)
    names = [one.name for one in made.frame.builds]
    assert names[:8] == [f"b{i}" for i in range(8)] and len(names) == 12
    assert {"b8", "b39"} <= set(names)
    assert (made.frame.crowd[8:] == 0).all() and made.frame.crowd.sum() == pytest.approx(1)
    assert made.frame.says == ("a toy", "the 4 strongest of 32")
    assert (made.frame.items[0].swaps == crowd.items[0].swaps).all()
    assert made.measured.powers[0].regret.estimate > 0.01


def test_what_judges_has_not_chosen():
    # the dice that judge are never asked for before those that choose are done
    asked = []

    class Watched(ToyContest):
        def scores(self, pairs, first, end, batches, *, replication=0):
            asked.append(replication)
            return super().scores(pairs, first, end, batches, replication=replication)

    frame = frame_of([True, False, False], [[0, 1]])
    contest = Watched(chances(RPS))
    case.measured(contest, frame, (), strongest=0, trials=100_000, level=0.9, delta=0.02, says=str)
    assert set(asked) == {0, case.FRESH}
    assert asked == sorted(asked)


NEARLY = chances(joined(np.zeros((3, 3)), [0.054] * 3))
"""Build 3 gains 2.7 points on all others: 0.7 more than matters."""


def open_to(power, games):
    """Tell whether an item is undecided and more would help."""
    return judge_item(power, games).factor > 0


def test_what_is_left_goes_to_what_is_undecided():
    frame = frame_of(np.arange(4) == 3)
    once, twice = (toy_case(NEARLY, frame, PLENTY, **more) for more in ({}, {"undecided": open_to}))
    assert judge_item(once.measured.powers[0], once.games).word == "undecided" and once.looks == 1
    assert judge_item(twice.measured.powers[0], twice.games).word == "must-pick"
    assert (twice.looks, twice.may_look) == (2, 2)
    assert 0.85 * PLENTY < twice.games <= PLENTY and once.games < PLENTY / 2
    again = toy_case(NEARLY, frame, PLENTY, undecided=open_to)
    assert again.games == twice.games and again.measured.powers == twice.measured.powers
    assert twice.measured.powers[0].need.level == 0.9


def test_a_second_look_is_on_dice_that_nobody_has_seen_and_decided_items_stay():
    asked, seen = [], []

    class Watched(ToyContest):
        def scores(self, pairs, first, end, batches, *, replication=0):
            asked.append(replication)
            return super().scores(pairs, first, end, batches, replication=replication)

    def undecided(power, games):
        seen.append(power)
        return power.item == "y"

    frame = frame_of(np.arange(4) == 3)
    frame = replace(frame, items=(*frame.items, Item("y", np.arange(4) == 0)), instead=(*frame.instead, ()))
    made = case.measured(
        Watched(NEARLY), frame, (), strongest=0, trials=4 * PLENTY, level=0.9, delta=0.02, says=str, undecided=undecided
    )
    assert asked == sorted(asked) and set(asked) == {0, case.FRESH, case.FRESHER}
    first, second = made.measured.powers
    assert len(seen) == 2
    assert (first.need.estimate, first.need.n) == (seen[0].need.estimate, seen[0].need.n)
    assert second.regret.n > seen[1].regret.n


def test_what_is_decided_or_hopeless_is_not_looked_at_again():
    gains, held, swaps = PLANTED["dominated"]
    made = toy_case(chances(gains), frame_of(np.arange(4) == held[0], swaps), PLENTY, undecided=open_to)
    assert (made.looks, made.may_look) == (1, 2) and made.games < PLENTY / 3


@pytest.mark.parametrize("trials", [20_000, 60_000, 200_000, 600_000])
def test_two_looks_take_no_more_than_is_asked_for(trials):
    made = toy_case(NEARLY, frame_of(np.arange(4) == 3), trials, undecided=lambda power, games: True)
    assert trials / 2 < made.games <= trials


def test_too_few_trials_are_refused_with_how_many_it_takes():
    frame = frame_of([True, False, False, False])
    with pytest.raises(TooFewTrialsError, match=f"at least {6 * 2 * 80:,} trials are needed") as caught:
        toy_case(chances(np.zeros((4, 4))), frame, 500)
    assert caught.value.needed == least_trials(frame, 0, 0)
    assert toy_case(chances(np.zeros((4, 4))), frame, caught.value.needed).games == caught.value.needed


@pytest.mark.parametrize("trials", [2_000, 5_000, 20_000, 300_000])
def test_no_more_is_played_than_is_asked_for(trials):
    rng = np.random.default_rng(trials)
    noise = rng.normal(size=(10, 10)) * 0.1
    pool = [build(i, ["x"] if i % 2 else []) for i in range(4, 10)]
    frame = frame_of([True, False, False, False], [[0, 1]])
    needed = least_trials(frame, 2, len(pool))
    made = toy_case(chances(np.tanh(noise - noise.T)), frame, max(needed, trials), pool=pool, strongest=2)
    assert made.games <= max(needed, trials)
    assert made.units[0, 1] >= case.JUDGE_BATCHES


# What holds of all intervals together, by simulation

EDGE = chances([[0, -0.04, -0.04, -0.04], [0.04, 0, 0, 0], [0.04, 0, 0, 0], [0.04, 0, 0, 0]])
"""All builds but the first have an item that gains exactly what matters: lift and need are 0.02."""


def called_over(seeds, level, trials=60_000, **more):
    """How often the item on the edge is called overpowered."""
    frame = frame_of(np.arange(4) > 0)
    words = []
    for seed in range(seeds):
        made = toy_case(EDGE, frame, trials, seed=1_000 + seed, level=level, **more)
        words.append(judge_item(made.measured.powers[0], made.games).word)
    return sum(word in OVER for word in words)


def test_false_overpowered_is_no_commoner_than_stated_in_100_seeds():
    assert called_over(100, 0.9) <= stats.binom.ppf(0.9999, 100, 0.1)


@pytest.mark.thorough
def test_nor_with_a_second_look_in_60_seeds():
    assert called_over(60, 0.9, 600_000, undecided=open_to) <= stats.binom.ppf(0.9999, 60, 0.1)


@pytest.mark.slow
def test_nor_with_a_second_look_in_1000_seeds():
    assert called_over(1000, 0.9, 600_000, undecided=open_to) <= stats.binom.ppf(0.9999, 1000, 0.1)


@pytest.mark.slow
def test_false_overpowered_is_no_commoner_than_stated_in_2000_seeds():
    assert called_over(2000, 0.9) <= stats.binom.ppf(0.9999, 2000, 0.1)


def missed(seeds, level):
    """How often any of lift, need and regret lies outside its interval, the field being what the pilot made it."""
    errors = 0
    for seed in range(seeds):
        rng = np.random.default_rng([5, seed])
        noise = rng.normal(size=(6, 6)) * 0.06
        matrix = np.clip(chances(noise - noise.T), 0.02, 0.98)
        np.fill_diagonal(matrix, 0.5)
        frame = frame_of(np.arange(6) < 2, [[0, 2], [0, 3], [1, 4]], rng.dirichlet(np.ones(6)))
        made = toy_case(matrix, frame, 30_000, seed=seed, level=level)
        right = truth(matrix, frame, made.measured.field)
        power = made.measured.powers[0]
        errors += not all(
            getattr(power, name).low - 1e-9 <= value <= getattr(power, name).high + 1e-9
            for name, value in right.items()
        )
    return errors


@pytest.mark.thorough
def test_lift_need_and_regret_hold_together_in_60_games():
    assert missed(60, 0.9) <= stats.binom.ppf(0.9999, 60, 0.1)


@pytest.mark.slow
def test_lift_need_and_regret_hold_together_in_2000_games():
    assert missed(2000, 0.9) <= stats.binom.ppf(0.9999, 2000, 0.1)
