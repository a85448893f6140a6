"""What ``simkit sensitivity`` varies: factors that are off or on, and numbers in their ranges, checked at the door."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.games.protocol import RuleField, rule_fields
from simkit.lab.asked import Sensitivity
from simkit.lab.asked.sensitivity import MOST_TRIALS
from simkit.lab.cells import find_cell
from simkit.lab.experiment import flatten
from simkit.lab.house import toml_text
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import Problem, ProblemError, did_you_mean
from simkit.lab.rulesets import RuleSet, changes, spelt
from simkit.lab.variants import CannotBeError, Changed, Variant, Variants, load_house

TABLE = "sensitivity"


class Factor(NamedTuple):
    """Something that is off or on."""

    name: str
    """Path of a rule or of a field of the scenario, or id of a house rule."""
    title: str
    off: Changed
    on: Changed
    off_label: str
    on_label: str
    id: str = ""
    source: str = ""
    says: str = ""
    is_on: bool = False
    """Whether the cell as it is asked has it on."""


class Span(NamedTuple):
    """A number and where it may lie."""

    path: str
    title: str
    low: float
    high: float
    dist: str
    """``uniform``, ``log`` or ``int``."""

    @property
    def size(self) -> int:
        """How many values it has; 0 where they are not counted."""
        return int(self.high - self.low) + 1 if self.dist == "int" else 0

    def at(self, place: float) -> int | float:
        """Return the number at a place from 0 to below 1."""
        if self.dist == "int":
            return min(math.floor(self.low + place * (self.high - self.low + 1)), int(self.high))
        if self.dist == "log":
            return float(self.low * (self.high / self.low) ** place)
        return float(self.low + place * (self.high - self.low))


@dataclass(frozen=True)
class Drivers:
    """What is varied, and in which cell.

    Attributes
    ----------
    plan
        The experiment; its report metric is the one in question.
    named
        The cell that was named, if one was.
    table
        What was asked.
    house
        House rules of the table: for each those it builds on, and itself last.
    spans
        Numbers with their ranges.
    """

    plan: Plan
    named: Cell | None
    table: Sensitivity
    house: Mapping[str, tuple[Any, ...]]
    spans: Sequence[Span]

    @property
    def settings(self) -> dict[str, Any]:
        """What is asked, everything spelt out, as TOML can hold it."""
        told = self.table.model_dump(exclude_none=True)
        told["metric"] = self.plan.metric
        told["house_rules"] = list(self.house)  # by id: their files are written beside the results
        return told


def with_choice(plan: Plan, *, cell: int | str | None, trials: int | None) -> Plan:
    """Return a plan whose table ``[sensitivity]`` has another cell or other trials; None leaves what it has.

    Raises
    ------
    ValueError
        So many trials are not allowed.
    """
    given = {name: value for name, value in (("cell", cell), ("trials", trials)) if value is not None}
    if not given:
        return plan
    if trials is not None and not 2 <= trials <= MOST_TRIALS:
        raise ValueError(f"trials is {trials}; allowed are 2 to {MOST_TRIALS:,}")
    table = (plan.experiment.sensitivity or Sensitivity()).model_copy(update=given)
    return replace(plan, experiment=plan.experiment.model_copy(update={"sensitivity": table}))


def drivers(plan: Plan) -> Drivers:
    """Read what the table ``[sensitivity]`` of an experiment varies; without one nothing is named.

    Raises
    ------
    ProblemError
        With everything that is wrong with the table.
    """
    table = plan.experiment.sensitivity or Sensitivity()
    problems: list[Problem] = []
    sources = dict(plan.document.sources)

    def complain(kind: str, message: str, *at: str | int, help: str | None = None) -> None:
        span = plan.document.where((TABLE, *at))
        problems.append(Problem(kind, message, plan.document.path, span, help))

    metric = table.metric or plan.metric
    known = [one.name for one in plan.game.OUTCOMES]
    if metric not in known:
        close = did_you_mean(metric, known)
        hint = f"did you mean '{close}'? " if close else ""
        complain("value", f"no outcome is called '{metric}'", "metric", help=f"{hint}there are: {', '.join(known)}")
        metric = plan.metric
    plan = _about(plan, metric)
    named = None
    if table.cell is not None:
        try:
            named = find_cell(plan, table.cell)
        except ProblemError as error:
            complain("value", error.problems[0].message, "cell", help=error.problems[0].help)
    house: dict[str, tuple[Any, ...]] = {}
    for i, reference in enumerate(table.house_rules):
        try:
            chain = tuple(load_house(plan, reference, (TABLE, "house_rules", i)))
        except ProblemError as error:
            problems += error.problems
            sources |= error.sources
            continue
        if chain[-1].id in house:
            complain("shape", f"house_rules has '{chain[-1].id}' twice", "house_rules", i)
        house[chain[-1].id] = chain
    _check(plan, table, house, named, complain)
    if problems:
        raise ProblemError(problems, sources)
    spans = [_span(plan, path, one) for path, one in table.ranges.items()]
    loaded = {one.id: one for chain in house.values() for one in chain}
    plan = replace(plan, house_rules={**plan.house_rules, **loaded})
    asked = Drivers(plan, named, table, house, spans)
    axes = plan.experiment.sweep.axes
    if named is not None or not any(_meet(path, axis) for path in table.factors for axis in axes):
        factors_of(asked, named or plan.cells[0])  # else it hangs on the cell that is found to be typical
    return asked


def _about(plan: Plan, metric: str) -> Plan:
    """Return a plan about another outcome; the target of the report is that of its own metric."""
    if metric == plan.metric:
        return plan
    report = plan.experiment.report.model_copy(update={"metric": metric, "target": None, "fair_within": None})
    return replace(plan, experiment=plan.experiment.model_copy(update={"report": report}))


def _check(plan: Plan, table: Sensitivity, house: Mapping[str, Any], named: Cell | None, complain: Any) -> None:
    """Note every path that is not there, is what the question compares, or has a value that is not allowed."""
    made, cell = Variants(plan), named or plan.cells[0]
    paths = dict(flatten(cell.rules.model_dump()))
    asked = [("factors", path, list(pair)) for path, pair in table.factors.items()]
    asked += [
        ("ranges", path, [_span(plan, path, one).at(x) for x in (0.0, 1.0)]) for path, one in table.ranges.items()
    ]
    for kind, path, values in asked:
        if path in plan.baseline:
            complain("meaning", f"'{path}' is what the question compares: it cannot vary besides", kind, path)
            continue
        if not made.is_scenario(path) and path not in paths:
            close = did_you_mean(path, paths)
            hint = f"did you mean '{close}' (now {toml_text(paths[close])})? " if close else ""
            text = f"rules '{plan.game.NAME}' have no parameter '{path}'"
            complain("override", text, kind, path, help=f"{hint}all names: simkit rules {plan.game.NAME}")
            continue
        if path in table.factors and path in table.ranges and kind == "ranges":
            complain("meaning", f"'{path}' is a factor and has a range; it is either", kind, path)
        for value in values:
            try:
                made.make(cell, Changed({path: value}))
            except CannotBeError as error:
                complain("value", f"'{path}' cannot be {toml_text(value)}: {error}", kind, path)
                break
    for path in table.factors:
        for other in table.factors:
            if len(path) > len(other) and _meet(path, other):
                complain("meaning", f"'{path}' lies inside '{other}', which is a factor too", "factors", path)
    for i, chain in enumerate(house.values()):
        name = chain[-1].id
        try:
            made.make(cell, Changed(house=chain))
        except CannotBeError as error:
            complain("value", f"the house rule '{name}' cannot be played here: {error}", "house_rules", i)
            continue
        for path in _changed_by(plan, chain):
            at = ("house_rules", i)
            if path in plan.baseline:
                complain("meaning", f"the house rule '{name}' changes '{path}', which the question compares", *at)
            elif path in table.factors:
                complain("meaning", f"the house rule '{name}' changes '{path}', which is a factor too", *at)


def _meet(path: str, other: str) -> bool:
    """Tell whether one dotted path is the other, or lies inside it."""
    return f"{path}.".startswith(f"{other}.") or f"{other}.".startswith(f"{path}.")


def _changed_by(plan: Plan, chain: Sequence[Any]) -> list[str]:
    """Return the paths of the rules that a house rule changes, with those that it builds on."""
    try:
        return [one.path for one in changes(plan.game, RuleSet(chain[-1].id, chain[-1].rule.title, tuple(chain)))]
    except ProblemError:  # it cannot stand over the rules of record alone, only over what the experiment names
        return []


def _span(plan: Plan, path: str, one: Any) -> Span:
    dist = "int" if one.whole else one.dist or "uniform"
    return Span(path, plan.game.axis_title(path), one.min, one.max, dist)


def factors_of(asked: Drivers, cell: Cell) -> list[Factor]:
    """Return the factors that the table names, as they are in a cell.

    Raises
    ------
    ProblemError
        Some have neither value there, so that no combination would be the one that is asked.
    """
    plan = asked.plan
    fields = {row.path: row for row in rule_fields(cell.rules)}
    made = Variants(plan)
    own = made.make(cell, Changed())
    found, problems = [], []
    for path, (off, on) in asked.table.factors.items():
        row = fields.get(path)
        as_asked = [_is_as_asked(made, cell, own, Changed({path: value})) for value in (off, on)]
        if not any(as_asked):
            now = "" if row is None else f", which is {toml_text(row.value)}"
            message = f"neither off nor on is what '{path}' is in cell {cell.number} as it is asked{now}"
            span = plan.document.where((TABLE, "factors", path), "value")
            help = "one of the two is what the experiment has, so that the other can flip its verdict"
            problems.append(Problem("meaning", message, plan.document.path, span, help))
        found.append(factor(plan, path, off, on, row, is_on=as_asked[1] and not as_asked[0]))
    if problems:
        raise ProblemError(problems, plan.document.sources)
    for name, chain in asked.house.items():
        rule = chain[-1].rule
        in_force = made.make(cell, Changed(house=chain)).rules == own.rules
        on = Changed(house=chain)
        found.append(Factor(name, rule.title, Changed(), on, "off", "on", says=rule.why, is_on=in_force))
    return found


def _is_as_asked(made: Variants, cell: Cell, own: Variant, changed: Changed) -> bool:
    """Tell whether a change leaves the rules and the scenario of a cell as they are."""
    try:
        found = made.make(cell, changed)
    except CannotBeError:
        return False
    return bool(found.rules == own.rules and found.scenario == own.scenario)


def factor(plan: Plan, path: str, off: Any, on: Any, row: RuleField | None, *, is_on: bool = False) -> Factor:
    """Return a rule or a field of the scenario that has one value or another."""
    id, source, says = ("", "", "") if row is None else (row.id, row.source, row.says)
    less, more = (spelt(plan.game, path, value) for value in (off, on))
    title = plan.game.axis_title(path)
    return Factor(path, title, Changed({path: off}), Changed({path: on}), less, more, id, source, says, is_on)


def corner(factors: Sequence[Factor], bits: int) -> Changed:
    """Return what one combination changes: factor ``k`` is on where bit ``k`` is set."""
    values: dict[str, Any] = {}
    house: tuple[Any, ...] = ()
    for k, one in enumerate(factors):
        chosen = one.on if bits >> k & 1 else one.off
        values |= chosen.values
        house += chosen.house
    return Changed(values, house)


def points(spans: Sequence[Span], design: NDArray[np.float64]) -> list[Changed]:
    """Return what every point of a design changes."""
    return [Changed({span.path: span.at(float(x)) for span, x in zip(spans, row, strict=True)}) for row in design]


def grid(spans: Sequence[Span]) -> list[Changed]:
    """Return what every combination of whole numbers in their ranges changes, the last one fastest."""
    values = [range(int(one.low), int(one.high) + 1) for one in spans]
    return [Changed(dict(zip((one.path for one in spans), row, strict=True))) for row in itertools.product(*values)]
