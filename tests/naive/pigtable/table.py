"""Tables: pieces of terrain, the pig and the starts, read from a file, with all errors (P-TAB-3 to P-TAB-5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from tests.naive.pigtable.fields import MOST_LANCERS, MOST_LEVELS, MOST_PIECES
from tests.naive.pigtable.overlaps import on_table, overlap, within
from tests.naive.pigtable.shapes import Disc, Line, Point, Polygon, Shape, is_convex, squared

UNITS = 64
"""Units of an inch (P-TAB-1)."""
LINES = ("wall", "fence", "hedge", "chasm", "ramp")
PASSABLE = ("fence", "hedge", "ramp")
AREA, LINE = ("disc", "polygon"), ("line",)
SHAPES: dict[str, tuple[str, ...]] = {"hill": AREA, "bog": AREA, "obstacle": AREA, **dict.fromkeys(LINES, LINE)}


class Error(NamedTuple):
    """What is wrong with a file: the code of P-TAB-5, the piece, a word on it."""

    code: str
    where: str
    message: str


class TableError(ValueError):
    """A table that cannot be played on, with all that is wrong with it."""

    def __init__(self, errors: Sequence[Error]) -> None:
        super().__init__("\n".join(f"{error.where}: {error.message} ({error.code})" for error in errors))
        self.errors = list(errors)


@dataclass(frozen=True)
class Piece:
    """A piece of terrain; a hill's levels from the lowest up."""

    kind: str
    name: str
    shape: Shape
    levels: tuple[Shape, ...] = ()
    bog: str | None = None


@dataclass(frozen=True)
class Table:
    """A table in units, its middle at (0, 0)."""

    half: int
    is_round: bool
    pieces: tuple[Piece, ...]
    pig: Point
    starts: tuple[Point, ...]

    def beyond(self, r: int, x: Any, y: Any) -> Any:
        """Tell whether a base of radius r at a point would reach over the edge (P-TAB-3)."""
        limit = self.half - r
        if self.is_round:
            return x * x + y * y > limit * limit
        return (abs(x) > limit) | (abs(y) > limit)

    def solids(self) -> list[tuple[int, Piece]]:
        """Return the pieces that stop a figure, with their numbers."""
        return [(k, piece) for k, piece in enumerate(self.pieces) if piece.kind not in ("hill", "bog")]

    def height(self, x: int, y: int) -> int:
        """Return the levels that hold a point (P-TAB-4)."""
        return sum(int(level.holds(x, y, border=True)) for piece in self.pieces for level in areas(piece.levels))

    def bog_at(self, x: int, y: int) -> str | None:
        """Return the kind of the bog that holds a point, its border not counted (P-TAB-3)."""
        for piece in self.pieces:
            if piece.kind == "bog" and areas([piece.shape])[0].holds(x, y, border=False):
                return piece.bog
        return None


def areas(shapes: Sequence[Shape]) -> list[Disc | Polygon]:
    """Return shapes that are known to be areas."""
    found = [shape for shape in shapes if isinstance(shape, Disc | Polygon)]
    assert len(found) == len(shapes)
    return found


