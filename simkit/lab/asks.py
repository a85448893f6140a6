"""What the readers of tables share that name designs themselves: their door, and what goes with every side."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from simkit.games import protocol
from simkit.games.protocol import Game
from simkit.lab import plan as planning
from simkit.lab.experiment import Experiment
from simkit.lab.modelpath import KeyPath
from simkit.lab.placed import Placed
from simkit.lab.plan import Plan
from simkit.lab.problems import Problem, ProblemError, from_pydantic
from simkit.lab.toml import Document

Sides = tuple[Mapping[str, Any], Mapping[str, Any]]
"""Tables of side A and side B."""


def refused(document: Document, kind: str, message: str, at: KeyPath, help: str | None) -> ProblemError:
    """Return the error that says one thing that is wrong with a file, at its place."""
    return ProblemError([Problem(kind, message, document.path, document.where(at), help)], document.sources)


def together(*steps: Callable[[], Any]) -> list[Any]:
    """Take some steps that do not need each other, and return what they return.

    Raises
    ------
    ProblemError
        With what is wrong in all of them: one does not hide another.
    """
    made, problems, sources = [], list[Problem](), dict[str, str]()
    for step in steps:
        try:
            made.append(step())
        except ProblemError as error:
            problems += error.problems
            sources |= error.sources
    if problems:
        raise ProblemError(once(problems), sources)
    return made


def spoken_at(at: KeyPath, letter: str) -> dict[str, str]:
    """Return what the design of a side is called, where a table of the file names the design.

    Examples
    --------
    >>> spoken_at(("search", "field", 0), "a")
    {'[sides.a.design]': "value 1 of 'field' in [search]"}
    >>> spoken_at(("search", "counter"), "b")
    {'[sides.b.design]': '[search.counter]'}
    """
    if len(at) == 3 and isinstance(at[2], int):
        name = f"value {at[2] + 1} of '{at[1]}' in [{at[0]}]"
    elif len(at) > 1:
        name = f"[{'.'.join(map(str, at))}]"
    else:
        return {}
    return {f"[sides.{letter}.design]": name}


def spoken_of(problems: Iterable[Problem], names: Mapping[str, str]) -> list[Problem]:
    """Return problems that call tables what the file calls them.

    Parameters
    ----------
    problems
        Of a plan that nobody wrote down.
    names
        What the file calls a part of it.
    """

    def said(text: str | None) -> str | None:
        for ours, theirs in names.items():
            text = text and text.replace(ours, theirs)
        return text

    return [replace(one, message=said(one.message) or "", help=said(one.help)) for one in problems]


def once(problems: Iterable[Problem]) -> list[Problem]:
    """Return each problem once, however many plans have it: of those with one message at one place the first."""
    first: dict[tuple[Any, ...], Problem] = {}
    for one in problems:
        first.setdefault((one.path, one.span, one.message), one)
    return list(first.values())


def experiment_of(document: Document) -> tuple[Experiment, Game]:
    """Return an experiment whose sides may be missing, and its game.

    Raises
    ------
    ProblemError
        With everything that is wrong with its tables, or the games there are.
    """
    try:
        experiment = Experiment.model_validate(document.data)
    except ValidationError as error:
        raise ProblemError(from_pydantic(error, document, model=Experiment), document.sources) from error
    if experiment.game not in protocol.find():
        planning.make(document)  # says it
    return experiment, protocol.load(experiment.game)


def refuse_sides(document: Document, table: str, overrides: Mapping[str, Any] | None) -> None:
    """Refuse values given outside the file for sides that a table names.

    Raises
    ------
    ProblemError
        There is such a value.
    """
    for path in overrides or {}:
        if path.split(".")[0] == "sides":
            message = f"--set {path}: who fights is said by [{table}]"
            raise refused(document, "override", message, (table,), "what all of them share stands in [sides.a]")


def shared(experiment: Experiment, letter: str, own: Sequence[str]) -> dict[str, Any]:
    """Return what of a side goes with whoever takes its place: all but what is its own."""
    side = (experiment.sides or {}).get(letter)
    kept = side if isinstance(side, Mapping) and "units" not in side else {}
    return {key: value for key, value in kept.items() if key not in own}


def planned(
    document: Document,
    pairs: Sequence[tuple[Sides, tuple[KeyPath, KeyPath]]],
    seed: int | None,
    overrides: Mapping[str, Any] | None,
) -> Plan:
    """Plan pairs of sides one by one, so that whatever is wrong is told where the file has it; return the first plan.

    Parameters
    ----------
    document
        The experiment; its own sides, sweep and comparison do not matter.
    pairs
        Two sides, and where the file has the design of each.
    seed, overrides
        As :func:`simkit.lab.plan.make` takes them.

    Raises
    ------
    ProblemError
        With everything that is wrong.
    """
    data = {key: value for key, value in document.data.items() if key not in ("sweep", "compare", "sides")}

    def step(sides: Sides, at: tuple[KeyPath, KeyPath]) -> Callable[[], Plan]:
        places: dict[KeyPath, KeyPath] = {("sides", "a", "design"): at[0], ("sides", "b", "design"): at[1]}
        whole = {**data, "sides": {"a": dict(sides[0]), "b": dict(sides[1])}}
        placed = Placed(whole, document.path, document.text, places)
        names = spoken_at(at[0], "a") | spoken_at(at[1], "b")

        def made() -> Plan:
            try:
                return planning.make(placed, seed=seed, overrides=overrides)
            except ProblemError as error:
                raise ProblemError(spoken_of(error.problems, names), error.sources) from error

        return made

    first: Plan = together(*(step(*pair) for pair in pairs))[0]
    return first
