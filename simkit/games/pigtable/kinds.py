"""Small numbers with names: what lies on a table, what happens on a leg, who decides, what an event tells."""

from enum import IntEnum


class Thing(IntEnum):
    """What a lancer may meet; solids in the order in which contacts at one point are met (P-TAB-6)."""

    PIG = 0
    LANCER = 1
    OBSTACLE = 2
    WALL = 3
    CHASM = 4
    RAMP = 5
    FENCE = 6
    HEDGE = 7
    EDGE = 8
    NOTHING = 9
    LEVEL = 10
    BOG = 11


class Form(IntEnum):
    """Shapes (P-TAB-3)."""

    DISC = 0
    POLYGON = 1
    LINE = 2


class Mark(IntEnum):
    """Events of a leg, in their order at one lattice point (P-TAB-6)."""

    DOWN = 0
    LEAVE = 1
    UP = 2
    ENTER = 3
    CROSS = 4
    RAMP = 5


class Crossing(IntEnum):
    """Which lines may be crossed on a leg."""

    NONE = 0
    RAMPS = 1
    ALL = 2
    SEEN = 3
    """None, but a line without room counts as a wall: the pig's way (P-GAM-16)."""


class Aim(IntEnum):
    """What a route is for (P-GAM-7)."""

    STAY = 0
    PIG = 1
    STOP = 2


class Then(IntEnum):
    """What follows when the tasks of a leg are done."""

    NEXT_LEG = 0
    TURN_OVER = 1
    PLAN = 2
    DEATH = 3


class Purpose(IntEnum):
    """Why dice are thrown: those of courses, and these. The numbers are part of every address: they never change."""

    PIG_DIRECTION = 5
    PIG_DISTANCE = 6
    ORDER = 7


class Policy(IntEnum):
    """Who decides (P-GAM-19 to P-GAM-21)."""

    STRAIGHT = 0
    ROUTER = 1
    CAUTIOUS = 2


class Initiative(IntEnum):
    """Values of ``initiative`` (P-GAM-15)."""

    FIXED = 0
    CARDS = 1
    ROTATE = 2


class Gone(IntEnum):
    """Why a lancer has left the table (P-GAM-14)."""

    IN_PLAY = 0
    KILLED = 1
    WRECKED = 2
    RETIRED = 3


class Cause(IntEnum):
    """How a match ended (P-GAM-17)."""

    RUMPS = 1
    LAST_SIDE = 2
    NOBODY = 3
    ROUNDS = 4


class What(IntEnum):
    """What an event of a match tells."""

    START = 0
    ROUND = 1
    TURN = 2
    LOST = 3
    WAITS = 4
    PLAN = 5
    VIA = 6
    RIDES = 7
    DOWN = 8
    MANOEUVRE = 9
    FENCE = 10
    COLLISION = 11
    OTHER = 12
    HIT = 13
    STEERED = 14
    LIMIT = 15
    OUT = 16
    FRESH = 17
    PIG = 18
    TRAMPLED = 19
    OVER = 20


EDGE_PIECE = -2
"""What an event calls the edge of the table where it names a piece."""

PIG_PIECE = -3
"""What an event calls the pig where it names a piece."""
