"""The kinds of things that a battle on a lane knows: numbers with names."""

from enum import IntEnum


class Ground(IntEnum):
    """What a front moves over (B-TER-1 to B-TER-8)."""

    CLEAR = 0
    ROAD = 1
    WOODS = 2
    ROUGH = 3
    SWAMP = 4
    FORD = 5
    WATER = 6


class Step(IntEnum):
    """What a front passes at one place (B-LAN-8); ground is entered last."""

    BARRIER = 10
    DITCH = 11
    RISE = 12


class Formation(IntEnum):
    """Formations (B-UNI-3)."""

    CLOSED = 0
    OPEN = 1
    SKIRMISH = 2
    MOB = 3


class Declaration(IntEnum):
    """What a unit has declared (B-LAN-13)."""

    NONE = 0
    WALL = 1
    WALL_ROUND = 2
    SET = 3
    SET_ROUND = 4
    CHARGE = 5
    REFORM = 6


class Side(IntEnum):
    """Where a unit is struck (B-LAN-6)."""

    FRONT = 0
    FLANK = 1
    REAR = 2


class Policy(IntEnum):
    """What a side declares and does in its own movement phase (B-LAN-26)."""

    HOLD = 0
    ADVANCE = 1
    CHARGE = 2
    SET = 3
    WALL = 4
    WALL_ADVANCE = 5
    SKIRMISH = 6
    BEST = 7


class Blow(IntEnum):
    """Which table of results an attack is read from."""

    PLAIN = 0
    CHARGING = 1
    """A weapon that does double damage in a charge (B-CHG-2)."""
    SET = 2
    """Against a charge (B-SET-2)."""
    MISSILE = 3


class FirstStrike(IntEnum):
    """Values of ``set_first_strike`` (B-SET-4)."""

    VS_CHARGE = 0
    ALWAYS = 1
    NEVER = 2


class Fate(IntEnum):
    """What has become of a unit."""

    STANDS = 0
    DESTROYED = 1
    ROUTED = 2


class Bow(IntEnum):
    """What a unit shoots with (B-LAN-18)."""

    NONE = 0
    BOW = 1
    CROSSBOW = 2


class Tally(IntEnum):
    """What is counted by side while a battle goes on."""

    KILLED = 0
    """Hit dice done."""
    VOLLEYS = 1
    CHARGES = 2
    FIRST_STRIKES = 3
    CHECKS = 4
    FAILED = 5


class Choice(IntEnum):
    """What ``best`` picks (B-LAN-26): a declaration, or an undeclared move."""

    NONE = 0
    WALL = 1
    SET = 3
    CHARGE = 5
    ADVANCE = 7
