"""Who stands where before the first turn: jugs made ready, walls, captains, spells and deployment (J-DEP-1)."""

from simkit.core.jit import kernel
from simkit.games.jugger.aboard import refresh
from simkit.games.jugger.happenings import Purpose, What
from simkit.games.jugger.moment import SEATS
from simkit.games.jugger.records import HASTES, SIDE, DiceRow, Setup, State
from simkit.games.jugger.throw import note, throw

ROUNDS = 9
"""Rounds of dice before the lower number goes first: one battle in 10**9 gets there."""


@kernel
def clear(setup: Setup, state: State, swapped: bool) -> None:
    """Begin a battle: nothing has happened yet, and everybody has his seat."""
    state.noted = 0
    state.swapped = swapped
    state.turn = 0
    state.over = False
    state.winner = -1
    state.cause = 0
    state.mover = -1
    state.hold_count = 0
    state.fire_count = 0
    state.rope_count = 0
    state.wreck_count = 0
    state.ball = -1
    state.play_on = False
    state.peaceful[0] = 0
    state.peaceful[1] = 0
    state.count = setup.count_a + setup.count_b
    first, second = (1, 0) if swapped else (0, 1)
    state.counts[first] = setup.count_a
    state.counts[second] = setup.count_b
    state.policies[first] = setup.policies[0]
    state.policies[second] = setup.policies[1]
    for side in range(2):
        state.strength[side] = 0
        state.occupied[side] = 0
        for k in range(8):
            state.damage[side, k] = 0
        for k in range(4):
            state.tally[side, k] = 0


@kernel
def assemble(setup: Setup, state: State) -> None:
    """Put the jugs on the map, roll for the walls, draw captains and spells."""
    for slot in range(state.count):
        side = int(slot >= state.counts[0])
        k = slot - side * state.counts[0]
        row = k if (side == 1) == state.swapped else setup.count_a + k
        enlist(setup, state, slot, row, side, SIDE * side + k)
        state.strength[side] += setup.jugs[row].size_class
    for wall in range(setup.wall_count):
        state.wall_hits[wall] = throw(setup, state, DiceRow.WALL + 0, 255, Purpose.WALL + 0, wall)
        note(state, What.WALL_HITS + 0, -1, -1, -1, 0, state.wall_hits[wall], wall)
    for slot in range(state.count):
        muster(setup, state, slot)


@kernel
def enlist(setup: Setup, state: State, slot: int, row: int, side: int, seat: int) -> None:
    """Make a jug ready for battle."""
    fighter, jug = state.jugs[slot], setup.jugs[row]
    arrangement = int(state.swapped)
    fighter.row = row
    fighter.side = side
    fighter.seat = seat
    fighter.fate = 0
    fighter.q = setup.places[arrangement, row, 0]
    fighter.r = setup.places[arrangement, row, 1]
    fighter.facing = setup.places[arrangement, row, 2]
    fighter.velocity = setup.places[arrangement, row, 3]
    fighter.hits = jug.hits
    fighter.taken = 0
    fighter.lost = 0
    fighter.spent = 0
    fighter.holding = 0
    fighter.roped = 0
    fighter.crewed = True
    fighter.captain = jug.captain
    fighter.haste = 0
    fighter.haste_level = 0
    fighter.attached = 0
    fighter.burning = 0
    fighter.hurt = 0
    fighter.hurt_by[0] = 0
    fighter.hurt_by[1] = 0
    fighter.due = 0
    fighter.doom = 0
    fighter.captor = -1
    fighter.slayer = 0
    fighter.moving = False
    fighter.moved = 0
    fighter.turned = 0
    fighter.contacts = 0
    fighter.choices = 0
    for k in range(7):
        fighter.spells[k] = 0
    if setup.rules.haste_stacks:
        for turn in range(HASTES):
            fighter.hastes[turn] = 0
    for k in range(jug.weapon_count):
        fighter.ready[k] = 0
    refresh(setup, state, slot)


@kernel
def muster(setup: Setup, state: State, slot: int) -> None:
    """Draw a captain where they are drawn by lot, and a wizard's spells (J-CAP-1, J-WIZ-1)."""
    fighter = state.jugs[slot]
    jug = setup.jugs[fighter.row]
    if setup.rules.random_captains and jug.captain == 0:
        die = throw(setup, state, DiceRow.CAPTAIN + 0, fighter.seat, Purpose.CAPTAIN + 0, 0)
        fighter.captain = 1 << (die - 1)
        note(state, What.CAPTAIN + 0, slot, -1, -1, die, 0, 0)
        refresh(setup, state, slot)
    for wizard in range(jug.wizard):
        count = throw(setup, state, DiceRow.SPELL_COUNT + 0, fighter.seat, Purpose.SPELL_COUNT + 0, wizard)
        note(state, What.SPELLS + 0, slot, -1, -1, count, 0, 0)
        for k in range(1, count + 1):
            spell = throw(setup, state, DiceRow.SPELL + 0, fighter.seat, Purpose.SPELL + 0, k + SEATS * wizard)
            fighter.spells[spell] += 1
            note(state, What.SPELL + 0, slot, -1, -1, spell, 0, 0)


@kernel
def deploy(setup: Setup, state: State) -> None:
    """Roll who sets up first (J-DEP-1): ties again, the lowest first; the places are the scenario's."""
    for again in range(ROUNDS):
        first = throw(setup, state, DiceRow.DEPLOY + 0, 0, Purpose.DEPLOY + 0, again)
        second = throw(setup, state, DiceRow.DEPLOY + 0, 1, Purpose.DEPLOY + 0, again)
        note(state, What.DEPLOY + 0, -1, 0, -1, first, 0, again)
        note(state, What.DEPLOY + 0, -1, 1, -1, second, 0, again)
        state.higher = int(second > first)
        if first != second:
            return
