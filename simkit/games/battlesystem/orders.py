"""What a unit does in its own movement phase (B-LAN-13, B-LAN-16, B-LAN-26): declarations, charges, moves."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.contact import meet
from simkit.games.battlesystem.ground import barred, enemy_front, gap, loosens, stands_on
from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.kinds import Bow, Declaration, Formation, Policy, Side, Tally
from simkit.games.battlesystem.movement import TWELFTHS, Share, changed, march
from simkit.games.battlesystem.records import Setup, State
from simkit.games.battlesystem.shape import is_set
from simkit.games.battlesystem.throw import note


@rule
def whole_move() -> Share:
    """Return the whole normal move."""
    return Share(TWELFTHS, TWELFTHS)


@rule
def may_wall(setup: Setup, state: State, k: int, closed: bool) -> bool:
    """Tell whether a unit may declare a shield wall (B-SHW-1): in command, closed, large shields, nothing declared."""
    unit = setup.units[k]
    return closed and unit.in_command and unit.large_shields and state.units[k].declared == Declaration.NONE


@rule
def may_set(setup: Setup, state: State, k: int, closed: bool) -> bool:
    """Tell whether a unit may set spears or pikes (B-SET-1): in command, closed, spears or pikes, nothing declared."""
    unit = setup.units[k]
    return closed and unit.in_command and unit.spears and state.units[k].declared == Declaration.NONE


@kernel
def may_close(setup: Setup, state: State, k: int) -> bool:
    """Tell whether a unit that was opened closes again (B-LAN-11).

    It did not shoot in phase 3, is not in contact, is in command, and does not stand on ground that loosens.
    """
    unit, stand = setup.units[k], state.units[k]
    if not setup.rules.reform or not stand.opened or stand.shot or stand.contacts > 0 or not unit.in_command:
        return False
    return not loosens(stands_on(setup, state, k))


@rule
def charge_share(setup: Setup) -> Share:
    """Return how much of its move a charge has: half as much again (B-CHG-3)."""
    return changed(setup.rules, whole_move(), setup.rules.charge_move)


@kernel
def may_charge(setup: Setup, state: State, k: int, foe: int) -> bool:
    """Tell whether a charge is legal (B-LAN-16).

    Not in contact, not after shooting in phase 3, not out of a wall or set; two inches or more between the fronts,
    nothing on the way that bars it, and within reach after all payments.
    """
    stand = state.units[k]
    if foe < 0 or stand.contacts > 0 or stand.shot or stand.declared != Declaration.NONE:
        return False
    if gap(setup, state, k, foe) < setup.rules.charge_least or barred(setup, state, k, foe):
        return False
    return march(setup, state, k, charge_share(setup), enemy_front(setup, state, k, foe), True, False) % 2 == 1


@rule
def declare(setup: Setup, state: State, k: int, what: int) -> None:
    """Tell of a declaration."""
    note(state, What.DECLARE + 0, setup.units[k].seat, -1, -1, what, -1)


@kernel
def charge(setup: Setup, state: State, k: int, foe: int) -> None:
    """Charge home: legal charges always reach (B-LAN-16)."""
    declare(setup, state, k, Declaration.CHARGE + 0)
    state.tally[setup.units[k].side, Tally.CHARGES] += 1
    march(setup, state, k, charge_share(setup), enemy_front(setup, state, k, foe), True, True)
    state.units[k].going = True
    meet(setup, state, k, foe, True)


@kernel
def prepare(setup: Setup, state: State, k: int, order: int, closed: bool) -> Share:
    """Close up again, or declare what an order asks for, and return what is left of the move (B-LAN-9, B-LAN-13).

    Parameters
    ----------
    closed
        Whether the unit was closed at the start of this phase.
    """
    rules, stand = setup.rules, state.units[k]
    share = whole_move()
    if may_close(setup, state, k):
        declare(setup, state, k, Declaration.REFORM + 0)
        note(state, What.CLOSE + 0, setup.units[k].seat, -1, -1, -1, -1)
        stand.formation = Formation.CLOSED + 0
        stand.opened = False
        return changed(rules, share, -rules.reform_move)
    if (order == Policy.WALL or order == Policy.WALL_ADVANCE) and may_wall(setup, state, k, closed):
        stand.declared = Declaration.WALL + 0
        declare(setup, state, k, Declaration.WALL + 0)
    elif order == Policy.SET and may_set(setup, state, k, closed):
        stand.declared = Declaration.SET + 0
        declare(setup, state, k, Declaration.SET + 0)
        share = changed(rules, share, -rules.set_move)
    if stand.declared == Declaration.WALL:
        share = changed(rules, share, -rules.wall_move)
    elif stand.declared == Declaration.WALL_ROUND:
        share = Share(0, TWELFTHS)
    return share


@kernel
def walk(setup: Setup, state: State, k: int, foe: int, order: int, share: Share) -> None:
    """Make an ordinary move (B-LAN-17, B-LAN-26).

    Into contact under `walk_in`, but not with set spears, nor by the order to charge as long as nothing bars that;
    then two inches short of the enemy, and skirmishers just inside their long range.
    """
    unit, stand, rules = setup.units[k], state.units[k], setup.rules
    into, keep = False, rules.charge_least
    if order == Policy.ADVANCE or order == Policy.WALL_ADVANCE or order == Policy.CHARGE:
        waits = order == Policy.CHARGE and not barred(setup, state, k, foe)
        into = rules.walk_in and not waits and not is_set(stand.declared)
    elif order == Policy.SKIRMISH and unit.bow != Bow.NONE:
        keep = unit.ranges[2]
    else:
        return
    limit = enemy_front(setup, state, k, foe)
    if not into:
        limit -= keep
        if limit <= stand.place:
            return
    met = march(setup, state, k, share, limit, into, True) % 2 == 1
    if into and met:
        meet(setup, state, k, foe, False)


@kernel
def face(setup: Setup, state: State, k: int) -> None:
    """Let a unit turn to its only enemy in a later round than that of the contact (B-LAN-6)."""
    side, stand = setup.units[k].side, state.units[k]
    if not setup.rules.turn_to_face or stand.contacts != 1:
        return
    for i in range(state.touching):
        contact = state.contacts[i]
        if contact.on and contact.pair[side] == k and contact.made < state.now:
            contact.how[1 - side] = Side.FRONT + 0


@kernel
def lower(setup: Setup, state: State, k: int) -> None:
    """Note that a unit's spears are not set any longer: setting them again in contact gains nothing (B-LAN-15)."""
    side = setup.units[k].side
    for i in range(state.touching):
        if state.contacts[i].pair[side] == k:
            state.contacts[i].held[side] = 0


@kernel
def carry_out(setup: Setup, state: State, k: int, foe: int, order: int, closed: bool) -> None:
    """Declare and move as an order says (B-LAN-13, B-LAN-26); in contact nobody moves."""
    stand = state.units[k]
    if stand.contacts > 0:
        prepare(setup, state, k, order, closed)
        if not is_set(stand.declared):
            lower(setup, state, k)
        return
    if order == Policy.CHARGE and may_charge(setup, state, k, foe):
        charge(setup, state, k, foe)
        return
    share = prepare(setup, state, k, order, closed)
    if foe >= 0 and not stand.shot:
        walk(setup, state, k, foe, order, share)


@rule
def order_of(policy: int, contacts: int) -> int:
    """Return the order that a policy gives: in contact only walls are declared (B-LAN-26)."""
    return Policy.HOLD + 0 if contacts > 0 and policy == Policy.SET else policy
