"""Every legal build of a size class, one after another or counted (J-DES-3), and random regulation jugs (J-BALL-22).

A build is a multiset of items that fills a jug exactly: gears, brakes, steering, armor, reinforced ram, legs, sails,
winch and the 22 weapons in every size. Wizard, deflector, catcher, captain and race are left out.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Literal

from simkit.games.jugger.aliases import KINDS, STANDARD
from simkit.games.jugger.catalogue import catalogue
from simkit.games.jugger.designs import IMPROVEMENTS, NEVER_WITH_LEGS, ONCE, REGULATION_SIZE, Design
from simkit.games.jugger.items import Item
from simkit.games.jugger.rules import Rules

if TYPE_CHECKING:
    from simkit.core.key import Key

IMPROVEMENT = 26
"""Purpose of the D10 on the improvement table."""

IMPROVEMENT_WEAPON = 27
"""Purpose of the D10 on the standard weapons."""

Illegal = Literal["reroll_one", "reroll_jug", "nothing"]
"""What an illegal improvement becomes: rolled again, all three rolled again, or nothing."""

SpecialLimit = Literal["one_each", "one_of_three"]
"""Whether a jug may have one each of legs, deflector and catcher as far as they combine, or one of the three."""


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
    The order is that of :class:`simkit.games.jugger.catalogue.Catalogue`. Sizes 4, 5 and 6 have 46,043, 350,007 and
    2,335,406 builds; size 10 has 1,866,369,637, which :func:`count_builds` tells at once.
    """
    yield from catalogue(size * rules.spaces_per_size, rules)


def count_builds(size: int, rules: Rules) -> int:
    """Count the legal builds of a size class without listing them.

    Examples
    --------
    >>> [count_builds(size, Rules()) for size in (1, 2, 3, 4)]
    [29, 456, 5128, 46043]
    """
    return catalogue(size * rules.spaces_per_size, rules).count


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
