"""Experiments from Python: checked, played, loaded, solved and retold."""

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from simkit.core import trials as _trials
from simkit.lab import plan as _plan
from simkit.lab.cells import find_cell
from simkit.lab.experiment import Experiment as Experiment
from simkit.lab.problems import Problem, ProblemError

if TYPE_CHECKING:
    import pandas as pd

    from simkit.lab.plan import Plan
    from simkit.lab.runner import Progress

MOST_JOBS = 1024

Source: TypeAlias = str | Path | Mapping[str, Any] | Experiment
"""An experiment: its file, its tables, or its model."""


class Run:
    """A finished run: its folder, its document and what can be asked of it.

    Attributes
    ----------
    folder
        Where the results are.
    document
        Everything the report says, as plain data.
    """

    def __init__(self, folder: Path, document: Mapping[str, Any]) -> None:
        self.folder = folder
        self.document = document

    def __repr__(self) -> str:
        return f"<simkit.Run {self.document['name']} {self.document['run']}: {self.answer}>"

    @property
    def answer(self) -> str:
        """The answer in one sentence, with its interval."""
        return str(self.document["verdict"]["answer"])

    @property
    def verdict(self) -> Mapping[str, Any]:
        """The verdict: answer, word, rule, metric, what is not resolved, and a row a cell."""
        found: Mapping[str, Any] = self.document["verdict"]
        return found

    @cached_property
    def cells(self) -> "pd.DataFrame":
        """The cells as a tidy table (see :func:`simkit.lab.frame.frame`)."""
        from simkit.lab.frame import frame

        return frame(self.document)

    @cached_property
    def plan(self) -> "Plan":
        """The plan, made again from the resolved experiment."""
        return _plan.make(self.folder / "experiment.resolved.toml", replication=self.document["replication"])

    def replay(self, cell: int | str = 1, trial: int | str = 0) -> str:
        """Retell one trial in words.

        Parameters
        ----------
        cell
            Row of the table of cells (from 1), the beginning of a cell's hash, or ``"axis=value,axis=value"``.
        trial
            Number of the trial, from 0. Where two games make a unit, it is the number of their pair, and ``"12b"`` is
            the game of pair 12 with the seats swapped.
        """
        return "\n".join(line["text"] for line in replay(self.plan, cell, trial))


def check(source: "Source", **changes: Any) -> "Plan":
    """Read an experiment, check everything and return its plan; nothing is played.

    Parameters
    ----------
    source
        A TOML file, or the same tables as a dictionary or an :class:`Experiment`.
    changes
        ``trials``, ``seed``, ``precision``, ``overrides`` and ``replication`` as in :func:`simkit.lab.plan.make`.

    Raises
    ------
    ProblemError
        With every problem of the file.
    """
    return _plan.make(source, **changes)


def run(
    source: "Source | Plan",
    *,
    set: Mapping[str, Any] | None = None,
    trials: int | None = None,
    seed: int | None = None,
    precision: float | None = None,
    replication: int = 0,
    jobs: int | None = None,
    out: str | Path = "results",
    raw: bool = False,
    block: int | None = None,
    progress: "Progress | None" = None,
) -> Run:
    """Play an experiment, or what is missing of it, and write its results.

    Parameters
    ----------
    source
        A TOML file, the same tables as a dictionary or an :class:`Experiment`, or a plan.
    set
        Values by dotted path that win over the file's: rules, or fields of the scenario.
    trials, seed, precision
        In place of the file's.
    replication
        0 for the run itself, another number for the same plan on fresh dice.
    jobs
        Threads; the processors this process may use when left out.
    out
        Folder of all results.
    raw
        Keep every outcome of every trial as Parquet.
    block
        Units in a block; never changes a number.
    progress
        Hears how the run goes.

    Returns
    -------
    Run

    Raises
    ------
    ProblemError
        The file is wrong, the folder cannot be written, or another process plays the same plan.
    simkit.lab.runner.Interrupted
        Ctrl-C; what was played is kept and the same call goes on.

    Examples
    --------
    >>> simkit.run("experiments/altered_odds.toml", trials=10_000).answer  # doctest: +SKIP
    'Altered odds raise ...'
    """
    from simkit.balance.document import build
    from simkit.balance.elsewhere import swung_everywhere
    from simkit.balance.verdict import judge
    from simkit.lab import publish
    from simkit.lab.runner import Played, Runner, Silent
    from simkit.lab.store import Store
    from simkit.report.files import write_report

    made = _planned(
        source, trials=trials, seed=seed, precision=precision, overrides=set, replication=replication or None
    )
    refuse_unlimited(made)
    threads = threads_of(jobs)
    if block is not None and block < 1:
        raise ValueError(f"block is {block}; allowed are whole numbers from 1")
    store = Store(Path(out), made.experiment.name, made.fingerprint)
    document: dict[str, Any] = {}
    hears = progress or Silent()

    def finish(played: Played) -> None:
        verdict = judge(made, played.results)
        swings = swung_everywhere(made, played.results, verdict, jobs=threads, note=hears.note)
        document.update(build(made, played.results, verdict, swings))
        publish.write_plan(made, store)
        write_report(document, store)
        if raw:
            publish.write_raw(made, played, store)
        publish.write_manifest(made, played, store)
        publish.log_run(made, played, store)

    Runner(made, store, jobs=threads, progress=hears, block=block).run(finish)
    return Run(store.folder, document)


