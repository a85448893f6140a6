"""Whole fights of the plain twin of Battlesystem, worked out by hand."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tests.naive.battlesystem import Design, Lane, Troop, lane_of
from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.ratings import parts
from tests.naive.battlesystem.scenes import (
    ALL,
    CHARGE_ON_PIKES,
    KNIGHTS,
    LUCK,
    PIKES,
    Events,
    Told,
    begins,
    blows,
    event,
    fight,
    of,
)

MAN = Design(20, 6, Fraction(1), Fraction(9), parts(["d8"]), 12, 10)


def test_a_charge_on_set_pikes() -> None:
    """Every step by hand: set, charge, first strike, morale, an ordinary exchange, a rout."""
    battle = fight(KNIGHTS, PIKES, lane_of(12), Told(**LUCK))
    assert battle.events == CHARGE_ON_PIKES
    assert battle.outcome() == {
        "win_a": 1, "win_b": 0, "mutual": 0, "cap": 0, "rounds": 2, "figures_a": 6, "figures_b": 0, "dead_a": 0,
        "dead_b": 0, "rout_a": 0, "rout_b": 1, "killed_a": 156, "killed_b": 120, "missiles_a": 0, "missiles_b": 0,
        "charges_a": 1, "charges_b": 0, "first_strikes_a": 0, "first_strikes_b": 1, "checks_a": 2, "checks_b": 2,
        "failed_a": 0, "failed_b": 2,
    }  # fmt: skip


def test_other_first_strikes() -> None:
    """`set_first_strike`, `set_doubles`, `first_strike_morale`."""
    never = fight(KNIGHTS, PIKES, lane_of(12), Told(**LUCK), set_first_strike="never")
    strikes = of(never, t.STRIKE)[:2]
    assert [(one[2], one[5], one[6]) for one in strikes] == [(0, 6, 14), (12, 18, 13)]
    assert of(never, t.DAMAGE)[:2] == [
        event(t.DAMAGE, 1, 0, value=108, extra=8),
        event(t.DAMAGE, 1, 12, value=90, extra=0),
    ]
    single = fight(KNIGHTS, PIKES, lane_of(12), Told(**LUCK), set_doubles=False)
    assert of(single, t.DAMAGE)[0][5] == 54
    luck = {**LUCK, "morale": {0: [15], 12: [2]}}
    between = fight(KNIGHTS, PIKES, lane_of(12), Told(**luck), first_strike_morale="between")
    after_loss = between.events[between.events.index(event(t.LOSE, 1, 0, value=5, extra=7)) + 1 :]
    assert after_loss[:3] == [
        event(t.CHECK, 1, 0, roll=15, value=14, extra=0),
        event(t.OPEN, 1, 0, value=t.BY_CHECK),
        event(t.STRIKE, 1, 0, 12, value=1, extra=14),  # open: 6 - 5 files
    ]
    walkers = replace(KNIGHTS, policy="advance")
    on_foot = fight(walkers, PIKES, lane_of(12), Told(**LUCK))
    assert on_foot.first_strikes == [0, 0]
    assert of(on_foot, t.STRIKE)[:2] == [
        event(t.STRIKE, 1, 0, 12, value=6, extra=14),
        event(t.STRIKE, 1, 12, 0, value=18, extra=13),
    ]
    always = fight(walkers, PIKES, lane_of(12), Told(**LUCK), set_first_strike="always")
    assert of(always, t.STRIKE, t.DAMAGE)[:2] == [
        event(t.STRIKE, 1, 12, 0, value=18, extra=13),
        event(t.DAMAGE, 1, 0, value=54, extra=14),  # not doubled: nobody charged
    ]
    assert always.first_strikes[1] == 1


def test_set_spears_that_lapse() -> None:
    """B-LAN-13, B-LAN-15: spears set before hold against a first mover; under `round_end` they don't."""
    late = replace(KNIGHTS, policy="charge")
    lane = lane_of(12, start=("none", "set"))
    held = fight(late, PIKES, lane)
    assert held.first_strikes == [0, 1]
    assert event(t.LAPSE, 1, 12, value=t.SET) in held.events
    far = lane_of(24)  # out of reach in round 1: the pikes are set before round 2
    ends = fight(late, PIKES, far, declaration_lasts="round_end")
    assert of(ends, t.LAPSE)[0] == event(t.LAPSE, 1, 12, value=t.SET)
    assert ends.first_strikes == [0, 0]
    assert of(ends, t.STRIKE)[0] == event(t.STRIKE, 2, 0, 12, value=6, extra=12)
    assert fight(late, PIKES, far).first_strikes == [0, 1]


