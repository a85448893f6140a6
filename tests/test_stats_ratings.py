"""Ratings: known values, naive likelihoods, tables without a peak by linear programming, and coverage."""

import itertools

import numpy as np
import pytest
from scipy import optimize

from simkit.stats import score_of_elo
from simkit.stats.davidson import log_likelihood
from simkit.stats.ratings import (
    davidson_beaver,
    elo_of_rating,
    elo_of_score,
    fitted_chances,
    fitted_scores,
    lack_of_fit,
    rating_bands,
    rating_difference,
    rating_interval,
    seat_interval,
)

WINS = np.array([[0, 60, 70], [40, 0, 55], [35, 45, 0]])
DRAWS = np.array([[0, 10, 10], [12, 0, 8], [9, 11, 0]])
LOSSES = np.array([[0, 30, 20], [48, 0, 37], [56, 44, 0]])
TABLES = (WINS, DRAWS, LOSSES)
PLANTED = np.array([0.6, 0.1, -0.2, -0.5])


def chances(rating, seat, draw):
    """Chances cell by cell, as the model is written down."""
    size = len(rating)
    table = np.empty((size, size, 3))
    for i, j in itertools.product(range(size), repeat=2):
        tie = np.exp(draw + (seat + rating[i] + rating[j]) / 2)
        each = np.array([np.exp(seat + rating[i]), tie, np.exp(rating[j])])
        table[i, j] = each / each.sum()
    return table


def loss(place, tables):
    """Negative log-likelihood, cell by cell, without a diagonal."""
    table = chances(place[:-2], place[-2], place[-1])
    cells = itertools.permutations(range(len(table)), 2)
    return -sum(float(tables[k][i][j]) * np.log(table[i, j, k]) for i, j in cells for k in range(3))


def played(rng, table, games):
    """Return counts of games, shape ``(3, items, items)``, none on the diagonal."""
    counts = np.moveaxis(rng.multinomial(games, table), -1, 0)
    counts[:, range(len(table)), range(len(table))] = 0
    return counts


def peak_is_missing(tables):
    """Whether some direction never lowers the likelihood, by linear programming."""
    size, drawn = len(tables[0]), tables[1].any()
    better, rows = [], []
    for i, j in np.argwhere(tables.sum(axis=0) > 0):
        lead = np.zeros(size + 2)
        lead[i] += 1
        lead[j] -= 1
        lead[size] = 1
        tie = lead / 2 + np.eye(size + 2)[size + 1]
        outcomes = {0: lead, 1: tie, 2: 0 * lead} if drawn else {0: lead, 2: 0 * lead}
        for seen, other in itertools.permutations(outcomes, 2):
            rows.append(outcomes[seen] - outcomes[other])
            if tables[seen, i, j]:
                better.append(rows[-1])
    rows, better = np.array(rows), np.array(better)
    if np.linalg.matrix_rank(rows) < size + drawn:
        return True
    found = optimize.linprog(-better.sum(axis=0), A_ub=-better, b_ub=np.zeros(len(better)), bounds=(-1, 1))
    return found.fun < -1e-9


def test_known_values():
    fit = davidson_beaver(*TABLES)
    assert fit.rating == pytest.approx([0.4247, -0.0819, -0.3428], abs=5e-5)
    assert fit.seat == pytest.approx(0.27842, abs=5e-6)
    assert fit.draw == pytest.approx(-1.45852, abs=5e-6)
    assert -fit.log_likelihood == pytest.approx(545.6006, abs=5e-5)
    assert elo_of_rating(fit.rating) == pytest.approx([73.78, -14.22, -59.56], abs=5e-3)
    assert (fit.games, fit.df, fit.batches) == (600, 8, 0)


