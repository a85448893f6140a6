"""The fair price of an item: where having it gains nothing over what else its price buys.

Prices are whole numbers, but budgets can be mixed: who pays ``c + 1`` with chance ``f`` and ``c`` otherwise pays
``c + f``, and the lift is then linear between its values at the two. Where the band of the lifts holds zero is the
interval of the price; it is as sure as the band.
"""

from collections.abc import Sequence
from typing import NamedTuple

from simkit.stats import Estimate


class Crossing(NamedTuple):
    """Where a falling line through whole numbers crosses zero."""

    word: str
    """``"found"``, ``"below"`` or ``"above"`` all that was tried, or ``"unclear"`` where the band does not say."""
    estimate: Estimate | None


def fair_price(prices: Sequence[int], lifts: Sequence[Estimate]) -> Crossing:
    """Return the price at which the lift is nothing.

    Parameters
    ----------
    prices
        Rising; at least 2.
    lifts
        What having the item gains at each of them; their intervals hold together.

    Returns
    -------
    Crossing
        An interval that reaches the last or first price is cut off there. Where the lifts cross zero more than once
        the interval reaches from the first to the last possible crossing, and the estimate is the first.

    Examples
    --------
    >>> lift = lambda gain: Estimate(gain, gain - 0.01, gain + 0.01, 0.99, 1000, "sidak")
    >>> found = fair_price([1, 2], [lift(0.08), lift(-0.04)])
    >>> found.word, round(found.estimate.estimate, 4), round(found.estimate.low, 4), round(found.estimate.high, 4)
    ('found', 1.6667, 1.5833, 1.75)
    """
    if len(prices) != len(lifts) or len(prices) < 2:
        raise ValueError(f"{len(prices)} prices and {len(lifts)} lifts; allowed is one lift a price, at least 2")
    if all(lift.high < 0.0 for lift in lifts):
        return Crossing("below", None)
    if all(lift.low > 0.0 for lift in lifts):
        return Crossing("above", None)
    at = _zeros(prices, [lift.estimate for lift in lifts])
    possible = [*_zeros(prices, [lift.low for lift in lifts]), *_zeros(prices, [lift.high for lift in lifts])]
    ends = [price for price, lift in zip(prices, lifts, strict=True) if lift.low <= 0.0 <= lift.high]
    found = [*at, *possible, *ends]
    if not at:
        return Crossing("unclear", None)
    first = lifts[0]
    n = min(lift.n for lift in lifts)
    return Crossing("found", Estimate(at[0], min(found), max(found), first.level, n, first.method))


def _zeros(prices: Sequence[int], values: Sequence[float]) -> list[float]:
    """Return where straight lines from one value to the next are zero."""
    found = []
    for a, b, start, end in zip(prices, prices[1:], values, values[1:], strict=False):
        if start == 0.0:
            found.append(float(a))
        elif start * end < 0.0:
            found.append(a + (b - a) * start / (start - end))
    return [*found, float(prices[-1])] if values[-1] == 0.0 else found
