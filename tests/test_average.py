"""Averages of a verdict over the field, and the course of a value along an axis of numbers, held against arithmetic."""

import re
from typing import Any

import numpy as np
import pytest

from simkit.balance.along import along
from simkit.balance.average import averages, sentence
from simkit.balance.verdict import Verdict, judge
from simkit.balance.wording import Row
from simkit.lab import plan as planning
from simkit.lab.estimates import CellResult
from simkit.lab.plan import Plan
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate

UNITS = 2560
"""Pairs a cell: ten in each batch."""


def battles(**more: Any) -> Plan:
    """Return a plan of a few battles; nothing is played."""
    base = {"schema": 1, "name": "battles", "game": "jugger", "run": {"trials": 2 * UNITS}}
    sides = {"a": {"design": {"title": "Jug", "size": 2, "equipment": ["armor", "catapult"]}}, "b": {"design": "axer"}}
    return planning.make({**base, "sides": sides, **more})


FIELD = {
    "sweep": {
        "axes": {
            "sides.b.design": ["axer", "tug"],
            "scenario.distance": [5, 9],
            "policy": ["random", "greedy"],
            "sides.a.design.captain": [[], ["speed"], ["luck"]],
        }
    },
    "compare": {"baseline": {"sides.a.design.captain": []}},
    "report": {"metric": "score_a", "fair_within": 0.02},
}


def result(plan: Plan, sums: np.ndarray, base: np.ndarray | None) -> CellResult:
    """Return what a cell has shown whose batches have these sums of half points, four a pair."""
    n = int(units_per_batch(UNITS).sum())
    mean = int(sums.sum()) / n / 4
    value = Estimate(mean, mean - 0.05, mean + 0.05, plan.level, n, "batch-t")
    gains = None if base is None else sums - base
    found = {"score_a": value}
    if gains is not None:
        gain = int(gains.sum()) / n / 4
        found["score_a_minus_baseline"] = Estimate(gain, gain - 0.05, gain + 0.05, plan.level, n, "paired-t")
    return CellResult(n, False, found, sums, gains, None, None, 2)


def made_up(plan: Plan, level: Any) -> list[CellResult]:
    """Return results with noise around a level for every cell, the same noise everywhere."""
    noise = np.random.default_rng(5).integers(-2, 3, size=256)
    own = np.random.default_rng(6)
    sums = [np.floor(40 * level(cell.labels) + 3 * own.random(256) - 1).astype(np.int64) + noise for cell in plan.cells]
    return [
        result(plan, one, None if cell.baseline is None else sums[cell.baseline])
        for one, cell in zip(sums, plan.cells, strict=True)
    ]


def by_captain(labels: Any) -> float:
    """Return a score that speed raises at greedy and lowers at random; luck does nothing."""
    speed = {"random": -0.25, "greedy": 0.35}[labels["policy"]] * (labels["sides.a.design.captain"] == "Speed demon")
    return 0.5 + speed + 0.1 * (labels["scenario.distance"] == "9")


@pytest.fixture(scope="module")
def field() -> tuple[Plan, list[CellResult], Verdict]:
    plan = battles(**FIELD)
    results = made_up(plan, by_captain)
    return plan, results, judge(plan, results)


def test_an_average_is_the_mean_of_its_comparisons(field: tuple[Plan, list[CellResult], Verdict]) -> None:
    plan, _, verdict = field
    found = verdict.averages
    assert found is not None
    assert [(one.rung, one.variant) for one in found.rows] == [
        (rung, captain) for rung in ("random", "greedy") for captain in ("Speed demon", "Luck")
    ]
    assert (found.count, found.over) == (4, "these 4 combinations of B and distance")
    values = {row.cell: row.value.estimate for row in verdict.rows}
    for one in found.rows:
        assert len(one.cells) == 4
        assert {plan.cells[number - 1].labels["policy"] for number in one.cells} == {one.rung}
        assert one.value.estimate == pytest.approx(np.mean([values[number] for number in one.cells]))
        assert one.value.low < one.value.estimate < one.value.high
    assert [one.word for one in found.rows] == ["lower", "fair", "higher", "fair"]


def test_an_average_is_surer_than_its_comparisons(field: tuple[Plan, list[CellResult], Verdict]) -> None:
    _, _, verdict = field
    assert verdict.averages is not None
    single = min(row.value.high - row.value.low for row in verdict.rows)
    assert all(one.value.high - one.value.low < single for one in verdict.averages.rows)


def test_the_answer_speaks_of_every_rung_and_variant(field: tuple[Plan, list[CellResult], Verdict]) -> None:
    _, _, verdict = field
    said = verdict.answer
    assert said.startswith("Compared with no captain, averaged over these 4 combinations of B and distance, 'score_a'")
    lower, higher = (
        said.index(": at random, lower with Speed demon -2"),
        said.index("; at greedy, higher with Speed demon +3"),
    )
    assert lower < higher < said.index("; single comparisons run from ")
    assert said.count("within 2 pp with Luck ") == 2
    assert re.search(r"\(99 % for all 4 averages together, [^;]+; single comparisons: 99 % for all 16 together, ", said)
    rows = verdict.to_json()["averages"]["rows"]
    assert {"variant", "rung", "cells", "word", "estimate", "low", "high", "level", "n", "method"} == set(rows[0])


