"""Dice as values, and their exact chances.

`parse` reads an expression such as ``2d6+1d4-3`` into a `Dice` value (see `simkit.core.notation` for
the notation and `simkit.core.terms` for the values and the limits of their size). The functions
here say how such dice fall, in fractions without any rounding; no random number is drawn.

Dice that explode have no end, so three things are said of them instead of the whole list:

* the chance to reach a value is the complement of a finite sum, and exact;
* a table is cut at a last row, which takes all that is left (`cut`, `thresholds`);
* if dice explode on both sides of a difference, only the throws with at most so many explosions are
  counted, and the chance of all others is stated (`truncated_pmf`).
"""

from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from simkit.core.counts import Counts, convolve, explosions, faces, keep
from simkit.core.moments import mean, variance
from simkit.core.notation import parse
from simkit.core.terms import MAX_SPAN, TOO_MUCH, Dice, DiceError, Die, Term, check_size, check_work

__all__ = [
    "Counts",
    "Dice",
    "DiceError",
    "Die",
    "Term",
    "at_least",
    "cut",
    "exactly",
    "mean",
    "parse",
    "pmf",
    "tabulate",
    "tabulate_series",
    "thresholds",
    "truncated_pmf",
    "variance",
]

LISTED = Fraction(1, 10**9)
"""Lists of exploding dice go on while the chance of reaching a value is at least this."""
LOST = Fraction(1, 10**6)
"""Most that `thresholds` may move to the last row of a table: a million throws hardly show it."""
SERIES_TAIL = Fraction(1, 10**16)
"""What a series may leave out: less than the rounding of a float."""


