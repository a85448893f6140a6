"""Which other values the rulings of a battle may well have.

Switches have their other named values. What is stated here are the numbers and dice; the dice of rolls to hit have no
alternative, as a table of other numbers would have to go with them (J-ATK-2).
"""

from simkit.games.jugger.assumptions import relevant
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import Scenario
from simkit.games.readings import Numbers, Step, Swing, readings

NUMBERS: Numbers = {
    "wizard_spaces": Step(1),
    "kick_to_hit": (3, 5),  # like the close weapons, in place of a hit for sure
    "shield_arm_hits": (5, 20),  # half as much, or as much as armor
    "to_hit_max": Step(1),
    "forest_loss": (2, 3),  # the source says 1 or more
    "rubble_loss": (2, 3),
    "house_loss": (2, 3),
    "wreckage_loss": (2, 3),
    "damage_velocity_cap": (3, 5),
    "weapons.trebuchet.damage": ("1d6",),
    "missile_from": Step(1),
    "spells_per_turn": (2,),
    "shield_from": Step(5),
    "restoration_from": Step(8),
    "rout_below": (25, 50),
}


def swings(scenario: Scenario, rules: Rules) -> list[Swing]:
    """List alternatives to the rulings that a battle rests on.

    Examples
    --------
    >>> toys = {"designs": {"toy": {"size": 1, "equipment": ["ballista"]}}, "policy": "hold"}
    >>> duel = {"sides": {"a": {"design": "toy"}, "b": {"design": "toy"}}, "scenario": {"distance": 5}}
    >>> [(swing.path, swing.value) for swing in swings(Scenario.model_validate(toys | duel), Rules())]
    [('to_hit', 'at_least'), ('captains', 'random'), ('strategic_roll', True)]
    """
    return readings(rules, relevant(scenario, rules), NUMBERS)
