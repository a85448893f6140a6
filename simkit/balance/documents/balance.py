"""What ``simkit balance`` found, as a document."""

from typing import Any

from pydantic import Field

from simkit.balance.documents.head import Head, Number, Part


class Exchange(Part):
    """An item given for something else of the same price."""

    build: str
    instead: str = Field(description="what it got for the item")
    lift: Number = Field(description="what having the item gains over it against everybody, a share of score")


class ItemFound(Part):
    """What one case says of an item. All intervals of all cases hold together."""

    item: str
    word: str = Field(description="what the verdict table calls it")
    reason: str
    severe: bool
    becomes: str = Field(
        description="of what is undecided: what it would be called if the estimates stay; empty where that takes more "
        "than 4 times as many trials, or nothing fits"
    )
    possible: list[str] = Field(description="of what is undecided: the words that the intervals do not rule out")
    trials: int = Field(
        description="of what is undecided: about how many games of this case a verdict would take; 0 where too little "
        "was played to tell"
    )
    lift_uniform: Number = Field(description="what having it gains over what else its price buys, against everybody")
    lift_field: Number = Field(description="the same against the field")
    need: Number = Field(description="what a player loses who alone may not take it")
    regret: Number = Field(description="what a player loses who must take it")
    usage_low: float = Field(description="least share of builds with it over all near-equilibria")
    usage_high: float
    usage_field: float = Field(description="share of builds with it in the field")
    beaten: bool = Field(description="whether something else of the same price is better against every build")
    holders: int = Field(description="builds of the frame that have it")
    best: str = Field(description="the best build with it, against the field")
    exchanges: list[Exchange]


class BuildFound(Part):
    """A build of a frame. The scores of all builds of a case hold together, each case for itself."""

    build: str
    items: list[str] = Field(description="which of the judged items it has")
    crowd: float = Field(description="its share of those who stand for everybody")
    field: float = Field(description="its share of the field")
    against_crowd: Number = Field(description="its mean score against everybody")
    against_field: Number = Field(description="its mean score against the field")


class CaseFound(Part):
    """The builds of a budget under one condition."""

    case: int
    title: str
    budget: int
    conditions: dict[str, str] = Field(description="condition to its value in words, by axis")
    policy: str = Field(description="who plays, unless a side says otherwise; empty where that is an order like others")
    price: dict[str, Any] | None = Field(description="item and price for which the case is played; null for none")
    frame: list[str] = Field(description="which builds met, in sentences")
    games: int
    looks: int = Field(description="2 where trials were left and the first look left something undecided; else 1")
    units: list[int] = Field(description="fewest and most units behind a matchup on the dice that judged last")
    effective_number: float = Field(description="how many builds the field has")
    exploitability: float = Field(description="how much the best answer gains on the field, an upper bound")
    items: list[ItemFound]
    builds: list[BuildFound]


class PriceFound(Part):
    """The fair price of an item in one case."""

    item: str
    path: str
    title: str
    budget: int
    conditions: dict[str, str]
    word: str = Field(description="found, below, above, or unclear")
    says: str
    price: Number | None = Field(description="the price at which its lift is nothing, budgets mixed between whole ones")
    fair: list[int] = Field(description="prices at which neither lift, need nor regret matters, resolved")
    unfair: list[int] = Field(description="prices at which one of them matters, resolved")
    tried: list[dict[str, Any]] = Field(description="by price: lift, need and regret")


class OptionFound(Part):
    """What a rule option does to the report metric under one condition."""

    option: str
    title: str
    conditions: dict[str, str]
    word: str = Field(description="raises, lowers, fair, or undecided")
    says: str
    change: Number = Field(description="the metric with it less the metric without it, on the same dice")
    without: float
    trials: int = Field(description="of what is undecided: about how many games it would take; else 0")


class ReadingRow(Part):
    """One other reading of a rule, and what becomes of a verdict."""

    path: str
    title: str
    value: Any
    label: str
    now: Any = Field(description="the value that the rule has")
    now_label: str
    named: bool = Field(description="whether the labels speak for themselves")
    id: str = Field(description="of the rule")
    source: str
    says: str
    why: str = Field(description="what kind of alternative it is")
    pinned: bool
    word: str = Field(description="holds, flips, decides, or undecided: what becomes of the verdict")
    becomes: str = Field(description="the verdict under this reading")
    likely: str = Field(description="of what is undecided: what the estimates alone would call it; nothing is shown")
    moves: Number = Field(description="what it adds to the lift against everybody, or to the change of an option")
    numbers: dict[str, Number] = Field(
        description="under this reading: lift_uniform, lift_field, need and regret of an item, or change of an option; "
        "empty where it changes nothing that is played"
    )


class ReadingLeftOut(Part):
    """A reading that cannot be played."""

    path: str
    title: str
    value: Any
    label: str
    now_label: str
    named: bool
    why_not: str


class ReadingsFound(Part):
    """What would flip a verdict: the case that stands for it, under every other reading of the rules.

    The movements of one subject hold together, and so do the verdicts under all its readings.
    """

    subject: str = Field(description="the item or option")
    title: str = Field(description="the case that was played")
    held: str = Field(description="the verdict in this case as the rules stand")
    n: int = Field(description="units behind every matchup, or of the option, with a reading and without")
    not_played: str = Field(description="why no reading was played; empty where they were")
    says: str
    rows: list[ReadingRow]
    left_out: list[ReadingLeftOut]


class ItemOverall(Part):
    """What an item is called over all cases."""

    item: str
    word: str
    cases: list[str] = Field(description="the cases that have the word, or all of them")
    counts: dict[str, int] = Field(description="cases by their word")
    by: dict[str, str] = Field(description="what it is called over the cases of one budget or condition alone")
    says: str


class Balance(Head):
    """What ``simkit balance --json`` prints, and report.json holds."""

    delta: float
    severe: float
    items: list[ItemOverall]
    cases: list[CaseFound]
    prices: list[PriceFound]
    options: list[OptionFound]
    readings: list[ReadingsFound]
