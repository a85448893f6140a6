"""Whole matches of the kernel: random jugs, symmetry, alternatives, what stays the same, plain Python, memory."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, Literal, get_args, get_origin

import numpy as np
import pytest

from simkit.core import jit
from simkit.core.dice import parse
from simkit.core.dicetable import dice_table
from simkit.core.rng import make_key
from simkit.games.jugger.aliases import STANDARD
from simkit.games.jugger.compile import Aboard
from simkit.games.jugger.designs import IMPROVEMENTS, Design
from simkit.games.jugger.happenings import What as BattleWhat
from simkit.games.jugger.happenings import where
from simkit.games.jugger.items import Item
from simkit.games.jugger.records import Jug
from simkit.games.juggerball import game
from simkit.games.juggerball.casting import rolled_items
from simkit.games.juggerball.happenings import Cause, What
from simkit.games.juggerball.scenario import POLICIES
from tests.jugger_duels import in_child
from tests.juggerball_scenes import BEGIN, END, SEGMENT, TEAM, Scene, perform

HIGH_KEY = make_key(2**63 + 5)
NAMES = [metric.name for metric in game.OUTCOMES]


@cache
def setup_of(policy: str = "random", field: str = "pitch", turns: int = 200, **rules: Any) -> Any:
    match = {"policy": policy, "scenario": {"field": field, "max_turns": turns}}
    return game.compile(game.Scenario.model_validate(match), game.Rules(**rules))


def outcomes(setup: Any, units: int, first: int = 0) -> Any:
    game.ready()
    rows = np.zeros((2 * units, len(NAMES)), np.int64)
    game.play_rows(setup, game.new_state(), HIGH_KEY, first, first + units, rows)
    return rows


# Random jugs


@pytest.mark.thorough
def test_what_is_rolled_is_built_as_a_design_of_it_is() -> None:
    """J-BALL-20, J-BALL-22: record by record; improvements repeat and add up."""
    game.ready()
    state = game.new_state()
    for illegal, armor in (("reroll_one", 20), ("reroll_jug", 20), ("nothing", 35)):
        rules = game.Rules(illegal=illegal, armor_hits=armor)
        setup = game.compile(game.Scenario.model_validate({"policy": "hold", "scenario": {"max_turns": 1}}), rules)
        aboard = Aboard(rules)
        for kind in STANDARD:
            aboard.weapon(Item(kind), 0, -1)
        seen = set()
        for trial in range(60):
            setups = game.pack([setup])
            rows = [row for row in game.trace(setup, HIGH_KEY, trial).rows if row.what == What.ITEM]
            from simkit.games.juggerball.play import play_units

            none = np.zeros((0, 256, len(NAMES), 4), np.int64), np.zeros((0, len(NAMES)), np.int64)
            play_units(setups, state, HIGH_KEY.stream, HIGH_KEY.tweak, trial, trial + 1, 0, *none)
            for slot, items in rolled_items(rows, anew=illegal == "reroll_jug").items():
                wanted = Jug.pack(aboard.jug(Design.of(3, items, regulation=True)))
                built = setups[0].battle.jugs[slot]
                for name in Jug.dtype().names:
                    count = {"weapons": wanted.weapon_count, "pieces": wanted.piece_count}.get(name)
                    if count is None:
                        assert built[name] == wanted[name], (name, items)
                    else:
                        assert (built[name][:count] == wanted[name][:count]).all(), (name, items)
                seen |= {item.kind for item in items}
        assert seen == {*IMPROVEMENTS, *STANDARD}


def legal(items: tuple[str, ...], kind: str) -> bool:
    """J-BALL-22, J-EQ-3, J-EQ-4, said otherwise than in the kernel."""
    special = [item for item in (*items, kind) if item in ("legs", "deflector", "catcher")]
    return len(set(special)) == len(special) and not ("legs" in special and len(special) > 1)


def test_chances_of_random_jugs() -> None:
    """J-BALL-1, J-BALL-22: 1,055 different jugs; a public problem with its right values."""
    table = [*IMPROVEMENTS[:8]]
    chances = Counter[tuple[str, ...]]({(): 1})
    for _ in range(3):
        after = Counter[tuple[str, ...]]()
        for items, chance in chances.items():
            kinds = [kind for kind in table if legal(items, kind)]
            share = Fraction(1, len(kinds) + 2)
            for kind in kinds:
                after[(*items, kind)] += chance * share
            for weapon in STANDARD:
                after[(*items, weapon)] += chance * 2 * share / 10
        chances = after
    assert len({tuple(sorted(items)) for items in chances}) == 1055
    for kind, value in (("legs", "219/1000"), ("deflector", "4019/16000"), ("catcher", "4019/16000")):
        assert sum(chance for items, chance in chances.items() if kind in items) == Fraction(value)
    legs = catchers = jugs = 0
    setup = setup_of("hold", turns=1)
    for trial in range(400):
        rows = game.trace(setup, HIGH_KEY, trial).rows
        for items in rolled_items(rows).values():
            kinds = [item.kind for item in items]
            assert len(kinds) == 3 and all(legal(tuple(kinds[:k]), kinds[k]) for k in range(3))
            legs += "legs" in kinds
            catchers += "catcher" in kinds
            jugs += 1
    for count, chance in ((legs, 0.219), (catchers, 4019 / 16000)):
        assert abs(count / jugs - chance) < 4.5 * (chance * (1 - chance) / jugs) ** 0.5


def test_a_mirror_has_what_side_a_has_and_rolls_nothing() -> None:
    """J-BALL-22: in either seat; and a team never has more jugs on legs than the rules say."""
    match = {"policy": "hold", "scenario": {"max_turns": 1}, "sides": {"b": {"team": "mirror"}}}
    setup = game.compile(game.Scenario.model_validate(match), game.Rules(legs_per_team=1))
    for trial, seat in product(range(20), (0, 1)):
        events = game.trace(setup, HIGH_KEY, trial, seat)
        rows = [row for row in events.rows if row.what == What.ITEM]
        assert {row.jug // TEAM for row in rows} == {seat}
        kinds = [[item.kind for item in items] for items in rolled_items(rows).values()]
        assert sum("legs" in has for has in kinds) <= 1
        scenario = game.Scenario.model_validate(match)
        people = game._cast(scenario, game.Rules(), events)
        pieces = [[piece.title for piece in jug.pieces] for jug in people.jugs]
        assert pieces[:TEAM] == pieces[TEAM:]


# What never changes, in any match


def follow(rows: Any) -> None:
    """Follow a match: the ball shares its hex with nobody, holds and goals add up, everybody keeps his hex."""
    ball: tuple[int, int] | None = None
    goals, jugs = [0, 0], dict[int, tuple[int, int]]()
    out, running = set(), 0
    for row in rows:
        what = row.what
        if what in (What.BALL, What.BALL_AHEAD, What.SWING, What.BALL_STEP):
            before, ball = ball, where(row.value)
            near = before is None or max(abs(ball[0] - before[0]), abs(ball[1] - before[1])) == 1
            assert what == What.BALL or near
        if what in (What.HIT, What.KICK, What.ROLL, What.HEAD_ON):
            running = row.extra
        if what == What.BALL_STEP:
            assert row.extra == running - 1 or running == 0
            running = row.extra
        if what in (What.BALL_STOP, What.HOLD_BALL, What.BALL_AHEAD):
            running = 0
        if what in (What.BALL_STOP, What.HOLD_BALL, What.PART):
            assert ball == where(row.value)
        if what == What.GOAL:
            assert ball is not None and ball == ((13, 0) if row.foe == 0 else (-13, 0))
            goals[row.foe] += 1
            ball = None
        if what in (BattleWhat.ENTER, What.LINE_UP, BattleWhat.MOVE_TO):
            jugs[row.jug] = where(row.value)
        if what in (BattleWhat.PUSH, BattleWhat.BOUNCE, BattleWhat.FOLLOW):
            jugs[row.jug] = where(row.extra)
        if what == BattleWhat.OUT:
            out.add(row.jug)
            jugs.pop(row.jug, None)
        if what == What.REPLACE:
            out.discard(row.jug)
        places = [*jugs.values()]
        if what not in (BattleWhat.PUSH, BattleWhat.FOLLOW, What.LINE_UP):
            assert len(set(places)) == len(places), row
        assert ball is None or what == What.LINE_UP or ball not in places, row


@pytest.mark.parametrize("policy", POLICIES)
def test_nothing_is_lost_or_in_two_places(policy: str) -> None:
    """J-BALL-8, J-BALL-16, J-BALL-26: and the columns say what the events say."""
    setup = setup_of(policy)
    for trial, seat in product(range(8), (0, 1)):
        events = game.trace(setup, HIGH_KEY, trial, seat)
        assert len(events.rows) == events.noted
        follow(events.rows)
        found = dict(zip(NAMES, game.play_one(setup, game.new_state(), HIGH_KEY, trial, seat), strict=True))
        count = Counter(row.what for row in events.rows)
        a = seat
        scored = [sum(row.what == What.GOAL and row.foe == side for row in events.rows) for side in (a, 1 - a)]
        assert [found["goals_a"], found["goals_b"]] == scored
        for side in "ab":
            assert found[f"goals_{side}"] == sum(
                found[f"goals_{means}_{side}"] for means in ("hit", "kick", "push", "roll", "head_on", "bounce")
            )
        assert found["bounces"] == count[What.BALL_BOUNCE] and found["kicks_a"] + found["kicks_b"] == count[What.KICK]
        assert found["hits_a"] + found["hits_b"] == count[What.HIT] and found["turns"] == count[BattleWhat.TURN]
        assert found["replaced_a"] + found["replaced_b"] == count[What.REPLACE]
        assert found["lost_a"] + found["lost_b"] == count[BattleWhat.OUT]
        assert found["win_a"] + found["win_b"] + found["draw"] == 1
        assert found["cause_goals"] + found["cause_no_jugs"] + found["cause_cap"] == 1
        last = events.rows[-1]
        assert last.what == BattleWhat.OVER and found[f"cause_{Cause(last.value).name.lower()}"] == 1


def test_mirrored_teams_are_even_in_every_pair() -> None:
    """J-BALL-7: with the seats swapped A meets with what B met before."""
    match = {"sides": {"b": {"team": "mirror"}}, "policy": "chase"}
    rows = outcomes(game.compile(game.Scenario.model_validate(match), game.Rules()), 10).reshape(10, 2, -1)
    for name in NAMES:
        if name.endswith("_a") and name != "score_a":
            other = rows[:, ::-1, NAMES.index(f"{name[:-1]}b")]
            assert (rows[:, :, NAMES.index(name)] == other).all(), name
    assert (rows[:, :, NAMES.index("score_a")].sum(axis=1) == 2).all()


@pytest.mark.parametrize(("policy", "field"), [("greedy", "pillars"), ("chase", "gates"), ("greedy", "gates")])
def test_a_match_turned_by_half_a_circle_is_the_same(policy: str, field: str) -> None:
    """J-BALL-7, J-BALL-25: with loaded dice, whoever of two equal teams moves first plays the same match."""
    items = {
        f"{side}{k + 1}": has
        for side in "ab"
        for k, has in enumerate((["legs"], ["deflector", "gears"], ["ball catcher"], ["2 gears"], ["jaws", "steering"]))
    }
    scenes = [_led_by(side, policy, field, items) for side in range(2)]
    for one, other in zip(*scenes, strict=True):
        assert one == other


def _led_by(side: int, policy: str, field: str, items: Any) -> list[Any]:
    """Play some turns in which a side always moves first; return how all stand after each, as that side sees it."""
    scene = Scene({}, items=items, policy=policy, field=field)
    for dice, number in ((scene.setup.battle.dice, 64), (scene.setup.dice, 7)):
        for row in range(number):
            dice[row] = dice_table(parse("4"))
    state = scene.state
    sign, shown = (1, -1)[side], []
    perform(scene.setup, state, 0, 5, 0)
    for _ in range(10):
        scene.do("a1", BEGIN).do("a1", SEGMENT, side).do("a1", SEGMENT, 1 - side)
        if not state.battle.over:
            scene.do("a1", END)
        jugs = [
            (int(jug.fate), sign * int(jug.q), sign * int(jug.r), (int(jug.facing) + 3 * side) % 6, int(jug.velocity))
            for seat in (side, 1 - side)
            for jug in state.battle.jugs[TEAM * seat : TEAM * seat + TEAM]
        ]
        shown.append((jugs, sign * int(state.q), sign * int(state.r), [int(state.goals[s]) for s in (side, 1 - side)]))
    return shown


# Rulings


def others() -> list[tuple[str, Any]]:
    """List every other named value of the rulings about the ball and the match."""
    found = []
    own = set(game.Rules.model_fields) - set(game.Rules.__mro__[1].model_fields)
    for name in sorted(own):
        info = game.Rules.model_fields[name]
        choices = (True, False) if info.annotation is bool else get_args(info.annotation)
        if info.annotation is bool or get_origin(info.annotation) is Literal:
            found += [(name, choice) for choice in choices if choice != info.default]
    return found


QUIET = {"line_up", "right_angle", "no_jugs", "at_cap", "kick_off"}
"""What changes nothing, but the record, by itself or within the matches looked at here."""


@pytest.mark.parametrize(("name", "value"), others(), ids=lambda value: str(value))
def test_every_alternative_can_be_played_and_changes_something(name: str, value: Any) -> None:
    """J-BALL-8 to 24: a reading that changed nothing would be no reading."""
    more = {"ball_headings": 6} if name == "right_angle" else {}
    more |= {"max_turns": 20} if name == "at_cap" else {}
    turns = more.pop("max_turns", 60)
    changed = False
    for policy in ("chase", "greedy", "random"):
        plain = outcomes(setup_of(policy, "gates", turns, **more), 30)
        other = outcomes(setup_of(policy, "gates", turns, **more, **{name: value}), 30)
        changed = changed or bool((plain != other).any())
        if changed:
            break
    assert changed or name in QUIET


# The compiled program


def plain() -> dict[str, Any]:
    """Play a few turns of some matches; return their events and outcomes."""
    found: dict[str, Any] = {"compiled": jit.COMPILED}
    for policy, turns in (("random", 4), ("greedy", 2), ("chase", 2)):
        setup = setup_of(policy, "gates", turns, ball_headings=12 if policy == "greedy" else 6)
        events = game.trace(setup, HIGH_KEY, 1, 1)
        outcome = game.play_one(setup, game.new_state(), HIGH_KEY, 1, 1)
        found[policy] = [[list(row) for row in events.rows], list(outcome)]
    return found


@pytest.mark.thorough
def test_plain_python_gives_the_same_bits() -> None:
    """Without the compiler, warnings as errors, keys above 2**63: the same outcomes and events."""
    without = in_child(__name__, "plain", "-W", "error", NUMBA_DISABLE_JIT="1")
    assert not without.pop("compiled")
    compiled = plain()
    assert compiled.pop("compiled") and len(compiled["random"][0]) > 100
    assert without == compiled


def test_setups_are_as_before_when_a_block_was_played() -> None:
    """Blocks have copies of their own to write random jugs into; and what was rolled anew is given back (J-BALL-21)."""
    game.ready()
    setups = game.pack([setup_of("chase", fresh="rolled")])
    before, out = setups.tobytes(), np.zeros((1, 256, len(NAMES), 4), np.int64)
    game.play_block(setups, game.new_state(), HIGH_KEY, 0, 4, out)
    assert setups.tobytes() == before
    named = {"sides": {side: {"jugs": ["archer"] * TEAM} for side in "ab"}, "policy": "chase"}
    packed = game.pack([game.compile(game.Scenario.model_validate(named), game.Rules(fresh="rolled"))])
    before, rows = packed.tobytes(), np.zeros((4, len(NAMES)), np.int64)
    from simkit.games.juggerball.play import play_units

    none = np.zeros((0, 256, len(NAMES), 4), np.int64)
    play_units(packed, game.new_state(), HIGH_KEY.stream, HIGH_KEY.tweak, 0, 2, 2, none, rows)
    assert rows[:, NAMES.index("replaced_a")].sum() > 0
    assert (
        packed[0].battle.jugs["hits"].tolist()
        == np.frombuffer(before, packed.dtype)[0]["battle"]["jugs"]["hits"].tolist()
    )


@pytest.mark.parametrize("seat", [0, 1])
def test_who_conceded_moves_first_where_the_rules_say_so(seat: int) -> None:
    """J-BALL-23: no dice are thrown then; nor in turn 1 where a side has the first initiative."""
    setup = setup_of("chase", kick_off="conceder", first_initiative="b")
    rows = game.trace(setup, HIGH_KEY, 2, seat).rows
    first: dict[int, int] = {}
    for row in rows:
        if row.what == BattleWhat.SEGMENT:
            first.setdefault(row.turn, row.foe)
    thrown = {row.turn for row in rows if row.what == BattleWhat.INITIATIVE}
    goals = {row.turn: row.foe for row in rows if row.what == What.GOAL}
    assert goals and first[1] == 1 - seat and 1 not in thrown
    for turn, scorer in goals.items():
        if turn + 1 in first:
            assert first[turn + 1] == 1 - scorer and turn + 1 not in thrown


def checked() -> list[Any]:
    """Play some matches under rulings that are seldom met; return whether indices are checked, and the outcomes."""
    found = []
    rare = {"no_stop": "end_of_move", "fresh": "rolled", "deflector": "both", "forced_hits_ball": True}
    for policy, more in product(("random", "chase", "greedy"), ({}, rare)):
        found.append(outcomes(setup_of(policy, "gates", 60, **more), 4).tolist())
    return [jit.CHECKED, found]


@pytest.mark.thorough
def test_no_index_leaves_its_room(tmp_path: Any) -> None:
    """Compiled with index checks, into a cache of its own: the same counts, and no error."""
    found = in_child(__name__, "checked", SIMKIT_BOUNDSCHECK="1", SIMKIT_CACHE_DIR=str(tmp_path))
    assert found[0] and not jit.CHECKED and found[1] == checked()[1]


def poison(rows: Any) -> None:
    """Fill records with nonsense."""
    for name in rows.dtype.names or ():
        inner = rows[name]
        if inner.dtype.names:
            poison(inner)
        else:
            inner[...] = inner.dtype == bool or -(10**9) % 2**64 * (inner.dtype == np.uint64) or -(10**9)


def test_a_state_keeps_nothing_of_an_earlier_match() -> None:
    """A match after others, or in memory full of nonsense, is the match in fresh memory."""
    game.ready()
    state, wild = game.new_state(), game.new_state()
    setups = [setup_of(policy, field) for policy, field in product(POLICIES, ("pitch", "gates"))]
    alone = [game.play_one(setup, game.new_state(), HIGH_KEY, 5) for setup in setups]
    for k in (*range(len(setups)), *reversed(range(len(setups)))):
        assert game.play_one(setups[k], state, HIGH_KEY, 5) == alone[k]
        poison(np.asarray(wild).reshape(1))
        wild.battle.room = 0
        assert game.play_one(setups[k], wild, HIGH_KEY, 5) == alone[k]
