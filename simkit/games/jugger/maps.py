"""Maps as data: a field of hexes, what stands on it, and where the sides start (J-MAP-1 to J-MAP-5, J-DEP-1).

A field has the shape of J-BALL-7: rows ``-half_rows`` to ``half_rows`` that run east, and in row r the hexes with
``abs(2 q + r) <= 2 half_length``. Seat 0 starts in the west and faces east, seat 1 in the east and faces west; a map
on which everything at (q, r) stands at (-q, -r) too prefers neither.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field

from simkit.games.protocol import Complaint

Place = tuple[int, int]
"""Axial coordinates q and r of a hex."""

Kind = Literal["forest", "rubble", "house", "obstacle", "wall"]
Deployment = Literal["ends", "half"]

EDGE = 32
"""Axial coordinates lie between -32 and 32, so do their sums."""

WALLS = 128
"""Most stone walls on a map."""

SIDE = 12
"""Most jugs a side."""

OBSTACLE, OUTSIDE, FIRST_WALL, OPAQUE = -1, -2, -10, 64
"""Codes of the grid that `terrain` makes; wall number k is ``FIRST_WALL - k``, and sight ends at ``OPAQUE``."""

LISTS: Mapping[Kind, str] = {
    "forest": "forests",
    "rubble": "rubble",
    "house": "houses",
    "obstacle": "obstacles",
    "wall": "walls",
}
"""What can stand on a hex, and the field of a map that lists it."""

SOLID: tuple[Kind, ...] = ("obstacle", "wall")
"""What no jug can stand on."""

Axis = Annotated[int, Field(ge=-EDGE, le=EDGE)]
Pair = Annotated[list[Axis], Field(min_length=2, max_length=2)]
Pairs = Annotated[list[Pair], Field(max_length=(2 * EDGE + 1) ** 2)]


class Start(NamedTuple):
    """Where a jug begins."""

    q: int
    r: int
    facing: int


class Losses(Protocol):
    """The rules that `terrain` reads: velocity lost on entering a hex (J-TER-1)."""

    @property
    def forest_loss(self) -> int: ...  # noqa: D102
    @property
    def rubble_loss(self) -> int: ...  # noqa: D102
    @property
    def house_loss(self) -> int: ...  # noqa: D102


class HexMap(BaseModel):
    """A map: its size and what stands on it. `complaints` tells whether it is legal; all else takes that for granted.

    Examples
    --------
    >>> small = HexMap(half_length=4, half_rows=2, forests=[[1, 0]], symmetric=True)
    >>> small.places("forest")
    ((1, 0), (-1, 0))
    >>> len(small.hexes())
    43
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    title: Annotated[str, Field(max_length=64)] = Field("", description="what people call it")
    says: Annotated[str, Field(max_length=200)] = Field("", description="what it is like, in a sentence")
    half_length: Annotated[int, Field(ge=1, le=EDGE)] = Field(
        description="hexes from the middle of the map to its east end; row 0 has twice as many and one (J-BALL-7)"
    )
    half_rows: Annotated[int, Field(ge=0, le=EDGE)] = Field(description="rows north of the middle row (J-BALL-7)")
    forests: Pairs = Field([], description="hexes of forest, each [q, r]: q east, r south-east (J-TER-1)")
    rubble: Pairs = Field([], description="hexes of rubble (J-TER-1)")
    houses: Pairs = Field([], description="hexes with a house (J-TER-1)")
    obstacles: Pairs = Field([], description="hexes that nobody enters (J-MAP-5)")
    walls: Pairs = Field([], description="hexes with a stone wall, which can be rammed down (J-COL-2)")
    symmetric: bool = Field(False, description="add to everything its image at (-q, -r)")
    density: Annotated[float, Field(ge=0, le=1)] | None = Field(
        None, description="share of the hexes that are forest, sown by map_seed and alike at (-q, -r)"
    )
    map_seed: Annotated[int, Field(ge=0, lt=2**63)] = Field(1, description="which forest of that density")

    def hexes(self) -> list[Place]:
        """List the hexes of the map, row by row."""
        rows = range(-self.half_rows, self.half_rows + 1)
        return [(q, r) for r in rows for q in range(-self.half_length - r // 2, self.half_length - (r + 1) // 2 + 1)]

    def covers(self, q: int, r: int) -> bool:
        """Tell whether a hex belongs to the map."""
        return abs(r) <= self.half_rows and abs(2 * q + r) <= 2 * self.half_length

    def places(self, kind: Kind) -> tuple[Place, ...]:
        """List the hexes of a kind in the order of the map, each followed by its image if the map is symmetric."""
        if kind == "forest" and self.density is not None:
            return self._sown()
        listed = [place for _, place in self._listed(kind)]
        return tuple(dict.fromkeys(listed))

    def kinds(self) -> dict[Place, Kind]:
        """Return what stands on the hexes that are not plain."""
        return {place: kind for kind in LISTS for place in self.places(kind)}

    def lines(self, side: int) -> Sequence[Start] | None:
        """Return where a side lines up whatever the battle, where the map says it; else None."""
        return None

    def ball_start(self) -> Place | None:
        """Return where a ball lies at the start, where there is one; else None."""
        return None

    def wanted(self) -> int:
        """Return how many hexes the density asks for; one fewer are sown where pairs do not come out even."""
        return round((self.density or 0) * len(self.hexes()))

    def _listed(self, kind: Kind) -> Iterator[tuple[int, Place]]:
        """Yield the hexes that the map lists, and their images, with their places in the list."""
        for i, (q, r) in enumerate(getattr(self, LISTS[kind])):
            yield i, (q, r)
            if self.symmetric:
                yield i, (-q, -r)

    def _sown(self) -> tuple[Place, ...]:
        """Sow the forest: the hexes in an order that the seed decides, from the first, as many as wanted.

        A denser forest of the same seed holds every thinner one, so that density alone differs between them.
        """
        taken = {place for kind in LISTS if kind != "forest" for place in self.places(kind)}
        free = [place for place in self.hexes() if place <= (0, 0) and not taken & {place, (-place[0], -place[1])}]
        wanted = self.wanted()
        sown: dict[Place, None] = {}
        for q, r in sorted(free, key=lambda place: _lot(self.map_seed, place)):
            pair = dict.fromkeys([(q, r), (-q, -r)])
            if len(sown) + len(pair) > wanted:
                break
            sown |= pair
        return tuple(sown)


def _lot(seed: int, place: Place) -> bytes:
    """Draw a lot for a hex: the same in every version of Python and on every machine."""
    return blake2b(f"{seed} {place[0]} {place[1]}".encode(), digest_size=8).digest()


def complaints(map: HexMap, at: tuple[str | int, ...] = ()) -> list[Complaint]:
    """Return why a map is illegal: too large, hexes beyond its rim or listed twice, two things on one hex, many walls.

    Parameters
    ----------
    map
        The map.
    at
        Where it stands in the file: a key path, which the complaints go on with.
    """
    found = []
    reach = map.half_length + map.half_rows // 2
    if reach > EDGE:
        found.append(
            Complaint(
                (*at, "half_length"),
                f"half_length {map.half_length} and half_rows {map.half_rows} reach to coordinate {reach}",
                "J-BALL-7",
                f"half_length + half_rows / 2 may be {EDGE} at most",
            )
        )
    if map.density is not None and map.forests:
        found.append(Complaint((*at, "density"), "the forests are both listed and sown", help="keep one of the two"))
    stands: dict[Place, Kind] = {}
    for kind, name in LISTS.items():
        listed = [(q, r) for q, r in getattr(map, name)]
        before = {place: i for i, place in reversed([*enumerate(listed)])}
        for i, place in map._listed(kind):
            wrong = _misplaced(map, kind, place, stands)
            if wrong is None and place == listed[i] and before[place] < i:
                wrong = Complaint((), f"[{place[0]}, {place[1]}] stands there twice", help="once is enough")
            where = (*at, name, i)
            if wrong is not None and not (found and found[-1].path == where):  # an image adds nothing to its original
                found.append(wrong._replace(path=where))
    walls = len(map.places("wall"))
    if walls > WALLS:
        found.append(
            Complaint((*at, "walls"), f"the map has {walls} walls", "J-COL-2", f"at most {WALLS}; obstacles never fall")
        )
    if map.density is not None and not found:
        wanted, forest = map.wanted(), len(map.places("forest"))
        if forest < wanted - 1:
            found.append(
                Complaint(
                    (*at, "density"),
                    f"density {map.density:g} is {wanted} hexes of forest, and {forest} are free",
                    help="a lower density, or less that stands elsewhere",
                )
            )
    return found


def _misplaced(map: HexMap, kind: Kind, place: Place, stands: dict[Place, Kind]) -> Complaint | None:
    """Put something on a hex, or say why it cannot stand there."""
    there = f"[{place[0]}, {place[1]}]"
    if not map.covers(*place):
        limits = f"abs(r) <= {map.half_rows} and abs(2 q + r) <= {2 * map.half_length}"
        return Complaint((), f"the hex {there} lies beyond the rim", "J-BALL-7", limits)
    if stands.setdefault(place, kind) != kind:
        return Complaint((), f"{kind} on {there}, where {stands[place]} is already", help="one thing a hex")
    return None


@cache
def load() -> Mapping[str, HexMap]:
    """Return the maps that simkit brings along, by name."""
    text = (Path(__file__).parent / "data" / "maps.toml").read_text(encoding="utf-8")
    return {name: HexMap.model_validate(entry) for name, entry in tomllib.loads(text).items()}


def find(name: str) -> HexMap:
    """Return a map by name.

    Raises
    ------
    KeyError
        There is none of this name; its text tells the names there are.
    """
    maps = load()
    if name not in maps:
        raise KeyError(f"no map is called {name!r}; there are {', '.join(maps)}")
    return maps[name]


def sown(map: HexMap, density: float, map_seed: int = 1) -> HexMap:
    """Return a map with another forest: a share of all its hexes, sown by a seed.

    Raises
    ------
    pydantic.ValidationError
        The density is not from 0 to 1, or the seed not a whole number from 0.
    """
    return HexMap.model_validate(map.model_dump() | {"forests": [], "density": density, "map_seed": map_seed})


def room(map: HexMap, side: int) -> int:
    """Count the jugs that a side can have at most: `SIDE`, or the free hexes of its half where they are fewer."""
    return min(SIDE, len(_free(map, _mirror(side))))


def starts(map: HexMap, side: int, count: int, deployment: Deployment = "ends") -> tuple[Start, ...]:
    """Return where the jugs of a side begin (J-DEP-1): abreast across the map, facing the enemy.

    Every second row as long as the map has so many, else row by row, else in several lines; on an obstacle or a
    wall nobody stands, and who would takes the nearest free hex of his half. What side 1 gets is what side 0 would get
    on the map turned round by half a circle.

    Parameters
    ----------
    map
        The map.
    side
        0 in the west, 1 in the east.
    count
        Jugs, 1 to ``room(map, side)``.
    deployment
        ``"ends"``: one hex from the rim; ``"half"``: half way between the rim and the middle.

    Raises
    ------
    ValueError
        There is no room for so many.

    Examples
    --------
    >>> starts(find("open"), 0, 1), starts(find("open"), 1, 1)
    ((Start(q=-11, r=0, facing=0),), (Start(q=11, r=0, facing=3),))
    """
    return _starts(map.model_dump_json(), side, count, deployment)


@lru_cache(1024)
def _starts(drawn: str, side: int, count: int, deployment: Deployment) -> tuple[Start, ...]:
    """Find the places on a map in JSON once for all the battles on it."""
    map = HexMap.model_validate_json(drawn)
    if not 1 <= count <= room(map, side):
        raise ValueError(f"{count} jugs on a side; this map has room for 1 to {room(map, side)}")
    mirror = _mirror(side)
    free = _free(map, mirror)
    found = []
    for x, row in _line(map, count, deployment):
        best = min(free, key=lambda place: (_steps(place, x, row), abs(place[1]), place))
        free.remove(best)
        found.append(Start(mirror * best[0], mirror * best[1], 0 if side == 0 else 3))
    return tuple(found)


def _mirror(side: int) -> int:
    return 1 if side == 0 else -1


def _free(map: HexMap, mirror: int) -> list[Place]:
    """List the hexes of the west half, of the map or of its image, on which a jug can stand."""
    solid = {(mirror * q, mirror * r) for kind in SOLID for q, r in map.places(kind)}
    return [(q, r) for q, r in map.hexes() if 2 * q + r < 0 and (q, r) not in solid]


def _line(map: HexMap, count: int, deployment: Deployment) -> Iterator[tuple[int, int]]:
    """Yield where `count` jugs would stand on an open map: 2 q + r, and the row."""
    rows = 2 * map.half_rows + 1
    x = 2 - 2 * map.half_length if deployment == "ends" else -2 * (map.half_length // 2)
    while count > 0:
        abreast = min(count, rows)
        gap = 2 if abreast - 1 <= map.half_rows else 1
        first = -(abreast - 1) * gap // 2
        for row in range(first, first + gap * abreast, gap):
            yield x + row % 2, row
        count, x = count - abreast, x + 4


def _steps(place: Place, x: int, row: int) -> int:
    """Measure the hexes from a place to one that is given by 2 q + r and its row."""
    rows = abs(place[1] - row)
    return max(rows, (abs(2 * place[0] + place[1] - x) + rows) // 2)


def terrain(map: HexMap, rules: Losses) -> tuple[int, ...]:
    """Return the grid that the kernels read: 65 x 65 codes, that of hex (q, r) at ``(q + 32) * 65 + (r + 32)``.

    0 is plain, n above 0 a velocity loss of n on entry (and ``OPAQUE`` more where sight ends, J-MAP-4), -1 an
    obstacle, -2 outside the map, -10 - k stone wall number k of ``map.places("wall")``.
    """
    losses: Mapping[Kind, int] = {
        "forest": rules.forest_loss,
        "rubble": rules.rubble_loss,
        "house": rules.house_loss,
    }
    codes = dict.fromkeys(map.hexes(), 0)
    for kind, loss in losses.items():
        codes |= dict.fromkeys(map.places(kind), loss + (0 if kind == "rubble" else OPAQUE))
    codes |= dict.fromkeys(map.places("obstacle"), OBSTACLE)
    codes |= {place: FIRST_WALL - k for k, place in enumerate(map.places("wall"))}
    axis = range(-EDGE, EDGE + 1)
    return tuple(codes.get((q, r), OUTSIDE) for q in axis for r in axis)
