"""Cyclic share and three-cycles: known values, planted circles, noise alone, and coverage."""

import itertools

import numpy as np
import pytest
from scipy import optimize
from scipy.special import expit, logit
from scipy.stats import ncx2
from scipy.stats import t as student

from simkit.stats import holm
from simkit.stats.cycles import _Squares, cyclic_share, hodge_split, three_cycles
from simkit.stats.matchups import scores_from_batches, scores_from_games

CIRCLE = np.array([[0.5, 0.6, 0.4], [0.4, 0.5, 0.6], [0.6, 0.4, 0.5]])
LINE = np.linspace(-0.1, 0.1, 8)
LINE = LINE[:, np.newaxis] - LINE


def ring(size, strength):
    """Return logits in which item 0 beats 1, 1 beats 2, 2 beats 0, and all else is even."""
    table = np.zeros((size, size))
    table[0, 1] = table[1, 2] = table[2, 0] = strength
    return table - table.T


def played(rng, logits, games):
    """Scores of independent games without draws, so many in each seat of each pair."""
    wins = rng.binomial(games, expit(logits))
    return scores_from_games(wins, 0 * wins, games - wins)


def exactly(score, games):
    """Scores of games whose counts are exactly those expected."""
    wins = np.rint(np.asarray(score) * games).astype(int)
    return scores_from_games(wins, 0 * wins, games - wins)


def sharing(rng, logits, batches, size):
    """Scores of units that use the same dice in every pair, in batches."""
    dice = rng.random((batches, size))
    sums = (dice < expit(logits)[..., np.newaxis, np.newaxis]).sum(axis=-1)
    return scores_from_batches(sums, np.full(batches, size))


def test_known_shares():
    assert hodge_split(CIRCLE).share == pytest.approx(1, abs=1e-12)
    line = np.array([0.5, 0.0, -0.5])
    found = hodge_split(expit(line[:, np.newaxis] - line))
    assert found.share == pytest.approx(0, abs=1e-12)
    assert found.rating == pytest.approx(line, abs=1e-12)
    found = hodge_split([[0.5, 0.6, 0.45], [0.4, 0.5, 0.7], [0.55, 0.3, 0.5]])
    assert found.share == pytest.approx(0.763243, abs=5e-7)
    assert found.rating == pytest.approx([0.0683, 0.1473, -0.2155], abs=5e-5)


@pytest.mark.parametrize("scale", ["logit", "score"])
def test_split_is_the_least_squares_fit_of_differences(scale):
    rng = np.random.default_rng(1)
    score = expit(rng.normal(size=(6, 6)))
    score = (score + 1 - score.T) / 2
    found, pairs = hodge_split(score, scale), list(itertools.combinations(range(6), 2))
    values = np.array([logit(score[i, j]) if scale == "logit" else score[i, j] - 0.5 for i, j in pairs])
    design = np.array([np.eye(6)[i] - np.eye(6)[j] for i, j in pairs])
    rating, rest = np.linalg.lstsq(design, values)[:2]
    assert found.rating == pytest.approx(rating, abs=1e-12)
    assert found.share == pytest.approx(((values - design @ rating) ** 2).sum() / (values**2).sum(), rel=1e-12)
    assert found.cyclic == pytest.approx(-found.cyclic.T, abs=1e-14)
    assert found.cyclic.sum(axis=1) == pytest.approx(np.zeros(6), abs=1e-12)
    assert rest.size == 0


def test_even_scores_have_no_share():
    assert np.isnan(hodge_split(np.full((3, 3), 0.5)).share)


