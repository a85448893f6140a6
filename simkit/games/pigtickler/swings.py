"""Which other values the rulings and assumed values of a course may well have.

Switches have their other named values. What is stated here are the numbers and dice: other dice that the rulebook
names beside its own (P-MAN-2), and a step to either side of what is assumed from the base game (P-BOG-1, P-GAM-2,
P-GAM-3).
"""

from simkit.games.pigtickler.assumptions import relevant
from simkit.games.pigtickler.course import Scenario
from simkit.games.pigtickler.rules import Rules
from simkit.games.readings import Numbers, Step, Swing, readings

NUMBERS: Numbers = {
    "dice": ("1d10", "1d12"),
    "bogs.grass": Step(1),
    "bogs.rocks": Step(1),
    "bogs.dunes": Step(1),
    "hit_target": Step(1),
    "hit_fumble": Step(1),
    "damage_modifier": Step(1),
    "wreck_at": Step(1),
}


def swings(scenario: Scenario, rules: Rules) -> list[Swing]:
    """List alternatives to the rulings and assumed values that a course rests on.

    Examples
    --------
    >>> course = {"course": {"steps": [{"bog": "grass"}]}}
    >>> [(swing.path, swing.value) for swing in swings(Scenario.model_validate(course), Rules())]
    [('dice', '1d10'), ('dice', '1d12'), ('bogs.grass', -2), ('bogs.grass', 0), ('bog_edge_reroll', True)]
    """
    return readings(rules, relevant(scenario, rules), NUMBERS)
