"""Exact factors, rounded once."""

import tomllib
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.core.rounding import Half, exact, scaled

CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "cases" / "odds.toml").read_text(encoding="utf-8")
)["rounding"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['value']} {case['half']}")
def test_worked_examples_in_any_order(case: dict[str, Any]) -> None:
    for factors in permutations(case["factors"]):
        assert scaled(case["value"], *factors, half=case["half"]) == case["result"]


@given(st.fractions(max_denominator=8), st.sampled_from(["up", "down", "away", "even"]))
def test_every_rule_goes_to_a_nearest_whole_number(number: Fraction, half: Half) -> None:
    found = scaled(number, half=half)
    assert abs(found - number) <= Fraction(1, 2)
    if abs(found - number) == Fraction(1, 2):
        other = 2 * number - found
        chosen = {
            "up": found > other,
            "down": found < other,
            "away": abs(found) > abs(other),
            "even": found % 2 == 0,
        }
        assert chosen[half]


@pytest.mark.parametrize(
    ("given_as", "number"),
    [("1.10", Fraction(11, 10)), (" -3 ", Fraction(-3)), ("13/18", Fraction(13, 18)), (Fraction(1, 3), Fraction(1, 3))],
)
def test_exact_numbers(given_as: str | Fraction, number: Fraction) -> None:
    assert exact(given_as) == number


@pytest.mark.parametrize("wrong", [1.1, True, None, [1]])
def test_inexact_numbers_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected an int, a Fraction or a text"):
        scaled(616, wrong)


@pytest.mark.parametrize("wrong", ["", "1,1", "1e999999999", "nan", "1/0", "1/000", "1" * 41, "²"])
def test_texts_that_are_no_numbers_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"expected a number such as 1\.10 or 13/18, found"):
        exact(wrong)


def test_unknown_half_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="half must be one of up, down, away, even, found 'banker'"):
        scaled(1, half="banker")  # type: ignore[arg-type]
