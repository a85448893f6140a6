"""Where the results of seasons come from: every match played, or games of each pair drawn again and again (J-LEA-6)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from simkit.balance.league.fixtures import Match
from simkit.balance.league.lots import GAMES, below, lots
from simkit.balance.league.matches import Results
from simkit.core.trials import BATCHES

Source = Callable[[int, int], Results]
"""Returns the results of the seasons ``first <= season < end``, from and up to multiples of 256."""


def played(results: Results) -> Source:
    """Return seasons of which every match was played.

    Parameters
    ----------
    results
        Of all seasons and matches.
    """

    def source(first: int, end: int) -> Results:
        here = slice(first, end)
        return Results(results.results[here], results.differences[here], results.capped[here])

    return source


class Stock(NamedTuple):
    """Games of every pair at each home, of which seasons are drawn."""

    results: Results
    """By game and pair; game k belongs to batch k modulo 256."""
    places: dict[tuple[int, int], int]
    """Column of a pair by (home, away)."""


def drawn(stock: Stock, matches: Sequence[Match], seed: int) -> Source:
    """Return seasons that are drawn from games.

    A season of batch b (its number modulo 256) takes every match from the games of that batch, those of one pair at one
    home from different games. So each is a season like any other, and what 256 batches say of anything at all, say a
    title, differs as much as so many games of each pair leave it open: an interval from the batches holds the error of
    the games and that of the draws.

    Parameters
    ----------
    stock
        At least as many games a batch as two meet at one home in a season.
    matches
        The fixtures of a season.
    seed
        Of the experiment.
    """
    columns = np.array([stock.places[match.home, match.away] for match in matches])
    legs = np.array([match.leg for match in matches])
    each = len(stock.results.results) // BATCHES
    if each <= legs.max():
        raise ValueError(f"{each} games a batch for {legs.max() + 1} matches; allowed are at least as many")

    def source(first: int, end: int) -> Results:
        chosen = below(lots(seed, GAMES, first, end, len(stock.places)), each)
        batch = np.arange(first, end)[:, None] % BATCHES
        rows = (chosen[:, columns] + legs) % each * BATCHES + batch
        own = stock.results
        return Results(own.results[rows, columns], own.differences[rows, columns], own.capped[rows, columns])

    return source
