"""Counts of many setups on the same dice, played as a question unfolds and kept as they come.

A run plays cells that are known beforehand. Other questions find out on the way what to play next: which pairs are not
resolved, which value to try. They ask the ledger for units of some setups; what it has is read, what it lacks is
played. Of every setup it keeps whole numbers by batch, so that neither threads nor the order of the blocks change a
bit of them, and differences on the same dice keep their spread.

It is cut into parcels, each a file of its own: some setups, and some units of them. Which parcels there are depends on
what is asked for alone. Killed and asked again, only the parcels that are missing are played.
"""

import hashlib
import io
import json
import threading
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from simkit.core import trials
from simkit.core.key import DICE_VERSION, make_key
from simkit.core.trials import BATCHES
from simkit.lab.estimates import Value
from simkit.lab.plan import Plan
from simkit.lab.problems import ProblemError
from simkit.lab.runner import Interrupted, Progress, collector_at_rest
from simkit.lab.store import DIGEST, Store, cannot_write, sealed, units_per_batch, write_atomic

TOGETHER = 64
"""Most setups of a parcel: their counts are in memory at once."""

PARCEL_SECONDS = 0.5
"""About how long one processor plays a parcel: what a killed run loses, for every processor."""

FORMAT = 1
FOLDER = "blocks/parcels"

Sums = NDArray[np.int64]
"""Shape (setups, 256, columns): what the columns of the games of a batch add up to."""


class Subject(Protocol):
    """What can be played: a cell of a plan, or anything else with a setup and what identifies its counts."""

    @property
    def setup(self) -> Any:
        """The record that the kernels play."""

    @property
    def fingerprint(self) -> str:
        """What stands for everything that can change its counts on given dice."""


class Parcel(NamedTuple):
    """Some setups, and the units that are played of them."""

    rows: tuple[int, ...]
    """Positions among those that were asked for."""
    first: int
    end: int
    name: str
    """Stem of its file."""


