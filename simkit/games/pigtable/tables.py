"""Tables: pieces of terrain, the pig and the starts, as a player writes them down (P-TAB-1 to P-TAB-7).

A file is in inches; what is read is in units of 1/64 inch. All mistakes of a file are told at once.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from simkit.games.pigtable.kinds import Form, Thing
from simkit.games.pigtable.shapes import Outline, Point, anticlockwise, near, overlap, square, within
from simkit.games.pigtickler.rules import Rules

UNITS = 64
MOST_PIECES = 16
MOST_READ = 256
"""Pieces of a file that are looked at, where it has too many."""

MOST_LEVELS = 4
MOST_LANCERS = 6
MOST_CORNERS = 8
LEAST_SIZE, MOST_SIZE = 6, 48
KEYS = ("schema", "name", "title", "says", "shape", "size", "pig", "starts", "piece")
SHAPES = ("disc", "polygon", "line")

KINDS = {
    "hill": (Thing.LEVEL, ("disc", "polygon"), ("levels", "top")),
    "bog": (Thing.BOG, ("disc", "polygon"), ("bog",)),
    "obstacle": (Thing.OBSTACLE, ("disc", "polygon"), ()),
    "wall": (Thing.WALL, ("line",), ()),
    "fence": (Thing.FENCE, ("line",), ()),
    "hedge": (Thing.HEDGE, ("line",), ()),
    "chasm": (Thing.CHASM, ("line",), ()),
    "ramp": (Thing.RAMP, ("line",), ()),
}
"""Kinds of pieces: what they are, the shapes they may have, what else they may say (P-TAB-4)."""

LINES = (Thing.WALL, Thing.FENCE, Thing.HEDGE, Thing.CHASM, Thing.RAMP)


class Mistake(NamedTuple):
    """One mistake of a table: its code (P-TAB-5), the piece or place it is about, and what is wrong."""

    code: str
    piece: str
    says: str
    path: tuple[str | int, ...] = ()

    @property
    def message(self) -> str:
        """The mistake in one line."""
        return f"{self.piece}: {self.says} [{self.code}]"


class Piece(NamedTuple):
    """One piece of terrain."""

    name: str
    thing: Thing
    outline: Outline
    levels: tuple[Outline, ...] = ()
    bog: str = ""

    @property
    def solid(self) -> bool:
        """Tell whether a base cannot be there."""
        return self.thing < Thing.LEVEL


class Ground(NamedTuple):
    """A table that was read."""

    name: str
    title: str
    says: str
    round: bool
    half: int
    pig: Point
    starts: tuple[Point, ...]
    pieces: tuple[Piece, ...]

    def without(self, names: Any) -> "Ground":
        """Return the table without some pieces."""
        return self._replace(pieces=tuple(piece for piece in self.pieces if piece.name not in names))

    def on_table(self, point: Point, base: int) -> bool:
        """Tell whether a base does not reach over the edge (P-TAB-3)."""
        limit = self.half - base
        if self.round:
            return point[0] ** 2 + point[1] ** 2 <= limit * limit
        return max(abs(point[0]), abs(point[1])) <= limit

    def blocked_by(self, point: Point, base: int) -> str:
        """Return what keeps a base from a point: a piece's name or "the edge of the table"; empty where it is free."""
        if not self.on_table(point, base):
            return "the edge of the table"
        return next((one.name for one in self.pieces if one.solid and near(one.outline, point, base)), "")


