"""The document of ``simkit sensitivity``."""

from typing import Any, Literal

from pydantic import Field

from simkit.balance.documents.head import Head, Number, Part


class Cell(Part):
    """Where it was looked at."""

    number: int = Field(description="row of the cells of the experiment, from 1")
    title: str = Field(description="where it is, as it goes on behind the name of what is judged")
    labels: dict[str, str]


class Becomes(Part):
    """What becomes of a verdict under another reading."""

    word: str
    estimate: float
    low: float
    high: float


class Reading(Number):
    """One rule read another way."""

    path: str
    title: str
    value: Any = Field(description="the other value")
    label: str
    now: Any = Field(description="the value that it has")
    now_label: str
    named: bool = Field(description="whether the labels speak for themselves")
    id: str
    source: str
    says: str
    why: str = Field(description="what kind of alternative it is")
    pinned: bool
    word: str = Field(description="holds, flips, decides, undecided or measured")
    becomes: Becomes


class Held(Number):
    """What is judged, as the rules stand."""

    word: str


class Swings(Part):
    """Every other reading of a rule, one at a time; estimates are movements of what is judged."""

    cell: int
    baseline: int | None
    where: str
    level: float
    trials: int
    n: int
    family: str
    not_played: str
    held: Held
    rows: list[Reading]
    left_out: list[dict[str, Any]]
    elsewhere: list[dict[str, Any]] = Field(default_factory=list, description="what other questions say of the rulings")


class Factor(Part):
    """Something that is off or on."""

    name: str
    title: str
    off: str
    on: str
    id: str
    source: str
    says: str
    house_rule: bool


class Effect(Number):
    """What a factor does on average over the others, or several do beyond the sum of what they do alone."""

    factors: list[str]


class Combination(Number):
    """What is judged in one combination."""

    on: list[str]
    word: str


class Factorial(Part):
    """On/off factors in all combinations, on fresh dice."""

    chosen: bool = Field(description="whether the factors are the readings that weigh most, and not named")
    factors: list[Factor]
    inert: list[Factor] = Field(description="factors that change nothing here")
    start: int = Field(description="the combination as it is asked: bit k is set where factor k is on")
    effects: list[Effect]
    combinations: list[Combination] = Field(description="combination i has factor k on if bit k of i is set")
    flips: list[list[str]] = Field(description="the fewest factors to turn so that the verdict flips")
    higher_order: float = Field(description="share of the variance in interactions that are not listed")
    order: int
    level: float
    trials: int
    n: int
    family: str
    why_not: str = Field(description="why nothing was combined; empty where something was")


class Span(Part):
    """A number and where it may lie."""

    path: str
    title: str
    low: float
    high: float
    dist: Literal["uniform", "log", "int"]


class Sobol(Part):
    """Sobol indices: shares of the variance over the ranges, with the noise of the dice taken out."""

    ranges: list[Span]
    first: list[Number] = Field(description="share of each number alone")
    total: list[Number] = Field(description="the same with all that it takes part in")
    deviation: float = Field(description="standard deviation over the ranges, in the unit of the metric")
    noise_share: float = Field(description="share of the noise in the variance that was seen, and was taken out")
    resolved: bool = Field(description="whether anything was shown to vary")
    points: int
    settings: int = Field(description="different settings that were played")
    design: Literal["grid", "sample"] = Field(description="every combination, or a sample of the ranges")
    level: float
    trials: int
    n: int


class SensitivityDocument(Head):
    """What ``simkit sensitivity --json`` prints and ``report.json`` holds."""

    cell: Cell
    swings: Swings
    factorial: Factorial
    sobol: Sobol | None
