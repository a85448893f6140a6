"""The document of ``simkit matrix``."""

from typing import Any, Literal

from pydantic import Field

from simkit.balance.documents.head import Head, Number, Part

Known = Literal["first", "second", "fair", "undecided"]


class Budget(Part):
    """What a side costs."""

    amount: int
    unit: str


class Side(Part):
    """One who takes part."""

    id: str
    title: str
    budget: Budget | None = Field(description="what it costs; null where the game does not tell")
    table: dict[str, Any] = Field(description="its table, as a file has it")


class Pair(Part):
    """Two that have met, told from the side of the first."""

    a: str
    b: str
    word: Known = Field(description="which of the two is better, that they are even within the fair band, or neither")
    score: Number = Field(description="a win 1, a game that nobody has won 1/2; holds for all pairs and at every look")
    won: Number = Field(description="share of the games; by itself, at every look")
    lost: Number
    drawn: Number = Field(description="games that nobody has won")
    capped: Number = Field(description="of all games, those that nobody has won because the turns were used up")
    seat: Number = Field(description="how much more than 1/2 the first seat scores, from the first games of the pair")
    on_draws: bool = Field(description="whether the better side wins less than half of all games")
    games: int
    further: int = Field(description="about how many games more it would take; 0 where nothing is open")


class Row(Part):
    """How one side stands among all that it has met."""

    side: str
    rating: Number = Field(description="Elo points, the mean of all 0; all ratings together")
    mean: Number = Field(description="mean score against all others; all means together")
    per_budget: Number | None = Field(description="points, a hundred for a win, for each unit of the budget")
    seat: Number = Field(description="how much more than 1/2 it scores with the first seat, and less with the second")
    beats: int
    loses: int
    even: int
    open: int
    share: float = Field(description="in the maximum-entropy equilibrium on which nobody gains more than the band")
    least: float = Field(description="smallest share over all near-equilibria that the intervals allow")
    most: float
    regret: Number = Field(description="how much less than 1/2 it scores against that equilibrium")
    layer: int = Field(description="1 for what players would pick, 2 for what they would pick without those, ...")
    layer_first: int = Field(description="between which layers it lay, with the batches resampled")
    layer_last: int
    layer_often: float


class Group(Part):
    """Some who all met each other."""

    name: str
    budget: Budget | None = Field(description="what each of them costs; null where budgets differ or are not told")
    rows: list[Row] = Field(description="the highest rating first")
    best: str | None = Field(description="who is known to beat every other")
    beatable: list[str] = Field(description="who is known to lose to another, or to be even with one")
    effective: Number = Field(description="number of equally frequent sides that are as diverse as the equilibrium")
    seat: Number = Field(description="Elo points of the first seat")
    prior: float = Field(description="pseudo-games by which ratings have an end; 0 where they have one without")
    cycles: list[tuple[str, str, str]] = Field(description="each is known to beat the next, and the last the first")
    cycles_undecided: int = Field(description="threes that may be such a circle")
    unexplained: Number | None = Field(
        description="share of how far scores lie from 1/2 that no rating explains, without that of noise"
    )
    cyclic: Number | None = Field(
        description="share of the logits of scores that goes round in circles, without that of noise; null where a "
        "score is next to 0 or 1"
    )


class Edge(Part):
    """What no side has earned."""

    name: str
    who: str
    value: Number = Field(description="how much more than 1/2 its holder scores, over all pairs alike")


class Draws(Part):
    """What games that nobody has won have to do with it."""

    capped: int = Field(description="pairs of which most games ended because the turns were used up")
    on_draws: int = Field(description="pairs of which the better side wins less than half of the games")


class Cost(Part):
    """What it took."""

    games: int
    uniform: int = Field(description="games if every pair had played as long as the longest")
    times: float
    longest: int
    looks: int


class MatrixDocument(Head):
    """Everybody against everybody."""

    command: Literal["matrix"]
    sides: list[Side]
    games_a_unit: int = Field(description="games on the same dice, from both seats")
    both_orders: bool = Field(description="whether each also was side B, because side A and side B are not alike")
    uneven: list[str] = Field(description="who does not score 1/2 against itself from both seats of one order")
    least_trials: int = Field(description="games of every pair on which ratings, means and the seat rest")
    cost: Cost
    counts: dict[Known, int]
    draws: Draws
    edges: list[Edge]
    pairs: list[Pair]
    groups: list[Group] = Field(description="the first holds everybody if all have met")
    notes: list[str]
