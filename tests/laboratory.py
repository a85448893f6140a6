"""Small questions for tests of the laboratory: their tables, what is wrong with them, and what a run leaves."""

from pathlib import Path
from typing import Any

from simkit.lab import plan as planning
from simkit.lab import toml
from simkit.lab.plan import Plan
from simkit.lab.problems import Problem, ProblemError
from simkit.lab.runner import Played, Runner, Silent
from simkit.lab.store import Store

COURSE = {"steps": [{"down": 1}, {"turn": 1}, {"bog": "swamp"}], "turns": 2}
OFF = {"altered_odds": False}
COMPARED = {"sweep": {"axes": {"altered_odds": [False, True]}}, "compare": {"baseline": OFF}}
"""One comparison on the same dice."""


def question(**tables: Any) -> dict[str, Any]:
    """Return the tables of a small experiment, some of them replaced; None leaves one out."""
    data = {"schema": 1, "name": "small", "game": "pigtickler", "course": COURSE} | tables
    return {key: value for key, value in data.items() if value is not None}


def made(**tables: Any) -> Plan:
    """Plan a small experiment."""
    return planning.make(question(**tables))


def refused(source: Any, **more: Any) -> ProblemError:
    """Return what planning a source raises."""
    try:
        planning.make(source, **more)
    except ProblemError as error:
        return error
    raise AssertionError("this was planned without a problem")


def wrong(source: Any, **more: Any) -> list[Problem]:
    """Return the problems of a source."""
    return refused(source, **more).problems


def messages(source: Any, **more: Any) -> list[str]:
    """Return what is wrong with a source, in words."""
    return [problem.message for problem in wrong(source, **more)]


def text(source: str, name: str = "question.toml") -> toml.Document:
    """Read TOML as if from a file of that name."""
    return toml.parse(source, name)


def files(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder of results by name, but for the log of runs and the lock."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in found if path.name not in ("runs.jsonl", ".lock")
    }


def store_of(plan: Plan, out: Path) -> Store:
    """Return the folder of a plan."""
    return Store(out, plan.experiment.name, plan.fingerprint)


def play(
    plan: Plan, out: Path, *, jobs: int = 2, block: int | None = None, publish: bool = False, **more: Any
) -> Played:
    """Play a plan; with `publish` everything but pages and plots is written."""
    store = store_of(plan, out)
    runner = Runner(plan, store, jobs=jobs, progress=more.pop("progress", Silent()), block=block)
    return runner.run((lambda played: written(plan, played, store)) if publish else None)


def written(plan: Plan, played: Played, store: Store) -> None:
    """Write the small files of a run, as a report does."""
    import json

    from simkit.balance.document import build
    from simkit.balance.verdict import judge
    from simkit.lab import frame, publish

    document = build(plan, played.results, judge(plan, played.results))
    publish.write_plan(plan, store)
    store.write("report.json", json.dumps(document))
    store.write("cells.csv", frame.to_csv(frame.rows(document)))
    publish.write_manifest(plan, played, store)
    publish.log_run(plan, played, store)
