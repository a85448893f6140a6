"""Exact duels: two sides strike at each other until one has no hits left.

Nothing else happens in them, so that each is a small absorbing Markov chain over the hits that both
have left. It is solved from the end backwards, in fractions (J. G. Kemeny and J. L. Snell, *Finite
Markov Chains*, chapter 3). A strike that takes nothing off leaves the state as it was; the equation
of a state is divided by the chance that something changes.
"""

from fractions import Fraction
from typing import NamedTuple

from simkit.core.dice import cut, parse
from simkit.core.rounding import exact

MAX_HITS = 1_000
"""Most hits of a side."""
MAX_STEPS = 500_000
"""Most sums of two fractions: a few seconds."""


class DuelOdds(NamedTuple):
    """The chances of the first side in a duel of simultaneous strikes."""

    win: Fraction
    draw: Fraction
    loss: Fraction


def alternating_duel(
    first_hits: int,
    first_chance: Fraction | int | str,
    first_damage: str,
    second_hits: int,
    second_chance: Fraction | int | str,
    second_damage: str,
) -> Fraction:
    """Return the chance that the side which strikes first wins, when they strike in turn.

    Parameters
    ----------
    first_hits, second_hits : int
        Hits a side has; it is out when none are left. 1 to 1,000.
    first_chance, second_chance : Fraction, int or str
        Chance that a strike of that side hits, 0 to 1; a text such as ``"0.45"`` or ``"5/12"``,
        never a float.
    first_damage, second_damage : str
        Dice for the hits that a strike which hits takes off the other side. Less than 0 is 0.

    Returns
    -------
    Fraction
        Exact; the other side wins with the rest.

    Raises
    ------
    ValueError
        If a number is out of range, neither side can harm the other, or the work is too much.
    TypeError
        If a chance is a float.
    simkit.core.dice.DiceError
        If damage cannot be read.

    Notes
    -----
    With a and b hits left, let F be the chance of the first side when it is to strike and G when the
    other is. Strikes without effect have chances m and n::

        F(a, b) = m G(a, b) + sum over d > 0 of P(first takes off d) G(a, b - d)
        G(a, b) = n F(a, b) + sum over d > 0 of P(second takes off d) F(a - d, b)

    where G is 1 if b <= 0 and F is 0 if a <= 0. The two are solved for F(a, b) and G(a, b).

    Examples
    --------
    >>> alternating_duel(1, "1/6", "1", 1, "1/6", "1")
    Fraction(6, 11)
    """
    first, second = _strikes(first_hits, first_chance, first_damage, second_hits, second_chance, second_damage)
    change = 1 - first.idle * second.idle
    ours = [[Fraction(0)] * (second_hits + 1)]  # F by hits left of the first side, then of the second
    theirs: list[list[Fraction]] = [[]]  # G likewise
    for a in range(1, first_hits + 1):
        ours.append([Fraction(1)])
        theirs.append([Fraction(1)])
        for b in range(1, second_hits + 1):
            hit = first.average(theirs[a])
            hurt = second.average([row[b] for row in ours[:a]])
            ours[a].append((hit + first.idle * hurt) / change)
            theirs[a].append(hurt + second.idle * ours[a][b])
    return ours[first_hits][second_hits]


def simultaneous_duel(
    first_hits: int,
    first_chance: Fraction | int | str,
    first_damage: str,
    second_hits: int,
    second_chance: Fraction | int | str,
    second_damage: str,
) -> DuelOdds:
    """Return the chances of the first side when both strike at once, round after round.

    Parameters
    ----------
    first_hits, first_chance, first_damage, second_hits, second_chance, second_damage
        As in `alternating_duel`.

    Returns
    -------
    DuelOdds
        Win, draw (both fall in the same round) and loss of the first side, exact.

    Raises
    ------
    ValueError, TypeError, simkit.core.dice.DiceError
        As in `alternating_duel`.

    Examples
    --------
    >>> simultaneous_duel(1, "1/6", "1", 1, "1/6", "1")
    DuelOdds(win=Fraction(5, 11), draw=Fraction(1, 11), loss=Fraction(5, 11))
    """
    first, second = _strikes(first_hits, first_chance, first_damage, second_hits, second_chance, second_damage)
    change = 1 - first.idle * second.idle

    def value(win: Fraction, draw: Fraction) -> Fraction:
        """Return what the duel is worth if a win and a draw pay so much, and a loss 0."""
        values = [[draw] + [Fraction(0)] * second_hits]  # by hits left of the first side, then of the second
        for _ in range(first_hits):
            # The two strikes are independent: the second side's is averaged out, then the first's.
            struck = [second.average([row[b] for row in values]) for b in range(second_hits + 1)]
            after = [struck[0] + second.idle * win]
            values.append([win])
            for b in range(1, second_hits + 1):
                values[-1].append((first.idle * struck[b] + first.average(after)) / change)
                after.append(struck[b] + second.idle * values[-1][b])
        return values[first_hits][second_hits]

    win, draw = value(Fraction(1), Fraction(0)), value(Fraction(0), Fraction(1))
    return DuelOdds(win, draw, 1 - win - draw)


class _Strike(NamedTuple):
    """What one strike takes off: nothing with chance `idle`, else the pairs of hits and chance."""

    idle: Fraction
    takes: list[tuple[int, Fraction]]

    def average(self, values: list[Fraction]) -> Fraction:
        """Average over all that takes something off; ``values[k]`` is what k hits left are worth."""
        left = len(values)  # the values of all states below the present one
        return sum((chance * values[max(left - hits, 0)] for hits, chance in self.takes), Fraction(0))


def _strikes(
    first_hits: int,
    first_chance: Fraction | int | str,
    first_damage: str,
    second_hits: int,
    second_chance: Fraction | int | str,
    second_damage: str,
) -> tuple[_Strike, _Strike]:
    """Check all that was given and work out the strikes of both sides."""
    for name, hits in (("first_hits", first_hits), ("second_hits", second_hits)):
        if not 1 <= hits <= MAX_HITS:
            raise ValueError(f"{name} must be 1 to {MAX_HITS:,}, found {hits:,}")
    first = _strike("first_chance", first_chance, first_damage, second_hits)
    second = _strike("second_chance", second_chance, second_damage, first_hits)
    if first.idle == second.idle == 1:
        raise ValueError("neither side can take hits off the other: the duel would never end")
    steps = first_hits * second_hits * (4 + len(first.takes) + len(second.takes))
    if steps > MAX_STEPS:
        raise ValueError(f"an exact duel of {steps:,} steps is too long, at most {MAX_STEPS:,} are allowed")
    return first, second


def _strike(name: str, chance: Fraction | int | str, damage: str, hits: int) -> _Strike:
    """Work out a strike at a side that has so many hits; more than these are as good as these."""
    probability = exact(chance)
    if not 0 <= probability <= 1:
        raise ValueError(f"{name} must be 0 to 1, found {chance}")
    dice = parse(damage)
    if dice.explodes_up:
        rows = hits - dice.lowest + 1
    elif dice.explodes_down:
        rows = 1 - (-dice).lowest
    else:
        rows = dice.span
    taken = [Fraction(0)] * (hits + 1)
    below = Fraction(0)
    for value, upto in cut(dice, max(rows, 1)):
        taken[min(max(value, 0), hits)] += probability * (upto - below)
        below = upto
    return _Strike(1 - probability + taken[0], [(d, p) for d, p in enumerate(taken) if d and p])
