"""Whole matches by the plain twin: set-up, order, goals, replacement, ends; following a trace; names."""

from collections import Counter
from typing import Any

import pytest

from tests.naive.jugger import IllegalDecisionError, TraceDivergedError
from tests.naive.jugger import tables as t
from tests.naive.jugger.board import distance, pack, step
from tests.naive.juggerball import FIELDS, RULINGS, Match, play
from tests.naive.juggerball import tables as b
from tests.naive.juggerball.matches import CHOICES, OF_BATTLE, random_match
from tests.naive.juggerball.restart import restart
from tests.naive.juggerball.scenes import KEY, A, B, Script, move, names, scene, told
from tests.naive.juggerball.teams import design_of

PITCH = FIELDS["pitch"]
PLAIN = [[design_of(["armor"] * 3)] * 7] * 2


def started(**more: Any) -> Match:
    """Return a match of plain jugs before its set-up."""
    changes = {"swap": False, "policies": ("hold", "hold"), "mirror": False, **more}
    mirror = changes.pop("mirror")
    swap, policies = changes.pop("swap"), changes.pop("policies")
    teams = changes.pop("named", PLAIN) or [[None] * 7] * 2
    return Match(teams, b.rules_of(**changes), PITCH, policies, 200, KEY, 0, swap, None, mirror=mirror)


# Set-up


def test_the_set_up() -> None:
    """J-BALL-7, J-BALL-23: seven jugs a side on their X's face the other goal, the ball lies between."""
    match = started()
    match.set_up()
    assert [event[0] for event in match.events] == [b.BALL]
    assert [jug.place for jug in match.jugs[:7]] == list(PITCH.starts)
    assert [jug.place for jug in match.jugs[7:]] == [(-q, -r) for q, r in PITCH.starts]
    assert [jug.facing for jug in match.jugs] == [0] * 7 + [3] * 7
    assert match.ball == (0, 0)
    rolled = started(line_up="policy")
    rolled.set_up()
    assert Counter(event[0] for event in rolled.events)[t.DEPLOY] >= 2  # J-DEP-1


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("teams", ["random", "mirror"])
def test_random_teams_go_with_their_list(teams: str, swap: bool) -> None:
    """J-BALL-20, J-BALL-22: three items of size 1 each, by dice of the list whatever seat it plays."""
    match = started(named=None, mirror=teams == "mirror", swap=swap)
    match.set_up()
    lists = [[[piece.kind for piece in jug.pieces] for jug in match.jugs[first : first + 7]] for first in (0, 7)]
    unswapped = started(named=None, mirror=teams == "mirror")
    same = [[[piece.kind for piece in jug.pieces] for jug in unswapped.jugs[first : first + 7]] for first in (0, 7)]
    assert lists == (same[::-1] if swap else same)
    assert (lists[0] == lists[1]) == (teams == "mirror")
    assert all(len(kinds) == 3 for team in lists for kinds in team)
    assert all(not jug.captain and jug.sc == 3 and piece.size == 1 for jug in match.jugs for piece in jug.pieces)
    slots = {event[0] for event in told(match, "ITEM")}
    assert slots == (set(range(14)) if teams == "random" else set(range(7, 14) if swap else range(7)))


# Order


@pytest.mark.parametrize("order", ["ball", "number", "policy"])
def test_the_order_of_jugs(order: str) -> None:
    """J-BALL-23: nearest to the ball first, measured anew; or by number; or as the policy likes."""
    match = started(jug_order=order, policies=("random", "random"))
    match.set_up()
    match.turn = 1
    seen: list[int] = []
    choose = match.next_jug

    def next_jug(side: int, able: list[Any]) -> Any:
        jug = choose(side, able)
        if order == "ball" and match.ball is not None:
            assert distance(jug.place, match.ball) == min(distance(one.place, match.ball) for one in able)
        seen.append(jug.slot)
        return jug

    match.next_jug = next_jug  # type: ignore[method-assign]
    match.play_segment(A, match.jugs[:7])
    assert sorted(seen) == list(range(7))
    assert (seen == sorted(seen)) == (order == "number")


def test_who_moves_first() -> None:
    """J-BALL-23: rolled; given for turn 1; the conceder in the first turn after a goal."""
    for swap in (False, True):
        for first in "ab":
            match = started(first_initiative=first, swap=swap)
            match.turn = 1
            assert match.sides_by_initiative()[0] == (first == "b") ^ swap
            assert not match.events and match.outcome()["first_initiative"] == (first == "a")
    match = started(kick_off="conceder")
    match.turn, match.conceder = 5, B
    assert match.sides_by_initiative() == [B, A] and not match.events
    match.turn = 6
    match.sides_by_initiative()
    assert [event[0] for event in match.events[:2]] == [t.INITIATIVE] * 2


# Goals, replacement, ends


