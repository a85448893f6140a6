"""From counts to estimates: every method held against the same numbers worked out by hand."""

import functools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from simkit import stats
from simkit.core.trials import BATCHES
from simkit.games.protocol import Metric
from simkit.lab.estimates import SUFFIX, CellResult, Value, is_precise, reduce
from simkit.lab.store import Counts, units_per_batch

OUTCOMES = (
    Metric("won", "share", "of games", "won"),
    Metric("turns", "count", "turns", "turns used"),
    Metric("never", "share", "of games", "never seen"),
    Metric("hits", "count", "hits", "hits scored"),
)
Rows = NDArray[np.int64]


def games(n: int, seed: int, *, share: float = 0.3) -> Rows:
    """Return outcomes of so many units: shape (n, 4)."""
    dice = np.random.default_rng(seed)
    won = dice.random(n) < share
    return np.column_stack([won, dice.integers(1, 7, n), np.zeros(n, int), dice.poisson(2, n) * won]).astype(np.int64)


def counted(rows: Rows, base: Rows | None = None) -> Counts:
    """Count outcomes as a kernel does."""
    gains = rows - base if base is not None else np.zeros_like(rows)
    counts = np.zeros((BATCHES, rows.shape[1], 4), np.int64)
    for k, values in enumerate((rows, rows**2, gains, gains**2)):
        np.add.at(counts[:, :, k], np.arange(len(rows)) % BATCHES, values)
    return counts


def reduced(
    rows: Rows, base: Rows | None = None, *, metric: str = "won", level: float = 0.99, **more: Any
) -> CellResult:
    sequential = more.get("sequential", False)
    return reduce(
        counted(rows, base),
        None if base is None else counted(base),
        len(rows),
        OUTCOMES,
        metric,
        level,
        sequential=sequential,
    )


def pair(n: int = 3000, seed: int = 5) -> tuple[Rows, Rows]:
    """Return the outcomes of a variant and its baseline on partly the same dice."""
    base = games(n, seed)
    rows = base.copy()
    changed = np.random.default_rng(seed + 1).random(n) < 0.2
    rows[changed] = games(n, seed + 2, share=0.6)[changed]
    return rows, base


def shown(result: CellResult, name: str) -> tuple[float, float, float, float, int, str]:
    found = result.metrics[name]
    assert found is not None
    return found.estimate, found.low, found.high, found.level, found.n, found.method


# A fixed number of trials


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_a_share_gets_clopper_pearson(level: float) -> None:
    rows = games(3000, 1)
    low, high = stats.clopper_pearson(rows[:, 0].sum(), 3000, level)
    assert shown(reduced(rows, level=level), "won") == (
        rows[:, 0].mean(), float(low), float(high), level, 3000, "clopper-pearson",
    )  # fmt: skip
    assert shown(reduced(rows, level=level), "never")[:2] == (0.0, 0.0)


def test_a_count_gets_the_t_interval_of_its_batches() -> None:
    rows = games(3001, 2)
    sums = np.array([rows[batch::BATCHES, 1].sum() for batch in range(BATCHES)])
    sizes = [len(rows[batch::BATCHES]) for batch in range(BATCHES)]
    low, high = stats.batch_mean(sums, sizes, 0.99)
    assert shown(reduced(rows), "turns") == (
        rows[:, 1].mean(), pytest.approx(float(low)), pytest.approx(float(high)), 0.99, 3001, "batch-t",
    )  # fmt: skip


def test_a_difference_of_shares_gets_tango() -> None:
    rows, base = pair()
    more = int(((rows[:, 0] == 1) & (base[:, 0] == 0)).sum())
    fewer = int(((rows[:, 0] == 0) & (base[:, 0] == 1)).sum())
    low, high = stats.tango(more, fewer, 3000, 0.99)
    result = reduced(rows, base)
    assert shown(result, "won" + SUFFIX) == (
        pytest.approx(rows[:, 0].mean() - base[:, 0].mean()), float(low), float(high), 0.99, 3000, "tango",
    )  # fmt: skip
    assert result.differing == (more, fewer)


