"""Random matches under random rules, for comparisons: fields, teams, policies (seeded by one number)."""

import random
from collections.abc import Sequence
from typing import Any

from simkit.core.rng import make_key
from tests.naive.jugger.board import Hex, distance
from tests.naive.jugger.design import Design
from tests.naive.juggerball.field import FIELDS, Field
from tests.naive.juggerball.tables import rules_of
from tests.naive.juggerball.teams import (
    ALL_RANDOM,
    IMPROVEMENTS,
    NOTHING_CERTAIN,
    SIZE,
    STANDARD,
    TEAM,
    Certain,
    design_of,
    legal,
)

CHOICES: dict[str, tuple[Any, ...]] = {
    "forced_hits_ball": (False, True),
    "terrain_slows_ball": (False, True),
    "ball_blocks": ("stop", "collision"),
    "bounce_limit": (64, 1, 2, 5),
    "ball_headings": (12, 6),
    "right_angle": ("coin", "60", "120"),
    "caught_by": ("nobody", "jug"),
    "push": ("always", "choice"),
    "roll_when": ("any", "chosen"),
    "catcher_brakes_with_ball": (False, True),
    "steal": (False, True),
    "standing_kick": (False, True),
    "deflector": ("hit", "both", "none"),
    "legs_kick": (True, False),
    "legs_catch": (True, False),
    "catcher_catches": (True, False),
    "spine_at_most": (3, 1),
    "bounce_table": ([180, 90, -90, 120, -120, 0], [180, 60, -60, 120, -120, 0], [0, 180, 90, -60, 180, -90]),
    "no_stop_within": (3, 2, 4),
    "ball_roll_dice": ("1d6", "1d3"),
    "ball_kick_dice": ("1d6", "2d6"),
    "head_on_distance": ("mover", "sum"),
    "catch": ("enters", "hits"),
    "goal_hex": ("obstacle", "open"),
    "stuck_turns": (10, 1, 2),
    "no_stop": ("velocity_0", "end_of_move"),
    "forced_stop": ("allowed", "removed"),
    "goals_to_win": (3, 1, 2),
    "after_goal": ("end_phase", "finish"),
    "replace": ("both", "conceder", "none"),
    "fresh": ("same", "rolled"),
    "line_up": ("listed", "policy"),
    "kick_off": ("roll", "conceder"),
    "first_initiative": ("roll", "a", "b"),
    "jug_order": ("ball", "number", "policy"),
    "no_jugs": ("lose", "play_on"),
    "at_cap": ("draw", "more_goals"),
    "illegal": ("reroll_one", "reroll_jug", "nothing"),
    "special_limit": ("one_each", "one_of_three"),
}
"""Every ruling on the ball that can be switched, with the default first."""

OF_BATTLE: dict[str, tuple[Any, ...]] = {
    "map_edge": ("wall", "exit", "wrap"),
    "captains": ("none", "random"),
    "forward_cone_deg": (60, 180),
    "line_of_sight": (False, True),
    "turn_in_place": (True, False),
    "to_hit": ("at_most", "at_least"),
    "critical_counts": ("taken", "missing"),
    "collision_sc": ("own", "none"),
    "ram_owner": ("all_but_legs", "reinforced_only"),
    "push_collides": (False, True),
    "grab_damage": ("end", "attack"),
    "grab_stops": (True, False),
    "side_kill_drives_through": (False, True),
    "wreckage": (True, False),
    "declare": ("once", "rounds"),
}
"""Rulings of the battle that matter to a match."""


CLUMSY = ("random", "random", "random", "hold")
"""Policies that the twin decides itself."""

CLEVER = ("chase", "greedy", "greedy", "random")


def random_team(rng: random.Random, rolled: float) -> list[Design | None]:
    """Return seven regulation jugs with more legs, deflectors and catchers than dice give; None is to be rolled."""
    team: list[Design | None] = []
    for _ in range(TEAM):
        if rng.random() < rolled:
            team.append(None)
            continue
        items: list[str] = []
        while len(items) < SIZE:
            kinds = rng.choice((IMPROVEMENTS, ("legs", "deflector", "catcher"), ("gears", "steering"), STANDARD))
            kind = rng.choice(kinds)
            if legal(kind, items, rules_of()):
                items.append(kind)
        team.append(design_of(items))
    return team


