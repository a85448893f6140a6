"""Marches: files that ask how far units get over ground, a round at a time; nothing is played."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from simkit.games import protocol
from simkit.games.protocol import Game, Marching
from simkit.lab import inforce, toml
from simkit.lab.experiment import SCHEMA, Name, Schema, Text
from simkit.lab.house import toml_text
from simkit.lab.problems import Problem, ProblemError, did_you_mean, from_pydantic
from simkit.lab.strict import STRICT
from simkit.lab.toml import Document

if TYPE_CHECKING:
    from simkit.lab.plan import Cell, Plan

MARKS = ("lane", "units", "formation", "side")
"""Settings that only a march has."""


class MarchHead(BaseModel):
    """What the file of a march has whatever its game."""

    model_config = STRICT

    schema_: Schema = Field(alias="schema", description="version of the file format: 1")
    name: Name | None = Field(None, description="what the march is called")
    question: Text = Field("", description="the question in one sentence")
    game: Annotated[str, Field(max_length=64)] = Field(description="which rules: see simkit games")
    house_rules: Annotated[list[Text], Field(max_length=64)] = Field(
        default_factory=list, description="house rules by id or by file, later ones win"
    )
    set: dict[str, Any] = Field(default_factory=dict, description="rules changed for this march, by dotted path")


@dataclass(frozen=True)
class March:
    """A march that was read."""

    game: Game
    marching: Marching
    tables: Any
    """Units and lane, as the game reads them."""
    rules: Any
    document: Document | None = None

    def worked_out(self) -> dict[str, Any]:
        """Return what becomes of it, as plain data of the game."""
        return self.marching.march(self.tables, self.rules)


def is_march(data: Mapping[str, Any]) -> bool:
    """Tell whether the data of a file are those of a march: it says of units or lane, and of no sides."""
    return "game" in data and "sides" not in data and any(mark in data for mark in MARKS)


def marcher(game: Game) -> Marching:
    """Return how units of a game march.

    Raises
    ------
    LookupError
        Nothing marches in it; the text says in which games something does.
    """
    found = protocol.marching_of(game)
    if found is None:
        raise LookupError(f"nothing marches in {game.TITLE}; games with marches: {', '.join(games())}")
    return found


def games() -> list[str]:
    """List the games in which units march."""
    return [name for name in protocol.find() if protocol.marching_of(protocol.load(name)) is not None]


def model(marching: Marching) -> type[BaseModel]:
    """Return the model of the file of a march: what every file has, and what the game adds."""
    return type("MarchFile", (MarchHead, marching.MarchTables), {"__module__": __name__, "__doc__": "A march."})


def listed_names(given: Sequence[str]) -> Sequence[str]:
    """Return names that are handed over as a list, or say that they are none.

    Raises
    ------
    ValueError
        They are one text, whose letters would be taken for names, or some are no text.

    Examples
    --------
    >>> listed_names(["orcs", "elves"])
    ['orcs', 'elves']
    """
    if isinstance(given, str) or not all(isinstance(one, str) for one in given):
        raise ValueError(f"names are texts in a list, such as ['orcs', 'elves'], not {given!r:.80}")
    return given


def plain(
    name: str, units: Sequence[str] = (), house: Sequence[str] = (), overrides: Mapping[str, Any] | None = None
) -> March:
    """Return a march over no lane at all, which shows every kind of ground.

    Parameters
    ----------
    name
        The game.
    units
        Presets by id or title; a few that are typical where none is named.
    house, overrides
        House rules by id or by file, and values of the rules by dotted path.

    Raises
    ------
    LookupError
        Nothing marches in the game.
    ProblemError
        A unit, a house rule or a value is wrong.
    """
    game = protocol.load(name)
    marching = marcher(game)
    rules = inforce.settle(game, inforce.named_outside(house), overrides=overrides)
    tables = marching.MarchTables.model_validate({"units": list(units)} if units else {})
    _refuse(marching, tables, rules, toml.parse(f"units = {toml_text(list(units))}", "--unit"))
    return March(game, marching, tables, rules)


def read(source: Path | Document, overrides: Mapping[str, Any] | None = None, units: Sequence[str] = ()) -> March:
    """Read the file of a march.

    Parameters
    ----------
    source
        The file, or its document.
    overrides
        Values of the rules, by dotted path.
    units
        Who marches, in place of those of the file.

    Raises
    ------
    ProblemError
        With every problem of the file.
    """
    document = source if isinstance(source, Document) else toml.read(source)
    if "for" in document.data and "game" not in document.data:
        message = "this is a house rule, not a march"
        help = 'name it in one: house_rules = ["its-file-name"]'
        raise ProblemError([Problem("file", message, document.path, help=help)], document.sources)
    game, marching = _game(document)
    if units:
        document = Document({**document.data, "units": list(units)}, document.path, document.text)
    whole = model(marching)
    try:
        tables = whole.model_validate(document.data)
    except ValidationError as error:
        raise ProblemError(from_pydantic(error, document, model=whole), document.sources) from error
    rules = inforce.settle(game, inforce.named_by(document), document, overrides)
    _refuse(marching, tables, rules, document)
    return March(game, marching, tables, rules, document)


def _game(document: Document) -> tuple[Game, Marching]:
    name = document.data.get("game")
    if not isinstance(name, str):
        message = "a march needs 'game'" if name is None else "'game' must be a text"
        raise ProblemError([_problem(document, message, f"games with marches: {', '.join(games())}")], document.sources)
    try:
        game = protocol.load(name)
        return game, marcher(game)
    except protocol.UnknownGameError:
        close = did_you_mean(name, protocol.find())
        hint = f"did you mean '{close}'? " if close else ""
        message, help = f"no game is called '{name[:80]}'", f"{hint}games with marches: {', '.join(games())}"
    except LookupError as error:
        message, _, help = str(error).partition("; ")
    raise ProblemError([_problem(document, message, help)], document.sources)


def _problem(document: Document, message: str, help: str) -> Problem:
    return Problem("value", message, document.path, document.where(("game",), "value"), help)


def _refuse(marching: Marching, tables: Any, rules: Any, document: Document) -> None:
    """Raise if a march is illegal."""
    problems = []
    for complaint in marching.march_complaints(tables, rules):
        message = complaint.message + (f" ({complaint.id})" if complaint.id else "")
        span = document.where(complaint.path, "value")
        problems.append(Problem("rule", message, document.path, span, complaint.help or None))
    if problems:
        raise ProblemError(problems, document.sources)


def document(
    file: Path | None = None,
    *,
    units: Sequence[str] = (),
    house: Sequence[str] = (),
    overrides: Mapping[str, Any] | None = None,
    choose: "Callable[[Plan], Cell] | None" = None,
    patient: bool = False,
) -> dict[str, Any]:
    """Return a march worked out, as plain data: what ``simkit march --json`` prints.

    Parameters
    ----------
    file
        A march, or an experiment whose units march; None shows every kind of ground.
    units
        Who marches, by name or title: of an experiment some of its units, else any design or preset.
    house
        House rules by id or by file, where there is no file that could name them.
    overrides
        Values by dotted path that win over everything else.
    choose
        Picks the cell of an experiment; the first where nothing is said.
    patient
        True plans an experiment of any size, False refuses one of more cells than ``simkit check`` does.

    Returns
    -------
    dict
        ``schema``, ``game``, ``question``, ``changed`` (rules that are not those of record), and what the game says of
        its marches.

    Raises
    ------
    LookupError
        Nothing marches in the game, or a unit is not there; the text says what there is.
    ValueError
        House rules or a cell are named where they do not belong; or the units are no list of names.
    ProblemError
        With every problem of the file.
    """
    listed_names(units)
    if file is None:
        if choose is not None:
            raise ValueError("a cell goes with an experiment; there is no file")
        made = plain(games()[0], units, house, overrides)
        return _document(made.game, made.worked_out(), made.rules)
    if house:
        raise ValueError("a file names its house rules itself: house_rules = [..]")
    read_from = toml.read(file)
    if "sides" in read_from.data:
        return _of_experiment(read_from, units, overrides, choose, patient)
    if choose is not None:
        raise ValueError("a cell goes with an experiment; this is a march")
    made = read(read_from, overrides, units)
    return _document(made.game, made.worked_out(), made.rules, str(read_from.data.get("question", "")))


def _document(game: Game, found: dict[str, Any], rules: Any, question: str = "") -> dict[str, Any]:
    changed = inforce.plain(inforce.changed([rules]))
    return {"schema": SCHEMA, "game": game.NAME, "question": question, "changed": changed, **found}


def _of_experiment(
    source: Document,
    units: Sequence[str],
    overrides: Mapping[str, Any] | None,
    choose: "Callable[[Plan], Cell] | None",
    patient: bool,
) -> dict[str, Any]:
    from simkit.lab import check, plan

    if not patient:
        check.refuse_many_cells(source)
    made = plan.make(source, overrides=overrides)
    marching = marcher(made.game)
    cell = made.cells[0] if choose is None else choose(made)
    found = marching.march_scenario(cell.scenario, cell.rules)
    for name in units:
        there = {text.lower() for unit in found["units"] for text in (unit["name"], unit["title"])}
        if name.lower() not in there:
            names = [unit["name"] for unit in found["units"]]
            close = did_you_mean(name, names)
            hint = f"did you mean '{close}'? " if close else ""
            raise LookupError(f"no unit of {source.path} is called '{name[:64]}'; {hint}there are: {', '.join(names)}")
    if units:
        wanted = {name.lower() for name in units}
        found["units"] = [one for one in found["units"] if wanted & {one["name"].lower(), one["title"].lower()}]
    return _document(made.game, found, cell.rules)
