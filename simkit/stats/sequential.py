"""Confidence sequences: intervals that stay right however often a run looks and whenever it stops.

A fixed-n interval at 99.9 % that is looked at a thousand times is wrong at some look in 2.6 % of the runs. A
confidence sequence at 99.9 % is wrong at *any* look in at most 0.1 %. The price is a width of about 1.3 to 1.6 times.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.bisection import bisect
from simkit.stats.checks import BoolArray, FloatArray, alpha_of, bounds, finite, positive, successes, whole
from simkit.stats.moments import deviations

UNUSUAL_NEEDED = 100  # units that must differ from the commonest value before the asymptotic sequence may speak


def beta_binomial(
    k: ArrayLike, n: ArrayLike, level: float, a: float = 0.5, b: float = 0.5
) -> tuple[FloatArray, FloatArray]:
    """Exact confidence sequence of a probability from ``k`` of ``n`` independent units with values 0 or 1.

    A probability p is inside while the likelihood under a Beta(a, b) mixture is less than ``1 / (1 - level)`` times
    that under p: ``ln B(a + k, b + n - k) - ln B(a, b) - k ln p - (n - k) ln(1 - p) < -ln(1 - level)`` (Robbins,
    Ann. Math. Stat. 41, 1970; Ville's inequality). Right from the first unit on, rare outcomes included.

    Parameters
    ----------
    k, n
        Integers, ``0 <= k <= n``, ``n >= 1``.
    level
        Confidence level, for all looks together.
    a, b
        Shape of the mixture, above 0; fixed before the run.

    Returns
    -------
    low, high
        Probabilities. ``low`` is exactly 0 at ``k = 0`` and ``high`` exactly 1 at ``k = n``.

    Raises
    ------
    ValueError
        On counts, levels or shapes outside these ranges.

    Examples
    --------
    >>> low, high = beta_binomial(520, 1000, 0.95)
    >>> f"{low:.6f} {high:.6f}"
    '0.462287 0.577358'
    """
    left, right = positive("a", a), positive("b", b)
    some, all_ = successes(k, n)
    rest, share = all_ - some, some / all_
    # how far the log-likelihood may lie below its greatest value
    greatest = special.xlogy(some, share) + special.xlogy(rest, rest / all_)
    mixture = special.betaln(left + some, right + rest) - special.betaln(left, right)
    room = greatest - mixture - np.log(alpha_of(level))

    def inside(p: FloatArray) -> BoolArray:
        # The moves are written as log1p of small ratios: no digits are lost near the estimate at large n.
        move = p - share
        up = np.divide(move, share, out=np.zeros_like(move), where=some > 0)
        down = np.divide(move, rest / all_, out=np.zeros_like(move), where=rest > 0)
        return np.asarray(-special.xlog1py(some, up) - special.xlog1py(rest, -down) < room)

    low = bisect(inside, share, np.zeros_like(share))
    high = bisect(inside, share, np.ones_like(share))
    # at the ends the equation is solved by hand: n ln(1 - p) = -room
    low = np.where(rest == 0, np.exp(-room / all_), np.where(some == 0, 0.0, low))
    high = np.where(some == 0, -np.expm1(-room / all_), np.where(rest == 0, 1.0, high))
    return low, high


def mixture_rho_squared(tightest: float, level: float) -> float:
    """Scale of the asymptotic sequence that makes it tightest near a given number of units.

    ``rho^2 = (x + ln x + 1) / tightest`` with ``x = -2 ln(1 - level)`` (Waudby-Smith and others, Ann. Stat. 52,
    2024).

    Parameters
    ----------
    tightest
        Units, above 0.
    level
        Confidence level, at least 0.5.

    Returns
    -------
    float
        ``rho^2`` per unit.

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> f"{mixture_rho_squared(1_000_000, 0.999):.8e}"
    '1.74413025e-05'
    """
    if not float(level) >= 0.5:
        raise ValueError(f"level is {level!r}; allowed for a confidence sequence are levels from 0.5 to below 1")
    x = -2.0 * np.log(alpha_of(level))
    return float((x + np.log(x) + 1.0) / positive("tightest", tightest))


def asymptotic_half_width(sd: ArrayLike, n: ArrayLike, level: float, tightest: float = 100_000) -> FloatArray:
    """Half-width of the asymptotic confidence sequence of a mean.

    ``sd sqrt(2 (n r + 1) / (n^2 r) ln(sqrt(n r + 1) / (1 - level)))`` with ``r = mixture_rho_squared(tightest)``
    (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Ann. Stat. 52, 2024, arXiv 2103.06476). Choosing ``tightest``
    too small costs little, too large much.

    Parameters
    ----------
    sd
        Standard deviation of a unit's value, at least 0.
    n
        Units, integers of at least 1.
    level
        Confidence level, for all looks together, at least 0.5.
    tightest
        Units at which the sequence is tightest; fixed before the run.

    Returns
    -------
    float64 array
        In the unit of the values.

    Raises
    ------
    ValueError
        On numbers outside these ranges.

    Examples
    --------
    >>> f"{asymptotic_half_width(1.0, 10_000, 0.95, tightest=10_000):.10f}"
    '0.0303544640'
    """
    spread, count = finite("sd", sd), whole("n", n, 1)
    if (spread < 0).any():
        raise ValueError(f"sd holds {spread.min()}; allowed are numbers from 0")
    scaled = count * mixture_rho_squared(tightest, level)
    factor = 2.0 * (scaled + 1.0) / scaled * (0.5 * np.log1p(scaled) - np.log(alpha_of(level)))
    return np.asarray(spread * np.sqrt(factor / count))


def asymptotic_ready(n: ArrayLike, commonest: ArrayLike) -> BoolArray:
    """Tell whether the asymptotic sequence may be used yet.

    Its half-width is 0 while all units are equal, which would end a run at once. So it waits until 100 units differ
    from the commonest value. Metrics with values 0 or 1 use ``beta_binomial`` instead, from the first unit on.

    Parameters
    ----------
    n
        Units, integers of at least 1.
    commonest
        How many of them have the commonest value, ``0 <= commonest <= n``.

    Returns
    -------
    bool array

    Raises
    ------
    ValueError
        On other counts.

    Examples
    --------
    >>> bool(asymptotic_ready(10_000, 9_950)), bool(asymptotic_ready(10_000, 9_900))
    (False, True)
    """
    usual, all_ = successes(commonest, n)
    return np.asarray(all_ - usual >= UNUSUAL_NEEDED)


def asymptotic(
    n: ArrayLike, total: ArrayLike, squares: ArrayLike, level: float, tightest: float = 100_000
) -> tuple[FloatArray, FloatArray]:
    """Asymptotic confidence sequence of a mean from count, sum and sum of squares.

    For scores with draws, turns, differences under the same dice, scores of seat pairs. Not before
    ``asymptotic_ready`` says so.

    Parameters
    ----------
    n
        Independent units, integers of at least 1.
    total, squares
        Sum of the unit values and of their squares.
    level, tightest
        As in ``asymptotic_half_width``.

    Returns
    -------
    low, high
        In the unit of the values; not clipped to a range.

    Raises
    ------
    ValueError
        On numbers outside the ranges, or sums that cannot belong together.

    Examples
    --------
    >>> low, high = asymptotic(100_000, 51_000.0, 46_500.0, 0.999)
    >>> f"{low:.6f} {high:.6f}"
    '0.503980 0.516020'
    """
    count = whole("n", n, 1)
    mean, deviation = deviations(count, total, squares)
    half = asymptotic_half_width(np.sqrt(deviation / count), count, level, tightest)
    return np.asarray(mean - half), np.asarray(mean + half)


def looks(*, first: int = 10_000, growth: float = 1.25, whole: int = 256, last: int) -> tuple[int, ...]:
    """List the unit counts at which a run may look at its results.

    They are fixed beforehand, so that where a run stops depends neither on its speed nor on how it was cut up; and a
    longer run looks at the same counts first.

    Parameters
    ----------
    first
        About where to look first.
    growth
        Factor from one look to the next, at least 1.01.
    whole
        Each look but the last is rounded up to a multiple of this many units.
    last
        Units of the whole run; the last look, as it is.

    Returns
    -------
    tuple of int
        Strictly growing, ending at ``last``.

    Raises
    ------
    ValueError
        If a count is below 1 or ``growth`` below 1.01.

    Examples
    --------
    >>> looks(last=20_000)
    (10240, 12544, 15872, 19712, 20000)
    """
    for name, value in (("first", first), ("whole", whole), ("last", last)):
        if value < 1:
            raise ValueError(f"{name} is {value!r}; allowed are whole numbers from 1")
    if not 1.01 <= growth < np.inf:
        raise ValueError(f"growth is {growth!r}; allowed are finite factors from 1.01")
    found: list[int] = []
    aim = float(first)
    while (look := -(-int(np.ceil(aim)) // whole) * whole) < last:
        if not found or look > found[-1]:
            found.append(look)
        aim *= growth
    return (*found, int(last))


def sign_decided(low: ArrayLike, high: ArrayLike, target: float = 0.5) -> BoolArray:
    """Tell whether an interval lies wholly on one side of the target.

    Parameters
    ----------
    low, high
        Bounds of a confidence sequence.
    target
        Value in question: 0.5 for a win share, 0 for a difference.

    Returns
    -------
    bool array
        The estimate at such a stop is biased away from the target: print the interval.

    Examples
    --------
    >>> bool(sign_decided(0.501, 0.52))
    True
    """
    below, above = bounds(low, high)
    return np.asarray((below > target) | (above < target))


def inside_band(low: ArrayLike, high: ArrayLike, centre: float, within: float) -> BoolArray:
    """Tell whether an interval lies wholly inside ``centre -+ within`` ("fair within ...").

    Parameters
    ----------
    low, high
        Bounds of a confidence sequence.
    centre, within
        Middle and half-width of the band, ``within`` above 0.

    Returns
    -------
    bool array

    Raises
    ------
    ValueError
        If ``within`` is not above 0.

    Examples
    --------
    >>> bool(inside_band(0.495, 0.507, centre=0.5, within=0.01))
    True
    """
    below, above = bounds(low, high)
    reach = positive("within", within)
    return np.asarray((below >= centre - reach) & (above <= centre + reach))


def outside_band(low: ArrayLike, high: ArrayLike, centre: float, within: float) -> BoolArray:
    """Tell whether an interval lies wholly outside ``centre -+ within`` ("not fair within ...").

    Parameters
    ----------
    low, high, centre, within
        As in ``inside_band``.

    Returns
    -------
    bool array

    Raises
    ------
    ValueError
        If ``within`` is not above 0.

    Examples
    --------
    >>> bool(outside_band(0.495, 0.507, centre=0.5, within=0.01))
    False
    """
    below, above = bounds(low, high)
    reach = positive("within", within)
    return np.asarray((below > centre + reach) | (above < centre - reach))


def precise_enough(low: ArrayLike, high: ArrayLike, precision: float) -> BoolArray:
    """Tell whether half the width of an interval is at most ``precision``.

    Parameters
    ----------
    low, high
        Bounds of a confidence sequence.
    precision
        Half-width wanted, above 0, in the unit of the bounds.

    Returns
    -------
    bool array

    Raises
    ------
    ValueError
        If ``precision`` is not above 0.

    Examples
    --------
    >>> bool(precise_enough(0.498, 0.502, 0.001))
    False
    """
    below, above = bounds(low, high)
    return np.asarray(0.5 * (above - below) <= positive("precision", precision))
