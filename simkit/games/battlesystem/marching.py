"""Marches as a player asks for them: which units cross which lane, and what every kind of ground takes of a move.

A file of a march has, beside what every file has, only what is here::

    units = ["pikemen", "elves"]
    lane = { length = 30, ground = [{ from = 10, to = 18, kind = "woods" }], points = [{ at = 4, kind = "barrier" }] }
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from simkit.games.battlesystem import lane as ground
from simkit.games.battlesystem import legality, roster, units
from simkit.games.battlesystem.lane import Lane, LaneTable, length_of, survey
from simkit.games.battlesystem.march import BROKEN, March, allowance
from simkit.games.battlesystem.march import march as cross
from simkit.games.battlesystem.ratings import Rating, rate
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import SIDES, OwnName, Scenario, SideName
from simkit.games.battlesystem.showing import brought, exactly, rated
from simkit.games.battlesystem.tables import GRID, Label, Table, suggestion
from simkit.games.battlesystem.units import Design, UnknownUnitError
from simkit.games.protocol import Complaint, Rated

MOST_UNITS = 1000
GAINS = ("road_move",)
"""Fields of the rules that give movement; the others of the table of terrain take some."""

TYPICAL = ("militia", "elves", "dwarves", "lizard-men", "heavy-cavalry", "two-horse-chariots")
"""Who shows what ground costs where nobody is named: foot, three kinds to whom some ground is free, horse, chariots."""


class MarchTables(Table):
    """What the file of a march says of units and lane."""

    units: Annotated[list[Label], Field(min_length=1, max_length=MOST_UNITS)] | None = Field(
        None, description="who marches, by name; default: the designs of the file, or every preset"
    )
    designs: Annotated[dict[OwnName, Design], Field(max_length=MOST_UNITS)] = Field(
        default_factory=dict, description="designs of this file by name"
    )
    formation: Literal["open", "closed"] = Field(
        "open", description="open, or closed: then units close up again wherever they can (B-LAN-11)"
    )
    side: SideName = Field("a", description="from which end of the lane they come: a or b")
    lane: LaneTable | None = Field(
        None, description="length, ground and obstacles; without it every kind of ground is shown"
    )


class Marcher(NamedTuple):
    """One unit on its way."""

    name: str
    title: str
    design: Design
    side: SideName = "a"
    closed: bool = False


class Kind(NamedTuple):
    """A kind of ground, or something across it, as the table of terrain has it (B-TER-1 to B-TER-8)."""

    name: str
    id: str
    pays: tuple[str, ...]
    """What is paid there: fields of the rules."""
    closed: str
    """Whether a closed unit stays closed."""
    charge: str
    """Whether a charge may pass it."""
    free: str | None = None
    """Which exemption frees from paying."""


KINDS = (
    Kind("clear", "B-TER-1", (), "yes", "yes"),
    Kind("road", "B-TER-2", ("road_move",), "yes", "yes"),
    Kind("woods", "B-TER-3", ("woods_cost",), "never", "no; single creatures may", "woods"),
    Kind("obstacle", "B-TER-4", ("obstacle_cost",), "opens at once", "not across"),
    Kind("up 10 ft", "B-TER-5", ("rise_cost",), "yes", "not uphill"),
    Kind("up 20 ft", "B-TER-5", ("rise_cost",) * 2, "yes", "not uphill"),
    Kind("up 30 ft", "B-TER-5", ("rise_cost",) * 3, "yes", "not uphill"),
    Kind("rough", "B-TER-6", ("rough_cost",), "never", "yes", "rough"),
    Kind("rough, up 10 ft", "B-LAN-9", ("rough_cost", "rise_cost"), "never", "not uphill", "rough"),
    Kind("swamp", "B-TER-7", ("swamp_cost",), "never", "yes", "swamp"),
    Kind("ford", "B-LAN-9", ("ford_cost",), "yes", "no", "ford"),
    Kind("water", "B-TER-8", (), "never", "no"),
)
"""Every kind of ground, in the order of the rulebook."""


# What a game offers


def marchers(tables: MarchTables) -> list[Marcher]:
    """Return who marches: those named, else the designs of the file, else every preset; without a lane a typical few.

    Raises
    ------
    simkit.games.battlesystem.units.UnknownUnitError
        No design has that name.

    Examples
    --------
    >>> [one.title for one in marchers(MarchTables(units=["Worg riders", "elves"]))]
    ['Worg riders', 'Elves']
    """
    presets = units.load() if tables.lane is not None else TYPICAL
    return [_marcher(tables, name) for name in dict.fromkeys(tables.units or list(tables.designs or presets))]


def _marcher(tables: MarchTables, name: str) -> Marcher:
    own = tables.designs.get(name)
    design = own or units.find(name)
    id = name if own else next(id for id, known in units.load().items() if known is design)
    return Marcher(id, design.title or id, design, tables.side, tables.formation == "closed")


def march_complaints(tables: MarchTables, rules: Rules) -> list[Complaint]:
    """Return every reason why a march is illegal under these rules; empty when it is legal.

    Examples
    --------
    >>> [(one.path, one.message) for one in march_complaints(MarchTables(units=["elfs"]), Rules())]
    [(('units', 0), "no unit is called 'elfs'")]
    """
    found: list[Complaint] = []
    for name, design in tables.designs.items():
        found += legality.design_complaints(design, rules, ("designs", name))
    if tables.lane is not None:
        found += ground.complaints(tables.lane, ("lane",))
        if not length_of(tables.lane):
            found.append(Complaint(("lane", "length"), "a lane of no length", "B-LAN-8", "length = 24"))
    for i, name in enumerate(tables.units or []):
        try:
            _marcher(tables, name)
        except UnknownUnitError:
            help = suggestion(name, [*list(tables.designs)[:12], *units.load()])
            found.append(Complaint(("units", i), f"no unit is called '{name}'", "B-UNI-1", help))
    return found or list(_standing(tables, rules))


def _standing(tables: MarchTables, rules: Rules) -> Iterator[Complaint]:
    """Complain about units that begin where they cannot stand, or cannot stand closed (B-TER-8, B-LAN-11)."""
    if tables.lane is None:
        return
    where = _seen(survey(tables.lane), tables.side)
    kind = where.behind(0).kind
    swim = [one.name for one in marchers(tables) if rate(one.design, rules).swim is None]
    if kind == "water" and swim:
        message = f"{swim[0]} would begin in water"
        yield Complaint(
            ("units",) if tables.units else ("lane",), message, "B-TER-8", "units that swim, or another lane"
        )
    elif kind in BROKEN and tables.formation == "closed":
        message = f"closed units would begin in {'rough ground' if kind == 'rough' else kind}"
        yield Complaint(("formation",), message, legality.BANS[kind], 'formation = "open", or another lane')


def march(tables: MarchTables, rules: Rules) -> dict[str, Any]:
    """Return a legal march worked out, as plain data: see :func:`worked_out`."""
    return worked_out(None if tables.lane is None else survey(tables.lane), marchers(tables), rules)


def march_scenario(scenario: Scenario, rules: Rules) -> dict[str, Any]:
    """Return the march of every unit of a legal fight from its own side, as if nobody met it: :func:`worked_out`."""
    found: dict[tuple[str, SideName, bool], Marcher] = {}
    for side in SIDES:
        for name, unit in brought(scenario, side):
            closed = unit.formation == "closed"
            design, title = roster.design_of(scenario, unit), roster.title(scenario, unit)
            found.setdefault((name, side, closed), Marcher(name, title, design, side, closed))
    return worked_out(scenario.scenario.ground, list(found.values()), rules)


def march_ratings(tables: MarchTables, rules: Rules) -> list[Rated]:
    """Rate every design of a legal march once: those of the file, then presets that it names."""
    found = {name: rated(name, design.title or name, design, rules) for name, design in tables.designs.items()}
    for one in marchers(tables):
        if one.name not in found:
            found[one.name] = rated(one.name, one.title, one.design, rules)
    return list(found.values())


# Working it out


def worked_out(lane: Lane | None, marching: Iterable[Marcher], rules: Rules) -> dict[str, Any]:
    """Return what becomes of a march, as plain data.

    Parameters
    ----------
    lane
        The lane from side a, or None to look at kinds of ground alone.
    marching
        Who marches.
    rules
        The rules in force.

    Returns
    -------
    dict
        ``lane`` (None, or length, ground and points in inches from side a), ``stack`` (how costs add up), ``terrain``
        (every kind of ground: name, id, shares of a move, closed, charge) and ``units``. A unit has name, title, side,
        formation, mv, swim and exempt, and under ``terrain`` the inches of a round on every kind of ground, None where
        it cannot go. With a lane it has ``crossed``, ``rounds`` (None if it never arrives) and ``legs``: one a round,
        with place (inches from its own start), moved, road, reformed, closed and paid (kind, place and share). Numbers
        that are not whole are text such as ``"10/3"``.

    Examples
    --------
    >>> woods = survey(LaneTable.model_validate({"length": 20, "ground": [{"from": 10, "to": 20, "kind": "woods"}]}))
    >>> (elves,) = worked_out(woods, [Marcher("elves", "Elves", units.find("elves"))], Rules())["units"]
    >>> elves["rounds"], [leg["place"] for leg in elves["legs"]], elves["terrain"]["rough"]
    (2, [12, 20], 6)
    """
    return {
        "lane": None if lane is None else _lane(lane),
        "stack": rules.terrain_stack,
        "terrain": [_kind(kind, rules) for kind in KINDS],
        "units": [_unit(one, lane, rules) for one in marching],
    }


def _lane(lane: Lane) -> dict[str, Any]:
    return {
        "length": _inches(lane.length),
        "ground": [
            {"from": _inches(one.start), "to": _inches(one.end), "kind": one.kind, "height": one.height}
            for one in lane.segments
        ],
        "points": [{"at": _inches(point.at), "kind": point.kind} for point in lane.points],
    }


def _inches(place: int) -> int | str:
    return exactly(Fraction(place, GRID))


def _shares(kind: Kind, rules: Rules) -> list[Fraction]:
    """Return what a kind of ground takes of a move, below 0, or gives."""
    return [rules.fraction(field) if field in GAINS else -rules.fraction(field) for field in kind.pays]


def _kind(kind: Kind, rules: Rules) -> dict[str, Any]:
    shares = [f"{'+' if share > 0 else ''}{share}" for share in _shares(kind, rules)]
    return {"name": kind.name, "id": kind.id, "shares": shares, "closed": kind.closed, "charge": kind.charge}


def _unit(one: Marcher, lane: Lane | None, rules: Rules) -> dict[str, Any]:
    rating = rate(one.design, rules)
    found: dict[str, Any] = {
        "name": one.name,
        "title": one.title,
        "side": one.side,
        "formation": "closed" if one.closed else "open",
        "mv": exactly(rating.move),
        "swim": None if rating.swim is None else exactly(rating.swim),
        "exempt": sorted(rating.exempt),
        "terrain": {kind.name: _round_on(kind, rating, rules) for kind in KINDS},
    }
    if lane is None:
        return found
    return found | _crossing(cross(_seen(lane, one.side), rating, rules, closed=one.closed))


def _round_on(kind: Kind, rating: Rating, rules: Rules) -> int | str | None:
    """Return the inches of a round that is spent on one kind of ground (worked example 7); None where nobody gets."""
    if kind.name == "water":
        return None if rating.swim is None else exactly(rating.swim)
    free = kind.free in rating.exempt
    shares = [
        share
        for field, share in zip(kind.pays, _shares(kind, rules), strict=True)
        if not (free and field == f"{kind.free}_cost")
    ]
    return exactly(allowance(rating.move, shares, rules))


def _crossing(found: March) -> dict[str, Any]:
    return {
        "crossed": found.crossed,
        "rounds": found.rounds,
        "legs": [
            {
                "place": exactly(leg.place),
                "moved": exactly(leg.moved),
                "road": leg.road,
                "reformed": leg.reformed,
                "closed": leg.closed,
                "paid": [
                    {"kind": one.kind, "place": exactly(one.place), "share": exactly(one.share)} for one in leg.paid
                ],
            }
            for leg in found.legs
        ],
    }


def _seen(lane: Lane, side: SideName) -> Lane:
    """Return the lane as a side sees it, from its own start."""
    return lane if side == "a" else lane.mirrored()
