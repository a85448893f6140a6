"""Missiles (B-MIS, B-LAN-18): who may shoot at whom, at which index, and what falls."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.contact import foe_of, strikes_at
from simkit.games.battlesystem.ground import at_edge, deep, gap, obstacle_at
from simkit.games.battlesystem.happenings import Purpose, What
from simkit.games.battlesystem.kinds import Blow, Bow, Declaration, Policy, Side, Tally
from simkit.games.battlesystem.losses import hurt, lose
from simkit.games.battlesystem.melee import EXCHANGE, result
from simkit.games.battlesystem.records import SIDES, Numbers, Setup, Stand, State, Unit
from simkit.games.battlesystem.shape import all_round, covers_wall
from simkit.games.battlesystem.throw import note, throw

OUT_OF_RANGE = -1


@rule
def range_penalty(rules: Numbers, unit: Unit, away: int) -> int:
    """Return the penalty of a shot at a distance: none, medium or long; -1 out of range (B-MIS-1)."""
    if away <= unit.ranges[0]:
        return 0
    if away <= unit.ranges[1]:
        return rules.medium_penalty
    return rules.long_penalty if away <= unit.ranges[2] else OUT_OF_RANGE


@rule
def cover(setup: Setup, state: State, k: int) -> int:
    """Return the penalty of a shot at a unit in cover: at the edge of woods, behind an obstacle, or both (B-MIS-2)."""
    stand, lane, rules = state.units[k], setup.lanes[setup.units[k].side], setup.rules
    woods = rules.cover_woods if at_edge(lane, stand.place) else 0
    return woods + (rules.cover_obstacle if obstacle_at(lane, stand.passed, stand.place, False) else 0)


@rule
def missile_ac(rules: Numbers, ac: int, declared: int, struck: int) -> int:
    """Return AC' against a shot (B-SHW-2): 4 better where a shield wall covers the side that is shot at."""
    return ac - rules.wall_missile if covers_wall(declared, struck) else ac


@rule
def may_shoot(unit: Unit, stand: Stand, volley: int) -> bool:
    """Tell whether a unit may shoot, at whomever (B-LAN-18, B-LAN-26).

    Not in contact, not in a wall or set; in phase 3 only by policy; a crossbow once, and not after moving.
    """
    if unit.bow == Bow.NONE or stand.contacts > 0 or stand.declared != Declaration.NONE:
        return False
    if volley == 0:
        return unit.policy == Policy.HOLD or unit.policy == Policy.SKIRMISH
    return not (unit.bow == Bow.CROSSBOW and (stand.shot or stand.moved))


@kernel
def can_hit(setup: Setup, state: State, k: int, foe: int) -> bool:
    """Tell whether an enemy can be shot at: in range, in no contact, neither deep in woods (B-LAN-18, B-TER-9)."""
    if foe < 0 or state.units[foe].contacts > 0:
        return False
    for one in (k, foe):
        if deep(setup.lanes[setup.units[one].side], state.units[one].place):
            return False
    return range_penalty(setup.rules, setup.units[k], gap(setup, state, k, foe)) != OUT_OF_RANGE


@kernel
def shoot(setup: Setup, state: State, k: int, foe: int, volley: int) -> None:
    """Let a unit shoot: two ranks, one roll a figure; what falls is gone before the other side acts (B-MIS-1)."""
    unit, other, enemy = setup.units[k], setup.units[foe], state.units[foe]
    penalty = range_penalty(setup.rules, unit, gap(setup, state, k, foe)) + cover(setup, state, foe)
    side = Side.FRONT + 0 if all_round(enemy.declared) else strikes_at(setup, state, k, foe)
    index = unit.ar + penalty - missile_ac(setup.rules, other.ac, enemy.declared, side)
    shooters = min(state.units[k].figures, setup.rules.missile_ranks * unit.files)
    state.tally[unit.side, Tally.VOLLEYS] += 1
    note(state, What.SHOOT + 0, unit.seat, other.seat, -1, shooters, index)
    total = 0
    for i in range(shooters):
        roll = throw(setup.attack, state, unit.seat, Purpose.MISSILE + 0, EXCHANGE * volley + i)
        killed = result(setup, k, Blow.MISSILE + 0, index + roll)
        note(state, What.ROLL + 0, unit.seat, other.seat, roll, killed, i)
        total += killed
    if volley == 0:
        state.units[k].shot = True
    lose(setup, state, foe, hurt(setup, state, foe, total))


@kernel
def volleys(setup: Setup, state: State, volley: int) -> None:
    """Let all shoot who may, the first side's units before the second's (B-LAN-12, B-LAN-18)."""
    for turn in range(SIDES):
        side = state.first if turn == 0 else 1 - state.first
        for slot in range(setup.slots):
            k = state.line[side, slot]
            if k < 0 or not may_shoot(setup.units[k], state.units[k], volley):
                continue
            foe = foe_of(setup, state, k)
            if can_hit(setup, state, k, foe):
                shoot(setup, state, k, foe, volley)
