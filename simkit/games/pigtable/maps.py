"""Maps of a table: what each place is worth, how hard the layout is, how fair the starts are (P-GAM-24)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from simkit.games.pigtable.compile import setup_of
from simkit.games.pigtable.exact import Turn
from simkit.games.pigtable.kinds import Aim
from simkit.games.pigtable.records import CANDIDATES, State
from simkit.games.pigtable.rules import Rules
from simkit.games.pigtable.scenario import Laid
from simkit.games.pigtable.shapes import Point, square
from simkit.games.pigtable.tables import UNITS, Ground

SLACK = 1 << 12
"""How far two chances in the scale of kernels may lie apart and yet be in the wrong order: rounding takes less."""


class Best(NamedTuple):
    """The best way to the pig from a place."""

    point: Point
    chance: Fraction
    via: tuple[Point, ...]
    """Its turning points; none where the straight way is the best."""


class Worth(NamedTuple):
    """A table worked out place by place."""

    legs: int
    grid: int
    """Width of a square, in units."""
    cells: tuple[Best, ...]
    starts: tuple[Best, ...]
    hit: Fraction
    """Chance of a rump on an open table."""

    @property
    def mean(self) -> Fraction:
        """Mean chance of a rump over all places."""
        return sum((cell.chance for cell in self.cells), Fraction(0)) / max(len(self.cells), 1)

    @property
    def difficulty(self) -> Fraction:
        """0 on an open table, 1 where nobody can score, below 0 where the terrain helps."""
        return 1 - self.mean / self.hit if self.hit else Fraction(1)

    @property
    def unfairness(self) -> Fraction:
        """Greatest chance from a start less the least one."""
        chances = [start.chance for start in self.starts] or [Fraction(0)]
        return max(chances) - min(chances)


class Eye:
    """Works out the best way to the pig from any place of a table."""

    def __init__(self, ground: Ground, rules: Rules, legs: int = 1, pig: Point | None = None) -> None:
        from simkit.core import jit

        jit.ready("simkit.games.pigtable")
        self.ground, self.rules, self.legs = ground, rules, min(legs, rules.max_legs)
        self.pig = ground.pig if pig is None else pig
        laid = Laid(start=self.pig, via=(), pig=self.pig, lancers=())
        self.setup: Any = setup_of(ground, rules, laid)
        self.state = State.scratch()
        self.strays = rules.neighbour_policy == "straight_on"
        """Another player may steer him into the pig, which counts (P-TAB-7, P-GAM-13)."""
        self.found = np.zeros((CANDIDATES + 1, 3), np.int64)

    def stands(self, point: Point) -> bool:
        """Tell whether a lancer may stand at a point."""
        bases = self.rules.base_lancer + self.rules.base_pig
        if square(point, self.pig) < bases * bases:
            return False
        return not self.ground.blocked_by(point, self.rules.base_lancer)

    def best(self, point: Point) -> Best:
        """Return the best way from a point where a lancer may stand; of equal ones the first (P-GAM-20)."""
        from simkit.games.pigtable.routes import judge_all

        count = judge_all(self.setup, self.state, *point, self.legs, self.strays, self.found)
        chances = self.found[:count, 0]
        near = np.flatnonzero(chances >= chances.max() - SLACK) if chances.max() > 0 else [0]
        routes = [(tuple(self.found[k, 1:].tolist()),) if k else () for k in near]
        exact = [Fraction(0) if chances.max() == 0 else self.chance(point, via) for via in routes]
        most = max(exact)
        return Best(point, most, routes[exact.index(most)])

    def chance(self, point: Point, via: Sequence[Point]) -> Fraction:
        """Return the exact chance of a rump by one route: one product (P-GAM-22), where nobody steers him into it."""
        from simkit.games.pigtable.routes import judge_route

        if self.strays:
            laid = Laid(start=point, via=tuple(via), pig=self.pig, lancers=())
            return Turn(self.ground, self.rules, laid).solve()[0]["rump"]
        self.setup.start_x[0], self.setup.start_y[0] = point
        corners = np.array(via, np.int64).reshape(-1, 2)
        judge_route(self.setup, self.state, 0, corners, int(Aim.PIG))
        if self.state.rump == 0:
            return Fraction(0)
        product = Fraction(1)
        for k in range(int(self.state.factors)):
            product *= Fraction(int(self.state.numerators[k]), int(self.state.denominators[k]))
        return product


def middles(ground: Ground, grid: int) -> Iterator[Point]:
    """List the middles of the squares of a table, row by row from the south-west."""
    first = -ground.half + grid // 2
    for y in range(first, ground.half, grid):
        for x in range(first, ground.half, grid):
            yield x, y


def open_chance(rules: Rules) -> Fraction:
    """Return the chance of a rump at the pig without a descent (P-GAM-2, P-GAM-24)."""
    from simkit.core.dicetable import faces

    return sum((chance for value, chance in faces(rules.rolled("hit_dice")) if value >= rules.hit_target), Fraction(0))


def work_out(ground: Ground, rules: Rules, legs: int = 1, grid: int = UNITS, pig: Point | None = None) -> Worth:
    """Work out every place of a table, with the pig where it starts or elsewhere.

    Parameters
    ----------
    ground, rules
        The table and the rule set.
    legs
        1: straight ways only; 2: with one turning point.
    grid
        Width of a square, in units.

    Returns
    -------
    Worth
        Exact chances of a rump in this turn.
    """
    eye = Eye(ground, rules, legs, pig)
    cells = tuple(eye.best(point) for point in middles(ground, grid) if eye.stands(point))
    starts = tuple(eye.best(point) for point in ground.starts if eye.stands(point))
    return Worth(legs, grid, cells, starts, open_chance(rules))


def wandering(ground: Ground, rules: Rules, moves: int, seed: int = 1) -> list[Point]:
    """Return where the pig comes to by so many random moves about the table without lancers (P-GAM-16)."""
    from simkit.core.rng import make_key
    from simkit.games.pigtable.routes import wander

    eye, key = Eye(ground, rules), make_key(seed)
    found = np.zeros((moves, 2), np.int64)
    wander(eye.setup, eye.state, key.stream, key.tweak, found)
    return [(x, y) for x, y in found.tolist()]


def averaged(ground: Ground, rules: Rules, legs: int, grid: int, moves: int, seed: int = 1) -> Worth:
    """Work a table out for every place that the pig comes to by random moves, and return the mean (P-GAM-24).

    A place has the mean over those places of the pig that leave it free; it has no best way, as they are many.
    """
    sums: dict[Point, list[Fraction]] = {}
    starts: dict[Point, list[Fraction]] = {}
    for pig in wandering(ground, rules, moves, seed):
        one = work_out(ground, rules, legs, grid, pig)
        for kept, cells in ((sums, one.cells), (starts, one.starts)):
            for cell in cells:
                kept.setdefault(cell.point, []).append(cell.chance)

    def means(kept: dict[Point, list[Fraction]]) -> tuple[Best, ...]:
        return tuple(Best(point, sum(chances, Fraction(0)) / len(chances), ()) for point, chances in kept.items())

    return Worth(legs, grid, means(sums), means(starts), open_chance(rules))
