"""The table ``[matrix]`` of an experiment."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, model_validator
from pydantic_core import PydanticCustomError

from simkit.lab.strict import STRICT

MOST_LISTED = 200
LEAST_TRIALS = 512
"""Fewest games of a pair: two for each of the 256 batches of which the errors are made."""

MOST_TRIALS = 10**12

OwnName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Listed = Annotated[str, Field(min_length=1, max_length=64)]
Trials = Annotated[int, Field(ge=LEAST_TRIALS, le=MOST_TRIALS)]


class Matrix(BaseModel):
    """What ``simkit matrix`` is asked: who meets whom, and how well each pair is to be known."""

    model_config = STRICT

    designs: Literal["all"] | Annotated[list[Listed | dict[str, Any]], Field(min_length=1, max_length=MOST_LISTED)] = (
        Field([], description='designs by name or as tables, each in place of that of its side; "all": every preset')
    )
    sides: dict[OwnName, dict[str, Any]] = Field(
        default_factory=dict, description="whole sides, by the names they are to have: [matrix.sides.NAME]"
    )
    classes: Literal["all", "equal"] = Field(
        "all", description='"equal": only those of the same budget meet; "all": everybody meets everybody'
    )
    groups: (
        Annotated[
            dict[OwnName, Annotated[list[Listed], Field(min_length=2, max_length=MOST_LISTED)]], Field(min_length=1)
        ]
        | None
    ) = Field(None, description="in place of classes: groups by name, in which everybody meets everybody")
    fair_within: Annotated[float, Field(gt=0, le=0.25)] = Field(
        0.01, description="how far from one half a score is still even: a pair inside this band is done"
    )
    precision: Annotated[float, Field(gt=0, le=0.5)] | None = Field(
        None, description="half-width that every score is to have, also where it is clear who is better"
    )
    least_trials: Trials = Field(
        5_120, description="games that every pair plays: ratings, mean scores and the seat rest on these"
    )
    max_trials: Trials = Field(1_000_000, description="never more games than this for a pair")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.groups is not None and "classes" in self.model_fields_set:
            raise PydanticCustomError(
                "meaning",
                "groups and classes exclude each other",
                {"at": ("groups",), "help": "groups say themselves who meets whom"},
            )
        if "all" in (self.groups or {}):
            text = "no group can be called 'all': so is the one in which all meet"
            said = {"at": ("groups", "all"), "help": "another name; without groups everybody meets everybody"}
            raise PydanticCustomError("meaning", text, said)
        if self.max_trials < self.least_trials:
            raise PydanticCustomError(
                "meaning",
                "max_trials is less than least_trials",
                {"at": ("max_trials",), "help": "least_trials are played in any case"},
            )
        return self
