"""Battles of Battlesystem retold: exact texts of told fights, and every number of a sentence held against its event."""

import re
from collections import Counter
from fractions import Fraction

import pytest

from simkit.games.battlesystem import phrases as say
from simkit.games.battlesystem.happenings import Over, What
from simkit.games.battlesystem.kinds import Declaration, Fate, Formation
from simkit.games.battlesystem.narrate import Teller, paragraphs, retell, tell
from simkit.games.battlesystem.reader import Reader
from simkit.games.battlesystem.reckoning import Change
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario
from simkit.games.battlesystem.staging import cast
from simkit.games.battlesystem.track import FLANK, happened, track
from simkit.games.protocol import rulebook
from tests.battlesystem_told import BREAKTHROUGH, PIKES_AGAINST_CAVALRY, WALL_UNDER_ARROWS, Seen, seen, told_with
from tests.naive.battlesystem import Troop
from tests.naive.battlesystem.scenes import ALL

W = What
IDS = set(re.findall(r"B-[A-Z]+-\d+", rulebook("battlesystem")))
SEEDS = range(60)

PIKES_STORY = """\
Set-up. Heavy cavalry (A): 12 figures of 20 hit dice in 6 files, closed; AR 20, AC 7, MV 15, damage \
2d4+1+d8+d8+d3, morale 13; policy charge. Pikemen (B): 18 figures of 10 hit dice in 6 files, closed; AR 20, AC 6, \
MV 9, damage d6, morale 12; policy set. The lane is 24 inches long, clear and level.
Round 1. Initiative, 1d6 each: A 2, B 5; B is first in every phase. Pikemen (B) set their pikes to the front: double \
damage to whoever charges them; it costs 1/2 of their move. Heavy cavalry (A) move 15 inches, from 0 to 15 (of MV 15); \
that is all they may.
Round 2. Initiative, 1d6 each: A 6, B 1; A is first in every phase. Heavy cavalry (A) declare a charge at Pikemen (B), \
9 inches away: a charge adds 1/2 to MV 15. Heavy cavalry (A) move 9 inches, from 15 to 24 (of MV 15 x (1 + 1/2 charge) \
= 22 1/2). Heavy cavalry (A) charge into Pikemen (B) at 24; Pikemen (B) have their pikes set: they strike first, with \
double damage, the charge gets no -2. Pikemen (B): the set pikes end as their own movement begins, but \
they count against the charge that has come in. Pikemen (B) strike \
first at Heavy cavalry (A) with 18 figures (6 of 6 files against a front of 4 1/2 inches, 6 of rank 2, 6 of rank 3): \
index AR 20 - AC 7 = 13; pikes set against a charge do double damage. Pikemen (B) roll 2d6 18 times for d6: 18 times 7 \
(N 20) kills 2 x 3 = 6 each = 108 hit dice. Heavy cavalry (A) take 108 hit dice, 20 hit dice a figure: 5 figures fall, \
7 of 12 left with a wound of 8. Heavy cavalry (A) strike back at Pikemen (B) with 6 figures (6 of 6 files against a \
front of 4 1/2 inches): index AR 20 - AC 6 = 14; their weapons do double damage in the charge. Heavy cavalry (A) roll \
2d6 6 times for 2d4+1 and d8 and d3: 6 times 7 (N 21) kills 2 x 4 (2d4+1, doubled) + 2 x 3 (d8) + 1 (d3) = 15 each = \
90 hit dice. Pikemen (B) take 90 hit dice, 10 hit dice a figure: 9 figures fall, 9 of 18 left. Heavy cavalry (A), 5 of \
12 figures lost, check their morale: morale 13 + 1 (closed) = 14 or less on 2d10; 14, passed. Pikemen (B), 9 of 18 \
figures lost, check their morale: morale 12 + 1 (closed) - 2 (half lost) = 11 or less on 2d10; 12, failed: their \
closed ranks open.
Round 3. Initiative, 1d6 each: A 6, B 5; A is first in every phase. Heavy cavalry (A) strike at Pikemen (B) with 6 \
figures (6 of 6 files against a front of 7 inches): index AR 20 - AC 6 = 14. Heavy cavalry (A) roll 2d6 6 times for \
2d4+1 and d8 and d3: 6 times 7 (N 21) kills 4 (2d4+1) + 2 x 3 (d8) + 1 (d3) = 11 each = 66 hit dice. Pikemen (B) \
strike at Heavy cavalry (A) with 4 figures (4 of 6 files against a front of 4 1/2 inches): index AR 20 - AC 7 = 13. \
Pikemen (B) roll 2d6 4 times for d6: 4 times 7 (N 20) kills 3 each = 12 hit dice. Heavy cavalry (A) take 12 hit dice \
on a wound of 8, 20 hit dice a figure: 1 figure falls, 6 of 12 left; Pikemen (B) take 66 hit dice, 10 hit dice a \
figure: 6 figures fall, 3 of 18 left with a wound of 6. Heavy cavalry (A), 6 of 12 figures lost, check their morale: \
morale 13 + 1 (closed) - 2 (half lost) = 12 or less on 2d10; 2, passed. Pikemen (B), 15 of 18 figures lost, check \
their morale: morale 12 - 4 (three quarters lost) = 8 or less on 2d10; 9, failed: they rout.
Victory for A in round 3: Pikemen (B) routed. Heavy cavalry (A) have 6 of 12 figures; Pikemen (B) routed with 3 of 18 \
figures."""

