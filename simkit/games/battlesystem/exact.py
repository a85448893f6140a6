"""Exact solutions of two units that fight where they stand (B-LAN-19 to B-LAN-25)."""

import math
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from simkit.games.battlesystem import compile as room
from simkit.games.battlesystem.appraise import Kind
from simkit.games.battlesystem.chain import NOBODY, Blows, Chain, Chances, Judge
from simkit.games.battlesystem.kinds import Formation, Policy
from simkit.games.battlesystem.outcomes import OUTCOMES
from simkit.games.battlesystem.rules import Rules
from simkit.games.battlesystem.scenario import Scenario
from simkit.games.protocol import Solution

MOST = 60_000
"""Most pairs of what the two units can be that are solved."""

SHARES = frozenset(metric.name for metric in OUTCOMES if metric.kind == "share")
"""What adding up rounded chances must not lead above 1."""

ROUNDING = 1e-9
"""Most that a share is off by adding up rounded chances."""


class Losses(NamedTuple):
    """What one exchange of blows does to a side, with exact chances."""

    hit_dice: Mapping[int, Fraction]
    """Hit dice that the enemy's blows kill, those beyond the last figure too."""
    figures: Mapping[int, Fraction]
    """Figures that fall."""


def solve(scenario: Scenario, rules: Rules) -> Solution:
    """Return the exact chances of a fight of one unit against one that begins in contact; else why there are none.

    Parameters
    ----------
    scenario, rules
        A legal fight.

    Returns
    -------
    Solution
        Shares and means of the outcomes of melee and morale; nothing where units move or shoot first, where there are
        more than two, where one acts in contact, or where the figures and wounds are too many.
    """
    setup = room.compile(scenario, rules)
    why = _beyond(setup) or _too_many(setup)
    if why:
        return Solution({}, 0, why=why)
    judge = Judge(setup, rules.rolled("attack_dice"), rules.rolled("morale_dice"))
    chain = Chain(judge, judge.begin()[1:])
    found = follow(chain, int(setup.rules.max_rounds))
    return Solution(
        {name: Fraction(min(value, 1.0) if name in SHARES else value) for name, value in found.items()},
        chain.units[0].dead * chain.units[1].dead,
        error=ROUNDING,
    )


def exchange(scenario: Scenario, rules: Rules) -> tuple[Losses, Losses]:
    """Return what the first exchange of blows does to side a and to side b, in full distribution.

    Parameters
    ----------
    scenario, rules
        A legal fight of two units that begins in contact.

    Returns
    -------
    tuple of Losses
        The chances of one side's losses, whatever the other's are. Set spears strike first, and only survivors
        answer (B-LAN-21).

    Raises
    ------
    ValueError
        Saying what keeps the fight from being solved.

    Examples
    --------
    >>> men = {"design": "men-at-arms", "figures": 2, "files": 2}
    >>> fight = {"sides": {"a": men, "b": men}, "scenario": {"in_contact": True}}
    >>> a, b = exchange(Scenario.model_validate(fight), Rules())
    >>> sum(hd * chance for hd, chance in a.hit_dice.items()), a.figures == b.figures
    (Fraction(9, 2), True)
    """
    setup = room.compile(scenario, rules)
    why = _beyond(setup)
    if why:
        raise ValueError(why)
    judge = Judge(setup, rules.rolled("attack_dice"), rules.rolled("morale_dice"))
    begin = judge.begin()
    pair = tuple(Kind(int(setup.units[k].figures), 0, begin[1 + k]) for k in (0, 1))
    told = judge.pair((pair[0], pair[1]), first=True)
    blows = judge.blows(told)
    if told.early == NOBODY:
        return _lost(setup, 0, _sums(judge, blows[1])), _lost(setup, 1, _sums(judge, blows[0]))
    late = 1 - told.early
    struck = _sums(judge, blows[told.early])
    answer: dict[int, Fraction] = defaultdict(Fraction)
    for kind, chance in _survivors(judge, late, pair[late], struck).items():
        both = (kind, pair[1]) if late == 0 else (pair[0], kind)
        lost = pair[late].figures - kind.figures
        sums = {0: Fraction(1)}
        if kind.figures > 0:
            again = judge.pair(both, first=True, late=late, lost=lost)
            sums = _sums(judge, judge.blows(again)[late])
        for hit_dice, one in sums.items():
            answer[hit_dice] += chance * one
    found = {late: _lost(setup, late, struck), told.early: _lost(setup, told.early, dict(sorted(answer.items())))}
    return found[0], found[1]


def _survivors(judge: Judge, k: int, kind: Kind, struck: Mapping[int, Fraction]) -> dict[Kind, Fraction]:
    """Return what a unit is when it answers a first strike; one without figures, or that routs, does not."""
    found: dict[Kind, Fraction] = defaultdict(Fraction)
    for fallen, chance in _lost(judge.setup, k, struck).figures.items():
        found[kind._replace(figures=kind.figures - fallen)] += chance
    if not judge.setup.rules.strike_between_checks:
        return found
    checked: dict[Kind, Fraction] = defaultdict(Fraction)
    for now, chance in found.items():
        for then, part in _checked(judge, k, kind.figures, now).items():
            checked[then] += chance * part
    return checked


