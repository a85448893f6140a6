"""Commands before anything is played: new, check, plan."""

import json
from pathlib import Path

import click

from simkit.cli.common import json_option, parse_settings, set_option, show_problems, show_warnings, table


@click.command()
@click.argument("name")
@click.option("--game", default="pigtickler", show_default=True, help="Which rules.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("experiments"), show_default=True, help="Where to.")
def new(name: str, game: str, folder: Path) -> None:
    """Write FOLDER/NAME.toml and FOLDER/house/NAME-rule.toml, both commented and ready to run.

    \b
    Example:
      simkit new my-first --game pigtickler
    """
    from pydantic_core import PydanticCustomError

    from simkit.games import protocol
    from simkit.lab.experiment import check_name
    from simkit.lab.store import write_atomic

    try:
        check_name(name)
    except PydanticCustomError as error:
        context = error.context or {}
        raise click.UsageError(f"{error.message()}: {context.get('help', '')}") from error
    if len(name) > 59:
        raise click.UsageError("the name is too long: at most 59 characters, as NAME-rule is a name too")
    protocol.load(game)
    source = Path(protocol.__file__).parent / game / "data" / "new"
    targets = {
        folder / f"{name}.toml": source / "experiment.toml",
        folder / "house" / f"{name}-rule.toml": source / "house.toml",
    }
    for target in targets:
        if target.exists():
            raise click.UsageError(f"{target} is there already; nothing was written")
    for target, template in targets.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(target, template.read_text(encoding="utf-8").replace("NAME", name).encode())
        click.echo(f"wrote {target}")
    click.echo(f"next: simkit run {folder / name}.toml")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option
def check(files: tuple[Path, ...], as_json: bool) -> None:
    """Check experiments and house rules: all problems of every file, at once.

    \b
    Example:
      simkit check experiments/*.toml experiments/house/*.toml
    """
    from simkit.lab.check import check_file
    from simkit.lab.problems import ProblemError

    found = []
    wrong = 0
    for file in files:
        try:
            said, plan = check_file(file)
        except ProblemError as error:
            wrong += 1
            found.append({"file": str(file), "ok": False, "problems": [p.message for p in error.problems]})
            if not as_json:
                error.closing = "nothing was changed"  # type: ignore[attr-defined]
                show_problems(error)
            continue
        found.append({"file": str(file), "ok": True, "says": said})
        if not as_json:
            click.echo(f"{file}: {said}")
            if plan is not None:
                show_warnings(plan)
    if as_json:
        click.echo(json.dumps({"schema": 1, "files": found}, ensure_ascii=False))
    if wrong:
        raise click.exceptions.Exit(2)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--trials", type=click.IntRange(1), help="Trials for every cell, in place of the file's.")
@click.option("--precision", type=click.FloatRange(0, min_open=True), help="How narrow the intervals shall be.")
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="Threads; all processors when left out.")
@set_option
@json_option
def plan(
    file: Path, trials: int | None, precision: float | None, jobs: int | None, settings: tuple[str, ...], as_json: bool
) -> None:
    """Show what running FILE would take: cells, trials, time, disk and the precision to expect.

    \b
    Example:
      simkit plan experiments/altered_odds.toml --precision 0.0005
    """
    from simkit.core.trials import cpus
    from simkit.lab import plan as room
    from simkit.lab.foresight import foresee

    made = room.make(file, trials=trials, precision=precision, overrides=parse_settings(settings))
    expected = foresee(made, jobs or cpus())
    if as_json:
        document = {"schema": 1, "name": made.experiment.name, "run": made.fingerprint, **expected.to_json()}
        document["cells"] = [
            {"cell": cell.number, "labels": dict(cell.labels), "hash": cell.fingerprint} for cell in made.cells
        ]
        click.echo(json.dumps(document, ensure_ascii=False))
        return
    show_warnings(made)
    if made.experiment.question:
        click.echo(made.experiment.question)
    click.echo(expected.words())
    headers = ["cell", *(made.game.axis_title(name) for name in made.experiment.sweep.axes), "scenario"]
    rows = [
        [str(cell.number), *cell.labels.values(), made.game.describe(cell.scenario)] for cell in made.cells[:12]
    ]
    click.echo("\n" + table(headers, rows, right=(0,)))
    if len(made.cells) > 12:
        click.echo(f"... and {len(made.cells) - 12:,} more cells")
    click.echo(f"\nnext: simkit run {file}")
