"""Pairs that have met: what is known of them at every look, when they are done, and how their games part by seats."""

import numpy as np
import pytest
from scipy import stats as reference

from simkit import stats
from simkit.balance.matrix.meetings import Known, Meetings, further, is_done, known, looks, seats
from simkit.stats.ratings import davidson_beaver, fitted_chances

QUARTERS = np.arange(5)  # half points of a pair of games: lost both ... won both


def met(values, games=2):
    """Return pairs of which each unit gave so many half points; shape (pairs, units)."""
    points = np.asarray(values)
    pairs, units = points.shape
    batched = points.reshape(pairs, -1, 256).sum(axis=1)
    ahead = batched - games * (units // 256)  # won less lost
    sums = np.zeros((pairs, 256, 4), np.int64)
    sums[:, :, 0], sums[:, :, 1] = np.maximum(ahead, 0), np.maximum(-ahead, 0)
    blank = Meetings.none([(0, k + 1) for k in range(pairs)], games, 1)
    return blank.and_then(np.arange(pairs), units, sums)


def drawn(chances, shape, seed):
    return np.random.default_rng(seed).choice(QUARTERS, shape, p=chances)


def test_scores_count_a_draw_as_half():
    pairs = Meetings.none([(0, 1), (0, 2)], 2, 1)
    sums = np.zeros((1, 256, 4), np.int64)
    sums[0, :, :] = [1, 0, 1, 1]  # of two games one is won, and one is drawn at the limit
    once = pairs.and_then(np.array([1]), 256, sums)
    assert once.units.tolist() == [0, 256]
    assert pairs.units.tolist() == [0, 0]
    twice = once.and_then(np.array([0, 1]), 256, np.concatenate([sums, sums])).only(np.array([1]))
    assert twice.units.tolist() == [512]
    assert twice.score.tolist() == [0.75]
    assert twice.shares(twice.capped).tolist() == [0.5]
    assert twice.edges.sum() == 512


# chances of 0, 1, 2, 3 and 4 half points: one that never varies much, shared luck, and a lopsided one
PLANTED = {
    "even": [0.05, 0.2, 0.5, 0.2, 0.05],
    "wild": [0.45, 0.03, 0.04, 0.03, 0.45],
    "lopsided": [0.0, 0.004, 0.026, 0.12, 0.85],
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", PLANTED)
def test_a_sequence_holds_at_every_look(name):
    chances, tries = PLANTED[name], 60
    truth = float(QUARTERS @ chances) / 4
    values = drawn(chances, (tries, 8_192), 1)
    wrong = np.zeros(tries, bool)
    narrower = []
    for n in (256, 1024, 8192):
        for k in range(tries):
            found = known(met(values[k : k + 1, :n]), 0.8)
            wrong[k] |= not found.low[0] <= truth <= found.high[0]
            narrower.append(found.half[0] * np.sqrt(n))
    assert wrong.sum() <= reference.binom.ppf(0.9999, tries, 0.2)
    spread = float(np.sqrt(QUARTERS**2 @ chances / 16 - truth**2))
    assert np.mean(narrower[-tries:]) < 4.2 * spread  # little more than twice a fixed interval of that level


def test_what_never_varies_is_not_known_for_sure():
    sums = np.zeros((3, 256, 4), np.int64)
    sums[:, :, 0], sums[:, :, 1] = [[20], [10], [0]], [[0], [10], [20]]  # won both, one each, and lost both
    always = known(Meetings.none([(0, 1), (0, 2), (0, 3)], 2, 1).and_then(np.arange(3), 2_560, sums), 0.99)
    assert always.score.tolist() == [1.0, 0.5, 0.0]
    assert always.exact.all()
    assert always.low[0] < 1.0 == always.high[0]
    assert always.low[1] < 0.5 < always.high[1]
    assert always.low[2] == 0.0 < always.high[2]
    assert always.words(0.01) == ["first", "undecided", "second"]


def test_what_nobody_wins_is_even_soon():
    """Next to all games are drawn: that few are won bounds the score better than the score itself does."""
    values = np.full((1, 2_560), 2)
    values[0, :3] = [4, 0, 3]
    found = known(met(values), 0.99)
    assert found.half[0] < 0.006
    assert found.words(0.01) == ["fair"]


def test_pairs_hold_together():
    values = drawn(PLANTED["even"], (1, 2_560), 3)
    alone, among = known(met(values), 0.99), known(met(np.repeat(values, 50, axis=0)), 0.99)
    assert among.low[0] < alone.low[0] < alone.high[0] < among.high[0]


def bounds(score, low, high):
    parts = (np.array(part, float) for part in (score, low, high))
    return Known(*parts, np.zeros(len(score), bool))


def test_words_and_when_pairs_are_done():
    found = bounds([0.52, 0.5, 0.5, 0.47, 0.503], [0.501, 0.492, 0.47, 0.45, 0.5005], [0.54, 0.509, 0.53, 0.499, 0.506])
    assert found.words(0.01) == ["first", "fair", "undecided", "second", "first"]
    assert is_done(found, 0.01, None).tolist() == [True, True, False, True, True]
    assert is_done(found, 0.01, 0.01).tolist() == [False, True, False, False, True]


def test_how_many_games_more():
    pairs = Meetings.none([(0, 1), (0, 2), (0, 3), (0, 4)], 2, 1)
    pairs = pairs.and_then(np.arange(4), 25_600, np.zeros((4, 256, 4), np.int64))
    found = bounds([0.5, 0.505, 0.51, 0.6], [0.48, 0.485, 0.49, 0.58], [0.52, 0.525, 0.53, 0.62])
    more = further(pairs, found, 0.01).tolist()
    # twice as narrow for what is in the middle of the band or at its edge, four times as narrow between them
    assert more[:3] == [2 * 3 * 25_600, 2 * 15 * 25_600, 2 * 3 * 25_600]
    assert more[3] == 0


def test_looks_are_whole_batches():
    found = looks(100_000)
    assert all(look % 256 == 0 for look in found)
    assert found[0] == 256 and found[-1] == 100_096
    assert found[:-1] == looks(200_000)[: len(found) - 1]


# Seats


@pytest.mark.parametrize("games", [1, 7, 256])
def test_games_part_by_seats_with_the_same_sums(games):
    dice = np.random.default_rng(games)
    chances = dice.dirichlet([2, 1, 1], (500, 2))
    mine, theirs = (np.array([dice.multinomial(games, row) for row in chances[:, k]]).T for k in (0, 1))
    won, lost, first = mine[0] + theirs[2], mine[2] + theirs[0], mine[0] + theirs[0]
    found = seats(won, lost, first, np.full(500, games))
    assert (found >= 0).all()
    assert (found.sum(axis=1) == games).all()
    assert (found[0, 0] + found[1, 2] == won).all()
    assert (found[0, 2] + found[1, 0] == lost).all()
    assert (found[0, 0] + found[1, 0] == first).all()


def test_ratings_do_not_ask_who_won_from_where():
    wins = np.array([[0, 60, 70], [40, 0, 55], [35, 45, 0]])
    draws = np.array([[0, 10, 10], [12, 0, 8], [9, 11, 0]])
    losses = 100 * (1 - np.eye(3, dtype=int)) - wins - draws
    upper = np.triu_indices(3, 1)
    won, lost = (wins + losses.T)[upper], (losses + wins.T)[upper]
    first = (wins + wins.T)[upper]
    parted = seats(won, lost, first, np.full(3, 100))
    again = np.zeros((3, 3, 3), int)
    again[:, *upper], again[:, upper[1], upper[0]] = parted[0], parted[1]
    assert (again != np.stack([wins, draws, losses])).any()
    fit, other = davidson_beaver(wins, draws, losses), davidson_beaver(*again)
    assert other.rating == pytest.approx(fit.rating, abs=1e-9)
    assert other.seat == pytest.approx(fit.seat, abs=1e-9)
    assert fitted_chances(other) == pytest.approx(fitted_chances(fit), abs=1e-9)


def test_counts_that_fit_no_games():
    with pytest.raises(ValueError, match="fit no games"):
        seats(np.array(3), np.array(3), np.array(7), np.array(3))


def resolved(seed):
    """Let sixteen sides on a line meet until all pairs are resolved; return words, scores in truth, and the pairs."""
    dice = np.random.default_rng(seed)
    strength = np.sort(dice.normal(0.0, 0.15, 16))[::-1]
    upper = np.array(np.triu_indices(16, 1)).T
    truth = 1.0 / (1.0 + np.exp(strength[upper[:, 1]] - strength[upper[:, 0]]))
    pairs, rows, before = Meetings.none([tuple(pair) for pair in upper.tolist()], 2, 1), np.arange(120), 0
    for units in looks(200_000):
        each = (units - before) // 256
        sums = np.zeros((len(rows), 256, 4), np.int64)
        sums[:, :, 0] = dice.binomial(2 * each, truth[rows, np.newaxis], (len(rows), 256))
        sums[:, :, 1] = 2 * each - sums[:, :, 0]
        pairs = pairs.and_then(rows, units - before, sums)
        found = known(pairs, 0.99)
        rows, before = np.flatnonzero(~is_done(found, 0.01, None) & (pairs.units == units)), units
        if not rows.size:
            break
    return found.words(0.01), truth, pairs


def are_right(words, truth):
    right = {"first": truth > 0.5, "second": truth < 0.5, "fair": np.abs(truth - 0.5) < 0.01}
    return all(right[word][k] for k, word in enumerate(words))


def test_dropping_what_is_resolved_saves_most_games():
    words, truth, pairs = resolved(7)
    assert "undecided" not in words and are_right(words, truth)
    assert len(words) * pairs.units.max() > 5 * pairs.units.sum()


@pytest.mark.thorough
def test_a_wrong_word_is_as_rare_as_was_promised():
    """At 99 % for all 120 pairs together not one word in fifty tries should be wrong more than a few times."""
    wrong = sum(not are_right(*resolved(seed)[:2]) for seed in range(100, 150))
    assert wrong <= reference.binom.ppf(0.9999, 50, 0.01)


def test_exact_sequences_take_half_a_point_for_half_a_unit():
    values = drawn(PLANTED["even"], (1, 256), 5)
    found = known(met(values), 0.99)
    total = int(values.sum())
    low = stats.beta_binomial(total // 4, 256, 0.9975)[0]
    high = stats.beta_binomial(-(-total // 4), 256, 0.9975)[1]
    assert found.exact[0] or found.half[0] < float(high - low) / 2
    assert found.low[0] >= float(low) and found.high[0] <= float(high)
