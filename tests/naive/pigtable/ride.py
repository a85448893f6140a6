"""A lancer's turn on a table: plans, legs, changes of direction, contacts, runaways (P-GAM-6 to P-GAM-14).

Every roll is made by the twin of a course, a task at a time; here is only where he is and what he meets.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any, NamedTuple

from tests.naive.pigtable.lines import EDGE, PIG, Event, Ground, lancer_solid, pig_solid, row
from tests.naive.pigtable.notes import AT_PIG, KINDS, STAYS, STOPS, Notebook, injury
from tests.naive.pigtable.shapes import Point, cross, minus, squared
from tests.naive.pigtable.table import Table
from tests.naive.pigtickler import GOES_ON, TURN_OVER, Rider, Task, Throws, Trial

ANEW = "plans anew"
NO_LANCERS: Mapping[int, "Man"] = {}


@dataclass
class Man(Rider):
    """A lancer on a table: all that a rider of a course has, and where he is."""

    seat: int = 0
    place: Point = (0, 0)
    lost: int = 0  # turns still to lose
    attempts: int = 0
    arrived: bool = False
    runaways: int = 0
    distance: int = 0
    pig_contacts: int = 0


class Plan(NamedTuple):
    """The ends of the legs that he means to ride; the last is the pig's centre or where he stops."""

    points: tuple[Point, ...]
    target: str  # pig, stop

    def legs(self, start: Point) -> list[Point]:
        """Return the ends of the legs; a point equal to the one before it makes no leg."""
        ends: list[Point] = []
        for point in self.points:
            if point != (ends[-1] if ends else start):
                ends.append(point)
        return ends


