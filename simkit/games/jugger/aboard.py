"""What is aboard a jug and still works: derived ratings, holds, ropes, fires, and the loss of pieces."""

from simkit.core.jit import kernel, rule
from simkit.games.jugger.board import apart
from simkit.games.jugger.happenings import What
from simkit.games.jugger.records import Ability, Fighter, PieceKind, Setup, Special, Spell, State
from simkit.games.jugger.throw import note


@rule
def has(fighter: Fighter, ability: int) -> bool:
    """Tell whether its captain has an ability (J-CAP-1)."""
    return fighter.captain >> ability & 1 != 0


@rule
def bit(mask: int, k: int) -> bool:
    """Tell whether bit k is set."""
    return mask >> k & 1 != 0


@kernel
def refresh(setup: Setup, state: State, slot: int) -> None:
    """Work out acceleration, deceleration, turn rate, ram bonus and kick from what is left (J-EQ-1 to 3, J-CAP-1)."""
    fighter, rules = state.jugs[slot], setup.rules
    jug = setup.jugs[fighter.row]
    acceleration, deceleration, turns = jug.acceleration, jug.deceleration, jug.turns
    ram, kicks = 0, False
    for k in range(jug.piece_count):
        if bit(fighter.lost, k):
            continue
        kind = jug.pieces[k].kind
        if kind == PieceKind.GEARS:
            acceleration += rules.gears_acceleration
        elif kind == PieceKind.BRAKES:
            deceleration += rules.brakes_deceleration
        elif kind == PieceKind.STEERING:
            turns += rules.steering_turns
        elif kind == PieceKind.SAILS:
            acceleration += rules.sails_acceleration
            deceleration += rules.sails_deceleration
        elif kind == PieceKind.RAM:
            ram += rules.ram_bonus
        elif kind == PieceKind.LEGS:
            deceleration += rules.legs_deceleration
            turns += rules.legs_turns
            kicks = True
    if has(fighter, Ability.SPEED + 0):
        acceleration += rules.speed_acceleration
    if has(fighter, Ability.BALANCE + 0):
        deceleration += rules.balance_deceleration
    if has(fighter, Ability.CORNERING + 0):
        turns += rules.cornering_turns
    fighter.acceleration = acceleration + fighter.haste_level
    fighter.deceleration = deceleration + fighter.haste_level
    fighter.turns = turns + fighter.haste_level
    fighter.ram = ram
    fighter.kicks = kicks


@kernel
def end_hold(state: State, k: int) -> None:
    """End a hold (J-WPN-14) without an event; the last hold of the list takes its place."""
    hold = state.holds[k]
    holder, held = state.jugs[hold.holder], state.jugs[hold.held]
    holder.holding &= ~(1 << hold.attack)
    holder.attached -= 1
    held.attached -= 1
    for later in range(k + 1, state.hold_count):  # the order of holds is the order of events
        state.holds[later - 1] = state.holds[later]
    state.hold_count -= 1


@kernel
def end_rope(state: State, k: int) -> None:
    """Take a rope off the list without an event."""
    rope = state.ropes[k]
    state.jugs[rope.jug].roped &= ~(1 << rope.attack)
    for later in range(k + 1, state.rope_count):
        state.ropes[later - 1] = state.ropes[later]
    state.rope_count -= 1


@kernel
def hold_of(state: State, slot: int, item: int) -> int:
    """Return the place in the list of the hold of a weapon, or -1."""
    for k in range(state.hold_count):
        if state.holds[k].holder == slot and state.holds[k].attack == item:
            return k
    return -1


@kernel
def rope_of(state: State, slot: int, item: int) -> int:
    """Return the place in the list of the rope of a ballista, or -1."""
    for k in range(state.rope_count):
        if state.ropes[k].jug == slot and state.ropes[k].attack == item:
            return k
    return -1


@kernel
def release_weapon(state: State, slot: int, item: int) -> None:
    """End the hold and the rope of one weapon (J-DMG-3)."""
    k = hold_of(state, slot, item)
    if k >= 0:
        note(state, What.FREED + 0, slot, state.holds[k].held, item, 0, 0, 0)
        end_hold(state, k)
    release_rope(state, slot, item)


@kernel
def release_rope(state: State, slot: int, item: int) -> None:
    """End the rope of one ballista."""
    k = rope_of(state, slot, item)
    if k >= 0:
        note(state, What.ROPE_ENDS + 0, slot, state.ropes[k].foe, item, 0, 0, 0)
        end_rope(state, k)


@kernel
def release_jug(setup: Setup, state: State, jug: int, everything: bool) -> None:
    """End holds and ropes of a jug, on it or by it: all of them, or those between jugs that are of one side now.

    They end in the order of the jugs that hold, and of their weapons.
    """
    if state.hold_count + state.rope_count == 0:
        return
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.holding == 0 and fighter.roped == 0:
            continue
        for item in range(setup.jugs[fighter.row].weapon_count):
            k = hold_of(state, slot, item) if bit(fighter.holding, item) else -1
            if k >= 0:
                held = state.holds[k].held
                friends = state.jugs[held].side == fighter.side
                if (slot == jug or held == jug) and (everything or friends):
                    note(state, What.FREED + 0, slot, held, item, 0, 0, 0)
                    end_hold(state, k)
            k = rope_of(state, slot, item) if bit(fighter.roped, item) else -1
            if k >= 0:
                foe = state.ropes[k].foe
                friends = state.jugs[foe].side == fighter.side
                if (slot == jug or foe == jug) and (everything or friends):
                    note(state, What.ROPE_ENDS + 0, slot, foe, item, 0, 0, 0)
                    end_rope(state, k)


