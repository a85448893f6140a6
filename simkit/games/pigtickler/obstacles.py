"""Walls, fences, hedges, ramps and chasms."""

from simkit.core.jit import rule
from simkit.games.pigtickler.records import DownhillCross, Numbers

PASSABLE = ("fence", "hedge")
"""Linear obstacles that can be crossed (P-LIN-1)."""

IMPASSABLE = ("wall",)
"""Linear obstacles that cannot be crossed (P-LIN-3)."""


@rule
def far_side(roll: int) -> bool:
    """After failing to cross a fence an odd die leaves him on his side, an even one on the far side (P-LIN-2)."""
    return roll % 2 == 0


@rule
def may_try_to_cross(rules: Numbers, descended: int) -> bool:
    """After a descent he may still try to cross, unless contact itself is a collision (P-LIN-4)."""
    return descended == 0 or rules.downhill_cross != DownhillCross.FORBIDDEN


@rule
def failed_cross_collides(rules: Numbers, descended: int) -> bool:
    """Failing to cross after a descent is a collision, not the throw of a die (P-LIN-4)."""
    return descended > 0 and rules.downhill_cross != DownhillCross.D6


@rule
def failed_chasm_turn_kills(rules: Numbers, descended: int) -> bool:
    """Who cannot turn away from a chasm after a descent dies, without a collision roll (P-SPC-1)."""
    return descended > 0 and rules.chasm_turn_kills


@rule
def ramp_takes_downhill(rules: Numbers) -> bool:
    """The roll at a ramp takes the downhill modifier; failing it is death (P-SPC-2)."""
    return rules.ramp_downhill
