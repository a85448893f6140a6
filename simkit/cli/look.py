"""Commands that look at results: report, replay, results."""

import json
import shutil
import webbrowser
from pathlib import Path
from typing import Any

import click

from simkit.cli.common import compiler, json_option, table


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path("results"))
@click.option("--format", "form", type=click.Choice(["html", "md"]), default="html", show_default=True, help="Page or text.")
@click.option("--open", "open_", is_flag=True, help="Open the page in the browser.")
def report(folder: Path, form: str, open_: bool) -> None:
    """Write the report of a run again, or print it as Markdown for a forum.

    FOLDER is a run's folder, or one that holds runs: then the newest is taken.

    \b
    Examples:
      simkit report results/altered-odds --open
      simkit report results/altered-odds --format md
    """
    from simkit import api
    from simkit.report import page

    found = api.load(_newest(folder))
    if form == "md":
        click.echo(page.markdown(found.document))
        return
    target = found.folder / "report.html"
    if not target.is_file():
        from simkit.lab.store import write_atomic

        write_atomic(target, page.html(found.document).encode())
    click.echo(found.answer)
    click.echo(str(target))
    if open_:
        webbrowser.open(target.resolve().as_uri())


def _newest(folder: Path) -> Path:
    """Return the newest finished run below a folder of all results."""
    if (folder / "manifest.json").is_file() or list(folder.glob("*/manifest.json")):
        return folder
    runs = sorted(folder.glob("*/*/manifest.json"), key=lambda path: path.stat().st_mtime)
    return runs[-1].parent if runs else folder


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--cell", default="1", show_default=True, help="Row of the table, beginning of a hash, or axis=value,axis=value.")
@click.option("--trial", default="0", show_default=True, help="Number of the trial, from 0.")
@json_option
def replay(source: Path, cell: str, trial: str, as_json: bool) -> None:
    """Retell one trial of a run (its folder) or of an experiment (its file), roll by roll.

    \b
    Example:
      simkit replay experiments/altered_odds.toml --cell 6 --trial 192
    """
    from simkit import api
    from simkit.lab.plan import make

    if not (trial.isascii() and trial.isdigit() and len(trial) <= 18):
        raise click.UsageError(f"--trial is a whole number from 0, not {trial!r}")
    plan = api.load(_newest(source)).plan if source.is_dir() else make(source)
    api.refuse_unlimited(plan)
    plan.game.ready(compiler(quiet=as_json))
    lines = api.replay(plan, cell, int(trial))
    chosen = api.find_cell(plan, cell)
    if as_json:
        document = {"schema": 1, "cell": chosen.number, "hash": chosen.fingerprint, "trial": int(trial), "lines": lines}
        click.echo(json.dumps(document, ensure_ascii=False))
        return
    click.echo(f"{plan.game.TITLE}: {plan.game.describe(chosen.scenario)}")
    click.echo(f"cell {chosen.number} ({chosen.title}), trial {trial}, seed {plan.experiment.seed}\n")
    for line in lines:
        cites = f"   ({', '.join(line['ids'])})" if line["ids"] else ""
        indent = "" if line["kind"] in ("turn", "end") else "  "
        click.echo(f"{indent}{line['text']}{cites}")


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("results"), show_default=True, help="Folder of all results.")
@click.option("--prune", type=click.IntRange(0), metavar="KEEP", help="Delete all but the newest KEEP runs of every name.")
@json_option
def results(out: Path, prune: int | None, as_json: bool) -> None:
    """List the runs in a folder of results with their size; --prune makes room."""
    found = _runs(out)
    if prune is not None:
        by_name: dict[str, list[dict[str, Any]]] = {}
        for one in found:
            by_name.setdefault(one["name"], []).append(one)
        for runs in by_name.values():
            for old in sorted(runs, key=lambda one: float(one["when"]), reverse=True)[prune:]:
                shutil.rmtree(old["folder"])
                click.echo(f"deleted {old['folder']} ({old['megabytes']:.1f} MB)", err=True)
        found = _runs(out)
    if as_json:
        click.echo(json.dumps({"schema": 1, "runs": found}, ensure_ascii=False))
        return
    if not found:
        click.echo(f"no runs in {out}; simkit run makes one")
        return
    rows = [
        [one["name"], one["run"], f"{one['cells']:,}", f"{one['trials']:,}", one["state"], f"{one['megabytes']:.1f}"]
        for one in found
    ]
    click.echo(table(["name", "run", "cells", "trials a cell", "state", "MB"], rows, right=(2, 3, 5)))
    click.echo(f"\n{sum(one['megabytes'] for one in found):.1f} MB in all")


def _runs(out: Path) -> list[dict[str, Any]]:
    """List the folders that simkit wrote, finished or not; anything else is left alone."""
    found = []
    for blocks in sorted(out.glob("*/*/blocks")):
        folder = blocks.parent
        try:
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
            cells, trials, state = len(manifest["cells"]), int(manifest["trials"]), "finished"
        except (OSError, ValueError, KeyError, TypeError):
            cells, trials, state = sum(1 for _ in blocks.iterdir()), 0, "unfinished"
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        found.append(
            {
                "name": folder.parent.name,
                "run": folder.name,
                "folder": str(folder),
                "cells": cells,
                "trials": trials,
                "state": state,
                "when": folder.stat().st_mtime,
                "megabytes": size / 1e6,
            }
        )
    return found