def test_half_draws_are_a_model_without_draws():
    # twice the counts, each draw one win and one loss, have the peak of the binomial model with half draws
    fit = davidson_beaver(2 * WINS + DRAWS, 0 * DRAWS, 2 * LOSSES + DRAWS)
    assert fit.rating[:2] == pytest.approx([0.37959, -0.07317], abs=5e-6)
    assert fit.seat == pytest.approx(0.24859, abs=5e-6)
    assert fit.draw == -np.inf
    assert (fit.factor[-1] == 0).all()
    assert (fitted_chances(fit)[..., 1] == 0).all()


@pytest.mark.parametrize(("score", "elo"), [(0.55, 34.860), (0.52, 13.905), (0.51, 6.950), (0.60, 70.437)])
def test_elo_of_a_score(score, elo):
    assert elo_of_score(score) == pytest.approx(elo, abs=5e-4)
    assert score_of_elo(elo_of_score(score)) == pytest.approx(score, rel=1e-12)
    assert elo_of_score([score, 1 - score]).sum() == pytest.approx(0, abs=1e-10)


def test_peak_and_errors_of_the_likelihood_written_cell_by_cell():
    fit = davidson_beaver(*TABLES)
    best = np.r_[fit.rating, fit.seat, fit.draw]
    assert loss(best, TABLES) == pytest.approx(-fit.log_likelihood, rel=1e-12)
    found = optimize.minimize(loss, np.zeros(5), (TABLES,), method="BFGS")
    assert np.r_[found.x[:3] - found.x[:3].mean(), found.x[3:]] == pytest.approx(best, abs=1e-5)
    step, unit = 1e-3, 1e-3 * np.eye(5)
    curve = np.array([[sum(a * b * loss(best + a * unit[i] + b * unit[j], TABLES) for a in (1, -1) for b in (1, -1))
                       for j in range(5)] for i in range(5)]) / (4 * step**2)  # fmt: skip
    assert fit.factor @ fit.factor.T == pytest.approx(np.linalg.pinv(curve, rcond=1e-6), abs=1e-6)
    table = fitted_chances(fit)
    assert table == pytest.approx(chances(fit.rating, fit.seat, fit.draw), rel=1e-12)
    scores = fitted_scores(fit)
    assert scores + scores.T == pytest.approx(np.ones((3, 3)), abs=1e-14)
    assert scores[0, 1] == pytest.approx(((table[0, 1] - table[1, 0]) @ [1, 0.5, 0] + 1) / 2, rel=1e-12)


def test_planted_values_come_back():
    table = chances(PLANTED, 0.3, -0.7)
    counts = np.rint(np.moveaxis(table, -1, 0) * 1e12).astype(np.int64)
    fit = davidson_beaver(*counts)
    assert fit.rating == pytest.approx(PLANTED, abs=1e-10)
    assert (fit.seat, fit.draw) == pytest.approx((0.3, -0.7), abs=1e-10)
    assert fit.deviance < 0.01


def test_extreme_planted_values_come_back():
    rating = np.array([6.0, 3.0, -9.0])
    counts = np.rint(np.moveaxis(chances(rating, 2.0, 1.0), -1, 0) * 1e9).astype(np.int64)
    fit = davidson_beaver(*counts)
    assert fit.rating == pytest.approx(rating, rel=1e-3)
    assert (fit.seat, fit.draw) == pytest.approx((2.0, 1.0), rel=1e-3)


def test_renumbered_items_and_exchanged_seats():
    fit, order = davidson_beaver(*TABLES), [2, 0, 1]
    other = davidson_beaver(*(table[np.ix_(order, order)] for table in TABLES))
    assert other.rating == pytest.approx(fit.rating[order], abs=1e-9)
    assert (other.seat, other.draw) == pytest.approx((fit.seat, fit.draw), abs=1e-9)
    swapped = davidson_beaver(LOSSES.T, DRAWS.T, WINS.T)
    assert swapped.rating == pytest.approx(fit.rating, abs=1e-9)
    assert swapped.seat == pytest.approx(-fit.seat, abs=1e-9)


