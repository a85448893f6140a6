"""What can happen in a battle: who moves, what attacks bear, who may have which captain.

Everything is looked at from the designs, the map, the starting places and the policies, never from chances: a thing
may be said to be possible that hardly ever comes about, but nothing that can happen is left out.
"""

from functools import cached_property
from typing import NamedTuple

from simkit.games.jugger.deployment import Post, field, posts
from simkit.games.jugger.designs import Design, captains
from simkit.games.jugger.items import Item
from simkit.games.jugger.roster import roster
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import SIDES, Scenario

CLOSE = 1
SIDE_ARCS = (1, 2, 4, 5)
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Neighbours of a hex by their direction, clockwise from the east (J-BALL-7)."""


class Attack(NamedTuple):
    """A weapon, kick or spell of a jug, and how far and where it reaches."""

    kind: str
    """Weapon, ``"kick"`` or ``"spell"``."""
    size: int
    reach: int
    arc: str
    special: str


class Jug(NamedTuple):
    """One jug of the battle."""

    row: int
    side: int
    design: Design
    moves: bool
    """Its side moves its jugs."""
    clever: bool
    """Its side uses luck, spells and shields by the defaults of the rules."""
    casts: bool
    """Its wizard casts spells."""
    abilities: frozenset[str]
    """Of its captain, or those he may have."""


class Fray:
    """A battle under a rule set, asked what can happen in it."""

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        self.scenario = scenario
        self.rules = rules
        self.map = field(scenario)

    @cached_property
    def jugs(self) -> list[Jug]:
        """The jugs, side a's first."""
        found: list[Jug] = []
        drawn = captains()["abilities"] if self.rules.captains == "random" else ()
        for side, name in enumerate(SIDES):
            policy = self.scenario.policy_of(name)
            moves, clever = policy != "hold", policy not in ("hold", "random")
            for design in roster(self.scenario, name):
                casts = moves and design.count("wizard") > 0
                abilities = frozenset(design.abilities or drawn)
                found.append(Jug(len(found), side, design, moves, clever, casts, abilities))
        return found

    @property
    def moves(self) -> bool:
        """Jugs move."""
        return any(jug.moves for jug in self.jugs)

    @property
    def several(self) -> bool:
        """The battle goes on when a jug is out."""
        return len(self.jugs) > len(SIDES)

    @cached_property
    def arrangements(self) -> list[list[Post]]:
        """Where the jugs begin, with the seats as they are and swapped."""
        return [posts(self.scenario, self.map, swapped) for swapped in (False, True)]

    def all_attacks(self, jug: Jug) -> list[Attack]:
        """List the attacks of a jug."""
        found = [self._weapon(item) for item in jug.design.weapons]
        if jug.design.count("legs"):
            found.append(Attack("kick", 1, CLOSE, "forward", "none"))
        if jug.casts:
            reach = max(self.rules.fireball_range, self.rules.bolt_range)
            found.append(Attack("spell", 1, reach, "all", "none"))
        return found

    def _weapon(self, item: Item) -> Attack:
        row = self.rules.weapons[item.kind]
        return Attack(item.kind, item.size, row.range, row.arc, row.special)

    @cached_property
    def attacks(self) -> list[tuple[Jug, Attack]]:
        """Attacks that may ever bear on somebody, with their jugs; all of them where jugs move."""
        return [
            (jug, attack)
            for jug in self.jugs
            for attack in self.all_attacks(jug)
            if self.moves or self._bears(jug, attack, self.rules.forward_cone_deg)
        ]

    def _bears(self, jug: Jug, attack: Attack, cone: int) -> bool:
        """Tell whether an attack bears on a target from where the battle begins."""
        return any(
            reaches(attack, places[jug.row], places[other.row], cone)
            for places in self.arrangements
            for other in self._targets(jug, attack)
        )

    def _targets(self, jug: Jug, attack: Attack) -> list[Jug]:
        """List the jugs that an attack may be aimed at: enemies; where jugs may be captured, and by spikes, all."""
        anybody = attack.special == "spikes" or self.carries("boarders")
        return [other for other in self.jugs if other.row != jug.row and (anybody or other.side != jug.side)]

    @property
    def cone_matters(self) -> bool:
        """An attack ahead may bear, or not, by how wide the forward arc is, or a player may aim by it."""
        if any(jug.clever for jug in self.jugs):
            return True
        ahead = [(jug, one) for jug in self.jugs for one in self.all_attacks(jug) if one.arc == "forward"]
        if self.moves:
            return bool(ahead)
        for places in self.arrangements:
            for jug, attack in ahead:
                for other in self._targets(jug, attack):
                    here, there = places[jug.row], places[other.row]
                    if reaches(attack, here, there, 60) != reaches(attack, here, there, 180):
                        return True
        return False

    def uses(self, *specials: str) -> bool:
        """Tell whether a weapon with one of these effects may ever be used."""
        return any(attack.special in specials for _, attack in self.attacks)

    def carries(self, kind: str) -> bool:
        """Tell whether an item is aboard any jug."""
        return any(jug.design.count(kind) for jug in self.jugs)

    def has(self, *abilities: str) -> bool:
        """Tell whether a captain with one of these abilities may take part."""
        return any(jug.abilities & set(abilities) for jug in self.jugs)

    @property
    def chosen(self) -> bool:
        """An attack may be made by a side that does not simply use all that bears."""
        return any(jug.moves for jug, _ in self.attacks)

    @property
    def rams(self) -> bool:
        """A jug may ram another (J-RAM-7: one without legs, on a side that moves)."""
        captured = self.moves and self.uses("boarders")
        return any((jug.moves or captured) and not jug.design.count("legs") for jug in self.jugs)

    @property
    def meets_rams(self) -> bool:
        """A jug that may ram can come upon another without legs, head-on."""
        return self.rams and sum(not jug.design.count("legs") for jug in self.jugs) > 1

    @property
    def decided(self) -> bool:
        """The battle may be decided: somebody moves or attacks."""
        return self.moves or bool(self.attacks)

    def lies(self, *kinds: str) -> bool:
        """Tell whether one of these kinds of terrain is on the map."""
        return bool(set(kinds) & set(self.map.kinds().values()))


def reaches(attack: Attack, here: Post, there: Post, cone: int) -> bool:
    """Tell whether an attack reaches from one post to another (J-ATK-3, J-MAP-1, J-MAP-3).

    Examples
    --------
    >>> jaws = Attack("jaws", 1, 1, "forward", "grab")
    >>> [reaches(jaws, Post(0, 0, facing, 0), Post(1, 0, 3, 0), 60) for facing in (0, 1, 5)]
    [True, False, False]
    """
    q, r = there.q - here.q, there.r - here.r
    away = max(abs(q), abs(r), abs(q + r))
    if away > attack.reach:
        return False
    for _ in range(here.facing):  # as one sees it who faces east: a sixth of a turn anticlockwise for each
        q, r = q + r, -q
    if attack.arc == "forward":
        return 2 * q + r >= 0 if cone == 180 else r <= q and -2 * r <= q
    if attack.arc == "side":
        return (q, r) in [STEPS[arc] for arc in SIDE_ARCS]
    return True
