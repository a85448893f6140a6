"""Tables of the Jugger twin: the rules of record as plain values, the numbers of events and of dice, and the dice."""

from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from simkit.core.dice import parse, pmf, thresholds
from simkit.core.rng import Key, draw, stream


class Weapon(NamedTuple):
    """A line of the weapon tables (J-WPN-1)."""

    range: int
    to_hit: int
    damage: str
    arc: str  # all, forward, side
    special: str  # none, grab, spikes, boarders, fire, cauldron, scythe, topple, crew


WEAPONS = {
    "catapult": Weapon(10, 2, "2d6", "all", "none"),
    "ballista": Weapon(5, 4, "1d6", "all", "none"),
    "jaws": Weapon(1, 3, "2d6", "forward", "grab"),
    "wheel_spikes": Weapon(1, 4, "1d6", "side", "spikes"),
    "battering_ram": Weapon(1, 4, "2d6", "forward", "none"),
    "claw_arm": Weapon(1, 3, "1d6", "all", "grab"),
    "saw_arm": Weapon(1, 4, "1d6", "all", "none"),
    "flail": Weapon(1, 2, "3d6", "all", "none"),
    "mace_arm": Weapon(1, 3, "2d6", "all", "none"),
    "shield_arm": Weapon(1, 3, "1d6", "all", "none"),
    "trebuchet": Weapon(15, 1, "3d6", "all", "none"),
    "boarders": Weapon(1, 1, "0", "all", "boarders"),
    "fire_pump": Weapon(1, 3, "1", "all", "fire"),
    "cauldron": Weapon(1, 4, "1d6", "all", "cauldron"),
    "scythe": Weapon(1, 3, "1d6", "forward", "scythe"),
    "lever": Weapon(1, 1, "0", "forward", "topple"),
    "mirror": Weapon(10, 4, "1", "all", "fire"),
    "demon_eye": Weapon(5, 1, "0", "forward", "crew"),
    "acid_spitter": Weapon(10, 3, "1", "forward", "fire"),
    "tongue": Weapon(2, 3, "1d6", "forward", "none"),
    "slingshot": Weapon(10, 3, "1d6", "all", "none"),
    "fang": Weapon(1, 1, "0", "forward", "crew"),
}
EQUIPMENT = (
    "gears", "brakes", "steering", "armor", "reinforced_ram", "legs", "sails", "winch", "wizard", "deflector",
    "catcher",
)  # fmt: skip
KINDS = (*EQUIPMENT, *WEAPONS)
"""Kinds of items; their places are the kinds that LOSE speaks of."""

ABILITIES = (
    "speed", "cornering", "balance", "tactics", "artillerist", "meleer", "evasion", "damage_control", "mechanic",
    "luck",
)  # fmt: skip
"""What a captain can do, in the order of the D10 (J-CAP-1)."""

SPELLS = ("fireball", "bolt", "shield", "haste", "restoration", "fate")
"""Spells in the order of the D6 (J-WIZ-1)."""

DEFAULTS: dict[str, Any] = {
    # board and arcs
    "map_edge": "wall", "forward_cone_deg": 60, "line_of_sight": False,
    # a jug
    "hits_per_size": 20, "oversize": "multiply", "printed_hits": False, "base_acceleration": 1, "base_deceleration": 1,
    "base_turn_rate": 1, "turn_in_place": True, "gears_acceleration": 1, "brakes_deceleration": 1, "steering_turns": 1,
    "armor_hits": 20, "ram_bonus": 1, "sails_acceleration": 1, "sails_deceleration": 1, "legs_deceleration": 1,
    "legs_turns": 1, "legs_top_velocity": 5, "kick_dice": "1d10", "kick_adds_size": True, "kick_to_hit": 6,
    "shield_arm_hits": 10,
    # the turn
    "initiative": "side", "initiative_dice": "1d10", "tactics_bonus": 1, "strategic_roll": False, "deploy_dice": "1d10",
    # attacks and damage
    "declare": "once", "to_hit": "at_most", "to_hit_dice": "1d6", "to_hit_max": 6, "critical_every": 20,
    "critical_counts": "taken", "critical_dice": "1d6", "critical_attacker": 1, "critical_defender": 2,
    "wizard_is_piece": True, "wreckage": True,
    # terrain and collisions
    "forest_loss": 1, "rubble_loss": 1, "house_loss": 1, "wreckage_loss": 1, "collision_dice": "1d6",
    "collision_sc": "own", "wall_hits": "10d10", "walls_targetable": False,
    # rams
    "ram_dice": "1d6", "ram_owner": "all_but_legs", "damage_velocity_cap": 1000, "bounce_dice": "1d3",
    "drive_through_loss": 1, "push_collides": False, "side_kill_drives_through": False,
    # grabs
    "break_dice": "1d6", "break_at_most": 3, "break_roll": "jug", "grab_damage": "end", "grab_stops": True,
    "drag_top_velocity": 2,
    # fires, ropes, other weapons
    "weapons": WEAPONS, "fire_turns_dice": "1d6", "fire_stacks": False, "cauldron_reroll": False, "cauldron_every": 3,
    "rope_dice": "1d6", "rope_topples_at_most": 1, "rope_holds_at_most": 3, "boarders_lost_from": 4,
    "scythe_cuts_from": 6,
    # captains
    "captains": "none", "speed_acceleration": 1, "cornering_turns": 1, "balance_deceleration": 1, "balance_dice": "1d6",
    "balance_at_most": 3, "artillerist_bonus": 1, "meleer_bonus": 1, "missile_from": 2, "evasion": "after_hit",
    "evasion_dice": "1d6", "evasion_at_most": 2, "control_dice": "1d6", "control_at_most": 3, "control_divides": 2,
    "repair_dice": "1d3",
    # wizards
    "spells_per_turn": 1, "spell_count_dice": "2d6", "fireball_range": 5, "fireball_to_hit": 5,
    "fireball_damage": "3d6", "bolt_range": 10, "bolt_to_hit": 4, "bolt_damage": "2d6", "haste_gain": 1,
    "haste_turns_dice": "1d3", "haste_stacks": False, "restoration_dice": "3d10",
    # battles
    "rout_below": 0,
}  # fmt: skip


