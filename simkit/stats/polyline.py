"""Where a line through means at a few values meets a level: a share of the games at one value, the rest at the next.

Between two values of a parameter that knows nothing in between, games can be mixed; their metric is then exactly on
the straight line between the two means. So the line through all means is what can be reached, and where it meets the
target is the answer, whole or mixed.
"""

import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.checks import FloatArray, finite, positive


class Meeting(NamedTuple):
    """Where a line through means meets a level.

    Attributes
    ----------
    value
        Of the parameter; whole where a mean itself lies on the level.
    low, high
        Interval of it, within the values given.
    """

    value: float
    low: float
    high: float


def meeting(
    values: ArrayLike, means: ArrayLike, variances: ArrayLike, *, level: float, quantile: float
) -> Meeting | None:
    """Find where the line through some independent means crosses a level, which it is known to do once.

    The interval holds every place at which the line is less than ``quantile`` standard errors from the level: on each
    step this is Fieller's method (J. R. Stat. Soc. B 16, 1954) for the share of games at the upper value. The place
    itself is where the line of the means crosses after neighbours in the wrong order have been pooled (isotonic
    regression, Ayer and others, Ann. Math. Stat. 26, 1955).

    Parameters
    ----------
    values
        Shape ``(k,)``: of the parameter, strictly rising, at least 2.
    means
        Shape ``(k,)``: the metric at each.
    variances
        Shape ``(k,)``: of the means, at least 0; 0 throughout for exact values.
    level
        That is to be met, in the unit of the metric.
    quantile
        Two-sided critical value, above 0, such as 1.96.

    Returns
    -------
    Meeting or None
        None if the first and the last mean do not lie on different sides of the level.

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> found = meeting([1, 2], [0.58, 0.46], [2.4e-6, 2.4e-6], level=0.5, quantile=1.96)
    >>> f"{found.value:.4f} {found.low:.4f} {found.high:.4f}"
    '1.6667 1.6480 1.6858'
    >>> meeting([1, 2, 3], [0.4, 0.3, 0.45], [0, 0, 0], level=0.5, quantile=1.96) is None
    True
    """
    x, y, spread = (finite(name, array).astype(np.float64) for name, array in (
        ("values", values), ("means", means), ("variances", variances)
    ))  # fmt: skip
    if x.ndim != 1 or x.size < 2 or not x.shape == y.shape == spread.shape or (np.diff(x) <= 0.0).any():
        raise ValueError(f"values has shape {x.shape}; allowed are at least 2 rising values, and a mean of each")
    if (spread < 0.0).any():
        raise ValueError("variances holds one below 0; allowed are numbers from 0")
    reach = positive("quantile", quantile)
    off = y - float(level)
    if off[0] * off[-1] > 0.0 or (off[0] == 0.0 and off[-1] == 0.0):
        return None
    value = _crossing(x, off if off[-1] > off[0] else -off)
    spans = [
        (x[k] + (x[k + 1] - x[k]) * low, x[k] + (x[k + 1] - x[k]) * high)
        for k in range(x.size - 1)
        for low, high in _shares(off[k], off[k + 1], spread[k], spread[k + 1], reach)
    ]
    low = min([value, *(float(a) for a, _ in spans)])
    high = max([value, *(float(b) for _, b in spans)])
    return Meeting(value, low, high)


def _crossing(x: FloatArray, rising: FloatArray) -> float:
    """Place at which the pooled line passes 0; the middle of it where it lies on 0 for a while."""
    smooth = pooled(rising)
    below, above = np.flatnonzero(smooth < 0.0), np.flatnonzero(smooth > 0.0)
    first = int(below[-1]) if below.size else 0
    last = int(above[0]) if above.size else x.size - 1
    if last - first > 1:  # pooled means exactly on the level
        return float(x[first + 1] + x[last - 1]) / 2.0
    a, b = float(smooth[first]), float(smooth[last])
    return float(x[first] + (x[last] - x[first]) * (a / (a - b))) if a != b else float(x[first])


def pooled(rising: FloatArray) -> FloatArray:
    """Least-squares rising sequence, by pooling neighbours that fall.

    Examples
    --------
    >>> pooled(np.array([1.0, 3.0, 2.0, 4.0])).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    pools: list[tuple[float, int]] = []
    for value in rising:
        mean, size = float(value), 1
        while pools and pools[-1][0] >= mean:
            before, count = pools.pop()
            mean, size = (mean * size + before * count) / (size + count), size + count
        pools.append((mean, size))
    return np.repeat([mean for mean, _ in pools], [size for _, size in pools])


def _shares(a: float, b: float, va: float, vb: float, reach: float) -> list[tuple[float, float]]:
    """Shares f in 0 to 1 at which ``a + f (b - a)`` is within `reach` standard errors of 0: none, one or two spans."""
    square = (b - a) ** 2 - reach**2 * (va + vb)
    linear = 2.0 * a * (b - a) + 2.0 * reach**2 * va
    constant = a**2 - reach**2 * va
    inner = linear**2 - 4.0 * square * constant
    if square == 0.0:
        edges = [-constant / linear] if linear else []
    elif inner < 0.0:
        edges = []
    else:
        step = -0.5 * (linear + np.copysign(np.sqrt(inner), linear))
        edges = [step / square, *([constant / step] if step else [])]
    cuts = sorted({0.0, 1.0, *(float(edge) for edge in edges if 0.0 < edge < 1.0)})
    middles = [(low, high, (low + high) / 2.0) for low, high in itertools.pairwise(cuts)]
    return [(low, high) for low, high, f in middles if square * f * f + linear * f + constant <= 0.0]
