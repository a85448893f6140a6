"""The search for a fair value on planted curves: brackets, mixtures, several answers, none, fits of many values."""

import itertools

import numpy as np
import pytest
from scipy import special, stats

from simkit.balance.solve.ladder import Ladder
from simkit.balance.solve.search import Aim, search
from tests.solve_toys import Toy, judge


def whole(low, high):
    values = tuple(range(low, high + 1))
    return Ladder(values, tuple(float(value) for value in values), 1.0)


def solve(chance, ladder, seed=1, units=400_000, confirm=100_000, **more):
    toy = Toy(chance, seed)
    asked = {"target": 0.5, "within": 0.02, "level": 0.99} | more
    return toy, search(toy, judge, ladder, Aim(**asked), units=units, confirm=confirm)


def falling(root, steep):
    return lambda x: special.ndtr((root - x) * steep)


def test_a_steep_curve_is_bracketed_between_two_whole_values():
    chance = falling(2.3, 0.5)
    toy, found = solve(chance, whole(-4, 8))
    (root,) = found.roots
    share = (0.5 - chance(2)) / (chance(3) - chance(2))
    assert found.status == "found"
    assert (root.below, root.above, root.rising, root.method) == (2.0, 3.0, False, "mixing")
    assert root.low < 2 + share < root.high
    assert root.high - root.low < 0.1
    assert [look.place for look in found.looks] == [float(x) for x in range(-4, 9)]
    assert [look.side for look in found.looks] == [1] * 7 + [-1] * 6
    assert found.units == toy.units <= 500_000


def test_the_answer_is_confirmed_on_dice_that_no_search_has_seen():
    toy, found = solve(falling(2.3, 0.5), whole(-4, 8))
    (root,) = found.roots
    fresh = [(place, first) for place, first, _, new in toy.played if new]
    assert fresh == [(2.0, 0), (3.0, 0)]
    below, above, mixed = root.checks
    assert (below.place, above.place, mixed.place) == (2.0, 3.0, root.place)
    assert (below.fair, above.fair, mixed.fair) == (False, False, True)
    assert mixed.estimate.low < 0.5 < mixed.estimate.high


def test_the_games_behind_a_mixture_are_told_and_give_it():
    toy, found = solve(falling(2.3, 0.5), whole(-4, 8), units=41_000)
    (root,) = found.roots
    below, above = (check.estimate for check in root.behind)
    assert [check.place for check in root.behind] == [2.0, 3.0]
    share = (below.estimate - 0.5) / (below.estimate - above.estimate)
    assert root.place == pytest.approx(2 + share, abs=1e-12)
    looked = {look.place: look.estimate.n for look in found.looks}
    assert below.n == above.n >= 3 * looked[2.0]
    played = sum(looked.values()) + below.n + above.n + sum(check.estimate.n for check in root.checks[:2])
    assert played == found.units == toy.units


def test_the_games_behind_a_curve_are_told_and_give_it():
    toy, found = solve(falling(40.3, 0.05), whole(0, 100), scale="probit")
    (root,) = found.roots
    places = [check.place for check in root.behind]
    shares = [check.estimate.estimate for check in root.behind]
    curve = np.polynomial.Polynomial.fit(places, special.ndtri(shares), 2)
    assert min(abs(curve.roots() - root.place)) < 1e-3  # half a game more and less keeps shares off 0 and 1
    assert [(place, units) for place, _, units, fresh in toy.played if not fresh][-3:] == [
        (check.place, check.estimate.n) for check in root.behind
    ]


def test_no_two_evaluations_share_dice():
    toy, _ = solve(falling(2.3, 0.1), whole(-4, 8))
    spans = sorted((first, first + units) for _, first, units, fresh in toy.played if not fresh)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))


def test_a_value_within_the_band_is_fair():
    _, found = solve(falling(3.02, 0.4), whole(0, 6), within=0.03)
    assert [look.place for look in found.looks if look.fair] == [3.0]
    (root,) = found.roots
    assert root.low < 3.02 < root.high
    assert min(abs(check.place - 3) for check in root.checks) == 0


def test_a_curve_with_two_answers_gives_both():
    def hill(x):
        return 0.2 + 0.6 * np.exp(-((x - 4.2) ** 2) / 6)

    _, found = solve(hill, whole(0, 10))
    assert found.status == "several"
    assert [root.rising for root in found.roots] == [True, False]
    for root, (a, b) in zip(found.roots, ((2, 3), (6, 7)), strict=True):
        place = a + (0.5 - hill(a)) / (hill(b) - hill(a))
        assert root.low < place < root.high
        assert len(root.checks) == 3


