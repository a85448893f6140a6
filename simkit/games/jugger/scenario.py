"""Battles: who fights whom, where, and for what, as a player writes it down (J-ARM-1, J-ARM-2, J-DEP-1).

A file has one side each in ``[sides.a]`` and ``[sides.b]``, designs of its own in ``[designs.NAME]``, weights of its
players in ``[weights.NAME]``, and all else, such as the map, in ``[scenario]``. What a table says is read here; whether
it fits together, and with the rules, is told by :mod:`simkit.games.jugger.legality`.
"""

from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model, model_validator
from pydantic_core import PydanticCustomError

from simkit.games.jugger.designs import Design
from simkit.games.jugger.maps import EDGE, SIDE, HexMap
from simkit.games.jugger.weights import TABLE

POLICIES = ("hold", "random", "greedy", "tuned", "lookahead")
"""Who decides, from the simplest to the cleverest."""

DEFAULT_TURNS = 60
MOST_TURNS = 1000
FASTEST = 20
"""Greatest velocity at the start."""

FARTHEST = 50
"""Greatest distance at the start, for which there is room on any map made for it."""

Policy = Literal["hold", "random", "greedy", "tuned", "lookahead"]
SideName = Literal["a", "b"]
SIDES: tuple[SideName, ...] = ("a", "b")
Checked = TypeVar("Checked", bound=BaseModel)
Label = Annotated[str, Field(min_length=1, max_length=64)]
OwnName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Arc = Annotated[int, Field(ge=0, le=5)]
Axis = Annotated[int, Field(ge=-EDGE, le=EDGE)]
Pair = Annotated[list[Axis], Field(min_length=2, max_length=2)]
Velocity = Annotated[int, Field(ge=0, le=FASTEST)]
Turns = Annotated[int, Field(ge=1, le=MOST_TURNS)]
Number = Annotated[int, Field(ge=1, le=SIDE)]


