"""Rulings in all combinations, distances without the luck of the choice, and bands: on planted batch sums."""

import doctest
from itertools import product

import numpy as np
import pytest

from simkit.balance import bands
from simkit.balance.bands import held_together
from simkit.balance.compare import crossfit
from simkit.balance.compare.crossfit import distances, signs, underdogs
from simkit.balance.drives import effects
from simkit.balance.drives.effects import Combination, factorial, flips
from simkit.balance.wording import word_of
from simkit.lab.estimates import Value
from simkit.stats import Estimate, gridindices

LEVEL = 0.95
UNITS = 2560
SHARE = Value(1, 0.0, 1.0)


def planted(function, count, seed, spread=0.5):
    """Return batch sums of a value on on/off factors: common luck of the batches, and a little of every corner."""
    rng = np.random.default_rng(seed)
    per = UNITS // 256
    corners = [function(*(bits >> k & 1 for k in range(count))) for bits in range(2**count)]
    common = rng.normal(0, spread * np.sqrt(per), 256)
    own = rng.normal(0, 0.3 * spread * np.sqrt(per), (2**count, 256))
    return np.array(corners)[:, np.newaxis] * per + common + own


def made(sums, names, *, start=0, order=2, target=0.5, within=0.02):
    return factorial(
        sums,
        UNITS,
        names,
        Value(1, -np.inf, np.inf),
        1.0,
        LEVEL,
        order=order,
        start=start,
        judge=lambda value: word_of(value, target, within),
    )


def signed(x, y, z):
    return 0.5 + 0.015 * (2 * x - 1) - 0.005 * (2 * y - 1) + 0.01 * (2 * x - 1) * (2 * z - 1)


def test_effects_of_a_known_function_are_found_exactly():
    per = UNITS // 256
    rows = [[signed(x, y, z) * per] * 256 for z, y, x in product((0, 1), repeat=3)]
    found = {one.factors: one.value.estimate for one in made(np.array(rows), ["x", "y", "z"]).effects}
    assert found == pytest.approx(
        {("x",): 0.03, ("y",): -0.01, ("z",): 0.0, ("x", "y"): 0.0, ("x", "z"): 0.02, ("y", "z"): 0.0}, abs=1e-12
    )


def test_effects_are_told_from_nothing_on_common_dice():
    found = made(planted(lambda x, y: 0.4 + 0.05 * x, 2, seed=3), ["x", "y"])
    by = {one.factors: one.value for one in found.effects}
    assert by[("x",)].low > 0.03
    assert by[("y",)].low < 0 < by[("y",)].high
    assert by[("x",)].high - by[("x",)].low < 0.03  # the common luck is gone
    assert found.family == "Sidak"  # effects of independent luck are hardly correlated


def test_the_fewest_factors_that_flip_a_verdict_are_named():
    alone = made(planted(lambda x, y: 0.3 + 0.4 * x, 2, seed=1), ["x", "y"])
    assert alone.flips == [("x",)]
    both = made(planted(lambda x, y: 0.3 + 0.4 * (x and y), 2, seed=1), ["x", "y"])
    assert both.flips == [("x", "y")]
    back = made(planted(lambda x, y: 0.3 + 0.4 * x, 2, seed=1), ["x", "y"], start=1)
    assert back.flips == [("x",)]


def corners(*words):
    return [Combination((), Estimate.exact(0.0), word) for word in words]


def test_what_is_not_resolved_flips_nothing():
    assert flips(corners("undecided", "higher", "lower", "fair"), ["x", "y"], 0) == []
    assert flips(corners("fair", "undecided", "fair", "undecided"), ["x", "y"], 0) == []
    assert flips(corners("measured", "measured"), ["x"], 0) == []


def test_no_set_of_flips_holds_another():
    words = ["fair", "higher", "fair", "higher", "fair", "higher", "lower", "higher"]
    assert flips(corners(*words), ["x", "y", "z"], 0) == [("x",), ("y", "z")]


