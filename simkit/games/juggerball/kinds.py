"""The kinds of things that a match knows beside those of a battle: numbers with names."""

from enum import IntEnum


class Policy(IntEnum):
    """Who decides, from the simplest to the cleverest (J-BALL-25)."""

    HOLD = 0
    RANDOM = 1
    CHASE = 2
    GREEDY = 3


class Roster(IntEnum):
    """Where a jug of a team comes from (J-BALL-22)."""

    NAMED = 0
    RANDOM = 1
    MIRROR = 2


class Illegal(IntEnum):
    """What becomes of an improvement that a jug cannot have (J-BALL-22)."""

    REROLL_ONE = 0
    REROLL_JUG = 1
    NOTHING = 2


class Replace(IntEnum):
    """Who may replace a jug after a goal (J-BALL-21)."""

    BOTH = 0
    CONCEDER = 1
    NONE = 2


class JugOrder(IntEnum):
    """In which order the jugs of a side move (J-BALL-23)."""

    BALL = 0
    NUMBER = 1
    POLICY = 2


class Improvement(IntEnum):
    """The improvement table (J-BALL-22): the D10; 9 and 10 are a standard weapon."""

    GEARS = 1
    BRAKES = 2
    STEERING = 3
    ARMOR = 4
    REINFORCED_RAM = 5
    LEGS = 6
    DEFLECTOR = 7
    CATCHER = 8
    WEAPON = 9


class Way(IntEnum):
    """What a jug can do with a ball in its way, in the order in which they are thought of."""

    HIT = 0
    HIT_LEFT = 1
    HIT_RIGHT = 2
    KICK = 3
    KICK_LEFT = 4
    KICK_RIGHT = 5
    TAKE = 6
    PUSH = 7


FIRST_WEAPON = Improvement.WEAPON - 1
"""Standard weapons follow the other improvements: this plus their number."""

ILLEGAL = 100
"""Added to the last number of the event of a roll that does not count."""
