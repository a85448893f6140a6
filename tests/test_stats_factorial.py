"""Full factorials and Sobol indices: known effects, known indices, and how often the intervals hold."""

import numpy as np
import pytest
from scipy import stats

from simkit.stats import paired_mean, sidak_z, simultaneous_bands
from simkit.stats.factorial import factorial_effects, full_factorial, walsh
from simkit.stats.sobol import sobol_design, sobol_indices, sobol_points

NAMES = ["legs", "sails", "mines"]


def response(x):
    """A metric of three on/off factors, x being -1 or 1."""
    return 0.5 + 0.03 * x[..., 0] - 0.01 * x[..., 1] + 0.02 * x[..., 0] * x[..., 2]


def test_walsh_finds_the_known_coefficients():
    found = walsh(response(np.where(full_factorial(3), 1.0, -1.0)))
    wanted = np.zeros(8)
    wanted[[0, 0b001, 0b010, 0b101]] = 0.5, 0.03, -0.01, 0.02
    np.testing.assert_allclose(found, wanted, atol=1e-16)


def test_walsh_coefficients_are_sums_over_all_cells_and_give_the_values_back():
    values = np.random.default_rng(2).integers(-50, 50, (32, 3))
    bits = full_factorial(5)
    products = np.stack([np.where(bits[:, bits[subset]], 1, -1).prod(axis=1) for subset in range(32)])
    found = walsh(values)
    assert found.tolist() == (products @ values / 32).tolist()
    np.testing.assert_allclose(products.T @ found, values, atol=1e-12)


def played(rng, batches=32, units=50, shared=0.3):
    """Batch sums of the eight cells; the batches' luck is partly common to all cells."""
    means = response(np.where(full_factorial(3), 1.0, -1.0))
    luck = shared * rng.standard_normal(batches) + 0.05 * rng.standard_normal((8, batches))
    return (means[:, np.newaxis] + luck) * units, np.full(batches, units)


def test_effects_are_differences_of_means_paired_by_batch():
    sums, counts = played(np.random.default_rng(3))
    found = factorial_effects(sums, counts, NAMES, 0.95)
    assert found.factors == (
        ("legs",),
        ("sails",),
        ("mines",),
        ("legs", "sails"),
        ("legs", "mines"),
        ("sails", "mines"),
    )
    on = full_factorial(3)
    for factor in range(3):
        gap = (sums[on[:, factor]] - sums[~on[:, factor]]).mean(axis=0)
        assert found.estimate[factor] == pytest.approx(gap.sum() / counts.sum())
    # legs and mines: what legs do with mines less what they do without, halved
    with_mines = (sums[[5, 7]] - sums[[4, 6]]).mean(axis=0)
    without = (sums[[1, 3]] - sums[[0, 2]]).mean(axis=0)
    half = (with_mines - without) / 2
    assert found.estimate[4] == pytest.approx(half.sum() / counts.sum())
    alone = paired_mean(half, counts, 0.95)
    assert found.low[4] < alone[0]
    assert found.high[4] > alone[1]
    assert (found.critical.cells, found.critical.level) == (6, 0.95)
    # common luck has gone: it is six times that of a cell
    cell = simultaneous_bands(sums, counts, 0.95)
    assert (found.high - found.low).max() < (cell.high - cell.low).min() / 5


def test_one_effect_alone_has_the_paired_interval():
    sums = np.array([[3, 5, 4, 8], [7, 5, 6, 9]])
    found = factorial_effects(sums, [10, 10, 10, 10], ["legs"], 0.95, order=1)
    low, high = paired_mean(sums[1] - sums[0], [10] * 4, 0.95)
    assert [*found.low, *found.high] == pytest.approx([float(low), float(high)])


def test_an_item_without_effect_is_told_from_a_small_effect():
    rng = np.random.default_rng(4)
    plain = rng.integers(0, 100, (2, 16))
    found = factorial_effects(np.tile(plain, (2, 1)), np.full(16, 100), ["legs", "paint"], 0.99)
    assert found.varied.tolist() == [True, False, False]
    assert found.low[1:].tolist() == found.high[1:].tolist() == [0.0, 0.0]


def test_higher_orders_follow_on_request():
    sums, counts = played(np.random.default_rng(5))
    found = factorial_effects(sums, counts, NAMES, 0.95, order=3)
    assert found.factors[-1] == tuple(NAMES)
    np.testing.assert_allclose(
        found.estimate, 2 * walsh(sums.sum(axis=1) / counts.sum())[[1, 2, 4, 3, 5, 6, 7]], atol=1e-15
    )


def effect_misses(seeds):
    wanted = 2 * np.array([0.03, -0.01, 0.0, 0.0, 0.02, 0.0])
    missed = 0
    for seed in range(seeds):
        found = factorial_effects(*played(np.random.default_rng(seed + 100), batches=16), NAMES, 0.95)
        missed += bool(((found.low > wanted) | (found.high < wanted)).any())
    return missed


def test_effect_intervals_hold_together():
    assert effect_misses(40) <= stats.binom.ppf(0.9999, 40, 0.05)