def rules_of(**changes: Any) -> Any:
    """Return the rules of record with changes, as an object with the names of DEFAULTS."""
    unknown = sorted(set(changes) - set(DEFAULTS))
    if unknown:
        raise ValueError(f"unknown rules {unknown}; allowed: {sorted(DEFAULTS)}")
    return SimpleNamespace(**{**DEFAULTS, **changes})


KICK, FIREBALL, BOLT = 40, 41, 42
"""Numbers of attacks that are no weapons."""

# Events: their place in the list is their number.
(
    TURN, INITIATIVE, SEGMENT, BREAK, LET_GO, CAST_HASTE, CAST_RESTORE, MOVE, TURN_TO, ENTER,
    STOP, COLLIDE, WALL_DOWN, EXIT, DECLARE, TO_HIT, REROLL, BOARDERS_LOST, DODGE, DAMAGE,
    FIRE, ROPE, SHIELD, TOPPLE, BALANCE, CONTROL, CUT, CREW, CAPTURE, GRAB,
    FREED, ROPE_ENDS, HURT, OUT, CRITICAL, LOSE, RAM, RAM_BACK, PUSH, BOUNCE,
    FOLLOW, DRIVE_THROUGH, BURN, SQUEEZE, PUT_OUT, REPAIR, OVER, DEPLOY, SPELL_COUNT, SPELL,
    CAPTAIN, MOVE_TO, WALL_HITS, NEW_SIDE,
) = range(54)  # fmt: skip
EVENTS = (
    "TURN", "INITIATIVE", "SEGMENT", "BREAK", "LET_GO", "CAST_HASTE", "CAST_RESTORE", "MOVE", "TURN_TO", "ENTER",
    "STOP", "COLLIDE", "WALL_DOWN", "EXIT", "DECLARE", "TO_HIT", "REROLL", "BOARDERS_LOST", "DODGE", "DAMAGE",
    "FIRE", "ROPE", "SHIELD", "TOPPLE", "BALANCE", "CONTROL", "CUT", "CREW", "CAPTURE", "GRAB",
    "FREED", "ROPE_ENDS", "HURT", "OUT", "CRITICAL", "LOSE", "RAM", "RAM_BACK", "PUSH", "BOUNCE",
    "FOLLOW", "DRIVE_THROUGH", "BURN", "SQUEEZE", "PUT_OUT", "REPAIR", "OVER", "DEPLOY", "SPELLS", "SPELL",
    "CAPTAIN", "MOVE_TO", "WALL_HITS", "NEW_SIDE",
)  # fmt: skip
"""Names of the events, to be read."""

NAMES = dict(enumerate(EVENTS))
"""Names of the events by number; a game that is built upon this one adds its own."""

DESTROYED, TOPPLED, CUT_IN_HALF, CREW_KILLED, CAPTURED, LEFT, ROUT, OBJECTIVE, TURN_CAP = range(1, 10)
"""Causes: how a jug went out (the first six), or why the battle ended."""

PURPOSES = (
    "initiative", "deploy", "break", "to_hit", "damage", "fire_turns", "rope", "rope_later", "balance", "evade",
    "control", "critical", "repair", "wall", "spell_count", "spell", "haste", "restore", "ram", "ram_back",
    "bounce", "collision", "hold", "fire_damage", "choice", "captain",
)  # fmt: skip
"""Why dice are thrown; the place of a purpose is its number."""


@cache
def _thresholds(expression: str) -> tuple[int, tuple[int, ...]]:
    return thresholds(parse(expression))


@cache
def faces(expression: str) -> dict[int, Fraction]:
    """Return the exact chances of dice."""
    return pmf(parse(expression))


def mean(values: Iterable[tuple[int, Fraction]]) -> Fraction:
    """Return the mean of values with chances."""
    return sum((value * chance for value, chance in values), Fraction(0))


def read(expression: str, bits: int) -> int:
    """Read dice by inverse CDF: the lowest value plus the number of thresholds at most `bits`."""
    lowest, bounds = _thresholds(expression)
    return lowest + bisect_right(bounds, bits)


class Dice:
    """The dice of one trial, by address."""

    purposes: tuple[str, ...] = PURPOSES

    def __init__(self, key: Key, trial: int) -> None:
        self.stream = np.uint64(stream(key.stream, trial))
        self.tweak = key.tweak

    def bits(self, purpose: str, time: int, seat: int, i: int) -> int:
        """Return the 64 bits at an address."""
        return int(draw(self.stream, self.tweak, time, seat, self.purposes.index(purpose), i))

    def roll(self, expression: str, purpose: str, time: int, seat: int, i: int) -> int:
        """Return what the dice show at an address."""
        return read(expression, self.bits(purpose, time, seat, i))
