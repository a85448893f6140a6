"""Rules of damage and criticals (J-DMG), and of what a piece of equipment is worth (J-DMG-9)."""

from simkit.core.jit import rule
from simkit.games.jugger.records import Special, Weapon

TWELFTHS = 12
PER_DIE = 6
"""Chances on a six-sided die are sixths."""


@rule
def critical_rolls(before: int, after: int, every: int) -> int:
    """Return how many critical rolls are due (J-DMG-2): one for every 20 points crossed."""
    return max(0, after // every - before // every)


@rule
def chooser(roll: int, attacker: int, defender: int) -> int:
    """Tell who chooses the piece that is lost (J-DMG-2): 1 the attacker, 2 the defender, 0 nothing is lost."""
    if roll == attacker:
        return 1
    if roll == defender:
        return 2
    return 0


@rule
def worth_of_hit(weapon: Weapon, full_hits: int, mean_turns: int) -> int:
    """Return what a hit of a weapon is worth in twelfths of a hit point (J-DMG-9).

    Its expected damage; of a fire that of all its turns; a kill counts as the enemy's full hits.
    """
    special = weapon.special
    if special == Special.BOARDERS or special == Special.TOPPLE or special == Special.CREW:
        return TWELFTHS * full_hits
    if special == Special.SCYTHE:
        return (TWELFTHS * full_hits) // PER_DIE + weapon.expected
    if special == Special.FIRE or special == Special.CAULDRON:
        return weapon.expected * mean_turns // TWELFTHS
    return weapon.expected
