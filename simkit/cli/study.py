"""What the commands share that conduct a study: their options, and how they show what was found."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
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
    parse_settings,
    planned,
    print_json,
    set_option,
    show_warnings,
    yes_option,
)
from simkit.cli.layout import table, wrapped

if TYPE_CHECKING:
    from simkit.api.studies import Findings
    from simkit.lab.plan import Plan

Condition = TypeVar("Condition")

SHOWN = 12
"""Most rows of the table on the screen."""
MOST_NAMED = 8
"""Most of those who meet a condition that are named."""

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


@dataclass(frozen=True)
class Given:
    """What a user has given a command beside what is its own.

    Attributes
    ----------
    seed, jobs, out
        As the options; None where they were left out.
    settings
        Values by dotted path.
    yes
        Whether what takes long was agreed to.
    fail_if
        Word of the verdict, or condition, at which to exit with 3.
    as_json, quiet
        How to answer.
    """

    seed: int | None
    jobs: int | None
    out: Path
    settings: Mapping[str, Any]
    yes: bool
    fail_if: str | None
    as_json: bool
    quiet: bool

    def planned(self, file: Path) -> "Plan":
        """Plan an experiment with what was given; its warnings are shown."""
        plan = planned(file, yes=self.yes, seed=self.seed, overrides=self.settings)
        self.warn(plan)
        return plan

    def warn(self, plan: "Plan") -> None:
        """Show the warnings of a plan, unless it is to be quiet."""
        if not self.quiet:
            show_warnings(plan)

    def conducting(self, plan: "Plan") -> dict[str, Any]:
        """Return what whoever conducts a study of this plan must know: ``jobs``, ``out`` and ``progress``."""
        from simkit.cli.bar import Bar

        shown = Bar(plan.experiment.name, share=True, quiet=self.quiet or self.as_json)
        return {"jobs": self.jobs, "out": self.out, "progress": shown}

    def check_word(self, words: Sequence[str]) -> None:
        """Refuse a ``--fail-if`` that is none of the words that a verdict can have."""
        if self.fail_if is not None and self.fail_if not in words:
            raise Refusal(f"--fail-if takes a word of the verdict: {', '.join(words)}.{meant(self.fail_if, words)}")

    def condition(self, words: Sequence[str], read: Callable[[str], Condition]) -> Condition | None:
        """Return the condition of ``--fail-if``; None for one of the words, or where it was left out."""
        from simkit.balance.condition import looks_like

        if self.fail_if is None or not looks_like(self.fail_if):
            self.check_word(words)
            return None
        try:
            return read(self.fail_if)
        except ValueError as error:
            raise Refusal(f"--fail-if: {error}; nothing was run.") from None


def study_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command what every study takes; it receives all of it as ``given``, a :class:`Given`."""

    @wraps(command)
    def called(**options: Any) -> Any:
        shared = {field.name: options.pop(field.name) for field in fields(Given)}
        shared["settings"] = parse_settings(shared["settings"])
        return command(**options, given=Given(**shared))

    fail_if = click.option("--fail-if", metavar="WORD", help="Exit with 3 if this is the word of the verdict.")
    found: Callable[..., Any] = called
    for option in (quiet_option, json_option, fail_if, yes_option, set_option, out_option, jobs_option, seed_option):
        found = option(found)
    return found


def show(
    found: "Findings",
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    given: Given,
    right: Sequence[int] = (),
    more: str = "rows",
    failing: bool = True,
) -> None:
    """Show what was found: the question, the answer, a table, the folder and the next command; or the document.

    Parameters
    ----------
    found
        The study.
    headers, rows, right
        Of the table (see :func:`simkit.cli.layout.table`); of many rows the first are shown.
    given
        How to answer, and the word at which to exit with 3.
    more
        What the rows are called that are not shown.
    failing
        False leaves ``--fail-if`` to the command.
    """
    if given.as_json:
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
    if failing and given.fail_if is not None and found.verdict["word"] == given.fail_if:
        mutter(f"--fail-if {given.fail_if}: this is the verdict")
        raise click.exceptions.Exit(3)


def fail_for(text: str, who: Sequence[str]) -> None:
    """Exit with 3 if somebody meets the condition of ``--fail-if``, and say who.

    Parameters
    ----------
    text
        The condition.
    who
        Those who meet it.
    """
    if who:
        more = f" and {len(who) - MOST_NAMED:,} more" if len(who) > MOST_NAMED else ""
        mutter(f"--fail-if {text}: so it is for {', '.join(who[:MOST_NAMED])}{more}")
        raise click.exceptions.Exit(3)
