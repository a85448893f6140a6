"""Battles of Jugger retold: exact texts of events written by hand, and the battle rebuilt from them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from simkit.games.jugger.cast import Cast, Member, Piece, Start, told_apart
from simkit.games.jugger.happenings import BOLT, KICK, Cause, Purpose, What, place, where
from simkit.games.jugger.maps import HexMap
from simkit.games.jugger.narrate import paragraphs, retell, tell
from simkit.games.jugger.phrases import die
from simkit.games.jugger.record import notes
from simkit.games.jugger.records import PieceKind, Special, Spell
from simkit.games.jugger.track import Burning, Grip, Scene, track
from simkit.games.protocol import Line, rulebook
from tests.jugger_told import DUEL, EVENTS, FIELD, GORGER, LANDSHIP, Row, rows

W = What
IDS = set(re.findall(r"J-[A-Z]+-\d+", rulebook("jugger")))

STORY = """\
Set-up. A: Gorger (size 6, 140 hits) at [-5, 0], facing east, velocity 2. B: Landship (size 6, 160 hits) at [5, 0], \
facing west, velocity 0. Hits of the stone walls, 10D10 each: 54 at [0, 3]. Deployment: A D10 4, B D10 9; \
first to set up: A.
Turn 1. Initiative: A D10 5, B D10 5; again A D10 7, B D10 3; first to move: A. Declared together: Landship's first \
catapult and second catapult. Landship's first catapult at Gorger: needed 2 or less, rolled 2, a hit; Gorger fails \
to dodge on 4; 2D6 11 x 2 (size) = 22 damage. Landship's second catapult at Gorger: needed 2 or less, rolled 6, a \
miss. Gorger 140 -> 118 hits, 1 critical roll. Critical roll of Gorger: 2, chosen by A: gears lost. Gorger speeds up \
from 2 to 4: 2 hexes ahead, a turn left, 1 hex ahead, a turn right, 1 hex ahead, now at [-1, -1] facing east. Next \
to move: B. Landship casts haste for 2 turns (D3). Landship speeds up from 0 to 1: a turn right, 1 hex ahead, now at \
[5, -1] facing north-west.
Turn 2. Initiative: A D10 2, B D10 8 + 1 (tactics) = 9; first to move: B. Landship speeds up from 1 to 2: a turn \
left, 2 hexes ahead, now at [3, -1] facing west. Next to move: A. Gorger speeds up from 4 to 5: 3 hexes ahead, now \
at [2, -1] facing east. Gorger rams Landship head-on: D6 4 + 2 (reinforced ram) + 6 (size) = 12, times velocity 5 = \
60 damage; Landship rams back: D6 3 + 6 (size) = 9, times velocity 2 = 18 damage; Gorger 118 -> 100 hits, 1 critical \
roll; Landship 160 -> 100 hits, 3 critical rolls. Critical roll of Gorger: 5, nothing. Critical rolls of Landship: \
1, chosen by A: first catapult lost; 4, nothing; 6, nothing. Declared together: Gorger's jaws; Landship's fire pump, \
cauldron and boarders. Gorger's jaws at Landship: needed 3 or less, rolled 3, a hit; 2D6 6 x 2 (size) = 12 damage. \
Landship's fire pump at Gorger: needed 3 or less, rolled 1, a hit; a fire of 2 points for 3 turns (D6). Landship's \
cauldron at Gorger: needed 4 or less, rolled 5, a miss. Landship's boarders at Gorger: needed 1 or less, rolled 6, a \
miss; these boarders are killed. Landship 100 -> 88 hits; Landship is held by Gorger's jaws. Fire of Landship's fire \
pump on Gorger: 2 damage, 2 turns left. Gorger 100 -> 98 hits. Haste of Landship is over.
Turn 3. Initiative: A D10 9, B D10 1; first to move: A. Next to move: B. Landship breaks free of Gorger on 2. \
Landship casts restoration, 3D10 14: 88 -> 102 hits. Gorger's kick at Landship: needed 6 or less, rolled 4, a hit; \
D10 6 + 6 (size) = 12 damage; Landship's spell of shield stops the hit. Fire of Landship's fire pump on Gorger: 2 \
damage, 1 turn left. Gorger 98 -> 96 hits.
Turn 4. Initiative: A D10 9, B D10 1; first to move: A. Gorger's jaws at Landship: needed 3 or less, rolled 2, a \
hit; 2D6 55 x 2 (size) = 110 damage. Landship 102 -> -8 hits; Landship is destroyed at [3, -1].
Victory for A in turn 4: the last jug of B is destroyed. Gorger (A) has 96 of 140 hits; Landship (B) is \
destroyed."""

ARCHER = Member(
    "Archer",
    "Archer",
    0,
    3,
    60,
    Start(0, 0, 0, 3),
    (
        Piece("ballista", dice="1d6", winch=2),
        Piece("ballista", dice="1d6"),
        Piece("winch", PieceKind.WINCH),
        Piece("reinforced ram", PieceKind.RAM),
    ),
)
REAPER = Member(
    "Reaper",
    "Reaper",
    1,
    5,
    120,
    Start(1, 0, 0, 1),
    (Piece("scythe", special=Special.SCYTHE, size=2, dice="1d6"), Piece("legs", PieceKind.LEGS)),
    ("balance",),
    (Spell.FATE, Spell.BOLT),
)
PAIR = Cast((ARCHER, REAPER), ("Elves", "Orcs"), FIELD)


def lines(events: Sequence[tuple[What, dict[str, Any]]], cast: Cast = PAIR) -> list[str]:
    """Retell some events and return the lines after the set-up's three."""
    told = rows(events)
    return [line.text for line in tell(cast, (told, len(told)))[3:]]


def final(events: Sequence[tuple[What, dict[str, Any]]], cast: Cast = PAIR) -> Scene:
    """Return the battle after some events."""
    return track(cast, rows(events))[-1]


# Whole stories


def test_a_whole_battle() -> None:
    assert paragraphs(tell(DUEL, (EVENTS, len(EVENTS)))) == STORY.splitlines()


