"""Who plays on each side: designs found by name, random jugs, improvements that are fixed (J-BALL-22)."""

from simkit.games.jugger import aliases, designs
from simkit.games.jugger.designs import IMPROVEMENTS, Design
from simkit.games.juggerball import fields
from simkit.games.juggerball.fields import PlayField
from simkit.games.juggerball.kinds import Improvement
from simkit.games.juggerball.scenario import IMPROVEMENTS as ITEMS
from simkit.games.juggerball.scenario import RANDOM, Scenario, SideName


def design_of(scenario: Scenario, jug: str | Design) -> Design | None:
    """Return the design of a jug: its own, one of the experiment, a published one; None for a random one.

    Raises
    ------
    simkit.games.jugger.designs.UnknownDesignError
        No design has that name.
    """
    if isinstance(jug, Design):
        return jug
    if jug == RANDOM:
        return None
    return scenario.designs.get(jug) or designs.find(jug)


def roster(scenario: Scenario, side: SideName) -> list[Design | None]:
    """Return the designs of a side, one for every jug; None for a random one."""
    return [design_of(scenario, jug) for jug in scenario.side(side).every_jug]


def number_of(name: str) -> int | None:
    """Return the number of an improvement: 1 to 8 of the improvement table, 8 more than that of a standard weapon.

    Examples
    --------
    >>> number_of("gears"), number_of("catcher"), number_of("shield arm"), number_of("trebuchet")
    (1, 8, 18, None)
    """
    kind = aliases.equipment(name) or aliases.weapon(name)
    if kind in IMPROVEMENTS:
        return IMPROVEMENTS.index(kind) + 1
    if kind in aliases.STANDARD:
        return int(Improvement.CATCHER) + 1 + [*aliases.STANDARD].index(kind)
    return None


def given(scenario: Scenario, side: SideName) -> list[list[int]]:
    """Return the improvements that each jug of a side has for certain, by number; 0 where one is rolled."""
    fixed = scenario.side(side).fixed
    found = []
    for k, jug in enumerate(scenario.side(side).every_jug):
        items = [number_of(name) or 0 for name in fixed.items] if fixed and jug == RANDOM and k < fixed.jugs else []
        found.append([*items, *[0] * (ITEMS - len(items))])
    return found


def title(scenario: Scenario, side: SideName, number: int) -> str:
    """Return what a jug is called: its design's title, or its number."""
    jug = scenario.side(side).every_jug[number]
    design = design_of(scenario, jug)
    if design is not None and design.title:
        return design.title
    return f"Jug {number + 1}" if isinstance(jug, Design) or jug == RANDOM else jug


def field_of(scenario: Scenario) -> PlayField:
    """Return the field of a match.

    Raises
    ------
    KeyError
        No field has that name.
    """
    field = scenario.scenario.field
    return field if isinstance(field, PlayField) else fields.find(field)
