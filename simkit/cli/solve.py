"""The command that needs no dice: exact."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from simkit.balance import solved
from simkit.cli.common import (
    Place,
    compiler,
    examples,
    json_option,
    parse_settings,
    planned,
    print_json,
    set_option,
    show_warnings,
    yes_option,
)
from simkit.cli.layout import READABLE, fits, named, table, wrapped
from simkit.cli.odds import percent

LONGEST = 30
"""Characters of a fraction that a table shows; a longer one is described."""

ROUNDED = "rounded"
"""What a table shows instead of a fraction where a value was not worked out as one."""


@click.command(
    epilog=examples(
        "simkit exact experiments/fences_or_bogs.toml", "simkit exact experiments/fences_or_bogs.toml --cell 5"
    )
)
@click.argument("file", type=Place())
@click.option(
    "--cell", help="One cell alone, with all its outcomes (row, beginning of a hash, or axis=value,axis=value)."
)
@set_option
@click.option("--unlimited", is_flag=True, help="Without a limit of turns, whatever the file says.")
@yes_option
@json_option
def exact(file: Path, cell: str | None, settings: tuple[str, ...], unlimited: bool, yes: bool, as_json: bool) -> None:
    """Solve every cell of the experiment in FILE exactly: as fractions, or within an error that is stated."""
    from simkit import api
    from simkit.lab.cells import find_cell

    overrides = parse_settings(settings)
    plan = planned(file, yes=yes, overrides=overrides)
    if unlimited:
        plan = planned(file, yes=yes, overrides=overrides | dict(plan.game.UNLIMITED))
    wanted = None if cell is None else find_cell(plan, cell).number
    plan.game.ready(compiler(quiet=as_json))
    document = api.exact(plan)
    if wanted is not None:
        document["cells"] = [one for one in document["cells"] if one["cell"] == wanted]
    if as_json:
        print_json(document)
        return
    show_warnings(plan)
    if document["question"]:
        click.echo(wrapped(document["question"]))
    if len(document["cells"]) == 1:
        click.echo("\n" + _one(document))
        click.echo(_bound(document), nl=False)
        return
    baselines = {one.number: plan.cells[one.baseline].number for one in plan.cells if one.baseline is not None}
    click.echo("\n" + _overview(document, baselines))
    click.echo(_bound(document), nl=False)
    click.echo("\n" + wrapped("all outcomes of one cell: --cell 1; everything: --json"))


def _overview(document: Mapping[str, Any], baselines: Mapping[int, int]) -> str:
    """Return the report metric of every cell, and how it differs from the baseline's."""
    name = document["metric"]
    metric = next(one for one in document["metrics"] if one["name"] == name)
    values = {cell["cell"]: cell["metrics"][name] for cell in document["cells"]}
    headers = ["cell", *(axis["title"].replace(" ", "\n") for axis in document["axes"]), f"{name},\nexactly", "that is"]
    headers += ["minus\nbaseline"] * bool(baselines)
    rows = []
    for cell in document["cells"]:
        value = values[cell["cell"]]
        row = [str(cell["cell"]), *cell["labels"].values(), _fraction(cell, name), _decimal(value, metric)]
        if baselines:
            base = baselines.get(cell["cell"])
            row.append("baseline" if base is None else _difference(value, values[base], metric))
        rows.append(row)
    axes = len(document["axes"])
    right = [0, *(i for i, axis in enumerate(document["axes"], start=1) if axis["numbers"] is not None)]
    text = table(headers, rows, right=[*right, *range(axes + 1, len(headers))])
    return f"{wrapped(name + ': ' + metric['says'])}\n\n{text}"


def _one(document: Mapping[str, Any]) -> str:
    """Return every outcome of one cell; what cannot happen is named at the end."""
    cell = document["cells"][0]
    rows, never, unsolved = [], [], []
    for metric in document["metrics"]:
        value = cell["metrics"].get(metric["name"])
        if value is None:
            unsolved.append(metric["name"])
            continue
        if value["estimate"] == 0 and metric["name"] != document["metric"]:
            never.append(metric["name"])
        else:
            rows.append([metric["name"], _fraction(cell, metric["name"]), _decimal(value, metric), metric["says"]])
    place = ", ".join(named(axis["title"], cell["labels"][axis["path"]]) for axis in document["axes"])
    lines = [wrapped(f"cell {cell['cell']}: {place}")] if document["axes"] else []
    headers = ["outcome", "exactly", "that is", "what it is"]
    if not fits(headers, rows, most=READABLE):
        headers, rows = headers[:3], [row[:3] for row in rows]
    lines += [wrapped(cell["scenario"]), "", table(headers, rows, right=(1, 2))]
    if never:
        lines += ["", wrapped(f"exactly 0: {', '.join(never)}")]
    if unsolved:
        lines += ["", wrapped(f"not solved: {', '.join(unsolved)}; simkit run plays them")]
    return "\n".join(lines)


def _bound(document: Mapping[str, Any]) -> str:
    """Say how far the values can be off; empty where they are fractions."""
    error = max(cell["solved"]["error"] for cell in document["cells"])
    if not error:
        return ""
    text = f"Solved with rounded numbers instead of fractions: no share is off by more than {_up(error)}."
    return f"\n{wrapped(text)}\n"


def _up(error: float) -> str:
    """Print a bound with two digits, never below what it is."""
    text = f"{error:.1e}"
    return text if float(text) >= error else f"{float(text) + 10.0 ** (math.floor(math.log10(error)) - 1):.1e}"


def _fraction(cell: Mapping[str, Any], name: str) -> str:
    text = str(cell["metrics"][name]["fraction"])
    if not text:
        return ROUNDED
    return text if len(text) <= LONGEST else f"{len(text):,} characters (--json)"


def _decimal(value: Mapping[str, Any], metric: Mapping[str, Any]) -> str:
    if value["estimate"] is None:
        return "infinite"
    if metric["kind"] != "share":
        return f"{value['estimate']:.5f}"
    return percent(solved.amount({**value, "value": value["estimate"]}))


def _difference(value: Mapping[str, Any], base: Mapping[str, Any], metric: Mapping[str, Any]) -> str:
    if value["estimate"] is None or base["estimate"] is None:
        return ""
    ours, theirs = (solved.amount({**one, "value": one["estimate"]}) for one in (value, base))
    difference = float(ours - theirs)
    return f"{100 * difference:+.4f} pp" if metric["kind"] == "share" else f"{difference:+.5f}"
