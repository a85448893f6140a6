"""The hex grid: its whole-number formulas against floating geometry, and against rotations and mirrors."""

import math
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simkit.core import hexgrid
from simkit.core.hexgrid import (
    arc_of,
    distance,
    facings_in_front,
    facings_in_half,
    in_front,
    in_half,
    line_q,
    line_r,
    relative_q,
    relative_r,
    rotated_q,
    rotated_r,
    side_of,
    step_q,
    step_r,
    turned,
)
from simkit.core.jit import signature

DIRECTIONS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
TINY = 1e-9

axis = st.integers(-64, 64)
offsets = st.tuples(axis, axis)
facings = st.integers(0, 5)
sixths = st.integers(-13, 13)
hands = st.sampled_from([1, -1])


def centre(q, r):
    """Place the centre of a hex in the plane, as a complex number that grows to the east and downwards."""
    return complex(q + r / 2, r * math.sqrt(3) / 2)


def degrees_off(facing, q, r):
    """Measure the angle between a facing and an offset, 0 to 180."""
    seen = centre(q, r) / centre(*DIRECTIONS[facing])
    return abs(math.degrees(math.atan2(seen.imag, seen.real)))


def rotated(q, r, k):
    return rotated_q(q, r, k), rotated_r(q, r, k)


def mirrored(q, r):
    """Swap north and south."""
    return q + r, -r


def line(q, r, hand):
    return [(line_q(q, r, k, hand), line_r(q, r, k, hand)) for k in range(distance(q, r) + 1)]


@pytest.mark.parametrize("direction", range(6))
def test_directions_are_those_of_the_rules(direction):
    step = step_q(direction), step_r(direction)
    assert step == DIRECTIONS[direction]
    assert side_of(*step) == direction
    assert centre(*step) == pytest.approx(complex(*(f(direction * math.pi / 3) for f in (math.cos, math.sin))))


def test_only_neighbours_have_a_side():
    near = {(q, r) for q in range(-70, 71) for r in range(-70, 71) if side_of(q, r) != -1}
    assert near == set(DIRECTIONS)


@given(offsets)
def test_distance_is_the_fewest_steps(offset):
    q, r = offset
    ways = [distance(q - a, r - b) for a, b in DIRECTIONS]
    if offset == (0, 0):
        assert distance(q, r) == 0
    else:
        assert distance(q, r) == 1 + min(ways)
        assert max(ways) <= distance(q, r) + 1


@given(offsets, sixths)
def test_rotation_turns_the_plane(offset, k):
    turn = complex(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3))
    assert centre(*rotated(*offset, k)) == pytest.approx(centre(*offset) * turn, abs=TINY)


@given(facings, offsets)
def test_relative_turns_the_facing_to_the_east(facing, offset):
    assert (relative_q(facing, *offset), relative_r(facing, *offset)) == rotated(*offset, -facing)
    assert relative_q(facing, *DIRECTIONS[facing]) == 1
    assert relative_r(facing, *DIRECTIONS[facing]) == 0


@given(facings, sixths)
def test_turned_names_the_direction_of_a_turned_step(facing, k):
    assert DIRECTIONS[turned(facing, k)] == rotated(*DIRECTIONS[facing], k)


@given(facings, offsets)
def test_front_is_thirty_degrees_to_each_side(facing, offset):
    inside = offset == (0, 0) or degrees_off(facing, *offset) <= 30 + TINY
    assert in_front(facing, *offset) == inside


@given(facings, offsets)
def test_half_is_ninety_degrees_to_each_side(facing, offset):
    inside = offset == (0, 0) or degrees_off(facing, *offset) <= 90 + TINY
    assert in_half(facing, *offset) == inside


@given(offsets)
def test_front_as_the_rules_write_it(offset):
    q, r = offset
    assert in_front(0, q, r) == ((r >= 0 and r <= q) or (r < 0 and -2 * r <= q))  # J-MAP-3


