"""Manoeuvre rolls: the one question that terrain asks of a lancer."""

from simkit.core.jit import rule
from simkit.games.pigtickler.records import Kind, Numbers, Task


@rule
def needed(rules: Numbers, modifier: int) -> int:
    """A manoeuvre needs the target on the dice, less the modifier: 6 or more, at -2 an 8 (P-MAN-1).

    The dice are the field ``dice`` (P-MAN-2).
    """
    return rules.target - modifier


@rule
def damage_modifier(rules: Numbers, damage: int) -> int:
    """Every point of unicycle damage weighs on each later manoeuvre roll (P-GAM-3, P-CRS-9)."""
    return rules.damage_modifier * damage


@rule
def ends_straight_leg(task: Task) -> bool:
    """A change of direction, or a level climbed, ends the straight leg he is on (P-MAN-3, P-MAN-5, P-CRS-2)."""
    return task.redirects or task.kind == Kind.LEVEL


@rule
def unmodified(descended: int, damage: int) -> bool:
    """On the flat and with a sound unicycle only a bog modifies a manoeuvre (P-DN-1, P-BOG-1, P-CRS-3)."""
    return descended == 0 and damage == 0


@rule
def stops_freely(descended: int) -> bool:
    """Without a descent a lancer may stop whenever he likes (P-MAN-4, P-DN-7)."""
    return descended == 0


@rule
def excuses(rules: Numbers) -> bool:
    """Facing is free when a turn begins: a failed change of direction is done for nothing (P-GAM-5, P-CRS-5)."""
    return rules.free_facing