def test_a_curve_that_never_gets_there_says_what_was_seen():
    _, found = solve(lambda x: 0.15 - 0.01 * (x - 3) ** 2, whole(1, 6))
    assert (found.status, found.roots) == ("beyond", ())
    best = max(found.looks, key=lambda look: look.estimate.estimate)
    assert best.place in (2.0, 3.0, 4.0)
    assert all(look.estimate.high < 0.5 for look in found.looks)


def test_a_flat_curve_on_the_target_is_fair_and_not_crossed():
    _, found = solve(lambda x: 0.5, whole(1, 6), within=0.03)
    assert found.status == "fair"
    assert all(look.fair for look in found.looks)
    (root,) = found.roots
    assert (root.method, root.low, root.high) == ("fair", 1.0, 6.0)
    (check,) = root.checks
    assert (check.place, check.fair) == (root.place, True)


def test_a_flat_curve_without_a_band_is_not_resolved():
    _, found = solve(lambda x: 0.5, whole(1, 6), within=None)
    assert (found.status, found.roots) == ("unresolved", ())


def test_few_values_in_uneven_steps():
    ladder = Ladder((1, 2, 10), (1.0, 2.0, 10.0), None)
    _, found = solve(falling(4.0, 0.2), ladder)
    (root,) = found.roots
    assert (root.below, root.above) == (2.0, 10.0)
    chance = falling(4.0, 0.2)
    assert root.low < 2 + 8 * (chance(2) - 0.5) / (chance(2) - chance(10)) < root.high


@pytest.mark.parametrize("target", [0.1, 0.85])
def test_other_targets(target):
    chance = falling(40.0, 0.05)
    _, found = solve(chance, whole(0, 100), target=target, scale="probit", units=800_000)
    (root,) = found.roots
    assert (found.status, root.method) == ("found", "curve")
    assert root.low < 40 - 20 * special.ndtri(target) < root.high
    assert root.high - root.low < 2
    assert root.checks[-1].fair is True


def test_many_values_are_fitted_and_only_they_are_played():
    toy, found = solve(falling(40.3, 0.05), whole(0, 100), scale="probit")
    (root,) = found.roots
    assert root.low < 40.3 < root.high
    assert all(float(place).is_integer() for place, *_ in toy.played)
    assert [check.place for check in root.checks] == [*{np.floor(root.place), np.ceil(root.place)}, root.place]
    assert found.units == toy.units


def test_many_values_with_two_answers_are_looked_at_in_parts():
    def hill(x):
        return 0.2 + 0.6 * np.exp(-((x - 44.4) ** 2) / 300)

    _, found = solve(hill, whole(0, 100), scale="probit", units=2_000_000)
    assert found.status == "several"
    reach = np.sqrt(-300 * np.log(0.5))
    for root, place in zip(found.roots, (44.4 - reach, 44.4 + reach), strict=True):
        assert root.low < place < root.high
        assert root.high - root.low < 1.5


def test_a_step_among_many_values_is_found_between_its_neighbours():
    _, found = solve(lambda x: 0.1 if x < 61 else 0.9, whole(0, 100), scale="probit")
    (root,) = found.roots
    assert (root.below, root.above, root.rising) == (60.0, 61.0, True)
    assert root.place == pytest.approx(60.5, abs=0.02)


def test_a_parameter_that_takes_any_number():
    _, found = solve(falling(1.3, 0.5), Ladder((), (-3.0, 5.0), None), scale="probit")
    (root,) = found.roots
    assert root.low < 1.3 < root.high
    (check,) = root.checks
    assert (check.place, check.fair) == (root.place, True)


def test_the_interval_covers_whatever_the_place():
    hits, seeds = 0, 60
    for seed in range(seeds):
        middle = 2.0 + seed / seeds
        chance = falling(middle, 0.25)
        _, found = solve(chance, whole(0, 5), seed, units=40_000, confirm=0, level=0.9)
        k = int(np.floor(middle))
        place = k + (chance(k) - 0.5) / (chance(k) - chance(k + 1))
        hits += len(found.roots) == 1 and found.roots[0].low <= place <= found.roots[0].high
    assert hits >= stats.binom.ppf(0.0001, seeds, 0.9)
