"""Random tables, house rules and matches for the twin and whoever is compared with it."""

import json
import random
from collections.abc import Callable
from itertools import pairwise
from math import cos, sin, tau
from pathlib import Path
from typing import Any

from tests.naive.pigtable.fields import DEFAULTS, rules_of
from tests.naive.pigtable.scenes import file_of
from tests.naive.pigtable.table import TableError, read_table

House = dict[str, Any]
CASES = Path(__file__).parents[2] / "cases" / "pig_tables.json"
PUBLISHED = json.loads(CASES.read_text(encoding="utf-8"))["tables"]
ALTERNATIVES: dict[str, tuple[Any, ...]] = {
    "altered_odds": (True,),
    "dice": ("1d10", "1d12", "3d4"),
    "unicycle_damage": (True,),
    "uphill_reroll": (True,),
    "bog_edge_reroll": (True,),
    "failed_stop": ("runs_on", "stops"),
    "downhill_cross": ("d6", "forbidden"),
    "neighbour_policy": ("straight_on",),
    "wound_effect": ("count",),
    "damage_modifier": (0, -3, 2),
    "wreck_at": (1, 2),
    "pig_bonus": ("straight_leg",),
    "hit_target": (5, 9),
    "hit_fumble": (1, 6),
    "bogs": ({"ford": 1, "swamp": -6}, {"shallow": -2}),
    "base_lancer": (20, 48),
    "base_pig": (20, 50),
    "level_every": (64, 192),
    "avoid_within": (32, 128),
    "edge": ("collision",),
    "max_legs": (1, 2, 3),
    "lost_turns": ("add",),
    "wounds_to_retire": (1, 2),
    "substitute": (True,),
    "initiative": ("cards", "rotate"),
    "pig_dice": ("1d4", "3d6"),
    "pig_crosses": (True,),
    "pig_meets": ("tramples",),
    "rumps_to_win": (1, 2, 3),
    "downhill_rumps": (2,),
    "last_side_wins": (False,),
    "max_rounds": (1, 2, 3),
    "router_legs": (1,),
    "harm": (0, 100),
    "cautious_harm": (0, 25),
}
"""What each field may be beside its default."""


def random_rules(rng: random.Random, share: float = 0.25) -> House:
    """Return house rules; each field is another one with some chance."""
    return {name: rng.choice(values) for name, values in ALTERNATIVES.items() if rng.random() < share}


def number(rng: random.Random, low: float, high: float, step: float) -> float:
    """Return inches on a grid."""
    return rng.randint(round(low / step), round(high / step)) * step


def box(x: float, y: float, width: float, height: float) -> list[list[float]]:
    """Return the corners of a box."""
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


def many_corners(rng: random.Random, x: float, y: float) -> list[list[float]]:
    """Return up to eight corners on the grid of 1/64 inch, near a circle."""
    radius, count, turn = rng.uniform(0.5, 4), rng.randint(4, 8), rng.random()
    angles = [tau * (k + turn) / count for k in range(count)]
    return [[round(64 * (x + radius * cos(a))) / 64, round(64 * (y + radius * sin(a))) / 64] for a in angles]


def some_polygon(rng: random.Random, step: float) -> list[list[float]]:
    """Return a box, a triangle, or something with more corners."""
    x, y = number(rng, -10, 8, step), number(rng, -10, 8, step)
    if rng.random() < 0.25:
        return many_corners(rng, x, y)
    width, height = number(rng, 1, 5, step), number(rng, 1, 5, step)
    corners = box(x, y, width, height)
    if rng.random() < 0.3:
        corners.pop(rng.randrange(4))
    return corners[:: rng.choice((1, -1))]


def some_area(rng: random.Random, step: float) -> dict[str, Any]:
    """Return the shape of an area."""
    if rng.random() < 0.4:
        return {"disc": [number(rng, -9, 9, step), number(rng, -9, 9, step), number(rng, 0.5, 4, step) or step]}
    return {"polygon": some_polygon(rng, step)}


def a_hill(rng: random.Random, step: float) -> list[dict[str, Any]]:
    """Return a hill: rounded, or with the outline as its level and maybe a smaller one upon it, bogs at its foot."""
    if rng.random() < 0.3:
        disc = [number(rng, -7, 7, step), number(rng, -7, 7, step), number(rng, 2.5, 5, step)]
        return [{"kind": "hill", "disc": disc, "top": "rounded"}]
    x, y = number(rng, -10, 4, step), number(rng, -10, 4, step)
    width, height = number(rng, 2, 6, step), number(rng, 2, 6, step)
    levels = [{"polygon": box(x, y, width, height)}]
    if rng.random() < 0.5:
        levels.append({"polygon": box(x + step, y + step, width - 2 * step, height - 2 * step)})
    pieces: list[dict[str, Any]] = [{"kind": "hill", "polygon": levels[0]["polygon"], "levels": levels}]
    if rng.random() < 0.5:
        shape = box(x + width, y, 2, height) if rng.random() < 0.5 else box(x, y + height, width, 1)
        pieces.append({"kind": "bog", "bog": some_bog(rng), "polygon": shape})
    return pieces


def middle_of(shape: dict[str, Any]) -> list[float]:
    """Return the middle of a box, on the grid of 1/64 inch."""
    (x, y), _, (east, north), _ = shape["polygon"]
    return [round((x + east) * 32) / 64, round((y + north) * 32) / 64]


def some_bog(rng: random.Random) -> str:
    """Return a kind of bog."""
    return rng.choice(("ford", "shallow", "deep_sand", "swamp", "grass"))


def a_bog(rng: random.Random, step: float) -> list[dict[str, Any]]:
    """Return a bog."""
    return [{"kind": "bog", "bog": some_bog(rng), **some_area(rng, step)}]


