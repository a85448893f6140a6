"""The command line: verbs, and no logic. Heavy rooms are imported inside the commands."""

import importlib
import sys
from typing import Any

import click

COMMANDS = {
    "new": ("simkit.cli.ask:new", "Write a commented experiment and a house rule to start from."),
    "check": ("simkit.cli.ask:check", "Check experiments and house rules; nothing is played."),
    "plan": ("simkit.cli.ask:plan", "Show the cells, the time and the precision to expect."),
    "run": ("simkit.cli.play:run", "Play an experiment and answer its question."),
    "exact": ("simkit.cli.play:exact", "Solve an experiment exactly, without a simulation."),
    "report": ("simkit.cli.look:report", "Write or open the report of a run."),
    "replay": ("simkit.cli.look:replay", "Retell one trial, roll by roll."),
    "results": ("simkit.cli.look:results", "List the runs there are, and make room."),
    "odds": ("simkit.cli.know:odds", "Exact odds of dice: simkit odds \"2d6+2 > 2d6\"."),
    "rules": ("simkit.cli.know:rules", "Show the rules of a game, or what a house rule changes."),
    "games": ("simkit.cli.know:games", "List the games there are."),
    "designs": ("simkit.cli.know:designs", "List the designs and presets of a game."),
    "schema": ("simkit.cli.know:schema", "Write JSON Schemas, so that an editor completes and checks."),
    "doctor": ("simkit.cli.know:doctor", "Check this machine and this installation."),
}

EXAMPLES = """\b
  simkit odds "2d6+2 > 2d6"                      what are the odds?
  simkit new my-first --game pigtickler          write a question down
  simkit run experiments/my-first.toml           and have it answered
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
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from simkit.lab.problems import did_you_mean

            close = did_you_mean(args[0], COMMANDS)
            if close:
                raise click.UsageError(f"There is no command '{args[0]}'. Did you mean '{close}'?", ctx) from error
            raise


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        click.echo(f"wargame-simkit {version('wargame-simkit')}")
        ctx.exit()


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXAMPLES,
)
@click.option("--version", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Show the version.")
@click.option("--debug", is_flag=True, hidden=True, help="Show the traceback of a bug.")
@click.pass_context
def group(ctx: click.Context, debug: bool) -> None:
    """simkit: the balance lab for tabletop war games.

    Write a question as a small TOML file; simkit plays millions of fights and answers it, with the interval that
    the answer deserves.
    """
    ctx.obj = {"debug": debug}
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the command line: 0 done, 1 a bug, 2 usage or a bad file, 3 a --fail-if held, 130 interrupted."""
    from simkit.cli.common import explain

    debug = "--debug" in sys.argv[1:]
    try:
        group.main(prog_name="simkit", standalone_mode=False)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except BaseException as error:
        sys.exit(explain(error, debug=debug))
