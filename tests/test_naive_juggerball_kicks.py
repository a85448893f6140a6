"""Scenes for kicks, head-ons, goals, catches, stuck balls and stops near the goal, by the plain twin."""

from typing import Any

import pytest

from tests.naive.jugger.board import pack
from tests.naive.jugger.design import Grip
from tests.naive.jugger.endphase import end_phase
from tests.naive.juggerball import tables as b
from tests.naive.juggerball.physics import set_off
from tests.naive.juggerball.scenes import A, B, Plan, Script, holds, move, names, scene, told
from tests.naive.juggerball.zones import legal_actions, legal_velocities

FAST = ("gears", "gears", "gears")


# Kicks and deflectors (J-BALL-14)


def test_a_kick() -> None:
    """J-BALL-14: v + D6 hexes, straight or 30 degrees aside, instead of the plain hit, once a turn."""
    match = scene((A, (-1, 0), 0, 2, "legs"), (B, (4, 0), 0, 0), dice=Script(kick=[2], ball_bounce=[1, 6]))
    plan = move(match, 0, 2, contact="kick")
    assert plan.offered[0] == ["hit", "kick", "kick left", "kick right", "take"]
    assert told(match, "KICK") == [(0, -1, -1, 2, 0, 4)]
    assert plan.offered[1:] in ([], [["hit", "take"]])


def test_a_kick_out_of_ones_hold() -> None:
    """J-BALL-14: an action of its own, without a moment, at velocity 1 or more, once a turn."""
    match = holds(scene((A, (-1, 0), 0, 1, "legs"), dice=Script(kick=[1], spine=[1])))
    move(match, 0, 1, "Fl")
    assert told(match, "KICK") == [(0, -1, -1, 1, 11, 2)]
    assert match.ball == (3, -1) and match.holder is None
    assert match.actions(match.jugs[0], ["stop"]) == ["stop"]
    for standing in (False, True):
        match = holds(scene((A, (-1, 0), 0, 0, "legs"), standing_kick=standing))
        assert ("kick" in match.actions(match.jugs[0], ["stop"])) == standing


@pytest.mark.parametrize(("deflect", "heading"), [(-1, 5), (1, 7)])
def test_a_deflector_in_the_way(deflect: int, heading: int) -> None:
    """J-BALL-14: with `deflector = "both"` a ball that hits its front leaves 30 degrees off its facing."""
    match = scene((A, (4, 4), 0, 0), (B, (1, 0), 3, 0, "deflector"), dice=Script(spine=[1]), deflector="both")
    match.mover = match.jugs[0]
    match.policies[B] = Plan(match, 0, deflect=deflect)
    set_off(match, match.jugs[0], 0, 1, "hit")
    assert told(match, "BALL_BOUNCE") == [(0, 7, -1, 0, heading, b.JUG)]


# Head-on (J-BALL-15)


@pytest.mark.parametrize("who", ["holder", "other"])
@pytest.mark.parametrize("distance", ["mover", "sum"])
def test_head_on(who: str, distance: str) -> None:
    """J-BALL-15: out of a side arc of the pusher for the mover's velocity, 5 and 6 again; then the mover enters."""
    match = scene((A, (-1, 0), 0, 1), (B, (1, 0), 3, 2), dice=Script(head_on=[6, 2]), head_on_distance=distance)
    holds(match, 0 if who == "holder" else 7)
    move(match, 0, 1)
    side = 2 if who == "holder" else 5  # arc 2 of the facing 0, or of the facing 3
    hexes = 1 if distance == "mover" else 3
    assert told(match, "HEAD_ON") == [(0, 7, -1, 6, -1, hexes), (0, 7, -1, 2, side, hexes)]
    assert match.jugs[0].place == (0, 0) and match.holder is None
    assert len(told(match, "BALL_STEP")) == hexes
    assert match.last is match.jugs[0]


def test_head_on_then_a_ram() -> None:
    """J-BALL-15, J-RAM-4: it enters the ball's hex and, going on, rams."""
    match = scene((A, (-1, 0), 0, 3, *FAST), (B, (1, 0), 3, 0), dice=Script(head_on=[1], ram=[1], ram_back=[1]))
    move(holds(match), 0, 3)
    assert match.ball == (0, 3)
    assert told(match, "RAM")[0][:2] == (0, 7)


