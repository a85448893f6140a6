"""Playing a plan: what is missing, in blocks, on every processor, and kept whatever happens.

Every group of cells that share a baseline is played together on the same dice. With ``precision`` the
run looks at its cells at unit counts fixed beforehand and drops those that are precise enough; what it
looks at is always everything up to the look, so that neither threads nor speed move the stopping point.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from simkit import stats
from simkit.core import trials
from simkit.core.trials import BATCHES
from simkit.lab.estimates import SUFFIX, CellResult, reduce
from simkit.lab.plan import Plan
from simkit.lab.store import Block, Cellar, Counts, Store, cannot_write, cell_folder

FLUSH_SECONDS = 1.0
"""Most seconds of work that a killed run loses."""


class Progress(Protocol):
    """Hears how a run goes."""

    def start(self, trials: int, kept: int, cells: int) -> None:
        """The run begins: so many trials to play at most, so many kept from before, so many cells."""

    def compiling(self, done: int, total: int) -> None:
        """Rules are being compiled."""

    def advance(self, trials: int, cells_done: int, widest: float | None) -> None:
        """So many more trials were played; so many cells are complete; the widest interval so far."""

    def say(self, message: str) -> None:
        """Something worth a line happened."""

    def stop(self) -> None:
        """The run is over."""


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
    """Trials played now."""
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
        self.store = store
        self.jobs = jobs
        self.progress = progress
        self.block = block or plan.game.BLOCK
        self.columns = len(plan.game.OUTCOMES)
        self.cellars = [self._cellar(i) for i in range(len(plan.cells))]
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

    def _cellar(self, i: int) -> Cellar:
        cell = self.plan.cells[i]
        base = None if cell.baseline is None else self.plan.cells[cell.baseline].fingerprint
        return self.store.cellar(cell.fingerprint, base, self.columns)

    def _looks(self) -> tuple[int, ...]:
        if self.plan.experiment.run.precision is None:
            return (self.plan.trials,)
        return stats.looks(last=self.plan.trials)

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
            total = self.plan.trials * len(self.plan.cells)
            self.progress.start(total, self.kept, len(self.plan.cells))
            begun = time.monotonic()
            try:
                self.game.ready(self.progress.compiling)
                self._play_all()
            except KeyboardInterrupt:
                self._flush(every=True)
                raise Interrupted(self.played, self.kept, total) from None
            except BaseException:
                self._flush_if_possible()
                raise
            finally:
                self.progress.stop()
            results = [result for result in self.results if result is not None]
            seconds = time.monotonic() - begun
            played = Played(results, self.played, self.kept, seconds, self.jobs, self.damaged, self.first_shown)
            if publish is not None:
                publish(played)
            return played

    def _take_stock(self) -> None:
        """Find what is there already, here and in other plans of the same name."""

        def damaged(path: Path) -> None:
            self.damaged += 1
            self.progress.say(f"block {path.parent.name}/{path.name} is damaged: its units are played again")

        self.store.tidy(self._folder(i) for i in range(len(self.plan.cells)))
        edges = (0, *self.looks)

        def fits(first: int, end: int) -> bool:
            """A borrowed block may not reach over a place where this run looks."""
            return any(a <= first and end <= b for a, b in zip(edges, edges[1:], strict=False))

        seen = self._seen_before()
        for i, cellar in enumerate(self.cellars):
            cell = self.plan.cells[i]
            cellar.scan(damaged)
            base = None if cell.baseline is None else self.plan.cells[cell.baseline].fingerprint
            for sibling in self.store.siblings(cell.fingerprint, base):
                cellar.borrow(sibling, fits)
            cellar.scan(damaged)
            if 0 < seen.get(cell.fingerprint, 0) < self.plan.trials:
                self.extended.add(i)
            for first, end in cellar.blocks:
                self.kept += max(0, min(end, self.plan.trials) - first)

    def _folder(self, i: int) -> str:
        cell = self.plan.cells[i]
        base = None if cell.baseline is None else self.plan.cells[cell.baseline].fingerprint
        return cell_folder(cell.fingerprint, base)

    def _seen_before(self) -> dict[str, int]:
        """Return the fewest units at which each cell was shown by a finished plan of this name, this one too."""
        seen: dict[str, int] = {}
        for manifest in sorted(self.store.home.glob("*/manifest.json")):
            try:
                cells = json.loads(manifest.read_text(encoding="utf-8"))["cells"]
                rows = [(cell["fingerprint"], int(cell["first_shown"])) for cell in cells]
            except (OSError, ValueError, KeyError, TypeError):
                continue
            for fingerprint, n in rows:
                seen[fingerprint] = min(n, seen.get(fingerprint, n))
        self.first_shown = seen
        return seen

    def _play_all(self) -> None:
        """Play look after look until every group is precise enough or has all its trials."""
        groups = self.plan.groups
        done = 0
        for look in self.looks:
            remaining = {group[0]: group for group in groups}
            self._play_to(groups, done, look, remaining)
            if self.plan.experiment.run.precision is not None:
                self._flush(every=True)
                groups = [group for group in groups if not self._look(group, look)]
                if not groups:
                    break
            done = look

    def _play_to(
        self, groups: list[list[int]], start: int, end: int, remaining: dict[int, list[int]]
    ) -> None:
        """Play the units ``start <= unit < end`` that the groups lack; a complete group is reduced at once."""
        left: dict[int, int] = {}

        def jobs() -> Iterator[Job]:
            for group in groups:
                listed = list(self._missing(group, start, end))
                left[group[0]] = len(listed)
                if not listed:
                    self._complete(group, end)
                yield from listed

        def done(job: Job, counts: Counts) -> None:
            for row, i in enumerate(job.cells):
                self._keep(i, Block(job.first, job.end, counts[row if job.cells[0] == job.head else row + 1]))
            self.played += (job.end - job.first) * len(job.cells)
            left[job.head] -= 1
            self.progress.advance((job.end - job.first) * len(job.cells), self.cells_done, self.widest)
            if left[job.head] == 0:
                self._complete(remaining[job.head], end)
            elif time.monotonic() - self.flushed > FLUSH_SECONDS:
                self._flush(every=True)

        trials.run(jobs(), self._play, done, threads=self.jobs)

    def _missing(self, group: list[int], start: int, end: int) -> Iterator[Job]:
        """List the blocks of a group that some of its cells lack."""
        gaps = {i: [gap for gap in self._gaps(i, end) if gap[1] > start] for i in group}
        cuts = sorted({edge for found in gaps.values() for gap in found for edge in gap})
        for first, last in zip(cuts, cuts[1:], strict=False):
            lacking = tuple(i for i in group if any(a <= first and last <= b for a, b in gaps[i]))
            if lacking:
                for a, b in trials.blocks(first, last, self.block):
                    yield Job(group[0], lacking, a, b)

    def _gaps(self, i: int, end: int) -> list[tuple[int, int]]:
        cellar = self.cellars[i]
        held = cellar.blocks
        cellar.blocks = sorted([*held, *((block.first, block.end) for block in self.pending[i])])
        try:
            return cellar.gaps(end)
        finally:
            cellar.blocks = held

    def _play(self, job: Job) -> Counts:
        """Play one block in a worker thread."""
        if not hasattr(self.local, "state"):
            self.local.state = self.game.new_state()
        members = job.cells if job.cells[0] == job.head else (job.head, *job.cells)
        setups = self.setups.get(members)
        if setups is None:
            setups = self.setups[members] = self.game.pack([self.plan.cells[i].setup for i in members])
        out = np.zeros((len(members), BATCHES, self.columns, 4), np.int64)
        self.game.play_block(setups, self.local.state, self.plan.key, job.first, job.end, out)
        return out

    def _keep(self, i: int, block: Block) -> None:
        """Hold a block in memory, joined with its neighbours."""
        held = self.pending[i]
        for other in list(held):
            if other.end == block.first or block.end == other.first:
                held.remove(other)
                block = Block(
                    min(other.first, block.first), max(other.end, block.end), other.counts + block.counts
                )
        held.append(block)

    def _flush(self, *, every: bool, only: list[int] | None = None) -> None:
        """Write what is held in memory."""
        for i in range(len(self.pending)) if every else only or []:
            for block in self.pending[i]:
                try:
                    self.cellars[i].write(block)
                except OSError as error:
                    raise cannot_write(error, self.store.folder) from error
            self.pending[i] = []
        if every:
            self.flushed = time.monotonic()

    def _flush_if_possible(self) -> None:
        from contextlib import suppress

        with suppress(Exception):
            self._flush(every=True)

    def _complete(self, group: list[int], end: int) -> None:
        """Every cell of a group has its units up to `end`: with a fixed number of trials it is done."""
        if self.plan.experiment.run.precision is None:
            self._finish(group, end, stopped=False)

    def _look(self, group: list[int], look: int) -> bool:
        """Look at a group; finish it when every one of its cells is precise enough or has all its trials."""
        wanted = self.plan.experiment.run.precision or 0.0
        found = self._reduced(group, look, sequential=True)
        precise = all(self._is_precise(result, wanted) for result in found)
        if precise or look == self.plan.trials:
            self._finish(group, look, stopped=True)
            return True
        return False

    def _is_precise(self, result: CellResult, wanted: float) -> bool:
        for name in (self.plan.metric, self.plan.metric + SUFFIX):
            if name in result.metrics:
                estimate = result.metrics[name]
                if estimate is None or not bool(stats.precise_enough(estimate.low, estimate.high, wanted)):
                    return False
        return True

    def _reduced(self, group: list[int], end: int, *, sequential: bool) -> list[CellResult]:
        counts = [self._total(i, end) for i in group]
        return [
            reduce(
                counts[k],
                None if self.plan.cells[i].baseline is None else counts[0],
                end,
                self.game.OUTCOMES,
                self.plan.metric,
                self.plan.level,
                sequential=sequential or bool(self.extended & set(group)),
            )
            for k, i in enumerate(group)
        ]

    def _total(self, i: int, end: int) -> Counts:
        counts = self.cellars[i].total(end)
        for block in self.pending[i]:
            counts += block.counts
        return counts

    def _finish(self, group: list[int], end: int, *, stopped: bool) -> None:
        """Merge the blocks of a complete group and keep its results."""
        try:
            for i in group:
                cellar = self.cellars[i]
                whole = [block for block in self.pending[i] if (block.first, block.end) == (0, end)]
                if whole and not cellar.blocks:
                    cellar.write(whole[0], small=True)
                    self.pending[i] = []
                else:
                    self._flush(every=False, only=[i])
                    cellar.merge(end)
        except OSError as error:
            raise cannot_write(error, self.store.folder) from error
        for i, result in zip(group, self._reduced(group, end, sequential=stopped), strict=True):
            self.results[i] = result
            self.cells_done += 1
            headline = result.metrics[self.plan.metric]
            if headline is not None:
                self.widest = max(self.widest or 0.0, (headline.high - headline.low) / 2)
