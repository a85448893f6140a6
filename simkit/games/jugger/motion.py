"""Rules of velocity, turning and terrain: how fast a jug may go and what slows it down."""

from simkit.core.jit import rule


@rule
def slowest(velocity: int, deceleration: int) -> int:
    """Return the least velocity it may choose (J-ACC-2, J-ACC-3).

    Each turn the velocity may first fall by at most the deceleration; it never falls below 0.
    """
    return max(0, velocity - deceleration)


@rule
def fastest(velocity: int, acceleration: int, legged: bool, top: int, least: int) -> int:
    """Return the greatest velocity it may choose (J-ACC-2, J-ACC-5).

    Each turn the velocity may first grow by at most the acceleration. Legs' limit caps the chosen velocity;
    a jug that cannot brake below the limit takes the least it can.
    """
    most = velocity + acceleration
    if legged:
        most = min(most, top)
    return max(most, least)


@rule
def may_turn(turned: int, turns: int, velocity: int, in_place: bool) -> bool:
    """Tell whether it may turn once more (J-ACC-1, J-ACC-3).

    One turn of 60 degrees a turn and one more for each point of turn rate; also at velocity 0.
    """
    return turned < turns and (in_place or velocity > 0)


@rule
def after_loss(velocity: int, loss: int) -> int:
    """Return the velocity after entering terrain (J-TER-1, J-TER-2): less by the hex's loss, never below 0."""
    return max(0, velocity - loss)


@rule
def may_drag(own_size: int, other_size: int, attached_to: int) -> bool:
    """Tell whether an attached jug may move (J-WPN-13): with more size classes than the one it is attached to."""
    return attached_to == 1 and own_size > other_size
