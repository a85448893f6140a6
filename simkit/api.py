"""simkit from Python: everything the command line does.

>>> import simkit
>>> str(simkit.odds("2d6 >= 8").fraction)
'5/12'
"""

import functools
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from simkit.core import odds as _odds
from simkit.core import trials as _trials
from simkit.games import protocol
from simkit.lab import plan as _plan
from simkit.lab.experiment import Experiment as Experiment
from simkit.lab.problems import Problem, ProblemError

if TYPE_CHECKING:
    import pandas as pd

    from simkit.balance.bout import Bout
    from simkit.lab.plan import Plan
    from simkit.lab.runner import Progress

odds = _odds.odds

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


def duel(
    a: str | Mapping[str, Any],
    b: str | Mapping[str, Any],
    *,
    policy: str | None = None,
    policy_b: str | None = None,
    trials: int = 20_000,
    map: str | None = None,
    distance: int | None = None,
    seed: int = 1,
    house: Sequence[str | Path] = (),
    set: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    progress: "Progress | None" = None,
    game: str = "jugger",
) -> "Bout":
    """Let one side fight another; in memory, with the figures of ``simkit duel``.

    Parameters
    ----------
    a, b
        The sides: designs as on the command line, such as ``"walker"``, ``"2xwalker"`` or ``"2xarcher+axer"``, or
        the table of a side as in an experiment, such as ``{"design": {"size": 2, "equipment": ["2 flails"]}}``.
    policy, policy_b
        Who decides for both sides, and for B if another; what the game takes for granted when left out.
    trials
        Games to play; where seats are swapped, every pair has the same dice.
    map, distance
        Where: a map by name, and how many hexes, or inches, apart they begin.
    seed
        Seed of all dice.
    house
        House rules, by id or by file.
    set
        Values by dotted path that win over everything else: rules, or fields of the scenario.
    jobs
        Threads; the processors this process may use when left out.
    progress
        Hears how it goes.
    game
        Whose rules.

    Returns
    -------
    Bout
        Its ``answer``, ``document`` and ``cells``, and ``replay`` of any of its games.

    Raises
    ------
    ProblemError
        With everything that is wrong with the sides, the rules or the scenario.
    ValueError
        A side cannot be read, a house rule is no file, or `jobs` is out of range.

    Examples
    --------
    >>> simkit.duel("walker", "windrammer", trials=2000).answer  # doctest: +SKIP
    'Walker beats Windrammer in 7... % of duels ...'
    """
    from simkit.balance.bout import fought
    from simkit.lab.matchup import Matchup, as_force
    from simkit.lab.runner import Silent

    files = tuple(str(one) for one in house)
    forces = as_force(a, game), as_force(b, game)
    matchup = Matchup(*forces, policy, policy_b, trials, seed, map, distance, files, set or {}, game)
    return fought(matchup, progress or Silent(), jobs=_threads(jobs))


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
    from simkit.balance.swings import swung
    from simkit.balance.verdict import judge
    from simkit.lab import publish
    from simkit.lab.runner import Played, Runner, Silent
    from simkit.lab.store import Store
    from simkit.report.files import write_report

    made = _planned(
        source, trials=trials, seed=seed, precision=precision, overrides=set, replication=replication or None
    )
    refuse_unlimited(made)
    threads = _threads(jobs)
    if block is not None and block < 1:
        raise ValueError(f"block is {block}; allowed are whole numbers from 1")
    store = Store(Path(out), made.experiment.name, made.fingerprint)
    document: dict[str, Any] = {}
    hears = progress or Silent()

    def finish(played: Played) -> None:
        verdict = judge(made, played.results)
        swings = swung(made, played.results, verdict, jobs=threads, note=hears.note)
        document.update(build(made, played.results, verdict, swings))
        publish.write_plan(made, store)
        write_report(document, store)
        if raw:
            publish.write_raw(made, played, store)
        publish.write_manifest(made, played, store)
        publish.log_run(made, played, store)

    Runner(made, store, jobs=threads, progress=hears, block=block).run(finish)
    return Run(store.folder, document)


def _threads(jobs: int | None) -> int:
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
        found = sorted(path.glob("*/manifest.json"), key=lambda p: p.stat().st_mtime)
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


def rules(game: str) -> list[protocol.RuleField]:
    """Return every number, switch and ruling of a game, with its sentence and source."""
    return protocol.rule_fields(protocol.load(game).Rules())