def test_scores_from_games_by_hand():
    wins = np.array([[0, 6, 2], [3, 0, 9], [1, 8, 0]])
    draws = np.array([[9, 1, 2], [2, 0, 5], [3, 1, 0]])
    losses = np.array([[0, 3, 6], [5, 0, 6], [6, 1, 0]])
    both = scores_from_games(wins, draws, losses)
    # item 0 against 1: 6.5 of 10 in the first seat, 6 of 10 in the second
    assert both.score[0, 1] == pytest.approx((6.5 / 10 + 6 / 10) / 2)
    assert both.score + both.score.T == pytest.approx(np.ones((3, 3)))
    first, second = np.repeat([1, 0.5, 0], [6, 1, 3]), np.repeat([1, 0.5, 0], [5, 2, 3])
    error = np.sqrt(first.var(ddof=1) / 10 + second.var(ddof=1) / 10) / 2
    assert both.error[0] == pytest.approx(error)
    assert (both.units.tolist(), both.df.tolist()) == ([10, 10, 10], [9, 9, 9])
    one = scores_from_games(wins, draws, losses, seat=False)
    assert one.error[0] == pytest.approx(np.sqrt(np.r_[first, second].var(ddof=1) / 20))
    assert one.score[0, 1] == pytest.approx(12.5 / 20)
    upper = scores_from_games(
        np.triu(wins + losses.T, 1), np.triu(draws + draws.T, 1), np.triu(losses + wins.T, 1), seat=False
    )
    assert (upper.score == one.score).all()
    # unequal seats still count half each
    wins[0, 1], losses[0, 1], draws[0, 1] = 600, 300, 100
    assert scores_from_games(wins, draws, losses).score[0, 1] == pytest.approx((6.5 / 10 + 6 / 10) / 2)


@pytest.mark.parametrize("seat", [True, False])
def test_batches_and_games_agree(seat):
    rng = np.random.default_rng(2)
    counts = rng.multinomial(10, [0.5, 0.2, 0.3], (4, 4, 256)).transpose(3, 0, 1, 2)
    dealt = scores_from_games(*counts, seat=seat)
    plain = scores_from_games(*counts.sum(axis=-1), seat=seat)
    assert dealt.score == pytest.approx(plain.score, abs=1e-14)
    assert dealt.error == pytest.approx(plain.error, rel=0.2)
    assert (dealt.batches, dealt.df.tolist()) == (256, [255.0] * 6)
    wins, draws, losses = counts
    sums = (wins + draws / 2 + (losses + draws / 2).transpose(1, 0, 2)) / 2
    other = scores_from_batches(sums, np.full(256, 10))
    assert other.score == pytest.approx(dealt.score, abs=1e-14)
    assert other.factor == pytest.approx(dealt.factor, abs=1e-15)


def test_noise_alone_looks_cyclic_and_is_taken_off():
    # 8 items, 2,000 games a pair, a line of ratings: 13 % of the squares are cyclic, all of them noise
    rng = np.random.default_rng(3)
    found = [cyclic_share(played(rng, LINE, 1_000), 0.95) for _ in range(80)]
    assert np.mean([one.raw for one in found]) == pytest.approx(0.13, abs=0.015)
    assert np.mean([one.share for one in found]) == pytest.approx(0.02, abs=0.01)
    assert found[0].df == pytest.approx(21, abs=0.05)
    assert np.mean([one.statistic for one in found]) == pytest.approx(21, abs=2.2)
    assert sum(one.p_value < 0.1 for one in found) < 18
    assert sum(one.low > 0 for one in found) < 6


def test_planted_circle_is_found():
    logits = LINE + ring(8, 0.3)
    truth = hodge_split(expit(logits)).share
    found = cyclic_share(exactly(expit(logits), 100_000), 0.95)
    assert found.share == pytest.approx(truth, abs=2e-3)
    assert 0.8 * truth < found.low < truth < found.high < 1.2 * truth
    assert found.p_value < 1e-9
    few = cyclic_share(exactly(expit(logits), 1_000), 0.95)
    assert few.low < found.low < found.high < few.high
    assert few.share < few.raw


def test_interval_of_a_circle_by_hand():
    # no ratings' part: 2 degrees of freedom, as large as its noise; the cyclic part has 1
    found = cyclic_share(exactly(CIRCLE, 100), 0.96)
    noise = 0.24 / 99 / 2 / 0.24**2
    x = 3 * logit(0.6) ** 2 / noise
    least = optimize.brentq(lambda nc: ncx2.sf(x, 1, nc) - 0.01, 1e-3, x)
    most = optimize.brentq(lambda nc: ncx2.cdf(2, 2, nc) - 0.01, 1e-3, 100)
    assert found.statistic == pytest.approx(x, rel=1e-9)
    assert found.low == pytest.approx(least / (least + most), rel=1e-6)


