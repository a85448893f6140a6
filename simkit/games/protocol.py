"""What a game offers to the rooms above it.

A game is a folder with a ``game.py`` whose module-level names are those of :class:`Game`. There is no
list to add it to: :func:`find` looks into the folder, and one contract test runs over every game it
finds.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

SOURCES = {
    "R": "stated by the rules",
    "Q": "a ruling: the rules are silent or can be read two ways",
    "B": "assumed from the base game",
}
"""What the letter before a rule's number means."""


class RuleSet(BaseModel):
    """Base of every game's ``Rules``: strict, closed and immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, validate_default=True)


def number(default: Any, says: str, *, id: str, source: str, **limits: Any) -> Any:
    """Declare one number, switch or choice of a rule set: its default, a sentence, its rule id and its source.

    Parameters
    ----------
    default
        The value of the rules of record.
    says
        One sentence that a player understands.
    id
        Rule id such as ``"P-DN-1"``.
    source
        ``"R"``, ``"Q"`` or ``"B"`` (see ``SOURCES``).
    limits
        Passed to pydantic: ``ge``, ``le``, ``max_length``.
    """
    if source not in SOURCES:
        raise ValueError(f"source {source!r} is not one of {', '.join(SOURCES)}")
    return Field(default, description=says, json_schema_extra={"id": id, "source": source}, **limits)


class RuleField(NamedTuple):
    """One addressable number of a rule set, as ``simkit rules`` shows it."""

    path: str
    value: Any
    default: Any
    id: str
    source: str
    says: str
    allowed: str


def rule_fields(rules: RuleSet) -> list[RuleField]:
    """List every field of a rule set by dotted path, entries of tables included."""
    defaults = type(rules)()
    rows = []
    for name, info in type(rules).model_fields.items():
        extra = cast(dict[str, Any], info.json_schema_extra)
        value, default = getattr(rules, name), getattr(defaults, name)
        id, source = extra["id"], extra["source"]
        if isinstance(value, Mapping):
            says, sources = extra.get("entries", {}), extra.get("sources", {})
            for key in dict.fromkeys([*default, *value]):
                sentence = says.get(key, info.description)
                origin = sources.get(key, source)
                rows.append(
                    RuleField(f"{name}.{key}", value.get(key), default.get(key), id, origin, sentence, allowed(info))
                )
        else:
            rows.append(RuleField(name, value, default, id, source, info.description or "", allowed(info)))
    return rows


def allowed(info: FieldInfo) -> str:
    """Say in words which values a field takes."""
    from typing import Literal, get_args, get_origin

    hint, limits = info.annotation, list(info.metadata)
    if get_origin(hint) is dict:  # what each entry may be
        entry = FieldInfo.from_annotation(get_args(hint)[1])
        hint, limits = entry.annotation, list(entry.metadata)
    if get_origin(hint) is Literal:
        return " | ".join(f'"{choice}"' for choice in get_args(hint))
    if hint is bool:
        return "true | false"
    low = next((limit.ge for limit in limits if hasattr(limit, "ge")), None)
    high = next((limit.le for limit in limits if hasattr(limit, "le")), None)
    if low is not None and high is not None:
        return f"{low} to {high}"
    return {str: "dice such as 2d6", int: "a whole number"}.get(cast(Any, hint), "a value")


class Metric(NamedTuple):
    """One outcome column of a game."""

    name: str
    kind: str
    """``"share"``: 0 or 1 in every trial; ``"count"``: a whole number."""
    unit: str
    says: str
    highest: int | None = None
    """Greatest value a trial can show, or None when nothing bounds it."""


class Complaint(NamedTuple):
    """Why a scenario is illegal: where (a key path), what, and what would help."""

    path: tuple[str | int, ...]
    message: str
    id: str = ""
    help: str = ""


class Line(NamedTuple):
    """One line of a retold trial."""

    text: str
    kind: str
    """``"turn"`` opens a turn, ``"throw"`` tells dice, ``"ride"`` something without dice, ``"end"`` the outcome."""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Solution:
    """The exact values of one scenario."""

    metrics: Mapping[str, Fraction | None]
    """Metric name to its exact value; None is an infinite mean."""
    states: int
    """Situations that the chain distinguishes."""


@dataclass(frozen=True)
class Version:
    """Behaviour version of a game: counts may change only together with it."""

    number: int
    history: Mapping[int, str] = field(default_factory=dict)


class Game(Protocol):
    """The names a ``game.py`` defines."""

    NAME: str
    TITLE: str
    SUMMARY: str
    EDITION: str
    """Which edition of the rules this is; every result shows it."""
    VERSION: Version
    OUTCOMES: Sequence[Metric]
    HEADLINE: str
    """Metric a report turns to when the experiment names none."""
    UNLIMITED: Mapping[str, Any]
    """Scenario values, by dotted path, that take every limit away for an exact solution."""
    MODEL: Sequence[tuple[str, str]]
    """Rulings that every scenario takes for granted and that are no numbers: rule id and sentence."""
    PRESETS_ARE: str
    """What the presets of this game are, in a sentence."""
    Rules: type[RuleSet]
    Scenario: type[BaseModel]

    def presets(self) -> list[dict[str, Any]]:
        """List the designs or presets that an experiment can name: columns by title."""

    def complaints(self, scenario: Any, rules: Any) -> list[Complaint]:
        """Return every reason why a scenario is illegal under these rules; empty when it is legal."""

    def unplayable(self, scenario: Any) -> str:
        """Say why a legal scenario can be solved but not played; empty when it can be played."""

    def compile(self, scenario: Any, rules: Any) -> Any:
        """Return the Setup record that the kernels play. The scenario must be legal."""

    def assumed(self, scenario: Any, rules: Any) -> list[str]:
        """Return the paths of the rulings and base-game assumptions that this scenario rests on."""

    def describe(self, scenario: Any) -> str:
        """Return the scenario in a few words, for tables."""

    def story(self, scenario: Any) -> str:
        """Return the scenario told in a sentence or two."""

    def label(self, path: str, value: Any) -> str | None:
        """Return a word for the value of an axis, or None where the value speaks for itself."""

    def axis_title(self, path: str) -> str:
        """Return what a player would call an axis."""

    def vary(self, data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return scenario data with the values at dotted paths replaced (KeyError: the path leads nowhere)."""

    def nanoseconds(self, setup: Any) -> float:
        """Return about how long one trial takes on one processor."""

    def ready(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Compile the kernels, or load them."""

    def new_state(self) -> Any:
        """Return scratch memory for one worker."""

    def pack(self, setups: list[Any]) -> Any:
        """Return several setups as the one array that a block plays."""

    def play_block(self, setups: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
        """Play the units ``first <= unit < end`` of every setup and add them to the counts `out`."""

    def play_rows(self, setup: Any, state: Any, key: Any, first: int, end: int, out: Any) -> None:
        """Play the units ``first <= unit < end`` and keep every outcome as a row of `out`."""

    def play_one(self, setup: Any, state: Any, key: Any, trial: int) -> Any:
        """Play one trial and return its outcome, a tuple in the order of OUTCOMES."""

    def trace(self, setup: Any, key: Any, trial: int) -> Any:
        """Return the events of one trial."""

    def fortune(self, outcome: Sequence[int]) -> tuple[int, ...]:
        """Return how well a trial went, to be compared: the luckiest is the greatest."""

    def exact(self, scenario: Any, rules: Any) -> Solution:
        """Return the exact solution of a scenario."""

    def narrate(self, scenario: Any, rules: Any, events: Any) -> list[Line]:
        """Retell one trial in words."""


class UnknownGameError(LookupError):
    """No folder of that name holds a game."""


def find() -> list[str]:
    """Return the names of the games there are, sorted."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/game.py"))


