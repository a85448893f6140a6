"""A condition that the numbers of a run may meet, for authors who let their rules be checked by a machine.

``win_a.high > 0.55`` holds where the upper end of an interval of ``win_a`` lies above 0.55, in any cell.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

SUFFIX = "_minus_baseline"
PARTS = ("estimate", "low", "high")
SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
FORM = re.compile(
    r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:\.\s*([A-Za-z_]+))?\s*(>=|<=|>|<)\s*([-+]?[0-9.,_]+(?:e-?[0-9]+)?)\s*(%?)\s*"
)


@dataclass(frozen=True)
class Condition:
    """A number of the cells, a sign and a bound."""

    text: str
    metric: str
    part: str
    sign: str
    bound: float

    def cells(self, document: Mapping[str, Any]) -> list[int]:
        """Return the numbers of the cells in which it holds; one without such a number never does.

        Parameters
        ----------
        document
            What ``report.json`` holds.
        """
        holds = SIGNS[self.sign]
        return [
            cell["cell"]
            for cell in document["cells"]
            if self.metric in cell["metrics"] and holds(cell["metrics"][self.metric][self.part], self.bound)
        ]


def looks_like(text: str) -> bool:
    """Tell whether a text is meant as a condition rather than as a word."""
    return any(sign in text for sign in "<>=")


def read(text: str, metrics: Sequence[str]) -> Condition:
    """Read a condition.

    Parameters
    ----------
    text
        Such as ``win_a.high > 0.55`` or ``score_a_minus_baseline.low >= 2 %``; without a part the estimate is meant.
    metrics
        Names that the outcomes of the game have.

    Raises
    ------
    ValueError
        It cannot be read, or names what is not counted; the text says what is allowed.

    Examples
    --------
    >>> read("win_a.high > 55 %", ["win_a"]).bound
    0.55
    """
    found = FORM.fullmatch(text)
    if found is None:
        raise ValueError(f"'{text:.80}' is no condition; one is METRIC.PART SIGN NUMBER, such as win_a.high > 0.55")
    metric, part, sign, number, percent = found.groups()
    if metric.removesuffix(SUFFIX) not in metrics:
        raise ValueError(f"nothing is called '{metric}'; there are {', '.join(metrics)}, each also with {SUFFIX}")
    if (part or "estimate") not in PARTS:
        raise ValueError(f"'{part}' is no part of an estimate; there are {', '.join(PARTS)}")
    try:
        bound = float(number.replace(",", ""))
    except ValueError:
        raise ValueError(f"'{number}' is no number") from None
    if not isfinite(bound):
        raise ValueError(f"'{number}' is too large: no number lies beyond it")
    return Condition(text.strip(), metric, part or "estimate", sign, bound / 100 if percent else bound)
