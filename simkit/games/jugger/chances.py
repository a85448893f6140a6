"""Chances of single rolls under a rule set, in fractions: what exact solutions are made of.

The rules are asked for every face that the dice can show; they are the functions that the kernels are compiled from.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

from simkit.core.dice import parse
from simkit.core.dicetable import faces
from simkit.games.jugger.compile import Aboard
from simkit.games.jugger.damage import chooser
from simkit.games.jugger.designs import Design
from simkit.games.jugger.happenings import KICK
from simkit.games.jugger.records import DiceRow, PieceKind, Special
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.weapons import is_hit, needed

F = TypeVar("F", bound=Callable[..., Any])
Rolls = tuple[tuple[int, Fraction], ...]
"""What dice can show, and how likely each is."""


def plain(rule: F) -> F:
    """Return a rule as the Python function that it was written as: quicker to call once than to compile."""
    return cast(F, getattr(rule, "py_func", rule))


class Gun(NamedTuple):
    """An attack of a jug: a weapon, or the kick of its legs."""

    item: int
    """Place in the list of weapons, or ``KICK``."""
    piece: int
    winch: int
    """Piece that is its winch, or -1."""
    to_hit: int
    rolls: Rolls
    """Its dice of damage."""
    times: int
    plus: int
    special: int
    points: int
    """Hits a turn of a fire; 0 for all others."""
    missile: bool

    def damage(self, shown: int) -> int:
        """Return the damage of a roll (J-SC-2)."""
        return shown * self.times + self.plus

    @property
    def is_weapon(self) -> bool:
        """Tell whether captains help it (J-CAP-2)."""
        return self.item < KICK


class HitRoll(NamedTuple):
    """What a roll to hit can come to."""

    hits: bool
    boarders_lost: bool
    chance: Fraction


class Chances:
    """The chances of single rolls under one rule set."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._hit_rolls: dict[tuple[Gun, int], list[HitRoll]] = {}

    def rolls(self, field: str) -> Rolls:
        """Return what the dice of a field of the rules can show."""
        return tuple(faces(self.rules.rolled(field)))

    def at_most(self, field: str, number: int) -> Fraction:
        """Return the chance to roll a number or less."""
        return sum((chance for shown, chance in self.rolls(field) if shown <= number), Fraction(0))

    @cached_property
    def dodge(self) -> Fraction:
        """Chance that evasion works (J-CAP-1)."""
        return self.at_most("evasion_dice", self.rules.evasion_at_most)

    @cached_property
    def balance(self) -> Fraction:
        """Chance that balance keeps a jug from toppling (J-CAP-1)."""
        return self.at_most("balance_dice", self.rules.balance_at_most)

    @cached_property
    def control(self) -> Fraction:
        """Chance that damage control works (J-CAP-1)."""
        return self.at_most("control_dice", self.rules.control_at_most)

    @cached_property
    def freed(self) -> Fraction:
        """Chance of a roll to break free (J-WPN-2)."""
        return self.at_most("break_dice", self.rules.break_at_most)

    @cached_property
    def rope(self) -> tuple[Fraction, Fraction, Fraction]:
        """Chances that a rope topples, holds, snaps (J-WPN-9)."""
        topples = self.at_most("rope_dice", self.rules.rope_topples_at_most)
        holds = self.at_most("rope_dice", max(self.rules.rope_topples_at_most, self.rules.rope_holds_at_most)) - topples
        return topples, holds, 1 - topples - holds

    @cached_property
    def fire_turns(self) -> Rolls:
        """How long a fire burns (J-WPN-3)."""
        return self.rolls("fire_turns_dice")

    @cached_property
    def critical(self) -> tuple[Fraction, Fraction]:
        """Chances that a critical roll costs a piece of the attacker's, of the defender's choice (J-DMG-2)."""
        who = plain(chooser)
        found = [Fraction(0)] * 3
        for shown, chance in self.rolls("critical_dice"):
            found[who(shown, self.rules.critical_attacker, self.rules.critical_defender)] += chance
        return found[1], found[2]

    def first(self, bonus: int, other: int) -> Fraction:
        """Return the chance of the higher initiative with bonuses, ties rolled again (J-INI-1 to J-INI-3)."""
        rolls = self.rolls("initiative_dice")
        higher = lower = Fraction(0)
        for shown, chance in rolls:
            for against, likely in rolls:
                higher += chance * likely * int(shown + bonus > against + other)
                lower += chance * likely * int(shown + bonus < against + other)
        return higher / (higher + lower)

    def hit_rolls(self, gun: Gun, bonus: int) -> list[HitRoll]:
        """Return what the roll to hit of an attack comes to (J-ATK-2, J-CAP-5, J-WPN-16)."""
        if (gun, bonus) not in self._hit_rolls:
            rules, found = self.rules, dict[tuple[bool, bool], Fraction]()
            at_least = rules.to_hit == "at_least" and gun.is_weapon
            number = plain(needed)(gun.to_hit, bonus, rules.to_hit_max, at_least)
            for shown, chance in self.rolls("to_hit_dice"):
                lost = gun.special == Special.BOARDERS and shown >= rules.boarders_lost_from
                key = plain(is_hit)(shown, number, at_least), lost
                found[key] = found.get(key, Fraction(0)) + chance
            self._hit_rolls[gun, bonus] = [HitRoll(*key, chance) for key, chance in found.items()]
        return self._hit_rolls[gun, bonus]

    def fires(self, gun: Gun) -> Iterator[tuple[int, int, Fraction]]:
        """Yield points a turn, turns and chance of the fire that a hit lights (J-WPN-3, J-WPN-4)."""
        points: Rolls = ((gun.points, Fraction(1)),)
        if gun.special == Special.CAULDRON:
            points = tuple((gun.damage(shown), chance) for shown, chance in gun.rolls)
            if self.rules.cauldron_reroll:  # it is rolled when it burns
                points = ((gun.times, Fraction(1)),)
        for each, likely in points:
            for turns, chance in self.fire_turns:
                yield each, turns, likely * chance

    def guns(self, design: Design) -> list[Gun]:
        """Return the weapons of a design in list order, and its kick (J-WPN-1, J-EQ-3, J-SC-2)."""
        aboard = Aboard(self.rules)
        jug = aboard.jug(design)
        found = [
            Gun(
                item=item,
                piece=weapon["piece"],
                winch=weapon["winch"],
                to_hit=weapon["to_hit"],
                rolls=tuple(faces(parse(aboard.dice[weapon["dice"] - DiceRow.FIRST_WEAPON]))),
                times=weapon["times"],
                plus=0,
                special=weapon["special"],
                points=weapon["points"],
                missile=weapon["missile"],
            )
            for item, weapon in enumerate(jug["weapons"])
        ]
        for piece, about in enumerate(jug["pieces"]):
            if about["kind"] == PieceKind.LEGS:
                plus = design.size if self.rules.kick_adds_size else 0
                rolls, special = self.rolls("kick_dice"), int(Special.NONE)
                found.append(Gun(KICK, piece, -1, self.rules.kick_to_hit, rolls, 1, plus, special, 0, False))
        return found
