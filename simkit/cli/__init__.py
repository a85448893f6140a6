"""The command line: verbs, and no logic. Heavy rooms are imported inside the commands."""

import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

COMMANDS = {
    "new": ("simkit.cli.ask:new", "Write a commented experiment and a house rule to start from."),
    "check": ("simkit.cli.ask:check", "Check experiments, house rules and marches; nothing is played."),
    "plan": ("simkit.cli.ask:plan", "Show the cells, the time and the precision to expect."),
    "run": ("simkit.cli.play:run", "Play an experiment and answer its question."),
    "duel": ("simkit.cli.duel:duel", "Let one side fight another, and say who is better and why."),
    "balance": ("simkit.cli.balance:balance", "Say what is overpowered or fair, and what a fair price is."),
    "matrix": ("simkit.cli.matrix:matrix", "Let everybody meet everybody, and say who is strongest."),
    "league": ("simkit.cli.league:league", "Hold seasons of a league, and say who wins the title how often."),
    "sensitivity": ("simkit.cli.sensitivity:sensitivity", "Say what drives an answer and what would flip it."),
    "search": ("simkit.cli.search:search", "Search for the strongest builds, or the best counter to one."),
    "tune": ("simkit.cli.tune:tune", "Find the weights that designs are played best by."),
    "solve": ("simkit.cli.fair:solve", "Find the number that makes something fair, and confirm it."),
    "compare": ("simkit.cli.compare:compare", "Put rule sets side by side on every measure."),
    "house": ("simkit.cli.compare:house", "Report on one house rule: who gains, and is it fairer?"),
    "exact": ("simkit.cli.solve:exact", "Solve an experiment exactly, without a simulation."),
    "exchange": ("simkit.cli.exchange:exchange", "Work out one exchange of blows exactly."),
    "report": ("simkit.cli.look:report", "Show the report of a run, as a page or as text."),
    "replay": ("simkit.cli.look:replay", "Retell one trial, roll by roll."),
    "results": ("simkit.cli.look:results", "List the runs there are, and make room."),
    "odds": ("simkit.cli.odds:odds", 'Exact odds of dice: simkit odds "2d6+2 > 2d6".'),
    "rules": ("simkit.cli.rules:rules", "Show the rules of a game, or what a house rule changes."),
    "games": ("simkit.cli.know:games", "List the games there are."),
    "designs": ("simkit.cli.know:designs", "List the designs and presets of a game, or show one."),
    "rate": ("simkit.cli.rate:rate", "Rate designs, and say how every number comes about."),
    "march": ("simkit.cli.march:march", "How many rounds units take to cross a lane, exactly."),
    "map": ("simkit.cli.map:map_", "Show a Jugger map, or list the maps there are."),
    "schema": ("simkit.cli.know:schema", "Write JSON Schemas, so that an editor completes and checks."),
    "doctor": ("simkit.cli.know:doctor", "Check this machine and this installation."),
}

EXAMPLES = """\b
Examples:
  simkit odds "2d6+2 > 2d6"                      what are the odds?
  simkit new my-first --game pigtickler          write a question down
  simkit run experiments/my-first.toml           and have it answered

Help on one command: simkit COMMAND -h
"""


class Verbs(click.Group):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the verbs in the order of a first visit."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one verb."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        found: click.Command = getattr(importlib.import_module(module), name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find a verb, or suggest one."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from simkit.cli.common import meant

            ctx.fail(f"There is no command {args[0]!r}.{meant(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            click.echo(f"wargame-simkit {version('wargame-simkit')}")
        except PackageNotFoundError:
            click.echo("wargame-simkit, not installed: run from its sources")
        ctx.exit()


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXAMPLES,
)
@click.option("--version", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Show the version.")
@click.option("--debug", is_flag=True, expose_value=False, help="Should simkit fail, show where.")
@click.pass_context
def group(ctx: click.Context) -> None:
    """simkit: the balance lab for tabletop war games.

    Write a question as a small TOML file; simkit plays millions of fights and answers it, with the interval that
    the answer deserves.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def call(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    arguments
        What stands behind ``simkit`` on the command line. ``--debug`` may stand anywhere among it.

    Returns
    -------
    int
        0 done, 1 a bug, 2 usage or a bad file, 3 a ``--fail-if`` held, 130 interrupted.
    """
    from simkit.cli.common import explain

    asked = [argument for argument in arguments if argument != "--debug"]
    try:
        with group.make_context("simkit", asked) as context:
            group.invoke(context)
        sys.stdout.flush()
    except BaseException as error:
        return explain(error, debug=len(asked) < len(arguments))
    return 0


def collect_seldom() -> None:
    """Set Python's collector of garbage for a short program, which makes many objects and little garbage."""
    gc.set_threshold(100_000, 50, 50)


def main() -> None:
    """Run the command line, or complete it for a shell that asks."""
    collect_seldom()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small systems of equations are solved faster by one thread
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without the sign for plus-minus is no reason to fail
    asked = os.environ.get("_SIMKIT_COMPLETE")
    if asked:
        from click.shell_completion import shell_complete

        sys.exit(shell_complete(group, {}, "simkit", "_SIMKIT_COMPLETE", asked))
    sys.exit(call(sys.argv[1:]))
