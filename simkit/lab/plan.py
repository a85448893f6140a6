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

from simkit.core.rng import DICE_VERSION, Key, make_key
from simkit.games import protocol
from simkit.lab import axes, house, toml
from simkit.lab.experiment import DEFAULT_TRIALS, Experiment, flatten
from simkit.lab.house import Change, Loaded, Origin
from simkit.lab.problems import Problem, ProblemError, did_you_mean, from_pydantic
from simkit.lab.toml import Document

TOO_LONG = 900.0
"""Seconds after which a plan asks for --yes."""


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
    """Trials a cell, or the most there may be with `precision`."""
    changes: Mapping[str, Any]
    """Rules that differ from the rules of record in every cell, by path."""
    house_rules: Mapping[str, Loaded]
    warnings: list[Problem] = field(default_factory=list)
    replication: int = 0
    overrides: Mapping[str, Any] = field(default_factory=dict)
    """Values given outside the file, by path."""

    @property
    def metric(self) -> str:
        """The outcome that the report turns on."""
        return self.experiment.report.metric or self.game.HEADLINE

    @property
    def level(self) -> float:
        """Confidence level of all intervals."""
        return self.experiment.run.level

    @cached_property
    def key(self) -> Key:
        """The two words that all dice of this plan hang on."""
        return make_key(self.experiment.seed, self.replication)

    @cached_property
    def fingerprint(self) -> str:
        """Name of the folder of results: 16 hexadecimal digits."""
        run = self.experiment.run
        parts = [
            self.experiment.name,
            self.experiment.question,
            self.game.NAME,
            [[cell.fingerprint, cell.labels, cell.baseline] for cell in self.cells],
            [self.trials, run.precision, run.level, self.metric],
            [self.experiment.report.target, self.experiment.report.fair_within],
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]

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
        again = sum(
            self.game.nanoseconds(self.cells[group[0]].setup) * max(0, len(group) - 2) for group in self.groups
        )
        return (played + again) * self.trials * 1e-9 / threads


