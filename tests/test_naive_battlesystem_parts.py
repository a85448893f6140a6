"""The plain twin of Battlesystem, its parts: ratings, fronts, the lane, movement, charges, checks."""

from fractions import Fraction
from typing import Any

import pytest

from tests.naive.battlesystem import lane_of, rules_of
from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.frontage import attacks, front
from tests.naive.battlesystem.lane import forest_fire, places, sight
from tests.naive.battlesystem.morale import checks_due, needed
from tests.naive.battlesystem.movement import allowance, barred, change, charge, turns_all_round
from tests.naive.battlesystem.presets import FOOT, MOUNTS, presets
from tests.naive.battlesystem.ratings import (
    Creature,
    man_ar,
    monster_ar,
    printed_ratio,
    rate_cavalry,
    rate_chariot,
    rate_foot,
)
from tests.naive.battlesystem.scenes import RULES, foot, marched, unit_of


def test_armour_of_the_table() -> None:
    """B-UNI-1 and B-UNI-2: AR and ratio of the presets' hit dice."""
    for name in ("gnolls", "ogres", "lizard-men", "kobolds", "goblins", "orcs", "hobgoblins", "elves"):
        assert monster_ar(FOOT[name][2]) == FOOT[name][0], name
    assert [monster_ar(hd) for hd in ("4+4", "9+9", "16", "3+3", "1+")] == [15, 10, 7, 16, 18]
    assert [man_ar(level) for level in (0, 2, 3, 8)] == [20, 20, 18, 14]
    assert [printed_ratio(hd) for hd in ("½", "4", "4+1", "8+3", "9")] == [10, 10, 5, 5, 2]
    assert all(mount.ar == monster_ar(mount.hd) for mount in MOUNTS.values())


def test_ratings_under_other_rules() -> None:
    """`hd_plus`, `chariot_damage`; what is special is shared or not (B-CAV-2); a half die rounds a pool up."""
    rider, worg = Creature(20, 6, "1-1", damage=("d6",)), Creature(15, 6, "4+4", 18, ("2d4",))
    assert rate_cavalry(rider, worg, 11, rules_of(hd_plus="drop")).hd == 3  # (1 + 4) / 2 rounded up
    assert rate_foot(Creature(20, 7, "1/2", 6, ("d4",)), 9, RULES).pool == 5
    assert rate_foot(Creature(15, 5, "4+4", 9, ("d4",)), 9, rules_of(hd_plus="drop")).pool == 20
    crew, horses = [Creature(20, 5, "1", 12, ("d6",))] * 2, [Creature(16, 7, "2", 18, ("d6", "d6", "d3"))] * 3
    averaged = rate_chariot(crew, horses, 12, rules_of(chariot_damage="average"))
    assert [part.mean for part in averaged.damage] == [Fraction(7, 2) + 9]
    drow = Creature(20, 4, "2", attacks=frozenset({"dark"}), defences=frozenset({"mr", "cold"}))
    mare = Creature(13, -4, "6+6", 15, attacks=frozenset({"smoke"}), defences=frozenset({"cold"}))
    both = rate_cavalry(drow, mare, 12, RULES)
    assert (both.attacks, both.defences) == ({"dark", "smoke"}, {"cold"})


def test_fronts_that_are_struck_elsewhere() -> None:
    """B-LAN-6: ranks as files on the flank; no overlaps or further ranks there; a block to every side."""
    pikes = unit_of(foot(arm="pike"), 14, 6)
    flank, rear = front(pikes, "flank", RULES), front(pikes, "rear", RULES)
    assert (flank.files, flank.length, flank.ranks, flank.overlaps) == (3, Fraction(9, 4), (), False)
    assert (rear.files, rear.length, rear.ranks, rear.overlaps) == (6, Fraction(9, 2), (), False)
    cavalry = unit_of(presets(RULES)["heavy-cavalry"], 12, 6)
    assert front(cavalry, "flank", RULES).length == 3
    pikes.declaration = t.SET_ROUND
    for side in ("front", "flank", "rear"):
        block = front(pikes, side, RULES)
        assert (block.files, block.ranks) == (4, (4, 4))
    assert turns_all_round(Fraction(1), RULES.set_move, RULES)
    assert not turns_all_round(Fraction(1, 2), RULES.set_move, RULES)


def test_frontage_by_figures() -> None:
    """`frontage = "figures"`: wide bases meet as many figures as files."""
    men, ogres = unit_of(foot(), 12, 12), unit_of(foot(base="large"), 6, 6)
    assert attacks(front(men, "front", RULES), front(ogres, "front", RULES), RULES) == 8 + 2
    rules = rules_of(frontage="figures")
    assert attacks(front(men, "front", rules), front(ogres, "front", rules), rules) == 6 + 2
    riders = unit_of(presets(RULES)["heavy-cavalry"], 12, 12)
    assert attacks(front(riders, "front", RULES), front(ogres, "front", RULES), RULES) == 8


def test_roads_end() -> None:
    """B-LAN-10: the bonus only while all of the move is on the road, and only where it leads further."""
    man = foot(mv=Fraction(12))
    for end, far in ((14, 14), (10, 12), (20, 16)):
        lane = lane_of(30, [{"from": 0, "to": end, "kind": "road"}])
        assert marched(lane, man, 1) == [far]
    assert marched(lane_of(30, [{"from": 2, "to": 30, "kind": "road"}]), man, 2) == [12, 28]


