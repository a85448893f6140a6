"""Racing of pairs: what is dropped, who goes on, what was saved, and how often a statement is wrong."""

import numpy as np
import pytest
from scipy import stats

from simkit.stats import asymptotic, bonferroni_level, looks, units_to_decide
from simkit.stats.racing import next_units, standing, units_to_resolve


def test_a_pair_is_dropped_when_its_sign_is_decided_or_it_is_fair():
    low = [0.51, 0.40, 0.495, 0.502, 0.48, 0.50]
    high = [0.56, 0.49, 0.505, 0.508, 0.52, 0.52]
    found = standing(low, high, 1_000, within=0.01)
    assert found.sign.tolist() == [1, -1, 0, 1, 0, 0]
    assert found.fair.tolist() == [False, False, True, True, False, False]
    assert found.open.tolist() == [False, False, False, False, True, True]


def test_exchanging_the_two_designs_mirrors_the_standing():
    rng = np.random.default_rng(1)
    middle, half = rng.normal(0, 0.03, 200), rng.random(200) * 0.03
    low, high = middle - half, middle + half
    found, other = (standing(*ends, 100, target=0.0, within=0.02) for ends in ((low, high), (-high, -low)))
    assert (found.sign == -other.sign).all()
    assert (found.fair == other.fair).all()
    assert {*found.sign.tolist()} == {-1, 0, 1}


def test_a_sequence_that_may_not_speak_yet_drops_nothing():
    found = standing([0.5, 0.9, 0.9], [0.5, 0.95, 0.95], 100, within=0.01, ready=[False, True, False])
    assert found.open.tolist() == [True, False, True]
    assert found.fair.tolist() == [False, False, False]
    assert found.sign.tolist() == [0, 1, 0]


def test_what_was_saved():
    found = standing([0.6, 0.6, 0.4], [0.7, 0.7, 0.6], [1_000, 3_000, 8_000], within=0.01)
    assert (found.spent, found.uniform, found.saved, found.gain) == (12_000, 24_000, 12_000, 2.0)
    assert standing([0.6], [0.7], 1_000, within=0.01).gain == 1.0


def test_the_need_is_that_of_the_easier_statement():
    estimate, half, n = np.array([0.5, 0.502, 0.505, 0.508, 0.53]), 0.04, 10_000
    found = units_to_resolve(estimate, estimate - half, estimate + half, n, within=0.01)
    room = np.array([0.01, 0.008, 0.005, 0.008, 0.03])  # to the target or to the nearer edge, whichever is farther
    np.testing.assert_allclose(found, np.ceil(np.round(n * (half / room) ** 2, 6)) - n, atol=1)
    assert found.argmax() == 2
    far = units_to_resolve(0.6, 0.4, 0.8, n, within=0.01)
    assert far == units_to_decide(0.6, 0.4, 0.8, n, 0.5)


def test_the_need_with_uneven_reaches_is_met_by_the_bounds_it_promises():
    rng = np.random.default_rng(5)
    estimate = rng.normal(0.5, 0.01, 300)
    low, high = estimate - rng.random(300) * 0.05, estimate + rng.random(300) * 0.05
    n = 1_000
    need = units_to_resolve(estimate, low, high, n, within=0.01)
    shrunk = np.sqrt(n / (n + need + 1))
    later = standing(estimate - (estimate - low) * shrunk, estimate + (high - estimate) * shrunk, n, within=0.01)
    assert not later.open.any()
    early = np.sqrt(n / (n + 0.99 * need))
    before = standing(estimate - (estimate - low) * early, estimate + (high - estimate) * early, n, within=0.01)
    assert before.open[need > 1_000].all()


def test_open_pairs_go_on_to_their_next_look():
    found = standing([0.4, 0.6, 0.4, 0.4], [0.6, 0.7, 0.6, 0.6], [100, 100, 200, 400], within=0.01)
    assert next_units(found, [100, 200, 400]).tolist() == [100, 0, 200, 0]
    # a pair between two looks is brought up to the next
    found = standing([0.4], [0.6], [150], within=0.01)
    assert next_units(found, [100, 200, 400]).tolist() == [50]


