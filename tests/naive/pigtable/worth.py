"""What a route is worth: its chance as one product, its harm as a sum over its tasks (P-GAM-22).

The state while riding is certain, so nothing is tried out; the same steps serve whole numbers and fractions.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from tests.naive.pigtable.lines import Event, Ground
from tests.naive.pigtable.ride import Plan, change_at, same_direction, steered_to
from tests.naive.pigtable.shapes import Point, minus
from tests.naive.pigtickler import chances

NEVER, ALWAYS = Fraction(0), Fraction(1)
SCALE = 36**6
"""What a chance of 1 is in the whole numbers of the policies (P-GAM-20)."""


@dataclass
class Step:
    """A task of a route: the chances to ride on after it, and of harm if he comes to it."""

    kind: str
    levels: int
    on: Fraction = ALWAYS
    wounded: Fraction = NEVER
    killed: Fraction = NEVER
    rump: Fraction = NEVER
    turns: bool = False  # a change of direction, or a stop
    miss: Fraction = NEVER
    strays: list["Step"] = field(default_factory=list)  # what a runaway comes to after a miss


class Worth(NamedTuple):
    """Chances of a route, as fractions or as whole numbers of `SCALE`."""

    rump: Any
    wounded: Any
    killed: Any


@dataclass
class Rider:
    """What is certain of a rider who is still riding (P-CRS-2)."""

    levels: int = 0
    leg: int = 0
    spent: bool = False
    damage: int = 0


@lru_cache(maxsize=4096)
def at_least(dice: str, needed: int) -> Fraction:
    """Return the chance that dice show so much."""
    return sum((chance for total, chance in chances(dice).items() if total >= needed), NEVER)


class Walk:
    """A plan ridden in thought from where a rider is: its steps, and where and how it ends."""

    def __init__(self, ground: Ground, rules: dict[str, Any], rider: Rider, start: Point, plan: Plan) -> None:
        self.ground, self.rules, self.rider = ground, rules, rider
        self.steps: list[Step] = []
        self.met: Event | None = None  # the contact that ends it
        self.place = start
        ends = plan.legs(start)
        before = start
        for k, end in enumerate(ends):
            if k > 0 and not same_direction(minus(self.place, before), minus(end, self.place)):
                self.change(before)
            before = self.place
            self.leg(end)
            if self.met is not None:
                return
        if ends and plan.target == "stop":
            self.stop(before)

    def passes(self, modifier: int) -> Fraction:
        """Return the chance of a manoeuvre roll (P-MAN-1)."""
        needed = 5 if self.rules["altered_odds"] else 6
        net = modifier + self.rules["damage_modifier"] * self.rider.damage
        return at_least(self.rules["dice"], needed - net)

    def in_bog(self, kind: str | None) -> Fraction:
        """Return the chance of a roll in a bog (P-CRS-3)."""
        r, bonus = self.rider, 0
        if r.levels > 0 and not r.spent:
            r.spent = True
            bonus = r.leg if r.leg > 0 else -r.levels
        return self.passes(self.rules["bogs"][kind] + bonus)

    def harmed(self) -> tuple[Fraction, Fraction]:
        """Return the chances of a wound and of an 11-12 on the collision table (P-COL-1, P-COL-2)."""
        worst = 6 if self.rules["unicycle_damage"] else 7
        return 1 - at_least("2d6", worst + 1), at_least("2d6", 11)

    def add(self, kind: str, **chances: Any) -> Step:
        """Add a step."""
        step = Step(kind, self.rider.levels, **chances)
        self.steps.append(step)
        return step

    def leg(self, end: Point) -> None:
        """Ride a leg."""
        start = self.place
        for event in self.ground.events(start, end):
            self.meet(event)
        self.place = end if self.met is None else self.met.end

    def meet(self, event: Event) -> None:
        """Meet what there is on a leg."""
        r = self.rider
        if event.what == "down":
            r.levels += 1
            r.leg += 1
            self.add("down")
        elif event.what == "up":
            self.add("level", on=self.passes(-r.levels))
            r.leg = 0
        elif event.what in ("enter", "leave"):
            self.add(event.what, on=self.in_bog(event.kind))
        elif event.what == "cross":
            self.fence(self.passes(-r.levels))
        elif event.what == "ramp":
            s = self.passes(-r.levels)
            self.add("ramp", on=s, killed=1 - s)
        else:
            self.met = event
            self.contact(event.kind)

    def fence(self, s: Fraction) -> None:
        """Cross a fence: after a descent a collision, and another try after each 11-12 (P-LIN-4, P-CRS-7)."""
        way = self.rules["downhill_cross"]
        wound, whee = self.harmed()
        if self.rider.levels == 0 or way == "d6":
            self.add("fence", on=s)
        elif way == "forbidden":
            self.add("fence", on=NEVER, wounded=wound / (1 - whee))
        else:
            ends = 1 - (1 - s) * whee
            self.add("fence", on=s / ends, wounded=(1 - s) * wound / ends)

    def contact(self, kind: str) -> None:
        """End in contact."""
        r, rules = self.rider, self.rules
        if kind == "pig":
            bonus = (r.leg if rules["pig_bonus"] == "straight_leg" else r.levels) > 0
            rump = at_least("2d6", rules["hit_target"] - bonus)
            wounded = 1 - at_least("2d6", rules["hit_fumble"] + 1 - bonus)
            self.add("pig", on=NEVER, rump=rump, wounded=wounded)
        elif r.levels == 0 or (kind == "edge" and rules["edge"] == "stops"):
            self.add(kind, on=NEVER)
        elif kind == "chasm":
            self.add(kind, on=NEVER, killed=ALWAYS)
        else:
            self.add(kind, on=NEVER, wounded=self.harmed()[0])

    def change(self, before: Point) -> None:
        """Change direction where he is."""
        ground, r, place = self.ground, self.rider, self.place
        kind, _ = change_at(ground, self.rules, before, place)
        if kind == "bend":
            self.add("bend", on=self.in_bog(ground.table.bog_at(*place)), turns=True)
            r.leg = 0
            return
        s = self.passes(-r.levels)
        wound, whee = self.harmed()
        if r.levels == 0:
            self.add(kind, on=s, turns=True)
        elif kind == "chasm":
            self.add(kind, on=s, killed=1 - s, turns=True)
        elif kind == "turn":
            straight_on = self.rules["neighbour_policy"] == "straight_on"
            self.add(kind, on=s, miss=1 - s, strays=self.strays(before, to_contact=straight_on), turns=True)
        else:
            self.add(kind, on=s + (1 - s) * whee, wounded=(1 - s) * wound, turns=True)
        r.leg = 0

    def stop(self, before: Point) -> None:
        """Stop where he is (P-GAM-9)."""
        if self.rider.levels == 0 or self.ground.table.bog_at(*self.place) is not None:
            return
        s, rules = self.passes(-self.rider.levels), self.rules
        if rules["failed_stop"] == "stops":
            self.add("stop", turns=True)
            return
        to_contact = rules["failed_stop"] == "runs_on" or rules["neighbour_policy"] == "straight_on"
        self.add("stop", on=s, miss=1 - s, strays=self.strays(before, to_contact=to_contact), turns=True)

    def strays(self, before: Point, *, to_contact: bool) -> list[Step]:
        """Return what he comes to if another steers him from here (P-GAM-13)."""
        events = self.ground.runaway(before, self.place)
        goal, pig_ahead = steered_to(events, to_contact=to_contact)
        if pig_ahead:
            return []
        other = object.__new__(Walk)
        r = self.rider
        other.ground, other.rules, other.steps, other.met = self.ground, self.rules, [], None
        other.rider = Rider(r.levels, r.leg, r.spent, r.damage)
        for event in events:
            other.meet(event)
            if event is goal:
                break
        return other.steps


def exact(steps: list[Step]) -> Worth:
    """Return the chances as fractions, those of a runaway's touch of the pig too."""
    return product_of(steps, Fraction(1), lambda p, factor: p * factor, stray_rumps=True)


def whole(steps: list[Step]) -> Worth:
    """Return the chances as the whole numbers that policies compare (P-GAM-20)."""
    return product_of(steps, SCALE, lambda p, factor: p * factor.numerator // factor.denominator, stray_rumps=False)


def product_of(steps: list[Step], p: Any, times: Any, *, stray_rumps: bool) -> Worth:
    """Multiply the chances to ride on and add up what each step may bring."""
    rump = wounded = killed = p * 0
    for step in steps:
        rump += times(p, step.rump)
        wounded += times(p, step.wounded)
        killed += times(p, step.killed)
        if step.miss:
            lost = product_of(step.strays, times(p, step.miss), times, stray_rumps=stray_rumps)
            rump += lost.rump if stray_rumps else p * 0
            wounded += lost.wounded
            killed += lost.killed
        p = times(p, step.on)
    return Worth(rump, wounded, killed)


def chance_to_arrive(steps: list[Step]) -> Fraction:
    """Return the chance to ride all steps."""
    p = ALWAYS
    for step in steps:
        p *= step.on
    return p