def test_a_difference_of_counts_gets_the_t_interval_of_batch_differences() -> None:
    rows, base = pair()
    gains = rows[:, 3] - base[:, 3]
    sums = np.array([gains[batch::BATCHES].sum() for batch in range(BATCHES)])
    low, high = stats.batch_mean(sums, units_per_batch(3000), 0.99)
    result = reduced(rows, base, metric="hits")
    assert shown(result, "hits" + SUFFIX) == (
        pytest.approx(gains.mean()), pytest.approx(float(low)), pytest.approx(float(high)), 0.99, 3000, "paired-t",
    )  # fmt: skip
    assert result.differing is None
    assert result.gains is not None and (result.gains == sums).all()


def test_what_the_verdict_and_the_report_need_beside() -> None:
    rows, base = pair()
    result = reduced(rows, base)
    assert (result.sums == [rows[batch::BATCHES, 0].sum() for batch in range(BATCHES)]).all()
    assert result.variances == pytest.approx((rows[:, 0].var() + base[:, 0].var(), (rows[:, 0] - base[:, 0]).var()))
    alone = reduced(rows)
    assert (alone.gains, alone.differing, alone.variances) == (None, None, None)
    assert set(alone.metrics) == {"won", "turns", "never", "hits"}
    assert set(result.metrics) == {*alone.metrics, *(name + SUFFIX for name in alone.metrics)}
    assert result.sums.base is None and result.gains is not None and result.gains.base is None


@given(st.integers(2, 700), st.integers(0, 1000))
def test_every_number_of_trials_gives_estimates_inside_their_intervals(n: int, seed: int) -> None:
    rows, base = pair(n, seed)
    result = reduced(rows, base)
    for column, metric in enumerate(OUTCOMES):
        estimate, low, high, *_ = shown(result, metric.name)
        assert low <= estimate <= high and estimate == rows[:, column].sum() / n
        estimate, low, high, *_ = shown(result, metric.name + SUFFIX)
        assert low <= estimate <= high and estimate == (rows[:, column].sum() - base[:, column].sum()) / n


def test_one_trial_tells_next_to_nothing() -> None:
    result = reduced(games(1, 3), games(1, 4))
    for name in ("turns", "hits", "turns_minus_baseline", "hits_minus_baseline"):
        estimate, low, high, *_, method = shown(result, name)
        assert method == "rare-bound" and low <= estimate <= high and high - low > 0.9


def test_where_nothing_varied_the_interval_still_has_a_width() -> None:
    """That 1000 units were alike does not make the next one so: at most the share that 0 of 1000 leaves may differ."""
    rows = np.ones((1000, 4), np.int64)
    most = float(stats.clopper_pearson(0, 1000, 0.99)[1])
    assert shown(reduced(rows), "turns") == (1.0, 1.0 - most, 1.0 + most, 0.99, 1000, "rare-bound")
    assert shown(reduced(rows, rows), "turns" + SUFFIX) == (0.0, -most, most, 0.99, 1000, "rare-bound")
    _, low, high, *_ = shown(reduced(rows, rows), "won" + SUFFIX)
    assert low < 0 < high


def test_rare_but_great_counts_reach_as_far_as_they_were_seen() -> None:
    """In 100,000 units 60 hits came three times: that it may be more often, each time as many, is in the interval."""
    rows = np.zeros((100_000, 4), np.int64)
    rows[[5, 500, 5_001], 3] = 60
    for result, name in (reduced(rows), "hits"), (reduced(rows, 0 * rows), "hits" + SUFFIX):
        estimate, _, high, *_, method = shown(result, name)
        assert (estimate, method) == (0.0018, "rare-bound")
        assert high == pytest.approx(60 * float(stats.clopper_pearson(3, 100_000, 0.99)[1]))


def test_a_handful_of_units_is_too_little_for_a_t_interval() -> None:
    """Of 20,000 units 3 threw twice instead of three times: the true mean 2.999614 is inside, and so is 3."""
    rows = np.zeros((20_000, 4), np.int64)
    rows[:, 1] = 3
    rows[:3, 1] = 2
    estimate, low, high, *_, method = shown(reduced(rows), "turns")
    assert (estimate, method) == (2.99985, "rare-bound") and low < 2.999614 and high >= 3.0
    rows[:300, 1] = 2
    assert shown(reduced(rows), "turns")[-1] == "batch-t"


def test_a_mean_of_two_units_is_not_below_zero() -> None:
    rows = np.array([[0, 0, 0, 0], [0, 1, 0, 0]])
    estimate, low, high, *_ = shown(reduced(rows), "turns")
    assert (estimate, low) == (0.5, 0.0) and high < 3


