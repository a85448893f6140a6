"""What drives a metric: Sobol indices of numeric parameters, with the noise of the games taken out.

The first-order index of a parameter is the share of the metric's variance, over the range of all parameters, that
would go if this one were known; the total index is the share that would stay if all others were known (Sobol 1993;
Homma and Saltelli, Reliab. Eng. Syst. Saf. 52, 1996). They differ by interactions.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.checks import FloatArray, IntArray, finite, normal_quantile, whole
from simkit.stats.multiple import sidak_z

PARAMETERS_LIMIT = 20
"""Most parameters: the table of direction numbers serves twice as many dimensions."""

BITS = 30

DIRECTIONS = """
3: 1; 7: 1 3; 11: 1 3 1; 13: 1 1 1; 19: 1 1 3 3; 25: 1 3 5 13; 37: 1 1 5 5 17; 41: 1 1 5 5 5;
47: 1 1 7 11 19; 55: 1 1 5 1 1; 59: 1 1 1 3 11; 61: 1 3 5 5 31; 67: 1 3 3 9 7 49; 91: 1 1 1 15 21 21;
97: 1 3 1 13 27 49; 103: 1 1 1 15 7 5; 109: 1 3 1 15 13 25; 115: 1 1 5 5 19 61; 131: 1 3 7 11 23 15 103;
137: 1 3 7 13 13 15 69; 143: 1 1 3 13 7 35 63; 145: 1 3 5 9 1 25 53; 157: 1 3 1 13 9 35 107;
167: 1 3 1 5 27 61 31; 171: 1 1 5 11 19 41 61; 185: 1 3 5 3 3 13 69; 191: 1 1 7 13 1 19 1;
193: 1 3 7 5 13 19 59; 203: 1 1 3 9 25 29 41; 211: 1 3 5 13 23 1 55; 213: 1 3 7 3 13 59 17;
229: 1 3 1 3 5 53 69; 239: 1 1 5 5 23 33 13; 241: 1 1 7 7 1 61 123; 247: 1 1 7 9 13 61 49;
253: 1 3 3 5 3 55 33; 285: 1 3 1 15 31 13 49 245; 299: 1 3 5 15 31 59 63 97; 301: 1 3 1 11 11 11 77 249
"""
"""Primitive polynomial and first direction numbers of each dimension after the first, of the sequence of Joe and Kuo.

