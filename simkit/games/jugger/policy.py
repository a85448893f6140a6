"""Who decides what: targets, pieces given up, spells, reactions. Moves are thought out in :mod:`greedy`.

``hold`` stands still and fires all that bears (J-HLD-1); ``random`` leaves every choice to dice of its own;
``greedy`` and ``lookahead`` share everything here and differ in their moves.
"""

from simkit.core.hexgrid import distance
from simkit.core.jit import kernel, rule
from simkit.games.jugger.aboard import bit
from simkit.games.jugger.board import sees
from simkit.games.jugger.damage import PER_DIE, TWELFTHS, worth_of_hit
from simkit.games.jugger.happenings import BOLT, FIREBALL, KICK
from simkit.games.jugger.records import JUGS, PieceKind, Policy, Setup, Special, Spell, State
from simkit.games.jugger.throw import choose
from simkit.games.jugger.weapons import ahead, reaches


@rule
def policy_of(state: State, slot: int) -> int:
    """Return the policy of the side that a jug fights for."""
    return state.policies[state.jugs[slot].side]


@rule
def kick_bears(setup: Setup, state: State, slot: int, foe: int) -> bool:
    """Tell whether a jug in the forward arc is near enough for the legs' kick (J-EQ-5)."""
    own, other = state.jugs[slot], state.jugs[foe]
    q, r = other.q - own.q, other.r - own.r
    return own.kicks and distance(q, r) == 1 and ahead(own.facing, q, r, setup.rules.half_cone)


@kernel
def bears(setup: Setup, state: State, slot: int, foe: int, item: int) -> bool:
    """Tell whether an attack of a jug bears on another: in range and arc, and in sight where sight matters."""
    own, other = state.jugs[slot], state.jugs[foe]
    q, r = other.q - own.q, other.r - own.r
    if item == KICK:
        return kick_bears(setup, state, slot, foe)
    if item == FIREBALL:
        reached = distance(q, r) <= setup.rules.fireball_range
    elif item == BOLT:
        reached = distance(q, r) <= setup.rules.bolt_range
    else:
        reached = reaches(setup.jugs[own.row].weapons[item], own.facing, q, r, setup.rules.half_cone)
    return reached and (not setup.rules.line_of_sight or distance(q, r) == 1 or sees(setup, state, slot, foe))


@kernel
def worth(setup: Setup, state: State, slot: int, foe: int, item: int) -> int:
    """Return what an attack on a foe is worth: chances in six times expected hits, in twelfths (J-DMG-9)."""
    own, rules = state.jugs[slot], setup.rules
    jug = setup.jugs[own.row]
    if item == KICK:
        mean = rules.kick_mean + (TWELFTHS * jug.size_class if rules.kick_adds_size else 0)
        return min(PER_DIE, rules.kick_to_hit) * mean
    if item == FIREBALL:
        return min(PER_DIE, rules.fireball_to_hit) * rules.fireball_mean
    if item == BOLT:
        return min(PER_DIE, rules.bolt_to_hit) * rules.bolt_mean
    weapon = jug.weapons[item]
    to_hit = PER_DIE + 1 - weapon.to_hit if rules.to_hit_at_least else weapon.to_hit
    return min(rules.to_hit_max, to_hit) * worth_of_hit(
        weapon, setup.jugs[state.jugs[foe].row].hits, rules.fire_turns_mean
    )


@kernel
def worth_of_piece(setup: Setup, state: State, slot: int, piece: int) -> int:
    """Return the expected hits a turn of a piece where the jugs stand now (J-DMG-9); not bearing is worth nothing."""
    own = state.jugs[slot]
    lost = setup.jugs[own.row].pieces[piece]
    item = lost.weapon
    if lost.kind == PieceKind.LEGS:
        item = KICK
    elif lost.kind != PieceKind.WEAPON or bit(own.spent, item):
        return 0
    spikes = item < KICK and setup.jugs[own.row].weapons[item].special == Special.SPIKES
    best, total = 0, 0
    for foe in range(state.count):
        other = state.jugs[foe]
        if other.fate == 0 and other.side != own.side and bears(setup, state, slot, foe, item):
            value = worth(setup, state, slot, foe, item)
            best = max(best, value)
            total += value
    return total if spikes else best


@kernel
def choose_piece(setup: Setup, state: State, slot: int, side: int, attacker: bool) -> int:
    """Return the piece that a side takes from a jug, or -1 if none is left (J-DMG-7, J-DMG-9).

    The attacker takes the one that is worth most here and now, first of equals; the defender gives up
    the one that is worth least, last of equals.
    """
    own = state.jugs[slot]
    jug = setup.jugs[own.row]
    if state.policies[side] == Policy.RANDOM:
        living = 0
        for k in range(jug.piece_count):
            living += int(not bit(own.lost, k))
        left = choose(state, slot, living)
        for k in range(jug.piece_count):
            if not bit(own.lost, k):
                if left == 0:
                    return k
                left -= 1
        return -1
    chosen, value = -1, 0
    for k in range(jug.piece_count):
        if bit(own.lost, k):
            continue
        now = worth_of_piece(setup, state, slot, k)
        if chosen < 0 or (attacker and now > value) or (not attacker and now <= value):
            chosen, value = k, now
    return chosen


