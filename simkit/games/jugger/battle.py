"""A battle from its set-up to its end: initiative, segments, end phases (J-INI, J-SEG, J-DEP)."""

from simkit.core.jit import kernel
from simkit.games.jugger.aboard import bit, end_hold, has, refresh
from simkit.games.jugger.ending import end_phase, finish
from simkit.games.jugger.happenings import Cause, Purpose, What
from simkit.games.jugger.moment import SEATS, moment
from simkit.games.jugger.move import move
from simkit.games.jugger.mustering import ROUNDS, assemble, clear, deploy
from simkit.games.jugger.policy import casts_haste, casts_restoration
from simkit.games.jugger.records import HASTES, WEAPONS, Ability, DiceRow, Setup, Spell, State
from simkit.games.jugger.settle import first_side
from simkit.games.jugger.tally import count
from simkit.games.jugger.throw import note, throw

DECIMAL = 2**24
"""Weight of the order so far against the next round of initiative: more than any total."""


@kernel
def set_up(setup: Setup, state: State, swapped: bool) -> None:
    """Put the jugs on the map, draw captains and spells, roll for walls and deployment (J-DEP-1, J-COL-4, J-WIZ-1)."""
    clear(setup, state, swapped)
    assemble(setup, state)
    deploy(setup, state)


@kernel
def initiative(setup: Setup, state: State) -> None:
    """Roll for initiative by side (J-INI-1 to 3): D10, a living tactician adds 1, ties again, highest first."""
    bonus0, bonus1 = 0, 0
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.fate == 0 and has(fighter, Ability.TACTICS + 0):
            if fighter.side == 0:
                bonus0 = setup.rules.tactics_bonus
            else:
                bonus1 = setup.rules.tactics_bonus
    state.segments = 2
    state.order[0] = 0
    state.order[1] = 1
    for again in range(ROUNDS):
        first = throw(setup, state, DiceRow.INITIATIVE + 0, 0, Purpose.INITIATIVE + 0, again)
        second = throw(setup, state, DiceRow.INITIATIVE + 0, 1, Purpose.INITIATIVE + 0, again)
        note(state, What.INITIATIVE + 0, -1, 0, -1, first, first + bonus0, again)
        note(state, What.INITIATIVE + 0, -1, 1, -1, second, second + bonus1, again)
        if first + bonus0 != second + bonus1:
            if second + bonus1 > first + bonus0:
                state.order[0] = 1
                state.order[1] = 0
            return


@kernel
def initiative_of_jugs(setup: Setup, state: State) -> None:
    """Roll for initiative jug by jug (J-INI-1, J-INI-3): only those who are level roll again."""
    state.segments = 0
    for slot in range(state.count):
        if state.jugs[slot].fate == 0:
            state.order[state.segments] = slot
            state.segments += 1
        state.jugs[slot].hurt_by[0] = 0  # the rank, while it is worked out
    for again in range(ROUNDS):
        level = False
        for slot in range(state.count):
            fighter = state.jugs[slot]
            if fighter.fate:
                continue
            total = 0
            if again == 0 or is_level(state, slot):
                die = throw(setup, state, DiceRow.INITIATIVE + 0, fighter.seat, Purpose.INITIATIVE + 0, again)
                total = die + (setup.rules.tactics_bonus if has(fighter, Ability.TACTICS + 0) else 0)
                note(state, What.INITIATIVE + 0, slot, -1, -1, die, total, again)
            fighter.hurt_by[1] = total
        for slot in range(state.count):
            fighter = state.jugs[slot]
            fighter.hurt_by[0] = fighter.hurt_by[0] * DECIMAL + fighter.hurt_by[1]
        for slot in range(state.count):
            state.jugs[slot].hurt_by[1] = 0
            for other in range(state.count):
                lower = state.jugs[other].hurt_by[0] < state.jugs[slot].hurt_by[0]
                state.jugs[slot].hurt_by[1] += int(lower and state.jugs[other].fate == 0)
        for slot in range(state.count):
            state.jugs[slot].hurt_by[0] = state.jugs[slot].hurt_by[1]
        for slot in range(state.count):
            level = level or (state.jugs[slot].fate == 0 and is_level(state, slot))
        if not level:
            break
    for k in range(1, state.segments):
        slot = state.order[k]
        at = k
        while at > 0 and state.jugs[state.order[at - 1]].hurt_by[0] < state.jugs[slot].hurt_by[0]:
            state.order[at] = state.order[at - 1]
            at -= 1
        state.order[at] = slot
    for slot in range(state.count):
        state.jugs[slot].hurt_by[0] = 0
        state.jugs[slot].hurt_by[1] = 0


