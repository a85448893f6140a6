"""Cells under other rules: house rules put in place of others, single rules and fields of the scenario changed.

A variant is made from a cell of a plan: the rules of record, house rules, ``[set]``, the cell's own axes, values given
outside, and last what the variant changes; the later the stronger. What cannot be set up says why, in words.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import ValidationError

from simkit.core.key import DICE_VERSION
from simkit.lab import house
from simkit.lab.axes import HOUSE_RULES
from simkit.lab.experiment import flatten
from simkit.lab.house import Change, Loaded, Origin
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import Problem, ProblemError, from_pydantic
from simkit.lab.toml import Document


class Variant(NamedTuple):
    """A cell under other rules: what a ledger plays."""

    rules: Any
    scenario: Any
    setup: Any
    fingerprint: str


@dataclass(frozen=True)
class Changed:
    """What a variant changes.

    Attributes
    ----------
    values
        Values by dotted path: rules, or fields of the scenario.
    house
        House rules that come on top of the cell's own.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    house: tuple[Loaded, ...] = ()


class CannotBeError(ValueError):
    """A variant that cannot be set up; its text says why."""


class Variants:
    """Sets up cells of a plan under other rules; what is alike is made once.

    Parameters
    ----------
    plan
        The cells.
    instead
        House rules that take the place of those that the experiment and its axes name; None leaves those.
    """

    def __init__(self, plan: Plan, instead: Sequence[Loaded] | None = None) -> None:
        self.plan, self.game = plan, plan.game
        self.instead = None if instead is None else tuple(instead)
        self.data = plan.scenario_data
        self.fields = set(plan.game.Scenario.model_fields)
        self._rules: dict[str, Any] = {}
        self._scenarios: dict[str, Any] = {}
        self._setups: dict[tuple[int, int], Variant] = {}

    def is_scenario(self, path: str) -> bool:
        """Tell whether a path is one of the scenario, not of the rules."""
        return path.split(".")[0] in self.fields

    def make(self, cell: Cell, changed: Changed) -> Variant:
        """Return a cell with something changed.

        Raises
        ------
        CannotBeError
            It is against the rules, or a value is not allowed.
        """
        ours = {path: value for path, value in changed.values.items() if not self.is_scenario(path)}
        theirs = {path: value for path, value in changed.values.items() if self.is_scenario(path)}
        rules = self._ruled(cell, ours, changed.house)
        scenario = self._staged(cell, theirs)
        pair = (id(rules), id(scenario))
        if pair not in self._setups:
            complaints = self.game.complaints(scenario, rules)
            if complaints:
                raise CannotBeError(complaints[0].message)
            setup = self.game.compile(scenario, rules)
            self._setups[pair] = Variant(rules, scenario, setup, fingerprint(self.plan, setup))
        return self._setups[pair]

    def _ruled(self, cell: Cell, values: Mapping[str, Any], further: tuple[Loaded, ...]) -> Any:
        own = {path: value for path, value in cell.factors.items() if not self.is_scenario(path)}
        mark = json.dumps([own, values, [one.id for one in further]], sort_keys=True)
        if mark not in self._rules:
            self._rules[mark] = self._settled(own, values, further)
        return self._rules[mark]

    def _settled(self, own: Mapping[str, Any], values: Mapping[str, Any], further: tuple[Loaded, ...]) -> Any:
        plan, document = self.plan, self.plan.document
        change = Change.of(self.game)
        base = self._own_house(own.get(HOUSE_RULES, [])) if self.instead is None else self.instead
        for loaded in {one.id: one for one in (*base, *further)}.values():
            change.apply(loaded)
        axes = {path: value for path, value in own.items() if path != HOUSE_RULES}
        for path, value in [*flatten(plan.experiment.set), *axes.items(), *plan.rule_overrides.items()]:
            change.put(path, value, Origin(document, (path,)))
        for path, value in values.items():
            change.put(path, value, Origin(document, (path,)))
        try:
            return change.rules()
        except ProblemError as error:
            raise CannotBeError(error.problems[0].message) from error

    def _own_house(self, references: Iterable[str]) -> list[Loaded]:
        """Return the house rules that the experiment names, those of the cell's axis last."""
        known = self.plan.house_rules
        named = [*self.plan.experiment.house_rules, *references]
        return [one for reference in named for one in _chain(known, _id(reference))]

    def _staged(self, cell: Cell, values: Mapping[str, Any]) -> Any:
        if not values:
            return cell.scenario
        swept = {path: value for path, value in cell.factors.items() if self.is_scenario(path)}
        changes = swept | dict(self.plan.scenario_overrides)
        mark = json.dumps([changes, values], sort_keys=True)
        if mark not in self._scenarios:
            try:
                varied = self.game.vary(self.game.vary(self.data, changes), values)
                self._scenarios[mark] = self.game.Scenario.model_validate(varied)
            except KeyError as error:
                raise CannotBeError(str(error.args[0])) from error
            except ValidationError as error:
                problem = next(iter(from_pydantic(error, Document(varied, "", ""), model=self.game.Scenario)))
                raise CannotBeError(problem.message) from error
        return self._scenarios[mark]


def _id(reference: str) -> str:
    return reference.rpartition("/")[2].removesuffix(".toml")


def _chain(known: Mapping[str, Loaded], name: str) -> list[Loaded]:
    """Return a house rule after those that it builds on."""
    one = known[name]
    return [*(each for base in one.rule.house_rules for each in _chain(known, _id(base))), one]


def fingerprint(plan: Plan, setup: Any) -> str:
    """Return what stands for everything that can change the counts of a setup, but for the dice."""
    parts = [plan.game.NAME, plan.game.VERSION.number, DICE_VERSION]
    return hashlib.sha256(json.dumps(parts).encode() + setup.tobytes()).hexdigest()[:16]


def distinct(subjects: Iterable[Variant]) -> tuple[list[Variant], list[int]]:
    """Return what there is to play, alike setups once, and for each subject its place there."""
    places: dict[str, int] = {}
    found: list[Variant] = []
    where = []
    for one in subjects:
        if one.fingerprint not in places:
            places[one.fingerprint] = len(found)
            found.append(one)
        where.append(places[one.fingerprint])
    return found, where


def load_house(plan: Plan, reference: str, at: tuple[str | int, ...]) -> list[Loaded]:
    """Load a house rule that a table of the experiment names, after those it builds on.

    Raises
    ------
    ProblemError
        As :func:`simkit.lab.house.load`, at its place in the file.
    """
    from pathlib import Path

    near = Path(plan.document.path).parent
    return house.load(reference, near, plan.game.NAME, Origin(plan.document, at))


def refused(plan: Plan, problems: Sequence[Problem]) -> ProblemError:
    """Return the error that tells what is wrong with a table of the experiment."""
    return ProblemError(list(problems), plan.document.sources)
