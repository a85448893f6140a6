"""Ratings of designs as somebody asks for them: of presets, or of a file, beside those by the rules of record."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from simkit.games import protocol
from simkit.games.protocol import Game, Rated, Ratings
from simkit.lab import inforce, marches, toml
from simkit.lab.inforce import Changed
from simkit.lab.problems import Problem, ProblemError, did_you_mean
from simkit.lab.toml import Document

if TYPE_CHECKING:
    from simkit.lab.plan import Plan


class Entry(NamedTuple):
    """A design with its ratings."""

    rated: Rated
    record: Rated | None
    """Its ratings by the rules of record; None where it has none by them."""
    cells: tuple[int, ...] = ()
    """The cells of an experiment, from 1, in which it is rated so; empty where there are no cells."""
    where: Mapping[str, str] = MappingProxyType({})
    """What all these cells have in common: axis, as a player would call it, to value."""

    @property
    def changes(self) -> dict[str, tuple[str, str]]:
        """What the rules in force change: rating to what it is by the rules of record, and now."""
        if self.record is None:
            return {}
        pairs = {name: (self.record.row.get(name, ""), text) for name, text in self.rated.row.items()}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


@dataclass(frozen=True)
class Sheet:
    """Designs with their ratings."""

    game: Game
    entries: list[Entry]
    changed: list[Changed]

    def to_json(self) -> dict[str, Any]:
        """Return what ``simkit rate --json`` prints."""
        return {
            "schema": 1,
            "game": self.game.NAME,
            "changed": inforce.plain(self.changed),
            "designs": [_plain(entry) for entry in self.entries],
        }

    def only(self, names: Sequence[str], where: str) -> "Sheet":
        """Return the sheet with some of its designs alone, by name or title.

        Raises
        ------
        LookupError
            There is no such design; the text says which there are.
        """
        if not names:
            return self
        kept = []
        for name in names:
            found = [one for one in self.entries if name.lower() in (one.rated.name.lower(), one.rated.title.lower())]
            if not found:
                there = list(dict.fromkeys(one.rated.name for one in self.entries))
                close = did_you_mean(name, there)
                hint = f"did you mean '{close}'? " if close else ""
                raise LookupError(f"no design of {where} is called '{name[:64]}'; {hint}there are: {', '.join(there)}")
            kept += [one for one in found if one not in kept]
        return Sheet(self.game, kept, self.changed)


def _plain(entry: Entry) -> dict[str, Any]:
    rated, record = entry.rated, entry.record
    by_record = {} if record is None else record.numbers
    other = {key: value for key, value in by_record.items() if rated.numbers.get(key) != value}
    return {
        "name": rated.name,
        "title": rated.title,
        "ratings": dict(rated.numbers),
        "record": None if record is None else other,
        "cells": list(entry.cells),
        "where": dict(entry.where),
        "steps": list(rated.steps),
        "illegal": list(rated.illegal),
    }


def rater(game: Game) -> Ratings:
    """Return how a game rates designs.

    Raises
    ------
    LookupError
        It does not; the text says which games do.
    """
    found = protocol.ratings_of(game)
    if found is None:
        there = [name for name in protocol.find() if protocol.ratings_of(protocol.load(name)) is not None]
        raise LookupError(f"{game.TITLE} rates no designs; games that do: {', '.join(there)}")
    return found


def of_presets(
    name: str, wanted: Sequence[str] = (), house: Sequence[str] = (), overrides: Mapping[str, Any] | None = None
) -> Sheet:
    """Rate presets of a game.

    Parameters
    ----------
    name
        The game.
    wanted
        Presets by id or title; all of them where none is named.
    house
        House rules in force, by id or by file.
    overrides
        Values of the rules, by dotted path.

    Raises
    ------
    LookupError
        The game rates nothing, or a preset is not there; the text says what there is.
    ProblemError
        A house rule or a value is wrong.
    ValueError
        The presets are no list of names.
    """
    marches.listed_names(wanted)
    game = protocol.load(name)
    return _presets(game, wanted, inforce.settle(game, inforce.named_outside(house), overrides=overrides))


def _presets(game: Game, wanted: Sequence[str], rules: Any) -> Sheet:
    by, record = rater(game), game.Rules()
    names = list(dict.fromkeys(wanted or by.preset_names()))
    entries = [Entry(by.rate_preset(name, rules), by.rate_preset(name, record)) for name in names]
    return Sheet(game, entries, inforce.changed([rules]))


def of_file(
    file: Path, wanted: Sequence[str] = (), overrides: Mapping[str, Any] | None = None, *, patient: bool = False
) -> Sheet:
    """Rate every design of a file: an experiment, a march, or, of a house rule, the presets that it changes.

    Parameters
    ----------
    file
        The file.
    wanted
        Designs by name or title; all of them where none is named.
    overrides
        Values of the rules, or of the scenario, by dotted path.
    patient
        True rates in a sweep of any size, False refuses one of more cells than ``simkit check`` does.

    Raises
    ------
    LookupError
        The game rates nothing, or a design is not there; the text says what there is.
    ProblemError
        With every problem of the file.
    ValueError
        The designs are no list of names.
    """
    from simkit.lab import check
    from simkit.lab import plan as planning

    marches.listed_names(wanted)
    document = toml.read(file)
    if check.is_house_rule(document.data):
        return _of_house_rule(document, wanted, overrides)
    if marches.is_march(document.data):
        march = marches.read(document, overrides)
        rated = march.marching.march_ratings(march.tables, march.rules)
        by_record = {one.name: one for one in march.marching.march_ratings(march.tables, march.game.Rules())}
        entries = [Entry(one, by_record.get(one.name)) for one in rated]
        return Sheet(march.game, entries, inforce.changed([march.rules])).only(wanted, document.path)
    if not patient:
        check.refuse_many_cells(document)
    return _of_experiment(planning.make(document, overrides=overrides)).only(wanted, document.path)


def _of_house_rule(document: Document, wanted: Sequence[str], overrides: Mapping[str, Any] | None) -> Sheet:
    """Rate the presets that a house rule changes, or those that are named."""
    from simkit.lab import check

    check.check_file(Path(document.path))  # what is wrong with it is said as elsewhere
    game = protocol.load(document.data["for"])
    path = Path(document.path)
    sheet = _presets(game, wanted, inforce.settle(game, inforce.named_outside([_file(path)]), overrides=overrides))
    return (
        sheet
        if wanted
        else Sheet(game, [one for one in sheet.entries if one.changes or one.rated.illegal], sheet.changed)
    )


def _file(path: Path) -> str:
    """Return the name of a file so that it is not taken for an id."""
    return str(path) if "/" in str(path) or path.suffix else f"./{path}"


def _of_experiment(plan: "Plan") -> Sheet:
    by = _rater_of(plan)
    made: dict[tuple[int, int], list[tuple[Rated, Rated | None]]] = {}
    found: dict[str, tuple[Rated, Rated | None, list[int]]] = {}
    for cell in plan.cells:
        pair = (id(cell.scenario), id(cell.rules))
        if pair not in made:
            record = _by_record(plan.game, by, cell.scenario)
            rated = by.rate_scenario(cell.scenario, cell.rules)
            made[pair] = [(one, record.get(one.name)) for one in rated]
        for one, other in made[pair]:
            mark = json.dumps([one.name, one.numbers], sort_keys=True)
            found.setdefault(mark, (one, other, []))[2].append(cell.number)
    names = list(dict.fromkeys(one.name for one, _, _ in found.values()))
    alike = sorted(found.values(), key=lambda one: names.index(one[0].name))
    entries = [Entry(one, record, tuple(cells), _common(plan, cells)) for one, record, cells in alike]
    return Sheet(plan.game, entries, inforce.changed([cell.rules for cell in plan.cells]))


def _common(plan: "Plan", numbers: Sequence[int]) -> dict[str, str]:
    """Return what the labels of some cells have in common."""
    labels = [plan.cells[number - 1].labels for number in numbers]
    shared = {axis: value for axis, value in labels[0].items() if all(other[axis] == value for other in labels)}
    return {plan.title(axis): value for axis, value in shared.items()}


def _rater_of(plan: "Plan") -> Ratings:
    try:
        return rater(plan.game)
    except LookupError as error:
        message, _, help = str(error).partition("; ")
        at = plan.document.where(("game",), "value")
        raise ProblemError([Problem("value", message, plan.document.path, at, help)], plan.document.sources) from error


def _by_record(game: Game, by: Ratings, scenario: Any) -> dict[str, Rated]:
    """Rate a scenario by the rules of record, if it is legal by them."""
    record = game.Rules()
    return {} if game.complaints(scenario, record) else {one.name: one for one in by.rate_scenario(scenario, record)}
