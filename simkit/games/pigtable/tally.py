"""From a match that is over to the numbers that are counted (P-GAM-23)."""

from simkit.core.jit import kernel
from simkit.games.pigtable.kinds import Aim, Cause
from simkit.games.pigtable.outcomes import FIELDS, SCALE
from simkit.games.pigtable.records import COLUMNS, SEATS, Setup, State

(
    DRAW, CAUSE_RUMPS, CAUSE_LAST_SIDE, CAUSE_NOBODY, CAUSE_ROUNDS, ROUNDS, TURNS, WIN_FIRST, FIRST_EDGE, WIN_1,
    WIN_START_1, RUMPS, RUMPS_1, KILLED, ATTEMPT, RUMP, ARRIVED, WOUNDED, DAMAGED, RUNAWAY, OTHER_WOUNDS,
) = (
    FIELDS.index(name)
    for name in (
        "draw", "cause_rumps", "cause_last_side", "cause_nobody", "cause_rounds", "rounds", "turns", "win_first",
        "first_edge", "win_1", "win_start_1", "rumps", "rumps_1", "killed", "attempt", "rump", "arrived", "wounded",
        "damaged", "runaway", "other_wounds",
    )
)  # fmt: skip


@kernel
def count(setup: Setup, state: State) -> None:
    """Add one match of a unit to ``state.outcome``: a unit counts as one match, the mean of its matches."""
    out, share = state.outcome, setup.share
    out[DRAW] += share * (state.winner == 0)
    out[CAUSE_RUMPS] += share * (state.cause == Cause.RUMPS)
    out[CAUSE_LAST_SIDE] += share * (state.cause == Cause.LAST_SIDE)
    out[CAUSE_NOBODY] += share * (state.cause == Cause.NOBODY)
    out[CAUSE_ROUNDS] += share * (state.cause == Cause.ROUNDS)
    out[ROUNDS] += share * state.round
    out[TURNS] += share * state.turn
    first = state.winner == setup.side[state.first_seat] + 1
    out[WIN_FIRST] += share * first
    out[FIRST_EDGE] += share * first
    for seat in range(setup.seats):
        won = share * (state.winner == setup.side[seat] + 1)
        out[WIN_1 + seat] += won
        out[WIN_START_1 + (seat + state.first_start) % setup.seats] += won
        figure = state.figures[seat]
        add(state, seat, 0, share * figure.rumps)
        add(state, seat, 1, share * figure.attempts)
        add(state, seat, 2, share * figure.wounds)
        add(state, seat, 3, share * figure.damage)
        add(state, seat, 4, share * figure.lost_turns)
        add(state, seat, 5, share * figure.runaways)
        add(state, seat, 6, share * figure.killed)
        add(state, seat, 7, share * figure.wrecked)
        add(state, seat, 8, share * figure.retired)
        add(state, seat, 9, share * figure.distance)
        add(state, seat, 10, share * figure.pig_contacts)


@kernel
def add(state: State, seat: int, row: int, value: int) -> None:
    """Add to a count of a seat, and to that of all seats."""
    state.outcome[RUMPS + row] += value
    state.outcome[RUMPS_1 + SEATS * row + seat] += value


@kernel
def count_route(setup: Setup, state: State) -> None:
    """Count one turn along a route (P-TAB-7)."""
    out, figure, rider = state.outcome, state.figures[0], state.ride.rider
    out[FIRST_EDGE] = 0
    out[RUMPS] += SCALE * figure.rumps
    out[ATTEMPT] += SCALE * (figure.attempts > 0)
    out[RUMP] += SCALE * (figure.rumps > 0)
    out[ARRIVED] += SCALE * (setup.aim == Aim.STOP and state.ended)
    out[WOUNDED] += SCALE * (rider.wounds > 0)
    out[DAMAGED] += SCALE * (rider.damage > setup.damage)
    out[RUNAWAY] += SCALE * (figure.runaways > 0)
    out[KILLED] += SCALE * figure.killed
    out[OTHER_WOUNDS] += SCALE * rider.other_wounds


@kernel
def clear(setup: Setup, state: State) -> None:
    """Begin a unit; the edge of who moves first is measured from an equal share (P-GAM-23)."""
    for column in range(COLUMNS):
        state.outcome[column] = 0
    state.outcome[FIRST_EDGE] = -(SCALE // setup.sides)
