"""An estimate with its interval, and how it is written down.

Numbers carry no more digits than the Monte Carlo error leaves them: two significant digits of the half-width. Bounds
are rounded outwards. What was never seen is written as an upper bound, not as 0 %.
"""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Literal, TypeAlias

Unit: TypeAlias = Literal["share", "points", "count"]

METHODS = (
    "clopper-pearson",
    "wilson",
    "t",
    "batch-t",
    "tango",
    "paired-t",
    "beta-binomial",
    "asymptotic",
    "rare-bound",
    "dirichlet-multinomial",
    "max-t",
    "sidak",
    "exact",
)

_SUFFIX = {"share": " %", "points": " pp", "count": ""}
_ROUNDED = 1e-9  # an estimate may lie this far outside its bounds by rounding, relative to their size


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval, and what the interval is worth.

    Attributes
    ----------
    estimate, low, high
        Plain floats in the unit of the metric (shares from 0 to 1), ``low <= estimate <= high``.
    level
        Confidence level, above 0; 1.0 for exact values.
    n
        Units behind it; 0 for exact values.
    method
        One of ``METHODS``.

    Raises
    ------
    ValueError
        If a number is not finite, the order is broken, or the method is unknown.

    Examples
    --------
    >>> found = Estimate(0.52, 0.4885, 0.5514, 0.95, 1000, "clopper-pearson")
    >>> format_full(found)
    '52.0 % (48.8 to 55.2 %; 95 % clopper-pearson, n = 1,000)'
    """

    estimate: float
    low: float
    high: float
    level: float
    n: int
    method: str

    def __post_init__(self) -> None:
        """Make the numbers plain and check them."""
        for name in ("estimate", "low", "high", "level"):
            value = float(getattr(self, name))
            if not math.isfinite(value):
                raise ValueError(f"{name} is {value}; allowed are finite numbers")
            object.__setattr__(self, name, value)
        object.__setattr__(self, "n", int(self.n))
        object.__setattr__(self, "method", str(self.method))
        slack = _ROUNDED * max(abs(self.estimate), abs(self.low), abs(self.high))
        if not self.low - slack <= self.estimate <= self.high + slack:
            found = f"{self.low} .. {self.estimate} .. {self.high}"
            raise ValueError(f"low .. estimate .. high is {found}; allowed is rising order")
        object.__setattr__(self, "low", min(self.low, self.estimate))
        object.__setattr__(self, "high", max(self.high, self.estimate))
        if not 0.0 < self.level <= 1.0:
            raise ValueError(f"level is {self.level}; allowed is above 0, up to 1")
        if self.method not in METHODS:
            raise ValueError(f"method is {self.method!r}; allowed are {', '.join(METHODS)}")
        if self.n < (0 if self.method == "exact" else 1):
            raise ValueError(f"n is {self.n}; allowed are at least 1 unit, or 0 for exact values")
        if self.method == "exact" and not self.low == self.high:
            raise ValueError(f"an exact value has bounds {self.low} and {self.high}; allowed is the value itself")

    @classmethod
    def exact(cls, value: float) -> "Estimate":
        """Return a value that is known without a simulation.

        Parameters
        ----------
        value
            The value; a Fraction will do.

        Returns
        -------
        Estimate
            With ``low = high = estimate``, level 1, n 0 and method ``"exact"``.

        Examples
        --------
        >>> format_estimate(Estimate.exact(0.5))
        '50 %'
        """
        return cls(value, value, value, 1.0, 0, "exact")

    def to_json(self) -> dict[str, float | int | str]:
        """Return a dict with the names of the attributes, ready for ``json.dumps``."""
        return {
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "n": self.n,
            "method": self.method,
        }


def digits_for(estimate: float, low: float, high: float) -> int:
    """Count the decimals that leave two significant digits of the half-width.

    Parameters
    ----------
    estimate, low, high
        In the unit in which they are going to be printed.

    Returns
    -------
    int
        Negative for tens and hundreds. Without a half-width: as many as show six significant digits of the estimate.

    Raises
    ------
    ValueError
        If a number is not finite or ``low > high``.

    Examples
    --------
    >>> digits_for(52.0, 48.85, 55.14), digits_for(12_345.0, 12_000.0, 12_700.0)
    (1, -1)
    """
    if not (math.isfinite(estimate) and math.isfinite(high - low) and low <= high):
        found = f"{low} .. {estimate} .. {high}"
        raise ValueError(f"low .. estimate .. high is {found}; allowed are finite numbers with low <= high")
    if low == high:
        return max(0, 5 - _exponent(Decimal(repr(float(estimate))), 6))
    return 1 - _exponent((Decimal(repr(float(high))) - Decimal(repr(float(low)))) / 2, 2)


def format_estimate(est: Estimate, unit: Unit = "share") -> str:
    """Write the estimate alone; ``format_interval`` belongs beside it.

    Parameters
    ----------
    est
        What to write.
    unit
        ``"share"`` in per cent, ``"points"`` (a difference of shares) in percentage points with its sign, ``"count"``
        (turns, hits) as it is.

    Returns
    -------
    str
        A share that was never seen is written as its upper bound, one that was seen in every unit as its lower
        bound. Where the interval has no width the text says that nothing varied. Exact values print as such.

    Examples
    --------
    >>> format_estimate(Estimate(0.0, 0.0, 0.00002994, 0.95, 100_000, "clopper-pearson"))
    '< 0.0030 %'
    >>> format_estimate(Estimate(1.0, 0.99997006, 1.0, 0.95, 100_000, "clopper-pearson"))
    '> 99.997 %'
    >>> format_estimate(Estimate(0.0123, 0.0101, 0.0145, 0.99, 100_000, "tango"), "points")
    '+1.23 pp'
    """
    value, low, high = _scaled(est, unit)
    if est.method == "exact":
        return _signed(_shown(value, _exact_digits(value, unit), ROUND_HALF_EVEN), unit) + _SUFFIX[unit]
    if low == high:
        digits = digits_for(float(value), float(low), float(high))
        same = _signed(_plain(_shown(value, digits, ROUND_HALF_EVEN)), unit)
        return f"{same}{_SUFFIX[unit]} in all {est.n:,} units"
    if unit == "share" and value == low == 0:
        return f"< {_off_the_ends(high, 1 - _exponent(high, 2), ROUND_CEILING, unit)} %"
    if unit == "share" and value == high == 100:
        digits = max(0, 1 - _exponent(100 - low, 2))
        return f"> {_plain(_off_the_ends(low, digits, ROUND_FLOOR, unit))} %"
    digits = digits_for(float(value), float(low), float(high))
    return _signed(_off_the_ends(value, digits, ROUND_HALF_EVEN, unit), unit) + _SUFFIX[unit]


def format_interval(est: Estimate, unit: Unit = "share") -> str:
    """Write the interval, rounded outwards.

    Parameters
    ----------
    est, unit
        As in ``format_estimate``.

    Returns
    -------
    str
        ``"exact"`` for exact values. A bound that is not 0 or 100 % is not written so either.

    Examples
    --------
    >>> format_interval(Estimate(0.52, 0.4885, 0.5514, 0.95, 1000, "clopper-pearson"))
    '48.8 to 55.2 %'
    """
    if est.method == "exact":
        return "exact"
    value, low, high = _scaled(est, unit)
    digits = digits_for(float(value), float(low), float(high))
    below = _off_the_ends(low, digits, ROUND_FLOOR, unit)
    above = _off_the_ends(high, digits, ROUND_CEILING, unit)
    return f"{_signed(below, unit)} to {_signed(above, unit)}{_SUFFIX[unit]}"


def format_full(est: Estimate, unit: Unit = "share") -> str:
    """Write estimate, interval, level, method and units: one line that stands alone.

    Parameters
    ----------
    est, unit
        As in ``format_estimate``.

    Returns
    -------
    str

    Examples
    --------
    >>> format_full(Estimate(7.03, 6.9, 7.16, 0.99, 10_000, "batch-t"), "count")
    '7.03 (6.90 to 7.16; 99 % batch-t, n = 10,000)'
    """
    if est.method == "exact":
        return f"{format_estimate(est, unit)} (exact)"
    level = _plain(_shown(Decimal(repr(est.level)) * 100, 12, ROUND_HALF_EVEN))
    return f"{format_estimate(est, unit)} ({format_interval(est, unit)}; {level} % {est.method}, n = {est.n:,})"


def _scaled(est: Estimate, unit: Unit) -> tuple[Decimal, Decimal, Decimal]:
    if unit not in _SUFFIX:
        raise ValueError(f"unit is {unit!r}; allowed are {', '.join(_SUFFIX)}")
    if unit == "share" and not 0.0 <= est.estimate <= 1.0:
        raise ValueError(f"a share is {est.estimate}; allowed is 0 to 1, or the unit 'points' for a difference")
    factor = 1 if unit == "count" else 100
    # the shortest decimal of the float, so that 0.0029 is 0.29 % and not 0.29000000000000004 %
    value, low, high = (Decimal(repr(number)) * factor for number in (est.estimate, est.low, est.high))
    return value, low, high


def _exponent(value: Decimal, significant: int) -> int:
    """Power of ten of the first digit, after rounding to some significant digits (0 for 0)."""
    return int(f"{value:.{significant - 1}e}".partition("e")[2]) if value else 0


def _shown(value: Decimal, digits: int, rounding: str) -> str:
    """Write with a fixed count of decimals, thousands parted, and no minus before a zero."""
    rounded = value.quantize(Decimal(1).scaleb(-digits), rounding=rounding)
    return f"{rounded if rounded else abs(rounded):,.{max(0, digits)}f}"


def _plain(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(text: str, unit: Unit) -> str:
    return text if unit != "points" or text.startswith("-") or not text.strip("0.,") else f"+{text}"


def _off_the_ends(value: Decimal, digits: int, rounding: str, unit: Unit) -> str:
    """Add decimals until a share that is not 0 or 100 % no longer looks like it."""
    if unit == "share" and 0 < value < 100:
        step = Decimal(1).scaleb(-digits)
        if value.quantize(step, rounding=rounding) in (0, 100):
            digits = max(digits, -_exponent(min(value, 100 - value), 2))
            while value.quantize(Decimal(1).scaleb(-digits), rounding=rounding) in (0, 100):
                digits += 1
    return _shown(value, digits, rounding)


def _exact_digits(value: Decimal, unit: Unit) -> int:
    """Decimals that show six significant digits, or fewer if the value ends before; more just below 100 %."""
    digits = max(0, 5 - _exponent(value, 6))
    if unit == "share" and 0 < value < 100:
        digits = max(digits, 1 - _exponent(100 - value, 2))
    return max(0, min(digits, -int(value.normalize().as_tuple().exponent)))
