"""What a trace of a match tells beside what battles tell, why dice are thrown for the ball, how goals come about.

The numbers go on where those of :mod:`simkit.games.jugger.happenings` end; both are parts of one list.
"""

from enum import IntEnum


class What(IntEnum):
    """What an event tells. ``jug`` and ``foe`` are slots, places are packed, headings are multiples of 30 degrees."""

    BALL = 54
    """The ball is put on a hex (value); extra: 0 at the set-up, 1 after a goal, 2 because it was stuck."""
    HIT = 55
    """A jug hits the ball; value: heading, extra: hexes that it will run."""
    KICK = 56
    """A jug kicks the ball; roll: the further hexes, value: heading, extra: hexes."""
    HOLD_BALL = 57
    """A jug holds the ball; value: its place, extra: 0 a push begins, 1 caught, 2 taken, 3 by the bounce table."""
    BALL_AHEAD = 58
    """A jug pushes the ball a hex ahead; value: the place."""
    SWING = 59
    """The ball goes round with a jug that turns; value: the place."""
    ROLL = 60
    """The ball rolls away from a jug that has lost velocity; roll: hexes, value: heading, extra: hexes."""
    HEAD_ON = 61
    """Head to head with the ball between; foe: the other, value: side by which it leaves, -1 again, extra: hexes."""
    SPINE = 62
    """Where a ball between two sides goes first; value: the side of its next step."""
    BALL_STEP = 63
    """The ball enters a hex (value); extra: hexes left."""
    BALL_BOUNCE = 64
    """The ball bounces; foe: the jug it was, value: heading, -1 dead stop, extra: a :class:`Thing`."""
    BALL_STOP = 65
    """The ball comes to rest (value); extra: 0 run out, 1 by the bounce table, 2 after too many bounces."""
    GOAL = 66
    """A goal; jug: who touched the ball last, foe: the side that scores, value: a :class:`Means`, extra: 1 own goal."""
    PART = 67
    """A jug loses the ball, which stays where it is (value)."""
    REPLACE = 68
    """A jug is replaced by a fresh one."""
    LINE_UP = 69
    """A jug is put on its place (value) after a goal."""
    REMOVED = 70
    """A jug that was stopped near its own goal is put back to its place (value)."""
    ITEM = 71
    """An improvement is rolled; value: 1 to 8, 9 a weapon; extra: the weapon, 100 more where illegal."""


class Purpose(IntEnum):
    """Why dice are thrown for the ball. The numbers are part of every address: they never change."""

    KICK = 26
    """D6 further hexes of a kick."""
    SPINE = 27
    """D6 for the first side of a heading between two."""
    BOUNCE = 28
    """D6 on the bounce table."""
    ROLL = 29
    """D6 hexes of a ball that rolls away."""
    HEAD_ON = 30
    """D6 for the side by which a ball between two jugs leaves."""
    ITEM = 31
    """D10 on the improvement table."""
    ITEM_WEAPON = 32
    """D10 on the table of standard weapons."""


FIRST_PURPOSE = 26


class DiceRow(IntEnum):
    """Rows of the setup's dice for the ball: the purposes less the first."""

    KICK = 0
    SPINE = 1
    BOUNCE = 2
    ROLL = 3
    HEAD_ON = 4
    ITEM = 5
    ITEM_WEAPON = 6


class Thing(IntEnum):
    """What is ahead of the ball: an object that it bounces off, nothing, or a goal that it may enter."""

    JUG = 0
    OBSTACLE = 1
    WALL = 2
    RIM = 3
    CLOSED = 4
    NOTHING = 5
    GOAL_0 = 6
    GOAL_1 = 7


class Means(IntEnum):
    """How a goal came about: what set the ball moving, or a bounce on its way (J-BALL-26)."""

    HIT = 0
    KICK = 1
    PUSH = 2
    ROLL = 3
    HEAD_ON = 4
    BOUNCE = 5


class Cause(IntEnum):
    """How a match ends; the numbers go on where those of battles end."""

    CAP = 9
    """All turns are used up."""
    GOALS = 10
    """A side has scored as often as it takes."""
    NO_JUGS = 11
    """A side has no jug in play."""


class Hold(IntEnum):
    """How a jug comes to hold the ball."""

    PUSH = 0
    CATCH = 1
    TAKE = 2
    BOUNCE = 3
