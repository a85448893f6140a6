"""Random fights, to be played by the twin and by others."""

import random
from typing import Any

from tests.naive.battlesystem.lane import KINDS, SIDES, lane_of
from tests.naive.battlesystem.presets import presets
from tests.naive.battlesystem.tables import ALTERNATIVES, FORMATIONS, STARTS, rules_of
from tests.naive.battlesystem.unit import Troop

POLICIES = ("hold", "advance", "advance", "charge", "charge", "set", "wall", "wall_advance", "skirmish")
FLAGS = ("carry_wounds", "walk_in", "reform", "turn_to_face", "set_doubles")


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Draw alternatives; most rules keep their default."""
    changes: dict[str, Any] = {
        name: rng.choice(allowed) for name, allowed in ALTERNATIVES.items() if rng.random() < 0.25
    }
    return changes | {name: rng.random() < 0.5 for name in FLAGS if rng.random() < 0.2}


def random_side(rng: random.Random, designs: list[Any], most: int) -> list[Troop]:
    """Draw units for some slots, some with a reserve behind."""
    troops = []
    for slot in sorted(rng.sample(range(6), rng.randint(1, most))):
        for reserve in (False, True) if rng.random() < 0.3 else (False,):
            figures = rng.choice((1, 4, 8, 12, 18, 24))
            files = min(figures, rng.choice((1, 4, 6, 8)))
            formation = rng.choice(("closed", "closed", *FORMATIONS))
            troops.append(
                Troop(rng.choice(designs), figures, files, formation, rng.choice(POLICIES), slot, reserve=reserve)
            )
    return troops


def random_lane(rng: random.Random) -> dict[str, Any]:
    """Draw a lane in inches, as `lane_of` reads it."""
    length = rng.choice((6, 12, 24))
    ends = sorted(rng.sample(range(length + 1), 4))
    ground = [
        {"from": low, "to": high, "kind": rng.choice(KINDS), "height": rng.choice((0, 0, 10, 25))}
        for low, high in ((ends[0], ends[1]), (ends[2], ends[3]))
    ]
    points = [
        {"at": rng.randint(0, 2 * length) / 2, "kind": rng.choice(("wall", "fence", "stream", "ditch"))}
        for _ in range(rng.choice((0, 0, 1, 2)))
    ]
    bare = rng.random() < 0.3
    return {
        "length": length,
        "ground": [] if bare else ground,
        "points": [] if bare else points,
        "contact": (rng.choice(("front", "front", *SIDES)), "front"),
        "start": (rng.choice(("none", *STARTS)), rng.choice(("none", *STARTS))),
        "in_contact": rng.random() < 0.2,
    }


def random_battle(seed: int, most: int = 6) -> dict[str, Any]:
    """Draw a fight: the arguments sides, lane and rules of `play`."""
    rng = random.Random(seed)
    rules = rules_of(**random_rules(rng))
    designs = list(presets(rules).values())
    most = rng.choice((1, 2, most))
    sides = [random_side(rng, designs, most) for _ in range(2)]
    return {"sides": sides, "lane": lane_of(**random_lane(rng)), "rules": rules}
