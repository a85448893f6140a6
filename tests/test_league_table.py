"""Fixtures, tables, ties and divisions of a league, against a reading in plain Python and tables made by hand."""

import itertools
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from simkit.balance.league import exact, figures
from simkit.balance.league.divisions import Ladder
from simkit.balance.league.fixtures import Match, fixtures
from simkit.balance.league.lots import GAMES, TIES, below, lots
from simkit.balance.league.matches import Results
from simkit.balance.league.sources import Stock, drawn, played
from simkit.balance.league.table import places_of, sheet_of
from simkit.balance.league.tally import Way, count
from tests.league_toys import places, solved, standing

CASES = json.loads((Path(__file__).parent / "cases" / "league.json").read_text(encoding="utf-8"))["cases"]
DEFAULT = ("direct", "difference", "roll")
OTHER = ("difference", "direct", "roll")


def test_fixtures_of_every_kind():
    """J-ARM-3, J-LEA-1, J-LEA-2: everybody meets everybody, and who is at home."""
    for size in (2, 3, 5, 32):
        double = fixtures(size, "double")
        assert sorted((m.home, m.away) for m in double) == sorted(itertools.permutations(range(size), 2))
        single = fixtures(size, "single")
        assert sorted(sorted((m.home, m.away)) for m in single) == [
            list(pair) for pair in itertools.combinations(range(size), 2)
        ]
        assert all((min(m.home, m.away) == m.home) == bool((m.home + m.away) % 2) for m in single)
    assert fixtures(4, 1) == fixtures(4, "double")
    thrice = fixtures(4, 3)
    assert len(thrice) == 36 and {m.leg for m in thrice} == {0, 1, 2}


def test_every_match_of_every_season_has_dice_of_its_own():
    """J-LEA-6: dice by season and match, the same whoever else takes part and however many rounds there are."""
    numbers = [match.number for match in fixtures(32, 8)]
    assert len(set(numbers)) == len(numbers) and max(numbers) < 2**13
    assert {m.number for m in fixtures(4, "single")} <= {m.number for m in fixtures(5, "double")}
    assert {m.first_unit for m in fixtures(5, "double")} <= {m.first_unit for m in fixtures(5, 2)}
    assert all(match.first_unit % 256 == 0 for match in fixtures(3, 2))


def season(size, rows, tie_break=DEFAULT, roll=None, points=(3, 1, 0), begin=None):
    """Return the places of one season from rows (home, away, result, difference)."""
    matches = [
        Match(home, away, sum(r[:2] == (home, away) for r in rows[:k])) for k, (home, away, *_) in enumerate(rows)
    ]
    results = np.array([[result for _, _, result, _ in rows]])
    gaps = np.array([[gap for *_, gap in rows]])
    sheet = sheet_of(matches, results, gaps, points, size)
    bits = None if roll is None else np.array([roll], np.uint64)
    before = None if begin is None else np.array([[sum(other < own for other in begin) for own in begin]])
    return places_of(sheet, tie_break, bits, before)


def test_points_and_nothing_else():
    """J-LEA-4: 3-1-0; 2-1-0 may say otherwise."""
    rows = [(0, 1, 2, 1), (0, 2, 0, -1), (3, 0, 2, 1), (1, 2, 1, 0), (1, 3, 1, 0), (2, 3, 1, 0)]
    assert season(4, rows).place.tolist() == [[2, 3, 0, 0]]  # 3, 2, 5, 5 points; the best drew, both are ahead by 1
    rows = [(0, 1, 2, 1), (2, 0, 2, 1), (1, 2, 2, 5)]
    assert sorted(season(3, rows, roll=[1, 2, 3]).place.tolist()[0]) == [0, 1, 2]


