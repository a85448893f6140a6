"""Which other values the rulings and assumed values of a match may well have.

Switches have their other named values; what is stated here are the numbers. Three assumptions every report shows: on
whom the pig is hit, how far it moves, and what a wound costs.
"""

from simkit.games.pigtable.assumptions import relevant
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Scenario
from simkit.games.pigtickler.swings import NUMBERS as COURSES
from simkit.games.readings import Numbers, Step, Swing, readings

PINNED = ("hit_target", "pig_dice", "wound_effect")
"""The assumptions that the report of every match shows."""

NUMBERS: Numbers = {
    **COURSES,
    "pig_dice": ("1d6", "3d6"),
    "avoid_within": (32, 128),
    "base_lancer": (24, 40),
    "base_pig": (24, 40),
    "wounds_to_retire": (2, 3),
    "rumps_to_win": Step(2),
    "downhill_rumps": (2,),
    "max_rounds": (30, 120),
    "max_legs": (4,),
    "router_legs": (1,),
    "harm": (0, 100),
    "cautious_harm": (25,),
}


def swings(scenario: Scenario, rules: Rules) -> list[Swing]:
    """List alternatives to the rulings and assumed values that a scenario rests on.

    Examples
    --------
    >>> paddock = Scenario.model_validate({"scenario": {"table": "paddock"}})
    >>> [swing.value for swing in swings(paddock, Rules()) if swing.path in ("hit_target", "pig_dice")]
    [6, 8, '1d6', '3d6']
    """
    pinned = PINNED if scenario.route is None else PINNED[:1]
    return readings(rules, relevant(scenario, rules), NUMBERS, pinned)
