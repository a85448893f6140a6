"""Fair values from Python: which value of a parameter brings a metric to its target."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from simkit.api.studies import Findings, conducted
from simkit.lab import plan as _plan
from simkit.lab import resolve, toml
from simkit.lab.asked import Solve
from simkit.lab.problems import ProblemError, from_pydantic

if TYPE_CHECKING:
    from simkit.api.runs import Source
    from simkit.balance.solve.question import Asked
    from simkit.lab.plan import Plan
    from simkit.lab.runner import Progress

COMMAND = "solve"
RANGE = ("min", "max", "step")


def solve(
    source: "Source | Plan | Asked",
    *,
    set: Mapping[str, Any] | None = None,
    vary: str | None = None,
    min: float | str | None = None,
    max: float | str | None = None,
    step: float | str | None = None,
    values: Sequence[Any] | None = None,
    metric: str | None = None,
    target: float | Sequence[float] | Mapping[str, Any] | None = None,
    over: Sequence[str] | None = None,
    within: float | None = None,
    trials: int | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    out: str | Path = "results",
    progress: "Progress | None" = None,
) -> Findings:
    """Find the value of a parameter that brings a metric to its target, and confirm it on fresh dice.

    Parameters
    ----------
    source
        A TOML file with a table ``[solve]``, the same tables as a dictionary, or a plan.
    set
        Values by dotted path that win over the file's: rules, or fields of the scenario.
    vary, min, max, step, values, metric, target, over, within
        In place of what ``[solve]`` says. An empty ``over`` asks for every combination by itself.
    trials
        Most games for one answer, in place of ``max_trials``.
    seed
        In place of the file's.
    jobs
        Threads; the processors this process may use when left out.
    out
        Folder of all results.
    progress
        Hears how it goes.

    Returns
    -------
    Findings
        Its ``answer`` and ``document``; see :class:`simkit.balance.documents.solve.Solved`.

    Raises
    ------
    ProblemError
        The file is wrong, or nothing can be found among these values; with everything that is wrong.
    simkit.lab.runner.Interrupted
        Ctrl-C; what was played is kept and the same call goes on.

    Examples
    --------
    >>> simkit.solve("experiments/solve_bogs.toml").answer  # doctest: +SKIP
    "To bring 'finished' to ..., bogs.swamp must be ..."
    """
    from simkit.balance.solve.document import document_of
    from simkit.balance.solve.question import Asked
    from simkit.balance.solve.solving import answered
    from simkit.report.solvesheet import sheet

    if isinstance(source, Asked):
        asked = source
    else:
        given = {
            "vary": vary, "min": min, "max": max, "step": step, "values": values, "metric": metric,
            "target": target, "over": over, "within": within, "max_trials": trials,
        }  # fmt: skip
        asked = ask(source, set=set, seed=seed, given={key: one for key, one in given.items() if one is not None})
    settings = asked.table.model_dump(by_alias=True, exclude_none=True)
    return conducted(
        COMMAND,
        asked.plan,
        settings,
        lambda study: document_of(asked, answered(study, asked)),
        sheet,
        trials=asked.trials,
        jobs=jobs,
        out=out,
        progress=progress,
    )


def ask(
    source: "Source | Plan",
    *,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    given: Mapping[str, Any] | None = None,
) -> "Asked":
    """Read what is asked of an experiment and check everything; nothing is played.

    Parameters
    ----------
    source, set, seed
        As for :func:`solve`.
    given
        Settings of ``[solve]`` that take the place of the file's.

    Raises
    ------
    ProblemError
        With every problem.
    """
    from simkit.balance.solve.question import asked_of

    if isinstance(source, _plan.Plan):
        made = source
        if set or seed is not None:
            raise ValueError(
                "set and seed cannot be changed in a plan; give them to simkit.check, which makes the plan"
            )
    else:
        made = _plan.make(source, overrides=set, seed=seed)
    table = made.experiment.solve or Solve()
    if not given:
        return asked_of(made, table)
    data = table.model_dump(by_alias=True, exclude_unset=True, exclude_none=True)
    other = [key for key in RANGE if key in data] if "values" in given else ["values"] if {*RANGE} & {*given} else []
    data = {key: value for key, value in data.items() if key not in other} | _plain(given)
    if "over" in given and "for" in data:
        # what is averaged no longer is asked one by one, as all axes are that are on neither list
        names = [*data["for"], *(name for name in table.over or () if name not in data["for"])]
        data["for"] = [name for name in names if name not in given["over"]]
    if "vary" in given and given["vary"] != table.vary:
        kept = {*RANGE, "values", "along"} - {*given}
        data = {key: value for key, value in data.items() if key not in kept}
    written = toml.parse(resolve.dumps({COMMAND: data}), f"[solve] of {made.document.path}, as it was asked")
    try:
        table = Solve.model_validate(written.data[COMMAND])
    except ValidationError as error:
        problems = from_pydantic(error, written, at=(COMMAND,), model=Solve)
        raise ProblemError(problems, written.sources) from error
    return asked_of(made, table, written)


def _plain(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as a file would hold them."""
    return {key: list(one) if isinstance(one, tuple) else one for key, one in given.items()}