# Confidence sequences


def test_a_share_gets_the_beta_binomial_sequence() -> None:
    rows = games(3000, 1)
    low, high = stats.beta_binomial(rows[:, 0].sum(), 3000, 0.99)
    result = reduced(rows, sequential=True)
    assert result.sequential
    assert shown(result, "won") == (rows[:, 0].mean(), float(low), float(high), 0.99, 3000, "beta-binomial")
    fixed = shown(reduced(rows), "won")
    assert low < fixed[1] and high > fixed[2]


def test_means_and_all_differences_get_the_asymptotic_sequence() -> None:
    rows, base = pair()
    result = reduced(rows, base, sequential=True)
    for column, name in ((1, "turns"), (3, "hits")):
        low, high = stats.asymptotic(3000, rows[:, column].sum(), (rows[:, column] ** 2).sum(), 0.99)
        assert shown(result, name) == (rows[:, column].mean(), float(low), float(high), 0.99, 3000, "asymptotic")
    for column, name in ((0, "won"), (1, "turns"), (3, "hits")):
        gains = rows[:, column] - base[:, column]
        low, high = stats.asymptotic(3000, gains.sum(), (gains**2).sum(), 0.99)
        assert shown(result, name + SUFFIX) == (gains.mean(), float(low), float(high), 0.99, 3000, "asymptotic")


def test_a_sequence_waits_until_a_hundred_batches_differ() -> None:
    """An asymptotic sequence of what was hardly ever seen would be far too narrow."""
    rows = np.zeros((25_600, 4), np.int64)
    rows[:99, 1] = 1
    assert shown(reduced(rows, sequential=True), "turns")[-1] == "rare-bound"
    rows[99, 1] = 1
    assert shown(reduced(rows, sequential=True), "turns")[::5] == (100 / 25_600, "asymptotic")
    rows[:, 1] = 4
    most = float(stats.beta_binomial(0, 25_600, 0.99)[1])
    assert shown(reduced(rows, sequential=True), "turns")[:3] == (4.0, 4.0 - 4 * most, 4.0 + 4 * most)
    _, low, high, *_ = shown(reduced(rows * 0, sequential=True), "won")
    assert low == 0 and 0 < high < 0.001


def test_a_sequence_that_waits_at_uneven_batches_sees_them_alike() -> None:
    rows = games(1000, 1)
    rows[:, 1] = 3  # 3 or 4 units a batch, all but one of them equal
    rows[0, 1] = 5
    assert shown(reduced(rows, sequential=True), "turns")[-1] == "rare-bound"


# Coverage: the intervals are as good as they say


ROUNDS = 250


@functools.cache
def often(level: float) -> list[CellResult]:
    """Return what many runs alike show, each on dice of its own."""
    return [reduced(*pair(600, 7 * seed + 1000), level=level) for seed in range(ROUNDS)]


@pytest.mark.parametrize("name", ["won", "turns", "won_minus_baseline", "hits_minus_baseline"])
@pytest.mark.thorough
def test_intervals_hold_as_often_as_they_say(name: str) -> None:
    level = 0.9
    column = [metric.name for metric in OUTCOMES].index(name.removesuffix(SUFFIX))
    truth_rows, truth_base = pair(200_000, 99_999)
    values = truth_rows[:, column] - (truth_base[:, column] if name.endswith(SUFFIX) else 0)
    held = 0
    for result in often(level):
        _, low, high, *_ = shown(result, name)
        held += low <= values.mean() <= high
    assert held / ROUNDS > level - 4.5 * np.sqrt(level * (1 - level) / ROUNDS)


# Two games a unit, scores and negative values


PAIRED = (
    Metric("won", "share", "of games", "won"),
    Metric("score", "share", "of the points", "1 for a win, half for a draw", 2, scale=2),
    Metric("turns", "count", "turns", "turns used"),
    Metric("margin", "count", "points", "how far ahead", lowest=None),
    Metric("tenths", "count", "points", "counted in tenths", scale=10),
    Metric("never", "share", "of games", "never seen"),
)
SCALES = {"won": 2, "score": 4, "turns": 2, "margin": 2, "tenths": 20, "never": 2}


