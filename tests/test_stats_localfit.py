"""The curve through three points near a target: its root, its interval, and what a bend that does not show does."""

from functools import partial

import numpy as np
import pytest
from scipy import special, stats

from simkit.stats.fairvalue import fair_value
from simkit.stats.localfit import Batches, solved

BATCHES = 64
ROOT = 1.3
EVERYWHERE = (-np.inf, np.inf)
NEAR = np.array([-1.0, 0.0, 1.0])


def batches(means, error, size=100):
    """Three points with exactly these means, and errors that are independent to the last digit."""
    waves = np.cos(np.outer([1, 2, 3], np.arange(BATCHES) + 0.5) * np.pi / BATCHES)
    scale = size * error * np.sqrt(2.0 * (BATCHES - 1))
    return [
        Batches(size * mean + scale * wave, np.full(BATCHES, size)) for mean, wave in zip(means, waves, strict=True)
    ]


def parabola(root, bend):
    """Straight but for its second difference, and 0 at a place."""
    return (NEAR - root) * (1.0 + bend / 2.0 * (NEAR + root))


@pytest.mark.parametrize("root", [-0.9, 0.0, 0.2, 1.2])
@pytest.mark.parametrize("bend", [-0.4, 0.0, 0.1, 0.4])
def test_the_root_of_a_parabola_is_exact_however_it_bends(root, bend):
    means = parabola(root, bend)
    assert means @ [1, -2, 1] == pytest.approx(bend)
    found = solved(NEAR, batches(means, 0.02), 0.0, "plain", 0.95, True, EVERYWHERE)
    assert found.root == pytest.approx(root, abs=1e-12)
    assert found.low < root < found.high
    falling = solved(NEAR * 10 + 5, batches(-means, 0.02), 0.0, "plain", 0.95, False, EVERYWHERE)
    assert (falling.root, falling.low, falling.high) == pytest.approx(
        [5 + 10 * place for place in (found.root, found.low, found.high)]
    )


def test_the_error_at_the_middle_is_that_of_the_middle_point():
    found = solved(NEAR, batches(NEAR, 0.01), 0.0, "plain", 0.95, True, EVERYWHERE)
    assert found.error == pytest.approx(0.01)
    assert found.high - found.low == pytest.approx(2 * stats.t.ppf(0.975, BATCHES - 1) * 0.01, rel=0.002)


@pytest.mark.parametrize("root", [0.0, 0.6, -0.8])
def test_the_bounds_are_where_the_parabola_is_just_that_far_from_the_target(root):
    means = parabola(root, 0.3)
    found = solved(NEAR, batches(means, 0.05), 0.0, "plain", 0.99, True, EVERYWHERE)
    for place in (found.low, found.high):
        reader = np.array([place * (place - 1) / 2, 1 - place**2, place * (place + 1) / 2])
        distance = abs(reader @ means) / (0.05 * np.sqrt(reader @ reader))
        assert distance == pytest.approx(stats.t.ppf(0.995, BATCHES - 1))


def test_what_three_points_do_not_tell_is_not_said():
    def asked(means, error, rising=True):
        return solved(NEAR, batches(means, error), 0.0, "plain", 0.95, rising, EVERYWHERE)

    assert asked(NEAR, 0.01, rising=False) is None
    assert asked(NEAR, 2.0) is None  # no slope to be seen
    assert asked(NEAR + 1.7, 0.01) is None  # too far away
    assert asked(NEAR**2 + 0.1, 0.01) is None  # it never gets there
    assert asked([-1.0, 1.0, 1.0 + 1e-9], 0.0) is None  # nothing varied


def test_an_answer_ends_with_the_range():
    made = batches(NEAR, 0.3)
    wide = solved(NEAR, made, 0.0, "plain", 0.95, True, EVERYWHERE)
    found = solved(NEAR, made, 0.0, "plain", 0.95, True, (-0.1, 0.2))
    assert (found.root, found.low, found.high) == (wide.root, pytest.approx(-0.1), pytest.approx(0.2))
    assert solved(NEAR, made, 0.0, "plain", 0.95, True, (0.1, 1.0)) is None


# --- coverage


def bent(bend, steep=0.5):
    """Falls through one half at 1.3, with so much bend on the probit scale, and never rises."""

    def chance(x):
        z = steep * (ROOT - x)
        return special.ndtr(np.expm1(min(2.0 * bend * z, 300.0)) / (2.0 * bend) if bend else z)

    return chance


def lopsided(x):
    """Falls slowly, then steeply."""
    return np.exp(-np.exp((x - ROOT) / 1.5) * np.log(2))


CURVES = {
    "straight": bent(0.0),
    "bend as large as its noise": bent(0.67),
    "bend hidden from few games alone": bent(-0.3),
    "strongly bent": bent(1.5),
    "strongly bent the other way": bent(-1.5),
    "steep": bent(0.0, 4.0),
    "steep and bent": bent(0.5, 2.0),
    "logistic": lambda x: special.expit(1.7 * (ROOT - x) / 2),
    "lopsided": lopsided,
}


def outcomes(chance, seeds, units, *, games=1, batches=256):
    """Solve again and again, every unit being the mean of some games; where each interval lies."""
    hits, bounds = 0, []

    def evaluate(seed, value, first, count):
        per = np.full(batches, count // batches)
        return Batches(np.random.default_rng([seed, first, 11]).binomial(per * games, chance(value)) / games, per)

    for seed in seeds:
        found = fair_value(partial(evaluate, seed), -3.0, 5.0, target=0.5, level=0.95, units=units, whole=batches)
        if found.value is not None:
            hits += found.low <= ROOT <= found.high
            bounds.append((found.low, found.high, found.value))
    return hits, np.array(bounds)


def test_the_interval_holds_where_the_bend_is_just_hidden():
    """A line through the three covered 13 % here, and a line wherever 99 % do not show a bend no more than that."""
    hits, bounds = outcomes(CURVES["bend as large as its noise"], range(60), 100_000, games=6, batches=64)
    assert len(bounds) == 60
    assert hits >= stats.binom.ppf(0.0001, 60, 0.94)
    assert np.mean(bounds[:, 2]) == pytest.approx(ROOT, abs=4 * 0.0043 / np.sqrt(60))


@pytest.mark.slow
@pytest.mark.parametrize("units", [16_384, 100_000, 400_000])
@pytest.mark.parametrize("games", [1, 6])
@pytest.mark.parametrize("name", CURVES)
def test_the_interval_covers_on_every_curve(name, games, units):
    seeds = 800
    hits, bounds = outcomes(CURVES[name], range(10_000, 10_000 + seeds), units, games=games)
    assert len(bounds) >= 0.95 * seeds
    assert hits >= stats.binom.ppf(0.0001, len(bounds), 0.94)
    assert hits <= stats.binom.ppf(0.9999, len(bounds), 0.97)
    wide = np.median(bounds[:, 1] - bounds[:, 0])
    assert abs(np.median(bounds[:, 2]) - ROOT) < 0.1 * wide
