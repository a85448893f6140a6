"""Dice: exact chances against enumeration and against icepool, tables, limits."""

import doctest
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import accumulate, product
from math import prod
from pathlib import Path
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.core import counts, dice, duel, moments, notation, odds, rounding, terms
from simkit.core.dice import (
    Dice,
    DiceError,
    Die,
    at_least,
    cut,
    exactly,
    mean,
    parse,
    pmf,
    tabulate,
    thresholds,
    truncated_pmf,
    variance,
)
from tests.test_notation import UNHURRIED, expressions

BITS = st.integers(0, 2**64 - 1)


def enumerate_die(die: Die) -> Counter[int]:
    """Throw a die twice in all ways; the second throw stands where the first is rerolled."""
    throws = product(range(1, die.sides + 1), repeat=2)
    return Counter(again if face <= die.reroll else face for face, again in throws)


def enumerate_dice(expression: Dice) -> dict[int, Fraction]:
    """Throw all dice in all ways and follow the rules literally."""
    ways: Counter[int] = Counter()
    each = [enumerate_die(term.die).items() for term in expression.terms for _ in range(term.count)]
    for throw in product(*each):
        faces = [face for face, _ in throw]
        value = expression.bonus
        for term in expression.terms:
            shown, faces = sorted(faces[: term.count]), faces[term.count :]
            if term.keep_highest:
                shown = shown[-term.keep_highest :]
            elif term.keep_lowest:
                shown = shown[: term.keep_lowest]
            value += term.factor * sum(shown)
        ways[value] += prod(way for _, way in throw)
    return {value: Fraction(ways[value], ways.total()) for value in sorted(ways)}


def as_fractions(die: Any) -> dict[int, Fraction]:
    """Turn an icepool die into chances."""
    return {value: Fraction(quantity, die.denominator()) for value, quantity in die.items()}


# --- exact chances ----------------------------------------------------------------------------------------------------


@UNHURRIED
@given(expressions())
def test_chances_equal_enumeration(expression: Dice) -> None:
    expected = enumerate_dice(expression)
    assert pmf(expression) == expected
    assert exactly(expression) == list(expected.items())
    reached = list(accumulate(reversed(expected.values())))[::-1]
    assert at_least(expression) == list(zip(expected, reached, strict=True))
    assert mean(expression) == sum(value * chance for value, chance in expected.items())
    assert variance(expression) == sum((v - mean(expression)) ** 2 * chance for v, chance in expected.items())
    assert (expression.lowest, expression.span) == (min(expected), max(expected) - min(expected) + 1)


@pytest.mark.parametrize(
    ("text", "oracle"),
    [
        ("10d10", lambda: 10 @ icepool.d10),
        ("2d6+1d4-3", lambda: 2 @ icepool.d6 + icepool.d4 - 3),
        ("3*2d6-1d8", lambda: 3 * (2 @ icepool.d6) - icepool.d8),
        ("4d6kh3", lambda: icepool.d6.highest(4, 3)),
        ("5d10kl2", lambda: icepool.d10.lowest(5, 2)),
        ("40d6kh20", lambda: icepool.d6.highest(40, 20)),
        ("9d12kl8+1", lambda: icepool.d12.lowest(9, 8) + 1),
        ("2d6r2", lambda: 2 @ icepool.d6.reroll([1, 2], depth=1)),
        ("5d8r1kh2", lambda: icepool.d8.reroll([1], depth=1).highest(5, 2)),
        ("30d20", lambda: 30 @ icepool.d20),
    ],
)
def test_chances_equal_icepool(text: str, oracle: Any) -> None:
    assert pmf(parse(text)) == as_fractions(oracle())


@pytest.mark.parametrize(
    ("text", "oracle"),
    [
        ("1d6!", lambda die: die),
        ("3d6!", lambda die: 3 @ die),
        ("4d6!kh2", lambda die: die.highest(4, 2)),
        ("4d6!kl3", lambda die: die.lowest(4, 3)),
        ("2*1d6!-1d4", lambda die: 2 * die - icepool.d4),
    ],
)
def test_exploding_chances_equal_icepool_below_its_cut(text: str, oracle: Any) -> None:
    # Eight explosions reach past 48; below, the two must agree to the last digit.
    expected = as_fractions(oracle(icepool.d6.explode(depth=8)))
    found = tabulate(parse(text), 40)
    for i, weight in enumerate(found.weights):
        assert Fraction(weight, found.total) == expected.get(found.lowest + i, 0)


