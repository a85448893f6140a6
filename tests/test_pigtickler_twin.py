"""The Pig Tickler kernel against its plain twin, trial by trial on the same dice."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.core.rng import Key, make_key
from tests.naive.pigtickler import DEFAULTS, METRICS
from tests.pigtickler_courses import (
    HIGH_KEY,
    STEPS,
    TRANSLATED_RULES,
    TWIN_RULES,
    courses,
    house_rules,
    read,
    setup_of,
    twin_play,
)

MANY = 2000
"""Courses that ``make thorough`` plays."""

KEYS = st.sampled_from([HIGH_KEY, make_key(1), make_key(2, 1), Key(np.uint64(0), np.uint64(0))])


@pytest.mark.parametrize("examples", [400, pytest.param(MANY, marks=pytest.mark.thorough)])
def test_kernel_plays_as_the_twin(pigtickler: Any, examples: int) -> None:
    """Random courses under random rules, 25 trials each: all 18 metrics are equal (P-CRS-1 to P-CRS-11)."""
    assert tuple(metric.name for metric in pigtickler.OUTCOMES) == METRICS
    state = pigtickler.new_state()
    seen: dict[str, set[int]] = {name: set() for name in METRICS}

    @settings(max_examples=examples)
    @given(courses(), house_rules(), KEYS, st.integers(0, 10**9))
    def check(course: dict[str, Any], house: dict[str, Any], key: Key, first: int) -> None:
        setup = setup_of(course, house)
        for trial in range(first, first + 25):
            played = pigtickler.play_one(setup, state, key, trial)._asdict()
            assert played == twin_play(course, house, key, trial), trial
            for name, value in played.items():
                seen[name].add(value)

    check()
    assert all(len(values) > 1 for values in seen.values()), "a metric that never moves is not compared"
    counts = ("wounds", "damage", "rumps", "other_wounds", "other_damages")
    assert all(max(seen[name]) > (examples >= MANY) for name in counts), "two of a kind come in many courses alone"


def test_random_courses_cover_every_step_and_field() -> None:
    """Every kind of step and every field of the twin is drawn."""
    assert {key for step in STEPS for key in step} == {
        *("up", "turn", "bog", "bends", "avoid", "beside", "cross", "ramp", "chasm", "stop", "pig", "ahead")
    }
    assert set(TWIN_RULES) == set(DEFAULTS)
    assert not set(TRANSLATED_RULES) & set(DEFAULTS)


def test_reading_of_bits() -> None:
    """The independent reading shows 2d6 at the ends, on both sides of the first bound, and in the middle."""
    assert [read("2d6", word) for word in (0, 2**64 // 36, 2**64 // 36 + 1, 2**63, 2**64 - 1)] == [2, 2, 3, 7, 12]
    assert [read("3d6kh2", word) for word in (0, 2**64 - 1)] == [2, 12]
    assert [read("1d10", word) for word in (2**64 // 10, 2**64 // 10 + 1)] == [1, 2]