@pytest.mark.parametrize(
    ("rows", "direct", "gap", "by"),
    [
        # 0 and 1 have 3 points each, and 0 has beaten 1, which is far ahead by difference
        ([(0, 1, 2, 1), (2, 0, 2, 9), (1, 2, 2, 9)], None, None, None),
        ([(0, 1, 2, 1), (0, 2, 0, -5), (0, 3, 2, 1), (1, 2, 2, 9), (1, 3, 2, 9), (2, 3, 1, 0)], [0, 1], [1, 0], [1, 1]),
    ],
)
def test_direct_encounter_or_difference_first(rows, direct, gap, by):
    """J-LEA-5: the points among the tied come first, or else the difference over the season."""
    if direct is None:  # a circle: only the difference parts it
        found = season(3, rows)
        assert found.place.tolist() == [[2, 0, 1]] or found.place.tolist() == [[2, 1, 0]]
        assert (found.by == 2).all()
        return
    found = season(4, rows)
    assert found.place[0, :2].tolist() == direct and found.by[0, :2].tolist() == by
    other = season(4, rows, OTHER)
    assert other.place[0, :2].tolist() == gap


@pytest.mark.parametrize("tables", [300, pytest.param(4_000, marks=pytest.mark.thorough)])
def test_parts_that_are_split_begin_again_among_themselves(tables):
    """J-LEA-5: four with equal points; the direct points part 0 from the rest, of whom two are parted once more."""
    generator = np.random.default_rng(5)
    seen = 0
    for _ in range(tables):
        rows = [(home, away, int(generator.integers(3)), 0) for home, away in itertools.permutations(range(4), 2)]
        rows = [(home, away, result, (result - 1) * int(generator.integers(1, 3))) for home, away, result, _ in rows]
        worth = {2: (3, 0), 1: (1, 1), 0: (0, 3)}
        plain = [(home, away, *worth[result], gap) for home, away, result, gap in rows]
        for names in (DEFAULT, OTHER, ("direct", "roll"), ("difference", "roll"), ("roll",)):
            left = standing(4, plain, names)
            assert season(4, rows, names).place.tolist()[0] == places(left)
            roll = generator.permutation(4).tolist()
            assert season(4, rows, names, roll).place.tolist()[0] == places(standing(4, plain, names, roll))
        seen += max(map(len, standing(4, plain, ("roll",)))) > 2
    assert seen > tables // 80


def test_many_seasons_at_once_are_those_one_by_one():
    generator = np.random.default_rng(6)
    size, matches = 6, fixtures(6, 2)
    results = generator.integers(0, 3, (300, len(matches)))
    gaps = (results - 1) * generator.integers(1, 3, results.shape)
    bits = generator.integers(0, 2**63, (300, size)).astype(np.uint64)
    begin = np.array([0, 0, 0, 3, 3, 3])
    for before in (None, np.tile(begin, (300, 1))):
        found = places_of(sheet_of(matches, results, gaps, (2, 1, 0), size), DEFAULT, bits, before)
        assert (np.sort(found.place, axis=1) == np.arange(size)).all()
        worth = {2: (2, 0), 1: (1, 1), 0: (0, 2)}
        for k in range(300):
            plain = [(m.home, m.away, *worth[int(results[k, j])], int(gaps[k, j])) for j, m in enumerate(matches)]
            division = None if before is None else [0, 0, 0, 1, 1, 1]
            assert found.place[k].tolist() == places(standing(size, plain, DEFAULT, bits[k].tolist(), division))


def test_an_even_lot_is_even():
    """J-LEA-5: a D10 each until they differ is an even lot; 3 tied over 30,720 seasons, G-test, p < 1e-6 fails."""
    from simkit import stats

    size, seasons = 3, 30_720
    zero = np.zeros((seasons, size, size), np.int64)
    from simkit.balance.league.table import Sheet

    found = places_of(Sheet(zero, zero), DEFAULT, lots(9, TIES, 0, seasons, size))
    orders = found.place @ np.array([9, 3, 1])
    counts = np.unique(orders, return_counts=True)[1]
    assert len(counts) == 6 and (found.by == 3).all()
    assert stats.g_test(counts, [1 / 6] * 6).p_value > 1e-6


def test_lots_hang_on_their_address_alone():
    whole = lots(3, TIES, 0, 1024, 5)
    assert (lots(3, TIES, 512, 768, 5) == whole[512:768]).all()
    assert (lots(3, GAMES, 0, 1024, 5) != whole).any() and (lots(4, TIES, 0, 1024, 5) != whole).any()
    assert below(whole, 7).min() == 0 and below(whole, 7).max() == 6
    with pytest.raises(ValueError, match="multiples of 256"):
        lots(1, TIES, 0, 100, 2)


