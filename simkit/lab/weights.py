"""Files of tuned weights: how the players of a game weigh, found by trial and kept with where they come from.

``simkit tune`` writes such a file. An experiment names it, ``tuned = ["mine.toml"]``, and has its tables
``[weights.NAME]`` then as if they stood in the experiment itself, whose own come first.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import tomli_w
from pydantic import BaseModel, Field, ValidationError

from simkit.games import protocol
from simkit.lab import toml
from simkit.lab.experiment import Name, Schema, Text
from simkit.lab.problems import Problem, ProblemError, from_pydantic
from simkit.lab.strict import STRICT
from simkit.lab.toml import Document

TUNED = "tuned"
WEIGHTS = "weights"


class TunedFile(BaseModel):
    """Weights by name, the game whose players they are for, and where they come from."""

    model_config = STRICT

    schema_: Schema = Field(alias="schema", description="version of the file format: 1")
    tuned: Annotated[str, Field(max_length=64)] = Field(description="the game whose players weigh so")
    title: Text = Field("", description="what was tuned")
    provenance: dict[str, Any] = Field(default_factory=dict, description="how they were found, and under which rules")
    weights: dict[Name, dict[str, Any]] = Field(description="values by name, with the design or family they are for")


def gathered(document: Document) -> Document:
    """Return an experiment with the weights of the files that it names.

    Raises
    ------
    ProblemError
        A file is not there, lies outside the folder of the experiment, is for another game, or is no such file.
    """
    named = document.data.get(TUNED)
    if not isinstance(named, list) or not all(isinstance(one, str) for one in named):
        return document  # missing, or a mistake that the model of an experiment tells
    own = document.data.get(WEIGHTS, {})
    if not isinstance(own, Mapping):
        return document
    found: dict[str, Any] = dict(own)
    for i, reference in enumerate(named):
        for name, table in _read(document, i, reference).weights.items():
            found.setdefault(name, table)
    rest = {key: value for key, value in document.data.items() if key != TUNED}
    return replace(document, data={**rest, WEIGHTS: found})  # of parts of a file their places stay known


def is_tuned(data: Mapping[str, Any]) -> bool:
    """Tell whether the data of a file are those of tuned weights."""
    return isinstance(data.get(TUNED), str) and "game" not in data


def check(document: Document) -> str:
    """Check a file of tuned weights, and say in a sentence what it is.

    Raises
    ------
    ProblemError
        With everything that is wrong with it.
    """
    from simkit.lab import plan

    try:
        file = TunedFile.model_validate(document.data)
    except ValidationError as error:
        raise ProblemError(from_pydantic(error, document, model=TunedFile), document.sources) from error
    if file.tuned not in protocol.find() or protocol.weighing_of(protocol.load(file.tuned)) is None:
        there = [name for name in protocol.find() if protocol.weighing_of(protocol.load(name)) is not None]
        message, help = f"nobody tunes players of '{file.tuned[:64]}'", f"games whose players weigh: {', '.join(there)}"
        span = document.where((TUNED,), "value")
        raise ProblemError([Problem("value", message, document.path, span, help)], document.sources)
    rated = protocol.ratings_of(protocol.load(file.tuned))
    side = {"design": rated.preset_names()[0]} if rated is not None else {}
    data = {"schema": 1, "name": "tuned", "game": file.tuned, "sides": {"a": side, "b": side}, WEIGHTS: file.weights}
    made = plan.make(Document(data, document.path, document.text))
    count = len(file.weights)
    return f"fine: {count} table{'' if count == 1 else 's'} of tuned weights for {made.game.TITLE}"


def _read(document: Document, i: int, reference: str) -> TunedFile:
    def refuse(message: str, help: str, kind: str = "file") -> ProblemError:
        span = document.where((TUNED, i), "value")
        return ProblemError([Problem(kind, message, document.path, span, help)], document.sources)

    path = _beside(Path(document.path).parent, reference)
    if path is None:
        message = f"there is no file of tuned weights '{reference[:80]}'"
        raise refuse(message, "a name that ends in .toml, in the folder of the experiment or below it")
    read = toml.read(path)
    try:
        file = TunedFile.model_validate(read.data)
    except ValidationError as error:
        raise ProblemError(from_pydantic(error, read, model=TunedFile), read.sources) from error
    game = document.data.get("game")
    if file.tuned != game:
        raise refuse(f"the weights of '{reference[:80]}' are for {file.tuned}, not for {game}", "", "meaning")
    return file


def _beside(near: Path, reference: str) -> Path | None:
    """Return a file that is named relative to a folder and lies in it, or None."""
    path = near / reference
    try:
        inside = not Path(reference).is_absolute() and path.resolve().is_relative_to(near.resolve())
        return path if inside and path.suffix == ".toml" and path.is_file() else None
    except (OSError, RuntimeError):  # a name too long, links in a circle
        return None


def written(game: str, title: str, provenance: Mapping[str, Any], weights: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of a file of tuned weights."""
    head = {"schema": 1, TUNED: game, "title": title, "provenance": dict(provenance)}
    return tomli_w.dumps({**head, WEIGHTS: {name: dict(table) for name, table in weights.items()}})
