"""Fights of the plain twin of Battlesystem that follow a trace, and random ones under invariants."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from simkit.core.rng import make_key
from tests.naive.battlesystem import (
    RULINGS,
    Battle,
    IllegalDecisionError,
    TraceDivergedError,
    lane_of,
    play,
    rules_of,
)
from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.battles import random_battle
from tests.naive.battlesystem.lane import Feature, Ground
from tests.naive.battlesystem.scenes import CHARGE_ON_PIKES, KNIGHTS, LUCK, PIKES, Events, Told, event, fight

KEY = make_key(41)


def test_a_side_of_its_own_choice() -> None:
    """`best` does what the trace shows, if that is legal."""
    best = [[replace(KNIGHTS, policy="best")], [replace(PIKES, policy="best")]]
    choices = {t.SET: 3, t.CHARGE: 5}

    def shown(change: Mapping[int, int]) -> Events:
        told: Events = []
        for one in CHARGE_ON_PIKES:
            if one[0] == t.DECLARE:
                told.append(event(t.CHOOSE, one[1], one[2], value=change.get(one[5], choices[one[5]])))
            told.append(one)
        return told

    def follow(trace: Events) -> Battle:
        battle = Battle(best, lane_of(12), rules_of(), Told(**LUCK), trace)
        battle.play()
        return battle

    assert [one for one in follow(shown({})).events if one[0] != t.CHOOSE] == CHARGE_ON_PIKES
    for change in ({t.SET: 1}, {t.CHARGE: 3}, {t.SET: 6}):
        with pytest.raises(IllegalDecisionError, match="may choose"):
            follow(shown(change))
    with pytest.raises(TraceDivergedError, match="the trace shows DECLARE"):
        follow(shown({t.SET: 0}))
    with pytest.raises(TraceDivergedError, match="shows nothing"):
        follow(shown({})[:-1])
    with pytest.raises(ValueError, match="needs the events"):
        fight(best[0], best[1], lane_of(12))


@pytest.mark.thorough
def test_random_fights_keep_the_rules() -> None:
    """Figures never grow, damage adds up, places are inside and in order, dice and decisions are as they may be."""
    seen: Counter[int] = Counter()
    for seed in range(250):
        arguments = random_battle(seed)
        recorder = Recorder(seed)
        battle = Battle(**arguments, dice=recorder)
        battle.play()
        keeps_the_rules(battle)
        seen.update({one[0] for one in battle.events})
        ends = battle.outcome()
        assert sum(ends[name] for name in ("win_a", "win_b", "mutual", "cap")) == 1
        assert 1 <= ends["rounds"] <= 30
    assert set(seen) == set(range(22)) - {t.FIRE, t.CHOOSE}


class Recorder(t.Dice):
    """The dice of a trial; no address may come twice."""

    def __init__(self, trial: int) -> None:
        super().__init__(KEY, trial)
        self.asked: set[tuple[str, int, int, int]] = set()

    def roll(self, expression: str, purpose: str, time: int, seat: int, i: int) -> int:
        assert (purpose, time, seat, i) not in self.asked
        assert 0 <= seat < 24
        assert 0 <= i < (256 if purpose in ("initiative", "morale") else 512)
        self.asked.add((purpose, time, seat, i))
        return super().roll(expression, purpose, time, seat, i)


def keeps_the_rules(battle: Battle) -> None:
    """Hold the events of a fight against what must be true of any."""
    units = {unit.seat: unit for unit in battle.units}
    left = {seat: unit.start for seat, unit in units.items()}
    at = {seat: battle.lane.length if unit.side else 0 for seat, unit in units.items()}
    wounds: Counter[int] = Counter()
    done, due = [0, 0], dict.fromkeys(units, 0)
    gone: set[int] = set()
    met: dict[int, set[int]] = defaultdict(set)
    for what, _, seat, foe, _, value, extra in battle.events:
        assert seat not in gone
        if what == t.MOVE:
            unit = units[seat]
            assert abs(at[seat] - value) == extra <= unit.design.mv * t.INCH * Fraction(13, 4)
            assert (value < at[seat]) == (unit.side == 1)
            assert 0 <= value <= battle.lane.length
            assert not met[seat] - gone
            at[seat] = value
        elif what == t.CONTACT:
            met[seat].add(foe)
            met[foe].add(seat)
        elif what == t.SHOOT:
            assert not met[seat] - gone
            assert not met[foe] - gone
            assert units[seat].design.bow != "none"
        elif what == t.DECLARE:
            design = units[seat].design
            assert value not in (t.WALL, t.WALL_ROUND) or design.large_shields
            assert value not in (t.SET, t.SET_ROUND) or design.arm in ("spear", "pike")
        elif what == t.ROLL:
            due[foe] += value
        elif what == t.DAMAGE:
            assert due[seat] == value
            due[seat] = 0
            done[1 - units[seat].side] += value
            wounds[seat] = extra
            assert 0 <= extra < units[seat].design.pool
        elif what == t.LOSE:
            assert 0 < value == left[seat] - extra
            left[seat] = extra
        elif what in (t.DESTROYED, t.ROUT):
            assert (left[seat] == 0) == (what == t.DESTROYED)
            gone.add(seat)
    assert done == battle.killed
    assert not any(due.values())
    for seat, unit in units.items():
        assert unit.figures == left[seat] >= 0
        assert unit.in_play == (seat not in gone)
    if len(units) == 2:
        assert at[0] <= at[12]


def test_following_comes_to_the_same() -> None:
    """Who follows its own events derives them again; one changed number is found."""
    for seed in range(40):
        arguments = random_battle(seed)
        played = play(**arguments, key=KEY, trial=seed)
        assert play(**arguments, key=KEY, trial=seed, trace=played.events) == played
    changed = [*played.events[:-1], (*played.events[-1][:6], 5)]
    with pytest.raises(TraceDivergedError):
        play(**arguments, key=KEY, trial=seed, trace=changed)
    with pytest.raises(TraceDivergedError, match="derives nothing"):
        play(**arguments, key=KEY, trial=seed, trace=[*played.events, played.events[-1]])


class Swapped(t.Dice):
    """Dice that the other side would throw."""

    def roll(self, expression: str, purpose: str, time: int, seat: int, i: int) -> int:
        other = 1 - seat if purpose == "initiative" else (seat + 12) % 24
        return super().roll(expression, purpose, time, other, i)


@pytest.mark.thorough
def test_the_mirror() -> None:
    """A lane turned round, with sides and dice exchanged, gives the same fight with a and b exchanged."""
    for seed in range(120):
        arguments = random_battle(seed)
        lane, sides = arguments["lane"], arguments["sides"]
        length = 0 if lane.in_contact else lane.length
        turned = replace(
            lane,
            ground=tuple(Ground(length - g.end, length - g.begin, g.kind, g.height) for g in lane.ground[::-1]),
            points=tuple(Feature(length - point.at, point.kind) for point in lane.points),
            contact=lane.contact[::-1],
            start=lane.start[::-1],
        )
        plain = Battle(**arguments, dice=t.Dice(KEY, seed))
        mirrored = Battle([sides[1], sides[0]], turned, arguments["rules"], Swapped(KEY, seed))
        plain.play()
        mirrored.play()
        swap = {"a": "b", "b": "a"}
        expected = plain.outcome()
        found = mirrored.outcome()
        assert {name: found[name[:-1] + swap[name[-1]] if name[-2] == "_" else name] for name in expected} == expected


def test_rulings_are_numbered() -> None:
    """Each ruling has a number of its own and says what it is about."""
    assert [name.split()[0] for name in RULINGS] == [f"T-{number}" for number in range(1, len(RULINGS) + 1)]
    assert all(text.endswith(".") for text in RULINGS.values())


def test_bad_input() -> None:
    """What is no unit and no side is refused."""
    for wrong in ({"figures": 0}, {"files": 13}, {"policy": "flee"}, {"formation": "square"}, {"slot": 6}):
        with pytest.raises(ValueError, match="allowed"):
            fight(replace(KNIGHTS, **wrong), PIKES, lane_of(12))
    with pytest.raises(ValueError, match="each once"):
        fight([KNIGHTS, KNIGHTS], PIKES, lane_of(12))