def rate(
    source: str | Path,
    *names: str,
    house: Sequence[str | Path] = (),
    set: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Rate designs under some rules, beside the rules of record; nothing is played.

    Parameters
    ----------
    source
        A game, whose presets are rated; or a file: an experiment, a march, or a house rule.
    names
        Only these designs, by name or title.
    house
        House rules, by id or by file; with a game only, as a file names its own.
    set
        Values by dotted path that win over everything else.

    Returns
    -------
    dict
        What ``simkit rate --json`` prints.

    Raises
    ------
    LookupError
        The game rates nothing, or there is no such design.
    ProblemError
        With every problem of the file, of a house rule or of a value.
    ValueError
        House rules beside a file.

    Examples
    --------
    >>> rate("battlesystem", "Worg riders")["designs"][0]["ratings"]["hd"]
    3
    """
    from simkit.lab import rated

    if isinstance(source, str) and source in protocol.find():
        return rated.of_presets(source, names, [str(one) for one in house], set).to_json()
    if house:
        raise ValueError("a file names its house rules itself: house_rules = [..]")
    return rated.of_file(Path(source), names, set, patient=True).to_json()


def march(
    file: str | Path | None = None,
    *,
    units: Sequence[str] = (),
    cell: int | str | None = None,
    house: Sequence[str | Path] = (),
    set: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Let units cross a lane that nobody holds, exactly.

    Parameters
    ----------
    file
        A march, or an experiment whose units march; without it, what every kind of ground leaves of a move.
    units
        Only these units, by name or title.
    cell
        Of an experiment: as for :func:`replay`; the first when left out.
    house
        House rules, by id or by file; without a file only, as a file names its own.
    set
        Values by dotted path that win over everything else.

    Returns
    -------
    dict
        What ``simkit march --json`` prints.

    Raises
    ------
    LookupError
        Nothing marches in the game, or there is no such unit.
    ProblemError
        With every problem of the file, of a house rule or of a value.
    ValueError
        House rules or a cell where they do not belong.

    Examples
    --------
    >>> [unit["terrain"]["woods"] for unit in march(units=["militia", "elves"])["units"]]
    [8, 12]
    """
    from simkit.lab import marches

    choose = None if cell is None else functools.partial(find_cell, wanted=cell)
    path = None if file is None else Path(file)
    houses = [str(one) for one in house]
    return marches.document(path, units=units, house=houses, overrides=set, choose=choose, patient=True)


def find_cell(plan: "Plan", wanted: int | str) -> "_plan.Cell":
    """Return a cell by its number, the beginning of its hash, or ``axis=value,axis=value``.

    An axis goes by its path or its title, a value as the file has it or in words.

    Raises
    ------
    ProblemError
        No cell, or more than one, fits.
    """
    text = str(wanted)
    if "=" in text:
        pairs = [part.partition("=") for part in re.split(r",(?=[^,=]*=)", text)]
        named = {name.strip(): value.strip() for name, _, value in pairs}
        found = [cell for cell in plan.cells if all(_is_at(plan, cell, name, value) for name, value in named.items())]
    elif text.isascii() and text.isdigit() and len(text) < 10:
        found = plan.cells[int(text) - 1 : int(text)] if int(text) > 0 else []
        if not found and len(text) >= 4:  # a hash may begin with digits alone; a row that is not there is no hash
            found = [cell for cell in plan.cells if cell.fingerprint.startswith(text)]
    else:
        found = [cell for cell in plan.cells if text and cell.fingerprint.startswith(text)]
    if len(found) != 1:
        number = "no cell is" if not found else f"{len(found)} cells are"
        message = f"{number} called '{text[:80]}'"
        hint = f"a row from 1 to {len(plan.cells):,}, the beginning of a hash, or axis=value,axis=value"
        raise ProblemError([Problem("value", message, plan.document.path, help=hint)])
    return found[0]


def _is_at(plan: "Plan", cell: "_plan.Cell", name: str, value: str) -> bool:
    """Tell whether an axis, called by its path or its title, has a value in a cell, as written or in words."""
    return any(
        name in (path, plan.game.axis_title(path)) and value in (label, _spelt(cell.factors[path]))
        for path, label in cell.labels.items()
    )


def _spelt(value: Any) -> str:
    from simkit.lab.house import toml_text

    return value if isinstance(value, str) else toml_text(value)


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