def test_without_a_seat_only_the_pairs_count():
    fit = davidson_beaver(*TABLES, seat=False)
    assert fit.seat == 0.0
    assert (np.array(seat_interval(fit, 0.95)) == 0.0).all()
    together = davidson_beaver(np.triu(WINS + LOSSES.T), np.triu(DRAWS + DRAWS.T), np.triu(LOSSES + WINS.T), seat=False)
    assert together.rating == pytest.approx(fit.rating, abs=1e-9)
    assert together.df == 6 - 3


def test_games_of_an_item_against_itself_tell_of_the_seat():
    mirror = np.eye(3, dtype=int)
    fit, without = davidson_beaver(WINS + 700 * mirror, DRAWS, LOSSES + 300 * mirror), davidson_beaver(*TABLES)
    assert without.seat < 0.3 < fit.seat < np.log(7 / 3)
    assert np.subtract(*seat_interval(fit, 0.95)) > 0.5 * np.subtract(*seat_interval(without, 0.95))
    assert fit.df == without.df + 2 * 3


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([[0, 3, 2], [0, 0, 4], [0, 2, 0]], r"items \[0\] lost no point to the others"),
        ([[0, 3, 2], [4, 0, 4], [0, 0, 0]], r"items \[2\] took no point from the others"),
        ([[0, 3, 0], [4, 0, 0], [0, 0, 0]], r"items \[2\] never met the others"),
        ([[0, 3, 2], [4, 0, 2], [2, 3, 0]], "do not bound the seat advantage"),
    ],
)
def test_counts_that_bound_nothing_are_refused_and_a_prior_helps(points, words):
    none = np.zeros((3, 3), int)
    with pytest.raises(ValueError, match=words):
        davidson_beaver(points, none, none)
    fit = davidson_beaver(points, none, none, prior=0.5)
    assert np.isfinite(fit.rating).all()
    assert np.isfinite(fit.factor).all()


def test_one_seat_order_alone_cannot_tell_the_seat_from_the_items():
    with pytest.raises(ValueError, match="item 0 and the rating of item 1 and the seat advantage"):
        davidson_beaver([[0, 30], [0, 0]], [[0, 5], [0, 0]], [[0, 20], [0, 0]])
    fit = davidson_beaver([[0, 30], [0, 0]], [[0, 5], [0, 0]], [[0, 20], [0, 0]], seat=False)
    assert fit.rating[0] - fit.rating[1] == pytest.approx(np.log(30 / 20), rel=1e-9)
    assert fit.df == 0
    assert lack_of_fit(fit).p_value == 1.0


def test_only_draws_bound_nothing():
    with pytest.raises(ValueError, match="do not bound"):
        davidson_beaver(0 * WINS, DRAWS, 0 * WINS)
    fit = davidson_beaver(0 * WINS, 10**6 * DRAWS, 0 * WINS, prior=0.01)
    assert fit.rating == pytest.approx([0, 0, 0], abs=1e-6)
    assert fit.draw > 10


def test_refused_exactly_where_linear_programming_finds_no_peak():
    rng = np.random.default_rng(11)
    missing = []
    for _ in range(50):
        size = rng.integers(2, 5)
        counts = rng.binomial(2, rng.choice([0.15, 0.3]), (3, size, size))
        counts[:, range(size), range(size)] = 0
        if not counts.any():
            continue
        missing.append(peak_is_missing(counts))
        if missing[-1]:
            with pytest.raises(ValueError, match=r"a prior above 0|a larger prior"):
                davidson_beaver(*counts)
        else:
            fit = davidson_beaver(*counts)
            best = np.r_[fit.rating, fit.seat, fit.draw]
            near = best + 0.01 * rng.normal(size=(5, size + 2))
            assert max(log_likelihood(counts, place) for place in near) < fit.log_likelihood
    assert 12 < sum(missing) < len(missing) - 12