def load(name: str) -> Game:
    """Return a game by name.

    Raises
    ------
    UnknownGameError
        Naming the games there are.
    """
    if name not in find():
        raise UnknownGameError(f"no game is called {name!r}; there are: {', '.join(find())}")
    return cast(Game, importlib.import_module(f"simkit.games.{name}.game"))


def rulebook(name: str) -> str:
    """Return the numbered rules of record of a game as Markdown."""
    return Path(__file__).parent.joinpath(name, "rulebook.md").read_text(encoding="utf-8")


def put_at(data: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """Return scenario data with the value at a path replaced; items of lists are counted from 1.

    Parameters
    ----------
    data
        Tables and lists as read from a file; left as they are.
    path
        Such as ``("course", "steps", "2", "down")``.
    value
        The new value.

    Raises
    ------
    KeyError
        The path leads nowhere; the text says what there is.
    """

    def put(node: Any, rest: Sequence[str]) -> Any:
        if not rest:
            return value
        key, *further = rest
        if isinstance(node, list):
            if not (key.isascii() and key.isdigit() and 1 <= int(key) <= len(node)):
                raise KeyError(f"'{key}' is not a place in a list of {len(node)}, counted from 1")
            i = int(key) - 1
            return [*node[:i], put(node[i], further), *node[i + 1 :]]
        if node is None and not further:
            return {key: value}
        if not isinstance(node, Mapping) or (further and key not in node):
            there = ", ".join(node) if isinstance(node, Mapping) else "nothing"
            raise KeyError(f"'{key}' is not there; there is: {there}")
        return {**node, key: put(node.get(key), further)}

    return cast(dict[str, Any], put(data, path))
