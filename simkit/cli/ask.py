"""Commands before anything is played: new, check, plan."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from simkit.cli.common import (
    Narrow,
    Place,
    Refusal,
    examples,
    game,
    jobs_option,
    json_option,
    parse_settings,
    planned,
    print_json,
    set_option,
    show_problems,
    show_warnings,
    trials_option,
    writing,
    yes_option,
)
from simkit.cli.layout import table, wrapped

SHOWN = 12
"""Most cells in a table on the screen."""


@click.command(epilog=examples("simkit new my-first --game pigtickler"))
@click.argument("name")
@click.option("--game", "game_name", default="pigtickler", show_default=True, metavar="GAME", help="Which rules.")
@click.option("--folder", type=Place(), default=Path("experiments"), show_default=True, help="Where to.")
def new(name: str, game_name: str, folder: Path) -> None:
    """Write an experiment and a house rule to start from, both commented and ready to run.

    They are FOLDER/NAME.toml and FOLDER/house/NAME-rule.toml; files that are there already are left alone.
    """
    from pydantic_core import PydanticCustomError

    from simkit.games import protocol
    from simkit.lab.experiment import check_name
    from simkit.lab.store import write_atomic

    try:
        check_name(name)
    except PydanticCustomError as error:
        context = error.context or {}
        raise Refusal(f"{error.message()}: {context.get('help', '')}.") from error
    if len(name) > 59:
        raise Refusal("The name is too long: at most 59 characters, as NAME-rule is a name too.")
    game(game_name)
    source = Path(protocol.__file__).parent / game_name / "data" / "new"
    targets = {
        folder / f"{name}.toml": source / "experiment.toml",
        folder / "house" / f"{name}-rule.toml": source / "house.toml",
    }
    for target in targets:
        if target.exists():
            raise Refusal(f"{target} is there already; nothing was written.")
    for target, template in targets.items():
        with writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(target, template.read_text(encoding="utf-8").replace("NAME", name).encode())
        click.echo(f"wrote {target}")
    click.echo(f"next: simkit run {_quoted(folder / f'{name}.toml')}")


def _quoted(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))


@click.command(epilog=examples("simkit check experiments/*.toml experiments/house/*.toml"))
@click.argument("files", nargs=-1, required=True, type=Place(), metavar="FILE...")
@yes_option
@json_option
def check(files: tuple[Path, ...], yes: bool, as_json: bool) -> None:
    """Check experiments, house rules and marches: all problems of every file, at once.

    What a file asks of other commands, such as its tables [balance] and [matrix], is checked as they would.
    """
    from simkit.api.tables import check_tables, check_without_sides
    from simkit.lab.check import check_file
    from simkit.lab.problems import ProblemError

    found: list[dict[str, Any]] = []
    for file in files:
        try:
            if tables := check_without_sides(file):
                said, made = f"fine: {_tables(tables)}; without [sides] there is nothing for simkit run", None
            else:
                said, made = check_file(file, patient=yes)
                if made is not None and (tables := check_tables(made)):
                    said += f"; fine as well: {_tables(tables)}"
        except ProblemError as error:
            found.append({"file": str(file), "ok": False, "problems": [_problem(one) for one in error.problems]})
            show_problems(error, closing="nothing was changed")
            continue
        warnings = [] if made is None else [_problem(one) for one in made.warnings]
        found.append({"file": str(file), "ok": True, "says": said, "problems": warnings})
        if not as_json:
            click.echo(f"{file}: {said}")
            if made is not None:
                show_warnings(made)
    if as_json:
        print_json({"schema": 1, "files": found})
    if not all(one["ok"] for one in found):
        raise click.exceptions.Exit(2)


def _tables(names: Iterable[str]) -> str:
    return ", ".join(f"[{name}]" for name in names)


def _problem(problem: Any) -> dict[str, Any]:
    line, column = (None, None) if problem.span is None else (problem.span.line, problem.span.column)
    return {
        "severity": problem.severity,
        "kind": problem.kind,
        "message": problem.message,
        "file": problem.path,
        "line": line,
        "column": column,
        "help": problem.help or problem.note,
    }


@click.command(epilog=examples("simkit plan experiments/altered_odds.toml --precision 0.0005"))
@click.argument("file", type=Place())
@trials_option
@click.option("--precision", type=Narrow(), help="How narrow the intervals shall be, to either side.")
@jobs_option
@set_option
@yes_option
@json_option
def plan(
    file: Path,
    trials: int | None,
    precision: float | None,
    jobs: int | None,
    settings: tuple[str, ...],
    yes: bool,
    as_json: bool,
) -> None:
    """Show what running FILE would take: cells, trials, time, disk and the precision to expect."""
    from simkit.core.trials import cpus
    from simkit.lab.foresight import foresee

    overrides = parse_settings(settings)
    made = planned(file, yes=yes, trials=trials, precision=precision, overrides=overrides)
    expected = foresee(made, jobs or cpus())
    if as_json:
        document = {"schema": 1, "name": made.experiment.name, "run": made.fingerprint, **expected.to_json()}
        document["cells"] = [
            {"cell": cell.number, "labels": dict(cell.labels), "hash": cell.fingerprint} for cell in made.cells
        ]
        print_json(document)
        return
    show_warnings(made)
    if made.experiment.question:
        click.echo(wrapped(made.experiment.question))
    for line in expected.words().split("\n"):
        click.echo(wrapped(line))
    axes = list(made.experiment.sweep.axes)
    first = made.cells[0]
    click.echo("\n" + wrapped(f"{'cell 1: ' if axes else ''}{made.game.describe(first.scenario)}", always=True))
    if axes:
        headers = ["cell", *(made.game.axis_title(name).replace(" ", "\n") for name in axes)]
        shown = made.cells if len(made.cells) <= SHOWN else made.cells[:SHOWN]
        rows = [[str(cell.number), *cell.labels.values()] for cell in shown]
        click.echo("\n" + table(headers, rows, right=(0,)))
        if len(made.cells) > len(shown):
            click.echo(f"... and {len(made.cells) - len(shown):,} more cells")
    click.echo(f"\nnext: simkit run {_quoted(file)}")