def test_interactions_of_higher_order_are_counted_as_left_over():
    found = made(planted(lambda x, y, z: 0.5 + 0.2 * (2 * x - 1) * (2 * y - 1) * (2 * z - 1), 3, seed=2), list("xyz"))
    assert found.higher_order > 0.95
    whole = made(planted(lambda x, y, z: 0.5 + 0.2 * x, 3, seed=2), list("xyz"))
    assert whole.higher_order < 0.05


def test_a_factor_that_never_varied_keeps_a_bound():
    per = UNITS // 256
    found = made(np.full((2, 256), 3 * per), ["x"], order=1).effects[0].value
    assert (found.estimate, found.method) == (0.0, "rare-bound")
    assert found.low < 0 < found.high


def test_half_of_the_batches_choose_for_the_other_half():
    sums = np.array([5.0, -1.0, 5.0, -1.0])
    assert signs(sums).tolist() == [-1, 1, -1, 1]
    assert distances(sums).tolist() == [-5, -1, -5, -1]
    assert underdogs(np.array([3.0, 1.0] * 2), np.array([1.0, 3.0] * 2)).tolist() == [3, 3, 3, 3]


@pytest.mark.parametrize("truth", [0.0, 0.3, -0.3])
def test_distances_do_not_flatter_near_cells(truth):
    rng = np.random.default_rng(11)
    sums = rng.normal(truth, 1.0, (4000, 256)) * 1.0
    crossed = distances(sums).sum(axis=1).mean() / 256
    naive = np.abs(sums.sum(axis=1)).mean() / 256
    error = 1.0 / np.sqrt(256 * 4000)
    assert crossed == pytest.approx(abs(truth), abs=6 * error)
    if truth == 0:
        assert naive > 0.04  # what |mean| would say of cells that are fair


def test_upsets_of_even_sides_are_not_made_rare_by_the_choice():
    rng = np.random.default_rng(5)
    ours = rng.binomial(10, 0.5, (4000, 256)).astype(float)
    theirs = 10 - ours
    crossed = underdogs(ours, theirs).sum(axis=1).mean() / 2560
    naive = np.minimum(ours.sum(axis=1), theirs.sum(axis=1)).mean() / 2560
    assert crossed == pytest.approx(0.5, abs=6 * 0.5 / np.sqrt(2560 * 4000))
    assert naive < 0.495


@pytest.mark.thorough
def test_bands_hold_together():
    missed = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        common = rng.normal(0, 1, 256)
        sums = np.array([0.2, 0.5, 0.7, 0.7])[:, np.newaxis] * 10 + common + rng.normal(0, 0.5, (4, 256))
        found = held_together(sums, 2560, LEVEL, [Value(1, -9, 9)] * 4, [1.0] * 4)
        inside = [one.low <= truth <= one.high for one, truth in zip(found, (0.2, 0.5, 0.7, 0.7), strict=True)]
        missed += not all(inside)
    assert missed <= 15  # the 99.99 % quantile of the binomial of 100 and 0.05


def test_what_never_varied_gets_a_bound_and_no_zero_width():
    one = held_together(np.zeros((1, 256)), UNITS, LEVEL, [SHARE], [1.0])[0]
    assert (one.estimate, one.low, one.method) == (0.0, 0.0, "rare-bound")
    assert 0 < one.high < 0.01
    assert held_together(np.zeros((0, 256)), UNITS, LEVEL, [], []) == []


def false_flips(seeds, *, within=0.02):
    """Count the seeds with which a flip is named though every corner lies beyond the fair band, if only just."""
    count = 0
    for seed in seeds:
        found = made(planted(lambda x, y, z: 0.5 + within + 0.001, 3, seed, spread=0.3), list("xyz"), order=2)
        count += bool(found.flips)
    return count


@pytest.mark.thorough
def test_flips_that_are_not_there_are_seldom_named():
    assert false_flips(range(60)) <= 11  # the 99.99 % quantile of the binomial of 60 and 0.05


@pytest.mark.slow
def test_flips_that_are_not_there_are_seldom_named_over_many_seeds():
    assert false_flips(range(1_000, 3_000)) <= 138  # the same of 2,000


@pytest.mark.parametrize("module", [bands, crossfit, effects, gridindices], ids=lambda one: one.__name__)
def test_examples_do_what_they_say(module):
    assert not doctest.testmod(module, extraglobs={"np": np}).failed