The polynomial's coefficients are the bits of its number. Set new-joe-kuo-6.21201 (Joe and Kuo, SIAM J. Sci. Comput.
30, 2008; https://web.maths.unsw.edu.au/~fkuo/sobol/).
"""


@dataclass(frozen=True, slots=True)
class SobolIndices:
    """Sobol indices with simultaneous intervals.

    Attributes
    ----------
    first, first_low, first_high
        float64, one a parameter: share of the variance due to it alone. Not clipped: a value below 0 is an error of
        the estimate and says that nothing was resolved.
    total, total_low, total_high
        The same with all interactions that it takes part in.
    variance
        Of the metric over the parameters, noise taken out, in its unit squared.
    noise_share
        Share of the noise in the variance seen.
    resolved
        Whether the variance is surely above 0, at ``level``. If not, the indices say nothing; where it is not even
        estimated above 0 they are nan.
    level
        Confidence level of all intervals together.
    points
        Base points of the design.
    """

    first: FloatArray
    first_low: FloatArray
    first_high: FloatArray
    total: FloatArray
    total_low: FloatArray
    total_high: FloatArray
    variance: float
    noise_share: float
    resolved: bool
    level: float
    points: int


class _Term(NamedTuple):
    """A mean of products over the base points, with all that its error needs."""

    rows: FloatArray
    """Shape ``(points,)``: its summands."""
    without: FloatArray
    """Shape ``(batches,)``: the mean without each batch; empty if there are no batches."""

    @property
    def mean(self) -> float:
        """The term itself."""
        return float(self.rows.mean())


def sobol_points(points: int, dimensions: int, seed: int | None = None) -> FloatArray:
    """Points of the Sobol sequence, which fill a cube evenly (Sobol 1967; direction numbers of Joe and Kuo 2008).

    Parameters
    ----------
    points
        How many, a power of 2, at most 2**30.
    dimensions
        1 to 40.
    seed
        Shifts all points by the same random bits in each dimension (PCG64), which keeps their evenness and makes
        every mean unbiased. None for the plain sequence, whose first point is the origin.

    Returns
    -------
    float64 array of shape ``(points, dimensions)``
        From 0 to below 1.

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> sobol_points(4, 2).tolist()
    [[0.0, 0.0], [0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]
    """
    count, width = int(whole("points", points, 1)), int(whole("dimensions", dimensions, 1))
    if count & (count - 1) or count > 2**BITS:
        raise ValueError(f"points is {count}; allowed are powers of 2 up to 2**{BITS}")
    if width > 2 * PARAMETERS_LIMIT:
        raise ValueError(f"dimensions is {width}; allowed are 1 to {2 * PARAMETERS_LIMIT}")
    numbers = _direction_numbers()[:width]
    # Point i combines the direction numbers of the bits of its Gray code.
    index = np.arange(count, dtype=np.int64)
    gray = index ^ (index >> 1)
    found = np.zeros((count, width), dtype=np.int64)
    for bit in range(count.bit_length() - 1):
        found ^= np.where(((gray >> bit) & 1)[:, np.newaxis] == 1, numbers[:, bit], 0)
    if seed is None:
        return np.asarray(found / 2.0**BITS)
    generator = np.random.Generator(np.random.PCG64(seed))
    shift = generator.integers(0, 2**BITS, width, dtype=np.int64)
    # half a step further, so that no point lies on the edge of the cube
    return np.asarray(((found ^ shift) + 0.5) / 2.0**BITS)


def sobol_design(parameters: int, points: int, seed: int) -> FloatArray:
    """Where to evaluate a metric for its Sobol indices (the radial design of Saltelli and others 2010).

    Two sets A and B of base points, and for each parameter the points of A with this coordinate from B.

    Parameters
    ----------
    parameters
        How many, 1 to 20.
    points
        Base points, a power of 2, at least 8; 1,024 and more give useful indices.
    seed
        Of the shift of the points; the same seed gives the same design.

    Returns
    -------
    float64 array of shape ``(points * (parameters + 2), parameters)``
        Coordinates between 0 and 1, to be stretched to each parameter's range. First A, then B, then A with one
        coordinate from B for each parameter.

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> design = sobol_design(2, 8, seed=1)
    >>> design.shape, bool((design[16:24, 0] == design[8:16, 0]).all()), bool((design[16:24, 1] == design[:8, 1]).all())
    ((32, 2), True, True)
    """
    count = int(whole("parameters", parameters, 1))
    if count > PARAMETERS_LIMIT:
        raise ValueError(f"parameters is {count}; allowed are 1 to {PARAMETERS_LIMIT}")
    if points < 8:
        raise ValueError(f"points is {points}; allowed are powers of 2 from 8")
    both = sobol_points(points, 2 * count, seed)
    a, b = both[:, :count], both[:, count:]
    mixed = np.repeat(a[np.newaxis], count, axis=0)
    each = np.arange(count)
    mixed[each, :, each] = b.T
    return np.concatenate([a, b, mixed.reshape(-1, count)])


def sobol_indices(
    values: ArrayLike, parameters: int, level: float, *, noise_variance: ArrayLike | None = None
) -> SobolIndices:
    """First-order and total Sobol indices from evaluations at the points of ``sobol_design``.

    First order: ``mean(f_B (f_ABi - f_A)) / V`` (Saltelli and others, Comput. Phys. Commun. 181, 2010); total:
    ``mean((f_A - f_ABi)^2) / 2 V`` (Jansen, Comput. Phys. Commun. 117, 1999); V from A and B. Evaluations are means
    over games, whose noise would add to V and to every total index. It is taken out in one of two ways:

    - from batches: every square or product is taken between *different* batches only, whose noise is independent and
      so averages out. Right whether or not the evaluations shared dice.
    - from ``noise_variance``, if the evaluations did not share dice: what it adds on average is subtracted.

    Intervals are normal, from the scatter of the summands over the base points (which is more than the error of
    evenly spread points) and, with batches, from leaving out each batch in turn (the jackknife); Sidak's value for
    all of them together.

    Parameters
    ----------
    values
        Shape ``(points * (parameters + 2),)``: the metric at each point of the design; or with another axis
        ``(..., batches)``: its mean over each batch, at least 3 batches of equal size. Batch ``b`` must have dice of
        its own, the same or not the same for all points.
    parameters
        How many, 1 to 20.
    level
        Confidence level of all intervals together.
    noise_variance
        Variance of each evaluation's mean about its true value, of the shape of ``values`` or one number; for values
        without batches only. None: the values are exact.

    Returns
    -------
    SobolIndices

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> x = sobol_design(2, 1024, seed=1)
    >>> found = sobol_indices(x[:, 0] + 2.0 * x[:, 1], 2, 0.95)
    >>> found.first.round(2).tolist(), found.total.round(2).tolist()
    ([0.2, 0.8], [0.2, 0.8])
    """
    count = int(whole("parameters", parameters, 1))
    seen = finite("values", values).astype(np.float64)
    blocks = count + 2
    if seen.ndim not in (1, 2) or seen.shape[0] % blocks or seen.shape[0] < 8 * blocks:
        raise ValueError(f"values has shape {seen.shape}; allowed is points * {blocks} rows with at least 8 points")
    batched = seen.ndim == 2
    if batched and (seen.shape[1] < 3 or noise_variance is not None):
        told = "with" if noise_variance is not None else "without"
        raise ValueError(f"values has {seen.shape[1]} batches {told} noise_variance; allowed are 3 or more, without")
    noise = finite("noise_variance", 0.0 if noise_variance is None else noise_variance).astype(np.float64)
    if (noise.ndim and noise.shape != seen.shape) or (noise < 0.0).any():
        raise ValueError(f"noise_variance has shape {noise.shape}; allowed are numbers from 0, one or one a value")
    points = seen.shape[0] // blocks
    f = seen.reshape(blocks, points, -1)
    # The centre of each batch goes first: a shift common to all points is no effect, and small numbers keep digits.
    f = f - f[:2].mean(axis=(0, 1))
    known = np.broadcast_to(noise, seen.shape[:1]).reshape(blocks, points)
    a, b = f[0], f[1]
    spread = _scaled(_sum(_product(a, a, known[0]), _product(b, b, known[1])), 0.5 * points / (points - 0.5))
    plain = float((f[:2].mean(axis=2) ** 2).sum() / (2 * points - 1))
    mixed = [f[2 + at] for at in range(count)]
    firsts = [_product(b, other - a, np.zeros(points)) for other in mixed]
    totals = [_scaled(_product(a - other, a - other, known[0] + known[2 + at]), 0.5) for at, other in enumerate(mixed)]
    z = sidak_z(2 * count, level)
    first, first_low, first_high = _ratios(firsts, spread, z)
    total, total_low, total_high = _ratios(totals, spread, z)
    resolved = spread.mean > normal_quantile(level) * _error(spread.rows, spread.without)
    share = 1.0 - spread.mean / plain if plain > 0.0 else 0.0
    return SobolIndices(
        first, first_low, first_high, total, total_low, total_high, spread.mean, share, resolved, float(level), points
    )


def _direction_numbers() -> IntArray:
    """Shape ``(40, 30)``: direction numbers of each dimension, scaled to 30 bits."""
    found = np.zeros((2 * PARAMETERS_LIMIT, BITS), dtype=np.int64)
    found[0] = 1 << np.arange(BITS - 1, -1, -1)
    for row, entry in zip(found[1:], DIRECTIONS.replace("\n", " ").split(";"), strict=True):
        polynomial, _, first = entry.partition(":")
        poly, numbers = int(polynomial), [int(number) for number in first.split()]
        degree = poly.bit_length() - 1
        for bit in range(degree, BITS):
            number = numbers[bit - degree] ^ (numbers[bit - degree] << degree)
            for back in range(1, degree):
                if (poly >> (degree - back)) & 1:
                    number ^= numbers[bit - back] << back
            numbers.append(number)
        row[:] = [number << (BITS - 1 - bit) for bit, number in enumerate(numbers)]
    return found


def _product(x: FloatArray, y: FloatArray, noise: FloatArray) -> _Term:
    """Mean product of two arrays ``(points, batches)`` without what noise adds to it.

    With batches, of all pairs of different batches: ``(sum x)(sum y) - sum(x y)`` over ``B (B - 1)``.
    """
    batches = x.shape[1]
    if batches == 1:
        return _Term(x[:, 0] * y[:, 0] - noise, np.empty(0))
    whole_x, whole_y, own = x.sum(axis=1), y.sum(axis=1), x * y
    rows = (whole_x * whole_y - own.sum(axis=1)) / (batches * (batches - 1))
    left = rows.mean() * batches * (batches - 1)
    each = (whole_y @ x + whole_x @ y - 2.0 * own.sum(axis=0)) / x.shape[0]
    return _Term(rows, (left - each) / ((batches - 1) * (batches - 2)))


def _sum(one: _Term, other: _Term) -> _Term:
    return _Term(one.rows + other.rows, one.without + other.without)


def _scaled(term: _Term, factor: float) -> _Term:
    return _Term(term.rows * factor, term.without * factor)


def _error(rows: FloatArray, without: FloatArray) -> float:
    """Standard error of a mean from its summands and from its values without each batch."""
    square = float(rows.var(ddof=1)) / rows.size
    if without.size:
        square += float(without.var()) * (without.size - 1)
    return float(np.sqrt(square))


def _ratios(tops: list[_Term], bottom: _Term, z: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Ratios of terms with their intervals."""
    if not bottom.mean > 0.0:
        nothing = np.full(len(tops), np.nan)
        return nothing, nothing.copy(), nothing.copy()
    ratio = np.array([top.mean for top in tops]) / bottom.mean
    halves = [
        z * _error(top.rows - one * bottom.rows, top.without - one * bottom.without) / bottom.mean
        for top, one in zip(tops, ratio, strict=True)
    ]
    return ratio, ratio - halves, ratio + halves
