"""The command that says what drives an answer."""

from pathlib import Path

import click

from simkit.cli.common import Place, Whole, examples
from simkit.cli.study import Given, show, study_options

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
def sensitivity(file: Path, cell: str | None, trials: int | None, given: Given) -> None:
    """Say what drives the answer of an experiment, and which rulings would flip its verdict.

    Every ruling is read another way, one at a time; those that weigh most, or the factors and house rules that the
    table [sensitivity] of FILE names, are played in all combinations; and numbers with ranges get their share of what
    the answer varies by.
    """
    from simkit import api
    from simkit.report.sensitivity import lines

    given.check_word(WORDS)
    plan = given.planned(file)
    found = api.sensitivity(plan, cell=cell, trials=trials, **given.conducting(plan))
    headers, rows = lines(found.document)
    show(found, headers, rows, right=(1,), given=given, more="rulings")
