"""Battles on a field that is the same however it is turned, and what to do with two of them: for metamorphic tests."""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from simkit.core.hexgrid import distance
from simkit.core.key import make_key
from simkit.games.jugger import game, maps
from simkit.games.jugger.happenings import What, place, where
from simkit.games.jugger.records import EVENTS
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario
from tests.jugger_battles import table
from tests.naive.jugger import Design
from tests.naive.jugger.battles import CHOICES, random_design

KEY = make_key(2**61 + 5)
NAMES = [metric.name for metric in game.OUTCOMES]
RADIUS = 5
KINDS = ("forest", "rubble", "house", "obstacle", "wall")
SOLID = ("obstacle", "wall")
AT_VALUE = {What.ENTER, What.STOP, What.MOVE_TO}
AT_EXTRA = {What.OUT, What.PUSH, What.BOUNCE, What.FOLLOW}
"""Events with a place, and where it stands."""

Hex = tuple[int, int]


class Turn(NamedTuple):
    """A way to lay a field on the table: turned by so many sixths clockwise, after a reflection in the middle row."""

    sixths: int
    flipped: bool = False

    def hex(self, q: int, r: int) -> Hex:
        """Move a hex."""
        if self.flipped:
            q, r = q + r, -r
        for _ in range(self.sixths):
            q, r = -r, q + r
        return q, r

    def facing(self, facing: int) -> int:
        """Move a facing."""
        return ((-facing if self.flipped else facing) + self.sixths) % 6

    def event(self, event: Sequence[int]) -> tuple[int, ...]:
        """Move an event."""
        what, turn, jug, foe, item, roll, value, extra = event
        if what in AT_VALUE:
            value = place(*self.hex(*where(value)))
        elif what in AT_EXTRA:
            extra = place(*self.hex(*where(extra)))
        elif what == What.TURN_TO:
            roll, value = -roll if self.flipped else roll, self.facing(value)
        return what, turn, jug, foe, item, roll, value, extra


AS_IT_IS = Turn(0)


class Fray(NamedTuple):
    """A battle on a hexagon within a ring of obstacles, which is the same field however it is turned."""

    designs: tuple[list[Design], list[Design]]
    starts: tuple[list[list[int]], list[list[int]]]
    terrain: dict[Hex, str]
    rules: Rules
    turns: int

    def scenario(self, policy: str, turn: Turn = AS_IT_IS, exchange: bool = False) -> Scenario:
        """Write it down: turned, and with its sides exchanged."""
        order = (1, 0) if exchange else (0, 1)
        kinds: dict[str, list[list[int]]] = {name: [] for name in maps.LISTS.values()}
        for hex, kind in self.terrain.items():
            kinds[maps.LISTS[kind]].append([*turn.hex(*hex)])
        turned = [
            [post(*turn.hex(q, r), turn.facing(facing), velocity) for q, r, facing, velocity in self.starts[side]]
            for side in order
        ]
        sides = [{"units": [{"design": table(design)} for design in self.designs[side]]} for side in order]
        return Scenario.model_validate(
            {
                "sides": dict(zip("ab", sides, strict=True)),
                "scenario": {
                    "map": {"half_length": RADIUS + 1, "half_rows": RADIUS + 1, **kinds},
                    "deployment": dict(zip("ab", turned, strict=True)),
                    "max_turns": self.turns,
                },
                "policy": policy,
            }
        )


def post(q: int, r: int, facing: int, velocity: int) -> dict[str, int]:
    """Write down where a jug begins."""
    return {"q": q, "r": r, "facing": facing, "velocity": velocity}


def hexagon() -> list[Hex]:
    """List the hexes of the field and of the ring round it."""
    span = range(-RADIUS - 1, RADIUS + 2)
    return [(q, r) for q in span for r in span if distance(q, r) <= RADIUS + 1]


def fray(seed: int, *, absent: Sequence[str] = (), most: int = 3, density: float = 0.12, slow: bool = False) -> Fray:
    """Make up a battle under altered rules, without captains of some kinds."""
    luck = random.Random(seed)
    ring = {hex: "obstacle" for hex in hexagon() if distance(*hex) == RADIUS + 1}
    inside = [hex for hex in hexagon() if hex not in ring]
    terrain = {hex: luck.choice(KINDS) for hex in inside if luck.random() < density} | ring
    free = [hex for hex in inside if terrain.get(hex) not in SOLID]
    places = luck.sample(free, 2 * most)
    speeds = (0, 1) if slow else (0, 1, 3, 6, 12)

    def design() -> Design:
        made = random_design(luck, 0.5)
        captain = tuple(ability for ability in made.captain if ability not in absent)
        items = made.items[:2] if slow else (*made.items, ("claw_arm", 1))[luck.randint(0, 1) :]
        return Design(2 if slow else made.sc, items, captain)

    changes = {name: luck.choice(values) for name, values in CHOICES.items() if luck.random() < 0.4}
    changes["wall_hits"] = "2d6"
    if absent:
        changes.pop("captains", None)
    counts = [luck.randint(1, most) for _ in (0, 1)]
    return Fray(
        ([design() for _ in range(counts[0])], [design() for _ in range(counts[1])]),
        (
            [[*hex, luck.randrange(6), luck.choice(speeds)] for hex in places[: counts[0]]],
            [[*hex, luck.randrange(6), luck.choice(speeds)] for hex in places[most:][: counts[1]]],
        ),
        terrain,
        Rules.model_validate(changes),
        luck.choice((4, 8, 15)),
    )


def fought(setup: Any, trial: int, seat: int = 0) -> tuple[dict[str, int], list[tuple[int, ...]]]:
    """Fight one battle: its outcome by name, and its events."""
    state = game.new_state()
    state.room = EVENTS
    outcome = game.play_one(setup, state, KEY, trial, seat)
    assert 0 < state.noted <= EVENTS
    named = dict(zip(NAMES, (int(value) for value in outcome), strict=True))
    return named, [tuple(event) for event in state.events[: int(state.noted)].tolist()]


def played(battle: Fray, policy: str, trial: int, seat: int = 0, **how: Any) -> tuple[dict[str, int], list[Any]]:
    """Fight one battle of a fray."""
    return fought(game.compile(battle.scenario(policy, **how), battle.rules), trial, seat)


def mirrored(outcome: dict[str, int]) -> dict[str, int]:
    """Return an outcome with a and b exchanged."""
    other = {"_a": "_b", "_b": "_a"}
    told = {name: outcome[name[:-2] + other.get(name[-2:], name[-2:])] for name in NAMES if name != "score_a"}
    return told | {"score_a": 2 - outcome["score_a"]}


def units(setup: Any, count: int) -> list[list[dict[str, int]]]:
    """Play both battles of some units."""
    rows = np.zeros((2 * count, len(NAMES)), np.int64)
    game.play_rows(setup, game.new_state(), KEY, 0, count, rows)
    named = [dict(zip(NAMES, row, strict=True)) for row in rows.tolist()]
    return [named[2 * unit : 2 * unit + 2] for unit in range(count)]