def pairs(n: int, seed: int, *, shift: int = 0) -> Rows:
    """Return the summed outcomes of n pairs of games: shape (n, 6)."""
    dice = np.random.default_rng(seed)
    ahead = dice.integers(-9, 10, (n, 2)) + shift
    won, drawn = ahead > 0, ahead == 0
    columns = [won, 2 * won + drawn, dice.integers(1, 7, (n, 2)), 1000 * ahead, dice.poisson(3, (n, 2)), 0 * ahead]
    return np.stack([column.sum(axis=1) for column in columns], axis=1).astype(np.int64)


def reduced_pairs(rows: Rows, base: Rows | None = None, *, metric: str = "won", sequential: bool = False) -> CellResult:
    against = None if base is None else counted(base)
    return reduce(counted(rows, base), against, len(rows), PAIRED, metric, 0.99, sequential=sequential, games=2)


def by_hand(values: NDArray[np.int64], parts: int) -> tuple[float, float, float]:
    """Return a mean a game and its t interval, from the sums of 256 batches of units."""
    sums = np.array([values[batch::BATCHES].sum() for batch in range(BATCHES)])
    low, high = stats.batch_mean(sums, units_per_batch(len(values)), 0.99)
    return values.sum() / (parts * len(values)), float(low) / parts, float(high) / parts


@pytest.mark.parametrize(("metric", "games", "scale", "binary"), [
    ("share", 1, 1, True), ("share", 2, 1, False), ("share", 1, 2, False), ("count", 1, 1, False),
])  # fmt: skip
def test_only_a_share_of_games_with_dice_of_their_own_is_0_or_1(
    metric: str, games: int, scale: int, binary: bool
) -> None:
    assert Metric("x", metric, "of games", "x", scale=scale).is_binary(games) is binary


def test_values_are_those_of_a_game_and_n_counts_units() -> None:
    rows = pairs(3001, 1, shift=1)
    result = reduced_pairs(rows)
    assert list(result.metrics) == list(SCALES) and (result.n, result.trials, result.games) == (3001, 6002, 2)
    for column, (name, parts) in enumerate(SCALES.items()):
        estimate, low, high, level, n, method = shown(result, name)
        if name == "never":
            assert (estimate, low, method) == (0.0, 0.0, "rare-bound") and 0 < high < 0.01
            continue
        assert (estimate, low, high) == pytest.approx(by_hand(rows[:, column], parts))
        assert (level, n, method) == (0.99, 3001, "batch-t")


def test_differences_of_pairs_get_the_t_interval_of_batch_differences() -> None:
    base = pairs(3000, 2)
    rows = base.copy()
    rows[::3] = pairs(3000, 3, shift=3)[::3]
    result = reduced_pairs(rows, base)
    for column, (name, parts) in enumerate(SCALES.items()):
        if name != "never":
            found = shown(result, name + SUFFIX)
            assert found[:3] == pytest.approx(by_hand(rows[:, column] - base[:, column], parts))
            assert found[-1] == "paired-t"
    assert result.differing is None and result.gains is not None
    assert shown(result, "never" + SUFFIX)[1] == -shown(result, "never" + SUFFIX)[2] < 0


def test_sequences_of_pairs_are_asymptotic() -> None:
    base = pairs(3000, 2)
    rows = np.where(np.arange(3000)[:, np.newaxis] % 2, base, pairs(3000, 3, shift=3))
    result = reduced_pairs(rows, base, sequential=True)
    for column, (name, parts) in enumerate(SCALES.items()):
        if name == "never":
            assert shown(result, name)[-1] == "rare-bound"
            continue
        for found, values in (
            (shown(result, name), rows[:, column]),
            (shown(result, name + SUFFIX), rows[:, column] - base[:, column]),
        ):
            low, high = stats.asymptotic(3000, values.sum(), (values**2).sum(), 0.99)
            assert found[:3] == pytest.approx((values.mean() / parts, float(low) / parts, float(high) / parts))
            assert found[-1] == "asymptotic"


def test_where_every_pair_is_even_a_half_is_bounded_on_both_sides() -> None:
    """A mirror match: whoever wins with one seat loses with the other."""
    rows = np.tile([1, 2, 6, 0, 5, 0], (1000, 1))
    most = float(stats.clopper_pearson(0, 1000, 0.99)[1])
    result = reduced_pairs(rows)
    assert shown(result, "won")[:3] == pytest.approx((0.5, 0.5 - most, 0.5 + most))
    assert shown(result, "score")[:3] == pytest.approx((0.5, 0.5 - most, 0.5 + most))
    assert shown(result, "margin")[:3] == pytest.approx((0.0, -most, most))
    assert shown(result, "tenths")[:3] == pytest.approx((0.25, 0.25 - most, 0.25 + most))


