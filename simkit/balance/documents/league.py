"""The document of ``simkit league``."""

from typing import Any, Literal

from pydantic import Field

from simkit.balance.documents.head import Head, Number, Part
from simkit.balance.documents.matrix import Budget


class Entrant(Part):
    """One who takes part."""

    id: str
    title: str
    budget: Budget | None = Field(description="what it costs; null where the game does not tell")
    table: dict[str, Any] = Field(description="its table, as a file has it")


class Row(Part):
    """How one entrant ends."""

    entrant: str
    title: Number = Field(description="share of seasons that it wins; holds for all entrants together")
    fraction: str | None = Field(description="the same as a fraction; null where it was not solved")
    points: Number = Field(description="mean points of a season; all entrants together")
    spread: Number = Field(description="standard deviation of the points of a season; by itself")
    difference: Number | None = Field(description="mean difference of a season; all together; null where it is solved")
    won: Number = Field(description="mean matches won in a season; all entrants together")
    drawn: Number
    lost: Number
    places: list[Number] = Field(description="share of seasons on each place, the first first; each by itself")


class Settled(Part):
    """What parts the tied."""

    by: str = Field(description="points, or the name of a tie-break")
    title: Number = Field(description="seasons in which it parts the champion from the next; by itself")
    any: Number = Field(description="seasons in which it has the last word on somebody; by itself")


class Meeting(Part):
    """Two at one home."""

    home: str
    away: str
    won: Number = Field(description="share of matches that the home side wins; by itself")
    drawn: Number
    lost: Number


class Division(Part):
    """One division in the long run, from a fixed start."""

    name: str
    start: list[str] = Field(description="who begins in it")
    shares: list[Number] = Field(description="share of seasons that each entrant spends in it, in the order of rows")


class Moving(Part):
    """How often an entrant changes its division."""

    entrant: str
    up: Number = Field(description="share of seasons after which it rises; all entrants together")
    down: Number


class Moved(Part):
    """How the title odds of one entrant move on the same seasons."""

    entrant: str
    title: Number = Field(description="its title odds in the other way; all entrants together")
    moves: Number = Field(description="by how much they move; all entrants together")


class Instead(Part):
    """The same seasons in another way."""

    points: list[int]
    tie_break: list[str]
    set: dict[str, Any] = Field(description="rules that were changed")
    house_rules: list[str]
    words: str = Field(description="what is otherwise")
    changed: Number | None = Field(description="share of seasons with another champion; null where it is solved")
    rows: list[Moved]


class Longer(Part):
    """Seasons of so many rounds."""

    rounds: int = Field(description="double rounds")
    matches: int
    proves: Number = Field(description="share of them that the one with most points on average wins; by itself")


class LeagueDocument(Head):
    """Seasons of a league."""

    command: Literal["league"]
    entrants: list[Entrant]
    how: Literal["played", "matrix", "exact"] = Field(description="how seasons were come by")
    rounds: str | int
    points: list[int] = Field(description="of win, draw and loss")
    tie_break: list[str]
    counted: str | None = Field(description="what a difference is counted in")
    seasons: int = Field(description="seasons counted; 0 where it is solved")
    burn_in: int = Field(description="seasons at the beginning of each of 256 histories that are not counted")
    matches: int = Field(description="matches of a season, of all who take part")
    rerolled: list[str] = Field(description="whose armies are drawn anew for every season")
    pair_games: int = Field(description="games of each pair at each home of which seasons were drawn; else 0")
    tables: int = Field(description="tables that were looked at where it is solved; else 0")
    rows: list[Row] = Field(description="by title odds, the favourite first")
    best: str = Field(description="who has most points on average")
    proves: Number = Field(description="share of seasons that the one with most points on average wins; by itself")
    home: Number | None = Field(description="mean score of the home side, a draw one half")
    upsets: Number | None = Field(
        description="share of the decided matches that go to the side which scores less over both homes; null where "
        "there are too few, or it is solved"
    )
    drawn: Number | None = Field(description="share of the matches that nobody wins")
    capped: Number | None = Field(description="share of the matches drawn because the turns were used up")
    settled: list[Settled]
    meetings: list[Meeting]
    divisions: list[Division]
    moving: list[Moving]
    instead: Instead | None
    longer: list[Longer] = Field(description="where seasons are drawn: what more rounds prove")
