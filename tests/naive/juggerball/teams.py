"""Random regulation jugs: how they are rolled, and exactly which there are how often (J-BALL-1, J-BALL-22)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from tests.naive.jugger.design import Design

IMPROVEMENTS = ("gears", "brakes", "steering", "armor", "reinforced_ram", "legs", "deflector", "catcher")
"""The first eight results of the improvement table, in the order of the D10."""

STANDARD = (
    "catapult", "ballista", "jaws", "wheel_spikes", "battering_ram", "claw_arm", "saw_arm", "flail", "mace_arm",
    "shield_arm",
)  # fmt: skip
"""The standard weapon table, in the order of the D10."""

A_WEAPON = 9
ILLEGAL = 100
SIZE, TEAM = 3, 7
ONCE = ("legs", "deflector", "catcher")


Team = Sequence[Design | None]
"""Seven jugs of a list; None is a random one."""

Certain = tuple[Sequence[str], int]
"""Items that random jugs of a list have for certain, and how many jugs of the list, the first ones, have them."""

ALL_RANDOM: Team = (None,) * TEAM
NOTHING_CERTAIN: tuple[Certain, Certain] = (((), 0), ((), 0))


class Result(NamedTuple):
    """One result of the table as it is told: the D10, the item's number, the D10 of a weapon (+100 if illegal)."""

    roll: int
    value: int
    extra: int


def legal(kind: str, have: Sequence[str], rules: Any) -> bool:
    """Tell whether an item goes with what a jug has (J-BALL-22, J-EQ-3, J-EQ-4)."""
    if kind not in ONCE:
        return True
    if kind in have or (kind == "legs" and len({"deflector", "catcher"} & set(have)) > 0):
        return False
    if kind != "legs" and "legs" in have:
        return False
    return rules.special_limit == "one_each" or not set(ONCE) & set(have)


def random_items(
    throw: Callable[[str], int], rules: Any, certain: Sequence[str] = ()
) -> tuple[list[str], list[Result]]:
    """Roll the improvements of a jug that are not certain; an illegal one is rolled again.

    `throw` is given the purpose of the dice.
    """
    items = list(certain)
    told: list[Result] = []
    spaces = len(certain)
    while spaces < SIZE:
        roll = throw("item")
        weapon = throw("item_weapon") if roll >= A_WEAPON else 0
        kind = STANDARD[weapon - 1] if weapon else IMPROVEMENTS[roll - 1]
        fits = legal(kind, items, rules)
        told.append(Result(roll, min(roll, A_WEAPON), weapon + (0 if fits else ILLEGAL)))
        if fits:
            items.append(kind)
            spaces += 1
        elif rules.illegal == "reroll_jug":
            items, spaces = list(certain), len(certain)
        elif rules.illegal == "nothing":
            spaces += 1
    return items, told


def design_of(items: Sequence[str]) -> Design:
    """Return the design of a regulation jug."""
    return Design(SIZE, tuple((kind, 1) for kind in items))


def full_teams(
    teams: Sequence[Team],
    thrower: Callable[[int], Callable[[str], int]],
    rules: Any,
    *,
    mirror: bool,
    certain: Sequence[Certain],
) -> tuple[list[list[Design]], list[tuple[int, list[Result]]]]:
    """Roll the random jugs of both lists; with `mirror` the second has what the first has.

    Returns the designs, and what was rolled: the number of the jug (7 times its list and its place in it) and its
    results. `thrower` is given the seat of the dice: 12 times the list and the place in it.
    """
    full: list[list[Design]] = []
    rolled = []
    for number, (team, (items, jugs)) in enumerate(zip(teams[: 1 if mirror else 2], certain, strict=False)):
        designs = []
        for place, jug in enumerate(team):
            design = jug
            if design is None:
                kinds, told = random_items(thrower(12 * number + place), rules, items if place < jugs else ())
                rolled.append((TEAM * number + place, told))
                design = design_of(kinds)
            designs.append(design)
        full.append(designs)
    return [full[0], full[-1]], rolled


# Exactly


def chances_of_one() -> dict[str, Fraction]:
    """Return the chances of one result of the table."""
    chances = dict.fromkeys(IMPROVEMENTS, Fraction(1, 10))
    return {**chances, **dict.fromkeys(STANDARD, Fraction(2, 10) * Fraction(1, 10))}


def chances_of_jugs(rules: Any) -> dict[tuple[str, ...], Fraction]:
    """Return the exact chance of every jug, its items sorted by name."""
    one = chances_of_one()
    found: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    if rules.illegal == "reroll_jug":
        for items in product(one, repeat=SIZE):
            if all(legal(kind, items[:place], rules) for place, kind in enumerate(items)):
                found[tuple(sorted(items))] += one[items[0]] * one[items[1]] * one[items[2]]
        whole = sum(found.values())
        return {items: chance / whole for items, chance in found.items()}
    before: dict[tuple[str, ...], Fraction] = {(): Fraction(1)}
    for _ in range(SIZE):
        found = defaultdict(Fraction)
        for items, chance in before.items():
            fits = {kind: p for kind, p in one.items() if legal(kind, items, rules)}
            whole = sum(fits.values(), Fraction(0))
            for kind, p in fits.items():
                share = p / whole if rules.illegal == "reroll_one" else p
                found[tuple(sorted((*items, kind)))] += chance * share
            if rules.illegal == "nothing" and whole < 1:
                found[items] += chance * (1 - whole)
        before = found
    return dict(before)


def chance_that(jugs: dict[tuple[str, ...], Fraction], has: Callable[[Counter[str]], bool]) -> Fraction:
    """Return the chance that a random jug has something."""
    return sum((chance for items, chance in jugs.items() if has(Counter(items))), Fraction(0))
