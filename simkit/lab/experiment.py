"""Experiments: the questions people write down, as strict models of their TOML files."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from simkit.games.protocol import Game, default_policy
from simkit.lab import asked
from simkit.lab.strict import STRICT
from simkit.lab.words import found

SCHEMA = 1
DEFAULT_TRIALS = 100_000
DEFAULT_LEVEL = 0.99
MOST_TRIALS = 10**13
MOST_CELLS = 10**6
MOST_SWINGS = 10**7
LARGEST = 2**53
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
DEVICES = frozenset(["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))])


def check_name(value: Any) -> Any:
    """Accept a name that can be a folder's name everywhere; leave other types to the model.

    Raises
    ------
    PydanticCustomError
        With the form that is allowed.
    """
    if isinstance(value, str) and (not NAME.fullmatch(value) or value in DEVICES):
        raise PydanticCustomError(
            "value",
            "{found} cannot be a name",
            {
                "found": repr(value[:80]),
                "help": "small letters, digits, - and _, at most 64 of them, beginning with a letter or digit",
            },
        )
    return value


def _schema(value: Any) -> Any:
    if value != SCHEMA or isinstance(value, bool):
        raise PydanticCustomError(
            "value",
            "this simkit reads schema 1, not {found}",
            {"found": found(value), "help": "a file of a later schema needs the later simkit that wrote it"},
        )
    return value


Name = Annotated[str, BeforeValidator(check_name)]
Schema = Annotated[int, BeforeValidator(_schema)]
Text = Annotated[str, Field(max_length=2000)]
Scalar = bool | int | float | str


def _off(value: Any) -> Any:
    """Take false for 0."""
    return 0 if value is False else value


Swings = Annotated[
    int,
    BeforeValidator(_off),
    Field(ge=0, le=MOST_SWINGS),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0, "maximum": MOST_SWINGS}, {"const": False}]}),
]


class RunSettings(BaseModel):
    """How much to play."""

    model_config = STRICT

    trials: Annotated[int, Field(ge=1, le=MOST_TRIALS)] | None = Field(None, description="trials for every cell")
    precision: Annotated[float, Field(gt=0, le=1000)] | None = Field(
        None, description="play on until the interval of the report metric is no wider than this to either side"
    )
    level: Annotated[float, Field(ge=0.5, lt=1)] = Field(DEFAULT_LEVEL, description="confidence level of all intervals")
    max_trials: Annotated[int, Field(ge=1, le=MOST_TRIALS)] | None = Field(
        None, description="with precision: never more trials than this for a cell"
    )
    policy: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="who decides, where a game has players; default: the game's own"
    )
    swings: Swings | None = Field(
        None,
        description="trials of every other reading of a ruling, played to see what the answer rests on: "
        "0 or false for none, left out for as many as take no longer than the run",
    )

    @model_validator(mode="after")
    def _either(self) -> Self:
        if self.precision is not None and self.trials is not None:
            raise PydanticCustomError(
                "meaning",
                "trials and precision exclude each other",
                {"at": ("precision",), "help": "max_trials is the limit that goes with precision"},
            )
        if self.max_trials is not None and self.precision is None:
            raise PydanticCustomError(
                "meaning",
                "max_trials goes with precision",
                {"at": ("max_trials",), "help": "say trials = ..., or add precision"},
            )
        return self


def count_range(low: float, high: float, step: float) -> int:
    """Count the values of a range with both ends included, before they are built.

    Examples
    --------
    >>> count_range(0, 1, 0.1)
    11
    """
    if (high - low) / step > LARGEST:  # far beyond any limit: the quotient would not fit into a decimal
        return LARGEST
    start, end, stride = _decimals(low, high, step)
    return int((end - start) // stride) + 1


def _decimals(*numbers: float) -> list[Decimal]:
    """Return numbers as they were written: three times 0.1 is 0.3."""
    return [Decimal(repr(number)) for number in numbers]


class Range(BaseModel):
    """Evenly spaced values, both ends included; or, for sampling, an interval to draw from."""

    model_config = STRICT

    range: Annotated[list[int | float], Field(min_length=2, max_length=3)] | None = None
    min: int | float | None = None
    max: int | float | None = None
    dist: Literal["uniform", "log", "int"] | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if (self.range is None) == (self.min is None and self.max is None and self.dist is None):
            raise PydanticCustomError(
                "shape", "an axis is a list, {range = [lo, hi, step]} or {min = .., max = .., dist = ..}", {}
            )
        if self.range is not None:
            low, high, step = [*self.range, 1][:3]
            if any(abs(x) > LARGEST for x in (low, high, step)):
                raise PydanticCustomError("limit", "the numbers of a range end at 2**53", {})
            if step <= 0 or high < low:
                raise PydanticCustomError(
                    "shape", "a range goes up: [low, high] or [low, high, step] with a step above 0", {}
                )
            if count_range(low, high, step) > MOST_CELLS:
                raise PydanticCustomError("limit", "this range has more than 1,000,000 values", {})
        else:
            if self.min is None or self.max is None:
                raise PydanticCustomError("shape", "an interval to sample needs min and max", {})
            if self.max <= self.min or (self.dist == "log" and self.min <= 0):
                raise PydanticCustomError("shape", 'an interval to sample goes up, and above 0 for dist = "log"', {})
            if self.dist == "int" and not all(float(end).is_integer() for end in (self.min, self.max)):
                raise PydanticCustomError("shape", 'the ends of an interval with dist = "int" are whole numbers', {})
            if max(abs(self.min), abs(self.max)) > LARGEST:
                raise PydanticCustomError("limit", "the numbers of an interval end at 2**53", {})
        return self

    def values(self) -> list[int | float]:
        """List the values of a range."""
        low, high, step = [*(self.range or []), 1][:3]
        count = count_range(low, high, step)
        if all(isinstance(x, int) for x in (low, step)):
            return [low + i * step for i in range(count)]
        start, stride = _decimals(low, step)
        return [float(start + i * stride) for i in range(count)]

    @property
    def sampled(self) -> bool:
        """True for an interval to sample from."""
        return self.range is None


AxisList = Annotated[list[Any], Field(min_length=1, max_length=MOST_CELLS)]


def _axis(value: Any) -> Any:
    if not isinstance(value, list | dict):
        raise PydanticCustomError(
            "shape",
            "an axis is a list of values or a range, not {found}",
            {"found": found(value), "help": "[1, 2, 3] or {range = [1, 3]}"},
        )
    return value


def _form(value: Any) -> str:
    return "list" if isinstance(value, list) else "range"


Axis = Annotated[
    Annotated[Range, Tag("range")] | Annotated[AxisList, Tag("list")], Discriminator(_form), BeforeValidator(_axis)
]


def _one_level(table: Any) -> Any:
    """Take ``course.steps.1.down = [...]`` without quotes, which TOML reads as nested tables, for the path it means."""
    if not isinstance(table, dict):
        return table
    found: dict[str, Any] = {}
    for key, value in table.items():
        if "." not in key and isinstance(value, dict) and value and not set(value) & set(Range.model_fields):
            found |= {f"{key}.{path}": inner for path, inner in _one_level(value).items()}
        else:
            found[key] = value
    return found


class Sweep(BaseModel):
    """Which cells to play: axes and how to combine them."""

    model_config = STRICT

    mode: Literal["grid", "zip", "random", "sobol"] = Field("grid", description="how the axes combine")
    samples: Annotated[int, Field(ge=1, le=MOST_CELLS)] | None = Field(
        None, description="points of a random or sobol sweep"
    )
    axes: Annotated[dict[str, Axis], BeforeValidator(_one_level)] = Field(
        default_factory=dict, description="what varies: a rule path, a field of the scenario, or house_rules"
    )


class Compare(BaseModel):
    """What each cell is compared with, on the same dice."""

    model_config = STRICT

    baseline: Annotated[dict[str, Any], BeforeValidator(_one_level), Field(min_length=1)] = Field(
        description="axis = value; matches one cell for every combination of the other axes"
    )


class ReportSettings(BaseModel):
    """What the report turns on."""

    model_config = STRICT

    metric: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="the outcome that answers the question"
    )
    target: float | None = Field(None, description="the value that would be fair")
    fair_within: Annotated[float, Field(ge=0)] | None = Field(
        None, description="how far from the target (or from the baseline) is still fair"
    )


class Experiment(BaseModel):
    """A question, what to set up, what to vary and how much to play."""

    model_config = STRICT

    schema_: Schema = Field(alias="schema", description="version of the file format: 1")
    name: Name = Field(description="name of the folder of results")
    question: Text = Field("", description="the question in one sentence; the report answers it in its first line")
    game: Annotated[str, Field(max_length=64)] = Field(description="which rules: see simkit games")
    seed: Annotated[int, Field(ge=0, lt=2**63)] = Field(1, description="seed of all dice")
    house_rules: Annotated[list[Text], Field(max_length=64)] = Field(
        default_factory=list, description="house rules by id or by file, later ones win"
    )
    run: RunSettings = Field(default_factory=RunSettings)
    set: dict[str, Any] = Field(default_factory=dict, description="rules changed for this experiment, by dotted path")
    sweep: Sweep = Field(default_factory=Sweep)
    compare: Compare | None = None
    report: ReportSettings = Field(default_factory=ReportSettings)
    course: dict[str, Any] | None = Field(None, description="what one lancer attempts (Pig Tickler)")
    sides: dict[str, Any] | None = Field(None, description="who fights whom")
    designs: dict[str, Any] | None = Field(None, description="designs and units of this experiment")
    scenario: dict[str, Any] | None = Field(None, description="map, deployment, victory")
    route: dict[str, Any] | None = Field(None, description="one turn along a route (Pig Tickler on a table)")
    weights: dict[str, Any] | None = Field(None, description="tuned weights of players, by name (Jugger)")
    tuned: Annotated[list[Text], Field(max_length=64)] = Field(
        default_factory=list, description="files of tuned weights, as simkit tune writes them"
    )
    matrix: asked.Matrix | None = Field(None, description="what simkit matrix plays: everybody against everybody")
    league: asked.League | None = Field(None, description="what simkit league plays: seasons of a league")
    balance: asked.Balance | None = Field(None, description="what simkit balance judges: is it overpowered?")
    solve: asked.Solve | None = Field(None, description="what simkit solve looks for: which number is fair?")
    sensitivity: asked.Sensitivity | None = Field(None, description="what simkit sensitivity varies: what drives it?")
    search: asked.Search | None = Field(None, description="what simkit search looks for: the strongest builds")
    tune: asked.Tune | None = Field(None, description="what simkit tune tunes: how the players weigh")

    @property
    def scenario_data(self) -> dict[str, Any]:
        """The tables that the game reads, those that were given."""
        found = {key: getattr(self, key) for key in SCENARIO_TABLES}
        return {key: value for key, value in found.items() if value is not None}

    def for_game(self, game: Game) -> dict[str, Any]:
        """Return what a game makes its scenario from: its tables, and who decides where it has players."""
        known = game.Scenario.model_fields
        data: dict[str, Any] = {name: table for name, table in self.scenario_data.items() if name in known}
        if POLICY in known:
            named = self.run.policy
            data[POLICY] = named if named in game.POLICIES else default_policy(game)
        return data


SCENARIO_TABLES = ("course", "sides", "designs", "scenario", "route", "weights")
"""Top-level tables of an experiment that belong to the game."""

POLICY = "policy"
"""What a game with players finds beside its tables: who decides for all sides that do not say otherwise."""


def flatten(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """List the settings of a ``[set]`` table by dotted path; a ``{was, now}`` guard stays whole.

    Examples
    --------
    >>> list(flatten({"bogs": {"swamp": -4}, "dice": "1d10"}))
    [('bogs.swamp', -4), ('dice', '1d10')]
    """
    for key, value in table.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict) and set(value) != {"was", "now"}:
            yield from flatten(value, f"{path}.")
        else:
            yield path, value
