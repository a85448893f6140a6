"""The document of a run: everything a report says, as plain JSON.

Tables, plots, the page and ``--json`` are made from this and from nothing else, so that no two of them
can disagree. It is a pure function of the plan and its counts: not of the machine, the time or the number
of threads.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import tomli_w
from pydantic import ValidationError

from simkit import stats
from simkit.balance import solved
from simkit.balance.edges import edges
from simkit.balance.retelling import replays
from simkit.balance.solved import MOST_EXACT as MOST_EXACT
from simkit.balance.solved import Solved, solve_some
from simkit.balance.verdict import Verdict, judge_exact
from simkit.core.key import DICE_VERSION
from simkit.games.protocol import Metric, RuleField, fight_of, rule_fields
from simkit.lab import resolve
from simkit.lab.axes import varied
from simkit.lab.estimates import CellResult
from simkit.lab.house import Loaded
from simkit.lab.plan import Cell, Plan
from simkit.lab.problems import Problem, ProblemError
from simkit.stats import Estimate

SCHEMA = 1

SHOWN = ("name", "kind", "unit", "says", "highest")
"""What a document tells of a metric: its values are those of a game, so how they were counted does not matter."""

FEW = 100
"""A share of pairs is held against its exact value where so many games show it, and so many do not."""


def build(
    plan: Plan, results: Sequence[CellResult], verdict: Verdict, swings: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the document of a finished run.

    Parameters
    ----------
    plan, results, verdict
        What was asked, what was counted, and what it means.
    swings
        What other readings of the rules move (see :func:`simkit.balance.swings.swung`); None where it is not asked.
    """
    exact = solve_some(plan)
    assumed = assumed_of(plan)
    cells = [_cell(plan, *parts) for parts in zip(plan.cells, results, exact, assumed, strict=True)]
    return (
        {
            **header(plan),
            "cells": cells,
            "rules": rules_of(plan),
            "experiment": _experiment(plan),
            "assumptions": assumptions_of(plan, assumed),
            "verdict": verdict.to_json(),
            "check": _check(plan, results, exact),
            "unsolved": solved.without([cell.number for cell in plan.cells], exact),
            "pairing": _pairing(results),
            "replays": replays(plan, verdict),
        }
        | ({} if swings is None else {"swings": dict(swings)})
        | _fight(plan, results)
    )


def _fight(plan: Plan, results: Sequence[CellResult]) -> dict[str, Any]:
    """Return what a report needs to know to tell of battles; nothing for a game of another kind."""
    fight = fight_of(plan.game)
    if fight is None:
        return {}
    columns = json.loads(json.dumps(fight._asdict()))  # a document has lists, no tuples
    return {"fight": columns | {"edges": [edge.to_json() for edge in edges(plan, results)]}}


def header(plan: Plan) -> dict[str, Any]:
    """Return what is known of a plan before anything is played."""
    experiment = plan.experiment
    compare = experiment.compare
    return {
        "schema": SCHEMA,
        "name": experiment.name,
        "run": plan.fingerprint,
        "question": experiment.question,
        "game": plan.game.NAME,
        "title": plan.game.TITLE,
        "edition": plan.game.EDITION,
        "setting": _setting(plan),
        "model": [{"id": id, "says": says} for id, says in plan.game.MODEL],
        "version": {"game": plan.game.VERSION.number, "dice": DICE_VERSION},
        "seed": experiment.seed,
        "replication": plan.replication,
        "level": plan.level,
        "precision": experiment.run.precision,
        "trials": plan.trials,
        "metric": plan.metric,
        "target": experiment.report.target,
        "fair_within": experiment.report.fair_within,
        "metrics": [{name: getattr(metric, name) for name in SHOWN} for metric in plan.game.OUTCOMES],
        "axes": _axes(plan),
        "baseline": None if compare is None else dict(_baseline_labels(plan)),
        "changes": _changes(plan),
        "house_rules": [_house_rule(loaded) for loaded in plan.house_rules.values()],
        "file": resolve.FILE,
    }


