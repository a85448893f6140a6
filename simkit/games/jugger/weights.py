"""What the players value, by policy, in hundredths (see :class:`~simkit.games.jugger.records.Weights`).

They are part of a setup, so that results of one set of weights are never taken for those of another. ``hold`` and
``random`` weigh nothing.
"""

from collections.abc import Mapping

from simkit.core.layout import fields
from simkit.games.jugger.records import Weights

NOTHING: Mapping[str, int] = dict.fromkeys(fields(Weights), 0)

GREEDY: Mapping[str, int] = {
    "dealt": 100,
    "taken": 100,
    "ram": 100,
    "rammed": 100,
    "crash": 100,
    "kill": 50,
    "next_dealt": 50,
    "next_taken": 50,
    "threat": 30,
    "exposed": 30,
    "approach": 20,
    "aim": 10,
    "dead_end": 50,
    "reply": 0,
    "breadth": 1,
}

WEIGHTS: Mapping[str, Mapping[str, int]] = {
    "hold": NOTHING,
    "random": NOTHING,
    "greedy": GREEDY,
    "lookahead": {**GREEDY, "reply": 100, "breadth": 8},
}
"""Weights by policy."""
