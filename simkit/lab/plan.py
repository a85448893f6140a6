"""From a question to a plan: every cell that will be played, checked before anything is.

All problems of a file are found at once. A cell is one combination of the sweep: its rules, its
scenario, and the Setup record the kernels play. Its fingerprint depends on nothing but what can
change its counts, so that a cell met again in another plan is never played twice.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from simkit.core.key import Key, make_key
from simkit.games import protocol
from simkit.lab import resolve, toml, weights
from simkit.lab.experiment import SCENARIO_TABLES, SCHEMA, Experiment
from simkit.lab.house import Loaded
from simkit.lab.plainly import plainly
from simkit.lab.problems import Problem, ProblemError, from_pydantic
from simkit.lab.toml import Document

TOO_LONG = 900.0
"""Seconds after which a plan asks for --yes."""

MOST_KEPT = 2000
"""Cells up to which batch sums of further columns are kept in memory: two kilobytes each."""


@dataclass(frozen=True)
class Cell:
    """One combination of the sweep."""

    number: int
    """Row of cells.csv, counted from 1."""
    factors: Mapping[str, Any]
    """Axis to value, as the file has it."""
    labels: Mapping[str, str]
    """Axis to the value in words."""
    rules: Any
    scenario: Any
    setup: Any
    fingerprint: str
    """16 hexadecimal digits that stand for everything that can change the counts."""
    baseline: int | None = None
    """Position of the cell it is compared with."""

    @property
    def title(self) -> str:
        """The cell in a few words."""
        return ", ".join(self.labels.values()) or "the only cell"


@dataclass(frozen=True)
class Plan:
    """Everything that will be played, and how much."""

    document: Document
    experiment: Experiment
    game: protocol.Game
    cells: list[Cell]
    trials: int
    """Trials (games) a cell, or the most there may be with `precision`; whole units."""
    changes: Mapping[str, Any]
    """Rules that differ from the rules of record in every cell, by path."""
    house_rules: Mapping[str, Loaded]
    warnings: list[Problem] = field(default_factory=list)
    replication: int = 0
    rule_overrides: Mapping[str, Any] = field(default_factory=dict)
    """Rules set outside the file, by path."""
    scenario_overrides: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the scenario set outside the file, by path."""

    @property
    def units(self) -> int:
        """Units a cell: what has its own dice, one trial or a pair of games with the seats swapped."""
        return self.trials // self.game.GAMES_A_UNIT

    @property
    def scenario_data(self) -> dict[str, Any]:
        """What the game makes its scenario from, before axes and values given outside are laid over it."""
        return self.experiment.for_game(self.game)

    @cached_property
    def axes_of_label(self) -> Mapping[str, frozenset[str]]:
        """The axes whose values some cell calls by a label; a label of several axes says little by itself."""
        found: dict[str, set[str]] = {}
        for cell in self.cells:
            for axis, label in cell.labels.items():
                found.setdefault(label, set()).add(axis)
        return {label: frozenset(axes) for label, axes in found.items()}

    @property
    def metric(self) -> str:
        """The outcome that the report turns on."""
        return self.experiment.report.metric or self.game.HEADLINE

    @property
    def kept(self) -> tuple[str, ...]:
        """The columns whose batch sums are kept besides those of the report metric; of very many cells none."""
        fight = protocol.fight_of(self.game)
        return fight.contested if fight is not None and len(self.cells) <= MOST_KEPT else ()

    @property
    def level(self) -> float:
        """Confidence level of all intervals."""
        return self.experiment.run.level

    @property
    def baseline(self) -> Mapping[str, Any]:
        """What the cells are compared with: axis to value, in the order of the axes; empty without a comparison."""
        compare = self.experiment.compare
        given = {} if compare is None else compare.baseline
        return {name: given[name] for name in self.experiment.sweep.axes if name in given}

    def title(self, axis: str) -> str:
        """Return what a player would call an axis; axes of one name go by their paths."""
        titles = {name: self.game.axis_title(name) for name in self.experiment.sweep.axes}
        return titles[axis] if list(titles.values()).count(titles[axis]) == 1 else axis

    @cached_property
    def key(self) -> Key:
        """The two words that all dice of this plan hang on."""
        return make_key(self.experiment.seed, self.replication)

    @cached_property
    def fingerprint(self) -> str:
        """Name of the folder of results: 16 hexadecimal digits that stand for everything that a report can say."""
        parts = [
            resolve.resolved(self),
            [[name, resolve.house_rule(loaded)] for name, loaded in self.house_rules.items()],
            self.replication,
            self.game.EDITION,
            [[cell.fingerprint, cell.baseline] for cell in self.cells],
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    @property
    def groups(self) -> list[list[int]]:
        """Cells that are played together on the same dice: a baseline first, then those compared with it."""
        found: dict[int, list[int]] = {}
        for i, cell in enumerate(self.cells):
            head = i if cell.baseline is None else cell.baseline
            found.setdefault(head, [head])
            if i != head:
                found[head].append(i)
        return list(found.values())

    def seconds(self, threads: int) -> float:
        """About how long it will take to play everything on so many threads."""
        played = sum(self.game.nanoseconds(cell.setup) for cell in self.cells)
        again = sum(self.game.nanoseconds(self.cells[group[0]].setup) * max(0, len(group) - 2) for group in self.groups)
        return (played + again) * self.trials * 1e-9 / threads


def make(
    source: str | Path | Mapping[str, Any] | Experiment | Document,
    *,
    trials: int | None = None,
    seed: int | None = None,
    precision: float | None = None,
    overrides: Mapping[str, Any] | None = None,
    replication: int = 0,
) -> Plan:
    """Read an experiment and plan it.

    Parameters
    ----------
    source
        A TOML file, a document that was read, or the same tables as a dictionary or a model.
    trials, seed, precision
        In place of the file's.
    overrides
        Values by dotted path that win over everything else: rules, or fields of the scenario.
    replication
        0 for the run itself; another number plays the same plan on fresh dice.

    Raises
    ------
    ProblemError
        With every problem of the file.
    """
    from simkit.lab.marches import is_march
    from simkit.lab.planner import Planner

    document, overrides = weights.gathered(document_of(source)), plainly(overrides or {})
    if "for" in document.data and "game" not in document.data:
        message = "this is a house rule, not an experiment"
        help = 'name it in an experiment: house_rules = ["its-file-name"]'
        raise ProblemError([Problem("file", message, document.path, help=help)], document.sources)
    if weights.is_tuned(document.data):
        message = "these are tuned weights, no experiment"
        help = f'name them in one: tuned = ["{Path(document.path).name}"]'
        raise ProblemError([Problem("file", message, document.path, help=help)], document.sources)
    if is_march(document.data):
        message = "this is a march, not an experiment"
        raise ProblemError([Problem("file", message, document.path, help="simkit march shows it")], document.sources)
    try:
        experiment = Experiment.model_validate(document.data)
    except ValidationError as error:
        raise _with_the_rest(error, document, overrides) from error
    experiment = _with(document, trials, seed, precision)
    return Planner(document, experiment, overrides, replication).plan()


def document_of(source: str | Path | Mapping[str, Any] | Experiment | Document) -> Document:
    """Return an experiment as a document: read from its file, or made of its tables."""
    if isinstance(source, Document):
        return source
    if isinstance(source, Experiment):
        source = source.model_dump(by_alias=True, exclude_unset=True, exclude_none=True)
    if isinstance(source, Mapping):
        return toml.parse(resolve.dumps(plainly(source)), "experiment")
    return toml.read(source)


def _with_the_rest(error: ValidationError, document: Document, overrides: Mapping[str, Any]) -> ProblemError:
    """Gather the problems of the tables of an experiment, and those of the rest of it where it can be told apart."""
    from simkit.lab.planner import Planner, in_order

    problems = from_pydantic(error, document, model=Experiment)
    wrong = {str(details["loc"][0]) for details in error.errors(include_url=False)}
    strange = {key for key in wrong if key not in _KEYS}
    if wrong & _PLANNED or any(isinstance(document.data[key], dict) for key in strange):
        return ProblemError(problems, document.sources)
    dropped = wrong | ({"compare"} if "sweep" in wrong else set())
    rest = {key: value for key, value in document.data.items() if key not in dropped}
    rest = {"schema": SCHEMA, "name": "nameless"} | rest
    try:
        Planner(Document(rest, document.path, document.text), Experiment.model_validate(rest), overrides, 0).plan()
    except ProblemError as more:
        return ProblemError(in_order([*problems, *more.problems], document.path), document.sources | more.sources)
    return ProblemError(problems, document.sources)


_KEYS = frozenset(info.alias or name for name, info in Experiment.model_fields.items())
_PLANNED = frozenset(["game", "house_rules", "set", *SCENARIO_TABLES])
"""Where one of these is wrong, what is wrong beside it cannot be told."""


def _with(document: Document, trials: int | None, seed: int | None, precision: float | None) -> Experiment:
    """Put values given by the caller in place of the file's.

    Trials take the place of a precision too; trials and a precision together are the most there may be and the aim.
    """
    data = dict(document.data)
    run = dict(data.get("run", {}))
    if precision is not None:
        run["precision"] = precision
        if "trials" in run:
            run["max_trials"] = run.pop("trials")
    if trials is not None and precision is None:
        run = {key: value for key, value in run.items() if key not in ("precision", "max_trials")} | {"trials": trials}
    elif trials is not None:
        run["max_trials"] = trials
    if run:
        data["run"] = run
    if seed is not None:
        data["seed"] = seed
    changed = Document(data, document.path, document.text)
    try:
        return Experiment.model_validate(data)
    except ValidationError as error:
        raise ProblemError(from_pydantic(error, changed, model=Experiment), changed.sources) from error
