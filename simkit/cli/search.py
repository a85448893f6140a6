"""The command that searches for the strongest builds, or the best counter to one."""

from pathlib import Path

import click

from simkit.cli.common import Place, Whole, examples
from simkit.cli.study import Given, show, study_options

WORDS = ("settled", "open", "countered", "safe", "undecided")


@click.command(
    epilog=examples(
        "simkit search experiments/strongest_jug.toml",
        "simkit search experiments/counter_to_thrasher.toml --json",
        "simkit search experiments/counter_to_thrasher.toml --fail-if countered",
    )
)
@click.argument("file", type=Place())
@click.option(
    "--trials", type=Whole(1024, 10**9), help="Most games of a finalist against everybody, in place of the file's."
)
@study_options
def search(file: Path, trials: int | None, given: Given) -> None:
    """Search for the strongest builds at a budget, or for the best counter to a given one.

    The table [search] of FILE says which. Builds are halved until few are left, these race, and the best is played on
    fresh dice; of the strongest builds, best answers to the equilibrium are looked for until none gains more than
    delta. That nothing better was found is no proof that there is nothing.
    """
    from simkit import api
    from simkit.report.search import lines

    given.check_word(WORDS)
    asked = api.searching(file, trials=trials, seed=given.seed, set=given.settings, yes=given.yes)
    found = api.search(asked, **given.conducting(asked.plan))
    headers, rows = lines(found.document)
    show(found, headers, rows, right=(1,), given=given, more="builds")
