"""Fights: who meets whom on which lane, as a player writes it down (B-LAN-8, B-LAN-26, B-LAN-27).

A file has one side each in ``[sides.a]`` and ``[sides.b]``, designs of its own in ``[designs.NAME]``, and all else in
``[scenario]``. What a table says is read here; whether it fits together, and with the rules, is told by
:mod:`simkit.games.battlesystem.legality`.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simkit.games.battlesystem.lane import Lane, LaneTable, length_of, survey
from simkit.games.battlesystem.tables import Inches, Label, Table, thirtysixths, together
from simkit.games.battlesystem.units import Design

Policy = Literal["advance", "hold", "charge", "set", "wall", "wall_advance", "skirmish", "best"]
POLICIES: tuple[Policy, ...] = ("advance", "hold", "charge", "set", "wall", "wall_advance", "skirmish", "best")
"""What a unit declares and does; the first where nothing is said (B-LAN-26)."""

FormationName = Literal["closed", "open", "skirmish", "mob"]
FORMATIONS: tuple[FormationName, ...] = ("closed", "open", "skirmish", "mob")
Contact = Literal["front", "flank", "rear"]
Declaration = Literal["none", "wall", "wall_round", "set", "charge"]
"""What may be in force at the start. To all sides it is then alone: on the way its turns cost too much (B-LAN-14)."""

SideName = Literal["a", "b"]
SIDES: tuple[SideName, ...] = ("a", "b")
OwnName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]

SLOTS = 6
"""Places abreast on each side (B-LAN-27)."""

MOST_UNITS = 2 * SLOTS
MOST_FIGURES = 48
"""Figures of the greatest unit (B-UNI-1)."""

MOST_ROUNDS = 1000
DEFAULT_FIGURES = 12
DEFAULT_RANKS = 2

Figures = Annotated[int, Field(ge=1, le=MOST_FIGURES)]
Slot = Annotated[int, Field(ge=0, le=SLOTS - 1)]


class Unit(Table):
    """One unit of a side."""

    design: Label | Design = Field(description="name of a design, or the design itself")
    figures: Figures = Field(DEFAULT_FIGURES, description="figures at the start (B-UNI-1)")
    files: Figures | None = Field(None, description="figures abreast; default: as many as make two ranks")
    ranks: Figures | None = Field(None, description="in place of files: figures deep")
    formation: FormationName = Field("closed", description="closed, open, skirmish or mob (B-UNI-3)")
    policy: Policy | None = Field(None, description="what it declares and does; default: that of its side")
    slot: Slot | None = Field(None, description="its place abreast, from 0; default: the next one (B-LAN-27)")
    reserve: bool = Field(False, description="it stands behind the unit of its slot")

    @model_validator(mode="after")
    def _one_shape(self) -> Self:
        return together(self, _two_shapes(self))

    @property
    def abreast(self) -> int:
        """Figures abreast."""
        return self.files or -(-self.figures // (self.ranks or DEFAULT_RANKS))


def _two_shapes(table: "Unit | Side") -> list[tuple[str, str, str]]:
    """Say what is wrong with a unit whose files and ranks are given."""
    if table.files is None or table.ranks is None:
        return []
    return [("files and ranks say the same thing", "keep one of the two; the figures give the other", "ranks")]


ALONE = ("figures", "files", "ranks", "formation")
"""What goes with the only design of a side."""


class Side(Table):
    """One side: one unit, or a list of units."""

    design: Label | Design | None = Field(None, description="name of the only unit's design, or the design itself")
    figures: Figures | None = Field(None, description="with design: figures at the start; default 12")
    files: Figures | None = Field(None, description="with design: figures abreast; default: two ranks")
    ranks: Figures | None = Field(None, description="with design: figures deep, in place of files")
    formation: FormationName | None = Field(None, description="with design: closed (default), open, skirmish, mob")
    units: Annotated[list[Unit], Field(min_length=1, max_length=MOST_UNITS)] | None = Field(
        None, description="several units, each {design = NAME, figures = N, files = N, ...}"
    )
    policy: Policy | None = Field(None, description="what its units declare and do; default: policy of [run]")
    title: Label | None = Field(None, description="what this side is called")

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        found = []
        if self.design is None and self.units is None:
            found.append(("a side has a design, or units; this one has neither", 'design = "pikemen"', "design"))
        if self.units is not None:
            listed = 'units = [{design = "orcs", figures = 24}, ...] alone'
            if self.design is not None:
                found.append(("design and units exclude each other", listed, "units"))
            found += [
                (f"{key} goes with design", f"in units each design has {key} of its own", key)
                for key in ALONE
                if getattr(self, key) is not None
            ]
        return together(self, found + _two_shapes(self))

    @property
    def every_unit(self) -> list[Unit]:
        """The units of the side, also where the file has a design alone."""
        if self.design is None:
            return self.units or []
        given = {key: getattr(self, key) for key in ALONE if getattr(self, key) is not None}
        return [Unit(design=self.design, **given)]


class Sides(Table):
    """The two sides."""

    a: Side
    b: Side


class Start(Table):
    """What both sides have declared before the first round."""

    a: Declaration = Field("none", description="none, wall, wall_round, set or charge")
    b: Declaration = Field("none", description="none, wall, wall_round, set or charge")


class Battle(Table):
    """The lane, how the sides meet, and when it ends."""

    lane: LaneTable | None = Field(None, description="length, ground and obstacles; default: 24 inches of clear ground")
    distance: Inches | None = Field(None, description="inches between the fronts; takes the place of lane.length")
    contact: Contact = Field("front", description="where side a strikes side b: front, flank or rear (B-LAN-6)")
    contact_b: Contact = Field("front", description="where side b strikes side a: front, flank or rear (B-LAN-6)")
    start: Start = Field(default_factory=Start, description="declarations in force at the start (B-LAN-13)")
    in_contact: bool = Field(False, description="the fronts touch from the first round, in the middle of the lane")
    max_rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = Field(
        None, description="rounds after which the fight is broken off; default: the rules"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        found = []
        if self.distance is not None and self.lane is not None and self.lane.length is not None:
            found.append(("distance and the length of the lane are the same thing", "keep one of the two", "distance"))
        if self.distance is not None and self.in_contact:
            found.append(("distance and in_contact exclude each other", "keep one of the two", "distance"))
        return together(self, found)

    @property
    def length(self) -> int:
        """Length of the lane in thirty-sixths of an inch."""
        return length_of(self.lane or LaneTable()) if self.distance is None else thirtysixths(self.distance)

    @property
    def ground(self) -> Lane:
        """The lane from the start of side a, in thirty-sixths of an inch."""
        return survey(self.lane or LaneTable(), self.length)

    @property
    def fronts(self) -> tuple[int, int]:
        """Where the fronts of side a and side b begin, in thirty-sixths of an inch from the start of side a."""
        middle = self.length // 2
        return (middle, middle) if self.in_contact else (0, self.length)


class Scenario(Table):
    """What an experiment sets up for Battlesystem: one fight.

    Examples
    --------
    >>> fight = {"sides": {"a": {"design": "pikemen", "figures": 24}, "b": {"design": "heavy-cavalry"}}}
    >>> Scenario.model_validate(fight).sides.a.every_unit[0].abreast
    12
    """

    sides: Sides = Field(description="who fights whom")
    designs: Annotated[dict[OwnName, Design], Field(max_length=1000)] = Field(
        default_factory=dict, description="designs of this experiment by name"
    )
    scenario: Battle = Field(default_factory=Battle, description="lane, contact, declarations at the start")
    policy: Policy = Field("advance", description="what units do whose side names no policy")

    def side(self, name: SideName) -> Side:
        """Return side a or b."""
        return self.sides.a if name == "a" else self.sides.b

    def policy_of(self, name: SideName, unit: Unit) -> Policy:
        """Return what a unit of a side declares and does: its own policy, its side's, or everybody's."""
        return unit.policy or self.side(name).policy or self.policy