def scored(**changes: Any) -> Match:
    """Return a scene in which jug 0 of side a shoots a goal in its move; jug 1 stands by."""
    match = scene((A, (10, 0), 0, 2), (A, (0, 3), 0, 0), (B, (0, -3), 3, 0), ball=(11, 0), **changes)
    match.first_sides = [A, B]
    move(match, 0, 2)
    assert match.goals == [1, 0]
    return match


def test_a_goal_ends_all_movement() -> None:
    """J-BALL-21: no further jug moves, nor the other side; with `finish` the others do, without a ball."""
    for after, moves in (("end_phase", 0), ("finish", 2)):
        match = scored(after_goal=after)
        match.events.clear()
        match.play_moves(A, match.jugs[1:2])
        match.play_segment(B, match.jugs[7:8])
        assert names(match).count("MOVE") == moves
        assert names(match).count("SEGMENT") == moves // 2


def test_the_line_up_after_a_goal() -> None:
    """J-BALL-21: wrecks go, holds end, all stand on their X's at velocity 0; hits, losses and jugs out stay."""
    match = scored(replace="none")
    match.board.wrecks.add((3, 3))
    match.jugs[1].hits, match.jugs[1].velocity = 20, 2
    match.events.clear()
    restart(match)
    places = [PITCH.starts[0], PITCH.starts[1], tuple(-x for x in PITCH.starts[0])]
    assert told(match, "LINE_UP") == [
        (slot, -1, -1, 0, pack(place), 0) for slot, place in zip((0, 1, 7), places, strict=True)
    ]
    assert told(match, "BALL") == [(-1, -1, -1, 0, pack((0, 0)), b.AT_LINE_UP)]
    assert not match.board.wrecks and not any(jug.velocity for jug in match.jugs)
    assert match.jugs[1].hits == 20 and not match.jugs[2].in_play
    assert match.still == set(range(14))


@pytest.mark.parametrize("replace", ["both", "conceder", "none"])
def test_one_jug_is_replaced(replace: str) -> None:
    """J-BALL-21: the first destroyed one, else the most damaged, ties lost pieces, then number."""
    kinds = ("gears", "brakes", "steering")
    match = scene(*[(side, (side, row), 0, 0, *kinds) for side in (A, B) for row in range(7)], replace=replace)
    match.conceder = B
    match.jugs[3].in_play = match.jugs[5].in_play = False
    for slot, hits, lost in ((8, 50, 0), (9, 40, 0), (10, 40, 1), (11, 40, 1)):
        match.jugs[slot].hits = hits
        for piece in match.jugs[slot].pieces[:lost]:
            piece.alive = False
    restart(match)
    assert [event[0] for event in told(match, "REPLACE")] == {"both": [3, 10], "conceder": [10], "none": []}[replace]
    if replace == "both":
        assert match.jugs[3].in_play and match.jugs[3].hits == 60
        assert match.jugs[10].hits == 60 and all(piece.alive for piece in match.jugs[10].pieces)


def test_a_fresh_random_jug() -> None:
    """J-BALL-21: with `fresh = "rolled"` the new jug is a new random one."""
    match = scene((A, (0, 0), 0, 0, "armor"), fresh="rolled", dice=Script(item=[1, 9, 6], item_weapon=[10]))
    match.jugs[0].in_play = False
    for jug in match.jugs[1:]:
        jug.in_play = True
    restart(match)
    assert names(match)[:4] == ["REPLACE", "ITEM", "ITEM", "ITEM"]
    assert told(match, "ITEM") == [(0, -1, -1, 1, 1, 0), (0, -1, -1, 9, 9, 10), (0, -1, -1, 6, 6, 0)]
    assert [piece.kind for piece in match.jugs[0].pieces] == ["gears", "shield_arm", "legs"]
    assert match.jugs[0].hits == 70 and match.jugs[0].legged


def test_the_last_goal_ends_the_match_at_once() -> None:
    """J-BALL-21, J-BALL-24: OVER comes right after GOAL."""
    match = scored(goals_to_win=1)
    assert names(match)[-2:] == ["GOAL", "OVER"]
    outcome = match.outcome()
    assert (outcome["win_a"], outcome["cause_goals"], outcome["goals_a"], outcome["goals_hit_a"]) == (1, 1, 1, 1)
    assert (outcome["first_goal"], outcome["goals_by_first"]) == (1, 1)


def test_a_side_without_jugs() -> None:
    """J-BALL-24: loses; both: a draw; or plays on."""
    for out, winner in (((0,), B), ((7,), A), ((0, 7), -1)):
        match = scene((A, (0, 0), 0, 0), (B, (5, 0), 0, 0), no_jugs="lose")
        for slot in out:
            match.jugs[slot].in_play = False
        match.check_over()
        assert (match.over, match.winner, match.cause) == (True, winner, b.NO_JUGS)
    match = scene((A, (0, 0), 0, 0), no_jugs="play_on")
    match.check_over()
    assert not match.over


