"""Rules of attacks (J-ATK, J-WPN): what a weapon reaches and when it hits."""

from simkit.core.hexgrid import arc_of, distance, facings_in_front, facings_in_half, in_front, in_half
from simkit.core.jit import rule
from simkit.games.jugger.records import Arc, Weapon

REAR_ARC = 3


@rule
def ahead(facing: int, q: int, r: int, half: bool) -> bool:
    """Tell whether an offset lies in the forward arc (J-MAP-3): the 60-degree cone, or the front half."""
    return in_half(facing, q, r) if half else in_front(facing, q, r)


@rule
def aims(q: int, r: int, half: bool) -> int:
    """Return from which facings an offset lies in the forward arc (J-MAP-3): a bit each, facing 0 lowest."""
    return facings_in_half(q, r) if half else facings_in_front(q, r)


@rule
def beside(facing: int, q: int, r: int) -> bool:
    """Tell whether an adjacent offset is a side hex: arcs 1, 2, 4 and 5."""
    arc = arc_of(facing, q, r)
    return arc > 0 and arc != REAR_ARC


@rule
def reaches(weapon: Weapon, facing: int, q: int, r: int, half: bool) -> bool:
    """Tell whether a weapon reaches a target at an offset (J-ATK-3): ranges 1 to its own, and its arc."""
    away = distance(q, r)
    if away < 1 or away > weapon.reach:
        return False
    if weapon.arc == Arc.ALL:
        return True
    if weapon.arc == Arc.FORWARD:
        return ahead(facing, q, r, half)
    return away == 1 and beside(facing, q, r)


@rule
def needed(to_hit: int, bonus: int, most: int, at_least: bool) -> int:
    """Return the number to throw (J-ATK-2, J-CAP-5): To Hit; with a bonus more, but not for that above 6."""
    return to_hit - bonus if at_least else max(to_hit, min(most, to_hit + bonus))


@rule
def is_hit(roll: int, number: int, at_least: bool) -> bool:
    """Tell whether an attack hits (J-ATK-2): on the number or less."""
    return roll >= number if at_least else roll <= number
