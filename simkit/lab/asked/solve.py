"""The table ``[solve]`` of an experiment."""

from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from simkit.lab.strict import STRICT
from simkit.lab.words import found

MOST_VALUES = 1001
"""Most values between which an answer is sought."""

MOST_TARGETS = 32
LEAST_UNITS = 16_384
"""Least units for one answer: games, or pairs of them, of every setting that the metric is averaged over."""

MOST_TRIALS = 4 * 10**9
"""Most games for one answer: every value has a stretch of units of its own, for twice as many."""

Path = Annotated[str, Field(min_length=1, max_length=200)]
End = int | float | str
"""An end of a range: a number, or a fraction as text where the rules have fractions."""


def paths(table: Any) -> Any:
    """Take ``bogs.swamp = -3`` without quotes, which TOML reads as nested tables, for the path it means.

    A table stays a value where its path is quoted, or where it holds a plain value and lies in a list of a scenario:
    ``course.steps.2 = {cross = "fence"}``.
    """
    if not isinstance(table, dict):
        return table
    made: dict[str, Any] = {}
    for key, value in table.items():
        if "." in key or not isinstance(value, dict) or not value or key.isdigit():
            made[key] = value
        else:
            made |= {f"{key}.{path}": inner for path, inner in paths(value).items()}
    return made


class Like(BaseModel):
    """A target that is measured: the same metric of another setting."""

    model_config = STRICT

    like: Annotated[dict[Path, Any], BeforeValidator(paths), Field(min_length=1)] = Field(
        description="what is different there: rules or fields of the scenario by dotted path"
    )
    plus: float = Field(0.0, description="how far above it the metric is to lie")


def _target(value: Any) -> Any:
    """Refuse what is no target, so that one mistake is one problem."""
    if isinstance(value, bool) or not isinstance(value, int | float | list | dict):
        help = "0.5, [0.4, 0.5, 0.6], or {like = {PATH = VALUE}}"
        text = "a target is a number, a list of numbers or a table, not {found}"
        raise PydanticCustomError("shape", text, {"found": found(value), "help": help})
    if isinstance(value, list):
        wrong = [i for i, one in enumerate(value) if isinstance(one, bool) or not isinstance(one, int | float)]
        if wrong or not 1 <= len(value) <= MOST_TARGETS or len({float(one) for one in value}) < len(value):
            text = f"a list of targets holds 1 to {MOST_TARGETS} different numbers"
            raise PydanticCustomError("shape", text, {"at": tuple(wrong[:1])})
    return value


def _form(value: Any) -> str:
    return "list" if isinstance(value, list) else "table" if isinstance(value, dict | Like) else "number"


Target = Annotated[
    Annotated[float, Tag("number")] | Annotated[list[float], Tag("list")] | Annotated[Like, Tag("table")],
    Discriminator(_form),
    BeforeValidator(_target),
]


class Solve(BaseModel):
    """What ``simkit solve`` is asked: which value of a number brings a metric to its target."""

    model_config = STRICT

    vary: Path | None = Field(None, description="the number: a rule, or a field of the scenario, by dotted path")
    min: End | None = Field(None, description="least value of it that is tried")
    max: End | None = Field(None, description="greatest value of it that is tried")
    step: End | None = Field(None, description="from one value to the next; 1 where min and max are whole numbers")
    values: Annotated[list[Any], Field(min_length=2, max_length=MOST_VALUES)] | None = Field(
        None, description="in place of a range: numbers, fractions as text, or dice, in their order"
    )
    along: Annotated[dict[Path, Annotated[list[Any], Field(min_length=2)]], BeforeValidator(paths)] = Field(
        default_factory=dict, description="what else changes with it: for every path as many values as it has"
    )
    for_: Annotated[list[Path], Field(max_length=64)] | None = Field(
        None, alias="for", description="axes of the sweep for whose combinations it is solved; default: all of them"
    )
    over: Annotated[list[Path], Field(max_length=64)] | None = Field(
        None, description="axes of the sweep over whose combinations the metric is averaged, all counted alike"
    )
    metric: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="the outcome that is to meet the target; default: that of the report"
    )
    target: Target | None = Field(
        None, description="the aim: a number, several, or {like = {PATH = VALUE}}; default: that of the report"
    )
    within: Annotated[float, Field(gt=0)] | None = Field(
        None, description="how far from the target is still met; default: fair_within of the report"
    )
    max_trials: Annotated[int, Field(ge=LEAST_UNITS, le=MOST_TRIALS)] | None = Field(
        None,
        description=f"most games for one answer, at least {LEAST_UNITS:,} of every setting it is averaged over, and "
        "twice as many where they are played in pairs or the target is measured; it is confirmed by a quarter more",
    )

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        ranged = [name for name in ("min", "max", "step") if getattr(self, name) is not None]
        if self.values is not None and ranged:
            raise PydanticCustomError(
                "meaning",
                "values and a range exclude each other",
                {"at": (ranged[0],), "help": "keep either values = [...] or min and max"},
            )
        if ranged and (self.min is None or self.max is None):
            raise PydanticCustomError(
                "shape",
                "a range has both ends",
                {"at": (ranged[0],), "help": "min = -6, max = 2, and a step if it is not 1"},
            )
        if self.vary is not None and self.vary in self.along:
            text = "what is varied does not stand among what changes along with it"
            raise PydanticCustomError("meaning", text, {"at": ("along", self.vary)})
        return self