def test_archers_and_a_wall() -> None:
    """Every step by hand: two volleys a round, ranges, the wall, re-forming, the cap."""
    archers = Troop(ALL["archers"], 12, 6, policy="hold")
    wall = Troop(ALL["men-at-arms"], 12, 6, policy="wall_advance")
    dice = Told({"missile": 2}, initiative={0: [1, 6], 1: [3, 1]}, morale={12: [20, 11]})
    battle = fight(archers, wall, lane_of(12), dice, max_rounds=2)

    def volley(now: int, index: int, hit_dice: int, wound: int, dead: int, left: int) -> Events:
        rolls = [event(t.ROLL, now, 0, 12, 2, hit_dice, i) for i in range(12)]
        damage = event(t.DAMAGE, now, 12, value=12 * hit_dice, extra=wound)
        lose = event(t.LOSE, now, 12, value=dead, extra=left)
        return [event(t.SHOOT, now, 0, 12, value=12, extra=index), *rolls, damage, lose]

    assert battle.events == [
        *begins(1, 1, 3),
        *volley(1, 21, 1, 2, 1, 11),  # 12 inches, long: 20 + 5 - 4
        event(t.DECLARE, 1, 12, value=t.WALL),
        event(t.MOVE, 1, 12, value=270, extra=162),
        *volley(1, 22, 1, 4, 1, 10),  # 7.5 inches, medium; AC 0: 20 + 2 - 0
        *begins(2, 6, 1),
        *volley(2, 22, 1, 6, 1, 9),
        event(t.CHECK, 2, 12, roll=20, value=13, extra=0),
        event(t.OPEN, 2, 12, value=t.BY_CHECK),
        event(t.LAPSE, 2, 12, value=t.WALL),
        event(t.DECLARE, 2, 12, value=t.REFORM),
        event(t.CLOSE, 2, 12),
        event(t.MOVE, 2, 12, value=108, extra=162),
        *volley(2, 16, 3, 2, 4, 5),  # 3 inches, no wall
        event(t.CHECK, 2, 12, roll=11, value=11, extra=1),
        event(t.OVER, 2, value=t.CAP),
    ]
    assert [battle.outcome()[name] for name in ("cap", "missiles_a", "killed_a", "figures_b")] == [1, 4, 72, 5]


def test_a_breakthrough_to_the_reserve() -> None:
    """Every step by hand: B-LAN-28 against a reserve that has to come up."""
    kobolds = [Troop(ALL["kobolds"], 4, 4, policy="hold", reserve=reserve) for reserve in (False, True)]
    battle = fight(KNIGHTS, kobolds, lane_of(8))
    exchange = [
        # 2 inches of kobolds meet three horsemen; 20 - 2 - 7; 7: N = 18: 2 x 6 + 5 + 5 + 2.
        *blows(1, 0, 12, 3, 11, 24),
        *blows(1, 12, 0, 4, 13, 2),
        event(t.DAMAGE, 1, 0, value=8, extra=8),
        event(t.DAMAGE, 1, 12, value=72, extra=2),
        event(t.LOSE, 1, 12, value=4, extra=0),
        event(t.DESTROYED, 1, 12),
    ]
    again = [
        *blows(1, 0, 13, 3, 11, 24),
        *blows(1, 13, 0, 4, 13, 2),
        event(t.DAMAGE, 1, 0, value=8, extra=16),
        event(t.DAMAGE, 1, 13, value=72, extra=2),
        event(t.LOSE, 1, 13, value=4, extra=0),
        event(t.DESTROYED, 1, 13),
    ]
    assert battle.events == [
        *begins(1, 6, 5),
        event(t.DECLARE, 1, 0, value=t.CHARGE),
        event(t.MOVE, 1, 0, value=288, extra=288),
        event(t.CONTACT, 1, 0, 12, value=288, extra=1),
        *exchange,
        event(t.BREAKTHROUGH, 1, 0, 13),
        event(t.ADVANCE, 1, 13, value=0),
        event(t.CONTACT, 1, 0, 13, value=288, extra=1),
        *again,
        event(t.OVER, 1, foe=0, value=t.WIN),
    ]
    assert ("melee", 1, 0, 256) in battle.dice.asked
    assert battle.outcome()["dead_b"] == 2


