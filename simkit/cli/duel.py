"""The command that lets one side fight another: duel."""

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from simkit.cli.bar import Bar
from simkit.cli.common import (
    Refusal,
    Whole,
    examples,
    jobs_option,
    json_option,
    meant,
    parse_settings,
    print_json,
    set_option,
    shortened,
    show_warnings,
)
from simkit.cli.layout import wrapped
from simkit.cli.retell import Numbered, Views, numbered, retell, view_options

if TYPE_CHECKING:
    from simkit.lab.plan import Plan

GAME = "jugger"
TRIALS = 20_000
MOST_TRIALS = 10**7
FARTHEST = 50
LONGEST_NAME = 20
HOUSE_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
MEMBER = re.compile(r"(?:([0-9]{1,3})\s*[*x]\s*)?([^*+]*?)(?:\s*[*]\s*([0-9]{1,3}))?")
"""One design of a force, and how many of it: ``walker``, ``walker*2`` or ``2xwalker``."""


class Side(NamedTuple):
    """A side as it was written, and its units."""

    text: str
    units: list[dict[str, Any]]

    def table(self, policy: str | None) -> dict[str, Any]:
        """Return the side as an experiment would have it."""
        alone = self.units[0] if len(self.units) == 1 else {"units": self.units}
        return dict(alone) if policy is None else {**alone, "policy": policy}


class Force(click.ParamType):  # type: ignore[type-arg]
    """A design by name, several of it, or several designs."""

    name = "DESIGN"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Side:
        """Read the units, or say what the form is; whether the designs are there is told with everything else."""
        units = []
        for part in str(value).split("+"):
            found = MEMBER.fullmatch(part.strip())
            if found is None or not found[2] or (found[1] and found[3]):
                self.fail(f"{shortened(str(value))} is no side: such as walker, 2xwalker or 2xarcher+axer.", param, ctx)
            units.append({"design": found[2].strip(), "count": int(found[1] or found[3] or 1)})
        return Side(" ".join(str(value).split()), units)


class Policy(click.ParamType):  # type: ignore[type-arg]
    """Who decides for a side."""

    name = "POLICY"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Accept one of those there are, or say which."""
        from simkit.games.jugger.scenario import POLICIES

        if value not in POLICIES:
            hint = meant(str(value), POLICIES)
            self.fail(
                f"There is no policy {shortened(str(value))}.{hint} There are: {', '.join(POLICIES)}.", param, ctx
            )
        return str(value)


class Names(NamedTuple):
    """What the sides and their games are called."""

    a: str
    b: str
    several: tuple[bool, bool]
    """Whether side a, and side b, has more than one jug."""

    @property
    def short(self) -> tuple[str, str]:
        """What the sides are called in tables and tales: by letter where a name is long."""
        return ("A", "B") if max(len(self.a), len(self.b)) > LONGEST_NAME else (self.a, self.b)

    @property
    def noun(self) -> str:
        """What the games are called: duels of one against one, else battles."""
        return "battles" if any(self.several) else "duels"


class Asked(NamedTuple):
    """What is to be fought, as it was asked for."""

    a: Side
    b: Side
    policy: str
    policy_b: str | None
    trials: int
    map: str | None
    distance: int | None
    seed: int
    house: tuple[str, ...]
    settings: tuple[str, ...]

    def command(self, *more: str) -> str:
        """Return the command that asks for it again; what was left out stays out."""
        given = ["simkit", "duel", self.a.text, self.b.text]
        defaults = {"policy": "greedy", "trials": TRIALS, "seed": 1}
        for name in ("policy", "policy_b", "trials", "map", "distance", "seed"):
            value = getattr(self, name)
            if value is not None and value != defaults.get(name):
                given += [f"--{name.replace('_', '-')}", str(value)]
        for name, values in (("--house", self.house), ("--set", self.settings)):
            for value in values:
                given += [name, value]
        return shlex.join([*given, *more])

    def sides(self) -> dict[str, dict[str, Any]]:
        """Return both sides as an experiment would have them."""
        return {"a": self.a.table(None), "b": self.b.table(self.policy_b)}

    def names(self) -> Names:
        """Name the sides by their designs; where these are the same, by policy or letter too."""
        from simkit.games.protocol import load

        found = []
        for letter, side in self.sides().items():
            try:
                found.append(load(GAME).label(f"sides.{letter}", side) or letter.upper())
            except ValueError:
                found.append(letter.upper())  # what is wrong with it is told with everything else
        if found[0] == found[1]:
            other = self.policy_b not in (None, self.policy)
            marks = (f"({self.policy})", f"({self.policy_b})") if other else ("A", "B")
            found = [f"{name} {mark}" for name, mark in zip(found, marks, strict=True)]
        several = [sum(unit["count"] for unit in side.units) > 1 for side in (self.a, self.b)]
        return Names(found[0], found[1], (several[0], several[1]))


@click.command(
    epilog=examples(
        "simkit duel walker windrammer",
        "simkit duel gorger landship --policy lookahead --distance 6 --trials 4000",
        "simkit duel 2xarcher axer --map ruins --house capped-rams",
        "simkit duel walker windrammer --replay 12b --html duel.html --open",
    )
)
@click.argument("a", type=Force())
@click.argument("b", type=Force())
@click.option("--policy", type=Policy(), default="greedy", show_default=True, help="Who decides for both sides.")
@click.option("--policy-b", type=Policy(), help="Who decides for B, if another.")
@click.option("--trials", type=Whole(4, MOST_TRIALS), default=TRIALS, show_default=True, help="Duels to play.")
@click.option("--map", "map_name", metavar="MAP", help="Where: simkit map lists them.")
@click.option("--distance", type=Whole(1, FARTHEST), help="Begin so many hexes apart, face to face.")
@click.option("--seed", type=Whole(0, 2**63 - 1), default=1, show_default=True, help="Seed of all dice.")
@jobs_option
@click.option("--house", multiple=True, metavar="FILE", help="Play by this house rule, a file or an id; repeatable.")
@set_option
@click.option("--replay", "trial", type=Numbered(), help="Retell this duel instead; 12b is number 12, seats swapped.")
@view_options
@json_option
@click.option("-q", "--quiet", is_flag=True, help="No progress and no warnings: the answer alone.")
def duel(
    a: Side,
    b: Side,
    policy: str,
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
    has the same dice, the second with the seats swapped.
    """
    from simkit.lab.trial import Trial

    asked = Asked(a, b, policy, policy_b, trials, map_name, distance, seed, house, settings)
    views = Views(svg, html, open_)
    plan = _planned(asked)
    if not quiet:
        show_warnings(plan)
    views.check(plan.game)
    if trial is not None:
        wanted = Trial.read(trial, plan.game)
        which = f"{asked.names().noun[:-1]} {numbered(wanted)}, seed {seed}"
        again = asked.command("--replay", trial)
        retell(plan, plan.cells[0], wanted, views, which=which, command=again, as_json=as_json)
        return
    if svg is not None or html is not None:
        raise Refusal(f"{'--svg' if svg else '--html'} shows one duel: say which, such as --replay 12b.")
    _play(plan, asked, jobs, as_json=as_json, quiet=quiet)


