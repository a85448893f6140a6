"""Who meets whom where everybody meets everybody, and the plans of these meetings.

All who take part are planned against themselves first, so that whatever is wrong with one is told at its own place.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from simkit.games import protocol
from simkit.games.protocol import Budget, Game
from simkit.lab import plan as planning
from simkit.lab import resolve, toml, weights
from simkit.lab.asked.matrix import LEAST_TRIALS, MOST_TRIALS, Matrix
from simkit.lab.asks import experiment_of, once, spoken_of
from simkit.lab.entrants import AXES, TABLE, Entrant, listed, refused
from simkit.lab.experiment import Experiment
from simkit.lab.modelpath import KeyPath
from simkit.lab.placed import Placed
from simkit.lab.plainly import plainly
from simkit.lab.plan import Plan
from simkit.lab.problems import Problem, ProblemError, did_you_mean
from simkit.lab.toml import Document

MOST_PAIRS = 10_000


class Group(NamedTuple):
    """Some who all meet each other."""

    name: str
    members: tuple[int, ...]
    budget: Budget | None


@dataclass(frozen=True)
class Lists:
    """Who takes part and who meets whom.

    Attributes
    ----------
    plan
        The experiment itself, with the first two for its sides.
    asked
        What is asked, with everything spelt out.
    entrants
        In the order of the file.
    groups
        In each of them everybody meets everybody; the first holds all if all meet.
    pairs
        Every two that meet, by their numbers, the smaller first.
    notes
        What was left out, and why.
    """

    plan: Plan
    asked: Matrix
    entrants: list[Entrant]
    groups: list[Group]
    pairs: list[tuple[int, int]]
    notes: list[str]

    @property
    def settings(self) -> dict[str, Any]:
        """Return the table ``[matrix]`` with everything spelt out."""
        given = self.asked.model_dump(exclude_none=True)
        if self.asked.groups is not None:
            del given["classes"]
        return {name: value for name, value in given.items() if value not in ([], {})}

    def meetings(self, pairs: Sequence[tuple[int, int]]) -> Plan:
        """Plan meetings: a cell each, the first of the two as side A.

        Raises
        ------
        ProblemError
            Two of them cannot meet.
        """
        return met(self.plan, self.entrants, pairs)


def read(
    source: str | Path | Mapping[str, Any] | Document,
    *,
    trials: int | None = None,
    seed: int | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Lists:
    """Read who takes part in an experiment, and who meets whom.

    Parameters
    ----------
    source
        A TOML file, a document that was read, or the same tables as a dictionary.
    trials
        In place of the file's ``max_trials`` of a pair.
    seed, overrides
        As :func:`simkit.lab.plan.make` takes them.

    Raises
    ------
    ProblemError
        With everything that is wrong with the file, those who take part, or the game.
    ValueError
        So many trials are not allowed.

    Examples
    --------
    >>> toy = {"schema": 1, "name": "toy", "game": "jugger", "matrix": {"designs": ["archer", "axer", "boarder"]}}
    >>> lists = read(toy)
    >>> [one.title for one in lists.entrants], lists.pairs
    (['Archer', 'Axer', 'Boarder'], [(0, 1), (0, 2), (1, 2)])
    """
    document = weights.gathered(_document(source))
    given = dict(overrides or {})
    _refuse_sides(document, given)
    experiment, game = asked_of(document)
    asked = _with(experiment.matrix or Matrix(), trials)
    entrants = listed(document, experiment, game, asked)
    base, entrants = planned(document, game, entrants, seed, given)
    spelt = {
        "designs": [one.a["design"] for one in entrants if not one.whole],
        "sides": {one.id: dict(one.a) for one in entrants if one.whole},
    }
    asked = asked.model_copy(update=spelt)
    groups, notes = _groups(document, asked, entrants, game)
    base = replace(base, warnings=[*base.warnings, *_unused(document, experiment, game)])
    pairs = sorted({pair for group in groups for pair in itertools.combinations(group.members, 2)})
    if len(pairs) > MOST_PAIRS:
        said = f"{len(entrants)} sides make {len(pairs):,} pairs, at most {MOST_PAIRS:,} are allowed"
        raise refused(document, "limit", said, (TABLE,), 'fewer designs, groups, or classes = "equal"')
    return Lists(base, asked, entrants, groups, pairs, notes)


def _document(source: str | Path | Mapping[str, Any] | Document) -> Document:
    if isinstance(source, Document):
        return source
    if isinstance(source, Mapping):
        return toml.parse(resolve.dumps(plainly(source)), "experiment")
    return toml.read(source)


def _refuse_sides(document: Document, overrides: Mapping[str, Any]) -> None:
    for path in overrides:
        if path.split(".")[0] == "sides":
            message = f"--set {path}: who fights is said by [matrix]"
            help = "what all of them share stands in [sides.a] and [sides.b]"
            raise refused(document, "override", message, (TABLE,), help)


def asked_of(document: Document) -> tuple[Experiment, Game]:
    """Return the experiment and its game, or say what is wrong with the file without looking at who takes part."""
    name = document.data.get("game")
    if isinstance(name, str) and name in protocol.find() and protocol.fight_of(protocol.load(name)) is None:
        game = protocol.load(name)
        there = [one for one in protocol.find() if protocol.fight_of(protocol.load(one)) is not None]
        message = f"{game.TITLE} has no two sides that could meet"
        raise refused(document, "value", message, ("game",), f"games that have: {', '.join(there)}", "value")
    return experiment_of(document)


def _with(asked: Matrix, trials: int | None) -> Matrix:
    """Put the number of games that the caller gave in place of the file's."""
    if trials is None:
        return asked
    if not LEAST_TRIALS <= trials <= MOST_TRIALS:
        raise ValueError(f"trials is {trials}; allowed are {LEAST_TRIALS} to {MOST_TRIALS:,}")
    return asked.model_copy(update={"max_trials": trials, "least_trials": min(asked.least_trials, trials)})


