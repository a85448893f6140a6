"""What is overpowered, from Python."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.api.runs import Source, _planned
from simkit.api.studies import Findings, conducted

if TYPE_CHECKING:
    from simkit.lab.plan import Plan
    from simkit.lab.runner import Progress


def balance(
    source: "Source | Plan",
    *,
    trials: int | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    out: str | Path = "results",
    progress: "Progress | None" = None,
) -> Findings:
    """Say what is overpowered, underpowered or fair, over all legal builds of a budget, and what a fair price is.

    Parameters
    ----------
    source
        A TOML file, the same tables as a dictionary or an Experiment, or a plan. Its table ``[balance]`` says what is
        judged, among which builds and under which conditions.
    trials
        Games for every budget under every condition, in place of the table's.
    set, seed
        Values by dotted path, and the seed, in place of the file's.
    jobs
        Threads; they change no number.
    out
        Folder of all results.
    progress
        Hears how it goes.

    Returns
    -------
    Findings
        Its document has ``items``, ``cases``, ``prices`` and ``options``.

    Raises
    ------
    ProblemError
        The file is wrong, or the folder cannot be written.
    simkit.lab.runner.Interrupted
        Ctrl-C; what was played is kept and the same call goes on.

    Examples
    --------
    >>> simkit.balance("experiments/legs_or_sails.toml").document["items"][0]["word"]  # doctest: +SKIP
    'depends'
    """
    from simkit.balance.items.cases import Asked
    from simkit.balance.items.findings import work
    from simkit.report.balance import sheet

    asked = Asked(_planned(source, overrides=set, seed=seed), trials)
    return conducted(
        "balance",
        asked.plan,
        asked.settings,
        lambda study: work(asked, study),
        sheet,
        trials=asked.trials,
        jobs=jobs,
        out=out,
        progress=progress,
    )
