"""The game of choosing: solved games, oracles, and what must not change an equilibrium."""

import doctest

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import entr

from simkit.balance import equilibrium
from simkit.balance.equilibrium import (
    effective_number,
    exploitability,
    game_value,
    maximum_entropy,
    regrets,
    score_matrix,
    solve,
    tiers,
    usage_range,
)

RPS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
"""What rock, paper and scissors gain on each other, from -1 to 1."""
FOUR = [[0.5, 0.7, 0.45, 0.52], [0.3, 0.5, 0.6, 0.48], [0.55, 0.4, 0.5, 0.51], [0.48, 0.52, 0.49, 0.5]]


def scores(gains):
    """Scores from 0 to 1 of gains from -1 to 1."""
    return (1 + np.asarray(gains, float)) / 2


def joined(gains, row):
    """Gains with one build more, which gains `row` on the others."""
    return np.block([[np.asarray(gains), -np.array([row]).T], [np.array([row]), np.zeros((1, 1))]])


def drawn(builds, seed, spread=0.1):
    """Gains of builds that differ in strength, with some cycles."""
    rng = np.random.default_rng(seed)
    strength, cycle = rng.normal(size=builds) * spread, rng.normal(size=(builds, builds)) * 0.1
    return np.tanh(strength[:, np.newaxis] - strength + cycle - cycle.T)


STACKED = np.block(
    [
        [0.5 * RPS, np.full((3, 3), 0.4), np.full((3, 1), 0.6)],
        [np.full((3, 3), -0.4), 0.5 * RPS, np.full((3, 1), 0.6)],
        [np.full((1, 6), -0.6), np.zeros((1, 1))],
    ]
)


@pytest.mark.parametrize(
    ("gains", "field"),
    [
        (RPS, [1 / 3, 1 / 3, 1 / 3]),
        (2 * np.array(FOUR) - 1, [2 / 7, 1 / 7, 4 / 7, 0]),
        ([[0, 0.2, -0.1], [-0.2, 0, 0.4], [0.1, -0.4, 0]], [4 / 7, 1 / 7, 2 / 7]),  # biased rock, paper, scissors
        (joined(RPS, [0, 0, 0]), [1 / 4, 1 / 4, 1 / 4, 1 / 4]),
        ([[0, 0, 0.2], [0, 0, 0.2], [-0.2, -0.2, 0]], [1 / 2, 1 / 2, 0]),
        (joined(RPS, [-0.2, -0.2, -0.2]), [1 / 3, 1 / 3, 1 / 3, 0]),
        (joined(0.5 * RPS, [0.2, 0.2, 0.2]), [0, 0, 0, 1]),
        (joined(0.5 * RPS, [-0.3, 0.2, 0.2]), [0.2, 0.3, 0, 0.5]),
        (joined(0.5 * RPS, [-0.3, 0.1, 0.1]), [1 / 3, 1 / 3, 1 / 3, 0]),
        (STACKED, [1 / 3, 1 / 3, 1 / 3, 0, 0, 0, 0]),
        ([[0.0]], [1.0]),
    ],
)
def test_known_equilibria(gains, field):
    found = maximum_entropy(scores(gains))
    np.testing.assert_allclose(found, field, atol=1e-4)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    assert exploitability(scores(gains), found) < 1.1e-7
    assert game_value(scores(gains)) == pytest.approx(0.5, abs=1e-9)


def test_rock_paper_scissors_is_uniform_and_worth_one_half():
    np.testing.assert_allclose(maximum_entropy(scores(RPS)), 1 / 3, atol=1e-12)
    found = solve(scores(RPS))
    assert found.value == pytest.approx(0.5, abs=1e-12)
    np.testing.assert_allclose([found.mixture, found.answer], 1 / 3, atol=1e-12)


