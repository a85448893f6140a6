"""The table of a season: places by points, and what parts those with equal points (J-LEA-4, J-LEA-5).

All seasons are put in order at once. What parts the tied works on parts of the table: those with the same points, and
of these what is still tied after a criterion has split it. A part that was split begins again with the first criterion,
among itself; one that was not goes on to the next.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.balance.league.fixtures import Match
from simkit.balance.league.lots import Bits

WIN, DRAW, LOSS = 2, 1, 0
"""Results of a match as numbers, from the side of the home team."""

BY_POINTS = 0

Whole = NDArray[np.int64]
Small = NDArray[np.integer[Any]]


class Sheet(NamedTuple):
    """What the matches of seasons come to, by season, entrant and opponent."""

    points: Whole
    """Shape (seasons, entrants, entrants): points of the second entrant's axis against the third's."""
    differences: Whole
    """The same for differences, positive for the better side."""


class Places(NamedTuple):
    """Tables of seasons in order; shape (seasons, entrants) each."""

    place: Whole
    """From 0, the champion's. With lots all differ; without, those who are tied share the best of their places."""
    by: Whole
    """What parted an entrant from the last of those it was tied with: 0 points, else 1 + position of the criterion."""


def sheet_of(matches: Sequence[Match], results: Small, differences: Whole, points: Sequence[int], size: int) -> Sheet:
    """Add up matches by who met whom.

    Parameters
    ----------
    matches
        The fixtures.
    results, differences
        Shape (seasons, matches), from the side of the home team: 2 win, 1 draw, 0 loss.
    points
        Of win, draw and loss.
    size
        How many take part.
    """
    worth = np.array([points[2], points[1], points[0]], np.int64)
    shape = (len(results), size, size)
    own, gap = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for leg in sorted({match.leg for match in matches}):  # within a leg nobody is twice at home to the same
        rows = [k for k, match in enumerate(matches) if match.leg == leg]
        home = np.array([matches[k].home for k in rows])
        away = np.array([matches[k].away for k in rows])
        found = results[:, rows]
        own[:, home, away] += worth[found]
        own[:, away, home] += worth[WIN - found]
        gap[:, home, away] += differences[:, rows]
        gap[:, away, home] -= differences[:, rows]
    return Sheet(own, gap)


def places_of(sheet: Sheet, tie_break: Sequence[str], lots: Bits | None, begin: Whole | None = None) -> Places:
    """Put the entrants of every season in order.

    Parameters
    ----------
    sheet
        Points and differences of each against each.
    tie_break
        Names out of ``direct``, ``difference`` and ``roll``, in order.
    lots
        Shape (seasons, entrants): an even lot stands for the D10 that are rolled until they differ, the highest first
        (J-LEA-5). Without them those who are left stay tied.
    begin
        Shape (seasons, entrants): how many stand before the division of an entrant whatever happens; those of one
        division alone meet each other here (J-LEA-7). None for one division.

    Returns
    -------
    Places

    Examples
    --------
    >>> points = np.array([[[0, 3, 0], [0, 0, 3], [3, 0, 0]]])  # each beats the next: nothing parts them
    >>> places_of(Sheet(points, points - points.transpose(0, 2, 1)), ["direct", "roll"], None).place.tolist()
    [[0, 0, 0]]
    """
    seasons, size, _ = sheet.points.shape
    place = np.zeros((seasons, size), np.int64) if begin is None else begin.copy()
    among = np.ones((seasons, size, size), np.bool_) if begin is None else begin[:, :, None] == begin[:, None, :]
    by = np.zeros((seasons, size), np.int64)
    place = _refined(place, (sheet.points * among).sum(axis=2))
    criteria = [name for name in tie_break if name != "roll" or lots is not None]
    stage = np.zeros(seasons, np.int64)
    while (open_ := np.flatnonzero((stage < len(criteria)) & _tied(place))).size:
        now = int(stage[open_].min())
        rows = open_[stage[open_] == now]
        score = _score(criteria[now], sheet, rows, place[rows], among[rows], lots)
        before, after = place[rows], _refined(place[rows], score)
        same = before[:, :, None] == before[:, None, :]
        split = (same & (after[:, :, None] != after[:, None, :])).any(axis=2)
        by[rows] = np.where(split, 1 + now, by[rows])
        place[rows] = after
        stage[rows] = np.where(split.any(axis=1), 0, now + 1)
    return Places(place, by)


def _refined(place: Whole, score: Whole | Bits) -> Whole:
    """Split every part of a table by a score, the highest first."""
    same = place[:, :, None] == place[:, None, :]
    ahead = same & (score[:, None, :] > score[:, :, None])
    return np.asarray(place + ahead.sum(axis=2))


def _tied(place: Whole) -> NDArray[np.bool_]:
    """Tell in which seasons some share a place."""
    sorted_ = np.sort(place, axis=1)
    return np.asarray((sorted_[:, 1:] == sorted_[:, :-1]).any(axis=1))


def _score(
    name: str, sheet: Sheet, rows: Whole, place: Whole, among: NDArray[np.bool_], lots: Bits | None
) -> Whole | Bits:
    """Return what a criterion goes by in some seasons."""
    if name == "direct":
        tied = place[:, :, None] == place[:, None, :]
        return np.asarray((sheet.points[rows] * tied).sum(axis=2))
    if name == "difference":
        return np.asarray((sheet.differences[rows] * among).sum(axis=2))
    if lots is None:
        raise ValueError("a roll needs lots")
    return lots[rows]
