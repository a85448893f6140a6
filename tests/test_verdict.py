"""Verdicts: the right word for every outcome, intervals that hold together, and sentences a person would say."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from simkit import stats
from simkit.balance.family import FEW, together
from simkit.balance.verdict import WORDS, Row, Verdict, _overall, judge, judge_exact
from simkit.core.trials import BATCHES
from simkit.lab.estimates import CellResult, reduce
from simkit.lab.plan import Plan
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate
from tests.laboratory import OFF, made

Values = NDArray[np.int64]
ONE = {"sweep": {"axes": {"altered_odds": [False, True]}}, "compare": {"baseline": OFF}}
THREE = {"sweep": {"axes": {"course.turns": [1, 2, 3], "altered_odds": [False, True]}}, "compare": {"baseline": OFF}}


def result(plan: Plan, values: Values, base: Values | None = None, *, sequential: bool = False) -> CellResult:
    """Return what a cell shows in which the report metric took these values."""
    column = [metric.name for metric in plan.game.OUTCOMES].index(plan.metric)

    def counted(own: Values, other: Values) -> NDArray[np.int64]:
        counts = np.zeros((BATCHES, len(plan.game.OUTCOMES), 4), np.int64)
        for k, moment in enumerate((own, own**2, own - other, (own - other) ** 2)):
            np.add.at(counts[:, column, k], np.arange(len(own)) % BATCHES, moment)
        return counts

    own = counted(values, values if base is None else base)
    against = None if base is None else counted(base, base)
    return reduce(own, against, len(values), plan.game.OUTCOMES, plan.metric, plan.level, sequential=sequential)


def ones(n: int, many: int, seed: int = 0) -> Values:
    """Return n values of which so many are 1, in random order."""
    values = np.zeros(n, np.int64)
    values[np.random.default_rng(seed).permutation(n)[:many]] = 1
    return values


def flipped(values: Values, up: int, down: int, seed: int = 0) -> Values:
    """Return values of which so many more are 1 and so many are no longer."""
    order = np.random.default_rng(seed).permutation(len(values))
    changed = values.copy()
    changed[[i for i in order if not values[i]][:up]] = 1
    changed[[i for i in order if values[i]][:down]] = 0
    return changed


def verdict(plan: Plan, cells: Sequence[Values], *, sequential: bool = False) -> Verdict:
    """Judge a plan whose cells took these values."""
    heads = [None if cell.baseline is None else cells[cell.baseline] for cell in plan.cells]
    results = [result(plan, values, base, sequential=sequential) for values, base in zip(cells, heads, strict=True)]
    return judge(plan, results)


def compared(*differences: tuple[int, int], n: int = 10_000, sequential: bool = False, **report: Any) -> Verdict:
    """Judge comparisons in which so many units win and so many lose by the change."""
    tables = ONE if len(differences) == 1 else THREE
    plan, cells = made(report=report, **tables), []
    for k, (up, down) in enumerate(differences):
        base = ones(n, n // 2, seed=k)
        cells += [base, flipped(base, up, down, seed=k)]
    return verdict(plan, cells, sequential=sequential)


# Words


@pytest.mark.parametrize(
    ("up", "down", "within", "word", "row"),
    [
        (900, 400, None, "raises", "higher"),
        (400, 900, None, "lowers", "lower"),
        (650, 630, None, "undecided", "undecided"),
        (650, 630, 0.05, "fair", "fair"),
        (650, 630, 0.001, "undecided", "undecided"),
        (900, 400, 0.01, "raises", "higher"),
        (900, 400, 0.045, "undecided", "undecided"),
        (900, 400, 0.10, "fair", "fair"),
        (0, 0, None, "undecided", "undecided"),
        (0, 0, 0.01, "fair", "fair"),
        (12, 0, None, "raises", "higher"),
        (4, 0, None, "undecided", "undecided"),
    ],
)
def test_one_comparison(up: int, down: int, within: float | None, word: str, row: str) -> None:
    report = {} if within is None else {"fair_within": within}
    found = compared((up, down), **report)
    assert (found.word, [one.word for one in found.rows]) == (word, [row])
    assert found.not_resolved == ([2] if row == "undecided" else [])


UP, DOWN, SAME, OPEN = (900, 400), (400, 900), (20, 20), (650, 560)


@pytest.mark.parametrize(
    ("differences", "word", "open_"),
    [
        ((UP, UP, UP), "raises", []),
        ((DOWN, DOWN, DOWN), "lowers", []),
        ((SAME, SAME, SAME), "fair", []),
        ((OPEN, OPEN, OPEN), "undecided", [2, 4, 6]),
        ((UP, OPEN, OPEN), "raises", [4, 6]),
        ((DOWN, DOWN, OPEN), "lowers", [6]),
        ((SAME, OPEN, SAME), "undecided", [4]),
        ((UP, DOWN, OPEN), "depends", [6]),
        ((UP, SAME, UP), "depends", []),
        ((DOWN, SAME, OPEN), "depends", [6]),
    ],
)
def test_several_comparisons(differences: tuple[tuple[int, int], ...], word: str, open_: list[int]) -> None:
    found = compared(*differences, fair_within=0.01)
    assert (found.word, found.not_resolved) == (word, open_)


@pytest.mark.parametrize(
    ("many", "within", "word"),
    [
        (6000, None, "raises"),
        (4000, None, "lowers"),
        (5050, None, "undecided"),
        (5050, 0.03, "fair"),
        (5400, 0.03, "undecided"),
        (6000, 0.03, "raises"),
    ],
)
def test_one_target(many: int, within: float | None, word: str) -> None:
    report = {"target": 0.5} | ({} if within is None else {"fair_within": within})
    found = verdict(made(report=report), [ones(10_000, many)])
    assert (found.word, found.not_resolved) == (word, [1] if word == "undecided" else [])


def test_several_targets_without_and_with_a_baseline() -> None:
    axis = {"axes": {"course.turns": [1, 2, 3]}}
    cells = [ones(10_000, many) for many in (6000, 4000, 5010)]
    found = verdict(made(report={"target": 0.5}, sweep=axis), cells)
    assert (found.word, found.not_resolved, [row.cell for row in found.rows]) == ("depends", [3], [1, 2, 3])
    with_baseline = made(report={"target": 0.5}, sweep=axis, compare={"baseline": {"course.turns": 3}})
    found = verdict(with_baseline, cells)
    assert [row.cell for row in found.rows] == [1, 2]  # what is asked is the difference
    assert found.word == "depends"


def test_measured_when_neither_target_nor_baseline_is_given() -> None:
    found = verdict(made(), [ones(10_000, 3000)])
    assert (found.word, found.rows[0].word, found.not_resolved) == ("measured", "measured", [])


@pytest.mark.parametrize(
    ("words", "overall"),
    [("u", "undecided"), ("h", "raises"), ("l", "lowers"), ("f", "fair"), ("hu", "raises"), ("fu", "undecided"),
     ("hl", "depends"), ("hf", "depends"), ("lfu", "depends"), ("hhh", "raises"), ("ffff", "fair")],
)  # fmt: skip
def test_the_word_for_all(words: str, overall: str) -> None:
    names = {"u": "undecided", "h": "higher", "l": "lower", "f": "fair"}
    value = Estimate(0.0, -1.0, 1.0, 0.99, 10, "tango")
    assert _overall([Row(1, names[word], value) for word in words]) == overall
    assert overall in WORDS


# Intervals that hold together


def test_one_comparison_has_the_interval_of_its_cell() -> None:
    plan = made(**ONE)
    base = ones(5000, 2000)
    results = [result(plan, base), result(plan, flipped(base, 300, 100), base)]
    (value,), family = together(plan, results, [1], difference=True)
    assert value == results[1].metrics["finished_minus_baseline"]
    low, high = stats.tango(300, 100, 5000, 0.99)
    assert (value.low, value.high) == (float(low), float(high))
    assert family == "99 % confidence, tango, n = 5,000"


def test_several_comparisons_get_one_band() -> None:
    plan = made(**THREE)
    cells = []
    for k in range(3):
        base = ones(5000, 2000, seed=k)
        cells += [base, flipped(base, 300, 100, seed=k)]
    results = [result(plan, cells[i], None if i % 2 == 0 else cells[i - 1]) for i in range(6)]
    values, family = together(plan, results, [1, 3, 5], difference=True)
    gains = np.array([np.bincount(np.arange(5000) % BATCHES, cells[i] - cells[i - 1]) for i in (1, 3, 5)])
    bands = stats.simultaneous_bands(gains, units_per_batch(5000), 0.99)
    assert [(value.low, value.high) for value in values] == list(
        zip(bands.low.tolist(), bands.high.tolist(), strict=True)
    )
    assert {value.method for value in values} == {bands.critical.method}
    assert (
        family == f"99 % for all 3 together, {'max-T' if bands.critical.method == 'max-t' else 'Sidak'}, n = 5,000 each"
    )
    alone = results[1].metrics["finished_minus_baseline"]
    assert alone is not None and values[0].low < alone.low and values[0].high > alone.high


def test_few_differing_units_get_tango_at_sidaks_level() -> None:
    plan = made(**THREE)
    cells = []
    for k, (up, down) in enumerate(((FEW, 0), (FEW - 30, 29), (0, 0))):
        base = ones(5000, 2000, seed=k)
        cells += [base, flipped(base, up, down, seed=k)]
    results = [result(plan, cells[i], None if i % 2 == 0 else cells[i - 1]) for i in range(6)]
    values, family = together(plan, results, [1, 3, 5], difference=True)
    each = stats.sidak_level(3, 0.99)
    assert [value.method for value in values][1:] == ["tango", "tango"] and values[0].method != "tango"
    for value, (up, down) in zip(values[1:], ((FEW - 30, 29), (0, 0)), strict=True):
        low, high = stats.tango(up, down, 5000, each)
        assert (value.low, value.high, value.level) == (float(low), float(high), 0.99)
    assert "and tango, n = 5,000 each" in family


@pytest.mark.parametrize("many", [0, 7, FEW - 1, 5000 - 20, 5000])
def test_rare_and_certain_shares_get_clopper_pearson_at_sidaks_level(many: int) -> None:
    plan = made(sweep={"axes": {"course.turns": [1, 2]}})
    results = [result(plan, ones(5000, many)), result(plan, ones(5000, 2500))]
    values, _ = together(plan, results, [0, 1], difference=False)
    low, high = stats.clopper_pearson(many, 5000, stats.sidak_level(2, 0.99))
    assert (values[0].low, values[0].high, values[0].method) == (float(low), float(high), "clopper-pearson")
    assert values[1].method in ("max-t", "sidak")


def test_more_than_a_hundred_cells_get_sidak() -> None:
    plan = made(sweep={"axes": {"course.turns": {"range": [1, 101]}}})
    shared = np.random.default_rng(1).random(2000)
    results = [result(plan, (shared < 0.3 + 0.001 * i).astype(np.int64)) for i in range(101)]
    values, family = together(plan, results, list(range(101)), difference=False)
    assert family == "99 % for all 101 together, Sidak, n = 2,000 each"
    assert {value.method for value in values} == {"sidak"}
    z = stats.sidak_z(101, 0.99)
    assert values[0].high - values[0].low > 1.9 * z * np.sqrt(0.3 * 0.7 / 2000) * 0.9
    few, family = together(plan, results[:100], list(range(100)), difference=False)
    assert "max-T" in family and few[0].high - few[0].low < values[0].high - values[0].low


def test_bands_of_shares_do_not_leave_the_possible() -> None:
    plan = made(sweep={"axes": {"course.turns": [1, 2]}}, run={"level": 0.999999})
    results = [result(plan, ones(202, 101)), result(plan, ones(202, 101, seed=1))]
    values, _ = together(plan, results, [0, 1], difference=False)
    assert all(0 <= value.low < value.high <= 1 for value in values)


def test_sequential_cells_get_their_sequence_at_bonferronis_level() -> None:
    plan = made(sweep={"axes": {"course.turns": [1, 2]}})
    results = [result(plan, ones(n, n // 3), sequential=True) for n in (3000, 4000)]
    values, family = together(plan, results, [0, 1], difference=False)
    for value, n in zip(values, (3000, 4000), strict=True):
        low, high = stats.beta_binomial(n // 3, n, 0.995)
        assert (value.low, value.high, value.n, value.method) == (float(low), float(high), n, "beta-binomial")
    assert family == "99 % for both together, beta-binomial confidence sequences, n = 3,000 to 4,000"


def test_sequential_differences_get_the_asymptotic_sequence_at_bonferronis_level() -> None:
    plan = made(**THREE)
    cells = []
    for k in range(3):
        base = ones(20_000, 8000, seed=k)
        cells += [base, flipped(base, 900, 300, seed=k)]
    results = [result(plan, cells[i], None if i % 2 == 0 else cells[i - 1], sequential=True) for i in range(6)]
    values, family = together(plan, results, [1, 3, 5], difference=True)
    low, high = stats.asymptotic(20_000, 600, 1200, stats.bonferroni_level(3, 0.99))
    assert values[0].low == pytest.approx(float(low)) and values[0].high == pytest.approx(float(high))
    assert family == "99 % for all 3 together, asymptotic confidence sequences, n = 20,000 each"


def test_a_sequence_that_has_seen_nothing_says_nothing() -> None:
    found = compared((0, 0), sequential=True)
    value = found.rows[0].value
    assert (found.word, value.estimate, value.low, value.method) == ("undecided", 0.0, -value.high, "rare-bound")
    plan = made(report={"metric": "wounds", "target": 0.5})
    found = verdict(plan, [np.zeros(3000, np.int64)], sequential=True)
    assert (found.word, found.rows[0].value.low) == ("lowers", 0.0)  # none in 3000: surely below one half


def test_one_trial_has_an_interval_too() -> None:
    plan = made(**THREE, run={"trials": 1})
    found = verdict(plan, [ones(1, i % 2) for i in range(6)])
    assert found.word == "undecided" and all(row.value.high - row.value.low > 0.9 for row in found.rows)
    found = verdict(made(sweep={"axes": {"course.turns": [1, 2]}}, run={"trials": 1}), [ones(1, 1), ones(1, 0)])
    assert [row.value.method for row in found.rows] == ["clopper-pearson"] * 2


# False alarms


@pytest.mark.parametrize("metric", ["finished", "turns_used", "wounds"])
@pytest.mark.usefixtures("pigtickler")
def test_an_axis_that_changes_nothing_never_raises_or_lowers(metric: str, tmp_path: Any) -> None:
    from tests.laboratory import play

    axes = {"axes": {"course.turns": [1, 2], "level_every": [2, 3]}}
    for seed in range(5):
        for within in ({}, {"fair_within": 0.02}):
            report = {"metric": metric} | within
            plan = made(
                seed=seed, run={"trials": 500}, sweep=axes, compare={"baseline": {"level_every": 2}}, report=report
            )
            found = judge(plan, play(plan, tmp_path).results)
            assert found.word in ("undecided", "fair")
            assert all(row.value.estimate == 0 for row in found.rows)


def alarms(plan: Plan, rounds: int, draw: Any) -> int:
    """Count how often cells that are equal in distribution, each on dice of its own, are called different."""
    found = 0
    for seed in range(rounds):
        dice = np.random.default_rng(seed)
        found += verdict(plan, [draw(dice).astype(np.int64) for _ in plan.cells]).word != "undecided"
    return found


NULLS = {
    "even": ("finished", lambda dice: dice.random(400) < 0.5),
    "rare": ("finished", lambda dice: dice.random(2000) < 0.02),
    "counts": ("turns_used", lambda dice: dice.geometric(0.4, 1000)),
}


@pytest.mark.parametrize("rounds", [100, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", NULLS)
@pytest.mark.thorough
def test_equal_cells_are_called_different_no_oftener_than_the_level_allows(case: str, rounds: int) -> None:
    metric, draw = NULLS[case]
    found = alarms(made(**ONE, run={"level": 0.9}, report={"metric": metric}), rounds, draw)
    assert float(stats.one_sided_lower(found, rounds, 0.9999)) < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("case", NULLS)
def test_several_equal_cells_are_called_different_no_oftener_than_the_level_allows(case: str) -> None:
    metric, draw = NULLS[case]
    found = alarms(made(**THREE, run={"level": 0.9}, report={"metric": metric}), 250, draw)
    assert float(stats.one_sided_lower(found, 250, 0.9999)) < 0.1


# Sentences


def test_answers_read_as_a_person_would_say_them() -> None:
    says = "'finished' (every task done while he may still move)"
    assert compared((900, 400)).answer == (
        f"With altered odds instead of standard odds, {says} is higher: +5.00 pp (+4.08 to +5.93 pp) "
        "(99 % confidence, tango, n = 10,000)."
    )
    assert compared((650, 630)).answer == (
        f"With altered odds instead of standard odds, {says} is not shown to differ: +0.20 pp (-0.73 to +1.13 pp) "
        "(99 % confidence, tango, n = 10,000)."
    )
    assert compared((0, 0), fair_within=0.01).answer == (
        f"With altered odds instead of standard odds, {says} is within 1 pp of the baseline: "
        "0.000 pp (-0.067 to +0.067 pp) (99 % confidence, tango, n = 10,000)."
    )
    assert re.sub(r"[-+][0-9.]+ pp \([^)]*\)", "X", compared(UP, SAME, OPEN, fair_within=0.01).answer) == (
        f"With altered odds instead of standard odds, {says} depends on the combination: higher by more than 1 pp in "
        "1 of 3 comparisons, within 1 pp of the baseline in 1 and not resolved in 1; the differences run from 0.00 pp "
        "(-0.21 to +0.21 pp) for turn limit 2 to X for turn limit 1 (99 % for all 3 together, max-T and tango, "
        "n = 10,000 each)."
    )
    assert compared(OPEN, OPEN, OPEN).answer.startswith(
        f"With altered odds instead of standard odds, {says} is not shown to differ in any of 3 comparisons: +0.9 pp "
        "(-0.2 to +2.0 pp) in each (99 % for all 3 together, "
    )
    assert compared(DOWN, OPEN, DOWN).answer.startswith(
        f"With altered odds instead of standard odds, {says} is lower in 2 of 3 comparisons and not resolved in 1: "
        "from -5.0"
    )
    assert verdict(made(report={"target": 0.5, "fair_within": 0.02}), [ones(10_000, 6000)]).answer == (
        f"{says} is more than 2 pp above 50 %: 60.0 % (58.7 to 61.3 %) (99 % confidence, clopper-pearson, n = 10,000)."
    )
    axis = {"axes": {"course.turns": [1, 2]}}
    cells = [ones(10_000, 3000), ones(10_000, 6000)]
    assert verdict(made(report={"target": 0.5}, sweep=axis), cells).answer == (
        f"{says} is above 50 % in 1 of 2 cells and below 50 % in 1: from 30.0 % (28.6 to 31.4 %) for turn limit 1 to "
        "60.0 % (58.6 to 61.4 %) for turn limit 2 (99 % for both together, max-T, n = 10,000 each)."
    )
    assert verdict(made(sweep=axis), cells).answer.startswith(
        f"{says} runs from 30.0 % (28.6 to 31.4 %) for turn limit 1 to 60.0 %"
    )
    assert verdict(made(), [ones(10_000, 0)]).answer == (
        f"{says} is < 0.053 % (0.000 to 0.053 %) (99 % confidence, clopper-pearson, n = 10,000)."
    )
    turns = made(report={"metric": "turns_used"}, **ONE)
    assert verdict(turns, [np.ones(500, np.int64), np.full(500, 3)]).answer == (
        "With altered odds instead of standard odds, 'turns_used' (turns used, lost turns included; the limit when it "
        "ran out) is higher: +2.000 (+1.968 to +2.032) (99 % confidence, rare-bound, n = 500)."
    )


def names(axes: dict[str, Any], baseline: dict[str, Any]) -> str:
    """Return how the two sides of a comparison are called."""
    plan = made(sweep={"axes": axes}, compare={"baseline": baseline})
    return verdict(plan, [ones(400, 100, seed=i) for i in range(len(plan.cells))]).answer.partition(", '")[0]


def test_what_is_compared_is_named_as_players_would() -> None:
    assert names({"altered_odds": [True, False]}, OFF) == "With altered odds instead of standard odds"
    assert names({"wreck_at": [2, 3]}, {"wreck_at": 2}) == "With wreck at 3 instead of wreck at 2"
    assert names({"bogs.swamp": [-3, -2]}, {"bogs.swamp": -3}) == "With swamp -2 instead of swamp -3"
    assert (
        names({"free_facing": [True, False]}, {"free_facing": True})
        == "With free facing false instead of free facing true"
    )
    assert names({"dice": ["2d6", "3d6kh2"]}, {"dice": "2d6"}) == "With 3d6kh2 instead of 2d6"
    assert (
        names({"house_rules": [[], ["soft-bogs"]]}, {"house_rules": []})
        == "With the house rule soft-bogs instead of no house rules"
    )
    both = ["soft-bogs", "altered-odds"]
    assert (
        names({"house_rules": [[], both]}, {"house_rules": both})
        == "With no house rules instead of the house rules soft-bogs + altered-odds"
    )
    assert (
        names({"house_rules": [[], ["soft-bogs"], ["altered-odds"]]}, {"house_rules": []})
        == "Compared with no house rules"
    )
    assert (
        names({"course.steps.3.bog": ["ford", "swamp"]}, {"course.steps.3.bog": "ford"}) == "With swamp instead of ford"
    )
    two = {"altered_odds": [False, True], "house_rules": [[], ["soft-bogs"]]}
    assert names(two, OFF | {"house_rules": []}) == "Compared with standard odds and no house rules"


def test_where_it_happens_is_named_by_what_else_varies() -> None:
    axes = {
        "course.steps.3.bog": ["ford", "swamp"],
        "house_rules": [[], ["soft-bogs"]],
        "wreck_at": [3],
        "altered_odds": [False, True],
    }
    plan = made(sweep={"axes": axes}, compare={"baseline": OFF})
    found = verdict(plan, [ones(400, 100 + 10 * i * (i % 2), seed=i) for i in range(8)])
    assert " for ford, no house rules" in found.answer or " for ford, the house rule soft-bogs" in found.answer
    assert "wreck" not in found.answer
    steps = {"course.steps": [[{"turn": 1}], [{"down": 1}, {"turn": 1}]], "course.turns": [1, 2]}
    plan = made(sweep={"axes": steps})
    found = verdict(plan, [ones(400, 100 + 10 * i) for i in range(4)])
    assert " for turn 1; turn limit 1 to " in found.answer and " for down 1, turn 1; turn limit 2 (99 %" in found.answer
    two = {"course.steps.1.bog": ["ford", "swamp"], "course.steps.2.bog": ["ford", "swamp"]}
    plan = made(course={"steps": [{"bog": "ford"}, {"bog": "ford"}]}, sweep={"axes": two})
    found = verdict(plan, [ones(400, 100 + 10 * i) for i in range(4)])
    assert " for course.steps.1.bog ford, course.steps.2.bog ford to " in found.answer


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize("metric", ["finished", "turns_used"])
@pytest.mark.parametrize("tables", [{}, ONE, THREE, {"sweep": THREE["sweep"]}], ids=["cell", "one", "three", "grid"])
@pytest.mark.parametrize("report", [{}, {"target": 0.4}, {"target": 0.4, "fair_within": 0.1}, {"fair_within": 0.1}])
def test_every_answer_is_one_sentence_with_interval_level_units_and_method(
    tables: dict[str, Any], metric: str, report: dict[str, Any], sequential: bool
) -> None:
    plan = made(report={"metric": metric} | report, **tables)
    cells = [ones(3000, 900 + 100 * i, seed=i) for i in range(len(plan.cells))]
    found = verdict(plan, cells, sequential=sequential)
    assert (
        found.answer.endswith(").")
        and ". " not in found.answer
        and "\n" not in found.answer
        and "  " not in found.answer
    )
    assert f"'{metric}'" in found.answer and found.family in found.answer
    assert re.search(r"\(.*\d to [+-]?\d.*\)", found.answer)
    assert "99 %" in found.family and "n = 3,000" in found.family
    methods = "clopper-pearson|tango|batch-t|paired-t|max-T|Sidak|beta-binomial confidence|asymptotic confidence"
    assert re.search(methods, found.family)
    assert found.answer[0] in "WC'" and found.word in WORDS


def test_the_verdict_as_plain_data() -> None:
    data = compared(UP, DOWN, OPEN, fair_within=0.01).to_json()
    assert list(data) == ["answer", "word", "meaning", "rule", "metric", "not_resolved", "family", "rows"]
    assert (data["word"], data["meaning"], data["metric"], data["not_resolved"]) == (
        "depends",
        "it depends on the combination",
        "finished",
        [6],
    )
    assert (
        data["rule"]
        == "a difference counts when its interval lies wholly beyond ±1 pp, is fair when wholly inside, else undecided"
    )
    assert [(row["cell"], row["word"]) for row in data["rows"]] == [(2, "higher"), (4, "lower"), (6, "undecided")]
    assert set(data["rows"][0]) == {"cell", "word", "estimate", "low", "high", "level", "n", "method"}
    assert compared(UP).rule == "a difference counts when its interval lies wholly on one side of 0, else undecided"
    target = verdict(made(report={"target": 0.5}), [ones(100, 50)])
    assert target.rule == "a distance to 50 % counts when its interval lies wholly on one side of 0, else undecided"


def test_an_exact_solution_is_judged_by_the_same_rules() -> None:
    """The words are those of a simulation; a value needs no interval, and equal is the same."""
    plan = made(
        sweep={"axes": {"course.steps.1.down": [0, 2], "altered_odds": [False, True]}}, compare={"baseline": OFF}
    )
    half, third = Fraction(1, 2), Fraction(1, 3)
    verdict = judge_exact(plan, [third, half, half, half])
    assert [row.word for row in verdict.rows] == ["higher", "fair"]
    assert verdict.word == "depends"
    assert "higher in 1 of 2 comparisons and the same in 1" in verdict.answer
    assert verdict.answer.endswith("to +16.6667 pp for levels down 0 (exact).")
    assert judge_exact(plan, [half, third, half, third]).word == "lowers"


def test_what_never_varied_is_not_called_fair_for_that() -> None:
    """Two units that threw alike prove nothing: exactly, altered odds change the throws by 0.139."""
    plan = made(report={"metric": "rolls", "fair_within": 0.1}, **ONE)
    assert verdict(plan, [ones(2, 2)] * 2).word == "undecided"
