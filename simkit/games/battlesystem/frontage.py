"""How many figures strike, and which: files in contact, overlap figures, further ranks (B-LAN-3 to B-LAN-6).

The compiled engine counts them for itself; this is for whoever wants the parts of the count.
"""

import math
from fractions import Fraction
from typing import NamedTuple

from simkit.games.battlesystem.kinds import Formation
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.staging import Member
from simkit.games.battlesystem.track import FLANK, FRONT, Standing


class Shown(NamedTuple):
    """What a unit shows to an enemy."""

    files: int
    base: Fraction
    """Width of one figure in inches."""
    spacing: Fraction
    """Inches from file to file."""
    ranks: tuple[int, ...] = ()
    """Figures of each further rank that strikes."""
    overlaps: bool = False

    @property
    def length(self) -> Fraction:
        """Length of the front in inches (B-LAN-4)."""
        return self.files * self.spacing - (self.spacing - self.base) if self.files else Fraction(0)


class Strikers(NamedTuple):
    """Who strikes (B-LAN-5)."""

    contact: int
    """Files in contact with the enemy's front."""
    overlap: int
    ranks: tuple[int, ...]
    """Of each further rank."""

    @property
    def total(self) -> int:
        """Attacks."""
        return self.contact + self.overlap + sum(self.ranks)


def rank(figures: int, files: int, r: int) -> int:
    """Return the figures in a rank, counted from 1 (B-LAN-4)."""
    return min(max(figures - (r - 1) * files, 0), files)


def spacing(member: Member, formation: int, rules: Rules) -> Fraction:
    """Return the inches from file to file (B-LAN-3)."""
    gaps = {Formation.OPEN: rules.spacing_open, Formation.SKIRMISH: rules.spacing_skirmish}
    return member.rating.width + Fraction(gaps.get(Formation(formation), 0))


def files_of(member: Member, unit: Standing) -> int:
    """Return how many files a unit has: its own, or those of a block to every side (B-LAN-6)."""
    return math.isqrt(unit.figures - 1) + 1 if unit.all_round and unit.figures else member.files


def shown(member: Member, unit: Standing, struck: str, rules: Rules, left: int | None = None) -> Shown:
    """Return what a unit shows to an enemy who strikes it on some side (B-LAN-4, B-LAN-6).

    Parameters
    ----------
    left
        Figures that set spears left of its front: what counts unless it can refill (B-LAN-21).
    """
    base, apart, files = member.rating.width, spacing(member, unit.formation, rules), files_of(member, unit)
    if unit.all_round:
        struck = FRONT
    if struck == FLANK:
        base = apart = member.rating.depth
        front = -(-unit.figures // files)
    else:
        front = rank(unit.figures, files, 1)
    if left is not None and not unit.closed:
        front = left
    full = struck == FRONT and unit.closed
    deep = 1 if member.mounted or not full else member.ranks
    ranks = tuple(rank(unit.figures, files, r) for r in range(2, deep + 1))
    return Shown(front, base, apart, ranks, full and not member.mounted)


def strikers(own: Shown, other: Shown, rules: Rules) -> Strikers:
    """Return who strikes at a front (B-LAN-5).

    Examples
    --------
    >>> men, four = Shown(6, Fraction(3, 4), Fraction(3, 4), overlaps=True), Shown(4, Fraction(3, 4), Fraction(3, 4))
    >>> strikers(men, four, Rules())
    Strikers(contact=4, overlap=2, ranks=())
    """
    against = math.ceil(other.length / own.spacing) if rules.frontage == "inches" else other.files
    contact = min(own.files, against)
    overlap = min(own.files - contact, rules.overlap) if own.overlaps else 0
    return Strikers(contact, overlap, tuple(min(contact, figures) for figures in own.ranks))
