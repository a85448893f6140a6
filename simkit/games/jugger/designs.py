"""Designs of jugs: what a list says, what it means, and what is wrong with it (J-DES-1).

A design is written in a file as the published lists print it::

    [designs.thrasher]
    size = 5
    equipment = ["two size 2 flails", "armor x1"]
    captain = ["tactics"]
    race = "goblin"

An entry of the equipment may also be a table, ``{weapon = "flail", size = 2, count = 2}`` or ``{item = "gears"}``.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from simkit.games.jugger import aliases
from simkit.games.jugger.items import MOST_ITEMS, MOST_SIZE, MOST_WEAPONS, Entry, KeyPath, Name, expand, many, written
from simkit.games.jugger.items import Item as Item
from simkit.games.jugger.rules import Rules
from simkit.games.protocol import Complaint

EXOTIC = {
    "mirror": ("elf",),
    "sails": ("elf",),
    "demon_eye": ("voorlock",),
    "acid_spitter": ("voorlock",),
    "tongue": ("voorlock",),
    "slingshot": ("goblin",),
    "fang": ("goblin", "voorlock"),
}
"""Who builds the things of the exotic table (J-DES-2)."""

ONCE = ("legs", "deflector", "catcher")
"""What a jug has at most once (J-EQ-3)."""

NEVER_WITH_LEGS = {"sails": "J-EQ-2", "deflector": "J-EQ-4", "catcher": "J-EQ-4"}
"""What cannot be combined with legs, and which rule says so."""

IMPROVEMENTS = ("gears", "brakes", "steering", "armor", "reinforced_ram", "legs", "deflector", "catcher")
"""The improvement table of juggerball, by its D10; 9 and 10 are a standard weapon (J-BALL-22)."""

REGULATION_SIZE = 3
"""Size class of a regulation jug (J-BALL-20)."""

DATA = Path(__file__).parent / "data"


class Design(BaseModel):
    """A jug as its list describes it (J-SC-1, J-DES-1).

    Raises
    ------
    pydantic.ValidationError
        If a field is missing, unknown, of a wrong type or out of its range. What breaks the rules is no error here:
        :func:`complaints` lists it.

    Examples
    --------
    >>> Design(size=5, equipment=["two size 2 flails", "armor x1"]).items
    (Item(kind='flail', size=2), Item(kind='flail', size=2), Item(kind='armor', size=1))
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    size: Annotated[int, Field(ge=1, le=MOST_SIZE)] = Field(description="size class (J-SC-1)")
    equipment: Annotated[list[Name | Entry], Field(max_length=MOST_ITEMS)] = Field(
        default=[], description='entries such as "legs", "2 ballistas", "size 2 axe arm" or "+2 gears"'
    )
    captain: Name | Annotated[list[Name], Field(max_length=10)] = Field(
        default=[], description="abilities of its captain, or the name of a legendary one (J-CAP-1)"
    )
    race: Name | None = Field(None, description="who built it; exotic items belong to their races (J-DES-2)")
    title: Name | None = Field(None, description="what it is called")
    regulation: bool = Field(False, description="a jug of regulation juggerball (J-BALL-20)")
    printed_hits: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        None, description="hits that its list prints, fought with only under printed_hits (J-DES-1)"
    )

    @classmethod
    def of(cls, size: int, items: Iterable[Item], **more: Any) -> "Design":
        """Return the design with these items; `more` are further fields."""
        return cls(size=size, equipment=[*written(items)], **more)

    @property
    def items(self) -> tuple[Item, ...]:
        """The single items in the order of the list.

        Raises
        ------
        ValueError
            If an entry cannot be read; :func:`complaints` says all that is wrong.
        """
        return _single(tuple(self.equipment), self.regulation)

    @property
    def weapons(self) -> tuple[Item, ...]:
        """The weapons among the items, in order: their places are the weapon numbers of the jug."""
        return tuple(item for item in self.items if item.kind in aliases.WEAPONS)

    @property
    def abilities(self) -> tuple[str, ...]:
        """The captain's abilities, those of a legendary captain spelled out; empty without a captain.

        Raises
        ------
        ValueError
            If an ability or a captain is unknown.
        """
        found: list[str] = []
        for name in _names_of(self.captain):
            known = _abilities(name)
            if known is None:
                raise ValueError(f"no captain and no ability is called '{name}'")
            found += known
        return tuple(dict.fromkeys(found))

    def count(self, kind: str) -> int:
        """Count the items of a kind."""
        return sum(item.kind == kind for item in self.items)


