"""Exact duels: worked examples, a plain forward calculation, and what must hold for all of them."""

import tomllib
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.core.dice import DiceError, parse, pmf
from simkit.core.duel import alternating_duel, simultaneous_duel

CASES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "cases" / "odds.toml").read_text(encoding="utf-8")
)
DAMAGE = st.sampled_from(["1", "1d2", "1d3-1", "2d4kl1", "1d6-3", "3*1d2"])
CHANCE = st.sampled_from(["1", "1/2", "0.9", "2/3"])
HITS = st.integers(1, 5)


def strike(chance: str, damage: str) -> dict[int, float]:
    """Chance of each loss that one strike causes."""
    losses: dict[int, float] = defaultdict(float)
    losses[0] = float(1 - Fraction(chance))
    for value, part in pmf(parse(damage)).items():
        losses[max(value, 0)] += float(Fraction(chance) * part)
    return losses


def play_forward(first: tuple[int, str, str], second: tuple[int, str, str], together: bool) -> tuple[float, ...]:
    """Follow all states strike by strike in floats, until hardly any duel is still going on."""
    ours, theirs = strike(*first[1:]), strike(*second[1:])
    going = {(first[0], second[0]): 1.0}
    win = draw = loss = 0.0
    while sum(going.values()) > 1e-13:
        after: dict[tuple[int, int], float] = defaultdict(float)
        for (a, b), chance in going.items():
            for dealt, p in ours.items():
                for taken, q in theirs.items():
                    mine, other, part = a - taken, b - dealt, chance * p * q
                    if other <= 0 and (mine > 0 or not together):
                        win += part
                    elif other <= 0:
                        draw += part
                    elif mine <= 0:
                        loss += part
                    else:
                        after[mine, other] += part
        going = after
    return win, draw, loss


@pytest.mark.parametrize("case", CASES["alternating"], ids=lambda case: case["source"])
def test_worked_alternating_duels(case: dict[str, Any]) -> None:
    found = alternating_duel(*case["first"], *case["second"])
    if isinstance(case["wins"], str):
        assert found == Fraction(case["wins"])
    else:
        assert float(found) == pytest.approx(case["wins"], abs=1e-12)


@pytest.mark.parametrize("case", CASES["simultaneous"], ids=lambda case: case["source"])
def test_worked_simultaneous_duels(case: dict[str, Any]) -> None:
    assert simultaneous_duel(*case["first"], *case["second"]) == tuple(map(Fraction, case["odds"]))


@settings(deadline=None, max_examples=40)
@given(HITS, CHANCE, DAMAGE, HITS, CHANCE, DAMAGE)
def test_duels_equal_a_plain_forward_calculation(
    a: int, first_chance: str, first_damage: str, b: int, second_chance: str, second_damage: str
) -> None:
    first, second = (a, first_chance, first_damage), (b, second_chance, second_damage)
    win, draw, loss = play_forward(first, second, together=False)
    assert draw == 0
    assert win + loss == pytest.approx(1)
    assert float(alternating_duel(*first, *second)) == pytest.approx(win, abs=1e-11)
    expected = play_forward(first, second, together=True)
    assert [float(part) for part in simultaneous_duel(*first, *second)] == pytest.approx(expected, abs=1e-11)


@settings(deadline=None, max_examples=30)
@given(HITS, CHANCE, DAMAGE, HITS, CHANCE, DAMAGE)
def test_sides_can_be_swapped_and_the_first_strike_never_hurts(
    a: int, first_chance: str, first_damage: str, b: int, second_chance: str, second_damage: str
) -> None:
    first, second = (a, first_chance, first_damage), (b, second_chance, second_damage)
    win, draw, loss = simultaneous_duel(*first, *second)
    assert simultaneous_duel(*second, *first) == (loss, draw, win)
    assert win + draw + loss == 1
    moving_first, moving_second = alternating_duel(*first, *second), 1 - alternating_duel(*second, *first)
    # Of a round in which both fall, just the first striker survives.
    assert moving_first == win + draw
    assert moving_second == win
    assert alternating_duel(a + 1, first_chance, first_damage, *second) >= moving_first


def test_damage_beyond_the_hits_left_and_below_zero() -> None:
    assert alternating_duel(5, "1", "1d6+10", 5, "1", "1d6") == 1
    # 1d6-5 takes off 1 with a sixth, and never heals.
    assert alternating_duel(1, "1", "1d6-5", 1, "1", "1") == Fraction(1, 6)


def test_exploding_damage() -> None:
    # 7 hits fall to one strike just if the die explodes, and never otherwise before the answer comes.
    assert alternating_duel(1, "1", "1d6!", 7, "1", "1") == Fraction(1, 6)
    # Multiplied: 12 and more hits only after an explosion (14), else at most 10.
    assert alternating_duel(1, "1", "2*1d6!", 12, "1", "1") == Fraction(1, 6)
    # Downwards: 10-1d6! takes off 5 or more just if there is no explosion.
    assert alternating_duel(1, "1", "10-1d6!", 5, "1", "1") == Fraction(5, 6)
    with pytest.raises(DiceError, match="explode both ways"):
        alternating_duel(1, "1", "1d6!-1d6!", 5, "1", "1")


def test_refused_duels() -> None:
    with pytest.raises(ValueError, match="first_hits must be 1 to 1,000, found 0"):
        alternating_duel(0, "1", "1", 1, "1", "1")
    with pytest.raises(ValueError, match="second_hits must be 1 to 1,000, found 2,000"):
        simultaneous_duel(1, "1", "1", 2_000, "1", "1")
    with pytest.raises(ValueError, match=r"second_chance must be 0 to 1, found 1\.01"):
        alternating_duel(1, "1", "1", 1, "1.01", "1")
    with pytest.raises(TypeError, match=r"'1\.10', found 0\.5"):
        alternating_duel(1, 0.5, "1", 1, "1", "1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="would never end"):
        simultaneous_duel(1, "0", "1", 1, "1", "1d6-6")
    with pytest.raises(ValueError, match="too long, at most 500,000 are allowed"):
        alternating_duel(1_000, "1/2", "1", 1_000, "1/2", "1")
    with pytest.raises(DiceError, match="expected a number or dice"):
        alternating_duel(1, "1", "1d6+", 1, "1", "1")
