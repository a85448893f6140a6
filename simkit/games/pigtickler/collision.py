"""The collision table, and the roll to hit the pig."""

from simkit.core.jit import rule
from simkit.games.pigtickler.records import Injury, Numbers


@rule
def collision(rules: Numbers, roll: int) -> int:
    """2-3 wounded and damaged, 4-6 wounded, 7 damaged, 8-10 the turn ends, 11-12 he goes on (P-COL-1).

    Without unicycle damage, 2-3 and 7 read as wounded (P-COL-2). Nothing modifies the throw (P-DN-6).
    """
    if roll <= rules.collision_both:
        return Injury.BOTH + 0 if rules.unicycle_damage else Injury.WOUND + 0
    if roll <= rules.collision_wound:
        return Injury.WOUND + 0
    if roll <= rules.collision_damage:
        return Injury.DAMAGE + 0 if rules.unicycle_damage else Injury.WOUND + 0
    if roll <= rules.collision_nothing:
        return Injury.NOTHING + 0
    return Injury.GOES_ON + 0


@rule
def wounds(injury: int) -> bool:
    """A wound is a wound whether the unicycle suffers or not (P-COL-1)."""
    return injury == Injury.BOTH or injury == Injury.WOUND


@rule
def damages(injury: int) -> bool:
    """The unicycle takes one point of damage (P-COL-1)."""
    return injury == Injury.BOTH or injury == Injury.DAMAGE


@rule
def goes_on(rules: Numbers, injury: int) -> bool:
    """Only 11-12 lets the turn go on; a wound or damage ends it (P-COL-3)."""
    return injury == Injury.GOES_ON or (injury == Injury.DAMAGE and not rules.damage_ends_turn)


@rule
def wrecked(rules: Numbers, damage: int) -> bool:
    """Enough points of damage wreck the unicycle (P-GAM-3, P-CRS-9)."""
    return damage >= rules.wreck_at


@rule
def hit_modifier(rules: Numbers, descended: int, leg: int, steered: bool) -> int:
    """A descent gives a flat bonus on the pig, whatever the number of levels (P-DN-5)."""
    downhill = descended if rules.pig_any_descent else leg
    if downhill > 0 and (rules.steered_hit_bonus or not steered):
        return rules.downhill_hit_bonus
    return 0


@rule
def hits(rules: Numbers, total: int) -> bool:
    """The pig is hit on 7 or more after the bonus: one rump (P-GAM-2, P-CRS-8)."""
    return total >= rules.hit_target


@rule
def fumbles(rules: Numbers, total: int) -> bool:
    """On 3 or less after the bonus the lancer wounds himself (P-GAM-2, P-CRS-8)."""
    return total <= rules.hit_fumble
