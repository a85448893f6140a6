"""The moment of attack: everybody declares, then the dice fall, then all takes effect together (J-ATK)."""

from simkit.core.jit import kernel, rule
from simkit.games.jugger.aboard import bit, burn, has, hold_of, is_fire, is_ready, rope_winch
from simkit.games.jugger.happenings import BOLT, FIREBALL, KICK, Cause, Purpose, Source, What
from simkit.games.jugger.policy import (
    attacks_with_spikes,
    casts_attack,
    choose_target,
    is_clever,
    policy_of,
    shields,
)
from simkit.games.jugger.records import (
    JUGS,
    Ability,
    DiceRow,
    Policy,
    Setup,
    Special,
    Spell,
    State,
    Weapon,
)
from simkit.games.jugger.settle import check_over, mark, settle, wound
from simkit.games.jugger.throw import REROLL, note, throw
from simkit.games.jugger.weapons import beside, is_hit, needed

SEATS = 64
"""Factor of a dice seat in the last part of an address."""

TOPPLES = 1
HOLDS_ON = 2
SNAPS = 3
"""What a rope can do; 0 is no rope."""

SQUEEZES = 99
"""Bonus that marks an attack of a weapon that already holds: it needs no roll (J-WPN-8)."""


@kernel
def moment(setup: Setup, state: State, side: int, at_start: bool) -> None:
    """Let all declare, the moving side first (J-ATK-5); then roll, then let it take effect."""
    state.shot_count = 0
    declared = -1
    while declared < state.shot_count:
        declared = state.shot_count
        for turn in range(2):
            seat = side if turn == 0 else 1 - side
            for slot in range(state.count):
                fighter = state.jugs[slot]
                if fighter.fate == 0 and fighter.side == seat and not state.peaceful[seat]:
                    declare(setup, state, slot, at_start)
        if not setup.rules.rounds_of_declarations:
            break
    if state.shot_count == 0:
        return
    for k in range(state.shot_count):
        attack(setup, state, k)
    settle(setup, state)
    check_over(setup, state)


@kernel
def declare(setup: Setup, state: State, slot: int, at_start: bool) -> None:
    """Declare what a jug attacks with now: weapons in list order, the kick, a spell (J-ATK-1, J-ATK-5)."""
    fighter, rules = state.jugs[slot], setup.rules
    jug = setup.jugs[fighter.row]
    silent = policy_of(state, slot) == Policy.HOLD and not at_start
    if jug.armed & ~fighter.used:
        for item in range(jug.weapon_count):
            if rules.hold_attacks and bit(fighter.holding, item):
                squeeze_now(state, slot, item)
            if silent or not is_ready(setup, state, fighter, item):
                continue
            weapon = jug.weapons[item]
            if weapon.special == Special.SPIKES:
                declare_spikes(setup, state, slot, item)
                continue
            foe = choose_target(setup, state, slot, item)
            if foe >= 0:
                bonus = captain_bonus(setup, state, slot, weapon)
                add_shot(state, slot, foe, item, bonus)
                if weapon.special == Special.CAULDRON:
                    fighter.ready[item] = state.turn + rules.cauldron_every
        if not silent and fighter.kicks and not bit(fighter.used, KICK):
            foe = choose_target(setup, state, slot, KICK)
            if foe >= 0:
                add_shot(state, slot, foe, KICK, 0)
    if not silent and fighter.spells[Spell.FIREBALL] + fighter.spells[Spell.BOLT] > 0:
        cast = casts_attack(setup, state, slot)
        if cast >= 0:
            spell, foe = cast // JUGS, cast % JUGS
            fighter.spells[spell - FIREBALL + 1] -= 1
            add_shot(state, slot, foe, spell, 0)
            fighter.cast += 1


@kernel
def add_shot(state: State, slot: int, foe: int, item: int, bonus: int) -> None:
    """Write a declaration down; the weapon has attacked this turn (J-ATK-1). There is room for all of a moment."""
    shot = state.shots[state.shot_count]
    shot.jug = slot
    shot.foe = foe
    shot.attack = item
    shot.address = item
    if item > KICK:  # every spell of the turn has dice of its own
        shot.address += SEATS * state.jugs[slot].cast
    shot.bonus = bonus
    shot.side = state.jugs[slot].side
    shot.grabs = False
    shot.ropes = False
    state.shot_count += 1
    state.jugs[slot].used |= 1 << item
    if bonus != SQUEEZES:
        note(state, What.DECLARE + 0, slot, foe, item, 0, 0, 0)


