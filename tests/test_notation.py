"""Dice notation: what is read, how it is written back, what is refused and where."""

import tomllib
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.core.notation import MAX_TEXT, parse
from simkit.core.terms import MAX_TERMS, Dice, DiceError, Die, Term

CASES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "cases" / "odds.toml").read_text(encoding="utf-8")
)
UNHURRIED = settings(deadline=None, max_examples=60)


@st.composite
def dies(draw: st.DrawFn, most: int, explodes: bool) -> Die:
    """Draw a die of at most so many sides."""
    sides = draw(st.integers(2 if explodes else 1, most))
    return Die(sides, draw(st.integers(0, sides - 1)), explodes)


@st.composite
def expressions(draw: st.DrawFn, most: int = 4, explodes: bool = False) -> Dice:
    """Draw up to two terms of at most three small dice, and a whole number."""
    found = []
    for _ in range(draw(st.integers(0, 2))):
        count = draw(st.integers(1, 3))
        kept = draw(st.integers(1, count))
        keep = draw(st.sampled_from([{}, {"keep_highest": kept}, {"keep_lowest": kept}]))
        factor = draw(st.sampled_from([1, 1, -1, 2, -3]))
        die = draw(dies(most, explodes and draw(st.booleans())))
        found.append(Term(count, die, factor, **keep))
    return Dice(tuple(found), draw(st.integers(-5, 5)))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2d6", "2d6"),
        ("d6", "1d6"),
        ("2D6", "2d6"),
        ("10D10", "10d10"),
        ("d%", "1d100"),
        ("-1d6", "-1d6"),
        (" 2 d 6\t+ 1 ", "2d6+1"),
        ("2d6+1d4-3", "2d6+1d4-3"),
        ("3 + D6 - 2D4 - 1", "1d6-2d4+2"),
        ("3*1d6", "3*1d6"),
        ("2-3*d6", "-3*1d6+2"),
        ("1*2d6", "2d6"),
        ("2d20KH", "2d20kh1"),
        ("4d6kh3", "4d6kh3"),
        ("3d6kl2", "3d6kl2"),
        ("1d6r1", "1d6r1"),
        ("1d6r0", "1d6"),
        ("4d6r1!kh3", "4d6r1!kh3"),
        ("d%r5!", "1d100r5!"),
        ("007", "7"),
        ("-7", "-7"),
        ("5-5", "0"),
    ],
)
def test_notation_is_read_and_written_in_one_form(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical
    assert parse(canonical) == parse(text)


@UNHURRIED
@given(expressions(most=20, explodes=True))
def test_canonical_text_reads_back_to_the_same_value(expression: Dice) -> None:
    assert parse(str(expression)) == expression
    assert hash(parse(str(expression))) == hash(expression)


def test_longest_canonical_text_reads_back() -> None:
    widest = Dice((Term(1000, Die(2, 1, True), -9999),), -1_000_000)
    assert parse(str(widest)) == widest
    term = "-10000*1000d10000r9999!kh1000"
    assert MAX_TERMS * len(term) + len("-1000000") <= MAX_TEXT


@UNHURRIED
@given(st.text(alphabet="0123456789dDkKhHlLrR!%*+- x", max_size=14))
def test_any_text_is_read_or_refused_in_place(text: str) -> None:
    try:
        expression = parse(text)
    except DiceError as error:
        assert error.text == text
        assert 0 <= error.column <= len(text)
        assert error.length >= 1
    else:
        assert parse(str(expression)) == expression


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["text"][:20] or "empty")
def test_refused_text_names_the_place_and_what_is_allowed(case: dict[str, Any]) -> None:
    with pytest.raises(DiceError) as caught:
        parse(case["text"])
    error = caught.value
    assert (error.column, error.length) == (case["column"], case["length"])
    assert case["says"] in error.message
    assert error.text == case["text"]


def test_error_shows_the_text_with_a_caret_and_help() -> None:
    with pytest.raises(DiceError) as caught:
        parse("3d6kh2!")
    assert str(caught.value).splitlines() == [
        "expected '+', '-' or the end, found '!'",
        "  | 3d6kh2!",
        "  |       ^",
        "help: each modifier comes once, in this order: 4d6r1!kh3",
    ]


def test_error_prints_nothing_that_steers_a_terminal() -> None:
    with pytest.raises(DiceError) as caught:
        parse("1d6\x1b[31m\u202e")
    assert all(character.isprintable() or character == "\n" for character in str(caught.value))


@pytest.mark.parametrize("text", ["1" * 5_000, "1d6+" * 2_000 + "1", "1d6" + " " * 10_000])
def test_very_long_text_is_refused_unread(text: str) -> None:
    with pytest.raises(DiceError, match=f"dice may be 600 characters long, found {len(text):,}") as caught:
        parse(text)
    assert caught.value.column == 600
    assert max(map(len, str(caught.value).splitlines())) < 100


def test_long_number_is_shown_by_its_length_and_a_window_of_the_text() -> None:
    with pytest.raises(DiceError, match="found a number of 500 digits") as caught:
        parse("1d" + "9" * 500)
    assert (caught.value.column, caught.value.length) == (2, 500)
    assert max(map(len, str(caught.value).splitlines())) < 100


def test_values_are_frozen_and_checked_without_the_parser() -> None:
    expression = parse("2d6+1")
    with pytest.raises(FrozenInstanceError):
        expression.bonus = 2  # type: ignore[misc]
    assert expression == Dice((Term(2, Die(6)),), 1)
    with pytest.raises(DiceError, match="not both"):
        Term(3, Die(6), keep_highest=1, keep_lowest=1)
    with pytest.raises(DiceError, match="the multiplier"):
        Term(3, Die(6), factor=0)


def test_dice_add_subtract_and_turn_sign() -> None:
    left, right = parse("2d6+1"), parse("1d4-2")
    assert str(left - right) == "2d6-1d4+3"
    assert str(left + right) == "2d6+1d4-1"
    turned = -left
    assert str(turned) == "-2d6-1"
    assert -turned == left
    wide = parse("+".join(["1d2"] * 20))
    assert len((wide - wide).terms) == 40
    with pytest.raises(DiceError, match="the number of terms may be at most 40"):
        wide - wide - wide
