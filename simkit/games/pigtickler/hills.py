"""Hills: a roll for each level up, none on the way down, and a price for every roll after that."""

from simkit.core.jit import rule
from simkit.games.pigtickler.records import Ahead, FailedStop, NeighbourPolicy, Numbers


def hill_levels(radius: int, level_every: int, flat: bool) -> int:
    """A flat-topped piece is one level; on a rounded one a level begins every so many inches (P-UP-3).

    Parameters
    ----------
    radius
        Radius of the piece at its foot, in inches.
    level_every
        The field ``level_every``, in inches.
    flat
        True for a flat-topped piece.

    Examples
    --------
    >>> hill_levels(4, 2, flat=False), hill_levels(5, 2, flat=False), hill_levels(4, 2, flat=True)
    (1, 2, 1)
    """
    return 1 if flat else max(0, -(-radius // level_every) - 1)


@rule
def level_counts_as_reached(rules: Numbers) -> bool:
    """A rider who fails to climb stops on the level line and starts from there next turn (P-UP-1, P-UP-2)."""
    return not rules.uphill_reroll


@rule
def downhill_modifier(rules: Numbers, descended: int, leg: int) -> int:
    """Every level descended this turn weighs on each later manoeuvre roll of the turn (P-DN-1).

    Only manoeuvre rolls take it; the collision table never does (P-DN-6).
    """
    if rules.downhill_whole_turn:
        return rules.downhill_modifier * descended
    return rules.downhill_modifier * leg


@rule
def after_descent(descended: int) -> bool:
    """A lancer is riding out a descent once he has come down a level this turn (P-DN-1, P-CRS-2)."""
    return descended > 0


@rule
def failed_stop_counts_as_success(rules: Numbers) -> bool:
    """By one reading a lancer who fails to stop after a descent stops all the same (P-DN-7)."""
    return rules.failed_stop == FailedStop.STOPS


@rule
def rides_to_contact(rules: Numbers, ahead: int, runs_on: bool) -> bool:
    """The player to the left may ride him straight into what lies ahead, or stop him short of it (P-DN-4).

    At his worst he uses a chasm, an obstacle, a lancer or a bog, and spares only the pig; a lancer who
    runs on by himself, or is ridden straight on, meets whatever comes first (P-DN-7, P-CRS-6).
    """
    if ahead == Ahead.PIG:
        return runs_on or rules.neighbour_policy == NeighbourPolicy.STRAIGHT_ON
    return ahead != Ahead.EDGE


@rule
def runs_on(rules: Numbers, stopping: bool) -> bool:
    """By one reading a lancer who fails to stop runs on by himself to the first contact (P-DN-7)."""
    return stopping and rules.failed_stop == FailedStop.RUNS_ON
