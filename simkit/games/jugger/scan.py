"""What a jug can expect of its enemies at every range: tables that a move is judged by."""

from simkit.core.jit import kernel, rule
from simkit.games.jugger.aboard import bit, is_ready, works
from simkit.games.jugger.board import apart
from simkit.games.jugger.damage import PER_DIE, TWELFTHS
from simkit.games.jugger.happenings import KICK
from simkit.games.jugger.policy import worth
from simkit.games.jugger.records import FOES, REACH, Arc, Scan, Setup, State
from simkit.games.jugger.weapons import beside

FAR = 1000
"""Farther than any map is wide."""


@kernel
def nearest(state: State, slot: int, depth: int) -> None:
    """Note the nearest enemies of a jug, the nearest first; of equals the lower slot."""
    scan = state.scans[depth]
    own = state.jugs[slot]
    scan.count = 0
    for k in range(FOES):
        best, least = -1, FAR
        for foe in range(state.count):
            other = state.jugs[foe]
            if other.fate or other.side == own.side:
                continue
            known = False
            for j in range(k):
                known = known or scan.slots[j] == foe
            if not known and apart(state, slot, foe) < least:
                best, least = foe, apart(state, slot, foe)
        if best < 0:
            return
        scan.slots[k] = best
        scan.count = k + 1


@kernel
def look(setup: Setup, state: State, slot: int, depth: int) -> None:
    """Fill the tables of a jug against its nearest enemies."""
    nearest(state, slot, depth)
    scan = state.scans[depth]
    for e in range(scan.count):
        foe = scan.slots[e]
        scan.farthest[e] = 0
        scan.dealt_beside[e] = 0
        scan.taken_beside[e] = 0
        for d in range(REACH):
            scan.dealt[e, d] = 0
            scan.dealt_ahead[e, d] = 0
            scan.taken[e, d] = 0
            scan.taken_ahead[e, d] = 0
            scan.later[e, d] = 0
            scan.later_ahead[e, d] = 0
            scan.suffer[e, d] = 0
            scan.suffer_ahead[e, d] = 0
        arm(setup, state, scan, e, slot, foe)
        menace(setup, state, scan, e, foe, slot)
        scan.charge[e] = state.jugs[foe].velocity + state.jugs[foe].acceleration
        worth_of_ram = PER_DIE * ram_worth(setup, state, foe, scan.charge[e])
        scan.charge_worth[e] = min(worth_of_ram, PER_DIE * TWELFTHS * state.jugs[slot].hits)
        scan.best_range[e] = best_range(setup, state, scan, e, slot, foe)


@kernel
def arm(setup: Setup, state: State, scan: Scan, e: int, slot: int, foe: int) -> None:
    """Add up what the jug's own attacks are worth at each range."""
    own = state.jugs[slot]
    jug = setup.jugs[own.row]
    for k in range(jug.weapon_count):
        if not works(setup, own, k):
            continue
        weapon = jug.weapons[k]
        value = worth(setup, state, slot, foe, k)
        now = value if is_ready(setup, state, own, k) else 0
        if now > 0:
            scan.farthest[e] = max(scan.farthest[e], min(weapon.reach, REACH - 1))
        if weapon.arc == Arc.SIDE:
            scan.dealt_beside[e] += now
            continue
        for d in range(1, min(weapon.reach, REACH - 1) + 1):
            if weapon.arc == Arc.ALL:
                scan.dealt[e, d] += now
                scan.later[e, d] += value
            else:
                scan.dealt_ahead[e, d] += now
                scan.later_ahead[e, d] += value
    if own.kicks:
        value = worth(setup, state, slot, foe, KICK)
        scan.later_ahead[e, 1] += value
        if not bit(own.used, KICK):
            scan.dealt_ahead[e, 1] += value
            scan.farthest[e] = max(scan.farthest[e], 1)


@kernel
def menace(setup: Setup, state: State, scan: Scan, e: int, foe: int, slot: int) -> None:
    """Add up what the enemy's attacks are worth at each range."""
    other = state.jugs[foe]
    jug = setup.jugs[other.row]
    for k in range(jug.weapon_count):
        if not works(setup, other, k):
            continue
        weapon = jug.weapons[k]
        value = worth(setup, state, foe, slot, k)
        now = value if is_ready(setup, state, other, k) else 0
        if now > 0:
            scan.farthest[e] = max(scan.farthest[e], min(weapon.reach, REACH - 1))
        if weapon.arc == Arc.SIDE:
            scan.taken_beside[e] += now
            continue
        for d in range(1, min(weapon.reach, REACH - 1) + 1):
            if weapon.arc == Arc.ALL:
                scan.taken[e, d] += now
                scan.suffer[e, d] += value
            else:
                scan.taken_ahead[e, d] += now
                scan.suffer_ahead[e, d] += value
    if other.kicks:
        value = worth(setup, state, foe, slot, KICK)
        scan.suffer_ahead[e, 1] += value
        if not bit(other.used, KICK):
            scan.taken_ahead[e, 1] += value
            scan.farthest[e] = max(scan.farthest[e], 1)


@rule
def ram_worth(setup: Setup, state: State, slot: int, velocity: int) -> int:
    """Return the expected damage of a jug's ram at a velocity, in twelfths; legs do not ram (J-EQ-3)."""
    own = state.jugs[slot]
    jug = setup.jugs[own.row]
    counts = min(velocity, setup.rules.damage_velocity_cap)
    return 0 if jug.legged else (setup.rules.ram_mean + TWELFTHS * (own.ram + jug.size_class)) * counts


@kernel
def best_range(setup: Setup, state: State, scan: Scan, e: int, slot: int, foe: int) -> int:
    """Return the range at which a jug fights an enemy best: most dealt against least taken, the nearest of equals.

    A jug that can ram, and is not outranged in what it gives, closes in.
    """
    own = ram_worth(setup, state, slot, state.jugs[slot].acceleration + 2) * 6
    best, value = 1, 0
    for d in range(1, REACH):
        now = scan.later[e, d] + scan.later_ahead[e, d] - (scan.suffer[e, d] + scan.suffer_ahead[e, d])
        if d <= 2:
            now += own // 2
        if d == 1 or now > value:
            best, value = d, now
    return best


@rule
def fire(scan: Scan, e: int, d: int, facing: int, dq: int, dr: int, in_aim: bool) -> int:
    """Return what unused weapons deal to an enemy at an offset, in 72nds of a hit."""
    total = scan.dealt[e, d]
    if in_aim:
        total += scan.dealt_ahead[e, d]
    if d == 1 and scan.dealt_beside[e] > 0 and beside(facing, dq, dr):
        total += scan.dealt_beside[e]
    return total


@rule
def risk(scan: Scan, e: int, d: int, dq: int, dr: int, facing: int, in_sights: bool) -> int:
    """Return what an enemy's unused weapons deal to a place at an offset from him, in 72nds of a hit."""
    total = scan.taken[e, d]
    if in_sights:
        total += scan.taken_ahead[e, d]
    if d == 1 and scan.taken_beside[e] > 0 and beside(facing, dq, dr):
        total += scan.taken_beside[e]
    return total