def exact_document(plan: Plan) -> dict[str, Any]:
    """Return the document of ``simkit exact``: the same cells, solved instead of played.

    Raises
    ------
    ProblemError
        The report metric of some cell cannot be solved.
    """
    cells, found = [], []
    assumed = assumed_of(plan)
    for cell in plan.cells:
        one = solved.of(plan.game.exact(cell.scenario, cell.rules))
        if plan.metric not in one.values:
            message = f"'{plan.metric}' of cell {cell.number} ({cell.title}) has no exact solution"
            message += f": {one.why}" if one.why else ""
            problem = Problem("meaning", message, plan.document.path, help="simkit run plays it")
            raise ProblemError([problem], plan.document.sources)
        found.append(one)
    for cell, one, paths in zip(plan.cells, found, assumed, strict=True):
        metrics = {}
        for name, value in one.values.items():
            low, high = solved.reach(value["value"], one.error)
            metrics[name] = {
                "estimate": value["value"],
                "low": low,
                "high": high,
                "level": 1.0,
                "n": 0,
                "method": "rounded" if one.error else "exact",
                "fraction": value["fraction"],
            }
        cells.append(
            {
                "cell": cell.number,
                "factors": _factors(cell),
                "labels": dict(cell.labels),
                "scenario": plan.game.describe(cell.scenario),
                "trials": 0,
                "n": 0,
                "metrics": metrics,
                "solved": one.told,
                "assumed": paths,
            }
        )
    verdict = _exact_verdict(plan, found)
    return {**header(plan), "cells": cells, "assumptions": assumptions_of(plan, assumed), "verdict": verdict}


def _exact_verdict(plan: Plan, found: Sequence[Solved]) -> dict[str, Any] | None:
    """Return the verdict on exact values; None where one is infinite, or where rounding may have decided a word."""
    if any(one.values[plan.metric]["value"] is None for one in found):
        return None
    values = [solved.amount(one.values[plan.metric]) for one in found]
    report = plan.experiment.report
    for i, cell in enumerate(plan.cells):
        base = cell.baseline
        line = report.target if base is None else values[base]
        error = found[i].error + (0.0 if base is None else found[base].error)
        if line is None or not error:
            continue
        away = abs(float(values[i] - line)) - (report.fair_within or 0.0)
        if abs(away) <= error * max(1.0, float(abs(values[i]))):
            return None
    return judge_exact(plan, values, max(one.error for one in found)).to_json()


def _setting(plan: Plan) -> str:
    """Tell what is set up: the file's own scenario, or that of the first cell where an axis has to complete it."""
    try:
        own = plan.game.vary(plan.scenario_data, plan.scenario_overrides)
        scenario = plan.game.Scenario.model_validate(own)
    except ValidationError:
        scenario = plan.cells[0].scenario
    return plan.game.story(scenario)


def _cell(plan: Plan, cell: Cell, result: CellResult, exact: Solved, assumed: list[str]) -> dict[str, Any]:
    metrics = {name: value.to_json() for name, value in result.metrics.items()}
    return {
        "cell": cell.number,
        "factors": _factors(cell),
        "labels": dict(cell.labels),
        "scenario": plan.game.describe(cell.scenario),
        "hash": cell.fingerprint,
        "baseline": None if cell.baseline is None else plan.cells[cell.baseline].number,
        "trials": result.trials,
        "n": result.n,
        "stopped": "at a look" if result.sequential else "as planned",
        "metrics": metrics,
        "exact": exact.values,
        "solved": exact.told,
        "assumed": assumed,
    }


def _factors(cell: Cell) -> dict[str, Any]:
    """Return the values of the axes; a list or table becomes its words."""
    return {
        name: value if isinstance(value, bool | int | float | str) else cell.labels[name]
        for name, value in cell.factors.items()
    }


def _axes(plan: Plan) -> list[dict[str, Any]]:
    found = []
    for name, values in varied([cell.factors for cell in plan.cells]).items():
        labels = list(dict.fromkeys(cell.labels[name] for cell in plan.cells))
        numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
        numbered = values if numbers else None
        found.append({"path": name, "title": plan.title(name), "values": labels, "numbers": numbered})
    return found


def _baseline_labels(plan: Plan) -> Mapping[str, str]:
    base = next(plan.cells[cell.baseline] for cell in plan.cells if cell.baseline is not None)
    return {name: base.labels[name] for name in plan.baseline}


def _field(row: RuleField) -> dict[str, Any]:
    return {
        "path": row.path,
        "value": row.value,
        "default": row.default,
        "id": row.id,
        "source": row.source,
        "says": row.says,
    }


def _experiment(plan: Plan) -> str:
    """Write the experiment with everything spelt out: the file that gives this run again."""
    return resolve.dumps(resolve.resolved(plan))


def _house_rule(loaded: Loaded) -> dict[str, Any]:
    """Return a house rule with what it sets, adds (``table.name``) and removes (None), by path."""
    data = resolve.house_rule(loaded)
    changed: dict[str, Any] = {}
    for path, value in data.get("set", {}).items():
        guarded = isinstance(value, dict) and set(value) == {"was", "now"}
        changed[path] = value["now"] if guarded else value
    for table, entries in data.get("add", {}).items():
        changed |= {f"{table}.{name}": value for name, value in entries.items()}
    for table, names in data.get("remove", {}).items():
        changed |= {f"{table}.{name}": None for name in names}
    text = tomli_w.dumps(data)
    return {"id": loaded.id, "title": data["title"], "why": data["why"], "changes": changed, "text": text}


