"""The plain twin of Battlesystem by itself: the public cases and the worked examples of the rules."""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from statistics import fmean as mean_of
from statistics import pstdev
from typing import Any

import pytest

from simkit.core.rng import make_key
from tests.naive.battlesystem import Design, Lane, Troop, lane_of, play, rules_of
from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.frontage import attacks, front
from tests.naive.battlesystem.melee import armour_class, attack_rating, blow, killed
from tests.naive.battlesystem.morale import checks_due, needed
from tests.naive.battlesystem.presets import presets
from tests.naive.battlesystem.ratings import Creature, parts, rate_cavalry, rate_chariot
from tests.naive.battlesystem.scenes import RULES, foot, marched, unit_of
from tests.naive.battlesystem.unit import Unit

KEY = make_key(15)
FIGHTS = 2_000
CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "cases" / "battlesystem.json").read_text("utf-8"))["cases"]
}
TWO_DICE = t.faces("2d6")
Chances = Mapping[int, Fraction]


def creature(given: Mapping[str, Any]) -> Creature:
    """Read a creature of a case."""
    more = {name: given[name] for name in ("ar", "ac", "hd")}
    return Creature(**more, mv=given.get("mv", 0), damage=tuple(given["damage"]))


def rated(design: Design) -> dict[str, Any]:
    """Write the numbers that a case asks for."""
    values: dict[str, Any] = {"ar": design.ar, "hd": design.hd, "ac": design.ac, "mv": design.mv}
    values |= {"damage": [part.dice for part in design.damage], "ratio": design.ratio}
    return values | {"defences": sorted(design.defences), "attacks": sorted(design.attacks)}


def blows(design: Design, index: int, rules: Any = RULES, **how: bool) -> dict[int, Fraction]:
    """Return the chances of the hit dice of one attack."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for roll, chance in TWO_DICE.items():
        found[blow(design.ratio, design.damage, index + roll, rules, **how)] += chance
    return dict(found)


def several(one: Chances, count: int) -> dict[int, Fraction]:
    """Return the chances of the sum of so many attacks."""
    total: dict[int, Fraction] = {0: Fraction(1)}
    for _ in range(count):
        more: dict[int, Fraction] = defaultdict(Fraction)
        for so_far, p in total.items():
            for hit_dice, q in one.items():
                more[so_far + hit_dice] += p * q
        total = dict(more)
    return total


def mean(chances: Chances) -> Fraction:
    """Return the mean of chances."""
    return sum((value * chance for value, chance in chances.items()), Fraction(0))


def fractions(pmf: Mapping[str, str]) -> dict[int, Fraction]:
    """Read the chances of a case."""
    return {int(value): Fraction(chance) for value, chance in pmf.items()}


def deaths(damage: Chances, target: Callable[[], Unit]) -> dict[int, Fraction]:
    """Return the chances of the figures that damage kills."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for hit_dice, chance in damage.items():
        found[target().wounded(hit_dice)] += chance
    return dict(found)


# The public cases


@pytest.mark.parametrize("name", ["bs-01", "bs-02"])
def test_cavalry_is_rated(name: str) -> None:
    """B-CAV-1."""
    given, want = CASES[name]["given"], CASES[name]["want"]
    assert rated(rate_cavalry(creature(given["rider"]), creature(given["mount"]), 12, RULES)) == want


@pytest.mark.parametrize("name", ["bs-03", "bs-04"])
def test_chariots_are_rated(name: str) -> None:
    """B-CHA-1."""
    given, want = CASES[name]["given"], CASES[name]["want"]
    crew, team = ([creature(one) for one in given[group]] for group in ("crew", "team"))
    assert rated(rate_chariot(crew, team, 12, RULES)) == want


def test_hit_dice_killed() -> None:
    """B-MEL-1 and B-LAN-1: exactly floored (bs-05)."""
    case = CASES["bs-05"]
    found = [killed(one["ratio"], one["N"], t.mean_of(one["damage"]), RULES) for one in case["given"]]
    assert found == case["want"]


def test_a_blow() -> None:
    """B-MEL-1, by its index (bs-06)."""
    case = CASES["bs-06"]
    design = foot(damage=parts(case["given"]["damage"]))
    for index, want in zip(case["given"]["index"], case["want"], strict=True):
        found = blows(design, index)
        assert found == fractions(want["pmf"])
        assert mean(found) == Fraction(want["mean"])


