"""Playing a plan: what is missing, in blocks, on every processor, and kept whatever happens.

Every group of cells that share a baseline is played together on the same dice. With ``precision`` the
run looks at its cells at unit counts fixed beforehand and drops those that are precise enough; what it
looks at is always everything up to the look, so that neither threads nor speed move the stopping point.
"""

import gc
import itertools
import json
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from simkit import stats
from simkit.core import trials
from simkit.core.trials import BATCHES
from simkit.lab.estimates import CellResult, is_precise, reduce
from simkit.lab.plan import Plan
from simkit.lab.store import MANY, Block, Counts, Range, Store, cannot_write, cell_name

FLUSH_SECONDS = 2.0
"""Most seconds of work that a killed run loses."""

TOGETHER = 32
"""Most cells of a group that are played in one block: their counts are in memory at once."""


class Progress(Protocol):
    """Hears how a run goes."""

    def start(self, trials: int, kept: int, cells: int) -> None:
        """The run begins: so many trials (games) to play at most, so many kept from before, so many cells."""

    def compiling(self, done: int, total: int) -> None:
        """Rules are being compiled."""

    def advance(self, trials: int, cells_done: int, widest: float | None) -> None:
        """So many more trials were played; so many cells are complete; the widest interval so far."""

    def say(self, message: str) -> None:
        """Something worth a line happened."""

    def note(self, message: str) -> None:
        """Something goes on that takes a while."""

    def stop(self) -> None:
        """The run is over."""


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Let Python's collector of garbage pass over all that is there already while kernels play.

    Between blocks it would look at every object of every library, which the caches have long forgotten; that took
    longer than all that is done with the block.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


class Silent:
    """Progress for nobody."""

    def start(self, trials: int, kept: int, cells: int) -> None:
        """Hear nothing."""

    def compiling(self, done: int, total: int) -> None:
        """Hear nothing."""

    def advance(self, trials: int, cells_done: int, widest: float | None) -> None:
        """Hear nothing."""

    def say(self, message: str) -> None:
        """Hear nothing."""

    def note(self, message: str) -> None:
        """Hear nothing."""

    def stop(self) -> None:
        """Hear nothing."""


