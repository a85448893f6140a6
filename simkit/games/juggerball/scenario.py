"""Matches: which teams meet, on which field, as a player writes it down (J-BALL-7, J-BALL-22, J-BALL-25).

A file has one side each in ``[sides.a]`` and ``[sides.b]``, designs of its own in ``[designs.NAME]``, and all else,
such as the field, in ``[scenario]``. What a table says is read here; whether it fits together, and with the rules, is
told by :mod:`simkit.games.juggerball.legality`.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator
from pydantic_core import PydanticCustomError

from simkit.games.jugger.designs import Design
from simkit.games.jugger.items import Name
from simkit.games.jugger.scenario import SIDES as SIDES
from simkit.games.jugger.scenario import Label, OwnName, Table
from simkit.games.jugger.scenario import SideName as SideName
from simkit.games.juggerball.fields import TEAM, PlayField
from simkit.games.juggerball.values import TABLE

POLICIES = ("hold", "random", "chase", "greedy")
"""Who decides, from the simplest to the cleverest (J-BALL-25)."""

DEFAULT_TURNS = 200
"""Turns after which an undecided match is over (J-BALL-24)."""

MOST_TURNS = 1000
IMPROVEMENTS = 3
"""Improvements of a regulation jug (J-BALL-1)."""

RANDOM = "random"
"""What a jug is called that is rolled on the improvement table (J-BALL-22)."""

Policy = Literal["hold", "random", "chase", "greedy"]
Team = Literal["random", "mirror"]

_values: dict[str, Any] = {
    one.name: (Annotated[int, Field(ge=one.low, le=one.high)] | None, Field(None, description=one.says))
    for one in TABLE
}
Values: Any = create_model("Values", __base__=Table, __doc__="What a player values, in hundredths.", **_values)
"""A table of values; what is left out stays as it is."""


class Fixed(Table):
    """Improvements that random jugs have for certain."""

    items: Annotated[list[Name], Field(min_length=1, max_length=IMPROVEMENTS)] = Field(
        description="improvements or standard weapons; the others are rolled (J-BALL-22)"
    )
    jugs: Annotated[int, Field(ge=0, le=TEAM)] = Field(
        TEAM, description="how many jugs have them, those with the lowest numbers"
    )


class Side(Table):
    """One side: a random team, the mirror of the other side's, or seven jugs."""

    team: Team | None = Field(
        None, description='"random": every jug is rolled for every unit of trials; "mirror", of side b: what a has'
    )
    jugs: Annotated[list[Label | Design], Field(min_length=TEAM, max_length=TEAM)] | None = Field(
        None, description='seven jugs: names of designs, designs themselves, or "random"'
    )
    fixed: Fixed | None = Field(None, description="improvements that random jugs have for certain")
    policy: Policy | None = Field(None, description="who decides for this side; default: policy of [run]")
    values: Values | None = Field(None, description="what its player values, in hundredths (J-BALL-25)")
    title: Label | None = Field(None, description="what this side is called")

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if self.team is not None and self.jugs is not None:
            raise _mistake("team and jugs exclude each other", "keep one of the two", "jugs")
        if self.fixed is not None and (self.team == "mirror" or (self.jugs is not None and RANDOM not in self.jugs)):
            raise _mistake("fixed goes with random jugs; this side has none", 'team = "random"', "fixed")
        return self

    @property
    def every_jug(self) -> list[str | Design]:
        """The seven jugs; a random team has random jugs, the other side's mirror as well."""
        return [RANDOM] * TEAM if self.jugs is None else [*self.jugs]


def _mistake(message: str, help: str, *at: str) -> PydanticCustomError:
    return PydanticCustomError("meaning", "{message}", {"message": message, "help": help, "at": at})


class Sides(Table):
    """The two sides."""

    a: Side = Field(default_factory=lambda: Side(), description="side a; default: a random team")
    b: Side = Field(default_factory=lambda: Side(), description="side b; default: a random team")

    @model_validator(mode="after")
    def _mirror_of(self) -> Self:
        if self.a.team == "mirror":
            raise _mistake("side a cannot mirror: it is what side b can mirror", 'team = "random"', "a", "team")
        return self


class Match(Table):
    """The field, and how long a match lasts."""

    field: Label | PlayField = Field("pitch", description="name of a field, or the field itself (J-BALL-7)")
    max_turns: Annotated[int, Field(ge=1, le=MOST_TURNS)] = Field(
        DEFAULT_TURNS, description="undecided after so many turns is a draw (J-BALL-24)"
    )


class Scenario(BaseModel):
    """What an experiment sets up for juggerball: one match.

    Examples
    --------
    >>> match = {"sides": {"a": {"team": "random"}, "b": {"team": "mirror", "policy": "chase"}}}
    >>> Scenario.model_validate(match).policy_of("b"), Scenario.model_validate(match).scenario.field
    ('chase', 'pitch')
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    sides: Sides = Field(default_factory=lambda: Sides(), description="who plays whom")
    designs: Annotated[dict[OwnName, Design], Field(max_length=1000)] = Field(
        default_factory=dict, description="designs of this experiment by name"
    )
    scenario: Match = Field(default_factory=lambda: Match(), description="field and length")
    policy: Policy = Field("greedy", description="who decides for a side that names no policy")

    def side(self, name: SideName) -> Side:
        """Return side a or b."""
        return self.sides.a if name == "a" else self.sides.b

    def policy_of(self, name: SideName) -> Policy:
        """Return who decides for a side."""
        return self.side(name).policy or self.policy
