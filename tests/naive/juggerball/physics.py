"""The flight of a ball that runs: steps, spines, bounces, catches, goals (J-BALL-8, J-BALL-10 to J-BALL-12, 16, 17)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.naive.jugger.board import Hex, pack, step
from tests.naive.jugger.design import Jug
from tests.naive.juggerball import tables as b
from tests.naive.juggerball.field import Field

if TYPE_CHECKING:
    from tests.naive.juggerball.match import Match

BOUNCE = (180, 90, -90, 120, -120, 0)
"""By how many degrees to the right each face of the die turns a ball; 0 is a dead stop (J-BALL-12)."""


def sides_of(heading: int) -> tuple[int, ...]:
    """Return the sides a ball of a heading goes through: one, or the two beside a spine, anticlockwise first."""
    return (heading // 2,) if heading % 2 == 0 else (heading // 2, (heading // 2 + 1) % 6)


def object_at(field: Field, jug_at: Callable[[Hex], object], place: Hex, side: int) -> tuple[int | None, Hex]:
    """Return what a ball in a hex would bounce off on its step through a side, and the hex it steps at (J-BALL-10).

    `jug_at` returns something for a hex with a jug in play, else None.
    """
    ahead = step(place, side)
    if ahead not in field.inside:
        return b.RIM, ahead
    if jug_at(ahead) is not None:
        return b.JUG, ahead
    kind = {"obstacle": b.OBSTACLE, "wall": b.WALL}.get(field.kind(ahead))
    if kind is None and ahead in field.goals and not field.lets_in(ahead, side):
        kind = b.CLOSED_ARC
    return kind, ahead


@dataclass
class Flight:
    """One run of the ball: who set it off and how, the hexes it has to go, the side it goes through next."""

    by: Jug
    cause: str
    hexes: int
    heading: int = 0
    side: int = 0
    bounces: int = 0


def set_off(match: "Match", by: Jug, heading: int, hexes: int, cause: str) -> None:
    """Let the ball run from where it is, to the end of its flight."""
    match.holder, match.last, match.disturbed = None, by, True
    flight = Flight(by, cause, hexes)
    head_for(match, flight, heading)
    while match.ball is not None and match.holder is None and flight.hexes > 0:
        thing, ahead = object_at(match.field, match.jug_at, match.ball, flight.side)
        if thing is None:
            ball_step(match, flight, ahead)
        else:
            bounce(match, flight, thing, ahead)


def head_for(match: "Match", flight: Flight, heading: int) -> None:
    """Set a ball's heading; the first side of a spine is rolled, or with six headings the side taken (J-BALL-11)."""
    heading %= 12
    sides = sides_of(heading)
    flight.heading, flight.side = heading, sides[0]
    if len(sides) == 2:
        roll = match.ball_roll(b.D6, "spine")
        flight.side = sides[roll > match.rules.spine_at_most]
        if match.rules.ball_headings == 6:
            flight.heading = 2 * flight.side
        match.write(b.SPINE, match.actor, roll=roll, value=flight.side)


def ball_step(match: "Match", flight: Flight, ahead: Hex) -> None:
    """Go one hex on: a goal, a catch, or the end of the run may follow."""
    match.ball = ahead
    flight.hexes -= 1
    if match.rules.terrain_slows_ball and ahead not in match.field.goals:
        flight.hexes = max(0, flight.hexes - match.field.loss(ahead, match.rules))
    match.write(b.BALL_STEP, match.actor, value=pack(ahead), extra=flight.hexes)
    sides = sides_of(flight.heading)
    flight.side = sides[flight.side == sides[0]] if len(sides) == 2 else sides[0]
    if ahead in match.field.goals:
        match.score(ahead, "bounce" if flight.bounces else flight.cause)
        return
    if match.rules.catch == "enters":
        ready = [jug for jug in match.jugs if may_catch(match, flight, jug)]
        for jug in sorted(ready, key=lambda one: (one.side == flight.by.side, one.slot)):
            if match.player(jug).catch(jug):
                match.hold_ball(jug, b.BY_CATCH)
                return
    if flight.hexes == 0:
        match.write(b.BALL_STOP, match.actor, value=pack(ahead), extra=b.RUN_OUT)


