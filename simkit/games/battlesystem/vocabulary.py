"""What axes of a sweep and their values are called, and how values are laid over a fight."""

from collections.abc import Mapping
from typing import Any

from simkit.games.battlesystem import units
from simkit.games.battlesystem.lane import Ground, LaneTable, Obstacle
from simkit.games.battlesystem.scenario import ALONE, Side, Sides, Unit
from simkit.games.battlesystem.story import ground_words, lane_words, point_words
from simkit.games.battlesystem.units import Design, UnknownUnitError
from simkit.games.protocol import put_at

AXIS_TITLES = {
    "sides": "fight",
    "sides.a": "side A",
    "sides.b": "side B",
    "sides.a.design": "A",
    "sides.b.design": "B",
    "sides.a.units": "A",
    "sides.b.units": "B",
    "policy": "orders",
    "scenario.lane": "lane",
    "scenario.lane.ground": "ground",
    "scenario.lane.points": "obstacles",
    "scenario.lane.length": "inches apart",
    "scenario.distance": "inches apart",
    "scenario.contact": "A strikes B on the",
    "scenario.contact_b": "B strikes A on the",
    "scenario.in_contact": "in contact at the start",
    "scenario.max_rounds": "round limit",
    "scenario.start.a": "A at the start",
    "scenario.start.b": "B at the start",
    "chariot_width": "chariot width in inches",
    "chariot_depth": "chariot depth in inches",
    "cavalry_depth": "cavalry depth in inches",
    "spacing_open": "room between open files",
    "spacing_skirmish": "room between skirmishers",
    "crt": "combat results",
    "crt_zero_at": "index that kills nothing",
    "crt_clamp_top": "most steps that count",
    "charge_move": "gain of a charge",
    "charge_least": "least charge in inches",
    "reform_move": "cost of closing up again",
    "turn_move": "cost of a turn",
    "ford_cost": "cost of a ford",
    "short_bow": "ranges of short bows",
    "long_bow": "ranges of long bows",
    "crossbow": "ranges of crossbows",
    "cover_woods": "cover at woods",
    "cover_obstacle": "cover behind obstacles",
    "initiative_dice": "dice of initiative",
    "morale_dice": "dice of morale",
    "max_rounds": "round limit",
    "hd_plus": "pluses to hit dice",
    "house_rules": "house rules",
}

OF_SIDE = {"policy": "orders", "figures": "figures", "files": "files", "ranks": "ranks", "formation": "formation"}
"""Settings of a side, and what they are called before ``of A``."""

SWITCHES: Mapping[str, Mapping[str | bool, str]] = {
    "set_first_strike": {
        "vs_charge": "set spears strike first at a charge",
        "always": "set spears always strike first",
        "never": "set spears never strike first",
    },
    "set_doubles": {True: "set spears do double damage", False: "set spears do single damage"},
    "first_strike_morale": {
        "after": "chargers check morale after their blows",
        "between": "chargers check morale before their blows",
    },
    "declaration_lasts": {
        "own_next_move": "declared until the next own move",
        "round_end": "declared until the round ends",
    },
    "terrain_stack": {"add": "penalties for ground add up", "multiply": "penalties for ground multiply"},
    "chariot_damage": {"sum": "chariots' damage is summed", "average": "chariots' damage is averaged"},
    "frontage": {"inches": "fronts meet by inches", "figures": "fronts meet figure for figure"},
    "walk_in": {True: "a plain move may end in contact", False: "only a charge may end in contact"},
    "carry_wounds": {True: "wounds are carried on", False: "wounds close after each phase"},
    "reform": {True: "opened ranks close again", False: "opened ranks stay open"},
    "turn_to_face": {True: "units turn to face", False: "units do not turn to face"},
    "checks": {"one_a_phase": "one morale check a phase", "each": "a morale check for every cause"},
    "scenario.in_contact": {True: "in contact", False: "apart"},
}
"""Words for values that do not speak for themselves."""

POLICIES = {"wall_advance": "advance in a wall", "wall": "shield wall", "set": "set spears/pikes"}
"""Words for policies that do not speak for themselves."""

FORMED = {"skirmish": "skirmishing", "mob": "in a mob"}
"""Words for formations that do not speak for themselves."""


def axis_title(path: str) -> str:
    """Return what a player would call an axis.

    Examples
    --------
    >>> axis_title("sides.a.design"), axis_title("sides.b.ranks"), axis_title("ditch_penalty")
    ('A', 'ranks of B', 'ditch penalty')
    >>> axis_title("sides.a.units.2.figures"), axis_title("designs.guards.ac")
    ('figures of A 2', 'guards ac')
    """
    if path in AXIS_TITLES:
        return AXIS_TITLES[path]
    parts = path.split(".")
    if parts[0] == "sides" and len(parts) > 2:
        whose = parts[1].upper() + (f" {parts[3]}" if parts[2] == "units" and len(parts) > 3 else "")
        return f"{OF_SIDE.get(parts[-1], parts[-1].replace('_', ' '))} of {whose}"
    shown = parts[-2:] if parts[0] == "designs" and len(parts) > 2 else parts[-1:]
    return " ".join(shown).replace("_", " ")