@lru_cache(maxsize=256)
def _one_term(term: Term, depth: int, rows: int | None) -> Counts:
    """Count one term; `depth` and `rows` as in the functions below."""
    die = term.die
    if rows is not None:
        rows = -(-rows // abs(term.factor))
    if term.pooled:
        parts = [(faces(die.sides - 1), term.count), (explosions(die.sides, term.count, depth), 1)]
        return convolve(parts, rows).times(term.factor)
    one = faces(die.sides, die.reroll, depth if die.explodes else None)
    if term.kept == term.count:
        return convolve([(one, term.count)], rows).times(term.factor)
    return keep(one, term.count, *term.slots, rows).times(term.factor)


def _all_terms(dice: Dice, depths: list[int], rows: int | None) -> Counts:
    """Add up the terms, each with its own depth; exploding ones up to `rows` only."""
    each = list(zip(dice.terms, depths, strict=True))
    full = 1 + sum(abs(term.factor) * (term.span(depth) - 1) for term, depth in each)
    limits = [rows if term.die.explodes else None for term in dice.terms]
    try:
        bits = sum(term.bits(depth) for term, depth in each)
        check_size(min(full, rows or full), bits, exploding=dice.explodes_up or dice.explodes_down)
        for (term, depth), limit in zip(each, limits, strict=True):
            check_work(term.work(min(term.span(depth), limit or MAX_SPAN), depth))
    except DiceError as error:
        raise error.at(str(dice), 0, len(str(dice))) from None
    parts = [(_one_term(term, depth, limit), 1) for (term, depth), limit in zip(each, limits, strict=True)]
    return convolve([(Counts(dice.bonus, (1,), 1), 1), *parts], rows)


def _refuse(dice: Dice, message: str, help: str) -> DiceError:
    return DiceError(message, text=str(dice), length=len(str(dice)), help=help)


def tabulate(dice: Dice, rows: int | None = None) -> Counts:
    """Count the ways to show each value, from the lowest one upwards.

    Parameters
    ----------
    dice : Dice
        Dice that have a lowest value.
    rows : int, optional
        Only so many values; needed when the dice explode. All values above are the tail.

    Returns
    -------
    Counts
        Exact counts out of a common total.

    Raises
    ------
    DiceError
        If there is no lowest value, no end without `rows`, or the table is empty or too large.

    Notes
    -----
    More than e explosions of kept dice with s sides add at least (e + 1) s to the lowest value. From
    this follows how many explosions matter to the rows asked for; those rows are exact.
    """
    if dice.explodes_down:
        raise _refuse(dice, "these dice have no lowest value", "tabulate the negative")
    if rows is None and dice.explodes_up:
        raise _refuse(dice, "these dice have no highest value", "ask for a number of rows, or for truncated_pmf")
    if rows is not None and rows < 1:
        raise _refuse(dice, f"a table needs at least 1 row, found {rows:,}", "")
    depths = [-(-(rows or 0) // (abs(term.factor) * term.die.sides)) if term.die.explodes else 0 for term in dice.terms]
    return _all_terms(dice, depths, rows)


@lru_cache(maxsize=8)
def tabulate_series(dice: Dice) -> Counts:
    """Count the ways to show each value, leaving out throws with so many explosions that they hardly happen.

    Returns
    -------
    Counts
        Every count is a lower bound of the true one; together they are short by the tail, which is
        less than 1e-16 of the total.

    Raises
    ------
    DiceError
        If the table is too large.
    """
    depth = 8
    counts = _all_terms(dice, [depth] * len(dice.terms), None)
    while counts.tail > SERIES_TAIL * counts.total:
        depth += depth // 2
        counts = _all_terms(dice, [depth] * len(dice.terms), None)
    return counts


def pmf(dice: Dice) -> dict[int, Fraction]:
    """Return the exact chance of every possible value.

    Parameters
    ----------
    dice : Dice
        Dice that do not explode.

    Returns
    -------
    dict of int to Fraction
        In ascending order of the values; the chances add up to 1.

    Raises
    ------
    DiceError
        If the dice explode: use `truncated_pmf`, `at_least` or `exactly`.

    Examples
    --------
    >>> pmf(parse("2d6"))[7]
    Fraction(1, 6)
    """
    if dice.explodes_up or dice.explodes_down:
        raise _refuse(dice, "these dice explode without end", "use truncated_pmf, at_least or exactly")
    return _chances(tabulate(dice))


def truncated_pmf(dice: Dice, depth: int) -> tuple[dict[int, Fraction], Fraction]:
    """Return the chances of the throws of exploding dice with few explosions.

    Parameters
    ----------
    dice : Dice
        Any dice.
    depth : int
        Throws are counted in which the dice of each term together explode at most so many times; or
        each kept die of a term, if some are kept or rerolled.

    Returns
    -------
    chances : dict of int to Fraction
        A lower bound of the chance of each value.
    tail : Fraction
        The exact chance of all other throws: what the lower bounds are short by together.

    Examples
    --------
    >>> truncated_pmf(parse("1d2!"), 1)
    ({1: Fraction(1, 2), 3: Fraction(1, 4)}, Fraction(1, 4))
    """
    counts = _all_terms(dice, [depth] * len(dice.terms), None)
    return _chances(counts), Fraction(counts.tail, counts.total)


def _chances(counts: Counts) -> dict[int, Fraction]:
    return {counts.lowest + i: Fraction(weight, counts.total) for i, weight in enumerate(counts.weights) if weight}


@lru_cache(maxsize=16)
def _listed(dice: Dice) -> tuple[tuple[int, Fraction, Fraction], ...]:
    """Value, chance of just that, chance of at least that, for all values worth listing."""
    if dice.explodes_up and dice.explodes_down:
        counts, above = tabulate_series(dice), 0
    elif dice.explodes_down:
        mirrored = _far_enough(-dice)
        counts, above = mirrored.times(-1), 0
    else:
        counts = _far_enough(dice)
        above = counts.tail
    reached = [above + weight for weight in accumulate(reversed(counts.weights))][::-1]
    rows = []
    for i, (weight, more) in enumerate(zip(counts.weights, reached, strict=True)):
        rare = dice.explodes_up and more < LISTED * counts.total
        rare |= dice.explodes_down and counts.total - more + weight < LISTED * counts.total
        if weight and not rare:
            rows.append((counts.lowest + i, Fraction(weight, counts.total), Fraction(more, counts.total)))
    return tuple(rows)


def _far_enough(dice: Dice) -> Counts:
    if not dice.explodes_up:
        return tabulate(dice)
    rows = 2 * dice.span
    counts = tabulate(dice, rows)
    while counts.tail >= LISTED * counts.total:
        rows += rows // 2
        counts = tabulate(dice, rows)
    return counts


def at_least(dice: Dice) -> list[tuple[int, Fraction]]:
    """Return the chance to reach each possible value.

    Parameters
    ----------
    dice : Dice
        Any dice. If they explode, the list ends where the chance to go on falls below 1e-9; if they
        explode both upwards and downwards, each chance is a lower bound, short by less than 1e-16.

    Returns
    -------
    list of (int, Fraction)
        In ascending order of the values.

    Examples
    --------
    >>> at_least(parse("1d3"))
    [(1, Fraction(1, 1)), (2, Fraction(2, 3)), (3, Fraction(1, 3))]
    """
    return [(value, reached) for value, _, reached in _listed(dice)]


def exactly(dice: Dice) -> list[tuple[int, Fraction]]:
    """Return the chance of just each possible value, for the same values as `at_least`."""
    return [(value, chance) for value, chance, _ in _listed(dice)]


def _closed(dice: Dice, rows: int) -> tuple[Counts, Fraction]:
    """All values in at most `rows` rows, and the chance moved to the end row of exploding dice."""
    if dice.explodes_up and dice.explodes_down:
        raise _refuse(dice, "these dice explode both ways and fit no table", "roll the two sides for themselves")
    if not (dice.explodes_up or dice.explodes_down):
        if dice.span > rows:
            raise _refuse(dice, f"these dice need a table of {dice.span:,} rows, at most {rows:,} are allowed", "")
        return tabulate(dice), Fraction(0)
    counts = tabulate(-dice, rows).times(-1) if dice.explodes_down else tabulate(dice, rows)
    lost = Fraction(counts.tail, counts.total)
    weights = list(counts.weights)
    weights[-1 if dice.explodes_up else 0] += counts.tail
    return Counts(counts.lowest, tuple(weights), counts.total), lost


def cut(dice: Dice, rows: int = 128) -> list[tuple[int, Fraction]]:
    """Return the cumulative table by which dice are thrown.

    Parameters
    ----------
    dice : Dice
        Dice that explode in one direction at most.
    rows : int, default 128
        Most rows allowed. A table of exploding dice has just so many: its last row takes all that
        lies beyond (its first row, if they explode downwards).

    Returns
    -------
    list of (int, Fraction)
        Consecutive values with the chance of showing that or less; the last chance is 1. A value
        that cannot be shown has the same chance as the one before it.

    Raises
    ------
    DiceError
        If dice that do not explode need more rows, or dice explode both ways.

    Examples
    --------
    >>> cut(parse("1d3"))
    [(1, Fraction(1, 3)), (2, Fraction(2, 3)), (3, Fraction(1, 1))]
    """
    counts, _ = _closed(dice, rows)
    return [(counts.lowest + i, Fraction(ways, counts.total)) for i, ways in enumerate(accumulate(counts.weights))]


def thresholds(dice: Dice, rows: int = 128) -> tuple[int, tuple[int, ...]]:
    """Return the table of `cut` for throwing dice with 64 random bits.

    A whole number u, uniform below 2**64, shows ``lowest + (number of thresholds <= u)``. A greater
    u never shows less.

    Parameters
    ----------
    dice : Dice
        Dice that explode in one direction at most.
    rows : int, default 128
        Most rows allowed.

    Returns
    -------
    lowest : int
        The value of the first row.
    thresholds : tuple of int
        For each row but the last, the chance of that value or less times 2**64, rounded down.

    Raises
    ------
    DiceError
        As in `cut`, and if the cut of exploding dice would move more than one throw in a million.

    Examples
    --------
    >>> thresholds(parse("1d2"))
    (1, (9223372036854775808,))
    """
    counts, lost = _closed(dice, rows)
    if lost > LOST:
        message = f"a table of {rows:,} rows would move {float(lost):.2g} of all throws of these dice to its end"
        raise _refuse(dice, f"{message}, at most {float(LOST):.0e} is allowed", TOO_MUCH)
    ways = accumulate(counts.weights[:-1])
    return counts.lowest, tuple((way << 64) // counts.total for way in ways)