def rules_of(plan: Plan) -> list[dict[str, Any]]:
    """List every rule with the values it takes in the cells: one, or several where the sweep varies it."""
    tables = {id(cell.rules): cell.rules for cell in plan.cells}.values()
    values: dict[str, list[Any]] = {}
    rows: dict[str, RuleField] = {}
    for table in tables:
        for row in rule_fields(table):
            rows.setdefault(row.path, row)
            seen = values.setdefault(row.path, [])
            if row.value not in seen:
                seen.append(row.value)
    return [
        {
            "path": path,
            "values": values[path],
            "default": row.default,
            "id": row.id,
            "source": row.source,
            "says": row.says,
        }
        for path, row in rows.items()
    ]


def _changes(plan: Plan) -> list[dict[str, Any]]:
    """List the rules that differ from the rules of record in every cell."""
    rows = {row.path: row for row in rule_fields(plan.cells[0].rules)}
    return [_field(rows[path]) for path in plan.changes if path in rows]


def assumed_of(plan: Plan) -> list[list[str]]:
    """List the rulings and base-game values that each cell rests on, by path."""
    return [plan.game.assumed(cell.scenario, cell.rules) for cell in plan.cells]


def assumptions_of(plan: Plan, assumed: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """List every ruling and base-game value that some cell rests on."""
    used: dict[str, set[str]] = {}  # as JSON: a value may be a list
    rows: dict[str, RuleField] = {}
    tables = {
        id(cell.rules): {row.path: row for row in rule_fields(cell.rules)}
        for cell in {id(cell.rules): cell for cell in plan.cells}.values()
    }
    for cell, paths in zip(plan.cells, assumed, strict=True):
        fields = tables[id(cell.rules)]
        for path in paths:
            used.setdefault(path, set()).add(json.dumps(fields[path].value))
            rows.setdefault(path, fields[path])
    found = []
    for path, values in used.items():
        entry = _field(rows[path])
        if len(values) > 1:
            entry["value"] = "varies"
        found.append(entry)
    return found


def _check(plan: Plan, results: Sequence[CellResult], exact: Sequence[Solved]) -> dict[str, Any] | None:
    """Hold the simulation against the exact solution: the smallest tail probability over all cells and shares."""
    smallest, where, compared = 1.0, "", 0
    for cell, result, one in zip(plan.cells, results, exact, strict=True):
        for metric in plan.game.OUTCOMES:
            estimate = result.metrics[metric.name]
            value = one.values.get(metric.name, {}).get("value")
            if metric.kind != "share" or value is None:
                continue
            tail = _tail(estimate, value, binary=metric.is_binary(result.games))
            if tail is None:
                continue
            compared += 1
            if tail < smallest:
                smallest, where = tail, f"{metric.name} of cell {cell.number}"
    if not compared:
        return None
    return {"compared": compared, "smallest": smallest, "where": where, "corrected": min(1.0, smallest * compared)}


def _tail(estimate: Estimate, value: float, *, binary: bool) -> float | None:
    """Return how probable a share so far from its exact value is; None where nobody can say.

    The mean of a unit that is not 0 or 1 is near normal where it is not rare; a variance is that of 0 and 1 at most.
    """
    if binary:
        return float(stats.binomial_tail(round(estimate.estimate * estimate.n), estimate.n, value))
    if 0 < estimate.n * min(value, 1 - value) < FEW:
        return None
    return float(stats.mean_tail(estimate.estimate * estimate.n, estimate.n, value, value * (1 - value)))


def _pairing(results: Sequence[CellResult]) -> dict[str, Any] | None:
    """Say what common dice were worth: pooled variance of independent runs over that of the pairs."""
    pairs = [result.variances for result in results if result.variances is not None]
    independent, paired = sum(a for a, _ in pairs), sum(b for _, b in pairs)
    if not pairs or not paired:
        return None
    return {"comparisons": len(pairs), "variance_ratio": independent / paired}


def estimate_of(entry: Mapping[str, Any]) -> Estimate:
    """Read an estimate back from its JSON."""
    return Estimate(**{key: entry[key] for key in ("estimate", "low", "high", "level", "n", "method")})


def metric_of(document: Mapping[str, Any], name: str) -> Metric:
    """Return a metric of a document by name; a difference goes by its metric's."""
    found = next(m for m in document["metrics"] if m["name"] == name.removesuffix("_minus_baseline"))
    return Metric(**found)
