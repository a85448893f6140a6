"""What the commands share: consoles, errors in words, progress, and values given with --set."""

import os
import sys
import time
import tomllib
from collections.abc import Callable
from typing import Any

import click

set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="PATH=VALUE",
    help="Change a rule or a field of the scenario, by dotted path; may be repeated.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")


def parse_settings(settings: tuple[str, ...]) -> dict[str, Any]:
    """Read ``path=value`` pairs; a value is read as TOML, and as text where it is none.

    Raises
    ------
    click.UsageError
        A pair without ``=``.
    """
    found: dict[str, Any] = {}
    for pair in settings:
        path, equals, text = pair.partition("=")
        if not equals or not path.strip():
            raise click.UsageError(f"--set takes PATH=VALUE, not {pair!r}")
        found[path.strip()] = _value(text.strip())
    return found


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, ValueError, RecursionError):
        return text


def explain(error: BaseException, *, debug: bool) -> int:
    """Say what ended a command, in words, and return its exit code."""
    if isinstance(error, click.Abort | KeyboardInterrupt) and not hasattr(error, "kept"):
        click.echo("interrupted", err=True)
        return 130
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if hasattr(error, "problems"):
        show_problems(error)
        return 2
    if hasattr(error, "kept"):
        played: Any = error
        share = (played.kept + played.played) / played.wanted if played.wanted else 1
        click.echo(
            f"interrupted: {played.kept + played.played:,} of {played.wanted:,} trials are kept ({share:.0%}); "
            "the same command goes on from there",
            err=True,
        )
        return 130
    if type(error).__name__ == "DiceError" or isinstance(error, LookupError | ValueError) and not debug:
        from simkit.core.dice import DiceError
        from simkit.games.protocol import UnknownGameError

        if isinstance(error, DiceError | UnknownGameError):
            click.echo(str(error.args[0] if isinstance(error, UnknownGameError) else error), err=True)
            return 2
    if debug:
        import traceback

        traceback.print_exception(error)
    click.echo(f"this is a bug in simkit: {type(error).__name__}: {error}", err=True)
    click.echo("please report it with the command you gave; simkit --debug ... shows where it happened", err=True)
    return 1


def show_problems(error: Any) -> None:
    """Print all problems of a file to stderr."""
    from simkit.lab.snippets import coloured, render

    closing = getattr(error, "closing", "nothing was run")
    if sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
        from rich.console import Console

        Console(stderr=True).print(
            coloured(error.problems, error.sources, closing=closing), soft_wrap=True, end=""
        )
    else:
        click.echo(render(error.problems, error.sources, closing=closing), nl=False, err=True)


def show_warnings(plan: Any) -> None:
    """Print the warnings of a plan to stderr."""
    if plan.warnings:
        from simkit.lab.snippets import render

        click.echo(render(plan.warnings, plan.document.sources, closing="going on"), nl=False, err=True)


class Bar:
    """Progress on stderr: a bar on a terminal, a line for every tenth elsewhere, nothing when quiet."""

    def __init__(self, name: str, *, quiet: bool) -> None:
        self.name = name
        self.quiet = quiet
        self.live: Any = None
        self.task: Any = None
        self.total = 0
        self.done = 0
        self.tenth = 0
        self.cells = 0
        self.begun = time.monotonic()

    def start(self, trials: int, kept: int, cells: int) -> None:
        """Show the bar."""
        self.total, self.done, self.cells = trials, kept, cells
        self.tenth = 10 * kept // max(trials, 1)
        if kept and not self.quiet:
            click.echo(f"{kept:,} of {trials:,} trials are there already", err=True)
        if self.quiet or not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.live = Progress(
            TextColumn("{task.fields[title]}", markup=False),
            BarColumn(bar_width=28),
            TextColumn("{task.fields[counted]}", markup=False),
            TimeRemainingColumn(compact=True),
            console=Console(stderr=True),
            transient=False,
        )
        self.task = self.live.add_task("", total=trials, completed=kept, title=self.name, counted=self._counted(0, None))
        self.live.start()

    def _counted(self, cells_done: int, widest: float | None) -> str:
        wide = f"   widest interval ±{100 * widest:.2g} points" if widest is not None and widest < 1 else ""
        return f"{cells_done:,}/{self.cells:,} cells   {self.done:,} trials{wide}"

    def compiling(self, done: int, total: int) -> None:
        """Say that rules are being compiled."""
        if self.quiet:
            return
        if self.live is not None:
            title = f"Compiling rules (first run only) {done}/{total}" if done < total else self.name
            self.live.update(self.task, title=title)
        elif done == 0:
            click.echo(f"Compiling rules (first run only), {total} functions ...", err=True)

    def advance(self, trials: int, cells_done: int, widest: float | None) -> None:
        """Move the bar."""
        self.done += trials
        if self.live is not None:
            self.live.update(self.task, completed=self.done, counted=self._counted(cells_done, widest))
        elif not self.quiet and self.done * 10 // max(self.total, 1) > self.tenth:
            self.tenth = self.done * 10 // max(self.total, 1)
            click.echo(f"{self.name}: {10 * self.tenth} %, {self._counted(cells_done, widest)}", err=True)

    def say(self, message: str) -> None:
        """Print a line above the bar."""
        click.echo(message, err=True)

    def stop(self) -> None:
        """Take the bar down."""
        if self.live is not None:
            self.live.stop()


def compiler(quiet: bool = False) -> Callable[[int, int], None]:
    """Return a callback that says, once, that rules are being compiled."""

    def told(done: int, total: int) -> None:
        if done == 0 and not quiet:
            click.echo(f"Compiling rules (first run only), {total} functions ...", err=True)

    return told


def table(headers: list[str], rows: list[list[str]], *, right: tuple[int, ...] = ()) -> str:
    """Lay out a plain table: two spaces between columns, numbers to the right."""
    widths = [max(len(str(row[i])) for row in [headers, *rows]) for i in range(len(headers))]
    lines = []
    for row in [headers, *rows]:
        cells = [
            str(cell).rjust(width) if i in right else str(cell).ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)
