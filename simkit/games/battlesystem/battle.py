"""A battle round by round (B-RND-1, B-LAN-12, B-LAN-25, B-LAN-27, B-LAN-28)."""

from simkit.core.jit import kernel
from simkit.games.battlesystem.contact import NOBODY, come_up, foe_of, in_play, join, meet
from simkit.games.battlesystem.ground import barred, enemy_front, loosens, stands_on
from simkit.games.battlesystem.happenings import Over, Purpose, What
from simkit.games.battlesystem.kinds import Declaration, Fate, Formation
from simkit.games.battlesystem.melee import charging, exchange_blows, fight_pairs
from simkit.games.battlesystem.missiles import volleys
from simkit.games.battlesystem.morale import check_all
from simkit.games.battlesystem.movement import Share, lapse, travel
from simkit.games.battlesystem.records import SIDES, SLOTS, TALLIES, Setup, State
from simkit.games.battlesystem.shape import is_set, walled
from simkit.games.battlesystem.thinking import act
from simkit.games.battlesystem.throw import note, throw

MOST_TIES = 64
"""Rerolls of initiative after which side a is first: rarer than 1 in 10^49 with one die of six."""


@kernel
def place_unit(setup: Setup, state: State, k: int) -> None:
    """Put a unit into the battle: on ground that loosens it is open from the start (B-LAN-11)."""
    unit, stand = setup.units[k], state.units[k]
    stand.figures = unit.figures
    stand.marked = unit.figures
    stand.wound = 0
    stand.formation = unit.formation
    stand.declared = unit.declared
    stand.fate = Fate.STANDS + 0
    stand.waiting = unit.reserve
    stand.opened = False
    stand.contacts = 0
    stand.place = setup.places[unit.side]
    stand.rear = False
    stand.passed = 0
    lane = setup.lanes[unit.side]
    while stand.passed < lane.count and lane.hurdles[stand.passed].at < stand.place:
        stand.passed += 1
    if stand.formation == Formation.CLOSED and loosens(stands_on(setup, state, k)):
        stand.formation = Formation.OPEN + 0
        stand.opened = True
    stands = walled(stand.declared) or is_set(stand.declared)
    if unit.reserve or (stands and stand.formation != Formation.CLOSED):
        stand.declared = Declaration.NONE + 0
    if unit.reserve:
        state.reserve[unit.side, unit.slot] = k
    else:
        state.line[unit.side, unit.slot] = k


@kernel
def set_up(setup: Setup, state: State) -> None:
    """Put all units into the battle, and those into contact that begin in it: the enemies of one slot (B-LAN-27)."""
    state.over = 0
    state.now = 1
    state.noted = 0
    state.first = 0
    state.touching = 0
    for side in range(SIDES):
        for column in range(TALLIES):
            state.tally[side, column] = 0
        for slot in range(SLOTS):
            state.line[side, slot] = NOBODY
            state.reserve[side, slot] = NOBODY
    for k in range(setup.count):
        place_unit(setup, state, k)
    if setup.in_contact:
        for slot in range(setup.slots):
            a, b = state.line[0, slot], state.line[1, slot]
            if a >= 0 and b >= 0:
                by_a = int(state.units[a].declared == Declaration.CHARGE)
                by_b = int(state.units[b].declared == Declaration.CHARGE)
                join(setup, state, a, b, by_a + 2 * by_b, NOBODY)
    for k in range(setup.count):
        if state.units[k].declared == Declaration.CHARGE:
            state.units[k].declared = Declaration.NONE + 0


@kernel
def begin_round(setup: Setup, state: State) -> None:
    """Begin a round: forget what counts in one round only."""
    note(state, What.ROUND + 0, -1, -1, -1, state.now, -1)
    for k in range(setup.count):
        stand = state.units[k]
        stand.shot = False
        stand.moved = False
        stand.broke = False
        stand.going = False
        stand.checks = 0
        stand.blows[0] = 0
        stand.blows[1] = 0


@kernel
def roll_initiative(setup: Setup, state: State) -> None:
    """Roll for initiative, ties again (B-LAN-12); the higher is first in every phase."""
    state.first = 0
    for i in range(MOST_TIES):
        a = throw(setup.initiative, state, 0, Purpose.INITIATIVE + 0, i)
        b = throw(setup.initiative, state, 1, Purpose.INITIATIVE + 0, i)
        note(state, What.INITIATIVE + 0, -1, 0, a, -1, i)
        note(state, What.INITIATIVE + 0, -1, 1, b, -1, i)
        if a != b:
            state.first = int(b > a)
            return