def test_shared_dice_are_told_by_their_batches():
    # the same dice give the first item of all three pairs the same luck x: ratings 2x/3, 0, -2x/3 leave x/3 each
    rng = np.random.default_rng(4)
    runs = [cyclic_share(sharing(rng, np.zeros((3, 3)), 64, 50), 0.95, "score") for _ in range(60)]
    assert [one.df for one in runs] == pytest.approx([1.0] * 60, abs=1e-9)
    assert [one.raw for one in runs if one.statistic > 0] == pytest.approx([1 / 9] * 60, abs=1e-9)
    assert np.mean([one.statistic for one in runs]) == pytest.approx(1, abs=0.55)


def test_degrees_of_freedom_are_those_of_the_written_out_matrices():
    rng = np.random.default_rng(17)
    size, upper = 5, np.triu_indices(5, 1)
    rows = np.array([np.eye(size)[i] - np.eye(size)[j] for i, j in zip(*upper, strict=True)])
    rest = np.eye(10) - rows @ np.linalg.pinv(rows)
    pairs = played(rng, rng.normal(size=(size, size)), 40)
    slope = 1 / (pairs.score * (1 - pairs.score))[upper]
    noise = rest @ np.diag((slope * pairs.error) ** 2) @ rest
    found = cyclic_share(pairs, 0.95)
    assert found.df == pytest.approx(np.trace(noise) ** 2 / (noise**2).sum(), rel=1e-10)
    lead = logit(pairs.score[upper])
    assert found.statistic / found.df == pytest.approx(lead @ rest @ lead / np.trace(noise), rel=1e-10)
    # two batches leave nothing to correct; a pair that never varied has the error of one unit of 21
    sums = rng.integers(3, 8, (size, size, 2)).astype(float)
    sums[0, 1] = 6.0
    pairs = scores_from_batches(sums, [10, 10])
    assert pairs.varied.tolist() == (pairs.error > 0).tolist()
    noise = pairs.factor @ pairs.factor.T + np.diag(np.where(pairs.varied, 0, 1 / 21) ** 2)
    noise = rest @ noise @ rest
    found = cyclic_share(pairs, 0.95, "score")
    assert found.df == pytest.approx(np.trace(noise) ** 2 / (noise**2).sum(), rel=1e-10)


def test_estimated_covariance_does_not_lower_the_degrees_of_freedom():
    rng = np.random.default_rng(18)
    found = [
        cyclic_share(scores_from_batches(rng.binomial(40, 0.5, (8, 8, 128)), np.full(128, 40)), 0.95).df
        for _ in range(5)
    ]
    assert np.mean(found) == pytest.approx(21, abs=0.6)


def test_batches_without_noise_in_one_part_are_refused():
    luck = np.random.default_rng(19).integers(-2, 3, (4, 16))
    with pytest.raises(ValueError, match="no noise in a part"):
        cyclic_share(scores_from_batches(5 + luck[:, np.newaxis] - luck, np.full(16, 10)), 0.95, "score")


def test_scores_of_0_and_1_need_the_score_scale():
    sure = exactly([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]], 200)
    with pytest.raises(ValueError, match=r"item 0 against 1 is 1.0, which has no logit"):
        cyclic_share(sure, 0.99)
    found = cyclic_share(sure, 0.99, "score")
    assert found.share == found.raw == 1.0
    assert 0.99 < found.low < 1.0 == found.high
    assert cyclic_share(exactly([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]], 4), 0.99, "score").low < 0.9


def test_nothing_but_even_scores_leaves_the_share_open():
    found = cyclic_share(exactly(np.full((4, 4), 0.5), 100), 0.95)
    assert np.isnan(found.share)
    assert (found.low, found.high) == (0.0, 1.0)
    assert found.p_value == 1.0


