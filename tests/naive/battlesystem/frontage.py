"""Files in contact, overlaps and further ranks (B-UNI-3, B-LAN-3 to B-LAN-6)."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.ratings import Design
from tests.naive.battlesystem.unit import Unit


@dataclass(frozen=True)
class Front:
    """What a unit shows to an enemy: files, the width of a base, the spacing, and the figures of each further rank."""

    files: int
    base: Fraction
    spacing: Fraction
    ranks: tuple[int, ...] = ()
    overlaps: bool = False

    @property
    def length(self) -> Fraction:
        """The length of the front in inches."""
        return self.files * self.spacing - (self.spacing - self.base) if self.files else Fraction(0)


def base_of(design: Design, rules: Any) -> Fraction:
    """Return the width of a base (B-LAN-3)."""
    return Fraction(getattr(rules, f"{design.base}_width"))


def spacing(design: Design, formation: str, rules: Any) -> Fraction:
    """Return the width that a file takes (B-LAN-3)."""
    apart = {"open": rules.spacing_open, "skirmish": rules.spacing_skirmish}.get(formation, Fraction(0))
    return base_of(design, rules) + Fraction(apart)


def deep(design: Design, rules: Any) -> int:
    """Return how many ranks fight in closed formation (B-LAN-5)."""
    if design.mounted:
        return 1
    return int({"pike": rules.ranks_pike, "other": 1}.get(design.arm, rules.ranks_spear))


def rank(figures: int, files: int, r: int) -> int:
    """Return the figures in a rank, counted from 1 (B-LAN-4)."""
    return min(max(figures - (r - 1) * files, 0), files)


def front(unit: Unit, struck: str, rules: Any, old: int | None = None) -> Front:
    """Return what a unit shows to an enemy who strikes it on some side (B-LAN-4, B-LAN-6).

    `old` is the number of files of a charger before set spears struck: who can't refill shows what is left (B-LAN-21).
    """
    design, figures = unit.design, unit.figures
    base, space = base_of(design, rules), spacing(design, unit.formation, rules)
    files = unit.files
    if unit.all_round:
        struck, files = "front", math.isqrt(figures - 1) + 1 if figures else 1
    if struck == "flank":
        base = space = t.DEPTHS.get(design.base, base)
        shown = -(-figures // files)
    else:
        shown = rank(figures, files, 1)
    if old is not None and not unit.closed:
        shown = old
    full = struck == "front" and unit.closed
    ranks = tuple(rank(figures, files, r) for r in range(2, deep(design, rules) + 1)) if full else ()
    return Front(shown, base, space, ranks, full and not design.mounted)


def attacks(own: Front, other: Front, rules: Any) -> int:
    """Return the attacks of a front against another (B-LAN-5)."""
    in_inches = rules.frontage == "inches"
    contact = min(own.files, math.ceil(other.length / own.spacing) if in_inches else other.files)
    overlap = min(own.files - contact, rules.overlap) if own.overlaps else 0
    return contact + overlap + sum(min(contact, figures) for figures in own.ranks)
