"""The document of ``simkit solve``: which value of a parameter brings a metric to its target."""

from typing import Literal

from pydantic import Field

from simkit.balance.documents.head import Head, Number, Part


class Tried(Part):
    """What was seen at one value."""

    value: str
    place: float = Field(description="where it lies among the others: itself, or its number where values are words")
    estimate: Number
    fraction: str = Field(description="the exact value as a fraction; empty where it is not one")
    side: Literal["below", "above", "open"] = Field(description="of the target; open: not resolved")
    fair: bool | None = Field(description="surely within the band around the target, surely not, or null")


class Played(Part):
    """What games showed at a value, or in a mixture of two, with an interval that holds by itself."""

    value: str
    place: float
    mixed: bool
    estimate: Number
    fair: bool | None


class Answer(Part):
    """A place at which the metric meets its target."""

    says: str = Field(description="the value in words")
    place: float | None = Field(description="null where only the two values around it are known")
    low: float | None
    high: float | None
    level: float
    method: str = Field(description="mixing, curve, exact, fair (without a crossing) or bracket")
    below: str = Field(description="nearest value before it that is surely on one side of the target")
    above: str = Field(description="nearest value behind it that is surely on the other side")
    rising: bool = Field(description="the metric rises there")
    share: float | None = Field(
        description="share of the games at the value next above, the rest at the one next below"
    )
    nearest: str = Field(description="the one of the two whose metric is nearer to the target; empty if unknown")
    behind: list[Played] = Field(
        description="the games that the place was worked out from; empty if solved exactly, or if nothing was fitted"
    )
    checks: list[Played] = Field(description="on fresh dice")
    word: Literal["confirmed", "not confirmed", "not resolved", "not played"]
    further: int | None = Field(
        description="about how many more games it takes to confirm it; null if none, or unknown"
    )


class Case(Part):
    """One combination of the sweep's axes, and one target."""

    factors: dict[str, str]
    where: str = Field(description="the combination in words; empty where there is only one")
    target: float
    kind: Literal["share", "points", "count"] = Field(description="unit of what is held against the target")
    status: Literal["found", "several", "fair", "beyond", "unresolved"]
    exact: bool = Field(description="solved exactly, then played")
    why: str = Field(description="why it was not solved exactly")
    error: float = Field(description="most that an exact value is off")
    says: str = Field(description="the answer in a sentence")
    answers: list[Answer]
    tried: list[Tried]
    further: int | None = Field(description="about how many more games it takes to find an answer; null if unknown")


class Parameter(Part):
    """What is varied."""

    path: str
    title: str
    says: str = Field(description="what the rules say of it; empty for a field of the scenario")
    id: str
    now: str = Field(description="its value in this experiment; empty for a field of the scenario")
    words: bool = Field(description="its values are words, such as dice")
    continuous: bool


class Solved(Head):
    """What ``simkit solve`` found."""

    parameter: Parameter
    like: str = Field(description="the setting whose metric is the target, in words; empty where it is a number")
    within: float | None
    cases: list[Case]
