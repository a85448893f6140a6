"""What jugs do with the ball: hits, kicks, holds, pushes, swings, rolls, head-ons (J-BALL-9, 13 to 15)."""

from typing import TYPE_CHECKING

from tests.naive.jugger import tables as t
from tests.naive.jugger.board import direction_to, pack, step
from tests.naive.jugger.design import Jug
from tests.naive.jugger.ram import collide, stop
from tests.naive.juggerball import tables as b
from tests.naive.juggerball.physics import catches, object_at, set_off

if TYPE_CHECKING:
    from tests.naive.juggerball.match import Match

ANGLES = {"": 0, " left": -1, " right": 1}
"""By how many times 30 degrees a hit or a kick goes aside, by how its name ends."""

SIDE_ARCS = (1, 2, 4, 5)


def facing_each_other(one: Jug, other: Jug) -> bool:
    """Tell whether two jugs face in opposite ways."""
    return (one.facing - other.facing) % 6 == 3


# A step forward


def clear_way(match: "Match", jug: Jug) -> bool:
    """Deal with a ball in the hex ahead; tell whether the jug makes its step (J-BALL-8, J-BALL-9)."""
    ahead = step(jug.place, jug.facing)
    if match.ball is None or match.ball != ahead:
        return True
    if match.holder is jug or meet(match, jug):
        push_ahead(match, jug)
    if match.just_scored:
        return False
    if match.ball == ahead:
        blocked(match, jug)
        return False
    return True


def blocked(match: "Match", jug: Jug) -> None:
    """Stop before a ball that is still there (J-BALL-9)."""
    if match.rules.ball_blocks == "collision":
        collide(match, jug, b.AGAINST_BALL)
        return
    stop(match, jug)
    match.write(t.STOP, jug, value=pack(jug.place))


def meet(match: "Match", jug: Jug) -> bool:
    """Step at a ball that one does not hold; tell whether one holds it now and pushes it."""
    holder = match.holder
    if holder is not None and holder.side != jug.side and facing_each_other(holder, jug):
        head_on(match, jug, holder, holder)
        return False
    takes = holder is None or match.rules.steal
    still = takes and jug.slot in match.still and jug.moved == 0
    if still and match.rules.push == "always":
        match.hold_ball(jug, b.BY_PUSH)
        return True
    options = contact_options(match, jug, takes=takes, still=still)
    option = options[0] if len(options) == 1 else match.player(jug).contact(jug, options)
    if option in ("take", "push"):
        match.hold_ball(jug, b.BY_TAKE if option == "take" else b.BY_PUSH)
        return True
    what, _, angle = option.partition(" ")
    heading = (2 * jug.facing + ANGLES[f" {angle}" if angle else ""]) % 12
    if what == "kick":
        kick(match, jug, heading)
        return False
    match.hits[jug.side] += 1
    match.write(b.HIT, jug, value=heading, extra=jug.velocity)
    set_off(match, jug, heading, jug.velocity, "hit")
    return False


def contact_options(match: "Match", jug: Jug, *, takes: bool, still: bool) -> list[str]:
    """Return what a jug may do to the ball it steps at, in the order in which dice choose (J-BALL-13, 14, 17)."""
    options = ["hit"]
    if match.rules.deflector != "none" and jug.count("deflector"):
        options += ["hit left", "hit right"]
    if may_kick(match, jug):
        options += ["kick", "kick left", "kick right"]
    if takes and catches(match, jug):
        options.append("take")
    return [*options, "push"] if still else options


# Kicks


def may_kick(match: "Match", jug: Jug) -> bool:
    """Tell whether a jug may kick the ball now (J-BALL-14)."""
    able = match.rules.legs_kick and jug.count("legs") > 0 and jug.slot not in match.kicked
    return able and (jug.velocity >= 1 or match.rules.standing_kick)


