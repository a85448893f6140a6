"""Melee: the blow, the exchange, first strike by set spears, breakthroughs (B-MEL-1 to B-CHG-3, B-LAN-19 to 22, 28)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tests.naive.battlesystem import morale, movement
from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.frontage import attacks, front
from tests.naive.battlesystem.ratings import Design, Part
from tests.naive.battlesystem.unit import Contact, covers

if TYPE_CHECKING:
    from tests.naive.battlesystem.battle import Battle


def killed(ratio: int, n: int, mean: Fraction, rules: Any) -> int:
    """Return the hit dice killed by one part of an attack that comes to `n` (B-MEL-1, B-LAN-1)."""
    return int(ratio * min(max(rules.crt_zero_at - n, 0), rules.crt_clamp_top) * mean // 90)


def blow(ratio: int, damage: Iterable[Part], n: int, rules: Any, *, charging: bool = False, twice: bool = False) -> int:
    """Return the hit dice killed by a figure: all parts on the one roll, each doubled once at most (B-LAN-1)."""
    return sum(
        killed(ratio, n, part.mean, rules) * (2 if twice or (charging and part.doubles) else 1) for part in damage
    )


def armour_class(ac: int, attack: str, struck: str, declaration: int, rules: Any) -> int:
    """Return the AC against an attack: missile, melee, above or artillery (B-SHW-2)."""
    if attack not in ("missile", "melee") or not covers(declaration, (t.WALL, t.WALL_ROUND), struck):
        return ac
    return ac - int(rules.wall_missile if attack == "missile" else rules.wall_melee)


def attack_rating(design: Design, struck: str, rules: Any, *, charging: bool, met_set: bool, bogged: bool) -> int:
    """Return AR' (B-CHG-1, B-MEL-4, B-TER-10, B-LAN-19)."""
    ar = design.ar
    if charging and design.mounted and not met_set:
        ar -= rules.charge_bonus
    ar -= {"front": 0, "flank": rules.flank_bonus, "rear": rules.rear_bonus}[struck]
    return int(ar + rules.ditch_penalty * bogged)


def struck_on(contact: Contact, side: int) -> str:
    """Return the side of the enemy that a side strikes; all sides are front of who stands to every side (B-SHW-3)."""
    return "front" if contact.units[1 - side].all_round else contact.how[side]


def index(battle: "Battle", contact: Contact, side: int) -> int:
    """Return AR' - AC' of a side's blows (B-LAN-19)."""
    me, foe = contact.units[side], contact.units[1 - side]
    struck = struck_on(contact, side)
    ar = attack_rating(
        me.design, struck, battle.rules, charging=contact.charging(side, battle.round),
        met_set=contact.met_set[1 - side], bogged=contact.bogged[side],
    )  # fmt: skip
    return ar - armour_class(foe.design.ac, "melee", struck, foe.declaration, battle.rules)


def strike(battle: "Battle", contact: Contact, side: int, number: int, old: int | None = None) -> int:
    """Let a side make its attacks and return the hit dice that they kill (B-LAN-5, B-LAN-20)."""
    rules = battle.rules
    me, foe = contact.units[side], contact.units[1 - side]
    own = front(me, struck_on(contact, 1 - side), rules, old)
    count = attacks(own, front(foe, struck_on(contact, side), rules), rules)
    at = index(battle, contact, side)
    charging = contact.charging(side, battle.round)
    twice = rules.set_doubles and contact.met_set[side] and contact.charging(1 - side, battle.round)
    if struck_on(contact, side) == "rear":
        foe.struck_rear = True
    battle.write(t.STRIKE, me, foe, value=count, extra=at)
    total = 0
    for _ in range(count):
        attack = me.blows[number]
        me.blows[number] += 1
        roll = battle.dice.roll(rules.attack_dice, "melee", battle.round, me.seat, 256 * number + attack)
        hit_dice = blow(me.design.ratio, me.design.damage, at + roll, rules, charging=charging, twice=twice)
        battle.write(t.ROLL, me, foe, roll=roll, value=hit_dice, extra=attack)
        total += hit_dice
    return total


def strikes_first(battle: "Battle", contact: Contact, side: int) -> bool:
    """Tell whether a side's set spears strike first in this exchange (B-SET-3, B-SET-4, B-LAN-15, B-LAN-17)."""
    if not contact.met_set[side] or battle.rules.set_first_strike == "never":
        return False
    if contact.charging(1 - side, battle.round):
        return True
    still_set = covers(contact.units[side].declaration, (t.SET, t.SET_ROUND), struck_on(contact, 1 - side))
    still_set = still_set and not contact.dropped[side]
    return battle.rules.set_first_strike == "always" and (contact.round == battle.round or still_set)


def exchange(battle: "Battle", contact: Contact, number: int) -> None:
    """Fight one exchange of a pair (B-LAN-20, B-LAN-21)."""
    first = [side for side in (0, 1) if strikes_first(battle, contact, side)]
    if len(first) == 1:
        first_strike(battle, contact, first[0], number)
        return
    damage = [strike(battle, contact, side, number) for side in (0, 1)]
    kills = [battle.hurt(contact.units[side], damage[1 - side]) for side in (0, 1)]
    for side in (0, 1):
        battle.lose(contact.units[side], kills[side])


def first_strike(battle: "Battle", contact: Contact, side: int, number: int) -> None:
    """Let set spears strike, take the losses off, and let the survivors strike back (B-LAN-21)."""
    spears, other = contact.units[side], contact.units[1 - side]
    battle.first_strikes[side] += 1
    before = front(other, struck_on(contact, side), battle.rules).files
    kills = battle.hurt(other, strike(battle, contact, side, number))
    battle.lose(other, kills)
    if battle.rules.first_strike_morale == "between" and other.in_play:
        morale.look_at(battle, other)
    if other.in_play:
        damage = strike(battle, contact, 1 - side, number, max(0, before - kills))
        battle.lose(spears, battle.hurt(spears, damage))


def melee_phase(battle: "Battle") -> None:
    """Fight all pairs, then the breakthroughs, then look at morale (phase 6)."""
    first = battle.first
    order = [contact for unit in battle.lined(first) for contact in battle.contacts_of(unit)]
    for contact in order:
        if contact.on:
            exchange(battle, contact, 0)
    breakthroughs(battle)
    morale.check_all(battle)
    breakthroughs(battle)  # of those whose target has just routed
    morale.check_all(battle)


def breakthroughs(battle: "Battle") -> None:
    """Let chargers whose target is gone go on to another unit, once a round (B-CHG-3, B-LAN-28)."""
    for side in (battle.first, 1 - battle.first):
        for unit in battle.lined(side):
            gone = [
                contact
                for contact in battle.contacts
                if contact.units[side] is unit and contact.charging(side, battle.round) and not contact.on
            ]
            foe = battle.foe_of(unit)
            if not gone or unit.broke or foe is None or battle.contacts_of(unit):
                continue
            march = movement.break_through(battle.lane, unit, foe, battle.rules)
            if march is None:
                continue
            unit.broke = True
            battle.write(t.BREAKTHROUGH, unit, foe)
            battle.carry_out(unit, march)
            exchange(battle, battle.meet(unit, foe, charged=True), 1)
