"""Progress of a run on stderr: a moving bar on a terminal, a line for every tenth elsewhere."""

import os
import sys
from typing import Any

from simkit.cli.common import mutter


class Bar:
    """Hears how a run goes (see :class:`simkit.lab.runner.Progress`) and shows it, unless it is to be quiet.

    Parameters
    ----------
    name
        What is being played.
    share
        True if the report metric is a share: its interval is shown in points.
    quiet
        Show nothing but what goes wrong.
    """

    def __init__(self, name: str, *, share: bool, quiet: bool) -> None:
        self.name = name
        self.share = share
        self.quiet = quiet
        self.live: Any = None
        self.task: Any = None
        self.total = 0
        self.done = 0
        self.tenth = 0
        self.cells = 0

    def start(self, trials: int, kept: int, cells: int) -> None:
        """Show the bar."""
        self.total, self.done, self.cells = trials, kept, cells
        self.tenth = 10 * kept // max(trials, 1)
        if kept:
            self._line(f"{self.name}: {min(kept, trials):,} of {trials:,} trials are there already")
        if self.quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.live = Progress(
            TextColumn("{task.fields[title]}", markup=False),
            BarColumn(bar_width=28),
            TextColumn("{task.fields[counted]}", markup=False),
            TimeRemainingColumn(compact=True),
            console=Console(stderr=True),
        )
        self.task = self.live.add_task(
            "", total=trials, completed=kept, title=self.name, counted=self._counted(0, None)
        )
        self.live.start()

    def _counted(self, cells_done: int, widest: float | None) -> str:
        cells = f"{cells_done:,}/{self.cells:,} cells, " if self.cells else ""
        return f"{cells}{self.done:,} trials{self._wide(widest)}"

    def _wide(self, widest: float | None) -> str:
        if widest is None:
            return ""
        return f", widest ±{100 * widest:.2g} points" if self.share else f", widest ±{widest:.2g}"

    def _line(self, text: str) -> None:
        if not self.quiet:
            mutter(text)

    def compiling(self, done: int, total: int) -> None:
        """Say that rules are being compiled."""
        if self.live is not None:
            title = f"Compiling rules (first run only) {done}/{total}" if done < total else self.name
            self.live.update(self.task, title=title)
        elif done == 0:
            self._line(f"Compiling rules (first run only), {total} functions ...")

    def advance(self, trials: int, cells_done: int, widest: float | None) -> None:
        """Move the bar."""
        self.done += trials
        tenth = 10 * self.done // max(self.total, 1)
        if self.live is not None:
            self.live.update(self.task, completed=self.done, counted=self._counted(cells_done, widest))
        elif tenth > self.tenth:
            self.tenth = tenth
            self._line(f"{self.name}: {10 * tenth} %, {self.done:,} of {self.total:,} trials{self._wide(widest)}")

    def say(self, message: str) -> None:
        """Print a line above the bar: something went wrong, so that quiet or not it is heard."""
        if self.live is not None:
            self.live.console.print(message, markup=False, highlight=False)
            return
        mutter(message)

    def note(self, message: str) -> None:
        """Print a line, unless it is to be quiet."""
        self._line(f"{self.name}: {message}")

    def stop(self) -> None:
        """Take the bar down."""
        if self.live is not None:
            self.live.stop()
