"""Random battles for kernel and twin: the same units, lanes, declarations, rules and dice for both."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from simkit.core.rng import make_key
from simkit.games.battlesystem import compile as room
from simkit.games.battlesystem.records import EVENTS, Outcome, Setup, State
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario
from tests.naive.battlesystem import Lane, Troop
from tests.naive.battlesystem.battles import random_battle, random_rules
from tests.naive.battlesystem.lane import KINDS, Feature, Ground
from tests.naive.battlesystem.presets import CREW, FOOT, MOUNTS, RIDERS, presets
from tests.naive.battlesystem.tables import INCH, Event, rules_of

KEY = make_key(2**62 + 31)
EVERY = 10**6
"""Length of ground in the twin's lane where nothing else lies."""

NUMBERS: dict[str, tuple[Any, ...]] = {
    "crt_clamp_top": (8, 16, 20, 30),
    "crt_zero_at": (24, 28, 31),
    "chariot_ac": (0, 2, 3),
    "chariot_move": ("1/2", "2/3", "3/4"),
    "chariot_full_from": (2, 3, 4),
    "overlap": (0, 1, 2, 4),
    "ranks_pike": (1, 3, 4),
    "ranks_spear": (1, 2, 3),
    "small_width": ("1/2", "2/3"),
    "man_width": ("3/4", "7/12"),
    "spacing_open": ("1/2", "1/3", "0"),
    "spacing_skirmish": ("1", "5/6"),
    "charge_move": ("1/2", "1/3", "1"),
    "wall_move": ("1/2", "1/4", "1"),
    "set_move": ("1/2", "3/4", "0"),
    "reform_move": ("1/2", "1/4", "5/6"),
    "road_move": ("1/3", "1/2"),
    "woods_cost": ("1/3", "1/2", "0"),
    "rough_cost": ("1/2", "5/12"),
    "swamp_cost": ("1/2", "2/3", "1"),
    "ford_cost": ("1/3", "1/4"),
    "obstacle_cost": ("1/3", "1/6", "0"),
    "rise_cost": ("1/3", "1/12"),
    "charge_least": (0, 2, 4),
    "wall_missile": (2, 4),
    "wall_melee": (1, 2, 5),
    "charge_bonus": (0, 2, 3),
    "flank_bonus": (0, 1, 3),
    "rear_bonus": (1, 2, 4),
    "ditch_penalty": (0, 4, 6),
    "attack_dice": ("2d6", "1d12", "3d4"),
    "medium_penalty": (1, 2),
    "long_penalty": (3, 5),
    "missile_ranks": (1, 2, 3),
    "cover_woods": (2, 4),
    "cover_obstacle": (1, 4),
    "check_first": (10, 25, 33),
    "check_second": (33, 50, 80),
    "morale_dice": ("2d10", "1d20", "3d6"),
    "morale_closed": (0, 1, 3),
    "morale_half": (0, 2, 4),
    "morale_three_quarters": (3, 4, 6),
    "morale_rear": (0, 2, 3),
    "initiative_dice": ("1d6", "1d2", "2d4"),
    "max_rounds": (3, 12, 30),
}
"""Values that are drawn for the numbers of the rules."""


