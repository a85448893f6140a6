"""One trial to look at: a picture, or a page to step through, where the game offers them."""

from typing import Any

from simkit.games import protocol
from simkit.games.protocol import Game, Views
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import Problem, ProblemError
from simkit.lab.trial import Trial


def offered(game: Game) -> Views:
    """Return what a game offers to look at.

    Raises
    ------
    ProblemError
        It offers nothing but words.
    """
    found = protocol.views(game)
    if found is None:
        able = [other.TITLE for name in protocol.find() if protocol.views(other := protocol.load(name)) is not None]
        message = f"{game.TITLE} has no pictures of a trial, only words"
        raise ProblemError([Problem("meaning", message, help=f"pictures there are of: {', '.join(able)}")])
    return found


def picture(plan: Plan, cell: Cell, trial: Trial) -> str:
    """Draw one trial.

    Parameters
    ----------
    plan, cell, trial
        Which; the game must be ready.

    Returns
    -------
    str
        Text of an SVG file.

    Raises
    ------
    ProblemError
        The game draws none.
    """
    return offered(plan.game).picture(cell.scenario, cell.rules, _events(plan, cell, trial))


def player(plan: Plan, cell: Cell, trial: Trial, says: str = "") -> str:
    """Return a page to step through one trial.

    Parameters
    ----------
    plan, cell, trial
        Which; the game must be ready.
    says
        A line below the heading, such as how to come by the same trial.

    Returns
    -------
    str
        Text of a self-contained HTML file.

    Raises
    ------
    ProblemError
        The game has none.
    """
    return offered(plan.game).player(cell.scenario, cell.rules, _events(plan, cell, trial), says)


def _events(plan: Plan, cell: Cell, trial: Trial) -> Any:
    return plan.game.trace(cell.setup, plan.key, *trial)