def test_intervals_end_where_values_do() -> None:
    rows = np.tile([2, 4, 2, -3000, 0, 0], (40, 1))
    rows[:4, 0], rows[:4, 3] = 1, 500
    result = reduced_pairs(rows)
    for name in ("won", "score"):
        estimate, low, high, *_ = shown(result, name)
        assert 0.5 < low < estimate <= high == 1.0
    estimate, low, high, *_ = shown(result, "margin")
    assert low < estimate == -1325 < high
    assert shown(reduced_pairs(rows, rows[::-1]), "won" + SUFFIX)[1] > -1.0
    few = reduced_pairs(rows[5:7], np.tile([0, 0, 2, 0, 0, 0], (2, 1)))
    assert shown(few, "score" + SUFFIX)[2] == 1.0 and shown(few, "margin")[1] < -1500
    assert Value.of(PAIRED[4], 2, difference=False) == (20, 0.0, np.inf)
    assert Value.of(PAIRED[3], 2, difference=False) == Value.of(PAIRED[2], 2, difference=True) == (2, -np.inf, np.inf)


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize("centre", [-10_000, 0, 10_000])
def test_large_and_negative_values_lose_no_digits(centre: int, sequential: bool) -> None:
    """Ten million units of 20,000 that vary by 1: their squares add up to 4e15, the variance is below 1."""
    dice = np.random.default_rng(abs(centre))
    small = np.zeros((2560, len(PAIRED)), np.int64)
    small[:, 3] = dice.integers(-1, 2, 2560)
    rows = small.copy()
    rows[:, 3] += 2 * centre
    times = 4000
    results = [
        reduce(times * counted(values), None, times * 2560, PAIRED, "margin", 0.99, sequential=sequential, games=2)
        for values in (small, rows)
    ]
    near, far = (shown(result, "margin") for result in results)
    assert far[:3] == pytest.approx([value + centre for value in near[:3]], abs=1e-9)
    assert 0 < far[2] - far[1] < 0.05 and near[-1] == far[-1]


def test_precise_enough_means_the_metric_and_its_difference() -> None:
    rows, base = pair()
    result = reduced(rows, base)
    halves = [(found[2] - found[1]) / 2 for found in (shown(result, "won"), shown(result, "won" + SUFFIX))]
    assert is_precise(result, "won", max(halves) + 1e-9) and not is_precise(result, "won", max(halves) - 1e-9)
    assert is_precise(reduced(rows), "won", halves[0] + 1e-9)


def values_of_pairs(seed: int, units: int) -> tuple[Rows, Rows]:
    """Return pairs of games of a variant and its baseline on partly the same dice."""
    base = pairs(units, seed)
    changed = np.random.default_rng(seed + 1).random(units) < 0.3
    return np.where(changed[:, np.newaxis], pairs(units, seed + 2, shift=4), base), base


@functools.cache
def often_in_pairs() -> list[CellResult]:
    """Return what many runs alike show, each on dice of its own."""
    return [reduced_pairs(*values_of_pairs(7 * seed + 1000, 600)) for seed in range(ROUNDS)]


@functools.cache
def nearly_all() -> tuple[Rows, Rows]:
    """Return so many pairs that their means are the truth."""
    return values_of_pairs(99_999, 400_000)


@pytest.mark.parametrize("name", ["won", "score", "margin", "won_minus_baseline", "score_minus_baseline"])
@pytest.mark.thorough
def test_intervals_of_pairs_hold_as_often_as_they_say(name: str) -> None:
    """The games of a pair lean on each other: pooled as if independent they would hold too often or too seldom."""
    column = [metric.name for metric in PAIRED].index(name.removesuffix(SUFFIX))
    far, near = nearly_all()
    truth = (far - near if name.endswith(SUFFIX) else far)[:, column].mean() / SCALES[PAIRED[column].name]
    held = 0
    for result in often_in_pairs():
        _, low, high, *_ = shown(result, name)
        held += low <= truth <= high
    assert held / ROUNDS > 0.99 - 4.5 * np.sqrt(0.99 * 0.01 / ROUNDS)
