"""Single events of Jugger in fractions: published values, worked examples, and every way in which they can end."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from simkit.games.jugger.events import RAMS, Rammer, attack, event, pieces_lost, ram, rolls_due
from simkit.games.jugger.rules import Rules

FILE = json.loads((Path(__file__).parent / "cases" / "jugger.json").read_text(encoding="utf-8"))
EVENTS = {case["id"]: case for case in FILE["cases"] if case["kind"] == "event"}


def read(value: Any) -> Any:
    """Read the fractions of a file of cases."""
    if isinstance(value, dict):
        return {name: read(inner) for name, inner in value.items()}
    return Fraction(value) if isinstance(value, str) and value[0].isdigit() else value


@pytest.mark.parametrize("name", EVENTS)
def test_public_events(name: str) -> None:
    """Every chance of the file is met as a fraction, and nothing else can happen."""
    found = event(EVENTS[name]["inputs"])
    joint = found.pop("joint", {"": 1})
    assert found == read(EVENTS[name]["values"])
    assert sum(joint.values()) == 1


# Worked examples of the rules


def test_worked_example_1_and_2_rams() -> None:
    """A side ram of 4 x (D6 + 7), a rear ram of 2 x (D6 + 3)."""
    side = ram("side", Rammer(5, 2, 4, 100, True), Rammer(5, 0, 0, 100, True), 2, 99)
    assert {one.damage: chance for one, chance in side.items()} == dict.fromkeys(range(32, 53, 4), Fraction(1, 6))
    rear = ram("rear", Rammer(3, 0, 6, 60, True), Rammer(3, 0, 4, 60, True), 5, 99)
    assert sum(one.damage * chance for one, chance in rear.items()) == 13


def test_worked_example_3_to_5_attacks() -> None:
    """A catapult 7/3 hits a shot, a size-2 flail 7 a turn, a lever kills with 1/6, against balance with 1/12."""
    catapult = attack("catapult")
    assert catapult["miss"] == Fraction(2, 3)
    assert _mean(catapult) == Fraction(7, 3)
    assert _mean(attack("flail", 2)) == 7
    assert attack("lever") == {"miss": Fraction(5, 6), "toppled": Fraction(1, 6)}
    assert attack("lever", captain=("balance",))["toppled"] == Fraction(1, 12)


def _mean(odds: dict[Any, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in odds.items() if isinstance(value, int)), Fraction(0))


def test_worked_example_7_criticals() -> None:
    """45 damage at once from fresh: two critical rolls."""
    assert rolls_due(0, 45) == 2
    assert pieces_lost(0, 45, 1) == {0: Fraction(4, 9), 1: Fraction(5, 9)}


# More events


def test_rams_end_in_every_way() -> None:
    """J-RAM-4, J-RAM-9 to J-RAM-13."""
    heavy, light = Rammer(4, 1, 5, 80, True), Rammer(1, 0, 0, 20, True)
    for one in ram("head-on", heavy, light, 2, 99):  # drives through at velocity 4, two hexes to go
        assert one[2:] == (True, False, 0, 4, 0, 2)
    for one in ram("side", heavy, light, 1, 99):  # the wreck stays, the rammer stops before it
        assert one[2:] == (True, False, 0, 0, 0, 0)
    for kind in ("side", "rear"):
        for one in ram(kind, heavy, light, 1, 99, Rules(side_kill_drives_through=True)):
            assert one[2:] == (True, False, 0, 4, 0, 3)
    meets = ram("head-on", Rammer(2, 0, 1, 20, True), Rammer(6, 0, 3, 120, True), 0, 99)
    assert {(one.rammer_destroyed, one.target_velocity): 1 for one in meets} == {(True, 2): 1}
    both = ram("head-on", Rammer(3, 0, 3, 60, True), Rammer(2, 0, 2, 40, True), 1, 99)
    assert len(both) == 36
    assert {one[2:] for one in both} == {(False, False, 0, 0, 0, 0)}
    near = ram("side", Rammer(4, 0, 9, 80, True), Rammer(3, 0, 1, 900, True), 1, 2)
    assert {one.target_moved for one in near} == {2}  # five hexes, two of them free
    assert {one.damage for one in ram("rear", light, heavy, 0, 99)} == {0}  # the target is faster
    assert {one.target_moved for one in ram("rear", light, heavy, 0, 99)} == {1, 2, 3}  # and is bounced all the same


def test_attacks_do_what_the_tables_say() -> None:
    """J-WPN-1, J-CAP-1 to J-CAP-5, and house rules."""
    assert attack("boarders", plus=1) == {"captured": Fraction(1, 3), "miss": Fraction(2, 3)}
    assert attack("fang", captain=("evasion",))["crew killed"] == Fraction(1, 9)
    halved = attack("saw_arm", 3, captain=("damage_control",))
    assert halved[18] == Fraction(1, 18)
    assert halved[9] == Fraction(1, 9)
    cauldron = attack("cauldron")
    assert cauldron[36] == Fraction(1, 54)
    assert sum(cauldron.values()) == 1
    assert attack("trebuchet", rules=Rules(to_hit="at_least"))[10] == Fraction(1, 8)
    assert attack("flail", 2, rules=Rules(oversize="more_dice"))[7] == Fraction(6, 3 * 6**6)
    assert pieces_lost(0, 45, 9, Rules(critical_every=10))[4] == Fraction(1, 3) ** 4


def test_events_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match="no event has 'colour'"):
        event({"colour": "red"})
    assert event({"weapon": "mace_arm", "size": 2})["mean"] == 7
    assert set(RAMS) == {"head-on", "side", "rear"}
