"""Which other values the rulings and assumed values of a fight may well have.

Switches have their other named values. What is stated here are the numbers, shares of a move, bases, ranges and dice:
a step to either side of what the rules of record assume. Results that could be pasted are not known, so the table of
results is no alternative to the straight line (B-MEL-1).
"""

from simkit.games.battlesystem.assumptions import relevant
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario
from simkit.games.readings import Numbers, Step, Swing, readings

PINNED = ("declaration_lasts", "walk_in", "set_first_strike", "frontage", "checks", "chariot_width")
"""The rulings that weigh most, and the width of a chariot: in the report of every fight (B-SET-4)."""

NUMBERS: Numbers = {
    # bases, and room between files
    "chariot_width": ("3/4", "3/2"),
    "cavalry_depth": ("1", "2"),
    "chariot_depth": ("3/2", "5/2"),
    "spacing_open": ("1/4", "3/4"),
    "spacing_skirmish": ("3/4", "3/2"),
    # blows
    "crt_zero_at": Step(1),
    "crt_clamp_top": Step(1),
    "flank_bonus": Step(1),
    "rear_bonus": Step(1),
    # charges and moves
    "charge_move": ("1/4", "3/4"),
    "charge_least": Step(1),
    "turn_move": ("1/6", "1/2"),
    "reform_move": ("1/4", "3/4"),
    "ford_cost": ("1/6", "1/2"),
    # missiles: ranges about a sixth shorter or longer
    "short_bow": ([4, 8, 12], [6, 12, 18]),
    "long_bow": ([6, 12, 18], [8, 16, 24]),
    "crossbow": ([5, 10, 15], [7, 14, 21]),
    "cover_woods": Step(1),
    "cover_obstacle": Step(2),
    # rounds and morale
    "initiative_dice": ("1d10",),
    "morale_dice": ("1d20",),
    "max_rounds": (15, 60),
}


def swings(scenario: Scenario, rules: Rules) -> list[Swing]:
    """List alternatives to the rulings and assumed values that a fight rests on, and to those of every report.

    Examples
    --------
    >>> fight = {"sides": {"a": {"design": "orcs"}, "b": {"design": "orcs"}}, "scenario": {"in_contact": True}}
    >>> found = swings(Scenario.model_validate(fight), Rules())
    >>> [swing.value for swing in found if swing.path in ("checks", "crt_zero_at")]
    ['each', 27, 29]
    """
    found = readings(rules, relevant(scenario, rules), NUMBERS, PINNED)
    return [swing for swing in found if (swing.path, swing.value) != ("crt", "table")]
