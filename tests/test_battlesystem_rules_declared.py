"""Charges, set spears and shield walls of Battlesystem, rule by rule, read off the events of fights."""

from fractions import Fraction
from typing import Any

import pytest

from simkit.games.battlesystem import game
from simkit.games.battlesystem.battle import set_up
from simkit.games.battlesystem.crt import blow
from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.kinds import Declaration
from simkit.games.battlesystem.orders import may_charge
from simkit.games.battlesystem.ratings import rate
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario
from simkit.games.battlesystem.units import find
from tests.battlesystem_scenes import INCH, A, B, Fields, first, index, of, rounds, setup, several, side, told

FIRST_STRIKE = ["vs_charge", "always", "never"]


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    game.ready()


# Charges


def test_lances_count_double_in_a_charge() -> None:
    """B-CHG-2: the rider's result is doubled after its floor, that of the horse is not; B-LAN-22: once."""
    parts = rate(find("heavy-cavalry"), Rules()).parts
    charge = told(side("heavy-cavalry"), side("orcs", 48, 12), in_contact=True, start={"a": "charge"}, max_rounds=2)
    for number, rows in enumerate(rounds(charge)):
        against = index(rows)
        for row in of(rows, What.ROLL, unit=A):
            assert row.value == blow(against + row.roll, parts, 10, Rules(), charging=number == 0)


@pytest.mark.parametrize(
    ("distance", "charges"), [(1.5, 0), (2, 1), (22.5, 1), (22.75, 0)], ids=["too near", "least", "most", "too far"]
)
def test_how_far_a_charge_goes(distance: float, charges: int) -> None:
    """B-CHG-3: at 2 inches or more, up to half as far again as MV 15."""
    rows = told(side("heavy-cavalry", policy="charge"), side("orcs", policy="hold"), distance=distance, max_rounds=1)
    assert len([row for row in of(rows, What.CONTACT) if row.extra == 1]) == charges


@pytest.mark.parametrize(
    "lane",
    [
        {"points": [{"at": 6, "kind": "barrier"}]},
        {"ground": [{"from": 6, "to": 12, "height": 10}]},
        {"ground": [{"from": 4, "to": 6, "kind": "woods"}]},
        {"ground": [{"from": 4, "to": 6, "kind": "ford"}]},
    ],
    ids=["obstacle", "uphill", "woods", "ford"],
)
def test_what_stops_a_charge(lane: Fields) -> None:
    """B-LAN-16: no charge over an obstacle, uphill, through woods or a ford; over rough ground and downhill it goes."""
    horse, foot = side("heavy-cavalry", policy="charge"), side("orcs", policy="hold")
    barred = told(horse, foot, distance=12, lane=lane, max_rounds=1)
    assert Declaration.CHARGE not in [row.value for row in of(barred, What.DECLARE)]
    rough = {"ground": [{"from": 4, "to": 6, "kind": "rough"}]}
    down = {"ground": [{"from": 0, "to": 6, "height": 30}]}
    for allowed in (rough, down):
        rows = told(horse, foot, distance=12, lane=allowed, max_rounds=1)
        assert first(rows, What.DECLARE, A).value == Declaration.CHARGE


@pytest.mark.parametrize(
    ("now", "charges"),
    [
        ({}, True),
        ({"contacts": 1}, False),
        ({"shot": True}, False),
        ({"declared": int(Declaration.WALL)}, False),
        ({"declared": int(Declaration.SET)}, False),
        ({"place": 10 * INCH}, True),
        ({"place": 10 * INCH + 1}, False),
    ],
    ids=["free", "in contact", "shot in phase 3", "in a wall", "set", "two inches off", "nearer"],
)
def test_who_may_charge(now: Fields, charges: bool) -> None:
    """B-LAN-16: not in contact, not after fire in phase 3, not out of a wall or set; from two inches off."""
    fight = setup(side("heavy-cavalry", policy="charge"), side("orcs", policy="hold"), distance=12)
    state = game.new_state()
    set_up(fight, state)
    for name, value in now.items():
        state["units"][A][name] = value
    assert bool(may_charge(fight, state, A, 1)) is charges