WALL_STORY = """\
Round 1. Initiative, 1d6 each: A 6, B 5; A is first in every phase. Archers (B) shoot at Men-at-arms (A) with 8 \
figures, 9 inches away (medium range): index AR 20 + 2 (medium range) - AC 4 = 18. Archers (B) roll 2d6 8 times for \
d6: 8 times 3 (N 21) kills 2 each = 16 hit dice. Men-at-arms (A) take 16 hit dice, 10 hit dice a figure: 1 figure \
falls, 11 of 12 left with a wound of 6. Men-at-arms (A) form a shield wall to the front: AC better by 4 against \
missiles and by 2 in melee; it costs 1/2 of their move. Men-at-arms (A) move 4 1/2 inches, from 0 to 4 1/2 (of MV 9 x \
(1 - 1/2 shield wall) = 4 1/2); that is all they may. Archers (B) shoot at Men-at-arms (A) with 8 figures, 4 1/2 \
inches away (short range): index AR 20 - AC 4 + 4 (shield wall) = 20. Archers (B) roll 2d6 8 times for d6: 8 times 3 \
(N 23) kills 1 each = 8 hit dice. Men-at-arms (A) take 8 hit dice on a wound of 6, 10 hit dice a figure: 1 figure \
falls, 10 of 12 left with a wound of 4.
Round 2. Initiative, 1d6 each: A 6, B 5; A is first in every phase. Archers (B) shoot at Men-at-arms (A) with 8 \
figures, 4 1/2 inches away (short range): index AR 20 - AC 4 + 4 (shield wall) = 20. Archers (B) roll 2d6 8 times for \
d6: 8 times 3 (N 23) kills 1 each = 8 hit dice. Men-at-arms (A) take 8 hit dice on a wound of 4, 10 hit dice a figure: \
1 figure falls, 9 of 12 left with a wound of 2. Men-at-arms (A), 3 of 12 figures lost, check their morale: morale 12 + \
1 (closed) = 13 or less on 2d10; 15, failed: their closed ranks open, the shield wall ends. Men-at-arms (A) re-form: \
their ranks are closed again, for 1/2 of their move. Men-at-arms (A) move 2 1/2 inches, from 4 1/2 to 7 (of MV 9 x (1 \
- 1/2 re-forming) = 4 1/2); they stop before the ditch: what is left of the move does not pay for it. Archers (B) \
shoot at Men-at-arms (A) with 8 figures, 2 inches away (short range): index AR 20 + 4 (cover of an obstacle) - AC 4 = \
20. Archers (B) roll 2d6 8 times for d6: 8 times 3 (N 23) kills 1 each = 8 hit dice. Men-at-arms (A) take 8 hit dice \
on a wound of 2, 10 hit dice a figure: 1 figure falls, 8 of 12 left."""

