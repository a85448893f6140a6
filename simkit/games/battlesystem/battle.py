"""A battle round by round (B-RND-1, B-LAN-12, B-LAN-25, B-LAN-27, B-LAN-28)."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.happenings import Over, Purpose, What
from simkit.games.battlesystem.kinds import Declaration, Fate, Step
from simkit.games.battlesystem.melee import bury, exchange_blows
from simkit.games.battlesystem.missiles import can_shoot, shoot
from simkit.games.battlesystem.morale import checks
from simkit.games.battlesystem.movement import TWELFTHS, barred, enemy_front, go, is_set, reach
from simkit.games.battlesystem.orders import lapse, low_ground, stays_closed, touch
from simkit.games.battlesystem.records import COLUMNS, SLOTS, Setup, State
from simkit.games.battlesystem.shape import covers
from simkit.games.battlesystem.thinking import decide
from simkit.games.battlesystem.throw import note, throw

SIDES = 2
MOST_TIES = 64
"""Rerolls of initiative after which side 0 is first: rarer than 1 in 10^49 with one die of six."""


@kernel
def set_up(setup: Setup, state: State) -> None:
    """Put all units into the battle."""
    state.over = 0
    state.round = 0
    state.noted = 0
    state.first = 0
    for side in range(SIDES):
        for column in range(16):
            state.tally[side, column] = 0
    for k in range(setup.count):
        unit, stand = setup.units[k], state.units[k]
        stand.figures = unit.figures
        stand.before = unit.figures
        stand.wound = 0
        stand.formation = unit.formation
        stand.declared = unit.declared
        stand.place = setup.places[unit.side]
        stand.passed = 0
        lane = setup.lanes[unit.side]
        stand.ground = lane.start
        while stand.passed < lane.count and lane.features[stand.passed].at < stand.place:
            if lane.features[stand.passed].kind < Step.BARRIER:
                stand.ground = lane.features[stand.passed].kind
            stand.passed += 1
        stand.fate = 0
        stand.slot = unit.slot
        stand.reserve = unit.reserve
        stand.foe = -1
        stand.struck = 0
        stand.fresh = False
        stand.charged = False
        stand.came_charging = False
        stand.met_set = False
        stand.shot = False
        stand.moved = False
        stand.ditch = False
        stand.paid = 0
        stand.checks = 0
        stand.rear = False
        stand.spent = 0


@kernel
def meet(setup: Setup, state: State) -> None:
    """Bring units into contact that begin in it."""
    if not setup.in_contact:
        return
    for k in range(setup.count):
        if state.units[k].foe < 0 and setup.units[k].side == 0:
            foe = enemy_of(setup, state, k)
            if foe >= 0:
                state.units[k].foe = foe
                state.units[k].struck = setup.units[k].struck
                if state.units[foe].foe < 0:
                    state.units[foe].foe = k
                    state.units[foe].struck = setup.units[foe].struck
                for one in (k, foe):
                    other = state.units[state.units[one].foe]
                    state.units[one].came_charging = state.units[one].declared == Declaration.CHARGE
                    state.units[one].met_set = is_set(other) and covers(other, other.struck)


@rule
def in_line(state: State, k: int) -> bool:
    """Tell whether a unit stands in a slot of the line, and not in reserve."""
    return state.units[k].fate == 0 and not state.units[k].reserve


@kernel
def enemy_of(setup: Setup, state: State, k: int) -> int:
    """Return whom a unit meets: the enemy of its own slot, else the nearest slot's, the lower of two (B-LAN-27)."""
    own = state.units[k]
    if own.foe >= 0:
        return own.foe
    best, least = -1, SLOTS
    for other in range(setup.count):
        if setup.units[other].side != setup.units[k].side and in_line(state, other):
            away = abs(state.units[other].slot - own.slot)
            if away < least:
                best, least = other, away
    return best


