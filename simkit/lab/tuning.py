"""Whose weights are tuned: the table ``[tune]`` read, and everybody in it looked at before anything is played."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from simkit.games import protocol
from simkit.games.protocol import Weighing, Weight
from simkit.lab import plan as planning
from simkit.lab import weights
from simkit.lab.asked.tune import Tune
from simkit.lab.asks import Sides, experiment_of, planned, refuse_sides, refused, shared, together
from simkit.lab.bouts import Arena
from simkit.lab.modelpath import KeyPath
from simkit.lab.plan import Plan
from simkit.lab.problems import Problem, ProblemError, did_you_mean
from simkit.lab.toml import Document

TABLE = "tune"
LEAVE_OUT = "leave one of them out"
OWN = ("design", "units", "title", "policy", "weights")
"""What a side has of its own; everything else goes with whoever takes its place."""


class Whom(NamedTuple):
    """Who gets weights: a design, or a family."""

    name: str
    title: str
    side: Mapping[str, Any] | None
    """The side of the design; None for a family."""
    family: str
    """The family it is of."""
    design: Any = None
    """The design as the file has it; None for a family."""


@dataclass(frozen=True)
class Asked:
    """What is tuned, for whom, and against whom.

    Attributes
    ----------
    plan
        The experiment itself, with the first of each for its sides.
    table
        The table, everything spelt out.
    whom
        Who gets weights, in the order of the file.
    opponents
        Sides that they play against.
    names
        What the opponents are called.
    weights
        The weights there are; the first is what the others are measured by.
    """

    plan: Plan
    table: Tune
    whom: tuple[Whom, ...]
    opponents: tuple[Mapping[str, Any], ...]
    names: tuple[str, ...]
    weights: tuple[Weight, ...]

    @property
    def settings(self) -> dict[str, Any]:
        """Return the table ``[tune]`` with everything spelt out."""
        given = self.table.model_dump(exclude_none=True)
        return {name: value for name, value in given.items() if value != []}

    @property
    def rules_hash(self) -> str:
        """Return 16 hexadecimal digits that stand for the rules and the ground."""
        arena = Arena(self.plan)
        ground = {key: value for key, value in arena.data.items() if key not in ("sides", "weights", "policy")}
        text = json.dumps([arena.rules.model_dump(mode="json"), ground], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def read(
    source: str | Path | Mapping[str, Any] | Document,
    *,
    seed: int | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Asked:
    """Read whose weights are tuned.

    Parameters
    ----------
    source
        A TOML file, a document that was read, or the same tables as a dictionary.
    seed, overrides
        As :func:`simkit.lab.plan.make` takes them.

    Raises
    ------
    ProblemError
        With everything that is wrong with the file, those it names, or the game.

    Examples
    --------
    >>> asked = read({"schema": 1, "name": "toy", "game": "jugger", "tune": {"designs": ["archer", "axer"]}})
    >>> [one.title for one in asked.whom], len(asked.opponents), asked.weights[0].name
    (['Archer', 'Axer'], 54, 'dealt')
    """
    document = weights.gathered(planning.document_of(source))
    experiment, game = experiment_of(document)
    refuse_sides(document, TABLE, overrides)
    weighing = _weighing(document, game)
    table = experiment.tune
    if table is None:
        help = '[tune] with designs = ["one", "another"] or families = "all"'
        raise refused(document, "meaning", "nobody is to be tuned: there is no table [tune]", (), help)
    listed = _presets(document, game, "designs") if table.designs == "all" else table.designs
    rivals = _presets(document, game, "opponents") if table.opponents == "all" else table.opponents
    policy = {"policy": weighing.WEIGHED}
    mine, theirs = ({**shared(experiment, letter, OWN), **policy} for letter in "ab")
    entrants = [_At({**mine, "design": one}, _place("designs", table.designs, k)) for k, one in enumerate(listed)]
    against = [_At({**theirs, "design": one}, _place("opponents", table.opponents, k)) for k, one in enumerate(rivals)]
    given = table
    families, base, _ = together(
        lambda: _families(document, given, weighing),
        lambda: planned(document, _met(entrants or against[:1], against), seed, overrides),
        lambda: _check_budgets(document, game, given),
    )
    arena = Arena(base)
    whom = [_design(arena, weighing, one, against[0], k) for k, one in enumerate(entrants)]
    whom += [Whom(name, says, None, name) for name, says in families.items()]
    _refuse_twice(document, whom, table)
    spelt = table.model_copy(update={"designs": list(listed), "opponents": list(rivals), "families": list(families)})
    names = tuple(_name(game, one.side["design"], k) for k, one in enumerate(against))
    return Asked(base, spelt, tuple(whom), tuple(one.side for one in against), names, tuple(weighing.weights()))


class _At(NamedTuple):
    """A side, and where the file has its design."""

    side: dict[str, Any]
    at: KeyPath


def _met(mine: Sequence[_At], theirs: Sequence[_At]) -> list[tuple[Sides, tuple[KeyPath, KeyPath]]]:
    """Pair everybody with somebody."""
    pairs = [(mine[min(k, len(mine) - 1)], theirs[min(k, len(theirs) - 1)]) for k in range(max(len(mine), len(theirs)))]
    return [((a.side, b.side), (a.at, b.at)) for a, b in pairs]


def _place(key: str, given: Any, k: int) -> KeyPath:
    return (TABLE, key) if given == "all" else (TABLE, key, k)


def _weighing(document: Document, game: protocol.Game) -> Weighing:
    found = protocol.weighing_of(game)
    if found is None:
        there = [name for name in protocol.find() if protocol.weighing_of(protocol.load(name)) is not None]
        message = f"the players of {game.TITLE} have no weights that could be tuned"
        raise refused(document, "value", message, ("game",), f"games whose players have: {', '.join(there)}")
    return found


def _presets(document: Document, game: protocol.Game, key: str) -> list[Any]:
    rated = protocol.ratings_of(game)
    if rated is None:
        raise refused(document, "meaning", f"{game.TITLE} has no presets", (TABLE, key), "name them")
    return list(rated.preset_names())


def _families(document: Document, table: Tune, weighing: Weighing) -> dict[str, str]:
    there = weighing.families()
    if table.families == "all":
        return there
    problems = []
    for k, name in enumerate(table.families):
        at = document.where((TABLE, "families", k), "value")
        if name not in there:
            close = did_you_mean(name, there)
            hint = f"did you mean '{close}'? " if close else ""
            message = f"no family of designs is called '{name}'"
            problems.append(Problem("value", message, document.path, at, f"{hint}there are: {', '.join(there)}"))
        elif name in table.families[:k]:
            problems.append(Problem("shape", f"'{name}' stands there twice", document.path, at, LEAVE_OUT))
    if problems:
        raise ProblemError(problems, document.sources)
    return {name: there[name] for name in table.families}


def _check_budgets(document: Document, game: protocol.Game, table: Tune) -> None:
    if not table.families:
        return
    building = protocol.building_of(game)
    if building is None:
        message = f"{game.TITLE} has no builds to a budget, so that no family can be drawn from"
        raise refused(document, "meaning", message, (TABLE, "families"), "name designs")
    low, high = building.BUDGETS
    problems = []
    for k, budget in enumerate(table.budgets):
        at = document.where((TABLE, "budgets", k), "value")
        if not low <= budget <= high:
            message = f"{building.BUDGET_IS} {budget}; there are {low} to {high}"
            problems.append(Problem("value", message, document.path, at))
        elif budget in table.budgets[:k]:
            problems.append(Problem("shape", f"{budget} stands there twice", document.path, at, LEAVE_OUT))
    if problems:
        raise ProblemError(problems, document.sources)


def _design(arena: Arena, weighing: Weighing, one: _At, other: _At, number: int) -> Whom:
    design = one.side["design"]
    name = design if isinstance(design, str) else f"design-{number + 1}"
    family = weighing.family_of(arena.scenario(one.side, other.side), "a")
    return Whom(name, _name(arena.game, design, number), one.side, family, design)


def _name(game: protocol.Game, design: Any, number: int) -> str:
    """Return what a design is called."""
    titled = game.label("sides.a.design", design)
    return titled or (design if isinstance(design, str) else f"design {number + 1}")


def _refuse_twice(document: Document, whom: Sequence[Whom], table: Tune) -> None:
    """Refuse a design that is listed twice, in whatever spelling."""
    problems, seen = [], list[Any]()
    for k, one in enumerate(whom):
        same = one.title if isinstance(one.design, str) else one.design
        if one.side is not None and same in seen:
            at = document.where(_place("designs", table.designs, k), "value")
            name = one.name if isinstance(one.design, str) else one.title
            problems.append(Problem("shape", f"'{name}' stands there twice", document.path, at, LEAVE_OUT))
        seen.append(same)
    if problems:
        raise ProblemError(problems, document.sources)