def test_there_is_one_paragraph_a_turn_and_one_for_the_end() -> None:
    told = tell(DUEL, (EVENTS, len(EVENTS)))
    assert [line.kind for line in told].count("turn") == 1 + 4
    assert [line.kind for line in told].count("end") == 1
    assert told[-1].kind == "end"
    assert len(paragraphs(told)) == 6


@pytest.mark.parametrize("kept", range(len(EVENTS)))
def test_a_full_trace_says_that_the_story_breaks_off(kept: int) -> None:
    told = tell(DUEL, (EVENTS[:kept], len(EVENTS)))
    untold = len(EVENTS) - kept
    many = "1 more event is" if untold == 1 else f"{untold} more events are"
    assert told[-1] == Line(f"the story breaks off: the trace ran out of room and {many} not told", "end")
    assert [line.kind for line in told].count("end") == 1


def test_every_event_is_told_by_one_line() -> None:
    told = retell(DUEL, (EVENTS, len(EVENTS)))
    ends = [line.end for line in told]
    assert [line.first for line in told] == [0, *ends[:-1]]
    assert ends[-1] == len(EVENTS)
    assert [line.end for line in told[:3]] == [0, 0, 0]


def one(what: What) -> Row:
    """Return a plausible event of a kind, standing alone."""
    fields: dict[What, dict[str, int]] = {
        W.INITIATIVE: {"jug": -1, "foe": 0},
        W.SEGMENT: {"jug": -1, "foe": 1},
        W.DEPLOY: {"jug": -1, "foe": 0},
        W.OVER: {"jug": -1, "foe": 0, "value": 1},
        W.WALL_HITS: {"jug": -1, "foe": -1, "extra": 0},
        W.WALL_DOWN: {"jug": -1, "foe": -1, "extra": 0},
        W.STOP: {"extra": place(0, 0), "value": place(0, 0)},
        W.LOSE: {"item": 1, "value": int(PieceKind.WEAPON)},
        W.NEW_SIDE: {"value": 1},
        W.OUT: {"value": 1, "foe": 1, "extra": place(0, 0)},
        W.RAM: {"value": 12, "extra": 1},
        W.TURN_TO: {"value": 1},
        W.COLLIDE: {"value": 4, "extra": -1},
        W.ROPE: {"value": 1},
        W.BOUNCE: {"value": 1, "extra": place(1, 1)},
        W.PUSH: {"value": 1, "extra": place(1, 1)},
        W.FOLLOW: {"value": 1, "extra": place(1, 1)},
    }
    plain = {"jug": 0, "foe": 1, "item": 0, "roll": 1, "value": place(0, 0), "extra": 1}
    return Row(what, 1, **{**plain, **fields.get(what, {})})


@pytest.mark.parametrize("what", What)
def test_any_event_can_stand_alone(what: What) -> None:
    told = retell(PAIR, ([one(what)], 1))
    assert len(told) == 4
    line = told[-1]
    assert line.text
    assert (line.first, line.end) == (0, 1)
    assert line.kind in ("turn", "throw", "ride", "end")
    assert set(line.ids) <= IDS


def test_every_rule_that_is_cited_exists() -> None:
    cited = {id for line in tell(DUEL, (EVENTS, len(EVENTS))) for id in line.ids}
    assert len(cited) > 15
    assert cited <= IDS


def test_paragraphs_begin_with_a_capital() -> None:
    assert paragraphs([Line("turn 1", "turn"), Line("a", "ride"), Line("b", "throw")]) == ["Turn 1. A. B."]


# Moves and contacts


def test_terrain_is_named_with_the_velocity_it_leaves() -> None:
    told = lines(
        [
            (W.OUT, {"jug": 1, "foe": 0, "value": 1, "extra": (1, 0)}),
            (W.MOVE, {"jug": 0, "value": 3, "extra": 3}),
            (W.ENTER, {"jug": 0, "value": (0, -1), "extra": 3}),
            (W.ENTER, {"jug": 0, "value": (0, -2), "extra": 2}),
            (W.ENTER, {"jug": 0, "value": (1, 0), "extra": 1}),
            (W.ENTER, {"jug": 0, "value": (2, 2), "extra": 0}),
            (W.TURN_TO, {"jug": 0, "roll": 1, "value": 1}),
            (W.TURN_TO, {"jug": 0, "roll": 1, "value": 2}),
        ]
    )
    assert told[1] == (
        "Archer keeps velocity 3: 2 hexes ahead into forest (velocity 2), 1 hex ahead into wreckage (velocity 1), "
        "1 hex ahead into rough ground (velocity 0), 2 turns right, now at [2, 2] facing south-west"
    )


def test_a_move_goes_on_after_attacks() -> None:
    told = lines(
        [
            (W.MOVE, {"jug": 0, "value": 2, "extra": 3}),
            (W.ENTER, {"jug": 0, "value": (0, 1), "extra": 2}),
            (W.TO_HIT, {"jug": 0, "foe": 1, "item": 1, "roll": 5, "value": 4}),
            (W.ENTER, {"jug": 0, "value": (0, 2), "extra": 2}),
            (W.TURN_TO, {"jug": 0, "roll": -1, "value": 5}),
        ]
    )
    assert told == [
        "Archer slows down from 3 to 2: 1 hex ahead, now at [0, 1] facing east",
        "Archer's second ballista at Reaper: needed 4 or less, rolled 5, a miss",
        "Archer goes on: 1 hex ahead, a turn left, now at [0, 2] facing north-east",
    ]


def test_a_jug_that_is_dragged_is_named_in_the_dragger_s_move() -> None:
    dragged = [
        (W.MOVE, {"jug": 1, "value": 1, "extra": 0}),
        (W.MOVE_TO, {"jug": 0, "value": (2, 0)}),
        (W.ENTER, {"jug": 1, "value": (1, 0), "extra": 1}),
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 1, "roll": 5, "value": 4}),
        (W.MOVE_TO, {"jug": 0, "value": (3, 0)}),
        (W.ENTER, {"jug": 1, "value": (2, 0), "extra": 1}),
        (W.STOP, {"jug": 1, "foe": -1, "value": (2, 0)}),
    ]
    told = lines(dragged)
    assert told[0] == (
        "Reaper speeds up from 0 to 1: Archer taken along to [2, 0], 1 hex ahead, now at [1, 0] facing east"
    )
    assert told[2] == "Reaper goes on: Archer taken along to [3, 0], 1 hex ahead, now at [2, 0] facing east"
    assert told[3] == "Reaper cannot drag on and stops at [2, 0]"
    assert [jug.place for jug in final(dragged).jugs] == [(3, 0), (2, 0)]


