"""Where counts are kept: immutable blocks that survive whatever ends a run.

A plan has one folder, ``<out>/<name>/<plan>/``. In ``blocks/`` every cell has a folder of its own named
after its fingerprint (and its baseline's, where it has one); a file holds the counts of an aligned range of
units, ``<first>-<end>.npz``. Files are written under a temporary name, flushed, synced and renamed, never
changed, and merged into one when the cell is complete: an interrupted plan and an undisturbed one
leave the same bytes. Another plan of the same name lends its blocks where cell and range fit.
"""

import io
import os
import re
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.core.lock import LockedError, file_lock
from simkit.core.trials import BATCHES
from simkit.lab.problems import Problem, ProblemError

Counts = NDArray[np.int64]
"""Shape (256, columns, 4): sum, sum of squares, and both for the difference to the baseline."""

BLOCK_NAME = re.compile(r"(\d{15})-(\d{15})\.npz")
FORMAT = 1


@dataclass(frozen=True)
class Block:
    """Counts of the units ``first <= unit < end``."""

    first: int
    end: int
    counts: Counts


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, whatever happens meanwhile."""
    temporary = path.with_name(f".tmp-{os.getpid()}-{path.name}")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def cannot_write(error: OSError, folder: Path) -> ProblemError:
    """Explain a failure to write; everything written before it is kept."""
    reason = error.strerror or str(error)
    return ProblemError(
        [
            Problem(
                "file",
                f"cannot write results: {reason}",
                str(error.filename or folder),
                help="what was played before is kept; make room or choose another --out, and the same command goes on",
            )
        ]
    )


class Cellar:
    """The blocks of one cell."""

    def __init__(self, folder: Path, columns: int) -> None:
        self.folder = folder
        self.columns = columns
        self.blocks: list[tuple[int, int]] = []

    def scan(self, damaged: Callable[[Path], None]) -> None:
        """Find the blocks that are there and whole; a damaged one is reported, removed and will be played again."""
        self.blocks = []
        if not self.folder.is_dir():
            return
        found = []
        for path in sorted(self.folder.iterdir()):
            match = BLOCK_NAME.fullmatch(path.name)
            if match is None:
                if path.name.startswith(".tmp-"):
                    path.unlink(missing_ok=True)
                continue
            first, end = int(match[1]), int(match[2])
            try:
                self.read(first, end)
            except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError):
                damaged(path)
                path.unlink(missing_ok=True)
                continue
            found.append((first, end))
        for first, end in sorted(found, key=lambda block: (block[0], -block[1])):
            if self.blocks and end <= self.blocks[-1][1]:
                (self.folder / _file_name(first, end)).unlink()  # merged into a longer one before the run was cut off
            elif not self.blocks or first >= self.blocks[-1][1]:
                self.blocks.append((first, end))

    def read(self, first: int, end: int) -> Counts:
        """Read one block.

        Raises
        ------
        ValueError, KeyError, OSError, zipfile.BadZipFile
            It is damaged.
        """
        with np.load(self.folder / _file_name(first, end), allow_pickle=False) as file:
            counts, about = file["counts"], file["about"]
        if list(about) != [FORMAT, first, end]:
            raise ValueError("the block is another one than its name says")
        if counts.dtype != np.int64 or counts.shape != (BATCHES, self.columns, 4):
            raise ValueError("the block has another shape")
        return counts  # type: ignore[no-any-return]

    def write(self, block: Block, *, small: bool = False) -> None:
        """Write one block for good."""
        self.folder.mkdir(parents=True, exist_ok=True)
        buffer = io.BytesIO()
        save = np.savez_compressed if small else np.savez
        save(buffer, counts=block.counts, about=np.array([FORMAT, block.first, block.end], np.int64))
        write_atomic(self.folder / _file_name(block.first, block.end), buffer.getvalue())
        self.blocks = sorted({*self.blocks, (block.first, block.end)})

    def gaps(self, end: int) -> list[tuple[int, int]]:
        """List the ranges below `end` that no block covers."""
        found, at = [], 0
        for first, last in self.blocks:
            if first > at:
                found.append((at, min(first, end)))
            at = max(at, last)
            if at >= end:
                break
        if at < end:
            found.append((at, end))
        return [(a, b) for a, b in found if a < b]

    def total(self, end: int) -> Counts:
        """Add up the blocks below `end`."""
        counts = np.zeros((BATCHES, self.columns, 4), np.int64)
        for first, last in self.blocks:
            if last <= end:
                counts += self.read(first, last)
        return counts

    def merge(self, end: int) -> None:
        """Merge the complete blocks from 0 to `end` into one file."""
        parts = [block for block in self.blocks if block[1] <= end]
        if parts == [(0, end)] and self._is_small(0, end):
            return
        self.write(Block(0, end, self.total(end)), small=True)
        for part in parts:
            if part != (0, end):
                (self.folder / _file_name(*part)).unlink()
                self.blocks.remove(part)

    def _is_small(self, first: int, end: int) -> bool:
        with zipfile.ZipFile(self.folder / _file_name(first, end)) as file:
            return all(info.compress_type == zipfile.ZIP_DEFLATED for info in file.infolist())

    def borrow(self, other: Path, fits: Callable[[int, int], bool]) -> None:
        """Take over blocks of the same cell from another plan, by hard link where the disk can."""
        for path in sorted(other.iterdir()) if other.is_dir() else []:
            match = BLOCK_NAME.fullmatch(path.name)
            if match is None:
                continue
            first, end = int(match[1]), int(match[2])
            overlaps = any(first < b and a < end for a, b in self.blocks)
            if overlaps or not fits(first, end):
                continue
            self.folder.mkdir(parents=True, exist_ok=True)
            target = self.folder / path.name
            try:
                os.link(path, target)
            except OSError:
                temporary = target.with_name(f".tmp-{target.name}")
                shutil.copyfile(path, temporary)
                temporary.replace(target)
            self.blocks = sorted([*self.blocks, (first, end)])


def _file_name(first: int, end: int) -> str:
    return f"{first:015d}-{end:015d}.npz"


class Store:
    """The folder of one plan."""

    def __init__(self, out: Path, name: str, fingerprint: str) -> None:
        self.home = out / name
        self.folder = self.home / fingerprint

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Make the folder and hold it against other writers.

        Raises
        ------
        ProblemError
            Another process is playing this plan, or the folder cannot be written.
        """
        try:
            (self.folder / "blocks").mkdir(parents=True, exist_ok=True)
            lock = file_lock(self.folder / ".lock", wait=False)
            with lock:
                yield
        except LockedError as error:
            message = "another simkit is playing this plan right now"
            raise ProblemError(
                [Problem("file", message, str(self.folder), help="wait for it, or choose another --out")]
            ) from error
        except OSError as error:
            raise cannot_write(error, self.folder) from error

    def cellar(self, fingerprint: str, baseline: str | None, columns: int) -> Cellar:
        """Return the blocks of a cell, played beside its baseline if it has one."""
        return Cellar(self.folder / "blocks" / _cell_name(fingerprint, baseline), columns)

    def siblings(self, fingerprint: str, baseline: str | None) -> Iterator[Path]:
        """List the folders of the same cell in other plans of this name, newest last."""
        if self.home.is_dir():
            for plan in sorted(self.home.iterdir()):
                if plan != self.folder:
                    yield plan / "blocks" / _cell_name(fingerprint, baseline)

    def tidy(self, known: Iterable[str]) -> None:
        """Remove what an interrupted run left half written, and cells of no use to this plan."""
        wanted = set(known)
        for path in (self.folder / "blocks").iterdir():
            if path.name not in wanted:
                shutil.rmtree(path, ignore_errors=True)
        for path in self.folder.glob(".tmp-*"):
            path.unlink(missing_ok=True)

    def write(self, name: str, content: bytes | str) -> None:
        """Write one file of the plan."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, content.encode() if isinstance(content, str) else content)

    def append_run(self, line: str) -> None:
        """Add a line to the log of runs."""
        with (self.folder / "runs.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def _cell_name(fingerprint: str, baseline: str | None) -> str:
    return fingerprint if baseline is None else f"{fingerprint}-{baseline}"


def cell_folder(fingerprint: str, baseline: str | None) -> str:
    """Return the name of a cell's folder of blocks."""
    return _cell_name(fingerprint, baseline)


def units_per_batch(units: int) -> NDArray[np.int64]:
    """Count the units of each batch among the first so many."""
    return np.full(BATCHES, units // BATCHES, np.int64) + (np.arange(BATCHES) < units % BATCHES)


def is_results_folder(path: Path) -> bool:
    """Tell whether a folder looks like one that simkit wrote."""
    return (path / "manifest.json").is_file() and (path / "blocks").is_dir()


def as_plain(value: Any) -> Any:
    """Return numpy scalars as plain Python values, for JSON."""
    return value.item() if isinstance(value, np.generic) else value
