"""From a course and a rule set to the plain numbers of a Setup."""

from collections.abc import Iterator
from typing import Any

from simkit.core.dicetable import dice_table
from simkit.games.pigtickler.course import UNLIMITED, Course, Scenario, Step, expand
from simkit.games.pigtickler.records import (
    Ahead,
    DownhillCross,
    FailedStop,
    Kind,
    NeighbourPolicy,
    Purpose,
    Setup,
)
from simkit.games.pigtickler.rules import Rules

KINDS = {
    "down": Kind.DOWN,
    "level": Kind.LEVEL,
    "turn": Kind.TURN,
    "enter": Kind.ENTER,
    "bend": Kind.BEND,
    "leave": Kind.LEAVE,
    "obstacle": Kind.OBSTACLE,
    "lancer": Kind.LANCER,
    "beside": Kind.BESIDE,
    "cross": Kind.CROSS,
    "ramp": Kind.RAMP,
    "chasm": Kind.CHASM,
    "stop": Kind.STOP,
    "pig": Kind.PIG,
}

NOT_ALWAYS_ROLLED = ("down", "pig", "stop", "cross")
"""Tasks that ask for no manoeuvre roll, or not always (P-DN-1, P-DN-5, P-DN-7, P-LIN-4)."""

BOG_ROLLS = ("enter", "bend", "leave")
"""Entering a bog, turning in it and leaving it take the bog's own modifier (P-BOG-1)."""

REDIRECTIONS = ("turn", "bend", "obstacle", "lancer", "beside", "chasm")
"""Tasks that change direction: each needs a roll and ends the straight leg (P-MAN-3, P-MAN-5, P-CRS-2)."""

DICE = {
    Purpose.MANOEUVRE: "dice",
    Purpose.FENCE: "fence_dice",
    Purpose.COLLISION: "collision_dice",
    Purpose.OTHER: "collision_dice",
    Purpose.HIT: "hit_dice",
}
"""Which field of the rules holds the dice of a purpose."""

NO_LIMIT = 2**40
"""Turns of a course without a limit: more than any trial can use."""


def compile(scenario: Scenario, rules: Rules) -> Setup:
    """Return the Setup of a legal course under a rule set."""
    course = scenario.course
    tasks = [task for step in course.steps for task in _tasks(step, course, rules)]
    return Setup.pack(
        {
            "length": len(tasks),
            "turns": NO_LIMIT if course.turns == UNLIMITED else course.turns,
            "rules": _numbers(rules),
            "dice": [dice_table(rules.rolled(DICE[purpose])) for purpose in Purpose],
            "tasks": tasks,
        }
    )


def _tasks(step: Step, course: Course, rules: Rules) -> Iterator[dict[str, int]]:
    ahead = step.ahead or course.ahead
    for name in expand(step):
        yield {
            "kind": int(KINDS[name]),
            "asks_manoeuvre": name not in NOT_ALWAYS_ROLLED,
            "in_bog": name in BOG_ROLLS,
            "redirects": name in REDIRECTIONS,
            "levels": step.down or 0,
            "modifier": rules.bogs[step.bog] if step.bog else 0,
            "ahead": int(Ahead.BOG if ahead in rules.bogs else Ahead[ahead.upper()]),
            "ahead_modifier": rules.bogs.get(ahead, 0),
        }


def _numbers(rules: Rules) -> dict[str, Any]:
    return {
        "target": rules.target,
        "free_facing": rules.free_facing,
        "uphill_reroll": rules.uphill_reroll,
        "downhill_modifier": rules.downhill_modifier,
        "downhill_whole_turn": rules.downhill_lasts == "turn",
        "neighbour_policy": int(NeighbourPolicy[rules.neighbour_policy.upper()]),
        "steered_lancer_rolls": rules.steered_lancer_rolls,
        "pig_any_descent": rules.pig_bonus == "any_descent",
        "downhill_hit_bonus": rules.downhill_hit_bonus,
        "steered_hit_bonus": rules.steered_hit_bonus,
        "failed_stop": int(FailedStop[rules.failed_stop.upper()]),
        "bog_edge_reroll": rules.bog_edge_reroll,
        "downhill_bog_modifier": rules.downhill_bog_modifier,
        "crooked_bog_minus": rules.crooked_bog_entry == "minus",
        "downhill_cross": int(DownhillCross[rules.downhill_cross.upper()]),
        "chasm_turn_kills": rules.failed_chasm_turn == "killed",
        "ramp_downhill": rules.ramp_downhill,
        "collision_both": rules.collision_both,
        "collision_wound": rules.collision_wound,
        "collision_damage": rules.collision_damage,
        "collision_nothing": rules.collision_nothing,
        "unicycle_damage": rules.unicycle_damage,
        "damage_ends_turn": rules.damage_ends_turn,
        "hit_target": rules.hit_target,
        "hit_fumble": rules.hit_fumble,
        "wound_costs_turn": rules.wound_effect == "lose_next_turn",
        "damage_modifier": rules.damage_modifier,
        "wreck_at": rules.wreck_at,
    }
