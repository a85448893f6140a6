"""The table ``[search]`` of an experiment."""

from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, model_validator
from pydantic_core import PydanticCustomError

from simkit.lab.strict import STRICT

MOST_LISTED = 64
LEAST_LAST, MOST_LAST = 1024, 10**9
MOST_TRIED = 10**6

Listed = Annotated[str, Field(min_length=1, max_length=64)]
Design = Listed | dict[str, Any]
Items = Annotated[list[Listed], Field(max_length=64)]


class Search(BaseModel):
    """What ``simkit search`` is asked: the strongest builds of a budget, or the best counter to somebody."""

    model_config = STRICT

    budget: Annotated[int, Field(ge=1)] | None = Field(
        None, description="budget of the builds, such as a size class; default: that of whoever is to be countered"
    )
    counter: Design | None = Field(
        None, description="to whom the best counter is sought; without it: the strongest builds of the budget"
    )
    field: Annotated[list[Design], Field(max_length=MOST_LISTED)] = Field(
        [], description="builds to begin with; default: the presets of the budget"
    )
    without: Items = Field([], description="items that no build may have")
    needs: Items = Field([], description="items that every build must have")
    only: Items = Field([], description="items of which every build must be made; default: all there are")
    delta: Annotated[float, Field(gt=0, lt=0.5)] = Field(
        0.02, description="gain that matters, as a share of the score: what surely gains more joins"
    )
    rounds: Annotated[int, Field(ge=1, le=100)] = Field(8, description="most rounds of best answers")
    tried: Annotated[int, Field(ge=16, le=MOST_TRIED)] = Field(
        100_000, description="most builds that are looked at: of more that many are drawn, and improved by exchanges"
    )
    finalists: Annotated[int, Field(ge=2, le=64)] = Field(16, description="builds of a round that race")
    tune: Annotated[int, Field(ge=0, le=100)] = Field(
        0, description="generations in which the best finalists get weights of their own; 0: they play as all do"
    )
    first: Annotated[int, Field(ge=2, le=10_000)] = Field(
        8, description="games of every build against everybody in the first look"
    )
    last: Annotated[int, Field(ge=LEAST_LAST, le=MOST_LAST)] = Field(
        16_384, description="most games of a finalist against everybody in the race, and on fresh dice"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.budget is None and self.counter is None:
            help = 'budget = 3 for the strongest builds, or counter = "thrasher"'
            raise PydanticCustomError("meaning", "nothing is asked", {"at": ("budget",), "help": help})
        if self.counter is not None and self.field:
            text = "counter and field exclude each other"
            help = "a counter meets nobody else"
            raise PydanticCustomError("meaning", text, {"at": ("field",), "help": help})
        if self.first > self.last:
            text = "first is more than last"
            help = "the first look at many builds is shorter than the race of a few"
            raise PydanticCustomError("meaning", text, {"at": ("first",), "help": help})
        for name in ("without", "needs", "only"):
            given = getattr(self, name)
            if len(set(given)) < len(given):
                text = f"{name} holds something twice"
                raise PydanticCustomError("meaning", text, {"at": (name,), "help": "each once"})
        return self
