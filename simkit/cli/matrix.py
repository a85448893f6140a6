"""The command that lets everybody meet everybody: matrix."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simkit.cli.common import Place, Refusal, Whole, examples
from simkit.cli.study import Given, fail_for, show, study_options

if TYPE_CHECKING:
    from simkit.lab.lists import Lists


@click.command(
    epilog=examples(
        "simkit matrix experiments/published_designs.toml",
        "simkit matrix experiments/army_20sc.toml --trials 20000 --out armies",
        'simkit matrix experiments/published_designs.toml --fail-if "seat.high > 0.02"',
    )
)
@click.argument("file", type=Place())
@click.option("--trials", type=Whole(512, 10**12), help="Most games of a pair, in place of the file's.")
@study_options
def matrix(file: Path, trials: int | None, given: Given) -> None:
    """Let everybody in FILE meet everybody, from both seats, and say who beats whom and who is strongest.

    The table [matrix] of FILE says who takes part: designs by name, "all" presets, whole sides. Without it those meet
    that the axes sides.a and sides.b put against each other, or the designs of the file. Pairs play on only until it
    is clear who is better, or that they are even within the fair band. Killed or interrupted, the same command goes on.

    --fail-if takes a word of the verdict, or a condition that some side meets: rating, mean, seat, regret or
    per_budget, each also with .low or .high.
    """
    from simkit.api.matrices import WORDS, conduct
    from simkit.balance.matrix.met import condition
    from simkit.lab import lists as reading
    from simkit.lab.plan import TOO_LONG

    met = given.condition(WORDS, condition)
    lists = reading.read(file, trials=trials, seed=given.seed, overrides=given.settings)
    given.warn(lists.plan)
    seconds = _seconds(lists, given.jobs)
    if seconds > TOO_LONG and not given.yes:
        from simkit.lab.foresight import spoken

        raise Refusal(
            f"These {len(lists.pairs):,} pairs take {spoken(seconds)} for their first {lists.asked.least_trials:,} "
            "games alone. Go on with --yes, lower least_trials, or let fewer meet; nothing was run."
        )
    found = conduct(lists, **given.conducting(lists.plan))
    headers, rows, right = _table(found.document)
    show(found, headers, rows, right=right, given=given, more="sides", failing=met is None)
    if met is not None:
        fail_for(met.text, met.sides(found.document))


def _seconds(lists: "Lists", jobs: int | None) -> float:
    """Return about how long the games take that all pairs play."""
    from simkit.core.trials import cpus

    pace = lists.plan.game.nanoseconds(lists.plan.cells[0].setup)
    return len(lists.pairs) * lists.asked.least_trials * pace * 1e-9 / (jobs or cpus())


def _table(document: Mapping[str, Any]) -> tuple[list[str], list[list[str]], list[int]]:
    """Return the sides by rating as a table for the screen; of several groups each by itself."""
    from simkit.balance.matrix.said import titles_of
    from simkit.cli.layout import side_by_side

    titles, groups = titles_of(document), document["groups"]
    shown = groups[:1] if groups[0]["name"] == "all" else groups
    rows = [(group["name"], row) for group in shown for row in group["rows"]]
    level = f"{100 * document['level']:g} %"
    rating = side_by_side(
        [f"{row['rating']['estimate']:+.0f}" for _, row in rows],
        [f"{row['rating']['low']:+.0f} to {row['rating']['high']:+.0f}" for _, row in rows],
    )
    headers = ["side", f"rating, Elo\n{level} for all", "mean\nscore, %", "beats", "even", "open", "loses", "layer"]
    table = [
        [
            titles[row["side"]],
            rating[k],
            f"{100 * row['mean']['estimate']:.1f}",
            *(str(row[name]) for name in ("beats", "even", "open", "loses", "layer")),
        ]
        for k, (_, row) in enumerate(rows)
    ]
    if len(shown) > 1:
        headers.insert(0, "group")
        table = [[name, *row] for (name, _), row in zip(rows, table, strict=True)]
    return headers, table, list(range(len(headers) - 7, len(headers)))