@kernel
def choose_target(setup: Setup, state: State, slot: int, item: int) -> int:
    """Return the enemy that an attack is declared at, or -1 for none.

    ``hold`` takes the enemy with the lowest slot, ``random`` any or none; the others the one on which most is to be
    gained: a jug that the attack may finish counts its size classes on top.
    """
    own = state.jugs[slot]
    policy = policy_of(state, slot)
    if policy == Policy.RANDOM:
        options = 0
        for foe in range(state.count):
            other = state.jugs[foe]
            options += int(other.fate == 0 and other.side != own.side and bears(setup, state, slot, foe, item))
        if options == 0:
            return -1
        left = choose(state, slot, options + 1)
        for foe in range(state.count):
            other = state.jugs[foe]
            if other.fate == 0 and other.side != own.side and bears(setup, state, slot, foe, item):
                if left == 0:
                    return foe
                left -= 1
        return -1
    chosen, value = -1, 0
    for foe in range(state.count):
        other = state.jugs[foe]
        if other.fate or other.side == own.side or not bears(setup, state, slot, foe, item):
            continue
        if policy == Policy.HOLD:
            return foe
        now = gain(setup, state, slot, foe, item)
        if chosen < 0 or now > value:
            chosen, value = foe, now
    return chosen


@kernel
def gain(setup: Setup, state: State, slot: int, foe: int, item: int) -> int:
    """Return what an attack on a foe gains: its expected hits, and more the nearer that foe is to its end."""
    other = state.jugs[foe]
    expected = worth(setup, state, slot, foe, item)
    size = setup.jugs[other.row].size_class
    left = max(1, other.hits)
    return expected + min(expected, TWELFTHS * PER_DIE * left) * size * TWELFTHS // left


@kernel
def attacks_with_spikes(state: State, slot: int, friends: int, enemies: int) -> bool:
    """Tell whether wheel spikes are used, which wound friends too (J-WPN-12)."""
    policy = policy_of(state, slot)
    if enemies == 0:
        return False
    if policy == Policy.RANDOM:
        return choose(state, slot, 2) == 0
    return policy == Policy.HOLD or enemies > friends


@rule
def is_clever(policy: int) -> bool:
    """Tell whether a policy uses luck, fate, spells and shields by the defaults of the rules (J-CAP-6, J-WIZ-5)."""
    return policy >= Policy.GREEDY


@kernel
def casts_attack(setup: Setup, state: State, slot: int) -> int:
    """Return the attack spell that is cast now and its target as ``spell * JUGS + target``, or -1."""
    own = state.jugs[slot]
    policy = policy_of(state, slot)
    if policy == Policy.HOLD or own.cast >= setup.rules.spells_per_turn:
        return -1
    if own.spells[Spell.FIREBALL] + own.spells[Spell.BOLT] == 0:
        return -1
    best, foe_best, value = -1, -1, 0
    options = 0
    for item in (FIREBALL, BOLT):
        if own.spells[item - FIREBALL + 1] <= 0:
            continue
        for foe in range(state.count):
            other = state.jugs[foe]
            if other.fate or other.side == own.side or not bears(setup, state, slot, foe, item):
                continue
            options += 1
            now = gain(setup, state, slot, foe, item)
            if now > value:
                best, foe_best, value = item, foe, now
    if policy != Policy.RANDOM:
        return -1 if best < 0 else best * JUGS + foe_best
    if options == 0:
        return -1
    left = choose(state, slot, options + 1)
    for item in (FIREBALL, BOLT):
        if own.spells[item - FIREBALL + 1] <= 0:
            continue
        for foe in range(state.count):
            other = state.jugs[foe]
            if other.fate or other.side == own.side or not bears(setup, state, slot, foe, item):
                continue
            if left == 0:
                return item * JUGS + foe
            left -= 1
    return -1


@kernel
def casts_haste(setup: Setup, state: State, slot: int) -> bool:
    """Tell whether haste is cast now: the clever do as soon as none is at work and an enemy is out of close reach."""
    own = state.jugs[slot]
    if own.spells[Spell.HASTE] <= 0 or own.cast >= setup.rules.spells_per_turn:
        return False
    policy = policy_of(state, slot)
    if policy == Policy.RANDOM:
        return choose(state, slot, 2) == 0
    return is_clever(policy) and own.haste == 0


@kernel
def casts_restoration(setup: Setup, state: State, slot: int) -> bool:
    """Tell whether restoration is cast now (J-WIZ-5): at 17 or more hits missing."""
    own = state.jugs[slot]
    missing = setup.jugs[own.row].hits - own.hits
    if own.spells[Spell.RESTORATION] <= 0 or own.cast >= setup.rules.spells_per_turn or missing <= 0:
        return False
    policy = policy_of(state, slot)
    if policy == Policy.RANDOM:
        return choose(state, slot, 2) == 0
    return is_clever(policy) and missing >= setup.rules.restoration_from


@kernel
def shields(setup: Setup, state: State, slot: int, damage: int, kills: bool) -> bool:
    """Tell whether a hit is stopped by a shield (J-WIZ-5): the first that kills or costs 10 or more."""
    own = state.jugs[slot]
    if own.spells[Spell.SHIELD] <= 0 or not is_clever(policy_of(state, slot)):
        return False
    return kills or damage >= setup.rules.shield_from or damage >= own.hits


@rule
def lets_go(state: State, slot: int) -> bool:
    """Tell whether a jug lets go of what it holds at its segment's start (J-WPN-14): nobody does of his own will."""
    return state.jugs[slot].fate > 0