class Ledger:
    """Plays setups of one game on the dice of one seed, and remembers.

    Parameters
    ----------
    plan
        Its game and seed.
    store
        The folder, which must be held (see :meth:`simkit.lab.store.Store.opened`).
    columns
        Outcomes that are kept, by name.
    jobs
        Threads; they change no number.
    progress
        Hears what is played. Whoever makes the ledger starts and stops it.
    wanted
        About how many games will be played at most: what an interruption tells of.
    """

    def __init__(
        self, plan: Plan, store: Store, columns: Sequence[str], *, jobs: int, progress: Progress, wanted: int = 0
    ) -> None:
        self.game, self.seed = plan.game, plan.experiment.seed
        self.games = plan.game.GAMES_A_UNIT
        self.store, self.jobs, self.progress, self.wanted = store, jobs, progress, wanted
        self.columns = tuple(columns)
        places = {metric.name: i for i, metric in enumerate(plan.game.OUTCOMES)}
        self.places = [places[name] for name in self.columns]
        self.values = {
            metric.name: Value.of(metric, self.games, difference=False)
            for metric in plan.game.OUTCOMES
            if metric.name in self.columns
        }
        self.played = 0
        """Trials (games) played now."""
        self.kept = 0
        """Trials that were there before."""
        self.units = 0
        """Units of all setups that were asked for so far, whether they were there or not."""
        self.parcels: set[str] = set()
        """Names of the files, below the folder of the store, that hold what was asked for."""
        self.begun = time.monotonic()
        self._local = threading.local()
        self._ready = False

    def play(self, subjects: Sequence[Subject], first: int, end: int, *, replication: int = 0) -> Sums:
        """Return what some units of some setups add up to; what is missing is played.

        Parameters
        ----------
        subjects
            Setups with what identifies them; those of one call share their dice.
        first, end
            The units ``first <= unit < end``, the same for all.
        replication
            0 for the dice of the question, another number for fresh ones.

        Returns
        -------
        int64, shape (len(subjects), 256, columns)
            By batch (unit modulo 256) and column; see :meth:`means`.

        Raises
        ------
        simkit.lab.runner.Interrupted
            After Ctrl-C; every parcel that was finished is kept.
        ProblemError
            The disk is full or not to be written.

        Examples
        --------
        >>> ledger.play(plan.cells, 0, 1_000).shape  # doctest: +SKIP
        (21, 256, 1)
        """
        if not 0 <= first <= end:
            raise ValueError(f"units {first} to {end}; allowed are 0 <= first <= end")
        found = np.zeros((len(subjects), BATCHES, len(self.columns)), np.int64)
        missing = []
        for parcel in self._parcels(subjects, first, end, replication):
            self.parcels.add(f"{FOLDER}/{parcel.name}.npz")
            there = self._read(parcel)
            if there is None:
                missing.append(parcel)
            else:
                found[list(parcel.rows)] += there
                self._count(parcel, kept=True)
        if missing:
            self._play(subjects, missing, found, replication)
        return found

    def means(self, sums: Sums, first: int, end: int, column: str) -> NDArray[np.float64]:
        """Return the mean value of a column a game in each batch that has units.

        Parameters
        ----------
        sums
            What :meth:`play` returned for these units, or several of its results added up.
        first, end
            The units behind them.
        column
            Which outcome.

        Returns
        -------
        float64, shape (setups, batches)
            Batches without a unit are left out.
        """
        units = units_per_batch(end) - units_per_batch(first)
        some = units > 0
        k = self.columns.index(column)
        return np.asarray(sums[:, some, k] / (units[some] * self.values[column].parts))

    def _parcels(self, subjects: Sequence[Subject], first: int, end: int, replication: int) -> Iterator[Parcel]:
        """Cut what is asked for into parcels of about half a second, in an order of their own."""
        pace = [self.game.nanoseconds(subject.setup) * self.games for subject in subjects]
        room, rows, spent = PARCEL_SECONDS * 1e9, list[int](), 0.0
        groups = []
        for i, each in enumerate(pace):
            if rows and (len(rows) == TOGETHER or spent + each * (end - first) > room):
                groups.append(tuple(rows))
                rows, spent = [], 0.0
            rows.append(i)
            spent += each * (end - first)
        groups += [tuple(rows)] if rows else []
        for group in groups:
            size = max(BATCHES, 1 << max(0, int(room / sum(pace[i] for i in group)).bit_length() - 1))
            for a, b in trials.blocks(first, end, size):
                yield Parcel(group, a, b, self._name([subjects[i].fingerprint for i in group], a, b, replication))

    def _name(self, fingerprints: Sequence[str], first: int, end: int, replication: int) -> str:
        version = [FORMAT, self.game.NAME, self.game.VERSION.number, DICE_VERSION, self.seed, replication]
        parts = [version, self.columns, fingerprints, first, end]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]

    def _play(self, subjects: Sequence[Subject], missing: Sequence[Parcel], found: Sums, replication: int) -> None:
        key = make_key(self.seed, replication)
        if not self._ready:
            self.game.ready(self.progress.compiling)
            self._ready = True
        columns = len(self.game.OUTCOMES)

        def play(parcel: Parcel) -> Sums:
            if not hasattr(self._local, "state"):
                self._local.state = self.game.new_state()
            setups = self.game.pack([subjects[i].setup for i in parcel.rows])
            out = np.zeros((len(parcel.rows), BATCHES, columns, 4), np.int64)
            self.game.play_block(setups, self._local.state, key, parcel.first, parcel.end, out)
            return np.ascontiguousarray(out[:, :, self.places, 0])

        def done(parcel: Parcel, sums: Sums) -> None:
            self._write(parcel, sums)
            found[list(parcel.rows)] += sums
            self._count(parcel, kept=False)

        try:
            with collector_at_rest():
                trials.run(missing, play, done, threads=self.jobs)
        except KeyboardInterrupt:
            raise Interrupted(self.played, self.kept, self.wanted) from None

    def _count(self, parcel: Parcel, *, kept: bool) -> None:
        units = len(parcel.rows) * (parcel.end - parcel.first)
        games = units * self.games
        self.units += units
        if kept:
            self.kept += games
        else:
            self.played += games
        self.progress.advance(games, 0, None)

    def _path(self, parcel: Parcel) -> Path:
        return self.store.folder / FOLDER / f"{parcel.name}.npz"

    def _write(self, parcel: Parcel, sums: Sums) -> None:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, sums=sums, name=np.frombuffer(parcel.name.encode(), np.uint8))
        path = self._path(parcel)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, sealed(buffer))
        except OSError as error:
            raise cannot_write(error, self.store.folder) from error

    def _read(self, parcel: Parcel) -> Sums | None:
        """Return a parcel from its file here or in another question of this name; None where there is none whole."""
        path = self._path(parcel)
        own = self._opened(path, parcel)
        if own is not None:
            return own
        if path.is_file():
            self.progress.say(f"parcel {path.name} is damaged: its units are played again")
        for other in sorted(self.store.home.glob(f"*/{FOLDER}/{path.name}")):
            if other != path and (sums := self._opened(other, parcel)) is not None:
                with suppress(ProblemError):
                    self._write(parcel, sums)
                return sums
        return None

    def _opened(self, path: Path, parcel: Parcel) -> Sums | None:
        try:
            content = path.read_bytes()
            if hashlib.sha256(content[:-DIGEST]).digest() != content[-DIGEST:]:
                return None
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                sums, name = file["sums"], bytes(file["name"]).decode()
        except (OSError, ValueError, KeyError, zipfile.BadZipFile):
            return None
        whole = name == parcel.name and sums.dtype == np.int64 and sums.shape == self._shape(parcel)
        return np.asarray(sums) if whole else None

    def _shape(self, parcel: Parcel) -> tuple[int, ...]:
        """Return the shape of what is kept of a parcel."""
        return len(parcel.rows), BATCHES, len(self.columns)
