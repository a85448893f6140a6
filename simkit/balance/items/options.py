"""Rule options judged by what they change: the report metric with an option less the metric without, on common dice."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from simkit import stats
from simkit.games.protocol import Metric
from simkit.lab.estimates import FEW_BATCHES, Value, differing_batches, rare_bound, reach_of
from simkit.lab.ledger import Ledger, Sums
from simkit.lab.plan import Cell
from simkit.lab.store import units_per_batch
from simkit.stats import Estimate

FAIR, RAISES, LOWERS, UNDECIDED = "fair", "raises", "lowers", "undecided"


@dataclass(frozen=True)
class Pair:
    """A condition without an option and with it.

    Attributes
    ----------
    option
        Its name.
    labels
        Condition to its value in words, by axis.
    without, having
        The two cells.
    units
        Units of each of them.
    """

    option: str
    labels: Mapping[str, str]
    without: Cell
    having: Cell
    units: int


@dataclass(frozen=True)
class Changed:
    """What an option does under one condition.

    Attributes
    ----------
    pair
        The condition.
    change
        The metric with the option less the metric without it.
    plain
        The metric without it.
    word
        ``"raises"``, ``"lowers"``, ``"fair"`` or ``"undecided"``.
    units
        Of what is undecided: about how many units it would take; else 0.
    """

    pair: Pair
    change: Estimate
    plain: float
    word: str
    units: int


def judged(ledger: Ledger, pairs: Sequence[Pair], metric: Metric, delta: float, level: float) -> list[Changed]:
    """Play every condition without and with its option, and say what it changes.

    Parameters
    ----------
    ledger
        Keeps the metric.
    pairs
        What is compared.
    metric
        What is judged.
    delta
        Change that matters, in the unit of the metric.
    level
        Confidence level of all changes together (Bonferroni).
    """
    found = []
    share = stats.bonferroni_level(len(pairs), level) if pairs else level
    games = ledger.games
    value = Value.of(metric, games, difference=True)
    for pair in pairs:
        n = pair.units
        plain, having = played(ledger, pair)
        gains = having - plain
        mean = int(gains.sum()) / n
        if differing_batches(gains, n)[0] < FEW_BATCHES:
            reach = reach_of(metric, games, int(having.sum()) / n, mean)
            change = rare_bound(gains, n, share, reach, value, sequential=False)
        else:
            low, high = stats.batch_mean(gains, units_per_batch(n), share)
            change = value.estimate(mean, float(low), float(high), share, n, "paired-t")
        change = Estimate(change.estimate, change.low, change.high, level, n, change.method)
        word = _word(change, delta)
        more = _enough(change, delta, n) if word == UNDECIDED else 0
        found.append(Changed(pair, change, float(np.sum(plain)) / n / value.parts, word, more))
    return found


def played(ledger: Ledger, pair: Pair) -> Sums:
    """Return what the metric adds up to by batch, without the option and with it: int64, shape ``(2, 256)``."""
    return np.asarray(ledger.play([pair.without, pair.having], 0, pair.units)[:, :, 0])


def _word(change: Estimate, delta: float) -> str:
    if change.low > delta:
        return RAISES
    if change.high < -delta:
        return LOWERS
    return FAIR if -delta <= change.low and change.high <= delta else UNDECIDED


def word_of(change: float, delta: float) -> str:
    """Return what a change that is known is called."""
    return RAISES if change > delta else LOWERS if change < -delta else FAIR


def _enough(change: Estimate, delta: float, n: int) -> int:
    """Return about how many units it takes until the interval leaves the edge of the band that it lies across."""
    half = max(change.high - change.low, 1e-12) / 2.0
    room = min(abs(change.estimate - edge) for edge in (-delta, delta))
    return 0 if room < 1e-9 else math.ceil(n * (half / room) ** 2)