def _unused(document: Document, experiment: Experiment, game: Game) -> list[Problem]:
    """Warn of axes of a sweep that have no part in it."""
    paths = [path for path in experiment.sweep.axes if path not in AXES]
    if not paths:
        return []
    names = " and ".join(f"'{game.axis_title(path)}'" for path in paths)
    message = f"the sweep over {names} belongs to simkit run and has no part in a matrix"
    where = document.where(("sweep", "axes", paths[0]))
    return [Problem("meaning", message, document.path, where, "[scenario] says how they meet", severity="warning")]


# Their plans


def _plain(document: Document) -> dict[str, Any]:
    """Return the experiment without what belongs to a run."""
    return {key: value for key, value in document.data.items() if key not in ("sweep", "compare", "sides")}


def planned(
    document: Document, game: Game, entrants: list[Entrant], seed: int | None, overrides: Mapping[str, Any]
) -> tuple[Plan, list[Entrant]]:
    """Plan everybody against himself, and the first against the second: return that plan, and all with budgets.

    Raises
    ------
    ProblemError
        With everything that is wrong with any of them.
    """
    known = dict(document.places) if isinstance(document, Placed) else {}
    problems: list[Problem] = []
    sources: dict[str, str] = {}
    price, found, base = protocol.budget_of(game), [], None
    for k, one in enumerate(entrants):
        other = entrants[1] if k == 0 else one
        places = one.places(("sides", "a"), ("sides", "a")) | other.places(("sides", "b"), ("sides", "b"))
        data = {**_plain(document), "sides": {"a": dict(one.a), "b": dict(other.b)}}
        try:
            placed = Placed(data, document.path, document.text, known | places)
            made = planning.make(placed, seed=seed, overrides=overrides)
        except ProblemError as error:
            problems += spoken_of(error.problems, one.spoken("a") | other.spoken("b"))
            sources |= error.sources
            continue
        base = base or made
        found.append(one if price is None else one._replace(budget=price(made.cells[0].scenario, "a")))
    if problems or base is None:
        raise ProblemError(once(problems), sources)
    return base, found


