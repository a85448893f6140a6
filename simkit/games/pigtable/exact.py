"""The exact worth of a route: every throw of dice, weighted by its chance (P-TAB-7, P-GAM-22).

The situations of the turn form an absorbing chain, built by the procedures that matches play, with every total the dice
can show; nothing is planned anew after a lucky escape.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from simkit.core.chain import absorb
from simkit.core.dicetable import draw_of, faces
from simkit.games.pigtable.compile import setup_of
from simkit.games.pigtable.kinds import Aim
from simkit.games.pigtable.records import State
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Laid, Route, Scenario, ground_of, route_of
from simkit.games.pigtable.tables import Ground
from simkit.games.pigtickler.compile import DICE
from simkit.games.pigtickler.records import Purpose
from simkit.games.protocol import Solution

VALUES = ("rumps", "attempt", "rump", "arrived", "wounded", "damaged", "runaway", "killed", "other_wounds")
"""What is told of a route, this one turn alone."""

MATCH = "a match has no exact solution; a [route] has, and simkit map works out every place of a table"


class Turn:
    """The chain of one turn along a route."""

    def __init__(self, ground: Ground, rules: Rules, laid: Laid, target: str = "pig", damage: int = 0) -> None:
        self.setup = setup_of(ground, rules, laid)
        self.memory = State.array(1)
        self.state = self.memory[0]
        self.raw = np.asarray(self.memory).view(np.uint8)
        self.size = int(State.dtype().fields["events"][1])  # type: ignore[index]
        self.rider = np.asarray(self.memory)["ride"]["rider"]
        self.via = np.array(laid.via, np.int64).reshape(-1, 2)
        self.aim = int(Aim.PIG if target == "pig" else Aim.STOP)
        self.damage = damage
        self.draws = {
            int(purpose): [(draw_of(self.setup.course.dice[purpose], face), chance) for face, chance in faces(dice)]
            for purpose in Purpose
            for dice in [rules.rolled(DICE[purpose])]
        }

    def taken(self) -> bytes:
        """Return the situation; how many dice were thrown is forgotten."""
        self.rider["rolls"][0] = 0
        self.rider["thrown"][0] = 0
        return self.raw[: self.size].tobytes()

    def follow(self, situation: bytes) -> dict[bytes, Fraction]:
        """Return what can follow a situation; nothing where the turn is over."""
        from simkit.games.pigtable.routes import go_on

        self.raw[: self.size] = np.frombuffer(situation, np.uint8)
        if not self.state.riding:
            return {}
        found: dict[bytes, Fraction] = {}
        for bits, chance in self.draws[int(self.state.ride.rider.throws_next)]:
            self.raw[: self.size] = np.frombuffer(situation, np.uint8)
            go_on(self.setup, self.state, bits)
            after = self.taken()
            found[after] = found.get(after, Fraction(0)) + chance
        return found

    def solve(self) -> tuple[dict[str, Fraction], int]:
        """Return the exact values, and how many situations there are."""
        from simkit.games.pigtable.routes import begin_route

        begin_route(self.setup, self.state, self.damage, self.via, self.aim)
        visits = absorb({self.taken(): Fraction(1)}, self.follow).visits
        values = dict.fromkeys(VALUES, Fraction(0))
        for situation, chance in visits.items():
            self.raw[: self.size] = np.frombuffer(situation, np.uint8)
            if not self.state.riding:
                for name, value in self.counted().items():
                    values[name] += chance * value
        return values, len(visits)

    def counted(self) -> dict[str, int]:
        """Return what a turn that is over counts."""
        figure, rider = self.state.figures[0], self.state.ride.rider
        return {
            "rumps": int(figure.rumps),
            "attempt": int(figure.attempts > 0),
            "rump": int(figure.rumps > 0),
            "arrived": int(self.aim == Aim.STOP and bool(self.state.ended)),
            "wounded": int(rider.wounds > 0),
            "damaged": int(rider.damage > self.damage),
            "runaway": int(figure.runaways > 0),
            "killed": int(figure.killed > 0),
            "other_wounds": int(rider.other_wounds),
        }


def solve_route(route: Route, ground: Ground, rules: Rules) -> tuple[dict[str, Fraction], int]:
    """Return the exact values of a legal route, and how many situations there are."""
    laid = route_of(route, ground, rules)[0]
    return Turn(ground, rules, laid, route.target, route.damage).solve()


def solve(scenario: Scenario, rules: Rules) -> Solution:
    """Return what is told of a route exactly, or why there is no solution."""
    if scenario.route is None:
        return Solution({}, 0, why=MATCH)
    values, states = solve_route(scenario.route, ground_of(scenario, rules), rules)
    metrics: dict[str, Any] = dict(values)
    return Solution(metrics, states)
