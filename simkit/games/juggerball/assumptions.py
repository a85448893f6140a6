"""Which rulings a match rests on.

A field of the rule set is listed when changing it alone could change an outcome of this match. The conditions look at
what jugs may have, at the field, at the policies and at other fields, never at chances: a field may be listed for
something that hardly ever comes about, but none that matters is left out.
"""

from collections.abc import Callable
from functools import cached_property

from simkit.games.jugger.aliases import STANDARD
from simkit.games.jugger.designs import IMPROVEMENTS, Design, hits
from simkit.games.juggerball.roster import field_of, roster
from simkit.games.juggerball.rules import Rules
from simkit.games.juggerball.scenario import SIDES, Scenario
from simkit.games.protocol import rule_fields


class Contest:
    """A match under a rule set, asked what can happen in it."""

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        self.scenario, self.rules, self.field = scenario, rules, field_of(scenario)

    @cached_property
    def designs(self) -> list[Design]:
        """The designs that are named."""
        return [design for side in SIDES for design in roster(self.scenario, side) if design is not None]

    @cached_property
    def rolled(self) -> bool:
        """A jug is rolled on the improvement table, now or after a goal."""
        teams = [roster(self.scenario, side) for side in SIDES]
        mirrored = self.scenario.sides.b.team == "mirror"
        return None in teams[0] or (None in teams[1] and not mirrored) or self.rules.fresh == "rolled"

    @cached_property
    def kinds(self) -> set[str]:
        """Everything that may be aboard a jug."""
        found = {item.kind for design in self.designs for item in design.items}
        return found | ({*IMPROVEMENTS, *STANDARD} if self.rolled else set())

    @property
    def policies(self) -> set[str]:
        """Who decides."""
        return {self.scenario.policy_of(side) for side in SIDES}

    @property
    def moves(self) -> bool:
        """Somebody moves."""
        return self.policies != {"hold"}

    def has(self, *kinds: str) -> bool:
        """Tell whether one of these may be aboard."""
        return bool(self.kinds & set(kinds))

    def commands(self, *abilities: str) -> bool:
        """Tell whether a captain with one of these abilities may be aboard."""
        return self.rules.captains == "random" or any(set(design.abilities) & set(abilities) for design in self.designs)

    @property
    def printed(self) -> bool:
        """A design is printed with other hits than its list gives."""
        both = [self.rules.model_copy(update={"printed_hits": flag}) for flag in (False, True)]
        return any(len({hits(design, rules) for rules in both}) > 1 for design in self.designs)

    def lies(self, name: str) -> bool:
        """Tell whether some terrain is on the field, by its list."""
        return bool(getattr(self.field, name))


NEVER: Callable[[Contest], bool] = lambda _: False  # noqa: E731
STILL: dict[str, Callable[[Contest], bool]] = {
    "wizard_spaces": lambda c: c.has("wizard"),
    "wizard_is_piece": lambda c: c.has("wizard"),
    "spells_per_turn": lambda c: c.has("wizard"),
    "haste_stacks": lambda c: c.has("wizard"),
    "shield_from": lambda c: c.has("wizard"),
    "restoration_from": lambda c: c.has("wizard"),
    "printed_hits": lambda c: c.printed,
    "oversize": lambda c: any(item.size > 1 for design in c.designs for item in design.items),
    "shield_arm_hits": lambda c: c.has("shield_arm"),
    "kick_to_hit": lambda c: c.has("legs"),
    "to_hit_max": lambda c: c.commands("artillerist", "meleer"),
    "missile_from": lambda c: c.commands("artillerist", "meleer"),
    "evasion": lambda c: c.commands("evasion"),
    "captains": lambda c: True,
    "critical_counts": lambda c: c.has("wizard") or c.commands("mechanic"),
    "fire_stacks": lambda c: c.has("fire_pump", "cauldron", "mirror", "acid_spitter"),
    "cauldron_reroll": lambda c: c.has("cauldron"),
    "weapons.trebuchet.damage": lambda c: c.has("trebuchet"),
    "grab_damage": lambda c: c.has("jaws", "claw_arm"),
    "grab_stops": lambda c: c.moves and c.has("jaws", "claw_arm"),
    "break_roll": lambda c: c.has("jaws", "claw_arm"),
    "line_of_sight": lambda c: c.lies("forests") or c.lies("houses") or c.lies("walls"),
    "forest_loss": lambda c: c.lies("forests"),
    "house_loss": lambda c: c.lies("houses"),
    "rubble_loss": lambda c: c.lies("rubble") or c.lies("walls"),
    "walls_targetable": NEVER,
    "strategic_roll": NEVER,
    "rout_below": NEVER,
    "wreckage_loss": lambda c: c.rules.wreckage,
}
"""When a ruling of battles matters in a match; one that is not listed matters wherever jugs move."""

BALL: dict[str, Callable[[Contest], bool]] = {
    "right_angle": lambda c: c.rules.ball_headings == 6,
    "standing_kick": lambda c: c.has("legs"),
    "deflector": lambda c: c.has("deflector"),
    "catch": lambda c: c.has("legs", "catcher"),
    "steal": lambda c: True,
    "catcher_brakes_with_ball": lambda c: c.has("catcher"),
    "terrain_slows_ball": lambda c: True,
    "fresh": lambda c: c.rules.replace != "none",
    "illegal": lambda c: c.rolled,
    "special_limit": lambda c: c.rolled,
    "legs_per_team": lambda c: c.rolled,
    "line_up": NEVER,
    "jug_order": lambda c: True,
}
"""The same of the rulings about the ball and the match."""


def relevant(scenario: Scenario, rules: Rules) -> list[str]:
    """List the rulings (Q) that can influence a match.

    Parameters
    ----------
    scenario
        A legal match.
    rules
        The rule set it is played under.

    Returns
    -------
    list of str
        Dotted paths of fields of `rules`, in the order of the rule set. Where nobody moves the ball never does, and
        only rulings about attacks are listed.

    Examples
    --------
    >>> found = relevant(Scenario(), Rules())
    >>> "ball_headings" in found, "wizard_spaces" in found, "line_up" in found
    (True, False, False)
    """
    contest = Contest(scenario, rules)
    conditions = STILL | BALL
    return [
        row.path
        for row in rule_fields(rules)
        if row.source == "Q" and (conditions[row.path](contest) if row.path in conditions else contest.moves)
    ]