def label(path: str, value: Any) -> str | None:
    """Return the word a player would use for a value of an axis.

    Examples
    --------
    >>> label("sides.a.design", "heavy-cavalry"), label("sides.a.policy", "set"), label("sides.b.design", "mine")
    ('Heavy cavalry', 'set spears/pikes', None)
    >>> label("sides.b.formation", "open"), label("sides.a.formation", "mob")
    ('B open', 'A in a mob')
    >>> label("scenario.lane.ground", [{"from": 8, "to": 12, "kind": "woods"}]), label("scenario.lane.points", [])
    ('woods from 8 to 12', 'none')
    """
    if path in SWITCHES and isinstance(value, bool | str):
        return SWITCHES[path].get(value)
    parts = path.split(".")
    if path == "sides":
        sides = Sides.model_validate(value)
        return f"{_side(sides.a)} against {_side(sides.b)}"
    if parts[0] == "sides" and parts[-1] == "design":
        return _design(value)
    if parts[0] == "sides" and (len(parts) == 2 or parts[-1] == "units"):
        return _side(Side.model_validate(value if len(parts) == 2 else {"units": value}))
    if parts[-1] == "policy" and isinstance(value, str):
        return POLICIES.get(value)
    if parts[0] == "sides" and parts[-1] == "formation" and len(parts) == 3:
        return f"{parts[1].upper()} {FORMED.get(value, value)}"
    if parts[:2] == ["scenario", "lane"]:
        return _lane(parts[2:], value)
    if parts[0] == "designs" and parts[-1] in ("mount", "rider") and isinstance(value, str):
        return value.replace("-", " ")
    return None


def _design(value: Any) -> str | None:
    if not isinstance(value, str):
        design = Design.model_validate(value)
        return design.title or design.kind_of_figure
    try:
        return units.find(value).title
    except UnknownUnitError:
        return None


def _side(side: Side) -> str:
    return side.title or ", ".join(map(_unit, side.every_unit))


def _unit(unit: Unit) -> str:
    name = _design(unit.design if isinstance(unit.design, str) else unit.design.model_dump(exclude_none=True))
    return f"{unit.figures} {name or unit.design}"


def _lane(rest: list[str], value: Any) -> str | None:
    if not rest:
        return lane_words(LaneTable.model_validate(value)) or "clear"
    if rest == ["ground"]:
        return ", ".join(ground_words(Ground.model_validate(one)) for one in value) or "clear"
    if rest == ["points"]:
        return ", ".join(point_words(Obstacle.model_validate(one)) for one in value) or "none"
    return None


REPLACED = {
    "design": ("units",),
    "units": ("design", *ALONE),
    "files": ("ranks",),
    "ranks": ("files",),
}
"""Settings of a side or unit that say the same thing as another: whichever a path names replaces the other."""

OPTIONAL = (("scenario",), ("scenario", "lane"), ("scenario", "start"), ("designs",))
"""Tables that a file may leave out."""


def vary(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a fight with the values at dotted paths replaced.

    A side has a design or units, a unit files or ranks, a lane its length or a distance: whichever a path names
    replaces the other. Tables that a file leaves out are there: ``scenario.lane.ground`` needs no ``[scenario]``.

    Raises
    ------
    KeyError
        The path leads nowhere; the text says what there is.

    Examples
    --------
    >>> fight = {"sides": {"a": {"design": "orcs", "files": 6}, "b": {"units": [{"design": "ogres"}]}}}
    >>> vary(fight, {"sides.b.design": "elves", "sides.a.ranks": 3, "scenario.distance": 5})
    {'sides': {'a': {'design': 'orcs', 'ranks': 3}, 'b': {'design': 'elves'}}, 'scenario': {'distance': 5}}
    """
    varied = dict(data)
    for path, value in changes.items():
        parts = path.split(".")
        for depth in range(1, len(parts)):
            if tuple(parts[:depth]) in OPTIONAL:
                varied = put_at(varied, parts[:depth], _there(varied, parts[:depth]))
        varied = put_at(varied, parts, value)
        gone: tuple[str, ...] = ()
        if parts[0] == "sides" and len(parts) in (3, 5):
            gone = REPLACED.get(parts[-1], ())
        elif path in ("scenario.distance", "scenario.in_contact"):
            varied = _without(varied, ["scenario", "lane"], ("length",) if path == "scenario.distance" else ())
            gone = ("distance",) if path == "scenario.in_contact" and value is True else ()
        elif path == "scenario.lane.length":
            varied = _without(varied, ["scenario"], ("distance",))
        varied = _without(varied, parts[:-1], gone)
    return varied


def _without(data: dict[str, Any], path: list[str], gone: tuple[str, ...]) -> dict[str, Any]:
    """Leave keys out of the table at a path; what is not there, or is no table, stays so."""
    table: Any = data if gone else None
    for key in path:
        if isinstance(table, list):
            table = table[int(key) - 1]
        else:
            table = table.get(key) if isinstance(table, Mapping) else None
    if not isinstance(table, Mapping) or not set(gone) & set(table):
        return data
    return put_at(data, path, {key: value for key, value in table.items() if key not in gone})


def _there(data: Any, path: list[str]) -> Any:
    for key in path:
        data = data.get(key, {}) if isinstance(data, Mapping) else {}
    return data
