"""Fields of play as data: a map with two goals, and where the jugs line up (J-BALL-7)."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from simkit.games.jugger import maps
from simkit.games.jugger.maps import EDGE, LISTS, HexMap, Pair, Pairs, Place, Start
from simkit.games.protocol import Complaint

TEAM = 7
"""Jugs of a side (J-BALL-1)."""

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six directions, clockwise from the east (J-BALL-7)."""

FACING = 3
"""Facing of side B; that of side A is 0 (J-BALL-7)."""

Path_ = tuple[str | int, ...]


class Ground(HexMap):
    """The map of a field: its goals are shown as such, and its X's say where the sides line up."""

    _goals: tuple[Place, ...] = PrivateAttr(())
    _posts: tuple[tuple[Place, ...], ...] = PrivateAttr(())
    _ball: Place | None = PrivateAttr(None)

    @classmethod
    def of(cls, field: "PlayField", lists: Mapping[str, list[list[int]]]) -> "Ground":
        """Return the map of a field on which so much stands."""
        own = {name: getattr(field, name) for name in ("title", "says", "half_length", "half_rows")}
        made = cls.model_validate({**own, **lists})
        made._goals = field.goals
        made._ball = field.ball
        made._posts = tuple(tuple(field.posts(side)) for side in range(2))
        return made

    def kinds(self) -> dict[Place, Any]:
        """Return what stands on the hexes that are not plain."""
        return {**super().kinds(), **dict.fromkeys(self._goals, "goal")}

    def ball_start(self) -> Place | None:
        """Return where the ball lies at the kick-off."""
        return self._ball

    def lines(self, side: int) -> tuple[Start, ...]:
        """Return where a side lines up."""
        return tuple(Start(q, r, FACING * side) for q, r in self._posts[side])


class PlayField(BaseModel):
    """A field of play. Side A is in the west; side B has all that it has at (-q, -r).

    Examples
    --------
    >>> pitch = find("pitch")
    >>> pitch.goals, pitch.posts(1)[0]
    (((-13, 0), (13, 0)), (5, 0))
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    title: Annotated[str, Field(max_length=64)] = Field("", description="what people call it")
    says: Annotated[str, Field(max_length=200)] = Field("", description="what it is like, in a sentence")
    half_length: Annotated[int, Field(ge=1, le=EDGE)] = Field(
        description="hexes from the middle of the field to its east end; row 0 has twice as many and one (J-BALL-7)"
    )
    half_rows: Annotated[int, Field(ge=0, le=EDGE)] = Field(description="rows north of the middle row (J-BALL-7)")
    goal: Annotated[int, Field(ge=1, le=EDGE)] = Field(description="hexes from the middle to either goal (J-BALL-7)")
    starts: Annotated[list[Pair], Field(min_length=TEAM, max_length=TEAM)] = Field(
        description="the seven X's of side A, each [q, r]; jug n of a side stands on the n-th (J-BALL-23)"
    )
    ball_start: Pair = Field([0, 0], description="hex of the ball at the kick-off (J-BALL-7)")
    forests: Pairs = Field([], description="hexes of forest, each [q, r] (J-TER-1)")
    rubble: Pairs = Field([], description="hexes of rubble (J-TER-1)")
    houses: Pairs = Field([], description="hexes with a house (J-TER-1)")
    obstacles: Pairs = Field([], description="hexes that nobody enters, nor the ball (J-MAP-5, J-BALL-10)")
    walls: Pairs = Field([], description="hexes with a stone wall, which can be rammed down (J-COL-2)")
    symmetric: bool = Field(False, description="add to everything its image at (-q, -r)")

    @property
    def goals(self) -> tuple[Place, Place]:
        """The goals, side A's first."""
        return (-self.goal, 0), (self.goal, 0)

    @property
    def ball(self) -> Place:
        """Where the ball is at the kick-off."""
        q, r = self.ball_start
        return q, r

    def posts(self, side: int) -> list[Place]:
        """Return where the jugs of a side line up."""
        sign = 1 if side == 0 else -1
        return [(sign * q, sign * r) for q, r in self.starts]

    def map(self, *, goals: bool) -> Ground:
        """Return the map of the field; its goals are obstacles or open to jugs (J-BALL-16)."""
        lists = {name: getattr(self, name) for name in LISTS.values()}
        if goals:
            lists["obstacles"] = [*lists["obstacles"], *([*place] for place in self.goals)]
        if self.symmetric:
            lists = {name: _with_images(listed) for name, listed in lists.items()}
        return Ground.of(self, lists)