@pytest.mark.slow
def test_effect_intervals_hold_together_over_many_seeds():
    missed = effect_misses(2_000)
    assert stats.binom.ppf(0.0001, 2_000, 0.02) <= missed <= stats.binom.ppf(0.9999, 2_000, 0.05)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"names": ["legs", "legs", "sails"]}, "names are legs, legs, sails; allowed are names that differ"),
        ({"names": ["legs", "sails"]}, r"sums has shape \(8, 32\), counts \(32,\); allowed for 2 factors are \(4, bat"),
        ({"counts": np.full((8, 32), 50)}, r"counts \(8, 32\)"),
        ({"order": 4}, "order is 4; allowed are 1 to 3"),
        ({"order": 0}, "order is 0; allowed are 1 to 3"),
        ({"names": []}, "factors holds 0; allowed are whole numbers from 1"),
        ({"names": [str(number) for number in range(11)]}, "factors is 11; allowed are 1 to 10"),
    ],
)
def test_wrong_factorials_are_refused(change, complaint):
    sums, counts = played(np.random.default_rng(6))
    asked = {"sums": sums, "counts": counts, "names": NAMES, "level": 0.95} | change
    with pytest.raises(ValueError, match=complaint):
        factorial_effects(**asked)


@pytest.mark.parametrize("values", [[1.0, 2.0, 3.0], 1.0, np.empty((0, 2))])
def test_walsh_wants_a_power_of_two(values):
    with pytest.raises(ValueError, match="cells; allowed are powers of 2"):
        walsh(values)


def test_sobol_points_are_those_of_another_implementation():
    np.testing.assert_array_equal(sobol_points(1024, 40), stats.qmc.Sobol(40, scramble=False).random(1024))


def test_sobol_points_with_a_seed_are_even_and_repeatable():
    found = sobol_points(256, 7, seed=3)
    assert found.tobytes() == sobol_points(256, 7, seed=3).tobytes()
    assert found.tobytes() != sobol_points(256, 7, seed=4).tobytes()
    # each 256th of each axis holds one point
    assert (np.sort((found * 256).astype(int), axis=0) == np.arange(256)[:, np.newaxis]).all()
    assert ((found > 0) & (found < 1)).all()


def test_the_design_changes_one_coordinate_at_a_time():
    design = sobol_design(3, 16, seed=2).reshape(5, 16, 3)
    for at in range(3):
        others = [k for k in range(3) if k != at]
        assert (design[2 + at][:, at] == design[1][:, at]).all()
        assert (design[2 + at][:, others] == design[0][:, others]).all()
        assert (design[0][:, at] != design[1][:, at]).any()


def ishigami(x):
    """Ishigami and Homma's function with a = 7, b = 0.1, of numbers from 0 to 1 stretched to -pi .. pi."""
    u = np.pi * (2 * x - 1)
    return np.sin(u[:, 0]) + 7 * np.sin(u[:, 1]) ** 2 + 0.1 * u[:, 2] ** 4 * np.sin(u[:, 0])


VARIANCE = 49 / 8 + 0.1 * np.pi**4 / 5 + 0.01 * np.pi**8 / 18 + 0.5
ALONE = np.array([(1 + 0.1 * np.pi**4 / 5) ** 2 / 2, 49 / 8, 0.0]) / VARIANCE
TOTAL = ALONE + np.array([1, 0, 1]) * 0.01 * np.pi**8 * 8 / 225 / VARIANCE


def test_ishigami_has_the_known_indices():
    found = sobol_indices(ishigami(sobol_design(3, 4096, seed=1)), 3, 0.95)
    np.testing.assert_allclose(found.first, [0.3142, 0.4434, -0.0003], atol=0.004)
    np.testing.assert_allclose(found.total, [0.5576, 0.4422, 0.2445], atol=0.004)
    np.testing.assert_allclose(found.first, ALONE, atol=0.004)
    np.testing.assert_allclose(found.total, TOTAL, atol=0.004)
    assert found.variance == pytest.approx(VARIANCE, rel=0.005)
    assert found.noise_share == pytest.approx(0.0, abs=1e-12)
    assert found.resolved


def noisy(design, rng, batches, common):
    """Batch means with noise as large as the signal; if common, the noise is a rough function of the place."""
    sd = np.sqrt(VARIANCE * batches)
    if not common:
        return ishigami(design)[:, np.newaxis] + sd * rng.standard_normal((len(design), batches))
    waves = rng.standard_normal((3, batches)) * 4
    return ishigami(design)[:, np.newaxis] + np.sqrt(2) * sd * np.sin(design @ waves + rng.random(batches) * 6.28)


