"""Many tests and many bands: published values, oracles, and simultaneous coverage."""

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from statsmodels.stats.multitest import multipletests

from simkit.stats import (
    batch_mean,
    benjamini_hochberg,
    benjamini_yekutieli,
    bonferroni_level,
    e_bh,
    holm,
    max_t,
    sidak_level,
    sidak_z,
    simultaneous_bands,
)
from simkit.stats.checks import normal_quantile

P = np.array([1e-5, 0.0004, 0.004, 0.012, 0.03, 0.045, 0.2, 0.6])


def equally_correlated(cells, rho, batches=256):
    """Residuals whose correlation matrix is exactly 1 on and rho off the diagonal."""
    rows = np.linalg.qr(np.random.default_rng(0).normal(size=(batches, cells + 1)))[0].T
    return np.sqrt(rho) * rows[0] + np.sqrt(1 - rho) * rows[1:]


def exact_critical(cells, rho, level):
    """Quantile of the largest of equally correlated normals, by quadrature over what they share."""

    def inside(c):
        def given(x):
            shift, scale = np.sqrt(rho) * x, np.sqrt(1 - rho)
            each = stats.norm.cdf((c - shift) / scale) - stats.norm.cdf((-c - shift) / scale)
            return stats.norm.pdf(x) * each**cells

        return integrate.quad(given, -8, 8, limit=200)[0]

    return optimize.brentq(lambda c: inside(c) - level, 1, 6)


@pytest.mark.parametrize(
    ("adjust", "method", "known"),
    [
        (holm, "holm", [8e-5, 0.0028, 0.024, 0.06, 0.12, 0.135, 0.4, 0.6]),
        (benjamini_hochberg, "fdr_bh", [8e-5, 0.0016, 0.010667, 0.024, 0.048, 0.06, 0.228571, 0.6]),
        (benjamini_yekutieli, "fdr_by", [0.000217, 0.004349, 0.02899, 0.065229, 0.130457, 0.163071, 0.621224, 1]),
    ],
)
def test_adjusted_p_values(adjust, method, known):
    np.testing.assert_allclose(adjust(P), known, atol=6e-7)
    shuffled = np.random.default_rng(2).permutation(np.r_[P, P, 0.0, 1.0])
    np.testing.assert_allclose(adjust(shuffled), multipletests(shuffled, method=method)[1], rtol=1e-12)
    assert adjust([0.3]) == [0.3]
    for bad in ([], [0.5, -0.1], [1.1], [[0.1]]):
        with pytest.raises(ValueError, match="p is not a row"):
            adjust(bad)
    with pytest.raises(ValueError, match="not finite"):
        adjust([0.1, float("nan")])


def test_e_bh():
    e = np.array([500, 120, 60, 41, 3, 1, 0.5, 0.2])
    assert e_bh(e, 0.05).tolist() == [True] * 4 + [False] * 4
    assert e_bh(e[::-1], 0.05).tolist() == [False] * 4 + [True] * 4
    assert not e_bh([1.0, 2.0], 0.05).any()
    # the third is too small by itself but the fourth pulls nothing in: rank times value decides
    assert e_bh([100, 50, 20, 21], 0.05).tolist() == [True, True, True, True]
    assert e_bh([100, 50, 19, 19], 0.05).tolist() == [True, True, False, False]
    with pytest.raises(ValueError, match="e is not a row"):
        e_bh([-1.0], 0.05)
    with pytest.raises(ValueError, match="alpha is 5"):
        e_bh([1.0], 5)


def test_levels_of_families():
    assert sidak_z(21, 0.95) == pytest.approx(3.031, abs=5e-4)
    assert sidak_z(1, 0.99) == pytest.approx(normal_quantile(0.99), rel=1e-14)
    assert sidak_level(21, 0.95) ** 21 == pytest.approx(0.95, rel=1e-13)
    assert sidak_z(21, 0.95) == pytest.approx(normal_quantile(sidak_level(21, 0.95)), rel=1e-10)
    assert bonferroni_level(21, 0.95) == pytest.approx(1 - 0.05 / 21, rel=1e-14)
    assert sidak_z(100, 1 - 1e-7) == pytest.approx(stats.norm.isf(5e-10), rel=1e-7)
    for call in (sidak_z, sidak_level, bonferroni_level):
        with pytest.raises(ValueError, match="cells holds 0"):
            call(0, 0.95)


