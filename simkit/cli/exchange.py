"""The command that works out a single exchange of blows: exchange."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simkit.cli.common import (
    Place,
    Refusal,
    compiler,
    examples,
    json_option,
    parse_settings,
    planned,
    print_json,
    set_option,
    show_warnings,
    yes_option,
)
from simkit.cli.layout import table, wrapped

if TYPE_CHECKING:
    from simkit.games.protocol import Spread
    from simkit.lab.plan import Plan

TINY = Fraction(1, 2_000_000)
"""Chances that round to 0.0000 %: such numbers are left out on the screen."""


@click.command(
    epilog=examples(
        "simkit exchange experiments/push_of_pikes.toml",
        "simkit exchange experiments/push_of_pikes.toml --cell 3 --json",
    )
)
@click.argument("file", type=Place())
@click.option("--cell", default="1", show_default=True, help="Row, beginning of a hash, or axis=value,axis=value.")
@set_option
@yes_option
@json_option
def exchange(file: Path, cell: str, settings: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Work out the first exchange of blows in FILE exactly: what each side loses, with the chance of every number.

    For fights of two units that begin in contact. Nothing is played.
    """
    from simkit.games.protocol import exchange_of
    from simkit.lab.cells import find_cell

    plan = planned(file, yes=yes, overrides=parse_settings(settings))
    work = exchange_of(plan.game)
    if work is None:
        raise Refusal(f"{plan.game.TITLE} has no exchanges of blows to work out; simkit exact solves its trials")
    chosen = find_cell(plan, cell)
    plan.game.ready(compiler(quiet=as_json))
    try:
        spreads = work(chosen.scenario, chosen.rules)
    except ValueError as error:
        raise Refusal(f"the exchange of cell {chosen.number} cannot be worked out: {error}") from error
    if as_json:
        print_json(_document(plan, chosen.number, spreads))
        return
    show_warnings(plan)
    click.echo(wrapped(f"The first exchange of blows, exactly: {plan.game.describe(chosen.scenario)}"))
    for spread in spreads:
        click.echo(f"\n{_table(spread)}")


def _document(plan: "Plan", number: int, spreads: Sequence["Spread"]) -> dict[str, Any]:
    return {
        "schema": 1,
        "name": plan.experiment.name,
        "cell": number,
        "spreads": [
            {
                "name": spread.name,
                "says": spread.says,
                "mean": float(_mean(spread.chances)),
                "mean_fraction": str(_mean(spread.chances)),
                "chances": [
                    {"value": value, "chance": float(chance), "fraction": str(chance)}
                    for value, chance in spread.chances.items()
                ],
            }
            for spread in spreads
        ],
    }


def _mean(chances: Mapping[int, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in chances.items()), Fraction(0))


def _table(spread: "Spread") -> str:
    """Return every number with its chance and that of as many or more."""
    rows, left = [], Fraction(1)
    for value, chance in sorted(spread.chances.items()):
        if chance >= TINY:
            rows.append([f"{value:,}", f"{100 * float(chance):.4f}", f"{100 * float(left):.4f}"])
        left -= chance
    head = f"{spread.says[0].upper()}{spread.says[1:]}, on average {float(_mean(spread.chances)):.4f}:"
    return f"{wrapped(head)}\n\n{table(['number', 'chance, %', 'or more, %'], rows, right=[0, 1, 2])}"
