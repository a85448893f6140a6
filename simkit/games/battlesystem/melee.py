"""Blows (B-MEL, B-LAN-19 to B-LAN-22): index, attacks, first strike, and the exchange of blows of a pair."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.contact import in_play
from simkit.games.battlesystem.happenings import Purpose, What
from simkit.games.battlesystem.kinds import Blow, FirstStrike, Side, Tally
from simkit.games.battlesystem.losses import hurt, lose
from simkit.games.battlesystem.morale import look_at
from simkit.games.battlesystem.records import Contact, Numbers, Setup, State
from simkit.games.battlesystem.shape import ANY, Front, all_round, attacks, covers_set, covers_wall, front
from simkit.games.battlesystem.throw import note, throw

EXCHANGE = 256
"""Factor of the exchange in the last part of an address."""

BOTH = -1
"""Nobody strikes first."""


@rule
def steps_of(rules: Numbers, n: int) -> int:
    """Return how many steps below the index that kills nothing an attack comes (B-MEL-1)."""
    return min(max(rules.crt_top - n, 0), rules.crt_steps)


@rule
def result(setup: Setup, k: int, blow: int, n: int) -> int:
    """Return the hit dice that one attack kills (B-MEL-1): the lower the index plus the roll, the more."""
    return setup.units[k].kills[blow, steps_of(setup.rules, n)]


@rule
def charging(state: State, contact: Contact, side: int) -> bool:
    """Tell whether a side charges: it made this contact by a charge in this round (B-LAN-22)."""
    return contact.charged[side] == 1 and contact.made == state.now


@rule
def struck_on(state: State, contact: Contact, side: int) -> int:
    """Return where a side strikes; who stands to all sides has only fronts (B-SHW-3, B-LAN-6)."""
    if all_round(state.units[contact.pair[1 - side]].declared):
        return Side.FRONT + 0
    return contact.how[side]


@rule
def melee_ar(rules: Numbers, ar: int, bonus: bool, struck: int, bogged: bool) -> int:
    """Return AR' (B-LAN-19): -2 for a mounted charge, -1 on a flank or -2 in the rear, +4 out of a ditch."""
    if bonus:
        ar -= rules.charge_bonus
    if struck == Side.FLANK:
        ar -= rules.flank_bonus
    if struck == Side.REAR:
        ar -= rules.rear_bonus
    return ar + rules.ditch_penalty if bogged else ar


@rule
def melee_ac(rules: Numbers, ac: int, declared: int, struck: int) -> int:
    """Return AC' (B-SHW-2, B-LAN-19): 2 better where a shield wall in force covers the side that is struck."""
    return ac - rules.wall_melee if covers_wall(declared, struck) else ac


@kernel
def index_of(setup: Setup, state: State, contact: Contact, side: int) -> int:
    """Return AR' - AC' of a side's blows; set spears take a mounted charger's bonus (B-CHG-1, B-LAN-19)."""
    k, foe = contact.pair[side], contact.pair[1 - side]
    unit, struck = setup.units[k], struck_on(state, contact, side)
    bonus = unit.mounted and charging(state, contact, side) and contact.met_set[1 - side] == 0
    ar = melee_ar(setup.rules, unit.ar, bonus, struck, contact.bogged[side] == 1)
    return ar - melee_ac(setup.rules, setup.units[foe].ac, state.units[foe].declared, struck)


@rule
def blow_of(setup: Setup, state: State, contact: Contact, side: int) -> int:
    """Return which results a side's blows have (B-SET-2, B-CHG-2).

    All doubled against a charge on its set spears; by its own charge those of weapons that double then.
    """
    if setup.rules.set_doubles and contact.met_set[side] == 1 and charging(state, contact, 1 - side):
        return Blow.SET + 0
    return Blow.CHARGING + 0 if charging(state, contact, side) else Blow.PLAIN + 0


@rule
def shown(setup: Setup, state: State, contact: Contact, side: int, left: int) -> Front:
    """Return what a side's unit shows to the other."""
    k = contact.pair[side]
    return front(setup.units[k], state.units[k], struck_on(state, contact, 1 - side), left)


@kernel
def number_of(setup: Setup, state: State, contact: Contact, side: int, left: int) -> int:
    """Return how many attacks a side has (B-LAN-5)."""
    k = contact.pair[side]
    own, other = shown(setup, state, contact, side, left), shown(setup, state, contact, 1 - side, ANY)
    return attacks(setup.rules, setup.units[k], state.units[k].figures, own, other)


