"""The command that answers: run."""

from pathlib import Path
from typing import Any

import click

from simkit.cli.bar import Bar
from simkit.cli.common import (
    Narrow,
    Place,
    Refusal,
    Whole,
    examples,
    jobs_option,
    json_option,
    meant,
    mutter,
    parse_settings,
    planned,
    print_json,
    set_option,
    show_warnings,
    trials_option,
    yes_option,
)


@click.command(
    epilog=examples(
        "simkit run experiments/altered_odds.toml",
        "simkit run experiments/altered_odds.toml --trials 10000 --set bogs.swamp=-4",
    )
)
@click.argument("file", type=Place())
@trials_option
@click.option("--precision", type=Narrow(), help="Play on until the intervals are this narrow, to either side.")
@click.option("--seed", type=Whole(0, 2**63 - 1), help="Seed of all dice, in place of the file's.")
@jobs_option
@click.option(
    "--out",
    type=Place(),
    default=Path("results"),
    show_default=True,
    metavar="FOLDER",
    help="Folder of all results; nothing is written elsewhere.",
)
@set_option
@click.option("--raw", is_flag=True, help="Keep every outcome of every trial as Parquet.")
@yes_option
@click.option(
    "--fail-if",
    metavar="WHAT",
    help="Exit with 3 if this holds: a word of the verdict, such as raises, or a condition that some cell meets, "
    'such as "win_a.high > 0.55" (.estimate, .low or .high of an outcome).',
)
@click.option("--block", type=Whole(1, 2**40), hidden=True, help="Units in a block; never changes a number.")
@json_option
@click.option("-q", "--quiet", is_flag=True, help="No progress and no warnings: the answer alone.")
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

    Killed or interrupted, the same command goes on where it was. More trials or one more value of an axis play only
    what is new.
    """
    from simkit import api
    from simkit.balance.condition import looks_like, read
    from simkit.balance.verdict import WORDS
    from simkit.core.trials import cpus
    from simkit.lab.foresight import spoken
    from simkit.lab.plan import TOO_LONG

    is_condition = fail_if is not None and looks_like(fail_if)
    if fail_if is not None and not is_condition and fail_if not in WORDS:
        raise Refusal(
            f"--fail-if takes a word of the verdict, {', '.join(WORDS)}, or a condition such as "
            f'"win_a.high > 0.55".{meant(fail_if, WORDS)}'
        )
    overrides = parse_settings(settings)
    plan = planned(file, yes=yes, trials=trials, seed=seed, precision=precision, overrides=overrides)
    condition = None
    if fail_if is not None and is_condition:
        try:
            condition = read(fail_if, [metric.name for metric in plan.game.OUTCOMES])
        except ValueError as error:
            raise Refusal(f"--fail-if: {error}; nothing was run.") from None
    if not quiet:
        show_warnings(plan)
    seconds = plan.seconds(jobs or cpus())
    if seconds > TOO_LONG and not yes:
        raise Refusal(
            f"This plan is {len(plan.cells):,} cell{'s' * (len(plan.cells) > 1)} x {plan.trials:,} trials and takes "
            f"{spoken(seconds)}. Go on with --yes, or play fewer with --trials N; nothing was run."
        )
    share = next(metric for metric in plan.game.OUTCOMES if metric.name == plan.metric).kind == "share"
    bar = Bar(plan.experiment.name, share=share, quiet=quiet or as_json)
    result = api.run(plan, jobs=jobs, out=out, raw=raw, block=block, progress=bar)
    if as_json:
        print_json(result.document)
    else:
        _show(result)
    if condition is not None:
        met = condition.cells(result.document)
        if met:
            where = f"cell {met[0]}" if len(met) == 1 else f"cells {', '.join(map(str, met[:8]))}"
            more = f" and {len(met) - 8:,} more" if len(met) > 8 else ""
            mutter(f"--fail-if {condition.text}: so it is in {where}{more}")
            raise click.exceptions.Exit(3)
    elif fail_if is not None and result.verdict["word"] == fail_if:
        mutter(f"--fail-if {fail_if}: this is the verdict")
        raise click.exceptions.Exit(3)


def _show(result: Any) -> None:
    import shlex

    from simkit.cli.answer import cells_table
    from simkit.cli.layout import wrapped
    from simkit.report.swings import line

    if result.document["question"]:
        click.echo(wrapped(result.document["question"]))
    click.echo(wrapped(result.answer))
    click.echo("\n" + cells_table(result.document))
    rests = line(result.document)
    if rests:
        click.echo("\n" + wrapped(rests))
    click.echo(f"\n{result.folder}")
    click.echo(f"next: simkit report {shlex.quote(str(result.folder))} --open")
