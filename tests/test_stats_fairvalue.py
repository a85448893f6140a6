"""Fair values: planted roots, the interval's coverage, brackets of a few values, and mixed prices."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import special, stats

from simkit.stats import Estimate, beta_binomial
from simkit.stats.bracketing import bracket, crossings, side_of, within_band
from simkit.stats.checks import normal_quantile
from simkit.stats.fairvalue import fair_value, mixed_value
from simkit.stats.localfit import Batches, fieller

BATCHES = 64
ROOT = 1.3


def probit_curve(x):
    """Chance to win that falls through 1/2 at 1.3."""
    return special.ndtr((ROOT - x) / 2)


def lopsided(x):
    """Another one, with a slow and a steep side."""
    return np.exp(-np.exp((x - ROOT) / 1.5) * np.log(2))


def game(chance, seed, batches=BATCHES):
    """Games with values 0 and 1 whose dice are named by the number of the first unit."""

    def evaluate(value, first, units):
        assert units % batches == 0
        per = np.full(batches, units // batches)
        return Batches(np.random.default_rng([seed, first, 7]).binomial(per, chance(value)), per)

    return evaluate


def solve(chance, seed, units, **more):
    asked = {"target": 0.5, "level": 0.95, "whole": BATCHES} | more
    return fair_value(game(chance, seed), -3.0, 5.0, units=units, **asked)


def test_the_toy_is_solved_to_its_theoretical_error():
    found = solve(probit_curve, 1, 100_000)
    assert found.status == "found"
    assert abs(found.value - ROOT) < 6 * 0.0105
    slope = np.exp(0.0) / np.sqrt(2 * np.pi) / 2
    assert 0.5 / np.sqrt(100_000) / slope == pytest.approx(0.0079, abs=5e-5)
    # two thirds of what the first two stages leave are played at the answer, and it costs some not to be quite there
    assert 0.5 / np.sqrt(0.85 * 100_000 * 2 / 3) / slope == pytest.approx(0.0105, abs=5e-5)
    assert found.error == pytest.approx(0.0105, rel=0.15)
    assert found.low < ROOT < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * found.error, rel=0.06)


def test_the_path_tells_every_evaluation_and_all_have_dice_of_their_own():
    seen = []

    def evaluate(value, first, units):
        seen.append((value, first, units))
        return game(probit_curve, 2)(value, first, units)

    found = fair_value(evaluate, -3, 5, target=0.5, level=0.95, units=50_000, whole=64, confirm=9_999, within=0.05)
    assert [(step.value, step.first, step.estimate.n) for step in found.path] == seen
    assert [step.stage for step in found.path] == ["pilot"] * 9 + ["zoom"] * 3 + ["close"] * 3 + ["confirm"]
    ends = np.cumsum([units for _, _, units in seen])
    assert [first for _, first, _ in seen] == [0, *ends[:-1]]
    assert found.units == ends[-1]
    assert 49_000 < found.units - 9_984 <= 50_000
    assert sum(units for _, _, units in seen[:9]) == pytest.approx(2_500, rel=0.1)
    assert sum(units for _, _, units in seen[9:12]) == pytest.approx(5_000, rel=0.1)
    for near in (seen[9:12], seen[12:15]):
        assert near[0][0] < ROOT < near[2][0]
    assert seen[13][2] == 4 * seen[12][2] == 4 * seen[14][2]
    assert found.confirmation == found.path[-1].estimate
    assert found.confirmed is True
    assert seen[-1][0] == found.value
    assert found.crossings[0][0] < ROOT < found.crossings[0][1]


def test_a_poor_pilot_makes_the_second_stage_reach_farther():
    def reach(pilot):
        near = [step.value for step in solve(probit_curve, 6, 100_000, pilot=pilot).path if step.stage == "close"]
        return near[1] - near[0]

    usual = 0.2 * 2 * (70_000 / 10_000) ** -0.25
    assert reach(0.3) == pytest.approx(usual, rel=0.2)
    assert reach(0.006) > 1.2 * usual


@pytest.mark.parametrize("step", [0.5, 0.25, 1.0])
def test_only_values_on_the_steps_are_played(step):
    found = solve(probit_curve, 5, 100_000, step=step, confirm=10_000)
    assert found.status == "found"
    assert all((played.value + 3.0) % step == 0.0 for played in found.path)
    near = [played.value for played in found.path if played.stage == "close"]
    assert near[1] - near[0] == near[2] - near[1] >= step
    assert found.low < ROOT < found.high
    assert found.confirmation is None  # the answer lies between two values that can be played


def test_the_interval_covers_on_steps_too():
    hits = 0
    for seed in range(40):
        found = solve(probit_curve, seed + 500, 50_000, step=0.5)
        hits += found.value is not None and found.low <= ROOT <= found.high
    assert hits >= stats.binom.ppf(0.0001, 40, 0.94)


def test_the_confirmation_can_be_open_or_fail():
    assert solve(probit_curve, 2, 50_000, confirm=640, within=0.001).confirmed is None
    assert solve(probit_curve, 2, 50_000, confirm=640).confirmed is None

    def drifting(value, first, units):
        later = 0.3 if first > 49_000 else 0.0
        return game(lambda x: probit_curve(x) + later, 2)(value, first, units)

    found = fair_value(drifting, -3, 5, target=0.5, level=0.95, units=50_000, whole=64, confirm=6_400, within=0.02)
    assert found.confirmed is False


@pytest.mark.parametrize(
    ("scale", "chance", "target"),
    [
        ("probit", lambda x: 1 - probit_curve(x), 0.5),
        ("logit", lambda x: special.expit(ROOT - x), 0.5),
        ("plain", lambda x: 0.6 - 0.05 * x, 0.535),
        ("probit", lopsided, 0.5),
        ("probit", lambda x: special.ndtr((ROOT - x) / 2 - 1.2816), 0.1),
        ("logit", lambda x: special.expit(3 * (x - ROOT) + special.logit(0.9)), 0.9),
    ],
)
def test_rising_and_falling_metrics_on_every_scale(scale, chance, target):
    found = solve(chance, 4, 200_000, scale=scale, target=target, level=0.999)
    assert found.status == "found"
    assert found.low < ROOT < found.high
    assert found.high - found.low < 0.4


def test_a_metric_that_is_no_share():
    def turns(value, first, units):
        rng = np.random.default_rng([9, first])
        return Batches(rng.normal(units / 8 * (value**2), 6 * np.sqrt(units / 8), 8), np.full(8, units // 8))

    found = fair_value(turns, 1, 6, target=12.25, level=0.99, units=40_000, scale="plain", whole=8)
    assert found.status == "found"
    assert found.low < 3.5 < found.high
    assert found.high - found.low < 0.1


def test_more_than_one_crossing_is_listed_and_not_solved():
    found = solve(lambda x: 0.5 + 0.3 * np.sin(x), 1, 50_000, level=0.99)
    assert (found.status, found.value, found.low) == ("several", None, None)
    roots = [0.0, np.pi]
    assert len(found.crossings) == len(roots)
    assert all(start < root < end for (start, end), root in zip(found.crossings, roots, strict=True))
    assert found.units < 10_000


def test_a_target_out_of_reach_is_told():
    for shift, target in ((0.0, 0.999), (0.0, 0.02)):
        found = solve(lambda x, shift=shift: probit_curve(x / 4) + shift, 1, 50_000, target=target)
        assert (found.status, found.value, found.crossings) == ("beyond", None, ())


def test_a_flat_metric_is_not_resolved():
    status = {solve(lambda x: 0.5, seed, 20_000, level=0.999).status for seed in range(4)}
    assert status == {"unresolved"}


def test_a_step_is_bracketed():
    found = solve(lambda x: 0.0 if x < ROOT else 1.0, 3, 50_000)
    assert (found.status, found.value, found.method) == ("bracketed", None, "crossing")
    assert found.low < ROOT < found.high
    assert found.high - found.low < 1.5


def test_the_interval_is_cut_to_the_range():
    found = fair_value(game(probit_curve, 5), 1.2, 5.0, target=0.5, level=0.999, units=20_000, whole=64)
    assert (found.status, found.low) == ("found", 1.2)
    assert found.high > ROOT


def covered(chance, seeds, units):
    hit, roots = 0, []
    for seed in range(seeds):
        found = solve(chance, seed + 1_000, units)
        hit += found.value is not None and found.low <= ROOT <= found.high
        roots += [] if found.value is None else [found.value]
    return hit, roots


def test_the_interval_covers():
    hit, roots = covered(probit_curve, 30, 100_000)
    assert hit >= stats.binom.ppf(0.0001, 30, 0.94)
    assert np.std(roots) < 0.0105 * 1.4


@pytest.mark.slow
@pytest.mark.parametrize("chance", [probit_curve, lopsided])
@pytest.mark.parametrize("units", [10_000, 100_000, 1_000_000])
def test_the_interval_covers_over_many_seeds(chance, units):
    hit, roots = covered(chance, 1_000, units)
    assert hit >= stats.binom.ppf(0.0001, len(roots), 0.94)
    assert hit <= stats.binom.ppf(0.9999, len(roots), 0.96)
    assert len(roots) > (900 if units == 10_000 else 990)  # with few games it is now and then only bracketed
    assert np.median(roots) == pytest.approx(ROOT, abs=0.006 * np.sqrt(10_000 / units) + 0.0005)


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"target": 1.0}, "target is 1.0; allowed are numbers strictly between 0 and 1"),
        ({"scale": "cubic"}, "scale is 'cubic'; allowed are probit, logit, plain"),
        ({"grid": 3}, "whole is 64, grid 3, confirm 0; allowed are at least 1, 4 and 0"),
        ({"units": 700}, r"units is 700; allowed are at least 1152 for 9 \+ 3 \+ 3 evaluations"),
        ({"pilot": 1.0}, "pilot is 1.0; allowed are numbers strictly between 0 and 1"),
        ({"level": 1.0}, "level is 1.0"),
        ({"step": 2.0}, "step is 2.0; allowed are steps that lead from low to high, at least 8 of them"),
        ({"step": 0.3}, "step is 0.3; allowed are steps"),
        ({"within": -1.0}, "within is -1.0"),
        ({"scale": "plain", "target": np.nan}, "target holds a value that is not finite"),
    ],
)
def test_wrong_calls_are_refused(more, complaint):
    asked = {"units": 20_000, "target": 0.5, "level": 0.95, "whole": 64} | more
    with pytest.raises(ValueError, match=complaint):
        fair_value(game(probit_curve, 1), -3, 5, **asked)


def test_wrong_evaluations_are_refused():
    asked = {"target": 0.5, "level": 0.95, "units": 2_400, "whole": 1}
    with pytest.raises(ValueError, match=r"high - low is -1"):
        fair_value(game(probit_curve, 1), 1, 0, **asked)
    with pytest.raises(ValueError, match="evaluate gave 12 units in 4 batches; allowed are 13 in at least 4 batches"):
        fair_value(lambda *_: Batches([1] * 4, [3] * 4), 0, 1, **asked)
    with pytest.raises(ValueError, match="evaluate gave 13 units in 1 batches"):
        fair_value(lambda *_: Batches([1], [13]), 0, 1, **asked)
    with pytest.raises(ValueError, match="evaluate gave 13 units in 5 batches; allowed are 13 in 4 batches"):
        fair_value(
            lambda value, *_: Batches([1] * 4, [3, 3, 3, 4]) if value == 0 else Batches([1] * 5, [3, 3, 3, 2, 2]),
            0,
            1,
            **asked,
        )
    with pytest.raises(ValueError, match=r"evaluate gave a mean of 1\.2.*; allowed on the probit scale are shares"):
        fair_value(lambda *_: Batches([3, 4, 4, 5], [3, 3, 3, 4]), 0, 1, **asked)


# --- a few values


def opposed(x):
    """Win, draw, loss of 2d6 + x against 2d6."""
    rolls = [a + b for a, b in product(range(1, 7), repeat=2)]
    gaps = [one + x - other for one, other in product(rolls, repeat=2)]
    return [
        Fraction(sum(test(gap) for gap in gaps), 1296) for test in (lambda g: g > 0, lambda g: g == 0, lambda g: g < 0)
    ]


def test_opposed_rolls_have_the_known_odds():
    assert opposed(0) == [Fraction(575, 1296), Fraction(73, 648), Fraction(575, 1296)]
    assert opposed(1) == [Fraction(721, 1296), Fraction(35, 324), Fraction(145, 432)]
    assert opposed(2) == [Fraction(287, 432), Fraction(125, 1296), Fraction(155, 648)]


SCORE = {x: float(opposed(x)[0] + opposed(x)[1] / 2) for x in range(-6, 7)}
LOOKS = [1_000, 4_000, 16_000, 64_000]


def sequence(chance, seed):
    """Confidence sequence of a chance, of games whose dice depend on the value only."""

    seen = {}

    def judge(value, units, level):
        if value not in seen:
            won = np.random.default_rng([seed, int(value) + 100]).random(LOOKS[-1]) < chance(value)
            seen[value] = np.cumsum(won)
        wins = seen[value]
        low, high = beta_binomial(int(wins[units - 1]), units, level)
        return Estimate(wins[units - 1] / units, float(low), float(high), level, units, "beta-binomial")

    return judge


def test_a_modifier_is_bracketed_by_its_neighbours():
    found = bracket(sequence(SCORE.get, 1), range(-6, 7), target=0.55, level=0.99, looks=LOOKS)
    assert (found.status, found.below, found.above) == ("bracketed", 0.0, 1.0)
    assert (found.fair, found.undecided) == ((), ())
    assert found.crossings == ((0.0, 1.0),)
    # both ends and four halvings
    assert len(found.path) <= 6
    assert found.units == sum(step.estimate.n for step in found.path)
    assert [step.estimate.level for step in found.path] == pytest.approx([1 - 0.01 / 13] * len(found.path))
    # far from the target one look is enough
    assert {step.value: step.estimate.n for step in found.path}[-6.0] == 1_000


def test_a_fair_value_is_found_within_the_band():
    found = bracket(sequence(SCORE.get, 1), range(-6, 7), target=0.5, level=0.99, looks=LOOKS, within=0.02)
    assert (found.status, found.below, found.above, found.fair) == ("found", -1.0, 1.0, (0.0,))
    wider = bracket(sequence(SCORE.get, 1), range(-6, 7), target=0.5, level=0.99, looks=LOOKS, within=0.04)
    assert {step.value: step.estimate.n for step in wider.path}[0.0] < LOOKS[-1]
    without = bracket(sequence(SCORE.get, 1), range(-6, 7), target=0.5, level=0.99, looks=LOOKS)
    assert (without.status, without.fair, without.undecided) == ("bracketed", (), (0.0,))
    assert (without.below, without.above) == (-1.0, 1.0)


def test_falling_metrics_and_the_far_sides():
    def falling(value):
        return 1 - SCORE[value]

    found = bracket(sequence(falling, 2), range(-6, 7), target=0.55, level=0.99, looks=LOOKS)
    assert (found.status, found.below, found.above, found.crossings) == ("bracketed", 0.0, -1.0, ((-1.0, 0.0),))
    assert bracket(sequence(falling, 2), range(1, 7), target=0.55, level=0.99, looks=LOOKS).status == "beyond"
    high = bracket(sequence(falling, 2), range(-6, -1), target=0.55, level=0.99, looks=LOOKS)
    assert (high.status, high.below, high.above, len(high.path)) == ("beyond", None, -2.0, 2)
    flat = bracket(sequence(lambda value: 0.5, 2), range(5), target=0.5, level=0.99, looks=LOOKS)
    assert (flat.status, flat.below, flat.above, flat.undecided) == ("unresolved", None, None, (0.0, 4.0))
    half = bracket(sequence(lambda value: 0.5 if value < 2 else 0.7, 2), range(5), target=0.5, level=0.99, looks=LOOKS)
    assert (half.status, half.below, half.above, half.undecided) == ("unresolved", None, 2.0, (0.0, 1.0))


def test_all_sign_changes_of_a_metric_that_turns():
    def turning(value):
        return 0.7 if 2 <= value <= 4 else 0.3

    found = bracket(sequence(turning, 3), range(8), target=0.5, level=0.99, looks=LOOKS, monotone=False)
    assert (found.status, found.crossings, len(found.path)) == ("several", ((1.0, 2.0), (4.0, 5.0)), 8)


def false_brackets(seeds):
    """Brackets with any false statement where each value is on an edge."""
    chances = [0.48, 0.5, 0.5, 0.52]
    count = 0
    for seed in range(seeds):
        found = bracket(
            sequence(lambda value: chances[int(value)], seed),
            range(4),
            target=0.5,
            level=0.9,
            looks=LOOKS[:3],
            within=0.02,
            monotone=False,
        )
        signs = {step.value: side_of(step.estimate, 0.5) for step in found.path}
        count += (
            signs[0.0] > 0
            or signs[1.0] != 0
            or signs[2.0] != 0
            or signs[3.0] < 0
            or {0.0, 3.0} & {*found.fair} != set()
        )
    return count


@pytest.mark.slow
def test_statements_of_a_bracket_hold_together():
    assert false_brackets(400) <= stats.binom.ppf(0.9999, 400, 0.1)


@pytest.mark.parametrize(
    ("values", "schedule", "complaint"),
    [
        ([1], LOOKS, "values is not strictly rising; allowed are at least 2 rising values"),
        ([1, 1], LOOKS, "values is not strictly rising"),
        ([1, 2], [], r"looks is \[\]; allowed are rising whole numbers from 1"),
        ([1, 2], [5, 5], r"looks is \[5, 5\]"),
    ],
)
def test_wrong_brackets_are_refused(values, schedule, complaint):
    with pytest.raises(ValueError, match=complaint):
        bracket(sequence(SCORE.get, 1), values, target=0.5, level=0.9, looks=schedule)


def test_sides_and_bands():
    def made(low, high, method="asymptotic"):
        return Estimate((low + high) / 2, low, high, 1.0 if method == "exact" else 0.9, 10, method)

    assert [side_of(made(*ends), 0.5) for ends in ((0.4, 0.49), (0.4, 0.6), (0.51, 0.6))] == [-1, 0, 1]
    assert [within_band(made(*ends), 0.5, 0.1) for ends in ((0.41, 0.59), (0.3, 0.55), (0.61, 0.7))] == [
        True,
        None,
        False,
    ]
    # nothing varied: that bounds nothing; an exact value does
    assert (side_of(made(0.6, 0.6), 0.5), within_band(made(0.5, 0.5), 0.5, 0.1)) == (0, None)
    assert (side_of(made(0.6, 0.6, "exact"), 0.5), within_band(made(0.5, 0.5, "exact"), 0.5, 0.1)) == (1, True)
    assert crossings([1, 2, 3], [1, 0, 1]) == ()


# --- mixed prices


def test_a_mixed_price_has_the_known_value_and_error():
    w = np.array([0.58, 0.46])
    found = mixed_value((1, 2), w, np.diag(w * (1 - w) / 1e5), 200_000, target=0.5, level=0.95)
    assert found.value == pytest.approx(1.6667, abs=5e-5)
    assert found.error == pytest.approx(0.0098, abs=5e-5)
    assert found.high - found.low == pytest.approx(2 * 1.96 * found.error, rel=0.01)
    # between the two, common dice that move both together only move the price
    both = np.full((2, 2), 0.2e-5) + np.diag(w * (1 - w) / 1e5 - 0.2e-5)
    assert mixed_value((1, 2), w, both, 200_000, target=0.5, level=0.95).error > found.error


def test_a_mixed_price_that_is_not_there():
    w, spread = np.array([0.58, 0.46]), np.diag([0.2e-5, 0.2e-5])
    assert mixed_value((1, 2), w, spread, 10, target=0.6, level=0.95).status == "beyond"
    assert mixed_value((1, 2), w, spread * 1e4, 10, target=0.5, level=0.95).status == "unresolved"
    edge = mixed_value((3, 5), [0.5001, 0.46], spread, 10, target=0.5, level=0.95)
    assert (edge.status, edge.low) == ("found", 3.0)
    with pytest.raises(
        ValueError, match=r"means has shape \(3,\), covariance \(2, 2\); allowed are \(2,\) and \(2, 2\)"
    ):
        mixed_value((1, 2), [0.5, 0.4, 0.3], spread, 10, target=0.5, level=0.95)
    with pytest.raises(ValueError, match=r"step between the two values is -1\.0"):
        mixed_value((2, 1), w, spread, 10, target=0.5, level=0.95)


def test_the_mixed_price_covers():
    rng = np.random.default_rng(12)
    w = rng.binomial(2_000, [0.58, 0.46], (500, 2)) / 2_000
    made = [mixed_value((1, 2), one, np.diag(one * (1 - one) / 2_000), 4_000, target=0.5, level=0.95) for one in w]
    hit = sum(found.value is not None and found.low <= 5 / 3 <= found.high for found in made)
    assert stats.binom.ppf(0.0001, 500, 0.945) <= hit <= stats.binom.ppf(0.9999, 500, 0.955)


def test_fieller_bounds_are_where_the_test_just_fails():
    z = normal_quantile(0.95)
    spread = np.array([[0.04, 0.01], [0.01, 0.02]])
    low, high = fieller(1.0, 2.0, spread, z)
    for ratio in (low, high):
        reader = np.array([1.0, -ratio])
        assert abs(1.0 - 2.0 * ratio) == pytest.approx(z * np.sqrt(reader @ spread @ reader))
    assert low < 0.5 < high
    assert fieller(1.0, 0.2, spread, z) is None
    with pytest.raises(ValueError, match="quantile is 0"):
        fieller(1.0, 2.0, spread, 0)
