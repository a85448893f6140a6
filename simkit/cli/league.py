"""The command that holds seasons of a league: league."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simkit.cli.common import Place, Refusal, Whole, examples
from simkit.cli.study import Given, fail_for, show, study_options

if TYPE_CHECKING:
    from simkit.lab.leagues import Leagues


@click.command(
    epilog=examples(
        "simkit league experiments/league_of_races.toml",
        "simkit league experiments/points_3_1_0.toml --seasons 51200 --out seasons",
        'simkit league experiments/league_of_races.toml --fail-if "title.low > 60 %"',
    )
)
@click.argument("file", type=Place())
@click.option("--seasons", type=Whole(512, 10**8), help="How many seasons, in place of the file's.")
@study_options
def league(file: Path, seasons: int | None, given: Given) -> None:
    """Let all in FILE play seasons against each other, and say who wins the title how often.

    The table [league] of FILE says who takes part (designs, sides, armies of a race), how often they meet, what a win
    is worth, how ties are broken, and whether there are divisions. Seasons are played match by match, drawn from the
    games of each pair (method = "matrix"), or solved in fractions ("exact"). With [league.instead] the same seasons are
    held a second time, with other points, tie-breaks or rules. Killed or interrupted, the same command goes on.

    --fail-if takes a word of the verdict, or a condition that some entrant meets: title, points, spread, won, drawn or
    lost, each also with .low or .high.
    """
    from simkit.api.leagues import WORDS, conduct
    from simkit.balance.league.met import condition
    from simkit.balance.league.played import check
    from simkit.lab import leagues as reading
    from simkit.lab.plan import TOO_LONG

    met = given.condition(WORDS, condition)
    league = reading.read(file, seasons=seasons, seed=given.seed, overrides=given.settings)
    given.warn(league.plan)
    check(league)
    seconds = _seconds(league, given.jobs)
    if seconds > TOO_LONG and not given.yes:
        from simkit.lab.foresight import spoken

        raise Refusal(
            f"These seasons take {spoken(seconds)}. Go on with --yes, hold fewer, or draw them from fewer games with "
            'method = "matrix"; nothing was run.'
        )
    found = conduct(league, **given.conducting(league.plan))
    headers, rows, right = _table(found.document)
    show(found, headers, rows, right=right, given=given, more="entrants", failing=met is None)
    if met is not None:
        fail_for(met.text, met.entrants(found.document))


def _seconds(league: "Leagues", jobs: int | None) -> float:
    """Return about how long the games take, and to put seasons in order."""
    from simkit.balance.league.played import games_of, ordering, seats_played
    from simkit.core.trials import cpus

    pace = league.plan.game.nanoseconds(league.plan.cells[0].setup) * seats_played(league.plan.game)
    return games_of(league) * pace * 1e-9 / (jobs or cpus()) + ordering(league)


def _table(document: Mapping[str, Any]) -> tuple[list[str], list[list[str]], list[int]]:
    """Return the entrants by title odds as a table for the screen."""
    from simkit.balance.document import estimate_of
    from simkit.balance.league.said import titles_of
    from simkit.cli.layout import side_by_side
    from simkit.stats import format_interval

    titles, rows = titles_of(document), document["rows"]
    level = f"{100 * document['level']:g} %"
    odds = side_by_side(
        [f"{100 * row['title']['estimate']:.1f}" for row in rows],
        [format_interval(estimate_of(row["title"]), "share").removesuffix(" %") for row in rows],
    )
    sure = "" if document["how"] == "exact" else f"\n{level} for all"
    headers = ["entrant", f"title, %{sure}", "points", "sd", "won", "drawn", "lost", "last, %"]
    table = [
        [
            titles[row["entrant"]],
            odds[k],
            *(f"{row[name]['estimate']:.1f}" for name in ("points", "spread", "won", "drawn", "lost")),
            _share(row["places"][-1]["estimate"]),
        ]
        for k, row in enumerate(rows)
    ]
    return headers, table, list(range(1, len(headers)))


def _share(value: float) -> str:
    """Write a share in per cent; what is next to nothing is not called nothing."""
    return "<0.1" if value < 0.0005 else f"{100 * value:.1f}"
