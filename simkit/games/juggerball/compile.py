"""From a match and a rule set to the plain numbers of a Setup."""

from typing import Any

from simkit.games.jugger.aliases import STANDARD
from simkit.games.jugger.compile import Aboard, Losses, fixed_dice, grid, packed_rules, table
from simkit.games.jugger.designs import REGULATION_SIZE, Design
from simkit.games.jugger.items import Item
from simkit.games.jugger.kinds import Policy as BattlePolicy
from simkit.games.jugger.limits import ACROSS, EDGE
from simkit.games.jugger.weights import NOTHING
from simkit.games.juggerball.fields import PlayField
from simkit.games.juggerball.happenings import DiceRow
from simkit.games.juggerball.kinds import Illegal, JugOrder, Policy, Replace, Roster
from simkit.games.juggerball.records import Setup
from simkit.games.juggerball.roster import field_of, given, roster
from simkit.games.juggerball.rules import Rules
from simkit.games.juggerball.scenario import SIDES, Scenario, SideName
from simkit.games.juggerball.values import VALUES

TWELFTH = 30
"""Degrees of a heading."""

DICE = {DiceRow.KICK: "ball_kick_dice", DiceRow.ROLL: "ball_roll_dice"}
"""Which field of the rules holds the dice of a row."""

TABLES = {
    DiceRow.SPINE: "1d6",
    DiceRow.BOUNCE: "1d6",
    DiceRow.HEAD_ON: "1d6",
    DiceRow.ITEM: "1d10",
    DiceRow.ITEM_WEAPON: "1d10",
}
"""Rows whose dice choose an entry of a table of the rules (J-BALL-11, 12, 15, 22)."""

SAME_NAME = (
    "spine_at_most", "bounce_limit", "steal", "legs_kick", "standing_kick", "legs_catch", "catcher_catches",
    "stuck_turns", "no_stop_within", "goals_to_win", "legs_per_team", "armor_hits", "shield_arm_hits",
)  # fmt: skip
"""Fields of the rules that the kernels read as they are."""

BATTLE = {
    Policy.HOLD: BattlePolicy.HOLD,
    Policy.RANDOM: BattlePolicy.RANDOM,
    Policy.CHASE: BattlePolicy.GREEDY,
    Policy.GREEDY: BattlePolicy.GREEDY,
}
"""How each policy attacks; who only chases attacks nobody (J-BALL-25)."""


def compile(scenario: Scenario, rules: Rules) -> Setup:
    """Return the Setup of a legal match under a rule set; equal physics gives equal bytes.

    Examples
    --------
    >>> setup = compile(Scenario(), Rules())
    >>> int(setup.goal), [int(mind) for mind in setup.minds], int(setup.battle.count_a)
    (13, [3, 3], 7)
    """
    field = field_of(scenario)
    map = field.map(goals=rules.goal_hex == "obstacle")
    aboard = Aboard(rules)
    blank = Design(size=REGULATION_SIZE)
    rosters = [design for side in SIDES for design in roster(scenario, side)]
    jugs = [aboard.jug(design or blank) for design in rosters]
    weapons = [aboard.weapon(Item(kind), 0, -1) for kind in STANDARD]
    minds = [Policy[scenario.policy_of(side).upper()] for side in SIDES]
    values = [_values(scenario, side) for side in SIDES]
    battle = {
        "count_a": len(jugs) // 2,
        "count_b": len(jugs) // 2,
        "rules": packed_rules(rules.model_copy(update={"strategic_roll": False})),  # sides line up by J-BALL-23
        "victory": _victory(scenario),
        "policies": [int(BATTLE[mind]) for mind in minds],
        "weights": [NOTHING, NOTHING],
        "half_rows": field.half_rows,
        "half_length": field.half_length,
        "wall_count": len(map.places("wall")),
        "dice": [*fixed_dice(rules), *(table(dice) for dice in aboard.dice)],
        "jugs": jugs,
        "places": [_places(field, swapped) for swapped in (False, True)],
        "walls": [(q + EDGE) * ACROSS + (r + EDGE) for q, r in map.places("wall")],
        "grid": [],
    }
    setup = Setup.pack(
        {
            "battle": battle,
            "ball": _rulings(rules),
            "goal": field.goal,
            "start_q": field.ball[0],
            "start_r": field.ball[1],
            "minds": [int(mind) for mind in minds],
            "values": values,
            "dice": [table(TABLES[row] if row in TABLES else str(getattr(rules, DICE[row]))) for row in DiceRow],
            "origins": _origins(scenario),
            "given": [items for side in SIDES for items in given(scenario, side)],
            "blank": aboard.jug(blank),
            "weapons": weapons,
        }
    )
    losses = Losses(rules.forest_loss, rules.rubble_loss, rules.house_loss)
    setup.battle.grid[:] = grid(map.model_dump_json(), losses)  # type: ignore[index]
    return setup