@kernel
def squeeze_now(state: State, slot: int, item: int) -> None:
    """Let a weapon that holds since an earlier turn attack, where that is how holds do damage (J-WPN-8)."""
    k = hold_of(state, slot, item)
    if k >= 0 and state.holds[k].turn < state.turn and not bit(state.jugs[slot].used, item):
        add_shot(state, slot, state.holds[k].held, item, SQUEEZES)


@kernel
def declare_spikes(setup: Setup, state: State, slot: int, item: int) -> None:
    """Declare wheel spikes, which attack every unit in the side hexes (J-WPN-1, J-WPN-12)."""
    friends, enemies = 0, 0
    own = state.jugs[slot]
    for other in range(state.count):
        if is_beside(state, slot, other):
            friends += int(state.jugs[other].side == own.side)
            enemies += int(state.jugs[other].side != own.side)
    if attacks_with_spikes(state, slot, friends, enemies):
        add_shot(state, slot, -1, item, captain_bonus(setup, state, slot, setup.jugs[own.row].weapons[item]))


@rule
def is_beside(state: State, slot: int, other: int) -> bool:
    """Tell whether another jug in play stands in a side hex."""
    own, there = state.jugs[slot], state.jugs[other]
    return there.fate == 0 and other != slot and beside(own.facing, there.q - own.q, there.r - own.r)


@kernel
def captain_bonus(setup: Setup, state: State, slot: int, weapon: Weapon) -> int:
    """Return the artillerist's or meleer's bonus for the first such attack of the turn (J-CAP-5)."""
    fighter = state.jugs[slot]
    if weapon.missile:
        if has(fighter, Ability.ARTILLERIST + 0) and not fighter.missile_bonus:
            fighter.missile_bonus = True
            return setup.rules.artillerist_bonus
    elif has(fighter, Ability.MELEER + 0) and not fighter.close_bonus:
        fighter.close_bonus = True
        return setup.rules.meleer_bonus
    return 0


@kernel
def attack(setup: Setup, state: State, k: int) -> None:
    """Roll one declared attack."""
    shot = state.shots[k]
    slot, item = shot.jug, shot.attack
    if shot.bonus == SQUEEZES:
        squeeze(setup, state, slot, shot.foe, item)
    elif shot.foe >= 0:
        roll_attack(setup, state, k, shot.foe, shot.address)
    else:
        for other in range(state.count):
            if is_beside(state, slot, other):
                roll_attack(setup, state, k, other, item + SEATS * (1 + state.jugs[other].seat))


@kernel
def squeeze(setup: Setup, state: State, slot: int, foe: int, item: int) -> None:
    """Let a weapon that holds do its damage (J-WPN-8): no roll to hit and no defence."""
    own = state.jugs[slot]
    weapon = setup.jugs[own.row].weapons[item]
    roll = throw(setup, state, weapon.dice, own.seat, Purpose.HOLD + 0, item)
    damage = roll * weapon.times
    note(state, What.SQUEEZE + 0, slot, foe, item, roll, damage, 0)
    wound(state, foe, damage, own.side, Source.HOLD + 0)


@kernel
def roll_attack(setup: Setup, state: State, k: int, foe: int, address: int) -> None:
    """Roll to hit one target (J-ATK-2), with luck and fate (J-CAP-6); a hit may be dodged (J-CAP-3)."""
    shot = state.shots[k]
    slot, item = shot.jug, shot.attack
    own, rules = state.jugs[slot], setup.rules
    jug = setup.jugs[own.row]
    to_hit = rules.kick_to_hit
    if item == FIREBALL:
        to_hit = rules.fireball_to_hit
    elif item == BOLT:
        to_hit = rules.bolt_to_hit
    elif item != KICK:
        to_hit = jug.weapons[item].to_hit
    at_least = rules.to_hit_at_least and item != KICK
    number = needed(to_hit, shot.bonus, rules.to_hit_max, at_least)
    if rules.evasion_declared and dodges(setup, state, slot, foe, item):
        return
    die = throw(setup, state, DiceRow.TO_HIT + 0, own.seat, Purpose.TO_HIT + 0, address)
    hit = is_hit(die, number, at_least)
    note(state, What.TO_HIT + 0, slot, foe, item, die, number, int(hit))
    if rerolls(setup, state, slot if not hit else foe, slot, foe, item):
        die = throw(setup, state, DiceRow.TO_HIT + 0, own.seat, Purpose.TO_HIT + 0, address + REROLL)
        hit = is_hit(die, number, at_least)
        note(state, What.TO_HIT + 0, slot, foe, item, die, number, int(hit))
    boarders = item < KICK and jug.weapons[item].special == Special.BOARDERS
    if boarders and die >= rules.boarders_lost_from:
        own.spent |= 1 << item
        note(state, What.BOARDERS_LOST + 0, slot, -1, item, 0, 0, 0)
    if not hit:
        return
    if not rules.evasion_declared and dodges(setup, state, slot, foe, item):
        return
    strike(setup, state, k, foe, address)