class Table(BaseModel):
    """A table of a file: strict, closed and immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _mistake(message: str, help: str, *at: str) -> PydanticCustomError:
    return PydanticCustomError("meaning", "{message}", {"message": message, "help": help, "at": at})


def _together(table: Checked, found: list[tuple[str, str, str]]) -> Checked:
    """Return a table in which nothing is wrong, or raise one error that says all, at the first of the settings."""
    if found:
        messages, helps = (dict.fromkeys(one[k] for one in found) for k in (0, 1))
        raise _mistake("; ".join(messages), "; ".join(helps), found[0][2])
    return table


_values: dict[str, Any] = {
    one.name: (Annotated[int, Field(ge=one.low, le=one.high)] | None, Field(None, description=one.says))
    for one in TABLE
}
Values: Any = create_model("Values", __base__=Table, __doc__="What a player values, in hundredths.", **_values)
"""A table of weights; what is left out stays as it is."""


class Gain(Table):
    """What tuned weights have gained on fresh dice, as a share of the score."""

    estimate: float
    low: float
    high: float
    level: float
    n: int


class Tuning(Table):
    """Weights with a name of their own, and whom they were tuned for."""

    values: Values = Field(description="weights by name, in hundredths")
    design: Label | Design | None = Field(None, description="design that they were tuned for")
    family: Label | None = Field(None, description="family of designs that they were tuned for")
    title: Label | None = Field(None, description="what they are called")
    gain: Gain | None = Field(None, description="what they have gained against the plain weights")

    @model_validator(mode="after")
    def _one_owner(self) -> Self:
        if self.design is not None and self.family is not None:
            raise _mistake("design and family exclude each other", "a table of weights for each of them", "family")
        return self


class Unit(Table):
    """One or several jugs of one design."""

    design: Label | Design = Field(description="name of a design, or the design itself")
    count: Number = Field(1, description="how many of them")


class Side(Table):
    """One side: a design and how many of it, or a list of units."""

    design: Label | Design | None = Field(None, description="name of the only design, or the design itself")
    count: Number | None = Field(None, description="how many of that design; default 1")
    units: Annotated[list[Unit], Field(min_length=1, max_length=SIDE)] | None = Field(
        None, description="several designs, each {design = NAME, count = N}"
    )
    policy: Policy | None = Field(None, description="who decides for this side; default: policy of [run]")
    weights: Label | Values | None = Field(
        None, description='what its player values: a table, the name of one, or "tuned" for those of its design'
    )
    title: Label | None = Field(None, description="what this side is called")

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if self.design is None and self.units is None:
            raise _mistake("a side has a design, or units; this one has neither", 'design = "thrasher"')
        if self.design is not None and self.units is not None:
            raise _mistake(
                "design and units exclude each other", 'units = [{design = "archer", count = 2}, ...] alone', "units"
            )
        if self.units is not None and self.count is not None:
            raise _mistake("count goes with design", "in units each design has a count of its own", "count")
        jugs = sum(unit.count for unit in self.every_unit)
        if jugs > SIDE:
            raise _mistake(f"{jugs} jugs; a side has at most {SIDE}", "lower the counts", "units")
        return self

    @property
    def every_unit(self) -> list[Unit]:
        """The units of the side, also where the file has a design alone."""
        if self.design is not None:
            return [Unit(design=self.design, count=self.count or 1)]
        return self.units or []

    @property
    def count_of_jugs(self) -> int:
        """How many jugs the side has."""
        return sum(unit.count for unit in self.every_unit)


class Sides(Table):
    """The two sides."""

    a: Side
    b: Side


class Start(Table):
    """Where one jug begins."""

    q: Axis = Field(description="column of the hex: east")
    r: Axis = Field(description="row of the hex: south-east")
    facing: Arc | None = Field(
        None, description="direction that it faces, 0 east and on clockwise; default: 0 for side a, 3 for side b"
    )
    velocity: Velocity | None = Field(None, description="velocity it has; default: velocity of the scenario")


Starts = Annotated[list[Start], Field(min_length=1, max_length=SIDE)]


class Deployment(Table):
    """Where every jug begins, in the order of its side."""

    a: Starts
    b: Starts


class Victory(Table):
    """What decides a battle beside the destruction of a side (J-ARM-2)."""

    rout_below: Annotated[int, Field(ge=0, le=100)] | None = Field(
        None, description="a side with less than this percentage of its size classes has lost; default: the rules"
    )
    occupy: Pair | None = Field(None, description="hex [q, r]: who alone holds it has won")
    within: Annotated[int, Field(ge=0, le=EDGE)] | None = Field(
        None, description="with occupy: so many hexes round it count; default 0"
    )
    turns: Turns | None = Field(None, description="with occupy: ends of turns in a row; default 1")
    break_through: Number | None = Field(
        None, description="a side that brings so many jugs to the enemy's end of the map has won"
    )
    far_end: Annotated[int, Field(ge=1, le=EDGE)] | None = Field(
        None, description="with break_through: how many hexes of a row are that end; default 1"
    )
    target_a: Number | None = Field(None, description="jug of side a, counted from 1, without which it has lost")
    target_b: Number | None = Field(None, description="jug of side b, counted from 1, without which it has lost")
    delay: Turns | None = Field(None, description="the defender has won if he is not beaten in so many turns")
    defender: SideName | None = Field(None, description="with delay: the side that must hold out")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        pairs = (("within", "occupy"), ("turns", "occupy"), ("far_end", "break_through"), ("defender", "delay"))
        found = [
            (f"{extra} goes with {needed}", f"add {needed}, or leave {extra} out", extra)
            for extra, needed in pairs
            if getattr(self, extra) is not None and getattr(self, needed) is None
        ]
        if self.delay is not None and self.defender is None:
            found.append(("delay needs a defender", 'defender = "b"', "delay"))
        return _together(self, found)


def _known_deployment(value: Any) -> Any:
    if isinstance(value, str) and value not in ("ends", "close"):
        raise PydanticCustomError(
            "value",
            "no deployment is called {found}",
            {"found": repr(value[:64]), "help": '"ends", "close", or {a = [{q = .., r = ..}], b = [...]}'},
        )
    return value


class Battle(Table):
    """The map, where the sides begin, and how it ends."""

    map: Label | HexMap | None = Field(None, description="name of a map, or the map itself; default open")
    density: Annotated[float, Field(ge=0, le=1)] | None = Field(
        None, description="share of the hexes that are forest, instead of the map's own forests (J-TER-1)"
    )
    map_seed: Annotated[int, Field(ge=0, lt=2**63)] | None = Field(
        None, description="which forest of that density; default: the map's"
    )
    deployment: Annotated[Literal["ends", "close"] | Deployment, BeforeValidator(_known_deployment)] | None = Field(
        None, description='"ends" (default) or "close" to the middle (J-DEP-1), or every place: a and b'
    )
    distance: Annotated[int, Field(ge=1, le=FARTHEST)] | None = Field(
        None, description="instead of a deployment: both sides on the same rows, so many hexes apart"
    )
    a_arc: Arc | None = Field(None, description="with distance: arc of side a in which the enemy lies; default 0")
    b_arc: Arc | None = Field(None, description="with distance: arc of side b in which the enemy lies; default 0")
    velocity: Velocity = Field(0, description="velocity of every jug at the start")
    max_turns: Turns | None = Field(None, description="undecided after so many turns is a draw; default 60 (J-ARM-4)")
    victory: Victory = Field(default_factory=Victory, description="what decides it beside destruction (J-ARM-2)")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        found = []
        if self.distance is not None and self.deployment is not None:
            found.append(("distance and deployment exclude each other", "keep one of the two", "distance"))
        for arc in ("a_arc", "b_arc"):
            if getattr(self, arc) is not None and self.distance is None:
                found.append((f"{arc} goes with distance", "elsewhere the facings say it", arc))
        if self.max_turns is not None and self.victory.delay is not None:
            found.append(("max_turns and delay exclude each other", "the delay is the limit of turns", "max_turns"))
        return _together(self, found)

    @property
    def limit(self) -> int:
        """Most turns that are played."""
        return self.victory.delay or self.max_turns or DEFAULT_TURNS


class Scenario(BaseModel):
    """What an experiment sets up for Jugger: one battle.

    Examples
    --------
    >>> duel = {"sides": {"a": {"design": "thrasher"}, "b": {"design": "archer", "count": 2}}}
    >>> Scenario.model_validate(duel).sides.b.count_of_jugs
    2
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    sides: Sides = Field(description="who fights whom")
    designs: Annotated[dict[OwnName, Design], Field(max_length=1000)] = Field(
        default_factory=dict, description="designs of this experiment by name"
    )
    scenario: Battle = Field(default_factory=Battle, description="map, deployment, victory")
    weights: Annotated[dict[OwnName, Tuning], Field(max_length=1000)] = Field(
        default_factory=dict, description="tuned weights of this experiment by name"
    )
    policy: Policy = Field("greedy", description="who decides for a side that names no policy")

    def side(self, name: SideName) -> Side:
        """Return side a or b."""
        return self.sides.a if name == "a" else self.sides.b

    def policy_of(self, name: SideName) -> Policy:
        """Return who decides for a side."""
        return self.side(name).policy or self.policy
