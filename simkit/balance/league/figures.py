"""From counted seasons to estimates (J-LEA-8)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit import stats
from simkit.balance.league.tally import Tally
from simkit.core.trials import BATCHES
from simkit.stats import Estimate

FEW = 30
"""With fewer differing batches than this a share has seen too little for a t interval."""

Json = dict[str, Any]
Whole = NDArray[np.int64]
Floats = NDArray[np.float64]


class Kind(NamedTuple):
    """What the seasons are worth as evidence."""

    independent: bool
    """True where each season has its own dice and its own history: its shares are read off the binomial."""
    n: int
    """Independent units behind a number."""
    level: float


def shares(sums: Whole, units: int, kind: Kind, *, together: bool) -> list[Json]:
    """Return shares of seasons with their intervals.

    Parameters
    ----------
    sums
        Shape (shares, 256): seasons of each batch.
    units
        Seasons of all batches.
    kind
        Whether seasons are independent.
    together
        True for intervals that hold for all of them together.
    """
    total = sums.sum(axis=1)
    if kind.independent:
        level = stats.bonferroni_level(len(sums), kind.level) if together else kind.level
        low, high = stats.clopper_pearson(total, units, level)
        return _numbers(total / units, low, high, kind, "clopper-pearson")
    each = units // BATCHES
    low, high, method = _bands(sums, np.full(BATCHES, each, np.int64), kind.level, together=together)
    level = stats.bonferroni_level(len(sums), kind.level) if together else kind.level
    made = []
    for k, estimate in enumerate(total / units):
        commonest = round(float(np.median(sums[k])))
        away = np.abs(sums[k] - commonest)
        if commonest in (0, each) and np.count_nonzero(away) < FEW:
            made.append(_rare(float(estimate), away / each, level, kind))
        else:
            made += _numbers([estimate], [max(low[k], 0.0)], [min(high[k], 1.0)], kind, method)
    return made


def _rare(estimate: float, away: Floats, level: float, kind: Kind) -> Json:
    """Bound a share of which few batches have seen anything but none, or all."""
    reach = _reach(away, level)
    low, high = (0.0, max(reach, estimate)) if estimate < 0.5 else (min(1.0 - reach, estimate), 1.0)
    return _numbers([estimate], [low], [high], kind, "rare-bound")[0]


def _reach(away: Floats, level: float) -> float:
    """Return how far a mean can be from what nearly all batches have seen.

    With X how far a batch is away and m the most that was seen, the mean of X is at most m P(X > 0) + P(X > m); both
    chances are bounded by what 256 batches have seen.
    """
    half = stats.bonferroni_level(2, level)
    some, none = (float(stats.clopper_pearson(count, BATCHES, half)[1]) for count in (np.count_nonzero(away), 0))
    return min(float(away.max()) * some + none, 1.0)


def means(sums: NDArray[Any], units: int, kind: Kind, least: float = 0.0) -> list[Json]:
    """Return means a season with intervals that hold for all of them together, and end at the least there can be.

    Parameters
    ----------
    sums
        Shape (means, 256): sums of each batch.
    units
        Seasons of all batches.
    kind
        What the seasons are worth.
    least
        Nothing can be less.
    """
    low, high, method = _bands(sums, np.full(BATCHES, units // BATCHES, np.int64), kind.level, together=True)
    return _numbers(sums.sum(axis=1) / units, np.maximum(low, least), high, kind, method)


def ratio(sums: NDArray[Any], counts: Whole, kind: Kind) -> Json | None:
    """Return a share of something that is counted itself, such as decided matches; None where there is too little."""
    if np.count_nonzero(counts) < FEW:
        return None
    low, high = stats.batch_mean(sums, counts, kind.level)
    estimate = float(sums.sum() / counts.sum())
    low_, high_ = max(float(low), 0.0), min(float(high), 1.0)
    return _numbers([estimate], [min(low_, estimate)], [max(high_, estimate)], kind, "batch-t")[0]


def spreads(tally: Tally, kind: Kind) -> list[Json]:
    """Return the standard deviations of the points of a season, each with its own interval."""
    units = tally.seasons
    mean = tally.points.sum(axis=1, keepdims=True) / units
    apart = tally.squares - 2.0 * mean * tally.points + mean**2 * (units // BATCHES)
    low, high = stats.batch_mean(apart, np.full(BATCHES, units // BATCHES, np.int64), kind.level)
    found = apart.sum(axis=1) / units
    middle, least, most = (np.sqrt(np.maximum(part, 0.0)) for part in (found, low, high))
    return _numbers(middle, least, most, kind, "batch-t")


def _bands(sums: NDArray[Any], counts: Whole, level: float, *, together: bool) -> tuple[Floats, Floats, str]:
    if together and len(sums) > 1:
        bands = stats.simultaneous_bands(sums, counts, level)
        return bands.low, bands.high, bands.critical.method
    low, high = stats.batch_mean(sums, counts, level)
    return low, high, "batch-t"


def _numbers(
    estimates: Sequence[float] | Floats,
    low: Sequence[float] | Floats,
    high: Sequence[float] | Floats,
    kind: Kind,
    method: str,
) -> list[Json]:
    return [
        dict(Estimate(float(e), float(a), float(b), kind.level, kind.n, method).to_json())
        for e, a, b in zip(estimates, low, high, strict=True)
    ]


def upsets(tally: Tally, kind: Kind) -> Json | None:
    """Return the share of decided matches that are upsets; None where there is too little.

    Which of a pair is the lower-scoring one is read off the same seasons, and of two that are nearly even it is always
    the one that had less luck: its share is read too low. In truth it is at most one half. So the interval reaches as
    high as it does with one half for every pair of which it is not resolved who scores less.
    """
    found, matches = decided(tally)
    made = ratio(found, 2 * matches, kind)
    even, _ = decided(tally, _unresolved(tally, kind.level))
    most = ratio(even, 2 * matches, kind)
    if made is None or most is None:
        return None
    return {**made, "high": max(made["high"], most["high"])}


def _unresolved(tally: Tally, level: float) -> NDArray[np.bool_]:
    """Tell of which pairs the scores over both homes may be even, all told together; shape (entrants, entrants)."""
    gap = tally.met[:, :, 2] - tally.met[:, :, 0]
    gap = gap - gap.swapaxes(0, 1)
    matches = tally.met.sum(axis=2)
    matches = np.maximum(matches + matches.swapaxes(0, 1), 1)
    low, high = stats.batch_mean(gap, matches, stats.bonferroni_level(len(gap) * (len(gap) - 1) // 2, level))
    return np.asarray((low <= 0.0) & (high >= 0.0))


def decided(tally: Tally, even: NDArray[np.bool_] | None = None) -> tuple[Whole, Whole]:
    """Return upsets in half matches and decided matches, by batch (J-LEA-8).

    An upset is a decided match that goes to the side of the pair which scores less over both homes and all seasons; of
    a pair that scores alike, or that is said to be even, either side is half of one.
    """
    met = tally.met.sum(axis=3)
    score = (2 * met[:, :, 2] + met[:, :, 1]) + (2 * met[:, :, 0] + met[:, :, 1]).T  # of the first against the second
    behind = np.sign(score.T - score)  # 1 where the home side is the lower-scoring one
    if even is not None:
        behind[even] = 0
    home, away = tally.met[:, :, 2], tally.met[:, :, 0]
    weight = (1 + behind)[:, :, None]
    return (weight * home + (2 - weight) * away).sum(axis=(0, 1)), (home + away).sum(axis=(0, 1))


def homes(tally: Tally) -> tuple[Whole, Whole]:
    """Return the home sides' score in halves, and all matches, by batch."""
    met = tally.met.sum(axis=(0, 1))
    return 2 * met[2] + met[1], met.sum(axis=0)


def moves(gained: Whole, lost: Whole, units: int, kind: Kind) -> list[Json]:
    """Return how much the title odds of each move on the same seasons, with intervals that hold together.

    Independent seasons get Tango's interval of a difference of paired shares.
    """
    ups, downs = gained.sum(axis=1), lost.sum(axis=1)
    if kind.independent:
        level = stats.bonferroni_level(len(ups), kind.level)
        low, high = stats.tango(ups, downs, units, level)
        return _numbers((ups - downs) / units, low, high, kind, "tango")
    each, level = units // BATCHES, stats.bonferroni_level(len(ups), kind.level)
    low, high, method = _bands(gained - lost, np.full(BATCHES, each, np.int64), kind.level, together=True)
    made = []
    for k, estimate in enumerate((ups - downs) / units):
        away = np.abs(gained[k] - lost[k]) / each
        if np.count_nonzero(away) < FEW:
            reach = _reach(away, level)
            made += _numbers([estimate], [min(-reach, estimate)], [max(reach, estimate)], kind, "rare-bound")
        else:
            made += _numbers([estimate], [low[k]], [high[k]], kind, method)
    return made


def exact(value: Any) -> Json:
    """Return a number that is known."""
    return dict(Estimate.exact(float(value)).to_json())
