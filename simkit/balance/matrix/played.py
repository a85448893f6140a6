"""Everybody against everybody, as it is played: all pairs first, then those alone that are not resolved."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from simkit.balance.matrix.meetings import Known, Meetings, is_done, known, looks
from simkit.core.trials import BATCHES
from simkit.games.protocol import Fight, fight_of
from simkit.lab.ledger import Ledger
from simkit.lab.lists import Lists
from simkit.lab.plan import Cell, Plan
from simkit.lab.study import Study
from simkit.stats.checks import IntArray

SIDE_A = "side A, whichever it is"


class Edge(NamedTuple):
    """What no side has earned."""

    name: str
    who: str


@dataclass(frozen=True)
class Played:
    """All meetings of a matrix.

    Attributes
    ----------
    lists
        Who met whom.
    mirrors
        The plan in which everybody meets himself.
    first
        The first units of all pairs, the same number of each.
    met
        Everything.
    known
        What is known of every pair by then.
    edges
        What the last axis of the meetings' ``edges`` counts; the first is the seat.
    both
        Whether every two met in both orders, because side A and side B are not alike.
    uneven
        Those who did not score one half against themselves, whoever had which seat.
    looks
        How often the pairs were looked at.
    """

    lists: Lists
    mirrors: Plan
    first: Meetings
    met: Meetings
    known: Known
    edges: list[Edge]
    both: bool
    uneven: list[int]
    looks: int


def play(study: Study, lists: Lists) -> Played:
    """Play a matrix: every pair as often as all do, then what is not resolved until it is, or has its most.

    Parameters
    ----------
    study
        Where it is played and kept.
    lists
        Who meets whom, and how well each pair is to be known.

    Returns
    -------
    Played
    """
    game, asked = lists.plan.game, lists.asked
    fight = fight_of(game)
    if fight is None:
        raise ValueError(f"{game.TITLE} has no two sides that could meet")
    ledger = study.ledger(tuple(dict.fromkeys([*fight.wins, fight.capped, *fight.edges])))
    mirrors = lists.meetings([(i, i) for i in range(len(lists.entrants))])
    uneven = _uneven(ledger, fight, mirrors) if game.GAMES_A_UNIT > 1 else []
    both = game.GAMES_A_UNIT == 1 or bool(uneven) or not fight.edges
    table = _Table(ledger, fight, lists, both)
    rounds = table.rounds(asked.least_trials, asked.max_trials)
    met = Meetings.none(lists.pairs, table.games, len(table.edges))
    first, rows, before, looked = met, np.arange(len(lists.pairs)), 0, 0
    for units in rounds:
        met = met.and_then(rows, units - before, table.play(rows, before, units))
        first = first if before else met
        found = known(met, lists.plan.level)
        looked += 1
        done = is_done(found, asked.fair_within, asked.precision)
        rows, before = np.flatnonzero(~done & (met.units == units)), units
        if not rows.size:
            break
        if units < rounds[-1]:
            study.progress.note(
                f"{len(rows):,} of {len(lists.pairs):,} pairs go on after {units * table.games:,} games each"
            )
    edges = [Edge(name, who) for name, who in table.edges.items()]
    return Played(lists, mirrors, first, met, found, edges, both, uneven, looked)


def _uneven(ledger: Ledger, fight: Fight, mirrors: Plan) -> list[int]:
    """List those who do not score one half against themselves from both seats: side A and side B are not alike.

    With the seats swapped on the same dice a game against oneself is played again the other way round, so that wins
    and losses are equal in every unit, not only on average.
    """
    sums = ledger.play(mirrors.cells, 0, BATCHES)
    a, b = (sums[:, :, ledger.columns.index(name)] for name in fight.wins)
    return [int(i) for i in np.flatnonzero((a != b).any(axis=1))]


class _Table:
    """Plays pairs and tells their games from the side of the first of the two."""

    def __init__(self, ledger: Ledger, fight: Fight, lists: Lists, both: bool) -> None:
        self.ledger, self.fight = ledger, fight
        self.there = lists.meetings(lists.pairs).cells
        self.back = lists.meetings([(j, i) for i, j in lists.pairs]).cells if both else []
        self.games = lists.plan.game.GAMES_A_UNIT * (2 if both else 1)
        self.edges = ({"side_a": SIDE_A} if both else {}) | dict(fight.edges)

    def rounds(self, least: int, most: int) -> tuple[int, ...]:
        """List the numbers of units after which the pairs are looked at."""
        begin = -(-least // (self.games * BATCHES)) * BATCHES
        later = looks(max(begin, -(-most // self.games)))
        return (begin, *(units for units in later if units > begin))

    def play(self, rows: IntArray, first: int, end: int) -> IntArray:
        """Return what some units of some pairs add up to, as :meth:`Meetings.and_then` takes it."""
        sums = self._sides(self.there, rows, first, end)
        a, b, rest = sums[:, :, 0], sums[:, :, 1], sums[:, :, 2:]
        if not self.back:
            return sums
        back = self._sides(self.back, rows, first, end)
        as_a = a + back[:, :, 0]
        parts = [a + back[:, :, 1], b + back[:, :, 0], rest[:, :, 0] + back[:, :, 2], as_a]
        return np.concatenate([np.stack(parts, axis=2), rest[:, :, 1:] + back[:, :, 3:]], axis=2)

    def _sides(self, cells: Sequence[Cell], rows: IntArray, first: int, end: int) -> IntArray:
        """Return wins of A and of B, games without a winner at the limit, and wins of who has an edge."""
        sums = self.ledger.play([cells[k] for k in rows], first, end)
        names = [*self.fight.wins, self.fight.capped, *self.fight.edges]
        return sums[:, :, [self.ledger.columns.index(name) for name in names]]
