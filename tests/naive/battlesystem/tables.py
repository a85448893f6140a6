"""Tables of the Battlesystem twin: the default numbers, the numbers of events, declarations and dice, and the dice."""

from bisect import bisect_right
from fractions import Fraction
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from simkit.core.dice import mean, parse, pmf, thresholds
from simkit.core.rng import Key, draw, stream

INCH = 36
"""Places and distances are whole numbers of this part of an inch."""

Event = tuple[int, int, int, int, int, int, int]
"""What, round, unit, foe, roll, value, extra; -1 stands for nothing."""

DEFAULTS: dict[str, Any] = {
    # ratings and damage
    "hd_plus": "plus4_next_die", "crt": "expected_linear", "crt_clamp_top": 20, "crt_zero_at": 28,
    "chariot_ac": 2, "chariot_move": "2/3", "chariot_full_from": 3, "chariot_damage": "sum", "carry_wounds": True,
    # bases, files and ranks
    "small_width": "1/2", "man_width": "3/4", "cavalry_width": "3/4", "large_width": "1", "chariot_width": "1",
    "spacing_open": "1/2", "spacing_skirmish": "1", "frontage": "inches", "overlap": 2, "ranks_pike": 3,
    "ranks_spear": 2,
    # movement
    "terrain_stack": "add", "charge_move": "1/2", "wall_move": "1/2", "set_move": "1/2", "reform_move": "1/2",
    "turn_move": "1/4", "road_move": "1/3", "woods_cost": "1/3", "rough_cost": "1/2", "swamp_cost": "1/2",
    "ford_cost": "1/3", "obstacle_cost": "1/3", "rise_cost": "1/3", "charge_least": "2", "walk_in": True,
    "reform": True, "turn_to_face": False,
    # declarations
    "declaration_lasts": "own_next_move", "wall_missile": 4, "wall_melee": 2, "set_doubles": True,
    "set_first_strike": "vs_charge", "first_strike_morale": "after",
    # blows
    "charge_bonus": 2, "flank_bonus": 1, "rear_bonus": 2, "ditch_penalty": 4, "attack_dice": "2d6",
    # missiles
    "short_bow": (5, 10, 15), "long_bow": (7, 14, 21), "crossbow": (6, 12, 18), "medium_penalty": 2,
    "long_penalty": 5, "missile_ranks": 2, "cover_woods": 2, "cover_obstacle": 4,
    # morale and the round
    "checks": "one_a_phase", "check_first": 25, "check_second": 50, "morale_dice": "2d10", "morale_closed": 1,
    "morale_half": 2, "morale_three_quarters": 4, "morale_rear": 2, "morale_command": 2, "morale_commander": 1,
    "initiative_dice": "1d6", "max_rounds": 30,
}  # fmt: skip
ALTERNATIVES: dict[str, tuple[str, ...]] = {
    "hd_plus": ("plus4_next_die", "drop"),
    "crt": ("expected_linear",),
    "chariot_damage": ("sum", "average"),
    "frontage": ("inches", "figures"),
    "terrain_stack": ("add", "multiply"),
    "declaration_lasts": ("own_next_move", "round_end"),
    "set_first_strike": ("vs_charge", "always", "never"),
    "first_strike_morale": ("after", "between"),
    "checks": ("one_a_phase", "each"),
}


def rules_of(**changes: Any) -> Any:
    """Return the rules of record with changes, as an object with the names of DEFAULTS; fractions from text."""
    unknown = sorted(set(changes) - set(DEFAULTS))
    if unknown:
        raise ValueError(f"unknown rules {unknown}; allowed: {sorted(DEFAULTS)}")
    rules = {**DEFAULTS, **changes}
    for name, allowed in ALTERNATIVES.items():
        if rules[name] not in allowed:
            raise ValueError(f"{name} = {rules[name]!r}; allowed: {allowed}")
    for name, value in DEFAULTS.items():
        if isinstance(value, str) and name not in ALTERNATIVES and "d" not in value:
            rules[name] = Fraction(rules[name])
    return SimpleNamespace(**rules)


# Events: their place in the list is their number.
(
    ROUND, INITIATIVE, LAPSE, DECLARE, MOVE, PAY, OPEN, CLOSE, CONTACT, SHOOT, ROLL, STRIKE, DAMAGE, LOSE, CHECK,
    ROUT, DESTROYED, BREAKTHROUGH, ADVANCE, OVER, FIRE, CHOOSE,
) = range(22)  # fmt: skip
EVENTS = (
    "ROUND", "INITIATIVE", "LAPSE", "DECLARE", "MOVE", "PAY", "OPEN", "CLOSE", "CONTACT", "SHOOT", "ROLL", "STRIKE",
    "DAMAGE", "LOSE", "CHECK", "ROUT", "DESTROYED", "BREAKTHROUGH", "ADVANCE", "OVER", "FIRE", "CHOOSE",
)  # fmt: skip
"""Names of the events, to be read."""

NONE, WALL, WALL_ROUND, SET, SET_ROUND, CHARGE, REFORM = range(7)
"""Declarations (DECLARE, LAPSE)."""

CHOICES = {0: "none", 1: "wall", 3: "set", 5: "charge", 7: "advance"}
"""What the value of CHOOSE stands for: the declaration; 7 is the undeclared move."""

STARTS = {"none": NONE, "wall": WALL, "wall_round": WALL_ROUND, "set": SET, "charge": CHARGE}
"""Declarations that may be in force at the start."""

PAYS = {"woods": 1, "rough": 2, "swamp": 3, "ford": 4, "barrier": 5, "ditch": 6, "rise": 7}
BY_GROUND, BY_OBSTACLE, BY_CHECK = 1, 2, 3
"""Causes of OPEN."""

WIN, MUTUAL, CAP = 1, 2, 3
"""Causes of OVER."""

PURPOSES = ("initiative", "missile", "melee", "morale")
"""Why dice are thrown; the place of a purpose is its number."""

WALLS, SETS = (WALL, WALL_ROUND), (SET, SET_ROUND)
STANDS = (*WALLS, *SETS)
LOOSENING = ("woods", "rough", "swamp", "water")
"""Ground on which nobody is closed (B-LAN-11)."""

POLICIES = ("hold", "advance", "charge", "set", "wall", "wall_advance", "skirmish", "best")
FORMATIONS = ("closed", "open", "skirmish", "mob")
DEPTHS = {"cavalry": Fraction(3, 2), "chariot": Fraction(2)}
"""Depths of bases that are not square (B-LAN-3)."""


@cache
def mean_of(expression: str) -> Fraction:
    """Return the exact mean of dice."""
    return Fraction(mean(parse(expression)))


@cache
def faces(expression: str) -> dict[int, Fraction]:
    """Return the exact chances of dice."""
    return pmf(parse(expression))


@cache
def _thresholds(expression: str) -> tuple[int, tuple[int, ...]]:
    return thresholds(parse(expression))


def read(expression: str, bits: int) -> int:
    """Read dice by inverse CDF: the lowest value plus the number of thresholds at most `bits`."""
    lowest, bounds = _thresholds(expression)
    return lowest + bisect_right(bounds, bits)


class Dice:
    """The dice of one trial, by address."""

    def __init__(self, key: Key, trial: int) -> None:
        self.stream = np.uint64(stream(key.stream, trial))
        self.tweak = key.tweak

    def roll(self, expression: str, purpose: str, time: int, seat: int, i: int) -> int:
        """Return what the dice show at an address."""
        return read(expression, int(draw(self.stream, self.tweak, time, seat, PURPOSES.index(purpose), i)))
