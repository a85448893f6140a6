"""Random battles for kernel and twin: the same designs, maps, places, rules and dice for both."""

import random
from typing import Any

import numpy as np

from simkit.core.rng import make_key
from simkit.games.jugger import game
from simkit.games.jugger.records import EVENTS, Outcome, PieceKind, State
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario
from tests.naive.jugger import Board, Design
from tests.naive.jugger.battles import CHOICES, random_design
from tests.naive.jugger.tables import KINDS, LOSE, WEAPONS

KEY = make_key(2**62 + 9)
TERRAIN = {"forest": "forests", "rubble": "rubble", "house": "houses", "obstacle": "obstacles", "wall": "walls"}
EQUIPMENT = {
    "legs": PieceKind.LEGS,
    "gears": PieceKind.GEARS,
    "brakes": PieceKind.BRAKES,
    "steering": PieceKind.STEERING,
    "sails": PieceKind.SAILS,
    "reinforced_ram": PieceKind.RAM,
    "winch": PieceKind.WINCH,
    "wizard": PieceKind.WIZARD,
    "deflector": PieceKind.DEFLECTOR,
    "catcher": PieceKind.CATCHER,
}


def table(design: Design) -> dict[str, Any]:
    """Return a twin's design as a file spells it."""
    equipment = [{"weapon": kind, "size": size} if kind in WEAPONS else {"item": kind} for kind, size in design.items]
    return {"size": design.sc, "equipment": equipment, "captain": list(design.captain)}


class Case:
    """One battle for both."""

    def __init__(self, seed: int, policies: tuple[str, ...] = ("random", "random", "hold"), most: int = 4) -> None:
        rng = random.Random(seed)
        self.seed = seed
        self.fast = rng.random() < 0.34
        rows, length = rng.randint(2, 5), rng.randint(3, 6)
        inside = [(q, r) for r in range(-rows, rows + 1) for q in range(-32, 33) if abs(2 * q + r) <= 2 * length]
        density = 0.05 if self.fast else 0.15
        self.terrain = {hex_: rng.choice([*TERRAIN]) for hex_ in inside if rng.random() < density}
        self.changes = {name: rng.choice(choices) for name, choices in CHOICES.items() if rng.random() < 0.5}
        self.changes.pop("rout_below", None)
        free = [hex_ for hex_ in inside if self.terrain.get(hex_) not in ("obstacle", "wall")]
        most = min(most, len(free) // 2)
        places = rng.sample(free, 2 * most)
        speeds = (2, 3, 5, 8) if self.fast else (0, 0, 1, 2)
        count = rng.randint(1, most)
        self.designs = [[random_design(rng, 0.3 if self.fast else 0.6) for _ in range(count)] for _ in (0, 1)]
        self.starts = [
            [(*hex_, rng.randrange(6), rng.choice(speeds)) for hex_ in places[most * side :][:count]] for side in (0, 1)
        ]
        self.policies = [rng.choice(policies) for _ in (0, 1)]
        self.max_turns = rng.choice((6, 12, 30))
        self.swap = rng.random() < 0.5
        grid: dict[str, list[list[int]]] = {}
        for hex_, kind in self.terrain.items():
            grid.setdefault(TERRAIN[kind], []).append([*hex_])
        names = ("q", "r", "facing", "velocity")
        self.scenario = Scenario.model_validate(
            {
                "sides": {
                    side: {"units": [{"design": table(design)} for design in designs], "policy": policy}
                    for side, designs, policy in zip("ab", self.designs, self.policies, strict=True)
                },
                "designs": {},
                "policy": "greedy",
                "scenario": {
                    "map": {"half_rows": rows, "half_length": length, **grid},
                    "deployment": {
                        side: [dict(zip(names, start, strict=True)) for start in starts]
                        for side, starts in zip("ab", self.starts, strict=True)
                    },
                    "max_turns": self.max_turns,
                },
            }
        )
        self.rules = Rules.model_validate(self.changes)
        self.board = Board(inside, self.terrain)
        self.setup = game.compile(self.scenario, self.rules)

    def kernel(self, state: Any, trial: int | None = None) -> tuple[dict[str, int], list[tuple[int, ...]]]:
        """Play it by the kernel: outcome and events."""
        state.room = EVENTS
        outcome = game.play_one(self.setup, state, KEY, self.seed if trial is None else trial, int(self.swap))
        noted = int(state.noted)
        events = np.array(state.events[: min(noted, EVENTS)].tolist(), np.int64).reshape(-1, 8)
        state.room = 0
        assert noted <= EVENTS
        return dict(zip(Outcome._fields, (int(x) for x in outcome), strict=True)), [
            tuple(int(x) for x in row) for row in events
        ]

    def seats(self) -> list[list[tuple[int, int, int, int]]]:
        """Return the places by seat, as the kernel has them."""
        arrangement = self.setup.places[int(self.swap)].tolist()
        count_a, count_b = len(self.designs[0]), len(self.designs[1])
        a, b = arrangement[:count_a], arrangement[count_a : count_a + count_b]
        return [[tuple(x) for x in rows] for rows in ((b, a) if self.swap else (a, b))]

    def as_twin(self, events: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return a kernel's events with pieces numbered as the twin does."""
        lists = self.designs[::-1] if self.swap else self.designs
        by_slot = [design for designs in lists for design in designs]
        return as_twin(events, by_slot, wizard_is_piece=self.rules.wizard_is_piece)


def as_twin(
    events: list[tuple[int, ...]], by_slot: list[Design], *, wizard_is_piece: bool = True
) -> list[tuple[int, ...]]:
    """Return a kernel's events with pieces numbered as the twin does, who counts armor too."""
    others = {"armor"} if wizard_is_piece else {"armor", "wizard"}
    translated = []
    for event in events:
        if event[0] == LOSE:
            items = by_slot[event[2]].items
            place = [i for i, (kind, _) in enumerate(items) if kind not in others][event[4]]
            kind = items[place][0]
            assert event[6] == EQUIPMENT.get(kind, PieceKind.WEAPON)
            event = (*event[:4], place, event[5], KINDS.index(kind), event[7])
        translated.append(event)
    return translated


def fresh() -> Any:
    """Return a state."""
    return State.scratch()