BREAKTHROUGH_STORY = """\
Heavy cavalry (A) break through to Goblins (B), 0 inches away: 10 1/2 inches of their charge are left. Heavy cavalry \
(A) charge into Goblins (B) at 12. Heavy cavalry (A) strike at Goblins (B) with 4 figures (4 of 6 files against a \
front of 3 inches): index AR 20 - 2 (charging) - AC 6 = 12; their weapons do double damage in the charge."""


def story(battle: Seen) -> str:
    """Tell a battle in paragraphs."""
    return "\n".join(paragraphs(tell(battle.cast, battle.events)))


def one(what, unit=-1, foe=-1, roll=-1, value=-1, extra=-1, now=1):
    """Write an event."""
    return (int(what), now, unit, foe, roll, value, extra)


def lines_of(*rows, battle=PIKES_AGAINST_CAVALRY):
    """Tell events written by hand."""
    return [told.text for told in retell(battle.cast, (rows, len(rows))) if told.end]


def test_a_charge_on_set_pikes_is_told_to_the_letter():
    assert story(PIKES_AGAINST_CAVALRY) == PIKES_STORY


def test_a_shield_wall_under_arrows_is_told_to_the_letter():
    found = story(WALL_UNDER_ARROWS).splitlines()
    assert "\n".join(found[1:3]) == WALL_STORY
    assert "cost 1/3 of the move" not in found[3]
    assert (
        "(1 - 1/2 shield wall - 1/3 ditch) = 1 1/2), the ditch at 7 costs 1/3 of the move, their closed ranks"
        in found[3]
    )
    assert "open at the obstacle, the shield wall ends with them; that is all they may" in found[3]


def test_a_breakthrough_and_a_reserve_are_told():
    found = story(BREAKTHROUGH)
    assert BREAKTHROUGH_STORY in found
    assert (
        "Militia (B) take 104 hit dice, 10 hit dice a figure: enough for 10 figures, all 4 fall, 0 of 4 left" in found
    )
    assert "Spearmen (B) in reserve behind slot 1: 4 figures" in found
    assert "Spearmen (B) come up from the reserve into slot 1. Orcs (A) walk into Spearmen (B) at 12." in found
    assert found.splitlines()[-1].startswith(
        "Victory for A in round 4: B has no unit left. Heavy cavalry (A) have 10 of"
    )


@pytest.fixture(scope="module")
def battles():
    return [seen(seed) for seed in SEEDS]


def test_every_kind_of_event_has_a_teller_and_is_told_once(battles):
    assert set(Teller(Reader(PIKES_AGAINST_CAVALRY.cast, [])).kinds) == set(What)
    met = Counter()
    for battle in [*battles, PIKES_AGAINST_CAVALRY, WALL_UNDER_ARROWS, BREAKTHROUGH]:
        told = retell(battle.cast, battle.events)
        assert [i for line in told for i in range(line.first, line.end)] == list(range(len(battle.rows)))
        assert all(line.text and line.text.strip() == line.text and "  " not in line.text for line in told)
        assert {id for line in told for id in line.ids} <= IDS
        assert [line.kind for line in told].count("end") == 1
        assert told[-1].kind == "end"
        met.update(row[0] for row in battle.rows)
    assert set(met) == set(What) - {What.CHOOSE}


def test_every_sum_is_taken_apart_and_comes_out(battles):
    """The parts lead to what the events state: the text never falls back on the bare number."""
    for battle in battles:
        for line in retell(battle.cast, battle.events):
            assert not re.search(r"index -?\d", line.text), line.text
            assert not re.search(r"morale: \d", line.text), line.text
            if match := re.search(r"strike(?: first| back)? at .* with (\d+) figures?(.)", line.text):
                assert match[1] == "0" or match[2] == " ", line.text


