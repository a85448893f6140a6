"""The end phase of a turn, part by part (J-END-1)."""

from typing import TYPE_CHECKING

from tests.naive.jugger import tables as t
from tests.naive.jugger.design import Fire
from tests.naive.jugger.moment import balanced, roll_rope, squeeze
from tests.naive.jugger.settle import Effects, land, roll_criticals

if TYPE_CHECKING:
    from tests.naive.jugger.battle import Battle


def end_phase(battle: "Battle") -> None:
    """Play the end phase: whether the battle is over is asked once, in part 5."""
    pull_ropes(battle)
    control_fires(battle)
    effects = Effects()
    burn(battle, effects)
    if battle.rules.grab_damage == "end":
        for jug in battle.jugs:
            for item, hold in sorted(jug.holds.items()):
                if hold.turn < battle.turn:
                    squeeze(battle, jug, item, hold.target, effects)
    land(battle, effects)
    roll_criticals(battle, effects)
    battle.check_over()
    if not battle.over:
        rout(battle)
    if not battle.over:
        repair(battle)
        for jug in battle.jugs:
            jug.haste = [turns - 1 for turns in jug.haste if turns > 1]


def pull_ropes(battle: "Battle") -> None:
    """Part 1: roll again for the ropes of earlier turns (J-WPN-9)."""
    effects = Effects()
    for jug in battle.jugs:
        for item, rope in sorted(jug.ropes.items()):
            if rope.turn == battle.turn:
                continue
            result = roll_rope(battle, jug, rope.target, item, later=True)
            if result == 0 and not balanced(battle, jug, rope.target, item, 2048):
                battle.write(t.TOPPLE, jug, rope.target, item)
                effects.toppled.setdefault(rope.target.slot, jug.side)
            elif result == 2:
                del jug.ropes[item]
                effects.snapped.append((jug, item))
    land(battle, effects)


def control_fires(battle: "Battle") -> None:
    """Part 2: damage control puts out the fire with most damage left (J-CAP-4)."""
    rules = battle.rules
    for jug in battle.jugs:
        if not jug.in_play or not jug.able("damage_control") or jug.control_tried or not jug.fires:
            continue
        jug.control_tried = True
        worst = max(jug.fires, key=left)  # of equals the first: lower firer, then item
        roll = battle.roll(rules.control_dice, "control", jug.seat, 0)
        out = roll <= rules.control_at_most
        battle.write(t.PUT_OUT, jug, worst.firer, worst.item, roll=roll, value=out)
        if out:
            jug.fires = [fire for fire in jug.fires if fire is not worst]


def left(fire: Fire) -> float:
    """Return the damage that a fire is expected to do yet."""
    mean = t.mean(t.faces(fire.dice).items()) if fire.dice else 1
    return float(mean * fire.points * fire.turns)


def burn(battle: "Battle", effects: Effects) -> None:
    """Part 3: fires and cauldrons (J-WPN-3, J-WPN-4)."""
    for jug in battle.jugs:
        if not jug.in_play:
            continue
        for fire in jug.fires:
            damage = fire.points
            if fire.dice:
                address = 64 * jug.seat + fire.item
                damage *= battle.roll(fire.dice, "fire_damage", fire.firer.seat, address)
            fire.turns -= 1
            battle.write(t.BURN, jug, fire.firer, fire.item, value=damage, extra=fire.turns)
            effects.hurt(jug, fire.side, damage)
            battle.damage[fire.side]["burning"] += damage
        jug.fires = [fire for fire in jug.fires if fire.turns > 0]


def rout(battle: "Battle") -> None:
    """Part 5: a side below the set share of its starting size classes is routed (J-ARM-2)."""
    routed = [
        100 * sum(jug.sc for jug in battle.of_side(side)) < battle.rout_below * battle.start_sc[side]
        for side in (0, 1)
    ]  # fmt: skip
    if any(routed):
        battle.end(-1 if all(routed) else int(routed[0]), t.ROUT)


def repair(battle: "Battle") -> None:
    """Part 6: mechanics (J-CAP-1, J-CAP-2)."""
    for jug in battle.jugs:
        if jug.in_play and jug.able("mechanic") and jug.hits < jug.full:
            roll = battle.roll(battle.rules.repair_dice, "repair", jug.seat, 0)
            regained = min(roll, jug.full - jug.hits)
            jug.hits += regained
            battle.write(t.REPAIR, jug, roll=roll, value=regained)
