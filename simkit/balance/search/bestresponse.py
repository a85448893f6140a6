"""Best answers to what is best so far: the double oracle.

What is strongest in a fixed field need not be strong against what would be played once it is known. So the game of
choosing is solved over a pool of builds, the best answer to that mixture is looked for outside the pool, and joins it
if it gains; until nothing gains any more (McMahan, Gordon and Blum, ICML 2003). The search looks among what it can
play, so that it bounds the exploitability from below only: that nothing better was *found* is no proof that there is
nothing.
"""

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from simkit.balance.equilibrium import maximum_entropy, regrets, score_matrix
from simkit.stats import Estimate
from simkit.stats.checks import FloatArray, positive

Build = TypeVar("Build")


class Answer(NamedTuple, Generic[Build]):
    """The best answer to a mixture that was found."""

    build: Build
    gain: Estimate
    """How much more than one half it scores against the mixture, on dice that did not choose it."""


class Turn(NamedTuple, Generic[Build]):
    """A round: the pool and its equilibrium, and the best answer to it; None if the search found nothing new."""

    pool: tuple[Build, ...]
    mixture: FloatArray
    answer: Answer[Build] | None
    joined: bool


class Rounds(NamedTuple, Generic[Build]):
    """All rounds, and what they came to."""

    turns: tuple[Turn[Build], ...]
    settled: bool
    """Whether the last answer gained no more than delta; otherwise the rounds ran out."""

    @property
    def pool(self) -> tuple[Build, ...]:
        """The builds in the end; where the rounds ran out, without the answer that joined last."""
        return self.turns[-1].pool

    @property
    def mixture(self) -> FloatArray:
        """Their shares in the equilibrium."""
        return self.turns[-1].mixture

    @property
    def additions(self) -> int:
        """How many answers are in the pool."""
        return len(self.pool) - len(self.turns[0].pool)


def best_responses(
    start: Sequence[Build],
    scores: Callable[[Sequence[Build]], ArrayLike],
    answer: Callable[[Sequence[Build], FloatArray], Answer[Build] | None],
    *,
    delta: float,
    rounds: int,
    epsilon: float = 1e-7,
) -> Rounds[Build]:
    """Add best answers to a pool until none gains more than delta.

    Parameters
    ----------
    start
        The pool to begin with, at least one build.
    scores
        Returns the scores of the builds of a pool against each other, as
        :func:`simkit.balance.equilibrium.score_matrix` has them.
    answer
        Searches for the best answer to a mixture over the pool, with its gain on fresh dice; None for nothing that is
        not in the pool.
    delta
        What a gain must surely exceed, a share above 0: the lower end of its interval counts.
    rounds
        Most rounds, at least 1.
    epsilon
        Error of the scores, for the equilibrium (:func:`simkit.balance.equilibrium.maximum_entropy`).

    Returns
    -------
    Rounds

    Raises
    ------
    ValueError
        On other numbers, or scores that do not belong together.

    Examples
    --------
    >>> beats = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])
    >>> found = best_responses([0], *exact(beats), delta=0.02, rounds=9)
    >>> found.pool, found.additions, found.mixture.round(3).tolist(), found.settled
    ((0, 1, 2), 2, [0.333, 0.333, 0.333], True)
    """
    limit = positive("delta", delta)
    if not start or rounds < 1:
        raise ValueError(f"start has {len(start)} builds, rounds is {rounds}; allowed is at least 1 of each")
    pool, turns, settled = list(start), list[Turn[Build]](), False
    while not settled and len(turns) < rounds:
        mixture = maximum_entropy(score_matrix(scores(tuple(pool))), epsilon)
        found = answer(tuple(pool), mixture)
        settled = found is None or found.gain.low <= limit
        turns.append(Turn(tuple(pool), mixture, found, not settled))
        if found is not None and not settled:
            pool.append(found.build)
    return Rounds(tuple(turns), settled)


def exact(
    matrix: ArrayLike,
) -> tuple[Callable[[Sequence[int]], FloatArray], Callable[[Sequence[int], FloatArray], Answer[int] | None]]:
    """Return the scores and answers of a game whose every score is known, builds going by their places.

    Parameters
    ----------
    matrix
        As for :func:`simkit.balance.equilibrium.score_matrix`.

    Returns
    -------
    scores, answer
        For :func:`best_responses`; of equally good answers the first is taken.
    """
    known = score_matrix(matrix)

    def scores(pool: Sequence[int]) -> FloatArray:
        return known[np.ix_(pool, pool)]

    def answer(pool: Sequence[int], mixture: FloatArray) -> Answer[int] | None:
        field = np.zeros(len(known))
        field[list(pool)] = mixture
        gains = -regrets(known, field)
        gains[list(pool)] = -np.inf
        best = int(np.argmax(gains))
        if not np.isfinite(gains[best]):
            return None
        gain = float(gains[best])
        return Answer(best, Estimate(gain, gain, gain, 1.0, 0, "exact"))

    return scores, answer
