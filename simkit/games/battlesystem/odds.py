"""What an exchange of blows comes to on average, without dice (B-LAN-26).

Chances are whole numbers of 1/2^30, so that a situation is worth the same on every machine.
"""

from simkit.core.jit import kernel, rule
from simkit.games.battlesystem.losses import killed_by
from simkit.games.battlesystem.melee import BOTH, blow_of, early, index_of, number_of, result, shown
from simkit.games.battlesystem.records import SUMS, Contact, Setup, State
from simkit.games.battlesystem.shape import ANY

CHANCE_BITS = 30
CERTAIN = 2**CHANCE_BITS
HALF = CERTAIN // 2
COARSER = 2**15
"""Divides averages before they are multiplied by chances, so that there is room."""

FINER = 2**10
"""Shares of a pool are reckoned in so many parts of 1/2^30."""

ALIKE = 2**22
"""Shares of a pool that differ by no more, 1/2^18, are equal: rounding is to part no ties."""


@rule
def left_in(setup: Setup, state: State, k: int) -> int:
    """Return the hit dice that a unit has left: more cannot be killed (B-LAN-7)."""
    return min(state.units[k].figures * setup.units[k].pool - state.units[k].wound, SUMS - 1)


@kernel
def one_attack(setup: Setup, k: int, blow: int, index: int) -> int:
    """Return what one attack kills on average, in 1/2^30 of a hit die."""
    total = 0
    for i in range(setup.faces):
        total += setup.chances[i] * result(setup, k, blow, index + setup.attack.lowest + i)
    return total


@kernel
def add_attack(setup: Setup, state: State, reach: int, cap: int) -> None:
    """Add an attack to the sums: `sums[s]` is the chance of s hit dice, the last one that of `cap` or more.

    Parameters
    ----------
    reach
        The greatest sum so far.
    """
    for s in range(min(reach, cap - 1), -1, -1):
        before = state.sums[s]
        if before > 0:
            state.sums[s] = 0
            for i in range(setup.faces):
                state.sums[min(s + state.hits[i], cap)] += (before * setup.chances[i] + HALF) >> CHANCE_BITS


@kernel
def add_attacks(setup: Setup, state: State, k: int, blow: int, index: int, number: int, cap: int) -> None:
    """Find what up to so many attacks kill on average, at most `cap` hit dice: `means[n]` of n attacks, in 1/2^30.

    Afterwards `sums` are those of all attacks.
    """
    for i in range(setup.faces):
        state.hits[i] = result(setup, k, blow, index + setup.attack.lowest + i)
    for s in range(cap + 1):
        state.sums[s] = 0
    state.sums[0] = CERTAIN
    state.means[0] = 0
    for n in range(1, number + 1):
        add_attack(setup, state, (n - 1) * state.hits[0], cap)
        total = 0
        for s in range(1, min(n * state.hits[0], cap) + 1):
            total += state.sums[s] * s
        state.means[n] = total


@kernel
def average(setup: Setup, state: State, k: int, blow: int, index: int, number: int, cap: int) -> int:
    """Return what some attacks kill on average, at most `cap` hit dice, in 1/2^30.

    Where they cannot reach that, it is so many times one attack's average.
    """
    if number * result(setup, k, blow, index + setup.attack.lowest) <= cap:
        return number * one_attack(setup, k, blow, index)
    add_attacks(setup, state, k, blow, index, number, cap)
    return state.means[number]


@kernel
def blows_of(setup: Setup, state: State, contact: Contact, side: int) -> int:
    """Return what a side's blows kill on average of what the enemy has now."""
    k, foe = contact.pair[side], contact.pair[1 - side]
    blow, index = blow_of(setup, state, contact, side), index_of(setup, state, contact, side)
    number = number_of(setup, state, contact, side, ANY)
    return average(setup, state, k, blow, index, number, left_in(setup, state, foe))


@kernel
def answer_of(setup: Setup, state: State, contact: Contact, side: int) -> int:
    """Return what the answer to a first strike of a side kills on average (B-LAN-21).

    Leaves the average of the first strike in `means[0]`. A check of morale between the two is left out.
    """
    k, foe = contact.pair[side], contact.pair[1 - side]
    stand, pool = state.units[foe], setup.units[foe].pool
    had, figures, cap = shown(setup, state, contact, 1 - side, ANY).files, stand.figures, left_in(setup, state, foe)
    blow, index = blow_of(setup, state, contact, side), index_of(setup, state, contact, side)
    number = number_of(setup, state, contact, side, ANY)
    add_attacks(setup, state, k, blow, index, number, cap)
    given = state.means[number]
    for kills in range(figures + 1):
        state.fallen[kills] = 0
    for s in range(cap + 1):
        state.fallen[min(killed_by(s, stand.wound, pool), figures)] += state.sums[s]
    blow, index = blow_of(setup, state, contact, 1 - side), index_of(setup, state, contact, 1 - side)
    most = number_of(setup, state, contact, 1 - side, ANY)
    add_attacks(setup, state, foe, blow, index, most, left_in(setup, state, k))
    total = 0
    for kills in range(figures):
        stand.figures = figures - kills
        number = number_of(setup, state, contact, 1 - side, max(0, had - kills))
        total += state.fallen[kills] * (state.means[number] // COARSER) // (CERTAIN // COARSER)
    stand.figures = figures
    state.means[0] = given
    return total


@kernel
def balance(setup: Setup, state: State, contact: Contact, side: int) -> int:
    """Return what a pair's exchange promises a side (B-LAN-26).

    The share of the enemy's first pool that is killed on average, less that of its own that is lost.
    """
    k, foe = contact.pair[side], contact.pair[1 - side]
    first = early(setup, state, contact)
    if first == BOTH:
        given, taken = blows_of(setup, state, contact, side), blows_of(setup, state, contact, 1 - side)
    elif first == side:
        taken = answer_of(setup, state, contact, side)
        given = state.means[0]
    else:
        given = answer_of(setup, state, contact, 1 - side)
        taken = state.means[0]
    theirs = setup.units[foe].figures * setup.units[foe].pool
    mine = setup.units[k].figures * setup.units[k].pool
    return given * FINER // theirs - taken * FINER // mine
