"""What a jug does at the start of its side's segment: breaking free, enhancement spells (J-WPN-7, J-WIZ-3)."""

from typing import TYPE_CHECKING

from tests.naive.jugger import tables as t
from tests.naive.jugger.design import Jug

if TYPE_CHECKING:
    from tests.naive.jugger.battle import Battle


def break_free(battle: "Battle", jug: Jug) -> None:
    """Let a held jug try to break free (J-WPN-7)."""
    for holder in battle.of_side(1 - jug.side):
        items = [item for item, hold in sorted(holder.holds.items()) if hold.target is jug]
        if not items:
            continue
        if battle.rules.break_roll == "jug":
            roll = battle.roll(battle.rules.break_dice, "break", jug.seat, holder.seat)
            freed = roll <= battle.rules.break_at_most
            battle.write(t.BREAK, jug, holder, roll=roll, value=freed)
            for item in items if freed else ():
                del holder.holds[item]
            continue
        for item in items:
            roll = battle.roll(battle.rules.break_dice, "break", jug.seat, 64 * holder.seat + item)
            freed = roll <= battle.rules.break_at_most
            battle.write(t.BREAK, jug, holder, item, roll=roll, value=freed)
            if freed:
                del holder.holds[item]


def enhance(battle: "Battle", jug: Jug) -> None:
    """Cast haste and restoration (J-WIZ-3, J-WIZ-4)."""
    rules, policy = battle.rules, battle.policy(jug.side)
    if jug.spells["haste"] and jug.spells_cast < rules.spells_per_turn and policy.haste(jug):
        jug.spells["haste"] -= 1
        jug.spells_cast += 1
        turns = battle.roll(rules.haste_turns_dice, "haste", jug.seat, 0)
        jug.haste = [*jug.haste, turns] if rules.haste_stacks else [max([*jug.haste, turns])]
        battle.write(t.CAST_HASTE, jug, roll=turns)
    if jug.spells["restoration"] and jug.spells_cast < rules.spells_per_turn and policy.restore(jug):
        jug.spells["restoration"] -= 1
        jug.spells_cast += 1
        roll = battle.roll(rules.restoration_dice, "restore", jug.seat, 0)
        regained = min(roll, jug.full - jug.hits)
        jug.hits += regained
        battle.write(t.CAST_RESTORE, jug, roll=roll, value=regained)