def test_front_holds_both_borders():
    for n in range(1, 20):
        assert in_front(0, n, n)
        assert in_front(0, 2 * n, -n)
        assert not in_front(0, n - 1, n)
        assert not in_front(0, 2 * n - 1, -n)


@given(facings, offsets, sixths)
def test_front_and_half_turn_with_the_map(facing, offset, k):
    for bears in (in_front, in_half):
        assert bears(facing, *offset) == bears(turned(facing, k), *rotated(*offset, k))


@pytest.mark.thorough
@given(facings, offsets)
def test_front_and_half_are_mirror_images(facing, offset):
    for bears in (in_front, in_half):
        assert bears(facing, *offset) == bears(turned(0, -facing), *mirrored(*offset))


@given(offsets)
def test_facings_are_a_bit_each(offset):
    for bears, bits in (in_front, facings_in_front), (in_half, facings_in_half):
        assert bits(*offset) == sum(bears(facing, *offset) << facing for facing in range(6))


@given(offsets)
def test_six_fronts_cover_the_map(offset):
    assume(offset != (0, 0))
    angles = [degrees_off(facing, *offset) for facing in range(6)]
    on_border = min(abs(angle - 30) for angle in angles) < TINY
    assert sum(in_front(facing, *offset) for facing in range(6)) == (2 if on_border else 1)


@pytest.mark.parametrize("facing", range(6))
def test_arcs_run_clockwise_from_the_front(facing):
    for arc in range(6):
        assert arc_of(facing, *DIRECTIONS[(facing + arc) % 6]) == arc
    assert arc_of(facing, 0, 0) == -1
    assert arc_of(facing, 2, -1) == -1


@given(offsets, hands)
def test_line_goes_by_the_nearest_hexes_step_by_step(offset, hand):
    assume(offset != (0, 0))
    q, r = offset
    way, n = line(q, r, hand), distance(q, r)
    assert way[0] == (0, 0)
    assert way[-1] == offset
    for k, (a, b) in enumerate(way):
        point = centre(q, r) * k / n
        nearest = min(abs(centre(a + x, b + y) - point) for x, y in [(0, 0), *DIRECTIONS])
        assert abs(centre(a, b) - point) <= nearest + TINY
    assert all(distance(c - a, d - b) == 1 for (a, b), (c, d) in pairwise(way))


@given(offsets)
def test_hands_part_at_ties_alone(offset):
    assume(offset != (0, 0))
    q, r = offset
    n = distance(q, r)
    for k, (right, left) in enumerate(zip(line(q, r, 1), line(q, r, -1), strict=True)):
        point = centre(q, r) * k / n
        if right == left:
            assert abs(centre(*right) - point) < 0.5 - TINY
        else:
            assert abs(centre(*right) - point) == pytest.approx(0.5)
            assert abs(centre(*left) - point) == pytest.approx(0.5)
            assert (centre(*right) / centre(q, r)).imag > 0 > (centre(*left) / centre(q, r)).imag


@given(offsets, sixths, hands)
def test_line_treats_all_sides_alike(offset, k, hand):
    assume(offset != (0, 0))
    q, r = offset
    way = line(q, r, hand)
    assert line(*rotated(q, r, k), hand) == [rotated(*hex, k) for hex in way]
    assert line(*mirrored(q, r), -hand) == [mirrored(*hex) for hex in way]
    assert line(-q, -r, -hand) == [(a - q, b - r) for a, b in reversed(way)]


def test_every_rule_takes_and_gives_whole_numbers():
    rules = {name: getattr(made, "py_func", made) for name, made in vars(hexgrid).items()}
    rules = {name: plain for name, plain in rules.items() if getattr(plain, "__module__", "") == hexgrid.__name__}
    assert len(rules) >= 14
    for name, plain in rules.items():
        takes = signature(plain)
        assert {str(kind) for kind in takes.args} == {"int64"}, name
        assert str(takes.return_type) in ("int64", "bool"), name
        assert type(vars(hexgrid)[name](*[1] * len(takes.args))) in (int, bool), name
