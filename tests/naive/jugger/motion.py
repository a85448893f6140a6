"""The move of a jug: velocity, turns, hexes, dragging (J-ACC-1 to J-ACC-5, J-TER-1, J-TER-2, J-WPN-13)."""

from typing import TYPE_CHECKING

from tests.naive.jugger import tables as t
from tests.naive.jugger.board import Hex, pack, step
from tests.naive.jugger.design import Jug
from tests.naive.jugger.moment import moment
from tests.naive.jugger.ram import collide, contact
from tests.naive.jugger.settle import go_out, part

if TYPE_CHECKING:
    from tests.naive.jugger.battle import Battle


def can_move(battle: "Battle", jug: Jug) -> bool:
    """Tell whether a jug has a move: free, or attached to a single jug of less size class (J-WPN-13)."""
    others = battle.attached(jug)
    return not others or (len(others) == 1 and jug.sc > others[0].sc)


def dragged_by(battle: "Battle", jug: Jug) -> Jug | None:
    """Return the jug that this one takes along."""
    others = battle.attached(jug)
    return others[0] if others else None


def legal_velocities(battle: "Battle", jug: Jug) -> tuple[int, int]:
    """Return the lowest and the highest velocity that a jug may choose (J-ACC-2, J-ACC-5, J-WPN-13)."""
    rules = battle.rules
    low = max(0, jug.velocity - jug.deceleration(rules))
    high = jug.velocity + jug.acceleration(rules)
    if jug.legged:
        high = min(high, rules.legs_top_velocity)
    if battle.attached(jug):
        high = min(high, rules.drag_top_velocity)
    return low, max(low, high)


def play_move(battle: "Battle", jug: Jug) -> None:
    """Play the whole move of a jug."""
    battle.mover, battle.running = jug, True
    policy = battle.policy(jug.side)
    before = jug.velocity
    jug.velocity = policy.velocity(jug, *legal_velocities(battle, jug))
    jug.moved = jug.turned = 0
    battle.write(t.MOVE, jug, value=jug.velocity, extra=before)
    battle.chosen(jug)
    while battle.running and not battle.over:
        options = battle.actions(jug, legal_actions(battle, jug))
        action = policy.action(jug, options)
        if action == "stop":
            break
        if battle.acts(jug, action):
            continue
        if action == "F":
            if battle.clears_way(jug):
                forward(battle, jug)
        else:
            turn = 1 if action == "R" else -1
            jug.turned += 1
            jug.facing = (jug.facing + turn) % 6
            battle.write(t.TURN_TO, jug, roll=turn, value=jug.facing)
            battle.turned(jug, turn)
        battle.check_over()
        battle.event_over(jug)
        if battle.fights():
            moment(battle, at_start=False)
    battle.mover, battle.running = None, False


def legal_actions(battle: "Battle", jug: Jug) -> list[str]:
    """Return what a jug may do next in its move (J-ACC-3, J-ACC-4, J-DMG-10)."""
    options = ["F"] if jug.moved < jug.velocity else []
    may_turn = battle.rules.turn_in_place or jug.velocity > 0
    if may_turn and jug.turned < jug.turn_rate(battle.rules) and not battle.attached(jug):
        options += ["L", "R"]
    return options if "F" in options else [*options, "stop"]


def forward(battle: "Battle", jug: Jug) -> None:
    """Go one hex forward, or meet what is there."""
    board, ahead = battle.board, step(jug.place, jug.facing)
    other = dragged_by(battle, jug)
    if other is not None and other.place == ahead:
        push_along(battle, jug, other, ahead)
    elif ahead not in board.inside:
        leave(battle, jug)
    elif board.solid(ahead):
        collide(battle, jug, board.wall_at(ahead))
    elif (met := battle.jug_at(ahead)) is not None:
        contact(battle, jug, met, enter)
    else:
        enter(battle, jug, ahead)


def enter(battle: "Battle", jug: Jug, place: Hex, *, wreckage: bool = True) -> None:
    """Enter a free hex; a dragged jug comes into the hex left behind (J-TER-2, J-WPN-13)."""
    left, other = jug.place, dragged_by(battle, jug)
    jug.place = place
    jug.moved += 1
    jug.velocity = max(0, jug.velocity - battle.board.loss(place, battle.rules, wreckage=wreckage))
    battle.write(t.ENTER, jug, value=pack(place), extra=jug.velocity)
    if other is not None:
        other.place = left
        battle.write(t.MOVE_TO, other, value=pack(left))
    part(battle)


def push_along(battle: "Battle", jug: Jug, other: Jug, ahead: Hex) -> None:
    """Push the attached jug that stands in front, then follow (J-WPN-13, J-RAM-11)."""
    beyond = step(ahead, jug.facing)
    if beyond not in battle.board.inside and battle.rules.map_edge == "exit":
        battle.write(t.EXIT, other)
        go_out(battle, other, t.LEFT, jug.side)
        enter(battle, jug, ahead)
        return
    if not battle.free(beyond):
        jug.velocity = 0
        battle.running = False
        battle.write(t.STOP, jug, value=pack(jug.place))
        return
    other.place = beyond
    battle.write(t.MOVE_TO, other, value=pack(beyond))
    jug.place = ahead
    jug.moved += 1
    jug.velocity = max(0, jug.velocity - battle.board.loss(ahead, battle.rules))
    battle.write(t.ENTER, jug, value=pack(ahead), extra=jug.velocity)
    part(battle)


def leave(battle: "Battle", jug: Jug) -> None:
    """Meet the rim of the map (J-MAP-2)."""
    edge = battle.rules.map_edge
    if edge == "exit":
        battle.write(t.EXIT, jug)
        go_out(battle, jug, t.LEFT, -1)
    elif edge == "wrap" and battle.free(opposite := (-jug.place[0], -jug.place[1])):
        enter(battle, jug, opposite)
    else:
        collide(battle, jug, -2)
