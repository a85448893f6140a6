"""The command that shows maps."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simkit.cli import tablemap
from simkit.cli.common import Place, Refusal, Whole, examples, json_option, meant, print_json, shortened, writing
from simkit.cli.layout import table, wrapped

if TYPE_CHECKING:
    from simkit.games.jugger.maps import HexMap


class Share(click.ParamType):  # type: ignore[type-arg]
    """A share from 0 to 1."""

    name = "SHARE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number, or say what is allowed."""
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0 <= number <= 1:
            self.fail(f"{shortened(str(value))} is not a number from 0 to 1, such as 0.2.", param, ctx)
        return number


@click.command(
    "map",
    epilog=examples(
        "simkit map",
        "simkit map ruins",
        "simkit map woods --density 0.4 --svg woods.svg",
        "simkit map desert --legs 1 --svg desert.svg",
    ),
)
@click.argument("name", required=False)
@click.option("--svg", "file", type=Place(), metavar="FILE", help="Draw it as an SVG file too.")
@click.option("--density", type=Share(), help="Sow forest on this share of its hexes.")
@click.option("--map-seed", type=Whole(0, 2**63 - 1), help="Which forest of that density.")
@click.option("--jugs", type=Whole(0, 12), help="Show where so many of each side start; default 1, of a field all.")
@click.option("--legs", type=click.Choice(["1", "2"]), help="Of a table: what every place is worth by so many legs.")
@click.option("--without", multiple=True, metavar="PIECE", help="Of a table: what a piece adds.")
@click.option("--pig-moves", "moves", type=Whole(1, 1000), help="Of a table: the mean over random moves of the pig.")
@json_option
def map_(
    name: str | None,
    file: Path | None,
    density: float | None,
    map_seed: int | None,
    jugs: int | None,
    legs: str | None,
    without: tuple[str, ...],
    moves: int | None,
    as_json: bool,
) -> None:
    """Show a map of Jugger, a field of juggerball or a table of Pig Tickler, or list those there are."""
    if name is not None and tablemap.is_table(name):
        tablemap.show(name, file, None if legs is None else int(legs), without, moves, as_json)
        return
    if legs is not None or without or moves is not None:
        raise Refusal("--legs, --without and --pig-moves go with a table of Pig Tickler: simkit map desert --legs 1.")
    if name is None:
        if file is not None or density is not None or map_seed is not None:
            raise Refusal("Which map? Name one: simkit map lists them.")
        _list(as_json)
        return
    shown = _found(name, density, map_seed)
    if jugs is None:
        jugs = 1 if shown.lines(0) is None else 12
    if file is not None:
        from simkit.games.jugger.mapdraw import draw_svg

        with writing(file):
            file.write_text(draw_svg(shown, jugs=jugs), encoding="utf-8")
    if as_json:
        print_json({"schema": 1, "name": name, **_described(shown)})
        return
    _show(shown, jugs)
    if file is not None:
        click.echo(f"\nwrote {file}")


def _found(name: str, density: float | None, map_seed: int | None) -> "HexMap":
    """Return a map by name, with the forest that was asked for."""
    from simkit.games.jugger import maps

    there_are = _known()
    if name not in there_are:
        hint = meant(name, there_are) or f" There are: {', '.join(there_are)}."
        raise Refusal(f"There is no map {shortened(name)}.{hint}")
    found = there_are[name]
    if name not in maps.load() and (density, map_seed) != (None, None):
        raise Refusal(f"{name} is a field of juggerball, on which no forest is sown.")
    if density is None and map_seed is None:
        return found
    density = found.density if density is None else density
    if density is None:
        raise Refusal(f"The map {name} is not sown; --map-seed needs --density with it.")
    wanted = maps.sown(found, density, found.map_seed if map_seed is None else map_seed)
    for complaint in maps.complaints(wanted):
        raise Refusal(f"The map {name}: {complaint.message}.")
    return wanted


def _known() -> "dict[str, HexMap]":
    """Return the maps of Jugger and the fields of juggerball, by name."""
    from simkit.games.jugger.maps import load
    from simkit.games.juggerball import fields

    return {**load(), **{name: field.map(goals=True) for name, field in fields.load().items()}}


def _described(map: "HexMap") -> dict[str, Any]:
    from simkit.games.jugger.maps import LISTS

    hexes = {field: map.places(kind) for kind, field in LISTS.items()}
    return map.model_dump(exclude={"symmetric"}) | {"hexes": len(map.hexes())} | hexes


def _list(as_json: bool) -> None:
    from simkit.games.jugger.maps import load

    found, first = _known(), load()
    if as_json:
        told = {name: {"name": name, **_described(map)} for name, map in found.items()}
        kinds = {"maps": [told[name] for name in first], "fields": [told[name] for name in told if name not in first]}
        print_json({"schema": 1, **kinds, "tables": tablemap.described()})
        return
    rows = [[name, _size(map), str(len(map.hexes())), str(_standing(map)), map.says] for name, map in found.items()]
    click.echo(table(["name", "size", "hexes", "not plain", "what it is like"], rows, right=(2, 3)))
    tables = [[str(value) for value in row.values()] for row in tablemap.described()]
    click.echo("\n" + table(["table", "shape", "pieces", "starts", "what it is like"], tables, right=(3,)))
    click.echo("\nnext: simkit map ruins")


def _standing(map: "HexMap") -> int:
    """Return on how many hexes something stands; goals are part of a field."""
    return sum(str(kind) != "goal" for kind in map.kinds().values())


def _size(map: "HexMap") -> str:
    return f"{2 * map.half_length + 1} x {2 * map.half_rows + 1}"


def _show(map: "HexMap", jugs: int) -> None:
    """Print a map; where the terminal cannot show its signs, in ASCII."""
    from simkit.games.jugger.mapdraw import draw_text, legend

    drawn = f"{draw_text(map, jugs)}\n\n{legend(map, jugs)}"
    try:
        drawn.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        drawn = f"{draw_text(map, jugs, ascii=True)}\n\n{legend(map, jugs, ascii=True)}"
    click.echo(wrapped(f"{map.title}: {map.says} ({_size(map)} hexes)") + "\n")
    click.echo(drawn)