# Goals (J-BALL-16)


@pytest.mark.parametrize(("shooter", "scores", "own"), [(A, A, 0), (B, A, 1)])
def test_a_goal_counts_for_the_side_that_attacks(shooter: int, scores: int, own: int) -> None:
    """J-BALL-16: whoever touched it last; with hexes left, too."""
    match = scene((shooter, (10, 0), 0, 5, *FAST), ball=(11, 0))
    move(match, 7 * shooter, 5)
    assert told(match, "GOAL") == [(7 * shooter, scores, -1, 0, 0, own)]
    assert match.goals == [1, 0] and match.ball is None
    assert names(match)[-1] == "GOAL"  # the move is over, and no moment follows
    assert match.outcome()["own_goals_b"] == own


def test_goals_by_push_and_swing() -> None:
    """J-BALL-16, J-BALL-13: a step or swing into a goal is judged by the side it goes through."""
    match = holds(scene((A, (11, 0), 0, 1), ball=(12, 0)))
    move(match, 0, 1)
    assert told(match, "GOAL")[0][4] == b.CAUSES.index("push")
    match = holds(scene((A, (12, 1), 4, 0), ball=(12, 0)))
    move(match, 0, 0, "R")  # from the west hex through side 0 into the goal
    assert names(match)[-2:] == ["SWING", "GOAL"]
    match = holds(scene((A, (13, 1), 5, 0), ball=(14, 0)))
    move(match, 0, 0, "L")  # from the east through side 3, which is closed
    assert names(match)[-1] == "PART" and match.goals == [0, 0]


def test_a_goal_after_a_bounce() -> None:
    """J-BALL-26: a goal by a bounce, whatever set the ball moving."""
    match = scene((A, (11, 0), 0, 3), (B, (11, 1), 0, 0), ball=(12, 0), dice=Script(ball_bounce=[5]))
    match.mover = match.jugs[0]
    set_off(match, match.jugs[0], 4, 3, "hit")
    assert match.goals_by[A] == {"bounce": 1}
    assert told(match, "GOAL")[0][4] == b.CAUSES.index("bounce")


@pytest.mark.parametrize("solid", ["obstacle", "open"])
def test_a_goal_and_jugs(solid: str) -> None:
    """J-BALL-16: a jug collides with a goal as with an obstacle, from every side; if open, it stands in the way."""
    match = scene((A, (12, 0), 0, 1), ball=None, dice=Script(collision=[2], ball_bounce=[6]), goal_hex=solid)
    move(match, 0, 1)
    assert (match.jugs[0].place == (13, 0)) == (solid == "open")
    assert told(match, "COLLIDE") == ([(0, -1, -1, 2, 5, -1)] if solid == "obstacle" else [])
    if solid == "open":
        match.ball, match.mover = (12, 0), match.jugs[0]
        set_off(match, match.jugs[0], 0, 1, "hit")
        assert match.goals == [0, 0] and told(match, "BALL_BOUNCE")[0][5] == b.JUG


# Catches (J-BALL-17)


def test_who_catches() -> None:
    """J-BALL-17: the enemy of the last toucher first, then the lower number; never who set it moving; by choice."""
    friend, enemy = (A, (3, -1), 2, 0, "catcher"), (B, (3, 0), 3, 0, "legs")
    match = scene((A, (-1, 0), 0, 2, "catcher"), friend, enemy)
    move(match, 0, 2, catch=True)
    assert told(match, "HOLD_BALL") == [(7, -1, -1, 0, pack((2, 0)), b.BY_CATCH)]
    assert not told(match, "BALL_STOP") and match.holder is match.jugs[7]
    match = scene((A, (-1, 0), 0, 2, "catcher"), friend, enemy)
    match.policies[B] = Plan(match, 0, catch=False)
    move(match, 0, 2, "F", catch=True)
    assert match.holder is match.jugs[1]
    match = scene((A, (-1, 0), 0, 2, "catcher"), friend, enemy)
    match.jugs[7].pieces[0].alive = False  # lost legs catch nothing
    move(match, 0, 2, "F")  # and hold catches what an enemy touched
    assert match.holder is None