@pytest.mark.parametrize(("df", "x"), [(3.0, 0.1), (3.0, 9.0), (20.7, 30.0), (20.7, 5_000.0), (21.0, 4e6)])
def test_bounds_are_those_of_a_noncentral_chi_squared(df, x):
    squares = _Squares(2.0 * x, 2.0, df)
    low, high = squares.bounds(0.01)
    if x < df:
        assert low == 0.0
        assert ncx2.cdf(df, df, high / 2) == pytest.approx(0.01, rel=1e-6)
        return
    assert ncx2.cdf(x, df, high / 2) == pytest.approx(0.01, rel=1e-2)
    assert low == 0.0 or ncx2.sf(x, df, low / 2) == pytest.approx(0.01, rel=1e-2)
    assert low / 2 < x - df < high / 2


def test_one_planted_circle_is_listed():
    found = three_cycles(exactly(expit(LINE + ring(8, 1.0)), 2_000), 0.99)
    best = found.cycles[0]
    assert best.items == (0, 1, 2)
    assert best.scores == pytest.approx(expit(np.array([0, 0, 0]) + 1 + LINE[[0, 1, 2], [1, 2, 0]]), abs=1e-3)
    assert best.errors == pytest.approx(np.sqrt(np.array(best.scores) * (1 - np.array(best.scores)) / 4_000), rel=1e-2)
    assert len(found.cycles) + found.undecided + found.ruled_out == 56
    assert three_cycles(exactly(expit(LINE), 100_000), 0.99).cycles == ()


def beaten(pairs, level):
    """Which item beats which, by Holm's procedure, pair by pair."""
    size, table = len(pairs.score), {}
    order = list(itertools.combinations(range(size), 2))
    t = np.abs([pairs.score[i, j] - 0.5 for i, j in order]) / pairs.error
    for (i, j), p in zip(order, holm(2 * student.sf(t, pairs.df)), strict=True):
        if p <= 1 - level:
            table[(i, j) if pairs.score[i, j] > 0.5 else (j, i)] = p
    return table


def test_triples_are_sorted_as_by_hand():
    rng = np.random.default_rng(8)
    for _ in range(6):
        logits = rng.normal(scale=0.35, size=(7, 7))
        pairs = played(rng, np.triu(logits, 1) - np.triu(logits, 1).T, 60)
        beats, found = beaten(pairs, 0.95), three_cycles(pairs, 0.95)
        cycles, ruled_out = {}, 0
        for trio in itertools.combinations(range(7), 3):
            for one, two, three in (trio, (trio[0], trio[2], trio[1])):
                edges = [(one, two), (two, three), (three, one)]
                if all(edge in beats for edge in edges):
                    cycles[one, two, three] = max(beats[edge] for edge in edges)
            ruled_out += any(
                all((one, other) in beats for other in trio if other != one)
                or all((other, one) in beats for other in trio if other != one)
                for one in trio
            )
        assert {cycle.items: pytest.approx(cycle.p_value, rel=1e-9) for cycle in found.cycles} == cycles
        assert found.ruled_out == ruled_out
        assert [cycle.p_value for cycle in found.cycles] == sorted(cycle.p_value for cycle in found.cycles)
        assert len(found.cycles) + found.ruled_out + found.undecided == 35


def test_pairs_that_never_varied_count_by_their_units():
    sure = [[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]]
    for games in (4, 12):
        found = three_cycles(exactly(sure, games), 0.95)
        # three pairs, each seen one way in all units: 2 / 2^games, times three
        assert [cycle.p_value for cycle in found.cycles] == ([pytest.approx(6 * 0.5**12)] if games == 12 else [])
        assert found.undecided == (games == 4)
    even = exactly(np.full((3, 3), 0.5), 50)
    assert three_cycles(even, 0.95).cycles == ()
    units = np.zeros((3, 3, 8))
    units[0, 1], units[1, 2], units[0, 2] = 7.5, 7.5, 2.5
    steady = scores_from_batches(units, np.full(8, 10))
    assert not steady.varied.any()
    assert three_cycles(steady, 0.95).cycles[0].p_value == pytest.approx(6 * (2 / 3) ** 80, rel=1e-9)


