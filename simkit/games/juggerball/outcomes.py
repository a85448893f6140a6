"""The columns that a match counts, and how fortunate one was (J-BALL-26)."""

from collections.abc import Iterator, Sequence

from simkit.games.protocol import Fight, Metric

SHARE = "of the matches"
ENDS = {
    "goals": "a side has scored as often as it takes",
    "no_jugs": "a side had no jug left in play",
    "cap": "the turns were used up",
}
"""How a match ends, with what that means."""

MEANS = {
    "hit": "from a hit",
    "kick": "from a kick",
    "push": "by pushing the ball in",
    "roll": "by a ball that rolled away from its pusher",
    "head_on": "from two jugs head to head",
    "bounce": "by a ball that had bounced",
}
"""How a goal comes about; all but the last without a bounce."""

BY_SIDE = (
    *((f"goals_{means}", "goals", f"goals of side {{side}} {says}") for means, says in MEANS.items()),
    ("own_goals", "goals", "own goals of side {side}"),
    ("lost", "jugs", "jugs that side {side} has lost"),
    ("replaced", "jugs", "jugs that side {side} has replaced"),
    ("hits_left", "hits", "hits that side {side} has left in the end"),
    ("hits", "hits of the ball", "times that side {side} hit the ball"),
    ("kicks", "kicks", "times that side {side} kicked the ball"),
    ("catches", "catches", "times that side {side} caught the ball"),
    ("holds_turns", "turns", "turns at whose end side {side} held the ball"),
    ("stopped_forced", "stops", "times that a jug of side {side} stood still near its own goal at the end of a turn"),
)


def _columns() -> Iterator[Metric]:
    yield Metric("goals_a", "count", "goals", "goals of side A, own goals of B included")
    yield Metric("goals_b", "count", "goals", "goals of side B, own goals of A included")
    yield Metric("win_a", "share", SHARE, "side A has won", 1)
    yield Metric("win_b", "share", SHARE, "side B has won", 1)
    yield Metric("draw", "share", SHARE, "nobody has won", 1)
    yield Metric("draw_cap", "share", SHARE, "a draw because the turns were used up", 1)
    for end, says in ENDS.items():
        yield Metric(f"cause_{end}", "share", SHARE, f"how it ended: {says}", 1)
    yield Metric("score_a", "share", "of the points", "what side A scored: 1 for a win, half for a draw", 2, scale=2)
    yield Metric("win_first", "share", SHARE, "the side with the initiative in turn 1 has won", 1)
    yield Metric("win_seat_0", "share", SHARE, "the side in the western seat has won, whichever it was", 1)
    yield Metric("turns", "count", "turns", "turns played, the last one included")
    for name, unit, says in BY_SIDE:
        for side in "ab":
            yield Metric(f"{name}_{side}", "count", unit, says.format(side=side.upper()))
    yield Metric("first_initiative", "share", SHARE, "side A had the initiative in turn 1", 1)
    yield Metric("first_goal", "share", SHARE, "side A has scored the first goal", 1)
    yield Metric("goals_by_first", "count", "goals", "goals of the side that had the initiative in their turn")
    yield Metric("bounces", "count", "bounces", "bounces of the ball")
    yield Metric("stuck", "count", "times", "times that a stuck ball was brought to its start")


OUTCOMES = tuple(_columns())
HEADLINE = "score_a"

FIGHT = Fight(
    score="score_a",
    wins=("win_a", "win_b"),
    draw="draw",
    capped="draw_cap",
    length="turns",
    ends={"cause_goals": "goals", "cause_no_jugs": "no jugs left", "cause_cap": "the limit of turns"},
    edges={"win_seat_0": "the western seat", "win_first": "the side that has the initiative in turn 1"},
    damage={},
    mishaps={},
)


def fortune(outcome: Sequence[int]) -> tuple[int, ...]:
    """Say how well a match went for side A: its score, the goals it is ahead by, and how soon."""
    found = dict(zip((metric.name for metric in OUTCOMES), outcome, strict=True))
    ahead = found["goals_a"] - found["goals_b"]
    return found["score_a"], ahead, -found["turns"] if found["win_a"] else found["turns"], found["lost_b"]
