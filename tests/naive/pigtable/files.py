"""Random files of tables with mistakes in them, and random routes on tables without (P-TAB-5, P-TAB-7)."""

import random
from typing import Any

from tests.naive.pigtable.exact import ground_of
from tests.naive.pigtable.fields import rules_of
from tests.naive.pigtable.matches import MAKERS, number, random_rules, random_table, some_area
from tests.naive.pigtable.shapes import Point
from tests.naive.pigtable.table import UNITS, read_table


def wrong_pieces(rng: random.Random, step: float) -> list[dict[str, Any]]:
    """Return pieces that may well be wrong by themselves."""
    points = [[number(rng, -11, 11, step), number(rng, -11, 11, step)] for _ in range(rng.choice((2, 3, 4, 5, 8, 9)))]
    way = rng.randrange(5)
    if way == 0:
        return [{"kind": "bog", "bog": rng.choice(("ford", "mire")), "polygon": points}]
    if way == 1:
        return [{"kind": rng.choice(("obstacle", "hill")), "polygon": points}]
    if way == 2:
        levels = [some_area(rng, step) for _ in range(rng.choice((1, 2, 5)))]
        return [{"kind": "hill", **some_area(rng, step), "levels": levels}]
    if way == 3:
        return [{"kind": rng.choice(("tree", "wall")), **some_area(rng, step)}]
    (x, y), wide = points[0], rng.choice((0.5, 1, 66 / UNITS, 2))
    ends = [x - 1, x, x + wide, x + wide + 1]
    return [
        {"kind": kind, "line": [[ends[k], y], [ends[k + 1], y]]}
        for k, kind in enumerate(("chasm", "ramp", rng.choice(("chasm", "wall"))))
    ]


def random_file(seed: int) -> dict[str, Any]:
    """Return what a file of a table might say, right or wrong, with at most 16 pieces."""
    rng = random.Random(seed)
    step = rng.choice((2.0, 1.0, 1.0, 0.5, 1 / UNITS, 0.3))
    pieces: list[dict[str, Any]] = []
    for _ in range(rng.choice((1, 1, 2, 2, 3, 6))):
        pieces += wrong_pieces(rng, step) if rng.random() < 0.3 else rng.choice(MAKERS)(rng, step)
    figures = [[number(rng, -12, 12, step), number(rng, -12, 12, step)] for _ in range(rng.choice((2, 3, 8)))]
    return {
        "schema": 1,
        "name": "any",
        "shape": rng.choice(("round", "square")),
        "size": 24,
        "pig": figures[0],
        "starts": figures[1:],
        "piece": [{**piece, "name": f"{piece['kind']} {k}"} for k, piece in enumerate(pieces)],
    }


def near(rng: random.Random, point: Point) -> Point:
    """Return a point that lies near, or anywhere."""
    if rng.random() < 0.4:
        return point[0] + rng.randint(-100, 100), point[1] + rng.randint(-100, 100)
    return rng.randint(-700, 700), rng.randint(-700, 700)


def random_route(seed: int) -> dict[str, Any]:
    """Return a table, rules and a legal route, in units: its points, what it rides for, damage from before."""
    rng = random.Random(seed)
    rules = random_rules(rng, 0.15)
    rules.pop("wreck_at", None)
    others = rng.choice((0, 0, 1, 2))
    told = random_table(rng, rules, others + 1)
    table = read_table(told, rules_of(rules))
    ground = ground_of(table, rules_of(rules), table.pig, table.starts[1:])
    route = [table.starts[0]]
    target = rng.choice(("pig", "pig", "stop"))
    for _ in range(rng.choice((0, 1, 1, 2, 2)) or int(target == "stop")):
        point = near(rng, route[-1])
        while not ground.free(point) or point == route[-1]:
            point = near(rng, route[-1])
        route.append(point)
    return {"told": told, "rules": rules, "route": route, "target": target, "damage": rng.choice((0, 0, 1))}
