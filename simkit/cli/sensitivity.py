"""The command that says what drives an answer."""

from pathlib import Path

import click

from simkit.cli.common import Place, Whole, examples, parse_settings, planned, show_warnings
from simkit.cli.study import bar, check_word, show, study_options

WORDS = ("holds", "flips", "decides", "undecided", "measured")


@click.command(
    epilog=examples(
        "simkit sensitivity experiments/altered_odds.toml",
        "simkit sensitivity experiments/pikes_vs_cavalry.toml --cell 15",
        "simkit sensitivity experiments/legs_or_sails.toml --fail-if flips",
    )
)
@click.argument("file", type=Place())
@click.option("--cell", metavar="CELL", help="Look at this cell: its row, or axis=value,axis=value.")
@click.option(
    "--trials", type=Whole(2, 10**9), help="Trials of every combination; as many as take about a minute if left out."
)
@study_options
def sensitivity(
    file: Path,
    cell: str | None,
    trials: int | None,
    seed: int | None,
    jobs: int | None,
    out: Path,
    settings: tuple[str, ...],
    yes: bool,
    fail_if: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say what drives the answer of an experiment, and which rulings would flip its verdict.

    Every ruling is read another way, one at a time; those that weigh most, or the factors and house rules that the
    table [sensitivity] of FILE names, are played in all combinations; and numbers with ranges get their share of what
    the answer varies by.
    """
    from simkit import api
    from simkit.report.sensitivity import lines

    check_word(fail_if, WORDS)
    plan = planned(file, yes=yes, seed=seed, overrides=parse_settings(settings))
    if not quiet:
        show_warnings(plan)
    found = api.sensitivity(
        plan, cell=cell, trials=trials, jobs=jobs, out=out, progress=bar(plan.experiment.name, quiet=quiet)
    )
    headers, rows = lines(found.document)
    show(found, headers, rows, right=(1,), as_json=as_json, fail_if=fail_if, more="rulings")
