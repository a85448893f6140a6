"""Which rulings and base-game assumptions a match rests on.

A field of the rule set is listed when changing it alone could change an outcome. The conditions look at the pieces on
the table, at the players and at other fields, never at chances: a field may be listed for something that hardly ever
comes about, but none that matters is left out.
"""

from collections.abc import Callable

from simkit.games.pigtable.kinds import Thing
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Scenario, ground_of
from simkit.games.protocol import rule_fields


class Play:
    """A match or route under a rule set, asked what can happen in it."""

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        self.scenario, self.rules = scenario, rules
        pieces = ground_of(scenario, rules).pieces
        self.things = {piece.thing for piece in pieces}
        self.bogs = {piece.bog for piece in pieces if piece.bog}
        self.hills = any(piece.levels for piece in pieces) or Thing.LEVEL in self.things
        self.match = scenario.route is None
        self.policies = set(scenario.policies) if self.match else set()

    def lies(self, *things: Thing) -> bool:
        """Tell whether one of these is on the table."""
        return bool(self.things & set(things))

    @property
    def fences(self) -> bool:
        """Something can be crossed."""
        return self.lies(Thing.FENCE, Thing.HEDGE)

    @property
    def collisions(self) -> bool:
        """A collision can happen: after a descent, or under the pig."""
        return self.hills or (self.match and self.rules.pig_meets == "tramples")

    @property
    def hurt(self) -> bool:
        """Somebody can be wounded: at the pig anybody can."""
        return self.match

    @property
    def broken(self) -> bool:
        """A unicycle can be damaged."""
        damaged = not self.match and self.scenario.route is not None and self.scenario.route.damage > 0
        return damaged or (self.collisions and self.rules.unicycle_damage)

    @property
    def leaves(self) -> bool:
        """A lancer can leave the table."""
        deadly = self.lies(Thing.RAMP) or (self.lies(Thing.CHASM) and self.hills)
        return self.match and (deadly or self.rules.wounds_to_retire > 0 or self.broken)


NEVER: Callable[[Play], bool] = lambda _: False  # noqa: E731
CONDITIONS: dict[str, Callable[[Play], bool]] = {
    "free_facing": NEVER,
    "uphill_reroll": lambda p: p.hills,
    "downhill_lasts": lambda p: p.hills,
    "neighbour_policy": lambda p: p.hills,
    "steered_lancer_rolls": lambda p: p.hills,
    "pig_bonus": lambda p: p.hills,
    "steered_hit_bonus": lambda p: p.hills,
    "failed_stop": lambda p: p.hills,
    "bog_edge_reroll": lambda p: bool(p.bogs),
    "crooked_bog_entry": lambda p: p.hills and bool(p.bogs),
    "downhill_cross": lambda p: p.hills and p.fences,
    "failed_chasm_turn": lambda p: p.hills and p.lies(Thing.CHASM, Thing.RAMP),
    "ramp_downhill": lambda p: p.hills and p.lies(Thing.RAMP),
    "damage_ends_turn": lambda p: p.hills and p.rules.unicycle_damage,
    "wound_effect": lambda p: p.hurt,
    "damage_modifier": lambda p: p.broken,
    "wreck_at": lambda p: p.broken,
    "avoid_within": lambda p: p.hills or "straight" in p.policies,
    "edge": lambda p: p.hills,
    "max_legs": lambda p: True,
    "lost_turns": lambda p: p.hurt,
    "wounds_to_retire": lambda p: p.hurt,
    "substitute": lambda p: p.leaves,
    "pig_dice": lambda p: p.match,
    "pig_crosses": lambda p: p.match and (p.fences or p.lies(Thing.RAMP)),
    "pig_meets": lambda p: p.match,
    "initiative": lambda p: p.match,
    "rumps_to_win": lambda p: p.match,
    "downhill_rumps": lambda p: p.match and p.hills,
    "last_side_wins": lambda p: p.leaves,
    "max_rounds": lambda p: p.match,
    "router_legs": lambda p: bool(p.policies & {"router", "cautious"}),
    "harm": lambda p: "router" in p.policies,
    "cautious_harm": lambda p: "cautious" in p.policies,
}
"""When a ruling or assumed value matters; one that is not listed always may."""


def relevant(scenario: Scenario, rules: Rules) -> list[str]:
    """List the rulings (Q) and base-game assumptions (B) that can influence a scenario.

    Parameters
    ----------
    scenario
        A legal match or route.
    rules
        The rule set it is played under.

    Returns
    -------
    list of str
        Dotted paths of fields of `rules`, in the order of the rule set.

    Examples
    --------
    >>> found = relevant(Scenario.model_validate({"scenario": {"table": "paddock"}}), Rules())
    >>> "hit_target" in found, "pig_bonus" in found, "bogs.rocks" in found
    (True, False, False)
    """
    play = Play(scenario, rules)
    return [
        row.path
        for row in rule_fields(rules)
        if row.source in "QB"
        and (
            row.path.partition(".")[2] in play.bogs
            if row.path.startswith("bogs.")
            else row.path not in CONDITIONS or CONDITIONS[row.path](play)
        )
    ]
