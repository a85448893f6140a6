"""Commands that know things: games, designs, schema, doctor."""

import json
from pathlib import Path

import click

from simkit.cli.common import Place, Refusal, examples, game, json_option, meant, print_json, shortened, writing
from simkit.cli.layout import table, wrapped


@click.command(epilog=examples("simkit games"))
@json_option
def games(as_json: bool) -> None:
    """List the games there are."""
    from simkit.games import protocol

    found = [protocol.load(name) for name in protocol.find()]
    if as_json:
        rows = [{"name": g.NAME, "title": g.TITLE, "summary": g.SUMMARY, "edition": g.EDITION} for g in found]
        print_json({"schema": 1, "games": rows})
        return
    click.echo(table(["name", "title", "what it is"], [[g.NAME, g.TITLE, g.SUMMARY] for g in found]))
    click.echo(f"\nnext: simkit rules {found[0].NAME}, or simkit new my-first --game {found[0].NAME}")


@click.command(epilog=examples("simkit designs pigtickler", "simkit designs jugger walker"))
@click.argument("game_name", metavar="[GAME]", default="pigtickler")
@click.argument("name", required=False)
@json_option
def designs(game_name: str, name: str | None, as_json: bool) -> None:
    """List the designs and presets that GAME offers to an experiment.

    With NAME: one of them, with all its ratings, how they come about, and its table to copy.
    """
    module = game(game_name)
    if name is not None:
        _design(game_name, name, as_json=as_json)
        return
    found = module.presets()
    if as_json:
        print_json({"schema": 1, "game": game_name, "designs": found})
        return
    click.echo(wrapped(f"{module.TITLE}: {module.PRESETS_ARE}") + "\n")
    click.echo(table(list(found[0]), [[str(value) for value in row.values()] for row in found]))


def _design(game_name: str, name: str, *, as_json: bool) -> None:
    """Show one preset."""
    import tomli_w

    from simkit.cli.rate import shown, understood
    from simkit.lab import rated

    with understood():
        sheet = rated.of_presets(game_name, [name])
        content = rated.rater(sheet.game).preset_table(name)
    entry = sheet.entries[0]
    own = f"my-{entry.rated.name}"[:64]
    text = tomli_w.dumps({"designs": {own: content}})
    if as_json:
        (design,) = sheet.to_json()["designs"]
        print_json({"schema": 1, "game": game_name, "design": design, "table": content, "toml": text})
        return
    for line in shown(sheet, steps=True):
        click.echo(line)
    click.echo(f"\nto copy into an experiment, and to change:\n\n{text.rstrip()}")


@click.command(epilog=examples("simkit schema experiments/schema", "simkit schema --document matrix"))
@click.argument("folder", type=Place(), required=False)
@click.option("--document", metavar="COMMAND", help="Print the schema of what this command prints with --json.")
def schema(folder: Path | None, document: str | None) -> None:
    """Write JSON Schemas into FOLDER, so that an editor completes and checks.

    Without FOLDER the schema of experiments is printed.

    Files that begin with "#:schema ./schema/experiment.schema.json" are completed and checked while you type, by every
    editor that knows TOML schemas.
    """
    from simkit.lab.schema import SCHEMAS, experiment_schema

    if document is not None:
        _document_schema(folder, document)
        return
    if folder is None:
        click.echo(json.dumps(experiment_schema(), indent=1))
        return
    from simkit.lab.store import write_atomic

    for name, make in SCHEMAS.items():
        with writing(folder / name):
            folder.mkdir(parents=True, exist_ok=True)
            write_atomic(folder / name, (json.dumps(make(), indent=1, ensure_ascii=False) + "\n").encode())
        click.echo(f"wrote {folder / name}")


def _document_schema(folder: Path | None, command: str) -> None:
    from simkit.balance.documents.schemas import commands, document_schema

    if folder is not None:
        raise Refusal("--document prints one schema; it takes no FOLDER.")
    if command not in commands():
        there = ", ".join(commands())
        raise Refusal(
            f"No command of that name has a document: {shortened(command)}; there are: {there}."
            f"{meant(command, commands())}"
        )
    print_json(document_schema(command))


@click.command(epilog=examples("simkit doctor"))
def doctor() -> None:
    """Check this machine and this installation: versions, processors, cache, and a game played and solved."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from simkit.core import jit
    from simkit.core.trials import cpus
    from simkit.lab.doctor import examine
    from simkit.lab.publish import PACKAGES, simkit_version

    rows = [["simkit", simkit_version()], ["python", platform.python_version()]]
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
        raise click.exceptions.Exit(1)
