"""The policy ``best`` (B-LAN-26): the declaration whose exchange of blows in this round promises most."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.contact import foe_of
from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.kinds import Choice, Formation, Policy, Tally
from simkit.games.battlesystem.movement import lapse
from simkit.games.battlesystem.odds import ALIKE, balance
from simkit.games.battlesystem.orders import carry_out, face, may_charge, may_set, may_wall, order_of
from simkit.games.battlesystem.records import SIDES, SLOTS, Setup, State
from simkit.games.battlesystem.throw import note

NOTHING = -(2**62)
OPTIONS = (Choice.NONE + 0, Choice.WALL + 0, Choice.SET + 0, Choice.CHARGE + 0, Choice.ADVANCE + 0)
"""What is compared, in this order; of equals the first is done."""


@rule
def order_for(choice: int) -> int:
    """Return the order that does what a choice says."""
    order = Policy.HOLD + 0
    if choice == Choice.WALL:
        order = Policy.WALL + 0
    elif choice == Choice.SET:
        order = Policy.SET + 0
    elif choice == Choice.CHARGE:
        order = Policy.CHARGE + 0
    elif choice == Choice.ADVANCE:
        order = Policy.ADVANCE + 0
    return order


@kernel
def legal(setup: Setup, state: State, k: int, foe: int, choice: int, closed: bool) -> bool:
    """Tell whether a choice is open to a unit now (B-LAN-13, B-LAN-16)."""
    if choice == Choice.WALL:
        return may_wall(setup, state, k, closed)
    if choice == Choice.SET:
        return may_set(setup, state, k, closed)
    if choice == Choice.CHARGE:
        return may_charge(setup, state, k, foe)
    return choice == Choice.NONE or (state.units[k].contacts == 0 and not state.units[k].shot)


@kernel
def keep(setup: Setup, state: State) -> None:
    """Keep how everything stands."""
    for k in range(setup.count):
        state.kept[k] = state.units[k]
    for i in range(state.touching):
        state.kept_contacts[i] = state.contacts[i]
    for side in range(SIDES):
        for slot in range(SLOTS):
            state.kept_line[side, slot] = state.line[side, slot]
            state.kept_reserve[side, slot] = state.reserve[side, slot]


@kernel
def restore(setup: Setup, state: State, touching: int) -> None:
    """Let everything stand as it was."""
    state.touching = touching
    for k in range(setup.count):
        state.units[k] = state.kept[k]
    for i in range(touching):
        state.contacts[i] = state.kept_contacts[i]
    for side in range(SIDES):
        for slot in range(SLOTS):
            state.line[side, slot] = state.kept_line[side, slot]
            state.reserve[side, slot] = state.kept_reserve[side, slot]


@kernel
def begin_phase(setup: Setup, state: State, k: int) -> bool:
    """Begin a unit's own movement phase: its old declaration lapses, it turns to face; return whether it is closed."""
    if not setup.rules.lasts_to_round_end:
        lapse(setup, state, k)
    if state.units[k].contacts > 0:
        face(setup, state, k)
    return state.units[k].formation == Formation.CLOSED


@kernel
def enemy_moves(setup: Setup, state: State, side: int) -> None:
    """Let a side's line act by its policies; units that think, too, are taken to advance."""
    for slot in range(setup.slots):
        k = state.line[side, slot]
        if k >= 0:
            closed = begin_phase(setup, state, k)
            policy = setup.units[k].policy
            if policy == Policy.BEST:
                policy = Policy.ADVANCE + 0
            contacts = state.units[k].contacts
            carry_out(setup, state, k, foe_of(setup, state, k), order_of(policy, contacts), closed)


@kernel
def promise(setup: Setup, state: State, k: int) -> int:
    """Return what the exchanges of blows of all its contacts promise a unit, each by itself."""
    side, total = setup.units[k].side, 0
    for i in range(state.touching):
        contact = state.contacts[i]
        if contact.on and contact.pair[side] == k:
            total += balance(setup, state, contact, side)
    return total


@kernel
def choose(setup: Setup, state: State, k: int, foe: int, closed: bool) -> int:
    """Return the best choice (B-LAN-26): each is tried out, with the enemy's moves where he moves later this round."""
    side, touching, room = setup.units[k].side, state.touching, state.room
    own, theirs = state.tally[0, Tally.CHARGES], state.tally[1, Tally.CHARGES]
    best, most, open_to = Choice.NONE + 0, NOTHING, 0
    for choice in OPTIONS:
        open_to += int(legal(setup, state, k, foe, choice, closed))
    if open_to == 1:
        return best
    keep(setup, state)
    state.room = 0
    for choice in OPTIONS:
        if not legal(setup, state, k, foe, choice, closed):
            continue
        carry_out(setup, state, k, foe, order_for(choice), closed)
        if side == state.first:
            enemy_moves(setup, state, 1 - side)
        worth = promise(setup, state, k)
        if worth > most + ALIKE:
            best, most = choice, worth
        restore(setup, state, touching)
    state.room = room
    state.tally[0, Tally.CHARGES] = own
    state.tally[1, Tally.CHARGES] = theirs
    return best


@kernel
def act(setup: Setup, state: State, k: int) -> None:
    """Play a unit's own movement phase (B-LAN-13): lapse, tests, declaration, move."""
    closed = begin_phase(setup, state, k)
    unit, contacts = setup.units[k], state.units[k].contacts
    foe = foe_of(setup, state, k)
    order = order_of(unit.policy, contacts)
    if unit.policy == Policy.BEST:
        choice = choose(setup, state, k, foe, closed)
        note(state, What.CHOOSE + 0, unit.seat, -1, -1, choice, -1)
        order = order_for(choice)
    carry_out(setup, state, k, foe, order, closed)
