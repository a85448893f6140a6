"""Matchups of builds under one condition: set up when they are met, played on common dice, seen from both sides."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit.balance.equilibrium import EVEN
from simkit.games import protocol
from simkit.games.protocol import Build, Complaint, Game
from simkit.lab.ledger import TOGETHER, Ledger
from simkit.stats.checks import FloatArray, IntArray

A, B = "sides.a", "sides.b"

GAMES = 2
"""Games that a unit of a matchup takes: one in either seat, or with either build on side a."""


@dataclass(frozen=True)
class Condition:
    """What a matchup is played under.

    Attributes
    ----------
    rules
        The rules in force.
    data
        What the game makes its scenario from.
    changes
        Fields of the scenario that differ from it, by dotted path.
    """

    rules: Any
    data: Mapping[str, Any]
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class _Match:
    """One build against another, as the ledger plays it."""

    setup: Any
    fingerprint: str


class Contest:
    """Plays builds against each other.

    Parameters
    ----------
    ledger
        Counts the wins of both sides: its columns are those of ``Fight.wins``.
    game
        Whose builds they are.
    condition
        Under what they meet.
    """

    def __init__(self, ledger: Ledger, game: Game, condition: Condition) -> None:
        self.ledger, self.game, self.condition = ledger, game, condition
        fight = protocol.fight_of(game)
        if fight is None:
            raise ValueError(f"{game.NAME} has no two sides")
        self.wins = fight.wins
        self.both_ways = game.GAMES_A_UNIT == 1
        """Whether a matchup is played once with either build on side a: no swapped seats do it within a unit."""
        self._kept: dict[tuple[str, str], tuple[IntArray, bytes, str]] = {}
        self._pattern: Any = None

    def complaints(self, a: Build, b: Build) -> list[Complaint]:
        """Return every reason why a matchup is illegal."""
        return self.game.complaints(self.scenario(a, b), self.condition.rules)

    def scores(
        self, pairs: Sequence[tuple[Build, Build]], first: int, end: int, batches: int, *, replication: int = 0
    ) -> FloatArray:
        """Return what the first of each pair scored against the second.

        Parameters
        ----------
        pairs
            Builds that meet.
        first, end
            The units ``first <= unit < end``, a multiple of the batches.
        batches
            How many batches, a power of two up to 256: unit modulo so many.
        replication
            0 for the dice of the question, another number for fresh ones.

        Returns
        -------
        float64 array, shape ``(pairs, batches)``
            Mean score of each batch, a win counting 1 and what neither wins one half; both seats averaged.
        """
        found = np.empty((len(pairs), batches))
        step = TOGETHER // 2 if self.both_ways else TOGETHER
        for at in range(0, len(pairs), step):
            part = pairs[at : at + step]
            there = self._played(part, first, end, batches, replication)
            if self.both_ways:
                back = self._played([(b, a) for a, b in part], first, end, batches, replication)
                there = (there + 1.0 - back) / 2.0
            found[at : at + step] = there
        return found

    def _played(
        self, pairs: Sequence[tuple[Build, Build]], first: int, end: int, batches: int, replication: int
    ) -> FloatArray:
        matches = [self._match(a, b) for a, b in pairs]
        sums = self.ledger.play(matches, first, end, replication=replication)
        folded = sums.reshape(len(pairs), -1, batches, sums.shape[2]).sum(axis=1)
        wins, losses = (folded[:, :, self.ledger.columns.index(name)] for name in self.wins)
        values = self.ledger.values[self.wins[0]]
        games = (end - first) // batches * values.parts
        return np.asarray(EVEN + (wins - losses) / (2.0 * games))

    def scenario(self, a: Build, b: Build) -> Any:
        """Return the scenario of a matchup."""
        changes = {**self.condition.changes, A: a.side, B: b.side}
        return self.game.Scenario.model_validate(self.game.vary(self.condition.data, changes))

    def print_of(self, a: Build, b: Build) -> str:
        """Return what stands for everything that is played in a matchup."""
        return self._match(a, b).fingerprint

    def _match(self, a: Build, b: Build) -> _Match:
        """Return a matchup; of setups, which are large and much alike, only what differs is kept."""
        names = a.name, b.name
        if names not in self._kept:
            setup = self.game.compile(self.scenario(a, b), self.condition.rules)
            content = setup.tobytes()
            if self._pattern is None:
                self._pattern = setup.copy()
            plain = np.frombuffer(content, np.uint8)
            differs = np.flatnonzero(plain != np.frombuffer(self._pattern.tobytes(), np.uint8))
            print_ = hashlib.sha256(content).hexdigest()[:16]
            self._kept[names] = differs, plain[differs].tobytes(), print_
            return _Match(setup, print_)
        differs, values, print_ = self._kept[names]
        plain = np.frombuffer(self._pattern.tobytes(), np.uint8).copy()
        plain[differs] = np.frombuffer(values, np.uint8)
        return _Match(plain.view(self._pattern.dtype)[0], print_)
