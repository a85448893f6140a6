"""Rams and collisions: what happens when a jug moves into something (J-RAM, J-COL, J-ATK-7)."""

from simkit.core.hexgrid import arc_of, step_q, step_r
from simkit.core.jit import kernel, rule
from simkit.games.jugger.aboard import has, part, release_jug
from simkit.games.jugger.board import cell, index, is_free, place
from simkit.games.jugger.happenings import Cause, Purpose, Source, What
from simkit.games.jugger.moment import controlled, shielded
from simkit.games.jugger.policy import policy_of
from simkit.games.jugger.ramming import HEAD_ON, REAR, approach, collision_damage, push, ram_damage, ram_velocity
from simkit.games.jugger.records import FIRST_WALL, OPAQUE, OUTSIDE, Ability, DiceRow, MapEdge, Policy, Setup, State
from simkit.games.jugger.settle import check_over, criticals, fall, hurt, wound
from simkit.games.jugger.throw import choose, note, throw

SEATS = 24
"""Factor of a contact number in the last part of an address."""

RIM = -2
THIRD_JUG = -3
BALL = -4
"""What a collision was with, in its event, beside obstacles (-1) and stone walls (their index)."""


@kernel
def collide(setup: Setup, state: State, slot: int, code: int) -> None:
    """Run into an obstacle, a wall or the rim (J-COL-1 to 4): damage, velocity 0, the move is over."""
    fighter = state.jugs[slot]
    die = throw(setup, state, DiceRow.COLLISION + 0, fighter.seat, Purpose.COLLISION + 0, fighter.contacts)
    fighter.contacts += 1
    crash(setup, state, slot, code, die, fighter.velocity, 1 - fighter.side, Source.COLLISION + 0)
    fighter.velocity = 0
    fighter.moving = False
    hurt(setup, state)
    fall(setup, state)
    criticals(setup, state)
    check_over(setup, state)


@kernel
def crash(setup: Setup, state: State, slot: int, code: int, die: int, velocity: int, by: int, source: int) -> None:
    """Book what hitting something hard does to a jug and to a stone wall (J-COL-1, J-COL-2).

    ``by`` is the side that chooses the pieces (J-DMG-8); a collision of its own is booked to the jug's side.
    """
    fighter, rules = state.jugs[slot], setup.rules
    size = setup.jugs[fighter.row].size_class
    damage = collision_damage(die, size, velocity, rules.collision_size, rules.damage_velocity_cap)
    wall = -1
    if code == OUTSIDE:
        wall = RIM
    elif code >= 0:
        wall = THIRD_JUG
    elif code <= FIRST_WALL:
        wall = FIRST_WALL - code
    elif code == BALL:
        wall = BALL
    note(state, What.COLLIDE + 0, slot, -1, -1, die, damage, wall)
    if wall >= 0:
        state.wall_hits[wall] -= damage
        if state.wall_hits[wall] <= 0:
            note(state, What.WALL_DOWN + 0, -1, -1, -1, 0, 0, wall)
    fighter.hurt += damage
    fighter.hurt_by[by] += damage
    state.damage[fighter.side if source == Source.COLLISION else by, source] += damage


@rule
def shape(setup: Setup, state: State, slot: int) -> bool:
    """Tell whether a jug has a ram to meet a head-on ram with (J-RAM-4): its main ram, or a reinforced one."""
    fighter = state.jugs[slot]
    jug = setup.jugs[fighter.row]
    return jug.rams and not jug.legged and (fighter.ram > 0 or not setup.rules.reinforced_only)


@kernel
def dodges_ram(setup: Setup, state: State, slot: int, foe: int) -> bool:
    """Tell whether evasion takes the target out of the way (J-CAP-3), to a free adjacent hex; it keeps its velocity."""
    target = state.jugs[foe]
    if not has(target, Ability.EVASION + 0) or target.evaded or target.attached > 0:
        return False
    ways = 0
    for direction in range(6):
        q, r = target.q + step_q(direction), target.r + step_r(direction)
        ways += int(is_free(setup, state, q, r))
    if ways == 0:
        return False
    target.evaded = True
    die = throw(setup, state, DiceRow.EVADE + 0, target.seat, Purpose.EVADE + 0, 0)
    dodged = die <= setup.rules.evasion_at_most
    note(state, What.DODGE + 0, foe, slot, -1, die, int(dodged), 0)
    if not dodged:
        return False
    state.jugs[slot].contacts += 1
    left = 0
    if policy_of(state, foe) == Policy.RANDOM:
        left = choose(state, foe, ways)
    for direction in range(6):
        q, r = target.q + step_q(direction), target.r + step_r(direction)
        if is_free(setup, state, q, r):
            if left == 0:
                target.q = q
                target.r = r
                note(state, What.MOVE_TO + 0, foe, -1, -1, 0, place(q, r), 0)
                return True
            left -= 1
    return False


