"""Juggerball as a game of simkit: what is refused at the door, words, pictures, rulings, shipped questions."""

import json
import re
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest

from simkit.core.rng import make_key
from simkit.games.jugger.happenings import Cause as Fate
from simkit.games.jugger.happenings import What as BattleWhat
from simkit.games.jugger.happenings import place as packed
from simkit.games.juggerball import fields, game
from simkit.games.juggerball.happenings import What
from simkit.games.juggerball.swings import PINNED
from simkit.games.juggerball.vocabulary import label, vary
from simkit.games.protocol import rule_fields
from simkit.lab.problems import ProblemError
from simkit.lab.shipped import shipped_folder

KEY = make_key(11)
NAMES = [metric.name for metric in game.OUTCOMES]


def read(**tables: Any) -> Any:
    return game.Scenario.model_validate(tables)


def traced(scenario: Any, rules: Any, trial: int = 0, seat: int = 0) -> Any:
    game.ready()
    return game.trace(game.compile(scenario, rules), KEY, trial, seat)


# The door

WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"scenario": {"field": "pich"}}, "no field is called 'pich'", "did you mean 'pitch'?"),
    ({"sides": {"a": {"jugs": ["archr", *["random"] * 6]}}}, "no design is called 'archr'", "did you mean 'archer'?"),
    ({"sides": {"a": {"fixed": {"items": ["lever"]}}}}, "no improvement is called 'lever'", "there are: gears"),
    ({"sides": {"a": {"fixed": {"items": ["legs", "catcher"]}}}}, "cannot have legs and catcher together", "keep one"),
    ({"sides": {"a": {"fixed": {"items": ["legs", "legs"]}}}}, "cannot have legs and legs together", "keep one"),
    (
        {"sides": {"a": {"policy": "hold", "values": {"goal": 1}}}},
        "side a has values, and a player who values nothing: 'hold'",
        'policy = "chase"',
    ),
    (
        {"designs": {"big": {"size": 3, "equipment": ["lever"], "regulation": True}}},
        "'lever' is not allowed in regulation juggerball",
        "",
    ),
]


@pytest.mark.parametrize(("tables", "message", "help"), WRONG, ids=[message for _, message, _ in WRONG])
def test_what_is_wrong_is_said_with_what_would_help(tables: dict[str, Any], message: str, help: str) -> None:
    """J-BALL-7, J-BALL-20, J-BALL-22, J-BALL-25."""
    (found,) = game.complaints(read(**tables), game.Rules())
    assert message in found.message and help in found.help and found.path and found.id


def test_too_many_on_legs_are_refused() -> None:
    """J-BALL-22: where the rules limit them."""
    teams = {"sides": {"a": {"fixed": {"items": ["legs"], "jugs": 3}}}}
    assert game.complaints(read(**teams), game.Rules()) == []
    (found,) = game.complaints(read(**teams), game.Rules(legs_per_team=2))
    assert "3 jugs on legs; a team may have 2" in found.message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"goal": 15}, "the goals must be on the field"),
        ({"ball_start": [13, 0]}, "the ball must start on a free hex"),
        ({"starts": [[0, 0], *fields.find("pitch").starts[1:]]}, "[0, 0] is the place of the ball"),
        ({"starts": [[-5, 0], [-5, 0], *fields.find("pitch").starts[2:]]}, "is the place of another jug"),
        ({"starts": [[-20, 0], *fields.find("pitch").starts[1:]]}, "lies beyond the rim"),
        ({"obstacles": [[3, 3]]}, "has no image at [-3, -3]"),
        ({"obstacles": [[40, 3]]}, "beyond the rim"),
        ({"walls": [[-5, 0], [5, 0]]}, "is no place for a jug"),
    ],
)
def test_fields_that_are_none_are_refused(changes: dict[str, Any], message: str) -> None:
    """J-BALL-7, J-BALL-23."""
    try:
        field = {**fields.find("pitch").model_dump(), **changes}
        found = game.complaints(read(scenario={"field": field}), game.Rules())
        texts = [one.message for one in found]
    except ValueError as error:
        texts = [str(error)]
    assert any(message in text for text in texts) or "less than or equal" in texts[0], texts


def test_fields_of_ones_own_can_be_symmetric() -> None:
    """J-BALL-7: everything at (q, r) stands at (-q, -r) too."""
    field = {**fields.find("gates").model_dump(), "walls": [[1, -2], [2, -3]], "symmetric": True}
    scenario = read(scenario={"field": field, "max_turns": 3})
    assert game.complaints(scenario, game.Rules()) == []
    assert int(game.compile(scenario, game.Rules()).battle.wall_count) == 4