class Reader:
    """Reads a table and gathers all that is wrong with it."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self.rules = rules
        self.errors: list[Error] = []

    def wrong(self, code: str, where: str, message: str) -> None:
        """Note an error."""
        self.errors.append(Error(code, where, message))

    def units(self, value: Any, where: str) -> int | None:
        """Return inches as units; no multiple of 1/64 is an error with the nearest two (P-TAB-1)."""
        units = Fraction(repr(value)) * UNITS
        if units.denominator == 1:
            return int(units)
        low = units.numerator // units.denominator
        nearest = " and ".join(str(float(Fraction(near, UNITS))) for near in (low, low + 1))
        self.wrong("not_on_grid", where, f"{value} inch is no multiple of 1/64; the nearest are {nearest}")
        return None

    def point(self, values: Sequence[Any], where: str) -> Point | None:
        """Return a point in units."""
        x, y = (self.units(value, where) for value in values)
        return None if x is None or y is None else (x, y)

    def shape(self, told: Mapping[str, Any], allowed: Sequence[str], where: str) -> Shape | None:
        """Return the shape of a piece or of a level."""
        given = [key for key in ("disc", "polygon", "line") if key in told]
        if len(given) != 1 or given[0] not in allowed:
            self.wrong("wrong_shape", where, f"{given}; allowed: one of {list(allowed)}")
            return None
        value = told[given[0]]
        if given[0] == "disc":
            if len(value) != 3 or value[2] <= 0:
                self.wrong("wrong_shape", where, f"disc = {value}; allowed: [x, y, r] with r > 0")
                return None
            numbers = [self.units(number, where) for number in value]
            return None if None in numbers else Disc(*numbers)  # type: ignore[arg-type]
        sizes = (3, 8) if given[0] == "polygon" else (2, 2)
        if not sizes[0] <= len(value) <= sizes[1]:
            self.wrong("wrong_shape", where, f"{len(value)} points; allowed: {sizes[0]} to {sizes[1]}")
            return None
        points = [self.point(point, where) for point in value]
        if None in points:
            return None
        corners: list[Point] = points  # type: ignore[assignment]
        if given[0] == "line":
            if corners[0] == corners[1]:
                self.wrong("wrong_shape", where, "the line has no length")
                return None
            return Line(*corners)
        if not is_convex(corners):
            self.wrong("not_convex", where, f"polygon = {value}")
            return None
        return Polygon(tuple(corners))

    def piece(self, told: Mapping[str, Any]) -> Piece | None:
        """Return a piece, or nothing if it has no place on any table."""
        kind, name = told["kind"], str(told.get("name", told["kind"]))
        if kind not in SHAPES:
            self.wrong("unknown_kind", name, f"{kind!r}; allowed: {sorted(SHAPES)}")
            return None
        bog = told.get("bog")
        if kind == "bog" and bog not in self.rules["bogs"]:
            self.wrong("unknown_bog", name, f"{bog!r}; allowed: {sorted(self.rules['bogs'])}")
            return None
        shape = self.shape(told, SHAPES[kind], name)
        levels = self.levels(told, shape, name) if kind == "hill" else []
        return None if shape is None or levels is None else Piece(kind, name, shape, tuple(levels), bog)

    def levels(self, told: Mapping[str, Any], outline: Shape | None, name: str) -> list[Shape] | None:
        """Return the levels of a hill (P-TAB-4, P-UP-3)."""
        if told.get("top") == "rounded":
            if outline is not None and not isinstance(outline, Disc):
                self.wrong("wrong_shape", name, "a rounded hill is a disc")
            if not isinstance(outline, Disc):
                return None
            radii = range(outline.r - self.rules["level_every"], 0, -self.rules["level_every"])
            levels: list[Shape] = [Disc(outline.x, outline.y, r) for r in radii]
        else:
            read = [self.shape(level, ("disc", "polygon"), name) for level in told.get("levels", [])]
            if None in read:
                return None
            levels = read  # type: ignore[assignment]
        if len(levels) > MOST_LEVELS:
            self.wrong("too_many", name, f"{len(levels)} levels; allowed: {MOST_LEVELS}")
        below = ([] if outline is None else [outline]) + levels
        if not all(within(high, low) for low, high in pairwise(below)):
            self.wrong("not_nested", name, "a level does not lie within what is below it")
        return levels

    def table(self, told: Mapping[str, Any]) -> Table:
        """Return the table, or raise all its errors."""
        half = int(Fraction(repr(told.get("size", 24))) * UNITS / 2)
        read = [self.piece(piece) for piece in told.get("piece", [])]
        pieces = [piece for piece in read if piece is not None]
        pig = self.point(told["pig"], "pig")
        starts = [self.point(start, f"start {k + 1}") for k, start in enumerate(told["starts"])]
        known = tuple(start for start in starts if start is not None)
        table = Table(half, told["shape"] == "round", tuple(pieces), pig or (0, 0), known)
        if len(read) > MOST_PIECES:
            self.wrong("too_many", "pieces", f"{len(read)} pieces; allowed: {MOST_PIECES}")
        if len(starts) > MOST_LANCERS:
            self.wrong("too_many", "starts", f"{len(starts)} lancers; allowed: {MOST_LANCERS}")
        for piece in pieces:
            for shape in (piece.shape, *piece.levels):
                if not on_table(shape, half, round_table=table.is_round):
                    self.wrong("off_table", piece.name, "the piece reaches over the edge")
                    break
        for one, other in combinations(pieces, 2):
            if any(overlap(a, b) for a, b in may_not_overlap(one, other)):
                self.wrong("overlap", one.name, f"overlaps {other.name}")
        self.ramps(pieces)
        self.figures(table, pig)
        if self.errors:
            raise TableError(self.errors)
        return table

    def ramps(self, pieces: Sequence[Piece]) -> None:
        """See that every ramp bridges a gap between ends of chasms and is wide enough (P-TAB-4)."""
        ends = [end for piece in pieces if piece.kind == "chasm" for end in ends_of(piece)]
        for piece in pieces:
            if piece.kind != "ramp":
                continue
            a, b = ends_of(piece)
            if a not in ends or b not in ends:
                self.wrong("ramp_without_chasm", piece.name, "an end of the ramp is no end of a chasm")
            least = 2 * self.rules["base_lancer"] + 2
            if squared(a, b) < least * least:
                self.wrong("ramp_too_narrow", piece.name, f"a ramp is at least {least} units long")

    def figures(self, table: Table, pig: Point | None) -> None:
        """See that pig and lancers stand free (P-TAB-3)."""
        lancer, base_pig = self.rules["base_lancer"], self.rules["base_pig"]
        standing: list[tuple[str, Point, int]] = [] if pig is None else [("pig", pig, base_pig)]
        standing += [(f"start {k + 1}", start, lancer) for k, start in enumerate(table.starts)]
        for k, (where, place, r) in enumerate(standing):
            if blocked(table, r, place):
                self.wrong("bad_start", where, "stands in a piece of terrain or over the edge")
            elif any(Disc(*other, r2).nearer(r, *place) for _, other, r2 in standing[:k]):
                self.wrong("bad_start", where, "stands on another figure")


def may_not_overlap(one: Piece, other: Piece) -> list[tuple[Shape, Shape]]:
    """Return the shapes of two pieces that may not overlap (P-TAB-5)."""
    kinds = {one.kind, other.kind}
    if kinds == {"hill"} or "hill" not in kinds:
        return [(one.shape, other.shape)]
    if kinds == {"hill", "bog"}:
        hill, bog = (one, other) if one.kind == "hill" else (other, one)
        return [(level, bog.shape) for level in hill.levels]
    return []  # solids may stand on hills


def ends_of(piece: Piece) -> tuple[Point, Point]:
    """Return the ends of a line."""
    assert isinstance(piece.shape, Line)
    return piece.shape.a, piece.shape.b


def blocked(table: Table, r: int, place: Point) -> bool:
    """Tell whether terrain or the edge keeps a base of radius r from standing at a point."""
    near = any(bool(piece.shape.nearer(r, *place)) for _, piece in table.solids())
    return near or bool(table.beyond(r, *place))


def read_table(told: Mapping[str, Any], rules: Mapping[str, Any]) -> Table:
    """Read a table from what its file says (P-TAB-7)."""
    return Reader(rules).table(told)
