"""An attack moment: all declarations, then every attack, then everything together (J-ATK-1, J-ATK-5, J-ATK-6)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.naive.jugger import tables as t
from tests.naive.jugger.design import Fire, Jug
from tests.naive.jugger.settle import Effects, old_fire, settle

if TYPE_CHECKING:
    from tests.naive.jugger.battle import Battle

REROLLED = 32768


@dataclass
class Attack:
    """A declared attack: the weapon, kick or spell, its targets, and the captain's bonus that is bound to it."""

    jug: Jug
    item: int
    targets: list[Jug]
    special: str = "none"
    bonus: int = 0
    squeeze: bool = False
    before: int = 0
    """Spells that the jug has cast this turn before this one."""


def moment(battle: "Battle", *, at_start: bool) -> None:
    """Hold one attack moment."""
    battle.at_start = at_start
    attacks: list[Attack] = []
    while True:
        before = len(attacks)
        for side in (battle.moving_side, 1 - battle.moving_side):
            for jug in battle.of_side(side):
                declare(battle, jug, attacks)
        if battle.rules.declare == "once" or len(attacks) == before:
            break
    battle.nothing_left((t.DECLARE,), "(J-ATK-1, J-ATK-3, J-ATK-5): used, not ready, not bearing, or out of order")
    effects = Effects()
    for attack in attacks:
        for target in attack.targets:
            if attack.squeeze:
                squeeze(battle, attack.jug, attack.item, target, effects)
            else:
                strike(battle, attack, target, effects)
    settle(battle, effects)
    battle.check_over()
    battle.event_over(battle.mover)


# Declarations


def declare(battle: "Battle", jug: Jug, attacks: list[Attack]) -> None:
    """Declare what a jug attacks with: weapons in list order, the kick, at most one attack spell."""
    rules, policy = battle.rules, battle.policy(jug.side)
    for item in range(len(jug.weapons)):
        hold = jug.holds.get(item)
        if rules.grab_damage == "attack" and hold is not None and hold.turn < battle.turn and item not in jug.used:
            jug.used.add(item)
            attacks.append(Attack(jug, item, [hold.target], squeeze=True))
        if not can_attack(battle, jug, item) or not (enemies := battle.enemies(jug, item)):
            continue
        special = jug.weapon(item, rules).special
        if special == "spikes":
            if not policy.spikes(jug, item):
                continue
            targets = [other for other in battle.jugs if other.in_play and battle.in_spikes(jug, other)]
            battle.write(t.DECLARE, jug, None, item)
        else:
            target = policy.target(jug, item, enemies)
            if target is None:
                continue
            targets = [target]
            battle.write(t.DECLARE, jug, target, item)
        jug.used.add(item)
        if special == "cauldron":
            jug.ready[item] = battle.turn + rules.cauldron_every
        attacks.append(Attack(jug, item, targets, special, captains_bonus(battle, jug, item)))
    if t.KICK not in jug.used and jug.armed(t.KICK) and (enemies := battle.enemies(jug, t.KICK)):
        target = policy.target(jug, t.KICK, enemies)
        if target is not None:
            battle.write(t.DECLARE, jug, target, t.KICK)
            jug.used.add(t.KICK)
            attacks.append(Attack(jug, t.KICK, [target]))
    declare_spell(battle, jug, attacks)


def declare_spell(battle: "Battle", jug: Jug, attacks: list[Attack]) -> None:
    """Declare an attack spell (J-WIZ-2, J-WIZ-3)."""
    if jug.spells_cast >= battle.rules.spells_per_turn:
        return
    options = [
        (item, enemy)
        for item, spell in ((t.FIREBALL, "fireball"), (t.BOLT, "bolt"))
        if jug.spells[spell]
        for enemy in battle.enemies(jug, item)
    ]
    chosen = battle.policy(jug.side).spell(jug, options) if options else None
    if chosen is not None:
        item, target = chosen
        battle.write(t.DECLARE, jug, target, item)
        jug.spells["fireball" if item == t.FIREBALL else "bolt"] -= 1
        attacks.append(Attack(jug, item, [target], before=jug.spells_cast))
        jug.spells_cast += 1


def can_attack(battle: "Battle", jug: Jug, item: int) -> bool:
    """Tell whether a weapon could attack now if something bears (J-ATK-1, J-WPN-8, J-WPN-10, J-WPN-15, J-WPN-16)."""
    idle = item not in jug.used and item not in jug.holds and item not in jug.ropes
    return idle and jug.armed(item) and item not in jug.lost_boarders and battle.turn >= jug.ready.get(item, 0)


