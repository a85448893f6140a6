"""Jugs that fill their size class: the builds of a budget, and what a build becomes when an item is given up (J-DES-3).

The budget is the size class, the price of an item the spaces that it fills.
"""

from collections.abc import Iterable

from simkit.games.jugger import aliases
from simkit.games.jugger.catalogue import EVERY, Catalogue, catalogue
from simkit.games.jugger.designs import Design, spaces
from simkit.games.jugger.items import Item, written
from simkit.games.jugger.rules import Rules
from simkit.games.protocol import Build, Swapped

NEEDS = {"ballista": ("winch",)}
"""What goes with an item that is given up, since it cannot stand without it (J-WPN-6)."""


def build_items() -> list[str]:
    """List the kinds of items that builds are made of."""
    return [_title(kind) for kind in EVERY]


def build_item(name: str) -> str | None:
    """Return the kind of item that a name means, or None."""
    kind = aliases.equipment(name) or aliases.weapon(name)
    return _title(kind) if kind in EVERY else None


def build_count(budget: int, rules: Rules) -> int:
    """Count the legal builds of a size class."""
    return _every(budget, rules).count


def build_at(budget: int, rules: Rules, number: int) -> Build:
    """Return the legal build of a number, from 0."""
    return _build(budget, _every(budget, rules).at(number))


def swap_count(build: Build, item: str, rules: Rules) -> int:
    """Count what else the spaces of an item of a build could hold."""
    return _instead(build, item, rules)[1].count


def swap_at(build: Build, item: str, rules: Rules, number: int) -> Swapped:
    """Return a build in which the item is exchanged, all of it and for nothing of its kind."""
    kept, instead = _instead(build, item, rules)
    gained = instead.at(number)
    return Swapped(_build(build.budget, (*kept, *gained)), ", ".join(written(gained)) or "nothing")


def _every(budget: int, rules: Rules) -> Catalogue:
    return catalogue(budget * rules.spaces_per_size, rules)


def _build(budget: int, items: Iterable[Item]) -> Build:
    ordered = sorted(items, key=_rank)
    equipment = [*written(ordered)]
    kinds = tuple(dict.fromkeys(_title(item.kind) for item in ordered))
    side = {"design": {"size": budget, "equipment": equipment}}
    return Build(", ".join(equipment) or "no equipment", budget, kinds, side)


def _instead(build: Build, item: str, rules: Rules) -> tuple[tuple[Item, ...], Catalogue]:
    """Return what a build keeps when an item is given up, and everything that may fill the spaces."""
    kind = _kind(item)
    gone = (kind, *NEEDS.get(kind, ()))
    items = Design(size=build.budget, equipment=[*build.side["design"]["equipment"]]).items
    kept = tuple(item for item in items if item.kind not in gone)
    room = sum(spaces(item, rules) for item in items if item.kind in gone)
    return kept, catalogue(room, rules, [item.kind for item in kept], kind)


def _rank(item: Item) -> tuple[int, int]:
    """Order of items in a list: legs and sails first, which say most, then equipment, then weapons, large first."""
    return _ORDER[item.kind], -item.size


_ORDER = {kind: i for i, kind in enumerate(dict.fromkeys(("legs", "sails", *EVERY)))}


def _title(kind: str) -> str:
    return kind.replace("_", " ")


def _kind(title: str) -> str:
    return title.replace(" ", "_")
