"""An experiment with everything spelt out: what was given elsewhere and what was left to defaults.

The resolved experiment stands alone beside the house rules it names. Planning it gives the same plan, and whatever
a report says comes from it: comments, the order of keys and where a value was set leave no trace.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from simkit.games.protocol import default_policy
from simkit.lab.experiment import POLICY, SCHEMA, Range, flatten
from simkit.lab.house import Loaded, toml_text

if TYPE_CHECKING:
    from simkit.lab.plan import Plan

FILE = "experiment.resolved.toml"
"""Name of the resolved experiment in a folder of results."""


def resolved(plan: "Plan") -> dict[str, Any]:
    """Return the tables of an experiment that gives this plan, in an order of their own.

    Parameters
    ----------
    plan
        Any plan; values given outside its file, by ``--set`` or by the caller, stand where they belong.
    """
    experiment = plan.experiment
    policy = experiment.run.policy or default_policy(plan.game)
    run: dict[str, Any] = {"level": experiment.run.level, POLICY: policy}
    if experiment.run.precision is None:
        run["trials"] = plan.trials
    else:
        run |= {"precision": experiment.run.precision, "max_trials": plan.trials}
    if experiment.run.swings is not None:
        run["swings"] = experiment.run.swings
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "name": experiment.name,
        "question": experiment.question,
        "game": experiment.game,
        "seed": experiment.seed,
        "house_rules": [reference_id(reference) for reference in experiment.house_rules],
        "run": run,
    }
    changed = dict(flatten(experiment.set)) | dict(plan.rule_overrides)
    if changed:
        data["set"] = _sorted(changed)
    varied = plan.game.vary(plan.scenario_data, plan.scenario_overrides)
    run[POLICY] = varied.pop(POLICY, policy)
    data |= {table: _sorted(content) for table, content in sorted(varied.items())}
    if experiment.sweep.axes:
        data["sweep"] = _sweep(plan)
    if experiment.compare is not None:
        data["compare"] = {"baseline": {name: _axis_value(name, value) for name, value in plan.baseline.items()}}
    data["report"] = {"metric": plan.metric} | experiment.report.model_dump(exclude_none=True)
    return data


def dumps(data: Mapping[str, Any]) -> str:
    """Write the tables of an experiment as TOML. The axes stay in their order, which is that of the cells.

    An axis may be a table, and a TOML writer puts tables behind everything else; here it stands in braces on its line.
    """
    sweep = data.get("sweep")
    axes = sweep.get("axes") if isinstance(sweep, Mapping) else None
    if not isinstance(sweep, Mapping) or not isinstance(axes, Mapping):
        return tomli_w.dumps(data)
    rest = {**data, "sweep": {name: value for name, value in sweep.items() if name != "axes"}}
    lines = [f"{toml_text(name)} = {toml_text(axis)}\n" for name, axis in axes.items()]
    return f"{tomli_w.dumps(rest)}\n[sweep.axes]\n{''.join(lines)}"


def _sweep(plan: "Plan") -> dict[str, Any]:
    """Spell out a sweep; the order of its axes is the order of the cells, so it stays."""
    sweep = plan.experiment.sweep
    axes = {
        name: _sorted(axis.model_dump(exclude_unset=True))
        if isinstance(axis, Range)
        else [_axis_value(name, value) for value in axis]
        for name, axis in sweep.axes.items()
    }
    head: dict[str, Any] = {"mode": sweep.mode}
    if sweep.samples is not None:
        head["samples"] = sweep.samples
    return head | {"axes": axes}


def _axis_value(name: str, value: Any) -> Any:
    if name == "house_rules":
        return [reference_id(reference) for reference in value]
    return _sorted(value)


def reference_id(reference: str) -> str:
    """Return the id of a house rule that is named by its id or by its file."""
    return Path(reference).stem


def house_rule(loaded: Loaded) -> dict[str, Any]:
    """Return the tables of a house rule, those it builds on named by their ids, in an order of their own."""
    rule = loaded.rule
    data: dict[str, Any] = {"schema": SCHEMA, "for": rule.for_, "title": rule.title, "why": rule.why}
    if rule.house_rules:
        data["house_rules"] = [reference_id(reference) for reference in rule.house_rules]
    tables = {
        "set": _sorted(dict(flatten(rule.set))),
        "add": _sorted(rule.add),
        "remove": {table: sorted(names) for table, names in sorted(rule.remove.items())},
    }
    return data | {name: content for name, content in tables.items() if content}


def _sorted(value: Any) -> Any:
    """Return plain data with the keys of every table in order."""
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value
