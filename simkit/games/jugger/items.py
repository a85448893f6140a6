"""Items of a jug: how an entry of an equipment list is read, and how items are written down again (J-DES-1)."""

from collections.abc import Iterable
from itertools import groupby
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from simkit.games.jugger import aliases
from simkit.games.protocol import Complaint

MOST_SIZE = 20
"""Largest size class of a jug, and size of a weapon: a medium battle has no more on a side."""

MOST_ITEMS = 32
"""Most single items of a jug."""

MOST_WEAPONS = 20
"""Most weapons of a jug."""

NUMBERED = {"gears": "+", "brakes": "+", "steering": "+", "reinforced_ram": "+", "armor": "x"}
"""Items that are counted behind their name, and how: ``"gears +2"``, ``"armor x2"``."""

Name = Annotated[str, Field(min_length=1, max_length=64)]
KeyPath = tuple[str | int, ...]


class Item(NamedTuple):
    """One item of a jug; a list of them fills its spaces."""

    kind: str
    """Canonical name, one of ``aliases.KINDS``."""
    size: int = 1
    """Size of a weapon; 1 for all else."""


class Entry(BaseModel):
    """An entry of an equipment list that is written as a table."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    weapon: Name | None = Field(None, description="a weapon, by any name of the weapon tables (J-WPN-1)")
    item: Name | None = Field(None, description="equipment such as gears or legs, or a weapon")
    size: Annotated[int, Field(ge=1, le=MOST_SIZE)] = Field(1, description="spaces that one weapon takes (J-SC-2)")
    count: Annotated[int, Field(ge=1, le=MOST_ITEMS)] = Field(1, description="how many of them")

    @model_validator(mode="after")
    def _one_name(self) -> "Entry":
        if (self.weapon is None) == (self.item is None):
            found = "both" if self.weapon is not None else "none"
            raise PydanticCustomError(
                "rule",
                "equipment has one name, as weapon or as item; this has {found}",
                {"found": found, "help": '{weapon = "flail", size = 2} or {item = "gears", count = 2}'},
            )
        return self


def expand(entry: str | Entry, i: int, regulation: bool) -> list[Item] | Complaint:
    """Turn an entry of an equipment list into single items, or say why it cannot be.

    Parameters
    ----------
    entry
        The entry, as text or as a table.
    i
        Its place in the list, from 0.
    regulation
        Whether the list is that of a jug of regulation juggerball, in which a "catcher" catches the ball (J-EQ-4).
    """
    path: KeyPath = ("equipment", i)
    if isinstance(entry, str):
        read = aliases.read(entry)
        if read is None:
            return Complaint(path, f"'{entry}' is no entry of an equipment list", "J-WPN-1", 'such as "size 2 flail"')
        name, size, count = read
        kind = _kind(name, regulation)
    else:
        name, size, count = str(entry.weapon or entry.item), entry.size, entry.count
        path = (*path, "weapon" if entry.weapon is not None else "item")
        if entry.weapon is None:
            kind = aliases.equipment(name) or aliases.weapon(name)
        else:
            kind = aliases.weapon(name)
            if kind is None and aliases.equipment(name):
                return Complaint(path, f"'{name}' is no weapon", "J-WPN-1", f'write {{item = "{name}"}}')
    if kind is None:
        close = aliases.closest_kind(name)
        hint = f"did you mean '{close}'?" if close else "simkit designs jugger shows what there is"
        return Complaint(path, f"no equipment or weapon is called '{name}'", "J-WPN-1", hint)
    if not 1 <= count <= MOST_ITEMS:
        return Complaint(path, f"'{name}' is asked for {count} times; 1 to {MOST_ITEMS} are possible", "J-DES-1")
    if not 1 <= size <= MOST_SIZE:
        return Complaint(path, f"'{name}' has size {size}; weapons have sizes 1 to {MOST_SIZE}", "J-DES-1")
    if size > 1 and kind not in aliases.WEAPONS:
        help = f'"{size} {name}" are {size} of them'
        return Complaint(path, f"'{name}' has size {size}; only weapons have sizes above 1", "J-DES-1", help)
    return [Item(kind, size)] * count


def _kind(name: str, regulation: bool) -> str | None:
    """Return what a name means; equipment comes first only where a catcher is for the ball."""
    if regulation:
        return aliases.equipment(name) or aliases.weapon(name)
    return aliases.weapon(name) or aliases.equipment(name)


def written(items: Iterable[Item]) -> list[str]:
    """Return an equipment list that reads as these items, equal neighbours together.

    Examples
    --------
    >>> written([Item("legs"), Item("mace_arm", 2), Item("gears"), Item("gears")])
    ['legs', 'size 2 mace arm', 'gears +2']
    """
    return [many(item, sum(1 for _ in equals)) for item, equals in groupby(items)]


def many(item: Item, count: int) -> str:
    """Write so many of an item as a list has them.

    Examples
    --------
    >>> many(Item("winch"), 2), many(Item("flail", 3), 1), many(Item("reinforced_ram"), 2)
    ('2 winches', 'size 3 flail', 'reinforced ram +2')
    """
    name = "ball catcher" if item.kind == "catcher" else item.kind.replace("_", " ")
    if count > 1 and item.kind in NUMBERED:
        return f"{name} {NUMBERED[item.kind]}{count}"
    if count > 1 and not name.endswith("s"):
        name += "es" if name.endswith("ch") else "s"
    size = f"size {item.size} " if item.size > 1 else ""
    return f"{count} {size}{name}" if count > 1 else size + name
