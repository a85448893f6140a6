"""The command that shows rules as people read them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simkit.cli.common import Place, Refusal, examples, game, json_option, meant, print_json, shortened
from simkit.cli.layout import wrapped

if TYPE_CHECKING:
    from simkit.games.protocol import RuleField


@click.command(
    epilog=examples(
        "simkit rules pigtickler",
        "simkit rules pigtickler P-DN-4",
        "simkit rules pigtickler bogs.swamp",
        "simkit rules pigtickler --diff experiments/house/soft-bogs.toml",
    )
)
@click.argument("game_name", metavar="GAME")
@click.argument("which", required=False, metavar="[ID]")
@click.option("--house", type=Place(), metavar="FILE", help="With this house rule in force.")
@click.option("--diff", type=Place(), metavar="FILE", help="Only what this house rule changes.")
@json_option
def rules(game_name: str, which: str | None, house: Path | None, diff: Path | None, as_json: bool) -> None:
    """Show every number and ruling of GAME, or one rule by its ID or its name."""
    from simkit.lab.rulebook import passages, rows_with

    if house is not None and diff is not None:
        raise Refusal("--house and --diff exclude each other: --diff shows only what changes.")
    module = game(game_name)
    rows, title = rows_with(game_name, house or diff)
    if diff is not None:
        rows = [row for row in rows if row.value != row.default]
    text: list[str] = []
    if which is not None:
        every = rows
        text = passages(game_name, which.upper())
        rows = [row for row in every if which in (row.id, row.path) or row.id == which.upper()]
        rows = rows or [row for row in every if row.path.startswith(f"{which}.")]
        if not rows and not text:
            hint = meant(which, [row.path for row in every] + [row.id for row in every])
            raise Refusal(f"{module.TITLE} has no rule {shortened(which)}.{hint} All of them: simkit rules {game_name}")
        text = text or passages(game_name, rows[0].id)
    if as_json:
        print_json({"schema": 1, "game": game_name, "rules": [_plain(row) for row in rows], "text": text})
        return
    click.echo(wrapped(f"{module.TITLE}: {module.EDITION}" + (f", with the house rule '{title}'" if title else "")))
    if rows:
        for line in _legend(title if house is not None else ""):
            click.echo(line)
    for passage in text:
        click.echo("\n" + wrapped(passage, further="  ", always=True))
    if not rows and diff is not None:
        click.echo("\nthis house rule changes nothing")
    for line in _grouped(game_name, rows) if which is None else _listed(rows):
        click.echo(line)
    if which is None:
        example = next((row for row in rows if row.value is not None), None)
        if example is not None:
            click.echo(f"\nto change one: --set {example.path}=VALUE, or a house rule (simkit new shows one)")


def _plain(row: "RuleField") -> dict[str, Any]:
    return {
        "path": row.path,
        "value": row.value,
        "default": row.default,
        "id": row.id,
        "source": row.source,
        "sentence": row.says,
        "allowed": row.allowed,
    }


def _legend(title: str) -> Iterator[str]:
    """Say once what the letters mean."""
    from simkit.games.protocol import SOURCES

    yield ""
    for letter, words in SOURCES.items():
        yield wrapped(words, first=f"  {letter}  ", further="     ")
    if title:
        yield wrapped(f"changed by '{title}'", first="  *  ", further="     ")


def _grouped(game_name: str, rows: "Sequence[RuleField]") -> Iterator[str]:
    """List fields under the headings of the rulebook."""
    from simkit.lab.rulebook import sections

    headings = sections(game_name)
    for heading in dict.fromkeys([*headings.values(), "Other"]):
        own = [row for row in rows if headings.get(row.id, "Other") == heading]
        if own:
            yield f"\n{heading}\n{'-' * len(heading)}"
            yield from _fields(own)


def _listed(rows: "Sequence[RuleField]") -> Iterator[str]:
    if rows:
        yield ""
        yield from _fields(rows)


def _fields(rows: "Sequence[RuleField]") -> Iterator[str]:
    for row in rows:
        changed = row.value != row.default
        mark, note = ("* ", f"   (rules of record: {_value(row.default)})") if changed else ("  ", "")
        yield wrapped(f"{row.path} = {_value(row.value)}{note}   [{row.source} {row.id}]", first=mark, further="    ")
        limits = "" if row.allowed == "true | false" else f" Allowed: {_allowed(row.allowed)}."
        yield wrapped(f"{row.says}{limits}", first="      ", further="      ", always=True)


def _value(value: Any) -> str:
    from simkit.lab.house import toml_text

    return "not there" if value is None else toml_text(value)


def _allowed(text: str) -> str:
    *others, last = text.split(" | ")
    return f"{', '.join(others)} or {last}" if others else last
