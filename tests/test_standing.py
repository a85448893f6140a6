"""How sides stand: ratings, equilibria, layers and circles, from planted scores."""

import numpy as np
import pytest

from simkit.balance.equilibrium import tiers
from simkit.balance.matrix import standing
from simkit.balance.matrix.meetings import Known, Meetings
from simkit.stats.cycles import circles
from simkit.stats.ratings import ELO

ROCK = np.array([[0.5, 0.8, 0.2], [0.2, 0.5, 0.8], [0.8, 0.2, 0.5]])
FOUR = np.array([[0.5, 0.7, 0.45, 0.52], [0.3, 0.5, 0.6, 0.48], [0.55, 0.4, 0.5, 0.51], [0.48, 0.52, 0.49, 0.5]])


def table(scores, half=0.0):
    """Return what is known of all pairs, each to so much."""
    scores = np.asarray(scores)
    upper = np.array(np.triu_indices(len(scores), 1)).T
    own = scores[upper[:, 0], upper[:, 1]]
    found = Known(own, np.maximum(own - half, 0.0), np.minimum(own + half, 1.0), np.zeros(len(own), bool))
    return standing.table_of(upper, found, len(scores))


def played(chances, units, seed, seat=0.0):
    """Let sides meet in pairs of games: chances of the row's side to win, better by `seat` in the first seat."""
    dice = np.random.default_rng(seed)
    upper = np.array(np.triu_indices(len(chances), 1)).T
    sums = np.zeros((len(upper), 256, 4), np.int64)
    each = units // 256
    for k, (i, j) in enumerate(upper):
        here = dice.binomial(each, chances[i, j] + seat, 256)  # wins in the first seat
        there = dice.binomial(each, chances[i, j] - seat, 256)
        sums[k, :, 0], sums[k, :, 1] = here + there, 2 * each - here - there
        sums[k, :, 3] = here + each - there
    blank = Meetings.none([tuple(pair) for pair in upper.tolist()], 2, 1)
    return blank.and_then(np.arange(len(upper)), units, sums)


def test_a_table_is_told_from_both_sides():
    found = table(FOUR, 0.03)
    assert found.score == pytest.approx(FOUR)
    assert found.low + found.high.T == pytest.approx(np.ones((4, 4)))
    assert found.beats.tolist() == [
        [False, True, False, False],
        [False, False, True, False],
        [True, False, False, False],
        [False, False, False, False],
    ]


def test_what_players_pick_of_known_scores():
    found = standing.choice_of(table(FOUR), 1e-7)
    assert found.share == pytest.approx([2 / 7, 1 / 7, 4 / 7, 0], abs=1e-3)
    assert found.regret == pytest.approx([0, 0, 0, 0.00857 / 2 * 2], abs=2e-4)
    assert found.least == pytest.approx(found.most, abs=1e-3)


def test_what_players_pick_is_uncertain_where_scores_are():
    exact = standing.choice_of(table(FOUR), 1e-7)
    for seed in range(5):
        error = np.random.default_rng(seed).uniform(-0.02, 0.02, (4, 4))
        seen = FOUR + np.triu(error, 1) - np.triu(error, 1).T
        found = standing.choice_of(table(seen, 0.02), 1e-4)
        assert (found.least <= exact.share + 1e-9).all() and (exact.share <= found.most + 1e-9).all()
        truth = np.maximum(0.5 - FOUR @ found.share, 0.0)  # who gains loses nothing
        assert (found.regret_low <= truth + 1e-9).all() and (truth <= found.regret_high + 1e-9).all()
        assert (found.least <= found.share).all() and (found.share <= found.most).all()


def test_circles_are_known_ones_alone():
    found = standing.circles_of(table(ROCK, 0.1), None, 0.99)
    assert found.found == ((0, 1, 2),)
    assert (found.undecided, found.share) == (0, None)
    assert standing.circles_of(table(ROCK, 0.31), None, 0.99).undecided == 1
    two = np.full((6, 6), 0.5)
    two[:3, :3], two[3:, 3:] = ROCK, 0.5 + (ROCK - 0.5) / 2
    two[:3, 3:], two[3:, :3] = 0.9, 0.1
    assert standing.circles_of(table(two, 0.05), None, 0.99).found == ((0, 1, 2), (3, 4, 5))


