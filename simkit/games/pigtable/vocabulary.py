"""What axes of a sweep and their values are called, and the tables that ship."""

from collections.abc import Mapping
from typing import Any

from simkit.games.pigtable.tables import KINDS, shipped
from simkit.games.protocol import put_at

AXIS_TITLES = {
    "scenario.table": "table",
    "scenario.without": "left out",
    "scenario.seats": "lancers",
    "scenario.teams": "teams",
    "scenario.policies": "players",
    "route.table": "table",
    "route.without": "left out",
    "route.from": "from",
    "route.via": "by way of",
    "policy": "policy",
    "house_rules": "house rules",
    "altered_odds": "odds",
}

SWITCHES: Mapping[str, Mapping[Any, str]] = {
    "altered_odds": {True: "altered odds", False: "standard odds"},
    "unicycle_damage": {True: "unicycle damage", False: "no unicycle damage"},
    "substitute": {True: "fresh men", False: "no fresh men"},
    "pig_crosses": {True: "the pig crosses fences", False: "the pig stops at fences"},
    "pig_meets": {"stops": "the pig stops", "tramples": "the pig tramples"},
    "initiative": {"fixed": "fixed order", "cards": "cards", "rotate": "rotating start"},
}
"""Words for values of rules that do not speak for themselves."""

OPTIONAL = ("scenario", "route")
"""Tables that a file may leave out."""


def presets() -> list[dict[str, Any]]:
    """List the tables that ship.

    Examples
    --------
    >>> [row["table"] for row in presets()]
    ['chasm', 'desert', 'hill-and-swamp', 'paddock']
    """
    rows = []
    for name, data in shipped().items():
        kinds = [str(piece["kind"]) for piece in data["piece"]]
        counted = [f"{kinds.count(kind)} {kind}" for kind in KINDS if kind in kinds]
        rows.append(
            {"table": name, "shape": data["shape"], "pieces": ", ".join(counted), "starts": len(data["starts"]),
             "what it is like": data["says"]}
        )  # fmt: skip
    return rows


def axis_title(path: str) -> str:
    """Return what a player would call an axis.

    Examples
    --------
    >>> axis_title("scenario.table"), axis_title("hit_target"), axis_title("bogs.swamp")
    ('table', 'hit target', 'swamp')
    """
    return AXIS_TITLES.get(path, path.rpartition(".")[2].replace("_", " "))


def label(path: str, value: Any) -> str | None:
    """Return the word a player would use for a value of an axis.

    Examples
    --------
    >>> label("scenario.table", "desert"), label("scenario.without", []), label("pig_meets", "tramples")
    ('Desert', 'nothing', 'the pig tramples')
    """
    if path in SWITCHES and isinstance(value, bool | str):
        return SWITCHES[path].get(value)
    last = path.rpartition(".")[2]
    if last == "table":
        data = shipped().get(value) if isinstance(value, str) else value
        return None if data is None else str(data.get("title") or data.get("name") or "a table")
    if last == "policies" and isinstance(value, list) and len(value) > 1 and len(set(map(str, value))) == 1:
        return f"all {value[0]}"
    if last in ("without", "policies", "teams") and isinstance(value, list):
        return ", ".join(map(str, value)) or "nothing"
    if last == "from" and isinstance(value, list):
        return "({:g}, {:g})".format(*value)
    if last == "via" and isinstance(value, list):
        return ", ".join("({:g}, {:g})".format(*point) for point in value) or "straight"
    return None


def vary(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a scenario with the values at dotted paths replaced; tables left out are there.

    Raises
    ------
    KeyError
        The path leads nowhere; the text says what there is.

    Examples
    --------
    >>> vary({}, {"scenario.table": "chasm"})
    {'scenario': {'table': 'chasm'}}
    """
    varied = dict(data)
    for path, value in changes.items():
        parts = path.split(".")
        if parts[0] in OPTIONAL and len(parts) > 1 and parts[0] not in varied:
            varied[parts[0]] = {}
        varied = put_at(varied, parts, value)
    return varied
