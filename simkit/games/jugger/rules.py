"""Every number and every ruling of Jugger, once.

Each field carries a sentence, the id of its rule and its source: R is stated by the rules, Q is a
ruling. A house rule changes values here and nothing else. The weapon tables stand in `weapons_table`.
"""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from simkit.core.dice import Dice, parse
from simkit.games.jugger.aliases import WEAPONS
from simkit.games.jugger.weapons_table import (
    LONGEST,
    AmountText,
    DiceText,
    TieText,
    WeaponTable,
    weapon_table,
)
from simkit.games.protocol import RuleSet, number

__all__ = ["EDITION", "WEAPONS", "Rules"]

EDITION = "Jugger, first reading"
STEP = {"ge": 0, "le": 20}
"""Limits of rates, of what adds to them, and of spaces."""
FACES = {"ge": 0, "le": 100}
"""Limits of a number that a die is read against; 0 is below every die."""
HITS = {"ge": 0, "le": 1000}
"""Limits of hits and of damage."""


def _not_aimed_at(value: Any) -> Any:
    if value is True:
        raise PydanticCustomError(
            "value",
            "weapons cannot be aimed at stone walls: no rule says how a wall is hit",
            {"help": "false is the only value; a wall falls when jugs run into it (J-COL-2)"},
        )
    return value