def test_numbers_agree_with_the_events(battles):
    for battle in battles:
        rows = happened(battle.rows)
        for line in retell(battle.cast, battle.events):
            for row in rows[line.first : line.end]:
                for wanted in stated(battle, row):
                    assert wanted in line.text, (row, line.text)
            lost = [row.value for row in rows[line.first : line.end] if row.what == W.LOSE]
            found = re.findall(r"(?:(\d+) figures? falls?|all (\d+) fall|the last (one) falls), \d+ of", line.text)
            assert [int("".join(one).replace("one", "1")) for one in found] == lost
            if rows[line.first].what == W.ROLL and line.end:
                check_rolls(rows[line.first : line.end], line.text)


def stated(battle, row):
    """Return what a line must say of an event."""
    name = battle.cast.name(row.unit) if row.unit >= 0 else ""
    start = battle.cast.member(row.unit).figures if row.unit >= 0 else 0
    foe = battle.cast.name(row.foe) if row.foe >= 12 or row.what in (W.SHOOT, W.STRIKE, W.CONTACT) else ""
    words = {
        W.ROUND: [f"Round {row.value}"],
        W.INITIATIVE: [f"{battle.cast.sides[row.foe]} {row.roll}"] if row.foe in (0, 1) else [],
        W.MOVE: [f"move {say.inches(row.extra)}, from", f"to {say.decimal(row.value)} (of"],
        W.PAY: [f" at {say.decimal(row.extra)} cost"],
        W.CONTACT: [f"into {foe} at {say.decimal(row.value)}", "charge into" if row.extra else "walk into"],
        W.SHOOT: [f"shoot at {foe} with {say.counted(row.value, 'figure')}", f" = {row.extra}"],
        W.STRIKE: [f"at {foe} with {say.counted(row.value, 'figure')}", f" = {row.extra}"],
        W.DAMAGE: [say.counted(row.value, "hit die", "hit dice") if row.value else "no hit dice"],
        W.LOSE: [f"fall{'s' if row.value == 1 else ''}, {row.extra} of {start} left"],
        W.CHECK: [f" {row.value} or less", f"; {row.roll}, {'passed' if row.extra else 'failed'}"],
        W.ROUT: ["they rout"],
        W.DESTROYED: ["destroyed"],
        W.ADVANCE: [f"into slot {row.value}"],
        W.CLOSE: ["closed again"],
        W.OPEN: ["closed ranks open"],
    }
    return [name, *words.get(What(row.what), [])]


def check_rolls(rows, text):
    """Add up a line of rolls and compare its parts with the events."""
    wanted = Counter((row.roll, row.value) for row in rows)
    total = sum(row.value for row in rows)
    if len(rows) > 1:
        end = f" = {say.counted(total, 'hit die', 'hit dice')}"
        assert text.endswith(end)
        text = text.removesuffix(end)
    found = Counter()
    for often, roll, kills in re.findall(r"(?:: |; )(?:(twice|\d+ times) )?(\d+) \(N -?\d+\) kills ([^;]*)", text):
        n = {"": 1, "twice": 2}.get(often) or int(often.split()[0])
        found[int(roll), int(kills.removesuffix(" each").split(" = ")[-1].replace("none", "0"))] += n
    assert found == wanted, text


def test_what_the_tracker_follows_is_what_the_outcome_counts(battles):
    for battle in battles:
        last = track(battle.cast, battle.rows)[-1]
        for side, letter in enumerate("ab"):
            units = [unit for unit, member in zip(last.units, battle.cast.members, strict=True) if member.side == side]
            assert sum(unit.figures for unit in units if unit.in_play) == battle.outcome[f"figures_{letter}"]
            assert sum(unit.fate == Fate.DESTROYED for unit in units) == battle.outcome[f"dead_{letter}"]
            assert sum(unit.fate == Fate.ROUTED for unit in units) == battle.outcome[f"rout_{letter}"]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (Declaration.WALL, "a shield wall"),
        (Declaration.SET, "to set pikes"),
        (Declaration.CHARGE, "to charge"),
        (7, "to advance"),
    ],
)
def test_the_choice_of_best_is_told(value, says):
    assert lines_of(one(W.CHOOSE, 12, value=value)) == [
        f"Pikemen (B) choose {says}: of all they may do it promises most in this round's melee"
    ]


