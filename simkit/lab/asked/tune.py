"""The table ``[tune]`` of an experiment."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, model_validator
from pydantic_core import PydanticCustomError

from simkit.lab.strict import STRICT

MOST_LISTED = 200
LEAST_CONFIRM, MOST_CONFIRM = 512, 10**8
Listed = Annotated[str, Field(min_length=1, max_length=64)]
Designs = Annotated[list[Listed | dict[str, Any]], Field(min_length=1, max_length=MOST_LISTED)]


class Tune(BaseModel):
    """What ``simkit tune`` is asked: for whom weights are sought, against whom, and how long."""

    model_config = STRICT

    designs: Literal["all"] | Annotated[list[Listed | dict[str, Any]], Field(max_length=MOST_LISTED)] = Field(
        [], description='designs that get weights of their own, by name or as tables; "all": every preset'
    )
    families: Literal["all"] | Annotated[list[Listed], Field(max_length=MOST_LISTED)] = Field(
        [], description='families of designs that get weights in common; "all": every family there is'
    )
    budgets: Annotated[list[Annotated[int, Field(ge=1)]], Field(max_length=20)] = Field(
        [], description="budgets of the builds, drawn uniformly, by which the weights of a family are sought"
    )
    opponents: Literal["all"] | Designs = Field(
        "all", description='whom they play against, by plain weights; "all": every preset'
    )
    generations: Annotated[int, Field(ge=1, le=200)] = Field(14, description="how often the search moves on")
    population: Annotated[int, Field(ge=8, le=1000)] = Field(
        32, description="weights that are tried in a generation, an even number"
    )
    games: Annotated[int, Field(ge=16, le=100_000)] = Field(512, description="games of each of them")
    confirm: Annotated[int, Field(ge=LEAST_CONFIRM, le=MOST_CONFIRM)] = Field(
        20_480, description="games on fresh dice by which the gain is told, by plain weights and as many by tuned ones"
    )

    delta: Annotated[float, Field(gt=0, lt=0.5)] = Field(
        0.02, description="gain that matters, as a share of the score: plain weights that lack it are unfair"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if not (self.designs or self.families):
            help = 'designs = ["one", "another"], or families = "all" with budgets = [3, 4]'
            raise PydanticCustomError("meaning", "nobody is to be tuned", {"at": ("designs",), "help": help})
        if self.families and not self.budgets:
            text = "families need budgets, from whose builds they are drawn"
            raise PydanticCustomError("meaning", text, {"at": ("families",), "help": "budgets = [3, 4, 5, 6]"})
        if self.population % 2:
            text = "population is {found}; it is an even number"
            said = {"found": self.population, "at": ("population",), "help": f"{self.population + 1}"}
            raise PydanticCustomError("value", text, said)
        return self
