"""Hits lost, for all the hits that a jug can have at once: damage as matrices that keep critical rolls apart.

A chain over hits is a band: damage leads down, by little. Rows with the same number of critical rolls behind them
(one for every 20 hits lost) form a block, so that the rolls that a loss brings can be read off the block it ends in.
"""

import itertools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.games.jugger.chances import plain
from simkit.games.jugger.damage import critical_rolls

Matrix = NDArray[np.float64]
Indices = NDArray[np.int64]


MOST_CONDITIONS = 2000
"""Most conditions of one jug."""


MATRIX_STEPS = 3_000
"""Steps that it takes to handle an array at all, beside one for each of its numbers: measured, as the next is."""

BRANCH_STEPS = 6_000
"""Steps that it takes to work out one way in which an attack can go, in fractions."""


class TooLargeError(Exception):
    """A duel has too many situations to be solved."""


class Effort:
    """Work that a solution takes, counted in numbers looked at and never in time: everywhere and always the same.

    Parameters
    ----------
    most
        Steps after which to give up; None: never. A step is a few nanoseconds.
    """

    def __init__(self, most: int | None = None) -> None:
        self.most, self.done = most, 0

    def spend(self, steps: int) -> None:
        """Note so many steps more.

        Raises
        ------
        TooLargeError
            These were too many.
        """
        self.done += steps
        if self.most is not None and self.done > self.most:
            raise TooLargeError(f"its solution takes more than {self.most:,} steps")


class Block(NamedTuple):
    """Conditions from which a loss leads to certain others."""

    rows: slice
    targets: Indices
    chances: Matrix


class Loss:
    """A random loss of hits, for every condition at once."""

    def __init__(self, worth: float, blocks: list[Block], rolls: int, size: int) -> None:
        self.worth, self.blocks, self.rolls, self.size = worth, blocks, rolls, size

    def of(self, before: Matrix) -> Matrix:
        """Apply the loss to the first axis.

        Parameters
        ----------
        before
            Chances by condition, shape (conditions, others).

        Returns
        -------
        Matrix
            Shape (1 + rolls x conditions, others): destroyed; then by number of critical rolls due and condition.
        """
        found = np.zeros((1 + self.rolls * self.size, before.shape[1]))
        if not self.blocks:
            found[1:] = self.worth * before
        for rows, targets, chances in self.blocks:
            part = before[rows]
            if part.any():
                found[targets] += chances @ part
        return found


class Body:
    """The conditions that a jug can be in: its hits, and what was repaired as far as critical rolls depend on it.

    Parameters
    ----------
    full
        Hits at the start.
    losses
        Damages that it can suffer at once; sums of them are found.
    repairs
        What its mechanic can repair a turn.
    every
        A critical roll is due for every so many hits.
    missing
        Critical rolls count the hits that are missing, so that repairs count, too.
    """

    def __init__(self, full: int, losses: Iterable[int], repairs: Iterable[int], every: int, *, missing: bool) -> None:
        self.full, self.every = full, every
        losses, repairs = sorted({loss for loss in losses if loss > 0}), sorted({gain for gain in repairs if gain > 0})
        self.period = every if repairs and not missing else 1
        seen = {(0, full)}
        pending = [(0, full)]
        while pending:
            repaired, hits = pending.pop()
            after = [(repaired, hits - loss) for loss in losses if loss < hits]
            after += [self.better(repaired, hits, gain) for gain in repairs]
            for next in after:
                if next not in seen and len(seen) > MOST_CONDITIONS:
                    raise TooLargeError(f"a jug can be in more than {MOST_CONDITIONS:,} conditions")
                if next not in seen:
                    seen.add(next)
                    pending.append(next)
        self.conditions = sorted(seen, key=lambda one: (one[0], -one[1]))
        self.index = {one: i for i, one in enumerate(self.conditions)}
        self.hits = np.array([hits for _, hits in self.conditions])
        self.taken = np.array([repaired + full - hits for repaired, hits in self.conditions]) % every
        self.borders = self._borders()
        self.widest = max(end - begin for begin, end in itertools.pairwise(self.borders))
        self.places = np.full((self.period, full + 1), -1)
        for (repaired, hits), i in self.index.items():
            self.places[repaired, hits] = i
        self._due: dict[int, Indices] = {}
        self._losses: dict[bytes, Loss] = {}
        self._gains: dict[int, Indices] = {}

    def _borders(self) -> list[int]:
        """Return where the blocks of conditions with the same critical rolls behind them begin, and the end."""
        behind = [(repaired, (repaired + self.full - hits) // self.every) for repaired, hits in self.conditions]
        return [0, *(i for i in range(1, len(behind)) if behind[i] != behind[i - 1]), len(behind)]

    def __len__(self) -> int:
        return len(self.conditions)

    @property
    def start(self) -> int:
        """The condition of an undamaged jug."""
        return self.index[0, self.full]

    def better(self, repaired: int, hits: int, gain: int) -> tuple[int, int]:
        """Return a condition after a repair (J-CAP-2): never above the starting hits."""
        gain = min(gain, self.full - hits)
        return (repaired + gain) % self.period, hits + gain

    def loss(self, chances: Matrix) -> Loss:
        """Return a random loss: `chances` of each loss from 0 on, which may add up to anything."""
        key = chances.tobytes()
        if key not in self._losses:
            self._losses[key] = self._loss(chances)
        return self._losses[key]

    def _loss(self, chances: Matrix) -> Loss:
        losses = np.flatnonzero(chances)
        if losses.tolist() == [0]:
            return Loss(float(chances[0]), [], 1, len(self))
        size, due = len(self), np.stack([self._rolls_due(loss) for loss in losses.tolist()], axis=1)
        rolls = int(due.max()) + 1
        left = self.hits[:, None] - losses
        repaired = np.array([repaired for repaired, _ in self.conditions])[:, None]
        targets = np.where(left > 0, 1 + due * size + self.places[repaired, np.maximum(left, 0)], 0)
        blocks = []
        for begin, end in itertools.pairwise(self.borders):
            full = np.zeros((1 + rolls * size, end - begin))
            np.add.at(full, (targets[begin:end], np.arange(end - begin)[:, None]), chances[losses])
            reached = np.flatnonzero(full.any(axis=1))
            blocks.append(Block(slice(begin, end), reached, np.ascontiguousarray(full[reached])))
        return Loss(float(chances.sum()), blocks, rolls, size)

    def _rolls_due(self, loss: int) -> Indices:
        """Return how many critical rolls a loss brings in each condition (J-DMG-2)."""
        if loss not in self._due:
            due = {taken: plain(critical_rolls)(taken, taken + loss, self.every) for taken in set(self.taken.tolist())}
            self._due[loss] = np.array([due[taken] for taken in self.taken.tolist()])
        return self._due[loss]

    def repaired(self, before: Matrix, gains: Iterable[tuple[int, float]]) -> Matrix:
        """Apply a mechanic's repair to the first axis (J-CAP-1)."""
        after = np.zeros_like(before)
        for gain, chance in gains:
            if gain not in self._gains:
                self._gains[gain] = np.array([self.index[self.better(*one, gain)] for one in self.conditions])
            np.add.at(after, self._gains[gain], chance * before)
        return after
