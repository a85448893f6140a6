"""The command that rates designs: rate."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from simkit.cli.common import (
    Refusal,
    examples,
    house_option,
    json_option,
    meant,
    parse_settings,
    print_json,
    set_option,
    shortened,
    yes_option,
)
from simkit.cli.layout import table, wrapped

if TYPE_CHECKING:
    from simkit.lab.inforce import Changed
    from simkit.lab.rated import Entry, Sheet

FEW = 4
"""Up to so many designs their steps are shown unasked."""

MOST_CELLS = 6
"""Cells that a row of the table names."""


@click.command(
    epilog=examples(
        "simkit rate jugger walker windrammer",
        "simkit rate experiments/legs_tamed.toml",
        "simkit rate experiments/house/heavy-legs.toml",
        "simkit rate jugger --house heavy-legs --set printed_hits=true",
    )
)
@click.argument("source", metavar="GAME|FILE")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--steps/--no-steps", default=None, help="How every number comes about; unasked for up to 4 designs.")
@house_option
@set_option
@yes_option
@json_option
def rate(
    source: str,
    names: tuple[str, ...],
    steps: bool | None,
    house: tuple[str, ...],
    settings: tuple[str, ...],
    yes: bool,
    as_json: bool,
) -> None:
    """Rate designs: the presets of GAME, or all that FILE brings, and what changed rules do to them.

    FILE is an experiment, a march, or a house rule: then the presets that it changes are shown. With NAME only these.
    Ratings by changed rules stand beside those by the rules of record.
    """
    from simkit.games import protocol
    from simkit.lab import rated

    overrides = parse_settings(settings)
    with understood():
        if source in protocol.find():
            sheet = rated.of_presets(source, names, house, overrides)
        else:
            _look(source, house)
            sheet = rated.of_file(Path(source), names, overrides, patient=yes)
    if as_json:
        print_json(sheet.to_json())
        return
    for line in shown(sheet, steps=len(sheet.entries) <= FEW if steps is None else steps):
        click.echo(line)


def _look(source: str, house: tuple[str, ...]) -> None:
    """Refuse what is neither a game nor a file.

    Raises
    ------
    Refusal
        It is neither; or house rules are named beside a file.
    """
    from simkit.games import protocol

    if not source or "\0" in source or not (Path(source).exists() or source.endswith(".toml")):
        hint = meant(source, protocol.find()) or f" Games: {', '.join(protocol.find())}."
        raise Refusal(f"{shortened(source)} is neither a game nor a file.{hint}")
    if house:
        raise Refusal('--house goes with a game; a file names its own: house_rules = ["its-id"].')


@contextmanager
def understood() -> Iterator[None]:
    """Turn a name that nothing has, or what does not go together, into words."""
    try:
        yield
    except (LookupError, ValueError) as error:
        if isinstance(error, KeyError | IndexError) or (
            isinstance(error, ValueError) and type(error) is not ValueError
        ):
            raise  # a bug, and no name
        raise Refusal(sentences(error)) from error


def sentences(error: Exception) -> str:
    """Return what is said of a name that nothing has, help included, as sentences."""
    said, _, help = str(error).partition("; ")
    hint, question, rest = help.rpartition("? ")
    parts = [f"{said}.", f"{hint}?" if question else "", f"{rest}." if rest else ""]
    return " ".join(f"{part[:1].upper()}{part[1:]}" for part in parts if part)


# Text


def shown(sheet: "Sheet", *, steps: bool) -> Iterator[str]:
    """Yield ratings as text: a table, what changed rules do, and how every number comes about.

    Parameters
    ----------
    sheet
        The ratings.
    steps
        Whether to say how every number comes about.
    """
    if not sheet.entries:
        yield wrapped(f"none of the presets of {sheet.game.TITLE} is rated otherwise by this house rule")
        yield from (wrapped(line, further="  ") for line in changed_lines(sheet.changed))
        return
    where = _where(sheet.entries)
    told = any(where)
    ratings = [name.replace(" ", "\n", 1) for name in sheet.entries[0].rated.row]
    about = [[one.rated.name, *([place] * told)] for one, place in zip(sheet.entries, where, strict=True)]
    names = ["design", *(["where"] * told)]
    yield table(
        [*names, *ratings], [[*own, *one.rated.row.values()] for own, one in zip(about, sheet.entries, strict=True)]
    )
    changes = [
        [*own, what, *pair] for own, one in zip(about, sheet.entries, strict=True) for what, pair in one.changes.items()
    ]
    if sheet.changed:
        yield ""
        yield from (wrapped(line, further="  ") for line in changed_lines(sheet.changed))
        if not changes:
            yield "that changes none of these ratings"
    if changes:
        yield "\n" + table([*names, "rating", "of record", "here"], changes)
    broken = [one.rated for one in sheet.entries if one.rated.illegal]
    if broken:
        yield "\nnot legal by these rules:"
        yield from (wrapped(f"{one.name}: {'; '.join(one.illegal)}", first="  ", further="    ") for one in broken)
    if steps:
        for entry in sheet.entries:
            yield f"\n{entry.rated.title}"
            yield from (wrapped(step, first="  ", further="    ") for step in entry.rated.steps)


def _where(entries: "Sequence[Entry]") -> list[str]:
    """Say where every design is rated so, if it is rated otherwise elsewhere."""
    found = []
    for entry in entries:
        alike = [one for one in entries if one.rated.name == entry.rated.name]
        apart = [axis for axis in entry.where if len({one.where.get(axis) for one in alike}) > 1]
        place = ", ".join(f"{axis} {entry.where[axis]}" for axis in apart)
        found.append(place or (_cells(entry) if len(alike) > 1 else ""))
    return found


def _cells(entry: "Entry") -> str:
    """Say in which cells of an experiment a design is rated so."""
    shown = ", ".join(map(str, entry.cells[:MOST_CELLS]))
    return f"cells {shown}{' and others' if len(entry.cells) > MOST_CELLS else ''}"


def changed_lines(changed: "Iterable[Changed]") -> list[str]:
    """Return a line for every rule that is not that of record."""
    from simkit.lab.house import toml_text

    return [
        f"{one.path} = {' or '.join(map(toml_text, one.values))}, of record {toml_text(one.record)}   [{one.id}]"
        for one in changed
    ]