def _values(scenario: Scenario, side: SideName) -> dict[str, int]:
    own = scenario.side(side).values
    changed = {} if own is None else own.model_dump(exclude_none=True)
    return {**VALUES[scenario.policy_of(side)], **changed}


def _origins(scenario: Scenario) -> list[int]:
    found = []
    for side in SIDES:
        if scenario.side(side).team == "mirror":
            found += [Roster.MIRROR] * len(roster(scenario, side))
        else:
            found += [Roster.RANDOM if design is None else Roster.NAMED for design in roster(scenario, side)]
    return [int(origin) for origin in found]


def _places(field: PlayField, swapped: bool) -> list[list[int]]:
    """Return where the jugs stand, side a's of the scenario first: q, r, facing, velocity."""
    places = []
    for side in range(2):
        seat = 1 - side if swapped else side
        places += [[q, r, 3 * seat, 0] for q, r in field.posts(seat)]
    return places


def _victory(scenario: Scenario) -> dict[str, int]:
    """Return the aims of a battle, of which a match has none: it is decided by goals."""
    return {
        "max_turns": scenario.scenario.max_turns,
        "rout_below": 0,
        "occupy_q": 0,
        "occupy_r": 0,
        "occupy_turns": 0,
        "occupy_within": 0,
        "target_a": -1,
        "target_b": -1,
        "breakthrough": 0,
        "breakthrough_column": 0,
        "delay_side": -1,
    }


def _rulings(rules: Rules) -> dict[str, Any]:
    return {
        **{name: getattr(rules, name) for name in SAME_NAME},
        "headings": rules.ball_headings,
        "right_angle": 0 if rules.right_angle == "coin" else int(rules.right_angle) // 60,
        "bounces": [degrees // TWELFTH for degrees in rules.bounce_table],
        "ball_collides": rules.ball_blocks == "collision",
        "terrain_slows": rules.terrain_slows_ball,
        "forced_hits": rules.forced_hits_ball,
        "caught_by_jug": rules.caught_by == "jug",
        "push_choice": rules.push == "choice",
        "roll_chosen_only": rules.roll_when == "chosen",
        "catcher_brakes": rules.catcher_brakes_with_ball,
        "deflector_hits": rules.deflector != "none",
        "deflector_turns": rules.deflector == "both",
        "head_on_sum": rules.head_on_distance == "sum",
        "catch_hits": rules.catch == "hits",
        "no_stop_end": rules.no_stop == "end_of_move",
        "removed": rules.forced_stop == "removed",
        "finish": rules.after_goal == "finish",
        "replace": int(Replace[rules.replace.upper()]),
        "fresh_rolled": rules.fresh == "rolled",
        "illegal": int(Illegal[rules.illegal.upper()]),
        "one_of_three": rules.special_limit == "one_of_three",
        "line_up_policy": rules.line_up == "policy",
        "kick_off_conceder": rules.kick_off == "conceder",
        "first_initiative": {"roll": -1, "a": 0, "b": 1}[rules.first_initiative],
        "jug_order": int(JugOrder[rules.jug_order.upper()]),
        "play_on": rules.no_jugs == "play_on",
        "more_goals": rules.at_cap == "more_goals",
        "all_ram": rules.ram_owner == "all_but_legs",
    }
