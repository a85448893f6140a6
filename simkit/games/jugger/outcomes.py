"""What is counted of every battle, in the order of :class:`~simkit.games.jugger.records.Outcome`."""

from collections.abc import Iterator, Sequence

from simkit.games.protocol import Fight, Metric

SHARE = "of battles"

ENDS = {
    "destroyed": "the last jug of a side was destroyed",
    "toppled": "the last jug of a side was toppled",
    "cut": "the last jug of a side was cut in half",
    "crew": "the last crew of a side was killed",
    "captured": "the last jug of a side was boarded",
    "exit": "the last jug of a side left the map",
    "rout": "a side was routed",
    "objective": "an aim of the scenario was reached",
    "cap": "undecided when the turns were used up",
}
"""How a battle ends, by the name behind ``cause_``."""

_END_WORDS = {"cut": "cut in half", "crew": "crew killed", "exit": "left the map", "cap": "turns used up"}

SOURCES = {
    "ram": "damage that side {side} did by ramming, its own rams met head-on included",
    "kick": "damage that side {side} did by kicking",
    "weapons": "damage that side {side} did at once by weapons",
    "spells": "damage that side {side} did by attack spells",
    "fire": "continuing damage that side {side} did",
    "hold": "damage that side {side} did by holding on",
    "collision": "damage that jugs of side {side} took in their own collisions",
}
"""Where damage comes from."""


def _columns() -> Iterator[Metric]:
    yield Metric("win_a", "share", SHARE, "side A has won", 1)
    yield Metric("win_b", "share", SHARE, "side B has won", 1)
    yield Metric("draw", "share", SHARE, "nobody has won", 1)
    yield Metric("draw_both", "share", SHARE, "a draw: neither side had a jug left, or both had reached an aim", 1)
    yield Metric("draw_cap", "share", SHARE, "a draw because the turns were used up", 1)
    yield Metric("win_first", "share", SHARE, "the side with the initiative in turn 1 has won", 1)
    yield Metric("win_seat_0", "share", SHARE, "the side in the western seat has won, whichever it was", 1)
    for end, says in ENDS.items():
        yield Metric(f"cause_{end}", "share", SHARE, f"how it ended: {says}", 1)
    yield Metric("score_a", "share", "of the points", "what side A scored: 1 for a win, half for a draw", 2, scale=2)
    yield Metric("turns", "count", "turns", "turns played, the last one included")
    for name, unit, says in (
        ("hits", "hits", "hits that side {side} has left in the end"),
        ("lost", "size classes", "size classes that side {side} has lost"),
        ("rams", "rams", "rams that jugs of side {side} made"),
        ("criticals", "rolls", "critical rolls that jugs of side {side} had to make"),
        *((source, "hits", says) for source, says in SOURCES.items()),
    ):
        for side in "ab":
            yield Metric(f"{name}_{side}", "count", unit, says.format(side=side.upper()))


OUTCOMES = tuple(_columns())
HEADLINE = "score_a"

MISHAPS = {"collision": "own collisions"}
CALLED = {"ram": "rams", "kick": "kicks", "fire": "fire", "hold": "holding on", **MISHAPS}
"""What a source of damage is called in a report, where its name will not do."""


def _by_source(*, mishaps: bool) -> dict[str, tuple[str, str]]:
    """Return the columns of the sources of damage by what they are called."""
    return {
        CALLED.get(source, source.replace("_", " ")): (f"{source}_a", f"{source}_b")
        for source in SOURCES
        if (source in MISHAPS) == mishaps
    }


FIGHT = Fight(
    score="score_a",
    wins=("win_a", "win_b"),
    draw="draw",
    capped="draw_cap",
    length="turns",
    ends={f"cause_{end}": _END_WORDS.get(end, end) for end in ENDS},
    edges={"win_seat_0": "the western seat", "win_first": "the side that has the initiative in turn 1"},
    damage=_by_source(mishaps=False),
    mishaps=_by_source(mishaps=True),
)


def fortune(outcome: Sequence[int]) -> tuple[int, ...]:
    """Say how well a battle went for side A: its score, the hits it is ahead by, and how soon."""
    found = dict(zip((metric.name for metric in OUTCOMES), outcome, strict=True))
    ahead = found["hits_a"] - found["hits_b"]
    return found["score_a"], ahead, -found["turns"] if found["win_a"] else found["turns"], found["lost_b"]
