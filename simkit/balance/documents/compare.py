"""The document of ``simkit compare`` and ``simkit house``."""

from typing import Any, Literal

from pydantic import Field

from simkit.balance.documents.head import Head, Number, Part

Word = Literal["rises", "falls", "keeps", "undecided"]


class RuleChange(Part):
    """One rule that a rule set changes."""

    path: str
    title: str
    was: Any
    now: Any
    was_label: str
    now_label: str
    id: str
    source: str
    says: str


class RuleSet(Part):
    """One of the rule sets."""

    id: str = Field(description="record, or ids of house rules joined by +")
    title: str
    why: str
    changes: list[RuleChange] = Field(description="what it changes in the rules of record")
    files: list[str] = Field(description="ids of its house rules, each after those that it builds on")


class Ground(Part):
    """What they were played on."""

    question: str = Field(description="the experiment's own question")
    cells: int
    left_out: list[dict[str, Any]] = Field(description="cells that cannot be played under all rule sets, and why")
    overruled: list[str] = Field(description="rules that the experiment sets itself")


class Matters(Part):
    """From which change on a measure has moved."""

    share: float
    count: float = Field(description="as a share of the count itself")


class Change(Number):
    """A change against the first rule set."""

    word: Word


class Measure(Part):
    """One thing that is read off every rule set, averaged over the cells."""

    name: str
    group: Literal["outcome", "edge", "fairness"]
    kind: str
    unit: str
    says: str
    cells: int = Field(description="cells that it is about")
    matters: float
    values: list[Number] = Field(description="one a rule set")
    changes: list[Change] = Field(description="one for each rule set but the first")
    family: str


class CellOf(Part):
    """The report metric in one cell."""

    cell: int
    title: str
    labels: dict[str, str]
    values: list[Number]
    changes: list[Change]


class Gain(Part):
    """The report metric at one value of an axis, averaged over the other axes."""

    axis: str
    title: str
    label: str
    cells: int
    before: float
    changes: list[Change]


class Judged(Part):
    """What the experiment itself says under every rule set."""

    against: Literal["target", "baseline"]
    cells: list[int]
    words: list[list[str]] = Field(description="for every rule set the word of every judged cell")
    distances: list[list[Number]] = Field(description="the same as value less target, or less that of the baseline")
    tally: list[dict[str, int]]


class Rung(Part):
    """One value of a number of the house rule."""

    label: str
    value: float | None = Field(description="the number, where it is one")
    is_was: bool
    is_now: bool
    average: Number
    distance: Number | None
    near: bool = Field(description="whether it is the nearest to what would be fair, or cannot be told from it")


class Ladder(Part):
    """A number of the house rule at other values; without a path the strength of all of them."""

    path: str
    title: str
    rows: list[Rung]
    n: int
    each: int
    level: float
    matters: float


class CompareDocument(Head):
    """What ``simkit compare --json`` and ``simkit house --json`` print and ``report.json`` holds."""

    sets: list[RuleSet]
    on: Ground
    matters: Matters
    n: int = Field(description="units of every cell under every rule set")
    each: int = Field(description="games of every cell under every rule set")
    never: list[str] = Field(description="outcomes that were never seen")
    measures: list[Measure]
    cells: list[CellOf]
    gains: list[Gain]
    judged: Judged | None
    ladders: list[Ladder]
    again: str = Field(description="the command that plays it again, inside its folder")