def captains_bonus(battle: "Battle", jug: Jug, item: int) -> int:
    """Return the bonus of an artillerist's or meleer's first such attack this turn (J-CAP-2, J-CAP-5)."""
    rules = battle.rules
    if jug.weapon(item, rules).range >= rules.missile_from:
        if jug.able("artillerist") and not jug.missile_bonus_used:
            jug.missile_bonus_used = True
            return int(rules.artillerist_bonus)
    elif jug.able("meleer") and not jug.close_bonus_used:
        jug.close_bonus_used = True
        return int(rules.meleer_bonus)
    return 0


# One attack on one target


def strike(battle: "Battle", attack: Attack, target: Jug, effects: Effects) -> None:
    """Roll to hit, let captain and wizard of the target do what they can, and note what the hit does."""
    rules, jug, item, special = battle.rules, attack.jug, attack.item, attack.special
    address = item + 64 * (1 + target.seat if special == "spikes" else attack.before)
    if rules.evasion == "declared" and dodged(battle, jug, target, item):
        return
    roll, hit = roll_to_hit(battle, attack, target, address)
    if special == "boarders" and roll >= rules.boarders_lost_from:
        jug.lost_boarders.add(item)
        battle.write(t.BOARDERS_LOST, jug, item=item)
    if not hit or (rules.evasion == "after_hit" and dodged(battle, jug, target, item)):
        return

    damage, cut, topples, rope = 0, False, special == "topple", False
    fire = None
    if special in ("fire", "cauldron"):
        fire = roll_fire(battle, attack, target, address)
    elif special not in ("topple", "boarders", "crew"):
        dice, times = damage_dice(battle, attack)
        roll = battle.roll(dice, "damage", jug.seat, address)
        cut = special == "scythe" and roll >= rules.scythe_cuts_from
        damage = 0 if cut else roll * times
        if item == t.KICK and rules.kick_adds_size:
            damage += jug.sc
        battle.write(t.DAMAGE, jug, target, item, roll=roll, value=damage)
    winch = jug.winch(item) if item < len(jug.weapons) else None
    snaps = False
    if winch is not None and winch.alive:
        result = roll_rope(battle, jug, target, item, later=False)
        topples, rope, snaps = result == 0, result == 1, result == 2

    if shielded(battle, jug, target, item):
        return
    if topples:
        if balanced(battle, jug, target, item, 0):
            rope = special != "topple"  # a topple avoided by balance leaves the rope on (J-WPN-9)
        else:
            effects.toppled.setdefault(target.slot, jug.side)
            battle.write(t.TOPPLE, jug, target, item)
    if cut:
        effects.cut.setdefault(target.slot, jug.side)
        battle.write(t.CUT, jug, target, item)
    elif special == "crew":
        effects.crew_killed.setdefault(target.slot, jug.side)
        battle.write(t.CREW, jug, target, item)
    elif special == "boarders":
        effects.captured.setdefault(target.slot, jug.side)
        battle.write(t.CAPTURE, jug, target, item)
    elif special == "grab":
        effects.grabs.append((jug, item, target))
    elif fire is not None:
        effects.fires.append((target, fire))
    if rope:
        effects.ropes.append((jug, item, target))
    if snaps:
        effects.snapped.append((jug, item))
    damage = controlled(battle, jug, target, item, damage)
    effects.hurt(target, jug.side, damage)
    battle.damage[jug.side]["kick" if item == t.KICK else "spell" if item > t.KICK else "weapons"] += damage


def roll_to_hit(battle: "Battle", attack: Attack, target: Jug, address: int) -> tuple[int, bool]:
    """Roll to hit, once more if luck or fate wants it (J-ATK-2, J-CAP-6)."""
    rules, jug, item = battle.rules, attack.jug, attack.item
    needed = {t.KICK: rules.kick_to_hit, t.FIREBALL: rules.fireball_to_hit, t.BOLT: rules.bolt_to_hit}.get(item)
    if needed is None:
        needed = jug.weapon(item, rules).to_hit
    or_more = rules.to_hit == "at_least" and item != t.KICK  # the kick hits on any D6 <= 6 (J-EQ-5)
    if or_more:
        needed -= attack.bonus
    elif attack.bonus:
        needed = max(needed, min(rules.to_hit_max, needed + attack.bonus))

    def throw(i: int) -> tuple[int, bool]:
        roll = battle.roll(rules.to_hit_dice, "to_hit", jug.seat, i)
        hit = roll >= needed if or_more else roll <= needed
        battle.write(t.TO_HIT, jug, target, item, roll=roll, value=needed, extra=hit)
        return roll, hit

    roll, hit = throw(address)
    whose = target if hit else jug
    ways = [0] * (whose.able("luck") and not whose.luck_used) + [1] * (whose.spells["fate"] > 0)
    way = battle.policy(whose.side).reroll(whose, jug if hit else target, item, ways) if ways else None
    if way is None:
        battle.nothing_left((t.REROLL,), "(J-CAP-6): there is neither luck nor fate for this roll")
        return roll, hit
    if way == 0:
        whose.luck_used = True
    else:
        whose.spells["fate"] -= 1
    battle.write(t.REROLL, whose, jug if hit else target, item, extra=way)
    return throw(address + REROLLED)


