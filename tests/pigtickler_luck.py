"""Courses and rule sets of Pig Tickler made up at random, for tests of what must hold of all of them."""

import random
from typing import Any

from simkit.games.pigtickler.rules import Rules

AHEAD = ["edge", "obstacle", "lancer", "chasm", "pig", "ford", "grass", "swamp", "rocks", "dunes"]


def some_step(luck: random.Random) -> dict[str, Any]:
    """Make up a step; every second one is a way down, so that things happen."""
    kinds = ["up", "turn", "bog", "avoid", "avoid", "beside", "cross", "ramp", "chasm", "stop", "pig"]
    kind = luck.choice([*kinds, *["down"] * 9])
    made: dict[str, Any] = {
        "down": lambda: {"down": luck.randint(1, 3)},
        "up": lambda: {"up": luck.randint(1, 2)},
        "turn": lambda: {"turn": 1, "ahead": luck.choice(AHEAD)},
        "bog": lambda: {"bog": luck.choice(["ford", "swamp", "grass", "rocks", "dunes"]), "bends": luck.randint(0, 1)},
        "avoid": lambda: {"avoid": luck.choice(["obstacle", "lancer"])},
        "beside": lambda: {"beside": luck.choice(["wall", "fence", "hedge"])},
        "cross": lambda: {"cross": luck.choice(["fence", "hedge"])},
        "stop": lambda: {"stop": True, "ahead": luck.choice(AHEAD)},
    }.get(kind, lambda: {kind: True})()
    return made


def some_course(luck: random.Random) -> dict[str, Any]:
    """Make up a course."""
    return {
        "steps": [some_step(luck) for _ in range(luck.randint(1, 8))],
        "turns": luck.randint(1, 6),
        "ahead": luck.choice(AHEAD),
    }


def some_rules(luck: random.Random) -> Rules:
    """Make up a rule set."""

    def often() -> bool:
        return luck.random() < 0.6

    return Rules(
        altered_odds=not often(),
        unicycle_damage=often(),
        free_facing=often(),
        uphill_reroll=not often(),
        downhill_modifier=luck.choice([-2, -1, -1, 0, 1]),
        downhill_lasts=luck.choice(["turn", "straight_leg"]),
        neighbour_policy=luck.choice(["worst", "straight_on"]),
        steered_lancer_rolls=often(),
        pig_bonus=luck.choice(["any_descent", "straight_leg"]),
        failed_stop=luck.choice(["opponent_control", "runs_on", "stops"]),
        bogs={"ford": 0, "grass": 1, "swamp": -3, "rocks": -1, "dunes": -2},
        bog_edge_reroll=not often(),
        crooked_bog_entry=luck.choice(["minus", "nothing"]),
        downhill_cross=luck.choice(["collision", "d6", "forbidden"]),
        failed_chasm_turn=luck.choice(["killed", "collision"]),
        ramp_downhill=often(),
        damage_ends_turn=often(),
        wound_effect=luck.choice(["lose_next_turn", "count"]),
        damage_modifier=luck.choice([-1, -2, 0]),
        wreck_at=luck.randint(1, 3),
    )
