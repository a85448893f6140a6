"""Sobol indices from a whole grid: known functions, noise that is taken out, and intervals that hold."""

from math import prod

import numpy as np
import pytest

from simkit.stats.gridindices import grid_indices
from simkit.stats.sobol import sobol_design, sobol_indices

LEVEL = 0.95


def on_grid(*sizes):
    """Return the coordinates of a grid of whole numbers from 0."""
    return np.meshgrid(*(np.arange(n, dtype=float) for n in sizes), indexing="ij")


def shown(f, batches=5):
    """Return a function on a grid as every batch shows it without noise."""
    return np.repeat(f[..., np.newaxis], batches, axis=-1)


def by_hand(f, axis):
    """Return the indices of one parameter straight from their definition."""
    others = tuple(a for a in range(f.ndim) if a != axis)
    first = f.mean(axis=others).var() / f.var()
    return first, f.var(axis=axis).mean() / f.var()


def test_indices_of_a_known_function_are_its_variances():
    x, y, z = on_grid(3, 4, 5)
    f = x + 2 * y + x * z
    found = grid_indices(shown(f), LEVEL)
    for axis in range(3):
        first, total = by_hand(f, axis)
        assert found.first[axis] == pytest.approx(first, abs=1e-12)
        assert found.total[axis] == pytest.approx(total, abs=1e-12)
    assert found.points == prod(f.shape)
    assert found.variance == pytest.approx(f.var())
    assert np.allclose(found.first_high - found.first_low, 0, atol=1e-9)


def test_what_takes_no_part_has_no_share_and_what_is_alone_has_all():
    x, _ = on_grid(4, 3)
    found = grid_indices(shown(x), LEVEL)
    assert found.first == pytest.approx([1, 0], abs=1e-12)
    assert found.total == pytest.approx([1, 0], abs=1e-12)


def test_noise_is_taken_out_whether_dice_are_common_or_not():
    x, y = on_grid(4, 5)
    f = x + y
    rng = np.random.default_rng(7)
    for common in (False, True):
        shape = (1, 1, 256) if common else (4, 5, 256)
        noise = rng.normal(0, 30 * f.std(), shape)
        found = grid_indices(f[..., np.newaxis] + noise, LEVEL)
        for axis in range(2):
            assert found.first_low[axis] <= by_hand(f, axis)[0] <= found.first_high[axis]
            assert found.total_low[axis] <= by_hand(f, axis)[1] <= found.total_high[axis]
        assert (found.noise_share > 0.5) != common  # what moves all points alike is no noise between them


def test_a_sample_of_the_same_function_agrees():
    design = sobol_design(2, 4096, seed=3)
    whole = np.floor(design * 4)
    sampled = sobol_indices(whole[:, 0] + whole[:, 0] * whole[:, 1], 2, LEVEL)
    x, y = on_grid(4, 4)
    found = grid_indices(shown(x + x * y), LEVEL)
    assert (sampled.first_low <= found.first).all()
    assert (found.first <= sampled.first_high).all()
    assert (sampled.total_low <= found.total).all()
    assert (found.total <= sampled.total_high).all()


def test_a_constant_metric_has_no_indices():
    found = grid_indices(np.ones((3, 3, 4)), LEVEL)
    assert not found.resolved
    assert np.isnan(found.first).all()


def test_index_intervals_hold_together():
    x, y = on_grid(3, 4)
    f = (x - 1) * 0.3 + y * 0.1 + x * y * 0.05
    missed = 0
    for seed in range(200):
        noise = np.random.default_rng(seed).normal(0, 1.0, (3, 4, 128))
        found = grid_indices(f[..., np.newaxis] + noise, LEVEL)
        known = np.array([by_hand(f, axis) for axis in range(2)]).T
        inside = (found.first_low <= known[0]) & (known[0] <= found.first_high)
        inside &= (found.total_low <= known[1]) & (known[1] <= found.total_high)
        missed += not inside.all()
    assert missed <= 23  # the 99.99 % quantile of the binomial of 200 and 0.05


@pytest.mark.parametrize("shape", [(5,), (3, 2), (3, 3, 2), (2,) * 21 + (3,)], ids=str)
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match="allowed are 1 to 20 parameters"):
        grid_indices(np.zeros(shape), LEVEL)