def test_what_never_varied_has_the_mean_of_its_bounds() -> None:
    plan = battles(**FIELD)
    flat = [result(plan, np.full(256, 10), None if cell.baseline is None else np.full(256, 10)) for cell in plan.cells]
    rows = [
        Row(cell.number, "undecided", Estimate(0.0, -0.01 * cell.number, 0.03, plan.level, UNITS, "rare-bound"))
        for cell in plan.cells
        if cell.baseline is not None
    ]
    found = averages(plan, flat, rows)
    assert found is not None
    for one in found.rows:
        assert one.value.low == pytest.approx(-0.01 * np.mean(one.cells))
        assert (one.value.high, one.value.method) == (pytest.approx(0.03), "rare-bound")


def test_nobody_is_judged_by_an_easier_field() -> None:
    plan = battles(**FIELD)
    results = made_up(plan, by_captain)
    rows = judge(plan, results).rows
    assert averages(plan, results, rows) is not None
    assert averages(plan, results, rows[:-1]) is None


def test_a_single_comparison_a_variant_has_no_average() -> None:
    axes = {"sides.a.design.captain": [[], ["speed"]], "policy": ["random", "greedy"]}
    plan = battles(**FIELD | {"sweep": {"axes": axes}})
    noise = np.arange(256)
    results = [
        result(plan, noise + i % 2 * noise % 3, None if cell.baseline is None else noise)
        for i, cell in enumerate(plan.cells)
    ]
    assert judge(plan, results).averages is None


ARMIES = [
    {"title": name, "units": [{"design": design}]}
    for name, design in zip("XYZ", ("archer", "axer", "tug"), strict=True)
]
EVERYBODY = {
    "sides": {"a": {"units": ARMIES[0]["units"]}, "b": {"units": ARMIES[1]["units"]}},
    "sweep": {"axes": {"sides.a": ARMIES, "sides.b": ARMIES}},
    "report": {"metric": "score_a", "target": 0.5, "fair_within": 0.02},
}


def test_everybody_against_everybody_is_averaged_without_battles_with_oneself() -> None:
    plan = battles(**EVERYBODY)
    strength = {"X": 0.1, "Y": 0.3, "Z": 0.2}
    results = made_up(plan, lambda labels: 0.5 + strength[labels["sides.a"]] - strength[labels["sides.b"]])
    verdict = judge(plan, results)
    found = verdict.averages
    assert found is not None
    assert [(one.variant, one.word) for one in found.rows] == [("X", "lower"), ("Y", "higher"), ("Z", "fair")]
    for one in found.rows:
        labels = [plan.cells[number - 1].labels for number in one.cells]
        assert {each["sides.b"] for each in labels} == {"X", "Y", "Z"} - {one.variant}
    said = verdict.answer
    assert said.startswith("Averaged over both opponents, 'score_a' (")
    assert "is above 50 % for Y 6" in said and ", so that Y come first; single cells run " in said
    level = made_up(plan, lambda labels: 0.5)
    assert "; which comes first is not resolved; " in sentence(
        plan, averages(plan, level, verdict.rows), verdict.rows, ""
    )  # type: ignore[arg-type]


def test_the_course_along_an_axis_of_numbers_is_told() -> None:
    axes = {"sides.b.design": ["axer", "tug"], "scenario.distance": [5, 9, 15]}
    plan = battles(sweep={"axes": axes}, report={"metric": "score_a", "target": 0.5})
    value = Estimate(0.5, 0.4, 0.6, plan.level, UNITS, "max-t")
    words = ["higher", "higher", "lower", "undecided", "undecided", "undecided"]
    rows = [Row(cell.number, word, value) for cell, word in zip(plan.cells, words, strict=True)]
    phrases = {"higher": "above", "lower": "below", "undecided": "not resolved"}
    assert along(plan, rows, phrases) == (
        "by distance: for Axer: above at 5 and 9, below at 15; for Tug: not resolved at each"
    )
    assert along(plan, rows[:2], phrases) == ""
    assert along(plan, [Row(row.cell, "higher", value) for row in rows], phrases) == ""


def test_what_is_surely_on_one_side_but_within_the_band_leans() -> None:
    plan = battles(**FIELD)
    results = made_up(plan, lambda labels: 0.5 + 0.0205 * (labels["sides.a.design.captain"] == "Luck"))
    verdict = judge(plan, results)
    assert verdict.averages is not None
    (luck,) = (one for one in verdict.averages.rows if one.variant == "Luck" and one.rung == "greedy")
    assert luck.word == "undecided" and luck.value.low > 0
    assert "higher, but not surely by 2 pp, with Luck +" in verdict.answer
