"""Paired differences: published values, a brute-force likelihood, and coverage by enumeration."""

import numpy as np
import pytest
from scipy import optimize, special, stats
from statsmodels.stats.contingency_tables import mcnemar as other_mcnemar

from simkit.stats import batch_mean, mcnemar, paired_mean, tango, variance_ratio
from simkit.stats.checks import normal_quantile


def score(d, b, c, n):
    """Score of the difference d, its nuisance share found by maximising the likelihood."""

    def loss(q):
        return -(special.xlogy(b, q + d) + special.xlogy(c, q) + special.xlogy(n - b - c, 1 - 2 * q - d))

    span = (max(0.0, -d), (1 - d) / 2)
    q = optimize.minimize_scalar(loss, bounds=span, method="bounded", options={"xatol": 1e-14}).x
    return (b - c - n * d) / np.sqrt(n * (2 * q + d * (1 - d)))


@pytest.mark.parametrize(
    ("b", "c", "n", "level", "low", "high"),
    [
        (12, 5, 100, 0.95, -0.011863, 0.157416),
        (1, 0, 44, 0.95, -0.0593932, 0.1180771),
        (9, 3, 32, 0.95, -0.027090, 0.389697),
        (1200, 1000, 100_000, 0.999, 0.00045772, 0.00355143),
    ],
)
def test_tango_has_the_known_values(b, c, n, level, low, high):
    assert tango(b, c, n, level) == pytest.approx((low, high), abs=6e-7)


@pytest.mark.parametrize(("b", "c", "n"), [(12, 5, 100), (9, 3, 32), (0, 4, 20), (30, 1, 40), (3, 3, 1000)])
@pytest.mark.parametrize("level", [0.8, 0.99, 0.9999])
def test_tango_ends_where_the_brute_force_score_is_critical(b, c, n, level):
    low, high = tango(b, c, n, level)
    z = normal_quantile(level)
    assert score(float(low), b, c, n) == pytest.approx(z, rel=1e-5)
    assert score(float(high), b, c, n) == pytest.approx(-z, rel=1e-5)


def test_tango_at_the_edges():
    z2 = normal_quantile(0.99) ** 2
    low, high = tango([0, 0, 50], [0, 50, 0], 50, 0.99)
    assert high[0] == -low[0] == z2 / (50 + z2)
    assert low[1] == -1.0
    assert high[2] == 1.0
    assert -1 < high[1] < 0 < low[2] < 1
    low, high = tango(0, 0, 10**9, 1 - 1e-7)
    assert high == -low == pytest.approx(28.37e-9, rel=1e-3)


def test_tango_holds_the_estimate_is_mirrored_and_grows_with_b():
    rng = np.random.default_rng(4)
    n = 10 ** rng.integers(0, 10, 5_000)
    b = (rng.random(5_000) ** 4 * (n + 1)).astype(int)
    c = (rng.random(5_000) ** 4 * (n - b + 1)).astype(int)
    low, high = tango(b, c, n, 0.99)
    assert ((low <= (b - c) / n) & ((b - c) / n <= high)).all()
    assert (low < high).all()
    mirrored = tango(c, b, n, 0.99)
    assert (low == -mirrored[1]).all()
    assert (high == -mirrored[0]).all()
    low, high = tango(np.arange(41), 0, 40, 0.99)
    assert (np.diff(low) > 0).all()
    assert (np.diff(high[:-1]) > 0).all()


def test_tango_covers_rare_differences_where_the_normal_interval_does_not():
    # n = 1000 units, 3 and 1 per mille of which differ: all counts that matter are enumerated
    n, p, q = 1000, 0.003, 0.001
    b, c = np.meshgrid(np.arange(31), np.arange(21), indexing="ij")
    mass = stats.binom.pmf(b, n, p) * stats.binom.pmf(c, n - b, q / (1 - p))
    assert mass.sum() == pytest.approx(1, abs=1e-9)

    def covered(low, high):
        return (mass * ((low <= p - q) & (p - q <= high))).sum()

    assert covered(*tango(b, c, n, 0.99)) == pytest.approx(0.998, abs=6e-4)
    d = (b - c) / n
    half = normal_quantile(0.99) * np.sqrt(((b + c) / n - d**2) / n)
    assert covered(d - half, d + half) == pytest.approx(0.950, abs=6e-4)


@pytest.mark.parametrize(
    ("b", "c", "n", "words"),
    [(0, 0, 0, "n holds 0"), (3, 2, 4, r"b \+ c is 3 \+ 2"), (-1, 0, 4, "b holds -1"), (1.5, 0, 4, "b has type")],
)
def test_bad_tables_stop_at_the_door(b, c, n, words):
    with pytest.raises(ValueError, match=words):
        tango(b, c, n, 0.99)


def test_mcnemar():
    assert mcnemar(1200, 1000) == pytest.approx(2.1817e-05, rel=1e-4)
    b, c = np.array([0, 0, 1, 5, 5, 40]), np.array([0, 3, 1, 5, 12, 90])
    p = mcnemar(b, c)
    assert p[0] == p[2] == p[3] == 1.0
    other = [other_mcnemar([[9, x], [y, 9]], exact=True).pvalue for x, y in zip(b[1:], c[1:], strict=True)]
    np.testing.assert_allclose(p[1:], other, rtol=1e-12)
    assert (p == mcnemar(c, b)).all()
    assert mcnemar(10**8, 10**8) == 1.0
    with pytest.raises(ValueError, match="c holds -1"):
        mcnemar(1, -1)


def test_paired_mean_of_differences_with_draws():
    # shared luck cancels: the interval of the differences is far narrower than those of the runs themselves
    rng = np.random.default_rng(8)
    luck = rng.normal(size=(256, 40))
    first = (luck > 0.0).astype(int) + (luck > 0.3)
    second = (luck > 0.1).astype(int) + (luck > 0.4)
    counts = np.full(256, 40)
    low, high = paired_mean((first - second).sum(axis=1), counts, 0.99)
    assert low < (first - second).mean() < high
    apart = np.subtract(*batch_mean(np.stack([first.sum(axis=1), second.sum(axis=1)]), counts, 0.99))
    assert high - low < 0.5 * abs(apart).min()


def test_variance_ratio_of_a_2x2_table():
    # margins .52 and .50, 12 and 10 per mille of 100,000 units differ
    n, both, b, c = 10**5, 49_800, 1_200, 1_000
    ratio = variance_ratio(n, both + b, both + b, both + c, both + c, b - c, b + c)
    p, q, d = (both + b) / n, (both + c) / n, (b - c) / n
    assert ratio == pytest.approx((p * (1 - p) + q * (1 - q)) / ((b + c) / n - d * d), rel=1e-12)
    # independent arms of these margins: +-.736 pp at 99.9 % instead of +-.155 pp
    low, high = tango(b, c, n, 0.999)
    assert (high - low) / 2 * np.sqrt(ratio) == pytest.approx(0.00736, rel=3e-3)


def test_variance_ratio_without_variation():
    assert variance_ratio(10, 5, 5, 5, 5, 0, 0) == np.inf
    assert np.isnan(variance_ratio(10, 10, 10, 0, 0, 10, 10))
    assert variance_ratio([10, 10], 5, 5, 5, 5, 0, [10, 5]).tolist() == [0.5, 1.0]
    with pytest.raises(ValueError, match="n holds 1"):
        variance_ratio(1, 1, 1, 1, 1, 0, 0)
