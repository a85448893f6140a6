"""Many cells or many questions at once: what still holds for all of them together."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from simkit.stats.checks import BoolArray, FloatArray, alpha_of, finite, share_between, whole
from simkit.stats.moments import batch_residuals

CELLS_LIMIT = 100  # above this many cells 256 batches say too little about how cells move together
TAIL_DRAWS = 20  # draws that must lie beyond the critical value for it to be read off the draws
CHUNK = 2_000


@dataclass(frozen=True, slots=True)
class Critical:
    """A critical value for several intervals together.

    Attributes
    ----------
    value
        Multiplier of the standard errors, on the normal scale.
    method
        ``"max-t"`` (the cells' correlation is used) or ``"sidak"`` (it is not).
    cells
        How many intervals it is for.
    level
        Confidence level of all of them together.
    """

    value: float
    method: str
    cells: int
    level: float


@dataclass(frozen=True, slots=True)
class Bands:
    """Simultaneous intervals of several cells.

    Attributes
    ----------
    low, high
        float64 arrays, one value a cell.
    varied
        bool array: False where no batch of the cell differed. Such a band has no width and bounds nothing; a share
        needs ``clopper_pearson`` at ``sidak_level`` there.
    critical
        The critical value and the method that gave it.
    """

    low: FloatArray
    high: FloatArray
    varied: BoolArray
    critical: Critical


def holm(p: ArrayLike) -> FloatArray:
    """Adjust p values by Holm's step-down procedure, right under any dependence.

    Rejecting all that are at most alpha keeps the chance of any false rejection at alpha (Holm, Scand. J. Stat. 6,
    1979).

    Parameters
    ----------
    p
        p values in one row, from 0 to 1.

    Returns
    -------
    float64 array
        In the order given, at most 1.

    Raises
    ------
    ValueError
        On other values or shapes.

    Examples
    --------
    >>> [round(float(q), 4) for q in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    values, order = _sorted_p(p)
    steps = np.arange(values.size, 0, -1)
    return _back(np.maximum.accumulate(values[order] * steps), order)


def benjamini_hochberg(p: ArrayLike) -> FloatArray:
    """Adjust p values for the false discovery rate of independent tests (Benjamini and Hochberg 1995).

    Cells that share dice depend on each other in any way: they need ``benjamini_yekutieli``.

    Parameters
    ----------
    p
        p values in one row, from 0 to 1.

    Returns
    -------
    float64 array
        In the order given, at most 1.

    Raises
    ------
    ValueError
        On other values or shapes.

    Examples
    --------
    >>> [round(float(q), 4) for q in benjamini_hochberg([0.01, 0.04, 0.03])]
    [0.03, 0.04, 0.04]
    """
    return _step_up(p, 1.0)


def benjamini_yekutieli(p: ArrayLike) -> FloatArray:
    """Adjust p values for the false discovery rate under any dependence (Benjamini and Yekutieli 2001).

    Parameters
    ----------
    p
        p values in one row, from 0 to 1.

    Returns
    -------
    float64 array
        In the order given, at most 1.

    Raises
    ------
    ValueError
        On other values or shapes.

    Examples
    --------
    >>> [round(float(q), 4) for q in benjamini_yekutieli([0.01, 0.04, 0.03])]
    [0.055, 0.0733, 0.0733]
    """
    return _step_up(p, float(np.sum(1.0 / np.arange(1, np.size(p) + 1))))


def e_bh(e: ArrayLike, alpha: float) -> BoolArray:
    """Which e-values to reject so that the false discovery rate is at most ``alpha``, under any dependence.

    The k largest are rejected for the largest k whose k-th e-value is at least ``m / (k alpha)`` (Wang and Ramdas,
    J. R. Stat. Soc. B 84, 2022). For e-values at one stopping time, not for running maxima.

    Parameters
    ----------
    e
        e-values in one row, from 0.
    alpha
        False discovery rate, between 0 and 1.

    Returns
    -------
    bool array
        True where rejected, in the order given.

    Raises
    ------
    ValueError
        On other values or shapes.

    Examples
    --------
    >>> e_bh([500, 3, 45], 0.05).tolist()
    [True, False, True]
    """
    rate = share_between("alpha", alpha)
    values = finite("e", e)
    if values.ndim != 1 or values.size == 0 or (values < 0).any():
        raise ValueError("e is not a row of numbers from 0; allowed are e-values in one dimension")
    falling = np.sort(values)[::-1]
    rank = np.arange(1, values.size + 1)
    enough = np.flatnonzero(falling * rank * rate >= values.size)
    return np.asarray(values >= falling[enough[-1]]) if enough.size else np.zeros(values.size, dtype=np.bool_)


def sidak_level(cells: int, level: float) -> float:
    """Level of each of several intervals that gives them ``level`` together (Sidak 1967).

    Exact for independent intervals, safe for two-sided ones on jointly normal estimates.

    Parameters
    ----------
    cells
        How many intervals, at least 1.
    level
        Confidence level of all together.

    Returns
    -------
    float
        ``level ** (1 / cells)``.

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> round(sidak_level(21, 0.95), 6)
    0.99756
    """
    return 1.0 - _sidak_alpha(cells, level)


def bonferroni_level(cells: int, level: float) -> float:
    """Level of each of several intervals that gives them ``level`` together, under any dependence.

    The one for families of confidence sequences.

    Parameters
    ----------
    cells
        How many intervals, at least 1.
    level
        Confidence level of all together.

    Returns
    -------
    float
        ``1 - (1 - level) / cells``.

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> bonferroni_level(10, 0.99)
    0.999
    """
    return 1.0 - alpha_of(level) / int(whole("cells", cells, 1))


def sidak_z(cells: int, level: float) -> float:
    """Two-sided normal critical value for several intervals together (Sidak 1967).

    Parameters
    ----------
    cells
        How many intervals, at least 1.
    level
        Confidence level of all together.

    Returns
    -------
    float
        Multiplier of the standard errors.

    Raises
    ------
    ValueError
        On other numbers.

    Examples
    --------
    >>> round(sidak_z(21, 0.95), 3)
    3.031
    """
    return float(-special.ndtri(_sidak_alpha(cells, level) / 2.0))


@lru_cache(1)
def _weights(draws: int, batches: int, seed: int) -> NDArray[np.float64]:
    """Return the normal numbers of a bootstrap, which are the same for every family of as many batches."""
    return np.random.Generator(np.random.PCG64(seed)).standard_normal((draws, batches))


def max_t(residuals: ArrayLike, level: float, draws: int = 20_000, seed: int = 1) -> Critical:
    """Critical value for the means of several cells together, by a Gaussian multiplier bootstrap.

    Each draw weights the batches with standard normal numbers, the same for all cells, so that cells which share
    dice move together as they did in the run (Chernozhukov, Chetverikov and Kato, Ann. Stat. 41, 2013). The value is
    the quantile of the largest ``|sum_b g_b e_b| / sqrt(sum_b e_b^2)`` over the cells. It is rounded up to four
    decimals, so that machines that add in another order agree, and lies between ``sidak_z`` of one cell and of all.

    Sidak's value is taken instead above 100 cells, where batches are too few to tell the correlation, where fewer
    than 20 draws would lie beyond the quantile, and where it is not larger (independent cells, a single cell).

    Parameters
    ----------
    residuals
        Shape ``(cells, batches)``: batch sums less their expectation, any scale a cell. Cells whose residuals are
        all 0 count as cells but cannot exceed.
    level
        Confidence level of all cells together.
    draws
        Bootstrap draws, at least 1,000.
    seed
        Of the bootstrap (PCG64); the same seed gives the same value.

    Returns
    -------
    Critical

    Raises
    ------
    ValueError
        On other shapes or numbers.

    Examples
    --------
    >>> same = np.tile(np.arange(-8.0, 9.0), (5, 1))
    >>> found = max_t(same, 0.95)
    >>> found.method, found.value < 2.05 < sidak_z(5, 0.95)
    ('max-t', True)
    """
    apart = finite("residuals", residuals).astype(np.float64)
    if apart.ndim != 2 or apart.shape[0] < 1 or apart.shape[1] < 2:
        raise ValueError(f"residuals has shape {apart.shape}; allowed is (cells, batches) with at least 2 batches")
    if draws < 1_000:
        raise ValueError(f"draws is {draws}; allowed are at least 1,000")
    cells, batches = apart.shape
    alpha = alpha_of(level)
    ceiling = sidak_z(cells, level)
    length = np.sqrt((apart**2).sum(axis=1))
    unit = apart[length > 0.0] / length[length > 0.0, np.newaxis]
    if cells > CELLS_LIMIT or alpha * draws < TAIL_DRAWS or not unit.size:
        return Critical(ceiling, "sidak", cells, float(level))
    weights = _weights(draws, batches, seed)
    largest = np.concatenate(
        [np.abs(weights[start : start + CHUNK] @ unit.T).max(axis=1) for start in range(0, draws, CHUNK)]
    )
    rank = min(draws, int(np.ceil((1.0 - alpha) * (draws + 1)))) - 1
    quantile = float(np.partition(largest, rank)[rank])
    value = max(float(np.ceil(quantile * 1e4) / 1e4), sidak_z(1, level))
    if value >= ceiling:
        return Critical(ceiling, "sidak", cells, float(level))
    return Critical(value, "max-t", cells, float(level))


def simultaneous_bands(sums: ArrayLike, counts: ArrayLike, level: float, draws: int = 20_000, seed: int = 1) -> Bands:
    """Intervals of the means of several cells that hold together, from the sums of their common batches.

    Batch ``b`` must hold the same units (the same dice) in every cell: then cells that share luck get narrower bands
    than Sidak's. The normal critical value is carried over to Student's t with ``B - 1`` degrees of freedom at the
    same tail, so that one cell alone gets exactly ``batch_mean``.

    Parameters
    ----------
    sums
        Shape ``(cells, batches)``: sum of the unit values of each batch.
    counts
        Units of each batch, integers, of the same shape or ``(batches,)``.
    level
        Confidence level of all cells together.
    draws, seed
        As in ``max_t``.

    Returns
    -------
    Bands

    Raises
    ------
    ValueError
        On other shapes, or if fewer than two batches hold units.

    Examples
    --------
    >>> bands = simultaneous_bands([[4, 6, 5, 5], [5, 7, 6, 6]], [10, 10, 10, 10], 0.95)
    >>> bands.critical.method, f"{bands.low[0]:.3f} {bands.high[0]:.3f}"
    ('max-t', '0.370 0.630')
    """
    if np.ndim(sums) != 2:
        raise ValueError(f"sums has {np.ndim(sums)} dimensions; allowed is the shape (cells, batches)")
    ratio, residuals, batches = batch_residuals(sums, counts)
    critical = max_t(residuals, level, draws, seed)
    error = np.sqrt((residuals**2).sum(axis=1) * batches / (batches - 1.0))
    half = -special.stdtrit(batches - 1.0, special.ndtr(-critical.value)) * error
    return Bands(ratio - half, ratio + half, np.asarray(error > 0.0), critical)


def _sidak_alpha(cells: int, level: float) -> float:
    return float(-np.expm1(np.log1p(-alpha_of(level)) / int(whole("cells", cells, 1))))


def _sorted_p(p: ArrayLike) -> tuple[FloatArray, np.ndarray]:
    values = finite("p", p).astype(np.float64)
    if values.ndim != 1 or values.size == 0 or (values < 0).any() or (values > 1).any():
        raise ValueError("p is not a row of numbers from 0 to 1; allowed are p values in one dimension")
    return values, np.argsort(values, kind="stable")


def _step_up(p: ArrayLike, factor: float) -> FloatArray:
    values, order = _sorted_p(p)
    scaled = values[order] * (factor * values.size) / np.arange(1, values.size + 1)
    return _back(np.minimum.accumulate(scaled[::-1])[::-1], order)


def _back(rising: FloatArray, order: np.ndarray) -> FloatArray:
    result = np.empty_like(rising)
    result[order] = np.minimum(rising, 1.0)
    return result
