"""The command that says what is overpowered."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from simkit.cli.common import Place, Refusal, Whole, examples, meant, mutter
from simkit.cli.study import Given, show, study_options

NUMBERS = ("lift_uniform", "lift_field", "need", "regret", "change")
"""What a condition of ``--fail-if`` may ask of: estimates of an item in a case, or the change of a rule option."""


@click.command(
    epilog=examples(
        "simkit balance experiments/legs_or_sails.toml",
        "simkit balance experiments/chariot_value.toml --trials 500_000 --json",
        "simkit balance experiments/legs_or_sails.toml --fail-if overpowered",
        'simkit balance experiments/legs_or_sails.toml --fail-if "need.low > 5 %"',
    )
)
@click.argument("file", type=Place())
@click.option(
    "--trials", type=Whole(1, 10**10), help="Games for every budget under every condition, in place of the file's."
)
@study_options
def balance(file: Path, trials: int | None, given: Given) -> None:
    """Say what is overpowered, underpowered or fair, and what a fair price is.

    The table [balance] of FILE says which items are judged, among the legal builds of which budgets, under which
    conditions. An item is judged by what it gains over what else its price buys, by what is lost without it and with
    it, and by how often it can be taken where nobody can do better. Games that are left where a verdict is undecided
    are played for a second look. A game whose files need [sides] needs them here too, though the builds take their
    places.
    """
    from simkit import api
    from simkit.report.balance import lines

    fail_if = given.fail_if
    _check(fail_if)
    plan = given.planned(file)
    found = api.balance(plan, trials=trials, **given.conducting(plan))
    headers, rows = lines(found.document)
    show(found, headers, rows, given=given, more="cases", failing=False)
    if fail_if is not None and (where := _holds(fail_if, found.document)):
        mutter(f"--fail-if {fail_if}: {where}")
        raise click.exceptions.Exit(3)


for option in balance.params:
    if isinstance(option, click.Option) and option.name == "fail_if":
        option.metavar = "CONDITION"
        option.help = "Exit with 3 if this word is the verdict on an item, or where a number is so: 'need.low > 5 %'."


def _check(fail_if: str | None) -> None:
    """Refuse what is neither a word of a verdict nor a condition."""
    from simkit.balance import condition
    from simkit.report.balance import MEANINGS

    if fail_if is None or fail_if in MEANINGS:
        return
    if not condition.looks_like(fail_if):
        known = list(MEANINGS)
        hint = meant(fail_if, known)
        raise Refusal(f"--fail-if takes a word of the verdict, or a condition: {', '.join(known)}.{hint}")
    try:
        condition.read(fail_if, NUMBERS)
    except ValueError as error:
        raise Refusal(f"--fail-if: {error}.") from None


def _holds(fail_if: str, document: Mapping[str, Any]) -> str:
    """Say where a word or a condition holds; nothing where it does not. What is a must-pick is overpowered as well."""
    from simkit.balance import condition

    rows = [
        (f"{row['item']} in {one['title']}", row)
        for one in document["cases"]
        if one["price"] is None
        for row in one["items"]
    ]
    rows += [(f"{one['option']} in {one['title']}", one) for one in document["options"]]
    if not condition.looks_like(fail_if):
        named = [f"{one['item']}" for one in document["items"] if _fits(fail_if, str(one["word"]))]
        named += [name for name, row in rows if _fits(fail_if, str(row["word"])) and "option" in row]
        return ", ".join(named)
    cells = [
        {"cell": k, "metrics": {key: row[key] for key in NUMBERS if key in row}} for k, (_, row) in enumerate(rows)
    ]
    return ", ".join(rows[k][0] for k in condition.read(fail_if, NUMBERS).cells({"cells": cells}))


def _fits(wanted: str, word: str) -> bool:
    return word == wanted or (wanted == "overpowered" and word == "must-pick")
