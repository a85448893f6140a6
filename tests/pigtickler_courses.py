"""Random Pig Tickler courses and house rules, and the same dice for the package and for its plain twin.

The twin knows one edition of the rules. What it has no name for (other dice, other target numbers, another
collision table) is put between the dice and the twin: it is told the total that means the same by its own rules.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil
from typing import Any

import numpy as np
from hypothesis import strategies as st

from simkit.core.rng import Key
from simkit.games.pigtickler.compile import compile as compile_course
from simkit.games.pigtickler.course import Scenario
from simkit.games.pigtickler.rules import Rules
from tests.naive import pigtickler as naive

PURPOSES = ("manoeuvre", "fence", "collision", "other", "hit")
DICE_FIELDS = {
    "manoeuvre": "dice",
    "fence": "fence_dice",
    "collision": "collision_dice",
    "other": "collision_dice",
    "hit": "hit_dice",
}
STANDARD_DICE = {"dice": "2d6", "fence_dice": "1d6", "collision_dice": "2d6", "hit_dice": "2d6"}
HIGH_KEY = Key(np.uint64(0xF0E1D2C3B4A59687), np.uint64(0x8899AABBCCDDEEFF))
"""Both words above 2**63, where signed arithmetic would show."""

# Courses and rules

HOUSE_BOG = "mire"
AHEAD = ("edge", "obstacle", "lancer", "chasm", "pig", "ford", "swamp", HOUSE_BOG)
BOGS = ("ford", "shallow", "grass", "deep_sand", "swamp", HOUSE_BOG)
STEPS: list[dict[str, Any]] = [
    *[{"up": n} for n in (1, 1, 1, 2, 2)],
    *[{"turn": n} for n in (1, 3)],
    *[{"turn": 1, "ahead": ahead} for ahead in AHEAD],
    *[{"bog": bog} for bog in BOGS],
    *[{"bog": bog, "bends": bends} for bog in ("ford", "snow", HOUSE_BOG) for bends in (0, 1, 2)],
    *[{"avoid": what} for what in ("obstacle", "lancer") for _ in range(6)],
    *[{"beside": what} for what in ("wall", "fence", "hedge") for _ in range(3)],
    *[{"cross": what} for what in ("fence", "hedge") for _ in range(4)],
    *[{"ramp": True} for _ in range(4)],
    *[{"chasm": True} for _ in range(8)],
    *[{"stop": True, "ahead": ahead} for ahead in AHEAD],
    {"stop": True},
    *[{"pig": True} for _ in range(9)],
]
"""Every kind of step but down; those that matter most stand here more than once."""

TURNS = (1, 2, 3, 4, 5)


DOWN = (1, 0, 2, 0, 1, 3, 5)
LAST: list[list[dict[str, Any]]] = [[], [{"pig": True}], [{"bog": "ford"}], [{"bog": HOUSE_BOG, "bends": 1}]]
"""What a course may end with: most of it asks whether he still rides straight."""


@st.composite
def courses(draw: st.DrawFn, most: int = 3, turns: tuple[int | None, ...] = TURNS) -> dict[str, Any]:
    """Draw a course: so many steps, each with or without a hill before it, and an end; turns None is no limit."""
    legs = draw(st.lists(st.tuples(st.sampled_from(DOWN), st.sampled_from(STEPS)), min_size=1, max_size=most))
    steps = [step for down, last in legs for step in ([{"down": down}] if down else []) + [last]]
    return {
        "steps": steps + draw(st.sampled_from(LAST)),
        "ahead": draw(st.sampled_from(AHEAD)),
        "turns": draw(st.sampled_from(turns)),
    }


def often(default: Any, *others: Any) -> st.SearchStrategy[Any]:
    """Draw the default half of the time."""
    return st.sampled_from([default] * len(others) + list(others))


TWIN_RULES: dict[str, st.SearchStrategy[Any]] = {
    "altered_odds": st.booleans(),
    "dice": often("2d6", "1d10", "3d6kh2", "2d6+1", "1d12"),
    "unicycle_damage": st.sampled_from((True, True, False)),
    "uphill_reroll": st.booleans(),
    "bog_edge_reroll": st.booleans(),
    "failed_stop": st.sampled_from(naive.CHOICES["failed_stop"]),
    "downhill_cross": st.sampled_from(naive.CHOICES["downhill_cross"]),
    "free_facing": st.booleans(),
    "neighbour_policy": st.sampled_from(naive.CHOICES["neighbour_policy"]),
    "wound_effect": st.sampled_from(naive.CHOICES["wound_effect"]),
    "damage_modifier": often(-1, -3, -2, 0, 2),
    "wreck_at": st.sampled_from((1, 2, 3, 4)),
    "pig_bonus": st.sampled_from(naive.CHOICES["pig_bonus"]),
    "hit_target": often(7, 2, 5, 9, 13),
    "hit_fumble": often(3, 1, 5, 8),
    "bogs": st.fixed_dictionaries(
        {HOUSE_BOG: st.integers(-7, 4)}, optional={"ford": st.integers(-4, 3), "swamp": st.integers(-9, 0)}
    ),
}
"""Every field that the twin knows."""

TRANSLATED_RULES: dict[str, st.SearchStrategy[Any]] = {
    "fence_dice": often("1d6", "1d4", "2d6", "1d1"),
    "collision_dice": often("2d6", "1d12", "3d6kh2", "3d6kl2", "2d6+2"),
    "hit_dice": often("2d6", "1d10", "3d6kh2"),
    "standard_target": often(6, 4, 8, 12),
    "altered_target": often(5, 3, 7),
    "collision_both": often(3, 2, 5, 8),
    "collision_wound": often(6, 3, 8),
    "collision_damage": often(7, 5, 9),
    "collision_nothing": often(10, 8, 11),
}
"""Fields that only change which total means what: they are translated for the twin."""


def house_rules(*, translated: bool = True) -> st.SearchStrategy[dict[str, Any]]:
    """Draw rule overrides; all but three of the fields are left alone half of the time."""
    fields = {**TWIN_RULES, **(TRANSLATED_RULES if translated else {})}
    always = {name: fields.pop(name) for name in ("bogs", "pig_bonus", "unicycle_damage")}
    return st.fixed_dictionaries(always, optional=fields)


# To the package


def scenario_of(course: Mapping[str, Any]) -> Scenario:
    """Write a course of the twin as a scenario of the package."""
    turns = course.get("turns", 1)
    return Scenario.model_validate({"course": {**course, "turns": "unlimited" if turns is None else turns}})


def rules_of(house: Mapping[str, Any]) -> Rules:
    """Lay overrides over the rules of record, bogs one by one."""
    given = dict(house)
    if "bogs" in given:
        given["bogs"] = {**naive.DEFAULTS["bogs"], **given["bogs"]}
    return Rules(**given)


def setup_of(course: Mapping[str, Any], house: Mapping[str, Any] | None = None) -> Any:
    """Compile a course to the record that kernels play."""
    return compile_course(scenario_of(course), rules_of(house or {}))


# Dice: the bits at an address, and what they show, written anew

WORD = 2**64


def _mix(z: int, tweak: int = 0) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD ^ tweak
    z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
    return z ^ z >> 31


def bits(key: Key, trial: int, task: int, purpose: str, i: int) -> int:
    """Return the 64 bits of one throw."""
    golden = 0x9E3779B97F4A7C15
    stream = _mix((int(key.stream) + trial * golden) % WORD)
    address = task << 32 | PURPOSES.index(purpose) << 16 | i
    return _mix((stream + address * golden) % WORD, int(key.tweak))


def chances(dice: str) -> dict[int, Fraction]:
    """Return the chance of each total of ``"2d6"``, ``"2d6+1"`` or ``"3d6kh2"``, by listing all throws."""
    body, _, bonus = dice.partition("+")
    highest, lowest = body.partition("kh")[2], body.partition("kl")[2]
    number, sides = map(int, body.split("k")[0].split("d"))
    first = number - int(highest) if highest else 0
    last = int(lowest) if lowest else number
    totals = Counter(
        sum(sorted(faces)[first:last]) + int(bonus or 0) for faces in product(range(1, sides + 1), repeat=number)
    )
    return {total: Fraction(count, sides**number) for total, count in sorted(totals.items())}


@cache
def cumulative(dice: str) -> tuple[list[int], list[int]]:
    """Return the totals, and for each the least 64 bits that are beyond it."""
    shown, bounds, below = [], [], Fraction(0)
    for total, chance in chances(dice).items():
        below += chance
        shown.append(total)
        bounds.append(ceil(below * WORD))
    return shown, bounds


def read(dice: str, word: int) -> int:
    """Return what dice show for 64 bits: the total in whose share of the unit interval they lie."""
    shown, bounds = cumulative(dice)
    return shown[bisect_right(bounds, word)]


# To the twin


def translator(house: Mapping[str, Any]) -> Callable[[str, int], int]:
    """Return what turns a total under house rules into the total that means the same to the twin."""
    target, own = ("altered_target", 5) if house.get("altered_odds") else ("standard_target", 6)
    shift = own - int(house.get(target, own))
    standard = {"collision_both": 3, "collision_wound": 6, "collision_damage": 7, "collision_nothing": 10}
    rows = [(house.get(field, top), top) for field, top in standard.items()]

    def told(purpose: str, total: int) -> int:
        if purpose == "manoeuvre":
            return total + shift
        if purpose in ("collision", "other"):
            return int(next((twin_top for top, twin_top in rows if total <= top), 11))
        return total

    return told


def twin_play(course: Mapping[str, Any], house: Mapping[str, Any], key: Key, trial: int) -> dict[str, int]:
    """Play one trial of the twin on the dice that the kernel would throw."""
    told = translator(house)
    thrown: Counter[int] = Counter()

    def throw(purpose: str, task: int, attempt: int) -> int:
        field = DICE_FIELDS[purpose]
        word = bits(key, trial, task, purpose, thrown[task])
        thrown[task] += 1
        return told(purpose, read(house.get(field, STANDARD_DICE[field]), word))

    return naive.play(course, {name: value for name, value in house.items() if name in naive.DEFAULTS}, throw)
