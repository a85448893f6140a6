"""Scenes for hits, bounces and pushes of the ball, by the plain twin, with dice that fall as written."""

from typing import Any

import pytest

from tests.naive.jugger.board import pack, step
from tests.naive.jugger.moment import moment
from tests.naive.jugger.settle import Effects, settle
from tests.naive.juggerball import Field
from tests.naive.juggerball import tables as b
from tests.naive.juggerball.physics import set_off
from tests.naive.juggerball.pushes import look
from tests.naive.juggerball.scenes import A, B, Script, holds, move, names, scene, told

FAST = ("gears", "gears", "gears")
FOREST = Field(8, 4, 6, [(-2, row) for row in range(-3, 4)], forests=[(1, 0)])


# The hit (J-BALL-8, J-BALL-9)


def test_a_hit_takes_the_recorded_velocity_and_costs_nothing() -> None:
    """J-BALL-9, J-BALL-8: two hexes on its way the jug hits with its whole velocity, and moves on through the hex."""
    match = scene((A, (-3, 0), 0, 1, *FAST))
    move(match, 0, 4)
    jug = match.jugs[0]
    assert told(match, "HIT") == [(0, -1, -1, 0, 0, 4)]
    assert (match.ball, jug.place, jug.velocity, jug.moved) == ((4, 0), (1, 0), 4, 4)
    assert names(match)[3:8] == ["HIT", *["BALL_STEP"] * 4]
    assert told(match, "BALL_STEP")[-1] == (0, -1, -1, 0, pack((4, 0)), 0)


def test_each_contact_is_a_new_hit() -> None:
    """J-BALL-9: the ball comes back, and is hit again in the same move."""
    match = scene((A, (-1, 0), 0, 1, *FAST), (B, (2, 0), 0, 0), dice=Script(ball_bounce=[6, 4], ram=[1], bounce=[1]))
    move(match, 0, 3)
    assert told(match, "HIT") == [(0, -1, -1, 0, 0, 3)] * 2
    assert [event[4] for event in told(match, "BALL_BOUNCE")] == [-1, 4]
    assert match.ball == (-2, 3)


@pytest.mark.parametrize(("blocks", "taken"), [("stop", 0), ("collision", 2 * (5 + 3))])
def test_a_ball_that_stays_stops_the_jug(blocks: str, taken: int) -> None:
    """J-BALL-9: caught by the bounce table before an enemy, the ball blocks the hex: velocity 0, move over."""
    match = scene(
        (A, (-1, 0), 0, 2), (B, (1, 0), 3, 0), dice=Script(ball_bounce=[6], collision=[5]), ball_blocks=blocks
    )
    move(match, 0, 2, "F")
    jug = match.jugs[0]
    assert (match.ball, jug.place, jug.velocity, jug.full - jug.hits) == ((0, 0), (-1, 0), 0, taken)
    assert told(match, "STOP", "COLLIDE")[0][1] == -1
    if taken:
        assert told(match, "COLLIDE") == [(0, -1, -1, 5, 16, b.AGAINST_BALL)]


@pytest.mark.parametrize("hits", [False, True])
def test_a_jug_that_is_pushed_at_the_ball(hits: bool) -> None:
    """J-BALL-8, J-RAM-11: a forced move stops before the ball, or hits it with the hexes left."""
    match = scene(
        (A, (-3, 0), 0, 6, *FAST), (B, (-2, 0), 1, 0), dice=Script(ram=[1]), forced_hits_ball=hits, push_collides=True
    )
    move(match, 0, 6)
    assert told(match, "HIT") == ([(7, -1, -1, 0, 0, 2)] if hits else [])
    assert match.jugs[7].place == ((1, 0) if hits else (-1, 0))
    assert match.ball == ((2, 0) if hits else (0, 0))
    assert match.jugs[7].full - match.jugs[7].hits == 6 * (1 + 3)


@pytest.mark.parametrize(("slows", "end"), [(False, (3, 0)), (True, (2, 0))])
def test_terrain_and_the_ball(slows: bool, end: Any) -> None:
    """J-BALL-8: terrain does not slow the ball, unless `terrain_slows_ball`."""
    match = scene((A, (-1, 0), 0, 3), field=FOREST, terrain_slows_ball=slows)
    move(match, 0, 3, "F")
    assert told(match, "BALL_STEP")[-1][4] == pack(end)


