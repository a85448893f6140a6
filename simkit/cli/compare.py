"""The commands that put rule sets side by side: any of them, or one house rule in full."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simkit.cli.common import Narrow, Place, Refusal, Whole, examples, meant, mutter
from simkit.cli.study import Given, show, study_options

if TYPE_CHECKING:
    from simkit.api.studies import Findings
    from simkit.balance.condition import Condition

WORDS = ("fairer", "unfairer", "moves", "keeps", "undecided", "depends")

on_option = click.option(
    "--on", type=Place(), metavar="FILE", help="Experiment to play them on; a fitting shipped one when left out."
)
within_option = click.option(
    "--within", type=Narrow(most=1.0), help="A share that moves by less does not matter, such as 0.02."
)
every_trials = click.option(
    "--trials", type=Whole(2, 10**10), help="Trials of every cell; those of the experiment, or a minute's, if left out."
)


@click.command(
    epilog=examples(
        "simkit compare none experiments/house/soft-bogs.toml",
        "simkit compare none altered-odds steady-nerves --on experiments/fences_or_bogs.toml",
        "simkit compare long-wall no-double-set --on experiments/pikes_vs_cavalry.toml",
        'simkit compare none capped-rams --fail-if "edge_win_first.high > 0.52"',
    )
)
@click.argument("rules", nargs=-1, required=True, metavar="A B...")
@on_option
@within_option
@every_trials
@study_options
def compare(rules: tuple[str, ...], **options: Any) -> None:
    """Put rule sets side by side on every measure, paired on the same dice.

    A and B are house rules, by file or by id; "none" are the rules of record, and "a+b" are two that hold together.
    All others are compared with the first. --fail-if takes a word of the verdict, or a condition on a measure, such as
    "turns_minus_baseline.low > 1".
    """
    if len(rules) < 2:
        raise Refusal("Two rule sets are compared at least: simkit compare none FILE; one in full: simkit house FILE.")
    _conducted(rules, report=False, **options)


@click.command(
    epilog=examples(
        "simkit house experiments/house/soft-bogs.toml --on experiments/fences_or_bogs.toml",
        "simkit house experiments/house/capped-rams.toml",
        "simkit house no-double-set --fail-if unfairer",
    )
)
@click.argument("rule", metavar="FILE")
@on_option
@within_option
@every_trials
@study_options
def house(rule: str, **options: Any) -> None:
    """Report on one house rule: what changes, who gains, whether it is fairer, what else moves, which number is right.

    FILE is a house rule, by file or by id; it is compared with the rules of record, on the same dice. --fail-if takes a
    word of the verdict, or a condition on a measure, such as "edge_win_first.high > 0.52".
    """
    _conducted(("record", rule), report=True, **options)


def _conducted(
    rules: tuple[str, ...],
    *,
    report: bool,
    on: Path | None,
    within: float | None,
    trials: int | None,
    given: Given,
) -> None:
    from simkit.api import drives
    from simkit.lab import check, toml
    from simkit.report.compare import lines

    if on is not None and not given.yes:
        check.refuse_many_cells(toml.read(on))
    field = drives.field_for(rules, on=on, set=given.settings, seed=given.seed)
    condition = _condition(given.fail_if, field.plan)
    given.warn(field.plan)
    if on is None and not given.quiet:
        cells = f"{len(field.cells):,} cell{'s' * (len(field.cells) != 1)}"
        mutter(f"played on {field.plan.document.path} ({cells}); --on FILE names another experiment")
    found = drives.compared_on(field, report=report, within=within, trials=trials, **given.conducting(field.plan))
    headers, rows = lines(found.document)
    right = (1, 3) if len(headers) == 6 else (1,)
    show(found, headers, rows, right=right, given=given, more="measures", failing=condition is None)
    if condition is not None:
        _fail(found, condition)


def _condition(fail_if: str | None, plan: Any) -> "Condition | None":
    """Read a condition on a measure, or check a word of the verdict."""
    from simkit.balance import condition
    from simkit.games.protocol import fight_of

    if fail_if is None:
        return None
    if not condition.looks_like(fail_if):
        if fail_if not in WORDS:
            said = f"a word of the verdict ({', '.join(WORDS)}), or a condition such as turns_minus_baseline.low > 1"
            raise Refusal(f"--fail-if takes {said}.{meant(fail_if, WORDS)}")
        return None
    fight = fight_of(plan.game)
    edges = [] if fight is None else [f"edge_{column}" for column in fight.edges]
    names = [*(metric.name for metric in plan.game.OUTCOMES), *edges, "distance", "faction_edge", "upset"]
    try:
        return condition.read(fail_if, names)
    except ValueError as error:
        raise Refusal(f"--fail-if: {error}.") from error


def _fail(found: "Findings", condition: "Condition") -> None:
    """Exit with 3 where a condition holds for the numbers of some rule set."""
    from simkit.balance.compare.comparing import conditions

    holds = condition.cells({"cells": conditions(found.document)})
    if holds:
        names = ", ".join(str(found.document["sets"][k]["id"]) for k in holds)
        mutter(f"--fail-if {condition.text}: this holds under {names}")
        raise click.exceptions.Exit(3)
