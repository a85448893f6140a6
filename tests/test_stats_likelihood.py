"""Likelihood of a mean over a few classes: the exact sequence with draws, and the ratio tests on Elo."""

import numpy as np
import pytest
from scipy import optimize, special

from simkit.stats import (
    beta_binomial,
    dirichlet_multinomial,
    llr_pentanomial,
    llr_trinomial,
    score_of_elo,
    sprt_bounds,
)
from simkit.stats.likelihood import mean_log_ratio

THIRDS = np.array([0.0, 0.5, 1.0])


def loss_by_brute_force(counts, mean):
    """Log-likelihood lost by forcing the mean of loss, draw, win; over the one free share, that of draws."""
    lost, drawn, won = counts

    def loss(draw):
        win = mean - draw / 2
        return -(special.xlogy(won, win) + special.xlogy(drawn, draw) + special.xlogy(lost, 1 - win - draw))

    span = (0.0, 2 * min(mean, 1 - mean))
    best = optimize.minimize_scalar(loss, bounds=span, method="bounded", options={"xatol": 1e-14}).fun
    return best + special.xlogy(counts, np.array(counts) / sum(counts)).sum()


@pytest.mark.parametrize(
    "counts", [(40, 18, 42), (0, 18, 42), (40, 0, 42), (40, 18, 0), (0, 0, 7), (7, 0, 0), (0, 7, 0), (1, 10**6, 3)]
)
@pytest.mark.parametrize("mean", [0.03, 0.4, 0.5, 0.51, 0.95])
def test_lost_likelihood_is_that_of_brute_force(counts, mean):
    found = mean_log_ratio(np.array(counts), THIRDS, np.array(mean))
    assert found == pytest.approx(loss_by_brute_force(counts, mean), rel=1e-6, abs=1e-5)
    assert found >= 0


def test_dirichlet_multinomial_has_the_known_values():
    found = dirichlet_multinomial([40_000, 18_000, 42_000], THIRDS, 0.999)
    assert found == pytest.approx((0.5013100558, 0.5186855718), abs=6e-11)


def test_dirichlet_multinomial_of_two_classes_is_the_beta_binomial():
    k, n = np.array([0, 1, 520, 999, 1000]), 1000
    found = dirichlet_multinomial(np.stack([n - k, k], axis=-1), [0, 1], 0.99)
    np.testing.assert_allclose(found, beta_binomial(k, n, 0.99), rtol=1e-9, atol=1e-13)


def test_dirichlet_multinomial_with_classes_never_seen():
    low, high = dirichlet_multinomial([[50, 0, 0], [0, 50, 0], [0, 0, 50]], THIRDS, 0.99)
    assert low[0] == 0.0
    assert high[2] == 1.0
    np.testing.assert_allclose(low, 1 - high[::-1], atol=1e-14)
    # 50 draws in 50 units say something, but not that every unit is drawn
    assert 0.3 < low[1] < 0.5 < high[1] < 0.7


def test_dirichlet_multinomial_does_not_depend_on_scale_or_order():
    counts = np.array([5, 40, 90, 35, 9])
    low, high = dirichlet_multinomial(counts, np.arange(5) / 4, 0.99)
    moved = dirichlet_multinomial(counts, 8.0 * np.arange(5) - 3, 0.99)
    np.testing.assert_allclose(moved, (32 * low - 3, 32 * high - 3))
    order = [3, 0, 4, 2, 1]
    np.testing.assert_allclose(dirichlet_multinomial(counts[order], np.arange(5)[order] / 4, 0.99), (low, high))


def test_dirichlet_multinomial_keeps_its_level_in_small_runs():
    # every look from 1 to 60 units, an unlikely win: the exact sequence is right from the first unit on
    rng = np.random.default_rng(17)
    classes = rng.choice(3, (400, 60), p=[0.15, 0.8, 0.05])
    seen = (classes[..., np.newaxis] == np.arange(3)).cumsum(axis=1)
    low, high = dirichlet_multinomial(seen, THIRDS, 0.9)
    missed = ((low > 0.45) | (high < 0.45)).any(axis=1).mean()
    assert 0.0 < missed < 0.1


