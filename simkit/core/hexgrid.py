"""Geometry of a hex map in whole numbers, for kernels and for Python.

Hexes have axial coordinates: q grows to the east, r to the south-east, so that rows run east and every
hex touches two of the row above and two of the row below. The six directions, and the six sides of a
hex, are numbered clockwise from the east: 0 (1, 0), 1 (0, 1), 2 (-1, 1), 3 (-1, 0), 4 (0, -1),
5 (1, -1).

A pair (q, r) stands for the number q + r w, where w is the sixth of a turn clockwise and w w = w - 1 (an
Eisenstein integer). To rotate is to multiply by one of the six units, which are the directions.

Everything is exact, and no function prefers a side: a rotated or mirrored map gives rotated or mirrored
answers.

References
----------
.. [1] A. Patel, "Hexagonal Grids", https://www.redblobgames.com/grids/hexagons/ (axial coordinates, distance).
"""

from simkit.core.jit import rule

DIRECTIONS = 6
"""Directions of a hex, and sixths of a full turn."""

STEPS_Q = 0b10_01_00_00_01_10
"""Two bits a direction, direction 0 lowest: the q of a step, plus one."""

STEPS_R = 0b00_00_01_10_10_01
"""Two bits a direction, direction 0 lowest: the r of a step, plus one."""

SIDES = 0x1_6_2_0_5_3_4
"""Four bits a neighbour, number 3 q + r + 3: the side it lies on, plus one."""


@rule
def step_q(direction: int) -> int:
    """Return the change of q of one step in a direction, 0 to 5.

    >>> [step_q(direction) for direction in range(6)]
    [1, 0, -1, -1, 0, 1]
    """
    return (STEPS_Q >> 2 * direction & 3) - 1


@rule
def step_r(direction: int) -> int:
    """Return the change of r of one step in a direction, 0 to 5.

    >>> [step_r(direction) for direction in range(6)]
    [0, 1, 1, 0, -1, -1]
    """
    return (STEPS_R >> 2 * direction & 3) - 1


@rule
def distance(q: int, r: int) -> int:
    """Return the number of steps that the offset (q, r) takes."""
    return max(abs(q), abs(r), abs(q + r))


@rule
def turned(facing: int, sixths: int) -> int:
    """Return a direction after a turn by `sixths` of a circle, clockwise when positive."""
    return (facing + sixths) % DIRECTIONS


@rule
def rotated_q(q: int, r: int, sixths: int) -> int:
    """Return the q of an offset rotated by `sixths` of a circle, clockwise when positive."""
    unit = turned(0, sixths)
    return q * step_q(unit) - r * step_r(unit)


@rule
def rotated_r(q: int, r: int, sixths: int) -> int:
    """Return the r of an offset rotated by `sixths` of a circle, clockwise when positive."""
    unit = turned(0, sixths)
    return q * step_r(unit) + r * (step_q(unit) + step_r(unit))


@rule
def relative_q(facing: int, q: int, r: int) -> int:
    """Return the q of an offset as one sees it who faces 0 to 5: rotated so that the facing is (1, 0).

    The same as ``rotated_q(q, r, -facing)``.
    """
    return q * (step_q(facing) + step_r(facing)) + r * step_r(facing)


@rule
def relative_r(facing: int, q: int, r: int) -> int:
    """Return the r of an offset as one sees it who faces 0 to 5: rotated so that the facing is (1, 0).

    The same as ``rotated_r(q, r, -facing)``.
    """
    return r * step_q(facing) - q * step_r(facing)


@rule
def in_front(facing: int, q: int, r: int) -> bool:
    """Tell whether an offset lies within 30 degrees of the facing, borders included (J-MAP-3).

    The centre of hex (q, r) lies at x = q + r / 2, y = r sqrt(3) / 2; abs(y) <= x tan 30 is
    3 abs(r) <= 2 q + r: r <= q on the right and -2 r <= q on the left. Each implies the other where it does
    not bind. The own hex (0, 0) counts as in front.
    """
    ahead = relative_q(facing, q, r)
    right = relative_r(facing, q, r)
    return right <= ahead and -2 * right <= ahead


@rule
def in_half(facing: int, q: int, r: int) -> bool:
    """Tell whether an offset lies within 90 degrees of the facing, borders and the own hex included."""
    return 2 * relative_q(facing, q, r) + relative_r(facing, q, r) >= 0


@rule
def facings_in_front(q: int, r: int) -> int:
    """Return from which facings an offset is in front: a bit each, facing 0 lowest (see `in_front`)."""
    a, b, c = q - r, 2 * q + r, q + 2 * r
    return (
        int(a >= 0 and c >= 0)
        | int(a <= 0 and b >= 0) << 1
        | int(c >= 0 and b <= 0) << 2
        | int(a <= 0 and c <= 0) << 3
        | int(a >= 0 and b <= 0) << 4
        | int(c <= 0 and b >= 0) << 5
    )


@rule
def facings_in_half(q: int, r: int) -> int:
    """Return from which facings an offset is in the front half: a bit each, facing 0 lowest (see `in_half`)."""
    a, b, c = q - r, 2 * q + r, q + 2 * r
    return int(b >= 0) | int(c >= 0) << 1 | int(a <= 0) << 2 | int(b <= 0) << 3 | int(c <= 0) << 4 | int(a >= 0) << 5


@rule
def side_of(q: int, r: int) -> int:
    """Return the side, 0 to 5, on which an adjacent offset lies; -1 for any other offset."""
    if q * q + q * r + r * r != 1:  # the square of the distance between the centres
        return -1
    return (SIDES >> 4 * (3 * q + r + 3) & 15) - 1


@rule
def arc_of(facing: int, q: int, r: int) -> int:
    """Return the arc in which one who faces 0 to 5 has an adjacent offset; -1 for any other offset.

    J-MAP-1: 0 front, 1 front-right, 2 rear-right, 3 rear, 4 rear-left, 5 front-left.
    """
    side = side_of(q, r)
    return side if side < 0 else turned(side, -facing)


@rule
def _nearest(part: int, whole: int, up: int) -> int:
    """Return part / whole rounded, a half upwards when `up` is positive, else downwards."""
    return (2 * part + whole - int(up < 0)) // (2 * whole)


@rule
def line_q(q: int, r: int, k: int, hand: int) -> int:
    """Return the q of the k-th hex on the straight line from (0, 0) to the offset (q, r).

    The line has ``distance(q, r)`` steps; its k-th hex is the one whose centre is nearest to the k-th
    of as many equal parts. Where the line runs between two hexes, `hand` takes one: 1 the right one, as seen along
    the line, -1 the left. From the other end the hands are swapped, and so they are in a mirror; whoever
    asks for both hands at each k (sight is blocked where both hexes block, say) therefore treats all sides alike.

    Parameters
    ----------
    q, r
        Where the line ends, not (0, 0).
    k
        From 0, the first hex, to ``distance(q, r)``, the last.
    hand
        1 or -1.

    Notes
    -----
    Of the coordinates q, r, -q - r one changes by a whole hex a step, so that never more than two hexes
    are equally near.

    Examples
    --------
    >>> [(line_q(1, 1, 1, hand), line_r(1, 1, 1, hand)) for hand in (1, -1)]
    [(0, 1), (1, 0)]
    """
    return _nearest(k * q, distance(q, r), -hand * (q + 2 * r))


@rule
def line_r(q: int, r: int, k: int, hand: int) -> int:
    """Return the r of the k-th hex on the straight line from (0, 0) to the offset (q, r): see `line_q`."""
    return _nearest(k * r, distance(q, r), hand * (2 * q + r))
