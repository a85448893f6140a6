"""What damage does to a unit (B-LAN-7)."""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.contact import leave
from simkit.games.battlesystem.happenings import What
from simkit.games.battlesystem.kinds import Fate, Tally
from simkit.games.battlesystem.records import Setup, State
from simkit.games.battlesystem.throw import note


@rule
def killed_by(damage: int, wound: int, pool: int) -> int:
    """Return how many figures pooled damage kills: all that the hit dice of wound and damage fill (B-LAN-7)."""
    return (wound + damage) // pool


@rule
def left_over(damage: int, wound: int, pool: int) -> int:
    """Return the hit dice that kill no whole figure, and stay as a wound (B-LAN-7)."""
    return (wound + damage) % pool


@kernel
def hurt(setup: Setup, state: State, k: int, damage: int) -> int:
    """Put damage on a unit and return the figures that it kills; none is taken off yet."""
    unit, stand = setup.units[k], state.units[k]
    state.tally[1 - unit.side, Tally.KILLED] += damage
    kills = killed_by(damage, stand.wound, unit.pool)
    stand.wound = left_over(damage, stand.wound, unit.pool)
    note(state, What.DAMAGE + 0, unit.seat, -1, -1, damage, stand.wound)
    return kills


@kernel
def lose(setup: Setup, state: State, k: int, kills: int) -> None:
    """Take killed figures off, as far as there are any; a unit without figures is destroyed (B-LAN-7)."""
    stand = state.units[k]
    if kills == 0:
        return
    dead = min(kills, stand.figures)
    stand.figures -= dead
    note(state, What.LOSE + 0, setup.units[k].seat, -1, -1, dead, stand.figures)
    if stand.figures == 0:
        leave(setup, state, k, Fate.DESTROYED + 0)
