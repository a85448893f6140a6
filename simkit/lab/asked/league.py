"""The table ``[league]`` of an experiment (J-LEA-1 to J-LEA-9)."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from simkit.lab.asked.matrix import MOST_LISTED, Listed, OwnName
from simkit.lab.strict import STRICT

MOST_ENTRANTS = 32
"""Most that can take part (J-LEA-1)."""

MOST_ROUNDS = 8
LEAST_SEASONS = 512
"""Fewest seasons: two for each of the 256 batches of which the errors are made."""

MOST_SEASONS = 10**8
MOST_EXACT = 4
"""Most entrants of a league that is solved exactly (J-LEA-6)."""

CRITERIA = ("direct", "difference", "roll")
CHANCE = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18}|/[0-9]{1,18})?", re.ASCII)

Rounds = Literal["single", "double"] | Annotated[int, Field(ge=1, le=MOST_ROUNDS)]
Points = Annotated[list[Annotated[int, Field(ge=0, le=1_000)]], Field(min_length=3, max_length=3)]
Criterion = Literal["direct", "difference", "roll"]
Criteria = Annotated[list[Criterion], Field(min_length=1, max_length=3)]
Seasons = Annotated[int, Field(ge=LEAST_SEASONS, le=MOST_SEASONS)]
Budget = Annotated[int, Field(ge=1, le=1_000_000)]


def _chance(value: Any) -> Any:
    """Accept a chance that is written exactly; a float has been rounded before anybody asked."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return value
    text = str(value)
    below = text.rpartition("/")[2].strip("0") if "/" in text else "1"
    if not CHANCE.fullmatch(text) or not below:
        said = {"found": repr(text[:40]), "help": '"11/20", "0.55", 0 or 1'}
        raise PydanticCustomError("value", "{found} is not a chance", said)
    return text


Chance = Annotated[
    str,
    BeforeValidator(_chance),
    WithJsonSchema({"anyOf": [{"type": "string", "pattern": f"^{CHANCE.pattern}$"}, {"enum": [0, 1]}]}),
]
Odds = Annotated[list[Chance], Field(min_length=3, max_length=3)]


def _mistake(message: str, help: str, *at: str | int) -> PydanticCustomError:
    return PydanticCustomError("meaning", "{message}", {"message": message, "help": help, "at": at})


def _check_points(points: list[int], at: str) -> None:
    if not points[0] >= points[1] >= points[2] or points[0] == points[2]:
        found = "-".join(map(str, points))
        raise _mistake(f"points {found} do not fall from win to loss", "win, draw, loss: [3, 1, 0] or [2, 1, 0]", at)


def _check_criteria(names: list[str], at: str) -> None:
    if names[-1] != "roll" or len(set(names)) < len(names):
        allowed = '["direct", "difference", "roll"], ["difference", "direct", "roll"], or fewer before "roll"'
        raise _mistake("a tie ends with 'roll', and each criterion stands there once", allowed, at)


class Army(BaseModel):
    """An entrant by what it is made of (J-LEA-3, J-ARM-1)."""

    model_config = STRICT

    title: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(None, description="what it is called")
    race: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(
        None, description="filled at random with published designs of this race, up to its budget (J-LEA-3)"
    )
    units: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=MOST_LISTED)] | None = Field(
        None, description="named designs with counts: [{design = NAME, count = N}, ...]"
    )
    budget: Budget | None = Field(None, description="at most so many size classes; default: budget of [league]")
    draw: Annotated[int, Field(ge=0, lt=2**31)] = Field(
        0, description="which of the random armies of its race; another number is another army"
    )

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if (self.race is None) == (self.units is None):
            verb = "has both" if self.race is not None else "has neither"
            raise _mistake(f"an army is units or a race; this one {verb}", 'race = "dwarf", or units = [...]')
        return self


