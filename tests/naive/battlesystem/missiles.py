"""Missiles: who may shoot at whom, range, cover, the volley (B-MIS-1, B-MIS-2, B-TER-9, B-LAN-18)."""

from typing import TYPE_CHECKING, Any

from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.lane import Lane, at_edge, inside
from tests.naive.battlesystem.melee import armour_class, killed
from tests.naive.battlesystem.unit import Unit

if TYPE_CHECKING:
    from tests.naive.battlesystem.battle import Battle


def ranges(unit: Unit, rules: Any) -> tuple[int, int, int]:
    """Return short, medium and long range in inches; without a bow all are -1."""
    bows = {"short": rules.short_bow, "long": rules.long_bow, "crossbow": rules.crossbow}
    return tuple(bows[unit.design.bow]) if unit.design.bow in bows else (-1, -1, -1)


def range_penalty(unit: Unit, distance: int, rules: Any) -> int | None:
    """Return the penalty of the range, or nothing if it is too far."""
    penalties = (0, rules.medium_penalty, rules.long_penalty)
    for most, penalty in zip(ranges(unit, rules), penalties, strict=True):
        if distance <= most * t.INCH:
            return int(penalty)
    return None


def cover(lane: Lane, target: Unit, rules: Any) -> int:
    """Return the penalty for the target's cover: the edge of woods, an obstacle right before its front (B-MIS-2)."""
    ahead = lane.features(target.side)[target.passed :]
    behind_obstacle = any(feature.at == target.place and feature.kind != "rise" for feature in ahead)
    at_woods = at_edge(lane, target.place, target.side)
    return int(rules.cover_woods * at_woods + rules.cover_obstacle * behind_obstacle)


def target_of(battle: "Battle", unit: Unit, late: bool) -> Unit | None:
    """Return whom a unit shoots at in phase 3 or (`late`) phase 5, if it may (B-LAN-18, B-LAN-26)."""
    lane = battle.lane
    crossbow = unit.design.bow == "crossbow"
    if unit.design.bow == "none" or battle.contacts_of(unit) or unit.declaration in t.STANDS:
        return None
    if (late and crossbow and (unit.shot_early or unit.moved)) or (
        not late and unit.policy not in ("hold", "skirmish")
    ):
        return None
    foe = battle.foe_of(unit)
    if foe is None or battle.contacts_of(foe) or range_penalty(unit, unit.gap(foe), battle.rules) is None:
        return None
    if any(inside(lane, one.place, one.side) for one in (unit, foe)):
        return None
    return foe


def shoot(battle: "Battle", unit: Unit, foe: Unit, late: bool) -> None:
    """Shoot a volley; its losses come off at once (B-LAN-18)."""
    rules = battle.rules
    penalty = range_penalty(unit, unit.gap(foe), rules)
    assert penalty is not None
    ar = unit.design.ar + penalty + cover(battle.lane, foe, rules)
    side = "front" if foe.all_round else battle.strikes(unit, foe)
    at = ar - armour_class(foe.design.ac, "missile", side, foe.declaration, rules)
    count = min(unit.figures, rules.missile_ranks * unit.files)
    battle.missiles[unit.side] += 1
    battle.write(t.SHOOT, unit, foe, value=count, extra=at)
    total = 0
    for figure in range(count):
        roll = battle.dice.roll(rules.attack_dice, "missile", battle.round, unit.seat, 256 * late + figure)
        hit_dice = killed(unit.design.ratio, at + roll, unit.design.bow_damage, rules)
        battle.write(t.ROLL, unit, foe, roll=roll, value=hit_dice, extra=figure)
        total += hit_dice
    battle.lose(foe, battle.hurt(foe, total))


def missile_phase(battle: "Battle", late: bool) -> None:
    """Let everybody shoot who may, the first side's units before the second's (phases 3 and 5)."""
    for side in (battle.first, 1 - battle.first):
        for unit in battle.lined(side):
            foe = target_of(battle, unit, late)
            if foe is not None:
                unit.shot_early = unit.shot_early or not late
                shoot(battle, unit, foe, late)