class Reader:
    """Reads one table and collects what is wrong with it."""

    def __init__(self, data: Mapping[str, Any], rules: Rules, bases: tuple[int, int]) -> None:
        self.data, self.rules = data, rules
        self.lancer, self.pig = bases
        self.mistakes: list[Mistake] = []

    def wrong(self, code: str, piece: str, says: str, *path: str | int) -> None:
        """Note a mistake."""
        self.mistakes.append(Mistake(code, piece, says, path))

    def units(self, value: Any, piece: str, *path: str | int) -> int | None:
        """Read a number of inches (P-TAB-1)."""
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1000 or value != value:
            self.wrong("wrong_shape", piece, f"{value!r:.40} is no number of inches", *path)
            return None
        scaled = value * UNITS
        if scaled != int(scaled):
            low = int(scaled // 1)
            close = f"{low / UNITS:g} and {(low + 1) / UNITS:g}" if abs(low) < 1 << 20 else "whole inches"
            self.wrong(
                "not_on_grid", piece, f"{value:g} inch is no multiple of 1/64 inch; the nearest are {close}", *path
            )
            return None
        return int(scaled)

    def point(self, value: Any, piece: str, *path: str | int) -> Point | None:
        """Read a point."""
        if not isinstance(value, list | tuple) or len(value) != 2:
            self.wrong("wrong_shape", piece, f"a point is [x, y] in inches, not {value!r:.40}", *path)
            return None
        x, y = (self.units(one, piece, *path) for one in value)
        return None if x is None or y is None else (x, y)

    def outline(
        self, data: Mapping[str, Any], piece: str, allowed: tuple[str, ...], *path: str | int
    ) -> Outline | None:
        """Read the one shape that a piece or level has (P-TAB-3)."""
        given = [key for key in SHAPES if key in data]
        if len(given) != 1 or given[0] not in allowed:
            found = " and ".join(given) or "none"
            self.wrong("wrong_shape", piece, f"it has one shape, {' or '.join(allowed)}; found {found}", *path)
            return None
        key, value = given[0], data[given[0]]
        if not isinstance(value, list | tuple):
            self.wrong("wrong_shape", piece, f"{key} is a list of numbers or points", *path, key)
            return None
        if key == "disc":
            if len(value) != 3:
                self.wrong("wrong_shape", piece, "a disc is [x, y, radius] in inches", *path, key)
                return None
            x, y, r = (self.units(one, piece, *path, key) for one in value)
            if x is None or y is None or r is None:
                return None
            if r <= 0:
                self.wrong("wrong_shape", piece, "the radius of a disc is above 0", *path, key)
                return None
            return Outline(Form.DISC, ((x, y),), r)
        points = [self.point(one, piece, *path, key) for one in value[: MOST_CORNERS + 1]]
        if any(one is None for one in points):
            return None
        corners = [one for one in points if one is not None]
        if key == "line":
            if len(value) != 2 or corners[0] == corners[1]:
                self.wrong("wrong_shape", piece, "a line is two different points", *path, key)
                return None
            return Outline(Form.LINE, tuple(corners))
        if not 3 <= len(value) <= MOST_CORNERS:
            self.wrong("wrong_shape", piece, f"a polygon has 3 to {MOST_CORNERS} corners, not {len(value)}", *path, key)
            return None
        ordered = anticlockwise(corners)
        if ordered is None:
            self.wrong("not_convex", piece, "the corners are not those of a convex polygon, in order", *path, key)
            return None
        return Outline(Form.POLYGON, ordered)

    def levels(self, data: Mapping[str, Any], name: str, outline: Outline, *path: str | int) -> tuple[Outline, ...]:
        """Read the levels of a hill: its own, or those of a rounded top (P-TAB-4, P-UP-3); else it is all slope."""
        top, given = data.get("top"), data.get("levels")
        if top not in (None, "rounded") or (top is not None and given is not None):
            self.wrong("wrong_shape", name, 'a hill has levels, or top = "rounded"', *path, "top")
            return ()
        if top == "rounded":
            if outline.form != Form.DISC:
                self.wrong("wrong_shape", name, "a rounded hill is a disc", *path, "top")
                return ()
            step = self.rules.level_every * UNITS
            radii = list(range(outline.radius - step, 0, -step))
            found = [Outline(Form.DISC, outline.points, radius) for radius in radii]
        elif given is None:
            found = []
        elif isinstance(given, list) and all(isinstance(one, Mapping) for one in given):
            read = [self.outline(one, name, ("disc", "polygon"), *path, "levels", k) for k, one in enumerate(given)]
            found = [one for one in read if one is not None]
            if len(found) < len(read):
                return ()
        else:
            self.wrong("wrong_shape", name, "levels are shapes, each a table", *path, "levels")
            return ()
        if len(found) > MOST_LEVELS:
            self.wrong("too_many", name, f"{len(found)} levels; at most {MOST_LEVELS}", *path, "levels")
            return ()
        for k, (below, above) in enumerate(zip([outline, *found], found, strict=False)):
            if not within(above, below):
                self.wrong("not_nested", name, f"level {k + 1} does not lie in the one below it", *path, "levels")
        return tuple(found)

    def piece(self, data: Any, k: int) -> Piece | None:
        """Read one piece (P-TAB-4)."""
        name = data.get("name") if isinstance(data, Mapping) else None
        name = name[:80] if isinstance(name, str) and name else f"piece {k + 1}"
        if not isinstance(data, Mapping) or data.get("kind") not in KINDS:
            kind = data.get("kind") if isinstance(data, Mapping) else None
            self.wrong("unknown_kind", name, f"no kind of piece is called {kind!r:.40}; there are {', '.join(KINDS)}",
                       "piece", k, "kind")  # fmt: skip
            return None
        thing, shapes, more = KINDS[data["kind"]]
        for key in data:
            if key not in ("kind", "name", *SHAPES, *more):
                self.wrong("wrong_shape", name, f"a {data['kind']} says nothing of {key!r:.40}", "piece", k, key)
        bog = data.get("bog", "")
        if thing == Thing.BOG and bog not in self.rules.bogs:
            self.wrong("unknown_bog", name, f"no kind of bog is called {bog!r:.40}; there are "
                       f"{', '.join(self.rules.bogs)}", "piece", k, "bog")  # fmt: skip
        outline = self.outline(data, name, shapes, "piece", k)
        if outline is None:
            return None
        levels = self.levels(data, name, outline, "piece", k) if thing == Thing.LEVEL else ()
        return Piece(name, thing, outline, levels, str(bog))

    def read(self) -> Ground:
        """Read the table; what cannot be read is left out."""
        data = self.data
        for key in data:
            if key not in KEYS:
                self.wrong("wrong_shape", "the table", f"it says nothing of {key!r:.40}", key)
        if data.get("shape") not in ("round", "square"):
            self.wrong("wrong_shape", "the table", 'its shape is "round" or "square"', "shape")
        size = data.get("size", 24)
        half = self.units(size / 2 if isinstance(size, int) else size, "the table", "size")
        if half is None or not LEAST_SIZE * UNITS <= 2 * half <= MOST_SIZE * UNITS:
            if half is not None:
                self.wrong("wrong_shape", "the table", f"its size is {LEAST_SIZE} to {MOST_SIZE} inches", "size")
            half = 12 * UNITS
        given = data.get("piece", [])
        pieces = given if isinstance(given, list) else [given]
        if len(pieces) > MOST_PIECES:
            self.wrong("too_many", "the table", f"{len(pieces)} pieces; at most {MOST_PIECES}", "piece")
        read = [(k, self.piece(one, k)) for k, one in enumerate(pieces[:MOST_READ])]
        starts = data.get("starts", [])
        starts = starts if isinstance(starts, list) else []
        if len(starts) > MOST_LANCERS:
            self.wrong("too_many", "the table", f"{len(starts)} starts; at most {MOST_LANCERS}", "starts")
        points = [self.point(one, f"start {k + 1}", "starts", k) for k, one in enumerate(starts[:MOST_LANCERS])]
        ground = Ground(
            _text(data, "name"), _text(data, "title") or _text(data, "name").replace("-", " "), _text(data, "says"),
            data.get("shape") != "square", half,
            self.point(data.get("pig", [0, 0]), "the pig", "pig") or (0, 0),
            tuple(one for one in points if one is not None),
            tuple(one for _, one in read if one is not None),
        )  # fmt: skip
        places = [k for k, one in read if one is not None]
        self.mistakes += [*_beyond(ground, places), *_overlaps(ground, places), *_ramps(ground, places, self.lancer)]
        self.mistakes += _starts(ground, self.lancer, self.pig)
        return ground


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    return value if isinstance(value, str) else ""


def _beyond(ground: Ground, places: list[int]) -> Iterator[Mistake]:
    """Find pieces that reach over the edge of the table."""
    for k, piece in zip(places, ground.pieces, strict=True):
        if not all(ground.on_table(point, piece.outline.radius) for point in piece.outline.points):
            yield Mistake("off_table", piece.name, "it reaches over the edge of the table", ("piece", k))


def _shapes(piece: Piece, other: Piece) -> list[tuple[Outline, Outline]]:
    """Return the shapes of two pieces that must not overlap (P-TAB-5)."""
    things = {piece.thing, other.thing}
    if Thing.LEVEL in things:
        if things == {Thing.LEVEL}:
            return [(piece.outline, other.outline)]
        if Thing.BOG not in things:
            return []  # solids on hills are legal
        hill, bog = (piece, other) if piece.thing == Thing.LEVEL else (other, piece)
        return [(level, bog.outline) for level in hill.levels]
    return [(piece.outline, other.outline)]


def _overlaps(ground: Ground, places: list[int]) -> Iterator[Mistake]:
    """Find pieces that lie on each other."""
    for i, piece in enumerate(ground.pieces):
        for other in ground.pieces[:i]:
            if any(overlap(a, b) for a, b in _shapes(piece, other)):
                yield Mistake("overlap", piece.name, f"it lies on {other.name}", ("piece", places[i]))


def _ramps(ground: Ground, places: list[int], base: int) -> Iterator[Mistake]:
    """Find ramps that bridge nothing, or are too narrow for a base."""
    ends = {point for piece in ground.pieces if piece.thing == Thing.CHASM for point in piece.outline.points}
    for k, piece in zip(places, ground.pieces, strict=True):
        if piece.thing == Thing.RAMP:
            one, other = piece.outline.points
            if one not in ends or other not in ends:
                yield Mistake(
                    "ramp_without_chasm", piece.name, "both its ends must be ends of a chasm", ("piece", k, "line")
                )
            if square(one, other) < (2 * base + 2) ** 2:
                wide = (2 * base + 2) / UNITS
                yield Mistake("ramp_too_narrow", piece.name, f"a ramp is {wide:g} inches long or more",
                              ("piece", k, "line"))  # fmt: skip


def _starts(ground: Ground, lancer: int, pig: int) -> Iterator[Mistake]:
    """Find figures that cannot stand where they begin."""
    in_way = ground.blocked_by(ground.pig, pig)
    if in_way:
        yield Mistake("bad_start", "the pig", f"it cannot begin there: in the way is {in_way}", ("pig",))
    for k, start in enumerate(ground.starts):
        in_way = ground.blocked_by(start, lancer)
        if not in_way and square(start, ground.pig) < (lancer + pig) ** 2:
            in_way = "the pig"
        for j, other in enumerate(ground.starts[:k]):
            if not in_way and square(start, other) < 4 * lancer * lancer:
                in_way = f"start {j + 1}"
        if in_way:
            yield Mistake("bad_start", f"start {k + 1}", f"a lancer cannot begin there: in the way is {in_way}",
                          ("starts", k))  # fmt: skip


def read_table(
    data: Mapping[str, Any], rules: Rules, bases: tuple[int, int] = (32, 32)
) -> tuple[Ground, list[Mistake]]:
    """Read a table from the data of its file.

    Parameters
    ----------
    data
        Tables and lists as TOML reads them; lengths in inches.
    rules
        Bogs and ``level_every`` are taken from there.
    bases
        Radius of the lancers' bases and of the pig's, in 1/64 inch.

    Returns
    -------
    Ground, list of Mistake
        The table in units, and everything that is wrong with it (P-TAB-5); with mistakes the table is not whole.

    Examples
    --------
    >>> rock = {"kind": "obstacle", "name": "rock", "disc": [0.3, 5, 1]}
    >>> _, mistakes = read_table({"shape": "square", "piece": [rock]}, Rules())
    >>> print(mistakes[0].message)
    rock: 0.3 inch is no multiple of 1/64 inch; the nearest are 0.296875 and 0.3125 [not_on_grid]
    """
    reader = Reader(data, rules, bases)
    ground = reader.read()
    return ground, reader.mistakes


@cache
def shipped() -> dict[str, dict[str, Any]]:
    """Return the tables that ship, by name."""
    folder = files("simkit.games.pigtable").joinpath("data", "tables")
    found = {}
    for path in sorted(folder.iterdir(), key=lambda one: one.name):
        if path.name.endswith(".toml"):
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            found[str(data["name"])] = data
    return found
