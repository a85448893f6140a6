"""The command that finds a fair number: solve."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from simkit.cli.common import Place, Refusal, Whole, examples, parse_settings, planned, shortened
from simkit.cli.study import Given, show, study_options

MOST_TRIALS = 4 * 10**9


class Amount(click.ParamType):  # type: ignore[type-arg]
    """A number, or a share in per cent."""

    name = "NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number, or say what is allowed."""
        text, percent = str(value).strip(), str(value).strip().endswith("%")
        try:
            number = float(text.removesuffix("%"))
        except ValueError:
            number = float("nan")
        if not abs(number) < 1e15:
            self.fail(f"{shortened(str(value))} is not a number, such as 0.5 or 50%.", param, ctx)
        return number / 100 if percent else number


@click.command(
    epilog=examples(
        "simkit solve experiments/solve_bogs.toml",
        "simkit solve experiments/solve_unicycle.toml --target 97%",
        "simkit solve experiments/fences_or_bogs.toml --vary bogs.swamp --min -6 --max 2 --target 50%",
        "simkit solve experiments/solve_armor.toml --each",
        'simkit solve experiments/solve_legs.toml --vary weapons.mace_arm.damage --values "1d4, 1d6, 2d6"',
    )
)
@click.argument("file", type=Place())
@click.option("--vary", metavar="PATH", help="The number: a rule or a field of the scenario, by dotted path.")
@click.option("--min", "least", metavar="VALUE", help="Least value that is tried.")
@click.option("--max", "most", metavar="VALUE", help="Greatest value that is tried.")
@click.option("--step", metavar="VALUE", help="From one value to the next; 1 between whole numbers.")
@click.option("--values", metavar="LIST", help='In place of a range: values with commas between, such as "1d6, 1d6+1".')
@click.option("--metric", metavar="NAME", help="The outcome that is to meet the target.")
@click.option("--target", type=Amount(), help="What it is to be, such as 0.5 or 50%.")
@click.option(
    "--like", multiple=True, metavar="PATH=VALUE", help="It is to be what it is with this change; may be repeated."
)
@click.option(
    "--over", multiple=True, metavar="AXIS", help="Averaged over this axis of the sweep alone; may be repeated."
)
@click.option("--each", is_flag=True, help="Averaged over nothing: every combination of the sweep by itself.")
@click.option("--within", type=Amount(), help="How far from the target is still met.")
@click.option(
    "--trials",
    type=Whole(1, MOST_TRIALS),
    help="Most games for one answer, in place of max_trials; a quarter more confirm it.",
)
@study_options
def solve(
    file: Path,
    vary: str | None,
    least: str | None,
    most: str | None,
    step: str | None,
    values: str | None,
    metric: str | None,
    target: float | None,
    like: tuple[str, ...],
    over: tuple[str, ...],
    each: bool,
    within: float | None,
    trials: int | None,
    given: Given,
) -> None:
    """Find the value of a number that brings an outcome of FILE to its target, and confirm it on fresh dice.

    What is sought stands in the table [solve] of FILE; the options take the place of what stands there. It is solved
    once for every combination of the sweep. What a game solves exactly is not guessed.
    """
    from simkit import api
    from simkit.balance.solve.words import WORDS
    from simkit.core.trials import cpus
    from simkit.lab.foresight import spoken
    from simkit.lab.plan import TOO_LONG

    given.check_word(WORDS)
    if like and target is not None:
        raise Refusal(
            "--target and --like exclude each other: what the metric is to be is a number, or that of a setting."
        )
    if each and over:
        raise Refusal("--each and --over exclude each other: a combination is asked by itself, or averaged.")
    plan = planned(file, yes=given.yes, seed=given.seed, overrides=given.settings)
    asked_for: dict[str, Any] = {
        "vary": vary,
        "min": _read(least),
        "max": _read(most),
        "step": _read(step),
        "values": None if values is None else [_read(one.strip()) for one in values.split(",")],
        "metric": metric,
        "target": {"like": parse_settings(like)} if like else target,
        "over": [] if each else list(over) or None,
        "within": within,
        "max_trials": trials,
    }
    asked = api.ask(plan, given={key: value for key, value in asked_for.items() if value is not None})
    given.warn(plan)
    seconds = _seconds(asked) / (given.jobs or cpus())
    if seconds > TOO_LONG and not given.yes:
        raise Refusal(
            f"This takes up to {asked.trials:,} games, {spoken(seconds)}. Go on with --yes, or play fewer with "
            "--trials N; nothing was run."
        )
    found = api.solve(asked, **given.conducting(plan))
    headers = ["where", "target", "answer", "nearest value", "on fresh dice"]
    show(found, headers, _rows(found.document), given=given, more="answers")


def _read(text: str | None) -> Any:
    """Read a value as TOML, and as text where it is none."""
    return None if text is None else parse_settings((f"value={text}",))["value"]


def _seconds(asked: Any) -> float:
    """Return about how long it takes at most on one processor."""
    cells = (cell for one in asked.questions for group in one.cells.values() for cell in group)
    pace = max(asked.plan.game.nanoseconds(cell.setup) for cell in cells)
    return float(pace) * float(asked.trials) * 1e-9


def _rows(document: Mapping[str, Any]) -> Sequence[Sequence[str]]:
    from simkit.report.solvesheet import answer_lines

    return answer_lines(document)
