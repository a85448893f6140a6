"""Odds: worked examples, enumeration of both sides, the series and its bound, the JSON document."""

import json
import operator
import tomllib
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.core.dice import DiceError, at_least, exactly, parse, pmf
from simkit.core.odds import compare, odds

CASES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "cases" / "odds.toml").read_text(encoding="utf-8")
)
SIGNS: dict[str, Callable[[int, int], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}
SIDES = st.sampled_from(["2d6", "3d4kh2", "1d8r2", "-1d6", "5", "2*1d4-3", "2d6kl1+1d3", "0", "1d20", "9-2d4"])


@pytest.mark.parametrize("case", CASES["odds"], ids=lambda case: case["expr"])
def test_worked_examples(case: dict[str, Any]) -> None:
    found = odds(case["expr"])
    assert found.fraction == Fraction(case["value"])
    assert found.decimal == float(Fraction(case["value"]))
    assert (found.exact, found.bound) == (True, 0.0)


@settings(deadline=None)
@given(SIDES, st.sampled_from(sorted(SIGNS)), SIDES)
def test_every_comparison_equals_enumeration(left: str, sign: str, right: str) -> None:
    pairs = product(pmf(parse(left)).items(), pmf(parse(right)).items())
    expected = sum((p * q for (a, p), (b, q) in pairs if SIGNS[sign](a, b)), Fraction(0))
    assert odds(f"{left} {sign} {right}").fraction == expected
    assert odds(f"{left}{sign}{right}").fraction == expected


@pytest.mark.parametrize("case", CASES["refused_odds"], ids=lambda case: case["text"])
def test_refused_text_names_the_place(case: dict[str, Any]) -> None:
    with pytest.raises(DiceError) as caught:
        odds(case["text"])
    assert (caught.value.column, caught.value.length) == (case["column"], case["length"])
    assert case["says"] in caught.value.message
    assert caught.value.text == case["text"]


def test_a_sign_behind_an_exploding_die_needs_a_blank() -> None:
    assert odds("1d6!=6").fraction == Fraction(5, 6)  # not equal
    assert odds("1d6! = 7").fraction == Fraction(1, 36)
    assert odds("1d6!!=7").fraction == Fraction(35, 36)
    with pytest.raises(DiceError) as caught:
        odds("1d6!==7")
    assert "a blank parts the ! of an exploding die" in caught.value.help


def test_very_long_text_is_refused_unread() -> None:
    with pytest.raises(DiceError, match="may be 1,200 characters long, found 50,000"):
        odds(">" * 50_000)


def test_lists_are_of_the_left_side_or_of_the_difference() -> None:
    alone = odds("2d6 >= 8")
    assert str(alone.subject) == "2d6"
    assert alone.at_least == at_least(parse("2d6"))
    assert dict(alone.at_least)[8] == alone.fraction
    assert alone.exactly == exactly(parse("2d6"))
    opposed = odds("2d6+2 > 2d6")
    assert str(opposed.subject) == "2d6-2d6+2"
    assert [value for value, _ in opposed.at_least] == list(range(-8, 13))
    assert dict(opposed.at_least)[1] == opposed.fraction
    turned = odds("8 <= 2d6")
    assert str(turned.subject) == "-2d6+8"
    assert turned.fraction == alone.fraction


def test_dice_alone_have_a_list_but_no_chance() -> None:
    found = odds(" 2d6+1 ")
    assert (found.expr, found.fraction, found.decimal, found.exact) == ("2d6+1", None, None, True)
    assert found.at_least == at_least(parse("2d6+1"))
    both = odds("1d6! - 1d6!")
    assert not both.exact
    assert sum(chance for _, chance in both.exactly) > 1 - Fraction(1, 10**8)


# --- exploding dice ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [1, 5, 6, 7, 12, 13, 17, 60, 61, 605])
def test_exploding_die_against_a_number_in_closed_form(target: int) -> None:
    # Reaching t takes e = (t - 1) // 6 explosions; then any face for t = 6 e + 1, a 6 for t = 6 e + 6.
    explosions, face = divmod(target - 1, 6)
    expected = Fraction(1, 6**explosions) * Fraction(6 - face, 6)
    assert odds(f"1d6! >= {target}").fraction == expected
    assert odds(f"{target} - 1d6! <= 0").fraction == expected
    assert odds(f"1d6! < {target}").fraction == 1 - expected


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 10, 100])
def test_series_of_opposed_exploding_dice_holds_the_true_chance(sides: int) -> None:
    # Equal totals need equal explosions and equal last faces: the sum of (s - 1) / s**2 * s**-2e over e.
    equal = Fraction(sides - 1, sides**2) / (1 - Fraction(1, sides**2))
    expected = (1 - equal) / 2
    found = compare(parse(f"1d{sides}!") - parse(f"1d{sides}!"))
    assert 0 < found.tail < Fraction(1, 10**16)
    assert found.equal < equal <= found.equal + found.tail
    assert found.greater < expected <= found.greater + found.tail
    assert found.less == found.greater
    assert found.less + found.equal + found.greater + found.tail == 1
    answer = odds(f"1d{sides}! > 1d{sides}!")
    assert (answer.fraction, answer.exact, answer.bound) == (None, False, float(found.tail))
    assert answer.decimal == pytest.approx(float(expected), abs=1e-15)