def test_a_blow_of_several_parts() -> None:
    """B-MEL-3: one roll for all of them (bs-07)."""
    given, want = CASES["bs-07"]["given"], CASES["bs-07"]["want"]
    design = foot(damage=parts(given["damage"][:1], doubles=True) + parts(given["damage"][1:]))
    assert [blow(10, design.damage, given["index"] + roll, RULES) for roll in given["rolls"]] == want["hd_at_rolls"]
    found = blows(design, given["index"])
    assert found == fractions(want["pmf"])
    assert mean(found) == Fraction(want["mean"])
    doubled = [blow(10, design.damage, given["index"] + roll, RULES, charging=True) for roll in given["rolls"]]
    assert doubled == [19 + 7, 11 + 4, 0]


def test_attacks() -> None:
    """B-LAN-5 (bs-08)."""
    case = CASES["bs-08"]
    found = []
    for one in case["given"]:
        own = unit_of(foot(arm=one["arm"]), one["figures"], one["files"], one["formation"])
        enemy = unit_of(foot(), one["enemy_figures"], one["enemy_files"], one["enemy_formation"])
        found.append(attacks(front(own, "front", RULES), front(enemy, "front", RULES), RULES))
    assert found == case["want"]


def test_armour_class_behind_a_wall() -> None:
    """B-SHW-2 (bs-09)."""
    given = CASES["bs-09"]["given"]
    words = {"normal missile": "missile", "missile from above": "above"}
    found = []
    for text in given["attack"]:
        kind, _, side = text.partition(", ")
        found.append(armour_class(given["ac"], words.get(kind, kind), side or "front", t.WALL, RULES))
    assert found == CASES["bs-09"]["want"]
    around = [armour_class(5, "melee", side, t.WALL_ROUND, RULES) for side in ("front", "flank", "rear")]
    assert around == [3, 3, 3]


@pytest.mark.parametrize("number", range(5))
def test_marches(number: int) -> None:
    """B-LAN-9 (bs-10)."""
    given, want = CASES["bs-10"]["given"][number], CASES["bs-10"]["want"][number]
    lane = lane_of(**given["lane"])
    assert marched(lane, foot(mv=Fraction(given["mv"])), want["rounds"]) == want["front_after_each_round"]


def test_morale() -> None:
    """B-LAN-23 and B-LAN-24 (bs-11)."""
    case = CASES["bs-11"]
    for given, want in zip(case["given"], case["want"], strict=True):
        due = checks_due(given["start"], given["before"], given["now"], RULES)
        assert due == want["check"]
        unit = unit_of(foot(ml=given["ml"]), given["start"], 6, given["formation"])
        unit.figures = given["now"]
        passed = sum(chance for roll, chance in t.faces("2d10").items() if roll <= needed(unit, RULES))
        assert (passed if due else 1) == Fraction(want["pass"])


def test_an_exchange() -> None:
    """B-MEL-2 and B-LAN-7 (bs-12)."""
    given, want = CASES["bs-12"]["given"], CASES["bs-12"]["want"]
    damage = several(blows(foot(damage=parts(given["damage"])), given["index"]), given["attacks"])
    assert damage == fractions(want["hd_pmf"])

    def target(wound: int) -> Unit:
        unit = unit_of(foot(hd=Fraction(1)), given["target"]["figures"], 2)
        unit.wound = wound
        return unit

    for wound in given["target"]["wound"]:
        assert deaths(damage, lambda wound=wound: target(wound)) == fractions(want[f"kills_wound_{wound}"])  # type: ignore[misc]


def test_set_spears_double() -> None:
    """B-SET-2: each result after its floor (bs-13)."""
    given, want = CASES["bs-13"]["given"], CASES["bs-13"]["want"]
    damage = several(blows(foot(damage=parts(given["damage"])), given["index"], twice=True), given["attacks"])
    assert damage == fractions(want["hd_pmf"])
    assert mean(damage) == Fraction(want["mean"])
    charger = given["charger"]
    assert charger["pool_per_figure"] == foot(hd=Fraction(2)).pool
    kills = deaths(damage, lambda: unit_of(foot(hd=Fraction(2)), charger["figures"], charger["files"]))
    assert kills == fractions(want["kills"])


