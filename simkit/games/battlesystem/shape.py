"""How a unit stands (B-LAN-4 to B-LAN-7): ranks, fronts, who can strike whom, and what losses do to it."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.kinds import Declaration, Formation, Side
from simkit.games.battlesystem.records import Setup, Stand, State, Unit


@rule
def ceil_div(a: int, b: int) -> int:
    """Return a / b rounded up."""
    return -(-a // b)


@rule
def rank(stand: Stand, files: int, r: int) -> int:
    """Return how many figures stand in rank r, the front being 1 (B-LAN-4)."""
    return min(max(stand.figures - (r - 1) * files, 0), files)


@rule
def is_round(stand: Stand) -> bool:
    """Tell whether a wall or set spears cover all sides: then every side is front (B-SHW-3, B-SET-4)."""
    return stand.declared == Declaration.WALL_ROUND or stand.declared == Declaration.SET_ROUND


@rule
def covers(stand: Stand, struck: int) -> bool:
    """Tell whether what the unit has declared covers the side on which it is struck (B-LAN-22)."""
    return struck == Side.FRONT or is_round(stand)


@kernel
def square(figures: int) -> int:
    """Return the files of a block that shows every side alike: the root of its figures, rounded up (B-LAN-6)."""
    side = 0
    while side * side < figures:
        side += 1
    return side


@kernel
def front(unit: Unit, stand: Stand) -> int:
    """Return how many figures stand abreast where the unit is struck (B-LAN-4, B-LAN-6)."""
    if is_round(stand):
        return square(stand.figures)
    if stand.struck == Side.FLANK:
        return ceil_div(stand.figures, unit.files)
    return rank(stand, unit.files, 1)


@rule
def spacing(unit: Unit, stand: Stand) -> int:
    """Return the distance from file to file where the unit is struck, in 36ths of an inch (B-LAN-3, B-LAN-6)."""
    if stand.struck == Side.FLANK and not is_round(stand):
        return unit.depth
    return unit.spacing[stand.formation]


@rule
def breadth(unit: Unit, stand: Stand) -> int:
    """Return the width of one figure where the unit is struck."""
    if stand.struck == Side.FLANK and not is_round(stand):
        return unit.depth
    return unit.width


@kernel
def attacks(setup: Setup, state: State, k: int, foe: int, abreast: int) -> int:
    """Return how many figures strike (B-LAN-5).

    In contact are as many as the enemy's front is long; a closed unit that is not struck on flank or rear adds overlap
    figures, one each side, and on foot the ranks behind that its arms reach from.

    Parameters
    ----------
    abreast
        Figures in the unit's own front.
    """
    unit, other = setup.units[k], setup.units[foe]
    stand, enemy = state.units[k], state.units[foe]
    theirs = front(other, enemy)
    if abreast <= 0 or theirs <= 0:
        return 0
    if setup.rules.by_figures:
        contact = min(abreast, theirs)
    else:
        between = spacing(other, enemy)
        length = theirs * between - (between - breadth(other, enemy))
        contact = min(abreast, ceil_div(length, spacing(unit, stand)))
    if stand.formation != Formation.CLOSED or (stand.struck != Side.FRONT and not is_round(stand)):
        return contact
    total = contact + min(abreast - contact, setup.rules.overlap)
    if not unit.mounted:
        for r in range(2, unit.ranks + 1):
            total += min(contact, rank(stand, unit.files, r))
    return total


@rule
def blows_of(stand: Stand) -> bool:
    """Tell whether the unit is in the fight."""
    return stand.fate == 0 and stand.figures > 0


@kernel
def lose(setup: Setup, state: State, k: int, damage: int) -> int:
    """Take hit dice off a unit and return how many figures fall; the rest is a wound (B-LAN-7)."""
    unit, stand = setup.units[k], state.units[k]
    total = stand.wound + damage
    killed = min(total // unit.pool, stand.figures)
    stand.wound = total % unit.pool
    stand.figures -= killed
    return killed