def test_series_of_kept_exploding_dice_holds_the_true_chance() -> None:
    # By hand with d2!, whose total is 2 e + 1: the best of two has e >= k with 1 - (1 - 2**-k)**2.
    found = odds("2d2!kh1 > 1d2!")
    expected = sum((1 - (1 - Fraction(1, 2**k)) ** 2) * Fraction(1, 2**k) for k in range(1, 200))
    assert abs(float(expected) - (found.decimal or 0)) <= found.bound + 1e-15


def test_only_dice_exploding_on_both_sides_need_the_series() -> None:
    for text in ("1d6! > 2d6", "2d6 > 1d6!", "2d6!kh1 >= 1d4+1d6", "-1d6! < -5", "1d6! > 4 - 1d6!"):
        assert odds(text).exact, text
    assert odds("1d6! > 2d6").fraction == 1 - (odds("1d6! <= 2d6").fraction or 0)
    assert odds("1d6! > 1d20").fraction == odds("1d20 < 1d6!").fraction


def test_large_pools_of_exploding_dice_are_answered() -> None:
    assert odds("100d10! > 3").fraction == 1
    assert odds("10d6! > 10d6!").bound < 1e-16


# --- the document -----------------------------------------------------------------------------------------------------


def test_json_document_of_an_exact_answer() -> None:
    document = odds("1d3 > 1").to_json()
    assert document == {
        "schema": 1,
        "expr": "1d3 > 1",
        "fraction": "2/3",
        "decimal": 2 / 3,
        "exact": True,
        "at_least": [[1, "1"], [2, "2/3"], [3, "1/3"]],
    }
    assert list(document) == ["schema", "expr", "fraction", "decimal", "exact", "at_least"]
    assert json.loads(json.dumps(document)) == document


def test_json_document_is_in_lowest_terms() -> None:
    assert odds("2d6 > 2d6").to_json()["fraction"] == "575/1296"
    assert odds("2d6 >= 8").to_json()["fraction"] == "5/12"
    assert odds("1d6 > 0").to_json()["fraction"] == "1"


def test_json_document_of_a_series_has_a_bound_and_no_fraction() -> None:
    document = odds("1d6! > 1d6!").to_json()
    assert list(document) == ["schema", "expr", "fraction", "decimal", "exact", "at_least", "bound"]
    assert document["fraction"] is None
    assert document["decimal"] == pytest.approx(3 / 7, abs=1e-15)
    assert document["exact"] is False
    json.dumps(document)