@lru_cache(4096)
def _single(equipment: tuple[str | Entry, ...], regulation: bool) -> tuple[Item, ...]:
    """Return the single items of a list; searches ask for those of the same design again and again."""
    found: list[Item] = []
    for i, entry in enumerate(equipment):
        one = expand(entry, i, regulation)
        if isinstance(one, Complaint):
            raise ValueError(one.message)
        found += one
    return tuple(found)


def _names_of(captain: str | list[str]) -> list[str]:
    return [captain] if isinstance(captain, str) else captain


def words(design: Design) -> str:
    """Say a design in a line: its size class, its equipment and its captain.

    Examples
    --------
    >>> words(find("Thrasher"))
    '5 SC: 2 size 2 flails, armor'
    """
    text = f"{design.size} SC: {', '.join(written(design.items)) or 'no equipment'}"
    captain = ", ".join(captains()["abilities"][ability]["title"].lower() for ability in design.abilities)
    return f"{text}; captain: {captain}" if captain else text


# Legality


def spaces(item: Item, rules: Rules) -> int:
    """Return how many spaces of a jug an item fills (J-SC-1, J-SC-2, J-EQ-7)."""
    if item.kind in aliases.WEAPONS:
        return rules.weapon_spaces * item.size
    return int(getattr(rules, f"{item.kind}_spaces"))


def hits(design: Design, rules: Rules) -> int:
    """Return the hits that a design fights with (J-DES-1).

    Examples
    --------
    >>> hits(find("Battlemaster"), Rules()), hits(find("Battlemaster"), Rules(printed_hits=True))
    (200, 220)
    """
    if rules.printed_hits and design.printed_hits is not None:
        return design.printed_hits
    armor = sum(rules.armor_hits for item in design.items if item.kind == "armor")
    shields = sum(rules.shield_arm_hits * item.size for item in design.items if item.kind == "shield_arm")
    return rules.hits_per_size * design.size + armor + shields


def complaints(design: Design, rules: Rules, at: KeyPath = ()) -> list[Complaint]:
    """Return every reason why a design is illegal under these rules; empty when it is legal (J-DES-1).

    Parameters
    ----------
    design
        Any design.
    rules
        The rules in force.
    at
        Key path of the design in its file; the paths of the complaints begin with it.
    """
    items: list[Item] = []
    found: list[Complaint] = []
    for i, entry in enumerate(design.equipment):
        read = expand(entry, i, design.regulation)
        if isinstance(read, Complaint):
            found.append(read)
        else:
            items += read
            found += _forbidden(design, read[0], i)
    found += _filled(design, items, rules)
    found += _combined(items)
    found += _crew(design)
    return [complaint._replace(path=(*at, *complaint.path)) for complaint in found]


def _forbidden(design: Design, item: Item, i: int) -> Iterator[Complaint]:
    """Complain about an item that its race does not build, or that regulation juggerball does not allow."""
    path: KeyPath = ("equipment", i)
    name = item.kind.replace("_", " ")
    owners = EXOTIC.get(item.kind)
    race = aliases.race(design.race) if design.race else None
    if owners and race and race not in owners:
        builders = " and ".join(owners)
        yield Complaint(path, f"'{name}' is built by {builders} alone, not by {race}", "J-DES-2", "leave race out")
    if design.regulation:
        if item.kind not in (*IMPROVEMENTS, *aliases.STANDARD):
            yield Complaint(path, f"'{name}' is not allowed in regulation juggerball", "J-BALL-20")
        elif item.size > 1:
            yield Complaint(path, f"a weapon of a regulation jug has size 1, not {item.size}", "J-BALL-20")


