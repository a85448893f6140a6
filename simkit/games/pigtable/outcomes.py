"""The columns that a unit of matches counts, and how fortunate one was (P-GAM-23).

A unit is as many matches as there are lancers, with the seats turned round the starts, on the same dice (P-GAM-18). It
counts as one match, the mean of all of them: in whole sixtieths, which 2 to 6 matches divide.
"""

from collections.abc import Iterator, Sequence

from simkit.games.protocol import Metric

SEATS = 6
SCALE = 60
"""Parts of a match in which a unit counts."""

SHARE = "of the matches"
ENDS = {
    "rumps": "a side had as many rumps as it takes",
    "last_side": "one side was left in play",
    "nobody": "nobody was left in play",
    "rounds": "the rounds were used up",
}
"""How a match ends, with what that means."""

BY_SEAT = (
    ("rumps", "rumps", "rumps of {whom}"),
    ("attempts", "attempts", "rolls at the pig by {whom}"),
    ("wounds", "wounds", "wounds of {whom}"),
    ("damage", "points", "points of unicycle damage of {whom}"),
    ("lost_turns", "turns", "turns that {whom} lost to wounds"),
    ("runaways", "times", "times that another player steered {whom}"),
    ("killed", "times", "times that {whom} was killed"),
    ("wrecked", "times", "unicycles of {whom} that were wrecked"),
    ("retired", "times", "times that {whom} retired"),
    ("distance", "units", "way that {whom} rode, in 1/64 inch"),
    ("pig_contacts", "times", "times that the pig ran into {whom}"),
)
"""Counts that every seat has, and all seats together."""


ROUTE = (
    ("attempt", "share", "he comes to the pig, by the route or steered"),
    ("rump", "share", "a rump"),
    ("arrived", "share", "he stops where he wished to"),
    ("wounded", "share", "he is wounded"),
    ("damaged", "share", "his unicycle is damaged"),
    ("runaway", "share", "another player steers him"),
    ("other_wounds", "count", "wounds of another lancer"),
)
"""What is told of a route, beside ``killed``: one turn of one lancer (P-TAB-7)."""


def _columns() -> Iterator[Metric]:
    yield Metric("draw", "share", SHARE, "nobody has won", scale=SCALE)
    for end, says in ENDS.items():
        yield Metric(f"cause_{end}", "share", SHARE, f"how it ended: {says}", scale=SCALE)
    yield Metric("rounds", "count", "rounds", "rounds begun", scale=SCALE)
    yield Metric("turns", "count", "turns", "turns of all lancers, lost ones too", scale=SCALE)
    yield Metric("win_first", "share", SHARE, "the side that moves first has won", scale=SCALE)
    yield Metric(
        "first_edge", "count", "of the matches", "share of wins of who moves first, less an equal share",
        scale=SCALE, lowest=-SCALE,
    )  # fmt: skip
    for seat in range(SEATS):
        yield Metric(f"win_{seat + 1}", "share", SHARE, f"the side of seat {seat + 1} has won", scale=SCALE)
    for seat in range(SEATS):
        yield Metric(
            f"win_start_{seat + 1}", "share", SHARE, f"the side of who began at start {seat + 1} has won", scale=SCALE
        )
    for name, unit, says in BY_SEAT:
        yield Metric(name, "count", unit, says.format(whom="all lancers"), scale=SCALE)
    for name, unit, says in BY_SEAT:
        for seat in range(SEATS):
            yield Metric(f"{name}_{seat + 1}", "count", unit, says.format(whom=f"seat {seat + 1}"), scale=SCALE)
    for name, kind, says in ROUTE:
        unit = "of the turns" if kind == "share" else "wounds"
        yield Metric(name, kind, unit, f"of a route alone: {says}", scale=SCALE)


OUTCOMES = tuple(_columns())
FIELDS = tuple(metric.name for metric in OUTCOMES)
HEADLINE = "rumps"


def fortune(outcome: Sequence[int]) -> tuple[int, ...]:
    """Say how well a unit went for seat 1: wins, rumps, no harm, quickly."""
    found = dict(zip(FIELDS, outcome, strict=True))
    harm = found["wounds_1"] + found["damage_1"] + found["killed_1"]
    return found["win_1"], found["rumps_1"], -harm, -found["turns"]
