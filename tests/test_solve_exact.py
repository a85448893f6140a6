"""Answers from exact values: brackets, mixtures, values on the target, rounding, and nothing in the range."""

from fractions import Fraction

import pytest

from simkit.balance.solve.exact import Known, exact_search
from simkit.balance.solve.ladder import Ladder
from simkit.balance.solve.search import with_fair


def found(values, target="1/2", within=None, error=0.0):
    ladder = Ladder(tuple(range(len(values))), tuple(float(i) for i in range(len(values))), 1.0)
    return exact_search([Known(Fraction(value), error) for value in values], ladder, Fraction(target), within)


def test_a_mixture_is_exact():
    one = found(["1/4", "7/12", "3/4"])
    (root,) = one.roots
    assert one.status == "found"
    assert (root.below, root.above, root.rising, root.method) == (0.0, 1.0, True, "exact")
    assert root.place == root.low == root.high == pytest.approx(0.75)


def test_values_on_the_target_are_answers_themselves():
    (root,) = found(["1/4", "1/2", "3/4"]).roots
    assert (root.place, root.below, root.above, root.rising) == (1.0, 1.0, 1.0, True)
    (root,) = found(["3/4", "1/2", "1/2", "1/4"]).roots
    assert (root.place, root.low, root.high, root.rising) == (1.0, 1.0, 2.0, False)


def test_several_answers_stand_in_their_order():
    one = found(["1/4", "3/4", "1/2", "1/4", "3/4"])
    assert one.status == "several"
    assert [root.place for root in one.roots] == [0.5, 2.0, 3.5]


def test_rounded_values_within_their_error_are_on_the_target():
    (root,) = found(["0.4", "0.5000000001", "0.6"], error=1e-9).roots
    assert root.place == 1.0


def test_nothing_in_the_range():
    one = found(["1/4", "2/5", "1/3"])
    assert (one.status, one.roots) == ("beyond", ())
    assert [look.side for look in one.looks] == [-1, -1, -1]


def test_near_enough_without_a_crossing_is_fair():
    one = with_fair(found(["1/4", "0.49", "0.485", "1/3"], within=0.02), 0.5)
    (root,) = one.roots
    assert (one.status, root.method, root.place, root.low, root.high) == ("fair", "fair", 1.0, 1.0, 2.0)
