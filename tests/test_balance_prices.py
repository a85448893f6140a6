"""The fair price of an item: where having it gains nothing, with the interval that the band of its gains leaves."""

import doctest
import math

import numpy as np
import pytest
from scipy import stats

from simkit.balance.items import prices
from simkit.balance.items.prices import fair_price
from simkit.stats import Estimate


def lift(at, half=0.01):
    return Estimate(at, at - half, at + half, 0.99, 1000, "sidak")


def test_examples():
    assert not doctest.testmod(prices).failed


def test_budgets_are_mixed_between_two_prices():
    # 58 % at price 1 and 46 % at price 2, a hundred thousand duels each
    half = stats.norm.ppf(0.995) * 0.5 / math.sqrt(100_000)
    found = fair_price([1, 2], [lift(0.58 - 0.5, half), lift(0.46 - 0.5, half)])
    assert found.word == "found" and found.estimate is not None
    assert found.estimate.estimate == pytest.approx(5 / 3)
    # a band is safe: no narrower than what the standard error of the price, 0.0098, asks for
    asked = stats.norm.ppf(0.995) * 0.0098
    assert asked < (found.estimate.high - found.estimate.low) / 2 < 2 * asked
    assert (found.estimate.level, found.estimate.method) == (0.99, "sidak")


def test_a_price_outside_what_was_tried_is_told_so():
    assert fair_price([1, 2], [lift(-0.05), lift(-0.1)]) == ("below", None)
    assert fair_price([1, 2], [lift(0.1), lift(0.05)]) == ("above", None)
    assert fair_price([1, 2], [lift(-0.005), lift(-0.1)]) == ("unclear", None)


def test_an_interval_that_reaches_the_last_price_ends_there():
    found = fair_price([0, 1, 2], [lift(0.1), lift(0.05), lift(-0.004)]).estimate
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(1 + 0.04 / 0.054), 2)
    exactly = fair_price([0, 1], [lift(0.0), lift(-0.1)]).estimate
    assert exactly is not None and exactly.estimate == 0


def test_more_than_one_crossing_is_not_hidden():
    found = fair_price([1, 2, 3], [lift(0.05), lift(-0.05), lift(0.05)]).estimate
    assert found is not None
    assert found.estimate == 1.5
    assert found.low < 1.5 and found.high > 2.5


def test_one_lift_a_price():
    with pytest.raises(ValueError, match="2 prices and 1 lifts"):
        fair_price([1, 2], [lift(0.1)])


def test_the_interval_holds_the_price_as_often_as_its_band_holds():
    rng, missed = np.random.default_rng(1), 0
    true, half = np.array([0.03, 0.01, -0.04]), stats.norm.ppf(0.95 ** (1 / 3) / 2 + 0.5) * 0.01
    for _ in range(400):
        seen = true + rng.normal(0, 0.01, 3)
        found = fair_price([1, 2, 3], [lift(value, half) for value in seen]).estimate
        missed += found is not None and not found.low <= 2.2 <= found.high
    assert missed <= stats.binom.ppf(0.9999, 400, 0.05)