def _checked(judge: Judge, k: int, before: int, kind: Kind) -> dict[Kind, Fraction]:
    """Return what a unit is after the checks between a first strike and its answer; without figures if it routs."""
    chances = {kind: Fraction(1)}
    if kind.figures == 0:
        return chances
    for _ in range(judge.morale(k, before, kind, first=True).due):
        later: dict[Kind, Fraction] = defaultdict(Fraction)
        for one, chance in chances.items():
            passes = Fraction(1)
            if one.figures > 0:
                passes = Fraction(judge.passes(judge.morale(k, before, one, first=True).needed))
                closed = one.formation == Formation.CLOSED
                failed = one._replace(formation=int(Formation.OPEN)) if closed else one._replace(figures=0)
                later[failed] += chance * (1 - passes)
            later[one] += chance * passes
        chances = dict(later)
    return chances


def _sums(judge: Judge, blows: Blows) -> dict[int, Fraction]:
    """Return the exact chance of every sum of hit dice that some blows kill."""
    results = judge.results(blows)
    whole = math.lcm(*(chance.denominator for _, chance in judge.attack))
    one: dict[int, int] = defaultdict(int)
    for hit_dice, (_, chance) in zip(results, judge.attack, strict=True):
        one[hit_dice] += int(chance * whole)
    sums = {0: 1}
    for _ in range(blows.number):
        more: dict[int, int] = defaultdict(int)
        for total, ways in sums.items():
            for hit_dice, times in one.items():
                more[total + hit_dice] += ways * times
        sums = more
    return {total: Fraction(ways, whole**blows.number) for total, ways in sorted(sums.items()) if ways}


def _lost(setup: Any, k: int, hit_dice: Mapping[int, Fraction]) -> Losses:
    """Return what damage does to a fresh unit (B-LAN-7)."""
    unit = setup.units[k]
    figures: dict[int, Fraction] = defaultdict(Fraction)
    for damage, chance in hit_dice.items():
        figures[min(damage // int(unit.pool), int(unit.figures))] += chance
    return Losses(hit_dice, dict(sorted(figures.items())))


def _beyond(setup: Any) -> str:
    """Say what lies beyond the chain, or nothing."""
    if setup.count != 2:
        return "only one unit against one is solved exactly"
    if not setup.in_contact or setup.units[0].slot != setup.units[1].slot:
        return "only fights that begin in contact (in_contact = true) are solved exactly"
    acting = {Policy.WALL, Policy.WALL_ADVANCE, Policy.BEST}
    if any(int(unit.policy) in acting for unit in setup.units[:2]):
        return "a unit that declares a wall in contact, or chooses, is not solved exactly"
    if setup.rules.lasts_to_round_end and any(int(unit.declared) for unit in setup.units[:2]):
        return "declarations that end with the round are not solved exactly"
    return ""


def _too_many(setup: Any) -> str:
    """Say that there are too many situations, or nothing."""
    states = 1
    for unit in setup.units[:2]:
        formations = 2 if int(unit.formation) == Formation.CLOSED else 1
        states *= int(unit.figures) * (int(unit.pool) if setup.rules.carry_wounds else 1) * formations
    return f"{states:,} situations are more than the {MOST:,} that are solved" if states > MOST else ""


def follow(chain: Chain, cap: int) -> dict[str, float]:
    """Carry the chances of all situations forward, round by round, and return the metrics of the fights that end."""
    found: dict[str, float] = defaultdict(float)
    now = chain.begin()
    for round in range(1, cap + 1):
        now = chain.after(now, first=round == 1)
        for name, value in ended(chain, now, round, capped=round == cap).items():
            found[name] += value
        a, b = chain.units
        now[a.dead :, :] = 0
        now[:, b.dead :] = 0
    return dict(found)


def ended(chain: Chain, now: Chances, round: int, *, capped: bool) -> dict[str, float]:
    """Return what the fights count that end in a round."""
    a, b = chain.units
    found: dict[str, float] = {}
    stands = [[*(1.0 for _ in unit.kinds), 0.0, 0.0] for unit in (a, b)]
    figures = [[*(float(kind.figures) for kind in unit.kinds), 0.0, 0.0] for unit in (a, b)]
    up_a, up_b = np.array(stands[0]), np.array(stands[1])
    over = 1 - np.outer(up_a, up_b) if not capped else np.ones_like(now)
    now = now * over
    found["win_a"] = float(up_a @ now @ (1 - up_b))
    found["win_b"] = float((1 - up_a) @ now @ up_b)
    found["mutual"] = float((1 - up_a) @ now @ (1 - up_b))
    found["cap"] = float(up_a @ now @ up_b)
    found["rounds"] = round * float(now.sum())
    found["figures_a"] = float(np.array(figures[0]) @ now.sum(axis=1))
    found["figures_b"] = float(np.array(figures[1]) @ now.sum(axis=0))
    found["dead_a"], found["rout_a"] = float(now[a.dead].sum()), float(now[a.routed].sum())
    found["dead_b"], found["rout_b"] = float(now[:, b.dead].sum()), float(now[:, b.routed].sum())
    return found
