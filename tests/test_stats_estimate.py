"""Estimates on paper: no digits that the error does not carry, never a bare 0 or 100 %."""

import json
import re
from fractions import Fraction

import numpy as np
import pytest

from simkit.stats import (
    METHODS,
    Estimate,
    clopper_pearson,
    digits_for,
    format_estimate,
    format_full,
    format_interval,
    tango,
)


def share(k, n, level=0.99):
    low, high = clopper_pearson(k, n, level)
    return Estimate(k / n, low, high, level, n, "clopper-pearson")


def test_fields_become_plain_and_go_to_json():
    found = share(np.int64(520), np.int64(1000), np.float64(0.95))
    assert [type(value) for value in found.to_json().values()] == [float, float, float, float, int, str]
    again = json.loads(json.dumps(found.to_json()))
    assert list(again) == ["estimate", "low", "high", "level", "n", "method"]
    assert Estimate(**again) == found


def test_exact_values():
    found = Estimate.exact(Fraction(13, 18))
    assert found.to_json() == {
        "estimate": 13 / 18, "low": 13 / 18, "high": 13 / 18, "level": 1.0, "n": 0, "method": "exact",
    }  # fmt: skip
    shown = {0: "0 %", 1: "100 %", 0.5: "50 %", 13 / 18: "72.2222 %", 1e-9: "0.0000001 %", 1 - 1e-9: "99.9999999 %"}
    assert {value: format_estimate(Estimate.exact(value)) for value in shown} == shown
    assert format_estimate(Estimate.exact(7), "count") == "7"
    assert format_estimate(Estimate.exact(1234.5678), "count") == "1,234.57"
    assert format_estimate(Estimate.exact(0.0125), "points") == "+1.25 pp"
    assert format_interval(Estimate.exact(0.5)) == "exact"
    assert format_full(Estimate.exact(0.5)) == "50 % (exact)"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((0.5, 0.6, 0.7, 0.99, 10, "wilson"), "rising order"),
        ((0.8, 0.6, 0.7, 0.99, 10, "wilson"), "rising order"),
        ((0.5, 0.4, float("inf"), 0.99, 10, "wilson"), "high is inf"),
        ((float("nan"), 0.4, 0.6, 0.99, 10, "wilson"), "estimate is nan"),
        ((0.5, 0.4, 0.6, 0.0, 10, "wilson"), "level is 0.0"),
        ((0.5, 0.4, 0.6, 99, 10, "wilson"), "level is 99"),
        ((0.5, 0.4, 0.6, 0.99, 0, "wilson"), "n is 0"),
        ((0.5, 0.4, 0.6, 0.99, 10, "wald"), "method is 'wald'"),
        ((0.5, 0.4, 0.6, 1.0, 0, "exact"), "an exact value has bounds"),
    ],
)
def test_bad_estimates_stop_at_the_door(values, words):
    with pytest.raises(ValueError, match=words):
        Estimate(*values)


def test_rounding_does_not_break_the_order():
    found = Estimate(0.1 + 0.2, 0.1, 0.3, 0.99, 10, "batch-t")
    assert found.low < found.estimate == found.high


@pytest.mark.parametrize(
    ("low", "high", "digits"),
    [
        (0.0, 2.0, 1),
        (0.0, 0.2, 2),
        (0.0, 0.198, 3),
        (0.0, 0.1992, 2),  # half-width .0996 is .10 in two digits
        (0.0, 400.0, -1),
        (0.0, 25.0, 0),
        (0.0, 3e-9, 10),
    ],
)
def test_digits_leave_two_significant_of_the_half_width(low, high, digits):
    assert digits_for((low + high) / 2, low, high) == digits


def test_digits_without_a_half_width():
    assert [digits_for(x, x, x) for x in (0.0, 7.0, 123456.7, 0.001)] == [5, 5, 0, 8]
    for bad in ((0.5, 0.6, 0.4), (0.5, float("nan"), 0.6), (float("inf"), 0.4, 0.6)):
        with pytest.raises(ValueError, match="allowed are finite numbers"):
            digits_for(*bad)


