"""From a battle and a rule set to the plain numbers of a Setup."""

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from simkit.core.dice import Dice, parse
from simkit.core.dicetable import DiceTable, dice_table, faces
from simkit.core.moments import mean
from simkit.games.jugger import maps
from simkit.games.jugger.aliases import WEAPONS
from simkit.games.jugger.deployment import field, posts
from simkit.games.jugger.designs import Design, captains, hits
from simkit.games.jugger.happenings import BOLT, FIREBALL, KICK
from simkit.games.jugger.items import Item
from simkit.games.jugger.maps import HexMap
from simkit.games.jugger.records import (
    ACROSS,
    EDGE,
    Arc,
    DiceRow,
    MapEdge,
    Numbers,
    PieceKind,
    Policy,
    Setup,
    Special,
)
from simkit.games.jugger.roster import roster
from simkit.games.jugger.rules import Rules
from simkit.games.jugger.scenario import SIDES, Scenario
from simkit.games.jugger.tuned import TUNED, WEIGHED, chosen

TWELFTHS = 12

DICE = {
    DiceRow.INITIATIVE: "initiative_dice",
    DiceRow.DEPLOY: "deploy_dice",
    DiceRow.TO_HIT: "to_hit_dice",
    DiceRow.BREAK: "break_dice",
    DiceRow.FIRE_TURNS: "fire_turns_dice",
    DiceRow.ROPE: "rope_dice",
    DiceRow.BALANCE: "balance_dice",
    DiceRow.EVADE: "evasion_dice",
    DiceRow.CONTROL: "control_dice",
    DiceRow.CRITICAL: "critical_dice",
    DiceRow.REPAIR: "repair_dice",
    DiceRow.WALL: "wall_hits",
    DiceRow.SPELL_COUNT: "spell_count_dice",
    DiceRow.HASTE_TURNS: "haste_turns_dice",
    DiceRow.RESTORE: "restoration_dice",
    DiceRow.RAM: "ram_dice",
    DiceRow.BOUNCE: "bounce_dice",
    DiceRow.COLLISION: "collision_dice",
    DiceRow.KICK: "kick_dice",
    DiceRow.FIREBALL: "fireball_damage",
    DiceRow.BOLT: "bolt_damage",
}
"""Which field of the rules holds the dice of a row."""

TABLES = {DiceRow.SPELL: "1d6", DiceRow.CAPTAIN: "1d10"}
"""Rows whose dice choose an entry of a table of the rules, and so are no numbers of theirs (J-WIZ-1, J-CAP-1)."""

PIECES = {
    "legs": PieceKind.LEGS,
    "gears": PieceKind.GEARS,
    "brakes": PieceKind.BRAKES,
    "steering": PieceKind.STEERING,
    "sails": PieceKind.SAILS,
    "reinforced_ram": PieceKind.RAM,
    "winch": PieceKind.WINCH,
    "wizard": PieceKind.WIZARD,
    "deflector": PieceKind.DEFLECTOR,
    "catcher": PieceKind.CATCHER,
}
"""Equipment beside weapons that a critical can destroy (J-DMG-7): whatever fills a space but armor."""

SAME_NAME = (
    "line_of_sight", "turn_in_place", "gears_acceleration", "sails_acceleration", "sails_deceleration",
    "brakes_deceleration", "legs_deceleration", "legs_turns", "steering_turns", "ram_bonus", "legs_top_velocity",
    "kick_to_hit", "kick_adds_size", "to_hit_max", "tactics_bonus", "critical_every", "critical_attacker",
    "critical_defender", "wreckage", "wreckage_loss", "rubble_loss", "push_collides", "side_kill_drives_through",
    "damage_velocity_cap", "drive_through_loss", "break_at_most", "grab_stops", "drag_top_velocity", "fire_stacks",
    "cauldron_every", "cauldron_reroll", "rope_topples_at_most", "rope_holds_at_most", "boarders_lost_from",
    "scythe_cuts_from", "spells_per_turn", "fireball_range", "fireball_to_hit", "bolt_range", "bolt_to_hit",
    "haste_stacks", "haste_gain", "shield_from", "restoration_from", "speed_acceleration", "cornering_turns",
    "balance_deceleration", "balance_at_most", "artillerist_bonus", "meleer_bonus", "evasion_at_most",
    "control_at_most", "control_divides", "strategic_roll",
)  # fmt: skip
"""Fields of the rules that the kernels read as they are."""


