"""Who stands where: the units of a side with their designs, slots and policies (B-LAN-27)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from simkit.games.battlesystem import units
from simkit.games.battlesystem.scenario import (
    DEFAULT_FIGURES,
    MOST_FIGURES,
    MOST_UNITS,
    Policy,
    Scenario,
    Side,
    SideName,
    Unit,
)
from simkit.games.battlesystem.tables import plain, suggestion
from simkit.games.battlesystem.units import Design
from simkit.games.protocol import Budget


class Post(NamedTuple):
    """One unit in its place."""

    unit: Unit
    design: Design
    slot: int
    reserve: bool
    policy: Policy


def slots(side: Side) -> list[int]:
    """Return the slot of every unit of a side, in order; -1 where none is left.

    A unit that names no slot takes the first one that is free and that no unit names; a reserve stands behind the unit
    before it.

    Examples
    --------
    >>> units = [{"design": "orcs"}, {"design": "ogres", "reserve": True}, {"design": "orcs"}]
    >>> slots(Side.model_validate({"units": units}))
    [0, 0, 1]
    """
    every = side.every_unit
    taken = {unit.slot for unit in every if unit.slot is not None and not unit.reserve}
    found: list[int] = []
    for unit in every:
        if unit.slot is not None:
            found.append(unit.slot)
        elif unit.reserve:
            found.append(found[-1] if found else -1)
        else:
            free = next((slot for slot in range(6) if slot not in taken), -1)
            taken.add(free)
            found.append(free)
    return found


def design_of(scenario: Scenario, unit: Unit) -> Design:
    """Return the design of a unit: its own, one of the experiment, or a preset.

    Raises
    ------
    simkit.games.battlesystem.units.UnknownUnitError
        No design has that name.

    Examples
    --------
    >>> fight = Scenario.model_validate({"sides": {"a": {"design": "Pikemen"}, "b": {"design": "orcs"}}})
    >>> design_of(fight, fight.sides.a.every_unit[0]).arm
    'pike'
    """
    if isinstance(unit.design, Design):
        return unit.design
    return scenario.designs.get(unit.design) or units.find(unit.design)


def roster(scenario: Scenario, side: SideName) -> list[Post]:
    """Return the units of a side in the order of the file; the scenario must be legal."""
    one = scenario.side(side)
    return [
        Post(unit, design_of(scenario, unit), slot, unit.reserve, scenario.policy_of(side, unit))
        for unit, slot in zip(one.every_unit, slots(one), strict=True)
    ]


def budget(scenario: Scenario, side: SideName) -> Budget:
    """Return the figures of a side; section 11 gives units no price.

    Examples
    --------
    >>> fight = {"sides": {"a": {"design": "orcs", "figures": 24}, "b": {"design": "elves"}}}
    >>> budget(Scenario.model_validate(fight), "a")
    Budget(amount=24, unit='figures')
    """
    return Budget(sum(unit.figures for unit in scenario.side(side).every_unit), "figures")


def title(scenario: Scenario, unit: Unit) -> str:
    """Return what the figures of a unit are called: the title of their design, or its name."""
    design = design_of(scenario, unit)
    if design.title:
        return design.title
    if isinstance(unit.design, str):
        return plain(unit.design).replace("-", " ").capitalize()
    return {"foot": "Foot", "cavalry": "Cavalry", "chariot": "Chariots"}[design.kind_of_figure]


def likely(scenario: Scenario, name: str) -> str:
    """Return a help for a name that no design has: the one that is spelled most like it, and those there are."""
    return suggestion(name, [*list(scenario.designs)[:12], *units.load()])


def force(units: Sequence[tuple[str, int | None]]) -> dict[str, Any]:
    """Return the table of a side out of designs and how many figures of each.

    Raises
    ------
    ValueError
        A unit has no figures or too many, or there are too many units.

    Examples
    --------
    >>> force([("pikemen", 24)])
    {'design': 'pikemen', 'figures': 24}
    >>> force([("orcs", None), ("ogres", 6)])
    {'units': [{'design': 'orcs', 'figures': 12}, {'design': 'ogres', 'figures': 6}]}
    """
    tables = [
        {"design": design, "figures": DEFAULT_FIGURES if figures is None else figures} for design, figures in units
    ]
    wrong = [figures for _, figures in units if figures is not None and not 1 <= figures <= MOST_FIGURES]
    if wrong:
        raise ValueError(f"is {wrong[0]} figures; a unit has 1 to {MOST_FIGURES}")
    if len(tables) > MOST_UNITS:
        raise ValueError(f"is {len(tables)} units; a side has 1 to {MOST_UNITS}")
    return tables[0] if len(tables) == 1 else {"units": tables}
