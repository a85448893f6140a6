"""One turn along a route: what exact solutions, maps and tests call (P-GAM-7, P-GAM-22)."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from simkit.core.jit import entry, kernel
from simkit.games.pigtable.judge import judge
from simkit.games.pigtable.kinds import Aim
from simkit.games.pigtable.match import begin_turn, move_pig, set_up
from simkit.games.pigtable.pave import pave
from simkit.games.pigtable.policy import add_point, aim_at_pig
from simkit.games.pigtable.records import Setup, State
from simkit.games.pigtable.router import list_options
from simkit.games.pigtable.turn import begin_plan, resume


@kernel
def take_route(state: State, via: Annotated[NDArray[np.int64], 2], aim: int) -> None:
    """Make a plan of turning points; a route to the pig ends at its middle (P-GAM-7)."""
    figure, plan = state.figures[0], state.plan
    plan.aim = aim
    plan.count = 0
    for k in range(len(via)):
        add_point(plan, figure.x, figure.y, via[k, 0], via[k, 1])
    if aim == Aim.PIG:
        add_point(plan, figure.x, figure.y, state.pig_x, state.pig_y)


@kernel
def place(setup: Setup, state: State, damage: int) -> None:
    """Put everybody in place; seat 0 has his turn."""
    set_up(setup, state, 0)
    state.figures[0].broken = damage
    state.turn = 1
    begin_turn(setup, state, 0)
    state.fixed = True


@entry
def lay_out(
    setup: Setup, state: State, damage: int, via: Annotated[NDArray[np.int64], 2], aim: int, number: int
) -> None:
    """Work out leg `number` of a route as it is ridden where all goes well: events, and tasks."""
    place(setup, state, damage)
    take_route(state, via, aim)
    figure = state.figures[0]
    for k in range(min(number + 1, state.plan.count)):
        pave(setup, state, figure.x, figure.y, k)
        if k < number:
            for t in range(state.course.length):
                state.ride.rider.descended += state.course.tasks[t].levels
            figure.x = state.end_x
            figure.y = state.end_y


@entry
def begin_route(setup: Setup, state: State, damage: int, via: Annotated[NDArray[np.int64], 2], aim: int) -> None:
    """Begin a turn along a route: it is ridden until dice are called for."""
    place(setup, state, damage)
    take_route(state, via, aim)
    begin_plan(setup, state)


@entry
def go_on(setup: Setup, state: State, bits: np.uint64) -> None:
    """Go on with dice that have fallen until dice are called for again, or the turn is over."""
    resume(setup, state, bits)


@entry
def judge_route(setup: Setup, state: State, damage: int, via: Annotated[NDArray[np.int64], 2], aim: int) -> None:
    """Judge a route, its factors kept in the state (P-GAM-22)."""
    place(setup, state, damage)
    take_route(state, via, aim)
    judge(setup, state, True, 0)


@entry
def judge_all(
    setup: Setup, state: State, x: int, y: int, legs: int, strays: bool, out: Annotated[NDArray[np.int64], 2]
) -> int:
    """Judge the routes to the pig of one or two legs from a point, and return how many there are.

    Parameters
    ----------
    strays
        Count also what another player may steer him into.
    out
        Shape (routes, 3): the chance of a rump in the scale of P-GAM-20, and the turning point; the direct way comes
        first, without one.
    """
    set_up(setup, state, 0)
    state.figures[0].x = x
    state.figures[0].y = y
    begin_turn(setup, state, 0)
    aim_at_pig(state, state.plan)
    judge(setup, state, strays, 0)
    out[0, 0] = state.rump + state.stray
    out[0, 1] = x
    out[0, 2] = y
    if legs < 2:
        return 1
    list_options(setup, state)
    for k in range(state.candidates):
        state.plan.aim = Aim.PIG + 0
        state.plan.count = 0
        add_point(state.plan, x, y, state.option_x[k], state.option_y[k])
        add_point(state.plan, x, y, state.pig_x, state.pig_y)
        judge(setup, state, strays, 0)
        out[k + 1, 0] = state.rump + state.stray
        out[k + 1, 1] = state.option_x[k]
        out[k + 1, 2] = state.option_y[k]
    return state.candidates + 1


@entry
def wander(
    setup: Setup, state: State, stream: np.uint64, tweak: np.uint64, out: Annotated[NDArray[np.int64], 2]
) -> None:
    """Let the pig move about an empty table, and keep where it comes to: a row of `out` a move (P-GAM-16, P-GAM-24)."""
    set_up(setup, state, 0)
    for seat in range(setup.seats):
        state.figures[seat].waiting = True
    for k in range(len(out)):
        state.turn = k + 1
        begin_turn(setup, state, 0)
        move_pig(setup, state, stream, tweak)
        out[k, 0] = state.pig_x
        out[k, 1] = state.pig_y