def make(
    source: str | Path | Mapping[str, Any] | Document,
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
        A TOML file, a document that was read, or the same tables as a dictionary.
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
    document = _document(source)
    try:
        experiment = Experiment.model_validate(document.data)
    except ValidationError as error:
        raise ProblemError(from_pydantic(error, document, model=Experiment), document.sources) from error
    experiment = _with(experiment, document, trials, seed, precision)
    return _Planner(document, experiment, dict(overrides or {}), replication).plan()


def _document(source: str | Path | Mapping[str, Any] | Document) -> Document:
    if isinstance(source, Document):
        return source
    if isinstance(source, Mapping):
        import tomli_w

        return toml.parse(tomli_w.dumps(source), "experiment")
    return toml.read(source)


def _with(
    experiment: Experiment, document: Document, trials: int | None, seed: int | None, precision: float | None
) -> Experiment:
    data = dict(document.data)
    run = dict(data.get("run", {}))
    if trials is not None:
        if experiment.run.precision is None and precision is None:
            run["trials"] = trials
        else:
            run["max_trials"] = trials
    if precision is not None:
        if "trials" in run:
            run["max_trials"] = run.pop("trials")
        run["precision"] = precision
    if run:
        data["run"] = run
    if seed is not None:
        data["seed"] = seed
    changed = Document(data, document.path, document.text)
    try:
        return Experiment.model_validate(data)
    except ValidationError as error:
        raise ProblemError(from_pydantic(error, changed, model=Experiment), changed.sources) from error


class _Planner:
    """Builds the cells of one experiment and collects every problem on the way."""

    def __init__(
        self, document: Document, experiment: Experiment, overrides: dict[str, Any], replication: int
    ) -> None:
        self.document = document
        self.experiment = experiment
        self.replication = replication
        self.problems: list[Problem] = []
        self.sources = dict(document.sources)
        self.house: dict[str, Loaded] = {}
        self.rules_made: dict[str, Any] = {}
        self.reported: set[tuple[Any, ...]] = set()
        self.game = self._game()
        text = "\n".join(f"{house.toml_text(path)} = {house.toml_text(value)}" for path, value in overrides.items())
        self.settings = toml.parse(text, "--set")
        self.sources |= self.settings.sources
        self.overrides = overrides

    def complain(self, kind: str, message: str, at: tuple[str | int, ...], help: str | None = None, **more: Any) -> None:
        """Note a problem at a place of the experiment's file, once."""
        span = self.document.where(at, more.pop("part", "key"))
        mark = (message, span)
        if mark not in self.reported:
            self.reported.add(mark)
            self.problems.append(Problem(kind, message, self.document.path, span, help, **more))

    def stop(self) -> None:
        """Raise if anything is wrong so far."""
        if any(problem.severity == "error" for problem in self.problems):
            raise ProblemError(self.problems, self.sources)

    def _game(self) -> protocol.Game:
        name = self.experiment.game
        try:
            return protocol.load(name)
        except protocol.UnknownGameError:
            close = did_you_mean(name, protocol.find())
            hint = f"did you mean '{close}'? " if close else ""
            at = self.document.where(("game",), "value")
            message = f"no game is called '{name}'"
            problem = Problem(
                "value", message, self.document.path, at, f"{hint}there are: {', '.join(protocol.find())}"
            )
            raise ProblemError([problem], self.document.sources) from None

    def plan(self) -> Plan:
        """Build everything."""
        experiment = self.experiment
        self._check_tables()
        self._check_metric()
        self.problems += axes.shape_problems(experiment.sweep, self.document)
        self._check_axes()
        base = self._base()
        self.stop()
        scenario_axes = [name for name in experiment.sweep.axes if self._is_scenario(name)]
        points = list(axes.points(experiment.sweep, experiment.seed))
        cells = [self._cell(i, point, base, scenario_axes) for i, point in enumerate(points)]
        self.stop()
        if experiment.compare is not None:
            cells = self._compared(cells, experiment.compare.baseline)
        self._check_twice(cells)
        self.stop()
        run = experiment.run
        most = run.trials or run.max_trials or (DEFAULT_TRIALS if run.precision is None else 100 * DEFAULT_TRIALS)
        return Plan(
            self.document,
            experiment,
            self.game,
            cells,
            most,
            self._common(cells),
            self.house,
            self.problems,
            self.replication,
            self.overrides,
        )

    def _check_tables(self) -> None:
        allowed = list(self.game.Scenario.model_fields)
        for table in self.experiment.scenario_data:
            if table not in allowed:
                self.complain(
                    "typo", f"[{table}] is not for {self.game.NAME}", (table,), f"its tables are: {', '.join(allowed)}"
                )
        for table, info in self.game.Scenario.model_fields.items():
            if info.is_required() and table not in self.experiment.scenario_data:
                self.complain("value", f"[{table}] is missing", (), f"{self.game.NAME} needs it: simkit new shows one")

    def _check_metric(self) -> None:
        names = [metric.name for metric in self.game.OUTCOMES]
        metric = self.experiment.report.metric
        if metric is not None and metric not in names:
            close = did_you_mean(metric, names)
            hint = f"did you mean '{close}'? " if close else ""
            self.complain(
                "value",
                f"{self.game.NAME} counts nothing called '{metric}'",
                ("report", "metric"),
                f"{hint}it counts: {', '.join(names)}",
                part="value",
            )

    def _is_scenario(self, path: str) -> bool:
        return path.split(".")[0] in self.game.Scenario.model_fields

    def _check_axes(self) -> None:
        rules = Change.of(self.game)
        for name, axis in self.experiment.sweep.axes.items():
            at = ("sweep", "axes", name)
            if name == axes.HOUSE_RULES:
                if not isinstance(axis, list) or not all(
                    isinstance(item, list) and all(isinstance(one, str) for one in item) for item in axis
                ):
                    self.complain(
                        "shape", "the axis house_rules is a list of lists of house rules", at, '[[], ["soft-bogs"]]'
                    )
            elif name in self.overrides:
                self.complain("meaning", f"--set {name} and the axis '{name}' exclude each other", at)
            elif not self._is_scenario(name) and name not in rules.paths() and not self._added(name):
                close = did_you_mean(name, [*rules.paths(), *self._scenario_paths()])
                known = house.get(rules.data, close) if close else None
                hint = f"did you mean '{close}'{f' (now {house.toml_text(known)})' if known is not None else ''}? "
                self.complain(
                    "override",
                    f"rules '{self.game.NAME}' have no parameter '{name}'",
                    at,
                    f"{hint if close else ''}all names: simkit rules {self.game.NAME}",
                )

    def _added(self, path: str) -> bool:
        """Tell whether a house rule of this experiment may add an entry of that name."""
        return bool(self.experiment.house_rules) and path.split(".")[0] in self.game.Rules.model_fields

    def _scenario_paths(self) -> list[str]:
        return [path for path, _ in flatten(self.experiment.scenario_data)]

    def _load(self, reference: str, origin: Origin) -> list[Loaded]:
        near = Path(self.document.path).parent
        try:
            loaded = house.load(reference, near, self.game.NAME, origin)
        except ProblemError as error:
            new = [p for p in error.problems if (p.message, p.span) not in self.reported]
            self.reported |= {(p.message, p.span) for p in new}
            self.problems += new
            self.sources |= error.sources
            return []
        for one in loaded:
            self.house[one.id] = one
            self.sources |= one.document.sources
        return loaded

    def _base(self) -> list[Loaded]:
        """Load the house rules that hold in every cell, and those that an axis names."""
        base = []
        for i, reference in enumerate(self.experiment.house_rules):
            base += self._load(reference, Origin(self.document, ("house_rules", i)))
        axis = self.experiment.sweep.axes.get(axes.HOUSE_RULES)
        for i, references in enumerate(axis if isinstance(axis, list) else []):
            for k, reference in enumerate(references if isinstance(references, list) else []):
                if isinstance(reference, str):
                    self._load(reference, Origin(self.document, ("sweep", "axes", axes.HOUSE_RULES, i, k)))
        return base

    def _cell(self, i: int, point: axes.Point, base: list[Loaded], scenario_axes: list[str]) -> Cell:
        rules = self._rules(point, base, scenario_axes)
        scenario = self._scenario(point, scenario_axes)
        setup = None
        fingerprint = ""
        if rules is not None and scenario is not None:
            for complaint in self.game.complaints(scenario, rules):
                at, note = self._blame(complaint.path, point, scenario_axes)
                cites = f" ({complaint.id})" if complaint.id else ""
                self.complain(
                    "rule" if complaint.id else "meaning",
                    complaint.message + cites,
                    at,
                    complaint.help or None,
                    part="value",
                    note=note,
                )
            if not self.problems:
                setup = self.game.compile(scenario, rules)
                fingerprint = self._fingerprint(setup)
        return Cell(i + 1, point, self._labels(point), rules, scenario, setup, fingerprint)

    def _blame(
        self, path: tuple[str | int, ...], point: axes.Point, scenario_axes: list[str]
    ) -> tuple[tuple[str | int, ...], str | None]:
        """Find the place that set a field of the scenario: an axis, or the table itself."""
        said = ".".join(str(part + 1) if isinstance(part, int) else part for part in path)
        for name in scenario_axes:
            if said == name or said.startswith(f"{name}.") or name.startswith(f"{said}."):
                return axes.value_place(self.document, self.experiment.sweep, name, point[name]), None
        return path, None

    def _rules(self, point: axes.Point, base: list[Loaded], scenario_axes: list[str]) -> Any:
        wanted = {name: value for name, value in point.items() if name not in scenario_axes}
        mark = json.dumps(wanted, sort_keys=True, default=str)
        if mark not in self.rules_made:
            change = Change.of(self.game)
            for loaded in base:
                change.apply(loaded)
            for reference in wanted.pop(axes.HOUSE_RULES, []):
                for loaded in house.load(
                    reference,
                    Path(self.document.path).parent,
                    self.game.NAME,
                    Origin(self.document, ("sweep", "axes", axes.HOUSE_RULES)),
                ):
                    change.apply(loaded)
            for path, value in flatten(self.experiment.set):
                keys = house.document_path(self.document.data.get("set", {}), path, ("set",))
                change.put(path, value, Origin(self.document, keys))
            for path, value in wanted.items():
                place = axes.value_place(self.document, self.experiment.sweep, path, value)
                change.put(path, value, Origin(self.document, place))
            for path, value in self.overrides.items():
                if not self._is_scenario(path):
                    change.put(path, value, Origin(self.settings, (path,)))
            try:
                self.rules_made[mark] = change.rules()
            except ProblemError as error:
                self._gather(error)
                self.rules_made[mark] = None
        return self.rules_made[mark]

    def _gather(self, error: ProblemError) -> None:
        """Take over the problems of a part, each place once."""
        for problem in error.problems:
            mark = (problem.message, problem.span)
            if mark not in self.reported:
                self.reported.add(mark)
                self.problems.append(problem)
        self.sources |= error.sources

    def _scenario(self, point: axes.Point, scenario_axes: list[str]) -> Any:
        data = self.experiment.scenario_data
        changes = {name: point[name] for name in scenario_axes}
        changes |= {path: value for path, value in self.overrides.items() if self._is_scenario(path)}
        try:
            # one bad step in the file is reported at the step, whatever the sweep makes of it
            varied = self.game.vary(data, changes)
        except KeyError as error:
            for name in changes:
                self._try(data, name, changes[name], str(error.args[0]))
            return None
        try:
            return self.game.Scenario.model_validate(varied)
        except ValidationError as error:
            changed = Document(varied, self.document.path, self.document.text)
            for problem in from_pydantic(error, changed, model=self.game.Scenario):
                first = error.errors(include_url=False)[0]["loc"]
                place, _ = self._blame(tuple(first), point, scenario_axes)
                swept = place[:2] == ("sweep", "axes")
                span = self.document.where(place, "value") if swept else problem.span
                self._gather(
                    ProblemError(
                        [Problem(problem.kind, problem.message, problem.path, span, problem.help, problem.note)]
                    )
                )
            return None

    def _try(self, data: dict[str, Any], path: str, value: Any, message: str) -> None:
        """Say which of the changes leads nowhere."""
        try:
            self.game.vary(data, {path: value})
        except KeyError as error:
            message = f"'{path}' is not in the file: {error.args[0]}"
            if path in self.overrides:
                span = self.settings.where((path,))
                self._gather(ProblemError([Problem("override", message, self.settings.path, span)]))
            else:
                self.complain("override", message, ("sweep", "axes", path))

    def _labels(self, point: axes.Point) -> dict[str, str]:
        labels = {}
        for name, value in point.items():
            try:
                word = self.game.label(name, value)
            except (ValueError, TypeError):
                word = None
            if word is None and name == axes.HOUSE_RULES:
                word = " + ".join(value) or "none"
            if word is None:
                word = value if isinstance(value, str) else house.toml_text(value)
            labels[name] = word
        return labels

    def _fingerprint(self, setup: Any) -> str:
        schema = [metric.name for metric in self.game.OUTCOMES]
        parts = [
            self.game.NAME,
            self.game.VERSION.number,
            DICE_VERSION,
            schema,
            self.experiment.seed,
            self.replication,
        ]
        return hashlib.sha256(json.dumps(parts).encode() + setup.tobytes()).hexdigest()[:16]

    def _compared(self, cells: list[Cell], baseline: Mapping[str, Any]) -> list[Cell]:
        """Find each cell's baseline: alike in every axis but those of the baseline."""
        known = self.experiment.sweep.axes
        for axis in baseline:
            if axis not in known:
                close = did_you_mean(axis, known)
                hint = f"did you mean '{close}'? " if close else ""
                self.complain(
                    "meaning",
                    f"'{axis}' is not an axis of the sweep",
                    ("compare", "baseline", axis),
                    f"{hint}axes: {', '.join(known) or 'none'}",
                )
        if self.problems:
            return cells

        def others(cell: Cell) -> str:
            return json.dumps({k: v for k, v in cell.factors.items() if k not in baseline}, sort_keys=True)

        def same(a: Any, b: Any) -> bool:
            return type(a) is type(b) and a == b

        heads: dict[str, list[int]] = {}
        for i, cell in enumerate(cells):
            if all(same(cell.factors[axis], value) for axis, value in baseline.items()):
                heads.setdefault(others(cell), []).append(i)
        made = []
        for i, cell in enumerate(cells):
            found = heads.get(others(cell), [])
            if len(found) != 1:
                self.complain(
                    "meaning",
                    f"the baseline matches {len(found)} cells, not one, beside the cell '{cell.title}'",
                    ("compare", "baseline"),
                    'every combination of the other axes needs one: mode = "grid", and a value that is on the axis',
                )
                return cells
            made.append(cell if found[0] == i else _replace(cell, baseline=found[0]))
        return made

    def _check_twice(self, cells: list[Cell]) -> None:
        """Warn of an axis that changes nothing."""
        for name, values in axes.varied([cell.factors for cell in cells]).items():
            if len(values) < 2:
                continue
            prints: dict[str, set[str]] = {}
            for cell in cells:
                rest = json.dumps({k: v for k, v in cell.factors.items() if k != name}, sort_keys=True, default=str)
                prints.setdefault(rest, set()).add(cell.fingerprint)
            if self.experiment.sweep.mode == "grid" and all(len(found) == 1 for found in prints.values()):
                self.complain(
                    "meaning",
                    f"the axis '{name}' changes nothing in this scenario",
                    ("sweep", "axes", name),
                    "its cells will show equal numbers",
                    severity="warning",
                )

    def _common(self, cells: list[Cell]) -> dict[str, Any]:
        """List the rules that differ from the rules of record alike in all cells."""
        record = dict(flatten(self.game.Rules().model_dump()))
        tables = [dict(flatten(rules.model_dump())) for rules in {id(c.rules): c.rules for c in cells}.values()]
        first = tables[0]
        return {
            path: value
            for path, value in first.items()
            if record.get(path) != value and all(table.get(path) == value for table in tables)
        }


def _replace(cell: Cell, **changes: Any) -> Cell:
    from dataclasses import replace

    return replace(cell, **changes)
