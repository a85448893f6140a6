"""The improvements of the random table, as a table (J-BALL-22)."""

from fractions import Fraction
from typing import Any

from simkit.games.jugger.aliases import STANDARD
from simkit.games.jugger.designs import IMPROVEMENTS
from simkit.games.juggerball.rules import Rules

GIVES = {
    "gears": "acceleration",
    "brakes": "deceleration",
    "steering": "a turn",
    "armor": "hits",
    "reinforced_ram": "its ram",
    "legs": "a kick, a catch, a turn, deceleration; no ram",
    "deflector": "hits the ball aside",
    "catcher": "catches the ball",
}
"""What each improvement adds to or allows."""

ITEM_FACES = 10
"""Faces of the dice of the improvement table and of the weapon table."""


def presets() -> list[dict[str, Any]]:
    """List what a random jug may roll, the chance of one roll, and what it gives.

    Examples
    --------
    >>> len(presets()), presets()[5]["improvement"], presets()[17]["chance"]
    (18, 'legs', '1/50')
    """
    table = Rules().weapons
    rows = [
        {"improvement": kind, "roll": str(k + 1), "chance": str(Fraction(1, ITEM_FACES)), "gives": GIVES[kind]}
        for k, kind in enumerate(IMPROVEMENTS)
    ]
    weapon = Fraction(ITEM_FACES - len(IMPROVEMENTS), ITEM_FACES) / ITEM_FACES
    for k, kind in enumerate(STANDARD):
        row = table[kind]
        gives = f"range {row.range}, hits on {row.to_hit} or less, {row.damage}"
        rows.append({"improvement": kind, "roll": f"9-10, {k + 1}", "chance": str(weapon), "gives": gives})
    return rows