@kernel
def favour(setup: Setup, state: State) -> None:
    """Let the side that rolled higher for deployment move first in turn 1 (J-DEP-3): all its jugs before the others."""
    if not setup.rules.initiative_by_jug:
        state.order[0] = state.higher
        state.order[1] = 1 - state.higher
        return
    for k in range(1, state.segments):
        slot = state.order[k]
        at = k
        if state.jugs[slot].side != state.higher:
            continue
        while at > 0 and state.jugs[state.order[at - 1]].side != state.higher:
            state.order[at] = state.order[at - 1]
            at -= 1
        state.order[at] = slot


@kernel
def is_level(state: State, slot: int) -> bool:
    """Tell whether another jug in play has the same rank so far."""
    for other in range(state.count):
        same = state.jugs[other].hurt_by[0] == state.jugs[slot].hurt_by[0]
        if other != slot and state.jugs[other].fate == 0 and same:
            return True
    return False


@kernel
def begin_turn(setup: Setup, state: State) -> None:
    """Begin a turn: what may be done once a turn may be done again."""
    state.turn += 1
    note(state, What.TURN + 0, -1, -1, -1, 0, state.turn, 0)
    for slot in range(state.count):
        fighter = state.jugs[slot]
        fighter.used = 0
        fighter.cast = 0
        fighter.moved = 0
        fighter.turned = 0
        fighter.contacts = 0
        fighter.choices = 0
        fighter.critical_rolls = 0
        fighter.evaded = False
        fighter.controlled = False
        fighter.lucky = False
        fighter.missile_bonus = False
        fighter.close_bonus = False


@kernel
def roll_initiative(setup: Setup, state: State) -> None:
    """Roll for initiative, by side or by jug (J-INI-1), and remember who was first in the battle."""
    if setup.rules.initiative_by_jug:
        initiative_of_jugs(setup, state)
    else:
        initiative(setup, state)
    if state.turn == 1:
        if setup.rules.strategic_roll:
            favour(setup, state)
        state.first = first_side(setup, state)


@kernel
def segment(setup: Setup, state: State, who: int) -> None:
    """Play the segment of a side, or of one jug (J-SEG-1)."""
    side, only = who, -1
    if setup.rules.initiative_by_jug:
        side, only = state.jugs[who].side, who
        if state.jugs[who].fate:
            return
    open_segment(setup, state, side, only)
    for slot in range(state.count):
        if state.over:
            return
        if state.jugs[slot].ordered and acts(state, slot, side, only):
            move(setup, state, slot)


@kernel
def open_segment(setup: Setup, state: State, side: int, only: int) -> None:
    """Begin a segment: who is held tries to break free, spells, the first moment of attack (J-WPN-7, J-WIZ-3)."""
    note(state, What.SEGMENT + 0, only, side, -1, 0, 0, 0)
    for slot in range(state.count):
        state.jugs[slot].ordered = acts(state, slot, side, only)
        if state.jugs[slot].ordered and state.jugs[slot].attached > 0:
            break_free(setup, state, slot)
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if acts(state, slot, side, only) and fighter.spells[Spell.HASTE] + fighter.spells[Spell.RESTORATION] > 0:
            enhance(setup, state, slot)
    moment(setup, state, side, True)


@kernel
def acts(state: State, slot: int, side: int, only: int) -> bool:
    """Tell whether a jug acts in a segment."""
    return state.jugs[slot].fate == 0 and state.jugs[slot].side == side and (only < 0 or only == slot)