def test_legs_and_friends_stop_a_jug_by_different_rules() -> None:
    legs = [(W.STOP, {"jug": 1, "foe": 0, "value": (1, 0)})]
    told = tell(PAIR, (rows(legs), 1))
    assert told[-1] == Line("Reaper stops in front of its enemy Archer at [1, 0], velocity 0", "ride", ("J-RAM-7",))
    friends = replace(PAIR, jugs=(ARCHER, replace(REAPER, side=0)))
    stopped = tell(friends, (rows(legs), 1))[-1]
    assert stopped == Line("Reaper stops in front of its friend Archer at [1, 0], velocity 0", "ride", ("J-RAM-8",))


def test_a_ram_from_the_side_pushes_and_stops_both() -> None:
    events = [
        (W.MOVE, {"jug": 0, "value": 6, "extra": 3}),
        (W.RAM, {"jug": 0, "foe": 1, "roll": 2, "value": 36, "extra": 1}),
        (W.SHIELD, {"jug": 1, "foe": 0, "item": -1}),
        (W.PUSH, {"jug": 1, "value": 1, "extra": (2, 0)}),
        (W.FOLLOW, {"jug": 0, "value": 1, "extra": (1, 0)}),
        (W.FREED, {"jug": 1, "foe": 0, "item": 0}),
    ]
    assert lines(events)[1] == (
        "Archer rams Reaper from the side: D6 2 + 1 (reinforced ram) + 3 (size) = 6, times velocity 6 = 36 damage; "
        "Reaper's spell of shield stops the damage; Reaper is pushed 1 hex to [2, 0]; Archer follows to [1, 0]; "
        "Archer is free of Reaper's scythe"
    )
    scene = final(events)
    assert [(jug.place, jug.velocity) for jug in scene.jugs] == [((1, 0), 0), ((2, 0), 0)]


def test_a_ram_from_behind_counts_the_lead_and_bounces() -> None:
    events = [
        (W.TURN, {"value": 1}),
        (W.MOVE, {"jug": 0, "value": 4, "extra": 3}),
        (W.ENTER, {"jug": 0, "value": (-1, 0), "extra": 4}),
        (W.ENTER, {"jug": 0, "value": (0, 0), "extra": 4}),
        (W.RAM, {"jug": 0, "foe": 1, "roll": 2, "value": 18, "extra": 2}),
        (W.HURT, {"jug": 1, "value": 18, "extra": 102}),
        (W.BOUNCE, {"jug": 1, "roll": 3, "value": 0, "extra": (1, 0)}),
    ]
    assert lines(events)[2] == (
        "Archer rams Reaper from behind: D6 2 + 1 (reinforced ram) + 3 (size) = 6, times velocity 4 less 1 = 18 "
        "damage; Reaper 120 -> 102 hits; Reaper is bounced (D3 3), but has no room"
    )
    assert [jug.velocity for jug in final(events).jugs] == [2, 1]


@pytest.mark.parametrize(
    ("out", "velocities"), [((), (0, 0)), ((0,), (0, 0)), ((1,), (2, 0)), ((0, 1), (0, 0))], ids=str
)
def test_velocities_after_a_head_on_ram(out: tuple[int, ...], velocities: tuple[int, int]) -> None:
    events = [
        (W.MOVE, {"jug": 0, "value": 3, "extra": 3}),
        (W.RAM, {"jug": 0, "foe": 1, "roll": 2, "value": 18, "extra": 0}),
        (W.RAM_BACK, {"jug": 1, "foe": 0, "roll": 2, "value": 7}),
        *[(W.OUT, {"jug": slot, "value": 1, "foe": 1 - slot, "extra": (slot, 0)}) for slot in out],
        *([(W.DRIVE_THROUGH, {"jug": 0, "value": 2})] if out == (1,) else []),
    ]
    assert tuple(jug.velocity for jug in final(events).jugs) == velocities
    if out == (0,):  # the survivor that was rammed loses one
        faster = replace(PAIR, jugs=(ARCHER, replace(REAPER, start=Start(1, 0, 3, 5))))
        assert final(events, faster).jugs[1].velocity == 4
        later = [*events[:-1], (W.TURN, {"value": 2}), events[-1]]
        assert final(later, faster).jugs[1].velocity == 0


def test_parts_that_do_not_lead_to_the_sum_are_left_out() -> None:
    events = [
        (W.MOVE, {"jug": 0, "value": 6, "extra": 3}),
        (W.RAM, {"jug": 0, "foe": 1, "roll": 2, "value": 24, "extra": 1}),
        (W.COLLIDE, {"jug": 1, "roll": 3, "value": 5, "extra": -2}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 0, "roll": 1, "value": 3, "extra": 1}),
        (W.DAMAGE, {"jug": 1, "foe": 0, "item": 0, "roll": 4, "value": 9}),
    ]
    told = lines(events)
    assert told[1] == "Archer rams Reaper from the side: D6 2, 24 damage"
    assert told[2] == "Reaper hits the rim: D6 3, 5 damage"
    assert told[3].endswith("a hit; D6 4, 9 damage")


