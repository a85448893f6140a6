"""From a table and a rule set to the plain numbers of a Setup."""

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt, lcm
from typing import Any

from simkit.core.dice import parse
from simkit.core.dicetable import dice_table, faces
from simkit.games.pigtable.kinds import Aim, Initiative, Policy, Thing
from simkit.games.pigtable.outcomes import SCALE
from simkit.games.pigtable.records import CHANCES, Setup
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Laid, Scenario, ground_of, route_of
from simkit.games.pigtable.shapes import Outline, Point, rounded_up, square
from simkit.games.pigtable.tables import LINES, Ground, Piece
from simkit.games.pigtickler.compile import BOG_ROLLS, DICE, KINDS, NOT_ALWAYS_ROLLED, REDIRECTIONS, _numbers
from simkit.games.pigtickler.records import Kind, Purpose

MOST_SCALE = 46656
"""Largest scale of chances in kernels; dice with more ways are rounded down to it."""

DIRECTIONS = "1d8"
"""Dice of the pig's direction (P-GAM-4)."""

NO_TURNS = 0


def compile(scenario: Scenario, rules: Rules) -> Setup:
    """Return the Setup of a legal scenario under a rule set.

    Examples
    --------
    >>> setup = compile(Scenario(), Rules())
    >>> int(setup.seats), int(setup.count), int(setup.options)
    (4, 4, 16)
    """
    ground = ground_of(scenario, rules)
    if scenario.route is None:
        match = scenario.match
        teams = match.teams or list(range(1, match.seats + 1))
        minds = [int(Policy[policy.upper()]) for policy in scenario.policies]
        return _setup(ground, rules, list(ground.starts[: match.seats]), ground.pig, teams, minds)
    laid = route_of(scenario.route, ground, rules)[0]
    setup = setup_of(ground, rules, laid)
    setup.aim = int(Aim.PIG if scenario.route.target == "pig" else Aim.STOP)
    setup.damage = scenario.route.damage
    setup.turns = len(laid.via)
    for k, point in enumerate(laid.via):
        setup.via[k, 0], setup.via[k, 1] = point
    return setup


def setup_of(ground: Ground, rules: Rules, laid: Laid) -> Setup:
    """Return the Setup of a table on which one lancer has his turn, seat 0."""
    places = [laid.start, *laid.lancers]
    seats = len(places)
    return _setup(ground, rules, places, laid.pig, list(range(1, seats + 1)), [int(Policy.ROUTER)] * seats)


def _setup(ground: Ground, rules: Rules, starts: list[Point], pig: Point, teams: list[int], minds: list[int]) -> Setup:
    shapes = [row for k, piece in enumerate(ground.pieces) for row in _rows(k, piece, rules)]
    options = [one for one in _options(ground, rules) if not ground.blocked_by(one, rules.base_lancer)]
    return Setup.pack(
        {
            "course": {
                "length": 0,
                "turns": NO_TURNS,
                "rules": _numbers(rules),
                "dice": [dice_table(rules.rolled(DICE[purpose])) for purpose in Purpose],
                "tasks": [_template(name, kind) for name, kind in KINDS.items()],
            },
            "rulings": _rulings(rules),
            "manoeuvre": chances(rules, "dice"),
            "collision": chances(rules, "collision_dice"),
            "hit": chances(rules, "hit_dice"),
            "direction": dice_table(parse(DIRECTIONS)),
            "inches": dice_table(rules.rolled("pig_dice")),
            "round_table": ground.round,
            "half": ground.half,
            "pig_x": pig[0],
            "pig_y": pig[1],
            "seats": len(starts),
            "sides": max(teams),
            "share": SCALE // len(starts),
            "start_x": [x for x, _ in starts],
            "start_y": [y for _, y in starts],
            "side": [team - 1 for team in teams],
            "minds": minds,
            "count": len(shapes),
            "shapes": shapes,
            "aim": int(Aim.STAY),
            "damage": 0,
            "turns": 0,
            "via": [],
            "options": len(options),
            "option_x": [x for x, _ in options],
            "option_y": [y for _, y in options],
        }
    )


