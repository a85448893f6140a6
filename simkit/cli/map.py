"""The command that shows maps."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

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
    "map", epilog=examples("simkit map", "simkit map ruins", "simkit map woods --density 0.4 --svg woods.svg")
)
@click.argument("name", required=False)
@click.option("--svg", "file", type=Place(), metavar="FILE", help="Draw it as an SVG file too.")
@click.option("--density", type=Share(), help="Sow forest on this share of its hexes.")
@click.option("--map-seed", type=Whole(0, 2**63 - 1), help="Which forest of that density.")
@click.option("--jugs", type=Whole(0, 12), default=1, show_default=True, help="Show where so many of each side start.")
@json_option
def map_(
    name: str | None, file: Path | None, density: float | None, map_seed: int | None, jugs: int, as_json: bool
) -> None:
    """Show a Jugger map, or list the maps there are."""
    if name is None:
        if file is not None or density is not None or map_seed is not None:
            raise Refusal("Which map? Name one: simkit map lists them.")
        _list(as_json)
        return
    shown = _found(name, density, map_seed)
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

    there_are = maps.load()
    if name not in there_are:
        hint = meant(name, there_are) or f" There are: {', '.join(there_are)}."
        raise Refusal(f"There is no map {shortened(name)}.{hint}")
    found = there_are[name]
    if density is None and map_seed is None:
        return found
    density = found.density if density is None else density
    if density is None:
        raise Refusal(f"The map {name} is not sown; --map-seed needs --density with it.")
    wanted = maps.sown(found, density, found.map_seed if map_seed is None else map_seed)
    for complaint in maps.complaints(wanted):
        raise Refusal(f"The map {name}: {complaint.message}.")
    return wanted


def _described(map: "HexMap") -> dict[str, Any]:
    from simkit.games.jugger.maps import LISTS

    hexes = {field: map.places(kind) for kind, field in LISTS.items()}
    return map.model_dump(exclude={"symmetric"}) | {"hexes": len(map.hexes())} | hexes


def _list(as_json: bool) -> None:
    from simkit.games.jugger.maps import load

    found = load()
    if as_json:
        print_json({"schema": 1, "maps": [{"name": name, **_described(map)} for name, map in found.items()]})
        return
    rows = [[name, _size(map), str(len(map.hexes())), str(len(map.kinds())), map.says] for name, map in found.items()]
    click.echo(table(["name", "size", "hexes", "not plain", "what it is like"], rows, right=(2, 3)))
    click.echo("\nnext: simkit map ruins")


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
