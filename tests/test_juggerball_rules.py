"""Rules of the ball shown one by one, in situations set by hand (J-BALL-1 to 24)."""

import pytest

from simkit.games.juggerball.happenings import Hold, Means, Thing
from tests.juggerball_scenes import BEGIN, END, FORWARD, HOLD, KICK, SEGMENT, TURN, VELOCITY, Scene, ahead


def runs(scene: Scene) -> list[tuple[int, int]]:
    """Return value and extra of the steps of the ball."""
    return [(row.value, row.extra) for row in scene.of("BALL_STEP")]


def test_a_hit_runs_as_far_as_the_recorded_velocity() -> None:
    """J-BALL-2, J-BALL-8, J-BALL-9: not as far as hexes are left, and it uses up nothing of the move."""
    scene = Scene({"a1": (-2, 0, 0, 4)}, ball=(0, 0)).do("a1", FORWARD).do("a1", FORWARD)
    (hit,) = scene.of("HIT")
    assert (hit.value, hit.extra) == (0, 4) and scene.ball == (4, 0)
    assert scene.at("a1") == (0, 0) and scene.jug("a1").moved == 2 and scene.jug("a1").velocity == 4
    assert scene.of("BALL_STOP")[-1].extra == 0


@pytest.mark.parametrize("way", ["stop", "collision"])
def test_a_ball_that_stays_stops_the_jug(way: str) -> None:
    """J-BALL-9, J-BALL-12: a dead stop before an object leaves the ball where it is."""
    scene = Scene({"a1": (-1, 0, 0, 3), "b1": (1, 0, 0, 0)}, dice={"bounce": 6, "collision": 2}, ball_blocks=way)
    scene.do("a1", FORWARD)
    assert scene.ball == (0, 0) and scene.at("a1") == (-1, 0) and scene.jug("a1").velocity == 0
    assert scene.of("BALL_BOUNCE")[0].value == -1 and scene.of("BALL_STOP")[0].extra == 1
    assert scene.jug("a1").hits == 120 - (0 if way == "stop" else (2 + 3) * 3)
    assert ("COLLIDE" in scene.kinds()) is (way == "collision") and ("STOP" in scene.kinds()) is (way == "stop")


@pytest.mark.parametrize(("die", "heading"), [(1, 6), (2, 3), (3, 9), (4, 4), (5, 8)])
def test_the_bounce_table(die: int, heading: int) -> None:
    """J-BALL-10, J-BALL-12: relative to the heading; a bounce costs no hex."""
    scene = Scene({"a1": (-1, 0, 0, 3), "b1": (2, 0, 0, 0)}, dice={"bounce": f"{die}"})
    scene.do("a1", FORWARD)
    first = scene.of("BALL_BOUNCE")[0]
    assert (first.value, first.extra, first.foe) == (heading, Thing.JUG, scene.slot("b1"))
    assert runs(scene)[0][1] == 2 and runs(scene)[1][1] == 1


def test_every_kind_of_object() -> None:
    """J-BALL-10, J-BALL-16: jug, obstacle, wall, rim and a goal's closed arc."""
    for field, jug, ball, thing in (
        ("pillars", (3, 2, 3, 2), (2 + 0, 2), Thing.OBSTACLE),
        ("gates", (3, -2, 3, 2), (2, -2), Thing.WALL),
        ("pitch", (14, 0, 0, 2), (15, 0), Thing.RIM),
        ("pitch", (-15, 0, 0, 2), (-14, 0), Thing.CLOSED),
    ):
        if thing == Thing.OBSTACLE:
            jug, ball = (4, 2, 3, 2), (3, 2)
        scene = Scene({"a1": jug}, ball=ball, dice={"bounce": 6}, field=field)
        scene.do("a1", FORWARD)
        assert scene.of("BALL_BOUNCE")[0].extra == thing, thing