def test_a_collision_names_what_is_hit() -> None:
    events = [
        (W.WALL_HITS, {"extra": 0, "value": 20}),
        (W.COLLIDE, {"jug": 0, "roll": 4, "value": 21, "extra": 0}),
        (W.WALL_DOWN, {"extra": 0}),
        (W.HURT, {"jug": 0, "value": 21, "extra": 39}),
        (W.CRITICAL, {"jug": 0, "roll": 3, "extra": -1}),
        (W.COLLIDE, {"jug": 1, "roll": 3, "value": 3, "extra": -1}),
    ]
    assert lines(events)[1:] == [
        "Archer hits the wall at [0, 3]: D6 4 + 3 (size) = 7, times velocity 3 = 21 damage; "
        "the wall at [0, 3] falls to rubble; Archer 60 -> 39 hits, 1 critical roll",
        "Critical roll of Archer: 3, nothing",
        "Reaper hits an obstacle: D6 3 times velocity 1 = 3 damage",
    ]
    scene = final(events[:3])
    assert scene.walls == (0,)
    assert scene.jugs[0].velocity == 0
    assert final(events[:2]).walls == (-1,)


def test_a_dodged_ram_moves_the_target() -> None:
    events = [
        (W.DODGE, {"jug": 1, "foe": 0, "item": -1, "roll": 2, "value": 1}),
        (W.MOVE_TO, {"jug": 1, "value": (2, -1)}),
        (W.ENTER, {"jug": 0, "value": (1, 0), "extra": 3}),
        (W.DODGE, {"jug": 1, "foe": 0, "item": -1, "roll": 3}),
        (W.DODGE, {"jug": 1, "foe": 0, "item": 0, "roll": 1, "value": 1}),
    ]
    assert lines(events) == [
        "Reaper dodges the ram of Archer on 2 and slips to [2, -1]",
        "Archer goes on: 1 hex ahead, now at [1, 0] facing east",
        "Reaper fails to dodge the ram of Archer on 3",
        "Reaper dodges Archer's first ballista on 1",
    ]
    assert final(events).jugs[1].place == (2, -1)


def test_a_dodged_ram_after_a_miss_has_a_line_of_its_own() -> None:
    events = [
        (W.MOVE, {"jug": 0, "value": 3, "extra": 3}),
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 1, "roll": 5, "value": 4}),
        (W.DODGE, {"jug": 1, "foe": 0, "item": -1, "roll": 2, "value": 1}),
        (W.MOVE_TO, {"jug": 1, "value": (2, -1)}),
        (W.ENTER, {"jug": 0, "value": (1, 0), "extra": 3}),
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 6, "value": 4}),
        (W.DODGE, {"jug": 1, "foe": 0, "item": -1, "roll": 3}),
    ]
    assert lines(events)[1:] == [
        "Archer's second ballista at Reaper: needed 4 or less, rolled 5, a miss",
        "Reaper dodges the ram of Archer on 2 and slips to [2, -1]",
        "Archer goes on: 1 hex ahead, now at [1, 0] facing east",
        "Archer's first ballista at Reaper: needed 4 or less, rolled 6, a miss",
        "Reaper fails to dodge the ram of Archer on 3",
    ]


def test_a_dodge_before_the_roll_belongs_to_the_attack_after_it() -> None:
    events = [
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 5, "value": 4}),
        (W.DODGE, {"jug": 0, "foe": 1, "item": 0, "roll": 5}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 0, "roll": 6, "value": 3}),
    ]
    assert lines(events)[1] == "Archer fails to dodge Reaper's scythe on 5"


@pytest.mark.parametrize(
    ("velocity", "gone", "words"),
    [
        (7, 2, "is pushed 2 hexes to [3, 0]"),
        (7, 1, "is pushed, stopped after 1 hex at [2, 0]"),
        (7, 0, "is pushed, but has no room"),
    ],
)
def test_a_push_cut_short_says_so(velocity: int, gone: int, words: str) -> None:
    events = [
        (W.MOVE, {"jug": 0, "value": velocity, "extra": 3}),
        (W.RAM, {"jug": 0, "foe": 1, "roll": 2, "value": 42, "extra": 1}),
        (W.PUSH, {"jug": 1, "value": gone, "extra": (1 + gone, 0)}),
    ]
    assert lines(events)[1].endswith(f"; Reaper {words}")
    events.insert(1, (W.ENTER, {"jug": 0, "value": (0, 0), "extra": velocity}))
    cut = "stopped" in lines(events)[1]
    assert not cut


@pytest.mark.parametrize(
    ("after", "words"),
    [
        ([], "is bounced (D3 3), stopped after 1 hex at [2, 0]"),
        ([(W.EXIT, {"jug": 1})], "is bounced (D3 3) over the rim"),
    ],
)
def test_a_bounce_cut_short_says_so(after: list[tuple[What, dict[str, Any]]], words: str) -> None:
    bounce = (W.BOUNCE, {"jug": 1, "roll": 3, "value": 1, "extra": (2, 0)})
    assert lines([bounce, *after])[0] == f"Reaper {words}"


def test_a_jug_drives_on_only_where_it_moves() -> None:
    through = (W.DRIVE_THROUGH, {"jug": 0, "value": 0})
    assert lines([through]) == ["Archer stays there at velocity 0"]
    on = [(W.DRIVE_THROUGH, {"jug": 0, "value": 2}), (W.ENTER, {"jug": 0, "value": (1, 0), "extra": 2})]
    assert lines(on)[0] == "Archer drives on at velocity 2"


def test_a_jug_leaves_the_map() -> None:
    events = [(W.EXIT, {"jug": 0}), (W.OUT, {"jug": 0, "foe": 1, "value": 6, "extra": (7, 0)})]
    assert lines(events) == ["Archer leaves the map; Archer is off the map"]
    scene = final(events)
    assert (scene.jugs[0].fate, scene.wrecks) == (Cause.EXIT, ())


# Attacks


def test_luck_and_fate_have_a_roll_thrown_again() -> None:
    events = [
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 5, "value": 4}),
        (W.REROLL, {"jug": 0, "foe": 1, "item": 0}),
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 4, "value": 4, "extra": 1}),
        (W.DAMAGE, {"jug": 0, "foe": 1, "item": 0, "roll": 3, "value": 3}),
        (W.CONTROL, {"jug": 1, "foe": 0, "item": 0, "roll": 3, "value": 1}),
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 1, "roll": 1, "value": 4, "extra": 1}),
        (W.REROLL, {"jug": 1, "foe": 1, "item": 1, "extra": 1}),
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 1, "roll": 6, "value": 4}),
    ]
    assert lines(events) == [
        "Archer's first ballista at Reaper: needed 4 or less, rolled 5, a miss; Archer has the die thrown again by "
        "luck, rolled 4, a hit; D6 3 = 3 damage; Reaper's damage control on 3: 1 damage left",
        "Archer's second ballista at Reaper: needed 4 or less, rolled 1, a hit; Reaper has the die thrown again by "
        "fate, rolled 6, a miss",
    ]
    assert final(events).jugs[1].spells == (Spell.BOLT,)