def test_noise_ruins_indices_and_is_taken_out_by_its_variance():
    design = sobol_design(3, 4096, seed=1)
    values = ishigami(design) + np.sqrt(VARIANCE) * np.random.default_rng(1).standard_normal(len(design))
    ruined = sobol_indices(values, 3, 0.95)
    np.testing.assert_allclose(ruined.first, [0.17, 0.24, -0.02], atol=0.06)
    np.testing.assert_allclose(ruined.total, [0.78, 0.72, 0.61], atol=0.06)
    found = sobol_indices(values, 3, 0.95, noise_variance=VARIANCE)
    assert found.noise_share == pytest.approx(0.5, abs=0.03)
    assert ((found.first_low < ALONE) & (found.first_high > ALONE)).all()
    assert ((found.total_low < TOTAL) & (found.total_high > TOTAL)).all()
    assert np.abs(found.total - TOTAL).max() < 0.08
    each = sobol_indices(values, 3, 0.95, noise_variance=np.full(len(values), VARIANCE))
    assert each.total.tolist() == found.total.tolist()


@pytest.mark.parametrize("common", [False, True])
def test_noise_is_taken_out_by_batches_whether_dice_are_common_or_not(common):
    design = sobol_design(3, 1024, seed=1)
    values = noisy(design, np.random.default_rng(7), 16, common)
    found = sobol_indices(values, 3, 0.95)
    assert ((found.first_low < ALONE) & (found.first_high > ALONE)).all()
    assert ((found.total_low < TOTAL) & (found.total_high > TOTAL)).all()
    if not common:
        assert found.noise_share == pytest.approx(0.5, abs=0.05)
        assert sobol_indices(values.mean(axis=1), 3, 0.95).total[2] > 0.5


def test_batch_products_and_their_errors_are_those_of_all_pairs():
    values = np.random.default_rng(8).standard_normal((24, 5)) + np.arange(24)[:, np.newaxis] % 8
    found = sobol_indices(values, 1, 0.95)
    a, b, mixed = values.reshape(3, 8, 5) - values.reshape(3, 8, 5)[:2].mean(axis=(0, 1))

    def pairs(x, y, keep):
        """Mean product of different batches at each point."""
        keep = np.array(keep)
        apart = ~np.eye(keep.size, dtype=bool)
        return np.array([np.outer(x[at, keep], y[at, keep])[apart].mean() for at in range(8)])

    def rows(keep):
        return pairs(b, mixed - a, keep), (pairs(a, a, keep) + pairs(b, b, keep)) * 8 / 15

    top, bottom = rows(range(5))
    assert found.variance == pytest.approx(bottom.mean())
    ratio = top.mean() / bottom.mean()
    assert found.first[0] == pytest.approx(ratio)
    left = [rows([batch for batch in range(5) if batch != out]) for out in range(5)]
    without = np.array([some.mean() - ratio * other.mean() for some, other in left])
    error = np.sqrt((top - ratio * bottom).var(ddof=1) / 8 + 4 * without.var()) / bottom.mean()
    assert found.first_high[0] - found.first[0] == pytest.approx(sidak_z(2, 0.95) * error)


def test_a_constant_metric_has_no_indices():
    found = sobol_indices(np.full(8 * 4, 0.5), 2, 0.95)
    assert not found.resolved
    assert found.variance == 0.0
    assert np.isnan([*found.first, *found.total_low]).all()


def index_misses(seeds, common):
    design = sobol_design(3, 256, seed=1)
    missed = 0
    for seed in range(seeds):
        found = sobol_indices(noisy(design, np.random.default_rng(seed), 16, common), 3, 0.95)
        off = (found.first_low > ALONE) | (found.first_high < ALONE)
        missed += bool((off | (found.total_low > TOTAL) | (found.total_high < TOTAL)).any())
    return missed


@pytest.mark.parametrize("common", [False, True])
def test_index_intervals_hold_together(common):
    assert index_misses(40, common) <= stats.binom.ppf(0.9999, 40, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("common", [False, True])
def test_index_intervals_hold_together_over_many_seeds(common):
    assert index_misses(1_000, common) <= stats.binom.ppf(0.9999, 1_000, 0.05)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"values": np.zeros(31)}, r"values has shape \(31,\); allowed is points \* 4 rows with at least 8 points"),
        ({"values": np.zeros(28)}, "at least 8 points"),
        ({"values": np.zeros((32, 2))}, "values has 2 batches without noise_variance; allowed are 3 or more"),
        ({"values": np.zeros((32, 4)), "noise_variance": 1.0}, "values has 4 batches with noise_variance"),
        ({"noise_variance": -1.0}, "allowed are numbers from 0"),
        ({"noise_variance": np.ones(3)}, r"noise_variance has shape \(3,\)"),
    ],
)
def test_wrong_evaluations_are_refused(change, complaint):
    with pytest.raises(ValueError, match=complaint):
        sobol_indices(**({"values": np.zeros(32), "parameters": 2, "level": 0.95} | change))


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: sobol_points(100, 2), r"points is 100; allowed are powers of 2 up to 2\*\*30"),
        (lambda: sobol_points(64, 41), "dimensions is 41; allowed are 1 to 40"),
        (lambda: sobol_design(21, 64, 1), "parameters is 21; allowed are 1 to 20"),
        (lambda: sobol_design(2, 4, 1), "points is 4; allowed are powers of 2 from 8"),
    ],
)
def test_wrong_designs_are_refused(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
