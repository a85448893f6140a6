"""Which rulings and base-game assumptions a course rests on.

A field of the rule set is listed when changing it alone could change an outcome of this course. The
conditions below look at the steps and at the other fields, never at chances: a field may be listed
for a situation that hardly ever comes about, but none that matters is left out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from simkit.games.pigtickler.compile import BOG_ROLLS, REDIRECTIONS
from simkit.games.pigtickler.course import Scenario, Step, expand
from simkit.games.pigtickler.rules import Rules

ENDS_FOR_SURE = ("stop", "pig")
"""Tasks with which a turn always ends: no descent outlasts them."""

MANOEUVRES = ("level", "turn", "obstacle", "lancer", "beside", "cross", "ramp", "chasm", "stop")
"""Tasks outside bogs that ask for a manoeuvre roll, a stop only after a descent (P-CRS-3)."""


@dataclass(frozen=True)
class Place:
    """One task of a course, with what a turn that comes to it may have behind it."""

    name: str
    step: Step
    ahead: str
    last: bool
    descended: bool
    """There may be a descent this turn."""
    bent: bool
    """There may be a descent this turn before the last change of direction: leg < L (P-CRS-2)."""
    crooked: bool
    """There may be a descent this turn, all of it before the last change of direction: leg = 0."""
    fresh: bool
    """No bog lies between the last descent and this place: the descent is not spent."""
    stays: bool
    """A failure here may leave him on the course, with or without a descent."""


class Ground:
    """A course under a rule set, asked what can happen on it."""

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        self.course = scenario.course
        self.rules = rules
        self.more_turns = self.course.turns != 1
        self.downhill = rules.downhill_modifier != 0

    @cached_property
    def places(self) -> list[Place]:
        """The tasks of the course in order."""
        tasks = [(step, name) for step in self.course.steps for name in expand(step)]
        found = []
        # `left`: since the last descent a turn may have ended, and the next one come here without it.
        descended = bent = crooked = left = False
        fresh = True
        for i, (step, name) in enumerate(tasks):
            ahead = step.ahead or self.course.ahead
            stays = self.leaves(name) or not descended or (self.more_turns and left)
            found.append(Place(name, step, ahead, i == len(tasks) - 1, descended, bent, crooked, fresh, stays))
            left |= self.leaves(name)
            if name in ENDS_FOR_SURE:
                descended = bent = crooked = False
            elif name == "down":
                descended, crooked, left, fresh = True, False, False, True
            elif name in REDIRECTIONS or name == "level":
                bent = crooked = descended
            if name in BOG_ROLLS:
                fresh = False
        return found

    def leaves(self, name: str) -> bool:
        """Tell whether a failure after a descent can end the turn and leave him on the course."""
        if name == "chasm":
            return self.rules.failed_chasm_turn == "collision"
        return name not in ("down", "turn", "ramp")

    def any(self, holds: Callable[[Place], bool]) -> bool:
        """Tell whether something holds at any place of the course."""
        return any(holds(place) for place in self.places)

    def has(self, *names: str) -> bool:
        """Tell whether the course has a task of one of these names."""
        return self.any(lambda place: place.name in names)

    def has_downhill(self, name: str) -> bool:
        """Tell whether a task of that name may come after a descent."""
        return self.any(lambda place: place.name == name and place.descended)

    def collides(self, place: Place) -> bool:
        """Tell whether a failure here can be a collision of a lancer who still rides by himself."""
        if place.name == "cross":
            return place.descended and self.rules.downhill_cross != "d6"
        if place.name == "chasm":
            return place.descended and self.rules.failed_chasm_turn == "collision"
        return place.descended and place.name in ("obstacle", "lancer", "beside")

    def runs_away(self, place: Place, *ahead: str) -> bool:
        """Tell whether he can run away here with one of these things ahead."""
        fails = place.name == "turn" or (place.name == "stop" and self.rules.failed_stop != "stops")
        return fails and place.descended and place.ahead in ahead

    def meets_pig(self, place: Place) -> bool:
        """Tell whether a lancer who runs away here comes to the pig, and is not stopped short of it."""
        by_himself = place.name == "stop" and self.rules.failed_stop == "runs_on"
        return self.runs_away(place, "pig") and (by_himself or self.rules.neighbour_policy == "straight_on")

    def rolls(self, place: Place) -> bool:
        """Tell whether a manoeuvre roll may be made here."""
        if place.name == "stop":
            return place.descended
        return place.name in BOG_ROLLS or place.name in MANOEUVRES

    @property
    def hits(self) -> bool:
        """A roll at the pig may be made."""
        return self.has("pig") or self.any(self.meets_pig)

    @property
    def damage(self) -> bool:
        """The unicycle may be damaged by a collision."""
        crash = self.any(lambda place: self.collides(place) or self.runs_away(place, "obstacle", "lancer"))
        return self.rules.unicycle_damage and crash

    @property
    def rolls_hurt(self) -> bool:
        """A manoeuvre roll may follow a collision, at the same task or later."""
        crashed = False
        for place in self.places:
            again = place.name == "cross" or not self.rules.free_facing
            if self.rolls(place) and (crashed or (again and self.collides(place))):
                return True
            crashed |= self.collides(place)
        return False


class Reason(NamedTuple):
    """When a field matters: in words, and as a test."""

    words: str
    holds: Callable[[Ground], bool]


def _bog(kind: str) -> Reason:
    return Reason(f"the course rides through {kind}", lambda g: g.any(lambda p: p.step.bog == kind))


REASONS = {
    "dice": Reason("always", lambda g: True),
    "free_facing": Reason(
        "a change of direction can fail and leave him on the course, with another turn to come",
        lambda g: g.more_turns and g.any(lambda p: p.name in REDIRECTIONS and p.stays),
    ),
    "uphill_reroll": Reason(
        "a level can be failed, with another turn to come or nothing beyond it",
        lambda g: g.any(lambda p: p.name == "level" and (g.more_turns or p.last)),
    ),
    "downhill_lasts": Reason(
        "a manoeuvre roll outside bogs may follow a descent and a change of direction or climb",
        lambda g: (
            g.downhill
            and g.any(lambda p: p.name in MANOEUVRES and p.bent and (p.name != "ramp" or g.rules.ramp_downhill))
        ),
    ),
    "neighbour_policy": Reason(
        "another player may steer him with the pig ahead",
        lambda g: g.any(
            lambda p: g.runs_away(p, "pig") and (p.name == "turn" or g.rules.failed_stop == "opponent_control")
        ),
    ),
    "steered_lancer_rolls": Reason(
        "he may run away into another lancer",
        lambda g: g.any(lambda p: g.runs_away(p, "lancer")),
    ),
    "pig_bonus": Reason(
        "a roll at the pig may follow a descent and a change of direction or climb",
        lambda g: (
            g.rules.downhill_hit_bonus != 0
            and g.any(lambda p: p.crooked and (p.name == "pig" or (g.meets_pig(p) and g.rules.steered_hit_bonus)))
        ),
    ),
    "steered_hit_bonus": Reason(
        "he may run away into the pig on a line that earns the bonus",
        lambda g: (
            g.rules.downhill_hit_bonus != 0
            and g.any(lambda p: g.meets_pig(p) and (g.rules.pig_bonus == "any_descent" or not p.crooked))
        ),
    ),
    "failed_stop": Reason("a stop may follow a descent", lambda g: g.has_downhill("stop")),
    "bogs.grass": _bog("grass"),
    "bogs.rocks": _bog("rocks"),
    "bogs.dunes": _bog("dunes"),
    "bog_edge_reroll": Reason(
        "the edge of a bog can be failed, with another turn to come or nothing beyond it",
        lambda g: g.any(lambda p: p.name in ("enter", "leave") and (g.more_turns or p.last)),
    ),
    "crooked_bog_entry": Reason(
        "the first bog after a descent may come after a change of direction or climb",
        lambda g: g.downhill and g.any(lambda p: p.name == "enter" and p.crooked and p.fresh),
    ),
    "downhill_cross": Reason("a fence or hedge may be crossed after a descent", lambda g: g.has_downhill("cross")),
    "failed_chasm_turn": Reason("a turn at a chasm may follow a descent", lambda g: g.has_downhill("chasm")),
    "ramp_downhill": Reason(
        "a ramp may follow a descent that still weighs on it",
        lambda g: (
            g.downhill
            and g.any(
                lambda p: p.name == "ramp" and p.descended and (g.rules.downhill_lasts == "turn" or not p.crooked)
            )
        ),
    ),
    "damage_ends_turn": Reason(
        "with unicycle damage, a collision can happen on the course",
        lambda g: g.rules.unicycle_damage and g.any(g.collides),
    ),
    "hit_dice": Reason("a roll at the pig may be made", lambda g: g.hits),
    "hit_target": Reason("a roll at the pig may be made", lambda g: g.hits),
    "hit_fumble": Reason("a roll at the pig may be made", lambda g: g.hits),
    "wound_effect": Reason(
        "he can be wounded on the course, with another turn to come",
        lambda g: g.more_turns and g.any(lambda p: g.collides(p) or (p.name == "pig" and not p.last)),
    ),
    "damage_modifier": Reason(
        "with unicycle damage, a manoeuvre roll may follow a collision on the course",
        lambda g: g.rules.unicycle_damage and (g.more_turns or not g.rules.damage_ends_turn) and g.rolls_hurt,
    ),
    "wreck_at": Reason("with unicycle damage, a collision can happen", lambda g: g.damage),
}
"""Every ruling and base-game assumption, and when a course rests on it."""


def relevant(scenario: Scenario, rules: Rules) -> list[str]:
    """List the rulings (Q) and base-game assumptions (B) that can influence a course.

    Parameters
    ----------
    scenario
        A legal course.
    rules
        The rule set it is played under.

    Returns
    -------
    list of str
        Dotted paths of fields of `rules`, in the order of the rule set. Changing any other Q or B field alone
        changes no outcome of the course.

    Examples
    --------
    >>> relevant(Scenario.model_validate({"course": {"steps": [{"down": 2}, {"avoid": "obstacle"}]}}), Rules())
    ['dice']
    >>> relevant(Scenario.model_validate({"course": {"steps": [{"up": 1}, {"bog": "grass"}], "turns": 3}}), Rules())
    ['dice', 'uphill_reroll', 'bogs.grass', 'bog_edge_reroll']
    """
    ground = Ground(scenario, rules)
    return [path for path, reason in REASONS.items() if reason.holds(ground)]
