"""Commands that know things: odds, rules, games, designs, schema, doctor."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from simkit.cli.common import json_option, table


@click.command()
@click.argument("expression", nargs=-1, required=True)
@click.option("--plot", "plot", type=click.Path(path_type=Path), help="Draw the curve into this file (.svg or .png).")
@json_option
def odds(expression: tuple[str, ...], plot: Path | None, as_json: bool) -> None:
    """Exact odds of dice: as a fraction, as a decimal, and as a table of at least.

    NdS, + and -, khK / klK keep the highest / lowest K, rX rerolls once what shows X or less, ! explodes on the top
    face, d% is d100; compare with > >= < <= = !=.

    \b
    Examples:
      simkit odds "2d6 >= 8"
      simkit odds "3d6kh2+1 > 2d6" --plot curve.svg
    """
    from simkit.core.odds import odds as solve

    answer = solve(" ".join(expression))
    if plot is not None:
        from simkit.report.dice import draw

        draw(answer, plot)
    if as_json:
        click.echo(json.dumps(answer.to_json(), ensure_ascii=False))
        return
    if answer.decimal is not None:
        shown = str(answer.fraction) if answer.fraction is not None else f"within {answer.bound:.1g} (a series)"
        click.echo(f"{answer.expr}   =   {shown}   =   {answer.decimal:.10g}   ({100 * answer.decimal:.4f} %)")
        click.echo()
    listed = answer.at_least if len(answer.at_least) <= 60 else answer.at_least[:60]
    exactly = dict(answer.exactly)
    rows = [
        [str(value), str(chance), f"{100 * float(chance):.4f} %", f"{100 * float(exactly.get(value, 0)):.4f} %"]
        for value, chance in listed
    ]
    if any(len(row[1]) > 24 for row in rows):
        rows = [[row[0], *row[2:]] for row in rows]
        click.echo(table([str(answer.subject), "at least", "exactly"], rows, right=(0, 1, 2)))
    else:
        click.echo(table([str(answer.subject), "at least", "", "exactly"], rows, right=(0, 1, 2, 3)))
    if len(answer.at_least) > len(listed):
        click.echo(f"... and {len(answer.at_least) - len(listed):,} more values (all of them: --json)")
    if plot is not None:
        click.echo(f"\nwrote {plot}")


@click.command()
@click.argument("game")
@click.argument("which", required=False, metavar="[ID]")
@click.option("--house", type=click.Path(path_type=Path), help="With this house rule in force.")
@click.option("--diff", type=click.Path(path_type=Path), help="Only what this house rule changes.")
@json_option
def rules(game: str, which: str | None, house: Path | None, diff: Path | None, as_json: bool) -> None:
    """Show every number and ruling of GAME, or one rule by its ID or by a path.

    Sources: R is stated by the rules, Q is a ruling where they are silent, B is assumed from the base game.

    \b
    Examples:
      simkit rules pigtickler
      simkit rules pigtickler P-DN-4
      simkit rules pigtickler --diff experiments/house/soft-bogs.toml
    """
    from simkit.games import protocol
    from simkit.lab.rulebook import passages, rows_with

    found, title = rows_with(game, house or diff)
    if diff is not None:
        found = [row for row in found if row.value != row.default]
    text: list[str] = []
    if which is not None:
        text = passages(game, which)
        found = [row for row in found if which in (row.id, row.path)]
        if not found and not text:
            raise click.UsageError(f"{game} has no rule '{which}'; all of them: simkit rules {game}")
        if found and not text:
            text = passages(game, found[0].id)
    if as_json:
        fields = [row._asdict() for row in found]
        click.echo(json.dumps({"schema": 1, "game": game, "rules": fields, "text": text}, ensure_ascii=False))
        return
    module = protocol.load(game)
    click.echo(f"{module.TITLE} - {module.EDITION}" + (f" - with {title}" if title else ""))
    for passage in text:
        click.echo(f"\n{passage}")
    if found:
        click.echo()
    if diff is not None and not found:
        click.echo("this house rule changes nothing")
    for row in found:
        changed = f"   (rules of record: {_said(row.default)})" if row.value != row.default else ""
        click.echo(f"{row.path} = {_said(row.value)}{changed}")
        click.echo(f"    {row.says}  [{row.source} {row.id}; {row.allowed}]")


def _said(value: Any) -> str:
    from simkit.lab.house import toml_text

    return toml_text(value)


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games there are."""
    from simkit.games import protocol

    found = [protocol.load(name) for name in protocol.find()]
    if as_json:
        rows = [{"name": g.NAME, "title": g.TITLE, "summary": g.SUMMARY, "edition": g.EDITION} for g in found]
        click.echo(json.dumps({"schema": 1, "games": rows}, ensure_ascii=False))
        return
    click.echo(table(["name", "title", "what"], [[g.NAME, g.TITLE, g.SUMMARY] for g in found]))
    click.echo("\nnext: simkit rules NAME · simkit new my-first --game NAME")


@click.command()
@click.argument("game", default="pigtickler")
@json_option
def designs(game: str, as_json: bool) -> None:
    """List the designs and presets that GAME offers to an experiment."""
    from simkit.games import protocol

    module = protocol.load(game)
    found = module.presets()
    if as_json:
        click.echo(json.dumps({"schema": 1, "game": game, "designs": found}, ensure_ascii=False))
        return
    click.echo(f"{module.TITLE}: {module.PRESETS_ARE}\n")
    headers = list(found[0])
    click.echo(table(headers, [[str(value) for value in row.values()] for row in found]))


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def schema(folder: Path | None) -> None:
    """Write JSON Schemas into FOLDER (or print that of experiments), so that an editor completes and checks.

    \b
    Example:
      simkit schema experiments/schema
    Files that begin with  #:schema ./schema/experiment.schema.json  are then completed and checked while you type.
    """
    from simkit.lab.schema import SCHEMAS, experiment_schema

    if folder is None:
        click.echo(json.dumps(experiment_schema(), indent=1, ensure_ascii=False))
        return
    from simkit.lab.store import write_atomic

    folder.mkdir(parents=True, exist_ok=True)
    for name, make in SCHEMAS.items():
        write_atomic(folder / name, (json.dumps(make(), indent=1, ensure_ascii=False) + "\n").encode())
        click.echo(f"wrote {folder / name}")


@click.command()
def doctor() -> None:
    """Check this machine and this installation: versions, processors, cache, and a game played and solved."""
    import platform

    from simkit.core import jit
    from simkit.core.trials import cpus
    from simkit.lab.doctor import examine
    from simkit.lab.publish import PACKAGES, simkit_version

    rows = [["simkit", simkit_version()], ["python", platform.python_version()]]
    from importlib.metadata import PackageNotFoundError, version

    for package in PACKAGES:
        try:
            rows.append([package, version(package)])
        except PackageNotFoundError:
            rows.append([package, "missing"])
    rows.append(["processors", str(cpus())])
    rows.append(["compiled code", str(jit.cache_root()) if jit.COMPILED else "switched off (NUMBA_DISABLE_JIT)"])
    click.echo(table(["what", "here"], rows))
    click.echo()
    healthy = True
    for check in examine():
        healthy &= check.fine
        click.echo(f"{'fine ' if check.fine else 'WRONG'}  {check.says}")
    if not healthy:
        sys.exit(1)
