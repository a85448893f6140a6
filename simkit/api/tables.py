"""The tables of a file that ask more than its own question, each read by the command that it is for."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from simkit.lab.problems import Problem, ProblemError

if TYPE_CHECKING:
    from simkit.lab.plan import Plan


def check_tables(plan: "Plan") -> list[str]:
    """Check every table of a file that a command other than ``run`` answers; nothing is played.

    Parameters
    ----------
    plan
        The experiment.

    Returns
    -------
    list of str
        The names of these tables, in the order of the file.

    Raises
    ------
    ProblemError
        With every problem of all of them.

    Examples
    --------
    >>> check_tables(simkit.check("experiments/legs_or_sails.toml"))  # doctest: +SKIP
    ['balance']
    """
    found, problems = list[str](), list[Problem]()
    for name in plan.document.data:
        if name not in READERS:
            continue
        found.append(name)
        try:
            READERS[name](plan)
        except ProblemError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise ProblemError(problems, plan.document.sources)
    return found


def _matrix(plan: "Plan") -> None:
    from simkit.lab import lists

    lists.read(plan.document)


def _league(plan: "Plan") -> None:
    from simkit.lab import leagues

    leagues.read(plan.document)


def _balance(plan: "Plan") -> None:
    from simkit.balance.items.cases import Asked

    Asked(plan)


def _solve(plan: "Plan") -> None:
    from simkit.api.fair import ask

    ask(plan)


def _sensitivity(plan: "Plan") -> None:
    from simkit.lab.drivers import drivers

    drivers(plan)


def _search(plan: "Plan") -> None:
    from simkit.lab import searching

    searching.read(plan.document)


def _tune(plan: "Plan") -> None:
    from simkit.lab import tuning

    tuning.read(plan.document)


READERS: Mapping[str, Callable[["Plan"], None]] = {
    "matrix": _matrix,
    "league": _league,
    "balance": _balance,
    "solve": _solve,
    "sensitivity": _sensitivity,
    "search": _search,
    "tune": _tune,
}
"""By the name of a table: who reads it."""