@pytest.mark.parametrize("rho", [0.5, 0.9, 0.99])
@pytest.mark.thorough
def test_max_t_has_the_exact_critical_value_of_equally_correlated_cells(rho):
    found = max_t(equally_correlated(21, rho), 0.99, seed=5)
    exact = exact_critical(21, rho, 0.99)
    assert (found.method, found.cells, found.level) == ("max-t", 21, 0.99)
    assert found.value == pytest.approx(exact, abs=0.05)
    assert found.value < sidak_z(21, 0.99) < normal_quantile(bonferroni_level(21, 0.99))


def test_max_t_is_a_function_of_its_seed_alone():
    residuals = equally_correlated(5, 0.9)
    assert max_t(residuals, 0.95, seed=1) == max_t(residuals, 0.95, seed=1)
    assert max_t(residuals, 0.95, seed=1) != max_t(residuals, 0.95, seed=2)
    # the scale of a cell, a copy of a cell, and a cell that never varied change nothing
    value = max_t(residuals, 0.95).value
    assert max_t(residuals * np.array([[1], [2], [3], [4], [1e-6]]), 0.95).value == value
    assert max_t(np.r_[residuals, residuals[:1], np.zeros((1, 256))], 0.95).value == value


def test_max_t_says_when_it_took_sidak():
    rng = np.random.default_rng(3)
    for residuals, level in (
        (rng.normal(size=(101, 256)), 0.95),  # too many cells
        (equally_correlated(5, 0.9), 0.9999),  # two draws of 20,000 beyond the quantile
        (np.zeros((4, 256)), 0.95),  # nothing varied
        (equally_correlated(1, 0.5), 0.95),  # one cell needs no draws
    ):
        found = max_t(residuals, level)
        assert (found.method, found.value) == ("sidak", sidak_z(len(residuals), level))


def test_bands_of_one_cell_are_its_batch_interval():
    sums, counts = np.random.default_rng(1).integers(300, 500, 256), np.full(256, 40)
    bands = simultaneous_bands(sums[np.newaxis], counts, 0.99)
    np.testing.assert_allclose((bands.low[0], bands.high[0]), batch_mean(sums, counts, 0.99), rtol=1e-10)
    assert bands.varied.tolist() == [True]


def test_bands_mark_cells_that_never_varied():
    sums = np.random.default_rng(1).integers(300, 500, (3, 256))
    sums[1] = 0
    bands = simultaneous_bands(sums, np.full(256, 500), 0.99)
    assert bands.varied.tolist() == [True, False, True]
    assert bands.low[1] == bands.high[1] == 0.0


def test_bands_hold_together_where_single_intervals_do_not():
    # 8 cells of a sweep that share three quarters of their luck; batches are few, so that Student's t matters
    rng = np.random.default_rng(23)
    together, alone = 0, 0
    counts = np.full(32, 10)
    for _ in range(300):
        sums = np.sqrt(0.75) * rng.normal(size=(1, 32)) + np.sqrt(0.25) * rng.normal(size=(8, 32))
        bands = simultaneous_bands(sums, counts, 0.9, draws=1_000)
        together += ((bands.low <= 0) & (bands.high >= 0)).all()
        low, high = batch_mean(sums, counts, 0.9)
        alone += ((low <= 0) & (high >= 0)).all()
    assert together / 300 == pytest.approx(0.9, abs=0.05)
    assert alone / 300 < 0.8


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: max_t(np.zeros(5), 0.95), r"shape \(5,\)"),
        (lambda: max_t(np.zeros((5, 1)), 0.95), r"shape \(5, 1\)"),
        (lambda: max_t(np.ones((5, 9)), 0.95, draws=10), "draws is 10"),
        (lambda: max_t(np.full((2, 9), np.nan), 0.95), "not finite"),
        (lambda: simultaneous_bands([1, 2, 3], [1, 1, 1], 0.95), "sums has 1 dimensions"),
    ],
)
def test_bad_residuals_stop_at_the_door(call, words):
    with pytest.raises(ValueError, match=words):
        call()