def test_best_tells_why_it_does_nothing():
    assert lines_of(one(W.CHOOSE, 12, value=0)) == [
        "Pikemen (B) choose nothing: no declaration or move promises more in this round's melee"
    ]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([one(W.DECLARE, 12, value=2)], "Pikemen (B) form a shield wall to all sides and stand"),
        ([one(W.DECLARE, 12, value=4)], "Pikemen (B) set their pikes to all sides"),
        ([one(W.LAPSE, 0, value=1)], "Heavy cavalry (A): the shield wall ends as their own movement begins"),
        ([one(W.CLOSE, 0)], "Heavy cavalry (A) close their ranks again"),
        ([one(W.LOSE, 0, value=2, extra=10)], "Heavy cavalry (A) lose 2 figures, 10 left"),
        ([one(W.DESTROYED, 0)], "Heavy cavalry (A) are destroyed"),
        ([one(W.ROUT, 0)], "Heavy cavalry (A) rout"),
        ([one(W.OPEN, 0, value=3)], "Heavy cavalry (A): their closed ranks open"),
        ([one(W.CHECK, 0, roll=20, value=14, extra=0)], "; 20, failed"),
        ([one(W.DAMAGE, 0, value=0, extra=0)], "Heavy cavalry (A) take no hit dice"),
        ([one(W.DAMAGE, 0, value=1, extra=1)], "take 1 hit die: too few for a figure of 20 hit dice, a wound of 1"),
        ([one(W.STRIKE, 0, 12, value=3, extra=14)], "Heavy cavalry (A) strike at Pikemen (B) with 3 figures: index 14"),
        ([one(W.ROLL, 0, 12, roll=7, value=4, extra=0)], "Heavy cavalry (A) roll 2d6 once: 7 kills 4"),
        ([one(W.PAY, 0, value=7, extra=0)] * 2, "stay at 0: the rise at 0 costs 1/3 of the move (twice)"),
        ([one(W.DECLARE, 0, value=5)], "Heavy cavalry (A) declare a charge at Pikemen (B), 24 inches away"),
        ([one(W.INITIATIVE, foe=0, roll=3, extra=0)], "Initiative, 1d6 each: A 3"),
    ],
)  # fmt: skip
def test_events_that_come_alone_are_told(rows, says):
    assert lines_of(*rows)[0].startswith(says) or says in lines_of(*rows)[0]


def test_ties_are_told_with_their_rerolls():
    dice = [one(W.INITIATIVE, foe=side, roll=roll, extra=n) for n, rolls in enumerate([(3, 3), (2, 4)])
            for side, roll in enumerate(rolls)]  # fmt: skip
    assert lines_of(*dice) == ["Initiative, 1d6 each: A 3, B 3; again A 2, B 4; B is first in every phase"]


@pytest.mark.parametrize(
    ("cause", "winner", "says"),
    [
        (Over.WON, 1, "victory for B in round 1: Heavy cavalry (A) are destroyed. Heavy cavalry (A) have"),
        (Over.MUTUAL, -1, "mutual in round 1: neither side has a unit left. "),
        (Over.CAP, -1, "cap: no side has won in 1 round. Heavy cavalry (A) have 12 of 12 figures; Pikemen (B) have 18"),
    ],
)
def test_every_end_is_told_by_its_name(cause, winner, says):
    rows = [one(W.ROUND, value=1), one(W.OVER, foe=winner, value=int(cause))]
    assert lines_of(*rows)[-1].startswith(says)


