"""What the commands share: options, values given with --set, and how things that go wrong are said."""

import errno
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from simkit.games.protocol import Game
    from simkit.lab.plan import Plan

MOST_TRIALS = 10**13


class Refusal(click.ClickException):
    """Something that a command will not or cannot do: said in words, exit code 2."""

    exit_code = 2


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number in a range, with or without its thousands parted."""

    name = "N"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number, or say what is allowed."""
        digits = str(value).replace("_", "").replace(",", "")
        number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 30 else -1
        if not self.low <= number <= self.high:
            self.fail(f"{shortened(str(value))} is not a whole number from {self.low:,} to {self.high:,}.", param, ctx)
        return number


class Place(click.Path):
    """A file or folder; an empty name is none."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        if not str(value) or "\0" in str(value):
            self.fail("an empty name names nothing." if not str(value) else "a name holds no NUL.", param, ctx)
        return super().convert(value, param, ctx)


class Narrow(click.ParamType):  # type: ignore[type-arg]
    """A half-width: a number above 0."""

    name = "WIDTH"

    def __init__(self, most: float = 1000.0) -> None:
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number, or say what is allowed."""
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0 < number <= self.most:
            range_ = "above 0" if self.most > 1 else f"above 0 and up to {self.most:g}"
            self.fail(f"{shortened(str(value))} is not a number {range_}, such as 0.001.", param, ctx)
        return number


set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="PATH=VALUE",
    help="Change a rule or a field of the scenario, by dotted path; may be repeated.",
)
house_option = click.option(
    "--house", multiple=True, metavar="FILE", help="Under this house rule, a file or an id; may be repeated."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
jobs_option = click.option("-j", "--jobs", type=Whole(1, 1024), help="Threads; all processors when left out.")
trials_option = click.option(
    "--trials", type=Whole(1, MOST_TRIALS), help="Trials for every cell, in place of the file's."
)
yes_option = click.option("--yes", is_flag=True, help="Go on with what is large or takes long.")


def examples(*lines: str) -> str:
    """Return the end of a command's help: lines to try."""
    return "\b\nExample" + "s" * (len(lines) > 1) + ":\n" + "\n".join(f"  {line}" for line in lines)


def shortened(text: str) -> str:
    """Quote what was typed, cut when it is long."""
    return repr(text if len(text) <= 80 else text[:80] + "...")


def meant(word: str, choices: Iterable[str]) -> str:
    """Return `` Did you mean 'x'?`` with a blank before it, or nothing."""
    from simkit.lab.problems import did_you_mean

    close = did_you_mean(word, choices)
    return f" Did you mean {close!r}?" if close else ""


def game(name: str) -> "Game":
    """Return a game by name.

    Raises
    ------
    Refusal
        There is none, with the names there are.
    """
    from simkit.games import protocol

    if name not in protocol.find():
        hint = meant(name, protocol.find()) or f" There are: {', '.join(protocol.find())}."
        raise Refusal(f"There is no game {shortened(name)}.{hint}")
    return protocol.load(name)


def planned(file: Path, *, yes: bool, **changes: Any) -> "Plan":
    """Read an experiment and plan it; one with very many cells only if the user said yes to that.

    Parameters
    ----------
    file, changes
        As :func:`simkit.lab.plan.make` takes them.
    """
    from simkit.lab import check, plan, toml

    document = toml.read(file)
    if not yes:
        check.refuse_many_cells(document)
    return plan.make(document, **changes)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn a failure to write into words."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name is not allowed here"
        raise Refusal(f"Cannot write {path}: {reason}.") from error


def parse_settings(settings: tuple[str, ...]) -> dict[str, Any]:
    """Read ``path=value`` pairs; a value is read as TOML, and as text where it is none.

    Raises
    ------
    Refusal
        A pair without ``=`` or without a path, or one path twice.
    """
    found: dict[str, Any] = {}
    for pair in settings:
        path, equals, text = (part.strip() for part in pair.partition("="))
        if not equals or not path:
            raise Refusal(f"--set takes PATH=VALUE, such as bogs.swamp=-4, not {shortened(pair)}.")
        if path in found:
            raise Refusal(f"--set {path} is given twice.")
        found[path] = _value(text)
    return found


def _value(text: str) -> Any:
    import tomllib

    try:
        read = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return read["value"] if len(read) == 1 else text


def mutter(text: str) -> None:
    """Print a message to stderr; that nobody reads it changes nothing."""
    try:
        click.echo(text, err=True)
    except BrokenPipeError:
        _hang_up()


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document on one line; it is plain ASCII, whatever the terminal can show."""
    click.echo(json.dumps(document, allow_nan=False))


def explain(error: BaseException, *, debug: bool) -> int:
    """Say what ended a command, in words, and return its exit code."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    if isinstance(error, BrokenPipeError):
        _hang_up()
        return 0
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EIO):
        mutter(f"Cannot write any further: {error.strerror}.")
        return 2
    try:
        return _say(error, debug=debug)
    except BrokenPipeError:
        _hang_up()
        return 2


