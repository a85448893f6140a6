"""How far and in how many rounds a unit crosses a lane that nobody holds, exactly (B-LAN-9, B-LAN-10, B-LAN-11)."""

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from simkit.games.battlesystem.lane import RISE, Lane
from simkit.games.battlesystem.ratings import Rating, rate
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.tables import GRID
from simkit.games.battlesystem.units import Design

COST = {"woods": "woods_cost", "rough": "rough_cost", "swamp": "swamp_cost", "ford": "ford_cost"}
"""Ground that is paid once a round, and the rule that says how much."""

BROKEN = ("woods", "rough", "swamp", "water")
"""Ground on which no unit is closed (B-LAN-11)."""


class Payment(NamedTuple):
    """What a unit paid for on its way."""

    kind: str
    """``"barrier"``, ``"ditch"``, ``"rise"`` or a kind of ground."""
    place: Fraction
    """Where, in inches from its start."""
    share: Fraction
    """How much of its normal move."""


class Leg(NamedTuple):
    """What a unit did in one round."""

    place: Fraction
    """Where its front stands at the end, in inches from its start."""
    moved: Fraction
    """Inches moved."""
    paid: tuple[Payment, ...]
    road: bool
    """Whether it moved at the faster rate of the road."""
    reformed: bool
    """Whether it closed up again at the beginning of its move."""
    closed: bool
    """Whether it is closed at the end."""


class March(NamedTuple):
    """A unit on its way across a lane."""

    legs: tuple[Leg, ...]
    crossed: bool
    """Whether it arrived; if not, it stands for ever where the last leg ended."""

    @property
    def rounds(self) -> int | None:
        """Rounds that it takes, or None where it never arrives."""
        return len(self.legs) if self.crossed else None

    @property
    def fronts(self) -> tuple[Fraction, ...]:
        """Where its front stands after each round, in inches from its start."""
        return tuple(leg.place for leg in self.legs)


class _Front(NamedTuple):
    """Where a front stands, and how much of what lies just there it has passed."""

    place: int
    passed: int = 0


class _Way(NamedTuple):
    """Where a move ended, what was paid, and whether a closed unit was broken up on it."""

    front: _Front
    paid: tuple[Payment, ...]
    broken: bool


def changed(fraction: Fraction, share: Fraction, rules: Rules) -> Fraction:
    """Return the fraction of its normal move that a unit has after a gain, or a cost below 0 (terrain_stack).

    Examples
    --------
    >>> half, third = Fraction(1, 2), Fraction(1, 3)
    >>> [str(changed(half, -third, Rules(terrain_stack=way))) for way in ("add", "multiply")]
    ['1/6', '1/3']
    """
    return fraction + share if rules.terrain_stack == "add" else fraction * (1 + share)


def allowance(move: Fraction, shares: Iterable[Fraction], rules: Rules) -> Fraction:
    """Return how many inches a unit may move when all these shares are gained, or paid below 0 (B-LAN-9).

    Parameters
    ----------
    move
        Normal movement in inches.
    shares
        Fractions of the normal move, in order.
    rules
        The rules in force.

    Returns
    -------
    Fraction
        A multiple of 1/36 inch, rounded down, never below 0.

    Examples
    --------
    >>> rough_and_up = [Fraction(-1, 2), Fraction(-1, 3)]
    >>> [int(allowance(Fraction(12), rough_and_up, Rules(terrain_stack=way))) for way in ("add", "multiply")]
    [2, 4]
    """
    fraction = Fraction(1)
    for share in shares:
        fraction = changed(fraction, share, rules)
    return Fraction(max(math.floor(fraction * move * GRID), 0), GRID)


def march(lane: Lane, rating: Rating, rules: Rules, *, closed: bool = False) -> March:
    """Send a unit across a lane from its beginning.

    Parameters
    ----------
    lane
        The lane as the unit sees it; ``lane.mirrored()`` is that of side b.
    rating
        Its ratings: movement, movement in water and ground that costs it nothing.
    rules
        The rules in force.
    closed
        It begins closed, and closes up again wherever it can (B-LAN-11); else it is open throughout.

    Examples
    --------
    >>> from simkit.games.battlesystem.lane import LaneTable, survey
    >>> from simkit.games.battlesystem.units import find
    >>> woods = survey(LaneTable.model_validate({"length": 20, "ground": [{"from": 10, "to": 18, "kind": "woods"}]}))
    >>> [[int(x) for x in march(woods, rate(find(name), Rules()), Rules()).fronts] for name in ("militia", "elves")]
    [[10, 18, 20], [12, 20]]
    """
    front, is_closed = _Front(0), closed
    legs: list[Leg] = []
    while front.place < lane.length:
        before = (front, is_closed)
        reforms = closed and not is_closed and rules.reform and lane.behind(front.place).kind not in BROKEN
        fraction = Fraction(1)
        if reforms:
            is_closed, fraction = True, changed(fraction, -rules.fraction("reform_move"), rules)
        road, way = _best(lane, front, fraction, rating, rules)
        is_closed = is_closed and not way.broken
        moved = Fraction(way.front.place - front.place, GRID)
        front = way.front
        if (front, is_closed) == before:
            return March(tuple(legs), crossed=False)
        legs.append(Leg(Fraction(front.place, GRID), moved, way.paid, road, reforms, is_closed))
    return March(tuple(legs), crossed=True)