@kernel
def roll_initiative(setup: Setup, state: State) -> None:
    """Roll for initiative, ties again (B-LAN-12); the higher is first in every phase."""
    for i in range(MOST_TIES):
        a = throw(setup.initiative, state, 0, Purpose.INITIATIVE + 0, i)
        b = throw(setup.initiative, state, 1, Purpose.INITIATIVE + 0, i)
        note(state, What.INITIATIVE + 0, -1, 0, a, 0, i)
        note(state, What.INITIATIVE + 0, -1, 1, b, 0, i)
        if a != b:
            state.first = int(b > a)
            return
    state.first = 0


@kernel
def volleys(setup: Setup, state: State, volley: int) -> None:
    """Let both sides shoot, the first side first (B-LAN-12, B-LAN-18)."""
    for turn in range(SIDES):
        side = state.first if turn == 0 else 1 - state.first
        for slot in range(SLOTS):
            for k in range(setup.count):
                if setup.units[k].side == side and state.units[k].slot == slot and in_line(state, k):
                    foe = enemy_of(setup, state, k)
                    if state.units[k].figures > 0 and can_shoot(setup, state, k, foe, volley == 0):
                        shoot(setup, state, k, foe, volley)
                        bury(setup, state)
    end_phase(setup, state)


@kernel
def movement(setup: Setup, state: State) -> None:
    """Let both sides declare and move, the first side first (B-LAN-12, B-LAN-13)."""
    for turn in range(SIDES):
        side = state.first if turn == 0 else 1 - state.first
        for slot in range(SLOTS):
            for k in range(setup.count):
                if setup.units[k].side == side and state.units[k].slot == slot and in_line(state, k):
                    if not setup.rules.lasts_to_round_end:
                        lapse(setup, state, k)
                    decide(setup, state, k, enemy_of(setup, state, k), turn == 0)
                    stays_closed(setup, state)


@kernel
def melee(setup: Setup, state: State) -> None:
    """Let all units in contact exchange blows, then check, then let chargers break through (B-LAN-19 to B-LAN-28)."""
    for slot in range(SLOTS):
        for k in range(setup.count):
            stand = state.units[k]
            if setup.units[k].side != state.first or stand.slot != slot or stand.fate or stand.foe < 0:
                continue
            foe = stand.foe
            if state.units[foe].figures > 0 and stand.figures > 0:
                exchange_blows(setup, state, k, foe, 0)
    bury(setup, state)
    end_phase(setup, state)
    for k in range(setup.count):
        break_through(setup, state, k)
    for k in range(setup.count):
        state.units[k].came_charging = False
        state.units[k].met_set = False


@kernel
def break_through(setup: Setup, state: State, k: int) -> None:
    """Let a charger whose enemy is gone move on into a further one, for one exchange at once (B-CHG-3, B-LAN-28)."""
    stand = state.units[k]
    if state.over or stand.fate or not stand.came_charging or stand.foe >= 0:
        return
    foe = enemy_of(setup, state, k)
    if foe < 0 or state.units[foe].foe >= 0 or barred(setup, state, k, foe):
        return
    end = enemy_front(setup, state, k, foe)
    left = setup.units[k].move * (TWELFTHS + setup.rules.charge_move) // TWELFTHS - stand.spent
    if end - stand.place > left or reach(setup, state, k, TWELFTHS + setup.rules.charge_move, end, True) != end:
        return
    note(state, What.BREAKTHROUGH + 0, setup.units[k].seat, setup.units[foe].seat, 0, 0, 0)
    go(setup, state, k, TWELFTHS + setup.rules.charge_move, end, True)
    touch(setup, state, k, foe, True)
    low_ground(state, k, foe)
    exchange_blows(setup, state, k, foe, 1)
    bury(setup, state)
    end_phase(setup, state)