@kernel
def strike(setup: Setup, state: State, contact: Contact, side: int, exchange: int, left: int) -> int:
    """Roll all attacks of a side, one roll a figure, and return the hit dice that they kill (B-MEL-3, B-LAN-20)."""
    k, foe = contact.pair[side], contact.pair[1 - side]
    seat, against = setup.units[k].seat, setup.units[foe].seat
    number = number_of(setup, state, contact, side, left)
    index, blow = index_of(setup, state, contact, side), blow_of(setup, state, contact, side)
    if struck_on(state, contact, side) == Side.REAR:
        state.units[foe].rear = True
    note(state, What.STRIKE + 0, seat, against, -1, number, index)
    begin = state.units[k].blows[exchange]
    state.units[k].blows[exchange] = begin + number
    total = 0
    for attack in range(begin, begin + number):
        roll = throw(setup.attack, state, seat, Purpose.MELEE + 0, EXCHANGE * exchange + attack)
        killed = result(setup, k, blow, index + roll)
        note(state, What.ROLL + 0, seat, against, roll, killed, attack)
        total += killed
    return total


@rule
def strikes_first(setup: Setup, state: State, contact: Contact, side: int) -> bool:
    """Tell whether a side's set spears strike before the enemy (B-SET-3, B-SET-4, B-LAN-15, B-LAN-17).

    Set at the moment of contact, against a charger in that round; by the letter against everybody, and in later rounds
    as long as they are set anew.
    """
    mode = setup.rules.set_first_strike
    if contact.met_set[side] == 0 or mode == FirstStrike.NEVER:
        return False
    if charging(state, contact, 1 - side):
        return True
    declared = state.units[contact.pair[side]].declared
    still = contact.held[side] == 1 and covers_set(declared, struck_on(state, contact, 1 - side))
    return mode == FirstStrike.ALWAYS and (contact.made == state.now or still)


@rule
def early(setup: Setup, state: State, contact: Contact) -> int:
    """Return the side that strikes first, or -1 where both strike at once (B-LAN-20, B-LAN-21)."""
    a, b = strikes_first(setup, state, contact, 0), strikes_first(setup, state, contact, 1)
    if a == b:
        return BOTH
    return 0 if a else 1


@kernel
def at_once(setup: Setup, state: State, contact: Contact, exchange: int) -> None:
    """Let both sides strike from the same state, and both lose (B-LAN-20)."""
    by_a = strike(setup, state, contact, 0, exchange, ANY)
    by_b = strike(setup, state, contact, 1, exchange, ANY)
    a, b = contact.pair[0], contact.pair[1]
    of_a = hurt(setup, state, a, by_b)
    of_b = hurt(setup, state, b, by_a)
    lose(setup, state, a, of_a)
    lose(setup, state, b, of_b)


@kernel
def in_turn(setup: Setup, state: State, contact: Contact, side: int, exchange: int) -> None:
    """Let set spears strike, take the losses off, and let the survivors answer (B-LAN-21)."""
    spears, charger = contact.pair[side], contact.pair[1 - side]
    state.tally[side, Tally.FIRST_STRIKES] += 1
    before = shown(setup, state, contact, 1 - side, ANY).files
    kills = hurt(setup, state, charger, strike(setup, state, contact, side, exchange, ANY))
    lose(setup, state, charger, kills)
    if setup.rules.strike_between_checks and in_play(state, charger):
        look_at(setup, state, charger)
    if in_play(state, charger):
        answer = strike(setup, state, contact, 1 - side, exchange, max(0, before - kills))
        lose(setup, state, spears, hurt(setup, state, spears, answer))


@kernel
def exchange_blows(setup: Setup, state: State, contact: Contact, exchange: int) -> None:
    """Let a pair exchange blows: at once, or set spears first (B-LAN-20, B-LAN-21)."""
    side = early(setup, state, contact)
    if side == BOTH:
        at_once(setup, state, contact, exchange)
    else:
        in_turn(setup, state, contact, side, exchange)


@kernel
def fight_pairs(setup: Setup, state: State) -> None:
    """Let all pairs in contact exchange blows: by the slot of the first side's unit, then by that of its enemy."""
    other = 1 - state.first
    for slot in range(setup.slots):
        k = state.line[state.first, slot]
        if k < 0 or state.units[k].contacts == 0:
            continue
        for theirs in range(setup.slots):
            foe = state.line[other, theirs]
            for i in range(state.touching):
                contact = state.contacts[i]
                if contact.on and contact.pair[state.first] == k and contact.pair[other] == foe:
                    exchange_blows(setup, state, contact, 0)
