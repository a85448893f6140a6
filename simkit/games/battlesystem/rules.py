"""Every number and every ruling of Battlesystem, section 11, once.

Each field carries a sentence, the id of its rule and its source: R is stated by the rules, Q is a ruling, B comes from
the base game. Where nothing public was found a B says that it is assumed. A house rule changes values here and nothing
else. Bonuses are written as positive numbers; AR and AC are better the lower they are.
"""

from fractions import Fraction
from typing import Literal

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from simkit.core.dice import Dice, parse
from simkit.games.battlesystem.rule_types import (
    MOST_STEPS,
    BowRanges,
    Cost,
    DiceText,
    Gain,
    Gap,
    ResultTable,
    TieText,
    Width,
    canonical,
)
from simkit.games.protocol import RuleSet, number

__all__ = ["EDITION", "Rules"]

EDITION = "Battlesystem 1985, section 11, first reading"
MODIFIER = {"ge": 0, "le": 40}
"""Limits of what is added to AR, AC or morale, or taken from it."""


class Rules(RuleSet):
    """The Battlesystem rules of section 11 as values."""

    # Ratings
    hd_plus: Literal["plus4_next_die", "drop"] = number(
        "plus4_next_die", "Pluses to hit dice in averages and pools: +1 to +3 dropped, +4 a die more; or all dropped.",
        id="B-LAN-2", source="Q",
    )  # fmt: skip
    chariot_ac: int = number(
        2, "Bonus to the mean AC of crew and team that a chariot gives.", id="B-CHA-1", source="R", **MODIFIER
    )
    chariot_move: Gain = number("2/3", "Share of the MV of its team that a chariot moves.", id="B-CHA-1", source="R")
    chariot_full_from: int = number(
        3, "A chariot moves the whole MV of a team with so many times the hit dice of its crew.",
        id="B-CHA-1", source="R", ge=0, le=100,
    )  # fmt: skip
    chariot_damage: Literal["sum", "average"] = number(
        "sum", "Damage of a chariot: that of all, or the mean of the team and the mean of the crew, looked up once.",
        id="B-CHA-1", source="R",
    )  # fmt: skip
    small_width: Width = number("1/2", "Width of the base of a small figure in inches.", id="B-LAN-3", source="B")
    man_width: Width = number("3/4", "Width of the base of a man-sized figure in inches.", id="B-LAN-3", source="B")
    cavalry_width: Width = number("3/4", "Width of the base of a cavalry figure in inches.", id="B-LAN-3", source="B")
    large_width: Width = number("1", "Width of the base of a large figure in inches.", id="B-LAN-3", source="B")
    chariot_width: Width = number("1", "Width of the base of a chariot in inches (assumed).", id="B-LAN-3", source="B")
    cavalry_depth: Width = number(
        "3/2", "Depth of the base of a cavalry figure in inches (assumed).", id="B-LAN-3", source="B"
    )
    chariot_depth: Width = number("2", "Depth of the base of a chariot in inches (assumed).", id="B-LAN-3", source="B")
    spacing_open: Gap = number(
        "1/2", "Room between the files of an open unit in inches (assumed).", id="B-LAN-3", source="B"
    )
    spacing_skirmish: Gap = number(
        "1", "Room between the files of a unit of skirmishers in inches (assumed).", id="B-LAN-3", source="B"
    )

    # Who strikes
    frontage: Literal["inches", "figures"] = number(
        "inches", "Figures in contact: by the length of the enemy's front in inches, or as many as it has figures.",
        id="B-LAN-5", source="Q",
    )  # fmt: skip
    overlap: int = number(
        2, "Most figures of a closed unit that strike beyond the enemy's front, both ends together.",
        id="B-UNI-3", source="B", ge=0, le=20,
    )  # fmt: skip
    ranks_pike: int = number(3, "Ranks of closed pikes that strike.", id="B-UNI-3", source="B", ge=1, le=10)
    ranks_spear: int = number(
        2, "Ranks of closed spears, pole arms and halberds that strike.", id="B-UNI-3", source="B", ge=1, le=10
    )
    turn_to_face: bool = number(
        False, "A unit struck on its flank or rear turns to face the enemy after the first exchange.",
        id="B-LAN-6", source="Q",
    )  # fmt: skip

    # Blows
    attack_dice: DiceText = number("2d6", "Dice of an attack, in melee and with missiles.", id="B-MEL-1", source="B")
    crt: Literal["expected_linear", "table"] = number(
        "expected_linear", "How hit dice killed are found: on a straight line through three known values (assumed), or "
        "in crt_table.",
        id="B-MEL-1", source="B",
    )  # fmt: skip
    crt_zero_at: int = number(
        28, "Index with the dice at which an attack kills nothing (assumed); below it each point is a step.",
        id="B-MEL-1", source="B", ge=0, le=100,
    )  # fmt: skip
    crt_clamp_top: int = number(
        20, "Most steps that count (assumed): of 20 an attack kills its full mean damage in hit dice of 4.5.",
        id="B-MEL-1", source="B", ge=1, le=MOST_STEPS,
    )  # fmt: skip
    crt_table: ResultTable = number(
        {}, "Hit dice that an attack of a figure of ten kills, by its damage dice, from the most steps down to none.",
        id="B-MEL-1", source="B",
    )  # fmt: skip
    flank_bonus: int = number(1, "Bonus to AR of an attack on a flank (assumed).", id="B-MEL-4", source="B", **MODIFIER)
    rear_bonus: int = number(2, "Bonus to AR of an attack on the rear (assumed).", id="B-MEL-4", source="B", **MODIFIER)
    ditch_penalty: int = number(
        4, "Penalty to AR in melee out of a ditch, ford or swamp against a unit at its edge.",
        id="B-TER-10", source="R", **MODIFIER,
    )  # fmt: skip
    carry_wounds: bool = number(
        True, "Hit dice that do not kill a whole figure are kept as a wound beyond the phase (assumed).",
        id="B-MEL-2", source="B",
    )  # fmt: skip

    # Charges
    charge_bonus: int = number(2, "Bonus to AR of charging cavalry and chariots.", id="B-CHG-1", source="R", **MODIFIER)
    charge_move: Gain = number(
        "1/2", "Share of its normal move that a charge adds (assumed).", id="B-CHG-3", source="B"
    )
    charge_least: int = number(
        2, "Least distance between the fronts for a charge in inches (assumed).", id="B-CHG-3", source="B", ge=0, le=100
    )
    walk_in: bool = number(True, "An ordinary move may end in contact, without a charge.", id="B-LAN-17", source="Q")

    # Missiles
    short_bow: BowRanges = number(
        [5, 10, 15], "Short, medium and long range of a short bow in inches (assumed).", id="B-LAN-18", source="B"
    )
    long_bow: BowRanges = number(
        [7, 14, 21], "Short, medium and long range of a long bow in inches (assumed).", id="B-LAN-18", source="B"
    )
    crossbow: BowRanges = number(
        [6, 12, 18], "Short, medium and long range of a crossbow in inches (assumed).", id="B-LAN-18", source="B"
    )
    medium_penalty: int = number(2, "Penalty to AR of missiles at medium range.", id="B-MIS-1", source="B", **MODIFIER)
    long_penalty: int = number(5, "Penalty to AR of missiles at long range.", id="B-MIS-1", source="B", **MODIFIER)
    missile_ranks: int = number(2, "Ranks of a unit that shoot.", id="B-MIS-1", source="B", ge=1, le=10)
    cover_woods: int = number(
        2, "Penalty to AR of missiles at a unit at the edge of woods (assumed).", id="B-MIS-2", source="B", **MODIFIER
    )
    cover_obstacle: int = number(
        4, "Penalty to AR of missiles at a unit behind an obstacle that it has not passed (assumed).",
        id="B-MIS-2", source="B", **MODIFIER,
    )  # fmt: skip

    # Shield walls and set spears
    wall_missile: int = number(
        4, "Bonus to AC of a shield wall against normal missiles.", id="B-SHW-2", source="R", **MODIFIER
    )
    wall_melee: int = number(2, "Bonus to AC of a shield wall against melee.", id="B-SHW-2", source="R", **MODIFIER)
    wall_move: Cost = number(
        "1/2", "Share of its normal move that a shield wall to the front costs a unit.", id="B-SHW-4", source="R"
    )
    set_move: Cost = number(
        "1/2", "Share of its normal move that setting spears or pikes costs a unit.", id="B-SET-1", source="R"
    )
    set_doubles: bool = number(
        True, "Set spears and pikes do double damage to a unit that charges them.", id="B-SET-2", source="R"
    )
    set_first_strike: Literal["vs_charge", "always", "never"] = number(
        "vs_charge", "Whose losses are removed before he strikes at set spears: a charger's, everybody's, or nobody's.",
        id="B-SET-4", source="Q",
    )  # fmt: skip
    first_strike_morale: Literal["after", "between"] = number(
        "after", "Whether a charger that lost figures to a first strike checks its morale after or before its blows.",
        id="B-LAN-21", source="Q",
    )  # fmt: skip
    declaration_lasts: Literal["own_next_move", "round_end"] = number(
        "own_next_move",
        "How long walls and set spears last: to the unit's next own movement phase or the round's end.",
        id="B-SHW-5", source="Q",
    )  # fmt: skip

    # Movement and terrain
    terrain_stack: Literal["add", "multiply"] = number(
        "add", "What changes a move: shares of the normal move are added up, or each is taken from what is left.",
        id="B-LAN-9", source="Q",
    )  # fmt: skip
    turn_move: Cost = number(
        "1/4", "Share of its normal move that a turn by 90 degrees costs (assumed).", id="B-LAN-9", source="B"
    )
    reform_move: Cost = number(
        "1/2", "Share of its normal move that closing up again costs (assumed).", id="B-LAN-9", source="B"
    )
    reform: bool = number(
        True, "A unit that was opened by ground or by a failed check closes up again where it can.",
        id="B-LAN-11", source="Q",
    )  # fmt: skip
    road_move: Gain = number("1/3", "Share of its normal move that a move along a road adds.", id="B-TER-2", source="R")
    woods_cost: Cost = number("1/3", "Share of its normal move that woods cost.", id="B-TER-3", source="R")
    obstacle_cost: Cost = number("1/3", "Share of its normal move that each obstacle costs.", id="B-TER-4", source="R")
    rise_cost: Cost = number(
        "1/3", "Share of its normal move that each 10 feet up, or part of them, cost.", id="B-TER-5", source="R"
    )
    rough_cost: Cost = number("1/2", "Share of its normal move that rough ground costs.", id="B-TER-6", source="R")
    swamp_cost: Cost = number("1/2", "Share of its normal move that a swamp costs.", id="B-TER-7", source="R")
    ford_cost: Cost = number("1/3", "Share of its normal move that a ford costs (assumed).", id="B-LAN-9", source="B")

    # Rounds and morale
    initiative_dice: TieText = number(
        "1d6", "Dice of initiative; ties are rolled again, the higher is first in every phase (assumed).",
        id="B-RND-1", source="B",
    )  # fmt: skip
    morale_dice: DiceText = number(
        "2d10", "Dice of a morale check; it is passed by rolling the unit's morale or less (assumed).",
        id="B-MOR-1", source="B",
    )  # fmt: skip
    check_first: int = number(
        25, "First share of its figures, in per cent, whose loss makes a unit check.",
        id="B-MOR-1", source="B", ge=1, le=100,
    )  # fmt: skip
    check_second: int = number(
        50, "Second share of its figures, in per cent, whose loss makes a unit check, as every loss beyond it does.",
        id="B-MOR-1", source="B", ge=1, le=100,
    )  # fmt: skip
    checks: Literal["one_a_phase", "each"] = number(
        "one_a_phase", "A unit makes one check a phase, or one for every share and every figure that calls for it.",
        id="B-LAN-23", source="Q",
    )  # fmt: skip
    morale_closed: int = number(1, "Added to the morale of a closed unit.", id="B-MOR-1", source="B", **MODIFIER)
    morale_half: int = number(
        2, "Taken from the morale of a unit that has lost half of its figures.", id="B-MOR-1", source="B", **MODIFIER
    )
    morale_three_quarters: int = number(
        4, "Taken from the morale of a unit that has lost three quarters of its figures, in place of morale_half.",
        id="B-MOR-1", source="B", **MODIFIER,
    )  # fmt: skip
    morale_rear: int = number(
        2, "Taken from the morale of a unit that is attacked in the rear.", id="B-MOR-1", source="B", **MODIFIER
    )
    morale_command: int = number(
        2, "Taken from the morale of a unit that is out of command.", id="B-MOR-1", source="B", **MODIFIER
    )
    morale_commander: int = number(
        1, "Taken from the morale of a unit whose commander was killed.", id="B-MOR-1", source="B", **MODIFIER
    )
    morale_failed_charge: int = number(
        3, "Taken from the morale of an open unit whose charge failed; none fails on a lane, so it does nothing.",
        id="B-MOR-1", source="B", **MODIFIER,
    )  # fmt: skip
    max_rounds: int = number(
        30, "Rounds after which a fight is broken off, where the scenario sets none.",
        id="B-MOR-2", source="Q", ge=1, le=1000,
    )  # fmt: skip

    @model_validator(mode="after")
    def _fits(self) -> "Rules":
        if self.check_second < self.check_first:
            message = "check_second = {second} comes before check_first = {first}"
            context: dict[str, object] = {"first": self.check_first, "second": self.check_second}
            raise PydanticCustomError("value", message, context)
        if self.crt == "table" and not self.crt_table:
            help = 'a house rule with [add.crt_table] and a line such as "1d8" = [8, 8, 7, ...] for every damage dice'
            context = {"help": help}
            raise PydanticCustomError("value", 'crt = "table" needs results in crt_table', context)
        steps = self.crt_clamp_top + 1
        seen: dict[str, str] = {}
        for dice, column in self.crt_table.items():
            other = seen.setdefault(canonical(dice), dice)
            if other != dice:
                message = "crt_table has the results of {dice} twice: as '{other}' and as '{again}'"
                context = {"dice": canonical(dice), "other": other, "again": dice, "help": "keep one of the two"}
                raise PydanticCustomError("value", message, context)
            if len(column) != steps:
                message = "the results of {dice} are {found}; crt_clamp_top = {top} needs {wanted}"
                context = {"dice": dice, "found": len(column), "top": self.crt_clamp_top, "wanted": steps}
                raise PydanticCustomError("value", message, context)
        return self

    def fraction(self, field: str) -> Fraction:
        """Return a field such as ``"woods_cost"`` as a fraction.

        Examples
        --------
        >>> Rules().fraction("woods_cost")
        Fraction(1, 3)
        """
        return Fraction(getattr(self, field))

    def rolled(self, field: str) -> Dice:
        """Return the parsed dice of a field such as ``"morale_dice"``."""
        return parse(getattr(self, field))

    def ranges(self, bow: str) -> list[int]:
        """Return short, medium and long range of a bow, ``"short"``, ``"long"`` or ``"crossbow"``, in inches."""
        return {"short": self.short_bow, "long": self.long_bow, "crossbow": self.crossbow}[bow]
