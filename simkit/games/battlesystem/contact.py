"""Who meets whom, and what counts from the moment at which two fronts touch (B-LAN-15, B-LAN-17, B-LAN-27)."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.ground import is_low, obstacle_at, stands_on
from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.kinds import Fate, Side
from simkit.games.battlesystem.records import SIDES, Setup, State
from simkit.games.battlesystem.shape import all_round, covers_set
from simkit.games.battlesystem.throw import note, told

NOBODY = -1


@rule
def holder(state: State, side: int, slot: int) -> int:
    """Return who is met in a slot: the unit in line or, where none is left, the reserve behind; -1 is nobody."""
    k = state.line[side, slot]
    return k if k >= 0 else state.reserve[side, slot]


@kernel
def foe_of(setup: Setup, state: State, k: int) -> int:
    """Return whom a unit meets: the enemy of its own slot, else the nearest one, of two the lower (B-LAN-27)."""
    unit = setup.units[k]
    other = 1 - unit.side
    found = holder(state, other, unit.slot)
    away = 1
    while found < 0 and away < setup.slots:
        if unit.slot >= away:
            found = holder(state, other, unit.slot - away)
        if found < 0 and unit.slot + away < setup.slots:
            found = holder(state, other, unit.slot + away)
        away += 1
    return found


@rule
def strikes_at(setup: Setup, state: State, k: int, foe: int) -> int:
    """Return where a unit would strike an enemy (B-LAN-6, B-LAN-27).

    As the scenario says; on the flank where it comes from another slot upon one who is in contact already.
    """
    if setup.units[k].slot != setup.units[foe].slot and state.units[foe].contacts > 0:
        return Side.FLANK + 0
    return setup.strikes[setup.units[k].side]


@kernel
def join(setup: Setup, state: State, a: int, b: int, charged: int, maker: int) -> None:
    """Put a unit of side a and one of side b into contact, and note what counts at this moment.

    Where each strikes the other (B-LAN-6), whose set spears the other meets (B-LAN-15), who fights from a ditch that
    lies just where he makes contact, or from swamp or ford against an enemy on other ground (B-TER-10).

    Parameters
    ----------
    charged
        1 if `maker` charged; at the start of a battle, without a maker, bit s for side s.
    maker
        Who makes the contact, or -1.
    """
    contact = state.contacts[state.touching]
    contact.on = True
    contact.made = state.now
    contact.pair[0], contact.pair[1] = a, b
    for side in range(SIDES):
        me, foe = contact.pair[side], contact.pair[1 - side]
        how = setup.strikes[side]
        if maker == me:
            how = strikes_at(setup, state, me, foe)
        contact.how[side] = Side.FRONT + 0 if all_round(state.units[foe].declared) else how
        mine, theirs = stands_on(setup, state, me), stands_on(setup, state, foe)
        place, lane = state.units[me].place, setup.lanes[side]
        ditch = maker == me and obstacle_at(lane, 0, place, True)
        contact.bogged[side] = int(ditch or (is_low(mine) and mine != theirs))
        contact.charged[side] = charged >> side & 1
    for side in range(SIDES):
        declared = state.units[contact.pair[side]].declared
        contact.met_set[side] = int(covers_set(declared, contact.how[1 - side]))
        contact.held[side] = contact.met_set[side]
        state.units[contact.pair[side]].contacts += 1
    state.touching += 1


@kernel
def come_up(setup: Setup, state: State, k: int) -> None:
    """Bring a reserve into its slot (B-LAN-27)."""
    unit = setup.units[k]
    state.units[k].waiting = False
    state.reserve[unit.side, unit.slot] = NOBODY
    state.line[unit.side, unit.slot] = k
    note(state, What.ADVANCE + 0, unit.seat, -1, -1, unit.slot, -1)


@kernel
def meet(setup: Setup, state: State, k: int, foe: int, charged: bool) -> None:
    """Let a unit make contact (B-LAN-17); a reserve that is met has come up."""
    unit = setup.units[k]
    if state.units[foe].waiting:
        come_up(setup, state, foe)
    place = told(setup, k, state.units[k].place)
    note(state, What.CONTACT + 0, unit.seat, setup.units[foe].seat, -1, place, int(charged))
    if unit.side == 0:
        join(setup, state, k, foe, int(charged), k)
    else:
        join(setup, state, foe, k, int(charged) << 1, k)


@kernel
def leave(setup: Setup, state: State, k: int, fate: int) -> None:
    """Take a unit out of play: its contacts end, and its slot is free (B-LAN-17, B-LAN-25)."""
    unit, stand = setup.units[k], state.units[k]
    stand.fate = fate
    if stand.waiting:
        state.reserve[unit.side, unit.slot] = NOBODY
    else:
        state.line[unit.side, unit.slot] = NOBODY
    for i in range(state.touching):
        contact = state.contacts[i]
        if contact.on and contact.pair[unit.side] == k:
            contact.on = False
            state.units[contact.pair[1 - unit.side]].contacts -= 1
    stand.contacts = 0
    what = What.DESTROYED + 0 if fate == Fate.DESTROYED else What.ROUT + 0
    note(state, what, unit.seat, -1, -1, -1, -1)


@rule
def in_play(state: State, k: int) -> bool:
    """Tell whether a unit is neither destroyed nor routed."""
    return state.units[k].fate == Fate.STANDS