def _best(lane: Lane, front: _Front, fraction: Fraction, rating: Rating, rules: Rules) -> tuple[bool, _Way]:
    """Return the longer of a move at the normal rate and one that stays on the road, and whether it is the latter.

    Of two moves that lead equally far it is the normal one.
    """
    way = _walk(lane, front, fraction, lane.length, rating, rules)
    if lane.ahead(front.place).kind == lane.behind(front.place).kind == "road":
        end = lane.length
        for segment in reversed(lane.segments):
            if segment.end > front.place and segment.kind != "road":
                end = segment.start
        faster = changed(fraction, rules.fraction("road_move"), rules)
        along = _walk(lane, front, faster, end, rating, rules)
        if along.front.place > way.front.place:
            return True, along
    return False, way


def _walk(lane: Lane, front: _Front, fraction: Fraction, end: int, rating: Rating, rules: Rules) -> _Way:
    """Move a front as far as a fraction of its normal move takes it, but not beyond `end` (B-LAN-9).

    What was moved is counted against the allowance, in thirty-sixths of an inch. An inch in water takes less or more of
    it than an inch, as MV is to the movement in water (B-LAN-10).
    """
    place, passed = front
    spent = Fraction(0)
    paid: list[Payment] = []
    grounds: set[str] = set()
    broken = False
    while place < end:
        there = lane.features(place)
        if passed < len(there):
            kind = there[passed]
            cost = rules.fraction("rise_cost" if kind == RISE else "obstacle_cost")
            lower = changed(fraction, -cost, rules)
            if _allowed(rating, lower) < spent:
                break
            fraction, passed = lower, passed + 1
            paid.append(Payment(kind, Fraction(place, GRID), cost))
            broken = broken or kind != RISE
            continue
        ground = lane.ahead(place).kind
        inch = _inch(rating, ground)
        if inch is None:
            break
        due = ground in COST and ground not in grounds and ground not in rating.exempt
        cost = rules.fraction(COST[ground]) if due else Fraction(0)
        lower = changed(fraction, -cost, rules)
        left = _allowed(rating, lower) - spent
        if left <= 0:
            break
        fraction = lower
        if due:
            grounds.add(ground)
            paid.append(Payment(ground, Fraction(place, GRID), cost))
        reach = math.floor(left / inch)
        if reach <= 0:
            break
        broken = broken or ground in BROKEN
        step = min(lane.next_edge(place), end) - place
        if reach < step:
            return _Way(_Front(place + reach), tuple(paid), broken)
        spent += step * inch
        place, passed = place + step, 0
    return _Way(_Front(place, passed), tuple(paid), broken)


def _inch(rating: Rating, ground: str) -> Fraction | None:
    """Return how much of the allowance an inch of a ground takes, or None for water that a unit cannot enter."""
    if ground != "water":
        return Fraction(1)
    return None if rating.swim is None else rating.move / rating.swim


def _allowed(rating: Rating, fraction: Fraction) -> int:
    """Return the allowance of a fraction of its normal move in thirty-sixths of an inch, rounded down."""
    return math.floor(fraction * rating.move * GRID)


class Crossing(NamedTuple):
    """How one kind of unit crosses a lane."""

    name: str
    title: str
    move: Fraction
    """Normal movement in inches."""
    march: March


def table(lane: Lane, designs: Mapping[str, Design], rules: Rules, *, closed: bool = False) -> list[Crossing]:
    """Send every design across a lane, each alone.

    Parameters
    ----------
    lane
        The lane from its beginning.
    designs
        Designs by name, such as ``units.load()``.
    rules
        The rules in force.
    closed
        Whether units begin closed; see :func:`march`.

    Returns
    -------
    list of Crossing
        In the order of `designs`.

    Raises
    ------
    simkit.games.battlesystem.units.UnknownUnitError
        A design names a rider or a mount that is no preset.
    """
    found = []
    for name, design in designs.items():
        rating = rate(design, rules)
        crossing = march(lane, rating, rules, closed=closed)
        found.append(Crossing(name, design.title or name, rating.move, crossing))
    return found