def dodged(battle: "Battle", jug: Jug, target: Jug, item: int) -> bool:
    """Roll for evasion if it was not tried this turn (J-CAP-3)."""
    if not target.able("evasion") or target.evasion_tried:
        return False
    target.evasion_tried = True
    roll = battle.roll(battle.rules.evasion_dice, "evade", target.seat, 0)
    away = roll <= battle.rules.evasion_at_most
    battle.write(t.DODGE, target, jug, item, roll=roll, value=away)
    return bool(away)


def damage_dice(battle: "Battle", attack: Attack) -> tuple[str, int]:
    """Return the damage dice of an attack and what their sum is multiplied by (J-SC-2, J-WPN-17)."""
    rules, item = battle.rules, attack.item
    if item >= t.KICK:
        return {t.KICK: rules.kick_dice, t.FIREBALL: rules.fireball_damage, t.BOLT: rules.bolt_damage}[item], 1
    dice, size = attack.jug.weapon(item, rules).damage, attack.jug.size(item)
    if rules.oversize == "multiply" or attack.special == "scythe":
        return dice, size
    return "+".join([dice] * size), 1


def roll_fire(battle: "Battle", attack: Attack, target: Jug, address: int) -> Fire:
    """Roll the points and turns of a fire (J-WPN-3, J-WPN-4)."""
    rules, jug = battle.rules, attack.jug
    dice, points = damage_dice(battle, attack)
    anew = attack.special == "cauldron" and rules.cauldron_reroll
    if not anew:
        points *= battle.roll(dice, "damage", jug.seat, address)
    turns = battle.roll(rules.fire_turns_dice, "fire_turns", jug.seat, address)
    old = None if rules.fire_stacks else old_fire(target, jug, attack.item)
    lit = old is None or turns >= old.turns
    battle.write(t.FIRE, jug, target, attack.item, roll=turns, value=points, extra=lit)
    return Fire(jug, attack.item, jug.side, points, turns, dice if anew else "")


def roll_rope(battle: "Battle", jug: Jug, target: Jug, item: int, *, later: bool) -> int:
    """Roll for a winch's rope: 0 topples, 1 holds, 2 snaps (J-WPN-9)."""
    rules = battle.rules
    roll = battle.roll(rules.rope_dice, "rope_later" if later else "rope", jug.seat, item)
    result = 0 if roll <= rules.rope_topples_at_most else 1 if roll <= rules.rope_holds_at_most else 2
    battle.write(t.ROPE, jug, target, item, roll=roll, value=result, extra=later)
    return result


def shielded(battle: "Battle", jug: Jug, target: Jug, item: int) -> bool:
    """Stop a hit with the spell shield if its policy wants it (J-WIZ-3, J-WIZ-5)."""
    if not target.spells["shield"] or not battle.policy(target.side).shield(target, jug, item):
        battle.nothing_left((t.SHIELD,), "(J-WIZ-3): this jug has no shield for this hit", target)
        return False
    target.spells["shield"] -= 1
    battle.write(t.SHIELD, target, jug, item)
    return True


def balanced(battle: "Battle", jug: Jug, target: Jug, item: int, more: int) -> bool:
    """Roll for balance against a topple (J-CAP-1)."""
    if not target.able("balance"):
        return False
    rules = battle.rules
    roll = battle.roll(rules.balance_dice, "balance", target.seat, 64 * jug.seat + item + more)
    avoided = roll <= rules.balance_at_most
    battle.write(t.BALANCE, target, jug, item, roll=roll, value=avoided)
    return bool(avoided)


def controlled(battle: "Battle", jug: Jug, target: Jug, item: int, damage: int) -> int:
    """Return the damage after damage control (J-CAP-2, J-CAP-4)."""
    if damage <= 0 or not target.able("damage_control") or target.control_tried:
        return damage
    rules = battle.rules
    target.control_tried = True
    roll = battle.roll(rules.control_dice, "control", target.seat, 0)
    after = damage // rules.control_divides if roll <= rules.control_at_most else damage
    battle.write(t.CONTROL, target, jug, item, roll=roll, value=after)
    return int(after)


def squeeze(battle: "Battle", jug: Jug, item: int, target: Jug, effects: Effects) -> None:
    """Roll the automatic damage of a hold (J-WPN-8)."""
    dice, times = damage_dice(battle, Attack(jug, item, [target]))
    roll = battle.roll(dice, "hold", jug.seat, item)
    battle.write(t.SQUEEZE, jug, target, item, roll=roll, value=roll * times)
    effects.hurt(target, jug.side, roll * times)
    battle.damage[jug.side]["squeeze"] += roll * times
