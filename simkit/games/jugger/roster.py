"""Who fights on each side: designs found by name, one for every jug (J-ARM-1)."""

from simkit.games.jugger import aliases, designs
from simkit.games.jugger.designs import Design
from simkit.games.jugger.items import written
from simkit.games.jugger.scenario import Scenario, SideName, Unit
from simkit.games.protocol import Budget


def design_of(scenario: Scenario, unit: Unit) -> Design:
    """Return the design of a unit: its own, one of the experiment, or a published one.

    Raises
    ------
    simkit.games.jugger.designs.UnknownDesignError
        No design has that name.

    Examples
    --------
    >>> duel = {"sides": {"a": {"design": "Horny Toad"}, "b": {"design": "toy"}}, "designs": {"toy": {"size": 1}}}
    >>> battle = Scenario.model_validate(duel)
    >>> [design_of(battle, side.every_unit[0]).size for side in (battle.sides.a, battle.sides.b)]
    [4, 1]
    """
    if isinstance(unit.design, Design):
        return unit.design
    return scenario.designs.get(unit.design) or designs.find(unit.design)


def roster(scenario: Scenario, side: SideName) -> list[Design]:
    """Return the design of every jug of a side, in order."""
    return [design_of(scenario, unit) for unit in scenario.side(side).every_unit for _ in range(unit.count)]


def budget(scenario: Scenario, side: SideName) -> Budget:
    """Return the size classes of a side: what jugs cost (J-SC-1).

    Examples
    --------
    >>> duel = {"sides": {"a": {"design": "Horny Toad"}, "b": {"design": "archer", "count": 2}}}
    >>> budget(Scenario.model_validate(duel), "b")
    Budget(amount=6, unit='size classes')
    """
    return Budget(sum(design.size for design in roster(scenario, side)), "size classes")


def titles(scenario: Scenario, side: SideName) -> list[str]:
    """Return what every jug of a side is called; several may be called alike."""
    return [title(scenario, unit) for unit in scenario.side(side).every_unit for _ in range(unit.count)]


def title(scenario: Scenario, unit: Unit) -> str:
    """Return what the jugs of a unit are called: the title of their design, or its name.

    Examples
    --------
    >>> title(Scenario.model_validate({"sides": {"a": {"design": "lobber"}, "b": {"design": "lobber"}}}),
    ...       Unit(design={"size": 2, "equipment": ["size 2 flail"]}))
    'size 2 flail'
    """
    design = design_of(scenario, unit)
    if design.title:
        return design.title
    if isinstance(unit.design, str):
        return aliases.plain(unit.design).replace("_", " ").capitalize()
    return ", ".join(written(design.items)) or f"bare size {design.size}"


def likely(scenario: Scenario, name: str) -> str:
    """Return a help for a name that no design has: the one that is spelled most like it, and where the names stand."""
    known = {aliases.plain(known): known for known in [*scenario.designs, *designs.load()]}
    close = aliases.closest(name, known)
    hint = f"did you mean '{known[close]}'? " if close else ""
    own = f"own designs: {', '.join(list(scenario.designs)[:12])}; " if scenario.designs else ""
    return f"{hint}{own}published ones: simkit designs jugger"
