"""The command that lets one side fight another: duel."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simkit.cli.bar import Bar
from simkit.cli.common import (
    Refusal,
    Whole,
    examples,
    jobs_option,
    json_option,
    meant,
    mutter,
    parse_settings,
    print_json,
    set_option,
    shortened,
    show_warnings,
)
from simkit.cli.layout import wrapped
from simkit.cli.retell import Numbered, Views, numbered, retell, view_options

if TYPE_CHECKING:
    from simkit.lab.matchup import Force, Matchup, Names
    from simkit.lab.plan import Plan

GAME = "jugger"
TRIALS = 20_000
MOST_TRIALS = 10**7
FARTHEST = 50


class Side(click.ParamType):  # type: ignore[type-arg]
    """A design by name, several of it, or several designs."""

    name = "DESIGN"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "Force":
        """Read the units, or say what the form is; whether the designs are there is told with everything else."""
        from simkit.lab.matchup import read_force

        try:
            return read_force(str(value), _game(ctx))
        except ValueError as error:
            self.fail(f"{shortened(str(value))} {error}.", param, ctx)


class Policy(click.ParamType):  # type: ignore[type-arg]
    """Who decides for a side."""

    name = "POLICY"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Accept one of those there are, or say which."""
        from simkit.games import protocol

        known = protocol.load(_game(ctx)).POLICIES
        if value not in known:
            hint = meant(str(value), known)
            self.fail(f"There is no policy {shortened(str(value))}.{hint} There are: {', '.join(known)}.", param, ctx)
        return str(value)


class GameName(click.ParamType):  # type: ignore[type-arg]
    """A game with two sides."""

    name = "GAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Accept one of those there are, or say which."""
        from simkit.games import protocol

        known = [name for name in protocol.find() if protocol.fight_of(protocol.load(name)) is not None]
        if value not in known:
            hint = meant(str(value), known)
            said = f"There is no game {shortened(str(value))} of two sides.{hint} There are: {', '.join(known)}."
            self.fail(said, param, ctx)
        return str(value)


def _game(ctx: click.Context | None) -> str:
    """Return whose rules were asked for; the option is read before everything else."""
    return str((ctx.params if ctx else {}).get("game_name") or GAME)


def command(matchup: "Matchup", settings: tuple[str, ...], *more: str) -> str:
    """Return the command that asks for a duel again; what was left out stays out."""
    from simkit.games import protocol

    given = ["simkit", "duel", matchup.a.text, matchup.b.text]
    decides = protocol.default_policy(protocol.load(matchup.game))
    defaults = {"game": GAME, "policy": decides, "trials": TRIALS, "seed": 1}
    for name in ("game", "policy", "policy_b", "trials", "map", "distance", "seed"):
        value = getattr(matchup, name)
        if value is not None and value != defaults.get(name):
            given += [f"--{name.replace('_', '-')}", str(value)]
    for name, values in (("--house", matchup.house), ("--set", settings)):
        for value in values:
            given += [name, value]
    return shlex.join([*given, *more])


