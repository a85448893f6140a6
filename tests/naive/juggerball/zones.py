"""Where a jug may not stop: within three hexes of its own goal (J-BALL-19)."""

from typing import TYPE_CHECKING

from tests.naive.jugger.board import Hex, step
from tests.naive.jugger.design import Jug

if TYPE_CHECKING:
    from tests.naive.juggerball.match import Match


def in_zone(match: "Match", jug: Jug, place: Hex) -> bool:
    """Tell whether a hex is too near a jug's own goal to stop in."""
    return match.field.near_goal(place, jug.side, match.rules.no_stop_within)


def legal_velocities(match: "Match", jug: Jug, low: int, high: int) -> list[int]:
    """Return the velocities a jug may choose, of those that it could reach."""
    usual = list(range(low, high + 1))
    if match.rules.no_stop == "velocity_0":
        return [v for v in usual if v >= 1 or not in_zone(match, jug, jug.place)]
    turns = turns_left(match, jug, 0)
    good = [v for v in usual if leads_out(match, jug, jug.place, jug.facing, v, turns, v)]
    return good or usual


def legal_actions(match: "Match", jug: Jug, usual: list[str]) -> list[str]:
    """Return the actions after which a jug's move can still end where it may (`no_stop = "end_of_move"`)."""
    if match.rules.no_stop == "velocity_0":
        return usual
    hexes, turns = max(0, jug.velocity - jug.moved), turns_left(match, jug, jug.turned)
    good = []
    for action in usual:
        if action == "stop":
            fine = not in_zone(match, jug, jug.place)
        elif action == "F":
            fine = goes_out(match, jug, jug.place, jug.facing, hexes, turns, jug.velocity)
        else:
            facing = (jug.facing + (1 if action == "R" else -1)) % 6
            fine = leads_out(match, jug, jug.place, facing, hexes, turns - 1, jug.velocity)
        good += [action] * fine
    return good or usual


def turns_left(match: "Match", jug: Jug, turned: int) -> int:
    """Return the turns that a jug has left in its move."""
    return 0 if match.attached(jug) else max(0, jug.turn_rate(match.rules) - turned)


def passable(match: "Match", jug: Jug, place: Hex) -> bool:
    """Tell whether a path may lead through a hex; the ball is not looked at."""
    other = match.jug_at(place)
    return place in match.field.inside and not match.field.solid(place) and (other is None or other is jug)


def leads_out(match: "Match", jug: Jug, place: Hex, facing: int, hexes: int, turns: int, velocity: int) -> bool:
    """Tell whether a path of so many hexes and at most so many turns can end far enough from the own goal."""
    if hexes == 0:
        return not in_zone(match, jug, place)
    if goes_out(match, jug, place, facing, hexes, turns, velocity):
        return True
    if turns > 0 and (velocity > 0 or match.rules.turn_in_place):
        return any(leads_out(match, jug, place, (facing + turn) % 6, hexes, turns - 1, velocity) for turn in (-1, 1))
    return False


def goes_out(match: "Match", jug: Jug, place: Hex, facing: int, hexes: int, turns: int, velocity: int) -> bool:
    """Tell the same of a path whose next action is a hex forward; whatever is there ends it before that hex."""
    ahead = step(place, facing)
    if not passable(match, jug, ahead):
        return not in_zone(match, jug, place)
    return leads_out(match, jug, ahead, facing, hexes - 1, turns, velocity)