def test_a_scythe_cuts_and_a_bolt_uses_a_spell_up() -> None:
    events = [
        (W.DECLARE, {"jug": 1, "foe": 0, "item": BOLT}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": BOLT, "roll": 4, "value": 4, "extra": 1}),
        (W.DAMAGE, {"jug": 1, "foe": 0, "item": BOLT, "roll": 7, "value": 7}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 0, "roll": 1, "value": 3, "extra": 1}),
        (W.DAMAGE, {"jug": 1, "foe": 0, "item": 0, "roll": 6, "value": 12}),
        (W.CUT, {"jug": 1, "foe": 0, "item": 0}),
        (W.OUT, {"jug": 0, "foe": 1, "value": 3, "extra": (0, 0)}),
    ]
    told = lines(events)
    assert told[0] == "Reaper's lightning bolt at Archer: needed 4 or less, rolled 4, a hit; 2D6 7 = 7 damage"
    assert told[1].endswith("a hit; D6 6 x 2 (size) = 12 damage; Archer is cut in half")
    assert told[2] == "Archer is cut in half at [0, 0]"
    scene = final(events)
    assert scene.jugs[1].spells == (Spell.FATE,)
    assert [(wreck.slot, wreck.place) for wreck in scene.wrecks] == [(0, (0, 0))]


@pytest.mark.parametrize(
    ("roll", "result", "words", "roped", "lost"),
    [
        (1, 0, "the rope pulls; Reaper is toppled; Reaper keeps its balance on 2", True, ()),
        (3, 1, "the rope holds", True, ()),
        (5, 2, "the rope snaps and the winch is lost", False, (2,)),
    ],
)
def test_a_rope(roll: int, result: int, words: str, roped: bool, lost: tuple[int, ...]) -> None:
    tail = [
        (W.TOPPLE, {"jug": 0, "foe": 1, "item": 0}),
        (W.BALANCE, {"jug": 1, "foe": 0, "item": 0, "roll": 2, "value": 1}),
    ]
    events = [
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 1, "value": 4, "extra": 1}),
        (W.DAMAGE, {"jug": 0, "foe": 1, "item": 0, "roll": 1, "value": 1}),
        (W.ROPE, {"jug": 0, "foe": 1, "item": 0, "roll": roll, "value": result}),
        *(tail if result == 0 else []),
        (W.TURN, {"value": 2}),
        (W.ROPE, {"jug": 0, "foe": 1, "item": 0, "roll": roll, "value": result, "extra": 1}),
        *(tail if result == 0 else []),
    ]
    told = lines(events)
    assert told[0].endswith(f"D6 1 = 1 damage; rope D6 {roll}: {words}")
    assert told[2] == f"Rope of Archer's first ballista on Reaper: D6 {roll}: {words}"
    scene = final(events)
    assert scene.jugs[0].ropes == ((Grip(0, 1),) if roped else ())
    assert scene.jugs[0].lost == lost


def test_a_later_rope_after_a_miss_has_a_line_of_its_own() -> None:
    events = [
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 5, "value": 4}),
        (W.ROPE, {"jug": 0, "foe": 1, "item": 0, "roll": 1, "value": 0, "extra": 1}),
        (W.BALANCE, {"jug": 1, "foe": 0, "item": 0, "roll": 6}),
        (W.TOPPLE, {"jug": 0, "foe": 1, "item": 0}),
    ]
    assert lines(events) == [
        "Archer's first ballista at Reaper: needed 4 or less, rolled 5, a miss",
        "Rope of Archer's first ballista on Reaper: D6 1: the rope pulls; Reaper fails to keep its balance on 6; "
        "Reaper is toppled",
    ]


def test_a_shield_stops_the_rope_too() -> None:
    events = [
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 1, "value": 4, "extra": 1}),
        (W.DAMAGE, {"jug": 0, "foe": 1, "item": 0, "roll": 6, "value": 6}),
        (W.ROPE, {"jug": 0, "foe": 1, "item": 0, "roll": 5, "value": 2}),
        (W.SHIELD, {"jug": 1, "foe": 0, "item": 0}),
    ]
    assert lines(events)[0].endswith("a hit; D6 6 = 6 damage; rope D6 5; Reaper's spell of shield stops the hit")


def test_damage_control_that_fails_says_so() -> None:
    events = [
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 1, "value": 4, "extra": 1}),
        (W.DAMAGE, {"jug": 0, "foe": 1, "item": 0, "roll": 2, "value": 2}),
        (W.CONTROL, {"jug": 1, "foe": 0, "item": 0, "roll": 4, "value": 2}),
    ]
    assert lines(events)[0].endswith("; D6 2 = 2 damage; Reaper's damage control on 4 fails: 2 damage left")


def test_a_captain_s_bonus_is_named_at_the_first_attack_of_a_turn() -> None:
    gunner = replace(PAIR, jugs=(replace(ARCHER, abilities=("artillerist",)), REAPER))
    events = [
        (W.TURN, {"value": 1}),
        (W.DECLARE, {"jug": 0, "foe": 1, "item": 0}),
        (W.DECLARE, {"jug": 0, "foe": 1, "item": 1}),
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 5, "value": 5, "extra": 1}),
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 1, "roll": 5, "value": 5, "extra": 1}),
    ]
    first, second = lines(events, gunner)[2:]
    assert first.endswith("needed 5 or less (artillerist +1), rolled 5, a hit")
    assert second.endswith("needed 5 or less, rolled 5, a hit")
    assert "artillerist" not in lines(events)[2]


