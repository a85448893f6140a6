"""Axes of a sweep: their values, how they combine, and what is wrong with their shape."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit import stats
from simkit.lab import axes
from simkit.lab.experiment import Range, Sweep
from tests.laboratory import made, messages, question, text, wrong

HEAD = 'schema = 1\nname = "small"\ngame = "pigtickler"\n[course]\nsteps = [{ turn = 1 }]\n'


def points(seed: int = 1, **sweep: Any) -> list[dict[str, Any]]:
    return list(axes.points(Sweep.model_validate(sweep), seed))


def sampled(count: int, mode: str = "random", seed: int = 1, **axis: Any) -> list[Any]:
    return [point["a"] for point in points(seed, mode=mode, samples=count, axes={"a": axis})]


def test_a_sweep_without_axes_is_one_point() -> None:
    assert points() == [{}]
    assert points(mode="zip") == [{}]


def test_a_grid_has_every_combination_the_last_axis_fastest() -> None:
    grid = points(axes={"a": [1, 2], "b": {"range": [0, 2]}, "c": ["x"]})
    assert [tuple(point.values()) for point in grid] == [(a, b, "x") for a in (1, 2) for b in (0, 1, 2)]
    assert all(list(point) == ["a", "b", "c"] for point in grid)


def test_zip_goes_along_all_axes_at_once() -> None:
    assert points(mode="zip", axes={"a": [1, 2, 3], "b": {"range": [0, 1, 0.5]}}) == [
        {"a": 1, "b": 0.0},
        {"a": 2, "b": 0.5},
        {"a": 3, "b": 1.0},
    ]


@pytest.mark.parametrize("mode", ["random", "sobol"])
def test_samples_are_the_same_for_the_same_seed_and_a_longer_sweep_begins_with_them(mode: str) -> None:
    tables = {"a": {"min": 0, "max": 1}, "b": ["x", "y", "z"], "c": {"min": -3, "max": 3, "dist": "int"}}
    short, long = (points(7, mode=mode, samples=n, axes=tables) for n in (21, 100))
    assert long[:21] == short
    assert points(7, mode=mode, samples=100, axes=tables) == long
    assert points(8, mode=mode, samples=100, axes=tables) != long
    assert len(long) == 100


@pytest.mark.parametrize("samples", [1, 2, 3, 64, 65])
def test_any_number_of_samples(samples: int) -> None:
    assert len(sampled(samples, "sobol", min=0, max=1)) == samples


def test_sobol_points_fill_every_cell_of_a_grid_evenly() -> None:
    found = points(3, mode="sobol", samples=256, axes={"a": {"min": 0, "max": 1}, "b": {"min": 0, "max": 1}})
    boxes = Counter((int(16 * point["a"]), int(16 * point["b"])) for point in found)
    assert set(boxes.values()) == {1} and len(boxes) == 256


@pytest.mark.parametrize(("low", "high"), [(0, 5), (-3, 3), (-7, -2), (2, 3)])
def test_whole_numbers_are_equally_likely_ends_included(low: int, high: int) -> None:
    draws = sampled(20_000, min=low, max=high, dist="int")
    counted = Counter(draws)
    assert all(type(value) is int for value in draws)
    assert set(counted) == set(range(low, high + 1))
    shares = np.full(high - low + 1, 1 / (high - low + 1))
    assert stats.g_test([counted[value] for value in range(low, high + 1)], shares).p_value > 1e-6


def test_uniform_and_log_intervals() -> None:
    uniform = sampled(20_000, min=-1, max=3)
    assert -1 <= min(uniform) < -0.99 and 2.99 < max(uniform) < 3
    assert abs(sum(uniform) / len(uniform) - 1) < 5 * 4 / math.sqrt(12 * 20_000)
    logarithmic = sampled(20_000, min=0.01, max=100, dist="log")
    assert min(logarithmic) >= 0.01 and max(logarithmic) < 100
    below = sum(value < 1 for value in logarithmic)
    assert float(stats.binomial_tail(below, 20_000, 0.5)) > 1e-6


def test_lists_and_ranges_can_be_sampled_too() -> None:
    counted = Counter(point["a"] for point in points(mode="random", samples=9_000, axes={"a": ["x", "y", "z"]}))
    assert stats.g_test([counted[name] for name in "xyz"], np.full(3, 1 / 3)).p_value > 1e-6
    assert set(sampled(100, range=[1, 4])) == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("mode", "samples", "axis", "says"),
    [
        ("grid", None, "bogs.ford = [1, 2, 1]", "axis 'bogs.ford' has 1 twice"),
        ("random", 9, 'dice = ["1d12", "2d6", "2d6"]', "axis 'dice' has \"2d6\" twice"),
        ("sobol", 9, "altered_odds = [true, true]", "axis 'altered_odds' has true twice"),
        ("grid", None, "bogs.ford = [1]\ncourse.turns = [3, 3]", "axis 'course.turns' has 3 twice"),
        (
            "grid",
            None,
            "course.steps = [[{ turn = 1, down = 2 }], [{ down = 2, turn = 1 }]]",
            "axis 'course.steps' has [{down = 2, turn = 1}] twice",
        ),
        ("zip", None, "bogs.ford = [1, 1, 1]\ncourse.turns = [2, 3, 2]", "zip gives the combination [1, 2] twice"),
    ],
)
def test_a_value_that_stands_there_twice_is_found(mode: str, samples: int | None, axis: str, says: str) -> None:
    count = "" if samples is None else f"samples = {samples}\n"
    source = f'{HEAD}[sweep]\nmode = "{mode}"\n{count}[sweep.axes]\n{axis}\n'
    (problem,) = wrong(text(source))
    assert (problem.message, problem.help) == (says, "its cells would be the same: leave one of them out")
    line = axis.splitlines()[0 if mode == "zip" else -1]
    assert problem.span is not None and source.splitlines()[problem.span.line - 1] == line
    assert line[: problem.span.column - 1].count(",") >= 1


def test_a_house_rule_by_its_id_and_by_its_file_is_one() -> None:
    axis = {"house_rules": [["soft-bogs"], [], ["house/soft-bogs.toml"]]}
    assert "axis 'house_rules' has [\"house/soft-bogs.toml\"] twice" in messages(question(sweep={"axes": axis}))


def test_what_only_looks_alike_may_stand_on_one_axis() -> None:
    assert made(sweep={"axes": {"house_rules": [[], ["soft-bogs"], ["soft-bogs", "steady-nerves"]]}})
    assert len(made(sweep={"mode": "zip", "axes": {"bogs.ford": [1, 1, 2], "course.turns": [2, 3, 2]}}).cells) == 3
    assert messages(question(sweep={"axes": {"bogs.ford": [1, True]}})) == [
        "'ford' in [bogs] must be a whole number, found true"
    ]


@given(st.floats(0, 1, exclude_max=True), st.integers(-50, 50), st.integers(1, 100))
def test_every_draw_lies_inside_the_interval(u: float, low: int, width: int) -> None:
    for dist in ("uniform", "int", None):
        value = axes._at(Range(min=low, max=low + width, dist=dist), u)
        assert low <= value <= low + width


# The shape of a sweep


@pytest.mark.parametrize(
    ("sweep", "says", "place"),
    [
        ('[sweep]\nmode = "zip"\n[sweep.axes]\ndice = ["2d6"]\nwreck_at = [1, 2]\n',
         ("zip axes differ in length: dice has 1, wreck_at has 2", 'mode = "grid" tries all 2 combinations'), (7, 8)),
        ("[sweep.axes]\nwreck_at = { min = 1, max = 3 }\n",
         ("axis 'wreck_at' is an interval to sample, but mode is \"grid\"",
          'mode = "random" or "sobol" samples intervals; {range = [lo, hi, step]} lists values'), (7, 1)),
        ('[sweep]\nmode = "sobol"\n[sweep.axes]\nwreck_at = [1]\n',
         ('mode = "sobol" needs samples = ...', None), (7, 8)),
        ("[sweep]\nsamples = 3\n", ('samples goes with mode = "random" or "sobol", not "grid"', None), (7, 1)),
        ('[sweep]\nmode = "random"\nsamples = 3\n', ("there is no axis to sample", None), (7, 1)),
        ('[sweep.axes]\nwreck_at = { range = [1, 1000] }\n"course.turns" = { range = [1, 1000] }\n'
         "free_facing = [true, false]\n",
         ("this sweep has 2,000,000 cells, at most 1,000,000 are allowed",
          'fewer values, or mode = "sobol" with samples = 256'), (6, 8)),
    ],
)  # fmt: skip
def test_a_sweep_of_a_wrong_shape(sweep: str, says: tuple[str, str | None], place: tuple[int, int]) -> None:
    (problem,) = wrong(text(HEAD + sweep))
    assert (problem.message, problem.help) == says
    assert problem.span is not None and problem.span[:2] == place
    assert problem.kind == ("limit" if "2,000,000" in problem.message else "shape")


def test_sizes_are_counted_before_anything_is_built() -> None:
    huge = {f"bogs.{name}": {"range": [0, 999_999]} for name in ("ford", "swamp", "snow", "grass")}
    assert messages(question(sweep={"axes": huge})) == [
        "this sweep has 1,000,000,000,000,000,000,000,000 cells, at most 1,000,000 are allowed"
    ]


def test_a_wrong_shape_does_not_hide_what_else_is_wrong() -> None:
    sweep = '[sweep]\nmode = "zip"\n[sweep.axes]\ndice = ["2d6"]\nwreck_at = [1, 2]\n'
    assert messages(text(f'{HEAD}{sweep}[set]\ndise = 3\n[report]\nmetric = "x"\n')) == [
        "zip axes differ in length: dice has 1, wreck_at has 2",
        "the rules of pigtickler have no value called 'dise'",
        "pigtickler counts nothing called 'x'",
    ]


def test_value_place_points_at_the_value() -> None:
    document = text(f'{HEAD}[sweep.axes]\nwreck_at = [1, 2]\n"course.turns" = {{ range = [1, 3] }}\n')
    sweep = Sweep.model_validate(document.data["sweep"])
    assert axes.value_place(document, sweep, "wreck_at", 2) == ("sweep", "axes", "wreck_at", 1)
    assert axes.value_place(document, sweep, "course.turns", 2) == ("sweep", "axes", "course.turns")


def test_varied_lists_values_in_the_order_of_their_first_use() -> None:
    assert axes.varied([{"a": 2, "b": [1]}, {"a": 1, "b": [1]}, {"a": 2, "b": [3]}]) == {"a": [2, 1], "b": [[1], [3]]}


def test_sampled_sweeps_are_planned() -> None:
    sweep = {"mode": "sobol", "samples": 8, "axes": {"bogs.swamp": {"min": -5, "max": 0, "dist": "int"}}}
    plan = made(sweep=sweep)
    assert [cell.rules.bogs["swamp"] for cell in plan.cells] == [cell.factors["bogs.swamp"] for cell in plan.cells]
    more = made(sweep=sweep | {"samples": 16})
    assert [cell.fingerprint for cell in more.cells[:8]] == [cell.fingerprint for cell in plan.cells]