def random_field(rng: random.Random) -> Field:
    """Return one of the three fields, or a small one with terrain of all kinds, the same seen from either end.

    Half of the small ones are crowded: all jugs stand near a ball that lies anywhere.
    """
    if rng.random() < 0.3:
        return FIELDS[rng.choice([*FIELDS])]
    crowded = rng.random() < 0.5
    half_length, half_rows = (
        (rng.randint(5, 6), rng.randint(2, 3)) if crowded else (rng.randint(7, 10), rng.randint(3, 5))
    )
    g = half_length - rng.randint(1, 2)
    bare = Field(half_length, half_rows, g, [])
    near = [place for goal in bare.goals for place in bare.inside if distance(place, goal) <= 1]
    halves = sorted(place for place in bare.inside if place > (0, 0) and place not in near)
    rng.shuffle(halves)
    ball = rng.choice([(0, 0), halves.pop()]) if crowded else (0, 0)
    apart = 0 if crowded else 3
    far = [place for place in halves if all(distance(place, goal) > apart for goal in bare.goals)]
    far = sorted(far[: max(TEAM, len(far) // 2)], key=lambda place: distance(place, ball))[:TEAM]
    starts = [rng.choice(((q, r), (-q, -r))) for q, r in far]
    rest = [place for place in halves if place not in far and place != ball]

    def both(places: list[Hex]) -> list[Hex]:
        return [one for q, r in places for one in ((q, r), (-q, -r))]

    count = len(halves) // 16
    obstacles, walls, forests = (both(rest[i * count :][: rng.randint(0, count)]) for i in range(3))
    return Field(half_length, half_rows, g, starts, obstacles=obstacles, walls=walls, forests=forests, ball_start=ball)


def regulation_match(seed: int) -> dict[str, Any]:
    """Return the same for a match as the rules have it, on their three fields, by all policies that move."""
    return {
        "field": [*FIELDS.values()][seed % 3],
        "key": make_key(11),
        "trial": seed,
        "teams": [ALL_RANDOM, ALL_RANDOM],
        "certain": NOTHING_CERTAIN,
        "mirror": False,
        "rules": rules_of(),
        "changes": {},
        "policies": (("greedy", "chase"), ("greedy", "greedy"), ("chase", "random"))[seed // 3 % 3],
        "max_turns": 200,
        "swap": seed % 2 == 1,
    }


def random_match(seed: int, policies: Sequence[str] = CLUMSY) -> dict[str, Any]:
    """Return the arguments of `play` for one match and its `changes` of the rules."""
    rng = random.Random(seed)
    changes = {name: rng.choice(choices) for name, choices in CHOICES.items() if rng.random() < 0.4}
    changes |= {name: rng.choice(choices) for name, choices in OF_BATTLE.items() if rng.random() < 0.2}
    named, mirror = rng.random() < 0.5, rng.random() < 0.5
    certain: list[Certain] = [
        (rng.choice(((), ("legs",), ("catcher", "deflector"))), rng.randint(0, TEAM)) for _ in (0, 1)
    ]
    if mirror and changes.get("fresh") == "rolled":  # no rule says whether fresh jugs of a mirrored side have them
        certain = [*NOTHING_CERTAIN]
    return {
        "field": random_field(rng),
        "key": make_key(11),
        "trial": seed,
        "teams": [random_team(rng, 0 if named else 0.8) for _ in (0, 1)],
        "certain": certain,
        "mirror": mirror,
        "rules": rules_of(**changes),
        "changes": changes,
        "policies": [rng.choice(policies) for _ in (0, 1)],
        "max_turns": rng.choice((8, 20, 40)),
        "swap": rng.random() < 0.5,
    }
