"""Confidence sequences: published values, exact relations, and the false alarms of a run that peeks."""

import itertools

import numpy as np
import pytest
from scipy import special

from simkit.stats import (
    asymptotic,
    asymptotic_half_width,
    asymptotic_ready,
    beta_binomial,
    clopper_pearson,
    inside_band,
    looks,
    mean_from_moments,
    mixture_rho_squared,
    outside_band,
    precise_enough,
    sign_decided,
    wilson,
)
from simkit.stats.checks import normal_quantile


@pytest.mark.parametrize(
    ("k", "n", "level", "weight", "low", "high"),
    [
        (520, 1000, 0.95, 0.5, 0.4622870254, 0.5773583629),
        (501645, 10**6, 0.999, 0.5, 0.4989953510, 0.5042945874),
        (0, 1000, 0.95, 0.5, 0.0, 0.0069975025),
        (520, 1000, 0.95, 1.0, 0.4642607758, 0.5754084423),
    ],
)
def test_beta_binomial_has_the_known_values(k, n, level, weight, low, high):
    assert beta_binomial(k, n, level, weight, weight) == pytest.approx((low, high), abs=1e-10)


def test_beta_binomial_ends_are_exact_and_mirrored():
    n = np.array([1, 5, 1000, 10**6, 10**9])
    low, high = beta_binomial(np.stack([0 * n, n]), n, 0.999)
    assert (low[0] == 0.0).all()
    assert (high[1] == 1.0).all()
    np.testing.assert_allclose(high[0], 1 - low[1], atol=1e-15)
    # at k = 0 the bound is a closed form
    mixture = special.betaln(0.5, 0.5 + n) - special.betaln(0.5, 0.5)
    np.testing.assert_allclose(high[0], -np.expm1((mixture + np.log(0.001)) / n), rtol=1e-12)


def test_beta_binomial_solves_its_equation():
    rng = np.random.default_rng(6)
    n = 10 ** rng.integers(1, 7, 400)
    k = (rng.random(400) ** 3 * n).astype(int)
    low, high = beta_binomial(k, n, 0.99, 0.5, 2.0)
    assert ((low <= k / n) & (k / n <= high)).all()
    mixture = special.betaln(0.5 + k, 2.0 + n - k) - special.betaln(0.5, 2.0)
    for bound, there in ((low, k > 0), (high, k < n)):
        log_ratio = (mixture - special.xlogy(k, bound) - special.xlog1py(n - k, -bound))[there]
        np.testing.assert_allclose(log_ratio, np.log(100), rtol=1e-7)


def test_beta_binomial_is_wider_than_the_fixed_n_interval():
    k, n = np.array([0, 1, 50, 50_000, 99_999, 500_000_000]), np.array([1000, 1000, 100, 10**5, 10**5, 10**9])
    low, high = beta_binomial(k, n, 0.99)
    exact = clopper_pearson(k, n, 0.99)
    assert (low <= exact[0]).all()
    assert (high >= exact[1]).all()
    half = beta_binomial(50_000, 100_000, 0.999)[1] - 0.5
    assert half / (0.5 / np.sqrt(100_000)) == pytest.approx(5.1, abs=0.05)


def test_asymptotic_has_the_known_values():
    assert mixture_rho_squared(10**6, 0.999) == pytest.approx(1.74413025e-05, rel=5e-9)
    assert asymptotic_half_width(0.5, 10**6, 0.999, 10**6) == pytest.approx(0.0021029341, abs=6e-11)
    assert asymptotic_half_width(1.0, 10**4, 0.95, 10**4) == pytest.approx(0.0303544640, abs=6e-11)
    assert asymptotic_half_width(0.5, 10**5, 0.99, 10**6) == pytest.approx(0.0067226173, abs=6e-11)
    # L, D, W = 40,000, 18,000, 42,000 scored 0, 1/2, 1
    assert asymptotic(100_000, 51_000.0, 46_500.0, 0.999) == pytest.approx((0.5039795822, 0.5160204178), abs=6e-11)


def test_asymptotic_multipliers_and_cost():
    n = np.array([10**3, 10**4, 10**5, 10**6, 10**7])
    multiplier = asymptotic_half_width(1.0, n, 0.999, 10**5) * np.sqrt(n)
    np.testing.assert_allclose(multiplier, [9.70, 4.83, 4.21, 4.37, 4.61], atol=0.006)
    # +-.1 pp at 99.9 %: 1.6 times the 2,706,892 units of the fixed-n interval
    assert asymptotic_half_width(0.5, 4_420_000, 0.999, 4_420_000) == pytest.approx(0.001, rel=2e-3)


def test_asymptotic_waits_for_100_units_that_differ():
    assert asymptotic_ready([100, 10_000, 10_000], [0, 9_901, 9_900]).tolist() == [True, False, True]
    # nothing seen has no width: the reason for waiting
    assert asymptotic(10_000, 0, 0, 0.999) == (0.0, 0.0)
    with pytest.raises(ValueError, match="k is 11 of n = 10"):
        asymptotic_ready(10, 11)