class Rules(RuleSet):
    """The Jugger rules as values."""

    # Board and arcs
    map_edge: Literal["wall", "exit", "wrap"] = number(
        "wall", "The rim of the map is a wall, lets a jug leave for good, or leads to the other side.",
        id="J-MAP-2", source="Q",
    )  # fmt: skip
    forward_cone_deg: Literal[60, 180] = number(
        60, "Width of the forward arc in degrees, borders included: a cone of 60, or the front half.",
        id="J-MAP-3", source="Q",
    )  # fmt: skip
    line_of_sight: bool = number(
        False, "Forests, houses and walls block attacks beyond them.", id="J-MAP-4", source="Q"
    )

    # Building a jug
    hits_per_size: int = number(20, "Hits that each point of size class gives.", id="J-SC-1", source="R", ge=1, le=1000)
    spaces_per_size: int = number(
        1, "Equipment spaces that each point of size class gives.", id="J-SC-1", source="R", ge=1, le=20
    )
    weapon_spaces: int = number(
        1, "Spaces that each point of size of a weapon takes.", id="J-SC-2", source="R", ge=1, le=20
    )
    gears_spaces: int = number(1, "Spaces that each gear takes.", id="J-SC-1", source="R", ge=1, le=20)
    brakes_spaces: int = number(1, "Spaces that each brake takes.", id="J-SC-1", source="R", ge=1, le=20)
    steering_spaces: int = number(1, "Spaces that each piece of steering takes.", id="J-SC-1", source="R", ge=1, le=20)
    armor_spaces: int = number(1, "Spaces that each armor takes.", id="J-SC-1", source="R", ge=1, le=20)
    reinforced_ram_spaces: int = number(
        1, "Spaces that each reinforcement of the main ram takes.", id="J-SC-1", source="R", ge=1, le=20
    )
    sails_spaces: int = number(1, "Spaces that each sail takes.", id="J-SC-1", source="R", ge=1, le=20)
    legs_spaces: int = number(1, "Spaces that legs take.", id="J-SC-1", source="R", **STEP)
    winch_spaces: int = number(1, "Spaces that a winch takes.", id="J-SC-1", source="R", **STEP)
    wizard_spaces: int = number(1, "Spaces that a wizard takes.", id="J-EQ-7", source="Q", ge=1, le=20)
    deflector_spaces: int = number(1, "Spaces that a deflector takes.", id="J-SC-1", source="R", **STEP)
    catcher_spaces: int = number(1, "Spaces that a catcher for the ball takes.", id="J-SC-1", source="R", **STEP)
    oversize: Literal["multiply", "more_dice"] = number(
        "multiply", "Damage of an oversize weapon: one roll times its size, or the dice of so many weapons.",
        id="J-SC-2", source="Q",
    )  # fmt: skip
    printed_hits: bool = number(
        False, "A published design fights with the hits it is printed with instead of those its list gives.",
        id="J-DES-1", source="Q",
    )  # fmt: skip

    # Movement and equipment
    base_acceleration: int = number(
        1, "Most velocity that a jug without gears gains a turn.", id="J-ACC-1", source="R", **STEP
    )
    base_deceleration: int = number(
        1, "Most velocity that a jug without brakes sheds a turn.", id="J-ACC-1", source="R", **STEP
    )
    base_turn_rate: int = number(
        1, "Turns of 60 degrees that a jug without steering makes a turn.", id="J-ACC-1", source="R", ge=0, le=6
    )
    turn_in_place: bool = number(True, "A jug may turn at velocity 0.", id="J-ACC-3", source="Q")
    gears_acceleration: int = number(1, "Acceleration that each gear adds.", id="J-EQ-1", source="R", **STEP)
    brakes_deceleration: int = number(1, "Deceleration that each brake adds.", id="J-EQ-1", source="R", **STEP)
    steering_turns: int = number(1, "Turns that each piece of steering adds.", id="J-EQ-1", source="R", ge=0, le=6)
    armor_hits: int = number(20, "Hits that each armor adds.", id="J-EQ-1", source="R", **HITS)
    ram_bonus: int = number(
        1, "Added to the ram roll by each reinforcement of the main ram.", id="J-EQ-1", source="R", **FACES
    )
    sails_acceleration: int = number(1, "Acceleration that each sail adds.", id="J-EQ-2", source="R", **STEP)
    sails_deceleration: int = number(1, "Deceleration that each sail adds.", id="J-EQ-2", source="R", **STEP)
    legs_deceleration: int = number(1, "Deceleration that legs add.", id="J-EQ-3", source="R", **STEP)
    legs_turns: int = number(1, "Turns of 60 degrees that legs add.", id="J-EQ-3", source="R", ge=0, le=6)
    legs_top_velocity: int = number(
        5, "Highest velocity that a jug with legs may choose.", id="J-EQ-3", source="R", **FACES
    )
    kick_dice: AmountText = number("1d10", "Dice of the damage of a kick.", id="J-EQ-3", source="R")
    kick_adds_size: bool = number(
        True, "The kicker's size class is added to the damage of a kick.", id="J-EQ-3", source="R"
    )
    kick_to_hit: int = number(
        6, "Number to roll for a hit with a kick; 6 on a six-sider always hits.", id="J-EQ-5", source="Q", **FACES
    )
    shield_arm_hits: int = number(
        10, "Hits that each point of size of a shield arm adds.", id="J-EQ-6", source="Q", **HITS
    )

    # The turn
    initiative: Literal["side", "jug"] = number(
        "side", "Who rolls for initiative: each side, or each jug for itself.", id="J-INI-1", source="R"
    )
    initiative_dice: TieText = number("1d10", "Dice of initiative; ties are rolled again.", id="J-INI-1", source="R")
    tactics_bonus: int = number(1, "Added to initiative by a captain with tactics.", id="J-INI-1", source="R", **FACES)

    # Attacks and damage
    declare: Literal["once", "rounds"] = number(
        "once", "Attacks of a moment are declared all at once, or in rounds until everybody passes.",
        id="J-ATK-5", source="Q",
    )  # fmt: skip
    to_hit: Literal["at_most", "at_least"] = number(
        "at_most", "A to-hit number is hit by rolling it or less, or by rolling it or more.", id="J-ATK-2", source="Q"
    )
    to_hit_dice: DiceText = number("1d6", "Dice of a roll to hit.", id="J-ATK-2", source="Q")
    to_hit_max: int = number(
        6, "Highest to-hit number that a captain's bonus can make.", id="J-CAP-5", source="Q", **FACES
    )
    critical_every: int = number(
        20, "A critical roll is made for every so many hits lost.", id="J-DMG-2", source="R", ge=1, le=10_000
    )
    critical_counts: Literal["taken", "missing"] = number(
        "taken", "Hits lost are counted as all damage taken so far, or as those missing after repairs.",
        id="J-DMG-2", source="Q",
    )  # fmt: skip
    critical_dice: DiceText = number("1d6", "Dice of a critical roll.", id="J-DMG-2", source="R")
    critical_attacker: int = number(
        1, "A critical roll of exactly this destroys a piece of the attacker's choice.",
        id="J-DMG-2", source="R", **FACES,
    )  # fmt: skip
    critical_defender: int = number(
        2, "A critical roll of exactly this destroys a piece of the defender's choice, unless it is the attacker's.",
        id="J-DMG-2", source="R", **FACES,
    )  # fmt: skip
    wizard_is_piece: bool = number(
        True, "A critical roll can destroy a wizard, and his spells with him.", id="J-DMG-7", source="Q"
    )
    wreckage: bool = number(True, "A jug that is destroyed leaves wreckage in its hex.", id="J-DMG-5", source="Q")

    # Terrain and collisions
    forest_loss: int = number(1, "Velocity lost on entering a hex of forest.", id="J-TER-1", source="Q", **FACES)
    rubble_loss: int = number(1, "Velocity lost on entering a hex of rubble.", id="J-TER-1", source="Q", **FACES)
    house_loss: int = number(1, "Velocity lost on entering a hex with a house.", id="J-TER-1", source="Q", **FACES)
    wreckage_loss: int = number(
        1, "Velocity lost on entering a hex with wreckage, once however many wrecks lie in it.",
        id="J-TER-1", source="Q", **FACES,
    )  # fmt: skip
    collision_dice: AmountText = number(
        "1d6", "Dice of the damage of a collision with an obstacle or a wall.", id="J-COL-1", source="R"
    )
    collision_sc: Literal["own", "none"] = number(
        "own", "What is added to the dice of a collision: the jug's own size class, or nothing.",
        id="J-COL-1", source="Q",
    )  # fmt: skip
    wall_hits: AmountText = number("10d10", "Dice of the hits of a stone wall.", id="J-COL-2", source="R")
    walls_targetable: Annotated[Literal[False], BeforeValidator(_not_aimed_at)] = number(
        False, "Weapons can be aimed at stone walls.", id="J-COL-4", source="Q"
    )

    # Rams
    ram_dice: AmountText = number("1d6", "Dice of the roll for the damage of a ram.", id="J-RAM-2", source="R")
    ram_owner: Literal["all_but_legs", "reinforced_only"] = number(
        "all_but_legs", "Who has a ram in a head-on ram: every jug without legs, or only one with a reinforced ram.",
        id="J-RAM-4", source="Q",
    )  # fmt: skip
    damage_velocity_cap: int = number(
        1000, "Most that velocity multiplies the damage of a ram or a collision by; 1000 is no limit.",
        id="J-RAM-5", source="Q", **HITS,
    )  # fmt: skip
    bounce_dice: AmountText = number(
        "1d3", "Dice of how many hexes a ram into the rear bounces its target.", id="J-RAM-3", source="R"
    )
    drive_through_loss: int = number(
        1, "Velocity that a jug loses when it destroys another head-on and drives on through.",
        id="J-RAM-4", source="R", **FACES,
    )  # fmt: skip
    push_collides: bool = number(
        False, "A jug that is pushed or bounced into something collides with it.", id="J-RAM-6", source="Q"
    )
    side_kill_drives_through: bool = number(
        False, "Who destroys a jug by a ram into its side or rear drives on through it.", id="J-RAM-9", source="Q"
    )

    # Grabs
    break_dice: DiceText = number("1d6", "Dice for breaking free.", id="J-WPN-2", source="R")
    break_at_most: int = number(3, "A held jug breaks free on this roll or less.", id="J-WPN-2", source="R", **FACES)
    break_roll: Literal["jug", "weapon"] = number(
        "jug", "Breaking free takes one roll for each jug that holds, or one for each weapon.",
        id="J-WPN-7", source="Q",
    )  # fmt: skip
    grab_damage: Literal["end", "attack"] = number(
        "end", "A hold does its damage in the end phase, or as an automatic hit at its owner's first moment.",
        id="J-WPN-8", source="Q",
    )  # fmt: skip
    grab_stops: bool = number(
        True, "A grab stops both jugs at once; if not, the one that moves goes on and drags the other.",
        id="J-WPN-13", source="Q",
    )  # fmt: skip
    drag_top_velocity: int = number(
        2, "Highest velocity at which a jug drags or pushes the smaller one it is attached to.",
        id="J-WPN-2", source="R", **FACES,
    )  # fmt: skip

    # Fires, ropes and other weapons
    weapons: WeaponTable = weapon_table()
    fire_turns_dice: AmountText = number(
        "1d6", "Dice of how many end phases a fire or a cauldron burns.", id="J-WPN-3", source="R"
    )
    fire_stacks: bool = number(
        False, "A second hit of a weapon lights a second fire beside its first.", id="J-WPN-3", source="Q"
    )
    cauldron_reroll: bool = number(
        False, "The damage of a cauldron is rolled anew in every end phase.", id="J-WPN-4", source="Q"
    )
    cauldron_every: int = number(
        3, "A cauldron that was used is ready again so many turns later.", id="J-WPN-15", source="R", ge=1, le=1000
    )
    rope_dice: DiceText = number("1d6", "Dice of a winch's rope.", id="J-WPN-9", source="R")
    rope_topples_at_most: int = number(
        1, "A rope topples the target on this roll or less.", id="J-WPN-9", source="R", **FACES
    )
    rope_holds_at_most: int = number(
        3, "On a roll above rope_topples_at_most, up to this, a rope holds; above it snaps.",
        id="J-WPN-9", source="R", **FACES,
    )  # fmt: skip
    boarders_lost_from: int = number(
        4, "Boarders are lost when their roll to hit shows this or more.", id="J-WPN-16", source="R", **FACES
    )
    scythe_cuts_from: int = number(
        6, "A scythe cuts its target in half when its damage dice show this or more.",
        id="J-WPN-17", source="R", **FACES,
    )  # fmt: skip

    # Captains
    captains: Literal["none", "random"] = number(
        "none", "The captain of a jug for which the battle names none: none, or one ability by D10.",
        id="J-CAP-1", source="Q",
    )  # fmt: skip
    speed_acceleration: int = number(1, "Acceleration that a speed demon adds.", id="J-CAP-1", source="R", **STEP)
    cornering_turns: int = number(1, "Turns that a captain with cornering adds.", id="J-CAP-1", source="R", ge=0, le=6)
    balance_deceleration: int = number(
        1, "Deceleration that a captain with balance adds.", id="J-CAP-1", source="R", **STEP
    )
    balance_dice: DiceText = number("1d6", "Dice of a captain's balance.", id="J-CAP-1", source="R")
    balance_at_most: int = number(3, "Balance avoids a topple on this roll or less.", id="J-CAP-1", source="R", **FACES)
    artillerist_bonus: int = number(
        1, "Added to the to-hit number of an artillerist's first missile attack a turn.",
        id="J-CAP-1", source="R", **FACES,
    )  # fmt: skip
    meleer_bonus: int = number(
        1, "Added to the to-hit number of a meleer's first close attack a turn.", id="J-CAP-1", source="R", **FACES
    )
    missile_from: int = number(
        2, "A weapon of this range or more is a missile weapon, every other a close one.",
        id="J-CAP-2", source="Q", ge=1, le=LONGEST + 1,
    )  # fmt: skip
    evasion: Literal["after_hit", "declared"] = number(
        "after_hit", "Evasion is tried against the first hit of the turn, or declared before the roll to hit.",
        id="J-CAP-3", source="Q",
    )  # fmt: skip
    evasion_dice: DiceText = number("1d6", "Dice of a captain's evasion.", id="J-CAP-1", source="R")
    evasion_at_most: int = number(
        2, "Evasion dodges an attack on this roll or less.", id="J-CAP-1", source="R", **FACES
    )
    control_dice: DiceText = number("1d6", "Dice of a captain's damage control.", id="J-CAP-1", source="R")
    control_at_most: int = number(3, "Damage control works on this roll or less.", id="J-CAP-1", source="R", **FACES)
    control_divides: int = number(
        2, "Damage control divides the damage of an attack by this, rounded down.",
        id="J-CAP-2", source="R", ge=1, le=1000,
    )  # fmt: skip
    repair_dice: AmountText = number(
        "1d3", "Dice of the hits that a mechanic repairs a turn.", id="J-CAP-1", source="R"
    )

    # Wizards
    spells_per_turn: int = number(
        1, "Most attack and enhancement spells of one wizard a turn.", id="J-WIZ-2", source="Q", **STEP
    )
    spell_count_dice: AmountText = number(
        "2d6", "Dice of how many spells a wizard has ready.", id="J-WIZ-1", source="R"
    )
    fireball_range: int = number(5, "Range of a fireball in hexes.", id="J-WIZ-1", source="R", ge=1, le=LONGEST)
    fireball_to_hit: int = number(5, "Number to roll for a hit with a fireball.", id="J-WIZ-1", source="R", **FACES)
    fireball_damage: AmountText = number("3d6", "Dice of the damage of a fireball.", id="J-WIZ-1", source="R")
    bolt_range: int = number(10, "Range of a lightning bolt in hexes.", id="J-WIZ-1", source="R", ge=1, le=LONGEST)
    bolt_to_hit: int = number(4, "Number to roll for a hit with a lightning bolt.", id="J-WIZ-1", source="R", **FACES)
    bolt_damage: AmountText = number("2d6", "Dice of the damage of a lightning bolt.", id="J-WIZ-1", source="R")
    haste_gain: int = number(
        1, "What haste adds to acceleration, deceleration and turn rate.", id="J-WIZ-1", source="R", ge=0, le=6
    )
    haste_turns_dice: AmountText = number("1d3", "Dice of how many turns haste lasts.", id="J-WIZ-1", source="R")
    haste_stacks: bool = number(
        False, "Haste cast on a hasty jug adds to the gain instead of lasting longer.", id="J-WIZ-4", source="Q"
    )
    restoration_dice: AmountText = number(
        "3d10", "Dice of the hits that restoration repairs.", id="J-WIZ-1", source="R"
    )
    shield_from: int = number(
        10, "A wizard shields his jug from the first hit that kills or does this much damage.",
        id="J-WIZ-5", source="Q", **HITS,
    )  # fmt: skip
    restoration_from: int = number(
        17, "A wizard casts restoration once so many hits are missing.", id="J-WIZ-5", source="Q", **HITS
    )

    # Battles
    deploy_dice: TieText = number(
        "1d10", "Dice of deployment: the lowest sets up first, ties are rolled again.", id="J-DEP-1", source="R"
    )
    strategic_roll: bool = number(
        False, "Who rolls higher for deployment has a slight advantage: his side moves first in turn 1.",
        id="J-DEP-3", source="Q",
    )  # fmt: skip
    rout_below: int = number(
        0, "A side is routed below this percentage of the size classes it began with; 0 is never.",
        id="J-ARM-2", source="Q", ge=0, le=100,
    )  # fmt: skip

    def rolled(self, field: str) -> Dice:
        """Return the parsed dice of a field such as ``"ram_dice"``."""
        return parse(getattr(self, field))

    def damage(self, weapon: str, size: int = 1) -> tuple[Dice, int]:
        """Return the dice that a weapon of a size rolls for damage, and what their sum is multiplied by (J-SC-2).

        Raises
        ------
        DiceError
            So many dice cannot be worked out exactly.

        Examples
        --------
        >>> Rules().damage("flail", 2)[1]
        2
        >>> str(Rules(oversize="more_dice").damage("flail", 2)[0])
        '3d6+3d6'
        """
        dice = parse(self.weapons[weapon].damage)
        if self.oversize == "multiply":
            return dice, size
        return parse("+".join([str(dice)] * size)), 1