class Ride(Trial):
    """One turn of a lancer."""

    def __init__(
        self,
        table: Table,
        rules: dict[str, Any],
        man: Man,
        pig: Point,
        others: Mapping[int, Man] = NO_LANCERS,
        planner: Callable[["Ride"], Plan] | None = None,
        book: Notebook | None = None,
    ) -> None:
        self.table, self.rules, self.rider = table, rules, man
        self.pig, self.others, self.planner = pig, others, planner
        self.book = book or Notebook()
        self.tasks: list[Task] = []
        self.limit: int | None = 1
        self.turn = 1
        self.rolls = 0
        self.last_total = 0
        self.begun = 0  # legs begun this turn
        self.leg_from = self.leg_to = man.place  # the line that he rides, or rode last
        self.doing = ("", -1, -1)  # the kind of the task, its piece, its other lancer
        self.collided = False

    @property
    def man(self) -> Man:
        """The rider, as a man on a table."""
        assert isinstance(self.rider, Man)
        return self.rider

    def neighbour(self) -> int:
        """Return the seat that steers a runaway; a match knows better."""
        return -1

    def struck(self, other: int, wound: bool, damage: bool) -> None:
        """Take note that the other lancer of a collision was hurt; a match does more."""

    def ground(self) -> Ground:
        """Return the table as he meets it now."""
        figures = [pig_solid(self.pig, self.rules)]
        figures += [lancer_solid(seat, other.place, self.rules) for seat, other in sorted(self.others.items())]
        return Ground(self.table, self.rules["base_lancer"], figures)

    # The turn

    def ride(self) -> Throws:
        """Ride by plan after plan until the turn is over."""
        man = self.man
        man.levels, man.leg, man.spent = 0, 0, False  # P-CRS-2
        fate = ANEW
        while fate == ANEW:
            man.leg = 0  # P-GAM-11: the first direction is free, and it is another one
            assert self.planner is not None
            plan = self.planner(self)
            self.tell(plan)
            fate = yield from self.follow(plan)

    def tell(self, plan: Plan) -> None:
        """Write a plan down."""
        ends = plan.legs(self.man.place)
        kind = STAYS if not ends else AT_PIG if plan.target == "pig" else STOPS
        self.book.write("PLAN", self.man.seat, value=len(ends), extra=kind)
        for k, (x, y) in enumerate(ends):
            self.book.write("VIA", self.man.seat, roll=k + 1, value=x, extra=y)

    def follow(self, plan: Plan) -> Throws:
        """Ride a plan's legs."""
        ends = plan.legs(self.man.place)
        if not ends:
            return TURN_OVER
        for k, end in enumerate(ends):
            if self.begun == self.rules["max_legs"]:
                x, y = self.man.place
                self.book.write("LIMIT", self.man.seat, value=x, extra=y)
                return TURN_OVER
            if k > 0 and not same_direction(minus(self.leg_to, self.leg_from), minus(end, self.leg_to)):
                fate = yield from self.change_direction()
                if fate != GOES_ON:
                    return fate
            self.begun += 1
            fate = yield from self.leg(self.man.place, end)
            if fate != GOES_ON:
                return fate
        assert plan.target == "stop", "a leg at the pig ends in a contact"
        return (yield from self.stop())

    def leg(self, a: Point, b: Point) -> Throws:
        """Ride a leg, event by event."""
        self.leg_from, self.leg_to = a, b
        for event in self.ground().events(a, b):
            fate = yield from self.meet(event)
            if fate != GOES_ON:
                return fate
        self.rides(b)
        return GOES_ON

    def rides(self, place: Point) -> None:
        """Put him where the ride of a leg ends."""
        way = isqrt(squared(self.leg_from, place))
        self.man.distance += way
        self.man.place = place
        self.book.write("RIDES", self.man.seat, roll=way, value=place[0], extra=place[1])

    def at(self, index: int) -> Point:
        """Return a lattice point of the leg."""
        xs, ys = row(self.leg_from, self.leg_to)
        return int(xs[index]), int(ys[index])

    def do(self, kind: str, detail: Any = None, piece: int = -1, other: int = -1) -> Throws:
        """Do a task of a course; a level, a bog or a fence counts as done whichever way it ends."""
        self.doing = (kind, piece, other)
        self.collided = False
        return (yield from self.attempt(Task(kind, detail, "edge")))

    # What is met

    def meet(self, event: Event) -> Throws:
        """Meet something on the leg."""
        man, rules = self.man, self.rules
        if event.what == "down":
            fate = yield from self.do("down", 1)
            self.book.write("DOWN", man.seat, piece=event.number, value=man.levels)
            return fate
        if event.what in ("up", "enter", "leave"):
            kind = "level" if event.what == "up" else event.what
            fate = yield from self.do(kind, event.kind, event.number)
            if fate != GOES_ON:  # P-GAM-10
                again = rules["uphill_reroll" if kind == "level" else "bog_edge_reroll"]
                before = again and not event.moved
                self.rides(self.at(event.index - 1) if before else event.end)
            return fate
        if event.what == "cross":
            return (yield from self.cross(event))
        if event.what == "ramp":
            fate = yield from self.do("ramp", None, event.number)
            if fate != GOES_ON:
                self.rides(event.end)
            return fate
        self.rides(event.end)
        return (yield from self.contact(event))

    def cross(self, event: Event) -> Throws:
        """Cross a fence or a hedge, as often as an 11-12 lets him try again (P-LIN-2, P-LIN-4, P-CRS-7)."""
        man = self.man
        done = man.task
        no_try = man.levels > 0 and self.rules["downhill_cross"] == "forbidden"
        if no_try:
            self.rides(event.end)
        fate = GOES_ON
        while fate == GOES_ON and man.task == done:
            fate = yield from self.do("fence", None, event.number)
        if fate != GOES_ON and not no_try:
            self.rides(self.at(event.clear) if man.task > done else event.end)
        return fate

    def contact(self, event: Event) -> Throws:
        """Be in contact with what he doesn't turn away from (P-GAM-8, P-GAM-13)."""
        man, kind = self.man, event.kind
        if kind == "pig":
            man.attempts += 1
            return (yield from self.do("pig", None, PIG))
        if man.levels == 0 or (kind == "edge" and self.rules["edge"] == "stops"):
            return TURN_OVER
        if kind == "chasm":  # P-SPC-1
            self.doing = ("chasm", event.number, -1)
            return self.kill()
        other = event.number if kind == "lancer" else -1
        self.doing = (kind, EDGE if kind == "edge" else event.number if other < 0 else -1, other)
        if kind == "lancer":
            yield from self.other_collision()
        return ANEW if (yield from self.collision()) else TURN_OVER

    def change_direction(self) -> Throws:
        """Change direction at the end of a leg (P-GAM-7)."""
        man = self.man
        kind, contact = change_at(self.ground(), self.rules, self.leg_from, self.leg_to)
        if kind == "bend":
            bog = next(k for k, p in enumerate(self.table.pieces) if p.kind == "bog" and self.in_bog(k))
            return (yield from self.do("bend", self.table.pieces[bog].bog, bog))
        if kind == "turn" or contact is None:
            return (yield from self.do("turn"))
        other = contact.number if kind == "lancer" else -1
        fate = yield from self.do(kind, None, -1 if other >= 0 else contact.number, other)
        if self.collided and fate == TURN_OVER and contact.end != man.place:  # P-GAM-10: he has ridden on into it
            self.leg_from = man.place
            self.rides(contact.end)
        return fate

    def in_bog(self, piece: int) -> bool:
        """Tell whether he stands in a bog."""
        shape: Any = self.table.pieces[piece].shape
        return bool(shape.holds(*self.man.place, border=False))

    def stop(self) -> Throws:
        """Stop at the end of a plan (P-GAM-9)."""
        man, before = self.man, self.man.runaways
        if man.levels == 0 or self.table.bog_at(*man.place) is not None:
            man.arrived = True
            return TURN_OVER
        fate = yield from self.do("stop")
        man.arrived = man.runaways == before
        return fate

    def run_away(self, ahead: str, *, to_contact: bool) -> Throws:
        """Somebody else steers him straight on (P-GAM-13)."""
        man = self.man
        man.runaway = True
        man.runaways += 1
        runs_on = self.doing[0] == "stop" and self.rules["failed_stop"] == "runs_on"
        x, y = man.place
        self.book.write("STEERED", man.seat, other=-1 if runs_on else self.neighbour(), value=x, extra=y)
        events = self.ground().runaway(self.leg_from, self.leg_to)
        goal, pig_ahead = steered_to(events, to_contact=to_contact)
        if pig_ahead:
            return TURN_OVER
        self.leg_from, self.leg_to = self.leg_to, self.ground().ray(self.leg_from, self.leg_to)
        fate = GOES_ON
        for event in events:
            if event is goal:
                fate = yield from self.reach(event)
            else:
                fate = yield from self.meet(event)
            if fate != GOES_ON:
                break
        return fate if fate != GOES_ON else TURN_OVER

    def reach(self, goal: Event) -> Throws:
        """Be left just inside a bog or beyond a ramp."""
        fate = yield from self.do(goal.what, goal.kind, goal.number)
        over = goal.what == "ramp" and fate == GOES_ON
        self.rides(self.at(goal.clear) if over else goal.end)
        return TURN_OVER if fate == GOES_ON else fate

    # Throws, and what is written of them

    def throw(self, purpose: str) -> Throws:
        """Throw dice and remember what they showed."""
        self.last_total = yield from super().throw(purpose)
        if purpose == "fence":
            over = self.last_total % 2 == 0
            self.book.write("FENCE", self.man.seat, piece=self.doing[1], roll=self.last_total, extra=int(over))
        return self.last_total

    def manoeuvre(self, modifier: int) -> Throws:
        """Make a manoeuvre roll and write it down."""
        passed = yield from super().manoeuvre(modifier)
        kind, piece, other = self.doing
        net = modifier + self.rules["damage_modifier"] * self.man.damage
        extra = 2 * KINDS[kind] + passed
        self.book.write(
            "MANOEUVRE", self.man.seat, other=other, piece=piece, roll=self.last_total, value=net, extra=extra
        )
        return passed

    def collision(self) -> Throws:
        """Roll on the collision table and write it down."""
        whee = yield from super().collision()
        self.collided = True
        _, piece, other = self.doing
        row_of = injury(*self.harm(self.last_total), self.last_total)
        self.book.write("COLLISION", self.man.seat, other=other, piece=piece, roll=self.last_total, value=row_of)
        return whee

    def other_collision(self) -> Throws:
        """Roll for the other lancer, write it down and hurt him."""
        yield from super().other_collision()
        other = self.doing[2]
        wound, damage = self.harm(self.last_total)
        row_of = injury(wound, damage, self.last_total)
        self.book.write("OTHER", self.man.seat, other=other, roll=self.last_total, value=row_of)
        self.struck(other, wound, damage)

    def hit(self) -> Throws:
        """Roll for a hit and write it down."""
        man, before, wounds = self.man, self.man.rumps, self.man.wounds
        bonus = (man.leg if self.rules["pig_bonus"] == "straight_leg" else man.levels) > 0
        yield from super().hit()
        rump, fumble = man.rumps > before, man.wounds > wounds
        if rump and bonus:
            man.rumps += self.rules["downhill_rumps"] - 1
        extra = rump + 2 * fumble
        self.book.write("HIT", man.seat, piece=PIG, roll=self.last_total, value=int(bonus), extra=extra)

    def wound(self) -> None:
        """Count a wound and the turns that it loses (P-GAM-3, P-GAM-14)."""
        super().wound()
        lose(self.man, self.rules)