def test_llr_has_the_known_values():
    # the first value was published with a root that was solved to 1e-8 only
    assert llr_trinomial(880, 759, 1863, 0, 5) == pytest.approx(2.9472241337312086, abs=3e-8)
    assert llr_trinomial(880, 759, 1863, 0, 5) == pytest.approx(2.947224113731643, abs=1e-12)
    assert llr_trinomial(65_388, 65_804, 56_553, -3, 1) == pytest.approx(2.049043, abs=6e-7)
    pairs = np.array([10_789, 19_328, 33_806, 19_402, 10_543])
    assert llr_pentanomial(pairs, -3, 1) == pytest.approx(2.131068, abs=6e-7)
    # near the normal approximation of it
    share, worth = pairs / pairs.sum(), np.arange(5) / 4
    mean, s0, s1 = share @ worth, float(score_of_elo(-3)), float(score_of_elo(1))
    near = (s1 - s0) * (2 * mean - s0 - s1) * pairs.sum() / (2 * (share @ worth**2 - mean**2))
    assert near == pytest.approx(2.131245, abs=6e-7)


def test_llr_without_draws_is_that_of_a_coin():
    s0, s1 = score_of_elo(0), score_of_elo(20)
    coin = 60 * np.log(s1 / s0) + 40 * np.log((1 - s1) / (1 - s0))
    assert llr_trinomial(60, 40, 0, 0, 20) == pytest.approx(float(coin), rel=1e-12)
    assert llr_trinomial(60, 0, 0, 0, 20) == pytest.approx(60 * np.log(float(s1 / s0)), rel=1e-12)
    # draws alone fit both hypotheses alike when they lie evenly around 1/2
    assert llr_trinomial(0, 0, 500, -10, 10) == pytest.approx(0, abs=1e-12)
    # the roles exchanged, the ratio changes its sign
    assert llr_trinomial([30, 20], [20, 30], [5, 5], -10, 10).sum() == pytest.approx(0, abs=1e-12)


def test_llr_is_vectorised():
    wins = np.array([[880], [900]])
    found = llr_trinomial(wins, [759, 800, 700], 1863, 0, 5)
    assert found.shape == (2, 3)
    assert found[0, 0] == llr_trinomial(880, 759, 1863, 0, 5)
    assert llr_pentanomial(np.ones((4, 2, 5), dtype=int), 0, 5).shape == (4, 2)


def test_sprt_bounds():
    assert sprt_bounds(0.05, 0.05) == pytest.approx((-2.944439, 2.944439), abs=6e-7)
    assert sprt_bounds(0.01, 0.1) == pytest.approx((np.log(0.1 / 0.99), np.log(90)), rel=1e-12)


def test_score_of_elo():
    elo = np.array([34.860, 13.905, 6.950, 70.437, 0.0])
    np.testing.assert_allclose(score_of_elo(elo), [0.55, 0.52, 0.51, 0.60, 0.5], atol=1e-6)
    np.testing.assert_allclose(score_of_elo(-elo), 1 - score_of_elo(elo), rtol=1e-14)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: dirichlet_multinomial([0, 0, 0], THIRDS, 0.99), "without units"),
        (lambda: dirichlet_multinomial([1, 2], THIRDS, 0.99), "last axis of 3"),
        (lambda: dirichlet_multinomial([1, 2], [0.5, 0.5], 0.99), "two different numbers"),
        (lambda: dirichlet_multinomial([1, -2], [0, 1], 0.99), "counts holds -2"),
        (lambda: dirichlet_multinomial([1, 2], [0, 1], 0.99, prior=0.0), "prior is 0.0"),
        (lambda: llr_trinomial(0, 0, 0, 0, 5), "without units"),
        (lambda: llr_trinomial(1, 1, 1, 5, 5), "elo0 is 5 and elo1 is 5"),
        (lambda: llr_pentanomial([1, 2, 3], 0, 5), "last axis of 5"),
        (lambda: sprt_bounds(0.0, 0.05), "alpha is 0.0"),
        (lambda: sprt_bounds(0.5, 0.5), "alpha \\+ beta is 1"),
        (lambda: score_of_elo(float("inf")), "not finite"),
    ],
)
def test_bad_numbers_stop_at_the_door(call, words):
    with pytest.raises(ValueError, match=words):
        call()