class Job(NamedTuple):
    """One block of one group: which cells still need these units."""

    head: int
    cells: tuple[int, ...]
    first: int
    end: int


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; everything that was played is kept."""

    def __init__(self, played: int, kept: int, wanted: int) -> None:
        super().__init__("interrupted")
        self.played = played
        self.kept = kept
        self.wanted = wanted


@dataclass
class Played:
    """What a run leaves."""

    results: list[CellResult]
    played: int
    """Trials (games) played now."""
    kept: int
    """Trials that were there before."""
    seconds: float
    threads: int
    damaged: int = 0
    first_shown: dict[str, int] = field(default_factory=dict)
    """Fewest units at which each cell was ever shown, by fingerprint: an extended cell was looked at before."""


class Runner:
    """Plays one plan into one store."""

    def __init__(self, plan: Plan, store: Store, *, jobs: int, progress: Progress, block: int | None = None) -> None:
        self.plan = plan
        self.game = plan.game
        self.games = plan.game.GAMES_A_UNIT
        self.units = plan.units
        self.store = store
        self.jobs = jobs
        self.progress = progress
        self.block = block
        self.columns = len(plan.game.OUTCOMES)
        self.names = [cell_name(cell.fingerprint, self._baseline(i)) for i, cell in enumerate(plan.cells)]
        first: dict[str, int] = {}
        self.twins = [first.setdefault(name, i) for i, name in enumerate(self.names)]
        """The first cell with the same counts: it is played for all of them."""
        self.groups = self._groups()
        self.cellars = [store.cellar(name, self.columns) for name in self.names]
        self.pending: list[list[Block]] = [[] for _ in plan.cells]
        self.results: list[CellResult | None] = [None] * len(plan.cells)
        self.cells_done = 0
        self.played = 0
        self.kept = 0
        self.damaged = 0
        self.widest: float | None = None
        self.looks = self._looks()
        self.extended: set[int] = set()
        self.first_shown: dict[str, int] = {}
        self.flushed = time.monotonic()
        self.local = threading.local()
        self.setups: dict[tuple[int, ...], Any] = {}
        self.spare: dict[int, list[Counts]] = defaultdict(list)
        """Memory that is free again, by rows: fresh pages for every block cost more than counting into them."""

    def _baseline(self, i: int) -> str | None:
        base = self.plan.cells[i].baseline
        return None if base is None else self.plan.cells[base].fingerprint

    def _groups(self) -> list[list[int]]:
        """List the groups of the plan; cells with the same counts are one, and so are groups with the same baseline."""
        found: dict[int, list[int]] = {}
        for group in self.plan.groups:
            members = found.setdefault(self.twins[group[0]], [])
            members += dict.fromkeys(self.twins[i] for i in group if self.twins[i] not in members)
        return list(found.values())

    def _looks(self) -> tuple[int, ...]:
        if self.plan.experiment.run.precision is None:
            return (self.units,)
        return stats.looks(last=self.units)

    def run(self, publish: Callable[[Played], None] | None = None) -> Played:
        """Play what is missing and return everything.

        Parameters
        ----------
        publish
            Called with the results while the folder is still held against other writers.

        Raises
        ------
        Interrupted
            After Ctrl-C, with what was played kept.
        ProblemError
            The disk is full or not to be written, or somebody else is playing this plan.
        """
        with self.store.opened():
            self._take_stock()
            cells = sum(len(group) for group in self.groups)
            total = self.plan.trials * cells
            self.progress.start(total, self.kept * self.games, cells)
            begun = time.monotonic()
            try:
                self.game.ready(self.progress.compiling)
                self._play_all()
            except KeyboardInterrupt:
                self._flush()
                raise Interrupted((self._held() - self.kept) * self.games, self.kept * self.games, total) from None
            except BaseException:
                with suppress(Exception):
                    self._flush()
                raise
            finally:
                self.progress.stop()
            results = [result for i in self.twins if (result := self.results[i]) is not None]
            seconds = time.monotonic() - begun
            played, kept = self.played * self.games, self.kept * self.games
            left = Played(results, played, kept, seconds, self.jobs, self.damaged, self.first_shown)
            if publish is not None:
                publish(left)
            return left

    def _take_stock(self) -> None:
        """Find what is there already, here and in other plans of the same name."""

        def damaged(path: Path) -> None:
            self.damaged += 1
            self.progress.say(f"block {path.parent.name}/{path.name} is damaged: its units are played again")

        self.store.tidy(set(self.names))
        edges = (0, *self.looks)

        def fits(block: Range) -> bool:
            """A borrowed block ends at a look, or lies between two of them."""
            first, end = block
            between = any(a <= first and end <= b for a, b in itertools.pairwise(edges))
            return between or (first == 0 and end in edges)

        finished = (self.store.folder / "manifest.json").is_file()
        seen = self._seen_before()
        for i in (i for group in self.groups for i in group):
            cellar = self.cellars[i]
            cellar.scan(damaged)
            if not finished:
                for sibling in self.store.siblings(self.names[i]):
                    cellar.borrow(sibling, fits)
            fingerprint = self.plan.cells[i].fingerprint
            if 0 < seen.get(fingerprint, 0) < self.units:
                self.extended.add(i)
            precise = self.plan.experiment.run.precision is not None
            shown = self.looks[0] if precise else seen.get(fingerprint, self.units)
            self.first_shown[fingerprint] = min(shown, self.units)
        self.kept = self._held()

    def _held(self) -> int:
        """Count the units that are kept, of all cells."""
        cells = [i for group in self.groups for i in group]
        gaps = [gap for i in cells for gap in self.cellars[i].cover(self.units)[1]]
        return self.units * len(cells) - sum(end - first for first, end in gaps)

    def _seen_before(self) -> dict[str, int]:
        """Return at how many units each cell was first shown by a finished plan of this name.

        What this very plan has noted counts before what others have: its intervals stay as they were.
        """
        seen: dict[str, int] = {}
        for manifest in sorted(self.store.home.glob("*/manifest.json")):
            shown = _first_shown(manifest)
            seen |= {cell: min(n, seen.get(cell, n)) for cell, n in shown.items()}
        return seen | _first_shown(self.store.folder / "manifest.json")

    def _play_all(self) -> None:
        """Play look after look until every group is precise enough or has all its units."""
        groups = self.groups
        for look in self.looks:
            self._play_to(groups, look)
            groups = [group for group in groups if self.results[group[0]] is None and not self._look(group, look)]
            if not groups:
                break

    def _play_to(self, groups: list[list[int]], end: int) -> None:
        """Play the units below `end` that the groups lack; a group with all its units is finished on the way."""
        members = {group[0]: group for group in groups}
        waiting = Counter({i: sum(b - a for a, b in self._gaps(i, end)) for group in groups for i in group})

        def done(job: Job, counts: Counts) -> None:
            for row, i in enumerate(job.cells):
                self._keep(i, Block(job.first, job.end, counts[row if job.cells[0] == job.head else row + 1]))
            self.spare[len(counts)].append(counts)
            played = (job.end - job.first) * len(job.cells)
            self.played += played
            waiting.subtract(dict.fromkeys(job.cells, job.end - job.first))
            self._file((i for i in job.cells if not waiting[i]), end)
            if end == self.units and all((0, end) in self.cellars[i].blocks for i in members[job.head]):
                self._look(members[job.head], end)
            self.progress.advance(played * self.games, self.cells_done, self.widest)
            if time.monotonic() - self.flushed > FLUSH_SECONDS:
                self._flush()

        jobs = (job for group in groups for job in self._missing(group, end))
        with collector_at_rest():
            trials.run(jobs, self._play, done, threads=self.jobs)

    def _missing(self, group: list[int], end: int) -> Iterator[Job]:
        """List the blocks of a group that some of its cells lack."""
        for start in range(0, len(group), TOGETHER):
            some = group[start : start + TOGETHER]
            gaps = {i: self._gaps(i, end) for i in some}
            cuts = sorted({edge for found in gaps.values() for gap in found for edge in gap})
            for first, last in itertools.pairwise(cuts):
                lacking = tuple(i for i in some if any(a <= first and last <= b for a, b in gaps[i]))
                if lacking:
                    pace = sum(self.game.nanoseconds(self.plan.cells[i].setup) for i in {group[0], *lacking})
                    size = self.block or trials.block_size(pace * self.games)
                    for a, b in trials.blocks(first, last, size):
                        yield Job(group[0], lacking, a, b)

    def _gaps(self, i: int, end: int) -> list[Range]:
        return self.cellars[i].cover(end, ((block.first, block.end) for block in self.pending[i]))[1]

    def _play(self, job: Job) -> Counts:
        """Play one block in a worker thread."""
        if not hasattr(self.local, "state"):
            self.local.state = self.game.new_state()
        members = job.cells if job.cells[0] == job.head else (job.head, *job.cells)
        setups = self.setups.get(members)
        if setups is None:
            setups = self.setups[members] = self.game.pack([self.plan.cells[i].setup for i in members])
        out = self._room(len(members))
        out.fill(0)
        self.game.play_block(setups, self.local.state, self.plan.key, job.first, job.end, out)
        return out

    def _room(self, rows: int) -> Counts:
        """Return room for the counts of so many cells; used memory if there is any, with old counts in it."""
        with suppress(IndexError):
            return self.spare[rows].pop()
        return np.zeros((rows, BATCHES, self.columns, 4), np.int64)

    def _keep(self, i: int, block: Block) -> None:
        """Hold a copy of a block in memory, joined with its neighbours; at no moment is one of them missing."""
        apart, joined = [], []
        first, end, counts = block.first, block.end, self._room(1)[0]
        for other in self.pending[i]:
            if other.end == first or end == other.first:
                first, end = min(other.first, first), max(other.end, end)
                joined.append(other.counts)
            else:
                apart.append(other)
        np.add(block.counts, joined[0] if joined else 0, out=counts)
        for more in joined[1:]:
            counts += more
        self.pending[i] = [*apart, Block(first, end, counts)]
        self.spare[1] += [old[np.newaxis] for old in joined]

    def _flush(self) -> None:
        """Write what is held in memory."""
        with self._writing():
            for i, held in enumerate(self.pending):
                for block in held:
                    self.cellars[i].write(block)
                self.pending[i] = []
                if len(self.cellars[i].blocks) > MANY + len(self.looks):
                    self.cellars[i].join((0, *self.looks))
        self.flushed = time.monotonic()

    def _file(self, cells: Iterable[int], end: int) -> None:
        """Write the cells that have all their units below `end`: one file for this look, in place of many."""
        with self._writing():
            for i in cells:
                cellar = self.cellars[i]
                if (0, end) not in cellar.blocks:
                    if self._gaps(i, end):
                        continue
                    cellar.write(Block(0, end, self._total(i, end)))
                self.pending[i] = []
                looks = {(0, look) for look in self.looks}
                cellar.drop(block for block in cellar.blocks if block[1] <= end and block not in looks)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise cannot_write(error, self.store.folder) from error

    def _look(self, group: list[int], look: int) -> bool:
        """Look at a group; finish it when every one of its cells is precise enough or has all its units."""
        self._file(group, look)
        wanted = self.plan.experiment.run.precision
        sequential = wanted is not None or bool(self.extended & set(group))
        base = self._total(group[0], look)
        found = []
        for i in group:
            counts = base if i == group[0] else self._total(i, look)
            result = self._reduced(counts, None if i == group[0] else base, look, sequential)
            found.append(result)
            if wanted is not None and look < self.units and not is_precise(result, self.plan.metric, wanted):
                return False
        for i, result in zip(group, found, strict=True):
            self.results[i] = result
            self.cells_done += 1
            shown = [(0, one) for one in self.looks if one <= look]
            self.cellars[i].drop(block for block in self.cellars[i].blocks if block not in shown)
            headline = result.metrics[self.plan.metric]
            self.widest = max(self.widest or 0.0, (headline.high - headline.low) / 2)
        return True

    def _reduced(self, counts: Counts, base: Counts | None, n: int, sequential: bool) -> CellResult:
        metric, level, outcomes = self.plan.metric, self.plan.level, self.game.OUTCOMES
        games, keep = self.games, self.plan.kept
        return reduce(counts, base, n, outcomes, metric, level, sequential=sequential, games=games, keep=keep)

    def _total(self, i: int, end: int) -> Counts:
        counts = self.cellars[i].total(end)
        for block in self.pending[i]:
            counts += block.counts
        return counts


def _first_shown(manifest: Path) -> dict[str, int]:
    """Read from the manifest of a finished plan at how many units its cells were first shown, by fingerprint."""
    try:
        cells = json.loads(manifest.read_text(encoding="utf-8"))["cells"]
        return {str(cell["fingerprint"]): int(cell["first_shown"]) for cell in cells}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
