"""Commands that look at results: report, replay, results."""

import re
import shlex
import shutil
import time
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from simkit.cli.common import (
    Place,
    Refusal,
    Whole,
    examples,
    json_option,
    mutter,
    planned,
    print_json,
    printable,
    writing,
    yes_option,
)
from simkit.cli.layout import named, table, wrapped
from simkit.cli.retell import Numbered, Views, numbered, retell, view_options

RUN = re.compile(r"([a-z]{1,20}-)?[0-9a-f]{16}")
"""Name of the folder of one plan, or of a study: with its command before it."""


@click.command(
    epilog=examples("simkit report results/altered-odds --open", "simkit report results/altered-odds --format md")
)
@click.argument("folder", type=Place(), default=Path("results"))
@click.option(
    "--format", "form", type=click.Choice(["html", "md"]), default="html", show_default=True, help="Page or text."
)
@click.option("--open", "open_", is_flag=True, help="Open the page in the browser.")
def report(folder: Path, form: str, open_: bool) -> None:
    """Show the report of a run: where its page is, or its text for a forum.

    FOLDER is the folder of a run, or one that holds runs: then the newest is taken.
    """
    from simkit import api
    from simkit.lab.store import write_atomic
    from simkit.report import page

    newest = _newest(folder)
    if _is_study(newest):
        _show_study(newest, form, open_)
        return
    found = api.load(newest)
    if form == "md":
        click.echo(_undamaged(found.folder, lambda: page.markdown(found.document)))
        return
    target = found.folder / "report.html"
    if not target.is_file():
        text = _undamaged(found.folder, lambda: page.html(found.document))
        with writing(target):
            write_atomic(target, text.encode())
    click.echo(wrapped(printable(_undamaged(found.folder, lambda: found.answer))))
    click.echo(str(target))
    if open_ and not webbrowser.open(target.resolve().as_uri()):
        mutter("no browser was found; open the page by hand")


def _is_study(folder: Path) -> bool:
    """Tell whether a folder, or the newest finished one in it, is that of a study and not of a run."""
    if not (folder / "manifest.json").is_file():
        found = sorted(folder.glob("*/manifest.json"), key=lambda path: path.stat().st_mtime)
        folder = found[-1].parent if found else folder
    return "-" in folder.name and RUN.fullmatch(folder.name) is not None


def _show_study(folder: Path, form: str, open_: bool) -> None:
    """Show the report of a study, which was written with it."""
    from simkit.api.studies import load_study

    found = load_study(folder)
    if form == "md":
        click.echo((found.folder / "report.md").read_text(encoding="utf-8"), nl=False)
        return
    target = found.folder / "report.html"
    click.echo(wrapped(printable(found.answer)))
    click.echo(str(target))
    if open_ and not webbrowser.open(target.resolve().as_uri()):
        mutter("no browser was found; open the page by hand")


def _undamaged(folder: Path, make: Any) -> Any:
    """Make something from a document that others may have written."""
    try:
        return make()
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise Refusal(f"report.json in {folder} is damaged; the same simkit run command mends it.") from error


def _newest(folder: Path) -> Path:
    """Return the newest finished run below a folder of all results."""
    if (folder / "manifest.json").is_file() or list(folder.glob("*/manifest.json")):
        return folder
    runs = sorted(folder.glob("*/*/manifest.json"), key=lambda path: path.stat().st_mtime)
    return runs[-1].parent if runs else folder


@click.command(
    epilog=examples(
        "simkit replay experiments/altered_odds.toml --cell 6 --trial 192",
        "simkit replay results/my-duel --trial 12b --html duel.html --open",
    )
)
@click.argument("source", type=Place())
@click.option(
    "--cell", default="1", show_default=True, help="Row of the table, beginning of a hash, or axis=value,axis=value."
)
@click.option(
    "--trial",
    type=Numbered(),
    default="0",
    show_default=True,
    help="Number of the trial, from 0; 12b is pair 12 with the seats swapped.",
)
@view_options
@yes_option
@json_option
def replay(
    source: Path, cell: str, trial: str, svg: Path | None, html: Path | None, open_: bool, yes: bool, as_json: bool
) -> None:
    """Retell one trial of a run (its folder) or of an experiment (its file), roll by roll.

    Where the game draws its trials, a picture or a page to step through can be had too.
    """
    from simkit import api
    from simkit.lab.cells import find_cell
    from simkit.lab.trial import Trial

    views = Views(svg, html, open_)
    run = api.load(_newest(source)) if source.is_dir() else None
    plan = planned(source, yes=yes) if run is None else run.plan
    chosen = find_cell(plan, cell)
    api.refuse_unlimited(plan)
    wanted = Trial.read(trial, plan.game)
    views.check(plan.game)
    end = plan.units if run is None else _played(run, chosen.number)
    if wanted.unit >= end:
        what = "a run of this file plays" if run is None else "this run played"
        numbers = "trial 0 alone" if end == 1 else f"trials 0 to {end - 1:,}"
        mutter(f"trial {wanted.text} was not played ({what} {numbers}): told as it would have gone")
    titles = [named(plan.game.axis_title(path), label) for path, label in chosen.labels.items()]
    place = f"cell {chosen.number}: {', '.join(titles) or 'the only one'}"
    which = f"{place}; trial {numbered(wanted)}, seed {plan.experiment.seed}"
    command = shlex.join(["simkit", "replay", str(source), "--cell", str(chosen.number), "--trial", wanted.text])
    retell(plan, chosen, wanted, views, which=which, command=command, as_json=as_json)