def test_strikers_after_first_strike() -> None:
    """B-LAN-21 (bs-14)."""
    found = []
    for given in CASES["bs-14"]["given"]:
        charger = unit_of(presets(RULES)["heavy-cavalry"], given["figures"], given["files"], given["formation"])
        enemy = unit_of(foot(arm="pike"), given["enemy_files"], given["enemy_files"])
        old = front(charger, "front", RULES).files
        charger.figures -= given["killed_first"]
        left = front(charger, "front", RULES, max(0, old - given["killed_first"]))
        found.append(attacks(left, front(enemy, "front", RULES), RULES))
    assert found == CASES["bs-14"]["want"]


State = tuple[int, int, str, int, int, str]


def test_the_smallest_whole_fight() -> None:
    """B-LAN-20 and B-LAN-25 by a chain over figures, wounds and formation (bs-15)."""
    given, want = CASES["bs-15"]["given"], CASES["bs-15"]["want"]
    designs = [
        foot(ar=one["ar"], ac=one["ac"], ml=one["ml"], damage=parts(one["damage"])) for one in (given["a"], given["b"])
    ]
    one = [
        {hit_dice: float(p) for hit_dice, p in blows(designs[s], designs[s].ar - designs[1 - s].ac).items()}
        for s in (0, 1)
    ]
    passed = {roll: float(sum(p for shown, p in t.faces("2d10").items() if shown <= roll)) for roll in range(21)}
    known: dict[State, dict[str, float]] = {}

    def side_after(side: int, state: tuple[int, int, str], damage: int) -> list[tuple[Any, float]]:
        """Where damage and the check that it asks for leave a unit: figures, wound, formation, or how it went."""
        unit = unit_of(designs[side], 2, 2, state[2])
        unit.figures, unit.wound = state[:2]
        unit.figures -= unit.wounded(damage)
        if unit.figures <= 0:
            return [("dead", 1.0)]
        stays = (unit.figures, unit.wound, unit.formation)
        if not checks_due(2, state[0], unit.figures, RULES):
            return [(stays, 1.0)]
        p = passed[needed(unit, RULES)]
        return [(stays, p), ((*stays[:2], "open") if unit.closed else "rout", 1 - p)]

    def columns(state: State) -> dict[str, float]:
        if state in known:
            return known[state]
        halves = (state[:3], state[3:])
        units = [unit_of(designs[s], 2, 2, halves[s][2]) for s in (0, 1)]
        for s in (0, 1):
            units[s].figures = halves[s][0]
        fronts = [front(unit, "front", RULES) for unit in units]
        damage: list[dict[int, float]] = [{0: 1.0}, {0: 1.0}]
        for s in (0, 1):
            for _ in range(attacks(fronts[s], fronts[1 - s], RULES)):
                more: dict[int, float] = defaultdict(float)
                for x, p in damage[s].items():
                    for y, q in one[s].items():
                        more[x + y] += p * q
                damage[s] = more
        ends: list[dict[Any, float]] = [defaultdict(float), defaultdict(float)]
        for s in (0, 1):
            for x, p in damage[1 - s].items():
                for end, q in side_after(s, halves[s], x):
                    ends[s][end] += p * q
        total: dict[str, float] = defaultdict(float, rounds=1.0)
        again = 0.0
        for a, p in ends[0].items():
            for b, q in ends[1].items():
                gone = isinstance(a, str), isinstance(b, str)
                if (a, b) == halves:
                    again += p * q
                    continue
                result: dict[str, float] = defaultdict(float)
                if not any(gone):
                    result.update(columns((*a, *b)))
                else:
                    result["mutual" if all(gone) else "win_b" if gone[0] else "win_a"] = 1.0
                    for name, end in (("a", a), ("b", b)):
                        result[f"{end}_{name}" if isinstance(end, str) else f"left_{name}"] = (
                            1.0 if isinstance(end, str) else float(end[0])
                        )
                for name, value in result.items():
                    total[name] += p * q * value
        known[state] = {name: value / (1 - again) for name, value in total.items()}
        return known[state]

    found = columns((2, 0, "closed", 2, 0, "closed"))
    for name, value in want.items():
        assert found.get(name, 0.0) == pytest.approx(value, abs=CASES["bs-15"]["tolerance"]), name


