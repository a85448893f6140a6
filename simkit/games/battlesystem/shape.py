"""How a unit stands (B-LAN-3 to B-LAN-6): ranks, the front that it shows, and who of it can strike."""

from typing import NamedTuple

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.kinds import Declaration, Formation, Side
from simkit.games.battlesystem.records import Numbers, Stand, Unit

ANY = -1
"""Nothing is known of a front before: it is as its figures make it."""


class Front(NamedTuple):
    """What a unit shows to an enemy."""

    files: int
    """Figures abreast."""
    abreast: int
    """Figures of a full rank."""
    width: int
    """Of a figure, in 36ths of an inch."""
    spacing: int
    """From file to file."""
    full: bool
    """It is the front of a closed unit: overlaps and further ranks strike, too."""


@rule
def ceil_div(a: int, b: int) -> int:
    """Return a / b rounded up."""
    return -(-a // b)


@rule
def rank(figures: int, files: int, r: int) -> int:
    """Return how many figures stand in rank r, the front being 1 (B-LAN-4)."""
    return min(max(figures - (r - 1) * files, 0), files)


@rule
def walled(declared: int) -> bool:
    """Tell whether a shield wall is in force."""
    return declared == Declaration.WALL or declared == Declaration.WALL_ROUND


@rule
def is_set(declared: int) -> bool:
    """Tell whether spears or pikes are set."""
    return declared == Declaration.SET or declared == Declaration.SET_ROUND


@rule
def all_round(declared: int) -> bool:
    """Tell whether a wall or set spears cover all sides: then every side is front (B-SHW-3, B-SET-4)."""
    return declared == Declaration.WALL_ROUND or declared == Declaration.SET_ROUND


@rule
def covers_wall(declared: int, struck: int) -> bool:
    """Tell whether a shield wall covers the side on which a unit is struck (B-SHW-2, B-LAN-22)."""
    return walled(declared) and (struck == Side.FRONT or all_round(declared))


@rule
def covers_set(declared: int, struck: int) -> bool:
    """Tell whether set spears cover the side on which a unit is struck (B-LAN-22)."""
    return is_set(declared) and (struck == Side.FRONT or all_round(declared))


@kernel
def square(figures: int) -> int:
    """Return the files of a block that shows every side alike: the root of its figures, rounded up (B-LAN-6)."""
    side = 1
    while side * side < figures:
        side += 1
    return side


@kernel
def front(unit: Unit, stand: Stand, struck: int, left: int) -> Front:
    """Return what a unit shows where it is struck (B-LAN-4, B-LAN-6).

    On a flank its ranks are files, as far apart as its figures are deep. A wall or spears to all sides make a block
    whose every side is front.

    Parameters
    ----------
    left
        Who is left of its front after a first strike: a closed unit refills it, any other shows these (B-LAN-21).
    """
    files = unit.files
    side = struck
    if all_round(stand.declared):
        files = square(stand.figures)
        side = Side.FRONT + 0
    width, spacing = unit.width, unit.spacing[stand.formation]
    shown = rank(stand.figures, files, 1)
    if side == Side.FLANK:
        width = spacing = unit.depth
        shown = ceil_div(stand.figures, files)
    closed = stand.formation == Formation.CLOSED
    if left != ANY and not closed:
        shown = left
    return Front(shown, files, width, spacing, closed and side == Side.FRONT)


@rule
def length(front: Front) -> int:
    """Return the length of a front: files by spacing, but for the gap after the last (B-LAN-4)."""
    if front.files == 0:
        return 0
    return front.files * front.spacing - (front.spacing - front.width)


@kernel
def attacks(rules: Numbers, unit: Unit, figures: int, own: Front, other: Front) -> int:
    """Return how many figures strike (B-LAN-5).

    In contact are as many as the enemy's front is long. The front of a closed unit on foot adds overlap figures, one
    each side, and for each further rank that its arms reach from the figures behind those in contact.
    """
    contact = min(own.files, other.files)
    if not rules.by_figures:
        contact = min(own.files, ceil_div(length(other), own.spacing))
    if not own.full or unit.mounted:
        return contact
    total = contact + min(own.files - contact, rules.overlap)
    for r in range(2, unit.ranks + 1):
        total += min(contact, rank(figures, own.abreast, r))
    return total
