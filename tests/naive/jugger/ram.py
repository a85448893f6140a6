"""Rams and collisions (J-RAM-1 to J-RAM-14, J-COL-1 to J-COL-4)."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.naive.jugger import tables as t
from tests.naive.jugger.board import arc, pack, step
from tests.naive.jugger.design import Jug
from tests.naive.jugger.moment import controlled, dodged, shielded
from tests.naive.jugger.settle import Effects, go_out, land, part, roll_criticals, settle

if TYPE_CHECKING:
    from tests.naive.jugger.battle import Battle

HEAD_ON, SIDE, REAR = 0, 1, 2
RIM, THIRD_JUG = -2, -3


def stop(battle: "Battle", jug: Jug, velocity: int = 0) -> None:
    """End a move with a velocity."""
    jug.velocity = velocity
    battle.running = False


# Collisions


def collide(battle: "Battle", jug: Jug, what: int) -> None:
    """Run into an obstacle (-1), the rim (-2) or a wall (its number), and stop before it (J-COL-1, J-COL-3)."""
    effects = Effects()
    number = jug.contacts
    jug.contacts += 1
    damage = crash(battle, jug, what, jug.velocity, jug.seat, number, 1 - jug.side, effects)
    battle.damage[jug.side]["collision"] += damage
    stop(battle, jug)
    settle(battle, effects)


def crash(
    battle: "Battle", jug: Jug, what: int, velocity: int, seat: int, number: int, side: int, effects: Effects
) -> int:
    """Roll the damage of a collision; a stone wall takes the same (J-COL-1, J-COL-2, J-COL-4)."""
    rules, board = battle.rules, battle.board
    roll = battle.roll(rules.collision_dice, "collision", seat, number)
    own = jug.sc if rules.collision_sc == "own" else 0
    damage = (roll + own) * min(velocity, rules.damage_velocity_cap)
    battle.write(t.COLLIDE, jug, roll=roll, value=damage, extra=what)
    effects.hurt(jug, side, damage)
    if what >= 0:
        board.wall_hits[what] -= damage
        if board.wall_hits[what] <= 0:
            battle.write(t.WALL_DOWN, extra=what)
    return int(damage)


# Contact with a jug


def contact(battle: "Battle", jug: Jug, met: Jug, enter: Callable[..., None]) -> None:
    """Move into a hex with a jug in play: a ram, or a stop (J-RAM-1, J-RAM-7, J-RAM-8, J-RAM-14)."""
    if jug.legged or met.side == jug.side:
        stop(battle, jug)
        battle.write(t.STOP, jug, met, value=pack(jug.place))
        return
    number = jug.contacts
    jug.contacts += 1
    places = [step(met.place, direction) for direction in range(6)]
    places = [place for place in places if battle.free(place)]
    if places and not battle.attached(met) and dodged(battle, jug, met, -1):
        into = met.place
        met.place = battle.policy(met.side).evade(met, places)
        battle.write(t.MOVE_TO, met, value=pack(met.place))
        part(battle)
        enter(battle, jug, into)
        return
    ram(battle, jug, met, number, enter)


def ram(battle: "Battle", jug: Jug, met: Jug, number: int, enter: Callable[..., None]) -> None:
    """Resolve a ram: damage, push or bounce, velocities, holds, criticals (J-ATK-7, J-RAM-9)."""
    rules = battle.rules
    where = {0: HEAD_ON, 3: REAR}.get(arc(met.place, met.facing, jug.place), SIDE)
    both = where == HEAD_ON and met.has_ram(rules) and jug.has_ram(rules)
    battle.rams[jug.side] += 1

    roll = battle.roll(rules.ram_dice, "ram", jug.seat, number)
    velocity = max(0, jug.velocity - met.velocity) if where == REAR else jug.velocity
    damage = ram_damage(battle, jug, roll, velocity)
    battle.write(t.RAM, jug, met, roll=roll, value=damage, extra=where)
    back = 0
    if both:
        roll = battle.roll(rules.ram_dice, "ram_back", met.seat, 24 * number + jug.seat)
        back = ram_damage(battle, met, roll, met.velocity)
        battle.write(t.RAM_BACK, met, jug, roll=roll, value=back)
    effects = Effects()
    strike(battle, jug, met, damage, effects)
    if both:
        strike(battle, met, jug, back, effects)
    land(battle, effects)

    moves_on = False
    crashes = Effects()
    if both and jug.in_play != met.in_play:
        moves_on = drive_through(battle, jug if jug.in_play else met, jug)
    elif both:
        stop(battle, jug)
        met.velocity = 0
    elif not met.in_play and rules.side_kill_drives_through:
        moves_on = drive_through(battle, jug, jug)
    elif where == REAR:
        if met.in_play:
            hexes = battle.roll(rules.bounce_dice, "bounce", jug.seat, number)
            shove(battle, jug, met, hexes, number, crashes, roll=hexes)
        stop(battle, jug, jug.moved)
    else:
        pushed = max(0, jug.velocity - jug.moved - met.sc)
        if met.in_play and pushed:
            went = shove(battle, jug, met, pushed, number, crashes)
            for _ in range(went):
                jug.place = step(jug.place, jug.facing)
            if went:
                battle.write(t.FOLLOW, jug, value=went, extra=pack(jug.place))
        stop(battle, jug)
        met.velocity = 0
    if moves_on:
        enter(battle, jug, met.place, wreckage=False)
    part(battle)
    roll_criticals(battle, effects)
    roll_criticals(battle, crashes)


def ram_damage(battle: "Battle", jug: Jug, roll: int, velocity: int) -> int:
    """Return (ram roll + bonus + size class) x velocity (J-RAM-2)."""
    rules = battle.rules
    return int((roll + jug.bonus(rules) + jug.sc) * min(velocity, rules.damage_velocity_cap))


def strike(battle: "Battle", jug: Jug, met: Jug, damage: int, effects: Effects) -> None:
    """Let shield and damage control work on the damage of a ram (J-CAP-4, J-WIZ-3)."""
    if shielded(battle, jug, met, -1):
        return
    damage = controlled(battle, jug, met, -1, damage)
    effects.hurt(met, jug.side, damage)
    battle.damage[jug.side]["ram"] += damage


def drive_through(battle: "Battle", survivor: Jug, mover: Jug) -> bool:
    """Slow the survivor down; tell whether it is the mover and enters the wreck's hex (J-RAM-10)."""
    survivor.velocity = max(0, survivor.velocity - battle.rules.drive_through_loss)
    battle.write(t.DRIVE_THROUGH, survivor, value=survivor.velocity)
    if survivor is not mover or mover.moved >= mover.velocity:
        battle.running = False
        return False
    return True