def test_bounces_end_at_their_limit() -> None:
    """J-BALL-10: the ball stops dead, and no spine is rolled any more."""
    scene = Scene({"a1": (-1, 0, 0, 2), "b1": (1, 0, 3, 0)}, dice={"bounce": 1}, bounce_limit=5)
    scene.do("a1", FORWARD)
    assert len(scene.of("BALL_BOUNCE")) == 5 and scene.of("BALL_STOP")[0].extra == 2


@pytest.mark.parametrize(("die", "sides"), [(3, [5, 0, 5]), (4, [0, 5, 0])])
def test_a_deflector_hits_along_a_spine(die: int, sides: list[int]) -> None:
    """J-BALL-4, J-BALL-11, J-BALL-14: steps alternate, the first by a die."""
    scene = Scene({"a1": (-1, 0, 0, 3)}, items={"a1": ["deflector"]}, dice={"spine": die}, policy="random")
    trial = 0
    while not scene.of("HIT") or scene.of("HIT")[0].value != 11:
        trial += 1
        scene = Scene({"a1": (-1, 0, 0, 3)}, items={"a1": ["deflector"]}, dice={"spine": die}, policy="random")
        scene.state.battle.stream += trial
        scene.do("a1", FORWARD)
    place = (0, 0)
    for side in sides:
        place = ahead(place, side)
    assert scene.of("SPINE")[0].value == sides[0] and scene.ball == place


def test_legs_kick_once_a_turn_and_farther() -> None:
    """J-BALL-4, J-BALL-14: v + D6 hexes; the next contact of the turn is a hit."""
    scene = Scene({"a1": (-1, 0, 0, 3)}, items={"a1": ["legs"]}, dice={"kick": 4})
    scene.do("a1", FORWARD)
    (kick,) = scene.of("KICK")
    assert kick.extra == 7 and kick.roll == 4 and scene.state.kicked[scene.slot("a1")] == 1
    again = Scene({"a1": (-1, 0, 0, 3)}, items={"a1": ["legs"]}, legs_kick=False).do("a1", FORWARD)
    assert again.of("KICK") == [] and len(again.of("HIT")) == 1


def test_a_jug_at_rest_pushes_the_ball_and_turns_with_it() -> None:
    """J-BALL-3, J-BALL-13: forward one hex ahead, a turn one hex round."""
    scene = Scene({"a1": (-1, 0, 0, 0)}).do("a1", VELOCITY, 3)
    scene.do("a1", FORWARD)
    assert scene.holder == "a1" and scene.of("HOLD_BALL")[0].extra == Hold.PUSH
    assert scene.ball == (1, 0) and scene.at("a1") == (0, 0)
    scene.do("a1", TURN, 1)
    assert scene.ball == (0, 1) and scene.of("SWING")
    scene.do("a1", FORWARD)
    assert scene.ball == (0, 2) and scene.at("a1") == (0, 1) and scene.of("HIT") == []


def test_who_was_moving_does_not_push() -> None:
    """J-BALL-13: only a jug whose velocity was 0 at the end of last turn, and with its first hex."""
    moving = Scene({"a1": (-1, 0, 0, 1)}).do("a1", VELOCITY, 2).do("a1", FORWARD)
    late = Scene({"a1": (-2, 0, 0, 0)}).do("a1", VELOCITY, 2).do("a1", FORWARD).do("a1", FORWARD)
    assert [scene.holder for scene in (moving, late)] == ["", ""]
    assert moving.of("HIT") and late.of("HIT")


def test_a_ball_rolls_from_a_pusher_that_slows_down() -> None:
    """J-BALL-3, J-BALL-13: 1D6 on its facing, once the event is over; with the same velocity it is held on."""
    scene = Scene({"a1": (-1, 0, 0, 3)}, dice={"roll": 5}).do("a1", HOLD, Hold.TAKE)
    scene.do("a1", VELOCITY, 3)
    assert scene.holder == "a1"
    scene.do("a1", VELOCITY, 2)
    (roll,) = scene.of("ROLL")
    assert (roll.roll, roll.extra, roll.value) == (5, 5, 0) and scene.ball == (5, 0) and scene.holder == ""


