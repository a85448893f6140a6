"""Who fights where: names, sides, ratings and the lane, as a retelling needs them."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from simkit.core.dice import mean, parse
from simkit.games.battlesystem.kinds import Declaration, Formation
from simkit.games.battlesystem.lane import Lane, Segment
from simkit.games.battlesystem.ratings import Part, Rating, rate
from simkit.games.battlesystem.roster import Post, roster, title
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import SIDES, Contact, Scenario, SideName
from simkit.games.battlesystem.tables import GRID
from simkit.games.battlesystem.units import Design

SEATS = 12
"""Seats of a side: a unit's seat is 12 x side + its place in the side's list."""

LOOSENING = ("woods", "rough", "swamp", "water")
"""Ground on which nobody is closed (B-LAN-11)."""

STANDS = (Declaration.WALL, Declaration.WALL_ROUND, Declaration.SET, Declaration.SET_ROUND)
"""Declarations that need closed ranks."""


@dataclass(frozen=True)
class Member:
    """One unit of the cast, as it enters the battle."""

    name: str
    """No two units of a battle share it: ``"Pikemen (A)"``."""
    title: str
    seat: int
    side: int
    slot: int
    reserve: bool
    figures: int
    files: int
    formation: Formation
    policy: str
    declared: Declaration
    design: Design
    rating: Rating
    missile: Part | None
    """What its missiles do damage with."""
    ranges: Sequence[int]
    """Short, medium and long range in inches; empty for whoever does not shoot."""
    ranks: int
    """Ranks that strike while it is closed (B-LAN-5)."""

    @property
    def mounted(self) -> bool:
        """Cavalry or a chariot."""
        return self.design.kind_of_figure != "foot"

    @property
    def way(self) -> int:
        """Where it goes: 1 away from side a's start, -1 towards it."""
        return -1 if self.side else 1


@dataclass(frozen=True)
class Cast:
    """Everything a retelling knows besides the events."""

    members: Sequence[Member]
    """By seat."""
    sides: tuple[str, str]
    """What the sides are called."""
    lane: Lane
    fronts: tuple[int, int]
    """Where the fronts begin, in 36ths of an inch from side a's start."""
    contact: tuple[Contact, Contact]
    """Where side a strikes side b, and side b side a."""
    in_contact: bool
    rules: Rules = field(default_factory=Rules)
    max_rounds: int = 30

    @cached_property
    def index(self) -> dict[int, int]:
        """Place in `members` by seat."""
        return {member.seat: i for i, member in enumerate(self.members)}

    def member(self, seat: int) -> Member:
        """Return the unit of a seat."""
        return self.members[self.index[seat]]

    def name(self, seat: int) -> str:
        """Return what the unit of a seat is called."""
        return self.member(seat).name

    def stands(self, place: int, side: int) -> Segment:
        """Return the ground behind a front of a side: where it stands (B-LAN-8)."""
        return self.lane.ahead(place) if side else self.lane.behind(place)

    def ahead(self, place: int, side: int) -> Segment:
        """Return the ground before a front of a side."""
        return self.lane.behind(place) if side else self.lane.ahead(place)

    def rises(self, place: int, side: int) -> int:
        """Return how many times ten feet, or part of them, a side goes up at a place (B-LAN-8)."""
        return -(-max(0, self.ahead(place, side).height - self.stands(place, side).height) // 10)


def cast(scenario: Scenario, rules: Rules) -> Cast:
    """Return who fights where in a battle.

    Examples
    --------
    >>> fight = {"sides": {"a": {"design": "pikemen"}, "b": {"units": [{"design": "orcs"}, {"design": "orcs"}]}}}
    >>> [member.name for member in cast(Scenario.model_validate(fight), Rules()).members]
    ['Pikemen (A)', 'Orcs 1 (B)', 'Orcs 2 (B)']
    """
    battle = scenario.scenario
    labels = {name: scenario.side(name).title or name.upper() for name in SIDES}
    return Cast(
        members=[member for name in SIDES for member in _members(scenario, rules, name, labels[name])],
        sides=(labels["a"], labels["b"]),
        lane=battle.ground,
        fronts=battle.fronts,
        contact=(battle.contact, battle.contact_b),
        in_contact=battle.in_contact,
        rules=rules,
        max_rounds=battle.max_rounds or rules.max_rounds,
    )


def _members(scenario: Scenario, rules: Rules, side: SideName, label: str) -> list[Member]:
    posts = roster(scenario, side)
    titles = [title(scenario, post.unit) for post in posts]
    totals, told, found = Counter(titles), Counter[str](), []
    for i, (post, called) in enumerate(zip(posts, titles, strict=True)):
        told[called] += 1
        number = f" {told[called]}" if totals[called] > 1 else ""
        found.append(_member(scenario, rules, side, i, post, called, f"{called}{number} ({label})"))
    return found


def _member(
    scenario: Scenario, rules: Rules, side: SideName, i: int, post: Post, called: str, name: str
) -> Member:  # fmt: skip
    battle, design, number = scenario.scenario, post.design, SIDES.index(side)
    formation = Formation[post.unit.formation.upper()]
    lane, front = battle.ground, battle.fronts[number]
    ground = lane.ahead(front) if number else lane.behind(front)
    if formation == Formation.CLOSED and ground.kind in LOOSENING:
        formation = Formation.OPEN
    declared = Declaration[(battle.start.b if number else battle.start.a).upper()]
    broken = declared in STANDS and formation != Formation.CLOSED
    if post.reserve or broken or (declared == Declaration.CHARGE and not battle.in_contact):
        declared = Declaration.NONE
    missile = design.bow_damage and Part(design.bow_damage, False, mean(parse(design.bow_damage)))
    return Member(
        name=name,
        title=called,
        seat=SEATS * number + i,
        side=number,
        slot=post.slot,
        reserve=post.reserve,
        figures=post.unit.figures,
        files=min(post.unit.abreast, post.unit.figures),
        formation=formation,
        policy=post.policy,
        declared=declared,
        design=design,
        rating=rate(design, rules),
        missile=missile or None,
        ranges=() if design.bow == "none" else tuple(rules.ranges(design.bow)),
        ranks={"pike": rules.ranks_pike, "other": 1}.get(design.arm, rules.ranks_spear),
    )


def allowance(member: Member, part: Fraction) -> int:
    """Return how far a unit may go with a part of its normal move, in 36ths of an inch, rounded down (B-LAN-9)."""
    return max(0, math.floor(member.rating.move * part * GRID))
