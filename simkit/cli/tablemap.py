"""Tables of Pig Tickler in the command that shows maps: the picture, and what every place is worth."""

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simkit.cli.common import Refusal, print_json, shortened, writing
from simkit.cli.layout import table, wrapped

if TYPE_CHECKING:
    from simkit.games.pigtable.maps import Best, Worth
    from simkit.games.pigtable.tables import Ground

LARGEST = 1_000_000
"""Bytes of a file at most."""


def is_table(name: str) -> bool:
    """Tell whether a name is that of a table that ships, or of a file."""
    from simkit.games.pigtable.tables import shipped

    return name in shipped() or name.endswith(".toml")


def described() -> list[dict[str, Any]]:
    """List the tables that ship."""
    from simkit.games.pigtable.vocabulary import presets

    return presets()


def read(name: str) -> "Ground":
    """Return a table by name or from a file."""
    from simkit.games.pigtable.rules import Rules
    from simkit.games.pigtable.tables import read_table, shipped

    if name in shipped():
        data = shipped()[name]
    else:
        try:
            text = Path(name).read_bytes()
            data = tomllib.loads(text[:LARGEST].decode("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise Refusal(f"{shortened(name)} cannot be read as a table: {error}") from error
    ground, mistakes = read_table(data, Rules())
    if mistakes:
        listed = "\n".join(f"  {one.message}" for one in mistakes)
        raise Refusal(f"The table {shortened(name)} is wrong:\n{listed}")
    return ground


def show(
    name: str, file: Path | None, legs: int | None, without: tuple[str, ...], moves: int | None, as_json: bool
) -> None:
    """Show a table: as a picture, or with `legs` worked out place by place, the pig at its start or moved about."""
    from simkit.games.pigtable.mapdraw import draw_table, draw_worth
    from simkit.games.pigtable.maps import averaged, work_out
    from simkit.games.pigtable.rules import Rules
    from simkit.games.pigtable.tables import UNITS

    ground = read(name)
    there_are = [piece.name for piece in ground.pieces]
    for piece in without:
        if piece not in there_are:
            raise Refusal(f"The table {name} has no piece {shortened(piece)}. There are: {', '.join(there_are)}.")
    worth = lacking = None

    def worked(of: "Ground") -> "Worth":
        if moves:
            return averaged(of, Rules(), legs or 1, UNITS, moves)
        return work_out(of, Rules(), legs or 1)

    if legs is not None or without or moves:
        worth = worked(ground)
        lacking = worked(ground.without(without)) if without else None
    if file is not None:
        with writing(file):
            drawn = draw_table(ground) if worth is None else draw_worth(ground, worth, lacking)
            file.write_text(drawn, encoding="utf-8")
    if as_json:
        print_json({"schema": 1, "name": name, "pieces": there_are, **_numbers(worth, lacking)})
        return
    click.echo(wrapped(f"{ground.title}: {ground.says or 'a table of its own'}") + "\n")
    rows = [[one.name, _kind(one), _where(one)] for one in ground.pieces]
    click.echo(table(["piece", "what it is", "from and to, in inches"], rows))
    if worth is not None:
        _tell(worth, lacking, without, moves)
    if file is not None:
        click.echo(f"\nwrote {file}")
    else:
        click.echo(f"\nnext: simkit map {name} --legs 1 --svg {ground.name or 'table'}.svg")


def _kind(piece: Any) -> str:
    kind = str(piece.bog or piece.thing.name).lower().replace("_", " ").replace("level", "hill")
    return kind + (f" of {len(piece.levels)} level{'s' * (len(piece.levels) != 1)}" if piece.levels else "")


def _where(piece: Any) -> str:
    west, south, east, north = (f"{side / 64:g}" for side in piece.outline.box)
    return f"x {west} to {east}, y {south} to {north}"


def _numbers(worth: "Worth | None", lacking: "Worth | None") -> dict[str, Any]:
    if worth is None:
        return {}
    found: dict[str, Any] = {
        "legs": worth.legs,
        "places": len(worth.cells),
        "mean": {"fraction": str(worth.mean), "value": float(worth.mean)},
        "difficulty": {"fraction": str(worth.difficulty), "value": float(worth.difficulty)},
        "unfairness": {"fraction": str(worth.unfairness), "value": float(worth.unfairness)},
        "starts": [_place(one) for one in worth.starts],
        "cells": [_place(one) for one in worth.cells],
    }
    if lacking is not None:
        adds = worth.mean - lacking.mean
        found["without"] = {"mean": str(lacking.mean), "adds": str(adds), "value": float(adds)}
    return found


def _place(best: "Best") -> dict[str, Any]:
    return {"point": list(best.point), "fraction": str(best.chance), "value": float(best.chance),
            "via": [list(point) for point in best.via]}  # fmt: skip


def _tell(worth: "Worth", lacking: "Worth | None", without: tuple[str, ...], moves: int | None) -> None:
    """Print what the table is worth."""
    ways = "straight ways" if worth.legs == 1 else "ways with one turn"
    pig = f"the pig after each of {moves} random moves" if moves else "pig at its start"
    click.echo(f"\nChance of a rump in one turn, by {ways}, {pig}:\n")
    rows = [
        [f"start {k + 1}", str(one.chance), f"{100 * float(one.chance):.1f} %",
         " ".join(f"({x / 64:g}, {y / 64:g})" for x, y in one.via) or "straight"]
        for k, one in enumerate(worth.starts)
    ]  # fmt: skip
    click.echo(table(["from", "exactly", "that is", "by way of"], rows, right=(1, 2)))
    lines = [
        f"mean over {len(worth.cells)} places: {worth.mean} = {100 * float(worth.mean):.1f} %",
        f"difficulty: {float(worth.difficulty):.3f} (0 an open table, 1 nobody can score)",
        f"between the best and the worst start: {100 * float(worth.unfairness):.1f} percentage points",
    ]
    if lacking is not None:
        adds = worth.mean - lacking.mean
        lines.append(f"{' and '.join(without)} add{'s' * (len(without) == 1)} {adds} = {100 * float(adds):+.2f} points")
    click.echo("\n" + "\n".join(wrapped(line) for line in lines))
