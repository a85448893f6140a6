"""What is wrong with a table ``[solve]``, told all at once and before anything is played."""

from collections.abc import Mapping
from typing import Any

from simkit.balance.solve.ladder import Ladder, LadderError, ladder_of
from simkit.games.protocol import Game, Metric
from simkit.lab.asked.solve import Like, Solve
from simkit.lab.experiment import Range, flatten
from simkit.lab.house import Change
from simkit.lab.plan import Plan
from simkit.lab.problems import Problem, ProblemError, did_you_mean
from simkit.lab.toml import Document

TABLE = "solve"


def changes_of(made: Plan, like: Like | None) -> dict[str, Any]:
    """Return what is different where the target is measured, rules one by one."""
    changes: dict[str, Any] = {}
    for path, value in (like.like if like else {}).items():
        changes |= {path: value} if is_scenario(made.game, path) else dict(flatten({path: value}))
    return changes


def is_scenario(game: Game, path: str) -> bool:
    """Tell whether a path leads into the scenario."""
    return path.split(".")[0] in game.Scenario.model_fields


class Door:
    """Everything that is wrong with what is asked, gathered.

    Parameters
    ----------
    made
        The experiment.
    written
        Where the table stands.
    """

    def __init__(self, made: Plan, written: Document) -> None:
        self.plan, self.written = made, written
        self.problems: list[Problem] = []
        self.rules = Change.of(made.game).paths()

    def complain(self, kind: str, message: str, at: tuple[str | int, ...], help: str = "") -> None:
        """Note a problem at a setting of the table."""
        place = self.written.where((TABLE, *at), "value")
        self.problems.append(Problem(kind, message, self.written.path, place, help or None))

    def stop(self) -> None:
        """Raise if anything is wrong so far."""
        if self.problems:
            raise ProblemError(self.problems, self.plan.document.sources | self.written.sources)

    def path(self, table: Solve) -> str | None:
        """Return the path of the parameter, which the rules or the scenario know."""
        if table.vary is None:
            help = 'such as vary = "bogs.swamp", or --vary; simkit rules lists them'
            self.complain("meaning", "nothing says which number is sought", ("vary",), help)
            return None
        for place, name in [(("vary",), table.vary), *((("along", path), path) for path in table.along)]:
            if name not in self.rules and not is_scenario(self.plan.game, name) and not self._added(name):
                close = did_you_mean(name, [*self.rules, *self.plan.experiment.sweep.axes])
                hint = f"did you mean '{close}'? " if close else ""
                text = f"rules '{self.plan.game.NAME}' have no parameter '{name}'"
                self.complain("override", text, place, f"{hint}all names: simkit rules {self.plan.game.NAME}")
        return table.vary

    def _added(self, path: str) -> bool:
        """Tell whether a house rule may add an entry of that name."""
        return bool(self.plan.house_rules) and path.split(".")[0] in self.plan.game.Rules.model_fields

    def metric(self, table: Solve) -> Metric | None:
        """Return the outcome that is to meet the target."""
        name, known = table.metric or self.plan.metric, {one.name: one for one in self.plan.game.OUTCOMES}
        if name in known:
            return known[name]
        close = did_you_mean(name, known)
        hint = f"did you mean '{close}'? " if close else ""
        self.complain("value", f"no outcome is called '{name}'", ("metric",), f"{hint}there are: {', '.join(known)}")
        return None

    def axes(self, table: Solve, vary: str | None) -> dict[str, Any]:
        """Return the axes for whose combinations it is solved, and those over which it is averaged."""
        known = self.plan.experiment.sweep.axes
        for key, names in (("for", table.for_ or ()), ("over", table.over or ())):
            for i, name in enumerate(names):
                if name not in known:
                    close = did_you_mean(name, known)
                    hint = f"did you mean '{close}'? " if close else ""
                    text = f"'{name}' is not an axis of the sweep"
                    self.complain("meaning", text, (key, i), f"{hint}axes: {', '.join(known) or 'none'}")
                if name == vary or name in table.along:
                    self.complain("meaning", f"'{name}' is sought, and cannot be given as well", (key, i))
                if key == "over" and name in (table.for_ or ()):
                    self.complain("meaning", f"'{name}' stands under for and over", (key, i), "keep one of the two")
        wanted = known if table.for_ is None else [*table.for_, *(table.over or ())]
        sought = {vary, *table.along}
        return {name: axis for name, axis in known.items() if name in wanted and name not in sought}

    def ladder(self, table: Solve, vary: str | None, names: Mapping[str, Any]) -> Ladder | None:
        """Return the values of the parameter."""
        if vary is None:
            return None
        axis = self.plan.experiment.sweep.axes.get(vary)
        listed = axis.values() if isinstance(axis, Range) and not axis.sampled else axis
        try:
            found = ladder_of(table, _each_once(listed) if isinstance(listed, list) else None)
        except LadderError as error:
            self.complain("value", str(error), error.at, error.help)
            return None
        for path, values in table.along.items():
            if len(values) != len(found.values):
                text = f"'{path}' has {len(values)} values, '{vary}' has {len(found.values) or 'a range without steps'}"
                self.complain("shape", text, ("along", path), "one for every value of what is varied")
        return found

    def targets(self, table: Solve, metric: Metric | None) -> tuple[tuple[float, ...], Like | None]:
        """Return what is aimed at, if it can be reached at all."""
        target = self.plan.experiment.report.target if table.target is None else table.target
        if target is None:
            help = "target = 0.5, several of them, or {like = {PATH = VALUE}}"
            self.complain("meaning", "nothing says what the metric is to be", ("target",), help)
            return (), None
        if isinstance(target, Like):
            for path in changes_of(self.plan, target):
                if path not in self.rules and not is_scenario(self.plan.game, path) and not self._added(path):
                    close = did_you_mean(path, self.rules)
                    hint = f"did you mean '{close}'? " if close else ""
                    text = f"rules '{self.plan.game.NAME}' have no parameter '{path}'"
                    self.complain("override", text, ("target", "like", path), f"{hint}all names: simkit rules")
        wanted = [target.plus] if isinstance(target, Like) else target if isinstance(target, list) else [target]
        if metric is not None:
            for one in wanted:
                self._within_reach(float(one), metric, isinstance(target, Like))
        return tuple(float(one) for one in wanted), target if isinstance(target, Like) else None

    def _within_reach(self, target: float, metric: Metric, difference: bool) -> None:
        if metric.kind == "share":
            low, high = (-1.0, 1.0) if difference else (0.0, 1.0)
        else:
            low = -float("inf") if difference or metric.lowest is None else metric.lowest / metric.scale
            high = float("inf") if difference or metric.highest is None else metric.highest / metric.scale
        if not low <= target <= high:
            text = f"the target {target:g} is out of reach: '{metric.name}' lies between {low:g} and {high:g}"
            self.complain(
                "value", text, ("target",), "a share is written as a number: 55 % is 0.55" if target > 1 else ""
            )


def _each_once(values: list[Any]) -> list[Any]:
    """Return the values of an axis without those that were there before, numbers in their order."""
    found = [value for i, value in enumerate(values) if value not in values[:i]]
    plain = all(isinstance(value, int | float) and not isinstance(value, bool) for value in found)
    return sorted(found) if plain else found