@kernel
def end_phase(setup: Setup, state: State) -> None:
    """Close a phase: checks, contacts that end, reserves that come up, and whether the battle is over (B-LAN-25)."""
    checks(setup, state)
    stays_closed(setup, state)
    for k in range(setup.count):
        stand = state.units[k]
        if not setup.rules.carry_wounds:
            stand.wound = 0
        if stand.foe >= 0 and state.units[stand.foe].fate:
            stand.foe = -1
            stand.struck = 0
            stand.ditch = False
    for k in range(setup.count):
        come_up(setup, state, k)
    left_a, left_b = left_of(setup, state, 0), left_of(setup, state, 1)
    if state.over == 0 and (left_a == 0 or left_b == 0):
        state.over = Over.MUTUAL + 0
        winner = -1
        if left_a > 0 or left_b > 0:
            state.over = Over.WON + 0
            winner = int(left_b > 0)
        note(state, What.OVER + 0, -1, winner, 0, state.over, 0)


@kernel
def come_up(setup: Setup, state: State, k: int) -> None:
    """Let a reserve take the place of the unit before it that is gone (B-LAN-27)."""
    stand = state.units[k]
    if stand.fate or not stand.reserve:
        return
    for other in range(setup.count):
        before = state.units[other]
        same = setup.units[other].side == setup.units[k].side and before.slot == stand.slot
        if same and other != k and not before.reserve and before.fate == 0:
            return
    stand.reserve = False
    note(state, What.ADVANCE + 0, setup.units[k].seat, -1, 0, stand.slot, 0)


@kernel
def left_of(setup: Setup, state: State, side: int) -> int:
    """Count the units that a side still has."""
    left = 0
    for k in range(setup.count):
        left += int(setup.units[k].side == side and state.units[k].fate == 0)
    return left


@kernel
def begin_round(setup: Setup, state: State) -> None:
    """Begin a round."""
    state.round += 1
    note(state, What.ROUND + 0, -1, -1, 0, state.round, 0)
    for k in range(setup.count):
        stand = state.units[k]
        stand.charged = False
        stand.shot = False
        stand.moved = False
        stand.paid = 0
        stand.checks = 0
        stand.spent = 0
        stand.before = stand.figures


@kernel
def fight(setup: Setup, state: State) -> None:
    """Play a battle to its end."""
    set_up(setup, state)
    meet(setup, state)
    while state.over == 0 and state.round < setup.rules.max_rounds:
        begin_round(setup, state)
        roll_initiative(setup, state)
        volleys(setup, state, 0)
        if state.over == 0:
            movement(setup, state)
            volleys(setup, state, 1)
        if state.over == 0:
            melee(setup, state)
        if setup.rules.lasts_to_round_end:
            for k in range(setup.count):
                lapse(setup, state, k)
    if state.over == 0:
        state.over = Over.CAP + 0
        note(state, What.OVER + 0, -1, -1, 0, state.over, 0)
    count(setup, state)


@kernel
def count(setup: Setup, state: State) -> None:
    """Write down what the battle counts."""
    a, b = left_of(setup, state, 0), left_of(setup, state, 1)
    out = state.outcome
    for column in range(COLUMNS):
        out[column] = 0
    out[0] = int(state.over == Over.WON and a > 0)
    out[1] = int(state.over == Over.WON and b > 0)
    out[2] = int(state.over == Over.MUTUAL)
    out[3] = int(state.over == Over.CAP)
    out[4] = state.round
    for k in range(setup.count):
        side, stand = setup.units[k].side, state.units[k]
        if stand.fate == 0:
            out[5 + side] += stand.figures
        out[7 + side] += int(stand.fate == Fate.DESTROYED)
        out[9 + side] += int(stand.fate == Fate.ROUTED)
    for side in range(SIDES):
        out[11 + side] = state.tally[side, 0]
        out[13 + side] = state.tally[side, 1]
        out[15 + side] = state.tally[side, 3]
        out[17 + side] = state.tally[side, 4]
        out[19 + side] = state.tally[side, 5]
        out[21 + side] = state.tally[side, 6]
