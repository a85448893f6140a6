"""A jug of the twin: its design, its record sheet, and what it can do now (J-SC-1 to J-DES-1, J-REC-1)."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.naive.jugger.board import Hex, distance, in_front
from tests.naive.jugger.tables import ABILITIES, KINDS, WEAPONS, Weapon


class Design(NamedTuple):
    """A design list: single items (kind, size) in their order, and the abilities of a captain, if it has one."""

    sc: int
    items: tuple[tuple[str, int], ...]
    captain: tuple[str, ...] = ()
    printed_hits: int | None = None

    def check(self) -> None:
        """Refuse what the twin cannot read."""
        for kind, size in self.items:
            if kind not in KINDS or size < 1 or (size > 1 and kind not in WEAPONS):
                raise ValueError(f"item ({kind!r}, {size}); allowed: {KINDS}, size above 1 for weapons only")
        if not set(self.captain) <= set(ABILITIES):
            raise ValueError(f"captain {self.captain}; allowed: {ABILITIES}")

    def hits(self, rules: Any) -> int:
        """Return the hits of a fresh jug (J-DES-1)."""
        if rules.printed_hits and self.printed_hits is not None:
            return self.printed_hits
        armor = sum(kind == "armor" for kind, _ in self.items)
        shields = sum(size for kind, size in self.items if kind == "shield_arm")
        return int(rules.hits_per_size * self.sc + rules.armor_hits * armor + rules.shield_arm_hits * shields)


class Grip(NamedTuple):
    """A grab or a rope: on whom, and since which turn."""

    target: "Jug"
    turn: int


@dataclass
class Fire:
    """Continuing damage: `points` a turn, or `points` times new dice if `dice` are given (J-WPN-3, J-WPN-4)."""

    firer: "Jug"
    item: int
    side: int
    points: int
    turns: int
    dice: str = ""


@dataclass
class Piece:
    """One item of the list."""

    kind: str
    size: int
    alive: bool = True


@dataclass(eq=False)
class Jug:
    """The record sheet of a jug."""

    slot: int
    seat: int
    """Its seat for dice: 12 times its first side plus its number in that side."""
    side: int
    sc: int
    full: int
    pieces: list[Piece]
    captain: tuple[str, ...]
    place: Hex
    facing: int
    velocity: int
    hits: int = 0
    taken: int = 0
    in_play: bool = True
    spells: Counter[str] = field(default_factory=Counter)
    haste: list[int] = field(default_factory=list)
    holds: dict[int, Grip] = field(default_factory=dict)
    ropes: dict[int, Grip] = field(default_factory=dict)
    fires: list[Fire] = field(default_factory=list)
    lost_boarders: set[int] = field(default_factory=set)
    ready: dict[int, int] = field(default_factory=dict)
    moved: int = 0
    turned: int = 0
    # this turn
    used: set[int] = field(default_factory=set)
    spells_cast: int = 0
    missile_bonus_used: bool = False
    close_bonus_used: bool = False
    evasion_tried: bool = False
    control_tried: bool = False
    luck_used: bool = False
    critical_rolls: int = 0
    contacts: int = 0
    choices: int = 0

    def __post_init__(self) -> None:
        self.hits = self.full
        self.weapons = [index for index, piece in enumerate(self.pieces) if piece.kind in WEAPONS]
        self.legged = any(piece.kind == "legs" for piece in self.pieces)  # ever fitted (J-DMG-4)

    def new_turn(self) -> None:
        """Make attacks, spells and tries ready again (J-END-1 part 7)."""
        self.used = set()
        self.spells_cast = 0
        self.missile_bonus_used = self.close_bonus_used = False
        self.evasion_tried = self.control_tried = self.luck_used = False
        self.critical_rolls = self.contacts = self.choices = 0

    def count(self, kind: str) -> int:
        """Count the living pieces of a kind."""
        return sum(piece.alive and piece.kind == kind for piece in self.pieces)

    def able(self, ability: str) -> bool:
        """Tell whether a living captain has an ability."""
        return ability in self.captain

    def hasty(self, rules: Any) -> int:
        """Return what haste adds now (J-WIZ-4)."""
        return int(rules.haste_gain * (len(self.haste) if rules.haste_stacks else min(1, len(self.haste))))

    def acceleration(self, rules: Any) -> int:
        """Return by how much the velocity may rise a turn."""
        gears = rules.gears_acceleration * self.count("gears") + rules.sails_acceleration * self.count("sails")
        captain = rules.speed_acceleration * self.able("speed")
        return int(rules.base_acceleration + gears + captain + self.hasty(rules))

    def deceleration(self, rules: Any) -> int:
        """Return by how much the velocity may fall a turn."""
        brakes = rules.brakes_deceleration * self.count("brakes") + rules.sails_deceleration * self.count("sails")
        legs = rules.legs_deceleration * self.count("legs") + rules.balance_deceleration * self.able("balance")
        return int(rules.base_deceleration + brakes + legs + self.hasty(rules))

    def turn_rate(self, rules: Any) -> int:
        """Return the turns of 60 degrees a turn."""
        steering = rules.steering_turns * self.count("steering") + rules.legs_turns * self.count("legs")
        captain = rules.cornering_turns * self.able("cornering")
        return int(rules.base_turn_rate + steering + captain + self.hasty(rules))

    def bonus(self, rules: Any) -> int:
        """Return what is added to the ram roll."""
        return int(rules.ram_bonus * self.count("reinforced_ram"))

    def has_ram(self, rules: Any) -> bool:
        """Tell whether it takes part in a head-on ram with a ram of its own (J-RAM-4)."""
        return not self.legged and (rules.ram_owner == "all_but_legs" or self.count("reinforced_ram") > 0)

    def weapon(self, item: int, rules: Any) -> Weapon:
        """Return the table line of a weapon."""
        line: Weapon = rules.weapons[self.pieces[self.weapons[item]].kind]
        return line

    def size(self, item: int) -> int:
        """Return the size of a weapon."""
        return self.pieces[self.weapons[item]].size

    def armed(self, item: int) -> bool:
        """Tell whether a weapon (or the legs, for a kick) still lives."""
        return self.pieces[self.weapons[item]].alive if item < len(self.weapons) else self.count("legs") > 0

    def winch(self, item: int) -> Piece | None:
        """Return the winch that serves a weapon, alive or not: the n-th winch the n-th ballista (J-WPN-9)."""
        ballistas = [i for i, index in enumerate(self.weapons) if self.pieces[index].kind == "ballista"]
        winches = [piece for piece in self.pieces if piece.kind == "winch"]
        if item not in ballistas or ballistas.index(item) >= len(winches):
            return None
        return winches[ballistas.index(item)]

    def losable(self, rules: Any) -> list[int]:
        """Return the living pieces that a critical can destroy, in list order (J-DMG-7)."""
        safe = ("armor",) if rules.wizard_is_piece else ("armor", "wizard")
        return [index for index, piece in enumerate(self.pieces) if piece.alive and piece.kind not in safe]

    def tied_to(self, other: "Jug") -> bool:
        """Tell whether a hold attaches the two jugs, whoever holds."""
        return any(hold.target is other for hold in self.holds.values()) or any(
            hold.target is self for hold in other.holds.values()
        )

    def reaches(self, other: Hex, reach: int, *, forward: bool, rules: Any) -> bool:
        """Tell whether a hex is within a range and, if asked, in the forward arc."""
        if not 1 <= distance(self.place, other) <= reach:
            return False
        return not forward or in_front(self.place, self.facing, other, rules.forward_cone_deg)
