"""Random regulation jugs: three rolls on the improvement table (J-BALL-1, J-BALL-22)."""

from simkit.core.jit import kernel
from simkit.games.jugger.happenings import KICK
from simkit.games.jugger.records import PieceKind
from simkit.games.jugger.throw import note
from simkit.games.juggerball.ball import throw_at
from simkit.games.juggerball.happenings import DiceRow, What
from simkit.games.juggerball.kinds import FIRST_WEAPON, ILLEGAL, Illegal, Improvement, Roster
from simkit.games.juggerball.records import ITEMS, Setup, State

ROUNDS = 60
"""Most rolls for one jug: one in 10**30 takes so many."""


@kernel
def roll_teams(setup: Setup, state: State) -> None:
    """Roll the jugs of both lists that are left to chance, side a's of the scenario first (J-BALL-22)."""
    war, now = setup.battle, state.battle
    for row in range(war.count_a + war.count_b):
        side = int(row >= war.count_a)
        k = row - side * war.count_a
        if setup.origins[row] == Roster.RANDOM:
            first = now.counts[0] if (side == 1) != now.swapped else 0
            legs = legs_among(setup, side * war.count_a, row)
            roll_jug(setup, state, row, first + k, ROLL_SEATS * side + k, legs)
        elif setup.origins[row] == Roster.MIRROR:
            war.jugs[row] = war.jugs[k]  # type: ignore[index]


ROLL_SEATS = 12
"""Dice seats of a list at the set-up: a team goes with its list, whatever its seat."""


@kernel
def legs_among(setup: Setup, first: int, end: int) -> int:
    """Count the jugs on legs in some rows."""
    count = 0
    for row in range(first, end):
        count += int(setup.battle.jugs[row].legged)
    return count


@kernel
def roll_jug(setup: Setup, state: State, row: int, slot: int, seat: int, legs: int) -> None:
    """Roll the improvements of one jug whose team has so many on legs, and build it."""
    items = state.items
    for k in range(ITEMS):
        items[k] = setup.given[row, k]
    k = 0
    for _ in range(ROUNDS):
        while k < ITEMS and items[k] > 0:
            k += 1
        if k >= ITEMS:
            break
        die = throw_at(setup, state, seat, DiceRow.ITEM + 0)
        item, weapon = min(die, Improvement.WEAPON + 0), 0
        if item == Improvement.WEAPON:
            weapon = throw_at(setup, state, seat, DiceRow.ITEM_WEAPON + 0)
        fits = may_add(setup, state, item) and (item != Improvement.LEGS or legs < setup.ball.legs_per_team)
        note(state.battle, What.ITEM + 0, slot, -1, -1, die, item, weapon if fits else weapon + ILLEGAL)
        if fits:
            items[k] = item if weapon == 0 else FIRST_WEAPON + weapon
            k += 1
        elif setup.ball.illegal == Illegal.NOTHING:
            k += 1
        elif setup.ball.illegal == Illegal.REROLL_JUG:
            for j in range(ITEMS):
                items[j] = setup.given[row, j]
            k = 0
    build(setup, state, row)


@kernel
def may_add(setup: Setup, state: State, item: int) -> bool:
    """Tell whether a jug may have an improvement beside those it has (J-BALL-22, J-EQ-3, J-EQ-4)."""
    if not Improvement.LEGS <= item <= Improvement.CATCHER:
        return True
    for k in range(ITEMS):
        there = state.items[k]
        if Improvement.LEGS <= there <= Improvement.CATCHER and (
            there == item or there == Improvement.LEGS or item == Improvement.LEGS or setup.ball.one_of_three
        ):
            return False
    return True


@kernel
def build(setup: Setup, state: State, row: int) -> None:
    """Build a regulation jug of the improvements in ``state.items``, as a design of that list is compiled."""
    war = setup.battle
    war.jugs[row] = setup.blank  # type: ignore[index]
    jug = war.jugs[row]
    pieces, weapons = 0, 0
    reinforced = False
    for k in range(ITEMS):
        item = state.items[k]
        if item == 0:
            continue
        if item == Improvement.ARMOR:
            jug.hits += setup.ball.armor_hits
            continue
        piece = jug.pieces[pieces]
        piece.weapon = -1
        if item > FIRST_WEAPON:
            number = item - FIRST_WEAPON - 1
            piece.kind = PieceKind.WEAPON + 0
            piece.weapon = weapons
            jug.weapons[weapons] = setup.weapons[number]  # type: ignore[index]
            jug.weapons[weapons].piece = pieces
            jug.armed |= 1 << weapons
            jug.longest = max(jug.longest, setup.weapons[number].reach)
            if number == SHIELD_ARM:
                jug.hits += setup.ball.shield_arm_hits
            weapons += 1
        elif item == Improvement.LEGS:
            piece.kind = PieceKind.LEGS + 0
            jug.legged = True
            jug.armed |= 1 << KICK
            jug.longest = max(jug.longest, 1)
        else:
            piece.kind = kind_of(item)
            reinforced = reinforced or item == Improvement.REINFORCED_RAM
        pieces += 1
    jug.piece_count = pieces
    jug.weapon_count = weapons
    jug.rams = not jug.legged and (setup.ball.all_ram or reinforced)


SHIELD_ARM = 9
"""Place of the shield arm in the table of standard weapons, from 0 (J-EQ-6)."""


@kernel
def kind_of(item: int) -> int:
    """Return what kind of piece an improvement is."""
    if item == Improvement.GEARS:
        return PieceKind.GEARS + 0
    if item == Improvement.BRAKES:
        return PieceKind.BRAKES + 0
    if item == Improvement.STEERING:
        return PieceKind.STEERING + 0
    if item == Improvement.REINFORCED_RAM:
        return PieceKind.RAM + 0
    return (PieceKind.DEFLECTOR if item == Improvement.DEFLECTOR else PieceKind.CATCHER) + 0
