"""Where a line through means meets a level: worked cases, agreement with mixed prices, and coverage by simulation."""

import numpy as np
import pytest
from scipy import stats

from simkit.stats.fairvalue import mixed_value
from simkit.stats.polyline import meeting, pooled


def test_two_values_give_the_mixed_price():
    means, variances = np.array([0.58, 0.46]), np.array([2.436e-6, 2.484e-6])
    found = meeting([1, 2], means, variances, level=0.5, quantile=1.959963984540054)
    price = mixed_value((1, 2), means, np.diag(variances), 200_000, target=0.5, level=0.95)
    assert found == pytest.approx((price.value, price.low, price.high), abs=1e-9)


def test_exact_means_give_a_place_without_width():
    found = meeting([-4, -3, -2], [0.2, 0.4, 0.6], [0, 0, 0], level=0.5, quantile=3.0)
    assert found == pytest.approx((-2.5, -2.5, -2.5))
    assert meeting([1, 2, 3], [0.2, 0.5, 0.6], [0, 0, 0], level=0.5, quantile=3.0) == pytest.approx((2.0, 2.0, 2.0))
    assert meeting([1, 2, 3], [0.6, 0.5, 0.2], [0, 0, 0], level=0.5, quantile=3.0) == pytest.approx((2.0, 2.0, 2.0))
    assert meeting([0, 1, 2, 3], [0.1, 0.5, 0.5, 0.9], [0] * 4, level=0.5, quantile=3.0).value == 1.5


def test_uneven_values_are_places_of_their_own():
    found = meeting([1, 2, 10], [0.9, 0.7, 0.3], [0, 0, 0], level=0.5, quantile=2.0)
    assert found.value == pytest.approx(6.0)


def test_the_interval_reaches_over_a_value_that_is_near_the_level():
    found = meeting([1, 2, 3], [0.3, 0.501, 0.7], [1e-4] * 3, level=0.5, quantile=2.0)
    assert found.low < 2 < found.high
    assert found.high - found.low == pytest.approx(2 * 2 * 0.01 / 0.2, rel=0.1)


def test_no_crossing_is_told():
    assert meeting([1, 2], [0.6, 0.7], [1e-6] * 2, level=0.5, quantile=2.0) is None
    assert meeting([1, 2], [0.5, 0.5], [1e-6] * 2, level=0.5, quantile=2.0) is None


def test_neighbours_in_the_wrong_order_are_pooled():
    assert pooled(np.array([0.1, 0.5, 0.4, 0.3, 0.9])).tolist() == pytest.approx([0.1, 0.4, 0.4, 0.4, 0.9])
    found = meeting([1, 2, 3, 4], [0.3, 0.52, 0.47, 0.7], [1e-4] * 4, level=0.5, quantile=2.0)
    assert 3.0 < found.value < 4.0
    assert found.low < 2.0
    assert found.high > found.value


@pytest.mark.parametrize("truth", [[0.42, 0.55], [0.3, 0.495, 0.6], [0.62, 0.53, 0.51, 0.44], [0.1, 0.9]])
def test_the_interval_covers(truth):
    values, n, rng = np.arange(len(truth)), 4_000, np.random.default_rng(3)
    off = np.asarray(truth) - 0.5
    k = int(np.flatnonzero(off[:-1] * off[1:] <= 0)[0])
    root = k + off[k] / (off[k] - off[k + 1])
    means = rng.binomial(n, truth, (1_000, len(truth))) / n
    hits = 0
    for row in means:
        found = meeting(values, row, row * (1 - row) / n, level=0.5, quantile=1.959963984540054)
        hits += found is not None and found.low <= root <= found.high
    assert stats.binom.ppf(0.0001, 1_000, 0.95) <= hits


@pytest.mark.parametrize(
    ("values", "means", "variances", "complaint"),
    [
        ([1], [0.5], [0], "values has shape"),
        ([2, 1], [0.4, 0.6], [0, 0], "allowed are at least 2 rising values"),
        ([1, 2], [0.4, 0.6], [0, -1], "variances holds one below 0"),
    ],
)
def test_wrong_calls_are_refused(values, means, variances, complaint):
    with pytest.raises(ValueError, match=complaint):
        meeting(values, means, variances, level=0.5, quantile=2.0)