def an_obstacle(rng: random.Random, step: float) -> list[dict[str, Any]]:
    """Return an obstacle."""
    return [{"kind": "obstacle", **some_area(rng, step)}]


def some_lines(rng: random.Random, step: float) -> list[dict[str, Any]]:
    """Return a wall, fence or hedge, or two of them that meet."""
    points = [[number(rng, -10, 10, step), number(rng, -10, 10, step)]]
    for _ in range(rng.choice((1, 1, 2))):
        x, y = points[-1]
        ways = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -2))
        (dx, dy), length = rng.choice(ways), number(rng, 1, 7, step)
        points.append([x + dx * length, y + dy * length])
    kinds = ("wall", "fence", "fence", "hedge", "chasm")
    return [{"kind": rng.choice(kinds), "line": [*pair]} for pair in pairwise(points)]


def a_ditch(rng: random.Random, step: float) -> list[dict[str, Any]]:
    """Return a fence with a thin bog or a low bank along it, maybe both."""
    x, y, length = number(rng, -9, 7, step), number(rng, -9, 4, step), number(rng, 1, 5, step)
    deep, high = rng.choice((0.125, 0.375, 0.75)), box(x - 0.25, y, 0.25, length)
    pieces: list[dict[str, Any]] = [{"kind": rng.choice(("fence", "hedge")), "line": [[x, y], [x, y + length]]}]
    if rng.random() < 0.7:
        pieces.append({"kind": "bog", "bog": some_bog(rng), "polygon": box(x, y, deep, length)})
    if rng.random() < 0.7:
        pieces.append({"kind": "hill", "polygon": high, "levels": [{"polygon": high}]})
    return pieces


def a_chasm(rng: random.Random, step: float) -> list[dict[str, Any]]:
    """Return a chasm with a ramp over it."""
    at, along = number(rng, -8, 8, step), number(rng, -6, 6, step)
    wide = number(rng, 1.5, 3, step) + 0.25
    marks = [along - 3, along, along + wide, along + wide + 3]
    lines = [[[x, at], [y, at]] for x, y in pairwise(marks)]
    if rng.random() < 0.5:
        lines = [[[b, a] for a, b in line] for line in lines]
    return [{"kind": kind, "line": line} for kind, line in zip(("chasm", "ramp", "chasm"), lines, strict=True)]


MAKERS: tuple[Callable[[random.Random, float], list[dict[str, Any]]], ...] = (
    a_hill, a_hill, a_bog, an_obstacle, some_lines, some_lines, a_chasm, a_ditch,
)  # fmt: skip


def random_table(rng: random.Random, rules: House, lancers: int) -> dict[str, Any]:
    """Return what the file of a random legal table says."""
    everything = rules_of(rules)
    step = rng.choice((1.0, 0.5, 0.25, 1 / 64))
    shape = rng.choice(("round", "square"))
    pieces: list[dict[str, Any]] = []
    far = {"pig": [0, 0], "starts": []}

    def legal(pieces: list[dict[str, Any]], **figures: Any) -> bool:
        try:
            read_table(file_of(*pieces, shape=shape, **figures), everything)
        except TableError as error:
            wrong = {one.code for one in error.errors}
            return wrong <= {"bad_start"} and figures is far
        return True

    for _ in range(rng.choice((2, 4, 8, 14))):
        more = rng.choice(MAKERS)(rng, step)
        if len(pieces) + len(more) <= 16 and legal(pieces + more, **far):
            pieces += more
    # Who begins on a hill comes down from it.
    spots = [middle_of(piece["levels"][-1]) for piece in pieces if "levels" in piece]
    spots += [piece["disc"][:2] for piece in pieces if piece.get("top") == "rounded"]
    figures: list[list[float]] = []
    while len(figures) < lancers + 1:
        place = [number(rng, -11, 11, step), number(rng, -11, 11, step)]
        if figures and spots and rng.random() < 0.5:
            x, y = rng.choice(spots)
            place = [x + number(rng, -1, 1, step), y + number(rng, -1, 1, step)]
        pig, starts = (figures or [place])[0], [*figures[1:], *([place] if figures else [])]
        if legal(pieces, pig=pig, starts=starts):
            figures.append(place)
    return file_of(*pieces, shape=shape, pig=figures[0], starts=figures[1:])


def shipped_table(rng: random.Random, rules: House, lancers: int) -> dict[str, Any] | None:
    """Return one of the published tables, if there are starts enough and its figures stand free under the rules."""
    told: dict[str, Any] = rng.choice(list(PUBLISHED.values()))
    try:
        read_table(told, rules_of(rules))
    except TableError:
        return None
    return told if lancers <= len(told["starts"]) else None


def random_match(seed: int, policies: tuple[str, ...] = ("straight",)) -> dict[str, Any]:
    """Return everything that a match is made of: table, rules, policies, teams."""
    rng = random.Random(seed)
    lancers = rng.choice((2, 2, 3, 4, 6))
    rules = {"rumps_to_win": 2, "max_rounds": 5, **random_rules(rng)}
    # Who stands near walls with a small base and gets a large one would be blocked, so bases come before the table.
    shipped = shipped_table(rng, rules, lancers) if rng.random() < 0.1 else None
    table = shipped or random_table(rng, rules, lancers)
    teams = None
    if rng.random() < 0.3:
        teams = [1 + k % 2 for k in range(lancers)]
        rng.shuffle(teams)
    return {
        "table": table,
        "rules": rules,
        "policies": [rng.choice(policies) for _ in range(lancers)],
        "teams": teams,
        "game": rng.randrange(lancers),
    }


assert set(ALTERNATIVES) <= set(DEFAULTS)
