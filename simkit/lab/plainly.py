"""Tables handed over from Python, made of what a TOML file can say."""

from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Any

import numpy as np


def plainly(value: Any, at: Sequence[str | int] = ()) -> Any:
    """Return tables with numpy's numbers and arrays as plain ones, and sequences as lists.

    Parameters
    ----------
    value
        Tables, lists and values, as a person or a notebook makes them.
    at
        Where it stands.

    Raises
    ------
    TypeError
        Something is no text, number, true, false, date, list or table; the text names its place.

    Examples
    --------
    >>> plainly({"trials": np.int64(5), "down": np.arange(3)})
    {'trials': 5, 'down': [0, 1, 2]}
    """
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: plainly(item, [*at, key]) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plainly(item, [*at, k + 1]) for k, item in enumerate(value)]
    if isinstance(value, str | bool | int | float | date | time):
        return value
    place = ".".join(map(str, at)) or "the experiment"
    raise TypeError(f"{place} is {value!r:.80}; allowed are texts, numbers, true, false, dates, lists and tables")
