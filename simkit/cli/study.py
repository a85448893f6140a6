"""What the commands share that conduct a study: their options, and how they show what was found."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from simkit.cli.common import (
    Place,
    Refusal,
    Whole,
    jobs_option,
    json_option,
    meant,
    mutter,
    print_json,
    set_option,
    yes_option,
)
from simkit.cli.layout import table, wrapped

if TYPE_CHECKING:
    from simkit.api.studies import Findings
    from simkit.cli.bar import Bar

Command = TypeVar("Command", bound=Callable[..., Any])

SHOWN = 12
"""Most rows of the table on the screen."""

out_option = click.option(
    "--out",
    type=Place(),
    default=Path("results"),
    show_default=True,
    metavar="FOLDER",
    help="Folder of all results; nothing is written elsewhere.",
)
seed_option = click.option("--seed", type=Whole(0, 2**63 - 1), help="Seed of all dice, in place of the file's.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress and no warnings: the answer alone.")


def study_options(command: Command) -> Command:
    """Give a command what every study takes: ``seed jobs out settings yes fail_if as_json quiet``."""
    fail_if = click.option("--fail-if", metavar="WORD", help="Exit with 3 if this is the word of the verdict.")
    for option in (quiet_option, json_option, fail_if, yes_option, set_option, out_option, jobs_option, seed_option):
        command = option(command)
    return command


def check_word(fail_if: str | None, words: Sequence[str]) -> None:
    """Refuse a ``--fail-if`` that is none of the words that a verdict can have."""
    if fail_if is not None and fail_if not in words:
        raise Refusal(f"--fail-if takes a word of the verdict: {', '.join(words)}.{meant(fail_if, words)}")


def bar(name: str, *, quiet: bool) -> "Bar":
    """Return what shows how a study goes."""
    from simkit.cli.bar import Bar

    return Bar(name, share=True, quiet=quiet)


def show(
    found: "Findings",
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Sequence[int] = (),
    as_json: bool,
    fail_if: str | None,
    more: str = "rows",
) -> None:
    """Show what was found: the question, the answer, a table, the folder and the next command; or the document.

    Parameters
    ----------
    found
        The study.
    headers, rows, right
        Of the table (see :func:`simkit.cli.layout.table`); of many rows the first are shown.
    as_json
        Print the document and nothing else.
    fail_if
        Word of the verdict at which to exit with 3.
    more
        What the rows are called that are not shown.
    """
    if as_json:
        print_json(found.document)
    else:
        if found.document["question"]:
            click.echo(wrapped(found.document["question"]))
        click.echo(wrapped(found.answer))
        if rows:
            click.echo("\n" + table(headers, rows[:SHOWN], right=right))
        if len(rows) > SHOWN:
            click.echo(f"... and {len(rows) - SHOWN:,} more {more}, in the report")
        click.echo(f"\n{found.folder}")
        click.echo(f"next: simkit report {shlex.quote(str(found.folder))} --open")
    if fail_if is not None and found.verdict["word"] == fail_if:
        mutter(f"--fail-if {fail_if}: this is the verdict")
        raise click.exceptions.Exit(3)
