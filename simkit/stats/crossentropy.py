"""The cross-entropy method: looking for the best of many numbers where every look is noisy.

A normal distribution over the numbers is drawn from, the best of the draws are kept, and the distribution moves to
where these lie; so it goes on for some generations (Rubinstein, Methodology and Computing in Applied Probability 1,
1999; de Boer and others, Annals of Operations Research 134, 2005). The answer is the *mean* of the last distribution.
The best draw is not: of many that were measured with noise the best one is best by luck too (the winner's curse), and
what it scored must never be reported. Whoever wants to know what the mean scores plays it on fresh dice.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.checks import FloatArray, finite, share_between

SMALLEST = 1e-9
"""Spread below which a number is taken for settled."""


@dataclass(frozen=True, slots=True)
class Cloud:
    """A normal distribution over some numbers that do not hang on each other.

    Attributes
    ----------
    mean, spread
        float64, shape ``(numbers,)``: where the draws lie, and their standard deviations, from 0.
    generation
        How often it has moved; it chooses the draws.
    """

    mean: FloatArray
    spread: FloatArray
    generation: int = 0


def cloud(mean: ArrayLike, spread: ArrayLike) -> Cloud:
    """Return the distribution to begin with.

    Parameters
    ----------
    mean
        Shape ``(numbers,)``.
    spread
        One for all, or one each, above 0: about as far as the best may be.

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> cloud([0.0, 1.0], 0.5).spread.tolist()
    [0.5, 0.5]
    """
    centre = np.atleast_1d(finite("mean", mean).astype(np.float64))
    if centre.ndim != 1 or not centre.size:
        raise ValueError(f"mean has shape {centre.shape}; allowed is (numbers,) with at least 1")
    wide = np.broadcast_to(finite("spread", spread).astype(np.float64), centre.shape).copy()
    if (wide <= 0.0).any():
        raise ValueError(f"spread holds {wide.min()}; allowed are numbers above 0")
    return Cloud(centre, wide)


def draws(of: Cloud, count: int, seed: int) -> FloatArray:
    """Draw from a distribution, each draw and its mirror image: the mean of all draws is that of the distribution.

    Parameters
    ----------
    of
        The distribution.
    count
        How many, an even number from 4.
    seed
        With the generation it chooses the draws, so that a search goes on from any generation as if it had never
        stopped.

    Returns
    -------
    float64 array, shape ``(count, numbers)``

    Raises
    ------
    ValueError
        On another count.

    Examples
    --------
    >>> draws(cloud([1.0], 0.5), 4, seed=1).mean().round(9)
    np.float64(1.0)
    """
    if count < 4 or count % 2:
        raise ValueError(f"count is {count}; allowed are even numbers from 4")
    bits = np.random.Philox(key=np.array([seed, of.generation], np.uint64))
    shares = np.random.Generator(bits).random((count // 2, of.mean.size))
    steps = special.ndtri(np.clip(shares, 1e-12, 1.0 - 1e-12)) * of.spread
    return np.concatenate([of.mean + steps, of.mean - steps])


def moved(of: Cloud, drawn: ArrayLike, scores: ArrayLike, *, keep: float = 0.25, step: float = 0.8) -> Cloud:
    """Move a distribution to where its best draws lie.

    Parameters
    ----------
    of
        The distribution that was drawn from.
    drawn
        Shape ``(draws, numbers)``.
    scores
        Shape ``(draws,)``: the larger the better. Draws that are compared should share their dice.
    keep
        Share of the draws that are kept, at least two of them.
    step
        How far it moves, above 0 and below 1: the rest of the old mean and spread stays, so that one lucky generation
        does not settle everything.

    Returns
    -------
    Cloud
        Of the next generation.

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> start = cloud([0.0], 1.0)
    >>> some = draws(start, 8, seed=1)
    >>> bool(moved(start, some, some[:, 0]).mean[0] > 0.3)
    True
    """
    places, heights = finite("drawn", drawn).astype(np.float64), finite("scores", scores).astype(np.float64)
    if places.ndim != 2 or places.shape[1] != of.mean.size or heights.shape != places.shape[:1]:
        raise ValueError(
            f"drawn and scores have shapes {places.shape} and {heights.shape}; allowed is one score a draw"
        )
    best = max(2, round(share_between("keep", keep) * len(heights)))
    chosen = places[np.argsort(-heights, kind="stable")[:best]]
    part = share_between("step", step)
    mean = (1.0 - part) * of.mean + part * chosen.mean(axis=0)
    spread = (1.0 - part) * of.spread + part * chosen.std(axis=0)
    return Cloud(mean, np.maximum(spread, SMALLEST), of.generation + 1)
