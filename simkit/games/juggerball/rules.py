"""Every number and every ruling of juggerball: those of Jugger, and those about the ball and the match.

Each field carries a sentence, the id of its rule and its source: R is stated by the rules, Q is a ruling. A house rule
changes values here and nothing else; every field of Jugger can be changed too.
"""

from typing import Annotated, Literal

from pydantic import Field

from simkit.games.jugger.rules import FACES
from simkit.games.jugger.rules import Rules as JuggerRules
from simkit.games.jugger.weapons_table import AmountText
from simkit.games.protocol import number

__all__ = ["EDITION", "Rules"]

EDITION = "Juggerball, second reading"

Degrees = Literal[0, 60, -60, 90, -90, 120, -120, 180]
Bounces = Annotated[list[Degrees], Field(min_length=6, max_length=6)]


class Rules(JuggerRules):
    """The rules of juggerball as values."""

    # The ball
    ball_headings: Literal[12, 6] = number(
        12, "Headings of the ball: every 30 degrees, or through the sides alone.", id="J-BALL-11", source="Q"
    )
    right_angle: Literal["coin", "60", "120"] = number(
        "coin", "A bounce by 90 degrees where there are six headings: 60 or 120 by a coin, or always one of them.",
        id="J-BALL-11", source="Q",
    )  # fmt: skip
    spine_at_most: int = number(
        3, "A ball between two sides takes the anticlockwise one on this roll or less.",
        id="J-BALL-11", source="Q", **FACES,
    )  # fmt: skip
    bounce_table: Bounces = number(
        [180, 90, -90, 120, -120, 0], "Degrees to the right that a bounce turns the ball, by the die; 0: a dead stop.",
        id="J-BALL-12", source="R",
    )  # fmt: skip
    bounce_limit: int = number(
        64, "The ball stops dead after so many bounces of one move.", id="J-BALL-10", source="Q", ge=1, le=1000
    )
    caught_by: Literal["nobody", "jug"] = number(
        "nobody", "Who holds a ball that stops dead at a jug: nobody, or the jug if it was hit in front.",
        id="J-BALL-12", source="Q",
    )  # fmt: skip
    terrain_slows_ball: bool = number(
        False, "Forest, rubble, houses and wreckage take hexes from a ball that runs through.",
        id="J-BALL-8", source="Q",
    )  # fmt: skip
    forced_hits_ball: bool = number(
        False, "A jug that is pushed or bounced into the ball hits it, instead of stopping before it.",
        id="J-BALL-8", source="Q",
    )  # fmt: skip
    ball_blocks: Literal["stop", "collision"] = number(
        "stop", "A jug that finds the ball still in its way stops without harm, or collides with it.",
        id="J-BALL-9", source="Q",
    )  # fmt: skip
    stuck_turns: int = number(
        10, "A free ball that has lain in one hex for so many whole turns goes to the start hex.",
        id="J-BALL-18", source="Q", ge=1, le=1000,
    )  # fmt: skip

    # Pushing
    push: Literal["always", "choice"] = number(
        "always", "A jug that was at rest and steps first into the ball's hex pushes it, or may do something else.",
        id="J-BALL-13", source="Q",
    )  # fmt: skip
    ball_roll_dice: AmountText = number(
        "1d6", "Dice of how far the ball rolls when its pusher loses velocity.", id="J-BALL-3", source="R"
    )
    roll_when: Literal["any", "chosen"] = number(
        "any", "The ball rolls away at any loss of velocity of its pusher, or when it was chosen alone.",
        id="J-BALL-13", source="Q",
    )  # fmt: skip
    catcher_brakes_with_ball: bool = number(
        False, "A jug with a catcher can slow down without losing the ball.", id="J-BALL-13", source="Q"
    )
    steal: bool = number(False, "A ball that another jug holds can be taken from it.", id="J-BALL-13", source="Q")
    head_on_distance: Literal["mover", "sum"] = number(
        "mover", "How far the ball leaves a head-on: the velocity of the jug that moves, or of both together.",
        id="J-BALL-15", source="Q",
    )  # fmt: skip

    # Legs, deflectors, catchers
    legs_kick: bool = number(True, "Legs can kick the ball.", id="J-BALL-4", source="R")
    ball_kick_dice: AmountText = number(
        "1d6", "Dice of the hexes that a kicked ball runs beyond the kicker's velocity.", id="J-BALL-4", source="R"
    )
    standing_kick: bool = number(False, "The ball can be kicked at velocity 0.", id="J-BALL-14", source="Q")
    deflector: Literal["hit", "both", "none"] = number(
        "hit", "A deflector turns its own hits by 30 degrees, also a ball that hits its front, or nothing.",
        id="J-BALL-14", source="Q",
    )  # fmt: skip
    legs_catch: bool = number(True, "Legs can catch the ball.", id="J-BALL-4", source="R")
    catcher_catches: bool = number(True, "A catcher can catch the ball.", id="J-BALL-4", source="R")
    catch: Literal["enters", "hits"] = number(
        "enters", "A ball can be caught when it enters the facing hex, or only when it would hit the jug in front.",
        id="J-BALL-17", source="Q",
    )  # fmt: skip

    # Goals, and stopping near them
    goal_hex: Literal["obstacle", "open"] = number(
        "obstacle", "What a goal is to jugs: an obstacle, or a hex like others.", id="J-BALL-16", source="Q"
    )
    no_stop: Literal["velocity_0", "end_of_move"] = number(
        "velocity_0", "What is forbidden near the own goal: to choose velocity 0, or to end a move there.",
        id="J-BALL-19", source="Q",
    )  # fmt: skip
    no_stop_within: int = number(
        3, "How near to the own goal that is, in hexes.", id="J-BALL-5", source="R", ge=0, le=20
    )
    forced_stop: Literal["allowed", "removed"] = number(
        "allowed", "A jug that was stopped near its own goal stays there, or goes back to its place.",
        id="J-BALL-19", source="Q",
    )  # fmt: skip

    # The match
    goals_to_win: int = number(3, "Goals that win a match.", id="J-BALL-24", source="R", ge=1, le=99)
    after_goal: Literal["end_phase", "finish"] = number(
        "end_phase", "A goal ends all movement of its turn, or the turn is played to its end without the ball.",
        id="J-BALL-21", source="Q",
    )  # fmt: skip
    replace: Literal["both", "conceder", "none"] = number(
        "both", "Who may replace a jug after a goal: both sides, the one that conceded it, or nobody.",
        id="J-BALL-21", source="Q",
    )  # fmt: skip
    fresh: Literal["same", "rolled"] = number(
        "same", "What replaces a jug: an undamaged copy, or a new random jug.", id="J-BALL-21", source="Q"
    )
    line_up: Literal["listed", "policy"] = number(
        "listed", "Each jug stands on its listed place; or the sides roll who lines up first, with the same result.",
        id="J-BALL-23", source="Q",
    )  # fmt: skip
    kick_off: Literal["roll", "conceder"] = number(
        "roll", "Who moves first in the first turn after a goal: by dice, or the side that conceded it.",
        id="J-BALL-23", source="Q",
    )  # fmt: skip
    first_initiative: Literal["roll", "a", "b"] = number(
        "roll", "Who moves first in turn 1: by dice, or a side.", id="J-BALL-23", source="Q"
    )
    jug_order: Literal["ball", "number", "policy"] = number(
        "ball", "Order in which a side moves its jugs: nearest to the ball first, by number, or as its player likes.",
        id="J-BALL-23", source="Q",
    )  # fmt: skip
    no_jugs: Literal["lose", "play_on"] = number(
        "lose", "A side without a jug in play has lost, or the match goes on.", id="J-BALL-24", source="Q"
    )
    at_cap: Literal["draw", "more_goals"] = number(
        "draw", "A match that is undecided at the limit of turns is a draw, or goes to who has more goals.",
        id="J-BALL-24", source="Q",
    )  # fmt: skip

    # Random jugs
    illegal: Literal["reroll_one", "reroll_jug", "nothing"] = number(
        "reroll_one", "An improvement that a random jug cannot have: that roll again, the whole jug, or nothing.",
        id="J-BALL-22", source="Q",
    )  # fmt: skip
    legs_per_team: int = number(
        7, "Most jugs of a team on legs; where jugs are rolled, one more is an improvement that they cannot have.",
        id="J-BALL-22", source="Q", ge=0, le=7,
    )  # fmt: skip
    special_limit: Literal["one_each", "one_of_three"] = number(
        "one_each", "A jug may have a deflector and a catcher, or only one of legs, deflector and catcher.",
        id="J-BALL-22", source="Q",
    )  # fmt: skip