def test_prior_shrinks_and_fades():
    fits = [davidson_beaver(*TABLES, prior=prior) for prior in (0, 0.01, 1, 10, 1000)]
    spread = [np.abs(fit.rating).max() for fit in fits]
    assert (np.diff(spread) < 0).all()
    assert spread[0] - spread[1] < 1e-4
    assert [fit.games for fit in fits] == [600] * 5
    assert all(fit.log_likelihood < fits[0].log_likelihood for fit in fits[1:])
    # the pseudo-games are what the words say: drawn as often as the games, 60 of 600, else won by either side
    share = 0.1
    each = np.array([(1 - share) / 2, share, (1 - share) / 2])[:, None, None] * (1 - np.eye(3))
    exact = np.rint(1e8 * (np.stack(TABLES) + each)).astype(np.int64)
    assert fits[2].rating == pytest.approx(davidson_beaver(*exact).rating, abs=1e-8)


def in_batches(rng, counts, batches):
    """Deal counts out to batches of nearly equal size."""
    dealt = np.zeros((*counts.shape, batches), int)
    for place in np.ndindex(*counts.shape):
        dealt[place] = rng.multinomial(counts[place], np.full(batches, 1 / batches))
    return dealt


def test_batches_of_independent_games_agree_with_the_information():
    rng = np.random.default_rng(3)
    counts = 20 * np.stack(TABLES)
    plain, dealt = davidson_beaver(*counts), davidson_beaver(*in_batches(rng, counts, 256))
    assert dealt.rating == pytest.approx(plain.rating, abs=1e-12)
    assert (dealt.batches, dealt.deviance) == (256, plain.deviance)
    widths = [np.subtract(*rating_interval(fit, 0.95)) for fit in (plain, dealt)]
    assert widths[1] == pytest.approx(widths[0], rel=0.15)


def test_batches_see_games_that_are_copies():
    rng = np.random.default_rng(5)
    once = in_batches(rng, np.stack(TABLES), 64)
    fit, copied = davidson_beaver(*once), davidson_beaver(*(9 * once))
    assert copied.factor == pytest.approx(fit.factor, abs=1e-9)
    naive, plain = davidson_beaver(*(9 * np.stack(TABLES))), davidson_beaver(*TABLES)
    assert naive.factor @ naive.factor.T == pytest.approx(plain.factor @ plain.factor.T / 9, abs=1e-10)


def test_batch_errors_are_those_of_refits_without_one_batch():
    rng = np.random.default_rng(6)
    once = in_batches(rng, 10 * np.stack(TABLES), 40)
    fit = davidson_beaver(*once)
    left = [davidson_beaver(*np.delete(once, b, axis=-1).sum(axis=-1)) for b in range(40)]
    places = np.array([[*other.rating, other.seat, other.draw] for other in left])
    jackknife = 39 / 40 * ((places - places.mean(axis=0)) ** 2).sum(axis=0)
    assert (fit.factor**2).sum(axis=1) == pytest.approx(jackknife, rel=0.1)


def test_batch_errors_by_hand():
    # two items, no seat, no draws: the difference of the ratings is the log odds
    won, lost = np.array([7, 5, 8, 4]), np.array([3, 5, 4, 6])
    none, wins, losses = np.zeros((2, 2, 4), int), np.zeros((2, 2, 4), int), np.zeros((2, 2, 4), int)
    wins[0, 1], losses[0, 1] = won, lost
    fit = davidson_beaver(wins, none, losses, seat=False)
    p = 24 / 42
    assert fit.rating[0] - fit.rating[1] == pytest.approx(np.log(24 / 18), rel=1e-9)
    error = np.sqrt(4 / 3 * ((won - p * (won + lost)) ** 2).sum()) / (42 * p * (1 - p))
    low, high = rating_difference(fit, 0, 1, 0.95)
    assert (high - low) / 2 == pytest.approx(3.182446 * error, rel=1e-6)  # t with 3 degrees of freedom
    bands = rating_bands(fit, 0.95)
    # both ratings are half the difference
    assert bands.high - bands.low == pytest.approx([(high - low) / 2] * 2, rel=0.06)
    # a prior pulls on the whole, not on how far the batches lie apart
    pulled = davidson_beaver(wins, none, losses, seat=False, prior=5.0)
    assert pulled.factor.sum(axis=1) == pytest.approx([0] * 4, abs=1e-12)


