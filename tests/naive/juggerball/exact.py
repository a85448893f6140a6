"""The flight of the ball exactly: every die enumerated, in fractions, without a limit of bounces.

The chance to end in each hex (or to be caught there, or to score) follows from linear equations: a bounce leaves the
ball in its hex with the same hexes to go, so that the chances of all sides through which it could leave that hex
depend on one another; a step lowers the hexes to go.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.naive.jugger.board import Hex
from tests.naive.juggerball.field import Field
from tests.naive.juggerball.physics import BOUNCE, object_at, sides_of

Spread = dict[tuple[str, Hex], Fraction]
"""Chances of what becomes of a ball: ("end" | "caught" | "goal" | "held", hex)."""

HALF, SIXTH = Fraction(1, 2), Fraction(1, 6)
State = tuple[int, int]
"""A heading, and the side it goes through next."""


def add(into: dict[Any, Fraction], spread: Spread, share: Fraction = Fraction(1)) -> None:
    """Add a share of a spread to another one."""
    for key, chance in spread.items():
        into[key] += chance * share


@dataclass
class Flights:
    """Flights of the ball among things that stay where they are."""

    ground: Field
    jugs: frozenset[Hex]
    headings: int = 12
    right_angle: str = "coin"
    catch_hexes: frozenset[Hex] = frozenset()
    known: dict[tuple[Hex, int], dict[State, Spread]] = field(default_factory=dict)

    def jug_at(self, place: Hex) -> Hex | None:
        """Return a hex if a jug stands there."""
        return place if place in self.jugs else None

    def states(self, heading: int) -> dict[State, Fraction]:
        """Return the states in which a newly set heading starts (J-BALL-11)."""
        sides = sides_of(heading % 12)
        if len(sides) == 1:
            return {(heading % 12, sides[0]): Fraction(1)}
        return {(heading % 12 if self.headings == 12 else 2 * side, side): HALF for side in sides}

    def thrown(self, heading: int) -> dict[State, Fraction]:
        """Return the states after a bounce, without the dead stop (J-BALL-12)."""
        found: dict[State, Fraction] = defaultdict(Fraction)
        for turn in (degrees // 30 for degrees in BOUNCE if degrees):
            if self.headings == 6 and abs(turn) == 3:
                hand = turn // 3
                turns = {"60": [2], "120": [4], "coin": [2, 4]}[self.right_angle]
                for more in turns:
                    add(found, self.states(heading + hand * more), SIXTH / len(turns))  # type: ignore[arg-type]
            else:
                add(found, self.states(heading + turn), SIXTH)  # type: ignore[arg-type]
        return found

    def run(self, place: Hex, heading: int, hexes: int) -> Spread:
        """Return what becomes of a ball that is set off."""
        found: Spread = defaultdict(Fraction)
        for state, chance in self.states(heading).items():
            add(found, self.ends(place, hexes)[state], chance)
        return dict(found)

    def ends(self, place: Hex, hexes: int) -> dict[State, Spread]:
        """Return what becomes of a ball in a hex with so many hexes to go, for every state it could be in."""
        if (place, hexes) in self.known:
            return self.known[place, hexes]
        states = [(h, side) for h in range(12) for side in sides_of(h)]
        if hexes == 0:
            result = {state: {("end", place): Fraction(1)} for state in states}
        else:
            result = self.solve(place, hexes, states)
        self.known[place, hexes] = result
        return result

    def solve(self, place: Hex, hexes: int, states: list[State]) -> dict[State, Spread]:
        """Solve the equations of one hex: x = stop / 6 + sum of chances times x after the bounce, or a step."""
        done: dict[State, Spread] = {}
        bounced: dict[State, dict[State, Fraction]] = {}
        for heading, side in states:
            thing, ahead = object_at(self.ground, self.jug_at, place, side)
            if thing is None:
                done[heading, side] = self.stepped(ahead, heading, side, hexes)
            else:
                bounced[heading, side] = self.thrown(heading)
        order = list(bounced)
        matrix = [[Fraction(int(i == j)) - bounced[i].get(j, Fraction(0)) for j in order] for i in order]
        known: list[Spread] = []
        for state in order:
            spread: Spread = defaultdict(Fraction)
            spread["end", place] += SIXTH
            for after, chance in bounced[state].items():
                if after in done:
                    add(spread, done[after], chance)
            known.append(spread)
        eliminate(matrix, known)
        return {**done, **dict(zip(order, known, strict=True))}

    def stepped(self, ahead: Hex, heading: int, side: int, hexes: int) -> Spread:
        """Return what becomes of a ball that steps into a hex."""
        if ahead in self.ground.goals:
            return {("goal", ahead): Fraction(1)}
        if ahead in self.catch_hexes:
            return {("caught", ahead): Fraction(1)}
        sides = sides_of(heading)
        other = sides[side == sides[0]] if len(sides) == 2 else side
        return self.ends(ahead, hexes - 1)[heading, other]


def eliminate(matrix: list[list[Fraction]], known: list[Spread]) -> None:
    """Solve a system of equations in place (Gauss and Jordan); the right hand sides are spreads."""
    for i in range(len(matrix)):
        pivot = next(j for j in range(i, len(matrix)) if matrix[j][i])
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        known[i], known[pivot] = known[pivot], known[i]
        scale = 1 / matrix[i][i]
        matrix[i] = [value * scale for value in matrix[i]]
        known[i] = {key: value * scale for key, value in known[i].items()}
        for j, row in enumerate(matrix):
            if j != i and row[i]:
                factor = row[i]
                matrix[j] = [a - factor * c for a, c in zip(row, matrix[i], strict=True)]
                changed: Spread = defaultdict(Fraction, known[j])
                add(changed, known[i], -factor)
                known[j] = changed


# Occasions


def hit(flights: Flights, ball: Hex, facing: int, velocity: int, angle: int = 0, *, kick: bool = False) -> Spread:
    """Return what becomes of a ball that is hit, or kicked, by a jug behind it (J-BALL-9, J-BALL-14)."""
    found: Spread = defaultdict(Fraction)
    farther: Iterable[int] = range(1, 7) if kick else (0,)
    shares = [Fraction(1, 6)] * 6 if kick else [Fraction(1)]
    for more, share in zip(farther, shares, strict=True):
        add(found, flights.run(ball, 2 * facing + angle, velocity + more), share)
    return dict(found)


def roll(flights: Flights, ball: Hex, facing: int) -> Spread:
    """Return what becomes of a ball that rolls on (J-BALL-13)."""
    found: Spread = defaultdict(Fraction)
    for hexes in range(1, 7):
        add(found, flights.run(ball, 2 * facing, hexes), SIXTH)
    return dict(found)


def head_on(flights: Flights, ball: Hex, facing: int, hexes: int) -> Spread:
    """Return what becomes of a ball between two jugs head to head (J-BALL-15)."""
    found: Spread = defaultdict(Fraction)
    for arc in (1, 2, 4, 5):
        add(found, flights.run(ball, 2 * (facing + arc), hexes), Fraction(1, 4))
    return dict(found)