@kernel
def rerolls(setup: Setup, state: State, who: int, slot: int, foe: int, item: int) -> bool:
    """Tell whether luck or fate has an attack roll thrown again (J-CAP-6): by who missed, or by who was hit."""
    fighter = state.jugs[who]
    if not is_clever(policy_of(state, who)):
        return False
    other = foe if who == slot else slot
    if has(fighter, Ability.LUCK + 0) and not fighter.lucky:
        fighter.lucky = True
        note(state, What.REROLL + 0, who, other, item, 0, 0, 0)
        return True
    if fighter.spells[Spell.FATE] > 0:
        fighter.spells[Spell.FATE] -= 1
        note(state, What.REROLL + 0, who, other, item, 0, 0, 1)
        return True
    return False


@kernel
def dodges(setup: Setup, state: State, slot: int, foe: int, item: int) -> bool:
    """Tell whether evasion saves the target (J-CAP-3): one try a turn, 1 or 2 on a D6."""
    target = state.jugs[foe]
    if not has(target, Ability.EVASION + 0) or target.evaded:
        return False
    target.evaded = True
    die = throw(setup, state, DiceRow.EVADE + 0, target.seat, Purpose.EVADE + 0, 0)
    dodged = die <= setup.rules.evasion_at_most
    note(state, What.DODGE + 0, foe, slot, item, die, int(dodged), 0)
    return dodged


@kernel
def keeps_balance(setup: Setup, state: State, slot: int, foe: int, item: int, address: int) -> bool:
    """Tell whether a captain with balance keeps his jug from toppling (J-CAP-1): 1 to 3 on a D6."""
    target = state.jugs[foe]
    if not has(target, Ability.BALANCE + 0):
        return False
    die = throw(setup, state, DiceRow.BALANCE + 0, target.seat, Purpose.BALANCE + 0, address)
    kept = die <= setup.rules.balance_at_most
    note(state, What.BALANCE + 0, foe, slot, item, die, int(kept), 0)
    return kept


@kernel
def controlled(setup: Setup, state: State, slot: int, foe: int, item: int, damage: int) -> int:
    """Return the damage of an attack after damage control (J-CAP-2, J-CAP-4): one try a turn, 1 to 3 halves it."""
    target = state.jugs[foe]
    if damage <= 0 or not has(target, Ability.CONTROL + 0) or target.controlled:
        return damage
    target.controlled = True
    die = throw(setup, state, DiceRow.CONTROL + 0, target.seat, Purpose.CONTROL + 0, 0)
    if die <= setup.rules.control_at_most:
        damage //= setup.rules.control_divides
    note(state, What.CONTROL + 0, foe, slot, item, die, damage, 0)
    return damage


@kernel
def shielded(setup: Setup, state: State, slot: int, foe: int, item: int, damage: int, kills: bool) -> bool:
    """Tell whether a shield stops a hit (J-WIZ-1, J-WIZ-5)."""
    if not shields(setup, state, foe, damage, kills):
        return False
    state.jugs[foe].spells[Spell.SHIELD] -= 1
    note(state, What.SHIELD + 0, foe, slot, item, 0, 0, 0)
    return True