def test_empty_batches_are_no_batches():
    rng = np.random.default_rng(7)
    once = in_batches(rng, np.stack(TABLES), 8)
    padded = np.concatenate([once, np.zeros((3, 3, 3, 5), int)], axis=-1)
    for call in (lambda fit: rating_interval(fit, 0.9), lambda fit: rating_bands(fit, 0.9).low):
        assert np.array(call(davidson_beaver(*padded))) == pytest.approx(np.array(call(davidson_beaver(*once))))


def test_differences_and_bands():
    fit = davidson_beaver(*TABLES)
    low, high = rating_difference(fit, [0, 0, 1], [0, 1, 2], 0.95)
    assert low[0] == high[0] == 0.0
    mirrored = rating_difference(fit, 1, 0, 0.95)
    assert (low[1], high[1]) == pytest.approx((-mirrored[1], -mirrored[0]))
    bands = rating_bands(fit, 0.95)
    alone = rating_interval(fit, 0.95)
    assert ((bands.low < alone[0]) & (bands.high > alone[1]) & bands.varied).all()
    assert bands.critical.method == "max-t"
    two = rating_bands(davidson_beaver([[0, 6], [0, 0]], [[0, 0], [0, 0]], [[0, 4], [0, 0]], seat=False), 0.95)
    assert two.critical.value == pytest.approx(1.96, abs=0.05)
    assert two.low == pytest.approx(-two.high[::-1])


def test_lack_of_fit_sees_a_circle_and_nothing_else():
    rng = np.random.default_rng(9)
    table = chances(PLANTED, 0.3, -0.7)
    found = [lack_of_fit(davidson_beaver(*played(rng, table, 200))) for _ in range(40)]
    assert found[0].df == 2 * 12 - 5
    assert np.mean([one.statistic for one in found]) == pytest.approx(19, abs=3)
    assert sum(one.p_value < 0.1 for one in found) < 11
    circle = np.array([[0, 60, 40], [40, 0, 60], [60, 40, 0]])
    fit = davidson_beaver(circle, 0 * circle, (100 - circle) * (circle > 0))
    assert fit.rating == pytest.approx([0, 0, 0], abs=1e-9)
    assert lack_of_fit(fit).p_value < 1e-4
    with pytest.raises(ValueError, match="from 8 batches"):
        lack_of_fit(davidson_beaver(*in_batches(rng, np.stack(TABLES), 8)))


