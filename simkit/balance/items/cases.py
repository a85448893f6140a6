"""From a question about balance to its cases: every budget under every condition, checked before anything is played.

A case has rules, a scenario without its sides, and a frame of builds that are to meet in it. All mistakes of a file are
told at once, each at its place: conditions are planned as a sweep is, builds of the file as sides are.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import ValidationError

from simkit.balance.items import frames, listing
from simkit.balance.items.case import least_trials
from simkit.balance.items.contest import Condition
from simkit.balance.items.frames import Drawer, Frame, Sizes
from simkit.balance.items.options import Pair
from simkit.games import protocol
from simkit.games.protocol import Build
from simkit.lab import plan as planning
from simkit.lab.asked.balance import MOST_BUILDS, Price
from simkit.lab.experiment import POLICY, Range, count_range
from simkit.lab.modelpath import KeyPath
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import Problem, ProblemError, Span, did_you_mean
from simkit.lab.toml import Document

TABLE = "balance"
ELSEWHERE = ("sweep", "compare", "matrix", "league", "balance", "solve", "sensitivity", "search", "tune")
"""Tables of an experiment that are not about its cases here."""
MOST_CASES = 500
FEWEST = 256
"""Units of a condition with an option, at least."""


@dataclass(frozen=True, eq=False)
class Case:
    """The builds of a budget under one condition.

    Attributes
    ----------
    number
        From 1.
    budget
        Of its builds; where the file lists them, the number of what they have equal.
    labels
        Condition to its value in words, by axis.
    factors
        Condition to its value as the file has it.
    condition
        Rules and scenario.
    policy
        Who decides, unless a side says otherwise.
    frame
        Builds that were drawn or listed.
    pool
        Builds of which the strongest are to join them.
    trials
        Games, at most.
    price
        Item and price that it is played for; None for a case of the question itself.
    """

    number: int
    budget: int
    labels: Mapping[str, str]
    factors: Mapping[str, Any]
    condition: Condition
    policy: str
    frame: Frame
    pool: tuple[Build, ...]
    trials: int
    price: tuple[str, int] | None = None


def _length(axis: Any) -> int:
    """Count the values of an axis that is not checked yet; one that is wrong counts as one."""
    if isinstance(axis, list):
        return len(axis)
    try:
        found = Range.model_validate(axis)
    except ValidationError:
        return 1
    return 1 if found.range is None else count_range(*[*found.range, 1][:3])


@dataclass(frozen=True)
class Placed(Document):
    """A document of which some tables were moved: mistakes are told where they stand in the file.

    Attributes
    ----------
    moved
        Key paths as they are now, and as they are in the file.
    """

    moved: tuple[tuple[KeyPath, KeyPath], ...] = ()

    def where(self, key_path: KeyPath, part: Literal["key", "value"] = "key") -> Span:
        """Return the place in the file."""
        path = tuple(key_path)
        for now, then in self.moved:
            if path[: len(now)] == now:
                return super().where((*then, *path[len(now) :]), part)
        return super().where(path, part)


class Asked:
    """What a file asks about balance: reads it, and gathers what is wrong.

    Parameters
    ----------
    plan
        The experiment; it has a table ``[balance]``.
    trials
        In place of the table's.

    Raises
    ------
    ProblemError
        With every problem of the table.
    """

    def __init__(self, plan: Plan, trials: int | None = None) -> None:
        self.plan, self.game, self.document = plan, plan.game, plan.document
        self.overrides = {**plan.rule_overrides, **plan.scenario_overrides}
        self.problems: list[Problem] = []
        asked = plan.experiment.balance
        if asked is None:
            message = "there is no table [balance] in this file"
            help = '[balance] with items = ["legs"] and budgets = [3, 4]; simkit balance -h shows an example'
            raise ProblemError([Problem("file", message, plan.document.path, help=help)], plan.document.sources)
        if trials is not None:
            prices = {item: price.model_copy(update={"trials": None}) for item, price in asked.prices.items()}
            asked = asked.model_copy(update={"trials": trials, "prices": prices})
        self.asked = asked
        self.building = protocol.building_of(self.game)
        self.items = [self._item(name, ("items", i)) for i, name in enumerate(asked.items)]
        self.without = [self._item(name, ("without", i)) for i, name in enumerate(asked.without)]
        for i, name in enumerate(self.without):
            if name in self.items:
                self._note(f"'{name}' is judged and forbidden", ("without", i), "leave it out of one of the two")
        self.groups = self._listed()
        self._check_budgets()
        self._stop()
        self.cells: dict[str | None, list[tuple[Plan, Cell]]] = {None: self._conditions({})}
        for item, price in asked.prices.items():
            self.cells[item] = self._conditions({price.path: [*price.values]}, price)
        self.pairs = list(self._options())
        self._stop()
        self.cases = list(self._cases())
        self._check_trials()
        self._stop()

    @property
    def settings(self) -> dict[str, Any]:
        """What is asked, everything spelt out, as the file could have it."""
        return self.asked.model_dump(mode="json", exclude_none=True)

    @property
    def trials(self) -> int:
        """Games of all cases together, at most."""
        paired = sum(2 * pair.units for pair in self.pairs) * self.game.GAMES_A_UNIT
        return sum(case.trials for case in self.cases) + paired

    @property
    def option_delta(self) -> float:
        """Change of the report metric that matters, in its unit: what the report calls fair, or else the gap."""
        within = self.plan.experiment.report.fair_within
        return self.asked.delta if within is None else within

    def _note(self, message: str, at: KeyPath, help: str, kind: str = "meaning") -> None:
        span = self.document.where((TABLE, *at), "value")
        self.problems.append(Problem(kind, message, self.document.path, span, help))

    def _stop(self) -> None:
        if self.problems:
            raise ProblemError(self.problems, self.document.sources)

    def _item(self, name: str, at: KeyPath) -> str:
        """Return an item as the builds call it; a file that lists its builds names its own."""
        if self.asked.builds:
            there = sorted({item for table in self.asked.builds.values() for item in listing.texts(table.get("items"))})
            found = name if name in there else None
        elif self.building is None:
            return name
        else:
            there, found = self.building.build_items(), self.building.build_item(name)
        if found is None:
            close = did_you_mean(name, there)
            hint = f"did you mean '{close}'? " if close else ""
            self._note(f"no build has an item called '{name}'", at, f"{hint}there are: {', '.join(there)}", "value")
        return found or name

    def _listed(self) -> dict[str, list[Build]]:
        """Read the builds of the file, by what they have equal."""
        if not self.asked.builds:
            return {}
        if protocol.fight_of(self.game) is None:
            self._note(f"{self.game.TITLE} has no two sides", ("builds",), "rule options are judged there: options")
            return {}

        def tried(name: str, side: Mapping[str, Any]) -> None:
            at = (TABLE, "builds", name)
            sides = {**(self.document.data.get("sides") or {}), "a": side}
            self._planned({"sides": sides}, (("sides", "a"), at))

        groups = listing.read(self.asked.builds, self._note, tried)
        for item, pairs in self.asked.swaps.items():
            if item in self.items:
                listing.check_swaps(item, pairs, groups, self._note)
            else:
                self._note(f"there are swaps for '{item}', which is not judged", ("swaps", item), "add it to items")
        return groups

    def _check_budgets(self) -> None:
        if not self.asked.budgets:
            return
        if self.building is None:
            message = f"{self.game.TITLE} has no builds of a budget"
            self._note(message, ("budgets",), "list the builds in [balance.builds.NAME]")
            return
        low, high = self.building.BUDGETS
        for i, budget in enumerate(self.asked.budgets):
            if not low <= budget <= high:
                message = f"{self.building.BUDGET_IS} {budget} is out of range"
                self._note(message, ("budgets", i), f"from {low} to {high}", "value")
        for item, price in self.asked.prices.items():
            for i, budget in enumerate(price.budgets or ()):
                if budget not in self.asked.budgets:
                    message = f"{budget} is none of the budgets that are asked for"
                    self._note(message, ("prices", item, "budgets", i), f"one of {self.asked.budgets}", "value")

    def _planned(self, tables: Mapping[str, Any], *moved: tuple[KeyPath, KeyPath]) -> Plan | None:
        """Plan the experiment with other tables; what is wrong is noted at its place in the file."""
        data = {key: value for key, value in self.document.data.items() if key not in ELSEWHERE} | dict(tables)
        try:
            return planning.make(
                Placed(data, self.document.path, self.document.text, moved),
                seed=self.plan.experiment.seed,
                overrides=self.overrides,
            )
        except ProblemError as error:
            known = {(problem.message, problem.span) for problem in self.problems}
            self.problems += [problem for problem in error.problems if (problem.message, problem.span) not in known]
            return None

    def _conditions(self, axes: Mapping[str, Any], price: Price | None = None) -> list[tuple[Plan, Cell]]:
        """Return every condition with the plan it is a cell of."""
        at: KeyPath = ("conditions",)
        every = dict(self.asked.conditions)
        if price is not None:
            strange = [name for name in price.conditions if name not in every]
            for name in strange:
                close = did_you_mean(name, every)
                hint = f"did you mean '{close}'? " if close else ""
                here = ("prices", self._item_of(price), "conditions", name)
                self._note(
                    f"'{name}' is none of the conditions", here, f"{hint}there are: {', '.join(every) or 'none'}"
                )
            every |= price.conditions
        for name in every:
            if name.split(".")[0] in ("sides", "designs"):
                self._note(f"'{name}' cannot be a condition", (*at, name), "builds say what the sides are")
                return []
        for name in axes:
            if name in every:
                self._note(f"'{name}' is a condition and a price", (*at, name), "one of the two")
                return []
        every |= axes
        if (many := math.prod(_length(axis) for axis in every.values())) > MOST_CASES:
            self._note(f"{many:,} conditions", at, f"at most {MOST_CASES} cases, budgets and prices included", "limit")
            return []
        moved: list[tuple[KeyPath, KeyPath]] = [
            (("sweep", "axes", name), (TABLE, "prices", self._item_of(price), "values")) for name in axes if price
        ]
        tables = {"sweep": {"axes": every}} if every else {}
        made = self._planned(tables, *moved, (("sweep", "axes"), (TABLE, *at)))
        return [] if made is None else [(made, cell) for cell in made.cells]

    def _options(self) -> Iterator[Pair]:
        """Plan every condition with every option, beside the condition without it."""
        for name, option in self.asked.options.items():
            table, data = (TABLE, "options", name), self.document.data
            tables: dict[str, Any] = {"set": {**data.get("set", {}), **option.set}}
            tables["house_rules"] = [*data.get("house_rules", []), *option.house_rules]
            if self.asked.conditions:
                tables["sweep"] = {"axes": self.asked.conditions}
            moved: list[tuple[KeyPath, KeyPath]] = [(("set", key), (*table, "set", key)) for key in option.set]
            had = len(data.get("house_rules", []))
            moved += [(("house_rules", had + i), (*table, "house_rules", i)) for i in range(len(option.house_rules))]
            made = self._planned(tables, *moved, (("sweep", "axes"), (TABLE, "conditions")))
            if made is not None:  # what an option names is part of the question, and kept with its results
                self.plan = replace(self.plan, house_rules={**self.plan.house_rules, **made.house_rules})
            for (_, cell), other in zip(self.cells[None], made.cells if made else (), strict=False):
                trials = self.asked.trials_of(str(getattr(cell.scenario, POLICY, "")))
                units = max(FEWEST, trials // self.game.GAMES_A_UNIT // 2)
                labels = {axis: self._label(axis, label) for axis, label in cell.labels.items()}
                yield Pair(name, labels, cell, other, units)

    def _item_of(self, price: Price) -> str:
        return next(item for item, one in self.asked.prices.items() if one is price)

    def _cases(self) -> Iterator[Case]:
        if not self.items:
            return
        budgets = self.asked.budgets or [*range(1, len(self.groups) + 1)]
        wanted: list[tuple[int, Plan, Cell, str | None]] = [
            (budget, made, cell, item)
            for item, cells in self.cells.items()
            for budget in budgets
            if item is None or budget in (self.asked.prices[item].budgets or budgets)
            for made, cell in cells
        ]
        if len(wanted) > MOST_CASES:
            self._note(
                f"{len(wanted):,} cases", ("conditions",), f"at most {MOST_CASES}: fewer conditions or budgets", "limit"
            )
            return
        drawn: dict[tuple[int, str], tuple[Frame, tuple[Build, ...]]] = {}
        for number, (budget, made, cell, item) in enumerate(wanted, 1):
            mark = (budget, cell.rules.model_dump_json())
            try:
                if mark not in drawn:
                    drawn[mark] = self._frame(budget, cell.rules)
            except ValueError as error:  # a FrameError, or the game's own
                at = ("budgets", self.asked.budgets.index(budget)) if self.asked.budgets else ("items",)
                self._note(str(error), at, "another budget, other items, or fewer things forbidden")
                return
            yield self._case(number, budget, made, cell, item, *drawn[mark])

    def _frame(self, budget: int, rules: Any) -> tuple[Frame, tuple[Build, ...]]:
        """Draw the builds of a budget under some rules, and those to be tried; or take those of the file."""
        if self.groups:
            group = list(self.groups.values())[budget - 1]
            allowed = [build for build in group if not set(build.items) & set(self.without)]
            return frames.listed(allowed, self.items, self.asked.swaps), ()
        assert self.building is not None
        sizes = self.asked.frame
        drawer = Drawer(self.building, budget, rules, self.without, sizes.seed)
        wanted = Sizes(sizes.sample, sizes.holders, sizes.swaps)
        frame = frames.drawn(drawer, self.items, wanted, self.building.BUDGET_IS)
        if not sizes.strongest or len(frame.builds) >= drawer.count:
            return frame, ()
        pool = {build.name: build for build in drawer.some(sizes.tried)}
        for item in self.items:
            more = drawer.some(sizes.tried // 4, lambda build, item=item: item in build.items)  # type: ignore[misc]
            pool |= {build.name: build for build in more}
        return frame, tuple(pool.values())

    def _case(
        self, number: int, budget: int, made: Plan, cell: Cell, item: str | None, frame: Frame, pool: tuple[Build, ...]
    ) -> Case:
        known = self.game.Scenario.model_fields
        changes = {name: value for name, value in cell.factors.items() if name.split(".")[0] in known}
        condition = Condition(cell.rules, made.scenario_data, changes | dict(made.scenario_overrides))
        policy = str(getattr(cell.scenario, POLICY, ""))
        trials = self.asked.trials_of(policy)
        if item is not None:
            trials = self.asked.prices[item].trials or trials
        if len(frame.builds) > MOST_BUILDS:
            message = f"{len(frame.builds)} builds would all meet"
            self._note(message, ("frame",), f"at most {MOST_BUILDS}: a smaller sample, fewer holders or swaps", "limit")
        path = self.asked.prices[item].path if item is not None else ""
        labels = {name: self._label(name, label) for name, label in cell.labels.items() if name != path}
        price = (item, int(cell.factors[path])) if item is not None else None
        return Case(number, budget, labels, cell.factors, condition, policy, frame, pool, trials, price)

    def _check_trials(self) -> None:
        """Refuse too few trials, once: by the case that lacks most."""
        lacking: list[tuple[int, Case, int]] = []
        for case in self.cases:
            strongest = self.asked.frame.strongest if case.pool else 0
            needed = least_trials(case.frame, strongest, len(case.pool))
            if needed > case.trials:
                lacking.append((needed, case, len(case.frame.builds) + strongest))
        if lacking:
            needed, case, builds = max(lacking, key=lambda one: one[0])
            message = f"{case.trials:,} trials are too few for {builds} builds that all meet in {self.title(case)}"
            self._note(message, ("trials",), f"at least {needed:,}, or a smaller [balance.frame]")

    def _label(self, axis: str, label: str) -> str:
        """Return the value of a condition in words that stand alone."""
        plain = label.replace(".", "").replace("-", "").isdigit() or label in ("true", "false")
        return f"{self.game.axis_title(axis)}: {label}" if plain else label

    def budget_title(self, budget: int) -> str:
        """Say what the builds of a budget have equal; nothing where all builds of a file are of one budget."""
        if self.groups:
            return list(self.groups)[budget - 1] if len(self.groups) > 1 else ""
        return f"{self.building.BUDGET_IS} {budget}" if self.building else str(budget)

    def title(self, case: Case) -> str:
        """Say what is special about a case."""
        parts = [self.budget_title(case.budget), *case.labels.values()]
        return ", ".join(part for part in parts if part) or "as the file has it"
