"""The kinds of things that a battle knows: numbers with names."""

from enum import IntEnum


class Policy(IntEnum):
    """Who decides, from the simplest to the cleverest."""

    HOLD = 0
    RANDOM = 1
    GREEDY = 2
    LOOKAHEAD = 3


class Arc(IntEnum):
    """Where a weapon reaches."""

    ALL = 0
    FORWARD = 1
    SIDE = 2


class Special(IntEnum):
    """What a weapon does beside damage."""

    NONE = 0
    GRAB = 1
    SPIKES = 2
    BOARDERS = 3
    FIRE = 4
    CAULDRON = 5
    SCYTHE = 6
    TOPPLE = 7
    CREW = 8


class Ability(IntEnum):
    """Captains' abilities (J-CAP-1): the D10 less one."""

    SPEED = 0
    CORNERING = 1
    BALANCE = 2
    TACTICS = 3
    ARTILLERIST = 4
    MELEER = 5
    EVASION = 6
    CONTROL = 7
    MECHANIC = 8
    LUCK = 9


class PieceKind(IntEnum):
    """Pieces of equipment that a critical can destroy (J-DMG-7)."""

    WEAPON = 0
    LEGS = 1
    GEARS = 2
    BRAKES = 3
    STEERING = 4
    SAILS = 5
    RAM = 6
    WINCH = 7
    WIZARD = 8
    DEFLECTOR = 9
    CATCHER = 10


class MapEdge(IntEnum):
    """Values of ``map_edge`` (J-MAP-2)."""

    WALL = 0
    EXIT = 1
    WRAP = 2


class Spell(IntEnum):
    """The spell table (J-WIZ-1), by the D6."""

    FIREBALL = 1
    BOLT = 2
    SHIELD = 3
    HASTE = 4
    RESTORATION = 5
    FATE = 6


class DiceRow(IntEnum):
    """Rows of the setup's dice tables; those of weapon damage follow from row ``FIRST_WEAPON`` on."""

    INITIATIVE = 0
    DEPLOY = 1
    TO_HIT = 2
    BREAK = 3
    FIRE_TURNS = 4
    ROPE = 5
    BALANCE = 6
    EVADE = 7
    CONTROL = 8
    CRITICAL = 9
    REPAIR = 10
    WALL = 11
    SPELL_COUNT = 12
    SPELL = 13
    HASTE_TURNS = 14
    RESTORE = 15
    RAM = 16
    BOUNCE = 17
    COLLISION = 18
    KICK = 19
    FIREBALL = 20
    BOLT = 21
    CAPTAIN = 22
    FIRST_WEAPON = 23
