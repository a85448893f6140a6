"""What axes of a sweep and their values are called."""

from collections.abc import Mapping
from typing import Any

from simkit.games.jugger.vocabulary import SWITCHES as BATTLE_SWITCHES
from simkit.games.juggerball import fields
from simkit.games.juggerball.fields import TEAM
from simkit.games.juggerball.scenario import Side, Sides
from simkit.games.juggerball.story import team_words
from simkit.games.protocol import put_at

AXIS_TITLES = {
    "sides": "match",
    "sides.a": "side A",
    "sides.b": "side B",
    "sides.a.team": "A",
    "sides.b.team": "B",
    "sides.a.fixed.items": "A has",
    "sides.b.fixed.items": "B has",
    "sides.a.fixed.jugs": "who has it",
    "sides.b.fixed.jugs": "who has it",
    "sides.a.policy": "policy of A",
    "sides.b.policy": "policy of B",
    "policy": "policy",
    "scenario.field": "field",
    "scenario.max_turns": "turn limit",
    "house_rules": "house rules",
}

SWITCHES: Mapping[str, Mapping[Any, str]] = {
    **BATTLE_SWITCHES,
    "first_initiative": {"roll": "by dice", "a": "A moves first", "b": "B moves first"},
    "legs_kick": {True: "legs kick", False: "legs do not kick"},
    "legs_catch": {True: "legs catch", False: "legs do not catch"},
    "replace": {"both": "both replace", "conceder": "the conceder replaces", "none": "nobody replaces"},
    "ball_headings": {12: "twelve headings", 6: "six headings"},
}
"""Words for values of rules that do not speak for themselves."""


def axis_title(path: str) -> str:
    """Return what a player would call an axis.

    Examples
    --------
    >>> axis_title("sides.a.fixed.jugs"), axis_title("goals_to_win"), axis_title("weapons.flail.to_hit")
    ('who has it', 'goals to win', 'flail to hit')
    """
    if path in AXIS_TITLES:
        return AXIS_TITLES[path]
    parts = path.split(".")
    shown = parts[-2:] if parts[0] in ("weapons", "designs") and len(parts) > 2 else parts[-1:]
    return " ".join(shown).replace("_", " ")


def label(path: str, value: Any) -> str | None:
    """Return the word a player would use for a value of an axis.

    Examples
    --------
    >>> label("scenario.field", "gates"), label("sides.a.fixed.items", ["shield_arm"]), label("sides.a.team", "random")
    ('Gates', 'shield arm', 'random team')
    """
    if path in SWITCHES and isinstance(value, bool | str | int):
        return SWITCHES[path].get(value)
    if path == "sides":
        sides = Sides.model_validate(value)
        return f"{_side(sides.a)} against {_side(sides.b)}"
    parts = path.split(".")
    if parts[0] == "sides" and len(parts) == 2:
        return _side(Side.model_validate(value))
    if parts[0] == "sides" and parts[-1] == "team":
        return f"{value} team"
    if parts[-2:] == ["fixed", "jugs"] and isinstance(value, int):
        many = "no jug" if value == 0 else "1 jug" if value == 1 else f"{value} jugs"
        return f"{many} of {parts[1].upper()}"
    if parts[-2:] == ["fixed", "items"] and isinstance(value, list):
        return ", ".join(str(name).replace("_", " ") for name in value)
    if path == "scenario.field" and isinstance(value, str):
        return fields.load()[value].title if value in fields.load() else None
    return None


def _side(side: Side) -> str:
    names = [jug if isinstance(jug, str) else jug.title or f"jug {k + 1}" for k, jug in enumerate(side.every_jug)]
    return side.title or ("mirror" if side.team == "mirror" else team_words(side, names[:TEAM]))


def vary(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a match with the values at dotted paths replaced.

    A side has a team or jugs: whichever a path names replaces the other. Tables that a file leaves out are there:
    ``sides.a.fixed.jugs`` needs no ``[sides.a]``.

    Raises
    ------
    KeyError
        The path leads nowhere; the text says what there is.

    Examples
    --------
    >>> vary({}, {"sides.a.policy": "chase", "scenario.field": "gates"})
    {'sides': {'a': {'policy': 'chase'}}, 'scenario': {'field': 'gates'}}
    """
    varied = dict(data)
    for path, value in changes.items():
        parts = path.split(".")
        for depth in range(1, len(parts)):
            if tuple(parts[:depth]) in OPTIONAL:
                varied = put_at(varied, parts[:depth], _there(varied, parts[:depth]))
        varied = put_at(varied, parts, value)
        if parts[0] == "sides" and len(parts) == 3 and parts[2] in ("team", "jugs"):
            gone = "jugs" if parts[2] == "team" else "team"
            side = varied["sides"][parts[1]]
            varied["sides"] = {**varied["sides"], parts[1]: {k: v for k, v in side.items() if k != gone}}
    return varied


OPTIONAL = (
    ("scenario",),
    ("sides",),
    *(("sides", side, *more) for side in ("a", "b") for more in ((), ("fixed",), ("values",))),
    ("designs",),
)
"""Tables that a file may leave out."""


def _there(data: Any, path: list[str]) -> Any:
    for key in path:
        data = data.get(key, {}) if isinstance(data, Mapping) else {}
    return data
