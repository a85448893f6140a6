"""Ratings: from creatures, riders, mounts, crews and teams to the numbers of one figure (B-UNI-1 to B-CHA-2)."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.naive.battlesystem.tables import mean_of

MONSTERS = ((16, 7), (14, 8), (12, 9), (10, 10), (8, 12), (6, 13), (4, 15), (2, 16))
"""AR from so many hit dice on (B-UNI-2)."""


@dataclass(frozen=True)
class Part:
    """One part of a figure's damage: its mean, and whether a charge doubles it (B-CHG-2)."""

    mean: Fraction
    doubles: bool = False
    dice: str = ""


@dataclass(frozen=True)
class Creature:
    """A creature before it is rated."""

    ar: int
    ac: int
    hd: str
    mv: int = 0
    damage: tuple[str, ...] = ()
    doubles: bool = False
    attacks: frozenset[str] = frozenset()
    defences: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Design:
    """The rated numbers of one figure."""

    ar: int
    ac: int
    hd: Fraction
    mv: Fraction
    damage: tuple[Part, ...]
    ml: int
    ratio: int
    kind: str = "foot"
    base: str = "man"
    arm: str = "other"
    large_shields: bool = False
    bow: str = "none"
    bow_damage: Fraction = Fraction(0)
    exempt: frozenset[str] = frozenset()
    swim: Fraction | None = None
    single: bool = False
    in_command: bool = True
    commander_killed: bool = False
    attacks: frozenset[str] = frozenset()
    defences: frozenset[str] = frozenset()

    @property
    def pool(self) -> int:
        """Hit dice of one figure, rounded up (B-LAN-2)."""
        return math.ceil(self.hd * self.ratio)

    @property
    def mounted(self) -> bool:
        """Cavalry or a chariot."""
        return self.kind in ("cavalry", "chariot")


def parts(damage: Sequence[str], doubles: bool = False) -> tuple[Part, ...]:
    """Write dice as parts of damage."""
    return tuple(Part(mean_of(dice), doubles, dice) for dice in damage)


def split(hd: str) -> tuple[Fraction, int]:
    """Split printed hit dice such as 4+4, 1-1, 8+ or 1/2 into dice and pluses."""
    found = re.fullmatch(r"(½|\d+(?:/\d+)?)(?:([+-])(\d*))?", hd)
    if not found:
        raise ValueError(f"hit dice {hd!r}; allowed: such as 4, 4+1, 1-1, 1/2")
    dice = Fraction(1, 2) if found[1] == "½" else Fraction(found[1])
    plus = int(found[3] or 1) if found[2] else 0
    return dice, -plus if found[2] == "-" else plus


def dice_of(hd: str, rules: Any) -> Fraction:
    """Return the hit dice that count in pools and averages (B-LAN-2)."""
    dice, plus = split(hd)
    return dice + (plus >= 4 and rules.hd_plus == "plus4_next_die")


def printed_ratio(hd: str) -> int:
    """Creatures of a figure on foot: 10 below 4+1, 5 to 8+, 2 from 9 (B-UNI-1)."""
    dice, plus = split(hd)
    if dice >= 9:
        return 2
    return 5 if dice > 4 or (dice == 4 and plus > 0) else 10


def rated_ratio(hd: Fraction) -> int:
    """Creatures of a mounted figure, from the rated hit dice (B-LAN-2)."""
    return 2 if hd >= 9 else 5 if hd >= 5 else 10


def monster_ar(hd: str) -> int:
    """Return the AR of a monster (B-UNI-2)."""
    dice, plus = split(hd)
    counted = dice + (plus >= 4)
    for least, ar in MONSTERS:
        if counted >= least:
            return ar
    return 20 if dice < 1 or plus < 0 else 18 if plus > 0 else 19


def man_ar(level: int) -> int:
    """Return the AR of a man of a level from 0 to 8 (B-UNI-2)."""
    return (20, 20, 20, 18, 18, 16, 16, 14, 14)[level]


def rate_foot(creature: Creature, ml: int, rules: Any, **more: Any) -> Design:
    """Rate a figure on foot."""
    given: dict[str, Any] = {"ratio": printed_ratio(creature.hd), "attacks": creature.attacks}
    given |= {"defences": creature.defences, **more}
    return Design(
        creature.ar, creature.ac, dice_of(creature.hd, rules), Fraction(creature.mv),
        parts(creature.damage, creature.doubles), ml, **given,
    )  # fmt: skip


def rate_cavalry(rider: Creature, mount: Creature, ml: int, rules: Any, **more: Any) -> Design:
    """Rate a mounted figure (B-CAV-1, B-CAV-2)."""
    hd = Fraction(math.ceil((dice_of(rider.hd, rules) + dice_of(mount.hd, rules)) / 2))
    given: dict[str, Any] = {"kind": "cavalry", "base": "cavalry", "ratio": rated_ratio(hd), **more}
    return Design(
        rider.ar, max(rider.ac, mount.ac), hd, Fraction(mount.mv),
        parts(rider.damage, rider.doubles) + parts(mount.damage), ml,
        attacks=rider.attacks | mount.attacks, defences=rider.defences & mount.defences, **given,
    )  # fmt: skip


def rate_chariot(crew: Sequence[Creature], team: Sequence[Creature], ml: int, rules: Any, **more: Any) -> Design:
    """Rate a chariot (B-CHA-1, B-CHA-2; B-CAV-2 for what is special)."""
    everybody = [*crew, *team]
    crew_hd = [dice_of(creature.hd, rules) for creature in crew]
    team_hd = [dice_of(creature.hd, rules) for creature in team]
    hd = Fraction(math.ceil(sum(team_hd) / Fraction(len(team)) + sum(crew_hd) / Fraction(len(crew))))
    ar = math.floor(Fraction(sum(creature.ar for creature in everybody), len(everybody)))
    ac = math.floor(Fraction(sum(creature.ac for creature in everybody), len(everybody)) - rules.chariot_ac)
    mv = Fraction(min(creature.mv for creature in team))
    if sum(team_hd) < rules.chariot_full_from * sum(crew_hd):
        mv *= rules.chariot_move
    if rules.chariot_damage == "average":
        damage: tuple[Part, ...] = (Part(_average(crew) + _average(team)),)
    else:
        damage = sum((parts(creature.damage, creature.doubles) for creature in crew), ())
        damage = sum((parts(creature.damage) for creature in team), damage)
    given: dict[str, Any] = {"kind": "chariot", "base": "chariot", "ratio": rated_ratio(hd), **more}
    return Design(
        ar, ac, hd, mv, damage, ml,
        attacks=frozenset().union(*(creature.attacks for creature in everybody)),
        defences=everybody[0].defences.intersection(*(creature.defences for creature in everybody)), **given,
    )  # fmt: skip


def _average(creatures: Sequence[Creature]) -> Fraction:
    """Mean damage of a creature of a group (house rule averaged-chariots)."""
    return sum((mean_of(dice) for creature in creatures for dice in creature.damage), Fraction(0)) / len(creatures)