def test_a_breakthrough_after_a_rout() -> None:
    """B-LAN-28: also when the target routs in the melee phase, and to another slot, with what is left of the charge."""
    coward = Troop(replace(MAN, ml=1), 24, 6, "open", policy="advance")
    other = Troop(MAN, 12, 6, policy="hold", slot=1)
    late = {"initiative": {0: [1], 1: [2]}}

    def after_rout(knights: Troop, lane: Lane) -> Events:
        battle = fight(knights, [coward, other], lane, Told(**late), max_rounds=1)
        return battle.events[battle.events.index(event(t.ROUT, 1, 12)) + 1 :]

    # The coward comes 9 inches near; 11 of 22.5 are used up, 9 more lead to the other one.
    assert after_rout(KNIGHTS, lane_of(20))[:4] == [
        event(t.BREAKTHROUGH, 1, 0, 13),
        event(t.MOVE, 1, 0, value=720, extra=324),
        event(t.CONTACT, 1, 0, 13, value=720, extra=1),
        event(t.STRIKE, 1, 0, 13, value=6, extra=12),
    ]
    over = [event(t.OVER, 1, value=t.CAP)]
    assert after_rout(KNIGHTS, lane_of(24)) == over  # 7.5 inches are left, 9 to go
    assert after_rout(KNIGHTS, lane_of(20, points=[{"at": 15, "kind": "fence"}])) == over
    assert after_rout(replace(KNIGHTS, policy="advance"), lane_of(20)) == over


def test_two_on_one() -> None:
    """B-LAN-27: the second, from an empty slot, strikes the flank, and the struck unit fights both with new dice."""
    pair = [Troop(MAN, 12, 6, policy="advance", slot=slot) for slot in (0, 1)]
    battle = fight(pair, Troop(MAN, 12, 4, policy="hold"), lane_of(6), max_rounds=1)
    strikes = of(battle, t.STRIKE)
    assert [(one[2], one[5], one[6]) for one in strikes] == [
        (0, 6, 14), (12, 4, 14),  # 4 files + 2; 4 of 4
        (1, 5, 13), (12, 3, 14),  # a flank of 3 or fewer files: 3 + 2 overlaps; three files of that flank
    ]  # fmt: skip
    assert [one[6] for one in of(battle, t.ROLL) if one[2] == 12] == list(range(7))


def test_flank_rear_and_facing() -> None:
    """B-LAN-6, B-MEL-4: the scenario's side, -1 and -2; the check after blows in the rear; `turn_to_face`."""
    men = [Troop(MAN, 12, 6, policy="hold") for _ in range(2)]
    for side, index, most in (("front", 14, 13), ("flank", 13, 13), ("rear", 12, 11)):
        lane = Lane(in_contact=True, contact=(side, "front"))
        battle = fight(*men, lane)
        assert of(battle, t.STRIKE)[0][6] == index
        assert next(one for one in of(battle, t.CHECK) if one[2] == 12)[5] == most
    indices = [one[6] for one in of(fight(*men, lane, turn_to_face=True), t.STRIKE) if one[2] == 0]
    assert indices[:2] == [12, 14]
    around = fight(men[0], men[1], replace(lane, start=("none", "wall_round")))
    assert of(around, t.STRIKE)[0][6] == 14  # all sides were front at the contact; the wall lapsed before the blow


def test_ground_under_the_fight() -> None:
    """B-TER-10: from a swamp or a ditch +4, until the contact ends."""
    men = [Troop(MAN, 12, 6, policy=policy) for policy in ("advance", "hold")]
    swamp = lane_of(4, [{"from": 2, "to": 4, "kind": "swamp"}, {"from": 4, "to": 9, "kind": "clear"}])
    ditch = lane_of(4, points=[{"at": 4, "kind": "stream"}])
    fence = lane_of(4, points=[{"at": 4, "kind": "fence"}])
    all_swamp = lane_of(4, [{"from": 0, "to": 4, "kind": "swamp"}])
    for lane, index, opens in ((swamp, 18, [1]), (ditch, 18, [2]), (fence, 14, [2]), (all_swamp, 14, [])):
        battle = fight(*men, lane)
        strikes = of(battle, t.STRIKE)
        assert {one[6] for one in strikes if one[2] == 0} == {index}
        assert {one[6] for one in strikes if one[2] == 12} == {14}
        assert [one[5] for one in of(battle, t.OPEN) if one[2] == 0] == opens


def test_missiles_and_ground() -> None:
    """B-LAN-18: edge of woods, an obstacle before the target, deeper inside; a crossbow once a round."""
    bows = Troop(ALL["archers"], 12, 6, policy="hold")
    target = Troop(MAN, 12, 6, policy="hold")

    def index(lane: Lane) -> list[int]:
        return [one[6] for one in of(fight(bows, target, lane, max_rounds=1), t.SHOOT)]

    woods = {"kind": "woods"}
    assert index(lane_of(5)) == [14, 14]
    assert index(lane_of(5, [{"from": 5, "to": 9, **woods}])) == [16, 16]
    assert index(lane_of(5, points=[{"at": 5, "kind": "wall"}])) == [18, 18]
    assert index(lane_of(5, points=[{"at": 4, "kind": "wall"}])) == [14, 14]
    assert index(lane_of(5, [{"from": 4, "to": 9, **woods}])) == []
    assert index(lane_of(5, [{"from": -1, "to": 2, **woods}])) == []
    assert index(lane_of(5, [{"from": -1, "to": 0, **woods}, {"from": 0, "to": 5, "kind": "clear"}])) == [14, 14]
    assert index(lane_of("541/36")) == []
    crossbows = replace(bows, design=replace(ALL["archers"], bow="crossbow"))
    assert len(of(fight(crossbows, target, lane_of(5), max_rounds=1), t.SHOOT)) == 1