def test_water_and_fords() -> None:
    """B-TER-8: who can't swim stops; a swimmer has its own rate; a ford is paid for."""
    water = [{"from": 3, "to": 9, "kind": "water"}]
    assert marched(lane_of(30, water), foot(mv=Fraction(6)), 2) == [3, 3]
    lizards = presets(RULES)["lizard-men"]
    assert marched(lane_of(30, water), lizards, 2) == [9, 15]  # 3 on land, 6 in water for 3 of its movement
    assert marched(lane_of(30, water), foot(mv=Fraction(6), exempt=frozenset({"water"})), 1) == [6]
    ford = lane_of(30, [{"from": 3, "to": 9, "kind": "ford"}])
    assert marched(ford, foot(mv=Fraction(12)), 2) == [8, 16]
    assert marched(lane_of(30, water), foot(mv=Fraction(6)), 5, side=1)[-1] == 9


def test_the_other_way() -> None:
    """B-LAN-8 for side 1: its rises are where it goes up, obstacles come before them; down is free."""
    hill = lane_of(24, [{"from": 10, "to": 14, "kind": "clear", "height": 15}], [{"at": 14, "kind": "fence"}])
    assert [(one.at // t.INCH, one.kind) for one in hill.features(1)] == [
        (14, "barrier"), (14, "rise"), (14, "rise"),
    ]  # fmt: skip
    assert [(one.at // t.INCH, one.kind) for one in hill.features(0)] == [
        (10, "rise"), (10, "rise"), (14, "barrier"),
    ]  # fmt: skip
    # 10 walked, which 12 - 4 don't allow; then all three are paid, and nothing is left to walk; then downhill, free.
    assert marched(hill, foot(mv=Fraction(12)), 3, side=1) == [14, 14, 2]


def test_a_charge_is_legal_or_not() -> None:
    """B-LAN-16: distance, reach, and what lies on the way, both ends included."""
    knights = presets(RULES)["heavy-cavalry"]

    def legal(ground: str = "clear", low: int = 4, high: int = 8, length: int = 12, **more: Any) -> bool:
        lane = lane_of(length, [{"from": low, "to": high, "kind": ground, **more}])
        pair = [unit_of(knights if s == 0 else foot(), 6, 6, side=s, lane=lane) for s in (0, 1)]
        return charge(lane, pair[0], pair[1], RULES) is not None

    assert [legal(kind) for kind in ("clear", "road", "rough", "swamp", "woods", "ford", "water")] == [
        True, True, True, True, False, False, False,
    ]  # fmt: skip
    assert not legal("woods", -3, 0)
    assert not legal("woods", 12, 15)
    assert legal("woods", 13, 15)
    assert not legal(height=1)
    assert legal("clear", -1, 4, height=30)
    assert [legal(length=length, low=0, high=1) for length in (1, 2, 22, 23)] == [False, True, True, False]
    assert [legal("rough", length=length) for length in (15, 16)] == [True, False]
    lone = unit_of(foot(single=True), 1, 1)
    woods = lane_of(12, [{"from": 4, "to": 8, "kind": "woods"}])
    assert not barred(woods, lone, unit_of(foot(), 6, 6, side=1, lane=woods))
    fenced = lane_of(12, points=[{"at": 12, "kind": "fence"}])
    assert barred(fenced, lone, unit_of(foot(), 6, 6, side=1, lane=fenced))


def test_checks_one_by_one() -> None:
    """`checks = "each"`: thresholds and every figure beyond half; who may not be led well needs less."""
    each = rules_of(checks="each")
    assert [checks_due(12, 12, now, each) for now in (10, 9, 7, 6, 5, 0)] == [0, 1, 1, 2, 3, 8]
    assert [checks_due(11, 6, now, each) for now in (6, 5, 4)] == [0, 1, 2]
    assert checks_due(12, 12, 0, RULES) == 1
    unit = unit_of(foot(in_command=False, commander_killed=True), 12, 6, "mob")
    assert needed(unit, RULES) == 12 - 2 - 1


def test_small_numbers() -> None:
    """Places, allowances, sight and fire."""
    assert [places(value) for value in (0.25, 3.3333333, "10/3")] == [9, 120, 120]
    with pytest.raises(ValueError, match="multiples of 1/36"):
        places(0.3)
    assert allowance(unit_of(foot(mv=Fraction(32, 3)), 6, 6), change(Fraction(1), Fraction(-1, 3), RULES)) == 256
    assert (sight(True), sight(False)) == (6, 1)
    assert [forest_fire(turns) for turns in (0, 2)] == [(Fraction(1, 2),) * 2, (Fraction(5, 2),) * 2]
    assert forest_fire(2, "light") == (Fraction(5, 2), 3)
    assert forest_fire(2, "strong") == (Fraction(5, 2), 5)
    with pytest.raises(ValueError, match="unknown rules"):
        rules_of(charge=2)
    with pytest.raises(ValueError, match="allowed"):
        rules_of(checks="often")
    with pytest.raises(ValueError, match="allowed: kinds"):
        lane_of(9, [{"from": 3, "to": 3, "kind": "woods"}])
    with pytest.raises(ValueError, match="overlap"):
        lane_of(9, [{"from": 0, "to": 3, "kind": "woods"}, {"from": 2, "to": 5, "kind": "road"}])
    with pytest.raises(ValueError, match="hit dice"):
        printed_ratio("many")
