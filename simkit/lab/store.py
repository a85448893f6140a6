"""Where counts are kept: immutable blocks that survive whatever ends a run.

A plan has one folder, ``<out>/<name>/<plan>/``. In ``blocks/`` every cell has a folder of its own named
after its fingerprint (and its baseline's, where it has one); a file holds the counts of a range of units,
``<first>-<end>.npz``. Files are written under a temporary name, flushed, synced and renamed, and never
changed. When a cell is complete one file from the first unit on is left for every count at which the run looked
at it: an interrupted plan and an undisturbed one leave the same bytes. Another plan of the same name lends its
blocks where cell and range fit.
"""

import hashlib
import io
import itertools
import os
import re
import shutil
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simkit.core.lock import LockedError, file_lock
from simkit.core.trials import BATCHES
from simkit.lab.problems import Problem, ProblemError

Counts = NDArray[np.int64]
"""Shape (256, columns, 4): sum, sum of squares, and both for the difference to the baseline."""

Range = tuple[int, int]
"""The units ``first <= unit < end``."""

BLOCK_NAME = re.compile(r"(\d{15})-(\d{15})\.npz")
CELL_NAME = re.compile(r"[0-9a-f]{16}(-[0-9a-f]{16})?")
TEMPORARY = ".tmp-"
FORMAT = 2
DIGEST = hashlib.sha256().digest_size
MANY = 64
"""A cell with so many blocks has neighbours joined before it is complete."""


class DamagedError(ProblemError):
    """A block is not what it was when it was written."""

    def __init__(self, path: Path) -> None:
        message = "this block of results is damaged"
        super().__init__([Problem("file", message, str(path), help="the same command plays its units again")])


@dataclass(frozen=True)
class Block:
    """Counts of the units ``first <= unit < end``."""

    first: int
    end: int
    counts: Counts


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, whatever happens meanwhile."""
    temporary = path.with_name(f"{TEMPORARY}{os.getpid()}-{path.name}")
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
        self.blocks: list[Range] = []

    def scan(self, damaged: Callable[[Path], None]) -> None:
        """Find the blocks that are there and whole; a damaged one is reported, removed and will be played again."""
        found = []
        for path, block in _listed(self.folder):
            try:
                self.read(path, block)
            except DamagedError:
                damaged(path)
                path.unlink(missing_ok=True)
                continue
            found.append(block)
        self.blocks = sorted(found)

    def read(self, path: Path, block: Range) -> Counts:
        """Read the block that should be in a file.

        Raises
        ------
        DamagedError
            It is another one, has another shape, or cannot be read.
        """
        try:
            return self._opened(path.read_bytes(), path, block)
        except OSError as error:
            raise DamagedError(path) from error

    def _opened(self, content: bytes, path: Path, block: Range) -> Counts:
        """Return the counts in the content of a file."""
        try:
            if hashlib.sha256(content[:-DIGEST]).digest() == content[-DIGEST:]:
                with np.load(io.BytesIO(content), allow_pickle=False) as file:
                    counts, about, cell = file["counts"], file["about"], file["cell"]
                same = about.tolist() == [FORMAT, *block] and bytes(cell) == self.folder.name.encode()
                if same and counts.dtype == np.int64 and counts.shape == (BATCHES, self.columns, 4):
                    return counts  # type: ignore[no-any-return]
        except (ValueError, KeyError, zipfile.BadZipFile) as error:
            raise DamagedError(path) from error
        raise DamagedError(path)

    def write(self, block: Block) -> None:
        """Write one block for good."""
        self.folder.mkdir(parents=True, exist_ok=True)
        buffer = io.BytesIO()
        about = np.array([FORMAT, block.first, block.end], np.int64)
        cell = np.frombuffer(self.folder.name.encode(), np.uint8)
        np.savez_compressed(buffer, counts=block.counts, about=about, cell=cell)
        write_atomic(self._path((block.first, block.end)), sealed(buffer))
        self.blocks = sorted({*self.blocks, (block.first, block.end)})

    def _path(self, block: Range) -> Path:
        return self.folder / f"{block[0]:015d}-{block[1]:015d}.npz"

    def cover(self, end: int, more: Iterable[Range] = ()) -> tuple[list[Range], list[Range]]:
        """Choose blocks that make up the units below `end`, and list the ranges that no such block covers.

        Blocks may lie in one another: of those that begin at one unit the longest that fits is taken.

        Parameters
        ----------
        end
            Blocks that reach beyond are not used.
        more
            Ranges that are held elsewhere.
        """
        longest: dict[int, int] = {}
        for first, last in [*self.blocks, *more]:
            if last <= end:
                longest[first] = max(last, longest.get(first, 0))
        used: list[Range] = []
        gaps: list[Range] = []
        at = 0
        for first in sorted(longest):
            if first > at:
                gaps.append((at, first))
            if first >= at:
                at = longest[first]
                used.append((first, at))
        if at < end:
            gaps.append((at, end))
        return used, gaps

    def total(self, end: int) -> Counts:
        """Add up the blocks below `end`."""
        counts = np.zeros((BATCHES, self.columns, 4), np.int64)
        for block in self.cover(end)[0]:
            counts += self.read(self._path(block), block)
        return counts

    def join(self, edges: Collection[int]) -> None:
        """Write blocks that follow one another as one, wherever they do not meet at one of the edges."""
        runs: list[list[Range]] = []
        for block in self.cover(max(edges))[0]:
            if runs and runs[-1][-1][1] == block[0] and block[0] not in edges:
                runs[-1].append(block)
            else:
                runs.append([block])
        for run in runs:
            if len(run) > 1:
                counts = sum(self.read(self._path(block), block) for block in run)
                self.write(Block(run[0][0], run[-1][1], np.asarray(counts)))
                self.drop(run)

    def drop(self, blocks: Iterable[Range]) -> None:
        """Delete blocks that others stand for."""
        for block in list(blocks):
            self._path(block).unlink(missing_ok=True)
            self.blocks.remove(block)

    def borrow(self, other: Path, fits: Callable[[Range], bool]) -> None:
        """Take over blocks of the same cell from another plan, by hard link where the disk can."""
        for path, block in _listed(other):
            if block in self.blocks or not fits(block):
                continue
            try:
                content = path.read_bytes()
                self._opened(content, path, block)
            except (OSError, DamagedError):
                continue  # its own plan will find it, or has just put another in its place
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                os.link(path, self._path(block))
            except OSError:
                write_atomic(self._path(block), content)
            self.blocks = sorted([*self.blocks, block])


def sealed(archive: io.BytesIO) -> bytes:
    """Return a zip archive with the digest of all that stands before it as its comment."""
    with zipfile.ZipFile(archive, "a") as file:
        file.comment = bytes(DIGEST)
    content = archive.getvalue()[:-DIGEST]
    return content + hashlib.sha256(content).digest()


def _listed(folder: Path) -> Iterator[tuple[Path, Range]]:
    """List the files of a folder that are named like blocks."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        match = BLOCK_NAME.fullmatch(path.name)
        block = (int(match[1]), int(match[2])) if match else (0, 0)
        if block[0] < block[1] and path.is_file():
            yield path, block


