"""Seasons counted by batch: places, points, ties, homes, and the way up and down between divisions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.balance.league.divisions import Ladder
from simkit.balance.league.fixtures import Match
from simkit.balance.league.lots import TIES, lots
from simkit.balance.league.matches import Results
from simkit.balance.league.sources import Source
from simkit.balance.league.table import Places, places_of, sheet_of
from simkit.core.trials import BATCHES

ROOM = 4_000_000
"""Most pairs of entrants, and most matches, of all seasons that are in memory at once."""

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Way:
    """How seasons become tables.

    Attributes
    ----------
    matches
        The fixtures of a season.
    size
        How many take part.
    points
        Of win, draw and loss.
    tie_break
        Criteria by name, in order.
    seed
        Of the experiment.
    ladder
        The divisions; None for one.
    """

    matches: Sequence[Match]
    size: int
    points: Sequence[int]
    tie_break: Sequence[str]
    seed: int
    ladder: Ladder | None = None


class Tally:
    """What seasons add up to; the last axis is the batch, which is the number of the season modulo 256.

    Parameters
    ----------
    way
        How seasons become tables.

    Attributes
    ----------
    seasons
        How many were counted.
    places
        Shape (entrants, places, 256): seasons.
    points, squares, differences
        Shape (entrants, 256): sums over seasons of points, of their squares, of the difference.
    met
        Shape (entrants, entrants, 3, 256): matches of the first at home that it lost, drew and won.
    capped
        Shape (256,): matches drawn because the turns were used up.
    settled
        Shape (1 + criteria, 256): seasons by what parted the champion from the next: points, or a criterion.
    any
        Shape (1 + criteria, 256): seasons in which each parted anybody.
    divided
        Shape (divisions, entrants, 256): seasons spent in each division.
    up, down
        Shape (entrants, 256): seasons that ended with a rise and with a fall.
    """

    def __init__(self, way: Way) -> None:
        self.way, self.seasons = way, 0
        size, criteria = way.size, 1 + len(way.tie_break)
        self.places = np.zeros((size, size, BATCHES), np.int64)
        self.points, self.squares, self.differences = (np.zeros((size, BATCHES), np.int64) for _ in range(3))
        self.met = np.zeros((size, size, 3, BATCHES), np.int64)
        self.capped = np.zeros(BATCHES, np.int64)
        self.settled, self.any = (np.zeros((criteria, BATCHES), np.int64) for _ in range(2))
        divisions = 1 if way.ladder is None else way.ladder.divisions
        self.divided = np.zeros((divisions, size, BATCHES), np.int64)
        self.up, self.down = (np.zeros((size, BATCHES), np.int64) for _ in range(2))
        self._home = np.array([match.home for match in way.matches])
        self._away = np.array([match.away for match in way.matches])

    @property
    def titles(self) -> Whole:
        """Shape (entrants, 256): seasons that each has won."""
        return self.places[:, 0]

    @property
    def taken(self) -> Whole:
        """Shape (3, entrants, 256): matches that each has lost, drawn and won, at both homes."""
        return np.stack([self.met[:, :, k].sum(axis=1) + self.met[:, :, 2 - k].sum(axis=0) for k in range(3)])

    def count(self, first: int, results: Results, begin: Whole | None, *, counts: bool) -> Places:
        """Put some seasons in order, and count them.

        Parameters
        ----------
        first
            The first of them, a multiple of 256.
        results
            Their matches; seasons are a multiple of 256.
        begin
            How many stand before the division of each entrant; None for one division.
        counts
            False for seasons that are played and not counted (J-LEA-7).
        """
        way = self.way
        sheet = sheet_of(way.matches, results.results, results.differences, way.points, way.size)
        seasons = len(results.results)
        found = places_of(sheet, way.tie_break, lots(way.seed, TIES, first, first + seasons, way.size), begin)
        if not counts:
            return found
        self.seasons += seasons
        own, gap = sheet.points, sheet.differences
        together: NDArray[np.bool_] | bool = True
        if begin is not None:
            among = begin[:, :, None] == begin[:, None, :]
            own, gap = own * among, gap * among
            together = begin[:, self._home] == begin[:, self._away]
        totals = own.sum(axis=2)
        self.points += _batched(totals)
        self.squares += _batched(totals**2)
        self.differences += _batched(gap.sum(axis=2))
        self.places += _batched(found.place[:, :, None] == np.arange(way.size))
        for k in range(3):
            np.add.at(self.met[:, :, k], (self._home, self._away), _batched((results.results == k) & together))
        self.capped += _batched(((results.capped > 0) & together).sum(axis=1))
        champion = np.take_along_axis(found.by, found.place.argmin(axis=1)[:, None], axis=1)
        criteria = np.arange(len(self.settled))
        self.settled += _batched(champion == criteria)
        self.any += _batched((found.by[:, :, None] == criteria).any(axis=1) | (criteria == 0))
        return found


def _batched(values: NDArray[np.generic]) -> Whole:
    """Add up values by season into batches, which become the last axis."""
    shape = values.shape[1:]
    sums = values.reshape(-1, BATCHES, *shape).sum(axis=0, dtype=np.int64)
    return np.moveaxis(sums, 0, -1)


class Joint:
    """Titles of the same seasons in two ways.

    Attributes
    ----------
    changed
        Shape (256,): seasons with another champion.
    gained, lost
        Shape (entrants, 256): seasons of which each is the champion in the second way alone, and in the first alone.
    """

    def __init__(self, size: int) -> None:
        self.changed = np.zeros(BATCHES, np.int64)
        self.gained, self.lost = (np.zeros((size, BATCHES), np.int64) for _ in range(2))

    def count(self, one: Places, other: Places) -> None:
        """Count seasons."""
        first, second = one.place == 0, other.place == 0
        self.gained += _batched(second & ~first)
        self.lost += _batched(first & ~second)
        self.changed += _batched((first != second).any(axis=1))


class Counted(NamedTuple):
    """Seasons in one way, or in two ways side by side."""

    tallies: list[Tally]
    joint: Joint | None


def count(ways: Sequence[Way], sources: Sequence[Source], seasons: int, burn_in: int = 0) -> Counted:
    """Count seasons, the same in one way or in two.

    Parameters
    ----------
    ways
        One or two, of the same size.
    sources
        The results for each.
    seasons
        How many, a multiple of 256.
    burn_in
        With divisions: seasons at the beginning of each of the 256 histories that are played before those that count.

    Returns
    -------
    Counted
    """
    tallies = [Tally(way) for way in ways]
    joint = Joint(ways[0].size) if len(ways) > 1 else None
    states = [None if way.ladder is None else way.ladder.begin(BATCHES) for way in ways]
    for first, end in _chunks(ways[0], seasons + burn_in * BATCHES):
        found = []
        for k, (tally, source) in enumerate(zip(tallies, sources, strict=True)):
            counts = first >= burn_in * BATCHES
            state, ladder = states[k], tally.way.ladder
            begin = None if state is None or ladder is None else ladder.before(state)
            places = tally.count(first, source(first, end), begin, counts=counts)
            if state is not None and ladder is not None:
                states[k] = after = ladder.after(places.place)
                if counts:
                    tally.divided += np.moveaxis(state == np.arange(ladder.divisions)[:, None, None], 1, 2)
                    tally.up += (after < state).T
                    tally.down += (after > state).T
            found.append(places)
        if joint is not None and first >= burn_in * BATCHES:
            joint.count(*found)
    return Counted(tallies, joint)


def _chunks(way: Way, seasons: int) -> Iterator[tuple[int, int]]:
    """Cut seasons into parts that are in memory at once; those of a history come one after another."""
    each = max(way.size**2, len(way.matches))
    step = max(1, ROOM // (each * BATCHES)) * BATCHES if way.ladder is None else BATCHES
    return ((first, min(first + step, seasons)) for first in range(0, seasons, step))