def _play(plan: "Plan", asked: Asked, jobs: int | None, *, as_json: bool, quiet: bool) -> None:
    """Play a duel and print what came of it."""
    from simkit.balance import duel as fight
    from simkit.cli import duel_tables as tables
    from simkit.core.trials import cpus

    names = asked.names()
    bar = _Bar(f"{names.a} against {names.b}", share=True, quiet=quiet or as_json)
    played = fight.play(plan, bar, jobs=jobs or cpus())
    said = fight.answer(played, names.a, names.b, noun=names.noun, several=names.several)
    if as_json:
        print_json(fight.document(played, said))
        return
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
    click.echo(f"next: {asked.command('--replay', told['typical'])}")


class _Bar(Bar):
    """Progress of a duel."""

    def _counted(self, cells: int, widest: float | None) -> str:
        return f"{self.done:,} of {self.total:,} duels"


def _planned(asked: Asked) -> "Plan":
    """Plan a duel as an experiment that nobody wrote down.

    Raises
    ------
    ProblemError
        With everything that is wrong; what concerns the experiment has no place in a file.
    """
    from dataclasses import replace

    from simkit.lab import plan, resolve, toml
    from simkit.lab.problems import ProblemError

    folder, house = _house(asked.house)
    overrides = parse_settings(asked.settings)
    for path in overrides:
        if path.split(".")[0] in ("sides", "policy"):
            raise Refusal(f"--set {path}: who fights is said by A and B, and who decides by --policy and --policy-b.")
    names, sides = asked.names(), asked.sides()
    if names.short == names[:2]:
        sides = {letter: {**side, "title": name} for (letter, side), name in zip(sides.items(), names[:2], strict=True)}
    scenario = {"map": asked.map, "distance": asked.distance}
    data = {
        "schema": 1,
        "name": "duel",
        "question": f"{'Do' if names.several[0] else 'Does'} {names.a} beat {names.b}?",
        "game": GAME,
        "seed": asked.seed,
        "house_rules": house,
        "run": {"trials": asked.trials, "policy": asked.policy},
        "sides": sides,
        "scenario": {key: value for key, value in scenario.items() if value is not None},
        "report": {"metric": "score_a", "target": 0.5},
    }
    nowhere = str(folder / "duel")
    try:
        return plan.make(toml.parse(resolve.dumps(data), nowhere), overrides=overrides)
    except ProblemError as error:
        placed = (
            replace(problem, path=None, span=None) if problem.path == nowhere else problem for problem in error.problems
        )
        raise ProblemError(dict.fromkeys(placed), error.sources) from error


def _house(wanted: tuple[str, ...]) -> tuple[Path, list[str]]:
    """Return a folder, and what house rules are called from there: an id, or a file below it."""
    files = [Path(text).resolve() for text in wanted if not HOUSE_ID.fullmatch(text)]
    folder = Path(os.path.commonpath([file.parent for file in files])) if files else Path()
    return folder, [
        text if HOUSE_ID.fullmatch(text) else Path(text).resolve().relative_to(folder).as_posix() for text in wanted
    ]