def test_a_catcher_may_brake_with_the_ball() -> None:
    """J-BALL-13: under ``catcher_brakes_with_ball``; and other losses of velocity under ``roll_when``."""
    scene = Scene({"a1": (-1, 0, 0, 3)}, items={"a1": ["ball catcher"]}, catcher_brakes_with_ball=True)
    assert scene.do("a1", HOLD, Hold.TAKE).do("a1", VELOCITY, 2).holder == "a1"
    plain = Scene({"a1": (-1, 0, 0, 3)}, catcher_brakes_with_ball=True)
    assert plain.do("a1", HOLD, Hold.TAKE).do("a1", VELOCITY, 2).holder == ""


def test_a_push_against_an_object_bounces_with_the_hexes_left() -> None:
    """J-BALL-13: this hex included; the jug goes on into the hex that the ball has left."""
    scene = Scene({"a1": (-1, 0, 0, 0), "a2": (1, 0, 0, 0)}, dice={"bounce": 4}).do("a1", VELOCITY, 2)
    scene.do("a1", FORWARD)
    assert scene.of("BALL_BOUNCE")[0].roll == 4 and runs(scene)[0][1] == 1
    assert scene.holder == "" and scene.at("a1") == (0, 0)


def test_a_swing_against_an_object_loses_the_ball() -> None:
    """J-BALL-13: it stays where it was, free."""
    scene = Scene({"a1": (-1, 0, 0, 0), "a2": (-1, 1, 0, 0)}).do("a1", HOLD, Hold.PUSH)
    scene.do("a1", TURN, 1)
    assert scene.of("PART") and scene.ball == (0, 0) and scene.holder == ""


@pytest.mark.parametrize(("die", "side"), [(1, 4), (2, 5), (3, 1), (4, 2)])
def test_head_on_the_ball_leaves_by_a_side_of_the_pusher(die: int, side: int) -> None:
    """J-BALL-6, J-BALL-15: as far as the velocity of who moves; then he enters the hex, and rams if he goes on."""
    scene = Scene({"a1": (-1, 0, 0, 3), "b1": (1, 0, 3, 2)}, dice={"head_on": die})
    scene.do("b1", HOLD, Hold.TAKE).do("a1", FORWARD)
    (row,) = scene.of("HEAD_ON")
    assert (row.value, row.extra) == (side, 3) and scene.ball == ahead((0, 0), side, 3)
    assert scene.at("a1") == (0, 0) and scene.holder == ""
    assert (
        Scene({"a1": (-1, 0, 0, 3), "b1": (1, 0, 3, 2)}, dice={"head_on": die}, head_on_distance="sum")
        .do("b1", HOLD, Hold.TAKE)
        .do("a1", FORWARD)
        .of("HEAD_ON")[0]
        .extra
        == 5
    )


def test_a_goal_counts_for_who_attacks_it() -> None:
    """J-BALL-5, J-BALL-16, J-BALL-21, J-BALL-24: own goals count, the last one ends the match."""
    scene = Scene({"a1": (-11, 0, 3, 2), "b1": (5, 5, 0, 0)}, ball=(-12, 0)).do("a1", FORWARD)
    (goal,) = scene.of("GOAL")
    assert (goal.foe, goal.value, goal.extra) == (1, Means.HIT, 1) and scene.ball is None
    assert scene.state.goals.tolist() == [0, 1] and not scene.state.battle.over
    scene = Scene({"a1": (11, 0, 0, 2), "b1": (5, 5, 0, 0)}, ball=(12, 0), goals_to_win=1).do("a1", FORWARD)
    assert scene.state.battle.over and scene.state.battle.winner == 0


