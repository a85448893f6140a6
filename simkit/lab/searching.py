"""Which builds are searched, and against whom: the table ``[search]`` read and looked at before anything is played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from simkit.games import protocol
from simkit.games.protocol import Build, Building, Game
from simkit.lab import plan as planning
from simkit.lab import weights
from simkit.lab.asked.search import LEAST_LAST, MOST_LAST, Search
from simkit.lab.asks import Sides, experiment_of, planned, refuse_sides, refused, shared, together
from simkit.lab.bouts import Arena
from simkit.lab.experiment import Experiment
from simkit.lab.modelpath import KeyPath
from simkit.lab.plan import Plan
from simkit.lab.problems import Problem, ProblemError, did_you_mean
from simkit.lab.toml import Document

TABLE = "search"
OWN = ("design", "units", "title")
"""What a side has of its own; everything else goes with whoever takes its place."""


class Entrant(NamedTuple):
    """A build that takes part: its name, and its side."""

    name: str
    side: Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """What is searched for.

    Attributes
    ----------
    plan
        The experiment itself, with the first two for its sides.
    table
        The table, everything spelt out.
    budget
        Of the builds.
    field
        Whom the search begins with; or, of a counter, whom it is to beat.
    builder
        The game, as far as it makes builds.
    """

    plan: Plan
    table: Search
    budget: int
    field: tuple[Entrant, ...]
    builder: Building

    @property
    def settings(self) -> dict[str, Any]:
        """Return the table ``[search]`` with everything spelt out."""
        given = self.table.model_dump(exclude_none=True)
        return {name: value for name, value in given.items() if value != []}

    @property
    def is_counter(self) -> bool:
        """Tell whether somebody is to be countered."""
        return self.table.counter is not None

    @property
    def count(self) -> int:
        """Count the legal builds of the budget, those with forbidden items among them."""
        return self.builder.build_count(self.budget, self.plan.cells[0].rules)

    def allows(self, build: Build) -> bool:
        """Tell whether a build has what it must, and nothing that it must not."""
        have = set(build.items)
        only = set(self.table.only)
        return not have & set(self.table.without) and set(self.table.needs) <= have and (not only or have <= only)

    def entrant(self, build: Build) -> Entrant:
        """Return a build with what goes with every side."""
        return Entrant(build.name, {**shared(self.plan.experiment, "a", OWN), **build.side})


def read(
    source: str | Path | Mapping[str, Any] | Document,
    *,
    trials: int | None = None,
    seed: int | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Asked:
    """Read what is searched for.

    Parameters
    ----------
    source
        A TOML file, a document that was read, or the same tables as a dictionary.
    trials
        In place of the file's ``last``: games of a finalist against everybody.
    seed, overrides
        As :func:`simkit.lab.plan.make` takes them.

    Raises
    ------
    ProblemError
        With everything that is wrong with the file, those it names, or the game.
    ValueError
        So many trials are not allowed.

    Examples
    --------
    >>> asked = read({"schema": 1, "name": "toy", "game": "jugger", "search": {"budget": 3}})
    >>> [one.name for one in asked.field], asked.count
    (['Archer', 'Cutter', 'Backbiter', 'Lumberjack', 'Desert Rat'], 5128)
    """
    document = weights.gathered(planning.document_of(source))
    experiment, game = experiment_of(document)
    refuse_sides(document, TABLE, overrides)
    builder = protocol.building_of(game)
    if builder is None:
        there = [name for name in protocol.find() if protocol.building_of(protocol.load(name)) is not None]
        message = f"{game.TITLE} has no designs that are built to a budget"
        raise refused(document, "value", message, ("game",), f"games that have: {', '.join(there)}")
    table = experiment.search
    if table is None:
        help = '[search] with budget = 3 for the strongest builds, or counter = "thrasher" for what beats it'
        raise refused(document, "meaning", "nothing is searched for: there is no table [search]", (), help)
    if trials is not None:
        if not LEAST_LAST <= trials <= MOST_LAST:
            raise ValueError(f"trials is {trials}; allowed are {LEAST_LAST:,} to {MOST_LAST:,}")
        table = table.model_copy(update={"last": trials, "first": min(table.first, trials)})
    _check_tune(document, experiment, game, table)
    field = _field(document, experiment, game, table)
    given = table
    table, base, _ = together(
        lambda: _spelt(document, given, builder),
        lambda: planned(document, _met(field or [_any(game)]), seed, overrides),
        lambda: _check_budget(document, builder, given.budget),
        lambda: _check_twice(document, game, field),
    )[:3]
    budget = table.budget or _budget(document, game, builder, base)
    if table.counter is None:
        _check_prices(document, game, builder, field, Arena(base), budget)
    if not field:
        field = _presets(game, experiment, table, base, budget)
        base = planned(document, _met(field[:1]), seed, overrides) if field else base
    asked = Asked(
        base, table.model_copy(update={"budget": budget}), budget, tuple(one.entrant for one in field), builder
    )
    if asked.count == 0:
        raise refused(document, "value", f"{builder.BUDGET_IS} {budget} has no legal build", (TABLE, "budget"), None)
    return asked


class _At(NamedTuple):
    entrant: Entrant
    at: KeyPath


def _spelt(document: Document, table: Search, builder: Building) -> Search:
    """Spell the items as the game does, or say which of them there are not."""
    problems, found = [], dict[str, list[str]]()
    for key in ("without", "needs", "only"):
        found[key] = []
        for k, name in enumerate(getattr(table, key)):
            item = builder.build_item(name)
            if item is None:
                there = builder.build_items()
                close = did_you_mean(name, there)
                hint = f"did you mean '{close}'? " if close else ""
                at = document.where((TABLE, key, k), "value")
                message = f"no build has an item called '{name}'"
                problems.append(Problem("value", message, document.path, at, f"{hint}there are: {', '.join(there)}"))
            elif item in found[key]:
                at = document.where((TABLE, key, k), "value")
                message = f"'{item}' stands in {key} twice"
                problems.append(Problem("meaning", message, document.path, at, "each once"))
            else:
                found[key].append(item)
    if problems:
        raise ProblemError(problems, document.sources)
    both = sorted(set(found["needs"]) & set(found["without"]))
    if both:
        message = f"'{both[0]}' is both needed and forbidden"
        raise refused(document, "meaning", message, (TABLE, "needs"), "leave it out of one of them")
    none_left = bool(found["only"]) and set(found["only"]) <= set(found["without"])
    if none_left:
        message = "every one of the only items is forbidden"
        raise refused(document, "meaning", message, (TABLE, "only"), "leave something to build with")
    strange = sorted(set(found["needs"]) - set(found["only"])) if found["only"] else []
    if strange:
        message = f"'{strange[0]}' is needed, and not among the only items"
        raise refused(document, "meaning", message, (TABLE, "needs"), "add it to only")
    return table.model_copy(update=found)


def _field(document: Document, experiment: Experiment, game: Game, table: Search) -> list[_At]:
    """List whom the file names: those to begin with, or who is to be countered."""
    if table.counter is not None:
        return [_entrant(experiment, game, table.counter, (TABLE, "counter"), 0)]
    return [_entrant(experiment, game, one, (TABLE, "field", k), k) for k, one in enumerate(table.field)]


def _entrant(experiment: Experiment, game: Game, design: Any, at: KeyPath, number: int) -> _At:
    try:
        titled = game.label("sides.b.design", design)
    except (ValueError, TypeError, LookupError):
        titled = None  # which is told with everything else
    name = titled or (design if isinstance(design, str) else f"build {number + 1}")
    return _At(Entrant(name, {**shared(experiment, "b", OWN), "design": design}), at)


def _check_twice(document: Document, game: Game, field: Sequence[_At]) -> None:
    """Refuse a build that is listed twice, in whatever spelling: it would share its part of an equilibrium."""
    problems, seen = [], list[Any]()
    for one in field:
        design = one.entrant.side["design"]
        same = one.entrant.name if isinstance(design, str) else design
        if same in seen:
            at = document.where(one.at, "value")
            message = f"'{one.entrant.name}' stands there twice"
            problems.append(Problem("shape", message, document.path, at, "leave one of them out"))
        seen.append(same)
    if problems:
        raise ProblemError(problems, document.sources)


def _check_prices(
    document: Document, game: Game, builder: Building, field: Sequence[_At], arena: Arena, budget: int
) -> None:
    """Refuse builds to begin with that are not of the budget: they would be told as the strongest of it."""
    price, problems = protocol.budget_of(game), []
    for one in field:
        if price is None:
            break
        found = price(arena.scenario(one.entrant.side, one.entrant.side), "a").amount
        if found != budget:
            at = document.where(one.at, "value")
            message = f"{one.entrant.name} has {builder.BUDGET_IS} {found}, not {budget}"
            help = f"builds of {builder.BUDGET_IS} {budget} alone, or budget = {found}"
            problems.append(Problem("meaning", message, document.path, at, help))
    if problems:
        raise ProblemError(problems, document.sources)


def _any(game: Game) -> _At:
    """Return a preset to plan with while nobody is known."""
    rated = protocol.ratings_of(game)
    name = rated.preset_names()[0] if rated is not None else ""
    return _At(Entrant(name, {"design": name}), (TABLE,))


def _met(field: Sequence[_At]) -> list[tuple[Sides, tuple[KeyPath, KeyPath]]]:
    """Pair everybody with himself."""
    return [((one.entrant.side, one.entrant.side), (one.at, one.at)) for one in field]


def _check_tune(document: Document, experiment: Experiment, game: Game, table: Search) -> None:
    """Refuse to tune players that have no weights, or others than those that are tuned."""
    if not table.tune:
        return
    weighing = protocol.weighing_of(game)
    if weighing is None:
        message = f"the players of {game.TITLE} have no weights that could be tuned"
        raise refused(document, "meaning", message, (TABLE, "tune"), "tune = 0")
    allowed = (weighing.WEIGHED, weighing.TUNED)
    policy = experiment.run.policy or protocol.default_policy(game)
    if policy not in allowed:
        message = f"weights are tuned for the players {' and '.join(allowed)}, not for {policy}"
        raise refused(document, "meaning", message, (TABLE, "tune"), 'tune = 0, or policy = "tuned" in [run]')


def _check_budget(document: Document, builder: Building, budget: int | None) -> None:
    low, high = builder.BUDGETS
    if budget is not None and not low <= budget <= high:
        message = f"{builder.BUDGET_IS} {budget}; there are {low} to {high}"
        raise refused(document, "value", message, (TABLE, "budget"), None)


def _budget(document: Document, game: Game, builder: Building, base: Plan) -> int:
    """Return the budget of whoever is to be countered."""
    low, high = builder.BUDGETS
    price = protocol.budget_of(game)
    found = None if price is None else price(base.cells[0].scenario, "b").amount
    if found is None or not low <= found <= high:
        message = f"the budget of the builds is not said, and whoever is to be countered has none from {low} to {high}"
        raise refused(document, "meaning", message, (TABLE,), f"budget = ..., a {builder.BUDGET_IS}")
    return found


def _presets(game: Game, experiment: Experiment, table: Search, base: Plan, budget: int) -> list[_At]:
    """List the presets of a budget; nobody where builds are restricted, as nobody knows what presets are made of."""
    rated, price = protocol.ratings_of(game), protocol.budget_of(game)
    if rated is None or price is None or table.without or table.needs or table.only:
        return []
    arena, found = Arena(base), list[_At]()
    for name in rated.preset_names():
        one = _entrant(experiment, game, name, (TABLE,), 0)
        scenario = arena.scenario(one.entrant.side, one.entrant.side)
        if price(scenario, "a").amount == budget and not game.complaints(scenario, arena.rules):
            found.append(one)
    return found