@pytest.mark.parametrize(
    ("gains", "banned", "value"),
    [
        (RPS, 0, -1 / 3),
        (joined(RPS, [-0.2] * 3), 3, 0),
        (joined(0.5 * RPS, [0.2] * 3), 3, -0.2),
        (joined(0.5 * RPS, [-0.3, 0.2, 0.2]), 3, -1 / 60),
        (joined(0.5 * RPS, [-0.3, 0.1, 0.1]), 3, 0),
    ],
)
def test_value_with_one_build_banned(gains, banned, value):
    allowed = np.arange(len(gains)) != banned
    found = solve(scores(gains), allowed)
    assert found.value == pytest.approx((1 + value) / 2, abs=1e-9)
    assert found.mixture[banned] == 0


def test_both_mixtures_of_a_solution_are_sure_of_its_value():
    for seed in range(5):
        matrix, allowed = scores(drawn(9, seed)), np.arange(9) % 3 > 0
        found = solve(matrix, allowed)
        assert (found.mixture @ matrix).min() == pytest.approx(found.value, abs=1e-9)
        assert (matrix @ found.answer)[allowed].max() == pytest.approx(found.value, abs=1e-9)
        assert found.mixture.sum() == pytest.approx(1) and found.answer.sum() == pytest.approx(1)


def test_regret_of_the_one_left_out():
    field = [2 / 7, 1 / 7, 4 / 7, 0]
    np.testing.assert_allclose(regrets(FOUR, field), [0, 0, 0, 0.00857], atol=3e-6)
    assert exploitability(FOUR, [0, 0, 0, 1]) == pytest.approx(0.02)
    assert exploitability(FOUR, field) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("gains", "ranges"),
    [
        (RPS, [(1 / 3, 1 / 3)] * 3),
        (joined(RPS, [0, 0, 0]), [(0, 1 / 3)] * 3 + [(0, 1)]),
        ([[0, 0, 0.2], [0, 0, 0.2], [-0.2, -0.2, 0]], [(0, 1), (0, 1), (0, 0)]),
        (joined(RPS, [-0.2] * 3), [(1 / 3, 1 / 3)] * 3 + [(0, 0)]),
        (joined(0.5 * RPS, [0.2] * 3), [(0, 0)] * 3 + [(1, 1)]),
    ],
)
def test_usage_ranges(gains, ranges):
    for build, ends in enumerate(ranges):
        held = np.arange(len(gains)) == build
        np.testing.assert_allclose(usage_range(scores(gains), held), ends, atol=5e-5)
        low, high = usage_range(scores(gains), ~held)
        np.testing.assert_allclose((1 - high, 1 - low), ends, atol=5e-5)


def test_usage_range_grows_with_the_error_and_holds_the_equilibria_of_the_truth():
    truth = scores(drawn(8, 3, spread=0))
    noise = np.random.default_rng(4).uniform(-0.01, 0.01, (8, 8))
    seen = truth + np.triu(noise, 1) - np.triu(noise, 1).T
    held = np.isin(np.arange(8), [0, 4])  # two of a cycle of three
    found = [usage_range(seen, held, epsilon) for epsilon in (1e-6, 0.01, 0.02)]
    lows, highs = zip(*found, strict=True)
    assert lows[0] > lows[1] > lows[2] and highs[0] < highs[1] < highs[2]
    true = usage_range(truth, held)
    assert true[0] == pytest.approx(0.522, abs=1e-3) and true[1] - true[0] < 1e-3
    assert found[1][0] < true[0] and true[1] < found[1][1]
    assert usage_range(seen, held, np.full((8, 8), 0.01)) == pytest.approx(found[1])
    # what is known better of an opponent who mixes narrows it further
    mixed = np.c_[seen, seen @ maximum_entropy(truth)]
    low, high = usage_range(mixed, held, np.c_[np.full((8, 8), 0.02), np.full(8, 0.007)])
    assert lows[2] < low < true[0] and true[1] < high <= highs[2]


def test_no_near_equilibrium_has_more_entropy():
    gains, epsilon = drawn(6, 8), 0.004
    found = maximum_entropy(scores(gains), epsilon)
    oracle = minimize(
        lambda p: -entr(np.maximum(p, 0)).sum(),
        np.full(6, 1 / 6),
        method="SLSQP",
        bounds=[(0, 1)] * 6,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "ineq", "fun": lambda p: p @ scores(gains) - 0.5 + epsilon},
        ],
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert oracle.success
    np.testing.assert_allclose(found, oracle.x, atol=2e-6)
    assert exploitability(scores(gains), found) == pytest.approx(epsilon, rel=1e-5)


