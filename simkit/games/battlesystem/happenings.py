"""What a trace tells: the events of a fight, and what dice are thrown for."""

from enum import IntEnum


class Purpose(IntEnum):
    """What dice are thrown for: a part of their address. Stable numbers."""

    INITIATIVE = 0
    MISSILE = 1
    MELEE = 2
    MORALE = 3


class What(IntEnum):
    """What happened. Units are told by their seat, 12 x side + place in the side's list; -1 is nobody."""

    ROUND = 0
    INITIATIVE = 1
    """foe = side, roll, extra = number of the reroll."""
    LAPSE = 2
    """value = the declaration that ends."""
    DECLARE = 3
    MOVE = 4
    """value = place of the front, extra = how far, in 36ths of an inch."""
    PAY = 5
    """value = what slowed it, extra = place."""
    OPEN = 6
    """value: 1 ground, 2 obstacle, 3 failed check."""
    CLOSE = 7
    CONTACT = 8
    """extra = 1 by a charge."""
    SHOOT = 9
    """value = shooters, extra = index."""
    ROLL = 10
    """roll, value = hit dice, extra = number of the attack."""
    STRIKE = 11
    """value = attacks, extra = index."""
    DAMAGE = 12
    """unit is hurt by foe: value = hit dice, extra = wound that is left."""
    LOSE = 13
    """value = figures, extra = figures left."""
    CHECK = 14
    """roll, value = needed, extra = 1 passed."""
    ROUT = 15
    DESTROYED = 16
    BREAKTHROUGH = 17
    ADVANCE = 18
    """A reserve comes up: value = slot."""
    OVER = 19
    """foe = side that has won or -1, value: 1 won, 2 both gone, 3 no round left."""
    CHOOSE = 21
    """value = the declaration that ``best`` picks."""


class Opens(IntEnum):
    """Why a closed unit opens."""

    GROUND = 1
    OBSTACLE = 2
    FAILED = 3


class Over(IntEnum):
    """How a fight ends."""

    WON = 1
    MUTUAL = 2
    CAP = 3
