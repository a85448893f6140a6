"""The public worked examples of fights, as the kernels play them."""

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.core.rng import make_key
from simkit.games.battlesystem import compile as room
from simkit.games.battlesystem.appraise import Kind
from simkit.games.battlesystem.chain import Judge
from simkit.games.battlesystem.exact import Losses, exchange
from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.kinds import Blow, Formation
from simkit.games.battlesystem.records import EVENTS, Outcome, Setup, State
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "cases/battlesystem.json").read_text(encoding="utf-8"))["cases"]
}
MAN = {"ar": 20, "ac": 5, "hd": "1", "mv": 9, "damage": ["d8"]}
LANCE = {"ar": 20, "ac": 4, "hd": "1", "damage": ["2d4+1"], "doubles": True}
KNIGHT = {"rider": LANCE, "mount": "heavy-warhorse", "ml": 13}
TOUCH = {"in_contact": True}


def side(design: Any, figures: int = 1, files: int = 1, formation: str = "closed", policy: str = "hold") -> Any:
    """Return a side of one unit."""
    return {"design": design, "figures": figures, "files": files, "formation": formation, "policy": policy}


def fight(a: Any, b: Any, **scenario: Any) -> Scenario:
    """Return a fight of two sides."""
    return Scenario.model_validate({"sides": {"a": a, "b": b}, "scenario": scenario})


def judge(scenario: Scenario, rules: Rules = Rules()) -> Judge:  # noqa: B008 - never changed
    """Return what answers for the kernels."""
    return Judge(room.compile(scenario, rules), rules.rolled("attack_dice"), rules.rolled("morale_dice"))


def events(scenario: Scenario, rules: Rules = Rules()) -> list[tuple[int, ...]]:  # noqa: B008
    """Return the trace of a battle."""
    from simkit.games.battlesystem.play import play_units

    setups, state, key = Setup.array(1), State.scratch(), make_key(7)
    setups[0] = room.compile(scenario, rules)
    state.room = EVENTS
    columns = len(Outcome._fields)
    none = np.zeros((0, 256, columns, 4), np.int64)
    play_units(setups, state, key.stream, key.tweak, 0, 1, none, np.zeros((0, columns), np.int64))
    return [tuple(one) for one in state.events[: state.noted].tolist()]


def fractions(wanted: dict[str, str]) -> dict[int, Fraction]:
    """Return the chances of a public case."""
    return {int(value): Fraction(chance) for value, chance in wanted.items()}


def test_hit_dice_killed_are_exact() -> None:
    """B-MEL-1 and B-LAN-1: floats would give others (bs-05)."""
    case = CASES["bs-05"]
    for given, want in zip(case["given"], case["want"], strict=True):
        design = {**MAN, "damage": [given["damage"]], "ratio": given["ratio"]}
        unit = room.compile(fight(side(design), side(MAN)), Rules()).units[0]
        steps = min(max(28 - given["N"], 0), 20)
        assert unit.kills[Blow.PLAIN][steps] == want, given


def test_one_blow() -> None:
    """B-MEL-1: in full distribution at three indices (bs-06)."""
    case = CASES["bs-06"]
    for index, want in zip(case["given"]["index"], case["want"], strict=True):
        _, b = exchange(fight(side({**MAN, "ar": index + 5}), side(MAN), **TOUCH), Rules())
        assert b.hit_dice == fractions(want["pmf"])
        assert mean(b) == Fraction(want["mean"])


def mean(losses: Losses) -> Fraction:
    """Return the hit dice lost on average."""
    return sum((hd * chance for hd, chance in losses.hit_dice.items()), Fraction(0))


