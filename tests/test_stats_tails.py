"""Tails for tests against exact values: oracles and true false alarm rates by enumeration."""

import numpy as np
import pytest
from scipy import stats

from simkit.stats import binomial_tail, g_test, mean_tail


def test_binomial_tail_is_twice_the_smaller_tail():
    n = np.array([1, 10, 1000, 10**6, 10**9])
    p = np.array([0.5, 0.1, 0.001, 0.3, 0.5])
    for k in (np.zeros(5, dtype=int), (n * p).astype(int), (n * p * 1.001).astype(int), n):
        other = 2 * np.minimum(stats.binom.cdf(k, n, p), stats.binom.sf(k - 1, n, p))
        np.testing.assert_allclose(binomial_tail(k, n, p), np.minimum(1, other), rtol=1e-6)
    k = np.arange(11)
    np.testing.assert_allclose(
        binomial_tail(k, 10, 0.5), [stats.binomtest(int(x), 10, 0.5).pvalue for x in k], rtol=1e-12
    )


def test_binomial_tail_of_the_sure_and_the_impossible():
    assert binomial_tail([0, 1, 10], 10, 0.0).tolist() == [1.0, 0.0, 0.0]
    assert binomial_tail([0, 9, 10], 10, 1.0).tolist() == [0.0, 0.0, 1.0]
    assert binomial_tail(5, 10, 0.5) == 1.0


@pytest.mark.parametrize(("p", "rate"), [(0.001, 1.8e-5), (0.01, 2.6e-6)])
def test_false_alarms_at_one_in_a_million(p, rate):
    n, k = 10_000, np.arange(400)
    mass = stats.binom.pmf(k, n, p)
    assert mass[binomial_tail(k, n, p) < 1e-6].sum() < 1e-6
    assert mass[mean_tail(k, n, p, p * (1 - p)) < 1e-6].sum() == pytest.approx(rate, rel=0.03)


def test_mean_tail_is_the_z_test_with_the_exact_variance():
    # 10,000 rolls of 2d6: mean 7, variance 35/6
    total = np.array([69_000, 70_000, 70_500, 71_207])
    z = (total / 10_000 - 7) / np.sqrt(35 / 6 / 10_000)
    np.testing.assert_allclose(mean_tail(total, 10_000, 7, 35 / 6), 2 * stats.norm.sf(abs(z)), rtol=1e-9)
    assert mean_tail(70_000, 10_000, 7, 0.0) == 1.0
    assert mean_tail(70_001, 10_000, 7, 0.0) == 0.0


def test_g_test_has_the_known_value():
    found = g_test([168, 175, 160, 190, 140, 167], np.full(6, 1 / 6))
    assert found.statistic == pytest.approx(8.329948, abs=5e-7)
    assert found.p_value == pytest.approx(0.138965, abs=5e-7)
    assert found.df == 5


def test_g_test_pools_classes_until_each_expects_20():
    counts = np.array([1, 4, 30, 60, 70, 25, 9, 1])
    chance = np.array([0.01, 0.04, 0.15, 0.3, 0.3, 0.15, 0.04, 0.01])
    found = g_test(counts, chance)
    pooled = stats.power_divergence([35, 60, 70, 35], np.array([40, 60, 60, 40]), lambda_="log-likelihood")
    assert found.df == 3
    assert (found.statistic, found.p_value) == pytest.approx((pooled.statistic, pooled.pvalue), rel=1e-9)


def test_g_test_with_equal_and_with_impossible_counts():
    assert g_test([50, 50], [0.5, 0.5]).p_value == 1.0
    assert g_test([50, 50, 0], [0.5, 0.5, 0.0]).p_value == 1.0
    found = g_test([50, 50, 1], [0.5, 0.5, 0.0])
    assert (found.statistic, found.p_value) == (float("inf"), 0.0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: binomial_tail(1, 0, 0.5), "n holds 0"),
        (lambda: binomial_tail(1, 2, 1.5), "p holds a value outside"),
        (lambda: mean_tail(1, 2, 0.5, -1.0), "variance holds -1.0"),
        (lambda: g_test([10, 10], [0.5, 0.5]), "n is 20"),
        (lambda: g_test([50, 50], [0.5, 0.6]), "add up to"),
        (lambda: g_test([50, 50], [1.0]), "two equal rows"),
    ],
)
def test_bad_numbers_stop_at_the_door(call, words):
    with pytest.raises(ValueError, match=words):
        call()