def compile(scenario: Scenario, rules: Rules) -> Setup:
    """Return the Setup of a legal battle under a rule set; equal physics gives equal bytes.

    Examples
    --------
    >>> duel = {"sides": {"a": {"design": "archer"}, "b": {"design": "thrasher"}}, "scenario": {"distance": 5}}
    >>> setup = compile(Scenario.model_validate(duel), Rules())
    >>> [int(jug.hits) for jug in setup.jugs[:2]], setup.places[0, :2].tolist()
    ([60, 120], [[-2, 0, 0, 0], [3, 0, 3, 0]])
    """
    map = field(scenario)
    rosters = [roster(scenario, side) for side in SIDES]
    aboard = Aboard(rules)
    jugs = [aboard.jug(design) for designs in rosters for design in designs]
    policies = [scenario.policy_of(side) for side in SIDES]
    setup = Setup.pack(
        {
            "count_a": len(rosters[0]),
            "count_b": len(rosters[1]),
            "rules": packed_rules(rules),
            "victory": _victory(scenario, rules, map),
            "policies": [int(Policy[(WEIGHED if policy == TUNED else policy).upper()]) for policy in policies],
            "weights": [chosen(scenario, side).values for side in SIDES],
            "half_rows": map.half_rows,
            "half_length": map.half_length,
            "wall_count": len(map.places("wall")),
            "dice": [*fixed_dice(rules), *(table(dice) for dice in aboard.dice)],
            "jugs": jugs,
            "places": [posts(scenario, map, swapped) for swapped in (False, True)],
            "walls": [(q + EDGE) * ACROSS + (r + EDGE) for q, r in map.places("wall")],
            "grid": [],
        }
    )
    losses = Losses(rules.forest_loss, rules.rubble_loss, rules.house_loss)
    setup.grid[:] = grid(map.model_dump_json(), losses)  # type: ignore[index]
    return setup


def breakable(items: Iterable[Item], rules: Rules) -> list[Item]:
    """Return the items that a critical can destroy, in order: the pieces of a jug (J-DMG-7)."""
    pieces = {*PIECES, *WEAPONS} - (set() if rules.wizard_is_piece else {"wizard"})
    return [item for item in items if item.kind in pieces]


