"""Units as people look them up: presets, and any design with its ratings and how they came about."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from simkit.games.battlesystem import roster, units
from simkit.games.battlesystem.legality import design_complaints
from simkit.games.battlesystem.ratings import AVERAGED, Part, Rating, rate
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import SIDES, Scenario, SideName, Unit
from simkit.games.battlesystem.tables import plain
from simkit.games.battlesystem.units import Design
from simkit.games.protocol import Rated

DOUBLED = " (x2 charging)"
"""Stands behind damage that counts double in a charge."""


def preset_names() -> list[str]:
    """List the ids of the preset units."""
    return list(units.load())


def preset_table(name: str) -> dict[str, Any]:
    """Return a preset unit as the table of a design in a file.

    Raises
    ------
    simkit.games.battlesystem.units.UnknownUnitError
        No unit has that name.

    Examples
    --------
    >>> preset_table("worg riders")["mount"]
    'worg'
    """
    return units.find(name).model_dump(exclude_unset=True)


def rate_preset(name: str, rules: Rules) -> Rated:
    """Rate a preset unit.

    Raises
    ------
    simkit.games.battlesystem.units.UnknownUnitError
        No unit has that name.

    Examples
    --------
    >>> rate_preset("Worg riders", Rules()).row["HD"]
    '3'
    """
    design = units.find(name)
    id = next(id for id, known in units.load().items() if known is design)
    return rated(id, design.title or id, design, rules)


def rate_scenario(scenario: Scenario, rules: Rules) -> list[Rated]:
    """Rate every design of a legal fight once: those of its file, then those that the sides bring."""
    found = {name: rated(name, design.title or name, design, rules) for name, design in scenario.designs.items()}
    for side in SIDES:
        for name, unit in brought(scenario, side):
            if name not in found:
                design = roster.design_of(scenario, unit)
                found[name] = rated(name, roster.title(scenario, unit), design, rules)
    return list(found.values())


def brought(scenario: Scenario, side: SideName) -> Iterator[tuple[str, Unit]]:
    """Yield the units of a side with the names of their designs; one that stands in the unit goes by its place."""
    every = scenario.side(side).every_unit
    for i, unit in enumerate(every):
        if isinstance(unit.design, str):
            yield unit.design if unit.design in scenario.designs else plain(unit.design), unit
        else:
            yield f"side {side}" + (f", unit {i + 1}" if len(every) > 1 else ""), unit


def rated(name: str, title: str, design: Design, rules: Rules) -> Rated:
    """Rate a design and say how.

    Raises
    ------
    simkit.games.battlesystem.units.UnknownUnitError
        It names a rider or a mount that is no preset.
    """
    rating = rate(design, rules)
    row = {
        "stands for": str(rating.ratio),
        "AR": str(rating.ar),
        "AC": str(rating.ac),
        "HD": hit_dice_words(design, rating),
        "takes": str(rating.pool),
        "MV": move_words(rating),
        "damage": damage_words(rating.parts),
        "base": f"{rating.width} x {rating.depth}",
    }
    numbers = {
        "kind": design.kind_of_figure,
        "ar": rating.ar,
        "ac": rating.ac,
        "hd": exactly(rating.hd),
        "ratio": rating.ratio,
        "pool": rating.pool,
        "mv": exactly(rating.move),
        "swim": None if rating.swim is None else exactly(rating.swim),
        "damage": [{"dice": p.dice, "mean": exactly(p.mean), "doubles": p.doubles} for p in rating.parts],
        "width": exactly(rating.width),
        "depth": exactly(rating.depth),
        "exempt": sorted(rating.exempt),
        "attacks": list(rating.attacks),
        "defences": list(rating.defences),
    }
    illegal = tuple(f"{one.message} ({one.id})" for one in design_complaints(design, rules, ()))
    return Rated(name, title, row, numbers, rating.steps, illegal)


def exactly(value: Fraction) -> int | str:
    """Return a number as plain data that loses nothing: whole, or text such as ``"14/3"``.

    Examples
    --------
    >>> exactly(Fraction(6, 2)), exactly(Fraction(14, 3))
    (3, '14/3')
    """
    return int(value) if value.denominator == 1 else str(value)


def damage_words(parts: Sequence[Part]) -> str:
    """Write damage dice, those that are alike together.

    Examples
    --------
    >>> damage_words(rate(units.find("four-horse chariots"), Rules()).parts)
    '10 x 1d6, 4 x 1d3'
    """
    counted = Counter((_dice(part), part.doubles) for part in parts)
    words = [
        f"{f'{count} x ' if count > 1 else ''}{dice}{DOUBLED * doubles}" for (dice, doubles), count in counted.items()
    ]
    return ", ".join(words) or "none"


def _dice(part: Part) -> str:
    return f"{float(part.mean):g} on average" if part.dice == AVERAGED else part.dice


def hit_dice_words(design: Design, rating: Rating) -> str:
    """Write the hit dice that count, and behind them those that are printed where they are others."""
    return str(rating.hd) if design.hd in (None, str(rating.hd)) else f"{rating.hd} ({design.hd})"


def move_words(rating: Rating) -> str:
    """Write movement, and that in water where it is another."""
    swims = rating.swim is not None and rating.swim != rating.move
    return f"{rating.move} (swim {rating.swim})" if swims else str(rating.move)
