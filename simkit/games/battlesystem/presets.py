"""The preset units as a table: what every figure is worth by the rules of record."""

from typing import Any

from simkit.games.battlesystem.ratings import rate
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.showing import damage_words, hit_dice_words, move_words
from simkit.games.battlesystem.units import Design, load

CANNOT = ("none", "other")


def presets() -> list[dict[str, Any]]:
    """List the preset units with their ratings, in the order of the rulebook.

    Examples
    --------
    >>> row = next(row for row in presets() if row["design"] == "heavy-cavalry")
    >>> row["AR"], row["AC"], row["HD"], row["takes"], row["MV"], row["damage"]
    (20, 7, '2', 20, '15', '2d4+1 (x2 charging), 2 x 1d8, 1d3')
    """
    return [_row(id, design) for id, design in load().items()]


def _row(id: str, design: Design) -> dict[str, Any]:
    rating = rate(design, Rules())
    return {
        "design": id,
        "kind": design.kind_of_figure,
        "stands for": rating.ratio,
        "AR": rating.ar,
        "AC": rating.ac,
        "HD": hit_dice_words(design, rating),
        "takes": rating.pool,
        "MV": move_words(rating),
        "ML": design.ml,
        "damage": damage_words(rating.parts),
        "base": design.base_of_figure,
        "arms": ", ".join(_arms(design)) or "-",
        "pays nothing in": ", ".join(sorted(rating.exempt)) or "-",
    }


def _arms(design: Design) -> list[str]:
    """List what a unit can fight, shoot and stand with."""
    found: list[str] = [] if design.arm in CANNOT else [design.arm]
    found += [] if design.bow in CANNOT else ["crossbow" if design.bow == "crossbow" else f"{design.bow} bow"]
    return [*found, "large shields"] if design.large_shields else found
