"""Builds: all of them, counted twice and against brute force (J-DES-3), and random regulation jugs (J-BALL-22)."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import sqrt
from typing import Any

import pytest

from simkit.core.key import make_key
from simkit.games.jugger.aliases import STANDARD, WEAPONS
from simkit.games.jugger.builds import Illegal, builds, count_builds, regulation_chances, regulation_jugger
from simkit.games.jugger.designs import IMPROVEMENTS, Design, Item, complaints, spaces
from simkit.games.jugger.rules import Rules

RULES = Rules()
COUNTS = {1: 29, 2: 456, 3: 5128, 4: 46043}
EQUIPMENT = ("gears", "brakes", "steering", "armor", "reinforced_ram", "legs", "sails", "winch")


def sorted_builds(size: int, rules: Rules) -> list[tuple[Item, ...]]:
    return [tuple(sorted(build)) for build in builds(size, rules)]


def brute_force(size: int, rules: Rules, most: int) -> set[tuple[Item, ...]]:
    """Try every multiset of up to so many items: it must fill all spaces and raise no complaint."""
    room = size * rules.spaces_per_size
    everything = [Item(kind) for kind in EQUIPMENT]
    everything += [Item(kind, n) for kind in WEAPONS for n in range(1, room + 1)]
    width = {item: spaces(item, rules) for item in everything}
    everything = [item for item in everything if width[item] <= room]
    found = set()
    for number in range(1, most + 1):
        for chosen in combinations_with_replacement(sorted(everything), number):
            if sum(width[item] for item in chosen) == room and not complaints(Design.of(size, chosen), rules):
                found.add(chosen)
    return found


@pytest.mark.parametrize(("size", "count"), COUNTS.items())
def test_there_are_so_many_builds_and_each_comes_once(size: int, count: int) -> None:
    found = sorted_builds(size, RULES)
    assert len(found) == len(set(found)) == count_builds(size, RULES) == count


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_builds_are_those_that_brute_force_finds(size: int) -> None:
    assert set(sorted_builds(size, RULES)) == brute_force(size, RULES, most=size)


@pytest.mark.parametrize(
    ("size", "rules", "most"),
    [
        (1, Rules(legs_spaces=0), 2),
        (2, Rules(legs_spaces=0), 3),
        (1, Rules(legs_spaces=2), 1),
        (2, Rules(legs_spaces=2), 2),
        (2, Rules(winch_spaces=0), 4),
        (2, Rules(winch_spaces=2), 2),
        (2, Rules(weapon_spaces=2), 2),
        (1, Rules(spaces_per_size=2, gears_spaces=2), 2),
        (1, Rules(spaces_per_size=3, weapon_spaces=2, gears_spaces=3), 3),
    ],
)
def test_other_spaces_make_other_builds(size: int, rules: Rules, most: int) -> None:
    found = sorted_builds(size, rules)
    assert len(found) == len(set(found)) == count_builds(size, rules)
    assert set(found) == brute_force(size, rules, most)


def parts(n: int, k: int) -> int:
    """Count the partitions of n into k parts."""
    if n == 0 or k == 0:
        return int(n == k)
    return 0 if n < k else parts(n - 1, k - 1) + parts(n - k, k)


def times(one: list[int], other: list[int]) -> list[int]:
    """Multiply two power series."""
    return [sum(one[i] * other[n - i] for i in range(n + 1)) for n in range(len(one))]


def by_series(most: int) -> list[int]:
    """Count builds by size from the partitions of whole numbers: each kind of weapon is one partition of its spaces."""
    sizes = range(most + 1)
    weapon = [sum(parts(n, k) for k in sizes) for n in sizes]
    armed = [sum(parts(n - w, k) for w in range(n + 1) for k in range(w, most + 1)) for n in sizes]
    one = [1] * len(sizes)
    total = armed
    for _ in range(len(WEAPONS) - 1):
        total = times(total, weapon)
    for _ in range(5):
        total = times(total, one)
    sails_or_legs = [1 + (n == 1) for n in sizes]
    return times(total, sails_or_legs)


def test_a_large_jug_is_counted_without_being_listed() -> None:
    assert [count_builds(size, RULES) for size in range(1, 13)] == by_series(12)[1:]
    assert sum(1 for _ in builds(5, RULES)) == count_builds(5, RULES) == 350_007
    assert count_builds(10, RULES) == 1_866_369_637


# Random regulation jugs


@pytest.mark.parametrize(
    ("kind", "illegal", "chance"),
    [
        ("legs", "reroll_one", Fraction(219, 1000)),
        ("deflector", "reroll_one", Fraction(4019, 16000)),
        ("catcher", "reroll_one", Fraction(4019, 16000)),
        ("gears", "reroll_one", Fraction(57511, 196000)),
        ("legs", "reroll_jug", Fraction(21, 118)),
        ("deflector", "reroll_jug", Fraction(27, 118)),
        ("legs", "nothing", Fraction(219, 1000)),
        ("deflector", "nothing", Fraction(49, 200)),
    ],
)
def test_the_chance_of_an_improvement_is_exact(kind: str, illegal: Illegal, chance: Fraction) -> None:
    chances = regulation_chances(illegal)
    assert sum(chances.values()) == 1
    assert sum(part for jug, part in chances.items() if Item(kind) in jug) == chance


def test_there_are_1055_regulation_jugs_and_all_are_legal() -> None:
    chances = regulation_chances()
    assert len(chances) == len({tuple(sorted(jug)) for jug in chances}) == 1055
    assert set(chances) == set(regulation_chances("reroll_jug"))
    for jug in chances:
        assert len(jug) == 3
        assert complaints(Design.of(3, jug, regulation=True), RULES) == []


def test_the_regulation_jugs_are_those_that_brute_force_finds() -> None:
    everything = [Item(kind) for kind in (*IMPROVEMENTS, *STANDARD)]
    legal = {
        tuple(sorted(jug))
        for jug in combinations_with_replacement(everything, 3)
        if not complaints(Design.of(3, jug, regulation=True), RULES)
    }
    assert legal == {tuple(sorted(jug)) for jug in regulation_chances()}


def test_weapons_and_ball_players_by_number() -> None:
    chances = regulation_chances()
    weapons: Counter[int] = Counter()
    for jug, chance in chances.items():
        weapons[sum(item.kind in STANDARD for item in jug)] += chance  # type: ignore[assignment]
    assert weapons == {
        0: Fraction(3711, 7840),
        1: Fraction(16083, 39200),
        2: Fraction(10621, 98000),
        3: Fraction(1, 125),
    }
    players = sum(chance for jug, chance in chances.items() if {Item("legs"), Item("catcher")} & set(jug))
    assert players == Fraction(7523, 16000)


def test_one_of_three_forbids_the_deflector_beside_the_catcher() -> None:
    both = {Item("deflector"), Item("catcher")}
    assert any(both <= set(jug) for jug in regulation_chances())
    assert not any(both <= set(jug) for jug in regulation_chances(special_limit="one_of_three"))


def key_of(design: Design) -> tuple[Item, ...]:
    order = (*IMPROVEMENTS, *STANDARD)
    return tuple(sorted(design.items, key=lambda item: order.index(item.kind)))


@pytest.mark.parametrize("illegal", ["reroll_one", "reroll_jug", "nothing"])
@pytest.mark.thorough
def test_rolled_jugs_come_as_often_as_they_should(illegal: Any) -> None:
    chances = regulation_chances(illegal)
    rolled = [key_of(regulation_jugger(make_key(7), number, illegal=illegal)) for number in range(4000)]
    assert set(rolled) <= set(chances)
    for kind in (*IMPROVEMENTS, *STANDARD):
        expected = float(sum(chance for jug, chance in chances.items() if Item(kind) in jug))
        share = sum(Item(kind) in jug for jug in rolled) / len(rolled)
        assert abs(share - expected) < 4.5 * sqrt(expected * (1 - expected) / len(rolled)), kind


def test_a_jug_is_always_the_same_at_its_address_and_another_elsewhere() -> None:
    key = make_key(3)
    team = [regulation_jugger(key, 5, seat) for seat in range(14)]
    assert team == [regulation_jugger(key, 5, seat) for seat in range(14)]
    assert all(complaints(jug, RULES) == [] for jug in team)
    assert len({key_of(jug) for jug in team}) > 10
    assert team != [regulation_jugger(key, 6, seat) for seat in range(14)]
    assert team != [regulation_jugger(make_key(4), 5, seat) for seat in range(14)]


def test_readings_of_an_illegal_result_differ_only_where_there_is_one() -> None:
    key = make_key(11)
    illegal_results = 0
    for number in range(300):
        one, jug, none = (
            regulation_jugger(key, number, illegal=illegal).items for illegal in ("reroll_one", "reroll_jug", "nothing")
        )
        assert len(one) == len(jug) == 3
        if len(none) == 3:
            assert one == jug == none
        else:
            illegal_results += 1
    lost = sum(chance for jug, chance in regulation_chances("nothing").items() if len(jug) < 3)
    assert abs(illegal_results / 300 - float(lost)) < 4.5 * sqrt(float(lost * (1 - lost)) / 300)