def test_two_circles_and_a_loser_are_three_layers():
    seven = np.full((7, 7), 0.5)
    seven[:3, :3], seven[3:6, 3:6] = ROCK, ROCK
    seven[:3, 3:], seven[3:, :3] = 0.9, 0.1
    seven[3:6, 6], seven[6, 3:6] = 0.9, 0.1
    met = played(seven, 25_600, 1)
    own = table(seven)
    found = standing.layers_of(own, standing.pair_factor(met), met.pairs, 0.01)
    assert found.layer.tolist() == [1, 1, 1, 2, 2, 2, 3]
    assert found.first.tolist() == found.last.tolist() == found.layer.tolist()
    assert found.often.tolist() == [1.0] * 7
    around = standing.choice_of(own, 0.01).effective
    assert found.effective[0] - 0.01 < around < found.effective[1] + 0.01
    assert standing.choice_of(own, 0.001).effective == pytest.approx(3.0, abs=0.06)


def test_a_layer_that_hangs_on_luck_says_so():
    """The second is just good enough to be picked beside the first, and a little bad luck leaves it out."""
    near = np.array([[0.5, 0.58, 0.9], [0.42, 0.5, 0.9], [0.1, 0.1, 0.5]])
    met = played(near, 512, 2)
    found = standing.layers_of(table(near), standing.pair_factor(met), met.pairs, 0.01)
    assert found.first.tolist() == [1, 1, 2]
    assert found.last[1] == 2
    assert found.often[0] == 1.0 > found.often[1]


def test_ratings_and_the_seat_are_found_again():
    true = np.array([150.0, 50.0, -20.0, -180.0])
    lead = (true[:, np.newaxis] - true) / ELO
    chances = 1.0 / (1.0 + np.exp(-lead))
    missed = 0
    for seed in range(20):
        found = standing.ratings_of(played(chances, 2_560, seed), 4, 0.95)
        missed += bool(((true < found.low) | (true > found.high)).any())
        assert found.prior == 0.0
        assert found.seat.low < 0.0 < found.seat.high or abs(found.seat.estimate) < 8
    assert missed <= 5  # about one in twenty
    favoured = standing.ratings_of(played(np.full((3, 3), 0.5), 25_600, 1, seat=0.05), 3, 0.99)
    assert favoured.seat.low < 2 * ELO * np.log(0.55 / 0.45) / 2 < favoured.seat.high


def test_whoever_never_lost_is_rated_with_pseudo_games():
    chances = np.array([[0.5, 1.0, 1.0], [0.0, 0.5, 0.6], [0.0, 0.4, 0.5]])
    found = standing.ratings_of(played(chances, 2_560, 3), 3, 0.99)
    assert found.prior == standing.PRIOR
    assert np.isfinite(found.rating).all()
    assert found.rating.argmax() == 0


def test_means_are_those_of_all_others():
    met = played(FOUR, 25_600, 4)
    units = met.batch_units[0]
    points = met.points / 4
    found = standing.means_of(met.pairs, np.stack([points, units - points]), units, 4, 0.99)
    for mean, row in zip(found, FOUR, strict=True):
        assert mean.low < (row.sum() - 0.5) / 3 < mean.high
        assert mean.n == 25_600
    assert sum(mean.estimate for mean in found) == pytest.approx(2.0)


def test_the_cyclic_share_of_ratings_alone_is_nothing_but_noise():
    lead = np.subtract.outer([0.4, 0.1, -0.1, -0.4], [0.4, 0.1, -0.1, -0.4])
    straight = played(1.0 / (1.0 + np.exp(-lead)), 25_600, 5)
    found = standing.circles_of(table(FOUR), standing.pair_scores(straight, 4), 0.99).share
    assert found.low == 0.0 and found.high < 0.05
    turning = standing.circles_of(table(FOUR), standing.pair_scores(played(ROCK, 25_600, 6), 3), 0.99).share
    assert turning.low > 0.9