def sharing(rng, table, games, batches):
    """Return counts in batches whose games use the same dice in every cell: shape ``(3, items, items, batches)``."""
    dice = rng.random((batches, games // batches))
    below = np.cumsum(table, axis=-1)[..., :2, np.newaxis, np.newaxis]
    reached = (dice < below).sum(axis=-1)
    counts = np.stack([reached[:, :, 0], reached[:, :, 1] - reached[:, :, 0], games // batches - reached[:, :, 1]])
    counts[:, range(len(table)), range(len(table))] = 0
    return counts


def copied(rng, table, games, batches):
    """Return counts in batches in which each game stands three times."""
    return 3 * np.stack([played(rng, table, games // batches) for _ in range(batches)], axis=-1)


def covered(draw, runs, level):
    """How often intervals hold: of a rating, of a difference, of the seat, of all ratings together."""
    hits = np.zeros(4)
    for _ in range(runs):
        fit = davidson_beaver(*draw())
        bands = rating_bands(fit, level, draws=1_000)
        low, high = rating_interval(fit, level)
        apart, seat = rating_difference(fit, 0, 3, level), seat_interval(fit, level)
        hits += [
            low[0] <= PLANTED[0] <= high[0],
            apart[0] <= PLANTED[0] - PLANTED[3] <= apart[1],
            seat[0] <= 0.3 <= seat[1],
            ((bands.low <= PLANTED) & (bands.high >= PLANTED)).all(),
        ]
    return hits / runs


def test_intervals_cover():
    rng, table = np.random.default_rng(12), chances(PLANTED, 0.3, -0.7)
    assert covered(lambda: played(rng, table, 60), 60, 0.9) == pytest.approx([0.9] * 4, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("dealt", [None, copied, sharing])
def test_intervals_cover_closely(dealt):
    rng, table = np.random.default_rng(13), chances(PLANTED, 0.3, -0.7)
    draw = (lambda: dealt(rng, table, 320, 32)) if dealt else (lambda: played(rng, table, 60))
    assert covered(draw, 1_200, 0.95) == pytest.approx([0.95] * 4, abs=0.02)


@pytest.mark.slow
def test_information_does_not_cover_where_dice_are_shared():
    # the luck of the first seats moves together and adds up in the seat's advantage
    rng, table = np.random.default_rng(14), chances(PLANTED, 0.3, -0.7)
    found = covered(lambda: sharing(rng, table, 320, 32).sum(axis=-1), 400, 0.95)
    assert found[2] < 0.75


@pytest.mark.slow
def test_other_program_fits_the_same():
    # a multinomial logit is a Poisson regression with one free total a cell
    from statsmodels.api import GLM, families

    rows, seen = [], []
    for cell, (i, j) in enumerate(itertools.permutations(range(3), 2)):
        for k, weight in enumerate((1.0, 0.5, 0.0)):
            unit = np.zeros(3 + 2 + 6)
            unit[i] += weight
            unit[j] += 1 - weight
            unit[3], unit[4], unit[5 + cell] = weight, k == 1, 1
            rows.append(np.r_[unit[:2] - unit[2], unit[3:]])  # the last rating is minus the sum of the others
            seen.append(TABLES[k][i, j])
    other = GLM(np.array(seen), np.array(rows), family=families.Poisson()).fit(tol=1e-12)
    fit = davidson_beaver(*TABLES)
    assert other.params[:4] == pytest.approx([*fit.rating[:2], fit.seat, fit.draw], abs=1e-8)
    error = np.sqrt((fit.factor**2).sum(axis=1))
    assert other.bse[:4] == pytest.approx(error[[0, 1, 3, 4]], rel=1e-6)
    assert other.deviance == pytest.approx(fit.deviance, rel=1e-8)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: davidson_beaver([[0, 1]], [[0, 0]], [[0, 1]]), r"shapes \(1, 2\)"),
        (lambda: davidson_beaver([[1]], [[0]], [[1]]), r"shapes \(1, 1\)"),
        (lambda: davidson_beaver(WINS, DRAWS[:2, :2], LOSSES), r"\(3, 3\), \(2, 2\), \(3, 3\)"),
        (lambda: davidson_beaver(WINS, DRAWS / 2, LOSSES), "draws has type float64"),
        (lambda: davidson_beaver(-WINS, DRAWS, LOSSES), "wins holds -70"),
        (lambda: davidson_beaver(0 * WINS, 0 * WINS, 0 * WINS), "hold no games"),
        (lambda: davidson_beaver(*(table[..., None] for table in TABLES)), "1 batches hold games"),
        (lambda: davidson_beaver(*TABLES, prior=-1), "prior is -1"),
        (lambda: davidson_beaver(*TABLES, prior=0.001), "prior is 0.001"),
        (lambda: davidson_beaver(*TABLES, prior=float("nan")), "prior is nan"),
        (lambda: rating_interval(davidson_beaver(*TABLES), 95), "level is 95"),
        (lambda: rating_difference(davidson_beaver(*TABLES), 0, 3, 0.95), "second hold 3"),
        (lambda: rating_difference(davidson_beaver(*TABLES), -1, 0, 0.95), "first holds -1"),
        (lambda: elo_of_score([0.5, 1.0]), "score holds a value"),
        (lambda: elo_of_rating(float("inf")), "not finite"),
    ],
)
def test_bad_input_stops_at_the_door(call, words):
    with pytest.raises(ValueError, match=words):
        call()
