"""Fractions as text: short and very long ones, there and back; what is no fraction."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.core.written import read, written


@given(st.fractions())
def test_there_and_back(number: Fraction) -> None:
    assert written(number) == str(number)
    assert read(written(number)) == number == read(str(number))


@pytest.mark.parametrize("digits", [3990, 4000, 4299, 4300, 4301, 20_000])
def test_no_length_is_too_long(digits: int) -> None:
    number = 10**digits + 1
    for fraction in (Fraction(number), Fraction(-number), Fraction(1, number), Fraction(-number, 10**digits)):
        text = written(fraction)
        assert read(text) == fraction
        assert text.removeprefix("-").startswith("1")
    assert written(Fraction(number)) == "1" + "0" * (digits - 1) + "1"
    assert Decimal(written(Fraction(number))) == Decimal(number)


@pytest.mark.parametrize(
    "text", ["", "/", "1/", "/2", "1/-2", "1.5", "nan", "1/2/3", " 1", "1_0", "٣", "0x1", "infinite", "--1"]
)
def test_what_is_no_fraction(text: str) -> None:
    with pytest.raises(ValueError, match="is not a fraction such as 1/3"):
        read(text)
