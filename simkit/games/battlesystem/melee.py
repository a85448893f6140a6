"""Blows (B-MEL, B-LAN-19 to B-LAN-22): index, attacks, first strike, and the exchange of blows."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.happenings import Purpose, What
from simkit.games.battlesystem.kinds import Blow, Fate, FirstStrike, Formation, Side
from simkit.games.battlesystem.morale import check
from simkit.games.battlesystem.movement import is_set, walled
from simkit.games.battlesystem.records import LEAST_INDEX, WORTHS, Numbers, Setup, State
from simkit.games.battlesystem.shape import attacks, covers, front, lose
from simkit.games.battlesystem.throw import note, throw

EXCHANGE = 256
"""Factor of the exchange in the last part of an address."""


@rule
def steps_of(rules: Numbers, n: int) -> int:
    """Return how many steps below the index that kills nothing an attack comes (B-MEL-1)."""
    return min(max(rules.crt_top - n, 0), rules.crt_steps)


@rule
def result(setup: Setup, k: int, blow: int, index: int, roll: int) -> int:
    """Return the hit dice that one attack kills (B-MEL-1): the lower index + roll, the more."""
    return setup.units[k].kills[blow, steps_of(setup.rules, index + roll)]


@rule
def charges(setup: Setup, state: State, k: int, foe: int) -> bool:
    """Tell whether a unit came into this contact by a charge this round (B-LAN-15, B-LAN-22)."""
    return state.units[k].came_charging


@rule
def faces_set(setup: Setup, state: State, k: int, foe: int) -> bool:
    """Tell whether a unit came into set spears: what was set at the moment of contact counts (B-LAN-15)."""
    return state.units[k].met_set


@rule
def melee_ar(rules: Numbers, ar: int, bonus: bool, struck: int, ditch: bool) -> int:
    """Return AR' (B-LAN-19): -2 for a mounted charge, -1 on a flank or -2 in the rear, +4 out of a ditch."""
    if bonus:
        ar -= rules.charge_bonus
    if struck == Side.FLANK:
        ar -= rules.flank_bonus
    if struck == Side.REAR:
        ar -= rules.rear_bonus
    return ar + rules.ditch_penalty if ditch else ar


@kernel
def index_of(setup: Setup, state: State, k: int, foe: int) -> int:
    """Return AR' - AC' of a unit's blows at its enemy (B-LAN-19)."""
    unit, other = setup.units[k], setup.units[foe]
    stand, enemy = state.units[k], state.units[foe]
    bonus = unit.mounted and charges(setup, state, k, foe) and not faces_set(setup, state, k, foe)
    struck = enemy.struck
    if covers(enemy, Side.REAR + 0):  # all round: no flank, no rear
        struck = Side.FRONT + 0
    ac = other.ac
    if walled(enemy) and covers(enemy, enemy.struck):
        ac -= setup.rules.wall_melee
    return melee_ar(setup.rules, unit.ar, bonus, struck, stand.ditch) - ac


@kernel
def strike(setup: Setup, state: State, k: int, foe: int, abreast: int, blow: int, exchange: int) -> int:
    """Roll all attacks of a unit and return the hit dice they kill: one roll a figure, mounted or not (B-MEL-3)."""
    unit = setup.units[k]
    number = attacks(setup, state, k, foe, abreast)
    index = index_of(setup, state, k, foe)
    note(state, What.STRIKE + 0, unit.seat, setup.units[foe].seat, 0, number, index)
    total = 0
    for i in range(number):
        roll = throw(setup.attack, state, unit.seat, Purpose.MELEE + 0, EXCHANGE * exchange + i)
        killed = result(setup, k, blow, index, roll)
        note(state, What.ROLL + 0, unit.seat, setup.units[foe].seat, roll, killed, i)
        total += killed
    if state.units[foe].struck == Side.REAR and number > 0:
        state.units[foe].rear = True
    state.tally[unit.side, 0] += total
    return total


@kernel
def suffer(setup: Setup, state: State, k: int, foe: int, damage: int) -> int:
    """Take pooled damage off a unit and return the figures that fall; one without figures is destroyed (B-LAN-7)."""
    unit, stand = setup.units[k], state.units[k]
    killed = lose(setup, state, k, damage)
    note(state, What.DAMAGE + 0, unit.seat, setup.units[foe].seat, 0, damage, stand.wound)
    note(state, What.LOSE + 0, unit.seat, -1, 0, killed, stand.figures)
    return killed


