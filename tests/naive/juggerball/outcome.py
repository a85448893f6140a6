"""The metrics of a match (J-BALL-26)."""

from typing import TYPE_CHECKING

from tests.naive.jugger import tables as t
from tests.naive.juggerball import tables as b

if TYPE_CHECKING:
    from tests.naive.juggerball.match import Match


def outcome_of(match: "Match") -> dict[str, int]:
    """Return the metrics: `a` is the side of the first list, whichever seat it has; a score counts half points."""
    seats = {"a": match.seat_of_a, "b": 1 - match.seat_of_a}
    values = {f"win_{name}": int(match.winner == seat) for name, seat in seats.items()}
    values |= {"draw": int(match.winner < 0), "turns": match.turn}
    for name, cause in (("goals", b.GOALS), ("no_jugs", b.NO_JUGS), ("cap", t.TURN_CAP)):
        values[f"cause_{name}"] = int(match.cause == cause)
    values["draw_cap"] = int(match.winner < 0 and match.cause == t.TURN_CAP)
    values["score_a"] = 2 * values["win_a"] + values["draw"]
    values["win_first"] = int(match.winner == match.first_mover)
    values["win_seat_0"] = int(match.winner == 0)
    lost = [0, 0]
    for event in match.events:
        if event[0] == t.OUT:
            lost[match.jugs[event[2]].seat // 12] += 1
    for name, seat in seats.items():
        values[f"goals_{name}"] = match.goals[seat]
        values |= {f"goals_{cause}_{name}": match.goals_by[seat][cause] for cause in b.CAUSES}
        values[f"own_goals_{name}"] = match.own_goals[seat]
        values[f"lost_{name}"] = lost[seat]
        values[f"replaced_{name}"] = match.replaced[seat]
        values[f"hits_left_{name}"] = sum(jug.hits for jug in match.of_side(seat))
        values[f"hits_{name}"] = match.hits[seat]
        values[f"kicks_{name}"] = match.kicks[seat]
        values[f"catches_{name}"] = match.catches[seat]
        values[f"holds_turns_{name}"] = match.holds_turns[seat]
        values[f"stopped_forced_{name}"] = match.forced_stops[seat]
    values["first_initiative"] = int(match.first_mover == match.seat_of_a)
    values["first_goal"] = int(match.first_scorer == match.seat_of_a)
    values["goals_by_first"] = match.goals_by_first
    values["bounces"] = match.bounces
    values["stuck"] = match.stuck_balls
    return values