# Bounces (J-BALL-10 to J-BALL-12)


@pytest.mark.parametrize(
    ("face", "ends"), [(1, (-2, 0)), (2, None), (3, None), (4, (-2, 2)), (5, (0, -2)), (6, (0, 0))]
)
def test_the_bounce_table(face: int, ends: Any) -> None:
    """J-BALL-12: 180, 90 right, 90 left, 120 right, 120 left, dead stop; a bounce costs no hex (J-BALL-10)."""
    match = scene((B, (1, 0), 1, 0), (A, (4, 4), 0, 0), dice=Script(ball_bounce=[face], spine=[1]))
    match.last = match.mover = match.jugs[0]
    set_off(match, match.jugs[0], 0, 2, "hit")
    turned = {1: 6, 2: 3, 3: 9, 4: 4, 5: 8, 6: -1}[face]
    assert told(match, "BALL_BOUNCE") == [(0, 7, -1, face, turned, b.JUG)]
    assert match.ball == (ends or {2: (-1, 2), 3: (1, -2)}[face])
    if face in (2, 3):  # a spine, the anticlockwise side first
        assert told(match, "SPINE") == [(0, -1, -1, 1, 1 if face == 2 else 4, 0)]
    assert told(match, "BALL_STOP")[0][5] == (b.DEAD_STOP if face == 6 else b.RUN_OUT)


@pytest.mark.parametrize(
    ("ball", "heading", "thing", "field"),
    [
        ((15, 0), 0, b.RIM, "pitch"),
        ((1, -4), 0, b.OBSTACLE, "pillars"),
        ((0, -2), 0, b.WALL, "gates"),
        ((-14, 0), 0, b.CLOSED_ARC, "pitch"),
    ],
)
def test_objects(ball: Any, heading: int, thing: int, field: str) -> None:
    """J-BALL-10, J-BALL-16: rim, obstacle, standing wall, the closed arc of a goal; a fallen wall is none."""
    match = scene((A, (4, 4), 0, 0), ball=ball, field=field, dice=Script(ball_bounce=[6]))
    match.board.wall_hits = [5] * len(match.board.walls)
    match.mover = match.jugs[0]
    set_off(match, match.jugs[0], heading, 1, "hit")
    assert told(match, "BALL_BOUNCE") == [(0, -1, -1, 6, -1, thing)]
    if thing == b.WALL:
        match.board.wall_hits = [0] * len(match.board.walls)
        set_off(match, match.jugs[0], heading, 1, "hit")
        assert match.ball == (1, -2)


def test_the_bounce_limit() -> None:
    """J-BALL-10: the last bounce is rolled, then the ball lies."""
    match = scene((A, (-1, 0), 0, 0), (B, (1, 0), 0, 0), dice=Script(ball_bounce=[1, 1, 1]), bounce_limit=3)
    match.mover = match.jugs[0]
    set_off(match, match.jugs[0], 0, 9, "hit")
    assert [event[4] for event in told(match, "BALL_BOUNCE")] == [6, 0, 6]
    assert told(match, "BALL_STOP") == [(0, -1, -1, 0, pack((0, 0)), b.LIMIT)]


@pytest.mark.parametrize(("face", "places"), [(3, [(1, 0), (1, 1), (2, 1)]), (4, [(0, 1), (1, 1), (1, 2)])])
def test_a_spine(face: int, places: list[Any]) -> None:
    """J-BALL-11: 30 degrees right of east goes through the sides 0 and 1 in turns, which first by a die."""
    match = scene((A, (-1, 0), 0, 3, "deflector"), dice=Script(spine=[face]))
    plan = move(match, 0, 3, "F", contact="hit right")
    assert plan.offered == [["hit", "hit left", "hit right"]]
    assert told(match, "HIT") == [(0, -1, -1, 0, 1, 3)]
    assert [event[4] for event in told(match, "BALL_STEP")] == [pack(place) for place in places]