def catches(match: "Match", jug: Jug) -> bool:
    """Tell whether a jug has what catches a ball, still alive (J-BALL-17)."""
    legs, catcher = match.rules.legs_catch and jug.count("legs"), match.rules.catcher_catches and jug.count("catcher")
    return bool(legs or catcher)


def may_catch(match: "Match", flight: Flight, jug: Jug) -> bool:
    """Tell whether a jug may catch the ball where it is now (J-BALL-17)."""
    able = jug.in_play and jug is not flight.by and catches(match, jug)
    return able and step(jug.place, jug.facing) == match.ball


def bounce(match: "Match", flight: Flight, thing: int, ahead: Hex) -> None:
    """Throw the ball off an object before it steps there (J-BALL-10, J-BALL-12)."""
    rules, actor, here = match.rules, match.actor, match.ball
    assert here is not None
    jug = match.jug_at(ahead) if thing == b.JUG else None
    in_front = jug is not None and step(jug.place, jug.facing) == here
    asked = in_front and rules.catch == "hits"
    if jug is not None and asked and may_catch(match, flight, jug) and match.player(jug).catch(jug):
        match.hold_ball(jug, b.BY_CATCH)
        return
    flight.bounces += 1
    match.bounces += 1
    told: dict[str, int] = {"extra": thing}
    if jug is not None and in_front and rules.deflector == "both" and jug.count("deflector"):
        value = (2 * jug.facing + match.player(jug).deflect(jug)) % 12
        match.write(b.BALL_BOUNCE, actor, jug, value=value, **told)
        go_on(match, flight, value)
        return
    roll = match.ball_roll(b.D6, "ball_bounce")
    turn = rules.bounce_table[roll - 1] // 30
    if turn == 0:
        match.write(b.BALL_BOUNCE, actor, jug, roll=roll, value=-1, **told)
        flight.hexes = 0
        if jug is not None and in_front and rules.caught_by == "jug":
            match.hold_ball(jug, b.BY_BOUNCE)
        else:
            match.write(b.BALL_STOP, actor, value=pack(here), extra=b.DEAD_STOP)
        return
    if rules.ball_headings == 6 and abs(turn) == 3:
        right_angle(match, flight, jug, roll, turn, told)
        return
    value = (flight.heading + turn) % 12
    match.write(b.BALL_BOUNCE, actor, jug, roll=roll, value=value, **told)
    go_on(match, flight, value)


def go_on(match: "Match", flight: Flight, heading: int) -> None:
    """Go on in a new heading, unless the ball has bounced too often (J-BALL-10)."""
    if flight.bounces >= match.rules.bounce_limit:
        assert match.ball is not None
        flight.hexes = 0
        match.write(b.BALL_STOP, match.actor, value=pack(match.ball), extra=b.LIMIT)
        return
    head_for(match, flight, heading)


def right_angle(match: "Match", flight: Flight, jug: Jug | None, roll: int, turn: int, told: dict[str, int]) -> None:
    """With six headings a right angle is 60 or 120 degrees to that hand (J-BALL-11)."""
    rules, hand = match.rules, 1 if turn > 0 else -1
    if rules.right_angle != "coin":
        value = (flight.heading + hand * (2 if rules.right_angle == "60" else 4)) % 12
        match.write(b.BALL_BOUNCE, match.actor, jug, roll=roll, value=value, **told)
        go_on(match, flight, value)
        return
    before = flight.heading
    match.write(b.BALL_BOUNCE, match.actor, jug, roll=roll, value=(before + turn) % 12, **told)
    if flight.bounces >= rules.bounce_limit:
        go_on(match, flight, before)
        return
    coin = match.ball_roll(b.D6, "spine")
    flight.heading = (before + hand * (2 if coin <= rules.spine_at_most else 4)) % 12
    flight.side = flight.heading // 2
    match.write(b.SPINE, match.actor, roll=coin, value=flight.side)
