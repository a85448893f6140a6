"""What a moment leads to: damage of all attacks together, who is out, and the critical rolls (J-DMG-6)."""

from simkit.core.jit import kernel, rule
from simkit.games.jugger.aboard import forget_spells, lose_piece, refresh, release_jug
from simkit.games.jugger.board import leave_wreck, place
from simkit.games.jugger.damage import chooser, critical_rolls
from simkit.games.jugger.happenings import Cause, Purpose, What
from simkit.games.jugger.policy import choose_piece
from simkit.games.jugger.records import HOLDS, ROPES, DiceRow, PieceKind, Setup, Shot, State
from simkit.games.jugger.throw import note, throw


@kernel
def wound(state: State, slot: int, damage: int, side: int, source: int) -> None:
    """Book damage of this moment on a jug; nothing happens before :func:`settle`."""
    fighter = state.jugs[slot]
    fighter.hurt += damage
    fighter.hurt_by[side] += damage
    state.damage[side, source] += damage


@rule
def doomed(state: State, slot: int) -> int:
    """Tell how a jug goes out at this moment, or 0: destroyed beats captured beats crew killed (J-WPN-11)."""
    fighter = state.jugs[slot]
    if fighter.fate == 0 and fighter.hurt > 0 and fighter.hits - fighter.hurt <= 0:
        return Cause.DESTROYED + 0
    return fighter.doom


@kernel
def mark(state: State, slot: int, cause: int, side: int) -> None:
    """Mark a jug for what this moment does to it beside damage; the graver one stays, of equals the first."""
    fighter = state.jugs[slot]
    rank = gravity(cause)
    if fighter.doom == 0 or rank > gravity(fighter.doom):
        fighter.doom = cause
        fighter.captor = side


@rule
def gravity(cause: int) -> int:
    """Rank what can happen to a jug at one moment: crew killed, captured, cut in half, toppled (J-WPN-11)."""
    if cause == Cause.CREW:
        return 1
    if cause == Cause.CAPTURED:
        return 2
    return 3 if cause == Cause.CUT else 4


@kernel
def settle(setup: Setup, state: State) -> None:
    """Let everything of this moment take effect together."""
    hurt(setup, state)
    grab(setup, state)
    fall(setup, state)
    criticals(setup, state)


@kernel
def hurt(setup: Setup, state: State) -> None:
    """Take the sum of the moment's damage off each jug (J-DMG-1), and see who did most of it (J-DMG-8)."""
    rules = setup.rules
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.hurt == 0:
            continue
        jug = setup.jugs[fighter.row]
        fighter.doom = doomed(state, slot)
        before = jug.hits - fighter.hits if rules.critical_missing else fighter.taken
        fighter.due += critical_rolls(before, before + fighter.hurt, rules.critical_every)
        fighter.hits -= fighter.hurt
        fighter.taken += fighter.hurt
        if fighter.hurt_by[0] == fighter.hurt_by[1]:
            fighter.slayer = first_side(setup, state)
        else:
            fighter.slayer = int(fighter.hurt_by[1] > fighter.hurt_by[0])
        note(state, What.HURT + 0, slot, -1, -1, 0, fighter.hurt, fighter.hits)
        fighter.hurt = 0
        fighter.hurt_by[0] = 0
        fighter.hurt_by[1] = 0


@rule
def first_side(setup: Setup, state: State) -> int:
    """Return the side with the initiative."""
    first = state.order[0]
    return state.jugs[first].side if setup.rules.initiative_by_jug else first


@kernel
def grab(setup: Setup, state: State) -> None:
    """Attach the jugs that were grabbed (J-WPN-2, J-WPN-13), unless one of them goes out or changes sides."""
    for k in range(state.shot_count):
        shot = state.shots[k]
        if shot.ropes:
            shot.ropes = False
            tie(state, shot)
        if not shot.grabs:
            continue
        shot.grabs = False
        holder, held = state.jugs[shot.jug], state.jugs[shot.foe]
        if holder.fate or held.fate or holder.doom or held.doom or state.hold_count >= HOLDS:
            continue
        note(state, What.GRAB + 0, shot.jug, shot.foe, shot.attack, 0, 0, 0)
        hold = state.holds[state.hold_count]
        hold.holder = shot.jug
        hold.held = shot.foe
        hold.attack = shot.attack
        hold.turn = state.turn
        state.hold_count += 1
        holder.holding |= 1 << shot.attack
        holder.attached += 1
        held.attached += 1
        if not setup.rules.grab_stops and state.mover >= 0:
            mover = state.jugs[state.mover]
            other = shot.foe if state.mover == shot.jug else shot.jug
            involved = state.mover == shot.jug or state.mover == shot.foe
            if involved and setup.jugs[mover.row].size_class > setup.jugs[state.jugs[other].row].size_class:
                state.jugs[other].velocity = 0
                mover.velocity = min(mover.velocity, setup.rules.drag_top_velocity)
                continue
        holder.velocity = 0
        held.velocity = 0
        holder.moving = False
        held.moving = False