@kernel
def take_ram(setup: Setup, state: State, slot: int, foe: int, damage: int) -> None:
    """Book the damage that a jug's ram does to a foe, after shield and damage control (J-WIZ-3, J-CAP-4)."""
    if damage <= 0 or shielded(setup, state, slot, foe, -1, damage, False):
        return
    wound(state, foe, controlled(setup, state, slot, foe, -1, damage), state.jugs[slot].side, Source.RAM + 0)


@kernel
def ram(setup: Setup, state: State, slot: int, foe: int) -> None:
    """Ram a foe (J-RAM-1 to 4).

    Damage first (J-RAM-9); then push or bounce, velocities, and what is torn apart (J-WPN-14); then criticals.
    """
    contact = begin_ram(setup, state, slot, foe)
    if state.forced > 0:
        press(setup, state, slot, foe)
        land(setup, state, slot, foe, contact)
    end_ram(setup, state)


@kernel
def begin_ram(setup: Setup, state: State, slot: int, foe: int) -> int:
    """Do the damage of a ram and set the velocities after it; return the number of the contact.

    How far the target is to be moved by force is left in ``state.forced``.
    """
    rammer, target, rules = state.jugs[slot], state.jugs[foe], setup.rules
    mine, theirs = setup.jugs[rammer.row], setup.jugs[target.row]
    contact = rammer.contacts
    rammer.contacts += 1
    state.tally[rammer.side, 0] += 1
    kind = approach(arc_of(target.facing, rammer.q - target.q, rammer.r - target.r))
    both = kind == HEAD_ON and shape(setup, state, foe) and shape(setup, state, slot)
    die = throw(setup, state, DiceRow.RAM + 0, rammer.seat, Purpose.RAM + 0, contact)
    counts = ram_velocity(kind, rammer.velocity, target.velocity, rules.damage_velocity_cap)
    damage = ram_damage(die, rammer.ram, mine.size_class, counts)
    note(state, What.RAM + 0, slot, foe, -1, die, damage, kind)
    back = 0
    if both:
        die = throw(setup, state, DiceRow.RAM + 0, target.seat, Purpose.RAM_BACK + 0, SEATS * contact + rammer.seat)
        counts = ram_velocity(kind, target.velocity, 0, rules.damage_velocity_cap)
        back = ram_damage(die, target.ram, theirs.size_class, counts)
        note(state, What.RAM_BACK + 0, foe, slot, -1, die, back, 0)
    take_ram(setup, state, slot, foe, damage)
    take_ram(setup, state, foe, slot, back)
    hurt(setup, state)
    fall(setup, state)
    after_ram(setup, state, slot, foe, kind, both, contact)
    return contact


@kernel
def end_ram(setup: Setup, state: State) -> None:
    """End a ram: what was parted, the critical rolls, whether it was the last one."""
    part(setup, state)
    criticals(setup, state)
    check_over(setup, state)