def test_after_a_goal_all_line_up_and_a_jug_is_replaced() -> None:
    """J-BALL-1, J-BALL-21, J-BALL-23, J-DEP-1: the lowest destroyed jug first; hits stay."""
    scene = Scene({"a1": (11, 0, 0, 2), "a3": (0, 3, 2, 1), "b1": (5, 5, 0, 0)}, ball=(12, 0))
    scene.jug("a3").hits = 50
    scene.do("a1", FORWARD).do("a1", END)
    assert [row.jug for row in scene.of("REPLACE")] == [scene.slot("a2"), scene.slot("b2")]
    assert scene.ball == (0, 0) and scene.at("a1") == (-5, 0) and scene.at("b2") == (3, 4)
    assert scene.jug("a3").hits == 50 and scene.jug("a3").velocity == 0 and scene.jug("a2").hits == 120
    assert [scene.kinds()[-1], scene.of("BALL")[-1].extra] == ["BALL", 1]


def test_the_most_damaged_jug_is_replaced_where_none_is_out() -> None:
    """J-BALL-21: ties by lost pieces, then by number; nobody under ``none``, one side under ``conceder``."""
    everybody = {f"{side}{k}": (k, 2 if side == "a" else -2, 0, 0) for side in "ab" for k in range(2, 8)}
    for replace, names in (("both", ["a4", "b5"]), ("conceder", ["b5"]), ("none", [])):
        scene = Scene({"a1": (11, 0, 0, 2), "b1": (-8, 5, 0, 0), **everybody}, ball=(12, 0), replace=replace)
        scene.jug("a4").hits -= 10
        scene.jug("a5").hits -= 5
        scene.jug("b5").hits -= 1
        scene.do("a1", FORWARD).do("a1", END)
        assert [row.jug for row in scene.of("REPLACE")] == [scene.slot(name) for name in names]


def test_catching() -> None:
    """J-BALL-17: legs or a catcher, in anybody's move, what an enemy touched; never who set the ball going."""
    for item in ("legs", "ball catcher"):
        scene = Scene({"a1": (-1, 0, 0, 5), "b1": (4, 0, 3, 3)}, items={"b1": [item]}).do("a1", FORWARD)
        assert scene.holder == "b1" and scene.ball == (3, 0) and scene.of("HOLD_BALL")[0].extra == Hold.CATCH
    friend = Scene({"a1": (-1, 0, 0, 2), "a2": (3, 0, 3, 0)}, items={"a2": ["legs"]}).do("a1", FORWARD)
    assert friend.holder == ""
    late = Scene({"a1": (-1, 0, 0, 3), "b1": (4, 0, 3, 3)}, items={"b1": ["legs"]}, catch="hits").do("a1", FORWARD)
    assert late.holder == "" and late.ball == (3, 0)
    hits = Scene({"a1": (-1, 0, 0, 5), "b1": (4, 0, 3, 3)}, items={"b1": ["legs"]}, catch="hits").do("a1", FORWARD)
    assert hits.holder == "b1"


def test_the_enemy_of_who_touched_it_last_catches_first() -> None:
    """J-BALL-17: then the lower number."""
    jugs = {"a1": (-1, 0, 0, 3), "a2": (3, -1, 1, 0), "b1": (4, 0, 3, 0)}
    scene = Scene({**jugs, "b2": (2, 1, 5, 0)}, items={name: ["legs"] for name in ("a2", "b1", "b2")})
    assert scene.do("a1", FORWARD).holder == "b1"


def test_a_lying_ball_is_taken_up() -> None:
    """J-BALL-17: instead of a hit, where that is worth as much; here it cannot bring more, so a chooser is asked."""
    found = set()
    for trial in range(40):
        scene = Scene({"a1": (-1, 0, 0, 1)}, items={"a1": ["ball catcher"]}, policy="random")
        scene.state.battle.stream += trial
        found.add(scene.do("a1", FORWARD).holder)
    assert found == {"", "a1"}


