"""What a trace tells: the events of a fight, and what dice are thrown for."""

from enum import IntEnum


class Purpose(IntEnum):
    """What dice are thrown for: a part of their address. Stable numbers."""

    INITIATIVE = 0
    MISSILE = 1
    MELEE = 2
    MORALE = 3


class What(IntEnum):
    """What happened. Units are told by their seat, 12 x side + place in the side's list; -1 stands for nothing."""

    ROUND = 0
    """value = its number."""
    INITIATIVE = 1
    """foe = side, roll, extra = number of the reroll."""
    LAPSE = 2
    """value = the declaration that ends."""
    DECLARE = 3
    """value = the declaration."""
    MOVE = 4
    """value = place of the front from the start of side a, extra = how far, both in 36ths of an inch."""
    PAY = 5
    """value = what slows it (:class:`Paid`), extra = place."""
    OPEN = 6
    """value = why (:class:`Opens`)."""
    CLOSE = 7
    CONTACT = 8
    """value = place, extra = 1 by a charge, 0 by an ordinary move."""
    SHOOT = 9
    """value = shooters, extra = AR' - AC'."""
    ROLL = 10
    """roll, value = hit dice, extra = number of the attack."""
    STRIKE = 11
    """value = attacks, extra = AR' - AC'."""
    DAMAGE = 12
    """unit is hurt: value = hit dice, extra = what is left over as a wound."""
    LOSE = 13
    """value = figures that fall, extra = figures left."""
    CHECK = 14
    """roll, value = the most that passes, extra = 1 passed."""
    ROUT = 15
    DESTROYED = 16
    BREAKTHROUGH = 17
    ADVANCE = 18
    """A reserve comes up: value = slot."""
    OVER = 19
    """foe = side that has won or -1, value = how (:class:`Over`)."""
    CHOOSE = 21
    """value = what ``best`` picks: a declaration, or 7 for an undeclared move."""


class Paid(IntEnum):
    """What slows a move (B-TER-3 to B-TER-8)."""

    WOODS = 1
    ROUGH = 2
    SWAMP = 3
    FORD = 4
    BARRIER = 5
    DITCH = 6
    RISE = 7


class Opens(IntEnum):
    """Why a closed unit opens (B-LAN-11, B-LAN-24)."""

    GROUND = 1
    OBSTACLE = 2
    FAILED = 3


class Over(IntEnum):
    """How a fight ends (B-LAN-25)."""

    WON = 1
    MUTUAL = 2
    CAP = 3
