"""Planning: published counts and the relations between the functions."""

import numpy as np
import pytest

from simkit.stats import (
    clopper_pearson,
    detectable_bias,
    half_width_for,
    units_for_half_width,
    units_to_decide,
    units_to_detect,
    wilson,
)


def test_units_for_half_width():
    assert units_for_half_width(0.5, 0.001, 0.999) == 2_706_892
    n = units_for_half_width([0.1, 0.5], [[0.01], [0.001]], 0.99)
    assert n.dtype == np.int64
    assert (half_width_for(n, [0.1, 0.5], 0.99) <= [[0.01], [0.001]]).all()
    assert (half_width_for(n - 1, [0.1, 0.5], 0.99) > [[0.01], [0.001]]).all()
    assert units_for_half_width(0.5, 0.9, 0.9) == 1


def test_half_width_is_that_of_the_interval_to_come():
    low, high = clopper_pearson(30_000, 100_000, 0.999)
    assert half_width_for(100_000, 0.3, 0.999) == pytest.approx(float(high - low) / 2, rel=5e-3)


@pytest.mark.parametrize(("bias", "units"), [(0.01, 95_271), (0.003, 1_058_564), (0.001, 9_527_069)])
def test_detectable_bias(bias, units):
    assert units_to_detect(bias, 0.5, 1e-6, 0.9) == units
    assert detectable_bias(units, 0.5, 1e-6, 0.9) == pytest.approx(bias, rel=1e-5)


def test_units_to_decide_are_about_enough():
    # 51 % of 10,000: not resolved at 99 %; with the further units it just is
    low, high = wilson(5_100, 10_000, 0.99)
    further = units_to_decide(0.51, low, high, 10_000, 0.5)
    n = 10_000 + int(further)
    assert wilson(round(0.51 * n), n, 0.99)[0] == pytest.approx(0.5, abs=2e-4)
    assert low < 0.499


def test_units_to_decide_at_the_edges():
    assert units_to_decide(0.51, 0.49, 0.53, 10_000, 0.5) == 30_000
    assert units_to_decide(0.49, 0.47, 0.51, 10_000, 0.5) == 30_000
    # the bound on the target's side counts
    assert units_to_decide(0.49, 0.40, 0.51, 10_000, 0.5) == 30_000
    found = units_to_decide([0.51, 0.5, 0.6], [0.505, 0.49, 0.58], [0.515, 0.51, 0.62], 100, [0.5, 0.5, 0.5])
    assert found.tolist() == [0.0, np.inf, 0.0]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: half_width_for(0, 0.5, 0.99), "n holds 0"),
        (lambda: half_width_for(10, 0.0, 0.99), "p holds"),
        (lambda: units_for_half_width(0.5, 0.0, 0.99), "half_width holds 0.0"),
        (lambda: units_to_detect(1e-9, 0.5, 1e-6, 0.9), "bias holds 1e-09"),
        (lambda: detectable_bias(10, 0.5, 0.0, 0.9), "false_alarm is 0.0"),
        (lambda: detectable_bias(10, 0.5, 1e-6, 1.0), "power is 1.0"),
        (lambda: units_to_decide(0.6, 0.4, 0.5, 10, 0.5), "estimate lies outside"),
        (lambda: units_to_decide(0.5, 0.6, 0.4, 10, 0.5), "low above high"),
    ],
)
def test_bad_numbers_stop_at_the_door(call, words):
    with pytest.raises(ValueError, match=words):
        call()
