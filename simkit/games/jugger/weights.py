"""What the players value, by policy, in hundredths (see :class:`~simkit.games.jugger.records.Weights`).

They are part of a setup, so that results of one set of weights are never taken for those of another. ``hold`` and
``random`` weigh nothing; ``tuned`` is ``greedy`` with weights that were looked for (:mod:`simkit.games.jugger.tuned`).
"""

from collections.abc import Mapping

from simkit.games.protocol import Weight

MOST = 1000
"""Greatest weight: ten times that of a hit dealt."""

MOST_BREADTH = 8
"""Most moves that are thought through."""

TABLE = (
    Weight("dealt", 100, 0, MOST, "A hit that weapons and kicks deal on the way."),
    Weight("taken", 100, 0, MOST, "A hit that is taken from them on the way."),
    Weight("ram", 100, 0, MOST, "A hit that a ram deals."),
    Weight("rammed", 100, 0, MOST, "A hit that is taken in the own head-on ram."),
    Weight("crash", 100, 0, MOST, "A hit that the own collision costs."),
    Weight("kill", 50, 0, MOST, "A hit of a jug's full hits where a ram or crash is expected to be its end."),
    Weight("next_dealt", 50, 0, MOST, "A hit that weapons could deal next turn from where the move ends."),
    Weight("next_taken", 50, 0, MOST, "A hit that enemy weapons could deal there."),
    Weight("threat", 30, 0, MOST, "A hit by ram that is threatened for next turn."),
    Weight("exposed", 30, 0, MOST, "A hit by ram that an enemy threatens."),
    Weight("approach", 20, 0, MOST, "A hex off the distance at which the jug fights best, as hits."),
    Weight("aim", 10, 0, MOST, "A sixth of a turn away from facing the enemy, as hits."),
    Weight("dead_end", 50, 0, MOST, "A hit that a collision next turn costs which no turn avoids."),
    Weight("reply", 0, 0, MOST, "A point of the enemy's best reply, for those who look ahead."),
    Weight("breadth", 1, 1, MOST_BREADTH, "Best moves that are thought through, for those who look ahead."),
)
"""Every weight: its name, what greedy players give it, its least and greatest value, and what it is put on."""

AHEAD = ("reply", "breadth")
"""Weights of lookahead alone."""

GREEDY: Mapping[str, int] = {weight.name: weight.default for weight in TABLE}
NOTHING: Mapping[str, int] = dict.fromkeys(GREEDY, 0)

WEIGHTS: Mapping[str, Mapping[str, int]] = {
    "hold": NOTHING,
    "random": NOTHING,
    "greedy": GREEDY,
    "tuned": GREEDY,
    "lookahead": {**GREEDY, "reply": 100, "breadth": 8},
}
"""Weights by policy, where a side has no others."""
