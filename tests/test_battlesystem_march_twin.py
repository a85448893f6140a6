"""Marches against the twin's own movement (tests/naive/battlesystem): units advancing alone on random lanes."""

import random
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from simkit.games.battlesystem.lane import GROUNDS, Lane, LaneTable, complaints, survey
from simkit.games.battlesystem.march import march
from simkit.games.battlesystem.ratings import rate
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.tables import GRID
from simkit.games.battlesystem.units import Design, load
from tests.naive.battlesystem import movement
from tests.naive.battlesystem import tables as naive
from tests.naive.battlesystem.lane import lane_of
from tests.naive.battlesystem.orders import may_close
from tests.naive.battlesystem.ratings import Design as NaiveDesign
from tests.naive.battlesystem.unit import Troop, Unit

LANES = 360
MOST_ROUNDS = 80
COSTS = ("woods_cost", "rough_cost", "swamp_cost", "ford_cost", "obstacle_cost", "rise_cost", "reform_move")
SHARES = ("1/4", "1/3", "1/2", "2/3", "5/12", "1")


def drawn_lane(rng: random.Random) -> dict[str, Any]:
    """Draw a lane with much on it, in whole inches or in odd thirty-sixths."""
    step = rng.choice((1, 7, GRID, GRID))
    length = rng.randint(6, 30) * GRID
    cuts = sorted(rng.sample(range(0, length + 1, step), min(rng.randint(2, 8), length // step)))
    pairs = [pair for pair in pairwise(cuts) if rng.random() < 0.7]
    high = (0, 0, 5, 10, 35)
    ground = [
        {"from": f"{a}/{GRID}", "to": f"{b}/{GRID}", "kind": rng.choice(GROUNDS), "height": rng.choice(high)}
        for a, b in pairs
    ]
    places = {rng.choice((rng.choice(cuts), rng.randrange(0, length + 1, step))) for _ in range(rng.randint(0, 3))}
    points = [{"at": f"{at}/{GRID}", "kind": rng.choice(("barrier", "ditch"))} for at in sorted(places)]
    return {"length": length // GRID, "ground": ground, "points": points}


def drawn_rules(rng: random.Random) -> dict[str, Any]:
    rules: dict[str, Any] = {name: rng.choice(SHARES) for name in COSTS if rng.random() < 0.15}
    if rng.random() < 0.15:
        rules["road_move"] = rng.choice(("0", "1/2", "1"))
    return rules | {"terrain_stack": rng.choice(("add", "multiply")), "reform": rng.random() < 0.8}


def drawn_design(rng: random.Random) -> Design:
    if rng.random() < 0.3:
        return rng.choice(list(load().values()))
    more: dict[str, Any] = {"exempt": [kind for kind in ("woods", "rough", "swamp", "ford") if rng.random() < 0.15]}
    if rng.random() < 0.5:
        more["swim"] = rng.randint(2, 20)
    return Design.model_validate({"ar": 20, "ac": 8, "hd": 1, "mv": rng.randint(3, 24), "damage": "1d6"} | more)


def naive_march(there: dict[str, Any], design: Design, rules: dict[str, Any], side: int, closed: bool) -> list[Any]:
    """March as the twin moves: after every round the place, whether the unit is closed, and what it paid."""
    pieces = {key: [plainly(one) for one in there[key]] for key in ("ground", "points")}
    lane = lane_of(there["length"], **pieces)
    law = naive.rules_of(**rules)
    rated = rate(design, Rules.model_validate(rules))
    figure = NaiveDesign(
        rated.ar, rated.ac, rated.hd, rated.move, (), 12, rated.ratio, exempt=rated.exempt, swim=rated.swim
    )
    unit = Unit(side, 0, Troop(figure, 12, 6, "closed" if closed else "open"), lane)
    if closed and lane.stands(unit.place, side).kind in naive.LOOSENING:
        unit.formation, unit.opened = "open", True
    battle: Any = SimpleNamespace(rules=law, lane=lane, contacts_of=lambda _: [])
    goal = 0 if side else lane.length
    rounds = []
    while unit.place != goal and len(rounds) < MOST_ROUNDS:
        f = Fraction(1)
        if may_close(battle, unit):
            unit.formation, unit.opened = "closed", False
            f = movement.change(f, -law.reform_move, law)
        move = movement.move(lane, unit, f, goal, False, law)
        if any(step == "open" for step, _, _ in move.steps):
            unit.formation, unit.opened = "open", True
        unit.place, unit.passed = move.place, move.passed
        way = lane.length - unit.place if side else unit.place
        rounds.append((way, unit.closed, sum(step == "pay" for step, _, _ in move.steps)))
    return rounds


def plainly(piece: dict[str, Any]) -> dict[str, Any]:
    return {key: Fraction(value) if "/" in str(value) else value for key, value in piece.items()}


def lane_for(there: dict[str, Any], side: int) -> Lane:
    read = LaneTable.model_validate(there)
    assert complaints(read) == []
    return survey(read).mirrored() if side else survey(read)


@pytest.mark.parametrize("part", range(2))
def test_a_unit_alone_marches_as_the_twin_does(part: int) -> None:
    arrived = stuck = 0
    for number in range(LANES * part // 2, LANES * (part + 1) // 2):
        rng = random.Random(number)
        there, design, rules = drawn_lane(rng), drawn_design(rng), drawn_rules(rng)
        side, closed = rng.randrange(2), rng.random() < 0.5
        law = Rules.model_validate(rules)
        found = march(lane_for(there, side), rate(design, law), law, closed=closed)
        wanted = naive_march(there, design, rules, side, closed)
        legs = [(int(leg.place * GRID), leg.closed, len(leg.paid)) for leg in found.legs]
        if found.crossed:
            assert legs == wanted, (number, there, design, rules, side, closed)
            arrived += 1
        else:
            still = wanted[len(legs) :]
            assert legs == wanted[: len(legs)] and len(wanted) == MOST_ROUNDS, (number, there, design, rules, side)
            assert len({one[0] for one in [*legs[-1:], *still]}) == 1, number
            stuck += 1
    assert arrived > 100 and stuck > 5