def test_a_trace_without_room_says_that_the_story_breaks_off():
    rows = PIKES_AGAINST_CAVALRY.rows[:10]
    last = tell(PIKES_AGAINST_CAVALRY.cast, (rows, 12))[-1]
    assert (last.kind, last.text) == (
        "end",
        "the story breaks off: the trace ran out of room and 2 more events are not told",
    )


def test_units_are_named_by_title_and_side():
    units = [{"design": "orcs"}, {"design": "orcs"}, {"design": "own"}]
    fight = {
        "sides": {"a": {"units": units, "title": "Horde"}, "b": {"design": "pikemen"}},
        "designs": {"own": {"title": "Guards", "ar": 20, "ac": 4, "hd": 1, "mv": 9, "damage": ["1d8"]}},
        "scenario": {"lane": {"ground": [{"from": 20, "to": 24, "kind": "woods"}]}},
    }
    people = cast(Scenario.model_validate(fight), Rules())
    assert [member.name for member in people.members] == [
        "Orcs 1 (Horde)", "Orcs 2 (Horde)", "Guards (Horde)", "Pikemen (B)",
    ]  # fmt: skip
    assert [member.formation for member in people.members] == [Formation.CLOSED] * 3 + [Formation.OPEN]


def test_contact_from_the_start_and_its_sides_are_told():
    lane = {"in_contact": True, "contact": ("flank", "front"), "start": ("charge", "wall")}
    battle = told_with([Troop(ALL["orcs"], 12, 6)], [Troop(ALL["men-at-arms"], 12, 6, policy="wall")], lane)
    found = story(battle)
    assert "A strikes B on the flank, B strikes A on the front" in found
    assert "; the fronts touch from the start" in found and "; charge in force" in found
    assert (
        "(2 of 6 files against a front of 1 1/2 inches, 2 beside it): index AR 19 - 1 (on the flank) - AC 4 = 14"
        in found
    )
    assert track(battle.cast, battle.rows)[0].contacts[0].how == (FLANK, "front")


@pytest.mark.parametrize(
    ("changes", "multiply", "says"),
    [
        ([], False, ""),
        ([Change(Fraction(1, 2), "charge"), Change(Fraction(-1, 3), "rise")], False, "x (1 + 1/2 charge - 1/3 rise)"),
        ([Change(Fraction(1, 2), "charge"), Change(Fraction(-1, 3), "rise")], True, "x 1 1/2 charge x 2/3 rise"),
    ],
)
def test_shares_of_a_move_are_written_as_they_stack(changes, multiply, says):
    assert say.part(changes, multiply=multiply) == says


FIGHTS = [
    {"sides": {"a": {"design": "heavy-cavalry", "policy": "charge"}, "b": {"design": "pikemen", "policy": "set"}}},
    {
        "sides": {"a": {"design": "men-at-arms", "policy": "best"}, "b": {"design": "elves", "policy": "skirmish"}},
        "scenario": {"lane": {"length": 18, "ground": [{"from": 4, "to": 7, "kind": "rough"}]}},
    },
    {
        "sides": {
            "a": {"units": [{"design": "medium-cavalry"}, {"design": "ogres"}], "policy": "charge"},
            "b": {
                "units": [{"design": "militia", "figures": 4}, {"design": "orcs"}, {"design": "elves", "reserve": True}]
            },
        }
    },
]


@pytest.mark.slow
@pytest.mark.parametrize("fight", FIGHTS)
def test_traces_of_the_engine_are_told_and_drawn_too(fight):
    from simkit.core.rng import make_key
    from simkit.games.battlesystem import game

    scenario, rules = Scenario.model_validate(fight), Rules()
    setup = game.compile(scenario, rules)
    for trial in range(10):
        events = game.trace(setup, make_key(1), trial)
        told = game.narrate(scenario, rules, events)
        assert told[-1].kind == "end"
        for line in told:
            assert not re.search(r"index -?\d|morale: \d", line.text), line.text
        assert game.picture(scenario, rules, events) == game.picture(scenario, rules, events)
        assert game.player(scenario, rules, events, "how").count("<svg") > 2
