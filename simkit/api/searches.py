"""Looking for the best, from Python: weights of players, and builds."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.api.studies import Findings, conducted
from simkit.lab.plan import TOO_LONG
from simkit.lab.problems import Problem, ProblemError

if TYPE_CHECKING:
    from simkit.lab import searching as lab_searching
    from simkit.lab import tuning as lab_tuning
    from simkit.lab.runner import Progress
    from simkit.lab.study import Study
    from simkit.lab.toml import Document


def tuning(
    source: "str | Path | Mapping[str, Any] | Document",
    *,
    trials: int | None = None,
    seed: int | None = None,
    set: Mapping[str, Any] | None = None,
    yes: bool = True,
) -> "lab_tuning.Asked":
    """Read whose weights are to be tuned, and look at everybody before anything is played.

    Parameters
    ----------
    source
        A TOML file with a table ``[tune]``, or its tables as a dictionary.
    trials
        Games on fresh dice for every gain, in place of the file's.
    seed
        In place of the file's.
    set
        Rules, or fields of the scenario, by dotted path.
    yes
        False refuses what will take very long.

    Raises
    ------
    ProblemError
        With everything that is wrong.
    ValueError
        So many trials are not allowed.
    """
    from dataclasses import replace

    from simkit.balance.search import tuning as work
    from simkit.lab import tuning as lab
    from simkit.lab.asked.tune import LEAST_CONFIRM, MOST_CONFIRM

    if trials is not None and not LEAST_CONFIRM <= trials <= MOST_CONFIRM:
        raise ValueError(f"trials is {trials}; allowed are {LEAST_CONFIRM} to {MOST_CONFIRM:,}")
    asked = lab.read(source, seed=seed, overrides=set)
    if trials is not None:
        asked = replace(asked, table=asked.table.model_copy(update={"confirm": trials}))
    if not yes:
        games, pace = work.trials(asked), asked.plan.game.nanoseconds(asked.plan.cells[0].setup)
        _refuse_long(asked.plan.document.path, 1.5e-9 * games * pace, games, "fewer generations, or fewer games")
    return asked


def _refuse_long(path: str, seconds: float, games: int, help: str) -> None:
    from simkit.core.trials import cpus

    if seconds / cpus() > TOO_LONG:
        message = f"this takes about {seconds / cpus() / 60:.0f} minutes: {games:,} games"
        raise ProblemError([Problem("limit", message, path, help=f"--yes plays it; {help}")])


def tune(
    source: "str | Path | Mapping[str, Any] | Document | lab_tuning.Asked",
    *,
    trials: int | None = None,
    seed: int | None = None,
    set: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    out: str | Path = "results",
    progress: "Progress | None" = None,
) -> Findings:
    """Tune the weights of players, and tell what they gain on fresh dice.

    Parameters
    ----------
    source, trials, seed, set
        As for :func:`tuning`, or what it returned.
    jobs
        Threads; they change no number.
    out
        Folder of all results.
    progress
        Hears how it goes.

    Returns
    -------
    Findings
        Its folder holds ``tuned.toml``, which an experiment can name.

    Raises
    ------
    ProblemError
        With everything that is wrong.

    Examples
    --------
    >>> import simkit
    >>> simkit.tune("experiments/tune_jugs.toml").document["tuned"][0]["gain"]  # doctest: +SKIP
    {'estimate': 0.0119, 'low': 0.0061, 'high': 0.0178, 'level': 0.9997, 'n': 10240, 'method': 'paired-t'}
    """
    from simkit.balance.documents import tune as documents
    from simkit.balance.search import tuning as work
    from simkit.lab.tuning import Asked
    from simkit.report import tune as report

    asked = source if isinstance(source, Asked) else tuning(source, trials=trials, seed=seed, set=set)

    def played(study: "Study") -> dict[str, Any]:
        tuned = work.tuned(study, asked)
        study.store.write(documents.FILE, documents.file_of(study, asked, tuned))
        return documents.found(study, asked, tuned)

    return conducted(
        "tune",
        asked.plan,
        asked.settings,
        played,
        report.sheet,
        trials=work.trials(asked),
        jobs=jobs,
        out=out,
        progress=progress,
    )


def searching(
    source: "str | Path | Mapping[str, Any] | Document",
    *,
    trials: int | None = None,
    seed: int | None = None,
    set: Mapping[str, Any] | None = None,
    yes: bool = True,
) -> "lab_searching.Asked":
    """Read which builds are searched, and look at everybody who is named before anything is played.

    Parameters
    ----------
    source
        A TOML file with a table ``[search]``, or its tables as a dictionary.
    trials
        Most games of a finalist against everybody, in place of the file's.
    seed
        In place of the file's.
    set
        Rules, or fields of the scenario, by dotted path.
    yes
        False refuses what will take very long.

    Raises
    ------
    ProblemError
        With everything that is wrong.
    ValueError
        So many trials are not allowed.
    """
    from simkit.balance.search import searching as work
    from simkit.lab import searching as lab

    asked = lab.read(source, trials=trials, seed=seed, overrides=set)
    if not yes:
        help = "a smaller tried, or a smaller budget"
        _refuse_long(asked.plan.document.path, work.seconds(asked), work.trials(asked), help)
    return asked


def search(
    source: "str | Path | Mapping[str, Any] | Document | lab_searching.Asked",
    *,
    trials: int | None = None,
    seed: int | None = None,
    set: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    out: str | Path = "results",
    progress: "Progress | None" = None,
) -> Findings:
    """Search for the strongest builds of a budget, or for the best counter to a given one.

    Parameters
    ----------
    source, trials, seed, set
        As for :func:`searching`, or what it returned.
    jobs
        Threads; they change no number.
    out
        Folder of all results.
    progress
        Hears how it goes.

    Raises
    ------
    ProblemError
        With everything that is wrong.

    Examples
    --------
    >>> import simkit
    >>> simkit.search("experiments/strongest_jug.toml").document["pool"][0]["name"]  # doctest: +SKIP
    'sails, demon eye'
    """
    from simkit.balance.documents import search as documents
    from simkit.balance.search import searching as work
    from simkit.lab.searching import Asked
    from simkit.report import search as report

    asked = source if isinstance(source, Asked) else searching(source, trials=trials, seed=seed, set=set)
    return conducted(
        "search",
        asked.plan,
        asked.settings,
        lambda study: documents.found(asked, work.search(study, asked)),
        report.sheet,
        trials=work.trials(asked),
        jobs=jobs,
        out=out,
        progress=progress,
    )
