"""The command that knows dice: odds."""

import itertools
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from simkit.cli.common import Place, Refusal, examples, json_option, mutter, print_json
from simkit.cli.layout import room, table, wrapped
from simkit.core.written import written

if TYPE_CHECKING:
    from simkit.core.odds import Odds

MOST_ROWS = 40
"""Rows of a table on the screen; a longer one shows multiples of 2, 5, 10 or more alone."""

TINY = Fraction(1, 2_000_000)
"""Chances that round to 0.0000 %: beyond them nothing is listed."""

_DICE = re.compile(r"-\s*[0-9dD(]")


class Expression(click.Command):
    """A command whose arguments may begin with a minus: ``-1d6`` is dice, not an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Mark such arguments with a blank, which means nothing between dice."""
        return super().parse_args(ctx, [f" {arg}" if _DICE.match(arg) else arg for arg in args])


@click.command(
    cls=Expression, epilog=examples('simkit odds "2d6 >= 8"', 'simkit odds "3d6kh2+1 > 2d6" --plot curve.svg')
)
@click.argument("expression", nargs=-1, required=True)
@click.option("--plot", type=Place(), metavar="FILE", help="Draw the curve into this file (.svg or .png).")
@json_option
def odds(expression: tuple[str, ...], plot: Path | None, as_json: bool) -> None:
    """Exact odds of dice: as a fraction, as a percentage, and as a table of at least.

    NdS, + and -, khK / klK keep the highest / lowest K, rX rerolls once what shows X or less, ! explodes on the top
    face, d% is d100; compare with > >= < <= = !=. Put quotes around it: > and ! mean something to the shell.
    """
    from simkit.core.dice import DiceError
    from simkit.core.odds import odds as solve

    try:
        answer = solve(" ".join(expression).strip())
    except DiceError as error:
        raise Refusal(str(error)) from error
    if plot is not None:
        _draw(answer, plot)
    if as_json:
        print_json(answer.to_json())
    else:
        for line in _lines(answer):
            click.echo(line)
    if plot is not None:
        (mutter if as_json else click.echo)(f"wrote {plot}")


def _draw(answer: "Odds", path: Path) -> None:
    from simkit.report.dice import draw

    try:
        draw(answer, path)
    except ValueError as error:
        raise Refusal(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
    except OSError as error:
        raise Refusal(f"Cannot write {path}: {error.strerror or error}.") from error


def _lines(answer: "Odds") -> list[str]:
    lines = [answer.expr, _chance(answer), ""] if answer.decimal is not None else []
    subject = str(answer.subject)
    if answer.is_opposed:
        lines += [wrapped(f"Margin: the left side minus the right, {subject}.", always=True), ""]
        subject = "margin"
    subject = subject if len(subject) <= 24 else "total"
    return [*lines, *_curve(answer, subject)]


def _chance(answer: "Odds") -> str:
    if answer.fraction is None:
        missing = f"throws with very many explosions are left out, {answer.bound:.1g} at most"
        return f"{100 * (answer.decimal or 0):.4f} % ({answer.decimal:.10g}; {missing})"
    if answer.fraction in (0, 1):
        return f"{answer.fraction}: {'always' if answer.fraction else 'never'}"
    text = written(answer.fraction)
    shown = text if len(text) <= 400 else f"a fraction of {len(text):,} characters (--json)"
    return f"{shown}, which is {percent(answer.fraction)} ({answer.decimal:.10g})"


def percent(chance: Fraction) -> str:
    """Write a chance in per cent; what is not certain never reads 100 %, what is possible never 0 %."""
    if 0 < chance < TINY:
        return "< 0.0001 %"
    if 1 - TINY < chance < 1:
        return "> 99.9999 %"
    return f"{100 * float(chance):.4f} %"


def _curve(answer: "Odds", subject: str) -> list[str]:
    """Return the table of at least and exactly, thinned where it is long."""
    exactly = dict(answer.exactly)
    listed = [row for row in answer.at_least if TINY <= row[1] <= 1 - TINY or exactly.get(row[0], 0) >= TINY]
    listed = listed or answer.at_least[:1]
    step = next(step for step in _round_numbers() if len(listed) <= MOST_ROWS * step)
    shown = [row for row in listed if row[0] % step == 0]
    rows = [[str(value), written(chance), percent(chance), percent(exactly[value])] for value, chance in shown]
    headers = [subject, "at least", "that is", "exactly"]
    widest = sum(max(map(len, [header, *column])) + 2 for header, *column in zip(headers, *rows, strict=True))
    if widest > (room() or 72):
        headers, rows = [subject, "at least", "exactly"], [[row[0], *row[2:]] for row in rows]
    lines = [table(headers, rows, right=range(len(headers)))]
    left_out = len(answer.at_least) - len(shown)
    if left_out:
        every = f"only multiples of {step:,} are shown" if step > 1 else "what is rarer than 0.0001 % is not shown"
        lines.append(f"{every}; {left_out:,} more values: --json")
    return lines


def _round_numbers() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50 and so on."""
    for power in itertools.count():
        yield from (10**power, 2 * 10**power, 5 * 10**power)
