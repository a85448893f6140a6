"""Seasons of a league from Python."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.api.studies import Findings, conducted
from simkit.balance.league.said import RULES

if TYPE_CHECKING:
    from simkit.lab.leagues import Leagues
    from simkit.lab.runner import Progress
    from simkit.lab.study import Study

WORDS = tuple(RULES)
"""The words that the verdict can have."""


def league(
    source: str | Path | Mapping[str, Any],
    *,
    seasons: int | None = None,
    seed: int | None = None,
    set: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    out: str | Path = "results",
    progress: "Progress | None" = None,
) -> Findings:
    """Hold seasons of a league; with the figures of ``simkit league``.

    Parameters
    ----------
    source
        An experiment: a TOML file, or the same tables as a dictionary. Its table ``[league]`` says who takes part, how
        often they meet, and how seasons are come by.
    seasons
        How many, in place of the file's.
    seed
        Seed of all dice, in place of the file's.
    set
        Values by dotted path that win over everything else: rules, or fields of the scenario.
    jobs
        Threads; the processors this process may use when left out.
    out
        Folder of all results.
    progress
        Hears how it goes.

    Returns
    -------
    Findings
        Its ``answer``, ``document`` and ``folder``; ``document["rows"]`` has title odds, points and places of each.

    Raises
    ------
    ProblemError
        With what is wrong with the file, those who take part, or the folder, or what the game cannot do.
    ValueError
        `seasons` or `jobs` is out of range.

    Examples
    --------
    >>> simkit.league("experiments/league_of_races.toml").answer  # doctest: +SKIP
    '... wins the title in ...'
    """
    from simkit.lab import leagues as reading

    found = reading.read(source, seasons=seasons, seed=seed, overrides=set)
    return conduct(found, jobs=jobs, out=out, progress=progress)


def conduct(
    league: "Leagues", *, jobs: int | None = None, out: str | Path = "results", progress: "Progress | None" = None
) -> Findings:
    """Hold the seasons of a league, or what is missing of them, and write its results.

    Parameters
    ----------
    league
        Who plays, and by which rules.
    jobs, out, progress
        As for :func:`league`.

    Raises
    ------
    ProblemError
        The folder cannot be written, another process plays the same league, or something of it is too much.
    simkit.lab.runner.Interrupted
        Ctrl-C; what was played is kept and the same call goes on.
    """
    from simkit.balance.league.found import found, table
    from simkit.balance.league.played import check, games_of, hold
    from simkit.lab.frame import to_csv
    from simkit.report.leaguesheet import sheet

    check(league)

    def work(study: "Study") -> dict[str, Any]:
        told = found(hold(study, league))
        study.store.write("table.csv", to_csv(table(told)))
        return told

    return conducted(
        "league",
        league.plan,
        league.settings,
        work,
        sheet,
        trials=games_of(league),
        jobs=jobs,
        out=out,
        progress=progress,
    )
