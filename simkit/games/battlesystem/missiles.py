"""Missiles (B-MIS, B-LAN-18): who may shoot at whom, at which index, and what falls."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.happenings import Purpose, What
from simkit.games.battlesystem.kinds import Blow, Bow, Ground, Policy, Step
from simkit.games.battlesystem.melee import EXCHANGE, result, suffer
from simkit.games.battlesystem.movement import enemy_front, ground_ahead, is_set, walled
from simkit.games.battlesystem.records import Setup, State
from simkit.games.battlesystem.throw import note, throw

OUT_OF_RANGE = -1


@rule
def gap(setup: Setup, state: State, k: int, foe: int) -> int:
    """Return the distance between two fronts, in 36ths of an inch."""
    return enemy_front(setup, state, k, foe) - state.units[k].place


@rule
def range_penalty(setup: Setup, k: int, away: int) -> int:
    """Return the penalty of a shot at a distance: none, medium or long; -1 out of range (B-MIS-1)."""
    ranges = setup.units[k].ranges
    if away <= ranges[0]:
        return 0
    if away <= ranges[1]:
        return setup.rules.medium_penalty
    return setup.rules.long_penalty if away <= ranges[2] else OUT_OF_RANGE


@rule
def at_edge(setup: Setup, state: State, k: int) -> bool:
    """Tell whether a unit stands in woods with its front exactly at their edge (B-TER-9)."""
    return state.units[k].ground == Ground.WOODS and ground_ahead(setup, state, k) != Ground.WOODS


@rule
def deep(setup: Setup, state: State, k: int) -> bool:
    """Tell whether a unit stands deeper in woods than their edge: it neither shoots nor is shot at (B-TER-9)."""
    return state.units[k].ground == Ground.WOODS and not at_edge(setup, state, k)


@kernel
def cover(setup: Setup, state: State, k: int) -> int:
    """Return the penalty of a shot at a unit in cover: at the edge of woods, or behind an obstacle (B-MIS-2)."""
    stand = state.units[k]
    lane = setup.lanes[setup.units[k].side]
    for i in range(stand.passed, lane.count):
        feature = lane.features[i]
        if feature.at != stand.place:
            break
        if feature.kind == Step.BARRIER or feature.kind == Step.DITCH:
            return setup.rules.cover_obstacle
    return setup.rules.cover_woods if at_edge(setup, state, k) else 0


@kernel
def can_shoot(setup: Setup, state: State, k: int, foe: int, early: bool) -> bool:
    """Tell whether a unit may shoot at another now (B-LAN-18)."""
    unit, stand = setup.units[k], state.units[k]
    if unit.bow == Bow.NONE or foe < 0 or stand.fate or stand.reserve:
        return False
    if stand.foe >= 0 or state.units[foe].foe >= 0 or stand.charged or walled(stand) or is_set(stand):
        return False
    if early and unit.policy != Policy.HOLD and unit.policy != Policy.SKIRMISH:
        return False
    if unit.bow == Bow.CROSSBOW and (stand.shot or stand.moved):
        return False
    if deep(setup, state, k) or deep(setup, state, foe):
        return False
    return range_penalty(setup, k, gap(setup, state, k, foe)) != OUT_OF_RANGE


@kernel
def shoot(setup: Setup, state: State, k: int, foe: int, volley: int) -> None:
    """Let a unit shoot: two ranks, one roll a figure; what falls is gone before the other side acts (B-MIS-1)."""
    unit, other = setup.units[k], setup.units[foe]
    penalty = range_penalty(setup, k, gap(setup, state, k, foe)) + cover(setup, state, foe)
    ac = other.ac - (setup.rules.wall_missile if walled(state.units[foe]) else 0)
    index = unit.ar + penalty - ac
    shooters = min(state.units[k].figures, setup.rules.missile_ranks * unit.files)
    note(state, What.SHOOT + 0, unit.seat, other.seat, 0, shooters, index)
    total = 0
    for i in range(shooters):
        roll = throw(setup.attack, state, unit.seat, Purpose.MISSILE + 0, EXCHANGE * volley + i)
        killed = result(setup, k, Blow.MISSILE + 0, index, roll)
        note(state, What.ROLL + 0, unit.seat, other.seat, roll, killed, i)
        total += killed
    state.units[k].shot = True
    state.tally[unit.side, 1] += total
    suffer(setup, state, foe, k, total)
    if not setup.rules.carry_wounds:
        state.units[foe].wound = 0