# In fractions


def odds_of(case):
    index = {team: k for k, team in enumerate(case["teams"])}
    return {
        (index[home], index[away]): tuple(Fraction(part) for part in chances)
        for home, row in case["odds"].items()
        for away, chances in row.items()
    }


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_leagues_that_can_be_written_down(case):
    """J-LEA-6, K10: title odds and mean points exactly."""
    size, odds = len(case["teams"]), odds_of(case)
    found = exact.solve(size, fixtures(size, case["rounds"]), odds, case["points"])
    for k, team in enumerate(case["teams"]):
        assert found.places[k][0] == Fraction(case["title"][team])
        assert float(found.places[k][-1]) == pytest.approx(case["last_decimal"][team], abs=1e-9)
        assert found.points[k] == Fraction(case["mean_points"][team])
    assert sum(found.settled) == 1 and found.any[0] == 1


def random_odds(size, seed, draws=True):
    generator = np.random.default_rng(seed)
    odds = {}
    for pair in itertools.permutations(range(size), 2):
        parts = [int(part) for part in generator.integers(1, 9, 3)]
        parts[1] *= draws
        odds[pair] = tuple(Fraction(part, sum(parts)) for part in parts)
    return odds


@pytest.mark.parametrize(
    ("size", "rounds", "points"), [(3, "double", (3, 1, 0)), (4, "single", (2, 1, 0)), (2, 3, (3, 1, 0))]
)
def test_fractions_are_those_of_a_plain_reading(size, rounds, points):
    odds, matches = random_odds(size, size), fixtures(size, rounds)
    found = exact.solve(size, matches, odds, points)
    chances, means = solved(size, [(m.home, m.away) for m in matches], odds, points, DEFAULT)
    assert found.places == chances and found.points == means
    assert all(sum(row) == 1 for row in found.places)
    assert all(sum(column) == 1 for column in zip(*found.places, strict=True))
    games = len(matches)
    assert sum(found.won) == sum(found.lost) and sum(found.won) + sum(found.drawn) / 2 == games
    mean, spread = means[0], found.variances[0]
    assert spread > 0 and mean == points[0] * found.won[0] + points[1] * found.drawn[0]


def test_four_entrants_twice_round_and_too_many():
    odds = random_odds(4, 1)
    found = exact.solve(4, fixtures(4, "double"), odds)
    assert found.tables == 6**6 and sum(row[0] for row in found.places) == 1
    with pytest.raises(exact.TooManyError, match="tables can come about"):
        exact.solve(4, fixtures(4, 2), odds)
    with pytest.raises(ValueError, match="add up to 1"):
        exact.solve(2, [Match(0, 1)], {(0, 1): (Fraction(1), Fraction(1), Fraction(0))})


# Played and drawn against fractions


def stock_of(odds, games, seed):
    """Return games of every pair with these odds: what a league of method "matrix" has played."""
    generator = np.random.default_rng(seed)
    pairs = sorted(odds)
    results = np.stack(
        [generator.choice(3, games, p=[float(odds[pair][2 - k]) for k in range(3)]) for pair in pairs], axis=1
    )
    none = np.zeros_like(results)
    return Stock(Results(results, none, none), {pair: k for k, pair in enumerate(pairs)})


def test_played_seasons_have_the_exact_odds():
    """J-LEA-6: 51,200 seasons of a toy; a title off by 1.1 points is found; binomial tail, p < 1e-6 fails."""
    from simkit import stats

    size, seasons, odds = 4, 51_200, random_odds(4, 2)
    matches = fixtures(size, "double")
    right = exact.solve(size, matches, odds, tie_break=("direct", "roll"))
    stock = stock_of({(k,): odds[m.home, m.away] for k, m in enumerate(matches)}, seasons, 3)
    counted = count([Way(matches, size, (3, 1, 0), ("direct", "roll"), 1)], [played(stock.results)], seasons)
    tally = counted.tallies[0]
    assert tally.seasons == seasons and counted.joint is None
    for i in range(size):
        for place in range(size):
            some = int(tally.places[i, place].sum())
            assert stats.binomial_tail(some, seasons, float(right.places[i][place])) > 1e-6
        mean = tally.points[i].sum() / seasons
        sd = float(right.variances[i]) ** 0.5
        assert abs(mean - float(right.points[i])) < 5 * sd / seasons**0.5
    assert (tally.places.sum(axis=(0, 2)) == seasons).all() and (tally.places.sum(axis=(1, 2)) == seasons).all()
    for k, share in enumerate(right.settled):
        assert stats.binomial_tail(int(tally.settled[k].sum()), seasons, float(share)) > 1e-6
    lost, drawn_, won = tally.taken.sum(axis=2)
    assert (won + drawn_ + lost == 6 * seasons).all() and won.sum() == lost.sum()
    assert (3 * won + drawn_ == tally.points.sum(axis=1)).all()