def test_a_rope_that_topples_at_once_was_never_out() -> None:
    events = [
        (W.ROPE, {"jug": 0, "foe": 1, "item": 0, "roll": 1, "value": 0}),
        (W.TOPPLE, {"jug": 0, "foe": 1, "item": 0}),
        (W.BALANCE, {"jug": 1, "foe": 0, "item": 0, "roll": 4}),
        (W.OUT, {"jug": 1, "foe": 0, "value": 2, "extra": (1, 0)}),
    ]
    assert lines(events)[0].endswith("the rope pulls; Reaper is toppled; Reaper fails to keep its balance on 4")
    assert lines(events)[1] == "Reaper is toppled at [1, 0]"
    assert final(events).jugs[0].ropes == ()


def test_boarders_take_a_jug_and_crews_are_killed() -> None:
    events = [
        (W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 1, "value": 1, "extra": 1}),
        (W.CAPTURE, {"jug": 0, "foe": 1, "item": 0}),
        (W.OUT, {"jug": 1, "foe": 0, "value": 5, "extra": (1, 0)}),
        (W.NEW_SIDE, {"jug": 1, "value": 0}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": 0, "roll": 1, "value": 1, "extra": 1}),
        (W.CREW, {"jug": 1, "foe": 0, "item": 0}),
        (W.OUT, {"jug": 0, "foe": 0, "value": 4, "extra": (0, 0)}),
    ]
    told = lines(events)
    assert told[0].endswith("a hit; Reaper is boarded")
    assert told[1] == "Reaper is captured by Elves; Reaper fights for Elves now"
    assert told[2].endswith("a hit; the crew of Archer is killed")
    assert told[3] == "Archer stands without a crew at [0, 0]"
    reaper = final(events).jugs[1]
    assert (reaper.side, reaper.fate, reaper.spells, reaper.abilities, reaper.velocity) == (0, 0, (), (), 1)


def test_fires_are_lit_prolonged_and_put_out() -> None:
    lit = {"jug": 1, "foe": 0, "item": 2, "value": 2}
    cast = DUEL
    events = [
        (W.FIRE, {**lit, "roll": 2, "extra": 1}),
        (W.FIRE, {**lit, "roll": 1, "extra": 0}),
        (W.FIRE, {**lit, "roll": 4, "extra": 1}),
        (W.BURN, {"jug": 0, "foe": 1, "item": 2, "value": 2, "extra": 3}),
        (W.PUT_OUT, {"jug": 0, "foe": 1, "item": 2, "roll": 5}),
        (W.PUT_OUT, {"jug": 0, "foe": 1, "item": 2, "roll": 3, "value": 1}),
    ]
    told = lines(events, cast)
    assert told[1] == "Landship: a fire for 1 turn (D6), but the old fire lasts longer"
    assert told[4:] == [
        "Gorger fails to put out the fire of Landship's fire pump on 5",
        "Gorger puts out the fire of Landship's fire pump on 3",
    ]
    assert final(events[:2], cast).jugs[0].fires == (Burning(1, 2, 2, 2),)
    assert final(events[:4], cast).jugs[0].fires == (Burning(1, 2, 2, 3),)
    assert final(events, cast).jugs[0].fires == ()
    last = (W.BURN, {"jug": 0, "foe": 1, "item": 2, "value": 2, "extra": 0})
    assert final([events[0], last], cast).jugs[0].fires == ()
    stacked = final([events[0], events[2]], replace(cast, fires_stack=True)).jugs[0].fires
    assert [fire.left for fire in stacked] == [2, 4]


def test_a_hold_squeezes_and_ends() -> None:
    events = [
        (W.GRAB, {"jug": 0, "foe": 1, "item": 0}),
        (W.SQUEEZE, {"jug": 0, "foe": 1, "item": 0, "roll": 5, "value": 10}),
        (W.BREAK, {"jug": 1, "foe": 0, "item": -1, "roll": 4}),
        (W.BREAK, {"jug": 1, "foe": 0, "item": 0, "roll": 3, "value": 1}),
        (W.GRAB, {"jug": 0, "foe": 1, "item": 0}),
        (W.LET_GO, {"jug": 0, "foe": 1, "item": 0}),
    ]
    assert lines(events, DUEL) == [
        "Landship is held by Gorger's jaws",
        "Hold of Gorger's jaws on Landship: 2D6 5 x 2 (size) = 10 damage",
        "Landship fails to break free of Gorger on 4",
        "Landship breaks free of Gorger's jaws on 3",
        "Landship is held by Gorger's jaws",
        "Landship is let go by Gorger's jaws",
    ]
    assert final(events[:1], DUEL).jugs[0].holds == (Grip(0, 1),)
    assert final(events[:4], DUEL).jugs[0].holds == ()
    assert final(events, DUEL).jugs[0].holds == ()


def test_a_bigger_mover_keeps_its_velocity_where_grabs_do_not_stop() -> None:
    for velocity, left in ((1, 1), (4, 2)):
        events = [(W.MOVE, {"jug": 1, "value": velocity, "extra": 1}), (W.GRAB, {"jug": 0, "foe": 1, "item": 0})]
        assert [jug.velocity for jug in final(events).jugs] == [0, 0]
        assert [jug.velocity for jug in final(events, replace(PAIR, grab_stops=False)).jugs] == [0, left]
    events.insert(1, (W.SEGMENT, {"foe": 0}))
    assert [jug.velocity for jug in final(events, replace(PAIR, grab_stops=False)).jugs] == [0, 0]


def test_a_critical_with_nothing_left_and_one_that_ends_a_hold() -> None:
    events = [
        (W.CRITICAL, {"jug": 0, "roll": 1, "extra": 1}),
        (W.CRITICAL, {"jug": 1, "roll": 2, "extra": 1}),
        (W.LOSE, {"jug": 1, "item": 0, "value": 0, "extra": 1}),
        (W.FREED, {"jug": 1, "foe": 0, "item": 0}),
        (W.LOSE, {"jug": 0, "item": 2, "value": int(PieceKind.WINCH), "extra": -1}),
    ]
    assert lines(events) == [
        "Critical roll of Archer: 1, to be chosen by Orcs, but nothing is left",
        "Critical roll of Reaper: 2, chosen by Orcs: scythe lost, Archer is free of Reaper's scythe",
        "Archer loses winch",
    ]