def tables() -> dict[str, dict[str, Any]]:
    """Return the twin's presets as a file spells them, by their names in the twin."""
    extra: dict[str, dict[str, Any]] = {
        "men-at-arms": {"large_shields": True},
        "spearmen": {"arm": "spear"},
        "pikemen": {"arm": "pike"},
        "archers": {"bow": "short", "bow_damage": "d6"},
        "goblins": {"base": "small"},
        "kobolds": {"base": "small"},
        "ogres": {"base": "large"},
        "dwarves": {"exempt": ["rough"]},
        "elves": {"exempt": ["woods"], "bow": "long", "bow_damage": "d6"},
        "halflings": {"base": "small", "exempt": ["woods"]},
        "lizard-men": {"exempt": ["swamp"], "swim": 12},
    }
    found: dict[str, dict[str, Any]] = {}
    for name, (ar, ac, hd, mv, damage, ml) in FOOT.items():
        found[name] = {"ar": ar, "ac": ac, "hd": hd, "mv": mv, "damage": [damage], "ml": ml, **extra.get(name, {})}
    mounts = {
        name: {"ar": one.ar, "ac": one.ac, "hd": one.hd, "mv": one.mv, "damage": list(one.damage)}
        for name, one in MOUNTS.items()
    }
    people = {"ar": CREW.ar, "ac": CREW.ac, "hd": CREW.hd, "damage": list(CREW.damage)}
    for name, (rider, mount, ml) in RIDERS.items():
        who = {"ar": rider.ar, "ac": rider.ac, "hd": rider.hd, "damage": list(rider.damage), "doubles": rider.doubles}
        found[name] = {"rider": who, "mount": mounts[mount], "ml": ml}
    for horses in (2, 3, 4):
        found[f"chariot-{horses}"] = {"crew": [people] * 2, "team": [mounts["medium"]] * horses, "ml": 12}
    return found


def random_numbers(rng: random.Random) -> dict[str, Any]:
    """Draw other values for some numbers of the rules; in half of all battles for none."""
    if rng.random() < 0.5:
        return {}
    changes = {name: rng.choice(values) for name, values in NUMBERS.items() if rng.random() < 0.15}
    if changes.get("check_first", 25) > changes.get("check_second", 50):
        del changes["check_first"]
    return changes


def inches(place: int) -> str:
    """Write a place as a file does."""
    return str(Fraction(place, INCH))


class Played(NamedTuple):
    """What the kernel made of a battle."""

    outcome: dict[str, int]
    events: list[Event]


def broken(rng: random.Random, lane: Lane) -> Lane:
    """Return a lane with other ground in many pieces, hills of up to two hundred feet and many obstacles."""
    cuts = sorted(rng.sample(range(1, lane.length), 6))
    kinds = (rng.choice((*KINDS, "road", "road", "clear")) for _ in cuts)
    heights = (rng.choice((0, 0, 10, 35, 200)) for _ in cuts)
    pieces = zip([0, *cuts], [*cuts, lane.length], kinds, heights, strict=False)
    ground = tuple(Ground(*piece) for piece in pieces if rng.random() < 0.8)
    points = tuple(
        Feature(rng.choice((*cuts, rng.randint(0, lane.length))), rng.choice(("ditch", "barrier")))
        for _ in range(rng.randint(0, 4))
    )
    return replace(lane, ground=ground, points=points)


def legal(lane: Lane) -> Lane:
    """Return a drawn lane with one obstacle at a place; one side at most has charged, and only into contact."""
    points = {point.at: point for point in reversed(lane.points)}
    a, b = lane.start
    if a == "charge" and not lane.in_contact:
        a = "none"
    if b == "charge" and (a == "charge" or not lane.in_contact):
        b = "none"
    return replace(lane, points=tuple(points[at] for at in sorted(points)), start=(a, b))