def _with_images(listed: list[list[int]]) -> list[list[int]]:
    pairs = ((q, r) for place in listed for q, r in (tuple(place), (-place[0], -place[1])))
    return [[q, r] for q, r in dict.fromkeys(pairs)]


@cache
def load() -> Mapping[str, PlayField]:
    """Return the fields that simkit brings along, by name."""
    text = (Path(__file__).parent / "data" / "fields.toml").read_text(encoding="utf-8")
    return {name: PlayField.model_validate(entry) for name, entry in tomllib.loads(text).items()}


def find(name: str) -> PlayField:
    """Return a field by name.

    Raises
    ------
    KeyError
        There is none of this name; its text tells the names there are.
    """
    fields = load()
    if name not in fields:
        raise KeyError(f"no field is called {name!r}; there are {', '.join(fields)}")
    return fields[name]


def complaints(field: PlayField, at: Path_ = ()) -> list[Complaint]:
    """Return why a field is illegal: its map, goals that are not free all round, places that are not free (J-BALL-7).

    Parameters
    ----------
    field
        The field.
    at
        Where it stands in the file: a key path, which the complaints go on with.
    """
    map = field.map(goals=False)
    found = maps.complaints(map, at)
    if found:
        return found
    kinds = HexMap.kinds(map)
    solid = {place for place, kind in kinds.items() if kind in maps.SOLID}
    for name, listed in ((name, map.places(kind)) for kind, name in LISTS.items()):
        lonely = next((place for place in listed if (-place[0], -place[1]) not in listed), None)
        if lonely is not None:
            image = f"[{-lonely[0]}, {-lonely[1]}]"
            found.append(
                Complaint(
                    (*at, name),
                    f"[{lonely[0]}, {lonely[1]}] has no image at {image}: side B would have another field",
                    "J-BALL-7",
                    "list both, or symmetric = true",
                )
            )
    for q, r in field.goals[:1]:
        around = [(q + dq, r + dr) for dq, dr in STEPS]
        if not map.covers(q, r) or (q, r) in kinds or any(not map.covers(*hex) or hex in solid for hex in around):
            found.append(
                Complaint((*at, "goal"), "the goals must be on the field, and free on all six sides", "J-BALL-7")
            )
    return found + _misplaced(field, map, solid, at)


def _misplaced(field: PlayField, map: HexMap, solid: set[Place], at: Path_) -> list[Complaint]:
    """Complain about places where no jug, or no ball, can be."""
    found, taken = [], {field.ball: "the ball", **dict.fromkeys(field.goals, "a goal")}
    if not map.covers(*field.ball) or field.ball in solid or field.ball in field.goals:
        found.append(Complaint((*at, "ball_start"), "the ball must start on a free hex of the field", "J-BALL-7"))
    for i, place in enumerate(field.posts(0)):
        image = (-place[0], -place[1])
        wrong = ""
        if not map.covers(*place):
            wrong = "lies beyond the rim"
        elif place in solid:
            wrong = "is no place for a jug"
        elif place in taken or image in taken or place == image:
            wrong = f"is the place of {taken.get(place) or taken.get(image) or 'a jug of each side'}"
        if wrong:
            found.append(Complaint((*at, "starts", i), f"[{place[0]}, {place[1]}] {wrong}", "J-BALL-23"))
        taken |= {place: "another jug", image: "another jug"}
    return found