def test_shares_carry_the_digits_of_their_error():
    assert format_full(share(520, 1000, 0.95)) == "52.0 % (48.8 to 55.2 %; 95 % clopper-pearson, n = 1,000)"
    assert format_full(share(501_645, 10**6, 0.999)).startswith("50.16 % (49.99 to 50.33 %; 99.9 % clopper")
    assert format_full(share(5, 10, 0.99)).startswith("50 % (12 to 88 %; 99 % ")
    assert "99.99999 %" in format_full(share(5, 10, 0.9999999))
    assert format_estimate(share(500_000_000, 10**9)) == "50.0000 %"


def test_what_was_never_or_always_seen_is_a_bound():
    assert format_estimate(share(0, 1000, 0.95)) == "< 0.37 %"
    assert format_estimate(share(1000, 1000, 0.95)) == "> 99.63 %"
    assert format_estimate(share(0, 177_000)) == "< 0.0030 %"
    assert format_estimate(share(177_000, 177_000)) == "> 99.997 %"
    assert format_interval(share(0, 1000, 0.95)) == "0.00 to 0.37 %"
    assert format_interval(share(1000, 1000, 0.95)) == "99.63 to 100.00 %"
    assert (format_estimate(share(0, 1)), format_estimate(share(1, 1))) == ("< 99.5 %", "> 0.5 %")


def test_rare_outcomes_are_never_bare_zeros_or_hundreds():
    for n in (10, 1000, 10**6, 10**9):
        for k in (1, 2, n - 2, n - 1):
            found = share(k, n)
            for text in (format_estimate(found), *format_interval(found).removesuffix(" %").split(" to ")):
                number = float(text.removesuffix(" %"))
                assert 0 < number < 100, (k, n, text)


def test_bounds_are_rounded_outwards_and_hold_the_estimate():
    rng = np.random.default_rng(9)
    for _ in range(300):
        n = int(10 ** rng.uniform(0.5, 9))
        found = share(int(rng.integers(1, n)), n)
        value = float(format_estimate(found).removesuffix(" %"))
        low, high = map(float, format_interval(found).removesuffix(" %").split(" to "))
        assert low <= 100 * found.low * (1 + 1e-12)
        assert high >= 100 * found.high * (1 - 1e-12)
        assert low <= value <= high
        assert high - low <= 1.25 * 100 * (found.high - found.low)


def test_no_binary_dust():
    found = Estimate(0.0057, 0.0029, 0.0115, 0.99, 1000, "wilson")
    assert (format_estimate(found), format_interval(found)) == ("0.57 %", "0.29 to 1.15 %")


def test_points_have_a_sign():
    low, high = tango(1200, 1000, 100_000, 0.999)
    found = Estimate(0.002, low, high, 0.999, 100_000, "tango")
    assert format_full(found, "points") == "+0.20 pp (+0.04 to +0.36 pp; 99.9 % tango, n = 100,000)"
    low, high = tango(0, 0, 10, 0.99)
    found = Estimate(0.0, low, high, 0.99, 10, "tango")
    assert format_full(found, "points").startswith("0 pp (-40 to +40 pp; ")
    assert format_estimate(Estimate(-0.0001, -0.01, 0.01, 0.99, 10, "paired-t"), "points") == "0.0 pp"


def test_counts():
    assert format_full(Estimate(12_345.6, 12_000, 12_700, 0.99, 50, "batch-t"), "count").startswith(
        "12,350 (12,000 to 12,700; 99 % batch-t"
    )
    assert format_estimate(Estimate(0.0, -0.5, 0.5, 0.99, 50, "batch-t"), "count") == "0.00"


def test_nothing_varied_is_said():
    found = Estimate(3.0, 3.0, 3.0, 0.99, 10_000, "batch-t")
    assert format_full(found, "count").startswith("3 in all 10,000 units (3.00000 to 3.00000; ")
    assert format_estimate(Estimate(0, 0, 0, 0.99, 10_000, "batch-t")) == "0 % in all 10,000 units"


def test_units_are_checked():
    with pytest.raises(ValueError, match=re.escape("unit is 'percent'; allowed are share, points, count")):
        format_estimate(share(5, 10), "percent")
    with pytest.raises(ValueError, match=r"a share is -0\.1"):
        format_estimate(Estimate(-0.1, -0.2, 0.1, 0.99, 10, "paired-t"))


def test_methods_are_words_for_people():
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)?", method) for method in METHODS)
