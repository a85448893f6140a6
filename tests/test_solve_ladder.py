"""The values among which an answer is sought: ranges, fractions, dice, lists, and what is none of them."""

import pytest

from simkit.balance.solve.ladder import Ladder, LadderError, ladder_of, percent
from simkit.lab.asked import Solve


def ladder(listed=None, **asked):
    return ladder_of(Solve(**asked), listed)


def test_whole_numbers():
    found = ladder(min=-3, max=3)
    assert found.values == (-3, -2, -1, 0, 1, 2, 3)
    assert found.places == (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
    assert (found.step, found.short, found.continuous, found.words) == (1.0, True, False, False)
    assert ladder(min=0, max=100, step=5).values == tuple(range(0, 101, 5))
    assert not ladder(min=0, max=25).short


def test_decimals_are_as_they_were_written():
    assert ladder(min=0, max=1, step=0.1).values == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def test_a_range_without_steps_is_every_number():
    found = ladder(min=0.0, max=0.5)
    assert (found.values, found.places, found.continuous) == ((), (0.0, 0.5), True)
    assert found.value(0.123) == 0.123
    assert found.around(0.2) == (0.2, 0.2)
    assert found.part(0.1, 0.2).places == (0.1, 0.2)


def test_fractions_stay_text():
    found = ladder(min="1/4", max="3/2", step="1/4")
    assert found.values == ("1/4", "1/2", "3/4", "1", "5/4", "3/2")
    assert found.places == (0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
    assert found.name(1.25) == "5/4"
    assert ladder(values=["1/2", "1", 3]).places == (0.5, 1.0, 3.0)


def test_dice_are_counted_in_the_order_of_their_means():
    found = ladder(values=["1", "1d6", "1d6+1", "1d8", "1d6!", "2d6"][:4])
    assert (found.places, found.words, found.step) == ((0.0, 1.0, 2.0, 3.0), True, 1.0)
    assert found.spelt(0.25) == "1 in 75 % and 1d6 in 25 % of the games"
    assert found.spelt(2.0) == "1d6+1"
    assert ladder(values=["1d6", "1d6!", "1d8"]).words


def test_the_axis_of_the_sweep_lends_its_values():
    assert ladder([2, 4, 6], vary="x").values == (2, 4, 6)


def test_neighbours_and_parts():
    found = ladder(values=[1, 2, 10])
    assert found.step is None
    assert found.around(4.0) == (2.0, 10.0)
    assert found.around(2.0) == (2.0, 2.0)
    assert found.between(1.5, 10) == (2.0, 10.0)
    assert found.part(2, 10).values == (2, 10)


def test_places_have_as_many_digits_as_their_interval_leaves():
    found = ladder(min=0, max=100)
    assert found.spelt(56.6612, 56.1, 57.2) == "56.66"
    assert found.spelt(56.0, 56.0, 56.0) == "56"
    assert found.spelt(56.0, 55.0, 57.0) == "56.0"
    assert [percent(share) for share in (0.5, 0.996, 0.004)] == ["50 %", "99.6 %", "0.4 %"]


@pytest.mark.parametrize(
    ("asked", "complaint", "at"),
    [
        ({}, "there are no values to look among", ("vary",)),
        ({"min": 3, "max": 3}, "the range from 3 to 3 is empty", ("max",)),
        ({"min": 0, "max": 5, "step": 2}, "the steps do not lead from min to max", ("step",)),
        ({"min": 0, "max": 5, "step": -1}, "step is -1; allowed are steps above 0", ("step",)),
        ({"min": 0, "max": 5000}, "there are 5,001 values, at most 1,001 are allowed", ("step",)),
        ({"min": 0, "max": 2**60}, "the numbers of a range end at 2**53", ("min",)),
        ({"min": "1/4", "max": "1"}, "a range of fractions needs a step", ("min",)),
        ({"min": "1d6", "max": "1d8", "step": "1"}, "'1d6' is no number", ("min",)),
        ({"min": "1/0", "max": "1", "step": "1"}, "'1/0' is no number", ("min",)),
        ({"min": "1", "max": "1/2", "step": "1/4"}, "the range from 1 to 1/2 is empty", ("max",)),
        ({"values": [1, True]}, "true is neither a number, nor a fraction, nor dice", ("values", 1)),
        ({"values": ["hold", "set"]}, '"hold" is neither a number', ("values", 0)),
        ({"values": ["1e999999999", "2"]}, '"1e999999999" is neither a number', ("values", 0)),
        ({"min": "1e999999999", "max": "1", "step": "1"}, "'1e999999999' is no number", ("min",)),
        ({"values": ["9" * 400, "1"]}, "is neither a number", ("values", 0)),
        ({"values": ["90000d90000", "1"]}, "is neither a number", ("values", 0)),
        ({"values": [[1], [2]]}, "[1] is neither a number", ("values", 0)),
        ({"min": 0, "max": 1, "step": 1e-300}, "values, at most 1,001 are allowed", ("step",)),
        ({"values": [3, 1]}, "the values do not rise from one to the next", ("values",)),
        ({"values": ["2d6", "1d6"]}, "the means of the dice fall from one to the next", ("values",)),
        ({"values": ["1d6", "1d6"]}, "a value stands there twice", ("values",)),
        ({"values": [*range(25), 100]}, "more than 25 values are evenly spaced", ("values",)),
    ],
)
def test_what_is_no_ladder_is_refused(asked, complaint, at):
    with pytest.raises(LadderError) as error:
        ladder(**asked)
    assert complaint in str(error.value)
    assert error.value.at == at


def test_a_ladder_of_one_value_has_nothing_to_look_for():
    with pytest.raises(LadderError, match="one value leaves nothing to look for"):
        ladder([1], vary="x")


def test_names_of_plain_values():
    assert Ladder((0.25, 0.5), (0.25, 0.5), 0.25).name(0.25) == "0.25"
    assert Ladder((1, 2), (1.0, 2.0), 1.0).name(2.0) == "2"
