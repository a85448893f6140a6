"""Tables of the juggerball twin: its rules as plain values, its events and dice beyond those of the battle."""

from types import SimpleNamespace
from typing import Any

from tests.naive.jugger import tables as t

DEFAULTS: dict[str, Any] = {
    # the ball
    "ball_headings": 12, "right_angle": "coin", "spine_at_most": 3, "bounce_table": [180, 90, -90, 120, -120, 0],
    "bounce_limit": 64, "caught_by": "nobody", "terrain_slows_ball": False, "forced_hits_ball": False,
    "ball_blocks": "stop", "stuck_turns": 10,
    # what jugs do with it
    "push": "always", "ball_roll_dice": "1d6", "roll_when": "any", "catcher_brakes_with_ball": False, "steal": False,
    "head_on_distance": "mover", "legs_kick": True, "ball_kick_dice": "1d6", "standing_kick": False,
    "deflector": "hit", "legs_catch": True, "catcher_catches": True, "catch": "enters",
    # goals
    "goal_hex": "obstacle", "no_stop": "velocity_0", "no_stop_within": 3, "forced_stop": "allowed",
    # the game
    "goals_to_win": 3, "after_goal": "end_phase", "replace": "both", "fresh": "same", "line_up": "listed",
    "kick_off": "roll", "first_initiative": "roll", "jug_order": "ball", "no_jugs": "lose", "at_cap": "draw",
    # random jugs
    "illegal": "reroll_one", "special_limit": "one_each",
}  # fmt: skip
"""The rules of the ball and of the game; a ball's rules go with those of the battle."""


def rules_of(**changes: Any) -> Any:
    """Return the rules of record of battle and ball with changes, as an object."""
    own = {name: value for name, value in changes.items() if name in DEFAULTS}
    battle = t.rules_of(**{name: value for name, value in changes.items() if name not in DEFAULTS})
    return SimpleNamespace(**vars(battle), **{**DEFAULTS, **own})


D6, D10 = "1d6", "1d10"
"""Dice of the bounce table, the spine and head-on, and of the improvements."""

# Events: they go on where those of the battle end.
(
    BALL, HIT, KICK_BALL, HOLD_BALL, BALL_AHEAD, SWING, ROLL, HEAD_ON, SPINE, BALL_STEP,
    BALL_BOUNCE, BALL_STOP, GOAL, PART, REPLACE, LINE_UP, REMOVED, ITEM,
) = range(54, 72)  # fmt: skip
EVENTS = (
    "BALL", "HIT", "KICK", "HOLD_BALL", "BALL_AHEAD", "SWING", "ROLL", "HEAD_ON", "SPINE", "BALL_STEP",
    "BALL_BOUNCE", "BALL_STOP", "GOAL", "PART", "REPLACE", "LINE_UP", "REMOVED", "ITEM",
)  # fmt: skip
t.NAMES.update(enumerate(EVENTS, 54))

AT_SET_UP, AT_LINE_UP, WHEN_STUCK = range(3)
"""Why a ball is put down."""

BY_PUSH, BY_CATCH, BY_TAKE, BY_BOUNCE = range(4)
"""How a jug comes to hold a ball."""

JUG, OBSTACLE, WALL, RIM, CLOSED_ARC = range(5)
"""What a ball bounces off."""

RUN_OUT, DEAD_STOP, LIMIT = range(3)
"""Why a ball stops."""

CAUSES = ("hit", "kick", "push", "roll", "head_on", "bounce")
"""Causes of a goal; the place of a cause is its number."""

GOALS, NO_JUGS = 10, 11
"""Why a match ends, beyond the cap of the battle."""

AGAINST_BALL = -4
"""What a jug collides with, beyond obstacle, rim and third jug."""

PURPOSES = (
    *t.PURPOSES, "kick", "spine", "ball_bounce", "roll", "head_on", "item", "item_weapon",
)  # fmt: skip


class Dice(t.Dice):
    """The dice of one match, by address."""

    purposes = PURPOSES