def _template(name: str, kind: Kind) -> dict[str, Any]:
    """One task of a kind, as the compiler of courses makes it; its place is its kind."""
    return {
        "kind": int(kind),
        "asks_manoeuvre": name not in NOT_ALWAYS_ROLLED,
        "in_bog": name in BOG_ROLLS,
        "redirects": name in REDIRECTIONS,
        "levels": int(name == "down"),
        "modifier": 0,
        "ahead": 0,
        "ahead_modifier": 0,
    }


def _rows(k: int, piece: Piece, rules: Rules) -> Iterator[dict[str, Any]]:
    """Return the shapes of a piece: a hill's levels, or its one outline."""
    for shape in piece.levels if piece.thing == Thing.LEVEL else (piece.outline,):
        west, south, east, north = shape.box
        yield {
            "thing": int(piece.thing),
            "piece": k,
            "form": int(shape.form),
            "modifier": rules.bogs[piece.bog] if piece.thing == Thing.BOG else 0,
            "corners": len(shape.points),
            "radius": shape.radius,
            "x": [x for x, _ in shape.points],
            "y": [y for _, y in shape.points],
            "lengths": [rounded_up(square(a, b)) for a, b in shape.sides],
            "west": west,
            "east": east,
            "south": south,
            "north": north,
        }


def nearest(value: int, parts: int) -> int:
    """Divide by a positive number and round, halves away from zero (P-TAB-2)."""
    whole = (2 * abs(value) + parts) // (2 * parts)
    return whole if value >= 0 else -whole


def _options(ground: Ground, rules: Rules) -> Iterator[Point]:
    """List the points at which routes may turn because of the pieces, in order (P-GAM-20)."""
    grown = rules.base_lancer + 1
    for piece in ground.pieces:
        for shape in piece.levels if piece.thing == Thing.LEVEL else (piece.outline,):
            west, south, east, north = shape.box
            yield west - grown, south - grown
            yield east + grown, south - grown
            yield east + grown, north + grown
            yield west - grown, north + grown
        if piece.thing in LINES and piece.thing not in (Thing.WALL, Thing.CHASM):
            yield from _off_middle(piece.outline, rules.base_lancer)


def _off_middle(line: Outline, base: int) -> Iterator[Point]:
    """Return the two points before the middle of a line that can be crossed, one on either side."""
    (ax, ay), (bx, by) = line.points
    mx, my = nearest(ax + bx, 2), nearest(ay + by, 2)
    long = isqrt((bx - ax) ** 2 + (by - ay) ** 2)
    ox, oy = nearest(-(by - ay) * (base + 64), long), nearest((bx - ax) * (base + 64), long)
    yield mx + ox, my + oy
    yield mx - ox, my - oy


def chances(rules: Rules, field: str) -> dict[str, Any]:
    """Return dice as whole fractions of one scale."""
    listed = faces(rules.rolled(field))
    scale = min(lcm(*(chance.denominator for _, chance in listed)), MOST_SCALE)
    lowest, highest = listed[0][0], listed[-1][0]
    by_value = dict(listed)
    values = range(lowest, min(highest, lowest + CHANCES - 1) + 1)
    at_least = [sum((by_value[v] for v in by_value if v >= value), Fraction(0)) for value in values]
    return {
        "lowest": lowest,
        "count": len(values),
        "scale": scale,
        "at_least": [int(scale * chance) for chance in at_least],
        "exactly": [int(scale * by_value.get(value, Fraction(0))) for value in values],
    }


def _rulings(rules: Rules) -> dict[str, Any]:
    return {
        "base_lancer": rules.base_lancer,
        "base_pig": rules.base_pig,
        "avoid_within": rules.avoid_within,
        "edge_collides": rules.edge == "collision",
        "max_legs": rules.max_legs,
        "lost_add": rules.lost_turns == "add",
        "wounds_to_retire": rules.wounds_to_retire,
        "substitute": rules.substitute,
        "initiative": int(Initiative[rules.initiative.upper()]),
        "pig_crosses": rules.pig_crosses,
        "pig_tramples": rules.pig_meets == "tramples",
        "rumps_to_win": rules.rumps_to_win,
        "downhill_rumps": rules.downhill_rumps,
        "last_side_wins": rules.last_side_wins,
        "max_rounds": rules.max_rounds,
        "router_legs": rules.router_legs,
        "harm": rules.harm,
        "cautious_harm": rules.cautious_harm,
    }