def test_policies() -> None:
    """B-LAN-26: who stops where."""
    target = Troop(MAN, 12, 6, policy="hold")

    def stops(policy: str, lane: Lane, design: Design = MAN, **rules: Any) -> list[int]:
        battle = fight(Troop(design, 12, 6, policy=policy), target, lane, max_rounds=3, **rules)
        return [one[5] for one in of(battle, t.MOVE) if one[2] == 0]

    assert stops("advance", lane_of(20)) == [324, 648, 720]
    assert stops("charge", lane_of(19)) == [324, 684]  # 10 inches left: a charge reaches 13.5
    assert stops("charge", lane_of(24)) == [324, 648, 864]
    assert stops("advance", lane_of(10), walk_in=False) == [288]
    assert stops("charge", lane_of(10, points=[{"at": 5, "kind": "fence"}])) == [216, 360]
    archers = ALL["archers"]
    assert stops("skirmish", lane_of(20), archers) == [180]
    assert (
        stops("hold", lane_of(20)) == stops("set", lane_of(20), ALL["pikemen"]) == stops("skirmish", lane_of(20)) == []
    )
    early = fight(Troop(archers, 12, 6, policy="skirmish"), target, lane_of(16), max_rounds=2)
    assert [(one[1], one[6]) for one in of(early, t.SHOOT)] == [(1, 19), (2, 19), (2, 19)]


def test_wounds_that_heal() -> None:
    """`carry_wounds = false`: what is left of a figure counts within one phase only."""
    pair = [Troop(replace(MAN, damage=parts(["d4"])), 2, 2, policy="hold") for _ in range(2)]
    lane = Lane(in_contact=True)
    assert [one[6] for one in of(fight(*pair, lane), t.DAMAGE)[:4]] == [2, 2, 4, 4]
    assert [one[6] for one in of(fight(*pair, lane, carry_wounds=False), t.DAMAGE)[:4]] == [2, 2, 2, 2]


def test_start_declarations() -> None:
    """Declarations of the start: both charge, a wall under a volley, `round_end` out of a wall."""
    riders = [Troop(ALL["heavy-cavalry"], 12, 6, policy="charge") for _ in range(2)]
    both = fight(*riders, Lane(in_contact=True, start=("charge", "charge")))
    assert [one[6] for one in of(both, t.STRIKE)[:3]] == [11, 11, 13]  # 20 - 2 - 7, once
    assert not of(both, t.CONTACT, t.LAPSE)
    one_sided = fight(riders[0], PIKES, Lane(in_contact=True, start=("charge", "set")))
    assert (one_sided.first_strikes, of(one_sided, t.STRIKE)[0][2:]) == ([0, 1], (12, 0, -1, 18, 13))
    bows, wall = Troop(ALL["archers"], 6, 6, policy="hold"), Troop(ALL["men-at-arms"], 12, 6, policy="advance")
    lane = lane_of(5, start=("none", "wall"))
    for lasts, indices in (("own_next_move", [20]), ("round_end", [20, 20])):
        battle = fight(bows, wall, lane, declaration_lasts=lasts, max_rounds=1)
        assert [
            one[6] for one in of(battle, t.SHOOT)
        ] == indices  # in contact before phase 5, or slowed down to half an inch before it
        assert of(battle, t.LAPSE)[0][1] == 1
    slow = fight(Troop(MAN, 6, 6, policy="hold"), wall, replace(lane, length=864), declaration_lasts="round_end")
    assert [one[6] for one in of(slow, t.MOVE)[:2]] == [162, 324]


def test_reserves_and_empty_slots() -> None:
    """B-LAN-27: a reserve comes up into an empty slot and acts; the nearest slot is met, the lower one of two."""
    waiting = Troop(MAN, 6, 6, policy="advance", slot=2, reserve=True)
    foes = [Troop(MAN, 6, 6, policy="hold", slot=slot) for slot in (0, 1, 3, 5)]
    battle = fight([waiting], foes, lane_of(6), max_rounds=1)
    assert of(battle, t.ADVANCE, t.MOVE, t.CONTACT) == [
        event(t.ADVANCE, 1, 0, value=2),
        event(t.MOVE, 1, 0, value=216, extra=216),
        event(t.CONTACT, 1, 0, 13, value=216, extra=0),
    ]