def threads_of(jobs: int | None) -> int:
    """Return how many threads play, or raise a ValueError."""
    threads = _trials.cpus() if jobs is None else jobs
    if not 1 <= threads <= MOST_JOBS:
        raise ValueError(f"jobs is {threads}; allowed are 1 to {MOST_JOBS}")
    return threads


def _planned(source: "Source | Plan", **changes: Any) -> "Plan":
    """Plan an experiment with what is given in place of the file's; a plan is taken as it is.

    Raises
    ------
    ValueError
        Something is to be changed in a plan.
    """
    given = {name: value for name, value in changes.items() if value is not None}
    if not isinstance(source, _plan.Plan):
        return _plan.make(source, **given)
    if given:
        names = ", ".join("set" if name == "overrides" else name for name in given)
        raise ValueError(f"{names} cannot be changed in a plan; give it to simkit.check, which makes the plan")
    return source


def refuse_unlimited(plan: "Plan") -> None:
    """Refuse to play what only an exact solution can finish."""
    for cell in plan.cells:
        reason = plan.game.unplayable(cell.scenario)
        if reason:
            place = plan.document.where(("course", "turns"), "value")
            problem = Problem("meaning", reason, plan.document.path, place, "simkit exact solves it without a limit")
            raise ProblemError([problem], plan.document.sources)


def load(folder: str | Path) -> Run:
    """Read the results of a finished run.

    Parameters
    ----------
    folder
        A results folder, or the folder of all results of one name (the newest complete run is taken).

    Raises
    ------
    ProblemError
        There is no finished run.
    """
    from simkit.balance.document import SCHEMA

    path = Path(folder)
    if not (path / "manifest.json").is_file():
        runs = (one for one in path.glob("*/manifest.json") if "-" not in one.parent.name)  # studies are no runs
        found = sorted(runs, key=lambda p: p.stat().st_mtime)
        if not found:
            raise ProblemError(
                [Problem("file", "there is no finished run in this folder", str(path), help="simkit results")]
            )
        path = found[-1].parent
    try:
        document = json.loads((path / "report.json").read_text(encoding="utf-8"))
        schema = document["schema"]
        if schema == SCHEMA:
            _look_at(document)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ProblemError(
            [
                Problem(
                    "file", "report.json is missing or damaged", str(path), help="the same simkit run command mends it"
                )
            ]
        ) from error
    if schema != SCHEMA:
        message = f"this run was written with schema {str(schema)[:80]}; this simkit reads {SCHEMA}"
        raise ProblemError([Problem("file", message, str(path))])
    return Run(path, document)


def _look_at(document: Mapping[str, Any]) -> None:
    """Raise unless a document that others may have written has what is asked of it."""
    wanted = {"name": str, "run": str, "replication": int, "cells": list, "verdict": dict}
    wrong = [key for key, kind in wanted.items() if not isinstance(document[key], kind)]
    if wrong or not isinstance(document["verdict"]["answer"], str):
        raise TypeError(f"these are not what they should be: {', '.join(wrong) or 'answer'}")


def exact(
    source: "Source | Plan",
    *,
    set: Mapping[str, Any] | None = None,
    unlimited: bool = False,
) -> dict[str, Any]:
    """Solve every cell of an experiment exactly.

    Parameters
    ----------
    source
        A TOML file, the same tables as a dictionary, or a plan.
    set
        Values by dotted path that win over the file's.
    unlimited
        Solve it without a limit of turns, whatever the file says.

    Returns
    -------
    dict
        The same document as a run's, with fractions; ``trials`` and ``n`` are 0.
    """
    from simkit.balance.document import exact_document

    made = _planned(source, overrides=set)
    if unlimited:
        made = _planned(source, overrides={**(set or {}), **made.game.UNLIMITED})
    made.game.ready()
    return exact_document(made)


def replay(source: "Source | Plan", cell: int | str = 1, trial: int | str = 0) -> list[dict[str, Any]]:
    """Retell one trial, line by line.

    Parameters
    ----------
    source
        A plan, an experiment, or a results folder.
    cell, trial
        As in :meth:`Run.replay`.

    Returns
    -------
    list of dict
        ``text``, ``kind`` (turn, throw, ride, end) and ``ids`` of every line.
    """
    from simkit.balance.retelling import lines
    from simkit.lab.trial import Trial

    if isinstance(source, str | Path) and Path(source).is_dir():
        source = load(source).plan
    made = _planned(source)
    wanted = Trial.read(trial, made.game)
    refuse_unlimited(made)
    made.game.ready()
    return lines(made, find_cell(made, cell), wanted)