def test_drawn_seasons_have_the_exact_odds_within_their_intervals():
    """J-LEA-6: each batch its own games and seasons, t(255): 99.9999 % intervals, over 12 stocks of games."""
    from simkit import stats

    size, games, seasons, odds = 3, 2_560, 25_600, random_odds(3, 4)
    matches = fixtures(size, 2)
    right = exact.solve(size, matches, odds, tie_break=("direct", "roll"))
    inside = []
    for seed in range(12):
        source = drawn(stock_of(odds, games, 100 + seed), matches, seed)
        tally = count([Way(matches, size, (3, 1, 0), ("direct", "roll"), seed)], [source], seasons).tallies[0]
        each = np.full(256, seasons // 256)
        low, high = stats.batch_mean(tally.titles, each, 1 - 1e-6)
        truth = np.array([float(row[0]) for row in right.places])
        assert ((low < truth) & (truth < high)).all()
        low, high = stats.batch_mean(tally.titles, each, 0.95)
        inside += ((low < truth) & (truth < high)).tolist()
    assert sum(inside) >= 29  # of 36, each with 95 %: fewer have a chance below 1e-3


def test_drawn_seasons_take_the_meetings_of_a_pair_from_different_games():
    odds = {(0, 1): (Fraction(1), Fraction(0), Fraction(0)), (1, 0): (Fraction(1), Fraction(0), Fraction(0))}
    stock = stock_of(odds, 1_024, 1)
    marked = stock._replace(results=stock.results._replace(differences=np.arange(1_024)[:, None].repeat(2, axis=1)))
    matches = fixtures(2, 4)
    found = drawn(marked, matches, 5)(0, 1_024).differences
    home = [k for k, match in enumerate(matches) if match.home == 0]
    assert (np.sort(found[:, home] // 256, axis=1) == np.arange(4)).all()
    assert (found % 256 == np.arange(1_024)[:, None] % 256).all()
    with pytest.raises(ValueError, match="allowed are at least as many"):
        drawn(marked, fixtures(2, 5), 5)


def test_mirror_entrants_are_level():
    """Entrants with the same odds win as many titles; 25,600 seasons, G-test over five entrants, p < 1e-6 fails."""
    from simkit import stats

    size, seasons = 5, 25_600
    even = (Fraction(2, 5), Fraction(1, 5), Fraction(2, 5))
    matches = fixtures(size, "double")
    stock = stock_of({(k,): even for k in range(len(matches))}, seasons, 8)
    tally = count([Way(matches, size, (3, 1, 0), DEFAULT, 8)], [played(stock.results)], seasons).tallies[0]
    assert stats.g_test(tally.titles.sum(axis=1), [1 / size] * size).p_value > 1e-6


# Divisions


def test_divisions_change_places():
    """J-LEA-7: the last of a division change places with the first of the next."""
    ladder = Ladder([0, 0, 1, 1, 1, 2, 2], 1)
    place = np.array([[6, 0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6]])
    assert ladder.after(place).tolist() == [[2, 0, 1, 0, 1, 2, 1], [0, 1, 0, 1, 2, 1, 2]]
    assert ladder.before(ladder.begin(1)).tolist() == [[0, 0, 2, 2, 2, 5, 5]]
    with pytest.raises(ValueError, match="allowed are fewer"):
        Ladder([0, 0, 1, 2, 2], 1)
    with pytest.raises(ValueError, match="allowed are fewer"):
        Ladder([0, 0], 1)


def test_histories_are_those_of_a_plain_reading():
    """J-LEA-7: season t of history h is the season 256 t + h; only those of one division meet."""
    generator = np.random.default_rng(3)
    size, steps, burn_in = 5, 6, 2
    matches, seasons = fixtures(size, "double"), 256 * steps
    results = generator.integers(0, 3, (seasons, len(matches)))
    found = Results(results, (results - 1) * 2, np.zeros_like(results))
    ladder = Ladder([0, 0, 1, 1, 1], 1)
    way = Way(matches, size, (3, 1, 0), DEFAULT, 4, ladder)
    tally = count([way], [played(found)], seasons - 256 * burn_in, burn_in).tallies[0]
    bits = lots(4, TIES, 0, seasons, size)
    titles, spent, rises = np.zeros(size), np.zeros((2, size)), np.zeros(size)
    worth = {2: (3, 0), 1: (1, 1), 0: (0, 3)}
    for history in range(0, 256, 15):
        division = [0, 0, 1, 1, 1]
        for t in range(steps):
            s = 256 * t + history
            plain = [
                (m.home, m.away, *worth[int(results[s, j])], int(found.differences[s, j]))
                for j, m in enumerate(matches)
            ]
            order = [one for part in standing(size, plain, DEFAULT, bits[s].tolist(), division) for one in part]
            if t >= burn_in:
                titles[order[0]] += 1
                for one, d in enumerate(division):
                    spent[d, one] += 1
            down, up = order[1], order[2]
            division[down], division[up] = 1, 0
            rises[up] += t >= burn_in
    some = np.arange(0, 256, 15)
    assert (tally.titles[:, some].sum(axis=1) == titles).all()
    assert (tally.divided[:, :, some].sum(axis=2) == spent).all()
    assert (tally.up[:, some].sum(axis=1) == rises).all()
    assert tally.up.sum() == tally.down.sum() == tally.seasons
    assert tally.met.sum() == tally.seasons * (2 + 6)


def test_another_way_on_the_same_seasons():
    """J-LEA-9: what 2-1-0 changes is counted season by season."""
    generator = np.random.default_rng(2)
    size, seasons = 4, 2_560
    matches = fixtures(size, "double")
    results = generator.integers(0, 3, (seasons, len(matches)))
    source = played(Results(results, results - 1, np.zeros_like(results)))
    ways = [Way(matches, size, points, DEFAULT, 7) for points in ((3, 1, 0), (2, 1, 0))]
    one, other = (count([way], [source], seasons).tallies[0] for way in ways)
    counted = count(ways, [source, source], seasons)
    assert (counted.tallies[0].places == one.places).all() and (counted.tallies[1].places == other.places).all()
    joint = counted.joint
    assert (other.titles - one.titles == joint.gained - joint.lost).all()
    assert 0 < joint.changed.sum() == joint.gained.sum() == joint.lost.sum()
    same = count([ways[0], ways[0]], [source, source], seasons).joint
    assert same.changed.sum() == same.gained.sum() == 0


# Estimates


def test_what_no_batch_has_seen_is_not_ruled_out():
    """Shares and moves of dependent seasons keep a width where nothing, or next to nothing, varied."""
    kind = figures.Kind(False, 256, 0.99)
    sums = np.zeros((3, 256), np.int64)
    sums[0] = 20
    sums[1, :5] = [1, 2, 1, 1, 1]
    every, some, none = figures.shares(sums, 5_120, kind, together=True)
    assert {one["method"] for one in (every, some, none)} == {"rare-bound"}
    assert 0.95 < every["low"] < every["estimate"] == every["high"] == 1.0
    assert none["low"] == none["estimate"] == 0.0 < none["high"] < 0.05
    assert some["estimate"] == 6 / 5_120 and none["high"] < some["high"] < 0.05
    moves = figures.moves(sums[1:], np.zeros((2, 256), np.int64), 5_120, kind)
    assert all(one["low"] < -0.01 and one["high"] > 0.01 for one in moves)
    often = np.tile([0, 1], (1, 128))
    assert figures.moves(often, 1 - often, 5_120, kind)[0]["method"] == "batch-t"
    assert figures.shares(often * 10, 5_120, kind, together=False)[0]["method"] == "batch-t"
