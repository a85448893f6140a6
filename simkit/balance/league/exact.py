"""Seasons of up to four entrants in fractions (J-LEA-6).

Matches are independent, and only what two entrants took from each other in the season decides the table; so the results
of a pair are first put together, and then every table that can come about is put in order once. Differences are taken
as equal. Those who are still tied share their places evenly, as a roll does.
"""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from simkit.balance.league.fixtures import Match
from simkit.balance.league.table import Sheet, places_of

MOST_TABLES = 200_000
"""Most tables that are looked at: some seconds."""

Odds = tuple[Fraction, Fraction, Fraction]
"""Chances of a win, a draw and a loss of the home side."""

Taken = tuple[int, int]
"""Points that two entrants took from each other."""


class TooManyError(ValueError):
    """There are more tables than are looked at."""


class Solved(NamedTuple):
    """A league in fractions."""

    places: list[list[Fraction]]
    """By entrant, the chance of every place from the first."""
    points: list[Fraction]
    """By entrant, the mean number of points."""
    variances: list[Fraction]
    """By entrant, of the points of a season."""
    won: list[Fraction]
    """By entrant, the mean number of matches won."""
    drawn: list[Fraction]
    lost: list[Fraction]
    home: Fraction
    """Mean score of the home side, a draw one half."""
    settled: list[Fraction]
    """Chance that the champion is parted from the next by points, then by each criterion in its turn."""
    any: list[Fraction]
    """Chance that a season needs each criterion anywhere in its table; of points always 1."""
    tables: int


def solve(
    size: int,
    matches: Sequence[Match],
    odds: Mapping[tuple[int, int], Odds],
    points: Sequence[int] = (3, 1, 0),
    tie_break: Sequence[str] = ("direct", "difference", "roll"),
) -> Solved:
    """Solve a league.

    Parameters
    ----------
    size
        How many take part, 2 to 4.
    matches
        The fixtures of a season.
    odds
        By (home, away).
    points
        Of win, draw and loss.
    tie_break
        Names out of ``direct``, ``difference`` and ``roll``, the roll last.

    Raises
    ------
    TooManyError
        Too many tables can come about.
    ValueError
        The odds of a match do not add up to 1, or are none.

    Examples
    --------
    >>> even = (Fraction(1, 2), Fraction(0), Fraction(1, 2))
    >>> solve(2, [Match(0, 1)], {(0, 1): even}).places[0]
    [Fraction(1, 2), Fraction(1, 2)]
    """
    for match in matches:
        chances = odds[match.home, match.away]
        if sum(chances) != 1 or min(chances) < 0:
            raise ValueError(f"the odds {chances} of a match are no chances that add up to 1")
    pairs = _pairs(matches, odds, points)
    tables = math.prod(len(found) for found in pairs.values())
    if tables > MOST_TABLES:
        raise TooManyError(f"{tables:,} tables can come about; at most {MOST_TABLES:,} are looked at")
    combined = list(itertools.product(*pairs.values()))
    own = np.zeros((tables, size, size), np.int64)
    for column, (i, j) in enumerate(pairs):
        own[:, i, j] = [table[column][0] for table in combined]
        own[:, j, i] = [table[column][1] for table in combined]
    weights, whole = _weights(list(pairs.values()), combined)
    order = places_of(Sheet(own, np.zeros_like(own)), [name for name in tie_break if name != "roll"], None)
    shares = math.lcm(*range(1, size + 1))
    places = [[0] * size for _ in range(size)]
    settled, any_ = [0] * (1 + len(tie_break)), [0] * (1 + len(tie_break))
    sums = [[0, 0] for _ in range(size)]
    for weight, row, by, totals in zip(
        weights, order.place.tolist(), order.by.tolist(), own.sum(axis=2).tolist(), strict=True
    ):
        shared = Counter(row)
        for i, place in enumerate(row):
            for k in range(place, place + shared[place]):
                places[i][k] += weight * shares // shared[place]
            sums[i][0] += weight * totals[i]
            sums[i][1] += weight * totals[i] ** 2
        settled[len(tie_break) if shared[0] > 1 else by[row.index(0)]] += weight
        for k in {0, *by, *([len(tie_break)] if len(shared) < size else [])}:
            any_[k] += weight
    means = [Fraction(total, whole) for total, _ in sums]
    lost, drawn, won = _taken(size, matches, odds)
    return Solved(
        [[Fraction(part, whole * shares) for part in row] for row in places],
        means,
        [Fraction(square, whole) - mean**2 for (_, square), mean in zip(sums, means, strict=True)],
        won,
        drawn,
        lost,
        _home(matches, odds),
        [Fraction(part, whole) for part in settled],
        [Fraction(part, whole) for part in any_],
        tables,
    )


def _pairs(
    matches: Sequence[Match], odds: Mapping[tuple[int, int], Odds], points: Sequence[int]
) -> dict[tuple[int, int], dict[Taken, Fraction]]:
    """Return the chances of what two entrants take from each other in the season, the earlier one's points first."""
    found: dict[tuple[int, int], dict[Taken, Fraction]] = {}
    win, draw, loss = points
    outcomes = ((win, loss), (draw, draw), (loss, win))
    for match in matches:
        pair = min(match.home, match.away), max(match.home, match.away)
        after: dict[Taken, Fraction] = defaultdict(Fraction)
        for (one, other), chance in found.get(pair, {(0, 0): Fraction(1)}).items():
            for (home, away), part in zip(outcomes, odds[match.home, match.away], strict=True):
                first, second = (home, away) if match.home == pair[0] else (away, home)
                if part:
                    after[one + first, other + second] += chance * part
        found[pair] = dict(after)
    return found


def _weights(pairs: Sequence[Mapping[Taken, Fraction]], tables: Sequence[Sequence[Taken]]) -> tuple[list[int], int]:
    """Return the chance of every table as a whole number, and the whole of which it is a part."""
    below = [math.lcm(*(chance.denominator for chance in found.values())) for found in pairs]
    above = [
        {taken: int(chance * part) for taken, chance in found.items()} for found, part in zip(pairs, below, strict=True)
    ]
    return [math.prod(map(dict.__getitem__, above, table)) for table in tables], math.prod(below)


def _taken(size: int, matches: Sequence[Match], odds: Mapping[tuple[int, int], Odds]) -> list[list[Fraction]]:
    """Return how many matches each may expect to lose, to draw and to win."""
    found = [[Fraction(0)] * size for _ in range(3)]
    for match in matches:
        for k, chance in enumerate(odds[match.home, match.away]):
            found[2 - k][match.home] += chance
            found[k][match.away] += chance
    return found


def _home(matches: Sequence[Match], odds: Mapping[tuple[int, int], Odds]) -> Fraction:
    scores = [odds[match.home, match.away][0] + odds[match.home, match.away][1] / 2 for match in matches]
    return sum(scores, Fraction(0)) / len(scores)
