"""Builds that a file lists: whole tables of a side, with the items they have and in what they are equal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simkit.games.protocol import Build
from simkit.lab.modelpath import KeyPath

OWN = ("items", "budget")
"""What a build of a file has beside the table of a side."""

EQUAL = "equal"
"""What builds have in common that say nothing of a budget."""

Note = Callable[[str, KeyPath, str, str], None]
"""Notes what is wrong: message, key path below the table, what is allowed, and the kind of mistake."""


def read(
    tables: Mapping[str, Mapping[str, Any]], note: Note, tried: Callable[[str, Mapping[str, Any]], None]
) -> dict[str, list[Build]]:
    """Read builds and sort them by budget.

    Parameters
    ----------
    tables
        By name: the table of a side, ``items`` that it has, and ``budget``: a whole number, a word such as
        ``"same frontage"``, or a list of them for a build that is equal to others in several ways.
    note
        Notes what is wrong.
    tried
        Checks the table of a side, by the name of its build, and notes what is wrong with it.

    Returns
    -------
    dict
        What builds have equal, in words, to the builds; in the order of the file.
    """
    groups: dict[str, list[tuple[str, tuple[str, ...], dict[str, Any]]]] = {}
    for name, table in tables.items():
        at: KeyPath = ("builds", name)
        items, budget = table.get("items", []), table.get("budget", EQUAL)
        if not isinstance(items, list) or not all(isinstance(one, str) for one in items):
            note("items is a list of names", (*at, "items"), 'items = ["chariots"], or [] for none', "value")
        budgets = budget if isinstance(budget, list) else [budget]
        if not budgets or any(isinstance(one, bool) or not isinstance(one, int | str) for one in budgets):
            help = 'a whole number, a word such as "same frontage", or a list of them; the same where equal'
            note(f"{budget!r:.60} is no budget", (*at, "budget"), help, "value")
            budgets = []
        side = {key: value for key, value in table.items() if key not in OWN}
        tried(name, side)
        for one in budgets:
            group = one if isinstance(one, str) else f"budget {one}"
            groups.setdefault(group, []).append((name, tuple(texts(items)), side))
    return {
        group: [Build(name, number, items, side) for name, items, side in builds]
        for number, (group, builds) in enumerate(groups.items(), 1)
    }


def check_swaps(item: str, pairs: Sequence[Sequence[str]], groups: Mapping[str, Sequence[Build]], note: Note) -> None:
    """Note what is wrong with the swaps of an item."""
    builds = {build.name: build for group in groups.values() for build in group}
    together = [{build.name for build in group} for group in groups.values()]
    for i, pair in enumerate(pairs):
        at: KeyPath = ("swaps", item, i)
        strange = [name for name in pair if name not in builds]
        if len(pair) != 2 or strange:
            what = f"no build is called '{strange[0]}'" if strange else f"{len(pair)} builds are no pair"
            note(what, at, f"pairs of: {', '.join(builds)}", "value")
        elif item not in builds[pair[0]].items or item in builds[pair[1]].items:
            note(f"{pair[0]} to {pair[1]} gives no {item} away", at, "from a build with it to one without", "meaning")
        elif not any(set(pair) <= names for names in together):
            note(f"{pair[0]} and {pair[1]} have no budget in common", at, "builds of one budget", "meaning")


def texts(value: Any) -> list[str]:
    """Return the texts of a list; none of what is no list."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