def test_catch_when_it_would_hit() -> None:
    """J-BALL-17: with `catch = "hits"` only what would hit the front arc next."""
    for heading, caught in ((0, True), (2, False)):
        match = scene((A, (4, 4), 0, 0), (B, (3, 0), 3, 0, "catcher"), catch="hits")
        match.mover = match.jugs[0]
        match.ball = (0, 0) if caught else (2, -2)
        set_off(match, match.jugs[0], heading, 3, "hit")
        assert (match.holder is match.jugs[7]) == caught
        assert match.bounces == 0


def test_to_take_a_lying_ball() -> None:
    """J-BALL-17: taken up instead of hit, and pushed on."""
    match = scene((A, (-1, 0), 0, 2, "catcher"))
    plan = move(match, 0, 2, contact="take")
    assert plan.offered == [["hit", "take"]]
    assert told(match, "HOLD_BALL") == [(0, -1, -1, 0, pack((0, 0)), b.BY_TAKE)]
    assert (match.ball, match.holder) == ((2, 0), match.jugs[0])


# Stuck balls, stops near the goal (J-BALL-18, J-BALL-19)


def test_a_stuck_ball() -> None:
    """J-BALL-18: after ten whole turns it goes to the start hex, as soon as that is free."""
    match = scene((A, (0, 0), 0, 0), ball=(3, 3))
    for turn in range(12):
        match.disturbed = turn == 0
        match.free_stuck_ball()
        assert match.ball == (3, 3)
    match.jugs[0].place = (5, 0)
    match.free_stuck_ball()
    assert told(match, "BALL") == [(-1, -1, -1, 0, pack((0, 0)), b.WHEN_STUCK)]
    assert match.ball == (0, 0)


@pytest.mark.parametrize(("forced", "place"), [("allowed", (-12, 0)), ("removed", (-5, 0))])
def test_no_stopping_near_ones_own_goal(forced: str, place: Any) -> None:
    """J-BALL-19: velocity 0 may not be chosen within three hexes; a forced stop stands, or sends the jug to its X."""
    match = scene((A, (-12, 0), 3, 1), (B, (-12, 2), 3, 1), forced_stop=forced, ball=(3, 0))
    assert legal_velocities(match, match.jugs[0], 0, 2) == [1, 2]
    assert legal_velocities(match, match.jugs[7], 0, 2) == [0, 1, 2]  # the enemy may
    match.jugs[0].velocity = 0
    match.remove_stopped()
    assert match.jugs[0].place == place
    assert match.forced_stops == [1, 0]


def test_a_move_that_may_not_end_near_the_goal() -> None:
    """J-BALL-19: with `end_of_move` only moves that end outside, if there are any."""
    match = scene((A, (-11, 0), 0, 1, "steering"), no_stop="end_of_move", ball=(3, 0))
    jug = match.jugs[0]
    assert legal_velocities(match, jug, 0, 2) == [2]
    jug.velocity, jug.moved, jug.turned = 2, 0, 0
    assert legal_actions(match, jug, ["F", "L", "R"]) == ["F", "L", "R"]
    jug.place, jug.moved = (-10, 0), 1
    assert legal_actions(match, jug, ["F", "L", "R"]) == ["F", "L", "R"]
    jug.place, jug.facing, jug.moved = (-10, 0), 3, 1
    assert legal_actions(match, jug, ["F", "L", "R"]) == ["L", "R"]
    jug.place = (-12, 0)
    assert legal_actions(match, jug, ["F", "L", "R"]) == ["F", "L", "R"]  # none leads out
    match = scene((A, (-12, 0), 0, 0), no_stop="end_of_move")
    assert legal_velocities(match, match.jugs[0], 0, 1) == [0, 1]


def test_battle_rules_hold() -> None:
    """J-BALL-20: holds of claw arms squeeze as ever in the end phase."""
    match = scene((A, (0, -1), 0, 0, "claw_arm"), (B, (0, 0), 0, 0), ball=(4, 0), dice=Script(hold=[4]))
    match.jugs[0].holds[0] = Grip(match.jugs[7], 0)
    end_phase(match)
    assert match.jugs[7].full - match.jugs[7].hits == 4