@pytest.mark.parametrize(
    ("right_angle", "coin", "side"),
    [("coin", 3, 5), ("coin", 4, 4), ("60", None, 5), ("120", None, 4)],
)
def test_six_headings(right_angle: str, coin: int | None, side: int) -> None:
    """J-BALL-11: with six headings 90 degrees to the left is 60 or 120 to the left."""
    match = scene(
        (A, (-4, 4), 0, 0), (B, (1, 0), 0, 0), dice=Script(ball_bounce=[3], spine=[coin] if coin else []),
        ball_headings=6, right_angle=right_angle,
    )  # fmt: skip
    match.mover = match.jugs[0]
    set_off(match, match.jugs[0], 0, 1, "hit")
    assert match.ball == step((0, 0), side)
    assert told(match, "BALL_BOUNCE")[0][4] == (9 if coin else 2 * side)
    assert len(told(match, "SPINE")) == (coin is not None)


@pytest.mark.parametrize(("caught_by", "facing", "held"), [("nobody", 3, False), ("jug", 3, True), ("jug", 0, False)])
def test_a_dead_stop_before_a_jug(caught_by: str, facing: int, held: bool) -> None:
    """J-BALL-12: nobody holds a ball that is caught by the table, or a jug that it hits in the front."""
    match = scene((A, (-1, 0), 0, 1), (B, (1, 0), facing, 0), dice=Script(ball_bounce=[6]), caught_by=caught_by)
    match.mover = match.jugs[0]
    set_off(match, match.jugs[0], 0, 1, "hit")
    assert (match.holder is match.jugs[7]) == held
    assert len(told(match, "BALL_STOP")) == (not held)


# Pushes (J-BALL-13)


def test_a_push_begins_from_a_stand() -> None:
    """J-BALL-13: still at the end of last turn, a turn first, then the ball's hex first: held, and pushed ahead."""
    match = scene((A, (0, -1), 0, 0, *FAST, "steering"))
    move(match, 0, 2, "R" + "F")
    assert names(match)[1:4] == ["TURN_TO", "HOLD_BALL", "BALL_AHEAD"]
    assert (match.ball, match.holder) == ((0, 2), match.jugs[0])
    moving = scene((A, (-1, 0), 0, 1))
    move(moving, 0, 1)
    assert moving.holder is None and told(moving, "HIT")
    late = scene((A, (-2, 0), 0, 0, *FAST))
    move(late, 0, 2)  # its first hex is not the ball's
    assert late.holder is None and told(late, "HIT")


def test_a_push_by_choice() -> None:
    """J-BALL-13: with `push = "choice"` a hit is offered first."""
    match = scene((A, (-1, 0), 0, 0, "catcher"), push="choice")
    plan = move(match, 0, 1, contact="push")
    assert plan.offered == [["hit", "take", "push"]]
    assert match.holder is match.jugs[0]


def test_a_push_into_something() -> None:
    """J-BALL-13: the hold ends, the ball bounces with the hexes of the move that are left, this one included."""
    match = scene((A, (-2, 0), 0, 3, *FAST), (B, (2, 0), 1, 0), ball=(-1, 0), dice=Script(ball_bounce=[4], ram=[1]))
    holds(match)
    move(match, 0, 4)
    assert told(match, "BALL_BOUNCE") == [(0, 7, -1, 4, 4, b.JUG)]
    assert [event[5] for event in told(match, "BALL_STEP")] == [1, 0]  # two of four hexes are left
    assert match.holder is None and match.ball == (-1, 2)
    assert told(match, "RAM") and not told(match, "PART")


def test_a_swing() -> None:
    """J-BALL-13: a turn swings the ball round; onto an object it stays where it was, free."""
    match = holds(scene((A, (-1, 0), 0, 0)))
    move(match, 0, 0, "L")
    assert (match.ball, match.holder) == ((0, -1), match.jugs[0])
    match = holds(scene((A, (-1, 0), 0, 0), (B, (-1, 1), 1, 0)))
    move(match, 0, 0, "R")
    assert told(match, "PART") == [(0, -1, -1, 0, pack((0, 0)), 0)]
    assert (match.ball, match.holder) == ((0, 0), None)


