"""Commands that answer: run, exact."""

import json
from pathlib import Path
from typing import Any

import click

from simkit.cli.common import Bar, compiler, json_option, parse_settings, set_option, show_warnings, table

SHOWN = 12
"""Most cells in a table on the screen."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--trials", type=click.IntRange(1), help="Trials for every cell, in place of the file's.")
@click.option("--precision", type=click.FloatRange(0, min_open=True), help="Play until intervals are this narrow.")
@click.option("--seed", type=click.IntRange(0), help="Seed of all dice, in place of the file's.")
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="Threads; all processors when left out.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("results"), show_default=True, help="Folder of all results.")
@set_option
@click.option("--raw", is_flag=True, help="Keep every outcome of every trial as Parquet.")
@click.option("--yes", is_flag=True, help="Play even what takes long.")
@click.option("--fail-if", "fail_if", metavar="WORD", help="Exit with 3 if the verdict has this word (for example raises).")
@click.option("--block", type=click.IntRange(1), hidden=True, help="Units in a block; never changes a number.")
@json_option
@click.option("-q", "--quiet", is_flag=True, help="No progress, no chatter.")
def run(
    file: Path,
    trials: int | None,
    precision: float | None,
    seed: int | None,
    jobs: int | None,
    out: Path,
    settings: tuple[str, ...],
    raw: bool,
    yes: bool,
    fail_if: str | None,
    block: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play the experiment in FILE, or what is missing of it, and answer its question.

    Killed or interrupted, the same command goes on where it was. More trials or one more value of an axis play only what
    is new.

    \b
    Examples:
      simkit run experiments/altered_odds.toml
      simkit run experiments/altered_odds.toml --trials 10000 --set bogs.swamp=-4
    """
    from simkit import api
    from simkit.balance.verdict import WORDS
    from simkit.core.trials import cpus
    from simkit.lab.foresight import spoken
    from simkit.lab.plan import TOO_LONG

    if fail_if is not None and fail_if not in WORDS:
        raise click.UsageError(f"--fail-if takes a word of the verdict: {', '.join(WORDS)}")
    overrides = parse_settings(settings)
    plan = api.check(file, trials=trials, seed=seed, precision=precision, overrides=overrides)
    if not quiet:
        show_warnings(plan)
    seconds = plan.seconds(jobs or cpus())
    if seconds > TOO_LONG and not yes:
        raise click.UsageError(
            f"this plan is {len(plan.cells):,} cells x {plan.trials:,} trials, about {spoken(seconds)}. "
            "Go on with --yes, or play fewer: --trials N"
        )
    bar = Bar(plan.experiment.name, quiet=quiet or as_json)
    result = api.run(plan, jobs=jobs, out=out, raw=raw, block=block, progress=bar)
    if as_json:
        click.echo(json.dumps(result.document, ensure_ascii=False))
    else:
        _show(result)
    if fail_if is not None and result.verdict["word"] == fail_if:
        raise click.exceptions.Exit(3)


def _show(result: Any) -> None:
    document = result.document
    if document["question"]:
        click.echo(f"\n{document['question']}")
    click.echo(f"{result.answer}\n")
    click.echo(_cells(document))
    click.echo(f"\n{result.folder}    next: simkit report {result.folder} --open")


def _cells(document: dict[str, Any]) -> str:
    from simkit.balance.document import estimate_of, metric_of
    from simkit.stats import format_estimate, format_interval

    name = document["metric"]
    gain = f"{name}_minus_baseline"
    share = metric_of(document, name).kind == "share"
    words = {row["cell"]: row["word"] for row in document["verdict"]["rows"]}
    paired = any(gain in cell["metrics"] for cell in document["cells"])
    headers = ["cell", *(axis["title"] for axis in document["axes"]), name, f"{document['level']:.4g} interval"]
    headers[-1] = f"{100 * document['level']:.4g} % interval"
    if paired:
        headers += ["minus baseline", "interval"]
    headers.append("verdict")
    rows = []
    shown = document["cells"] if len(document["cells"]) <= SHOWN else document["cells"][: SHOWN - 1]
    for cell in shown:
        row = [str(cell["cell"]), *cell["labels"].values()]
        row += _numbers(cell["metrics"].get(name), "share" if share else "count", estimate_of, format_estimate, format_interval)
        if paired:
            entry = cell["metrics"].get(gain)
            row += _numbers(entry, "points" if share else "count", estimate_of, format_estimate, format_interval)
        row.append(words.get(cell["cell"], "baseline" if paired else ""))
        rows.append(row)
    first = 1 + len(document["axes"])
    text = table(headers, rows, right=(0, *range(first, len(headers) - 1)))
    rest = len(document["cells"]) - len(shown)
    return text + (f"\n... and {rest:,} more cells in cells.csv" if rest else "")


def _numbers(entry: Any, unit: str, estimate_of: Any, value: Any, interval: Any) -> list[str]:
    if entry is None:
        return ["", ""]
    estimate = estimate_of(entry)
    return [value(estimate, unit), interval(estimate, unit)]


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@set_option
@click.option("--unlimited", is_flag=True, help="Without a limit of turns, whatever the file says.")
@json_option
def exact(file: Path, settings: tuple[str, ...], unlimited: bool, as_json: bool) -> None:
    """Solve every cell of the experiment in FILE exactly, as fractions.

    \b
    Example:
      simkit exact experiments/fences_or_bogs.toml
    """
    from simkit import api

    overrides = parse_settings(settings)
    plan = api.check(file, overrides=overrides)
    if unlimited:
        plan = api.check(file, overrides=overrides | dict(plan.game.UNLIMITED))
    plan.game.ready(compiler(quiet=as_json))
    document = api.exact(plan)
    if as_json:
        click.echo(json.dumps(document, ensure_ascii=False))
        return
    metrics = {metric.name: metric for metric in plan.game.OUTCOMES}
    if document["question"]:
        click.echo(document["question"])
    for cell in document["cells"]:
        title = ", ".join(f"{axis['title']} {label}" for axis, label in zip(document["axes"], cell["labels"].values(), strict=True))
        click.echo(f"\n{cell['cell']}. {title or cell['scenario']}" + (f"   ({cell['scenario']})" if title else ""))
        rows = [
            [name, value["fraction"], _decimal(value["estimate"], metrics[name]), metrics[name].says]
            for name, value in cell["metrics"].items()
            if value["estimate"] != 0 or name == document["metric"]
        ]
        click.echo(table(["metric", "exactly", "value", "what it is"], rows, right=(1, 2)))
    quiet = [name for name in metrics if all(c["metrics"][name]["estimate"] == 0 for c in document["cells"])]
    if quiet:
        click.echo(f"\nexactly 0 in every cell: {', '.join(quiet)}")


def _decimal(value: float | None, metric: Any) -> str:
    if value is None:
        return "infinite"
    return f"{100 * value:.4f} %" if metric.kind == "share" else f"{value:.5f}"
