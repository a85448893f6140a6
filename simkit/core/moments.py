"""Exact means and variances of dice, exploding ones included."""

from fractions import Fraction
from functools import lru_cache
from math import comb

from simkit.core.counts import Counts, faces, keep
from simkit.core.terms import Dice, Die, Term


def mean(dice: Dice) -> Fraction:
    """Return the exact mean, also of exploding dice.

    Parameters
    ----------
    dice : Dice
        Any dice.

    Returns
    -------
    Fraction
        The mean of their sum.

    Examples
    --------
    >>> mean(parse("1d6!")), mean(parse("2d6+1"))
    (Fraction(21, 5), Fraction(8, 1))
    """
    return dice.bonus + sum((term.factor * _term_moments(term)[0] for term in dice.terms), Fraction(0))


def variance(dice: Dice) -> Fraction:
    """Return the exact variance, also of exploding dice.

    Parameters
    ----------
    dice : Dice
        Any dice.

    Returns
    -------
    Fraction
        The variance of their sum (the dice fall independently).

    Examples
    --------
    >>> variance(parse("2d6"))
    Fraction(35, 6)
    """
    moments = ((term.factor, *_term_moments(term)) for term in dice.terms)
    return sum((factor**2 * (second - first**2) for factor, first, second in moments), Fraction(0))


def _moments(counts: Counts) -> tuple[Fraction, Fraction]:
    """Mean and mean square of counts without a tail."""
    values = range(counts.lowest, counts.lowest + len(counts.weights))
    first = sum(value * weight for value, weight in zip(values, counts.weights, strict=True))
    second = sum(value**2 * weight for value, weight in zip(values, counts.weights, strict=True))
    return Fraction(first, counts.total), Fraction(second, counts.total)


@lru_cache(maxsize=256)
def _term_moments(term: Term) -> tuple[Fraction, Fraction]:
    """Mean and mean square of a term with factor 1."""
    die = term.die
    if term.kept < term.count:
        if die.explodes:
            return _exploding_moments(die, term.count, *term.slots)
        return _moments(keep(faces(die.sides, die.reroll), term.count, *term.slots))
    # All dice count, and they are independent: means and variances add up.
    first, second = _exploding_moments(die, 1, 0, 1) if die.explodes else _moments(faces(die.sides, die.reroll))
    return term.count * first, term.count * (second - first**2) + (term.count * first) ** 2


@lru_cache(maxsize=4096)
def _exploding_moments(die: Die, count: int, first: int, stop: int) -> tuple[Fraction, Fraction]:
    """Mean and mean square of the kept slots of exploding dice.

    In ascending order the dice that do not show their top come first; those that do are each the
    top plus a fresh exploding die, and keep their order. Given how many there are, the two groups
    are independent. If all show it, the same question is asked again, which closes the equation.
    """
    plain = Die(die.sides, explodes=True)
    throw = faces(die.sides, die.reroll, depth=0)
    average = square = again = Fraction(0)
    for low in range(count + 1):
        ways = comb(count, low) * sum(throw.weights) ** low * throw.tail ** (count - low)
        chance = Fraction(ways, throw.total**count)
        begin, end = max(first - low, 0), max(stop - low, 0)  # kept slots of the dice that exploded
        mean_low, square_low = _low_moments(die, low, first, min(stop, low)) if first < low else (0, 0)
        fixed = die.sides * (end - begin)
        if low == 0 and die == plain:
            # X = fixed + X' with chance p: E = p (fixed + E) + ..., and likewise for the square.
            again = chance
            continue
        mean_high, square_high = _exploding_moments(plain, count - low, begin, end) if begin < end else (0, 0)
        rest = fixed + mean_high
        average += chance * (mean_low + rest)
        square += chance * (square_low + 2 * mean_low * rest + square_high + 2 * fixed * mean_high + fixed**2)
    fixed = die.sides * (stop - first)
    average = (average + again * fixed) / (1 - again)
    square = (square + again * (2 * fixed * average + fixed**2)) / (1 - again)
    return average, square


@lru_cache(maxsize=4096)
def _low_moments(die: Die, count: int, first: int, stop: int) -> tuple[Fraction, Fraction]:
    """Mean and mean square of the kept slots of dice that did not show their top face."""
    weights = faces(die.sides, die.reroll, depth=0).weights
    return _moments(keep(Counts(1, weights, sum(weights)), count, first, stop))
