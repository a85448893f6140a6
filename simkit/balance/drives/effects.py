"""Rulings in all combinations: what each does, what pairs of them do together, and which of them flip a verdict."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit import stats
from simkit.balance.bands import held_together, rarely
from simkit.balance.family import spoken_methods
from simkit.lab.estimates import FEW_BATCHES, Value, differing_batches
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate
from simkit.stats.factorial import factorial_effects, full_factorial, walsh

UNRESOLVED = ("undecided", "measured")
"""Words that say on no side of a line."""


class Effect(NamedTuple):
    """What a factor does, or several do together."""

    factors: tuple[str, ...]
    value: Estimate


class Combination(NamedTuple):
    """One corner of the factorial."""

    on: tuple[str, ...]
    value: Estimate
    word: str
    """What the verdict would be."""


@dataclass(frozen=True)
class Factorial:
    """What all combinations of on/off factors have shown.

    Attributes
    ----------
    effects
        Main effects, then interactions; their intervals hold together.
    combinations
        Every corner with its verdict, in standard order; their intervals hold together.
    flips
        The fewest factors that have to be turned to flip the verdict that stands; no set holds another.
    higher_order
        Share of the variance between the corners that neither main effects nor the listed interactions account for.
    family
        Kind of the intervals of the effects.
    """

    effects: list[Effect]
    combinations: list[Combination]
    flips: list[tuple[str, ...]]
    higher_order: float
    family: str


def factorial(
    sums: NDArray[np.int64],
    units: int,
    names: Sequence[str],
    value: Value,
    reach: float,
    level: float,
    *,
    order: int,
    start: int,
    judge: Callable[[Estimate], str],
) -> Factorial:
    """Estimate effects, interactions and corners from the sums of common batches.

    Parameters
    ----------
    sums
        Shape (2**k, 256): what is judged, by corner in standard order and by batch.
    units
        Units behind every corner.
    names
        Of the k factors.
    value
        What the sums are divided by, and between which bounds a corner lies.
    reach
        How far the sum of a unit may well lie from the commonest, where too few differ to tell.
    level
        Confidence level of each family.
    order
        Most factors in an interaction.
    start
        Position of the corner whose verdict stands.
    judge
        The word for a value.

    Returns
    -------
    Factorial
    """
    corners = held_together(sums, units, level, [value] * len(sums), [reach] * len(sums))
    grid = full_factorial(len(names))
    found = [
        Combination(tuple(name for name, on in zip(names, row, strict=True) if on), one, judge(one))
        for row, one in zip(grid, corners, strict=True)
    ]
    effects = _effects(sums, units, names, value, reach, level, min(order, len(names)))
    family = spoken_methods([one.value for one in effects])
    return Factorial(effects, found, flips(found, names, start), _higher_order(sums, min(order, len(names))), family)


def _effects(
    sums: NDArray[np.int64], units: int, names: Sequence[str], value: Value, reach: float, level: float, order: int
) -> list[Effect]:
    """Return the effects with intervals that hold together; one of which too little varied gets a bound of its own."""
    seen = factorial_effects(sums, units_per_batch(units), names, level, order)
    half = len(sums) / 2
    coefficients = walsh(sums) * 2.0  # batch sums of every effect, by the bits of its factors
    each = stats.sidak_level(len(seen.factors), level)
    span = value.most - value.least if np.isfinite(value.most - value.least) else np.inf
    spread = Value(value.parts, -span, span)
    place = {name: i for i, name in enumerate(names)}
    made = []
    for k, factors in enumerate(seen.factors):
        own = coefficients[sum(1 << place[name] for name in factors)]
        if differing_batches(own, units)[0] < FEW_BATCHES:
            made.append(Effect(factors, rarely(own, units, each, level, reach * min(half, 2.0), spread)))
        else:
            low, high, middle = float(seen.low[k]), float(seen.high[k]), float(seen.estimate[k])
            made.append(Effect(factors, spread.estimate(middle, low, high, level, units, seen.critical.method)))
    return made


def _higher_order(sums: NDArray[np.int64], order: int) -> float:
    """Return the share of the variance between corners that lies in interactions of more than `order` factors."""
    squares = walsh(sums.sum(axis=1)) ** 2
    size = np.array([int(i).bit_count() for i in range(len(squares))])
    whole = float(squares[size > 0].sum())
    return float(squares[size > order].sum()) / whole if whole > 0 else 0.0


def flips(corners: Sequence[Combination], names: Sequence[str], start: int) -> list[tuple[str, ...]]:
    """List the fewest factors to turn so that another verdict is shown; no set holds another of the list.

    Parameters
    ----------
    corners
        In standard order.
    names
        Of the factors.
    start
        The corner whose verdict stands; from one that is not resolved nothing can flip.

    Examples
    --------
    >>> corners = [Combination((), Estimate.exact(0.0), word) for word in ("fair", "fair", "fair", "higher")]
    >>> flips(corners, ["legs", "sails"], 0)
    [('legs', 'sails')]
    """
    stands = corners[start].word
    if stands in UNRESOLVED:
        return []
    found: list[frozenset[int]] = []
    for size in range(1, len(names) + 1):
        for some in combinations(range(len(names)), size):
            word = corners[start ^ sum(1 << i for i in some)].word
            if word not in (stands, *UNRESOLVED) and not any(known <= set(some) for known in found):
                found.append(frozenset(some))
    return [tuple(names[i] for i in sorted(some)) for some in found]