@kernel
def break_free(setup: Setup, state: State, slot: int) -> None:
    """Roll to break free (J-WPN-7): once for each jug that holds it, or once for each weapon."""
    fighter, rules = state.jugs[slot], setup.rules
    for holder in range(state.count):
        held = 0
        for k in range(state.hold_count):
            hold = state.holds[k]
            if hold.holder == holder and hold.held == slot:
                held |= 1 << hold.attack
        if held == 0:
            continue
        seat = state.jugs[holder].seat
        if not rules.break_by_weapon:
            die = throw(setup, state, DiceRow.BREAK + 0, fighter.seat, Purpose.BREAK + 0, seat)
            free = die <= rules.break_at_most
            note(state, What.BREAK + 0, slot, holder, -1, die, int(free), 0)
            if free:
                shake_off(state, slot, holder, held)
            continue
        for item in range(WEAPONS):
            if bit(held, item):
                i = seat * SEATS + item
                die = throw(setup, state, DiceRow.BREAK + 0, fighter.seat, Purpose.BREAK + 0, i)
                free = die <= rules.break_at_most
                note(state, What.BREAK + 0, slot, holder, item, die, int(free), 0)
                if free:
                    shake_off(state, slot, holder, 1 << item)


@kernel
def shake_off(state: State, slot: int, holder: int, items: int) -> None:
    """End the holds of some weapons of a jug on another."""
    k = 0
    while k < state.hold_count:
        hold = state.holds[k]
        if hold.holder == holder and hold.held == slot and bit(items, hold.attack):
            end_hold(state, k)
        else:
            k += 1


@kernel
def enhance(setup: Setup, state: State, slot: int) -> None:
    """Cast haste and restoration at the start of the own segment (J-WIZ-1 to 5)."""
    fighter, rules = state.jugs[slot], setup.rules
    if casts_haste(setup, state, slot):
        fighter.spells[Spell.HASTE] -= 1
        fighter.cast += 1
        die = throw(setup, state, DiceRow.HASTE_TURNS + 0, fighter.seat, Purpose.HASTE_TURNS + 0, 0)
        if die > 0:
            fighter.haste = max(fighter.haste, die)
            fighter.haste_level = rules.haste_gain + (fighter.haste_level if rules.haste_stacks else 0)
            fighter.hastes[(state.turn + die - 1) % HASTES] += 1
            refresh(setup, state, slot)
        note(state, What.CAST_HASTE + 0, slot, -1, -1, die, 0, 0)
    if casts_restoration(setup, state, slot):
        fighter.spells[Spell.RESTORATION] -= 1
        fighter.cast += 1
        dice = throw(setup, state, DiceRow.RESTORE + 0, fighter.seat, Purpose.RESTORE + 0, 0)
        regained = min(dice, setup.jugs[fighter.row].hits - fighter.hits)
        fighter.hits += regained
        note(state, What.CAST_RESTORE + 0, slot, -1, -1, dice, regained, 0)


@kernel
def fight(setup: Setup, state: State, swapped: bool) -> None:
    """Fight one battle to its end, or to the turn cap (J-SEG-1, J-END-1, J-ARM-4).

    A turn: initiative, a segment for each side (or jug) in its order, the end phase.
    """
    set_up(setup, state, swapped)
    while not state.over and state.turn < setup.victory.max_turns:
        begin_turn(setup, state)
        roll_initiative(setup, state)
        for k in range(state.segments):
            if not state.over:
                segment(setup, state, state.order[k])
        if not state.over:
            end_phase(setup, state)
    if not state.over:
        delayer = setup.victory.delay_side
        winner = -1
        if delayer >= 0:
            winner = 1 - delayer if swapped else delayer
        finish(state, winner, (Cause.CAP if delayer < 0 else Cause.OBJECTIVE) + 0)
    note(state, What.OVER + 0, -1, state.winner, -1, 0, state.cause, 0)
    count(setup, state)
