"""A fight told in a sentence or two, in a few words, and what every fight takes for granted."""

from simkit.games.battlesystem.lane import Ground, LaneTable, Obstacle
from simkit.games.battlesystem.roster import roster, title
from simkit.games.battlesystem.scenario import SIDES, Policy, Scenario, SideName, Unit
from simkit.games.battlesystem.tables import GRID, thirtysixths

MODEL = (
    ("B-LAN-8", "A unit is its front on a lane: its depth, wheeling, and what lies to either side are left out."),
    ("B-LAN-16", "Distances are measured beforehand, so that no charge falls short."),
    ("B-LAN-17", "Units in contact stay in it until one of them is destroyed or routs."),
    ("B-LAN-25", "Sides that are gone at the same time have both lost; after the last round nobody has won."),
    ("B-MEL-2", "Losses are pooled over the unit, and gaps in its front are filled from the rear, in any formation."),
    ("B-UNI-4", "Riders and steeds are hurt together: nothing kills a part of a mounted figure."),
    ("B-RND-1", "Not modelled: discipline, leaders' AR, rallying, forced march, fighting withdrawal, wrap-around."),
    ("B-TER-11", "Not modelled: sight and spells in woods, moves along features, flyers, fires (B-TER-12, B-TER-13)."),
)
"""Rulings that hold in every fight and are no numbers, and what is left out: rule id and sentence."""

PLAYED: dict[Policy, str] = {
    "hold": "stands, and shoots at what comes into range",
    "advance": "moves ahead, into contact",
    "charge": "charges as soon as a charge is legal",
    "set": "stands and sets its spears or pikes whenever it may",
    "wall": "stands in a shield wall whenever it may",
    "wall_advance": "moves ahead in a shield wall",
    "skirmish": "shoots, and keeps just inside long range",
    "best": "declares what promises most for the melee of the round",
}
"""What each policy does."""

CALLED = {"barrier": "a wall or fence", "ditch": "a stream or ditch"}
"""What obstacles are called."""


def describe(scenario: Scenario) -> str:
    """Say a fight in a few words.

    Examples
    --------
    >>> fight = {"sides": {"a": {"design": "pikemen", "policy": "set"}, "b": {"design": "orcs", "figures": 24}}}
    >>> describe(Scenario.model_validate(fight))
    '12 Pikemen against 24 Orcs, 24 inches apart'
    """
    battle = scenario.scenario
    text = f"{force(scenario, 'a')} against {force(scenario, 'b')}"
    text += ", in contact" if battle.in_contact else f", {inches(battle.length)} apart"
    found = lane_words(battle.lane)
    return f"{text}, {found}" if found else text


def story(scenario: Scenario) -> str:
    """Tell a legal fight in a few sentences.

    Examples
    --------
    >>> fight = {"sides": {"a": {"design": "pikemen", "policy": "set"}, "b": {"design": "orcs", "figures": 24}}}
    >>> print(story(Scenario.model_validate(fight)))  # doctest: +NORMALIZE_WHITESPACE
    12 Pikemen (2 ranks of 6, closed) fight 24 Orcs (2 ranks of 12, closed) on a lane of 24 inches of clear ground. A
    stands and sets its spears or pikes whenever it may; B moves ahead, into contact.
    """
    battle = scenario.scenario
    several = len(scenario.sides.a.every_unit) > 1 or scenario.sides.a.every_unit[0].figures > 1
    told = f"{force(scenario, 'a', at_length=True)} {'fight' if several else 'fights'} "
    told += f"{force(scenario, 'b', at_length=True)} {_where(scenario)}."
    for side, other, contact in (("A", "B", battle.contact), ("B", "A", battle.contact_b)):
        if contact != "front":
            told += f" {side} strikes {other} on the {contact}."
    declared = [
        f"{side.upper()} {START[start]}"
        for side, start in zip(SIDES, (battle.start.a, battle.start.b), strict=True)
        if start != "none"
    ]
    if declared:
        told += f" At the start {' and '.join(declared)}."
    return f"{told} {_players(scenario)}"


START = {
    "wall": "stands in a shield wall",
    "wall_round": "stands in a shield wall to all sides",
    "set": "has set its spears",
    "charge": "is charging",
}
"""What a declaration at the start means."""


def force(scenario: Scenario, side: SideName, *, at_length: bool = False) -> str:
    """Name what a side has: by its title, or by its units."""
    own = scenario.side(side)
    if own.title and not at_length:
        return own.title
    parts = []
    for unit in own.every_unit:
        text = f"{unit.figures} {title(scenario, unit)}"
        parts.append(f"{text} ({shape(unit)})" if at_length else text)
    return _listed(parts)


def shape(unit: Unit) -> str:
    """Say how a unit is drawn up, such as ``2 ranks of 6, closed``."""
    files, deep = unit.abreast, -(-unit.figures // unit.abreast)
    ranks = f"{deep} ranks of {files}" if deep > 1 else f"1 rank of {files}"
    kind = {"skirmish": "skirmishing", "mob": "a mob"}.get(unit.formation, unit.formation)
    return f"{ranks}, {kind}{', in reserve' if unit.reserve else ''}"


def lane_words(lane: LaneTable | None) -> str:
    """Say what lies on a lane in a few words; empty for clear and level ground.

    Examples
    --------
    >>> woods = {"ground": [{"from": 10, "to": 18, "kind": "woods"}], "points": [{"at": 4, "kind": "ditch"}]}
    >>> lane_words(LaneTable.model_validate(woods))
    'woods from 10 to 18, a stream or ditch at 4'
    """
    if lane is None:
        return ""
    return ", ".join([*map(ground_words, lane.ground), *map(point_words, lane.points)])


def ground_words(ground: Ground) -> str:
    """Say one stretch of ground."""
    high = f"{ground.height} feet up" if ground.height else ""
    kind = high if high and ground.kind == "clear" else " ".join(filter(None, (ground.kind, high)))
    return f"{kind} from {_number(ground.from_)} to {_number(ground.to)}"


def point_words(point: Obstacle) -> str:
    """Say one obstacle."""
    return f"{CALLED[point.kind]} at {_number(point.at)}"


def inches(places: int) -> str:
    """Write a distance in thirty-sixths of an inch in inches."""
    value = places / GRID
    return "1 inch" if places == GRID else f"{value:.4g} inches"


def _number(value: int | float | str) -> str:
    return f"{thirtysixths(value) / GRID:.4g}"


def _where(scenario: Scenario) -> str:
    battle = scenario.scenario
    found = lane_words(battle.lane)
    if battle.in_contact:
        return f"where their fronts touch{f' ({found})' if found else ''}"
    length = inches(battle.length)
    return f"on a lane of {length} with {found}" if found else f"on a lane of {length} of clear ground"


def _players(scenario: Scenario) -> str:
    each = {side: list(dict.fromkeys(post.policy for post in roster(scenario, side))) for side in SIDES}
    said = {side: _listed([PLAYED[policy] for policy in each[side]]) for side in SIDES}
    if each["a"] == each["b"]:
        return f"Each side {said['a']}."
    return f"A {said['a']}; B {said['b']}."


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