@pytest.mark.parametrize("spread", [0.3, 3.0])
def test_what_ratings_explain_is_not_called_unexplained(spread):
    """Also where some are next to sure to win, which is no circle."""
    lead = spread * np.subtract.outer([2.0, 0.5, -0.5, -2.0], [2.0, 0.5, -0.5, -2.0])
    met = played(1.0 / (1.0 + np.exp(-lead)), 25_600, 8)
    found = standing.unexplained(standing.pair_scores(met, 4), standing.ratings_of(met, 4, 0.99).fitted, 0.99)
    assert found.estimate < 0.002


def test_how_much_ratings_leave_unexplained():
    """A circle laid over a line: the share of squares is known, and the interval covers it."""
    line = np.subtract.outer([0.15, 0.0, -0.15], [0.15, 0.0, -0.15])
    truth = 0.5 + line + 0.5 * (ROCK - 0.5)
    expected = None
    missed = 0
    for seed in range(12):
        met = played(truth, 25_600, seed)
        found = standing.unexplained(standing.pair_scores(met, 3), standing.ratings_of(met, 3, 0.95).fitted, 0.95)
        if expected is None:
            many = played(truth, 2_560_000, 99)
            expected = standing.unexplained(
                standing.pair_scores(many, 3), standing.ratings_of(many, 3, 0.95).fitted, 0.95
            ).estimate
        missed += not found.low <= expected <= found.high
    assert 0.2 < expected < 0.4
    assert missed <= 3
    round_ = played(ROCK, 25_600, 3)
    whole = standing.unexplained(standing.pair_scores(round_, 3), standing.ratings_of(round_, 3, 0.99).fitted, 0.99)
    assert whole.estimate > 0.99


def test_no_share_where_nothing_varies():
    flat = Meetings.none([(0, 1), (0, 2), (1, 2)], 2, 1)
    flat = flat.and_then(np.arange(3), 512, np.zeros((3, 256, 4), np.int64))
    scores = standing.pair_scores(flat, 3)
    assert standing.circles_of(table(np.full((3, 3), 0.5)), scores, 0.99).share is None
    assert standing.unexplained(scores, np.full((3, 3), 0.5), 0.99) is None


def test_where_everything_is_sure_nothing_breaks():
    sure = np.array([[0.5, 1.0, 1.0], [0.0, 0.5, 1.0], [0.0, 0.0, 0.5]])
    met = played(sure, 512, 1)
    found = standing.ratings_of(met, 3, 0.99)
    assert found.rating.tolist() == sorted(found.rating, reverse=True)
    own = table(sure)
    layers = standing.layers_of(own, standing.pair_factor(met), met.pairs, 0.01)
    assert layers.layer.tolist() == [1, 2, 3]
    assert standing.choice_of(own, 0.01).share[0] > 0.97
    assert standing.circles_of(own, standing.pair_scores(met, 3), 0.99).share is None
    assert standing.unexplained(standing.pair_scores(met, 3), found.fitted, 0.99).high < 0.001


# What the methods below learned for this


def test_a_wide_margin_lets_in_no_one_who_is_hardly_picked():
    line = np.array([[0.5, 0.9, 0.9], [0.1, 0.5, 0.9], [0.1, 0.1, 0.5]])
    assert tiers(line, 0.01, 0.001) == [[0, 1, 2]]
    assert tiers(line, 0.01, 0.1) == [[0], [1], [2]]
    for wrong in (0.0, 1.5):
        with pytest.raises(ValueError, match="allowed are shares above 0, up to 1"):
            tiers(line, 0.01, wrong)


def test_circles_of_what_is_known():
    beats = np.zeros((5, 5), bool)
    for one, other in ((0, 1), (1, 2), (2, 0), (3, 0), (3, 1), (3, 2)):
        beats[one, other] = True
    found, undecided, ruled_out = circles(beats)
    assert found == [(0, 1, 2)]
    assert ruled_out == 3  # the fourth beats both others of each three
    assert undecided == 10 - 1 - 3  # nobody knows anything of the fifth
    with pytest.raises(ValueError, match="items 0 and 1 beat each other"):
        circles(beats | beats.T)
    with pytest.raises(ValueError, match="allowed is bool"):
        circles([[0, 1], [0, 0]])
