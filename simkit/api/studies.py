"""Studies from Python: everybody against everybody, what is overpowered, which number would be fair."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.api.runs import refuse_unlimited, threads_of
from simkit.lab.problems import Problem, ProblemError

if TYPE_CHECKING:
    from simkit.lab.plan import Plan
    from simkit.lab.runner import Progress
    from simkit.lab.study import Study
    from simkit.report.sheet import Sheet


class Findings:
    """A finished study: its folder, its document and its answer.

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
        return f"<simkit.Findings {self.document['name']} {self.document['run']}: {self.answer}>"

    @property
    def answer(self) -> str:
        """The answer in one sentence, with its interval."""
        return str(self.document["verdict"]["answer"])

    @property
    def verdict(self) -> Mapping[str, Any]:
        """The verdict: answer, word, rule, and what is not resolved."""
        found: Mapping[str, Any] = self.document["verdict"]
        return found


def conducted(
    command: str,
    plan: "Plan",
    settings: Mapping[str, Any],
    work: Callable[["Study"], dict[str, Any]],
    sheet: Callable[[Mapping[str, Any]], "Sheet"],
    *,
    trials: int,
    jobs: int | None = None,
    out: str | Path = "results",
    progress: "Progress | None" = None,
) -> Findings:
    """Play a study, or what is missing of it, and write its results.

    Parameters
    ----------
    command
        The verb.
    plan
        The experiment that it is asked of.
    settings
        What is asked, everything spelt out: plain data as TOML can hold it.
    work
        Plays what it needs through the ledgers of the study and returns its part of the document, with ``verdict``.
    sheet
        Says what the page shows, from the document alone, in which every text is harmless to look at.
    trials
        About how many games will be played at most, for the bar.
    jobs
        Threads; the processors this process may use when left out.
    out
        Folder of all results.
    progress
        Hears how it goes.

    Raises
    ------
    ProblemError
        The folder cannot be written, or another process plays the same study.
    simkit.lab.runner.Interrupted
        Ctrl-C; what was played is kept and the same call goes on.
    """
    from simkit.balance.documents.head import head
    from simkit.lab.runner import Silent
    from simkit.lab.study import Study
    from simkit.report.sheet import write
    from simkit.report.words import cleaned

    refuse_unlimited(plan)
    threads, hears = threads_of(jobs), progress or Silent()
    opened = Study.opened(command, plan, settings, out=Path(out), jobs=threads, progress=hears, trials=trials)
    with opened as study:
        found = work(study)
        document = {**head(study), **found}
        write(document, sheet(cleaned(document)), study.store)
        study.finish()
        return Findings(study.store.folder, document)


def load_study(folder: str | Path) -> Findings:
    """Read the results of a finished study.

    Parameters
    ----------
    folder
        Its folder, or the folder of all results of one name (the newest finished study is taken).

    Raises
    ------
    ProblemError
        There is no finished study, or its document is damaged.
    """
    path = Path(folder)
    if not (path / "manifest.json").is_file():
        found = sorted(path.glob("*-*/manifest.json"), key=lambda one: one.stat().st_mtime)
        if not found:
            message = "there is no finished study in this folder"
            raise ProblemError([Problem("file", message, str(path), help="simkit results")])
        path = found[-1].parent
    try:
        document = json.loads((path / "report.json").read_text(encoding="utf-8"))
        if not (path / "report.html").is_file() or not (path / "report.md").is_file():
            raise FileNotFoundError
        findings = Findings(path, document)
        wrong = [key for key in ("name", "run", "question", "command") if not isinstance(document[key], str)]
        if wrong or not isinstance(document["verdict"]["answer"], str):
            raise TypeError(f"these are not what they should be: {', '.join(wrong) or 'answer'}")
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        message = "the report of this study is missing or damaged"
        raise ProblemError([Problem("file", message, str(path), help="the command that made it mends it")]) from error
    return findings
