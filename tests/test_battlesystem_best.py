"""The policy ``best`` takes what promises most (B-LAN-26): the promise worked out by the twin, in fractions."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import pytest

from simkit.core import jit
from tests.battlesystem_battles import KEY, Case, fresh
from tests.naive.battlesystem import Battle
from tests.naive.battlesystem import tables as t
from tests.naive.battlesystem.frontage import attacks, front
from tests.naive.battlesystem.melee import blow, index, strikes_first, struck_on
from tests.naive.battlesystem.presets import presets
from tests.naive.battlesystem.unit import Contact, Troop, Unit

ORDER = ("none", "wall", "set", "charge", "advance")
"""Of equals the first is done."""

ALIKE = Fraction(1, 2**18)
"""What differs by no more is equal."""

Pmf = Mapping[int, Fraction]
CASES = 60
SMALL = ("spearmen", "pikemen", "men-at-arms", "heavy-cavalry", "orcs", "militia")
OTHERS = ("hold", "advance", "charge", "set", "wall", "best")
KEPT = (
    "set_first_strike", "frontage", "set_doubles", "charge_bonus", "wall_melee", "crt_zero_at", "declaration_lasts",
)  # fmt: skip


class Reached(Exception):  # noqa: N818 - no error: the battle has come to the blows
    """The melee phase of the first round begins."""


class Forbidden(Exception):  # noqa: N818
    """The rules do not allow what was to be tried."""


class Open(Battle):
    """A battle of the twin whose thinkers are told what to choose."""

    def write(self, what: int, *args: Any, **more: Any) -> None:
        """Keep no events."""


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    jit.ready("simkit.games.battlesystem")


def duel(seed: int) -> Case:
    """Return a battle of two small units close to each other, the first of which thinks."""
    case = Case(seed, most=1)
    rng = random.Random(seed)
    case.changes = {name: value for name, value in case.changes.items() if name in KEPT}
    case.rules = t.rules_of(**case.changes)
    rated = presets(case.rules)
    case.names = [[rng.choice(SMALL)] for _ in (0, 1)]
    files = [rng.randint(1, 3) for _ in (0, 1)]
    case.sides = [
        [Troop(rated[case.names[s][0]], files[s] * rng.randint(1, 2), files[s], "closed", policy)]
        for s, policy in enumerate(("best", rng.choice(OTHERS)))
    ]
    touch = rng.random() < 0.3
    ends = tuple(rng.choice(("none", "none", "set", "wall")) for _ in (0, 1))
    lane = replace(case.lane, length=rng.choice((1, 2, 4, 8, 12)) * t.INCH, ground=(), points=())
    case.lane = replace(lane, contact=(rng.choice(("front", "flank")), "front"), start=ends, in_contact=touch)
    return case


def chose(events: list[t.Event], seat: int) -> str:
    """Return what a unit chose in the first round, or nothing."""
    told = [t.CHOICES[event[5]] for event in events if event[:3] == (t.CHOOSE, 1, seat)]
    return told[0] if told else ""


def tried(case: Case, choice: str, enemy: str) -> tuple[Battle, Unit]:
    """Let the twin play to the first blows, side a's unit choosing as told.

    An enemy who thinks, too, did what he did if he moved first, and is taken to advance if he moves later.
    """
    found: list[Battle] = []

    def chosen(battle: Battle, unit: Unit, allowed: list[str]) -> str:
        if unit.side == 1 and battle.first == 1:
            return enemy
        if unit.side == 1:
            return "advance" if "advance" in allowed else "none"
        if choice not in allowed:
            raise Forbidden
        return choice

    def blows(battle: Battle) -> None:
        found.append(battle)
        raise Reached

    battle = Open(case.sides, case.twin_lane(), case.rules, t.Dice(KEY, case.seed), [])
    with (
        patch("tests.naive.battlesystem.orders.chosen", chosen),
        patch("tests.naive.battlesystem.battle.melee_phase", blows),
        pytest.raises(Reached),
    ):
        battle.play()
    return found[0], found[0].units[0]


def sums(battle: Battle, contact: Contact, side: int, old: int | None = None) -> Pmf:
    """Return the chances of what a side's blows kill."""
    me, foe = contact.units[side], contact.units[1 - side]
    own = front(me, struck_on(contact, 1 - side), battle.rules, old)
    number = attacks(own, front(foe, struck_on(contact, side), battle.rules), battle.rules)
    charging = contact.charging(side, battle.round)
    twice = battle.rules.set_doubles and contact.met_set[side] and contact.charging(1 - side, battle.round)
    at = index(battle, contact, side)
    found: Pmf = {0: Fraction(1)}
    for _ in range(number):
        more: dict[int, Fraction] = defaultdict(Fraction)
        for total, chance in found.items():
            for roll, one in t.faces(battle.rules.attack_dice).items():
                hit_dice = blow(
                    me.design.ratio, me.design.damage, at + roll, battle.rules, charging=charging, twice=twice
                )  # fmt: skip
                more[total + hit_dice] += chance * one
        found = more
    return found


def capped(found: Pmf, unit: Unit) -> Fraction:
    """Return the mean share of a unit's first pool that is killed: not more than it has left."""
    left = unit.figures * unit.design.pool - unit.wound
    return sum((chance * min(one, left) for one, chance in found.items()), Fraction(0)) / (
        unit.start * unit.design.pool
    )


def promise(battle: Battle, contact: Contact, side: int) -> Fraction:
    """Return the share of the enemy that the exchange kills on average, less the own share."""
    me, foe = contact.units[side], contact.units[1 - side]
    first = [one for one in (0, 1) if strikes_first(battle, contact, one)]
    if len(first) != 1:
        return capped(sums(battle, contact, side), foe) - capped(sums(battle, contact, 1 - side), me)
    early, late = first[0], 1 - first[0]
    struck = contact.units[late]
    had, figures = front(struck, struck_on(contact, early), battle.rules).files, struck.figures
    hits = sums(battle, contact, early)
    taken = capped(hits, struck)
    answer = Fraction(0)
    kills: dict[int, Fraction] = defaultdict(Fraction)
    for one, chance in hits.items():
        kills[(struck.wound + one) // struck.design.pool] += chance
    for dead, chance in kills.items():
        if dead < figures:
            struck.figures = figures - dead
            answer += chance * capped(sums(battle, contact, late, max(0, had - dead)), contact.units[early])
    struck.figures = figures
    return taken - answer if early == side else answer - taken


def promises(case: Case, enemy: str) -> Iterator[tuple[Fraction, str]]:
    """List what each legal choice promises."""
    for choice in ORDER:
        try:
            battle, unit = tried(case, choice, enemy)
        except Forbidden:
            continue
        value = sum((promise(battle, one, 0) for one in battle.contacts_of(unit)), Fraction(0))
        yield value, choice


def test_best_takes_what_promises_most() -> None:
    """In a hundred small duels; all choices occur, and in some battles the second best is far worse."""
    state = fresh()
    seen, clear = set(), 0
    for seed in range(CASES):
        case = duel(seed)
        events = case.kernel(state).events
        values = list(promises(case, chose(events, 12)))
        most = max(value for value, _ in values)
        best = next((value, choice) for value, choice in values if value > most - ALIKE)
        clear += sum(best[0] - value > Fraction(1, 100) for value, _ in values) > 0
        assert chose(events, 0) == best[1], (seed, values)
        seen.add(best[1])
    assert seen == set(ORDER)
    assert clear > CASES // 4