def test_the_ball_keeps_forced_jugs_out() -> None:
    """J-BALL-8, J-RAM-11: what is pushed stops before it, or hits it by the hexes left."""
    jugs = {"a1": (-3, 0, 0, 6), "b1": (-2, 0, 1, 0)}
    stops = Scene(jugs, ball=(0, 0), dice={"ram": 1}).do("a1", FORWARD)
    assert stops.of("PUSH")[0].value == 1 and stops.ball == (0, 0) and stops.at("b1") == (-1, 0)
    hits = Scene(jugs, ball=(0, 0), dice={"ram": 1}, forced_hits_ball=True).do("a1", FORWARD)
    assert hits.of("HIT")[0].jug == hits.slot("b1") and hits.of("HIT")[0].extra == 2 and hits.ball == (2, 0)
    assert hits.of("PUSH")[0].value == 3 and hits.at("b1") == (1, 0)


def test_a_stuck_ball_comes_back() -> None:
    """J-BALL-18: after so many whole turns in one hex."""
    scene = Scene({"a1": (-5, 0, 0, 0), "b1": (5, 0, 3, 0)}, ball=(6, 3), stuck_turns=2, policy="hold")
    scene.do("a1", END).do("a1", BEGIN)
    assert scene.ball == (6, 3)
    scene.do("a1", END)
    assert scene.ball == (0, 0) and scene.of("BALL")[-1].extra == 2


def test_nobody_chooses_to_stop_near_his_goal() -> None:
    """J-BALL-5, J-BALL-19: velocity 0 is no choice there; who was stopped goes back under ``removed``."""
    for side, q, own in (("a", -11, True), ("b", -11, False)):
        found = set()
        for trial in range(30):
            scene = Scene({f"{side}1": (q, 0, 0, 0), "a7": (3, 3, 0, 0), "b7": (6, 3, 0, 0)}, policy="random")
            scene.state.battle.stream += trial
            scene.do(f"{side}1", SEGMENT, "ab".index(side))
            found |= {row.value for row in scene.of("MOVE") if row.jug == scene.slot(f"{side}1")}
        assert (0 in found) is not own
    scene = Scene({"a1": (-11, 0, 0, 0), "b1": (5, 0, 3, 0)}, policy="hold", forced_stop="removed").do("a1", END)
    assert scene.at("a1") == (-5, 0) and scene.of("REMOVED") and scene.state.tally[0, 13] == 1


def test_no_move_ends_near_the_own_goal() -> None:
    """J-BALL-19: under ``end_of_move``, where any legal move ends outside."""
    for trial in range(40):
        scene = Scene({"a1": (-10, 0, 1, 1), "b1": (5, 0, 3, 0)}, ball=(5, 5), policy="random", no_stop="end_of_move")
        scene.state.battle.stream += trial
        scene.do("a1", SEGMENT, 0)
        q, r = scene.at("a1")
        assert max(abs(q + 13), abs(r), abs(q + 13 + r)) > 3


def test_the_nearest_jug_moves_first() -> None:
    """J-BALL-23: measured anew before each, ties by number; or in order of their numbers."""
    jugs = {"a1": (-6, 0, 0, 0), "a2": (-2, 0, 0, 0), "a3": (-4, 0, 0, 0), "b1": (9, 0, 3, 0)}
    for order, names in (("ball", ["a2", "a3", "a1"]), ("number", ["a1", "a2", "a3"])):
        scene = Scene(jugs, policy="hold", jug_order=order).do("a1", SEGMENT, 0)
        assert [row.jug for row in scene.of("MOVE")] == [scene.slot(name) for name in names]


def test_a_kick_from_the_own_hold() -> None:
    """J-BALL-14: the hold ends; the jug cannot catch what it kicked."""
    scene = Scene({"a1": (-1, 0, 0, 2)}, items={"a1": ["legs"]}, dice={"kick": 3}).do("a1", HOLD, Hold.TAKE)
    scene.do("a1", KICK, 0)
    assert scene.ball == (5, 0) and scene.holder == ""