@kernel
def tie(state: State, shot: Shot) -> None:
    """Put a rope out between two jugs (J-WPN-9), unless one of them goes out or changes sides at this moment."""
    jug, foe = state.jugs[shot.jug], state.jugs[shot.foe]
    if jug.fate or foe.fate or jug.doom or foe.doom or state.rope_count >= ROPES:
        return
    rope = state.ropes[state.rope_count]
    rope.jug = shot.jug
    rope.attack = shot.attack
    rope.foe = shot.foe
    rope.turn = state.turn
    state.rope_count += 1
    jug.roped |= 1 << shot.attack


@kernel
def fall(setup: Setup, state: State) -> None:
    """Take out what is destroyed, toppled, cut, captured or crewless (J-DMG-5, J-WPN-5, J-WPN-11)."""
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.doom == 0:
            continue
        cause = fighter.doom
        by = fighter.slayer if cause == Cause.DESTROYED else fighter.captor
        fighter.doom = 0
        fighter.moving = False
        if cause == Cause.CAPTURED:
            capture(setup, state, slot, by)
        else:
            put_out(setup, state, slot, cause, by)
            leave_wreck(setup, state, fighter.q, fighter.r)


@kernel
def put_out(setup: Setup, state: State, slot: int, cause: int, by: int) -> None:
    """Take a jug out of play."""
    fighter = state.jugs[slot]
    fighter.fate = cause
    fighter.moving = False
    state.cause = cause
    state.lost_by[fighter.side] = cause
    state.tally[fighter.side, 2] += setup.jugs[fighter.row].size_class
    note(state, What.OUT + 0, slot, by, -1, 0, cause, place(fighter.q, fighter.r))
    release_jug(setup, state, slot, True)


@kernel
def capture(setup: Setup, state: State, slot: int, by: int) -> None:
    """Let a boarded jug change sides (J-WPN-5, J-WPN-16): captain, wizard and spells die, the rest stays."""
    fighter = state.jugs[slot]
    state.cause = Cause.CAPTURED + 0
    state.lost_by[fighter.side] = state.cause
    state.tally[fighter.side, 2] += setup.jugs[fighter.row].size_class
    note(state, What.OUT + 0, slot, by, -1, 0, Cause.CAPTURED + 0, place(fighter.q, fighter.r))
    fighter.side = by
    fighter.captain = 0
    fighter.crewed = False
    forget_spells(state, slot)
    jug = setup.jugs[fighter.row]
    for k in range(jug.piece_count):
        if jug.pieces[k].kind == PieceKind.WIZARD:
            fighter.lost |= 1 << k
    refresh(setup, state, slot)
    release_jug(setup, state, slot, False)
    note(state, What.NEW_SIDE + 0, slot, -1, -1, 0, by, 0)


@kernel
def criticals(setup: Setup, state: State) -> None:
    """Roll for the multiples of 20 points that each jug still in play has crossed (J-DMG-2, J-DMG-6)."""
    rules = setup.rules
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.due == 0:
            continue
        rolls = fighter.due if fighter.fate == 0 else 0
        fighter.due = 0
        for _ in range(rolls):
            die = throw(setup, state, DiceRow.CRITICAL + 0, fighter.seat, Purpose.CRITICAL + 0, fighter.critical_rolls)
            fighter.critical_rolls += 1
            state.tally[fighter.side, 1] += 1
            who = chooser(die, rules.critical_attacker, rules.critical_defender)
            side = -1
            if who == 1:
                side = fighter.slayer
            elif who == 2:
                side = fighter.side
            note(state, What.CRITICAL + 0, slot, -1, -1, die, 0, side)
            if side >= 0:
                piece = choose_piece(setup, state, slot, side, who == 1)
                if piece >= 0:
                    lose_piece(setup, state, slot, piece, side)


@kernel
def check_over(setup: Setup, state: State) -> None:
    """See whether a side controls no jug any more (J-ARM-4); mutual capture in a duel is a draw (J-WPN-11)."""
    if state.over or state.play_on:
        return
    controls = 0
    changed = 0
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.fate == 0:
            controls |= 1 << fighter.side
        changed += int(not fighter.crewed)
    if controls == 3 and not (state.count == 2 and changed == 2):
        return
    state.over = True
    state.winner = -1
    if controls == 1 or controls == 2:
        state.winner = controls - 1
        state.cause = state.lost_by[2 - controls]