def shove(
    battle: "Battle", jug: Jug, met: Jug, hexes: int, number: int, crashes: Effects, roll: int | None = None
) -> int:
    """Push (or bounce, with its roll) a jug in the rammer's direction; return the hexes gone (J-RAM-6, 11 to 13)."""
    rules, board = battle.rules, battle.board
    went, leaves, stopped = 0, False, False
    while went < hexes and not leaves and not stopped:
        ahead = step(met.place, jug.facing)
        battle.forced_step(met, jug.facing, hexes - went)
        leaves = ahead not in board.inside and rules.map_edge == "exit"
        stopped = not leaves and not battle.free(ahead)
        if not stopped:
            went += 1
            met.place = met.place if leaves else ahead
    what = t.PUSH if roll is None else t.BOUNCE
    battle.write(what, met, roll=roll or 0, value=went, extra=pack(met.place))
    if leaves:
        battle.write(t.EXIT, met)
        go_out(battle, met, t.LEFT, jug.side)
    elif stopped and rules.push_collides and not battle.soft(ahead):
        wall = board.wall_at(ahead)
        thing = RIM if ahead not in board.inside else wall if board.solid(ahead) else THIRD_JUG
        damage = crash(battle, met, thing, hexes - went, jug.seat, number, jug.side, crashes)
        battle.damage[jug.side]["ram"] += damage
        land(battle, crashes)
    return went
