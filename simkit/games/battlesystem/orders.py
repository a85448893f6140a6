"""What a unit does in its own movement phase (B-LAN-13, B-LAN-16, B-LAN-26): declarations, charges, moves."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.kinds import Bow, Declaration, Formation, Ground, Policy, Step
from simkit.games.battlesystem.missiles import OUT_OF_RANGE, gap, range_penalty
from simkit.games.battlesystem.movement import TWELFTHS, barred, enemy_front, go, is_set, may_reform, reach
from simkit.games.battlesystem.records import Setup, State
from simkit.games.battlesystem.shape import covers
from simkit.games.battlesystem.throw import note, seat_of


@rule
def may_wall(setup: Setup, state: State, k: int) -> bool:
    """Tell whether a unit may declare a shield wall (B-SHW-1): in command, closed, large shields."""
    return setup.units[k].in_command and state.units[k].formation == Formation.CLOSED and setup.units[k].large_shields


@rule
def may_set(setup: Setup, state: State, k: int) -> bool:
    """Tell whether a unit may set spears or pikes (B-SET-1): in command, closed, spears or pikes."""
    return setup.units[k].in_command and state.units[k].formation == Formation.CLOSED and setup.units[k].spears


@kernel
def may_charge(setup: Setup, state: State, k: int, foe: int) -> bool:
    """Tell whether a charge would be legal and reach (B-LAN-16)."""
    stand = state.units[k]
    if foe < 0 or stand.foe >= 0 or stand.shot:
        return False
    if gap(setup, state, k, foe) < setup.rules.charge_least or barred(setup, state, k, foe):
        return False
    end = enemy_front(setup, state, k, foe)
    return reach(setup, state, k, TWELFTHS + setup.rules.charge_move, end, True) == end


@rule
def declare(setup: Setup, state: State, k: int, what: int) -> None:
    """Put a declaration into force."""
    state.units[k].declared = what
    note(state, What.DECLARE + 0, setup.units[k].seat, -1, 0, what, 0)


@kernel
def touch(setup: Setup, state: State, k: int, foe: int, charging: bool) -> None:
    """Bring two units into contact (B-LAN-17); who made it at a ditch fights from it (B-TER-10)."""
    stand, other = state.units[k], state.units[foe]
    stand.foe = foe
    if other.foe < 0:
        other.foe = k
        other.struck = setup.units[foe].struck
        stand.struck = setup.units[k].struck
    stand.came_charging = charging
    stand.met_set = is_set(other) and covers(other, other.struck)
    lane = setup.lanes[setup.units[k].side]
    for i in range(lane.count):
        feature = lane.features[i]
        if feature.at == stand.place and feature.kind == Step.DITCH:
            stand.ditch = True
    note(state, What.CONTACT + 0, setup.units[k].seat, setup.units[foe].seat, 0, stand.place, int(charging))


@rule
def is_low(kind: int) -> bool:
    """Tell whether ground lies below its edge (B-TER-10): swamp and ford."""
    return kind == Ground.SWAMP or kind == Ground.FORD


@kernel
def low_ground(state: State, k: int, foe: int) -> None:
    """Note who fights from swamp or ford against an enemy who stands on other ground (B-LAN-19)."""
    mine, theirs = state.units[k], state.units[foe]
    if is_low(mine.ground) and mine.ground != theirs.ground:
        mine.ditch = True
    if is_low(theirs.ground) and theirs.ground != mine.ground:
        theirs.ditch = True


@kernel
def advance(setup: Setup, state: State, k: int, foe: int, part: int, short: int) -> None:
    """Move towards an enemy, into contact if it reaches and may (B-LAN-17), or so many 36ths short of him."""
    stand = state.units[k]
    if foe < 0:
        return
    end = enemy_front(setup, state, k, foe)
    if not setup.rules.walk_in:
        short = max(short, setup.rules.charge_least)
    place = go(setup, state, k, part, max(stand.place, end - short), short == 0)
    if place == end and short == 0:
        touch(setup, state, k, foe, False)
        low_ground(state, k, foe)


@kernel
def charge(setup: Setup, state: State, k: int, foe: int) -> None:
    """Charge home: legal charges always reach (B-LAN-16)."""
    stand = state.units[k]
    end = enemy_front(setup, state, k, foe)
    declare(setup, state, k, Declaration.CHARGE + 0)
    begun = stand.place
    go(setup, state, k, TWELFTHS + setup.rules.charge_move, end, True)
    stand.charged = True
    stand.spent = end - begun
    state.tally[setup.units[k].side, 3] += 1
    touch(setup, state, k, foe, True)
    low_ground(state, k, foe)


@kernel
def in_contact(setup: Setup, state: State, k: int) -> None:
    """Act in contact (B-LAN-13, B-LAN-26): a wall if that is the policy, else nothing."""
    policy = setup.units[k].policy
    if (policy == Policy.WALL or policy == Policy.WALL_ADVANCE) and may_wall(setup, state, k):
        declare(setup, state, k, Declaration.WALL + 0)


@rule
def room_to_advance(setup: Setup, state: State, k: int, foe: int) -> int:
    """Return how far short of an enemy one stays who waits to charge: two inches, or none where nobody can charge."""
    return 0 if barred(setup, state, k, foe) else setup.rules.charge_least


@kernel
def skirmish(setup: Setup, state: State, k: int, foe: int, part: int) -> None:
    """Move to just inside long range if not in range already, and do not go nearer (B-LAN-26)."""
    unit = setup.units[k]
    if foe < 0 or state.units[k].shot:
        return
    if unit.bow != Bow.NONE and range_penalty(setup, k, gap(setup, state, k, foe)) != OUT_OF_RANGE:
        return
    advance(setup, state, k, foe, part, max(unit.ranges[2], 1))


@kernel
def act(setup: Setup, state: State, k: int, foe: int, policy: int) -> None:
    """Declare and move in the own movement phase (B-LAN-13), as the policy says (B-LAN-26)."""
    stand = state.units[k]
    if stand.foe >= 0:
        in_contact(setup, state, k)
        return
    if policy == Policy.CHARGE and may_charge(setup, state, k, foe):
        charge(setup, state, k, foe)
        return
    if policy == Policy.SET and may_set(setup, state, k):
        declare(setup, state, k, Declaration.SET + 0)
        return
    if policy == Policy.WALL and may_wall(setup, state, k):
        declare(setup, state, k, Declaration.WALL + 0)
        return
    part = TWELFTHS + 0
    if policy == Policy.WALL_ADVANCE and may_wall(setup, state, k):
        declare(setup, state, k, Declaration.WALL + 0)
        part -= setup.rules.wall_move
    elif may_reform(setup, state, k):
        declare(setup, state, k, Declaration.REFORM + 0)
        stand.formation = Formation.CLOSED + 0
        stand.fresh = False
        stand.declared = Declaration.NONE + 0
        note(state, What.CLOSE + 0, setup.units[k].seat, -1, 0, 0, 0)
        part -= setup.rules.reform_move
    if stand.shot or foe < 0:
        return
    if policy == Policy.ADVANCE or policy == Policy.WALL_ADVANCE:
        advance(setup, state, k, foe, part, 0)
    elif policy == Policy.CHARGE:
        advance(setup, state, k, foe, part, room_to_advance(setup, state, k, foe))
    elif policy == Policy.SKIRMISH:
        skirmish(setup, state, k, foe, part)


@kernel
def lapse(setup: Setup, state: State, k: int) -> None:
    """End what a unit has declared (B-LAN-13)."""
    stand = state.units[k]
    if stand.declared != Declaration.NONE:
        note(state, What.LAPSE + 0, setup.units[k].seat, -1, 0, stand.declared, 0)
        stand.declared = Declaration.NONE + 0


@kernel
def stays_closed(setup: Setup, state: State) -> None:
    """End walls and set spears of units that are closed no longer (B-LAN-13)."""
    for k in range(setup.count):
        stand = state.units[k]
        if stand.fate == 0 and stand.declared != Declaration.CHARGE and stand.formation != Formation.CLOSED:
            lapse(setup, state, k)


@rule
def told_seat(setup: Setup, k: int) -> int:
    """Return the seat of a unit for the trace."""
    return seat_of(setup, k)
