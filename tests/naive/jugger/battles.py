"""Random battles under random rules, for comparisons: designs, maps, places, policies (seeded by one number)."""

import random
from typing import Any

from simkit.core.rng import make_key
from tests.naive.jugger.board import Board, distance
from tests.naive.jugger.design import Design
from tests.naive.jugger.tables import ABILITIES, KINDS, WEAPONS, rules_of

CHOICES: dict[str, tuple[Any, ...]] = {
    "map_edge": ("wall", "exit", "wrap"),
    "forward_cone_deg": (60, 180),
    "line_of_sight": (False, True),
    "oversize": ("multiply", "more_dice"),
    "turn_in_place": (True, False),
    "kick_to_hit": (6, 3),
    "initiative": ("side", "jug"),
    "to_hit": ("at_most", "at_least"),
    "critical_counts": ("taken", "missing"),
    "collision_sc": ("own", "none"),
    "ram_owner": ("all_but_legs", "reinforced_only"),
    "push_collides": (False, True),
    "captains": ("none", "random"),
    "fire_stacks": (False, True),
    "cauldron_reroll": (False, True),
    "spells_per_turn": (1, 2),
    "wizard_is_piece": (True, False),
    "break_roll": ("jug", "weapon"),
    "grab_damage": ("end", "attack"),
    "grab_stops": (True, False),
    "side_kill_drives_through": (False, True),
    "evasion": ("after_hit", "declared"),
    "haste_stacks": (False, True),
    "wreckage": (True, False),
    "declare": ("once", "rounds"),
    "strategic_roll": (False, True),
    "rout_below": (0, 50),
}
"""Every ruling that can be switched, with the default first."""


def random_design(rng: random.Random, armed: float = 0.6) -> Design:
    """Return a design that fills its spaces: a part of it weapons, few of them oversize."""
    sc, items = rng.randint(1, 6), list[tuple[str, int]]()
    tools = [kind for kind in KINDS if kind not in WEAPONS and kind not in ("deflector", "catcher")]
    while len(items) < sc:
        kind = rng.choice([*WEAPONS] if rng.random() < armed else tools)
        once = kind in ("legs", "wizard") and any(kind == other for other, _ in items)
        without = kind == "legs" and any(other == "sails" for other, _ in items)
        if not once and not without and not (kind == "sails" and any(other == "legs" for other, _ in items)):
            items.append((kind, rng.choice((1, 1, 1, 2, 3)) if kind in WEAPONS else 1))
    return Design(sc, tuple(items), tuple(rng.sample(ABILITIES, rng.choice((0, 0, 1, 3)))))


def random_board(rng: random.Random, radius: int, density: float) -> Board:
    """Return a hexagon of a radius, a part of it covered."""
    span = range(-radius, radius + 1)
    inside = [(q, r) for q in span for r in span if distance((0, 0), (q, r)) <= radius]
    kinds = ("forest", "rubble", "house", "obstacle", "wall")
    return Board(inside, {place: rng.choice(kinds) for place in inside if rng.random() < density})


def random_battle(seed: int, policies: tuple[str, ...] = ("random", "random", "hold"), most: int = 4) -> dict[str, Any]:
    """Return the arguments of `play` for one battle; a third of them are crowded and fast, so that rams happen."""
    rng = random.Random(seed)
    fast = rng.random() < 0.34
    board = random_board(rng, rng.randint(3, 6), 0.05 if fast else 0.15)
    rules = rules_of(**{name: rng.choice(choices) for name, choices in CHOICES.items() if rng.random() < 0.5})
    free = [place for place in sorted(board.inside) if board.terrain.get(place) not in ("obstacle", "wall")]
    places = rng.sample(free, 2 * most)
    speeds = (2, 3, 5, 8) if fast else (0, 0, 1, 2)
    starts = [
        [(*place, rng.randrange(6), rng.choice(speeds)) for place in places[most * side : most * (side + 1)]]
        for side in (0, 1)
    ]
    return {
        "designs": [[random_design(rng, 0.3 if fast else 0.6) for _ in range(rng.randint(1, most))] for _ in (0, 1)],
        "board": board,
        "starts": starts,
        "key": make_key(9),
        "trial": seed,
        "rules": rules,
        "policies": [rng.choice(policies) for _ in (0, 1)],
        "max_turns": rng.choice((6, 12, 30)),
        "swap": rng.random() < 0.5,
    }