def test_the_last_wizard_takes_the_spells_along() -> None:
    wizard = Piece("wizard", PieceKind.WIZARD)
    lost = (W.LOSE, {"jug": 1, "item": 2, "value": int(PieceKind.WIZARD), "extra": 0})
    single = replace(PAIR, jugs=(ARCHER, replace(REAPER, pieces=(*REAPER.pieces, wizard))))
    pair = replace(PAIR, jugs=(ARCHER, replace(REAPER, pieces=(*REAPER.pieces, wizard, wizard))))
    assert final([lost], single).jugs[1].spells == ()
    assert final([lost], pair).jugs[1].spells == (Spell.BOLT, Spell.FATE)


def test_numbers_to_hit_can_be_the_least_that_hits() -> None:
    events = [(W.TO_HIT, {"jug": 0, "foe": 1, "item": 0, "roll": 5, "value": 3, "extra": 1})]
    assert lines(events, replace(PAIR, at_least=True))[0].endswith("needed 3 or more, rolled 5, a hit")


# The set-up, initiative, the end phase and the end


def test_the_set_up_tells_captains_and_spells() -> None:
    events = [
        (W.CAPTAIN, {"jug": 0, "roll": 7}),
        (W.SPELLS, {"jug": 0, "roll": 4}),
        *[(W.SPELL, {"jug": 0, "roll": spell}) for spell in (3, 6, 3, 1)],
        (W.SPELLS, {"jug": 1, "roll": 0}),
    ]
    assert lines(events) == [
        "Archer's captain, D10 7: evasion",
        "Archer has 4 spells (2D6): fireball, shield x2 and fate",
        "Reaper has 0 spells (2D6): none",
    ]
    assert final(events).jugs[0].spells == (1, 3, 3, 6)
    assert final(events).jugs[0].abilities == ("evasion",)


def test_initiative_jug_by_jug() -> None:
    events = [
        (W.INITIATIVE, {"jug": 0, "roll": 4, "value": 4}),
        (W.INITIATIVE, {"jug": 1, "roll": 4, "value": 4}),
        (W.INITIATIVE, {"jug": 0, "roll": 1, "value": 1, "extra": 1}),
        (W.INITIATIVE, {"jug": 1, "roll": 4, "value": 4, "extra": 1}),
        (W.SEGMENT, {"jug": 1, "foe": 1}),
        (W.SEGMENT, {"jug": 0, "foe": 0}),
    ]
    assert lines(events) == [
        "Initiative: Archer D10 4, Reaper D10 4; again Archer D10 1, Reaper D10 4; first to move: Reaper",
        "Next to move: Archer",
    ]


def test_haste_lasts_the_longer_of_two_and_fades_with_the_turns() -> None:
    events = [
        (W.TURN, {"value": 1}),
        (W.CAST_HASTE, {"jug": 1, "roll": 3}),
        (W.CAST_HASTE, {"jug": 1, "roll": 1}),
        (W.TURN, {"value": 2}),
        (W.TURN, {"value": 3}),
    ]
    assert [track(PAIR, rows(events))[i].jugs[1].haste for i in (2, 3, 4, 5)] == [3, 3, 2, 1]


def test_a_mechanic_repairs() -> None:
    events = [(W.HURT, {"jug": 0, "value": 9, "extra": 51}), (W.REPAIR, {"jug": 0, "roll": 2, "value": 2})]
    assert lines(events)[1] == "Archer's mechanic, D3 2: 51 -> 53 hits"


@pytest.mark.parametrize(
    ("foe", "cause", "text"),
    [
        (0, Cause.DESTROYED, "victory for Elves in turn 3: the last jug of Orcs is destroyed"),
        (1, Cause.TOPPLED, "victory for Orcs in turn 3: the last jug of Elves is toppled"),
        (0, Cause.CUT, "victory for Elves in turn 3: the last jug of Orcs is cut in half"),
        (0, Cause.CREW, "victory for Elves in turn 3: the last crew of Orcs is killed"),
        (0, Cause.CAPTURED, "victory for Elves in turn 3: the last jug of Orcs is captured"),
        (0, Cause.EXIT, "victory for Elves in turn 3: the last jug of Orcs has left the map"),
        (1, Cause.ROUT, "victory for Orcs in turn 3: rout of Elves"),
        (0, Cause.OBJECTIVE, "victory for Elves in turn 3: the objective is reached"),
        (0, Cause.CAP, "victory for Elves in turn 3: all turns are used up"),
        (-1, Cause.CAP, "a draw in turn 3: all turns are used up"),
        (-1, Cause.DESTROYED, "a draw in turn 3: no side has a jug left"),
        (-1, Cause.CAPTURED, "a draw in turn 3: each side has captured the other's jug"),
        (-1, Cause.ROUT, "a draw in turn 3: both sides are routed"),
        (-1, Cause.OBJECTIVE, "a draw in turn 3: both sides have reached the objective"),
    ],
)
def test_endings(foe: int, cause: Cause, text: str) -> None:
    told = lines([(W.TURN, {"value": 3}), (W.OVER, {"foe": foe, "value": int(cause)})])
    assert told[-1] == f"{text}. Archer (Elves) has 60 of 60 hits; Reaper (Orcs) has 120 of 120 hits"


def test_the_last_line_names_who_was_captured_by_whom() -> None:
    events = [
        (W.TURN, {"value": 1}),
        (W.OUT, {"jug": 1, "foe": 0, "value": 5, "extra": (1, 0)}),
        (W.NEW_SIDE, {"jug": 1, "value": 0}),
        (W.OVER, {"foe": 0, "value": int(Cause.CAPTURED)}),
    ]
    assert lines(events)[-1].endswith(
        "captured. Archer (Elves) has 60 of 60 hits; Reaper (Orcs) was captured by Elves and has 120 of 120 hits"
    )


