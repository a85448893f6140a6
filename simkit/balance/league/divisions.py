"""Divisions and the way between them (J-LEA-7): after each season the last of one change places with the first below.

256 histories begin alike and go on independently: season t of history h is the season of number 256 t + h, so that its
dice are those of any season and a history is a batch.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


class Ladder:
    """Divisions, the best first, and how many rise and fall.

    Parameters
    ----------
    start
        Division of each entrant in the first season, from 0.
    promoted
        How many change places between two divisions.

    Raises
    ------
    ValueError
        A division has too few for those who come and go.

    Examples
    --------
    >>> ladder = Ladder([0, 0, 1, 1], 1)
    >>> ladder.after(np.array([[0, 1, 2, 3]])).tolist()  # the second goes down, the third comes up
    [[0, 1, 0, 1]]
    """

    def __init__(self, start: Sequence[int], promoted: int) -> None:
        self.start = np.asarray(start, np.int64)
        self.divisions = int(self.start.max()) + 1
        self.sizes = np.bincount(self.start, minlength=self.divisions)
        self.promoted = promoted
        self._first = np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.int64)
        leaving = np.full(self.divisions, 2 * promoted)
        leaving[[0, -1]] = promoted
        if self.divisions < 2 or (self.sizes < leaving).any():
            raise ValueError(f"divisions of {self.sizes.tolist()} with {promoted} who change places; allowed are fewer")
        ends = np.repeat(np.arange(self.divisions), self.sizes)
        for end in np.cumsum(self.sizes)[:-1]:
            ends[end - promoted : end] += 1
            ends[end : end + promoted] -= 1
        self._next = ends

    def begin(self, histories: int) -> Whole:
        """Return the divisions in which so many histories begin; shape (histories, entrants)."""
        return np.tile(self.start, (histories, 1))

    def before(self, state: Whole) -> Whole:
        """Return how many stand in better divisions than each entrant."""
        return np.asarray(self._first[state])

    def after(self, places: Whole) -> Whole:
        """Return the divisions of the next season from the places in all divisions together, the best first."""
        return np.asarray(self._next[places])