def test_one_roll_serves_the_whole_damage() -> None:
    """B-MEL-3: lance, hooves and bite are each looked up with it and added (bs-07)."""
    want = CASES["bs-07"]["want"]
    _, b = exchange(fight(side(KNIGHT), side(MAN), **TOUCH), Rules())
    assert b.hit_dice == fractions(want["pmf"])
    told = events(fight(side(KNIGHT, 24, 24), side(MAN, 24, 24), **TOUCH, max_rounds=1))
    rolls = {event[4]: event[5] for event in told if event[0] == What.ROLL and event[2] == 0}
    by_roll = dict(zip(CASES["bs-07"]["given"]["rolls"], want["hd_at_rolls"], strict=True))
    assert rolls[7] == by_roll[7] == 11


def test_who_strikes() -> None:
    """B-UNI-3 and B-LAN-5: contact, overlaps, ranks (bs-08)."""
    case = CASES["bs-08"]
    for given, want in zip(case["given"], case["want"], strict=True):
        a = side({**MAN, "arm": given["arm"]}, given["figures"], given["files"], given["formation"])
        b = side(MAN, given["enemy_figures"], given["enemy_files"], given["enemy_formation"])
        kinds = tuple(Kind(one["figures"], 0, int(Formation[one["formation"].upper()])) for one in (a, b))
        assert judge(fight(a, b, **TOUCH)).pair((kinds[0], kinds[1]), first=True).number_a == want, given


@pytest.mark.parametrize(("contact", "gain", "want"), [("front", 0, 1), ("flank", 1, 3), ("rear", 2, 4)])
def test_a_shield_wall(contact: str, gain: int, want: int) -> None:
    """B-SHW-2: AC 5 counts 3 in melee on the front, 5 elsewhere, and 1 against missiles on the front (bs-09)."""
    wanted = CASES["bs-09"]["want"]
    wall = side({**MAN, "large_shields": True}, 12, 6, policy="wall")
    told = events(fight(side(MAN, 6, 6), wall, contact=contact, max_rounds=1, **TOUCH))
    index = next(event[6] for event in told if event[0] == What.STRIKE and event[2] == 0)
    assert 20 - gain - index == wanted[want]
    if contact == "front":
        archers = side({**MAN, "bow": "long", "bow_damage": "d6"}, 6, 6)
        shots = events(fight(archers, wall, distance=6, start={"b": "wall"}, max_rounds=1))
        assert 20 - next(event[6] for event in shots if event[0] == What.SHOOT) == wanted[0]


def places(lane: Any, mv: int, rules: Rules = Rules(), **more: Any) -> list[Fraction]:  # noqa: B008
    """Return where the front of side a stands after each of its moves, in inches."""
    walker = side({**MAN, "mv": mv, **more}, formation="open", policy="advance")
    told = events(fight(walker, side(MAN), lane=lane), rules)
    return [Fraction(event[5], 36) for event in told if event[0] == What.MOVE and event[2] == 0]


@pytest.mark.parametrize("number", range(5))
def test_marches(number: int) -> None:
    """B-TER-2 to B-TER-7 and B-LAN-9 (bs-10)."""
    given, want = CASES["bs-10"]["given"][number], CASES["bs-10"]["want"][number]
    assert places(given["lane"], given["mv"]) == want["front_after_each_round"]


HILL = {"length": 40, "ground": [{"from": "1/36", "to": 40, "height": 20}]}
ROUGH_HILL = {"length": 40, "ground": [{"from": 0, "to": "1/36", "kind": "rough"},
                                       {"from": "1/36", "to": 40, "kind": "rough", "height": 10}]}  # fmt: skip
WOODS = {"length": 40, "ground": [{"from": 0, "to": 40, "kind": "woods"}]}


@pytest.mark.parametrize(
    ("lane", "more", "rules", "want"),
    [
        ({"length": 40, "ground": [{"from": 0, "to": 40, "kind": "road"}]}, {}, {}, 16),
        (WOODS, {}, {}, 8),
        (WOODS, {"exempt": ["woods"]}, {}, 12),
        (HILL, {}, {}, 4),
        (ROUGH_HILL, {}, {}, 2),
        (ROUGH_HILL, {}, {"terrain_stack": "multiply"}, 4),
    ],
)
def test_the_rulebooks_moves(lane: Any, more: Any, rules: Any, want: int) -> None:
    """Worked example 7: MV 12 on a road, in woods (elves too), up 20 feet, on rough ground and up 10 feet."""
    assert places(lane, 12, Rules(**rules), **more)[0] == want


