"""Building the cells of an experiment, and finding every problem on the way."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from simkit.core.key import DICE_VERSION
from simkit.games import protocol
from simkit.lab import axes, door, house, toml
from simkit.lab.experiment import DEFAULT_TRIALS, Experiment, Range, flatten
from simkit.lab.house import Change, Loaded, Origin
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import Problem, ProblemError, Span, did_you_mean
from simkit.lab.resolve import reference_id
from simkit.lab.scenarios import Scenarios
from simkit.lab.toml import Document


class Planner:
    """Builds the cells of one experiment and collects every problem on the way."""

    def __init__(
        self, document: Document, experiment: Experiment, overrides: Mapping[str, Any], replication: int
    ) -> None:
        self.document = document
        self.experiment = experiment
        self.replication = replication
        self.problems: list[Problem] = []
        self.sources = dict(document.sources)
        self.house: dict[str, Loaded] = {}
        self.chains: dict[str, list[Loaded]] = {}
        self.rules_made: dict[str, Any] = {}
        self.setups: dict[tuple[int, int], tuple[Any, str]] = {}
        self.reported: set[tuple[Any, ...]] = set()
        self.wrong_axes: set[str] = set()
        self.rules_missing = False
        self.game = self._game()
        text = "\n".join(f"{house.toml_text(path)} = {house.toml_text(value)}" for path, value in overrides.items())
        self.settings = toml.parse(text, "--set")
        self.sources |= self.settings.sources
        given = self.settings.data
        self.scenario_overrides = {path: value for path, value in given.items() if self._is_scenario(path)}
        rest = {path: value for path, value in given.items() if path not in self.scenario_overrides}
        self.rule_overrides = {path: value for key, table in rest.items() for path, value in flatten({key: table})}
        self.scenario_axes = [name for name in experiment.sweep.axes if self._is_scenario(name)]
        self.scenarios = Scenarios(self)

    def gather(self, problem: Problem) -> None:
        """Note a problem, each place once."""
        mark = (problem.message, problem.path, problem.span)
        if mark not in self.reported:
            self.reported.add(mark)
            self.problems.append(problem)

    def complain(
        self, kind: str, message: str, at: tuple[str | int, ...], help: str | None = None, **more: Any
    ) -> None:
        """Note a problem at a place of the experiment's file, once."""
        span = self.document.where(at, more.pop("part", "key"))
        self.gather(Problem(kind, message, self.document.path, span, help, **more))

    @property
    def outcome(self) -> protocol.Metric | None:
        """The outcome that the report turns on; None where there is none of that name."""
        name = self.experiment.report.metric or self.game.HEADLINE
        return next((metric for metric in self.game.OUTCOMES if metric.name == name), None)

    @property
    def failed(self) -> bool:
        """Tell whether anything is wrong so far; warnings are not."""
        return any(problem.severity == "error" for problem in self.problems)

    def stop(self) -> None:
        """Raise if anything is wrong so far."""
        if self.failed:
            raise ProblemError(in_order(self.problems, self.document.path), self.sources)

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
        """Build everything.

        Raises
        ------
        ProblemError
            With every problem there is: one of them does not hide another.
        """
        experiment = self.experiment
        run, games = experiment.run, self.game.GAMES_A_UNIT
        most = run.trials or run.max_trials or (DEFAULT_TRIALS if run.precision is None else 100 * DEFAULT_TRIALS)
        door.check(self, most)
        shapeless = axes.shape_problems(experiment.sweep, self.document)
        self.problems += shapeless
        self._check_axes()
        self._load_house_rules()
        self.scenarios.check_file()
        points = [{}] if shapeless else axes.points(experiment.sweep, experiment.seed)
        cells = [self._cell(i, point) for i, point in enumerate(points)]
        if experiment.compare is not None and not shapeless:
            cells = self._compared(cells, experiment.compare.baseline)
        self.stop()
        self._check_twice(cells)
        return Plan(
            self.document,
            experiment,
            self.game,
            cells,
            -(-most // games) * games,
            self._common(cells),
            self.house,
            self.problems,
            self.replication,
            self.rule_overrides,
            self.scenario_overrides,
        )

    def _is_scenario(self, path: str) -> bool:
        return path.split(".")[0] in self.game.Scenario.model_fields

    def _check_axes(self) -> None:
        rules = Change.of(self.game)
        for name, axis in self.experiment.sweep.axes.items():
            at = ("sweep", "axes", name)
            if isinstance(axis, Range) and axis.range is not None and axis.values()[-1] != axis.range[1]:
                said = f"axis '{name}' ends at {axis.values()[-1]:g}: the steps do not lead to {axis.range[1]:g}"
                self.complain("shape", said, at, severity="warning")
            if name == axes.HOUSE_RULES:
                if not isinstance(axis, list) or not all(
                    isinstance(item, list) and all(isinstance(one, str) for one in item) for item in axis
                ):
                    self.wrong_axes.add(name)
                    self.complain(
                        "shape", "the axis house_rules is a list of lists of house rules", at, '[[], ["soft-bogs"]]'
                    )
            elif name in self.rule_overrides or name in self.scenario_overrides:
                self.wrong_axes.add(name)
                self.complain("meaning", f"--set {name} and the axis '{name}' exclude each other", at)
            elif not self._is_scenario(name) and name not in rules.paths() and not self._added(name):
                self.wrong_axes.add(name)
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
        named = bool(self.experiment.house_rules) or axes.HOUSE_RULES in self.experiment.sweep.axes
        return named and path.split(".")[0] in self.game.Rules.model_fields

    def _scenario_paths(self) -> list[str]:
        return [path for path, _ in flatten(self.experiment.for_game(self.game))]

    def _load_house_rules(self) -> None:
        """Load the house rules that hold in every cell, and those that an axis names."""
        for i, reference in enumerate(self.experiment.house_rules):
            self._load(reference, ("house_rules", i))
        axis = self.experiment.sweep.axes.get(axes.HOUSE_RULES)
        if isinstance(axis, list) and axes.HOUSE_RULES not in self.wrong_axes:
            for i, references in enumerate(axis):
                for k, reference in enumerate(references):
                    self._load(reference, ("sweep", "axes", axes.HOUSE_RULES, i, k))

    def _load(self, reference: str, at: tuple[str | int, ...]) -> None:
        if reference in self.chains:
            return
        near = Path(self.document.path).parent
        try:
            self.chains[reference] = house.load(reference, near, self.game.NAME, Origin(self.document, at))
        except ProblemError as error:
            self.rules_missing = True
            self._take_over(error)
            return
        for one in self.chains[reference]:
            other = self.house.setdefault(one.id, one)
            self.sources |= one.document.sources
            if Path(other.document.path).resolve() != Path(one.document.path).resolve():
                self.rules_missing = True
                files = f"{other.document.path} and {one.document.path}"
                self.complain(
                    "meaning", f"two house rules are called '{one.id}': {files}", at, "rename one of them", part="value"
                )

    def _take_over(self, error: ProblemError) -> None:
        """Take over the problems of a part, each place once."""
        for problem in error.problems:
            self.gather(problem)
        self.sources |= error.sources

    def _cell(self, i: int, point: axes.Point) -> Cell:
        known = {name: value for name, value in point.items() if name not in self.wrong_axes}
        rules = None if self.rules_missing else self._rules(known)
        scenario = self.scenarios.make(known)
        setup, fingerprint = None, ""
        if rules is not None and scenario is not None:
            setup, fingerprint = self._setup(rules, scenario, known)
        return Cell(i + 1, point, self._labels(point), rules, scenario, setup, fingerprint)

    def _setup(self, rules: Any, scenario: Any, point: axes.Point) -> tuple[Any, str]:
        """Compile a scenario under its rules, each pair once; what is illegal is noted."""
        pair = (id(rules), id(scenario))
        if pair not in self.setups:
            self.scenarios.complain(scenario, rules, point)
            if self.failed:
                return None, ""
            setup = self.game.compile(scenario, rules)
            self.setups[pair] = setup, self._fingerprint(setup)
        return self.setups[pair]

    def _rules(self, point: axes.Point) -> Any:
        """Return the rules of a cell: of record, house rules, [set], axes, --set; the later the stronger."""
        wanted = {name: value for name, value in point.items() if name not in self.scenario_axes}
        mark = json.dumps(wanted, sort_keys=True)
        if mark not in self.rules_made:
            change = Change.of(self.game)
            named = [*self.experiment.house_rules, *wanted.pop(axes.HOUSE_RULES, [])]
            for loaded in {one.id: one for reference in named for one in self.chains[reference]}.values():
                change.apply(loaded)
            for path, value in flatten(self.experiment.set):
                keys = house.document_path(self.document.data.get("set", {}), path, ("set",))
                change.put(path, value, Origin(self.document, keys))
            for path, value in wanted.items():
                place = axes.value_place(self.document, self.experiment.sweep, path, value)
                change.put(path, value, Origin(self.document, place))
            for path, value in self.rule_overrides.items():
                keys = house.document_path(self.settings.data, path, ())
                change.put(path, value, Origin(self.settings, keys))
            try:
                self.rules_made[mark] = change.rules()
            except ProblemError as error:
                self._take_over(error)
                self.rules_made[mark] = None
        return self.rules_made[mark]

    def _labels(self, point: axes.Point) -> dict[str, str]:
        labels = {}
        for name, value in point.items():
            try:
                word = self.game.label(name, value)
            except (ValueError, TypeError):
                word = None
            if word is None and name == axes.HOUSE_RULES and name not in self.wrong_axes:
                word = " + ".join(reference_id(reference) for reference in value) or "none"
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
        strange = [axis for axis in baseline if axis not in known]
        for axis in strange:
            close = did_you_mean(axis, known)
            hint = f"did you mean '{close}'? " if close else ""
            self.complain(
                "meaning",
                f"'{axis}' is not an axis of the sweep",
                ("compare", "baseline", axis),
                f"{hint}axes: {', '.join(known) or 'none'}",
            )
        if strange:
            return cells

        def others(cell: Cell) -> str:
            return json.dumps({k: v for k, v in cell.factors.items() if k not in baseline}, sort_keys=True)

        def same(a: Any, b: Any) -> bool:
            return type(a) is type(b) and a == b

        beside = [others(cell) for cell in cells]
        heads: dict[str, list[int]] = {}
        for i, cell in enumerate(cells):
            if all(same(cell.factors[axis], value) for axis, value in baseline.items()):
                heads.setdefault(beside[i], []).append(i)
        made = []
        for i, cell in enumerate(cells):
            found = heads.get(beside[i], [])
            if len(found) != 1:
                self.complain(
                    "meaning",
                    f"the baseline matches {len(found)} cells, not one, beside the cell '{cell.title}'",
                    ("compare", "baseline"),
                    'every combination of the other axes needs one: mode = "grid", and a value that is on the axis',
                )
                return cells
            made.append(cell if found[0] == i else replace(cell, baseline=found[0]))
        if all(cell.baseline is None for cell in made):
            self.complain(
                "meaning",
                "there is nothing beside the baseline to compare with it",
                ("compare", "baseline"),
                "one of its axes needs another value",
            )
        return made

    def _check_twice(self, cells: list[Cell]) -> None:
        """Warn of an axis that changes nothing."""
        if self.experiment.sweep.mode != "grid":
            return
        for name, values in axes.varied([cell.factors for cell in cells]).items():
            if len(values) < 2:
                continue
            prints: dict[str, set[str]] = {}
            for cell in cells:
                rest = json.dumps({k: v for k, v in cell.factors.items() if k != name}, sort_keys=True)
                prints.setdefault(rest, set()).add(cell.fingerprint)
            if all(len(found) == 1 for found in prints.values()):
                self.complain(
                    "meaning",
                    f"the axis '{name}' changes nothing in this scenario",
                    ("sweep", "axes", name),
                    "its cells will show equal numbers",
                    severity="warning",
                )

    def _common(self, cells: list[Cell]) -> dict[str, Any]:
        """List the rules that differ from the rules of record alike in all cells; one that was removed is None."""
        record = dict(flatten(self.game.Rules().model_dump()))
        tables = [dict(flatten(rules.model_dump())) for rules in {id(c.rules): c.rules for c in cells}.values()]
        return {
            path: tables[0].get(path)
            for path in dict.fromkeys([*record, *tables[0]])
            if record.get(path) != tables[0].get(path) and len({repr(table.get(path)) for table in tables}) == 1
        }


def in_order(problems: Iterable[Problem], path: str) -> list[Problem]:
    """Sort problems by their place: first those of one file, then those of other files."""
    return sorted(problems, key=lambda one: (one.path != path, one.path or "", one.span or Span(0, 0, 0)))
