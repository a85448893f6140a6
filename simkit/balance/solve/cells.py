"""The cells that a table ``[solve]`` asks for, planned as a sweep of our own."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from simkit.balance.solve.door import TABLE
from simkit.lab import plan
from simkit.lab.asked.solve import Like, Solve
from simkit.lab.modelpath import KeyPath
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import Problem, ProblemError, Span
from simkit.lab.toml import Document

OTHER_TABLES = ("matrix", "league", "balance", "solve", "sensitivity", "search", "tune", "sweep", "compare")
"""Tables of an experiment that say what else is asked of it."""


@dataclass(frozen=True)
class _Elsewhere(Document):
    """An experiment whose axes were written by us: places of them are those of the table that asked for them."""

    table: Solve = None  # type: ignore[assignment]

    def where(self, key_path: KeyPath, part: Literal["key", "value"] = "key") -> Span:
        """Return the place in the file."""
        if key_path[:2] == ("sweep", "axes") and len(key_path) > 2:
            name, rest = key_path[2], key_path[3:]
            target = self.table.target
            if name == self.table.vary:
                key_path = self._of_value(rest)
            elif name in self.table.along:
                key_path = (TABLE, "along", name, *rest)
            elif isinstance(target, Like) and name in target.like:
                key_path = (TABLE, "target", "like", name)
            else:
                key_path = key_path[:3]
        return super().where(key_path, part)

    def _of_value(self, rest: KeyPath) -> KeyPath:
        """Return where a value of the parameter stands: in the list, at an end of the range, or in the sweep."""
        if self.table.values:
            return (TABLE, "values", *rest)
        if self.table.min is not None:
            return (TABLE, "min" if rest[:1] == (0,) else "max")
        return (TABLE, "vary")


def cells_of(made: Plan, table: Solve, rows: Sequence[Mapping[str, Any]]) -> list[Cell]:
    """Plan the cells of some combinations, all with the same axes.

    Parameters
    ----------
    made
        The experiment whose cells they are.
    table
        What asked for them: problems are told at its places.
    rows
        Axis to value; equal rows are played as one.

    Raises
    ------
    ProblemError
        A combination is not legal, or a value not allowed; of many problems at one place the first.
    """
    marks = [json.dumps(row, sort_keys=True) for row in rows]
    first = {mark: i for i, mark in reversed(list(enumerate(marks)))}
    order = sorted(first.values())
    data = {key: value for key, value in made.document.data.items() if key not in OTHER_TABLES}
    names = list(rows[0])
    data["sweep"] = {"mode": "zip", "axes": {name: [rows[i][name] for i in order] for name in names}}
    data["seed"] = made.experiment.seed
    document = _Elsewhere(data, made.document.path, made.document.text, table)
    overrides = dict(made.rule_overrides) | dict(made.scenario_overrides)
    try:
        planned = plan.make(document, overrides=overrides)
    except ProblemError as error:
        places: dict[Any, Problem] = {}
        for problem in error.problems:  # a range may break a limit a thousand times: once is enough
            places.setdefault((problem.path, problem.span), problem)
        raise ProblemError(list(places.values()), error.sources) from None
    found = dict(zip(order, planned.cells, strict=True))
    return [
        replace(found[first[mark]], number=i + 1, factors=dict(row))
        for i, (mark, row) in enumerate(zip(marks, rows, strict=True))
    ]
