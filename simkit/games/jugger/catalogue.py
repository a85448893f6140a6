"""What can fill the spaces of a jug, in a fixed order: listed, counted, or found by its number (J-DES-3).

A filling is a multiset of items. All that can join some items which are there already are kept as counts: how many
begin with which item in so much room. The filling of a number is then found without listing those before it, which
makes a uniform draw from millions of builds a draw of a number.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from simkit.games.jugger.aliases import WEAPONS
from simkit.games.jugger.designs import NEVER_WITH_LEGS, spaces
from simkit.games.jugger.items import Item
from simkit.games.jugger.rules import Rules

PLAIN = ("gears", "brakes", "steering", "armor", "reinforced_ram")
"""Equipment of a build that nothing restricts."""

EVERY = (*PLAIN, "legs", "sails", "winch", *WEAPONS)
"""What a build is made of. Wizard, deflector, catcher, captain and race are left out."""


MOST_ROOM = 24
"""Most spaces whose fillings are counted: ballistas and their winches alone fill them in tens of thousands of ways."""


class Part(NamedTuple):
    """An item and the spaces that it fills."""

    item: Item
    width: int


class Catalogue:
    """Every filling of some room.

    Parameters
    ----------
    room
        Spaces to fill, exactly.
    widths
        Spaces that an item of a kind takes; of a weapon each point of its size.
    beside
        What is there already, as far as it limits what may come: legs, sails, ballistas, winches.
    without
        Kind of item that must not be among it; "" for none.

    Attributes
    ----------
    count
        How many fillings there are.

    Raises
    ------
    ValueError
        There is more room than is counted.
    """

    def __init__(self, room: int, widths: dict[str, int], beside: Sequence[str] = (), without: str = "") -> None:
        if room > MOST_ROOM:
            raise ValueError(f"{room} spaces to fill; builds of up to {MOST_ROOM} are counted")
        self.heads: list[_Head] = []
        kinds = [kind for kind in EVERY if kind != without]
        walks = "legs" in beside
        barred = walks or "legs" not in kinds or bool(set(beside) & set(NEVER_WITH_LEGS))
        spare = beside.count("ballista") - beside.count("winch")
        for legs in (0,) if barred else (0, 1):
            left = room - legs * widths["legs"]
            if left < 0:
                continue
            plain = [Item(kind) for kind in PLAIN if kind in kinds]
            if "sails" in kinds and not (legs or walks):
                plain.append(Item("sails"))
            arms = [kind for kind in WEAPONS if kind in kinds and kind != "ballista"]
            parts = [Part(item, widths[item.kind]) for item in plain]
            parts += [part for kind in arms for part in _sizes(kind, left, widths[kind])]
            ways = _ways(parts, left)
            ballistas = _sizes("ballista", left, widths["ballista"]) if "ballista" in kinds else []
            winch = widths["winch"] if "winch" in kinds else None
            for armed, rest in _armed(ballistas, left, winch, spare):
                self.heads.append(_Head((Item("legs"),) * legs + armed, parts, ways, rest))
        self.ends = list(accumulate(head.ways[0][head.left] for head in self.heads))

    @property
    def count(self) -> int:
        """How many fillings there are."""
        return self.ends[-1] if self.ends else 0

    def __iter__(self) -> Iterator[tuple[Item, ...]]:
        """List all fillings in their order."""
        for head in self.heads:
            for rest in _fill(head.parts, head.ways, 0, head.left):
                yield head.items + rest

    def at(self, number: int) -> tuple[Item, ...]:
        """Return the filling of a number, from 0, in the order of the list.

        Raises
        ------
        IndexError
            There are not so many.
        """
        if not 0 <= number < self.count:
            raise IndexError(f"filling {number}; allowed are 0 to {self.count - 1}")
        k = bisect_right(self.ends, number)
        head = self.heads[k]
        number -= self.ends[k - 1] if k else 0
        found, first, left = list(head.items), 0, head.left
        while left:
            while True:
                width = head.parts[first].width
                here = head.ways[first][left - width] if width <= left else 0
                if number < here:
                    break
                number -= here
                first += 1
            found.append(head.parts[first].item)
            left -= width
        return tuple(found)


class _Head(NamedTuple):
    """Legs, ballistas and winches, and what may fill the rest."""

    items: tuple[Item, ...]
    parts: list[Part]
    ways: list[list[int]]
    """How many multisets of ``parts[i:]`` fill exactly so many spaces, by i and spaces."""
    left: int


def catalogue(room: int, rules: Rules, beside: Sequence[str] = (), without: str = "") -> Catalogue:
    """Return every filling of some room under some rules; see :class:`Catalogue`.

    Examples
    --------
    >>> catalogue(3, Rules()).count, catalogue(1, Rules(), ["sails"], "sails").count
    (5128, 26)
    """
    widths = tuple(spaces(item, rules) for item in _EACH)
    matter = tuple(sorted(kind for kind in beside if kind in ("ballista", "winch", "legs", *NEVER_WITH_LEGS)))
    return _catalogue(room, widths, matter, without)


_EACH = tuple(Item(kind) for kind in (*EVERY[: EVERY.index(WEAPONS[0])], WEAPONS[0]))
"""An item of every kind that has a price of its own: all weapons of a size have one."""


@lru_cache(256)
def _catalogue(room: int, widths: tuple[int, ...], beside: tuple[str, ...], without: str) -> Catalogue:
    priced = {item.kind: width for item, width in zip(_EACH, widths, strict=True)}
    every = {kind: priced.get(kind, priced[WEAPONS[0]]) for kind in EVERY}
    return Catalogue(room, every, beside, without)


def _sizes(weapon: str, room: int, width: int) -> list[Part]:
    """List the sizes of a weapon that find room."""
    return [Part(Item(weapon, n), width * n) for n in range(1, room // width + 1)]


def _armed(ballistas: list[Part], room: int, winch: int | None, spare: int) -> Iterator[tuple[tuple[Item, ...], int]]:
    """List ballistas with as many winches at most, and the room that they leave; `spare` ballistas lack a winch."""

    def add(have: tuple[Item, ...], first: int, left: int) -> Iterator[tuple[tuple[Item, ...], int]]:
        for winches in range(1 if winch is None else max(0, spare + len(have)) + 1):
            if (rest := left - winches * (winch or 0)) >= 0:
                yield have + (Item("winch"),) * winches, rest
        for i in range(first, len(ballistas)):
            item, width = ballistas[i]
            if width <= left:
                yield from add((*have, item), i, left - width)

    yield from add((), 0, room)


def _ways(parts: list[Part], room: int) -> list[list[int]]:
    """Count the multisets of ``parts[i:]`` that fill exactly so many spaces, by i and spaces."""
    table = [[int(spaces == 0) for spaces in range(room + 1)]]
    for part in reversed(parts):
        row = list(table[0])
        for filled in range(part.width, room + 1):
            row[filled] += row[filled - part.width]
        table.insert(0, row)
    return table


def _fill(parts: list[Part], ways: list[list[int]], first: int, left: int) -> Iterator[tuple[Item, ...]]:
    """List the multisets of ``parts[first:]`` that fill exactly so many spaces."""
    if left == 0:
        yield ()
        return
    for i in range(first, len(parts)):
        item, width = parts[i]
        if width <= left and ways[i][left - width]:
            for rest in _fill(parts, ways, i, left - width):
                yield (item, *rest)