def _played(run: Any, cell: int) -> int:
    """Return how many units of a cell a run has played."""
    return int(_undamaged(run.folder, lambda: int(run.document["cells"][cell - 1]["n"])))


@click.command(epilog=examples("simkit results", "simkit results --prune 1"))
@click.option(
    "--out",
    type=Place(),
    default=Path("results"),
    show_default=True,
    metavar="FOLDER",
    help="Folder of all results.",
)
@click.option(
    "--prune",
    type=Whole(0, 10**9),
    metavar="KEEP",
    help="Delete all but the newest KEEP runs, and the newest KEEP studies of every command, of every name.",
)
@json_option
def results(out: Path, prune: int | None, as_json: bool) -> None:
    """List the runs in a folder of results with their size; --prune makes room."""
    found = _runs(out)
    if prune is not None:
        for old in _spare(found, prune):
            _delete(old)
        found = _runs(out)
    if as_json:
        print_json({"schema": 1, "runs": found})
        return
    if not found:
        click.echo(f"no runs in {out}; simkit run makes one")
        return
    rows = [
        [
            one["name"],
            one["run"],
            time.strftime("%Y-%m-%d %H:%M", time.localtime(one["when"])),
            "" if one["cells"] is None else f"{one['cells']:,}",
            f"{one['trials']:,}" if one["trials"] else "",
            one["state"],
            f"{one['megabytes']:.1f}",
        ]
        for one in found
    ]
    headers = ["name", "run", "changed", "cells", "trials\na cell", "state", "MB"]
    click.echo(table(headers, rows, right=(3, 4, 6)))
    click.echo(f"\n{sum(one['megabytes'] for one in found):.1f} MB in all")


def _kind(one: Mapping[str, Any]) -> tuple[str, str]:
    """Return the name of a run and the command that made it, which the name of a study's folder begins with."""
    return str(one["name"]), str(one["run"]).rpartition("-")[0]


def _spare(runs: list[dict[str, Any]], keep: int) -> list[dict[str, Any]]:
    """List what can go: all but the newest finished runs of every name and command, and older unfinished ones.

    An unfinished run that is newer than every finished one is somebody's present work: it goes only with everything.
    """
    spare = []
    for kind in {_kind(one) for one in runs}:
        mine = [one for one in runs if _kind(one) == kind]
        finished = sorted((one for one in mine if one["state"] == "finished"), key=lambda one: float(one["when"]))
        newest = float(finished[-1]["when"]) if finished else -1.0
        stale = [one for one in mine if one["state"] != "finished" and (not keep or float(one["when"]) < newest)]
        spare += finished[: len(finished) - keep] if keep < len(finished) else []
        spare += stale
    return spare


def _delete(run: dict[str, Any]) -> None:
    """Delete the folder of a run, unless somebody is playing it."""
    from simkit.core.lock import LockedError, file_lock

    folder = Path(run["folder"])
    try:
        with file_lock(folder / ".lock", wait=False):
            pass
        shutil.rmtree(folder)
    except LockedError:
        mutter(f"kept {folder}: it is being played")
        return
    except OSError as error:
        raise Refusal(f"Cannot delete {folder}: {error.strerror}.") from error
    mutter(f"deleted {folder} ({run['megabytes']:.1f} MB)")
    with suppress(OSError):
        folder.parent.rmdir()  # empty after its last run


def _runs(out: Path) -> list[dict[str, Any]]:
    """List the folders that simkit wrote, finished or not; links and anything else are left alone."""
    import json

    from simkit.lab.experiment import NAME

    found = []
    for blocks in sorted(out.glob("*/*/blocks")):
        folder = blocks.parent
        if not (RUN.fullmatch(folder.name) and NAME.fullmatch(folder.parent.name)):
            continue
        if folder.is_symlink() or folder.parent.is_symlink() or not blocks.is_dir():
            continue
        try:
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
            known, state = manifest.get("cells", []), "finished"
            cells = len(known) if known or "command" not in manifest else None
            trials = max((int(cell.get("trials", cell["n"])) for cell in known), default=0)
        except (OSError, ValueError, LookupError, TypeError):
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
    return sorted(found, key=lambda one: (one["name"], one["when"]))