def test_looks_are_fixed_whole_and_growing():
    counts = looks(last=1_000_000)
    assert counts[:4] == (10_240, 12_544, 15_872, 19_712)
    assert counts[-1] == 1_000_000
    assert all(count % 256 == 0 for count in counts[:-1])
    assert all(a < b for a, b in itertools.pairwise(counts))
    # a longer run looks at the same counts first
    assert looks(last=5_000_000)[: len(counts) - 1] == counts[:-1]
    assert looks(last=300) == (300,)
    assert looks(last=10_240) == (10_240,)
    assert looks(first=1, growth=1.1, whole=64, last=256) == (64, 128, 192, 256)
    for bad in ({"first": 0}, {"whole": 0}, {"last": 0}, {"growth": 1.0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            looks(**({"last": 1000} | bad))


def test_stop_rules():
    low, high = np.array([0.49, 0.501, 0.4, 0.495, 0.52]), np.array([0.51, 0.52, 0.499, 0.505, 0.53])
    assert sign_decided(low, high).tolist() == [False, True, True, False, True]
    assert sign_decided(low, high, 0.525).tolist() == [True, True, True, True, False]
    assert inside_band(low, high, 0.5, 0.005).tolist() == [False, False, False, True, False]
    assert outside_band(low, high, 0.5, 0.005).tolist() == [False, False, False, False, True]
    assert precise_enough(low, high, 0.00951).tolist() == [False, True, False, True, True]
    # a bound on the target decides nothing
    assert not sign_decided(0.5, 0.6)
    with pytest.raises(ValueError, match="low above high"):
        sign_decided(0.6, 0.5)
    with pytest.raises(ValueError, match="within is 0"):
        inside_band(0.4, 0.6, 0.5, 0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: beta_binomial(0, 0, 0.99), "n holds 0"),
        (lambda: beta_binomial(2, 1, 0.99), "k is 2 of n = 1"),
        (lambda: beta_binomial(1, 2, 0.99, a=0.0), "a is 0.0"),
        (lambda: asymptotic_half_width(1.0, 0, 0.99), "n holds 0"),
        (lambda: asymptotic_half_width(-1.0, 9, 0.99), "sd holds -1.0"),
        (lambda: asymptotic_half_width(1.0, 9, 0.3), "level is 0.3"),
        (lambda: asymptotic_half_width(1.0, 9, 0.99, 0), "tightest is 0"),
    ],
)
def test_bad_numbers_stop_at_the_door(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def false_alarms(runs, seed, level=0.95, step=10_000, last=10**7):
    """Share of fair runs that at some look excluded 1/2, for three kinds of interval."""
    n = np.arange(step, last + 1, step)
    half = n // 2
    # the beta-binomial alarm needs a certain excess of wins; it is found by bisection, once for all runs
    calm, alarm = np.zeros_like(n), half.copy()
    while (alarm - calm > 1).any():
        middle = (calm + alarm) // 2
        decided = sign_decided(*beta_binomial(half + middle, n, level))
        calm, alarm = np.where(decided, calm, middle), np.where(decided, middle, alarm)
    z = normal_quantile(level)
    rng = np.random.default_rng(seed)
    rates = np.zeros(3)
    for start in range(0, runs, 500):
        wins = rng.binomial(step, 0.5, (min(500, runs - start), n.size)).cumsum(axis=1)
        excess = np.abs(wins - half)
        sd = np.sqrt(wins / n * (1 - wins / n))
        rates += [
            (excess / n > asymptotic_half_width(1.0, n, level) * sd).any(axis=1).sum(),
            (excess >= alarm).any(axis=1).sum(),
            (excess / n > z * sd / np.sqrt(n)).any(axis=1).sum(),
        ]
    return rates / runs


def test_false_alarms_of_a_run_that_peeks():
    sequence, exact, naive = false_alarms(1_500, seed=20_240_601)
    assert sequence == pytest.approx(0.033, abs=0.016)
    assert exact <= 0.004
    assert naive == pytest.approx(0.53, abs=0.045)


@pytest.mark.slow
def test_false_alarms_of_a_run_that_peeks_in_20_000_runs():
    sequence, exact, naive = false_alarms(20_000, seed=1)
    assert sequence == pytest.approx(0.033, abs=0.005)
    assert exact == pytest.approx(0.0005, abs=0.0006)
    assert naive == pytest.approx(0.53, abs=0.012)


def test_false_alarm_simulation_takes_the_intervals_of_the_package():
    # its shortcut for scores of 0 and 1 equals the public functions
    wins, n = np.array([5_120, 503_000]), np.array([10_000, 10**6])
    low, high = asymptotic(n, wins, wins, 0.95)
    sd = np.sqrt(wins / n * (1 - wins / n))
    np.testing.assert_allclose((high - low) / 2, asymptotic_half_width(1.0, n, 0.95) * sd, rtol=1e-12)
    np.testing.assert_allclose(mean_from_moments(n, wins, wins, 0.95), wilson(wins, n, 0.95), atol=2e-5)
