"""What needs no dice, from Python: the rules of a game, ratings, marches."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from simkit.games import protocol
from simkit.lab.cells import find_cell


def rules(game: str) -> list[protocol.RuleField]:
    """Return every number, switch and ruling of a game, with its sentence and source."""
    return protocol.rule_fields(protocol.load(game).Rules())


def rate(
    source: str | Path,
    *names: str,
    house: Sequence[str | Path] = (),
    set: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Rate designs under some rules, beside the rules of record; nothing is played.

    Parameters
    ----------
    source
        A game, whose presets are rated; or a file: an experiment, a march, or a house rule.
    names
        Only these designs, by name or title.
    house
        House rules, by id or by file; with a game only, as a file names its own.
    set
        Values by dotted path that win over everything else.

    Returns
    -------
    dict
        What ``simkit rate --json`` prints.

    Raises
    ------
    LookupError
        The game rates nothing, or there is no such design.
    ProblemError
        With every problem of the file, of a house rule or of a value.
    ValueError
        House rules beside a file.

    Examples
    --------
    >>> rate("battlesystem", "Worg riders")["designs"][0]["ratings"]["hd"]
    3
    """
    from simkit.lab import rated

    if isinstance(source, str) and source in protocol.find():
        return rated.of_presets(source, names, [str(one) for one in house], set).to_json()
    if house:
        raise ValueError("a file names its house rules itself: house_rules = [..]")
    return rated.of_file(Path(source), names, set, patient=True).to_json()


def march(
    file: str | Path | None = None,
    *,
    units: Sequence[str] = (),
    cell: int | str | None = None,
    house: Sequence[str | Path] = (),
    set: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Let units cross a lane that nobody holds, exactly.

    Parameters
    ----------
    file
        A march, or an experiment whose units march; without it, what every kind of ground leaves of a move.
    units
        Only these units, by name or title.
    cell
        Of an experiment: as for :func:`replay`; the first when left out.
    house
        House rules, by id or by file; without a file only, as a file names its own.
    set
        Values by dotted path that win over everything else.

    Returns
    -------
    dict
        What ``simkit march --json`` prints.

    Raises
    ------
    LookupError
        Nothing marches in the game, or there is no such unit.
    ProblemError
        With every problem of the file, of a house rule or of a value.
    ValueError
        House rules or a cell where they do not belong.

    Examples
    --------
    >>> [unit["terrain"]["woods"] for unit in march(units=["militia", "elves"])["units"]]
    [8, 12]
    """
    from simkit.lab import marches

    choose = None if cell is None else functools.partial(find_cell, wanted=cell)
    path = None if file is None else Path(file)
    houses = [str(one) for one in house]
    return marches.document(path, units=units, house=houses, overrides=set, choose=choose, patient=True)
