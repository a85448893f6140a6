"""The command that lets units cross a lane which nobody holds: march."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simkit.cli.common import (
    Place,
    Refusal,
    examples,
    house_option,
    json_option,
    mutter,
    parse_settings,
    print_json,
    set_option,
    yes_option,
)
from simkit.cli.layout import table, wrapped

if TYPE_CHECKING:
    from simkit.lab.plan import Cell, Plan

FIRST = 6
"""Rounds in a table on the screen."""

OPENED = "o"
"""Marks a place at which a closed unit stands open."""

NAMED = 4
"""Most units that a sentence names."""

Data = Mapping[str, Any]


@click.command(
    epilog=examples(
        "simkit march",
        "simkit march experiments/marches/woods_and_hill.toml --plot march.svg",
        "simkit march --unit elves --unit heavy-cavalry --set terrain_stack=multiply",
    )
)
@click.argument("file", required=False, type=Place())
@click.option("--unit", "units", multiple=True, metavar="NAME", help="Only this unit, or this preset; repeatable.")
@click.option(
    "--cell", metavar="CELL", help="Of an experiment: row of its table, or axis=value; the first if left out."
)
@click.option("--plot", type=Place(), metavar="FILE", help="Draw place over rounds into this file (.svg or .png).")
@house_option
@set_option
@yes_option
@json_option
def march(
    file: Path | None,
    units: tuple[str, ...],
    cell: str | None,
    plot: Path | None,
    house: tuple[str, ...],
    settings: tuple[str, ...],
    yes: bool,
    as_json: bool,
) -> None:
    """How many rounds units take to cross a lane, exactly; nothing is played.

    FILE is a march (game, lane, and who marches: units = [..], or every preset) or any experiment whose units march:
    then both sides cross its ground as if nobody met them. Without a lane, or without FILE, it is what every kind of
    ground leaves of a round.
    """
    from simkit.cli.rate import understood
    from simkit.lab import marches

    if file is not None and house:
        raise Refusal('--house goes without FILE; a file names its own: house_rules = ["its-id"].')
    with understood():
        document = marches.document(
            file,
            units=units,
            house=house,
            overrides=parse_settings(settings),
            choose=None if cell is None else lambda plan: _found(plan, cell),
            patient=yes,
        )
    if plot is not None and document["lane"] is None:
        raise Refusal("--plot draws a march over a lane: name a FILE that has one.")
    if plot is not None:
        _draw(document, plot)
    if as_json:
        print_json(document)
    else:
        for line in _lines(document):
            click.echo(line)
        if plot is None and file is not None and document["lane"] is not None:
            click.echo(f"\nnext: simkit march {shlex.quote(str(file))} --plot march.svg")
    if plot is not None:
        (mutter if as_json else click.echo)(f"{'' if as_json else chr(10)}wrote {plot}")


def _found(plan: "Plan", cell: str) -> "Cell":
    from simkit.lab.cells import find_cell

    return find_cell(plan, cell)


def _draw(document: Data, path: Path) -> None:
    from simkit.report.marches import draw

    try:
        draw(document, path)
    except ValueError as error:
        raise Refusal(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
    except OSError as error:
        raise Refusal(f"Cannot write {path}: {error.strerror or error}.") from error


# Text


def inches(value: int | str) -> str:
    """Write inches as people do.

    Examples
    --------
    >>> inches(4), inches("1/3"), inches("32/3")
    ('4', '1/3', '10 2/3')
    """
    whole, rest = divmod(Fraction(value), 1)
    return " ".join([*([str(whole)] if whole or not rest else []), *([str(rest)] if rest else [])])


def _lines(document: Data) -> Iterator[str]:
    from simkit.cli.rate import changed_lines
    from simkit.lab.inforce import Changed

    units = document["units"]
    if document["question"]:
        yield wrapped(document["question"])
    if document["lane"] is None:
        yield wrapped("Inches in a round that is spent on one kind of ground; - where nobody gets.")
        yield "\n" + _on_ground(units, [kind["name"] for kind in document["terrain"]])
        yield "\n" + _terrain(document)
    else:
        yield wrapped(_summary(units))
        yield wrapped(f"The lane, from side a: {_lane_words(document['lane'])}.")
        note = "; o: a closed unit is open there" if any(unit["formation"] == "closed" for unit in units) else ""
        yield f"\nInches from the start after each round{note}:\n\n{_rounds(units)}"
        kinds = _kinds_on(document)
        if kinds:
            yield "\nInches in a round that is spent on one of them alone:\n\n" + _on_ground(units, kinds)
    if document["changed"]:
        yield ""
        changes = [Changed(**one) for one in document["changed"]]
        yield from (wrapped(line, further="  ") for line in changed_lines(changes))


def _summary(units: Sequence[Data]) -> str:
    """Say who is across first, who last, and who never."""
    rounds = {k: unit["rounds"] for k, unit in enumerate(units) if unit["crossed"]}
    says = []
    if rounds:
        first, last = min(rounds.values()), max(rounds.values())
        if first == last:
            says.append(f"Everybody who gets across takes {_counted(first)}")
        else:
            says += [f"First across, {_who(units, rounds, first)}", f"last, {_who(units, rounds, last)}"]
    never = [unit["title"] for unit in units if not unit["crossed"]]
    if never:
        says.append(f"never: {_listed(never)}")
    text = "; ".join(says)
    return f"{text[:1].upper()}{text[1:]}."


def _who(units: Sequence[Data], rounds: Mapping[int, int], count: int) -> str:
    names = [units[k]["title"] for k, taken in rounds.items() if taken == count]
    return f"in {_counted(count)}: {_listed(list(dict.fromkeys(names)))}"


def _listed(names: Sequence[str]) -> str:
    if len(names) <= NAMED:
        return ", ".join(names)
    return f"{', '.join(names[: NAMED - 1])} and {len(names) - NAMED + 1} more"


def _counted(rounds: int) -> str:
    return f"{rounds} round{'' if rounds == 1 else 's'}"


def _lane_words(lane: Data) -> str:
    stretches = []
    for one in lane["ground"]:
        high = f" ({one['height']} ft up)" if one["height"] else ""
        stretches.append(f"{one['kind']}{high} to {inches(one['to'])}")
    points = [f"a {point['kind']} at {inches(point['at'])}" for point in lane["points"]]
    return "; ".join([", ".join(stretches), *points])


def _rounds(units: Sequence[Data]) -> str:
    shown = min(FIRST, max((len(unit["legs"]) for unit in units), default=0))
    sides = len({unit["side"] for unit in units}) > 1
    formations = len({unit["formation"] for unit in units}) > 1
    headers = ["unit", *(["side"] * sides), *(["formation"] * formations), "MV", *(str(k + 1) for k in range(shown))]
    rows = []
    for unit in units:
        places = [inches(leg["place"]) + OPENED * _is_opened(unit, leg) for leg in unit["legs"][:shown]]
        about = [unit["title"], *([unit["side"]] * sides), *([unit["formation"]] * formations)]
        rounds = str(unit["rounds"]) if unit["crossed"] else "never"
        rows.append([*about, inches(unit["mv"]), *places, *[""] * (shown - len(places)), rounds, _paid(unit)])
    return table(
        [*headers, "rounds\nto cross", "pays for"], rows, right=range(1 + sides + formations, len(headers) + 1)
    )


def _is_opened(unit: Data, leg: Data) -> bool:
    return unit["formation"] == "closed" and not leg["closed"]


def _paid(unit: Data) -> str:
    """Say what a unit pays for on its way, and how often."""
    counted = Counter(one["kind"] for leg in unit["legs"] for one in leg["paid"])
    return ", ".join(f"{kind} x {count}" if count > 1 else kind for kind, count in counted.items())


def _kinds_on(document: Data) -> list[str]:
    """List the kinds of ground, as the table of terrain has them, that a lane has."""
    lane = document["lane"]
    there = {one["kind"] for one in lane["ground"]} | {"obstacle" for _ in lane["points"]}
    heights = [one["height"] for one in lane["ground"]]
    if len(set(heights)) > 1:
        there.add("up 10 ft")
    return [kind["name"] for kind in document["terrain"] if kind["name"] in there]


def _on_ground(units: Sequence[Data], kinds: Sequence[str]) -> str:
    rows = []
    for unit in {unit["name"]: unit for unit in units}.values():
        there = [unit["terrain"][kind] for kind in kinds]
        on = ["-" if one is None else inches(one) for one in there]
        rows.append([unit["title"], inches(unit["mv"]), *on])
    headers = ["unit", "MV", *(kind.replace(", ", ",\n").replace("up ", "up\n") for kind in kinds)]
    return table(headers, rows, right=range(1, len(headers)))


def _terrain(document: Data) -> str:
    rows = [
        [kind["name"], ", ".join(kind["shares"]), kind["closed"], kind["charge"], kind["id"]]
        for kind in document["terrain"]
    ]
    costs = "costs are added up" if document["stack"] == "add" else "costs are multiplied"
    return table(["ground", f"of a move\n({costs})", "closed", "charge", "rule"], rows)
