"""Sequential probability ratio tests on Elo, for "is this version of a policy better than the last one"."""

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.checks import FloatArray, finite, share_between, whole
from simkit.stats.likelihood import class_counts, mean_log_ratio


def score_of_elo(elo: ArrayLike) -> FloatArray:
    """Return the score (win 1, draw 1/2, loss 0) to expect at a rating difference, on the logistic scale.

    Parameters
    ----------
    elo
        Rating difference in Elo.

    Returns
    -------
    float64 array
        Between 0 and 1.

    Examples
    --------
    >>> f"{score_of_elo(34.860):.4f}"
    '0.5500'
    """
    return np.asarray(1.0 / (1.0 + 10.0 ** (-finite("elo", elo) / 400.0)))


def sprt_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Log-likelihood ratios at which the test stops.

    Parameters
    ----------
    alpha
        Chance to accept ``elo1`` when ``elo0`` is true.
    beta
        Chance to accept ``elo0`` when ``elo1`` is true.

    Returns
    -------
    low, high
        At ``low`` or below ``elo0`` is accepted, at ``high`` or above ``elo1`` (Wald, Sequential Analysis, 1947).

    Raises
    ------
    ValueError
        Unless both lie between 0 and 1 and ``alpha + beta < 1``.

    Examples
    --------
    >>> low, high = sprt_bounds(0.05, 0.05)
    >>> f"{low:.6f} {high:.6f}"
    '-2.944439 2.944439'
    """
    false_alarm, miss = share_between("alpha", alpha), share_between("beta", beta)
    if false_alarm + miss >= 1.0:
        raise ValueError(f"alpha + beta is {false_alarm + miss:g}; allowed is a sum below 1")
    return float(np.log(miss / (1.0 - false_alarm))), float(np.log((1.0 - miss) / false_alarm))


def llr_trinomial(wins: ArrayLike, losses: ArrayLike, draws: ArrayLike, elo0: float, elo1: float) -> FloatArray:
    """Generalised log-likelihood ratio of ``elo1`` against ``elo0`` from independent games.

    Each hypothesis fixes the score only; the draw share is chosen to fit it best (the GSPRT, Li, Liu and Ying,
    Sequential Analysis 33, 2014).

    Parameters
    ----------
    wins, losses, draws
        Integers, together at least 1. Games that share dice are not independent: use ``llr_pentanomial``.
    elo0, elo1
        Logistic Elo of the two hypotheses, ``elo0 < elo1``.

    Returns
    -------
    float64 array
        To be compared with ``sprt_bounds``.

    Raises
    ------
    ValueError
        On bad counts or unless ``elo0 < elo1``.

    Examples
    --------
    >>> f"{llr_trinomial(880, 759, 1863, 0, 5):.6f}"
    '2.947224'
    """
    rows = np.broadcast_arrays(whole("losses", losses), whole("draws", draws), whole("wins", wins))
    return _llr(np.stack(rows, axis=-1), np.linspace(0.0, 1.0, 3), elo0, elo1)


def llr_pentanomial(counts: ArrayLike, elo0: float, elo1: float) -> FloatArray:
    """Generalised log-likelihood ratio of ``elo1`` against ``elo0`` from pairs of games.

    The pair is the unit, so games of a pair may depend on each other (same dice, same map, seats exchanged).

    Parameters
    ----------
    counts
        Shape ``(..., 5)``: pairs that scored 0, 1/2, 1, 3/2 and 2 points.
    elo0, elo1
        Logistic Elo of the two hypotheses, ``elo0 < elo1``.

    Returns
    -------
    float64 array of shape ``(...)``
        To be compared with ``sprt_bounds``.

    Raises
    ------
    ValueError
        On bad counts or unless ``elo0 < elo1``.

    Examples
    --------
    >>> f"{llr_pentanomial([10789, 19328, 33806, 19402, 10543], -3, 1):.6f}"
    '2.131068'
    """
    return _llr(counts, np.linspace(0.0, 1.0, 5), elo0, elo1)


def _llr(counts: ArrayLike, values: FloatArray, elo0: float, elo1: float) -> FloatArray:
    seen, worth = class_counts(counts, values)
    if not float(elo0) < float(elo1):
        raise ValueError(f"elo0 is {elo0} and elo1 is {elo1}; allowed is elo0 below elo1")
    lost = [mean_log_ratio(seen, worth, np.full(seen.shape[:-1], score_of_elo(elo))) for elo in (elo0, elo1)]
    return np.asarray(lost[0] - lost[1])
