"""Conditions that the numbers of a matrix may meet, for authors who let their rules be checked by a machine."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simkit.balance.condition import Condition, read

NAMES = ("rating", "mean", "per_budget", "seat", "regret")
"""What a condition can ask of a side."""


@dataclass(frozen=True)
class OfSides:
    """A condition that is asked of every side, in every group."""

    condition: Condition

    @property
    def text(self) -> str:
        """The condition as it was written."""
        return self.condition.text

    def sides(self, document: Mapping[str, Any]) -> list[str]:
        """Return the titles of the sides that meet it in some group.

        Parameters
        ----------
        document
            What ``report.json`` holds.
        """
        titles = {side["id"]: side["title"] for side in document["sides"]}
        found: dict[str, None] = {}
        for group in document["groups"]:
            cells = [
                {"cell": row["side"], "metrics": {name: row[name] for name in NAMES if row[name] is not None}}
                for row in group["rows"]
            ]
            found |= dict.fromkeys(titles[str(id)] for id in self.condition.cells({"cells": cells}))
        return list(found)


def condition(text: str) -> OfSides:
    """Read a condition.

    Parameters
    ----------
    text
        Such as ``mean.low > 70 %`` or ``rating > 400``; without a part the estimate is meant.

    Raises
    ------
    ValueError
        It cannot be read; the text says what is allowed.

    Examples
    --------
    >>> condition("mean.low > 70 %").condition.bound
    0.7
    """
    made = read(text, NAMES)
    if made.metric not in NAMES:
        raise ValueError(f"nothing is called '{made.metric}'; there are {', '.join(NAMES)}")
    return OfSides(made)
