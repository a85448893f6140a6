"""Fixed-n intervals: published values, oracles, and coverage by exact enumeration."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from simkit.stats import (
    batch_mean,
    clopper_pearson,
    dkw_half_width,
    mean_from_moments,
    one_sided_lower,
    one_sided_upper,
    wilson,
)
from simkit.stats.checks import alpha_of, normal_quantile

SHARES = [
    # k, n, level, Wilson, Clopper-Pearson
    (520, 1000, 0.95, (0.4890177247, 0.5508292050), (0.4885148825, 0.5513670573)),
    (0, 1000, 0.95, (0.0, 0.0038267585), (0.0, 0.0036820839)),
    (3, 10**6, 0.999, (5.530107e-07, 1.627437e-05), (1.497040e-07, 1.393395e-05)),
    (501645, 10**6, 0.999, (0.4999997366, 0.5032902277), (0.4999992380, 0.5032907372)),
]


def coverage(interval, n, p, level):
    """Probability, by enumeration, that the interval of a binomial count holds p."""
    p = np.atleast_1d(p)
    k = np.arange(n + 1)
    low, high = interval(k, n, level)
    # only counts whose interval can hold some p of the list matter
    near = (high >= p.min()) & (low <= p.max())
    mass = stats.binom.pmf(k[near], n, p[:, np.newaxis])
    return (mass * ((low[near] <= p[:, np.newaxis]) & (p[:, np.newaxis] <= high[near]))).sum(axis=1)


@pytest.mark.parametrize(("k", "n", "level", "score", "exact"), SHARES)
def test_intervals_of_a_share_have_the_known_values(k, n, level, score, exact):
    assert wilson(k, n, level) == pytest.approx(score, rel=1e-6)
    assert clopper_pearson(k, n, level) == pytest.approx(exact, rel=1e-6)


def test_clopper_pearson_at_a_tiny_alpha():
    low, high = clopper_pearson(0, 1000, 1 - 1e-7)
    assert low == 0.0
    assert high == pytest.approx(0.01667072243152068, rel=1e-13)


def test_wilson_of_published_reports():
    assert wilson(906, 1040, 0.95) == pytest.approx((0.8494178866479669, 0.8901580264147182), rel=1e-13)
    assert wilson(0, 10, 0.95) == pytest.approx((0.0, 0.27753), abs=1e-5)


@pytest.mark.parametrize(
    ("n", "p", "level", "score", "exact"),
    [
        (100, 0.5, 0.95, 0.943112, 0.964800),
        (100, 0.1, 0.95, 0.936398, 0.955690),
        (1000, 0.001, 0.999, 0.996363, 0.999918),
    ],
)
def test_coverage_by_enumeration(n, p, level, score, exact):
    assert coverage(wilson, n, p, level)[0] == pytest.approx(score, abs=6e-7)
    assert coverage(clopper_pearson, n, p, level)[0] == pytest.approx(exact, abs=6e-7)


@pytest.mark.parametrize(
    ("n", "p", "level", "worst_score", "within"),
    [
        (1000, np.linspace(0.2, 0.8, 601), 0.95, 0.9456, 5e-4),
        (1000, np.linspace(0.2, 0.8, 601), 0.999, 0.99886, 5e-5),
        (20_000, np.linspace(1, 10, 451) / 20_000, 0.95, 0.920, 5e-3),
        (20_000, np.linspace(1, 10, 451) / 20_000, 0.999, 0.9902, 5e-4),
    ],
)
def test_clopper_pearson_always_covers_and_wilson_does_not(n, p, level, worst_score, within):
    assert coverage(clopper_pearson, n, p, level).min() >= level
    assert coverage(wilson, n, p, level).min() == pytest.approx(worst_score, abs=within)


@pytest.mark.parametrize("level", [0.9, 0.99, 0.9999])
def test_intervals_of_a_share_agree_with_other_libraries(level):
    n = np.array([1, 2, 7, 40, 1000, 123_456])
    k = np.array([0, 1, 7, 13, 999, 61_000])
    for interval, method in ((clopper_pearson, "beta"), (wilson, "wilson")):
        low, high = interval(k, n, level)
        for i in range(len(n)):
            other = proportion_confint(int(k[i]), int(n[i]), alpha_of(level), method=method)
            assert (low[i], high[i]) == pytest.approx(other, rel=1e-9, abs=1e-15)
    low, high = clopper_pearson(k, n, level)
    other = [stats.binomtest(int(a), int(b)).proportion_ci(level, "exact") for a, b in zip(k, n, strict=True)]
    np.testing.assert_allclose(np.transpose([low, high]), other, rtol=1e-9)


@pytest.mark.parametrize("interval", [clopper_pearson, wilson])
@pytest.mark.parametrize("n", [1, 2, 3, 17, 1000, 10**6, 10**9, 2**53])
def test_ends_are_exact(interval, n):
    low, high = interval([0, n], n, 0.99)
    assert low[0] == 0.0
    assert high[1] == 1.0
    assert high[0] == pytest.approx(1 - low[1], abs=1e-15)
    assert 0 < high[0] < 1


def test_huge_counts_solve_their_tail_equations():
    k, n = np.array([1, 12_345, 500_000_000]), 10**9
    low, high = clopper_pearson(k, n, 1 - 1e-7)
    np.testing.assert_allclose(stats.binom.sf(k - 1, n, low), 5e-8, rtol=1e-6)
    np.testing.assert_allclose(stats.binom.cdf(k, n, high), 5e-8, rtol=1e-6)
    assert ((low < k / n) & (k / n < high)).all()


def test_one_sided_bounds_put_the_whole_error_on_one_side():
    assert one_sided_upper(0, 1000, 0.95) == pytest.approx(1 - 0.05**0.001, rel=1e-12)
    k = np.array([0, 3, 500, 1000])
    np.testing.assert_allclose(one_sided_upper(k, 1000, 0.975), clopper_pearson(k, 1000, 0.95)[1], rtol=1e-12)
    np.testing.assert_allclose(one_sided_lower(k, 1000, 0.975), clopper_pearson(k, 1000, 0.95)[0], rtol=1e-12)
    assert one_sided_upper(1000, 1000, 0.9) == 1.0
    assert one_sided_lower(0, 1000, 0.9) == 0.0


def test_scalars_give_0d_arrays_and_arrays_broadcast():
    for interval in (clopper_pearson, wilson):
        for bound in interval(3, 10, 0.9):
            assert (bound.shape, bound.dtype) == ((), np.float64)
        for bound in interval([[1], [2]], [10, 20, 30], 0.9):
            assert (bound.shape, bound.dtype) == ((2, 3), np.float64)
        assert all(bound.shape == (0,) for bound in interval(np.zeros(0, dtype=int), 10, 0.9))


@pytest.mark.parametrize("interval", [clopper_pearson, wilson, one_sided_upper, one_sided_lower])
@pytest.mark.parametrize(
    ("k", "n", "level", "words"),
    [
        (0, 0, 0.99, "n holds 0"),
        (-1, 10, 0.99, "k holds -1"),
        (11, 10, 0.99, "k is 11 of n = 10"),
        ([1, 2], [5, 1], 0.99, "k is 2 of n = 1"),
        (1.0, 10, 0.99, "k has type float64"),
        (True, 10, 0.99, "k has type bool"),
        (1, 2**53 + 1, 0.99, "n holds 9007199254740993"),
        (np.uint64(2**63), 10, 0.99, "k holds 9223372036854775808"),
        (1, 10, 0.0, "level is 0.0"),
        (1, 10, 1.0, "level is 1.0"),
        (1, 10, 99, "level is 99"),
        (1, 10, float("nan"), "level is nan"),
    ],
)
def test_bad_shares_stop_at_the_door(interval, k, n, level, words):
    with pytest.raises(ValueError, match=words):
        interval(k, n, level)


def test_alpha_is_read_from_the_decimal_of_the_level():
    assert alpha_of(0.9999999) == 1e-7
    assert alpha_of(np.float64(0.999)) == 0.001
    assert normal_quantile(0.95) == pytest.approx(1.959963984540054, rel=1e-14)


def test_batch_mean_with_equal_batches_is_the_t_interval_of_their_means():
    sums = np.random.default_rng(7).integers(300, 500, (3, 256))
    low, high = batch_mean(sums, np.full(256, 40), 0.99)
    other = stats.ttest_1samp(sums / 40, 0.0, axis=1).confidence_interval(0.99)
    np.testing.assert_allclose(low, other.low, rtol=1e-12)
    np.testing.assert_allclose(high, other.high, rtol=1e-12)


def test_batch_mean_of_uneven_batches_uses_the_ratio():
    sums, counts = np.array([10, 9, 13, 12, 0]), np.array([4, 4, 5, 5, 0])
    ratio = 44 / 18
    error = np.sqrt(4 / 3 * ((sums - ratio * counts) ** 2).sum()) / 18
    half = stats.t.ppf(0.975, 3) * error
    assert batch_mean(sums, counts, 0.95) == pytest.approx((ratio - half, ratio + half), rel=1e-12)


def test_batches_of_one_unit_give_the_interval_of_the_units():
    units = np.random.default_rng(3).integers(0, 7, 100)
    counts = np.r_[np.ones(100, dtype=int), np.zeros(156, dtype=int)]
    batched = batch_mean(np.r_[units, np.zeros(156, dtype=int)], counts, 0.9)
    np.testing.assert_allclose(batched, mean_from_moments(100, units.sum(), (units**2).sum(), 0.9), rtol=1e-12)


def test_batch_mean_has_no_width_where_nothing_varied():
    counts = np.r_[np.full(100, 391), np.full(156, 390)]
    for value in (0, 3, 7):
        low, high = batch_mean(value * counts, counts, 0.99)
        assert low == high == value


def test_batch_mean_covers_pairs_that_share_dice_where_pooled_games_do_not():
    # both games of a pair end alike: 512 pairs look like 1024 games to an interval that takes games for units
    rng = np.random.default_rng(11)
    runs, batches, pairs = 2_000, 64, 8
    wins = rng.binomial(pairs, 0.3, (runs, batches)) * 2
    low, high = batch_mean(wins, np.full(batches, 2 * pairs), 0.95)
    right = ((low <= 0.3) & (high >= 0.3)).mean()
    assert right == pytest.approx(0.95, abs=0.015)
    low, high = clopper_pearson(wins.sum(axis=1), batches * 2 * pairs, 0.95)
    assert ((low <= 0.3) & (high >= 0.3)).mean() < 0.87


@pytest.mark.parametrize(
    ("sums", "counts", "words"),
    [
        (3, 4, "single number"),
        ([3], [4], "1 batches"),
        ([3, 0], [4, 0], "1 batches"),
        ([3, 4], [0, 0], "0 batches"),
        ([3.0, float("nan")], [4, 4], "not finite"),
        ([3, 4], [4.0, 4.0], "counts has type float64"),
        (["3", "4"], [4, 4], "sums has type"),
    ],
)
def test_bad_batches_stop_at_the_door(sums, counts, words):
    with pytest.raises(ValueError, match=words):
        batch_mean(sums, counts, 0.99)


def test_mean_of_scores_with_draws():
    # L, D, W = 40,000, 18,000, 42,000; the known values take the normal quantile for t(99,999)
    assert mean_from_moments(100_000, 51_000.0, 46_500.0, 0.999) == pytest.approx(
        (0.5052898702, 0.5147101298), abs=3e-7
    )


def test_mean_from_moments_is_the_t_interval():
    units = np.random.default_rng(5).normal(12.0, 3.0, 50)
    other = stats.ttest_1samp(units, 0.0).confidence_interval(0.999)
    assert mean_from_moments(50, units.sum(), (units**2).sum(), 0.999) == pytest.approx(other, rel=1e-10)


def test_moments_keep_their_digits_at_huge_counts():
    n = 10**9 + 7
    low, high = mean_from_moments(n, 37 * n, 37 * 37 * n, 0.99)
    assert low == high == 37
    # one unit of 38 among them: variance 1/n, so the standard error is 1/n
    low, high = mean_from_moments(n, 37 * n + 1, 37 * 37 * n + 38 * 38 - 37 * 37, 0.99)
    assert high - low == pytest.approx(2 * stats.norm.ppf(0.995) / n, rel=1e-5)


def test_sums_that_cannot_belong_together_are_refused():
    with pytest.raises(ValueError, match="squares is smaller"):
        mean_from_moments(10, 100, 900, 0.99)
    with pytest.raises(ValueError, match="n holds 1"):
        mean_from_moments(1, 3, 9, 0.99)


def test_dkw_half_width():
    assert dkw_half_width(10**6, 0.999) == pytest.approx(0.0019495, abs=5e-8)
    np.testing.assert_allclose(dkw_half_width([100, 400], 0.95)[0], 2 * dkw_half_width(400, 0.95))
    with pytest.raises(ValueError, match="n holds 0"):
        dkw_half_width(0, 0.95)
