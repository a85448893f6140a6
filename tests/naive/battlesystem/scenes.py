"""What tests of the twin share: units, dice that fall as told, and events written shortly."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.battle import Battle
from tests.naive.battlesystem.lane import Lane
from tests.naive.battlesystem.movement import move
from tests.naive.battlesystem.presets import presets
from tests.naive.battlesystem.ratings import Design, parts
from tests.naive.battlesystem.tables import rules_of
from tests.naive.battlesystem.unit import Troop, Unit

RULES = rules_of()
BARE = Lane()
ALL = presets(RULES)
Events = list[t.Event]


def foot(**more: Any) -> Design:
    """Return a man of 1 HD, changed."""
    given: dict[str, Any] = {"ar": 20, "ac": 6, "hd": Fraction(1), "mv": Fraction(9), "damage": parts(["d8"]), "ml": 12}
    return Design(**{**given, "ratio": 10, **more})


def unit_of(design: Design, figures: int, files: int, formation: str = "closed", side: int = 0, **more: Any) -> Unit:
    """Return a unit in a fight."""
    return Unit(side, 0, Troop(design, figures, files, formation), more.get("lane", BARE))


def marched(lane: Lane, design: Design, rounds: int, rules: Any = RULES, side: int = 0) -> list[Fraction]:
    """Return where a front stands after each of so many full moves to the end of a lane, in inches."""
    unit = unit_of(design, 6, 6, side=side, lane=lane)
    found = []
    for _ in range(rounds):
        march = move(lane, unit, Fraction(1), lane.length * (1 - side), contact=False, rules=rules)
        unit.place, unit.passed = march.place, march.passed
        found.append(Fraction(unit.place, t.INCH))
    return found


class Told:
    """Dice that fall as written, by purpose and seat in turn; the rest as `usual`. No address may come twice."""

    def __init__(self, usual: Mapping[str, int] | None = None, **falls: Mapping[int, Sequence[int]]) -> None:
        self.falls = {purpose: {seat: list(rolls) for seat, rolls in by.items()} for purpose, by in falls.items()}
        self.usual = {"melee": 7, "missile": 7, "morale": 2, **(usual or {})}
        self.asked: set[tuple[str, int, int, int]] = set()

    def roll(self, expression: str, purpose: str, time: int, seat: int, i: int) -> int:
        address = (purpose, time, seat, i)
        assert address not in self.asked
        assert 0 <= seat < 24
        assert 0 <= i < 65536
        self.asked.add(address)
        left = self.falls.get(purpose, {}).get(seat)
        if left:
            return left.pop(0)
        return 6 - seat if purpose == "initiative" else self.usual[purpose]


def fight(a: Troop | Sequence[Troop], b: Troop | Sequence[Troop], lane: Lane, dice: Any = None, **rules: Any) -> Battle:
    """Fight with dice as told; side a has the initiative if nothing is told."""
    sides = [[one] if isinstance(one, Troop) else list(one) for one in (a, b)]
    battle = Battle(sides, lane, rules_of(**rules), dice or Told())
    battle.play()
    return battle


def of(battle: Battle, *whats: int) -> Events:
    """Return the events of some kinds."""
    return [event for event in battle.events if event[0] in whats]


def event(
    what: int, now: int, unit: int = -1, foe: int = -1, roll: int = -1, value: int = -1, extra: int = -1
) -> t.Event:
    """Write an event shortly."""
    return (what, now, unit, foe, roll, value, extra)


def blows(now: int, unit: int, foe: int, count: int, index: int, hit_dice: int, first: int = 0) -> Events:
    """Write an exchange's attacks of one side, each with a 7."""
    rolls = [event(t.ROLL, now, unit, foe, 7, hit_dice, first + i) for i in range(count)]
    return [event(t.STRIKE, now, unit, foe, value=count, extra=index), *rolls]


def begins(now: int, a: int, b: int) -> Events:
    """Write the start of a round."""
    rolls = [event(t.INITIATIVE, now, foe=side, roll=roll, extra=0) for side, roll in enumerate((a, b))]
    return [event(t.ROUND, now, value=now), *rolls]


# A charge of heavy cavalry on set pikes, every step worked out by hand

KNIGHTS = Troop(ALL["heavy-cavalry"], 12, 6, policy="charge")
PIKES = Troop(ALL["pikemen"], 18, 6, policy="set")
CHARGE_ON_PIKES = [
    *begins(1, 2, 5),
    event(t.DECLARE, 1, 12, value=t.SET),
    event(t.DECLARE, 1, 0, value=t.CHARGE),
    event(t.MOVE, 1, 0, value=432, extra=432),
    event(t.CONTACT, 1, 0, 12, value=432, extra=1),
    # Three ranks of six; AR 20, AC 7; 7: N = 20, d6: floor(10 x 8 x 3.5 / 90) = 3, doubled; 108 on 20 a figure.
    *blows(1, 12, 0, 18, 13, 6),
    event(t.DAMAGE, 1, 0, value=108, extra=8),
    event(t.LOSE, 1, 0, value=5, extra=7),
    # Six of seven fill the front; no -2; N = 21: lance 2 x 4, hooves 3 + 3, bite 1; 90 on 10 a figure.
    *blows(1, 0, 12, 6, 14, 15),
    event(t.DAMAGE, 1, 12, value=90, extra=0),
    event(t.LOSE, 1, 12, value=9, extra=9),
    event(t.CHECK, 1, 0, roll=14, value=14, extra=1),  # 13 + 1
    event(t.CHECK, 1, 12, roll=12, value=11, extra=0),  # 12 + 1 - 2: half are lost
    event(t.OPEN, 1, 12, value=t.BY_CHECK),
    event(t.LAPSE, 1, 12, value=t.SET),
    *begins(2, 6, 1),
    # Nobody charges; open pikes have one rank, and 4.5 inches of cavalry meet four files of 1.25.
    *blows(2, 0, 12, 6, 14, 11),
    *blows(2, 12, 0, 4, 13, 3),
    event(t.DAMAGE, 2, 0, value=12, extra=0),  # 8 + 12: one figure
    event(t.DAMAGE, 2, 12, value=66, extra=6),
    event(t.LOSE, 2, 0, value=1, extra=6),
    event(t.LOSE, 2, 12, value=6, extra=3),
    event(t.CHECK, 2, 0, roll=2, value=12, extra=1),
    event(t.CHECK, 2, 12, roll=9, value=8, extra=0),  # 12 - 4: three quarters are lost
    event(t.ROUT, 2, 12),
    event(t.OVER, 2, foe=0, value=t.WIN),
]
LUCK: dict[str, Any] = {"initiative": {0: [2, 6], 1: [5, 1]}, "morale": {0: [14, 2], 12: [12, 9]}}
