"""Conditions that the numbers of a league may meet, for authors who let their rules be checked by a machine."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simkit.balance.condition import Condition, read

NAMES = ("title", "points", "spread", "won", "drawn", "lost")
"""What a condition can ask of an entrant."""


@dataclass(frozen=True)
class OfEntrants:
    """A condition that is asked of every entrant."""

    condition: Condition

    @property
    def text(self) -> str:
        """The condition as it was written."""
        return self.condition.text

    def entrants(self, document: Mapping[str, Any]) -> list[str]:
        """Return the titles of the entrants that meet it.

        Parameters
        ----------
        document
            What ``report.json`` holds.
        """
        titles = {one["id"]: one["title"] for one in document["entrants"]}
        cells = [{"cell": row["entrant"], "metrics": {name: row[name] for name in NAMES}} for row in document["rows"]]
        return [titles[str(id)] for id in self.condition.cells({"cells": cells})]


def condition(text: str) -> OfEntrants:
    """Read a condition.

    Parameters
    ----------
    text
        Such as ``title.high > 60 %`` or ``points < 20``; without a part the estimate is meant.

    Raises
    ------
    ValueError
        It cannot be read; the text says what is allowed.

    Examples
    --------
    >>> condition("title.high > 60 %").condition.bound
    0.6
    """
    made = read(text, NAMES)
    if made.metric not in NAMES:
        raise ValueError(f"nothing is called '{made.metric}'; there are {', '.join(NAMES)}")
    return OfEntrants(made)
