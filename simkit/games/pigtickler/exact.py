"""The exact solution of a course: every throw of dice, weighted by its chance.

The situations of a course form an absorbing chain. It is built by the procedures that the kernel plays
(``ride.begin_turn`` and ``ride.advance``), with every total the dice can show, and solved in fractions:
turn by turn for a limited number of turns, as a whole without a limit.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from simkit.core.chain import absorb
from simkit.core.dicetable import draw_of, faces
from simkit.games.pigtickler.compile import DICE
from simkit.games.pigtickler.compile import compile as compile_course
from simkit.games.pigtickler.course import UNLIMITED, Scenario
from simkit.games.pigtickler.records import Fate, Outcome, Purpose, Rider, State
from simkit.games.pigtickler.ride import advance, begin_turn
from simkit.games.pigtickler.rules import Rules
from simkit.games.protocol import Solution

COUNTS = ("wounds", "rumps", "other_wounds", "other_damages", "rolls", "damage")
"""Means that add up throw by throw."""

FORGOTTEN = ("rolls", "turn", "thrown")
"""What no rule asks about."""

SEEN = ("wounds", "rumps", "other_wounds", "other_damages")
"""Counts of which a situation remembers only whether there was one."""

Situation = bytes
"""A rider with his counts cut down to what the rules can tell apart."""


@dataclass(frozen=True)
class Turn:
    """What one turn leads to from a given situation."""

    ends: Mapping[Situation, Fraction]
    means: Mapping[str, Fraction]


class End(NamedTuple):
    """How likely the course ends in one situation."""

    rider: Any
    chance: Fraction


class Course:
    """The chain of one course under one rule set."""

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        self.setup = compile_course(scenario, rules)
        memory = State.array(1)
        self.state = memory[0]
        self.rider = np.asarray(memory)["rider"]  # the same memory as plain columns: quicker to read than a record
        self.draws = {
            purpose: [(draw_of(self.setup.dice[purpose], face), chance) for face, chance in faces(rules.rolled(name))]
            for purpose, name in DICE.items()
        }
        self.turns: dict[Situation, Turn] = {}

    @cached_property
    def start(self) -> Situation:
        """A rider before his first turn."""
        return Rider.new().tobytes()

    def restore(self, situation: Situation) -> None:
        """Put the rider into a situation."""
        self.rider[0] = view(situation)

    def taken(self) -> tuple[Situation, list[int]]:
        """Return the rider's situation, and what was counted since it was restored."""
        rider = self.rider
        counted = [int(rider[name][0]) for name in COUNTS]
        for name in SEEN:
            rider[name][0] = min(int(rider[name][0]), 1)
        for name in FORGOTTEN:
            rider[name][0] = 0
        return rider[0].tobytes(), counted

    def throws(self, situation: Situation) -> list[tuple[Situation, Fraction, list[int]]]:
        """List what can follow one throw of dice: the situation, its chance, what it added to each count."""
        before = view(situation)
        so_far = [int(before[name]) for name in COUNTS]
        found = []
        for bits, chance in self.draws[Purpose(int(before["throws_next"]))]:
            self.restore(situation)
            advance(self.setup, self.state, bits)
            after, counted = self.taken()
            found.append((after, chance, [now - then for now, then in zip(counted, so_far, strict=True)]))
        return found

    def turn(self, situation: Situation) -> Turn:
        """Play one turn from a situation in every possible way."""
        if situation not in self.turns:
            self.restore(situation)
            begin_turn(self.setup, self.state)
            first, _ = self.taken()
            listed: dict[Situation, list[tuple[Situation, Fraction, list[int]]]] = {}

            def follow(now: Situation) -> dict[Situation, Fraction]:
                if not view(now)["riding"]:
                    return {}
                listed[now] = self.throws(now)
                return summed(listed[now])

            visits = absorb({first: Fraction(1)}, follow).visits
            means = dict.fromkeys(COUNTS, Fraction(0))
            for now, found in listed.items():
                for _, chance, added in found:
                    for name, more in zip(COUNTS, added, strict=True):
                        if more:
                            means[name] += visits[now] * chance * more
            self.turns[situation] = Turn({s: chance for s, chance in visits.items() if s not in listed}, means)
        return self.turns[situation]


def summed(listed: list[tuple[Situation, Fraction, list[int]]]) -> dict[Situation, Fraction]:
    """Add up the chances of equal situations."""
    total: dict[Situation, Fraction] = {}
    for after, chance, _ in listed:
        total[after] = total.get(after, Fraction(0)) + chance
    return total


def view(situation: Situation) -> Any:
    """Read a situation as a rider, field by name."""
    return np.frombuffer(situation, Rider.dtype())[0]