class Instead(BaseModel):
    """What is otherwise in the same seasons, on the same dice (J-LEA-6, J-LEA-9)."""

    model_config = STRICT

    points: Points | None = Field(None, description="points of win, draw and loss instead (J-LEA-4)")
    tie_break: Criteria | None = Field(None, description="order of the tie-breaks instead (J-LEA-5)")
    set: dict[str, Any] = Field(default_factory=dict, description="rules changed instead, by dotted path")
    house_rules: Annotated[list[Annotated[str, Field(max_length=2000)]], Field(max_length=64)] = Field(
        default_factory=list, description="house rules that hold as well"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.points is None and self.tie_break is None and not self.set and not self.house_rules:
            raise _mistake("nothing is otherwise in [league.instead]", "points, tie_break, set or house_rules")
        if self.points is not None:
            _check_points(self.points, "points")
        if self.tie_break is not None:
            _check_criteria([*self.tie_break], "tie_break")
        return self


class League(BaseModel):
    """What ``simkit league`` is asked: who plays seasons against each other, and how the table is made."""

    model_config = STRICT

    designs: Literal["all"] | Annotated[list[Listed | dict[str, Any]], Field(min_length=1, max_length=MOST_LISTED)] = (
        Field([], description='designs by name or as tables, each in place of that of its side; "all": every preset')
    )
    sides: dict[OwnName, dict[str, Any]] = Field(
        default_factory=dict, description="whole sides (armies, teams), by the names they have: [league.sides.NAME]"
    )
    armies: dict[OwnName, Army] = Field(
        default_factory=dict, description="armies of units or of a race: [league.armies.NAME] (J-LEA-3)"
    )
    budget: Budget | None = Field(
        None, description="at most so much for an entrant, in the measure of its game: 20 size classes (J-ARM-1)"
    )
    rounds: Rounds = Field(
        "double",
        description='"double": each plays each at home and away; "single": once; a number: so many double rounds '
        "(J-LEA-1)",
    )
    points: Points = Field([3, 1, 0], description="points of win, draw and loss; alternative [2, 1, 0] (J-LEA-4)")
    tie_break: Criteria = Field(
        ["direct", "difference", "roll"],
        description='what parts those with equal points, in order; alternative ["difference", "direct", "roll"] '
        "(J-LEA-5)",
    )
    difference: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")] | None = Field(
        None,
        description="what the difference of a match is counted in: the outcomes NAME_a and NAME_b; default: goals, or "
        "what a side has left (J-LEA-5)",
    )
    method: Literal["played", "matrix", "exact"] = Field(
        "played",
        description='"played": every match of every season; "matrix": seasons drawn from the games of each pair; '
        '"exact": up to four entrants, in fractions (J-LEA-6)',
    )
    seasons: Seasons = Field(10_240, description="seasons, rounded up to a multiple of 256 (J-LEA-6)")
    games: Seasons = Field(
        5_120, description='games of every pair at each home with method = "matrix", a multiple of 256 (J-LEA-6)'
    )
    odds: dict[Listed, dict[Listed, Odds]] = Field(
        default_factory=dict,
        description='with method = "exact": [win, draw, loss] of the home side, [league.odds.HOME] AWAY = [...]; '
        "default: the exact solutions of the game (J-LEA-6)",
    )
    divisions: (
        Annotated[
            list[Annotated[list[Listed], Field(min_length=2, max_length=MOST_ENTRANTS)]],
            Field(min_length=2, max_length=16),
        ]
        | None
    ) = Field(None, description="entrants by division, the best first; default: one division (J-LEA-7)")
    promoted: Annotated[int, Field(ge=1, le=MOST_ENTRANTS // 2)] = Field(
        1, description="how many change places between two divisions after each season (J-LEA-7)"
    )
    burn_in: Annotated[int, Field(ge=0, le=10_000)] = Field(
        20, description="with divisions: seasons at the beginning of each history that are not counted (J-LEA-7)"
    )
    home_field: Literal["seat", "map"] = Field(
        "seat",
        description='"seat": home is seat A and nothing else; "map": the home side\'s own map, of [league.home.NAME] '
        "(J-LEA-2)",
    )
    home: dict[Listed, dict[OwnName, Any]] = Field(
        default_factory=dict, description='with home_field = "map": what [scenario] has when NAME is at home (J-LEA-2)'
    )
    carry_damage: bool = Field(
        False, description="whether damage stays until the season ends; for games that can begin damaged (J-LEA-3)"
    )
    reroll: Literal["never", "season"] = Field(
        "never",
        description='"season": random armies and teams are drawn anew for every season; for games that can (J-LEA-3)',
    )
    instead: Instead | None = Field(
        None, description="the same seasons once more with other points, tie-breaks or rules (J-LEA-9)"
    )
    fair_within: Annotated[float, Field(gt=0, le=0.25)] = Field(
        0.01, description="with instead: title odds that surely move by less than this are said to hold"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _check_points(self.points, "points")
        _check_criteria([*self.tie_break], "tie_break")
        if self.odds and self.method != "exact":
            raise _mistake("odds go with method = 'exact'", 'method = "exact", or leave the odds out', "odds")
        if self.method == "exact" and self.divisions is not None:
            raise _mistake("an exact league has one division", 'method = "played" or "matrix"', "divisions")
        if self.method == "exact" and self.instead is not None and (self.instead.set or self.instead.house_rules):
            raise _mistake("an exact league compares points and tie_break", 'method = "played"', "instead")
        given = self.model_fields_set
        for name in ("promoted", "burn_in"):
            if name in given and self.divisions is None:
                raise _mistake(f"{name} goes with divisions", "divisions = [[...], [...]], the best first", name)
        if (self.home_field == "map") != bool(self.home):
            at = "home_field" if self.home_field == "map" else "home"
            help = '[league.home.NAME] with map = "..." for each, and home_field = "map"'
            raise _mistake("home_field = 'map' and tables [league.home.NAME] go together", help, at)
        return self