@kernel
def move_side(setup: Setup, state: State, side: int) -> None:
    """Let a side act in its movement phase: its line, then reserves whose slot is empty come up and act (B-LAN-27)."""
    for slot in range(setup.slots):
        k = state.line[side, slot]
        if k >= 0:
            act(setup, state, k)
    for slot in range(setup.slots):
        k = state.reserve[side, slot]
        if k >= 0 and state.line[side, slot] < 0:
            come_up(setup, state, k)
            act(setup, state, k)


@kernel
def lost_its_target(state: State, k: int, side: int) -> bool:
    """Tell whether an enemy that a unit charged in this round is destroyed or has routed."""
    for i in range(state.touching):
        contact = state.contacts[i]
        if not contact.on and contact.pair[side] == k and charging(state, contact, side):
            return True
    return False


@kernel
def break_through(setup: Setup, state: State, k: int) -> None:
    """Let a charger whose target is gone go on to another unit, for one exchange at once (B-CHG-3, B-LAN-28).

    With what is left of its charge, legal as a charge is but for the two inches, once a round, and in no other contact.
    """
    unit, stand = setup.units[k], state.units[k]
    if not stand.going or stand.broke or stand.contacts > 0 or not lost_its_target(state, k, unit.side):
        return
    foe = foe_of(setup, state, k)
    if foe < 0 or barred(setup, state, k, foe):
        return
    share, end = Share(stand.parts, stand.whole), enemy_front(setup, state, k, foe)
    spent, paid = stand.spent, stand.paid
    if travel(setup, state, k, share, spent, paid, end, True, False) % 2 == 0:
        return
    stand.broke = True
    note(state, What.BREAKTHROUGH + 0, unit.seat, setup.units[foe].seat, -1, -1, -1)
    travel(setup, state, k, share, spent, paid, end, True, True)
    meet(setup, state, k, foe, True)
    exchange_blows(setup, state, state.contacts[state.touching - 1], 1)


@kernel
def breakthroughs(setup: Setup, state: State) -> None:
    """Let chargers break through, the first side's before the second's (B-LAN-28)."""
    for turn in range(SIDES):
        side = state.first if turn == 0 else 1 - state.first
        for slot in range(setup.slots):
            k = state.line[side, slot]
            if k >= 0:
                break_through(setup, state, k)


@kernel
def melee(setup: Setup, state: State) -> None:
    """Fight all pairs, then the breakthroughs over destroyed targets, check, then those over routed ones, and check."""
    fight_pairs(setup, state)
    breakthroughs(setup, state)
    check_all(setup, state)
    breakthroughs(setup, state)
    check_all(setup, state)


@kernel
def left_of(setup: Setup, state: State, side: int) -> int:
    """Count the units that a side still has."""
    left = 0
    for k in range(setup.count):
        left += int(setup.units[k].side == side and in_play(state, k))
    return left


@kernel
def end_phase(setup: Setup, state: State) -> None:
    """Close a phase: contacts that are over go, wounds may, and a side without units has lost (B-LAN-7, B-LAN-25)."""
    left = 0
    for i in range(state.touching):
        if state.contacts[i].on:
            if left < i:
                state.contacts[left] = state.contacts[i]
            left += 1
    state.touching = left
    for k in range(setup.count):
        state.units[k].rear = False
        if not setup.rules.carry_wounds:
            state.units[k].wound = 0
    a, b = left_of(setup, state, 0), left_of(setup, state, 1)
    if a == 0 or b == 0:
        state.over = Over.MUTUAL + 0 if a == b else Over.WON + 0
        winner = NOBODY if a == b else int(b > 0)
        note(state, What.OVER + 0, -1, winner, -1, state.over, -1)


@kernel
def play_round(setup: Setup, state: State) -> None:
    """Play a round phase by phase (B-LAN-12)."""
    begin_round(setup, state)
    roll_initiative(setup, state)
    volleys(setup, state, 0)
    check_all(setup, state)
    end_phase(setup, state)
    if state.over:
        return
    move_side(setup, state, state.first)
    move_side(setup, state, 1 - state.first)
    volleys(setup, state, 1)
    check_all(setup, state)
    end_phase(setup, state)
    if state.over:
        return
    melee(setup, state)
    end_phase(setup, state)
    if state.over == 0 and setup.rules.lasts_to_round_end:
        for k in range(setup.count):
            if in_play(state, k):
                lapse(setup, state, k)


@kernel
def fight(setup: Setup, state: State) -> None:
    """Play a battle to its end, or to the last round (B-LAN-25)."""
    set_up(setup, state)
    play_round(setup, state)
    while state.over == 0 and state.now < setup.rules.max_rounds:
        state.now += 1
        play_round(setup, state)
    if state.over == 0:
        state.over = Over.CAP + 0
        note(state, What.OVER + 0, -1, NOBODY, -1, state.over, -1)