def test_a_short_budget_serves_those_that_need_least():
    found = standing([0.4] * 3, [0.6] * 3, [100, 100, 200], within=0.01)
    schedule = [100, 200, 400]
    assert next_units(found, schedule, budget=10_000).tolist() == [100, 100, 200]
    assert next_units(found, schedule, budget=500, need=[9, 5, 7]).tolist() == [0, 100, 0]
    assert next_units(found, schedule, budget=700, need=[9, 5, 7]).tolist() == [0, 100, 200]
    assert next_units(found, schedule, budget=600).tolist() == [100, 100, 0]
    assert next_units(found, schedule, budget=300).tolist() == [0, 0, 0]


def race(seed, effects, level=0.99, last=3_000_000):
    """Race pairs of games with values 0 and 1 to the end."""
    rng = np.random.default_rng(seed)
    schedule = looks(last=last, growth=1.25)
    each = bonferroni_level(effects.size, level)
    wins, units = np.zeros(effects.size, np.int64), np.zeros(effects.size, np.int64)
    more = np.full(effects.size, schedule[0])
    while more.any():
        wins += rng.binomial(more, 0.5 + effects)
        units += more
        found = standing(*asymptotic(units, wins, wins, each), units, within=0.01)
        more = next_units(found, schedule)
    return found


def scores(seed):
    """True edges of the 120 pairs of 16 designs: strengths and a share of rock, paper, scissors."""
    rng = np.random.default_rng(seed)
    strength, first, second = rng.normal(0, 0.05, 16), *np.triu_indices(16, 1)
    return strength[first] - strength[second] + rng.normal(0, 0.02, 120)


def test_a_race_of_sixteen_designs_takes_a_fraction_of_the_units():
    effects = scores(1)
    found = race(1, effects)
    assert not found.open.any()
    assert (found.sign * effects >= 0).all()
    assert (np.abs(effects[found.fair]) < 0.01).all()
    assert 4 < found.gain < 20
    assert found.saved == found.uniform - found.spent > 0


def wrong(seeds, level):
    """Races with any wrong statement, on pairs that sit where mistakes are easiest: on the edges."""
    effects = np.array([0.0] * 6 + [0.01, -0.01] * 3)
    edge = np.abs(effects) == 0.01
    count = 0
    for seed in range(seeds):
        found = race(seed, effects, level, last=200_000)
        count += bool((found.sign[~edge] != 0).any() or (found.sign * effects < 0).any() or found.fair[edge].any())
    return count


def test_statements_hold_together_over_a_few_races():
    assert wrong(30, 0.9) <= stats.binom.ppf(0.9999, 30, 0.1)


@pytest.mark.slow
def test_statements_hold_together_over_many_races():
    count = wrong(2_000, 0.9)
    assert 0 < count <= stats.binom.ppf(0.9999, 2_000, 0.1)


@pytest.mark.slow
def test_the_saving_over_many_matrices_is_about_sevenfold():
    gains = [race(seed, scores(seed)).gain for seed in range(60)]
    assert 5 < np.median(gains) < 15


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: standing([], [], 1, within=0.01), r"low and high have shape \(0,\); allowed is one bound a pair"),
        (lambda: standing(0.4, 0.6, 1, within=0.01), r"low and high have shape \(\)"),
        (lambda: standing([0.6], [0.4], 1, within=0.01), "allowed is low <= high"),
        (lambda: standing([0.4], [0.6], 0, within=0.01), "units holds 0; allowed are whole numbers from 1"),
        (lambda: standing([0.4], [0.6], 1, within=0.0), "within is 0.0; allowed are finite numbers above 0"),
        (lambda: units_to_resolve(0.7, 0.4, 0.6, 1, within=0.01), "estimate lies outside low .. high"),
        (lambda: next_units(standing([0.4], [0.6], 1, within=0.1), []), r"looks is \[\]; allowed are rising whole"),
        (lambda: next_units(standing([0.4], [0.6], 1, within=0.1), [5, 5]), r"looks is \[5, 5\]; allowed are rising"),
        (
            lambda: next_units(standing([0.4], [0.6], 1, within=0.1), [5], budget=9, need=[1, 2]),
            r"need has shape \(2,\); allowed is one number a pair, \(1,\)",
        ),
    ],
)
def test_wrong_calls_are_refused(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
