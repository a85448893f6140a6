"""What axes of a sweep and their values are called."""

from collections.abc import Mapping
from typing import Any

from simkit.games.jugger import designs, maps
from simkit.games.jugger.designs import Design, UnknownDesignError
from simkit.games.jugger.maps import HexMap
from simkit.games.jugger.scenario import Side, Sides
from simkit.games.jugger.story import map_words
from simkit.games.protocol import put_at

AXIS_TITLES = {
    "sides": "battle",
    "sides.a": "side A",
    "sides.b": "side B",
    "sides.a.design": "A",
    "sides.b.design": "B",
    "sides.a.units": "A",
    "sides.b.units": "B",
    "sides.a.count": "jugs of A",
    "sides.b.count": "jugs of B",
    "sides.a.policy": "policy of A",
    "sides.b.policy": "policy of B",
    "sides.a.weights": "weights of A",
    "sides.b.weights": "weights of B",
    "policy": "policy",
    "scenario.density": "forest",
    "scenario.map_seed": "forest number",
    "scenario.a_arc": "arc of A",
    "scenario.b_arc": "arc of B",
    "scenario.velocity": "velocity at the start",
    "scenario.max_turns": "turn limit",
    "scenario.victory.rout_below": "routed below %",
    "house_rules": "house rules",
}

SWITCHES: Mapping[str, Mapping[str | bool, str]] = {
    "map_edge": {"wall": "rim is a wall", "exit": "rim is open", "wrap": "rim leads round"},
    "to_hit": {"at_most": "hit by low rolls", "at_least": "hit by high rolls"},
    "initiative": {"side": "sides roll", "jug": "jugs roll"},
    "captains": {"none": "no captains", "random": "random captains"},
    "line_of_sight": {True: "line of sight", False: "no line of sight"},
    "wreckage": {True: "wreckage", False: "no wreckage"},
    "turn_in_place": {True: "turns at rest", False: "no turns at rest"},
}
"""Words for values of rules that do not speak for themselves."""


def axis_title(path: str) -> str:
    """Return what a player would call an axis.

    Examples
    --------
    >>> axis_title("sides.a.design"), axis_title("scenario.distance"), axis_title("weapons.flail.to_hit")
    ('A', 'distance', 'flail to hit')
    >>> axis_title("sides.a.design.equipment.2"), axis_title("designs.mine.captain")
    ('item 2', 'mine captain')
    """
    if path in AXIS_TITLES:
        return AXIS_TITLES[path]
    parts = path.split(".")
    if parts[-2:-1] == ["equipment"]:
        return f"item {parts[-1]}"
    shown = parts[-2:] if parts[0] in ("weapons", "designs") and len(parts) > 2 else parts[-1:]
    return " ".join(shown).replace("_", " ")


def label(path: str, value: Any) -> str | None:
    """Return the word a player would use for a value of an axis.

    Examples
    --------
    >>> label("sides.a.design", "horny-toad"), label("scenario.density", 0.25), label("sides.b.design", "mine")
    ('Horny Toad', '25 %', None)
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
        return _side(value if len(parts) == 2 else {"units": value})
    if parts[0] in ("sides", "designs") and parts[-1] == "captain":
        return _captain(value)
    if path == "scenario.map":
        return _map(value)
    if path == "scenario.density" and isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:.0%}".replace("%", " %")
    return None


def _design(value: Any) -> str | None:
    if not isinstance(value, str):
        design = Design.model_validate(value)
        return design.title or designs.words(design)
    try:
        return designs.find(value).title
    except UnknownDesignError:
        return None


def _side(value: Any) -> str | None:
    side = Side.model_validate(value)
    if side.title:
        return side.title
    parts = []
    for unit in side.every_unit:
        name = _design(unit.design if isinstance(unit.design, str) else unit.design.model_dump()) or str(unit.design)
        parts.append(name if unit.count == 1 else f"{unit.count} x {name}")
    text = ", ".join(parts)
    if side.weights is None:
        return text
    return f"{text} ({side.weights if isinstance(side.weights, str) else 'own'} weights)"


def _captain(value: Any) -> str | None:
    known = designs.captains()["abilities"] | designs.captains()["captains"]
    names = [value] if isinstance(value, str) else value
    return ", ".join(known[name]["title"] if name in known else name for name in names) or "no captain"


def _map(value: Any) -> str | None:
    if isinstance(value, str):
        return maps.load()[value].title if value in maps.load() else None
    return map_words(HexMap.model_validate(value))


def vary(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a battle with the values at dotted paths replaced.

    A side has a design or units: whichever a path names replaces the other. Tables that a file leaves out are there:
    ``scenario.distance`` needs no ``[scenario]``.

    Raises
    ------
    KeyError
        The path leads nowhere; the text says what there is.

    Examples
    --------
    >>> duel = {"sides": {"a": {"design": "archer"}, "b": {"units": [{"design": "axer"}]}}}
    >>> vary(duel, {"sides.b.design": "boarder", "scenario.distance": 5})
    {'sides': {'a': {'design': 'archer'}, 'b': {'design': 'boarder'}}, 'scenario': {'distance': 5}}
    """
    varied = dict(data)
    for path, value in changes.items():
        parts = path.split(".")
        for depth in range(1, len(parts)):
            if tuple(parts[:depth]) in OPTIONAL:
                varied = put_at(varied, parts[:depth], _there(varied, parts[:depth]))
        varied = put_at(varied, parts, value)
        if parts[0] == "sides" and len(parts) == 3 and parts[2] in ("design", "units"):
            side = varied["sides"][parts[1]]
            gone = ("units",) if parts[2] == "design" else ("design", "count")
            varied["sides"] = {**varied["sides"], parts[1]: {k: v for k, v in side.items() if k not in gone}}
    return varied


OPTIONAL = (("scenario",), ("scenario", "victory"), ("designs",), ("weights",))
"""Tables that a file may leave out."""


def _there(data: Any, path: list[str]) -> Any:
    for key in path:
        data = data.get(key, {}) if isinstance(data, Mapping) else {}
    return data
