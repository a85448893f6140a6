"""Battles of the twin as scenarios, for those who retell and draw them."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from simkit.core.rng import make_key
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario
from simkit.games.battlesystem.staging import Cast, cast
from simkit.games.battlesystem.units import Design, Rider, find
from tests.naive.battlesystem import Troop, lane_of, play
from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.battle import Battle
from tests.naive.battlesystem.battles import random_battle
from tests.naive.battlesystem.lane import Lane
from tests.naive.battlesystem.presets import presets
from tests.naive.battlesystem.scenes import ALL, KNIGHTS, LUCK, PIKES, RULES, Told

NAMES = {f"chariot-{n}": f"{word}-horse-chariots" for n, word in ((2, "two"), (3, "three"), (4, "four"))}


OWN = {
    "archers": find("archers").model_copy(update={"bow": "short"}),
    "light-cavalry": Design(rider=Rider(ar=20, ac=8, hd="1", damage=["1d6"]), mount="light-warhorse", ml=11),
}
"""Designs that the twin rates otherwise: the rules of record leave their bows and armour open."""


class Seen(NamedTuple):
    """A battle of the twin that is to be retold."""

    cast: Cast
    rows: list[t.Event]
    outcome: dict[str, int]

    @property
    def events(self) -> tuple[list[t.Event], int]:
        """What a game's trace holds."""
        return self.rows, len(self.rows)


def rules_for(rules: Any) -> Rules:
    """Return the twin's rules as those of the game."""
    changed: dict[str, Any] = {}
    for name, value in vars(rules).items():
        default = Rules.model_fields[name].default
        if isinstance(value, Fraction):
            value = int(value) if isinstance(default, int) else str(value)
        elif isinstance(value, tuple):
            value = list(value)
        if value != default:
            changed[name] = value
    return Rules(**changed)


def scenario_for(sides: Sequence[Sequence[Troop]], lane: Lane, rules: Any) -> Scenario:
    """Return the twin's battle as a scenario; designs must be presets."""
    names = {design: NAMES.get(name, name) for name, design in presets(rules).items()}
    units = [
        [
            {
                "design": names[troop.design],
                "figures": troop.figures,
                "files": troop.files,
                "formation": troop.formation,
                "policy": troop.policy,
                "slot": troop.slot,
                "reserve": troop.reserve,
            }
            for troop in troops
        ]
        for troops in sides
    ]
    if lane.in_contact:  # the twin fights there at place 0, the game in the middle of the lane
        lane = at_middle(lane)
    ground = [
        {"from": f"{one.begin}/36", "to": f"{one.end}/36", "kind": one.kind, "height": one.height}
        for one in lane.ground
    ]
    points = [{"at": f"{one.at}/36", "kind": one.kind} for one in lane.points]
    return Scenario.model_validate(
        {
            "designs": OWN,
            "sides": {"a": {"units": units[0]}, "b": {"units": units[1]}},
            "scenario": {
                "lane": {"length": f"{lane.length}/36", "ground": ground, "points": points},
                "contact": lane.contact[0],
                "contact_b": lane.contact[1],
                "start": {"a": lane.start[0], "b": lane.start[1]},
                "in_contact": lane.in_contact,
            },
        }
    )


def at_middle(lane: Lane) -> Lane:
    """Return a lane whose middle is like the beginning of another one."""
    here = lane.on(0, 1)
    points = tuple(point._replace(at=lane.length // 2) for point in lane.points if point.at == 0)
    return replace(lane, ground=(here._replace(begin=0, end=lane.length),), points=points)


def seen(seed: int, most: int = 6) -> Seen:
    """Play a random battle of the twin."""
    battle = random_battle(seed, most)
    played = play(battle["sides"], battle["lane"], make_key(seed), seed, rules=battle["rules"])
    people = cast(scenario_for(**battle), rules_for(battle["rules"]))
    rows = played.events
    if battle["lane"].in_contact:
        middle = battle["lane"].length // 2
        rows = [(*row[:5], row[5] + middle, row[6]) if row[0] in (t.CONTACT, t.MOVE) else row for row in rows]
    return Seen(people, rows, played.outcome)


def told_with(a: Sequence[Troop], b: Sequence[Troop], lane: dict[str, Any] | None = None, dice: Any = None) -> Seen:
    """Fight with dice as told, by the rules of record."""
    ground = lane_of(**(lane or {}))
    battle = Battle([a, b], ground, RULES, dice or Told())
    battle.play()
    return Seen(cast(scenario_for([a, b], ground, RULES), Rules()), battle.events, battle.outcome())


PIKES_AGAINST_CAVALRY = told_with([KNIGHTS], [PIKES], dice=Told(**LUCK))
WALL_UNDER_ARROWS = told_with(
    [Troop(ALL["men-at-arms"], 12, 6, policy="wall_advance")],
    [Troop(ALL["archers"], 8, 4, policy="hold")],
    {"length": 9, "points": [{"at": 7, "kind": "ditch"}]},
    Told({"missile": 3}, morale={0: [15, 2, 2, 20]}),
)
BREAKTHROUGH = told_with(
    [Troop(ALL["heavy-cavalry"], 12, 6, policy="charge"), Troop(ALL["orcs"], 12, 6, slot=1)],
    [
        Troop(ALL["militia"], 4, 4, policy="hold"),
        Troop(ALL["goblins"], 12, 6, policy="hold", slot=1),
        Troop(ALL["spearmen"], 4, 4, policy="set", slot=1, reserve=True),
    ],
    {"length": 12},
)