def test_foot_charges_without_a_bonus() -> None:
    """B-LAN-16: foot may charge, but only cavalry and chariots have 2 off their AR."""
    indexes = [
        index(told(side(design, policy=policy), side("pikemen", policy="hold"), distance=6, max_rounds=1))
        for design in ("men-at-arms", "heavy-cavalry")
        for policy in ("charge", "advance")
    ]
    assert indexes == [14, 14, 12, 14]


def test_a_charger_breaks_through() -> None:
    """B-LAN-28: whose target is gone goes on into the next enemy at once, with the bonus, once a round."""
    weak = {"design": "kobolds", "figures": 1, "files": 1, "policy": "hold"}
    b = {"units": [weak, weak | {"design": "orcs", "figures": 12, "reserve": True}]}
    fight = setup(side("heavy-cavalry", policy="charge"), b, distance=10, max_rounds=1)
    seen = 0
    for rows in several(fight, 20):
        through = of(rows, What.BREAKTHROUGH)
        assert len(through) <= 1
        for row in through:
            seen += 1
            assert (row.unit, row.foe) == (A, B + 1)
            blows = [one for one in rows[rows.index(row) :] if one.what == What.STRIKE and one.unit == A]
            assert [one.extra for one in blows] == [20 - 2 - 6]
    assert seen


# Set spears


def set_pikes(charger: Fields, rules: Fields | None = None, trial: int = 0, **more: Any) -> list[game.Row]:
    """Return the first round of a charge, or an advance, into set pikes."""
    battle = {"distance": 10, "start": {"a": "set"}, "max_rounds": 1, **more}
    return told(side("pikemen", 18, policy="set"), charger, rules, trial, **battle)


HORSE = side("heavy-cavalry", policy="charge")


def test_set_spears_do_double_damage_once() -> None:
    """B-SET-2: each result is doubled after its floor, for a charger alone."""
    parts = rate(find("pikemen"), Rules()).parts
    for charger, times in ((HORSE, 2), (side("heavy-cavalry", policy="advance"), 1)):
        rows = set_pikes(charger)
        against = index(rows)
        for row in of(rows, What.ROLL, unit=A):
            assert row.value == times * blow(against + row.roll, parts, 10, Rules())
    single = set_pikes(HORSE, {"set_doubles": False})
    assert all(row.value == blow(index(single) + row.roll, parts, 10, Rules()) for row in of(single, What.ROLL, unit=A))


def test_a_charger_loses_figures_before_it_strikes() -> None:
    """B-SET-3: the charger's losses come off first, and it has no bonus (B-CHG-1)."""
    rows = set_pikes(HORSE)
    order = [(row.what, row.unit) for row in of(rows, What.STRIKE, What.DAMAGE)]
    assert order == [(What.STRIKE, A), (What.DAMAGE, B), (What.STRIKE, B), (What.DAMAGE, A)]
    assert index(rows, unit=B) == 20 - 6


@pytest.mark.parametrize("value", FIRST_STRIKE)
@pytest.mark.parametrize("policy", ["charge", "advance"])
def test_whom_set_spears_strike_first(value: str, policy: str) -> None:
    """B-SET-4: by default chargers alone, by the letter everybody, by choice nobody."""
    rows = set_pikes(side("heavy-cavalry", policy=policy), {"set_first_strike": value})
    early = [row.what for row in of(rows, What.STRIKE, What.DAMAGE)][1] == What.DAMAGE
    assert early == (value == "always" or (value == "vs_charge" and policy == "charge"))


@pytest.mark.parametrize(
    ("charger", "left"),
    [
        (side("heavy-cavalry", 12, policy="charge"), lambda killed: min(6, 12 - killed)),
        (side("heavy-cavalry", 6, policy="charge"), lambda killed: 6 - killed),
        (side("heavy-cavalry", 12, formation="open", policy="charge"), lambda killed: min(4, 6 - killed)),
    ],
    ids=["two ranks", "one rank", "open"],
)
def test_who_is_left_to_strike(charger: Fields, left: Any) -> None:
    """B-LAN-21: a closed front is filled from the rear, an open one and a single rank are not."""
    seen = set()
    for trial in range(12):
        rows = set_pikes(charger, trial=trial)
        lost = of(rows, What.LOSE, unit=B)
        killed = lost[0].value if lost and rows.index(lost[0]) < rows.index(first(rows, What.STRIKE, B)) else 0
        assert first(rows, What.STRIKE, B).value == left(killed)
        seen.add(killed)
    assert max(seen) >= 2