def met(
    plan: Plan,
    entrants: Sequence[Entrant],
    pairs: Sequence[tuple[int, int]],
    further: Mapping[str, Sequence[Any]] | None = None,
    written: Mapping[KeyPath, KeyPath] | None = None,
) -> Plan:
    """Plan meetings as a sweep that nobody wrote down.

    Parameters
    ----------
    plan
        The experiment.
    entrants, pairs
        Who meets whom, the first of the two as side A.
    further
        What else differs between the meetings: values by path, one for each of them.
    written
        Where the file has them, by (path, number of the meeting).

    Raises
    ------
    ProblemError
        Two of them cannot meet.
    """
    values: dict[str, list[Any]] = {
        "sides.a": [dict(entrants[i].a) for i, _ in pairs],
        "sides.b": [dict(entrants[j].b) for _, j in pairs],
        **{path: list(each) for path, each in (further or {}).items()},
    }
    axes: KeyPath = ("sweep", "axes")
    places = {(*axes, *at): there for at, there in (written or {}).items()}
    for k, (i, j) in enumerate(pairs):
        for path, who in (("sides.a", i), ("sides.b", j)):
            at = (*axes, path, k)
            places |= {at: entrants[who].at} | entrants[who].places(at, at)
    document = plan.document
    data = {**document.data, "sweep": {"mode": "zip", "axes": values}}
    overrides = {**plan.rule_overrides, **plan.scenario_overrides}
    made = Placed(data, document.path, document.text, places)
    return planning.make(made, seed=plan.experiment.seed, overrides=overrides)


# Who meets whom


def _groups(
    document: Document, asked: Matrix, entrants: Sequence[Entrant], game: Game
) -> tuple[list[Group], list[str]]:
    everybody = tuple(range(len(entrants)))
    if asked.groups is not None:
        named = _named(document, asked.groups, entrants)
        idle = [one.title for i, one in enumerate(entrants) if not any(i in group.members for group in named)]
        verb = "is" if len(idle) == 1 else "are"
        return named, [f"{' and '.join(idle)} met nobody and {verb} in no group"] if idle else []
    budgets = {one.budget for one in entrants}
    classes = _classes(entrants)
    if asked.classes == "all":
        whole = Group("all", everybody, budgets.pop() if len(budgets) == 1 else None)
        return [whole, *(group for group in classes if len(group.members) > 1 and len(classes) > 1)], []
    if None in budgets:
        message = f"{game.TITLE} does not tell what a side costs"
        raise refused(document, "meaning", message, (TABLE, "classes"), "say who meets whom in groups", "value")
    alone = [entrants[group.members[0]].title for group in classes if len(group.members) == 1]
    notes = [f"{' and '.join(alone)} met nobody: no other side has the same budget"] if alone else []
    kept = [group for group in classes if len(group.members) > 1]
    if not kept:
        message = "no two of these sides have the same budget"
        raise refused(document, "meaning", message, (TABLE, "classes"), 'classes = "all" lets everybody meet', "value")
    return kept, notes


def _classes(entrants: Sequence[Entrant]) -> list[Group]:
    """Part those who take part by their budgets, the smallest first."""
    found: dict[Budget, list[int]] = {}
    for i, one in enumerate(entrants):
        if one.budget is not None:
            found.setdefault(one.budget, []).append(i)
    return [Group(words(budget), tuple(found[budget]), budget) for budget in sorted(found)]


def words(budget: Budget) -> str:
    """Say a budget.

    Examples
    --------
    >>> words(Budget(5, "size classes"))
    '5 size classes'
    """
    return f"{budget.amount} {budget.unit}"


def _named(document: Document, groups: Mapping[str, Sequence[str]], entrants: Sequence[Entrant]) -> list[Group]:
    known = {one.id: i for i, one in enumerate(entrants)}
    found, problems = [], []
    for name, ids in groups.items():
        for k, id in enumerate(ids):
            at = (TABLE, "groups", name, k)
            if id not in known or id in ids[:k]:
                close = did_you_mean(id, known)
                message = f"'{id}' does not take part" if id not in known else f"'{id}' stands there twice"
                hint = f"did you mean '{close}'? " if close and close != id else ""
                help = f"{hint}there are: {', '.join(known)}"
                problems.append(Problem("value", message, document.path, document.where(at, "value"), help))
        members = tuple(sorted({known[id] for id in ids if id in known}))
        budgets = {entrants[i].budget for i in members}
        found.append(Group(name, members, budgets.pop() if len(budgets) == 1 else None))
    if problems:
        raise ProblemError(problems, document.sources)
    return found