@kernel
def bury(setup: Setup, state: State) -> None:
    """Take units off that have no figures left (B-LAN-7)."""
    for k in range(setup.count):
        stand = state.units[k]
        if stand.fate == 0 and stand.figures <= 0:
            stand.fate = Fate.DESTROYED + 0
            note(state, What.DESTROYED + 0, setup.units[k].seat, -1, 0, 0, 0)


@rule
def strikes_first(setup: Setup, state: State, k: int, foe: int) -> bool:
    """Tell whether a unit's set spears strike before the enemy (B-SET-3, B-SET-4)."""
    mode, stand = setup.rules.set_first_strike, state.units[k]
    if mode == FirstStrike.ALWAYS and is_set(stand) and covers(stand, stand.struck):
        return True
    return mode != FirstStrike.NEVER and charges(setup, state, foe, k) and faces_set(setup, state, foe, k)


@rule
def blow_of(setup: Setup, state: State, k: int, foe: int) -> int:
    """Return which results a unit's blows have: doubled against a charge, or by its own charge (B-SET-2, B-CHG-2)."""
    if setup.rules.set_doubles and charges(setup, state, foe, k) and faces_set(setup, state, foe, k):
        return Blow.SET + 0
    return Blow.CHARGING + 0 if charges(setup, state, k, foe) else Blow.PLAIN + 0


@kernel
def left_in_front(setup: Setup, state: State, k: int, had: int, killed: int) -> int:
    """Return who is left to strike after a first strike: a closed front is filled from the rear (B-LAN-21)."""
    unit, stand = setup.units[k], state.units[k]
    if stand.formation == Formation.CLOSED and unit.figures > unit.files:
        return front(unit, stand)
    return max(0, had - killed)


@rule
def average(setup: Setup, k: int, blow: int, index: int) -> int:
    """Return what one attack kills on average, in 1/2^20 of a hit die."""
    return setup.units[k].worth[blow, min(max(index - LEAST_INDEX, 0), WORTHS - 1)]


@kernel
def expected(setup: Setup, state: State, k: int, foe: int, abreast: int) -> int:
    """Return the hit dice that a unit's blows kill on average, in 1/2^20."""
    number = attacks(setup, state, k, foe, abreast)
    return number * average(setup, k, blow_of(setup, state, k, foe), index_of(setup, state, k, foe))


@kernel
def exchange_blows(setup: Setup, state: State, k: int, foe: int, exchange: int) -> None:
    """Let two units in contact exchange blows: at once, or set spears first (B-LAN-20, B-LAN-21)."""
    first, second = k, foe
    if setup.units[foe].seat < setup.units[k].seat:
        first, second = foe, k
    early = -1
    if strikes_first(setup, state, first, second):
        early = first
    if strikes_first(setup, state, second, first):
        early = second if early < 0 else -1
    if early < 0:
        blow_a, blow_b = blow_of(setup, state, first, second), blow_of(setup, state, second, first)
        one, two = front(setup.units[first], state.units[first]), front(setup.units[second], state.units[second])
        by_first = strike(setup, state, first, second, one, blow_a, exchange)
        by_second = strike(setup, state, second, first, two, blow_b, exchange)
        suffer(setup, state, first, second, by_second)
        suffer(setup, state, second, first, by_first)
    else:
        late = second if early == first else first
        state.tally[setup.units[early].side, 4] += 1
        had = front(setup.units[late], state.units[late])
        full = front(setup.units[early], state.units[early])
        early_blow, late_blow = blow_of(setup, state, early, late), blow_of(setup, state, late, early)
        killed = suffer(setup, state, late, early, strike(setup, state, early, late, full, early_blow, exchange))
        if setup.rules.strike_between_checks and state.units[late].figures > 0:
            check(setup, state, late)
            state.units[late].before = state.units[late].figures
        if state.units[late].fate == 0 and state.units[late].figures > 0:
            left = left_in_front(setup, state, late, had, killed)
            suffer(setup, state, early, late, strike(setup, state, late, early, left, late_blow, exchange))
    if not setup.rules.carry_wounds:
        state.units[k].wound = 0
        state.units[foe].wound = 0
