"""Rules of the ball's headings: whole numbers of 30 degrees, clockwise from the east (J-BALL-11, J-BALL-12).

An even heading leads through a side of the hex, an odd one along the spine between two sides.
"""

from simkit.core.hexgrid import DIRECTIONS
from simkit.core.jit import rule

HEADINGS = 12
"""Headings in a full turn."""

SIXTH = 2
"""Headings in a sixth of a turn."""

HALF_TURN = 6
RIGHT_ANGLE = 3
OPEN_SIDES = 3
"""Sides through which a ball enters a goal."""


@rule
def heading_of(facing: int, angle: int) -> int:
    """Return the heading of a facing, turned by so many times 30 degrees clockwise.

    >>> heading_of(0, -1), heading_of(3, 1)
    (11, 7)
    """
    return (SIXTH * facing + angle) % HEADINGS


@rule
def is_spine(heading: int) -> bool:
    """Tell whether a heading leads between two sides."""
    return heading % SIXTH != 0


@rule
def side_of_heading(heading: int) -> int:
    """Return the side that a heading leads through, of a spine the anticlockwise one."""
    return heading // SIXTH


@rule
def first_side(heading: int, anticlockwise: bool) -> int:
    """Return the side of the first step along a spine."""
    return (heading // SIXTH + int(not anticlockwise)) % DIRECTIONS


@rule
def next_side(heading: int, side: int) -> int:
    """Return the side of the step after one through ``side``: the same, or along a spine the other one."""
    if not is_spine(heading):
        return side
    return first_side(heading, side != first_side(heading, True))


@rule
def to_one_side(heading: int, less: bool) -> int:
    """Return the heading through a side, 30 degrees less or more than one along a spine (``ball_headings = 6``)."""
    return (heading + (HEADINGS - 1 if less else 1)) % HEADINGS


@rule
def bounced(heading: int, twelfths: int) -> int:
    """Return a heading after a bounce by so many times 30 degrees clockwise."""
    return (heading + twelfths) % HEADINGS


@rule
def right_angle(heading: int, twelfths: int, sixths: int) -> int:
    """Return where a bounce by a right angle goes when there are six headings: one or two sixths to the same hand."""
    hand = 1 if twelfths > 0 else -1
    return (heading + hand * SIXTH * sixths) % HEADINGS


@rule
def opens(seat: int, side: int) -> bool:
    """Tell whether a ball that steps through a side of its hex enters the goal of a seat (J-BALL-7, J-BALL-16).

    The goal of seat 0, in the west, is entered by steps to the west, that of seat 1 by steps to the east.

    >>> [side for side in range(6) if opens(0, side)], [side for side in range(6) if opens(1, side)]
    ([2, 3, 4], [0, 1, 5])
    """
    return (side + 1 + (0 if seat == 1 else OPEN_SIDES)) % DIRECTIONS < OPEN_SIDES


@rule
def flank(facing: int, die: int) -> int:
    """Return the side that a die of 1 to 4 names: arcs 1, 2, 4 and 5 of a facing; -1 for any other (J-BALL-15)."""
    if not 1 <= die <= OPEN_SIDES + 1:
        return -1
    return (facing + die + int(die >= OPEN_SIDES)) % DIRECTIONS
