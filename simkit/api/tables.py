"""The tables of a file that ask more than its own question, each read by the command that it is for."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from simkit.lab.problems import Problem, ProblemError

if TYPE_CHECKING:
    from simkit.lab.plan import Plan
    from simkit.lab.toml import Document


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
    found = [name for name in plan.document.data if name in READERS]
    _read(plan.document, [partial(READERS[name], plan) for name in found])
    return found


def check_without_sides(path: Path) -> list[str]:
    """Check the tables of a file that has no sides and needs none: they say themselves who fights.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    list of str
        The names of its tables; none where the file has sides, or asks anything that needs them.

    Raises
    ------
    ProblemError
        With every problem of all of them.
    """
    from simkit.games import protocol
    from simkit.lab import toml

    document = toml.read(path)
    named = document.data.get("game")
    if not isinstance(named, str) or named not in protocol.find():
        return []
    sides = protocol.load(named).Scenario.model_fields.get("sides")
    asked = [name for name in document.data if name in READERS]
    if {"sides", "sweep", "compare"} & document.data.keys() or sides is None or not sides.is_required():
        return []
    if not asked or not set(asked) <= ALONE.keys():
        return []
    _read(document, [partial(ALONE[name], document) for name in asked])
    return asked


def _read(document: "Document", readers: Iterable[Callable[[], None]]) -> None:
    problems = list[Problem]()
    for read in readers:
        try:
            read()
        except ProblemError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise ProblemError(problems, document.sources)


def _of_document(read: Callable[["Document"], None]) -> Callable[["Plan"], None]:
    return lambda plan: read(plan.document)


def _matrix(document: "Document") -> None:
    from simkit.lab import lists

    lists.read(document)


def _league(document: "Document") -> None:
    from simkit.balance.league.played import check
    from simkit.lab import leagues

    check(leagues.read(document))


def _balance(plan: "Plan") -> None:
    from simkit.balance.items.cases import Asked

    Asked(plan)


def _solve(plan: "Plan") -> None:
    from simkit.api.fair import ask

    ask(plan)


def _sensitivity(plan: "Plan") -> None:
    from simkit.lab.drivers import drivers

    drivers(plan)


def _search(document: "Document") -> None:
    from simkit.lab import searching

    searching.read(document)


def _tune(document: "Document") -> None:
    from simkit.lab import tuning

    tuning.read(document)


ALONE: Mapping[str, Callable[["Document"], None]] = {
    "matrix": _matrix,
    "league": _league,
    "search": _search,
    "tune": _tune,
}
"""By the name of a table that says itself who fights: who reads it."""

READERS: Mapping[str, Callable[["Plan"], None]] = {
    **{name: _of_document(read) for name, read in ALONE.items()},
    "balance": _balance,
    "solve": _solve,
    "sensitivity": _sensitivity,
}
"""By the name of a table: who reads it."""
