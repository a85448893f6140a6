"""Everybody against everybody from Python."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.api.studies import Findings, conducted
from simkit.balance.matrix.said import RULES

if TYPE_CHECKING:
    from simkit.lab.lists import Lists
    from simkit.lab.runner import Progress
    from simkit.lab.study import Study

WORDS = tuple(RULES)
"""The words that the verdict can have."""

WIDE, USUAL = 2.0, 0.5
"""Half-width of the interval of a score times the root of its units, at most, and what is usual of these units."""


def matrix(
    source: str | Path | Mapping[str, Any],
    *,
    trials: int | None = None,
    seed: int | None = None,
    set: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    out: str | Path = "results",
    progress: "Progress | None" = None,
) -> Findings:
    """Let everybody meet everybody, from both seats; with the figures of ``simkit matrix``.

    Parameters
    ----------
    source
        An experiment: a TOML file, or the same tables as a dictionary. Its table ``[matrix]`` says who takes part.
    trials
        Most games of a pair, in place of the file's.
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
        Its ``answer``, ``document`` and ``folder``; ``document["pairs"]`` has every score, ``document["groups"]`` how
        each side stands.

    Raises
    ------
    ProblemError
        With everything that is wrong with the file, those who take part, or the folder.
    ValueError
        `trials` or `jobs` is out of range.

    Examples
    --------
    >>> simkit.matrix("experiments/published_designs.toml").answer  # doctest: +SKIP
    'Of 32 designs ... is best: it beats all 31 others, ...'
    """
    from simkit.lab import lists as reading

    return conduct(reading.read(source, trials=trials, seed=seed, overrides=set), jobs=jobs, out=out, progress=progress)


def conduct(
    lists: "Lists", *, jobs: int | None = None, out: str | Path = "results", progress: "Progress | None" = None
) -> Findings:
    """Play a matrix, or what is missing of it, and write its results.

    Parameters
    ----------
    lists
        Who meets whom.
    jobs, out, progress
        As for :func:`matrix`.

    Raises
    ------
    ProblemError
        The folder cannot be written, or another process plays the same matrix.
    simkit.lab.runner.Interrupted
        Ctrl-C; what was played is kept and the same call goes on.
    """
    from simkit.balance.matrix.found import found
    from simkit.balance.matrix.played import play
    from simkit.lab.frame import to_csv
    from simkit.report.matrixsheet import sheet

    def work(study: "Study") -> dict[str, Any]:
        told = found(play(study, lists))
        study.store.write("pairs.csv", to_csv([_row(pair) for pair in told["pairs"]]))
        return told

    return conducted(
        "matrix",
        lists.plan,
        lists.settings,
        work,
        sheet,
        trials=_expected(lists),
        jobs=jobs,
        out=out,
        progress=progress,
    )


def _expected(lists: "Lists") -> int:
    """Return about how many games it will take."""
    asked, games = lists.asked, float(lists.asked.least_trials)
    if asked.precision is not None:
        units = USUAL * min(WIDE / asked.precision, asked.max_trials) ** 2  # the limit lies far beyond what is played
        games = max(games, lists.plan.game.GAMES_A_UNIT * units)
    return int(len(lists.pairs) * min(1.5 * games, asked.max_trials))


def _row(pair: Mapping[str, Any]) -> dict[str, Any]:
    """Return a pair as a row of a table."""
    row: dict[str, Any] = {"a": pair["a"], "b": pair["b"], "word": pair["word"], "games": pair["games"]}
    for name in ("score", "won", "lost", "drawn", "capped", "seat"):
        for column, key in ((name, "estimate"), (f"{name}_low", "low"), (f"{name}_high", "high")):
            row[column] = pair[name][key]
    return row | {"further": pair["further"]}