def test_the_hold_lasts_while_the_velocity_does_not_fall() -> None:
    """J-BALL-13: the velocity chosen lower lets the ball roll before the first hex, the same or higher does not."""
    match = holds(scene((A, (-1, 0), 0, 2)))
    move(match, 0, 2)
    assert match.holder is match.jugs[0]
    match.events.clear()
    match.dice = Script(roll=[4])  # type: ignore[assignment]
    move(match, 0, 1)
    assert names(match)[:2] == ["MOVE", "ROLL"]
    assert told(match, "ROLL") == [(0, -1, -1, 4, 0, 4)]
    assert (match.ball, match.holder, match.jugs[0].place) == ((6, 0), None, (2, 0))


@pytest.mark.parametrize(("when", "rolls"), [("any", True), ("chosen", False)])
def test_terrain_makes_the_ball_roll(when: str, rolls: bool) -> None:
    """J-BALL-13: a holder slowed by forest lets the ball roll once it has entered; not with `roll_when = "chosen"`."""
    match = holds(scene((A, (0, 0), 0, 2), ball=(1, 0), field=FOREST, dice=Script(roll=[2]), roll_when=when))
    move(match, 0, 2)
    assert (names(match)[1:4] == ["BALL_AHEAD", "ENTER", "ROLL"]) == rolls
    assert (match.holder is None) == rolls


def test_a_rammed_holder() -> None:
    """J-BALL-13: velocity taken by a ram: the ball rolls after the contact; at velocity 0 it is just lost."""
    for velocity in (0, 2):
        match = scene((A, (-1, 1), 5, 5, *FAST), (B, (0, 0), 0, velocity), ball=(1, 0), dice=Script(ram=[1], roll=[1]))
        holds(match, 7)
        move(match, 0, 5)
        assert match.holder is None
        if velocity:
            assert told(match, "ROLL") == [(7, -1, -1, 1, 0, 1)]
            assert names(match)[-1] == "BALL_STOP" and match.ball == (2, 0)
        else:
            assert told(match, "PART") == [(7, -1, -1, 0, pack((1, 0)), 0)]


def test_a_holder_that_is_grabbed_or_destroyed() -> None:
    """J-BALL-13: a hold takes its velocity, so that the ball rolls, with its own dice at the start of a segment."""
    match = scene((A, (0, -1), 0, 0, "claw_arm"), (B, (0, 0), 0, 3), ball=(1, 0), dice=Script(
        to_hit=[1], damage=[2], roll=[3]
    ))  # fmt: skip
    holds(match, 7)
    match.moving_side = A
    moment(match, at_start=True)
    assert match.attached(match.jugs[0]) == [match.jugs[7]]
    assert (match.ball, match.holder, told(match, "ROLL")[0][0]) == ((4, 0), None, 7)
    match = holds(scene((A, (-1, 0), 0, 2)))
    effects = Effects()
    effects.hurt(match.jugs[0], B, 60)
    settle(match, effects)
    look(match)
    assert told(match, "PART") == [(0, -1, -1, 0, pack((0, 0)), 0)]


def test_a_catcher_brakes_with_the_ball_if_the_rules_say_so() -> None:
    """J-BALL-13: a catcher has no exemption, unless `catcher_brakes_with_ball`."""
    for brakes in (False, True):
        match = scene((A, (-1, 0), 0, 2, "catcher"), dice=Script(roll=[1]), catcher_brakes_with_ball=brakes)
        move(holds(match), 0, 1)
        assert (match.holder is not None) == brakes


@pytest.mark.parametrize("steal", [False, True])
def test_a_held_ball_is_hit_by_others(steal: bool) -> None:
    """J-BALL-13: like a free one, also from a stand, and it cannot be taken, unless `steal`."""
    match = scene((A, (-1, 0), 0, 1, "catcher"), (B, (1, -1), 2, 0), steal=steal)
    holds(match, 7)
    plan = move(match, 0, 1)
    assert plan.offered == ([["hit", "take"]] if steal else [])
    assert told(match, "HIT") and match.ball == (1, 0) and match.holder is None and not told(match, "PART")
    match = scene((A, (-1, 0), 0, 0), (B, (1, -1), 2, 0), steal=steal)
    move(holds(match, 7), 0, 1)
    assert (match.holder is match.jugs[0]) == steal