@kernel
def strike(setup: Setup, state: State, k: int, foe: int, address: int) -> None:
    """Let a hit do what the tables say (J-WPN-1); all of it takes effect when the moment is settled."""
    shot = state.shots[k]
    slot, item = shot.jug, shot.attack
    own, rules = state.jugs[slot], setup.rules
    jug = setup.jugs[own.row]
    if item >= KICK:
        strike_bare(setup, state, slot, foe, item, address)
        return
    weapon = jug.weapons[item]
    special = weapon.special
    if special == Special.BOARDERS or special == Special.CREW:
        if not shielded(setup, state, slot, foe, item, 0, True):
            captures = special == Special.BOARDERS
            note(state, (What.CAPTURE if captures else What.CREW) + 0, slot, foe, item, 0, 0, 0)
            mark(state, foe, (Cause.CAPTURED if captures else Cause.CREW) + 0, shot.side)
        return
    if special == Special.TOPPLE:
        if not shielded(setup, state, slot, foe, item, 0, True):
            topple(setup, state, slot, foe, item, SEATS * own.seat + item)
        return
    if is_fire(special):
        strike_fire(setup, state, slot, foe, item, address)
        return
    roll = throw(setup, state, weapon.dice, own.seat, Purpose.DAMAGE + 0, address)
    cuts = special == Special.SCYTHE and roll >= rules.scythe_cuts_from
    damage = 0 if cuts else roll * weapon.times
    note(state, What.DAMAGE + 0, slot, foe, item, roll, damage, 0)
    rope = 0
    if rope_winch(setup, own, item):
        rope = throw_rope(setup, state, slot, foe, item, address)
    topples = rope == TOPPLES
    if shielded(setup, state, slot, foe, item, damage, cuts or topples):
        return
    if cuts:
        note(state, What.CUT + 0, slot, foe, item, 0, 0, 0)
        mark(state, foe, Cause.CUT + 0, shot.side)
    if rope == SNAPS:
        own.lost |= 1 << weapon.winch
    elif rope > 0:
        topples = rope == TOPPLES and topple(setup, state, slot, foe, item, SEATS * own.seat + item)
        shot.ropes = not topples
    damage = controlled(setup, state, slot, foe, item, damage)
    wound(state, foe, damage, shot.side, Source.WEAPON + 0)
    if special == Special.GRAB:
        shot.grabs = True


@kernel
def strike_bare(setup: Setup, state: State, slot: int, foe: int, item: int, address: int) -> None:
    """Let a kick or an attack spell hit (J-EQ-3, J-EQ-5, J-WIZ-1)."""
    own = state.jugs[slot]
    row, source, plus = DiceRow.KICK + 0, Source.KICK + 0, 0
    if item == KICK:
        plus = setup.jugs[own.row].size_class if setup.rules.kick_adds_size else 0
    else:
        source = Source.SPELL + 0
        row = (DiceRow.FIREBALL if item == FIREBALL else DiceRow.BOLT) + 0
    roll = throw(setup, state, row, own.seat, Purpose.DAMAGE + 0, address)
    note(state, What.DAMAGE + 0, slot, foe, item, roll, roll + plus, 0)
    if not shielded(setup, state, slot, foe, item, roll + plus, False):
        wound(state, foe, controlled(setup, state, slot, foe, item, roll + plus), own.side, source)


@kernel
def strike_fire(setup: Setup, state: State, slot: int, foe: int, item: int, address: int) -> None:
    """Set a target on fire for a number of turns (J-WPN-3, J-WPN-4)."""
    own = state.jugs[slot]
    weapon = setup.jugs[own.row].weapons[item]
    points = weapon.points
    if weapon.special == Special.CAULDRON:
        points = weapon.times
        if not setup.rules.cauldron_reroll:
            points *= throw(setup, state, weapon.dice, own.seat, Purpose.DAMAGE + 0, address)
    turns = throw(setup, state, DiceRow.FIRE_TURNS + 0, own.seat, Purpose.FIRE_TURNS + 0, address)
    lit = burn(setup, state, foe, slot, item, points, turns)
    note(state, What.FIRE + 0, slot, foe, item, turns, points, int(lit))


@kernel
def throw_rope(setup: Setup, state: State, slot: int, foe: int, item: int, address: int) -> int:
    """Roll for the winch's rope at a hit of its ballista (J-WPN-9): it topples, holds or snaps."""
    rules = setup.rules
    die = throw(setup, state, DiceRow.ROPE + 0, state.jugs[slot].seat, Purpose.ROPE + 0, address)
    result = SNAPS
    if die <= rules.rope_topples_at_most:
        result = TOPPLES
    elif die <= rules.rope_holds_at_most:
        result = HOLDS_ON
    note(state, What.ROPE + 0, slot, foe, item, die, result - TOPPLES, 0)
    return result


@kernel
def topple(setup: Setup, state: State, slot: int, foe: int, item: int, address: int) -> bool:
    """Topple a jug unless its captain keeps the balance; tell whether it falls."""
    if keeps_balance(setup, state, slot, foe, item, address):
        return False
    note(state, What.TOPPLE + 0, slot, foe, item, 0, 0, 0)
    mark(state, foe, Cause.TOPPLED + 0, state.jugs[slot].side)
    return True