def test_reroll_comes_before_explosion_and_only_once() -> None:
    # By hand: a d4 rerolled on 1 shows 4 at once (1/4) or after a 1 (1/16); a 4 won by exploding is not rerolled.
    chances, tail = truncated_pmf(parse("1d4r1!"), 1)
    first = {1: Fraction(1, 16), 2: Fraction(5, 16), 3: Fraction(5, 16)}
    assert chances == first | {4 + face: Fraction(5, 64) for face in (1, 2, 3)}
    assert tail == Fraction(5, 64)


@UNHURRIED
@given(expressions(most=6, explodes=True), st.integers(0, 3))
def test_truncated_chances_and_tail_make_one(expression: Dice, depth: int) -> None:
    chances, tail = truncated_pmf(expression, depth)
    assert sum(chances.values()) + tail == 1
    more, less = truncated_pmf(expression, depth + 1)
    assert less <= tail
    assert all(more[value] >= chance for value, chance in chances.items())


@pytest.mark.parametrize("text", ["1d6!", "3d4!", "4d6!kh3", "4d6!kl3", "3d6r2!", "3d6r1!kh1", "2*2d8!kl1+1d4-2"])
def test_moments_of_exploding_dice_equal_the_sum_of_the_series(text: str) -> None:
    # Two methods: the recursion behind mean and variance, and a table that leaves out less than 1e-20.
    expression = parse(text)
    found = tabulate(expression, 200)
    assert found.tail < found.total * Fraction(1, 10**20)
    values = range(found.lowest, found.lowest + len(found.weights))
    first = Fraction(sum(v * w for v, w in zip(values, found.weights, strict=True)), found.total)
    second = Fraction(sum(v * v * w for v, w in zip(values, found.weights, strict=True)), found.total)
    assert 0 < mean(expression) - first < Fraction(1, 10**17)
    assert abs(variance(expression) - (second - first**2)) < Fraction(1, 10**14)


def test_mean_of_an_exploding_die_by_hand() -> None:
    # E = 7/2 + E/6
    assert mean(parse("1d6!")) == Fraction(21, 5)
    assert mean(parse("2-10d6!")) == 2 - 42


def test_exploding_list_ends_where_the_chance_to_go_on_is_tiny() -> None:
    listed = at_least(parse("1d10!"))
    assert [value for value, _ in listed[:11]] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12]
    assert dict(listed)[11] == Fraction(1, 10)
    assert listed[-1] == (91, Fraction(1, 10**9))
    down = at_least(parse("-1d10!"))
    assert down[0][0] == -91
    assert down[-1] == (-1, Fraction(1, 10))


def test_exploding_dice_have_no_finite_list() -> None:
    for text in ("1d6!", "-1d6!", "1d6!-1d6!"):
        with pytest.raises(DiceError, match="explode without end"):
            pmf(parse(text))
    with pytest.raises(DiceError, match="no highest value"):
        tabulate(parse("1d6!"))
    with pytest.raises(DiceError, match="no lowest value"):
        tabulate(parse("-1d6!"), 10)


@pytest.mark.parametrize("text", ["100d100", "1000d6kh3", "300d30kh1", "20d6!kh10", "100d6!"])
def test_large_dice_within_the_limits_are_worked_out(text: str) -> None:
    counted = tabulate(parse(text), 100)
    assert sum(counted.weights) + counted.tail == counted.total
    assert counted.weights[0] > 0
    assert mean(parse(text)) > 0


def test_limits_hold_for_tables_of_exploding_dice_too() -> None:
    with pytest.raises(DiceError, match="bits in an exact table may be at most 3,000,000"):
        tabulate(parse("1d6!"), 20_000)
    with pytest.raises(DiceError, match="at most 100,000, found 200,000"):
        tabulate(parse("1d6!"), 200_000)
    with pytest.raises(DiceError, match="sort out the kept dice"):
        at_least(parse("40d6!kh20"))