def test_a_wide_margin_mixes_all_alike():
    np.testing.assert_allclose(maximum_entropy(scores(drawn(6, 8)), 0.4), 1 / 6, atol=1e-9)
    np.testing.assert_allclose(maximum_entropy(scores(np.zeros((3, 3)))), 1 / 3)


@pytest.mark.parametrize("builds", [2, 7, 30])
def test_order_and_copies_of_builds_do_not_matter(builds):
    matrix = scores(drawn(builds, builds))
    found = maximum_entropy(matrix)
    assert exploitability(matrix, found) < 1.1e-7
    turned = np.random.default_rng(0).permutation(builds)
    np.testing.assert_allclose(maximum_entropy(matrix[np.ix_(turned, turned)]), found[turned], atol=2e-5)
    best = int(found.argmax())
    twice = np.r_[np.arange(builds), best]
    doubled = maximum_entropy(matrix[np.ix_(twice, twice)])
    assert doubled[best] == pytest.approx(doubled[-1], abs=1e-6)


def test_effective_number():
    assert effective_number(maximum_entropy(scores(STACKED))) == pytest.approx(3, abs=1e-3)
    assert effective_number([1.0, 0.0]) == 1
    assert effective_number([0.25] * 4) == pytest.approx(4)
    assert 1 < effective_number([0.9, 0.1]) < 1.5


def test_tiers():
    assert tiers(scores(STACKED)) == [[0, 1, 2], [3, 4, 5], [6]]
    turned = [6, 3, 0, 4, 1, 5, 2]
    assert tiers(scores(STACKED)[np.ix_(turned, turned)]) == [[2, 4, 6], [1, 3, 5], [0]]
    assert tiers(FOUR) == [[0, 1, 2], [3]]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: score_matrix([[0.5, 0.6]]), r"shape \(1, 2\)"),
        (lambda: score_matrix(np.zeros((0, 0))), r"shape \(0, 0\)"),
        (lambda: score_matrix([[0.5, 1.2], [-0.2, 0.5]]), r"holds 1\.2"),
        (lambda: score_matrix([[0.5, 0.6], [0.5, 0.5]]), r"builds 0 and 1 against each other are 0\.6 and 0\.5"),
        (lambda: score_matrix([[0.4]]), "builds 0 and 0"),
        (lambda: score_matrix([[np.nan]]), "not finite"),
        (lambda: solve(FOUR, [False] * 4), "no build"),
        (lambda: solve(FOUR, [True] * 3), r"allowed has type bool, shape \(3,\)"),
        (lambda: solve(FOUR, [1, 0, 0, 0]), "allowed has type int64"),
        (lambda: maximum_entropy(FOUR, 0.0), r"epsilon is 0\.0"),
        (lambda: regrets(FOUR, [0.5, 0.5]), r"field has shape \(2,\)"),
        (lambda: regrets(FOUR, [0.5, 0.5, 0.5, -0.5]), r"field holds -0\.5"),
        (lambda: effective_number([0.5, 0.6]), r"adds to 1\.1"),
        (lambda: usage_range(FOUR, [True, False]), "holders has type bool"),
        (lambda: usage_range(FOUR, [True] * 4, -0.1), r"epsilon holds -0\.1"),
        (lambda: usage_range(FOUR, [True] * 4, [0.1, 0.2]), "broadcast"),
        (lambda: usage_range(FOUR, [True] * 4, np.zeros((2, 4, 4))), r"epsilon has shape \(2, 4, 4\)"),
        (lambda: usage_range([0.5], [True]), r"scores has shape \(1,\)"),
        (lambda: usage_range([[0.4]], [True]), "no mixture scores one half"),
    ],
)
def test_bad_games_stop_at_the_door(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_examples():
    found = doctest.testmod(equilibrium)
    assert found.attempted and not found.failed
