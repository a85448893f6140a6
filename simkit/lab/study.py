"""Studies: questions that decide on the way what is played, each in a folder of its own.

A study is asked of an experiment: everybody against everybody, what is overpowered, which number would be fair. Its
folder ``<out>/<name>/<command>-<hash>/`` lies beside the runs of the same experiment and keeps to the same rules: one
writer at a time, whole files only, the same bytes for the same question on any number of threads, and who ran it when
in ``runs.jsonl`` alone.
"""

import hashlib
import json
import platform
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import tomli_w

from simkit.core.key import DICE_VERSION
from simkit.lab import publish, resolve
from simkit.lab.ledger import FOLDER, Ledger
from simkit.lab.plan import Plan
from simkit.lab.runner import Interrupted, Progress
from simkit.lab.store import TEMPORARY, Store

FORMAT = 1

SPOKEN = frozenset(["compare", "house"])
"""Commands whose question stands in their arguments; a file has no table for it."""


@dataclass
class Study:
    """One question about an experiment, and the folder of its results.

    Attributes
    ----------
    command
        The verb: ``matrix``, ``balance`` and so on.
    plan
        The experiment that it is asked of.
    settings
        What is asked, everything spelt out: plain data as TOML can hold it.
    store
        The folder.
    jobs
        Threads; they change no number.
    progress
        Hears how it goes.
    wanted
        About how many games will be played at most.
    """

    command: str
    plan: Plan
    settings: Mapping[str, Any]
    store: Store
    jobs: int
    progress: Progress
    wanted: int = 0
    ledgers: list[Ledger] = field(default_factory=list)

    @classmethod
    @contextmanager
    def opened(
        cls,
        command: str,
        plan: Plan,
        settings: Mapping[str, Any],
        *,
        out: Path,
        jobs: int,
        progress: Progress,
        trials: int,
    ) -> Iterator[Self]:
        """Hold the folder of a study while it is played and written.

        Parameters
        ----------
        command, plan, settings, jobs, progress
            As the attributes.
        out
            Folder of all results.
        trials
            About how many games will be played at most, for the bar.

        Raises
        ------
        ProblemError
            Another process plays this study, or the folder cannot be written or leads elsewhere.
        Interrupted
            After Ctrl-C; what was played is kept.
        """
        store = Store(out, plan.experiment.name, f"{command}-{fingerprint(command, plan, settings)}")
        study = cls(command, plan, settings, store, jobs, progress, trials)
        with store.opened():
            for path in store.folder.rglob(f"{TEMPORARY}*"):
                path.unlink(missing_ok=True)
            progress.start(trials, 0, 0)
            try:
                yield study
            except KeyboardInterrupt:  # in a ledger, which knows its own part alone, or between two calls
                raise study.interrupted() from None
            finally:
                progress.stop()

    @property
    def fingerprint(self) -> str:
        """The hash in the name of its folder."""
        return self.store.folder.name.rpartition("-")[2]

    def interrupted(self) -> Interrupted:
        """Return what an interruption tells: how much there is of what was asked for so far."""
        played, kept = (sum(getattr(one, name) for one in self.ledgers) for name in ("played", "kept"))
        return Interrupted(played, kept, self.wanted)

    def ledger(self, columns: Sequence[str] = ()) -> Ledger:
        """Return a ledger of some outcomes, the report metric where none are named; several share what they have."""
        names = columns or (self.plan.metric,)
        made = Ledger(self.plan, self.store, names, jobs=self.jobs, progress=self.progress, wanted=self.wanted)
        self.ledgers.append(made)
        return made

    @property
    def trials(self) -> int:
        """Games behind what the ledgers were asked for, whether they were played now or were there."""
        return sum(one.units for one in self.ledgers) * self.plan.game.GAMES_A_UNIT

    @property
    def resolved(self) -> str:
        """The experiment with everything spelt out, and the table of this question, as TOML."""
        data = resolve.resolved(self.plan)
        if self.command not in SPOKEN:
            data = {**data, self.command: dict(self.settings)}
        return resolve.dumps(data)

    def finish(self) -> None:
        """Write what says what was asked and what there is, last of all; a folder with a manifest is complete."""
        self._sweep()
        self.store.write(resolve.FILE, self.resolved)
        for loaded in self.plan.house_rules.values():
            self.store.write(f"house/{loaded.id}.toml", tomli_w.dumps(resolve.house_rule(loaded)))
        names = sorted({*self.store.written, *(name for one in self.ledgers for name in one.parcels)})
        files = {name: hashlib.sha256((self.store.folder / name).read_bytes()).hexdigest() for name in names}
        manifest = {
            "schema": 1,
            "command": self.command,
            "name": self.plan.experiment.name,
            "run": self.store.folder.name,
            "question": self.plan.experiment.question,
            "game": self.plan.game.NAME,
            "edition": self.plan.game.EDITION,
            "version": {"game": self.plan.game.VERSION.number, "dice": DICE_VERSION},
            "seed": self.plan.experiment.seed,
            "trials": self.trials,
            "files": files,
        }
        self.store.write("manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
        self._log()

    def _sweep(self) -> None:
        """Delete parcels that nobody asked for: of an older version, or of a run that was changed on the way."""
        asked = {name for one in self.ledgers for name in one.parcels}
        for path in (self.store.folder / FOLDER).glob("*.npz"):
            if path.relative_to(self.store.folder).as_posix() not in asked:
                path.unlink(missing_ok=True)

    def _log(self) -> None:
        seconds = max((time.monotonic() - one.begun for one in self.ledgers), default=0.0)
        line = {
            "when": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            "argv": sys.argv[1:],
            "host": socket.gethostname(),
            "jobs": self.jobs,
            "seconds": round(seconds, 3),
            "played": sum(one.played for one in self.ledgers),
            "kept": sum(one.kept for one in self.ledgers),
            "versions": {"simkit": publish.simkit_version(), "python": platform.python_version()},
        }
        self.store.append_run(json.dumps(line))


def fingerprint(command: str, plan: Plan, settings: Mapping[str, Any]) -> str:
    """Return 16 hexadecimal digits that stand for everything that the results of a study can hang on."""
    parts = [FORMAT, command, plan.fingerprint, plan.game.VERSION.number, DICE_VERSION, settings]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
