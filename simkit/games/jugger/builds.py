"""Every legal build of a size class, one after another or counted (J-DES-3), and random regulation jugs (J-BALL-22).

A build is a multiset of items that fills a jug exactly: gears, brakes, steering, armor, reinforced ram, legs, sails,
winch and the 22 weapons in every size. Wizard, deflector, catcher, captain and race are left out.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from simkit.games.jugger.aliases import KINDS, STANDARD, WEAPONS
from simkit.games.jugger.designs import IMPROVEMENTS, NEVER_WITH_LEGS, ONCE, REGULATION_SIZE, Design, spaces
from simkit.games.jugger.items import Item
from simkit.games.jugger.rules import Rules

if TYPE_CHECKING:
    from simkit.core.key import Key

PLAIN = ("gears", "brakes", "steering", "armor", "reinforced_ram")
"""Equipment of a build that nothing restricts."""

IMPROVEMENT = 26
"""Purpose of the D10 on the improvement table."""

IMPROVEMENT_WEAPON = 27
"""Purpose of the D10 on the standard weapons."""

Illegal = Literal["reroll_one", "reroll_jug", "nothing"]
"""What an illegal improvement becomes: rolled again, all three rolled again, or nothing."""

SpecialLimit = Literal["one_each", "one_of_three"]
"""Whether a jug may have one each of legs, deflector and catcher as far as they combine, or one of the three."""


class Part(NamedTuple):
    """An item and the spaces that it fills."""

    item: Item
    width: int


# All builds


def builds(size: int, rules: Rules) -> Iterator[tuple[Item, ...]]:
    """List all legal builds of a size class, each once.

    Parameters
    ----------
    size
        Size class, 1 or more; every build fills all its spaces.
    rules
        The rules in force: how many spaces there are and what takes how many is theirs.

    Yields
    ------
    tuple of Item
        Legs first, then ballistas and their winches, equipment, and the other weapons.

    Notes
    -----
    A tree that grows item by item in a fixed order, cut where what is left cannot be filled any more. Sizes 4, 5 and 6
    have 46,043, 350,007 and 2,335,406 builds; size 10 has 1,866,369,637, which :func:`count_builds` tells at once.
    """
    for legs in (0, 1):
        head = (Item("legs"),) * legs
        room = size * rules.spaces_per_size - legs * rules.legs_spaces
        if room < 0:
            continue
        parts = _others(legs, room, rules)
        fillable = _fillable(parts, room)
        for armed, left in _armed(_sizes("ballista", room, rules), room, rules):
            for rest in _fill(parts, fillable, 0, left):
                yield head + armed + rest


def _others(legs: int, room: int, rules: Rules) -> list[Part]:
    """List what may stand in a build beside legs, ballistas and winches."""
    equipment = [Item(kind) for kind in (PLAIN if legs else (*PLAIN, "sails"))]
    weapons = [part for kind in WEAPONS if kind != "ballista" for part in _sizes(kind, room, rules)]
    return [*(Part(item, spaces(item, rules)) for item in equipment), *weapons]


def _sizes(weapon: str, room: int, rules: Rules) -> list[Part]:
    """List the sizes of a weapon that find room."""
    items = [Item(weapon, n) for n in range(1, room // rules.weapon_spaces + 1)]
    return [Part(item, spaces(item, rules)) for item in items]


def _armed(ballistas: list[Part], room: int, rules: Rules) -> Iterator[tuple[tuple[Item, ...], int]]:
    """List ballistas with as many winches at most, and the room that they leave."""

    def add(have: tuple[Item, ...], first: int, left: int) -> Iterator[tuple[tuple[Item, ...], int]]:
        for winches in range(len(have) + 1):
            if (rest := left - winches * rules.winch_spaces) >= 0:
                yield have + (Item("winch"),) * winches, rest
        for i in range(first, len(ballistas)):
            item, width = ballistas[i]
            if width <= left:
                yield from add((*have, item), i, left - width)

    yield from add((), 0, room)


def _fillable(parts: list[Part], room: int) -> list[list[bool]]:
    """Tell whether ``parts[i:]`` can fill exactly so many spaces, by i and spaces."""
    table = [[spaces == 0 for spaces in range(room + 1)]]
    for part in reversed(parts):
        row = list(table[0])
        for filled in range(part.width, room + 1):
            row[filled] |= row[filled - part.width]
        table.insert(0, row)
    return table


def _fill(parts: list[Part], fillable: list[list[bool]], first: int, left: int) -> Iterator[tuple[Item, ...]]:
    """List the multisets of ``parts[first:]`` that fill exactly so many spaces."""
    if left == 0:
        yield ()
        return
    for i in range(first, len(parts)):
        item, width = parts[i]
        if width <= left and fillable[i][left - width]:
            for rest in _fill(parts, fillable, i, left - width):
                yield (item, *rest)


def count_builds(size: int, rules: Rules) -> int:
    """Count the legal builds of a size class without listing them.

    Examples
    --------
    >>> [count_builds(size, Rules()) for size in (1, 2, 3, 4)]
    [29, 456, 5128, 46043]

    Notes
    -----
    Every kind of item multiplies the generating function of the filled spaces by ``1 / (1 - x**width)``; a second
    variable counts ballistas, because they limit the winches.
    """
    total = 0
    for legs in (0, 1):
        room = size * rules.spaces_per_size - legs * rules.legs_spaces
        if room < 0:
            continue
        ways = _count_armed(_sizes("ballista", room, rules), room, rules)
        for part in _others(legs, room, rules):
            for filled in range(part.width, room + 1):
                ways[filled] += ways[filled - part.width]
        total += ways[room]
    return total


def _count_armed(ballistas: list[Part], room: int, rules: Rules) -> list[int]:
    """Count ballistas in all sizes with as many winches at most, by the spaces they fill."""
    ways = [[0] * (room + 1) for _ in range(room + 1)]  # by spaces and number of ballistas
    ways[0][0] = 1
    for part in ballistas:
        for filled in range(part.width, room + 1):
            for number in range(1, room + 1):
                ways[filled][number] += ways[filled - part.width][number - 1]
    found = [0] * (room + 1)
    for filled, row in enumerate(ways):
        for number, count in enumerate(row):
            for winches in range(number + 1):
                if (total := filled + winches * rules.winch_spaces) <= room:
                    found[total] += count
    return found


# Random regulation jugs


def regulation_jugger(
    key: "Key",
    number: int,
    seat: int = 0,
    illegal: Illegal = "reroll_one",
    special_limit: SpecialLimit = "one_each",
) -> Design:
    """Roll a random jug of regulation juggerball: three improvements by D10 (J-BALL-22).

    Parameters
    ----------
    key
        Key of the dice.
    number
        Trial or team that the jug is rolled for; with `seat` it is the address of its dice, so that any jug can be
        rolled alone and is always the same.
    seat
        Dice seat of the jug, 0 to 255.
    illegal
        What becomes of an improvement that the jug cannot have.
    special_limit
        Which improvements those are.

    Examples
    --------
    >>> from simkit.core.key import make_key
    >>> regulation_jugger(make_key(1), 0).size
    3
    """
    import numpy as np

    from simkit.core.dice import parse
    from simkit.core.dicetable import dice_table
    from simkit.core.rng import draw, stream
    from simkit.core.roll import read

    d10 = dice_table(parse("1d10"))
    own = np.uint64(stream(key.stream, number))

    def roll(purpose: int, i: int) -> int:
        return int(read(d10, np.uint64(draw(own, key.tweak, 0, seat, purpose, i))))

    items: list[Item] = []
    rolls = results = 0
    while results < REGULATION_SIZE:
        face = roll(IMPROVEMENT, rolls)
        kind = IMPROVEMENTS[face - 1] if face <= len(IMPROVEMENTS) else STANDARD[roll(IMPROVEMENT_WEAPON, rolls) - 1]
        rolls += 1
        if _allowed(kind, [item.kind for item in items], special_limit):
            items.append(Item(kind))
            results += 1
        elif illegal == "nothing":
            results += 1
        elif illegal == "reroll_jug":
            items, results = [], 0
    return Design.of(REGULATION_SIZE, items, regulation=True)


def _allowed(kind: str, have: list[str], special_limit: SpecialLimit) -> bool:
    """Tell whether a jug may have an improvement beside those it has (J-EQ-3, J-EQ-4)."""
    if kind not in ONCE:
        return True
    if special_limit == "one_of_three":
        return not set(have) & set(ONCE)
    barred = {kind, *NEVER_WITH_LEGS} if kind == "legs" else {kind, "legs"}
    return not set(have) & barred


@cache
def regulation_chances(
    illegal: Illegal = "reroll_one", special_limit: SpecialLimit = "one_each"
) -> dict[tuple[Item, ...], Fraction]:
    """Return every random regulation jug with its exact chance, equal improvements in any order taken together.

    Returns
    -------
    dict
        Items in the order of the improvement and weapon tables, to their chance; the chances add up to 1.

    Examples
    --------
    >>> chances = regulation_chances()
    >>> len(chances), sum(chance for jug, chance in chances.items() if Item("legs") in jug)
    (1055, Fraction(219, 1000))
    """
    table = {kind: Fraction(1, 10) for kind in IMPROVEMENTS} | {weapon: Fraction(1, 50) for weapon in STANDARD}
    jugs: dict[tuple[str, ...], Fraction] = {(): Fraction(1)}
    for _ in range(REGULATION_SIZE):
        found: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
        for have, chance in jugs.items():
            allowed = {kind: part for kind, part in table.items() if _allowed(kind, list(have), special_limit)}
            whole = sum(allowed.values()) if illegal == "reroll_one" else Fraction(1)
            for kind, part in allowed.items():
                found[tuple(sorted((*have, kind), key=KINDS.index))] += chance * part / whole
            if illegal == "nothing":
                found[have] += chance * (1 - sum(allowed.values()))
        jugs = found
    legal = sum(jugs.values())
    return {tuple(Item(kind) for kind in jug): chance / legal for jug, chance in jugs.items()}
