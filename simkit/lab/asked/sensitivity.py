"""The table ``[sensitivity]`` of an experiment."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from simkit.lab.strict import STRICT

MOST_FACTORS = 10
MOST_RANGES = 12
MOST_TRIALS = 10**9
FEWEST_POINTS, MOST_POINTS = 8, 4096


class Interval(BaseModel):
    """From where to where a number may lie."""

    model_config = STRICT

    min: int | float
    max: int | float
    dist: Literal["uniform", "log", "int"] | None = Field(
        None, description="how it is spread; whole ends mean whole numbers unless this says uniform"
    )

    @model_validator(mode="after")
    def _upwards(self) -> Self:
        if not -(2**53) <= self.min < self.max <= 2**53:
            raise PydanticCustomError("shape", "an interval goes up, from min to max, between -2**53 and 2**53", {})
        if self.dist == "log" and self.min <= 0:
            raise PydanticCustomError("shape", 'dist = "log" needs a min above 0', {})
        if self.dist == "int" and not (float(self.min).is_integer() and float(self.max).is_integer()):
            raise PydanticCustomError("shape", 'the ends of an interval with dist = "int" are whole numbers', {})
        return self

    @property
    def whole(self) -> bool:
        """Tell whether only whole numbers are meant."""
        return self.dist == "int" or (self.dist is None and isinstance(self.min, int) and isinstance(self.max, int))


def _by_path(table: Any, leaf: Any) -> Any:
    """Take nested tables, as TOML reads dotted keys without quotes, for the paths they mean."""
    if not isinstance(table, dict):
        return table
    found: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict) and value and not leaf(value):
            found |= {f"{key}.{path}": inner for path, inner in _by_path(value, leaf).items()}
        else:
            found[key] = value
    return found


def _factors(table: Any) -> Any:
    return _by_path(table, lambda value: False)


def _ranges(table: Any) -> Any:
    return _by_path(table, lambda value: bool(set(value) & set(Interval.model_fields)))


class Sensitivity(BaseModel):
    """What ``simkit sensitivity`` is asked."""

    model_config = STRICT

    metric: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(
        None, description="the outcome in question; default: that of the report"
    )
    cell: int | Annotated[str, Field(max_length=2000)] | None = Field(
        None, description="which cell of the sweep is examined: its row, or axis=value; default: a typical one"
    )
    readings: bool = Field(True, description="whether every other reading of the rules is tried, one at a time")
    factors: Annotated[
        dict[str, Annotated[list[Any], Field(min_length=2, max_length=2)]], BeforeValidator(_factors)
    ] = Field(default_factory=dict, description="path = [off, on]: rules or fields of the scenario, combined")
    house_rules: Annotated[list[Annotated[str, Field(max_length=2000)]], Field(max_length=MOST_FACTORS)] = Field(
        default_factory=list, description="house rules that are off or on, in all combinations with the factors"
    )
    order: Annotated[int, Field(ge=1, le=MOST_FACTORS)] = Field(
        2, description="interactions of up to this many factors are shown"
    )
    ranges: Annotated[dict[str, Interval], BeforeValidator(_ranges), Field(max_length=MOST_RANGES)] = Field(
        default_factory=dict, description="path = {min, max}: numbers of which Sobol indices are wanted"
    )
    points: Annotated[int, Field(ge=FEWEST_POINTS, le=MOST_POINTS)] = Field(
        256, description="base points of the Sobol indices, a power of 2"
    )
    trials: Annotated[int, Field(ge=2, le=MOST_TRIALS)] | None = Field(
        None, description="trials of every combination; default: as many as take about a minute in all"
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        count = len(self.factors) + len(self.house_rules)
        if count > MOST_FACTORS:
            raise PydanticCustomError(
                "limit",
                "{count} factors have {cells} combinations; at most {most} factors are allowed",
                {"count": count, "cells": f"{2**count:,}", "most": MOST_FACTORS, "at": ("factors",)},
            )
        if self.points & (self.points - 1):
            raise PydanticCustomError("value", "points is a power of 2, such as 256", {"at": ("points",)})
        for path, pair in self.factors.items():
            if pair[0] == pair[1] and type(pair[0]) is type(pair[1]):
                raise PydanticCustomError(
                    "shape", "off and on are the same; a factor needs two values", {"at": ("factors", path)}
                )
        return self