def kick(match: "Match", jug: Jug, heading: int) -> None:
    """Kick the ball: a die farther than a hit (J-BALL-14)."""
    match.kicked.add(jug.slot)
    match.kicks[jug.side] += 1
    roll = match.ball_roll(match.rules.ball_kick_dice, "kick")
    match.write(b.KICK_BALL, jug, roll=roll, value=heading, extra=jug.velocity + roll)
    set_off(match, jug, heading, jug.velocity + roll, "kick")


def kick_held(match: "Match", jug: Jug, action: str) -> None:
    """Kick the ball out of one's own hold."""
    kick(match, jug, (2 * jug.facing + ANGLES[action.removeprefix("kick")]) % 12)


# Holding


def push_ahead(match: "Match", jug: Jug) -> None:
    """Move the held ball one hex ahead of a step, or run it into something (J-BALL-13, J-BALL-15)."""
    assert match.ball is not None
    thing, beyond = object_at(match.field, match.jug_at, match.ball, jug.facing)
    other = match.jug_at(beyond)
    if other is not None and other.side != jug.side and facing_each_other(other, jug):
        head_on(match, jug, other, jug)
    elif thing is not None:
        set_off(match, jug, 2 * jug.facing, jug.velocity - jug.moved, "push")
    else:
        match.ball, match.disturbed = beyond, True
        match.write(b.BALL_AHEAD, jug, value=pack(beyond))
        if beyond in match.field.goals:
            match.score(beyond, "push")


def swing(match: "Match", jug: Jug) -> None:
    """Let the held ball follow a turn, unless something is in its way (J-BALL-13)."""
    assert match.ball is not None
    new = step(jug.place, jug.facing)
    thing, _ = object_at(match.field, match.jug_at, match.ball, direction_to(match.ball, new))
    if thing is not None:
        match.lose_ball(jug)
        return
    match.ball, match.disturbed = new, True
    match.write(b.SWING, jug, value=pack(new))
    if new in match.field.goals:
        match.score(new, "push")


def look(match: "Match", *, chosen: bool = False) -> None:
    """See whether the holder slows down, so that the ball rolls on, or is parted from it (J-BALL-13)."""
    jug, rules = match.holder, match.rules
    if jug is None or match.over:
        return
    fell = jug.in_play and jug.velocity < match.held_velocity
    match.held_velocity = jug.velocity
    brakes = chosen and rules.catcher_brakes_with_ball and jug.count("catcher") > 0
    if fell and (chosen or rules.roll_when == "any") and not brakes:
        match.last = jug
        roll = match.ball_roll(rules.ball_roll_dice, "roll")
        match.write(b.ROLL, jug, roll=roll, value=2 * jug.facing, extra=roll)
        set_off(match, jug, 2 * jug.facing, roll, "roll")
    elif not jug.in_play or step(jug.place, jug.facing) != match.ball:
        match.lose_ball(jug)


# Head to head, and by force


def head_on(match: "Match", mover: Jug, other: Jug, pusher: Jug) -> None:
    """Throw the ball out of a side arc of the one that pushes it (J-BALL-15)."""
    rules = match.rules
    hexes = mover.velocity + (other.velocity if rules.head_on_distance == "sum" else 0)
    while True:
        roll = match.ball_roll(b.D6, "head_on")
        side = (pusher.facing + SIDE_ARCS[roll - 1]) % 6 if roll <= len(SIDE_ARCS) else -1
        match.write(b.HEAD_ON, mover, other, roll=roll, value=side, extra=hexes)
        if side >= 0:
            break
    set_off(match, mover, 2 * side, hexes, "head_on")


def forced_hit(match: "Match", jug: Jug, direction: int, hexes: int) -> None:
    """Let a jug that is forced at the ball hit it, if it may at all (J-BALL-8)."""
    if match.rules.forced_hits_ball and match.ball is not None and match.ball == step(jug.place, direction):
        match.hits[jug.side] += 1
        match.write(b.HIT, jug, value=2 * direction, extra=hexes)
        match.forced = True
        set_off(match, jug, 2 * direction, hexes, "hit")
        match.forced = False