class Aboard:
    """Turns designs into jugs; ``dice`` collects what their weapons throw."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.dice: list[str] = []

    def jug(self, design: Design) -> dict[str, Any]:
        """Return the numbers of a jug as it enters the battle."""
        rules, items = self.rules, design.items
        pieces, weapons = self.equipment(items)
        legged, wizards = design.count("legs") > 0, design.count("wizard")
        reinforced = design.count("reinforced_ram") > 0
        armed = sum(1 << k for k in range(len(weapons)))
        reaches = [weapon["reach"] for weapon in weapons]
        if legged:
            armed |= 1 << KICK
            reaches.append(1)
        if wizards:
            armed |= 1 << FIREBALL | 1 << BOLT
            reaches += [rules.fireball_range, rules.bolt_range]
        order = list(captains()["abilities"])
        return {
            "size_class": design.size,
            "hits": hits(design, rules),
            "acceleration": rules.base_acceleration,
            "deceleration": rules.base_deceleration,
            "turns": rules.base_turn_rate,
            "legged": legged,
            "rams": not legged and (rules.ram_owner == "all_but_legs" or reinforced),
            "wizard": wizards,
            "captain": sum(1 << order.index(ability) for ability in design.abilities),
            "armed": armed,
            "longest": max(reaches, default=0),
            "weapon_count": len(weapons),
            "piece_count": len(pieces),
            "weapons": weapons,
            "pieces": pieces,
        }

    def equipment(self, items: Iterable[Item]) -> tuple[list[dict[str, int]], list[dict[str, Any]]]:
        """Return the pieces in the order of the list, and the weapons among them (J-DMG-7, J-WPN-6)."""
        pieces: list[dict[str, int]] = []
        weapons: list[dict[str, Any]] = []
        winches = [piece for piece, kind in enumerate(self.kinds(items)) if kind == PieceKind.WINCH]
        for item, kind in zip(breakable(items, self.rules), self.kinds(items), strict=True):
            weapon = -1
            if kind == PieceKind.WEAPON:
                weapon = len(weapons)
                winch = winches.pop(0) if item.kind == "ballista" and winches else -1
                weapons.append(self.weapon(item, len(pieces), winch))
            pieces.append({"kind": int(kind), "weapon": weapon})
        return pieces, weapons

    def kinds(self, items: Iterable[Item]) -> list[PieceKind]:
        """Return the kinds of the items that a critical can destroy."""
        return [PIECES.get(item.kind, PieceKind.WEAPON) for item in breakable(items, self.rules)]

    def weapon(self, item: Item, piece: int, winch: int) -> dict[str, Any]:
        """Return the numbers of one weapon (J-WPN-1, J-SC-2)."""
        row = self.rules.weapons[item.kind]
        dice, times = self.rules.damage(item.kind, item.size)
        if row.special == "scythe":  # one die whatever its size (J-WPN-17)
            dice, times = parse(row.damage), item.size
        expected = mean(dice)
        if row.special == "scythe":  # what does not cut
            cut = self.rules.scythe_cuts_from
            expected = sum((shown * chance for shown, chance in faces(dice) if shown < cut), Fraction(0))
        if str(dice) not in self.dice:
            self.dice.append(str(dice))
        return {
            "kind": WEAPONS.index(item.kind),
            "piece": piece,
            "winch": winch,
            "reach": row.range,
            "to_hit": row.to_hit,
            "dice": DiceRow.FIRST_WEAPON + self.dice.index(str(dice)),
            "times": times,
            "arc": int(Arc[row.arc.upper()]),
            "special": int(Special[row.special.upper()]),
            "expected": _twelfths(expected * times),
            "points": dice.bonus * times if row.special == "fire" else 0,
            "missile": row.range >= self.rules.missile_from,
            "spaces": item.size,
        }


def _twelfths(value: Fraction) -> int:
    """Return a value in twelfths, rounded, a half upwards."""
    return math.floor(TWELFTHS * value + Fraction(1, 2))


@cache
def table(dice: str) -> DiceTable:
    """Return dice as a kernel reads them."""
    return dice_table(parse(dice))


class Losses(NamedTuple):
    """Velocity lost on entering a hex (J-TER-1)."""

    forest_loss: int
    rubble_loss: int
    house_loss: int


@cache
def grid(map: str, losses: Losses) -> Any:
    """Return the grid of a map in JSON, for all the cells of a sweep that fight on it."""
    return np.array(maps.terrain(HexMap.model_validate_json(map), losses))


def fixed_dice(rules: Rules) -> list[DiceTable]:
    """Return the dice of the rules in the order of their rows."""
    return [table(TABLES[row] if row in TABLES else str(getattr(rules, DICE[row]))) for row in sorted([*DICE, *TABLES])]


def expected(dice: Dice) -> int:
    """Return the expected value of dice in twelfths."""
    return _twelfths(mean(dice))


_known: dict[str, Any] = {}
MOST_KNOWN = 64
"""Rule sets whose numbers are kept packed: a search sets up ten thousand battles under one."""


def packed_rules(rules: Rules) -> Any:
    """Return the fields of a rule set that the kernels read."""
    mark = rules.model_dump_json()
    made = _known.get(mark)
    if made is None:
        while len(_known) >= MOST_KNOWN:
            _known.pop(next(iter(_known)), None)
        made = _known[mark] = Numbers.pack(_numbers(rules))
    return made


def _numbers(rules: Rules) -> dict[str, Any]:
    return {
        **{name: getattr(rules, name) for name in SAME_NAME},
        "map_edge": int(MapEdge[rules.map_edge.upper()]),
        "half_cone": rules.forward_cone_deg == 180,
        "to_hit_at_least": rules.to_hit == "at_least",
        "rounds_of_declarations": rules.declare == "rounds",
        "initiative_by_jug": rules.initiative == "jug",
        "critical_missing": rules.critical_counts == "missing",
        "collision_size": rules.collision_sc == "own",
        "reinforced_only": rules.ram_owner == "reinforced_only",
        "break_by_weapon": rules.break_roll == "weapon",
        "hold_attacks": rules.grab_damage == "attack",
        "evasion_declared": rules.evasion == "declared",
        "fire_turns_mean": expected(rules.rolled("fire_turns_dice")),
        "kick_mean": expected(rules.rolled("kick_dice")),
        "fireball_mean": expected(rules.rolled("fireball_damage")),
        "bolt_mean": expected(rules.rolled("bolt_damage")),
        "ram_mean": expected(rules.rolled("ram_dice")),
        "collision_mean": expected(rules.rolled("collision_dice")),
        "random_captains": rules.captains == "random",
    }


def _victory(scenario: Scenario, rules: Rules, map: HexMap) -> dict[str, int]:
    battle, victory = scenario.scenario, scenario.scenario.victory
    q, r = victory.occupy or (0, 0)
    return {
        "max_turns": battle.limit,
        "rout_below": rules.rout_below if victory.rout_below is None else victory.rout_below,
        "occupy_q": q,
        "occupy_r": r,
        "occupy_turns": 0 if victory.occupy is None else victory.turns or 1,
        "occupy_within": victory.within or 0,
        "target_a": (victory.target_a or 0) - 1,
        "target_b": (victory.target_b or 0) - 1,
        "breakthrough": victory.break_through or 0,
        "breakthrough_column": 2 * (map.half_length - (victory.far_end or 1)) + 1 if victory.break_through else 0,
        "delay_side": -1 if victory.defender is None else SIDES.index(victory.defender),
    }