class Store:
    """The folder of one plan."""

    def __init__(self, out: Path, name: str, fingerprint: str) -> None:
        self.home = out / name
        self.folder = self.home / fingerprint
        self.written: set[str] = set()
        """Names of the files written by this run."""

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Make the folder and hold it against other writers.

        Raises
        ------
        ProblemError
            Another process is playing this plan, or the folder cannot be written or leads elsewhere.
        """
        self._refuse_links()
        try:
            (self.folder / "blocks").mkdir(parents=True, exist_ok=True)
            with file_lock(self.folder / ".lock", wait=False):
                yield
        except LockedError as error:
            message = "another simkit is playing this plan right now"
            raise ProblemError(
                [Problem("file", message, str(self.folder), help="wait for it, or choose another --out")]
            ) from error
        except OSError as error:
            raise cannot_write(error, self.folder) from error

    def _refuse_links(self) -> None:
        """Refuse a folder that somebody laid out so that writing or tidying would reach outside."""
        inside = (Path(top, name) for top, folders, files in os.walk(self.folder) for name in (*folders, *files))
        for path in itertools.chain((self.home, self.folder), inside):
            if path.is_symlink():
                message = "this is a link: results are kept only inside the folder of all results"
                raise ProblemError([Problem("file", message, str(path), help="remove it, or choose another --out")])

    def cellar(self, cell: str, columns: int) -> Cellar:
        """Return the blocks of a cell by its name."""
        return Cellar(self.folder / "blocks" / cell, columns)

    def siblings(self, cell: str) -> Iterator[Path]:
        """List the folders of the same cell in other plans of this name."""
        for plan in sorted(self.home.iterdir()):
            if plan != self.folder:
                yield plan / "blocks" / cell

    def tidy(self, known: Collection[str]) -> None:
        """Remove what an interrupted run left half written, and cells of no use to this plan."""
        for path in self.folder.rglob(f"{TEMPORARY}*"):
            path.unlink(missing_ok=True)
        for path in (self.folder / "blocks").iterdir():
            if CELL_NAME.fullmatch(path.name) and path.name not in known:
                shutil.rmtree(path, ignore_errors=True)

    def write(self, name: str, content: bytes | str) -> None:
        """Write one file of the plan."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, content.encode() if isinstance(content, str) else content)
        self.written.add(name)

    def listed(self) -> list[str]:
        """List the files that belong to the plan, sorted: blocks, and what this run has written."""
        blocks = [
            path.relative_to(self.folder).as_posix()
            for folder in (self.folder / "blocks").iterdir()
            if CELL_NAME.fullmatch(folder.name)
            for path, _ in _listed(folder)
        ]
        return sorted([*blocks, *self.written])

    def append_run(self, line: str) -> None:
        """Add a line to the log of runs."""
        with (self.folder / "runs.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def cell_name(fingerprint: str, baseline: str | None) -> str:
    """Return the name of a cell's folder of blocks: its fingerprint, and its baseline's if it is played beside one."""
    return fingerprint if baseline is None else f"{fingerprint}-{baseline}"


def units_per_batch(units: int) -> NDArray[np.int64]:
    """Count the units of each batch among the first so many."""
    return np.full(BATCHES, units // BATCHES, np.int64) + (np.arange(BATCHES) < units % BATCHES)
