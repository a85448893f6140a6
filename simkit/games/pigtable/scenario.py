"""What an experiment sets up: a match on a table, or one turn along a route (P-TAB-7, P-GAM-15)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.shapes import Point, square
from simkit.games.pigtable.tables import MOST_LANCERS, Ground, Reader, read_table, shipped
from simkit.games.protocol import Complaint

POLICIES = ("straight", "router", "cautious")
"""Who decides (P-GAM-19 to P-GAM-21)."""

MOST_VIA = 2
"""Most turning points of a route."""

Policy = Literal["straight", "router", "cautious"]
Inches = Annotated[list[int | float], Field(min_length=2, max_length=2)]
TableText = Annotated[str, Field(max_length=64)] | dict[str, Any]


class Part(BaseModel):
    """A table of a file: strict and closed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Match(Part):
    """A match: the table, and who plays."""

    table: TableText = Field("desert", description="name of a table, or the table itself (P-TAB-7)")
    without: list[Annotated[str, Field(max_length=80)]] = Field(
        default_factory=list, description="names of pieces that are left out"
    )
    seats: Annotated[int, Field(ge=2, le=MOST_LANCERS)] = Field(4, description="lancers; they take the first starts")
    teams: list[Annotated[int, Field(ge=1, le=MOST_LANCERS)]] | None = Field(
        None, description="team of every seat, numbered from 1; left out: everybody for himself"
    )
    policies: list[Policy] | None = Field(None, description="who decides for every seat; default: policy of [run]")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for name in ("teams", "policies"):
            value = getattr(self, name)
            if value is not None and len(value) != self.seats:
                raise _mistake(f"{name} has {len(value)} entries for {self.seats} seats", "one for every seat", name)
        if self.teams is not None:
            numbers = sorted(set(self.teams))
            if len(numbers) < 2 or numbers != list(range(1, len(numbers) + 1)):
                raise _mistake("teams are two or more, numbered from 1", "teams = [1, 2, 1, 2]", "teams")
        return self


class Route(Part):
    """One turn of one lancer along a route (P-TAB-7)."""

    table: TableText = Field("desert", description="name of a table, or the table itself")
    without: list[Annotated[str, Field(max_length=80)]] = Field(
        default_factory=list, description="names of pieces that are left out"
    )
    from_: Inches = Field(alias="from", description="where he stands as his turn begins, in inches")
    via: Annotated[list[Inches], Field(max_length=MOST_VIA)] = Field(
        default_factory=list, description="his turning points; for a stop the last is where he wishes to stop"
    )
    target: Literal["pig", "stop"] = Field("pig", description="what he rides for")
    pig: Inches | None = Field(None, description="where the pig stands; default: its place on the table")
    lancers: Annotated[list[Inches], Field(max_length=MOST_LANCERS - 1)] = Field(
        default_factory=list, description="where other lancers stand"
    )
    damage: Annotated[int, Field(ge=0, le=100)] = Field(0, description="damage of his unicycle")


class Scenario(BaseModel):
    """What an experiment sets up for Pig Tickler on a table.

    Examples
    --------
    >>> Scenario.model_validate({"scenario": {"table": "paddock", "seats": 2}}).policies
    ('straight', 'straight')
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    scenario: Match | None = Field(None, description="the table, and who plays")
    route: Route | None = Field(None, description="one turn along a route, for exact solutions")
    policy: Policy = Field("straight", description="who decides for seats that name nobody")

    @model_validator(mode="after")
    def _one(self) -> Self:
        if self.scenario is not None and self.route is not None:
            raise _mistake("a match and a route exclude each other", "keep one of the two", "route")
        return self

    @property
    def match(self) -> Match:
        """The match; where a file says nothing, the default one."""
        return self.scenario if self.scenario is not None else Match()

    @property
    def policies(self) -> tuple[Policy, ...]:
        """Who decides, by seat."""
        match = self.match
        return tuple(match.policies) if match.policies is not None else (self.policy,) * match.seats

    @property
    def place(self) -> Match | Route:
        """What names the table."""
        return self.route if self.route is not None else self.match


def _mistake(message: str, help: str, *at: str) -> PydanticCustomError:
    return PydanticCustomError("meaning", "{message}", {"message": message, "help": help, "at": at})


def table_data(table: str | Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the data of a table that is named or given; None where no table has that name."""
    return shipped().get(table) if isinstance(table, str) else table


