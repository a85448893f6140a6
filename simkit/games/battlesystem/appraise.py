"""What the kernels say of two units in contact: questions that exact solutions put to them.

The answers are those of the very functions that are played, for any figures, wounds and formations.
"""

from typing import NamedTuple

from simkit.core.jit import entry
from simkit.games.battlesystem.battle import set_up
from simkit.games.battlesystem.kinds import Declaration, Side
from simkit.games.battlesystem.melee import blow_of, early, index_of, number_of, shown, struck_on
from simkit.games.battlesystem.morale import checks_due, needed
from simkit.games.battlesystem.records import SIDES, Setup, State
from simkit.games.battlesystem.shape import ANY


class Kind(NamedTuple):
    """A unit at the start of a melee phase."""

    figures: int
    wound: int
    formation: int


class Begin(NamedTuple):
    """How a battle of two units begins."""

    touching: int
    """Contacts."""
    formation_a: int
    formation_b: int


class Pair(NamedTuple):
    """The blows of two units in contact: attacks, AR' - AC', and which results they have."""

    early: int
    """Side that strikes first, or -1 for both at once."""
    number_a: int
    index_a: int
    blow_a: int
    number_b: int
    index_b: int
    blow_b: int


class Morale(NamedTuple):
    """What morale asks of a unit."""

    due: int
    """Checks."""
    needed: int
    """The most that passes."""


@entry
def begin_of(setup: Setup, state: State) -> Begin:
    """Return how a battle of two units begins, side a's unit first: on some ground nobody is closed (B-LAN-11)."""
    set_up(setup, state)
    return Begin(state.touching, state.units[0].formation, state.units[1].formation)


@entry
def pair_of(setup: Setup, state: State, later: bool, a: Kind, b: Kind, late: int, lost: int) -> Pair:
    """Return the blows of two units that begin a battle in contact (B-LAN-19 to B-LAN-22).

    Parameters
    ----------
    later
        In another round than the first: nobody charges any more.
    a, b
        How the units stand now.
    late, lost
        The side that was struck first, and the figures it has lost by that; -1 where nobody was.
    """
    set_up(setup, state)
    contact = state.contacts[0]
    for side in range(SIDES):
        kind = a if side == 0 else b
        stand = state.units[contact.pair[side]]
        stand.figures = kind.figures
        stand.formation = kind.formation
        stand.declared = Declaration.NONE + 0  # what was in force lapses in the own movement phase, before any blow
        if later and setup.rules.turn_to_face:
            contact.how[side] = Side.FRONT + 0
    if later:
        state.now += 1
    left_a, left_b = ANY, ANY
    if late >= 0:
        stand = state.units[contact.pair[late]]
        stand.figures += lost
        left = max(0, shown(setup, state, contact, late, ANY).files - lost)
        stand.figures -= lost
        left_a, left_b = (left, ANY) if late == 0 else (ANY, left)
    return Pair(
        early(setup, state, contact),
        number_of(setup, state, contact, 0, left_a),
        index_of(setup, state, contact, 0),
        blow_of(setup, state, contact, 0),
        number_of(setup, state, contact, 1, left_b),
        index_of(setup, state, contact, 1),
        blow_of(setup, state, contact, 1),
    )


@entry
def morale_of(setup: Setup, state: State, later: bool, side: int, before: int, kind: Kind) -> Morale:
    """Return what morale asks of a unit that had `before` figures (B-LAN-23, B-LAN-24)."""
    set_up(setup, state)
    contact = state.contacts[0]
    k = contact.pair[side]
    stand = state.units[k]
    stand.figures = kind.figures
    stand.formation = kind.formation
    faces = later and setup.rules.turn_to_face
    stand.rear = struck_on(state, contact, 1 - side) == Side.REAR and not faces
    due = checks_due(setup.rules, setup.units[k].figures, before, kind.figures)
    return Morale(due, needed(setup.rules, setup.units[k], stand))