@click.command(
    epilog=examples(
        "simkit duel walker windrammer",
        "simkit duel gorger landship --policy lookahead --distance 6 --trials 4000",
        "simkit duel 2xarcher axer --map ruins --house capped-rams",
        "simkit duel walker windrammer --replay 12b --html duel.html --open",
        "simkit duel --game battlesystem 24xpikemen 12xheavy-cavalry --policy set --policy-b charge",
    )
)
@click.argument("a", type=Side())
@click.argument("b", type=Side())
@click.option("--game", "game_name", type=GameName(), default=GAME, show_default=True, is_eager=True, help="Rules.")
@click.option("--policy", type=Policy(), help="Who decides for both sides, if not whom the game takes for granted.")
@click.option("--policy-b", type=Policy(), help="Who decides for B, if another.")
@click.option("--trials", type=Whole(4, MOST_TRIALS), default=TRIALS, show_default=True, help="Duels to play.")
@click.option("--map", "map_name", metavar="MAP", help="Where, in Jugger: simkit map lists them.")
@click.option("--distance", type=Whole(1, FARTHEST), help="Begin so many hexes, or inches, apart, face to face.")
@click.option("--seed", type=Whole(0, 2**63 - 1), default=1, show_default=True, help="Seed of all dice.")
@jobs_option
@click.option("--house", multiple=True, metavar="FILE", help="Play by this house rule, a file or an id; repeatable.")
@set_option
@click.option("--replay", "trial", type=Numbered(), help="Retell this duel instead; 12b is number 12, seats swapped.")
@view_options
@json_option
@click.option("-q", "--quiet", is_flag=True, help="No progress and no warnings: the answer alone.")
def duel(
    a: "Force",
    b: "Force",
    game_name: str,
    policy: str | None,
    policy_b: str | None,
    trials: int,
    map_name: str | None,
    distance: int | None,
    seed: int,
    jobs: int | None,
    house: tuple[str, ...],
    settings: tuple[str, ...],
    trial: str | None,
    svg: Path | None,
    html: Path | None,
    open_: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Let A fight B many times, in seconds and leaving no files behind: who is better, and why.

    A and B are designs of Jugger (simkit designs jugger), or several: 2xwalker, 2xarcher+axer. Every pair of duels
    has the same dice, the second with the seats swapped. Of Battlesystem they are units of so many figures:
    24xpikemen, 12xorcs+6xogres.
    """
    from simkit.lab.matchup import Matchup
    from simkit.lab.trial import Trial

    overrides = parse_settings(settings)
    matchup = Matchup(a, b, policy, policy_b, trials, seed, map_name, distance, house, overrides, game_name)
    views = Views(svg, html, open_)
    plan = _planned(matchup)
    if not quiet:
        show_warnings(plan)
    views.check(plan.game)
    if trial is not None:
        wanted = Trial.read(trial, plan.game)
        names = matchup.names()
        if wanted.unit >= plan.units and not quiet:
            pairs = f"{names.noun} 0 to {plan.units - 1:,}b"
            mutter(f"{names.noun[:-1]} {wanted.text} is none of those played ({pairs}): told as it would have gone")
        which = f"{names.noun[:-1]} {numbered(wanted)}, seed {seed}"
        again = command(matchup, settings, "--replay", trial)
        retell(plan, plan.cells[0], wanted, views, which=which, command=again, as_json=as_json)
        return
    if svg is not None or html is not None:
        raise Refusal(f"{'--svg' if svg else '--html'} shows one duel: say which, such as --replay 12b.")
    names = matchup.names()
    told = _play(plan, names, jobs, as_json=as_json, quiet=quiet)
    if not as_json:
        click.echo(f"next: {command(matchup, settings, '--replay', told)}")


def _play(plan: "Plan", names: "Names", jobs: int | None, *, as_json: bool, quiet: bool) -> str:
    """Play a duel, print what came of it, and return the number of a typical one."""
    from simkit.balance import duel as fight
    from simkit.cli import duel_tables as tables
    from simkit.core.trials import cpus

    bar = _Bar(f"{names.a} against {names.b}", share=True, quiet=quiet or as_json)
    played = fight.play(plan, bar, jobs=jobs or cpus())
    said = fight.answer(played, names.a, names.b, noun=names.noun, several=names.several)
    if as_json:
        print_json(fight.document(played, said))
        return played.told["typical"].text
    click.echo(wrapped(said))
    for line in tables.lines(played, names):
        click.echo(line)
    told = {kind: trial.text for kind, trial in played.told.items()}
    click.echo(
        wrapped(
            f"worth a look: {names.noun[:-1]} {told['typical']} (typical), {told['luckiest']} (the luckiest for "
            f"{names.short[0]}), {told['worst']} (its unluckiest)"
        )
    )
    return told["typical"]


class _Bar(Bar):
    """Progress of a duel."""

    def _counted(self, cells: int, widest: float | None) -> str:
        return f"{self.done:,} of {self.total:,} duels"


def _planned(matchup: "Matchup") -> "Plan":
    """Plan a duel.

    Raises
    ------
    Refusal
        Something is given where it does not belong, or a house rule is no file.
    ProblemError
        With everything else that is wrong.
    """
    for path in matchup.overrides:
        if path.split(".")[0] in ("sides", "policy"):
            raise Refusal(f"--set {path}: who fights is said by A and B, and who decides by --policy and --policy-b.")
    try:
        return matchup.plan()
    except ValueError as error:
        raise Refusal(f"--house: {error}.") from error