class Case:
    """One battle for both.

    Parameters
    ----------
    best
        Chance of a unit to think for itself.
    most
        Most units in line a side.
    """

    def __init__(self, seed: int, *, best: float = 0.0, most: int = 6) -> None:
        self.seed = seed
        rng = random.Random(seed + 2**40)
        changes = random_rules(rng) | random_numbers(rng)
        drawn = random_battle(seed, most)
        self.changes = changes
        self.rules = rules_of(**changes)
        names = {one: name for name, one in presets(drawn["rules"]).items()}
        rated = presets(self.rules)
        self.names = [[names[one.design] for one in troops] for troops in drawn["sides"]]
        self.sides: list[list[Troop]] = [[], []]
        for side, troops in enumerate(drawn["sides"]):
            for troop, name in zip(troops, self.names[side], strict=True):
                design = rated[name]
                design = replace(design, in_command=rng.random() > 0.1, commander_killed=rng.random() < 0.1)
                if rng.random() < 0.05:
                    design = replace(design, single=True, ratio=1)
                policy = "best" if rng.random() < best else troop.policy
                self.sides[side].append(replace(troop, design=design, policy=policy))
        other = rng.choice(("front", "front", "flank", "rear"))
        lane = replace(drawn["lane"], contact=(drawn["lane"].contact[0], other))
        self.lane = legal(broken(rng, lane) if rng.random() < 0.3 else lane)

    @property
    def shift(self) -> int:
        """How far the middle of the lane, where fronts touch from the start, lies from its beginning."""
        return self.lane.length // 2 if self.lane.in_contact else 0

    def scenario(self) -> Scenario:
        """Return the battle as a file spells it."""
        lane = self.lane
        known = tables()
        sides = {}
        for side, letter in enumerate("ab"):
            units = []
            for troop, name in zip(self.sides[side], self.names[side], strict=True):
                one = troop.design
                design = known[name] | {"in_command": one.in_command, "commander_killed": one.commander_killed}
                design |= {"single": True} if one.single else {}
                units.append(
                    {
                        "design": design, "figures": troop.figures, "files": troop.files,
                        "formation": troop.formation, "policy": troop.policy, "slot": troop.slot,
                        "reserve": troop.reserve,
                    }
                )  # fmt: skip
            sides[letter] = {"units": units}
        ground = [
            {"from": inches(one.begin), "to": inches(one.end), "kind": one.kind, "height": one.height}
            for one in lane.ground
        ]
        points = [{"at": inches(one.at), "kind": one.kind} for one in lane.points]
        battle = {
            "lane": {"length": inches(lane.length), "ground": ground, "points": points},
            "contact": lane.contact[0],
            "contact_b": lane.contact[1],
            "start": {"a": lane.start[0], "b": lane.start[1]},
            "in_contact": lane.in_contact,
        }
        return Scenario.model_validate({"sides": sides, "scenario": battle})

    def product_rules(self) -> Rules:
        """Return the rules as the product has them."""
        return Rules(**self.changes)

    def twin_lane(self) -> Lane:
        """Return the lane as the twin meets it: of units in contact what lies just behind and before the fronts."""
        lane, middle = self.lane, self.shift
        if not lane.in_contact:
            return lane
        back, fore = lane.on(middle, -1), lane.on(middle, 1)
        ground = (Ground(-EVERY, 0, back.kind, back.height), Ground(0, EVERY, fore.kind, fore.height))
        points = tuple(Feature(0, point.kind) for point in lane.points if point.at == middle)
        return replace(lane, ground=ground, points=points)

    @cached_property
    def setup(self) -> Any:
        """The battle as the kernel reads it."""
        setups = Setup.array(1)
        setups[0] = room.compile(self.scenario(), self.product_rules())
        return setups

    def kernel(self, state: Any, *, told: bool = True) -> Played:
        """Play with the kernel; places are told as the twin has them."""
        from simkit.games.battlesystem.play import play_units

        row = np.zeros((1, len(Outcome._fields)), np.int64)
        state.room = EVENTS if told else 0
        nothing = np.zeros((0, 256, len(Outcome._fields), 4), np.int64)
        play_units(self.setup, state, KEY.stream, KEY.tweak, self.seed, self.seed + 1, nothing, row)
        assert state.noted <= EVENTS
        events = [self._shifted(tuple(one)) for one in state.events[: state.noted].tolist()] if told else []
        return Played(dict(zip(Outcome._fields, row[0].tolist(), strict=True)), events)

    def _shifted(self, event: Event) -> Event:
        what, when, unit, foe, roll, value, extra = event
        if what in (4, 8):
            value -= self.shift
        elif what == 5:
            extra -= self.shift
        return (what, when, unit, foe, roll, value, extra)


def fresh() -> Any:
    """Return the memory of one worker."""
    return State.scratch()
