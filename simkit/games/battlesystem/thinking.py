"""The policy ``best`` (B-LAN-26): the declaration whose exchange of blows this round promises most."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.kinds import Declaration, Formation, Policy
from simkit.games.battlesystem.melee import expected, left_in_front, strikes_first
from simkit.games.battlesystem.orders import act, lapse, may_charge, may_set, may_wall
from simkit.games.battlesystem.records import Setup, State
from simkit.games.battlesystem.shape import front
from simkit.games.battlesystem.throw import note

SCALE = 2**20
NOTHING = -(2**62)
OPTIONS = 5
NONE, WALL, SET, CHARGE, ADVANCE = 0, 1, 2, 3, 4
"""What is compared, in this order; of equals the first is done."""


@rule
def policy_for(option: int) -> int:
    """Return the policy that does what an option says."""
    policy = Policy.HOLD + 0
    if option == WALL:
        policy = Policy.WALL + 0
    elif option == SET:
        policy = Policy.SET + 0
    elif option == CHARGE:
        policy = Policy.CHARGE + 0
    elif option == ADVANCE:
        policy = Policy.ADVANCE + 0
    return policy


@kernel
def legal(setup: Setup, state: State, k: int, foe: int, option: int) -> bool:
    """Tell whether an option is open to a unit now (B-LAN-13)."""
    if option == WALL:
        return may_wall(setup, state, k)
    if option == SET:
        return may_set(setup, state, k)
    if option == CHARGE:
        return may_charge(setup, state, k, foe)
    return option == NONE or (state.units[k].foe < 0 and foe >= 0)


@kernel
def gain(setup: Setup, state: State, k: int, foe: int) -> int:
    """Return what the exchange promises: the share of the enemy's first pool killed less that of the own one lost."""
    mine, theirs = setup.units[k], setup.units[foe]
    own, enemy = state.units[k], state.units[foe]
    if own.foe != foe:
        return 0
    abreast, against = front(mine, own), front(theirs, enemy)
    first_mine, first_theirs = strikes_first(setup, state, k, foe), strikes_first(setup, state, foe, k)
    given = expected(setup, state, k, foe, abreast)
    taken = expected(setup, state, foe, k, against)
    if first_mine and not first_theirs:
        killed = min((enemy.wound + given // SCALE) // theirs.pool, enemy.figures)
        enemy.figures -= killed
        taken = expected(setup, state, foe, k, left_in_front(setup, state, foe, against, killed))
        enemy.figures += killed
    elif first_theirs and not first_mine:
        killed = min((own.wound + taken // SCALE) // mine.pool, own.figures)
        own.figures -= killed
        given = expected(setup, state, k, foe, left_in_front(setup, state, k, abreast, killed))
        own.figures += killed
    return given // (theirs.figures * theirs.pool) - taken // (mine.figures * mine.pool)


@kernel
def choose(setup: Setup, state: State, k: int, foe: int, moves_first: bool) -> int:
    """Return the best option (B-LAN-26); an enemy who moves later does what its own policy says.

    An enemy who thinks, too, is taken to advance.
    """
    state.kept[0] = state.units[k]
    if foe >= 0:
        state.kept[1] = state.units[foe]
    side = setup.units[k].side
    room, charged = state.room, state.tally[side, 3]
    charged_by_foe = state.tally[1 - side, 3]
    state.room = 0
    best, value = 0, NOTHING
    for option in range(OPTIONS):
        if not legal(setup, state, k, foe, option):
            continue
        act(setup, state, k, foe, policy_for(option))
        if foe >= 0 and moves_first and not state.units[foe].reserve:
            policy = setup.units[foe].policy
            if policy == Policy.BEST:
                policy = Policy.ADVANCE + 0
            lapse(setup, state, foe)
            act(setup, state, foe, k, policy)
        worth = 0
        if foe >= 0:
            worth = gain(setup, state, k, foe)
        if worth > value:
            best, value = option, worth
        state.units[k] = state.kept[0]
        if foe >= 0:
            state.units[foe] = state.kept[1]
    state.room = room
    state.tally[side, 3] = charged
    state.tally[1 - side, 3] = charged_by_foe
    return best


@kernel
def decide(setup: Setup, state: State, k: int, foe: int, moves_first: bool) -> None:
    """Act in the own movement phase by the unit's policy; ``best`` first thinks."""
    policy = setup.units[k].policy
    if policy != Policy.BEST:
        act(setup, state, k, foe, policy)
        return
    option = choose(setup, state, k, foe, moves_first)
    note(state, What.CHOOSE + 0, setup.units[k].seat, -1, 0, option, 0)
    if state.units[k].foe >= 0:
        declare_in_contact(setup, state, k, option)
    else:
        act(setup, state, k, foe, policy_for(option))


@kernel
def declare_in_contact(setup: Setup, state: State, k: int, option: int) -> None:
    """Declare a wall or set spears in contact (B-LAN-13)."""
    stand = state.units[k]
    if stand.formation != Formation.CLOSED:
        return
    if option in (WALL, SET):
        stand.declared = (Declaration.WALL if option == WALL else Declaration.SET) + 0
        note(state, What.DECLARE + 0, setup.units[k].seat, -1, 0, stand.declared, 0)