@kernel
def after_ram(setup: Setup, state: State, slot: int, foe: int, kind: int, both: bool, contact: int) -> None:
    """Set the velocities after the damage of a ram, and how far its target is forced to move (J-RAM-9 to 13).

    A rammer that drives through enters the wreck's hex if hexes are left, without a second loss, and goes on.
    """
    rammer, target, rules = state.jugs[slot], state.jugs[foe], setup.rules
    fell = target.fate != 0
    state.forced = 0
    if both or (fell and rules.side_kill_drives_through):
        if rammer.fate == 0 and fell:
            rammer.velocity = max(0, rammer.velocity - rules.drive_through_loss)
            note(state, What.DRIVE_THROUGH + 0, slot, -1, -1, 0, rammer.velocity, 0)
            rammer.moving = rammer.moved < rammer.velocity
            if rammer.moving:
                rammer.q = target.q
                rammer.r = target.r
                rammer.moved += 1
                lost = max(0, cell(setup, state, rammer.q, rammer.r)) % OPAQUE
                rammer.velocity = max(0, rammer.velocity - lost)
                note(state, What.ENTER + 0, slot, -1, -1, 0, place(rammer.q, rammer.r), rammer.velocity)
            return
        if rammer.fate != 0 and not fell:
            target.velocity = max(0, target.velocity - rules.drive_through_loss)
            note(state, What.DRIVE_THROUGH + 0, foe, -1, -1, 0, target.velocity, 0)
        else:
            rammer.velocity = 0
            target.velocity = 0
        rammer.moving = False
        return
    rammer.moving = False
    state.forced_gone = 0
    state.forced_code = 0
    if kind == REAR:
        rammer.velocity = rammer.moved
        if not fell:
            state.forced = throw(setup, state, DiceRow.BOUNCE + 0, rammer.seat, Purpose.BOUNCE + 0, contact)
            state.forced_what = What.BOUNCE + 0
            state.forced_roll = state.forced
            if state.forced == 0:  # a die of a house rule: the bounce is told all the same
                land(setup, state, slot, foe, contact)
        return
    far = push(rammer.velocity, rammer.moved, setup.jugs[target.row].size_class)
    rammer.velocity = 0
    if fell:
        return
    target.velocity = 0
    state.forced = max(0, far)
    state.forced_what = What.PUSH + 0
    state.forced_roll = 0


@kernel
def press(setup: Setup, state: State, slot: int, foe: int) -> None:
    """Move a rammed jug by force as far as the way is free (J-RAM-6, J-RAM-11); with an open rim it may leave."""
    rammer, target = state.jugs[slot], state.jugs[foe]
    while state.forced_gone < state.forced:
        q, r = target.q + step_q(rammer.facing), target.r + step_r(rammer.facing)
        state.forced_code = cell(setup, state, q, r)
        leaves = state.forced_code == OUTSIDE and setup.rules.map_edge == MapEdge.EXIT
        if not leaves and not is_free(setup, state, q, r):
            return
        state.forced_gone += 1
        if leaves:
            return
        target.q = q
        target.r = r


@kernel
def land(setup: Setup, state: State, slot: int, foe: int, contact: int) -> None:
    """End a move by force: it is told, what stopped it hurts where forced jugs collide, and a rammer follows a push."""
    rammer, target, rules = state.jugs[slot], state.jugs[foe], setup.rules
    gone, left = state.forced_gone, state.forced - state.forced_gone
    note(state, state.forced_what, foe, -1, -1, state.forced_roll, gone, place(target.q, target.r))
    if gone > 0 and state.forced_code == OUTSIDE and rules.map_edge == MapEdge.EXIT:
        leave(setup, state, foe, rammer.side)
    elif left > 0 and rules.push_collides:
        ahead = index(target.q + step_q(rammer.facing), target.r + step_r(rammer.facing))
        if ahead != state.ball:
            die = throw(setup, state, DiceRow.COLLISION + 0, rammer.seat, Purpose.COLLISION + 0, contact)
            crash(setup, state, foe, state.forced_code, die, left, rammer.side, Source.RAM + 0)
            hurt(setup, state)
            fall(setup, state)
    if state.forced_what == What.PUSH and gone > 0:
        rammer.q += gone * step_q(rammer.facing)
        rammer.r += gone * step_r(rammer.facing)
        note(state, What.FOLLOW + 0, slot, -1, -1, 0, gone, place(rammer.q, rammer.r))


@kernel
def leave(setup: Setup, state: State, slot: int, by: int) -> None:
    """Take a jug off the map (J-MAP-2): it is out of play and leaves no wreck."""
    fighter = state.jugs[slot]
    note(state, What.EXIT + 0, slot, -1, -1, 0, 0, 0)
    fighter.fate = Cause.EXIT + 0
    fighter.moving = False
    state.cause = Cause.EXIT + 0
    state.lost_by[fighter.side] = state.cause
    state.tally[fighter.side, 2] += setup.jugs[fighter.row].size_class
    note(state, What.OUT + 0, slot, by, -1, 0, Cause.EXIT + 0, place(fighter.q, fighter.r))
    release_jug(setup, state, slot, True)