def _hang_up() -> None:
    """Nobody reads on: write the rest to nowhere, so that Python does not complain as it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())


def _say(error: BaseException, *, debug: bool) -> int:
    if isinstance(error, click.Abort | KeyboardInterrupt):
        mutter(_interrupted(error))
        return 130
    if isinstance(error, click.ClickException):
        complain(error)
        return 2
    if hasattr(error, "problems"):
        show_problems(error)
        return 2
    if debug:
        import traceback

        traceback.print_exception(error)
    text = " ".join(f"{type(error).__name__}: {error}".split())
    mutter(f"this is a bug in simkit: {printable(text)}")
    mutter("please report it, with the command you gave; simkit --debug ... shows where it happened")
    return 1


def _interrupted(error: BaseException) -> str:
    kept, played, wanted = (getattr(error, name, None) for name in ("kept", "played", "wanted"))
    if kept is None or played is None or not wanted:
        return "interrupted"
    if kept + played > wanted:  # how many a question takes was a guess, and is not told as a share
        return f"interrupted: {kept + played:,} trials are kept; the same command goes on from there"
    return (
        f"interrupted: {kept + played:,} of {wanted:,} trials are kept ({100 * (kept + played) / wanted:.0f} %); "
        "the same command goes on from there"
    )


def complain(error: click.ClickException) -> None:
    """Print what is wrong with a command, and where its help is."""
    said = error.format_message()
    if isinstance(error, click.NoSuchOption):
        said = f"No such option {shortened(error.option_name)}.{meant(error.option_name, error.possibilities or [])}"
    mutter(f"error: {printable(said)}")
    if isinstance(error, click.UsageError) and error.ctx is not None:
        usage = error.ctx.get_usage().removeprefix("Usage: ")
        mutter(f"usage: {usage}\nhelp:  {error.ctx.command_path} -h")


def printable(text: str) -> str:
    """Spell out what would steer a terminal; line ends stay."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    from simkit.lab.snippets import visible

    return "\n".join(visible(line) for line in text.split("\n"))


def show_problems(error: Any, *, closing: str = "nothing was run") -> None:
    """Print all problems of a file to stderr."""
    _show(error.problems, error.sources, closing)


def show_warnings(plan: Any) -> None:
    """Print the warnings of a plan to stderr."""
    if plan.warnings:
        _show(plan.warnings, plan.document.sources, "going on")


def _show(problems: Any, sources: Mapping[str, str], closing: str) -> None:
    from simkit.lab.snippets import coloured, render

    if is_colourful():
        from rich.console import Console

        text = coloured(problems, sources, closing=closing)
        Console(stderr=True, highlight=False).print(text, soft_wrap=True, end="")
    else:
        mutter(render(problems, sources, closing=closing).rstrip("\n"))


def is_colourful() -> bool:
    """Tell whether stderr is a terminal that wants colours."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def compiler(quiet: bool = False) -> Callable[[int, int], None]:
    """Return a callback that says, once, that rules are being compiled."""

    def told(done: int, total: int) -> None:
        if done == 0 and not quiet:
            mutter(f"Compiling rules (first run only), {total} functions ...")

    return told