def _filled(design: Design, items: list[Item], rules: Rules) -> Iterator[Complaint]:
    """Complain about more than there is room for."""
    path: KeyPath = ("equipment",)
    filled, room = sum(spaces(item, rules) for item in items), design.size * rules.spaces_per_size
    if filled > room:
        enough = -(-filled // rules.spaces_per_size)
        larger = f", or use size = {enough}" if enough <= MOST_SIZE and not design.regulation else ""
        yield Complaint(
            path,
            f"the equipment fills {filled} spaces; size {design.size} gives {room}",
            "J-DES-1",
            f"take {filled - room} away{larger}",
        )
    weapons = sum(item.kind in aliases.WEAPONS for item in items)
    for number, most, what in ((len(items), MOST_ITEMS, "items"), (weapons, MOST_WEAPONS, "weapons")):
        if number > most:
            yield Complaint(path, f"{number} {what}; a jug has room for {most}", "J-DES-1")
    if design.regulation and design.size != REGULATION_SIZE:
        yield Complaint(("size",), f"a regulation jug has size {REGULATION_SIZE}, not {design.size}", "J-BALL-20")


def _combined(items: list[Item]) -> Iterator[Complaint]:
    """Complain about what cannot stand together: single items, pairs, winches without a ballista."""
    path: KeyPath = ("equipment",)
    have = Counter(item.kind for item in items)
    for kind in ONCE:
        if have[kind] > 1:
            yield Complaint(path, f"a jug has at most one {kind}, not {have[kind]}", "J-EQ-3")
    for kind, id in NEVER_WITH_LEGS.items():
        if have["legs"] and have[kind]:
            yield Complaint(path, f"legs cannot be combined with {kind}", id)
    if have["winch"] > have["ballista"]:
        both = " and ".join(_number_of(kind, have[kind]) for kind in ("winch", "ballista"))
        yield Complaint(path, f"{both}: each winch needs a ballista of its own", "J-WPN-6")


def _number_of(kind: str, count: int) -> str:
    return many(Item(kind), count) if count > 1 else f"{count or 'no'} {kind}"


def _crew(design: Design) -> Iterator[Complaint]:
    """Complain about race and captain."""
    if design.race and aliases.race(design.race) is None:
        help = aliases.suggestion(design.race, aliases.RACES)
        yield Complaint(("race",), f"no race is called '{design.race}'", "J-ARM-1", help)
    names = _names_of(design.captain)
    if names and design.regulation:
        yield Complaint(("captain",), "a regulation jug has no captain", "J-BALL-20")
    have: set[str] = set()
    for i, name in enumerate(names):
        path: KeyPath = ("captain",) if isinstance(design.captain, str) else ("captain", i)
        known = _abilities(name)
        if known is None:
            help = aliases.suggestion(name, [*captains()["abilities"], *captains()["captains"]])
            yield Complaint(path, f"no captain and no ability is called '{name}'", "J-CAP-1", help)
        elif len(known) > 1 and len(names) > 1:
            says = f"'{name}' is a captain of his own; a jug has at most one"
            yield Complaint(path, says, "J-CAP-1", "name him alone")
        elif have & set(known):
            yield Complaint(path, f"the ability '{name}' stands there twice", "J-CAP-1")
        have |= set(known or ())


# Captains


@cache
def captains() -> dict[str, dict[str, Any]]:
    """Return the tables of captains: ``abilities`` in the order of their D10, and the legendary ``captains``."""
    return tomllib.loads((DATA / "captains.toml").read_text(encoding="utf-8"))


def _abilities(name: str) -> list[str] | None:
    """Return the abilities that a name stands for: one ability, or those of a legendary captain."""
    plain = aliases.plain(name)
    table = captains()
    for ability, about in table["abilities"].items():
        if plain in (ability, aliases.plain(about["title"])):
            return [ability]
    legendary = table["captains"].get(plain.replace("_", "-"))
    return legendary and list(legendary["abilities"])


# The published designs


class UnknownDesignError(LookupError):
    """No published design has that name."""


@cache
def load() -> dict[str, Design]:
    """Return the published designs by id, in the order of the source, and the 22 Warbuggies after them (J-ARM-1).

    Examples
    --------
    >>> load()["dragon-face"].size, load()["warbuggy-fire-pump"].items
    (8, (Item(kind='fire_pump', size=1),))
    """
    table: dict[str, Any] = tomllib.loads((DATA / "designs.toml").read_text(encoding="utf-8"))
    found = {id: Design(**fields) for id, fields in table.items()}
    buggy = found["warbuggy"]
    for kind in aliases.WEAPONS:
        weapon = kind.replace("_", " ")
        title = f"{buggy.title} ({weapon})"
        found[f"warbuggy-{weapon.replace(' ', '-')}"] = Design(size=buggy.size, equipment=[weapon], title=title)
    return found


def find(name: str) -> Design:
    """Return a published design by its id or its title; case, spaces and hyphens do not matter.

    Raises
    ------
    UnknownDesignError
        Naming the design that is spelled most like it, and those there are.

    Examples
    --------
    >>> find("Horny Toad").size, find("warbuggy axe arm").items
    (4, (Item(kind='mace_arm', size=1),))
    """
    designs = load()
    id = aliases.plain(name).replace("_", "-")
    if id.startswith("warbuggy-"):
        weapon = aliases.weapon(id.removeprefix("warbuggy-"))
        id = f"warbuggy-{weapon.replace('_', '-')}" if weapon else id
    if id in designs:
        return designs[id]
    there = [known for known in designs if not known.startswith("warbuggy-")]
    raise UnknownDesignError(
        f"no design is called '{name[:64]}'; {aliases.suggestion(name, there)}, and warbuggy-catapult to warbuggy-fang"
    )