# --- tables for throwing ----------------------------------------------------------------------------------------------


@UNHURRIED
@given(expressions())
def test_cut_is_the_cumulative_table_of_all_values(expression: Dice) -> None:
    table = cut(expression, 128)
    expected = enumerate_dice(expression)
    assert [value for value, _ in table] == list(range(min(expected), max(expected) + 1))
    for value, upto in table:
        assert upto == sum(chance for v, chance in expected.items() if v <= value)


@UNHURRIED
@given(expressions(), BITS, BITS)
def test_thresholds_read_dice_and_a_greater_word_never_shows_less(expression: Dice, word: int, other: int) -> None:
    lowest, bounds = thresholds(expression, 128)
    table = cut(expression, 128)
    assert bounds == tuple(int(upto * 2**64) for _, upto in table[:-1])
    assert all(0 <= bound < 2**64 for bound in bounds)
    values = [lowest + sum(bound <= u for bound in bounds) for u in sorted((word, other))]
    assert values[0] <= values[1]
    # The word stands for its place in [0, 1): the first value whose cumulative chance lies above it.
    shown = next(value for value, upto in table if int(upto * 2**64) > min(word, other))
    assert values[0] == shown


def test_thresholds_hold_every_chance_to_one_part_in_two_to_the_64() -> None:
    lowest, bounds = thresholds(parse("3d6kh2"), 128)
    edges = [0, *bounds, 2**64]
    for value, chance in pmf(parse("3d6kh2")).items():
        words = edges[value - lowest + 1] - edges[value - lowest]
        assert abs(words - chance * 2**64) < 1


def test_impossible_values_are_never_thrown() -> None:
    lowest, bounds = thresholds(parse("3*1d6"))
    assert (lowest, len(bounds)) == (3, 15)
    assert {lowest + sum(bound <= u for bound in bounds) for u in range(0, 2**64, 2**58)} == {3, 6, 9, 12, 15, 18}
    assert thresholds(parse("7")) == (7, ())


def test_table_of_exploding_dice_is_cut_at_the_last_row() -> None:
    table = cut(parse("1d6!"), 11)
    assert [value for value, _ in table] == list(range(1, 12))
    assert table[4] == (5, Fraction(5, 6))
    assert table[5] == (6, Fraction(5, 6))
    assert table[9] == (10, Fraction(5, 6) + Fraction(4, 36))
    assert table[10] == (11, Fraction(1))
    # Upside down, the first row takes the rest.
    assert cut(parse("-1d6!"), 6)[0] == (-6, Fraction(1, 6))
    assert cut(parse("10-1d6!"), 7)[0] == (3, Fraction(1, 6))
    for rows in range(1, 40):
        assert len(cut(parse("2*1d6!+1d4"), rows)) == rows


def test_tables_too_small_are_refused() -> None:
    with pytest.raises(DiceError, match="need a table of 196 rows, at most 128 are allowed"):
        thresholds(parse("1d100+1d97"), 128)
    with pytest.raises(DiceError, match=r"would move 0\.0072 of all throws of these dice to its end"):
        thresholds(parse("1d100!"), 128)
    with pytest.raises(DiceError, match="explode both ways"):
        thresholds(parse("1d6!-1d6!"), 128)
    with pytest.raises(DiceError, match="at least 1 row, found 0"):
        cut(parse("1d6!"), 0)
    assert len(thresholds(parse("1d6!"), 128)[1]) == 127


# --- the room ---------------------------------------------------------------------------------------------------------


def test_examples_in_docstrings() -> None:
    names: dict[str, Any] = {"parse": parse, "mean": mean, "variance": variance}
    tried = 0
    for module in (counts, dice, duel, moments, notation, odds, rounding, terms):
        result = doctest.testmod(module, extraglobs=names)
        assert result.failed == 0, module.__name__
        tried += result.attempted
    assert tried >= 25


def test_dice_need_neither_numpy_nor_numba() -> None:
    code = (
        "import sys, simkit.core.odds, simkit.core.duel;"
        "sys.exit(', '.join({'numpy', 'numba', 'pandas', 'scipy'} & set(sys.modules)) or None)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[1])
