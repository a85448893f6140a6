"""What the players ``chase`` and ``greedy`` value, in hundredths (J-BALL-25).

They are part of a setup, so that results of one set are never taken for those of another.
"""

from collections.abc import Mapping

from simkit.games.protocol import Weight

MOST = 100_000

TABLE = (
    Weight("goal", 3000, 0, MOST, "A goal."),
    Weight("own_goal", 3000, 0, MOST, "An own goal."),
    Weight("way", 100, 0, MOST, "A step of the ball nearer to the enemy's goal."),
    Weight("chase", 60, 0, MOST, "A hex or turn between a chaser and the hex behind the ball."),
    Weight("guard", 40, 0, MOST, "A hex between the guard and its place before the own goal."),
    Weight("guards", 1, 0, 7, "Jugs nearest to the own goal, of those who do not chase, that guard it."),
    Weight("hunt", 30, 0, MOST, "A hex between a hunter and its enemy."),
    Weight("hits", 10, 0, MOST, "A hit dealt or taken."),
    Weight("doubled", 2, 0, 100, "How many times a hit counts that is dealt near the ball, or to its holder."),
    Weight("near", 2, 0, 32, "How many hexes are near."),
    Weight("cover", 4, 0, 32, "How many steps of the ball before it the guard has its place."),
    Weight("chasers", 2, 0, 7, "Jugs nearest to the ball that chase it."),
    Weight("crash", 10, 0, MOST, "A hit that a collision next turn costs which no turn avoids."),
)
"""Every value: its name, what greedy players give it, its least and greatest, and what it is put on."""

GREEDY: Mapping[str, int] = {weight.name: weight.default for weight in TABLE}
CHASE: Mapping[str, int] = {**GREEDY, "hits": 0, "guard": 0, "guards": 0, "hunt": 0, "chasers": 7}
NOTHING: Mapping[str, int] = dict.fromkeys(GREEDY, 0)

VALUES: Mapping[str, Mapping[str, int]] = {"hold": NOTHING, "random": NOTHING, "chase": CHASE, "greedy": GREEDY}
"""Values by policy, where a side has no others."""