@kernel
def part(setup: Setup, state: State) -> None:
    """End the holds and ropes of jugs that were parted (J-WPN-9, J-WPN-14), in the order of holders and weapons."""
    if state.hold_count + state.rope_count == 0:
        return
    for slot in range(state.count):
        fighter = state.jugs[slot]
        if fighter.holding == 0 and fighter.roped == 0:
            continue
        for item in range(setup.jugs[fighter.row].weapon_count):
            k = hold_of(state, slot, item) if bit(fighter.holding, item) else -1
            if k >= 0 and apart(state, slot, state.holds[k].held) > 1:
                note(state, What.FREED + 0, slot, state.holds[k].held, item, 0, 0, 0)
                end_hold(state, k)
            k = rope_of(state, slot, item) if bit(fighter.roped, item) else -1
            if k >= 0 and apart(state, slot, state.ropes[k].foe) > setup.jugs[fighter.row].weapons[item].reach:
                note(state, What.ROPE_ENDS + 0, slot, state.ropes[k].foe, item, 0, 0, 0)
                end_rope(state, k)


@kernel
def lose_piece(setup: Setup, state: State, slot: int, piece: int, side: int) -> None:
    """Destroy a piece of equipment (J-DMG-3, J-DMG-4, J-DMG-7) that a side has chosen."""
    fighter = state.jugs[slot]
    jug = setup.jugs[fighter.row]
    lost = jug.pieces[piece]
    fighter.lost |= 1 << piece
    note(state, What.LOSE + 0, slot, -1, piece, 0, lost.kind, side)
    if lost.kind == PieceKind.WEAPON:
        release_weapon(state, slot, lost.weapon)
    elif lost.kind == PieceKind.WINCH:
        for k in range(jug.weapon_count):
            if jug.weapons[k].winch == piece:
                release_rope(state, slot, k)
    elif lost.kind == PieceKind.WIZARD:
        wizards = 0
        for k in range(jug.piece_count):
            wizards += int(jug.pieces[k].kind == PieceKind.WIZARD and not bit(fighter.lost, k))
        if wizards == 0:
            forget_spells(state, slot)
    else:
        refresh(setup, state, slot)


@kernel
def forget_spells(state: State, slot: int) -> None:
    """Take a wizard's spells away: he is dead (J-DMG-7, J-WPN-16)."""
    for k in range(Spell.FIREBALL + 0, Spell.FATE + 1):
        state.jugs[slot].spells[k] = 0


@rule
def works(setup: Setup, fighter: Fighter, k: int) -> bool:
    """Tell whether a weapon is still there, with boarders left to send (J-WPN-16)."""
    weapon = setup.jugs[fighter.row].weapons[k]
    return not bit(fighter.lost, weapon.piece) and not bit(fighter.spent, k)


@rule
def is_ready(setup: Setup, state: State, fighter: Fighter, k: int) -> bool:
    """Tell whether a weapon may attack now (J-ATK-1, J-WPN-8, J-WPN-10, J-WPN-15).

    Once a turn, with nobody in its grip, its rope not out, and a cauldron only when its time has come.
    """
    return (
        works(setup, fighter, k)
        and not bit(fighter.used, k)
        and not bit(fighter.holding, k)
        and not bit(fighter.roped, k)
        and fighter.ready[k] <= state.turn
    )


@kernel
def rope_winch(setup: Setup, fighter: Fighter, k: int) -> bool:
    """Tell whether a ballista has its winch (J-WPN-6)."""
    winch = setup.jugs[fighter.row].weapons[k].winch
    return winch >= 0 and not bit(fighter.lost, winch)


@kernel
def burn(setup: Setup, state: State, victim: int, firer: int, item: int, points: int, turns: int) -> bool:
    """Set a jug on fire (J-WPN-3); tell whether a fire is lit or prolonged.

    A new hit of the same weapon replaces the old fire if its turns are at least those left, else nothing.
    """
    side = state.jugs[firer].side
    if not setup.rules.fire_stacks:
        for k in range(state.fire_count):
            fire = state.fires[k]
            if fire.victim == victim and fire.firer == firer and fire.attack == item:
                if turns < fire.left:
                    return False
                fire.points = points
                fire.left = turns
                fire.by = side
                return True
    if state.fire_count >= len(state.fires):
        return False
    fire = state.fires[state.fire_count]
    fire.victim = victim
    fire.firer = firer
    fire.attack = item
    fire.points = points
    fire.left = turns
    fire.by = side
    state.fire_count += 1
    state.jugs[victim].burning += 1
    return True


@rule
def is_fire(special: int) -> bool:
    """Tell whether a weapon sets on fire instead of damaging at once."""
    return special == Special.FIRE or special == Special.CAULDRON