def test_many_jugs_are_counted_a_side() -> None:
    army = [replace(ARCHER, name=f"Archer {k}") for k in range(1, 5)]
    cast = Cast((*army, REAPER), ("Elves", "Orcs"), FIELD)
    events = [
        (W.TURN, {"value": 1}),
        (W.OUT, {"jug": 4, "foe": 0, "value": 1, "extra": (0, 0)}),
        (W.OUT, {"jug": 2, "foe": 1, "value": 1, "extra": (0, 0)}),
        (W.OVER, {"foe": 0, "value": 1}),
    ]
    assert lines(events, cast)[-1].endswith(". Elves has 3 jugs left with 180 hits; Orcs has 0 jugs left")


def test_dice_are_those_of_the_rules() -> None:
    cast = replace(
        PAIR, dice={**PAIR.dice, Purpose.RAM: "2d4", Purpose.REPAIR: "1"}, bare_dice={KICK: "2d6"}, ram_bonus=2
    )
    events = [
        (W.RAM, {"jug": 0, "foe": 1, "roll": 5, "value": 30, "extra": 1}),
        (W.REPAIR, {"jug": 0, "roll": 1, "value": 0}),
        (W.TO_HIT, {"jug": 1, "foe": 0, "item": KICK, "roll": 1, "value": 6, "extra": 1}),
        (W.DAMAGE, {"jug": 1, "foe": 0, "item": KICK, "roll": 7, "value": 7}),
    ]
    told = lines(events, cast)
    assert told[0].endswith("2D4 5 + 2 (reinforced ram) + 3 (size) = 10, times velocity 3 = 30 damage")
    assert told[1] == "Archer's mechanic, 1 1: 60 -> 60 hits"
    assert told[2].endswith("a hit; 2D6 7 = 7 damage")


@pytest.mark.parametrize(
    ("dice", "text"),
    [
        ("1d6", "D6 3"),
        ("2d6", "2D6 3"),
        ("1d10", "D10 3"),
        ("1d6+1", "D6+1 3"),
        ("1d6+1d6", "D6+D6 3"),
        ("11d6", "11D6 3"),
        ("", "3"),
    ],
)
def test_dice_are_written_as_in_a_rule_book(dice: str, text: str) -> None:
    assert die(dice, 3) == text


# The battle rebuilt


def test_the_battle_is_rebuilt_after_every_event() -> None:
    scenes = track(DUEL, EVENTS)
    assert len(scenes) == len(EVENTS) + 1
    gorger, landship = scenes[-1].jugs
    assert (gorger.place, gorger.facing, gorger.velocity, gorger.hits, gorger.fate) == ((2, -1), 0, 0, 96, 0)
    assert (landship.place, landship.hits, landship.fate) == ((3, -1), -8, Cause.DESTROYED)
    assert gorger.lost == (0,)
    assert gorger.fires == (Burning(1, 2, 2, 1),)
    assert landship.spent == (4,)
    assert landship.ready == ((3, 5),)
    assert landship.spells == ()
    assert scenes[-1].walls == (54,)
    assert scenes[0].walls == (None,)


def test_a_captured_jug_leaves_no_wreck() -> None:
    scene = final([(W.OUT, {"jug": 1, "foe": 0, "value": 5, "extra": (1, 0)})])
    assert (scene.wrecks, scene.jugs[1].fate, scene.jugs[1].velocity) == ((), Cause.CAPTURED, 1)


def test_places_are_packed_and_unpacked() -> None:
    for q in (-64, -1, 0, 63):
        for r in (-64, -1, 0, 63):
            assert where(place(q, r)) == (q, r)


def test_the_record_in_words() -> None:
    scenes = track(DUEL, EVENTS)
    later = next(i for i, row in enumerate(EVENTS) if row.what == W.BREAK)
    assert notes(DUEL, scenes[later], 0) == [
        "on fire: 2 a turn for 2 turns (Landship)",
        "holds Landship (jaws)",
        "captain: evasion",
    ]
    assert notes(DUEL, scenes[later], 1) == [
        "held by Gorger (jaws)",
        "cauldron ready in turn 5",
        "boarders left: 0 of 1",
        "spells: shield and restoration",
    ]
    assert notes(DUEL, scenes[-1], 1) == []
    assert "haste: 2 turns" in notes(DUEL, scenes[30], 1)


def test_the_record_tells_of_ropes_on_both_sides() -> None:
    scene = final([(W.ROPE, {"jug": 0, "foe": 1, "item": 0, "roll": 3, "value": 1})])
    assert notes(PAIR, scene, 0) == ["rope on Reaper (first ballista)"]
    assert notes(PAIR, scene, 1)[0] == "rope of Archer (first ballista)"


# Names


def test_no_two_jugs_share_a_name() -> None:
    assert told_apart(["Gorger", "Landship"], ["A", "B"]) == ["Gorger", "Landship"]
    assert told_apart(["Gorger", "Gorger"], ["A", "B"]) == ["Gorger A", "Gorger B"]
    mixed = told_apart(["Gorger", "Gorger", "Lobber", "Gorger"], ["A", "A", "B", "B"])
    assert mixed == ["Gorger A 1", "Gorger A 2", "Lobber", "Gorger B"]


def test_attacks_have_names() -> None:
    assert [LANDSHIP.item(i) for i in (0, 1, 2, KICK, BOLT)] == [
        "first catapult",
        "second catapult",
        "fire pump",
        "kick",
        "lightning bolt",
    ]
    assert GORGER.item(0) == "jaws"
    many = replace(ARCHER, pieces=tuple(Piece("flail") for _ in range(11)))
    assert (many.titles[9], many.titles[10]) == ("tenth flail", "11th flail")


def test_codes_and_looks_follow_side_a_whatever_its_seat() -> None:
    army = (replace(ARCHER, name="1"), replace(ARCHER, name="2"), REAPER)
    assert Cast(army, ("A", "B"), FIELD).codes == ("A1", "A2", "B")
    swapped = Cast(army, ("B", "A"), HexMap(half_length=2, half_rows=1), swapped=True)
    assert swapped.codes == ("B1", "B2", "A")
    assert [swapped.mark(side) for side in (0, 1)] == [1, 0]
