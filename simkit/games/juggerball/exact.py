"""Exact chances of one move of the ball: every die weighed, in fractions (J-BALL-9 to 17).

The situations of a moving ball form an absorbing chain, solved by :func:`simkit.core.chain.absorb`; where it goes is
told by the rules that the kernels use. There is no limit of bounces here: by the 64th a ball stops anyway but for a
chance below 10**-5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from simkit.core.chain import absorb
from simkit.core.dice import parse
from simkit.core.dicetable import faces
from simkit.core.hexgrid import turned
from simkit.games.jugger.chances import plain
from simkit.games.jugger.maps import SOLID, Place
from simkit.games.juggerball import headings
from simkit.games.juggerball.fields import STEPS, PlayField
from simkit.games.juggerball.rules import Rules
from simkit.games.juggerball.scenario import Scenario
from simkit.games.protocol import Solution

TWELFTH = 30
"""Degrees of a heading."""

ALL_HEADINGS = 12
DIE = 6
ANGLES = {"left": -1, "straight": 0, "right": 1}
FLANKS = 4
"""Sides by which a ball between two jugs can leave (J-BALL-15)."""


class Moving(NamedTuple):
    """A moving ball."""

    place: Place
    left: int
    heading: int
    side: int


class Resting(NamedTuple):
    """Where a ball has ended."""

    how: str
    """``"end"`` at rest, ``"caught"``, ``"held"``, or ``"goal"`` in the goal of seat 0 or 1."""
    place: Place
    seat: int = -1


@dataclass(frozen=True)
class Ends:
    """How a move of the ball ends."""

    end: Mapping[Place, Fraction] = field(default_factory=dict)
    """Where it comes to rest."""
    caught: Mapping[Place, Fraction] = field(default_factory=dict)
    held: Mapping[Place, Fraction] = field(default_factory=dict)
    score_a: Fraction = Fraction(0)
    """Chance that side A, whose goal is in the west, has scored."""
    score_b: Fraction = Fraction(0)


class Pitch:
    """A field with jugs on it, under a rule set.

    Parameters
    ----------
    ground
        The field.
    rules
        The rules.
    jugs
        Hexes of all jugs, which are objects to the ball.
    catchers
        Hexes that jugs face who catch whatever enters.
    """

    def __init__(self, ground: PlayField, rules: Rules, jugs: Sequence[Place], catchers: Sequence[Place] = ()) -> None:
        map = ground.map(goals=False)
        solid = {place for kind in SOLID for place in map.places(kind)}
        self.free = set(map.hexes()) - solid - set(jugs)
        self.goals, self.rules = ground.goals, rules
        self.catchers = frozenset(catchers)
        self.low = Fraction(min(DIE, max(0, rules.spine_at_most)), DIE)

    def ahead(self, place: Place, side: int) -> int | None:
        """Tell what a step through a side meets: seat of an open goal, -1 for nothing, None for an object."""
        if place in self.goals:
            seat = self.goals.index(place)
            return seat if place in self.free and plain(headings.opens)(seat, side) else None
        return -1 if place in self.free else None

    def steered(self, place: Place, left: int, heading: int) -> dict[Moving, Fraction]:
        """Return the ball on a heading; along a spine a die says which side comes first (J-BALL-11)."""
        if not plain(headings.is_spine)(heading):
            return {Moving(place, left, heading, plain(headings.side_of_heading)(heading)): Fraction(1)}
        found = dict[Moving, Fraction]()
        for low, chance in ((True, self.low), (False, 1 - self.low)):
            if self.rules.ball_headings < ALL_HEADINGS:
                after = plain(headings.to_one_side)(heading, low)
                moving = Moving(place, left, after, plain(headings.side_of_heading)(after))
            else:
                moving = Moving(place, left, heading, plain(headings.first_side)(heading, low))
            found[moving] = found.get(moving, Fraction(0)) + chance
        return found

    def follow(self, state: Moving | Resting) -> Mapping[Moving | Resting, Fraction]:
        """Return what may follow a situation: a step, a bounce, the end."""
        if isinstance(state, Resting):
            return {}
        place, left, heading, side = state
        if left <= 0:
            return {Resting("end", place): Fraction(1)}
        next = (place[0] + STEPS[side][0], place[1] + STEPS[side][1])
        seat = self.ahead(next, side)
        if seat is None:
            return self.bounced(state)
        if seat >= 0:
            return {Resting("goal", next, seat): Fraction(1)}
        if next in self.catchers:
            return {Resting("caught", next): Fraction(1)}
        return {Moving(next, left - 1, heading, plain(headings.next_side)(heading, side)): Fraction(1)}

    def bounced(self, state: Moving) -> Mapping[Moving | Resting, Fraction]:
        """Return what a bounce leads to (J-BALL-12)."""
        found = dict[Moving | Resting, Fraction]()
        for degrees in self.rules.bounce_table:
            for after, chance in self._after(state, degrees // TWELFTH):
                found[after] = found.get(after, Fraction(0)) + chance / DIE
        return found

    def _after(self, state: Moving, turn: int) -> list[tuple[Moving | Resting, Fraction]]:
        place, left, heading, _ = state
        if turn == 0:
            return [(Resting("end", place), Fraction(1))]
        if self.rules.ball_headings < ALL_HEADINGS and abs(turn) == headings.RIGHT_ANGLE:
            shares = {1: self.low, 2: 1 - self.low}
            if self.rules.right_angle != "coin":
                shares = {int(self.rules.right_angle) // 60: Fraction(1)}
            after = [(plain(headings.right_angle)(heading, turn, sixths), chance) for sixths, chance in shares.items()]
            return [(Moving(place, left, one, plain(headings.side_of_heading)(one)), chance) for one, chance in after]
        return [*self.steered(place, left, plain(headings.bounced)(heading, turn)).items()]

    def run(self, starts: Mapping[Moving, Fraction]) -> Ends:
        """Return how a move of the ball ends that begins in one of these ways."""
        first: dict[Moving | Resting, Fraction] = dict(starts.items())
        solved = absorb(first, self.follow)
        found = {state: chance for state, chance in solved.visits.items() if isinstance(state, Resting) and chance}
        by_how = {
            how: {state.place: chance for state, chance in found.items() if state.how == how}
            for how in ("end", "caught", "held")
        }
        scores = [
            sum((chance for state, chance in found.items() if state.how == "goal" and state.seat == seat), Fraction(0))
            for seat in range(2)
        ]
        return Ends(**by_how, score_a=scores[1], score_b=scores[0])

    # Occasions

    def hit(self, ball: Place, facing: int, velocity: int, angle: str = "straight", *, kick: bool = False) -> Ends:
        """Return what becomes of a ball that is hit or kicked (J-BALL-9, J-BALL-14)."""
        heading = plain(headings.heading_of)(facing, ANGLES[angle])
        far = {velocity: Fraction(1)}
        if kick:
            far = {velocity + shown: chance for shown, chance in faces(parse(self.rules.ball_kick_dice))}
        return self.run(self._starts(ball, heading, far))

    def roll(self, ball: Place, facing: int) -> Ends:
        """Return what becomes of a ball that rolls away from its pusher (J-BALL-13)."""
        far = dict(faces(parse(self.rules.ball_roll_dice)))
        return self.run(self._starts(ball, plain(headings.heading_of)(facing, 0), far))

    def head_on(self, ball: Place, facing: int, velocity: int) -> Ends:
        """Return what becomes of a ball between two jugs; the facing is the pusher's (J-BALL-15)."""
        starts = dict[Moving, Fraction]()
        for die in range(1, FLANKS + 1):
            heading = plain(headings.heading_of)(plain(headings.flank)(facing, die), 0)
            for moving, chance in self._starts(ball, heading, {velocity: Fraction(1)}).items():
                starts[moving] = starts.get(moving, Fraction(0)) + chance / FLANKS
        return self.run(starts)

    def _starts(self, ball: Place, heading: int, far: Mapping[int, Fraction]) -> dict[Moving, Fraction]:
        return {
            moving: chance * likely
            for hexes, likely in far.items()
            for moving, chance in self.steered(ball, hexes, heading).items()
        }

    def push(self, jug: Place, facing: int, velocity: int, actions: Sequence[str]) -> Ends:
        """Return what becomes of a ball that a jug holds and takes along (J-BALL-13).

        Actions are ``"forward"``, ``"left"`` and ``"right"``; they end where the ball is lost, or in a goal.
        """
        moved = 0
        ball = _step(jug, facing)
        for action in actions:
            if action == "forward":
                next, side = _step(ball, facing), facing
            else:
                way = ANGLES[action]
                facing = plain(turned)(facing, way)
                next, side = _step(jug, facing), plain(turned)(facing, way)
            seat = self.ahead(next, side)
            if seat is not None and seat >= 0:
                return Ends(score_a=Fraction(seat == 1), score_b=Fraction(seat == 0))
            if seat is None and action == "forward":
                self.free -= {jug}
                heading = plain(headings.heading_of)(facing, 0)
                return self.run(self._starts(ball, heading, {velocity - moved: Fraction(1)}))
            if seat is None:
                return Ends(end={ball: Fraction(1)})
            if action == "forward":
                jug, moved = ball, moved + 1
            ball = next
        return Ends(held={ball: Fraction(1)})


def _step(place: Place, side: int) -> Place:
    return place[0] + STEPS[side][0], place[1] + STEPS[side][1]


def solve(scenario: Scenario, rules: Rules) -> Solution:
    """Say why a whole match is not solved."""
    why = "a match has far more situations than can be counted; one move of the ball can be solved"
    return Solution({}, 0, why=why)
