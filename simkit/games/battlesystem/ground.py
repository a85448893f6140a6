"""What lies on the lane where a front stands, and before it (B-LAN-8, B-TER-9, B-TER-10, B-LAN-16)."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.kinds import Ground, Step
from simkit.games.battlesystem.records import Lane, Setup, State


@rule
def loosens(kind: int) -> bool:
    """Tell whether a closed unit that moves inside a kind of ground is open at once (B-LAN-11)."""
    return kind == Ground.WOODS or kind == Ground.ROUGH or kind == Ground.SWAMP or kind == Ground.WATER


@rule
def is_low(kind: int) -> bool:
    """Tell whether ground lies below its edge (B-TER-10): swamp and ford."""
    return kind == Ground.SWAMP or kind == Ground.FORD


@rule
def bars_charge(kind: int, single: bool) -> bool:
    """Tell whether no charge goes over, into or out of ground (B-LAN-16): water, ford, woods but for single figures."""
    return kind == Ground.WATER or kind == Ground.FORD or (kind == Ground.WOODS and not single)


@kernel
def stretch_ahead(lane: Lane, place: int) -> int:
    """Return which stretch of ground a front would move into: at a border the one that begins there (B-LAN-8)."""
    s = 0
    while s + 1 < lane.grounds and lane.stretches[s + 1].begin <= place:
        s += 1
    return s


@rule
def ahead(lane: Lane, place: int) -> int:
    """Return the kind of ground before a front."""
    return lane.stretches[stretch_ahead(lane, place)].kind


@kernel
def behind(lane: Lane, place: int) -> int:
    """Return the kind of ground behind a front, on which the unit stands; at the lane's start, that ahead (B-LAN-8)."""
    s = 0
    while s + 1 < lane.grounds and lane.stretches[s + 1].begin < place:
        s += 1
    return lane.stretches[s].kind


@rule
def stands_on(setup: Setup, state: State, k: int) -> int:
    """Return the kind of ground on which a unit stands."""
    return behind(setup.lanes[setup.units[k].side], state.units[k].place)


@rule
def at_edge(lane: Lane, place: int) -> bool:
    """Tell whether a unit stands in woods with its front exactly at their border, facing out (B-LAN-18)."""
    return behind(lane, place) == Ground.WOODS and ahead(lane, place) != Ground.WOODS


@rule
def deep(lane: Lane, place: int) -> bool:
    """Tell whether a unit stands deeper in woods than their edge: it neither shoots nor is shot at (B-TER-9)."""
    return behind(lane, place) == Ground.WOODS and ahead(lane, place) == Ground.WOODS


@kernel
def obstacle_at(lane: Lane, passed: int, place: int, ditch_only: bool) -> bool:
    """Tell whether an obstacle lies at a place, among the hurdles from a number on."""
    for i in range(passed, lane.count):
        hurdle = lane.hurdles[i]
        if hurdle.at > place:
            break
        if hurdle.at == place and (hurdle.kind == Step.DITCH or (hurdle.kind == Step.BARRIER and not ditch_only)):
            return True
    return False


@rule
def enemy_front(setup: Setup, state: State, k: int, foe: int) -> int:
    """Return where a unit meets an enemy's front, from its own start: where it stands if that lies behind it."""
    return max(state.units[k].place, setup.length - state.units[foe].place)


@rule
def gap(setup: Setup, state: State, k: int, foe: int) -> int:
    """Return the distance between two fronts, in 36ths of an inch."""
    return enemy_front(setup, state, k, foe) - state.units[k].place


@kernel
def barred(setup: Setup, state: State, k: int, foe: int) -> bool:
    """Tell whether anything on the way, both ends included, forbids a charge (B-LAN-16).

    No woods, water or ford: not the own ground, nor the enemy's, nor any between. No obstacle and no rise.
    """
    unit, stand = setup.units[k], state.units[k]
    lane = setup.lanes[unit.side]
    end = enemy_front(setup, state, k, foe)
    if bars_charge(behind(lane, stand.place), unit.single):
        return True
    for s in range(stretch_ahead(lane, stand.place), lane.grounds):
        if lane.stretches[s].begin > end:
            break
        if bars_charge(lane.stretches[s].kind, unit.single):
            return True
    return stand.passed < lane.count and lane.hurdles[stand.passed].at <= end