def test_from_the_second_exchange_on_nobody_charges() -> None:
    """B-LAN-22: blows are at once again, and neither side doubles."""
    rows = rounds(told(side("pikemen", 48, 12, policy="set"), side("heavy-cavalry", 24, 12, policy="charge"),
                       distance=10, start={"a": "set"}, max_rounds=2))[1]  # fmt: skip
    assert [row.what for row in of(rows, What.STRIKE, What.DAMAGE)] == [What.STRIKE] * 2 + [What.DAMAGE] * 2
    parts = rate(find("pikemen"), Rules()).parts
    assert all(row.value == blow(index(rows) + row.roll, parts, 10, Rules()) for row in of(rows, What.ROLL, unit=A))


# Shield walls


def test_a_wall_against_missiles_and_blows() -> None:
    """B-SHW-2: AC better by 4 against missiles, by 2 in melee, in front."""
    shots, blows = [], []
    for policy in ("hold", "wall"):
        arrows = told(side("archers", policy="hold"), side("men-at-arms", policy=policy), distance=5, max_rounds=1)
        shots.append(of(arrows, What.SHOOT)[-1].extra)
        melee = told(side("orcs"), side("men-at-arms", policy=policy), distance=3, start={"b": "none"}, max_rounds=2)
        blows.append(of(melee, What.STRIKE, unit=A)[-1].extra)
    assert (shots[1] - shots[0], blows[1] - blows[0]) == (4, 2)


def test_a_wall_moves_at_half_rate() -> None:
    """B-SHW-4: men of MV 9 behind a wall go 4.5 inches."""
    rows = told(side("men-at-arms", policy="wall_advance"), side("orcs", policy="hold"), distance=20, max_rounds=1)
    assert first(rows, What.MOVE, A).extra == 4.5 * INCH


@pytest.mark.parametrize(("lasts", "ends"), [("own_next_move", 0), ("round_end", 1)])
def test_how_long_a_wall_lasts(lasts: str, ends: int) -> None:
    """B-SHW-5: to the next own movement phase, where it is declared anew; or to the end of the round."""
    one, two = rounds(
        told(side("men-at-arms", policy="wall"), side("orcs", policy="hold"), {"declaration_lasts": lasts},
             distance=20, max_rounds=2)
    )  # fmt: skip
    assert [len(of(rows, What.DECLARE, unit=A)) for rows in (one, two)] == [1, 1]
    assert len(of(one, What.LAPSE, unit=A)) == ends
    assert len(of(two, What.LAPSE, unit=A)) == 1


def test_a_wall_to_all_sides_stands_still_and_has_no_flank() -> None:
    """B-LAN-14, B-SHW-3: nobody declares it on the way, as its turns and the wall would cost more than a whole move."""
    wall = {"design": "men-at-arms", "figures": 9, "files": 3}
    battle = {"start": {"b": "wall_round"}, "contact": "flank"}
    scenario = Scenario.model_validate({"sides": {"a": side("orcs"), "b": wall}, "scenario": battle})
    assert [complaint.id for complaint in game.complaints(scenario, Rules())] == ["B-SHW-3"]
    half_turn = 2 * Fraction(Rules().turn_move)
    assert half_turn + Fraction(Rules().set_move) == 1 and half_turn + Fraction(Rules().reform_move) == 1
    for policy in ("wall", "set", "wall_advance", "best"):
        design = "pikemen" if policy == "set" else "men-at-arms"
        rows = told(side(design, policy=policy), side("orcs"), distance=12, max_rounds=6)
        declared = {row.value for row in of(rows, What.DECLARE, unit=A)}
        assert not declared & {Declaration.WALL_ROUND, Declaration.SET_ROUND}
