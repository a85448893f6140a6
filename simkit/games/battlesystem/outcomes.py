"""What is counted of every fight, in the order of :class:`~simkit.games.battlesystem.records.Outcome`."""

from collections.abc import Iterator, Sequence

from simkit.games.battlesystem.scenario import MOST_FIGURES, MOST_ROUNDS, MOST_UNITS
from simkit.games.protocol import Fight, Metric

SHARE = "of fights"

ENDS = {
    "win_a": "A wins",
    "win_b": "B wins",
    "mutual": "both gone at once",
    "cap": "rounds used up",
}
"""How a fight ends, and what that is called: neither an end of both at once nor one without an end is half a win."""


def _columns() -> Iterator[Metric]:
    yield Metric("win_a", "share", SHARE, "side A has won: all of side B is destroyed or routed", 1)
    yield Metric("win_b", "share", SHARE, "side B has won: all of side A is destroyed or routed", 1)
    yield Metric("mutual", "share", SHARE, "both sides were gone at once, and nobody has won", 1)
    yield Metric("cap", "share", SHARE, "nobody has won when the rounds were used up", 1)
    yield Metric("rounds", "count", "rounds", "rounds fought, the last one included", MOST_ROUNDS)
    for name, unit, says, highest in (
        ("figures", "figures", "figures that side {side} has left in the field", MOST_UNITS * MOST_FIGURES),
        ("dead", "units", "units of side {side} destroyed to the last figure", MOST_UNITS),
        ("rout", "units", "units of side {side} routed", MOST_UNITS),
        ("killed", "hit dice", "hit dice that side {side} has killed, by blows and missiles", None),
        ("missiles", "volleys", "volleys that side {side} has shot", None),
        ("charges", "charges", "charges that side {side} has declared", None),
        ("first_strikes", "times", "times that set spears or pikes of side {side} struck first", None),
        ("checks", "checks", "morale checks that side {side} had to make", None),
        ("failed", "checks", "morale checks that side {side} has failed", None),
    ):
        for side in "ab":
            yield Metric(f"{name}_{side}", "count", unit, says.format(side=side.upper()), highest)


OUTCOMES = tuple(_columns())
HEADLINE = "win_a"

FIGHT = Fight(
    score="",
    wins=("win_a", "win_b"),
    draw="",
    capped="cap",
    length="rounds",
    ends=ENDS,
    edges={},
    damage={"blows and missiles": ("killed_a", "killed_b")},
    mishaps={},
    cut="Broken off when the rounds were used up",
)


def fortune(outcome: Sequence[int]) -> tuple[int, ...]:
    """Say how well a fight went for side A: whether it won, the figures it is ahead by, how soon, what it killed."""
    found = dict(zip((metric.name for metric in OUTCOMES), outcome, strict=True))
    won, ahead = found["win_a"] - found["win_b"], found["figures_a"] - found["figures_b"]
    return won, ahead, -found["rounds"] if won > 0 else found["rounds"], found["killed_a"] - found["killed_b"]
