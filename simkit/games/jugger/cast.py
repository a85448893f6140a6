"""Who fights where: names, sides, equipment and starting places, as a retelling needs them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, NamedTuple

from simkit.games.jugger.designs import captains
from simkit.games.jugger.happenings import BOLT, FIREBALL, KICK, Purpose
from simkit.games.jugger.maps import HexMap, Place
from simkit.games.jugger.records import PieceKind, Special

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ATTACKS = {KICK: "kick", FIREBALL: "fireball", BOLT: "lightning bolt"}

DICE: Mapping[int, str] = {
    Purpose.INITIATIVE: "1d10",
    Purpose.DEPLOY: "1d10",
    Purpose.FIRE_TURNS: "1d6",
    Purpose.ROPE: "1d6",
    Purpose.REPAIR: "1d3",
    Purpose.WALL: "10d10",
    Purpose.SPELL_COUNT: "2d6",
    Purpose.HASTE_TURNS: "1d3",
    Purpose.RESTORE: "3d10",
    Purpose.RAM: "1d6",
    Purpose.BOUNCE: "1d3",
    Purpose.COLLISION: "1d6",
    Purpose.CAPTAIN: "1d10",
}
"""Dice that a retelling names, under the rules of record."""

BARE_DICE: Mapping[int, str] = {KICK: "1d10", FIREBALL: "3d6", BOLT: "2d6"}
"""Damage dice of what attacks without a weapon."""


class Piece(NamedTuple):
    """One piece of equipment that can be lost (J-DMG-7), in the order of the list."""

    title: str
    """As its design calls it: ``"claw arm"``, ``"tentacle"``, ``"gears"``."""
    kind: int = PieceKind.WEAPON
    """A :class:`~simkit.games.jugger.records.PieceKind`."""
    size: int = 1
    special: int = Special.NONE
    """Of a weapon, what it does beside damage: a :class:`~simkit.games.jugger.records.Special`."""
    dice: str = ""
    """Of a weapon, its damage dice as in ``"2d6"``."""
    winch: int = -1
    """Of a ballista, the piece that is its winch (J-WPN-6)."""
    table: str = ""
    """Of a weapon that its design calls otherwise, its name in the weapon tables (J-WPN-1)."""

    @property
    def weapon(self) -> str:
        """Return the name of a weapon in the rules, as in ``"claw_arm"``."""
        return (self.table or self.title).replace(" ", "_")


class Start(NamedTuple):
    """Where a jug starts, and how fast."""

    q: int
    r: int
    facing: int
    velocity: int = 0


@dataclass(frozen=True)
class Member:
    """One jug of the cast; its place in ``Cast.jugs`` is its slot."""

    name: str
    """No two jugs of a battle share it."""
    design: str
    side: int
    size: int
    hits: int
    start: Start
    pieces: Sequence[Piece] = ()
    abilities: Sequence[str] = ()
    """Of its captain at the start, as players call them."""
    spells: Sequence[int] = ()
    """Spells at the start, each by its number on the D6."""

    @cached_property
    def weapons(self) -> tuple[int, ...]:
        """Pieces that are weapons, by weapon number."""
        return tuple(i for i, piece in enumerate(self.pieces) if piece.kind == PieceKind.WEAPON)

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """Title of each piece, equal ones told apart as first, second and so on."""
        names = [piece.title for piece in self.pieces]
        return tuple(
            name if names.count(name) == 1 else f"{_ordinal(names[:i].count(name))} {name}"
            for i, name in enumerate(names)
        )

    def weapon(self, item: int) -> Piece | None:
        """Return the piece that is weapon `item`; None for the kick and for spells."""
        return self.pieces[self.weapons[item]] if 0 <= item < len(self.weapons) else None

    def item(self, item: int) -> str:
        """Name a weapon, the kick or a spell of this jug."""
        return self.titles[self.weapons[item]] if 0 <= item < len(self.weapons) else ATTACKS[item]


@dataclass(frozen=True)
class Cast:
    """Everything a retelling knows besides the events.

    Examples
    --------
    >>> ram = Member("Ram", "Ram", 0, 3, 60, Start(-3, 0, 0))
    >>> saw = Member("Saw", "Saw", 1, 2, 40, Start(3, 0, 3), [Piece("saw arm", size=2, dice="1d6")])
    >>> Cast([ram, saw], ("A", "B"), HexMap(half_length=3, half_rows=1)).item(1, 0)
    'saw arm'
    """

    jugs: Sequence[Member]
    sides: Sequence[str]
    """Short names of the two sides, by seat."""
    map: HexMap
    swapped: bool = False
    """Side a has seat 1."""
    dice: Mapping[int, str] = field(default_factory=lambda: DICE)
    """By their :class:`~simkit.games.jugger.happenings.Purpose`."""
    bare_dice: Mapping[int, str] = field(default_factory=lambda: BARE_DICE)
    """Damage dice of kick, fireball and lightning bolt."""
    ram_bonus: int = 1
    """What each reinforced ram adds (J-EQ-1)."""
    at_least: bool = False
    """An attack hits on its number or more, instead of on its number or less (J-ATK-2)."""
    fires_stack: bool = False
    """A weapon can light several fires on one jug (J-WPN-3)."""
    multiplies: bool = True
    """Oversize weapons multiply their damage, instead of throwing more dice (J-SC-2)."""
    cauldron_reroll: bool = False
    """The damage of a cauldron is rolled anew every turn (J-WPN-4)."""
    cauldron_every: int = 3
    """A cauldron used in turn t is ready again in turn t plus this (J-WPN-15)."""
    grab_stops: bool = True
    """Both jugs stop at a grab, instead of the bigger one dragging the other on (J-WPN-13)."""
    drag_top_velocity: int = 2
    """Velocity of a jug that drags another, at most (J-WPN-13)."""
    drive_through_loss: int = 1
    """Velocity that the survivor of a head-on ram loses (J-RAM-10)."""
    strategic_roll: bool = False
    """The side that rolls higher for deployment moves first in turn 1 (J-DEP-3)."""
    follower: Callable[["Cast"], Any] | None = None
    """Follows the events of a game that is more than a battle; None: a :class:`~simkit.games.jugger.track.Tracker`."""
    teller: Callable[[Any], Any] | None = None
    """Tells them; None: a :class:`~simkit.games.jugger.narrate.Teller`."""
    placing: tuple[int, ...] = ()
    """Events that put a jug elsewhere, and not by a way."""
    stepping: tuple[int, ...] = ()
    """Events that are steps of their own for whoever watches, beside those of a battle."""
    scoring: int = -1
    """Event that is a goal: jug, foe and place are who scored, for which side, and where the ball was."""
    touching: tuple[int, ...] = ()
    """Events in which a jug touches the ball."""

    @cached_property
    def walls(self) -> tuple[Place, ...]:
        """Hexes of the stone walls, by their numbers."""
        return self.map.places("wall")

    def mark(self, side: int) -> int:
        """Return 0 for the seat of side a, 1 for that of side b: whatever the seats, a side looks the same."""
        return 1 - side if self.swapped else side

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """Short signs of the jugs: A and B, or A1, A2 and so on on a side of several."""
        letters = ["AB"[self.mark(jug.side)] for jug in self.jugs]
        return tuple(
            letter if letters.count(letter) == 1 else f"{letter}{letters[:i].count(letter) + 1}"
            for i, letter in enumerate(letters)
        )

    def name(self, slot: int) -> str:
        """Name a jug."""
        return self.jugs[slot].name

    def bare_name(self, slot: int) -> str:
        """Name a jug beside its code: without the code, where its name begins with it."""
        name, code = self.jugs[slot].name, self.codes[slot]
        return "" if name == code else name.removeprefix(f"{code} ")

    def item(self, slot: int, item: int) -> str:
        """Name an attack of a jug."""
        return self.jugs[slot].item(item)

    def burning(self, slot: int, item: int) -> str:
        """Name what a weapon sets its target on: acid does not burn."""
        weapon = self.jugs[slot].weapon(item)
        return "acid" if weapon and weapon.weapon == "acid_spitter" else "fire"


@cache
def captain_titles() -> tuple[str, ...]:
    """Return what captains are called, in the order of their die (J-CAP-1)."""
    return tuple(ability["title"].lower() for ability in captains()["abilities"].values())


def told_apart(titles: Sequence[str], sides: Sequence[str]) -> list[str]:
    """Name jugs after their designs so that no two share a name.

    Parameters
    ----------
    titles
        Title of each jug's design.
    sides
        Short name of each jug's side, used where a title is met on more than one side.

    Examples
    --------
    >>> told_apart(["Archer", "Archer", "Gorger", "Gorger"], ["A", "A", "A", "B"])
    ['Archer 1', 'Archer 2', 'Gorger A', 'Gorger B']
    """
    pairs = list(zip(titles, sides, strict=True))
    names = []
    for i, (title, side) in enumerate(pairs):
        shared = len({other for name, other in pairs if name == title}) > 1
        number = pairs[:i].count((title, side)) + 1
        numbered = pairs.count((title, side)) > 1
        names.append(f"{title}{f' {side}' if shared else ''}{f' {number}' if numbered else ''}")
    return names


def _ordinal(n: int) -> str:
    return ORDINALS[n] if n < len(ORDINALS) else f"{n + 1}th"
