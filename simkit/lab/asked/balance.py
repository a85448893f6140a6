"""The table ``[balance]`` of an experiment: what may be overpowered."""

from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, model_validator
from pydantic_core import PydanticCustomError

from simkit.lab.strict import STRICT

MOST_BUILDS = 200
"""Most builds of a frame: all of them meet each other."""
MOST_TRIALS = 10**10
TRIALS = 200_000

Words = Annotated[str, Field(min_length=1, max_length=64)]
Share = Annotated[float, Field(gt=0, lt=1)]
Few = Annotated[int, Field(ge=0, le=MOST_BUILDS)]


def _mistake(message: str, at: str, help: str) -> PydanticCustomError:
    return PydanticCustomError("meaning", "{message}", {"message": message, "at": (at,), "help": help})


class Frame(BaseModel):
    """Which of the legal builds of a budget play, where there are too many for all."""

    model_config = STRICT

    sample: Annotated[int, Field(ge=2, le=MOST_BUILDS)] = Field(
        12, description="builds drawn uniformly from all: they stand for everybody"
    )
    holders: Annotated[int, Field(ge=1, le=MOST_BUILDS)] = Field(
        6, description="builds drawn uniformly from those with an item, for every item"
    )
    swaps: Annotated[int, Field(ge=1, le=20)] = Field(
        1, description="exchanges drawn uniformly for each of those, for something else of the same price"
    )
    strongest: Few = Field(10, description="builds that were found strongest among some tried, beside those drawn")
    tried: Annotated[int, Field(ge=2, le=5000)] = Field(128, description="builds tried for it, drawn uniformly")
    seed: Annotated[int, Field(ge=0, lt=2**63)] = Field(1, description="seed of what is drawn")


class Price(BaseModel):
    """The rule that says what an item costs, and the prices to try."""

    model_config = STRICT

    path: Words = Field(description="rule with the price, by dotted path")
    values: Annotated[list[int], Field(min_length=2, max_length=12)] = Field(
        description="prices to try, rising; between two of them budgets are mixed"
    )
    conditions: dict[str, Any] = Field(
        default_factory=dict, description="under which of the conditions; what is not named is as in theirs"
    )
    budgets: Annotated[list[int], Field(max_length=20)] | None = Field(
        None, description="under which of the budgets; left out: all"
    )
    trials: Annotated[int, Field(ge=1, le=MOST_TRIALS)] | None = Field(
        None, description="games for every price, budget and condition; left out: as for the others"
    )

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if any(b <= a for a, b in zip(self.values, self.values[1:], strict=False)):
            raise _mistake("prices to try rise from one to the next", "values", "values = [1, 2, 3]")
        return self


class Option(BaseModel):
    """A rule option: what it changes in the rules."""

    model_config = STRICT

    set: dict[str, Any] = Field(default_factory=dict, description="rules that it changes, by dotted path")
    house_rules: Annotated[list[Words], Field(max_length=20)] = Field(
        default_factory=list, description="house rules that it is, by id or by file"
    )

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not (self.set or self.house_rules):
            raise _mistake("an option changes something", "set", "set = { altered_odds = true }, or house_rules")
        return self


class Balance(BaseModel):
    """What ``simkit balance`` is asked."""

    model_config = STRICT

    items: Annotated[list[Words], Field(max_length=12)] = Field(
        default_factory=list, description="what is judged: items that some legal builds have and others have not"
    )
    budgets: Annotated[list[int], Field(max_length=20)] = Field(
        default_factory=list,
        description="budgets whose legal builds meet each other, each for itself; they take the places of [sides], "
        "which a game that needs the table wants here too: it is what rule options are judged with, items never",
    )
    without: Annotated[list[Words], Field(max_length=40)] = Field(
        default_factory=list, description="items that no build may have (restricted play)"
    )
    conditions: dict[str, Any] = Field(
        default_factory=dict,
        description="what else varies, as in [sweep.axes], such as policy or scenario.map: a verdict for each",
    )
    trials: Annotated[int, Field(ge=1, le=MOST_TRIALS)] | dict[str, Annotated[int, Field(ge=1, le=MOST_TRIALS)]] = (
        Field(
            TRIALS,
            description="games for every budget under every condition; or a table by policy, others = .. for the rest",
        )
    )
    delta: Share = Field(0.02, description="gap of score that matters, as a share")
    severe: Share = Field(0.05, description="gap of score that is severe, as a share")
    frame: Frame = Field(default_factory=Frame, description="which builds play, of too many for all")
    readings: Annotated[int, Field(ge=0, le=MOST_TRIALS)] | None = Field(
        None,
        description="games for every other reading of a ruling, in the case that stands for a verdict, to see which "
        "would flip it; 0: none; left out: a quarter of the games of the case, where that is enough",
    )
    builds: Annotated[dict[Words, dict[str, Any]], Field(max_length=MOST_BUILDS)] = Field(
        default_factory=dict,
        description="builds of this file: whole tables of a side, with items = [..], and budget = .. where it differs",
    )
    swaps: Annotated[dict[Words, list[list[Words]]], Field(max_length=12)] = Field(
        default_factory=dict, description="by item: pairs of builds, from one with it to one without"
    )
    prices: Annotated[dict[Words, Price], Field(max_length=12)] = Field(
        default_factory=dict, description="by item: where its price stands, to find the fair one"
    )
    options: Annotated[dict[Words, Option], Field(max_length=20)] = Field(
        default_factory=dict, description="rule options, judged by how they change the report metric"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.severe < self.delta:
            raise _mistake(f"severe is {self.severe:g}, below delta = {self.delta:g}", "severe", "delta at least")
        if self.budgets and self.builds:
            raise _mistake(
                "budgets and builds exclude each other", "budgets", "all builds of a budget, or those listed"
            )
        if self.budgets and not self.items:
            raise _mistake("budgets need items to judge", "budgets", 'items = ["legs"]')
        if self.items and not (self.budgets or self.builds):
            raise _mistake("items need builds to be judged by", "items", "budgets = [..], or [balance.builds.NAME]")
        if not (self.budgets or self.builds or self.options):
            raise _mistake("nothing is asked", "items", "budgets = [3, 4] with items, builds = .., or options = ..")
        for twice in ("items", "budgets", "without"):
            values = getattr(self, twice)
            if len(set(values)) < len(values):
                raise _mistake(f"{twice} holds something twice", twice, "each once")
        strange = [name for name in self.prices if name not in self.items]
        if strange:
            raise _mistake(f"there is a price for '{strange[0]}', which is not judged", "prices", "add it to items")
        return self

    def trials_of(self, policy: str) -> int:
        """Return how many games are played under a policy."""
        if isinstance(self.trials, int):
            return self.trials
        return self.trials.get(policy, self.trials.get("others", TRIALS))