def solve(scenario: Scenario, rules: Rules) -> Solution:
    """Return every metric of a course exactly, for its number of turns or for no limit.

    Parameters
    ----------
    scenario
        A legal course.
    rules
        The rule set.

    Returns
    -------
    Solution
        Fractions; an infinite mean is None (P-CRS-10).
    """
    course = Course(scenario, rules)
    if scenario.course.turns == UNLIMITED:
        ends, means = _without_limit(course)
    else:
        ends, means = _within(course, int(scenario.course.turns))
    return Solution(_metrics(ends, means, int(course.setup.length)), len(course.turns))


def _within(course: Course, turns: int) -> tuple[list[End], dict[str, Fraction | None]]:
    """Play so many turns: who is over stays where he ended.

    Chances are whole numbers over one common scale that grows turn by turn: hundreds of turns take no time.
    """
    scale = 1
    riding: Counter[Situation] = Counter({course.start: 1})
    over: Counter[Situation] = Counter()
    sums: Counter[str] = Counter(dict.fromkeys([*COUNTS, "turns_used"], 0))
    for _ in range(turns):
        if not riding:
            break
        played = [(course.turn(situation), mass) for situation, mass in riding.items()]
        values = [value for turn, _ in played for value in (*turn.ends.values(), *turn.means.values())]
        step = math.lcm(*(value.denominator for value in values))
        scale *= step
        riding = Counter()
        over = Counter({situation: mass * step for situation, mass in over.items()})
        sums = Counter({name: total * step for name, total in sums.items()})
        for turn, mass in played:
            sums["turns_used"] += mass * step
            for name, value in turn.means.items():
                sums[name] += mass * (value.numerator * (step // value.denominator))
            for after, chance in turn.ends.items():
                still = view(after)["fate"] == Fate.RIDING
                (riding if still else over)[after] += mass * (chance.numerator * (step // chance.denominator))
    ends = [End(view(situation), Fraction(mass, scale)) for situation, mass in [*over.items(), *riding.items()]]
    return ends, {name: Fraction(total, scale) for name, total in sums.items()}


def _without_limit(course: Course) -> tuple[list[End], dict[str, Fraction | None]]:
    """Play until the course is over; a situation that cannot be left counts as stopped (P-CRS-10)."""

    def follow(situation: Situation) -> Mapping[Situation, Fraction]:
        return course.turn(situation).ends if view(situation)["fate"] == Fate.RIDING else {}

    solved = absorb({course.start: Fraction(1)}, follow)
    means: dict[str, Fraction | None] = dict.fromkeys([*COUNTS, "turns_used"], Fraction(0))
    ends = []
    for situation, times in solved.visits.items():
        if view(situation)["fate"] == Fate.RIDING:
            _add(means, course.turn(situation).means, times)
            _add(means, {"turns_used": Fraction(1)}, times)
        else:
            ends.append(End(view(situation), times))
    for situation, chance in solved.trapped.items():
        ends.append(End(view(situation), chance))
        means["turns_used"] = None
        for name in _endless(course, situation):
            means[name] = None
    return ends, means


def _endless(course: Course, trapped: Situation) -> list[str]:
    """Name the counts that grow for ever in a loop without a way out."""
    seen: set[Situation] = set()
    pending = [trapped]
    while pending:
        situation = pending.pop()
        if situation not in seen:
            seen.add(situation)
            pending.extend(course.turn(situation).ends)
    return [name for name in COUNTS if any(course.turn(situation).means[name] for situation in seen)]


def _add(means: dict[str, Fraction | None], more: Mapping[str, Fraction], times: Fraction) -> None:
    for name, value in more.items():
        so_far = means[name]
        if so_far is not None:
            means[name] = so_far + times * value


def _metrics(ends: list[End], means: Mapping[str, Fraction | None], length: int) -> dict[str, Fraction | None]:
    """Name the results as the kernel's outcome does (P-CRS-11)."""

    def share(holds: Any) -> Fraction:
        return sum((end.chance for end in ends if holds(end.rider)), Fraction(0))

    values: dict[str, Fraction | None] = {
        "finished": share(lambda r: r["fate"] == Fate.FINISHED),
        "reached": share(lambda r: r["fate"] == Fate.FINISHED or (r["fate"] == Fate.RIDING and r["task"] == length)),
        "stopped": share(lambda r: r["fate"] == Fate.RIDING),
        "runaway": share(lambda r: r["steered"]),
        "killed": share(lambda r: r["fate"] == Fate.KILLED),
        "wrecked": share(lambda r: r["fate"] == Fate.WRECKED),
        "wounded": share(lambda r: r["wounds"] > 0),
        "damaged": share(lambda r: r["damage"] > 0),
        "rump": share(lambda r: r["rumps"] > 0),
        "other_wounded": share(lambda r: r["other_wounds"] > 0),
        "other_damaged": share(lambda r: r["other_damages"] > 0),
        **means,
    }
    return {name: values[name] for name in Outcome._fields}
