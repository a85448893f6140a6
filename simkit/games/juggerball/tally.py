"""From a match that is over to the numbers that are counted (J-BALL-26)."""

from simkit.core.jit import kernel
from simkit.games.jugger.tally import hits_left
from simkit.games.juggerball.happenings import Cause, Means
from simkit.games.juggerball.records import COLUMNS, Outcome, Setup, State

MEANS = len(Means)
(OWN_GOALS, LOST, REPLACED, HITS, KICKS, CATCHES, HOLDS_TURNS, STOPPED_FORCED) = range(MEANS, MEANS + 8)
"""Columns of ``State.tally`` behind the goals by their means."""

SCORE_OF_WIN = 2
(
    GOALS_A, WIN_A, DRAW, DRAW_CAP, CAUSE_GOALS, CAUSE_NO_JUGS, CAUSE_CAP, SCORE_A, WIN_FIRST, WIN_SEAT_0, TURNS,
    BY_MEANS, OWN_GOALS_A, LOST_A, REPLACED_A, HITS_LEFT_A, HITS_A, KICKS_A, CATCHES_A, HOLDS_TURNS_A,
    STOPPED_FORCED_A, FIRST_INITIATIVE, FIRST_GOAL, GOALS_BY_FIRST, BOUNCES, STUCK,
) = (
    Outcome._fields.index(name)
    for name in (
        "goals_a", "win_a", "draw", "draw_cap", "cause_goals", "cause_no_jugs", "cause_cap", "score_a", "win_first",
        "win_seat_0", "turns", "goals_hit_a", "own_goals_a", "lost_a", "replaced_a", "hits_left_a", "hits_a",
        "kicks_a", "catches_a", "holds_turns_a", "stopped_forced_a", "first_initiative", "first_goal",
        "goals_by_first", "bounces", "stuck",
    )
)  # fmt: skip


@kernel
def count(setup: Setup, state: State) -> None:
    """Count one match into ``state.outcome``; side a is the scenario's, whichever seat it has."""
    now, out = state.battle, state.outcome
    a = int(now.swapped)
    b = 1 - a
    for column in range(COLUMNS):
        out[column] = 0
    for slot in range(now.count):
        team = int(slot >= now.counts[0])
        state.tally[team, LOST] += int(now.jugs[slot].fate != 0)
    out[GOALS_A] = state.goals[a]
    out[GOALS_A + 1] = state.goals[b]
    out[WIN_A] = int(now.winner == a)
    out[WIN_A + 1] = int(now.winner == b)
    out[DRAW] = int(now.winner < 0)
    out[DRAW_CAP] = int(now.winner < 0 and now.cause == Cause.CAP)
    out[CAUSE_GOALS] = int(now.cause == Cause.GOALS)
    out[CAUSE_NO_JUGS] = int(now.cause == Cause.NO_JUGS)
    out[CAUSE_CAP] = int(now.cause == Cause.CAP)
    out[SCORE_A] = SCORE_OF_WIN * out[WIN_A] + out[DRAW]
    out[WIN_FIRST] = int(now.winner >= 0 and now.winner == now.first)
    out[WIN_SEAT_0] = int(now.winner == 0)
    out[TURNS] = now.turn
    for k in range(2):
        seat = a if k == 0 else b
        for means in range(MEANS):
            out[BY_MEANS + 2 * means + k] = state.tally[seat, means]
        out[OWN_GOALS_A + k] = state.tally[seat, OWN_GOALS]
        out[LOST_A + k] = state.tally[seat, LOST]
        out[REPLACED_A + k] = state.tally[seat, REPLACED]
        out[HITS_LEFT_A + k] = hits_left(now, seat)
        out[HITS_A + k] = state.tally[seat, HITS]
        out[KICKS_A + k] = state.tally[seat, KICKS]
        out[CATCHES_A + k] = state.tally[seat, CATCHES]
        out[HOLDS_TURNS_A + k] = state.tally[seat, HOLDS_TURNS]
        out[STOPPED_FORCED_A + k] = state.tally[seat, STOPPED_FORCED]
    out[FIRST_INITIATIVE] = int(now.first == a)
    out[FIRST_GOAL] = int(state.first_goal == a)
    out[GOALS_BY_FIRST] = state.by_first
    out[BOUNCES] = state.bounces
    out[STUCK] = state.stuck