def lose(man: Man, rules: Mapping[str, Any]) -> None:
    """Let a wound cost turns (P-GAM-14)."""
    if rules["wound_effect"] == "lose_next_turn":
        man.lost = man.lost + 1 if rules["lost_turns"] == "add" else 1


def same_direction(one: Point, other: Point) -> bool:
    """Tell whether two ways go in the same direction (P-GAM-7)."""
    return cross(one, other) == 0 and one[0] * other[0] + one[1] * other[1] > 0


def change_at(ground: Ground, rules: Mapping[str, Any], before: Point, place: Point) -> tuple[str, Event | None]:
    """Return the kind of a change of direction at the end of a leg, and what it turns away from (P-GAM-7)."""
    if ground.table.bog_at(*place) is not None:
        return "bend", None
    contact = ground.first_contact(before, place)
    if squared(place, contact.end) > rules["avoid_within"] ** 2 or contact.kind in ("pig", "edge"):
        return "turn", None
    names = {"wall": "beside", "fence": "beside", "hedge": "beside", "ramp": "chasm"}
    return names.get(contact.kind, contact.kind), contact


def steered_to(events: list[Event], *, to_contact: bool) -> tuple[Event | None, bool]:
    """Return the bog or ramp that the neighbour leaves him at, and whether he leaves him where he is (P-GAM-13)."""
    if to_contact or events[-1].kind not in ("edge", "pig"):
        return None, False
    goal = next((event for event in events if event.what in ("enter", "ramp")), None)
    return goal, goal is None and events[-1].kind == "pig"