def test_a_side_has_a_team_or_seven_jugs() -> None:
    for side, message in (
        ({"team": "random", "jugs": ["random"] * 7}, "exclude each other"),
        ({"jugs": ["random"] * 6}, "at least 7 items"),
        ({"team": "mirror", "fixed": {"items": ["legs"]}}, "fixed goes with random jugs"),
    ):
        with pytest.raises(ValueError, match=message):
            read(sides={"b": side})
    with pytest.raises(ValueError, match="side a cannot mirror"):
        read(sides={"a": {"team": "mirror"}})


def test_paths_lead_where_tables_are_left_out() -> None:
    varied = vary({"sides": {"a": {"team": "random"}}}, {"sides.a.jugs": ["random"] * 7, "sides.b.values.goal": 5})
    assert varied == {"sides": {"a": {"jugs": ["random"] * 7}, "b": {"values": {"goal": 5}}}}
    assert label("sides.a.fixed.jugs", 1) == "1 jug of A" and label("first_initiative", "a") == "A moves first"
    with pytest.raises(KeyError):
        vary({}, {"sides.a.jugs.1": "archer"})


# Words and pictures


SLOW = pytest.mark.thorough


@pytest.mark.parametrize(
    ("policy", "seat"),
    [
        pytest.param("random", 0, marks=SLOW),
        pytest.param("random", 1, marks=SLOW),
        pytest.param("chase", 0, marks=SLOW),
        pytest.param("chase", 1, marks=SLOW),
        ("greedy", 0),
        pytest.param("greedy", 1, marks=SLOW),
    ],
)
def test_a_match_is_told_to_its_end(policy: str, seat: int) -> None:
    """J-BALL-8 to 24: every event has its line, with the rules behind it."""
    scenario, rules = read(policy=policy, sides={"a": {"title": "Reds"}}), game.Rules(ball_headings=12)
    for trial in range(2 if policy == "greedy" else 6):
        events = traced(scenario, rules, trial, seat)
        lines = game.narrate(scenario, rules, events)
        assert lines[0].text == "Set-up" and lines[-1].kind == "end" and "Reds" in lines[-1].text
        goals = [line.text for line in lines if line.text.startswith("GOAL for")]
        assert len(goals) == sum(row.what == What.GOAL for row in events.rows)
        assert lines[-1].text[0].isupper()
        assert all("J-" in id for line in lines for id in line.ids)
        assert not any(re.search(r"\b(None|nan|-?\d{6,})\b", line.text) for line in lines)


def test_rolled_weapons_are_named() -> None:
    scenario = read(policy="hold", scenario={"max_turns": 1})
    text = "\n".join(line.text for line in game.narrate(scenario, game.Rules(), traced(scenario, game.Rules(), 3)))
    assert "rolls" in text and "The ball lies at [0, 0] at the kick-off" in text and "all turns are used up" in text


def test_pictures_show_the_ball_and_the_goals() -> None:
    """J-REC-2: and whatever else a picture of a battle shows."""
    scenario, rules = read(policy="chase", scenario={"field": "gates"}), game.Rules()
    events = traced(scenario, rules, 1)
    picture = game.picture(scenario, rules, events)
    assert ET.fromstring(picture).tag.endswith("svg") and "way of the ball" in picture and "goal" in picture
    page = game.player(scenario, rules, events, says="match 1")
    data = json.loads(re.search(r'<script type="application/json" id="battle">(.*?)</script>', page, re.S)[1])
    balls = [step["ball"] for step in data["steps"] if "ball" in step]
    assert data["start"]["ball"] == [0, 0] and len(balls) > 50 and "match 1" in page


def told(*rows: tuple[int, ...], seat: int = 0, rules: Any = None, **tables: Any) -> list[str]:
    """Tell a match of a few events written by hand: what, jug, foe, roll, value, extra; all in turn 1."""
    found = [game.Row(what, 1, jug, foe, 0, roll, value, extra) for what, jug, foe, roll, value, extra in rows]
    events = game.Trace(found, len(found), seat)
    return [line.text for line in game.narrate(read(**tables), rules or game.Rules(), events)]


def at(q: int, r: int) -> int:
    return int(packed(q, r))


LAID = (int(What.BALL), -1, -1, 0, at(-4, 0), 0)
"""The ball is ahead of A1, which stands at [-5, 0] and faces east."""