def ground_of(scenario: Scenario, rules: Rules) -> Ground:
    """Return the table of a legal scenario, without the pieces that are left out."""
    place = scenario.place
    data = table_data(place.table)
    if data is None:
        raise KeyError(place.table)
    return read_table(data, rules, (rules.base_lancer, rules.base_pig))[0].without(place.without)


class Laid(Part):
    """A route in units."""

    start: Point
    via: tuple[Point, ...]
    pig: Point
    lancers: tuple[Point, ...]


def route_of(route: Route, ground: Ground, rules: Rules) -> tuple[Laid, list[Complaint]]:
    """Return a route in units, and what is wrong with it (P-TAB-1, P-TAB-5, P-GAM-7)."""
    reader = Reader({}, rules, (rules.base_lancer, rules.base_pig))

    def point(value: list[int | float], name: str, *path: str | int) -> Point:
        return reader.point(value, name, "route", *path) or (0, 0)

    start = point(route.from_, "where he stands", "from")
    via = tuple(point(one, f"turning point {k + 1}", "via", k) for k, one in enumerate(route.via))
    pig = ground.pig if route.pig is None else point(route.pig, "the pig", "pig")
    lancers = tuple(point(one, f"lancer {k + 1}", "lancers", k) for k, one in enumerate(route.lancers))
    if not reader.mistakes:
        figures = [(pig, rules.base_pig, "the pig"),
                   *((one, rules.base_lancer, f"lancer {k + 1}") for k, one in enumerate(lancers))]  # fmt: skip
        for k, (place, base, name) in enumerate(figures):
            in_way = ground.blocked_by(place, base) or _figure_at(place, base, figures[:k])
            if in_way:
                at = ("pig",) if k == 0 else ("lancers", k - 1)
                reader.wrong("bad_start", name, f"in the way is {in_way}", "route", *at)
        for k, place in enumerate((start, *via)):
            in_way = ground.blocked_by(place, rules.base_lancer) or _figure_at(place, rules.base_lancer, figures)
            if in_way:
                code, name = ("bad_start", "where he stands") if k == 0 else ("blocked_point", f"turning point {k}")
                at = ("from",) if k == 0 else ("via", k - 1)
                reader.wrong(code, name, f"he cannot be there: in the way is {in_way}", "route", *at)
    if route.target == "stop" and not route.via:
        reader.wrong("wrong_shape", "the route", "a stop needs a point in via", "route", "via")
    found = [Complaint(one.path, one.message, "P-TAB-5") for one in reader.mistakes]
    return Laid(start=start, via=via, pig=pig, lancers=lancers), found


def _figure_at(place: Point, base: int, figures: list[tuple[Point, int, str]]) -> str:
    return next((name for at, other, name in figures if square(place, at) < (base + other) ** 2), "")


def complaints(scenario: Scenario, rules: Rules) -> list[Complaint]:
    """Return why a scenario is illegal under these rules (P-TAB-5)."""
    place = scenario.place
    top = "route" if scenario.route is not None else "scenario"
    found = []
    if not rules.free_facing:
        found.append(Complaint((top,), "on a table the first direction of a turn is always free", "P-GAM-7",
                               "leave free_facing = true"))  # fmt: skip
    data = table_data(place.table)
    if data is None:
        names = ", ".join(shipped())
        unknown = Complaint((top, "table"), f"no table is called '{place.table}'", "P-TAB-7", f"there are: {names}")
        return [*found, unknown]
    ground, mistakes = read_table(data, rules, (rules.base_lancer, rules.base_pig))
    at = (top, "table") if isinstance(place.table, dict) else (top,)
    found += [Complaint((*at, *(one.path if len(at) > 1 else ())), one.message, "P-TAB-5") for one in mistakes]
    names_there = [piece.name for piece in ground.pieces]
    for name in place.without:
        if name not in names_there:
            found.append(Complaint((top, "without"), f"no piece is called '{name}'", "P-TAB-7", ", ".join(names_there)))
    if scenario.route is not None:
        return found if mistakes else found + route_of(scenario.route, ground.without(place.without), rules)[1]
    if len(ground.starts) < scenario.match.seats and not mistakes:
        found.append(Complaint((top, "seats"), f"the table has {len(ground.starts)} starts for "
                               f"{scenario.match.seats} lancers", "P-TAB-7"))  # fmt: skip
    return found
