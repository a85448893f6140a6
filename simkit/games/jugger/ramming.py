"""Rules of rams and collisions (J-RAM, J-COL)."""

from simkit.core.jit import rule

HEAD_ON = 0
SIDE = 1
REAR = 2


@rule
def approach(arc: int) -> int:
    """Tell from where a jug is rammed by the arc in which the rammer stands (J-RAM-1): 0 head-on, 3 rear, else side."""
    if arc == 0:
        return HEAD_ON
    if arc == 3:
        return REAR
    return SIDE


@rule
def ram_damage(roll: int, bonus: int, size: int, velocity: int) -> int:
    """Return the damage of a ram (J-RAM-2): (D6 + ram bonus + size class) x velocity."""
    return (roll + bonus + size) * velocity


@rule
def ram_velocity(kind: int, rammer: int, target: int, cap: int) -> int:
    """Return the velocity that counts (J-RAM-2, J-RAM-3): the rammer's; from behind its lead over the target."""
    counts = rammer - target if kind == REAR else rammer
    return min(max(0, counts), cap)


@rule
def push(velocity: int, moved: int, target_size: int) -> int:
    """Return how far a jug rammed from the side is pushed (J-RAM-12): the rest of the move less the target's size."""
    return max(0, velocity - moved - target_size)


@rule
def collision_damage(roll: int, size: int, velocity: int, size_counts: bool, cap: int) -> int:
    """Return the damage of hitting an obstacle (J-COL-1): (D6 + own size class) x own velocity."""
    return (roll + (size if size_counts else 0)) * min(velocity, cap)