WORDS: list[tuple[list[tuple[int, ...]], str]] = [
    ([(BattleWhat.STOP, 0, -1, 0, at(-5, 0), 0)],
     "A1 finds the ball still in its way and stops at [-5, 0], velocity 0"),
    ([(BattleWhat.STOP, 1, -1, 0, at(-3, -4), 0)], "A2 cannot drag on and stops at [-3, -4]"),
    (
        [
            (What.KICK, 0, -1, 3, 0, 6), (What.BALL_STEP, 0, -1, 0, at(-3, 0), 5),
            (What.BALL_BOUNCE, 0, 5, 4, 4, 0), (What.BALL_STEP, 0, -1, 0, at(-4, 1), 4),
            (What.BALL_STOP, 0, -1, 0, at(-4, 1), 0),
        ],
        "A1 kicks the ball east, D6 3: 6 hexes: runs 1 hex to [-3, 0], bounces off A6, D6 4: 120 degrees right,"
        " south-west, runs 1 hex to [-4, 1], rests at [-4, 1]",
    ),
    (
        [
            (What.KICK, 0, -1, 1, 11, 3), (What.SPINE, 0, -1, 2, 5, 0), (What.BALL_BOUNCE, 0, 1, 6, -1, 0),
            (What.BALL_STOP, 0, -1, 0, at(-4, 0), 1),
        ],
        "A1 kicks the ball 30 degrees left, east-north-east, D6 1: 3 hexes: north-east first on D6 2, meets A2: caught"
        " on D6 6, lies dead at [-4, 0]",
    ),
    (
        [(What.HIT, 0, -1, 0, 1, 2), (What.SPINE, 0, -1, 5, 1, 0), (What.BALL_BOUNCE, 0, -1, 1, 7, 1)],
        "A1 turns the ball aside with its deflector, 30 degrees right, east-south-east, for 2 hexes: south-east first"
        " on D6 5, bounces off the obstacle at [-4, 1], D6 1: straight back, west-north-west",
    ),
    ([(What.HIT, 0, -1, 0, 0, 2), (What.BALL_BOUNCE, 0, -1, 6, -1, 3)],
     "A1 hits the ball east for 2 hexes: meets the rim: stops on D6 6"),
    ([(What.GOAL, 4, 0, 0, 0, 0)], "GOAL for A, 1 : 0, hit in by A5"),
    ([(What.GOAL, 4, 1, 0, 5, 1)], "GOAL for B, 0 : 1, off a bounce, last touched by A5, an own goal"),
    ([(BattleWhat.HURT, 1, 0, 0, 9, 20), (What.REPLACE, 1, -1, 0, 0, 0)],
     "A2 (20 of 60 hits) is replaced by an undamaged copy, 60 hits"),
    ([(BattleWhat.OUT, 1, -1, 0, Fate.DESTROYED, 0), (What.REPLACE, 1, -1, 0, 0, 0)],
     "A2 (destroyed) is replaced by an undamaged copy, 60 hits"),
    ([(BattleWhat.OUT, 8, -1, 0, Fate.DESTROYED, 0), *[(What.LINE_UP, 0, -1, 0, at(-5, 0), 0)] * 9],
     "All 9 jugs in play go back to their places at velocity 0; out: B2"),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "words"), WORDS, ids=[words for _, words in WORDS])
def test_what_the_ball_does_is_told_with_its_dice(rows: list[tuple[int, ...]], words: str) -> None:
    """J-BALL-9, 11, 12, 14, 16, 21."""
    assert words in told(LAID, *rows)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_match_begins_with_whose_end_is_which(seat: int) -> None:
    """J-BALL-7, J-BALL-25: and with the rules that are not those of record."""
    jugs = ["random"] * 4 + ["archer"] + ["random"] * 2
    rules = game.Rules(goals_to_win=1, legs_kick=False)
    lines = told(LAID, seat=seat, rules=rules, policy="greedy", sides={"a": {"jugs": jugs}, "b": {"policy": "hold"}})
    west, east = "defends the west goal and plays east", "defends the east goal and plays west"
    ends = (east, west) if seat else (west, east)
    assert lines[1] == f"A {ends[0]}, policy greedy; B {ends[1]}, policy hold"
    assert lines[2] == "House rules: legs kick = no (yes), goals to win = 1 (3)"
    assert lines[3].startswith("A: A1 (size 3") and "A5 Archer (size" in lines[3] and lines[4].startswith("B: B1 (")
    assert not any(line.startswith("House rules") for line in told(LAID))


