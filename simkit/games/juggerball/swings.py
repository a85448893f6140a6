"""Which other values the rulings of a match may well have.

Switches have their other named values; what is stated here are the numbers. The dice of rolls to hit have no
alternative, as a table of other numbers would have to go with them (J-ATK-2).
"""

from simkit.games.jugger.swings import NUMBERS as BATTLES
from simkit.games.juggerball.assumptions import relevant
from simkit.games.juggerball.rules import Rules
from simkit.games.juggerball.scenario import Scenario
from simkit.games.readings import Numbers, Step, Swing, readings

PINNED = ("ball_headings", "no_stop", "replace", "after_goal")
"""The rulings that the report of every match shows (J-BALL-27)."""

NUMBERS: Numbers = {
    **BATTLES,
    "spine_at_most": Step(1),
    "bounce_limit": (16,),
    "stuck_turns": (5, 20),
    "legs_per_team": (1,),
}


def swings(scenario: Scenario, rules: Rules) -> list[Swing]:
    """List alternatives to the rulings that a match rests on.

    Examples
    --------
    >>> [swing.value for swing in swings(Scenario(), Rules()) if swing.path == "replace"]
    ['conceder', 'none']
    """
    return readings(rules, relevant(scenario, rules), NUMBERS, PINNED)