@pytest.mark.thorough
def test_the_smallest_whole_fight_played() -> None:
    """The same, thrown: means within five standard errors (bs-15)."""
    given, want = CASES["bs-15"]["given"], CASES["bs-15"]["want"]
    sides = [
        [Troop(foot(ar=one["ar"], ac=one["ac"], ml=one["ml"], damage=parts(one["damage"])), 2, 2, policy="hold")]
        for one in (given["a"], given["b"])
    ]
    columns = {"left_a": "figures_a", "left_b": "figures_b"}
    played = [play(sides, Lane(in_contact=True), KEY, trial).outcome for trial in range(FIGHTS)]
    for name, value in want.items():
        found = [outcome[columns.get(name, name)] for outcome in played]
        assert abs(mean_of(found) - value) <= 5 * pstdev(found) / FIGHTS**0.5, name


def test_every_case_is_checked() -> None:
    """Fifteen cases, each in one of the tests above."""
    text = Path(__file__).read_text("utf-8")
    assert len(CASES) == 15
    assert [name for name in CASES if name not in text] == []


# The worked examples


def test_worked_examples_of_ratings() -> None:
    """Examples 1 to 3."""
    all_rated = presets(RULES)
    heavy = all_rated["heavy-cavalry"]
    assert (heavy.ar, heavy.ac, heavy.hd, heavy.mv, heavy.pool) == (20, 7, 2, 15, 20)
    assert all_rated["worg-riders"].hd == 3
    crew = [Creature(20, 5, "1", 12, ("d6",))] * 2
    horse = Creature(16, 7, "2", 18, ("d6",))
    found = [rate_chariot(crew, [horse] * horses, 12, RULES) for horses in (2, 4, 3)]
    assert [(one.ar, one.ac, one.hd, one.mv) for one in found] == [(18, 4, 3, 12), (17, 4, 3, 18), (17, 4, 3, 18)]


def test_worked_examples_of_blows() -> None:
    """Examples 4, 5 and 9."""
    horseman = foot(kind="cavalry")
    indices = [
        attack_rating(horseman, "front", RULES, charging=charging, met_set=False, bogged=False) - 5
        for charging in (False, True)
    ]
    assert indices == [15, 13]
    assert [mean(blows(horseman, index)) for index in indices] == [Fraction(11, 4), Fraction(15, 4)]
    pikes = parts(["d6"])
    n_of = {killed(10, n, t.mean_of("d6"), RULES): n for n in range(15, 28)}
    assert sum(blow(10, pikes, n_of[hit_dice], RULES, twice=True) for hit_dice in (2, 3, 3)) == 16
    assert blow(10, parts(["d8", "d8", "d8", "d3"]), 15 + 7, RULES) == 10


def test_worked_examples_of_first_strike_and_walls() -> None:
    """Examples 6 and 8."""
    cavalry = presets(RULES)["heavy-cavalry"]
    for figures, formation, strikes in ((12, "closed", 6), (6, "closed", 3), (12, "open", 3)):
        unit = unit_of(cavalry, figures, 6, formation)
        unit.figures -= 3
        assert front(unit, "front", RULES, 3).files == strikes
    found = [
        armour_class(5, attack, side, t.WALL, RULES)
        for attack, side in (("missile", "front"), ("melee", "front"), ("melee", "rear"))
    ]
    assert found == [1, 3, 5]


def test_worked_example_of_moves() -> None:
    """Example 7: MV 12 on road, in woods, up hill, and in two penalties, adding or multiplying."""
    man, elf = foot(mv=Fraction(12)), foot(mv=Fraction(12), exempt=frozenset({"woods"}))

    def far(kind: str, height: int = 0, design: Design = man, rules: Any = RULES) -> Fraction:
        ground = [{"from": 0, "to": 60, "kind": kind, "height": height}, {"from": -9, "to": 0, "kind": "clear"}]
        ground = ground[:1] if kind == "road" else ground
        return marched(lane_of(60, ground), design, 1, rules)[0]

    assert [far("road"), far("woods"), far("woods", design=elf), far("clear", 20), far("clear", 30)] == [
        16,
        8,
        12,
        4,
        0,
    ]
    assert far("rough", 10) == 2
    assert far("rough", 10, rules=rules_of(terrain_stack="multiply")) == 4