def test_goals_are_marked_and_line_ups_are_no_ways() -> None:
    """J-BALL-16, J-BALL-21: score, goal and jumps in the pictures."""
    rows = [
        game.Row(int(what), 1, jug, foe, 0, 0, value, 0)
        for what, jug, foe, value in (
            (BattleWhat.TURN, -1, -1, 1),
            (What.HIT, 0, -1, 0),
            (What.BALL_STEP, 0, -1, at(13, 0)),
            (What.GOAL, 0, 0, 0),
            (BattleWhat.HURT, 0, 7, 9),
            (What.LINE_UP, 0, -1, at(-5, 0)),
            (What.BALL, -1, -1, at(0, 0)),
        )
    ]
    rows[4] = rows[4]._replace(extra=-9)
    scenario, events = read(), game.Trace(rows, len(rows), 0)
    page = game.player(scenario, game.Rules(), events)
    data = json.loads(re.search(r'<script type="application/json" id="battle">(.*?)</script>', page, re.S)[1])
    assert "<title>A 1 : 0 B</title>" in page and 'id="next-goal"' in page and 'id="next-touch"' in page
    steps = data["steps"]
    (goal,) = [step for step in steps if "goal" in step]
    assert goal["mark"] == {"kind": "goal", "from": [13, 0], "to": [13, 0], "side": 0, "hit": 1}
    assert goal["score"] == [1, 0] and data["start"]["score"] == [0, 0]
    assert [step.get("touch") for step in steps].count(1) == 1 and [step.get("jump") for step in steps].count(1) == 2
    assert data["jugs"][0]["code"] == "A1" and data["jugs"][0]["bare"] == data["jugs"][0]["design"] == ""
    left, _, width, _ = data["views"][1]
    assert left < 20 * 3**0.5 * -13 and left + width > 20 * 3**0.5 * 13
    assert page.count('class="closed"') == 2 and "hex goal a" in page and "hex goal b" in page
    picture = game.picture(scenario, game.Rules(), events)
    assert "A 1 : 0 B" in picture and "1: turn 1" in picture and "goal 1 for A, turn 1, by A1" in picture
    assert 'style="max-width:100%;height:auto"' in picture and ">ball<" in picture and "track" not in picture


def test_a_story_says_who_plays_whom() -> None:
    scenario = read(sides={"a": {"jugs": ["archer", "archer", *["random"] * 5]}, "b": {"policy": "chase"}})
    assert game.describe(scenario) == "2 x Archer, 5 random jugs against a random team on the pitch"
    assert "A chases with some jugs" in game.story(scenario) and "B sends every jug" in game.story(scenario)


def test_teams_can_be_rolled_once() -> None:
    """J-LEA-3: what one trial rolls, as seven designs a side; the same match follows from them."""
    game.ready()
    scenario, rules = read(policy="chase"), game.Rules()
    teams = game.settled(scenario, rules, KEY, 4)
    again = read(policy="chase", sides={side: {"jugs": jugs} for side, jugs in teams.items()})
    assert game.complaints(again, rules) == []
    found = [game.play_one(game.compile(one, rules), game.new_state(), KEY, 4) for one in (scenario, again)]
    assert found[0] == found[1]


# Rulings


def test_rulings_that_are_not_listed_change_nothing() -> None:
    """Every field is either assumed, or of no account for this match."""
    scenario = read(policy="greedy", scenario={"max_turns": 12})
    assumed = set(game.assumed(scenario, game.Rules()))
    rows = {row.path: row for row in rule_fields(game.Rules()) if row.source == "Q"}
    assert set(PINNED) <= assumed < set(rows)
    game.ready()

    def counted(rules: Any) -> Any:
        found = np.zeros((16, len(NAMES)), np.int64)
        game.play_rows(game.compile(scenario, rules), game.new_state(), KEY, 0, 8, found)
        return found

    plain, looked_at = counted(game.Rules()), 0
    for path, row in rows.items():
        if path in assumed or "." in path or path == "walls_targetable":
            continue
        info = game.Rules.model_fields[path]
        value: Any = not row.value if isinstance(row.value, bool) else None
        if isinstance(row.value, int) and value is None:
            value = row.value + 1
        elif value is None:
            value = next(iter(re.findall(r'"(\w+)"', row.allowed.replace(f'"{row.value}"', ""))), None)
        if value is None:
            continue
        assert info is not None
        looked_at += 1
        assert (counted(game.Rules(**{path: value})) == plain).all(), path
    assert looked_at > 8


def test_shipped_questions_and_house_rules() -> None:
    """J-BALL-27: legs, improvements, the first move, keepers; and three house rules."""
    names = {path.stem for path in shipped_folder().rglob("*.toml") if "juggerball" in path.read_text(encoding="utf-8")}
    assert {"juggerball_legs", "which_improvement_wins", "first_move_worth_a_goal", "keeper_or_hunter"} <= names
    assert {"one-leg-per-team", "six-headings", "end-of-move-stop"} <= names


def test_a_match_has_no_exact_solution_and_says_so() -> None:
    import simkit

    with pytest.raises(ProblemError, match="situations"):
        simkit.exact({"schema": 1, "name": "toy", "game": "juggerball", "run": {"trials": 2000}})
