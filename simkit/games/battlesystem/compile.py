"""From a fight and a rule set to the plain numbers of a Setup."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from simkit.core.dice import Dice, parse
from simkit.core.dicetable import dice_table, faces
from simkit.core.moments import mean
from simkit.games.battlesystem import kinds
from simkit.games.battlesystem.crt import blow
from simkit.games.battlesystem.lane import Lane
from simkit.games.battlesystem.ratings import Part, Rating, rate
from simkit.games.battlesystem.records import INDEX, SIDE, Setup
from simkit.games.battlesystem.roster import Post, roster
from simkit.games.battlesystem.rule_types import twelfths
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import SIDES, Scenario, SideName
from simkit.games.battlesystem.tables import GRID

SAME_NAME = (
    "charge_bonus", "flank_bonus", "rear_bonus", "ditch_penalty", "wall_missile", "wall_melee", "medium_penalty",
    "long_penalty", "cover_woods", "cover_obstacle", "missile_ranks", "overlap", "set_doubles", "walk_in",
    "carry_wounds", "reform", "turn_to_face", "check_first", "check_second", "morale_closed", "morale_half",
    "morale_three_quarters", "morale_rear", "morale_command", "morale_commander",
)  # fmt: skip
MOVES = ("charge_move", "wall_move", "set_move", "reform_move", "road_move", "obstacle_cost", "rise_cost")
COSTS = {"woods": "woods_cost", "rough": "rough_cost", "swamp": "swamp_cost", "ford": "ford_cost"}
"""Rules with the cost of a kind of ground; other kinds cost nothing."""

BY_NUMBER = [ground.name.lower() for ground in kinds.Ground]

CERTAIN = 2**30
"""Certainty, where chances are whole numbers."""


def compile(scenario: Scenario, rules: Rules) -> Any:
    """Return the Setup record of a legal fight.

    Parameters
    ----------
    scenario
        A fight about which :func:`~simkit.games.battlesystem.legality.complaints` has nothing to say.
    rules
        The rules in force.

    Examples
    --------
    >>> fight = {"sides": {"a": {"design": "pikemen", "figures": 24}, "b": {"design": "heavy cavalry"}}}
    >>> setup = compile(Scenario.model_validate(fight), Rules())
    >>> [(int(unit.figures), int(unit.pool), int(unit.move) // 36) for unit in setup.units[:2]]
    [(24, 10, 9), (12, 20, 15)]
    """
    units = [unit(scenario, rules, side, i, post) for side in SIDES for i, post in enumerate(roster(scenario, side))]
    battle = scenario.scenario
    lane = battle.ground
    ways = (lane, lane.mirrored())
    begin_a, begin_b = battle.fronts
    chances = chances_of(rules.rolled("attack_dice"))
    return Setup.pack(
        {
            "rules": numbers(scenario, rules),
            "length": lane.length,
            "in_contact": battle.in_contact,
            "slots": 1 + max(one["slot"] for one in units),
            "count": len(units),
            "units": units,
            "lanes": [way(one) for one in ways],
            "places": [begin_a, lane.length - begin_b],
            "strikes": [int(kinds.Side[one.upper()]) for one in (battle.contact, battle.contact_b)],
            "initiative": dice_table(rules.rolled("initiative_dice")),
            "attack": dice_table(rules.rolled("attack_dice")),
            "check": dice_table(rules.rolled("morale_dice")),
            "faces": len(chances),
            "chances": chances,
        }
    )


def numbers(scenario: Scenario, rules: Rules) -> dict[str, Any]:
    """Return the rules as kernels read them."""
    first_strike = {"vs_charge": 0, "always": 1, "never": 2}
    return {
        **{name: getattr(rules, name) for name in SAME_NAME},
        **{name: twelfths(getattr(rules, name)) for name in MOVES},
        "ground_cost": [twelfths(getattr(rules, COSTS[kind])) if kind in COSTS else 0 for kind in BY_NUMBER],
        "charge_least": rules.charge_least * GRID,
        "set_first_strike": first_strike[rules.set_first_strike],
        "strike_between_checks": rules.first_strike_morale == "between",
        "lasts_to_round_end": rules.declaration_lasts == "round_end",
        "by_figures": rules.frontage == "figures",
        "multiply": rules.terrain_stack == "multiply",
        "check_each": rules.checks == "each",
        "crt_top": rules.crt_zero_at,
        "crt_steps": rules.crt_clamp_top,
        "max_rounds": scenario.scenario.max_rounds or rules.max_rounds,
    }


def unit(scenario: Scenario, rules: Rules, side: SideName, i: int, post: Post) -> dict[str, Any]:
    """Return the numbers of one unit."""
    design, rating, battle = post.design, rate(post.design, rules), scenario.scenario
    seat = SIDES.index(side)
    declared = battle.start.a if side == "a" else battle.start.b
    gaps = (Fraction(0), Fraction(rules.spacing_open), Fraction(rules.spacing_skirmish), Fraction(0))
    missiles = () if design.bow_damage is None else _missile(design.bow_damage)
    kills = results(rating, missiles, rules)
    return {
        "seat": SIDE * seat + i,
        "side": seat,
        "slot": post.slot,
        "reserve": post.reserve,
        "policy": int(kinds.Policy[post.policy.upper()]),
        "figures": post.unit.figures,
        "files": min(post.unit.abreast, post.unit.figures),
        "formation": int(kinds.Formation[post.unit.formation.upper()]),
        "pool": rating.pool,
        "ar": rating.ar,
        "ac": rating.ac,
        "morale": design.ml,
        "mounted": design.kind_of_figure != "foot",
        "single": rating.ratio == 1,
        "in_command": design.in_command,
        "commander_killed": design.commander_killed,
        "spears": design.arm in ("pike", "spear"),
        "large_shields": design.large_shields,
        "ranks": 1 if design.kind_of_figure != "foot" else ranks(design.arm, rules),
        "bow": 0 if design.bow == "none" else int(kinds.Bow.CROSSBOW if design.bow == "crossbow" else kinds.Bow.BOW),
        "ranges": [0, 0, 0] if design.bow == "none" else [one * GRID for one in rules.ranges(design.bow)],
        "move": int(rating.move * GRID),
        "swim": int((rating.swim or 0) * GRID),
        "width": int(rating.width * GRID),
        "depth": int(rating.depth * GRID),
        "spacing": [int((rating.width + gap) * GRID) for gap in gaps],
        "exempt": sum(1 << ground_of(kind) for kind in rating.exempt),
        "kills": kills.tolist(),
        "declared": int(kinds.Declaration[declared.upper()]),
    }


def ranks(arm: str, rules: Rules) -> int:
    """Return how many ranks of a closed unit on foot strike (B-UNI-3, B-LAN-5)."""
    return {"pike": rules.ranks_pike, "other": 1}.get(arm, rules.ranks_spear)


@cache
def _missile(dice: str) -> tuple[Part, ...]:
    return (Part(dice, False, mean(parse(dice))),)


def results(rating: Rating, missiles: Sequence[Part], rules: Rules) -> Any:
    """Return the hit dice that one attack kills, by :class:`~simkit.games.battlesystem.kinds.Blow` and steps.

    Shape (4, 41). Set spears double the whole result after its floor, and a weapon that doubles in a charge does not
    double it again (B-SET-2, B-CHG-2, B-LAN-1).
    """
    table = np.zeros((len(kinds.Blow), INDEX), np.int64)
    for steps in range(rules.crt_clamp_top + 1):
        n = rules.crt_zero_at - steps
        plain = blow(n, rating.parts, rating.ratio, rules)
        table[kinds.Blow.PLAIN, steps] = plain
        table[kinds.Blow.CHARGING, steps] = blow(n, rating.parts, rating.ratio, rules, charging=True)
        table[kinds.Blow.SET, steps] = 2 * plain
        table[kinds.Blow.MISSILE, steps] = blow(n, missiles, rating.ratio, rules) if missiles else 0
    return table


def chances_of(dice: Dice) -> list[int]:
    """Return the chances of all values of dice, from the lowest that shows, in 1/2^30."""
    shown = dict(faces(dice))
    return [round(shown.get(value, 0) * CERTAIN) for value in range(min(shown), max(shown) + 1)]


def way(lane: Lane) -> dict[str, Any]:
    """Return a lane as one side meets it: stretches of ground, and hurdles in the order in which they are passed."""
    stretches = [{"begin": one.start, "kind": ground_of(one.kind)} for one in lane.segments]
    places = sorted({one.start for one in lane.segments} | {point.at for point in lane.points})
    hurdles = [{"at": place, "kind": hurdle_of(one)} for place in places for one in lane.features(place)]
    return {"grounds": len(stretches), "stretches": stretches, "count": len(hurdles), "hurdles": hurdles}


def ground_of(name: str) -> int:
    """Return the number of a kind of ground."""
    return int(kinds.Ground[name.upper()])


def hurdle_of(name: str) -> int:
    """Return the number of an obstacle or a rise."""
    return int(kinds.Step[name.upper()])