def test_many_units_do_not_underflow_to_nonsense():
    found = three_cycles(exactly([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]], 10**9), 0.99)
    assert 0 <= found.cycles[0].p_value < 1e-300


def test_no_false_circles_among_even_items():
    rng = np.random.default_rng(10)
    runs = [three_cycles(played(rng, np.zeros((6, 6)), 100), 0.9) for _ in range(100)]
    assert sum(len(run.cycles) > 0 for run in runs) < 8
    assert np.mean([run.undecided for run in runs]) > 19


@pytest.mark.slow
@pytest.mark.parametrize("strength", [0.0, 0.1, 0.3])
def test_shares_are_covered(strength):
    rng, logits = np.random.default_rng(15), LINE + ring(8, strength)
    truth = hodge_split(expit(logits)).share
    for draw in (lambda: played(rng, logits, 500), lambda: sharing(rng, logits, 256, 20)):
        found = [cyclic_share(draw(), 0.95) for _ in range(500)]
        assert sum(one.low <= truth <= one.high for one in found) >= 0.95 * 500
        assert np.nanmean([one.share for one in found]) == pytest.approx(truth, abs=0.06)


@pytest.mark.slow
def test_the_test_against_no_circles_keeps_its_level():
    rng = np.random.default_rng(16)
    for draw in (lambda: played(rng, LINE, 500), lambda: sharing(rng, LINE, 256, 4)):
        p = np.array([cyclic_share(draw(), 0.95).p_value for _ in range(1_500)])
        for alpha in (0.01, 0.05, 0.2):
            assert np.mean(p < alpha) == pytest.approx(alpha, abs=4 * np.sqrt(alpha / 1_500))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: hodge_split([[0.5, 0.6], [0.4, 0.5]]), r"shape \(2, 2\)"),
        (lambda: hodge_split(CIRCLE[:2]), r"shape \(2, 3\)"),
        (lambda: hodge_split(CIRCLE + 0.01), "do not add up to 1"),
        (lambda: hodge_split([[0.5, 1.1, 0.4], [-0.1, 0.5, 0.6], [0.6, 0.4, 0.5]]), "do not add up to 1"),
        (lambda: hodge_split(CIRCLE, "probit"), "scale is 'probit'"),
        (lambda: hodge_split(CIRCLE * np.nan), "not finite"),
        (lambda: cyclic_share(exactly(CIRCLE, 100), 95), "level is 95"),
        (lambda: three_cycles(exactly(CIRCLE, 100), 0), "level is 0"),
        (lambda: scores_from_games(np.eye(2, dtype=int), np.ones((2, 2), int), np.eye(2, dtype=int)), "2 items"),
        (lambda: scores_from_games(*[np.triu(np.ones((3, 3), int))] * 3), "items 0 and 1 have 0 games in a seat"),
        (lambda: scores_from_games(*[np.diag([5, 5, 5])] * 3, seat=False), "items 0 and 1 have 0 games; allowed"),
        (lambda: scores_from_batches(np.ones((3, 3)), [1, 1, 1]), r"sums has shape \(3, 3\)"),
        (lambda: scores_from_batches(np.ones((2, 2, 4)), [1, 1, 1, 1]), r"sums has shape \(2, 2, 4\)"),
        (lambda: scores_from_batches(np.full((3, 3, 4), 2), [1, 1, 1, 1]), "below 0 or above its count"),
        (lambda: scores_from_batches(np.ones((3, 3, 4)), [1, 0, 0, 0]), "above its count"),
        (lambda: scores_from_batches(np.zeros((3, 3, 4)), [1, 0, 0, 0]), "1 batches with units"),
    ],
)
def test_bad_input_stops_at_the_door(call, words):
    with pytest.raises(ValueError, match=words):
        call()