@pytest.mark.parametrize(("at_cap", "winner"), [("draw", -1), ("more_goals", B)])
def test_the_cap(at_cap: str, winner: int) -> None:
    """J-BALL-24: a draw, or the side with more goals."""
    match = scene(at_cap=at_cap)
    match.goals = [0, 1]
    match.end_at_cap()
    assert (match.winner, match.cause) == (winner, t.TURN_CAP)


# Whole matches


def laws(match_events: list[Any], field: Any) -> None:
    """The ball goes from hex to adjacent hex, unless it is put down."""
    ball = None
    for event in match_events:
        place = (event[6] // 128 - 64, event[6] % 128 - 64)
        if event[0] in (b.BALL_STEP, b.BALL_AHEAD, b.SWING):
            assert ball is not None and distance(ball, place) == 1 and place in field.inside
            ball = place
        elif event[0] in (b.HOLD_BALL, b.PART, b.BALL_STOP):
            assert ball == place
        elif event[0] == b.BALL:
            ball = place
        elif event[0] == b.GOAL:
            assert ball == field.goals[1 - event[3]]
            ball = None


@pytest.mark.parametrize("matches", [4, pytest.param(600, marks=pytest.mark.thorough)])
def test_matches_under_random_rules(matches: int) -> None:
    """Who follows the events of the policy random derives them again; no law of the ball is broken."""
    seen = Counter[int]()
    for seed in range(matches):
        arguments = random_match(seed)
        del arguments["changes"]
        outcome, events = play(**arguments)
        laws(events, arguments["field"])
        seen.update(event[0] for event in events)
        assert outcome["win_a"] + outcome["win_b"] + outcome["draw"] == 1
        goals = {name: sum(outcome[f"goals_{cause}_{name}"] for cause in b.CAUSES) for name in "ab"}
        assert goals == {name: outcome[f"goals_{name}"] for name in "ab"}
        rules = arguments["rules"]
        ambiguous = rules.declare == "rounds" and rules.grab_damage == "attack"  # in which round was it declared?
        if rules.jug_order != "policy" and not ambiguous:
            policies = ["greedy" if name == "random" else name for name in arguments["policies"]]
            followed = play(**{**arguments, "policies": policies}, trace=events)
            assert followed == (outcome, events), seed
    assert {b.BALL, b.HIT, b.BALL_STEP, b.BALL_BOUNCE, b.HOLD_BALL, b.ITEM} <= set(seen)
    if matches > 100:
        assert set(range(54, 72)) <= set(seen), [t.NAMES[what] for what in range(54, 72) if what not in seen]


def test_hold_never_moves() -> None:
    """J-HLD-1: nobody moves; a match of two holds is a draw at the cap, its ball on the start hex."""
    outcome, events = play(PITCH, KEY, 1, teams=PLAIN, max_turns=12)
    assert (outcome["draw"], outcome["cause_cap"], outcome["stuck"]) == (1, 1, 0)
    assert not {event[0] for event in events} & {t.ENTER, b.HIT, b.BALL_STEP}


def test_a_trace_that_breaks_the_rules_is_refused() -> None:
    """J-BALL-14, J-BALL-19: an angle without deflector, a stop near the own goal, an event that is not derived."""
    teams = [[design_of(["gears"] * 3)] * 7] * 2
    for seed in range(40):
        arguments: dict[str, Any] = {"field": PITCH, "key": KEY, "trial": seed, "teams": teams, "max_turns": 12}
        _, events = play(**arguments, policies=("random", "random"))
        at = next((at for at, event in enumerate(events) if event[0] == b.HIT), None)
        if at is not None:
            break
    else:
        raise AssertionError("no hit")
    assert at is not None
    slanted = [*events[:at], (*events[at][:6], (events[at][6] + 1) % 12, events[at][7]), *events[at + 1 :]]
    longer = [*events[:at], (*events[at][:7], events[at][7] + 1), *events[at + 1 :]]
    for wrong, error in ((slanted, (IllegalDecisionError, TraceDivergedError)), (longer, TraceDivergedError)):
        with pytest.raises(error):
            play(**arguments, policies=("chase", "chase"), trace=wrong)


def test_names() -> None:
    """Every ruling has an id of its own, every alternative a rule of its name with the default first."""
    assert [name.split()[0] for name in RULINGS] == [f"B-{n}" for n in range(1, len(RULINGS) + 1)]
    assert all(b.DEFAULTS[name] == choices[0] for name, choices in CHOICES.items())
    assert all(t.DEFAULTS[name] == choices[0] for name, choices in OF_BATTLE.items())
    assert len(b.EVENTS) == 18 and b.PURPOSES.index("item_weapon") == 32
    assert step((0, 0), 0) == (1, 0)
