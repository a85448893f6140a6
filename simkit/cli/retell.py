"""Retelling one trial: in words on the screen, and as a picture or a page in a file."""

import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from simkit.cli.common import Place, Refusal, Whole, compiler, mutter, print_json, writing
from simkit.cli.layout import wrapped

if TYPE_CHECKING:
    from simkit.games.protocol import Game
    from simkit.lab.plan import Cell, Plan
    from simkit.lab.trial import Trial

Command = TypeVar("Command", bound=Callable[..., Any])


class Numbered(click.ParamType):  # type: ignore[type-arg]
    """The number of a trial, with a b behind it for the game of a pair with the seats swapped."""

    name = "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read the number and leave the letter."""
        digits = str(value).removesuffix("b")
        return f"{Whole(0, 2**63 - 1).convert(digits, param, ctx)}{str(value)[len(digits) :]}"


class Views(NamedTuple):
    """Where a trial is to be drawn besides being told."""

    svg: Path | None
    html: Path | None
    open_: bool

    def check(self, game: "Game") -> None:
        """Refuse what cannot be drawn.

        Raises
        ------
        Refusal
            There is no page to open, or both files are one.
        ProblemError
            The game has no views of a trial.
        """
        if self.open_ and self.html is None:
            raise Refusal("--open opens the page: say with --html FILE where it shall be.")
        if self.svg is not None and self.svg == self.html:
            raise Refusal(f"--svg and --html would both write {self.svg}.")
        if self.svg is not None or self.html is not None:
            from simkit.lab.views import offered

            offered(game)


def view_options(command: Command) -> Command:
    """Give a command the options of :class:`Views`."""
    opens = click.option("--open", "open_", is_flag=True, help="Open that page in the browser.")
    html = click.option("--html", type=Place(), metavar="FILE", help="Write a page that steps through it.")
    svg = click.option("--svg", type=Place(), metavar="FILE", help="Draw it as a picture.")
    return svg(html(opens(command)))


def retell(
    plan: "Plan", cell: "Cell", trial: "Trial", views: Views, *, which: str, command: str, as_json: bool
) -> None:
    """Print one trial and write what is wanted of it.

    Parameters
    ----------
    plan, cell, trial
        Which.
    views
        Files to write.
    which, command
        What this trial is called, and how to come by it again.
    as_json
        Print one JSON document in place of lines of text.
    """
    from simkit.balance.retelling import lines
    from simkit.lab import views as looks

    plan.game.ready(compiler(quiet=as_json))
    told = lines(plan, cell, trial)
    files: list[tuple[Path, str]] = []
    if views.svg is not None:
        files.append((views.svg, looks.picture(plan, cell, trial)))
    if views.html is not None:
        files.append((views.html, looks.player(plan, cell, trial, f"{which}: {command}")))
    for path, text in files:
        with writing(path):
            path.write_text(text, encoding="utf-8")
    if as_json:
        number = trial.unit if plan.game.GAMES_A_UNIT == 1 else trial.text
        print_json({"schema": 1, "cell": cell.number, "hash": cell.fingerprint, "trial": number, "lines": told})
    else:
        click.echo(wrapped(f"{plan.game.TITLE}: {plan.game.describe(cell.scenario)}"))
        click.echo(wrapped(which))
        click.echo()
        for line in told:
            cites = f"   ({', '.join(line['ids'])})" if line["ids"] else ""
            indent = "" if line["kind"] in ("turn", "end") else "  "
            click.echo(wrapped(f"{line['text']}{cites}", first=indent, further="      "))
        if files:
            click.echo()
    for path, _ in files:
        (mutter if as_json else click.echo)(f"wrote {path}")
    if views.open_ and views.html is not None and not webbrowser.open(views.html.resolve().as_uri()):
        mutter("no browser was found; open the page by hand")


def numbered(trial: "Trial") -> str:
    """Return the number of a trial with its thousands parted, and whether its seats are swapped."""
    return f"{trial.unit:,}b (seats swapped)" if trial.seat else f"{trial.unit:,}"