def test_morale() -> None:
    """B-LAN-23 and B-LAN-24: when a unit checks, and the chance to pass (bs-11)."""
    case = CASES["bs-11"]
    for given, want in zip(case["given"], case["want"], strict=True):
        asked = judge(fight(side({**MAN, "ml": given["ml"]}, given["start"], 6), side(MAN), **TOUCH))
        kind = Kind(given["now"], 0, int(Formation[given["formation"].upper()]))
        found = asked.morale(0, given["before"], kind, first=True)
        assert found.due == int(want["check"])
        if found.due:
            assert asked.passes(found.needed) == Fraction(want["pass"])


def kills(hit_dice: dict[int, Fraction], wound: int, pool: int, most: int) -> dict[int, Fraction]:
    """Return the chances of figures that fall."""
    found: dict[int, Fraction] = {}
    for hurt, chance in hit_dice.items():
        fallen = min((wound + hurt) // pool, most)
        found[fallen] = found.get(fallen, Fraction(0)) + chance
    return found


def test_blows_are_pooled() -> None:
    """B-MEL-2 and B-LAN-7: two blows on figures of ten hit dice (bs-12)."""
    want = CASES["bs-12"]["want"]
    _, b = exchange(fight(side(MAN, 2, 2), side(MAN, 2, 2), **TOUCH), Rules())
    assert b.hit_dice == fractions(want["hd_pmf"])
    assert b.figures == fractions(want["kills_wound_0"])
    assert kills(dict(b.hit_dice), 5, 10, 2) == fractions(want["kills_wound_5"])


def test_set_spears_double() -> None:
    """B-SET-2 and B-SET-3: three results, each doubled after its floor, on twelve chargers (bs-13)."""
    want = CASES["bs-13"]["want"]
    pikes = side({**MAN, "damage": ["d6"], "arm": "pike"}, 3, 3)
    _, b = exchange(fight(pikes, side(KNIGHT, 12, 6), **TOUCH, start={"a": "set", "b": "charge"}), Rules())
    assert b.hit_dice == fractions(want["hd_pmf"])
    assert mean(b) == Fraction(want["mean"])
    assert b.figures == fractions(want["kills"])


def test_who_strikes_after_a_first_strike() -> None:
    """B-SET-3 and B-LAN-21: a closed charger refills its front (bs-14, worked example 6)."""
    case = CASES["bs-14"]
    for given, want in zip(case["given"], case["want"], strict=True):
        charger = side(KNIGHT, given["figures"], given["files"], given["formation"])
        pikes = side({**MAN, "arm": "pike"}, given["enemy_files"], given["enemy_files"])
        asked = judge(fight(pikes, charger, **TOUCH, start={"a": "set", "b": "charge"}))
        left = Kind(given["figures"] - given["killed_first"], 0, int(Formation[given["formation"].upper()]))
        pair = (Kind(given["enemy_files"], 0, 0), left)
        assert asked.pair(pair, first=True, late=1, lost=given["killed_first"]).number_b == want, given


def test_a_charge_takes_two_from_ar() -> None:
    """Worked example 4: AR 20 against AC 5 is 15, charging on horseback 13; set spears take the two away (B-CHG-1)."""
    man = side(MAN, 6, 6)
    pikes = side({**MAN, "arm": "pike"}, 6, 6)

    def index(foe: Any, start: Sequence[str]) -> int:
        scenario = fight(foe, side(KNIGHT, 6, 6), **TOUCH, start={"a": start[0], "b": start[1]})
        return judge(scenario).pair((Kind(6, 0, 0), Kind(6, 0, 0)), first=True).index_b

    assert [index(man, ("none", "none")), index(man, ("none", "charge")), index(pikes, ("set", "charge"))] == [
        15, 13, 15,
    ]  # fmt: skip
